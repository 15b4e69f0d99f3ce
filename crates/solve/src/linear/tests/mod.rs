//! Laws of the engine, checked against brute force, a real solver and the evaluator.

mod brute;
mod muse;
mod random;
mod table;
mod z3;

use super::Linear;
use crate::engine::{Budget, Engine, NoPartials, Partial, Query, Verdict};
use smt::{Op, TermId, Terms, read_script};

/// A script's arena and its only query, split into conjuncts.
fn read(source: &str) -> (Terms, Query) {
    let mut terms = Terms::new();
    let reading = read_script(&mut terms, source);
    assert!(reading.errors.is_empty(), "{source}: {:?}", reading.errors);
    let assertions: Vec<TermId> = reading.script.assertions().collect();
    let mut stack: Vec<TermId> = terms.unfold(&assertions).into_iter().rev().collect();
    let mut query = Query::default();
    while let Some(term) = stack.pop() {
        match terms.op(term) {
            Op::And => stack.extend(terms.args(term).iter().rev()),
            _ => query.assertions.push(term),
        }
    }
    (terms, query)
}

fn solve(source: &str) -> Verdict {
    let (mut terms, query) = read(source);
    Linear::new(0).solve(&mut terms, &query, &mut Budget::unlimited(), &mut NoPartials)
}

/// The verdict, the counters and the partial solutions.
fn solve_shown(source: &str) -> (Verdict, Vec<(&'static str, u64)>, Vec<Partial>) {
    let (mut terms, query) = read(source);
    let mut engine = Linear::new(0);
    let mut shown = Vec::new();
    let mut listener = |partial: Partial| shown.push(partial);
    let verdict = engine.solve(&mut terms, &query, &mut Budget::unlimited(), &mut listener);
    (verdict, engine.counters(), shown)
}

/// How a verdict is written, reasons aside.
fn status(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Sat(_) => "sat",
        Verdict::Unsat(_) => "unsat",
        Verdict::Unknown(_) => "unknown",
    }
}
