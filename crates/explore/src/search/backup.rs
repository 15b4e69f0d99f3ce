//! A solver that is asked where the engines find no answer. The crate starts no solvers: who uses it brings one along.

use smt::{FunId, Reader, Terms, Value};
use solve::engine::Query;
use solve::verify::satisfies;
use std::time::Duration;

/// What a backup says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Satisfiable, with the text that it prints for `(get-model)`.
    Sat(String),
    /// Unsatisfiable.
    Unsat,
    /// Nothing.
    Unknown,
}

/// A solver outside of this program that answers scripts.
pub trait Backup: Send + Sync + std::fmt::Debug {
    /// What messages and statistics call it.
    fn name(&self) -> String;
    /// Answers a script that ends in `(check-sat)` within a time.
    fn ask(&self, script: &str, limit: Duration) -> Reply;
}

/// What came of a reply.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Heard {
    /// A model under which the evaluator finds all conjuncts true.
    Sat(Vec<(FunId, Value)>),
    Unsat,
    /// No answer, or a model that is none.
    Nothing,
}

/// Asks; a model counts only if the evaluator accepts it.
pub(super) fn ask(
    backup: &dyn Backup,
    terms: &mut Terms,
    query: &Query,
    script: &str,
    limit: Duration,
) -> Heard {
    match backup.ask(script, limit) {
        Reply::Unsat => Heard::Unsat,
        Reply::Unknown => Heard::Nothing,
        Reply::Sat(text) => {
            let Ok(model) = smt::model::read_model(terms, &Reader::default(), &text) else {
                return Heard::Nothing;
            };
            if !satisfies(terms, &model, &query.assertions) {
                return Heard::Nothing;
            }
            let value = |fun: FunId| Some((fun, model.value(fun)?.clone()));
            Heard::Sat(model.functions().into_iter().filter_map(value).collect())
        }
    }
}
