//! Clauses that arrive in the middle of the search, at any level and with any value.

use super::lit::Lit;
use super::propagate::Conflict;
use super::solver::{Reason, Solver};
use super::theory::Feedback;

/// What lemmas did to the assignment.
#[derive(Clone, Copy)]
pub(super) enum Effect {
    /// Nothing that was true changed.
    None,
    /// Levels were undone, or a literal was asserted below the top.
    Jumped,
    /// A lemma is false, with two or more literals on the highest level.
    Conflict(Conflict),
}

impl Solver {
    /// Adds all lemmas. Each one moves the search to a level where it is not false, or is
    /// a conflict there; a later one that jumps further dissolves the conflict of an earlier one.
    pub(super) fn add_lemmas(&mut self, feedback: &Feedback) -> Effect {
        let mut result = Effect::None;
        let mut conflict_level = 0;
        let mut start = 0;
        for &end in &feedback.lemma_ends {
            let lemma = &feedback.lemma_lits[start..end];
            start = end;
            if self.unsat {
                break;
            }
            self.counters.lemmas += 1;
            match self.add_lemma(lemma) {
                Effect::None => {}
                Effect::Jumped => result = join(result, conflict_level, self.level()),
                Effect::Conflict(conflict) => {
                    result = Effect::Conflict(conflict);
                    conflict_level = self.level();
                }
            }
        }
        result
    }

    fn add_lemma(&mut self, lits: &[Lit]) -> Effect {
        let mut lemma = lits.to_vec();
        lemma.sort_unstable();
        lemma.dedup();
        let tautology = lemma.windows(2).any(|pair| pair[0] == !pair[1]);
        if tautology {
            return Effect::None;
        }
        let mut effect = Effect::None;
        if lemma.iter().any(|lit| self.status[lit.var().index()].eliminated) {
            self.backtrack(0);
            self.reactivate(&lemma);
            effect = Effect::Jumped;
        }
        if self.unsat || lemma.iter().any(|&lit| self.root_val(lit) > 0) {
            return effect;
        }
        lemma.retain(|&lit| self.root_val(lit) == 0);
        if lemma.len() < 2 {
            self.backtrack(0);
            self.prove(&lemma);
            self.add_simplified(&lemma, false, 0);
            return Effect::Jumped;
        }
        // Best literals to watch first: true ones, open ones, then false ones of high level.
        lemma.sort_by_key(|&lit| match self.val(lit) {
            1 => (0, 0),
            0 => (1, 0),
            _ => (2, u32::MAX - self.level_of(lit)),
        });
        self.prove(&lemma);
        let (first, second) = (lemma[0], lemma[1]);
        if self.val(first) > 0 || self.val(second) >= 0 {
            self.attach_new(&lemma, false, 0);
            return effect;
        }
        // All false but perhaps the first. Jump to where it is a unit or a conflict.
        let level = self.level_of(second);
        let conflict = self.val(first) < 0 && self.level_of(first) == level;
        effect = if level < self.level() { Effect::Jumped } else { effect };
        self.backtrack(level);
        let clause = self.attach_new(&lemma, false, 0);
        let binary = lemma.len() == 2;
        if conflict {
            return Effect::Conflict(if binary {
                Conflict::Binary(first, second)
            } else {
                Conflict::Clause(clause)
            });
        }
        self.assign(first, if binary { Reason::Binary(second) } else { Reason::Clause(clause) });
        effect
    }
}

/// A jump below the level of a conflict leaves it behind.
fn join(earlier: Effect, conflict_level: u32, level: u32) -> Effect {
    match earlier {
        Effect::Conflict(_) if level >= conflict_level => earlier,
        Effect::None | Effect::Jumped | Effect::Conflict(_) => Effect::Jumped,
    }
}
