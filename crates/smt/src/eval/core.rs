//! Core: connectives that need not know all their arguments, equality of values.

use super::{Call, EvalResult, Need, Undefined};
use crate::regex::Regexes;
use crate::sort::{Collection, Sort};
use crate::term::Terms;
use crate::value::{ArrayValue, CollectionValue, Value};

fn truth(outcome: &EvalResult) -> Option<bool> {
    outcome.as_ref().ok().map(|v| v.as_bool().expect("the argument is Boolean"))
}

fn done(value: bool) -> Need {
    Need::Done(Ok(Value::Bool(value)))
}

/// The next argument, or what the undefined ones among all leave.
fn next_or(seen: &[EvalResult], total: usize, otherwise: bool) -> Need {
    if seen.len() < total {
        return Need::Arg(seen.len());
    }
    match seen.iter().position(Result::is_err) {
        Some(i) => Need::Undefined(i),
        None => done(otherwise),
    }
}

pub(crate) fn not(seen: &[EvalResult], _: usize) -> Need {
    match seen.first() {
        None => Need::Arg(0),
        Some(arg) => truth(arg).map_or(Need::Undefined(0), |b| done(!b)),
    }
}

pub(crate) fn and(seen: &[EvalResult], total: usize) -> Need {
    match seen.last().and_then(truth) {
        Some(false) => done(false),
        _ => next_or(seen, total, true),
    }
}

pub(crate) fn or(seen: &[EvalResult], total: usize) -> Need {
    match seen.last().and_then(truth) {
        Some(true) => done(true),
        _ => next_or(seen, total, false),
    }
}

/// Right-associative: true if a premise is false or the conclusion true.
pub(crate) fn implies(seen: &[EvalResult], total: usize) -> Need {
    match seen.last().and_then(truth) {
        Some(false) if seen.len() < total => done(true),
        Some(true) if seen.len() == total => done(true),
        _ => next_or(seen, total, false),
    }
}

/// With an undefined condition the value is known only if both branches agree.
pub(crate) fn ite(seen: &[EvalResult], _: usize) -> Need {
    let Some(condition) = seen.first() else { return Need::Arg(0) };
    match (truth(condition), seen) {
        (Some(true), [_, then, ..]) => Need::Done(then.clone()),
        (Some(true), _) => Need::Arg(1),
        (Some(false), [_, _, otherwise]) => Need::Done(otherwise.clone()),
        (Some(false), _) => Need::Arg(2),
        (None, [_, Ok(a), Ok(b)]) if a == b => Need::Done(Ok(a.clone())),
        (None, [_, Err(_), ..] | [_, _, _]) => Need::Undefined(0),
        (None, seen) => Need::Arg(seen.len()),
    }
}

pub(crate) fn xor(call: &mut Call<'_>) -> EvalResult {
    let odd = call.args.iter().filter(|v| **v == Value::Bool(true)).count() % 2 == 1;
    Ok(Value::Bool(odd))
}

pub(crate) fn eq(call: &mut Call<'_>) -> EvalResult {
    let mut open = None;
    for pair in call.args.windows(2) {
        match equal(call.terms, call.regexes, &pair[0], &pair[1]) {
            Ok(true) => {}
            Ok(false) => return Ok(Value::Bool(false)),
            Err(reason) => open = Some(reason),
        }
    }
    open.map_or(Ok(Value::Bool(true)), Err)
}

pub(crate) fn distinct(call: &mut Call<'_>) -> EvalResult {
    // Where structure decides, sorting finds twins without comparing all pairs.
    if call.args.iter().all(is_plain) {
        let mut sorted: Vec<&Value> = call.args.iter().collect();
        sorted.sort_unstable();
        return Ok(Value::Bool(sorted.windows(2).all(|w| w[0] != w[1])));
    }
    let mut open = None;
    for (i, a) in call.args.iter().enumerate() {
        for b in &call.args[i + 1..] {
            match equal(call.terms, call.regexes, a, b) {
                Ok(true) => return Ok(Value::Bool(false)),
                Ok(false) => {}
                Err(reason) => open = Some(reason),
            }
        }
    }
    open.map_or(Ok(Value::Bool(true)), Err)
}

