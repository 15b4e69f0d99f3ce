//! A strategy cut down to a range of its batches, whose cases are looked at in passing: which logics and operators are tested
//! how often. It hands on the same cases with the same random source as `soundline fuzz` with the same seed does.

use fuzz::case::{Batch, Mutation, Rejected, Strategy, TestCase};
use fuzz::evidence::Suspicion;
use fuzz::solver::Run;
use fuzz::solver::answer::Answer;
use random::Rng;
use smt::print::Style;
use smt::{Script, Terms, Theory, walk};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};

/// How many tests had what.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) logics: BTreeMap<String, u64>,
    pub(crate) operators: BTreeMap<&'static str, u64>,
}

/// Batches `first .. first + count` of a strategy, as batches 0 and so on.
pub(crate) struct Range<'a> {
    strategy: &'a dyn Strategy,
    seed: u64,
    first: u64,
    count: u64,
    tally: Mutex<Tally>,
}

impl<'a> Range<'a> {
    pub(crate) fn new(strategy: &'a dyn Strategy, seed: u64, first: u64, count: u64) -> Range<'a> {
        Range { strategy, seed, first, count, tally: Mutex::default() }
    }

    pub(crate) fn tally(&self) -> Tally {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().expect("the lock is never poisoned")
    }
}

impl Strategy for Range<'_> {
    fn name(&self) -> &'static str {
        self.strategy.name()
    }

    fn batches(&self) -> Option<u64> {
        let left = self.strategy.batches().map(|batches| batches.saturating_sub(self.first));
        Some(left.map_or(self.count, |left| left.min(self.count)))
    }

    fn batch(&self, number: u64, _: Rng) -> Result<Box<dyn Batch + '_>, Rejected> {
        let number = self.first + number;
        let batch = self.strategy.batch(number, Rng::numbered(self.seed, number))?;
        Ok(Box::new(Watched { batch, tally: &self.tally, logic: String::new() }))
    }
}

struct Watched<'a> {
    batch: Box<dyn Batch + 'a>,
    tally: &'a Mutex<Tally>,
    logic: String,
}

impl Batch for Watched<'_> {
    fn terms(&self) -> &Terms {
        self.batch.terms()
    }

    fn terms_mut(&mut self) -> &mut Terms {
        self.batch.terms_mut()
    }

    fn rebuild(&mut self, case: &TestCase, mutations: &[Mutation]) -> Option<Script> {
        self.batch.rebuild(case, mutations)
    }

    fn next(&mut self) -> Option<TestCase> {
        let case = self.batch.next()?;
        let terms = self.batch.terms();
        if let Some(logic) = case.script.logic() {
            self.logic = terms.name(logic).to_string();
        }
        let reached = walk::reachable(terms, &case.script.terms());
        let operators: BTreeSet<&'static str> = reached
            .iter()
            .map(|&term| terms.op(term).info())
            .filter(|row| row.theory != Theory::Language && !row.name.is_empty())
            .map(|row| row.name)
            .collect();
        let logic = if self.logic.is_empty() { "(none)" } else { &self.logic };
        let mut tally = self.tally.lock().expect("the lock is never poisoned");
        *tally.logics.entry(logic.to_string()).or_default() += 1;
        for name in operators {
            *tally.operators.entry(name).or_default() += 1;
        }
        Some(case)
    }

    fn witness(&mut self, models: &[Option<String>]) {
        self.batch.witness(models);
    }

    fn learn(&mut self, case: &TestCase, run: &Run, answer: &Answer, suspicions: &[Suspicion]) {
        self.batch.learn(case, run, answer, suspicions);
    }

    fn settle(&mut self, verdicts: &[fuzz::case::Verdict]) {
        self.batch.settle(verdicts);
    }

    fn write(&mut self, case: &TestCase, style: Style, out: &mut String) {
        self.batch.write(case, style, out);
    }
}
