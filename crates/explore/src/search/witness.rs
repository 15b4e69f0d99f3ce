//! Inputs that are known to take another way out of a decision, before anybody asked for one.
//!
//! A partial solution that reaches no new code is not run on terms at once, but it may have taken a way that nobody took: the
//! fingerprint of its route tells where. It is kept for that decision, which then needs no solver when its turn comes.

use super::tree::{NodeId, Tree};
use crate::route::Route;
use crate::target::{Input, PathEntry, PathKind};
use std::collections::HashMap;

/// The cases of a `br_table` with more are not watched.
const MAX_CASES: u32 = 256;
/// How many inputs are kept at most.
const MAX_INPUTS: usize = 1 << 16;
/// Bits of the filter, as a power of two.
const FILTER: u32 = 20;

/// An input, and the engine that it came from.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    pub(super) input: Input,
    pub(super) engine: &'static str,
}

/// The inputs that are kept, and the ways that are watched.
#[derive(Clone, Debug)]
pub(super) struct Witnesses {
    /// The decision that a way not taken yet leads out of.
    ways: HashMap<Route, NodeId>,
    /// A bit for every such way, by a part of its fingerprint: nearly all ways that runs take are known.
    filter: Vec<u64>,
    inputs: HashMap<NodeId, Witness>,
}

impl Default for Witnesses {
    fn default() -> Witnesses {
        let filter = vec![0; (1 << FILTER) / 64];
        Witnesses { ways: HashMap::default(), filter, inputs: HashMap::default() }
    }
}

impl Witnesses {
    /// Watches the other ways out of decisions.
    pub(super) fn watch(&mut self, tree: &Tree, opened: &[NodeId]) {
        for &id in opened {
            let node = tree.node(id);
            let (ways, known) = match node.kind {
                PathKind::Branch | PathKind::Select => (0..2, u32::from(node.taken)),
                PathKind::Switch { case, default, .. } if default < MAX_CASES => (0..default + 1, case),
                _ => continue,
            };
            for way in ways.filter(|&way| way != known) {
                let route = node.route.after(node.at, way);
                let (word, bit) = place(route);
                self.filter[word] |= bit;
                self.ways.insert(route, id);
            }
        }
    }

    /// Notes that a case of a `br_table` is known now.
    pub(super) fn known(&mut self, entry: &PathEntry) {
        if let PathKind::Switch { case, .. } = entry.kind {
            self.ways.remove(&entry.route.after(entry.at, case));
        }
    }

    /// The first decision on a run's way that it left by a way which is watched. What is known is not open any more.
    pub(super) fn met(&self, tree: &Tree, routes: &[Route]) -> Option<NodeId> {
        let watched = |route: &&Route| {
            let (word, bit) = place(**route);
            self.filter[word] & bit != 0
        };
        let nodes = routes.iter().filter(watched).filter_map(|route| self.ways.get(route));
        nodes.copied().find(|&id| tree.still_open(id))
    }

    /// Keeps an input for a decision.
    pub(super) fn keep(&mut self, id: NodeId, witness: Witness) {
        if self.inputs.len() < MAX_INPUTS {
            self.inputs.entry(id).or_insert(witness);
        }
    }

    /// The input that is kept for a decision.
    pub(super) fn get(&self, id: NodeId) -> Option<&Witness> {
        self.inputs.get(&id)
    }

    /// Forgets the input of a decision.
    pub(super) fn forget(&mut self, id: NodeId) {
        self.inputs.remove(&id);
    }
}

/// Where the bit of a way is.
fn place(route: Route) -> (usize, u64) {
    let bit = route.0 >> (64 - FILTER);
    ((bit / 64) as usize, 1 << (bit % 64))
}
