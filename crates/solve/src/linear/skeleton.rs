//! The Boolean side of a search: the clauses of an encoding, the bounds that its literals state, and guards that tell on which
//! conjuncts a refutation stands. The theory is the caller's.

use super::atoms::Atoms;
use super::clausify::{Clausified, Root, clausify};
use super::encode::{Encoding, Meaning};
use super::gates::{Edge, Gate};
use super::limits::Limits;
use super::record::{Recorder, Shape};
use crate::engine::{Budget, Partials, Reason};
use crate::sat::{Hooks, Lit, SatAnswer, SatSettings, Solver, Stop, Theory};
use crate::simplex::Simplex;
use crate::simplex::num::Rational;
use crate::tuning::linear_skeleton::{BYTES_PER_LITERAL, CORE_TICKS};
use rustc_hash::FxHashSet;
use smt::{FunId, Sort, TermId, Terms};

/// How a search is set up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SkeletonSettings {
    /// Sets which value Booleans are tried with first.
    pub(crate) seed: u64,
    /// Bytes that clauses may take.
    pub(crate) memory: usize,
    /// Whether refutations name the conjuncts that they stand on.
    pub(crate) guarded: bool,
}

/// What a search came to.
pub(crate) enum SearchVerdict<S> {
    /// The theory accepted an assignment, and what it says.
    Sat(S),
    /// Positions of guarded conjuncts that cannot hold together, ascending.
    Unsat(Vec<usize>),
    Unknown(Reason),
}

impl SearchVerdict<()> {
    /// The same with the solution that the theory kept of the accepted assignment. Where it has none, nothing is known.
    pub(crate) fn with<S>(
        self,
        limits: &Limits<'_>,
        solution: impl FnOnce() -> Option<S>,
    ) -> SearchVerdict<S> {
        match self {
            SearchVerdict::Sat(()) => match solution() {
                Some(solution) => SearchVerdict::Sat(solution),
                None => SearchVerdict::Unknown(limits.exhausted().unwrap_or(Reason::Incomplete)),
            },
            SearchVerdict::Unsat(core) => SearchVerdict::Unsat(core),
            SearchVerdict::Unknown(reason) => SearchVerdict::Unknown(reason),
        }
    }
}

impl<S> SearchVerdict<S> {
    /// The conjuncts of a refutation.
    pub(crate) fn core(self) -> Option<Vec<usize>> {
        match self {
            SearchVerdict::Unsat(core) => Some(core),
            SearchVerdict::Sat(_) | SearchVerdict::Unknown(_) => None,
        }
    }
}

/// The clauses of an encoding in a SAT solver.
pub(crate) struct Skeleton {
    pub(crate) sat: Solver,
    pub(crate) clausified: Clausified,
    /// One for each conjunct, or none.
    guards: Vec<Lit>,
}

impl Skeleton {
    /// Adds the clauses of an encoding to a new solver.
    pub(crate) fn new(encoding: &Encoding, setup: SkeletonSettings) -> Skeleton {
        let options = SatSettings {
            initial_phase: setup.seed % 2 == 1,
            memory_limit: setup.memory / BYTES_PER_LITERAL,
            ..SatSettings::default()
        };
        let mut sat = Solver::new(options);
        let guards: Vec<Lit> = match setup.guarded {
            true => encoding.roots.iter().map(|_| sat.new_var().positive()).collect(),
            false => Vec::new(),
        };
        let conjuncts = encoding.roots.iter().enumerate();
        let conjuncts = conjuncts.map(|(at, &edge)| Root { edge, guard: guards.get(at).copied() });
        let axioms = encoding.axioms.iter().map(|&edge| Root { edge, guard: None });
        let roots: Vec<Root> = axioms.chain(conjuncts).collect();
        let clausified = clausify(&encoding.gates, &roots, &mut sat);
        Skeleton { sat, clausified, guards }
    }

