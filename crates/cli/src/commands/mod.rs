//! One file a command.

pub(crate) mod bisect;
pub(crate) mod campaign;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod coverage;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod fmt;
pub(crate) mod fuzz;
pub(crate) mod man;
pub(crate) mod race;
pub(crate) mod reduce;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod solver;
pub(crate) mod worker;

use crate::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A positive number of seconds.
fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let number: f64 = text.parse().map_err(|_| "not a number of seconds".to_string())?;
    match std::time::Duration::try_from_secs_f64(number) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err("the limit must be a positive number of seconds".into()),
    }
}

/// A verdict by its word.
fn verdict(word: &str) -> Result<::fuzz::case::Verdict, String> {
    ::fuzz::case::Verdict::from_word(word).ok_or_else(|| "the verdicts are sat and unsat".into())
}

/// A dialect by its version.
fn dialect(version: &str) -> Result<smt::Dialect, String> {
    match version {
        "2.6" | "2.7" => Ok(smt::Dialect::V26),
        "2.0" | "2.5" => Ok(smt::Dialect::V25),
        _ => Err("the dialects are 2.5 and 2.6".into()),
    }
}

/// How long a solver may take to state its version before a message says what is waited for.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

/// Does some work, and prints what is waited for if it takes long.
fn patiently<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (done, waiting) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if waiting.recv_timeout(PATIENCE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                crate::input::say!("waiting for {what} ...");
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// The solver of a specification.
fn resolve(spec: &str, store: &::fuzz::solver::Store) -> Result<::fuzz::solver::Solver, Failure> {
    patiently(&format!("`{spec}` to state its version"), || ::fuzz::solver::Solver::resolve(spec, store))
        .map_err(Failure::from)
}

/// A flag that goes up at Ctrl-C; a second Ctrl-C ends the program at once.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Failure(format!("cannot handle interrupts: {error}")))?;
    Ok(stop)
}
