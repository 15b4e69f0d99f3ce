//! The seam between those who ask and those who solve: queries, budgets, partial solutions, verdicts.
//!
//! An engine gets the conjuncts of a query and streams every intermediate assignment it passes through to the caller
//! before it answers. It never answers `Sat` without a model that [`smt::Evaluator`] accepts, and `Unsat` only if its
//! reasoning is complete on the query.

use crate::tuning::engine::LOOK_EVERY;
use smt::{FunId, Model, TermId, Terms, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What is asked: a conjunction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The conjuncts, without annotations and with definitions unfolded. Cores and partial solutions count in them.
    pub assertions: Vec<TermId>,
    /// An assignment that almost satisfies them, which a search may begin with. Most engines have no use for it.
    pub near: Option<Near>,
    /// Whether only the answer counts, though partial solutions may be wanted: then a guess may cut the way to it
    /// short.
    pub hurried: bool,
}

/// Values of some constants, by ascending id.
pub type Near = Arc<[(FunId, Value)]>;

impl Query {
    /// A conjunction, with no assignment nearby.
    pub fn new(assertions: Vec<TermId>) -> Query {
        Query { assertions, near: None, hurried: false }
    }

    /// The same near an assignment.
    #[must_use]
    pub fn near(self, values: &[(FunId, Value)]) -> Query {
        let mut values = values.to_vec();
        values.sort_by_key(|(fun, _)| *fun);
        Query { near: Some(values.into()), ..self }
    }
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Satisfiable, with a model that the evaluator accepted.
    Sat(Model),
    /// Unsatisfiable, with the positions of conjuncts that already are.
    Unsat(Vec<usize>),
    /// Neither was found.
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// The query has operators or sorts that the engine does not handle.
    #[error("incomplete: the engine does not handle this query")]
    Unsupported,
    /// The engine is not complete and found nothing.
    #[error("incomplete: the search found no model")]
    Incomplete,
    /// The time is up.
    #[error("timeout")]
    Time,
    /// The ticks that a script allowed itself are used up.
    #[error("resource limit reached")]
    Resources,
    /// The memory bound is reached.
    #[error("memout")]
    Memory,
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A command before the check was rejected, so that what is asserted is not what was meant.
    #[error("incomplete: a command before it was rejected")]
    Rejected,
}

impl Reason {
    /// The reason as `(get-info :reason-unknown)` gives it.
    pub fn word(self) -> &'static str {
        match self {
            Reason::Unsupported => "unsupported",
            Reason::Incomplete => "incomplete",
            Reason::Time => "timeout",
            Reason::Resources => "resource-limit",
            Reason::Memory => "memout",
            Reason::Interrupted => "interrupted",
            Reason::Rejected => "rejected-command",
        }
    }
}

/// An assignment that an engine passed through: a candidate, never a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    /// Values for some or all constants of the query.
    pub values: Vec<(FunId, Value)>,
    /// Which engine it comes from.
    pub engine: &'static str,
    /// The engine's own count of steps (pivots, refinements, conflicts, moves) when it was there.
    pub step: u64,
}

/// Takes partial solutions as they come. Engines ask [`Partials::wanted`] first, so that partial solutions are recorded only for a caller that reads them.
pub trait Partials {
    /// Whether anybody listens.
    fn wanted(&self) -> bool;
    /// Whether other values of a symbol are wanted, the others being as they were at the start: who saw all of them need not
    /// see some again.
    fn wants_values_of(&mut self, _symbol: FunId) -> bool {
        self.wanted()
    }
    /// Called once for each partial solution, while the engine waits.
    fn take(&mut self, partial: Partial);
}

/// Wants no partial solutions.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPartials;

impl Partials for NoPartials {
    fn wanted(&self) -> bool {
        false
    }

    fn take(&mut self, _: Partial) {}
}

impl<F: FnMut(Partial)> Partials for F {
    fn wanted(&self) -> bool {
        true
    }

    fn take(&mut self, partial: Partial) {
        self(partial);
    }
}

/// How long an engine may work. Engines count ticks (roughly a few machine instructions times a hundred) and look at the
/// clock and at the flag only every so often.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    stop: Arc<AtomicBool>,
    /// The flag of a listener that has heard enough.
    halt: Option<Arc<AtomicBool>>,
    /// Counts what is spent, for others who want to know how far the work is; what a slice spends counts again when its whole is charged.
    meter: Option<Arc<AtomicU64>>,
    /// The ticks that were left when the meter was told the last time.
    metered: u64,
    /// Ticks left; engines that take turns get a slice each.
    ticks: u64,
    until_look: u32,
    /// Bytes that the engine's own tables may take.
    pub memory: usize,
    expired: Option<Reason>,
}

