//! Arrays by lemmas over congruence closure (after de Moura and Bjørner, "Generalized, efficient array decision procedures", 2009).
//!
//! - `select(store(a, i, v), i) = v` holds for every store from the start.
//! - A read at `j` of a store or of what it was stored into gives `i = j or select(store(a, i, v), j) = select(a, j)`: downwards always,
//!   upwards only into classes in which two different descriptions of an array meet, or above which such a class is.
//! - A read of an array that is the same everywhere gives its element.
//! - Two arrays that differ do so at an index of their own (extensionality).
//! - Over infinitely many indices a store does not change what an array is almost everywhere (`Symbol::Default`).
//!
//! Lemmas are added when a complete assignment of the search misses them, all that one assignment misses together.

use super::combine::{Combination, Equal, Strength};
use super::egraph::Node;
use super::universe::{Application, Symbol, Universe, array_sorts};
use crate::sat::Feedback;
use crate::tuning::euf_arrays::MAX_INSTANCES;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, SortId, Terms};

/// What the theory keeps between final checks.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrays {
    /// Applications by their position.
    selects: Vec<usize>,
    stores: Vec<usize>,
    constants: Vec<usize>,
    /// Equalities between arrays, with their sides.
    equalities: Vec<(Node, (Node, Node))>,
    /// Stores and indices that were related.
    related: FxHashSet<(Node, Node)>,
    /// Equalities that have an index at which their sides differ if they do.
    witnessed: FxHashSet<Node>,
}

/// A lemma that is missing.
#[derive(Clone, Debug)]
pub(super) enum Instance {
    /// A read at an index goes past a store.
    Past { store: Node, base: Node, at: Node, index: Node },
    /// A read of an array that is the same everywhere.
    Same { array: Node, element: Node, index: Node },
    /// Two arrays differ somewhere, if they do.
    Differ { equality: Node, left: Node, right: Node },
}

impl Arrays {
    /// Takes notice of a new application.
    pub(super) fn note_application(&mut self, position: usize, symbol: Symbol) {
        match symbol {
            Symbol::Select => self.selects.push(position),
            Symbol::Store => self.stores.push(position),
            Symbol::Constant(_) => self.constants.push(position),
            _ => {}
        }
    }

    /// Takes notice of a new equality.
    pub(super) fn note_equality(
        &mut self,
        terms: &Terms,
        universe: &Universe,
        node: Node,
        sides: (Node, Node),
    ) {
        let sort = universe.sort(sides.0);
        if sort.is_some_and(|sort| array_sorts(terms, sort).is_some()) {
            self.equalities.push((node, sides));
        }
    }
}

/// Whether a sort has infinitely many values in every model.
fn is_infinite(terms: &Terms, sort: SortId) -> bool {
    matches!(terms.sort_of(sort), Sort::Int | Sort::Real)
}

/// Reads, by the class of the array and that of the index.
type Reads = FxHashMap<Node, Vec<Node>>;

impl Combination<'_, '_> {
    fn application(&self, position: usize) -> &Application {
        &self.universe.applications[position]
    }

    /// Adds what holds of stores and constant arrays from the start.
    pub(super) fn complete_arrays(&mut self, out: &mut Feedback) {
        for at in 0..self.arrays.stores.len() {
            let Application { node, args, .. } = self.application(self.arrays.stores[at]).clone();
            let sorts = self.universe.sort(node).and_then(|sort| array_sorts(self.terms, sort));
            let Some((_, element)) = sorts else { continue };
            let read = self.apply(Symbol::Select, &[node, args[1]], element, out);
            self.axioms.push((read, args[2]));
        }
        let mut sorts = FxHashSet::default();
        for at in 0..self.arrays.constants.len() {
            let Application { node, args, .. } = self.application(self.arrays.constants[at]).clone();
            let Some(sort) = self.universe.sort(node) else { continue };
            let Some((index, element)) = array_sorts(self.terms, sort) else { continue };
            if is_infinite(self.terms, index) {
                sorts.insert(sort);
                let default = self.apply(Symbol::Default, &[node], element, out);
                self.axioms.push((default, args[0]));
            }
        }
        for at in 0..self.arrays.stores.len() {
            let Application { node, args, .. } = self.application(self.arrays.stores[at]).clone();
            let Some(sort) = self.universe.sort(node).filter(|sort| sorts.contains(sort)) else { continue };
            let Some((_, element)) = array_sorts(self.terms, sort) else { continue };
            let default = self.apply(Symbol::Default, &[node], element, out);
            let before = self.apply(Symbol::Default, &[args[0]], element, out);
            self.axioms.push((default, before));
        }
    }

