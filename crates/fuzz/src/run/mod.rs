//! A fuzzing run: workers take numbered batches from a strategy, send the cases to the solver under test, judge the
//! answers, and turn what is confirmed into findings. Owns the main loop, its limits and its end; strategies make the
//! tests, the `schedule` orders them, `worker` runs them, the `ledger` keeps what is found.

mod ledger;
mod schedule;
mod solvers;
mod state;
mod worker;

pub use ledger::{Counters, Entry, Health};
pub use solvers::{newest, referees};

use crate::StopReason;
use crate::case::Strategy;
use crate::solver::{Limits, Solver, SolverError};
use crate::tuning::run::{BEAT, GRACE, GRACE_PART};
use ledger::Ledger;
use output::Folder;
use schedule::Schedule;
use state::{Identity, RunState};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Who settles the verdict of a seed of which nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// The solver under test itself: contradictions within one solver are defects whoever is right.
    Target,
    /// The references, where they agree.
    References,
}

/// What a run is to do.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// Every random choice flows from it.
    pub seed: u64,
    /// Stop after this many tests.
    pub tests: Option<u64>,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Workers.
    pub jobs: usize,
    /// One process a test instead of sessions.
    pub fresh: bool,
    /// Where findings and the run's state go: a new folder, or one of the same strategy, seed and solver, whose run then goes
    /// on where it stopped.
    pub out: PathBuf,
    /// What one test may cost.
    pub limits: Limits,
    /// Who settles open seeds.
    pub trust: Trust,
    /// Shrink findings.
    pub reduce: bool,
    /// Leave out the cases whose construction's name does not contain this.
    pub only: Option<String>,
}

/// The solvers of a run.
#[derive(Clone, Debug)]
pub struct Solvers {
    /// The one under test.
    pub target: Solver,
    /// Those the user names as references.
    pub references: Vec<Solver>,
    /// Who is asked for the truth where it matters: the references, or others that are installed.
    pub referees: Vec<Solver>,
    /// The newest release of the target's family, on which findings are tried again.
    pub newest: Option<Solver>,
}

/// What keeps a run from going on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file could not be written or read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The run's folder cannot be written.
    #[error(transparent)]
    Output(#[from] output::Error),
    /// A solver could not be started.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// What a run has done.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What was tested, found and refused.
    pub counters: Counters,
    /// Findings, the gravest first.
    pub findings: Vec<Entry>,
    /// The quieter classes.
    pub observations: Vec<Entry>,
    /// Why it ended.
    pub stop: StopReason,
    /// Whether the run tested anything.
    pub health: Health,
    /// Wall time.
    pub wall: Duration,
}

/// What happens during a run, for whoever watches.
#[derive(Clone, Debug)]
pub enum Event {
    /// A finding or an observation of a new fingerprint.
    Found(Entry),
    /// Something that the user should know: a seed that cannot be used, evidence against a test.
    Note(String),
    /// The counters, a few times a second.
    Progress(Counters),
    /// A worker goes on with a suspicion.
    Follow(FollowUp),
}

/// What a worker does about a suspicion. Every suspicion that is taken up begins with `Confirming` and ends with `Done`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FollowUp {
    /// It finds out whether a fresh process shows it again.
    Confirming,
    /// It is confirmed, and its script is being reduced: candidates so far, and the length of the smallest in bytes.
    Reducing {
        /// Candidates that were run.
        tests: u64,
        /// The length of the smallest script so far.
        bytes: usize,
    },
    /// It is written down, or was nothing.
    Done,
}

/// What earlier runs on the same solver know of kinds of suspicion, so that a defect that is known is not confirmed and reduced
/// again by every run. A kind is a class of defect and the operators of a script, or the place of a crash.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Familiar {
    /// How often a kind was taken up, and the fingerprint that it led to.
    pub kinds: BTreeMap<String, (u64, Option<String>)>,
    /// How many suspicions were counted to a fingerprint of an earlier run.
    pub seen: BTreeMap<String, u64>,
}

/// The seed of an earlier run in a folder, for those who resume without naming it.
pub fn seed_of(out: &Path) -> Option<u64> {
    RunState::seed(out)
}

