//! Every command when its surroundings are against it: a disk that is full, a reader that went away, a place where nothing can be
//! written, a signal at some moment. Nothing panics, what cannot be written is named, and the exit codes are those of the page.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A command with its arguments.
struct Row {
    words: &'static [&'static str],
    /// What it writes when everything is well, if it writes files.
    writes: Option<&'static str>,
    /// The option or argument that says where, to be sent elsewhere.
    place: Option<&'static str>,
}

const fn row(words: &'static [&'static str]) -> Row {
    Row { words, writes: None, place: None }
}

const fn writing(words: &'static [&'static str], writes: &'static str, place: &'static str) -> Row {
    Row { words, writes: Some(writes), place: Some(place) }
}

static ROWS: &[Row] = &[
    row(&["check", "a.smt2", "b.smt2"]),
    row(&["fmt", "a.smt2"]),
    row(&["eval", "a.smt2", "--model", "model"]),
    writing(&["solve", "c.smt2", "--no-independence", "--partials", "p.jsonl"], "p.jsonl", "p.jsonl"),
    writing(&["race", "a.smt2", "--solver", "z3", "--csv", "race.csv"], "race.csv", "race.csv"),
    row(&["bisect", "a.smt2", "--solver", "z3"]),
    row(&["solver", "list"]),
    writing(
        &["fuzz", "truth", "--solver", "z3", "--tests", "40", "--jobs", "1", "--out", "run"],
        "run/state.json",
        "run",
    ),
    writing(
        &[
            "reduce",
            "a.smt2",
            "--solver",
            "./liar.sh",
            "--reference",
            "z3",
            "--jobs",
            "1",
            "--out",
            "small.smt2",
        ],
        "small.smt2",
        "small.smt2",
    ),
    row(&["coverage", "build-help"]),
    writing(
        &["explore", "a.wat", "--out", "explored-again"],
        "explored-again/summary.json",
        "explored-again",
    ),
    row(&["replay", "explored"]),
    writing(
        &["campaign", "run", "--tests", "20", "--jobs", "1", "--time-limit", "30"],
        "campaign/campaign.db",
        "campaign.toml",
    ),
    row(&["worker", "--broker", "nats://127.0.0.1:1"]),
    row(&["serve", "explored", "--listen", "127.0.0.1:0"]),
    writing(&["report", "explored", "--out", "site"], "site/index.html", "site"),
    row(&["explain", "E101"]),
    row(&["completions", "bash"]),
    writing(&["man", "pages"], "pages/soundline.1", "pages"),
];

/// Something that is not solved at once.
const PARTIALS: &str =
    "(declare-const x Int)(declare-const y Int)(assert (> (+ x (* 2 y)) 10))(assert (< (- x y) 3))
    (assert (> (- (* 3 x) y) 4))(assert (< (+ x y) 13))(check-sat)\n";
/// A program that crashes on one of many inputs.
const PROGRAM: &str = r#"(module (import "soundline" "sl_symbolic" (func $s (param i32 i32 i32))) (memory (export "memory") 1) (data (i32.const 9) "x\00")
    (func (export "_start") (call $s (i32.const 0) (i32.const 4) (i32.const 9))
      (if (i32.eq (i32.load (i32.const 0)) (i32.const 7)) (then unreachable))))"#;
const CAMPAIGN: &str = "[campaign]\nname = \"x\"\n[[target]]\nsolver = \"z3\"\n[references]\nsolvers = [\"z3\"]\n[[strategy]]\nname = \"truth\"\n";

/// A new folder with everything that the rows name.
fn place() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        ("a.smt2", "(declare-const x Int)(assert (> x 1))(check-sat)\n"),
        ("b.smt2", "(declare-const y Int)(assert (< y 1))(check-sat)\n"),
        ("c.smt2", PARTIALS),
        ("model", "((define-fun x () Int 2))"),
        ("a.wat", PROGRAM),
        ("campaign.toml", CAMPAIGN),
        ("liar.sh", "#!/bin/sh\ncat > /dev/null\necho unsat\n"),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("written");
    }
    fs::set_permissions(folder.path().join("liar.sh"), PermissionsExt::from_mode(0o755)).expect("executable");
    let run = ready(folder.path(), &["explore", "a.wat", "--out", "explored"]).output().expect("it runs");
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    folder
}

fn ready(folder: &Path, words: &[&str]) -> Command {
    at(folder, Command::new(env!("CARGO_BIN_EXE_soundline")), words)
}

