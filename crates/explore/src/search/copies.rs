//! Terms of one arena in another: whoever solves works on an arena of its own, so that the tree of paths stays readable while
//! it does, from several threads too.
//!
//! Every term is copied once. Only what the concolic domain makes is expected: constants without arguments, values, and
//! operators over Booleans, bit-vectors, floats and arrays of them. A single worker copies from the explorer's arena. Several cannot
//! read it while the explorer goes on, so the explorer writes what jobs are about into [`Rows`], each term once for all jobs and
//! workers, and workers copy from these.

use smt::{FunId, Op, Sort, SortId, TermId, Terms, Value};
use std::collections::HashMap;

/// Where terms are copied from.
pub(super) trait Originals {
    /// The arguments of a term.
    fn args(&self, term: TermId) -> &[TermId];
    /// The same term in another arena, over arguments that are there already; and its symbol, if it is one.
    fn copy(&self, to: &mut Terms, term: TermId, args: &[TermId]) -> (TermId, Option<FunId>);
}

impl Originals for Terms {
    fn args(&self, term: TermId) -> &[TermId] {
        Terms::args(self, term)
    }

    fn copy(&self, to: &mut Terms, term: TermId, args: &[TermId]) -> (TermId, Option<FunId>) {
        Row::of(self, term).make(to, args)
    }
}

/// A term without its arguments, as any arena can make it.
#[derive(Clone, Debug)]
enum Row {
    Value(Value),
    Symbol(FunId, String, Shape),
    /// An array with the same element everywhere.
    Constant(Shape),
    Operator(Op, [u32; 2]),
}

impl Row {
    fn of(terms: &Terms, term: TermId) -> Row {
        if let Some(value) = terms.as_value(term) {
            return Row::Value(value.clone());
        }
        match (terms.op(term), terms.as_fun(term)) {
            (Op::Apply, Some(fun)) => {
                Row::Symbol(fun, terms.fun_name(fun).to_string(), Shape::of(terms, terms.sort(term)))
            }
            (Op::ConstArray, _) => Row::Constant(Shape::of(terms, terms.sort(term))),
            (op, _) => Row::Operator(op, terms.indices(term)),
        }
    }

    fn make(&self, to: &mut Terms, args: &[TermId]) -> (TermId, Option<FunId>) {
        match self {
            Row::Value(value) => (to.constant(value.clone()), None),
            Row::Symbol(fun, name, shape) => {
                let sort = shape.make(to);
                (to.symbol_constant(name, sort), Some(*fun))
            }
            Row::Constant(shape) => {
                let sort = shape.make(to);
                (to.const_array(sort, args[0]).expect("the original is well sorted"), None)
            }
            Row::Operator(op, indices) => (to.mk_indexed(*op, *indices, args), None),
        }
    }
}

/// A sort that belongs to no arena. Sorts of the concolic domain nest no deeper than arrays of words.
#[derive(Clone, Debug)]
enum Shape {
    Simple(Sort),
    Array(Box<[Shape; 2]>),
}

impl Shape {
    fn of(terms: &Terms, sort: SortId) -> Shape {
        match *terms.sort_of(sort) {
            Sort::Array(index, element) => {
                Shape::Array(Box::new([index, element].map(|part| Shape::of(terms, part))))
            }
            ref simple => Shape::Simple(simple.clone()),
        }
    }

    fn make(&self, to: &mut Terms) -> SortId {
        match self {
            Shape::Array(parts) => {
                let [index, element] = [&parts[0], &parts[1]].map(|part| part.make(to));
                to.array_sort(index, element)
            }
            Shape::Simple(sort) => to.make_sort(sort.clone()),
        }
    }
}

/// The terms that jobs were about so far. Rows are added and never change, so what a job reads does not depend on when it does.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// By the position of the original: its row, and where its arguments begin and end.
    places: Vec<Option<(u32, u32, u32)>>,
    rows: Vec<Row>,
    args: Vec<TermId>,
}

impl Rows {
    /// Whether all of these are there.
    pub(super) fn have(&self, roots: &[TermId]) -> bool {
        roots.iter().all(|root| self.places.get(root.index()).is_some_and(Option::is_some))
    }