    /// One index of each class of indices at which the arrays of a class are read.
    fn reads(&self) -> (Reads, FxHashSet<(Node, Node)>) {
        let mut reads = Reads::default();
        let mut seen = FxHashSet::default();
        for &position in &self.arrays.selects {
            let args = &self.application(position).args;
            let key = (self.graph.root(args[0]), self.graph.root(args[1]));
            if seen.insert(key) {
                reads.entry(key.0).or_default().push(args[1]);
            }
        }
        (reads, seen)
    }

    /// Classes into which reads have to go upwards.
    fn upward(&self) -> FxHashSet<Node> {
        let mut descriptions: FxHashMap<Node, u32> = FxHashMap::default();
        let mut below: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
        let mut open_bases: FxHashMap<Node, u32> = FxHashMap::default();
        let mut above: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
        for &position in &self.arrays.stores {
            let Application { node, args, .. } = self.application(position);
            let (class, base) = (self.graph.root(*node), self.graph.root(args[0]));
            *descriptions.entry(class).or_default() += 1;
            below.entry(class).or_default().push(base);
            above.entry(base).or_default().push(class);
            *open_bases.entry(class).or_default() += 1;
            open_bases.entry(base).or_default();
        }
        for &position in &self.arrays.constants {
            let class = self.graph.root(self.application(position).node);
            *descriptions.entry(class).or_default() += 1;
        }
        let mut upward: FxHashSet<Node> = FxHashSet::default();
        let mut open: Vec<Node> = Vec::new();
        let ordered = |map: &FxHashMap<Node, u32>, keep: &dyn Fn(u32) -> bool| {
            let mut nodes: Vec<Node> =
                map.iter().filter(|(_, count)| keep(**count)).map(|(&n, _)| n).collect();
            nodes.sort_unstable();
            nodes
        };
        open.extend(ordered(&descriptions, &|count| count > 1));
        // Classes that are stored into themselves, after some steps, cannot be computed from what is below them.
        let mut free = ordered(&open_bases, &|count| count == 0);
        let mut at = 0;
        while at < free.len() {
            let class = free[at];
            at += 1;
            for &parent in above.get(&class).map_or(&[][..], |list| list) {
                if let Some(count) = open_bases.get_mut(&parent) {
                    *count -= 1;
                    if *count == 0 {
                        free.push(parent);
                    }
                }
            }
        }
        open.extend(ordered(&open_bases, &|count| count > 0));
        while let Some(class) = open.pop() {
            if upward.insert(class) {
                open.extend(below.get(&class).map_or(&[][..], |list| list));
            }
        }
        upward
    }

