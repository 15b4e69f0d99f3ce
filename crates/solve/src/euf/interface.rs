//! Values for classes, and where they make applications clash.
//!
//! A candidate gives every class a value: numbers from the model of arithmetic, elements of uninterpreted sorts one for each class, datatypes
//! by their constructors, arrays by what is read of them. Two classes may have the same value. That is wrong only where it makes two
//! applications of a function, or two reads of an array, have the same arguments and different results: then the search has
//! to decide whether the arguments are equal.

use super::combine::Combination;
use super::egraph::Node;
use super::universe::{Application, Symbol};
use crate::defaults::default_value;
use crate::linear::record::int_value;
use crate::simplex::num::Rational;
use crate::tuning::euf_interface::MAX_CLASHES;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{ArrayValue, DatatypeValue, Sort, SortId, TermId, Value};
use std::sync::Arc;

/// Values of classes under one model of arithmetic.
#[derive(Default)]
pub(super) struct Candidate {
    pub(super) numbers: Vec<Rational>,
    /// By root.
    values: FxHashMap<Node, Value>,
}

impl Candidate {
    /// The value of a class; everything that matters has one.
    pub(super) fn value(&self, root: Node) -> Option<&Value> {
        self.values.get(&root)
    }
}

/// How arrays of classes are described: built from reads and stores.
#[derive(Default)]
struct Described {
    /// By class, the positions of reads.
    reads_of: FxHashMap<Node, Vec<usize>>,
    /// By class, the positions of the only store or constant array in it.
    stores_of: FxHashMap<Node, Vec<usize>>,
    constant_at: FxHashMap<Node, usize>,
    /// By class, a class for all that differ from it by stores.
    component: FxHashMap<Node, Node>,
    /// By component, its constant array.
    same: FxHashMap<Node, usize>,
}

impl Combination<'_, '_> {
    /// Values for all classes.
    pub(super) fn candidate(&mut self, numbers: Vec<Rational>) -> Candidate {
        let mut candidate = Candidate { numbers, values: FxHashMap::default() };
        let described = self.describe();
        let needed = self.needed_classes();
        for root in needed {
            self.evaluate(root, &described, &mut candidate);
        }
        candidate
    }

