//! Patching: a fractional basic integer becomes integral when a non-basic variable of its row moves.
//!
//! A move is taken only if it keeps all bounds and spoils no other integer.

use crate::simplex::Simplex;
use crate::simplex::form::Var;
use crate::simplex::num::{Delta, Rational};
use crate::simplex::tableau::Entry;

impl Simplex {
    /// Tries to patch every fractional integer; says whether none is left.
    pub(super) fn patch(&mut self) -> bool {
        let fractional: Vec<Var> = self.fractional().collect();
        for var in fractional {
            self.patch_var(var);
        }
        let done = self.fractional().next().is_none();
        if done {
            self.assignment.commit();
        }
        done
    }

    fn patch_var(&mut self, var: Var) {
        let Some(row) = self.tableau.home(var) else { return };
        let value = self.assignment.get(var);
        if value.is_int() || !value.infinitesimal.is_zero() {
            return;
        }
        let found = self
            .tableau
            .row(row)
            .iter()
            .filter(|entry| entry.var != var)
            .flat_map(|entry| self.patch_steps(entry, &value.real).map(|step| (entry.var, step)))
            .find(|(moved, step)| self.move_is_harmless(*moved, step));
        if let Some((moved, step)) = found {
            self.shift(moved, &step);
        }
    }

    /// Steps of the entry's variable that make `value + coeff * step` an integer.
    fn patch_steps(&self, entry: &Entry, value: &Rational) -> impl Iterator<Item = Delta> + use<> {
        let steps = if self.is_int(entry.var) {
            integer_steps(&entry.coeff, value)
        } else {
            [value.floor(), value.ceil()].map(|target| Some(&(&target - value) / &entry.coeff))
        };
        steps.into_iter().flatten().map(Delta::from)
    }

    fn move_is_harmless(&self, var: Var, step: &Delta) -> bool {
        let stays = |var: Var, new: &Delta| {
            self.bounds.violation(var, new).is_none()
                && (!self.is_int(var) || new.is_int() || !self.assignment.get(var).is_int())
        };
        stays(var, &(self.assignment.get(var) + step))
            && self.tableau.column(var).iter().all(|&at| {
                let basic = self.tableau.basic(at.row);
                let mut new = self.assignment.get(basic).clone();
                new.add_mul(self.tableau.coeff(at), step);
                stays(basic, &new)
            })
    }

    /// Takes over an integral assignment of the original variables if it satisfies all bounds.
    pub(super) fn try_assignment(&mut self, original: impl Fn(Var) -> Delta) -> bool {
        let mut new = Vec::with_capacity(self.vars.len());
        for var in self.vars() {
            let value = match self.definition(var) {
                None => original(var),
                Some(definition) => {
                    let mut sum = Delta::ZERO;
                    for (term, coeff) in definition.terms() {
                        sum.add_mul(coeff, &new[term.index()]);
                    }
                    sum
                }
            };
            if self.bounds.violation(var, &value).is_some() {
                return false;
            }
            new.push(value);
        }
        for (var, value) in self.vars().zip(new) {
            if *self.assignment.get(var) != value {
                self.assignment.set(var, value);
            }
        }
        self.assignment.commit();
        true
    }

    /// Rounds the integers of the current assignment: to the closest, then towards their bounds.
    pub(super) fn try_rounding(&mut self) -> bool {
        let values: Vec<Delta> = self.assignment.values().to_vec();
        let round = |to: fn(&Rational) -> Rational, is_int: bool, value: &Delta| {
            if is_int { Delta::from(to(&value.real)) } else { value.clone() }
        };
        let ints: Vec<bool> = self.vars.iter().map(|info| info.is_int).collect();
        [Rational::round, Rational::floor, Rational::ceil]
            .into_iter()
            .any(|to| self.try_assignment(|var| round(to, ints[var.index()], &values[var.index()])))
    }
}

/// The smallest integer steps up and down with `value + coeff * step` an integer.
fn integer_steps(coeff: &Rational, value: &Rational) -> [Option<Rational>; 2] {
    let up = (|| {
        let modulus = coeff.denominator();
        let needed = -&(value * &modulus);
        let (p, q, r) = (coeff.numerator().to_i64()?, modulus.to_i64()?, needed.to_i64()?);
        let inverse = inverse_modulo(p.rem_euclid(q), q)?;
        let step = (i128::from(r.rem_euclid(q)) * i128::from(inverse)).rem_euclid(i128::from(q));
        i64::try_from(step).ok().map(|step| (step, q))
    })();
    match up {
        Some((step, q)) => [Some(Rational::from(step)), Some(Rational::from(step - q))],
        None => [None, None],
    }
}

/// The inverse of `a` modulo `m`, for coprime `0 <= a < m`.
fn inverse_modulo(a: i64, m: i64) -> Option<i64> {
    let (mut r0, mut r1) = (i128::from(m), i128::from(a));
    let (mut t0, mut t1) = (0i128, 1i128);
    while r1 != 0 {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (t0, t1) = (t1, t0 - quotient * t1);
    }
    if r0 != 1 {
        return None;
    }
    i64::try_from(t0.rem_euclid(i128::from(m))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_steps_reach_integers() {
        for (p, q) in [(1, 2), (-1, 2), (2, 3), (5, 6), (-7, 10)] {
            let coeff = Rational::new(p, q).expect("not zero");
            for n in -15..15 {
                let value = Rational::new(n, q).expect("not zero");
                let steps = integer_steps(&coeff, &value);
                for step in steps.iter().flatten() {
                    let mut moved = value.clone();
                    moved.add_mul(&coeff, step);
                    assert!(moved.is_int(), "{value} + {coeff} * {step}");
                    assert!(step.is_int() && step.abs() <= Rational::from(q));
                }
                assert!(steps[0].is_some());
            }
        }
        let half = Rational::new(1, 2).expect("not zero");
        assert_eq!(integer_steps(&Rational::ONE, &half), [None, None]);
    }
}
