//! From numbers to a model of the query, and its judgement by the evaluator.

use super::encode::{Encoding, Meaning};
use super::record::int_value;
use crate::engine::Reason;
use crate::simplex::num::Rational;
use smt::model::{Interpretation, Table};
use smt::{Model, SortId, TermId, Terms, Value};

/// An assignment of everything the encoding left open.
pub(super) struct Solution<'a> {
    pub(super) encoding: &'a Encoding,
    /// By variable of the simplex core.
    pub(super) numbers: &'a [Rational],
    /// By gate.
    pub(super) truths: &'a [bool],
}

impl Solution<'_> {
    /// The model of the query's constants and functions.
    pub(super) fn model(&self, terms: &mut Terms) -> Result<Model, Reason> {
        let mut model = Model::default();
        for &(fun, term) in &self.encoding.constants {
            model.set(fun, self.value(terms, term)?);
        }
        for application in &self.encoding.applications {
            let args = application.args.iter().map(|&arg| self.value(terms, arg));
            let args = args.collect::<Result<Vec<Value>, Reason>>()?;
            let result = self.value(terms, application.result)?;
            let mut table = match model.interpretation(application.fun) {
                Some(Interpretation::Table(table)) => table.clone(),
                _ => Table { default: Some(result.clone()), ..Table::default() },
            };
            table.entries.insert(args, result);
            model.insert(application.fun, Interpretation::Table(table));
        }
        Ok(model)
    }

    fn value(&self, terms: &mut Terms, term: TermId) -> Result<Value, Reason> {
        Ok(match self.encoding.meaning(term)? {
            Meaning::Truth(edge) => Value::Bool(self.truths[edge.node()] != edge.is_negated()),
            Meaning::Number(affine) => {
                let number = affine.value(self.numbers);
                if terms.sort(term) == SortId::INT {
                    int_value(&number)
                } else {
                    Value::Real(number.to_big())
                }
            }
            Meaning::Node => return Err(Reason::Unsupported),
            Meaning::Element(affine) => {
                let number = affine.value(self.numbers);
                let name = terms.symbol(&format!("@{number}"));
                Value::Element(terms.sort(term), name)
            }
        })
    }
}
