//! Rules for `bvult` and `bvslt`.

use super::Rule;
use super::build::*;
use smt::{BitVec, Op, TermId, Terms};

pub(super) static RULES: &[Rule] = &[
    Rule { id: "ult-same", op: Op::BvUlt, apply: same, laws: &[("(bvult x x)", "false")] },
    Rule { id: "slt-same", op: Op::BvSlt, apply: same, laws: &[("(bvslt x x)", "false")] },
    Rule {
        id: "ult-extremes",
        op: Op::BvUlt,
        apply: ult_extremes,
        laws: &[
            ("(bvult x {0})", "false"),
            ("(bvult {-1} x)", "false"),
            ("(bvult {0} x)", "(not (= {0} x))"),
            ("(bvult x {-1})", "(not (= x {-1}))"),
            ("(bvult x {1})", "(= x {0})"),
        ],
    },
    Rule {
        id: "slt-extremes",
        op: Op::BvSlt,
        apply: slt_extremes,
        laws: &[
            ("(bvslt x {min})", "false"),
            ("(bvslt {min} x)", "(not (= {min} x))"),
            ("(bvslt (bvnot {min}) x)", "false"),
            ("(bvslt x (bvnot {min}))", "(not (= x (bvnot {min})))"),
        ],
    },
    Rule {
        id: "ult-common-high-part",
        op: Op::BvUlt,
        apply: common_high_part,
        laws: &[
            ("(bvult (concat x y) (concat x z))", "(bvult y z)"),
            ("(bvult ((_ zero_extend 3) x) ((_ zero_extend 3) y))", "(bvult x y)"),
        ],
    },
    Rule {
        id: "slt-sign",
        op: Op::BvSlt,
        apply: slt_zero,
        laws: &[("(bvslt x {0})", "(= ((_ extract {w1} {w1}) x) #b1)")],
    },
];

fn same(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    (a == b).then_some(TermId::FALSE)
}

fn differ(t: &mut Terms, a: TermId, b: TermId) -> TermId {
    let same = eq(t, a, b);
    not(t, same)
}

fn ult_extremes(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    if is_zero(t, b) || is_ones(t, a) {
        Some(TermId::FALSE)
    } else if is_zero(t, a) || is_ones(t, b) {
        Some(differ(t, a, b))
    } else if is_one(t, b) {
        let zero = zero(t, width(t, a));
        Some(eq(t, a, zero))
    } else {
        None
    }
}

fn slt_extremes(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    let least = BitVec::min_signed(width(t, a));
    let greatest = least.not();
    let is = |x: TermId, value: &BitVec| bit_vec(t, x) == Some(value);
    if is(b, &least) || is(a, &greatest) {
        Some(TermId::FALSE)
    } else if is(a, &least) || is(b, &greatest) {
        Some(differ(t, a, b))
    } else {
        None
    }
}

fn common_high_part(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    if t.op(a) != Op::Concat || t.op(b) != Op::Concat || t.args(a)[0] != t.args(b)[0] {
        return None;
    }
    let (low_a, low_b) = (t.args(a)[1..].to_vec(), t.args(b)[1..].to_vec());
    let (x, y) = (concat(t, &low_a), concat(t, &low_b));
    Some(t.mk(Op::BvUlt, &[x, y]))
}

fn slt_zero(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    if !is_zero(t, b) {
        return None;
    }
    let top = width(t, a) - 1;
    let sign = extract(t, a, top, top);
    let one = t.bv(1, 1);
    Some(eq(t, sign, one))
}
