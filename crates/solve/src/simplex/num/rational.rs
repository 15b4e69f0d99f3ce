//! [`Rational`]: an exact fraction in two machine words, with big fractions on overflow only.
//!
//! Nearly all numbers in a tableau are small integers, so addition and multiplication of integers
//! take one checked machine operation. Fractions use Knuth's gcd-saving forms (The Art of Computer
//! Programming, volume 2, Section 4.5.1) with 128-bit intermediates. The representation is
//! canonical: a value that fits the small form is always stored in it, so equality and hashing may
//! look at the representation.

use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroU64;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use dashu_base::{BitTest, DivEuclid, Gcd, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

const ONE: NonZeroU64 = NonZeroU64::MIN;

/// An exact rational number.
///
/// Small values are kept as numerator and denominator in lowest terms with
/// `|numerator|, denominator <= i64::MAX`; everything else is a boxed [`RBig`].
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

// The zero of the denominator is the niche that marks `Big`: a `Rational` is 16 bytes.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64, NonZeroU64),
    Big(Box<RBig>),
}

impl Rational {
    /// The number 0.
    pub const ZERO: Self = Self(Repr::Small(0, ONE));
    /// The number 1.
    pub const ONE: Self = Self(Repr::Small(1, ONE));
    /// The number -1.
    pub const MINUS_ONE: Self = Self(Repr::Small(-1, ONE));

