//! The engine `simplex`: DPLL(T) for linear arithmetic over integers and reals, with Boolean structure and, where their
//! applications are few, uninterpreted functions.
//!
//! | file | owns |
//! |---|---|
//! | `encode`, `affine` | terms to gates over bounds of linear forms |
//! | `gates`, `clausify`, `skeleton` | the Boolean skeleton, its clauses and the search over them |
//! | `atoms`, `theory` | the simplex core as a theory of the SAT core |
//! | `limits` | one budget for both |
//! | `record` | partial solutions (Zhang et al. 2020, Section 3.2) |
//! | `model` | models, judged by the evaluator |
//!
//! Terms that are not linear are replaced by unknowns. What is unsatisfiable then is so in the first place; a model
//! is a candidate that only the evaluator can confirm. Quantifiers, arrays and other theories are refused.
//!
//! Equations that say what a number is are solved first, unless partial solutions are wanted: those that violate such an
//! equation are worth as much as any other.

pub(crate) mod affine;
pub(crate) mod atoms;
pub(crate) mod clausify;
pub(crate) mod encode;
pub(crate) mod gates;
pub(crate) mod limits;
mod model;
pub(crate) mod record;
pub(crate) mod skeleton;
#[cfg(test)]
mod tests;
pub(crate) mod theory;

use crate::engine::{Budget, Engine, NoPartials, Partials, Query, Reason, Verdict};
use crate::sat::Solver;
use crate::simplex;
use crate::verify::satisfies;
use encode::Encoding;
use limits::Limits;
use skeleton::{SearchVerdict, Skeleton, SkeletonSettings};
use smt::Terms;
use theory::Arithmetic;

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    seed: u64,
    counters: [u64; COUNTERS.len()],
}

/// Names of the counters in `--stats`.
static COUNTERS: [&str; 7] =
    ["pivots", "conflicts", "decisions", "propagations", "branches", "cuts", "lemmas"];

impl Linear {
    /// The engine; the seed sets which value Booleans are tried with first.
    pub fn new(seed: u64) -> Linear {
        Linear { seed, ..Linear::default() }
    }

    /// Searches for a solution of the encoding. With `guarded`, refutations name the conjuncts they stand on.
    fn search(
        &mut self,
        terms: &Terms,
        encoding: &Encoding,
        setup: SkeletonSettings,
        limits: &Limits<'_>,
        partials: &mut dyn Partials,
    ) -> SearchVerdict<(Vec<simplex::num::Rational>, Vec<bool>)> {
        let mut skeleton = Skeleton::new(encoding, setup);
        let (mut simplex, atoms) = skeleton.arithmetic(encoding);
        let recorder = partials.wanted().then(|| skeleton.recorder(terms, encoding, &mut simplex, partials));
        let mut theory = Arithmetic::new(simplex, atoms, limits, recorder);
        let outcome = skeleton.search(&mut theory, limits);
        self.count(&skeleton.sat, &theory.simplex);
        outcome.with(limits, || {
            let numbers = theory.model?;
            let truths = skeleton.truths(encoding, &numbers);
            Some((numbers, truths))
        })
    }

    /// Conjuncts that have no common solution: few of them if a second search finds them in time, all otherwise.
    fn core(
        &mut self,
        terms: &Terms,
        query: &Query,
        encoding: &Encoding,
        effort: u64,
        budget: &Budget,
    ) -> Vec<usize> {
        let core = self.guarded_core(terms, encoding, effort, budget);
        if !encoding.has_solved() {
            return core;
        }
        // Not all equations behind a value are needed for the conflict: without values, the search can tell.
        let core = encoding.whole_core(terms, query, core);
        let part = Query::new(core.iter().map(|&at| query.assertions[at]).collect());
        let plain = encode::encode(terms, &part, &mut budget.slice(u64::MAX));
        match plain {
            Ok(plain) => {
                let fewer = self.guarded_core(terms, &plain, effort, budget);
                fewer.into_iter().map(|at| core[at]).collect()
            }
            Err(_) => core,
        }
    }

    fn guarded_core(
        &mut self,
        terms: &Terms,
        encoding: &Encoding,
        effort: u64,
        budget: &Budget,
    ) -> Vec<usize> {
        let setup = SkeletonSettings { seed: self.seed, memory: budget.memory, guarded: true };
        skeleton::core(encoding.roots.len(), effort, budget, |limits| {
            self.search(terms, encoding, setup, limits, &mut NoPartials).core()
        })
    }

    fn count(&mut self, sat: &Solver, simplex: &simplex::Simplex) {
        let (boolean, arithmetic) = (sat.counters(), simplex.stats());
        let rows = [
            arithmetic.pivots,
            boolean.conflicts,
            boolean.decisions,
            boolean.propagations,
            arithmetic.branches,
            arithmetic.gomory_cuts,
            boolean.lemmas,
        ];
        self.counters.iter_mut().zip(rows).for_each(|(counter, row)| *counter += row);
    }
}

impl Engine for Linear {
    fn name(&self) -> &'static str {
        record::ENGINE
    }

    fn solve(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        let encoding = match partials.wanted() {
            true => encode::encode(terms, query, budget),
            false => encode::encode_solved(terms, query, budget),
        };
        let encoding = match encoding {
            Ok(encoding) => encoding,
            Err(reason) => return Verdict::Unknown(reason),
        };
        let setup = SkeletonSettings { seed: self.seed, memory: budget.memory, guarded: false };
        let limits = Limits::new(budget);
        let found = self.search(terms, &encoding, setup, &limits, partials);
        let effort = limits.spent();
        match found {
            SearchVerdict::Unknown(reason) => Verdict::Unknown(reason),
            SearchVerdict::Unsat(_) => Verdict::Unsat(self.core(terms, query, &encoding, effort, budget)),
            SearchVerdict::Sat((numbers, truths)) => {
                let solution = model::Solution { encoding: &encoding, numbers: &numbers, truths: &truths };
                match solution.model(terms) {
                    Ok(model) if satisfies(terms, &model, &query.assertions) => Verdict::Sat(model),
                    Ok(_) => {
                        debug_assert!(!encoding.exact, "an exact encoding has only models of the query");
                        Verdict::Unknown(Reason::Incomplete)
                    }
                    Err(reason) => Verdict::Unknown(reason),
                }
            }
        }
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        COUNTERS.into_iter().zip(self.counters).collect()
    }
}
