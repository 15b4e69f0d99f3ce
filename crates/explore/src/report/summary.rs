//! The summary: what was counted, how it was explored, and coverage over time. [`Summary`] is what is written, [`StoredExploration`] the
//! part of it that a replay reads.

use super::Subject;
use super::crash::{CrashSummary, describe};
use super::test::seconds;
use crate::concolic::{AddressPolicy, ConcolicSettings};
use crate::coverage::Coverage;
use crate::search::{Counters, Exploration, Moment, Progress, Source};
use crate::target::RunLimits;
use crate::world::Setup;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value as Json};
use std::path::PathBuf;
use std::time::Duration;

/// `summary.json`. `paths`, `tests`, `crashes`, `branches_covered`, `lines_covered`, `partials_used` and `stop_reason` are promised;
/// `docs/json.md` says what the fields mean.
#[derive(Clone, Debug, Serialize)]
pub struct Summary<'a> {
    program: String,
    flags: &'a [String],
    fuel: u64,
    search: &'static str,
    partials: bool,
    partials_from: String,
    engine: &'static str,
    seed: u64,
    stop_reason: &'static str,
    seconds: f64,
    solver_seconds: f64,
    paths: usize,
    tests: usize,
    only_new: bool,
    crashes: usize,
    crash_list: Vec<CrashSummary>,
    branches_covered: usize,
    branches: usize,
    lines_covered: usize,
    lines: usize,
    partials_used: usize,
    partials_run: usize,
    partials_fresh: usize,
    queries_saved: usize,
    partials_delivered: usize,
    queries: usize,
    sat: usize,
    unsat: usize,
    unknown: usize,
    postponed: usize,
    not_nearby: usize,
    halted: usize,
    backup: Option<String>,
    backup_asked: usize,
    backup_answered: usize,
    jobs: usize,
    divergences: usize,
    forgotten: usize,
    discarded: usize,
    unfinished: usize,
    coverage_over_time: Vec<MomentSummary>,
    runs: usize,
    runs_on_terms: usize,
    sources: Vec<SourceSummary>,
    solver: Counts<u64>,
    /// What the target says of itself.
    #[serde(flatten)]
    target: Map<String, Json>,
}

/// How much was covered at a moment.
#[derive(Clone, Debug, Serialize)]
struct MomentSummary {
    seconds: f64,
    tests: usize,
    branches: usize,
    lines: usize,
    /// Where the input came from that covered something new.
    source: &'static str,
}

/// What became of the inputs of a source.
#[derive(Clone, Debug, Serialize)]
struct SourceSummary {
    source: &'static str,
    engine: &'static str,
    #[serde(flatten)]
    counts: Counts<usize>,
}

/// Numbers by name, in the order in which they are given.
#[derive(Clone, Debug)]
struct Counts<N>(Vec<(&'static str, N)>);

impl<N: Serialize + Copy> Serialize for Counts<N> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().copied())
    }
}

/// The summary of an exploration that ended.
pub fn document<'a>(subject: Subject<'a>, found: &Exploration) -> Summary<'a> {
    document_of(subject, &found.progress(), Some(found))
}

