//! Conversions between formats, and from and to reals, integers, bit-vectors and native floats.

use super::arith::by_width;
use super::nat::Nat;
use super::unpacked::{Kind, Unpacked, round, round_shift, unpack};
use super::{Float, Format, RoundingMode};
use dashu_base::{BitTest, PowerOfTwo, Sign};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// Conversions to a format; all panic if it is not [supported](Format::is_supported).
impl Float {
    /// `to_fp` from another floating-point sort.
    pub fn convert(&self, rm: RoundingMode, format: Format) -> Float {
        format.assert_supported();
        let wider = if format.sb >= self.format.sb { format } else { self.format };
        by_width!(wider, convert(rm, self, format))
    }

    /// `to_fp` from a real.
    pub fn from_real(rm: RoundingMode, real: &RBig, format: Format) -> Float {
        format.assert_supported();
        let negative = real.sign() == Sign::Negative;
        let (dividend, divisor) = (real.numerator(), real.denominator());
        if dividend.is_zero() {
            return Float::zero(format, false);
        }
        // Scaled so that the quotient has `sb + 2` or `sb + 3` bits.
        let shift = i64::from(format.sb) + 2 + divisor.bit_len() as i64 - dividend.bit_len() as i64;
        let mut dividend = dividend.clone().into_parts().1;
        let (quotient, remainder) = if shift >= 0 {
            dividend <<= shift as usize;
            dividend.div_rem(divisor)
        } else {
            dividend.div_rem(&(divisor << shift.unsigned_abs() as usize))
        };
        let significand = quotient.jam(!remainder.is_zero());
        round(format, rm, Unpacked { negative, exponent: -shift, significand })
    }

    /// `to_fp` from a signed bit-vector and `to_fp_unsigned`, given the integer that the bit-vector stands for.
    pub fn from_int(rm: RoundingMode, integer: &IBig, format: Format) -> Float {
        format.assert_supported();
        if integer.is_zero() {
            return Float::zero(format, false);
        }
        let (sign, significand) = integer.clone().into_parts();
        round(format, rm, Unpacked { negative: sign == Sign::Negative, exponent: 0, significand })
    }

    /// The [`Format::FLOAT32`] value of a native number.
    pub fn from_f32(number: f32) -> Float {
        Float::from_bits(Format::FLOAT32, UBig::from(number.to_bits()))
    }

    /// The [`Format::FLOAT64`] value of a native number.
    pub fn from_f64(number: f64) -> Float {
        Float::from_bits(Format::FLOAT64, UBig::from(number.to_bits()))
    }
}

/// Conversions to other types.
impl Float {
    /// The native number, if the format is [`Format::FLOAT32`].
    pub fn to_f32(&self) -> Option<f32> {
        if self.format != Format::FLOAT32 {
            return None;
        }
        u32::try_from(&self.bits).ok().map(f32::from_bits)
    }

    /// The native number, if the format is [`Format::FLOAT64`].
    pub fn to_f64(&self) -> Option<f64> {
        if self.format != Format::FLOAT64 {
            return None;
        }
        u64::try_from(&self.bits).ok().map(f64::from_bits)
    }

    /// `fp.to_ubv`: the integer nearest in the sense of `rm`; `None` for NaN, infinities and integers that are negative
    /// or need more than `width` bits.
    pub fn to_ubv(&self, rm: RoundingMode, width: u32) -> Option<UBig> {
        let (negative, magnitude) = self.to_integer(rm, width)?;
        if magnitude.bit_len() > width as usize || (negative && !magnitude.is_zero()) {
            return None;
        }
        Some(magnitude)
    }

    /// `fp.to_sbv`: the integer nearest in the sense of `rm` in two's complement; `None` for NaN, infinities and integers
    /// outside `-2^(width - 1) .. 2^(width - 1)`.
    pub fn to_sbv(&self, rm: RoundingMode, width: u32) -> Option<UBig> {
        let (negative, magnitude) = self.to_integer(rm, width)?;
        let (bits, width) = (magnitude.bit_len(), width as usize);
        if negative && !magnitude.is_zero() {
            let is_least = bits == width && magnitude.is_power_of_two();
            return (bits < width || is_least).then(|| (UBig::ONE << width) - magnitude);
        }
        (bits < width).then_some(magnitude)
    }

    /// `fp.to_real`: `None` for NaN and infinities.
    pub fn to_real(&self) -> Option<RBig> {
        match unpack::<UBig>(self) {
            Kind::Nan | Kind::Infinite(_) => None,
            Kind::Zero(_) => Some(RBig::ZERO),
            Kind::Finite(Unpacked { negative, exponent, significand }) => {
                let sign = Sign::from(negative);
                // Common powers of two go first: the reduction inside `from_parts` then has an odd operand.
                let twos = significand.trailing_zeros().unwrap_or(0);
                let (significand, exponent) = (significand >> twos, exponent + twos as i64);
                let scale = exponent.unsigned_abs() as usize;
                Some(if exponent >= 0 {
                    RBig::from(IBig::from_parts(sign, significand << scale))
                } else {
                    RBig::from_parts(IBig::from_parts(sign, significand), UBig::ONE << scale)
                })
            }
        }
    }

    /// Sign and magnitude of the nearest integer; `None` for NaN, infinities and what has clearly more than `width` bits.
    fn to_integer(&self, rm: RoundingMode, width: u32) -> Option<(bool, UBig)> {
        match unpack::<UBig>(self) {
            Kind::Nan | Kind::Infinite(_) => None,
            Kind::Zero(negative) => Some((negative, UBig::ZERO)),
            Kind::Finite(Unpacked { negative, exponent, significand }) => {
                if exponent + significand.bit_len() as i64 > i64::from(width) {
                    return None;
                }
                let magnitude = if exponent >= 0 {
                    significand << exponent as usize
                } else {
                    round_shift(significand, exponent.unsigned_abs(), negative, rm)
                };
                Some((negative, magnitude))
            }
        }
    }
}

fn convert<N: Nat>(rm: RoundingMode, float: &Float, format: Format) -> Float {
    match unpack::<N>(float) {
        Kind::Nan => Float::nan(format),
        Kind::Infinite(negative) => Float::infinity(format, negative),
        Kind::Zero(negative) => Float::zero(format, negative),
        Kind::Finite(number) => round(format, rm, number),
    }
}
