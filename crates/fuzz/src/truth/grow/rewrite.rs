//! The table of equivalences that unsatisfiable formulas are made with: a formula and its rewritten copy cannot differ. Each row
//! rewrites an application to an equal one; where the standard leaves a value open, both sides apply the same operator to the same
//! values, so that they stay equal whatever a solver chooses. A test checks every row against the evaluator.

use random::Rng;
use smt::op::Laws;
use smt::walk::reachable;
use smt::{Op, SortId, TermId, TermMap, Terms};

/// A rewriting of one application; `None` if the row does not fit.
type Rewrite = fn(&mut Terms, TermId) -> Option<TermId>;

/// Two operators that are each other with exchanged arguments.
static MIRRORED: &[(Op, Op)] = &[
    (Op::Le, Op::Ge),
    (Op::Lt, Op::Gt),
    (Op::BvUle, Op::BvUge),
    (Op::BvUlt, Op::BvUgt),
    (Op::BvSle, Op::BvSge),
    (Op::BvSlt, Op::BvSgt),
    (Op::FpLeq, Op::FpGeq),
    (Op::FpLt, Op::FpGt),
];

/// Two operators of which one is the other's negation, for totally ordered sorts.
static COMPLEMENTS: &[(Op, Op)] = &[
    (Op::Le, Op::Gt),
    (Op::Lt, Op::Ge),
    (Op::BvUle, Op::BvUgt),
    (Op::BvUlt, Op::BvUge),
    (Op::BvSle, Op::BvSgt),
    (Op::BvSlt, Op::BvSge),
];

/// The other of a pair of operators.
fn partner(pairs: &[(Op, Op)], op: Op) -> Option<Op> {
    pairs.iter().find_map(|&(a, b)| if a == op { Some(b) } else { (b == op).then_some(a) })
}

fn two(terms: &Terms, term: TermId) -> Option<(TermId, TermId)> {
    let [a, b] = *terms.args(term) else { return None };
    Some((a, b))
}