/// The summary of an exploration that has begun and found nothing yet.
pub(super) fn begun(subject: Subject<'_>) -> Summary<'_> {
    let coverage = Coverage::new(subject.target.sites());
    let moment = Moment { time: Duration::ZERO, tests: 0, branches: 0, lines: 0, source: Source::Seed };
    let progress = Progress {
        moment,
        tests: &[],
        crashes: &[],
        coverage: &coverage,
        timeline: &[],
        counters: &Counters::default(),
        queries: &[],
    };
    document_of(subject, &progress, None)
}

/// The summary of an exploration that goes on, or that ended.
pub(super) fn document_of<'a>(
    subject: Subject<'a>,
    found: &Progress<'_>,
    end: Option<&Exploration>,
) -> Summary<'a> {
    let Subject { settings, target, .. } = subject;
    let counters = found.counters;
    let partials = counters.sources.partials();
    let sources = counters.sources.rows().map(|(source, engine, tally)| SourceSummary {
        source: source.name(),
        engine,
        counts: Counts(tally.columns().to_vec()),
    });
    let (branches_covered, branches) = found.coverage.branches();
    let timeline = found.timeline.iter().map(|moment| MomentSummary {
        seconds: seconds(moment.time),
        tests: moment.tests,
        branches: moment.branches,
        lines: moment.lines,
        source: moment.source.name(),
    });
    Summary {
        program: subject.file.display().to_string(),
        flags: subject.flags,
        fuel: settings.fuel,
        search: settings.strategy.name,
        partials: settings.sources.any(),
        partials_from: settings.sources.to_string(),
        engine: settings.engine,
        seed: settings.seed,
        stop_reason: end.map_or("running", |end| end.stop_reason.word()),
        seconds: seconds(found.moment.time),
        solver_seconds: seconds(counters.solver_time),
        paths: counters.paths,
        tests: found.tests.len(),
        only_new: settings.only_new,
        crashes: found.crashes.len(),
        crash_list: found.crashes.iter().map(|crash| describe(target, crash)).collect(),
        branches_covered,
        branches,
        lines_covered: found.coverage.lines().len(),
        lines: target.sites().lines().len(),
        partials_used: partials.paths,
        partials_run: partials.run,
        partials_fresh: partials.fresh,
        queries_saved: counters.queries_saved,
        partials_delivered: partials.delivered,
        queries: counters.queries,
        sat: counters.sat,
        unsat: counters.unsat,
        unknown: counters.unknown,
        postponed: counters.postponed,
        not_nearby: counters.not_nearby,
        halted: counters.halted,
        backup: settings.backup.as_ref().map(|backup| backup.name()),
        backup_asked: counters.backup_asked,
        backup_answered: counters.backup_answered,
        jobs: settings.jobs,
        divergences: counters.divergences,
        forgotten: counters.forgotten,
        discarded: counters.discarded,
        unfinished: counters.unfinished,
        coverage_over_time: timeline.collect(),
        runs: counters.runs[0],
        runs_on_terms: counters.runs[1],
        sources: sources.collect(),
        solver: Counts(end.map_or_else(Vec::new, |end| end.solver_counters.clone())),
        target: target.describe(),
    }
}

/// What a summary tells of the program and of the limits of its runs: enough to run its tests again.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredExploration {
    /// What the program found around it.
    pub setup: Setup,
    /// The class of a Java program whose `main` was run; none for any other program.
    pub main: Option<String>,
    program: Option<PathBuf>,
    #[serde(default)]
    files: Vec<PathBuf>,
    flags: Option<Vec<String>>,
    region: Option<u32>,
    fuel: Option<u64>,
}

impl StoredExploration {
    /// Reads a summary; the message says why the text is none.
    pub fn read(text: &[u8]) -> Result<StoredExploration, String> {
        serde_json::from_slice(text).map_err(|error| error.to_string())
    }

    /// The files of the program, and the options that they were compiled with.
    pub(crate) fn source(&self) -> Option<(Vec<PathBuf>, Vec<String>)> {
        let files = if self.files.is_empty() { vec![self.program.clone()?] } else { self.files.clone() };
        Some((files, self.flags.clone()?))
    }

    /// The choices of the concolic domain.
    pub fn options(&self) -> ConcolicSettings {
        let loads = match self.region {
            None => ConcolicSettings::default().loads,
            Some(0) => AddressPolicy::Concretise,
            Some(bytes) => AddressPolicy::Region(bytes),
        };
        ConcolicSettings { loads, ..ConcolicSettings::default() }
    }

    /// The limits of its runs.
    pub fn limits(&self) -> RunLimits {
        let default = RunLimits::default();
        RunLimits { fuel: self.fuel.unwrap_or(default.fuel), ..default }
    }
}
