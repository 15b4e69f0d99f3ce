//! Partial solutions for the record: every distinct assignment that an engine passed through, completed to all constants
//! of the query, with how much of the query it satisfies.
//!
//! While an engine works only its values are kept, once each; they are completed and evaluated when the caller takes the
//! records, so that solving pays for a hash of the values and nothing else.

use crate::defaults::default_value;
use crate::engine::{Partial, Partials};
use crate::profile::Profile;
use crate::replay::Replay;
pub(crate) use crate::tuning::record::MAX_RECORDS;
use rustc_hash::{FxHashSet, FxHasher};
use smt::{FunId, TermId, Terms, Value};
use std::hash::{Hash, Hasher};

/// A partial solution that was evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// A value for every constant of the query, in the order of declaration.
    pub values: Vec<(FunId, Value)>,
    /// How many conjuncts hold.
    pub holds: usize,
    /// How many there are.
    pub total: usize,
    /// The position of the first that does not hold; `None` if all do.
    pub first_false: Option<usize>,
    /// The engine it comes from.
    pub engine: &'static str,
    /// The engine's count of steps when it was there.
    pub step: u64,
}

/// Keeps partial solutions, each assignment once.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    kept: Vec<Partial>,
    seen: FxHashSet<u64>,
    /// How many were delivered, with repetitions.
    delivered: u64,
}

impl Partials for Recorder {
    fn wanted(&self) -> bool {
        self.kept.len() < MAX_RECORDS
    }

    fn take(&mut self, partial: Partial) {
        self.delivered += 1;
        if self.wanted() && self.seen.insert(fingerprint(&partial.values)) {
            self.kept.push(partial);
        }
    }
}

/// Two assignments with the same fingerprint are taken for the same; the order of the values does not matter, since each
/// contributes on its own.
fn fingerprint(values: &[(FunId, Value)]) -> u64 {
    values.iter().fold(0, |sum: u64, pair| {
        let mut hasher = FxHasher::default();
        pair.hash(&mut hasher);
        sum.wrapping_add(hasher.finish())
    })
}

impl Recorder {
    /// What was kept, as it was delivered.
    pub(crate) fn into_partials(self) -> Vec<Partial> {
        self.kept
    }

    /// How many partial solutions were delivered, with repetitions.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// The records of the conjuncts that were asked, in the order of their delivery and without repetition.
    pub fn into_records(self, terms: &mut Terms, conjuncts: &[TermId]) -> Vec<Record> {
        if self.kept.is_empty() {
            return Vec::new();
        }
        let profile = Profile::of(terms, conjuncts);
        let constants: Vec<FunId> = profile.constants(terms).collect();
        let mut defaults = Vec::with_capacity(constants.len());
        for &constant in &constants {
            defaults.push((constant, default_value(terms, terms.fun(constant).result)));
        }
        let mut replay = Replay::new(terms, conjuncts);
        let mut records = Vec::with_capacity(self.kept.len());
        let mut seen = FxHashSet::default();
        for mut partial in self.kept {
            partial.values.sort_unstable_by_key(|(fun, _)| *fun);
            // What is about other constants alone belongs to another query.
            if !partial.values.iter().any(|(fun, _)| constants.binary_search(fun).is_ok()) {
                continue;
            }
            let mut given = partial.values.into_iter().peekable();
            let mut values = Vec::with_capacity(constants.len());
            for (constant, default) in &defaults {
                while given.next_if(|(fun, _)| fun < constant).is_some() {}
                let value =
                    given.next_if(|(fun, _)| fun == constant).map(|(_, v)| v).or_else(|| default.clone());
                values.extend(value.map(|v| (*constant, v)));
            }
            if !seen.insert(fingerprint(&values)) {
                continue;
            }
            replay.assign(&values);
            let (holds, first_false) = replay.score();
            records.push(Record {
                values,
                holds,
                total: conjuncts.len(),
                first_false,
                engine: partial.engine,
                step: partial.step,
            });
        }
        records
    }
}
