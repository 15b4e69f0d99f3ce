//! And-inverter graphs: the circuit that bit-vector terms become.
//!
//! Nodes are hash-consed, and each new conjunction is looked at together with the conjunctions below it (Brummayer and
//! Biere, "Local two-level and-inverter graph minimization without blowup", MEMICS 2006). The graph only grows and
//! never fails: past its limit it answers `FALSE` and says so by [`Aig::is_full`], after which nothing in it may be used.

use rustc_hash::FxHashMap;
use std::ops::Not;

/// An edge of the graph: a node or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Bit(u32);

impl Bit {
    /// The constant 0.
    pub(super) const FALSE: Bit = Bit(0);
    /// The constant 1.
    pub(super) const TRUE: Bit = Bit(1);

    /// The constant of this value.
    pub(super) fn of(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    /// The node, counted from zero (the constants).
    #[inline]
    pub(super) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the edge negates its node.
    #[inline]
    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The edge to a node.
    pub(super) fn of_node(node: usize) -> Bit {
        Bit((node as u32) << 1)
    }

    /// Negates if asked to.
    #[inline]
    pub(super) fn flip(self, negate: bool) -> Bit {
        Bit(self.0 ^ u32::from(negate))
    }

    /// The value of a constant edge.
    pub(super) fn constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }
}

impl Not for Bit {
    type Output = Bit;

    #[inline]
    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

/// The operands that an input has.
const NO_OPERANDS: [Bit; 2] = [Bit(u32::MAX); 2];

/// What a node computes, as clauses see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gate {
    /// The constant 0.
    Constant,
    /// Anything.
    Input,
    /// A conjunction.
    And(Bit, Bit),
    /// `not (if c then a else b)`, an exclusive or if `a` is `not b`.
    NotMux(Bit, Bit, Bit),
}

/// An and-inverter graph: shared gates with complemented edges.
#[derive(Debug)]
pub(super) struct Aig {
    operands: Vec<[Bit; 2]>,
    /// How many nodes use each node, saturating.
    fanout: Vec<u8>,
    index: FxHashMap<[Bit; 2], u32>,
    limit: usize,
    full: bool,
}

impl Aig {
    /// A graph of the constants, which takes no more nodes than this.
    pub(super) fn new(limit: usize) -> Aig {
        Aig {
            operands: vec![NO_OPERANDS],
            fanout: vec![0],
            index: FxHashMap::default(),
            limit: limit.min((u32::MAX / 4) as usize),
            full: false,
        }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.operands.len()
    }

    /// Whether the limit was met; the graph is of no use then.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Whether one other node at most uses this one.
    pub(super) fn is_private(&self, bit: Bit) -> bool {
        self.fanout[bit.node()] <= 1
    }

    /// A new input.
    pub(super) fn input(&mut self) -> Bit {
        self.push(NO_OPERANDS)
    }

    fn push(&mut self, operands: [Bit; 2]) -> Bit {
        if self.operands.len() >= self.limit {
            self.full = true;
            return Bit::FALSE;
        }
        let node = self.operands.len() as u32;
        self.operands.push(operands);
        self.fanout.push(0);
        Bit(node << 1)
    }

