//! XSat's objective (Zhang et al. 2020, Section 3.4, Table 1): how far a literal is from being true, and from being false.
//!
//! A [`Gap`] is a pair of such distances. Exactly one is zero where the literal has a value; both are positive where
//! it has none (SMT-LIB leaves it open). Keeping both sides is what makes negation exact: with NaN around,
//! `not (x < y)` is not `y <= x`, and here it is the other half of the same pair.
//!
//! Three liberties, none of which moves a zero. Table 1's `x < y ? 0 : theta(x, y)` is zero for `x = y`, where the literal is
//! false, so one step is added there. Steps are counted on a logarithmic scale (the binary logarithm of one plus the
//! number of values in between, over 64), so that products over disjuncts neither overflow nor drown the sums they
//! stand in. And negative and positive zero are one step apart for `=`, which tells them apart.

use super::shape::{Shape, signed};
use crate::tuning::anneal_distance::{FAR, STEP, TINY};

/// Distances to truth and to falsity.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Gap {
    /// Zero if and only if the literal is true.
    pub(super) to_true: f64,
    /// Zero if and only if the literal is false.
    pub(super) to_false: f64,
}

/// A number of steps on the logarithmic scale: 0 for 0, `STEP` for 1, 1 for 2^64; increasing.
#[inline]
pub(super) fn scaled(steps: u64) -> f64 {
    // The bits of a positive float, read as an integer, are a piecewise linear logarithm.
    let one = 1f64.to_bits();
    ((steps as f64 + 1.0).to_bits() - one) as f64 * (1.0 / (1u64 << 58) as f64)
}

impl Gap {
    /// Neither true nor false.
    pub(super) const OPEN: Gap = Gap { to_true: 1.5, to_false: 1.5 };

    /// A truth value that costs one step to change.
    #[inline]
    pub(super) fn of(truth: bool) -> Gap {
        if truth { Gap { to_true: 0.0, to_false: STEP } } else { Gap { to_true: STEP, to_false: 0.0 } }
    }

    /// The literal is true and this many steps (at least one) from being false.
    #[inline]
    fn holds(steps: u64) -> Gap {
        Gap { to_true: 0.0, to_false: scaled(steps) }
    }

    /// The literal is false and this many steps (at least one) from being true.
    #[inline]
    fn fails(steps: u64) -> Gap {
        Gap { to_true: scaled(steps), to_false: 0.0 }
    }

    /// Whether the condition holds.
    #[inline]
    pub(super) fn is_true(self) -> bool {
        self.to_true == 0.0
    }

    /// Whether the condition is false.
    #[inline]
    pub(super) fn is_false(self) -> bool {
        self.to_false == 0.0
    }

    /// The truth value, if there is one.
    #[inline]
    pub(super) fn truth(self) -> Option<bool> {
        match (self.is_true(), self.is_false()) {
            (false, false) => None,
            (truth, _) => Some(truth),
        }
    }

    /// `not`
    #[inline]
    pub(super) fn not(self) -> Gap {
        Gap { to_true: self.to_false, to_false: self.to_true }
    }

    /// `and`: a sum towards truth, a product towards falsity.
    #[inline]
    pub(super) fn and(self, other: Gap) -> Gap {
        Gap { to_true: self.to_true + other.to_true, to_false: product(self.to_false, other.to_false) }
    }

    /// `or`
    #[inline]
    pub(super) fn or(self, other: Gap) -> Gap {
        self.not().and(other.not()).not()
    }

    /// `=` on truth values: both true, or both false.
    #[inline]
    pub(super) fn iff(self, other: Gap) -> Gap {
        Gap {
            to_true: product(self.to_true + other.to_true, self.to_false + other.to_false),
            to_false: product(self.to_true + other.to_false, self.to_false + other.to_true),
        }
    }

    /// `ite` on truth values; with an open condition it has the value on which both branches agree.
    #[inline]
    pub(super) fn ite(self, then: Gap, otherwise: Gap) -> Gap {
        if self.truth().is_none() && then.truth() == otherwise.truth() {
            return then;
        }
        Gap {
            to_true: product(self.to_true + then.to_true, self.to_false + otherwise.to_true),
            to_false: product(self.to_true + then.to_false, self.to_false + otherwise.to_false),
        }
    }
}

