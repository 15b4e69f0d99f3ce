//! Multiplex dynamic symbolic execution: MuSE's Algorithm 1 (ASE 2020, Section 3.1) over a tree of paths.
//!
//! A run's path condition opens decisions; a [`Strategy`] picks some, workers look around for the ways out of them that nobody
//! took, or solve for them, and the solutions are run. Partial solutions, the assignments that the engines pass through on
//! their way, are inputs too: the workers' sieve runs them while the engine works, and what leads somewhere new comes back
//! with the answer. The tree, the coverage and the tests belong to the explorer alone, which learns from one answer after
//! the other.

mod backup;
mod copies;
mod focus;
mod grafts;
mod ledger;
mod outcome;
mod query;
mod settings;
mod shape;
mod sieve;
mod strategy;
pub mod tree;
mod unusual;
mod witness;
mod worker;

pub use backup::{Backup, Reply};
pub use outcome::{Counters, Crash, Exploration, Moment, Progress, StopReason, Test, TestOrigin};
pub use settings::Settings;
pub use strategy::{Open, STRATEGIES, Strategy};

use crate::coverage::Coverage;
use crate::target::PathEntry;
use crate::target::Site;
use crate::target::{Ending, Input, Run, RunLimits, Symbols, Target};
use grafts::Group;
use query::Slicer;
use sieve::Kept;
use smt::{Evaluator, Terms};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Instant;
use strategy::{Bill, Job};
use tree::{NodeId, Prediction, Status, Tree};
use witness::Witnesses;
use worker::{Answer, Ran, Tried, View, Worker};

/// How many decisions each of several workers tries before the explorer learns from all of them: enough that a hard query of
/// one does not leave the others idle.
const TURNS: usize = 4;

/// Called whenever a path was run: shows how far the exploration is, and writes what it found so far.
pub type Watcher<'a> = dyn FnMut(&Progress<'_>) + 'a;

/// Explores a program.
pub fn explore(target: &dyn Target, settings: &Settings, watcher: &mut Watcher<'_>) -> Exploration {
    let mut explorer = Explorer::new(target, settings, watcher);
    explorer.seed();
    let stop_reason = loop {
        if let Some(reason) = explorer.stopped() {
            break reason;
        }
        let batch = explorer.next_batch();
        if !batch.is_empty() {
            for tried in explorer.work(&batch) {
                explorer.learn(tried);
            }
        } else if explorer.postponed.is_empty() {
            break explorer.exhausted();
        } else {
            explorer.return_to_postponed();
        }
    };
    explorer.finish(stop_reason)
}

struct Explorer<'a> {
    target: &'a dyn Target,
    settings: &'a Settings,
    watcher: &'a mut Watcher<'a>,
    start: Instant,
    limits: RunLimits,
    terms: Terms,
    symbols: Symbols,
    tree: Tree,
    open: Open,
    /// Decisions whose query was given up for now.
    postponed: Vec<NodeId>,
    workers: Vec<Worker>,
    witnesses: Witnesses,
    coverage: Coverage,
    /// The inputs whose paths are in the tree, and the jumps that their runs made.
    inputs: Vec<(Input, u64)>,
    tests: Vec<Test>,
    crashes: Vec<Crash>,
    timeline: Vec<Moment>,
    counters: Counters,
    queries: Vec<String>,
    slicer: Slicer,
    /// What all runs on terms cost, in ticks.
    ticks_on_terms: u64,
}

