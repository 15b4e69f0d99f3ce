//! A run from beginning to end: evolve, store each generation, confirm, publish, report. Owns the folder of a run; what is
//! shown while it goes on is the caller's business.

use super::confirm::{self, Rerun};
use super::evaluate::{EvolveError, Pair, PairSettings};
use super::publish::{SlowEntry, publish};
use super::search::{Counts, Evolution, EvolutionSettings, Generation};
use super::variant::Printed;
use super::{report, store};
use crate::StopReason;
use crate::solver::{Solver, Store};
use crate::tuning::evolve_run::{self, REDUCTION_TESTS};
use output::Folder;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a whole run is asked for.
#[derive(Clone, Debug)]
pub struct EvolveSettings {
    /// How formulas evolve.
    pub search: EvolutionSettings,
    /// How solvers are run.
    pub pair: PairSettings,
    /// The long limit, if the result is to be confirmed.
    pub confirm: Option<Duration>,
    /// Whether to continue the run in `out`.
    pub resume: bool,
    /// The folder of the run.
    pub out: PathBuf,
}

/// What happens during a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// A generation is over.
    Generation(&'a Generation),
    /// This many members of the result set are run again under the long limit.
    Confirming(usize),
    /// A defect was confirmed and reduced.
    Found(&'a SlowEntry),
}

/// What a run led to.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What was counted.
    pub counts: Counts,
    /// Generations, those before a resume included.
    pub generations: usize,
    /// Confirmed performance defects.
    pub findings: Vec<SlowEntry>,
    /// Slow formulas of the result that were not reduced, for the time of confirming was over.
    pub left: usize,
    /// The row of Table I.
    pub row: Printed,
    /// Members of the result set that reached the search's limit.
    pub slow: usize,
    /// Why the search ended.
    pub stop_reason: StopReason,
    /// Why the run says little about the solvers, if it does.
    pub trouble: Option<String>,
}

/// How long a search lasts if nothing limits it, and how long confirming goes on where the search has no time limit.
pub const USUAL_TIME: Duration = evolve_run::USUAL_TIME;

/// Runs an evolution to its end.
pub fn run(
    settings: &EvolveSettings,
    store: &Store,
    newest: Option<&Solver>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Event),
) -> Result<Summary, EvolveError> {
    let pair = Pair::new(settings.pair.clone(), store)?;
    let (folder, _) = Folder::open(&settings.out, "fuzz evolve", false)?;
    let folder = Arc::new(folder);
    let mut evolution = Evolution::new(&settings.search, &pair);
    begin(settings, &mut evolution)?;
    let log = folder.claim("generations.jsonl")?;
    let stop_reason = evolution.run(stop, &mut |evolution| {
        store::save(&folder, evolution)?;
        append(&log, evolution)?;
        if let Some(generation) = evolution.history.last() {
            tell(Event::Generation(generation));
        }
        Ok(())
    })?;
    let mut findings = Vec::new();
    let mut reruns: Option<Vec<Rerun>> = None;
    let mut left = 0;
    if let Some(limit) = settings.confirm {
        let how = confirm::ConfirmSettings {
            limit,
            jobs: settings.search.jobs,
            reduction_tests: REDUCTION_TESTS,
            time: settings.search.time.unwrap_or(USUAL_TIME),
        };
        tell(Event::Confirming(evolution.members.len()));
        let again = confirm::rerun(&pair, &evolution.members, &how, stop)?;
        let mut failure = None;
        let mut publish_one =
            |defect: &confirm::SlowFormula| match publish(&folder, &pair, newest, defect, stop) {
                Ok(entry) => {
                    tell(Event::Found(&entry));
                    findings.push(entry);
                }
                Err(error) => failure = Some(error),
            };
        let confirmation =
            confirm::defects(&pair, store, &evolution.members, &again, &how, stop, &mut publish_one)?;
        if let Some(error) = failure {
            return Err(error);
        }
        // Duplicates come after the finding that they count for.
        for (entry, defect) in findings.iter_mut().zip(&confirmation.defects) {
            entry.entry.count = defect.count;
        }
        left = confirmation.left;
        reruns = Some(again);
    }
    report::write(&folder, settings.search.variant, &evolution, reruns.as_deref())?;
    let summary = summary(&evolution, findings, reruns.as_deref(), left, stop_reason);
    let text = serde_json::to_string_pretty(&summary_file(settings, &summary)).expect("a value of our own");
    folder.write("summary.json", text + "\n")?;
    Ok(summary)
}

