//! Systems of linear equations over the integers.
//!
//! Elimination in the manner of Griggio ("A Practical Approach to Satisfiability Modulo Linear Integer
//! Arithmetic", Section 3): an equation with a unit coefficient eliminates that variable; otherwise a
//! change of variables makes its coefficients smaller. Changes of variables are unimodular, so an
//! equation whose coefficients share a divisor that its constant lacks refutes the system, and the
//! multipliers tracked along the way name the equations involved and give the cut from this proof
//! (Dillig, Dillig and Aiken, "Cuts from Proofs").

use crate::tuning::simplex_integer_diophantine::MAX_STEPS;
use std::collections::BTreeMap;

use crate::simplex::num::Rational;

/// `sum of terms = constant` over integer variables, with integer coefficients.
#[derive(Clone, Debug, Default)]
pub(super) struct Equation {
    pub(super) terms: BTreeMap<u32, Rational>,
    pub(super) constant: Rational,
}

/// The result of solving a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Solved {
    /// There are integer solutions.
    Solvable,
    /// The sum of the equations with these multipliers has integer coefficients and a fractional
    /// constant.
    Refuted(Vec<(usize, Rational)>),
    /// Too costly.
    GaveUp,
}

/// An equation and the multipliers of the given equations of which it is the sum.
#[derive(Clone, Debug)]
struct Tracked {
    equation: Equation,
    multipliers: BTreeMap<usize, Rational>,
}

/// Decides a system in which variables are numbered below `vars`.
pub(super) fn solve(equations: Vec<Equation>, vars: u32) -> Solved {
    let mut next_var = vars;
    let mut steps = 0;
    let mut open: Vec<Tracked> = equations
        .into_iter()
        .enumerate()
        .map(|(index, equation)| Tracked { equation, multipliers: BTreeMap::from([(index, Rational::ONE)]) })
        .collect();
    while let Some(at) = shortest(&open) {
        let mut pivot = open.swap_remove(at);
        // The pivot stays until it has a unit coefficient: each change of variables at least halves
        // its smallest one.
        loop {
            match pivot.normalise() {
                Content::Trivial => break,
                Content::NoIntegers => return Solved::Refuted(pivot.multipliers.into_iter().collect()),
                Content::Coprime => {}
            }
            let Some((var, coeff)) = pivot.smallest() else { break };
            if steps > MAX_STEPS {
                return Solved::GaveUp;
            }
            if coeff.abs().is_one() {
                for other in open.iter_mut() {
                    if let Some(factor) = other.equation.terms.get(&var) {
                        let factor = -(factor / &coeff);
                        steps += other.add_multiple(&factor, &pivot);
                    }
                }
                break;
            }
            // var = fresh - sum of quotients: coefficients of the pivot become remainders.
            let fresh = next_var;
            next_var += 1;
            let mut change = BTreeMap::from([(fresh, Rational::ONE)]);
            for (other, c) in pivot.equation.terms.iter().filter(|(other, _)| **other != var) {
                change.insert(*other, -(c / &coeff).round());
            }
            for equation in open.iter_mut().chain([&mut pivot]) {
                steps += equation.equation.substitute(var, &change);
            }
        }
    }
    Solved::Solvable
}

/// The equation with the fewest terms.
fn shortest(open: &[Tracked]) -> Option<usize> {
    (0..open.len()).min_by_key(|&index| open[index].equation.terms.len())
}

/// What the common divisor of an equation says.
enum Content {
    Trivial,
    Coprime,
    NoIntegers,
}

impl Equation {
    fn add(terms: &mut BTreeMap<u32, Rational>, var: u32, coeff: Rational) {
        let sum = terms.entry(var).or_default();
        *sum += &coeff;
        if sum.is_zero() {
            terms.remove(&var);
        }
    }

    /// Replaces `var` by a combination of other variables; the number of terms touched.
    fn substitute(&mut self, var: u32, by: &BTreeMap<u32, Rational>) -> usize {
        let Some(coeff) = self.terms.remove(&var) else { return 1 };
        for (other, c) in by.iter().filter(|(_, c)| !c.is_zero()) {
            Self::add(&mut self.terms, *other, c * &coeff);
        }
        by.len()
    }
}

