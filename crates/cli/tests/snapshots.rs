//! Everything that people and programs read, as it is: help texts, errors, JSON documents, tables, reports. A change shows as a difference in
//! review. `INSTA_UPDATE=always cargo nextest run -p soundline --test snapshots` accepts what there is now.
//!
//! Times, memory and paths of this machine are masked; everything else must be the same on every machine.

use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Output};

fn soundline(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_soundline")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A folder with the files that the commands below work on.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("good.smt2", "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n"),
        (
            "core.smt2",
            "(set-logic QF_LIA)\n(set-option :produce-unsat-cores true)\n(declare-const x Int)\n(assert (! (> x 1) :named low))\n(assert (! (< x 1) :named high))\n(check-sat)\n(get-unsat-core)\n",
        ),
        (
            "bad.smt2",
            "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x y))\n(assert (= x true))\n(assert (and x\n",
        ),
        (
            "strings.smt2",
            "(set-logic QF_S)\n(declare-const s String)\n(assert (and (= (str.len s) 2) (str.in_re s (re.+ (re.range \"a\" \"c\")))))\n(assert (= (div 1 0) 5))\n",
        ),
        ("model", "((define-fun x () Int 0))\n"),
        ("model-strings", "((define-fun s () String \"ad\"))\n"),
        ("model-double", "((define-fun x () Int 0) (define-fun x () Int 1))\n"),
        ("campaign.toml", "[campaign]\nname = \"a\"\nsede = 3\n"),
        (
            "wide.wat",
            "(module (memory 1) (func (export \"f\") (param i32) (result i32) (i32.load (local.get 0)))\n",
        ),
        (
            "a.wat",
            r#"(module (import "soundline" "sl_symbolic" (func $s (param i32 i32 i32))) (memory (export "memory") 1) (data (i32.const 9) "x\00")
  (func $main (export "_start") (call $s (i32.const 0) (i32.const 4) (i32.const 9))
    (if (i32.eq (i32.load (i32.const 0)) (i32.const 7)) (then unreachable))))
"#,
        ),
        ("mine.txt", "a file of the user\n"),
    ];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The path of the folder, which every run has another one of.
fn mask_path(folder: &Path, printed: &str) -> String {
    let resolved = folder.canonicalize().unwrap();
    printed
        .replace(&resolved.display().to_string(), "FOLDER")
        .replace(&folder.display().to_string(), "FOLDER")
}

/// Values that depend on the machine, or that count work which engines may do in another way, are null, by the name of their field.
fn mask(document: &mut Json) {
    const MEASURED: [&str; 18] = [
        "seconds",
        "solver_seconds",
        "time",
        "cpu",
        "wall",
        "memory",
        "par2",
        "version",
        "command",
        "coverage_over_time",
        "build",
        "compiler",
        "counters",
        "statistics",
        "solver",
        "sources",
        "runs",
        "runs_on_terms",
    ];
    match document {
        Json::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                if MEASURED.contains(&name.as_str()) {
                    *value = Json::Null;
                } else {
                    mask(value);
                }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(mask),
        _ => {}
    }
}

/// The commands below a command, as its help lists them.
fn below(help: &str) -> Vec<String> {
    let mut lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let mut found = Vec::new();
    for line in lines.by_ref().take_while(|line| !line.is_empty()) {
        if let Some(word) = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')) {
            found.push(word.split_whitespace().next().unwrap().to_owned());
        }
    }
    found.retain(|name| name != "help");
    found
}

#[test]
fn help() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut waiting = vec![Vec::<String>::new()];
    let mut seen = 0;
    while let Some(command) = waiting.pop() {
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        arguments.push("--help");
        let output = soundline(here, &arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        let help = text(&output.stdout);
        let name = if command.is_empty() { "help".into() } else { format!("help-{}", command.join("-")) };
        insta::assert_snapshot!(name, help);
        seen += 1;
        for name in below(&help) {
            waiting.push([&command[..], &[name]].concat());
        }
    }
    assert!(seen >= 30, "only {seen} commands");
}

