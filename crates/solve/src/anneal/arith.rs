//! Arithmetic on words: bit-vectors up to 64 bits, and floats by the machine where it rounds as asked.
//!
//! `f32` and `f64` compute to nearest, ties to even, exactly as IEEE 754 says; every other format and rounding mode
//! goes through [`smt::Float`]. Machine NaNs have signs and payloads, so every machine result is made canonical.

use super::shape::{Native, Shape, ones, signed};
use smt::{Float, IBig, RoundingMode};

/// Float operations that round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FloatOp {
    /// `fp.add`
    Add,
    /// `fp.sub`
    Sub,
    /// `fp.mul`
    Mul,
    /// `fp.div`
    Div,
    /// `fp.fma`
    Fma,
    /// `fp.sqrt`
    Sqrt,
    /// `fp.rem`, which rounds to nearest whatever the mode
    Rem,
    /// `fp.roundToIntegral`
    Integral,
}

/// Bit-vector operations on two words of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are SMT-LIB's without the prefix bv")]
pub(super) enum BitsOp {
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Smod,
    Shl,
    Lshr,
    Ashr,
}

/// The rounding mode that a word stands for: a position in [`RoundingMode::ALL`].
#[inline]
pub(super) fn mode(word: u64) -> RoundingMode {
    RoundingMode::ALL[word as usize]
}

/// The word of round to nearest, ties to even.
const RNE: u64 = RoundingMode::Rne as u64;

#[inline]
fn double(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
}

#[inline]
fn single(value: f32) -> u64 {
    u64::from(if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() })
}

#[inline]
fn f64_of(word: u64) -> f64 {
    f64::from_bits(word)
}

#[inline]
fn f32_of(word: u64) -> f32 {
    f32::from_bits(word as u32)
}

/// A float operation; operands that it does not take are ignored.
#[inline]
pub(super) fn float_op(shape: &Shape, op: FloatOp, rounding: u64, x: u64, y: u64, z: u64) -> u64 {
    match (shape.native, op) {
        (Native::Double, FloatOp::Integral) => double(integral(rounding, f64_of(x))),
        (Native::Single, FloatOp::Integral) => single(integral(rounding, f64::from(f32_of(x))) as f32),
        (Native::Soft, _) | (_, FloatOp::Rem) => soft(shape, op, rounding, x, y, z),
        (Native::Double, _) if rounding == RNE => {
            let (x, y) = (f64_of(x), f64_of(y));
            double(match op {
                FloatOp::Add => x + y,
                FloatOp::Sub => x - y,
                FloatOp::Mul => x * y,
                FloatOp::Div => x / y,
                FloatOp::Fma => x.mul_add(y, f64_of(z)),
                FloatOp::Sqrt => x.sqrt(),
                FloatOp::Rem | FloatOp::Integral => unreachable!("computed above"),
            })
        }
        (Native::Single, _) if rounding == RNE => {
            let (x, y) = (f32_of(x), f32_of(y));
            single(match op {
                FloatOp::Add => x + y,
                FloatOp::Sub => x - y,
                FloatOp::Mul => x * y,
                FloatOp::Div => x / y,
                FloatOp::Fma => x.mul_add(y, f32_of(z)),
                FloatOp::Sqrt => x.sqrt(),
                FloatOp::Rem | FloatOp::Integral => unreachable!("computed above"),
            })
        }
        _ => soft(shape, op, rounding, x, y, z),
    }
}

/// An integral value near `x`, rounded as the mode says; keeps the sign of zeros.
#[inline]
fn integral(rounding: u64, x: f64) -> f64 {
    match mode(rounding) {
        RoundingMode::Rne => x.round_ties_even(),
        RoundingMode::Rna => x.round(),
        RoundingMode::Rtp => x.ceil(),
        RoundingMode::Rtn => x.floor(),
        RoundingMode::Rtz => x.trunc(),
    }
}

#[cold]
fn soft(shape: &Shape, op: FloatOp, rounding: u64, x: u64, y: u64, z: u64) -> u64 {
    let rm = mode(rounding);
    let x = shape.float(x);
    shape.word(&match op {
        FloatOp::Add => x.add(rm, &shape.float(y)),
        FloatOp::Sub => x.sub(rm, &shape.float(y)),
        FloatOp::Mul => x.mul(rm, &shape.float(y)),
        FloatOp::Div => x.div(rm, &shape.float(y)),
        FloatOp::Fma => x.fma(rm, &shape.float(y), &shape.float(z)),
        FloatOp::Sqrt => x.sqrt(rm),
        FloatOp::Rem => x.rem(&shape.float(y)),
        FloatOp::Integral => x.round_to_integral(rm),
    })
}

