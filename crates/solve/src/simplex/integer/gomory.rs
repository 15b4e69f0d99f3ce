//! Gomory mixed-integer cuts.
//!
//! A basic integer with a fractional value, in a row whose other variables all sit at bounds, cannot
//! be repaired without moving some of them by a computable amount: the cut is the bounds' own
//! consequence, so its premises are the reasons of those bounds.

use crate::simplex::Simplex;
use crate::simplex::bounds::{BoundKind, Cause};
use crate::simplex::final_check::{Cut, Final};
use crate::simplex::form::{LinearForm, Var};
use crate::simplex::num::{Delta, Rational};
use crate::tuning::simplex_integer_gomory::{MAX_COEFFICIENT, MAX_ROWS_TRIED};

/// The cut `form >= constant` and the bounds it stands on.
struct RawCut {
    form: LinearForm,
    constant: Rational,
    causes: Vec<Cause>,
}

impl Simplex {
    /// A cut from the first fractional row that yields a good one; a conflict if it has no variables.
    pub(super) fn gomory_cut(&mut self) -> Option<Final> {
        let candidates: Vec<Var> = self.fractional().take(MAX_ROWS_TRIED).collect();
        for var in candidates {
            let Some(raw) = self.raw_cut(var) else { continue };
            let Some((primitive, _)) = self.expand(&raw.form).primitive() else {
                // `0 >= constant` with a positive constant: the bounds alone exclude all integers.
                return Some(Final::Conflict(self.conflict(raw.causes, Vec::new())));
            };
            let small = |c: &Rational| c.to_i64().is_some_and(|c| c.abs() < MAX_COEFFICIENT);
            if !primitive.terms().iter().all(|(_, c)| small(c)) {
                continue;
            }
            let (slack, factor) = self.form_var(&raw.form)?;
            let kind = if factor.is_positive() { BoundKind::Lower } else { BoundKind::Upper };
            let value = self.tightened(slack, kind, &Delta::from(&raw.constant / &factor));
            if kind.admits(self.assignment.get(slack), &value) {
                continue;
            }
            self.stats.gomory_cuts += 1;
            let premises = self.bounds.explain(raw.causes);
            return Some(Final::Cut(Cut { var: slack, kind, value, premises }));
        }
        None
    }

    fn raw_cut(&self, basic: Var) -> Option<RawCut> {
        let row = self.tableau.home(basic)?;
        let value = self.assignment.get(basic);
        if !value.infinitesimal.is_zero() {
            return None;
        }
        let up = value.real.fract();
        let down = &Rational::ONE - &up;
        let mut constant = Rational::ONE;
        let mut terms = Vec::new();
        let mut causes = Vec::new();
        for entry in self.tableau.row(row).iter().filter(|entry| entry.var != basic) {
            // `distance`, the non-negative way from the bound, has coefficient `a` in the row.
            let kind = self.active_bound(entry.var)?;
            let id = self.bounds.id(entry.var, kind)?;
            let limit = &self.bounds.record(id).value;
            if !limit.infinitesimal.is_zero() {
                return None;
            }
            let a = if kind == BoundKind::Lower { entry.coeff.clone() } else { -&entry.coeff };
            let weight = if self.is_int(entry.var) {
                let f = a.fract();
                if f <= down { &f / &down } else { &(&Rational::ONE - &f) / &up }
            } else if a.is_positive() {
                &a / &down
            } else {
                -(&a / &up)
            };
            if weight.is_zero() {
                continue;
            }
            causes.push(Cause::Bound(id));
            let signed = if kind == BoundKind::Lower { weight } else { -weight };
            constant.add_mul(&signed, &limit.real);
            terms.push((entry.var, signed));
        }
        Some(RawCut { form: LinearForm::new(terms), constant, causes })
    }

    /// The bound at which a variable sits.
    pub(super) fn active_bound(&self, var: Var) -> Option<BoundKind> {
        let value = self.assignment.get(var);
        [BoundKind::Lower, BoundKind::Upper]
            .into_iter()
            .find(|&kind| self.bounds.value(var, kind) == Some(value))
    }
}
