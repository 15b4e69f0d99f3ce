//! IEEE's remainder, `fp.rem`: exact, by modular exponentiation instead of a long division.

use super::Float;
use super::RoundingMode;
use super::arith::by_width;
use super::nat::Nat;
use super::unpacked::{Kind, Unpacked, round, unpack};
use dashu_int::UBig;

impl Float {
    /// `fp.rem`: `self - other * n`, where `n` is the integer nearest to `self / other`, ties to even. Always exact; a
    /// zero result has the sign of `self`. Panics on operands of different formats.
    pub fn rem(&self, other: &Float) -> Float {
        self.assert_same_format(other);
        by_width!(self.format, rem(self, other))
    }
}

fn rem<N: Nat>(left: &Float, right: &Float) -> Float {
    let format = left.format;
    match (unpack::<N>(left), unpack::<N>(right)) {
        (Kind::Nan, _) | (_, Kind::Nan) | (Kind::Infinite(_), _) | (_, Kind::Zero(_)) => Float::nan(format),
        (Kind::Zero(_), _) | (_, Kind::Infinite(_)) => left.clone(),
        (Kind::Finite(a), Kind::Finite(b)) => {
            let negative = a.negative;
            match rem_finite(a, b) {
                // The result is a multiple of the last place of one operand and no larger than the other.
                Some(result) => round(format, RoundingMode::Rtz, result),
                None => Float::zero(format, negative),
            }
        }
    }
}

/// The remainder of two non-zero numbers, `None` for zero.
fn rem_finite<N: Nat>(a: Unpacked<N>, b: Unpacked<N>) -> Option<Unpacked<N>> {
    let distance = a.exponent - b.exponent;
    // In units of `2^exponent` both are integers: `divisor`, and a dividend known modulo twice the divisor, which
    // tells both the remainder and the parity of the quotient.
    let (exponent, divisor, residue) = if distance >= 0 {
        let modulus = b.significand.clone() << 1;
        let residue = shift_modulo(a.significand, distance as u64, &modulus);
        (b.exponent, b.significand, residue)
    } else if distance < -(a.significand.bit_len() as i64) - 1 {
        return Some(a); // |a| < |b| / 2
    } else {
        let divisor = b.significand << distance.unsigned_abs() as usize;
        let modulus = divisor.clone() << 1;
        (a.exponent, divisor, a.significand.div_rem(&modulus).1)
    };
    let odd = residue >= divisor;
    let floor = if odd { residue - divisor.clone() } else { residue };
    let twice = floor.clone() << 1;
    let (negative, significand) = if twice > divisor || (twice == divisor && odd) {
        (!a.negative, divisor - floor)
    } else {
        (a.negative, floor)
    };
    if significand.is_zero() { None } else { Some(Unpacked { negative, exponent, significand }) }
}

/// `number * 2^shift` modulo `modulus`. Intermediate results have no more bits than the product of two residues
/// or of `number` and a residue.
fn shift_modulo<N: Nat>(number: N, shift: u64, modulus: &N) -> N {
    if shift < modulus.bit_len() as u64 {
        return (number << shift as usize).div_rem(modulus).1;
    }
    let mut power = N::from(1);
    for position in (0..u64::BITS - shift.leading_zeros()).rev() {
        power = (power.clone() * power).div_rem(modulus).1;
        if shift >> position & 1 == 1 {
            power = (power << 1).div_rem(modulus).1;
        }
    }
    (number * power).div_rem(modulus).1
}
