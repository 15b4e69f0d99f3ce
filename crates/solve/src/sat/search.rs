//! The main loop. Everything else in this module is a step of it.

use super::decide::Decision;
use super::lit::Lit;
use super::propagate::Conflict;
use super::solver::Solver;
use super::theory::{Assignment, Theory};
use crate::tuning::sat_search::BUDGET_STRIDE;

/// What a call of `solve` came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SatAnswer {
    /// There is a model.
    Sat,
    /// There is none under the assumptions; see `Solver::failed_assumptions`.
    Unsat,
    /// The search was stopped. The solver can be used as before.
    Unknown(Stop),
}

/// Why a search stopped without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The caller's budget said so.
    Budget,
    /// Clauses need more memory than the options allow.
    Memory,
}

/// What takes part in a search besides the clauses.
#[derive(Default)]
pub struct Hooks<'a> {
    /// Judge of the observed variables.
    pub theory: Option<&'a mut dyn Theory>,
    /// Asked every few thousand ticks with the number of ticks spent since; false stops the search.
    pub budget: Option<&'a mut dyn FnMut(u64) -> bool>,
    /// Shown a partial assignment at every restart, at every `observe_interval`-th conflict and at some early ones, before it
    /// is undone (Zhang et al. 2020, Section 3.5). The assignment violates a clause if it is shown at a conflict.
    pub on_trail: Option<&'a mut dyn FnMut(&Assignment<'_>)>,
}

impl Solver {
    /// Searches for a model of the clauses in which all assumptions hold.
    pub fn solve(&mut self, assumptions: &[Lit]) -> SatAnswer {
        self.solve_with(assumptions, Hooks::default())
    }

    /// Like `solve`, with a theory, a budget and an observer.
    pub fn solve_with(&mut self, assumptions: &[Lit], mut hooks: Hooks<'_>) -> SatAnswer {
        self.begin(assumptions);
        let outcome = self.search(&mut hooks);
        self.finish(&mut hooks);
        outcome
    }

    fn search(&mut self, hooks: &mut Hooks<'_>) -> SatAnswer {
        loop {
            let conflict = self.propagate_all(hooks);
            if self.unsat {
                return SatAnswer::Unsat;
            }
            if let Some(conflict) = conflict {
                self.handle(conflict, hooks);
            } else if let Some(stop) = self.exhausted(hooks) {
                return SatAnswer::Unknown(stop);
            } else if self.restarting() {
                self.show_trail(hooks);
                self.restart();
            } else if self.switching_mode() {
                self.switch_mode();
            } else if self.rephasing() {
                self.rephase();
            } else if self.reducing() {
                self.reduce();
            } else if self.inprocessing() {
                self.inprocess();
            } else {
                match self.decide(hooks) {
                    Decision::Made => {}
                    Decision::Failed => return SatAnswer::Unsat,
                    Decision::Complete => {
                        if self.accepted(hooks) {
                            self.save_model();
                            return SatAnswer::Sat;
                        }
                    }
                }
            }
        }
    }

    fn begin(&mut self, assumptions: &[Lit]) {
        self.counters.solves += 1;
        self.model.clear();
        self.failed.clear();
        self.reactivate(assumptions);
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        for lit in assumptions {
            self.status[lit.var().index()].frozen += 1;
        }
        if !self.unsat {
            self.collect_satisfied();
        }
        self.analysis.grow_levels(self.vars.len() + assumptions.len() + 2);
        self.schedule.budget_asked = self.total_ticks();
        self.schedule.conflicts_before = self.counters.conflicts;
    }

    fn finish(&mut self, hooks: &mut Hooks<'_>) {
        self.backtrack(0);
        self.release_theory(hooks);
        for i in 0..self.assumptions.len() {
            self.melt(self.assumptions[i].var());
        }
        self.assumptions.clear();
    }

    pub(super) fn handle(&mut self, conflict: Conflict, hooks: &mut Hooks<'_>) {
        if self.is_observed(self.counters.conflicts + 1 - self.schedule.conflicts_before) {
            self.show_trail(hooks);
        }
        self.learn(conflict, hooks);
    }

    /// Whether the trail at a conflict is shown: at every so manieth, and before that at the first, second, fourth ..., since most
    /// searches are over long before.
    fn is_observed(&self, conflict: u64) -> bool {
        let interval = self.options.observe_interval.max(1);
        conflict.is_multiple_of(interval) || conflict < interval && conflict.is_power_of_two()
    }

    fn show_trail(&mut self, hooks: &mut Hooks<'_>) {
        if let Some(on_trail) = hooks.on_trail.as_deref_mut() {
            let view = Assignment::new(self);
            if view.level() > 0 {
                on_trail(&view);
                self.counters.observed_trails += 1;
            }
        }
    }

    pub(super) fn total_ticks(&self) -> u64 {
        self.counters.search_ticks + self.counters.inprocess_ticks
    }

    fn exhausted(&mut self, hooks: &mut Hooks<'_>) -> Option<Stop> {
        if self.arena.words() > self.options.memory_limit {
            return Some(Stop::Memory);
        }
        let spent = self.total_ticks() - self.schedule.budget_asked;
        if spent >= BUDGET_STRIDE {
            self.schedule.budget_asked += spent;
            if let Some(budget) = hooks.budget.as_deref_mut()
                && !budget(spent)
            {
                return Some(Stop::Budget);
            }
        }
        None
    }
}
