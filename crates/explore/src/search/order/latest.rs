//! The last decision of the last path first. What partial solutions opened is not on the way of the search: it comes when that
//! is at its end.

use super::queue::{MIDDLE, Queue};
use super::{Order, Sight, Wanted};
use crate::search::tree::NodeId;

/// The order.
#[derive(Clone, Debug, Default)]
pub(super) struct Latest(Queue);

impl Order for Latest {
    fn push(&mut self, sight: Sight<'_>, ids: &[NodeId], looked: &dyn Fn(NodeId) -> bool, stamp: u64) {
        for (&id, stamp) in ids.iter().zip(stamp..) {
            let key = if sight.attempts.at(id).from_partial { MIDDLE + stamp } else { MIDDLE - stamp };
            self.0.insert(sight, id, looked(id), key, stamp);
        }
    }

    fn pop(&mut self, sight: Sight<'_>, wanted: Wanted) -> Option<NodeId> {
        self.0.first(sight, wanted).map(|(_, id)| id)
    }
}
