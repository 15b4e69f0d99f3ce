//! Real C programs, explored. The oracle is arithmetic: how many paths a program has, and what its tests must do.
//!
//! Where clang cannot compile to WebAssembly the tests say so and check nothing.

use explore::search::{Exploration, Settings, StopReason, Strategy, explore};
use explore::world::{Input, Setup};
use explore::{Ending, Program, Trap, clang};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::time::Duration;

/// The module of a program of this folder; none if there is no compiler.
fn compiled(name: &str, entry: Option<&str>) -> Option<Vec<u8>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    match clang::compile(&file, entry, &[]) {
        Ok(module) => Some(module),
        Err(error @ clang::Error::Missing { .. }) => {
            eprintln!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn settings(strategy: Strategy, partials: bool) -> Settings {
    Settings { strategy, partials, time_limit: Some(Duration::from_secs(60)), ..Settings::default() }
}

fn explored(name: &str, setup: Setup, settings: &Settings) -> Option<Exploration> {
    let module = compiled(name, setup.entry.as_deref())?;
    let program = Program::load(&module, setup).expect("the module fits the world");
    let exploration = explore(&program, settings, &mut |_, _| {});
    eprintln!("{name}: {:?} {:?}", exploration.stop_reason, exploration.counters);
    assert_eq!(exploration.counters.divergences, 0, "{name}");
    Some(exploration)
}

fn outputs(exploration: &Exploration) -> BTreeSet<String> {
    exploration.tests.iter().map(|test| String::from_utf8_lossy(&test.run.stdout).into_owned()).collect()
}

#[test]
fn one_query_explores_the_motivating_example() {
    // The paper's first input is (1, 3), and it searches depth first.
    let word = |value: i32| value.to_le_bytes().to_vec();
    let first = Input::from([("x".to_string(), word(1)), ("y".to_string(), word(3))]);
    for (partials, queries) in [(true, 1), (false, 3)] {
        let settings = Settings { first: first.clone(), ..settings(Strategy::Dfs, partials) };
        let Some(found) = explored("motivating.c", Setup::default(), &settings) else { return };
        assert_eq!(outputs(&found), BTreeSet::from(["#1\n", "#2\n", "#3\n", "#4\n"].map(String::from)));
        assert_eq!(found.stop_reason, StopReason::Explored);
        assert_eq!(found.counters.queries, queries);
    }
}

#[test]
fn every_order_of_four_numbers() {
    for partials in [true, false] {
        let Some(found) = explored("sort.c", Setup::default(), &settings(Strategy::Dfs, partials)) else {
            return;
        };
        assert_eq!(found.stop_reason, StopReason::Explored);
        assert_eq!(found.crashes.len(), 0);
        assert_eq!(found.counters.paths, 24);
    }
}

#[test]
fn the_planted_crash_of_a_parser() {
    let setup = Setup { stdin: 7, ..Setup::default() };
    let Some(found) = explored("parser.c", setup, &settings(Strategy::Cover, true)) else { return };
    let crash = found.crashes.iter().find(|crash| crash.ending == Ending::Trapped(Trap::MemoryOutOfBounds));
    let test = &found.tests[crash.expect("the crash is found").test];
    let stdin = &test.run.objects[0].bytes;
    assert!(stdin.starts_with(b"<!"), "{stdin:?}");
    assert_eq!(found.crashes.len(), 1);
    // Every error code of the parser has a test.
    let codes: BTreeSet<u32> = found
        .tests
        .iter()
        .filter_map(|test| match test.run.ending {
            Ending::Exited(code) => Some(code),
            _ => None,
        })
        .collect();
    assert_eq!(codes, BTreeSet::from([1, 2, 3, 4]));
}

#[test]
fn decisions_on_floats() {
    // No engine decides that a condition on floats has no solution: such queries end by their time.
    let settings = Settings { query_time: Duration::from_millis(500), ..settings(Strategy::Bfs, true) };
    let Some(found) = explored("floats.c", Setup::default(), &settings) else { return };
    let codes: HashSet<Ending> = found.tests.iter().map(|test| test.run.ending).collect();
    for code in 1..=4 {
        assert!(codes.contains(&Ending::Exited(code)), "{codes:?}");
    }
    assert!(codes.contains(&Ending::Returned));
}

#[test]
fn all_cases_of_a_switch_and_the_division_in_one() {
    let Some(found) = explored("switch.c", Setup::default(), &settings(Strategy::Cover, true)) else {
        return;
    };
    assert_eq!(found.crashes.len(), 1, "{:?}", found.crashes);
    assert_eq!(found.crashes[0].ending, Ending::Trapped(Trap::DivisionByZero));
    let (covered, total) = found.coverage.branches();
    assert!(covered > 0 && covered <= total, "{covered} of {total}");
}
