//! From suspicion to finding: the text is sent again to a fresh process, models are evaluated, the referees are asked. What
//! does not survive this is counted and shown, never reported. Owns the rules of evidence for each class.

use crate::case::{Expectation, Verdict};
use crate::court::{Court, Testimony, Truth};
use crate::exhibit::{Exhibit, ModelCheck};
use crate::judge::{Class, OpenCore, Suspicion, crash, heard, judge};
use crate::solver::answer::Answer;
use crate::solver::{Run, SolverError};

/// How sure the maker of a test case is of what it expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// By construction: the script's truth does not depend on any solver.
    Construction,
    /// By the target's own answer to the seed: the two answers cannot both be right.
    Metamorphic,
    /// By what a file says of itself: worth a look, and worth nothing without further evidence.
    Claim,
}

/// Why a confirmed defect is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The evaluator found this model of a formula that the target calls unsatisfiable.
    Model {
        /// The model.
        text: String,
        /// Where it came from.
        by: String,
    },
    /// The evaluator refuted the target's own model.
    RefutedModel(String),
    /// These solvers contradict the target, and none agrees with it.
    Referees(Vec<String>),
    /// The formula's truth is known by construction.
    Construction,
    /// The target's answers to a seed and to its approximation contradict each other.
    Metamorphic,
    /// The process said or did this.
    Process(String),
}

/// A suspicion that held.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// What it is.
    pub class: Class,
    /// The query it is about, from 0.
    pub query: usize,
    /// What was seen, in words.
    pub detail: String,
    /// The strongest evidence.
    pub evidence: Evidence,
    /// The fresh run.
    pub run: Run,
    /// What it answered.
    pub answer: Answer,
    /// What the referees said.
    pub testimonies: Vec<Testimony>,
}

/// What became of a suspicion.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is a defect.
    Confirmed(Box<Confirmed>),
    /// A fresh process answers differently: the defect, if there is one, depends on what came before.
    NotReproduced,
    /// The evidence is against the test case: a defect of ours, or of the solver that settled the seed.
    Refuted(String),
    /// The referees agree with the target, or contradict each other, and no model settles it.
    Disputed,
}

/// Confirms a suspicion about a text as it was sent to the target.
pub fn confirm(
    court: &Court<'_>,
    text: &str,
    expected: &[Expectation],
    suspicion: &Suspicion,
    certainty: Certainty,
    witness: Option<&str>,
) -> Result<Outcome, SolverError> {
    let (run, answer) = court.fresh(text)?;
    let read = || Exhibit::read(text, court.target.dialect);
    let again = judge(expected, &answer, &mut || read().ok());
    let Some(seen) = again.suspicions.into_iter().find(|s| s.class == suspicion.class) else {
        return Ok(Outcome::NotReproduced);
    };
    let confirmed = |evidence, testimonies| {
        Outcome::Confirmed(Box::new(Confirmed {
            class: seen.class,
            query: seen.query,
            detail: seen.detail.clone(),
            evidence,
            run: run.clone(),
            answer: answer.clone(),
            testimonies,
        }))
    };
    let by_itself = |said| match certainty {
        Certainty::Construction => confirmed(Evidence::Construction, said),
        Certainty::Metamorphic => confirmed(Evidence::Metamorphic, said),
        Certainty::Claim => Outcome::Disputed,
    };
    Ok(match seen.class {
        Class::WrongUnsat => {
            let Ok(mut exhibit) = read() else { return Ok(Outcome::Disputed) };
            match court.truth(&mut exhibit, seen.query, witness, None)? {
                (Truth::Sat { model, by }, said) => confirmed(Evidence::Model { text: model, by }, said),
                (Truth::ProbablySat { by }, said) => confirmed(Evidence::Referees(by), said),
                (Truth::Unsettled, said) if nobody_agrees(&said, Verdict::Unsat) => by_itself(said),
                (Truth::Unsettled | Truth::Unsat { .. }, _) => Outcome::Disputed,
            }
        }
        Class::WrongSat => {
            let Ok(mut exhibit) = read() else { return Ok(Outcome::Disputed) };
            let own = own_model(court, &exhibit, seen.query)?;
            if let Some(ModelCheck::Satisfies) = own {
                return Ok(Outcome::Refuted("the target's model satisfies the formula".into()));
            }
            match (court.truth(&mut exhibit, seen.query, None, None)?, own) {
                ((Truth::Sat { by, .. }, _), _) => {
                    Outcome::Refuted(format!("{by} gives a model that satisfies the formula"))
                }
                ((Truth::Unsat { by }, said), _) => confirmed(Evidence::Referees(by), said),
                ((_, said), Some(ModelCheck::Violates { because, .. })) => {
                    confirmed(Evidence::RefutedModel(because), said)
                }
                ((Truth::Unsettled, said), _) if nobody_agrees(&said, Verdict::Sat) => by_itself(said),
                ((Truth::Unsettled | Truth::ProbablySat { .. }, _), _) => Outcome::Disputed,
            }
        }
        Class::InvalidModel => confirmed(Evidence::RefutedModel(seen.detail.clone()), Vec::new()),
        Class::Crash => confirmed(Evidence::Process(seen.detail.clone()), Vec::new()),
        Class::WrongCore
        | Class::ImpreciseCore
        | Class::Performance
        | Class::UnknownRegression
        | Class::Slowdown => confirmed(Evidence::Process(seen.detail.clone()), Vec::new()),
    })
}

