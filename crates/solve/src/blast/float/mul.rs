//! Products.

use super::mode::Mode;
use super::round::{Exact, round};
use super::shift::sign_extend;
use super::value::{Unpacked, infinity, unpack, with_nan, zero};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::Format;

/// The exact product of two numbers other than zero, with `2 sb` bits.
pub(super) fn product(aig: &mut Aig, format: Format, a: &Unpacked, b: &Unpacked) -> Exact {
    let sb = format.sb as usize;
    let wide = |word: &[Bit]| words::extend(word, sb, Bit::FALSE);
    let product = words::mul(aig, &wide(&a.significand), &wide(&b.significand));
    // The highest bit of the product is at one of two places.
    let carried = product[2 * sb - 1];
    let mut moved = product.clone();
    moved.rotate_right(1);
    let significand = words::mux(aig, carried, &product, &moved);
    let width = a.exponent.len() + 1;
    let (x, y) = (sign_extend(&a.exponent, width), sign_extend(&b.exponent, width));
    let exponent = words::add(aig, &x, &y, carried).0;
    Exact { sign: aig.xor(a.sign, b.sign), exponent, significand }
}

/// `fp.mul`.
pub(super) fn mul(aig: &mut Aig, format: Format, mode: Mode, a: &[Bit], b: &[Bit]) -> Word {
    let (a, b) = (unpack(aig, format, a), unpack(aig, format, b));
    let exact = product(aig, format, &a, &b);
    let finite = round(aig, format, mode, &exact);
    let infinite = aig.or(a.infinite, b.infinite);
    let nothing = aig.or(a.zero, b.zero);
    let result = words::mux(aig, nothing, &zero(format, exact.sign), &finite);
    let result = words::mux(aig, infinite, &infinity(format, exact.sign), &result);
    let undetermined = aig.and(infinite, nothing);
    let nan = !aig.and_all(&[!a.nan, !b.nan, !undetermined]);
    with_nan(aig, format, nan, &result)
}
