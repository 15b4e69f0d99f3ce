//! Which releases of a solver answer a script wrongly. Behaviour can flip more than once between the first and the last
//! release, so that plain binary search could lie: releases are sampled over the whole history first, then every place where
//! neighbours differ is narrowed down until they are adjacent. What lies between two equal samples is assumed, and said to be.

use crate::benchmark::{Benchmark, Judgement};
use crate::case::Verdict;
use crate::solver::answer::{self, Answer};
use crate::solver::{Limits, Solver, SolverError, Store, StoreError};
use smt::Dialect;
use std::collections::BTreeMap;
use std::mem::discriminant;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bisection {
    /// All releases, oldest first.
    pub versions: Vec<String>,
    /// What those that were run did, by their place in the list.
    pub tested: BTreeMap<usize, Judgement>,
    /// The verdicts that count as right.
    pub expected: Vec<Option<Verdict>>,
    /// Where they come from, in words.
    pub source: String,
}

/// A change of behaviour between two releases that follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flip {
    /// The last of the old behaviour.
    pub before: usize,
    /// The first of the new.
    pub after: usize,
}

impl Bisection {
    /// The first release that answers wrongly, as far as was run.
    pub fn first_wrong(&self) -> Option<usize> {
        self.tested.iter().find(|(_, judgement)| matches!(judgement, Judgement::Wrong(_))).map(|(at, _)| *at)
    }

    /// The first release that is right after the last that is wrong.
    pub fn right_again(&self) -> Option<usize> {
        let last = self.tested.iter().rfind(|(_, judgement)| matches!(judgement, Judgement::Wrong(_)))?.0;
        self.tested
            .range(last + 1..)
            .find(|(_, judgement)| **judgement == Judgement::Right)
            .map(|(at, _)| *at)
    }

    /// Every change of behaviour.
    pub fn flips(&self) -> Vec<Flip> {
        let tested: Vec<(&usize, &Judgement)> = self.tested.iter().collect();
        let differ = |pair: &[(&usize, &Judgement)]| discriminant(pair[0].1) != discriminant(pair[1].1);
        let flips = tested.windows(2).filter(|pair| differ(pair));
        flips.map(|pair| Flip { before: *pair[0].0, after: *pair[1].0 }).collect()
    }

    /// How many releases were not run.
    pub fn assumed(&self) -> usize {
        self.versions.len() - self.tested.len()
    }
}

/// What is asked for.
pub struct Question<'a> {
    /// The solver's name, which has releases in the package index.
    pub name: &'a str,
    /// The options that every release gets.
    pub options: &'a str,
    /// The script whose answer changed.
    pub script: &'a Benchmark,
    /// The verdicts, if the caller knows better than the script's status.
    pub expected: Option<Vec<Verdict>>,
    /// What a run may use.
    pub limits: &'a Limits,
    /// How many releases are sampled at first; at least the first and the last. All of them if it is large.
    pub samples: usize,
}

