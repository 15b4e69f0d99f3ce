//! The engine `simplex`: DPLL(T) for linear arithmetic over integers and reals, with Boolean structure and, where their
//! applications are few, uninterpreted functions.
//!
//! | file | owns |
//! |---|---|
//! | `encode`, `affine` | terms to gates over bounds of linear forms |
//! | `gates`, `clausify` | the Boolean skeleton and its clauses |
//! | `atoms`, `theory` | the simplex core as a theory of the SAT core |
//! | `limits` | one budget for both |
//! | `record` | partial solutions (Zhang et al. 2020, Section 3.2) |
//! | `model` | models, judged by the evaluator |
//!
//! Terms that are not linear are replaced by unknowns. What is unsatisfiable then is so in the first place; a model
//! is a candidate that only the evaluator can confirm. Quantifiers, arrays and other theories are refused.

pub(crate) mod affine;
pub(crate) mod atoms;
pub(crate) mod clausify;
pub(crate) mod encode;
pub(crate) mod gates;
pub(crate) mod limits;
mod model;
pub(crate) mod record;
#[cfg(test)]
mod tests;
pub(crate) mod theory;

use crate::engine::{Budget, Engine, NoPartials, Partials, Query, Reason, Verdict};
use crate::sat::{Hooks, Lit, Options, SatAnswer, Solver, Stop};
use crate::simplex;
use crate::verify::satisfies;
use atoms::Atoms;
use clausify::{Clausified, Root};
use encode::{Encoding, Meaning};
use gates::Gate;
use limits::Limits;
use record::{Recorder, Shape};
use smt::{Sort, Terms};
use theory::Arithmetic;

/// Ticks that looking for a core may take beyond what the refutation took, and at most.
pub(crate) const CORE_TICKS: (u64, u64) = (20_000, 2_000_000);
/// Bytes that a literal in a clause takes with its watches, roughly.
pub(crate) const BYTES_PER_LITERAL: usize = 16;

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    seed: u64,
    counters: [u64; COUNTERS.len()],
}

/// Names of the counters in `--stats`.
static COUNTERS: [&str; 7] =
    ["pivots", "conflicts", "decisions", "propagations", "branches", "cuts", "lemmas"];

