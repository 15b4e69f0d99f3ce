//! One worker of a run: it sends a batch's cases to the solver under test and passes the answers on. `follow.rs` makes findings of
//! what looks wrong, `compare.rs` looks for models of what is called unsatisfiable, `doubt.rs` for models of cores, `settle.rs` establishes what is true of a seed, `observe.rs` compares a mutant's cost with its seed's. Owns
//! the session with the solver; decides nothing about what counts as a defect.

mod compare;
mod doubt;
mod follow;
mod observe;
mod settle;

use super::ledger::Ledger;
use super::schedule::Turn;
use super::{Event, RunError, RunSettings, Solvers};
use crate::ask::{self, Questions};
use crate::case::{Batch, Mutation, Origin, Rejected, Strategy, TestCase, Verdict};
use crate::evidence::{Oracle, SentScript, suspicions};
use crate::finding::Replacement;
use crate::options::needs_one_query;
use crate::solver::answer::{self, Answer, Trouble};
use crate::solver::{Limits, Run, Session};
use crate::tuning::run_worker::{FRESH, MOST_AGAIN, MOST_REFUSED, SEED_BUDGET, STARTS};
use random::Rng;
pub(super) use settle::SeedFacts;
use smt::Terms;
use smt::print::term_to_string;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

/// The how-manieth time a test is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attempt {
    First,
    /// It reached the limit of an earlier turn.
    Again,
    /// An earlier run did it, and this one has to know what is true of the seed.
    Known,
}

/// What a test is given.
#[derive(Clone, Copy, Debug)]
struct Chance {
    limit: Duration,
    attempt: Attempt,
    /// Whether it may be done again with more time.
    patient: bool,
}

