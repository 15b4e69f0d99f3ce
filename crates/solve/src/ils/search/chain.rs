//! Chains: a move that satisfies one conjunct breaks another, which a move of another variable satisfies, and so on
//! (Glover's ejection chains). What a chain passes through may cost more than the point it started from; only where it
//! ends counts.

use super::{Counters, Search};
use crate::engine::Budget;
use crate::ils::aim::Aim;
use crate::ils::guide::Literal;
use crate::ils::program::Var;
use crate::tuning::ils_search_chain::{CHAINS, LINKS, PROPOSALS};

impl Search<'_> {
    /// Tries chains that begin at a failing comparison; whether one led to a better point, at which the search then is.
    pub(super) fn chain(&mut self, literal: Literal, budget: &mut Budget, counters: &mut Counters) -> bool {
        (0..CHAINS).any(|_| self.forge(literal, budget, counters))
    }

    /// One chain. Every variable moves once.
    fn forge(&mut self, mut literal: Literal, budget: &mut Budget, counters: &mut Counters) -> bool {
        let (before, start) = (self.state.total(), self.state.point());
        let mut moved: Vec<Var> = Vec::with_capacity(2 * LINKS);
        for _ in 0..LINKS {
            if !self.link(literal, &mut moved, budget) {
                break;
            }
            if self.state.total() < before && !self.tabu.contains(self.state.point()) {
                self.arrive(start, moved, counters);
                return true;
            }
            match self.failing_literal() {
                Some(next) => literal = next,
                None => break,
            }
        }
        self.state.undo();
        false
    }

    /// Makes a comparison hold, or tries to, by variables that have not moved; false if no such move is proposed.
    fn link(&mut self, literal: Literal, moved: &mut Vec<Var>, budget: &mut Budget) -> bool {
        for _ in 0..PROPOSALS {
            let mut aim = Aim {
                state: &self.state,
                domains: &self.problem.domains,
                rng: &mut self.rng,
                divisors: &mut self.divisors,
            };
            let Some(proposed) = aim.literal(literal) else { continue };
            if proposed.changes().any(|(var, _)| moved.contains(&var)) {
                continue;
            }
            for (var, value) in proposed.changes() {
                budget.spend(self.state.effort(var));
                self.state.set(var, value);
                moved.push(var);
            }
            return true;
        }
        false
    }
}
