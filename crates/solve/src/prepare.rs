//! From the assertions of a script to a [`Query`]: definitions and matches unfolded, annotations stripped, top-level
//! conjunctions split, and the way back from every conjunct to the assertion that it came from. What was prepared once is kept, so
//! that an incremental script pays for each assertion once.

use crate::engine::Query;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Flags, Op, TermId, Terms};
use std::sync::Arc;

/// A query and where its conjuncts come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared {
    /// What engines get.
    pub(crate) query: Query,
    /// For each conjunct the position of its assertion.
    origins: Vec<usize>,
}

impl Prepared {
    /// The positions of the assertions that some conjuncts came from, ascending and without repetition.
    pub(crate) fn assertions_of(&self, conjuncts: &[usize]) -> Vec<usize> {
        let mut found: Vec<usize> = conjuncts.iter().map(|&i| self.origins[i]).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Prepares assertions and remembers what each became.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preparation {
    conjuncts: FxHashMap<TermId, Arc<[TermId]>>,
}

impl Preparation {
    /// The query that these assertions make together. A conjunct that occurs twice is kept once, `true` not at all.
    pub(crate) fn prepare(&mut self, terms: &mut Terms, assertions: &[TermId]) -> Prepared {
        self.learn(terms, assertions);
        let mut prepared = Prepared::default();
        let mut seen = FxHashSet::default();
        for (position, assertion) in assertions.iter().enumerate() {
            for &conjunct in self.conjuncts[assertion].iter() {
                if conjunct != TermId::TRUE && seen.insert(conjunct) {
                    prepared.query.assertions.push(conjunct);
                    prepared.origins.push(position);
                }
            }
        }
        prepared
    }

    /// Whether definitions were unfolded to the end. Otherwise the work was ended early, and is done again the next time.
    pub(crate) fn is_whole(&mut self, terms: &Terms, prepared: &Prepared) -> bool {
        let calls = |term: TermId| {
            let fun = terms.as_fun(term).filter(|_| terms.op(term) == Op::Apply);
            fun.is_some_and(|fun| {
                let decl = terms.fun(fun);
                let whole = decl.params.len() == terms.args(term).len();
                whole && decl.definition.as_ref().is_some_and(|definition| !definition.recursive)
            })
        };
        let flagged: Vec<TermId> = prepared
            .query
            .assertions
            .iter()
            .copied()
            .filter(|&t| terms.flags(t).has(Flags::DEFINED))
            .collect();
        let whole = flagged.is_empty() || !smt::walk::reachable(terms, &flagged).into_iter().any(calls);
        if !whole {
            self.conjuncts.clear();
        }
        whole
    }

    /// Prepares the assertions that are new, in one walk.
    fn learn(&mut self, terms: &mut Terms, assertions: &[TermId]) {
        let new: Vec<TermId> =
            assertions.iter().copied().filter(|a| !self.conjuncts.contains_key(a)).collect();
        if new.is_empty() {
            return;
        }
        let mut plain = terms.unfold(&new);
        if plain.iter().any(|&t| terms.flags(t).has(Flags::ANNOTATION)) {
            plain = terms.strip_annotations(&plain);
        }
        if plain.iter().any(|&t| terms.flags(t).has(Flags::BINDER)) {
            plain = terms.unfold_matches(&plain);
        }
        for (assertion, term) in new.into_iter().zip(plain) {
            self.conjuncts.insert(assertion, split(terms, term).into());
        }
    }
}

/// The conjuncts of a term, left to right.
fn split(terms: &Terms, term: TermId) -> Vec<TermId> {
    let mut conjuncts = Vec::new();
    let mut stack = vec![term];
    // A DAG of conjunctions can have exponentially many occurrences of the same conjunct.
    let mut seen = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if terms.op(term) == Op::And {
            stack.extend(terms.args(term).iter().rev());
        } else {
            conjuncts.push(term);
        }
    }
    conjuncts
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::print::term_to_string;
    use smt::read_script;

    fn prepared(source: &str) -> (Vec<String>, Prepared) {
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, source);
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        let assertions: Vec<TermId> = reading.script.assertions().collect();
        let prepared = Preparation::default().prepare(&mut terms, &assertions);
        (prepared.query.assertions.iter().map(|&t| term_to_string(&terms, t)).collect(), prepared)
    }

    #[test]
    fn definitions_annotations_and_conjunctions_go() {
        let (conjuncts, prepared) = prepared(
            "(declare-const x Int)(define-fun f ((a Int)) Bool (! (> a 0) :named inner))
             (assert (! (and (f x) (and (< x 9) true) (f x)) :named a))
             (assert (< x 9))
             (assert (or (f 3) (and (f x) (f 1))))",
        );
        assert_eq!(conjuncts, ["(> x 0)", "(< x 9)", "(or (> 3 0) (and (> x 0) (> 1 0)))"]);
        assert_eq!(prepared.assertions_of(&[1, 0, 2]), [0, 2]);
    }

    #[test]
    fn matches_become_choices() {
        let (conjuncts, _) = prepared(
            "(declare-datatype L ((nil) (cons (head Int) (tail L)) (end (last Int))))(declare-const l L)
             (assert (match l ((nil false) ((cons h t) (match t (((cons i u) (< h i)) (u (= u l))))) ((end x) (= x 1)))))
             (assert (match l ((x (= x l)))))",
        );
        assert_eq!(
            conjuncts,
            [
                "(ite ((_ is nil) l) false (ite ((_ is cons) l) (ite ((_ is cons) (tail l)) \
                 (< (head l) (head (tail l))) (= (tail l) l)) (= (last l) 1)))",
                "(= l l)",
            ]
        );
    }

    #[test]
    fn deep_and_shared_conjunctions_are_split_iteratively() {
        let mut terms = Terms::new();
        let mut term = terms.symbol_constant("p", smt::SortId::BOOL);
        for _ in 0..50_000 {
            term = terms.mk(Op::And, &[term, term]);
        }
        assert_eq!(split(&terms, term).len(), 1);
    }
}
