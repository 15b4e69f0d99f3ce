//! A stand-alone solver for conjunctions of linear constraints: branch and bound over the core.
//!
//! Splits become decisions. A conflict takes back the latest decision in its explanation and asserts
//! the other case on the grounds of the rest, so decisions that took no part are skipped and the last
//! explanation is a core of the input.

use super::bounds::{BoundKind, Reason};
use super::budget::Budget;
use super::check::Conflict;
use super::constraint::{Constraint, Relation};
use super::final_check::{Final, Split};
use super::form::{LinearForm, Var};
use super::num::{Delta, Rational};
use super::partial::PartialSink;
use super::{Simplex, Stats};
use crate::tuning::simplex_conjunction::MAX_DEPTH;

/// The answer of [`Conjunction::solve`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConjunctionAnswer {
    /// A value for each variable, in the order of creation.
    Sat(Vec<Rational>),
    /// Indices of constraints that have no common solution.
    Unsat(Vec<usize>),
    /// The budget or the limits on branching ran out.
    Unknown,
}

/// A set of linear constraints over integer and real variables.
#[derive(Clone, Debug, Default)]
pub struct Conjunction {
    core: Simplex,
    vars: Vec<Var>,
    constraints: Vec<Constraint>,
}

/// The untried case of a split.
struct Decision {
    var: Var,
    kind: BoundKind,
    value: Delta,
    premise: Option<Reason>,
}

/// One search through the cases.
struct Search<'a> {
    core: &'a mut Simplex,
    decisions: Vec<Decision>,
    /// Reasons from here on are decisions.
    first_decision: u32,
    base_level: usize,
    /// Some case was given up, so the absence of solutions proves nothing.
    incomplete: bool,
}

impl Conjunction {
    /// No variables and no constraints.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new variable.
    pub fn add_var(&mut self, is_int: bool) -> Var {
        let var = self.core.add_var(is_int);
        self.vars.push(var);
        var
    }

    /// Adds `form relation constant` and returns its index.
    pub fn add(&mut self, form: &LinearForm, relation: Relation, constant: &Rational) -> usize {
        let constraint = self.core.constraint(form, relation, constant);
        self.constraints.push(constraint);
        self.constraints.len() - 1
    }

    /// Counters of the core.
    pub fn stats(&self) -> Stats {
        self.core.stats()
    }

    /// Decides the constraints, showing partial solutions on the way.
    pub fn solve(
        &mut self,
        budget: &mut Budget<'_>,
        sink: Option<&mut PartialSink<'_>>,
    ) -> ConjunctionAnswer {
        if sink.is_some() {
            self.core.watch_partials();
        }
        let base_level = self.core.level() + 1;
        self.core.push();
        let first_decision = u32::try_from(self.constraints.len()).unwrap_or(u32::MAX);
        let mut search = Search {
            core: &mut self.core,
            decisions: Vec::new(),
            first_decision,
            base_level,
            incomplete: false,
        };
        let outcome = search.run(&self.constraints, &self.vars, budget, sink);
        self.core.pop_to(base_level - 1);
        outcome
    }
}

impl Search<'_> {
    fn run(
        &mut self,
        constraints: &[Constraint],
        vars: &[Var],
        budget: &mut Budget<'_>,
        mut sink: Option<&mut PartialSink<'_>>,
    ) -> ConjunctionAnswer {
        for (constraint, reason) in constraints.iter().zip(0..) {
            if let Err(conflict) = self.core.assert_constraint(constraint, Reason(reason)) {
                return self.unsat(conflict.reasons);
            }
        }
        loop {
            let step = match self.core.final_check(budget, sink.as_deref_mut()) {
                Final::Sat => {
                    let model = self.core.model();
                    return ConjunctionAnswer::Sat(
                        vars.iter().map(|var| model[var.index()].clone()).collect(),
                    );
                }
                Final::Unknown => return ConjunctionAnswer::Unknown,
                Final::Conflict(conflict) => Err(conflict),
                Final::Split(split) => self.decide(split),
                Final::Cut(cut) => {
                    self.core.assert_implied(cut.var, cut.kind, cut.value.clone(), &cut.premises)
                }
            };
            if let Err(conflict) = step
                && let Err(core) = self.resolve(conflict)
            {
                return self.unsat(core);
            }
        }
    }

    /// Takes the case closer to the current value.
    fn decide(&mut self, split: Split) -> Result<(), Conflict> {
        let depth = self.decisions.len() as u32;
        if self.decisions.len() >= MAX_DEPTH {
            self.incomplete = true;
            let reasons = (0..depth).map(|d| Reason(self.first_decision + d)).collect();
            return Err(Conflict { reasons, farkas: Vec::new() });
        }
        let value = self.core.value(split.var);
        let up = &split.at_least - value < value - &split.at_most;
        let lower = (BoundKind::Lower, split.at_least);
        let upper = (BoundKind::Upper, split.at_most);
        let ((kind, value), other) = if up { (lower, upper) } else { (upper, lower) };
        self.core.push();
        self.decisions.push(Decision {
            var: split.var,
            kind: other.0,
            value: other.1,
            premise: split.premise,
        });
        self.core.assert_bound(split.var, kind, value, Reason(self.first_decision + depth))
    }

    /// Backtracks out of a conflict; the constraints in conflict if no decision is to blame.
    fn resolve(&mut self, conflict: Conflict) -> Result<(), Vec<Reason>> {
        let mut reasons = conflict.reasons;
        loop {
            // Reasons are sorted, so the latest decision is the last one.
            let Some(latest) = reasons.pop_if(|reason| reason.0 >= self.first_decision) else {
                return Err(reasons);
            };
            let depth = (latest.0 - self.first_decision) as usize;
            self.core.pop_to(self.base_level + depth);
            let decision = self.decisions.drain(depth..).next();
            let Some(Decision { var, kind, value, premise }) = decision else { return Err(reasons) };
            reasons.extend(premise);
            match self.core.assert_implied(var, kind, value, &reasons) {
                Ok(()) => return Ok(()),
                Err(next) => reasons = next.reasons,
            }
        }
    }

    fn unsat(&self, core: Vec<Reason>) -> ConjunctionAnswer {
        if self.incomplete {
            return ConjunctionAnswer::Unknown;
        }
        ConjunctionAnswer::Unsat(core.into_iter().map(|reason| reason.0 as usize).collect())
    }
}
