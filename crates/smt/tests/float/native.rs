//! Against the processor's `f32` and `f64`.

use super::operands::Random;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use smt::float::RoundingMode::{Rna, Rne, Rtn, Rtp, Rtz};
use smt::float::{Float, Format};

const TESTS: usize = 20_000;

fn f32_of(float: &Float) -> f32 {
    float.to_f32().expect("a Float32")
}

fn f64_of(float: &Float) -> f64 {
    float.to_f64().expect("a Float64")
}

/// The first operands on which a binary operation differs from the native one.
fn difference_f32(
    ours: impl Fn(&Float, &Float) -> Float,
    native: impl Fn(f32, f32) -> f32,
) -> Option<String> {
    let mut random = Random(1);
    (0..TESTS).find_map(|_| {
        let (x, y) = random.pair(Format::FLOAT32);
        let (got, want) = (ours(&x, &y), Float::from_f32(native(f32_of(&x), f32_of(&y))));
        (got != want).then(|| format!("{:e}, {:e}: {got:?}, not {want:?}", f32_of(&x), f32_of(&y)))
    })
}

fn difference_f64(
    ours: impl Fn(&Float, &Float) -> Float,
    native: impl Fn(f64, f64) -> f64,
) -> Option<String> {
    let mut random = Random(2);
    (0..TESTS).find_map(|_| {
        let (x, y) = random.pair(Format::FLOAT64);
        let (got, want) = (ours(&x, &y), Float::from_f64(native(f64_of(&x), f64_of(&y))));
        (got != want).then(|| format!("{:e}, {:e}: {got:?}, not {want:?}", f64_of(&x), f64_of(&y)))
    })
}

#[test]
fn binary_operations_round_like_the_processor() {
    assert_eq!(difference_f32(|x, y| x.add(Rne, y), |x, y| x + y), None);
    assert_eq!(difference_f32(|x, y| x.sub(Rne, y), |x, y| x - y), None);
    assert_eq!(difference_f32(|x, y| x.mul(Rne, y), |x, y| x * y), None);
    assert_eq!(difference_f32(|x, y| x.div(Rne, y), |x, y| x / y), None);
    assert_eq!(difference_f64(|x, y| x.add(Rne, y), |x, y| x + y), None);
    assert_eq!(difference_f64(|x, y| x.sub(Rne, y), |x, y| x - y), None);
    assert_eq!(difference_f64(|x, y| x.mul(Rne, y), |x, y| x * y), None);
    assert_eq!(difference_f64(|x, y| x.div(Rne, y), |x, y| x / y), None);
}

#[test]
fn a_wrong_tie_is_caught() {
    assert!(difference_f32(|x, y| x.add(Rna, y), |x, y| x + y).is_some());
    assert!(difference_f64(|x, y| x.mul(Rtz, y), |x, y| x * y).is_some());
}

#[test]
fn unary_operations_round_like_the_processor() {
    let mut random = Random(3);
    for _ in 0..TESTS {
        let x = random.float(Format::FLOAT32);
        let native = f32_of(&x);
        assert_eq!(x.sqrt(Rne), Float::from_f32(native.sqrt()), "sqrt {native:e}");
        assert_eq!(x.neg(), Float::from_f32(-native));
        assert_eq!(x.abs(), Float::from_f32(native.abs()));
        let x = random.float(Format::FLOAT64);
        let native = f64_of(&x);
        assert_eq!(x.sqrt(Rne), Float::from_f64(native.sqrt()), "sqrt {native:e}");
        for (rm, integral) in [
            (Rne, native.round_ties_even()),
            (Rna, native.round()),
            (Rtp, native.ceil()),
            (Rtn, native.floor()),
            (Rtz, native.trunc()),
        ] {
            assert_eq!(x.round_to_integral(rm), Float::from_f64(integral), "{rm:?} {native:e}");
        }
    }
}

/// The first operands on which a fused multiply-add differs from the native one.
fn fma_difference(ours: impl Fn(&Float, &Float, &Float) -> Float) -> Option<[f64; 3]> {
    let mut random = Random(4);
    (0..TESTS).find_map(|_| {
        let (x, y, z) = random.triple(Format::FLOAT64);
        let native = [&x, &y, &z].map(f64_of);
        let want = Float::from_f64(native[0].mul_add(native[1], native[2]));
        (ours(&x, &y, &z) != want).then_some(native)
    })
}

#[test]
fn fused_multiply_add_rounds_once() {
    assert_eq!(fma_difference(|x, y, z| x.fma(Rne, y, z)), None);
    assert!(fma_difference(|x, y, z| x.mul(Rne, y).add(Rne, z)).is_some(), "rounding twice is caught");
    let mut random = Random(5);
    for _ in 0..TESTS {
        let (x, y, z) = random.triple(Format::FLOAT32);
        let want = f32_of(&x).mul_add(f32_of(&y), f32_of(&z));
        assert_eq!(x.fma(Rne, &y, &z), Float::from_f32(want));
    }
}

