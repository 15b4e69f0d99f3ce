//! Extreme values of a variable or form over the rational relaxation.
//!
//! Starting from a feasible assignment, the primal simplex walks along improving columns; the ratio
//! test keeps all bounds. Bland's rule in both choices prevents cycles.

use super::Simplex;
use super::bounds::BoundKind;
use super::budget::Budget;
use super::check::{Check, Conflict};
use super::form::Var;
use super::num::Delta;

/// Which way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// Towards greater values.
    Maximise,
    /// Towards smaller values.
    Minimise,
}

/// The answer of [`Simplex::optimise`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The extreme value, taken by the current assignment.
    Optimal(Delta),
    /// There are feasible assignments with values as extreme as one likes.
    Unbounded,
    /// The bounds contradict each other.
    Conflict(Conflict),
    /// The budget ran out; the current assignment is feasible if the search got that far.
    Unknown,
}

impl Simplex {
    /// Moves to a feasible assignment with the extreme value of `objective`, integrality left aside.
    ///
    /// The objective may be the slack of any form (see [`Simplex::form_var`]).
    pub fn optimise(&mut self, objective: Var, direction: Sense, budget: &mut Budget<'_>) -> Extreme {
        self.wake(objective);
        match self.check(budget, None) {
            Check::Sat => {}
            Check::Conflict(conflict) => return Extreme::Conflict(conflict),
            Check::Unknown => return Extreme::Unknown,
        }
        // The objective moves away from the bound of the kind it would violate.
        let towards = match direction {
            Sense::Maximise => BoundKind::Lower,
            Sense::Minimise => BoundKind::Upper,
        };
        loop {
            if budget.exhausted() {
                return Extreme::Unknown;
            }
            let Some((entering, side)) = self.improving(objective, towards) else {
                return Extreme::Optimal(self.assignment.get(objective).clone());
            };
            let Some((step, leaving)) = self.ratio_test(entering, side) else {
                return Extreme::Unbounded;
            };
            let work = self.tableau.work;
            self.shift(entering, &step);
            if let Some(row) = leaving {
                self.pivot(row, entering);
            }
            self.assignment.commit();
            budget.spend(1 + self.tableau.work - work);
        }
    }

    /// The first non-basic variable that can move the objective, and the side it moves towards.
    fn improving(&self, objective: Var, towards: BoundKind) -> Option<(Var, BoundKind)> {
        let Some(row) = self.tableau.home(objective) else {
            let side = towards.opposite();
            return self.has_room(objective, side).then_some((objective, side));
        };
        self.tableau
            .row(row)
            .iter()
            .filter(|entry| entry.var != objective)
            .map(|entry| (entry.var, Self::blocking_side(towards, &entry.coeff)))
            .filter(|(var, side)| self.has_room(*var, *side))
            .min_by_key(|(var, _)| *var)
    }

    /// How far `entering` can move towards `side`, and the row that stops it (none: its own bound).
    /// `None` if nothing stops it.
    fn ratio_test(&self, entering: Var, side: BoundKind) -> Option<(Delta, Option<u32>)> {
        let own = self.bounds.value(entering, side).map(|limit| limit - self.assignment.get(entering));
        let mut best = own.map(|step| (step, None));
        for &at in self.tableau.column(entering) {
            let basic = self.tableau.basic(at.row);
            let coeff = self.tableau.coeff(at);
            let basic_side = if coeff.is_positive() { side } else { side.opposite() };
            let Some(limit) = self.bounds.value(basic, basic_side) else { continue };
            let step = (limit - self.assignment.get(basic)).div(coeff);
            let closer = match &best {
                None => true,
                Some((shortest, row)) => {
                    let (new, old) = match side {
                        BoundKind::Upper => (&step, shortest),
                        BoundKind::Lower => (shortest, &step),
                    };
                    // Ties go to the smallest basic variable, the entering variable's own bound first.
                    new < old || (new == old && row.is_some_and(|row| basic < self.tableau.basic(row)))
                }
            };
            if closer {
                best = Some((step, Some(at.row)));
            }
        }
        best
    }
}
