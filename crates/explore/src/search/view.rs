//! What a worker may read while it does a job: everything as of the moment when the job was handed out, so that what comes of it does
//! not depend on what the explorer learns meanwhile.

use super::copies::Rows;
use super::settings::SearchSettings;
use super::tree::NodeId;
use super::witness::{Epoch, Watch};
use crate::coverage::{Coverage, Trail};
use crate::route::Route;
use crate::target::{Input, Run, RunLimits, Symbols, Target};
use smt::{FunId, Value};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// A run in the concrete domain.
#[derive(Clone, Debug)]
pub(super) struct Ran {
    pub(super) input: Input,
    pub(super) run: Run,
    pub(super) trail: Trail,
    /// When it ended, since the start of the exploration.
    pub(super) time: Duration,
}

/// The inputs whose paths are in the tree by their numbers, with the jumps that their runs made. They only become more.
pub(super) type Inputs = Arc<RwLock<Vec<(Arc<Input>, u64)>>>;

/// What is the same for all jobs of an exploration.
#[derive(Clone)]
pub(super) struct Common<'a> {
    pub(super) target: &'a dyn Target,
    pub(super) settings: &'a SearchSettings,
    pub(super) limits: RunLimits,
    pub(super) start: Instant,
    pub(super) inputs: Inputs,
    pub(super) watch: Arc<RwLock<Watch>>,
    /// The terms that the jobs of several workers are about.
    pub(super) rows: Arc<RwLock<Rows>>,
    /// Ends whatever workers do.
    pub(super) stop: Arc<AtomicBool>,
}

/// What a worker may read.
#[derive(Clone)]
pub(super) struct View<'a> {
    pub(super) common: Common<'a>,
    pub(super) coverage: Arc<Coverage>,
    pub(super) symbols: Arc<Symbols>,
    pub(super) epoch: Epoch,
    /// How many trees were forgotten: the terms of another one are of no use.
    pub(super) generation: u64,
}

impl<'a> std::ops::Deref for View<'a> {
    type Target = Common<'a>;

    fn deref(&self) -> &Common<'a> {
        &self.common
    }
}

impl Common<'_> {
    /// Whether the time is up or an interrupt came.
    pub(super) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Runs an input on values.
    pub(super) fn run_concrete(&self, input: Input, limits: &RunLimits) -> Ran {
        let (run, trail) = self.target.run_concrete(&input, limits);
        Ran { input, run, trail, time: self.start.elapsed() }
    }

    /// An input by its number, and the jumps that its run made.
    pub(super) fn input(&self, number: usize) -> (Arc<Input>, u64) {
        self.inputs.read().unwrap_or_else(PoisonError::into_inner)[number].clone()
    }
}

impl View<'_> {
    /// An input with the values of some symbols.
    pub(super) fn with_values(&self, base: &Input, values: &[(FunId, Value)]) -> Input {
        let mut input = base.clone();
        for (fun, value) in values {
            self.symbols.assign(&mut input, *fun, value);
        }
        input
    }

    /// The first open decision on a run's way that it left by a way not taken before.
    pub(super) fn met(&self, routes: &[Route]) -> Option<NodeId> {
        self.watch.read().unwrap_or_else(PoisonError::into_inner).met(self.epoch, routes)
    }
}
