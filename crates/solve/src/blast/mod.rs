//! Engine `blast`: bit-vectors, floats, arrays and uninterpreted functions by bit-blasting and lazy axioms.
//!
//! A query is rewritten and its equalities solved (`prepare`, `rewrite`), lowered to an and-inverter graph
//! (`lower`, `words`, `aig`), encoded as clauses (`cnf`) for the SAT core, and refined with array and function axioms
//! until a model satisfies them all (`axioms`, Zhang et al. 2020, Algorithm 3). Every model of the abstraction is a partial
//! solution, and so are assignments that the SAT core passes through (`partial`, Section 3.5).
//!
//! Everything that is encoded is a definition or an axiom, and conjuncts are only assumed. So words, clauses and what the
//! SAT core learnt serve all later queries of the same arena, and the assumptions that fail together are a core.
//!
//! Floats are circuits as well (`float`). Those of quotients, roots, remainders and fused sums are left out until a model
//! needs them: at first only facts about their results are known.
//!
//! The engine refuses integers, reals other than constants and what floats are (`reals`), strings, datatypes, quantifiers, arrays of arrays, and
//! functions over arrays.

mod aig;
mod axioms;
mod cnf;
mod float;
mod lower;
mod minimize;
mod model;
mod partial;
mod phases;
mod prepare;
mod reals;
mod rewrite;
mod support;
#[cfg(test)]
mod tests;
mod valuation;
mod words;

use crate::engine::{Budget, Engine, Partials, Query, Reason, Verdict};
use crate::sat::{Hooks, Lit, SatAnswer, Stop};
use crate::tuning::blast::{BYTES_PER_NODE, MAX_CIRCUITS, STALE_SHARE, STALE_VARIABLES};
use crate::verify::satisfies;
use aig::Bit;
use axioms::{Atom, Axioms};
use cnf::Cnf;
use lower::Lowering;
use model::Symbols;
use partial::Observer;
use prepare::{Prepared, Why, prepare};
use reals::Reals;
use rewrite::Rewriter;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::walk::Walker;
use smt::{ArenaId, FunId, Model, Op, Sort, SortId, TermId, Terms, Value};
use support::Support;
use valuation::Valuation;

/// The engine's name on the command line and in partial solutions.
const NAME: &str = "blast";

/// Decides queries over bit-vectors, arrays and uninterpreted functions.
///
/// One engine serves one arena: it keeps what it built for earlier queries.
#[derive(Default)]
pub struct Blast {
    support: Support,
    reals: Reals,
    rewriter: Rewriter,
    encoding: Option<Encoding>,
    walker: Walker,
    /// The arena that all of this is about.
    arena: Option<ArenaId>,
    counts: Counts,
}

/// What outlives a query, as long as nothing has to be encoded differently.
struct Encoding {
    lowering: Lowering,
    cnf: Cnf,
    /// Symbols that are part of encoded conjuncts.
    kept: FxHashSet<TermId>,
    /// The elements at the witness index of each equality of arrays.
    witnesses: FxHashMap<TermId, [TermId; 2]>,
    /// How many nodes the last query was about.
    cone: usize,
}

/// What was done, without what the present encoding counts itself.
#[derive(Default, Clone, Copy)]
struct Counts {
    refinements: u64,
    axioms: u64,
    /// Circuits that were left out at first and turned out to be needed.
    circuits: u64,
    partials: u64,
    encodings: u64,
    /// Totals of encodings that were given up.
    nodes: u64,
    variables: u64,
    clauses: u64,
    conflicts: u64,
    decisions: u64,
    propagations: u64,
}

impl Blast {
    /// An engine that has seen nothing yet.
    pub fn new() -> Blast {
        Blast::default()
    }

    /// Counts of the present encoding added to those of the earlier ones.
    fn totals(&self) -> Counts {
        let mut counts = self.counts;
        if let Some(encoding) = &self.encoding {
            let sat = encoding.cnf.solver.counters();
            counts.nodes += encoding.lowering.aig.len() as u64;
            counts.variables += encoding.cnf.solver.num_vars() as u64;
            counts.clauses += encoding.cnf.clauses;
            counts.conflicts += sat.conflicts;
            counts.decisions += sat.decisions;
            counts.propagations += sat.propagations;
        }
        counts
    }

