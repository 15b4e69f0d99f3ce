//! `check-sat` and `check-sat-assuming`: from the assertions in force to a verdict that the evaluator agrees with.

use super::{Response, Session};
use crate::defaults::complete;
use crate::engine::{Budget, Engine, NoPartials, Partials, Query, Reason, Verdict, now};
use crate::engines::{self, JointSettings};
use crate::prepare::Prepared;
use crate::record::{Record, Recorder};
use crate::verify::satisfies;
use smt::{Model, Reader, TermId};
use std::time::{Duration, Instant};

/// What a check found.
#[derive(Clone, Debug)]
pub struct Check {
    /// Counts from one.
    pub number: usize,
    /// `sat`, `unsat` or `unknown` with its reason.
    pub answer: Answer,
    /// The answer that the text promised with `(set-info :status ...)`, if it did.
    pub expected: Option<String>,
    /// The model as SMT-LIB prints it, if the answer is `sat` and models are kept.
    pub model: Option<String>,
    /// How long it took.
    pub time: Duration,
    /// Which engine answered.
    pub engine: &'static str,
    /// What the engines counted during this check, in a fixed order.
    pub counters: Vec<(&'static str, u64)>,
    /// How many conjuncts the query had.
    pub conjuncts: usize,
    /// The partial solutions, if they are recorded.
    pub records: Vec<Record>,
}

/// The answer to a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Neither was found.
    Unknown(Reason),
}

impl Answer {
    /// The answer as SMT-LIB prints it.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        }
    }
}

/// What the last check left for the commands that ask about it.
#[derive(Clone, Debug)]
pub(super) enum Last {
    /// There was none, or the assertions changed since.
    None,
    Sat(Model),
    Unsat {
        /// Positions of assertions.
        core: Vec<usize>,
        /// Assumptions of the core.
        assumptions: Vec<TermId>,
    },
    Unknown(Reason),
}

impl Session {
    /// Solves all queries of several texts together, if the engine can: they are answered from that when the texts are
    /// submitted, each after [`Session::restart`]. The time limit counts for each query. Returns how many queries there
    /// were; `None` if the engine solves one after the other anyway.
    pub fn solve_together(&mut self, texts: &[&str]) -> Option<usize> {
        let row = engines::row(&self.settings.engine)?;
        let together = row.together?;
        let mut queries: Vec<Query> = Vec::new();
        for text in texts {
            let script = Reader::new().read(&mut self.terms, text).script;
            for assertions in script.queries() {
                let query = self.preparation.prepare(&mut self.terms, &assertions).query;
                if !queries.contains(&query) {
                    queries.push(query);
                }
            }
        }
        let count = u32::try_from(queries.len()).unwrap_or(u32::MAX);
        let mut budget = self.budget(count);
        self.terms.set_token(smt::Token::new(budget.stop_flag(), budget.deadline()));
        let mut recorder = Recorder::default();
        let partials: &mut dyn Partials = if self.settings.record { &mut recorder } else { &mut NoPartials };
        let setup = JointSettings { seed: self.settings.seed, each: self.settings.each_limit };
        let joint = together(setup, &self.terms, &queries, &mut budget, partials);
        self.delivered += recorder.delivered();
        self.engine.learn(row.name, queries, joint, recorder.into_partials());
        Some(count as usize)
    }

    /// The budget of so many checks.
    fn budget(&self, checks: u32) -> Budget {
        let limits = [self.settings.time_limit, self.settings.each_limit, self.options.time_limit()];
        let limit = limits.into_iter().flatten().min().map(|limit| limit.saturating_mul(checks));
        let mut budget =
            limit.map_or_else(Budget::unlimited, Budget::seconds).with_stop(self.settings.stop.clone());
        budget.memory = self.settings.memory;
        match self.options.resource_limit() {
            Some(ticks) => budget.slice(ticks.saturating_mul(u64::from(checks))),
            None => budget,
        }
    }

