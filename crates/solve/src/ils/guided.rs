//! The engine `ils`: the guided search behind the seam, alone or on several queries that take turns.

use super::Counters;
use super::problem::{Prepared, Problem, prepare, verified};
use super::search::{Search, Slice};
use crate::engine::{Budget, Engine, Partial, Partials, Query, Reason, Verdict};
use crate::tuning::ils_guided::{FREELY, TURN};
use smt::{FunId, Terms, Value};

/// The name on the command line.
const NAME: &str = "ils";

/// Local search guided by branch distance. Answers `sat` or `unknown`, and `unsat` only where a conjunct is false
/// without its variables being looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ils {
    /// The same seed gives the same run, as far as the clock does not cut it short.
    pub(crate) seed: u64,
    counters: Counters,
}

/// One query's part in solving several.
struct Player<'p> {
    problem: &'p Problem,
    search: Search<'p>,
    /// Partial solutions given, and the move at which the last one was.
    given: u64,
    last: u64,
}

impl Ils {
    /// An engine with a seed.
    pub(crate) fn new(seed: u64) -> Ils {
        Ils { seed, counters: Counters::default() }
    }

    /// Solves several queries together: they take turns, and what solves one is tried on the others.
    pub(crate) fn solve_together(
        &mut self,
        terms: &Terms,
        queries: &[Query],
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Vec<Verdict> {
        let memory = budget.memory / queries.len().max(1);
        let prepared: Vec<_> = queries.iter().map(|query| prepare(terms, query, memory, budget)).collect();
        let mut verdicts: Vec<Option<Verdict>> = prepared.iter().map(decided).collect();
        let mut players: Vec<Option<Player<'_>>> = prepared.iter().map(|p| player(p, self.seed)).collect();
        while verdicts.iter().any(Option::is_none) {
            for i in 0..queries.len() {
                let Some(player) = players[i].as_mut().filter(|_| verdicts[i].is_none()) else { continue };
                let Some(assignment) = self.turn(player, budget, partials) else { continue };
                let Some(model) = verified(terms, &queries[i], assignment.clone()) else {
                    player.search.reject(&mut self.counters);
                    continue;
                };
                verdicts[i] = Some(Verdict::Sat(model));
                self.share(terms, queries, &assignment, &mut verdicts);
            }
            if let Some(reason) = budget.exhausted() {
                for verdict in verdicts.iter_mut().filter(|v| v.is_none()) {
                    *verdict = Some(Verdict::Unknown(reason));
                }
            }
        }
        verdicts.into_iter().flatten().collect()
    }

    /// Searches for a while; the assignment if one was found.
    fn turn(
        &mut self,
        player: &mut Player<'_>,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Option<Vec<(FunId, Value)>> {
        let Player { problem, search, given, last } = player;
        let mut better = |point: &[i128], step: u64| {
            if partials.wanted() && (*given < FREELY || step >= *last + FREELY) {
                (*given, *last) = (*given + 1, step);
                partials.take(Partial { values: problem.assignment(point), engine: NAME, step });
            }
        };
        match search.run(TURN, budget, &mut self.counters, &mut better) {
            Slice::Solved => Some(problem.assignment(&search.point())),
            Slice::Over => None,
        }
    }

    /// Tries what solves one query on the others. A query over other constants has no value under it.
    fn share(
        &mut self,
        terms: &Terms,
        queries: &[Query],
        assignment: &[(FunId, Value)],
        verdicts: &mut [Option<Verdict>],
    ) {
        for (query, verdict) in queries.iter().zip(verdicts) {
            if verdict.is_none() {
                self.counters.evaluations += 1;
                *verdict = verified(terms, query, assignment.to_vec()).map(Verdict::Sat);
            }
        }
    }
}

/// The verdict of a query that needs no search.
fn decided(prepared: &Result<Prepared, Reason>) -> Option<Verdict> {
    match prepared {
        Err(reason) => Some(Verdict::Unknown(*reason)),
        Ok(Prepared::False(conjunct)) => Some(Verdict::Unsat(vec![*conjunct])),
        Ok(Prepared::Contradiction) => Some(Verdict::Unknown(Reason::Incomplete)),
        Ok(Prepared::Problem(_)) => None,
    }
}

fn player(prepared: &Result<Prepared, Reason>, seed: u64) -> Option<Player<'_>> {
    match prepared {
        Ok(Prepared::Problem(problem)) => {
            Some(Player { problem, search: Search::new(problem, seed), given: 0, last: 0 })
        }
        _ => None,
    }
}

impl Engine for Ils {
    fn name(&self) -> &'static str {
        NAME
    }

    fn solve(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        let mut verdicts = self.solve_together(terms, std::slice::from_ref(query), budget, partials);
        verdicts.pop().unwrap_or(Verdict::Unknown(Reason::Incomplete))
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        self.counters.list()
    }
}
