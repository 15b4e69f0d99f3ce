//! One who does jobs: an arena, engines and a memory of its own, so that several can work at the same time.
//!
//! A worker reads what its job's [`View`] shows and changes nothing of it. What it found out goes back as a [`Tried`], and the
//! explorer learns from one after the other in a fixed order.

use super::agenda::{Job, Task};
use super::backup::{self, Heard};
use super::copies::Copies;
use super::effort::{self, Allowance, Question};
use super::lessons::{Lesson, Origins};
use super::partial_runner::{Memory, PartialRunner, Sifted};
use super::query::script;
use super::settings::SearchSettings;
use super::source::Source;
use super::view::{Ran, View};
use super::witness::Witness;
use crate::coverage::Coverage;
use smt::{FunId, Terms, Value};
use solve::cache::Cache;
use solve::engine::{Engine, Query, Reason, Verdict};
use solve::portfolio::Portfolio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// A job with everything that is needed to do it.
pub(super) struct Ticket<'a> {
    pub(super) job: Job,
    pub(super) view: View<'a>,
    pub(super) brief: Brief,
    /// What other workers found out.
    pub(super) lessons: Vec<Arc<Lesson>>,
}

/// What a job is about.
pub(super) enum Brief {
    /// A question about a decision.
    Question(Question),
    /// An input that is known to take another way out of it.
    Witness(Witness),
    /// Variants of an input, as the job says.
    Variants,
}

/// What came out of a job.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// An input that takes another way, its run, and who found it.
    Solution(Box<Ran>, &'static str),
    /// The run of a partial solution that was known to take another way, and where it came from.
    Witness(Box<Ran>, Source, &'static str),
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
    /// No engine was asked: inputs were run.
    None,
}

/// A job that was done.
#[derive(Debug)]
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
    /// What others may want to know.
    pub(super) lessons: Vec<Lesson>,
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
            lessons: Vec::new(),
        }
    }
}

fn engine(settings: &SearchSettings) -> Cache<Portfolio> {
    Cache::new(Box::new(Portfolio::only(settings.engine, settings.seed)), true)
}

/// One who does jobs.
pub(super) struct Worker {
    terms: Terms,
    copies: Copies,
    engine: Cache<Portfolio>,
    memory: Memory,
    origins: Origins,
    /// What its jobs cost so far, in ticks: it runs while engines work.
    meter: Arc<AtomicU64>,
    /// The tree that the terms belong to.
    generation: u64,
    /// Counters of engines that were given up with theirs.
    past: Vec<(&'static str, u64)>,
}

impl Worker {
    pub(super) fn new(settings: &SearchSettings, coverage: Coverage) -> Worker {
        Worker {
            terms: Terms::new(),
            copies: Copies::default(),
            engine: engine(settings),
            memory: Memory::new(coverage, &settings.tuning),
            origins: Origins::default(),
            meter: Arc::default(),
            generation: 0,
            past: Vec::new(),
        }
    }

    /// Shows what its jobs cost so far.
    pub(super) fn meter(&self) -> Arc<AtomicU64> {
        self.meter.clone()
    }

    /// Counters of the engines.
    pub(super) fn counters(&self) -> Vec<(&'static str, u64)> {
        self.past.iter().copied().chain(self.engine.counters()).collect()
    }

    /// Does a job. `from` is the arena of its question; without, the view has its terms.
    pub(super) fn work(&mut self, ticket: Ticket<'_>, from: Option<&Terms>) -> Tried {
        let Ticket { job, view, brief, lessons } = ticket;
        if self.generation != view.generation {
            self.begin_anew(&view);
        }
        self.hear(&view, &lessons);
        let tuning = &view.settings.tuning;
        let tried = match (brief, &job.task) {
            (Brief::Question(question), task @ (Task::Look(_) | Task::Solve(_))) => {
                let looks = matches!(task, Task::Look(_));
                self.ask(&view, job, looks, &question, from)
            }
            (Brief::Witness(Witness { input, source, engine }), _) => {
                let ran = view.run_concrete(input, &view.limits);
                Tried::new(job, Answer::Witness(Box::new(ran), source, engine))
            }
            (_, Task::Vary(input, vary)) => {
                self.memory.refresh(&view.coverage);
                let mut partial_runner =
                    PartialRunner::new(&view, *input, Source::Sweep, &Some, &mut self.memory);
                vary.run(&mut partial_runner);
                let sifted = partial_runner.sifted;
                Tried { sifted, ..Tried::new(job, Answer::None) }
            }
            (Brief::Variants, _) => Tried::new(job, Answer::None),
        };
        // What engines spent is on the meter.
        self.meter.fetch_add(tuning.retry_ticks + tried.sifted.ticks, Ordering::Release);
        tried
    }

