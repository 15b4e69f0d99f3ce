//! The parameters of the theory: formats and rounding modes.

/// One of IEEE 754's five rounding modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundingMode {
    /// To the nearest value, ties to the one with an even significand.
    Rne,
    /// To the nearest value, ties away from zero.
    Rna,
    /// Towards positive infinity.
    Rtp,
    /// Towards negative infinity.
    Rtn,
    /// Towards zero.
    Rtz,
}

impl RoundingMode {
    /// All modes, in the order of the standard.
    pub const ALL: [RoundingMode; 5] =
        [RoundingMode::Rne, RoundingMode::Rna, RoundingMode::Rtp, RoundingMode::Rtn, RoundingMode::Rtz];

    /// Long and short SMT-LIB names, indexed like [`RoundingMode::ALL`].
    const NAMES: [(&'static str, &'static str); 5] = [
        ("roundNearestTiesToEven", "RNE"),
        ("roundNearestTiesToAway", "RNA"),
        ("roundTowardPositive", "RTP"),
        ("roundTowardNegative", "RTN"),
        ("roundTowardZero", "RTZ"),
    ];

    /// The long SMT-LIB name, such as `roundNearestTiesToEven`.
    pub const fn long_name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// The short SMT-LIB name, such as `RNE`.
    pub const fn short_name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    /// Whether a magnitude that was cut off is to be increased by one unit in its last place. `odd` is that
    /// place's bit, `half` the first bit cut off, `sticky` whether any later bit is set.
    #[inline]
    pub(super) fn rounds_away(self, negative: bool, odd: bool, half: bool, sticky: bool) -> bool {
        match self {
            RoundingMode::Rne => half && (sticky || odd),
            RoundingMode::Rna => half,
            RoundingMode::Rtp => !negative && (half || sticky),
            RoundingMode::Rtn => negative && (half || sticky),
            RoundingMode::Rtz => false,
        }
    }

    /// Whether a result too large for the format becomes an infinity, not the largest finite value.
    #[inline]
    pub(super) fn overflows_to_infinity(self, negative: bool) -> bool {
        match self {
            RoundingMode::Rne | RoundingMode::Rna => true,
            RoundingMode::Rtp => !negative,
            RoundingMode::Rtn => negative,
            RoundingMode::Rtz => false,
        }
    }
}

/// The parameters of the sort `(_ FloatingPoint eb sb)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Format {
    /// Bits of the exponent field.
    pub eb: u32,
    /// Bits of the significand with the hidden bit.
    pub sb: u32,
}

impl Format {
    /// binary16, `Float16`.
    pub const FLOAT16: Format = Format { eb: 5, sb: 11 };
    /// binary32, `Float32`.
    pub const FLOAT32: Format = Format { eb: 8, sb: 24 };
    /// binary64, `Float64`.
    pub const FLOAT64: Format = Format { eb: 11, sb: 53 };
    /// binary128, `Float128`.
    pub const FLOAT128: Format = Format { eb: 15, sb: 113 };

    /// The largest supported `eb`. The largest finite values are near `2^(2^(eb - 1))`, which as an exact integer
    /// takes one mebibyte at this bound, so that conversions to reals need no limit of their own.
    pub const MAX_EB: u32 = 24;
    /// The largest supported `sb`.
    pub const MAX_SB: u32 = 1 << 16;

    /// Whether this is a sort of SMT-LIB (`eb` and `sb` above 1) and within [`Format::MAX_EB`] and
    /// [`Format::MAX_SB`]. No [`Float`](super::Float) of any other format exists.
    pub const fn is_supported(self) -> bool {
        2 <= self.eb && self.eb <= Self::MAX_EB && 2 <= self.sb && self.sb <= Self::MAX_SB
    }

    /// Bits of the encoding; saturates, so that formats may be asked before they are known to be supported.
    pub const fn width(self) -> u32 {
        self.eb.saturating_add(self.sb)
    }

    pub(super) fn assert_supported(self) {
        assert!(self.is_supported(), "unsupported floating-point format ({}, {})", self.eb, self.sb);
    }

    /// Whether every intermediate significand fits into `u128`. The longest is that of a fused multiply-add, which
    /// needs `2 sb + 4` bits; so does that of a square root.
    #[inline]
    pub(super) const fn is_narrow(self) -> bool {
        2 * self.sb + 4 <= 126
    }

    /// Bits of the significand without the hidden bit.
    #[inline]
    pub(super) const fn trailing_bits(self) -> usize {
        self.sb as usize - 1
    }

    /// The position of the sign bit in the encoding.
    #[inline]
    pub(super) const fn sign_position(self) -> usize {
        self.width() as usize - 1
    }

    /// The exponent field of infinities and NaN: all ones.
    #[inline]
    pub(super) const fn exponent_mask(self) -> u64 {
        (1 << self.eb) - 1
    }

    /// The binary exponent of the smallest subnormal, of which all finite values are multiples.
    #[inline]
    pub(super) const fn min_exponent(self) -> i64 {
        2 - (1 << (self.eb - 1)) - (self.sb as i64 - 1)
    }
}
