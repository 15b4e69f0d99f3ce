//! Oracles that share nothing with the core but its numbers: Fourier-Motzkin elimination,
//! enumeration, and the addition of Farkas certificates.

use proptest::prelude::*;

use crate::simplex::num::Rational;
use crate::simplex::{BoundKind, Conjunction, FarkasTerm, LinearForm, Relation, Simplex, Var};

/// `coeffs · x relation constant`.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) coeffs: Vec<i64>,
    pub(super) relation: Relation,
    pub(super) constant: i64,
}

impl Row {
    pub(super) fn new(coeffs: &[i64], relation: Relation, constant: i64) -> Self {
        Self { coeffs: coeffs.to_vec(), relation, constant }
    }

    pub(super) fn form(&self, vars: &[Var]) -> LinearForm {
        LinearForm::new(vars.iter().zip(&self.coeffs).map(|(v, c)| (*v, Rational::from(*c))).collect())
    }

    pub(super) fn holds(&self, point: &[Rational]) -> bool {
        let mut sum = Rational::ZERO;
        for (x, c) in point.iter().zip(&self.coeffs) {
            sum.add_mul(x, &Rational::from(*c));
        }
        self.relation.holds(&sum, &Rational::from(self.constant))
    }
}

/// A system and which of its variables are integers.
#[derive(Clone, Debug)]
pub(super) struct System {
    pub(super) ints: Vec<bool>,
    pub(super) rows: Vec<Row>,
}

impl System {
    pub(super) fn conjunction(&self) -> Conjunction {
        let mut conjunction = Conjunction::new();
        let vars: Vec<Var> = self.ints.iter().map(|int| conjunction.add_var(*int)).collect();
        for row in &self.rows {
            conjunction.add(&row.form(&vars), row.relation, &Rational::from(row.constant));
        }
        conjunction
    }

    pub(super) fn satisfied_by(&self, point: &[Rational]) -> bool {
        self.rows.iter().all(|row| row.holds(point))
            && self.ints.iter().zip(point).all(|(int, x)| !int || x.is_int())
    }

    pub(super) fn subset(&self, rows: &[usize]) -> Self {
        Self { ints: self.ints.clone(), rows: rows.iter().map(|row| self.rows[*row].clone()).collect() }
    }
}

pub(super) fn relation() -> impl Strategy<Value = Relation> {
    prop_oneof![
        4 => Just(Relation::Le),
        2 => Just(Relation::Lt),
        4 => Just(Relation::Ge),
        2 => Just(Relation::Gt),
        2 => Just(Relation::Eq),
        1 => Just(Relation::Ne),
    ]
}

pub(super) fn row(vars: usize, coefficient: i64, constant: i64) -> impl Strategy<Value = Row> {
    let coeff = prop_oneof![2 => Just(0), 3 => -coefficient..=coefficient];
    (prop::collection::vec(coeff, vars), relation(), -constant..=constant)
        .prop_map(|(coeffs, relation, constant)| Row { coeffs, relation, constant })
}

pub(super) fn rows(vars: usize, count: usize) -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec(row(vars, 4, 6), 1..=count)
}

/// `coeffs · x <= constant`, or `<`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Inequality {
    coeffs: Vec<Rational>,
    constant: Rational,
    strict: bool,
}

/// Do the rows have a solution over the reals? Decided by eliminating one variable after the other.
pub(super) fn feasible_over_reals(rows: &[Row], vars: usize) -> bool {
    // Disequalities by cases.
    if let Some(at) = rows.iter().position(|row| row.relation == Relation::Ne) {
        return [Relation::Lt, Relation::Gt].into_iter().any(|relation| {
            let mut rows = rows.to_vec();
            rows[at].relation = relation;
            feasible_over_reals(&rows, vars)
        });
    }
    let mut system = Vec::new();
    for row in rows {
        let (up, down) = match row.relation {
            Relation::Le | Relation::Lt => (true, false),
            Relation::Ge | Relation::Gt => (false, true),
            Relation::Eq | Relation::Ne => (true, true),
        };
        let strict = matches!(row.relation, Relation::Lt | Relation::Gt);
        for sign in [up.then_some(1), down.then_some(-1)].into_iter().flatten() {
            system.push(Inequality {
                coeffs: row.coeffs.iter().map(|c| Rational::from(c * sign)).collect(),
                constant: Rational::from(row.constant * sign),
                strict,
            });
        }
    }
    for var in 0..vars {
        system = eliminate(system, var);
    }
    system.iter().all(|row| if row.strict { row.constant.is_positive() } else { !row.constant.is_negative() })
}

