//! What one worker's engines found out, told to the others.
//!
//! Four of five queries are answered by what is known from earlier ones. Workers have arenas of their own, so each of them would have to
//! find out everything again. What an engine answered travels with the result of its job in the explorer's terms, and each other
//! worker hears of it with the first job that it is handed after the explorer has learnt of it. So who knows what at which job
//! depends on the seed and the number of workers alone.

use super::copies::{Copies, Rows};
use super::effort::{Posed, Question};
use crate::target::negate;
use rustc_hash::FxHashMap;
use smt::{FunId, Model, TermId, Terms, Value};
use solve::cache::CachedAnswer;
use std::sync::Arc;

/// An answer in the explorer's terms.
#[derive(Clone, Debug)]
pub(super) struct Lesson {
    /// Conditions, and ways out that must not be taken.
    conjuncts: Vec<Conjunct>,
    /// What satisfies them; nothing does if this is not there.
    values: Option<Vec<(FunId, Value)>>,
}

/// A condition of the explorer's as it is asked.
#[derive(Clone, Copy, Debug)]
enum Conjunct {
    Holds(TermId),
    Fails(TermId),
}

/// The explorer's conditions by what a worker made of them.
#[derive(Debug, Default)]
pub(super) struct Origins {
    by_copy: FxHashMap<TermId, Conjunct>,
}

impl Origins {
    /// Notes what a question was made of.
    pub(super) fn note(&mut self, question: &Question, posed: &Posed) {
        let slice = &question.slice;
        let conditions = slice.conditions.iter().map(|&condition| Conjunct::Holds(condition));
        let ways = slice.ways.iter().map(|&way| Conjunct::Fails(way));
        self.by_copy.extend(posed.focus.conjuncts().zip(conditions.chain(ways)));
    }

    /// An answer for others. There is none if it is about what only this worker has, or says more than the values of symbols.
    pub(super) fn lesson(&self, copies: &Copies, known: &CachedAnswer) -> Option<Lesson> {
        let conjuncts = known.conjuncts.iter().map(|copy| self.by_copy.get(copy).copied());
        let conjuncts = conjuncts.collect::<Option<Vec<_>>>()?;
        let values = match &known.model {
            Some(model) if !says_values_only(model) => return None,
            Some(model) => {
                let value = |fun: FunId| Some((copies.back(fun)?, model.value(fun)?.clone()));
                Some(model.functions().into_iter().filter_map(value).collect())
            }
            None => None,
        };
        Some(Lesson { conjuncts, values })
    }
}

impl Lesson {
    /// The same in a worker's arena.
    pub(super) fn told(&self, rows: &Rows, terms: &mut Terms, copies: &mut Copies) -> CachedAnswer {
        let conjunct = |conjunct: &Conjunct| match *conjunct {
            Conjunct::Holds(condition) => copies.copy(rows, terms, &[condition])[0],
            Conjunct::Fails(way) => {
                let way = copies.copy(rows, terms, &[way])[0];
                negate(terms, way)
            }
        };
        let conjuncts = self.conjuncts.iter().map(conjunct).collect();
        let model = self.values.as_ref().map(|values| {
            let mut model = Model::default();
            for (fun, value) in values {
                if let Some(fun) = copies.there(*fun) {
                    model.set(fun, value.clone());
                }
            }
            model
        });
        CachedAnswer { conjuncts, model }
    }
}

/// Whether a model leaves nothing to choose but the values of symbols.
fn says_values_only(model: &Model) -> bool {
    model.zero_divisions().next().is_none()
        && model.zero_signs().is_none()
        && model.conversions().next().is_none()
}

/// What each worker has yet to hear of.
#[derive(Debug, Default)]
pub(super) struct Outboxes {
    by_worker: Vec<Vec<Arc<Lesson>>>,
}

impl Outboxes {
    /// For so many workers.
    pub(super) fn new(workers: usize) -> Outboxes {
        Outboxes { by_worker: vec![Vec::new(); workers] }
    }

    /// All but the one who found it out are to hear of this.
    pub(super) fn tell(&mut self, from: usize, lessons: Vec<Lesson>) {
        for lesson in lessons.into_iter().map(Arc::new) {
            let others = self.by_worker.iter_mut().enumerate().filter(|(worker, _)| *worker != from);
            others.for_each(|(_, outbox)| outbox.push(lesson.clone()));
        }
    }

    /// What a worker has yet to hear of.
    pub(super) fn take(&mut self, worker: usize) -> Vec<Arc<Lesson>> {
        std::mem::take(&mut self.by_worker[worker])
    }

    /// Forgets what was about terms that are gone.
    pub(super) fn clear(&mut self) {
        self.by_worker.iter_mut().for_each(Vec::clear);
    }
}
