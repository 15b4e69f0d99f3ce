//! What conjuncts on a single symbol are for each of its values, remembered from query to query.
//!
//! Path conditions grow by a conjunct at a time, and the queries about one path share all conjuncts but the last. Whoever tries all values
//! of a byte evaluates each conjunct once for each value, and not again in the next query. Only definite outcomes are kept: what
//! the standard leaves open, or what took too long, is evaluated again.

use crate::profile::Profile;
use crate::tuning::guess::{MAX_TABLES, MAX_VALUES};
use rustc_hash::FxHashMap;
use smt::{ArenaId, Flags, FunId, TermId, Terms};

/// Outcomes by conjunct.
#[derive(Debug, Default)]
pub(crate) struct Truths {
    /// The arena whose terms these are.
    arena: Option<ArenaId>,
    tables: FxHashMap<TermId, Table>,
}

/// The outcomes of a conjunct.
#[derive(Debug)]
struct Table {
    /// The only symbol of the conjunct; without one nothing is kept.
    symbol: Option<FunId>,
    /// By the position of the symbol's value.
    outcomes: Vec<Option<bool>>,
}

impl Truths {
    /// Prepares for conjuncts. What is about another arena is forgotten, and everything when there is too much of it.
    pub(crate) fn prepare(&mut self, terms: &Terms, conjuncts: &[TermId]) {
        if self.arena.as_ref() != Some(terms.identity()) || self.tables.len() > MAX_TABLES {
            self.arena = Some(terms.identity().noted());
            self.tables.clear();
        }
        for &conjunct in conjuncts {
            self.tables
                .entry(conjunct)
                .or_insert_with(|| Table { symbol: only_symbol(terms, conjunct), outcomes: Vec::new() });
        }
    }

    /// The symbol that decides a conjunct that was prepared for, if there is only one.
    pub(crate) fn symbol(&self, conjunct: TermId) -> Option<FunId> {
        self.tables.get(&conjunct)?.symbol
    }

    /// What a conjunct is if its symbol has the value at a position.
    pub(crate) fn known(&self, conjunct: TermId, position: usize) -> Option<bool> {
        self.tables.get(&conjunct)?.outcomes.get(position).copied().flatten()
    }

    /// Remembers it.
    pub(crate) fn note(&mut self, conjunct: TermId, position: usize, truth: bool) {
        let Some(table) = self.tables.get_mut(&conjunct).filter(|_| position < MAX_VALUES) else { return };
        if table.outcomes.len() <= position {
            table.outcomes.resize(position + 1, None);
        }
        table.outcomes[position] = Some(truth);
    }
}

/// The only symbol of a term, if its value decides that of the term.
fn only_symbol(terms: &Terms, term: TermId) -> Option<FunId> {
    let flags = terms.flags(term);
    // What a definition means can change under its name.
    if flags.has(Flags::DEFINED) || flags.has(Flags::BINDER) {
        return None;
    }
    let profile = Profile::of(terms, &[term]);
    let [symbol] = profile.symbols[..] else { return None };
    profile.constants(terms).next().filter(|constant| *constant == symbol)
}