/// The time, where there is a clock: `wasm32-unknown-unknown` has none, and asking for it ends the program there. Work is then limited by
/// ticks and flags alone.
pub(crate) fn now() -> Option<Instant> {
    (!cfg!(all(target_family = "wasm", target_os = "unknown"))).then(Instant::now)
}

impl Budget {
    /// No limit but the default on memory.
    pub fn unlimited() -> Budget {
        Budget {
            deadline: None,
            stop: Arc::default(),
            halt: None,
            meter: None,
            metered: u64::MAX,
            ticks: u64::MAX,
            until_look: 0,
            memory: 4 << 30,
            expired: None,
        }
    }

    /// A limit on wall time from now.
    pub fn seconds(limit: Duration) -> Budget {
        Budget { deadline: now().and_then(|now| now.checked_add(limit)), ..Budget::unlimited() }
    }

    /// The same deadline and flag, with at most this many ticks.
    pub fn slice(&self, ticks: u64) -> Budget {
        let ticks = ticks.min(self.ticks);
        Budget { ticks, metered: ticks, until_look: 0, expired: None, ..self.clone() }
    }

    /// A flag that ends the work when it is set.
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Budget {
        self.stop = stop;
        self
    }

    /// A second flag: who listens to partial solutions may have heard enough before there is a verdict.
    pub fn with_halt(mut self, halt: Arc<AtomicBool>) -> Budget {
        self.halt = Some(halt);
        self
    }

    /// A meter that runs while the work goes on. It depends on the work alone, not on time.
    pub fn with_meter(mut self, meter: Arc<AtomicU64>) -> Budget {
        self.meter = Some(meter);
        self
    }

    /// The flag that ends the work when it is set.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// When the clock ends the work, if it does.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The ticks that are left.
    pub fn ticks_left(&self) -> u64 {
        self.ticks
    }

    /// Spends ticks; false once the budget is used up.
    #[inline]
    pub fn spend(&mut self, ticks: u32) -> bool {
        if self.ticks < u64::from(ticks) {
            self.ticks = 0;
            self.expired.get_or_insert(Reason::Time);
            return false;
        }
        self.ticks -= u64::from(ticks);
        match self.until_look.checked_sub(ticks) {
            Some(left) => self.until_look = left,
            None => self.look(),
        }
        self.expired.is_none()
    }

    #[cold]
    fn look(&mut self) {
        self.until_look = LOOK_EVERY;
        if let Some(meter) = &self.meter {
            meter.fetch_add(self.metered - self.ticks, Ordering::Release);
            self.metered = self.ticks;
        }
        let set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if set(&self.stop) || self.halt.as_ref().is_some_and(set) {
            self.expired = Some(Reason::Interrupted);
        } else if self.deadline.is_some_and(|d| Instant::now() >= d) {
            self.expired = Some(Reason::Time);
        }
    }

    /// Why the budget is used up; looks at the clock.
    pub fn exhausted(&mut self) -> Option<Reason> {
        if self.expired.is_none() {
            self.look();
        }
        self.expired
    }
}

/// Something that decides queries. Engines may keep what they learnt between calls on the same arena, and may be used from
/// one thread after the other.
pub trait Engine: Send {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// Decides one query.
    fn solve(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict;

    /// The assignment nearest to satisfying the last query that the engine passed through, if it knows how near one is. Whoever
    /// decides the query may begin there.
    fn nearest(&self) -> Vec<(FunId, Value)> {
        Vec::new()
    }

    /// Counters for `--stats`, in a fixed order.
    fn counters(&self) -> Vec<(&'static str, u64)>;

    /// Who gave the last verdict: the engine itself, unless it asks others.
    fn answered_by(&self) -> &'static str {
        self.name()
    }
}

/// An engine that can look around: a short search near the assignment that a query carries, which shows everything that it passes
/// through. MuSE takes what a solver passes through on its way to an answer; around a known input there is more of it, for less.
pub trait Look: Engine {
    /// Looks around. A query without an assignment nearby is not looked around.
    fn look(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict;
}
