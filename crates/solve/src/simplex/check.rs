//! The search for a feasible assignment over the rationals, and its conflicts.
//!
//! Each round takes a basic variable outside its bounds, exchanges it with a non-basic variable of its
//! row that can make up for it, and sets it to the violated bound. A row in which nothing can move is
//! a conflict. The first rounds choose the shortest row and in it the variable with the shortest column
//! (Markowitz: the least fill-in); Bland's rule follows, which cannot cycle.

use super::Simplex;
use super::bounds::{BoundId, BoundKind, Cause, Reason};
use super::budget::Budget;
use super::differences::Settled;
use super::form::Var;
use super::num::{Delta, Rational};
use super::partial::PartialSink;
use crate::tuning::simplex_check::BLAND_THRESHOLD;

/// The answer of [`Simplex::check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// The current assignment satisfies all bounds.
    Sat,
    /// The bounds contradict each other.
    Conflict(Conflict),
    /// The budget ran out.
    Unknown,
}

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Constraints that together have no solution, sorted.
    pub reasons: Vec<Reason>,
    /// The bounds whose weighted sum is the contradiction `0 < 0`; empty where the argument needs
    /// integrality or a disequality.
    pub farkas: Vec<FarkasTerm>,
}

/// One bound in a linear refutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FarkasTerm {
    /// The bounded variable.
    pub var: Var,
    /// The side.
    pub kind: BoundKind,
    /// The value of the bound.
    pub value: Delta,
    /// The positive factor of the bound in the sum.
    pub factor: Rational,
}

impl Simplex {
    /// Looks for an assignment within all bounds, integrality and disequalities left aside.
    ///
    /// With a sink, each assignment from which the search moves on is shown (Zhang et al., Algorithm
    /// 2, line 9), repetitions excepted; [`Simplex::watch_partials`] must have been called before.
    pub fn check(&mut self, budget: &mut Budget<'_>, mut sink: Option<&mut PartialSink<'_>>) -> Check {
        self.stats.checks += 1;
        let mut pivots = 0;
        // Partial solutions are what pivots pass through.
        if self.is_graph() {
            match self.settle_differences(budget) {
                Settled::Feasible => self.show_partial(&mut sink),
                Settled::Conflict(conflict) => return Check::Conflict(conflict),
                Settled::Unknown => return Check::Unknown,
            }
        }
        while let Some((leaving, kind)) = self.next_violation(pivots >= BLAND_THRESHOLD) {
            self.show_partial(&mut sink);
            if budget.exhausted() {
                self.infeasible.push(leaving);
                return Check::Unknown;
            }
            let Some(entering) = self.select_entering(leaving, kind, pivots >= BLAND_THRESHOLD) else {
                self.infeasible.push(leaving);
                return Check::Conflict(self.row_conflict(leaving, kind));
            };
            let work = self.tableau.work;
            self.pivot_and_update(leaving, kind, entering);
            budget.spend(self.tableau.work - work);
            pivots += 1;
            if pivots == BLAND_THRESHOLD {
                // Bland's rule needs the least variable of all.
                self.infeasible.rekey();
            }
        }
        self.assignment.commit();
        self.fresh_slacks.clear();
        Check::Sat
    }

    /// Offers the current assignment to the sink.
    pub(super) fn show_partial(&mut self, sink: &mut Option<&mut PartialSink<'_>>) {
        let Some(sink) = sink else { return };
        if let Some(mut watch) = self.assignment.watch.take() {
            if let Some(partial) = watch.observe(self.assignment.values(), self.stats.pivots) {
                self.stats.partials += 1;
                sink(partial);
            }
            self.assignment.watch = Some(watch);
        }
    }

    /// The basic variable to move next among those outside their bounds, and the violated side.
    fn next_violation(&mut self, bland: bool) -> Option<(Var, BoundKind)> {
        let Self { infeasible, tableau, bounds, assignment, .. } = self;
        let var = infeasible.pop_min(|var| {
            let row = tableau.home(var)?;
            bounds.violation(var, assignment.get(var))?;
            Some(if bland { 0 } else { tableau.row(row).len() })
        })?;
        Some((var, bounds.violation(var, assignment.get(var))?))
    }

    /// The side on which a variable with this coefficient would have to have room to move the basic
    /// variable away from a violated bound of `kind`.
    #[inline]
    pub(super) fn blocking_side(kind: BoundKind, coeff: &Rational) -> BoundKind {
        if coeff.is_positive() == (kind == BoundKind::Lower) { BoundKind::Upper } else { BoundKind::Lower }
    }

    /// Can a non-basic variable move towards `side`?
    #[inline]
    pub(super) fn has_room(&self, var: Var, side: BoundKind) -> bool {
        self.bounds.value(var, side).is_none_or(|limit| self.assignment.get(var) != limit)
    }

    fn select_entering(&self, leaving: Var, kind: BoundKind, bland: bool) -> Option<Var> {
        let row = self.tableau.home(leaving)?;
        self.tableau
            .row(row)
            .iter()
            .filter(|entry| entry.var != leaving)
            .filter(|entry| self.has_room(entry.var, Self::blocking_side(kind, &entry.coeff)))
            .map(|entry| {
                let fill = if bland { 0 } else { self.tableau.column(entry.var).len() };
                (fill, entry.var)
            })
            .min()
            .map(|(_, var)| var)
    }

    /// Exchanges `leaving` and `entering` and moves `leaving` to its violated bound.
    fn pivot_and_update(&mut self, leaving: Var, kind: BoundKind, entering: Var) {
        let (Some(row), Some(limit)) = (self.tableau.home(leaving), self.bounds.value(leaving, kind)) else {
            return;
        };
        let Some(coeff) = self.tableau.row(row).iter().find(|entry| entry.var == entering) else { return };
        let step = (limit - self.assignment.get(leaving)).div(&coeff.coeff);
        self.shift(entering, &step);
        self.pivot(row, entering);
        self.respect_bounds(entering);
    }

    /// Exchanges the basic variable of `row` with `entering`.
    pub(super) fn pivot(&mut self, row: u32, entering: Var) {
        self.tableau.pivot(row, entering);
        self.stats.pivots += 1;
    }

    /// The conflict of a row whose basic variable cannot be moved to its bound.
    fn row_conflict(&mut self, basic: Var, kind: BoundKind) -> Conflict {
        let mut causes = Vec::new();
        let mut farkas = Vec::new();
        if let Some(row) = self.tableau.home(basic) {
            for entry in self.tableau.row(row) {
                let side = if entry.var == basic { kind } else { Self::blocking_side(kind, &entry.coeff) };
                if let Some(id) = self.bounds.id(entry.var, side) {
                    causes.push(Cause::Bound(id));
                    farkas.push(self.farkas_term(id, entry.coeff.abs()));
                }
            }
        }
        self.conflict(causes, farkas)
    }

    pub(super) fn farkas_term(&self, id: BoundId, factor: Rational) -> FarkasTerm {
        let bound = self.bounds.record(id);
        FarkasTerm { var: bound.var, kind: bound.kind, value: bound.value.clone(), factor }
    }

    /// A conflict that stands on `causes`.
    pub(super) fn conflict(
        &mut self,
        causes: impl IntoIterator<Item = Cause>,
        farkas: Vec<FarkasTerm>,
    ) -> Conflict {
        self.stats.conflicts += 1;
        Conflict { reasons: self.bounds.explain(causes), farkas }
    }
}
