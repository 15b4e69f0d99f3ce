//! Rules for sums, products, quotients and shifts by constants.

use super::Rule;
use super::build::*;
use super::linear::Linear;
use crate::tuning::blast_rewrite_arith::MAX_FACTORS;
use smt::{BitVec, Op, TermId, Terms};

pub(super) static RULES: &[Rule] = &[
    Rule {
        id: "bvadd",
        op: Op::BvAdd,
        apply: sum,
        laws: &[
            ("(bvadd x {0})", "x"),
            ("(bvadd x (bvneg x))", "{0}"),
            ("(bvadd {c} x {d})", "(bvadd x (bvadd {c} {d}))"),
            ("(bvadd x (bvadd y z))", "(bvadd x y z)"),
            ("(bvadd x x)", "(bvmul x (bvadd {1} {1}))"),
            ("(bvadd y (bvmul x {c}) (bvmul x {d}))", "(bvadd (bvmul x (bvadd {c} {d})) y)"),
        ],
    },
    Rule {
        id: "bvneg",
        op: Op::BvNeg,
        apply: negation,
        laws: &[
            ("(bvneg (bvneg x))", "x"),
            ("(bvneg (bvmul x {c}))", "(bvmul x (bvneg {c}))"),
            ("(bvneg (bvadd x {c}))", "(bvadd (bvneg x) (bvneg {c}))"),
        ],
    },
    Rule {
        id: "bvmul",
        op: Op::BvMul,
        apply: product,
        laws: &[
            ("(bvmul x {0})", "{0}"),
            ("(bvmul x {1})", "x"),
            ("(bvmul x {-1})", "(bvneg x)"),
            ("(bvmul {c} x {d})", "(bvmul x (bvmul {c} {d}))"),
            ("(bvmul x (bvmul y z))", "(bvmul x y z)"),
            ("(bvmul {c} x)", "(bvmul x {c})"),
        ],
    },
    Rule {
        id: "bvmul-neg",
        op: Op::BvMul,
        apply: product_of_negated,
        laws: &[
            ("(bvmul x (bvneg y))", "(bvneg (bvmul x y))"),
            ("(bvmul (bvneg x) (bvneg y))", "(bvmul x y)"),
        ],
    },
    Rule {
        id: "bvmul-sum",
        op: Op::BvMul,
        apply: multiple_of_sum,
        laws: &[("(bvmul (bvadd x {d}) {c})", "(bvadd (bvmul x {c}) (bvmul {d} {c}))")],
    },
    Rule {
        id: "bvudiv-constant",
        op: Op::BvUdiv,
        apply: divide_by_constant,
        laws: &[
            ("(bvudiv x {0})", "{-1}"),
            ("(bvudiv x {1})", "x"),
            ("(bvudiv x {min})", "(concat (_ bv0 {w1}) ((_ extract {w1} {w1}) x))"),
        ],
    },
    Rule {
        id: "bvudiv-same",
        op: Op::BvUdiv,
        apply: divide_same,
        laws: &[("(bvudiv x x)", "(ite (= x {0}) {-1} {1})"), ("(bvudiv {0} x)", "(ite (= x {0}) {-1} {0})")],
    },
    Rule {
        id: "bvurem-constant",
        op: Op::BvUrem,
        apply: remainder_by_constant,
        laws: &[
            ("(bvurem x {0})", "x"),
            ("(bvurem x {1})", "{0}"),
            ("(bvurem x {min})", "(concat #b0 ((_ extract {w-2} 0) x))"),
        ],
    },
    Rule {
        id: "bvurem-same",
        op: Op::BvUrem,
        apply: remainder_same,
        laws: &[("(bvurem x x)", "{0}"), ("(bvurem {0} x)", "{0}")],
    },
    Rule {
        id: "bvshl-constant",
        op: Op::BvShl,
        apply: shift_left,
        laws: &[("(bvshl x {1})", "(concat ((_ extract {w-2} 0) x) #b0)"), ("(bvshl x {-1})", "{0}")],
    },
    Rule {
        id: "bvlshr-constant",
        op: Op::BvLshr,
        apply: shift_right,
        laws: &[("(bvlshr x {1})", "(concat #b0 ((_ extract {w1} 1) x))"), ("(bvlshr x {-1})", "{0}")],
    },
    Rule {
        id: "bvashr-constant",
        op: Op::BvAshr,
        apply: shift_right_signed,
        laws: &[
            ("(bvashr x {1})", "((_ sign_extend 1) ((_ extract {w1} 1) x))"),
            ("(bvashr x {-1})", "((_ sign_extend {w1}) ((_ extract {w1} {w1}) x))"),
        ],
    },
    Rule { id: "bvshl-zero", op: Op::BvShl, apply: shifted_zero, laws: &[("(bvshl {0} x)", "{0}")] },
    Rule { id: "bvlshr-zero", op: Op::BvLshr, apply: shifted_zero, laws: &[("(bvlshr {0} x)", "{0}")] },
    Rule {
        id: "bvashr-fixed",
        op: Op::BvAshr,
        apply: shifted_signs,
        laws: &[("(bvashr {0} x)", "{0}"), ("(bvashr {-1} x)", "{-1}")],
    },
];

fn sum(t: &mut Terms, n: TermId) -> Option<TermId> {
    Some(Linear::of(t, n).build(t))
}

fn negation(t: &mut Terms, n: TermId) -> Option<TermId> {
    let arg = t.args(n)[0];
    matches!(t.op(arg), Op::BvNeg | Op::BvAdd | Op::BvMul).then(|| Linear::of(t, n).build(t))
}

