//! Conversions between formats, and from and to bit-vectors.

use super::mode::Mode;
use super::round::{Exact, round};
use super::shift::{any, increment, int, normalise, shift_right_jam, sign_extend, signed_width};
use super::value::{exponent_width, infinity, unpack, with_nan, zero};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::Format;

/// `to_fp` from another format.
pub(super) fn from_float(aig: &mut Aig, from: Format, to: Format, mode: Mode, a: &[Bit]) -> Word {
    if from == to {
        return a.to_vec();
    }
    let number = unpack(aig, from, a);
    let exact = Exact { sign: number.sign, exponent: number.exponent, significand: number.significand };
    let finite = round(aig, to, mode, &exact);
    let result = words::mux(aig, number.zero, &zero(to, number.sign), &finite);
    let result = words::mux(aig, number.infinite, &infinity(to, number.sign), &result);
    with_nan(aig, to, number.nan, &result)
}

/// `to_fp` from a bit-vector, with or without sign.
pub(super) fn from_bits(aig: &mut Aig, to: Format, mode: Mode, bits: &[Bit], is_signed: bool) -> Word {
    let sign = if is_signed { words::sign(bits) } else { Bit::FALSE };
    let negated = words::neg(aig, bits);
    let magnitude = words::mux(aig, sign, &negated, bits);
    let nothing = words::is_zero(aig, &magnitude);
    let (significand, zeros) = normalise(aig, &magnitude);
    let width = signed_width(bits.len() as u64) + 1;
    let zeros = words::extend(&zeros, width - zeros.len(), Bit::FALSE);
    let exponent = words::sub(aig, &int(bits.len() as i64 - 1, width), &zeros);
    let rounded = round(aig, to, mode, &Exact { sign, exponent, significand });
    words::mux(aig, nothing, &zero(to, Bit::FALSE), &rounded)
}

/// A conversion that has a value for some arguments.
pub(super) struct Converted {
    pub(super) value: Word,
    pub(super) defined: Bit,
}

impl Converted {
    /// The value, or anything where there is none.
    pub(super) fn or_open(self, aig: &mut Aig) -> Word {
        let open: Word = self.value.iter().map(|_| aig.input()).collect();
        words::mux(aig, self.defined, &self.value, &open)
    }
}

/// `fp.to_ubv` or `fp.to_sbv`.
pub(super) fn to_bits(
    aig: &mut Aig,
    format: Format,
    mode: Mode,
    a: &[Bit],
    bits: usize,
    is_signed: bool,
) -> Converted {
    let sb = format.sb as usize;
    let number = unpack(aig, format, a);
    let width = exponent_width(format).max(signed_width(bits as u64)) + 1;
    let exponent = sign_extend(&number.exponent, width);
    // The significand with its highest bit at the highest place of the result, and moved from there.
    let distance = words::sub(aig, &int(bits as i64 - 1, width), &exponent);
    let too_large = words::sign(&distance);
    let behind = sb.saturating_sub(bits) + 2;
    let mut word = vec![Bit::FALSE; bits + behind - sb];
    word.extend_from_slice(&number.significand);
    let word = shift_right_jam(aig, &word, &distance);
    let more = any(aig, &word[..behind - 1]);
    let up = mode.rounds_away(aig, number.sign, word[behind], word[behind - 1], more);
    let (magnitude, carry) = increment(aig, &word[behind..], up);
    let nothing = words::is_zero(aig, &magnitude);
    let nothing = aig.and(nothing, !carry);
    let negated = words::neg(aig, &magnitude);
    let value = words::mux(aig, number.sign, &negated, &magnitude);
    let negative = aig.and(number.sign, !nothing);
    let outside = if is_signed {
        // One more below zero than above.
        let least = words::is_min_signed(aig, &magnitude);
        let exception = aig.and(least, number.sign);
        aig.and(words::sign(&magnitude), !exception)
    } else {
        negative
    };
    let fits = aig.and_all(&[!too_large, !carry, !outside]);
    let number_fits = aig.or(fits, number.zero);
    let defined = aig.and_all(&[!number.nan, !number.infinite, number_fits]);
    let value: Word = value.iter().map(|&b| aig.and(b, !number.zero)).collect();
    Converted { value, defined }
}
