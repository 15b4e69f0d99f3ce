//! Square roots, digit by digit.

use super::mode::Mode;
use super::round::{Exact, round};
use super::shift::any;
use super::value::{unpack, with_nan};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::Format;

/// `fp.sqrt`.
pub(super) fn sqrt(aig: &mut Aig, format: Format, mode: Mode, a: &[Bit]) -> Word {
    let number = unpack(aig, format, a);
    // Under an even exponent the radicand is in [1, 4): two bits before the point.
    let odd = number.exponent[0];
    let mut doubled = vec![Bit::FALSE];
    doubled.extend_from_slice(&number.significand);
    let plain = words::extend(&number.significand, 1, Bit::FALSE);
    let radicand = words::mux(aig, odd, &doubled, &plain);
    let (mut root, rest) = digits(aig, &radicand, format.sb as usize + 2);
    let more = any(aig, &rest);
    root.insert(0, more);
    // Half of the exponent, rounded down, which a shift of two's complement does.
    let mut exponent = number.exponent[1..].to_vec();
    exponent.push(words::sign(&number.exponent));
    let rounded = round(aig, format, mode, &Exact { sign: Bit::FALSE, exponent, significand: root });
    // Zeros and the positive infinity are their own roots.
    let positive_infinity = aig.and(number.infinite, !number.sign);
    let itself = aig.or(number.zero, positive_infinity);
    let result = words::mux(aig, itself, a, &rounded);
    let below_zero = aig.and(number.sign, !number.zero);
    let nan = aig.or(number.nan, below_zero);
    with_nan(aig, format, nan, &result)
}

/// The first digits of the root of a number with two bits before the point, lowest first; the highest is before the point.
/// And what the square of the root leaves.
fn digits(aig: &mut Aig, radicand: &[Bit], count: usize) -> (Word, Word) {
    // Two more bits of the radicand come to the rest for each digit; the digit is set if the rest is not below
    // four times the root so far, and one.
    let mut pairs = radicand.iter().rev();
    let width = count + 2;
    let mut rest = vec![Bit::FALSE; width];
    let mut root: Word = Word::new();
    for _ in 0..count {
        let (high, low) =
            (pairs.next().copied().unwrap_or(Bit::FALSE), pairs.next().copied().unwrap_or(Bit::FALSE));
        rest.truncate(width - 2);
        rest.insert(0, high);
        rest.insert(0, low);
        let mut trial = vec![Bit::TRUE, Bit::FALSE];
        trial.extend_from_slice(&root);
        trial.resize(width, Bit::FALSE);
        let (difference, fits) = words::add(aig, &rest, &words::not(&trial), Bit::TRUE);
        rest = words::mux(aig, fits, &difference, &rest);
        root.insert(0, fits);
        if aig.is_full() {
            root.resize(count, Bit::FALSE);
            break;
        }
    }
    (root, rest)
}
