//! IEEE 754 arithmetic, bit for bit, in any format: the semantics of SMT-LIB's theory `FloatingPoint`.
//!
//! A [`Float`] is a value of the sort `(_ FloatingPoint eb sb)`: its equality is SMT-LIB's `=` (one NaN, `+0`
//! and `-0` differ), [`Float::ieee_eq`] is `fp.eq`. Where the theory leaves a result open (`fp.min` of two
//! zeros of opposite sign, `fp.to_ubv` out of range, `fp.to_real` of an infinity) the operation gives `None`;
//! what to do then is the caller's choice.
//!
//! Every operation computes the exact result, or one that a rounding cannot tell from it (a *jammed* significand:
//! its last bit is set when something was cut off below), and rounds it once. The code is generic over the
//! integer that holds significands, so that formats up to [`Format`] `sb = 61` run on `u128` without allocating.
//!
//! This module knows nothing of terms and syntax. It does not keep IEEE's flags, payloads or signalling NaNs:
//! SMT-LIB has none of them. It refuses formats that [`Format::is_supported`] rejects by panicking, so whoever
//! reads formats from input must ask that first; within supported formats no operation panics except on
//! operands of different formats, and all take time polynomial in `sb` and in `2^eb / 64` at worst
//! (only [`Float::to_real`] and conversions to very wide bit-vectors need the latter).

mod arith;
mod convert;
mod format;
mod nat;
mod order;
mod remainder;
mod unpacked;

pub use format::{Format, RoundingMode};

use dashu_base::BitTest;
use dashu_int::UBig;
use nat::Nat;

/// A floating-point value of some [`Format`].
///
/// `==` is SMT-LIB's `=`. `Ord` is an arbitrary total order for sorted containers, with no numeric meaning:
/// numeric comparisons are [`Float::lt`] and its siblings. Because [`Ord::min`] takes its receiver by value,
/// call [`Float::min`] and [`Float::max`] on a reference or by path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Float {
    format: Format,
    /// The interchange encoding, less than `2^(eb + sb)`; a NaN is always the one of [`Float::nan`].
    bits: UBig,
}

/// Construction and the encoding. Every function that takes a [`Format`] panics if it is not
/// [supported](Format::is_supported).
impl Float {
    /// The value with the given interchange encoding, taken modulo `2^(eb + sb)`. All NaNs become the one NaN.
    pub fn from_bits(format: Format, mut bits: UBig) -> Float {
        format.assert_supported();
        bits.clear_high_bits(format.width() as usize);
        let float = Float { format, bits };
        if float.is_nan() { Float::nan(format) } else { float }
    }

    /// The SMT-LIB constructor `fp`: sign bit, `eb` bits of exponent, `sb - 1` bits of significand. Excess high
    /// bits are ignored.
    pub fn from_parts(sign: bool, exponent: UBig, significand: UBig, format: Format) -> Float {
        format.assert_supported();
        let (mut bits, mut exponent) = (significand, exponent);
        bits.clear_high_bits(format.trailing_bits());
        exponent.clear_high_bits(format.eb as usize);
        bits += exponent << format.trailing_bits();
        if sign {
            bits.set_bit(format.sign_position());
        }
        Float::from_bits(format, bits)
    }

    /// The three bit-vectors that [`Float::from_parts`] takes.
    pub fn parts(&self) -> (bool, UBig, UBig) {
        let (significand, head) = self.bits.clone().split_bits(self.format.trailing_bits());
        let (exponent, sign) = head.split_bits(self.format.eb as usize);
        (sign.is_one(), exponent, significand)
    }

    /// The interchange encoding, `eb + sb` bits.
    pub fn bits(&self) -> UBig {
        self.bits.clone()
    }

    /// The format, which is the value's sort.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The one NaN: positive, quiet, without payload.
    pub fn nan(format: Format) -> Float {
        Float::from_head(format, false, (format.exponent_mask() << 1) | 1, 1)
    }

