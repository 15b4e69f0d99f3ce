//! Sequences, finite sets and bags on values, as cvc5 defines them (Z3's sequences mean the same).
//!
//! Sets and bags are kept in one form, which needs elements whose equality is equality of structure. With other elements
//! (functions, arrays) the value of an operation is left open rather than computed wrongly.

use super::core::{equal, is_plain};
use super::{Call, EvalResult, Undefined};
use crate::value::{CollectionValue, Value};
use dashu_base::Signed;
use dashu_int::IBig;
use std::cmp::Ordering;
use std::sync::Arc;

/// Collections with more elements than this are not computed.
const MAX_ITEMS: usize = 1 << 16;

fn items<'a>(call: &Call<'a>, i: usize) -> Result<&'a [Value], Undefined> {
    match &call.args[i] {
        Value::Collection(collection) => Ok(&collection.items),
        _ => Err(Undefined::Opaque),
    }
}

/// The elements of a set or bag, which must be told apart by their structure.
fn plain<'a>(call: &Call<'a>, i: usize) -> Result<&'a [Value], Undefined> {
    let items = items(call, i)?;
    if items.iter().all(is_plain) { Ok(items) } else { Err(Undefined::Equality) }
}

fn plain_item<'a>(call: &Call<'a>, i: usize) -> Result<&'a Value, Undefined> {
    let item = &call.args[i];
    if is_plain(item) { Ok(item) } else { Err(Undefined::Equality) }
}

/// An integer argument as a position; `None` if it is negative or beyond every collection.
fn position(call: &Call<'_>, i: usize) -> Option<usize> {
    usize::try_from(call.args[i].as_int().expect("the argument is an integer")).ok()
}

/// The collection that an operation gives, of the sort of its application.
fn made(call: &Call<'_>, items: Vec<Value>) -> EvalResult {
    if items.len() > MAX_ITEMS {
        return Err(Undefined::Limit("a collection has too many elements to evaluate"));
    }
    Ok(Value::Collection(Arc::new(CollectionValue { sort: call.sort, items })))
}

fn count(n: usize) -> EvalResult {
    Ok(Value::Int(IBig::from(n)))
}

/// `seq.unit` and `set.singleton`.
pub(crate) fn unit(call: &mut Call<'_>) -> EvalResult {
    made(call, vec![call.args[0].clone()])
}

pub(crate) fn seq_concat(call: &mut Call<'_>) -> EvalResult {
    let mut all = Vec::new();
    for i in 0..call.args.len() {
        let part = items(call, i)?;
        if all.len() + part.len() > MAX_ITEMS {
            return Err(Undefined::Limit("a collection has too many elements to evaluate"));
        }
        all.extend_from_slice(part);
    }
    made(call, all)
}

pub(crate) fn seq_len(call: &mut Call<'_>) -> EvalResult {
    count(items(call, 0)?.len())
}

pub(crate) fn seq_at(call: &mut Call<'_>) -> EvalResult {
    let item = position(call, 1).and_then(|i| items(call, 0).ok()?.get(i));
    made(call, item.cloned().into_iter().collect())
}

pub(crate) fn seq_nth(call: &mut Call<'_>) -> EvalResult {
    let sequence = items(call, 0)?;
    position(call, 1).and_then(|i| sequence.get(i)).cloned().ok_or(Undefined::OutsideSequence)
}

pub(crate) fn seq_extract(call: &mut Call<'_>) -> EvalResult {
    let sequence = items(call, 0)?;
    let length = call.args[2].as_int().expect("the argument is an integer");
    let part = match position(call, 1).and_then(|i| sequence.get(i..)) {
        Some(rest) if !length.is_negative() => {
            // A length beyond every sequence means the rest.
            let length = usize::try_from(length).unwrap_or(usize::MAX).min(rest.len());
            rest[..length].to_vec()
        }
        _ => Vec::new(),
    };
    made(call, part)
}

/// The elements from a position on are replaced by those of another sequence, as far as the first one goes.
pub(crate) fn seq_update(call: &mut Call<'_>) -> EvalResult {
    let (mut sequence, by) = (items(call, 0)?.to_vec(), items(call, 2)?);
    if let Some(rest) = position(call, 1).and_then(|i| sequence.get_mut(i..)) {
        for (old, new) in rest.iter_mut().zip(by) {
            *old = new.clone();
        }
    }
    made(call, sequence)
}

