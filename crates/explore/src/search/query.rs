//! From an open decision to a query: the path condition, cut down to what matters.
//!
//! The input that came to a decision satisfies everything before it, so only those conditions are asked that share symbols,
//! directly or through others, with the one that changes (independence, as in KLEE, OSDI 2008, Section 3.3).

use super::source::Group;
use super::tree::{NodeId, Tree};
use crate::target::PathEntry;
use smt::{FunId, TermId, Terms};
use solve::engine::Query;
use solve::profile::Profile;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::sync::Arc;

/// Cuts path conditions down; it remembers the symbols of terms.
#[derive(Clone, Debug, Default)]
pub(super) struct Slicer {
    /// By term, ascending. Conditions are made of each other, so most sets are shared.
    symbols: Vec<Option<Arc<[FunId]>>>,
}

/// What is asked about a decision.
#[derive(Clone, Debug, Default)]
pub(super) struct Slice {
    /// Conditions before it that matter, in their order.
    pub(super) conditions: Vec<TermId>,
    /// Whether each of them is on symbols of the ways out only.
    pub(super) close: Vec<bool>,
    /// The ways out that are known: none of them may hold.
    pub(super) ways: Vec<TermId>,
    /// The symbols of all of these.
    pub(super) symbols: BTreeSet<FunId>,
}

impl Slicer {
    /// What is to be asked for a way out of a decision that is not known yet.
    pub(super) fn slice(&mut self, terms: &Terms, tree: &Tree, node: NodeId) -> Slice {
        let ways: Vec<TermId> = tree.ways(node).collect();
        let mut symbols: BTreeSet<FunId> = BTreeSet::new();
        for &literal in &ways {
            symbols.extend(self.symbols(terms, literal).iter());
        }
        let own = symbols.clone();
        let mut rest: Vec<(usize, TermId)> = tree.prefix(node).into_iter().enumerate().collect();
        let mut chosen: Vec<(usize, TermId)> = Vec::new();
        loop {
            let before = symbols.len();
            rest.retain(|&(position, literal)| {
                let own = self.symbols(terms, literal);
                let shares = own.iter().any(|symbol| symbols.contains(symbol));
                if shares {
                    symbols.extend(own.iter());
                    chosen.push((position, literal));
                }
                !shares
            });
            if symbols.len() == before {
                break;
            }
        }
        chosen.sort_unstable_by_key(|(position, _)| *position);
        let conditions: Vec<TermId> = chosen.into_iter().map(|(_, literal)| literal).collect();
        let mut is_close =
            |&literal: &TermId| self.symbols(terms, literal).iter().all(|symbol| own.contains(symbol));
        let close = conditions.iter().map(&mut is_close).collect();
        Slice { conditions, close, ways, symbols }
    }

    /// The groups of symbols that the conditions of a path are about, each once, the last condition's first.
    pub(super) fn groups(&mut self, terms: &Terms, path: &[PathEntry]) -> Vec<Group> {
        let mut known = HashSet::new();
        let groups = path.iter().rev().map(|entry| self.symbols(terms, entry.term));
        groups.filter(|group| known.insert(group.clone())).collect()
    }

    fn symbols(&mut self, terms: &Terms, literal: TermId) -> Arc<[FunId]> {
        self.symbols.resize(terms.len(), None);
        let mut open = vec![literal];
        while let Some(&term) = open.last() {
            if self.symbols[term.index()].is_none() {
                let before = open.len();
                open.extend(terms.args(term).iter().filter(|arg| self.symbols[arg.index()].is_none()));
                if open.len() > before {
                    continue;
                }
                self.symbols[term.index()] = Some(self.union(terms, term));
            }
            open.pop();
        }
        self.symbols[literal.index()].clone().unwrap_or_default()
    }

    /// The symbols of a term whose arguments are known.
    fn union(&self, terms: &Terms, term: TermId) -> Arc<[FunId]> {
        let mut sets = terms.args(term).iter().filter_map(|arg| self.symbols[arg.index()].as_ref());
        let Some(first) = sets.next() else {
            return terms.as_fun(term).into_iter().collect();
        };
        let largest =
            sets.clone().fold(first, |largest, set| if set.len() > largest.len() { set } else { largest });
        let rest = || terms.args(term).iter().filter_map(|arg| self.symbols[arg.index()].as_ref());
        let contained = |set: &Arc<[FunId]>| {
            Arc::ptr_eq(set, largest) || set.iter().all(|fun| largest.binary_search(fun).is_ok())
        };
        if rest().all(contained) {
            return largest.clone();
        }
        let mut all: Vec<FunId> = rest().flat_map(|set| set.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all.into()
    }
}

/// A query as a script.
pub(super) fn script(terms: &Terms, query: &Query) -> String {
    let mut text = String::from("(set-logic ALL)\n");
    for fun in Profile::of(terms, &query.assertions).symbols {
        text.push_str("(declare-const ");
        smt::print::write_symbol(&mut text, terms.fun_name(fun));
        text.push(' ');
        smt::print::write_sort(&mut text, terms, terms.fun(fun).result);
        text.push_str(")\n");
    }
    for &assertion in &query.assertions {
        writeln!(text, "(assert {})", smt::print::term_to_string(terms, assertion))
            .expect("a string takes all that is written");
    }
    text.push_str("(check-sat)\n");
    text
}
