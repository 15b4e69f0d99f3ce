//! What becomes of partial solutions while the solver works: run fast, and kept if they lead somewhere new.
//!
//! Zhang et al. 2020 execute every partial solution on terms, and ask for lightweight concrete executions in front of that
//! (Sections 3.6 and 6). A run on values needs no path condition to be evaluated, and tells the route and the code reached; only what is new
//! or unusual goes on to a run on terms. What took a new way only is kept as a [`Witness`] for the decision where it did. Since
//! the engine waits meanwhile, what is found counts at once, and an engine that leads to new code without getting to an answer is
//! stopped. Two bounds keep this from starving the search: a run gets little more fuel than the run that it varies took, and the
//! [`Spending`] has to afford it.
//!
//! Where engines are the only source of inputs none of this holds: every distinct partial solution is run, and every one that takes a
//! way of its own is run on terms, as Algorithm 1 has it.

use super::outcome::CrashIdentity;
use super::source::Source;
use super::spending::{self, Spending};
use super::tally::Tallies;
use super::tree::NodeId;
use super::tuning::Tuning;
use super::view::{Ran, View};
use super::witness::Witness;
use crate::coverage::Coverage;
use crate::route::Route;
use crate::target::{Ending, Input, Origin, Run, RunLimits};
use smt::{FunId, Value};
use solve::engine::{Partial, Partials};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many inputs a worker knows to have been run. They take up to 40 bytes each, with their routes.
const MOST_FINGERPRINTS: usize = 1 << 20;

/// What is known from one query to the next.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// What was covered, including by partial solutions of this job that were not reported yet.
    coverage: Coverage,
    /// The version of the coverage when it was copied.
    copied: u64,
    pub(super) spending: Spending,
    /// Fingerprints of inputs, of partial solutions with the numbers of the inputs that they change, and of what runs did.
    inputs: HashSet<u64>,
    changes: HashSet<u64>,
    routes: HashSet<Route>,
    ways: HashSet<(Route, Ending)>,
    /// Crashes that were kept, and fingerprints of all stacks that were seen, which are quicker to compare.
    crashes: HashSet<CrashIdentity>,
    crash_stacks: HashSet<u64>,
    /// Inputs, by number, and symbols of which all values were run.
    swept: HashSet<(usize, FunId)>,
}

impl Memory {
    pub(super) fn new(coverage: Coverage, tuning: &Tuning) -> Memory {
        Memory {
            copied: coverage.version(),
            coverage,
            spending: Spending::new(tuning),
            inputs: HashSet::new(),
            changes: HashSet::new(),
            routes: HashSet::new(),
            ways: HashSet::new(),
            crashes: HashSet::new(),
            crash_stacks: HashSet::new(),
            swept: HashSet::new(),
        }
    }

    /// Begins with what everybody knows.
    pub(super) fn refresh(&mut self, coverage: &Coverage) {
        if self.copied != coverage.version() || self.coverage.version() != self.copied {
            self.coverage.clone_from(coverage);
            self.copied = coverage.version();
        }
        // What is forgotten here may be run again, and leads nowhere new then.
        if self.inputs.len().max(self.changes.len()) > MOST_FINGERPRINTS {
            self.inputs.clear();
            self.changes.clear();
            self.routes.clear();
            self.ways.clear();
        }
    }

    /// The symbols of a tree that was forgotten mean nothing, nor do the numbers of its inputs.
    pub(super) fn forget_symbols(&mut self) {
        self.swept.clear();
        self.changes.clear();
    }

    /// Notes a run that was made anyway.
    pub(super) fn note(&mut self, ran: &Ran) {
        self.inputs.insert(fingerprint(&ran.input));
        self.routes.insert(ran.trail.route());
    }
}

/// A partial solution that leads somewhere new.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) ran: Ran,
    pub(super) source: Source,
    pub(super) engine: &'static str,
}

/// What was done with the partial solutions of one job.
#[derive(Clone, Debug, Default)]
pub(super) struct Sifted {
    pub(super) kept: Vec<Kept>,
    /// Those that take another way out of a decision, without reaching anything new.
    pub(super) witnesses: Vec<(NodeId, Witness)>,
    pub(super) tallies: Tallies,
    /// What these runs cost, in ticks.
    pub(super) ticks: u64,
    /// Whether the engine was stopped.
    pub(super) halted: bool,
}

