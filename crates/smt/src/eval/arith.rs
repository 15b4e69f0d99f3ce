//! Ints, Reals and Reals_Ints on values.

use super::{Call, EvalResult, Undefined};
use crate::value::Value;
use dashu_base::{Abs, BitTest, Signed};
use dashu_int::ops::{DivEuclid, RemEuclid};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// Numbers with more bits than this are not computed.
const MAX_BITS: usize = 1 << 22;

fn int(value: &Value) -> &IBig {
    value.as_int().expect("the argument is an integer")
}

fn real(value: &Value) -> &RBig {
    match value {
        Value::Real(r) => r,
        _ => unreachable!("the argument is a real"),
    }
}

fn boolean(value: bool) -> EvalResult {
    Ok(Value::Bool(value))
}

fn bits(number: &RBig) -> usize {
    number.numerator().bit_len().max(number.denominator().bit_len())
}

/// The operands are looked at, not the result: a number that is too large must not be computed first. Twice the bits of the larger
/// operand hold every sum and product.
fn fold(call: &Call<'_>, ints: fn(&IBig, &IBig) -> IBig, reals: fn(&RBig, &RBig) -> RBig) -> EvalResult {
    let too_large = || Err(Undefined::Limit("a number is too large to compute"));
    let (first, rest) = call.args.split_first().expect("an argument");
    match first {
        Value::Int(i) => {
            let mut result = i.clone();
            for value in rest {
                if result.bit_len().max(int(value).bit_len()) > MAX_BITS / 2 {
                    return too_large();
                }
                result = ints(&result, int(value));
            }
            Ok(Value::Int(result))
        }
        _ => {
            let mut result = real(first).clone();
            for value in rest {
                if bits(&result).max(bits(real(value))) > MAX_BITS / 2 {
                    return too_large();
                }
                result = reals(&result, real(value));
            }
            Ok(Value::Real(result))
        }
    }
}

pub(crate) fn neg(call: &mut Call<'_>) -> EvalResult {
    Ok(match &call.args[0] {
        Value::Int(i) => Value::Int(-i),
        other => Value::Real(-real(other)),
    })
}

pub(crate) fn add(call: &mut Call<'_>) -> EvalResult {
    fold(call, |a, b| a + b, |a, b| a + b)
}

pub(crate) fn sub(call: &mut Call<'_>) -> EvalResult {
    fold(call, |a, b| a - b, |a, b| a - b)
}

pub(crate) fn mul(call: &mut Call<'_>) -> EvalResult {
    fold(call, |a, b| a * b, |a, b| a * b)
}

pub(crate) fn abs(call: &mut Call<'_>) -> EvalResult {
    Ok(match &call.args[0] {
        Value::Int(i) => Value::Int(i.clone().abs()),
        other => Value::Real(real(other).clone().abs()),
    })
}

/// SMT-LIB's `div` rounds so that the remainder is not negative.
pub(crate) fn int_div(call: &mut Call<'_>) -> EvalResult {
    let mut result = int(&call.args[0]).clone();
    for value in &call.args[1..] {
        if *int(value) == IBig::ZERO {
            return Err(Undefined::DivisionByZero);
        }
        result = result.div_euclid(int(value));
    }
    Ok(Value::Int(result))
}

pub(crate) fn modulo(call: &mut Call<'_>) -> EvalResult {
    let (a, b) = (int(&call.args[0]), int(&call.args[1]));
    if *b == IBig::ZERO {
        return Err(Undefined::DivisionByZero);
    }
    Ok(Value::Int(IBig::from(a.rem_euclid(b))))
}

pub(crate) fn div(call: &mut Call<'_>) -> EvalResult {
    let mut result = real(&call.args[0]).clone();
    for value in &call.args[1..] {
        if *real(value) == RBig::ZERO {
            return Err(Undefined::DivisionByZero);
        }
        result /= real(value);
    }
    Ok(Value::Real(result))
}

fn chain(call: &Call<'_>, holds: fn(std::cmp::Ordering) -> bool) -> EvalResult {
    boolean(call.args.windows(2).all(|w| match (&w[0], &w[1]) {
        (Value::Int(a), Value::Int(b)) => holds(a.cmp(b)),
        (a, b) => holds(real(a).cmp(real(b))),
    }))
}