    /// What the node of an edge computes.
    pub(super) fn gate(&self, bit: Bit) -> Gate {
        let node = bit.node();
        if node == 0 {
            return Gate::Constant;
        }
        let [a, b] = self.operands[node];
        if [a, b] == NO_OPERANDS {
            return Gate::Input;
        }
        // (not (p and q)) and (not (not p and s)) = not (if p then q else s).
        if let (Some(x), Some(y)) = (self.negated_operands(a), self.negated_operands(b)) {
            for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                if x[i] == !y[j] {
                    let (c, then, otherwise) = (x[i], x[1 - i], y[1 - j]);
                    return if c.is_negated() {
                        Gate::NotMux(!c, otherwise, then)
                    } else {
                        Gate::NotMux(c, then, otherwise)
                    };
                }
            }
        }
        Gate::And(a, b)
    }

    /// How many nodes some edges are computed from.
    pub(super) fn cone(&self, bits: impl Iterator<Item = Bit>) -> usize {
        let mut seen = vec![false; self.len()];
        let mut open: Vec<usize> = bits.map(Bit::node).collect();
        let mut count = 0;
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                count += 1;
                let operands = self.operands[node];
                if operands != NO_OPERANDS {
                    open.extend(operands.map(Bit::node));
                }
            }
        }
        count
    }

    fn and_operands(&self, bit: Bit) -> Option<[Bit; 2]> {
        let operands = self.operands[bit.node()];
        (operands != NO_OPERANDS).then_some(operands)
    }

    fn negated_operands(&self, bit: Bit) -> Option<[Bit; 2]> {
        if bit.is_negated() { self.and_operands(bit) } else { None }
    }

    fn positive_operands(&self, bit: Bit) -> Option<[Bit; 2]> {
        if bit.is_negated() { None } else { self.and_operands(bit) }
    }

    /// The conjunction of two edges.
    pub(super) fn and(&mut self, mut a: Bit, mut b: Bit) -> Bit {
        loop {
            if a > b {
                std::mem::swap(&mut a, &mut b);
            }
            if a == Bit::FALSE || a == !b {
                return Bit::FALSE;
            }
            if a == Bit::TRUE || a == b {
                return b;
            }
            match self.two_level(a, b) {
                Local::Is(bit) => return bit,
                Local::And(c, d) => (a, b) = (c, d),
                Local::New => break,
            }
        }
        if let Some(&node) = self.index.get(&[a, b]) {
            return Bit(node << 1);
        }
        let new = self.push([a, b]);
        if !self.full {
            self.index.insert([a, b], new.0 >> 1);
            for operand in [a, b] {
                let count = &mut self.fanout[operand.node()];
                *count = count.saturating_add(1);
            }
        }
        new
    }

    /// The table of two-level rules, each tried in both directions.
    fn two_level(&self, a: Bit, b: Bit) -> Local {
        for (a, b) in [(a, b), (b, a)] {
            if let Some([x, y]) = self.positive_operands(a) {
                // Contradiction and idempotence, one side.
                if x == !b || y == !b {
                    return Local::Is(Bit::FALSE);
                }
                if x == b || y == b {
                    return Local::Is(a);
                }
            }
            if let Some([x, y]) = self.negated_operands(a) {
                // Subsumption: not (x and y) and not x = not x. Substitution: not (x and y) and x = x and not y.
                if x == !b || y == !b {
                    return Local::Is(b);
                }
                if x == b {
                    return Local::And(b, !y);
                }
                if y == b {
                    return Local::And(b, !x);
                }
                if let Some([z, w]) = self.positive_operands(b) {
                    // not (x and y) and (z and w), with z = not x: b; with z = x: b and not y.
                    if x == !z || x == !w || y == !z || y == !w {
                        return Local::Is(b);
                    }
                    if x == z || x == w {
                        return Local::And(b, !y);
                    }
                    if y == z || y == w {
                        return Local::And(b, !x);
                    }
                }
            }
        }
        match (self.positive_operands(a), self.positive_operands(b)) {
            (Some([x, y]), Some([z, w])) if x == !z || x == !w || y == !z || y == !w => {
                return Local::Is(Bit::FALSE);
            }
            _ => {}
        }
        // Resolution: not (x and y) and not (x and not y) = not x.
        if let (Some([x, y]), Some([z, w])) = (self.negated_operands(a), self.negated_operands(b)) {
            if (x == z && y == !w) || (x == w && y == !z) {
                return Local::Is(!x);
            }
            if (y == z && x == !w) || (y == w && x == !z) {
                return Local::Is(!y);
            }
        }
        Local::New
    }

    /// The disjunction of two edges.
    pub(super) fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    /// The exclusive or of two edges; its parts are what adders need anyway.
    pub(super) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let both = self.and(a, b);
        let neither = self.and(!a, !b);
        self.and(!both, !neither)
    }

    /// `if c then a else b`.
    pub(super) fn mux(&mut self, c: Bit, a: Bit, b: Bit) -> Bit {
        if a == b {
            return a;
        }
        if a == !b {
            return !self.xor(c, a);
        }
        let then = self.and(c, a);
        let otherwise = self.and(!c, b);
        self.or(then, otherwise)
    }

    /// The conjunction of many edges, as a balanced tree.
    pub(super) fn and_all(&mut self, bits: &[Bit]) -> Bit {
        let mut layer = bits.to_vec();
        while layer.len() > 1 {
            layer = layer
                .chunks(2)
                .map(|pair| if let [a, b] = *pair { self.and(a, b) } else { pair[0] })
                .collect();
        }
        layer.first().copied().unwrap_or(Bit::TRUE)
    }
}

