//! What commands write, when the surroundings are against them: folders of others, full disks, closed pipes, signals.

use serde_json::Value as Json;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn soundline(args: &[&str]) -> Output {
    command(args).output().expect("the binary runs")
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soundline"));
    command.args(args);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Endlessly many paths: a loop over bytes of standard input, with a branch on each.
const ENDLESS: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\10\00\00\00\00\04\00\00")
  (func (export "_start") (local $i i32) (local $n i32)
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
    (loop $next
      (if (i32.gt_u (i32.load8_u offset=16 (local.get $i)) (i32.const 100))
        (then (local.set $n (i32.add (local.get $n) (i32.const 1)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (i32.const 64))))
    (if (i32.eq (local.get $n) (i32.const 3)) (then (unreachable)))))"#;

const SCRIPT: &str = "(declare-const x Int)(assert (> x 1))(check-sat)\n";

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(dir.path().join("endless.wat"), ENDLESS).expect("written");
        fs::write(dir.path().join("a.smt2"), SCRIPT).expect("written");
        Place { dir }
    }

    fn path(&self, name: &str) -> String {
        self.dir.path().join(name).display().to_string()
    }
}

/// All files below a folder with what they hold.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path)
            } else {
                all.push((path.clone(), fs::read(path).expect("a file")))
            }
        }
    }
    all.sort();
    all
}

fn tests_in(folder: &str) -> usize {
    let listed = fs::read_dir(Path::new(folder).join("tests"));
    listed.map_or(0, |entries| {
        entries
            .filter(|e| e.as_ref().is_ok_and(|e| e.file_name().to_string_lossy().ends_with(".json")))
            .count()
    })
}

/// Every command that writes a folder, on one with files of another program.
#[test]
fn folders_of_others_are_refused_and_untouched() {
    let place = Place::new();
    let mine = place.dir.path().join("mine");
    for name in ["tests/a.c", "coverage/b", "crashes/c", "findings/d", "state.json", "population/e.smt2"] {
        let path = mine.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, "mine").expect("written");
    }
    let before = contents(&mine);
    let (out, program, seeds) = (mine.display().to_string(), place.path("endless.wat"), place.path("a.smt2"));
    let rows: [&[&str]; 4] = [
        &["explore", &program, "--tests", "1"],
        &["explore", &program, "--tests", "1", "--fresh"],
        &["fuzz", "truth", "--solver", "z3", "--tests", "1"],
        &["fuzz", "approx", "--solver", "z3", "--tests", "1", "--seeds", &seeds],
    ];
    for row in rows {
        for out in [out.as_str(), "."] {
            let run = command(row).args(["--out", out]).current_dir(&mine).output().expect("the binary runs");
            assert_eq!(run.status.code(), Some(2), "{row:?}: {}", text(&run.stderr));
            assert!(text(&run.stderr).contains("no folder of soundline's"), "{row:?}: {}", text(&run.stderr));
            assert_eq!(contents(&mine), before, "{row:?}");
        }
    }
    let run =
        soundline(&["fuzz", "evolve", "--solver", "z3", "--reference", "z3", "--tests", "1", "--out", &out]);
    assert_eq!(run.status.code(), Some(2), "{}", text(&run.stderr));
    assert_eq!(contents(&mine), before);
}

#[test]
fn exploring_again_adds_and_fresh_replaces_only_ours() {
    let place = Place::new();
    let (program, out) = (place.path("endless.wat"), place.path("out"));
    let explore = |more: &[&str]| {
        let run = command(&["explore", &program, "--stdin", "8", "--all-tests", "--json", "--out", &out])
            .args(more)
            .output()
            .expect("it runs");
        let summary: Json = serde_json::from_slice(&run.stdout).unwrap_or_default();
        (run.status.code(), summary["tests"].as_u64(), text(&run.stderr))
    };
    let (_, first, errors) = explore(&["--tests", "5"]);
    assert_eq!((first, tests_in(&out)), (Some(5), 5), "{errors}");
    let stored = fs::read(Path::new(&out).join("tests/000003.json")).expect("a test");
    fs::write(Path::new(&out).join("tests/notes.txt"), "mine").expect("written");
    let (_, second, errors) = explore(&["--tests", "9", "--search", "dfs", "--seed", "4"]);
    assert_eq!((second, tests_in(&out)), (Some(9), 9), "{errors}");
    assert_eq!(fs::read(Path::new(&out).join("tests/000003.json")).expect("a test"), stored);
    let (code, _, errors) = explore(&["--tests", "2", "--arg", "3"]);
    assert!(code == Some(2) && errors.contains("another program or setup"), "{errors}");
    assert_eq!(tests_in(&out), 9);
    let (_, fresh, errors) = explore(&["--tests", "2", "--fresh"]);
    assert_eq!((fresh, tests_in(&out)), (Some(2), 2), "{errors}");
    assert!(Path::new(&out).join("tests/notes.txt").exists());
}

