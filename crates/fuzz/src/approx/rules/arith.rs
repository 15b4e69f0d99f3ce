//! Rules for integers and reals. Sums and products with constants are folded into constants that stand there already, and
//! take the shape `x - y` against a constant where the logic knows differences only.

use super::{
    Atom, Rule, SortClass, both_between, both_equal, either_side, not_both_equal, rules, swap_symbol, through,
};
use crate::approx::build::Build;
use crate::approx::direction::Direction;
use crate::approx::fragment::Arithmetic;
use smt::{IBig, Op, RBig, SortId, TermId, Value};

rules! { RULES:
    "num-lt-le" Lt Number Over |b, a| swap_symbol(b, Op::Le, a);
    "num-lt-distinct" Lt Number Over |b, a| swap_symbol(b, Op::Distinct, a);
    "num-lt-between" Lt Number Over |b, a| either_side(b, Op::Lt, Op::Lt, a);
    "num-lt-scale" Lt Number Over scale;
    "num-lt-shift" Lt Number Under |b, a| shifted(b, Op::Le, a, Side::Left, true);
    "num-lt-through" Lt Number Under |b, a| through(b, Op::Lt, Op::Le, a);
    "num-lt-scale-under" Lt Number Under scale;
    "num-le-shift" Le Number Over |b, a| shifted(b, Op::Lt, a, Side::Right, true);
    "num-le-between" Le Number Over |b, a| either_side(b, Op::Le, Op::Lt, a);
    "num-le-scale" Le Number Over scale;
    "num-le-eq" Le Number Under |b, a| swap_symbol(b, Op::Eq, a);
    "num-le-shift-under" Le Number Under |b, a| shifted(b, Op::Lt, a, Side::Left, false);
    "num-le-through" Le Number Under |b, a| through(b, Op::Le, Op::Le, a);
    "num-le-scale-under" Le Number Under scale;
    "num-gt-ge" Gt Number Over |b, a| swap_symbol(b, Op::Ge, a);
    "num-gt-distinct" Gt Number Over |b, a| swap_symbol(b, Op::Distinct, a);
    "num-gt-between" Gt Number Over |b, a| either_side(b, Op::Gt, Op::Gt, a);
    "num-gt-shift" Gt Number Under |b, a| shifted(b, Op::Ge, a, Side::Right, true);
    "num-gt-through" Gt Number Under |b, a| through(b, Op::Gt, Op::Ge, a);
    "num-ge-shift" Ge Number Over |b, a| shifted(b, Op::Gt, a, Side::Left, true);
    "num-ge-between" Ge Number Over |b, a| either_side(b, Op::Ge, Op::Gt, a);
    "num-ge-eq" Ge Number Under |b, a| swap_symbol(b, Op::Eq, a);
    "num-ge-shift-under" Ge Number Under |b, a| shifted(b, Op::Gt, a, Side::Right, false);
    "num-ge-through" Ge Number Under |b, a| through(b, Op::Ge, Op::Ge, a);
    "num-eq-le" Eq Number Over |b, a| swap_symbol(b, Op::Le, a);
    "num-eq-ge" Eq Number Over |b, a| swap_symbol(b, Op::Ge, a);
    "num-eq-scale" Eq Number Over scale;
    "num-eq-between" Eq Number Under |b, a| both_between(b, Op::Le, a);
    "num-eq-constant" Eq Number Under |b, a| both_equal(b, Op::Eq, a);
    "num-eq-scale-under" Eq Number Under scale;
    "num-distinct-constant" Distinct Number Over |b, a| not_both_equal(b, Op::Eq, a);
    "num-distinct-gt" Distinct Number Under |b, a| swap_symbol(b, Op::Gt, a);
    "num-distinct-lt" Distinct Number Under |b, a| swap_symbol(b, Op::Lt, a);
    "int-eq-mod" Eq Int Over modulo;
    "int-divisible-mod" Divisible Int Over divisible;
    "int-divisible-mod-under" Divisible Int Under divisible;
    "real-is-int-shift" IsInt Number Over is_int_shifted;
    "real-is-int-shift-under" IsInt Number Under is_int_shifted;
}

