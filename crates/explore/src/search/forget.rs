//! Memory is bounded: a tree that has become too large is forgotten and grown again from the inputs that covered something.
//!
//! The tree, its terms and what is waiting can be found again; coverage, tests and crashes stay, and so do fingerprints of what was run, so
//! that inputs are not run twice. What is still to be explored is open again from the start: an exploration that ends as
//! `explored` has seen every path of its last tree. How much memory something takes is counted from the number of its parts, never
//! asked of the operating system: the same seed gives the same tests.

use super::agenda::Agenda;
use super::attempts::Attempts;
use super::copies::Rows;
use super::query::Slicer;
use super::tree::Tree;
use super::tuning::Tuning;
use super::witness::{Watch, Witnesses};
use super::{Explorer, TestOrigin};
use crate::route::Route;
use crate::target::Input;
use smt::Terms;
use std::sync::{Arc, PoisonError};

/// What a term takes in an arena, with its arguments and its place in the index; a worker has a copy of most, and what engines made of it.
const TERM: usize = 112;
const COPIED_TERM: usize = 240;
/// What a decision takes, with its ways and its places in all orders.
const NODE: usize = 640;
/// What an input takes beside its bytes, and what is remembered of it by the sources of variants.
const INPUT: usize = 512;
/// What a decision on the path of a test takes.
const STEP: usize = 8;
/// What it takes to know that a path was run, and of how many this is known.
const SEEN: usize = 32;
const MOST_SEEN: usize = 1 << 22;

impl Explorer<'_> {
    /// Whether the tree, with what belongs to it, takes more than is allowed.
    pub(super) fn is_full(&self) -> bool {
        self.room().is_some_and(|room| self.weight() > room)
    }

    /// How many bytes the tree may take: what tests, which stay, leave of what is allowed, and at least a part of it.
    fn room(&self) -> Option<u64> {
        let kept = (self.test_bytes + self.seen.len() * SEEN) as u64;
        self.settings
            .memory
            .map(|most| most.saturating_sub(kept).max(most / self.settings.tuning.tree_least.max(1)))
    }

    /// About how many bytes the tree takes, with its terms and inputs.
    fn weight(&self) -> u64 {
        let terms = self.terms.len() * (TERM + COPIED_TERM * self.settings.jobs.max(1));
        let tree = self.tree.len() * NODE;
        (terms + tree + self.input_bytes) as u64
    }

    /// Notes that a path was run. False if it was on a tree that was forgotten: it is no news then.
    pub(super) fn see(&mut self, route: Route, length: usize) -> bool {
        if self.seen.len() == MOST_SEEN {
            self.seen.clear();
        }
        self.seen.insert((route, length)) || self.generation == 0
    }

    /// Notes what an input takes.
    pub(super) fn weigh_input(&mut self, input: &Input) {
        self.input_bytes += INPUT + input.values().map(Vec::len).sum::<usize>();
    }

    /// The same for a test with so many decisions.
    pub(super) fn weigh_test(&mut self, steps: usize) {
        self.test_bytes += INPUT + steps * STEP;
    }

    /// Begins a new tree. Nothing may be under way.
    pub(super) fn forget(&mut self) {
        self.counters.forgotten += 1;
        self.generation += 1;
        self.terms = Terms::new();
        self.symbols = self.symbols.same_shapes();
        self.shown_symbols = Arc::default();
        self.tree = Tree::new(&self.settings.tuning);
        self.attempts = Attempts::default();
        self.agenda = Agenda::new(self.settings, self.words.clone());
        self.postponed.clear();
        self.witnesses = Witnesses::default();
        self.slicer = Slicer::default();
        self.outboxes.clear();
        *self.common.watch.write().unwrap_or_else(PoisonError::into_inner) = Watch::default();
        *self.common.rows.write().unwrap_or_else(PoisonError::into_inner) = Rows::default();
        let Tuning { regrown, regrown_recent, .. } = self.settings.tuning;
        let mut known = self.inputs.write().unwrap_or_else(PoisonError::into_inner);
        let recent: Vec<Input> =
            known.iter().rev().take(regrown_recent as usize).map(|(input, _)| (**input).clone()).collect();
        known.clear();
        drop(known);
        self.input_bytes = 0;
        let covering = self.tests.iter().rev().filter(|test| test.fresh.anything).take(regrown as usize);
        let mut inputs: Vec<Input> = covering
            .map(|test| {
                test.run.objects.iter().map(|object| (object.name.clone(), object.bytes.clone())).collect()
            })
            .collect();
        inputs.push(self.settings.first.clone());
        inputs.splice(0..0, recent);
        for input in inputs.into_iter().rev() {
            // The tree must have room for what comes of them.
            if self.stopped().is_some() || self.room().is_some_and(|room| self.weight() > room / 2) {
                break;
            }
            let ran = self.common.run_concrete(input, &self.limits);
            self.execute(ran, TestOrigin::Seed);
        }
    }
}
