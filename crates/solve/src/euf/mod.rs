//! The engine `euf`: equality with uninterpreted functions, arrays and datatypes, together with linear arithmetic.
//!
//! | file | owns |
//! |---|---|
//! | `egraph`, `explain` | congruence closure that can be taken back, and its explanations |
//! | `universe` | which node stands for what |
//! | `combine` | the theory of the SAT core: the graph and the arithmetic of `linear` as one |
//! | `arrays`, `datatypes` | lemmas over the graph |
//! | `interface` | values for classes, and what arithmetic has to tell the graph |
//! | `model`, `record` | models, partial solutions |
//!
//! Arithmetic and the Boolean skeleton are those of the engine `simplex`: terms of other theories are unknowns there
//! (`linear::encode::foreign`). Products of unknowns are replaced by unknowns as well; every model is judged by the evaluator. Quantifiers,
//! bit-vectors, floats and strings are refused.

mod arrays;
mod combine;
mod datatypes;
mod egraph;
mod explain;
mod interface;
mod model;
mod record;
#[cfg(test)]
mod tests;
mod universe;

use crate::defaults::complete;
use crate::engine::{Budget, Engine, NoPartials, Partials, Query, Reason, Verdict};
use crate::linear::encode::foreign::Foreign;
use crate::linear::encode::{Encoding, Meaning, encode_with};
use crate::linear::gates::Edge;
use crate::linear::limits::Limits;
use crate::linear::skeleton::{SearchVerdict, Skeleton, SkeletonSettings, core};
use crate::linear::theory::Arithmetic;
use crate::profile::Profile;
use crate::sat::{Feedback, Lit, Solver};
use crate::verify::satisfies;
use combine::Combination;
use egraph::Egraph;
use model::Solution;
use record::{Recorder, Shared};
use smt::{SortId, Terms, walk};
use std::cell::RefCell;
use universe::{Symbol, Universe};

/// The engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Euf {
    seed: u64,
    counters: [u64; COUNTERS.len()],
}

/// Names of the counters.
static COUNTERS: [&str; 6] =
    ["merges", "euf-conflicts", "euf-decisions", "euf-pivots", "euf-lemmas", "interface-equalities"];

impl Euf {
    /// The engine; the seed sets which value Booleans are tried with first.
    pub(crate) fn new(seed: u64) -> Euf {
        Euf { seed, ..Euf::default() }
    }

    fn search(
        &mut self,
        terms: &mut Terms,
        encoding: &Encoding,
        setup: SkeletonSettings,
        limits: &Limits<'_>,
        partials: &mut dyn Partials,
    ) -> SearchVerdict<(Solution, Vec<bool>)> {
        let mut skeleton = Skeleton::new(encoding, setup);
        let (mut simplex, atoms) = skeleton.arithmetic(encoding);
        let wanted = partials.wanted();
        let shared = RefCell::new(partials);
        let (mut for_vertices, mut for_classes) = (Shared(&shared), Shared(&shared));
        let vertices = wanted.then(|| skeleton.recorder(terms, encoding, &mut simplex, &mut for_vertices));
        let arithmetic = Arithmetic::new(simplex, atoms, limits, vertices);
        let (graph, universe) = (Egraph::new(), Universe::new());
        let mut theory = Combination::new(arithmetic, graph, universe, terms, limits);
        theory.recorder = wanted.then(|| Recorder::new(&mut for_classes));
        let mut out = Feedback::starting(skeleton.sat.num_vars());
        if let Err(reason) = build(&mut theory, encoding, &mut skeleton, &mut out) {
            return SearchVerdict::Unknown(reason);
        }
        if !skeleton.sat.begin_with(out) {
            return SearchVerdict::Unsat(Vec::new());
        }
        let outcome = skeleton.search(&mut theory, limits);
        self.count(&skeleton.sat, &theory);
        outcome.with(limits, || {
            let solution = theory.accepted.take()?;
            let truths = skeleton.truths(encoding, &solution.numbers);
            Some((solution, truths))
        })
    }

    /// Conjuncts that have no common solution: few of them if a second search finds them in time, all otherwise.
    fn core(&mut self, terms: &mut Terms, encoding: &Encoding, effort: u64, budget: &Budget) -> Vec<usize> {
        let setup = SkeletonSettings { seed: self.seed, memory: budget.memory, guarded: true };
        core(encoding.roots.len(), effort, budget, |limits| {
            self.search(terms, encoding, setup, limits, &mut NoPartials).core()
        })
    }

    fn count(&mut self, sat: &Solver, theory: &Combination<'_, '_>) {
        let boolean = sat.counters();
        let rows = [
            theory.graph.merges,
            boolean.conflicts,
            boolean.decisions,
            theory.arithmetic.simplex.stats().pivots,
            theory.lemmas,
            theory.interface,
        ];
        self.counters.iter_mut().zip(rows).for_each(|(counter, row)| *counter += row);
    }
}

