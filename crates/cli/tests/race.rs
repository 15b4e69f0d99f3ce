//! `soundline race`, `bisect` and `solver` from the outside, with the real solvers that are on the search path.

use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Output};

fn soundline(home: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_soundline"))
        .args(arguments)
        .env("SOUNDLINE_HOME", home)
        .output()
        .expect("the binary runs")
}

fn json(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Whether a solver is there to be tested with.
fn there(name: &str) -> bool {
    let found = Command::new(name).arg("--version").output().is_ok();
    if !found {
        testkit::missing(name);
    }
    found
}

#[test]
fn a_race_counts_and_finds_who_contradicts() {
    if !there("z3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let script = "(set-info :status sat)(set-logic QF_LIA)(declare-const x Int)(assert (> x 1))(check-sat)";
    std::fs::write(file("a.smt2"), script).unwrap();
    std::fs::write(file("b.smt2"), script.replace("> x 1", "> x x").replace("status sat", "status unsat"))
        .unwrap();
    // A solver that says sat to everything.
    let liar = "sh -c 'echo sat'";
    let (csv, svg) = (file("out.csv"), file("out.svg"));
    let arguments =
        ["race", &file(""), "--solver", "z3", "--solver", liar, "--time-limit", "20", "--jobs", "2"];
    let output =
        soundline(folder.path(), &[&arguments[..], &["--json", "--csv", &csv, "--plot", &svg]].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report = json(&output);
    let [z3, other] = [&report["solvers"][0], &report["solvers"][1]];
    assert_eq!(
        (z3["solved"].as_u64(), z3["sat"].as_u64(), z3["unsat"].as_u64()),
        (Some(2), Some(1), Some(1))
    );
    assert_eq!((other["solved"].as_u64(), other["wrong"].as_u64()), (Some(1), Some(1)));
    assert!(other["par2"].as_f64().unwrap() >= 40.0, "twice the limit for the wrong one");
    assert_eq!(report["disagreements"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["disagreements"][0]["unsat"], serde_json::json!(["z3"]));
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), 5);
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    let table = String::from_utf8(soundline(folder.path(), &arguments).stdout).unwrap();
    assert!(table.contains("disagreement: ") && table.contains("2/2"), "{table}");
}

#[test]
fn what_cannot_be_done_is_told() {
    let home = tempfile::tempdir().unwrap();
    let script = home.path().join("a.smt2").display().to_string();
    std::fs::write(&script, "(check-sat)").unwrap();
    for (arguments, message) in [
        (&["race", &script, "--solver", "z3@0.1"][..], "soundline solver add z3@0.1"),
        (&["bisect", &script, "--solver", "z3@4.8.10"], "without a version"),
        (&["bisect", &script, "--solver", "cvc4"], "has no releases in a package index"),
        (&["solver", "add", "yices-smt2"], "has no releases in a package index"),
        (&["solver", "remove", "z3@4.8.10"], "z3@4.8.10 is not in the store"),
    ] {
        let output = soundline(home.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    }
}

#[test]
fn the_list_holds_the_store_and_the_search_path() {
    let home = tempfile::tempdir().unwrap();
    let release = home.path().join("solvers/z3@4.8.10.0");
    std::fs::create_dir_all(&release).unwrap();
    std::fs::write(release.join("command"), "{here}/z3\n").unwrap();
    let report = json(&soundline(home.path(), &["solver", "list", "--json"]));
    assert_eq!(report["releases"][0]["spec"], "z3@4.8.10.0");
    assert_eq!(report["releases"][0]["command"][0], format!("{}/z3", release.display()));
    if there("z3") {
        let programs = report["search_path"].as_array().unwrap();
        assert!(programs.iter().any(|program| program["program"].as_str().unwrap().ends_with("/z3")));
    }
}
