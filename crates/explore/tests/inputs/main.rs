//! Where inputs come from besides the solver: words, mutations, and what keeps them in their place.

use explore::search::{Exploration, STRATEGIES, SearchSettings, Source, Sources, StopReason, explore};
use explore::world::Setup;
use explore::{Program, clang};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
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

fn settings(sources: &str) -> SearchSettings {
    let sources = Sources::parse(sources).expect("a list of sources");
    SearchSettings { sources, time_limit: Some(Duration::from_secs(60)), ..SearchSettings::default() }
}

fn outputs(exploration: &Exploration) -> BTreeSet<String> {
    exploration.tests.iter().map(|test| String::from_utf8_lossy(&test.run.stdout).into_owned()).collect()
}

/// An error is kept though its run covers nothing and is like others.
#[test]
fn a_crash_on_a_known_way_is_kept() {
    let Some(program) = program("inputs/silent.c", stdin(1, false)) else { return };
    let settings = settings("all");
    let found = explore(&program, &settings, &mut |now| {
        settings.stop.store(!now.crashes.is_empty(), Ordering::Relaxed);
    });
    let crashes: Vec<String> = found.crashes.iter().map(|crash| crash.ending.to_string()).collect();
    assert_eq!(crashes, ["invalid-free"], "{} runs", found.counters.runs[0]);
}

/// Whatever the strategy, a run that comes to the table shows all of its words, and each is tried whole.
#[test]
fn a_table_of_words_is_not_climbed_letter_by_letter() {
    const WORDS: usize = 30;
    for sized in [false, true] {
        let Some(program) = program("inputs/keywords.c", stdin(16, sized)) else { return };
        for strategy in STRATEGIES {
            let settings = SearchSettings { strategy, only_new: false, ..settings("mutation") };
            let mut seen = BTreeSet::new();
            let found = explore(&program, &settings, &mut |now| {
                let last = now.tests.last().map(|test| test.run.stdout.clone()).unwrap_or_default();
                if !last.is_empty() && last != b"none\n" {
                    seen.insert(last);
                }
                settings.stop.store(seen.len() == WORDS, Ordering::Relaxed);
            });
            let (runs, queries) = (found.counters.runs[0], found.counters.queries);
            let what = format!("{} {sized}: {runs} runs, {queries} queries, {:?}", strategy.name, found.time);
            eprintln!("{what}");
            assert_eq!(seen.len(), WORDS, "{what}");
            assert!(runs < 100_000, "{what}");
        }
    }
}

#[test]
fn every_word_of_a_sentence_is_learnt_where_it_is_compared() {
    let Some(program) = program("inputs/sentence.c", stdin(32, true)) else { return };
    let settings = SearchSettings { time_limit: Some(Duration::from_secs(20)), ..settings("all") };
    let last = "first\nsecond\nthird\nfourth\n";
    let found = explore(&program, &settings, &mut |now| {
        let done = now.tests.last().is_some_and(|test| test.run.stdout == last.as_bytes());
        settings.stop.fetch_or(done, Ordering::Relaxed);
    });
    eprintln!("{:?} {:?} {:?}", found.stop_reason, found.time, found.counters);
    assert!(outputs(&found).contains(last), "{:?}", outputs(&found));
}

/// What an exploration without mutation finds and proves is found and proved with it too.
#[test]
fn mutation_keeps_no_exploration_from_its_end() {
    let rows = [
        ("programs/counting.c", Setup::default()),
        ("programs/sort.c", Setup::default()),
        ("programs/switch.c", stdin(4, false)),
        ("inputs/empty.c", stdin(0, false)),
        ("inputs/empty.c", stdin(3, true)),
    ];
    for (name, setup) in rows {
        let Some(program) = program(name, setup) else { return };
        for strategy in STRATEGIES {
            let run = |sources| {
                let settings = SearchSettings { strategy, only_new: false, ..settings(sources) };
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
        let settings = SearchSettings { time_limit: Some(Duration::from_secs(1)), ..settings(sources) };
        let found = explore(&program, &settings, &mut |_| {});
        let mutated = found.counters.sources.rows().any(|row| row.0 == Source::Mutate);
        assert_eq!(mutated, on, "{sources}");
    }
}
