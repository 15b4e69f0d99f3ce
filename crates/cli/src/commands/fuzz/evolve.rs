//! `soundline fuzz evolve`.

use crate::commands::{seconds, stop_on_interrupt};
use crate::input::{expand, print, print_json, read_text, say};
use crate::progress::ProgressLine;
use crate::{Failure, Outcome};
use fuzz::evolve::evaluate::{CoverageKind, PairSettings, TraceKind};
use fuzz::evolve::grammar::{LOGICS, Logic};
use fuzz::evolve::individual::Individual;
use fuzz::evolve::run::{Event, EvolveSettings, Summary, USUAL_TIME, run as run_task, summary_file};
use fuzz::evolve::search::{EvolutionSettings, FirstFormula};
use fuzz::evolve::variant::{VARIANTS, Variant};
use fuzz::solver::{Limits, Store};
use smt::Terms;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Breed formulas on which the target is slow and the reference is not.
///
/// Multi-objective evolution (MulStringFuzz, Ren et al.): populations of formulas are measured on both solvers, and those
/// live on that the target is slower on, that make it execute something new, and that are simple; formulas whose runs are
/// alike make room for others. DIR gets the final population, tables and plots; formulas that stay slow under
/// a long limit are reduced and become findings of the class performance.
///
/// Ctrl-C ends the run and keeps what was found; --resume goes on after the last whole generation.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    /// The solver that should be slow; repeated, solvers that should be slow together: coverage and traces are the first one's
    #[arg(long, value_name = "SPEC", required = true)]
    solver: Vec<String>,
    /// The solver that should not; may be repeated: the quickest counts
    #[arg(long, value_name = "SPEC", default_value = "cvc5")]
    reference: Vec<String>,
    /// Files or folders with formulas to begin with; may be repeated
    #[arg(long, value_name = "DIR")]
    seeds: Vec<PathBuf>,
    /// What is maximised, and how: a row of the paper's Table I
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = variant)]
    variant: &'static Variant,
    /// What formulas are made of
    #[arg(long, value_name = "LOGIC", default_value = LOGICS[0].name, value_parser = logic)]
    logic: &'static Logic,
    /// Run the result again with this limit in CPU seconds (the paper: 2400), reduce what stays slow, write findings;
    /// no reduction begins after as much time as the search had
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60")]
    confirm: Duration,
    /// Do not run the result again: no findings are written
    #[arg(long)]
    no_confirm: bool,
    /// Stop after this time, in seconds; confirming is not counted. Without --tests 600
    #[arg(long, value_name = "S", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Stop after this many formulas
    #[arg(long, value_name = "N")]
    tests: Option<u64>,
    /// Formulas measured at the same time; by default one a core
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// The seed of everything that is random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Formulas in a population
    #[arg(long, value_name = "N", default_value = "40")]
    population: NonZeroUsize,
    /// How likely two parents exchange assertions
    #[arg(long, value_name = "P", default_value_t = 0.75, value_parser = probability)]
    crossover: f64,
    /// How likely a child mutates
    #[arg(long, value_name = "P", default_value_t = 0.25, value_parser = probability)]
    mutation: f64,
    /// What stands for code coverage: blackbox (statistics and messages), sancov or gcov (see soundline coverage)
    #[arg(long, value_name = "SOURCE", default_value = "blackbox", value_parser = coverage)]
    coverage: CoverageKind,
    /// Where traces come from: verbose (messages), coverage (counters) or log (z3's trace=true)
    #[arg(long, value_name = "SOURCE", default_value = "verbose", value_parser = trace)]
    trace: TraceKind,
    /// CPU seconds that one solver may take for one formula
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    test_limit: Duration,
    /// Memory that a solver process may take, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 8192)]
    memory_limit: u64,
    /// Go on with the run in DIR
    #[arg(long, requires = "out")]
    resume: bool,
    /// Where the result goes: a new folder, or that of an earlier run with the same options, which then goes on. By default
    /// soundline-evolve, or the first of soundline-evolve-2, -3 ... that does not exist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

fn variant(name: &str) -> Result<&'static Variant, String> {
    let names = || VARIANTS.iter().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
    Variant::by_name(name).ok_or_else(|| format!("the variants are {}", names()))
}

fn logic(name: &str) -> Result<&'static Logic, String> {
    let names = || LOGICS.iter().map(|logic| logic.name).collect::<Vec<_>>().join(", ");
    Logic::by_name(name).ok_or_else(|| format!("the logics are {}", names()))
}

fn coverage(name: &str) -> Result<CoverageKind, String> {
    match name {
        "blackbox" => Ok(CoverageKind::Blackbox),
        "sancov" => Ok(CoverageKind::Sancov),
        "gcov" => Ok(CoverageKind::Gcov),
        _ => Err("the sources are blackbox, sancov, gcov".into()),
    }
}

fn trace(name: &str) -> Result<TraceKind, String> {
    match name {
        "verbose" => Ok(TraceKind::Verbose),
        "coverage" => Ok(TraceKind::Coverage),
        "log" => Ok(TraceKind::Log),
        _ => Err("the sources are verbose, coverage, log".into()),
    }
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("a probability is a number from 0 to 1".into()),
    }
}

