//! Rules for floats. `NaN` compares with nothing, so no rule takes the negation of an order for the opposite order.

use super::{
    Atom, Rule, SortClass, both_between, both_equal, either_side, not_both_equal, rules, swap_symbol, through,
};
use crate::approx::build::Build;
use crate::approx::direction::Direction;
use smt::{Float, Format, Op, Sort, TermId, Value};

rules! { RULES:
    "fp-lt-leq" FpLt Float Over |b, a| swap_symbol(b, Op::FpLeq, a);
    "fp-lt-neq" FpLt Float Over not_equal;
    "fp-lt-between" FpLt Float Over |b, a| either_side(b, Op::FpLt, Op::FpLt, a);
    "fp-lt-through" FpLt Float Under |b, a| through(b, Op::FpLt, Op::FpLeq, a);
    "fp-leq-between" FpLeq Float Over |b, a| either_side(b, Op::FpLeq, Op::FpLt, a);
    "fp-leq-eq" FpLeq Float Under |b, a| swap_symbol(b, Op::FpEq, a);
    "fp-leq-lt" FpLeq Float Under |b, a| swap_symbol(b, Op::FpLt, a);
    "fp-leq-through" FpLeq Float Under |b, a| through(b, Op::FpLeq, Op::FpLeq, a);
    "fp-gt-geq" FpGt Float Over |b, a| swap_symbol(b, Op::FpGeq, a);
    "fp-gt-neq" FpGt Float Over not_equal;
    "fp-gt-between" FpGt Float Over |b, a| either_side(b, Op::FpGt, Op::FpGt, a);
    "fp-gt-through" FpGt Float Under |b, a| through(b, Op::FpGt, Op::FpGeq, a);
    "fp-geq-between" FpGeq Float Over |b, a| either_side(b, Op::FpGeq, Op::FpGt, a);
    "fp-geq-eq" FpGeq Float Under |b, a| swap_symbol(b, Op::FpEq, a);
    "fp-geq-gt" FpGeq Float Under |b, a| swap_symbol(b, Op::FpGt, a);
    "fp-geq-through" FpGeq Float Under |b, a| through(b, Op::FpGeq, Op::FpGeq, a);
    "fp-eq-leq" FpEq Float Over |b, a| swap_symbol(b, Op::FpLeq, a);
    "fp-eq-geq" FpEq Float Over |b, a| swap_symbol(b, Op::FpGeq, a);
    // Of a negated equation, which the paper calls fp.neq, these make fp.lt and fp.gt.
    "fp-eq-not-lt" FpEq Float Over |b, a| is_not_ordered(b, Op::FpLt, a);
    "fp-eq-not-gt" FpEq Float Over |b, a| is_not_ordered(b, Op::FpGt, a);
    "fp-eq-number" FpEq Float Over |b, a| { let nan = b.app(Op::FpIsNaN, &[a.x])?; Some(b.not(nan)) };
    "fp-eq-between" FpEq Float Under |b, a| both_between(b, Op::FpLeq, a);
    "fp-eq-constant" FpEq Float Under |b, a| both_equal(b, Op::FpEq, a);
    "fp-same-eq" Eq Float Over equal_or_nan;
    "fp-same-sign" Eq Float Over |b, a| {
        let (x, y) = (b.app(Op::FpIsNegative, &[a.x])?, b.app(Op::FpIsNegative, &[a.y])?);
        b.app(Op::Eq, &[x, y])
    };
    "fp-same-nonzero" Eq Float Under equal_and_nonzero;
    "fp-same-nan" Eq Float Under |b, a| {
        let (x, y) = (b.app(Op::FpIsNaN, &[a.x])?, b.app(Op::FpIsNaN, &[a.y])?);
        Some(b.and(x, y))
    };
    "fp-same-constant" Eq Float Under |b, a| both_equal(b, Op::Eq, a);
    "fp-distinct-constant" Distinct Float Over |b, a| not_both_equal(b, Op::Eq, a);
    "fp-distinct-lt" Distinct Float Under |b, a| swap_symbol(b, Op::FpLt, a);
    "fp-distinct-gt" Distinct Float Under |b, a| swap_symbol(b, Op::FpGt, a);
    "fp-normal-not-zero" FpIsNormal Float Over |b, a| is_not(b, Op::FpIsZero, a);
    "fp-subnormal-not-nan" FpIsSubnormal Float Over |b, a| is_not(b, Op::FpIsNaN, a);
    "fp-zero-not-normal" FpIsZero Float Over |b, a| is_not(b, Op::FpIsNormal, a);
    "fp-zero-eq" FpIsZero Float Over equals_zero;
    "fp-zero-eq-under" FpIsZero Float Under equals_zero;
    "fp-infinite-not-subnormal" FpIsInfinite Float Over |b, a| is_not(b, Op::FpIsSubnormal, a);
    "fp-nan-unequal" FpIsNaN Float Over unequal_to_itself;
    "fp-nan-unequal-under" FpIsNaN Float Under unequal_to_itself;
    "fp-negative-leq" FpIsNegative Float Over |b, a| against_zero(b, Op::FpLeq, a);
    "fp-negative-lt" FpIsNegative Float Under |b, a| against_zero(b, Op::FpLt, a);
    "fp-positive-geq" FpIsPositive Float Over |b, a| against_zero(b, Op::FpGeq, a);
    "fp-positive-gt" FpIsPositive Float Under |b, a| against_zero(b, Op::FpGt, a);
}

fn not_equal(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let equal = b.app(Op::FpEq, &[atom.x, atom.y])?;
    Some(b.not(equal))
}

fn is_not_ordered(b: &mut Build<'_>, order: Op, atom: Atom) -> Option<TermId> {
    let ordered = b.app(order, &[atom.x, atom.y])?;
    Some(b.not(ordered))
}

fn is_not(b: &mut Build<'_>, kind: Op, atom: Atom) -> Option<TermId> {
    let is = b.app(kind, &[atom.x])?;
    Some(b.not(is))
}

fn zero(b: &mut Build<'_>, like: TermId) -> Option<TermId> {
    let Sort::Float(eb, sb) = *b.sort(like) else { return None };
    let negative = b.rng.one_in(2);
    Some(b.terms.constant(Value::Float(Float::zero(Format { eb, sb }, negative))))
}

fn against_zero(b: &mut Build<'_>, op: Op, atom: Atom) -> Option<TermId> {
    let zero = zero(b, atom.x)?;
    b.app(op, &[atom.x, zero])
}

fn equals_zero(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    against_zero(b, Op::FpEq, atom)
}

fn unequal_to_itself(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let equal = b.app(Op::FpEq, &[atom.x, atom.x])?;
    Some(b.not(equal))
}

fn equal_or_nan(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let (equal, nan) = (b.app(Op::FpEq, &[atom.x, atom.y])?, b.app(Op::FpIsNaN, &[atom.x])?);
    Some(b.or(equal, nan))
}

fn equal_and_nonzero(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let (equal, is_zero) = (b.app(Op::FpEq, &[atom.x, atom.y])?, b.app(Op::FpIsZero, &[atom.x])?);
    let nonzero = b.not(is_zero);
    Some(b.and(equal, nonzero))
}
