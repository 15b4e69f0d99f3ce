//! Evaluations per second of the engine `ils`: one item is one conjunct whose cost is computed at one point.
//!
//! The queries have no model, so that the whole budget is spent. `linear` has short conjuncts over few variables each,
//! `products` goes beyond 64 bits at times, `remainders` is what programs make of hashes and calendars.

use divan::Bencher;
use divan::counter::ItemsCount;
use smt::{Terms, read_script};
use solve::engine::{Budget, Engine, NoPartials, Query};
use solve::ils::Ils;
use std::fmt::Write;

fn main() {
    divan::main();
}

/// A path condition over eight variables: comparisons of what `side` makes of three variables, and an equation without
/// solutions.
fn path(side: fn(usize, usize, usize) -> String) -> String {
    let mut text = String::new();
    for i in 0..8 {
        write!(text, "(declare-const x{i} Int)(assert (<= (- 2147483648) x{i} 2147483647))")
            .expect("strings take all text");
    }
    for i in 0..40 {
        let relation = ["<", ">=", "<="][i % 3];
        let (left, right) = (side(i % 8, (i + 3) % 8, i + 2), side((i + 1) % 8, (i + 6) % 8, i + 5));
        write!(text, "(assert ({relation} {left} {right}))").expect("strings take all text");
    }
    text.push_str("(assert (= (* x0 x0) (+ 2 (* 3 x1 x2))))");
    text
}

fn run(bencher: Bencher<'_, '_>, text: &str) {
    const TICKS: u64 = 2_000_000;
    let solve = || {
        let mut terms = Terms::new();
        let assertions = read_script(&mut terms, text).script.assertions().collect();
        let mut engine = Ils::new(0);
        let mut budget = Budget::unlimited().slice(TICKS);
        engine.solve(&mut terms, &Query { assertions }, &mut budget, &mut NoPartials);
        engine.counters()[0].1
    };
    let evaluations = solve();
    bencher.counter(ItemsCount::new(evaluations)).bench_local(solve);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn linear(bencher: Bencher) {
    run(bencher, &path(|x, y, n| format!("(+ (* {n} x{x}) x{y})")));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn products(bencher: Bencher) {
    run(bencher, &path(|x, y, n| format!("(- (* x{x} x{y} {n}) x{y})")));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn remainders(bencher: Bencher) {
    run(bencher, &path(|x, y, n| format!("(+ (mod (* 31 x{x}) {n}) (div x{y} {n}))")));
}