#[inline]
fn product(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { (a * b).max(TINY) }
}

const NAN: Gap = Gap { to_true: FAR, to_false: 0.0 };

/// `fp.lt`
#[inline]
pub(super) fn float_lt(shape: &Shape, x: u64, y: u64) -> Gap {
    if shape.is_nan(x) || shape.is_nan(y) {
        return NAN;
    }
    let (x, y) = (shape.ordinal(x), shape.ordinal(y));
    if x < y { Gap::holds(x.abs_diff(y)) } else { Gap::fails(x.abs_diff(y).saturating_add(1)) }
}

/// `fp.leq`
#[inline]
pub(super) fn float_le(shape: &Shape, x: u64, y: u64) -> Gap {
    if shape.is_nan(x) || shape.is_nan(y) { NAN } else { float_lt(shape, y, x).not() }
}

/// `fp.eq`
#[inline]
pub(super) fn float_eq(shape: &Shape, x: u64, y: u64) -> Gap {
    if shape.is_nan(x) || shape.is_nan(y) {
        return NAN;
    }
    match shape.ordinal(x).abs_diff(shape.ordinal(y)) {
        0 => Gap::holds(1),
        steps => Gap::fails(steps),
    }
}

/// `=` on floats
#[inline]
pub(super) fn float_same(shape: &Shape, x: u64, y: u64) -> Gap {
    if x == y {
        Gap::holds(1)
    } else if shape.is_nan(x) || shape.is_nan(y) {
        NAN
    } else {
        Gap::fails(shape.key(x).abs_diff(shape.key(y)))
    }
}

/// The classes of floats that have a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// `fp.isNaN`
    Nan,
    /// `fp.isInfinite`
    Infinite,
    /// `fp.isZero`
    Zero,
    /// `fp.isNormal`
    Normal,
    /// `fp.isSubnormal`
    Subnormal,
    /// `fp.isNegative`
    Negative,
    /// `fp.isPositive`
    Positive,
}

/// A class predicate.
#[inline]
pub(super) fn float_class(shape: &Shape, class: Class, x: u64) -> Gap {
    if shape.is_nan(x) {
        return if class == Class::Nan { NAN.not() } else { NAN };
    }
    let magnitude = shape.magnitude(x);
    match class {
        Class::Nan => NAN,
        Class::Infinite => within(magnitude, shape.infinity, shape.infinity, shape.infinity),
        Class::Zero => within(magnitude, 0, 0, shape.infinity),
        Class::Normal => within(magnitude, shape.min_normal, shape.infinity - 1, shape.infinity),
        Class::Subnormal => within(magnitude, 1, shape.min_normal - 1, shape.infinity),
        Class::Negative if shape.is_negative(x) => Gap::holds(magnitude + 1),
        Class::Negative => Gap::fails(magnitude + 1),
        Class::Positive if shape.is_negative(x) => Gap::fails(magnitude + 1),
        Class::Positive => Gap::holds(magnitude + 1),
    }
}

/// `low <= x <= high`, among the values 0 to `last`.
#[inline]
fn within(x: u64, low: u64, high: u64, last: u64) -> Gap {
    if x < low {
        return Gap::fails(low - x);
    }
    if x > high {
        return Gap::fails(x - high);
    }
    let below = if low > 0 { x - low + 1 } else { u64::MAX };
    let above = if high < last { high - x + 1 } else { u64::MAX };
    Gap::holds(below.min(above))
}

/// `=` on bit-vectors: the nearer of the numeric distance around the circle and the number of bits that differ.
#[inline]
pub(super) fn bits_same(width: u32, x: u64, y: u64) -> Gap {
    if x == y {
        return Gap::holds(1);
    }
    let up = x.wrapping_sub(y) & super::shape::ones(width);
    let down = y.wrapping_sub(x) & super::shape::ones(width);
    let flips = f64::from((x ^ y).count_ones()) * STEP;
    Gap { to_true: scaled(up.min(down)).min(flips), to_false: 0.0 }
}

