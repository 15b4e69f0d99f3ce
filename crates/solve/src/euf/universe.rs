//! Which node of the graph stands for what: terms, function symbols, numbers, constants.
//!
//! Numbers are known by their affine expression, so that `x + 1` and `1 + x` are one node. Applications keep their arguments, for
//! those who look at them as a whole: arrays, datatypes, models.

use super::egraph::{Egraph, Node};
use crate::engine::Reason;
use crate::linear::affine::Affine;
use crate::linear::encode::{Encoding, Meaning};
use crate::linear::gates::Edge;
use rustc_hash::FxHashMap;
use smt::{CtorId, FieldId, FunId, Op, Sort, SortId, TermId, Terms, Value};

/// What is applied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Symbol {
    Function(FunId),
    Select,
    Store,
    /// The array that is the same everywhere, of a sort.
    Constant(SortId),
    /// What an array is at almost all indices.
    Default,
    Constructor(CtorId, SortId),
    Field(FieldId),
    Tester(CtorId),
}

/// A symbol applied to all of its arguments.
#[derive(Clone, Debug)]
pub(super) struct Application {
    pub(super) node: Node,
    pub(super) symbol: Symbol,
    pub(super) args: Box<[Node]>,
}

/// All that is known of nodes beside what is equal.
#[derive(Clone, Debug, Default)]
pub(super) struct Universe {
    pub(super) names: FxHashMap<TermId, Node>,
    symbols: FxHashMap<Symbol, Node>,
    pub(super) applications: Vec<Application>,
    /// By node, its application.
    whole: Vec<Option<u32>>,
    /// By node; nodes that are no value of their own have none.
    sorts: Vec<Option<SortId>>,
    /// By node, the number that it is.
    numbers: Vec<Option<Affine>>,
    by_number: FxHashMap<(Affine, SortId), Node>,
    /// Values that arithmetic does not know.
    values: FxHashMap<Value, Node>,
    pub(super) by_node: FxHashMap<Node, Value>,
    /// Pairs of nodes that are equal because terms are the same up to arithmetic.
    pub(super) same: Vec<(Node, Node)>,
    tags: u32,
    tags_of_constructors: FxHashMap<CtorId, u32>,
}

/// The first tag that is not taken by *true* and *false*.
const FIRST_TAG: u32 = 2;

impl Universe {
    pub(super) fn new() -> Universe {
        let bools = vec![Some(SortId::BOOL); 2];
        Universe {
            tags: FIRST_TAG,
            sorts: bools,
            numbers: vec![None; 2],
            whole: vec![None; 2],
            ..Universe::default()
        }
    }

    pub(super) fn sort(&self, node: Node) -> Option<SortId> {
        self.sorts.get(node.index()).copied().flatten()
    }

    pub(super) fn number(&self, node: Node) -> Option<&Affine> {
        self.numbers.get(node.index())?.as_ref()
    }

    pub(super) fn application(&self, node: Node) -> Option<&Application> {
        let at = self.whole.get(node.index()).copied().flatten()?;
        Some(&self.applications[at as usize])
    }

    fn know(&mut self, node: Node, sort: SortId) {
        let count = self.sorts.len().max(node.index() + 1);
        self.sorts.resize(count, None);
        self.numbers.resize(count, None);
        self.whole.resize(count, None);
        self.sorts[node.index()] = Some(sort);
    }

    fn set_number(&mut self, graph: &mut Egraph, node: Node, number: Affine, sort: SortId) {
        graph.make_number(node);
        if number.as_constant().is_some() {
            self.tags += 1;
            graph.make_constant(node, self.tags);
        }
        self.by_number.entry((number.clone(), sort)).or_insert(node);
        self.numbers[node.index()] = Some(number);
    }

    /// The node of a number.
    pub(super) fn number_node(&mut self, graph: &mut Egraph, number: Affine, sort: SortId) -> Node {
        if let Some(&node) = self.by_number.get(&(number.clone(), sort)) {
            return node;
        }
        let node = graph.leaf();
        self.know(node, sort);
        self.set_number(graph, node, number, sort);
        node
    }

    /// A new node of a sort, of which nothing is known.
    pub(super) fn leaf(&mut self, graph: &mut Egraph, sort: SortId) -> Node {
        let node = graph.leaf();
        self.know(node, sort);
        node
    }

    /// The node of a symbol.
    pub(super) fn symbol(&mut self, graph: &mut Egraph, symbol: Symbol) -> Node {
        *self.symbols.entry(symbol).or_insert_with(|| graph.leaf())
    }

