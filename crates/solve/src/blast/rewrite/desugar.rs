//! Rules that express operators by others, so that the remaining rules see few.

use super::Rule;
use super::build::*;
use crate::tuning::blast_rewrite_desugar::{MAX_PAIRWISE, MAX_REPEAT};
use smt::{BitVec, Op, TermId, Terms};

pub(super) static RULES: &[Rule] = &[
    Rule {
        id: "implies",
        op: Op::Implies,
        apply: implies,
        laws: &[("(=> p q)", "(not (and p (not q)))"), ("(=> p q r)", "(not (and p q (not r)))")],
    },
    Rule {
        id: "or",
        op: Op::Or,
        apply: disjunction,
        laws: &[
            ("(or p q)", "(not (and (not p) (not q)))"),
            ("(or p (not q) r)", "(not (and (not p) q (not r)))"),
        ],
    },
    Rule {
        id: "xor",
        op: Op::Xor,
        apply: xor,
        laws: &[("(xor p q)", "(not (= p q))"), ("(xor p q r)", "(not (= (not (= p q)) r))")],
    },
    Rule {
        id: "eq-chain",
        op: Op::Eq,
        apply: eq_chain,
        laws: &[("(= x y z)", "(and (= x y) (= y z))"), ("(= p q r)", "(and (= p q) (= q r))")],
    },
    Rule {
        id: "distinct",
        op: Op::Distinct,
        apply: distinct,
        laws: &[
            ("(distinct x y)", "(and (not (= x y)))"),
            ("(distinct x y z)", "(and (not (= x y)) (not (= x z)) (not (= y z)))"),
        ],
    },
    Rule {
        id: "bvor",
        op: Op::BvOr,
        apply: bv_or,
        laws: &[
            ("(bvor x y)", "(bvnot (bvand (bvnot x) (bvnot y)))"),
            ("(bvor x {c} (bvnot z))", "(bvnot (bvand (bvnot x) (bvnot {c}) (bvnot (bvnot z))))"),
        ],
    },
    Rule {
        id: "bvnand",
        op: Op::BvNand,
        apply: |t, n| negated(t, n, Op::BvAnd),
        laws: &[("(bvnand x y)", "(bvnot (bvand x y))")],
    },
    Rule {
        id: "bvnor",
        op: Op::BvNor,
        apply: |t, n| negated(t, n, Op::BvOr),
        laws: &[("(bvnor x y)", "(bvnot (bvor x y))")],
    },
    Rule {
        id: "bvxnor",
        op: Op::BvXnor,
        apply: |t, n| negated(t, n, Op::BvXor),
        laws: &[("(bvxnor x y)", "(bvnot (bvxor x y))")],
    },
    Rule { id: "bvsub", op: Op::BvSub, apply: bv_sub, laws: &[("(bvsub x y)", "(bvadd x (bvneg y))")] },
    Rule {
        id: "bvugt",
        op: Op::BvUgt,
        apply: |t, n| compare(t, n, Op::BvUlt, true, false),
        laws: &[("(bvugt x y)", "(bvult y x)")],
    },
    Rule {
        id: "bvule",
        op: Op::BvUle,
        apply: |t, n| compare(t, n, Op::BvUlt, true, true),
        laws: &[("(bvule x y)", "(not (bvult y x))")],
    },
    Rule {
        id: "bvuge",
        op: Op::BvUge,
        apply: |t, n| compare(t, n, Op::BvUlt, false, true),
        laws: &[("(bvuge x y)", "(not (bvult x y))")],
    },
    Rule {
        id: "bvsgt",
        op: Op::BvSgt,
        apply: |t, n| compare(t, n, Op::BvSlt, true, false),
        laws: &[("(bvsgt x y)", "(bvslt y x)")],
    },
    Rule {
        id: "bvsle",
        op: Op::BvSle,
        apply: if cfg!(feature = "planted-bug") {
            wrong_sle
        } else {
            |t, n| compare(t, n, Op::BvSlt, true, true)
        },
        laws: &[("(bvsle x y)", "(not (bvslt y x))")],
    },
    Rule {
        id: "bvsge",
        op: Op::BvSge,
        apply: |t, n| compare(t, n, Op::BvSlt, false, true),
        laws: &[("(bvsge x y)", "(not (bvslt x y))")],
    },
    Rule {
        id: "bvusubo",
        op: Op::BvUsubo,
        apply: |t, n| compare(t, n, Op::BvUlt, false, false),
        laws: &[("(bvusubo x y)", "(bvult x y)")],
    },
    Rule { id: "bvcomp", op: Op::BvComp, apply: comp, laws: &[("(bvcomp x y)", "(ite (= x y) #b1 #b0)")] },
    Rule {
        id: "bvredor",
        op: Op::BvRedOr,
        apply: redor,
        laws: &[("(bvredor x)", "(ite (not (= x {0})) #b1 #b0)")],
    },
    Rule {
        id: "bvredand",
        op: Op::BvRedAnd,
        apply: redand,
        laws: &[("(bvredand x)", "(ite (= x {-1}) #b1 #b0)")],
    },
    Rule { id: "bvnego", op: Op::BvNego, apply: nego, laws: &[("(bvnego x)", "(= x {min})")] },
    Rule {
        id: "zero-extend",
        op: Op::ZeroExtend,
        apply: zero_extend,
        laws: &[("((_ zero_extend {i}) x)", "(concat (_ bv0 {i}) x)")],
    },
    Rule {
        id: "sign-extend-by-none",
        op: Op::SignExtend,
        apply: extend_by_none,
        laws: &[("((_ sign_extend 0) x)", "x")],
    },
    Rule {
        id: "repeat",
        op: Op::Repeat,
        apply: repeat,
        laws: &[("((_ repeat 1) x)", "x"), ("((_ repeat 3) x)", "(concat x x x)")],
    },
    Rule {
        id: "rotate-left",
        op: Op::RotateLeft,
        apply: |t, n| rotate(t, n, false),
        laws: &[("((_ rotate_left {i}) x)", "(concat ((_ extract {w1-i} 0) x) ((_ extract {w1} {w-i}) x))")],
    },
    Rule {
        id: "rotate-right",
        op: Op::RotateRight,
        apply: |t, n| rotate(t, n, true),
        laws: &[("((_ rotate_right {i}) x)", "(concat ((_ extract {i-1} 0) x) ((_ extract {w1} {i}) x))")],
    },
    Rule {
        id: "bvsdiv",
        op: Op::BvSdiv,
        apply: sdiv,
        laws: &[(
            "(bvsdiv x y)",
            "(ite (= (= ((_ extract {w1} {w1}) x) #b1) (= ((_ extract {w1} {w1}) y) #b1)) (bvudiv (ite (= ((_ extract {w1} {w1}) x) #b1) (bvneg x) x) (ite (= ((_ extract {w1} {w1}) y) #b1) (bvneg y) y)) (bvneg (bvudiv (ite (= ((_ extract {w1} {w1}) x) #b1) (bvneg x) x) (ite (= ((_ extract {w1} {w1}) y) #b1) (bvneg y) y))))",
        )],
    },
    Rule {
        id: "bvsrem",
        op: Op::BvSrem,
        apply: srem,
        laws: &[(
            "(bvsrem x y)",
            "(ite (= ((_ extract {w1} {w1}) x) #b1) (bvneg (bvurem (ite (= ((_ extract {w1} {w1}) x) #b1) (bvneg x) x) (ite (= ((_ extract {w1} {w1}) y) #b1) (bvneg y) y))) (bvurem (ite (= ((_ extract {w1} {w1}) x) #b1) (bvneg x) x) (ite (= ((_ extract {w1} {w1}) y) #b1) (bvneg y) y)))",
        )],
    },
    Rule {
        id: "bvsmod",
        op: Op::BvSmod,
        apply: smod,
        laws: &[(
            "(bvsmod x y)",
            "(ite (or (= (bvurem (ite (= ((_ extract {w1} {w1}) x) #b1) (bvneg x) x) (ite (= ((_ extract {w1} {w1}) y) #b1) (bvneg y) y)) {0}) (= (= ((_ extract {w1} {w1}) x) #b1) (= ((_ extract {w1} {w1}) y) #b1))) (ite (= ((_ extract {w1} {w1}) x) #b1) (bvneg (bvurem (ite (= ((_ extract {w1} {w1}) x) #b1) (bvneg x) x) (ite (= ((_ extract {w1} {w1}) y) #b1) (bvneg y) y))) (bvurem (ite (= ((_ extract {w1} {w1}) x) #b1) (bvneg x) x) (ite (= ((_ extract {w1} {w1}) y) #b1) (bvneg y) y))) (bvadd (ite (= ((_ extract {w1} {w1}) x) #b1) (bvneg (bvurem (ite (= ((_ extract {w1} {w1}) x) #b1) (bvneg x) x) (ite (= ((_ extract {w1} {w1}) y) #b1) (bvneg y) y))) (bvurem (ite (= ((_ extract {w1} {w1}) x) #b1) (bvneg x) x) (ite (= ((_ extract {w1} {w1}) y) #b1) (bvneg y) y))) y))",
        )],
    },
];

