//! The schedule of inprocessing: which techniques run, in which order, and how much effort each may
//! spend, as a share of what search has spent since the last round.

use super::solver::Solver;
use crate::tuning::sat_inprocess::{
    ELIMINATE_EFFORT, MINIMUM_EFFORT, PROBE_EFFORT, SUBSUME_EFFORT, VIVIFY_EFFORT,
};

/// When the next of everything is due, in conflicts unless said otherwise.
#[derive(Default)]
pub(super) struct Schedule {
    pub(super) rephase: u64,
    pub(super) reduce: u64,
    inprocess: u64,
    /// Search ticks at the last inprocessing.
    inprocessed_at: u64,
    /// All ticks at the last collection of garbage.
    pub(super) collected_at: u64,
    /// Ticks when the budget was last asked.
    pub(super) budget_asked: u64,
    /// Conflicts of earlier searches.
    pub(super) conflicts_before: u64,
    /// Where probing goes on.
    pub(super) next_probe: usize,
    /// How many more clauses an elimination may leave than it removes.
    pub(super) growth: usize,
}

impl Solver {
    pub(super) fn init_schedule(&mut self) {
        self.schedule.rephase = self.options.rephase_interval;
        self.schedule.reduce = self.options.reduce_interval;
        self.schedule.inprocess = self.options.inprocess_interval;
        self.init_restarts();
    }

    pub(super) fn inprocessing(&self) -> bool {
        self.options.inprocess_interval > 0 && self.counters.conflicts >= self.schedule.inprocess
    }

    /// One round of all techniques, at the root.
    pub(super) fn inprocess(&mut self) {
        self.backtrack(0);
        self.phases.paused = true;
        let earned = self.counters.search_ticks - self.schedule.inprocessed_at;
        let effort = |percent: u64| MINIMUM_EFFORT + earned / 100 * percent;
        if self.options.probe {
            self.probe(effort(PROBE_EFFORT));
        }
        if self.options.vivify && !self.unsat {
            self.vivify(effort(VIVIFY_EFFORT));
        }
        if !self.unsat {
            self.simplify_clauses(effort(SUBSUME_EFFORT), effort(ELIMINATE_EFFORT));
        }
        self.phases.paused = false;
        self.counters.inprocessings += 1;
        self.schedule.inprocessed_at = self.counters.search_ticks;
        let delta = self.options.inprocess_interval * (self.counters.inprocessings + 1);
        self.schedule.inprocess = self.counters.conflicts + delta;
    }

    /// The techniques that change clauses in place, with watches disconnected.
    fn simplify_clauses(&mut self, subsume_effort: u64, eliminate_effort: u64) {
        let classes = if self.options.substitute { self.equivalences() } else { Vec::new() };
        if self.unsat {
            return;
        }
        self.disconnect();
        if !classes.is_empty() {
            self.substitute(&classes);
        }
        if self.options.subsume && !self.unsat {
            self.subsume(subsume_effort);
        }
        if self.options.eliminate && !self.unsat {
            self.eliminate(eliminate_effort);
        }
        self.reconnect();
    }
}
