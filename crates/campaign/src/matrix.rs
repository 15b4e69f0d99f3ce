//! The matrix of a finding: what every release at hand and every set of options of the campaign answers to its reduced script.
//! Owns the choice of whom to ask and the judgement; knows no store but the releases'.

use crate::ci::tracker;
use crate::plan::{Plan, Work};
use crate::store::record::Answered;
use fuzz::benchmark::{Benchmark, Judgement};
use fuzz::case::Verdict;
use fuzz::evidence::Class;
use fuzz::solver::answer::{self, Answer, Trouble};
use fuzz::solver::{Limits, Solver, Store as Releases};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The most runs for one finding.
const MOST: usize = 80;

/// Whom to ask: program and options.
pub(crate) fn whom(plan: &Plan, releases: &Releases) -> Vec<(String, String)> {
    let mut asked: BTreeSet<(String, String)> = BTreeSet::new();
    let mut families: BTreeSet<(String, String)> = BTreeSet::new();
    for lane in &plan.lanes {
        if let Work::Fuzz { spec, .. } = &lane.work {
            let (program, options) = spec.split_once(' ').unwrap_or((spec, ""));
            asked.insert((program.into(), options.into()));
            families.insert((tracker(program), options.into()));
        }
    }
    for reference in &plan.references {
        let (program, options) = reference.split_once(' ').unwrap_or((reference, ""));
        asked.insert((program.into(), options.into()));
    }
    for name in ["z3", "cvc5"] {
        asked.insert((name.into(), String::new()));
    }
    for release in releases.list() {
        for (_, options) in families.iter().filter(|(family, _)| *family == release.name) {
            asked.insert((release.spec(), options.clone()));
        }
    }
    asked.into_iter().take(MOST).collect()
}

/// What counts as right for a class of findings.
fn expected(class: &str, title: &str, queries: usize) -> Vec<Option<Verdict>> {
    let class = Class::all().find(|row| row.word() == class && row.title() == title);
    let last = match class {
        Some(Class::WrongUnsat | Class::InvalidModel) => Some(Verdict::Sat),
        Some(Class::WrongSat | Class::WrongCore | Class::ImpreciseCore) => Some(Verdict::Unsat),
        Some(Class::Crash | Class::Performance | Class::UnknownRegression | Class::Slowdown) | None => None,
    };
    (0..queries).map(|at| last.filter(|_| at + 1 == queries)).collect()
}

/// Asks everybody; `names` are what targets with a path are called.
pub(crate) fn ask(
    plan: &Plan,
    releases: &Releases,
    [class, title, script]: [&str; 3],
    whom: &[(String, String)],
    stop: &AtomicBool,
) -> Vec<Answered> {
    let script = Benchmark::new("reduced.smt2".into(), script.to_string());
    let expected = expected(class, title, script.expected.len());
    let limits =
        Limits { memory: plan.memory << 20, ..Limits::with_cpu(Duration::from_secs_f64(plan.test_time)) };
    let mut answers = Vec::new();
    for (program, options) in whom {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        // A solver that is not here is no row.
        let Ok(solver) = Solver::resolve(&format!("{program} {options}"), releases) else { continue };
        let text = script.text_with_models(solver.dialect);
        let Ok(run) = solver.run(&text, &limits, stop) else { continue };
        let answer = answer::read(&run);
        let judged = judge(&script, class, &answer, &solver, &expected);
        answers.push(Answered {
            solver: program.clone(),
            options: options.clone(),
            version: solver.version.clone(),
            answer: words(&answer),
            judgement: judged.word().into(),
            reason: judged.reason().map(|reason| reason.chars().take(300).collect()),
            micros: run.cpu.as_micros() as u64,
        });
    }
    answers
}

/// Crashes and slowness are wrong where they are, and right where they are not.
fn judge(
    script: &Benchmark,
    class: &str,
    answer: &Answer,
    solver: &Solver,
    expected: &[Option<Verdict>],
) -> Judgement {
    let judged = script.judge(answer, solver.dialect, expected);
    let decided = answer.replies.iter().any(|reply| reply.verdict != Verdict::Unknown);
    match (class, &judged) {
        ("crash" | "performance" | "slowdown" | "unknown-regression", Judgement::Open(_))
            if decided && answer.trouble.is_none() =>
        {
            Judgement::Right
        }
        ("performance" | "slowdown", Judgement::Open(_)) if answer.trouble == Some(Trouble::Timeout) => {
            Judgement::Wrong("reaches the limit".into())
        }
        _ => judged,
    }
}

fn words(answer: &Answer) -> String {
    let verdicts: Vec<&str> = answer.replies.iter().map(|reply| reply.verdict.word()).collect();
    let trouble = match &answer.trouble {
        None => None,
        Some(Trouble::Timeout) => Some("timeout"),
        Some(Trouble::OutOfMemory) => Some("out of memory"),
        Some(Trouble::Flood) => Some("flood"),
        Some(Trouble::Unsupported(_)) => Some("unsupported"),
        Some(Trouble::Parse(_)) => Some("parse error"),
        Some(Trouble::Error(_)) => Some("error"),
        Some(Trouble::Silent) => Some("silent"),
        Some(Trouble::Stopped) => Some("stopped"),
        Some(Trouble::Assertion(_) | Trouble::Sanitizer(_) | Trouble::Signal(_)) => Some("crash"),
    };
    // An error after `unsat` is the refusal to give a model, which was asked for in any case.
    let told = match trouble {
        Some("error" | "parse error") if !verdicts.is_empty() => None,
        other => other,
    };
    verdicts.into_iter().chain(told).collect::<Vec<_>>().join(" ")
}
