//! The rules of evidence: what makes a defect of a suspicion. The text is sent again to a fresh process, models are evaluated, the
//! referees are asked. What does not survive this is counted and shown, never reported. Each class has its rule.

use super::class::{Class, Shows};
use super::oracle::{Oracle, RefereeAnswer, Truth};
use super::sent::{ModelCheck, SentScript};
use super::signs::{Suspicion, heard, suspicions};
use crate::case::{Expectation, Verdict};
use crate::solver::answer::{Answer, Reply, Trouble};
use crate::solver::{Limits, Run, SolverError};
use crate::tuning::evidence_confirm::FASTER;

/// How sure the maker of a test case is of what it expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Certainty {
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
    /// All values of the constants were tried, and evaluation finds an assertion false under each.
    NoModel,
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
    pub referees: Vec<RefereeAnswer>,
}

/// What became of a suspicion.
#[derive(Clone, Debug)]
pub(crate) enum Confirmation {
    /// It is a defect.
    Confirmed(Box<Confirmed>),
    /// A fresh process answers differently: the defect, if there is one, depends on what came before.
    NotReproduced,
    /// The evidence is against the test case: a defect of ours, or of the solver that settled the seed.
    Refuted(String),
    /// The referees agree with the target, or contradict each other, and no model settles it.
    Disputed,
    /// What looked odd is right: for example a core that is another one than expected, and unsatisfiable.
    Cleared,
}

/// What a rule makes of a case.
pub(super) enum Ruling {
    /// It is a defect, by this evidence.
    Holds(Evidence),
    /// See [`Confirmation::Refuted`].
    Refuted(String),
    /// See [`Confirmation::Disputed`].
    Disputed,
    /// See [`Confirmation::Cleared`].
    Cleared,
}

/// A suspicion about the fresh run of a script, as a rule sees it.
pub(super) struct Case<'a> {
    pub(super) oracle: &'a Oracle<'a>,
    pub(super) script: &'a mut SentScript,
    pub(super) run: &'a Run,
    pub(super) answer: &'a Answer,
    /// How sure the maker of the script is of what it expects; `None` under reduction.
    pub(super) certainty: Option<Certainty>,
    /// A model that may fit: if it does, no referee is asked.
    pub(super) witness: Option<&'a str>,
    /// What was seen in the fresh run. A rule may word it better.
    pub(super) seen: Suspicion,
    /// What the referees said, once a rule has asked them.
    pub(super) referees: Vec<RefereeAnswer>,
}

impl Case<'_> {
    /// The reply that looks wrong.
    fn reply(&self) -> Option<&Reply> {
        heard(self.answer).get(self.seen.query)
    }

    /// What evaluator and referees say of the query, or of the assertions of these names alone.
    fn truth(&mut self, only: Option<&[String]>) -> Result<Truth, SolverError> {
        let (truth, referees) = self.oracle.truth(self.script, self.seen.query, self.witness, only)?;
        self.referees = referees;
        Ok(truth)
    }

    /// The ruling where no referee decides: the maker of the test may know enough, unless a referee agrees with the
    /// target.
    fn by_certainty(&self, verdict: Verdict) -> Ruling {
        if self.referees.iter().any(|said| said.verdict == Some(verdict)) {
            return Ruling::Disputed;
        }
        match self.certainty {
            Some(Certainty::Construction) => Ruling::Holds(Evidence::Construction),
            Some(Certainty::Metamorphic) => Ruling::Holds(Evidence::Metamorphic),
            Some(Certainty::Claim) | None => Ruling::Disputed,
        }
    }

    /// What evaluation says of the target's model: of the one in its reply, else of one that it is asked for. A reduction does
    /// not ask: it tries thousands of scripts.
    fn own_model(&mut self) -> Result<Option<ModelCheck>, SolverError> {
        if let Some(model) = self.reply().and_then(|reply| reply.model.clone()) {
            return Ok(Some(self.script.check(self.seen.query, &model)));
        }
        if self.certainty.is_none() {
            return Ok(None);
        }
        Ok(self.model_of(None)?.map(|(check, _)| check))
    }

    /// The target's model of the query alone, or of the assertions of these names alone, with its evaluation.
    fn model_of(&self, only: Option<&[String]>) -> Result<Option<(ModelCheck, String)>, SolverError> {
        let dialect = self.oracle.target.dialect;
        let text = self.script.alone(self.seen.query, dialect, only);
        let (_, answer) = self.oracle.fresh(&text)?;
        let model = heard(&answer).first().filter(|reply| reply.verdict == Verdict::Sat);
        let model = model.and_then(|reply| reply.model.clone());
        Ok(model.and_then(|model| Some((SentScript::read(&text, dialect).ok()?.check(0, &model), model))))
    }
}

