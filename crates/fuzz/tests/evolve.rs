//! Evolution against real solvers, and against one with a planted defect: Z3 behind a script that never answers a formula in
//! which `str.indexof` occurs. One of the seeds is such a formula; the run has to keep it, confirm it against cvc5, and reduce
//! it to the one assertion that matters.

use fuzz::StopReason;
use fuzz::evolve::evaluate::{CoverageKind, Ending, Evaluate, Formula, Pair, PairSettings, TraceKind};
use fuzz::evolve::run::{EvolveSettings, run, summary_file};
use fuzz::evolve::search::{EvolutionSettings, FirstFormula};
use fuzz::solver::{Limits, Store};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Whether the solvers are here; says so if not.
fn solvers() -> bool {
    let here = [testkit::SolverKind::Z3, testkit::SolverKind::Cvc5]
        .map(|kind| testkit::Solver::find(kind).is_some());
    here == [true; 2]
}

fn settings(target: &str, cpu: Duration) -> PairSettings {
    PairSettings {
        target: target.into(),
        others: Vec::new(),
        references: vec!["cvc5".into()],
        compare: true,
        limits: Limits::with_cpu(cpu),
        coverage: CoverageKind::Blackbox,
        trace: TraceKind::Verbose,
        jobs: 2,
    }
}

const EASY: &str =
    "(set-logic QF_SLIA)\n(declare-fun s0 () String)\n(assert (= (str.len s0) 3))\n(check-sat)\n";

#[test]
fn a_pair_of_real_solvers() {
    if !solvers() {
        return;
    }
    let store = Store::open();
    let subject = Formula { target: EASY.into(), reference: EASY.into() };
    let stop = AtomicBool::new(false);
    for trace in [TraceKind::Verbose, TraceKind::Log, TraceKind::Coverage] {
        let settings = PairSettings { trace, ..settings("z3", Duration::from_secs(5)) };
        let pair = Pair::new(settings, &store).unwrap();
        let measured = pair.measure(0, &subject, &stop).unwrap().unwrap();
        assert!(measured.is_valid() && !measured.contradiction);
        assert_eq!(measured.target.ending, Ending::Answered(fuzz::case::Verdict::Sat));
        assert_eq!(measured.reference.as_ref().map(|r| &r.ending), Some(&measured.target.ending));
        assert!(measured.coverage.lines() > 5, "statistics and messages: {trace:?}");
        assert!(measured.trace.lines() > 5, "{trace:?}");
        assert_eq!(measured.trace.similarity(&measured.trace), 1.0);
    }
    let wrong = Formula { target: "(assert (foo))(check-sat)".into(), reference: EASY.into() };
    let pair = Pair::new(settings("z3", Duration::from_secs(5)), &store).unwrap();
    assert!(!pair.measure(0, &wrong, &stop).unwrap().unwrap().is_valid());
}

/// Writes the solver with the defect.
fn planted(folder: &Path) -> String {
    let path = folder.join("planted");
    let script = "#!/bin/sh\ntext=$(cat)\ncase $text in *str.indexof*) while :; do :; done;; esac\n\
                  printf '%s\\n' \"$text\" | z3 -in -T:1\n";
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

/// A formula that the planted solver never answers.
const SLOW: &str =
    "(declare-const x String)(declare-const n Int)(assert (> n 1))(assert (= (str.indexof x \"a\" n) 2))";

#[test]
fn targets_are_slow_together_and_one_quick_reference_is_enough() {
    if !solvers() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (planted, stop) = (planted(folder.path()), AtomicBool::new(false));
    let text = format!("{SLOW}(check-sat)");
    let subject = Formula { target: text.clone(), reference: text };
    let measure = |others: &[&str], references: &[&str]| {
        let own = |specs: &[&str]| specs.iter().map(|spec| spec.to_string()).collect();
        let settings = settings(&planted, Duration::from_millis(300));
        let settings = PairSettings { others: own(others), references: own(references), ..settings };
        Pair::new(settings, &Store::open()).unwrap().measure(0, &subject, &stop).unwrap().unwrap()
    };
    let sat = Ending::Answered(fuzz::case::Verdict::Sat);
    let together = measure(&[&planted], &[&planted, "cvc5"]);
    assert_eq!(together.target.ending, Ending::Timeout);
    assert_eq!(together.reference.map(|reference| reference.ending), Some(sat.clone()));
    let alone = measure(&["z3"], &["cvc5"]);
    assert_eq!(alone.target.ending, sat, "the second target is quick");
}

#[test]
fn a_planted_defect_is_found_confirmed_and_reduced() {
    if !solvers() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let seeds = vec![FirstFormula { name: "slow".into(), text: SLOW.into() }];
    let task = EvolveSettings {
        search: EvolutionSettings {
            tests: Some(4),
            population: 4,
            jobs: 2,
            seeds,
            ..EvolutionSettings::new(4)
        },
        pair: settings(&planted(folder.path()), Duration::from_millis(300)),
        confirm: Some(Duration::from_millis(400)),
        resume: false,
        out: out.clone(),
    };
    let summary = run(&task, &Store::open(), None, &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert_eq!((summary.stop_reason, summary.counts.tests), (StopReason::Tests, 4));
    assert!(summary.slow > 0);
    let entry = &summary.findings.first().expect("the planted defect").entry;
    assert_eq!((entry.class.word(), entry.assertions), ("performance", 1));
    assert!(entry.about.contains("str.indexof"), "{}", entry.about);
    for file in ["bug.smt2", "reduced.smt2", "answer.json", "report.md", "repro.sh"] {
        assert!(out.join(&entry.path).join(file).exists(), "{file}");
    }
    let reduced = std::fs::read_to_string(out.join(&entry.path).join("reduced.smt2")).unwrap();
    assert!(reduced.contains("str.indexof"), "{reduced}");
    let report = std::fs::read_to_string(out.join(&entry.path).join("report.md")).unwrap();
    assert!(report.contains("no answer in 0.3 s") && report.contains("where cvc5 takes"), "{report}");
    for file in [
        "population.csv",
        "convergence.svg",
        "cdf.svg",
        "pareto.svg",
        "table.csv",
        "summary.json",
        "state.json",
    ] {
        assert!(out.join(file).exists(), "{file}");
    }
    let json = serde_json::to_value(summary_file(&task, &summary)).unwrap();
    assert_eq!(json["findings"][0]["class"], "performance");
    assert_eq!((json["tests"].as_u64(), json["stop_reason"].as_str()), (Some(4), Some("tests")));
}
