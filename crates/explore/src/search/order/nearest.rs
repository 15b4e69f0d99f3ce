//! The decision nearest to the start first.

use super::queue::Queue;
use super::{Order, Sight, Wanted};
use crate::search::tree::NodeId;
use std::collections::BTreeSet;

/// The order.
#[derive(Clone, Debug, Default)]
pub(super) struct Nearest {
    queue: Queue,
    /// Only those whose query was never given up, in the order in which they were found; as second order of another.
    untried: Option<BTreeSet<(u32, NodeId)>>,
}

impl Nearest {
    /// Leaves decisions whose query ran out of budget to other orders.
    pub(super) fn untried() -> Nearest {
        Nearest { untried: Some(BTreeSet::new()), ..Nearest::default() }
    }
}

impl Order for Nearest {
    fn push(&mut self, sight: Sight<'_>, ids: &[NodeId], looked: &dyn Fn(NodeId) -> bool, stamp: u64) {
        for (&id, stamp) in ids.iter().zip(stamp..) {
            let depth = sight.tree.node(id).depth;
            match &mut self.untried {
                Some(untried) if sight.attempts.at(id).level == 0 => {
                    untried.insert((depth, id));
                }
                Some(_) => {}
                None => {
                    let key = u64::from(depth) << 32 | (stamp & 0xffff_ffff);
                    self.queue.insert(sight, id, looked(id), key, stamp);
                }
            }
        }
    }

    fn pop(&mut self, sight: Sight<'_>, wanted: Wanted) -> Option<NodeId> {
        match &mut self.untried {
            Some(untried) => untried.pop_first().map(|(_, id)| id),
            None => self.queue.first(sight, wanted).map(|(_, id)| id),
        }
    }
}
