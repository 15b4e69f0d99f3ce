//! From something that looks wrong to a finding: confirmed, the mutations that do not matter undone, reduced, tried on the newest
//! release, written down.

use super::{SeedFacts, Worker, replacements};
use crate::ask::{self, Questions};
use crate::case::{Batch, Origin, TestCase};
use crate::evidence::{
    Certainty, Class, Confirmation, Confirmed, Defect, SentScript, Suspicion, confirm, crash_key, on_release,
    shrink, suspicions,
};
use crate::finding::{Finding, Fingerprint, Replacement, SolverInfo, operators};
use crate::reduce;
use crate::run::ledger::{Worth, kind};
use crate::run::{Event, RunError};
use crate::solver::answer::Answer;
use std::sync::atomic::Ordering;

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
        let Ok(script) = SentScript::read(text, self.solvers.target.dialect) else { return Ok(()) };
        let crash = if suspicion.class == Class::Crash { crash_key(answer) } else { None };
        let kind = kind(suspicion.class, &operators(script.terms(), script.script()), crash.as_deref());
        if self.ledger.weigh(&kind) == Worth::Counted {
            return Ok(());
        }
        let certainty = match case.origin {
            Origin::Built(_) => Certainty::Construction,
            Origin::Mutant { .. } => Certainty::Metamorphic,
            Origin::Seed(_) => Certainty::Claim,
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
        let Some(confirmed) = self.accept(outcome, suspicion, &sent.text)? else { return Ok(()) };
        let (small, mutations) = self.undo(batch, case, &sent, confirmed.class)?;
        self.report(&kind, case, facts, [&sent.text, &small], mutations, confirmed)
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
            shrink(&self.oracle(), text, &confirmed, 1, &mut |_| {})?
        } else {
            None
        };
        let (reduced, confirmed, tests) = match small {
            Some(small) => (small.text, small.confirmed, small.tests),
            None => (text.to_string(), confirmed, 0),
        };
        let Ok(script) = SentScript::read(&reduced, target.dialect) else { return Ok(()) };
        let newest = match &self.solvers.newest {
            Some(newest) if confirmed.class.is_loud() => {
                Some(on_release(&self.oracle(), newest, &reduced, &Defect::of(&confirmed))?)
            }
            _ => None,
        };
        let finding = Finding {
            fingerprint: Fingerprint::of(&confirmed, &script),
            assertions: script.script().assertions().count(),
            confirmed,
            bug: sent.to_string(),
            reduced,
            origin: match &case.origin {
                Origin::Built(recipe) => format!("soundline fuzz {}: {recipe}", self.strategy.name()),
                Origin::Seed(name) | Origin::Mutant { name, .. } => {
                    format!("soundline fuzz {}: {name}", self.strategy.name())
                }
            },
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