    /// `numerator / denominator`, or `None` for a zero denominator.
    pub fn new(numerator: i64, denominator: i64) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let sign = if denominator < 0 { -1 } else { 1 };
        Some(Self::reduce(i128::from(numerator) * sign, u128::from(denominator.unsigned_abs())))
    }

    /// The same number as a big fraction.
    pub fn to_big(&self) -> RBig {
        match &self.0 {
            Repr::Small(n, d) => RBig::from_parts(IBig::from(*n), UBig::from(d.get())),
            Repr::Big(big) => (**big).clone(),
        }
    }

    /// How many bits its parts have, the longer one's.
    pub fn bits(&self) -> usize {
        match &self.0 {
            Repr::Small(..) => 64,
            Repr::Big(big) => big.numerator().bit_len().max(big.denominator().bit_len()),
        }
    }

    /// The integer as `i64`, if this is an integer in that range.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(n, ONE) => Some(n),
            _ => None,
        }
    }

    /// The numerator in lowest terms, which carries the sign.
    pub fn numerator(&self) -> Self {
        match &self.0 {
            Repr::Small(n, _) => Self(Repr::Small(*n, ONE)),
            Repr::Big(big) => Self::from(big.numerator().clone()),
        }
    }

    /// The denominator in lowest terms, positive.
    pub fn denominator(&self) -> Self {
        match &self.0 {
            Repr::Small(_, d) => Self::from_word(d.get()),
            Repr::Big(big) => Self::from(IBig::from(big.denominator().clone())),
        }
    }

    /// Is this 0?
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }

    /// Is this 1?
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1, ONE))
    }

    /// Is this an integer?
    #[inline]
    pub fn is_int(&self) -> bool {
        match &self.0 {
            Repr::Small(_, d) => *d == ONE,
            Repr::Big(big) => big.is_int(),
        }
    }

    /// Is this greater than 0?
    #[inline]
    pub fn is_positive(&self) -> bool {
        match &self.0 {
            Repr::Small(n, _) => *n > 0,
            Repr::Big(big) => big.is_positive(),
        }
    }

    /// Is this less than 0?
    #[inline]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(n, _) => *n < 0,
            Repr::Big(big) => big.is_negative(),
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// `1 / self`, or `None` for 0.
    pub fn recip(&self) -> Option<Self> {
        match &self.0 {
            Repr::Small(n, d) => {
                // Both parts are at most `i64::MAX`, so they trade places without loss.
                let den = NonZeroU64::new(n.unsigned_abs())?;
                let num = d.get() as i64;
                Some(Self(Repr::Small(if *n < 0 { -num } else { num }, den)))
            }
            Repr::Big(big) => {
                let (n, d) = (big.numerator(), big.denominator());
                let num = IBig::from(d.clone()) * n.sign();
                Some(Self::from(RBig::from_parts(num, n.clone().unsigned_abs())))
            }
        }
    }

    /// The greatest integer that is not above this number.
    pub fn floor(&self) -> Self {
        match &self.0 {
            Repr::Small(_, ONE) => self.clone(),
            Repr::Small(n, d) => Self(Repr::Small(n.div_euclid(d.get() as i64), ONE)),
            Repr::Big(big) => Self::from(big.floor()),
        }
    }

    /// The least integer that is not below this number.
    pub fn ceil(&self) -> Self {
        match &self.0 {
            Repr::Small(_, ONE) => self.clone(),
            Repr::Small(n, d) => Self(Repr::Small(n.div_euclid(d.get() as i64) + 1, ONE)),
            Repr::Big(big) => Self::from(big.ceil()),
        }
    }

    /// The closest integer; a tie goes up.
    pub fn round(&self) -> Self {
        match &self.0 {
            Repr::Small(_, ONE) => self.clone(),
            Repr::Small(n, d) => {
                let d = d.get() as i64;
                let up = n.rem_euclid(d) >= d - d / 2;
                Self(Repr::Small(n.div_euclid(d) + i64::from(up), ONE))
            }
            Repr::Big(big) => {
                // floor((2n + d) / 2d), without the gcd that adding one half would cost.
                let (n, d) = (big.numerator(), big.denominator());
                Self::from((n * IBig::from(2) + d).div_euclid(IBig::from(d * UBig::from(2u8))))
            }
        }
    }

    /// The distance down to the floor, in `[0, 1)`.
    pub fn fract(&self) -> Self {
        self - &self.floor()
    }

    /// The greatest rational of which both numbers are integer multiples; `gcd(0, x) = |x|`.
    ///
    /// On integers this is the usual greatest common divisor. Dividing the coefficients of a linear
    /// form by the gcd of all of them leaves coprime integers.
    pub fn gcd(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.abs();
        }
        if other.is_zero() {
            return self.abs();
        }
        if let (Repr::Small(a, ONE), Repr::Small(b, ONE)) = (&self.0, &other.0) {
            return Self::from_word(gcd(a.unsigned_abs(), b.unsigned_abs()));
        }
        let (a, b) = (self.to_big(), other.to_big());
        let numerator = a.numerator().gcd(b.numerator());
        let shared = a.denominator().gcd(b.denominator());
        let denominator = a.denominator() / shared * b.denominator();
        Self::from(RBig::from_parts(IBig::from(numerator), denominator))
    }

    /// `self += a * b`, the inner step of a row operation.
    #[inline]
    pub fn add_mul(&mut self, a: &Self, b: &Self) {
        if let (Repr::Small(s, ONE), Repr::Small(a, ONE), Repr::Small(b, ONE)) = (&self.0, &a.0, &b.0)
            && let Some(sum) = a.checked_mul(*b).and_then(|product| product.checked_add(*s))
            && sum != i64::MIN
        {
            self.0 = Repr::Small(sum, ONE);
            return;
        }
        *self = &*self + &(a * b);
    }

    /// The closest `f64`, for statistics and scores only.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small(n, d) => *n as f64 / d.get() as f64,
            Repr::Big(big) => big.to_f64_fast(),
        }
    }

    fn from_word(word: u64) -> Self {
        match i64::try_from(word) {
            Ok(n) => Self(Repr::Small(n, ONE)),
            Err(_) => Self(Repr::Big(Box::new(RBig::from(UBig::from(word))))),
        }
    }

    /// From parts that are already in lowest terms.
    #[inline]
    fn lowest(num: i128, den: u128) -> Self {
        let fits = |n: u128| n <= i64::MAX as u128;
        match NonZeroU64::new(den as u64) {
            Some(d) if fits(den) && fits(num.unsigned_abs()) => Self(Repr::Small(num as i64, d)),
            _ => Self(Repr::Big(Box::new(RBig::from_parts(IBig::from(num), UBig::from(den))))),
        }
    }

    /// From parts in any terms; `den` is not zero.
    fn reduce(num: i128, den: u128) -> Self {
        match (i64::try_from(num), u64::try_from(den)) {
            (Ok(n), Ok(d)) => {
                let g = gcd(n.unsigned_abs(), d).max(1);
                Self::lowest(num / i128::from(g), den / u128::from(g))
            }
            _ => Self::from(RBig::from_parts(IBig::from(num), UBig::from(den))),
        }
    }

    #[cold]
    fn big_op(&self, other: &Self, op: fn(RBig, RBig) -> RBig) -> Self {
        Self::from(op(self.to_big(), other.to_big()))
    }
}

/// Greatest common divisor of machine words, binary method.
#[inline]
fn gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
        if b == 0 {
            return a << shift;
        }
    }
}

/// The sum of two fractions in lowest terms; only word-sized gcds are needed.
fn add_fractions(an: i64, ad: NonZeroU64, bn: i64, bd: NonZeroU64) -> Rational {
    let (an, bn) = (i128::from(an), i128::from(bn));
    let (ad, bd) = (ad.get(), bd.get());
    let g = gcd(ad, bd);
    if g == 1 {
        return Rational::lowest(an * i128::from(bd) + bn * i128::from(ad), u128::from(ad) * u128::from(bd));
    }
    let t = an * i128::from(bd / g) + bn * i128::from(ad / g);
    if t == 0 {
        return Rational::ZERO;
    }
    let g2 = gcd((t.unsigned_abs() % u128::from(g)) as u64, g);
    Rational::lowest(t / i128::from(g2), u128::from(ad / g) * u128::from(bd / g2))
}