    /// The node of a symbol, if it was ever applied.
    pub(super) fn find_symbol(&self, symbol: Symbol) -> Option<Node> {
        self.symbols.get(&symbol).copied()
    }

    /// A symbol applied to arguments, and whether that is new.
    pub(super) fn apply(
        &mut self,
        graph: &mut Egraph,
        symbol: Symbol,
        args: &[Node],
        sort: SortId,
    ) -> (Node, bool) {
        let mut node = self.symbol(graph, symbol);
        for &arg in args {
            node = graph.apply(node, arg);
        }
        if self.whole.get(node.index()).copied().flatten().is_some() {
            return (node, false);
        }
        self.know(node, sort);
        if let Symbol::Constructor(ctor, _) = symbol {
            self.tags += 1;
            let tag = *self.tags_of_constructors.entry(ctor).or_insert(self.tags);
            graph.make_constant(node, tag);
        }
        self.whole[node.index()] = Some(self.applications.len() as u32);
        self.applications.push(Application { node, symbol, args: args.into() });
        (node, true)
    }

    /// Says which number an application is.
    pub(super) fn name_number(&mut self, graph: &mut Egraph, node: Node, number: Affine, sort: SortId) {
        if self.numbers[node.index()].is_none() {
            self.set_number(graph, node, number, sort);
        }
    }

    /// The node of a term of the encoding. Applications come after their arguments.
    pub(super) fn node(
        &mut self,
        graph: &mut Egraph,
        terms: &Terms,
        encoding: &Encoding,
        term: TermId,
    ) -> Result<Node, Reason> {
        if let Some(&node) = self.names.get(&term) {
            return Ok(node);
        }
        let sort = terms.sort(term);
        let node = match encoding.meaning(term)? {
            Meaning::Number(number) => self.number_node(graph, number.clone(), sort),
            Meaning::Truth(edge) if *edge == Edge::TRUE => Node::TRUE,
            Meaning::Truth(edge) if *edge == Edge::FALSE => Node::FALSE,
            Meaning::Truth(_) => self.leaf(graph, sort),
            Meaning::Element(_) => return Err(Reason::Unsupported),
            Meaning::Node => match terms.as_value(term) {
                Some(value) => self.value(graph, value.clone(), sort),
                None => self.leaf(graph, sort),
            },
        };
        self.names.insert(term, node);
        Ok(node)
    }

    fn value(&mut self, graph: &mut Egraph, value: Value, sort: SortId) -> Node {
        if let Some(&node) = self.values.get(&value) {
            return node;
        }
        let node = self.leaf(graph, sort);
        self.tags += 1;
        graph.make_constant(node, self.tags);
        self.values.insert(value.clone(), node);
        self.by_node.insert(node, value);
        node
    }

    /// Adds an application of the encoding, whose arguments are known.
    pub(super) fn add_term(
        &mut self,
        graph: &mut Egraph,
        terms: &Terms,
        encoding: &Encoding,
        term: TermId,
    ) -> Result<Node, Reason> {
        let sort = terms.sort(term);
        let symbol = match terms.op(term) {
            Op::Ite => return self.node(graph, terms, encoding, term),
            Op::Select => Symbol::Select,
            Op::Store => Symbol::Store,
            Op::ConstArray => Symbol::Constant(sort),
            Op::Construct => Symbol::Constructor(terms.as_ctor(term).ok_or(Reason::Unsupported)?, sort),
            Op::Field => Symbol::Field(terms.as_field(term).ok_or(Reason::Unsupported)?),
            Op::Tester => Symbol::Tester(terms.as_ctor(term).ok_or(Reason::Unsupported)?),
            _ => Symbol::Function(terms.as_fun(term).ok_or(Reason::Unsupported)?),
        };
        let mut args = Vec::with_capacity(terms.args(term).len());
        for &arg in terms.args(term) {
            args.push(self.node(graph, terms, encoding, arg)?);
        }
        let (node, _) = self.apply(graph, symbol, &args, sort);
        if let Meaning::Number(number) = encoding.meaning(term)? {
            let number = number.clone();
            match self.number(node) {
                // Two terms are one application: the numbers that stand for them are equal.
                Some(known) if *known != number => {
                    let other = self.number_node(graph, number, sort);
                    self.same.push((node, other));
                }
                Some(_) => {}
                None => self.name_number(graph, node, number, sort),
            }
        }
        self.names.insert(term, node);
        Ok(node)
    }
}

/// The sorts of the indices and elements of an array sort.
pub(super) fn array_sorts(terms: &Terms, sort: SortId) -> Option<(SortId, SortId)> {
    match *terms.sort_of(sort) {
        Sort::Array(index, element) => Some((index, element)),
        _ => None,
    }
}