fn eliminate(system: Vec<Inequality>, var: usize) -> Vec<Inequality> {
    let (with, mut rest): (Vec<_>, Vec<_>) = system.into_iter().partition(|row| !row.coeffs[var].is_zero());
    let (uppers, lowers): (Vec<_>, Vec<_>) = with.iter().partition(|row| row.coeffs[var].is_positive());
    for upper in &uppers {
        for lower in &lowers {
            let (a, b) = (-&lower.coeffs[var], upper.coeffs[var].clone());
            let sum = |x: &Rational, y: &Rational| &(x * &a) + &(y * &b);
            rest.push(Inequality {
                coeffs: upper.coeffs.iter().zip(&lower.coeffs).map(|(x, y)| sum(x, y)).collect(),
                constant: sum(&upper.constant, &lower.constant),
                strict: upper.strict || lower.strict,
            });
        }
    }
    for row in &mut rest {
        let scale = row.coeffs.iter().fold(Rational::ZERO, |g, c| g.gcd(c));
        if !scale.is_zero() {
            row.coeffs.iter_mut().for_each(|c| *c = &*c / &scale);
            row.constant = &row.constant / &scale;
        }
    }
    rest.sort_unstable();
    rest.dedup();
    rest
}

/// A solution with the integers in `[-limit, limit]`, by enumeration; reals by elimination.
pub(super) fn feasible_in_box(system: &System, limit: i64) -> bool {
    let ints: Vec<usize> = (0..system.ints.len()).filter(|var| system.ints[*var]).collect();
    let mut point = vec![-limit; ints.len()];
    loop {
        let mut rows = system.rows.clone();
        for row in &mut rows {
            for (var, value) in ints.iter().zip(&point) {
                row.constant -= row.coeffs[*var] * value;
                row.coeffs[*var] = 0;
            }
        }
        if feasible_over_reals(&rows, system.ints.len()) {
            return true;
        }
        let Some(next) = point.iter().position(|value| *value < limit) else { return false };
        point[next] += 1;
        point[..next].fill(-limit);
    }
}

/// Adds up a certificate: all variables must cancel and the constants must contradict each other.
pub(super) fn refutes(core: &Simplex, certificate: &[FarkasTerm]) -> bool {
    let mut terms = Vec::new();
    let mut constant = crate::simplex::num::Delta::ZERO;
    for term in certificate {
        if !term.factor.is_positive() {
            return false;
        }
        // Everything as `<=`.
        let factor = if term.kind == BoundKind::Upper { term.factor.clone() } else { -&term.factor };
        constant.add_mul(&factor, &term.value);
        terms.push((term.var, factor));
    }
    let negative = constant < crate::simplex::num::Delta::ZERO;
    core.expand(&LinearForm::new(terms)).is_zero() && negative
}

#[test]
fn the_oracles_can_say_both() {
    let le = |coeffs: &[i64], constant| Row::new(coeffs, Relation::Le, constant);
    assert!(feasible_over_reals(&[le(&[1, 1], 2), le(&[-1, 0], -1), le(&[0, -1], -1)], 2));
    assert!(!feasible_over_reals(&[le(&[1, 1], 2), le(&[-1, 0], -1), le(&[0, -2], -3)], 2));
    let half = System { ints: vec![true, false], rows: vec![Row::new(&[2, 0], Relation::Eq, 1)] };
    assert!(!feasible_in_box(&half, 3));
    assert!(feasible_in_box(&System { ints: vec![false, true], ..half }, 3));
    let mut core = Simplex::new();
    let x = core.add_var(false);
    let term = |kind, value: i64| FarkasTerm { var: x, kind, value: value.into(), factor: Rational::ONE };
    assert!(refutes(&core, &[term(BoundKind::Lower, 2), term(BoundKind::Upper, 1)]));
    assert!(!refutes(&core, &[term(BoundKind::Lower, 1), term(BoundKind::Upper, 1)]));
    assert!(!refutes(&core, &[term(BoundKind::Lower, 2)]));
}