/// What one search came to.
enum Found {
    Numbers {
        numbers: Vec<simplex::num::Rational>,
        truths: Vec<bool>,
    },
    /// Positions of guarded roots that cannot hold together.
    Unsat(Vec<usize>),
    Unknown(Reason),
}

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
        guarded: bool,
        limits: &Limits<'_>,
        partials: &mut dyn Partials,
        memory: usize,
    ) -> Found {
        let options = Options {
            initial_phase: self.seed % 2 == 1,
            memory_limit: memory / BYTES_PER_LITERAL,
            ..Options::default()
        };
        let mut sat = Solver::new(options);
        let guards: Vec<Lit> = match guarded {
            true => encoding.roots.iter().map(|_| sat.new_var().positive()).collect(),
            false => Vec::new(),
        };
        let conjuncts = encoding.roots.iter().enumerate();
        let conjuncts = conjuncts.map(|(at, &edge)| Root { edge, guard: guards.get(at).copied() });
        let axioms = encoding.axioms.iter().map(|&edge| Root { edge, guard: None });
        let roots: Vec<Root> = axioms.chain(conjuncts).collect();
        let clausified = clausify::clausify(&encoding.gates, &roots, &mut sat);
        let mut simplex = encoding.simplex.clone();
        simplex.set_request_limit(u64::MAX);
        let atoms = register(encoding, &clausified, &mut sat, &mut simplex);
        let recorder = partials.wanted().then(|| {
            simplex.watch_partials();
            let constants = shapes(terms, encoding, &clausified);
            for (_, shape) in &constants {
                if let Shape::Bool(Some(var)) = shape {
                    sat.observe(*var);
                }
            }
            Recorder::new(partials, constants)
        });
        let mut theory = Arithmetic::new(simplex, atoms, limits, recorder);
        let mut spend = |ticks: u64| limits.spend(ticks);
        let hooks = Hooks { theory: Some(&mut theory), budget: Some(&mut spend), ..Hooks::default() };
        let outcome = sat.solve_with(&guards, hooks);
        self.count(&sat, &theory.simplex);
        match outcome {
            SatAnswer::Sat => match theory.model {
                Some(numbers) => {
                    let free = |node: usize| {
                        clausified.vars[node].and_then(|var| sat.value(var.positive())).unwrap_or(false)
                    };
                    let truths = encoding.gates.evaluate(&numbers, free);
                    Found::Numbers { numbers, truths }
                }
                None => Found::Unknown(limits.exhausted().unwrap_or(Reason::Incomplete)),
            },
            SatAnswer::Unsat => {
                let failed = sat.failed_assumptions();
                Found::Unsat((0..guards.len()).filter(|&at| failed.contains(&guards[at])).collect())
            }
            SatAnswer::Unknown(Stop::Budget) => Found::Unknown(limits.exhausted().unwrap_or(Reason::Time)),
            SatAnswer::Unknown(Stop::Memory) => Found::Unknown(Reason::Memory),
        }
    }

    /// Conjuncts that have no common solution: few of them if a second search finds them in time, all otherwise.
    fn core(&mut self, terms: &Terms, encoding: &Encoding, effort: u64, budget: &Budget) -> Vec<usize> {
        let all = (0..encoding.roots.len()).collect();
        let mut slice = budget.slice((effort + CORE_TICKS.0).min(CORE_TICKS.1));
        let limits = Limits::new(&mut slice);
        match self.search(terms, encoding, true, &limits, &mut NoPartials, budget.memory) {
            Found::Unsat(core) => core,
            Found::Numbers { .. } | Found::Unknown(_) => all,
        }
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

/// Makes the literals of bounds known to the simplex core and to the search.
pub(crate) fn register(
    encoding: &Encoding,
    clausified: &Clausified,
    sat: &mut Solver,
    simplex: &mut simplex::Simplex,
) -> Atoms {
    let mut atoms = Atoms::default();
    for (gate, var) in encoding.gates.nodes().iter().zip(&clausified.vars) {
        if let (Gate::Atom(form, limit), &Some(var)) = (gate, var) {
            atoms.insert(simplex, var, *form, limit.clone());
            for lit in [var.positive(), var.negative()] {
                if clausified.needed[lit.index()] {
                    atoms.need(lit);
                }
            }
            atoms.seal(var);
            sat.observe(var);
        }
    }
    atoms
}

/// What partial solutions show: the constants that are numbers or Booleans.
pub(crate) fn shapes(
    terms: &Terms,
    encoding: &Encoding,
    clausified: &Clausified,
) -> Vec<(smt::FunId, Shape)> {
    let shape = |term: smt::TermId| match encoding.meaning(term).ok()? {
        Meaning::Truth(edge) => Some(Shape::Bool(clausified.vars[edge.node()])),
        Meaning::Number(affine) => {
            let (var, _) = affine.form.terms().first()?;
            let is_int = matches!(terms.sort_of(terms.sort(term)), Sort::Int);
            Some(if is_int { Shape::Int(*var) } else { Shape::Real(*var) })
        }
        Meaning::Element(_) | Meaning::Node => None,
    };
    encoding.constants.iter().filter_map(|&(fun, term)| Some((fun, shape(term)?))).collect()
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
        let encoding = match encode::encode(terms, query, budget) {
            Ok(encoding) => encoding,
            Err(reason) => return Verdict::Unknown(reason),
        };
        let memory = budget.memory;
        let limits = Limits::new(budget);
        let found = self.search(terms, &encoding, false, &limits, partials, memory);
        let effort = limits.spent();
        match found {
            Found::Unknown(reason) => Verdict::Unknown(reason),
            Found::Unsat(_) => Verdict::Unsat(self.core(terms, &encoding, effort, budget)),
            Found::Numbers { numbers, truths } => {
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
