//! Multiplex dynamic symbolic execution: MuSE's Algorithm 1 (ASE 2020, Section 3.1) over a tree of paths.
//!
//! A run's path condition opens decisions; one is picked by a [`Strategy`], the way out of it that nobody took is solved
//! for, and the solution is run. Partial solutions, the assignments that the solver passed through on its way, are
//! inputs too: those that the tree predicts to leave the known paths are run in the concrete domain, and on terms if
//! they reach something new (Sections 3.6 and 6 of the paper ask for that).

mod query;
mod shape;
mod strategy;
pub mod tree;

pub use strategy::{Open, STRATEGIES, Strategy};

use crate::code::Site;
use crate::concolic::{Options, PathEntry};
use crate::coverage::{Coverage, Fresh};
use crate::program::{Ending, Program, Run, RunLimits};
use crate::world::{Input, Symbols};
use query::{Answer, Solver};
use smt::{Evaluator, FunId, Terms, Value};
use solve::engine::{Budget, Query, Reason, Verdict};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tree::{NodeId, Prediction, Status, Tree};

/// How many partial solutions of one query that lead to a new path, but to no new code, are run on terms.
const MAX_NEW_PATHS: usize = 32;
/// How many partial solutions of one query are looked at.
const MAX_LOOKED_AT: usize = 1000;

/// The time that a query gets when it is asked first, and how many times longer each further time.
const FIRST_QUERY_TIME: Duration = Duration::from_millis(100);
const GROWTH: u32 = 5;

/// How to explore.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What is tried first.
    pub strategy: Strategy,
    /// Whether partial solutions are used.
    pub partials: bool,
    /// The input to start with; what it does not say is zero.
    pub first: Input,
    /// The seed of everything random.
    pub seed: u64,
    /// The longest time.
    pub time_limit: Option<Duration>,
    /// The most tests.
    pub tests: Option<usize>,
    /// The longest time for one query.
    pub query_time: Duration,
    /// Jumps and calls that one run may make.
    pub fuel: u64,
    /// The choices of the concolic domain.
    pub options: Options,
    /// Whether the queries are kept.
    pub keep_queries: bool,
    /// Ends the exploration when it is set.
    pub stop: Arc<AtomicBool>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            strategy: Strategy::Cover,
            partials: true,
            first: Input::new(),
            seed: 0,
            time_limit: None,
            tests: None,
            query_time: Duration::from_secs(5),
            fuel: RunLimits::default().fuel,
            options: Options::default(),
            keep_queries: false,
            stop: Arc::default(),
        }
    }
}

/// Why an exploration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Every path was run.
    Explored,
    /// There is nothing left to try, but not every path was run: queries stayed open, or there were too many ways.
    Exhausted,
    /// The time is up.
    Time,
    /// There are as many tests as wanted.
    Tests,
    /// Somebody asked to stop.
    Interrupted,
}

impl StopReason {
    /// The reason in a word.
    pub fn word(self) -> &'static str {
        match self {
            StopReason::Explored => "explored",
            StopReason::Exhausted => "exhausted",
            StopReason::Time => "time",
            StopReason::Tests => "tests",
            StopReason::Interrupted => "interrupted",
        }
    }
}

/// Where a test's input comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestOrigin {
    /// The first input.
    Seed,
    /// The solution of a query.
    Solution,
    /// A partial solution, and the engine that passed through it.
    Partial(&'static str),
}

impl TestOrigin {
    /// The origin in a word.
    pub fn word(self) -> &'static str {
        match self {
            TestOrigin::Seed => "seed",
            TestOrigin::Solution => "solution",
            TestOrigin::Partial(_) => "partial",
        }
    }
}

/// One path that was run.
#[derive(Clone, Debug)]
pub struct Test {
    /// Where its input comes from.
    pub origin: TestOrigin,
    /// What the run did.
    pub run: Run,
    /// The decisions that it came to, and how they went.
    pub path: Vec<(Site, bool)>,
    /// What it was the first to cover.
    pub fresh: Fresh,
    /// When it was found.
    pub time: Duration,
    /// Its crash among [`Exploration::crashes`].
    pub crash: Option<usize>,
}

/// A way in which the program fails.
#[derive(Clone, Debug)]
pub struct Crash {
    /// How.
    pub ending: Ending,
    /// Where, innermost first.
    pub stack: Vec<Site>,
    /// The first test that failed so.
    pub test: usize,
    /// How many did.
    pub count: usize,
}

/// A point of the curve of coverage over time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moment {
    /// Since the start.
    pub time: Duration,
    /// Tests so far.
    pub tests: usize,
    /// Branches covered.
    pub branches: usize,
    /// Lines covered.
    pub lines: usize,
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Different paths that were run on terms.
    pub paths: usize,
    /// Paths whose inputs violate an assumption.
    pub discarded: usize,
    /// Runs that reached a limit.
    pub unfinished: usize,
    /// Queries asked.
    pub queries: usize,
    /// Queries answered by `sat`.
    pub sat: usize,
    /// Queries answered by `unsat`.
    pub unsat: usize,
    /// Queries without an answer.
    pub unknown: usize,
    /// Partial solutions that the solver delivered.
    pub partials_delivered: usize,
    /// Those that were run at all, in the concrete domain.
    pub partials_run: usize,
    /// Those that became paths.
    pub partials_used: usize,
    /// Runs that did not follow their predicted path.
    pub divergences: usize,
    /// The time that queries took.
    pub solver_time: Duration,
}

