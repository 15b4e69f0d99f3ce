//! The engine `anneal`: satisfiability of floating-point queries by optimisation (Zhang et al. 2020, Section 3.4, after XSat).
//!
//! A query is compiled to a register program that computes how far every conjunct is from being true; the search looks
//! for values at which all distances are zero. The engine handles floats, bit-vectors, Booleans, rounding modes,
//! constant reals, reads of arrays and uninterpreted functions; other sorts and quantifiers are refused.
//!
//! Steps: `definitions` and `arrays` take what need not be searched out of the query, `compile`, `unknowns`, `tables` and
//! `lower` build the `program`, `zeros` adds a choice that SMT-LIB leaves open, the `machine` runs it, `search` moves
//! through it with `moves` and `invert`. A look around an assignment is a sweep and a short search. A model is given only
//! after [`smt::Evaluator`] accepted it on the assertions as they were asked. The engine is not complete: it answers
//! `Unsat` only if a conjunct is false whatever the symbols are.

mod arith;
mod arrays;
mod compile;
mod definitions;
mod distance;
mod invert;
mod layout;
mod lower;
mod machine;
mod model;
mod moves;
mod near;
mod order;
mod program;
mod search;
mod shape;
mod tables;
#[cfg(test)]
mod tests;
mod unknowns;
mod zeros;

use crate::engine::{Budget, Engine, Look, Partial, Partials, Query, Reason, Verdict};
use crate::tuning::anneal::{EVALUATIONS_PER_NEAR_PARTIAL, EVALUATIONS_PER_PARTIAL, FIRST_PARTIALS};
use crate::verify::satisfies;
use compile::{Compiled, Refusal, compile};
use search::{Counters, Search, Stop};
use smt::{Evaluator, Flags, FunId, Model, Terms, Value};
use std::cell::RefCell;
use zeros::Zeros;

/// The name on the command line.
const NAME: &str = "anneal";

/// The engine. It keeps the search of its last query, so that a call with the same query goes on where it stopped.
#[derive(Default)]
pub(crate) struct Anneal {
    /// The seed of all choices: same seed, same run.
    pub(crate) seed: u64,
    counters: Counters,
    last: Option<Session>,
    /// How many searches began near: each makes other choices.
    walks: u64,
}

/// The searches for one query.
struct Session {
    query: Query,
    /// One with the definitions that the query forces, one with liberal ones where they differ, and one with the choice of
    /// zeros where there is one; they take turns.
    searches: Vec<Search>,
    turn: usize,
    /// How many partial solutions came out.
    partials: u64,
    /// Whether each search begins with a sweep.
    sweep: bool,
}

impl Anneal {
    /// An engine whose choices depend on the seed alone.
    pub(crate) fn with_seed(seed: u64) -> Anneal {
        Anneal { seed, ..Anneal::default() }
    }

    /// Ends the search of the last query. What it cost stays counted.
    fn forget(&mut self) {
        if let Some(session) = self.last.take() {
            self.counters = self.counters.plus(&session.counters());
        }
    }

    fn start(&mut self, terms: &mut Terms, query: &Query) -> Result<Session, Verdict> {
        if let Some(position) = closed_falsehood(terms, query) {
            return Err(Verdict::Unsat(vec![position]));
        }
        let near: &[(FunId, Value)] = query.near.as_deref().unwrap_or_default();
        self.walks += u64::from(!near.is_empty());
        let mut searches = Vec::new();
        let mut never_true = false;
        let mut views = vec![(query.assertions.clone(), false, None)];
        // A short search nearby is not worth a second view.
        if near.is_empty() {
            views.push((query.assertions.clone(), true, None));
            views.extend(
                Zeros::open(terms, &query.assertions).map(|(opened, zeros)| (opened, false, Some(zeros))),
            );
        }
        for (conjuncts, liberal, zeros) in views {
            let compiled = match compile(terms, &conjuncts, liberal) {
                Ok(compiled) => compiled,
                Err(_) => return Err(Verdict::Unknown(Reason::Unsupported)),
            };
            if compiled.refusal.is_some() {
                if !liberal && zeros.is_none() && is_refuted(terms, query, &compiled) {
                    return Err(Verdict::Unsat((0..query.assertions.len()).collect()));
                }
                never_true = true;
                continue;
            }
            // Liberal definitions are a search of their own only if they save cells.
            let Compiled { program, machine, .. } = compiled;
            let saves = searches.last().is_none_or(|s: &Search| program.cells.len() < s.program.cells.len());
            if saves || zeros.is_some() {
                let seed = self.seed.wrapping_add(u64::from(liberal)).wrapping_add(self.walks << 32);
                searches.push(Search::new(program, machine, zeros, seed, near));
            }
        }
        if searches.is_empty() {
            debug_assert!(never_true);
            return Err(Verdict::Unknown(Reason::Incomplete));
        }
        Ok(Session { query: query.clone(), searches, turn: 0, partials: 0, sweep: false })
    }
}

impl Session {
    fn counters(&self) -> Counters {
        self.searches.iter().fold(Counters::default(), |sum, search| sum.plus(&search.counters))
    }

