//! Where SMT-LIB leaves the value of an application open, stated on the arguments alone.

use crate::cases::Case;
use smt::eval::Evaluation;
use smt::{BitVec, Float, IBig, Op, RBig, RoundingMode, Undefined, Value};
use testkit::Rng;

/// Why the application of a case has no value, if it has none.
pub(crate) fn open(case: &Case) -> Option<Undefined> {
    let zero_divisor = || {
        case.values[1..].iter().flatten().any(|v| match v {
            Value::Int(i) => *i == IBig::ZERO,
            Value::Real(r) => *r == RBig::ZERO,
            _ => false,
        })
    };
    match case.row.op {
        _ if matches!(case.row.evaluation, Evaluation::Opaque) => Some(Undefined::Unsupported(case.row.name)),
        // Reals and Ints: `/`, `div` and `mod` by zero are any function of the dividend.
        Op::Div | Op::IntDiv | Op::Mod if zero_divisor() => Some(Undefined::DivisionByZero),
        // FloatingPoint: "fp.min(-0, +0) and fp.min(+0, -0) can be either zero".
        Op::FpMin | Op::FpMax => {
            let (a, b) = (float(case, 0), float(case, 1));
            (a.is_zero() && b.is_zero() && a.is_negative() != b.is_negative()).then_some(Undefined::ZeroSigns)
        }
        // FloatingPoint: unspecified for NaN, infinities and values out of range.
        Op::FpToUbv => (!in_range(case, false)).then_some(Undefined::FloatConversion),
        Op::FpToSbv => (!in_range(case, true)).then_some(Undefined::FloatConversion),
        Op::FpToReal => {
            let x = float(case, 0);
            (x.is_nan() || x.is_infinite()).then_some(Undefined::FloatConversion)
        }
        Op::FpToIeeeBv => float(case, 0).is_nan().then_some(Undefined::FloatConversion),
        // Outside the standard: no roots, no fractions of integers, and solvers differ on 0^0.
        Op::Power => (!has_power(case)).then_some(Undefined::Unsupported("^")),
        // Outside the standard: what is not in the sequence is any function of the arguments.
        Op::SeqNth => {
            let (Value::Collection(sequence), Value::Int(i)) = (case.value(0), case.value(1)) else {
                panic!("a sequence and an integer")
            };
            let inside = *i >= IBig::ZERO && *i < IBig::from(sequence.items.len());
            (!inside).then_some(Undefined::OutsideSequence)
        }
        _ => None,
    }
}

/// Two different values that an open application could have.
pub(crate) fn two_values(rng: &mut Rng, case: &Case) -> [Value; 2] {
    let n = rng.between(-5, 5);
    match case.row.op {
        Op::IntDiv | Op::Mod => [n, n + 1].map(|n| Value::Int(IBig::from(n))),
        Op::Div | Op::FpToReal => [n, n + 1].map(|n| Value::Real(RBig::from(n))),
        Op::FpMin | Op::FpMax => [0, 1].map(|i| case.value(i).clone()),
        Op::FpToUbv | Op::FpToSbv => [0, 1].map(|n| Value::BitVec(BitVec::from_u64(case.indices[0], n))),
        other => panic!("no values for {other:?}"),
    }
}

fn has_power(case: &Case) -> bool {
    match (case.value(0), case.value(1)) {
        (Value::Int(base), Value::Int(n)) => *n > IBig::ZERO || (*n == IBig::ZERO && *base != IBig::ZERO),
        (Value::Real(base), Value::Real(n)) => n.is_int() && (*n > RBig::ZERO || *base != RBig::ZERO),
        _ => false,
    }
}

fn float(case: &Case, i: usize) -> &Float {
    match case.value(i) {
        Value::Float(f) => f,
        other => panic!("a float, not {other:?}"),
    }
}

/// Whether the rounded value fits the width of a conversion, by exact arithmetic on rationals.
fn in_range(case: &Case, signed: bool) -> bool {
    let Value::Rm(mode) = case.value(0) else { panic!("a rounding mode") };
    let Some(exact) = float(case, 1).to_real() else { return false };
    let rounded = round(&exact, *mode);
    let width = case.indices[0] as usize;
    let (low, high) = if signed {
        (-(IBig::ONE << (width - 1)), (IBig::ONE << (width - 1)) - IBig::ONE)
    } else {
        (IBig::ZERO, (IBig::ONE << width) - IBig::ONE)
    };
    low <= rounded && rounded <= high
}

fn round(exact: &RBig, mode: RoundingMode) -> IBig {
    let floor = exact.floor();
    let fraction = exact - RBig::from(floor.clone());
    let half = RBig::from_parts(IBig::ONE, 2u8.into());
    let is_odd = &floor % IBig::from(2) != IBig::ZERO;
    let up = match mode {
        RoundingMode::Rne => fraction > half || (fraction == half && is_odd),
        RoundingMode::Rna => fraction > half || (fraction == half && *exact > RBig::ZERO),
        RoundingMode::Rtp => fraction > RBig::ZERO,
        RoundingMode::Rtn => false,
        RoundingMode::Rtz => fraction > RBig::ZERO && *exact < RBig::ZERO,
    };
    if up { floor + IBig::ONE } else { floor }
}