/// What an exploration found.
#[derive(Debug)]
pub struct Exploration {
    /// Why it ended.
    pub stop_reason: StopReason,
    /// The tests.
    pub tests: Vec<Test>,
    /// The crashes.
    pub crashes: Vec<Crash>,
    /// What was covered.
    pub coverage: Coverage,
    /// Coverage over time.
    pub timeline: Vec<Moment>,
    /// What was counted.
    pub counters: Counters,
    /// What the engines counted.
    pub solver_counters: Vec<(&'static str, u64)>,
    /// The queries as SMT-LIB scripts, if they were kept.
    pub queries: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

/// Somebody who watches.
pub type Watcher<'a> = dyn FnMut(&Moment, &Counters) + 'a;

/// Explores a program.
pub fn explore(program: &Program, settings: &Settings, watcher: &mut Watcher<'_>) -> Exploration {
    let mut explorer = Explorer::new(program, settings, watcher);
    explorer.seed();
    let stop_reason = loop {
        if let Some(reason) = explorer.stopped() {
            break reason;
        }
        match explorer.open.pop(&explorer.tree, &explorer.coverage) {
            Some(node) => explorer.try_decision(node),
            None if explorer.postponed.is_empty() => break explorer.exhausted(),
            None => explorer.return_to_postponed(),
        }
    };
    explorer.finish(stop_reason)
}

struct Explorer<'a> {
    program: &'a Program,
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
    solver: Solver,
    coverage: Coverage,
    inputs: Vec<Input>,
    /// Inputs that were run or found not to be worth it.
    seen: BTreeSet<Input>,
    tests: Vec<Test>,
    crashes: Vec<Crash>,
    timeline: Vec<Moment>,
    counters: Counters,
    queries: Vec<String>,
}

impl<'a> Explorer<'a> {
    fn new(program: &'a Program, settings: &'a Settings, watcher: &'a mut Watcher<'a>) -> Explorer<'a> {
        let start = Instant::now();
        Explorer {
            program,
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
            open: Open::new(settings.strategy, settings.seed),
            postponed: Vec::new(),
            solver: Solver::new(settings.seed),
            coverage: Coverage::new(program.machine(), program.source()),
            inputs: Vec::new(),
            seen: BTreeSet::new(),
            tests: Vec::new(),
            crashes: Vec::new(),
            timeline: Vec::new(),
            counters: Counters::default(),
            queries: Vec::new(),
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
        self.execute(input, TestOrigin::Seed);
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

    /// Solves for another way out of a decision, and runs what comes out.
    fn try_decision(&mut self, node: NodeId) {
        let query = self.solver.query(&mut self.terms, &self.tree, node);
        if self.settings.keep_queries {
            self.keep(&query);
        }
        let asked = Instant::now();
        let left =
            self.limits.deadline.map_or(self.settings.query_time, |d| d.saturating_duration_since(asked));
        let tries = self.tree.node(node).tries;
        let limit = left.min(self.settings.query_time).min(FIRST_QUERY_TIME * GROWTH.pow(tries.min(8)));
        let mut budget = Budget::seconds(limit).with_stop(self.settings.stop.clone());
        let Answer { verdict, partials } =
            self.solver.solve(&mut self.terms, &query, &mut budget, self.settings.partials);
        self.tree.node_mut(node).tries += 1;
        self.counters.queries += 1;
        self.counters.solver_time += asked.elapsed();
        self.counters.partials_delivered += partials.len();
        let base = self.inputs[self.tree.node(node).input].clone();
        match verdict {
            Verdict::Sat(model) => {
                self.counters.sat += 1;
                // A model known from another query may say more than was asked, which the conditions left out do not allow.
                let asked = self.solver.symbols_of(&self.terms, &query);
                let value = |fun: &FunId| Some((*fun, model.value(*fun)?.clone()));
                let values: Vec<(FunId, Value)> = asked.iter().filter_map(value).collect();
                self.run_solution(node, self.with_values(&base, &values));
            }
            Verdict::Unsat(_) => {
                self.counters.unsat += 1;
                self.tree.node_mut(node).status = Status::Closed;
            }
            Verdict::Unknown(Reason::Time) if limit < left.min(self.settings.query_time) => {
                self.postponed.push(node);
            }
            Verdict::Unknown(_) => {
                self.counters.unknown += 1;
                self.tree.node_mut(node).status = Status::Undecided;
            }
        }
        let mut new_paths = 0;
        for partial in partials.into_iter().take(MAX_LOOKED_AT) {
            if self.stopped().is_some() {
                return;
            }
            let input = self.with_values(&base, &partial.values);
            new_paths += usize::from(self.try_partial(input, partial.engine, new_paths < MAX_NEW_PATHS));
        }
    }

    fn with_values(&self, base: &Input, values: &[(FunId, Value)]) -> Input {
        let mut input = base.clone();
        for (fun, value) in values {
            self.symbols.assign(&mut input, *fun, value);
        }
        input
    }

    fn run_solution(&mut self, node: NodeId, input: Input) {
        let left_at = self.execute(input, TestOrigin::Solution);
        if left_at.is_none() && self.cut_off() {
            return;
        }
        if left_at != Some(node) {
            self.counters.divergences += 1;
            self.tree.node_mut(node).status = Status::Diverged;
        } else if self.tree.still_open(node) {
            self.open.push(&self.tree, node);
        }
    }

    /// Runs a partial solution if it is worth it, and says whether it was a new path without new code.
    fn try_partial(&mut self, input: Input, engine: &'static str, new_paths: bool) -> bool {
        if self.seen.contains(&input) {
            return false;
        }
        let model = self.symbols.model(&input);
        let prediction = self.tree.predict(&mut Evaluator::new(&self.terms, &model));
        let Prediction::Leaves(node) = prediction else {
            self.seen.insert(input);
            return false;
        };
        self.counters.partials_run += 1;
        let (_, trail) = self.program.run_concrete(&input, &self.limits);
        let new_code = self.coverage.is_new(&trail);
        let wanted = match self.settings.strategy {
            Strategy::Cover => new_code,
            Strategy::Dfs | Strategy::Bfs | Strategy::Random => new_code || new_paths,
        };
        if !wanted {
            self.seen.insert(input);
            return false;
        }
        if let Some(left_at) = self.execute(input, TestOrigin::Partial(engine)) {
            self.counters.partials_used += 1;
            self.counters.divergences += usize::from(left_at != node);
        }
        !new_code
    }

    fn run_concolic(&mut self, input: &Input) -> (Run, Vec<PathEntry>) {
        let options = self.settings.options;
        self.program.run_concolic(input, &mut self.terms, &mut self.symbols, options, &self.limits)
    }

    /// Runs an input in both domains, adds its path to the tree, and keeps it as a test if the path is new. Gives the
    /// decision at which it left the known paths.
    fn execute(&mut self, input: Input, origin: TestOrigin) -> Option<NodeId> {
        let (run, trail) = self.program.run_concrete(&input, &self.limits);
        let (on_terms, mut path) = self.run_concolic(&input);
        if self.cut_off() && [run.ending, on_terms.ending].contains(&Ending::Unfinished) {
            return None;
        }
        // A path may be too long to be followed on terms to its end.
        let too_long = path.len() > self.limits.path;
        self.counters.divergences += usize::from(run.ending != on_terms.ending && !too_long);
        path.truncate(self.limits.path);
        self.seen.insert(input.clone());
        let number = self.inputs.len();
        let grown = self.tree.grow(&mut self.terms, &path, number);
        self.inputs.push(input);
        self.open.extend(&self.tree, &grown.opened);
        if !grown.new {
            return None;
        }
        self.counters.paths += 1;
        match run.ending {
            Ending::Discarded => {
                self.counters.discarded += 1;
                return grown.left_at;
            }
            Ending::Unfinished => self.counters.unfinished += 1,
            _ => self.counters.unfinished += usize::from(too_long),
        }
        let fresh = self.coverage.add(&trail, self.program.source());
        let path = path.iter().map(|entry| (entry.at, entry.taken)).collect();
        let crash = run.ending.is_crash().then(|| self.note_crash(&run));
        let time = self.start.elapsed();
        let covers = !fresh.lines.is_empty() || fresh.branches > 0;
        self.tests.push(Test { origin, run, path, fresh, time, crash });
        let moment = Moment {
            time,
            tests: self.tests.len(),
            branches: self.coverage.branches().0,
            lines: self.coverage.lines().len(),
        };
        if covers {
            self.timeline.push(moment);
        }
        (self.watcher)(&moment, &self.counters);
        grown.left_at
    }

    /// Crashes with the same ending at the same innermost places are one.
    fn note_crash(&mut self, run: &Run) -> usize {
        const SAME: usize = 4;
        let top = |stack: &[Site]| stack.iter().take(SAME).copied().collect::<Vec<_>>();
        let known = self
            .crashes
            .iter()
            .position(|crash| crash.ending == run.ending && top(&crash.stack) == top(&run.stack));
        let number = known.unwrap_or_else(|| {
            let test = self.tests.len();
            self.crashes.push(Crash { ending: run.ending, stack: run.stack.clone(), test, count: 0 });
            self.crashes.len() - 1
        });
        self.crashes[number].count += 1;
        number
    }

    fn keep(&mut self, query: &Query) {
        self.queries.push(Solver::script(&self.terms, query));
    }

    fn finish(self, stop_reason: StopReason) -> Exploration {
        Exploration {
            stop_reason,
            tests: self.tests,
            crashes: self.crashes,
            coverage: self.coverage,
            timeline: self.timeline,
            counters: self.counters,
            solver_counters: self.solver.counters(),
            queries: self.queries,
            time: self.start.elapsed(),
        }
    }
}
