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
mod forget;
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

use crate::coverage::{Coverage, Fresh};
use crate::route::Route;
use crate::target::{Ending, Input, PathEntry, Run, RunLimits, Symbols, Target};
use agenda::{Agenda, Bill, Job, Known};
use attempts::{Attempts, GivenUp};
use copies::Rows;
use effort::Question;
use lessons::Outboxes;
use partial_runner::Kept;
use pool::Pool;
use query::{Slice, Slicer};
use smt::{Evaluator, Terms};
use source::{Groups, News};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};
use tree::{NodeId, Prediction, Status, Tree};
use view::{Common, Inputs, Ran, View};
use witness::{Epoch, Watch, Witnesses};
use worker::{Answer, Brief, Ticket, Tried, Worker};

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

    /// Takes over what a worker found out: first what the runner of partial solutions kept, which was there first, then the answer.
    fn learn(&mut self, tried: Tried) {
        let Tried { job, ways, answer, sifted, ticks, time, backup, script, .. } = tried;
        self.epoch += 1;
        self.queries.extend(script);
        let is_query = self.count(&answer);
        self.counters.solver_time += time;
        if let Some(node) = job.task.decision().filter(|_| is_query) {
            let (sat, unsat) = (matches!(answer, Answer::Solution(..)), matches!(answer, Answer::Closed));
            let place = Place { queries: 1, sat: usize::from(sat), unsat: usize::from(unsat), time };
            self.counters.places.entry(self.tree.node(node).at).or_default().add(&place);
        }
        self.counters.sources.add(&sifted.tallies);
        let runs = sifted.tallies.rows().map(|(_, _, tally)| tally.run).sum::<usize>();
        self.counters.runs[0] += runs;
        self.counters.backup_asked += usize::from(backup.is_some());
        self.counters.backup_answered += usize::from(backup == Some(true));
        let success = matches!(answer, Answer::Solution(..) | Answer::Witness(..));
        let before = (self.ticks_on_terms, self.timeline.len());
        for kept in sifted.kept {
            self.run_partial(kept);
        }
        for (id, witness) in sifted.witnesses {
            self.witnesses.keep(id, witness);
        }
        if let Some(node) = job.task.decision() {
            self.conclude(node, ways, answer);
        }
        let ticks = ticks + sifted.ticks + (self.ticks_on_terms - before.0);
        tracing::trace!(job = ?job.task, ways, success, ticks, "a job is done");
        let fresh = self.timeline.len() > before.1;
        let known = known(&self.tree, &self.attempts, &self.coverage);
        self.agenda.charge(known, &job, Bill { ticks, success, fresh, runs });
    }

    /// Counts a query by its answer, and the run that came of it. Whether it was a query.
    fn count(&mut self, answer: &Answer) -> bool {
        let counters = &mut self.counters;
        let by_answer = match answer {
            Answer::Solution(..) => &mut counters.sat,
            Answer::Closed => &mut counters.unsat,
            Answer::NotNearby => &mut counters.not_nearby,
            Answer::Later => &mut counters.postponed,
            Answer::Halted => &mut counters.halted,
            Answer::Unknown => &mut counters.unknown,
            Answer::Witness(..) => {
                counters.queries_saved += 1;
                counters.runs[0] += 1;
                return false;
            }
            Answer::None => return false,
        };
        *by_answer += 1;
        counters.queries += 1;
        if let Answer::Solution(_, engine) = answer {
            counters.runs[0] += 1;
            let tally = counters.sources.of(Source::Solve, engine);
            tally.delivered += 1;
            tally.distinct += 1;
            tally.run += 1;
        }
        true
    }

    /// Learns the answer about a decision.
    fn conclude(&mut self, node: NodeId, ways: usize, answer: Answer) {
        match answer {
            Answer::Solution(ran, engine) => self.run_solution(node, ways, *ran, engine),
            Answer::Witness(ran, source, engine) => {
                self.run_partial(Kept { ran: *ran, source, engine });
                // What is not on the route, such as an address, may have led it elsewhere.
                if self.attempts.still_open(&self.tree, node) {
                    self.push(node);
                }
            }
            Answer::Closed => {
                self.tree.close(node);
                self.unwatch(node);
            }
            Answer::Later => {
                let attempt = self.attempts.at_mut(node);
                attempt.tries += 1;
                attempt.level += 1;
                if attempt.level <= self.settings.short_tries() {
                    self.push(node);
                } else {
                    self.postponed.push(node);
                }
            }
            Answer::NotNearby => {
                self.attempts.at_mut(node).looked = true;
                self.push(node);
            }
            Answer::Halted => self.push(node),
            Answer::Unknown => self.give_up(node, GivenUp::Undecided),
            Answer::None => {}
        }
    }

    fn give_up(&mut self, node: NodeId, why: GivenUp) {
        self.attempts.at_mut(node).given_up = Some(why);
        self.unwatch(node);
    }

    fn unwatch(&mut self, node: NodeId) {
        self.common.watch.write().unwrap_or_else(PoisonError::into_inner).close(node, self.epoch);
    }

    fn run_solution(&mut self, node: NodeId, ways: usize, ran: Ran, engine: &'static str) {
        self.attempts.at_mut(node).tries += 1;
        // What was learnt since the query was asked may know the way already.
        let expected =
            if self.tree.ways(node).count() == ways { Some(node) } else { self.predict(&ran.input) };
        let before = (self.counters.paths, self.timeline.len());
        let left_at = self.execute(ran, TestOrigin::Solution);
        let tally = self.counters.sources.of(Source::Solve, engine);
        tally.paths += self.counters.paths - before.0;
        tally.fresh += usize::from(self.timeline.len() > before.1);
        if left_at.is_none() && self.cut_off() {
            return;
        }
        if left_at != expected {
            self.counters.divergences += 1;
            self.give_up(node, GivenUp::Diverged);
        } else if self.attempts.still_open(&self.tree, node) {
            self.push(node);
        }
    }

    /// Runs a partial solution on terms, unless what was learnt since makes its path a known one.
    fn run_partial(&mut self, kept: Kept) {
        if self.stopped().is_some() {
            return;
        }
        let Some(expected) = self.predict(&kept.ran.input) else { return };
        let before = (self.counters.paths, self.timeline.len());
        let left_at = self.execute(kept.ran, TestOrigin::Partial(kept.source, kept.engine));
        let tally = self.counters.sources.of(kept.source, kept.engine);
        tally.paths += self.counters.paths - before.0;
        tally.fresh += usize::from(self.timeline.len() > before.1);
        if let Some(left_at) = left_at {
            self.counters.divergences += usize::from(left_at != expected);
        }
    }

    /// Where an input leaves the known paths, by their conditions.
    fn predict(&self, input: &Input) -> Option<NodeId> {
        let model = self.symbols.model(input);
        match self.tree.predict(&mut Evaluator::new(&self.terms, &model)) {
            Prediction::Leaves(node) => Some(node),
            Prediction::Known => None,
        }
    }

    fn run_concolic(&mut self, input: &Input) -> (Run, Vec<PathEntry>) {
        self.counters.runs[1] += 1;
        self.common.target.run_concolic(input, &mut self.terms, &mut self.symbols, &self.limits)
    }

    /// Runs an input on terms too, adds its path to the tree, and keeps it as a test if the path is new. Gives the decision at
    /// which it left the known paths.
    fn execute(&mut self, ran: Ran, origin: TestOrigin) -> Option<NodeId> {
        let Ran { input, mut run, trail, time } = ran;
        let (mut on_terms, mut path) = self.run_concolic(&input);
        let cost = spending::run_cost_on_terms(&self.settings.tuning, on_terms.jumps);
        self.ticks_on_terms = self.ticks_on_terms.saturating_add(cost);
        if self.cut_off() && [run.ending, on_terms.ending].contains(&Ending::Unfinished) {
            return None;
        }
        run.settle(self.settings.fuel);
        on_terms.settle(self.settings.fuel);
        // A path may be too long to be followed on terms to its end.
        let too_long = path.len() > self.limits.path;
        self.counters.divergences += usize::from(run.ending != on_terms.ending && !too_long);
        path.truncate(self.limits.path);
        let is_partial = matches!(origin, TestOrigin::Partial(..));
        let number = self.remember(input, run.jumps);
        let grown = self.tree.grow(&mut self.terms, &path, number);
        for &id in &grown.opened {
            self.attempts.at_mut(id).from_partial = is_partial;
        }
        self.watch(&path, grown.left_at, &grown.opened);
        let known = known(&self.tree, &self.attempts, &self.coverage);
        self.agenda.extend(known, &grown.opened);
        let (unusual, fresh) = (self.coverage.is_unusual(&trail), self.coverage.is_new(&trail));
        if unusual {
            // Strategies other than `cover` keep to their order, but for partial solutions.
            if self.settings.strategy.prefers_all || is_partial {
                self.agenda.prefer(known, number, &grown.opened, fresh);
            }
            if self.agenda.listens() {
                let groups = self.groups(&path, number);
                let Run { compared, objects, .. } = &run;
                self.agenda.note(&News { input: number, groups: &groups, fresh, compared, objects });
            }
        }
        if !grown.new {
            return None;
        }
        if !self.see(trail.route(), path.len()) {
            return grown.left_at;
        }
        self.counters.paths += 1;
        match run.ending {
            Ending::Discarded => {
                self.counters.discarded += 1;
                return grown.left_at;
            }
            Ending::Unfinished | Ending::Hang | Ending::Unsupported(_) => self.counters.unfinished += 1,
            _ => self.counters.unfinished += usize::from(too_long),
        }
        // Workers may read the coverage meanwhile: it is copied then. Most runs add nothing to it.
        let fresh = if unusual || fresh {
            Arc::make_mut(&mut self.coverage).add(&trail, self.common.target.sites())
        } else {
            Fresh::default()
        };
        let path: Vec<_> = path.iter().map(|entry| (entry.at, entry.taken)).collect();
        let crash = self.note_crashes(&run);
        let covers = !fresh.lines.is_empty() || fresh.branches > 0;
        let crashes_anew = crash.is_some_and(|number| self.crashes[number].count == 1);
        if !self.settings.only_new || covers || crashes_anew {
            self.weigh_test(path.len());
            self.tests.push(Test { origin, run, path, fresh, time, crash });
        }
        let moment = Moment {
            // What several workers find at the same time is learnt in another order.
            time: self.timeline.last().map_or(time, |last| last.time.max(time)),
            tests: self.tests.len(),
            branches: self.coverage.branches().0,
            lines: self.coverage.lines().len(),
            source: origin.source(),
        };
        if covers {
            self.timeline.push(moment);
        }
        (self.watcher)(&Progress {
            moment,
            tests: &self.tests,
            crashes: &self.crashes,
            coverage: &self.coverage,
            timeline: &self.timeline,
            counters: &self.counters,
            queries: &self.queries,
        });
        grown.left_at
    }

    /// Gives an input its number.
    fn remember(&mut self, input: Input, jumps: u64) -> usize {
        self.weigh_input(&input);
        let mut inputs = self.inputs.write().unwrap_or_else(PoisonError::into_inner);
        inputs.push((Arc::new(input), jumps));
        inputs.len() - 1
    }

    /// Watches the other ways out of new decisions, and no longer those that a path took.
    fn watch(&mut self, path: &[PathEntry], left_at: Option<NodeId>, opened: &[NodeId]) {
        if !self.settings.sources.any() {
            return;
        }
        let mut watch = self.common.watch.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(left) = left_at {
            watch.known(&path[self.tree.node(left).depth as usize], self.epoch);
            if !self.tree.is_open(left) {
                watch.close(left, self.epoch);
            }
        }
        for &id in opened {
            watch.open(id, self.tree.node(id), self.epoch);
        }
    }

    /// What the conditions of a path are about, with fingerprints of what the input says about it.
    fn groups(&mut self, path: &[PathEntry], number: usize) -> Groups {
        let (input, _) = self.common.input(number);
        let groups = self.slicer.groups(&self.terms, path).into_iter();
        groups.map(|group| (group.clone(), self.symbols.fingerprint(&input, &group))).collect()
    }

    /// The crash of a run: the one that ended it, or the first that it went on after.
    fn note_crashes(&mut self, run: &Run) -> Option<usize> {
        let mut noted = Vec::new();
        for (ending, stack) in run.crashes() {
            let identity = CrashIdentity::of(self.common.target, ending, stack);
            let known = self.crashes.iter().position(|crash| crash.identity == identity);
            let number = known.unwrap_or_else(|| {
                let notes = run.notes(ending, stack);
                let (stack, test) = (stack.to_vec(), self.tests.len());
                self.crashes.push(Crash { ending, stack, notes, test, count: 0, identity });
                self.crashes.len() - 1
            });
            self.crashes[number].count += 1;
            noted.push(number);
        }
        // What was found first here is what this test is kept for.
        noted.iter().copied().find(|&number| self.crashes[number].count == 1).or(noted.last().copied())
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
