//! Words as numbers: constants in two's complement, shifters that keep track of what they lose, leading zeros.

use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};

/// Bits that hold `-bound ..= bound` in two's complement.
pub(super) fn signed_width(bound: u64) -> usize {
    (u64::BITS - bound.leading_zeros()) as usize + 1
}

/// A constant in two's complement.
pub(super) fn int(value: i64, width: usize) -> Word {
    (0..width).map(|i| Bit::of(value >> i.min(63) & 1 == 1)).collect()
}

/// The same number in more bits.
pub(super) fn sign_extend(word: &[Bit], width: usize) -> Word {
    words::extend(word, width - word.len(), words::sign(word))
}

/// The disjunction of all bits.
pub(super) fn any(aig: &mut Aig, word: &[Bit]) -> Bit {
    !words::is_zero(aig, word)
}

/// Shifts left until the highest bit is set, and says by how much. For zero the count is all ones or the width, whatever
/// the stages add up to.
pub(super) fn normalise(aig: &mut Aig, word: &[Bit]) -> (Word, Word) {
    let width = word.len();
    let mut word = word.to_vec();
    let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
    let mut count = vec![Bit::FALSE; stages];
    for stage in (0..stages).rev() {
        let distance = 1 << stage;
        let empty = words::is_zero(aig, &word[width - distance..]);
        count[stage] = empty;
        let moved: Word =
            (0..width).map(|i| if i < distance { Bit::FALSE } else { word[i - distance] }).collect();
        word = words::mux(aig, empty, &moved, &word);
    }
    (word, count)
}

/// How many zeros a word has above its highest bit that is set. For zero it is the width, or one less if that takes fewer
/// bits.
pub(super) fn leading_zeros(aig: &mut Aig, word: &[Bit]) -> Word {
    // A tree: the count of two halves is that of the upper one, or half the width and that of the lower one.
    let stages = (usize::BITS - (word.len() - 1).leading_zeros()) as usize;
    let mut padded = vec![Bit::TRUE; (1 << stages) - word.len()];
    padded.extend_from_slice(word);
    // Each part: whether it is all zeros, and its count.
    let mut layer: Vec<(Bit, Word)> = padded.iter().map(|&b| (!b, Word::new())).collect();
    while layer.len() > 1 {
        layer = layer
            .chunks(2)
            .map(|pair| {
                let [(low_empty, low), (high_empty, high)] = pair else { unreachable!("a power of two") };
                let mut count = words::mux(aig, *high_empty, low, high);
                count.push(*high_empty);
                (aig.and(*low_empty, *high_empty), count)
            })
            .collect();
    }
    layer.swap_remove(0).1
}

/// Shifts right; the lowest bit of the result is also set if any bit was lost.
pub(super) fn shift_right_jam(aig: &mut Aig, word: &[Bit], by: &[Bit]) -> Word {
    let width = word.len();
    let mut word = word.to_vec();
    let mut sticky = Bit::FALSE;
    let mut too_far = Bit::FALSE;
    for (stage, &bit) in by.iter().enumerate() {
        if stage >= usize::BITS as usize - 1 || 1usize << stage >= width {
            too_far = aig.or(too_far, bit);
            continue;
        }
        let distance = 1 << stage;
        let lost = any(aig, &word[..distance]);
        let lost = aig.and(bit, lost);
        sticky = aig.or(sticky, lost);
        let moved: Word = (0..width).map(|i| word.get(i + distance).copied().unwrap_or(Bit::FALSE)).collect();
        word = words::mux(aig, bit, &moved, &word);
    }
    let left = any(aig, &word);
    for bit in &mut word {
        *bit = aig.and(*bit, !too_far);
    }
    let all_lost = aig.and(too_far, left);
    sticky = aig.or(sticky, all_lost);
    word[0] = aig.or(word[0], sticky);
    word
}

/// Shifts left; what leaves the word is lost.
pub(super) fn shift_left(aig: &mut Aig, word: &[Bit], by: &[Bit]) -> Word {
    words::shift(aig, word, by, words::Direction::Left, Bit::FALSE)
}

/// The smaller of two numbers without sign.
pub(super) fn least(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Word {
    let width = a.len().max(b.len());
    let (a, b) =
        (words::extend(a, width - a.len(), Bit::FALSE), words::extend(b, width - b.len(), Bit::FALSE));
    let first = words::less(aig, &a, &b);
    words::mux(aig, first, &a, &b)
}

/// `word` plus one if `carry`, in the same bits, and the carry that comes out.
pub(super) fn increment(aig: &mut Aig, word: &[Bit], mut carry: Bit) -> (Word, Bit) {
    let sum = word
        .iter()
        .map(|&bit| {
            let sum = aig.xor(bit, carry);
            carry = aig.and(bit, carry);
            sum
        })
        .collect();
    (sum, carry)
}
