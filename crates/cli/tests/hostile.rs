//! A solver that is an enemy: what it prints goes into reports, the terminal and a script, and must do nothing there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Refutes everything, states a version with a heading in it, and shouts escape sequences and fences.
const SOLVER: &str = r#"#!/bin/sh
input=$(cat ${1:+"$1"})
case "$input" in *get-info*) printf '(:version "1.0`\n# Owned by version\n\033[31m")\n';; esac
printf '%s\n' "$input" | grep -o '(check-sat)' | while read -r _; do echo unsat; done
printf '```\n# Owned\n\033[2J\033]0;title\007<script>alert(1)</script>\n' >&2
"#;

fn soundline(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_soundline"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the binary runs")
}

fn findings(out: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(out.join("findings"))
        .map(|entries| entries.map(|e| e.expect("an entry").path()).collect());
    listed.unwrap_or_default()
}

/// The lines of a Markdown text outside its blocks of code.
fn prose(text: &str) -> Vec<&str> {
    let (mut fence, mut lines): (Option<&str>, Vec<&str>) = (None, Vec::new());
    for line in text.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            None if ticks.len() >= 3 => fence = Some(ticks),
            Some(open) if line == ticks && ticks.len() >= open.len() => fence = None,
            None => lines.push(line),
            Some(_) => {}
        }
    }
    assert_eq!(fence, None, "a block is not closed");
    lines
}

#[test]
fn nothing_that_a_solver_prints_gets_out_of_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let solver = folder.path().join("hostile.sh");
    fs::write(&solver, SOLVER).expect("written");
    fs::set_permissions(&solver, PermissionsExt::from_mode(0o755)).expect("executable");
    for (spec, name) in [("./hostile.sh", "stdin"), ("./hostile.sh {file}", "file")] {
        let out = folder.path().join(name);
        let run = soundline(
            folder.path(),
            &[
                "fuzz",
                "truth",
                "--solver",
                spec,
                "--reference",
                "z3",
                "--tests",
                "40",
                "--jobs",
                "1",
                "--no-reduce",
                "--out",
                name,
            ],
        );
        let shown = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{shown}");
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{7}'), "{shown:?}");
        let found = findings(&out);
        assert!(!found.is_empty(), "{shown}");
        for finding in found {
            let report = fs::read_to_string(finding.join("report.md")).expect("a report");
            assert!(!report.contains(['\u{1b}', '\u{7}']), "{report:?}");
            let prose = prose(&report);
            let headings: Vec<&&str> = prose.iter().filter(|line| line.starts_with('#')).collect();
            assert_eq!(headings.len(), 1, "{report}");
            assert!(!prose.iter().any(|line| line.contains("<script>")), "{report}");
            let here = folder.path().display().to_string();
            let answer = fs::read_to_string(finding.join("answer.json")).expect("an answer");
            assert!(!answer.contains(&here) && !answer.contains("./hostile"), "{answer}");
            assert!(
                !report.contains(&here) && report.contains("**Command:** `hostile.sh reduced.smt2`"),
                "{report}"
            );
            // It runs from anywhere, and takes another solver.
            let repro = finding.join("repro.sh");
            for (extra, wanted) in [(&[][..], "unsat"), (&["grep", "-c", "check-sat"][..], "1")] {
                let run = Command::new(&repro).args(extra).current_dir("/").output().expect("it runs");
                assert!(String::from_utf8_lossy(&run.stdout).starts_with(wanted), "{run:?}");
            }
        }
    }
}

