//! The stand-alone solver against elimination and enumeration.

use proptest::prelude::*;

use super::oracle::{Row, System, feasible_in_box, feasible_over_reals, rows};
use crate::simplex::num::Rational;
use crate::simplex::{Budget, ConjunctionAnswer, Partial, Relation};

fn solve(system: &System) -> ConjunctionAnswer {
    system.conjunction().solve(&mut Budget::unlimited(), None)
}

/// Bounds all variables to `[-limit, limit]`.
fn boxed(mut rows: Vec<Row>, vars: usize, limit: i64) -> Vec<Row> {
    for var in 0..vars {
        let mut coeffs = vec![0; vars];
        coeffs[var] = 1;
        rows.push(Row::new(&coeffs, Relation::Le, limit));
        rows.push(Row::new(&coeffs, Relation::Ge, -limit));
    }
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn reals_agree_with_elimination(rows in rows(3, 7)) {
        let system = System { ints: vec![false; 3], rows };
        match solve(&system) {
            ConjunctionAnswer::Sat(model) => prop_assert!(system.satisfied_by(&model), "{model:?}"),
            ConjunctionAnswer::Unsat(core) => {
                prop_assert!(!feasible_over_reals(&system.subset(&core).rows, 3), "core {core:?}");
            }
            ConjunctionAnswer::Unknown => prop_assert!(false, "the reals are decidable"),
        }
    }

    #[test]
    fn boxed_integers_agree_with_enumeration(rows in rows(3, 6)) {
        let system = System { ints: vec![true; 3], rows: boxed(rows, 3, 3) };
        match solve(&system) {
            ConjunctionAnswer::Sat(model) => prop_assert!(system.satisfied_by(&model), "{model:?}"),
            ConjunctionAnswer::Unsat(core) => {
                // The core must contain the bounds it needs: enumerate a wider box than the bounds.
                prop_assert!(!feasible_in_box(&system.subset(&core), 5), "core {core:?}");
            }
            ConjunctionAnswer::Unknown => prop_assert!(false, "a box is decidable"),
        }
    }

    #[test]
    fn mixed_systems_agree_with_enumeration(rows in rows(3, 5)) {
        let system = System { ints: vec![true, false, true], rows: boxed(rows, 3, 3) };
        match solve(&system) {
            ConjunctionAnswer::Sat(model) => prop_assert!(system.satisfied_by(&model), "{model:?}"),
            ConjunctionAnswer::Unsat(core) => {
                prop_assert!(!feasible_in_box(&system.subset(&core), 5), "core {core:?}");
            }
            ConjunctionAnswer::Unknown => prop_assert!(false, "a box is decidable"),
        }
    }

    #[test]
    fn unbounded_integers_are_never_wrong(rows in rows(3, 5)) {
        let system = System { ints: vec![true; 3], rows };
        match solve(&system) {
            ConjunctionAnswer::Sat(model) => prop_assert!(system.satisfied_by(&model), "{model:?}"),
            ConjunctionAnswer::Unsat(core) => {
                prop_assert!(!feasible_in_box(&system.subset(&core), 5), "core {core:?}");
            }
            ConjunctionAnswer::Unknown => {}
        }
    }

    #[test]
    fn partial_solutions_change_nothing(rows in rows(3, 6)) {
        let system = System { ints: vec![true, true, false], rows: boxed(rows, 3, 4) };
        let mut shown: Vec<Vec<Rational>> = Vec::new();
        let mut sink = |partial: Partial<'_>| shown.push(partial.values.to_vec());
        let watched = system.conjunction().solve(&mut Budget::unlimited(), Some(&mut sink));
        prop_assert_eq!(watched, solve(&system));
        for values in &shown {
            prop_assert!(values[0].is_int() && values[1].is_int(), "integers are rounded");
        }
        let count = shown.len();
        shown.sort_unstable();
        shown.dedup();
        prop_assert_eq!(shown.len(), count, "each is shown once");
    }
}

#[test]
fn a_budget_ends_the_search() {
    let row = |coeffs: &[i64], relation, constant| Row::new(coeffs, relation, constant);
    let system = System {
        ints: vec![true; 3],
        rows: vec![
            row(&[1, 2, 3], Relation::Ge, 7),
            row(&[3, -1, 2], Relation::Le, 4),
            row(&[-1, 4, -5], Relation::Eq, 1),
        ],
    };
    let outcome = system.conjunction().solve(&mut Budget::ticks(1), None);
    assert_eq!(outcome, ConjunctionAnswer::Unknown);
    let mut asked = 0;
    let mut stop = || {
        asked += 1;
        true
    };
    let mut budget = Budget::unlimited().with_stop(&mut stop);
    assert_eq!(system.conjunction().solve(&mut budget, None), ConjunctionAnswer::Unknown);
    assert_eq!(asked, 1);
    assert!(matches!(solve(&system), ConjunctionAnswer::Sat(_)));
}

#[test]
fn huge_numbers_do_not_overflow() {
    // x = 9000000000000000000 * y, y = 9000000000000000000 * z, z >= 1, repeated.
    let big = 9_000_000_000_000_000_000;
    let mut rows = vec![Row::new(&[0, 0, 0, 1], Relation::Ge, 3)];
    for at in 0..3 {
        let mut coeffs = [0; 4];
        coeffs[at] = 1;
        coeffs[at + 1] = -big;
        rows.push(Row::new(&coeffs, Relation::Eq, 0));
    }
    let mut system = System { ints: vec![true; 4], rows };
    let ConjunctionAnswer::Sat(model) = solve(&system) else { panic!("satisfiable") };
    assert!(system.satisfied_by(&model));
    assert!(model[0].to_i64().is_none());
    system.rows.push(Row::new(&[1, 0, 0, 0], Relation::Lt, i64::MAX));
    assert_eq!(solve(&system), ConjunctionAnswer::Unsat(vec![0, 1, 2, 3, 4]));
}
