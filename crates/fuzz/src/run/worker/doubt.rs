//! Cores of which nothing is known beforehand: the solver is asked for a model of what its core names, and one that the evaluator
//! accepts makes the core suspect. A core that the solver itself refutes again, or says nothing of, is left alone.

use super::Worker;
use crate::case::{Expectation, TestCase, Verdict};
use crate::evidence::{Class, ModelCheck, SentScript, Suspicion, heard};
use crate::run::RunError;
use crate::solver::Limits;
use crate::solver::answer::{self, Answer};
use std::time::Duration;

impl Worker<'_> {
    /// Keeps those of the suspicions of cores that have a model.
    pub(super) fn doubt(
        &self,
        case: &TestCase,
        text: &str,
        answer: &Answer,
        limit: Duration,
        found: &mut Vec<Suspicion>,
    ) -> Result<(), RunError> {
        let unknown = |suspicion: &Suspicion| {
            let known = case.expected.get(suspicion.query);
            suspicion.class == Class::WrongCore
                && !matches!(known, Some(Expectation::Unsat { core: Some(_) }))
        };
        let mut cleared = Vec::new();
        for (place, suspicion) in found.iter().enumerate().filter(|(_, suspicion)| unknown(suspicion)) {
            let core = answer.replies[suspicion.query].core.as_deref().unwrap_or_default();
            if !self.has_model(text, suspicion.query, core, limit)? {
                cleared.push(place);
            }
        }
        for place in cleared.into_iter().rev() {
            found.remove(place);
        }
        Ok(())
    }

    fn has_model(
        &self,
        text: &str,
        query: usize,
        core: &[String],
        limit: Duration,
    ) -> Result<bool, RunError> {
        let dialect = self.solvers.target.dialect;
        let Ok(script) = SentScript::read(text, dialect) else { return Ok(false) };
        if !script.leaves_out(query, core) {
            return Ok(false);
        }
        let alone = script.alone(query, dialect, Some(core));
        // In a process of its own: a session's transcript ends with the test.
        let limits = Limits { cpu: limit, ..self.settings.limits };
        let run = self.solvers.target.run(&alone, &limits, self.ended)?;
        self.ledger.count(|c| c.solver_micros += run.cpu.as_micros() as u64);
        let said = answer::read(&run);
        let reply = heard(&said).first().filter(|reply| reply.verdict == Verdict::Sat);
        let Some(model) = reply.and_then(|reply| reply.model.as_ref()) else { return Ok(false) };
        Ok(SentScript::read(&alone, dialect)
            .is_ok_and(|mut alone| alone.check(0, model) == ModelCheck::Satisfies))
    }
}
