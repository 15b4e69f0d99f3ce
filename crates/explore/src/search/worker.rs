//! One who solves for open decisions: an arena, engines and a memory of its own, so that several can work at the same time.
//!
//! A worker reads the tree and never changes it. What it found out goes back as a [`Tried`], and the explorer learns from one
//! after the other in a fixed order.

use super::backup::{self, Heard};
use super::copies::Copies;
use super::focus::{Focus, assignment, model_of};
use super::query::{Slice, Slicer, script};
use super::settings::Settings;
use super::sieve::{Memory, Sieve, Sifted};
use super::strategy::{Job, Task};
use super::tree::{NodeId, Tree};
use super::witness::{Witness, Witnesses};
use crate::coverage::{Coverage, Trail};
use crate::target::{Input, Run, RunLimits, Symbols, Target, negate};
use smt::{FunId, Terms, Value};
use solve::cache::Cache;
use solve::engine::{Budget, Engine, NoPartials, Partial, Partials, Query, Reason, Verdict};
use solve::portfolio::Portfolio;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The ticks that a query gets when it is asked first after the short tries, about what they take, and how many times more each
/// further time, and less each time before. Ticks count and not the clock, which also runs while partial solutions are run: it
/// only ends what takes much longer.
const FIRST_TICKS: u64 = 400_000;
const FIRST_QUERY_TIME: Duration = Duration::from_millis(100);
const GROWTH: u32 = 5;

/// A run in the concrete domain.
#[derive(Clone, Debug)]
pub(super) struct Ran {
    pub(super) input: Input,
    pub(super) run: Run,
    pub(super) trail: Trail,
    /// When it ended, since the start of the exploration.
    pub(super) time: Duration,
}

/// What everybody may read while decisions are tried.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) target: &'a dyn Target,
    pub(super) settings: &'a Settings,
    pub(super) limits: &'a RunLimits,
    pub(super) start: Instant,
    pub(super) terms: &'a Terms,
    pub(super) symbols: &'a Symbols,
    pub(super) tree: &'a Tree,
    pub(super) coverage: &'a Coverage,
    pub(super) witnesses: &'a Witnesses,
    /// The inputs by their numbers, and the jumps that their runs made.
    pub(super) inputs: &'a [(Input, u64)],
}

impl View<'_> {
    /// Whether the time is up or somebody asked to stop.
    pub(super) fn is_over(&self) -> bool {
        self.settings.stop.load(Ordering::Relaxed)
            || self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub(super) fn run_concrete(&self, input: Input, limits: &RunLimits) -> Ran {
        let (run, trail) = self.target.run_concrete(&input, limits);
        Ran { input, run, trail, time: self.start.elapsed() }
    }

    /// An input with the values of some symbols.
    pub(super) fn with_values(&self, base: &Input, values: &[(FunId, Value)]) -> Input {
        let mut input = base.clone();
        for (fun, value) in values {
            self.symbols.assign(&mut input, *fun, value);
        }
        input
    }
}

/// What came out of a query.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// An input that takes another way, and its run.
    Solution(Box<Ran>),
    /// The run of a partial solution that was known to take another way, and its engine.
    Witness(Box<Ran>, &'static str),
    /// There is no other way.
    Closed,
    /// A look around found no other way: it is to be solved for.
    NotNearby,
    /// No answer yet: it may be asked again with more time.
    Later,
    /// The partial solutions were more promising than to go on.
    Halted,
    /// No answer.
    Unknown,
    /// Nobody asked: inputs were run.
    None,
}

/// A task that was done.
#[derive(Clone, Debug)]
pub(super) struct Tried {
    pub(super) job: Job,
    /// How many ways out of the decision were known then.
    pub(super) ways: usize,
    pub(super) answer: Answer,
    pub(super) sifted: Sifted,
    /// What solving cost.
    pub(super) ticks: u64,
    pub(super) time: Duration,
    /// Whether the backup was asked, and whether it answered.
    pub(super) backup: Option<bool>,
    /// The query, if queries are kept.
    pub(super) script: Option<String>,
}

impl Tried {
    fn new(job: Job, answer: Answer) -> Tried {
        Tried {
            job,
            ways: 0,
            answer,
            sifted: Sifted::default(),
            ticks: 0,
            time: Duration::ZERO,
            backup: None,
            script: None,
        }
    }
}

