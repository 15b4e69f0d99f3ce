//! The bound on memory, measured. This stands alone: the operating system counts for a process, not for a test.

use explore::search::{SearchSettings, StopReason, explore};
use explore::world::{Input, Setup};
use explore::{Program, clang};
use std::path::PathBuf;
use std::time::Duration;

const MEGABYTE: u64 = 1 << 20;

/// The most memory that this process ever had.
fn peak() -> u64 {
    let status =
        std::fs::read_to_string("/proc/self/status").expect("Linux says how much memory a process takes");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes << 10
}

#[test]
fn a_tree_without_end_stays_within_its_bound() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/memory/growing.c");
    let project = clang::Project { files: &[file], entry: None, flags: &[], checks: true, units: &[] };
    let module = match clang::compile(&project) {
        Ok(module) => module,
        Err(error @ clang::Error::Missing { .. }) => return testkit::missing(&error.to_string()),
        Err(error) => panic!("{error}"),
    };
    let program =
        Program::load(&module, Setup { stdin: 256, ..Setup::default() }).expect("the module fits the world");
    // Every byte of this input is looked at, so that each path has more than a thousand decisions.
    let first = Input::from([("stdin".to_string(), vec![b'a'; 256])]);
    let before = peak();
    let bound = 16 * MEGABYTE;
    let settings = SearchSettings {
        first,
        memory: Some(bound),
        time_limit: Some(Duration::from_secs(8)),
        only_new: true,
        ..SearchSettings::default()
    };
    let found = explore(&program, &settings, &mut |_| {});
    let taken = peak() - before;
    eprintln!("{} MB, {} trees forgotten, {:?}", taken / MEGABYTE, found.counters.forgotten, found.counters);
    assert_eq!(found.stop_reason, StopReason::Time);
    assert!(found.counters.forgotten > 0, "the tree never became too large");
    // Engines, coverage and the program itself take something besides.
    assert!(taken < bound + 32 * MEGABYTE, "{} MB", taken / MEGABYTE);
    assert_eq!(found.counters.divergences, 0);
}