/// Continues the run that is stored in the folder, if there is one. A run is never overwritten by another.
fn begin(settings: &EvolveSettings, evolution: &mut Evolution) -> Result<(), EvolveError> {
    let state = settings.out.join(store::FILE);
    if settings.resume || state.exists() { store::load(&state, evolution) } else { Ok(()) }
}

/// A line of `generations.jsonl`: a generation's figures and its members.
#[derive(Serialize)]
struct LogLine<'a> {
    #[serde(flatten)]
    generation: &'a Generation,
    members: Vec<LogMember<'a>>,
}

#[derive(Serialize)]
struct LogMember<'a> {
    text: &'a str,
    t_score: f64,
    coverage_score: u64,
    complexity: u64,
}

/// Adds a generation to the log.
fn append(log: &Path, evolution: &Evolution) -> Result<(), EvolveError> {
    let Some(generation) = evolution.history.last() else { return Ok(()) };
    let members = evolution.members.iter().map(|member| LogMember {
        text: &member.text,
        t_score: member.t_score(),
        coverage_score: member.coverage_score,
        complexity: member.complexity,
    });
    let line = LogLine { generation, members: members.collect() };
    let write = || -> std::io::Result<()> {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(log)?;
        writeln!(file, "{}", serde_json::to_string(&line)?)
    };
    write().map_err(|error| EvolveError::file(log, error))
}

fn summary(
    evolution: &Evolution,
    findings: Vec<SlowEntry>,
    reruns: Option<&[Rerun]>,
    left: usize,
    stop_reason: StopReason,
) -> Summary {
    let counts = evolution.counts.clone();
    let rejection = counts.last_rejection.as_deref().unwrap_or("");
    let trouble = if counts.tests == 0 {
        Some("nothing was tested".to_string())
    } else if counts.rejected * 2 > counts.tests {
        Some(format!(
            "{} of {} formulas were refused by a solver: {rejection}",
            counts.rejected, counts.tests
        ))
    } else {
        None
    };
    Summary {
        generations: evolution.history.len(),
        findings,
        left,
        row: report::row(evolution, reruns),
        slow: evolution.history.last().map_or(0, |generation| generation.timeouts),
        stop_reason,
        trouble,
        counts,
    }
}

/// `summary.json`, and what `--json` prints.
#[derive(Serialize)]
pub struct SummaryFile {
    strategy: &'static str,
    variant: &'static str,
    logic: &'static str,
    solver: String,
    /// Further targets, which are slow together with it.
    other_solvers: Vec<String>,
    references: Vec<String>,
    seed: u64,
    tests: u64,
    generations: usize,
    rejected: u64,
    contradictions: u64,
    slow: usize,
    findings: Vec<FindingLine>,
    slow_not_reduced: usize,
    /// The row of Table I that this run gives.
    table: Printed,
    /// The same row as the paper prints it.
    paper: Printed,
    stop_reason: &'static str,
    trouble: Option<String>,
    out: String,
}

#[derive(Serialize)]
struct FindingLine {
    class: &'static str,
    fingerprint: String,
    about: String,
    path: String,
    count: u64,
    assertions: usize,
    slow_seeds: u32,
    tried_seeds: u32,
}

/// The summary of a run as it is stored and printed.
pub fn summary_file(settings: &EvolveSettings, summary: &Summary) -> SummaryFile {
    let line = |SlowEntry { entry, seeds }: &SlowEntry| FindingLine {
        class: entry.class.word(),
        fingerprint: entry.fingerprint.clone(),
        about: entry.about.clone(),
        path: settings.out.join(&entry.path).display().to_string(),
        count: entry.count,
        assertions: entry.assertions,
        slow_seeds: seeds.0,
        tried_seeds: seeds.1,
    };
    SummaryFile {
        strategy: "evolve",
        variant: settings.search.variant.name,
        logic: settings.search.logic.name,
        solver: settings.pair.target.clone(),
        other_solvers: settings.pair.others.clone(),
        references: settings.pair.references.clone(),
        seed: settings.search.seed,
        tests: summary.counts.tests,
        generations: summary.generations,
        rejected: summary.counts.rejected,
        contradictions: summary.counts.contradictions,
        slow: summary.slow,
        findings: summary.findings.iter().map(line).collect(),
        slow_not_reduced: summary.left,
        table: summary.row,
        paper: settings.search.variant.printed,
        stop_reason: summary.stop_reason.word(),
        trouble: summary.trouble.clone(),
        out: settings.out.display().to_string(),
    }
}
