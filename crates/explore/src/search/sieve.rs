//! What becomes of partial solutions while the solver works: run fast, and kept if they lead somewhere new.
//!
//! MuSE executes every partial solution on terms, and its authors ask for lightweight concrete executions in front of that
//! (ASE 2020, Sections 3.6 and 6). A run in the concrete domain needs no path condition to be evaluated, and tells the route
//! and the code reached; only what is new or unusual goes on to a run on terms. What took a new way only is kept as a
//! [`Witness`] for the decision where it did. Since the engine waits meanwhile, what is found counts at once, and an engine that
//! leads to new code without getting to an answer is stopped.
//!
//! Two bounds keep this from starving the search: a run gets little more fuel than the run that it varies took, and the
//! [`Ledger`](super::ledger::Ledger) has to afford it.

use super::grafts::Graft;
use super::ledger::{self, Ledger};
use super::tree::NodeId;
use super::witness::Witness;
use super::worker::{Ran, View};
use crate::coverage::Coverage;
use crate::route::Route;
use crate::target::{Ending, Input, RunLimits};
use smt::{FunId, Value};
use solve::engine::{Partial, Partials};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many partial solutions of one query that are unusual, but lead to no new code, are run on terms.
const MAX_UNUSUAL: usize = 8;
/// How many partial solutions after one that led to new code the engine may go on for.
const PATIENCE: usize = 64;
/// The fuel of a run, as a multiple of what the run that it varies took, and beside; and at most.
const LEASH: u64 = 4;
const SLACK: u64 = 10_000;
const MAX_LEASH: u64 = 200_000;
/// The same for runs that are not on the way to a solution: there are many of them.
const SHORT_LEASH: u64 = 2;
const SHORT_SLACK: u64 = 1000;
/// The bytes of the largest symbol whose values are swept.
const MAX_SWEPT: usize = 4;
/// What partial solutions are signed with that no engine delivered.
const SWEEP: &str = "sweep";
const GRAFT: &str = "graft";

/// What is known from one query to the next.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// What was covered, by partial solutions that nobody else knows of yet too.
    coverage: Coverage,
    /// The version of the coverage when it was copied.
    copied: u64,
    pub(super) ledger: Ledger,
    /// Fingerprints of inputs and of routes that were run.
    inputs: HashSet<u64>,
    routes: HashSet<Route>,
    /// Inputs, by number, and symbols of which all values were run.
    swept: HashSet<(usize, FunId)>,
}

impl Memory {
    pub(super) fn new(coverage: Coverage) -> Memory {
        Memory {
            copied: coverage.version(),
            coverage,
            ledger: Ledger::default(),
            inputs: HashSet::new(),
            routes: HashSet::new(),
            swept: HashSet::new(),
        }
    }

    /// Begins with what everybody knows.
    pub(super) fn refresh(&mut self, coverage: &Coverage) {
        if self.copied != coverage.version() || self.coverage.version() != self.copied {
            self.coverage.clone_from(coverage);
            self.copied = coverage.version();
        }
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
    pub(super) engine: &'static str,
    /// Whether it reached new code, or was unusual only.
    pub(super) fresh: bool,
}

/// What was done with the partial solutions of one query.
#[derive(Clone, Debug, Default)]
pub(super) struct Sifted {
    pub(super) kept: Vec<Kept>,
    /// Those that take another way out of a decision, without reaching anything new.
    pub(super) witnesses: Vec<(NodeId, Witness)>,
    pub(super) delivered: usize,
    pub(super) run: usize,
    /// What these runs cost, in ticks.
    pub(super) ticks: u64,
    /// Whether the engine was stopped.
    pub(super) halted: bool,
}

/// Listens to the partial solutions of one query.
pub(super) struct Sieve<'a> {
    view: &'a View<'a>,
    /// The input that the query's solutions vary, and the original of each symbol.
    number: usize,
    base: &'a Input,
    back: &'a dyn Fn(FunId) -> Option<FunId>,
    memory: &'a mut Memory,
    limits: RunLimits,
    halt: Option<Arc<AtomicBool>>,
    unusual: usize,
    since_fresh: Option<usize>,
    pub(super) sifted: Sifted,
}

