//! Bit-vector values of any width. Owns the arithmetic of FixedSizeBitVectors on values; the widths are the
//! caller's promise (the sort checker made it).

use dashu_base::{BitTest, UnsignedAbs};
use dashu_int::ops::DivRem;
use dashu_int::{IBig, UBig};

/// A bit-vector: a width of at least one and an unsigned value below `2^width`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BitVec {
    width: u32,
    bits: UBig,
}

impl BitVec {
    /// The value modulo `2^width`.
    pub fn new(width: u32, value: UBig) -> BitVec {
        let bits = if value.bit_len() > width as usize { low_bits(value, width) } else { value };
        BitVec { width, bits }
    }

    /// A small value modulo `2^width`.
    pub fn from_u64(width: u32, value: u64) -> BitVec {
        BitVec::new(width, UBig::from(value))
    }

    /// An integer modulo `2^width`, in two's complement.
    pub fn from_int(width: u32, value: &IBig) -> BitVec {
        let magnitude = value.unsigned_abs();
        let bv = BitVec::new(width, magnitude);
        if value.signum() == -IBig::ONE { bv.neg() } else { bv }
    }

    /// How many bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value.
    pub fn to_ubig(&self) -> &UBig {
        &self.bits
    }

    /// The unsigned value, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        u64::try_from(&self.bits).ok()
    }

    /// The value read as two's complement.
    pub fn to_signed(&self) -> IBig {
        let value = IBig::from(self.bits.clone());
        if self.is_negative() { value - (IBig::ONE << self.width as usize) } else { value }
    }

    /// The bit at this position, the lowest being 0.
    pub fn bit(&self, i: u32) -> bool {
        self.bits.bit(i as usize)
    }

    /// The sign bit.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether all bits are 0.
    pub fn is_zero(&self) -> bool {
        self.bits == UBig::ZERO
    }

    /// The word of this width with all bits 0.
    pub fn zero(width: u32) -> BitVec {
        BitVec { width, bits: UBig::ZERO }
    }

    /// The word of this width with all bits 1.
    pub fn ones(width: u32) -> BitVec {
        BitVec { width, bits: UBig::ones(width as usize) }
    }

    /// The least signed value: only the sign bit is 1.
    pub fn min_signed(width: u32) -> BitVec {
        BitVec { width, bits: UBig::ONE << (width as usize - 1) }
    }

    fn one_bit(set: bool) -> BitVec {
        BitVec { width: 1, bits: if set { UBig::ONE } else { UBig::ZERO } }
    }

    /// `concat`: `self` becomes the high bits.
    pub fn concat(&self, low: &BitVec) -> BitVec {
        BitVec { width: self.width + low.width, bits: (&self.bits << low.width as usize) | &low.bits }
    }

    /// `(_ extract high low)`
    pub fn extract(&self, high: u32, low: u32) -> BitVec {
        BitVec::new(high - low + 1, &self.bits >> low as usize)
    }

    /// `(_ zero_extend by)`
    pub fn zero_extend(&self, by: u32) -> BitVec {
        BitVec { width: self.width + by, bits: self.bits.clone() }
    }

    /// `(_ sign_extend by)`
    pub fn sign_extend(&self, by: u32) -> BitVec {
        if by > 0 && self.is_negative() { BitVec::ones(by).concat(self) } else { self.zero_extend(by) }
    }

    /// `(_ repeat times)`
    pub fn repeat(&self, times: u32) -> BitVec {
        // Doubling keeps the number of big shifts logarithmic.
        let mut result: Option<BitVec> = None;
        let mut power = self.clone();
        let mut left = times;
        while left > 0 {
            if left & 1 == 1 {
                result = Some(result.map_or_else(|| power.clone(), |r| power.concat(&r)));
            }
            left >>= 1;
            if left > 0 {
                power = power.concat(&power);
            }
        }
        result.expect("repeat takes a positive count")
    }

    /// `(_ rotate_left by)`
    pub fn rotate_left(&self, by: u32) -> BitVec {
        let by = by % self.width;
        if by == 0 {
            self.clone()
        } else {
            self.extract(self.width - by - 1, 0).concat(&self.extract(self.width - 1, self.width - by))
        }
    }

    /// `(_ rotate_right by)`
    pub fn rotate_right(&self, by: u32) -> BitVec {
        self.rotate_left(self.width - by % self.width)
    }

    /// `bvnot`
    pub fn not(&self) -> BitVec {
        BitVec { width: self.width, bits: UBig::ones(self.width as usize) - &self.bits }
    }

    /// `bvneg`
    pub fn neg(&self) -> BitVec {
        if self.is_zero() {
            self.clone()
        } else {
            BitVec { width: self.width, bits: (UBig::ONE << self.width as usize) - &self.bits }
        }
    }

    /// `bvand`
    pub fn and(&self, other: &BitVec) -> BitVec {
        BitVec { width: self.width, bits: &self.bits & &other.bits }
    }

    /// `bvor`
    pub fn or(&self, other: &BitVec) -> BitVec {
        BitVec { width: self.width, bits: &self.bits | &other.bits }
    }

    /// `bvxor`
    pub fn xor(&self, other: &BitVec) -> BitVec {
        BitVec { width: self.width, bits: &self.bits ^ &other.bits }
    }

    /// `bvadd`
    pub fn add(&self, other: &BitVec) -> BitVec {
        BitVec::new(self.width, &self.bits + &other.bits)
    }

    /// `bvsub`
    pub fn sub(&self, other: &BitVec) -> BitVec {
        self.add(&other.neg())
    }

    /// `bvmul`
    pub fn mul(&self, other: &BitVec) -> BitVec {
        BitVec::new(self.width, &self.bits * &other.bits)
    }

    /// `bvudiv`: all ones for a zero divisor.
    pub(crate) fn udiv(&self, other: &BitVec) -> BitVec {
        if other.is_zero() {
            BitVec::ones(self.width)
        } else {
            BitVec { width: self.width, bits: &self.bits / &other.bits }
        }
    }

    /// `bvurem`: the dividend for a zero divisor.
    pub(crate) fn urem(&self, other: &BitVec) -> BitVec {
        if other.is_zero() {
            self.clone()
        } else {
            BitVec { width: self.width, bits: (&self.bits).div_rem(&other.bits).1 }
        }
    }

    fn abs(&self) -> BitVec {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// `bvsdiv`, truncating towards zero.
    pub fn sdiv(&self, other: &BitVec) -> BitVec {
        let quotient = self.abs().udiv(&other.abs());
        if self.is_negative() != other.is_negative() { quotient.neg() } else { quotient }
    }

    /// `bvsrem`, with the sign of the dividend.
    pub fn srem(&self, other: &BitVec) -> BitVec {
        let remainder = self.abs().urem(&other.abs());
        if self.is_negative() { remainder.neg() } else { remainder }
    }

    /// `bvsmod`, with the sign of the divisor.
    pub fn smod(&self, other: &BitVec) -> BitVec {
        let remainder = self.abs().urem(&other.abs());
        if remainder.is_zero() {
            return remainder;
        }
        match (self.is_negative(), other.is_negative()) {
            (false, false) => remainder,
            (true, false) => remainder.neg().add(other),
            (false, true) => remainder.add(other),
            (true, true) => remainder.neg(),
        }
    }

    fn shift_amount(&self) -> Option<u32> {
        u32::try_from(&self.bits).ok().filter(|&n| n < self.width)
    }

    /// `bvshl`
    pub fn shl(&self, by: &BitVec) -> BitVec {
        by.shift_amount()
            .map_or_else(|| BitVec::zero(self.width), |n| BitVec::new(self.width, &self.bits << n as usize))
    }

    /// `bvlshr`
    pub(crate) fn lshr(&self, by: &BitVec) -> BitVec {
        by.shift_amount().map_or_else(
            || BitVec::zero(self.width),
            |n| BitVec { width: self.width, bits: &self.bits >> n as usize },
        )
    }

    /// `bvashr`
    pub(crate) fn ashr(&self, by: &BitVec) -> BitVec {
        if self.is_negative() { self.not().lshr(by).not() } else { self.lshr(by) }
    }

    /// `bvcomp`
    pub fn comp(&self, other: &BitVec) -> BitVec {
        BitVec::one_bit(self == other)
    }

    /// `bvult`
    pub fn ult(&self, other: &BitVec) -> bool {
        self.bits < other.bits
    }

    /// `bvslt`
    pub fn slt(&self, other: &BitVec) -> bool {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => true,
            (false, true) => false,
            _ => self.bits < other.bits,
        }
    }

    fn signed_fits(width: u32, value: &IBig) -> bool {
        let bound = IBig::ONE << (width as usize - 1);
        *value >= -&bound && *value < bound
    }

    /// `bvuaddo`
    pub fn uaddo(&self, other: &BitVec) -> bool {
        (&self.bits + &other.bits).bit_len() > self.width as usize
    }

    /// `bvsaddo`
    pub fn saddo(&self, other: &BitVec) -> bool {
        !BitVec::signed_fits(self.width, &(self.to_signed() + other.to_signed()))
    }

    /// `bvumulo`
    pub fn umulo(&self, other: &BitVec) -> bool {
        (&self.bits * &other.bits).bit_len() > self.width as usize
    }

    /// `bvsmulo`
    pub fn smulo(&self, other: &BitVec) -> bool {
        !BitVec::signed_fits(self.width, &(self.to_signed() * other.to_signed()))
    }

    /// `bvssubo`
    pub fn ssubo(&self, other: &BitVec) -> bool {
        !BitVec::signed_fits(self.width, &(self.to_signed() - other.to_signed()))
    }

    /// `bvnego`
    pub fn nego(&self) -> bool {
        *self == BitVec::min_signed(self.width)
    }

    /// `bvredor`
    pub fn redor(&self) -> BitVec {
        BitVec::one_bit(!self.is_zero())
    }

    /// `bvredand`
    pub fn redand(&self) -> BitVec {
        BitVec::one_bit(*self == BitVec::ones(self.width))
    }
}

