//! Products with a sum, rounded once.

use super::mode::Mode;
use super::mul::product;
use super::round::{Exact, round};
use super::shift::{int, normalise, shift_right_jam, sign_extend};
use super::value::{infinity, unpack, with_nan, zero};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::Format;

/// `fp.fma`: the first times the second, plus the third.
pub(super) fn fma(aig: &mut Aig, format: Format, mode: Mode, args: [&[Bit]; 3]) -> Word {
    let [a, b, c] = args.map(|word| unpack(aig, format, word));
    let times = product(aig, format, &a, &b);
    let no_product = aig.or(a.zero, b.zero);
    let subtract = aig.xor(times.sign, c.sign);
    let (exponent, sum, swapped) =
        sum(aig, format, &times, no_product, &c.exponent, &c.significand, c.zero, subtract);
    let nothing = words::is_zero(aig, &sum);
    let (significand, zeros) = normalise(aig, &sum);
    let width = exponent.len() + 1;
    let zeros = words::extend(&zeros, width - zeros.len(), Bit::FALSE);
    let exponent = sign_extend(&exponent, width);
    let exponent = words::sub(aig, &exponent, &zeros);
    let sign = aig.mux(swapped, c.sign, times.sign);
    let rounded = round(aig, format, mode, &Exact { sign, exponent, significand });
    let cancelled = mode.zero_sum_sign(aig);
    let zero_sign = aig.mux(subtract, cancelled, times.sign);
    let result = words::mux(aig, nothing, &zero(format, zero_sign), &rounded);
    let boundless = aig.or(a.infinite, b.infinite);
    let infinite = aig.or(boundless, c.infinite);
    let infinity_sign = aig.mux(boundless, times.sign, c.sign);
    let result = words::mux(aig, infinite, &infinity(format, infinity_sign), &result);
    let undetermined = aig.and(boundless, no_product);
    let opposite = aig.and_all(&[boundless, c.infinite, subtract]);
    let nan = !aig.and_all(&[!a.nan, !b.nan, !c.nan, !undetermined, !opposite]);
    with_nan(aig, format, nan, &result)
}

/// The magnitude of the sum of a product and an addend, the exponent of its highest place, and whether its sign is that of
/// the addend. Exact, or jammed where nothing but the lowest of `2 sb + 4` bits can be lost.
#[expect(clippy::too_many_arguments, reason = "two numbers, each with what it is")]
fn sum(
    aig: &mut Aig,
    format: Format,
    times: &Exact,
    no_product: Bit,
    c_exponent: &[Bit],
    c_significand: &[Bit],
    c_zero: Bit,
    subtract: Bit,
) -> (Word, Word, Bit) {
    let sb = format.sb as usize;
    let width = times.exponent.len() + 1;
    // Zeros come last in the order of exponents.
    let least = int(-(1 << (width - 2)), width);
    let of_product = sign_extend(&times.exponent, width);
    let of_product = words::mux(aig, no_product, &least, &of_product);
    let of_addend = sign_extend(c_exponent, width);
    let of_addend = words::mux(aig, c_zero, &least, &of_addend);
    // Three bits below and one above; the addend's significand is half as long as the product's.
    let spread = |aig: &mut Aig, word: &[Bit], is_zero: Bit| {
        let mut spread = vec![Bit::FALSE; 3 + 2 * sb - word.len()];
        spread.extend(word.iter().map(|&b| aig.and(b, !is_zero)));
        spread.push(Bit::FALSE);
        spread
    };
    let of_product_word = spread(aig, &times.significand, no_product);
    let of_addend_word = spread(aig, c_significand, c_zero);
    let swap = words::signed_less(aig, &of_product, &of_addend);
    let exponent = words::mux(aig, swap, &of_addend, &of_product);
    let other = words::mux(aig, swap, &of_product, &of_addend);
    let large = words::mux(aig, swap, &of_addend_word, &of_product_word);
    let small = words::mux(aig, swap, &of_product_word, &of_addend_word);
    let exponent = sign_extend(&exponent, width + 1);
    let other = sign_extend(&other, width + 1);
    let distance = words::sub(aig, &exponent, &other);
    let small = shift_right_jam(aig, &small, &distance);
    let flipped: Word = small.iter().map(|&bit| aig.xor(bit, subtract)).collect();
    let sum = words::add(aig, &large, &flipped, subtract).0;
    // With equal exponents the difference can be below zero; nothing was lost then.
    let below = words::less(aig, &large, &small);
    let below = aig.and(below, subtract);
    let negated = words::neg(aig, &sum);
    let sum = words::mux(aig, below, &negated, &sum);
    // The place above the larger number's.
    let exponent = words::add(aig, &exponent, &int(1, width + 1), Bit::FALSE).0;
    let swapped = aig.xor(swap, below);
    (exponent, sum, swapped)
}
