//! The engine in front of all others: answers what needs no search. A query without conjuncts, one that contains `false`
//! or a conjunct next to its negation, a handful of assignments that often work (zeros, ones, what unit facts and bounds
//! say), and all assignments where there are few. It gives up after a fixed, small effort.

use crate::defaults::{complete, default_value};
use crate::engine::{Budget, Engine, Partial, Partials, Query, Reason, Verdict};
use crate::profile::Profile;
use crate::truths::Truths;
use crate::tuning::guess::{MAX_ASSIGNMENTS, MAX_VISITS, TICKS_PER_VISIT};
use crate::verify::first_failure;
use rustc_hash::FxHashMap;
use smt::eval::values_of;
use smt::{
    BitVec, Evaluator, Flags, Float, Format, FunId, IBig, Model, Op, RBig, Sort, TermId, Terms, Value,
};

/// The engine's name in partial solutions.
const NAME: &str = "guess";

/// The engine `guess`.
#[derive(Debug, Default)]
pub(crate) struct Guess {
    evaluations: u64,
    answers: u64,
    truths: Truths,
}

/// What unit conjuncts say about a number: bounds, as far as they are simple.
#[derive(Clone, Debug, Default)]
struct Range {
    low: Option<RBig>,
    high: Option<RBig>,
}

impl Engine for Guess {
    fn name(&self) -> &'static str {
        NAME
    }

    fn solve(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        let verdict = self.answer(terms, query, budget, partials);
        self.answers += u64::from(!matches!(verdict, Verdict::Unknown(_)));
        verdict
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        vec![("guess-evaluations", self.evaluations), ("guess-answers", self.answers)]
    }
}

impl Guess {
    /// Tries all assignments where they are few, and nothing else.
    pub(crate) fn exhaust(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        if let Some(core) = contradiction(terms, &query.assertions) {
            return Verdict::Unsat(core);
        }
        let profile = Profile::of(terms, &query.assertions);
        let verdict = self.enumerate(terms, &query.assertions, &profile, budget, partials);
        let verdict = verdict.unwrap_or(Verdict::Unknown(Reason::Incomplete));
        self.answers += u64::from(!matches!(verdict, Verdict::Unknown(_)));
        verdict
    }

    fn answer(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        let conjuncts = &query.assertions;
        if conjuncts.is_empty() {
            return Verdict::Sat(Model::default());
        }
        if let Some(core) = contradiction(terms, conjuncts) {
            return Verdict::Unsat(core);
        }
        let profile = Profile::of(terms, conjuncts);
        let (facts, ranges) = unit_facts(terms, conjuncts);
        for fill in [Fill::Zero, Fill::One, Fill::Minus, Fill::Nearest] {
            if !spend(budget, profile.size as u64) {
                return Verdict::Unknown(budget.exhausted().unwrap_or(Reason::Time));
            }
            let mut model = Model::default();
            for constant in profile.constants(terms).collect::<Vec<_>>() {
                let value = match facts.get(&constant) {
                    Some(value) => Some(value.clone()),
                    None => fill.value(terms, constant, ranges.get(&constant)),
                };
                if let Some(value) = value {
                    model.set(constant, value);
                }
            }
            complete(terms, &mut model, &profile.symbols);
            self.evaluations += 1;
            if first_failure(terms, &model, conjuncts).is_none() {
                return Verdict::Sat(model);
            }
            if partials.wanted() {
                let values = profile.constants(terms).filter_map(|c| Some((c, model.value(c)?.clone())));
                partials.take(Partial {
                    values: values.collect(),
                    engine: self.name(),
                    step: self.evaluations,
                });
            }
        }
        self.enumerate(terms, conjuncts, &profile, budget, partials)
            .unwrap_or(Verdict::Unknown(Reason::Incomplete))
    }

