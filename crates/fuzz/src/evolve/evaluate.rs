//! What a formula costs: the seam between evolution and solvers. [`Pair`] runs targets and references; tests count
//! instead of measuring. Owns the order of the runs (the targets first; the references only as long as their time can matter)
//! and the sources of coverage and traces, one set a worker.
//!
//! Several targets count as one that is as quick as the quickest of them, so that a formula is slow if all of them are slow together.
//! Several references count as one in the same way, so that one that is quick is enough.

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
use smt::print::{Style, script_to_string};
use smt::{Dialect, Terms};
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
    /// On the quickest target.
    pub target: Timing,
    /// On the quickest reference, where the variant asks for it.
    pub reference: Option<Timing>,
    /// Whether two of the solvers contradict each other.
    pub contradiction: bool,
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
}

impl Timing {
    /// The verdict, if there is one.
    fn decided(&self) -> Option<Verdict> {
        match self.ending {
            Ending::Answered(verdict @ (Verdict::Sat | Verdict::Unsat)) => Some(verdict),
            _ => None,
        }
    }
}

/// Whether some of the solvers say sat and others unsat.
fn contradict(timings: &[Timing]) -> bool {
    let says = |verdict| timings.iter().any(|timing| timing.decided() == Some(verdict));
    says(Verdict::Sat) && says(Verdict::Unsat)
}

/// The timing that stands for several targets: one that does not take the formula, or else the quickest.
fn of_targets(timings: &[Timing]) -> Option<&Timing> {
    let refuses = timings.iter().find(|timing| matches!(timing.ending, Ending::Rejected(_)));
    refuses.or_else(|| timings.iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)))
}

/// The place of the timing that stands for several references: the quickest that decides, or else the quickest that takes the
/// formula, or else any.
fn of_references(timings: &[Timing]) -> Option<usize> {
    let rank = |timing: &Timing| match timing.ending {
        Ending::Answered(Verdict::Sat | Verdict::Unsat) => 0,
        Ending::Answered(Verdict::Unknown) | Ending::Timeout | Ending::Failed(_) => 1,
        Ending::Rejected(_) => 2,
    };
    (0..timings.len()).min_by(|&a, &b| {
        let (a, b) = (&timings[a], &timings[b]);
        rank(a).cmp(&rank(b)).then(a.seconds.total_cmp(&b.seconds))
    })
}

/// A formula as the solvers get it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
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
    pub(crate) fn file(path: &Path, error: std::io::Error) -> EvolveError {
        EvolveError::File { path: path.to_path_buf(), error }
    }
}

/// Measures formulas.
pub trait Evaluate: Sync {
    /// The dialects of target and reference.
    fn dialects(&self) -> (Dialect, Dialect);

    /// The time limit of a run in seconds.
    fn limit(&self) -> f64;

    /// Who measures, with releases: a run that continues must go on with the same solvers, since its members carry what they measured.
    fn solvers(&self) -> String;