/// Starts an exploration without an end, and waits until it has written some tests.
fn started(place: &Place, out: &str) -> std::process::Child {
    let mut child = command(&[
        "explore",
        "--all-tests",
        &place.path("endless.wat"),
        "--stdin",
        "60",
        "--time-limit",
        "300",
        "--out",
        out,
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("the binary runs");
    let start = Instant::now();
    while tests_in(out) < 5 {
        assert!(start.elapsed() < Duration::from_secs(120), "no test was written");
        assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::yield_now();
    }
    child
}

fn signal(child: &std::process::Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
}

#[test]
fn signals_end_an_exploration_with_everything_written() {
    let place = Place::new();
    for name in ["-TERM", "-HUP", "-INT"] {
        let out = place.path(&format!("out{name}"));
        let child = started(&place, &out);
        signal(&child, name);
        let run = child.wait_with_output().expect("it ends");
        assert!(matches!(run.status.code(), Some(0 | 1)), "{name}: {run:?}");
        assert!(text(&run.stdout).starts_with("interrupted: "), "{name}: {}", text(&run.stdout));
        let summary: Json =
            serde_json::from_slice(&fs::read(Path::new(&out).join("summary.json")).expect("a summary"))
                .expect("JSON");
        assert_eq!(summary["stop_reason"], "interrupted");
        assert_eq!(summary["tests"], tests_in(&out));
    }
}

#[test]
fn a_killed_exploration_leaves_tests_that_can_be_replayed_and_added_to() {
    let place = Place::new();
    let out = place.path("out");
    let mut child = started(&place, &out);
    signal(&child, "-KILL");
    child.wait().expect("it ends");
    let written = tests_in(&out);
    let run = soundline(&["replay", &out, "--json"]);
    let replayed: Json = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(
        (&replayed["tests"], &replayed["divergences"]),
        (&written.into(), &0.into()),
        "{}",
        text(&run.stderr)
    );
    let more = (written + 3).to_string();
    soundline(&[
        "explore",
        &place.path("endless.wat"),
        "--stdin",
        "60",
        "--all-tests",
        "--tests",
        &more,
        "--out",
        &out,
    ]);
    assert!(tests_in(&out) >= written + 3);
}

/// A shell that lets the files of what it starts grow to some blocks of 512 bytes only: what a full disk is, without one.
fn cramped(blocks: u32, args: &[&str]) -> Output {
    Command::new("sh")
        .args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_soundline"))
        .args(args)
        .output()
        .expect("sh runs")
}

#[test]
fn a_full_disk_is_named_with_its_path() {
    let place = Place::new();
    let out = place.path("out");
    // A summary fits, and the module, but not the list of hundreds of tests.
    let run = cramped(
        16,
        &[
            "explore",
            &place.path("endless.wat"),
            "--stdin",
            "60",
            "--all-tests",
            "--time-limit",
            "60",
            "--out",
            &out,
        ],
    );
    assert_eq!(run.status.code(), Some(3), "{}", text(&run.stderr));
    assert!(text(&run.stderr).contains(&format!("cannot write {out}/")), "{}", text(&run.stderr));
    let written = tests_in(&out);
    let run = soundline(&["replay", &out, "--json"]);
    let replayed: Json = serde_json::from_slice(&run.stdout).expect("JSON");
    assert!(written > 3 && replayed["tests"] == written && replayed["divergences"] == 0, "{replayed:#}");

    let out = place.path("fuzz");
    let run = cramped(1, &["fuzz", "truth", "--solver", "z3", "--tests", "500", "--out", &out]);
    assert_eq!(run.status.code(), Some(3), "{}", text(&run.stderr));
    assert!(text(&run.stderr).contains(&format!("cannot write {out}/state.json")), "{}", text(&run.stderr));
}

#[test]
fn what_cannot_be_written_to_standard_output_is_a_failure() {
    let place = Place::new();
    let script = place.path("a.smt2");
    fs::write(place.path("model"), "((define-fun x () Int 2))").expect("written");
    let model = place.path("model");
    let rows: [&[&str]; 8] = [
        &["--help"],
        &["--version"],
        &["campaign", "run", "--help"],
        &["fmt", &script],
        &["check", &script],
        &["check", "--json", &script],
        &["eval", &script, "--model", &model],
        &["solve", &script],
    ];
    for row in rows {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let run = command(row).stdout(full).output().expect("the binary runs");
        assert_eq!(run.status.code(), Some(3), "{row:?}");
        assert!(text(&run.stderr).contains("error: cannot write standard output: No space left"), "{row:?}");

        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        let closed = command(row).stdout(writer).stderr(Stdio::piped()).spawn().expect("the binary runs");
        let mut first = [0; 1];
        reader.read_exact(&mut first).expect("something comes");
        drop(reader);
        let run = closed.wait_with_output().expect("it ends");
        assert!(run.status.code() == Some(0) && run.stderr.is_empty(), "{row:?}: {run:?}");
    }
}

#[test]
fn a_second_run_into_a_folder_goes_on_or_is_refused() {
    let place = Place::new();
    let out = place.path("out");
    let fuzz = |more: &[&str]| {
        let run = command(&["fuzz", "truth", "--solver", "z3", "--jobs", "1", "--json", "--out", &out])
            .args(more)
            .output()
            .expect("it runs");
        let summary: Json = serde_json::from_slice(&run.stdout).unwrap_or_default();
        (run.status.code(), summary["tests"].as_u64(), text(&run.stderr))
    };
    assert_eq!(fuzz(&["--tests", "1", "--resume"]).0, Some(2));
    assert_eq!(fuzz(&["--tests", "30"]).1, Some(30));
    let (_, tests, errors) = fuzz(&["--tests", "40"]);
    assert!(
        tests == Some(40) && errors.contains("30 tests and 0 findings of this run, which goes on"),
        "{errors}"
    );
    let state = fs::read(Path::new(&out).join("state.json")).expect("a state");
    for other in [&["--tests", "3", "--seed", "77"][..], &["--tests", "3", "--solver", "z3 -T:9"]] {
        let mut all = vec!["fuzz", "truth", "--jobs", "1", "--out", &out];
        if other.len() == 4 && other[2] != "--solver" {
            all.extend(["--solver", "z3"]);
        }
        let run = command(&all).args(other).output().expect("it runs");
        assert_eq!(run.status.code(), Some(2), "{other:?}: {}", text(&run.stderr));
        assert_eq!(fs::read(Path::new(&out).join("state.json")).expect("a state"), state);
    }
}

#[test]
fn a_corpus_grows_and_nothing_in_it_is_replaced() {
    let place = Place::new();
    let corpus = place.path("corpus");
    fs::create_dir(&corpus).expect("a folder");
    fs::write(Path::new(&corpus).join("mine"), "seed").expect("written");
    let explore = |more: &[&str]| {
        let words = [
            "explore",
            &place.path("endless.wat"),
            "--tests",
            "6",
            "--all-tests",
            "--no-native",
            "--corpus",
            &corpus,
        ];
        let run = command(&words).args(more).output().expect("it runs");
        assert!(matches!(run.status.code(), Some(0 | 1)), "{}", text(&run.stderr));
        contents(Path::new(&corpus))
    };
    let first = explore(&["--stdin", "64"]);
    assert!(first.len() > 1);
    assert_eq!(explore(&["--stdin", "64"]), first);
    let second = explore(&["--stdin", "63"]);
    assert!(first.iter().all(|file| second.contains(file)) && second.len() > first.len(), "{second:?}");

    // Where it cannot be written, nothing is explored first.
    let run = soundline(&[
        "explore",
        &place.path("endless.wat"),
        "--corpus",
        &place.path("a.smt2"),
        "--out",
        &place.path("out"),
    ]);
    assert!(matches!(run.status.code(), Some(2 | 3)), "{run:?}");
    assert!(
        text(&run.stderr).contains("a.smt2") && !Path::new(&place.path("out/summary.json")).exists(),
        "{run:?}"
    );
}
