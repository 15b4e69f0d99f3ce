//! What a formula costs: the seam between evolution and solvers. [`Pair`] runs a target and a reference; tests count
//! instead of measuring. Owns the order of the runs (the target first; the reference only as long as its time can matter)
//! and the sources of coverage and traces, one set a worker.

use super::coverage::blackbox::Blackbox;
use super::coverage::gcov::Gcov;
use super::coverage::sancov::Sancov;
use super::coverage::{Coverage, Output, Source, Unavailable};
use super::family;
use super::trace::{Trace, without_numbers};
use crate::case::Verdict;
use crate::solver::answer::{self, Trouble};
use crate::solver::{End, Limits, Run, Solver, SolverError, Store};
use crate::tuning::evolve_evaluate::SHORTEST;
use smt::Dialect;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With a verdict.
    Answered(Verdict),
    /// At the time limit.
    Timeout,
    /// The solver does not take the formula: it says nothing about its speed.
    Rejected(String),
    /// It crashed, ran out of memory or flooded its output.
    Failed(String),
}

/// One solver's run.
#[derive(Clone, PartialEq, Debug)]
pub struct Timing {
    /// CPU time in seconds; the limit, if it was reached.
    pub seconds: f64,
    /// How it ended.
    pub ending: Ending,
}

/// What a formula costs.
#[derive(Clone, PartialEq, Debug)]
pub struct Measurement {
    /// On the target.
    pub target: Timing,
    /// On the reference, where the variant asks for it.
    pub reference: Option<Timing>,
    /// What the target executed.
    pub coverage: Coverage,
    /// The target's trace.
    pub trace: Trace,
}

impl Measurement {
    /// Whether both solvers take the formula.
    pub fn is_valid(&self) -> bool {
        let takes = |timing: &Timing| !matches!(timing.ending, Ending::Rejected(_));
        takes(&self.target) && self.reference.as_ref().is_none_or(takes)
    }

    /// Whether the solvers contradict each other.
    pub fn is_contradiction(&self) -> bool {
        let decided = |timing: &Timing| match timing.ending {
            Ending::Answered(verdict @ (Verdict::Sat | Verdict::Unsat)) => Some(verdict),
            _ => None,
        };
        let reference = self.reference.as_ref().and_then(decided);
        matches!((decided(&self.target), reference), (Some(a), Some(b)) if a != b)
    }
}

/// A formula as the solvers get it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// In the target's dialect.
    pub target: String,
    /// In the reference's dialect.
    pub reference: String,
}

/// Why evolution cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum EvolveError {
    /// A solver cannot be run.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A coverage source does not work.
    #[error("coverage: {0}")]
    Coverage(#[from] Unavailable),
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The run's folder cannot be written.
    #[error(transparent)]
    Output(#[from] output::Error),
    /// A stored run cannot be continued.
    #[error("cannot continue: {0}")]
    Resume(String),
}

impl EvolveError {
    /// A failure of a file.
    pub fn file(path: &Path, error: std::io::Error) -> EvolveError {
        EvolveError::File { path: path.to_path_buf(), error }
    }
}

/// Measures formulas.
pub trait Evaluate: Sync {
    /// The dialects of target and reference.
    fn dialects(&self) -> (Dialect, Dialect);

    /// The time limit of a run in seconds.
    fn limit(&self) -> f64;

    /// Measures one formula as this worker; `None` if the flag went up meanwhile.
    fn measure(
        &self,
        worker: usize,
        subject: &Subject,
        stop: &AtomicBool,
    ) -> Result<Option<Measurement>, EvolveError>;
}

/// Where coverage comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CoverageKind {
    /// Statistics and messages.
    #[default]
    Blackbox,
    /// Sanitizer coverage through the project's runtime.
    Sancov,
    /// Counters that gcov writes when the solver exits.
    Gcov,
}