    /// Tries all assignments where they are few. Those that are refuted are partial solutions. The core of an `Unsat` is every conjunct
    /// that refuted one of them.
    fn enumerate(
        &mut self,
        terms: &Terms,
        conjuncts: &[TermId],
        profile: &Profile,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Option<Verdict> {
        let constants: Vec<FunId> = profile.constants(terms).collect();
        let most = MAX_ASSIGNMENTS.min(MAX_VISITS / profile.size.max(1) as u64);
        if constants.len() < profile.symbols.len() {
            return None;
        }
        let mut count = 1;
        let mut lists = Vec::new();
        for &constant in &constants {
            let list = values_of(terms, terms.fun(constant).result, most)?;
            count *= list.len() as u64;
            lists.push(list);
            if count > most {
                return None;
            }
        }
        self.truths.prepare(terms, conjuncts);
        // Which of the constants decides a conjunct alone.
        let deciding = |&conjunct: &TermId| {
            let symbol = self.truths.symbol(conjunct)?;
            constants.iter().position(|&constant| constant == symbol)
        };
        let deciding: Vec<Option<usize>> = conjuncts.iter().map(deciding).collect();
        let mut refuters = vec![false; conjuncts.len()];
        // Who saw all values of the only constant need not see them again.
        let listens = match constants[..] {
            [only] => partials.wants_values_of(only),
            _ => partials.wanted(),
        };
        // What refuted one assignment often refutes the next: the last refuter is asked first.
        let mut order: Vec<usize> = (0..conjuncts.len()).rev().collect();
        for number in 0..count {
            if !spend(budget, profile.size as u64) {
                return Some(Verdict::Unknown(budget.exhausted().unwrap_or(Reason::Time)));
            }
            let mut rest = number;
            let position = |list: &Vec<Value>| {
                let position = rest % list.len() as u64;
                rest /= list.len() as u64;
                position as usize
            };
            let positions: Vec<usize> = lists.iter().map(position).collect();
            let known = |i: usize| self.truths.known(conjuncts[i], positions[deciding[i]?]);
            // As long as the outcomes are known, there is nothing to evaluate.
            let first = order.iter().position(|&i| known(i) != Some(true)).unwrap_or(order.len());
            let (mut refuter, mut open) = (None, false);
            let mut model = Model::default();
            if order.get(first).is_some_and(|&i| known(i) == Some(false)) {
                refuter = Some(first);
            } else {
                for ((&constant, list), &position) in constants.iter().zip(&lists).zip(&positions) {
                    model.set(constant, list[position].clone());
                }
                self.evaluations += 1;
                let mut evaluator = Evaluator::new(terms, &model);
                for (at, &i) in order.iter().enumerate().skip(first) {
                    let position = deciding[i].map(|constant| positions[constant]);
                    let truth = match position.and_then(|position| self.truths.known(conjuncts[i], position))
                    {
                        Some(known) => Ok(known),
                        None => evaluator.truth(conjuncts[i]),
                    };
                    if let (Some(position), Ok(truth)) = (position, &truth) {
                        self.truths.note(conjuncts[i], position, *truth);
                    }
                    match truth {
                        Ok(true) => {}
                        Ok(false) => {
                            refuter = Some(at);
                            break;
                        }
                        // It refutes nothing: the standard may let it be true.
                        Err(_) => open = true,
                    }
                }
            }
            match refuter {
                Some(at) => {
                    if listens && partials.wanted() {
                        let values = lists.iter().zip(&positions).map(|(list, &at)| list[at].clone());
                        let values = constants.iter().copied().zip(values).collect();
                        partials.take(Partial { values, engine: NAME, step: number });
                    }
                    refuters[order[at]] = true;
                    order[..=at].rotate_right(1);
                }
                None if open => return None,
                None => return Some(Verdict::Sat(model)),
            }
        }
        Some(Verdict::Unsat((0..conjuncts.len()).filter(|&i| refuters[i]).collect()))
    }
}

fn spend(budget: &mut Budget, visits: u64) -> bool {
    budget.spend(u32::try_from(visits).unwrap_or(u32::MAX).saturating_mul(TICKS_PER_VISIT))
}

/// A conjunct that is false whatever the model, or a conjunct and its negation.
fn contradiction(terms: &Terms, conjuncts: &[TermId]) -> Option<Vec<usize>> {
    let mut positions: FxHashMap<TermId, usize> = FxHashMap::default();
    for (i, &conjunct) in conjuncts.iter().enumerate() {
        if conjunct == TermId::FALSE {
            return Some(vec![i]);
        }
        positions.insert(conjunct, i);
    }
    for (i, &conjunct) in conjuncts.iter().enumerate() {
        if terms.op(conjunct) == Op::Not
            && let Some(&other) = positions.get(&terms.args(conjunct)[0])
        {
            return Some(vec![i.min(other), i.max(other)]);
        }
        let flags = terms.flags(conjunct);
        let closed = ![Flags::SYMBOL, Flags::BINDER, Flags::DEFINED].into_iter().any(|f| flags.has(f));
        if closed && Evaluator::new(terms, &Model::default()).truth(conjunct) == Ok(false) {
            return Some(vec![i]);
        }
    }
    None
}

/// What the conjuncts say about single constants: values, and bounds of numbers.
fn unit_facts(terms: &Terms, conjuncts: &[TermId]) -> (FxHashMap<FunId, Value>, FxHashMap<FunId, Range>) {
    let constant =
        |t: TermId| terms.as_fun(t).filter(|_| terms.op(t) == Op::Apply && terms.args(t).is_empty());
    let mut facts = FxHashMap::default();
    let mut ranges: FxHashMap<FunId, Range> = FxHashMap::default();
    for &conjunct in conjuncts {
        let (atom, positive) = match terms.op(conjunct) {
            Op::Not => (terms.args(conjunct)[0], false),
            _ => (conjunct, true),
        };
        if let Some(fun) = constant(atom) {
            facts.insert(fun, Value::Bool(positive));
        }
        let &[a, b] = terms.args(atom) else { continue };
        let (fun, value, swapped) = match (constant(a), terms.as_value(b), constant(b), terms.as_value(a)) {
            (Some(fun), Some(value), _, _) => (fun, value, false),
            (_, _, Some(fun), Some(value)) => (fun, value, true),
            _ => continue,
        };
        let (op, number) = (terms.op(atom), number(value));
        match (op, number) {
            (Op::Eq, _) if positive => {
                facts.insert(fun, value.clone());
            }
            (Op::Le | Op::Lt | Op::Ge | Op::Gt, Some(number)) => {
                let upper = matches!(op, Op::Le | Op::Lt) == (positive != swapped);
                let strict = matches!(op, Op::Lt | Op::Gt) == positive;
                // A step of one is right for integers and harmless for reals, since the guess is checked.
                let step = if strict { RBig::ONE } else { RBig::ZERO };
                let range = ranges.entry(fun).or_default();
                if upper {
                    let bound = number - step;
                    range.high = Some(range.high.take().map_or(bound.clone(), |h| h.min(bound)));
                } else {
                    let bound = number + step;
                    range.low = Some(range.low.take().map_or(bound.clone(), |l| l.max(bound)));
                }
            }
            _ => {}
        }
    }
    (facts, ranges)
}

fn number(value: &Value) -> Option<RBig> {
    match value {
        Value::Int(i) => Some(RBig::from(i.clone())),
        Value::Real(r) => Some(r.clone()),
        _ => None,
    }
}

/// How constants without a unit fact are filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fill {
    /// Zeros and `false`.
    Zero,
    /// Ones and `true`.
    One,
    /// Minus ones and `true`.
    Minus,
    /// Numbers as close to zero as their bounds allow.
    Nearest,
}