    /// The classes whose values somebody asks for: constants of the query, and arguments and results of applications. Arrays that only
    /// stores and reads mention need no value of their own.
    fn needed_classes(&self) -> Vec<Node> {
        let root = |node: Node| self.graph.root(node);
        let nodes = self.constants.iter().filter_map(|(_, term)| self.universe.names.get(term));
        let mut needed: Vec<Node> = nodes.map(|&node| root(node)).collect();
        for Application { node, symbol, args } in &self.universe.applications {
            match symbol {
                Symbol::Store | Symbol::Constant(_) => {}
                Symbol::Select => needed.extend([root(*node), root(args[1])]),
                _ => needed.extend(args.iter().chain([node]).map(|&node| root(node))),
            }
        }
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    fn describe(&self) -> Described {
        let mut described = Described::default();
        let mut component: FxHashMap<Node, Node> = FxHashMap::default();
        fn find(component: &mut FxHashMap<Node, Node>, mut at: Node) -> Node {
            while let Some(&above) = component.get(&at).filter(|&&above| above != at) {
                let over = component.get(&above).copied().unwrap_or(above);
                component.insert(at, over);
                at = above;
            }
            at
        }
        for (position, Application { node, symbol, args }) in self.universe.applications.iter().enumerate() {
            let class = self.graph.root(*node);
            match symbol {
                Symbol::Select => {
                    described.reads_of.entry(self.graph.root(args[0])).or_default().push(position);
                }
                Symbol::Store => {
                    described.stores_of.entry(class).or_default().push(position);
                    let base = self.graph.root(args[0]);
                    let (a, b) = (find(&mut component, class), find(&mut component, base));
                    component.insert(a.max(b), a.min(b));
                }
                Symbol::Constant(_) => {
                    described.constant_at.insert(class, position);
                }
                _ => {}
            }
        }
        for (position, Application { node, symbol, args }) in self.universe.applications.iter().enumerate() {
            let class = self.graph.root(*node);
            if let Symbol::Constant(_) = symbol {
                let top = find(&mut component, class);
                described.same.insert(top, position);
            }
            if let Symbol::Store = symbol {
                let top = find(&mut component, class);
                described.component.insert(class, top);
                described.component.insert(self.graph.root(args[0]), top);
            }
        }
        described
    }

    /// Gives a class a value, after those that it is made of.
    fn evaluate(&mut self, root: Node, described: &Described, candidate: &mut Candidate) {
        let mut stack = vec![root];
        let mut open: FxHashSet<Node> = FxHashSet::default();
        while let Some(&class) = stack.last() {
            if candidate.values.contains_key(&class) {
                stack.pop();
                continue;
            }
            let parts = self.parts(class, described);
            // A chain of arrays, each with its own value, is as much as the square of the chain.
            if !self.limits.spend(parts.len() as u64 + 1) {
                return;
            }
            let missing: Vec<Node> =
                parts.iter().copied().filter(|part| !candidate.values.contains_key(part)).collect();
            // A class that is a part of itself gets a value without it, which the evaluator will not accept.
            if !missing.is_empty() && open.insert(class) {
                stack.extend(missing);
                continue;
            }
            stack.pop();
            if let Some(value) = self.compose(class, described, candidate) {
                candidate.values.insert(class, value);
            }
        }
    }

    /// The reads, and the stores below, that describe an array; the stores come outermost first.
    fn layers(&self, class: Node, described: &Described) -> (Vec<usize>, Vec<usize>, Node) {
        let mut stores = Vec::new();
        let mut reads: Vec<usize> = Vec::new();
        let mut at = class;
        let mut seen = FxHashSet::default();
        while seen.insert(at) {
            reads.extend(described.reads_of.get(&at).map_or(&[][..], |list| list));
            match described.stores_of.get(&at).map_or(&[][..], |list| list) {
                [only] if !described.constant_at.contains_key(&at) => {
                    stores.push(*only);
                    at = self.graph.root(self.universe.applications[*only].args[0]);
                }
                _ => break,
            }
        }
        (reads, stores, at)
    }

    /// The classes that the value of a class is made of.
    fn parts(&self, class: Node, described: &Described) -> Vec<Node> {
        let Some(sort) = self.universe.sort(class) else { return Vec::new() };
        let root = |node: Node| self.graph.root(node);
        match self.terms.sort_of(sort) {
            Sort::Array(..) => {
                let (reads, stores, _) = self.layers(class, described);
                let mut parts = Vec::with_capacity(2 * (reads.len() + stores.len()) + 1);
                for position in reads {
                    let Application { node, args, .. } = &self.universe.applications[position];
                    parts.extend([root(args[1]), root(*node)]);
                }
                for position in stores {
                    let args = &self.universe.applications[position].args;
                    parts.extend([root(args[1]), root(args[2])]);
                }
                if let Some(&same) = self.constant_of(class, described) {
                    parts.push(root(self.universe.applications[same].args[0]));
                }
                parts
            }
            Sort::Datatype(..) => {
                let built = self.graph.constant(class).and_then(|node| self.universe.application(node));
                built.map_or_else(Vec::new, |built| built.args.iter().map(|&arg| root(arg)).collect())
            }
            _ => Vec::new(),
        }
    }

    /// The constant array that differs from a class by stores.
    fn constant_of<'d>(&self, class: Node, described: &'d Described) -> Option<&'d usize> {
        let top = described.component.get(&class).copied().unwrap_or(class);
        described.same.get(&top).or_else(|| described.constant_at.get(&class))
    }

    fn compose(&mut self, class: Node, described: &Described, candidate: &Candidate) -> Option<Value> {
        let sort = self.universe.sort(class)?;
        match self.terms.sort_of(sort).clone() {
            Sort::Bool => Some(Value::Bool(self.graph.same(class, Node::TRUE))),
            Sort::Int | Sort::Real => {
                let number = self.graph.number(class).and_then(|node| self.universe.number(node))?;
                let number = number.value(&candidate.numbers);
                let is_int = sort == SortId::INT;
                Some(if is_int { int_value(&number) } else { Value::Real(number.to_big()) })
            }
            Sort::Uninterpreted(name, _) => {
                let name = format!("@{}!{}", self.terms.name(name), class.index());
                Some(Value::Element(sort, self.terms.symbol(&name)))
            }
            Sort::Datatype(..) => {
                let built = self.graph.constant(class).and_then(|node| self.universe.application(node));
                let Some(Application { symbol: Symbol::Constructor(ctor, _), args, .. }) = built else {
                    return default_value(self.terms, sort);
                };
                let field = |&arg: &Node| candidate.values.get(&self.graph.root(arg)).cloned();
                let fields: Box<[Value]> = args.iter().map(field).collect::<Option<_>>()?;
                let nesting = |value: &Value| if let Value::Datatype(d) = value { d.depth } else { 0 };
                let depth = 1 + fields.iter().map(nesting).max().unwrap_or(0);
                Some(Value::Datatype(Arc::new(DatatypeValue { sort, ctor: *ctor, fields, depth })))
            }
            Sort::Array(_, element) => self.compose_array(class, (sort, element), described, candidate),
            _ => {
                let constant = self.graph.constant(class).and_then(|node| self.universe.by_node.get(&node));
                constant.cloned().or_else(|| default_value(self.terms, sort))
            }
        }
    }

    fn compose_array(
        &mut self,
        class: Node,
        (sort, element): (SortId, SortId),
        described: &Described,
        candidate: &Candidate,
    ) -> Option<Value> {
        let value = |node: Node| candidate.values.get(&self.graph.root(node)).cloned();
        let (reads, stores, bottom) = self.layers(class, described);
        let constant = self.constant_of(class, described).or_else(|| self.constant_of(bottom, described));
        let default = constant.and_then(|&at| value(self.universe.applications[at].args[0]));
        // Stores from the innermost on; what is read of a class holds whatever was stored below.
        let mut written: Vec<(Value, Value)> = Vec::with_capacity(reads.len() + stores.len());
        let own = described.reads_of.get(&bottom).map_or(&[][..], |list| list);
        for &position in own {
            let Application { node, args, .. } = &self.universe.applications[position];
            written.push((value(args[1])?, value(*node)?));
        }
        for &position in stores.iter().rev() {
            let Application { node, args, .. } = &self.universe.applications[position];
            written.push((value(args[1])?, value(args[2])?));
            let above = self.graph.root(*node);
            for &read in described.reads_of.get(&above).map_or(&[][..], |list| list) {
                let Application { node, args, .. } = &self.universe.applications[read];
                written.push((value(args[1])?, value(*node)?));
            }
        }
        let default = default.or_else(|| default_value(self.terms, element))?;
        let mut array = ArrayValue::constant(sort, default);
        for (index, element) in written {
            array.store(index, element);
        }
        Some(smt::eval::canonical_array(self.terms, array))
    }

    /// Pairs of arguments that have the same value, are not known to be equal, and make applications clash.
    pub(super) fn clashes(&self, candidate: &Candidate) -> Vec<(Node, Node)> {
        let mut found = Vec::new();
        let mut asked = FxHashSet::default();
        let mut first: FxHashMap<(Symbol, Vec<Key<'_>>), &Application> = FxHashMap::default();
        for application in &self.universe.applications {
            let key = |&arg: &Node| Some(Key::Value(candidate.value(self.graph.root(arg))?));
            let args: Option<Vec<Key<'_>>> = match application.symbol {
                Symbol::Store | Symbol::Constant(_) | Symbol::Default => None,
                Symbol::Select => (|| {
                    let array = Key::Class(self.graph.root(application.args[0]));
                    Some(vec![array, key(&application.args[1])?])
                })(),
                _ => application.args.iter().map(key).collect(),
            };
            let Some(args) = args.filter(|args| !args.is_empty()) else { continue };
            let Some(other) = first.get(&(application.symbol, args.clone())) else {
                first.insert((application.symbol, args), application);
                continue;
            };
            let (a, b) = (self.graph.root(application.node), self.graph.root(other.node));
            let agree = match application.symbol {
                Symbol::Constructor(..) => a == b,
                _ => a == b || candidate.value(a) == candidate.value(b),
            };
            if agree {
                continue;
            }
            let differ = |(x, y): &(&Node, &Node)| !self.graph.same(**x, **y);
            if let Some((&x, &y)) = application.args.iter().zip(&other.args).find(differ)
                && asked.insert((x.min(y), x.max(y)))
            {
                found.push((x, y));
            }
            if found.len() >= MAX_CLASHES {
                break;
            }
        }
        found
    }

    /// The value of a constant of the query, as far as it has one.
    pub(super) fn constant_value(&self, candidate: &Candidate, term: TermId) -> Option<Value> {
        if let Some(&node) = self.universe.names.get(&term) {
            return candidate.value(self.graph.root(node)).cloned();
        }
        self.bools.get(&term).map(|&lit| Value::Bool(self.told_value(lit).unwrap_or(false)))
    }
}

/// How an argument is told apart from others.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key<'a> {
    Value(&'a Value),
    Class(Node),
}