/// Where traces come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TraceKind {
    /// What the solver prints, numbers aside.
    #[default]
    Verbose,
    /// The coverage counters.
    Coverage,
    /// A log of all steps that the solver writes to a file (Z3's `trace=true`).
    Log,
}

/// How target and reference are run.
#[derive(Clone, Debug)]
pub struct PairSettings {
    /// The target's SPEC.
    pub target: String,
    /// The reference's SPEC.
    pub reference: String,
    /// Whether the reference's time matters to the search.
    pub compare: bool,
    /// The limits of each run.
    pub limits: Limits,
    /// Where coverage comes from.
    pub coverage: CoverageKind,
    /// Where traces come from.
    pub trace: TraceKind,
    /// How many workers there are.
    pub jobs: usize,
}

/// A target and a reference solver.
pub struct Pair {
    /// The target as the user named it.
    pub target: Solver,
    /// The solver that the target is compared with.
    pub reference: Solver,
    settings: PairSettings,
    workers: Vec<Mutex<Worker>>,
    /// Counters, logs and the like; gone with this.
    _folder: tempfile::TempDir,
}

struct Worker {
    target: Solver,
    source: Box<dyn Source>,
    log: Option<PathBuf>,
}

impl Pair {
    /// Finds both solvers and prepares the workers.
    pub fn new(settings: PairSettings, store: &Store) -> Result<Pair, EvolveError> {
        let target = Solver::resolve(&settings.target, store)?;
        let reference = Solver::resolve(&settings.reference, store)?;
        let folder = tempfile::tempdir().map_err(|error| EvolveError::file(&std::env::temp_dir(), error))?;
        let mut workers = Vec::new();
        for number in 0..settings.jobs.max(1) {
            workers.push(Mutex::new(worker(&settings, &target, folder.path(), number, store)?));
        }
        Ok(Pair { target, reference, settings, workers, _folder: folder })
    }

    /// The limits of each run.
    pub fn limits(&self) -> Limits {
        self.settings.limits
    }
}

fn worker(
    settings: &PairSettings,
    plain: &Solver,
    folder: &Path,
    number: usize,
    store: &Store,
) -> Result<Worker, EvolveError> {
    let source: Box<dyn Source> = match settings.coverage {
        CoverageKind::Blackbox => Box::new(Blackbox),
        CoverageKind::Sancov => Box::new(Sancov::new(folder.join(format!("counters-{number}")))),
        CoverageKind::Gcov => Box::new(Gcov::new(folder.join(format!("gcov-{number}")))),
    };
    let family = family::of(&settings.target);
    let talks = settings.coverage == CoverageKind::Blackbox || settings.trace == TraceKind::Verbose;
    let talk = family.filter(|_| talks).map_or(&[][..], |family| family.talk);
    let log_options = match settings.trace {
        TraceKind::Log => Some(family.and_then(|family| family.log).ok_or_else(|| {
            Unavailable(format!("no option is known that makes `{}` write a log", settings.target))
        })?),
        TraceKind::Verbose | TraceKind::Coverage => None,
    };
    let log = log_options.map(|_| folder.join(format!("log-{number}")));
    let mut spec = family::with_options(&settings.target, talk, "");
    if let (Some(words), Some(path)) = (log_options, &log) {
        spec = family::with_options(&spec, words, &path.display().to_string());
    }
    let mut target = if spec == settings.target { plain.clone() } else { Solver::resolve(&spec, store)? };
    if !source.environment().is_empty() {
        let dialect = target.dialect;
        target =
            Solver::resolve(&family::with_environment(&target.command_line(), &source.environment()), store)?;
        // Nothing is known of the program `env`.
        target.dialect = dialect;
    }
    Ok(Worker { target, source, log })
}

