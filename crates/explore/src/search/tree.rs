//! The tree of paths: every decision that runs came to, and what became of each way out of it.
//!
//! A node is a decision; its children are the literals that hold on the ways out that runs took. What is open at a node is
//! that none of them holds. That covers a branch, whose second way closes it, as well as a `br_table`, an indirect call
//! or an address that was taken as it is, whose ways are not known before they are found.

use super::tuning::Tuning;
use crate::route::Route;
use crate::target::Site;
use crate::target::{PathEntry, PathKind};
use smt::{Evaluator, TermId, Terms};
use std::collections::HashSet;

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct NodeId(pub(super) u32);

impl NodeId {
    /// Its place among all decisions in the order in which they were found.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Whether there are other ways out of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// There may be another way out.
    Open,
    /// All ways are known, or the others are of no interest.
    Closed,
    /// There are too many ways to try them all.
    Limited,
}

/// A decision.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The instruction that asked.
    pub at: Site,
    /// Why it asked.
    pub kind: PathKind,
    /// The way up to it.
    pub route: Route,
    /// How many decisions come before it.
    pub depth: u32,
    /// Whether there are other ways out.
    pub status: Status,
    /// The number of the input that came here first.
    pub input: usize,
    /// Whether the condition was true for that input.
    pub taken: bool,
    parent: Option<(NodeId, usize)>,
    ways: Vec<Way>,
}

/// A way out of a decision.
#[derive(Clone, Copy, Debug)]
struct Way {
    literal: TermId,
    /// The next decision; none if runs end before one.
    next: Option<NodeId>,
}

/// What a path added to the tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grown {
    /// Decisions that are new and open.
    pub opened: Vec<NodeId>,
    /// The known decision at which the path left the known paths.
    pub left_at: Option<NodeId>,
    /// Whether the path is new at all.
    pub new: bool,
}

/// Where an input goes, as far as the tree knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Prediction {
    /// It follows a path that was run already.
    Known,
    /// It leaves the known paths here.
    Leaves(NodeId),
}

/// All paths so far.
#[derive(Clone, Debug)]
pub struct Tree {
    /// How many ways out of a decision without a natural end are tried, and where it is the length of an input.
    max_ways: usize,
    max_lengths: usize,
    nodes: Vec<Node>,
    root: Option<NodeId>,
    /// Whether a run had no decision at all.
    straight: bool,
}

impl Tree {
    /// No paths yet. The numbers bound how many ways out of a decision without a natural end, such as an address, are tried.
    pub(super) fn new(tuning: &Tuning) -> Tree {
        let max_ways = tuning.max_ways.max(1);
        let max_lengths = max_ways.saturating_mul(tuning.length_ways.max(1));
        let [max_ways, max_lengths] =
            [max_ways, max_lengths].map(|most| usize::try_from(most).unwrap_or(usize::MAX));
        Tree { max_ways, max_lengths, nodes: Vec::new(), root: None, straight: false }
    }

