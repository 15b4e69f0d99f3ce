//! Looking at terms and building them, as the rules need it.

use smt::{BitVec, Evaluator, Model, Op, Sort, TermId, Terms, Value};

/// The value of an application to constants.
pub(super) fn constant_fold(terms: &mut Terms, term: TermId) -> Option<TermId> {
    let args = terms.args(term);
    if args.is_empty()
        || matches!(terms.op(term), Op::Apply | Op::ConstArray)
        || args.iter().any(|&a| terms.op(a) != Op::Const)
    {
        return None;
    }
    let value = Evaluator::new(terms, &Model::default()).eval(term).ok()?;
    Some(terms.constant(value))
}

/// The value of a bit-vector constant.
pub(in super::super) fn bit_vec(terms: &Terms, term: TermId) -> Option<&BitVec> {
    match terms.as_value(term)? {
        Value::BitVec(bv) => Some(bv),
        _ => None,
    }
}

pub(super) fn is_const(terms: &Terms, term: TermId) -> bool {
    terms.op(term) == Op::Const
}

pub(super) fn is_zero(terms: &Terms, term: TermId) -> bool {
    bit_vec(terms, term).is_some_and(BitVec::is_zero)
}

pub(super) fn is_one(terms: &Terms, term: TermId) -> bool {
    bit_vec(terms, term).is_some_and(|bv| bv.to_u64() == Some(1))
}

pub(super) fn is_ones(terms: &Terms, term: TermId) -> bool {
    bit_vec(terms, term).is_some_and(|bv| *bv == BitVec::ones(bv.width()))
}

/// The only argument, if the operator is this one.
pub(super) fn under(terms: &Terms, op: Op, term: TermId) -> Option<TermId> {
    match terms.args(term) {
        &[arg] if terms.op(term) == op => Some(arg),
        _ => None,
    }
}

/// The two arguments of a term.
pub(super) fn pair(terms: &Terms, term: TermId) -> Option<(TermId, TermId)> {
    match terms.args(term) {
        &[a, b] => Some((a, b)),
        _ => None,
    }
}

/// The three arguments of an `ite`.
pub(super) fn as_ite(terms: &Terms, term: TermId) -> Option<(TermId, TermId, TermId)> {
    match terms.args(term) {
        &[c, a, b] if terms.op(term) == Op::Ite => Some((c, a, b)),
        _ => None,
    }
}

/// The width of a bit-vector term.
pub(super) fn width(terms: &Terms, term: TermId) -> u32 {
    match terms.sort_of(terms.sort(term)) {
        Sort::BitVec(width) => *width,
        _ => unreachable!("the term is a bit-vector"),
    }
}

pub(super) fn constant(terms: &mut Terms, value: BitVec) -> TermId {
    terms.constant(Value::BitVec(value))
}

pub(super) fn zero(terms: &mut Terms, width: u32) -> TermId {
    constant(terms, BitVec::zero(width))
}

pub(super) fn not(terms: &mut Terms, term: TermId) -> TermId {
    match under(terms, Op::Not, term) {
        Some(inner) => inner,
        None => terms.mk(Op::Not, &[term]),
    }
}

pub(super) fn and(terms: &mut Terms, args: &[TermId]) -> TermId {
    terms.mk(Op::And, args)
}

/// A disjunction, in the operators that rewriting keeps.
pub(super) fn or(terms: &mut Terms, args: &[TermId]) -> TermId {
    let negated: Vec<TermId> = args.iter().map(|&a| not(terms, a)).collect();
    let none = and(terms, &negated);
    not(terms, none)
}

pub(super) fn eq(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    terms.mk(Op::Eq, &[a, b])
}

pub(super) fn extract(terms: &mut Terms, term: TermId, high: u32, low: u32) -> TermId {
    if low == 0 && high + 1 == width(terms, term) {
        term
    } else {
        terms.mk_indexed(Op::Extract, [high, low], &[term])
    }
}

/// The concatenation of parts, of which some may be missing.
pub(super) fn concat(terms: &mut Terms, parts: &[TermId]) -> TermId {
    if let &[only] = parts { only } else { terms.mk(Op::Concat, parts) }
}

/// `a - b`.
pub(in super::super) fn subtract(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let negated = terms.mk(Op::BvNeg, &[b]);
    terms.mk(Op::BvAdd, &[a, negated])
}

/// Whether one term is the other's complement, by its shape.
pub(super) fn complementary(terms: &Terms, op: Op, a: TermId, b: TermId) -> bool {
    under(terms, op, a) == Some(b) || under(terms, op, b) == Some(a)
}