    /// Takes over what others found out.
    fn hear(&mut self, view: &View<'_>, lessons: &[Arc<Lesson>]) {
        if lessons.is_empty() {
            return;
        }
        let rows = view.rows.read().unwrap_or_else(PoisonError::into_inner);
        for lesson in lessons {
            let known = lesson.told(&rows, &mut self.terms, &mut self.copies);
            self.engine.hear(&self.terms, known);
        }
    }

    /// What this one found out since the last time, for others.
    fn lessons(&mut self) -> Vec<Lesson> {
        let news = self.engine.news();
        news.iter().filter_map(|known| self.origins.lesson(&self.copies, known)).collect()
    }

    /// Forgets what belongs to a tree that was forgotten.
    fn begin_anew(&mut self, view: &View<'_>) {
        self.generation = view.generation;
        self.past.extend(self.engine.counters());
        (self.terms, self.copies, self.engine) = (Terms::new(), Copies::default(), engine(view.settings));
        self.origins = Origins::default();
        self.memory.forget_symbols();
    }

    /// Looks or solves for another way out of a decision, and runs what comes out on values.
    fn ask(
        &mut self,
        view: &View<'_>,
        job: Job,
        looks: bool,
        question: &Question,
        from: Option<&Terms>,
    ) -> Tried {
        let asked = Instant::now();
        let sources = view.settings.sources;
        if sources.any() {
            self.memory.refresh(&view.coverage);
        }
        let Worker { terms, copies, engine, memory, origins, .. } = self;
        let parts = sources.has(Source::Parts);
        let mut posed = effort::pose(question, view, from, terms, copies, parts);
        if from.is_none() {
            origins.note(question, &posed);
        }
        let first = !question.attempt.looked && question.attempt.level == 0;
        let keep = (view.settings.keep_queries && first).then(|| script(terms, &posed.focus.whole()));
        let Allowance { budget, is_short, is_limited } = Allowance::new(view, question.attempt, asked);
        let mut budget = if from.is_none() { budget.with_meter(self.meter.clone()) } else { budget };
        let before = budget.ticks_left();

        let back = |fun: FunId| copies.back(fun);
        let source = if looks { Source::Look } else { Source::Engine };
        let mut partial_runner = PartialRunner::new(view, question.input, source, &back, memory);
        let verdict = if looks {
            effort::look::look(engine, terms, &mut posed, &mut budget, &mut partial_runner)
        } else {
            if sources.needs_turns() {
                budget = budget.with_halt(partial_runner.halt());
            }
            let listens = sources.has(Source::Engine);
            // Who looked around here has seen the partial solutions nearby: now only the answer counts.
            let hurried = question.attempt.looked;
            effort::solve::solve(
                engine,
                terms,
                &mut posed,
                &mut budget,
                &mut partial_runner,
                listens,
                hurried,
            )
        };
        let sifted = partial_runner.sifted;
        let ticks = before - budget.ticks_left();
        memory.spending.solved(ticks);

        let mut tried = Tried {
            ways: question.slice.ways.len(),
            sifted,
            ticks,
            script: keep,
            ..Tried::new(job, Answer::Unknown)
        };
        let mut found_by = engine.answered_by();
        let values = match verdict {
            Verdict::Sat(model) => {
                // A model known from another query may say more than was asked, which the conditions left out do not allow.
                let value = |&fun: &FunId| Some((fun, model.value(copies.there(fun)?)?.clone()));
                Some(question.slice.symbols.iter().filter_map(value).collect())
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
            Verdict::Unknown(_) => {
                found_by = "backup";
                self.ask_backup(view, &posed.focus.whole(), &mut tried)
            }
        };
        if let Some(values) = values {
            let (input, _) = view.input(question.input);
            let ran = view.run_concrete(view.with_values(&input, &values), &view.limits);
            self.memory.spending.ran_solution(ran.run.jumps, view.coverage.is_new(&ran.trail));
            self.memory.note(&ran);
            tried.answer = Answer::Solution(Box::new(ran), found_by);
        }
        if from.is_none() {
            tried.lessons = self.lessons();
        }
        tried.time = asked.elapsed();
        tried
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
