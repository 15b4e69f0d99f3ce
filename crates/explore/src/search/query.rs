//! From an open decision to a solver's answer: the path condition, cut down to what matters.
//!
//! The input that came to a decision satisfies everything before it, so only those conditions are asked that share symbols,
//! directly or through others, with the one that changes (independence, as in KLEE, OSDI 2008, Section 3.3).

use super::tree::{NodeId, Tree};
use crate::concolic::path::negate;
use smt::{FunId, TermId, Terms};
use solve::cache::Cache;
use solve::engine::{Budget, Engine, NoPartials, Partial, Query, Verdict};
use solve::portfolio::Portfolio;
use solve::profile::Profile;
use solve::record::Recorder;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Asks the portfolio.
pub(super) struct Solver {
    engine: Cache,
    /// The symbols of literals; only looked up.
    symbols: HashMap<TermId, Arc<[FunId]>>,
}

/// What came out of a query.
pub(super) struct Answer {
    pub(super) verdict: Verdict,
    pub(super) partials: Vec<Partial>,
}

impl Solver {
    pub(super) fn new(seed: u64) -> Solver {
        Solver { engine: Cache::new(Box::new(Portfolio::new(seed)), true), symbols: HashMap::new() }
    }

    /// The conditions for a way out of a decision that is not known yet.
    pub(super) fn query(&mut self, terms: &mut Terms, tree: &Tree, node: NodeId) -> Query {
        let ways: Vec<TermId> = tree.ways(node).collect();
        let wanted: Vec<TermId> = ways.into_iter().map(|literal| negate(terms, literal)).collect();
        let prefix = tree.prefix(node);
        let mut relevant: BTreeSet<FunId> = BTreeSet::new();
        for &literal in &wanted {
            relevant.extend(self.symbols(terms, literal).iter());
        }
        let mut chosen = vec![false; prefix.len()];
        loop {
            let mut grew = false;
            for (position, &literal) in prefix.iter().enumerate() {
                if chosen[position] {
                    continue;
                }
                let symbols = self.symbols(terms, literal);
                if symbols.iter().any(|symbol| relevant.contains(symbol)) {
                    chosen[position] = true;
                    let before = relevant.len();
                    relevant.extend(symbols.iter());
                    grew |= relevant.len() > before;
                }
            }
            if !grew {
                break;
            }
        }
        let conditions =
            prefix.iter().zip(&chosen).filter(|(_, chosen)| **chosen).map(|(literal, _)| *literal);
        let mut known: HashSet<TermId> = HashSet::new();
        let assertions = conditions.chain(wanted).filter(|&literal| known.insert(literal)).collect();
        Query { assertions }
    }

    /// The symbols of a query, in order.
    pub(super) fn symbols_of(&mut self, terms: &Terms, query: &Query) -> BTreeSet<FunId> {
        let mut all = BTreeSet::new();
        for &assertion in &query.assertions {
            all.extend(self.symbols(terms, assertion).iter());
        }
        all
    }

    fn symbols(&mut self, terms: &Terms, literal: TermId) -> Arc<[FunId]> {
        let known = self.symbols.entry(literal);
        known.or_insert_with(|| Profile::of(terms, &[literal]).symbols.into()).clone()
    }

    pub(super) fn solve(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: bool,
    ) -> Answer {
        if !partials {
            let verdict = self.engine.solve(terms, query, budget, &mut NoPartials);
            return Answer { verdict, partials: Vec::new() };
        }
        let mut recorder = Recorder::default();
        let verdict = self.engine.solve(terms, query, budget, &mut recorder);
        Answer { verdict, partials: recorder.into_partials() }
    }

    /// A query as a script.
    pub(super) fn script(terms: &Terms, query: &Query) -> String {
        use std::fmt::Write;
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

    /// Counters of the engines.
    pub(super) fn counters(&self) -> Vec<(&'static str, u64)> {
        self.engine.counters()
    }
}
