//! Floats as circuits: IEEE 754 in any format, one file an operator family.
//!
//! A float is the word of its interchange encoding with one NaN, so that SMT-LIB's `=` is equality of words and arrays,
//! functions and choices need no word of their own about floats. Inputs of the circuit pass through a map onto the
//! encodings that exist ([`value::input`]); no side condition is left to the clauses.
//!
//! Operators that compute take their operands apart ([`value::unpack`]: subnormal numbers get a leading bit and a longer
//! exponent) and round once ([`round::round`]), after the same arguments about jammed significands as [`smt::Float`].
//! Rounding modes are words of three bits and may be unknown.
//!
//! What SMT-LIB leaves open is an input: the sign of a zero that `fp.min` chooses belongs to the operator, the order of its
//! arguments and the format; the value of a conversion out of range belongs to the application, and the axioms of functions
//! make equal applications equal (`axioms`).

mod add;
mod compare;
mod convert;
mod div;
mod facts;
mod fma;
mod integral;
mod mode;
mod mul;
pub(super) mod rem;
mod round;
#[cfg(test)]
mod second;
mod shift;
mod sqrt;
#[cfg(test)]
mod tests;
mod value;

pub(super) use facts::facts;
pub(super) use mode::Mode;
pub(super) use value::{input, is_canonical, word_of};

use super::aig::{Aig, Bit};
use super::words::Word;
use rustc_hash::FxHashMap;
use smt::{Float, Format, Op, Value};

/// The signs of zeros that `fp.min` and `fp.max` choose: for each operator and format, with the negative zero second and
/// first.
pub(super) type ZeroChoices = FxHashMap<(Op, Format), [Bit; 2]>;

/// An application of an operator of the theory to words.
pub(super) struct Call<'a> {
    /// The operator.
    pub(super) op: Op,
    /// The format of the float among the arguments, or else of the result.
    pub(super) format: Format,
    /// The format of the result, where it is a float.
    pub(super) target: Format,
    /// The arguments; those that are no words are empty.
    pub(super) args: &'a [Word],
    /// How wide the result is, where it is a bit-vector.
    pub(super) width: usize,
}

/// Whether the engine first tries without the operator's circuit.
pub(super) fn is_lazy(op: Op) -> bool {
    matches!(op, Op::FpDiv | Op::FpSqrt | Op::FpRem | Op::FpFma)
}

/// What an operator of these gives.
pub(super) fn apply(op: Op, args: &[Value]) -> Option<Float> {
    Some(match (op, args) {
        (Op::FpDiv, [Value::Rm(mode), Value::Float(a), Value::Float(b)]) => a.div(*mode, b),
        (Op::FpSqrt, [Value::Rm(mode), Value::Float(a)]) => a.sqrt(*mode),
        (Op::FpRem, [Value::Float(a), Value::Float(b)]) => a.rem(b),
        (Op::FpFma, [Value::Rm(mode), Value::Float(a), Value::Float(b), Value::Float(c)]) => {
            a.fma(*mode, b, c)
        }
        _ => return None,
    })
}

/// Whether SMT-LIB leaves the operator's value open for some arguments, so that equal applications have to be made equal.
pub(super) fn is_open(op: Op) -> bool {
    matches!(op, Op::FpToUbv | Op::FpToSbv | Op::FpToIeeeBv)
}

/// The circuit of an application: the table of operators.
pub(super) fn circuit(aig: &mut Aig, call: &Call<'_>, zeros: &mut ZeroChoices) -> Word {
    let Call { format, target, args, width, .. } = *call;
    let a = |i: usize| args[i].as_slice();
    let mode = || Mode::of_word(&args[0]);
    let chain = |aig: &mut Aig, f: fn(&mut Aig, Format, &[Bit], &[Bit]) -> Bit| {
        let links: Word = args.windows(2).map(|p| f(aig, format, &p[0], &p[1])).collect();
        vec![aig.and_all(&links)]
    };
    match call.op {
        Op::Fp => {
            let word: Word = args.iter().rev().flatten().copied().collect();
            value::canonical(aig, target, &word)
        }
        Op::ToFpFromBits => value::canonical(aig, target, a(0)),
        Op::FpAbs => compare::abs(a(0)),
        Op::FpNeg => compare::neg(aig, format, a(0)),
        Op::FpMin | Op::FpMax => {
            let choice = *zeros.entry((call.op, format)).or_insert_with(|| [aig.input(), aig.input()]);
            compare::extremum(aig, format, call.op == Op::FpMin, a(0), a(1), choice)
        }
        Op::FpLt => chain(aig, compare::less),
        Op::FpGt => chain(aig, |aig, f, x, y| compare::less(aig, f, y, x)),
        Op::FpLeq => chain(aig, compare::less_or_equal),
        Op::FpGeq => chain(aig, |aig, f, x, y| compare::less_or_equal(aig, f, y, x)),
        Op::FpEq => chain(aig, compare::equal),
        Op::FpIsNaN => vec![compare::class(aig, format, a(0)).nan],
        Op::FpIsInfinite => vec![compare::class(aig, format, a(0)).infinite],
        Op::FpIsZero => vec![compare::class(aig, format, a(0)).zero],
        Op::FpIsSubnormal => vec![compare::class(aig, format, a(0)).subnormal],
        Op::FpIsNormal => vec![compare::class(aig, format, a(0)).normal],
        Op::FpIsNegative => vec![value::sign(a(0))],
        Op::FpIsPositive => {
            let nan = compare::class(aig, format, a(0)).nan;
            vec![aig.and(!nan, !value::sign(a(0)))]
        }
        Op::FpAdd => add::add(aig, format, mode(), a(1), a(2)),
        Op::FpSub => {
            let negated = compare::neg(aig, format, a(2));
            add::add(aig, format, mode(), a(1), &negated)
        }
        Op::FpMul => mul::mul(aig, format, mode(), a(1), a(2)),
        Op::FpDiv => div::div(aig, format, mode(), a(1), a(2)),
        Op::FpFma => fma::fma(aig, format, mode(), [a(1), a(2), a(3)]),
        Op::FpSqrt => sqrt::sqrt(aig, format, mode(), a(1)),
        Op::FpRem => rem::rem(aig, format, a(0), a(1)),
        Op::FpRoundToIntegral => integral::round_to_integral(aig, format, mode(), a(1)),
        Op::ToFpFromFp => convert::from_float(aig, format, target, mode(), a(1)),
        Op::ToFpFromSbv => convert::from_bits(aig, target, mode(), a(1), true),
        Op::ToFpUnsigned => convert::from_bits(aig, target, mode(), a(1), false),
        Op::FpToUbv => convert::to_bits(aig, format, mode(), a(1), width, false).or_open(aig),
        Op::FpToSbv => convert::to_bits(aig, format, mode(), a(1), width, true).or_open(aig),
        Op::FpToIeeeBv => {
            let nan = compare::class(aig, format, a(0)).nan;
            convert::Converted { value: a(0).to_vec(), defined: !nan }.or_open(aig)
        }
        other => unreachable!("{other:?} was refused"),
    }
}
