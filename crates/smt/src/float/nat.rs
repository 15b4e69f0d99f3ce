//! The integers that hold significands: `u128` for narrow formats, [`UBig`] for all.

use std::ops::{Add, Mul, Shl, Sub};

use dashu_base::{BitTest, SquareRootRem};
use dashu_int::UBig;

/// A natural number. Implementations may be bounded: callers choose one in which their results fit.
pub(super) trait Nat:
    Clone
    + Ord
    + From<u64>
    + BitTest
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Shl<usize, Output = Self>
{
    /// Reads an encoding.
    fn load(bits: &UBig) -> Self;
    /// Writes an encoding.
    fn store(self) -> UBig;
    /// Whether this is zero.
    fn is_zero(&self) -> bool;
    /// The number, if small; only for numbers known to be below `2^64`.
    fn to_u64(&self) -> u64;
    /// Whether any of the lowest `n` bits is set.
    fn any_low_bit(&self, n: usize) -> bool;
    /// The remainder and the quotient by `2^n`, for any `n`.
    fn split(self, n: usize) -> (Self, Self);
    /// The quotient and the remainder by a divisor that is not zero.
    fn div_rem(self, divisor: &Self) -> (Self, Self);
    /// The square root, rounded down, and whether it is inexact.
    fn sqrt(self) -> (Self, bool);

    /// `floor(self / 2^n)`, for any `n`.
    #[inline]
    fn shr(self, n: usize) -> Self {
        self.split(n).1
    }

    /// Records in the last bit that the number stands for a slightly larger one: rounding to odd.
    #[inline]
    fn jam(self, inexact: bool) -> Self {
        if inexact && !self.bit(0) { self + Self::from(1) } else { self }
    }
}

impl Nat for u128 {
    #[inline]
    fn load(bits: &UBig) -> u128 {
        match u128::try_from(bits) {
            Ok(bits) => bits,
            Err(_) => unreachable!("the encodings of narrow formats fit into 128 bits"),
        }
    }

    #[inline]
    fn store(self) -> UBig {
        UBig::from(self)
    }

    #[inline]
    fn is_zero(&self) -> bool {
        *self == 0
    }

    #[inline]
    fn to_u64(&self) -> u64 {
        debug_assert!(*self <= u64::MAX.into());
        *self as u64
    }

    #[inline]
    fn any_low_bit(&self, n: usize) -> bool {
        *self != 0 && (self.trailing_zeros() as usize) < n
    }

    #[inline]
    fn split(self, n: usize) -> (u128, u128) {
        if n < 128 { (self & ((1 << n) - 1), self >> n) } else { (self, 0) }
    }

    #[inline]
    fn div_rem(self, divisor: &u128) -> (u128, u128) {
        let quotient = self / divisor;
        (quotient, self - quotient * divisor)
    }

    #[inline]
    fn sqrt(self) -> (u128, bool) {
        let root = self.isqrt();
        (root, root * root != self)
    }
}

impl Nat for UBig {
    fn load(bits: &UBig) -> UBig {
        bits.clone()
    }

    fn store(self) -> UBig {
        self
    }

    fn is_zero(&self) -> bool {
        self.is_zero()
    }

    fn to_u64(&self) -> u64 {
        match u64::try_from(self) {
            Ok(number) => number,
            Err(_) => unreachable!("only asked of numbers below 2^64"),
        }
    }

    fn any_low_bit(&self, n: usize) -> bool {
        self.trailing_zeros().is_some_and(|zeros| zeros < n)
    }

    fn split(self, n: usize) -> (UBig, UBig) {
        self.split_bits(n)
    }

    fn div_rem(self, divisor: &UBig) -> (UBig, UBig) {
        dashu_base::DivRem::div_rem(self, divisor)
    }

    fn sqrt(self) -> (UBig, bool) {
        let (root, remainder) = self.sqrt_rem();
        (root, !remainder.is_zero())
    }
}