    /// The lemmas that the present assignment misses.
    pub(super) fn missing_instances(&self) -> Vec<Instance> {
        let mut found = Vec::new();
        if self.arrays.selects.is_empty() && self.arrays.equalities.is_empty() {
            return found;
        }
        self.missing_witnesses(&mut found);
        let (mut reads, mut seen) = self.reads();
        let upward = self.upward();
        let mut stores: FxHashMap<Node, Vec<usize>> = FxHashMap::default();
        for &position in &self.arrays.stores {
            let Application { node, args, .. } = self.application(position);
            let (class, base) = (self.graph.root(*node), self.graph.root(args[0]));
            stores.entry(class).or_default().push(position);
            if base != class && upward.contains(&class) {
                stores.entry(base).or_default().push(position);
            }
        }
        let mut constants: FxHashMap<Node, Vec<usize>> = FxHashMap::default();
        for &position in &self.arrays.constants {
            constants.entry(self.graph.root(self.application(position).node)).or_default().push(position);
        }
        let mut open: Vec<(Node, Node)> = Vec::new();
        for &position in &self.arrays.selects {
            let root = self.graph.root(self.application(position).args[0]);
            if let Some(indices) = reads.remove(&root) {
                open.extend(indices.into_iter().map(|index| (root, index)));
            }
        }
        let select = self.universe.find_symbol(Symbol::Select);
        let read = |array: Node, index: Node| {
            let partial = self.graph.find_apply(select?, array)?;
            self.graph.find_apply(partial, index)
        };
        while let Some((class, index)) = open.pop() {
            if found.len() >= MAX_INSTANCES {
                break;
            }
            for &position in constants.get(&class).map_or(&[][..], |list| list) {
                let Application { node, args, .. } = self.application(position);
                let settled = read(*node, index).is_some_and(|value| self.graph.same(value, args[0]));
                if !settled {
                    found.push(Instance::Same { array: *node, element: args[0], index });
                }
            }
            for &position in stores.get(&class).map_or(&[][..], |list| list) {
                let Application { node, args, .. } = self.application(position);
                if self.graph.same(args[1], index) {
                    continue;
                }
                let (store, base) = (*node, args[0]);
                let settled = match (read(store, index), read(base, index)) {
                    (Some(a), Some(b)) => self.graph.same(a, b),
                    _ => false,
                };
                if settled || self.arrays.related.contains(&(store, index)) {
                    continue;
                }
                found.push(Instance::Past { store, base, at: args[1], index });
                for array in [store, base] {
                    let key = (self.graph.root(array), self.graph.root(index));
                    if seen.insert(key) {
                        open.push((key.0, index));
                    }
                }
            }
        }
        found
    }

    /// Pairs of arrays that are said to differ, and have no index yet at which they do.
    fn missing_witnesses(&self, found: &mut Vec<Instance>) {
        let mut differing: FxHashMap<(Node, Node), bool> = FxHashMap::default();
        let pair = |(a, b): (Node, Node)| {
            let (a, b) = (self.graph.root(a), self.graph.root(b));
            (a.min(b), a.max(b))
        };
        let is_false = |node: Node| self.graph.same(node, Node::FALSE);
        for &(node, sides) in self.arrays.equalities.iter().filter(|(node, _)| is_false(*node)) {
            *differing.entry(pair(sides)).or_default() |= self.arrays.witnessed.contains(&node);
        }
        for &(node, sides) in self.arrays.equalities.iter().filter(|(node, _)| is_false(*node)) {
            if let Some(witnessed) = differing.get_mut(&pair(sides))
                && !std::mem::replace(witnessed, true)
            {
                found.push(Instance::Differ { equality: node, left: sides.0, right: sides.1 });
            }
        }
    }

    /// Adds lemmas.
    pub(super) fn instantiate(&mut self, instances: &[Instance], out: &mut Feedback) {
        for instance in instances {
            match *instance {
                Instance::Past { store, base, at, index } => {
                    let Some((_, element)) = self.sorts_of(store) else { continue };
                    self.arrays.related.insert((store, index));
                    let same_index = self.equal(at, index, Strength::Decides, out);
                    if let Equal::Always = same_index {
                        continue;
                    }
                    let after = self.apply(Symbol::Select, &[store, index], element, out);
                    let before = self.apply(Symbol::Select, &[base, index], element, out);
                    match same_index {
                        Equal::Never => self.axioms.push((after, before)),
                        _ => {
                            let same = self.equal(after, before, Strength::Implies, out);
                            self.lemma(&[same_index, same], &[], out);
                        }
                    }
                    if let Equal::If(lit) = same_index {
                        out.prefer(!lit);
                    }
                }
                Instance::Same { array, element, index } => {
                    let Some((_, sort)) = self.sorts_of(array) else { continue };
                    let read = self.apply(Symbol::Select, &[array, index], sort, out);
                    self.axioms.push((read, element));
                }
                Instance::Differ { equality, left, right } => {
                    let Some((index, element)) = self.sorts_of(left) else { continue };
                    self.arrays.witnessed.insert(equality);
                    let witness = self.unknown(index, out);
                    let reads =
                        [left, right].map(|a| self.apply(Symbol::Select, &[a, witness], element, out));
                    let same = self.equal(reads[0], reads[1], Strength::Decides, out);
                    let equal = self.truth_of(equality, out);
                    self.lemma(&[Equal::If(equal)], &[same], out);
                }
            }
        }
    }

    fn sorts_of(&self, array: Node) -> Option<(SortId, SortId)> {
        array_sorts(self.terms, self.universe.sort(array)?)
    }
}