    /// Gives the encoding up; the next query starts anew.
    fn forget_encoding(&mut self) {
        self.counts = self.totals();
        self.encoding = None;
    }

    fn decide(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Result<Verdict, Reason> {
        if self.arena.as_ref() != Some(terms.identity()) {
            // Another arena: its terms have other meanings.
            self.forget_encoding();
            let arena = Some(terms.identity().noted());
            *self = Blast { counts: self.counts, arena, ..Blast::default() };
        }
        if !self.support.covers(terms, &query.assertions) {
            return Err(Reason::Unsupported);
        }
        let nothing = FxHashSet::default();
        let kept = self.encoding.as_ref().map_or(&nothing, |e| &e.kept);
        let replaced;
        let mut assertions = &query.assertions;
        if self.support.has_reals {
            replaced = self.reals.replace(terms, assertions)?;
            assertions = &replaced;
        }
        let prepared = prepare(terms, &mut self.rewriter, kept, assertions, budget)?;
        if let Some(why) = prepared.contradiction {
            return Ok(Verdict::Unsat(prepared.origins.assertions(&[why])));
        }
        let roots: Vec<TermId> = prepared.conjuncts.iter().map(|c| c.term).collect();
        let widths = element_widths(terms, &mut self.walker, &roots);
        if self.encoding.as_ref().is_some_and(|e| !e.fits(&widths)) {
            self.forget_encoding();
        }
        let counts = &mut self.counts;
        let encoding = self.encoding.get_or_insert_with(|| {
            counts.encodings += 1;
            Encoding::new(budget.memory)
        });
        for &(sort, width) in &widths {
            if encoding.lowering.element_width(sort).is_none() {
                encoding.lowering.set_element_width(sort, width);
            }
        }
        encoding.kept.extend(Symbols::of(terms, &mut self.walker, &roots).constants);
        let symbols = Symbols::of(terms, &mut self.walker, &query.assertions);
        Search {
            encoding,
            rewriter: &mut self.rewriter,
            counts,
            terms,
            assertions: &query.assertions,
            symbols,
            prepared,
            axioms: Axioms::default(),
            near: query.near.as_deref().unwrap_or_default(),
        }
        .run(&roots, budget, partials)
    }
}

impl Engine for Blast {
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
        let used = self.encoding.is_some();
        let mut verdict = self.decide(terms, query, budget, partials);
        if verdict.as_ref().is_err_and(|&reason| reason == Reason::Memory) {
            self.forget_encoding();
            // What earlier queries left behind is no reason to fail this one.
            if used {
                verdict = self.decide(terms, query, budget, partials);
            }
            if verdict.as_ref().is_err_and(|&reason| reason == Reason::Memory) {
                self.forget_encoding();
            }
        }
        if self.encoding.as_ref().is_some_and(|e| e.is_stale()) {
            self.forget_encoding();
        }
        verdict.unwrap_or_else(Verdict::Unknown)
    }
    fn counters(&self) -> Vec<(&'static str, u64)> {
        let counts = self.totals();
        vec![
            ("rewrites", self.rewriter.applied),
            ("aig-nodes", counts.nodes),
            ("variables", counts.variables),
            ("clauses", counts.clauses),
            ("encodings", counts.encodings),
            ("refinements", counts.refinements),
            ("axioms", counts.axioms),
            ("late-circuits", counts.circuits),
            ("partials", counts.partials),
            ("conflicts", counts.conflicts),
            ("decisions", counts.decisions),
            ("propagations", counts.propagations),
        ]
    }
}

impl Encoding {
    fn new(memory: usize) -> Encoding {
        Encoding {
            lowering: Lowering::new(memory / BYTES_PER_NODE),
            cnf: Cnf::new(memory / 16),
            kept: FxHashSet::default(),
            witnesses: FxHashMap::default(),
            cone: 0,
        }
    }

    /// Whether most of it is about other queries than the last one, which make the SAT core's models long.
    fn is_stale(&self) -> bool {
        let variables = self.cnf.solver.num_vars();
        variables > STALE_VARIABLES && variables / STALE_SHARE > self.cone
    }