    /// The infinity of this sign.
    pub fn infinity(format: Format, negative: bool) -> Float {
        Float::from_head(format, negative, format.exponent_mask(), 0)
    }

    /// The zero of this sign.
    pub fn zero(format: Format, negative: bool) -> Float {
        Float::from_head(format, negative, 0, 0)
    }

    /// One or minus one.
    pub fn one(format: Format, negative: bool) -> Float {
        Float::from_head(format, negative, format.exponent_mask() >> 1, 0)
    }

    /// The finite value farthest from zero.
    pub fn max_finite(format: Format, negative: bool) -> Float {
        let mut float = Float::infinity(format, false);
        float.bits -= UBig::ONE;
        float.with_sign(negative)
    }

    /// The normal value nearest to zero.
    pub fn min_normal(format: Format, negative: bool) -> Float {
        Float::from_head(format, negative, 1, 0)
    }

    /// The subnormal value nearest to zero.
    pub fn min_subnormal(format: Format, negative: bool) -> Float {
        format.assert_supported();
        Float { format, bits: UBig::ONE }.with_sign(negative)
    }

    /// `head`, counted in units of the bit `below` places under the exponent field, all else zero.
    fn from_head(format: Format, negative: bool, head: u64, below: usize) -> Float {
        format.assert_supported();
        let bits = UBig::from(head) << (format.trailing_bits() - below);
        Float { format, bits }.with_sign(negative)
    }

    /// Sets the sign bit; not for NaN.
    fn with_sign(mut self, negative: bool) -> Float {
        if negative {
            self.bits.set_bit(self.format.sign_position());
        } else {
            self.bits.clear_bit(self.format.sign_position());
        }
        self
    }
}

/// Classification and the operations on the sign bit.
impl Float {
    /// The exponent field, and whether all bits below it are zero.
    fn fields(&self) -> (u64, bool) {
        let trailing = self.format.trailing_bits();
        let (head, trailing_is_zero) = if self.format.is_narrow() {
            let bits = u128::load(&self.bits);
            (bits.shr(trailing).to_u64(), !bits.any_low_bit(trailing))
        } else {
            ((&self.bits >> trailing).to_u64(), !self.bits.any_low_bit(trailing))
        };
        (head & self.format.exponent_mask(), trailing_is_zero)
    }

    /// `fp.isNaN`.
    pub fn is_nan(&self) -> bool {
        let (exponent, trailing_is_zero) = self.fields();
        exponent == self.format.exponent_mask() && !trailing_is_zero
    }

    /// `fp.isInfinite`.
    pub fn is_infinite(&self) -> bool {
        let (exponent, trailing_is_zero) = self.fields();
        exponent == self.format.exponent_mask() && trailing_is_zero
    }

    /// `fp.isZero`.
    pub fn is_zero(&self) -> bool {
        let (exponent, trailing_is_zero) = self.fields();
        exponent == 0 && trailing_is_zero
    }

    /// `fp.isNormal`: finite, not zero, not subnormal.
    pub fn is_normal(&self) -> bool {
        let (exponent, _) = self.fields();
        exponent != 0 && exponent != self.format.exponent_mask()
    }

    /// `fp.isSubnormal`: not zero either.
    pub fn is_subnormal(&self) -> bool {
        let (exponent, trailing_is_zero) = self.fields();
        exponent == 0 && !trailing_is_zero
    }

    /// `fp.isNegative`: the sign bit is set; false for NaN.
    pub fn is_negative(&self) -> bool {
        self.bits.bit(self.format.sign_position())
    }

    /// `fp.isPositive`: the sign bit is clear; false for NaN.
    pub fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_nan()
    }

    /// `fp.abs`.
    pub fn abs(&self) -> Float {
        self.clone().with_sign(false)
    }

    /// `fp.neg`.
    pub fn neg(&self) -> Float {
        if self.is_nan() { self.clone() } else { self.clone().with_sign(!self.is_negative()) }
    }
}