/// Looks or solves, with a wider focus each time, until the answer is one about all conditions.
fn ask(
    engine: &mut Cache,
    terms: &mut Terms,
    focus: &mut Focus,
    near: &[(FunId, Value)],
    looks: bool,
    budget: &mut Budget,
    sieve: &mut Sieve<'_>,
) -> Verdict {
    loop {
        let query = focus.query();
        let verdict = if looks {
            engine.look(terms, &query, near, budget, sieve)
        } else {
            engine.begin_near(near);
            engine.solve(terms, &query, budget, sieve)
        };
        let Verdict::Sat(model) = verdict else { return verdict };
        let found = assignment(terms, &query, near, &model);
        if !focus.widen(terms, &found) {
            return Verdict::Sat(model_of(&found));
        }
        sieve.take(Partial { values: found, engine: engine.answered_by(), step: 0 });
        if let Some(reason) = budget.exhausted() {
            return Verdict::Unknown(reason);
        }
    }
}

/// One who solves.
pub(super) struct Worker {
    terms: Terms,
    copies: Copies,
    slicer: Slicer,
    engine: Cache,
    memory: Memory,
}

impl Worker {
    pub(super) fn new(seed: u64, coverage: Coverage) -> Worker {
        Worker {
            terms: Terms::new(),
            copies: Copies::default(),
            slicer: Slicer::default(),
            engine: Cache::new(Box::new(Portfolio::new(seed)), true),
            memory: Memory::new(coverage),
        }
    }

    /// Counters of the engines.
    pub(super) fn counters(&self) -> Vec<(&'static str, u64)> {
        self.engine.counters()
    }

    /// Does what is to be done.
    pub(super) fn work(&mut self, view: &View<'_>, job: &Job) -> Tried {
        match &job.task {
            Task::Look(node) | Task::Solve(node) => self.try_decision(view, job, *node),
            Task::Sweep(input, symbol) => self.vary(view, job, *input, |sieve| sieve.sweep(*symbol)),
            Task::Graft(input, grafts) => self.vary(view, job, *input, |sieve| sieve.graft(grafts)),
        }
    }

