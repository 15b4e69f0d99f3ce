//! What the examples share: finding scripts, making queries of them, and the clock.

use smt::{Op, TermId, Terms};
use solve::engine::Query;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// All scripts below a path, sorted.
pub(crate) fn scripts(root: &Path) -> Vec<PathBuf> {
    let mut open = vec![root.to_path_buf()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        match std::fs::read_dir(&path) {
            Ok(entries) => open.extend(entries.filter_map(|entry| Some(entry.ok()?.path()))),
            Err(_) if path.extension().is_some_and(|e| e == "smt2") => found.push(path),
            Err(_) => {}
        }
    }
    found.sort();
    found
}

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