fn implies(t: &mut Terms, n: TermId) -> Option<TermId> {
    let mut args = t.args(n).to_vec();
    let last = args.pop()?;
    args.push(not(t, last));
    let counterexample = and(t, &args);
    Some(not(t, counterexample))
}

fn disjunction(t: &mut Terms, n: TermId) -> Option<TermId> {
    let args = t.args(n).to_vec();
    Some(or(t, &args))
}

fn xor(t: &mut Terms, n: TermId) -> Option<TermId> {
    let args = t.args(n).to_vec();
    let (&first, rest) = args.split_first()?;
    Some(rest.iter().fold(first, |acc, &arg| {
        let same = eq(t, acc, arg);
        not(t, same)
    }))
}

fn eq_chain(t: &mut Terms, n: TermId) -> Option<TermId> {
    let args = t.args(n).to_vec();
    if args.len() < 3 {
        return None;
    }
    let links: Vec<TermId> = args.windows(2).map(|p| eq(t, p[0], p[1])).collect();
    Some(and(t, &links))
}

fn distinct(t: &mut Terms, n: TermId) -> Option<TermId> {
    let args = t.args(n).to_vec();
    // The pairs of many would take more memory as terms than they do as gates.
    if args.len() > MAX_PAIRWISE {
        return None;
    }
    let mut all = Vec::new();
    for (i, &a) in args.iter().enumerate() {
        for &b in &args[i + 1..] {
            let same = eq(t, a, b);
            all.push(not(t, same));
        }
    }
    Some(if all.is_empty() { TermId::TRUE } else { and(t, &all) })
}