/// Names of files, symbols and what solvers print, in everything that commands say on a terminal.
#[test]
fn nothing_foreign_is_obeyed_by_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "a\u{1b}[31m\u{9b}2J\u{202e}.smt2";
    let symbol = "x\u{1b}]0;owned\u{7}";
    let script =
        format!("(declare-const |{symbol}| Int)(assert (> |{symbol}| 1))(check-sat)(get-value (|{symbol}|))");
    fs::write(folder.path().join(name), script).expect("written");
    fs::write(folder.path().join("model"), format!("((define-fun |{symbol}| () Int 0))")).expect("written");
    let program = r#"(module (import "soundline" "sl_symbolic" (func $s (param i32 i32 i32))) (memory (export "memory") 1)
           (data (i32.const 9) "x\1b[2J\00")
           (func $f (export "_start") (call $s (i32.const 0) (i32.const 4) (i32.const 9))
             (if (i32.eq (i32.load (i32.const 0)) (i32.const 7)) (then unreachable))))"#;
    let wat = "b\u{1b}[2J.wat";
    fs::write(folder.path().join(wat), program).expect("written");
    fs::write(folder.path().join("hostile.sh"), SOLVER).expect("written");
    fs::set_permissions(folder.path().join("hostile.sh"), PermissionsExt::from_mode(0o755))
        .expect("executable");
    let (odd, out) = ("out\u{1b}[2J", "--out");
    let rows: [&[&str]; 12] = [
        &["check", name],
        &["check", name, "--json"],
        &["check", "none\u{1b}[2J.smt2"],
        &["eval", name, "--model", "model"],
        &["eval", name, "--model", "model", "--json"],
        &["solve", name, name, "--json"],
        &["race", name, "--solver", "./hostile.sh", "--solver", "z3"],
        &["race", name, "--solver", "./hostile.sh", "--solver", "z3", "--json"],
        &["explore", wat, out, odd],
        &["explore", wat, out, "json", "--json"],
        &["replay", odd],
        &["campaign", "check", "none\u{1b}[2J.toml"],
    ];
    for row in rows {
        let run = soundline(folder.path(), row);
        assert!(matches!(run.status.code(), Some(0..=2)), "{row:?}: {run:?}");
        let shown = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
        assert!(!shown.is_empty(), "{row:?}");
        assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{row:?}: {shown:?}");
        if row.contains(&"--json") {
            serde_json::from_slice::<serde_json::Value>(&run.stdout).expect("one document");
        }
    }
    // What programs read is exact: a script goes through fmt unchanged.
    let run = soundline(folder.path(), &["fmt", name]);
    assert!(String::from_utf8_lossy(&run.stdout).contains(symbol), "{run:?}");
}

/// A store that others can write to is not used: what lies there would be run.
#[test]
fn a_store_of_others_is_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let release = folder.path().join("solvers/z3@9.9.9");
    fs::create_dir_all(&release).expect("a folder");
    let (marker, script) = (folder.path().join("executed"), release.join("run"));
    fs::write(&script, format!("#!/bin/sh\ntouch {}\necho 9.9.9\n", marker.display())).expect("written");
    fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).expect("executable");
    fs::write(release.join("command"), "{here}/run\n").expect("written");
    let list = || {
        let run = Command::new(env!("CARGO_BIN_EXE_soundline"))
            .args(["race", "--solver", "z3@9.9.9", "a.smt2"])
            .env("SOUNDLINE_HOME", folder.path())
            .current_dir(folder.path())
            .output()
            .expect("the binary runs");
        String::from_utf8_lossy(&run.stderr).into_owned()
    };
    fs::write(folder.path().join("a.smt2"), "(check-sat)").expect("written");
    for writable in
        [folder.path().to_path_buf(), folder.path().join("solvers"), release.clone(), release.join("command")]
    {
        let mode = fs::metadata(&writable).expect("a path").permissions();
        fs::set_permissions(&writable, PermissionsExt::from_mode(0o777)).expect("changed");
        let errors = list();
        assert!(errors.contains("not in the store") && !marker.exists(), "{}: {errors}", writable.display());
        fs::set_permissions(&writable, mode).expect("changed");
    }
    list();
    assert!(marker.exists(), "the test would show it");
}

#[test]
fn completions_manual_and_examples_are_there() {
    let folder = tempfile::tempdir().expect("a folder");
    for shell in ["bash", "zsh", "fish"] {
        let run = soundline(folder.path(), &["completions", shell]);
        assert!(run.status.success() && String::from_utf8_lossy(&run.stdout).contains("explore"), "{shell}");
    }
    let run = soundline(folder.path(), &["man", "pages"]);
    assert!(run.status.success(), "{run:?}");
    for page in ["soundline.1", "soundline-explore.1", "soundline-fuzz-truth.1"] {
        let text = fs::read_to_string(folder.path().join("pages").join(page)).expect(page);
        assert!(text.contains(".TH"), "{page}");
    }
    let help = |args: &[&str]| String::from_utf8_lossy(&soundline(folder.path(), args).stdout).into_owned();
    let all = help(&["--help"]);
    let commands: Vec<&str> = all
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.trim().is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|name| *name != "help" && name.chars().all(|c| c.is_ascii_lowercase()))
        .collect();
    assert!(commands.len() >= 14, "{commands:?}");
    for command in commands {
        assert!(help(&[command, "--help"]).contains("Examples:\n"), "{command}");
    }
}
