//! Which open decision is tried next.

use super::tree::{Node, NodeId, Tree};
use crate::code::Site;
use crate::concolic::PathKind;
use crate::coverage::Coverage;
use random::Rng;
use std::collections::{BTreeMap, BTreeSet};

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
///
/// They lie in buckets: one for all, or for `cover` one for each instruction and direction, since what another way leads to
/// is the same for all decisions of such a bucket.
#[derive(Clone, Debug)]
pub struct Open {
    strategy: Strategy,
    buckets: BTreeMap<Place, Bucket>,
    rng: Rng,
    sequence: u64,
    /// Whether the last choice was by order alone.
    plain_turn: bool,
}

/// An instruction, and how its condition was.
type Place = Option<(Site, bool)>;

#[derive(Clone, Debug, Default)]
struct Bucket {
    queue: BTreeSet<(u64, NodeId)>,
    /// Those where a look around was not enough.
    looked: BTreeSet<(u64, NodeId)>,
    /// What trying some of it cost, in ticks, and what of that went to solving after a look.
    cost: u64,
    solving: u64,
}

impl Bucket {
    /// Where the next to try is.
    fn next(&mut self) -> &mut BTreeSet<(u64, NodeId)> {
        let due = self.solving.saturating_mul(SOLVING) <= self.cost;
        let solve = !self.looked.is_empty() && (self.queue.is_empty() || due);
        if solve { &mut self.looked } else { &mut self.queue }
    }
}

/// Solving after a look around gets one part of so many of what is spent, while there are places to look at.
const SOLVING: u64 = 4;
/// What every try costs at least: the run that follows.
const TRY: u64 = 5000;
/// How many times more may be spent on a bucket that leads to new code than on one that does not.
const PROMISE: u64 = 8;
/// What a decision costs for each one before it: all of them are looked at, copied and run through again.
const STEP: u64 = 50;
/// What a try that led to nothing counts besides: the next one at this place is less likely to.
const FAILURE: u64 = 20_000;

impl Open {
    /// None yet.
    pub fn new(strategy: Strategy, seed: u64) -> Open {
        Open {
            strategy,
            buckets: BTreeMap::new(),
            rng: Rng::named(seed, "strategy"),
            sequence: 0,
            plain_turn: true,
        }
    }

    /// Adds a decision.
    pub fn push(&mut self, tree: &Tree, id: NodeId) {
        let node = tree.node(id);
        self.sequence += 1;
        let key = match self.strategy {
            Strategy::Dfs => u64::MAX - self.sequence,
            Strategy::Bfs | Strategy::Cover => u64::from(node.depth) << 32 | (self.sequence & 0xffff_ffff),
            Strategy::Random => self.rng.bits(),
        };
        let place = self.place(node);
        let bucket = self.buckets.entry(place).or_default();
        let queue = if node.looked { &mut bucket.looked } else { &mut bucket.queue };
        queue.insert((key, id));
    }

    /// Takes the one to try next: the first of the bucket that cost least so far, where new code weighs more. A place whose
    /// queries are hard, or lead nowhere, does not keep others from their turn. Every other time it is the first of all: what is
    /// not promising now may be the only way to what is (KLEE interleaves its strategies for the same reason).
    pub fn pop(&mut self, tree: &Tree, coverage: &Coverage) -> Option<NodeId> {
        self.plain_turn = !self.plain_turn;
        let plain = self.plain_turn;
        loop {
            let rank = |bucket: &mut Bucket| {
                let first = *bucket.next().first()?;
                let weight = if promises(tree.node(first.1), coverage) { 1 } else { PROMISE };
                let cost = if plain { 0 } else { (bucket.cost + TRY).saturating_mul(weight) };
                Some((cost, first.0))
            };
            let best = self.buckets.values_mut().filter_map(|bucket| Some((rank(bucket)?, bucket)));
            let (_, bucket) = best.min_by_key(|(rank, _)| *rank)?;
            let (_, id) = bucket.next().pop_first()?;
            if tree.still_open(id) {
                bucket.cost += TRY;
                return Some(id);
            }
        }
    }

    /// Notes what trying a decision cost, and whether it led to something.
    pub(super) fn charge(&mut self, tree: &Tree, id: NodeId, ticks: u64, success: bool) {
        let node = tree.node(id);
        let place = self.place(node);
        if let Some(bucket) = self.buckets.get_mut(&place) {
            let failure = if success { 0 } else { FAILURE };
            let cost = ticks.saturating_add(failure + STEP * u64::from(node.depth));
            bucket.cost = bucket.cost.saturating_add(cost);
            if node.looked {
                bucket.solving = bucket.solving.saturating_add(cost);
            }
        }
    }

    fn place(&self, node: &Node) -> Place {
        (self.strategy == Strategy::Cover).then_some((node.at, node.taken))
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
