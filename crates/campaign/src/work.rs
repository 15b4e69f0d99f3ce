//! What is handed out and what comes back: a work item of a few bytes, its outcome, and the seam to whoever does it. The
//! tests of an item depend on the plan and the item alone, so that an item that was lost can be done by anybody again; whoever
//! does it leaves out what is known of the target already.

use crate::plan::Plan;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// A range of batches of one lane.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// The lane whose batches these are, by its key in the plan.
    pub lane: String,
    /// The number of the first batch.
    pub first: u64,
    /// How many batches, one after the other.
    pub count: u64,
}

/// What came of an item.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemResult {
    /// What was counted, by the fuzzer's names; `tests` and `solver_micros` among them.
    pub counters: BTreeMap<String, u64>,
    /// What was found, one entry a fingerprint.
    pub findings: Vec<Found>,
    /// How many tests had a logic.
    pub logics: BTreeMap<String, u64>,
    /// How many tests had an operator.
    pub operators: BTreeMap<String, u64>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// The exploration, if the item was one.
    pub exploration: Option<Explored>,
    /// Kinds of suspicion that were taken up, so that nobody takes them up again and again.
    #[serde(default)]
    pub kinds: Vec<FamiliarKind>,
    /// How often findings that were known before were seen, by their fingerprints.
    #[serde(default)]
    pub seen: BTreeMap<String, u64>,
    /// Whether it was stopped before its end: then only the findings count, and the item is done again.
    pub stopped: bool,
}

impl ItemResult {
    /// A counter; 0 if nothing was counted.
    pub(crate) fn counter(&self, name: &str) -> u64 {
        self.counters.get(name).copied().unwrap_or(0)
    }

    /// Crashes of the program that was explored. A solver's own are findings.
    pub(crate) fn program_crashes(&self) -> u64 {
        if self.exploration.is_some() { self.counter("crashes") } else { 0 }
    }
}

/// A kind of suspicion against a target, as [`fuzz::run::Familiar`] has it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FamiliarKind {
    /// What makes it one: the class and the operators, or the place of a crash.
    pub kind: String,
    /// How often it was confirmed and reduced.
    pub taken: u64,
    /// What that led to.
    pub fingerprint: Option<String>,
}

/// A finding as it is stored and sent.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The class's word.
    pub class: String,
    /// What the solver does, in words.
    pub title: String,
    /// Eight hexadecimal digits.
    pub fingerprint: String,
    /// What the fingerprint is made of.
    pub about: String,
    /// How often it was seen.
    pub count: u64,
    /// Assertions of the reduced script.
    pub assertions: u64,
    /// The solver's version.
    pub version: String,
    /// The logic of the script.
    pub logic: String,
    /// What the newest release says.
    pub newest: Option<String>,
    /// CPU time of the target on the script.
    pub micros: u64,
    /// The folder's files.
    pub files: BTreeMap<String, String>,
}

/// What an exploration led to.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explored {
    /// `summary.json`.
    pub summary: String,
    /// The files of its folder that are kept, and the sources that it covers (`source/N`, see `summary`).
    pub files: BTreeMap<String, String>,
}

/// A point of an exploration's curve, told while it goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beat {
    /// Microseconds since its start.
    pub micros: u64,
    /// Tests so far.
    pub tests: u64,
    /// Branch directions so far.
    pub branches: u64,
    /// Lines so far.
    pub lines: u64,
}

/// Who does the work. Threads of this machine and workers elsewhere do it by the libraries; the simulation of many machines
/// pretends to.
pub trait Runner: Send + Sync {
    /// How many batches a lane has; `None` if they never end.
    fn batches(&self, plan: &Plan, lane: &str) -> Result<Option<u64>, crate::Error>;

    /// Does an item; nothing if it was stopped and found nothing until then, since half an item counts for nothing.
    fn run(
        &self,
        plan: &Plan,
        item: &Item,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(Beat),
    ) -> Result<Option<ItemResult>, crate::Error>;

    /// Takes note of kinds of suspicion against the target of a SPEC whose findings are in the store by now.
    fn learn(&self, _spec: &str, _kinds: &[FamiliarKind]) {}
}