/// The formula has a model.
pub(super) fn wrong_unsat(case: &mut Case<'_>) -> Result<Ruling, SolverError> {
    Ok(match case.truth(None)? {
        Truth::Sat { model, by } => Ruling::Holds(Evidence::Model { text: model, by }),
        // Of a claim only a model that the evaluator accepts is evidence: referees without one are votes.
        Truth::ProbablySat { .. } if case.certainty == Some(Certainty::Claim) => Ruling::Disputed,
        Truth::ProbablySat { by } => Ruling::Holds(Evidence::Referees(by)),
        Truth::Unsettled => case.by_certainty(Verdict::Unsat),
        Truth::NoModel => Ruling::Refuted("no values of its constants satisfy the formula".into()),
        Truth::Unsat { .. } => Ruling::Disputed,
    })
}

/// The formula has no model, or the target's own is none.
pub(super) fn wrong_sat(case: &mut Case<'_>) -> Result<Ruling, SolverError> {
    let own = case.own_model()?;
    if own == Some(ModelCheck::Satisfies) {
        return Ok(Ruling::Refuted("the target's model satisfies the formula".into()));
    }
    // A witness would be one of a satisfiable formula.
    case.witness = None;
    Ok(match (case.truth(None)?, own) {
        (Truth::Sat { by, .. }, _) => {
            Ruling::Refuted(format!("{by} gives a model that satisfies the formula"))
        }
        (Truth::NoModel, _) => Ruling::Holds(Evidence::NoModel),
        (Truth::Unsat { by }, None | Some(ModelCheck::Open(_) | ModelCheck::Unreadable(_)))
            if case.certainty == Some(Certainty::Claim) && by.len() < 2 =>
        {
            Ruling::Disputed
        }
        (Truth::Unsat { by }, _) => Ruling::Holds(Evidence::Referees(by)),
        (_, Some(ModelCheck::Violates { because, .. })) => Ruling::Holds(Evidence::RefutedModel(because)),
        (Truth::Unsettled, _) => case.by_certainty(Verdict::Sat),
        (Truth::ProbablySat { .. }, _) => Ruling::Disputed,
    })
}

/// Evaluation has refuted the model already.
pub(super) fn invalid_model(case: &mut Case<'_>) -> Result<Ruling, SolverError> {
    let model = case.reply().and_then(|reply| reply.model.clone());
    let check = model.map(|model| case.script.check(case.seen.query, &model));
    Ok(match check {
        Some(ModelCheck::Violates { because, .. }) => Ruling::Holds(Evidence::RefutedModel(because)),
        _ => Ruling::Cleared,
    })
}

/// The assertions of the core have a model that the evaluator accepts.
pub(super) fn wrong_core(case: &mut Case<'_>) -> Result<Ruling, SolverError> {
    let Some(names) = case.reply().and_then(|reply| reply.core.clone()) else { return Ok(Ruling::Cleared) };
    case.seen.detail = format!("the core ({}) is satisfiable", names.join(" "));
    let found = match case.truth(Some(&names))? {
        Truth::Sat { model, by } => Some((model, by)),
        // The target itself may find the model that the referees do not. A reduction does not ask.
        _ if case.certainty.is_some() => match case.model_of(Some(&names))? {
            Some((ModelCheck::Satisfies, model)) => Some((model, case.oracle.target.name.clone())),
            _ => None,
        },
        _ => None,
    };
    Ok(found.map_or(Ruling::Cleared, |(text, by)| Ruling::Holds(Evidence::Model { text, by })))
}

/// That it was seen again is the evidence.
pub(super) fn as_seen(case: &mut Case<'_>) -> Result<Ruling, SolverError> {
    Ok(Ruling::Holds(Evidence::Process(case.seen.detail.clone())))
}