    /// The first decision.
    pub(crate) fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// The decision before one.
    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent.map(|(parent, _)| parent)
    }

    /// The decisions after one, in the order in which its ways were found.
    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.node(id).ways.iter().filter_map(|way| way.next)
    }

    /// How many ways out of a decision lead to the end of a path.
    pub(crate) fn ends(&self, id: NodeId) -> usize {
        self.node(id).ways.iter().filter(|way| way.next.is_none()).count()
    }

    /// All decisions, in the order in which they were found.
    pub(crate) fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// How many decisions there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node with this number, which must be from this tree.
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// How many nodes have a status.
    pub(crate) fn count(&self, status: Status) -> usize {
        self.nodes.iter().filter(|node| node.status == status).count()
    }

    /// Adds the path of a run on an input.
    pub(crate) fn grow(&mut self, terms: &mut Terms, path: &[PathEntry], input: usize) -> Grown {
        let mut grown = Grown::default();
        if path.is_empty() {
            grown.new = !std::mem::replace(&mut self.straight, true);
            return grown;
        }
        let mut edge: Option<(NodeId, usize)> = None;
        let mut before: HashSet<TermId> = HashSet::new();
        for (depth, entry) in path.iter().enumerate() {
            let known = match edge {
                None => self.root,
                Some((node, way)) => self.node(node).ways[way].next,
            };
            let literal = entry.literal(terms);
            let implied = !before.insert(literal);
            let id = known.unwrap_or_else(|| self.hang(edge, entry, depth, input, implied));
            let way = self.node(id).ways.iter().position(|way| way.literal == literal);
            let way = way.unwrap_or_else(|| {
                if known.is_some() && !grown.new {
                    grown.left_at = Some(id);
                }
                grown.new = true;
                self.add_way(id, literal);
                self.node(id).ways.len() - 1
            });
            if known.is_none() && self.node(id).status == Status::Open {
                grown.opened.push(id);
            }
            edge = Some((id, way));
        }
        grown
    }

    fn hang(
        &mut self,
        parent: Option<(NodeId, usize)>,
        entry: &PathEntry,
        depth: usize,
        input: usize,
        implied: bool,
    ) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        // Inputs that violate an assumption are of no interest; what was decided before is not open again.
        let closed = implied || entry.kind == PathKind::Assumption && entry.taken;
        self.nodes.push(Node {
            at: entry.at,
            kind: entry.kind,
            route: entry.route,
            depth: depth as u32,
            status: if closed { Status::Closed } else { Status::Open },
            input,
            taken: entry.taken,
            parent,
            ways: Vec::new(),
        });
        match parent {
            None => self.root = Some(id),
            Some((parent, way)) => self.node_mut(parent).ways[way].next = Some(id),
        }
        id
    }

    fn add_way(&mut self, id: NodeId, literal: TermId) {
        let most = match self.node(id).kind {
            PathKind::Concretised { why: PathKind::LENGTH, .. } => self.max_lengths,
            _ => self.max_ways,
        };
        let node = self.node_mut(id);
        node.ways.push(Way { literal, next: None });
        let known = node.ways.len();
        let status = match node.kind {
            PathKind::Branch | PathKind::Select | PathKind::Fault(_) | PathKind::Assumption if known == 2 => {
                Status::Closed
            }
            PathKind::Switch { default, .. } if known > default as usize => Status::Closed,
            PathKind::Concretised { .. } | PathKind::Region if known >= most => Status::Limited,
            _ => return,
        };
        if node.status == Status::Open {
            node.status = status;
        }
    }

    /// The literals on the way to a node, from the first.
    pub(crate) fn prefix(&self, id: NodeId) -> Vec<TermId> {
        let mut literals = Vec::with_capacity(self.node(id).depth as usize);
        let mut at = self.node(id).parent;
        while let Some((node, way)) = at {
            literals.push(self.node(node).ways[way].literal);
            at = self.node(node).parent;
        }
        literals.reverse();
        literals
    }

    /// The literals of the ways out that are known.
    pub(crate) fn ways(&self, id: NodeId) -> impl Iterator<Item = TermId> {
        self.node(id).ways.iter().map(|way| way.literal)
    }

    /// Where the input of a model goes. What cannot be evaluated counts as not known.
    pub(crate) fn predict(&self, evaluator: &mut Evaluator<'_>) -> Prediction {
        let mut at = self.root;
        while let Some(id) = at {
            match self.node(id).ways.iter().find(|way| evaluator.truth(way.literal) == Ok(true)) {
                Some(way) => at = way.next,
                None => return Prediction::Leaves(id),
            }
        }
        Prediction::Known
    }

    /// Whether there may be another way out of a decision.
    pub(crate) fn is_open(&self, id: NodeId) -> bool {
        self.node(id).status == Status::Open
    }

    /// Notes that there is no other way out of a decision.
    pub(crate) fn close(&mut self, id: NodeId) {
        self.node_mut(id).status = Status::Closed;
    }
}