fn at(folder: &Path, mut command: Command, words: &[&str]) -> Command {
    command.args(words).current_dir(folder).env("SOUNDLINE_HOME", folder.join("home")).stdin(Stdio::null());
    // No release is fetched: the package index is empty.
    command.env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", folder);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What holds whatever happens.
fn is_sound(row: &Row, run: &Output) {
    let errors = text(&run.stderr);
    assert!(
        !errors.contains("panicked") && !errors.contains("defect of soundline"),
        "{:?}: {errors}",
        row.words
    );
    assert!(matches!(run.status.code(), Some(0..=3 | 130)) || signalled(run), "{:?}: {run:?}", row.words);
}

fn signalled(run: &Output) -> bool {
    use std::os::unix::process::ExitStatusExt;
    run.status.signal() == Some(15)
}

/// Ends it if it does not end by itself, as the page does not.
fn output(mut command: Command, patience: Duration) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let number = child.id().to_string();
    let (done, waiting) = std::sync::mpsc::channel::<()>();
    let killer = std::thread::spawn(move || {
        if waiting.recv_timeout(patience) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            Command::new("kill").args(["-TERM", &number]).status().expect("kill runs");
        }
    });
    let run = child.wait_with_output().expect("it ends");
    drop(done);
    killer.join().expect("it does not panic");
    run
}

fn patience(row: &Row) -> Duration {
    Duration::from_secs(if row.words[0] == "serve" { 1 } else { 120 })
}

#[test]
fn every_command_has_a_row_and_works_where_nothing_is_wrong() {
    let help = ready(Path::new("/"), &["--help"]).output().expect("the binary runs");
    let commands: Vec<String> = text(&help.stdout)
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.trim().is_empty())
        .filter_map(|line| Some(line.strip_prefix("  ")?.split_whitespace().next()?.to_string()))
        .filter(|name| name != "help" && name.chars().all(|c| c.is_ascii_lowercase()))
        .collect();
    assert!(commands.len() > 14);
    for command in commands {
        assert!(ROWS.iter().any(|row| row.words[0] == command), "no row for {command}");
    }
    let folder = place();
    for row in ROWS.iter().filter(|row| row.writes.is_some()) {
        let run = output(ready(folder.path(), row.words), patience(row));
        is_sound(row, &run);
        let wanted = row.writes.expect("filtered");
        assert!(folder.path().join(wanted).exists(), "{:?}: {}", row.words, text(&run.stderr));
    }
}

#[test]
fn a_full_disk_is_said() {
    let folder = place();
    for row in ROWS {
        // No file can grow: what a full disk is, without one. Standard output is a pipe and not concerned.
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_soundline")]);
        let run = output(at(folder.path(), shell, row.words), patience(row));
        is_sound(row, &run);
        if let Some(writes) = row.writes {
            let errors = text(&run.stderr);
            assert_eq!(run.status.code(), Some(3), "{:?}: {errors}", row.words);
            let top = writes.split('/').next().unwrap_or(writes);
            assert!(errors.contains(top), "{:?} does not name {top}: {errors}", row.words);
        }
    }
}

#[test]
fn a_reader_that_went_away_is_no_failure() {
    let folder = place();
    for row in ROWS {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = ready(folder.path(), row.words).stdout(writer).stderr(Stdio::piped()).spawn();
        let run = child.expect("the binary runs").wait_with_output().expect("it ends");
        is_sound(row, &run);
        assert!(matches!(run.status.code(), Some(0..=2)), "{:?}: {run:?}", row.words);
    }
}

#[test]
fn a_place_where_nothing_can_be_written_is_named() {
    let folder = place();
    for row in ROWS {
        let Some(place) = row.place else { continue };
        // Below a file there is no folder, not even for root.
        let words: Vec<&str> =
            row.words.iter().map(|word| if *word == place { "a.smt2/below" } else { *word }).collect();
        if row.words[0] == "campaign" {
            fs::write(
                folder.path().join("campaign.toml"),
                CAMPAIGN.replace("name = \"x\"", "name = \"x\"\nstore = \"a.smt2/below\""),
            )
            .expect("written");
        }
        let started = Instant::now();
        let run = output(ready(folder.path(), &words), patience(row));
        is_sound(row, &run);
        let errors = text(&run.stderr);
        assert!(matches!(run.status.code(), Some(2 | 3)), "{words:?}: {errors}");
        assert!(errors.contains("a.smt2/below"), "{words:?}: {errors}");
        assert!(started.elapsed() < Duration::from_secs(60), "{words:?} found out late");
    }
}

#[test]
fn a_signal_at_any_moment_ends_every_command() {
    let folder = place();
    let mut random = 9_u64;
    for row in ROWS {
        // Longer than usual, so that the signal comes while it is at work.
        let mut words = row.words.to_vec();
        if let Some(at) = words.iter().position(|word| *word == "--tests") {
            words[at + 1] = "1000000";
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moment = Duration::from_millis(random >> 54);
        let started = Instant::now();
        let run = output(ready(folder.path(), &words), moment);
        is_sound(row, &run);
        assert!(started.elapsed() < Duration::from_secs(60), "{words:?}: {run:?}");
    }
}
