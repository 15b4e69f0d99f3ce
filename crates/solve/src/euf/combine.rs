//! Congruence closure and linear arithmetic as one theory of the SAT core.
//!
//! The graph sees every literal that stands for an equality or for a truth value in a term; arithmetic sees the bounds. Numbers that become
//! equal in the graph are equal in arithmetic at once, with the literals that made them so. The other direction waits for a
//! complete assignment: only where the model of arithmetic makes two applications of a function clash, the search is asked
//! whether their arguments are equal (`interface`, model-based theory combination after de Moura and Bjørner 2007).
//!
//! Arrays and datatypes are lemmas over this (`arrays`, `datatypes`). Lemmas need new nodes. Before nodes are added everything is taken
//! back, and told again after: what follows from a literal stays what it was, so explanations stay valid.

use super::arrays::Arrays;
use super::datatypes::Datatypes;
use super::egraph::{Clash, Egraph, Node, Why};
use super::model::Solution;
use super::record::Recorder;
use super::universe::{Symbol, Universe};
use crate::linear::affine::Affine;
use crate::linear::limits::Limits;
use crate::linear::theory::Arithmetic;
use crate::sat::{Assignment, Feedback, Lit, Theory, Var};
use crate::tuning::euf_combine::WORK_PER_TICK;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{FunId, SortId, TermId, Terms};

/// How much of an equality a new literal stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strength {
    /// Its truth makes the sides equal; its falsity says nothing.
    Implies,
    /// Its falsity makes them different, in arithmetic as well.
    Decides,
}

/// An equality between nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Equal {
    Always,
    Never,
    If(Lit),
}

/// The theory.
pub(super) struct Combination<'a, 'b> {
    pub(super) arithmetic: Arithmetic<'a, 'b>,
    pub(super) graph: Egraph,
    pub(super) universe: Universe,
    pub(super) terms: &'a mut Terms,
    pub(super) arrays: Arrays,
    pub(super) datatypes: Datatypes,
    pub(super) limits: &'a Limits<'b>,
    pub(super) recorder: Option<Recorder<'a>>,
    /// The constants of the query, with their terms.
    pub(super) constants: Vec<(FunId, TermId)>,
    /// The constants of the query that are truth values, with the literal of each.
    pub(super) bools: FxHashMap<TermId, Lit>,
    /// By SAT variable, the nodes that it decides, and whether its truth is theirs.
    roles: Vec<Vec<(Node, bool)>>,
    /// By node, the literals that say that it is true.
    lits: Vec<Vec<Lit>>,
    /// By literal, whether its truth binds the graph.
    binding: Vec<bool>,
    /// By SAT variable, the node by which it was propagated.
    sources: Vec<Option<Node>>,
    values: Vec<Option<bool>>,
    /// Equalities by their sides, the smaller first.
    equalities: FxHashMap<(Node, Node), Node>,
    /// Equalities whose falsity arithmetic knows.
    decided: FxHashSet<Node>,
    told: Vec<Lit>,
    /// The height of the graph's trail before each literal that it has seen.
    marks: Vec<usize>,
    /// Numbers that are equal always.
    equal_numbers: Vec<(Node, Node)>,
    /// Merges that hold always, to be made with the next nodes.
    pub(super) axioms: Vec<(Node, Node)>,
    /// What the accepted assignment says: at the end of a search everything is taken back.
    pub(super) accepted: Option<Solution>,
    worked: u64,
    pub(super) lemmas: u64,
    pub(super) interface: u64,
}

impl<'a, 'b> Combination<'a, 'b> {
    pub(super) fn new(
        arithmetic: Arithmetic<'a, 'b>,
        graph: Egraph,
        universe: Universe,
        terms: &'a mut Terms,
        limits: &'a Limits<'b>,
    ) -> Combination<'a, 'b> {
        Combination {
            arithmetic,
            graph,
            universe,
            terms,
            arrays: Arrays::default(),
            datatypes: Datatypes::default(),
            limits,
            recorder: None,
            constants: Vec::new(),
            bools: FxHashMap::default(),
            roles: Vec::new(),
            lits: Vec::new(),
            binding: Vec::new(),
            sources: Vec::new(),
            values: Vec::new(),
            equalities: FxHashMap::default(),
            decided: FxHashSet::default(),
            told: Vec::new(),
            marks: Vec::new(),
            equal_numbers: Vec::new(),
            axioms: Vec::new(),
            accepted: None,
            worked: 0,
            lemmas: 0,
            interface: 0,
        }
    }

