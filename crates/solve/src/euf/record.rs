//! Partial solutions: what the theory holds when a conflict or a lemma makes the search move on (Zhang et al. 2020, Section 3.5).
//!
//! A candidate is made of the present classes and of the present vertex of arithmetic. To make one costs as much as the query has
//! nodes, so after a free start the recorder spends no more than a share of the search.

use super::combine::Combination;
use super::interface::Candidate;
use crate::engine::{Partial, Partials};
use crate::tuning::euf_record::{FILTER_CAPACITY, FREE, SHARE, TICKS_PER_NODE};
use rustc_hash::FxHasher;
use smt::{FunId, Value};
use std::cell::RefCell;
use std::hash::{Hash, Hasher};

/// The engine's name on its partial solutions.
pub(super) const ENGINE: &str = "euf";

/// The listener, for several who show.
pub(super) struct Shared<'s, 'p>(pub(super) &'s RefCell<&'p mut dyn Partials>);

impl Partials for Shared<'_, '_> {
    fn wanted(&self) -> bool {
        self.0.borrow().wanted()
    }

    fn wants_values_of(&mut self, symbol: FunId) -> bool {
        self.0.borrow_mut().wants_values_of(symbol)
    }

    fn take(&mut self, partial: Partial) {
        self.0.borrow_mut().take(partial);
    }
}

/// Shows partial solutions.
pub(super) struct Recorder<'a> {
    sink: &'a mut dyn Partials,
    seen: rustc_hash::FxHashSet<u64>,
    shown: u64,
    spent: u64,
    step: u64,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(sink: &'a mut dyn Partials) -> Recorder<'a> {
        Recorder { sink, seen: Default::default(), shown: 0, spent: 0, step: 0 }
    }

    fn affordable(&mut self, nodes: usize, ticks: u64) -> bool {
        self.step += 1;
        let cost = TICKS_PER_NODE * nodes as u64;
        let fits = self.shown < FREE || (self.spent + cost) * SHARE <= ticks;
        if fits {
            self.spent += cost;
        }
        fits
    }

    fn take(&mut self, values: Vec<(FunId, Value)>) {
        let mut hasher = FxHasher::default();
        values.hash(&mut hasher);
        if self.seen.len() >= FILTER_CAPACITY {
            self.seen.clear();
        }
        if self.seen.insert(hasher.finish()) {
            self.shown += 1;
            self.sink.take(Partial { values, engine: ENGINE, step: self.step });
        }
    }
}

impl Combination<'_, '_> {
    /// Shows the present assignment, if anybody listens and it is affordable.
    pub(super) fn show_partial(&mut self) {
        let (nodes, ticks) = (self.graph.len(), self.ticks());
        if self.recorder.as_mut().is_some_and(|recorder| recorder.affordable(nodes, ticks)) {
            let numbers = self.arithmetic.simplex.model();
            let candidate = self.candidate(numbers);
            self.show_candidate(&candidate);
        }
    }

    /// Shows a candidate.
    pub(super) fn show_candidate(&mut self, candidate: &Candidate) {
        let Some(mut recorder) = self.recorder.take() else { return };
        let mut values = Vec::with_capacity(self.constants.len());
        for &(fun, term) in &self.constants {
            if let Some(value) = self.constant_value(candidate, term) {
                values.push((fun, value));
            }
        }
        recorder.take(values);
        self.recorder = Some(recorder);
    }
}
