//! Reading a SAT model back: the values of words, of terms and of sorts.

use super::aig::{Aig, Bit, Gate};
use super::float::Mode;
use super::lower::Lowering;
use smt::{BitVec, Float, Format, RBig, Sort, SortId, TermId, Terms, UBig, Value};

/// The bits of a word, lowest first, in limbs: comparable and hashable.
pub(super) type Key = Vec<u64>;

/// The value of a node's variable, if it has one; the edge to it is not negated.
pub(super) type Source<'a> = &'a dyn Fn(Bit) -> Option<bool>;

/// The values that one assignment of the SAT core gives to the nodes of the graph. Nodes without a variable are computed; inputs
/// without one are 0.
pub(super) struct Valuation<'a> {
    lowering: &'a Lowering,
    source: Source<'a>,
    known: Vec<Option<bool>>,
    stack: Vec<Bit>,
}

impl<'a> Valuation<'a> {
    /// The values under an assignment of variables.
    pub(super) fn new(lowering: &'a Lowering, source: Source<'a>) -> Valuation<'a> {
        let mut known = vec![None; lowering.aig.len()];
        known[0] = Some(false);
        Valuation { lowering, source, known, stack: Vec::new() }
    }

    /// The value of an edge.
    fn bit(&mut self, bit: Bit) -> bool {
        let aig: &Aig = &self.lowering.aig;
        self.stack.push(bit.flip(bit.is_negated()));
        while let Some(&edge) = self.stack.last() {
            let node = edge.node();
            if self.known[node].is_some() {
                self.stack.pop();
                continue;
            }
            if let Some(value) = (self.source)(edge) {
                self.known[node] = Some(value);
                continue;
            }
            let mut get = |b: Bit| {
                let value = self.known[b.node()];
                if value.is_none() {
                    self.stack.push(b.flip(b.is_negated()));
                }
                value.map(|v| v ^ b.is_negated())
            };
            let value = match aig.gate(edge) {
                Gate::Constant | Gate::Input => Some(false),
                Gate::And(a, b) => get(a).and_then(|a| if a { get(b) } else { Some(false) }),
                Gate::NotMux(c, a, b) => get(c).and_then(|c| if c { get(a) } else { get(b) }).map(|v| !v),
            };
            self.known[node] = value;
        }
        self.known[bit.node()].expect("it was just computed") ^ bit.is_negated()
    }

    /// The value of an edge that is no word of a term.
    pub(super) fn edge(&mut self, bit: Bit) -> bool {
        self.bit(bit)
    }

    /// The value of a lowered term; terms that nothing was computed for are 0.
    pub(super) fn key(&mut self, term: TermId) -> Key {
        let lowering = self.lowering;
        let Some(word) = lowering.word(term) else { return Key::new() };
        let mut limbs = vec![0u64; word.len().div_ceil(64)];
        for (i, &bit) in word.iter().enumerate() {
            if self.bit(bit) {
                limbs[i / 64] |= 1 << (i % 64);
            }
        }
        limbs
    }

    /// The truth of a lowered Boolean term.
    pub(super) fn truth(&mut self, term: TermId) -> bool {
        self.key(term).first().is_some_and(|&limb| limb == 1)
    }
}

fn number(key: &[u64]) -> UBig {
    let bytes: Vec<u8> = key.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    UBig::from_le_bytes(&bytes)
}

/// The value that a word stands for in a sort. Elements of uninterpreted sorts get names.
pub(super) fn value_of(terms: &mut Terms, sort: SortId, key: &[u64]) -> Value {
    match terms.sort_of(sort) {
        Sort::Bool => Value::Bool(key.first().is_some_and(|&limb| limb & 1 == 1)),
        Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, number(key))),
        &Sort::Float(eb, sb) => Value::Float(Float::from_bits(Format { eb, sb }, number(key))),
        Sort::RoundingMode => Value::Rm(Mode::read_back(key.first().copied().unwrap_or(0))),
        Sort::Real => Value::Real(RBig::ZERO),
        Sort::Uninterpreted(name, _) => {
            let number = key.first().copied().unwrap_or(0);
            let name = format!("{}!val!{number}", terms.name(*name));
            let name = terms.symbol(&name);
            Value::Element(sort, name)
        }
        _ => unreachable!("only words are read back"),
    }
}
