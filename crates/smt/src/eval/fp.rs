//! FloatingPoint on values.

use super::{Call, EvalResult, Undefined};
use crate::bitvec::BitVec;
use crate::float::{Float, Format, RoundingMode};
use crate::value::Value;
use dashu_int::IBig;

fn float<'a>(call: &Call<'a>, i: usize) -> &'a Float {
    match &call.args[i] {
        Value::Float(f) => f,
        _ => unreachable!("the argument is a float"),
    }
}

fn mode(call: &Call<'_>) -> RoundingMode {
    match &call.args[0] {
        Value::Rm(mode) => *mode,
        _ => unreachable!("the argument is a rounding mode"),
    }
}

fn bv<'a>(call: &Call<'a>, i: usize) -> &'a BitVec {
    match &call.args[i] {
        Value::BitVec(bv) => bv,
        _ => unreachable!("the argument is a bit-vector"),
    }
}

fn value(float: Float) -> EvalResult {
    Ok(Value::Float(float))
}

/// The format that the indices of a conversion name.
fn target(call: &Call<'_>) -> Result<Format, Undefined> {
    let format = Format { eb: call.indices[0], sb: call.indices[1] };
    if format.is_supported() {
        Ok(format)
    } else {
        Err(Undefined::Limit("this float format is too large to compute"))
    }
}

macro_rules! operations {
    ($($name:ident => $body:expr;)*) => {$(
        pub(crate) fn $name(call: &mut Call<'_>) -> EvalResult {
            let body: fn(&Call<'_>) -> Float = $body;
            value(body(call))
        }
    )*};
}

operations! {
    abs => |c| float(c, 0).abs();
    neg => |c| float(c, 0).neg();
    add => |c| float(c, 1).add(mode(c), float(c, 2));
    sub => |c| float(c, 1).sub(mode(c), float(c, 2));
    mul => |c| float(c, 1).mul(mode(c), float(c, 2));
    div => |c| float(c, 1).div(mode(c), float(c, 2));
    fma => |c| float(c, 1).fma(mode(c), float(c, 2), float(c, 3));
    sqrt => |c| float(c, 1).sqrt(mode(c));
    rem => |c| float(c, 0).rem(float(c, 1));
    round_to_integral => |c| float(c, 1).round_to_integral(mode(c));
}

macro_rules! predicates {
    ($($name:ident => $method:ident;)*) => {$(
        pub(crate) fn $name(call: &mut Call<'_>) -> EvalResult {
            Ok(Value::Bool(float(call, 0).$method()))
        }
    )*};
}

predicates! {
    is_normal => is_normal;
    is_subnormal => is_subnormal;
    is_zero => is_zero;
    is_infinite => is_infinite;
    is_nan => is_nan;
    is_negative => is_negative;
    is_positive => is_positive;
}

macro_rules! chains {
    ($($name:ident => $method:ident;)*) => {$(
        pub(crate) fn $name(call: &mut Call<'_>) -> EvalResult {
            Ok(Value::Bool((1..call.args.len()).all(|i| float(call, i - 1).$method(float(call, i)))))
        }
    )*};
}

chains! {
    leq => le;
    lt => lt;
    geq => ge;
    gt => gt;
    eq => ieee_eq;
}

pub(crate) fn min(call: &mut Call<'_>) -> EvalResult {
    Float::min(float(call, 0), float(call, 1)).map(Value::Float).ok_or(Undefined::ZeroSigns)
}

pub(crate) fn max(call: &mut Call<'_>) -> EvalResult {
    Float::max(float(call, 0), float(call, 1)).map(Value::Float).ok_or(Undefined::ZeroSigns)
}

pub(crate) fn fields(call: &mut Call<'_>) -> EvalResult {
    let (sign, exponent, significand) = (bv(call, 0), bv(call, 1), bv(call, 2));
    let format = Format { eb: exponent.width(), sb: significand.width() + 1 };
    if !format.is_supported() {
        return Err(Undefined::Limit("this float format is too large to compute"));
    }
    value(Float::from_parts(
        !sign.is_zero(),
        exponent.to_ubig().clone(),
        significand.to_ubig().clone(),
        format,
    ))
}

pub(crate) fn from_bits(call: &mut Call<'_>) -> EvalResult {
    value(Float::from_bits(target(call)?, bv(call, 0).to_ubig().clone()))
}

pub(crate) fn from_fp(call: &mut Call<'_>) -> EvalResult {
    value(float(call, 1).convert(mode(call), target(call)?))
}

pub(crate) fn from_sbv(call: &mut Call<'_>) -> EvalResult {
    value(Float::from_int(mode(call), &bv(call, 1).to_signed(), target(call)?))
}

pub(crate) fn from_ubv(call: &mut Call<'_>) -> EvalResult {
    value(Float::from_int(mode(call), &IBig::from(bv(call, 1).to_ubig().clone()), target(call)?))
}

pub(crate) fn from_real(call: &mut Call<'_>) -> EvalResult {
    match &call.args[1] {
        Value::Real(r) => value(Float::from_real(mode(call), r, target(call)?)),
        _ => unreachable!("the argument is a real"),
    }
}

pub(crate) fn to_ubv(call: &mut Call<'_>) -> EvalResult {
    let width = call.indices[0];
    let bits = float(call, 1).to_ubv(mode(call), width).ok_or(Undefined::FloatConversion)?;
    Ok(Value::BitVec(BitVec::new(width, bits)))
}

pub(crate) fn to_sbv(call: &mut Call<'_>) -> EvalResult {
    let width = call.indices[0];
    let bits = float(call, 1).to_sbv(mode(call), width).ok_or(Undefined::FloatConversion)?;
    Ok(Value::BitVec(BitVec::new(width, bits)))
}

pub(crate) fn to_real(call: &mut Call<'_>) -> EvalResult {
    float(call, 0).to_real().map(Value::Real).ok_or(Undefined::FloatConversion)
}

/// Z3's `fp.to_ieee_bv`, which leaves the bits of NaN open.
pub(crate) fn to_ieee_bits(call: &mut Call<'_>) -> EvalResult {
    let float = float(call, 0);
    if float.is_nan() {
        return Err(Undefined::FloatConversion);
    }
    Ok(Value::BitVec(BitVec::new(float.format().width(), float.bits())))
}
