//! A random decision, more likely one beside code that is not covered: the coverage-optimised half of KLEE's default search (Cadar et
//! al. 2008, Section 3.4). KLEE weighs by the distance to uncovered instructions; here a way is covered or it is not.

use super::{Bag, Order, Sight, Wanted, promises};
use crate::search::tree::NodeId;
use random::Rng;

/// The order.
#[derive(Debug)]
pub(super) struct Uncovered {
    rng: Rng,
    bag: Bag,
}

impl Uncovered {
    pub(super) fn new(seed: u64) -> Uncovered {
        Uncovered { rng: Rng::named(seed, "uncovered"), bag: Bag::default() }
    }
}

impl Order for Uncovered {
    fn push(&mut self, _: Sight<'_>, ids: &[NodeId], looked: &dyn Fn(NodeId) -> bool, stamp: u64) {
        self.bag.push(ids, looked, stamp);
    }

    fn pop(&mut self, sight: Sight<'_>, wanted: Wanted) -> Option<NodeId> {
        let waiting = self.bag.waiting(sight, wanted);
        let given_up = |id: NodeId| sight.attempts.at(id).level > 0;
        let eligible: Vec<NodeId> = waiting.clone().filter(|&id| given_up(id) == wanted.again).collect();
        let eligible = match eligible.is_empty() {
            true if wanted.again => return None,
            true => waiting.collect(),
            false => eligible,
        };
        // Who has nothing to give draws nothing: several workers ask again while they wait, and how often is a matter of the clock.
        if eligible.is_empty() {
            return None;
        }
        let weight = |&id: &NodeId| if promises(sight, id) { sight.tuning.promise.max(1) } else { 1 };
        let total: u64 = eligible.iter().map(weight).sum();
        let mut at = self.rng.bits() % total;
        eligible.into_iter().find(|id| {
            let weight = weight(id);
            let found = at < weight;
            at = at.saturating_sub(weight);
            found
        })
    }
}