    fn grow(&mut self, var: Var) {
        if self.roles.len() <= var.index() {
            self.roles.resize(var.index() + 1, Vec::new());
            self.sources.resize(var.index() + 1, None);
            self.values.resize(var.index() + 1, None);
            self.binding.resize(2 * (var.index() + 1), false);
        }
    }

    /// Says that a literal is the truth of a node.
    pub(super) fn assign_role(&mut self, node: Node, lit: Lit) {
        self.grow(lit.var());
        self.roles[lit.var().index()].push((node, lit.is_pos()));
        if self.lits.len() <= node.index() {
            self.lits.resize(node.index() + 1, Vec::new());
        }
        self.lits[node.index()].push(lit);
    }

    /// Makes the truth of a literal bind the graph.
    pub(super) fn bind(&mut self, lit: Lit) {
        self.grow(lit.var());
        self.binding[lit.index()] = true;
    }

    /// Notes an equality of the query, and gives it a node.
    pub(super) fn known_equality(&mut self, a: Node, b: Node, decides: bool) -> Node {
        let key = (a.min(b), a.max(b));
        let node = match self.equalities.get(&key) {
            Some(&node) => node,
            None => {
                let node = self.graph.equality(a, b);
                self.equalities.insert(key, node);
                self.arrays.note_equality(self.terms, &self.universe, node, key);
                node
            }
        };
        if decides {
            self.decided.insert(node);
        }
        node
    }

    // ------------------------------------------------------------------ literals and nodes for lemmas

    /// A new literal for a node.
    pub(super) fn new_literal(&mut self, node: Node, out: &mut Feedback) -> Lit {
        let var = out.new_var();
        out.observe(var);
        let lit = var.positive();
        self.assign_role(node, lit);
        lit
    }

    /// The literal of a node that is a truth value.
    pub(super) fn truth_of(&mut self, node: Node, out: &mut Feedback) -> Lit {
        let lit = match self.lits.get(node.index()).and_then(|lits| lits.first()) {
            Some(&lit) => lit,
            None => self.new_literal(node, out),
        };
        self.bind(lit);
        self.bind(!lit);
        lit
    }

    /// The literal of an equality.
    pub(super) fn equal(&mut self, a: Node, b: Node, strength: Strength, out: &mut Feedback) -> Equal {
        if a == b {
            return Equal::Always;
        }
        let difference = match (self.universe.number(a), self.universe.number(b)) {
            (Some(x), Some(y)) => Some(x.minus(y)),
            _ => None,
        };
        match difference.as_ref().and_then(Affine::as_constant) {
            Some(constant) if constant.is_zero() => return Equal::Always,
            Some(_) => return Equal::Never,
            None => {}
        }
        let node = self.known_equality(a, b, false);
        let lit = match self.lits.get(node.index()).and_then(|lits| lits.first()) {
            Some(&lit) => lit,
            None => self.new_literal(node, out),
        };
        self.bind(lit);
        if strength == Strength::Decides {
            self.bind(!lit);
            if let Some(difference) = difference
                && self.decided.insert(node)
                && let Some([upper, lower]) = self.arithmetic.bounds_of(&difference, out)
            {
                out.lemma(&[!lit, upper]);
                out.lemma(&[!lit, lower]);
                out.lemma(&[lit, !upper, !lower]);
            }
        }
        Equal::If(lit)
    }

    /// A symbol applied to nodes; a number or a truth value if its sort says so.
    pub(super) fn apply(&mut self, symbol: Symbol, args: &[Node], sort: SortId, out: &mut Feedback) -> Node {
        let (node, is_new) = self.universe.apply(&mut self.graph, symbol, args, sort);
        if is_new {
            self.furnish(node, sort, out);
            self.arrays.note_application(self.universe.applications.len() - 1, symbol);
            self.datatypes.note_node(self.terms, node, sort);
        }
        node
    }

    /// A new unknown of a sort.
    pub(super) fn unknown(&mut self, sort: SortId, out: &mut Feedback) -> Node {
        let node = self.universe.leaf(&mut self.graph, sort);
        self.furnish(node, sort, out);
        self.datatypes.note_node(self.terms, node, sort);
        node
    }

