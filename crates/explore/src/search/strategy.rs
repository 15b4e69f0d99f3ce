//! Which open decision is tried next.

use super::tree::{Node, NodeId, Tree};
use crate::concolic::PathKind;
use crate::coverage::Coverage;
use random::Rng;
use std::collections::BTreeSet;

/// A search strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// The last decision of the last path first.
    Dfs,
    /// The decision nearest to the start first.
    Bfs,
    /// Any, each as likely as the others.
    Random,
    /// Those that lead to code not yet covered first.
    Cover,
}

/// All strategies, with their names and what they do.
pub static STRATEGIES: &[(Strategy, &str, &str)] = &[
    (Strategy::Dfs, "dfs", "the last decision of the last path first"),
    (Strategy::Bfs, "bfs", "the decision nearest to the start first"),
    (Strategy::Random, "random", "any open decision"),
    (Strategy::Cover, "cover", "decisions that lead to code not yet covered first"),
];

impl Strategy {
    /// The strategy of a name.
    pub fn named(name: &str) -> Option<Strategy> {
        STRATEGIES.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        STRATEGIES.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }
}

/// The open decisions, in the order of the strategy.
#[derive(Clone, Debug)]
pub struct Open {
    strategy: Strategy,
    queue: BTreeSet<(u64, NodeId)>,
    rng: Rng,
    sequence: u64,
}

/// How far into the queue `cover` looks.
const HORIZON: usize = 4096;

impl Open {
    /// None yet.
    pub fn new(strategy: Strategy, seed: u64) -> Open {
        Open { strategy, queue: BTreeSet::new(), rng: Rng::named(seed, "strategy"), sequence: 0 }
    }

    /// Adds a decision of this depth.
    pub fn push(&mut self, id: NodeId, depth: u32) {
        self.sequence += 1;
        let key = match self.strategy {
            Strategy::Dfs => u64::MAX - self.sequence,
            Strategy::Bfs | Strategy::Cover => u64::from(depth) << 32 | (self.sequence & 0xffff_ffff),
            Strategy::Random => self.rng.bits(),
        };
        self.queue.insert((key, id));
    }

    /// How many there are; some may have been closed since they were added.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Takes the one to try next.
    pub fn pop(&mut self, tree: &Tree, coverage: &Coverage) -> Option<NodeId> {
        loop {
            let entry = match self.strategy {
                Strategy::Cover => self.most_promising(tree, coverage)?,
                Strategy::Dfs | Strategy::Bfs | Strategy::Random => *self.queue.first()?,
            };
            self.queue.remove(&entry);
            if tree.still_open(entry.1) {
                return Some(entry.1);
            }
        }
    }

    fn most_promising(&self, tree: &Tree, coverage: &Coverage) -> Option<(u64, NodeId)> {
        let rank = |entry: &&(u64, NodeId)| {
            let node = tree.node(entry.1);
            (!promises(node, coverage), node.tries, entry.0)
        };
        self.queue.iter().take(HORIZON).min_by_key(rank).copied()
    }
}

/// Whether another way out of a decision leads to something not yet covered.
fn promises(node: &Node, coverage: &Coverage) -> bool {
    match node.kind {
        PathKind::Branch | PathKind::Select => !coverage.took(node.at, !node.taken),
        PathKind::Trap(_) => !node.taken,
        PathKind::Assumption => true,
        PathKind::Switch { .. } => node.tries == 0,
        PathKind::Concretised { .. } | PathKind::Region => false,
    }
}