    /// Adds terms with everything that they are made of.
    pub(super) fn add(&mut self, terms: &Terms, roots: &[TermId]) {
        self.places.resize(terms.len(), None);
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if self.places[term.index()].is_none() {
                let (row, first) = (self.rows.len() as u32, self.args.len() as u32);
                self.args.extend_from_slice(terms.args(term));
                self.places[term.index()] = Some((row, first, self.args.len() as u32));
                self.rows.push(Row::of(terms, term));
                open.extend(terms.args(term));
            }
        }
    }
}

impl Originals for Rows {
    fn args(&self, term: TermId) -> &[TermId] {
        match self.places[term.index()] {
            Some((_, first, end)) => &self.args[first as usize..end as usize],
            None => &[],
        }
    }

    fn copy(&self, to: &mut Terms, term: TermId, args: &[TermId]) -> (TermId, Option<FunId>) {
        let (row, ..) = self.places[term.index()].expect("a job's terms are added before it is handed out");
        self.rows[row as usize].make(to, args)
    }
}

/// What was copied so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    /// By the position of the original.
    terms: Vec<Option<TermId>>,
    /// Symbols, from the original to the copy and back; only looked up.
    there: HashMap<FunId, FunId>,
    back: HashMap<FunId, FunId>,
}

impl Copies {
    /// The copies of terms.
    pub(super) fn copy(&mut self, from: &impl Originals, to: &mut Terms, roots: &[TermId]) -> Vec<TermId> {
        let mut open: Vec<TermId> = Vec::new();
        let mut args: Vec<TermId> = Vec::new();
        roots
            .iter()
            .map(|&root| {
                open.push(root);
                while let Some(&term) = open.last() {
                    if self.get(term).is_none() {
                        let missing = from.args(term).iter().filter(|arg| self.get(**arg).is_none());
                        let before = open.len();
                        open.extend(missing);
                        if open.len() > before {
                            continue;
                        }
                        args.clear();
                        args.extend(from.args(term).iter().filter_map(|&arg| self.get(arg)));
                        let (copy, symbol) = from.copy(to, term, &args);
                        if let (Some(fun), Some(copied)) = (symbol, to.as_fun(copy)) {
                            self.there.insert(fun, copied);
                            self.back.insert(copied, fun);
                        }
                        self.set(term, copy);
                    }
                    open.pop();
                }
                self.get(root).unwrap_or(root)
            })
            .collect()
    }

    fn get(&self, term: TermId) -> Option<TermId> {
        self.terms.get(term.index()).copied().flatten()
    }

    fn set(&mut self, term: TermId, copy: TermId) {
        if self.terms.len() <= term.index() {
            self.terms.resize(term.index() + 1, None);
        }
        self.terms[term.index()] = Some(copy);
    }

    /// The copy of a symbol.
    pub(super) fn there(&self, fun: FunId) -> Option<FunId> {
        self.there.get(&fun).copied()
    }

    /// The original of a symbol.
    pub(super) fn back(&self, fun: FunId) -> Option<FunId> {
        self.back.get(&fun).copied()
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
        let mut rows = Rows::default();
        assert!(!rows.have(&[root]));
        rows.add(&from, &[root]);
        assert!(rows.have(&[root, low]));
        let (mut last, mut known) = (Terms::new(), Copies::default());
        let shared = known.copy(&rows, &mut last, &[root])[0];
        assert_eq!(smt::print::term_to_string(&last, shared), smt::print::term_to_string(&from, root));
        assert_eq!(known.there(fun).and_then(|copy| known.back(copy)), Some(fun));
        // What is added later changes nothing of what is there.
        let more = from.mk(Op::Not, &[root]);
        rows.add(&from, &[more]);
        let size = last.len();
        assert_eq!(known.copy(&rows, &mut last, &[root]), [shared]);
        assert_eq!(last.len(), size);
        assert_eq!(copies.there(fun).and_then(|copy| copies.back(copy)), Some(fun));
    }
}