/// The rows: a name, and the rewriting.
pub(super) static REWRITES: &[(&str, Rewrite)] = &[
    ("commuted", |terms, t| {
        let (op, (a, b)) = (terms.op(t), two(terms, t)?);
        op.info()
            .laws
            .has(Laws::COMMUTATIVE)
            .then(|| terms.app_indexed(op, terms.indices(t), &[b, a]).ok())?
    }),
    ("mirrored", |terms, t| {
        let (op, (a, b)) = (partner(MIRRORED, terms.op(t))?, two(terms, t)?);
        terms.app(op, &[b, a]).ok()
    }),
    ("complement", |terms, t| {
        let (op, (a, b)) = (partner(COMPLEMENTS, terms.op(t))?, two(terms, t)?);
        let other = terms.app(op, &[a, b]).ok()?;
        terms.app(Op::Not, &[other]).ok()
    }),
    ("twice-negated", |terms, t| {
        let op = match terms.sort_of(terms.sort(t)) {
            smt::Sort::Bool => Op::Not,
            smt::Sort::BitVec(_) => Op::BvNot,
            smt::Sort::Int | smt::Sort::Real => Op::Neg,
            smt::Sort::Float(..) => Op::FpNeg,
            _ => return None,
        };
        let once = terms.app(op, &[t]).ok()?;
        terms.app(op, &[once]).ok()
    }),
    ("implication", |terms, t| {
        let (Op::Implies, (a, b)) = (terms.op(t), two(terms, t)?) else { return None };
        let negated = terms.app(Op::Not, &[a]).ok()?;
        terms.app(Op::Or, &[b, negated]).ok()
    }),
    ("de-morgan", |terms, t| {
        let op = match terms.op(t) {
            Op::And => Op::Or,
            Op::Or => Op::And,
            _ => return None,
        };
        let args = terms.args(t).to_vec();
        let negated: Vec<TermId> = args.iter().map(|&a| terms.mk(Op::Not, &[a])).collect();
        let inner = terms.app(op, &negated).ok()?;
        terms.app(Op::Not, &[inner]).ok()
    }),
    ("ite-turned", |terms, t| {
        let (Op::Ite, &[c, a, b]) = (terms.op(t), terms.args(t)) else { return None };
        let negated = terms.app(Op::Not, &[c]).ok()?;
        terms.app(Op::Ite, &[negated, b, a]).ok()
    }),
    ("distinct-as-not-equal", |terms, t| {
        let (Op::Distinct, (a, b)) = (terms.op(t), two(terms, t)?) else { return None };
        let equal = terms.app(Op::Eq, &[a, b]).ok()?;
        terms.app(Op::Not, &[equal]).ok()
    }),
    ("difference-as-sum", |terms, t| {
        let (a, b) = two(terms, t)?;
        let (negate, add) = match terms.op(t) {
            Op::Sub => (Op::Neg, Op::Add),
            Op::BvSub => (Op::BvNeg, Op::BvAdd),
            _ => return None,
        };
        let negated = terms.app(negate, &[b]).ok()?;
        terms.app(add, &[a, negated]).ok()
    }),
    ("float-difference-as-sum", |terms, t| {
        let (Op::FpSub, &[rm, a, b]) = (terms.op(t), terms.args(t)) else { return None };
        let negated = terms.app(Op::FpNeg, &[b]).ok()?;
        terms.app(Op::FpAdd, &[rm, a, negated]).ok()
    }),
    ("negation-as-complement", |terms, t| {
        let (Op::BvNeg, &[a]) = (terms.op(t), terms.args(t)) else { return None };
        let smt::Sort::BitVec(width) = *terms.sort_of(terms.sort(t)) else { return None };
        let (inverted, one) = (terms.app(Op::BvNot, &[a]).ok()?, terms.bv(width, 1));
        terms.app(Op::BvAdd, &[inverted, one]).ok()
    }),
    ("equal-bits", |terms, t| {
        let (Op::Eq, (a, b)) = (terms.op(t), two(terms, t)?) else { return None };
        let smt::Sort::BitVec(width) = *terms.sort_of(terms.sort(a)) else { return None };
        let (difference, zero) = (terms.app(Op::BvXor, &[a, b]).ok()?, terms.bv(width, 0));
        terms.app(Op::Eq, &[difference, zero]).ok()
    }),
    ("equal-numbers", |terms, t| {
        let (Op::Eq, (a, b)) = (terms.op(t), two(terms, t)?) else { return None };
        if !matches!(terms.sort(a), SortId::INT | SortId::REAL) {
            return None;
        }
        let (le, ge) = (terms.app(Op::Le, &[a, b]).ok()?, terms.app(Op::Ge, &[a, b]).ok()?);
        terms.app(Op::And, &[le, ge]).ok()
    }),
    ("concatenated-empty", |terms, t| {
        if terms.sort(t) != SortId::STRING {
            return None;
        }
        let empty = terms.string("");
        terms.app(Op::StrConcat, &[empty, t]).ok()
    }),
    ("prefix-as-substring", |terms, t| {
        let (Op::StrPrefixOf, (a, b)) = (terms.op(t), two(terms, t)?) else { return None };
        let (zero, length) = (terms.int(0), terms.app(Op::StrLen, &[a]).ok()?);
        let start = terms.app(Op::StrSubstr, &[b, zero, length]).ok()?;
        terms.app(Op::Eq, &[start, a]).ok()
    }),
    ("stored-back", |terms, t| {
        let (Op::Select, (array, index)) = (terms.op(t), two(terms, t)?) else { return None };
        let stored = terms.app(Op::Store, &[array, index, t]).ok()?;
        terms.app(Op::Select, &[stored, index]).ok()
    }),
];

/// A copy of a formula in which up to `most` subterms are rewritten, and the names of the rows.
pub(super) fn copy(
    terms: &mut Terms,
    formula: TermId,
    most: usize,
    rng: &mut Rng,
) -> (TermId, Vec<&'static str>) {
    let (mut formula, mut names) = (formula, Vec::new());
    for _ in 0..8 * most {
        if names.len() >= most {
            break;
        }
        let places: Vec<TermId> = reachable(terms, &[formula])
            .into_iter()
            .filter(|&t| !terms.flags(t).has(smt::Flags::BOUND))
            .collect();
        let Some(place) = rng.choose(&places) else { break };
        let (name, rewrite) = rng.pick(REWRITES);
        if let Some(new) = rewrite(terms, place)
            && new != place
        {
            formula = terms.substitute(&[formula], &TermMap::from_iter([(place, new)]))[0];
            names.push(name);
        }
    }
    (formula, names)
}
