//! Rules for bit-vectors: the four orders, equality, and the overflow predicates. Where the paper has no rule for want of an
//! addition that does not overflow, a constant in between gives one.

use super::{
    Atom, Rule, SortClass, both_between, both_equal, either_side, not_both_equal, rules, swap_symbol, through,
};
use crate::approx::build::Build;
use crate::approx::direction::Direction;
use smt::{BitVec, Op, TermId, Value};

rules! { ORDER:
    "bv-ult-ule" BvUlt BitVec Over |b, a| swap_symbol(b, Op::BvUle, a);
    "bv-ult-distinct" BvUlt BitVec Over |b, a| swap_symbol(b, Op::Distinct, a);
    "bv-ult-between" BvUlt BitVec Over |b, a| either_side(b, Op::BvUlt, Op::BvUlt, a);
    "bv-ult-through" BvUlt BitVec Under |b, a| through(b, Op::BvUlt, Op::BvUle, a);
    "bv-ule-between" BvUle BitVec Over |b, a| either_side(b, Op::BvUle, Op::BvUlt, a);
    "bv-ule-eq" BvUle BitVec Under |b, a| swap_symbol(b, Op::Eq, a);
    "bv-ule-ult" BvUle BitVec Under |b, a| swap_symbol(b, Op::BvUlt, a);
    "bv-ule-through" BvUle BitVec Under |b, a| through(b, Op::BvUle, Op::BvUle, a);
    "bv-ugt-uge" BvUgt BitVec Over |b, a| swap_symbol(b, Op::BvUge, a);
    "bv-ugt-distinct" BvUgt BitVec Over |b, a| swap_symbol(b, Op::Distinct, a);
    "bv-ugt-between" BvUgt BitVec Over |b, a| either_side(b, Op::BvUgt, Op::BvUgt, a);
    "bv-ugt-through" BvUgt BitVec Under |b, a| through(b, Op::BvUgt, Op::BvUge, a);
    "bv-uge-between" BvUge BitVec Over |b, a| either_side(b, Op::BvUge, Op::BvUgt, a);
    "bv-uge-eq" BvUge BitVec Under |b, a| swap_symbol(b, Op::Eq, a);
    "bv-uge-ugt" BvUge BitVec Under |b, a| swap_symbol(b, Op::BvUgt, a);
    "bv-uge-through" BvUge BitVec Under |b, a| through(b, Op::BvUge, Op::BvUge, a);
    "bv-slt-sle" BvSlt BitVec Over |b, a| swap_symbol(b, Op::BvSle, a);
    "bv-slt-distinct" BvSlt BitVec Over |b, a| swap_symbol(b, Op::Distinct, a);
    "bv-slt-between" BvSlt BitVec Over |b, a| either_side(b, Op::BvSlt, Op::BvSlt, a);
    "bv-slt-through" BvSlt BitVec Under |b, a| through(b, Op::BvSlt, Op::BvSle, a);
    "bv-sle-between" BvSle BitVec Over |b, a| either_side(b, Op::BvSle, Op::BvSlt, a);
    "bv-sle-eq" BvSle BitVec Under |b, a| swap_symbol(b, Op::Eq, a);
    "bv-sle-slt" BvSle BitVec Under |b, a| swap_symbol(b, Op::BvSlt, a);
    "bv-sle-through" BvSle BitVec Under |b, a| through(b, Op::BvSle, Op::BvSle, a);
    "bv-sgt-sge" BvSgt BitVec Over |b, a| swap_symbol(b, Op::BvSge, a);
    "bv-sgt-distinct" BvSgt BitVec Over |b, a| swap_symbol(b, Op::Distinct, a);
    "bv-sgt-between" BvSgt BitVec Over |b, a| either_side(b, Op::BvSgt, Op::BvSgt, a);
    "bv-sgt-through" BvSgt BitVec Under |b, a| through(b, Op::BvSgt, Op::BvSge, a);
    "bv-sge-between" BvSge BitVec Over |b, a| either_side(b, Op::BvSge, Op::BvSgt, a);
    "bv-sge-eq" BvSge BitVec Under |b, a| swap_symbol(b, Op::Eq, a);
    "bv-sge-sgt" BvSge BitVec Under |b, a| swap_symbol(b, Op::BvSgt, a);
    "bv-sge-through" BvSge BitVec Under |b, a| through(b, Op::BvSge, Op::BvSge, a);
}

