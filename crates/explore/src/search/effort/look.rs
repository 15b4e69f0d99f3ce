//! A look around the input that came to a decision: what is easy is found without the proofs that others need.

use super::Posed;
use super::solve::widening;
use crate::search::partial_runner::PartialRunner;
use smt::Terms;
use solve::cache::Cache;
use solve::engine::{Budget, Engine, Look, Verdict};
use solve::portfolio::Portfolio;

/// Looks, with a wider focus each time, until the answer is one about all conditions.
pub(in crate::search) fn look(
    engine: &mut Cache<Portfolio>,
    terms: &mut Terms,
    posed: &mut Posed,
    budget: &mut Budget,
    partial_runner: &mut PartialRunner<'_>,
) -> Verdict {
    widening(terms, posed, budget, partial_runner, |terms, posed, budget, partial_runner| {
        let verdict = engine.look(terms, &posed.focus.query().near(&posed.near), budget, partial_runner);
        (verdict, engine.answered_by())
    })
}
