//! `soundline bisect`: which releases of a solver answer a script wrongly.

use super::{seconds, stop_on_interrupt};
use crate::documents::{Bisected, Change, TestedRelease};
use crate::input::{print, print_json, read_text};
use crate::progress::ProgressLine;
use crate::{Failure, Outcome};
use fuzz::benchmark::{Benchmark, Judgement};
use fuzz::bisect::{Bisection, Question, bisect};
use fuzz::case::Verdict;
use fuzz::solver::{Limits, Store};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Find the first release of a solver that answers a script wrongly, and the first that is right again.
///
/// Releases come from the package index as they are needed and stay in the store (see soundline solver). Some are sampled over the
/// whole history, then every place where neighbours differ is narrowed down; what lies between two equal samples is assumed to be
/// like them, and --all runs every release. Wrong is a verdict against the expected one, a model that makes an assertion false, and
/// a crash; unknown, timeouts and features that a release lacks are neither right nor wrong.
///
/// What is expected is the script's :status, or --expect, or else what the newest release says. Exit code 1 says that a release is
/// wrong.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The script
    #[arg(value_name = "FILE")]
    script: PathBuf,
    /// The solver and its options, without a version: z3, "z3 smt.string_solver=z3str3", cvc5, bitwuzla
    #[arg(long, value_name = "SPEC")]
    solver: String,
    /// What is expected of each check-sat, in order: sat or unsat
    #[arg(long, value_name = "VERDICT", value_delimiter = ',', value_parser = verdict)]
    expect: Vec<Verdict>,
    /// CPU time for each release, in seconds
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    time_limit: Duration,
    /// Releases that are sampled at first
    #[arg(long, value_name = "N", default_value_t = 9)]
    samples: usize,
    /// Run every release
    #[arg(long, conflicts_with = "samples")]
    all: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

fn verdict(word: &str) -> Result<Verdict, String> {
    match Verdict::from_word(word) {
        Some(verdict @ (Verdict::Sat | Verdict::Unsat)) => Ok(verdict),
        _ => Err("the verdicts are sat and unsat".into()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let text = read_text(&arguments.script)?;
    let script = Benchmark::new(arguments.script.display().to_string(), text);
    let (name, options) = arguments.solver.split_once(char::is_whitespace).unwrap_or((&arguments.solver, ""));
    if name.contains('@') {
        return Err(Failure(format!(
            "`{name}`: give the solver without a version, for all of them are looked at"
        )));
    }
    let stop = stop_on_interrupt()?;
    let limits = Limits::with_cpu(arguments.time_limit);
    let question = Question {
        name,
        options,
        script: &script,
        expected: (!arguments.expect.is_empty()).then(|| arguments.expect.clone()),
        limits: &limits,
        samples: if arguments.all { usize::MAX } else { arguments.samples },
    };
    let mut progress = ProgressLine::new();
    let found = bisect(&question, &Store::open(), &stop, &mut |version, judgement| match judgement {
        None => progress.show(&format!("{name} {version}")),
        Some(judgement) => progress.say(&format!("{name} {version}: {}", told(judgement))),
    });
    let found = found.map_err(Failure::from)?;
    progress.clear();
    let stopped = stop.load(Ordering::Relaxed);
    if arguments.json {
        print_json(&document(&found, arguments, stopped));
    } else {
        print(&to_text(&found, name, stopped));
    }
    Ok(if found.first_wrong().is_some() { Outcome::Found } else { Outcome::Clean })
}

fn told(judgement: &Judgement) -> String {
    match judgement.reason() {
        Some(reason) => format!("{} ({reason})", judgement.word()),
        None => judgement.word().into(),
    }
}

fn to_text(found: &Bisection, name: &str, stopped: bool) -> String {
    let version = |at: usize| &found.versions[at];
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("writing to a string");
    let expected: Vec<&str> = found.expected.iter().map(|v| v.map_or("?", Verdict::word)).collect();
    line(format!("expected: {} ({})", expected.join(" "), found.source));
    match found.first_wrong() {
        None => line("no release that was run is wrong".into()),
        Some(at) => {
            let before = found
                .tested
                .range(..at)
                .next_back()
                .map_or("; it is the oldest release".into(), |(b, judgement)| {
                    format!("; {} before it is {}", version(*b), judgement.word())
                });
            line(format!("first wrong: {name} {}{before}", version(at)));
            match found.right_again() {
                Some(at) => line(format!("right again: {name} {}", version(at))),
                None => line("right again: in no release that was run".into()),
            }
        }
    }
    for flip in found.flips() {
        let [before, after] =
            [flip.before, flip.after].map(|at| format!("{} {}", version(at), told(&found.tested[&at])));
        line(format!("change: {before} -> {after}"));
    }
    let assumed = match found.assumed() {
        0 => String::new(),
        n => format!("; {n} between equal neighbours were not run (--all runs them)"),
    };
    line(format!("{} of {} releases were run{assumed}", found.tested.len(), found.versions.len()));
    if stopped {
        line("interrupted before the end".into());
    }
    text
}

fn document<'a>(found: &'a Bisection, arguments: &'a Arguments, stopped: bool) -> Bisected<'a> {
    let version = |at: usize| found.versions[at].as_str();
    let tested = found.tested.iter().map(|(at, judgement)| TestedRelease {
        version: version(*at),
        judgement: judgement.word(),
        reason: judgement.reason(),
    });
    let changes =
        found.flips().into_iter().map(|f| Change { before: version(f.before), after: version(f.after) });
    Bisected {
        solver: &arguments.solver,
        expected: found.expected.iter().map(|v| v.map(Verdict::word)).collect(),
        expected_from: &found.source,
        first_wrong: found.first_wrong().map(version),
        right_again: found.right_again().map(version),
        changes: changes.collect(),
        tested: tested.collect(),
        not_run: found.assumed(),
        stop_reason: if stopped { "interrupted" } else { "done" },
    }
}