fn nobody_agrees(said: &[Testimony], verdict: Verdict) -> bool {
    said.iter().all(|testimony| testimony.verdict != Some(verdict))
}

/// What evaluation says of the target's model of one query, asked for it alone.
fn own_model(court: &Court<'_>, exhibit: &Exhibit, query: usize) -> Result<Option<ModelCheck>, SolverError> {
    let text = exhibit.alone(query, court.target.dialect, None);
    let (_, answer) = court.fresh(&text)?;
    let Some(reply) = heard(&answer).first().filter(|reply| reply.verdict == Verdict::Sat) else {
        return Ok(None);
    };
    Ok(reply
        .model
        .as_ref()
        .and_then(|model| Some(Exhibit::read(&text, court.target.dialect).ok()?.check(0, model))))
}

/// Solves a core again. It is wrong only if the evaluator accepts a model of its assertions.
pub fn confirm_core(court: &Court<'_>, text: &str, core: &OpenCore) -> Result<Outcome, SolverError> {
    let (run, answer) = court.fresh(text)?;
    let again = heard(&answer).get(core.query).and_then(|reply| reply.core.clone());
    let (Some(names), Ok(mut exhibit)) = (again, Exhibit::read(text, court.target.dialect)) else {
        return Ok(Outcome::NotReproduced);
    };
    let (truth, testimonies) = court.truth(&mut exhibit, core.query, None, Some(&names))?;
    let (model, by) = match truth {
        Truth::Sat { model, by } => (model, by),
        Truth::Unsat { .. } | Truth::ProbablySat { .. } | Truth::Unsettled => {
            // The target itself may find the model that the referees do not.
            let alone = exhibit.alone(core.query, court.target.dialect, Some(&names));
            let (_, answer) = court.fresh(&alone)?;
            let own = heard(&answer).first().and_then(|reply| reply.model.clone());
            let (Some(model), Ok(mut alone)) = (own, Exhibit::read(&alone, court.target.dialect)) else {
                return Ok(Outcome::NotReproduced);
            };
            if alone.check(0, &model) != ModelCheck::Satisfies {
                return Ok(Outcome::NotReproduced);
            }
            (model, court.target.name.clone())
        }
    };
    Ok(Outcome::Confirmed(Box::new(Confirmed {
        class: Class::WrongCore,
        query: core.query,
        detail: format!("the core ({}) is satisfiable", names.join(" ")),
        evidence: Evidence::Model { text: model, by },
        run,
        answer,
        testimonies,
    })))
}

/// What two crashes have in common if they are the same: the message without what changes from run to run.
pub fn crash_key(answer: &Answer) -> Option<String> {
    let text = answer.trouble.as_ref().and_then(crash)?;
    Some(normalised(&text))
}

/// A message without folders, and without numbers but those that say where in the source it was.
fn normalised(text: &str) -> String {
    let mut key = String::new();
    let mut previous = "";
    for word in text.split_whitespace().take(40) {
        if !key.is_empty() {
            key.push(' ');
        }
        let name = word.rsplit('/').next().unwrap_or(word);
        let is_place =
            previous == "Line:" || [".cpp:", ".h:", ".c:", ".cc:"].iter().any(|p| name.contains(p));
        let mut in_number = false;
        for c in name.chars() {
            match c.is_ascii_digit() && !is_place {
                true if in_number => {}
                true => key.push('N'),
                false => key.push(c),
            }
            in_number = c.is_ascii_digit();
        }
        previous = word;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn messages_are_compared_without_what_changes() {
        let a = normalised("ASSERTION VIOLATION\nFile: ../src/smt/theory_str.cpp\nLine: 4873\nm_x != 17");
        let b = normalised("ASSERTION VIOLATION File: /build/z3/src/smt/theory_str.cpp Line: 4873 m_x != 2");
        assert_eq!(a, b);
        assert_eq!(a, "ASSERTION VIOLATION File: theory_str.cpp Line: 4873 m_x != N");
        assert_ne!(a, normalised("ASSERTION VIOLATION File: theory_str.cpp Line: 12 m_x != 17"));
    }
}
