//! [`Delta`]: values of the form `c + k·δ` for an infinitesimal `δ > 0`.
//!
//! A strict bound `x > c` is the weak bound `x >= c + δ` (Dutertre and de Moura, Section 5). Order is
//! lexicographic. A number for `δ` is chosen only when a model is read out.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

use super::Rational;

/// A rational plus a rational multiple of the infinitesimal.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Delta {
    /// The standard part.
    pub real: Rational,
    /// The factor of the infinitesimal.
    pub infinitesimal: Rational,
}

impl Delta {
    /// The number 0.
    pub const ZERO: Self = Self { real: Rational::ZERO, infinitesimal: Rational::ZERO };

    /// Just above `value`.
    pub fn above(value: Rational) -> Self {
        Self { real: value, infinitesimal: Rational::ONE }
    }

    /// Just below `value`.
    pub fn below(value: Rational) -> Self {
        Self { real: value, infinitesimal: Rational::MINUS_ONE }
    }

    /// Is this an integer, with no infinitesimal part?
    #[inline]
    pub fn is_int(&self) -> bool {
        self.infinitesimal.is_zero() && self.real.is_int()
    }

    /// The greatest integer that is not above this value.
    pub fn floor(&self) -> Rational {
        if self.infinitesimal.is_negative() && self.real.is_int() {
            &self.real - &Rational::ONE
        } else {
            self.real.floor()
        }
    }

    /// The least integer that is not below this value.
    pub fn ceil(&self) -> Rational {
        if self.infinitesimal.is_positive() && self.real.is_int() {
            &self.real + &Rational::ONE
        } else {
            self.real.ceil()
        }
    }

    /// The rational for a given size of the infinitesimal.
    pub fn at(&self, infinitesimal: &Rational) -> Rational {
        let mut value = self.real.clone();
        value.add_mul(&self.infinitesimal, infinitesimal);
        value
    }

    /// `self * factor`.
    #[inline]
    pub fn scale(&self, factor: &Rational) -> Self {
        Self { real: &self.real * factor, infinitesimal: &self.infinitesimal * factor }
    }

    /// `self / divisor`; the caller guarantees a divisor other than 0.
    #[inline]
    pub fn div(&self, divisor: &Rational) -> Self {
        Self { real: &self.real / divisor, infinitesimal: &self.infinitesimal / divisor }
    }

    /// `self += factor * step`, the inner step of an assignment update.
    #[inline]
    pub fn add_mul(&mut self, factor: &Rational, step: &Self) {
        self.real.add_mul(factor, &step.real);
        if !step.infinitesimal.is_zero() {
            self.infinitesimal.add_mul(factor, &step.infinitesimal);
        }
    }
}

impl From<Rational> for Delta {
    #[inline]
    fn from(real: Rational) -> Self {
        Self { real, infinitesimal: Rational::ZERO }
    }
}

impl From<i64> for Delta {
    #[inline]
    fn from(n: i64) -> Self {
        Self::from(Rational::from(n))
    }
}

impl Add for &Delta {
    type Output = Delta;
    #[inline]
    fn add(self, other: Self) -> Delta {
        Delta { real: &self.real + &other.real, infinitesimal: &self.infinitesimal + &other.infinitesimal }
    }
}

impl Sub for &Delta {
    type Output = Delta;
    #[inline]
    fn sub(self, other: Self) -> Delta {
        Delta { real: &self.real - &other.real, infinitesimal: &self.infinitesimal - &other.infinitesimal }
    }
}

impl Neg for &Delta {
    type Output = Delta;
    fn neg(self) -> Delta {
        Delta { real: -&self.real, infinitesimal: -&self.infinitesimal }
    }
}

impl AddAssign<&Delta> for Delta {
    #[inline]
    fn add_assign(&mut self, other: &Self) {
        self.real += &other.real;
        self.infinitesimal += &other.infinitesimal;
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.infinitesimal.is_zero() {
            write!(f, "{}", self.real)
        } else {
            write!(f, "{} + {}·δ", self.real, self.infinitesimal)
        }
    }
}
