//! From an accepted candidate to a model of the query.

use super::combine::Combination;
use super::interface::Candidate;
use super::universe::{Application, Symbol};
use crate::linear::encode::{Encoding, Meaning};
use crate::linear::gates::Edge;
use crate::linear::record::int_value;
use crate::simplex::num::Rational;
use smt::model::{Interpretation, Table};
use smt::{FunId, Model, SortId, TermId, Terms, Value};
use std::collections::BTreeMap;

/// What a candidate says, independent of the theory that made it.
pub(super) struct Solution {
    /// Constants that are nodes.
    constants: Vec<(FunId, Value)>,
    tables: BTreeMap<FunId, Table>,
    pub(super) numbers: Vec<Rational>,
}

impl Combination<'_, '_> {
    /// The solution that the accepted candidate describes.
    pub(super) fn solution(&self, candidate: Candidate) -> Solution {
        let value = |node| candidate.value(self.graph.root(node)).cloned();
        let named = |&(fun, term): &(FunId, TermId)| Some((fun, value(*self.universe.names.get(&term)?)?));
        let constants = self.constants.iter().filter_map(named).collect();
        let mut tables: BTreeMap<FunId, Table> = BTreeMap::new();
        for Application { node, symbol, args } in &self.universe.applications {
            let Symbol::Function(fun) = symbol else { continue };
            let args: Option<Vec<Value>> = args.iter().map(|&arg| value(arg)).collect();
            if let (Some(args), Some(result)) = (args, value(*node)) {
                let table = tables.entry(*fun).or_default();
                table.default.get_or_insert_with(|| result.clone());
                table.entries.insert(args, result);
            }
        }
        Solution { constants, tables, numbers: candidate.numbers }
    }
}

impl Solution {
    /// The model, with the truth values of the SAT core.
    pub(super) fn model(&self, terms: &Terms, encoding: &Encoding, truth: impl Fn(Edge) -> bool) -> Model {
        let mut model = Model::default();
        for &(fun, term) in &encoding.constants {
            match encoding.meaning(term) {
                Ok(Meaning::Truth(edge)) => model.set(fun, Value::Bool(truth(*edge))),
                Ok(Meaning::Number(number)) => {
                    let number = number.value(&self.numbers);
                    let is_int = terms.sort(term) == SortId::INT;
                    model.set(fun, if is_int { int_value(&number) } else { Value::Real(number.to_big()) });
                }
                Ok(Meaning::Element(_) | Meaning::Node) | Err(_) => {}
            }
        }
        for (fun, value) in &self.constants {
            model.set(*fun, value.clone());
        }
        for (&fun, table) in &self.tables {
            model.insert(fun, Interpretation::Table(table.clone()));
        }
        model
    }
}