    fn furnish(&mut self, node: Node, sort: SortId, out: &mut Feedback) {
        if sort == SortId::BOOL {
            self.truth_of(node, out);
        } else if sort == SortId::INT || sort == SortId::REAL {
            let number = self.arithmetic.add_unknown(sort == SortId::INT);
            self.universe.name_number(&mut self.graph, node, number, sort);
        }
    }

    /// A lemma of equalities and literals, in which some equalities are negated.
    pub(super) fn lemma(&mut self, disjuncts: &[Equal], negated: &[Equal], out: &mut Feedback) {
        let mut clause = Vec::new();
        for &disjunct in disjuncts {
            match disjunct {
                Equal::Always => return,
                Equal::Never => {}
                Equal::If(lit) => clause.push(lit),
            }
        }
        for &disjunct in negated {
            match disjunct {
                Equal::Never => return,
                Equal::Always => {}
                Equal::If(lit) => clause.push(!lit),
            }
        }
        self.lemmas += 1;
        out.lemma(&clause);
    }

    // ------------------------------------------------------------------ telling the graph

    /// Takes everything back, lets `build` add nodes, and tells everything again.
    pub(super) fn rebuild(&mut self, out: &mut Feedback, build: impl FnOnce(&mut Self, &mut Feedback)) {
        self.graph.undo(0);
        self.marks.clear();
        self.arithmetic.forget_derived();
        build(self, out);
        if self.settle(out) {
            self.advance(out);
        }
    }

    /// Makes what holds always hold. False: it is contradictory.
    pub(super) fn settle(&mut self, out: &mut Feedback) -> bool {
        let mut result = self.graph.close();
        for (a, b) in std::mem::take(&mut self.axioms) {
            result = result.and_then(|()| self.graph.merge(a, b, Why::Axiom));
        }
        for (node, value) in std::mem::take(&mut self.graph.news.truths) {
            for at in 0..self.lits.get(node.index()).map_or(0, Vec::len) {
                let lit = self.lits[node.index()][at];
                out.lemma(&[if value { lit } else { !lit }]);
            }
        }
        self.equal_numbers.append(&mut self.graph.news.numbers);
        self.graph.settle();
        for at in 0..self.equal_numbers.len() {
            let (a, b) = self.equal_numbers[at];
            if let Some(difference) = self.difference(a, b) {
                self.arithmetic.derive(difference, Vec::new(), 0);
            }
        }
        if result.is_err() {
            out.lemma(&[]);
        }
        result.is_ok()
    }

    fn difference(&self, a: Node, b: Node) -> Option<Affine> {
        Some(self.universe.number(a)?.minus(self.universe.number(b)?))
    }

    /// Tells the graph the literals that it has not seen. False: there is a conflict.
    fn advance(&mut self, out: &mut Feedback) -> bool {
        while self.marks.len() < self.told.len() {
            let lit = self.told[self.marks.len()];
            self.marks.push(self.graph.height());
            if let Err(Clash(a, b)) = self.tell(lit) {
                let mut premises = Vec::new();
                self.graph.explain(a, b, &mut premises);
                self.spend();
                report(&premises, out);
                let mark = self.marks.pop().unwrap_or(0);
                self.graph.undo(mark);
                return false;
            }
            self.pass_on(out);
        }
        self.spend();
        true
    }

    /// What was spent on everything so far.
    pub(super) fn ticks(&self) -> u64 {
        self.limits.spent()
    }

    /// The told value of a literal.
    pub(super) fn told_value(&self, lit: Lit) -> Option<bool> {
        let value = self.values.get(lit.var().index()).copied().flatten()?;
        Some(value == lit.is_pos())
    }

    fn spend(&mut self) {
        let work = (self.graph.work - self.worked) / WORK_PER_TICK;
        self.worked = self.graph.work;
        self.limits.spend(work);
    }

    fn tell(&mut self, lit: Lit) -> Result<(), Clash> {
        if !self.binding.get(lit.index()).copied().unwrap_or(false) {
            return Ok(());
        }
        for at in 0..self.roles[lit.var().index()].len() {
            let (node, positive) = self.roles[lit.var().index()][at];
            let value = if positive == lit.is_pos() { Node::TRUE } else { Node::FALSE };
            self.graph.merge(node, value, Why::Literal(lit))?;
        }
        Ok(())
    }

