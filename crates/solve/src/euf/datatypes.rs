//! Datatypes by lemmas over congruence closure.
//!
//! A constructor's application is a constant of the graph with the constructor as its tag, so that two constructors never meet in a
//! class. Selectors and testers of it are known always: congruence then gives injectivity, selection and
//! testing. What is left is that every value was built by some constructor, and that none contains itself.

use super::combine::{Combination, Equal, Strength};
use super::egraph::{Egraph, Node};
use super::universe::{Symbol, Universe};
use crate::sat::{Feedback, Lit};
use crate::tuning::euf_datatypes::MAX_MISSING;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{CtorId, DatatypeId, Sort, SortId, Terms};

/// What the theory keeps between final checks.
#[derive(Clone, Debug, Default)]
pub(super) struct Datatypes {
    /// Nodes of datatypes.
    nodes: Vec<Node>,
    /// Applications whose selectors are known.
    selected: usize,
    /// Testers that occur.
    testers: Vec<CtorId>,
    known_testers: FxHashSet<CtorId>,
    /// Pairs of a tester and an application for which the answer is known.
    tested: FxHashSet<(CtorId, Node)>,
    /// Values that were split by their constructors, and by which constructor each was opened.
    split: FxHashSet<Node>,
    opened: FxHashSet<(Node, CtorId)>,
}

/// A value that no constructor built yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Missing {
    node: Node,
    sort: SortId,
    /// The constructor, if that is known.
    ctor: Option<CtorId>,
    /// The constructor to try first: one whose fields are asked for.
    likely: Option<CtorId>,
}

fn datatype(terms: &Terms, sort: SortId) -> Option<DatatypeId> {
    match terms.sort_of(sort) {
        Sort::Datatype(id, _) => Some(*id),
        _ => None,
    }
}

impl Datatypes {
    /// Takes notice of a new node.
    pub(super) fn note_node(&mut self, terms: &Terms, node: Node, sort: SortId) {
        if datatype(terms, sort).is_some() {
            self.nodes.push(node);
        }
    }

    pub(super) fn note_tester(&mut self, ctor: CtorId) {
        if self.known_testers.insert(ctor) {
            self.testers.push(ctor);
        }
    }
}

impl Combination<'_, '_> {
    /// Adds what selectors and testers say about the applications of constructors that are new.
    pub(super) fn complete_constructors(&mut self, out: &mut Feedback) {
        let mut constructed: Vec<(Node, CtorId, SortId)> = Vec::new();
        let mut at = 0;
        while at < self.universe.applications.len() {
            let application = self.universe.applications[at].clone();
            if let Symbol::Constructor(ctor, sort) = application.symbol {
                constructed.push((application.node, ctor, sort));
                if at >= self.datatypes.selected {
                    self.select_all(application.node, ctor, sort, &application.args, out);
                }
            }
            at += 1;
        }
        self.datatypes.selected = at;
        let testers = self.datatypes.testers.clone();
        for (node, ctor, _) in constructed {
            for &tester in &testers {
                let related = self.terms.ctor(tester).datatype == self.terms.ctor(ctor).datatype;
                if related && self.datatypes.tested.insert((tester, node)) {
                    let test = self.apply(Symbol::Tester(tester), &[node], SortId::BOOL, out);
                    self.axioms.push((test, if tester == ctor { Node::TRUE } else { Node::FALSE }));
                }
            }
        }
    }

    fn select_all(&mut self, node: Node, ctor: CtorId, sort: SortId, args: &[Node], out: &mut Feedback) {
        let fields = self.terms.ctor(ctor).fields.clone();
        for (&field, &arg) in fields.iter().zip(args) {
            let Ok(field_sort) = self.terms.field_sort(field, sort) else { continue };
            let selected = self.apply(Symbol::Field(field), &[node], field_sort, out);
            self.axioms.push((selected, arg));
        }
    }

    /// Classes that have no constructor.
    pub(super) fn missing_constructors(&self) -> Vec<Missing> {
        let mut seen = FxHashSet::default();
        let mut missing = Vec::new();
        for &node in &self.datatypes.nodes {
            let root = self.graph.root(node);
            if self.graph.constant(root).is_some() || !seen.insert(root) {
                continue;
            }
            let Some(sort) = self.universe.sort(node) else { continue };
            let Some(id) = datatype(self.terms, sort) else { continue };
            let ctors = &self.terms.datatype(id).ctors;
            let tested = |ctor: &CtorId| {
                let symbol = self.universe.find_symbol(Symbol::Tester(*ctor))?;
                let test = self.graph.find_apply(symbol, node)?;
                self.graph.same(test, Node::TRUE).then_some(*ctor)
            };
            let ctor = match ctors[..] {
                [only] => Some(only),
                _ => ctors.iter().find_map(tested),
            };
            let known = match ctor {
                Some(ctor) => self.datatypes.opened.contains(&(node, ctor)),
                None => self.datatypes.split.contains(&node),
            };
            if !known {
                let asked = |ctor: &&CtorId| {
                    self.terms.ctor(**ctor).fields.iter().any(|&field| {
                        let symbol = self.universe.find_symbol(Symbol::Field(field));
                        symbol.is_some_and(|symbol| self.graph.find_apply(symbol, node).is_some())
                    })
                };
                let likely = ctors.iter().find(asked).copied();
                missing.push(Missing { node, sort, ctor, likely });
            }
            if missing.len() >= MAX_MISSING {
                break;
            }
        }
        missing
    }

