//! Evaluations per second of the engine `anneal`: one item is one trial, a changed cell and all that depends on it.
//!
//! The queries have no model, so that the whole budget is spent. `doubles` and `singles` run on the machine, `halves` and
//! `towards_zero` on soft floats; `sparse` has many cells of which each moves little.

use divan::Bencher;
use shared::evaluations;
use std::fmt::Write;

mod shared;

/// What an engine may spend on a query.
const TICKS: u64 = 200_000;

fn main() {
    divan::main();
}

/// A chain of sums and products over three symbols that is asked to be below and above zero.
fn chain(sort: &str, mode: &str, length: usize) -> String {
    let mut text = String::new();
    for name in ["x", "y", "z"] {
        write!(text, "(declare-const {name} {sort})").expect("strings take all text");
    }
    let mut term = String::from("x");
    for i in 0..length {
        let op = ["fp.add", "fp.mul", "fp.sub"][i % 3];
        let other = ["y", "z", "x"][i % 3];
        term = format!("({op} {mode} {term} {other})");
    }
    write!(text, "(assert (fp.isNegative {term}))(assert (fp.isPositive {term}))")
        .expect("strings take all text");
    text
}

/// Independent pairs, one of which cannot be ordered as asked.
fn pairs(n: usize) -> String {
    let mut text = String::new();
    for i in 0..n {
        write!(
            text,
            "(declare-const x{i} Float64)(declare-const y{i} Float64)(assert (fp.lt x{i} (fp.mul RNE y{i} x{i})))"
        )
        .expect("strings take all text");
    }
    text.push_str("(assert (fp.lt y0 y1))(assert (fp.lt y1 y0))");
    text
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn doubles(bencher: Bencher) {
    evaluations(bencher, "anneal", TICKS, &chain("Float64", "RNE", 30));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn singles(bencher: Bencher) {
    evaluations(bencher, "anneal", TICKS, &chain("Float32", "RNE", 30));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn halves(bencher: Bencher) {
    evaluations(bencher, "anneal", TICKS, &chain("Float16", "RNE", 30));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn towards_zero(bencher: Bencher) {
    evaluations(bencher, "anneal", TICKS, &chain("Float64", "RTZ", 30));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn sparse(bencher: Bencher) {
    evaluations(bencher, "anneal", TICKS, &pairs(500));
}