    /// Whether the elements of all sorts can be told apart.
    fn fits(&self, widths: &[(SortId, u32)]) -> bool {
        widths.iter().all(|&(sort, width)| self.lowering.element_width(sort).is_none_or(|has| has >= width))
    }

    /// Counts the nodes that some terms are computed from.
    fn measure(&mut self, roots: &[TermId], others: &[TermId]) {
        if self.cnf.solver.num_vars() > STALE_VARIABLES {
            let words = roots.iter().chain(others).filter_map(|&t| self.lowering.word(t));
            self.cone = self.lowering.aig.cone(words.flatten().copied());
        }
    }

    /// Gives a term its word, and the SAT core what is known of words without a circuit.
    fn lower(&mut self, terms: &Terms, term: TermId, budget: &mut Budget) -> Result<(), Reason> {
        self.lowering.lower(terms, term, budget)?;
        self.assert_facts();
        Ok(())
    }

    fn assert_facts(&mut self) {
        for fact in self.lowering.take_facts() {
            if fact.constant() != Some(true) {
                let lit = self.literal(fact);
                self.cnf.clause(&[lit]);
            }
        }
    }

    /// The bit of a Boolean term.
    fn bit(&mut self, terms: &Terms, term: TermId, budget: &mut Budget) -> Result<Bit, Reason> {
        self.lower(terms, term, budget)?;
        Ok(self.lowering.word(term).expect("it was just lowered")[0])
    }

    fn literal(&mut self, bit: Bit) -> Lit {
        self.cnf.literal(&self.lowering.aig, bit)
    }
}

/// How many bits tell the elements of each uninterpreted sort apart: a formula that has a model has one with no more
/// elements than terms of the sort, the witnesses of array equalities included.
fn element_widths(terms: &Terms, walker: &mut Walker, roots: &[TermId]) -> Vec<(SortId, u32)> {
    let mut counts: Vec<(SortId, u32)> = Vec::new();
    let mut add = |sort: SortId, n: u32| {
        if matches!(terms.sort_of(sort), Sort::Uninterpreted(..)) {
            match counts.iter_mut().find(|c| c.0 == sort) {
                Some(count) => count.1 += n,
                None => counts.push((sort, n)),
            }
        }
    };
    walker.visit(terms, roots, |term| {
        add(terms.sort(term), 1);
        if terms.op(term) == Op::Eq
            && let Sort::Array(index, element) = *terms.sort_of(terms.sort(terms.args(term)[0]))
        {
            add(index, 1);
            add(element, 2);
        }
    });
    counts.sort_unstable();
    // Room for later queries on the same symbols.
    counts.into_iter().map(|(sort, n)| (sort, (n.max(2) - 1).ilog2() + 2)).collect()
}

/// One query being decided.
struct Search<'a> {
    encoding: &'a mut Encoding,
    rewriter: &'a mut Rewriter,
    counts: &'a mut Counts,
    terms: &'a mut Terms,
    assertions: &'a [TermId],
    symbols: Symbols,
    prepared: Prepared,
    axioms: Axioms,
    near: &'a [(FunId, Value)],
}

