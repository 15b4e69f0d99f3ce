//! The one place where results are rounded and put together.

use super::mode::Mode;
use super::shift::{any, increment, int, shift_right_jam, sign_extend, signed_width};
use super::value::{bias, signed};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::Format;

/// A number other than zero: `significand * 2^(exponent - n + 1)` with a significand of `n` bits, the highest set.
pub(super) struct Exact {
    pub(super) sign: Bit,
    /// In two's complement.
    pub(super) exponent: Word,
    /// Exact, or jammed with at least `sb + 2` bits.
    pub(super) significand: Word,
}

/// The float nearest to a number in the sense of a rounding mode.
pub(super) fn round(aig: &mut Aig, format: Format, mode: Mode, number: &Exact) -> Word {
    let sb = format.sb as usize;
    // The significand, one bit beyond it, and whether there is more: lowest first.
    let mut word = number.significand.clone();
    while word.len() < sb + 2 {
        word.insert(0, Bit::FALSE);
    }
    let cut = word.len() - (sb + 1);
    let more = any(aig, &word[..cut]);
    let mut word = word[cut..].to_vec();
    word.insert(0, more);

    let width = number.exponent.len().max(signed_width(1 << format.eb)) + 1;
    let exponent = sign_extend(&number.exponent, width);
    let biased = words::add(aig, &exponent, &int(bias(format), width), Bit::FALSE).0;
    // Below one the last place stays where it is, and the significand moves.
    let low = words::signed_less(aig, &biased, &int(1, width));
    let distance = words::sub(aig, &int(1, width), &biased);
    let distance: Word = distance.iter().map(|&b| aig.and(b, low)).collect();
    let word = shift_right_jam(aig, &word, &distance);
    let field: Word = biased[..format.eb as usize].iter().map(|&b| aig.and(b, !low)).collect();
    let too_large = !words::signed_less(aig, &biased, &int((1 << format.eb) - 1, width));
    pack(aig, format, mode, Cut { sign: number.sign, field, word, too_large })
}

/// A number in its place: a field and a significand that has two bits too many.
pub(super) struct Cut {
    pub(super) sign: Bit,
    /// The exponent field, zero if the highest bit of the significand is clear.
    pub(super) field: Word,
    /// Whether something was cut off, the first bit cut off, and `sb` bits.
    pub(super) word: Word,
    /// Whether the number is beyond all fields.
    pub(super) too_large: Bit,
}

/// Rounds a number that is in its place already.
pub(super) fn pack(aig: &mut Aig, format: Format, mode: Mode, cut: Cut) -> Word {
    let Cut { sign, field, word, too_large } = cut;
    let up = mode.rounds_away(aig, sign, word[2], word[1], word[0]);
    // A carry out of the significand goes to the field by itself, up to that of infinity, where only the modes get that
    // overflow to it.
    let mut magnitude = word[2..word.len() - 1].to_vec();
    magnitude.extend(field);
    let magnitude = increment(aig, &magnitude, up).0;
    let to_infinity = mode.overflows_to_infinity(aig, sign);
    let mut beyond = vec![!to_infinity; format.sb as usize - 1];
    beyond.push(to_infinity);
    beyond.resize(magnitude.len(), Bit::TRUE);
    let magnitude = words::mux(aig, too_large, &beyond, &magnitude);
    signed(sign, &magnitude)
}
