//! Clause-database reduction by glue tiers: the best learnt clauses stay for ever, good ones while they
//! are used now and then, the rest must have been used since the last reduction or compete by glue and size.

use super::analyze::TIER1_GLUE;
use super::arena::ClauseRef;
use super::solver::{Reason, Solver};
use crate::tuning::sat_reduce::TARGET;

impl Solver {
    pub(super) fn reducing(&self) -> bool {
        self.counters.conflicts >= self.schedule.reduce
    }

    pub(super) fn reduce(&mut self) {
        self.counters.reductions += 1;
        let mut candidates = self.reduction_candidates();
        // Worst first; the sort is stable, so among equals the oldest go first.
        candidates
            .sort_by_key(|&clause| std::cmp::Reverse((self.arena.glue(clause), self.arena.size(clause))));
        candidates.truncate(candidates.len() * TARGET / 100);
        for &clause in &candidates {
            self.arena.mark_garbage(clause);
        }
        self.counters.reduced += candidates.len() as u64;
        self.collect_garbage();
        let conflicts = self.counters.conflicts;
        let delta = self.options.reduce_interval as f64 * (conflicts as f64).sqrt().max(1.0) / 17.0;
        self.schedule.reduce = conflicts + (delta as u64).max(self.options.reduce_interval);
    }

    fn reduction_candidates(&mut self) -> Vec<ClauseRef> {
        let mut candidates = Vec::new();
        for i in 0..self.arena.len() {
            let clause = self.arena.nth(i);
            if self.arena.is_garbage(clause)
                || !self.arena.is_redundant(clause)
                || self.arena.size(clause) == 2
            {
                continue;
            }
            let used = self.arena.used(clause);
            if used > 0 {
                self.arena.set_used(clause, used - 1);
            } else if self.arena.glue(clause) > TIER1_GLUE && !self.is_reason(clause) {
                candidates.push(clause);
            }
        }
        candidates
    }

    /// Whether the clause forces a literal of the present assignment.
    pub(super) fn is_reason(&self, clause: ClauseRef) -> bool {
        let first = self.arena.lits(clause)[0];
        self.val(first) > 0 && self.vars[first.var().index()].reason == Reason::Clause(clause)
    }
}
