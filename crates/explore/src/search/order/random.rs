//! Any open decision, each as likely as the others (KLEE's random state search, RSS in Zhang et al. 2020).

use super::queue::Queue;
use super::{Order, Sight, Wanted};
use crate::search::tree::NodeId;
use random::Rng;

/// The order.
#[derive(Debug)]
pub(super) struct Random {
    rng: Rng,
    queue: Queue,
}

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random { rng: Rng::named(seed, "strategy"), queue: Queue::default() }
    }
}

impl Order for Random {
    fn push(&mut self, sight: Sight<'_>, ids: &[NodeId], looked: &dyn Fn(NodeId) -> bool, stamp: u64) {
        for (&id, stamp) in ids.iter().zip(stamp..) {
            self.queue.insert(sight, id, looked(id), self.rng.bits(), stamp);
        }
    }

    fn pop(&mut self, sight: Sight<'_>, wanted: Wanted) -> Option<NodeId> {
        self.queue.first(sight, wanted).map(|(_, id)| id)
    }
}
