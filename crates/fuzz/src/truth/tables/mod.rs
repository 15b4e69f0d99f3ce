//! The tables of Bugariu and Müller 2020 and what continues them, as text, and the same as terms of an arena. A row is text so that it can
//! be held against the paper; reading them is done once, and every batch starts from a copy of that arena.

mod cores;
mod equivalences;
mod laws;
mod operations;

pub(crate) use cores::SPARES;
pub(crate) use equivalences::PAPER_EQUIVALENCES;
pub use equivalences::{EQUIVALENCES, Equivalence};
pub(crate) use laws::VARIABLE_LAWS;
pub use laws::{LAWS, Law};
pub use operations::Operation;
pub(crate) use operations::{OPERATIONS, PAPER_OPERATIONS};

use smt::{Reader, SortId, TermId, Terms};

pub(crate) const STRING: SortId = SortId::STRING;
pub(crate) const INT: SortId = SortId::INT;
pub(crate) const BOOL: SortId = SortId::BOOL;

/// A variable of a row: its name and sort.
pub type Variable = (&'static str, SortId);

/// A row of [`OPERATIONS`] as terms.
#[derive(Clone, Debug)]
pub(crate) struct OperationTerms {
    pub(crate) term: TermId,
    pub(crate) args: Vec<TermId>,
    pub(crate) result: TermId,
}

/// A row of [`EQUIVALENCES`] as terms.
#[derive(Clone, Debug)]
pub(crate) struct EquivalenceTerms {
    pub(crate) vars: Vec<TermId>,
    pub(crate) inner: Vec<TermId>,
    pub(crate) claim: TermId,
    pub(crate) parts: Vec<TermId>,
}

/// A row of [`LAWS`] as terms.
#[derive(Clone, Debug)]
pub(crate) struct LawTerms {
    pub(crate) vars: Vec<TermId>,
    pub(crate) left: TermId,
    pub(crate) right: TermId,
    pub(crate) side: Vec<TermId>,
}

/// All rows as terms of one arena.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) operations: Vec<OperationTerms>,
    pub(crate) equivalences: Vec<EquivalenceTerms>,
    pub(crate) laws: Vec<LawTerms>,
}

impl Tables {
    /// Reads all rows.
    pub(crate) fn read(terms: &mut Terms) -> Tables {
        let operations = OPERATIONS
            .iter()
            .map(|row| {
                let mut scope = Scope::new(terms);
                let args = scope.variables(row.args);
                let term = scope.term(row.term);
                let result = scope.terms.symbol_constant("res", row.result);
                OperationTerms { term, args, result }
            })
            .collect();
        let equivalences = EQUIVALENCES
            .iter()
            .map(|row| {
                let mut scope = Scope::new(terms);
                EquivalenceTerms {
                    vars: scope.variables(row.vars),
                    inner: scope.variables(row.inner),
                    claim: scope.term(row.claim),
                    parts: row.parts.iter().map(|part| scope.term(part)).collect(),
                }
            })
            .collect();
        let laws = LAWS
            .iter()
            .map(|row| {
                let mut scope = Scope::new(terms);
                LawTerms {
                    vars: scope.variables(row.vars),
                    left: scope.term(row.left),
                    right: scope.term(row.right),
                    side: row.side.iter().map(|side| scope.term(side)).collect(),
                }
            })
            .collect();
        Tables { operations, equivalences, laws }
    }
}

/// The names that one row may use.
struct Scope<'a> {
    terms: &'a mut Terms,
    reader: Reader,
}

impl Scope<'_> {
    fn new(terms: &mut Terms) -> Scope<'_> {
        Scope { terms, reader: Reader::new() }
    }

    fn variables(&mut self, list: &[Variable]) -> Vec<TermId> {
        list.iter()
            .map(|&(name, sort)| {
                let symbol = self.terms.symbol(name);
                let fun = self.terms.declare(symbol, &[], sort);
                self.reader.declare(self.terms, fun);
                self.terms.apply(fun, &[]).expect("a constant takes no arguments")
            })
            .collect()
    }

    fn term(&mut self, text: &str) -> TermId {
        match self.reader.read_term(self.terms, text) {
            Ok(term) => term,
            Err(error) => panic!("a row of a table is wrong: {}", error.render("table", text)),
        }
    }
}

#[cfg(test)]
mod tests;