impl Fill {
    fn value(self, terms: &mut Terms, constant: FunId, range: Option<&Range>) -> Option<Value> {
        let sort = terms.fun(constant).result;
        let small = match self {
            Fill::Zero | Fill::Nearest => 0,
            Fill::One => 1,
            Fill::Minus => -1,
        };
        let nearest = || {
            let mut number = RBig::ZERO;
            if let (Fill::Nearest, Some(range)) = (self, range) {
                number = range.low.clone().map_or(number.clone(), |low| low.max(number));
                number = range.high.clone().map_or(number.clone(), |high| high.min(number));
            } else {
                number = RBig::from(IBig::from(small));
            }
            number
        };
        Some(match terms.sort_of(sort) {
            Sort::Bool => Value::Bool(small != 0),
            Sort::Int => Value::Int(nearest().floor()),
            Sort::Real => Value::Real(nearest()),
            Sort::BitVec(width) => Value::BitVec(BitVec::from_int(*width, &IBig::from(small))),
            Sort::Float(eb, sb) if small != 0 && (Format { eb: *eb, sb: *sb }).is_supported() => {
                Value::Float(Float::one(Format { eb: *eb, sb: *sb }, small < 0))
            }
            _ => return default_value(terms, sort),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::NoPartials;

    /// What a conjunct refutes on the way to a solution is shown, up to the solution, and only to who has not seen it.
    #[test]
    fn values_that_are_refuted_are_partial_solutions() {
        struct Listener(bool, Vec<Value>);
        impl Partials for Listener {
            fn wanted(&self) -> bool {
                true
            }
            fn wants_values_of(&mut self, _: FunId) -> bool {
                self.0
            }
            fn take(&mut self, partial: Partial) {
                self.1.extend(partial.values.into_iter().map(|(_, value)| value));
            }
        }
        let mut terms = Terms::new();
        let byte = terms.bit_vec_sort(8);
        let x = terms.symbol_constant("x", byte);
        let four = terms.bv(8, 4);
        let query = Query::new(vec![terms.mk(Op::BvUlt, &[four, x])]);
        for (wants, shown) in [(true, 5), (false, 0)] {
            let mut listener = Listener(wants, Vec::new());
            let verdict =
                Guess::default().exhaust(&mut terms, &query, &mut Budget::unlimited(), &mut listener);
            assert!(matches!(verdict, Verdict::Sat(_)));
            let expected = (0..shown).map(|value| Value::BitVec(BitVec::from_u64(8, value)));
            assert_eq!(listener.1, expected.collect::<Vec<_>>());
        }
    }

    /// Path conditions on a byte that grow by a conjunct at a time: what is remembered changes no answer, and saves evaluations.
    #[test]
    fn a_longer_path_condition_evaluates_its_last_conjunct_only() {
        let mut terms = Terms::new();
        let byte = terms.bit_vec_sort(8);
        let [x, y] = ["x", "y"].map(|name| terms.symbol_constant(name, byte));
        let product = terms.mk(Op::BvMul, &[x, x]);
        // The first solutions come after a hundred values, and in the end there is none.
        let [low, high, least] = [99, 130, 100].map(|number| terms.bv(8, number));
        let beyond = terms.mk(Op::BvUlt, &[low, x]);
        let mut conjuncts = vec![beyond];
        for bound in [200, 150, 90] {
            let bound = terms.bv(8, bound);
            conjuncts.push(terms.mk(Op::BvUlt, &[product, bound]));
        }
        conjuncts.push(terms.mk(Op::BvUlt, &[x, high]));
        conjuncts.push(terms.mk(Op::BvUlt, &[x, least]));
        let mut remembering = Guess::default();
        let mut fresh = 0;
        for length in 1..=conjuncts.len() {
            let query = Query::new(conjuncts[..length].to_vec());
            let mut forgetful = Guess::default();
            let [first, second] = [&mut remembering, &mut forgetful]
                .map(|guess| guess.exhaust(&mut terms, &query, &mut Budget::unlimited(), &mut NoPartials));
            match (first, second) {
                (Verdict::Sat(a), Verdict::Sat(b)) => {
                    let x = terms.as_fun(x).expect("a symbol");
                    assert_eq!(a.value(x), b.value(x));
                    assert_eq!(first_failure(&terms, &a, &query.assertions), None);
                }
                (Verdict::Unsat(a), Verdict::Unsat(b)) => {
                    assert_eq!(length, conjuncts.len());
                    assert_eq!(a, b, "the same core");
                }
                (a, b) => panic!("{a:?} and {b:?}"),
            }
            fresh += forgetful.evaluations;
        }
        assert!(2 * remembering.evaluations < fresh, "{} and {fresh}", remembering.evaluations);
        let before = remembering.evaluations;
        let query = Query::new(conjuncts.clone());
        remembering.exhaust(&mut terms, &query, &mut Budget::unlimited(), &mut NoPartials);
        assert_eq!(remembering.evaluations, before, "all of it is known");
        // Ids of another arena mean other terms.
        let mut other = Terms::new();
        let truth: Vec<TermId> = ["p", "q"].map(|name| other.symbol_constant(name, smt::SortId::BOOL)).into();
        let verdict =
            remembering.exhaust(&mut other, &Query::new(truth), &mut Budget::unlimited(), &mut NoPartials);
        assert!(matches!(verdict, Verdict::Sat(_)));
        // Several symbols decide this one: nothing is remembered of it.
        let both = terms.mk(Op::BvUlt, &[x, y]);
        remembering.truths.prepare(&terms, &[both]);
        assert_eq!(remembering.truths.symbol(both), None);
    }
}
