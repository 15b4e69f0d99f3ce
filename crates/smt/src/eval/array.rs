//! ArraysEx on values.

use super::domain::values_of;
use super::{Call, EvalResult, Undefined};
use crate::sort::Sort;
use crate::term::Terms;
use crate::value::{ArrayValue, Value};
use std::sync::Arc;

pub(crate) fn select(call: &mut Call<'_>) -> EvalResult {
    match &call.args[0] {
        Value::Array(array) if !can_look_up(array, &call.args[1]) => Err(Undefined::Equality),
        Value::Array(array) => array.select(&call.args[1]).cloned().ok_or(Undefined::UnlistedElement),
        _ => Err(Undefined::Opaque),
    }
}

pub(crate) fn store(call: &mut Call<'_>) -> EvalResult {
    match &call.args[0] {
        Value::Array(_) if !call.args[1].is_told_by_looks() => Err(Undefined::Equality),
        Value::Array(array) => {
            Ok(stored(call.terms, array.clone(), call.args[1].clone(), call.args[2].clone()))
        }
        Value::Function(_) => Err(Undefined::Unsupported("store on an array that is given by a function")),
        _ => Err(Undefined::Opaque),
    }
}

/// Whether an index is among the entries, or known not to be.
pub(super) fn can_look_up(array: &ArrayValue, index: &Value) -> bool {
    array.entries.is_empty() || array.entries.contains_key(index) || index.is_told_by_looks()
}

/// An array after a write. The write is done in place if this is the only reference to the array.
pub(super) fn stored(terms: &Terms, array: Arc<ArrayValue>, index: Value, element: Value) -> Value {
    let mut array = Arc::unwrap_or_clone(array);
    array.store(index, element);
    canonical(terms, array)
}

/// Index sorts with at most this many values have arrays in one form only.
const SMALL_INDEX: u64 = 256;

/// Over a small index sort several defaults can describe one array: the default becomes the least of the most frequent
/// elements, so that equal arrays are equal values.
pub fn canonical(terms: &Terms, mut array: ArrayValue) -> Value {
    if let Sort::Array(index, _) = *terms.sort_of(array.sort)
        && !array.entries.is_empty()
        && array.default.is_some()
        && let Some(indices) = values_of(terms, index, SMALL_INDEX)
    {
        let elements: Vec<Value> =
            indices.iter().map(|i| array.select(i).cloned().expect("there is a default")).collect();
        let mut sorted: Vec<&Value> = elements.iter().collect();
        sorted.sort_unstable();
        let frequent =
            sorted.chunk_by(|a, b| a == b).rev().max_by_key(|group| group.len()).expect("a sort has values")
                [0]
            .clone();
        array = ArrayValue::constant(array.sort, frequent);
        for (index, element) in indices.into_iter().zip(elements) {
            array.store(index, element);
        }
    }
    Value::Array(Arc::new(array))
}
