//! Rules for `concat`, `extract` and `sign_extend`.

use super::Rule;
use super::build::*;
use crate::tuning::blast_rewrite_slice::MAX_FLAT;
use smt::{BitVec, Op, TermId, Terms};

pub(super) static RULES: &[Rule] = &[
    Rule { id: "extract-all", op: Op::Extract, apply: extract_all, laws: &[("((_ extract {w1} 0) x)", "x")] },
    Rule {
        id: "extract-extract",
        op: Op::Extract,
        apply: extract_extract,
        laws: &[("((_ extract 0 0) ((_ extract {i} {j}) x))", "((_ extract {j} {j}) x)")],
    },
    Rule {
        id: "extract-concat",
        op: Op::Extract,
        apply: extract_concat,
        laws: &[
            ("((_ extract {i} {j}) (concat x y))", "((_ extract {i} {j}) y)"),
            ("((_ extract {i} {j}) (concat x #b0 y))", "((_ extract {i} {j}) y)"),
            ("((_ extract {w} {j}) (concat x y))", "(concat ((_ extract 0 0) x) ((_ extract {w1} {j}) y))"),
        ],
    },
    Rule {
        id: "extract-sign-extend",
        op: Op::Extract,
        apply: extract_sign_extend,
        laws: &[
            ("((_ extract {i} {j}) ((_ sign_extend 2) x))", "((_ extract {i} {j}) x)"),
            ("((_ extract {w} {w}) ((_ sign_extend 2) x))", "((_ extract {w1} {w1}) x)"),
        ],
    },
    Rule {
        id: "extract-bitwise",
        op: Op::Extract,
        apply: extract_bitwise,
        laws: &[
            ("((_ extract {i} {j}) (bvnot x))", "(bvnot ((_ extract {i} {j}) x))"),
            ("((_ extract {i} {j}) (bvand x y))", "(bvand ((_ extract {i} {j}) x) ((_ extract {i} {j}) y))"),
            ("((_ extract {i} {j}) (bvxor x y))", "(bvxor ((_ extract {i} {j}) x) ((_ extract {i} {j}) y))"),
        ],
    },
    Rule {
        id: "extract-ite-constants",
        op: Op::Extract,
        apply: extract_ite,
        laws: &[(
            "((_ extract {i} {j}) (ite p {c} {d}))",
            "(ite p ((_ extract {i} {j}) {c}) ((_ extract {i} {j}) {d}))",
        )],
    },
    Rule {
        id: "concat",
        op: Op::Concat,
        apply: joined,
        laws: &[
            ("(concat x (concat y z))", "(concat x y z)"),
            ("(concat {c} {d} x)", "(concat (concat {c} {d}) x)"),
            ("(concat x #b0 #b1 y)", "(concat x #b01 y)"),
        ],
    },
    Rule {
        id: "concat-adjacent-extracts",
        op: Op::Concat,
        apply: adjacent_extracts,
        laws: &[("(concat ((_ extract {w1} 1) x) ((_ extract 0 0) x))", "x")],
    },
    Rule {
        id: "sign-extend-twice",
        op: Op::SignExtend,
        apply: sign_extend_twice,
        laws: &[("((_ sign_extend 2) ((_ sign_extend 1) x))", "((_ sign_extend 3) x)")],
    },
];

fn extract_all(t: &mut Terms, n: TermId) -> Option<TermId> {
    let a = t.args(n)[0];
    (t.sort(a) == t.sort(n)).then_some(a)
}

fn extract_extract(t: &mut Terms, n: TermId) -> Option<TermId> {
    let [high, low] = t.indices(n);
    let inner = t.args(n)[0];
    let x = under(t, Op::Extract, inner)?;
    let offset = t.indices(inner)[1];
    Some(extract(t, x, high + offset, low + offset))
}

