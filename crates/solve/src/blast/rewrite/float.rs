//! Rules for floats: few comparisons, operands in order, and signs and classes that can be told without a circuit.

use super::Rule;
use super::build::*;
use smt::{Op, TermId, Terms};

pub(super) static RULES: &[Rule] = &[
    Rule {
        id: "fp-lt-chain",
        op: Op::FpLt,
        apply: chain,
        laws: &[("(fp.lt f g h)", "(and (fp.lt f g) (fp.lt g h))")],
    },
    Rule {
        id: "fp-leq-chain",
        op: Op::FpLeq,
        apply: chain,
        laws: &[("(fp.leq f g h)", "(and (fp.leq f g) (fp.leq g h))")],
    },
    Rule {
        id: "fp-gt",
        op: Op::FpGt,
        apply: |t, n| turned(t, n, Op::FpLt),
        laws: &[("(fp.gt f g)", "(fp.lt g f)"), ("(fp.gt f g h)", "(fp.lt h g f)")],
    },
    Rule {
        id: "fp-geq",
        op: Op::FpGeq,
        apply: |t, n| turned(t, n, Op::FpLeq),
        laws: &[("(fp.geq f g)", "(fp.leq g f)"), ("(fp.geq f g h)", "(fp.leq h g f)")],
    },
    Rule {
        id: "fp-eq-chain",
        op: Op::FpEq,
        apply: chain,
        laws: &[("(fp.eq f g h)", "(and (fp.eq f g) (fp.eq g h))")],
    },
    Rule { id: "fp-eq-order", op: Op::FpEq, apply: in_order, laws: &[("(fp.eq g f)", "(fp.eq f g)")] },
    Rule { id: "fp-lt-same", op: Op::FpLt, apply: less_than_itself, laws: &[("(fp.lt f f)", "false")] },
    Rule {
        id: "fp-leq-same",
        op: Op::FpLeq,
        apply: like_itself,
        laws: &[("(fp.leq f f)", "(not (fp.isNaN f))")],
    },
    Rule {
        id: "fp-eq-same",
        op: Op::FpEq,
        apply: like_itself,
        laws: &[("(fp.eq f f)", "(not (fp.isNaN f))")],
    },
    Rule {
        id: "fp-sub",
        op: Op::FpSub,
        apply: difference,
        laws: &[("(fp.sub k f g)", "(fp.add k f (fp.neg g))")],
    },
    Rule {
        id: "fp-add-order",
        op: Op::FpAdd,
        apply: in_order,
        laws: &[("(fp.add k g f)", "(fp.add k f g)")],
    },
    Rule {
        id: "fp-mul-order",
        op: Op::FpMul,
        apply: in_order,
        laws: &[("(fp.mul k g f)", "(fp.mul k f g)")],
    },
    Rule {
        id: "fp-fma-order",
        op: Op::FpFma,
        apply: in_order,
        laws: &[("(fp.fma k g f h)", "(fp.fma k f g h)")],
    },
    Rule {
        id: "fp-mul-signs",
        op: Op::FpMul,
        apply: two_signs,
        laws: &[("(fp.mul k (fp.neg f) (fp.neg g))", "(fp.mul k f g)")],
    },
    Rule {
        id: "fp-div-signs",
        op: Op::FpDiv,
        apply: two_signs,
        laws: &[("(fp.div k (fp.neg f) (fp.neg g))", "(fp.div k f g)")],
    },
    Rule { id: "fp-neg-neg", op: Op::FpNeg, apply: twice_negated, laws: &[("(fp.neg (fp.neg f))", "f")] },
    Rule {
        id: "fp-abs-sign",
        op: Op::FpAbs,
        apply: without_sign,
        laws: &[("(fp.abs (fp.neg f))", "(fp.abs f)"), ("(fp.abs (fp.abs f))", "(fp.abs f)")],
    },
    Rule {
        id: "fp-nan-sign",
        op: Op::FpIsNaN,
        apply: without_sign,
        laws: &[("(fp.isNaN (fp.neg f))", "(fp.isNaN f)")],
    },
    Rule {
        id: "fp-infinite-sign",
        op: Op::FpIsInfinite,
        apply: without_sign,
        laws: &[("(fp.isInfinite (fp.abs f))", "(fp.isInfinite f)")],
    },
    Rule {
        id: "fp-zero-sign",
        op: Op::FpIsZero,
        apply: without_sign,
        laws: &[("(fp.isZero (fp.neg f))", "(fp.isZero f)")],
    },
    Rule {
        id: "fp-normal-sign",
        op: Op::FpIsNormal,
        apply: without_sign,
        laws: &[("(fp.isNormal (fp.neg f))", "(fp.isNormal f)")],
    },
    Rule {
        id: "fp-subnormal-sign",
        op: Op::FpIsSubnormal,
        apply: without_sign,
        laws: &[("(fp.isSubnormal (fp.neg f))", "(fp.isSubnormal f)")],
    },
    Rule {
        id: "fp-rem-sign",
        op: Op::FpRem,
        apply: divisor_without_sign,
        laws: &[("(fp.rem f (fp.neg g))", "(fp.rem f g)")],
    },
    Rule {
        id: "fp-same-format",
        op: Op::ToFpFromFp,
        apply: same_format,
        laws: &[("((_ to_fp 3 {w+1}) k f)", "f")],
    },
];

