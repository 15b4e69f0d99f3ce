//! Encodings and their parts: what a word says at a glance, and numbers taken apart for computing.

use super::shift::{int, normalise};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::{BitVec, Float, Format, UBig};

/// The sign bit.
pub(super) fn sign(word: &[Bit]) -> Bit {
    word[word.len() - 1]
}

/// Everything but the sign: ordered as the magnitudes are.
pub(super) fn magnitude(word: &[Bit]) -> &[Bit] {
    &word[..word.len() - 1]
}

/// The bits below the exponent.
pub(super) fn trailing(format: Format, word: &[Bit]) -> &[Bit] {
    &word[..format.sb as usize - 1]
}

/// The exponent field.
pub(super) fn field(format: Format, word: &[Bit]) -> &[Bit] {
    &word[format.sb as usize - 1..word.len() - 1]
}

/// The word of a constant.
pub(in crate::blast) fn word_of(float: &Float) -> Word {
    words::constant(&BitVec::new(float.format().width(), float.bits()))
}

/// A float that may be anything: a map from all words onto the encodings that exist. Under an exponent of ones only the
/// leading bit of the significand counts, and NaN has no sign.
pub(in crate::blast) fn input(aig: &mut Aig, format: Format) -> Word {
    let mut word: Word = (0..format.width()).map(|_| aig.input()).collect();
    let ones = aig.and_all(field(format, &word));
    let top = format.sb as usize - 2;
    for bit in &mut word[..top] {
        *bit = aig.and(*bit, !ones);
    }
    let nan = aig.and(ones, word[top]);
    let last = word.len() - 1;
    word[last] = aig.and(word[last], !nan);
    word
}

/// Whether a number is the encoding of some float: all but the NaNs other than the one.
pub(in crate::blast) fn is_canonical(format: Format, bits: u64) -> bool {
    Float::from_bits(format, UBig::from(bits)).bits() == UBig::from(bits)
}

/// The float with this encoding: all NaNs become one.
pub(super) fn canonical(aig: &mut Aig, format: Format, word: &[Bit]) -> Word {
    let ones = aig.and_all(field(format, word));
    let whole = words::is_zero(aig, trailing(format, word));
    let nan = aig.and(ones, !whole);
    with_nan(aig, format, nan, word)
}

/// NaN where that holds, otherwise the word.
pub(super) fn with_nan(aig: &mut Aig, format: Format, nan: Bit, word: &[Bit]) -> Word {
    let constant = word_of(&Float::nan(format));
    words::mux(aig, nan, &constant, word)
}

/// The infinity or zero of a sign, or another magnitude with it.
pub(super) fn signed(sign: Bit, magnitude: &[Bit]) -> Word {
    let mut word = magnitude.to_vec();
    word.push(sign);
    word
}

/// An infinity of this sign.
pub(super) fn infinity(format: Format, sign: Bit) -> Word {
    signed(sign, magnitude(&word_of(&Float::infinity(format, false))))
}

/// A zero of this sign.
pub(super) fn zero(format: Format, sign: Bit) -> Word {
    signed(sign, &vec![Bit::FALSE; format.width() as usize - 1])
}

/// What a float is, and if it is a number other than zero which: `significand * 2^(exponent - sb + 1)`.
pub(super) struct Unpacked {
    pub(super) nan: Bit,
    pub(super) infinite: Bit,
    pub(super) zero: Bit,
    pub(super) sign: Bit,
    /// In two's complement, [`exponent_width`] bits.
    pub(super) exponent: Word,
    /// `sb` bits, of which the highest is set; all clear for zero.
    pub(super) significand: Word,
}

/// Bits for the exponent of any number of a format in two's complement.
pub(super) fn exponent_width(format: Format) -> usize {
    super::shift::signed_width((1 << (format.eb - 1)) + u64::from(format.sb))
}

/// The bias of the exponent field.
pub(super) fn bias(format: Format) -> i64 {
    (1 << (format.eb - 1)) - 1
}

/// Takes a float apart.
pub(super) fn unpack(aig: &mut Aig, format: Format, word: &[Bit]) -> Unpacked {
    let class = super::compare::class(aig, format, word);
    let (field, below) = (field(format, word), trailing(format, word));
    let hidden = !class.low;
    let mut raw = below.to_vec();
    raw.push(hidden);
    let (significand, leading_zeros) = normalise(aig, &raw);
    let width = exponent_width(format);
    // The exponent of subnormal numbers is that of a field of one.
    let mut exponent = words::extend(field, width - field.len(), Bit::FALSE);
    exponent[0] = aig.or(exponent[0], class.low);
    let biased = words::sub(aig, &exponent, &int(bias(format), width));
    let leading_zeros = words::extend(&leading_zeros, width - leading_zeros.len(), Bit::FALSE);
    let exponent = words::sub(aig, &biased, &leading_zeros);
    Unpacked {
        nan: class.nan,
        infinite: class.infinite,
        zero: class.zero,
        sign: sign(word),
        exponent,
        significand,
    }
}