/// Whether equality of this value is known to be equality of structure.
pub(super) fn is_plain(value: &Value) -> bool {
    match value {
        // Recursion is bounded by the sort, which has no datatypes or only ones that are not looked into.
        Value::Collection(collection) => collection.items.iter().all(is_plain),
        Value::Array(_) | Value::Datatype(_) | Value::Function(_) | Value::Regex(_) | Value::Opaque(..) => {
            false
        }
        _ => true,
    }
}

/// SMT-LIB's `=` on values.
pub(crate) fn equal(terms: &Terms, regexes: &mut Regexes, a: &Value, b: &Value) -> Result<bool, Undefined> {
    match (a, b) {
        (Value::Array(x), Value::Array(y)) => arrays_equal(terms, regexes, x, y),
        (Value::Datatype(x), Value::Datatype(y)) => {
            if x.ctor != y.ctor {
                return Ok(false);
            }
            let mut open = None;
            for (f, g) in x.fields.iter().zip(&y.fields) {
                match equal(terms, regexes, f, g) {
                    Ok(true) => {}
                    Ok(false) => return Ok(false),
                    Err(reason) => open = Some(reason),
                }
            }
            open.map_or(Ok(true), Err)
        }
        (Value::Collection(x), Value::Collection(y)) => {
            if x.items.iter().chain(&y.items).all(is_plain) {
                return Ok(x == y);
            }
            collections_equal(terms, regexes, x, y)
        }
        (Value::Regex(x), Value::Regex(y)) => {
            let (left, right) = (regexes.diff(*x, *y), regexes.diff(*y, *x));
            let difference = regexes.union(&[left, right]);
            Ok(regexes.is_empty_language(difference)?)
        }
        (Value::Opaque(..), _) | (_, Value::Opaque(..)) => Err(Undefined::Opaque),
        (Value::Function(_), _) | (_, Value::Function(_)) => {
            if a == b {
                Ok(true)
            } else {
                Err(Undefined::Equality)
            }
        }
        _ => Ok(a == b),
    }
}

/// Collections of elements that structure does not tell apart: sequences element by element, the others only where they are the
/// same (sets and bags of such elements are never made by an operation, but a model may name them).
fn collections_equal(
    terms: &Terms,
    regexes: &mut Regexes,
    a: &CollectionValue,
    b: &CollectionValue,
) -> Result<bool, Undefined> {
    if !matches!(terms.sort_of(a.sort), Sort::Collection(Collection::Seq, _)) {
        return if a == b { Ok(true) } else { Err(Undefined::Equality) };
    }
    if a.items.len() != b.items.len() {
        return Ok(false);
    }
    let mut open = None;
    for (x, y) in a.items.iter().zip(&b.items) {
        match equal(terms, regexes, x, y) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(reason) => open = Some(reason),
        }
    }
    open.map_or(Ok(true), Err)
}

fn arrays_equal(
    terms: &Terms,
    regexes: &mut Regexes,
    a: &ArrayValue,
    b: &ArrayValue,
) -> Result<bool, Undefined> {
    let mut open = None;
    let mut listed = 0u64;
    for index in a.entries.keys().chain(b.entries.keys().filter(|k| !a.entries.contains_key(k))) {
        listed += 1;
        match (a.select(index), b.select(index)) {
            (Some(x), Some(y)) => match equal(terms, regexes, x, y) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(reason) => open = Some(reason),
            },
            _ => open = Some(Undefined::UnlistedElement),
        }
    }
    let Sort::Array(index, _) = *terms.sort_of(a.sort) else { return Err(Undefined::Equality) };
    if super::domain::cardinality(terms, index) != Some(listed) {
        match (&a.default, &b.default) {
            (Some(x), Some(y)) => match equal(terms, regexes, x, y) {
                Ok(true) => {}
                // Perhaps the listed indices are all that there are.
                Ok(false) if super::domain::may_be_small(terms, index) => open = Some(Undefined::Equality),
                Ok(false) => return Ok(false),
                Err(reason) => open = Some(reason),
            },
            _ => open = Some(Undefined::UnlistedElement),
        }
    }
    open.map_or(Ok(true), Err)
}
