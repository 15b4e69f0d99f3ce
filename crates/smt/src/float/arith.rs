//! Sum, product, quotient, square root, fused multiply-add and rounding to an integral value.

use super::nat::Nat;
use super::unpacked::{Kind, Unpacked, round, round_shift, unpack};
use super::{Float, Format, RoundingMode};
use dashu_int::UBig;

/// Runs a function that is generic over the significand with the cheapest type that holds its results.
macro_rules! by_width {
    ($format:expr, $function:ident($($argument:expr),*)) => {
        if $format.is_narrow() { $function::<u128>($($argument),*) } else { $function::<UBig>($($argument),*) }
    };
}
pub(super) use by_width;

/// Arithmetic. All operands must have the same format, else these functions panic.
impl Float {
    /// `fp.add`.
    pub fn add(&self, rm: RoundingMode, other: &Float) -> Float {
        self.assert_same_format(other);
        by_width!(self.format, add(rm, self, other, false))
    }

    /// `fp.sub`.
    pub fn sub(&self, rm: RoundingMode, other: &Float) -> Float {
        self.assert_same_format(other);
        by_width!(self.format, add(rm, self, other, true))
    }

    /// `fp.mul`.
    pub fn mul(&self, rm: RoundingMode, other: &Float) -> Float {
        self.assert_same_format(other);
        by_width!(self.format, mul(rm, self, other))
    }

    /// `fp.div`.
    pub fn div(&self, rm: RoundingMode, other: &Float) -> Float {
        self.assert_same_format(other);
        by_width!(self.format, div(rm, self, other))
    }

    /// `fp.fma`: `self * factor + addend`, rounded once.
    pub fn fma(&self, rm: RoundingMode, factor: &Float, addend: &Float) -> Float {
        self.assert_same_format(factor);
        self.assert_same_format(addend);
        by_width!(self.format, fma(rm, self, factor, addend))
    }

    /// `fp.sqrt`.
    pub fn sqrt(&self, rm: RoundingMode) -> Float {
        by_width!(self.format, sqrt(rm, self))
    }

    /// `fp.roundToIntegral`. A zero result keeps the sign. In formats with `sb > 2^(eb - 1)`, whose largest finite
    /// value is not integral, rounding up can overflow.
    pub fn round_to_integral(&self, rm: RoundingMode) -> Float {
        by_width!(self.format, round_to_integral(rm, self))
    }

    #[inline]
    pub(super) fn assert_same_format(&self, other: &Float) {
        assert_eq!(self.format, other.format, "operands of different formats");
    }
}

/// The zero that is the sum of two zeros, or the exact sum of two numbers that cancel each other.
fn zero_sum(format: Format, rm: RoundingMode, first: bool, second: bool) -> Float {
    let negative = if first == second { first } else { rm == RoundingMode::Rtn };
    Float::zero(format, negative)
}

fn add<N: Nat>(rm: RoundingMode, left: &Float, right: &Float, subtract: bool) -> Float {
    let format = left.format;
    match (unpack::<N>(left), unpack::<N>(right)) {
        (Kind::Nan, _) | (_, Kind::Nan) => Float::nan(format),
        (Kind::Infinite(a), Kind::Infinite(b)) if a != (b ^ subtract) => Float::nan(format),
        (Kind::Infinite(negative), _) => Float::infinity(format, negative),
        (_, Kind::Infinite(negative)) => Float::infinity(format, negative ^ subtract),
        (Kind::Zero(a), Kind::Zero(b)) => zero_sum(format, rm, a, b ^ subtract),
        (_, Kind::Zero(_)) => left.clone(),
        (Kind::Zero(_), _) if subtract => right.neg(),
        (Kind::Zero(_), _) => right.clone(),
        (Kind::Finite(a), Kind::Finite(mut b)) => {
            b.negative ^= subtract;
            match sum(a, b, format.sb as usize) {
                Some(number) => round(format, rm, number),
                None => zero_sum(format, rm, false, true),
            }
        }
    }
}

/// The sum of two numbers whose significands have at most `bits` bits, exact or jammed with at least `bits + 2` bits;
/// `None` for zero.
///
/// Both significands are brought to `bits + 3` bits, so that the last three of each are zero. If aligning the
/// smaller number cuts off anything, the exponents differ by more than three, at most the leading bit of the larger
/// significand is lost to cancellation, and subtracting a jammed number from an even one jams the difference.
fn sum<N: Nat>(a: Unpacked<N>, b: Unpacked<N>, bits: usize) -> Option<Unpacked<N>> {
    let (a, b) = (lengthen(a, bits + 3), lengthen(b, bits + 3));
    let (large, small) = if a.exponent >= b.exponent { (a, b) } else { (b, a) };
    let exponent = large.exponent;
    let distance = (exponent - small.exponent).min(bits as i64 + 4) as usize;
    let lost = small.significand.any_low_bit(distance);
    let aligned = small.significand.shr(distance).jam(lost);
    let (negative, significand) = if large.negative == small.negative {
        (large.negative, large.significand + aligned)
    } else if large.significand >= aligned {
        (large.negative, large.significand - aligned)
    } else {
        (small.negative, aligned - large.significand)
    };
    if significand.is_zero() { None } else { Some(Unpacked { negative, exponent, significand }) }
}

/// The same number with a significand of exactly `bits` bits, which must not be fewer than it has.
#[inline]
fn lengthen<N: Nat>(number: Unpacked<N>, bits: usize) -> Unpacked<N> {
    let shift = bits - number.significand.bit_len();
    Unpacked { exponent: number.exponent - shift as i64, significand: number.significand << shift, ..number }
}

