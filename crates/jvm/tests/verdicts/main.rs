//! Programs with a known verdict, in the manner of SV-COMP's Java tasks: algorithms, data structures, exceptions, text, input.
//!
//! The first line of each file of `java/` is the verdict: `// holds`, where an exploration has to end with every path run and no crash, or
//! `// fails: CLASS`, where the first crash has to be by this exception and to be shown again by a real `java`. After `// open: ` stands a
//! verdict that an exploration does not come to in the time of a test: then it must not come to the other one. `// stdin: N` gives a
//! program that many bytes of standard input.

use explore::search::{self, Exploration, SearchSettings, StopReason};
use explore::target::{Ending, ObjectKind};
use explore::world::Setup;
use jvm::archive::ClassSource;
use jvm::program::Program;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Far more than any of the programs takes on a machine that does nothing else.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// For programs whose verdict is not expected.
const OPEN_TIME_LIMIT: Duration = Duration::from_secs(2);

struct Task {
    name: String,
    /// Whether the time of a test is not enough for the verdict.
    is_open: bool,
    /// The exception that the program fails by; none if it holds.
    fails: Option<String>,
    stdin: usize,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts")
}

fn tasks() -> Vec<Task> {
    let mut tasks = Vec::new();
    for entry in std::fs::read_dir(folder().join("java")).expect("the programs are there") {
        let path = entry.expect("readable").path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_string();
        let text = std::fs::read_to_string(&path).expect("readable");
        let line = |prefix: &str| text.lines().find_map(|line| line.strip_prefix(prefix).map(str::to_string));
        let verdict = text.lines().next().and_then(|line| line.strip_prefix("// ")).unwrap_or_default();
        let (is_open, verdict) = match verdict.strip_prefix("open: ") {
            Some(verdict) => (true, verdict),
            None => (false, verdict),
        };
        let fails = verdict.strip_prefix("fails: ").map(str::to_string);
        assert!(fails.is_some() || verdict == "holds", "{name} begins with its verdict");
        let stdin = line("// stdin: ").map_or(0, |size| size.parse().expect("a size"));
        tasks.push(Task { name, is_open, fails, stdin });
    }
    tasks.sort_by(|a, b| a.name.cmp(&b.name));
    tasks
}

/// Compiles files with the classes that ask for inputs into a folder of its own.
fn compile(files: &[PathBuf]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let status = Command::new("javac")
        .args(["-g", "-nowarn", "-Xlint:none", "-sourcepath"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("java"))
        .arg("-d")
        .arg(folder.path())
        .args(files)
        .status()
        .expect("javac (Debian: openjdk-17-jdk-headless) is installed");
    assert!(status.success(), "the programs compile");
    folder
}

/// The classes of one program out of all.
fn classes(folder: &Path, name: &str) -> BTreeMap<String, Vec<u8>> {
    let belongs =
        |class: &str| class == name || class.contains('/') || class.starts_with(&format!("{name}$"));
    let all = ClassSource::Folder(folder.to_path_buf()).classes();
    let own = all.into_iter().filter(|class| belongs(class));
    own.map(|class| {
        let bytes = std::fs::read(folder.join(format!("{class}.class"))).expect("a class");
        (class, bytes)
    })
    .collect()
}

/// Explores a program until it crashes or nothing is left.
fn explore(classes: BTreeMap<String, Vec<u8>>, task: &Task) -> Exploration {
    let setup = Setup { stdin: task.stdin, ..Setup::default() };
    let program = Program::load(vec![ClassSource::Memory(classes)], setup, &task.name, None)
        .unwrap_or_else(|error| panic!("{}: {error}", task.name));
    let time_limit = if task.is_open { OPEN_TIME_LIMIT } else { TIME_LIMIT };
    let settings = SearchSettings { time_limit: Some(time_limit), ..SearchSettings::default() };
    let stop = settings.stop.clone();
    search::explore(&program, &settings, &mut |progress| {
        if !progress.crashes.is_empty() {
            stop.store(true, Ordering::Relaxed);
        }
    })
}

/// What is wrong with an exploration's verdict.
fn complaint(task: &Task, found: &Exploration) -> Option<String> {
    let crash = found.crashes.first().map(|crash| match crash.ending {
        Ending::Assertion => "java.lang.AssertionError".to_string(),
        other => other.to_string(),
    });
    let is_explored = found.stop_reason == StopReason::Explored;
    if crash == task.fails && (crash.is_some() || is_explored) {
        return None;
    }
    if task.is_open && crash.is_none() && !is_explored {
        return None;
    }
    let mut endings: Vec<String> = found.tests.iter().map(|test| test.run.ending.to_string()).collect();
    endings.sort();
    endings.dedup();
    Some(format!(
        "{}: {crash:?} instead of {:?}, {:?} after {} paths and {:?}; runs ended as {endings:?}",
        task.name, task.fails, found.stop_reason, found.counters.paths, found.time
    ))
}

/// Explores all tasks of a kind, two at a time. The explorations come back in the order of the names.
fn explore_all(tasks: &[Task]) -> Vec<Exploration> {
    let files: Vec<PathBuf> =
        tasks.iter().map(|task| folder().join("java").join(format!("{}.java", task.name))).collect();
    let compiled = compile(&files);
    let (queue, found) = (Mutex::new((0..tasks.len()).collect::<Vec<_>>()), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(number) = queue.lock().expect("no panic").pop() else { return };
                    let task = &tasks[number];
                    let exploration = explore(classes(compiled.path(), &task.name), task);
                    found.lock().expect("no panic").insert(number, exploration);
                }
            });
        }
    });
    found.into_inner().expect("no panic").into_values().collect()
}

