//! Where the SAT core begins: an assignment that almost satisfies the query decides which value of each variable is tried first.
//!
//! The whole circuit is computed under the assignment, so that what the core decides first is what the circuit would be.

use super::Encoding;
use super::aig::{Bit, Gate};
use smt::{FunId, Op, RoundingMode, TermId, Terms, UBig, Value};

/// The bits of a value that is a word; elements of uninterpreted sorts have none that others know.
fn bits_of(value: &Value) -> Option<UBig> {
    Some(match value {
        Value::Bool(b) => UBig::from(u8::from(*b)),
        Value::BitVec(bv) => bv.to_ubig().clone(),
        Value::Float(float) => float.bits(),
        Value::Rm(mode) => UBig::from(RoundingMode::ALL.iter().position(|m| m == mode)?),
        _ => return None,
    })
}

/// Lets the SAT core begin with these values of the constants, which are listed in the order of their symbols.
pub(super) fn prefer(encoding: &mut Encoding, terms: &Terms, constants: &[TermId], near: &[(FunId, Value)]) {
    let aig = &encoding.lowering.aig;
    let mut values = vec![false; aig.len()];
    for &constant in constants.iter().filter(|&&c| terms.op(c) == Op::Apply) {
        let value = terms.as_fun(constant).and_then(|fun| near.binary_search_by_key(&fun, |(f, _)| *f).ok());
        let Some(bits) = value.and_then(|at| bits_of(&near[at].1)) else { continue };
        let bytes = bits.to_le_bytes();
        for (i, &bit) in encoding.lowering.word(constant).unwrap_or_default().iter().enumerate() {
            let set = bytes.get(i / 8).is_some_and(|byte| byte >> (i % 8) & 1 == 1);
            // A word of a float is an input at each place, or one and something else (`float::input`).
            let input = match aig.gate(bit) {
                Gate::Input => Some(bit),
                Gate::And(a, b) => [a, b].into_iter().find(|&x| aig.gate(x) == Gate::Input),
                Gate::Constant | Gate::NotMux(..) => None,
            };
            if let Some(input) = input {
                values[input.node()] = set;
            }
        }
    }
    let edge = |values: &[bool], bit: Bit| values[bit.node()] ^ bit.is_negated();
    for node in 1..aig.len() {
        values[node] = match aig.gate(Bit::of_node(node)) {
            Gate::Constant | Gate::Input => continue,
            Gate::And(a, b) => edge(&values, a) && edge(&values, b),
            Gate::NotMux(c, a, b) => !edge(&values, if edge(&values, c) { a } else { b }),
        };
    }
    for (node, &value) in values.iter().enumerate().skip(1) {
        if let Some(lit) = encoding.cnf.known(Bit::of_node(node)) {
            encoding.cnf.solver.prefer(if value { lit } else { !lit });
        }
    }
}
