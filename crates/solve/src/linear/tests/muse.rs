//! The motivating example of Zhang et al. 2020 (Section 2, Figures 2 and 3): solving the path condition of p2 from the zero
//! assignment passes through p4 and p3.

use super::solve_shown;
use crate::engine::Verdict;
use smt::Value;

const PATH_CONDITION: &str = "(declare-const x Int)(declare-const y Int)
    (assert (>= (+ x y) 2))(assert (>= (- (* 2 y) x) 1))(assert (>= (- (* 2 x) y) 0))";

/// The program of Figure 2.
fn path(x: i64, y: i64) -> &'static str {
    if x + y >= 2 {
        if 2 * y - x >= 1 { if 2 * x - y >= 0 { "p2" } else { "p1" } } else { "p3" }
    } else {
        "p4"
    }
}

fn small(value: &Value) -> i64 {
    i64::try_from(value.as_int().expect("an integer")).expect("small")
}

#[test]
fn one_solve_explores_three_paths() {
    let (verdict, counters, shown) = solve_shown(PATH_CONDITION);
    let mut paths: Vec<&str> =
        shown.iter().map(|partial| path(small(&partial.values[0].1), small(&partial.values[1].1))).collect();
    let Verdict::Sat(model) = verdict else { panic!("the path is feasible") };
    let point: Vec<i64> =
        model.functions().into_iter().filter_map(|fun| model.value(fun)).map(small).collect();
    paths.push(path(point[0], point[1]));
    assert_eq!(paths, ["p4", "p3", "p2"]);
    assert!(shown.iter().all(|partial| partial.engine == "simplex"));
    assert_eq!(counters[0], ("pivots", 2), "as in Figure 3");
}
