//! Observations: what is no defect and still worth a look, because a mutant costs its solver far more than the seed did.

use super::{SeedFacts, Worker, replacements};
use crate::case::{Batch, Origin, TestCase, Verdict};
use crate::evidence::{Class, Confirmed, Evidence, SentScript, heard};
use crate::finding::operators;
use crate::run::RunError;
use crate::run::ledger::{Worth, kind};
use crate::solver::Run;
use crate::solver::answer::{Answer, Trouble};
use crate::tuning::run_worker_observe::{SLOW, SLOWER};

impl Worker<'_> {
    /// The quieter classes: a mutant that its solver does not decide, or takes far longer for, though it decided the seed.
    pub(super) fn observe(
        &mut self,
        batch: &mut dyn Batch,
        case: &TestCase,
        facts: &SeedFacts,
        text: &str,
        run: Run,
        answer: Answer,
    ) -> Result<(), RunError> {
        let undecided = heard(&answer).iter().position(|reply| reply.verdict == Verdict::Unknown);
        let timed_out = answer.trouble == Some(Trouble::Timeout);
        let slow = run.cpu > SLOW && run.cpu > facts.cpu * SLOWER;
        let (class, query, detail) = match undecided {
            Some(query) => {
                (Class::UnknownRegression, query, "unknown, though the seed is decided".to_string())
            }
            None if slow || (timed_out && facts.cpu * SLOWER < self.settings.limits.cpu) => {
                let (before, now) = (facts.cpu.as_secs_f64(), run.cpu.as_secs_f64());
                (Class::Slowdown, 0, format!("{now:.2} s of CPU where the seed takes {before:.3} s"))
            }
            None => return Ok(()),
        };
        let Ok(script) = SentScript::read(text, self.solvers.target.dialect) else { return Ok(()) };
        let kind = kind(class, &operators(script.terms(), script.script()), None);
        if self.ledger.weigh(&kind) == Worth::Counted {
            return Ok(());
        }
        let Origin::Mutant { mutations, .. } = &case.origin else { return Ok(()) };
        let words = replacements(batch.terms(), mutations);
        let confirmed = Confirmed {
            class,
            query,
            detail: detail.clone(),
            evidence: Evidence::Process(detail),
            run,
            answer,
            referees: Vec::new(),
        };
        self.report(&kind, case, facts, [text, text], words, confirmed)
    }
}
