//! The paper's phases, with its thresholds.

use crate::engine::{Budget, Engine, NoPartials, Query, Reason, Verdict};
use crate::ils::Classic;
use crate::ils::Counters;
use crate::ils::classic::{Run, bounds};
use smt::{Terms, read_script};
use std::time::Duration;

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

/// A variable inside of a shared term counts once for every place at which that term stands.
#[test]
fn variables_of_shared_terms_count_at_every_place() {
    with_run("(assert (let ((s (* x x))) (> (+ s s s) (+ y y y))))", |run| {
        let condition = &run.open[0];
        assert_eq!(run.terms.fun_name(condition.program.vars[condition.by_frequency[0]]), "x");
    });
}

/// What is solved by which step; nothing is tried a second time, whatever is left of the budget.
#[test]
fn a_path_condition_is_given_up_after_one_pass() {
    let rows = [
        ("(= (* x x) 4)", "solved-by-randomisation"),
        ("(= (* x x) 2)", "unsolvable"),
        // Three numbers close to each other and far from zero: rare among random points, ten big steps for all together.
        ("(and (<= (- 2) (- x y) 2) (<= (- 2) (- y z) 2) (> x 400))", "solved-by-strategy-1"),
        ("(and (<= (- 2) (- x y) 2) (<= (- 2) (- y z) 2) (< x (- 400)))", "solved-by-strategy-2"),
    ];
    for (condition, counter) in rows {
        let mut terms = Terms::new();
        let text =
            format!("(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert {condition})");
        let reading = read_script(&mut terms, &text);
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        let query = Query::new(reading.script.assertions().collect());
        let mut engine = Classic::new(3);
        let (mut budget, mut nobody) = (Budget::unlimited(), NoPartials);
        let joint = engine.solve_together(&terms, std::slice::from_ref(&query), &mut budget, &mut nobody);
        let unknown = matches!(joint.verdicts[..], [Verdict::Unknown(Reason::Incomplete)]);
        assert_eq!(unknown, counter == "unsolvable", "{condition}");
        let counted: Vec<&str> = engine.counters().into_iter().filter(|c| c.1 == 1).map(|c| c.0).collect();
        assert!(counted.contains(&counter), "{condition}: {:?}", engine.counters());
        assert_eq!(joint.ways, [Some(counter)], "{condition}");
    }
}

#[test]
fn a_path_condition_has_its_time_and_no_more() {
    let mut terms = Terms::new();
    let text = "(declare-const x Int)(declare-const y Int)(assert (= (* x x) 2))(assert (= (* x y) 6))";
    let conjuncts: Vec<_> = read_script(&mut terms, text).script.assertions().collect();
    let queries = [Query::new(vec![conjuncts[0]]), Query::new(vec![conjuncts[1]])];
    let mut engine = Classic::new(3).with_each_limit(Some(Duration::from_nanos(1)));
    let joint = engine.solve_together(&terms, &queries, &mut Budget::unlimited(), &mut NoPartials);
    assert_eq!(joint.ways[0], Some("out-of-time"));
    assert!(matches!(joint.verdicts[0], Verdict::Unknown(Reason::Time)));
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
