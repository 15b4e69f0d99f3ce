//! The values of small sorts, and samples of large ones: what quantifiers are decided with.

use super::field;
use crate::bitvec::BitVec;
use crate::float::{Float, Format, RoundingMode};
use crate::model::{Interpretation, Model};
use crate::sort::{Collection, DatatypeId, Sort, SortId};
use crate::string::SmtString;
use crate::term::{CtorId, TermId, Terms};
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
        Sort::Datatype(id, params) if params.is_empty() => datatype_cardinality(terms, *id, &mut Vec::new()),
        Sort::FiniteField(order) => u64::try_from(order).ok(),
        _ => None,
    }
}

/// Whether a sort of which [`cardinality`] says nothing may have few values: a declared sort has as many as the model likes, and
/// what is made of it or of finite sorts has few if they have.
pub(super) fn may_be_small(terms: &Terms, sort: SortId) -> bool {
    let (mut open, mut seen) = (vec![sort], Vec::new());
    while let Some(sort) = open.pop() {
        if seen.contains(&sort) {
            continue;
        }
        seen.push(sort);
        match terms.sort_of(sort) {
            Sort::Uninterpreted(..) | Sort::Parameter(_) => return true,
            &Sort::Array(index, element) => {
                if [index, element].iter().all(|&part| cardinality(terms, part).is_some()) {
                    return true;
                }
                open.extend([index, element]);
            }
            &Sort::Collection(kind, item) => {
                if kind == Collection::Set && cardinality(terms, item).is_some() {
                    return true;
                }
                open.push(item);
            }
            Sort::Datatype(id, params) => {
                open.extend(params.iter().copied());
                let fields = terms.datatype(*id).ctors.iter().flat_map(|&ctor| &terms.ctor(ctor).fields);
                open.extend(fields.map(|&field| terms.field(field).sort));
            }
            _ => {}
        }
    }
    false
}

/// How many values a datatype has: none that is counted if it contains itself, or something infinite.
fn datatype_cardinality(terms: &Terms, id: DatatypeId, open: &mut Vec<DatatypeId>) -> Option<u64> {
    if open.contains(&id) {
        return None;
    }
    open.push(id);
    let mut total: u64 = 0;
    for &ctor in &terms.datatype(id).ctors {
        let mut product: u64 = 1;
        for &field in terms.ctor(ctor).fields.iter() {
            let sort = terms.field(field).sort;
            let count = match terms.sort_of(sort) {
                Sort::Datatype(inner, params) if params.is_empty() => {
                    datatype_cardinality(terms, *inner, open)?
                }
                _ => cardinality(terms, sort)?,
            };
            product = product.checked_mul(count)?;
        }
        total = total.checked_add(product)?;
    }
    open.pop();
    Some(total)
}

/// All values of a constructor of a finite datatype.
fn constructed(terms: &Terms, sort: SortId, ctor: CtorId, limit: u64) -> Option<Vec<Value>> {
    let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
    for &field in terms.ctor(ctor).fields.iter() {
        let values = values_of(terms, terms.field(field).sort, limit)?;
        tuples = tuples
            .into_iter()
            .flat_map(|tuple| {
                values.iter().map(move |value| {
                    let mut longer = tuple.clone();
                    longer.push(value.clone());
                    longer
                })
            })
            .collect();
    }
    let depth = |fields: &[Value]| {
        fields.iter().map(|v| if let Value::Datatype(d) = v { d.depth } else { 0 }).max().unwrap_or(0) + 1
    };
    let value = |fields: Vec<Value>| {
        let depth = depth(&fields);
        Value::Datatype(Arc::new(DatatypeValue { sort, ctor, fields: fields.into(), depth }))
    };
    Some(tuples.into_iter().map(value).collect())
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
        Sort::FiniteField(order) => (0..count).map(|i| field::element(sort, order, &IBig::from(i))).collect(),
        Sort::Datatype(id, _) => {
            let mut all = Vec::new();
            for &ctor in &terms.datatype(*id).ctors {
                all.extend(constructed(terms, sort, ctor, limit)?);
            }
            all
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
            // It has a name and no value.
            Value::Opaque(..) => continue,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::read::read_script;

    fn truths(source: &str) -> Vec<Result<bool, crate::eval::Undefined>> {
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, source);
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        let model = Model::default();
        let mut evaluator = Evaluator::new(&terms, &model);
        reading.script.assertions().map(|a| evaluator.truth(a)).collect()
    }

    #[test]
    fn quantifiers_over_finite_datatypes_are_decided() {
        let found = truths(
            "(declare-datatypes ((E 0) (R 0)) (((a) (b) (c)) ((mk (left E) (flag Bool)) (none))))\
             (assert (forall ((x E)) (or (= x a) (= x b) (= x c))))\
             (assert (forall ((x E)) (or (= x a) (= x b))))\
             (assert (exists ((r R)) (and ((_ is mk) r) (= (left r) c) (flag r))))\
             (assert (forall ((r R) (s R)) (=> (and ((_ is mk) r) ((_ is mk) s) (= (left r) (left s))) (= r s))))",
        );
        assert_eq!(found, [Ok(true), Ok(false), Ok(true), Ok(false)]);
    }

    #[test]
    fn finite_datatypes_have_all_their_values() {
        let mut terms = Terms::new();
        let source = "(declare-datatypes ((E 0) (R 0) (L 0)) (((a) (b) (c)) ((mk (left E) (bits (_ BitVec 2))) (none)) ((nil) (cons (tail L)))))\
                      (declare-const r R)(declare-const l L)";
        let script = read_script(&mut terms, source).script;
        let sorts: Vec<SortId> = script
            .commands
            .iter()
            .filter_map(|c| {
                if let crate::Command::DeclareConst(f) = c { Some(terms.fun(*f).result) } else { None }
            })
            .collect();
        let all = values_of(&terms, sorts[0], 100).expect("a finite sort");
        assert_eq!(all.len(), 13);
        assert!(all.iter().enumerate().all(|(i, v)| !all[..i].contains(v)));
        assert_eq!(values_of(&terms, sorts[0], 12), None);
        assert_eq!(values_of(&terms, sorts[1], 100), None);
    }
}
