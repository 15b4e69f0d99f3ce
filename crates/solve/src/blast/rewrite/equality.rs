//! Rules for `=` of two arguments.

use super::Rule;
use super::build::*;
use super::linear::{Linear, odd_inverse};
use smt::{BitVec, Op, SortId, TermId, Terms};

pub(super) static RULES: &[Rule] = &[
    Rule { id: "eq-same", op: Op::Eq, apply: same, laws: &[("(= x x)", "true"), ("(= m m)", "true")] },
    Rule {
        id: "eq-order",
        op: Op::Eq,
        apply: order,
        laws: &[
            ("(= {c} x)", "(= x {c})"),
            ("(= (bvmul x y) x)", "(= x (bvmul x y))"),
            ("(= false p)", "(= p false)"),
        ],
    },
    Rule {
        id: "eq-bool",
        op: Op::Eq,
        apply: boolean,
        laws: &[
            ("(= p true)", "p"),
            ("(= p false)", "(not p)"),
            ("(= p (not q))", "(not (= p q))"),
            ("(= p (not p))", "false"),
        ],
    },
    Rule {
        id: "eq-complements",
        op: Op::Eq,
        apply: complements,
        laws: &[
            ("(= (bvnot x) (bvnot y))", "(= x y)"),
            ("(= (bvnot x) {c})", "(= x (bvnot {c}))"),
            ("(= (bvneg x) (bvneg y))", "(= x y)"),
            ("(= x (bvnot x))", "false"),
        ],
    },
    Rule {
        id: "eq-concat",
        op: Op::Eq,
        apply: split_concat,
        laws: &[
            ("(= (concat x y) (concat y z))", "(and (= x y) (= y z))"),
            ("(= (concat #b01 x) (concat y {c} #b1))", "(and (= y #b0) (= {c} #b1) (= x #b1))"),
        ],
    },
    Rule {
        id: "eq-ite-constants",
        op: Op::Eq,
        apply: ite_of_constants,
        laws: &[
            ("(= (ite p {c} {d}) {c})", "(ite p true (= {d} {c}))"),
            ("(= (ite p {c} x) {d})", "(ite p (= {c} {d}) (= x {d}))"),
        ],
    },
    Rule {
        id: "eq-ite-branch",
        op: Op::Eq,
        apply: ite_with_own_branch,
        laws: &[
            ("(= (ite p x y) x)", "(not (and (not p) (not (= y x))))"),
            ("(= (ite p x y) y)", "(not (and p (not (= x y))))"),
            ("(= (ite p x y) (ite p z y))", "(or (not p) (= x z))"),
        ],
    },
    Rule {
        id: "eq-and-ones",
        op: Op::Eq,
        apply: and_is_ones,
        laws: &[("(= (bvand x y) {-1})", "(and (= x {-1}) (= y {-1}))")],
    },
    Rule {
        id: "eq-xor",
        op: Op::Eq,
        apply: xor_both_sides,
        laws: &[
            ("(= (bvxor x y) {0})", "(= x y)"),
            ("(= (bvxor x {c}) {d})", "(= x (bvxor {c} {d}))"),
            ("(= (bvxor x y) x)", "(= y {0})"),
            ("(= (bvxor x y) (bvxor x z))", "(= y z)"),
        ],
    },
    Rule {
        id: "eq-linear",
        op: Op::Eq,
        apply: linear,
        laws: &[
            ("(= (bvadd x {c}) {d})", "(= x (bvsub {d} {c}))"),
            ("(= (bvadd x y) (bvadd x z))", "(= y z)"),
            ("(= (bvadd x {c}) (bvadd y {d}))", "(= x (bvadd y (bvsub {d} {c})))"),
            ("(= (bvadd x y) x)", "(= y {0})"),
            ("(= (bvneg x) {c})", "(= x (bvneg {c}))"),
            ("(= (bvmul {-1} x) {d})", "(= x (bvneg {d}))"),
            ("(= (bvmul {c} x) (bvshl (bvneg x) {d}))", "(= (bvadd (bvmul {c} x) (bvshl x {d})) {0})"),
            ("(= (bvmul x (bvneg {1})) (bvneg x))", "true"),
        ],
    },
    Rule {
        id: "eq-sign-extend",
        op: Op::Eq,
        apply: sign_extended,
        laws: &[("(= ((_ sign_extend {i}) x) ((_ sign_extend {i}) y))", "(= x y)")],
    },
];