/// A referee decides the last query quickly.
pub(super) fn slow(case: &mut Case<'_>) -> Result<Ruling, SolverError> {
    let (oracle, queries) = (case.oracle, case.script.queries());
    if queries == 0 {
        return Ok(Ruling::Cleared);
    }
    let limits = Limits { cpu: oracle.limits.cpu / FASTER, ..oracle.limits };
    for referee in oracle.referees {
        let (_, run, answer) = oracle.ask(referee, case.script, queries - 1, None, &limits)?;
        if heard(&answer).first().is_some_and(|reply| reply.verdict != Verdict::Unknown) {
            let (limit, cpu) = (oracle.limits.cpu.as_secs_f64(), run.cpu.as_secs_f64());
            case.seen.detail =
                format!("no answer in {limit:.1} s of CPU time, where {} takes {cpu:.2} s", referee.name);
            return as_seen(case);
        }
    }
    Ok(Ruling::Cleared)
}

/// Confirms a suspicion about a text as it was sent to the target.
pub(crate) fn confirm(
    oracle: &Oracle<'_>,
    text: &str,
    expected: &[Expectation],
    suspicion: &Suspicion,
    certainty: Certainty,
    witness: Option<&str>,
) -> Result<Confirmation, SolverError> {
    let (run, answer) = oracle.fresh(text)?;
    let Ok(mut script) = SentScript::read(text, oracle.target.dialect) else {
        return Ok(Confirmation::Disputed);
    };
    let again = suspicions(expected, &answer, &mut || SentScript::read(text, oracle.target.dialect).ok());
    let Some(seen) = again.into_iter().find(|s| s.class == suspicion.class) else {
        // A core that is as expected this time is nothing to wonder about.
        return Ok(match suspicion.class {
            Class::WrongCore => Confirmation::Cleared,
            _ => Confirmation::NotReproduced,
        });
    };
    let case = Case {
        oracle,
        script: &mut script,
        run: &run,
        answer: &answer,
        certainty: Some(certainty),
        witness,
        seen,
        referees: Vec::new(),
    };
    settle(case)
}

/// Confirms that a text, of which nothing is known, shows a class of defect; in which query, and by which evidence.
pub(super) fn confirm_class(
    oracle: &Oracle<'_>,
    text: &str,
    class: Class,
    witness: Option<&str>,
) -> Result<Option<Confirmed>, SolverError> {
    let (run, answer) = oracle.fresh(text)?;
    let Ok(mut script) = SentScript::read(text, oracle.target.dialect) else { return Ok(None) };
    let row = class.row();
    for seen in signs_of(class, &answer, &mut script) {
        let case = Case {
            oracle,
            script: &mut script,
            run: &run,
            answer: &answer,
            certainty: None,
            witness,
            seen,
            referees: Vec::new(),
        };
        if let Confirmation::Confirmed(confirmed) = settle(case)?
            && (row.keeps)(&confirmed.evidence)
        {
            return Ok(Some(*confirmed));
        }
    }
    Ok(None)
}

/// Where an answer may show a class, if nothing is known of the script.
fn signs_of(class: Class, answer: &Answer, script: &mut SentScript) -> Vec<Suspicion> {
    let last = answer.replies.len().min(script.queries().saturating_sub(1));
    match class.row().shows {
        Shows::Reply(shows) => super::signs::in_replies(class, shows, answer, script),
        Shows::Trouble(shows) => {
            let detail = answer.trouble.as_ref().and_then(shows);
            detail.map(|detail| Suspicion { class, query: last, detail }).into_iter().collect()
        }
        Shows::Timeout if answer.trouble == Some(Trouble::Timeout) => {
            vec![Suspicion { class, query: 0, detail: "no answer in time".into() }]
        }
        Shows::Timeout | Shows::Comparison => Vec::new(),
    }
}

/// Applies the rule of the class.
fn settle(mut case: Case<'_>) -> Result<Confirmation, SolverError> {
    let class = case.seen.class;
    Ok(match (class.row().rule)(&mut case)? {
        Ruling::Holds(evidence) => Confirmation::Confirmed(Box::new(Confirmed {
            class,
            query: case.seen.query,
            detail: case.seen.detail,
            evidence,
            run: case.run.clone(),
            answer: case.answer.clone(),
            referees: case.referees,
        })),
        Ruling::Refuted(reason) => Confirmation::Refuted(reason),
        Ruling::Disputed => Confirmation::Disputed,
        Ruling::Cleared => Confirmation::Cleared,
    })
}
