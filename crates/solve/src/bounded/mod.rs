//! The engines `bounded` and `strings`: integers and strings by bit-blasting within bounds that grow.
//!
//! Unknowns get so many bits and so many characters (`encode`); everything above them is exact, however wide it has to be (`num`,
//! and `text` of the strings). `blast` decides the rest. A model is one of the query, which the evaluator confirms. That there is none
//! within the bounds is an answer only where the query keeps its unknowns within them: whether it does, `simplex` decides, on the
//! integers and on the lengths of strings (`lengths`). A query about strings is asked about its lengths alone before anything else, then about
//! the ends and letters of its strings (`shapes`).
//!
//! Both are incomplete: without such bounds they never answer `unsat` but by lengths, ends and letters, and they go on with larger bounds until those
//! are too large.

mod encode;
pub(crate) mod num;
#[cfg(test)]
mod tests;

use crate::blast::Blast;
use crate::engine::{Budget, Engine, NoPartials, Partial, Partials, Query, Reason, Verdict};
use crate::linear::Linear;
use crate::strings::lengths::Lengths;
use crate::strings::shapes;
use crate::strings::text::{NARROW, WIDE};
use crate::tuning::bounded::LINEAR_TICKS;
use crate::verify::satisfies;
use encode::{Bounds, Encoding};
use smt::{FunId, Model, SortId, TermId, Terms, Value, walk};

/// Bits of integers and characters of strings, stage by stage. Small ones cost nothing; what programs compute with comes later.
static STAGES: &[(u32, u32)] =
    &[(3, 1), (5, 3), (7, 6), (9, 12), (12, 24), (17, 48), (24, 96), (33, 192), (48, 384), (65, 768)];

/// The engine. A call with the same query goes on at the stage where it stopped.
pub struct Bounded {
    name: &'static str,
    seed: u64,
    last: Option<(Query, usize)>,
    stages: u64,
    by_lengths: u64,
    by_shapes: u64,
    by_bounds: u64,
    found: u64,
}

impl Bounded {
    /// Under one of its names.
    pub fn new(name: &'static str, seed: u64) -> Bounded {
        Bounded { name, seed, last: None, stages: 0, by_lengths: 0, by_shapes: 0, by_bounds: 0, found: 0 }
    }

