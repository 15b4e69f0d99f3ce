//! Changed numbers and characters.

use super::Mutator;
use crate::evolve::grow;
use crate::evolve::individual::Individual;
use crate::evolve::place::{self, Place};
use random::Rng;
use smt::{BitVec, Float, IBig, Op, SmtString, TermId, Terms, UBig, Value};

/// Changes one string or number.
pub(super) fn fuzz_literal(m: &mut Mutator, parent: &Individual) -> Option<Individual> {
    let spots = place::places(m.terms, parent, |t| {
        matches!(
            m.terms.as_value(t),
            Some(Value::String(_) | Value::Int(_) | Value::Real(_) | Value::BitVec(_) | Value::Float(_))
        )
    });
    if spots.is_empty() {
        return None;
    }
    let spot = m.rng.pick(&spots);
    let old = m.terms.as_value(spot.term)?.clone();
    let new = match &old {
        Value::String(text) if under_range(m.terms, parent, &spot) => {
            Value::String(replace_character(m.rng, text))
        }
        Value::String(text) => Value::String(string(m.rng, text)),
        Value::Int(number) => Value::Int(integer(m.rng, number)),
        Value::Real(number) => Value::Real(number.clone() + smt::RBig::from(integer(m.rng, &IBig::ZERO))),
        Value::BitVec(bits) => Value::BitVec(bit_vector(m.rng, bits)),
        Value::Float(float) => Value::Float(change_float(m.rng, float)),
        _ => return None,
    };
    if new == old {
        return None;
    }
    let new = m.terms.constant(new);
    let changed = place::put(m.terms, parent.assertions(), &spot, new)?;
    Some(Individual::new(m.terms, &changed))
}

/// Whether a literal is a bound of `re.range`, which must stay one character.
fn under_range(terms: &Terms, individual: &Individual, spot: &Place) -> bool {
    let mut parent: TermId = individual.assertions()[spot.assertion];
    let Some((_, way)) = spot.path.split_last() else { return false };
    for &at in way {
        parent = terms.args(parent)[at as usize];
    }
    terms.op(parent) == Op::ReRange
}

fn rebuilt(code_points: Vec<u32>) -> SmtString {
    SmtString::from_code_points(code_points).unwrap_or_else(SmtString::empty)
}

fn replace_character(rng: &mut Rng, text: &SmtString) -> SmtString {
    let mut codes: Vec<u32> = text.iter().collect();
    if let Some(at) = (!codes.is_empty()).then(|| rng.below(codes.len())) {
        codes[at] = u32::from(grow::character(rng));
    }
    rebuilt(codes)
}

/// A character replaced, inserted or deleted, the whole doubled, or another string.
fn string(rng: &mut Rng, text: &SmtString) -> SmtString {
    let mut codes: Vec<u32> = text.iter().collect();
    match rng.below(6) {
        0 | 1 if !codes.is_empty() => return replace_character(rng, text),
        2 if !codes.is_empty() => {
            codes.remove(rng.below(codes.len()));
        }
        3 if (1..=64).contains(&codes.len()) => codes.extend_from_within(..),
        4 => return grow::string(rng, 12),
        _ => codes.insert(rng.below(codes.len() + 1), u32::from(grow::character(rng))),
    }
    rebuilt(codes)
}

/// A neighbour, the opposite, the double, or another number.
fn integer(rng: &mut Rng, number: &IBig) -> IBig {
    match rng.below(6) {
        0 => number + IBig::ONE,
        1 => number - IBig::ONE,
        2 => -number.clone(),
        3 if *number != IBig::ZERO => number * IBig::from(2),
        _ => IBig::from(grow::integer(rng)),
    }
}

fn bit_vector(rng: &mut Rng, bits: &BitVec) -> BitVec {
    let width = bits.width();
    let one = BitVec::from_u64(width, 1);
    match rng.below(5) {
        0 => bits.add(&one),
        1 => bits.sub(&one),
        2 => bits.not(),
        3 => bits.xor(&one.shl(&BitVec::from_u64(width, rng.below(width as usize) as u64))),
        _ => BitVec::from_u64(width, rng.bits()),
    }
}

/// A float with one bit of its encoding flipped, or negated.
fn change_float(rng: &mut Rng, float: &Float) -> Float {
    if rng.one_in(4) {
        return float.neg();
    }
    let flipped = UBig::from(1u8) << rng.below(float.format().width() as usize);
    Float::from_bits(float.format(), float.bits() ^ flipped)
}

#[cfg(test)]
mod tests {
    use super::super::tests::children;

    #[test]
    fn strings_change_by_a_character_or_wholly() {
        let children = children("fuzz-literal", "QF_S", "(declare-const x String)(assert (= x \"ab\"))");
        let with = |literal: &str| children.iter().any(|c| c.contains(&format!("(= s0 \"{literal}\")")));
        assert!(with("a") && with("b") && with("abab"), "deleted and doubled");
        assert!(children.iter().any(|c| c.contains("(= s0 \"a")), "replaced or inserted");
        assert!(children.iter().all(|c| c.contains("(= s0 \"")), "nothing but the literal changes");
    }

    #[test]
    fn numbers_of_every_sort_change() {
        let int = children("fuzz-literal", "QF_LIA", "(declare-const n Int)(assert (= n 7))");
        let with = |literal: &str| int.iter().any(|c| c.contains(&format!("(= i0 {literal})")));
        assert!(with("8") && with("6") && with("(- 7)") && with("14"));
        let bits = children("fuzz-literal", "QF_BV", "(declare-const v (_ BitVec 8))(assert (= v #x0f))");
        assert!(bits.len() > 5 && bits.iter().all(|c| c.contains("(= v8_0 #")));
        let text = "(declare-const f (_ FloatingPoint 5 11))(assert (fp.lt f (fp #b0 #b01111 #b0000000000)))";
        assert!(children("fuzz-literal", "QF_FP", text).len() > 10);
    }

    #[test]
    fn bounds_of_ranges_stay_characters() {
        let text = "(declare-const x String)(assert (str.in_re x (re.range \"a\" \"z\")))";
        for child in children("fuzz-literal", "QF_S", text) {
            let range = child.split("re.range ").nth(1).unwrap();
            assert_eq!(&range[3..5], " \"", "{child}");
            assert_eq!(&range[6..7], "\"", "{child}");
        }
    }

    #[test]
    fn nothing_to_change_is_no_child() {
        assert!(
            children("fuzz-literal", "QF_S", "(declare-const x String)(assert (= x (str.++ x x)))")
                .is_empty()
        );
    }
}
