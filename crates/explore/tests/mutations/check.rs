//! What holds for any bytes given as a WebAssembly module. Shared by a plain test and a target of `cargo fuzz`.

use explore::Program;
use explore::target::{Input, RunLimits, Target};
use explore::world::Setup;
use std::time::{Duration, Instant};

/// Loading does not panic, and what can be loaded runs in both domains within its limits. Whether it was loaded.
pub(crate) fn check(bytes: &[u8]) -> bool {
    let Ok(program) = Program::load(bytes, Setup { stdin: 4, ..Setup::default() }) else { return false };
    let deadline = Some(Instant::now() + Duration::from_secs(5));
    let limits = RunLimits { fuel: 20_000, deadline, ..RunLimits::default() };
    let (concrete, _) = program.run_concrete(&Input::new(), &limits);
    let mut terms = smt::Terms::new();
    let (on_terms, path) =
        program.run_concolic(&Input::new(), &mut terms, &mut explore::target::Symbols::default(), &limits);
    assert!(
        concrete.ending == on_terms.ending || path.len() > limits.path,
        "{:?} {:?}",
        concrete.ending,
        on_terms.ending
    );
    true
}