impl Arguments {
    fn task(&self) -> Result<EvolveSettings, Failure> {
        let jobs =
            self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let search = EvolutionSettings {
            variant: self.variant,
            logic: self.logic,
            population: self.population.get(),
            crossover: self.crossover,
            mutation: self.mutation,
            tests: self.tests,
            time: self.time_limit.or(self.tests.is_none().then_some(USUAL_TIME)),
            jobs,
            seeds: seeds(&self.seeds)?,
            ..EvolutionSettings::new(self.seed)
        };
        let pair = PairSettings {
            target: self.solver.first().cloned().unwrap_or_default(),
            others: self.solver.iter().skip(1).cloned().collect(),
            references: self.reference.clone(),
            compare: self.variant.needs_reference(),
            limits: Limits { memory: self.memory_limit << 20, ..Limits::with_cpu(self.test_limit) },
            coverage: self.coverage,
            trace: self.trace,
            jobs,
        };
        let out = self.out.clone().unwrap_or_else(|| super::unused("soundline-evolve"));
        Ok(EvolveSettings {
            search,
            pair,
            confirm: (!self.no_confirm).then_some(self.confirm),
            resume: self.resume,
            out,
        })
    }
}

/// The seeds that can evolve; the others are named.
fn seeds(paths: &[PathBuf]) -> Result<Vec<FirstFormula>, Failure> {
    let mut seeds = Vec::new();
    for path in expand(paths)? {
        let name = path.display().to_string();
        let text = read_text(&path)?;
        let mut terms = Terms::new();
        let reading = smt::read_script(&mut terms, &text);
        let problem = match reading.errors.first() {
            Some(error) => Some(error.to_string()),
            None => Individual::from_script(&mut terms, &reading.script).err().map(|rejected| rejected.0),
        };
        match problem {
            Some(problem) => say!("note: {name} is left out: {problem}"),
            None => seeds.push(FirstFormula { name, text }),
        }
    }
    Ok(seeds)
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let task = arguments.task()?;
    let store = Store::open();
    let newest = fuzz::solver::Solver::resolve(&task.pair.target, &store)
        .ok()
        .and_then(|target| fuzz::run::newest(&target, &store));
    let stop = stop_on_interrupt()?;
    say!(
        "fuzz evolve: {} against {}, variant {}, logic {}, seed {}, {} jobs, results in {}",
        arguments.solver.join(", "),
        arguments.reference.join(", "),
        task.search.variant.name,
        task.search.logic.name,
        task.search.seed,
        task.search.jobs,
        task.out.display()
    );
    let mut line = ProgressLine::new();
    let summary =
        run_task(&task, &store, newest.as_ref(), &stop, &mut |event| show(&mut line, &task.out, &event))?;
    line.clear();
    if arguments.json {
        print_json(&summary_file(&task, &summary));
    } else {
        print(&words(&task, &summary));
    }
    if let Some(trouble) = &summary.trouble {
        say!("error: the run says nothing about the solver's speed: {trouble}");
        return Ok(Outcome::Internal);
    }
    Ok(if summary.findings.is_empty() { Outcome::Clean } else { Outcome::Found })
}

fn show(line: &mut ProgressLine, out: &Path, event: &Event) {
    match event {
        Event::Generation(g) => line.show(&format!(
            "generation {}: {} tests, mean tScore {:.2}, best {:.2}, {} at the limit, mean complexity {:.1}",
            g.number, g.tests, g.mean_score, g.best_score, g.timeouts, g.mean_complexity
        )),
        Event::Confirming(members) => line.show(&format!("confirming {members} formulas")),
        Event::Found(found) => line.say(&format!(
            "found {} ({} assertions, slow with {} of {} seeds): {}",
            found.entry.about,
            found.entry.assertions,
            found.seeds.0,
            found.seeds.1,
            out.join(&found.entry.path).display()
        )),
    }
}

/// The summary for people: the row of Table I beside the paper's, and the findings.
fn words(task: &EvolveSettings, summary: &Summary) -> String {
    let mut out = format!(
        "{} tests in {} generations (seed {}), ended by {}; {} formulas of the result reach the limit; {} refused, {} contradictions\n\n",
        summary.counts.tests,
        summary.generations,
        task.search.seed,
        summary.stop_reason.word(),
        summary.slow,
        summary.counts.rejected,
        summary.counts.contradictions
    );
    let variant = task.search.variant;
    let header = ["", "tot lines", "avg lines", "avg tScore", "timeouts", "avg complexity"];
    let [who, a, b, c, d, e] = header;
    // Writing to a string cannot fail.
    writeln!(out, "{who:<34} {a:>10} {b:>10} {c:>10} {d:>9} {e:>15}").expect("a string grows");
    for (who, row) in [("this run", &summary.row), (variant.title, &variant.printed)] {
        writeln!(
            out,
            "{who:<34} {:>10.1} {:>10.1} {:>10.2} {:>9} {:>15.2}",
            row.total_lines, row.mean_lines, row.mean_score, row.timeouts, row.mean_complexity
        )
        .expect("a string grows");
    }
    if summary.left > 0 {
        writeln!(out, "\n{} slow formulas were not reduced: the time of confirming was over", summary.left)
            .expect("a string grows");
    }
    for found in &summary.findings {
        let entry = found.entry.below(&task.out);
        writeln!(out, "\n{} x{}: {}", entry.about, entry.count, entry.path).expect("a string grows");
    }
    out
}
