//! Measuring many formulas at once. Which worker measures what is left to chance; where the results stand is not.

use crate::evolve::evaluate::{Evaluate, EvolveError, Formula, Measurement};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// One result a subject, in their order; `None` for those that were not measured before the end came.
pub(super) fn all(
    evaluate: &dyn Evaluate,
    subjects: &[Formula],
    jobs: usize,
    stop: &AtomicBool,
    deadline: Option<Instant>,
) -> Result<Vec<Option<Measurement>>, EvolveError> {
    let results: Vec<Mutex<Option<Measurement>>> = subjects.iter().map(|_| Mutex::new(None)).collect();
    let failure: Mutex<Option<EvolveError>> = Mutex::new(None);
    let failed = AtomicBool::new(false);
    let next = AtomicUsize::new(0);
    let over = || {
        failed.load(Ordering::Relaxed)
            || stop.load(Ordering::Relaxed)
            || deadline.is_some_and(|deadline| Instant::now() >= deadline)
    };
    let work = |worker: usize| {
        while !over() {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(subject) = subjects.get(at) else { return };
            match evaluate.measure(worker, subject, stop) {
                Ok(result) => *results[at].lock().expect("the lock is never poisoned") = result,
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    failure.lock().expect("the lock is never poisoned").get_or_insert(error);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let work = &work;
        for worker in 1..jobs.min(subjects.len()) {
            scope.spawn(move || work(worker));
        }
        work(0);
    });
    match failure.into_inner().expect("all workers have ended") {
        Some(error) => Err(error),
        None => Ok(results.into_iter().map(|r| r.into_inner().expect("all workers have ended")).collect()),
    }
}
