//! The Boolean skeleton: a hash-consed graph of gates over atoms `variable <= limit` and free Booleans.
//!
//! Negation is a bit of the edge, so `or` is an `and` of negations and `x > c` is the negation of an atom. An equality of
//! numbers is the `and` of its two bounds: its negation is a disjunction of strict bounds, and disequalities need nothing
//! else. Operands have smaller indices than the gates they stand in.

use crate::simplex::Var;
use crate::simplex::num::{Delta, Rational};
use crate::tuning::linear_gates::FLATTENED;
use rustc_hash::FxHashMap;

/// A gate or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Edge(u32);

impl Edge {
    pub(crate) const TRUE: Edge = Edge(0);
    pub(crate) const FALSE: Edge = Edge(1);

    /// The position of the gate.
    #[inline]
    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The edge, negated if `negate`.
    #[inline]
    pub(crate) fn flipped(self, negate: bool) -> Edge {
        Edge(self.0 ^ u32::from(negate))
    }

    fn truth(value: bool) -> Edge {
        Edge::TRUE.flipped(!value)
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        self.flipped(true)
    }
}

/// What an edge leads to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Gate {
    True,
    /// A Boolean that nothing defines; numbered.
    Free(u32),
    /// The bound `var <= limit`.
    Atom(Var, Delta),
    /// All of at least two, sorted.
    And(Box<[Edge]>),
    /// Both or neither; both edges are plain and sorted.
    Iff(Edge, Edge),
    /// The second if the first, else the third; the condition is plain.
    Ite(Edge, Edge, Edge),
}

/// The graph.
#[derive(Clone, Debug)]
pub(crate) struct Gates {
    nodes: Vec<Gate>,
    index: FxHashMap<Gate, Edge>,
    free: u32,
}

impl Default for Gates {
    fn default() -> Gates {
        let mut gates = Gates { nodes: Vec::new(), index: FxHashMap::default(), free: 0 };
        gates.intern(Gate::True);
        gates
    }
}

impl Gates {
    pub(crate) fn nodes(&self) -> &[Gate] {
        &self.nodes
    }

    pub(crate) fn gate(&self, edge: Edge) -> &Gate {
        &self.nodes[edge.node()]
    }

    fn intern(&mut self, gate: Gate) -> Edge {
        if let Some(&edge) = self.index.get(&gate) {
            return edge;
        }
        let position = u32::try_from(self.nodes.len()).expect("fewer than 2^31 gates");
        let edge = Edge(position << 1);
        self.nodes.push(gate.clone());
        self.index.insert(gate, edge);
        edge
    }

    /// A new Boolean.
    pub(crate) fn free(&mut self) -> Edge {
        self.free += 1;
        self.intern(Gate::Free(self.free - 1))
    }

    /// The bound `var <= limit`; for an integer variable the limit is an integer.
    pub(crate) fn at_most(&mut self, var: Var, limit: Delta) -> Edge {
        self.intern(Gate::Atom(var, limit))
    }

    pub(crate) fn and(&mut self, operands: impl IntoIterator<Item = Edge>) -> Edge {
        let mut all: Vec<Edge> = Vec::new();
        for edge in operands {
            match self.gate(edge) {
                Gate::And(inner) if !edge.is_negated() && inner.len() <= FLATTENED => {
                    all.extend_from_slice(inner);
                }
                _ => all.push(edge),
            }
        }
        all.sort_unstable();
        all.dedup();
        all.retain(|&edge| edge != Edge::TRUE);
        let contradictory = all.windows(2).any(|pair| pair[0] == !pair[1]);
        if contradictory || all.first() == Some(&Edge::FALSE) {
            return Edge::FALSE;
        }
        match all[..] {
            [] => Edge::TRUE,
            [only] => only,
            _ => self.intern(Gate::And(all.into_boxed_slice())),
        }
    }

    pub(crate) fn or(&mut self, operands: impl IntoIterator<Item = Edge>) -> Edge {
        !self.and(operands.into_iter().map(|edge| !edge))
    }

    pub(crate) fn iff(&mut self, a: Edge, b: Edge) -> Edge {
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a.flipped(a.is_negated()), b.flipped(b.is_negated()));
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            Edge::truth(!negate)
        } else if a == Edge::TRUE {
            b.flipped(negate)
        } else {
            self.intern(Gate::Iff(a, b)).flipped(negate)
        }
    }

    pub(crate) fn ite(&mut self, condition: Edge, then: Edge, otherwise: Edge) -> Edge {
        if condition.is_negated() {
            return self.ite(!condition, otherwise, then);
        }
        if condition == Edge::TRUE || then == otherwise {
            then
        } else if then == Edge::TRUE || then == condition {
            self.or([condition, otherwise])
        } else if then == Edge::FALSE || then == !condition {
            self.and([!condition, otherwise])
        } else if otherwise == Edge::TRUE || otherwise == !condition {
            self.or([!condition, then])
        } else if otherwise == Edge::FALSE || otherwise == condition {
            self.and([condition, then])
        } else if then == !otherwise {
            self.iff(condition, then)
        } else {
            self.intern(Gate::Ite(condition, then, otherwise))
        }
    }

    /// The truth of every gate, given the numbers and the free Booleans.
    pub(crate) fn evaluate(&self, numbers: &[Rational], free: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut truth: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for (node, gate) in self.nodes.iter().enumerate() {
            let of = |edge: &Edge| truth[edge.node()] != edge.is_negated();
            let value = match gate {
                Gate::True => true,
                Gate::Free(_) => free(node),
                Gate::Atom(var, limit) => {
                    let number = &numbers[var.index()];
                    if limit.infinitesimal.is_negative() {
                        *number < limit.real
                    } else {
                        *number <= limit.real
                    }
                }
                Gate::And(operands) => operands.iter().all(of),
                Gate::Iff(a, b) => of(a) == of(b),
                Gate::Ite(condition, then, otherwise) => of(if of(condition) { then } else { otherwise }),
            };
            truth.push(value);
        }
        truth
    }
}
