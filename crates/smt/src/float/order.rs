//! Comparisons, minimum and maximum, and the index of a value in its format's order.

use std::cmp::Ordering;

use super::{Float, Format};
use dashu_base::Sign;
use dashu_int::{IBig, UBig};

/// Comparisons as in IEEE 754: false if an operand is NaN, and zeros are equal whatever their signs. All panic on
/// operands of different formats.
impl Float {
    /// `fp.eq`.
    pub fn ieee_eq(&self, other: &Float) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }

    /// `fp.lt`.
    pub fn lt(&self, other: &Float) -> bool {
        self.compare(other) == Some(Ordering::Less)
    }

    /// `fp.leq`.
    pub fn le(&self, other: &Float) -> bool {
        matches!(self.compare(other), Some(Ordering::Less | Ordering::Equal))
    }

    /// `fp.gt`.
    pub fn gt(&self, other: &Float) -> bool {
        other.lt(self)
    }

    /// `fp.geq`.
    pub fn ge(&self, other: &Float) -> bool {
        other.le(self)
    }

    /// `fp.min`: the other operand if one is NaN; `None` for zeros of opposite sign, where SMT-LIB allows either.
    pub fn min(&self, other: &Float) -> Option<Float> {
        self.select(other, Ordering::Less)
    }

    /// `fp.max`: the other operand if one is NaN; `None` for zeros of opposite sign, where SMT-LIB allows either.
    pub fn max(&self, other: &Float) -> Option<Float> {
        self.select(other, Ordering::Greater)
    }

    fn select(&self, other: &Float, wanted: Ordering) -> Option<Float> {
        match self.compare(other) {
            Some(Ordering::Equal) => (self == other).then(|| self.clone()),
            Some(order) => Some(if order == wanted { self } else { other }.clone()),
            None => Some(if self.is_nan() { other } else { self }.clone()),
        }
    }

    /// The numeric order, `None` if an operand is NaN.
    fn compare(&self, other: &Float) -> Option<Ordering> {
        self.assert_same_format(other);
        if self.is_nan() || other.is_nan() {
            return None;
        }
        // Encodings of one sign are ordered as their magnitudes are.
        Some(match (self.is_negative(), other.is_negative()) {
            (false, false) => self.bits.cmp(&other.bits),
            (true, true) => other.bits.cmp(&self.bits),
            (_, _) if self.is_zero() && other.is_zero() => Ordering::Equal,
            (negative, _) => {
                if negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        })
    }
}

/// The index of values.
impl Float {
    /// The number of steps from zero to this value among the format's values: 0 for both zeros, 1 for the
    /// smallest positive subnormal, -1 for its negation, and so on to the infinities. Numerically ordered values
    /// have equally ordered indices. NaN, which has no place in the order, is put one past positive infinity.
    pub fn ordinal(&self) -> IBig {
        if self.is_nan() {
            return IBig::from(infinity_ordinal(self.format) + UBig::ONE);
        }
        let mut magnitude = self.bits.clone();
        magnitude.clear_bit(self.format.sign_position());
        IBig::from_parts(Sign::from(self.is_negative()), magnitude)
    }

    /// The value with the given index, with `+0` for 0; `None` beyond the infinities. Panics if the format is not
    /// [supported](Format::is_supported).
    pub fn from_ordinal(format: Format, ordinal: &IBig) -> Option<Float> {
        format.assert_supported();
        let (sign, magnitude) = ordinal.clone().into_parts();
        if magnitude > infinity_ordinal(format) {
            return None;
        }
        Some(Float { format, bits: magnitude }.with_sign(sign == Sign::Negative))
    }
}

fn infinity_ordinal(format: Format) -> UBig {
    UBig::from(format.exponent_mask()) << format.trailing_bits()
}