/// What goes wrong is said on standard error, with exit code 2.
#[test]
fn errors() {
    let folder = folder();
    let rows: &[(&str, &[&str])] = &[
        ("no-file", &["check", "none.smt2"]),
        ("ill-sorted", &["check", "bad.smt2"]),
        ("wrong-option", &["solve", "--engin", "blast", "good.smt2"]),
        ("wrong-engine", &["solve", "--engine", "blasted", "good.smt2"]),
        ("double-definition", &["eval", "good.smt2", "--model", "model-double"]),
        ("wrong-model", &["eval", "good.smt2", "--model", "mine.txt"]),
        ("campaign-key", &["campaign", "check", "campaign.toml"]),
        ("module-text", &["explore", "wide.wat"]),
        ("no-entry", &["explore", "a.wat", "--entry", "nothing"]),
        ("foreign-folder", &["explore", "a.wat", "--out", "."]),
        ("no-exploration", &["replay", "."]),
        ("no-solver", &["fuzz", "truth", "--solver", "no-such-solver-anywhere", "--tests", "1"]),
        ("no-store", &["campaign", "status", "nowhere"]),
        ("unknown-release", &["solver", "remove", "z3@0.0.1"]),
    ];
    for (name, arguments) in rows {
        let output = soundline(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
        insta::assert_snapshot!(format!("error-{name}"), mask_path(folder.path(), &text(&output.stderr)));
    }
}

#[test]
fn documents() {
    let folder = folder();
    let rows: &[(&str, &[&str])] = &[
        ("check", &["check", "good.smt2", "bad.smt2", "--json"]),
        ("eval", &["eval", "strings.smt2", "--model", "model-strings", "--json"]),
        ("solve", &["solve", "good.smt2", "core.smt2", "--json", "--seed", "1"]),
        ("explore", &["explore", "a.wat", "--out", "out", "--seed", "1", "--json"]),
        ("replay", &["replay", "out", "--json"]),
    ];
    for (name, arguments) in rows {
        let output = soundline(folder.path(), arguments);
        let mut document: Json = serde_json::from_slice(&output.stdout).unwrap();
        mask(&mut document);
        let shown = serde_json::to_string_pretty(&document).unwrap();
        insta::assert_snapshot!(format!("json-{name}"), mask_path(folder.path(), &shown));
    }
}

#[test]
fn text_for_people() {
    let folder = folder();
    let rows: &[(&str, &[&str])] = &[
        ("check", &["check", "good.smt2", "strings.smt2"]),
        ("fmt", &["fmt", "strings.smt2"]),
        ("fmt-dialect", &["fmt", "strings.smt2", "--dialect", "2.5"]),
        ("eval", &["eval", "strings.smt2", "--model", "model-strings"]),
        ("eval-false", &["eval", "good.smt2", "--model", "model"]),
        ("solve", &["solve", "good.smt2"]),
        ("solve-core", &["solve", "core.smt2"]),
        ("campaign-init", &["campaign", "init", "other.toml", "--solver", "z3@4.8.10"]),
    ];
    for (name, arguments) in rows {
        let output = soundline(folder.path(), arguments);
        insta::assert_snapshot!(format!("text-{name}"), mask_path(folder.path(), &text(&output.stdout)));
    }
    let written = std::fs::read_to_string(folder.path().join("other.toml")).unwrap();
    insta::assert_snapshot!("campaign-file", written);
}

/// What an exploration leaves for its reader: the report of a crash and the test that causes it.
#[test]
fn exploration_folder() {
    let folder = folder();
    soundline(folder.path(), &["explore", "a.wat", "--out", "out", "--seed", "1"]);
    let mut files: Vec<_> = walk(&folder.path().join("out"));
    files.sort();
    let names: Vec<String> =
        files.iter().map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string()).collect();
    insta::assert_snapshot!("exploration-files", names.join("\n"));
    for (name, path) in
        [("exploration-test", "out/tests/000001.json"), ("exploration-crash", "out/crashes/001/report.txt")]
    {
        let written = std::fs::read_to_string(folder.path().join(path));
        let mut text = written.unwrap_or_else(|error| panic!("{path}: {error}"));
        if let Ok(mut document) = serde_json::from_str(&text) {
            mask(&mut document);
            text = serde_json::to_string_pretty(&document).unwrap();
        }
        insta::assert_snapshot!(name, mask_path(folder.path(), &text));
    }
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() { found.extend(walk(&entry)) } else { found.push(entry) }
    }
    found
}
