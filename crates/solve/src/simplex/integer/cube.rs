//! The cube test (Bromberger and Weidenbach, "Fast Cube Tests for LIA Constraint Solving"): if a
//! unit cube fits into the solutions, rounding its centre gives an integer solution.
//!
//! Constraints are shrunk by half the sum of their coefficients, the rational system is solved, and the
//! result is rounded and checked; whatever happens, the bounds are as before afterwards.

use crate::simplex::Simplex;
use crate::simplex::bounds::{BoundKind, Reason, Why};
use crate::simplex::budget::Budget;
use crate::simplex::check::Check;
use crate::simplex::form::Var;
use crate::simplex::num::{Delta, Rational};
use crate::tuning::simplex_integer_cube::CUBE_TICKS;

impl Simplex {
    /// Tries to find an integer solution inside a cube.
    pub(super) fn try_cube(&mut self, budget: &mut Budget<'_>) -> bool {
        let Some(shrunk) = self.shrunk_bounds() else { return false };
        let level = self.level();
        self.push();
        // These reasons never leave this function: a conflict only says that no cube fits.
        let mut own = Budget::ticks(CUBE_TICKS);
        let fits = shrunk.into_iter().all(|(var, kind, value)| {
            self.set_exact_bound(var, kind, value, Why::Asserted(Reason(0))).is_ok()
        }) && matches!(self.check(&mut own, None), Check::Sat);
        budget.spend(own.spent());
        let centre: Option<Vec<Delta>> = fits.then(|| self.assignment.values().to_vec());
        self.pop_to(level);
        let Some(centre) = centre else { return false };
        let ints: Vec<bool> = self.vars.iter().map(|info| info.is_int).collect();
        self.try_assignment(|var| {
            let value = &centre[var.index()];
            if ints[var.index()] { Delta::from(value.real.round()) } else { value.clone() }
        })
    }

    /// The bounds that keep a cube around the assignment inside; `None` if an equation leaves no room.
    fn shrunk_bounds(&self) -> Option<Vec<(Var, BoundKind, Delta)>> {
        let half = Rational::new(1, 2)?;
        let mut shrunk = Vec::new();
        for var in self.vars() {
            let mut margin = Rational::ZERO;
            if let Some(definition) = self.definition(var) {
                for (term, coeff) in definition.terms() {
                    if self.is_int(*term) {
                        margin += &(&coeff.abs() * &half);
                    }
                }
            }
            if margin.is_zero() {
                continue;
            }
            let margin = Delta::from(margin);
            let lower = self.bounds.value(var, BoundKind::Lower).map(|bound| bound + &margin);
            let upper = self.bounds.value(var, BoundKind::Upper).map(|bound| bound - &margin);
            if let (Some(lower), Some(upper)) = (&lower, &upper)
                && lower > upper
            {
                return None;
            }
            shrunk.extend(lower.map(|value| (var, BoundKind::Lower, value)));
            shrunk.extend(upper.map(|value| (var, BoundKind::Upper, value)));
        }
        Some(shrunk)
    }
}
