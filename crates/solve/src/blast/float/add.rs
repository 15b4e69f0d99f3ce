//! Sums. A sum that is subnormal is exact, so that rounding never has to move it: the shift to the left ends where the
//! smallest exponent is met.

use super::compare::class;
use super::mode::Mode;
use super::round::{Cut, pack};
use super::shift::{any, increment, leading_zeros, least, shift_left, shift_right_jam};
use super::value::{field, infinity, magnitude, sign, trailing, with_nan};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::Format;

/// `fp.add`.
pub(super) fn add(aig: &mut Aig, format: Format, mode: Mode, a: &[Bit], b: &[Bit]) -> Word {
    let sb = format.sb as usize;
    let (a_class, b_class) = (class(aig, format, a), class(aig, format, b));
    let swap = words::less(aig, magnitude(a), magnitude(b));
    let large = words::mux(aig, swap, b, a);
    let small = words::mux(aig, swap, a, b);
    let (large_low, small_low) =
        (aig.mux(swap, b_class.low, a_class.low), aig.mux(swap, a_class.low, b_class.low));
    // The exponent of subnormal numbers is that of a field of one.
    let place = |aig: &mut Aig, word: &[Bit], low: Bit| {
        let mut exponent = field(format, word).to_vec();
        exponent[0] = aig.or(exponent[0], low);
        exponent
    };
    let (exponent, other) = (place(aig, &large, large_low), place(aig, &small, small_low));
    let distance = words::sub(aig, &exponent, &other);
    // Three bits below the significand and one above it.
    let spread = |word: &[Bit], low: Bit| {
        let mut spread = vec![Bit::FALSE; 3];
        spread.extend_from_slice(trailing(format, word));
        spread.extend([!low, Bit::FALSE]);
        spread
    };
    let (big, little) = (spread(&large, large_low), spread(&small, small_low));
    let little = shift_right_jam(aig, &little, &distance);
    let subtract = aig.xor(sign(a), sign(b));
    let flipped: Word = little.iter().map(|&bit| aig.xor(bit, subtract)).collect();
    let sum = words::add(aig, &big, &flipped, subtract).0;

    let zeros = leading_zeros(aig, &sum);
    let left = least(aig, &zeros, &exponent);
    let moved = shift_left(aig, &sum, &left);
    let top = moved[sb + 3];
    // The highest bit stands one place above the exponent.
    let mut wide = words::extend(&exponent, 1, Bit::FALSE);
    wide = increment(aig, &wide, Bit::TRUE).0;
    let left = &left[..left.len().min(wide.len())];
    let left = words::extend(left, wide.len() - left.len(), Bit::FALSE);
    let placed = words::sub(aig, &wide, &left);
    let field: Word = placed[..format.eb as usize].iter().map(|&b| aig.and(b, top)).collect();
    let too_large = aig.and_all(&field);
    let more = any(aig, &moved[..3]);
    let mut word = moved[3..].to_vec();
    word.insert(0, more);

    let nothing = words::is_zero(aig, &sum);
    let cancelled = aig.and(nothing, subtract);
    let of_zero = mode.zero_sum_sign(aig);
    let negative = aig.mux(cancelled, of_zero, sign(&large));
    let finite = pack(aig, format, mode, Cut { sign: negative, field, word, too_large });

    let infinite = aig.or(a_class.infinite, b_class.infinite);
    let result = words::mux(aig, infinite, &infinity(format, sign(&large)), &finite);
    let both = aig.and(a_class.infinite, b_class.infinite);
    let opposite = aig.and(both, subtract);
    let nan = !aig.and_all(&[!a_class.nan, !b_class.nan, !opposite]);
    with_nan(aig, format, nan, &result)
}