#[test]
fn what_holds_is_explored_without_a_crash() {
    let tasks: Vec<Task> = tasks().into_iter().filter(|task| !task.is_open && task.fails.is_none()).collect();
    assert!(tasks.len() >= 25, "{}", tasks.len());
    let found = explore_all(&tasks);
    let complaints: Vec<String> =
        tasks.iter().zip(&found).filter_map(|(task, found)| complaint(task, found)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn what_is_open_is_not_called_otherwise() {
    let tasks: Vec<Task> = tasks().into_iter().filter(|task| task.is_open).collect();
    let found = explore_all(&tasks);
    let complaints: Vec<String> =
        tasks.iter().zip(&found).filter_map(|(task, found)| complaint(task, found)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The test can fail: an exploration of a program that fails is no proof that it holds, nor that it fails in another way.
#[test]
fn a_wrong_promise_is_noticed() {
    let task = |fails: Option<&str>, is_open| Task {
        name: "AbsoluteValue".to_string(),
        is_open,
        fails: fails.map(str::to_string),
        stdin: 0,
    };
    let found = explore_all(&[task(None, false)]).remove(0);
    assert_eq!(complaint(&task(Some("java.lang.AssertionError"), false), &found), None);
    assert!(complaint(&task(None, false), &found).is_some());
    assert!(complaint(&task(None, true), &found).is_some());
    assert!(complaint(&task(Some("java.lang.ArithmeticException"), false), &found).is_some());
}

#[test]
fn what_fails_is_found_and_fails_on_a_real_java() {
    let tasks: Vec<Task> = tasks().into_iter().filter(|task| !task.is_open && task.fails.is_some()).collect();
    assert!(tasks.len() >= 30, "{}", tasks.len());
    let found = explore_all(&tasks);
    let complaints: Vec<String> =
        tasks.iter().zip(&found).filter_map(|(task, found)| complaint(task, found)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    // One line a task: the class, and its input as NAME=HEX.
    let mut cases = String::new();
    for (task, found) in tasks.iter().zip(&found) {
        cases.push_str(&task.name);
        let run = &found.tests[found.crashes[0].test].run;
        let size = run.objects.iter().find(|object| object.kind.word() == "size");
        let size = size.and_then(|object| object.bytes.first_chunk()).map(|size| u32::from_le_bytes(*size));
        for object in run.objects.iter().filter(|object| object.kind.word() != "size") {
            let most = if object.kind == ObjectKind::Stdin { size } else { None }.unwrap_or(u32::MAX);
            let bytes = object.bytes.iter().take(most as usize);
            let hex: String = bytes.map(|byte| format!("{byte:02x}")).collect();
            cases.push_str(&format!(" {}={hex}", object.name));
        }
        cases.push('\n');
    }
    let files: Vec<PathBuf> = tasks
        .iter()
        .map(|task| folder().join("java").join(format!("{}.java", task.name)))
        .chain([folder().join("Replay.java")])
        .collect();
    let compiled = compile(&files);
    std::fs::write(compiled.path().join("cases"), cases).expect("written");
    let output = Command::new("java")
        .args(["-ea", "-cp"])
        .arg(compiled.path())
        .arg("Replay")
        .arg(compiled.path())
        .output()
        .expect("java (Debian: openjdk-17-jdk-headless) is installed");
    let told = String::from_utf8_lossy(&output.stdout);
    let expected: Vec<String> = tasks
        .iter()
        .map(|task| format!("{} {}", task.name, task.fails.as_deref().unwrap_or_default()))
        .collect();
    let found: Vec<&str> = told.lines().collect();
    assert_eq!(found, expected, "{}", String::from_utf8_lossy(&output.stderr));
}
