//! A run from beginning to end: evolve, store each generation, confirm, publish, report. Owns the folder of a run; what is
//! shown while it goes on is the caller's business.

use super::confirm::{self, Rerun};
use super::evaluate::{EvolveError, Pair, PairOptions};
use super::publish::{Entry, publish};
use super::search::{Counts, Evolution, Generation, Options, StopReason};
use super::variant::Printed;
use super::{report, store};
use crate::solver::{Solver, Store};
use output::Folder;
use serde_json::{Value as Json, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a whole run is asked for.
#[derive(Clone, Debug)]
pub struct Task {
    /// How formulas evolve.
    pub search: Options,
    /// How solvers are run.
    pub pair: PairOptions,
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
    Found(&'a Entry),
}

/// What a run led to.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What was counted.
    pub counts: Counts,
    /// Generations, those before a resume included.
    pub generations: usize,
    /// The findings.
    pub findings: Vec<Entry>,
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

/// How many tests one reduction may use: each that stays slow costs seconds.
const REDUCTION_TESTS: u64 = 300;
/// How long a search lasts if nothing limits it, and how long confirming goes on where the search has no time limit.
pub const USUAL_TIME: Duration = Duration::from_secs(600);

/// Runs a task.
pub fn run(
    task: &Task,
    store: &Store,
    newest: Option<&Solver>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Event),
) -> Result<Summary, EvolveError> {
    let pair = Pair::new(task.pair.clone(), store)?;
    let (folder, _) = Folder::open(&task.out, "fuzz evolve", false)?;
    let folder = Arc::new(folder);
    let mut evolution = Evolution::new(&task.search, &pair);
    begin(task, &mut evolution)?;
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
    if let Some(limit) = task.confirm {
        let options = confirm::Options {
            limit,
            jobs: task.search.jobs,
            reduction_tests: REDUCTION_TESTS,
            time: task.search.time.unwrap_or(USUAL_TIME),
        };
        tell(Event::Confirming(evolution.members.len()));
        let again = confirm::rerun(&pair, &evolution.members, &options, stop)?;
        let mut failure = None;
        let mut publish_one = |defect: &confirm::Defect| match publish(&folder, &pair, newest, defect, stop) {
            Ok(entry) => {
                tell(Event::Found(&entry));
                findings.push(entry);
            }
            Err(error) => failure = Some(error),
        };
        let confirmation =
            confirm::defects(&pair, store, &evolution.members, &again, &options, stop, &mut publish_one)?;
        if let Some(error) = failure {
            return Err(error);
        }
        // Duplicates come after the finding that they count for.
        for (entry, defect) in findings.iter_mut().zip(&confirmation.defects) {
            entry.count = defect.count;
        }
        left = confirmation.left;
        reruns = Some(again);
    }
    report::write(&folder, task.search.variant, &evolution, reruns.as_deref())?;
    let summary = summary(&evolution, findings, reruns.as_deref(), left, stop_reason);
    folder.write("summary.json", format!("{:#}\n", summary_json(task, &summary)))?;
    Ok(summary)
}

/// Continues the run that is stored in the folder, if there is one. A run is never overwritten by another.
fn begin(task: &Task, evolution: &mut Evolution) -> Result<(), EvolveError> {
    let state = task.out.join(store::FILE);
    if task.resume || state.exists() { store::load(&state, evolution) } else { Ok(()) }
}

/// Adds a generation to the log: its figures and its members.
fn append(log: &Path, evolution: &Evolution) -> Result<(), EvolveError> {
    let Some(generation) = evolution.history.last() else { return Ok(()) };
    let members: Vec<Json> = evolution
        .members
        .iter()
        .map(|m| json!({ "text": m.text, "t_score": m.t_score(), "coverage_score": m.coverage_score, "complexity": m.complexity }))
        .collect();
    let mut line = store::generation(generation);
    line["members"] = Json::from(members);
    let write = || -> std::io::Result<()> {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(log)?;
        writeln!(file, "{line}")
    };
    write().map_err(|error| EvolveError::file(log, error))
}

fn summary(
    evolution: &Evolution,
    findings: Vec<Entry>,
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

/// The summary as JSON, as `--json` prints it.
pub fn summary_json(task: &Task, summary: &Summary) -> Json {
    let findings: Vec<Json> = summary
        .findings
        .iter()
        .map(|entry| {
            json!({
                "class": entry.class.word(),
                "fingerprint": entry.fingerprint,
                "about": entry.about,
                "path": entry.path.display().to_string(),
                "count": entry.count,
                "assertions": entry.assertions,
                "slow_seeds": entry.seeds.0,
                "tried_seeds": entry.seeds.1,
            })
        })
        .collect();
    json!({
        "strategy": "evolve",
        "variant": task.search.variant.name,
        "logic": task.search.logic.name,
        "solver": task.pair.target,
        "reference": task.pair.reference,
        "seed": task.search.seed,
        "tests": summary.counts.tests,
        "generations": summary.generations,
        "rejected": summary.counts.rejected,
        "contradictions": summary.counts.contradictions,
        "slow": summary.slow,
        "findings": findings,
        "slow_not_reduced": summary.left,
        "table": report::row_json(&summary.row),
        "paper": report::row_json(&task.search.variant.printed),
        "stop_reason": summary.stop_reason.word(),
        "trouble": summary.trouble,
        "out": task.out.display().to_string(),
    })
}
