//! `soundline reduce`: a script on which a solver is wrong, made small. The work is done by `fuzz::evidence`.

use crate::commands::{resolve, seconds, stop_on_interrupt, verdict};
use crate::documents::{NothingWrong, Reduced};
use crate::input::{print_exactly, print_json, read_text, say};
use crate::progress::ProgressLine;
use crate::{Failure, Outcome};
use fuzz::case::Verdict;
use fuzz::evidence::{self, Oracle};
use fuzz::run::referees;
use fuzz::solver::{Limits, Solver, Store};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Shrink a script on which a solver misbehaves.
///
/// First the misbehaviour is determined: a crash, a model that evaluation rejects, an unsatisfiable core that is
/// satisfiable, or a verdict that the reference solvers or a model contradict. Then the script is reduced (commands, subterms,
/// constants, sorts, names) while it stays, every candidate being sort-checked, run, and judged again: a wrong verdict counts
/// only where the right one is established.
///
/// The result is written to FILE.reduced.smt2, or where --out says.
///
/// Exit codes: 0 the solver does nothing wrong on this script, 1 a reduced script was written, 2 bad input.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The script
    #[arg(value_name = "FILE.smt2")]
    file: PathBuf,
    /// The solver that is wrong
    #[arg(long, value_name = "SPEC")]
    solver: String,
    /// A solver that is asked for the truth; may be repeated. By default z3, cvc5 and soundline itself
    #[arg(long, value_name = "SPEC")]
    reference: Vec<String>,
    /// The verdict that is known to be right; by default what (set-info :status ...) says
    #[arg(long, value_name = "sat|unsat", value_parser = verdict)]
    expect: Option<Verdict>,
    /// Reduce a timeout: the solver reaches the limit, a reference needs a tenth of it
    #[arg(long)]
    slow: bool,
    /// Where the reduced script goes, - for standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Candidates that are run at the same time; by default one a core
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// CPU seconds that one run may take
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    test_limit: Duration,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let text = read_text(&arguments.file)?;
    let out = arguments.out.clone().unwrap_or_else(|| arguments.file.with_extension("reduced.smt2"));
    let to_stdout = out.as_os_str() == "-";
    if !to_stdout {
        output::probe(&out)?;
    }
    let fail = |error: fuzz::solver::SolverError| Failure::from(error);
    let store = Store::open();
    let target = resolve(&arguments.solver, &store)?;
    let mut asked = Vec::new();
    for spec in &arguments.reference {
        asked.push(resolve(spec, &store)?);
    }
    if asked.is_empty() {
        asked = referees(&target, &store);
    }
    let stop = stop_on_interrupt()?;
    let oracle = Oracle {
        target: &target,
        referees: &asked,
        limits: Limits::with_cpu(arguments.test_limit),
        stop: &stop,
    };
    let sent = evidence::prepared(&text, target.dialect)?;
    let status = arguments.expect.or_else(|| evidence::status(&text));
    let Some(confirmed) = evidence::diagnose(&oracle, &sent, status, arguments.slow).map_err(fail)? else {
        say!(
            "{} ({}) does nothing wrong on this script that could be established",
            target.name,
            target.version
        );
        if arguments.json {
            print_json(&NothingWrong { class: None, reduced: None });
        }
        return Ok(Outcome::Clean);
    };
    let mut line = ProgressLine::new();
    line.say(&format!(
        "{} ({}) {}: {}",
        target.name,
        target.version,
        confirmed.class.title(),
        confirmed.detail
    ));
    let jobs =
        arguments.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    // What is the same defect is also told by the releases that have it.
    let others = store.other_releases(&target, evidence::RELEASES);
    let releases: Vec<&Solver> = others.iter().collect();
    let small = evidence::shrink(&oracle, &sent, &confirmed, &releases, jobs, &mut |progress| {
        line.show(&format!(
            "{} runs, {}: {} nodes, {} bytes",
            progress.tests, progress.pass, progress.nodes, progress.bytes
        ))
    });
    line.clear();
    let Some(small) = small.map_err(fail)? else {
        return Err(Failure("the defect did not show again; is the solver's answer random?".into()));
    };
    if !to_stdout {
        output::write_whole(&out, &small.text).map_err(|error| Failure::Internal(error.to_string()))?;
    }
    let assertions = small.assertions();
    say!(
        "{} bytes became {}, {assertions} assertions, after {} runs in {:.1} s{}",
        text.len(),
        small.text.len(),
        small.tests,
        start.elapsed().as_secs_f64(),
        if to_stdout { String::new() } else { format!(": {}", out.display()) }
    );
    if arguments.json {
        print_json(&Reduced {
            class: small.confirmed.class.word(),
            title: small.confirmed.class.title(),
            detail: &small.confirmed.detail,
            reduced: &small.text,
            path: (!to_stdout).then_some(&out),
            bytes_before: text.len(),
            bytes_after: small.text.len(),
            assertions,
            tests: small.tests,
            seconds: start.elapsed().as_secs_f64(),
        });
    } else if to_stdout {
        print_exactly(&small.text);
    }
    Ok(Outcome::Found)
}
