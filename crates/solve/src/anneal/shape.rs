//! Float formats of at most 64 bits, seen as machine words: fields, classes, the order of values, steps along it.
//!
//! A word holds the interchange encoding with the one NaN of SMT-LIB. Arithmetic is the business of `arith`.

use smt::{Float, Format, UBig};

/// Which machine type computes a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Native {
    /// `f32`
    Single,
    /// `f64`
    Double,
    /// None: soft floats do.
    Soft,
}

/// A float format of at most 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// The float format whose masks and limits these are.
    pub(super) format: Format,
    /// The machine type that computes it.
    pub(super) native: Native,
    /// The sign bit.
    pub(super) sign: u64,
    /// The encoding of positive infinity; larger magnitudes are NaNs.
    pub(super) infinity: u64,
    /// The encoding of the one NaN.
    pub(super) nan: u64,
    /// The smallest positive normal value.
    pub(super) min_normal: u64,
    /// The encoding of 1.
    pub(super) one: u64,
}

impl Shape {
    /// The shape of a format, if it fits a word.
    pub(super) fn new(format: Format) -> Option<Shape> {
        if !format.is_supported() || format.width() > 64 {
            return None;
        }
        let word = |f: Float| u64::try_from(&f.bits()).expect("the format fits a word");
        Some(Shape {
            format,
            native: match format {
                Format::FLOAT32 => Native::Single,
                Format::FLOAT64 => Native::Double,
                _ => Native::Soft,
            },
            sign: 1 << (format.width() - 1),
            infinity: word(Float::infinity(format, false)),
            nan: word(Float::nan(format)),
            min_normal: word(Float::min_normal(format, false)),
            one: word(Float::one(format, false)),
        })
    }

    /// The value of a word.
    #[inline]
    pub(super) fn float(&self, word: u64) -> Float {
        Float::from_bits(self.format, UBig::from(word))
    }

    /// The word of a value of this format.
    #[inline]
    pub(super) fn word(&self, float: &Float) -> u64 {
        debug_assert_eq!(float.format(), self.format);
        u64::try_from(&float.bits()).expect("the format fits a word")
    }

    /// All bits of the format.
    #[inline]
    pub(super) fn mask(&self) -> u64 {
        self.sign | (self.sign - 1)
    }

    /// The encoding without its sign.
    #[inline]
    pub(super) fn magnitude(&self, word: u64) -> u64 {
        word & (self.sign - 1)
    }

    /// Whether the encoding is one of a NaN.
    #[inline]
    pub(super) fn is_nan(&self, word: u64) -> bool {
        self.magnitude(word) > self.infinity
    }

    /// Whether the sign bit is set.
    #[inline]
    pub(super) fn is_negative(&self, word: u64) -> bool {
        word & self.sign != 0
    }

    /// The encoding with every NaN made the one NaN.
    #[inline]
    pub(super) fn canonical(&self, word: u64) -> u64 {
        if self.is_nan(word) { self.nan } else { word }
    }

    /// Steps from zero along the numeric order; both zeros are 0. Not for NaN.
    #[inline]
    pub(super) fn ordinal(&self, word: u64) -> i64 {
        let magnitude = self.magnitude(word) as i64;
        if self.is_negative(word) { -magnitude } else { magnitude }
    }

    /// Steps along the order in which the zeros differ: `-0` is -1. Not for NaN.
    #[inline]
    pub(super) fn key(&self, word: u64) -> i64 {
        let magnitude = self.magnitude(word) as i64;
        if self.is_negative(word) { -magnitude - 1 } else { magnitude }
    }

    /// The value this many keys further, at most an infinity; NaN steps as zero does.
    #[inline]
    pub(super) fn step(&self, word: u64, by: i64) -> u64 {
        let from = if self.is_nan(word) { 0 } else { self.key(word) };
        let top = self.infinity as i64;
        let key = from.saturating_add(by).clamp(-top - 1, top);
        if key < 0 { self.sign | (-(key + 1)) as u64 } else { key as u64 }
    }
}

/// The lowest `width` bits; `width` is 1 to 64.
#[inline]
pub(super) fn ones(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// A word of `width` bits as two's complement.
#[inline]
pub(super) fn signed(word: u64, width: u32) -> i64 {
    ((word << (64 - width)) as i64) >> (64 - width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_every_small_format_agree_with_floats() {
        for format in [Format { eb: 2, sb: 3 }, Format { eb: 3, sb: 4 }, Format::FLOAT16] {
            let shape = Shape::new(format).unwrap();
            for word in 0..=shape.mask() {
                let float = shape.float(word);
                assert_eq!(shape.is_nan(word), float.is_nan());
                assert_eq!(shape.word(&float), shape.canonical(word));
                if !float.is_nan() {
                    assert_eq!(smt::IBig::from(shape.ordinal(word)), float.ordinal());
                    assert_eq!(
                        shape.step(shape.step(word, 3), -3),
                        if shape.key(word) > shape.infinity as i64 - 3 {
                            shape.step(shape.infinity, -3)
                        } else {
                            word
                        }
                    );
                }
            }
        }
        assert!(Shape::new(Format::FLOAT128).is_none());
    }
}