    pub(super) fn check(&mut self, assumptions: &[TermId]) -> Response {
        if let Some(&wrong) = assumptions.iter().find(|&&t| self.terms.sort(t) != smt::SortId::BOOL) {
            return Response::Error(format!(
                "an assumption must be Boolean: {}",
                smt::print::term_to_string(&self.terms, wrong)
            ));
        }
        let start = now();
        self.checks += 1;
        self.started = true;
        let before = self.engine.counters();
        let mut budget = self.budget(1);
        self.terms.set_token(smt::Token::new(budget.stop_flag(), budget.deadline()));
        let all: Vec<TermId> =
            self.assertions.iter().map(|a| a.term).chain(assumptions.iter().copied()).collect();
        let prepared = self.preparation.prepare(&mut self.terms, &all);
        // What was prepared in part is another query.
        let unprepared = if self.doubt.is_some() {
            Some(Reason::Rejected)
        } else if self.preparation.is_whole(&self.terms, &prepared) {
            None
        } else {
            Some(budget.exhausted().unwrap_or(Reason::Memory))
        };
        if let Some(reason) = unprepared {
            self.last = Last::Unknown(reason);
            return Response::Check(Box::new(Check {
                number: self.checks,
                answer: Answer::Unknown(reason),
                expected: self.infos.get(":status").cloned(),
                model: None,
                time: elapsed(start),
                engine: "none",
                counters: Vec::new(),
                conjuncts: prepared.query.assertions.len(),
                records: Vec::new(),
            }));
        }
        let mut recorder = Recorder::default();
        let partials: &mut dyn Partials = if self.settings.record { &mut recorder } else { &mut NoPartials };
        let verdict = self.engine.solve(&mut self.terms, &prepared.query, &mut budget, partials);
        self.delivered += recorder.delivered();
        let verdict = match verdict {
            Verdict::Unknown(Reason::Time)
                if self.options.resource_limit().is_some() && budget.ticks_left() == 0 =>
            {
                Verdict::Unknown(Reason::Resources)
            }
            other => other,
        };
        self.last = self.judge(verdict, &prepared, assumptions);
        let time = elapsed(start);
        let answer = match &self.last {
            Last::Sat(_) => Answer::Sat,
            Last::Unsat { .. } => Answer::Unsat,
            Last::Unknown(reason) => Answer::Unknown(*reason),
            Last::None => unreachable!("a check leaves an answer"),
        };
        let model = match &self.last {
            Last::Sat(_) if self.settings.keep_models || self.settings.print_models => {
                Some(self.model_text())
            }
            _ => None,
        };
        Response::Check(Box::new(Check {
            number: self.checks,
            answer,
            expected: self.infos.get(":status").cloned(),
            model,
            time,
            engine: self.engine.answered_by(),
            counters: difference(&before, &self.engine.counters()),
            conjuncts: prepared.query.assertions.len(),
            records: recorder.into_records(&mut self.terms, &prepared.query.assertions),
        }))
    }

    /// A model that the evaluator does not accept is no answer, whoever it comes from.
    fn judge(&mut self, verdict: Verdict, prepared: &Prepared, assumptions: &[TermId]) -> Last {
        match verdict {
            Verdict::Sat(mut model) => {
                complete(&mut self.terms, &mut model, &self.declared);
                // The planted bug must be seen from outside, not caught here.
                if cfg!(feature = "planted-bug") || satisfies(&self.terms, &model, &prepared.query.assertions)
                {
                    return Last::Sat(model);
                }
                self.rejected += 1;
                Last::Unknown(Reason::Incomplete)
            }
            Verdict::Unsat(core) => {
                let (mut asserted, mut assumed) = (Vec::new(), Vec::new());
                for position in prepared.assertions_of(&core) {
                    match position.checked_sub(self.assertions.len()) {
                        None => asserted.push(position),
                        Some(i) => assumed.push(assumptions[i]),
                    }
                }
                Last::Unsat { core: asserted, assumptions: assumed }
            }
            Verdict::Unknown(reason) => Last::Unknown(reason),
        }
    }
}

/// The time since a moment; none without a clock.
fn elapsed(start: Option<Instant>) -> Duration {
    start.map_or(Duration::ZERO, |start| start.elapsed())
}

/// What each counter grew by; counters of the same name are one.
fn difference(before: &[(&'static str, u64)], after: &[(&'static str, u64)]) -> Vec<(&'static str, u64)> {
    let sum = |list: &[(&'static str, u64)], name: &str| {
        list.iter().filter(|(n, _)| *n == name).fold(0u64, |s, (_, c)| s.saturating_add(*c))
    };
    let mut grown: Vec<(&'static str, u64)> = Vec::new();
    for (name, _) in after {
        if !grown.iter().any(|(n, _)| n == name) {
            grown.push((name, sum(after, name).saturating_sub(sum(before, name))));
        }
    }
    grown
}