impl From<RBig> for Rational {
    fn from(big: RBig) -> Self {
        if let (Ok(n), Ok(d)) = (i64::try_from(big.numerator()), u64::try_from(big.denominator()))
            && n != i64::MIN
            && d <= i64::MAX as u64
            && let Some(d) = NonZeroU64::new(d)
        {
            return Self(Repr::Small(n, d));
        }
        Self(Repr::Big(Box::new(big)))
    }
}

impl From<IBig> for Rational {
    fn from(n: IBig) -> Self {
        Self::from(RBig::from(n))
    }
}

impl From<i64> for Rational {
    #[inline]
    fn from(n: i64) -> Self {
        if n == i64::MIN { Self::from(IBig::from(n)) } else { Self(Repr::Small(n, ONE)) }
    }
}

impl From<i32> for Rational {
    #[inline]
    fn from(n: i32) -> Self {
        Self(Repr::Small(i64::from(n), ONE))
    }
}

impl Default for Rational {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Add for &Rational {
    type Output = Rational;
    #[inline]
    fn add(self, other: Self) -> Rational {
        match (&self.0, &other.0) {
            (Repr::Small(a, ONE), Repr::Small(b, ONE)) => {
                Rational::lowest(i128::from(*a) + i128::from(*b), 1)
            }
            (Repr::Small(0, _), _) => other.clone(),
            (_, Repr::Small(0, _)) => self.clone(),
            (Repr::Small(an, ad), Repr::Small(bn, bd)) => add_fractions(*an, *ad, *bn, *bd),
            _ => self.big_op(other, |a, b| a + b),
        }
    }
}

impl Sub for &Rational {
    type Output = Rational;
    #[inline]
    fn sub(self, other: Self) -> Rational {
        match (&self.0, &other.0) {
            (Repr::Small(a, ONE), Repr::Small(b, ONE)) => {
                Rational::lowest(i128::from(*a) - i128::from(*b), 1)
            }
            (_, Repr::Small(0, _)) => self.clone(),
            (Repr::Small(an, ad), Repr::Small(bn, bd)) => add_fractions(*an, *ad, -*bn, *bd),
            _ => self.big_op(other, |a, b| a - b),
        }
    }
}

impl Mul for &Rational {
    type Output = Rational;
    #[inline]
    fn mul(self, other: Self) -> Rational {
        match (&self.0, &other.0) {
            (Repr::Small(a, ONE), Repr::Small(b, ONE)) => {
                Rational::lowest(i128::from(*a) * i128::from(*b), 1)
            }
            (Repr::Small(0, _), _) | (_, Repr::Small(0, _)) => Rational::ZERO,
            (Repr::Small(1, ONE), _) => other.clone(),
            (_, Repr::Small(1, ONE)) => self.clone(),
            (Repr::Small(an, ad), Repr::Small(bn, bd)) => {
                let g1 = gcd(an.unsigned_abs(), bd.get());
                let g2 = gcd(bn.unsigned_abs(), ad.get());
                // The gcds divide numbers of at most `i64::MAX`, so they fit.
                Rational::lowest(
                    i128::from(an / g1 as i64) * i128::from(bn / g2 as i64),
                    u128::from(ad.get() / g2) * u128::from(bd.get() / g1),
                )
            }
            _ => self.big_op(other, |a, b| a * b),
        }
    }
}

/// Division; the caller guarantees a divisor other than 0 (as for machine integers).
impl Div for &Rational {
    type Output = Rational;
    #[inline]
    fn div(self, other: Self) -> Rational {
        if other.is_one() {
            return self.clone();
        }
        let inverse = other.recip().expect("division of a Rational by zero");
        self.mul(&inverse)
    }
}

impl Neg for &Rational {
    type Output = Rational;
    #[inline]
    fn neg(self) -> Rational {
        match &self.0 {
            Repr::Small(n, d) => Rational(Repr::Small(-n, *d)),
            Repr::Big(big) => Rational(Repr::Big(Box::new(-&**big))),
        }
    }
}

impl Neg for Rational {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        -&self
    }
}

impl AddAssign<&Rational> for Rational {
    #[inline]
    fn add_assign(&mut self, other: &Self) {
        *self = &*self + other;
    }
}

impl SubAssign<&Rational> for Rational {
    #[inline]
    fn sub_assign(&mut self, other: &Self) {
        *self = &*self - other;
    }
}

impl MulAssign<&Rational> for Rational {
    #[inline]
    fn mul_assign(&mut self, other: &Self) {
        *self = &*self * other;
    }
}

impl Ord for Rational {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(an, ad), Repr::Small(bn, bd)) => {
                if ad == bd {
                    an.cmp(bn)
                } else {
                    (i128::from(*an) * i128::from(bd.get())).cmp(&(i128::from(*bn) * i128::from(ad.get())))
                }
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl PartialOrd for Rational {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(n, ONE) => write!(f, "{n}"),
            Repr::Small(n, d) => write!(f, "{n}/{d}"),
            Repr::Big(big) => write!(f, "{big}"),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
