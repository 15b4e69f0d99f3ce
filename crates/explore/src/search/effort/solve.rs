//! Solving for another way out of a decision, with everything that the engine passes through shown to the partial_runner.

use super::Posed;
use super::parts::{assignment, model_of};
use crate::search::partial_runner::PartialRunner;
use crate::search::source::Source;
use smt::Terms;
use solve::cache::Cache;
use solve::engine::{Budget, Engine, NoPartials, Partial, Partials, Query, Verdict};
use solve::portfolio::Portfolio;

/// Solves, with a wider focus each time, until the answer is one about all conditions. The partial_runner hears of solutions of parts; of what
/// the engine passes through only if it `listens`; it is `hurried` if partial solutions come from elsewhere too.
pub(in crate::search) fn solve(
    engine: &mut Cache<Portfolio>,
    terms: &mut Terms,
    posed: &mut Posed,
    budget: &mut Budget,
    partial_runner: &mut PartialRunner<'_>,
    listens: bool,
    hurried: bool,
) -> Verdict {
    widening(terms, posed, budget, partial_runner, |terms, posed, budget, partial_runner| {
        let query = Query { hurried, ..posed.focus.query().near(&posed.near) };
        let listener: &mut dyn Partials = if listens { partial_runner } else { &mut NoPartials };
        let verdict = engine.solve(terms, &query, budget, listener);
        (verdict, engine.answered_by())
    })
}

/// Asks until the answer is one about all conditions: what a solution of a part violates is asked besides the next time.
pub(super) fn widening<'a>(
    terms: &mut Terms,
    posed: &mut Posed,
    budget: &mut Budget,
    partial_runner: &mut PartialRunner<'a>,
    mut ask: impl FnMut(&mut Terms, &Posed, &mut Budget, &mut PartialRunner<'a>) -> (Verdict, &'static str),
) -> Verdict {
    loop {
        let (verdict, engine) = ask(terms, posed, budget, partial_runner);
        let Verdict::Sat(model) = verdict else { return verdict };
        let found = assignment(terms, &posed.focus.query(), &posed.near, &model);
        if !posed.focus.widen(terms, &found) {
            return Verdict::Sat(model_of(&found));
        }
        let before = std::mem::replace(&mut partial_runner.source, Source::Parts);
        partial_runner.take(Partial { values: found, engine, step: 0 });
        partial_runner.source = before;
        if let Some(reason) = budget.exhausted() {
            return Verdict::Unknown(reason);
        }
    }
}
