//! From grown terms to a formula whose truth is known.

use super::plot::Plot;
use super::themes::Law;
use super::{Grown, members, rewrite, roots};
use crate::case::Expectation;
use crate::truth::operators::fixed;
use crate::truth::operators::values::literal;
use crate::tuning::truth_grow_assemble::{ASSIGNMENTS, LAYERS, STEPS};
use smt::eval::values_of;
use smt::walk::reachable;
use smt::{Command, Evaluator, FunId, IBig, Model, Op, Sort, SortId, TermId, Value};

/// The formula; `None` if nothing can be said of it.
pub(super) fn formula(mut plot: Plot<'_>) -> Option<Grown> {
    let way = plot.rng.below(10);
    let by_law = plot.theme.law.filter(|_| plot.rng.one_in(2));
    let made = if let Some(law) = by_law {
        match law {
            Law::Crossing => roots::crossing(&mut plot)?,
            Law::Membership => members::membership(&mut plot)?,
        }
    } else if plot.theme.finite && plot.theme.quantifiers && way < 3 {
        nested(&mut plot)?
    } else if plot.theme.finite && way < 5 {
        tried(&mut plot)?
    } else if way < 4
        && let Some(made) = bounded(&mut plot)
    {
        made
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
pub(super) type Made = (Vec<TermId>, Expectation, Option<Model>, &'static str);

/// An atom over grown terms, and whether it is true.
fn atom(plot: &mut Plot<'_>) -> Option<(TermId, bool)> {
    let (term, value) = plot.rng.choose(&plot.grown)?;
    if let Value::Bool(truth) = value {
        return Some((term, truth));
    }
    let sort = plot.terms.sort(term);
    // Equality of floats is that of values here, which has a NaN equal to itself.
    if plot.is_writable(sort) && plot.rng.one_in(3) {
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
        if matches!(value, Value::Array(_) | Value::Datatype(_) | Value::Element(..)) {
            return None;
        }
        assertions.push(fixed(plot.terms, constant, &value));
    }
    Some((assertions, Expectation::Unsat { core: None }, None, "fixed"))
}

/// Assertions, and the constants in them with the values that they grew from.
type Anything = (Vec<TermId>, Vec<(TermId, Value)>);

/// Combinations that may be true or not.
fn anything(plot: &mut Plot<'_>) -> Option<Anything> {
    let mut assertions = Vec::new();
    for _ in 0..1 + plot.rng.below(4) {
        let (term, _) = combination(plot, 2)?;
        assertions.push(if plot.rng.one_in(3) { plot.terms.mk(Op::Not, &[term]) } else { term });
    }
    let used = reachable(plot.terms, &assertions);
    let constants = plot.constants.iter().filter(|(c, _)| used.contains(c)).cloned().collect();
    Some((assertions, constants))
}

fn made(assertions: Vec<TermId>, found: Option<Model>, how: &'static str) -> Made {
    match found {
        Some(model) => (assertions, Expectation::Sat, Some(model), how),
        None => (assertions, Expectation::Unsat { core: None }, None, how),
    }
}

/// Anything over small sorts: the truth is found by trying all values.
fn tried(plot: &mut Plot<'_>) -> Option<Made> {
    let (assertions, constants) = anything(plot)?;
    let constants: Vec<TermId> = constants.into_iter().map(|(constant, _)| constant).collect();
    let found = by_trying(plot.terms, &constants, &assertions)?;
    Some(made(assertions, found, "tried"))
}

/// Quantifiers below quantifiers, with connectives between them: most constants become variables, one or two at a time, from the
/// inside to the outside. The truth is found by trying all values of what is left.
fn nested(plot: &mut Plot<'_>) -> Option<Made> {
    let (mut term, _) = combination(plot, 2)?;
    for _ in 0..1 + plot.rng.below(LAYERS) {
        let Some(bound) = plot.bound(term) else { break };
        term = bound;
        if plot.rng.one_in(2) {
            let (beside, _) = combination(plot, 1)?;
            let op = plot.rng.pick(&[Op::And, Op::Or, Op::Implies, Op::Eq, Op::Xor]);
            let sides = if plot.rng.one_in(2) { [term, beside] } else { [beside, term] };
            term = plot.terms.mk(op, &sides);
        }
        if plot.rng.one_in(3) {
            term = plot.terms.mk(Op::Not, &[term]);
        }
    }
    let used = reachable(plot.terms, &[term]);
    let constants: Vec<TermId> =
        plot.constants.iter().map(|(constant, _)| *constant).filter(|c| used.contains(c)).collect();
    let found = by_trying(plot.terms, &constants, &[term])?;
    Some(made(vec![term], found, "nested"))
}

/// Anything, with every constant held to a few values, which are tried. So formulas over sorts without end are unsatisfiable for
/// reasons that no rewriting shows.
fn bounded(plot: &mut Plot<'_>) -> Option<Made> {
    let (mut assertions, constants) = anything(plot)?;
    // A function has more graphs than could be tried.
    let is_call = |&t: &TermId| plot.terms.op(t) == Op::Apply && !plot.terms.args(t).is_empty();
    if reachable(plot.terms, &assertions).iter().any(is_call) {
        return None;
    }
    let mut lists = Vec::new();
    for (constant, value) in constants {
        let (values, bound) = domain(plot, constant, value)?;
        lists.push((plot.terms.as_fun(constant)?, values));
        assertions.extend(bound);
    }
    let found = by_trying_lists(plot.terms, &lists, &assertions)?;
    Some(made(assertions, found, "bounded"))
}

/// A few values for a constant, and the assertion that it has one of them; none where the sort has no others.
fn domain(plot: &mut Plot<'_>, constant: TermId, value: Value) -> Option<(Vec<Value>, Option<TermId>)> {
    let sort = plot.terms.sort(constant);
    if let Some(values) = values_of(plot.terms, sort, 8) {
        return Some((values, None));
    }
    if sort == SortId::INT && plot.rng.one_in(2) {
        let (low, length) = (plot.rng.between(-3, 2), plot.rng.between(1, 3));
        let values: Vec<Value> = (low..=low + length).map(|n| Value::Int(n.into())).collect();
        let [low, high] = [low, low + length].map(|n| plot.terms.constant(Value::Int(IBig::from(n))));
        let bound = plot.terms.mk(Op::Le, &[low, constant, high]);
        return Some((values, Some(bound)));
    }
    // Values of datatypes are no literals, and those of declared sorts have none.
    if matches!(plot.terms.sort_of(sort), Sort::Datatype(..)) || !plot.is_writable(sort) {
        return None;
    }
    let mut values = vec![value];
    for _ in 0..1 + plot.rng.below(3) {
        values.push(plot.value(sort));
    }
    values.sort_unstable();
    values.dedup();
    let bound = one_of(plot, constant, &values);
    Some((values, Some(bound)))
}

/// That a constant is one of some values, in one of the ways in which a person would say it.
fn one_of(plot: &mut Plot<'_>, constant: TermId, values: &[Value]) -> TermId {
    let sort = plot.terms.sort(constant);
    let literals: Vec<TermId> = values.iter().map(|value| literal(plot.terms, value)).collect();
    let terms = &mut *plot.terms;
    let joined = |terms: &mut smt::Terms, op: Op, parts: &[TermId]| match parts {
        [one] => *one,
        many => terms.mk(op, many),
    };
    match (sort, plot.rng.below(3)) {
        (SortId::STRING, 0) => {
            let words: Vec<TermId> = literals.iter().map(|&word| terms.mk(Op::StrToRe, &[word])).collect();
            let language = joined(terms, Op::ReUnion, &words);
            terms.mk(Op::StrInRe, &[constant, language])
        }
        // The roots of a polynomial.
        (SortId::REAL, 0) => {
            let factors: Vec<TermId> =
                literals.iter().map(|&root| terms.mk(Op::Sub, &[constant, root])).collect();
            let (product, zero) = (joined(terms, Op::Mul, &factors), terms.constant(Value::Real(0.into())));
            terms.mk(Op::Eq, &[product, zero])
        }
        _ => {
            let equations: Vec<TermId> =
                literals.iter().map(|&value| terms.mk(Op::Eq, &[constant, value])).collect();
            joined(terms, Op::Or, &equations)
        }
    }
}

/// A model of assertions over constants of small sorts, `Some(None)` if there is none, and `None` if nothing is known: the values
/// are too many, or one of them leaves an assertion open.
pub(crate) fn by_trying(
    terms: &smt::Terms,
    constants: &[TermId],
    assertions: &[TermId],
) -> Option<Option<Model>> {
    let list =
        |&constant: &TermId| Some((terms.as_fun(constant)?, values_of(terms, terms.sort(constant), 256)?));
    let lists: Vec<(FunId, Vec<Value>)> = constants.iter().map(list).collect::<Option<_>>()?;
    by_trying_lists(terms, &lists, assertions)
}

/// The same over these values of constants.
fn by_trying_lists(
    terms: &smt::Terms,
    lists: &[(FunId, Vec<Value>)],
    assertions: &[TermId],
) -> Option<Option<Model>> {
    let sizes = lists.iter().map(|(_, values)| values.len() as u64);
    let total = sizes
        .into_iter()
        .try_fold(1u64, |product, size| product.checked_mul(size).filter(|&n| n <= ASSIGNMENTS))?;
    debug_assert!(assertions.iter().all(|&a| terms.sort(a) == SortId::BOOL));
    let mut open = false;
    for number in 0..total {
        let (mut rest, mut model) = (number as usize, Model::default());
        for (fun, values) in lists {
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