    fn run(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        first: usize,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> (Verdict, usize) {
        let lengths = has_text(terms, &query.assertions).then(|| Lengths::of(terms, &query.assertions));
        if let Some(lengths) = lengths.as_ref().filter(|_| first == 0)
            && let Some(core) = self.refute(terms, query, Some(lengths), &[], budget)
        {
            self.by_lengths += 1;
            return (Verdict::Unsat(core), 0);
        }
        if let Some(lengths) = lengths.as_ref().filter(|_| first == 0) {
            let facts = shapes::facts(terms, &query.assertions, lengths);
            if !facts.is_empty()
                && let Some(core) = self.refute(terms, query, Some(lengths), &facts, budget)
            {
                self.by_shapes += 1;
                return (Verdict::Unsat(core), 0);
            }
        }
        let mut alphabet = if is_narrow(terms, &query.assertions) { NARROW } else { WIDE };
        let widest = encode::widest_constant(terms, &query.assertions);
        let mut stage = first;
        while stage < STAGES.len() {
            if let Some(reason) = budget.exhausted() {
                return (Verdict::Unknown(reason), stage);
            }
            self.stages += 1;
            let (bits, length) = STAGES[stage];
            let bounds = Bounds { bits, length, alphabet };
            let encoding = match encode::encode(terms, &query.assertions, bounds, budget) {
                Ok(encoding) => encoding,
                Err(Reason::Memory) => return (Verdict::Unknown(Reason::Incomplete), STAGES.len()),
                Err(reason) => return (Verdict::Unknown(reason), stage),
            };
            match self.ask(terms, query, &encoding, budget, partials) {
                Verdict::Sat(model) => {
                    self.found += 1;
                    return (Verdict::Sat(model), stage);
                }
                Verdict::Unsat(core) => {
                    let outside = if encoding.restricted {
                        None
                    } else {
                        let length = |text: TermId| lengths.as_ref().and_then(|l| l.length(text));
                        encoding.beyond(terms, length)
                    };
                    let kept = outside
                        .and_then(|outside| self.refute(terms, query, lengths.as_ref(), &[outside], budget));
                    match kept {
                        // The query keeps its unknowns within the bounds, but some characters were left out.
                        Some(_) if alphabet == NARROW && lengths.is_some() => {
                            alphabet = WIDE;
                            continue;
                        }
                        Some(others) => {
                            self.by_bounds += 1;
                            return (Verdict::Unsat(union(core, others)), stage);
                        }
                        // Beyond what the query itself speaks of by a margin, wider integers alone find little.
                        None if lengths.is_none() && bits > 2 * widest + 16 => {
                            return (Verdict::Unknown(Reason::Incomplete), STAGES.len());
                        }
                        None => stage += 1,
                    }
                }
                Verdict::Unknown(Reason::Memory) => {
                    return (Verdict::Unknown(Reason::Incomplete), STAGES.len());
                }
                // A model that the evaluator does not accept, because it leaves something open: larger values may not.
                Verdict::Unknown(Reason::Incomplete) => stage += 1,
                Verdict::Unknown(reason) => return (Verdict::Unknown(reason), stage),
            }
        }
        (Verdict::Unknown(Reason::Incomplete), stage)
    }

    /// Asks `blast` about an encoding, and the evaluator about its model.
    fn ask(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        encoding: &Encoding,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        let inner = Query { hurried: true, ..Query::new(encoding.assertions.clone()) };
        let mut back = Back { encoding, engine: self.name, partials };
        match Blast::new().solve(terms, &inner, budget, &mut back) {
            Verdict::Sat(found) => {
                let mut model = Model::default();
                for (fun, value) in encoding.values_back(|fun| found.value(fun).cloned()) {
                    model.set(fun, value);
                }
                let profile = crate::profile::Profile::of(terms, &query.assertions);
                for fun in profile.constants(terms) {
                    if terms.fun(fun).result == SortId::BOOL {
                        model.set(fun, found.value(fun).cloned().unwrap_or(Value::Bool(false)));
                    }
                }
                if satisfies(terms, &model, &query.assertions) {
                    Verdict::Sat(model)
                } else {
                    Verdict::Unknown(Reason::Incomplete)
                }
            }
            Verdict::Unsat(core) => {
                Verdict::Unsat(core.into_iter().filter(|&at| at < query.assertions.len()).collect())
            }
            unknown => unknown,
        }
    }

    /// Whether integers and lengths alone refute the query together with more conditions: the conjuncts that do.
    fn refute(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        lengths: Option<&Lengths>,
        more: &[TermId],
        budget: &mut Budget,
    ) -> Option<Vec<usize>> {
        let mut assertions = lengths.map_or_else(|| query.assertions.clone(), |l| l.assertions.clone());
        assertions.extend(lengths.iter().flat_map(|l| &l.facts));
        assertions.extend(more);
        let mut slice = budget.slice(LINEAR_TICKS);
        let before = slice.ticks_left();
        let verdict =
            Linear::new(self.seed).solve(terms, &Query::new(assertions), &mut slice, &mut NoPartials);
        budget.spend(u32::try_from(before - slice.ticks_left()).unwrap_or(u32::MAX));
        match verdict {
            Verdict::Unsat(core) => {
                Some(core.into_iter().filter(|&at| at < query.assertions.len()).collect())
            }
            Verdict::Sat(_) | Verdict::Unknown(_) => None,
        }
    }
}

/// Positions that are in one of two lists, ascending.
fn union(mut a: Vec<usize>, b: Vec<usize>) -> Vec<usize> {
    a.extend(b);
    a.sort_unstable();
    a.dedup();
    a
}

fn has_text(terms: &Terms, assertions: &[TermId]) -> bool {
    walk::reachable(terms, assertions).into_iter().any(|t| terms.sort(t) == SortId::STRING)
}

/// Whether all characters of all constants are below 256.
fn is_narrow(terms: &Terms, assertions: &[TermId]) -> bool {
    walk::reachable(terms, assertions).into_iter().all(|term| match terms.as_value(term) {
        Some(Value::String(text)) => text.iter().all(|c| c < 256),
        _ => true,
    })
}

/// Partial solutions on their way to the listener: bit-vectors become what they stand for.
struct Back<'a> {
    encoding: &'a Encoding,
    engine: &'static str,
    partials: &'a mut dyn Partials,
}

impl Partials for Back<'_> {
    fn wanted(&self) -> bool {
        self.partials.wanted()
    }

    fn take(&mut self, partial: Partial) {
        let value = |fun: FunId| partial.values.iter().find(|(own, _)| *own == fun).map(|(_, v)| v.clone());
        let mut values = self.encoding.values_back(value);
        values.extend(partial.values.iter().filter(|(_, v)| matches!(v, Value::Bool(_))).cloned());
        self.partials.take(Partial { values, engine: self.engine, step: partial.step });
    }
}

impl Engine for Bounded {
    fn name(&self) -> &'static str {
        self.name
    }

    fn solve(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        let first = match self.last.take() {
            Some((known, stage)) if known == *query => stage,
            _ => 0,
        };
        let (verdict, stage) = self.run(terms, query, first, budget, partials);
        if matches!(verdict, Verdict::Unknown(_)) {
            self.last = Some((query.clone(), stage));
        }
        verdict
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("bounded-stages", self.stages),
            ("bounded-models", self.found),
            ("refuted-by-lengths", self.by_lengths),
            ("refuted-by-ends", self.by_shapes),
            ("refuted-within-bounds", self.by_bounds),
        ]
    }
}