pub(crate) fn le(call: &mut Call<'_>) -> EvalResult {
    chain(call, |o| o.is_le())
}

pub(crate) fn lt(call: &mut Call<'_>) -> EvalResult {
    chain(call, |o| o.is_lt())
}

pub(crate) fn ge(call: &mut Call<'_>) -> EvalResult {
    chain(call, |o| o.is_ge())
}

pub(crate) fn gt(call: &mut Call<'_>) -> EvalResult {
    chain(call, |o| o.is_gt())
}

pub(crate) fn divisible(call: &mut Call<'_>) -> EvalResult {
    let n = UBig::from(call.indices[0]);
    if n == UBig::ZERO {
        return boolean(*int(&call.args[0]) == IBig::ZERO);
    }
    boolean(int(&call.args[0]) % n == IBig::ZERO)
}

pub(crate) fn to_real(call: &mut Call<'_>) -> EvalResult {
    Ok(Value::Real(RBig::from(int(&call.args[0]).clone())))
}

pub(crate) fn to_int(call: &mut Call<'_>) -> EvalResult {
    Ok(Value::Int(real(&call.args[0]).floor()))
}

pub(crate) fn is_int(call: &mut Call<'_>) -> EvalResult {
    boolean(real(&call.args[0]).is_int())
}

/// `(^ a b)` for an integer exponent, negative ones only for reals. Solvers differ on `0^0`, and `0` has no negative
/// powers.
pub(crate) fn power(call: &mut Call<'_>) -> EvalResult {
    let exponent = match &call.args[1] {
        Value::Int(i) => i.clone(),
        other if real(other).is_int() => real(other).floor(),
        _ => return Err(Undefined::Unsupported("^")),
    };
    let Ok(n) = isize::try_from(&exponent) else {
        return Err(Undefined::Limit("a number is too large to compute"));
    };
    let fits = |bits: usize| bits.saturating_mul(n.unsigned_abs()) <= MAX_BITS;
    match &call.args[0] {
        Value::Int(base) => {
            if n < 0 || (n == 0 && *base == IBig::ZERO) {
                return Err(Undefined::Unsupported("^"));
            }
            if !fits(base.bit_len()) {
                return Err(Undefined::Limit("a number is too large to compute"));
            }
            Ok(Value::Int(base.pow(n.unsigned_abs())))
        }
        other => {
            let base = real(other);
            if n <= 0 && *base == RBig::ZERO {
                return Err(Undefined::Unsupported("^"));
            }
            if !fits(base.numerator().bit_len().max(base.denominator().bit_len())) {
                return Err(Undefined::Limit("a number is too large to compute"));
            }
            Ok(Value::Real(base.pow(n)))
        }
    }
}

/// The conjunction of the last `width` bits of two integers, as a natural number.
fn conjoined(width: &IBig, a: &Value, b: &Value) -> EvalResult {
    if !width.is_positive() {
        return Ok(Value::Int(IBig::ZERO));
    }
    match usize::try_from(width) {
        Ok(width) if width <= MAX_BITS => {
            Ok(Value::Int(int(a) & int(b) & ((IBig::ONE << width) - IBig::ONE)))
        }
        _ => Err(Undefined::Limit("a number is too large to compute")),
    }
}

/// `((_ iand k) a b)`
pub(crate) fn int_and(call: &mut Call<'_>) -> EvalResult {
    conjoined(&IBig::from(call.indices[0]), &call.args[0], &call.args[1])
}

/// `(piand k a b)`: the same with a number of bits that is no numeral.
pub(crate) fn int_and_of(call: &mut Call<'_>) -> EvalResult {
    conjoined(int(&call.args[0]), &call.args[1], &call.args[2])
}

pub(crate) fn pow2(call: &mut Call<'_>) -> EvalResult {
    let i = int(&call.args[0]);
    if i.is_negative() {
        return Ok(Value::Int(IBig::ZERO));
    }
    match usize::try_from(i) {
        Ok(n) if n <= MAX_BITS => Ok(Value::Int(IBig::ONE << n)),
        _ => Err(Undefined::Limit("a number is too large to compute")),
    }
}
