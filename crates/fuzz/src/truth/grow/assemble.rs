//! From grown terms to a formula whose truth is known.

use super::plot::Plot;
use super::{Grown, rewrite};
use crate::case::Expectation;
use crate::truth::operators::fixed;
use smt::eval::values_of;
use smt::walk::reachable;
use smt::{Command, Evaluator, Model, Op, Sort, SortId, TermId, Value};

/// Assignments that are tried for one formula, at most.
const ASSIGNMENTS: u64 = 1 << 12;
/// What one evaluation may cost.
const STEPS: u64 = 20_000;

/// The formula; `None` if nothing can be said of it.
pub(super) fn formula(mut plot: Plot<'_>) -> Option<Grown> {
    let way = plot.rng.below(10);
    let made = if plot.theme.finite && way < 5 {
        tried(&mut plot)?
    } else if way < 7 {
        satisfiable(&mut plot)?
    } else if way < 9 || !plot.functions.is_empty() {
        denied(&mut plot)?
    } else {
        contradicted(&mut plot)?
    };
    let (assertions, expected, model, how) = made;
    let used: Vec<TermId> = reachable(plot.terms, &assertions);
    let is_used = |fun: &smt::FunId| used.iter().any(|&t| plot.terms.as_fun(t) == Some(*fun));
    let mut declarations = plot.declarations.clone();
    declarations.retain(|command| match command {
        Command::DeclareConst(fun) | Command::DeclareFun(fun) => is_used(fun),
        _ => true,
    });
    let name = format!("{} {how}: {}", plot.theme.name, plot.names.join(" "));
    Some(Grown { declarations, assertions, expected, model, name })
}

