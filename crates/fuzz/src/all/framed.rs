//! A batch of another strategy, each case in a context of its own and all with one setting; and what the solver's answers tell the
//! bandit.

use super::bandit::{Bandit, Pull, Shown};
use crate::case::{Batch, Expectation, Mutation, Origin, TestCase, Verdict};
use crate::context::{Context, ContextScope, Problem, after_other, is_certain};
use crate::evidence::Suspicion;
use crate::options::Setting;
use crate::solver::Run;
use crate::solver::answer::Answer;
use crate::tuning::all_framed::{COMBINED, LATER, STATISTICS};
use random::Rng;
use smt::print::{Style, script_to_string};
use smt::{Command, Script, Terms};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// What stands around the cases of a batch.
pub(super) struct Frame {
    /// The contexts that the cases take turns in, by their place in `all`.
    pub(super) menu: Vec<usize>,
    /// The contexts that there are; one that the menu does not name may be combined with one that it does.
    pub(super) all: Vec<&'static Context>,
    pub(super) setting: Setting,
    pub(super) rng: Rng,
    /// Whether statistics are asked for now and then.
    pub(super) statistics: bool,
}

/// A batch in contexts, with a setting.
pub(super) struct Framed<'a> {
    inner: Box<dyn Batch + 'a>,
    /// Who chose it and wants to know what came of it.
    report: Option<(&'a Mutex<Bandit>, Pull)>,
    frame: Frame,
    /// The case before, and whether its truth is known by construction.
    earlier: Option<(Problem, bool)>,
    given: usize,
    /// The context of the case that was given last.
    context: usize,
    /// The case that was given last by itself, if it can be a seed.
    plain: Option<Arc<str>>,
    /// What the solver did with each case.
    seen: Vec<Shown>,
}

impl<'a> Framed<'a> {
    /// The cases of a batch in a frame; what becomes of them is told to the bandit that chose it.
    pub(super) fn new(
        inner: Box<dyn Batch + 'a>,
        frame: Frame,
        report: Option<(&'a Mutex<Bandit>, Pull)>,
    ) -> Framed<'a> {
        Framed { inner, report, frame, earlier: None, given: 0, context: 0, plain: None, seen: Vec::new() }
    }

