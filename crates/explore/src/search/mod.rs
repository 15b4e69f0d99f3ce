//! Multiplex dynamic symbolic execution: Algorithm 1 of Zhang et al. 2020 over a tree of paths.
//!
//! A run's path condition opens decisions. The `Agenda` picks some in the orders of a [`Strategy`]; workers look around for the
//! ways out of them that were not taken, or solve for them, and the solutions are run. Partial solutions, the assignments that the
//! engines pass through on their way, are inputs too: the workers' partial_runner runs them while the engine works, and what leads
//! somewhere new comes back with the answer. The tree, the coverage and the tests belong to the explorer alone, which learns from
//! one answer after the other.

mod agenda;
mod attempts;
mod backup;
mod copies;
mod effort;
mod execute;
mod forget;
mod learn;
mod lessons;
mod order;
mod outcome;
mod partial_runner;
mod pool;
mod query;
mod settings;
mod shape;
mod source;
mod spending;
mod strategy;
mod tally;
pub mod tree;
mod tuning;
mod view;
mod witness;
mod worker;

pub use backup::{Backup, Reply};
pub(crate) use outcome::CrashIdentity;
pub use outcome::{Crash, Exploration, Moment, Progress, StopReason, Test, TestOrigin};
pub use settings::{Arrivals, SearchSettings};
pub use source::{SOURCES, Source, SourceRow, Sources};
pub use strategy::{STRATEGIES, Strategy};
pub use tally::{Counters, Place, Tallies, Tally};
pub use tuning::{TUNABLES, Tunable, Tuning};

use crate::coverage::Coverage;
use crate::route::Route;
use crate::target::{Input, RunLimits, Symbols, Target};
use agenda::{Agenda, Job, Known};
use attempts::Attempts;
use copies::Rows;
use effort::Question;
use lessons::Outboxes;
use pool::Pool;
use query::{Slice, Slicer};
use smt::Terms;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};
use tree::{NodeId, Status, Tree};
use view::{Common, Inputs, View};
use witness::{Epoch, Watch, Witnesses};
use worker::{Brief, Ticket, Worker};

/// How long an exploration without work waits before it asks for inputs again.
const PAUSE: Duration = Duration::from_millis(50);

/// Called whenever a path was run: shows how far the exploration is, and writes what it found so far.
pub type Watcher<'a> = dyn FnMut(&Progress<'_>) + 'a;

/// Explores a program.
pub fn explore(target: &dyn Target, settings: &SearchSettings, watcher: &mut Watcher<'_>) -> Exploration {
    let mut explorer = Explorer::new(target, settings, watcher);
    explorer.seed();
    let coverage = Coverage::new(target.sites());
    let mut workers: Vec<Worker> =
        (0..settings.jobs.max(1)).map(|_| Worker::new(settings, coverage.clone())).collect();
    let stop_reason = match &mut workers[..] {
        [only] => explorer.work_alone(only),
        _ => {
            let all = std::mem::take(&mut workers);
            let (reason, done) = explorer.work_together(all);
            workers = done;
            reason
        }
    };
    explorer.finish(stop_reason, &workers)
}

struct Explorer<'a> {
    common: Common<'a>,
    settings: &'a SearchSettings,
    watcher: &'a mut Watcher<'a>,
    /// The limits of runs on terms.
    limits: RunLimits,
    terms: Terms,
    symbols: Symbols,
    /// The symbols as workers read them: copied when there are new ones, which is rare.
    shown_symbols: Arc<Symbols>,
    tree: Tree,
    attempts: Attempts,
    agenda: Agenda,
    /// Decisions whose query was given up for now.
    postponed: Vec<NodeId>,
    witnesses: Witnesses,
    /// How many answers were learnt from.
    epoch: Epoch,
    coverage: Arc<Coverage>,
    inputs: Inputs,
    tests: Vec<Test>,
    crashes: Vec<Crash>,
    timeline: Vec<Moment>,
    counters: Counters,
    queries: Vec<String>,
    slicer: Slicer,
    outboxes: Outboxes,
    /// What all runs on terms cost, in ticks.
    ticks_on_terms: u64,
    /// Words that inputs may contain.
    words: Vec<Vec<u8>>,
    /// How many trees were forgotten before this one.
    generation: u64,
    /// Fingerprints of the paths that were run.
    seen: HashSet<(Route, usize)>,
    /// About how many bytes inputs and tests take.
    input_bytes: usize,
    test_bytes: usize,
}

