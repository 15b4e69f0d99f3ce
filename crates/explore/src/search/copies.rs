//! Terms of one arena in another: whoever solves works on an arena of its own, so that the tree of paths stays readable while
//! it does, from several threads too.
//!
//! Every term is copied once. Only what the concolic domain makes is expected: constants without arguments, values, and
//! operators over Booleans, bit-vectors, floats and arrays of them.

use smt::{FunId, Op, Sort, SortId, TermId, Terms};
use std::collections::HashMap;

/// What was copied so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    terms: Store,
    /// Symbols, from the original to the copy and back; only looked up.
    there: HashMap<FunId, FunId>,
    back: HashMap<FunId, FunId>,
}

/// The copies by their originals.
#[derive(Clone, Debug)]
enum Store {
    /// By the position of the original, where in the end most terms of an arena are copied.
    Dense(Vec<Option<TermId>>),
    /// A few terms of a large arena; only looked up.
    Sparse(HashMap<TermId, TermId>),
}

impl Default for Store {
    fn default() -> Store {
        Store::Dense(Vec::new())
    }
}

impl Store {
    fn get(&self, term: TermId) -> Option<TermId> {
        match self {
            Store::Dense(all) => all.get(term.index()).copied().flatten(),
            Store::Sparse(some) => some.get(&term).copied(),
        }
    }

    fn set(&mut self, term: TermId, copy: TermId) {
        match self {
            Store::Dense(all) => {
                if all.len() <= term.index() {
                    all.resize(term.index() + 1, None);
                }
                all[term.index()] = Some(copy);
            }
            Store::Sparse(some) => {
                some.insert(term, copy);
            }
        }
    }
}

impl Copies {
    /// For a few terms of a large arena.
    fn sparse() -> Copies {
        Copies { terms: Store::Sparse(HashMap::new()), ..Copies::default() }
    }

    /// The copies of terms.
    pub(super) fn copy(&mut self, from: &Terms, to: &mut Terms, roots: &[TermId]) -> Vec<TermId> {
        let mut open: Vec<TermId> = Vec::new();
        let mut args: Vec<TermId> = Vec::new();
        roots
            .iter()
            .map(|&root| {
                open.push(root);
                while let Some(&term) = open.last() {
                    if self.terms.get(term).is_none() {
                        let missing = from.args(term).iter().filter(|arg| self.terms.get(**arg).is_none());
                        let before = open.len();
                        open.extend(missing);
                        if open.len() > before {
                            continue;
                        }
                        args.clear();
                        args.extend(from.args(term).iter().filter_map(|&arg| self.terms.get(arg)));
                        let copy = self.node(from, to, term, &args);
                        self.terms.set(term, copy);
                    }
                    open.pop();
                }
                self.terms.get(root).unwrap_or(root)
            })
            .collect()
    }

    fn node(&mut self, from: &Terms, to: &mut Terms, term: TermId, args: &[TermId]) -> TermId {
        if let Some(value) = from.as_value(term) {
            return to.constant(value.clone());
        }
        match (from.op(term), from.as_fun(term)) {
            (Op::Apply, Some(fun)) => {
                let sort = copy_sort(from, to, from.sort(term));
                let copy = to.symbol_constant(from.fun_name(fun), sort);
                let copied = to.as_fun(copy).expect("a symbol was made");
                self.there.insert(fun, copied);
                self.back.insert(copied, fun);
                copy
            }
            (Op::ConstArray, _) => {
                let sort = copy_sort(from, to, from.sort(term));
                to.const_array(sort, args[0]).expect("the original is well sorted")
            }
            (op, _) => to.mk_indexed(op, from.indices(term), args),
        }
    }

    /// The copy of a symbol, if it was copied.
    pub(super) fn there(&self, fun: FunId) -> Option<FunId> {
        self.there.get(&fun).copied()
    }

    /// The original of a symbol, if it is a copy.
    pub(super) fn back(&self, fun: FunId) -> Option<FunId> {
        self.back.get(&fun).copied()
    }
}

/// Terms on their own, for a worker that cannot read the arena that they are from while the explorer writes to it.
pub(super) struct Pack {
    terms: Terms,
    conditions: Vec<TermId>,
    ways: Vec<TermId>,
    /// From symbols of the pack to the originals.
    originals: HashMap<FunId, FunId>,
}

impl Pack {
    /// Copies terms into an arena of their own.
    pub(super) fn new(from: &Terms, conditions: &[TermId], ways: &[TermId]) -> Pack {
        let (mut terms, mut copies) = (Terms::new(), Copies::sparse());
        let conditions = copies.copy(from, &mut terms, conditions);
        let ways = copies.copy(from, &mut terms, ways);
        Pack { terms, conditions, ways, originals: copies.back }
    }

    /// Copies them on; `known` then knows the symbols by their originals.
    pub(super) fn unpack(&self, to: &mut Terms, known: &mut Copies) -> (Vec<TermId>, Vec<TermId>) {
        let mut copies = Copies::sparse();
        let conditions = copies.copy(&self.terms, to, &self.conditions);
        let ways = copies.copy(&self.terms, to, &self.ways);
        for (packed, copy) in copies.there {
            if let Some(&original) = self.originals.get(&packed) {
                known.there.insert(original, copy);
                known.back.insert(copy, original);
            }
        }
        (conditions, ways)
    }
}

/// Sorts of the concolic domain nest no deeper than arrays of words.
fn copy_sort(from: &Terms, to: &mut Terms, sort: SortId) -> SortId {
    match *from.sort_of(sort) {
        Sort::Array(index, element) => {
            let (index, element) = (copy_sort(from, to, index), copy_sort(from, to, element));
            to.array_sort(index, element)
        }
        ref simple => to.make_sort(simple.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_print_as_their_originals_do() {
        let mut from = Terms::new();
        let (word, byte) = (from.bit_vec_sort(32), from.bit_vec_sort(8));
        let x = from.symbol_constant("x", word);
        let array = from.array_sort(word, byte);
        let zero = from.bv(8, 0);
        let memory = from.const_array(array, zero).expect("well sorted");
        let low = from.mk_indexed(Op::Extract, [7, 0], &[x]);
        let memory = from.mk(Op::Store, &[memory, x, low]);
        let one = from.bv(32, 1);
        let next = from.mk(Op::BvAdd, &[x, one]);
        let read = from.mk(Op::Select, &[memory, next]);
        let root = from.mk(Op::Eq, &[read, low]);
        // An arena that is not empty gives the copies other numbers.
        let mut to = Terms::new();
        let other = to.bit_vec_sort(16);
        to.symbol_constant("y", other);
        let mut copies = Copies::default();
        let copy = copies.copy(&from, &mut to, &[root])[0];
        assert_eq!(smt::print::term_to_string(&to, copy), smt::print::term_to_string(&from, root));
        let size = to.len();
        assert_eq!(copies.copy(&from, &mut to, &[root]), [copy]);
        assert_eq!(to.len(), size, "nothing is copied twice");
        let fun = from.as_fun(x).expect("a symbol");
        let pack = Pack::new(&from, &[root], &[low]);
        let (mut last, mut known) = (Terms::new(), Copies::default());
        let (conditions, _) = pack.unpack(&mut last, &mut known);
        assert_eq!(smt::print::term_to_string(&last, conditions[0]), smt::print::term_to_string(&from, root));
        assert_eq!(known.there(fun).and_then(|copy| known.back(copy)), Some(fun));
        assert_eq!(copies.there(fun).and_then(|copy| copies.back(copy)), Some(fun));
    }
}