    /// Measures one formula as this worker; `None` if the flag went up meanwhile.
    fn measure(
        &self,
        worker: usize,
        subject: &Formula,
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
    /// The SPEC of the target whose coverage and traces are taken.
    pub target: String,
    /// Further targets, which must be slow together with it.
    pub others: Vec<String>,
    /// The references' SPECs; one that is quick is enough.
    pub references: Vec<String>,
    /// Whether the references' time matters to the search.
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

/// The targets and the references.
pub struct Pair {
    /// The first target as the user named it.
    pub target: Solver,
    /// The other targets.
    pub others: Vec<Solver>,
    /// The solvers that the targets are compared with.
    pub references: Vec<Solver>,
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
    /// Finds the solvers and prepares the workers.
    pub fn new(settings: PairSettings, store: &Store) -> Result<Pair, EvolveError> {
        let target = Solver::resolve(&settings.target, store)?;
        let found = |specs: &[String]| -> Result<Vec<Solver>, SolverError> {
            specs.iter().map(|spec| Solver::resolve(spec, store)).collect()
        };
        let (others, references) = (found(&settings.others)?, found(&settings.references)?);
        let folder = tempfile::tempdir().map_err(|error| EvolveError::file(&std::env::temp_dir(), error))?;
        let mut workers = Vec::new();
        for number in 0..settings.jobs.max(1) {
            workers.push(Mutex::new(worker(&settings, &target, folder.path(), number, store)?));
        }
        Ok(Pair { target, others, references, settings, workers, _folder: folder })
    }

    /// The names of all targets.
    pub fn target_names(&self) -> String {
        let names = std::iter::once(&self.target).chain(&self.others).map(|solver| solver.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }

    /// The limits of each run.
    pub(crate) fn limits(&self) -> Limits {
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
pub(crate) fn timing(run: &Run, limit: Duration) -> Option<Timing> {
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

/// A script of ours in another dialect.
pub(super) fn translated(text: &str, dialect: Dialect) -> String {
    let mut terms = Terms::new();
    let script = smt::read_script(&mut terms, text).script;
    script_to_string(&terms, &script, Style { dialect, share: false })
}

impl Pair {
    /// How long solvers take for a formula, one after the other, each no longer than the quickest before it took; `None` if the
    /// flag went up. With `until`, none is run after one of which that is true.
    fn race(
        &self,
        solvers: &[Solver],
        text: &str,
        limits: &Limits,
        stop: &AtomicBool,
        until: impl Fn(&Timing) -> bool,
    ) -> Result<Option<Vec<Timing>>, EvolveError> {
        let mut timings: Vec<Timing> = Vec::with_capacity(solvers.len());
        let mut cpu = limits.cpu;
        for solver in solvers {
            let run = solver.run(&translated(text, solver.dialect), &Limits { cpu, ..*limits }, stop)?;
            let Some(timing) = timing(&run, cpu) else { return Ok(None) };
            if timing.decided().is_some() {
                cpu = Duration::from_secs_f64(timing.seconds).max(SHORTEST).min(cpu);
            }
            let is_last = until(&timing);
            timings.push(timing);
            if is_last {
                break;
            }
        }
        Ok(Some(timings))
    }

    /// How the targets do on a formula, and the first one's run. The others are not asked if the first does not reach the limit.
    pub(super) fn targets_on(
        &self,
        text: &str,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<Option<(Run, Timing)>, EvolveError> {
        let run = self.target.run(text, limits, stop)?;
        let Some(first) = timing(&run, limits.cpu) else { return Ok(None) };
        if first.ending != Ending::Timeout {
            return Ok(Some((run, first)));
        }
        let quick = |timing: &Timing| timing.ending != Ending::Timeout;
        let Some(rest) = self.race(&self.others, text, limits, stop, quick)? else { return Ok(None) };
        Ok(Some((run, rest.into_iter().find(quick).unwrap_or(first))))
    }

    /// How the references do on a formula, and which of them stands for all.
    pub(super) fn references_on(
        &self,
        text: &str,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<Option<(&Solver, Timing)>, EvolveError> {
        let Some(mut timings) = self.race(&self.references, text, limits, stop, |_| false)? else {
            return Ok(None);
        };
        Ok(of_references(&timings).map(|best| (&self.references[best], timings.swap_remove(best))))
    }
}

impl Evaluate for Pair {
    fn dialects(&self) -> (Dialect, Dialect) {
        let reference = self.references.first().unwrap_or(&self.target);
        (self.target.dialect, reference.dialect)
    }

    fn limit(&self) -> f64 {
        self.settings.limits.cpu.as_secs_f64()
    }

    fn solvers(&self) -> String {
        let named = |solver: &Solver| match solver.version.as_str() {
            "" => solver.name.clone(),
            version => format!("{} ({version})", solver.name),
        };
        let list = |solvers: Vec<&Solver>| solvers.into_iter().map(named).collect::<Vec<_>>().join(", ");
        let targets = list(std::iter::once(&self.target).chain(&self.others).collect());
        match &self.references[..] {
            [] => targets,
            references => format!("{targets} beside {}", list(references.iter().collect())),
        }
    }

    fn measure(
        &self,
        worker: usize,
        subject: &Formula,
        stop: &AtomicBool,
    ) -> Result<Option<Measurement>, EvolveError> {
        let mut worker =
            self.workers[worker % self.workers.len()].lock().unwrap_or_else(|broken| broken.into_inner());
        let (run, coverage, trace) = worker.run(&subject.target, &self.settings, stop)?;
        if run.end == End::Stopped {
            return Ok(None);
        }
        let limits = self.settings.limits;
        let Some(first) = timing(&run, limits.cpu) else { return Ok(None) };
        let within = |seconds: f64| {
            let cpu = Duration::from_secs_f64(seconds).max(SHORTEST).min(limits.cpu);
            Limits { cpu, ..limits }
        };
        let refused = |timing: &Timing| matches!(timing.ending, Ending::Rejected(_));
        let mut timings = vec![first];
        if !refused(&timings[0]) {
            // Beyond the first target's time the others' makes no difference.
            let limits = within(timings[0].seconds);
            let others = self.race(&self.others, &subject.target, &limits, stop, refused)?;
            let Some(others) = others else { return Ok(None) };
            timings.extend(others);
        }
        let Some(target) = of_targets(&timings).cloned() else { return Ok(None) };
        let mut reference = None;
        if self.settings.compare && !refused(&target) {
            // Beyond the targets' own time the references' does not enter Eq. 1.
            let limits = within(target.seconds);
            let asked = self.race(&self.references, &subject.reference, &limits, stop, |_| false)?;
            let Some(asked) = asked else { return Ok(None) };
            reference = of_references(&asked).map(|best| asked[best].clone());
            timings.extend(asked);
        }
        let contradiction = contradict(&timings);
        Ok(Some(Measurement { target, reference, contradiction, coverage, trace }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(seconds: f64, ending: Ending) -> Timing {
        Timing { seconds, ending }
    }

    #[test]
    fn several_solvers_count_as_the_quickest_of_them() {
        let (sat, unsat) = (Ending::Answered(Verdict::Sat), Ending::Answered(Verdict::Unsat));
        let slow = timing(5.0, Ending::Timeout);
        let refused = timing(0.1, Ending::Rejected("no such operator".into()));
        let quick = timing(0.2, sat.clone());
        let gives_up = timing(0.1, Ending::Answered(Verdict::Unknown));
        // Targets are slow only together, and all of them must take the formula.
        assert_eq!(of_targets(&[slow.clone(), slow.clone()]), Some(&slow));
        assert_eq!(of_targets(&[slow.clone(), quick.clone()]), Some(&quick));
        assert_eq!(of_targets(&[slow.clone(), refused.clone()]), Some(&refused));
        // One reference that decides is enough; one that gives up sooner, or takes nothing, does not count.
        assert_eq!(of_references(&[slow.clone(), gives_up, refused.clone(), quick.clone()]), Some(3));
        assert_eq!(of_references(&[refused.clone(), slow.clone()]), Some(1));
        assert_eq!(of_references(&[]), None);
        assert!(contradict(&[slow.clone(), quick.clone(), timing(1.0, unsat)]));
        assert!(!contradict(&[slow, quick, refused]));
    }
}
