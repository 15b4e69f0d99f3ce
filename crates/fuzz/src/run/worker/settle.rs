//! What is true of a seed: its verdicts, settled by whoever is trusted, and a model for each satisfiable query. Mutants are
//! judged by it.

use super::Worker;
use crate::ask::{self, Questions};
use crate::case::{Batch, Expectation, Origin, TestCase, Verdict};
use crate::evidence::{Class, ModelCheck, SentScript, Suspicion, heard};
use crate::run::{RunError, Trust};
use crate::solver::Run;
use crate::solver::answer::{self, Answer, Trouble};
use smt::Command;
use std::time::Duration;

/// What is known of the seed of the batch at hand.
#[derive(Debug, Default)]
pub(in crate::run) struct SeedFacts {
    /// As it was sent; `None` until it is settled.
    pub(super) text: Option<String>,
    pub(super) verdicts: Vec<Verdict>,
    /// A model that the evaluator accepted, for each query that has one.
    pub(super) witnesses: Vec<Option<String>>,
    pub(super) cpu: Duration,
    /// How many of the batch's tests have reached the run's limit.
    pub(super) timeouts: u32,
    /// How many of them in a row were refused, in a batch that comes of a seed; none once one was answered.
    pub(super) refused: u32,
    is_of_seed: bool,
    answered: bool,
}

impl SeedFacts {
    /// Takes note of whether the solver reads what comes of the seed.
    pub(super) fn listen(&mut self, case: &TestCase, answer: &Answer) {
        self.is_of_seed |= matches!(case.origin, Origin::Seed(_));
        let refused =
            matches!(answer.trouble, Some(Trouble::Unsupported(_) | Trouble::Parse(_) | Trouble::Error(_)));
        self.answered |= !refused;
        self.refused = if self.is_of_seed && !self.answered { self.refused + 1 } else { 0 };
    }
}

/// Whether a seed is asked for its model at once. Where a query may be unsatisfiable the question is an error, after which
/// some solvers end: nothing must follow it.
pub(super) fn wants_model(case: &TestCase) -> bool {
    case.script.commands.last().is_some_and(Command::is_query)
        && matches!(case.expected[..], [Expectation::Open | Expectation::Sat])
}

impl Worker<'_> {
    /// Settles a seed: its verdicts by whoever is trusted, and a witness for each satisfiable query.
    pub(super) fn settle(
        &mut self,
        batch: &mut dyn Batch,
        case: &TestCase,
        facts: &mut SeedFacts,
        text: String,
        run: &Run,
        answer: &Answer,
    ) -> Result<(), RunError> {
        let queries = case.expected.len();
        let mut verdicts: Vec<Verdict> = (0..queries)
            .map(|query| {
                let said = heard(answer).get(query).map_or(Verdict::Unknown, |reply| reply.verdict);
                case.expected[query].verdict().unwrap_or(said)
            })
            .collect();
        if self.settings.trust == Trust::References && case.expected.contains(&Expectation::Open) {
            verdicts = self.ask_references(batch, case)?;
        }
        facts.witnesses = vec![None; queries];
        if verdicts.contains(&Verdict::Sat) {
            self.find_witnesses(batch, case, facts, &text, answer)?;
        }
        if verdicts.contains(&Verdict::Unknown) {
            self.ledger.count(|c| c.seeds_undecided += 1);
        }
        batch.witness(&facts.witnesses);
        batch.settle(&verdicts);
        facts.cpu = run.cpu;
        facts.text = Some(text);
        facts.verdicts = verdicts;
        Ok(())
    }

    /// Evaluates the target's models of a seed. One that holds is a witness: it may show later that a mutant is satisfiable.
    fn find_witnesses(
        &mut self,
        batch: &mut dyn Batch,
        case: &TestCase,
        facts: &mut SeedFacts,
        text: &str,
        answer: &Answer,
    ) -> Result<(), RunError> {
        let dialect = self.solvers.target.dialect;
        let (asking, answer) = if wants_model(case) {
            (text.to_string(), answer.clone())
        } else {
            let asking = ask::text(batch.terms(), &case.script, &case.expected, dialect, Questions::Models);
            let (_, answer) = self.oracle().fresh(&asking)?;
            (asking, answer)
        };
        let Ok(mut script) = SentScript::read(&asking, dialect) else { return Ok(()) };
        for (query, reply) in heard(&answer).iter().enumerate().take(case.expected.len()) {
            let Some(model) = reply.model.as_ref().filter(|_| reply.verdict == Verdict::Sat) else {
                continue;
            };
            match script.check(query, model) {
                ModelCheck::Satisfies => facts.witnesses[query] = Some(model.clone()),
                ModelCheck::Violates { because, .. } => {
                    let suspicion = Suspicion { class: Class::InvalidModel, query, detail: because };
                    self.follow_up(batch, case, facts, &asking, &suspicion, &answer)?;
                }
                ModelCheck::Open(_) | ModelCheck::Unreadable(_) => {}
            }
        }
        Ok(())
    }

    /// The verdicts on which all references agree that decide; at least one must.
    fn ask_references(&self, batch: &dyn Batch, case: &TestCase) -> Result<Vec<Verdict>, RunError> {
        let mut agreed: Vec<Option<Verdict>> = vec![None; case.expected.len()];
        let mut contradicted = vec![false; case.expected.len()];
        for reference in &self.solvers.references {
            let text = ask::text(
                batch.terms(),
                &case.script,
                &case.expected,
                reference.dialect,
                Questions::Verdicts,
            );
            let answer = answer::read(&reference.run(&text, &self.settings.limits, self.ended)?);
            for (query, reply) in heard(&answer).iter().enumerate().take(agreed.len()) {
                if reply.verdict == Verdict::Unknown {
                    continue;
                }
                contradicted[query] |= agreed[query].is_some_and(|before| before != reply.verdict);
                agreed[query] = Some(reply.verdict);
            }
        }
        Ok(agreed
            .into_iter()
            .zip(contradicted)
            .map(|(verdict, contradicted)| verdict.filter(|_| !contradicted).unwrap_or(Verdict::Unknown))
            .collect())
    }
}
