//! Cases whose truth is open: whether what the target calls unsatisfiable has a model. A referee's model counts if the evaluator
//! accepts it, and a referee's word alone for nothing.

use super::{SeedFacts, Worker};
use crate::case::{Batch, Expectation, TestCase, Verdict};
use crate::evidence::{Class, ModelCheck, SentScript, Suspicion, heard};
use crate::run::RunError;
use crate::solver::Limits;
use crate::solver::answer::Answer;
use crate::tuning::run_worker_compare::{COMPARED, LIMIT};

impl Worker<'_> {
    /// Looks for a model of a share of the open cases that the target calls unsatisfiable; which share, the text decides.
    pub(super) fn compare(
        &mut self,
        batch: &mut dyn Batch,
        case: &TestCase,
        facts: &SeedFacts,
        text: &str,
        answer: &Answer,
    ) -> Result<(), RunError> {
        let is_unsat = matches!(heard(answer), [reply] if reply.verdict == Verdict::Unsat);
        if case.expected != [Expectation::Open] || !is_unsat || !text.len().is_multiple_of(COMPARED) {
            return Ok(());
        }
        let Some(referee) = self.solvers.referees.first() else { return Ok(()) };
        let Ok(script) = SentScript::read(text, self.solvers.target.dialect) else { return Ok(()) };
        let limits = Limits { cpu: self.settings.limits.cpu.min(LIMIT), ..self.settings.limits };
        let (alone, _, said) = self.oracle().ask(referee, &script, 0, None, &limits)?;
        let reply = heard(&said).first().filter(|reply| reply.verdict == Verdict::Sat);
        let Some(model) = reply.and_then(|reply| reply.model.as_ref()) else { return Ok(()) };
        let accepted = SentScript::read(&alone, referee.dialect)
            .is_ok_and(|mut alone| alone.check(0, model) == ModelCheck::Satisfies);
        if accepted {
            let known = TestCase { expected: vec![Expectation::Sat], ..case.clone() };
            let detail = "unsat, though the formula is satisfiable".to_string();
            let suspicion = Suspicion { class: Class::WrongUnsat, query: 0, detail };
            self.follow_up(batch, &known, facts, text, &suspicion, answer)?;
        }
        Ok(())
    }
}
