//! The engine `nonlinear`: products over integers and reals by incremental linearisation (Cimatti et al. 2018).
//!
//! Products become unknowns (`products`), and the engine `simplex` (or `euf`) solves what is left. Where a model gets a product wrong, valid
//! lemmas about that product are added (`lemmas`): signs, orders, tangents, and remainders of integers. A conflict with
//! lemmas is one of the query. Values of a model for enough unknowns make the rest linear again, exactly, which is how
//! solutions are found (`fix`). The engine is not complete: it may go on adding lemmas for ever.

mod fix;
mod lemmas;
mod powers;
mod products;
#[cfg(test)]
mod tests;

use crate::engine::{Budget, Engine, NoPartials, Partial, Partials, Query, Reason, Verdict};
use crate::engines::EQUALITY;
use crate::euf::Euf;
use crate::linear::Linear;
use crate::profile::{Features, Profile};
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
    /// What occurs in it.
    features: Features,
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
        let (seed, features) = (self.seed, state.features);
        loop {
            if let Some(reason) = budget.exhausted() {
                return Verdict::Unknown(reason);
            }
            self.rounds += 1;
            state.rounds += 1;
            let mut assertions = state.linear.clone();
            assertions.extend(&state.lemmas);
            let abstraction = Query::new(assertions);
            let model = match inner(seed, features).solve(terms, &abstraction, budget, &mut NoPartials) {
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
            if let Some(found) =
                fix::solve(terms, &state.query, &state.products, &model, || inner(seed, features), budget)
            {
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
        for product in products.list.iter().filter(|product| product.a != product.b) {
            let square = |factor: TermId| products.list.iter().find(|p| p.a == factor && p.b == factor);
            if let (Some(first), Some(second)) = (square(product.a), square(product.b)) {
                lemmas.extend(lemmas::binomials(terms, product, [first, second]));
            }
        }
        for (at, power) in products.powers.iter().enumerate().take(MOST_COMPARED) {
            lemmas.extend(powers::general(terms, *power));
            for other in &products.powers[..at] {
                lemmas.extend(powers::between(terms, *other, *power));
            }
        }
        for (at, second) in products.list.iter().enumerate().take(MOST_COMPARED) {
            for first in &products.list[..at] {
                lemmas.extend(lemmas::between(terms, first, second));
            }
        }
        let features = Profile::of(terms, &query.assertions).features;
        State { query: query.clone(), features, products, linear, lemmas, rounds: 0 }
    }

    /// Lemmas between products of which a model gets one wrong, and about remainders of integer products.
    fn wrong(&self, terms: &mut Terms, model: &Model) -> Vec<TermId> {
        let value = |terms: &Terms, t: TermId| match Evaluator::new(terms, model).eval(t).ok()? {
            Value::Int(i) => Some(smt::RBig::from(i)),
            Value::Real(r) => Some(r),
            _ => None,
        };
        let list = &self.products.list[..self.products.list.len().min(MOST_COMPARED)];
        let values: Vec<Option<[smt::RBig; 3]>> = list
            .iter()
            .map(|p| Some([value(terms, p.a)?, value(terms, p.b)?, value(terms, p.result)?]))
            .collect();
        let is_wrong = |at: usize| values[at].as_ref().is_some_and(|[a, b, p]| a * b != *p);
        let mut lemmas = Vec::new();
        for (at, first) in list.iter().enumerate() {
            for (other, second) in list.iter().enumerate().take(at) {
                if lemmas.len() < MAX_LEMMAS && (is_wrong(at) || is_wrong(other)) {
                    lemmas.extend(lemmas::apart(terms, first, second, value));
                }
            }
            if let Some([a, b, p]) = values[at].as_ref().filter(|_| first.is_int && is_wrong(at)) {
                let whole = [a, b, p].map(|r| r.numerator());
                lemmas.extend(lemmas::remainder(terms, first, whole));
            }
        }
        lemmas
    }

    /// Adds lemmas about the products that a model gets wrong, and says how many.
    fn violated(&mut self, terms: &mut Terms, model: &Model) -> usize {
        let before = self.lemmas.len();
        for &power in &self.products.powers {
            self.lemmas.extend(powers::at_model(terms, power, model));
        }
        let wrong = self.wrong(terms, model);
        for lemma in wrong {
            if !self.lemmas.contains(&lemma) {
                self.lemmas.push(lemma);
            }
        }
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

/// Who solves what is left: `simplex`, or `euf` where functions, arrays or datatypes occur.
fn inner(seed: u64, features: Features) -> Box<dyn Engine> {
    if features.meets(EQUALITY) { Box::new(Euf::new(seed)) } else { Box::new(Linear::new(seed)) }
}

/// The values of the query's own constants.
fn values(terms: &Terms, model: &Model, query: &Query) -> Vec<(FunId, Value)> {
    let profile = Profile::of(terms, &query.assertions);
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