    fn run(&mut self, terms: &Terms, budget: &mut Budget, partials: &mut dyn Partials) -> Verdict {
        loop {
            if self.searches.iter().map(Search::size).sum::<usize>() > budget.memory {
                return Verdict::Unknown(Reason::Memory);
            }
            // A basin may end before its first move.
            if !budget.spend(1) {
                return Verdict::Unknown(budget.exhausted().unwrap_or(Reason::Time));
            }
            let turn = self.turn % self.searches.len();
            self.turn += 1;
            let Session { query, searches, partials: emitted, sweep, .. } = self;
            let search = &mut searches[turn];
            let mut swept = None;
            if !search.has_begun() {
                search.restart(terms);
                if *sweep && !search.is_solved() {
                    let listener = RefCell::new(&mut *partials);
                    let mut wants = |search: &Search, cell: u32| match search.narrow_symbol(cell) {
                        Some(symbol) => listener.borrow_mut().wants_values_of(symbol),
                        None => listener.borrow().wanted(),
                    };
                    let mut seen = |search: &mut Search| {
                        if listener.borrow().wanted() {
                            search.settle(terms);
                            let values = model::values(search);
                            listener.borrow_mut().take(Partial { values, engine: NAME, step: 0 });
                        }
                    };
                    swept = Some(search.sweep(terms, budget, &mut wants, &mut seen));
                }
            }
            let mut report = |search: &mut Search| {
                let each =
                    if search.is_near() { EVALUATIONS_PER_NEAR_PARTIAL } else { EVALUATIONS_PER_PARTIAL };
                let allowed = FIRST_PARTIALS + search.counters.evaluations / each;
                if partials.wanted() && *emitted < allowed {
                    *emitted += 1;
                    search.settle(terms);
                    partials.take(Partial {
                        values: model::values(search),
                        engine: NAME,
                        step: search.counters.moves,
                    });
                }
            };
            let stop = match swept {
                Some(stop @ (Stop::Solved | Stop::Exhausted)) => stop,
                _ => search.basin(terms, budget, &mut report),
            };
            if stop == Stop::Minimum {
                report(search);
            }
            match stop {
                Stop::Solved => {
                    search.settle(terms);
                    // A model that needs no choice of zeros is everybody's model.
                    let plain = model::model(terms, query, search);
                    let chosen = model::with_zeros(plain.clone(), search);
                    let accepted = |model: &Model| satisfies(terms, model, &query.assertions);
                    if let Some(model) = [Some(plain), chosen].into_iter().flatten().find(accepted) {
                        return Verdict::Sat(model);
                    }
                    // The evaluator gave up on what the machine computed: look elsewhere.
                    if !search.program.cells.is_empty() {
                        search.restart(terms);
                    } else if searches.len() > 1 {
                        searches.remove(turn);
                    } else {
                        return Verdict::Unknown(Reason::Incomplete);
                    }
                }
                Stop::Minimum => search.hop(terms),
                Stop::Exhausted => return Verdict::Unknown(budget.exhausted().unwrap_or(Reason::Time)),
            }
        }
    }
}

impl Engine for Anneal {
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
        if let Some(reason) = budget.exhausted() {
            return Verdict::Unknown(reason);
        }
        let mut session = match self.last.take() {
            Some(session) if session.query == *query => session,
            other => {
                self.last = other;
                self.forget();
                match self.start(terms, query) {
                    Ok(session) => session,
                    Err(verdict) => return verdict,
                }
            }
        };
        let verdict = session.run(terms, budget, partials);
        match verdict {
            Verdict::Unknown(_) => self.last = Some(session),
            _ => self.counters = self.counters.plus(&session.counters()),
        }
        verdict
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let under_way = self.last.as_ref().map(Session::counters).unwrap_or_default();
        let Counters { evaluations, moves, restarts, basins } = self.counters.plus(&under_way);
        vec![("evaluations", evaluations), ("moves", moves), ("restarts", restarts), ("basins", basins)]
    }

    fn nearest(&self) -> Vec<(FunId, Value)> {
        let searches = self.last.iter().flat_map(|session| &session.searches);
        let best = searches.map(Search::nearest).min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or_else(Vec::new, |(_, values)| values.to_vec())
    }
}

impl Look for Anneal {
    fn look(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        self.forget();
        match self.start(terms, query) {
            Ok(session) => self.last = Some(Session { sweep: true, ..session }),
            Err(verdict) => return verdict,
        }
        let verdict = self.solve(terms, query, budget, partials);
        self.forget();
        verdict
    }
}

impl Counters {
    /// The sum.
    fn plus(&self, other: &Counters) -> Counters {
        Counters {
            evaluations: self.evaluations + other.evaluations,
            moves: self.moves + other.moves,
            restarts: self.restarts + other.restarts,
            basins: self.basins + other.basins,
        }
    }
}

/// The position of a conjunct without symbols that is false.
fn closed_falsehood(terms: &Terms, query: &Query) -> Option<usize> {
    let model = Model::default();
    query.assertions.iter().position(|&assertion| {
        !terms.flags(assertion).has(Flags::SYMBOL)
            && Evaluator::new(terms, &model).eval(assertion) == Ok(Value::Bool(false))
    })
}

/// Whether the symbols that equations fix make a conjunct false.
fn is_refuted(terms: &Terms, query: &Query, compiled: &Compiled) -> bool {
    if compiled.refusal != Some(Refusal::NeverTrue) || compiled.program.chose {
        return false;
    }
    let model = model::fixed(compiled);
    let mut evaluator = Evaluator::new(terms, &model);
    query.assertions.iter().any(|&assertion| evaluator.eval(assertion) == Ok(Value::Bool(false)))
}