impl<'a> Explorer<'a> {
    fn new(target: &'a dyn Target, settings: &'a Settings, watcher: &'a mut Watcher<'a>) -> Explorer<'a> {
        let start = Instant::now();
        let coverage = Coverage::new(target.sites());
        let workers = 0..settings.jobs.max(1);
        Explorer {
            target,
            settings,
            watcher,
            start,
            limits: RunLimits {
                fuel: settings.fuel,
                deadline: settings.time_limit.and_then(|limit| start.checked_add(limit)),
                stop: settings.stop.clone(),
                ..RunLimits::default()
            },
            terms: Terms::new(),
            symbols: Symbols::default(),
            tree: Tree::default(),
            open: Open::new(settings.strategy, settings.partials, settings.seed),
            postponed: Vec::new(),
            workers: workers.map(|_| Worker::new(settings.seed, coverage.clone())).collect(),
            coverage,
            witnesses: Witnesses::default(),
            inputs: Vec::new(),
            tests: Vec::new(),
            crashes: Vec::new(),
            timeline: Vec::new(),
            counters: Counters::default(),
            queries: Vec::new(),
            slicer: Slicer::default(),
            ticks_on_terms: 0,
        }
    }

    /// Runs the first input, twice: the first run tells which bytes the program reads as words.
    fn seed(&mut self) {
        let input = self.settings.first.clone();
        self.symbols = Symbols::single_bytes();
        let (_, path) = self.run_concolic(&input);
        let shapes = shape::shapes(&self.terms, &self.symbols, &path);
        self.terms = Terms::new();
        self.symbols = Symbols::default();
        for (object, chunks) in shapes {
            self.symbols.shape(&object, chunks);
        }
        let ran = self.view().run_concrete(input, &self.limits);
        self.execute(ran, TestOrigin::Seed);
        for input in &self.settings.seeds {
            if self.cut_off() {
                break;
            }
            let ran = self.view().run_concrete(input.clone(), &self.limits);
            self.execute(ran, TestOrigin::Seed);
        }
    }

    fn view(&self) -> View<'_> {
        View {
            target: self.target,
            settings: self.settings,
            limits: &self.limits,
            start: self.start,
            terms: &self.terms,
            symbols: &self.symbols,
            tree: &self.tree,
            coverage: &self.coverage,
            witnesses: &self.witnesses,
            inputs: &self.inputs,
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
        let left = [Status::Undecided, Status::Limited, Status::Diverged]
            .into_iter()
            .any(|status| self.tree.count(status) > 0);
        if left || self.counters.unfinished > 0 { StopReason::Exhausted } else { StopReason::Explored }
    }

    /// Hard queries get their next, longer chance.
    fn return_to_postponed(&mut self) {
        let postponed = std::mem::take(&mut self.postponed);
        self.open.extend(&self.tree, &postponed);
    }

    /// What to do next: one thing for a single worker, which then always has the newest tree to choose from.
    fn next_batch(&mut self) -> Vec<Job> {
        let size = if self.workers.len() == 1 { 1 } else { TURNS * self.workers.len() };
        std::iter::from_fn(|| self.open.pop(&self.tree, &self.coverage)).take(size).collect()
    }

    /// Does all of a batch, at the same time if there are several workers. Who does what does not depend on how long it takes, and
    /// the results are in the order of the batch.
    fn work(&mut self, batch: &[Job]) -> Vec<Tried> {
        let mut workers = std::mem::take(&mut self.workers);
        let view = self.view();
        let count = workers.len();
        let share = |number: usize, worker: &mut Worker| -> Vec<(usize, Tried)> {
            let own = batch.iter().enumerate().skip(number).step_by(count);
            own.take_while(|_| !view.is_over()).map(|(at, job)| (at, worker.work(&view, job))).collect()
        };
        let mut tried: BTreeMap<usize, Tried> = BTreeMap::new();
        match &mut workers[..] {
            [only] => tried.extend(share(0, only)),
            several => std::thread::scope(|scope| {
                let threads: Vec<_> = several
                    .iter_mut()
                    .enumerate()
                    .map(|(number, worker)| scope.spawn(move || share(number, worker)))
                    .collect();
                for thread in threads {
                    match thread.join() {
                        Ok(done) => tried.extend(done),
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
            }),
        }
        self.workers = workers;
        tried.into_values().collect()
    }

    /// Takes over what a worker found out: first what its sieve kept, which was there first, then the answer.
    fn learn(&mut self, tried: Tried) {
        let Tried { job, ways, answer, sifted, ticks, time, backup, script } = tried;
        self.queries.extend(script);
        self.counters.queries += usize::from(!matches!(answer, Answer::Witness(..) | Answer::None));
        self.counters.solver_time += time;
        self.counters.partials_delivered += sifted.delivered;
        self.counters.partials_run += sifted.run;
        self.counters.halted += usize::from(sifted.halted);
        self.counters.backup_asked += usize::from(backup.is_some());
        self.counters.backup_answered += usize::from(backup == Some(true));
        let success = matches!(answer, Answer::Solution(_) | Answer::Witness(..));
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
        let fresh = self.timeline.len() > before.1;
        self.open.charge(&self.tree, &job, Bill { ticks, success, fresh });
    }

    /// Learns the answer about a decision.
    fn conclude(&mut self, node: NodeId, ways: usize, answer: Answer) {
        match answer {
            Answer::Solution(ran) => {
                self.counters.sat += 1;
                self.run_solution(node, ways, *ran);
            }
            Answer::Witness(ran, engine) => {
                self.witnesses.forget(node);
                self.counters.queries_saved += 1;
                self.run_partial(Kept { ran: *ran, engine, fresh: false });
                // What is not on the route, such as an address, may have led it elsewhere.
                if self.tree.still_open(node) {
                    self.open.push(&self.tree, node);
                }
            }
            Answer::Closed => {
                self.counters.unsat += 1;
                self.tree.node_mut(node).status = Status::Closed;
            }
            Answer::Later => {
                let at = self.tree.node_mut(node);
                at.tries += 1;
                at.level += 1;
                if at.level <= self.settings.short_tries() {
                    self.open.push(&self.tree, node);
                } else {
                    self.postponed.push(node);
                }
            }
            Answer::NotNearby => {
                self.tree.node_mut(node).looked = true;
                self.open.push(&self.tree, node);
            }
            Answer::Halted => self.open.push(&self.tree, node),
            Answer::Unknown => {
                self.counters.unknown += 1;
                self.tree.node_mut(node).status = Status::Undecided;
            }
            Answer::None => {}
        }
    }

    fn run_solution(&mut self, node: NodeId, ways: usize, ran: Ran) {
        self.tree.node_mut(node).tries += 1;
        // What was learnt since the query was asked may know the way already.
        let expected =
            if self.tree.ways(node).count() == ways { Some(node) } else { self.predict(&ran.input) };
        let left_at = self.execute(ran, TestOrigin::Solution);
        if left_at.is_none() && self.cut_off() {
            return;
        }
        if left_at != expected {
            self.counters.divergences += 1;
            self.tree.node_mut(node).status = Status::Diverged;
        } else if self.tree.still_open(node) {
            self.open.push(&self.tree, node);
        }
    }

    /// Runs a partial solution on terms, unless what was learnt since makes its path a known one.
    fn run_partial(&mut self, kept: Kept) {
        if self.stopped().is_some() {
            return;
        }
        let Some(expected) = self.predict(&kept.ran.input) else { return };
        self.counters.partials_fresh += usize::from(kept.fresh);
        if let Some(left_at) = self.execute(kept.ran, TestOrigin::Partial(kept.engine)) {
            self.counters.partials_used += 1;
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
        self.target.run_concolic(input, &mut self.terms, &mut self.symbols, &self.limits)
    }

    /// Runs an input on terms too, adds its path to the tree, and keeps it as a test if the path is new. Gives the decision at
    /// which it left the known paths.
    fn execute(&mut self, ran: Ran, origin: TestOrigin) -> Option<NodeId> {
        let Ran { input, run, trail, time } = ran;
        let (on_terms, mut path) = self.run_concolic(&input);
        self.ticks_on_terms += ledger::ON_TERMS * ledger::run_cost(on_terms.jumps);
        if self.cut_off() && [run.ending, on_terms.ending].contains(&Ending::Unfinished) {
            return None;
        }
        // A path may be too long to be followed on terms to its end.
        let too_long = path.len() > self.limits.path;
        self.counters.divergences += usize::from(run.ending != on_terms.ending && !too_long);
        path.truncate(self.limits.path);
        let number = self.inputs.len();
        let grown = self.tree.grow(&mut self.terms, &path, number);
        for &id in &grown.opened {
            self.tree.node_mut(id).aside = matches!(origin, TestOrigin::Partial(_));
        }
        self.inputs.push((input, run.jumps));
        if let Some(left) = grown.left_at {
            self.witnesses.known(&path[self.tree.node(left).depth as usize]);
        }
        if self.settings.partials {
            self.witnesses.watch(&self.tree, &grown.opened);
        }
        self.open.extend(&self.tree, &grown.opened);
        if self.coverage.is_unusual(&trail) {
            let fresh = self.coverage.is_new(&trail);
            // Strategies other than `cover` keep to their order, but for partial solutions.
            if self.settings.strategy == Strategy::Cover || matches!(origin, TestOrigin::Partial(_)) {
                self.open.prefer(&self.tree, number, &grown.opened, fresh);
            }
            if self.settings.partials {
                let groups = self.groups(&path, number);
                self.open.vary(number, &groups, fresh);
            }
        }
        if !grown.new {
            return None;
        }
        self.counters.paths += 1;
        match run.ending {
            Ending::Discarded => {
                self.counters.discarded += 1;
                return grown.left_at;
            }
            Ending::Unfinished | Ending::Unsupported(_) => self.counters.unfinished += 1,
            _ => self.counters.unfinished += usize::from(too_long),
        }
        let fresh = self.coverage.add(&trail, self.target.sites());
        let path = path.iter().map(|entry| (entry.at, entry.taken)).collect();
        let crash = self.note_crashes(&run);
        let covers = !fresh.lines.is_empty() || fresh.branches > 0;
        let crashes_anew = crash.is_some_and(|number| self.crashes[number].count == 1);
        if !self.settings.only_new || covers || crashes_anew {
            self.tests.push(Test { origin, run, path, fresh, time, crash });
        }
        let moment = Moment {
            // What several workers find at the same time is learnt in another order.
            time: self.timeline.last().map_or(time, |last| last.time.max(time)),
            tests: self.tests.len(),
            branches: self.coverage.branches().0,
            lines: self.coverage.lines().len(),
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

    /// What the conditions of a path are about, with fingerprints of what the input says about it.
    fn groups(&mut self, path: &[PathEntry], number: usize) -> Vec<(Group, u64)> {
        let (input, _) = &self.inputs[number];
        let groups = self.slicer.groups(&self.terms, path).into_iter();
        groups.map(|group| (group.clone(), self.symbols.fingerprint(input, &group))).collect()
    }

    /// The crash of a run: the one that ended it, or the first that it went on after. Crashes of the same kind in the same calls are
    /// one.
    fn note_crashes(&mut self, run: &Run) -> Option<usize> {
        const SAME: usize = 4;
        let top = |stack: &[Site]| stack.iter().take(SAME).copied().collect::<Vec<_>>();
        let mut noted = Vec::new();
        for (ending, stack) in run.crashes() {
            let same = |crash: &Crash| crash.ending == ending && top(&crash.stack) == top(stack);
            let number = self.crashes.iter().position(same).unwrap_or_else(|| {
                let notes = run.notes(ending, stack).to_vec();
                let (stack, test) = (stack.to_vec(), self.tests.len());
                self.crashes.push(Crash { ending, stack, notes, test, count: 0 });
                self.crashes.len() - 1
            });
            self.crashes[number].count += 1;
            noted.push(number);
        }
        // What was found first here is what this test is kept for.
        noted.iter().copied().find(|&number| self.crashes[number].count == 1).or(noted.last().copied())
    }

    fn finish(self, stop_reason: StopReason) -> Exploration {
        Exploration {
            stop_reason,
            tests: self.tests,
            crashes: self.crashes,
            coverage: self.coverage,
            timeline: self.timeline,
            counters: self.counters,
            solver_counters: counters_of(&self.workers),
            queries: self.queries,
            time: self.start.elapsed(),
        }
    }
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