    /// Gives values constructors, or lets the search choose them.
    pub(super) fn construct(&mut self, missing: &[Missing], out: &mut Feedback) {
        for &Missing { node, sort, ctor, likely } in missing {
            match ctor {
                Some(ctor) => self.open(node, ctor, sort, out),
                None => self.split(node, sort, likely, out),
            }
        }
        if !missing.is_empty() {
            self.complete_constructors(out);
        }
    }

    /// `is-c(x) => x = c(s1(x), ..., sn(x))`
    fn open(&mut self, node: Node, ctor: CtorId, sort: SortId, out: &mut Feedback) {
        self.datatypes.opened.insert((node, ctor));
        let mut args = Vec::new();
        for field in self.terms.ctor(ctor).fields.clone() {
            let Ok(field_sort) = self.terms.field_sort(field, sort) else { return };
            args.push(self.apply(Symbol::Field(field), &[node], field_sort, out));
        }
        let built = self.apply(Symbol::Constructor(ctor, sort), &args, sort, out);
        let alone = datatype(self.terms, sort).is_some_and(|id| self.terms.datatype(id).ctors.len() == 1);
        if alone {
            self.axioms.push((node, built));
            return;
        }
        let test = self.apply(Symbol::Tester(ctor), &[node], SortId::BOOL, out);
        let test = Equal::If(self.truth_of(test, out));
        let same = self.equal(node, built, Strength::Implies, out);
        self.lemma(&[same], &[test], out);
    }

    /// One of the constructors built the value; the likely one is tried first, or the simplest.
    fn split(&mut self, node: Node, sort: SortId, likely: Option<CtorId>, out: &mut Feedback) {
        self.datatypes.split.insert(node);
        let Some(id) = datatype(self.terms, sort) else { return };
        let ctors = self.terms.datatype(id).ctors.clone();
        let mut tests = Vec::new();
        for &ctor in &ctors {
            self.datatypes.note_tester(ctor);
            let test = self.apply(Symbol::Tester(ctor), &[node], SortId::BOOL, out);
            tests.push(Equal::If(self.truth_of(test, out)));
        }
        let simplest = ctors.iter().copied().min_by_key(|&ctor| self.terms.ctor(ctor).fields.len());
        for (&ctor, test) in ctors.iter().zip(&tests) {
            if let Equal::If(lit) = *test {
                out.prefer(if Some(ctor) == likely.or(simplest) { lit } else { !lit });
            }
        }
        self.lemma(&tests, &[], out);
    }

    /// The literals that make a value contain itself, if one does.
    pub(super) fn find_cycle(&mut self) -> Option<Vec<Lit>> {
        let pairs = cycle(&self.graph, &self.universe, &self.datatypes.nodes)?;
        let mut premises = Vec::new();
        self.graph.explain_all(pairs, &mut premises);
        Some(premises)
    }
}

/// Pairs of equal nodes that together make a value contain itself: depth first over the constructors of classes.
fn cycle(graph: &Egraph, universe: &Universe, nodes: &[Node]) -> Option<Vec<(Node, Node)>> {
    let built = |root: Node| graph.constant(root).and_then(|node| universe.application(node));
    // Whether a class is on the present path.
    let mut open: FxHashMap<Node, bool> = FxHashMap::default();
    for &start in nodes {
        let start = graph.root(start);
        if open.contains_key(&start) {
            continue;
        }
        let Some(first) = built(start) else { continue };
        open.insert(start, true);
        let mut path = vec![(first, 0)];
        while let Some((application, position)) = path.last_mut() {
            let Some(&arg) = application.args.get(*position) else {
                open.insert(graph.root(application.node), false);
                path.pop();
                continue;
            };
            *position += 1;
            let root = graph.root(arg);
            match open.get(&root) {
                Some(false) => {}
                Some(true) => {
                    let from = path.iter().position(|(a, _)| graph.same(a.node, root))?;
                    let ring = &path[from..];
                    let pair = |at: usize| {
                        let (application, position) = ring[at];
                        (application.args[position - 1], ring[(at + 1) % ring.len()].0.node)
                    };
                    return Some((0..ring.len()).map(pair).collect());
                }
                None => {
                    if let Some(inner) = built(root) {
                        open.insert(root, true);
                        path.push((inner, 0));
                    }
                }
            }
        }
    }
    None
}
