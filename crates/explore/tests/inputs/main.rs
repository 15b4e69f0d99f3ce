//! Where inputs come from besides the solver: words, mutations, and what keeps them in their place.

use explore::search::{Exploration, STRATEGIES, Settings, Source, Sources, StopReason, explore};
use explore::world::Setup;
use explore::{Program, clang};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// A program of the tests; none if there is no compiler.
fn program(path: &str, setup: Setup) -> Option<Program> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(path);
    let project = clang::Project { files: &[file], entry: None, flags: &[], checks: true, units: &[] };
    match clang::compile(&project) {
        Ok(module) => Some(Program::load(&module, setup).expect("the module fits the world")),
        Err(error @ clang::Error::Missing { .. }) => {
            testkit::missing(&error.to_string());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Standard input of this many bytes, or fewer.
fn stdin(bytes: usize, sized: bool) -> Setup {
    Setup { stdin: bytes, sized, ..Setup::default() }
}

fn settings(sources: &str) -> Settings {
    let sources = Sources::parse(sources).expect("a list of sources");
    Settings { sources, time_limit: Some(Duration::from_secs(60)), ..Settings::default() }
}

fn outputs(exploration: &Exploration) -> BTreeSet<String> {
    exploration.tests.iter().map(|test| String::from_utf8_lossy(&test.run.stdout).into_owned()).collect()
}

#[test]
fn a_table_of_words_is_not_climbed_letter_by_letter() {
    for sized in [false, true] {
        let Some(program) = program("inputs/keywords.c", stdin(16, sized)) else { return };
        for strategy in STRATEGIES {
            let settings = Settings { strategy, tests: Some(31), only_new: false, ..settings("mutation") };
            let found = explore(&program, &Settings { only_new: true, ..settings }, &mut |_| {});
            eprintln!("{} {sized}: {:?}", strategy.name, found.counters);
        }
    }
}

#[test]
fn every_word_of_a_sentence_is_learnt_where_it_is_compared() {
    let Some(program) = program("inputs/sentence.c", stdin(32, true)) else { return };
    let settings = Settings { time_limit: Some(Duration::from_secs(20)), ..settings("all") };
    let found = explore(&program, &settings, &mut |_| {});
    eprintln!("{:?} {:?}", found.stop_reason, found.counters);
    assert!(outputs(&found).contains("first\nsecond\nthird\nfourth\n"), "{:?}", outputs(&found));
}

/// What an exploration without mutation finds and proves is found and proved with it too.
#[test]
fn mutation_keeps_no_exploration_from_its_end() {
    let rows = [
        ("programs/counting.c", Setup::default()),
        ("programs/motivating.c", Setup::default()),
        ("programs/sort.c", Setup::default()),
        ("programs/switch.c", stdin(4, false)),
        ("inputs/empty.c", stdin(0, false)),
        ("inputs/empty.c", stdin(3, true)),
    ];
    for (name, setup) in rows {
        let Some(program) = program(name, setup) else { return };
        for strategy in STRATEGIES {
            let run = |sources| {
                let settings = Settings { strategy, only_new: false, ..settings(sources) };
                let found = explore(&program, &settings, &mut |_| {});
                eprintln!(
                    "{name} {} {sources}: {:?} {:?} {:?}",
                    strategy.name, found.stop_reason, found.time, found.counters
                );
                found
            };
            let plain = run("none");
            assert_eq!(plain.stop_reason, StopReason::Explored, "{name}");
            for sources in ["mutation", "all"] {
                let found = run(sources);
                let what = format!("{name}, {}, {sources}", strategy.name);
                assert_eq!(found.stop_reason, StopReason::Explored, "{what}");
                assert_eq!(found.counters.paths, plain.counters.paths, "{what}");
                assert_eq!(outputs(&found), outputs(&plain), "{what}");
                assert_eq!(found.crashes.len(), plain.crashes.len(), "{what}");
            }
        }
    }
}

#[test]
fn mutation_is_a_source_that_can_be_switched_off() {
    let Some(program) = program("inputs/sentence.c", stdin(32, true)) else { return };
    for (sources, on) in
        [("none", false), ("engine", false), ("look,graft", false), ("mutation", true), ("all", true)]
    {
        let settings = Settings { time_limit: Some(Duration::from_secs(2)), ..settings(sources) };
        let found = explore(&program, &settings, &mut |_| {});
        let mutated = found.counters.sources.rows().any(|row| row.0 == Source::Mutate);
        assert_eq!(mutated, on, "{sources}");
    }
}
