//! Real C programs, explored. The oracle is arithmetic: how many paths a program has, and what its tests must do.
//!
//! Where clang cannot compile to WebAssembly the tests say so and check nothing.

use explore::coverage::Coverage;
use explore::report::{self, Subject};
use explore::search::{
    Backup, Exploration, Reply, STRATEGIES, SearchSettings, Source, Sources, StopReason, Strategy, Test,
    TestOrigin, explore,
};
use explore::world::{Input, Setup, Symbols};
use explore::{Ending, PathKind, Program, RunLimits, Target, Trap, clang, front, replay, rust};
use smt::Terms;
use solve::engines;
use solve::profile::{Features, Profile};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The module of a program of this folder; none if there is no compiler.
fn compiled(name: &str, entry: Option<&str>) -> Option<Vec<u8>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    match clang::compile(&clang::Project { files: &[file], entry, flags: &[], checks: false, units: &[] }) {
        Ok(module) => Some(module),
        Err(error @ clang::Error::Missing { .. }) => {
            testkit::missing(&error.to_string());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn settings(strategy: &str, partials: bool) -> SearchSettings {
    let strategy = Strategy::named(strategy).expect("a strategy");
    let sources = if partials { Sources::all() } else { Sources::NONE };
    SearchSettings {
        strategy,
        sources,
        time_limit: Some(Duration::from_secs(60)),
        ..SearchSettings::default()
    }
}

fn explored(name: &str, setup: Setup, settings: &SearchSettings) -> Option<Exploration> {
    let module = compiled(name, setup.entry.as_deref())?;
    let program = Program::load(&module, setup).expect("the module fits the world");
    let exploration = explore(&program, settings, &mut |_| {});
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
        let settings = SearchSettings { first: first.clone(), ..settings("dfs", partials) };
        let Some(found) = explored("motivating.c", Setup::default(), &settings) else { return };
        assert_eq!(outputs(&found), BTreeSet::from(["#1\n", "#2\n", "#3\n", "#4\n"].map(String::from)));
        assert_eq!(found.stop_reason, StopReason::Explored);
        assert_eq!(found.counters.queries, queries);
    }
}

/// Zhang et al. 2020, Algorithm 1 as printed: engines are the only source, and one query shows all four paths.
#[test]
fn algorithm_one_needs_one_query_for_the_motivating_example() {
    let word = |value: i32| value.to_le_bytes().to_vec();
    let first = Input::from([("x".to_string(), word(1)), ("y".to_string(), word(3))]);
    for strategy in ["dfs", "bfs"] {
        let settings = SearchSettings {
            first: first.clone(),
            sources: Sources::only(Source::Engine),
            ..settings(strategy, true)
        };
        let Some(found) = explored("motivating.c", Setup::default(), &settings) else { return };
        assert_eq!(outputs(&found), BTreeSet::from(["#1\n", "#2\n", "#3\n", "#4\n"].map(String::from)));
        assert_eq!(found.stop_reason, StopReason::Explored);
        if strategy == "dfs" {
            assert_eq!(found.counters.queries, 1);
        }
        let sources: BTreeSet<Source> = found.counters.sources.rows().map(|row| row.0).collect();
        assert_eq!(sources, BTreeSet::from([Source::Seed, Source::Solve, Source::Engine]));
    }
}

/// Whatever is switched on: queries by answer add up to queries asked, paths by source to paths, and all paths are found.
#[test]
fn what_is_counted_adds_up_for_every_source_and_strategy() {
    for strategy in STRATEGIES {
        for text in ["none", "engine", "look", "graft,sweep", "engine,parts", "all"] {
            let sources = Sources::parse(text).expect("a list of sources");
            let settings = SearchSettings { sources, ..settings(strategy.name, true) };
            let Some(found) = explored("counting.c", Setup::default(), &settings) else { return };
            let what = format!("{} {text}", strategy.name);
            let counters = &found.counters;
            assert_eq!((found.stop_reason, counters.paths), (StopReason::Explored, 16), "{what}");
            let answers = [
                counters.sat,
                counters.unsat,
                counters.unknown,
                counters.postponed,
                counters.not_nearby,
                counters.halted,
            ];
            assert_eq!(answers.iter().sum::<usize>(), counters.queries, "{what}");
            let rows: Vec<_> = counters.sources.rows().collect();
            assert_eq!(rows.iter().map(|row| row.2.paths).sum::<usize>(), counters.paths, "{what}");
            for (source, engine, tally) in rows {
                let falls = tally.delivered >= tally.distinct && tally.distinct >= tally.run;
                assert!(falls && tally.paths >= tally.fresh, "{what}: {source:?} {engine} {tally:?}");
                let allowed = sources.has(source) || matches!(source, Source::Seed | Source::Solve);
                assert!(allowed, "{what}: {source:?} is switched off");
            }
        }
    }
}

/// Each engine alone finds what it is for.
#[test]
fn one_engine_may_decide_all_queries() {
    for (engine, paths) in [("simplex", 4), ("blast", 4), ("anneal", 4)] {
        let sources = Sources::only(Source::Engine);
        let query_time = Duration::from_millis(500);
        let settings = SearchSettings { engine, sources, query_time, ..settings("bfs", true) };
        let Some(found) = explored("motivating.c", Setup::default(), &settings) else { return };
        // What an engine passes through may break an assumption of the program.
        assert_eq!(found.counters.paths - found.counters.discarded, paths, "{engine}");
        for (_, by, _) in found.counters.sources.rows().filter(|row| row.0 == Source::Engine) {
            assert!(by.starts_with(engine), "{by} is not {engine}");
        }
    }
}

#[test]
fn every_order_of_four_numbers() {
    for partials in [true, false] {
        let Some(found) = explored("sort.c", Setup::default(), &settings("dfs", partials)) else {
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
    let Some(found) = explored("parser.c", setup, &settings("cover", true)) else { return };
    let crash =
        found.crashes.iter().find(|crash| crash.ending == Ending::Fault(Trap::MemoryOutOfBounds.into()));
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
    let settings = SearchSettings { query_time: Duration::from_millis(500), ..settings("bfs", true) };
    let Some(found) = explored("floats.c", Setup::default(), &settings) else { return };
    let codes: HashSet<Ending> = found.tests.iter().map(|test| test.run.ending).collect();
    for code in 1..=4 {
        assert!(codes.contains(&Ending::Exited(code)), "{codes:?}");
    }
    assert!(codes.contains(&Ending::Returned));
}

#[test]
fn all_cases_of_a_switch_and_the_division_in_one() {
    let Some(found) = explored("switch.c", Setup::default(), &settings("cover", true)) else {
        return;
    };
    assert_eq!(found.crashes.len(), 1, "{:?}", found.crashes);
    assert_eq!(found.crashes[0].ending, Ending::Fault(Trap::DivisionByZero.into()));
    let (covered, total) = found.coverage.branches();
    assert!(covered > 0 && covered <= total, "{covered} of {total}");
}

#[test]
fn one_look_around_finds_all_cases_of_a_switch() {
    for partials in [true, false] {
        // The seed's test, and one for each other case and for what is no case.
        let settings = SearchSettings { tests: Some(6), ..settings("cover", partials) };
        let Some(found) = explored("switch.c", Setup::default(), &settings) else { return };
        assert_eq!(found.stop_reason, StopReason::Tests);
        assert_eq!(found.counters.queries == 1, partials, "{:?}", found.counters);
        assert_eq!(found.counters.divergences, 0);
    }
}

#[test]
fn a_way_that_a_partial_solution_showed_needs_no_query() {
    for partials in [true, false] {
        for strategy in ["bfs", "cover"] {
            let Some(found) = explored("counting.c", Setup::default(), &settings(strategy, partials)) else {
                return;
            };
            assert_eq!((found.stop_reason, found.counters.paths), (StopReason::Explored, 16));
            assert_eq!(found.counters.queries_saved > 0, partials, "{:?}", found.counters);
            assert_eq!(found.counters.queries < 15, partials, "{:?}", found.counters);
        }
    }
}

#[test]
fn both_domains_see_the_same_route() {
    let Some(module) = compiled("parser.c", None) else { return };
    let setup = Setup { stdin: 7, ..Setup::default() };
    let program = Program::load(&module, setup).expect("the module fits the world");
    let limits = RunLimits::default();
    for stdin in [&b"\0\0\0\0\0\0\0"[..], b"<!aaaaa", b"<a>b</a", b"<?xml>>"] {
        let input = Input::from([("stdin".to_string(), stdin.to_vec())]);
        let (_, trail) = program.run_concrete(&input, &limits);
        let (mut terms, mut symbols) = (Terms::new(), Symbols::default());
        let (_, path) = program.run_concolic(&input, &mut terms, &mut symbols, &limits);
        let branches: Vec<_> = path.iter().filter(|entry| entry.kind == PathKind::Branch).collect();
        assert!(!branches.is_empty());
        for entry in branches {
            let [same, other] = [entry.taken, !entry.taken]
                .map(|way| entry.route.after(entry.at, u32::from(way)))
                .map(|route| trail.routes().contains(&route));
            assert!(same && !other, "{entry:?}");
        }
    }
}

fn entry(name: &str) -> Setup {
    Setup { entry: Some(name.to_string()), pointee: 24, ..Setup::default() }
}

#[test]
fn functions_with_numbers_buffers_and_structures() {
    for (name, paths) in [("classify", 3), ("first_negative", 5)] {
        let Some(found) = explored("entry.c", entry(name), &settings("bfs", true)) else { return };
        assert_eq!((found.counters.paths, found.stop_reason), (paths, StopReason::Explored), "{name}");
        assert_eq!(found.crashes.len(), 0, "{name}");
    }
    let settings = SearchSettings { query_time: Duration::from_millis(500), ..settings("bfs", true) };
    let Some(found) = explored("entry.c", entry("peak"), &settings) else { return };
    let names: BTreeSet<&str> =
        found.tests.iter().flat_map(|test| &test.run.objects).map(|object| object.name.as_str()).collect();
    assert_eq!(names, BTreeSet::from(["vector", "vector.data"]));
    // Some test has a peak, as arithmetic of this machine sees it, and some has none.
    let peaks: BTreeSet<bool> = found.tests.iter().map(has_peak).collect();
    assert_eq!(peaks, BTreeSet::from([false, true]));
}

#[test]
fn structures_are_passed_and_returned_by_value() {
    let setup = Setup { lazy: true, ..entry("moved") };
    let Some(found) = explored("entry.c", setup, &settings("bfs", true)) else { return };
    assert_eq!((found.crashes.len(), found.stop_reason), (0, StopReason::Explored));
    let names: BTreeSet<&str> =
        found.tests.iter().flat_map(|test| &test.run.objects).map(|object| object.name.as_str()).collect();
    assert_eq!(names, BTreeSet::from(["by", "from", "result", "to", "to?"]));
    let (covered, all) = found.coverage.branches();
    assert_eq!(covered, all);
}

fn has_peak(test: &Test) -> bool {
    let bytes = |name: &str| &test.run.objects.iter().find(|object| object.name == name).expect(name).bytes;
    let size = bytes("vector")[..4] == [3, 0, 0, 0];
    let double = |i: usize| {
        let word = bytes("vector.data")[8 * i..8 * i + 8].try_into().expect("eight bytes");
        f64::from_le_bytes(word)
    };
    let [low, high, last] = [0, 1, 2].map(double);
    size && low < high && high > last
}

/// What was written is read back, and every test goes where it went.
#[test]
fn written_tests_follow_their_paths_when_they_are_run_again() {
    let setup = Setup { stdin: 7, ..Setup::default() };
    let Some(module) = compiled("parser.c", None) else { return };
    let program = Program::load(&module, setup.clone()).expect("the module fits the world");
    let settings = SearchSettings { keep_queries: true, ..settings("cover", true) };
    let found = explore(&program, &settings, &mut |_| {});
    let folder = tempfile::tempdir().expect("a folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/parser.c");
    let subject = Subject {
        file: &file,
        flags: &[],
        artefacts: &[("program.wasm", &module)],
        target: &program,
        settings: &settings,
    };
    report::write(folder.path(), subject, &found).expect("the folder can be written");

    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    let summary: serde_json::Value = serde_json::from_str(&read("summary.json")).expect("JSON");
    let stored = report::StoredExploration::open(folder.path()).expect("a summary");
    assert_eq!(stored.setup, setup);
    assert_eq!(summary["tests"], found.tests.len());
    assert_eq!(summary["crashes"], 1);
    assert_eq!(summary["crash_list"][0]["line"], 38);
    let mut coverage = Coverage::new(program.sites());
    let limits = stored.limits();
    for i in 1..=found.tests.len() {
        let path = folder.path().join(format!("tests/{i:06}.json"));
        let mut test = report::test::StoredTest::open(&path).expect("a test");
        let replayed = replay::replay(&program, &test, &limits, &mut coverage);
        assert_eq!(replayed.divergence, None, "test {i}");
        // The check can fail: another first decision is not the path that was taken.
        test.path[0].1 ^= true;
        let replayed = replay::replay(&program, &test, &limits, &mut coverage);
        assert!(replayed.divergence.is_some(), "test {i}");
    }
    assert_eq!(coverage.branches(), found.coverage.branches());
    // All of the parser's lines are covered, and no line of the C library is counted.
    let lcov = read("coverage/lcov.info");
    assert_eq!(lcov.matches("SF:").count(), 1, "{lcov}");
    assert!(lcov.contains("DA:38,1\n"), "{lcov}");
    assert!(read("coverage/index.html").contains("class=\"y\""));
    assert!(read("crashes/001/report.txt").starts_with("out of bounds memory access\n    main at "));
    assert!(read("crashes/001/regression.c").contains("#define main program_main"));
    assert!(read("test-suite/testcase-000001.xml").contains("<input>0</input>"));
    assert!(read("queries/000001.smt2").ends_with("(check-sat)\n"));
}

/// The same seed gives the same tests.
#[test]
fn a_seed_decides_everything() {
    let run = || {
        let found = explored("sort.c", Setup::default(), &settings("random", true))?;
        Some(found.tests.into_iter().map(|test| (test.run.objects, test.path)).collect::<Vec<_>>())
    };
    assert_eq!(run(), run());
}

/// A table that is read at an index of the input is an array of bit-vectors: `blast` gets such queries, and congruence closure none.
#[test]
fn memory_at_symbolic_addresses_is_no_matter_of_congruence_closure() {
    let settings = SearchSettings { keep_queries: true, ..settings("bfs", false) };
    let Some(found) = explored("switch.c", Setup::default(), &settings) else { return };
    let features: Vec<Features> = found
        .queries
        .iter()
        .map(|text| {
            let mut terms = Terms::new();
            let reading = smt::read_script(&mut terms, text);
            assert!(reading.errors.is_empty(), "{text}");
            let assertions: Vec<_> = reading.script.assertions().collect();
            Profile::of(&terms, &assertions).features
        })
        .collect();
    assert!(features.iter().any(|features| features.has(Features::ARRAY)), "{features:?}");
    let engine = |name: &str| engines::TABLE.iter().find(|row| row.name == name).expect("an engine");
    for features in features {
        assert!(engine("blast").fits(features), "{features:?}");
        assert!(!engine("euf").fits(features), "{features:?}");
        assert!(!features.meets(Features::FUNCTION.with(Features::SORT)), "{features:?}");
    }
    let merges = found.solver_counters.iter().filter(|row| row.0 == "merges").map(|row| row.1);
    assert_eq!(merges.sum::<u64>(), 0);
}

/// Several workers find the same paths as one, and the same tests every time.
#[test]
fn workers_do_not_change_what_is_found() {
    let run = |jobs: usize| {
        let settings = SearchSettings { jobs, ..settings("bfs", true) };
        let found = explored("sort.c", Setup::default(), &settings)?;
        assert_eq!((found.stop_reason, found.counters.paths), (StopReason::Explored, 24), "{jobs} jobs");
        let heard = found.solver_counters.iter().find(|row| row.0 == "cache-heard").expect("a counter").1;
        assert_eq!(heard > 0, jobs > 1, "workers tell each other what they found out: {heard}, {jobs} jobs");
        Some(found.tests.into_iter().map(|test| (test.run.objects, test.path)).collect::<Vec<_>>())
    };
    assert_eq!(run(3), run(3));
    let paths = |jobs: usize| Some(run(jobs)?.into_iter().map(|test| test.1).collect::<BTreeSet<_>>());
    assert_eq!(paths(1), paths(2));
}

/// Says what it was made to say, and counts.
#[derive(Debug)]
struct Scripted(Reply, AtomicUsize);

impl Backup for Scripted {
    fn name(&self) -> String {
        "scripted".to_string()
    }

    fn ask(&self, script: &str, _: Duration) -> Reply {
        assert!(script.ends_with("(check-sat)\n"), "{script}");
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.clone()
    }
}

/// A backup's `unsat` closes what no engine decides; a model that is none, or that cannot be read, changes nothing.
#[test]
fn a_backup_is_asked_where_there_is_no_answer() {
    let paths = |reply: Option<Reply>| {
        let backup = Arc::new(Scripted(reply.clone().unwrap_or(Reply::Unknown), AtomicUsize::new(0)));
        let asked: Option<Arc<dyn Backup>> = reply.map(|_| backup.clone() as Arc<dyn Backup>);
        let query_time = Duration::from_millis(150);
        // On its own it finds solutions and proves nothing.
        let settings =
            SearchSettings { engine: "anneal", backup: asked, query_time, ..settings("bfs", true) };
        let found = explored("floats.c", Setup::default(), &settings)?;
        assert_eq!(found.counters.backup_asked, backup.1.load(Ordering::Relaxed));
        Some((found.counters.backup_asked, found.counters.backup_answered, found.stop_reason))
    };
    let Some((asked, _, stopped)) = paths(None) else { return };
    assert_eq!((asked, stopped), (0, StopReason::Exhausted));
    let Some((asked, answered, stopped)) = paths(Some(Reply::Unsat)) else { return };
    assert!(asked > 0 && answered == asked, "{answered} of {asked}");
    assert_eq!(stopped, StopReason::Explored);
    for wrong in ["((define-fun nobody () Bool true))", "no model"] {
        let Some((asked, answered, stopped)) = paths(Some(Reply::Sat(wrong.to_string()))) else { return };
        assert!(asked > 0 && answered == 0, "{wrong}: {answered} of {asked}");
        assert_eq!(stopped, StopReason::Exhausted, "{wrong}");
    }
}

/// What a partial solution opened is gone on with, although the order of the strategy would come to it much later.
#[test]
fn breadth_first_goes_on_from_partial_solutions() {
    for partials in [true, false] {
        let settings = SearchSettings { tests: Some(200), ..settings("bfs", partials) };
        let Some(found) = explored("behind.c", Setup::default(), &settings) else { return };
        assert_eq!(found.crashes.len(), usize::from(partials), "{partials}");
    }
}

/// All paths are explored, but only tests are kept that cover something new.
#[test]
fn tests_that_cover_nothing_new_may_be_left_out() {
    let of = |only_new| {
        let settings = SearchSettings { only_new, ..settings("bfs", false) };
        explored("behind.c", Setup::default(), &settings)
    };
    let (Some(all), Some(new)) = (of(false), of(true)) else { return };
    assert_eq!((all.counters.paths, all.tests.len()), (2 + 2 * 4096, 2 + 2 * 4096));
    assert_eq!(new.counters.paths, all.counters.paths);
    assert_eq!(new.coverage.branches(), all.coverage.branches());
    assert!(new.tests.len() < 10, "{}", new.tests.len());
    let crash = new.crashes.first().and_then(|crash| new.tests[crash.test].crash);
    assert_eq!(crash, Some(0), "the crash has its test");
}

/// What satisfied a condition on one path is tried on others, and all values of a part of the input where a run is unusual.
#[test]
fn parts_of_inputs_are_taken_over_and_swept() {
    for (strategy, engines) in [("cover", &["graft"][..]), ("bfs", &["graft", "sweep"])] {
        let Some(found) = explored("parts.c", Setup::default(), &settings(strategy, true)) else { return };
        assert_eq!(found.stop_reason, StopReason::Explored);
        for &engine in engines {
            let from_it = |test: &Test| matches!(test.origin, TestOrigin::Partial(_, by) if by == engine);
            assert!(found.tests.iter().any(from_it), "{engine}");
        }
    }
}

/// The time is kept although runs and queries could go on for much longer.
#[test]
fn the_time_limit_holds() {
    let setup = Setup { stdin: 64, ..Setup::default() };
    let time_limit = Some(Duration::from_millis(300));
    for partials in [true, false] {
        let settings = SearchSettings { time_limit, ..settings("cover", partials) };
        let Some(found) = explored("endless.c", setup.clone(), &settings) else { return };
        assert_eq!(found.stop_reason, StopReason::Time);
        // Generous, for a loaded machine: without a look at the clock a single run takes minutes.
        assert!(found.time < Duration::from_secs(5), "{:?}", found.time);
    }
}

/// A failing assertion is a crash at its line, with the input that makes it fail.
#[test]
fn a_failing_assertion_is_found_at_its_line() {
    let Some(module) = compiled("assertion.c", None) else { return };
    let program = Program::load(&module, Setup::default()).expect("the module fits the world");
    let found = explore(&program, &settings("cover", true), &mut |_| {});
    assert_eq!(found.crashes.len(), 1, "{:?}", found.crashes);
    let crash = &found.crashes[0];
    assert_eq!(crash.ending, Ending::Assertion);
    let frames = program.frames(&crash.stack);
    let line = frames.iter().find_map(|frame| frame.line.as_ref()).map(ToString::to_string);
    assert!(line.as_deref().is_some_and(|line| line.ends_with("assertion.c:13")), "{line:?}");
    let bytes = |name: &str| {
        let objects = &found.tests[crash.test].run.objects;
        let object = objects.iter().find(|object| object.name == name).expect(name);
        u32::from_le_bytes(object.bytes[..4].try_into().expect("four bytes"))
    };
    // What the assertion says, in arithmetic of this machine.
    assert_eq!(bytes("x").wrapping_mul(7).wrapping_add(bytes("y")), 1_000_003);
}

/// A standard library of Rust for WASI is a rare thing to have: where there is none, what to do about it is said.
#[test]
fn panics_of_rust_have_their_lines() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/panics.rs");
    let files = [file];
    let project = clang::Project { files: &files, entry: None, flags: &[], checks: false, units: &[] };
    let module = match front::module(&project) {
        Ok(module) => module,
        Err(front::Error::Rust(error @ rust::Error::Missing { .. })) => {
            let text = error.to_string();
            assert!(text.contains("rustup target add") && text.contains("libstd-rust-dev-wasm32"), "{text}");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let program = Program::load(&module, Setup { stdin: 2, ..Setup::default() }).expect("it fits the world");
    let found = explore(&program, &settings("cover", true), &mut |_| {});
    let own = |stack: &[explore::Site]| {
        let frames = program.frames(stack);
        let lines = frames.iter().filter_map(|frame| frame.line.as_ref());
        lines.filter(|line| line.file.ends_with("panics.rs")).map(|line| line.line).next()
    };
    let crashes: BTreeSet<(String, Option<u32>)> =
        found.crashes.iter().map(|crash| (crash.ending.to_string(), own(&crash.stack))).collect();
    let wanted = [5, 13].map(|line| ("panic".to_string(), Some(line)));
    assert_eq!(crashes, BTreeSet::from(wanted));
}
