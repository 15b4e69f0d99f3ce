//! The values of small sorts, and samples of large ones: what quantifiers are decided with.

use crate::bitvec::BitVec;
use crate::float::{Float, Format, RoundingMode};
use crate::model::{Interpretation, Model};
use crate::sort::{Sort, SortId};
use crate::string::SmtString;
use crate::term::{TermId, Terms};
use crate::value::{DatatypeValue, Value};
use crate::walk::reachable;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::sync::Arc;

/// How many values a sort has, if finitely many (and not astronomically many).
pub(super) fn cardinality(terms: &Terms, sort: SortId) -> Option<u64> {
    match terms.sort_of(sort) {
        Sort::Bool => Some(2),
        Sort::RoundingMode => Some(5),
        Sort::BitVec(width) => (*width < 63).then(|| 1u64 << width),
        // Two infinities, one NaN, and a sign for every finite magnitude.
        Sort::Float(eb, sb) => (eb + sb < 62).then(|| 2 * (((1u64 << eb) - 1) << (sb - 1)) + 3),
        Sort::Datatype(id, _) => {
            let ctors = &terms.datatype(*id).ctors;
            ctors.iter().all(|&c| terms.ctor(c).fields.is_empty()).then_some(ctors.len() as u64)
        }
        _ => None,
    }
}

/// All values of a sort, if there are at most `limit`.
pub fn values_of(terms: &Terms, sort: SortId, limit: u64) -> Option<Vec<Value>> {
    let count = cardinality(terms, sort).filter(|&n| n <= limit)?;
    Some(match terms.sort_of(sort) {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::RoundingMode => RoundingMode::ALL.into_iter().map(Value::Rm).collect(),
        Sort::BitVec(width) => (0..count).map(|i| Value::BitVec(BitVec::from_u64(*width, i))).collect(),
        Sort::Float(eb, sb) => {
            let format = Format { eb: *eb, sb: *sb };
            let mut all: Vec<Value> = (0..1u64 << (eb + sb))
                .map(|bits| Value::Float(Float::from_bits(format, UBig::from(bits))))
                .collect();
            all.sort_unstable();
            all.dedup();
            all
        }
        Sort::Datatype(id, _) => {
            let enumerated = |&ctor| {
                Value::Datatype(Arc::new(DatatypeValue { sort, ctor, fields: Box::default(), depth: 1 }))
            };
            terms.datatype(*id).ctors.iter().map(enumerated).collect()
        }
        _ => return None,
    })
}

/// How many samples a sort gets.
const MAX_CANDIDATES: usize = 24;

/// Values worth trying for a variable of a large sort: extremes, the constants of the body and their neighbours, and
/// what the model assigns to constants of the sort.
pub fn candidates(terms: &Terms, sort: SortId, body: TermId, model: &Model) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    match terms.sort_of(sort) {
        Sort::Int => found.extend([0, 1, -1].map(|i| Value::Int(IBig::from(i)))),
        Sort::Real => found.extend([0, 1, -1].map(|i| Value::Real(RBig::from(IBig::from(i))))),
        Sort::BitVec(w) => found.extend(
            [BitVec::zero(*w), BitVec::ones(*w), BitVec::min_signed(*w), BitVec::from_u64(*w, 1)]
                .map(Value::BitVec),
        ),
        Sort::String => found.push(Value::String(SmtString::empty())),
        Sort::Float(eb, sb) if (Format { eb: *eb, sb: *sb }).is_supported() => {
            let format = Format { eb: *eb, sb: *sb };
            found.extend(
                [
                    Float::zero(format, false),
                    Float::zero(format, true),
                    Float::nan(format),
                    Float::infinity(format, false),
                    Float::one(format, false),
                ]
                .map(Value::Float),
            );
        }
        _ => found.extend(values_of(terms, sort, MAX_CANDIDATES as u64).unwrap_or_default()),
    }
    for term in reachable(terms, &[body]) {
        if terms.sort(term) != sort {
            continue;
        }
        let value = match terms.as_value(term) {
            Some(value) => value.clone(),
            None => match terms.as_fun(term).and_then(|f| model.interpretation(f)) {
                Some(Interpretation::Value(value)) => value.clone(),
                _ => continue,
            },
        };
        match &value {
            Value::Int(i) => found.extend([i - IBig::ONE, i + IBig::ONE].map(Value::Int)),
            Value::BitVec(b) => {
                let one = BitVec::from_u64(b.width(), 1);
                found.extend([b.sub(&one), b.add(&one)].map(Value::BitVec));
            }
            _ => {}
        }
        found.push(value);
    }
    let mut kept: Vec<Value> = Vec::new();
    for value in found {
        if kept.len() < MAX_CANDIDATES && !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

/// Walks through a product of lists, at most a given number of combinations.
pub(super) struct Assignments {
    lists: Vec<Vec<Value>>,
    at: Vec<usize>,
    left: u64,
}

impl Assignments {
    pub(super) fn new(lists: Vec<Vec<Value>>, most: u64) -> Self {
        let left = if lists.iter().any(Vec::is_empty) { 0 } else { most };
        Assignments { at: vec![0; lists.len()], lists, left }
    }

    pub(super) fn next(&mut self) -> Option<Vec<Value>> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let values = self.at.iter().zip(&self.lists).map(|(&i, list)| list[i].clone()).collect();
        let advanced = self.at.iter_mut().zip(&self.lists).any(|(i, list)| {
            *i = (*i + 1) % list.len();
            *i != 0
        });
        if !advanced {
            self.left = 0;
        }
        Some(values)
    }
}