/// Assertions, their truth, a model if there is one, and how it was made.
type Made = (Vec<TermId>, Expectation, Option<Model>, &'static str);

/// An atom over grown terms, and whether it is true.
fn atom(plot: &mut Plot<'_>) -> Option<(TermId, bool)> {
    let (term, value) = plot.rng.choose(&plot.grown)?;
    if let Value::Bool(truth) = value {
        return Some((term, truth));
    }
    let sort = plot.terms.sort(term);
    // Equality of floats is that of values here, which has a NaN equal to itself.
    if plot.rng.one_in(3) {
        let equation = fixed(plot.terms, term, &value);
        return Some((equation, true));
    }
    let other = plot.operand(sort);
    let (op, args) = match plot.terms.sort_of(sort) {
        Sort::Int | Sort::Real => (plot.rng.pick(&[Op::Le, Op::Lt, Op::Eq, Op::Ge]), [term, other]),
        Sort::BitVec(_) => {
            (plot.rng.pick(&[Op::BvUlt, Op::BvSle, Op::Eq, Op::Distinct, Op::BvUge]), [term, other])
        }
        Sort::Float(..) => (plot.rng.pick(&[Op::FpLeq, Op::FpLt, Op::FpEq, Op::Eq]), [term, other]),
        Sort::String => {
            (plot.rng.pick(&[Op::Eq, Op::StrPrefixOf, Op::StrContains, Op::StrLe]), [term, other])
        }
        _ => (Op::Eq, [term, other]),
    };
    let atom = plot.terms.app(op, &args).ok()?;
    let truth = truth_of(plot, atom)?;
    Some((atom, truth))
}

fn truth_of(plot: &Plot<'_>, term: TermId) -> Option<bool> {
    Evaluator::new(plot.terms, &plot.model).with_steps(STEPS).truth(term).ok()
}

/// A Boolean combination of atoms, and whether it is true.
fn combination(plot: &mut Plot<'_>, depth: usize) -> Option<(TermId, bool)> {
    if depth == 0 || plot.rng.one_in(3) {
        return atom(plot);
    }
    let (a, left) = combination(plot, depth - 1)?;
    let (b, right) = combination(plot, depth - 1)?;
    let terms = &mut *plot.terms;
    Some(match plot.rng.below(7) {
        0 => (terms.mk(Op::And, &[a, b]), left && right),
        1 => (terms.mk(Op::Or, &[a, b]), left || right),
        2 => (terms.mk(Op::Xor, &[a, b]), left != right),
        3 => (terms.mk(Op::Implies, &[a, b]), !left || right),
        4 => (terms.mk(Op::Eq, &[a, b]), left == right),
        5 => (terms.mk(Op::Not, &[a]), !left),
        _ => {
            let (c, third) = atom(plot)?;
            (plot.terms.mk(Op::Ite, &[a, b, c]), if left { right } else { third })
        }
    })
}

/// Combinations that are true under the values, negated where they are not.
fn satisfiable(plot: &mut Plot<'_>) -> Option<Made> {
    let mut assertions = Vec::new();
    for _ in 0..1 + plot.rng.below(4) {
        let (term, truth) = combination(plot, 2)?;
        assertions.push(if truth { term } else { plot.terms.mk(Op::Not, &[term]) });
    }
    assertions.dedup();
    // The evaluator has the last word on the whole.
    let model = plot.model.clone();
    let mut evaluator = Evaluator::new(plot.terms, &model).with_steps(4 * STEPS);
    if !assertions.iter().all(|&a| evaluator.truth(a) == Ok(true)) {
        return None;
    }
    Some((assertions, Expectation::Sat, Some(model), "witness"))
}

/// A formula and the negation of a rewritten copy.
fn denied(plot: &mut Plot<'_>) -> Option<Made> {
    let (term, _) = combination(plot, 2)?;
    let most = 1 + plot.rng.below(4);
    let (copy, names) = rewrite::copy(plot.terms, term, most, plot.rng);
    if names.is_empty() {
        return None;
    }
    let assertions = match plot.rng.below(3) {
        0 => {
            let negated = plot.terms.mk(Op::Not, &[copy]);
            vec![term, negated]
        }
        1 => {
            let equal = plot.terms.mk(Op::Eq, &[term, copy]);
            vec![plot.terms.mk(Op::Not, &[equal])]
        }
        _ => vec![plot.terms.mk(Op::Xor, &[term, copy])],
    };
    Some((assertions, Expectation::Unsat { core: None }, None, "denied copy"))
}

/// All constants fixed, and something false.
fn contradicted(plot: &mut Plot<'_>) -> Option<Made> {
    let (term, truth) = combination(plot, 1)?;
    let wrong = if truth { plot.terms.mk(Op::Not, &[term]) } else { term };
    let used = reachable(plot.terms, &[wrong]);
    let mut assertions = vec![wrong];
    for (constant, value) in plot.constants.clone() {
        if !used.contains(&constant) {
            continue;
        }
        // Arrays and datatypes are written as terms, which is not for here.
        if matches!(value, Value::Array(_) | Value::Datatype(_)) {
            return None;
        }
        assertions.push(fixed(plot.terms, constant, &value));
    }
    Some((assertions, Expectation::Unsat { core: None }, None, "fixed"))
}

/// Anything over small sorts: the truth is found by trying all values.
fn tried(plot: &mut Plot<'_>) -> Option<Made> {
    let mut assertions = Vec::new();
    for _ in 0..1 + plot.rng.below(4) {
        let (term, _) = combination(plot, 2)?;
        assertions.push(if plot.rng.one_in(3) { plot.terms.mk(Op::Not, &[term]) } else { term });
    }
    let used = reachable(plot.terms, &assertions);
    let constants: Vec<TermId> =
        plot.constants.iter().map(|(c, _)| *c).filter(|c| used.contains(c)).collect();
    let found = by_trying(plot.terms, &constants, &assertions)?;
    Some(match found {
        Some(model) => (assertions, Expectation::Sat, Some(model), "tried"),
        None => (assertions, Expectation::Unsat { core: None }, None, "tried"),
    })
}

/// A model of assertions over constants of small sorts, `Some(None)` if there is none, and `None` if nothing is known: the values
/// are too many, or one of them leaves an assertion open.
pub(crate) fn by_trying(
    terms: &smt::Terms,
    constants: &[TermId],
    assertions: &[TermId],
) -> Option<Option<Model>> {
    let mut lists: Vec<(smt::FunId, Vec<Value>)> = Vec::new();
    let mut total: u64 = 1;
    for &constant in constants {
        let values = values_of(terms, terms.sort(constant), 256)?;
        total = total.checked_mul(values.len() as u64).filter(|&n| n <= ASSIGNMENTS)?;
        lists.push((terms.as_fun(constant)?, values));
    }
    debug_assert!(assertions.iter().all(|&a| terms.sort(a) == SortId::BOOL));
    let mut open = false;
    for number in 0..total {
        let (mut rest, mut model) = (number as usize, Model::default());
        for (fun, values) in &lists {
            model.set(*fun, values[rest % values.len()].clone());
            rest /= values.len();
        }
        let mut evaluator = Evaluator::new(terms, &model).with_steps(STEPS);
        let (mut all, mut undefined) = (true, false);
        for &assertion in assertions {
            match evaluator.truth(assertion) {
                Ok(true) => {}
                Ok(false) => {
                    all = false;
                    break;
                }
                Err(_) => {
                    all = false;
                    undefined = true;
                }
            }
        }
        if all {
            return Some(Some(model));
        }
        // An assertion that is false decides, whatever stands open beside it.
        let refuted = !all && !undefined;
        let falsified = assertions.iter().any(|&a| evaluator.truth(a) == Ok(false));
        open |= !(refuted || falsified);
    }
    (!open).then_some(None)
}
