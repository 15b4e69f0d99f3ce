//! The engine `nonlinear`: products over integers and reals by incremental linearisation (Cimatti et al. 2018).
//!
//! Products become unknowns (`products`), and the engine `simplex` solves what is left. Where a model gets a product wrong, valid
//! lemmas about that product are added (`lemmas`): signs, orders, tangents, and remainders of integers. A conflict with
//! lemmas is one of the query. Values of a model for enough unknowns make the rest linear again, exactly, which is how
//! solutions are found (`fix`). The engine is not complete: it may go on adding lemmas for ever.

mod fix;
mod lemmas;
mod products;
#[cfg(test)]
mod tests;

use crate::engine::{Budget, Engine, NoPartials, Partial, Partials, Query, Reason, Verdict};
use crate::linear::Linear;
use crate::tuning::nonlinear::{MAX_LEMMAS, MOST_COMPARED};
use crate::verify::satisfies;
use products::Products;
use smt::{Evaluator, FunId, Model, TermId, Terms, Value};

/// The name on the command line.
const NAME: &str = "nonlinear";

/// The engine. It keeps the lemmas of its last query, so that a call with the same query goes on where it stopped.
#[derive(Default)]
pub(crate) struct Nonlinear {
    seed: u64,
    last: Option<State>,
    rounds: u64,
    lemmas: u64,
    fixed: u64,
}

struct State {
    query: Query,
    products: Products,
    /// The assertions with unknowns for products.
    linear: Vec<TermId>,
    lemmas: Vec<TermId>,
    rounds: u64,
}

impl Nonlinear {
    /// An engine for a seed, which simplex gets.
    pub(crate) fn new(seed: u64) -> Nonlinear {
        Nonlinear { seed, ..Nonlinear::default() }
    }

    fn run(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        loop {
            if let Some(reason) = budget.exhausted() {
                return Verdict::Unknown(reason);
            }
            self.rounds += 1;
            state.rounds += 1;
            let mut assertions = state.linear.clone();
            assertions.extend(&state.lemmas);
            let abstraction = Query::new(assertions);
            let model = match Linear::new(self.seed).solve(terms, &abstraction, budget, &mut NoPartials) {
                Verdict::Sat(model) => model,
                Verdict::Unsat(core) => {
                    // Lemmas are valid: what conflicts are the assertions.
                    return Verdict::Unsat(core.into_iter().filter(|&at| at < state.linear.len()).collect());
                }
                unknown => return unknown,
            };
            if satisfies(terms, &model, &state.query.assertions) {
                return Verdict::Sat(model);
            }
            if partials.wanted() {
                partials.take(Partial {
                    values: values(terms, &model, &state.query),
                    engine: NAME,
                    step: self.rounds,
                });
            }
            if let Some(found) = fix::solve(terms, &state.query, &state.products, &model, self.seed, budget) {
                self.fixed += 1;
                return Verdict::Sat(found);
            }
            let added = state.violated(terms, &model);
            if added == 0 {
                // What is wrong is no product: division by an unknown, or an operator that simplex does not know.
                return Verdict::Unknown(Reason::Incomplete);
            }
            self.lemmas += added as u64;
            if !budget.spend(64 * added as u32) {
                return Verdict::Unknown(budget.exhausted().unwrap_or(Reason::Time));
            }
        }
    }
}

impl State {
    fn new(terms: &mut Terms, query: &Query) -> State {
        let (products, linear) = Products::abstracted(terms, &query.assertions);
        let mut lemmas = Vec::new();
        lemmas.extend(&products.facts);
        for product in &products.list {
            lemmas.extend(lemmas::general(terms, product));
        }
        for (at, second) in products.list.iter().enumerate().take(MOST_COMPARED) {
            for first in &products.list[..at] {
                lemmas.extend(lemmas::between(terms, first, second));
            }
        }
        State { query: query.clone(), products, linear, lemmas, rounds: 0 }
    }

    /// Adds lemmas about the products that a model gets wrong, and says how many.
    fn violated(&mut self, terms: &mut Terms, model: &Model) -> usize {
        let before = self.lemmas.len();
        for product in &self.products.list {
            let value = |t: TermId| match Evaluator::new(terms, model).eval(t).ok()? {
                Value::Int(i) => Some(smt::RBig::from(i)),
                Value::Real(r) => Some(r),
                _ => None,
            };
            let (Some(a), Some(b), Some(p)) = (value(product.a), value(product.b), value(product.result))
            else {
                continue;
            };
            if &a * &b == p {
                continue;
            }
            // Bounds are at short numbers more often than at those of a model.
            let mut points = vec![(a.clone(), b.clone())];
            if !product.is_int {
                points.push((a.floor().into(), b.floor().into()));
                points.push((a.ceil().into(), b.ceil().into()));
            }
            for (a, b) in points {
                for lemma in lemmas::at_point(terms, product, &a, &b) {
                    if !self.lemmas.contains(&lemma) {
                        self.lemmas.push(lemma);
                    }
                }
            }
            if self.lemmas.len() - before >= MAX_LEMMAS {
                break;
            }
        }
        self.lemmas.len() - before
    }
}

/// The values of the query's own constants.
fn values(terms: &Terms, model: &Model, query: &Query) -> Vec<(FunId, Value)> {
    let profile = crate::profile::Profile::of(terms, &query.assertions);
    profile.constants(terms).filter_map(|c| Some((c, model.value(c)?.clone()))).collect()
}

impl Engine for Nonlinear {
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
        let mut state = match self.last.take() {
            Some(state) if state.query == *query => state,
            _ => State::new(terms, query),
        };
        let verdict = self.run(terms, &mut state, budget, partials);
        if matches!(verdict, Verdict::Unknown(_)) {
            self.last = Some(state);
        }
        verdict
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        vec![("linearisations", self.rounds), ("product-lemmas", self.lemmas), ("fixed-unknowns", self.fixed)]
    }
}
