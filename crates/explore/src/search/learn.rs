//! What the explorer learns from a job that was done: runs become paths, an answer closes a decision or puts it back.

use super::agenda::Bill;
use super::attempts::GivenUp;
use super::outcome::TestOrigin;
use super::partial_runner::Kept;
use super::source::Source;
use super::tally::Place;
use super::tree::{NodeId, Prediction};
use super::view::Ran;
use super::worker::{Answer, Tried};
use super::{Explorer, known};
use crate::target::Input;
use smt::Evaluator;
use std::sync::PoisonError;

impl Explorer<'_> {
    /// Takes over what a worker found out: first what the runner of partial solutions kept, which was there first, then the answer.
    pub(super) fn learn(&mut self, tried: Tried) {
        let Tried { job, ways, answer, sifted, ticks, time, backup, script, .. } = tried;
        self.epoch += 1;
        self.queries.extend(script);
        let is_query = self.count(&answer);
        self.counters.solver_time += time;
        if let Some(node) = job.task.decision().filter(|_| is_query) {
            let (sat, unsat) = (matches!(answer, Answer::Solution(..)), matches!(answer, Answer::Closed));
            let place = Place { queries: 1, sat: usize::from(sat), unsat: usize::from(unsat), time };
            self.counters.places.entry(self.tree.node(node).at).or_default().add(&place);
        }
        self.counters.sources.add(&sifted.tallies);
        let runs = sifted.tallies.rows().map(|(_, _, tally)| tally.run).sum::<usize>();
        self.counters.runs[0] += runs;
        self.counters.backup_asked += usize::from(backup.is_some());
        self.counters.backup_answered += usize::from(backup == Some(true));
        let success = matches!(answer, Answer::Solution(..) | Answer::Witness(..));
        let before = (self.ticks_on_terms, self.timeline.len());
        for kept in sifted.kept {
            self.run_partial(kept);
        }
        for (id, witness) in sifted.witnesses {
            self.witnesses.keep(id, witness);
        }
        if let Some(node) = job.task.decision() {
            self.conclude(node, ways, answer);
        }
        let ticks = ticks + sifted.ticks + (self.ticks_on_terms - before.0);
        tracing::trace!(job = ?job.task, ways, success, ticks, "a job is done");
        let fresh = self.timeline.len() > before.1;
        let known = known(&self.tree, &self.attempts, &self.coverage);
        self.agenda.charge(known, &job, Bill { ticks, success, fresh, runs });
    }

    /// Counts a query by its answer, and the run that came of it. Whether it was a query.
    fn count(&mut self, answer: &Answer) -> bool {
        let counters = &mut self.counters;
        let by_answer = match answer {
            Answer::Solution(..) => &mut counters.sat,
            Answer::Closed => &mut counters.unsat,
            Answer::NotNearby => &mut counters.not_nearby,
            Answer::Later => &mut counters.postponed,
            Answer::Halted => &mut counters.halted,
            Answer::Unknown => &mut counters.unknown,
            Answer::Witness(..) => {
                counters.queries_saved += 1;
                counters.runs[0] += 1;
                return false;
            }
            Answer::None => return false,
        };
        *by_answer += 1;
        counters.queries += 1;
        if let Answer::Solution(_, engine) = answer {
            counters.runs[0] += 1;
            let tally = counters.sources.of(Source::Solve, engine);
            tally.delivered += 1;
            tally.distinct += 1;
            tally.run += 1;
        }
        true
    }

    /// Learns the answer about a decision.
    fn conclude(&mut self, node: NodeId, ways: usize, answer: Answer) {
        match answer {
            Answer::Solution(ran, engine) => self.run_solution(node, ways, *ran, engine),
            Answer::Witness(ran, source, engine) => {
                self.run_partial(Kept { ran: *ran, source, engine });
                // What is not on the route, such as an address, may have led it elsewhere.
                if self.attempts.still_open(&self.tree, node) {
                    self.push(node);
                }
            }
            Answer::Closed => {
                self.tree.close(node);
                self.unwatch(node);
            }
            Answer::Later => {
                let attempt = self.attempts.at_mut(node);
                attempt.tries += 1;
                attempt.level += 1;
                if attempt.level <= self.settings.short_tries() {
                    self.push(node);
                } else {
                    self.postponed.push(node);
                }
            }
            Answer::NotNearby => {
                self.attempts.at_mut(node).looked = true;
                self.push(node);
            }
            Answer::Halted => self.push(node),
            Answer::Unknown => self.give_up(node, GivenUp::Undecided),
            Answer::None => {}
        }
    }

    fn give_up(&mut self, node: NodeId, why: GivenUp) {
        self.attempts.at_mut(node).given_up = Some(why);
        self.unwatch(node);
    }

    fn unwatch(&mut self, node: NodeId) {
        self.common.watch.write().unwrap_or_else(PoisonError::into_inner).close(node, self.epoch);
    }

    fn run_solution(&mut self, node: NodeId, ways: usize, ran: Ran, engine: &'static str) {
        self.attempts.at_mut(node).tries += 1;
        // What was learnt since the query was asked may know the way already.
        let expected =
            if self.tree.ways(node).count() == ways { Some(node) } else { self.predict(&ran.input) };
        let before = (self.counters.paths, self.timeline.len());
        let left_at = self.execute(ran, TestOrigin::Solution);
        let tally = self.counters.sources.of(Source::Solve, engine);
        tally.paths += self.counters.paths - before.0;
        tally.fresh += usize::from(self.timeline.len() > before.1);
        if left_at.is_none() && self.cut_off() {
            return;
        }
        if left_at != expected {
            self.counters.divergences += 1;
            self.give_up(node, GivenUp::Diverged);
        } else if self.attempts.still_open(&self.tree, node) {
            self.push(node);
        }
    }

    /// Runs a partial solution on terms, unless what was learnt since makes its path a known one.
    fn run_partial(&mut self, kept: Kept) {
        if self.stopped().is_some() {
            return;
        }
        let Some(expected) = self.predict(&kept.ran.input) else { return };
        let before = (self.counters.paths, self.timeline.len());
        let left_at = self.execute(kept.ran, TestOrigin::Partial(kept.source, kept.engine));
        let tally = self.counters.sources.of(kept.source, kept.engine);
        tally.paths += self.counters.paths - before.0;
        tally.fresh += usize::from(self.timeline.len() > before.1);
        if let Some(left_at) = left_at {
            self.counters.divergences += usize::from(left_at != expected);
        }
    }

    /// Where an input leaves the known paths, by their conditions.
    fn predict(&self, input: &Input) -> Option<NodeId> {
        let model = self.symbols.model(input);
        match self.tree.predict(&mut Evaluator::new(&self.terms, &model)) {
            Prediction::Leaves(node) => Some(node),
            Prediction::Known => None,
        }
    }
}
