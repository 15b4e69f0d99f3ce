//! IEEE's remainder, by long division: as many steps as exponents can differ by, or as they may in a query that needs no more.

use super::mode::Mode;
use super::round::{Exact, round};
use super::shift::{int, normalise, sign_extend};
use super::value::{bias, exponent_width, unpack, with_nan, zero};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::{Format, RoundingMode};

/// `fp.rem`.
pub(super) fn rem(aig: &mut Aig, format: Format, a: &[Bit], b: &[Bit]) -> Word {
    within(aig, format, a, b, most_steps(format)).0
}

/// How much larger an exponent can be than another one: from that of the smallest subnormal number to the largest.
pub(in crate::blast) fn most_steps(format: Format) -> i64 {
    2 * bias(format) + i64::from(format.sb) - 2
}

/// `fp.rem` where the dividend's exponent is at most so much larger than the divisor's, and whether it is.
pub(in crate::blast) fn within(
    aig: &mut Aig,
    format: Format,
    a_word: &[Bit],
    b_word: &[Bit],
    most: i64,
) -> (Word, Bit) {
    let (a, b) = (unpack(aig, format, a_word), unpack(aig, format, b_word));
    let width = exponent_width(format) + 1;
    let (x, y) = (sign_extend(&a.exponent, width), sign_extend(&b.exponent, width));
    let distance = words::sub(aig, &x, &y);
    let divisor = words::extend(&b.significand, 1, Bit::FALSE);
    let whole = words::extend(&a.significand, 1, Bit::FALSE);

    // The dividend comes in at the step of its distance.
    let mut rest = vec![Bit::FALSE; divisor.len()];
    let mut odd = Bit::FALSE;
    for step in (0..=most).rev() {
        // What is left is less than the divisor, so its highest bit is clear.
        rest.pop();
        rest.insert(0, Bit::FALSE);
        let begins = words::equal(aig, &distance, &int(step, width));
        rest = words::mux(aig, begins, &whole, &rest);
        let (difference, fits) = words::add(aig, &rest, &words::not(&divisor), Bit::TRUE);
        rest = words::mux(aig, fits, &difference, &rest);
        odd = fits;
        if aig.is_full() {
            break;
        }
    }
    // From here on in halves of the divisor's last place: a dividend of one exponent less comes in as it is.
    let just_below = words::equal(aig, &distance, &int(-1, width));
    let odd = aig.and(odd, !just_below);
    rest.pop();
    rest.insert(0, Bit::FALSE);
    let rest = words::mux(aig, just_below, &whole, &rest);
    // The quotient is rounded to the nearest integer: up if twice the rest is more than the divisor.
    let above = words::less(aig, &divisor, &rest);
    let tie = words::equal(aig, &divisor, &rest);
    let odd_tie = aig.and(tie, odd);
    let up = aig.or(above, odd_tie);
    let mut twice = vec![Bit::FALSE];
    twice.extend_from_slice(&b.significand);
    let complement = words::sub(aig, &twice, &rest);
    let magnitude = words::mux(aig, up, &complement, &rest);
    let (significand, zeros) = normalise(aig, &magnitude);
    let nothing = words::is_zero(aig, &magnitude);
    // The highest bit of a magnitude that has `sb + 1` bits in halves has the divisor's exponent.
    let width = width + 1;
    let exponent = sign_extend(&b.exponent, width);
    let zeros = words::extend(&zeros, width.saturating_sub(zeros.len()), Bit::FALSE);
    let exponent = words::sub(aig, &exponent, &zeros[..width]);
    let sign = aig.xor(a.sign, up);
    // The result is exact.
    let mode = Mode::constant(RoundingMode::Rtz);
    let exact = round(aig, format, mode, &Exact { sign, exponent, significand });
    let result = words::mux(aig, nothing, &zero(format, a.sign), &exact);
    let far_below = words::signed_less(aig, &distance, &int(-1, distance.len()));
    let itself = !aig.and_all(&[!far_below, !a.zero, !b.infinite]);
    let result = words::mux(aig, itself, a_word, &result);
    let nan = !aig.and_all(&[!a.nan, !b.nan, !a.infinite, !b.zero]);
    let near = !words::signed_less(aig, &int(most, distance.len()), &distance);
    (with_nan(aig, format, nan, &result), near)
}