impl Search<'_> {
    /// Abstract, solve, validate, refine: Zhang et al. 2020, Algorithm 3.
    fn run(
        mut self,
        roots: &[TermId],
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Result<Verdict, Reason> {
        let assumed = match self.abstraction(roots, budget)? {
            Ok(assumed) => assumed,
            Err(contradiction) => return Ok(self.unsat(&[contradiction])),
        };
        self.note_axioms(roots, budget)?;
        self.encoding.measure(roots, &self.axioms.relevant(self.terms));
        if !self.near.is_empty() {
            phases::prefer(self.encoding, self.terms, &self.symbols.constants, self.near);
        }
        let assumptions: Vec<Lit> = assumed.iter().map(|&(lit, _)| lit).collect();
        let mut observer = Observer::new(self.terms, &self.symbols, &self.prepared, partials.wanted());
        if observer.has_arrays() {
            observer.look_at(self.axioms.relevant(self.terms));
        }
        let before = self.encoding.cnf.solver.counters().search_ticks;
        observer.freeze(self.encoding, true);
        let verdict = loop {
            match self.solve(&assumptions, &mut observer, budget, partials) {
                SatAnswer::Unknown(Stop::Memory) => break Err(Reason::Memory),
                SatAnswer::Unknown(Stop::Budget) => break Err(budget.exhausted().unwrap_or(Reason::Time)),
                SatAnswer::Unsat => {
                    let effort = self.encoding.cnf.solver.counters().search_ticks - before;
                    let core = minimize::core(&mut self.encoding.cnf.solver, effort, budget);
                    let core: FxHashSet<Lit> = core.into_iter().collect();
                    let failed = assumed.iter().filter(|(lit, _)| core.contains(lit));
                    let whys: Vec<Why> = failed.map(|&(_, why)| why).collect();
                    break Ok(self.unsat(&whys));
                }
                SatAnswer::Sat => match self.validate(&mut observer, budget, partials) {
                    Ok(Some(verdict)) => break Ok(verdict),
                    Ok(None) => self.counts.refinements += 1,
                    Err(reason) => break Err(reason),
                },
            }
        };
        observer.freeze(self.encoding, false);
        self.counts.partials += observer.shown;
        verdict
    }

    fn unsat(&self, whys: &[Why]) -> Verdict {
        Verdict::Unsat(self.prepared.origins.assertions(whys))
    }

    /// The literals of all conjuncts; or one that is false.
    fn abstraction(
        &mut self,
        roots: &[TermId],
        budget: &mut Budget,
    ) -> Result<Result<Vec<(Lit, Why)>, Why>, Reason> {
        let mut assumed = Vec::with_capacity(roots.len());
        for (i, &root) in roots.iter().enumerate() {
            let why = self.prepared.conjuncts[i].why;
            let bit = self.encoding.bit(self.terms, root, budget)?;
            match bit.constant() {
                Some(true) => {}
                Some(false) => return Ok(Err(why)),
                None => assumed.push((self.encoding.literal(bit), why)),
            }
        }
        Ok(Ok(assumed))
    }

    /// Finds the array and function terms, lowers what their axioms look at, and adds witnesses of inequality.
    fn note_axioms(&mut self, roots: &[TermId], budget: &mut Budget) -> Result<(), Reason> {
        let mut open = self.axioms.scan(self.terms, roots);
        while let Some(equality) = open.pop() {
            let [a, b] = match self.encoding.witnesses.get(&equality) {
                Some(&elements) => elements,
                None => self.add_witness(equality, budget)?,
            };
            open.extend(self.axioms.scan(self.terms, &[a, b]));
        }
        if !self.axioms.is_empty() {
            for term in self.axioms.relevant(self.terms) {
                self.encoding.lower(self.terms, term, budget)?;
            }
        }
        Ok(())
    }

    /// Extensionality: arrays that differ do so at a new index.
    fn add_witness(&mut self, equality: TermId, budget: &mut Budget) -> Result<[TermId; 2], Reason> {
        let terms = &mut *self.terms;
        let [a, b] = [terms.args(equality)[0], terms.args(equality)[1]];
        let Sort::Array(index, _) = *terms.sort_of(terms.sort(a)) else { unreachable!("arrays are equated") };
        let name = terms.fresh_symbol("blast!witness!");
        let fun = terms.declare(name, &[], index);
        let witness = terms.apply(fun, &[]).expect("a constant takes no arguments");
        let elements = [a, b].map(|array| {
            let read = terms.mk(Op::Select, &[array, witness]);
            self.rewriter.rewrite(terms, read)
        });
        let same = terms.mk(Op::Eq, &elements);
        self.add_axiom(&[(equality, true), (same, false)], budget)?;
        self.encoding.witnesses.insert(equality, elements);
        Ok(elements)
    }

    fn add_axiom(&mut self, clause: &[Atom], budget: &mut Budget) -> Result<(), Reason> {
        let mut lits = Vec::with_capacity(clause.len());
        for &(atom, value) in clause {
            let atom = self.rewriter.rewrite(self.terms, atom);
            let bit = self.encoding.bit(self.terms, atom, budget)?.flip(!value);
            match bit.constant() {
                Some(true) => return Ok(()),
                Some(false) => {}
                None => lits.push(self.encoding.literal(bit)),
            }
        }
        self.encoding.cnf.clause(&lits);
        self.counts.axioms += 1;
        Ok(())
    }

    fn solve(
        &mut self,
        assumptions: &[Lit],
        observer: &mut Observer,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> SatAnswer {
        let (lowering, Cnf { solver, literals, .. }) = (&self.encoding.lowering, &mut self.encoding.cnf);
        if !observer.wanted() {
            let mut spend = |ticks: u64| spend(budget, ticks);
            return solver.solve_with(assumptions, Hooks { budget: Some(&mut spend), ..Hooks::default() });
        }
        let terms = &mut *self.terms;
        let conflicts = solver.counters().conflicts;
        let ticks = std::cell::Cell::new(0u64);
        let mut spend = |t: u64| {
            ticks.set(ticks.get() + t);
            spend(budget, t)
        };
        let (axioms, symbols, prepared) = (&self.axioms, &self.symbols, &self.prepared);
        let mut on_trail = |view: &crate::sat::Assignment<'_>| {
            if !observer.has_arrays() {
                observer.show_trail(terms, lowering, literals, view, conflicts, ticks.get(), partials);
            } else if observer.is_due(ticks.get()) {
                // Arrays are what the reads of them say, as in a model.
                let source = |edge: Bit| {
                    let lit = literals.get(edge.node()).copied().flatten()?;
                    Some(view.value(lit).unwrap_or(false) ^ edge.is_negated())
                };
                let mut values = Valuation::new(lowering, &source);
                let check = axioms.check(terms, &mut values);
                let model = model::build(terms, symbols, prepared, &mut values, &check, &lowering.zeros);
                observer.spend(ticks.get(), lowering.aig.len() as u64 / 4);
                observer.show_model(terms, &model, conflicts, partials);
            }
        };
        let hooks = Hooks { budget: Some(&mut spend), on_trail: Some(&mut on_trail), theory: None };
        solver.solve_with(assumptions, hooks)
    }

    /// Checks a model of the abstraction: a verdict if it is one of the query, otherwise the axioms that it
    /// violates are added.
    fn validate(
        &mut self,
        observer: &mut Observer,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Result<Option<Verdict>, Reason> {
        let cnf = &self.encoding.cnf;
        let source = |edge: Bit| cnf.known(edge).map(|lit| cnf.solver.value(lit).unwrap_or(false));
        let mut values = Valuation::new(&self.encoding.lowering, &source);
        let check = self.axioms.check(self.terms, &mut values);
        let violated = !check.lemmas.is_empty();
        let wrong = self.axioms.wrong_results(self.terms, &self.encoding.lowering, &mut values);
        if !violated || observer.wanted() {
            let zeros = &self.encoding.lowering.zeros;
            let model = model::build(self.terms, &self.symbols, &self.prepared, &mut values, &check, zeros);
            if !violated {
                // Where a result is wrong, what the symbols are may be right all the same.
                let verdict = self.judge(&model);
                if wrong.is_empty() || matches!(verdict, Verdict::Sat(_)) {
                    return Ok(Some(verdict));
                }
            }
            let step = self.encoding.cnf.solver.counters().conflicts + self.counts.refinements;
            observer.show_model(self.terms, &model, step, partials);
        }
        for &term in wrong.iter().take(MAX_CIRCUITS) {
            self.encoding.lowering.refine(self.terms, term)?;
            self.counts.circuits += 1;
        }
        self.encoding.assert_facts();
        for clause in &check.lemmas {
            self.add_axiom(clause, budget)?;
        }
        if !budget.spend(check.lemmas.len() as u32 * 64) {
            return Err(budget.exhausted().unwrap_or(Reason::Time));
        }
        Ok(None)
    }

    /// The evaluator has the last word on every model.
    fn judge(&self, model: &Model) -> Verdict {
        // What conversions give out of range is said only where it matters.
        let mut plain = model.clone();
        plain.clear_conversions();
        for model in [&plain, model] {
            if satisfies(self.terms, model, self.assertions) {
                return Verdict::Sat(model.clone());
            }
        }
        Verdict::Unknown(Reason::Incomplete)
    }
}

fn spend(budget: &mut Budget, ticks: u64) -> bool {
    budget.spend(u32::try_from(ticks).unwrap_or(u32::MAX))
}
