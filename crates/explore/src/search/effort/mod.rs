//! What is done about a decision: look around the input that came there, or solve for another way out, of all conditions at once or in
//! parts. One file an effort; what they share is here: the question, and how long it may take.

pub(super) mod look;
pub(super) mod parts;
pub(super) mod solve;

use super::attempts::Attempt;
use super::copies::Copies;
use super::query::Slice;
use super::view::View;
use crate::target::negate;
use ::solve::engine::Budget;
use parts::Focus;
use smt::{FunId, Terms, Value};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// What is asked about a decision, as of the moment when the job was handed out.
pub(super) struct Question {
    /// The number of the input that came there.
    pub(super) input: usize,
    pub(super) attempt: Attempt,
    pub(super) slice: Slice,
}

/// A question in the arena of a worker.
pub(super) struct Posed {
    pub(super) focus: Focus,
    /// What the input that came there says about the symbols: it satisfies all of it but the last.
    pub(super) near: Vec<(FunId, Value)>,
}

/// Copies a question into an arena, from the explorer's or from what it wrote down for several workers.
pub(super) fn pose(
    question: &Question,
    view: &View<'_>,
    from: Option<&Terms>,
    terms: &mut Terms,
    copies: &mut Copies,
    parts: bool,
) -> Posed {
    let slice = &question.slice;
    let (conditions, ways) = match from {
        Some(from) => (copies.copy(from, terms, &slice.conditions), copies.copy(from, terms, &slice.ways)),
        None => {
            let rows = view.rows.read().unwrap_or_else(PoisonError::into_inner);
            (copies.copy(&*rows, terms, &slice.conditions), copies.copy(&*rows, terms, &slice.ways))
        }
    };
    let wanted: Vec<_> = ways.into_iter().map(|way| negate(terms, way)).collect();
    let focus = if parts {
        let most = view.settings.tuning.part_terms as usize;
        Focus::first(terms, conditions, wanted, |at| slice.close[at], most)
    } else {
        Focus::all(conditions, wanted)
    };
    let (input, _) = view.input(question.input);
    let value = |&fun: &FunId| Some((copies.there(fun)?, view.symbols.value(&input, fun)?));
    Posed { focus, near: slice.symbols.iter().filter_map(value).collect() }
}

/// How long a query may take.
pub(super) struct Allowance {
    pub(super) budget: Budget,
    /// Whether it is one of the early tries, which are short.
    pub(super) is_short: bool,
    /// Whether it may get more another time.
    pub(super) is_limited: bool,
}

impl Allowance {
    /// What a query gets by how often it was given up. Ticks count and not the clock, which also runs while partial solutions
    /// are run.
    pub(super) fn new(view: &View<'_>, attempt: Attempt, asked: Instant) -> Allowance {
        let (settings, tuning) = (view.settings, &view.settings.tuning);
        let left = view.limits.deadline.map_or(settings.query_time, |d| d.saturating_duration_since(asked));
        let most = left.min(settings.query_time);
        let short = settings.short_tries();
        let is_short = attempt.level < short;
        let growth = u32::try_from(tuning.growth.max(1)).unwrap_or(u32::MAX);
        let grown = growth.saturating_pow(attempt.level.saturating_sub(short).min(8));
        let limit = Duration::from_millis(tuning.first_millis).saturating_mul(grown);
        let is_limited = is_short || limit < most;
        let mut budget = Budget::seconds(most).with_stop(view.stop.clone());
        if is_limited {
            budget = Budget::seconds(most.min(limit.saturating_mul(growth))).with_stop(view.stop.clone());
            let part = growth.saturating_pow(short.saturating_sub(attempt.level));
            budget = budget.slice(tuning.first_ticks.saturating_mul(u64::from(grown)) / u64::from(part));
        }
        Allowance { budget, is_short, is_limited }
    }
}
