//! A batch of another strategy, each case in a context and with a setting; and what the solver's answers tell the bandit.

use super::bandit::{Bandit, Pull};
use crate::case::{Batch, Expectation, Mutation, Origin, TestCase, Verdict};
use crate::context::{Context, Problem, Scope, after_other, is_certain};
use crate::evidence::Suspicion;
use crate::options::Setting;
use crate::solver::Run;
use crate::solver::answer::Answer;
use random::Rng;
use smt::print::Style;
use smt::{Command, Script, Terms};
use std::collections::BTreeSet;
use std::sync::Mutex;

/// One in so many formulas is changed before it is asked in a context.
const SHAPED: usize = 3;
/// One in so many that are asked plainly comes after the one before it.
const LATER: usize = 3;
/// Every so many tests statistics are asked for.
const STATISTICS: usize = 8;

/// A batch in a context, with a setting.
pub(super) struct Framed<'a> {
    pub(super) inner: Box<dyn Batch + 'a>,
    /// Who chose it and wants to know what came of it.
    pub(super) report: Option<(&'a Mutex<Bandit>, Pull)>,
    pub(super) context: &'static Context,
    /// What may change the formula before the context does.
    pub(super) shapes: Vec<&'static Context>,
    /// The case before, and whether its truth is known by construction.
    pub(super) earlier: Option<(Problem, bool)>,
    pub(super) setting: Setting,
    pub(super) rng: Rng,
    /// Whether statistics are asked for now and then.
    pub(super) statistics: bool,
    pub(super) given: usize,
    /// What the solver did, as numbers that tell behaviours apart.
    pub(super) seen: BTreeSet<u64>,
}

impl Batch for Framed<'_> {
    fn terms(&self) -> &Terms {
        self.inner.terms()
    }

    fn terms_mut(&mut self) -> &mut Terms {
        self.inner.terms_mut()
    }

    fn rebuild(&mut self, case: &TestCase, mutations: &[Mutation]) -> Option<Script> {
        self.inner.rebuild(case, mutations)
    }

    fn next(&mut self) -> Option<TestCase> {
        let case = self.inner.next()?;
        // A seed is settled as it is.
        if matches!(case.origin, Origin::Seed(_)) {
            return Some(case);
        }
        self.given += 1;
        let terms = self.inner.terms_mut();
        let problem = Problem::of(terms, &case).map(|problem| (problem, is_certain(&case.origin)));
        let mut case = case;
        if self.context.scope == Scope::Script
            && self.rng.one_in(SHAPED)
            && let Some(shape) = self.rng.choose(&self.shapes)
        {
            case = shape.frame(terms, case, &mut self.rng);
        }
        // Only what is asked plainly can come after another query.
        case = match (&self.earlier, self.context.name) {
            (Some(earlier), "plain") if self.rng.one_in(LATER) => after_other(terms, case, earlier),
            _ => self.context.frame(terms, case, &mut self.rng),
        };
        self.earlier = problem;
        let statistics = self.statistics && self.given % STATISTICS == 1;
        if self.setting.0.is_empty() && !statistics {
            return Some(case);
        }
        let certain = is_certain(&case.origin);
        let mut name = case.origin.name().to_string();
        if !self.setting.0.is_empty() {
            name = format!("{name}, {}", self.setting.words());
        }
        self.setting.put(terms, &mut case.script);
        if statistics {
            let keyword = terms.symbol(":all-statistics");
            case.script.push(Command::GetInfo(keyword));
        }
        Some(TestCase { origin: Origin::Framed { name, certain }, ..case })
    }

    fn witness(&mut self, models: &[Option<String>]) {
        self.inner.witness(models);
    }

    fn settle(&mut self, verdicts: &[Verdict]) {
        self.inner.settle(verdicts);
    }

    fn learn(&mut self, case: &TestCase, run: &Run, answer: &Answer, suspicions: &[Suspicion]) {
        if let Some((_, pull)) = &self.report {
            self.seen.extend(behaviours(pull.arms, case, run, answer));
        }
        self.inner.learn(case, run, answer, suspicions);
    }

    fn write(&mut self, case: &TestCase, style: Style, out: &mut String) {
        self.inner.write(case, style, out);
    }
}

impl Drop for Framed<'_> {
    fn drop(&mut self) {
        if let Some((bandit, pull)) = self.report.take() {
            let mut bandit = bandit.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            bandit.report(&pull, std::mem::take(&mut self.seen));
        }
    }
}

/// What a run shows of the solver's ways: its verdicts in this kind of test, its complaints, and the names of its statistics.
/// Times are left out, but for whether there was an answer in time: they would make two runs with one seed differ.
fn behaviours(arms: [usize; 4], case: &TestCase, run: &Run, answer: &Answer) -> Vec<u64> {
    let mut words = Vec::new();
    let verdicts: Vec<&str> = answer.replies.iter().map(|reply| reply.verdict.word()).collect();
    let right = case.expected.iter().zip(&answer.replies).all(|(expected, reply)| match expected {
        Expectation::Open => true,
        other => other.verdict() == Some(reply.verdict),
    });
    let trouble = answer.trouble.as_ref().map(|t| format!("{:?}", std::mem::discriminant(t)));
    words.push(format!("{arms:?} {verdicts:?} {right} {trouble:?}"));
    words.extend(answer.replies.iter().filter_map(|reply| reply.reason_unknown.clone()));
    let statistics = run.stdout.split_whitespace().filter(|w| w.starts_with(':') || w.starts_with("(:"));
    words.extend(statistics.map(|w| w.trim_start_matches('(').to_string()));
    words.iter().map(|word| fnv(word)).collect()
}

/// FNV-1a.
fn fnv(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
