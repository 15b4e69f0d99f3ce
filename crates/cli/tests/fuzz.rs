//! `soundline fuzz` and `soundline reduce` on real solvers: releases of Z3 whose defects are known, solvers that are right,
//! programs that are no solvers, and our own solver with a planted bug. Releases come from the package index
//! (`soundline solver add`); where it cannot be reached, the tests that need them say so and pass.

use serde_json::Value as Json;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SOUNDLINE: &str = env!("CARGO_BIN_EXE_soundline");

fn soundline(arguments: &[&str]) -> Output {
    Command::new(SOUNDLINE).args(arguments).output().expect("the program runs")
}

/// Whether a release is in the store, after an attempt to get it.
fn has_release(spec: &str) -> bool {
    let got = soundline(&["solver", "add", spec]).status.success();
    if !got {
        testkit::missing(&format!("the release {spec}"));
    }
    got
}

struct Ran {
    code: Option<i32>,
    json: Json,
    errors: String,
    /// Removed when this goes out of scope.
    _out: tempfile::TempDir,
}

/// Runs `soundline fuzz` with a folder of its own; the last JSON document it prints.
fn fuzz(arguments: &[&str]) -> Ran {
    let out = tempfile::tempdir().expect("a folder");
    let folder = out.path().join("run").display().to_string();
    let mut all = vec!["fuzz"];
    all.extend_from_slice(arguments);
    all.extend(["--json", "--jobs", "2", "--out", &folder]);
    let output = soundline(&all);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let json =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("no JSON ({error}): {errors}"));
    Ran { code: output.status.code(), json, errors, _out: out }
}

impl Ran {
    /// The folders of the findings of a class.
    fn findings(&self, class: &str) -> Vec<PathBuf> {
        let list = self.json["findings"].as_array().expect("a list");
        let of_class = list.iter().filter(|finding| finding["class"] == class);
        of_class.map(|finding| PathBuf::from(finding["path"].as_str().expect("a path"))).collect()
    }
}

fn text(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file))
        .unwrap_or_else(|error| panic!("{}/{file}: {error}", folder.display()))
}

#[test]
fn truth_finds_the_wrong_unsat_of_z3_4_8_0() {
    if !has_release("z3@4.8.0") {
        return;
    }
    for spec in ["z3@4.8.0", "z3@4.8.0 smt.string_solver=z3str3"] {
        let ran =
            fuzz(&["truth", "--solver", spec, "--only", "replace (= (str.replace \"\" t", "--tests", "40"]);
        assert_eq!(ran.code, Some(1), "{spec}: {}", ran.errors);
        let folders = ran.findings("soundness");
        assert_eq!(folders.len(), 1, "{spec}: {}", ran.json);
        let folder = &folders[0];
        // Everything that a maintainer needs is there, and small.
        for file in ["bug.smt2", "answer.json", "report.md", "repro.sh"] {
            assert!(!text(folder, file).is_empty(), "{file}");
        }
        let reduced = text(folder, "reduced.smt2");
        assert_eq!(reduced.matches("(assert ").count(), 1, "{reduced}");
        assert!(reduced.contains("str.replace"), "{reduced}");
        let answer: Json = serde_json::from_str(&text(folder, "answer.json")).expect("JSON");
        assert_eq!(answer["verdict"], "unsat");
        assert_eq!(answer["solver"]["version"], "4.8.0.0.post1");
        let repro = Command::new("sh").arg(folder.join("repro.sh")).output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&repro.stdout).trim(), "unsat");
    }
}

#[test]
fn truth_finds_the_invalid_models_of_z3_4_8_0() {
    if !has_release("z3@4.8.0") {
        return;
    }
    let ran =
        fuzz(&["truth", "--solver", "z3@4.8.0", "--only", "substr (= (str.substr s 0 len)", "--tests", "40"]);
    let folders = ran.findings("invalid-model");
    assert_eq!((ran.code, folders.len()), (Some(1), 1), "{}", ran.json);
    assert_eq!(text(&folders[0], "reduced.smt2").matches("(assert ").count(), 1);
}

#[test]
fn truth_finds_the_crash_of_z3_4_8_6() {
    if !has_release("z3@4.8.6") {
        return;
    }
    let spec = "z3@4.8.6 smt.string_solver=z3str3";
    let ran = fuzz(&["truth", "--solver", spec, "--only", "C20", "--tests", "2", "--test-limit", "2"]);
    assert_eq!(ran.code, Some(1), "{}", ran.errors);
    let folders = ran.findings("crash");
    assert_eq!(folders.len(), 1, "{}", ran.json);
    let reduced = text(&folders[0], "reduced.smt2");
    assert!((1..=2).contains(&reduced.matches("(assert ").count()), "{reduced}");
    // The release on the search path is newer and does not crash.
    assert!(text(&folders[0], "report.md").contains("SIGSEGV"));
}