/// Runs a strategy until it ends, a limit is reached or `stop` is set. Whatever happens, what was found is on disk.
pub fn run(
    strategy: &dyn Strategy,
    solvers: &Solvers,
    settings: &RunSettings,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Event),
) -> Result<Summary, RunError> {
    run_familiar(strategy, solvers, settings, &mut Familiar::default(), stop, watch)
}

/// The same by those who know something of the solver already, and know more afterwards.
pub fn run_familiar(
    strategy: &dyn Strategy,
    solvers: &Solvers,
    settings: &RunSettings,
    familiar: &mut Familiar,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Event),
) -> Result<Summary, RunError> {
    let start = Instant::now();
    let (folder, _) = Folder::open(&settings.out, &format!("fuzz {}", strategy.name()), false)?;
    let identity =
        Identity { strategy: strategy.name(), seed: settings.seed, solver: solvers.target.name.clone() };
    let state = RunState::load(&settings.out, &identity).map_err(RunError::Io)?;
    if state.counters.tests > 0 {
        watch(Event::Note(format!(
            "{} holds {} tests and {} findings of this run, which goes on",
            settings.out.display(),
            state.counters.tests,
            state.entries.iter().filter(|entry| entry.class.is_loud()).count()
        )));
    }
    let ledger = Ledger::new(Arc::new(folder), identity, state, familiar.clone());
    let schedule = Schedule::new(strategy.batches());
    // No test begins any more; nothing goes on any more.
    let (closing, ended) = (AtomicBool::new(false), AtomicBool::new(false));
    let reached_tests = AtomicBool::new(false);
    let (sender, events) = mpsc::channel();
    let (mut timed_out, mut interrupted) = (false, false);
    std::thread::scope(|scope| -> Result<(), RunError> {
        let mut workers = Vec::new();
        for _ in 0..settings.jobs.max(1) {
            let (ledger, schedule, reached_tests) = (&ledger, &schedule, &reached_tests);
            let (closing, ended) = (&closing, &ended);
            let sender = sender.clone();
            workers.push(scope.spawn(move || -> Result<(), RunError> {
                let mut worker =
                    worker::Worker::new(strategy, solvers, settings, ledger, [closing, ended], sender);
                while let Some(turn) = schedule.next(|number| ledger.progress(number)) {
                    if [closing, ended, reached_tests].iter().any(|flag| flag.load(Ordering::Relaxed)) {
                        break;
                    }
                    if let Some(rest) = worker.turn(turn)? {
                        schedule.wait(rest);
                    }
                    if settings.tests.is_some_and(|limit| ledger.counters().tests >= limit) {
                        // What other workers are confirming or reducing at this moment is brought to its end.
                        reached_tests.store(true, Ordering::Relaxed);
                    }
                }
                Ok(())
            }));
        }
        drop(sender);
        let mut beat = Instant::now();
        let mut under_way = 0usize;
        loop {
            match events.recv_timeout(BEAT) {
                Ok(event) => {
                    match event {
                        Event::Follow(FollowUp::Confirming) => under_way += 1,
                        Event::Follow(FollowUp::Done) => under_way = under_way.saturating_sub(1),
                        _ => {}
                    }
                    watch(event);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if beat.elapsed() >= BEAT {
                watch(Event::Progress(ledger.counters()));
                beat = Instant::now();
            }
            if stop.load(Ordering::Relaxed) && !interrupted {
                interrupted = true;
                ended.store(true, Ordering::Relaxed);
            }
            if let Some(limit) = settings.time
                && start.elapsed() >= limit
            {
                timed_out = true;
                closing.store(true, Ordering::Relaxed);
                if under_way == 0 || start.elapsed() >= limit + GRACE.min(limit / GRACE_PART) {
                    ended.store(true, Ordering::Relaxed);
                }
            }
        }
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })?;
    let stop = match (interrupted, timed_out, reached_tests.into_inner()) {
        (true, ..) => StopReason::Interrupted,
        (_, true, _) => StopReason::Time,
        (_, _, true) => StopReason::Tests,
        _ => StopReason::Exhausted,
    };
    *familiar = ledger.familiar();
    Ok(ledger.close(stop, start.elapsed())?)
}