/// On which side of the predicate the paper adds its constant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// `x + a op y` or `x op y + a` for a random number, above zero if `positive`, otherwise possibly zero.
fn shifted(b: &mut Build<'_>, op: Op, atom: Atom, side: Side, positive: bool) -> Option<TermId> {
    let sort = b.terms.sort(atom.x);
    let zero = if sort == SortId::REAL { Value::Real(RBig::ZERO) } else { Value::Int(IBig::ZERO) };
    let a = if positive || !b.rng.one_in(3) { b.positive(sort) } else { zero };
    let (to, from) = if side == Side::Left { (atom.x, atom.y) } else { (atom.y, atom.x) };
    // A constant takes the number up; what is added on one side can be taken away on the other.
    let (to, from) = if let Some(sum) = fold(b, to, &a, false) {
        (sum, from)
    } else if let Some(difference) = fold(b, from, &a, true) {
        (to, difference)
    } else if b.fragment.arithmetic == Arithmetic::Difference {
        return difference(b, op, atom, side, a);
    } else {
        let a = b.terms.constant(a);
        (b.app(Op::Add, &[to, a])?, from)
    };
    match side {
        Side::Left => b.app(op, &[to, from]),
        Side::Right => b.app(op, &[from, to]),
    }
}

/// A constant with a number added or taken away.
fn fold(b: &mut Build<'_>, constant: TermId, number: &Value, subtract: bool) -> Option<TermId> {
    let sum = match (b.terms.as_value(constant)?, number) {
        (Value::Int(c), Value::Int(n)) => Value::Int(if subtract { c - n } else { c + n }),
        (Value::Real(c), Value::Real(n)) => Value::Real(if subtract { c - n } else { c + n }),
        _ => return None,
    };
    Some(b.terms.constant(sum))
}

/// `(op (- x y) (- a))` for `x + a op y`, `(op (- x y) a)` for `x op y + a`; of variables only.
fn difference(b: &mut Build<'_>, op: Op, atom: Atom, side: Side, a: Value) -> Option<TermId> {
    let variable = |t: TermId| matches!(b.terms.op(t), Op::Apply | Op::Bound) && b.terms.args(t).is_empty();
    if !variable(atom.x) || !variable(atom.y) {
        return None;
    }
    let offset = match (a, side) {
        (Value::Int(a), Side::Left) => Value::Int(-a),
        (Value::Real(a), Side::Left) => Value::Real(-a),
        (a, _) => a,
    };
    let offset = b.terms.constant(offset);
    let distance = b.app(Op::Sub, &[atom.x, atom.y])?;
    b.app(op, &[distance, offset])
}

/// `(op (* a x) (* a y))` for a positive constant, which is equivalent.
fn scale(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    if b.fragment.arithmetic == Arithmetic::Difference {
        return None;
    }
    let factor = b.positive(b.terms.sort(atom.x));
    let (x, y) = (scaled(b, atom.x, &factor)?, scaled(b, atom.y, &factor)?);
    b.app(b.terms.op(atom.term), &[x, y])
}

fn scaled(b: &mut Build<'_>, term: TermId, factor: &Value) -> Option<TermId> {
    let product = match (b.terms.as_value(term), factor) {
        (Some(Value::Int(c)), Value::Int(f)) => Value::Int(c * f),
        (Some(Value::Real(c)), Value::Real(f)) => Value::Real(c * f),
        _ => {
            let factor = b.terms.constant(factor.clone());
            return b.app(Op::Mul, &[factor, term]);
        }
    };
    Some(b.terms.constant(product))
}

/// `(= (mod x a) (mod y a))` for a constant above one.
fn modulo(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    if b.fragment.arithmetic == Arithmetic::Difference {
        return None;
    }
    let a = b.rng.between(2, 12);
    let a = b.terms.int(a);
    let (x, y) = (b.app(Op::Mod, &[atom.x, a])?, b.app(Op::Mod, &[atom.y, a])?);
    b.app(Op::Eq, &[x, y])
}

/// `((_ divisible n) x)` is `(= (mod x n) 0)`.
fn divisible(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let [n, _] = b.terms.indices(atom.term);
    let (n, zero) = (b.terms.int(n), b.terms.int(0));
    let rest = b.app(Op::Mod, &[atom.x, n])?;
    b.app(Op::Eq, &[rest, zero])
}

/// `(is_int (+ x a))` for an integral constant.
fn is_int_shifted(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let a = b.rng.between(1, 12);
    let a = b.terms.real(a);
    let sum = b.app(Op::Add, &[atom.x, a])?;
    b.app(Op::IsInt, &[sum])
}
