//! Quotients, by restoring division.

use super::mode::Mode;
use super::round::{Exact, round};
use super::shift::{any, sign_extend};
use super::value::{infinity, unpack, with_nan, zero};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::Format;

/// `fp.div`.
pub(super) fn div(aig: &mut Aig, format: Format, mode: Mode, a: &[Bit], b: &[Bit]) -> Word {
    let (a, b) = (unpack(aig, format, a), unpack(aig, format, b));
    let sign = aig.xor(a.sign, b.sign);
    // Both significands have their highest bit, so the quotient is above a half and below two: one bit before the point
    // and `sb + 2` behind it.
    let (mut quotient, rest) = digits(aig, &a.significand, &b.significand, format.sb as usize + 3);
    let more = any(aig, &rest);
    quotient.insert(0, more);
    let whole = quotient[quotient.len() - 1];
    let mut moved = quotient.clone();
    moved.rotate_right(1);
    let significand = words::mux(aig, whole, &quotient, &moved);
    let width = a.exponent.len() + 1;
    let (x, y) = (sign_extend(&a.exponent, width), sign_extend(&b.exponent, width));
    // x - y, and one less without the bit before the point: x + not y + whole.
    let exponent = words::add(aig, &x, &words::not(&y), whole).0;
    let finite = round(aig, format, mode, &Exact { sign, exponent, significand });
    let nothing = aig.or(a.zero, b.infinite);
    let boundless = aig.or(a.infinite, b.zero);
    let result = words::mux(aig, nothing, &zero(format, sign), &finite);
    let result = words::mux(aig, boundless, &infinity(format, sign), &result);
    // Zero by zero, or infinity by infinity.
    let undetermined = aig.and(nothing, boundless);
    let nan = !aig.and_all(&[!a.nan, !b.nan, !undetermined]);
    with_nan(aig, format, nan, &result)
}

/// The first digits of `a / b < 2`, lowest first, and what is left of `a`.
fn digits(aig: &mut Aig, a: &[Bit], b: &[Bit], count: usize) -> (Word, Word) {
    let mut rest = words::extend(a, 1, Bit::FALSE);
    let divisor = words::extend(b, 1, Bit::FALSE);
    let mut digits = Word::with_capacity(count);
    for i in 0..count {
        if i > 0 {
            // What is left is less than the divisor, so its highest bit is clear.
            rest.pop();
            rest.insert(0, Bit::FALSE);
        }
        let (difference, fits) = words::add(aig, &rest, &words::not(&divisor), Bit::TRUE);
        rest = words::mux(aig, fits, &difference, &rest);
        digits.push(fits);
        if aig.is_full() {
            digits.resize(count, Bit::FALSE);
            break;
        }
    }
    digits.reverse();
    (digits, rest)
}