fn sides(t: &Terms, n: TermId) -> Option<(TermId, TermId)> {
    pair(t, n)
}

fn is_bit_vec(t: &Terms, a: TermId) -> bool {
    matches!(t.sort_of(t.sort(a)), smt::Sort::BitVec(_))
}

fn same(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = sides(t, n)?;
    (a == b).then_some(TermId::TRUE)
}

/// Constants stand on the right; otherwise the older term stands on the left.
fn order(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = sides(t, n)?;
    let swap = match (is_const(t, a), is_const(t, b)) {
        (true, false) => true,
        (false, true) => false,
        _ => a > b,
    };
    swap.then(|| eq(t, b, a))
}

fn boolean(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = sides(t, n)?;
    if t.sort(a) != SortId::BOOL {
        return None;
    }
    if complementary(t, Op::Not, a, b) {
        return Some(TermId::FALSE);
    }
    match b {
        TermId::TRUE => return Some(a),
        TermId::FALSE => return Some(not(t, a)),
        _ => {}
    }
    // Negations go outside.
    let (inner_a, inner_b) = (under(t, Op::Not, a), under(t, Op::Not, b));
    if inner_a.is_none() && inner_b.is_none() {
        return None;
    }
    let equal = eq(t, inner_a.unwrap_or(a), inner_b.unwrap_or(b));
    Some(if inner_a.is_some() == inner_b.is_some() { equal } else { not(t, equal) })
}

fn complements(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = sides(t, n)?;
    if complementary(t, Op::BvNot, a, b) {
        return Some(TermId::FALSE);
    }
    for op in [Op::BvNot, Op::BvNeg] {
        if let Some(x) = under(t, op, a) {
            if let Some(y) = under(t, op, b) {
                return Some(eq(t, x, y));
            }
            if is_const(t, b) {
                let c = t.mk(op, &[b]);
                return Some(eq(t, x, c));
            }
        }
    }
    None
}

/// Concatenations are compared part by part.
fn split_concat(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = sides(t, n)?;
    let splittable = |x: TermId| t.op(x) == Op::Concat || is_const(t, x);
    if !(splittable(a) && splittable(b)) {
        return None;
    }
    let first = if t.op(a) == Op::Concat { a } else { b };
    let low = width(t, first) - width(t, t.args(first)[0]);
    let whole = width(t, first);
    let mut halves = Vec::new();
    for (high, low) in [(whole - 1, low), (low - 1, 0)] {
        let (x, y) = (extract(t, a, high, low), extract(t, b, high, low));
        halves.push(eq(t, x, y));
    }
    Some(and(t, &halves))
}

fn ite_of_constants(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, k) = sides(t, n)?;
    let (c, x, y) = as_ite(t, a)?;
    if !is_const(t, k) || !(is_const(t, x) || is_const(t, y)) {
        return None;
    }
    let (then, otherwise) = (eq(t, x, k), eq(t, y, k));
    Some(t.mk(Op::Ite, &[c, then, otherwise]))
}

