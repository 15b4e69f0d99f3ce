//! The checks against programs whose wrong lines are marked: every error is found with its kind and line, and there is no other.

use explore::search::{SearchSettings, explore};
use explore::world::{Input, Setup};
use explore::{Program, Target, clang};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checks").join(name)
}

fn compiled(files: &[PathBuf], checks: bool) -> Vec<u8> {
    let project = clang::Project { files, entry: None, flags: &[], checks, units: &[] };
    clang::compile(&project).unwrap_or_else(|error| panic!("{error}"))
}

/// A kind of error and a line.
type Place = (String, u32);

/// The marks in a file: `// ! kind` at the end of a line, several of them if the line goes wrong in several ways.
fn marks(text: &str) -> BTreeSet<Place> {
    let mut marks = BTreeSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some((_, kinds)) = line.split_once("// !") else { continue };
        marks.extend(kinds.split('!').map(|kind| (kind.trim().to_string(), number)));
    }
    marks
}

/// What an exploration finds: the kinds, each with the innermost line in the file itself.
fn found(name: &str, setup: Setup, seconds: u64) -> (BTreeSet<Place>, &'static str) {
    let path = file(name);
    let program = Program::load(&compiled(std::slice::from_ref(&path), true), setup)
        .expect("the module fits the world");
    let settings =
        SearchSettings { time_limit: Some(Duration::from_secs(seconds)), ..SearchSettings::default() };
    let found = explore(&program, &settings, &mut |_| ());
    let places = found.crashes.iter().map(|crash| {
        let frames = program.frames(&crash.stack);
        let own =
            frames.iter().find_map(|frame| frame.line.as_ref().filter(|line| line.file.ends_with(name)));
        (crash.ending.to_string(), own.map_or(0, |line| line.line))
    });
    (places.collect(), found.stop_reason.word())
}

#[track_caller]
fn assert_found(name: &str, setup: Setup) {
    let text = std::fs::read_to_string(file(name)).expect("the file is there");
    let (wanted, (found, stop)) = (marks(&text), found(name, setup, 60));
    let show = |places: Vec<&Place>| {
        places.iter().map(|(kind, line)| format!("\n  {kind} in line {line}")).collect::<String>()
    };
    let missing = show(wanted.difference(&found).collect());
    let false_alarms = show(found.difference(&wanted).collect());
    assert!(missing.is_empty() && false_alarms.is_empty(), "{stop}; missing:{missing}\nfalse:{false_alarms}");
}

#[test]
fn errors_of_the_heap() {
    assert_found("heap.c", Setup { stdin: 5, leaks: true, ..Setup::default() });
}

#[test]
fn errors_of_locals_globals_and_pointers() {
    assert_found("places.c", Setup { stdin: 3, ..Setup::default() });
}

#[test]
fn an_access_that_misses_by_far_is_attributed_to_the_object_that_it_missed() {
    assert_found("far.c", Setup { stdin: 5, ..Setup::default() });
}

#[test]
fn undefined_behaviour() {
    assert_found("undefined.c", Setup { stdin: 10, ..Setup::default() });
}

#[test]
fn long_jumps_leave_calls() {
    assert_found("jump.c", Setup { stdin: 2, ..Setup::default() });
}

#[test]
fn errors_of_cpp() {
    assert_found("classes.cc", Setup { stdin: 3, ..Setup::default() });
}

#[test]
fn exceptions_are_caught() {
    assert_found("caught.cc", Setup { stdin: 2, ..Setup::default() });
}

#[test]
fn threads_of_cpp_run_one_after_the_other() {
    assert_found("threads.cc", Setup { stdin: 2, ..Setup::default() });
}

#[test]
fn threads_take_turns() {
    assert_found("turns.c", Setup { stdin: 2, ..Setup::default() });
}

#[test]
fn errors_within_headers_of_libraries_belong_to_who_uses_them() {
    assert_found("libraries.cc", Setup { stdin: 2, ..Setup::default() });
}

#[test]
fn files_folders_and_time_zones_are_as_natively() {
    assert_found("files.cc", Setup { files: vec![("data/in.txt".into(), 6)], ..Setup::default() });
}

#[test]
fn errors_beside_what_is_almost_the_same_and_right() {
    assert_found("mixed.c", Setup { stdin: 6, ..Setup::default() });
}

#[test]
fn structures_passed_by_value_are_no_error() {
    assert_found("by_value.c", Setup { stdin: 2, ..Setup::default() });
}

#[test]
fn a_harness_is_explored_as_it_is() {
    assert_found("harness.c", Setup { stdin: 8, ..Setup::default() });
}

#[test]
fn an_environment_and_the_length_of_the_input_are_symbolic() {
    let setup = Setup { stdin: 6, sized: true, env: vec![("MODE".into(), 4)], ..Setup::default() };
    let program = Program::load(&compiled(&[file("surroundings.c")], true), setup).expect("it fits");
    let size = |bytes: &[u8]| {
        Input::from([
            ("stdin".to_string(), bytes.to_vec()),
            ("stdin.size".to_string(), (bytes.len() as u32).to_le_bytes().to_vec()),
        ])
    };
    let settings = SearchSettings {
        first: size(b"abc"),
        time_limit: Some(Duration::from_secs(20)),
        ..SearchSettings::default()
    };
    let found = explore(&program, &settings, &mut |_| ());
    let lengths: BTreeSet<&str> =
        found.tests.iter().filter_map(|test| std::str::from_utf8(&test.run.stdout).ok()).collect();
    assert!(lengths.contains("3\n"), "the seed as it is: {lengths:?}");
    assert!(lengths.len() > 2, "other lengths: {lengths:?}");
    assert!(lengths.contains("fast\n"), "the variable: {lengths:?}");
}

/// The planted bug of these tests: without the checks none of the errors of the heap is noticed.
#[test]
fn without_checks_the_heap_is_silent() {
    let setup = Setup { stdin: 5, ..Setup::default() };
    let program =
        Program::load(&compiled(&[file("heap.c")], false), setup).expect("the module fits the world");
    let settings = SearchSettings { time_limit: Some(Duration::from_secs(5)), ..SearchSettings::default() };
    let found = explore(&program, &settings, &mut |_| ());
    let noticed = found.crashes.iter().map(|crash| crash.ending.to_string());
    assert_eq!(noticed.filter(|kind| kind.contains("heap") || kind.contains("free")).count(), 0);
}
