//! The files of `regressions/`: each is a bug that Soundline once had. The head of a file says how it is run and what must come of it
//! (`regressions/README.md`); this test knows nothing else about it. A missing compiler fails the test.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What a file may take, in seconds: far more than any needs, so that a busy machine fails nothing.
const LIMIT: Duration = Duration::from_secs(60);

/// What lines of a head begin with.
const MARKS: [&str; 3] = [";; ", "; ", "// "];

/// The head of a file.
#[derive(Debug, Default)]
struct Head {
    bug: bool,
    cause: bool,
    run: String,
    exit: i32,
    expect: Vec<String>,
    never: Vec<String>,
}

fn head(path: &Path, text: &str) -> Head {
    let mut head = Head::default();
    for line in text.lines() {
        let Some(line) = MARKS.iter().find_map(|mark| line.strip_prefix(mark)) else { break };
        match line.split_once(": ") {
            Some(("Bug", _)) => head.bug = true,
            Some(("Cause", _)) => head.cause = true,
            Some(("Run", arguments)) => head.run = arguments.into(),
            Some(("Exit", code)) => head.exit = code.parse().expect("an exit code"),
            Some(("Expect", part)) => head.expect.push(part.into()),
            Some(("Never", part)) => head.never.push(part.into()),
            _ => assert!(head.bug, "{}: the head begins with `Bug:`", path.display()),
        }
    }
    if head.run.is_empty() && path.extension().is_some_and(|extension| extension == "smt2") {
        head.run = "solve {file}".into();
    }
    head
}

/// What is wrong with a file's run; empty if nothing is.
fn failures(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let head = head(path, &text);
    let mut wrong = String::new();
    if !(head.bug && head.cause && !head.run.is_empty()) {
        return format!("{}: the head lacks `Bug:`, `Cause:` or `Run:`\n", path.display());
    }
    // A file that promises nothing cannot fail.
    let promises = !head.expect.is_empty() || !head.never.is_empty() || head.exit != 0;
    if !promises && !text.contains("\n(set-info :status ") {
        return format!("{}: promises neither a status nor an output\n", path.display());
    }
    let folder = path.parent().unwrap().display().to_string();
    let arguments = head
        .run
        .split_whitespace()
        .map(|word| word.replace("{file}", &path.display().to_string()).replace("{folder}", &folder));
    let scratch = tempfile::tempdir().unwrap();
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_soundline"))
        .args(arguments)
        .current_dir(scratch.path())
        .output()
        .unwrap();
    let printed =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    // `fmt` keeps the head.
    let printed: String = printed
        .split_inclusive('\n')
        .filter(|line| !MARKS.iter().any(|mark| line.starts_with(mark)))
        .collect();
    let mut blame = |what: String| writeln!(wrong, "{}: {what}", path.display()).unwrap();
    if output.status.code() != Some(head.exit) {
        blame(format!("exit code {:?} instead of {}", output.status.code(), head.exit));
    }
    if start.elapsed() > LIMIT {
        blame(format!("took {:?}", start.elapsed()));
    }
    for part in head.expect.iter().filter(|part| !printed.contains(part.as_str())) {
        blame(format!("the output lacks {part:?}"));
    }
    for part in head.never.iter().filter(|part| printed.contains(part.as_str())) {
        blame(format!("the output has {part:?}"));
    }
    if head.run.starts_with("solve") && head.exit == 0 {
        let promised: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("(set-info :status ")?.strip_suffix(')'))
            .collect();
        let answers: Vec<&str> =
            printed.lines().filter(|line| ["sat", "unsat", "unknown"].contains(line)).collect();
        if promised.is_empty() || promised != answers {
            blame(format!("promises {promised:?}, answers {answers:?}"));
        }
    }
    if !wrong.is_empty() {
        writeln!(wrong, "{printed}").unwrap();
    }
    wrong
}

fn all_pass(extension: &str, at_least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../regressions").canonicalize().unwrap();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    assert!(files.len() >= at_least, "only {} files", files.len());
    let wrong: String = files.iter().map(|path| failures(path)).collect();
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn scripts_stay_right() {
    all_pass("smt2", 20);
}

#[test]
fn modules_stay_right() {
    all_pass("wat", 3);
}

#[test]
fn c_programs_stay_right() {
    all_pass("c", 6);
}

#[test]
fn java_programs_stay_right() {
    all_pass("java", 3);
}

#[test]
fn a_file_without_a_promise_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.smt2");
    std::fs::write(&path, "; Bug: planted\n; Cause: planted\n; Run: check {file}\n(set-logic QF_LIA)\n")
        .unwrap();
    assert!(failures(&path).contains("promises neither"), "{}", failures(&path));
}

/// The test can fail: a head that promises another verdict, text or exit code is blamed for each.
#[test]
fn a_wrong_promise_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.smt2");
    let text = "; Bug: planted\n; Cause: planted\n; Exit: 0\n; Expect: never printed\n; Never: unsat\n\
        (set-logic QF_LIA)\n(assert (> 0 1))\n(set-info :status sat)\n(check-sat)\n";
    std::fs::write(&path, text).unwrap();
    let wrong = failures(&path);
    for part in ["lacks \"never printed\"", "has \"unsat\"", "promises [\"sat\"], answers [\"unsat\"]"] {
        assert!(wrong.contains(part), "{part} is not in\n{wrong}");
    }
}