fn bv_or(t: &mut Terms, n: TermId) -> Option<TermId> {
    let args = t.args(n).to_vec();
    let negated: Vec<TermId> = args.iter().map(|&a| t.mk(Op::BvNot, &[a])).collect();
    let none = t.mk(Op::BvAnd, &negated);
    Some(t.mk(Op::BvNot, &[none]))
}

fn negated(t: &mut Terms, n: TermId, op: Op) -> Option<TermId> {
    let args = t.args(n).to_vec();
    let positive = t.mk(op, &args);
    Some(t.mk(Op::BvNot, &[positive]))
}

fn bv_sub(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    Some(subtract(t, a, b))
}

fn compare(t: &mut Terms, n: TermId, op: Op, swap: bool, negate: bool) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    let atom = if swap { t.mk(op, &[b, a]) } else { t.mk(op, &[a, b]) };
    Some(if negate { not(t, atom) } else { atom })
}

/// What the feature `planted-bug` puts in place of the rule for `bvsle`: the strict comparison. The fuzzer's tests have to find it.
fn wrong_sle(t: &mut Terms, n: TermId) -> Option<TermId> {
    compare(t, n, Op::BvSlt, false, false)
}

/// A condition as a word of one bit.
fn one_bit(t: &mut Terms, condition: TermId) -> TermId {
    let (one, zero) = (t.bv(1, 1), t.bv(1, 0));
    t.mk(Op::Ite, &[condition, one, zero])
}

