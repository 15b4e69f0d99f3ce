//! A walk from the root of the tree that takes each way to something open with the same probability: the random half of KLEE's
//! default search (Cadar et al. 2008, Section 3.4). It prefers decisions near to the start, of which there are few, and no loop
//! can draw the search into itself.

use super::{Bag, Order, Sight, Wanted};
use crate::search::tree::NodeId;
use random::Rng;
use std::collections::BTreeSet;

/// The order.
#[derive(Debug)]
pub(super) struct RandomPath {
    rng: Rng,
    bag: Bag,
}

impl RandomPath {
    pub(super) fn new(seed: u64) -> RandomPath {
        RandomPath { rng: Rng::named(seed, "random-path"), bag: Bag::default() }
    }
}

impl Order for RandomPath {
    fn push(&mut self, _: Sight<'_>, ids: &[NodeId], looked: &dyn Fn(NodeId) -> bool, stamp: u64) {
        self.bag.push(ids, looked, stamp);
    }

    fn pop(&mut self, sight: Sight<'_>, wanted: Wanted) -> Option<NodeId> {
        let eligible: BTreeSet<NodeId> = self
            .bag
            .waiting(sight, wanted)
            .filter(|&id| !wanted.again || sight.attempts.at(id).level > 0)
            .collect();
        // All nodes with something eligible at or below them.
        let mut alive: BTreeSet<NodeId> = BTreeSet::new();
        for &id in &eligible {
            let mut at = Some(id);
            while let Some(node) = at.filter(|&node| alive.insert(node)) {
                at = sight.tree.parent(node);
            }
        }
        let mut at = sight.tree.root().filter(|root| alive.contains(root))?;
        loop {
            let mut ways: Vec<NodeId> =
                sight.tree.children(at).filter(|child| alive.contains(child)).collect();
            if eligible.contains(&at) {
                ways.push(at);
            }
            let next = ways[(self.rng.bits() % ways.len() as u64) as usize];
            if next == at {
                return Some(at);
            }
            at = next;
        }
    }
}