impl<'a> Explorer<'a> {
    fn new(
        target: &'a dyn Target,
        settings: &'a SearchSettings,
        watcher: &'a mut Watcher<'a>,
    ) -> Explorer<'a> {
        let start = Instant::now();
        let limits = RunLimits {
            fuel: settings.fuel,
            deadline: settings.time_limit.and_then(|limit| start.checked_add(limit)),
            stop: settings.stop.clone(),
            ..RunLimits::default()
        };
        // One worker stops when the user says so; several when the explorer does, which has other reasons too.
        let stop = if settings.jobs > 1 { Arc::<AtomicBool>::default() } else { settings.stop.clone() };
        let inputs = Inputs::default();
        let words: Vec<Vec<u8>> = settings.words.iter().cloned().chain(target.words()).collect();
        Explorer {
            common: Common {
                target,
                settings,
                limits: RunLimits { stop: stop.clone(), ..limits.clone() },
                start,
                inputs: inputs.clone(),
                watch: Arc::new(RwLock::new(Watch::default())),
                rows: Arc::new(RwLock::new(Rows::default())),
                stop,
            },
            settings,
            watcher,
            limits,
            terms: Terms::new(),
            symbols: Symbols::default(),
            shown_symbols: Arc::default(),
            tree: Tree::new(&settings.tuning),
            attempts: Attempts::default(),
            agenda: Agenda::new(settings, words.clone()),
            postponed: Vec::new(),
            coverage: Arc::new(Coverage::new(target.sites())),
            witnesses: Witnesses::default(),
            epoch: 0,
            inputs,
            tests: Vec::new(),
            crashes: Vec::new(),
            timeline: Vec::new(),
            counters: Counters::default(),
            queries: Vec::new(),
            slicer: Slicer::default(),
            outboxes: Outboxes::new(settings.jobs.max(1)),
            ticks_on_terms: 0,
            words,
            generation: 0,
            seen: HashSet::new(),
            input_bytes: 0,
            test_bytes: 0,
        }
    }

    /// Runs the first input, twice: the first run tells which bytes the program reads as words.
    fn seed(&mut self) {
        let input = self.settings.first.clone();
        self.symbols = Symbols::single_bytes();
        let (_, path) = self.run_concolic(&input);
        let shapes = shape::shapes(&self.terms, &self.symbols, &path);
        self.terms = Terms::new();
        let mut symbols = Symbols::default();
        for (object, chunks) in shapes {
            symbols.shape(&object, chunks);
        }
        self.symbols = symbols;
        self.shown_symbols = Arc::default();
        self.plant(input);
        for input in &self.settings.seeds {
            if self.cut_off() {
                break;
            }
            self.plant(input.clone());
        }
    }

    /// Runs an input that the user gave.
    fn plant(&mut self, input: Input) {
        let ran = self.common.run_concrete(input, &self.limits);
        let before = (self.counters.paths, self.timeline.len());
        self.execute(ran, TestOrigin::Seed);
        let tally = self.counters.sources.of(Source::Seed, "");
        tally.delivered += 1;
        tally.distinct += 1;
        tally.run += 1;
        tally.paths += self.counters.paths - before.0;
        tally.fresh += usize::from(self.timeline.len() > before.1);
        self.counters.runs[0] += 1;
    }

    /// Runs what others brought. Whether somebody may still bring something.
    fn welcome(&mut self) -> bool {
        let Some(arrivals) = self.settings.arrivals.as_deref() else { return false };
        for input in arrivals.new_inputs() {
            if self.cut_off() {
                break;
            }
            self.plant(input);
        }
        true
    }

    /// One job after the other: each is chosen with the newest tree.
    fn work_alone(&mut self, worker: &mut Worker) -> StopReason {
        loop {
            if let Some(reason) = self.stopped() {
                return reason;
            }
            if self.is_full() {
                self.forget();
            }
            let awaited = self.welcome();
            if let Some(job) = self.agenda.pop(known(&self.tree, &self.attempts, &self.coverage)) {
                let ticket = self.ticket(job, false);
                let tried = worker.work(ticket, Some(&self.terms));
                self.learn(tried);
            } else if self.postponed.is_empty() {
                if !awaited {
                    return self.exhausted();
                }
                std::thread::sleep(PAUSE);
            } else {
                self.return_to_postponed();
            }
        }
    }

    /// Several jobs at the same time. The workers come back when nothing is left to do.
    fn work_together(&mut self, workers: Vec<Worker>) -> (StopReason, Vec<Worker>) {
        let ahead = self.settings.tuning.queue_ahead as usize;
        std::thread::scope(|scope| {
            let mut pool = Pool::new(scope, workers, ahead);
            let reason = loop {
                if let Some(reason) = self.stopped() {
                    break reason;
                }
                if self.is_full() && pool.is_idle() {
                    self.forget();
                }
                let awaited = self.welcome();
                while let Some(worker) = pool.free_worker()
                    && !self.is_full()
                    && let Some(job) = self.agenda.pop(known(&self.tree, &self.attempts, &self.coverage))
                {
                    let lessons = self.outboxes.take(worker);
                    pool.hand_out(worker, Ticket { lessons, ..self.ticket(job, true) });
                }
                if !pool.is_idle() {
                    if let Some((worker, mut tried)) = pool.next() {
                        self.outboxes.tell(worker, std::mem::take(&mut tried.lessons));
                        self.learn(tried);
                    }
                } else if self.is_full() {
                    // The next tree comes first.
                } else if self.postponed.is_empty() {
                    if !awaited {
                        break self.exhausted();
                    }
                    std::thread::sleep(PAUSE);
                } else {
                    self.return_to_postponed();
                }
            };
            self.common.stop.store(true, Ordering::Relaxed);
            (reason, pool.close())
        })
    }

    /// A job with what is known now. `shared` if the worker cannot read this arena: then its terms are written down for all workers.
    fn ticket(&mut self, job: Job, shared: bool) -> Ticket<'a> {
        if self.shown_symbols.count() != self.symbols.count() {
            self.shown_symbols = Arc::new(self.symbols.clone());
        }
        let brief = match job.task.decision() {
            None => Brief::Variants,
            Some(node) => match self.witnesses.take(node) {
                Some(witness) => Brief::Witness(witness),
                None => {
                    let slice = self.slicer.slice(&self.terms, &self.tree, node);
                    if shared {
                        self.write_down(&slice);
                    }
                    let (input, attempt) = (self.tree.node(node).input, self.attempts.at(node));
                    Brief::Question(Question { input, attempt, slice })
                }
            },
        };
        let view = View {
            common: self.common.clone(),
            coverage: self.coverage.clone(),
            symbols: self.shown_symbols.clone(),
            epoch: self.epoch,
            generation: self.generation,
        };
        Ticket { job, view, brief, lessons: Vec::new() }
    }

    /// Writes the terms of a question down for workers. Most are there from earlier questions.
    fn write_down(&self, slice: &Slice) {
        let roots = [&slice.conditions[..], &slice.ways[..]].concat();
        let known = self.common.rows.read().unwrap_or_else(PoisonError::into_inner).have(&roots);
        if !known {
            self.common.rows.write().unwrap_or_else(PoisonError::into_inner).add(&self.terms, &roots);
        }
    }

    fn stopped(&self) -> Option<StopReason> {
        if self.settings.stop.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(StopReason::Time);
        }
        self.settings.tests.filter(|&tests| self.tests.len() >= tests).map(|_| StopReason::Tests)
    }

    /// Whether runs are ended by the end of the exploration: what they did until then is not what the program does.
    fn cut_off(&self) -> bool {
        matches!(self.stopped(), Some(StopReason::Time | StopReason::Interrupted))
    }

    fn exhausted(&self) -> StopReason {
        let left = self.tree.count(Status::Limited) > 0 || self.attempts.any_given_up(&self.tree);
        if left || self.counters.unfinished > 0 { StopReason::Exhausted } else { StopReason::Explored }
    }

    /// Hard queries get their next, longer chance.
    fn return_to_postponed(&mut self) {
        for id in std::mem::take(&mut self.postponed) {
            self.push(id);
        }
    }

    fn push(&mut self, id: NodeId) {
        self.agenda.push(known(&self.tree, &self.attempts, &self.coverage), id);
    }

    fn finish(self, stop_reason: StopReason, workers: &[Worker]) -> Exploration {
        Exploration {
            stop_reason,
            tests: self.tests,
            crashes: self.crashes,
            coverage: Arc::unwrap_or_clone(self.coverage),
            tree: self.tree,
            timeline: self.timeline,
            counters: self.counters,
            solver_counters: counters_of(workers),
            queries: self.queries,
            time: self.common.start.elapsed(),
        }
    }
}

fn known<'a>(tree: &'a Tree, attempts: &'a Attempts, coverage: &'a Coverage) -> Known<'a> {
    Known { tree, attempts, coverage }
}

/// The counters of all workers' engines, added up.
fn counters_of(workers: &[Worker]) -> Vec<(&'static str, u64)> {
    let mut all: Vec<(&'static str, u64)> = Vec::new();
    for (name, count) in workers.iter().flat_map(Worker::counters) {
        match all.iter_mut().find(|known| known.0 == name) {
            Some(known) => known.1 += count,
            None => all.push((name, count)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    /// The search sits on any machine.
    #[test]
    fn nothing_here_knows_a_machine() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search");
        let mut open = vec![folder];
        let mut files = 0;
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).expect("the folder is there") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    open.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).expect("a source file");
                files += 1;
                for word in ["machine", "program", "world", "concolic", "module", "source"] {
                    assert!(!text.contains(&format!("use crate::{word}")), "{} uses {word}", path.display());
                }
            }
        }
        assert!(files > 10, "{files} files");
    }
}