fn ite_with_own_branch(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = sides(t, n)?;
    if let (Some((c, x, y)), Some((d, p, q))) = (as_ite(t, a), as_ite(t, b))
        && c == d
    {
        let (then, otherwise) = (eq(t, x, p), eq(t, y, q));
        return Some(t.mk(Op::Ite, &[c, then, otherwise]));
    }
    for (a, b) in [(a, b), (b, a)] {
        if let Some((c, x, y)) = as_ite(t, a) {
            if x == b {
                let other = eq(t, y, b);
                return Some(or(t, &[c, other]));
            }
            if y == b {
                let other = eq(t, x, b);
                let not_c = not(t, c);
                return Some(or(t, &[not_c, other]));
            }
        }
    }
    None
}

fn and_is_ones(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = sides(t, n)?;
    if t.op(a) != Op::BvAnd || !is_ones(t, b) {
        return None;
    }
    let parts: Vec<TermId> = t.args(a).to_vec().into_iter().map(|x| eq(t, x, b)).collect();
    Some(and(t, &parts))
}

/// `a xor b = c` with something in common on both sides, or with constants.
fn xor_both_sides(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = sides(t, n)?;
    let parts = |x: TermId| if t.op(x) == Op::BvXor { t.args(x).to_vec() } else { vec![x] };
    let (left, right) = (parts(a), parts(b));
    if left.len() == 1 && right.len() == 1 {
        return None;
    }
    let shared = left.iter().any(|x| right.contains(x));
    let has_constant = |list: &[TermId]| list.iter().any(|&x| is_const(t, x));
    let is_sum_of_two = left.len() == 2 && right.len() == 1 && is_zero(t, b);
    if is_sum_of_two {
        return Some(eq(t, left[0], left[1]));
    }
    let constants_meet = has_constant(&left) && has_constant(&right) && left.len() > 1;
    if !shared && !constants_meet {
        return None;
    }
    let mut all = left;
    all.extend(right);
    all.sort_unstable();
    // Equal parts cancel; the constants meet on the right.
    let mut rest: Vec<TermId> = Vec::new();
    let mut value = BitVec::zero(width(t, a));
    for part in all {
        if let Some(c) = bit_vec(t, part) {
            value = value.xor(c);
        } else if rest.last() == Some(&part) {
            rest.pop();
        } else {
            rest.push(part);
        }
    }
    let value = constant(t, value);
    Some(match &*rest {
        [] => t.bool(is_zero(t, value)),
        &[only] => eq(t, only, value),
        &[x, y] if is_zero(t, value) => eq(t, x, y),
        _ => {
            let sum = t.mk(Op::BvXor, &rest);
            eq(t, sum, value)
        }
    })
}

/// Common summands cancel and constants meet on the right; a single multiple of a term by an odd number is solved.
fn linear(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = sides(t, n)?;
    if !is_bit_vec(t, a) {
        return None;
    }
    let (mut left, mut right) = (Linear::of(t, a), Linear::of(t, b));
    let mut changed = left.cancel(&mut right);
    if !left.constant.is_zero() && (!right.constant.is_zero() || right.monomials.is_empty()) {
        right.constant = right.constant.sub(&left.constant);
        left.constant = BitVec::zero(left.constant.width());
        changed = true;
    }
    if left.monomials.is_empty() && !right.monomials.is_empty() {
        std::mem::swap(&mut left, &mut right);
        if !left.constant.is_zero() {
            right.constant = right.constant.sub(&left.constant);
            left.constant = BitVec::zero(left.constant.width());
        }
    }
    if right.monomials.is_empty()
        && left.constant.is_zero()
        && let [(x, factor)] = &*left.monomials
        && let Some(inverse) = odd_inverse(factor)
        && inverse.to_u64() != Some(1)
    {
        let value = constant(t, right.constant.mul(&inverse));
        return Some(eq(t, *x, value));
    }
    if !changed {
        return None;
    }
    let (a, b) = (left.build(t), right.build(t));
    Some(eq(t, a, b))
}

fn sign_extended(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = sides(t, n)?;
    let (x, y) = (under(t, Op::SignExtend, a)?, under(t, Op::SignExtend, b)?);
    (t.sort(x) == t.sort(y)).then(|| eq(t, x, y))
}
