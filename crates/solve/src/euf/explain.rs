//! Why two nodes are equal, as literals of the search (Nieuwenhuis and Oliveras 2007).
//!
//! The path between two nodes in the forest of proofs does not change while they are equal, whatever is merged after: an explanation that
//! is asked for late stands on the same literals. Every edge is looked at once for an explanation.

use super::egraph::{Egraph, Node, Shape, Why};
use crate::sat::Lit;

impl Egraph {
    /// Adds the literals that make two equal nodes equal.
    pub(super) fn explain(&mut self, a: Node, b: Node, out: &mut Vec<Lit>) {
        self.explain_all(vec![(a, b)], out);
    }

    /// Adds the literals that make the nodes of each pair equal.
    pub(super) fn explain_all(&mut self, mut open: Vec<(Node, Node)>, out: &mut Vec<Lit>) {
        self.explanation += 1;
        let explanation = self.explanation;
        while let Some((a, b)) = open.pop() {
            if a == b {
                continue;
            }
            debug_assert!(self.same(a, b));
            let meeting = self.common_ancestor(a, b);
            for mut at in [a, b] {
                while at != meeting {
                    let Some((target, why)) = self.edges[at.index()] else { break };
                    self.work += 1;
                    if std::mem::replace(&mut self.done[at.index()], explanation) != explanation {
                        self.justify(at, target, why, &mut open, out);
                    }
                    at = target;
                }
            }
        }
    }

    fn justify(&self, a: Node, b: Node, why: Why, open: &mut Vec<(Node, Node)>, out: &mut Vec<Lit>) {
        match why {
            Why::Axiom => {}
            Why::Literal(lit) => out.push(lit),
            Why::Equality(equality) => open.push((equality, Node::TRUE)),
            Why::Reflexive => {
                for node in [a, b] {
                    if let Shape::Equality(x, y) = self.shapes[node.index()] {
                        open.push((x, y));
                    }
                }
            }
            Why::Congruence | Why::Crossed => {
                let (Some((a0, a1)), Some((b0, b1))) = (self.operands(a), self.operands(b)) else { return };
                let (b0, b1) = if why == Why::Crossed { (b1, b0) } else { (b0, b1) };
                open.extend([(a0, b0), (a1, b1)]);
            }
        }
    }

    fn operands(&self, node: Node) -> Option<(Node, Node)> {
        match self.shapes[node.index()] {
            Shape::Leaf => None,
            Shape::Apply(a, b) | Shape::Equality(a, b) => Some((a, b)),
        }
    }

    /// Where the ways of two nodes to the root of their tree meet.
    fn common_ancestor(&mut self, a: Node, b: Node) -> Node {
        self.visit += 1;
        let visit = self.visit;
        let (mut left, mut right) = (Some(a), Some(b));
        // In turns, so that the cost is that of the longer way to the meeting point.
        loop {
            for side in [&mut left, &mut right] {
                let Some(at) = *side else { continue };
                self.work += 1;
                if std::mem::replace(&mut self.stamps[at.index()], visit) == visit {
                    return at;
                }
                *side = self.edges[at.index()].map(|(target, _)| target);
            }
            if left.is_none() && right.is_none() {
                return a;
            }
        }
    }
}