fn comp(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    let same = eq(t, a, b);
    Some(one_bit(t, same))
}

fn redor(t: &mut Terms, n: TermId) -> Option<TermId> {
    let a = t.args(n)[0];
    let zero = zero(t, width(t, a));
    let none = eq(t, a, zero);
    let some = not(t, none);
    Some(one_bit(t, some))
}

fn redand(t: &mut Terms, n: TermId) -> Option<TermId> {
    let a = t.args(n)[0];
    let ones = constant(t, BitVec::ones(width(t, a)));
    let all = eq(t, a, ones);
    Some(one_bit(t, all))
}

fn nego(t: &mut Terms, n: TermId) -> Option<TermId> {
    let a = t.args(n)[0];
    let least = constant(t, BitVec::min_signed(width(t, a)));
    Some(eq(t, a, least))
}

fn zero_extend(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, by) = (t.args(n)[0], t.indices(n)[0]);
    if by == 0 {
        return Some(a);
    }
    let high = zero(t, by);
    Some(concat(t, &[high, a]))
}

fn extend_by_none(t: &mut Terms, n: TermId) -> Option<TermId> {
    (t.indices(n)[0] == 0).then(|| t.args(n)[0])
}

fn repeat(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, times) = (t.args(n)[0], t.indices(n)[0]);
    (times <= MAX_REPEAT).then(|| concat(t, &vec![a; times as usize]))
}

fn rotate(t: &mut Terms, n: TermId, right: bool) -> Option<TermId> {
    let a = t.args(n)[0];
    let w = width(t, a);
    let by = t.indices(n)[0] % w;
    let by = if right { (w - by) % w } else { by };
    if by == 0 {
        return Some(a);
    }
    let (low, high) = (extract(t, a, w - by - 1, 0), extract(t, a, w - 1, w - by));
    Some(concat(t, &[low, high]))
}

fn is_negative(t: &mut Terms, a: TermId) -> TermId {
    let w = width(t, a);
    let sign = extract(t, a, w - 1, w - 1);
    let one = t.bv(1, 1);
    eq(t, sign, one)
}

fn negate_if(t: &mut Terms, condition: TermId, a: TermId) -> TermId {
    let negated = t.mk(Op::BvNeg, &[a]);
    t.mk(Op::Ite, &[condition, negated, a])
}

/// The operands' signs, and the unsigned operation on their magnitudes.
fn on_magnitudes(t: &mut Terms, n: TermId, op: Op) -> Option<(TermId, TermId, TermId)> {
    let (a, b) = pair(t, n)?;
    let (sign_a, sign_b) = (is_negative(t, a), is_negative(t, b));
    let (abs_a, abs_b) = (negate_if(t, sign_a, a), negate_if(t, sign_b, b));
    Some((sign_a, sign_b, t.mk(op, &[abs_a, abs_b])))
}

fn sdiv(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (sign_a, sign_b, quotient) = on_magnitudes(t, n, Op::BvUdiv)?;
    let same = eq(t, sign_a, sign_b);
    let differ = not(t, same);
    Some(negate_if(t, differ, quotient))
}

fn srem(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (sign_a, _, rest) = on_magnitudes(t, n, Op::BvUrem)?;
    Some(negate_if(t, sign_a, rest))
}

fn smod(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (_, b) = pair(t, n)?;
    let (sign_a, sign_b, rest) = on_magnitudes(t, n, Op::BvUrem)?;
    let signed = negate_if(t, sign_a, rest);
    let zero = zero(t, width(t, b));
    let exact = eq(t, rest, zero);
    let same = eq(t, sign_a, sign_b);
    let keep = or(t, &[exact, same]);
    let adjusted = t.mk(Op::BvAdd, &[signed, b]);
    Some(t.mk(Op::Ite, &[keep, signed, adjusted]))
}