impl Worker {
    fn run(
        &mut self,
        text: &str,
        settings: &PairSettings,
        stop: &AtomicBool,
    ) -> Result<(Run, Coverage, Trace), EvolveError> {
        self.source.clear()?;
        let run = self.target.run(text, &settings.limits, stop)?;
        let coverage = self.source.collect(Output { stdout: &run.stdout, stderr: &run.stderr })?;
        let trace = match (settings.trace, &self.log) {
            (TraceKind::Coverage, _) => coverage.trace(),
            (TraceKind::Log, Some(path)) => read_log(path)?,
            (TraceKind::Verbose | TraceKind::Log, _) => {
                let mut trace = Trace::default();
                for line in run.stdout.lines().chain(run.stderr.lines()) {
                    trace.push(&without_numbers(line.as_bytes()));
                }
                trace
            }
        };
        Ok((run, coverage, trace))
    }
}

/// The trace of a log file, read line by line.
fn read_log(path: &Path) -> Result<Trace, EvolveError> {
    let mut trace = Trace::default();
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        // A solver that fails early has not begun its log.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(trace),
        Err(error) => return Err(EvolveError::file(path, error)),
    };
    let mut reader = std::io::BufReader::with_capacity(1 << 18, file);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).map_err(|error| EvolveError::file(path, error))? > 0 {
        trace.push(&line);
        line.clear();
    }
    std::fs::remove_file(path).map_err(|error| EvolveError::file(path, error))?;
    Ok(trace)
}

/// What a run means for time; `None` if it was stopped.
pub fn timing(run: &Run, limit: Duration) -> Option<Timing> {
    let answer = answer::read(run);
    let seconds = run.cpu.as_secs_f64().min(limit.as_secs_f64());
    let ending = match (answer.trouble, answer.replies.first()) {
        (Some(Trouble::Stopped), _) => return None,
        (Some(Trouble::Timeout), _) => {
            return Some(Timing { seconds: limit.as_secs_f64(), ending: Ending::Timeout });
        }
        (Some(Trouble::Unsupported(message) | Trouble::Parse(message)), _) => Ending::Rejected(message),
        (Some(Trouble::Error(message)), None) => Ending::Rejected(message),
        (Some(Trouble::Silent), None) => Ending::Rejected("no answer".into()),
        (Some(Trouble::Assertion(message) | Trouble::Sanitizer(message)), _) => Ending::Failed(message),
        (Some(Trouble::Signal(signal)), _) => Ending::Failed(format!("signal {signal}")),
        (Some(Trouble::OutOfMemory), _) => Ending::Failed("out of memory".into()),
        (Some(Trouble::Flood), _) => Ending::Failed("too much output".into()),
        (_, Some(reply)) => Ending::Answered(reply.verdict),
        (None, None) => Ending::Rejected("no verdict".into()),
    };
    Some(Timing { seconds, ending })
}

impl Evaluate for Pair {
    fn dialects(&self) -> (Dialect, Dialect) {
        (self.target.dialect, self.reference.dialect)
    }

    fn limit(&self) -> f64 {
        self.settings.limits.cpu.as_secs_f64()
    }

    fn measure(
        &self,
        worker: usize,
        subject: &Subject,
        stop: &AtomicBool,
    ) -> Result<Option<Measurement>, EvolveError> {
        let mut worker =
            self.workers[worker % self.workers.len()].lock().unwrap_or_else(|broken| broken.into_inner());
        let (run, coverage, trace) = worker.run(&subject.target, &self.settings, stop)?;
        if run.end == End::Stopped {
            return Ok(None);
        }
        let limits = self.settings.limits;
        let Some(target) = timing(&run, limits.cpu) else { return Ok(None) };
        let mut reference = None;
        if self.settings.compare && !matches!(target.ending, Ending::Rejected(_)) {
            // Beyond the target's own time the reference's does not enter Eq. 1.
            let cpu = Duration::from_secs_f64(target.seconds).max(SHORTEST).min(limits.cpu);
            let run = self.reference.run(&subject.reference, &Limits { cpu, ..limits }, stop)?;
            let Some(timing) = timing(&run, cpu) else { return Ok(None) };
            reference = Some(timing);
        }
        Ok(Some(Measurement { target, reference, coverage, trace }))
    }
}
