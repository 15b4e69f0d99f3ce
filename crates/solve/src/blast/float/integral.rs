//! Rounding to an integral value.

use super::mode::Mode;
use super::round::{Exact, round};
use super::shift::{increment, int, normalise, shift_right_jam, sign_extend, signed_width};
use super::value::{exponent_width, unpack, zero};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::Format;

/// `fp.roundToIntegral`.
pub(super) fn round_to_integral(aig: &mut Aig, format: Format, mode: Mode, a: &[Bit]) -> Word {
    let sb = format.sb as usize;
    let number = unpack(aig, format, a);
    let width = exponent_width(format).max(signed_width(u64::from(format.sb))) + 1;
    let exponent = sign_extend(&number.exponent, width);
    // How many bits are behind the point.
    let distance = words::sub(aig, &int(sb as i64 - 1, width), &exponent);
    let fraction = words::signed_less(aig, &int(0, width), &distance);
    let distance: Word = distance.iter().map(|&b| aig.and(b, fraction)).collect();
    let mut word = vec![Bit::FALSE; 2];
    word.extend_from_slice(&number.significand);
    let word = shift_right_jam(aig, &word, &distance);
    let up = mode.rounds_away(aig, number.sign, word[2], word[1], word[0]);
    let (mut integer, carry) = increment(aig, &word[2..], up);
    integer.push(carry);
    let nothing = words::is_zero(aig, &integer);
    let (significand, zeros) = normalise(aig, &integer);
    let width = width.max(zeros.len() + 1);
    let zeros = words::extend(&zeros, width - zeros.len(), Bit::FALSE);
    let exponent = words::sub(aig, &int(sb as i64, width), &zeros);
    // Exact, but for formats whose largest number is not integral.
    let rounded = round(aig, format, mode, &Exact { sign: number.sign, exponent, significand });
    let rounded = words::mux(aig, nothing, &zero(format, number.sign), &rounded);
    let itself = !aig.and_all(&[fraction, !number.nan, !number.infinite, !number.zero]);
    words::mux(aig, itself, a, &rounded)
}
