//! The final check: feasibility, then integrality, then disequalities.
//!
//! What one assignment cannot settle is handed back as a request: a [`Split`] to case on, or a
//! [`Cut`] to add. The caller turns them into lemmas of its search.

use super::bounds::{BoundKind, Cause, Reason, Why};
use super::budget::Budget;
use super::check::{Check, Conflict};
use super::form::Var;
use super::integer::Integrality;
use super::num::Delta;
use super::partial::PartialSink;
use super::{Disequality, Simplex};
use crate::tuning::simplex_final_check::MAX_TIGHTENINGS;

/// The answer of [`Simplex::final_check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Final {
    /// The current assignment satisfies everything.
    Sat,
    /// The constraints contradict each other.
    Conflict(Conflict),
    /// Decide between two cases.
    Split(Split),
    /// Add an implied bound that excludes the current assignment.
    Cut(Cut),
    /// The budget or the limit on splits ran out.
    Unknown,
}

/// The lemma `premise -> var <= at_most or var >= at_least`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The variable, possibly the slack of a new form.
    pub var: Var,
    /// The bound of the first case.
    pub at_most: Delta,
    /// The bound of the second case.
    pub at_least: Delta,
    /// The disequality behind the split; a split for integrality holds by itself.
    pub premise: Option<Reason>,
}

/// The lemma `premises -> var kind value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The variable, usually the slack of a new form.
    pub var: Var,
    /// The side.
    pub kind: BoundKind,
    /// The bound.
    pub value: Delta,
    /// The constraints that imply it.
    pub premises: Vec<Reason>,
}

/// What the disequalities say about a feasible assignment.
enum Disequal {
    Satisfied,
    BoundsMoved,
    Answer(Final),
}

impl Simplex {
    /// Decides the asserted constraints completely, or asks for help.
    pub fn final_check(&mut self, budget: &mut Budget<'_>, mut sink: Option<&mut PartialSink<'_>>) -> Final {
        let mut tightenings = 0;
        loop {
            match self.check(budget, sink.as_deref_mut()) {
                Check::Sat => {}
                Check::Conflict(conflict) => return Final::Conflict(conflict),
                Check::Unknown => return Final::Unknown,
            }
            if self.settle_non_basic() {
                continue;
            }
            match self.check_integers(budget, &mut sink, tightenings < MAX_TIGHTENINGS) {
                Integrality::Integral => {}
                Integrality::BoundsMoved => {
                    tightenings += 1;
                    continue;
                }
                Integrality::Answer(answer) => return answer,
            }
            match self.check_disequalities() {
                Disequal::Satisfied => return Final::Sat,
                Disequal::BoundsMoved => {}
                Disequal::Answer(answer) => return answer,
            }
        }
    }

    fn check_disequalities(&mut self) -> Disequal {
        for index in 0..self.disequalities.len() {
            let Disequality { var, value, reason } = self.disequalities[index].clone();
            let value = Delta::from(value);
            if *self.assignment.get(var) != value {
                continue;
            }
            let at_most = self.complement(var, BoundKind::Lower, &value).1;
            let at_least = self.complement(var, BoundKind::Upper, &value).1;
            // A bound at the excluded value steps over it; no case split is needed.
            for (kind, next) in [(BoundKind::Lower, &at_least), (BoundKind::Upper, &at_most)] {
                if let Some(id) = self.bounds.id(var, kind)
                    && self.bounds.record(id).value == value
                {
                    let causes = self.bounds.causes([Cause::Bound(id), Cause::Reason(reason)]);
                    return match self.set_bound(var, kind, next.clone(), Why::Derived(causes)) {
                        Ok(_) => Disequal::BoundsMoved,
                        Err(conflict) => Disequal::Answer(Final::Conflict(conflict)),
                    };
                }
            }
            let split = Split { var, at_most, at_least, premise: Some(reason) };
            return Disequal::Answer(Final::Split(split));
        }
        Disequal::Satisfied
    }
}