rules! { EQUALITY:
    "bv-eq-ule" Eq BitVec Over |b, a| swap_symbol(b, Op::BvUle, a);
    "bv-eq-uge" Eq BitVec Over |b, a| swap_symbol(b, Op::BvUge, a);
    "bv-eq-sle" Eq BitVec Over |b, a| swap_symbol(b, Op::BvSle, a);
    "bv-eq-sge" Eq BitVec Over |b, a| swap_symbol(b, Op::BvSge, a);
    "bv-eq-slice" Eq BitVec Over slice;
    "bv-eq-mask" Eq BitVec Over |b, a| same_function(b, Op::BvAnd, a);
    "bv-eq-shift" Eq BitVec Over |b, a| same_function(b, Op::BvLshr, a);
    "bv-eq-offset" Eq BitVec Over |b, a| same_function(b, Op::BvAdd, a);
    "bv-eq-offset-under" Eq BitVec Under |b, a| same_function(b, Op::BvAdd, a);
    "bv-eq-flip-under" Eq BitVec Under |b, a| same_function(b, Op::BvXor, a);
    "bv-eq-unsigned-between" Eq BitVec Under |b, a| both_between(b, Op::BvUle, a);
    "bv-eq-signed-between" Eq BitVec Under |b, a| both_between(b, Op::BvSle, a);
    "bv-eq-constant" Eq BitVec Under |b, a| both_equal(b, Op::Eq, a);
    "bv-distinct-constant" Distinct BitVec Over |b, a| not_both_equal(b, Op::Eq, a);
    "bv-distinct-ugt" Distinct BitVec Under |b, a| swap_symbol(b, Op::BvUgt, a);
    "bv-distinct-ult" Distinct BitVec Under |b, a| swap_symbol(b, Op::BvUlt, a);
    "bv-distinct-sgt" Distinct BitVec Under |b, a| swap_symbol(b, Op::BvSgt, a);
    "bv-distinct-slt" Distinct BitVec Under |b, a| swap_symbol(b, Op::BvSlt, a);
}

rules! { OVERFLOW:
    "bv-nego-negative" BvNego BitVec Over |b, a| { let zero = extreme(b, a.x, BitVec::zero); b.app(Op::BvSlt, &[a.x, zero]) };
    "bv-nego-least" BvNego BitVec Under |b, a| { let min = extreme(b, a.x, BitVec::min_signed); b.app(Op::Eq, &[a.x, min]) };
    "bv-uaddo-nonzero" BvUaddo BitVec Over |b, a| nonzero(b, a.x);
    "bv-uaddo-complement" BvUaddo BitVec Over complement_exceeded;
    "bv-uaddo-complement-under" BvUaddo BitVec Under complement_exceeded;
    "bv-saddo-nonzero" BvSaddo BitVec Over |b, a| nonzero(b, a.y);
    "bv-saddo-signs" BvSaddo BitVec Over |b, a| signs(b, Op::Eq, a);
    "bv-umulo-nonzero" BvUmulo BitVec Over |b, a| nonzero(b, a.x);
    "bv-smulo-nonzero" BvSmulo BitVec Over |b, a| nonzero(b, a.y);
    "bv-usubo-ult" BvUsubo BitVec Over |b, a| swap_symbol(b, Op::BvUlt, a);
    "bv-usubo-ult-under" BvUsubo BitVec Under |b, a| swap_symbol(b, Op::BvUlt, a);
    "bv-ssubo-nonzero" BvSsubo BitVec Over |b, a| nonzero(b, a.y);
    "bv-ssubo-signs" BvSsubo BitVec Over |b, a| signs(b, Op::Distinct, a);
    "bv-sdivo-least" BvSdivo BitVec Over |b, a| { let min = extreme(b, a.x, BitVec::min_signed); b.app(Op::Eq, &[a.x, min]) };
    "bv-sdivo-least-under" BvSdivo BitVec Under least_by_minus_one;
}

/// `(= (op x a) (op y a))` for a random constant: equal arguments give equal values, and `bvadd` and `bvxor` are injective.
fn same_function(b: &mut Build<'_>, op: Op, atom: Atom) -> Option<TermId> {
    let a = b.constant(b.terms.sort(atom.x))?;
    let (x, y) = (b.app(op, &[atom.x, a])?, b.app(op, &[atom.y, a])?);
    b.app(Op::Eq, &[x, y])
}

/// Equality of the same bits of both.
fn slice(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let width = b.width(atom.x) as usize;
    let high = b.rng.below(width);
    let bits = [high as u32, b.rng.below(high + 1) as u32];
    let (x, y) = (b.indexed(Op::Extract, bits, &[atom.x])?, b.indexed(Op::Extract, bits, &[atom.y])?);
    b.app(Op::Eq, &[x, y])
}

fn extreme(b: &mut Build<'_>, like: TermId, value: fn(u32) -> BitVec) -> TermId {
    let value = value(b.width(like));
    b.terms.constant(Value::BitVec(value))
}

fn nonzero(b: &mut Build<'_>, term: TermId) -> Option<TermId> {
    let zero = extreme(b, term, BitVec::zero);
    b.app(Op::Distinct, &[term, zero])
}

/// `(bvugt x (bvnot y))`: what is missing from `y` to the greatest number.
fn complement_exceeded(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let room = b.app(Op::BvNot, &[atom.y])?;
    b.app(Op::BvUgt, &[atom.x, room])
}

/// The signs related by `=` or `distinct`.
fn signs(b: &mut Build<'_>, op: Op, atom: Atom) -> Option<TermId> {
    let zero = extreme(b, atom.x, BitVec::zero);
    let (x, y) = (b.app(Op::BvSlt, &[atom.x, zero])?, b.app(Op::BvSlt, &[atom.y, zero])?);
    b.app(op, &[x, y])
}

fn least_by_minus_one(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let (min, ones) = (extreme(b, atom.x, BitVec::min_signed), extreme(b, atom.y, BitVec::ones));
    let (x, y) = (b.app(Op::Eq, &[atom.x, min])?, b.app(Op::Eq, &[atom.y, ones])?);
    Some(b.and(x, y))
}