    /// Tells the search and arithmetic what followed from the last literal.
    fn pass_on(&mut self, out: &mut Feedback) {
        let mut truths = std::mem::take(&mut self.graph.news.truths);
        for &(node, value) in &truths {
            for &lit in self.lits.get(node.index()).map_or(&[][..], |lits| lits) {
                let lit = if value { lit } else { !lit };
                // A value against a literal that does not bind may stand.
                if self.values[lit.var().index()].is_none() {
                    self.sources[lit.var().index()] = Some(node);
                    out.propagate(lit);
                }
            }
        }
        truths.clear();
        self.graph.news.truths = truths;
        let mut numbers = std::mem::take(&mut self.graph.news.numbers);
        for &(a, b) in &numbers {
            if let Some(difference) = self.difference(a, b) {
                let mut premises = Vec::new();
                self.graph.explain(a, b, &mut premises);
                self.arithmetic.derive(difference, premises, self.marks.len());
            }
        }
        numbers.clear();
        self.graph.news.numbers = numbers;
    }

    /// Adds the lemmas that arrays and datatypes miss. True: there were some, or a conflict.
    fn saturate(&mut self, out: &mut Feedback) -> bool {
        if let Some(premises) = self.find_cycle() {
            report(&premises, out);
            return true;
        }
        let missing = self.missing_constructors();
        let instances = self.missing_instances();
        if missing.is_empty() && instances.is_empty() {
            return false;
        }
        self.rebuild(out, |theory, out| {
            theory.construct(&missing, out);
            theory.instantiate(&instances, out);
        });
        true
    }
}

/// Says that some true literals cannot hold together.
fn report(premises: &[Lit], out: &mut Feedback) {
    let mut clause: Vec<Lit> = premises.iter().map(|&lit| !lit).collect();
    clause.sort_unstable();
    clause.dedup();
    if clause.is_empty() {
        out.lemma(&[]);
    } else {
        out.conflict(&clause);
    }
}

impl Theory for Combination<'_, '_> {
    fn assert(&mut self, lits: &[Lit], out: &mut Feedback) {
        self.arithmetic.tell(lits);
        for &lit in lits {
            self.grow(lit.var());
            self.values[lit.var().index()] = Some(lit.is_pos());
        }
        self.told.extend_from_slice(lits);
        if self.advance(out) {
            self.arithmetic.advance(out);
        } else {
            self.show_partial();
        }
    }

    fn final_check(&mut self, view: &Assignment<'_>, out: &mut Feedback) {
        self.accepted = None;
        self.arithmetic.model = None;
        if !self.advance(out) {
            return;
        }
        // New nodes alone say nothing to the search, but may ask for more.
        while self.saturate(out) {
            if !out.is_empty() || self.limits.exhausted().is_some() {
                return self.show_partial();
            }
        }
        self.arithmetic.final_check(view, out);
        let Some(numbers) = self.arithmetic.model.take().filter(|_| out.is_empty()) else { return };
        let candidate = self.candidate(numbers);
        if self.limits.exhausted().is_some() {
            // It may lack values: nothing is accepted, and the engine says why.
            return;
        }
        let clashes = self.clashes(&candidate);
        if clashes.is_empty() {
            self.accepted = Some(self.solution(candidate));
            return;
        }
        self.show_candidate(&candidate);
        self.rebuild(out, |theory, out| {
            for (a, b) in clashes {
                theory.interface += 1;
                if let Equal::If(lit) = theory.equal(a, b, Strength::Decides, out) {
                    out.prefer(lit);
                }
            }
        });
    }

    fn backtrack(&mut self, kept: usize) {
        self.arithmetic.backtrack(kept);
        for lit in self.told.drain(kept..) {
            self.values[lit.var().index()] = None;
        }
        if let Some(&mark) = self.marks.get(kept) {
            self.graph.undo(mark);
            self.marks.truncate(kept);
        }
    }

    fn explain(&mut self, lit: Lit, out: &mut Vec<Lit>) {
        match self.sources.get(lit.var().index()).copied().flatten() {
            None => self.arithmetic.explain(lit, out),
            Some(node) => {
                let positive = self.roles[lit.var().index()].iter().find(|(n, _)| *n == node);
                let value = positive.is_some_and(|(_, positive)| *positive == lit.is_pos());
                let mut premises = Vec::new();
                self.graph.explain(node, if value { Node::TRUE } else { Node::FALSE }, &mut premises);
                out.extend(premises.into_iter().map(|premise| !premise));
            }
        }
    }

    fn decide(&mut self, view: &Assignment<'_>) -> Option<Lit> {
        self.arithmetic.decide(view)
    }
}
