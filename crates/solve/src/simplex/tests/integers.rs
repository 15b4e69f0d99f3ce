//! Integer systems that branching alone does not decide, and the techniques that do.

use super::oracle::{Row, System};
use crate::simplex::num::Rational;
use crate::simplex::{Budget, ConjunctionAnswer, Relation, Stats};

fn run(ints: usize, rows: &[(&[i64], Relation, i64)]) -> (System, ConjunctionAnswer, Stats) {
    let rows = rows.iter().map(|(coeffs, relation, c)| Row::new(coeffs, *relation, *c)).collect();
    let system = System { ints: vec![true; ints], rows };
    let mut conjunction = system.conjunction();
    let outcome = conjunction.solve(&mut Budget::unlimited(), None);
    if let ConjunctionAnswer::Sat(model) = &outcome {
        assert!(system.satisfied_by(model), "{model:?}");
    }
    (system, outcome, conjunction.stats())
}

use Relation::{Eq, Ge, Gt, Le, Lt, Ne};

#[test]
fn parity_without_bounds_is_refuted() {
    let (_, outcome, stats) = run(2, &[(&[2, -2], Eq, 1)]);
    assert_eq!(outcome, ConjunctionAnswer::Unsat(vec![0]));
    assert_eq!(stats.branches, 0);
    // x + y = 2z and x - y = 2w + 1: even and odd at once.
    let (_, outcome, stats) = run(4, &[(&[1, 1, -2, 0], Eq, 0), (&[1, -1, 0, -2], Eq, 1)]);
    assert_eq!(outcome, ConjunctionAnswer::Unsat(vec![0, 1]));
    assert_eq!(stats.branches, 0);
}

#[test]
fn strips_between_integers_are_refuted() {
    let (_, outcome, _) = run(2, &[(&[3, -3], Gt, 0), (&[3, -3], Lt, 3)]);
    assert_eq!(outcome, ConjunctionAnswer::Unsat(vec![0, 1]));
    // 1 <= 3x - 3y + 6z <= 2
    let (_, outcome, _) = run(3, &[(&[3, -3, 6], Ge, 1), (&[3, -3, 6], Le, 2)]);
    assert_eq!(outcome, ConjunctionAnswer::Unsat(vec![0, 1]));
}

#[test]
fn equations_with_large_coefficients_are_solved() {
    // Frobenius: every integer is reachable when coefficients are coprime.
    let (_, outcome, _) = run(2, &[(&[37, -54], Eq, 1)]);
    assert!(matches!(outcome, ConjunctionAnswer::Sat(_)), "{outcome:?}");
    let (_, outcome, _) = run(3, &[(&[6, 10, 15], Eq, 1), (&[1, 1, 1], Ge, 0)]);
    assert!(matches!(outcome, ConjunctionAnswer::Sat(_)), "{outcome:?}");
}

#[test]
fn disequalities_exhaust_a_box() {
    let mut rows: Vec<(&[i64], Relation, i64)> = vec![(&[1], Ge, 0), (&[1], Le, 4)];
    rows.extend((0..5).map(|value| (&[1i64] as &[i64], Ne, value)));
    let (_, outcome, _) = run(1, &rows);
    assert_eq!(outcome, ConjunctionAnswer::Unsat((0..7).collect()));
    rows.pop();
    let (_, outcome, _) = run(1, &rows);
    assert_eq!(outcome, ConjunctionAnswer::Sat(vec![Rational::from(4)]));
}

#[test]
fn unbounded_divergence_ends() {
    // A thin wedge without integer points that is unbounded in both directions.
    let rows: &[(&[i64], Relation, i64)] =
        &[(&[5, -7, 0], Ge, 1), (&[5, -7, 0], Le, 1), (&[2, 0, -4], Eq, 1)];
    let (_, outcome, _) = run(3, rows);
    assert_eq!(outcome, ConjunctionAnswer::Unsat(vec![2]));
    let rows: &[(&[i64], Relation, i64)] =
        &[(&[3, -2, 0], Ge, 1), (&[3, -2, -6], Le, 1), (&[0, 0, 4], Le, 1), (&[1, 1, 1], Ge, 100)];
    let (_, outcome, _) = run(3, rows);
    assert!(
        !matches!(outcome, ConjunctionAnswer::Unsat(_)),
        "x = 67, y = 100, z = 0 is a solution: {outcome:?}"
    );
}