impl Tracked {
    /// Divides by the common divisor of the coefficients.
    fn normalise(&mut self) -> Content {
        let mut divisor = Rational::ZERO;
        for coeff in self.equation.terms.values() {
            divisor = divisor.gcd(coeff);
        }
        if divisor.is_zero() {
            // `0 = constant` contradicts the rational relaxation, which is not decided here.
            return Content::Trivial;
        }
        if !divisor.is_one() {
            for coeff in self.equation.terms.values_mut() {
                *coeff = &*coeff / &divisor;
            }
            self.equation.constant = &self.equation.constant / &divisor;
            for multiplier in self.multipliers.values_mut() {
                *multiplier = &*multiplier / &divisor;
            }
        }
        if self.equation.constant.is_int() { Content::Coprime } else { Content::NoIntegers }
    }

    /// The term with the smallest coefficient.
    fn smallest(&self) -> Option<(u32, Rational)> {
        let (var, coeff) = self.equation.terms.iter().min_by_key(|(_, coeff)| coeff.abs())?;
        Some((*var, coeff.clone()))
    }

    /// `self += factor * other`; the number of terms touched.
    fn add_multiple(&mut self, factor: &Rational, other: &Self) -> usize {
        for (var, coeff) in &other.equation.terms {
            Equation::add(&mut self.equation.terms, *var, coeff * factor);
        }
        self.equation.constant.add_mul(factor, &other.equation.constant);
        for (index, multiplier) in &other.multipliers {
            let sum = self.multipliers.entry(*index).or_default();
            sum.add_mul(factor, multiplier);
            if sum.is_zero() {
                self.multipliers.remove(index);
            }
        }
        other.equation.terms.len() + other.multipliers.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn equation(coeffs: &[i64], constant: i64) -> Equation {
        let terms = coeffs.iter().enumerate().filter(|(_, c)| **c != 0);
        Equation {
            terms: terms.map(|(v, c)| (v as u32, Rational::from(*c))).collect(),
            constant: Rational::from(constant),
        }
    }

    /// A refutation is checked by adding it up: integer coefficients, fractional constant.
    fn assert_refutes(equations: &[Equation], multipliers: &[(usize, Rational)]) {
        let mut terms: BTreeMap<u32, Rational> = BTreeMap::new();
        let mut constant = Rational::ZERO;
        for (index, multiplier) in multipliers {
            for (var, coeff) in &equations[*index].terms {
                terms.entry(*var).or_default().add_mul(multiplier, coeff);
            }
            constant.add_mul(multiplier, &equations[*index].constant);
        }
        assert!(terms.values().all(Rational::is_int), "{terms:?}");
        assert!(!constant.is_int(), "{constant}");
    }

    #[test]
    fn parity_is_refuted() {
        let system = [equation(&[2, -2], 1)];
        let Solved::Refuted(proof) = solve(system.to_vec(), 2) else { panic!("2x - 2y = 1 is solvable?") };
        assert_refutes(&system, &proof);
        // x + y = 2z, x - y = 2w + 1: only together.
        let system = [equation(&[1, 1, -2, 0], 0), equation(&[1, -1, 0, -2], 1)];
        let Solved::Refuted(proof) = solve(system.to_vec(), 4) else { panic!("parity is solvable?") };
        assert_eq!(proof.len(), 2);
        assert_refutes(&system, &proof);
    }

    proptest! {
        #[test]
        fn planted_solutions_are_never_refuted(
            rows in prop::collection::vec(prop::collection::vec(-9i64..=9, 4), 1..5),
            point in prop::collection::vec(-20i64..=20, 4),
        ) {
            let system: Vec<Equation> = rows
                .iter()
                .map(|row| equation(row, row.iter().zip(&point).map(|(a, x)| a * x).sum()))
                .collect();
            prop_assert_eq!(solve(system, 4), Solved::Solvable);
        }

        #[test]
        fn refutations_add_up(
            rows in prop::collection::vec((prop::collection::vec(-6i64..=6, 3), -9i64..=9), 1..4),
        ) {
            let system: Vec<Equation> = rows.iter().map(|(row, b)| equation(row, *b)).collect();
            if let Solved::Refuted(proof) = solve(system.clone(), 3) {
                assert_refutes(&system, &proof);
            }
        }
    }
}
