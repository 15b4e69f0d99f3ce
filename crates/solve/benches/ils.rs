//! Evaluations per second of the engine `ils`: one item is one conjunct whose cost is computed at one point.
//!
//! The queries have no model, so that the whole budget is spent. `linear` has short conjuncts over few variables each,
//! `products` goes beyond 64 bits at times, `remainders` is what programs make of hashes and calendars.

use divan::Bencher;
use shared::evaluations;
use std::fmt::Write;

mod shared;

/// What an engine may spend on a query.
const TICKS: u64 = 2_000_000;

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

#[divan::bench(sample_count = 5, sample_size = 1)]
fn linear(bencher: Bencher) {
    evaluations(bencher, "ils", TICKS, &path(|x, y, n| format!("(+ (* {n} x{x}) x{y})")));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn products(bencher: Bencher) {
    evaluations(bencher, "ils", TICKS, &path(|x, y, n| format!("(- (* x{x} x{y} {n}) x{y})")));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn remainders(bencher: Bencher) {
    evaluations(bencher, "ils", TICKS, &path(|x, y, n| format!("(+ (mod (* 31 x{x}) {n}) (div x{y} {n}))")));
}