pub(super) struct Worker<'a> {
    strategy: &'a dyn Strategy,
    solvers: &'a Solvers,
    settings: &'a RunSettings,
    ledger: &'a Ledger,
    /// Set when no test is to begin any more.
    closing: &'a AtomicBool,
    /// Set when nothing is to go on any more.
    ended: &'a AtomicBool,
    events: Sender<Event>,
    session: Option<Session>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        strategy: &'a dyn Strategy,
        solvers: &'a Solvers,
        settings: &'a RunSettings,
        ledger: &'a Ledger,
        [closing, ended]: [&'a AtomicBool; 2],
        events: Sender<Event>,
    ) -> Worker<'a> {
        let session = (!settings.fresh).then(|| Session::new(solvers.target.clone(), settings.limits));
        Worker { strategy, solvers, settings, ledger, closing, ended, events, session }
    }

    /// Runs a batch until it ends, the run ends, or its share is done; in the last case the turn that is left. Only a whole
    /// batch counts as done.
    pub(super) fn turn(&mut self, mut turn: Turn) -> Result<Option<Turn>, RunError> {
        let number = turn.number;
        let is_new = turn.round == 0 && turn.progress.tested == 0;
        tracing::debug!(batch = number, round = turn.round, "a batch has its turn");
        self.ledger.count(|c| c.batches += u64::from(is_new));
        let mut batch = match self.strategy.batch(number, Rng::numbered(self.settings.seed, number)) {
            Ok(batch) => batch,
            Err(Rejected(reason)) => {
                self.ledger.count(|c| c.batches_rejected += 1);
                self.ledger.note_unusable(&reason);
                self.tell(Event::Note(reason));
                self.ledger.finish(number)?;
                return Ok(None);
            }
        };
        // What a process takes to start is no part of a test's turn.
        let start = self.solvers.target.start_cost() * STARTS;
        let limit = self.settings.limits.cpu.min(turn.limit() + start);
        let until = turn.until;
        let (before, again) = (turn.progress.tested, std::mem::take(&mut turn.progress.again));
        let mut place = 0;
        while let Some(case) = batch.next() {
            if let (Some(only), Origin::Built(recipe)) = (&self.settings.only, &case.origin)
                && !recipe.contains(only.as_str())
            {
                continue;
            }
            place += 1;
            let attempt = match (place <= before, again.binary_search(&place).is_ok()) {
                (true, false) if self.is_known(&mut *batch, &case, &turn.facts) => continue,
                (true, false) => Attempt::Known,
                (true, true) => Attempt::Again,
                (false, _) => Attempt::First,
            };
            if turn.facts.timeouts >= SEED_BUDGET || turn.facts.refused >= MOST_REFUSED {
                self.ledger.count(|c| c.batches_cut += 1);
                break;
            }
            let is_over = [self.closing, self.ended].iter().any(|flag| flag.load(Ordering::Relaxed));
            if is_over || (attempt == Attempt::First && !self.may_test(until, place)) {
                turn.progress.again.extend(again.iter().filter(|&&other| other >= place));
                self.ledger.postpone(number, turn.progress.clone())?;
                return Ok((!is_over && until.is_some_and(|until| place > until)).then_some(turn));
            }
            turn.progress.tested = turn.progress.tested.max(place);
            let is_seed = matches!(case.origin, Origin::Seed(_));
            let patient = is_seed || turn.progress.again.len() < MOST_AGAIN;
            let chance = Chance { limit, attempt, patient };
            if !self.test(&mut *batch, &case, &mut turn.facts, chance)? {
                turn.progress.again.push(place);
                if is_seed {
                    // There are no mutants of a seed that is not settled.
                    break;
                }
            }
        }
        if turn.progress.again.is_empty() {
            self.ledger.finish(number)?;
            return Ok(None);
        }
        self.ledger.postpone(number, turn.progress.clone())?;
        Ok(Some(turn))
    }

    /// Whether the turn and the run have room for one more test, which is counted.
    fn may_test(&self, until: Option<u64>, place: u64) -> bool {
        until.is_none_or(|until| place <= until) && self.ledger.admit(self.settings.tests)
    }

    /// Whether nothing is left to do for a case of an earlier turn. A seed must be settled before its mutants come; one of an
    /// earlier run is asked again.
    fn is_known(&self, batch: &mut dyn Batch, case: &TestCase, facts: &SeedFacts) -> bool {
        if matches!(case.origin, Origin::Seed(_)) {
            if facts.text.is_none() {
                return false;
            }
            batch.witness(&facts.witnesses);
            batch.settle(&facts.verdicts);
        }
        true
    }

    /// The one who watches may have gone; the run goes on to save what it has.
    fn tell(&self, event: Event) {
        self.events.send(event).unwrap_or_default();
    }

    fn oracle(&self) -> Oracle<'a> {
        Oracle {
            target: &self.solvers.target,
            referees: &self.solvers.referees,
            limits: self.settings.limits,
            stop: self.ended,
        }
    }

    fn send(&mut self, text: &str, cpu: Duration) -> Result<Run, RunError> {
        // Solvers take other ways after a `push`, and sessions push: a share of the tests is sent as users send theirs.
        Ok(match &mut self.session {
            Some(session) if !is_sent_alone(text) => {
                session.limit_cpu(cpu);
                session.ask(text, self.ended)?
            }
            _ => {
                let limits = Limits { cpu, ..self.settings.limits };
                self.solvers.target.run(text, &limits, self.ended)?
            }
        })
    }

    /// One test: send, count, judge, follow up, settle. Whether the time was enough, where it is less than the run's limit.
    fn test(
        &mut self,
        batch: &mut dyn Batch,
        case: &TestCase,
        facts: &mut SeedFacts,
        chance: Chance,
    ) -> Result<bool, RunError> {
        let Chance { limit, attempt, patient } = chance;
        let dialect = self.solvers.target.dialect;
        let text = match case.origin {
            Origin::Seed(_) | Origin::Framed { certain: false, .. } if settle::wants_model(case) => {
                ask::text(batch.terms(), &case.script, &case.expected, dialect, Questions::Models)
            }
            _ => ask::case_text(batch, case, dialect),
        };
        let run = self.send(&text, limit)?;
        let answer = answer::read(&run);
        let is_late = answer.trouble == Some(Trouble::Timeout);
        match answer.trouble {
            Some(Trouble::Stopped) => return Ok(true),
            Some(Trouble::Timeout) if limit < self.settings.limits.cpu => {
                self.ledger.count(|c| {
                    c.timeouts += u64::from(attempt == Attempt::First);
                    c.solver_micros += run.cpu.as_micros() as u64;
                });
                if !patient {
                    batch.learn(case, &run, &answer, &[]);
                }
                return Ok(!patient);
            }
            _ => self.tally(&run, &answer, case.expected.len(), attempt),
        }
        facts.timeouts += u32::from(is_late);
        facts.listen(case, &answer);
        let mut sent = || SentScript::read(&text, dialect).ok();
        let mut found = suspicions(&case.expected, &answer, &mut sent);
        self.doubt(case, &text, &answer, limit, &mut found)?;
        batch.learn(case, &run, &answer, &found);
        for suspicion in found {
            self.follow_up(batch, case, facts, &text, &suspicion, &answer)?;
        }
        match case.origin {
            Origin::Seed(_) => self.settle(batch, case, facts, text, &run, &answer)?,
            Origin::Mutant { .. } => self.observe(batch, case, facts, &text, run, answer)?,
            Origin::Framed { certain: false, .. } => self.compare(batch, case, facts, &text, &answer)?,
            Origin::Built(_) | Origin::Framed { certain: true, .. } => {}
        }
        Ok(true)
    }

    /// Counts what became of a test. A solver that says more than it was asked is not counted for it.
    fn tally(&self, run: &Run, answer: &Answer, queries: usize, attempt: Attempt) {
        self.ledger.count(|c| {
            c.solver_micros += run.cpu.as_micros() as u64;
            match attempt {
                Attempt::First => {}
                // It was counted as one that reached its limit.
                Attempt::Again => c.timeouts = c.timeouts.saturating_sub(1),
                Attempt::Known => return,
            }
            for reply in answer.replies.iter().take(queries) {
                *match reply.verdict {
                    Verdict::Sat => &mut c.sat,
                    Verdict::Unsat => &mut c.unsat,
                    Verdict::Unknown => &mut c.unknown,
                } += 1;
            }
            match &answer.trouble {
                None | Some(Trouble::Stopped) => {}
                Some(Trouble::Timeout) => c.timeouts += 1,
                Some(Trouble::OutOfMemory | Trouble::Flood) => c.exhausted += 1,
                Some(Trouble::Unsupported(_)) => c.unsupported += 1,
                Some(Trouble::Parse(_) | Trouble::Error(_)) => c.rejected += 1,
                Some(Trouble::Silent) => c.silent += 1,
                Some(Trouble::Assertion(_) | Trouble::Sanitizer(_) | Trouble::Signal(_)) => c.crashes += 1,
            }
        });
        if let Some(Trouble::Unsupported(text) | Trouble::Parse(text) | Trouble::Error(text)) =
            &answer.trouble
        {
            self.ledger.note_error(text);
        }
    }
}

/// Whether a test has a process of its own though there is a session. The text decides, so that two runs do the same.
fn is_sent_alone(text: &str) -> bool {
    text.len().is_multiple_of(FRESH) || needs_one_query(text)
}

/// What mutations did, in words.
fn replacements(terms: &Terms, mutations: &[Mutation]) -> Vec<Replacement> {
    let words = |mutation: &Mutation| Replacement {
        rule: mutation.rule.to_string(),
        before: term_to_string(terms, mutation.before),
        after: term_to_string(terms, mutation.after),
    };
    mutations.iter().map(words).collect()
}
