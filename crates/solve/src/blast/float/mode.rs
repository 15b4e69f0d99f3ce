//! Rounding modes: words of three bits that count in the order of [`RoundingMode::ALL`].

use crate::blast::aig::{Aig, Bit};
use crate::blast::words::Word;
use smt::RoundingMode;

/// Bits of a rounding mode.
pub(in crate::blast) const WIDTH: usize = 3;

/// A rounding mode, by the three bits.
#[derive(Clone, Copy)]
pub(in crate::blast) struct Mode([Bit; WIDTH]);

impl Mode {
    /// A mode that is known.
    pub(in crate::blast) fn constant(mode: RoundingMode) -> Mode {
        let number = RoundingMode::ALL.iter().position(|&m| m == mode).expect("one of the five");
        Mode([0, 1, 2].map(|i| Bit::of(number >> i & 1 == 1)))
    }

    /// A mode that may be any of the five: words beyond the last stand for it.
    pub(in crate::blast) fn input(aig: &mut Aig) -> Mode {
        let [a, b, last] = [aig.input(), aig.input(), aig.input()];
        Mode([aig.and(a, !last), aig.and(b, !last), last])
    }

    /// The mode of a word.
    pub(in crate::blast) fn of_word(word: &[Bit]) -> Mode {
        Mode([word[0], word[1], word[2]])
    }

    /// The three bits that encode the mode.
    pub(in crate::blast) fn word(self) -> Word {
        self.0.to_vec()
    }

    /// The mode that a word of a model stands for.
    pub(in crate::blast) fn read_back(bits: u64) -> RoundingMode {
        RoundingMode::ALL[(bits as usize).min(4)]
    }

    /// Whether it is this one.
    pub(in crate::blast) fn is(self, aig: &mut Aig, mode: RoundingMode) -> Bit {
        let Mode(wanted) = Mode::constant(mode);
        let bits: Word = self.0.iter().zip(wanted).map(|(&b, w)| b.flip(w == Bit::FALSE)).collect();
        aig.and_all(&bits)
    }

    /// Whether it rounds towards the infinity of a sign.
    fn is_towards(self, aig: &mut Aig, sign: Bit) -> Bit {
        let (up, down) = (self.is(aig, RoundingMode::Rtp), self.is(aig, RoundingMode::Rtn));
        aig.mux(sign, down, up)
    }

    /// Whether a magnitude that was cut off is increased by one in its last place, whose bit is `odd`; `half` is the first
    /// bit cut off, `sticky` whether any later one is set.
    pub(super) fn rounds_away(self, aig: &mut Aig, sign: Bit, odd: Bit, half: Bit, sticky: Bit) -> Bit {
        let inexact = aig.or(half, sticky);
        let more = aig.or(sticky, odd);
        let to_even = aig.and(half, more);
        let even = self.is(aig, RoundingMode::Rne);
        let away = self.is(aig, RoundingMode::Rna);
        let towards = self.is_towards(aig, sign);
        let cases = [(even, to_even), (away, half), (towards, inexact)];
        let none: Word = cases.map(|(mode, up)| !aig.and(mode, up)).to_vec();
        !aig.and_all(&none)
    }

    /// Whether a result too large for the format becomes an infinity.
    pub(super) fn overflows_to_infinity(self, aig: &mut Aig, sign: Bit) -> Bit {
        let even = self.is(aig, RoundingMode::Rne);
        let away = self.is(aig, RoundingMode::Rna);
        let towards = self.is_towards(aig, sign);
        let none = aig.and_all(&[!even, !away, !towards]);
        !none
    }

    /// The sign of a sum that is exactly zero though its summands have different signs.
    pub(super) fn zero_sum_sign(self, aig: &mut Aig) -> Bit {
        self.is(aig, RoundingMode::Rtn)
    }
}