fn extract_concat(t: &mut Terms, n: TermId) -> Option<TermId> {
    let [high, low] = t.indices(n);
    let inner = t.args(n)[0];
    if t.op(inner) != Op::Concat {
        return None;
    }
    let mut parts = Vec::new();
    let mut end = width(t, inner);
    for part in t.args(inner).to_vec() {
        let start = end - width(t, part);
        if start <= high && end > low {
            parts.push(extract(t, part, high.min(end - 1) - start, low.max(start) - start));
        }
        end = start;
    }
    Some(concat(t, &parts))
}

fn extract_sign_extend(t: &mut Terms, n: TermId) -> Option<TermId> {
    let [high, low] = t.indices(n);
    let x = under(t, Op::SignExtend, t.args(n)[0])?;
    let w = width(t, x);
    if high < w {
        return Some(extract(t, x, high, low));
    }
    let kept = extract(t, x, w - 1, low.min(w - 1));
    let missing = high - low + 1 - width(t, kept);
    Some(if missing == 0 { kept } else { t.mk_indexed(Op::SignExtend, [missing, 0], &[kept]) })
}

fn extract_bitwise(t: &mut Terms, n: TermId) -> Option<TermId> {
    let [high, low] = t.indices(n);
    let inner = t.args(n)[0];
    let op = t.op(inner);
    if !matches!(op, Op::BvNot | Op::BvAnd | Op::BvXor) {
        return None;
    }
    let args: Vec<TermId> = t.args(inner).to_vec().into_iter().map(|a| extract(t, a, high, low)).collect();
    Some(t.mk(op, &args))
}

fn extract_ite(t: &mut Terms, n: TermId) -> Option<TermId> {
    let [high, low] = t.indices(n);
    let (c, a, b) = as_ite(t, t.args(n)[0])?;
    if !(is_const(t, a) || is_const(t, b)) {
        return None;
    }
    let (a, b) = (extract(t, a, high, low), extract(t, b, high, low));
    Some(t.mk(Op::Ite, &[c, a, b]))
}

fn joined(t: &mut Terms, n: TermId) -> Option<TermId> {
    let mut parts: Vec<TermId> = Vec::new();
    let count = t.args(n).len();
    for arg in t.args(n).to_vec() {
        let inner = if t.op(arg) == Op::Concat && t.args(arg).len() + count <= MAX_FLAT {
            t.args(arg).to_vec()
        } else {
            vec![arg]
        };
        for part in inner {
            let merged: Option<BitVec> = parts
                .last()
                .and_then(|&last| bit_vec(t, last))
                .and_then(|last| bit_vec(t, part).map(|value| last.concat(value)));
            match merged {
                Some(value) => {
                    parts.pop();
                    parts.push(constant(t, value));
                }
                None => parts.push(part),
            }
        }
    }
    Some(concat(t, &parts))
}

fn adjacent_extracts(t: &mut Terms, n: TermId) -> Option<TermId> {
    let parts = t.args(n).to_vec();
    let mut joined: Vec<TermId> = Vec::new();
    for &part in &parts {
        let merged = joined.last().copied().and_then(|last| {
            let (x, y) = (under(t, Op::Extract, last)?, under(t, Op::Extract, part)?);
            let ([high, middle], [next, low]) = (t.indices(last), t.indices(part));
            (x == y && middle == next + 1).then_some((x, high, low))
        });
        match merged {
            Some((x, high, low)) => {
                joined.pop();
                joined.push(extract(t, x, high, low));
            }
            None => joined.push(part),
        }
    }
    (joined.len() < parts.len()).then(|| concat(t, &joined))
}

fn sign_extend_twice(t: &mut Terms, n: TermId) -> Option<TermId> {
    let inner = t.args(n)[0];
    let x = under(t, Op::SignExtend, inner)?;
    let by = t.indices(n)[0] + t.indices(inner)[0];
    Some(t.mk_indexed(Op::SignExtend, [by, 0], &[x]))
}