/// Finds out. `progress` is told each release as it is run, and what it did.
pub fn bisect(
    question: &Question<'_>,
    store: &Store,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&str, Option<&Judgement>),
) -> Result<Bisection, StoreError> {
    let versions = store.releases(question.name, stop)?;
    let newest = versions.len().saturating_sub(1);
    let mut answers: BTreeMap<usize, Result<(Answer, Dialect), String>> = BTreeMap::new();
    let (expected, source) = if let Some(verdicts) = &question.expected {
        (verdicts.iter().copied().map(Some).collect(), "as given".to_string())
    } else if question.script.expected.iter().any(Option::is_some) {
        (question.script.expected.clone(), "the script's :status".to_string())
    } else {
        let answer = ask(question, &versions[newest], store, stop)?;
        let verdicts: Vec<Option<Verdict>> = match &answer {
            Ok((answer, _)) => answer.replies.iter().map(|reply| Some(reply.verdict)).collect(),
            Err(_) => Vec::new(),
        };
        answers.insert(newest, answer);
        // What the newest release does not decide is no measure for the others.
        let known =
            verdicts.into_iter().map(|verdict| verdict.filter(|verdict| *verdict != Verdict::Unknown));
        (known.collect(), format!("the newest release, {}", versions[newest]))
    };
    let mut failure = None;
    let tested = search(versions.len(), question.samples, &mut |at| {
        if stop.load(Ordering::Relaxed) || failure.is_some() {
            return None;
        }
        progress(&versions[at], None);
        // Two runs that agree decide, else a third.
        let mut votes: Vec<Judgement> = Vec::new();
        while votes.len() < 3 && majority(&votes).is_none() {
            let answer =
                match answers.remove(&at).map_or_else(|| ask(question, &versions[at], store, stop), Ok) {
                    Ok(answer) => answer,
                    Err(StoreError::Stopped) => return None,
                    Err(error) => {
                        failure = Some(error);
                        return None;
                    }
                };
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            votes.push(match answer {
                Ok((answer, dialect)) => question.script.judge(&answer, dialect, &expected),
                Err(reason) => Judgement::Open(reason),
            });
        }
        let judgement = majority(&votes)
            .unwrap_or_else(|| Judgement::Open("three runs have three different answers".into()));
        progress(&versions[at], Some(&judgement));
        Some(judgement)
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(Bisection { versions, tested, expected, source }),
    }
}

/// The judgement that two of the votes share.
fn majority(votes: &[Judgement]) -> Option<Judgement> {
    let same = |a: &Judgement| votes.iter().filter(|b| discriminant(a) == discriminant(b)).count() >= 2;
    votes.iter().find(|vote| same(vote)).cloned()
}

/// What a release answers; or why it cannot be asked, which is no reason to give up the others.
fn ask(
    question: &Question<'_>,
    version: &str,
    store: &Store,
    stop: &AtomicBool,
) -> Result<Result<(Answer, Dialect), String>, StoreError> {
    let spec = format!("{}@{version}", question.name);
    match store.add_version(question.name, version, stop, &mut |_| {}) {
        Ok(_) => {}
        Err(error @ (StoreError::NoWheel { .. } | StoreError::Unusable { .. })) => {
            return Ok(Err(error.to_string()));
        }
        Err(error) => return Err(error),
    }
    let run = Solver::resolve(&format!("{spec} {}", question.options), store).and_then(|solver| {
        let text = question.script.text_with_models(solver.dialect);
        Ok((solver.run(&text, question.limits, stop)?, solver.dialect))
    });
    match run {
        Ok((run, dialect)) => Ok(Ok((answer::read(&run), dialect))),
        Err(SolverError::Start(failed)) => Ok(Err(failed.error.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// Probes samples over the whole range, then between neighbours that differ until they are adjacent. A probe that gives nothing
/// ends the search.
fn search(
    count: usize,
    samples: usize,
    probe: &mut dyn FnMut(usize) -> Option<Judgement>,
) -> BTreeMap<usize, Judgement> {
    let mut tested = BTreeMap::new();
    let samples = samples.clamp(2, count.max(2));
    let mut places: Vec<usize> =
        (0..samples).map(|i| i * count.saturating_sub(1) / (samples - 1)).take(count).collect();
    // The newest first: where it is wrong, that is the news.
    places.reverse();
    places.dedup();
    for at in places {
        match probe(at) {
            Some(judgement) => tested.insert(at, judgement),
            None => return tested,
        };
    }
    loop {
        let known: Vec<(&usize, &Judgement)> = tested.iter().collect();
        let gap = known
            .windows(2)
            .find(|pair| discriminant(pair[0].1) != discriminant(pair[1].1) && pair[1].0 - pair[0].0 > 1);
        let Some(pair) = gap else { return tested };
        let middle = usize::midpoint(*pair[0].0, *pair[1].0);
        match probe(middle) {
            Some(judgement) => tested.insert(middle, judgement),
            None => return tested,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_of_three_decide() {
        let wrong = || Judgement::Wrong("unsat".into());
        assert_eq!(majority(&[wrong()]), None);
        assert_eq!(majority(&[wrong(), Judgement::Right]), None);
        assert_eq!(majority(&[wrong(), Judgement::Right, wrong()]), Some(wrong()));
        assert_eq!(majority(&[wrong(), Judgement::Right, Judgement::Open(String::new())]), None);
    }

    /// A history in letters: r, w, o.
    fn explore(history: &str, samples: usize) -> (Bisection, usize) {
        let mut runs = 0;
        let tested = search(history.len(), samples, &mut |at| {
            runs += 1;
            Some(match history.as_bytes()[at] {
                b'r' => Judgement::Right,
                b'w' => Judgement::Wrong("x".into()),
                _ => Judgement::Open("x".into()),
            })
        });
        let versions = (0..history.len()).map(|at| at.to_string()).collect();
        (Bisection { versions, tested, expected: Vec::new(), source: String::new() }, runs)
    }

    #[test]
    fn one_interval_is_found_with_few_runs() {
        let history = format!("{}{}{}", "r".repeat(10), "w".repeat(20), "r".repeat(26));
        let (found, runs) = explore(&history, 8);
        assert_eq!((found.first_wrong(), found.right_again()), (Some(10), Some(30)));
        assert_eq!(found.flips(), [Flip { before: 9, after: 10 }, Flip { before: 29, after: 30 }]);
        assert!(runs <= 16, "{runs}");
    }

    #[test]
    fn behaviour_that_flips_often_is_followed() {
        let (found, _) = explore("rrrrwwwwrrrrooooowwwwwrrrrrr", 9);
        assert_eq!(found.flips().len(), 5);
        assert_eq!((found.first_wrong(), found.right_again()), (Some(4), Some(22)));
    }

    #[test]
    fn the_ends_and_small_histories_work() {
        assert_eq!(explore("wwrr", 2).0.first_wrong(), Some(0));
        assert_eq!(explore("rrww", 2).0.right_again(), None);
        assert_eq!(explore("rrrr", 2).0.first_wrong(), None);
        assert_eq!(explore("w", 5).0.tested.len(), 1);
        assert_eq!(explore("", 5).1, 0);
        let (all, runs) = explore("rwrwrw", usize::MAX);
        assert_eq!((all.flips().len(), runs, all.assumed()), (5, 6, 0));
    }
}
