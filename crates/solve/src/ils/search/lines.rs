//! Search along one variable of a failing comparison: where its sides meet, and where a walk finds them equal.

use super::{Counters, Search};
use crate::engine::Budget;
use crate::ils::aim::Move;
use crate::ils::guide::Literal;
use crate::ils::program::Var;
use crate::ils::{line, sweep};
use crate::tuning::ils_search_lines::LINES;

impl Search<'_> {
    /// The best place on lines through the current point along variables of a comparison.
    pub(super) fn search_lines(
        &mut self,
        literal: Literal,
        budget: &mut Budget,
        counters: &mut Counters,
    ) -> Option<(u128, Move)> {
        let support = self.support(literal);
        let mut best: Option<(u128, Move)> = None;
        for _ in 0..LINES.min(support.len()) {
            let var = support[self.rng.below(support.len())];
            let found = self.search_line(literal, var, budget, counters);
            best = [best, found].into_iter().flatten().min_by_key(|(total, _)| *total);
        }
        best
    }

    /// The best place where an equation holds on a walk of one of its variables.
    pub(super) fn sweep(
        &mut self,
        literal: Literal,
        budget: &mut Budget,
        counters: &mut Counters,
    ) -> Option<(u128, Move)> {
        let program = &self.problem.landscape.program;
        let support = self.support(literal);
        let var = self.rng.choose(&support)?;
        let track = self.sweeps.track(program, literal, var);
        let stride = self.sweeps.stride(var, &mut self.rng);
        let mut found = Vec::new();
        let effort = 1 + track.lane.steps.len() as u32 / 32;
        budget.spend(effort * sweep::PLACES as u32);
        counters.evaluations += sweep::PLACES as u64;
        sweep::walk(&mut self.state, &track, stride, self.problem.domains[var as usize], &mut found);
        self.candidates.clear();
        self.candidates.extend(found.into_iter().map(|x| Move::one(var, x)));
        self.best_candidate(budget, counters)
    }

    fn search_line(
        &mut self,
        literal: Literal,
        var: Var,
        budget: &mut Budget,
        counters: &mut Counters,
    ) -> Option<(u128, Move)> {
        let domain = self.problem.domains[var as usize];
        let x = self.state.value(var);
        let effort = self.state.effort(var);
        let mut best: Option<(u128, Move)> = None;
        let mut seen = Vec::new();
        let mut at = |search: &mut Self, places: &[i128]| -> Vec<Option<i128>> {
            budget.spend(effort * places.len() as u32);
            seen.clear();
            search.state.probe_differences(var, places, literal, &mut seen);
            for (&place, &(_, total)) in places.iter().zip(&seen) {
                let candidate = Move::one(var, place);
                let better = best.is_none_or(|(least, _)| total < least);
                if better && !search.is_tabu(candidate) && search.allowed(candidate, total) {
                    best = Some((total, candidate));
                }
            }
            seen.iter().map(|(difference, _)| *difference).collect()
        };
        let direction = if x + 2 <= domain.hi { 1 } else { -1 };
        let neighbours = [0, 1, 2].map(|step| domain.nearest(x + step * direction));
        let [Some(here), next, second] = at(self, &neighbours)[..] else { return None };
        if let Some(roots) = next.zip(second).and_then(|(next, second)| line::roots(here, next, second)) {
            counters.linear_solves += 1;
            let place = |root: i128| domain.nearest(x.saturating_add(root.saturating_mul(direction)));
            at(self, &roots.into_iter().map(place).collect::<Vec<_>>());
        }
        for up in [false, true] {
            line::bracket(x, here, up, domain, |places| at(self, places));
        }
        best.filter(|(_, chosen)| chosen.first.1 != x)
    }
}
