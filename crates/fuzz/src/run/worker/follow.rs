//! From something that looks wrong to a finding: confirmed, the mutations that do not matter undone, reduced, tried on the newest
//! release, written down.

use super::{SeedFacts, Worker, is_sent_alone, replacements};
use crate::ask::{self, Questions};
use crate::case::{Batch, Expectation, Origin, TestCase};
use crate::evidence::{
    Certainty, Class, Confirmation, Confirmed, Defect, Evidence, SentScript, Suspicion, Truth, confirm,
    crash_key, crash_place, on_release, shrink, suspicions,
};
use crate::finding::{Finding, Fingerprint, Replacement, SolverInfo, diagnosis, operators};
use crate::options::step_in;
use crate::reduce;
use crate::run::ledger::{Worth, kind};
use crate::run::{Event, FollowUp, RunError};
use crate::solver::Solver;
use crate::solver::answer::{Answer, Trouble};
use crate::tuning::run_worker_follow::REPLAY_TIME;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// A text as it was sent to a fresh process.
struct Sent {
    text: String,
    /// Whether it stands inside a `push`, as in a session.
    pushed: bool,
}

impl Worker<'_> {
    /// Confirms a suspicion and makes a finding of it.
    pub(super) fn follow_up(
        &mut self,
        batch: &mut dyn Batch,
        case: &TestCase,
        facts: &SeedFacts,
        text: &str,
        suspicion: &Suspicion,
        answer: &Answer,
    ) -> Result<(), RunError> {
        tracing::debug!(class = suspicion.class.word(), solver = %self.solvers.target.name, "a suspicion is followed up");
        let Ok(script) = SentScript::read(text, self.solvers.target.dialect) else { return Ok(()) };
        let operators = operators(script.terms(), script.script());
        let crash = if suspicion.class == Class::Crash { crash_key(answer) } else { None };
        // A signal is not one kind of crash: what the script is about tells them apart until the stack does.
        let crash = crash.map(|key| match answer.trouble {
            Some(Trouble::Signal(_)) => format!("{key} {}", operators.join(" ")),
            _ => key,
        });
        let kind = match step_in(script.terms(), script.script()) {
            Some(step) if crash.is_none() => kind(suspicion.class, &[&step], None),
            _ => kind(suspicion.class, &operators, crash.as_deref()),
        };
        if self.ledger.weigh(&kind) == Worth::Counted {
            return Ok(());
        }
        self.tell(Event::Follow(FollowUp::Confirming));
        let followed = self.take_up(batch, case, facts, text, (suspicion, &script, &kind));
        self.tell(Event::Follow(FollowUp::Done));
        followed
    }

    /// Confirms a suspicion of a kind, and makes a finding of it.
    fn take_up(
        &mut self,
        batch: &mut dyn Batch,
        case: &TestCase,
        facts: &SeedFacts,
        text: &str,
        (suspicion, script, kind): (&Suspicion, &SentScript, &str),
    ) -> Result<(), RunError> {
        let certainty = match case.origin {
            Origin::Built(_) | Origin::Framed { certain: true, .. } => Certainty::Construction,
            Origin::Mutant { .. } => Certainty::Metamorphic,
            Origin::Seed(_) | Origin::Framed { certain: false, .. } => Certainty::Claim,
        };
        let witness = facts.witnesses.get(suspicion.query).and_then(Option::as_deref);
        let oracle = self.oracle();
        let mut sent = Sent { text: text.to_string(), pushed: false };
        let mut outcome = confirm(&oracle, &sent.text, &case.expected, suspicion, certainty, witness)?;
        if matches!(outcome, Confirmation::NotReproduced) && self.session.is_some() {
            // Solvers take other ways between push and pop, and those can be wrong too.
            sent = Sent { text: script.within_push(self.solvers.target.dialect), pushed: true };
            outcome = confirm(&oracle, &sent.text, &case.expected, suspicion, certainty, witness)?;
        }
        if matches!(outcome, Confirmation::NotReproduced)
            && !is_sent_alone(text)
            && let Some((text, confirmed)) = self.replay_session(case, suspicion, certainty)?
        {
            return self.report(kind, case, facts, [&text, &text], Vec::new(), confirmed);
        }
        let Some(confirmed) = self.accept(outcome, suspicion, &sent.text)? else { return Ok(()) };
        if let Some(place) = crash_place(&self.oracle(), &sent.text, &confirmed.answer)
            && self.ledger.recognise(kind, &Fingerprint::of(&confirmed, script, Some(&place)).short)
        {
            return Ok(());
        }
        let (small, mutations) = self.undo(batch, case, &sent, confirmed.class)?;
        self.report(kind, case, facts, [&sent.text, &small], mutations, confirmed)
    }

    /// Sends all that the session's process was sent to a fresh one. If the suspicion shows again, what came before it is cut
    /// down to what is needed. If not, the whole is kept for those who want to look.
    fn replay_session(
        &self,
        case: &TestCase,
        suspicion: &Suspicion,
        certainty: Certainty,
    ) -> Result<Option<(String, Confirmed)>, RunError> {
        let Some(session) = &self.session else { return Ok(None) };
        let Some((last, before)) = session.transcript().split_last() else { return Ok(None) };
        let before: Vec<&String> = before.iter().collect();
        let (oracle, start) = (self.oracle(), Instant::now());
        let mut shown = None;
        let mut trouble = None;
        let mut shows = |subset: &[&String]| {
            if start.elapsed() > REPLAY_TIME || trouble.is_some() {
                return false;
            }
            let text: String = subset.iter().map(|piece| piece.as_str()).chain([last.as_str()]).collect();
            let Ok(script) = SentScript::read(&text, oracle.target.dialect) else { return false };
            let earlier = script.queries().saturating_sub(case.expected.len());
            let mut expected = vec![Expectation::Open; earlier];
            expected.extend(case.expected.iter().cloned());
            let suspicion = Suspicion { query: earlier + suspicion.query, ..suspicion.clone() };
            match confirm(&oracle, &text, &expected, &suspicion, certainty, None) {
                Ok(Confirmation::Confirmed(confirmed)) => {
                    shown = Some((text, *confirmed));
                    true
                }
                Ok(_) => false,
                Err(error) => {
                    trouble = Some(error);
                    false
                }
            }
        };
        if shows(&before) {
            reduce::minimize(&before, &mut shows);
        } else {
            let whole: String = before.iter().map(|piece| piece.as_str()).chain([last.as_str()]).collect();
            self.keep("unconfirmed", &whole)?;
        }
        match trouble {
            Some(error) => Err(error.into()),
            None => Ok(shown),
        }
    }

    /// Counts what did not hold; the rest goes on. Nothing that the end of the run cut short is held against anyone.
    fn accept(
        &self,
        outcome: Confirmation,
        suspicion: &Suspicion,
        text: &str,
    ) -> Result<Option<Confirmed>, RunError> {
        if self.ended.load(Ordering::Relaxed) {
            return Ok(None);
        }
        match outcome {
            Confirmation::Confirmed(confirmed) => return Ok(Some(*confirmed)),
            Confirmation::NotReproduced => self.ledger.count(|c| c.unconfirmed += 1),
            Confirmation::Cleared => {}
            Confirmation::Refuted(reason) => {
                self.ledger.count(|c| c.refuted += 1);
                self.keep("refuted", text)?;
                self.tell(Event::Note(format!(
                    "not reported: {} looked wrong ({}), but {reason}",
                    suspicion.class.word(),
                    suspicion.detail
                )));
            }
            Confirmation::Disputed => {
                self.ledger.count(|c| c.disputed += 1);
                self.keep("disputed", text)?;
            }
        }
        Ok(None)
    }

    /// Keeps a script that is not reported, for those who want to look.
    fn keep(&self, group: &str, text: &str) -> Result<(), RunError> {
        Ok(self.ledger.keep(group, &Fingerprint::new(text.to_string()).short, text)?)
    }

    /// Undoes as many mutations as possible: what remains is the minimal difference to the seed.
    fn undo(
        &self,
        batch: &mut dyn Batch,
        case: &TestCase,
        sent: &Sent,
        class: Class,
    ) -> Result<(String, Vec<Replacement>), RunError> {
        let Origin::Mutant { mutations, .. } = &case.origin else {
            return Ok((sent.text.clone(), Vec::new()));
        };
        let dialect = self.solvers.target.dialect;
        let oracle = self.oracle();
        let mut trouble = None;
        let mut best = sent.text.clone();
        let needed = reduce::minimize(mutations, &mut |subset| {
            let Some(script) = batch.rebuild(case, subset) else { return false };
            let mut text = ask::text(batch.terms(), &script, &case.expected, dialect, Questions::AsExpected);
            if let (true, Ok(script)) = (sent.pushed, SentScript::read(&text, dialect)) {
                text = script.within_push(dialect);
            }
            match oracle.fresh(&text) {
                Ok((_, answer)) => {
                    let mut read = || SentScript::read(&text, dialect).ok();
                    let again = suspicions(&case.expected, &answer, &mut read);
                    let shows = again.iter().any(|s| s.class == class);
                    if shows {
                        best = text;
                    }
                    shows
                }
                Err(error) => {
                    trouble = Some(error);
                    false
                }
            }
        });
        if let Some(error) = trouble {
            return Err(error.into());
        }
        let words = replacements(batch.terms(), &needed);
        Ok((best, words))
    }

    /// Reduces a confirmed defect, tries it on the newest release, and writes it down. The texts are what was sent, and what
    /// is left of it without the mutations that are not needed.
    pub(super) fn report(
        &mut self,
        kind: &str,
        case: &TestCase,
        facts: &SeedFacts,
        [sent, text]: [&str; 2],
        mutations: Vec<Replacement>,
        confirmed: Confirmed,
    ) -> Result<(), RunError> {
        let target = &self.solvers.target;
        let small = if self.settings.reduce && confirmed.class.is_loud() {
            let releases: Vec<&Solver> = self.solvers.newest.iter().collect();
            let mut tell = |progress: &reduce::ReduceProgress| {
                let (tests, bytes) = (progress.tests, progress.bytes);
                self.tell(Event::Follow(FollowUp::Reducing { tests, bytes }));
            };
            tell(&reduce::ReduceProgress { bytes: text.len(), ..reduce::ReduceProgress::default() });
            shrink(&self.oracle(), text, &confirmed, &releases, 1, &mut tell)?
        } else {
            None
        };
        let (reduced, confirmed, tests) = match small {
            Some(small) => (small.text, small.confirmed, small.tests),
            None => (text.to_string(), confirmed, 0),
        };
        let Ok(mut script) = SentScript::read(&reduced, target.dialect) else { return Ok(()) };
        let mut confirmed = confirmed;
        if confirmed.class == Class::InvalidModel {
            // Where there is no model at all, the verdict is what is wrong.
            match self.oracle().truth(&mut script, confirmed.query, None, None)? {
                (Truth::NoModel, _) => {
                    confirmed.class = Class::WrongSat;
                    confirmed.evidence = Evidence::NoModel;
                }
                (Truth::Unsat { by }, said) if by.len() > 1 => {
                    confirmed.class = Class::WrongSat;
                    confirmed.referees = said;
                }
                _ => {}
            }
        }
        let newest = match &self.solvers.newest {
            Some(newest) if confirmed.class.is_loud() => {
                Some(on_release(&self.oracle(), newest, &reduced, &Defect::of(&confirmed))?)
            }
            _ => None,
        };
        let mut known = if self.settings.reduce && confirmed.class.is_loud() {
            diagnosis(&self.oracle(), &reduced, &confirmed)?
        } else {
            Vec::new()
        };
        let probe = target.probe.words();
        if reduced.contains('\\') && !probe.is_empty() {
            known.push(format!("Asked about its strings, the solver {probe}."));
        }
        let place = crash_place(&self.oracle(), &reduced, &confirmed.answer);
        if let Some(functions) = &place {
            known.push(format!("It dies in {}.", functions.join(", called by ")));
        }
        let finding = Finding {
            diagnosis: known,
            fingerprint: Fingerprint::of(&confirmed, &script, place.as_deref()),
            assertions: script.script().assertions().count(),
            confirmed,
            bug: sent.to_string(),
            reduced,
            origin: format!("soundline fuzz {}: {}", self.strategy.name(), case.origin.name()),
            seed: facts.text.clone(),
            mutations,
            solver: SolverInfo {
                name: target.name.clone(),
                version: target.version.clone(),
                command: target.command_line(),
            },
            newest,
            reduction_tests: tests,
        };
        if let Some(entry) = self.ledger.record(kind, &finding)? {
            self.tell(Event::Found(entry));
        }
        Ok(())
    }
}
