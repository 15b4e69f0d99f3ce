//! The motivating example of Zhang et al., "Multiplex Symbolic Execution" (Section 2, Figures 2, 3):
//! solving the path condition of p2 from the zero assignment passes through p4 and p3.

use crate::simplex::num::Rational;
use crate::simplex::{Budget, Conjunction, ConjunctionAnswer, LinearForm, Partial, Relation};

/// The program of Figure 2.
fn path(x: i64, y: i64) -> &'static str {
    if x + y >= 2 {
        if 2 * y - x >= 1 { if 2 * x - y >= 0 { "p2" } else { "p1" } } else { "p3" }
    } else {
        "p4"
    }
}

#[test]
fn one_solve_explores_three_paths() {
    let mut conjunction = Conjunction::new();
    let x = conjunction.add_var(true);
    let y = conjunction.add_var(true);
    for (a, b, constant) in [(1, 1, 2), (-1, 2, 1), (2, -1, 0)] {
        let form = LinearForm::new(vec![(x, Rational::from(a)), (y, Rational::from(b))]);
        conjunction.add(&form, Relation::Ge, &Rational::from(constant));
    }
    let point = |values: &[Rational]| -> (i64, i64) {
        (values[0].to_i64().expect("small"), values[1].to_i64().expect("small"))
    };
    let mut points = Vec::new();
    let mut sink = |partial: Partial<'_>| points.push(point(partial.values));
    let outcome = conjunction.solve(&mut Budget::unlimited(), Some(&mut sink));
    assert_eq!(points, [(0, 0), (2, 0)], "the assignments before the two pivots of Figure 3");
    let ConjunctionAnswer::Sat(model) = outcome else { panic!("the path is feasible") };
    points.push(point(&model));
    let paths: Vec<&str> = points.iter().map(|&(x, y)| path(x, y)).collect();
    assert_eq!(paths, ["p4", "p3", "p2"]);
    assert_eq!(points[2], (1, 1));
}