#[test]
fn truth_finds_nothing_in_solvers_that_are_right() {
    for solver in ["z3", "cvc5"] {
        if Command::new(solver).arg("--version").output().is_err() {
            testkit::missing(solver);
            continue;
        }
        let ran = fuzz(&["truth", "--solver", solver, "--tests", "400", "--test-limit", "1"]);
        assert_eq!(ran.code, Some(0), "{solver}: {}\n{}", ran.json, ran.errors);
        assert_eq!(ran.json["tests"], 400);
        assert_eq!(ran.json["counters"]["rejected"], 0, "{solver}: {}", ran.json);
    }
}

#[test]
fn reduce_keeps_the_defect_and_says_so() {
    if !has_release("z3@4.8.0") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bug.smt2");
    let script = "(set-logic ALL)(declare-const x String)(declare-const y String)(declare-const n Int)\
                  (assert (or (> n 3) (= (str.len y) 2)))(assert (= (str.++ y \"b\") (str.++ \"ab\" \"b\")))\
                  (assert (and (< n 10) (= (str.replace \"\" x \"c\") \"c\")))(assert (str.prefixof \"a\" y))(check-sat)";
    std::fs::write(&file, script).expect("written");
    let name = file.display().to_string();
    let output = soundline(&["reduce", &name, "--solver", "z3@4.8.0", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let json: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((json["class"].as_str(), json["assertions"].as_u64()), (Some("soundness"), Some(1)), "{json}");
    let reduced =
        std::fs::read_to_string(folder.path().join("bug.reduced.smt2")).expect("the reduced script");
    assert!(reduced.contains("str.replace") && reduced.len() < 200, "{reduced}");
    // A solver that is right has nothing to reduce.
    if Command::new("cvc5").arg("--version").output().is_ok() {
        assert_eq!(soundline(&["reduce", &name, "--solver", "cvc5"]).status.code(), Some(0));
    }
}

#[test]
fn a_timeout_is_reduced_while_a_reference_is_quick() {
    if !has_release("z3@4.8.10") || Command::new("cvc5").arg("--version").output().is_err() {
        testkit::missing("z3@4.8.10 or cvc5");
        return;
    }
    // In the manner of individual D of Ren et al.'s Figure 1, with an assertion that is not needed.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("slow.smt2");
    let script = "(set-logic QF_S)(declare-fun i () Int)(declare-fun s () String)(declare-fun t () String)\
                  (assert (< (str.to_int \"8b8\") 9))(assert (> (str.indexof \"+]YAPKJ8b8\" t i) (str.to_int s)))(check-sat)";
    std::fs::write(&file, script).expect("written");
    let name = file.display().to_string();
    let solver = "z3@4.8.10 smt.string_solver=z3str3";
    let arguments =
        ["reduce", &name, "--solver", solver, "--reference", "cvc5", "--slow", "--test-limit", "2", "--json"];
    let output = soundline(&arguments);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let json: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (json["class"].as_str(), json["assertions"].as_u64()),
        (Some("performance"), Some(1)),
        "{json}"
    );
}

#[test]
fn a_planted_bug_is_found_by_both_strategies() {
    // scripts/check builds it: `cargo build -p soundline --features planted-bug` in a target folder of its own.
    let Ok(planted) = std::env::var("SOUNDLINE_PLANTED") else {
        eprintln!("skipped: SOUNDLINE_PLANTED names no soundline with a planted bug");
        return;
    };
    let seeds = tempfile::tempdir().expect("a folder");
    let seed = "(set-logic QF_BV)(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))\
                (assert (= x y))(assert (not (bvslt x y)))(assert (bvult (bvadd x y) #x10))(check-sat)";
    std::fs::write(seeds.path().join("seed.smt2"), seed).expect("written");
    let folder = seeds.path().display().to_string();
    for (program, code) in [(planted.as_str(), 1), (SOUNDLINE, 0)] {
        let solver = format!("{program} solve --engine blast --no-cache");
        let truth =
            ["truth", "--solver", &solver, "--beyond", "bitvectors", "--only", "bvsle", "--tests", "200"];
        let ran = fuzz(&truth);
        assert_eq!(ran.code, Some(code), "{solver}: {}\n{}", ran.json, ran.errors);
        let approx =
            ["approx", "--solver", &solver, "--seeds", &folder, "--mutants", "400", "--literals", "1"];
        let ran = fuzz(&approx);
        assert_eq!(ran.code, Some(code), "{solver}: {}\n{}", ran.json, ran.errors);
        if code == 1 {
            let found = ran.findings("soundness");
            assert!(!found.is_empty(), "{}", ran.json);
            let reduced = text(&found[0], "reduced.smt2");
            assert!(reduced.contains("bvsle"), "{reduced}");
            assert!(reduced.matches("(assert ").count() <= 3, "{reduced}");
            let mutations: Json = serde_json::from_str(&text(&found[0], "mutations.json")).expect("JSON");
            assert_eq!(mutations.as_array().map(Vec::len), Some(1), "one mutation is enough: {mutations}");
            assert!(text(&found[0], "seed.smt2").contains("bvslt"));
        }
    }
}

/// Z3 behind a script that takes the first member out of every core: what is left is mostly satisfiable, and then it is found and
/// reduced. Z3's own cores are right.
#[test]
fn a_core_that_forgets_is_found() {
    if Command::new("z3").arg("--version").output().is_err() {
        testkit::missing("z3");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let forgetful = folder.path().join("z3");
    let program = "#!/bin/sh\nPATH=/usr/bin:/bin:$PATH\nz3 \"$@\" | sed -u -E 's/^\\(((named|assumed)[0-9]+) ?(.*)\\)$/(\\3)/'\n";
    std::fs::write(&forgetful, program).expect("written");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&forgetful, mode).expect("permitted");
    let forgetful = forgetful.display().to_string();
    for (solver, code) in [(forgetful.as_str(), 1), ("z3", 0)] {
        for context in ["named", "assuming-core"] {
            let arguments = ["all", "--solver", solver, "--contexts", context, "--options", "none"];
            let themes = ["--themes", "bool,bv-small,sorts", "--tests", "200", "--seed", "3"];
            let ran = fuzz(&[arguments.as_slice(), &["--reference", "z3"], &themes].concat());
            assert_eq!(ran.code, Some(code), "{solver}, {context}: {}\n{}", ran.json, ran.errors);
            if code == 1 {
                let found = ran.findings("wrong-core");
                assert!(!found.is_empty(), "{}", ran.json);
                let reduced = text(&found[0], "reduced.smt2");
                assert!(reduced.contains("(get-unsat-"), "{reduced}");
            }
        }
    }
}

#[test]
fn a_run_that_tests_nothing_fails_loudly() {
    let ran = fuzz(&["truth", "--solver", "cat", "--tests", "20"]);
    assert_eq!(ran.code, Some(3), "{}", ran.json);
    assert!(ran.errors.contains("tested next to nothing"), "{}", ran.errors);
    let wrong = soundline(&["fuzz", "truth", "--solver", "no-such-solver", "--tests", "5"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("no-such-solver"));
}

#[test]
fn the_same_seed_gives_the_same_tests_and_a_run_goes_on() {
    if Command::new("z3").arg("--version").output().is_err() {
        testkit::missing("z3");
        return;
    }
    let run = |out: &Path, more: &[&str]| {
        let out = out.display().to_string();
        let mut arguments = vec!["fuzz", "truth", "--solver", "z3", "--jobs", "1", "--json", "--out", &out];
        arguments.extend_from_slice(more);
        let output = soundline(&arguments);
        serde_json::from_slice::<Json>(&output.stdout).expect("JSON")
    };
    let [a, b, c] = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let first = run(a.path(), &["--tests", "130", "--seed", "7"]);
    let [whole, other] = [b, c].map(|folder| run(folder.path(), &["--tests", "256", "--seed", "7"]));
    assert_eq!(
        (&first["tests"], &first["stop_reason"], &first["seed"]),
        (&130.into(), &"tests".into(), &7.into())
    );
    // The run goes on within a batch, where it stopped: no test is done twice and none is left out.
    let resumed = run(a.path(), &["--tests", "256", "--resume"]);
    assert_eq!((&resumed["seed"], &resumed["tests"]), (&7.into(), &256.into()));
    // What is near its time limit may be decided in one run and not in another; all else is the same.
    let late = |run: &Json| run["counters"]["timeouts"].as_i64().expect("a number");
    for counter in ["batches", "sat", "unsat", "unknown", "unsupported", "rejected"] {
        for run in [&other, &resumed] {
            let (here, there) = (&run["counters"][counter], &whole["counters"][counter]);
            let difference = here.as_i64().expect("a number") - there.as_i64().expect("a number");
            let allowed =
                if counter == "batches" { i64::from(run == &resumed) } else { late(run) + late(&whole) };
            assert!(difference.abs() <= allowed, "{counter}: {here} and {there}");
        }
    }
}
