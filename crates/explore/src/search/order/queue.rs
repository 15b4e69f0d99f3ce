//! A queue of decisions by a key, in two kinds: those where a look around was made already, and those without one.

use super::{Sight, Wanted};
use crate::search::tree::NodeId;
use std::collections::BTreeSet;

/// The keys of decisions whose query was given up are larger than this, by how often it was.
const RETRY_LEVEL: u64 = 1 << 60;
/// The middle of the keys of those whose query was not.
pub(super) const MIDDLE: u64 = RETRY_LEVEL / 2;

/// Decisions by a key, those with the smallest key first.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    kinds: [BTreeSet<(u64, NodeId, u64)>; 2],
}

impl Queue {
    /// Adds a decision. Decisions whose query ran out of budget wait behind the others.
    pub(super) fn insert(&mut self, sight: Sight<'_>, id: NodeId, looked: bool, key: u64, stamp: u64) {
        let level = u64::from(sight.attempts.at(id).level.min(15));
        self.kinds[usize::from(looked)].insert((key % RETRY_LEVEL + RETRY_LEVEL * level, id, stamp));
    }

    /// The first that still waits; what does not is dropped.
    pub(super) fn first(&mut self, sight: Sight<'_>, wanted: Wanted) -> Option<(u64, NodeId)> {
        let kind = &mut self.kinds[usize::from(wanted.looked)];
        let from = if wanted.again { RETRY_LEVEL } else { 0 };
        loop {
            let &(key, id, stamp) = kind.range((from, NodeId(0), 0)..).next()?;
            if sight.waiting.has(id, stamp) {
                return Some((key, id));
            }
            kind.remove(&(key, id, stamp));
        }
    }
}