/// Listens to the partial solutions of one job.
pub(super) struct PartialRunner<'a> {
    view: &'a View<'a>,
    /// The input that they vary, the jumps that its run made, and the original of each symbol.
    number: usize,
    base: Arc<Input>,
    jumps: u64,
    back: &'a dyn Fn(FunId) -> Option<FunId>,
    memory: &'a mut Memory,
    limits: RunLimits,
    /// Where the partial solutions come from that engines deliver now.
    pub(super) source: Source,
    /// Whether every distinct one is run.
    all: bool,
    halt: Option<Arc<AtomicBool>>,
    unusual: u64,
    since_fresh: Option<u64>,
    /// How many runs in a row took a way that was known.
    known_ways: u64,
    pub(super) sifted: Sifted,
}

impl<'a> PartialRunner<'a> {
    pub(super) fn new(
        view: &'a View<'a>,
        number: usize,
        source: Source,
        back: &'a dyn Fn(FunId) -> Option<FunId>,
        memory: &'a mut Memory,
    ) -> PartialRunner<'a> {
        let (base, jumps) = view.input(number);
        let tuning = &view.settings.tuning;
        let leash =
            jumps.saturating_mul(tuning.leash).saturating_add(tuning.leash_slack).min(tuning.leash_most);
        let all = !view.settings.sources.needs_turns();
        let fuel = if all { view.limits.fuel } else { view.limits.fuel.min(leash) };
        PartialRunner {
            view,
            number,
            base,
            jumps,
            back,
            memory,
            limits: RunLimits { fuel, ..view.limits.clone() },
            source,
            all,
            halt: None,
            unusual: 0,
            since_fresh: None,
            known_ways: 0,
            sifted: Sifted::default(),
        }
    }

    /// Whether an engine on its way to an answer only repeats what is known: its assignments are alike, and so are the next ones.
    fn repeats(&self) -> bool {
        self.source == Source::Engine && self.known_ways > self.view.settings.tuning.repeats
    }

    /// A flag that is set when the engine has led to new code and not to an answer for a while.
    pub(super) fn halt(&mut self) -> Arc<AtomicBool> {
        self.halt.get_or_insert_default().clone()
    }

    /// The input that is varied.
    pub(super) fn base(&self) -> &Input {
        &self.base
    }

    /// Another input, by its number.
    pub(super) fn other(&self, number: usize) -> Arc<Input> {
        self.view.input(number).0
    }

    /// The bytes that a symbol stands for.
    pub(super) fn origin(&self, symbol: FunId) -> Option<Origin> {
        self.view.symbols.origin(symbol).cloned()
    }

    /// Notes that all values of a symbol are run; false if they were already.
    pub(super) fn begin_sweep(&mut self, symbol: FunId) -> bool {
        self.memory.swept.insert((self.number, symbol))
    }

    /// The input with what another one says about some symbols.
    pub(super) fn taking_over(&self, symbols: &[FunId], donor: usize) -> Input {
        let (donor, _) = self.view.input(donor);
        let mut input = Input::clone(&self.base);
        for &symbol in symbols {
            self.view.symbols.take_over(&mut input, symbol, &donor);
        }
        input
    }

    /// Runs an input that no engine delivered.
    pub(super) fn try_variant(&mut self, input: Input, source: Source) {
        let tuning = &self.view.settings.tuning;
        let leash = self.jumps.saturating_mul(tuning.short_leash).saturating_add(tuning.short_slack);
        self.limits.fuel = self.limits.fuel.min(leash);
        if self.view.is_over() {
            return;
        }
        self.sifted.tallies.of(source, source.name()).delivered += 1;
        self.sifted.ticks += tuning.variant_ticks;
        if self.memory.inputs.insert(fingerprint(&input)) {
            self.try_input(input, source, source.name());
        }
    }

    /// Runs an input, and keeps it if it leads somewhere new. Gives the jumps that the run made, and whether it reached new code.
    fn try_input(&mut self, input: Input, source: Source, engine: &'static str) -> (u64, bool) {
        let tally = self.sifted.tallies.of(source, engine);
        tally.distinct += 1;
        tally.run += 1;
        let ran = self.view.run_concrete(input, &self.limits);
        let fresh = self.memory.coverage.is_new(&ran.trail);
        let new_path = self.memory.routes.insert(ran.trail.route());
        self.known_ways = if new_path { 0 } else { self.known_ways + 1 };
        let jumps = ran.run.jumps;
        self.sifted.ticks += spending::run_cost(&self.view.settings.tuning, jumps);
        if self.all {
            if self.memory.ways.insert((ran.trail.route(), ran.run.ending)) {
                self.keep(ran, source, engine, fresh);
            }
            return (jumps, fresh);
        }
        // What takes so much longer than the run that it varies is not worth its time.
        let whole = ran.run.ending != Ending::Unfinished;
        let unusual = new_path
            && self.unusual < self.view.settings.tuning.unusual_kept
            && self.memory.spending.affords_unusual()
            && self.memory.coverage.is_unusual(&ran.trail);
        // An error needs no new code: the same way with other values may be one.
        if whole && (self.crashes_anew(&ran.run) || fresh || unusual) {
            self.keep(ran, source, engine, fresh);
        } else if whole
            && new_path
            && let Some(id) = self.view.met(ran.trail.routes())
        {
            self.sifted.witnesses.push((id, Witness { input: ran.input, source, engine }));
        }
        (jumps, fresh)
    }

    /// Whether a run does something wrong that no run of this worker did before.
    fn crashes_anew(&mut self, run: &Run) -> bool {
        let target = self.view.target;
        let mut anew = false;
        for (ending, stack) in run.crashes() {
            if self.memory.crash_stacks.insert(fingerprint(&(ending, stack))) {
                anew |= self.memory.crashes.insert(CrashIdentity::of(target, ending, stack));
            }
        }
        anew
    }

    fn keep(&mut self, ran: Ran, source: Source, engine: &'static str, fresh: bool) {
        self.memory.spending.kept_partial(ran.run.jumps, fresh);
        self.memory.coverage.add(&ran.trail, self.view.target.sites());
        if fresh {
            self.since_fresh = Some(0);
        } else {
            self.unusual += 1;
        }
        self.sifted.kept.push(Kept { ran, source, engine });
    }
}

