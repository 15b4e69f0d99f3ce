//! Second encodings, for miters: sums of exact integers in units of the smallest subnormal number, and products, quotients and
//! fused sums by way of wider formats. Slow, and simple enough to be believed.

use super::add::add;
use super::compare::class;
use super::convert::from_float;
use super::fma::fma;
use super::mode::Mode;
use super::mul::mul;
use super::shift::{any, increment, int};
use super::value::{field, infinity, sign, signed, trailing, with_nan, word_of, zero};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::{Float, Format, RoundingMode};

/// The magnitude of a finite float as an integer.
fn integer(aig: &mut Aig, format: Format, word: &[Bit]) -> Word {
    let low = class(aig, format, word).low;
    let mut significand = trailing(format, word).to_vec();
    significand.push(!low);
    let width = significand.len() + (1 << format.eb);
    let mut all = vec![Bit::FALSE; width];
    for place in 0..(1usize << format.eb) - 1 {
        let chosen = words::equal(aig, field(format, word), &int(place as i64, format.eb as usize));
        let by = place.saturating_sub(1);
        for (i, &bit) in significand.iter().enumerate() {
            let bit = aig.and(bit, chosen);
            all[i + by] = aig.or(all[i + by], bit);
        }
    }
    all
}

/// `fp.add` by exact integers.
pub(super) fn sum(aig: &mut Aig, format: Format, mode: Mode, a: &[Bit], b: &[Bit]) -> Word {
    let (x, y) = (class(aig, format, a), class(aig, format, b));
    let two = [a, b].map(|word| {
        let magnitude = integer(aig, format, word);
        let magnitude = words::extend(&magnitude, 2, Bit::FALSE);
        let negated = words::neg(aig, &magnitude);
        words::mux(aig, sign(word), &negated, &magnitude)
    });
    let total = words::add(aig, &two[0], &two[1], Bit::FALSE).0;
    let nothing = words::is_zero(aig, &total);
    let negated = words::neg(aig, &total);
    let negative = words::sign(&total);
    let magnitude = words::mux(aig, negative, &negated, &total);
    let differ = aig.xor(sign(a), sign(b));
    let down = mode.is(aig, RoundingMode::Rtn);
    let zero_sign = aig.mux(differ, down, sign(a));
    let result_sign = aig.mux(nothing, zero_sign, negative);
    let mut quarters = vec![Bit::FALSE; 2];
    quarters.extend(magnitude);
    let finite = round_scaled(aig, format, mode, result_sign, &quarters, Bit::FALSE);
    let result = words::mux(aig, y.infinite, b, &finite);
    let result = words::mux(aig, x.infinite, a, &result);
    let opposite = aig.and_all(&[x.infinite, y.infinite, differ]);
    let nan = !aig.and_all(&[!x.nan, !y.nan, !opposite]);
    with_nan(aig, format, nan, &result)
}

/// `fp.div` by the division of integers: the dividend is moved far enough that the quotient has all digits that can matter,
/// and what is left makes it odd.
pub(super) fn quotient(aig: &mut Aig, format: Format, mode: Mode, a: &[Bit], b: &[Bit]) -> Word {
    let (x, y) = (class(aig, format, a), class(aig, format, b));
    let negative = aig.xor(sign(a), sign(b));
    let [dividend, divisor] = [a, b].map(|word| integer(aig, format, word));
    // In units of the smallest subnormal number, with two bits more than that has; below them only whether something is left.
    let unit = (1usize << (format.eb - 1)) - 3 + format.sb as usize;
    let width = dividend.len() + unit + 2;
    let mut moved = vec![Bit::FALSE; unit + 2];
    moved.extend_from_slice(&dividend);
    let divisor = words::extend(&divisor, width - divisor.len(), Bit::FALSE);
    let (quotient, rest) = words::divide(aig, &moved, &divisor);
    let more = any(aig, &rest);
    let finite = round_scaled(aig, format, mode, negative, &quotient, more);
    let nothing = aig.or(x.zero, y.infinite);
    let boundless = aig.or(x.infinite, y.zero);
    let result = words::mux(aig, nothing, &zero(format, negative), &finite);
    let result = words::mux(aig, boundless, &infinity(format, negative), &result);
    let undetermined = aig.and(nothing, boundless);
    let nan = !aig.and_all(&[!x.nan, !y.nan, !undetermined]);
    with_nan(aig, format, nan, &result)
}

/// Rounds an integer in quarters of the unit, below which there may be more: for each place of the highest bit the result is
/// spelled out.
fn round_scaled(aig: &mut Aig, format: Format, mode: Mode, sign: Bit, quarters: &[Bit], more: Bit) -> Word {
    let below = format.sb as usize - 1;
    let most = (1usize << format.eb) - 2;
    let half = quarters[1];
    let low = aig.or(quarters[0], more);
    let tiny = mode.rounds_away(aig, sign, Bit::FALSE, half, low);
    // Nothing but a fraction of the unit.
    let mut result = zero(format, sign);
    result[0] = tiny;
    let mut above = Bit::FALSE;
    for top in (2..quarters.len()).rev() {
        let here = aig.and(quarters[top], !above);
        above = aig.or(above, quarters[top]);
        let by = (top - 2).saturating_sub(below) + 2;
        let place = if top - 2 >= below { by - 1 } else { 0 };
        let kept: Word = (0..below).map(|i| quarters.get(i + by).copied().unwrap_or(Bit::FALSE)).collect();
        let rest = any(aig, &quarters[..by - 1]);
        let sticky = aig.or(rest, more);
        let up = mode.rounds_away(aig, sign, quarters[by], quarters[by - 1], sticky);
        let rounded = if place <= most {
            let mut magnitude = kept;
            magnitude.extend(int(place as i64, format.eb as usize));
            signed(sign, &increment(aig, &magnitude, up).0)
        } else {
            let to_infinity = mode.overflows_to_infinity(aig, sign);
            let largest =
                signed(sign, &word_of(&Float::max_finite(format, false))[..format.width() as usize - 1]);
            words::mux(aig, to_infinity, &infinity(format, sign), &largest)
        };
        result = words::mux(aig, here, &rounded, &result);
    }
    result
}

/// A format in which sums of a product and a number of another format are exact.
fn exact_format(format: Format) -> Format {
    Format { eb: format.eb + 2, sb: 4 * (1 << (format.eb - 1)) + 4 * format.sb }
}

/// `fp.fma` by a product and a sum that are exact in a wider format, and a rounding.
pub(super) fn fused(aig: &mut Aig, format: Format, mode: Mode, [a, b, c]: [&[Bit]; 3]) -> Word {
    let wide = exact_format(format);
    let [x, y, z] = [a, b, c].map(|word| from_float(aig, format, wide, mode, word));
    let product = mul(aig, wide, mode, &x, &y);
    let sum = add(aig, wide, mode, &product, &z);
    from_float(aig, wide, format, mode, &sum)
}

/// `fp.mul` as a fused sum with a zero of the product's sign.
pub(super) fn product(aig: &mut Aig, format: Format, mode: Mode, a: &[Bit], b: &[Bit]) -> Word {
    let negative = aig.xor(sign(a), sign(b));
    fma(aig, format, mode, [a, b, &zero(format, negative)])
}