#[inline]
fn product<N: Nat>(a: Unpacked<N>, b: Unpacked<N>) -> Unpacked<N> {
    Unpacked {
        negative: a.negative ^ b.negative,
        exponent: a.exponent + b.exponent,
        significand: a.significand * b.significand,
    }
}

fn mul<N: Nat>(rm: RoundingMode, left: &Float, right: &Float) -> Float {
    let format = left.format;
    let negative = left.is_negative() ^ right.is_negative();
    match (unpack::<N>(left), unpack::<N>(right)) {
        (Kind::Nan, _) | (_, Kind::Nan) => Float::nan(format),
        (Kind::Infinite(_), Kind::Zero(_)) | (Kind::Zero(_), Kind::Infinite(_)) => Float::nan(format),
        (Kind::Infinite(_), _) | (_, Kind::Infinite(_)) => Float::infinity(format, negative),
        (Kind::Zero(_), _) | (_, Kind::Zero(_)) => Float::zero(format, negative),
        (Kind::Finite(a), Kind::Finite(b)) => round(format, rm, product(a, b)),
    }
}

fn div<N: Nat>(rm: RoundingMode, left: &Float, right: &Float) -> Float {
    let format = left.format;
    let negative = left.is_negative() ^ right.is_negative();
    match (unpack::<N>(left), unpack::<N>(right)) {
        (Kind::Nan, _) | (_, Kind::Nan) => Float::nan(format),
        (Kind::Infinite(_), Kind::Infinite(_)) | (Kind::Zero(_), Kind::Zero(_)) => Float::nan(format),
        (Kind::Infinite(_), _) | (_, Kind::Zero(_)) => Float::infinity(format, negative),
        (Kind::Zero(_), _) | (_, Kind::Infinite(_)) => Float::zero(format, negative),
        (Kind::Finite(a), Kind::Finite(b)) => {
            // The quotient has `sb + 2` or `sb + 3` bits.
            let a = lengthen(a, format.sb as usize + 2 + b.significand.bit_len());
            let (quotient, remainder) = a.significand.div_rem(&b.significand);
            let significand = quotient.jam(!remainder.is_zero());
            round(format, rm, Unpacked { negative, exponent: a.exponent - b.exponent, significand })
        }
    }
}

fn fma<N: Nat>(rm: RoundingMode, left: &Float, right: &Float, addend: &Float) -> Float {
    let format = left.format;
    let negative = left.is_negative() ^ right.is_negative();
    let addend_kind = unpack::<N>(addend);
    match (unpack::<N>(left), unpack::<N>(right)) {
        (Kind::Nan, _) | (_, Kind::Nan) => Float::nan(format),
        (Kind::Infinite(_), Kind::Zero(_)) | (Kind::Zero(_), Kind::Infinite(_)) => Float::nan(format),
        (Kind::Infinite(_), _) | (_, Kind::Infinite(_)) => match addend_kind {
            Kind::Nan => Float::nan(format),
            Kind::Infinite(other) if other != negative => Float::nan(format),
            Kind::Infinite(_) | Kind::Zero(_) | Kind::Finite(_) => Float::infinity(format, negative),
        },
        (Kind::Zero(_), _) | (_, Kind::Zero(_)) => match addend_kind {
            Kind::Zero(other) => zero_sum(format, rm, negative, other),
            Kind::Nan | Kind::Infinite(_) | Kind::Finite(_) => addend.clone(),
        },
        (Kind::Finite(a), Kind::Finite(b)) => match addend_kind {
            Kind::Nan | Kind::Infinite(_) => addend.clone(),
            Kind::Zero(_) => round(format, rm, product(a, b)),
            Kind::Finite(c) => match sum(product(a, b), c, 2 * format.sb as usize) {
                Some(number) => round(format, rm, number),
                None => zero_sum(format, rm, false, true),
            },
        },
    }
}

fn sqrt<N: Nat>(rm: RoundingMode, float: &Float) -> Float {
    let format = float.format;
    match unpack::<N>(float) {
        Kind::Nan | Kind::Infinite(true) => Float::nan(format),
        Kind::Infinite(false) | Kind::Zero(_) => float.clone(),
        Kind::Finite(number) if number.negative => Float::nan(format),
        Kind::Finite(number) => {
            // With `2 sb + 3` or more bits under an even exponent the root has at least `sb + 2` bits.
            let bits = 2 * format.sb as usize + 3;
            let shift = (bits - number.significand.bit_len()) as i64;
            let odd = (number.exponent - shift) & 1;
            let number = lengthen(number, bits + odd as usize);
            let (root, inexact) = number.significand.sqrt();
            let significand = root.jam(inexact);
            round(format, rm, Unpacked { negative: false, exponent: number.exponent / 2, significand })
        }
    }
}

fn round_to_integral<N: Nat>(rm: RoundingMode, float: &Float) -> Float {
    match unpack::<N>(float) {
        Kind::Nan | Kind::Infinite(_) | Kind::Zero(_) => float.clone(),
        Kind::Finite(number) if number.exponent >= 0 => float.clone(),
        Kind::Finite(Unpacked { negative, exponent, significand }) => {
            let significand = round_shift(significand, exponent.unsigned_abs(), negative, rm);
            if significand.is_zero() {
                return Float::zero(float.format, negative);
            }
            round(float.format, rm, Unpacked { negative, exponent: 0, significand })
        }
    }
}
