//! The engine in front of all others: answers what needs no search. A query without conjuncts, one that contains `false`
//! or a conjunct next to its negation, a handful of assignments that often work (zeros, ones, what unit facts and bounds
//! say), and all assignments where there are few. It gives up after a fixed, small effort.

use crate::defaults::{complete, default_value};
use crate::engine::{Budget, Engine, Partial, Partials, Query, Reason, Verdict};
use crate::profile::Profile;
use crate::tuning::guess::{MAX_ASSIGNMENTS, MAX_VISITS, TICKS_PER_VISIT};
use crate::verify::first_failure;
use rustc_hash::FxHashMap;
use smt::eval::values_of;
use smt::{
    BitVec, Evaluator, Flags, Float, Format, FunId, IBig, Model, Op, RBig, Sort, TermId, Terms, Value,
};

/// The engine `guess`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guess {
    evaluations: u64,
    answers: u64,
}

/// What unit conjuncts say about a number: bounds, as far as they are simple.
#[derive(Clone, Debug, Default)]
struct Range {
    low: Option<RBig>,
    high: Option<RBig>,
}

impl Engine for Guess {
    fn name(&self) -> &'static str {
        "guess"
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
    pub(crate) fn exhaust(&mut self, terms: &mut Terms, query: &Query, budget: &mut Budget) -> Verdict {
        if let Some(core) = contradiction(terms, &query.assertions) {
            return Verdict::Unsat(core);
        }
        let profile = Profile::of(terms, &query.assertions);
        let verdict = self.enumerate(terms, &query.assertions, &profile, budget);
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
        self.enumerate(terms, conjuncts, &profile, budget).unwrap_or(Verdict::Unknown(Reason::Incomplete))
    }

    /// Tries all assignments where they are few. The core of an `Unsat` is every conjunct that refuted one of them.
    fn enumerate(
        &mut self,
        terms: &Terms,
        conjuncts: &[TermId],
        profile: &Profile,
        budget: &mut Budget,
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
        let mut refuters = vec![false; conjuncts.len()];
        // What refuted one assignment often refutes the next: the last refuter is asked first.
        let mut order: Vec<usize> = (0..conjuncts.len()).rev().collect();
        for number in 0..count {
            if !spend(budget, profile.size as u64) {
                return Some(Verdict::Unknown(budget.exhausted().unwrap_or(Reason::Time)));
            }
            let mut model = Model::default();
            let mut rest = number;
            for (&constant, list) in constants.iter().zip(&lists) {
                model.set(constant, list[(rest % list.len() as u64) as usize].clone());
                rest /= list.len() as u64;
            }
            self.evaluations += 1;
            let mut evaluator = Evaluator::new(terms, &model);
            let (mut refuter, mut open) = (None, false);
            for (at, &i) in order.iter().enumerate() {
                match evaluator.truth(conjuncts[i]) {
                    Ok(true) => {}
                    Ok(false) => {
                        refuter = Some(at);
                        break;
                    }
                    // It refutes nothing: the standard may let it be true.
                    Err(_) => open = true,
                }
            }
            match refuter {
                Some(at) => {
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