impl Partials for PartialRunner<'_> {
    fn wanted(&self) -> bool {
        (self.all || !self.repeats() && self.memory.spending.affords_partials()) && !self.view.is_over()
    }

    fn wants_values_of(&mut self, symbol: FunId) -> bool {
        // An engine's symbols are those of its worker.
        let swept = |symbol| self.memory.swept.contains(&(self.number, symbol));
        self.wanted() && !(self.back)(symbol).is_some_and(swept)
    }

    fn take(&mut self, partial: Partial) {
        let source = self.source;
        self.sifted.tallies.of(source, partial.engine).delivered += 1;
        if let (Some(since), Some(halt)) = (&mut self.since_fresh, &self.halt) {
            *since += 1;
            if *since > self.view.settings.tuning.patience {
                self.sifted.halted = true;
                halt.store(true, Ordering::Relaxed);
                return;
            }
        }
        let original = |(fun, value): (FunId, Value)| Some(((self.back)(fun)?, value));
        let values: Vec<(FunId, Value)> = partial.values.into_iter().filter_map(original).collect();
        // Engines often pass through what they passed through in an earlier query about the same input.
        if !self.wanted() || !self.memory.changes.insert(fingerprint(&(self.number, &values))) {
            return;
        }
        let input = self.view.with_values(&self.base, &values);
        if self.memory.inputs.insert(fingerprint(&input)) {
            let (jumps, fresh) = self.try_input(input, source, partial.engine);
            self.memory.spending.ran_partial(jumps, fresh);
        }
    }
}

/// Two things with the same fingerprint are taken for the same.
fn fingerprint(thing: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    thing.hash(&mut hasher);
    hasher.finish()
}
