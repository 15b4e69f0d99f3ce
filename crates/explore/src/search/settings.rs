//! How to explore.

use super::backup::Backup;
use super::source::Sources;
use super::strategy::Strategy;
use super::tuning::Tuning;
use crate::target::{Input, RunLimits};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Somebody who brings inputs while an exploration goes on, such as a fuzzer beside it. An exploration with one goes on until its time is
/// up, and does not depend on its seed alone.
pub trait Arrivals: std::fmt::Debug + Send + Sync {
    /// What is new since the last time. It is asked often, and has to answer at once.
    fn new_inputs(&self) -> Vec<Input>;
}

/// How to explore.
#[derive(Clone, Debug)]
pub struct SearchSettings {
    /// What is tried first.
    pub strategy: &'static Strategy,
    /// Where inputs come from besides solutions.
    pub sources: Sources,
    /// The engine that decides queries, by its name on the command line.
    pub engine: &'static str,
    /// The numbers that steer the search.
    pub tuning: Tuning,
    /// The input to start with; what it does not say is zero.
    pub first: Input,
    /// More inputs to start with, in this order.
    pub seeds: Vec<Input>,
    /// Words that inputs may contain, such as keywords of a format.
    pub words: Vec<Vec<u8>>,
    /// About how many bytes the exploration may take.
    pub memory: Option<u64>,
    /// The seed of everything random.
    pub seed: u64,
    /// How many decisions are solved for at the same time.
    pub jobs: usize,
    /// The longest time.
    pub time_limit: Option<Duration>,
    /// The most tests.
    pub tests: Option<usize>,
    /// Whether only those tests are kept that cover something new, or crash as none did before.
    pub only_new: bool,
    /// The longest time for one query.
    pub query_time: Duration,
    /// Who brings inputs while the exploration goes on.
    pub arrivals: Option<Arc<dyn Arrivals>>,
    /// Who is asked where the engines find no answer.
    pub backup: Option<Arc<dyn Backup>>,
    /// Jumps and calls that one run may make.
    pub fuel: u64,
    /// Whether the queries are kept.
    pub keep_queries: bool,
    /// Ends the exploration when it is set.
    pub stop: Arc<AtomicBool>,
}

impl SearchSettings {
    /// How often solving for a decision is given up early. While other sources of inputs lead somewhere at little cost, a hard
    /// query must not delay the others.
    pub(super) fn short_tries(&self) -> u32 {
        if self.sources.needs_turns() { self.tuning.short_tries.min(16) as u32 } else { 0 }
    }
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            strategy: Strategy::named("cover").expect("a row of the table"),
            sources: Sources::all(),
            engine: solve::engines::AUTO,
            tuning: Tuning::default(),
            first: Input::new(),
            seeds: Vec::new(),
            words: Vec::new(),
            memory: None,
            seed: 0,
            jobs: 1,
            time_limit: None,
            tests: None,
            only_new: false,
            query_time: Duration::from_secs(5),
            arrivals: None,
            backup: None,
            fuel: RunLimits::default().fuel,
            keep_queries: false,
            stop: Arc::default(),
        }
    }
}