/// A comparison of more than two is one of each with the next.
fn chain(t: &mut Terms, n: TermId) -> Option<TermId> {
    let args = t.args(n).to_vec();
    if args.len() < 3 {
        return None;
    }
    let op = t.op(n);
    let links: Vec<TermId> = args.windows(2).map(|p| t.mk(op, p)).collect();
    Some(and(t, &links))
}

fn turned(t: &mut Terms, n: TermId, op: Op) -> Option<TermId> {
    let mut args = t.args(n).to_vec();
    args.reverse();
    Some(t.mk(op, &args))
}

/// Operands that may change places stand in the order of their age. There is one NaN, so that they may.
fn in_order(t: &mut Terms, n: TermId) -> Option<TermId> {
    let mut args = t.args(n).to_vec();
    if t.op(n) == Op::FpEq && args.len() > 2 {
        return None;
    }
    let first = usize::from(t.op(n) != Op::FpEq);
    if args[first] <= args[first + 1] {
        return None;
    }
    args.swap(first, first + 1);
    Some(t.mk(t.op(n), &args))
}

fn less_than_itself(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    (a == b).then_some(TermId::FALSE)
}

/// All but NaN are like themselves.
fn like_itself(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    (a == b).then(|| {
        let nan = t.mk(Op::FpIsNaN, &[a]);
        not(t, nan)
    })
}

fn difference(t: &mut Terms, n: TermId) -> Option<TermId> {
    let &[mode, a, b] = t.args(n) else { return None };
    let negated = t.mk(Op::FpNeg, &[b]);
    Some(t.mk(Op::FpAdd, &[mode, a, negated]))
}

fn two_signs(t: &mut Terms, n: TermId) -> Option<TermId> {
    let &[mode, a, b] = t.args(n) else { return None };
    let (a, b) = (under(t, Op::FpNeg, a)?, under(t, Op::FpNeg, b)?);
    Some(t.mk(t.op(n), &[mode, a, b]))
}

fn twice_negated(t: &mut Terms, n: TermId) -> Option<TermId> {
    under(t, Op::FpNeg, t.args(n)[0])
}

fn unsigned(t: &Terms, a: TermId) -> Option<TermId> {
    under(t, Op::FpNeg, a).or_else(|| under(t, Op::FpAbs, a))
}

fn without_sign(t: &mut Terms, n: TermId) -> Option<TermId> {
    let inner = unsigned(t, t.args(n)[0])?;
    Some(t.mk(t.op(n), &[inner]))
}

/// The sign of the divisor does not matter: the quotient only changes its own.
fn divisor_without_sign(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    let b = unsigned(t, b)?;
    Some(t.mk(Op::FpRem, &[a, b]))
}

fn same_format(t: &mut Terms, n: TermId) -> Option<TermId> {
    let a = t.args(n)[1];
    (t.sort(a) == t.sort(n)).then_some(a)
}
