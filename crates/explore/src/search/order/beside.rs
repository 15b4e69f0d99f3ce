//! Decisions beside code that is not covered: the first of the place on which least was spent, where a place with an uncovered way
//! may cost more. A place is an instruction and the way that was taken, since what another way leads to is the same for all
//! decisions there. A place whose queries are hard, or lead nowhere, does not keep others from their turn.

use super::queue::Queue;
use super::{Cost, Order, Sight, Wanted, promises};
use crate::search::tree::NodeId;
use crate::target::Site;
use std::collections::BTreeMap;

/// The order.
#[derive(Clone, Debug, Default)]
pub(super) struct Beside(BTreeMap<(Site, bool), Place>);

#[derive(Clone, Debug, Default)]
struct Place {
    queue: Queue,
    /// What looking around cost there, and what solving cost.
    spent: [u64; 2],
}

impl Beside {
    fn place(&mut self, sight: Sight<'_>, id: NodeId) -> &mut Place {
        let node = sight.tree.node(id);
        self.0.entry((node.at, node.taken)).or_default()
    }
}

impl Order for Beside {
    fn push(&mut self, sight: Sight<'_>, ids: &[NodeId], looked: &dyn Fn(NodeId) -> bool, stamp: u64) {
        for (&id, stamp) in ids.iter().zip(stamp..) {
            let key = u64::from(sight.tree.node(id).depth) << 32 | (stamp & 0xffff_ffff);
            self.place(sight, id).queue.insert(sight, id, looked(id), key, stamp);
        }
    }

    fn pop(&mut self, sight: Sight<'_>, wanted: Wanted) -> Option<NodeId> {
        let rank = |place: &mut Place| {
            let (key, id) = place.queue.first(sight, wanted)?;
            let weight = if promises(sight, id) { 1 } else { sight.tuning.promise };
            let spent = place.spent[usize::from(wanted.looked)];
            Some(((spent + sight.tuning.retry_ticks).saturating_mul(weight), key, id))
        };
        self.0.values_mut().filter_map(rank).min().map(|(_, _, id)| id)
    }

    fn charge(&mut self, sight: Sight<'_>, id: NodeId, cost: Cost) {
        let spent = &mut self.place(sight, id).spent[usize::from(cost.solved)];
        *spent = spent.saturating_add(cost.ticks);
    }

    fn is_first_at(&self, sight: Sight<'_>, id: NodeId) -> bool {
        let node = sight.tree.node(id);
        self.0.get(&(node.at, node.taken)).is_some_and(|place| place.spent[1] == 0)
    }
}
