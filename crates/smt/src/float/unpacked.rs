//! Values taken apart for computing, and the one place where results are rounded and put together.

use super::nat::Nat;
use super::{Float, Format, RoundingMode};

/// A non-zero finite number, `significand * 2^exponent`, with a significand of any length.
#[derive(Clone)]
pub(super) struct Unpacked<N> {
    pub(super) negative: bool,
    pub(super) exponent: i64,
    pub(super) significand: N,
}

/// A value by kind; the flag of zeros and infinities is their sign.
pub(super) enum Kind<N> {
    Nan,
    Infinite(bool),
    Zero(bool),
    Finite(Unpacked<N>),
}

/// Takes a value apart. Significands of normal values have `sb` bits, those of subnormal values fewer.
#[inline]
pub(super) fn unpack<N: Nat>(float: &Float) -> Kind<N> {
    let format = float.format;
    let (trailing, head) = N::load(&float.bits).split(format.trailing_bits());
    let head = head.to_u64();
    let negative = head >> format.eb != 0;
    let field = head & format.exponent_mask();
    if field == format.exponent_mask() {
        return if trailing.is_zero() { Kind::Infinite(negative) } else { Kind::Nan };
    }
    if field == 0 {
        if trailing.is_zero() {
            return Kind::Zero(negative);
        }
        return Kind::Finite(Unpacked { negative, exponent: format.min_exponent(), significand: trailing });
    }
    let hidden = N::from(1) << format.trailing_bits();
    let exponent = format.min_exponent() + (field - 1) as i64;
    Kind::Finite(Unpacked { negative, exponent, significand: trailing + hidden })
}

/// `magnitude / 2^shift`, rounded to an integer.
#[inline]
pub(super) fn round_shift<N: Nat>(magnitude: N, shift: u64, negative: bool, rm: RoundingMode) -> N {
    if shift == 0 {
        return magnitude;
    }
    // One place beyond the leading bit everything is sticky, and farther out nothing changes.
    let shift = shift.min(magnitude.bit_len() as u64 + 1) as usize;
    let half = magnitude.bit(shift - 1);
    let sticky = magnitude.any_low_bit(shift - 1);
    let kept = magnitude.shr(shift);
    if rm.rounds_away(negative, kept.bit(0), half, sticky) { kept + N::from(1) } else { kept }
}

/// The value of `format` nearest to `number` in the sense of `rm`.
///
/// A jammed significand must have at least `sb + 2` bits, so that its last bit is never more than sticky.
#[inline]
pub(super) fn round<N: Nat>(format: Format, rm: RoundingMode, number: Unpacked<N>) -> Float {
    let Unpacked { negative, exponent, significand } = number;
    let trailing = format.trailing_bits();
    let leading = exponent + significand.bit_len() as i64 - 1;
    // The exponent of the last place that the result can have.
    let last = (leading - trailing as i64).max(format.min_exponent());
    let kept = if last > exponent {
        round_shift(significand, (last - exponent) as u64, negative, rm)
    } else {
        significand << (exponent - last) as usize
    };
    // The hidden bit, added to a field that is one too small, gives the field of normal values and zero for
    // subnormal ones; a carry out of the significand moves to the next binade by itself.
    let field = (last - format.min_exponent()) as u64;
    let carry = kept.bit_len().saturating_sub(trailing) as u64;
    if field + carry >= format.exponent_mask() {
        return overflow(format, rm, negative);
    }
    let head = (u64::from(negative) << format.eb) | field;
    Float { format, bits: ((N::from(head) << trailing) + kept).store() }
}

/// The result of rounding a number whose magnitude is beyond the largest finite value.
#[cold]
fn overflow(format: Format, rm: RoundingMode, negative: bool) -> Float {
    if rm.overflows_to_infinity(negative) {
        Float::infinity(format, negative)
    } else {
        Float::max_finite(format, negative)
    }
}