    /// A simplex core of the encoding in which the literals of bounds are known, and these.
    pub(crate) fn arithmetic(&mut self, encoding: &Encoding) -> (Simplex, Atoms) {
        let mut simplex = encoding.simplex.clone();
        simplex.set_request_limit(u64::MAX);
        let mut atoms = Atoms::default();
        for (gate, var) in encoding.gates.nodes().iter().zip(&self.clausified.vars) {
            if let (Gate::Atom(form, limit), &Some(var)) = (gate, var) {
                atoms.insert(&mut simplex, var, *form, limit.clone());
                for lit in [var.positive(), var.negative()] {
                    if self.clausified.needed[lit.index()] {
                        atoms.need(lit);
                    }
                }
                atoms.seal(var);
                self.sat.observe(var);
            }
        }
        (simplex, atoms)
    }

    /// A recorder of the vertices that the core passes through.
    pub(crate) fn recorder<'a>(
        &mut self,
        terms: &Terms,
        encoding: &Encoding,
        simplex: &mut Simplex,
        partials: &'a mut dyn Partials,
    ) -> Recorder<'a> {
        simplex.watch_partials();
        let constants = self.shapes(terms, encoding);
        for (_, shape) in &constants {
            if let Shape::Bool(Some(var)) = shape {
                self.sat.observe(*var);
            }
        }
        Recorder::new(partials, constants)
    }

    /// What partial solutions show: the constants that are numbers or Booleans.
    fn shapes(&self, terms: &Terms, encoding: &Encoding) -> Vec<(FunId, Shape)> {
        let shape = |term: TermId| match encoding.meaning(term).ok()? {
            Meaning::Truth(edge) => Some(Shape::Bool(self.clausified.vars[edge.node()])),
            Meaning::Number(affine) => {
                let (var, _) = affine.form.terms().first()?;
                let is_int = matches!(terms.sort_of(terms.sort(term)), Sort::Int);
                Some(if is_int { Shape::Int(*var) } else { Shape::Real(*var) })
            }
            Meaning::Element(_) | Meaning::Node => None,
        };
        encoding.constants.iter().filter_map(|&(fun, term)| Some((fun, shape(term)?))).collect()
    }

    /// The literal of an edge, if the clauses mention it.
    pub(crate) fn literal(&self, edge: Edge) -> Option<Lit> {
        Some(self.clausified.vars[edge.node()]?.lit(!edge.is_negated()))
    }

    /// Searches with a theory.
    pub(crate) fn search(&mut self, theory: &mut dyn Theory, limits: &Limits<'_>) -> SearchVerdict<()> {
        let mut spend = |ticks: u64| limits.spend(ticks);
        let hooks = Hooks { theory: Some(theory), budget: Some(&mut spend), ..Hooks::default() };
        match self.sat.solve_with(&self.guards, hooks) {
            SatAnswer::Sat => SearchVerdict::Sat(()),
            SatAnswer::Unsat => {
                let failed: FxHashSet<Lit> = self.sat.failed_assumptions().iter().copied().collect();
                let positions = 0..self.guards.len();
                SearchVerdict::Unsat(positions.filter(|&at| failed.contains(&self.guards[at])).collect())
            }
            SatAnswer::Unknown(Stop::Budget) => {
                SearchVerdict::Unknown(limits.exhausted().unwrap_or(Reason::Time))
            }
            SatAnswer::Unknown(Stop::Memory) => SearchVerdict::Unknown(Reason::Memory),
        }
    }

    /// The truth of every gate after `sat`, given the numbers.
    pub(crate) fn truths(&self, encoding: &Encoding, numbers: &[Rational]) -> Vec<bool> {
        let free = |node: usize| {
            self.clausified.vars[node].and_then(|var| self.sat.value(var.positive())).unwrap_or(false)
        };
        encoding.gates.evaluate(numbers, free)
    }
}

/// Conjuncts that have no common solution, out of `count`: few of them if a second search, after one that took `effort`, finds them in
/// time, all otherwise.
pub(crate) fn core(
    count: usize,
    effort: u64,
    budget: &Budget,
    search: impl FnOnce(&Limits<'_>) -> Option<Vec<usize>>,
) -> Vec<usize> {
    let mut slice = budget.slice((effort + CORE_TICKS.0).min(CORE_TICKS.1));
    search(&Limits::new(&mut slice)).unwrap_or_else(|| (0..count).collect())
}