/// What the two-level rules make of a conjunction.
enum Local {
    Is(Bit),
    And(Bit, Bit),
    New,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(aig: &Aig, bit: Bit, inputs: u32) -> bool {
        let node = match (bit.node(), aig.operands[bit.node()]) {
            (0, _) => false,
            (node, NO_OPERANDS) => inputs >> (node - 1) & 1 == 1,
            (_, [a, b]) => value(aig, a, inputs) && value(aig, b, inputs),
        };
        node ^ bit.is_negated()
    }

    /// All conjunctions of conjunctions over four inputs, with all signs: every local rule fires and none changes the
    /// function; gates describe what their nodes compute.
    #[test]
    fn local_rules_keep_the_function() {
        let mut aig = Aig::new(1 << 20);
        let inputs: Vec<Bit> = (0..4).map(|_| aig.input()).collect();
        let literals: Vec<Bit> = inputs.iter().flat_map(|&b| [b, !b]).collect();
        let mut layer = literals.clone();
        let mut meaning: Vec<u16> = layer.iter().map(|&b| truth_table(&aig, b)).collect();
        for i in 0..literals.len() {
            for j in 0..literals.len() {
                let bit = aig.and(literals[i], literals[j]);
                layer.extend([bit, !bit]);
                let table = meaning[i] & meaning[j];
                meaning.extend([table, !table]);
            }
        }
        for i in 0..layer.len() {
            for j in 0..layer.len() {
                let bit = aig.and(layer[i], layer[j]);
                let table = truth_table(&aig, bit);
                assert_eq!(table, meaning[i] & meaning[j]);
                let of = |b: Bit| truth_table(&aig, b);
                let gate = match aig.gate(bit) {
                    Gate::Constant => 0,
                    Gate::Input => continue,
                    Gate::And(a, b) => of(a) & of(b),
                    Gate::NotMux(c, a, b) => !(of(c) & of(a) | !of(c) & of(b)),
                };
                assert_eq!(if bit.is_negated() { !gate } else { gate }, table);
            }
        }
        assert!(aig.len() < 8000, "{} nodes for functions of 4 inputs", aig.len());
    }

    fn truth_table(aig: &Aig, bit: Bit) -> u16 {
        (0..16).map(|i| u16::from(value(aig, bit, i)) << i).sum()
    }

    #[test]
    fn exclusive_or_and_choice_are_seen_as_such() {
        let mut aig = Aig::new(100);
        let (a, b, c) = (aig.input(), aig.input(), aig.input());
        let xor = aig.xor(a, b);
        assert!(matches!(aig.gate(xor), Gate::NotMux(_, x, y) if x == !y));
        let mux = aig.mux(c, a, b);
        assert_eq!(aig.gate(mux), Gate::NotMux(c, a, b));
    }

    #[test]
    fn a_full_graph_says_so() {
        let mut aig = Aig::new(3);
        let (a, b) = (aig.input(), aig.input());
        assert!(!aig.is_full());
        assert_eq!(aig.and(a, b), Bit::FALSE);
        assert!(aig.is_full());
    }
}
