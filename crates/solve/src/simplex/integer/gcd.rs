//! The gcd test: a row of integers whose free part moves in steps that never meet its fixed part.

use crate::simplex::Simplex;
use crate::simplex::bounds::{BoundKind, Cause};
use crate::simplex::check::Conflict;
use crate::simplex::num::Rational;

impl Simplex {
    /// A conflict from one row, if any row has no integer solution.
    pub(super) fn gcd_conflict(&mut self) -> Option<Conflict> {
        let row = (0..self.tableau.row_count() as u32).find(|&row| self.row_misses_integers(row))?;
        let vars: Vec<_> = self.tableau.row(row).iter().map(|entry| entry.var).collect();
        let mut causes = Vec::new();
        for var in vars {
            if self.bounds.fixed(var).is_some() {
                causes.extend(
                    [BoundKind::Lower, BoundKind::Upper]
                        .into_iter()
                        .filter_map(|kind| self.bounds.id(var, kind).map(Cause::Bound)),
                );
            }
        }
        Some(self.conflict(causes, Vec::new()))
    }

    /// Is the fixed part of the row no multiple of the gcd of its free coefficients?
    fn row_misses_integers(&self, row: u32) -> bool {
        let basic = self.tableau.basic(row);
        // A row whose basic variable has an integer value shows an integer solution.
        if !self.is_int(basic) || self.assignment.get(basic).is_int() {
            return false;
        }
        let mut step = Rational::ZERO;
        let mut offset = Rational::ZERO;
        for entry in self.tableau.row(row) {
            if !self.is_int(entry.var) {
                return false;
            }
            match self.bounds.fixed(entry.var) {
                Some(value) => offset.add_mul(&entry.coeff, &value.real),
                None => step = step.gcd(&entry.coeff),
            }
        }
        !step.is_zero() && !(&offset / &step).is_int()
    }
}
