//! The simplest terms of a sort, and constants that are simpler than a given one.

use super::weight;
use smt::{
    BitVec, CollectionValue, FieldValue, Float, IBig, Op, RBig, RoundingMode, SmtString, Sort, SortId,
    TermId, Terms, UBig, Value,
};
use std::sync::Arc;

/// The simplest terms of a sort that hold no symbols: none for sorts whose elements have no names.
pub(super) fn simplest(terms: &mut Terms, sort: SortId) -> Vec<TermId> {
    let format = |eb, sb| smt::Format { eb, sb };
    let values = match terms.sort_of(sort).clone() {
        Sort::Bool => return vec![TermId::TRUE, TermId::FALSE],
        Sort::Int => vec![Value::Int(IBig::ZERO), Value::Int(IBig::ONE)],
        Sort::Real => vec![Value::Real(RBig::ZERO), Value::Real(RBig::ONE)],
        Sort::RoundingMode => vec![Value::Rm(RoundingMode::Rne)],
        Sort::String => vec![Value::String(SmtString::empty()), Value::String(SmtString::from_latin1(b"a"))],
        Sort::BitVec(width) => {
            vec![Value::BitVec(BitVec::zero(width)), Value::BitVec(BitVec::from_u64(width, 1))]
        }
        Sort::Float(eb, sb) if format(eb, sb).is_supported() => {
            vec![
                Value::Float(Float::zero(format(eb, sb), false)),
                Value::Float(Float::one(format(eb, sb), false)),
            ]
        }
        Sort::RegLan => return vec![terms.mk(Op::ReAll, &[]), terms.mk(Op::ReNone, &[])],
        Sort::Datatype(id, _) => {
            let nullary =
                terms.datatype(id).ctors.iter().copied().filter(|&c| terms.ctor(c).fields.is_empty());
            let ctors: Vec<_> = nullary.take(2).collect();
            return ctors.into_iter().filter_map(|c| terms.construct(c, &[], Some(sort)).ok()).collect();
        }
        Sort::Collection(..) => {
            vec![Value::Collection(Arc::new(CollectionValue { sort, items: Vec::new() }))]
        }
        Sort::FiniteField(_) => {
            [0u8, 1].map(|value| Value::Field(Arc::new(FieldValue { sort, value: value.into() }))).to_vec()
        }
        Sort::Float(..)
        | Sort::Array(..)
        | Sort::Uninterpreted(..)
        | Sort::Function(..)
        | Sort::Parameter(_) => return Vec::new(),
    };
    values.into_iter().map(|value| terms.constant(value)).collect()
}

/// Constants of the same sort that are simpler than a value, the simplest first.
pub(super) fn simpler(terms: &mut Terms, value: &Value, sort: SortId) -> Vec<TermId> {
    let two = || IBig::from(2);
    let more: Vec<Value> = match value {
        Value::Int(i) => {
            // `/` and `%` of this type truncate, so halving goes towards zero.
            let toward = if *i > IBig::ZERO { i - IBig::ONE } else { i + IBig::ONE };
            vec![Value::Int(-i.clone()), Value::Int(i / two()), Value::Int(toward)]
        }
        Value::Real(r) => {
            let whole = r.numerator() / IBig::from(r.denominator().clone());
            let half = RBig::from(&whole / two());
            vec![Value::Real(half), Value::Real(RBig::from(whole)), Value::Real(-r.clone())]
        }
        Value::BitVec(bits) => {
            let (width, n) = (bits.width(), bits.to_ubig());
            let mut list = vec![Value::BitVec(BitVec::new(width, n >> 1))];
            if *n > UBig::ZERO {
                list.push(Value::BitVec(BitVec::new(width, n - UBig::ONE)));
            }
            list
        }
        Value::Float(float) => {
            let (sign, exponent, significand) = float.parts();
            let format = float.format();
            let low = (format.sb as usize).div_ceil(2);
            let shorter = (significand >> low) << low;
            vec![
                Value::Float(Float::from_parts(sign, exponent.clone(), UBig::ZERO, format)),
                Value::Float(Float::from_parts(sign, exponent, shorter, format)),
                Value::Float(float.abs()),
            ]
        }
        Value::String(text) => strings(text).into_iter().map(Value::String).collect(),
        _ => Vec::new(),
    };
    let limit = weight::value(value);
    let mut list = simplest(terms, sort);
    for value in more {
        let term = terms.constant(value);
        if !list.contains(&term) {
            list.push(term);
        }
    }
    list.retain(|&t| terms.as_value(t).is_some_and(|v| weight::value(v) < limit));
    list
}

/// Halves of a string, the string without its first or last character, and the string with plain characters.
fn strings(text: &SmtString) -> Vec<SmtString> {
    let all: Vec<u32> = text.iter().collect();
    let n = all.len();
    let part = |from: usize, to: usize| SmtString::from_code_points(all[from..to].iter().copied());
    let mut list = Vec::new();
    if n > 1 {
        list.extend([part(0, n / 2), part(n / 2, n), part(0, n - 1), part(1, n)]);
    }
    list.push(SmtString::from_code_points(all.iter().map(|_| u32::from('a'))));
    let plain = |c: u32| char::from_u32(c).is_some_and(|c| c.is_ascii_alphanumeric());
    list.push(SmtString::from_code_points(all.iter().map(|&c| if plain(c) { c } else { u32::from('a') })));
    list.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_simpler_is_lighter_and_of_the_same_sort() {
        let mut terms = Terms::new();
        let text = "(set-logic ALL)(assert (and (= 100 (- 7)) (= 2.5 (/ 1.0 3.0)) (= #xff #x01) (= \"h\u{e9}llo\" \"ab\")
            (= (fp #b1 #b10000 #b0000000111) (_ NaN 5 11)) (= RTZ RNE)))";
        let reading = smt::read_script(&mut terms, text);
        assert!(reading.errors.is_empty());
        let mut seen = 0;
        for term in smt::walk::reachable(&terms, &reading.script.terms()) {
            let Some(value) = terms.as_value(term).cloned() else { continue };
            let sort = terms.sort(term);
            let list = simpler(&mut terms, &value, sort);
            for &other in &list {
                assert_eq!(terms.sort(other), terms.sort(term));
                assert!(weight::value(terms.as_value(other).unwrap()) < weight::value(&value));
            }
            seen += list.len();
        }
        assert!(seen > 30, "{seen}");
    }
}
