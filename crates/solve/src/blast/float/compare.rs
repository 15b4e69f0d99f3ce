//! Classes, comparisons, minimum and maximum, and the operations on the sign bit: all on encodings.

use super::value::{field, magnitude, sign, signed, trailing};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::Format;

/// What a float is.
pub(super) struct Class {
    pub(super) nan: Bit,
    pub(super) infinite: Bit,
    pub(super) zero: Bit,
    pub(super) subnormal: Bit,
    pub(super) normal: Bit,
    /// Zero or subnormal: the exponent field is zero.
    pub(super) low: Bit,
}

/// The classes of a float. Under an exponent of ones the leading bit of the significand is what tells NaN.
pub(super) fn class(aig: &mut Aig, format: Format, word: &[Bit]) -> Class {
    let ones = aig.and_all(field(format, word));
    let low = words::is_zero(aig, field(format, word));
    let below = trailing(format, word);
    let top = below[below.len() - 1];
    let whole = words::is_zero(aig, below);
    Class {
        nan: aig.and(ones, top),
        infinite: aig.and(ones, !top),
        zero: aig.and(low, whole),
        subnormal: aig.and(low, !whole),
        normal: aig.and(!ones, !low),
        low,
    }
}

pub(super) fn abs(word: &[Bit]) -> Word {
    signed(Bit::FALSE, magnitude(word))
}

/// The other sign; NaN has none.
pub(super) fn neg(aig: &mut Aig, format: Format, word: &[Bit]) -> Word {
    let nan = class(aig, format, word).nan;
    let negative = aig.and(!nan, !sign(word));
    signed(negative, magnitude(word))
}

fn neither_is_nan(aig: &mut Aig, format: Format, a: &[Bit], b: &[Bit]) -> Bit {
    let (x, y) = (class(aig, format, a).nan, class(aig, format, b).nan);
    aig.and(!x, !y)
}

fn both_are_zero(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Bit {
    let (x, y) = (words::is_zero(aig, magnitude(a)), words::is_zero(aig, magnitude(b)));
    aig.and(x, y)
}

/// `fp.eq`.
pub(super) fn equal(aig: &mut Aig, format: Format, a: &[Bit], b: &[Bit]) -> Bit {
    let same = words::equal(aig, a, b);
    let zeros = both_are_zero(aig, a, b);
    let alike = aig.or(same, zeros);
    let numbers = neither_is_nan(aig, format, a, b);
    aig.and(numbers, alike)
}

/// Whether `a` comes before `b` among numbers, where zeros of opposite sign count as different.
fn before(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Bit {
    let below = words::less(aig, magnitude(a), magnitude(b));
    let above = words::less(aig, magnitude(b), magnitude(a));
    let same_sign = aig.mux(sign(a), above, below);
    let differ = aig.xor(sign(a), sign(b));
    aig.mux(differ, sign(a), same_sign)
}

/// `fp.lt`.
pub(super) fn less(aig: &mut Aig, format: Format, a: &[Bit], b: &[Bit]) -> Bit {
    let before = before(aig, a, b);
    let zeros = both_are_zero(aig, a, b);
    let numbers = neither_is_nan(aig, format, a, b);
    aig.and_all(&[numbers, before, !zeros])
}

/// `fp.leq`.
pub(super) fn less_or_equal(aig: &mut Aig, format: Format, a: &[Bit], b: &[Bit]) -> Bit {
    let after = before(aig, b, a);
    let zeros = both_are_zero(aig, a, b);
    let numbers = neither_is_nan(aig, format, a, b);
    let alike = aig.or(!after, zeros);
    aig.and(numbers, alike)
}

/// `fp.min` or `fp.max`: the other operand if one is NaN; of zeros of opposite sign the one with the sign of the
/// choice for a negative zero that comes second or first.
pub(super) fn extremum(
    aig: &mut Aig,
    format: Format,
    min: bool,
    a: &[Bit],
    b: &[Bit],
    [second, first]: [Bit; 2],
) -> Word {
    let takes_first = if min { before(aig, a, b) } else { before(aig, b, a) };
    let (a_nan, b_nan) = (class(aig, format, a).nan, class(aig, format, b).nan);
    let takes_first = aig.mux(a_nan, Bit::FALSE, takes_first);
    let takes_first = aig.or(takes_first, b_nan);
    let mut word = words::mux(aig, takes_first, a, b);
    let zeros = both_are_zero(aig, a, b);
    let differ = aig.xor(sign(a), sign(b));
    let open = aig.and(zeros, differ);
    let chosen = aig.mux(sign(a), first, second);
    let last = word.len() - 1;
    word[last] = aig.mux(open, chosen, word[last]);
    word
}
