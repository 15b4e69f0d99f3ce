//! The paper's phases, with its thresholds.

use crate::engine::{Budget, NoPartials, Query, Verdict};
use crate::ils::Counters;
use crate::ils::classic::{Run, bounds};
use smt::{Terms, read_script};

/// Runs something on the path conditions that a script's conjuncts make up together.
fn with_run<T>(text: &str, f: impl FnOnce(&mut Run<'_>) -> T) -> T {
    let mut terms = Terms::new();
    let declared = format!("(declare-const x Int) (declare-const y Int) {text}");
    let reading = read_script(&mut terms, &declared);
    assert!(reading.errors.is_empty(), "{:?}", reading.errors);
    let queries = [Query::new(reading.script.assertions().collect())];
    let (mut counters, mut budget, mut nobody) = (Counters::default(), Budget::unlimited(), NoPartials);
    let mut run = Run::new(&terms, &queries, 5, &mut counters, &mut budget, &mut nobody);
    run.read();
    f(&mut run)
}

#[test]
fn bounds_grow_by_one_two_and_so_on_up_to_the_number_of_variables() {
    let begin: Vec<i64> = bounds(3).take(8).collect();
    assert_eq!(begin, [1, 3, 6, 7, 9, 12, 13, 15]);
    assert_eq!(bounds(1).take(4).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(bounds(1 << 30).take(10_000).all(|bound| bound <= 1 << 40));
}

#[test]
fn a_strategy_takes_ten_small_and_ten_big_steps_in_its_direction() {
    let solves = |condition: &str, sign: i64| {
        with_run(&format!("(assert {condition})"), |run| {
            let initial = vec![0; run.open[0].vars.len()];
            run.strategy(0, &initial, sign)
        })
    };
    let cases = [
        ("(= x 1)", true, false),
        ("(= x 10)", true, false),
        ("(= x 11)", false, false),
        ("(= x 100)", true, false),
        ("(= x 1000)", true, false),
        ("(= x 150)", false, false),
        ("(= x 1100)", false, false),
        ("(= x (- 10))", false, true),
        ("(= x (- 11))", false, false),
        ("(= x (- 1000))", false, true),
        // All variables together, from the initial point again.
        ("(and (= x 4) (= y 4))", true, false),
        ("(and (= x 4) (= y 5))", false, false),
        ("(and (= x (- 300)) (= y (- 300)))", false, true),
        ("(and (= x 4) (= y 0))", true, false),
    ];
    for (condition, first, second) in cases {
        assert_eq!(solves(condition, 1), first, "Strategy 1 on {condition}");
        assert_eq!(solves(condition, -1), second, "Strategy 2 on {condition}");
    }
}

#[test]
fn variables_come_by_frequency() {
    with_run("(assert (> (+ (* y 2) (* y y) x) 0))", |run| {
        let condition = &run.open[0];
        let names: Vec<&str> =
            condition.by_frequency.iter().map(|&v| run.terms.fun_name(condition.program.vars[v])).collect();
        assert_eq!(names, ["y", "x"]);
    });
}

#[test]
fn points_that_failed_are_tabu_for_their_path_condition() {
    with_run("(assert (= (* x x) 2))", |run| {
        for value in -1..=1 {
            assert!(!run.solves(0, &[value]));
            assert!(run.open[0].is_tabu(&[value]));
        }
        let fresh = run.fresh_point(0);
        assert!(fresh[0].abs() > 1, "all of [-1, 1] is tabu, so the bounds grow: {fresh:?}");
    });
}

#[test]
fn randomisation_alone_solves_what_small_numbers_solve() {
    with_run("(assert (= (* x y) 6)) (assert (> x y))", |run| {
        run.randomise();
        assert!(matches!(run.verdicts[0], Some(Verdict::Sat(_))) && run.open.is_empty());
        assert_eq!(run.counters.moves, 0, "the Improvement phase did not run");
    });
}
