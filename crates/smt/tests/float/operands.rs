//! Operands that reach the corners: special values and their neighbours, sparse and dense significands, pairs
//! whose exponents are close enough to cancel.

use dashu_int::{IBig, UBig};
use smt::float::{Float, Format, RoundingMode};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub(crate) fn bits(&mut self, count: u32) -> UBig {
        let mut bits = UBig::ZERO;
        for _ in 0..count.div_ceil(64) {
            bits = (bits << 64) + UBig::from(self.next());
        }
        bits.clear_high_bits(count as usize);
        bits
    }

    /// Mostly zeros or mostly ones, in runs.
    fn sparse_bits(&mut self, count: u32) -> UBig {
        let mut bits = UBig::ZERO;
        for _ in 0..=self.below(3) {
            bits.set_bit(self.below(u64::from(count)) as usize);
        }
        match self.below(3) {
            0 => bits,
            1 => UBig::ones(count as usize) - bits,
            _ => (UBig::ONE << count as usize) - (UBig::ONE << self.below(u64::from(count)) as usize),
        }
    }

    pub(crate) fn sign(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Any value of the format, corners included.
    pub(crate) fn float(&mut self, format: Format) -> Float {
        match self.below(4) {
            0 => self.corner(format),
            1 => {
                let exponent = self.bits(format.eb);
                let significand = self.sparse_bits(format.sb - 1);
                Float::from_parts(self.sign(), exponent, significand, format)
            }
            _ => Float::from_bits(format, self.bits(format.width())),
        }
    }

    /// A value whose exponent is close to that of `other`.
    pub(crate) fn near(&mut self, other: &Float) -> Float {
        let format = other.format();
        let reach = u64::from(format.sb) + 4;
        let offset = IBig::from(self.below(2 * reach + 1)) - IBig::from(reach);
        let exponent = IBig::from(other.parts().1) + offset;
        let exponent = UBig::try_from(exponent).unwrap_or(UBig::ZERO);
        let significand =
            if self.below(3) == 0 { self.sparse_bits(format.sb - 1) } else { self.bits(format.sb - 1) };
        Float::from_parts(self.sign(), exponent, significand, format)
    }

    /// Two values, half of the time of close exponents.
    pub(crate) fn pair(&mut self, format: Format) -> (Float, Float) {
        let first = self.float(format);
        let second = if self.sign() { self.near(&first) } else { self.float(format) };
        (first, second)
    }

    /// Two factors and an addend, often close to the product.
    pub(crate) fn triple(&mut self, format: Format) -> (Float, Float, Float) {
        let (first, second) = self.pair(format);
        let third = match self.below(3) {
            0 => self.float(format),
            1 => self.near(&first.mul(RoundingMode::Rne, &second)),
            _ => self.around(&first.mul(RoundingMode::Rtz, &second).neg()),
        };
        (first, second, third)
    }

    fn corner(&mut self, format: Format) -> Float {
        let corners = corners(format);
        let corner = &corners[self.below(corners.len() as u64) as usize];
        self.around(corner)
    }

    /// The value itself or a neighbour.
    fn around(&mut self, float: &Float) -> Float {
        let index = match self.below(4) {
            0 => float.ordinal() + IBig::ONE,
            1 => float.ordinal() - IBig::ONE,
            _ => return float.clone(),
        };
        Float::from_ordinal(float.format(), &index).unwrap_or_else(|| float.clone())
    }
}

/// The special values of a format.
pub(crate) fn corners(format: Format) -> Vec<Float> {
    let mut corners = vec![Float::nan(format)];
    for negative in [false, true] {
        corners.extend([
            Float::zero(format, negative),
            Float::min_subnormal(format, negative),
            Float::min_normal(format, negative),
            Float::one(format, negative),
            Float::max_finite(format, negative),
            Float::infinity(format, negative),
        ]);
    }
    corners
}