fn low_bits(value: UBig, width: u32) -> UBig {
    value & UBig::ones(width as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bv(width: u32, value: u64) -> BitVec {
        BitVec::from_u64(width, value)
    }

    /// Every binary operation on 4 bits against machine integers.
    #[test]
    fn four_bits_agree_with_machine_integers() {
        let signed = |x: u64| ((x as i64) << 60) >> 60;
        for a in 0..16u64 {
            for b in 0..16u64 {
                let (x, y) = (bv(4, a), bv(4, b));
                let (sa, sb) = (signed(a), signed(b));
                assert_eq!(x.add(&y), bv(4, a + b));
                assert_eq!(x.sub(&y), bv(4, a.wrapping_sub(b) & 15));
                assert_eq!(x.mul(&y), bv(4, a * b));
                assert_eq!(x.udiv(&y), bv(4, a.checked_div(b).unwrap_or(15)));
                assert_eq!(x.urem(&y), bv(4, a.checked_rem(b).unwrap_or(a)));
                let sdiv = if sb == 0 { if sa < 0 { 1 } else { -1 } } else { sa / sb };
                let srem = if sb == 0 { sa } else { sa % sb };
                let smod = if sb == 0 { sa } else { sa - sb * (sa as f64 / sb as f64).floor() as i64 };
                assert_eq!(x.sdiv(&y), bv(4, sdiv as u64 & 15), "{sa} / {sb}");
                assert_eq!(x.srem(&y), bv(4, srem as u64 & 15));
                assert_eq!(x.smod(&y), bv(4, smod as u64 & 15), "{sa} smod {sb}");
                assert_eq!(x.shl(&y), bv(4, if b < 4 { a << b } else { 0 }));
                assert_eq!(x.lshr(&y), bv(4, if b < 4 { a >> b } else { 0 }));
                assert_eq!(x.ashr(&y), bv(4, (sa >> b.min(4)) as u64 & 15));
                assert_eq!(x.slt(&y), sa < sb);
                assert_eq!(x.saddo(&y), !(-8..8).contains(&(sa + sb)));
                assert_eq!(x.smulo(&y), !(-8..8).contains(&(sa * sb)));
                assert_eq!(x.ssubo(&y), !(-8..8).contains(&(sa - sb)));
                assert_eq!(x.uaddo(&y), a + b > 15);
                assert_eq!(x.umulo(&y), a * b > 15);
                assert_eq!(x.to_signed(), IBig::from(sa));
                assert_eq!(BitVec::from_int(4, &IBig::from(sa)), x);
                assert_eq!(
                    x.rotate_left(b as u32),
                    bv(4, (a << (b % 4) | a >> ((4 - b % 4) % 4)) & if b % 4 == 0 { a | 15 } else { 15 })
                );
                assert_eq!(x.rotate_right(b as u32).rotate_left(b as u32), x);
            }
        }
    }

    #[test]
    fn wide_vectors_keep_their_width() {
        let x = BitVec::ones(65);
        assert_eq!(x.concat(&bv(7, 1)).width(), 72);
        assert_eq!(x.repeat(3), BitVec::ones(195));
        assert_eq!(x.extract(64, 64), bv(1, 1));
        assert_eq!(x.sign_extend(63), BitVec::ones(128));
        assert_eq!(x.not(), BitVec::zero(65));
        assert_eq!(BitVec::min_signed(65).neg(), BitVec::min_signed(65));
    }
}