#[test]
fn comparisons_agree_with_the_processor() {
    let mut random = Random(6);
    for _ in 0..TESTS {
        let (x, y) = random.pair(Format::FLOAT64);
        let y = if random.below(4) == 0 { if random.sign() { x.clone() } else { x.neg() } } else { y };
        let (a, b) = (f64_of(&x), f64_of(&y));
        let ours = [x.ieee_eq(&y), x.lt(&y), x.le(&y), x.gt(&y), x.ge(&y)];
        assert_eq!(ours, [a == b, a < b, a <= b, a > b, a >= b], "{a:e} {b:e}");
        if a == 0.0 && b == 0.0 && a.is_sign_negative() != b.is_sign_negative() {
            assert_eq!((Float::min(&x, &y), Float::max(&x, &y)), (None, None));
        } else {
            assert_eq!(Float::min(&x, &y), Some(Float::from_f64(a.min(b))));
            assert_eq!(Float::max(&x, &y), Some(Float::from_f64(a.max(b))));
        }
        let class = [x.is_nan(), x.is_infinite(), x.is_zero(), x.is_subnormal(), x.is_normal()];
        assert_eq!(class, [a.is_nan(), a.is_infinite(), a == 0.0, a.is_subnormal(), a.is_normal()]);
        let signs = [x.is_negative(), x.is_positive()];
        let nan = a.is_nan();
        assert_eq!(signs, [!nan && a.is_sign_negative(), !nan && a.is_sign_positive()]);
    }
}

#[test]
fn conversions_agree_with_casts() {
    let mut random = Random(7);
    for _ in 0..TESTS {
        let (single, double) = (random.float(Format::FLOAT32), random.float(Format::FLOAT64));
        assert_eq!(double.convert(Rne, Format::FLOAT32), Float::from_f32(f64_of(&double) as f32));
        assert_eq!(single.convert(Rtp, Format::FLOAT64), Float::from_f64(f64::from(f32_of(&single))));
        let integer = random.next() >> random.below(64);
        let signed = integer as i64;
        assert_eq!(Float::from_int(Rne, &integer.into(), Format::FLOAT64), Float::from_f64(integer as f64));
        assert_eq!(Float::from_int(Rne, &signed.into(), Format::FLOAT32), Float::from_f32(signed as f32));
        let near_integers = random.near(&Float::from_f64(1e9));
        let native = f64_of(&near_integers);
        let unsigned = (native.trunc() >= 0.0 && native < 2f64.powi(32)).then_some(native as u32);
        assert_eq!(near_integers.to_ubv(Rtz, 32), unsigned.map(UBig::from), "{native}");
        let fits = native.trunc() >= f64::from(i32::MIN) && native.trunc() <= f64::from(i32::MAX);
        let signed = fits.then_some(native as i32 as u32);
        assert_eq!(near_integers.to_sbv(Rtz, 32), signed.map(UBig::from), "{native}");
    }
}

#[test]
fn reals_round_like_divisions_and_literals() {
    let mut random = Random(8);
    for _ in 0..TESTS {
        let (dividend, divisor) = (random.next() as i64 >> 11, (random.next() >> 11) + 1);
        let real = RBig::from_parts(IBig::from(dividend), UBig::from(divisor));
        let native = dividend as f64 / divisor as f64;
        assert_eq!(Float::from_real(Rne, &real, Format::FLOAT64), Float::from_f64(native));
        let (digits, scale) = (random.next() >> random.below(60), random.below(400) as usize);
        for (literal, real) in [
            (format!("{digits}e-{scale}"), RBig::from_parts(digits.into(), UBig::from(10u8).pow(scale))),
            (format!("{digits}e{scale}"), RBig::from(UBig::from(digits) * UBig::from(10u8).pow(scale))),
        ] {
            let native: f64 = literal.parse().expect("a literal");
            assert_eq!(Float::from_real(Rne, &real, Format::FLOAT64), Float::from_f64(native), "{literal}");
            let native: f32 = literal.parse().expect("a literal");
            assert_eq!(Float::from_real(Rne, &real, Format::FLOAT32), Float::from_f32(native), "{literal}");
        }
    }
}

/// IEEE's remainder of integers in units of the smallest subnormal.
fn long_division(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() || x == 0.0 {
        return x;
    }
    let units = |number: f64| {
        let (fraction, field) = (number.to_bits() & ((1 << 52) - 1), number.to_bits() >> 52 & 0x7ff);
        if field == 0 { UBig::from(fraction) } else { UBig::from(fraction | 1 << 52) << (field as usize - 1) }
    };
    let (dividend, divisor) = (units(x), units(y));
    let (quotient, remainder) = (&dividend / &divisor, &dividend % &divisor);
    let twice = &remainder * UBig::from(2u8);
    let up = twice > divisor || (twice == divisor && quotient % 2u8 == 1);
    let remainder = if up { IBig::from(remainder) - IBig::from(divisor) } else { IBig::from(remainder) };
    let negative = if remainder == IBig::ZERO {
        x.is_sign_negative()
    } else {
        x.is_sign_negative() ^ (remainder < IBig::ZERO)
    };
    let mut magnitude = remainder.into_parts().1;
    let mut field = 0u64;
    while magnitude >= UBig::from(1u64 << 53) {
        assert_eq!(&magnitude % 2u8, 0, "remainders are exact");
        magnitude >>= 1;
        field += 1;
    }
    let magnitude = u64::try_from(magnitude).expect("53 bits");
    let bits = if magnitude >> 52 == 1 { magnitude + (field << 52) } else { magnitude };
    f64::from_bits(bits | u64::from(negative) << 63)
}

#[test]
fn remainder_is_that_of_a_long_division() {
    assert_eq!(difference_f64(|x, y| x.rem(y), long_division), None);
    let truncating = |x: &Float, y: &Float| Float::from_f64(f64_of(x) % f64_of(y));
    assert!(difference_f64(truncating, long_division).is_some(), "fmod is not fp.rem");
}
