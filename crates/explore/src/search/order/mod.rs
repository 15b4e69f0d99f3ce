//! Orders of open decisions: which comes first. Each owns its queue, and what it remembers of what trying cost.
//!
//! A decision waits in all orders of a strategy at the same time; whoever takes it first has it, and the others find out by its
//! stamp, which changes whenever it is put back ([`Waiting`]).

mod beside;
mod latest;
mod nearest;
mod queue;
mod random;
mod random_path;
mod uncovered;
mod unusual;

pub(super) use unusual::Unusual;

use super::attempts::Attempts;
use super::tree::{NodeId, Tree};
use super::tuning::Tuning;
use crate::coverage::Coverage;
use crate::target::PathKind;
use std::collections::HashMap;

/// The decisions that wait, each with the stamp of its latest entry.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting(HashMap<NodeId, u64>);

impl Waiting {
    pub(super) fn put(&mut self, id: NodeId, stamp: u64) {
        self.0.insert(id, stamp);
    }

    /// Takes a decision; false if another order or worker has it.
    pub(super) fn take(&mut self, id: NodeId) -> bool {
        self.0.remove(&id).is_some()
    }

    /// Whether an entry is the latest of its decision.
    pub(super) fn has(&self, id: NodeId, stamp: u64) -> bool {
        self.0.get(&id) == Some(&stamp)
    }

    pub(super) fn contains(&self, id: NodeId) -> bool {
        self.0.contains_key(&id)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What an order may look at.
#[derive(Clone, Copy)]
pub(super) struct Sight<'a> {
    pub(super) tree: &'a Tree,
    pub(super) attempts: &'a Attempts,
    pub(super) coverage: &'a Coverage,
    pub(super) waiting: &'a Waiting,
    pub(super) tuning: &'a Tuning,
}

/// Which decisions are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wanted {
    /// Those where a look around was not enough, or those without one. For strategies that do not look first, all are of one kind.
    pub(super) looked: bool,
    /// Those whose query was given up before come first.
    pub(super) again: bool,
}

/// What a try at a decision cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cost {
    pub(super) ticks: u64,
    /// Whether it was solved for and not only looked around.
    pub(super) solved: bool,
}

/// An order of open decisions.
pub(super) trait Order: Send {
    /// Adds decisions that wait from now on, those of one path from its first; the first has this stamp and each of the
    /// others one more. `looked` says for each which kind it is of.
    fn push(&mut self, sight: Sight<'_>, ids: &[NodeId], looked: &dyn Fn(NodeId) -> bool, stamp: u64);

    /// The first that is wanted. It is still waiting: who asked takes it.
    fn pop(&mut self, sight: Sight<'_>, wanted: Wanted) -> Option<NodeId>;

    /// An unusual run of an input opened these, which are here already. `fresh` if it reached new code.
    fn prefer(&mut self, _: Sight<'_>, _input: usize, _opened: &[NodeId], _fresh: bool) {}

    /// A decision was tried.
    fn charge(&mut self, _: Sight<'_>, _: NodeId, _: Cost) {}

    /// Whether solving at a decision for the first time is worth more than the order's share.
    fn is_first_at(&self, _: Sight<'_>, _: NodeId) -> bool {
        false
    }
}

/// Waiting decisions in the order in which they came, those of the two kinds apart: what the random orders choose from.
#[derive(Debug, Default)]
struct Bag {
    entries: [Vec<(NodeId, u64)>; 2],
}

impl Bag {
    fn push(&mut self, ids: &[NodeId], looked: &dyn Fn(NodeId) -> bool, stamp: u64) {
        for (&id, stamp) in ids.iter().zip(stamp..) {
            self.entries[usize::from(looked(id))].push((id, stamp));
        }
    }

    /// Those of a kind that still wait.
    fn waiting(
        &mut self,
        sight: Sight<'_>,
        wanted: Wanted,
    ) -> impl Iterator<Item = NodeId> + Clone + use<'_> {
        let entries = &mut self.entries[usize::from(wanted.looked)];
        entries.retain(|&(id, stamp)| sight.waiting.has(id, stamp));
        entries.iter().map(|entry| entry.0)
    }
}

/// An order's row: its name in strategies, and how one is made.
pub(super) struct OrderRow {
    pub(super) name: &'static str,
    pub(super) make: fn(&Making) -> Box<dyn Order>,
}

/// What an order is made with.
#[derive(Clone, Debug)]
pub(super) struct Making {
    pub(super) seed: u64,
    pub(super) tuning: Tuning,
    /// Whether solutions are the only source of inputs.
    pub(super) alone: bool,
    /// Words that inputs may contain.
    pub(super) words: Vec<Vec<u8>>,
}

/// The table of orders, one row each.
pub(super) static ORDERS: &[OrderRow] = &[
    OrderRow { name: "nearest", make: |_| Box::new(nearest::Nearest::default()) },
    OrderRow { name: "untried", make: |_| Box::new(nearest::Nearest::untried()) },
    OrderRow { name: "latest", make: |_| Box::new(latest::Latest::default()) },
    OrderRow { name: "random", make: |making| Box::new(random::Random::new(making.seed)) },
    OrderRow { name: "random-path", make: |making| Box::new(random_path::RandomPath::new(making.seed)) },
    OrderRow { name: "beside", make: |_| Box::new(beside::Beside::default()) },
    OrderRow { name: "uncovered", make: |making| Box::new(uncovered::Uncovered::new(making.seed)) },
    OrderRow { name: "unusual", make: |making| Box::new(unusual::UnusualFirst::new(making)) },
];

/// Whether another way out of a decision leads to something not yet covered.
fn promises(sight: Sight<'_>, id: NodeId) -> bool {
    let node = sight.tree.node(id);
    match node.kind {
        PathKind::Branch | PathKind::Select => !sight.coverage.took(node.at, !node.taken),
        PathKind::Fault(_) => !node.taken,
        PathKind::Assumption => true,
        PathKind::Switch { .. } => sight.attempts.at(id).tries == 0,
        PathKind::Concretised { .. } | PathKind::Region => false,
    }
}
