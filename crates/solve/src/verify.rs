//! The last word on every `sat`: the evaluator. Nothing in this crate calls a query satisfied without asking here.

use smt::{Evaluator, Model, TermId, Terms};

/// The position of the first conjunct that is not true under a model, whether false or open; `None` if all hold.
pub(crate) fn first_failure(terms: &Terms, model: &Model, conjuncts: &[TermId]) -> Option<usize> {
    let mut evaluator = Evaluator::new(terms, model);
    conjuncts.iter().position(|&t| evaluator.truth(t) != Ok(true))
}

/// Whether a model makes all conjuncts true.
pub fn satisfies(terms: &Terms, model: &Model, conjuncts: &[TermId]) -> bool {
    first_failure(terms, model, conjuncts).is_none()
}