/// Factors ascending, the constant last.
fn product(t: &mut Terms, n: TermId) -> Option<TermId> {
    let w = width(t, n);
    let mut value = BitVec::from_u64(w, 1);
    let mut factors = Vec::new();
    for &arg in t.args(n) {
        if t.op(arg) == Op::BvMul && t.args(arg).len() + t.args(n).len() <= MAX_FACTORS {
            factors.extend_from_slice(t.args(arg));
        } else {
            factors.push(arg);
        }
    }
    factors.retain(|&f| match bit_vec(t, f) {
        Some(c) => {
            value = value.mul(c);
            false
        }
        None => true,
    });
    factors.sort_unstable();
    if value.is_zero() {
        return Some(zero(t, w));
    }
    let negate = w > 1 && value == BitVec::ones(w);
    if !negate && value.to_u64() != Some(1) || factors.is_empty() {
        // A constant multiplies the product of the rest, so that sums can collect multiples of it.
        let rest = if factors.len() > 1 { t.mk(Op::BvMul, &factors) } else { *factors.first()? };
        let value = constant(t, value);
        return Some(t.mk(Op::BvMul, &[rest, value]));
    }
    let all = if let &[only] = &*factors { only } else { t.mk(Op::BvMul, &factors) };
    Some(if negate { t.mk(Op::BvNeg, &[all]) } else { all })
}

fn product_of_negated(t: &mut Terms, n: TermId) -> Option<TermId> {
    let mut odd = false;
    let factors: Vec<TermId> = t
        .args(n)
        .iter()
        .map(|&arg| match under(t, Op::BvNeg, arg) {
            Some(inner) => {
                odd = !odd;
                inner
            }
            None => arg,
        })
        .collect();
    if factors == t.args(n) {
        return None;
    }
    let product = t.mk(Op::BvMul, &factors);
    Some(if odd { t.mk(Op::BvNeg, &[product]) } else { product })
}

/// `c * (x + d) = c * x + c * d`: one multiplication either way, and the sum can go on.
fn multiple_of_sum(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, c) = pair(t, n)?;
    let (x, d) = pair(t, a).filter(|_| t.op(a) == Op::BvAdd)?;
    let shift = bit_vec(t, c)?.mul(bit_vec(t, d)?);
    let (multiple, shift) = (t.mk(Op::BvMul, &[x, c]), constant(t, shift));
    Some(t.mk(Op::BvAdd, &[multiple, shift]))
}

/// The exponent, if a value is a power of two.
fn power_of_two(value: &BitVec) -> Option<u32> {
    let mut ones = (0..value.width()).filter(|&i| value.bit(i));
    let exponent = ones.next()?;
    ones.next().is_none().then_some(exponent)
}

fn divide_by_constant(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (x, c) = pair(t, n)?;
    let w = width(t, x);
    let value = bit_vec(t, c)?;
    if value.is_zero() {
        return Some(constant(t, BitVec::ones(w)));
    }
    let by = power_of_two(value)?;
    Some(moved_right(t, x, by, false))
}

fn divide_same(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (x, y) = pair(t, n)?;
    let w = width(t, x);
    let value = if x == y {
        BitVec::from_u64(w, 1)
    } else if is_zero(t, x) {
        BitVec::zero(w)
    } else {
        return None;
    };
    let (zero, ones, value) = (zero(t, w), constant(t, BitVec::ones(w)), constant(t, value));
    let by_zero = eq(t, y, zero);
    Some(t.mk(Op::Ite, &[by_zero, ones, value]))
}

fn remainder_by_constant(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (x, c) = pair(t, n)?;
    let w = width(t, x);
    let value = bit_vec(t, c)?;
    if value.is_zero() {
        return Some(x);
    }
    match power_of_two(value)? {
        0 => Some(zero(t, w)),
        bits => {
            let (high, low) = (zero(t, w - bits), extract(t, x, bits - 1, 0));
            Some(concat(t, &[high, low]))
        }
    }
}

fn remainder_same(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (x, y) = pair(t, n)?;
    (x == y || is_zero(t, x)).then(|| zero(t, width(t, x)))
}

/// A constant distance, at most the width.
fn distance(t: &Terms, by: TermId) -> Option<u32> {
    let value = bit_vec(t, by)?;
    Some(value.to_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX).min(value.width()))
}

fn shift_left(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (x, by) = pair(t, n)?;
    let (w, by) = (width(t, x), distance(t, by)?);
    if by == 0 {
        return Some(x);
    }
    let low = zero(t, by);
    if by == w {
        return Some(low);
    }
    let high = extract(t, x, w - 1 - by, 0);
    Some(concat(t, &[high, low]))
}

/// A word moved to the right, with zeros or with copies of its sign.
fn moved_right(t: &mut Terms, x: TermId, by: u32, signed: bool) -> TermId {
    let w = width(t, x);
    if by == 0 {
        return x;
    }
    match signed {
        true => {
            let kept = extract(t, x, w - 1, by.min(w - 1));
            let missing = w - width(t, kept);
            t.mk_indexed(Op::SignExtend, [missing, 0], &[kept])
        }
        false if by == w => zero(t, w),
        false => {
            let (high, low) = (zero(t, by), extract(t, x, w - 1, by));
            concat(t, &[high, low])
        }
    }
}

fn shift_right(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (x, by) = pair(t, n)?;
    let by = distance(t, by)?;
    Some(moved_right(t, x, by, false))
}

fn shift_right_signed(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (x, by) = pair(t, n)?;
    let by = distance(t, by)?;
    Some(moved_right(t, x, by, true))
}

fn shifted_zero(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (x, _) = pair(t, n)?;
    is_zero(t, x).then_some(x)
}

fn shifted_signs(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (x, _) = pair(t, n)?;
    (is_zero(t, x) || is_ones(t, x)).then_some(x)
}
