//! Several queries solved together before they are asked one by one: what an engine found for all of them at once stands
//! ready, also where it found nothing, and every other query goes on to the engine behind.

use crate::engine::{Budget, Engine, Partial, Partials, Query, Verdict};
use crate::engines::Joint;
use rustc_hash::FxHashMap;
use smt::{TermId, Terms};

/// Answers that are known beforehand, in front of an engine.
pub(crate) struct KnownAnswers {
    inner: Box<dyn Engine>,
    answers: FxHashMap<Vec<TermId>, (Verdict, Option<&'static str>)>,
    /// The partial solutions that were met, for whichever query they are about.
    met: Vec<Partial>,
    /// Which engine found them.
    engine: &'static str,
    last_was_known: bool,
    hits: u64,
    /// What was done for all of them, and by which way those that were asked had been settled.
    work: Vec<(&'static str, u64)>,
    ways: Vec<(&'static str, u64)>,
}

impl KnownAnswers {
    /// In front of an engine, with nothing known.
    pub(crate) fn new(inner: Box<dyn Engine>) -> KnownAnswers {
        KnownAnswers {
            inner,
            answers: FxHashMap::default(),
            met: Vec::new(),
            engine: "none",
            last_was_known: false,
            hits: 0,
            work: Vec::new(),
            ways: Vec::new(),
        }
    }

    /// Makes answers known.
    pub(crate) fn learn(
        &mut self,
        engine: &'static str,
        queries: Vec<Query>,
        joint: Joint,
        met: Vec<Partial>,
    ) {
        self.engine = engine;
        self.met = met;
        self.work = joint.work;
        let answers = joint.verdicts.into_iter().zip(joint.ways);
        self.answers = queries.into_iter().map(|query| query.assertions).zip(answers).collect();
    }
}

impl Engine for KnownAnswers {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn solve(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        let known = self.answers.get(&query.assertions);
        self.last_was_known = known.is_some();
        let Some((verdict, way)) = known else {
            return self.inner.solve(terms, query, budget, partials);
        };
        self.hits += 1;
        if let Some(way) = way {
            match self.ways.iter_mut().find(|(name, _)| name == way) {
                Some((_, count)) => *count += 1,
                None => self.ways.push((way, 1)),
            }
        }
        for partial in &self.met {
            if !partials.wanted() {
                break;
            }
            partials.take(partial.clone());
        }
        verdict.clone()
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut all = vec![("solved-together", self.hits)];
        all.extend(&self.ways);
        all.extend(&self.work);
        all.extend(self.inner.counters());
        all
    }

    fn answered_by(&self) -> &'static str {
        if self.last_was_known { self.engine } else { self.inner.answered_by() }
    }
}
