//! Rules for `bvnot`, `bvand` and `bvxor`.

use super::Rule;
use super::build::*;
use crate::tuning::blast_rewrite_bitwise::MAX_FLAT;
use smt::{BitVec, Op, TermId, Terms};

pub(super) static RULES: &[Rule] = &[
    Rule { id: "bvnot-bvnot", op: Op::BvNot, apply: not_not, laws: &[("(bvnot (bvnot x))", "x")] },
    Rule {
        id: "bvnot-ite",
        op: Op::BvNot,
        apply: not_ite,
        laws: &[("(bvnot (ite p {c} {d}))", "(ite p (bvnot {c}) (bvnot {d}))")],
    },
    Rule {
        id: "bvand",
        op: Op::BvAnd,
        apply: conjunction,
        laws: &[
            ("(bvand x x)", "x"),
            ("(bvand x (bvnot x))", "{0}"),
            ("(bvand x {0})", "{0}"),
            ("(bvand x {-1})", "x"),
            ("(bvand {c} x {d})", "(bvand x (bvand {c} {d}))"),
            ("(bvand x (bvand y z))", "(bvand x y z)"),
        ],
    },
    Rule {
        id: "bvand-mask",
        op: Op::BvAnd,
        apply: mask,
        laws: &[
            ("(bvand (concat {0} {-1}) (concat x y))", "(concat {0} y)"),
            ("(bvand x {1})", "(concat (_ bv0 {w1}) ((_ extract 0 0) x))"),
            ("(bvand x {min})", "(concat ((_ extract {w1} {w1}) x) (_ bv0 {w1}))"),
        ],
    },
    Rule {
        id: "bvxor",
        op: Op::BvXor,
        apply: exclusive_or,
        laws: &[
            ("(bvxor x x)", "{0}"),
            ("(bvxor x (bvnot x))", "{-1}"),
            ("(bvxor x {0})", "x"),
            ("(bvxor x {-1})", "(bvnot x)"),
            ("(bvxor {c} x {d})", "(bvxor x (bvxor {c} {d}))"),
            ("(bvxor x (bvxor y z))", "(bvxor x y z)"),
            ("(bvxor x (bvnot y))", "(bvnot (bvxor x y))"),
        ],
    },
];

fn not_not(t: &mut Terms, n: TermId) -> Option<TermId> {
    under(t, Op::BvNot, t.args(n)[0])
}

fn not_ite(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (c, a, b) = as_ite(t, t.args(n)[0])?;
    if !(is_const(t, a) && is_const(t, b)) {
        return None;
    }
    let (a, b) = (t.mk(Op::BvNot, &[a]), t.mk(Op::BvNot, &[b]));
    Some(t.mk(Op::Ite, &[c, a, b]))
}

fn flattened(t: &Terms, n: TermId) -> Vec<TermId> {
    let (op, count) = (t.op(n), t.args(n).len());
    let mut args = Vec::new();
    for &arg in t.args(n) {
        if t.op(arg) == op && t.args(arg).len() + count <= MAX_FLAT {
            args.extend_from_slice(t.args(arg));
        } else {
            args.push(arg);
        }
    }
    args.sort_unstable();
    args
}

fn conjunction(t: &mut Terms, n: TermId) -> Option<TermId> {
    let w = width(t, n);
    let mut value = BitVec::ones(w);
    let mut args = flattened(t, n);
    args.dedup();
    args.retain(|&a| match bit_vec(t, a) {
        Some(c) => {
            value = value.and(c);
            false
        }
        None => true,
    });
    let contradicts =
        |&a: &TermId| under(t, Op::BvNot, a).is_some_and(|inner| args.binary_search(&inner).is_ok());
    if value.is_zero() || args.iter().any(contradicts) {
        return Some(zero(t, w));
    }
    if value != BitVec::ones(w) || args.is_empty() {
        args.push(constant(t, value));
    }
    Some(if let &[only] = &*args { only } else { t.mk(Op::BvAnd, &args) })
}

/// A mask of one run of ones cuts that run out.
fn mask(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (x, c) = pair(t, n)?;
    let value = bit_vec(t, c)?;
    let w = value.width();
    let ones: Vec<u32> = (0..w).filter(|&i| value.bit(i)).collect();
    let (&low, &high) = (ones.first()?, ones.last()?);
    if (high - low + 1) as usize != ones.len() {
        return None;
    }
    let mut parts = Vec::new();
    if high + 1 < w {
        parts.push(zero(t, w - 1 - high));
    }
    parts.push(extract(t, x, high, low));
    if low > 0 {
        parts.push(zero(t, low));
    }
    Some(concat(t, &parts))
}

fn exclusive_or(t: &mut Terms, n: TermId) -> Option<TermId> {
    let w = width(t, n);
    let mut value = BitVec::zero(w);
    let mut rest: Vec<TermId> = Vec::new();
    for arg in flattened(t, n) {
        match (bit_vec(t, arg), under(t, Op::BvNot, arg)) {
            (Some(c), _) => value = value.xor(c),
            (None, Some(inner)) => {
                value = value.not();
                rest.push(inner);
            }
            (None, None) => rest.push(arg),
        }
    }
    rest.sort_unstable();
    let mut args: Vec<TermId> = Vec::new();
    for arg in rest {
        if args.last() == Some(&arg) {
            args.pop();
        } else {
            args.push(arg);
        }
    }
    let negate = value == BitVec::ones(w) && !args.is_empty();
    if args.is_empty() || !(negate || value.is_zero()) {
        args.push(constant(t, value));
    }
    let sum = if let &[only] = &*args { only } else { t.mk(Op::BvXor, &args) };
    Some(if negate { t.mk(Op::BvNot, &[sum]) } else { sum })
}
