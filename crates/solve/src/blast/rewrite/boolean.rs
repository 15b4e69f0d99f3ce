//! Rules for `not`, `and` and `ite`.

use super::Rule;
use super::build::*;
use crate::tuning::blast_rewrite_boolean::MAX_FLAT;
use smt::{Op, SortId, TermId, Terms};

pub(super) static RULES: &[Rule] = &[
    Rule { id: "not-not", op: Op::Not, apply: not_not, laws: &[("(not (not p))", "p")] },
    Rule {
        id: "and",
        op: Op::And,
        apply: conjunction,
        laws: &[
            ("(and p (not p))", "false"),
            ("(and p q p)", "(and p q)"),
            ("(and p true)", "p"),
            ("(and p false)", "false"),
            ("(and p (and q r))", "(and p q r)"),
        ],
    },
    Rule {
        id: "ite-constant",
        op: Op::Ite,
        apply: ite_constant,
        laws: &[("(ite true x y)", "x"), ("(ite false x y)", "y")],
    },
    Rule { id: "ite-same", op: Op::Ite, apply: ite_same, laws: &[("(ite p x x)", "x")] },
    Rule { id: "ite-not", op: Op::Ite, apply: ite_not, laws: &[("(ite (not p) x y)", "(ite p y x)")] },
    Rule {
        id: "ite-bool",
        op: Op::Ite,
        apply: ite_bool,
        laws: &[
            ("(ite p q true)", "(not (and p (not q)))"),
            ("(ite p q false)", "(and p q)"),
            ("(ite p true q)", "(not (and (not p) (not q)))"),
            ("(ite p false q)", "(and (not p) q)"),
            ("(ite p true false)", "p"),
            ("(ite p false true)", "(not p)"),
            ("(ite p p q)", "(not (and (not p) (not q)))"),
            ("(ite p q p)", "(and p q)"),
        ],
    },
    Rule {
        id: "ite-same-condition",
        op: Op::Ite,
        apply: ite_same_condition,
        laws: &[("(ite p (ite p x y) z)", "(ite p x z)"), ("(ite p x (ite p y z))", "(ite p x z)")],
    },
    Rule {
        id: "ite-shared-branch",
        op: Op::Ite,
        apply: ite_shared_branch,
        laws: &[
            ("(ite p x (ite q x y))", "(ite (not (and (not p) (not q))) x y)"),
            ("(ite p x (ite q y x))", "(ite (not (and (not p) q)) x y)"),
            ("(ite p (ite q x y) x)", "(ite (and p (not q)) y x)"),
            ("(ite p (ite q x y) y)", "(ite (and p q) x y)"),
        ],
    },
    Rule {
        id: "ite-equal-to-branch",
        op: Op::Ite,
        apply: ite_equal_to_branch,
        laws: &[("(ite (= x y) x y)", "y"), ("(ite (= x y) y x)", "x")],
    },
];

fn not_not(t: &mut Terms, n: TermId) -> Option<TermId> {
    under(t, Op::Not, t.args(n)[0])
}

fn conjunction(t: &mut Terms, n: TermId) -> Option<TermId> {
    let mut args: Vec<TermId> = Vec::new();
    for &arg in t.args(n) {
        if t.op(arg) == Op::And && t.args(arg).len() + t.args(n).len() <= MAX_FLAT {
            args.extend_from_slice(t.args(arg));
        } else {
            args.push(arg);
        }
    }
    args.sort_unstable();
    args.dedup();
    args.retain(|&a| a != TermId::TRUE);
    let contradicts =
        |&a: &TermId| under(t, Op::Not, a).is_some_and(|inner| args.binary_search(&inner).is_ok());
    if args.contains(&TermId::FALSE) || args.iter().any(contradicts) {
        return Some(TermId::FALSE);
    }
    Some(match &*args {
        [] => TermId::TRUE,
        &[only] => only,
        _ => and(t, &args),
    })
}

fn ite_constant(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (c, a, b) = as_ite(t, n)?;
    match c {
        TermId::TRUE => Some(a),
        TermId::FALSE => Some(b),
        _ => None,
    }
}

fn ite_same(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (_, a, b) = as_ite(t, n)?;
    (a == b).then_some(a)
}

fn ite_not(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (c, a, b) = as_ite(t, n)?;
    let c = under(t, Op::Not, c)?;
    Some(t.mk(Op::Ite, &[c, b, a]))
}

fn ite_bool(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (c, a, b) = as_ite(t, n)?;
    if t.sort(n) != SortId::BOOL {
        return None;
    }
    let a = if a == c { TermId::TRUE } else { a };
    let b = if b == c { TermId::FALSE } else { b };
    match (a, b) {
        (TermId::TRUE, TermId::FALSE) => Some(c),
        (TermId::FALSE, TermId::TRUE) => Some(not(t, c)),
        (TermId::TRUE, b) => Some(or(t, &[c, b])),
        (TermId::FALSE, b) => {
            let c = not(t, c);
            Some(and(t, &[c, b]))
        }
        (a, TermId::TRUE) => {
            let c = not(t, c);
            Some(or(t, &[c, a]))
        }
        (a, TermId::FALSE) => Some(and(t, &[c, a])),
        _ => None,
    }
}

fn ite_same_condition(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (c, a, b) = as_ite(t, n)?;
    let inner = |x: TermId, then: bool| match as_ite(t, x) {
        Some((d, p, q)) if d == c => {
            if then {
                p
            } else {
                q
            }
        }
        _ => x,
    };
    let (new_a, new_b) = (inner(a, true), inner(b, false));
    (new_a != a || new_b != b).then(|| t.mk(Op::Ite, &[c, new_a, new_b]))
}

fn ite_shared_branch(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (c, a, b) = as_ite(t, n)?;
    if let Some((d, p, q)) = as_ite(t, b) {
        if p == a {
            let either = or(t, &[c, d]);
            return Some(t.mk(Op::Ite, &[either, a, q]));
        }
        if q == a {
            let not_d = not(t, d);
            let either = or(t, &[c, not_d]);
            return Some(t.mk(Op::Ite, &[either, a, p]));
        }
    }
    if let Some((d, p, q)) = as_ite(t, a) {
        if p == b {
            let not_d = not(t, d);
            let both = and(t, &[c, not_d]);
            return Some(t.mk(Op::Ite, &[both, q, b]));
        }
        if q == b {
            let both = and(t, &[c, d]);
            return Some(t.mk(Op::Ite, &[both, p, b]));
        }
    }
    None
}

fn ite_equal_to_branch(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (c, a, b) = as_ite(t, n)?;
    let (x, y) = pair(t, c).filter(|_| t.op(c) == Op::Eq)?;
    ((x, y) == (a, b) || (x, y) == (b, a)).then_some(b)
}
