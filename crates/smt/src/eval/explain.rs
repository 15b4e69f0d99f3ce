//! Why a Boolean term is not true under a model: the innermost subterm that is to blame, with the values it depends on.

use super::{EvalResult, Evaluator};
use crate::op::Op;
use crate::print::{term_to_string, value_to_string};
use crate::sort::SortId;
use crate::term::{TermId, Terms};
use crate::value::Value;

/// The subterm to blame.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// The innermost subterm to blame.
    pub term: TermId,
    /// What the evaluator says of it.
    pub outcome: EvalResult,
    /// Its arguments that are neither constants nor regular expressions, with their values.
    pub args: Vec<(TermId, EvalResult)>,
}

/// A term longer than this is shown by its beginning.
const LONGEST: usize = 200;

/// A term in words for people, or its beginning.
pub fn shown(terms: &Terms, term: TermId) -> String {
    let text = term_to_string(terms, term);
    match text.char_indices().nth(LONGEST) {
        Some((i, _)) => format!("{}...", &text[..i]),
        None => text,
    }
}

impl Explanation {
    /// The blame in words: the subterm with the value that it has, not the one that it should have had; and what it depends on,
    /// each as a term and its value.
    pub fn words(&self, terms: &Terms) -> (String, Vec<(String, String)>) {
        let value = |outcome: &EvalResult| match outcome {
            Ok(value) => value_to_string(terms, value),
            Err(reason) => format!("undefined ({reason})"),
        };
        let args = self.args.iter().map(|(term, outcome)| (shown(terms, *term), value(outcome)));
        (format!("{} is {}", shown(terms, self.term), value(&self.outcome)), args.collect())
    }
}

/// Explains why a term is false or undefined; `None` if it is true.
pub fn explain(terms: &Terms, evaluator: &mut Evaluator<'_>, term: TermId) -> Option<Explanation> {
    let outcome = evaluator.eval(term);
    let blamed = match &outcome {
        Ok(Value::Bool(true)) => return None,
        Ok(_) => blame_false(terms, evaluator, term),
        Err(_) => blame_undefined(terms, evaluator, term),
    };
    let args: Vec<TermId> = match terms.binder(blamed) {
        Some(_) => Vec::new(),
        // Constants and regular expressions say it themselves.
        None => terms
            .args(blamed)
            .iter()
            .copied()
            .filter(|&a| terms.as_value(a).is_none() && terms.sort(a) != SortId::REG_LAN)
            .collect(),
    };
    let args = args.into_iter().map(|a| (a, evaluator.eval(a))).collect();
    Some(Explanation { term: blamed, outcome: evaluator.eval(blamed), args })
}

/// Follows the connectives down to the atom that decided them, `want` being what it should have been.
fn blame_false(terms: &Terms, evaluator: &mut Evaluator<'_>, root: TermId) -> TermId {
    let (mut term, mut want) = (root, true);
    loop {
        let args = terms.args(term);
        let mut first =
            |value: bool| args.iter().copied().find(|&a| evaluator.eval(a) == Ok(Value::Bool(value)));
        let next = match (terms.op(term), want) {
            (Op::Annot, _) => Some((args[0], want)),
            (Op::Not, _) => Some((args[0], !want)),
            // A false conjunct makes a conjunction false; all true ones make it true.
            (Op::And, true) | (Op::Or, false) => first(!want).map(|a| (a, want)),
            (Op::And, false) | (Op::Or, true) => args.first().map(|&a| (a, want)),
            (Op::Implies, true) => args.last().map(|&a| (a, true)),
            (Op::Ite, _) => match evaluator.eval(args[0]) {
                Ok(Value::Bool(true)) => Some((args[1], want)),
                Ok(Value::Bool(false)) => Some((args[2], want)),
                _ => None,
            },
            _ => None,
        };
        match next {
            Some((child, wanted)) if evaluator.eval(child) == Ok(Value::Bool(!wanted)) => {
                (term, want) = (child, wanted)
            }
            _ => return term,
        }
    }
}

/// Follows undefined arguments down to a term whose arguments are defined.
fn blame_undefined(terms: &Terms, evaluator: &mut Evaluator<'_>, root: TermId) -> TermId {
    let mut term = root;
    loop {
        if matches!(terms.op(term), Op::Forall | Op::Exists | Op::Lambda | Op::Match) {
            return term;
        }
        let child = terms.args(term).iter().copied().find(|&a| evaluator.eval(a).is_err());
        match child {
            Some(child) => term = child,
            None => return term,
        }
    }
}