/// `fp.neg`
#[inline]
pub(super) fn float_neg(shape: &Shape, x: u64) -> u64 {
    if shape.is_nan(x) { x } else { x ^ shape.sign }
}

/// `fp.min`, or `fp.max`; `None` for zeros of opposite sign.
#[inline]
pub(super) fn float_extreme(shape: &Shape, max: bool, x: u64, y: u64) -> Option<u64> {
    if shape.is_nan(x) {
        return Some(y);
    }
    if shape.is_nan(y) || x == y {
        return Some(x);
    }
    let (a, b) = (shape.ordinal(x), shape.ordinal(y));
    if a == b { None } else { Some(if (a < b) == max { y } else { x }) }
}

/// A float in another format.
#[inline]
pub(super) fn convert(from: &Shape, to: &Shape, rounding: u64, x: u64) -> u64 {
    match (from.native, to.native) {
        (Native::Single, Native::Double) => double(f64::from(f32_of(x))),
        (Native::Double, Native::Single) if rounding == RNE => single(f64_of(x) as f32),
        _ if from.format == to.format => x,
        _ => to.word(&from.float(x).convert(mode(rounding), to.format)),
    }
}

/// The float nearest to an integer that is a word of `width` bits.
#[inline]
pub(super) fn from_integer(to: &Shape, rounding: u64, x: u64, width: u32, is_signed: bool) -> u64 {
    match (to.native, rounding == RNE, is_signed) {
        (Native::Double, true, true) => double(signed(x, width) as f64),
        (Native::Double, true, false) => double(x as f64),
        (Native::Single, true, true) => single(signed(x, width) as f32),
        (Native::Single, true, false) => single(x as f32),
        _ => {
            let integer = if is_signed { IBig::from(signed(x, width)) } else { IBig::from(x) };
            to.word(&Float::from_int(mode(rounding), &integer, to.format))
        }
    }
}

/// The integer of `width` bits that a float rounds to; `None` for NaN, infinities and integers out of range.
#[inline]
pub(super) fn to_integer(from: &Shape, rounding: u64, x: u64, width: u32, is_signed: bool) -> Option<u64> {
    let value = match from.native {
        Native::Double => f64_of(x),
        Native::Single => f64::from(f32_of(x)),
        Native::Soft => {
            let float = from.float(x);
            let bits = if is_signed {
                float.to_sbv(mode(rounding), width)
            } else {
                float.to_ubv(mode(rounding), width)
            };
            return bits.map(|b| u64::try_from(&b).expect("at most 64 bits"));
        }
    };
    let rounded = integral(rounding, value);
    // Powers of two are exact, and comparisons with NaN are false.
    if is_signed {
        let bound = 2f64.powi(width as i32 - 1);
        (rounded >= -bound && rounded < bound).then(|| rounded as i64 as u64 & ones(width))
    } else {
        (rounded >= 0.0 && rounded < 2f64.powi(width as i32)).then_some(rounded as u64)
    }
}

/// A bit-vector operation on words below `2^width`.
#[inline]
pub(super) fn bits_op(op: BitsOp, width: u32, x: u64, y: u64) -> u64 {
    let wrapped = match op {
        BitsOp::And => return x & y,
        BitsOp::Or => return x | y,
        BitsOp::Xor => return x ^ y,
        BitsOp::Add => x.wrapping_add(y),
        BitsOp::Sub => x.wrapping_sub(y),
        BitsOp::Mul => x.wrapping_mul(y),
        BitsOp::Udiv => x.checked_div(y).unwrap_or(u64::MAX),
        BitsOp::Urem => return x.checked_rem(y).unwrap_or(x),
        BitsOp::Sdiv => match (signed(x, width), signed(y, width)) {
            (a, 0) => {
                if a < 0 {
                    1
                } else {
                    u64::MAX
                }
            }
            (a, b) => a.wrapping_div(b) as u64,
        },
        BitsOp::Srem => match (signed(x, width), signed(y, width)) {
            (_, 0) => return x,
            (a, b) => a.wrapping_rem(b) as u64,
        },
        BitsOp::Smod => match (signed(x, width), signed(y, width)) {
            (_, 0) => return x,
            (a, b) => {
                let r = a.wrapping_rem(b);
                (if r != 0 && (r < 0) != (b < 0) { r + b } else { r }) as u64
            }
        },
        BitsOp::Shl => {
            if y < u64::from(width) {
                x << y
            } else {
                0
            }
        }
        BitsOp::Lshr => return if y < u64::from(width) { x >> y } else { 0 },
        BitsOp::Ashr => (signed(x, width) >> y.min(63)) as u64,
    };
    wrapped & ones(width)
}