/// `bvult`
#[inline]
pub(super) fn bits_ult(x: u64, y: u64) -> Gap {
    if x < y { Gap::holds(y - x) } else { Gap::fails((x - y).saturating_add(1)) }
}

/// `bvslt`
#[inline]
pub(super) fn bits_slt(width: u32, x: u64, y: u64) -> Gap {
    let (x, y) = (signed(x, width), signed(y, width));
    if x < y { Gap::holds(x.abs_diff(y)) } else { Gap::fails(x.abs_diff(y).saturating_add(1)) }
}

/// A truth value whose distance is known only roughly, as bits that differ out of all bits.
pub(super) fn rough(truth: bool, differing: usize, of: usize) -> Gap {
    let share = (differing as f64 / of.max(1) as f64).clamp(STEP, 1.0);
    if truth { Gap { to_true: 0.0, to_false: STEP } } else { Gap { to_true: share, to_false: 0.0 } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Format;

    fn law(gap: Gap, truth: bool, what: &str) {
        assert_eq!(gap.is_true(), truth, "{what}: {gap:?}");
        assert_eq!(gap.is_false(), !truth, "{what}: {gap:?}");
        assert!(gap.to_true >= 0.0 && gap.to_false >= 0.0);
    }

    #[test]
    fn zero_if_and_only_if_the_literal_is_true() {
        let shape = Shape::new(Format { eb: 2, sb: 3 }).unwrap();
        let words: Vec<u64> = (0..=shape.mask()).filter(|&w| shape.canonical(w) == w).collect();
        for &x in &words {
            let f = shape.float(x);
            for (class, truth) in [
                (Class::Nan, f.is_nan()),
                (Class::Infinite, f.is_infinite()),
                (Class::Zero, f.is_zero()),
                (Class::Normal, f.is_normal()),
                (Class::Subnormal, f.is_subnormal()),
                (Class::Negative, f.is_negative()),
                (Class::Positive, f.is_positive()),
            ] {
                law(float_class(&shape, class, x), truth, &format!("{class:?} {f:?}"));
            }
            for &y in &words {
                let g = shape.float(y);
                law(float_lt(&shape, x, y), f.lt(&g), "fp.lt");
                law(float_le(&shape, x, y), f.le(&g), "fp.leq");
                law(float_eq(&shape, x, y), f.ieee_eq(&g), "fp.eq");
                law(float_same(&shape, x, y), f == g, "=");
            }
        }
        for x in 0..16 {
            for y in 0..16 {
                law(bits_same(4, x, y), x == y, "= on bits");
                law(bits_ult(x, y), x < y, "bvult");
                law(bits_slt(4, x, y), signed(x, 4) < signed(y, 4), "bvslt");
            }
        }
    }

    #[test]
    fn connectives_follow_the_lenient_tables() {
        let all = [Gap::of(true), Gap::of(false), Gap::OPEN];
        let and = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
        for a in all {
            assert_eq!(a.not().truth(), a.truth().map(|t| !t));
            for b in all {
                assert_eq!(a.and(b).truth(), and(a.truth(), b.truth()));
                assert_eq!(a.or(b).truth(), and(a.not().truth(), b.not().truth()).map(|t| !t));
                assert_eq!(a.iff(b).truth(), a.truth().zip(b.truth()).map(|(a, b)| a == b));
                for c in all {
                    let expected = match a.truth() {
                        Some(true) => b.truth(),
                        Some(false) => c.truth(),
                        None => b.truth().filter(|_| b.truth() == c.truth()),
                    };
                    assert_eq!(a.ite(b, c).truth(), expected);
                }
            }
        }
    }

    #[test]
    fn the_scale_is_strict_where_the_search_ends_and_bounded() {
        assert_eq!(scaled(0), 0.0);
        assert_eq!(scaled(1), STEP);
        for n in 0..100_000 {
            assert!(scaled(n) < scaled(n + 1));
        }
        assert!(scaled(u64::MAX) <= 1.0 && scaled(u64::MAX) < FAR);
        let many = (0..10_000).fold(Gap::of(false), |all, _| all.or(Gap::fails(1)));
        assert!(many.to_true > 0.0 && many.is_false());
    }
}