    /// Puts a case into the context whose turn it is, and now and then into a second one of the other kind.
    fn framed(&mut self, mut case: TestCase) -> TestCase {
        let Frame { menu, all, rng, setting, .. } = &mut self.frame;
        let terms = self.inner.terms_mut();
        let Some(&number) = menu.get(self.given % menu.len().max(1)) else { return case };
        self.context = number;
        let context = all[number];
        // What is looked at for a single query only must not be asked in another way.
        let scripts = !setting.is_for_one_query();
        let problem = Problem::of(terms, &case).map(|problem| (problem, is_certain(&case.origin)));
        let of = |scope| all.iter().copied().filter(|context| context.scope == scope).collect::<Vec<_>>();
        let combined = rng.one_in(COMBINED);
        let (shape, way) = match context.scope {
            ContextScope::Formula => {
                (Some(context), rng.choose(&of(ContextScope::Script)).filter(|_| combined))
            }
            ContextScope::Script => {
                (rng.choose(&of(ContextScope::Formula)).filter(|_| combined), Some(context))
            }
        };
        if let Some(shape) = shape {
            case = shape.frame(terms, case, rng);
        }
        if let Some(way) = way.filter(|_| scripts) {
            // Only what is asked plainly can come after another query.
            case = match &self.earlier {
                Some(earlier) if way.name == "plain" && rng.one_in(LATER) => {
                    after_other(terms, case, earlier)
                }
                _ => way.frame(terms, case, rng),
            };
        }
        self.plain = match &problem {
            Some((problem, _)) if self.report.is_some() => {
                let (script, _) = problem.plain();
                Some(script_to_string(self.inner.terms(), &script, Style::default()).into())
            }
            _ => None,
        };
        self.earlier = problem;
        case
    }
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
        let mut case = self.framed(case);
        self.given += 1;
        let Frame { setting, statistics, .. } = &self.frame;
        let statistics = *statistics && self.given % STATISTICS == 1;
        if setting.0.is_empty() && !statistics {
            return Some(case);
        }
        let certain = is_certain(&case.origin);
        let mut name = case.origin.name().to_string();
        if !setting.0.is_empty() {
            name = format!("{name}, {}", setting.words());
        }
        let terms = self.inner.terms_mut();
        setting.put(terms, &mut case.script);
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
            let (keys, inner) = behaviours(pull, self.context, case, run, answer);
            self.seen.push(Shown { context: self.context, keys, inner, plain: self.plain.take() });
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

/// What a run shows of the solver's ways: its verdicts and complaints, for each pair of what was chosen; and apart, what it did
/// inside: the names of its statistics, how much work it did, and why it does not know. Times are left out, but for whether there was
/// an answer in time: they would make two runs with one seed differ. How much work it did is told by its counters.
fn behaviours(
    pull: &Pull,
    context: usize,
    case: &TestCase,
    run: &Run,
    answer: &Answer,
) -> (BTreeSet<u64>, BTreeSet<u64>) {
    let verdicts: Vec<&str> = answer.replies.iter().map(|reply| reply.verdict.word()).collect();
    let right = case.expected.iter().zip(&answer.replies).all(|(expected, reply)| match expected {
        Expectation::Open => true,
        other => other.verdict() == Some(reply.verdict),
    });
    let trouble = answer.trouble.as_ref().map(|t| format!("{:?}", std::mem::discriminant(t)));
    let what = format!("{verdicts:?} {right} {trouble:?}");
    let words = [
        format!("theme {} context {context} {what}", pull.theme),
        format!("theme {} setting {:?} {what}", pull.theme, pull.setting),
        format!("context {context} setting {:?} {what}", pull.setting),
        format!("source {} theme {} {what}", pull.source, pull.theme),
    ];
    let mut inside: Vec<String> =
        answer.replies.iter().filter_map(|reply| reply.reason_unknown.clone()).collect();
    inside.extend(statistics(&run.stdout));
    let [inner, outer] = [&inside[..], &words[..]]
        .map(|words| words.iter().map(|word| random::fnv(word)).collect::<BTreeSet<u64>>());
    (outer.union(&inner).copied().collect(), inner)
}

/// The names in a solver's statistics, and of counters of work the class of each: how many digits its number has.
fn statistics(stdout: &str) -> Vec<String> {
    const WORK: [&str; 4] = [":rlimit-count", ":conflicts", ":decisions", ":propagations"];
    let mut found = Vec::new();
    let mut words = stdout.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let name = word.trim_start_matches('(');
        if !name.starts_with(':') {
            continue;
        }
        found.push(name.to_string());
        let number = words.peek().map(|number| number.trim_end_matches(')'));
        if WORK.contains(&name)
            && let Some(number) = number.filter(|number| number.bytes().all(|b| b.is_ascii_digit()))
        {
            found.push(format!("{name} of {} digits", number.len()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times are not looked at, counters of work are, by their size.
    #[test]
    fn what_statistics_tell() {
        let told =
            "sat\n(:added-eqs 3\n :conflicts 127\n :time 0.01\n :rlimit-count 9)\n(:reason-unknown \"x\")";
        assert_eq!(
            statistics(told),
            [
                ":added-eqs",
                ":conflicts",
                ":conflicts of 3 digits",
                ":time",
                ":rlimit-count",
                ":rlimit-count of 1 digits",
                ":reason-unknown"
            ]
        );
        assert_eq!(statistics(&told.replace("127", "999").replace("0.01", "7.5")), statistics(told));
        assert_ne!(statistics(&told.replace("127", "1270")), statistics(told));
    }
}