    /// Runs variants of an input.
    fn vary(&mut self, view: &View<'_>, job: &Job, input: usize, run: impl FnOnce(&mut Sieve<'_>)) -> Tried {
        self.memory.refresh(view.coverage);
        let mut sieve = Sieve::new(view, input, &Some, &mut self.memory);
        run(&mut sieve);
        Tried { sifted: sieve.sifted, ..Tried::new(job.clone(), Answer::None) }
    }

    /// Looks or solves for another way out of a decision, and runs what comes out in the concrete domain.
    fn try_decision(&mut self, view: &View<'_>, job: &Job, node: NodeId) -> Tried {
        let asked = Instant::now();
        if let Some(Witness { input, engine }) = view.witnesses.get(node) {
            let ran = view.run_concrete(input.clone(), view.limits);
            return Tried::new(job.clone(), Answer::Witness(Box::new(ran), engine));
        }
        self.memory.refresh(view.coverage);
        let slice = self.slicer.slice(view.terms, view.tree, node);
        let mut focus = self.focus(view, &slice);
        let decision = view.tree.node(node);
        let first = !decision.looked && decision.level == 0;
        let keep = (view.settings.keep_queries && first).then(|| script(&self.terms, &focus.whole()));
        let (input, _) = &view.inputs[decision.input];
        let left =
            view.limits.deadline.map_or(view.settings.query_time, |d| d.saturating_duration_since(asked));
        let most = left.min(view.settings.query_time);
        let looks = matches!(job.task, Task::Look(_));
        let short = view.settings.short_tries();
        let is_short = decision.level < short;
        let growth = GROWTH.pow(decision.level.saturating_sub(short).min(8));
        let limit = FIRST_QUERY_TIME * growth;
        let is_limited = is_short || limit < most;
        let mut budget = Budget::seconds(most).with_stop(view.settings.stop.clone());
        if is_limited {
            budget = Budget::seconds(most.min(GROWTH * limit)).with_stop(view.settings.stop.clone());
            let part = GROWTH.pow(short.saturating_sub(decision.level));
            budget = budget.slice(FIRST_TICKS * u64::from(growth) / u64::from(part));
        }
        let before = budget.ticks_left();

        // The input that came here satisfies all of it but the last.
        let near = |&fun: &FunId| Some((self.copies.there(fun)?, view.symbols.value(input, fun)?));
        let near: Vec<(FunId, Value)> = slice.symbols.iter().filter_map(near).collect();
        let mut sifted = Sifted::default();
        let verdict = if view.settings.partials {
            let copies = &self.copies;
            let back = |fun: FunId| copies.back(fun);
            let mut sieve = Sieve::new(view, decision.input, &back, &mut self.memory);
            if !looks {
                budget = budget.with_halt(sieve.halt());
            }
            let Worker { engine, terms, .. } = self;
            let verdict = ask(engine, terms, &mut focus, &near, looks, &mut budget, &mut sieve);
            sifted = sieve.sifted;
            verdict
        } else {
            self.engine.begin_near(&near);
            self.engine.solve(&mut self.terms, &focus.query(), &mut budget, &mut NoPartials)
        };
        let ticks = before - budget.ticks_left();
        self.memory.ledger.solved(ticks);

        let mut tried = Tried {
            ways: slice.ways.len(),
            sifted,
            ticks,
            script: keep,
            ..Tried::new(job.clone(), Answer::Unknown)
        };
        let values = match verdict {
            Verdict::Sat(model) => {
                // A model known from another query may say more than was asked, which the conditions left out do not allow.
                let value = |&fun: &FunId| Some((fun, model.value(self.copies.there(fun)?)?.clone()));
                Some(slice.symbols.iter().filter_map(value).collect())
            }
            Verdict::Unsat(_) => {
                tried.answer = Answer::Closed;
                None
            }
            Verdict::Unknown(Reason::Interrupted) if tried.sifted.halted => {
                tried.answer = Answer::Halted;
                None
            }
            Verdict::Unknown(_) if looks => {
                tried.answer = Answer::NotNearby;
                None
            }
            Verdict::Unknown(Reason::Time) if is_short || is_limited && view.settings.backup.is_none() => {
                tried.answer = Answer::Later;
                None
            }
            Verdict::Unknown(_) => self.ask_backup(view, &focus.whole(), &mut tried),
        };
        if let Some(values) = values {
            let ran = view.run_concrete(view.with_values(input, &values), view.limits);
            self.memory.ledger.ran_solution(ran.run.jumps, view.coverage.is_new(&ran.trail));
            self.memory.note(&ran);
            tried.answer = Answer::Solution(Box::new(ran));
        }
        tried.time = asked.elapsed();
        tried
    }

    /// What is asked about a decision, in the worker's own arena: at first a part, where partial solutions are wanted.
    fn focus(&mut self, view: &View<'_>, slice: &Slice) -> Focus {
        let conditions = self.copies.copy(view.terms, &mut self.terms, &slice.conditions);
        let ways = self.copies.copy(view.terms, &mut self.terms, &slice.ways);
        let wanted: Vec<_> = ways.into_iter().map(|way| negate(&mut self.terms, way)).collect();
        if view.settings.partials {
            Focus::first(&self.terms, conditions, wanted, |at| slice.close[at])
        } else {
            Focus::all(conditions, wanted)
        }
    }

    /// Asks the backup, if there is one.
    fn ask_backup(
        &mut self,
        view: &View<'_>,
        query: &Query,
        tried: &mut Tried,
    ) -> Option<Vec<(FunId, Value)>> {
        let backup = view.settings.backup.as_deref().filter(|_| !view.is_over())?;
        let left = view.limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let limit = left.map_or(view.settings.query_time, |left| left.min(view.settings.query_time));
        let text = script(&self.terms, query);
        let heard = backup::ask(backup, &mut self.terms, query, &text, limit);
        tried.backup = Some(heard != Heard::Nothing);
        match heard {
            Heard::Sat(values) => {
                let original = |(fun, value): (FunId, Value)| Some((self.copies.back(fun)?, value));
                Some(values.into_iter().filter_map(original).collect())
            }
            Heard::Unsat => {
                tried.answer = Answer::Closed;
                None
            }
            Heard::Nothing => None,
        }
    }
}