/// Gives the terms of other theories nodes, and the Booleans that stand for them roles.
fn build(
    theory: &mut Combination<'_, '_>,
    encoding: &Encoding,
    skeleton: &mut Skeleton,
    out: &mut Feedback,
) -> Result<(), Reason> {
    let Some(foreign) = &encoding.foreign else { return Err(Reason::Unsupported) };
    theory.constants.clone_from(&encoding.constants);
    let mut named = Vec::new();
    for &term in &foreign.nodes {
        let before = theory.universe.applications.len();
        theory.universe.add_term(&mut theory.graph, theory.terms, encoding, term)?;
        named.extend(theory.terms.args(term).iter().copied().chain([term]));
        if theory.universe.applications.len() > before {
            let symbol = theory.universe.applications[before].symbol;
            theory.arrays.note_application(before, symbol);
            if let Symbol::Tester(ctor) = symbol {
                theory.datatypes.note_tester(ctor);
            }
        }
    }
    for &(a, b, edge) in &foreign.equalities {
        let (left, right) = (
            theory.universe.node(&mut theory.graph, theory.terms, encoding, a)?,
            theory.universe.node(&mut theory.graph, theory.terms, encoding, b)?,
        );
        named.extend([a, b]);
        let node = theory.known_equality(left, right, theory.universe.number(left).is_some());
        if let Some(lit) = skeleton.literal(edge) {
            play(theory, node, lit, skeleton);
        }
    }
    named.sort_unstable();
    named.dedup();
    for term in named {
        let Some(&node) = theory.universe.names.get(&term) else { continue };
        theory.datatypes.note_node(theory.terms, node, theory.terms.sort(term));
        let lit = foreign.truths.get(&term).and_then(|&edge| skeleton.literal(edge));
        if let (SortId::BOOL, Some(lit)) = (theory.terms.sort(term), lit) {
            play(theory, node, lit, skeleton);
        }
    }
    for &(_, term) in &encoding.constants {
        match encoding.meaning(term)? {
            Meaning::Node => {
                theory.universe.node(&mut theory.graph, theory.terms, encoding, term)?;
            }
            Meaning::Truth(edge) => {
                if let Some(lit) = skeleton.literal(*edge) {
                    theory.bools.insert(term, lit);
                }
            }
            Meaning::Number(number) => {
                // Partial solutions list all numbers.
                if theory.recorder.is_some() {
                    let (number, sort) = (number.clone(), theory.terms.sort(term));
                    let node = theory.universe.number_node(&mut theory.graph, number, sort);
                    theory.universe.names.insert(term, node);
                }
            }
            Meaning::Element(_) => return Err(Reason::Unsupported),
        }
    }
    let same = std::mem::take(&mut theory.universe.same);
    theory.axioms.extend(same);
    theory.complete_arrays(out);
    theory.complete_constructors(out);
    theory.settle(out);
    Ok(())
}

/// Lets a literal be the truth of a node.
fn play(theory: &mut Combination<'_, '_>, node: egraph::Node, lit: Lit, skeleton: &mut Skeleton) {
    theory.assign_role(node, lit);
    skeleton.sat.observe(lit.var());
    for lit in [lit, !lit] {
        if skeleton.clausified.needed[lit.index()] {
            theory.bind(lit);
        }
    }
}

impl Engine for Euf {
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
        let reachable = walk::reachable(terms, &query.assertions);
        let foreign = Foreign::of(terms, &reachable);
        let encoding = match encode_with(terms, query, foreign, budget) {
            Ok(encoding) => encoding,
            Err(reason) => return Verdict::Unknown(reason),
        };
        let setup = SkeletonSettings { seed: self.seed, memory: budget.memory, guarded: false };
        let limits = Limits::new(budget);
        let found = self.search(terms, &encoding, setup, &limits, partials);
        let effort = limits.spent();
        match found {
            SearchVerdict::Unknown(reason) => Verdict::Unknown(reason),
            SearchVerdict::Unsat(_) => Verdict::Unsat(self.core(terms, &encoding, effort, budget)),
            SearchVerdict::Sat((solution, truths)) => {
                let truth = |edge: Edge| truths[edge.node()] != edge.is_negated();
                let mut model = solution.model(terms, &encoding, truth);
                let symbols = Profile::of(terms, &query.assertions).symbols;
                complete(terms, &mut model, &symbols);
                if satisfies(terms, &model, &query.assertions) {
                    Verdict::Sat(model)
                } else {
                    Verdict::Unknown(Reason::Incomplete)
                }
            }
        }
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        COUNTERS.into_iter().zip(self.counters).collect()
    }
}
