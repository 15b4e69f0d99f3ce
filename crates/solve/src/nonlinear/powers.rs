//! Lemmas about powers of two: valid formulas over an exponent and the unknown that stands for the power, all linear.

use super::products::Power;
use crate::tuning::nonlinear_powers::MAX_EXPONENT;
use smt::{Evaluator, IBig, Model, Op, TermId, Terms, Value};

fn implies(terms: &mut Terms, premise: TermId, conclusion: TermId) -> TermId {
    terms.mk(Op::Implies, &[premise, conclusion])
}

/// What holds of every power: it is zero below the exponent zero, one there, and above it even and larger than its exponent.
pub(super) fn general(terms: &mut Terms, Power { exponent: x, result: p }: Power) -> Vec<TermId> {
    let (zero, one, two) = (terms.int(0), terms.int(1), terms.int(2));
    let cases = [
        (Op::Lt, terms.mk(Op::Eq, &[p, zero])),
        (Op::Eq, terms.mk(Op::Eq, &[p, one])),
        (Op::Ge, terms.mk(Op::Gt, &[p, x])),
        (Op::Gt, {
            let rest = terms.mk(Op::Mod, &[p, two]);
            terms.mk(Op::Eq, &[rest, zero])
        }),
    ];
    cases
        .into_iter()
        .map(|(op, conclusion)| {
            let premise = terms.mk(op, &[x, zero]);
            implies(terms, premise, conclusion)
        })
        .collect()
}

/// Equal exponents have equal powers, and a larger one has at least twice the power.
pub(super) fn between(terms: &mut Terms, first: Power, second: Power) -> Vec<TermId> {
    let same = terms.mk(Op::Eq, &[first.exponent, second.exponent]);
    let agree = terms.mk(Op::Eq, &[first.result, second.result]);
    let mut lemmas = vec![implies(terms, same, agree)];
    let two = terms.int(2);
    for (small, large) in [(first, second), (second, first)] {
        let less = terms.mk(Op::Lt, &[small.exponent, large.exponent]);
        let twice = terms.mk(Op::Mul, &[two, small.result]);
        let grows = terms.mk(Op::Le, &[twice, large.result]);
        lemmas.push(implies(terms, less, grows));
    }
    lemmas
}

/// What a model gets wrong about a power: its value there, and lines above and below it.
pub(super) fn at_model(terms: &mut Terms, power: Power, model: &Model) -> Vec<TermId> {
    let Power { exponent: x, result: p } = power;
    let value = |t: TermId| match Evaluator::new(terms, model).eval(t) {
        Ok(Value::Int(i)) => Some(i),
        _ => None,
    };
    let (Some(at), Some(result)) = (value(x), value(p)) else { return Vec::new() };
    let Some(n) = usize::try_from(&at).ok().filter(|&n| n <= MAX_EXPONENT) else { return Vec::new() };
    let exact = IBig::ONE << n;
    if result == exact { Vec::new() } else { at_point(terms, power, &at, &exact) }
}

/// Lemmas around an exponent with its power.
pub(super) fn at_point(terms: &mut Terms, power: Power, at: &IBig, exact: &IBig) -> Vec<TermId> {
    let Power { exponent: x, result: p } = power;
    let (here, exact_term) = (terms.int(at.clone()), terms.int(exact.clone()));
    let below = {
        let (premise, conclusion) = (terms.mk(Op::Le, &[x, here]), terms.mk(Op::Le, &[p, exact_term]));
        implies(terms, premise, conclusion)
    };
    // Powers are convex: beyond the points n and n + 1 they lie above the line through both.
    let above = {
        let one = terms.int(1);
        let premise = terms.mk(Op::Ge, &[x, here]);
        let steps = terms.mk(Op::Sub, &[x, here]);
        let steps = terms.mk(Op::Add, &[steps, one]);
        let line = terms.mk(Op::Mul, &[exact_term, steps]);
        let conclusion = terms.mk(Op::Ge, &[p, line]);
        implies(terms, premise, conclusion)
    };
    vec![below, above]
}