impl<'a> Sieve<'a> {
    pub(super) fn new(
        view: &'a View<'a>,
        number: usize,
        back: &'a dyn Fn(FunId) -> Option<FunId>,
        memory: &'a mut Memory,
    ) -> Sieve<'a> {
        let (base, jumps) = &view.inputs[number];
        let leash = jumps.saturating_mul(LEASH).saturating_add(SLACK).min(MAX_LEASH);
        let limits = RunLimits { fuel: view.limits.fuel.min(leash), ..view.limits.clone() };
        Sieve {
            view,
            number,
            base,
            back,
            memory,
            limits,
            halt: None,
            unusual: 0,
            since_fresh: None,
            sifted: Sifted::default(),
        }
    }

    /// A flag that is set when the engine has led to new code and not to an answer for a while.
    pub(super) fn halt(&mut self) -> Arc<AtomicBool> {
        self.halt.get_or_insert_default().clone()
    }

    /// Runs all values of a symbol's bytes, one byte at a time.
    pub(super) fn sweep(&mut self, symbol: FunId) {
        let Some(origin) = self.view.symbols.origin(symbol) else { return };
        if origin.bytes > MAX_SWEPT || !self.memory.swept.insert((self.number, symbol)) {
            return;
        }
        for byte in 0..origin.bytes {
            for step in 1..=u8::MAX {
                let mut input = self.base.clone();
                let bytes = origin.bytes_of(&mut input);
                bytes[byte] = bytes[byte].wrapping_add(step);
                self.try_variant(input, SWEEP);
            }
        }
    }

    /// Runs the input with parts of others in it.
    pub(super) fn graft(&mut self, grafts: &[Graft]) {
        for Graft { group, donor } in grafts {
            let (donor, _) = &self.view.inputs[*donor];
            let mut input = self.base.clone();
            for &symbol in group.iter() {
                self.view.symbols.take_over(&mut input, symbol, donor);
            }
            self.try_variant(input, GRAFT);
        }
    }

    /// Runs an input that no engine delivered.
    fn try_variant(&mut self, input: Input, name: &'static str) {
        let jumps = self.view.inputs[self.number].1;
        let leash = jumps.saturating_mul(SHORT_LEASH).saturating_add(SHORT_SLACK);
        self.limits.fuel = self.limits.fuel.min(leash);
        if !self.view.is_over() && self.memory.inputs.insert(fingerprint(&input)) {
            self.sifted.delivered += 1;
            self.try_input(input, name);
        }
    }

    /// Runs an input, and keeps it if it leads somewhere new. Gives the jumps that the run made, and whether it reached new code.
    fn try_input(&mut self, input: Input, engine: &'static str) -> (u64, bool) {
        self.sifted.run += 1;
        let ran = self.view.run_concrete(input, &self.limits);
        let fresh = self.memory.coverage.is_new(&ran.trail);
        let new_path = self.memory.routes.insert(ran.trail.route());
        // What takes so much longer than the run that it varies is not worth its time.
        let whole = ran.run.ending != Ending::Unfinished;
        let unusual = new_path
            && self.unusual < MAX_UNUSUAL
            && self.memory.ledger.affords_unusual()
            && self.memory.coverage.is_unusual(&ran.trail);
        let jumps = ran.run.jumps;
        self.sifted.ticks += ledger::run_cost(jumps);
        if whole && (fresh || unusual) {
            self.keep(ran, engine, fresh);
        } else if whole
            && new_path
            && let Some(id) = self.view.witnesses.met(self.view.tree, ran.trail.routes())
        {
            self.sifted.witnesses.push((id, Witness { input: ran.input, engine }));
        }
        (jumps, fresh)
    }

    fn keep(&mut self, ran: Ran, engine: &'static str, fresh: bool) {
        self.memory.ledger.kept_partial(ran.run.jumps, fresh);
        self.memory.coverage.add(&ran.trail, self.view.target.sites());
        if fresh {
            self.since_fresh = Some(0);
        } else {
            self.unusual += 1;
        }
        self.sifted.kept.push(Kept { ran, engine, fresh });
    }
}

impl Partials for Sieve<'_> {
    fn wanted(&self) -> bool {
        self.memory.ledger.affords_partials() && !self.view.is_over()
    }

    fn wants_values_of(&mut self, symbol: FunId) -> bool {
        self.wanted() && !self.memory.swept.contains(&(self.number, symbol))
    }

    fn take(&mut self, partial: Partial) {
        self.sifted.delivered += 1;
        if let (Some(since), Some(halt)) = (&mut self.since_fresh, &self.halt) {
            *since += 1;
            if *since > PATIENCE {
                self.sifted.halted = true;
                halt.store(true, Ordering::Relaxed);
                return;
            }
        }
        let original = |(fun, value): (FunId, Value)| Some(((self.back)(fun)?, value));
        let values: Vec<(FunId, Value)> = partial.values.into_iter().filter_map(original).collect();
        let input = self.view.with_values(self.base, &values);
        if self.wanted() && self.memory.inputs.insert(fingerprint(&input)) {
            let (jumps, fresh) = self.try_input(input, partial.engine);
            self.memory.ledger.ran_partial(jumps, fresh);
        }
    }
}

/// Two inputs with the same fingerprint are taken for the same.
fn fingerprint(input: &Input) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    hasher.finish()
}
