//! Random values, and how they are written as terms: those at which implementations go wrong (extremes, zeros, NaN,
//! subnormals, empty strings) more often than others.

use super::super::chain;
use random::Rng;
use smt::{
    ArrayValue, BitVec, Collection, CollectionValue, FieldValue, Float, Format, IBig, Op, RBig, RoundingMode,
    Sort, SortId, TermId, Terms, UBig, Value,
};
use std::sync::Arc;

/// A value of a sort. Sorts that have none here do not occur in signatures.
pub(in crate::truth) fn value(terms: &Terms, rng: &mut Rng, sort: SortId) -> Value {
    match *terms.sort_of(sort) {
        Sort::Bool => Value::Bool(rng.one_in(2)),
        Sort::Int => Value::Int(int(rng)),
        Sort::Real => Value::Real(real(rng)),
        Sort::RoundingMode => Value::Rm(rng.pick(&RoundingMode::ALL)),
        Sort::String => chain::value(sort, rng),
        Sort::BitVec(width) => Value::BitVec(bits(rng, width)),
        Sort::Float(eb, sb) => Value::Float(float(rng, Format { eb, sb })),
        Sort::Array(index, element) => {
            let mut array = ArrayValue::constant(sort, value(terms, rng, element));
            for _ in 0..rng.below(3) {
                array.store(value(terms, rng, index), value(terms, rng, element));
            }
            Value::Array(Arc::new(array))
        }
        Sort::Collection(kind, item) => {
            let mut items: Vec<Value> = (0..rng.below(4)).map(|_| value(terms, rng, item)).collect();
            if kind != Collection::Seq {
                items.sort_unstable();
            }
            if kind == Collection::Set {
                items.dedup();
            }
            Value::Collection(Arc::new(CollectionValue { sort, items }))
        }
        Sort::FiniteField(ref order) => {
            let value = UBig::from(rng.bits()) % order;
            Value::Field(Arc::new(FieldValue { sort, value }))
        }
        ref other => unreachable!("no signature has the sort {other:?}"),
    }
}

/// A value as a term: arrays as stores into a constant array, collections element by element, everything else as a literal.
pub(in crate::truth) fn literal(terms: &mut Terms, value: &Value) -> TermId {
    let array = match value {
        Value::Array(array) => array,
        Value::Collection(collection) => return joined(terms, collection),
        _ => return terms.constant(value.clone()),
    };
    let default = array.default.as_ref().expect("arrays are made with a default");
    let default = literal(terms, default);
    let base = terms.const_array(array.sort, default).expect("an element of the array's sort");
    array.entries.iter().fold(base, |array, (index, element)| {
        let (index, element) = (literal(terms, index), literal(terms, element));
        terms.mk(Op::Store, &[array, index, element])
    })
}

/// A collection as the union or concatenation of its elements.
fn joined(terms: &mut Terms, collection: &CollectionValue) -> TermId {
    let Sort::Collection(kind, _) = *terms.sort_of(collection.sort) else {
        unreachable!("the sort of a collection")
    };
    let join = match kind {
        Collection::Seq => Op::SeqConcat,
        Collection::Set => Op::SetUnion,
        Collection::Bag => Op::BagUnionDisjoint,
    };
    let parts: Vec<TermId> = collection
        .items
        .iter()
        .map(|item| {
            let item = literal(terms, item);
            match kind {
                Collection::Seq => terms.mk(Op::SeqUnit, &[item]),
                Collection::Set => terms.mk(Op::SetSingleton, &[item]),
                Collection::Bag => {
                    let once = terms.int(1);
                    terms.mk(Op::Bag, &[item, once])
                }
            }
        })
        .collect();
    match parts.into_iter().reduce(|all, part| terms.mk(join, &[all, part])) {
        Some(all) => all,
        None => terms.constant(Value::Collection(Arc::new(collection.clone()))),
    }
}

fn int(rng: &mut Rng) -> IBig {
    match rng.below(8) {
        0 => (IBig::ONE << rng.pick(&[7usize, 31, 32, 63, 64])) + IBig::from(rng.between(-1, 1)),
        1 => -(IBig::ONE << rng.pick(&[7usize, 31, 32, 63, 64])) + IBig::from(rng.between(-1, 1)),
        // Zeros, ones and equal values are where terms collapse.
        2..=4 => rng.between(-2, 2).into(),
        _ => rng.between(-12, 12).into(),
    }
}

fn real(rng: &mut Rng) -> RBig {
    let denominator: u8 = rng.pick(&[1, 1, 2, 3, 7, 10, 128]);
    RBig::from_parts(int(rng), UBig::from(denominator))
}

fn bits(rng: &mut Rng, width: u32) -> BitVec {
    match rng.below(8) {
        0 => BitVec::zero(width),
        1 => BitVec::ones(width),
        2 => BitVec::min_signed(width),
        3 => BitVec::min_signed(width).not(),
        4 => BitVec::from_int(width, &IBig::from(i64::from(width) + rng.between(-1, 1))),
        5 => BitVec::from_int(width, &IBig::from(rng.between(-5, 5))),
        _ => (0..width.div_ceil(64))
            .map(|_| rng.bits())
            .fold(None, |high: Option<UBig>, word| {
                Some(high.map_or(UBig::from(word), |high| (high << 64) | UBig::from(word)))
            })
            .map_or(BitVec::zero(width), |all| BitVec::new(width, all)),
    }
}

fn float(rng: &mut Rng, format: Format) -> Float {
    let negative = rng.one_in(2);
    match rng.below(12) {
        0 => Float::nan(format),
        1 => Float::infinity(format, negative),
        2 => Float::zero(format, negative),
        3 => Float::min_subnormal(format, negative),
        4 => Float::max_finite(format, negative),
        5 => Float::min_normal(format, negative),
        6..=9 => {
            let halves = RBig::from_parts(IBig::from(rng.between(-20, 20)), UBig::from(2u8));
            Float::from_real(rng.pick(&RoundingMode::ALL), &halves, format)
        }
        _ => Float::from_bits(format, bits(rng, format.width()).to_ubig().clone()),
    }
}
