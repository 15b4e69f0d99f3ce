//! What the examples share: making queries of scripts, and the clock.

use smt::{Op, TermId, Terms};
use solve::engine::Query;
use std::time::Duration;

/// Assertions as engines want them: unfolded, without annotations, split into conjuncts.
pub(crate) fn query(terms: &mut Terms, assertions: &[TermId]) -> Query {
    let plain = terms.strip_annotations(assertions);
    let mut stack: Vec<TermId> = terms.unfold(&plain).into_iter().rev().collect();
    let mut query = Query::default();
    while let Some(term) = stack.pop() {
        match terms.op(term) {
            Op::And => stack.extend(terms.args(term).iter().rev()),
            _ => query.assertions.push(term),
        }
    }
    query
}

/// The processor time of this thread: other work on the machine does not count.
pub(crate) fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// A time in milliseconds.
pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
