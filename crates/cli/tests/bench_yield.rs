//! What `scripts/bench-yield` counts: several findings of one bug are one bug, and two bugs are two.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A finding: its folder, its class, what it is about, its reduced script, the releases that show it and those that do not.
type Told<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, &'a str);

/// Writes what a run leaves behind, and has the script count it: the number of distinct bugs.
fn distinct(findings: &[Told<'_>]) -> u64 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut told = Vec::new();
    for (name, class, about, script, shows, not) in findings {
        let path = folder.path().join("z3@1/findings").join(name);
        fs::create_dir_all(&path).expect("a folder");
        fs::write(path.join("reduced.smt2"), script).expect("a file");
        let report = format!("- Releases at hand that show it: {shows}; that do not: {not}.\n");
        fs::write(path.join("report.md"), report).expect("a file");
        told.push(format!(r#"{{"class": "{class}", "about": "{about}", "path": "findings/{name}"}}"#));
    }
    let counters = r#"{"solver_micros": 1, "refuted": 0, "disputed": 0, "unconfirmed": 0}"#;
    let summary = format!(r#"{{"tests": 9, "counters": {counters}, "findings": [{}]}}"#, told.join(", "));
    fs::write(folder.path().join("z3@1.json"), summary).expect("a file");
    fs::write(folder.path().join("results.json"), r#"[{"release": "z3@1", "cpu": 1.0}]"#).expect("a file");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/bench-yield");
    let output = Command::new("python3")
        .arg(script)
        .args(["--count-only", "--program", env!("CARGO_BIN_EXE_soundline"), "--out"])
        .arg(folder.path())
        .output()
        .expect("python3 is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = fs::read_to_string(folder.path().join("results.json")).expect("the results");
    let rows: serde_json::Value = serde_json::from_str(&rows).expect("JSON");
    rows[0]["distinct"].as_u64().unwrap_or_else(|| panic!("{rows}"))
}

const ASSUMED: &str = "(declare-const a Bool)\n(assert (= a false))\n(check-sat-assuming (a))\n";

#[test]
fn findings_of_one_bug_count_once() {
    let renamed = "(set-simplifier solve-eqs)\n(declare-fun b () Bool)\n(assert (= b false))\n(check-sat-assuming (b))\n(get-model)\n";
    let simplified = format!("(set-simplifier elim-predicates)\n{ASSUMED}");
    let greater = "(set-option :sat.smt true)\n(declare-const a Int)\n(assert (> a 0))\n(check-sat)\n";
    let chosen = "(set-option :sat.smt true)\n(declare-const a (Array Int Int))\n(assert (< (select a 0) 0))\n(check-sat)\n";
    let model = "invalid-model";
    // One form with two simplifiers; one option and no release that shows one alone; one place by two ways.
    assert_eq!(
        distinct(&[
            ("s1", "soundness", "x", renamed, "4.15, 5.1", "5.4"),
            ("s2", "soundness", "y", &simplified, "5.0, 5.1", "4.16"),
        ]),
        1
    );
    assert_eq!(
        distinct(&[("m1", model, "x", greater, "4.15", "5.1"), ("m2", model, "y", chosen, "4.15", "5.1")]),
        1
    );
    let crash =
        |way: &'static str| -> String { format!("crash: ended by signal N (SIGSEGV) in f < g < {way}") };
    let (one, other) = (crash("h < i"), crash("j < k"));
    assert_eq!(
        distinct(&[
            ("c1", "crash", &one, greater, "1", "none"),
            ("c2", "crash", &other, chosen, "1", "none")
        ]),
        1
    );
}

/// Without options, and in a solver that has one release.
#[test]
fn comparisons_make_no_difference_and_operators_do() {
    let function = |sort: &str, assertion: &str| {
        format!(
            "(declare-fun a ({sort}) {sort})\n(assert {assertion})\n(check-sat-assuming (true))\n(get-model)\n"
        )
    };
    let (less, equal) = (function("Int", "(not (< (a 0) 1))"), function("(_ BitVec 1)", "(= (a #b0) #b1)"));
    let stored = "(declare-const a (Array Int Int))\n(assert (not (= (store a 0 0) a)))\n(check-sat)\n";
    let model = "invalid-model";
    let told = |name, script| -> Told<'_> { (name, model, name, script, "1", "none") };
    assert_eq!(distinct(&[told("m1", &less), told("m2", &equal)]), 1);
    assert_eq!(distinct(&[told("m1", &less), told("m2", stored)]), 2);
    let chosen = stored.replace("(store a 0 0) a", "(select a 0) 0");
    assert_eq!(distinct(&[told("m1", stored), told("m2", &chosen)]), 2);
}

#[test]
fn two_bugs_are_two() {
    let greater = "(set-option :sat.smt true)\n(declare-const a Int)\n(assert (> a 0))\n(check-sat)\n";
    let chosen = "(set-option :sat.smt true)\n(declare-const a (Array Int Int))\n(assert (< (select a 0) 0))\n(check-sat)\n";
    let model = "invalid-model";
    // The same option, but a release shows one alone; another option; another class; another place.
    assert_eq!(
        distinct(&[
            ("m1", model, "x", greater, "4.15", "5.1"),
            ("m2", model, "y", chosen, "4.15, 5.1", "none")
        ]),
        2
    );
    let other = chosen.replace(":sat.smt true", ":smt.bv.solver 2");
    assert_eq!(
        distinct(&[("m1", model, "x", greater, "4.15", "5.1"), ("m2", model, "y", &other, "4.15", "5.1")]),
        2
    );
    assert_eq!(
        distinct(&[("m1", model, "x", greater, "1", "none"), ("s1", "soundness", "y", greater, "1", "none")]),
        2
    );
    let crash = |place: &str| format!("crash: ended by signal N (SIGSEGV) in {place} < g");
    let (f, h) = (crash("f"), crash("h"));
    assert_eq!(
        distinct(&[("c1", "crash", &f, greater, "1", "none"), ("c2", "crash", &h, greater, "1", "none")]),
        2
    );
}
