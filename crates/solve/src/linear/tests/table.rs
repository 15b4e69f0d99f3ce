//! Small scripts with their status, and the engine's manners: determinism, budgets, refusals.

use super::{read, solve, solve_shown, status};
use crate::engine::{Budget, Engine, NoPartials, Partial, Query, Reason, Verdict};
use crate::linear::Linear;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

static SCRIPTS: &[(&str, &str)] = &[
    ("sat", ""),
    ("unsat", "(assert false)"),
    ("unsat", "(declare-const x Int)(assert (< 0 x 1))"),
    ("sat", "(declare-const x Real)(assert (< 0.0 x 1.0))"),
    ("unsat", "(declare-const x Int)(declare-const y Int)(assert (= (+ (* 2 x) (* 4 y)) 7))"),
    ("unsat", "(declare-const x Int)(declare-const y Int)(assert (< 0 (- (* 3 x) (* 3 y)) 3))"),
    ("sat", "(declare-const x Int)(declare-const y Int)(assert (= (+ (* 17 x) (* 23 y)) 1))"),
    ("unsat", "(declare-const x Int)(assert (distinct x 0 1 2))(assert (<= 0 x 2))"),
    ("sat", "(declare-const x Int)(assert (distinct x 0 1 2))(assert (<= 0 x 3))"),
    ("unsat", "(declare-const x Int)(assert (= (div x 3) 2))(assert (= (mod x 3) 0))(assert (distinct x 6))"),
    ("sat", "(declare-const x Int)(assert (= (div x (- 3)) 2))(assert (= (mod x (- 3)) 2))"),
    ("unsat", "(declare-const a Real)(assert (is_int a))(assert (< 0.25 a 0.75))"),
    ("sat", "(declare-const a Real)(assert (= (to_int a) (- 3)))(assert (not (is_int a)))"),
    ("unsat", "(declare-const a Real)(assert (< (to_int a) 2))(assert (>= a 2.0))"),
    ("unsat", "(declare-const x Int)(assert ((_ divisible 6) x))(assert (not ((_ divisible 3) x)))"),
    ("unsat", "(declare-const x Int)(assert (< (abs x) 0))"),
    ("unsat", "(declare-const p Bool)(declare-const x Int)(assert (= x (ite p 1 3)))(assert (= x 2))"),
    ("unsat", "(declare-sort U 0)(declare-const a U)(declare-const b U)(declare-fun f (U) U)
        (assert (= a b))(assert (distinct (f a) (f b)))"),
    ("sat", "(declare-sort U 0)(declare-const a U)(declare-const b U)(declare-fun f (U) U)
        (assert (distinct a b (f a) (f b)))(declare-fun q (U Bool) Bool)(assert (q a (q b true)))
        (assert (not (q a false)))"),
    // Choices between constants, compared with constants, with each other, and as arguments.
    ("unsat", "(declare-const p Bool)(declare-const q Bool)
        (assert (= 5 (+ (ite p (ite q 1 2) 3) 1)))"),
    ("sat", "(declare-const p Bool)(declare-const q Bool)(define-fun v () Int (ite p (ite q 1 2) 3))
        (assert (< 1 v 3))(assert (= (* (- 2) v) (- 4)))"),
    ("unsat", "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)
        (define-fun v () Int (ite p (ite q 1 2) 3))(define-fun w () Int (+ (ite q v 7) (- 1)))
        (assert (= x (+ v w)))(assert (> v 2))(assert (not (or (= x 5) (= x 9))))"),
    ("sat", "(declare-const p Bool)(declare-fun f (Int) Int)(assert (= (f (ite p 1 2)) 3))(assert (= (f 1) 4))"),
    // Products are unknowns: refutations hold, models have to be confirmed.
    ("unsat", "(declare-const x Int)(declare-const y Int)(assert (> (* x y) 0))(assert (< (* y x) 0))"),
    ("sat", "(declare-const x Int)(declare-const y Int)(assert (>= (* x y) 0))(assert (= x y 0))"),
    ("unknown", "(declare-const x Int)(assert (= (* x x) 2))"),
    ("unknown", "(declare-const x Int)(assert (= (div x 0) 2))"),
    // A cut or a branch is needed, and the relaxation is unbounded.
    ("unsat", "(declare-const x Int)(declare-const y Int)(declare-const z Int)
        (assert (= (+ (* 4 x) (* 6 y)) (+ 1 (* 10 z))))"),
    ("unsat", "(declare-const x Int)(declare-const y Int)
        (assert (<= 1 (- (* 3 x) (* 2 y))))(assert (<= (- (* 3 x) (* 2 y)) 1))(assert (<= 0 y 1))(assert (< x 1))"),
];

#[test]
fn scripts_have_their_status() {
    for (expected, source) in SCRIPTS {
        let verdict = solve(source);
        assert_eq!(status(&verdict), *expected, "{source}: {verdict:?}");
    }
}

#[test]
fn other_theories_are_refused() {
    for source in [
        "(declare-const a (Array Int Int))(assert (= (select a 1) 2))",
        "(declare-const b (_ BitVec 8))(assert (= b #x00))",
        "(assert (forall ((x Int)) (> x 0)))",
        "(declare-const s String)(assert (= (str.len s) 2))",
    ] {
        assert!(matches!(solve(source), Verdict::Unknown(Reason::Unsupported)), "{source}");
    }
}

/// Pigeons in holes, by integers: hard enough to need conflicts.
fn pigeons(pigeons: usize) -> String {
    let names: Vec<String> = (0..pigeons).map(|i| format!("x{i}")).collect();
    let mut out: String = names.iter().map(|name| format!("(declare-const {name} Int)")).collect();
    for name in &names {
        out += &format!("(assert (<= 1 {name} {}))", pigeons - 1);
    }
    out + &format!("(assert (distinct {}))", names.join(" "))
}

#[test]
fn pigeons_do_not_fit() {
    let (verdict, counters, shown) = solve_shown(&pigeons(5));
    assert_eq!(status(&verdict), "unsat");
    assert!(shown.len() > 10, "{} partial solutions", shown.len());
    for (i, partial) in shown.iter().enumerate() {
        assert!(shown[..i].iter().all(|other| other.values != partial.values), "repetition");
    }
    let again = solve_shown(&pigeons(5));
    assert_eq!((counters, shown), (again.1, again.2), "the same run twice");
}

#[test]
fn budgets_end_the_search() {
    let (mut terms, query) = read(&pigeons(11));
    let mut solve =
        |mut budget: Budget| match Linear::new(0).solve(&mut terms, &query, &mut budget, &mut NoPartials) {
            Verdict::Unknown(reason) => reason,
            verdict => panic!("{verdict:?}"),
        };
    assert_eq!(solve(Budget::unlimited().slice(20_000)), Reason::Time);
    assert_eq!(solve(Budget::seconds(std::time::Duration::ZERO)), Reason::Time);
    let stop = Arc::new(AtomicBool::new(true));
    assert_eq!(solve(Budget::unlimited().with_stop(stop)), Reason::Interrupted);
}

/// Equations that are solved before the search: chains, cycles, fractions, unknowns that are gone before a later equation is read.
static EQUATIONS: &[(&str, &str)] = &[
    ("unsat", "(assert (= y (+ x 1)))(assert (= z (+ y 1)))(assert (= x (+ z 1)))"),
    ("sat", "(assert (= z (+ y 1)))(assert (= y (+ x 1)))(assert (= u (- z x)))(assert (= u 2))"),
    ("unsat", "(assert (= z (+ y 1)))(assert (= y (+ x 1)))(assert (= u (- z x)))(assert (distinct u 2))"),
    ("unsat", "(assert (= x (* 2 y)))(assert (= x (+ (* 2 z) 1)))"),
    ("sat", "(assert (= (* 2 x) (* 3 y)))(assert (= z (- x y)))(assert (= z 4))"),
    ("unsat", "(assert (= (* 2 x) (* 3 y)))(assert (= z (- x y)))(assert (= z 4))(assert (distinct y 8))"),
    ("unsat", "(assert (= a (/ b 3.0)))(assert (= b (to_real x)))(assert (= a 0.5))"),
    ("sat", "(assert (= a (/ b 4.0)))(assert (= b (to_real x)))(assert (= a 0.5))"),
    ("unsat", "(assert (= b (* 2.0 a)))(assert (= b (to_real x)))(assert (= a 0.75))"),
    ("unsat", "(assert (= (to_real x) 0.5))"),
    ("sat", "(assert (= x (ite p y z)))(assert (= y 1))(assert (= z 2))(assert (> x y))"),
    ("unsat", "(assert (= x (+ y z u)))(assert (= y (- z)))(assert (= u (mod x 3)))(assert (> x 2))"),
    ("unsat", "(assert (= x x))(assert (= y (+ y 0)))(assert (= z (+ z 1)))"),
];

#[test]
fn solved_equations_keep_models_and_cores() {
    let declared = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-const u Int)
        (declare-const a Real)(declare-const b Real)(declare-const p Bool)";
    for (expected, source) in EQUATIONS {
        let (mut terms, query) = read(&format!("{declared}{source}"));
        let verdict = Linear::new(0).solve(&mut terms, &query, &mut Budget::unlimited(), &mut NoPartials);
        assert_eq!(status(&verdict), *expected, "{source}: {verdict:?}");
        let Verdict::Unsat(core) = verdict else { continue };
        let rest = Query::new(core.iter().map(|&at| query.assertions[at]).collect());
        // Partial solutions are wanted: nothing is solved first.
        let again = Linear::new(0).solve(&mut terms, &rest, &mut Budget::unlimited(), &mut |_: Partial| {});
        assert_eq!(status(&again), "unsat", "{source}: core {core:?}");
    }
}

#[test]
fn the_core_of_a_long_chain_is_the_part_that_matters() {
    let mut source = String::from("(declare-const x0 Int)");
    for i in 1..=3000 {
        source += &format!("(declare-const x{i} Int)(assert (= x{i} (+ x{} 1)))", i - 1);
    }
    let (mut terms, query) = read(&format!("{source}(assert (> x1000 (+ x0 1000)))"));
    let verdict = Linear::new(0).solve(&mut terms, &query, &mut Budget::unlimited(), &mut NoPartials);
    let Verdict::Unsat(core) = verdict else { panic!("{verdict:?}") };
    assert_eq!(core, (0..1000).chain([3000]).collect::<Vec<_>>());
}