/// Whether a sequence begins with another one.
fn begins(call: &mut Call<'_>, sequence: &[Value], with: &[Value]) -> Result<bool, Undefined> {
    if with.len() > sequence.len() {
        return Ok(false);
    }
    let mut open = None;
    for (a, b) in sequence.iter().zip(with) {
        match equal(call.terms, call.regexes, a, b) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(reason) => open = Some(reason),
        }
    }
    open.map_or(Ok(true), Err)
}

/// Where a sequence first occurs in another one, from a position on.
fn find(
    call: &mut Call<'_>,
    sequence: &[Value],
    wanted: &[Value],
    from: usize,
) -> Result<Option<usize>, Undefined> {
    if wanted.len().saturating_mul(sequence.len()) > 1 << 24 {
        return Err(Undefined::Limit("a search in a sequence takes too long to evaluate"));
    }
    for i in from..=sequence.len().saturating_sub(wanted.len()) {
        if i <= sequence.len() && begins(call, &sequence[i..], wanted)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

pub(crate) fn seq_contains(call: &mut Call<'_>) -> EvalResult {
    let (sequence, wanted) = (items(call, 0)?, items(call, 1)?);
    Ok(Value::Bool(find(call, sequence, wanted, 0)?.is_some()))
}

pub(crate) fn seq_index_of(call: &mut Call<'_>) -> EvalResult {
    let (sequence, wanted) = (items(call, 0)?, items(call, 1)?);
    let found = match position(call, 2) {
        Some(from) if from <= sequence.len() => find(call, sequence, wanted, from)?,
        _ => None,
    };
    found.map_or(Ok(Value::Int(IBig::NEG_ONE)), count)
}

/// The first occurrence is replaced. As with strings, the empty sequence occurs at the start.
pub(crate) fn seq_replace(call: &mut Call<'_>) -> EvalResult {
    let (sequence, wanted, by) = (items(call, 0)?, items(call, 1)?, items(call, 2)?);
    match find(call, sequence, wanted, 0)? {
        Some(i) => made(call, [&sequence[..i], by, &sequence[i + wanted.len()..]].concat()),
        None => made(call, sequence.to_vec()),
    }
}

/// All occurrences from the left that do not overlap are replaced. The empty sequence is not replaced.
pub(crate) fn seq_replace_all(call: &mut Call<'_>) -> EvalResult {
    let (sequence, wanted, by) = (items(call, 0)?, items(call, 1)?, items(call, 2)?);
    if wanted.is_empty() {
        return made(call, sequence.to_vec());
    }
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(i) = find(call, sequence, wanted, at)? {
        if all.len() + by.len() + (i - at) > MAX_ITEMS {
            return Err(Undefined::Limit("a collection has too many elements to evaluate"));
        }
        all.extend_from_slice(&sequence[at..i]);
        all.extend_from_slice(by);
        at = i + wanted.len();
    }
    all.extend_from_slice(&sequence[at..]);
    made(call, all)
}

pub(crate) fn seq_rev(call: &mut Call<'_>) -> EvalResult {
    let reversed = items(call, 0)?.iter().rev().cloned().collect();
    made(call, reversed)
}

pub(crate) fn seq_prefix_of(call: &mut Call<'_>) -> EvalResult {
    let (prefix, sequence) = (items(call, 0)?, items(call, 1)?);
    begins(call, sequence, prefix).map(Value::Bool)
}

pub(crate) fn seq_suffix_of(call: &mut Call<'_>) -> EvalResult {
    let (suffix, sequence) = (items(call, 0)?, items(call, 1)?);
    match sequence.len().checked_sub(suffix.len()) {
        Some(start) => begins(call, &sequence[start..], suffix).map(Value::Bool),
        None => Ok(Value::Bool(false)),
    }
}

/// Two ascending lists merged element by element: how often each of their elements occurs in the result, from how often it
/// occurs in the two.
fn merged(call: &Call<'_>, often: fn(usize, usize) -> usize) -> EvalResult {
    let (mut a, mut b) = (plain(call, 0)?, plain(call, 1)?);
    let mut all = Vec::new();
    // How often the first element of an ascending list occurs in it.
    let run = |list: &[Value]| list.iter().take_while(|v| **v == list[0]).count();
    while !(a.is_empty() && b.is_empty()) {
        let order = match (a.first(), b.first()) {
            (Some(x), Some(y)) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        let in_a = if order == Ordering::Greater { 0 } else { run(a) };
        let in_b = if order == Ordering::Less { 0 } else { run(b) };
        let item = if in_a > 0 { &a[0] } else { &b[0] };
        all.extend(std::iter::repeat_n(item.clone(), often(in_a, in_b)));
        (a, b) = (&a[in_a..], &b[in_b..]);
    }
    made(call, all)
}

pub(crate) fn set_union(call: &mut Call<'_>) -> EvalResult {
    merged(call, usize::max)
}

pub(crate) fn set_inter(call: &mut Call<'_>) -> EvalResult {
    merged(call, usize::min)
}

pub(crate) fn set_minus(call: &mut Call<'_>) -> EvalResult {
    merged(call, usize::saturating_sub)
}

pub(crate) fn bag_union_max(call: &mut Call<'_>) -> EvalResult {
    merged(call, usize::max)
}

pub(crate) fn bag_union_disjoint(call: &mut Call<'_>) -> EvalResult {
    merged(call, |a, b| a + b)
}

pub(crate) fn bag_inter_min(call: &mut Call<'_>) -> EvalResult {
    merged(call, usize::min)
}

pub(crate) fn bag_subtract(call: &mut Call<'_>) -> EvalResult {
    merged(call, usize::saturating_sub)
}

/// What occurs in the second bag at all is removed.
pub(crate) fn bag_remove(call: &mut Call<'_>) -> EvalResult {
    merged(call, |a, b| if b > 0 { 0 } else { a })
}

pub(crate) fn set_insert(call: &mut Call<'_>) -> EvalResult {
    let (item, mut set) = (plain_item(call, 0)?, plain(call, 1)?.to_vec());
    if let Err(place) = set.binary_search(item) {
        set.insert(place, item.clone());
    }
    made(call, set)
}

/// `set.member` and `bag.member`.
pub(crate) fn member(call: &mut Call<'_>) -> EvalResult {
    let (item, all) = (plain_item(call, 0)?, plain(call, 1)?);
    Ok(Value::Bool(all.binary_search(item).is_ok()))
}

/// `set.subset` and `bag.subbag`: nothing is left when the second is taken away.
pub(crate) fn sub_collection(call: &mut Call<'_>) -> EvalResult {
    match merged(call, usize::saturating_sub)? {
        Value::Collection(left) => Ok(Value::Bool(left.items.is_empty())),
        _ => unreachable!("a difference is a collection"),
    }
}

/// `set.card` and `bag.card`.
pub(crate) fn size(call: &mut Call<'_>) -> EvalResult {
    count(plain(call, 0)?.len())
}

pub(crate) fn is_empty(call: &mut Call<'_>) -> EvalResult {
    Ok(Value::Bool(items(call, 0)?.is_empty()))
}

pub(crate) fn is_singleton(call: &mut Call<'_>) -> EvalResult {
    Ok(Value::Bool(plain(call, 0)?.len() == 1))
}

/// `(bag x n)`: empty where the count is not positive.
pub(crate) fn bag(call: &mut Call<'_>) -> EvalResult {
    let item = plain_item(call, 0)?;
    let often = call.args[1].as_int().expect("the argument is an integer");
    if !often.is_positive() || *often == IBig::ZERO {
        return made(call, Vec::new());
    }
    match usize::try_from(often) {
        Ok(often) if often <= MAX_ITEMS => made(call, vec![item.clone(); often]),
        _ => Err(Undefined::Limit("a collection has too many elements to evaluate")),
    }
}

pub(crate) fn bag_count(call: &mut Call<'_>) -> EvalResult {
    let (item, all) = (plain_item(call, 0)?, plain(call, 1)?);
    count(all.iter().filter(|v| *v == item).count())
}

/// Every element once.
pub(crate) fn bag_set_of(call: &mut Call<'_>) -> EvalResult {
    let mut all = plain(call, 0)?.to_vec();
    all.dedup();
    made(call, all)
}
