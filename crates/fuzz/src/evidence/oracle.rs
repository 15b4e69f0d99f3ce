//! The oracle: who may be asked about a script besides its maker (the solver under test in a fresh process, other solvers as
//! referees, and above them the evaluator), and how what they say is weighed into a [`Truth`]. It reports nothing.

use super::sent::{ModelCheck, SentScript};
use super::signs::heard;
use crate::case::Verdict;
use crate::solver::answer::{self, Answer, Trouble};
use crate::solver::{Limits, Run, Solver, SolverError};
use std::sync::atomic::AtomicBool;

/// The solvers at hand and how long they may take.
#[derive(Debug)]
pub struct Oracle<'a> {
    /// The solver under test.
    pub target: &'a Solver,
    /// Who is asked for the truth: the user's references, or the other solvers that are installed.
    pub referees: &'a [Solver],
    /// What one run may cost.
    pub limits: Limits,
    /// Set when the run is to end.
    pub stop: &'a AtomicBool,
}

/// Who gave a model that no solver gave: the test was made with it, or its seed was answered with it.
pub(crate) const WITNESS: &str = "the witness";

/// Who gave a model that was found by trying all values.
pub(crate) const TRIED: &str = "trying all values";

/// What is known about a query after all were asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Truth {
    /// The evaluator accepted a model of it.
    Sat {
        /// The model's text.
        model: String,
        /// Who gave it.
        by: String,
    },
    /// All values of its constants were tried, and each makes an assertion false.
    NoModel,
    /// These referees say `unsat`, and none says `sat`.
    Unsat {
        /// The referees that say so.
        by: Vec<String>,
    },
    /// The referees say `sat`, none says `unsat`, and their models have open values.
    ProbablySat {
        /// The referees that say so.
        by: Vec<String>,
    },
    /// No referee decides, or they contradict each other without a model that settles it.
    Unsettled,
}

/// What one referee said, for the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefereeAnswer {
    /// The referee.
    pub solver: String,
    /// The release that was asked.
    pub version: String,
    /// Its verdict; `None` if it gave none.
    pub verdict: Option<Verdict>,
    /// The model's evaluation, where it gave a model.
    pub model: Option<ModelCheck>,
}

impl Oracle<'_> {
    /// Runs the target in a fresh process.
    pub(crate) fn fresh(&self, text: &str) -> Result<(Run, Answer), SolverError> {
        let run = self.target.run(text, &self.limits, self.stop)?;
        let answer = answer::read(&run);
        Ok((run, answer))
    }

    /// Asks a referee about one query: in the script's logic, and in `ALL` if it refuses that.
    pub(crate) fn ask(
        &self,
        referee: &Solver,
        script: &SentScript,
        query: usize,
        only: Option<&[String]>,
        limits: &Limits,
    ) -> Result<(String, Run, Answer), SolverError> {
        let mut text = script.alone(query, referee.dialect, only);
        let mut run = referee.run(&text, limits, self.stop)?;
        let mut answer = answer::read(&run);
        if matches!(answer.trouble, Some(Trouble::Unsupported(_) | Trouble::Parse(_))) {
            text = script.alone_in_all(query, referee.dialect, only);
            run = referee.run(&text, limits, self.stop)?;
            answer = answer::read(&run);
        }
        Ok((text, run, answer))
    }

    /// The truth of one query. A `witness` (a model's text that may fit) is tried before anyone is asked, and then all values of
    /// its constants where these are few. With `only`, of the named assertions alone.
    pub fn truth(
        &self,
        script: &mut SentScript,
        query: usize,
        witness: Option<&str>,
        only: Option<&[String]>,
    ) -> Result<(Truth, Vec<RefereeAnswer>), SolverError> {
        if let (Some(witness), None) = (witness, only)
            && script.check(query, witness) == ModelCheck::Satisfies
        {
            return Ok((Truth::Sat { model: witness.into(), by: WITNESS.into() }, Vec::new()));
        }
        match script.tried(query, only) {
            Some(Some(model)) => {
                let model = model.to_smtlib(script.terms());
                return Ok((Truth::Sat { model, by: TRIED.into() }, Vec::new()));
            }
            Some(None) => return Ok((Truth::NoModel, Vec::new())),
            None => {}
        }
        let mut said = Vec::new();
        let (mut says_sat, mut says_unsat) = (Vec::new(), Vec::new());
        for referee in self.referees {
            let (text, _, answer) = self.ask(referee, script, query, only, &self.limits)?;
            let reply = heard(&answer).first();
            let verdict = reply.map(|reply| reply.verdict);
            let checked = match reply {
                Some(reply) if reply.verdict == Verdict::Sat => reply.model.as_ref().and_then(|model| {
                    let mut alone = SentScript::read(&text, referee.dialect).ok()?;
                    Some((alone.check(0, model), model.clone()))
                }),
                _ => None,
            };
            said.push(RefereeAnswer {
                solver: referee.name.clone(),
                version: referee.version.clone(),
                verdict,
                model: checked.as_ref().map(|(check, _)| check.clone()),
            });
            match (verdict, checked) {
                (Some(Verdict::Sat), Some((ModelCheck::Satisfies, model))) => {
                    return Ok((Truth::Sat { model, by: referee.name.clone() }, said));
                }
                // A referee whose model is wrong has lost its say.
                (Some(Verdict::Sat), Some((ModelCheck::Violates { .. }, _))) => {}
                (Some(Verdict::Sat), _) => says_sat.push(referee.name.clone()),
                (Some(Verdict::Unsat), _) => says_unsat.push(referee.name.clone()),
                (Some(Verdict::Unknown) | None, _) => {}
            }
        }
        let truth = match (says_sat.is_empty(), says_unsat.is_empty()) {
            (true, false) => Truth::Unsat { by: says_unsat },
            (false, true) => Truth::ProbablySat { by: says_sat },
            _ => Truth::Unsettled,
        };
        Ok((truth, said))
    }
}
