//! The meaning of instructions on integers of any size: what constants are folded with, and what the machine falls back
//! on when 64 bits do not hold a result.

use super::program::Code;
pub(crate) use crate::tuning::ils_exact::MAX_BITS;
use dashu_base::{Abs, BitTest};
use dashu_int::IBig;
use dashu_int::ops::{DivEuclid, RemEuclid};

/// An instruction with two operands at most. `None` where SMT-LIB leaves the value open (division by zero) or the
/// number is too large. Truth values are 0 and 1.
pub(crate) fn apply(code: Code, a: &IBig, b: &IBig) -> Option<IBig> {
    let result = match code {
        Code::Add => a + b,
        Code::Sub => a - b,
        Code::Mul => a * b,
        Code::Div if *b == IBig::ZERO => return None,
        Code::Div => a.div_euclid(b),
        Code::Mod if *b == IBig::ZERO => return None,
        Code::Mod => IBig::from(a.rem_euclid(b)),
        Code::Quo | Code::Rem if *b == IBig::ZERO => return None,
        Code::Quo => a / b,
        Code::Rem => a % b,
        Code::Abs => a.clone().abs(),
        Code::Le => truth(a <= b),
        Code::Eq => truth(a == b),
        Code::Not => IBig::ONE - a,
        Code::And | Code::Both => a * b,
        Code::Var | Code::Const | Code::Ite => unreachable!("{code:?} is not computed from two numbers"),
    };
    (result.bit_len() <= MAX_BITS).then_some(result)
}

/// The same on 128 bits, in which most of what leaves 64 fits; `None` where [`apply`] has to be asked.
pub(crate) fn apply_wide(code: Code, a: i128, b: i128) -> Option<i128> {
    match code {
        Code::Add => a.checked_add(b),
        Code::Sub => a.checked_sub(b),
        Code::Mul => a.checked_mul(b),
        Code::Div => a.checked_div_euclid(b),
        Code::Mod => a.checked_rem_euclid(b),
        Code::Quo => a.checked_div(b),
        Code::Rem => a.checked_rem(b),
        Code::Abs => a.checked_abs(),
        Code::Le => Some(i128::from(a <= b)),
        Code::Eq => Some(i128::from(a == b)),
        Code::Not | Code::And | Code::Both | Code::Var | Code::Const | Code::Ite => None,
    }
}

fn truth(holds: bool) -> IBig {
    IBig::from(u8::from(holds))
}
