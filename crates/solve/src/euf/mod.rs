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
use crate::linear::clausify::{Root, clausify};
use crate::linear::encode::foreign::Foreign;
use crate::linear::encode::{Encoding, Meaning, encode_with};
use crate::linear::gates::Edge;
use crate::linear::limits::Limits;
use crate::linear::record::Recorder as Vertices;
use crate::linear::theory::Arithmetic;
use crate::linear::{BYTES_PER_LITERAL, CORE_TICKS, register, shapes};
use crate::profile::Profile;
use crate::sat::{Feedback, Hooks, Lit, Options, SatAnswer, Solver, Stop};
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

/// What one search came to.
enum Found {
    Solution(Solution, Vec<bool>),
    /// Positions of guarded roots that cannot hold together.
    Unsat(Vec<usize>),
    Unknown(Reason),
}

impl Euf {
    /// The engine; the seed sets which value Booleans are tried with first.
    pub(crate) fn new(seed: u64) -> Euf {
        Euf { seed, ..Euf::default() }
    }

    fn search(
        &mut self,
        terms: &mut Terms,
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
        let clausified = clausify(&encoding.gates, &roots, &mut sat);
        let mut simplex = encoding.simplex.clone();
        simplex.set_request_limit(u64::MAX);
        let atoms = register(encoding, &clausified, &mut sat, &mut simplex);
        let literal = |edge: Edge| Some(clausified.vars[edge.node()]?.lit(!edge.is_negated()));
        let wanted = partials.wanted();
        let shared = RefCell::new(partials);
        let (mut for_vertices, mut for_classes) = (Shared(&shared), Shared(&shared));
        let vertices = wanted.then(|| {
            simplex.watch_partials();
            let constants = shapes(terms, encoding, &clausified);
            for (_, shape) in &constants {
                if let crate::linear::record::Shape::Bool(Some(var)) = shape {
                    sat.observe(*var);
                }
            }
            Vertices::new(&mut for_vertices, constants)
        });
        let arithmetic = Arithmetic::new(simplex, atoms, limits, vertices);
        let (graph, universe) = (Egraph::new(), Universe::new());
        let mut theory = Combination::new(arithmetic, graph, universe, terms, limits);
        theory.recorder = wanted.then(|| Recorder::new(&mut for_classes));
        let mut out = Feedback::starting(sat.num_vars());
        let built = build(&mut theory, encoding, &literal, &clausified.needed, &mut sat, &mut out);
        if let Err(reason) = built {
            return Found::Unknown(reason);
        }
        if !sat.begin_with(out) {
            return Found::Unsat(Vec::new());
        }
        let mut spend = |ticks: u64| limits.spend(ticks);
        let hooks = Hooks { theory: Some(&mut theory), budget: Some(&mut spend), ..Hooks::default() };
        let outcome = sat.solve_with(&guards, hooks);
        self.count(&sat, &theory);
        match outcome {
            SatAnswer::Sat => match theory.accepted.take() {
                Some(solution) => {
                    let free = |node: usize| {
                        clausified.vars[node].and_then(|var| sat.value(var.positive())).unwrap_or(false)
                    };
                    let truths = encoding.gates.evaluate(&solution.numbers, free);
                    Found::Solution(solution, truths)
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
    fn core(&mut self, terms: &mut Terms, encoding: &Encoding, effort: u64, budget: &Budget) -> Vec<usize> {
        let all = (0..encoding.roots.len()).collect();
        let mut slice = budget.slice((effort + CORE_TICKS.0).min(CORE_TICKS.1));
        let limits = Limits::new(&mut slice);
        match self.search(terms, encoding, true, &limits, &mut NoPartials, budget.memory) {
            Found::Unsat(core) => core,
            Found::Solution(..) | Found::Unknown(_) => all,
        }
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
    literal: &dyn Fn(Edge) -> Option<Lit>,
    needed: &[bool],
    sat: &mut Solver,
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
        if let Some(lit) = literal(edge) {
            play(theory, node, lit, needed, sat);
        }
    }
    named.sort_unstable();
    named.dedup();
    for term in named {
        let Some(&node) = theory.universe.names.get(&term) else { continue };
        theory.datatypes.note_node(theory.terms, node, theory.terms.sort(term));
        let lit = foreign.truths.get(&term).and_then(|&edge| literal(edge));
        if let (SortId::BOOL, Some(lit)) = (theory.terms.sort(term), lit) {
            play(theory, node, lit, needed, sat);
        }
    }
    for &(_, term) in &encoding.constants {
        match encoding.meaning(term)? {
            Meaning::Node => {
                theory.universe.node(&mut theory.graph, theory.terms, encoding, term)?;
            }
            Meaning::Truth(edge) => {
                if let Some(lit) = literal(*edge) {
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
fn play(theory: &mut Combination<'_, '_>, node: egraph::Node, lit: Lit, needed: &[bool], sat: &mut Solver) {
    theory.assign_role(node, lit);
    sat.observe(lit.var());
    for lit in [lit, !lit] {
        if needed[lit.index()] {
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
        let encoding = match encode_with(terms, query, Some(foreign), budget) {
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
            Found::Solution(solution, truths) => {
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
