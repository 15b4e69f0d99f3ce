//! Ways out of decisions that no run took yet, so that a run on values tells when it takes one; and the inputs that did.
//!
//! A partial solution that reaches no new code is not run on terms at once, but it may have taken a way for the first time: the
//! fingerprint of its route tells where. It is kept for that decision, which then needs no solver when its turn comes.
//!
//! Workers ask while the explorer learns. So that what they hear does not depend on who is faster, every entry says since when and
//! until when it holds, and a worker asks as of the moment when its job was handed out.

use super::source::Source;
use super::tree::{Node, NodeId};
use crate::route::Route;
use crate::target::{Input, PathEntry, PathKind};
use std::collections::HashMap;

/// The cases of a switch with more are not watched.
const MAX_CASES: u32 = 256;
/// How many inputs are kept at most.
const MAX_INPUTS: usize = 1 << 16;
/// Bits of the filter, as a power of two.
const FILTER: u32 = 20;

/// How many answers the explorer has learnt from.
pub(super) type Epoch = u64;

/// An input, and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    pub(super) input: Input,
    pub(super) source: Source,
    pub(super) engine: &'static str,
}

/// A way that is watched.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The decision that it leads out of.
    node: NodeId,
    since: Epoch,
    until: Epoch,
}

/// The ways that are watched.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    ways: HashMap<Route, Way>,
    /// Decisions that are not open any more, and since when.
    closed: HashMap<NodeId, Epoch>,
    /// A bit for every way, by a part of its fingerprint: nearly all ways that runs take are known.
    filter: Vec<u64>,
}

impl Default for Watch {
    fn default() -> Watch {
        Watch { ways: HashMap::new(), closed: HashMap::new(), filter: vec![0; (1 << FILTER) / 64] }
    }
}

impl Watch {
    /// Watches the other ways out of a decision.
    pub(super) fn open(&mut self, id: NodeId, node: &Node, now: Epoch) {
        let (ways, known) = match node.kind {
            PathKind::Branch | PathKind::Select => (0..2, u32::from(node.taken)),
            PathKind::Switch { case, default, .. } if default < MAX_CASES => (0..default + 1, case),
            _ => return,
        };
        for way in ways.filter(|&way| way != known) {
            let route = node.route.after(node.at, way);
            let (word, bit) = place(route);
            self.filter[word] |= bit;
            self.ways.insert(route, Way { node: id, since: now, until: Epoch::MAX });
        }
    }

    /// A case of a switch is known now.
    pub(super) fn known(&mut self, entry: &PathEntry, now: Epoch) {
        if let PathKind::Switch { case, .. } = entry.kind
            && let Some(way) = self.ways.get_mut(&entry.route.after(entry.at, case))
        {
            way.until = way.until.min(now);
        }
    }

    /// A decision is not open any more.
    pub(super) fn close(&mut self, id: NodeId, now: Epoch) {
        self.closed.entry(id).or_insert(now);
    }

    /// The first decision on a run's way that it left by a way which was watched at some time.
    pub(super) fn met(&self, then: Epoch, routes: &[Route]) -> Option<NodeId> {
        let watched = |route: &&Route| {
            let (word, bit) = place(**route);
            self.filter[word] & bit != 0
        };
        let open = |way: &&Way| {
            way.since <= then && then < way.until && self.closed.get(&way.node).is_none_or(|&at| then < at)
        };
        let ways = routes.iter().filter(watched).filter_map(|route| self.ways.get(route));
        ways.filter(open).map(|way| way.node).next()
    }
}

/// Where the bit of a way is.
fn place(route: Route) -> (usize, u64) {
    let bit = route.0 >> (64 - FILTER);
    ((bit / 64) as usize, 1 << (bit % 64))
}

/// The inputs that are kept, by the decision that they take another way out of.
#[derive(Clone, Debug, Default)]
pub(super) struct Witnesses(HashMap<NodeId, Witness>);

impl Witnesses {
    /// Keeps an input for a decision.
    pub(super) fn keep(&mut self, id: NodeId, witness: Witness) {
        if self.0.len() < MAX_INPUTS {
            self.0.entry(id).or_insert(witness);
        }
    }

    /// Takes the input that is kept for a decision.
    pub(super) fn take(&mut self, id: NodeId) -> Option<Witness> {
        self.0.remove(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Site;
    use smt::TermId;

    #[test]
    fn what_a_job_hears_depends_on_when_it_was_handed_out() {
        let kind = PathKind::Branch;
        let entry = PathEntry { term: TermId::TRUE, taken: true, at: Site(0), kind, route: Route::default() };
        let mut tree = crate::search::tree::Tree::new(&crate::search::tuning::Tuning::default());
        tree.grow(&mut smt::Terms::new(), &[entry], 0);
        let mut watch = Watch::default();
        watch.open(NodeId(0), tree.node(NodeId(0)), 3);
        watch.close(NodeId(0), 7);
        let other = [Route::default().after(Site(0), 0)];
        let heard: Vec<bool> = (2..9).map(|then| watch.met(then, &other).is_some()).collect();
        assert_eq!(heard, [false, true, true, true, true, false, false]);
        assert_eq!(watch.met(4, &[Route::default().after(Site(0), 1)]), None);
    }
}
