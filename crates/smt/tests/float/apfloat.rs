//! Against `rustc_apfloat`, LLVM's arithmetic, in all rounding modes and in half, single, double and quad.

use super::operands::Random;
use dashu_int::{IBig, UBig};
use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float as ApFloat, FloatConvert, Round, Status};
use smt::float::{Float, Format, RoundingMode};

const MODES: [(RoundingMode, Round); 5] = [
    (RoundingMode::Rne, Round::NearestTiesToEven),
    (RoundingMode::Rna, Round::NearestTiesToAway),
    (RoundingMode::Rtp, Round::TowardPositive),
    (RoundingMode::Rtn, Round::TowardNegative),
    (RoundingMode::Rtz, Round::TowardZero),
];

fn theirs<F: ApFloat>(float: &Float) -> F {
    F::from_bits(u128::try_from(float.bits()).expect("at most 128 bits"))
}

fn ours<F: ApFloat>(format: Format, float: F) -> Float {
    Float::from_bits(format, UBig::from(float.to_bits()))
}

/// A fused multiply-add under test.
type Fma = fn(&Float, RoundingMode, &Float, &Float) -> Float;

/// The first disagreement in `count` random applications of every operation.
fn disagreement<F: ApFloat>(format: Format, count: usize, fma: Fma) -> Option<String> {
    let mut random = Random(u64::from(format.sb));
    for _ in 0..count {
        let (x, y, z) = random.triple(format);
        let (a, b, c) = (theirs::<F>(&x), theirs::<F>(&y), theirs::<F>(&z));
        for (rm, round) in MODES {
            let results = [
                ("add", x.add(rm, &y), a.add_r(b, round).value),
                ("sub", x.sub(rm, &y), a.sub_r(b, round).value),
                ("mul", x.mul(rm, &y), a.mul_r(b, round).value),
                ("div", x.div(rm, &y), a.div_r(b, round).value),
                ("fma", fma(&x, rm, &y, &z), a.mul_add_r(b, c, round).value),
                ("rti", x.round_to_integral(rm), a.round_to_integral(round).value),
            ];
            for (name, got, want) in results {
                let want = ours(format, want);
                if got != want {
                    return Some(format!("{name} {rm:?} {x:?} {y:?} {z:?}: {got:?}, not {want:?}"));
                }
            }
        }
    }
    None
}

#[test]
fn arithmetic_agrees() {
    assert_eq!(disagreement::<Half>(Format::FLOAT16, 6_000, Float::fma), None);
    assert_eq!(disagreement::<Single>(Format::FLOAT32, 6_000, Float::fma), None);
    assert_eq!(disagreement::<Double>(Format::FLOAT64, 6_000, Float::fma), None);
    assert_eq!(disagreement::<Quad>(Format::FLOAT128, 6_000, Float::fma), None);
}

#[test]
fn rounding_twice_is_caught() {
    let twice: Fma = |x, rm, y, z| x.mul(rm, y).add(rm, z);
    assert!(disagreement::<Half>(Format::FLOAT16, 6_000, twice).is_some());
    assert!(disagreement::<Quad>(Format::FLOAT128, 6_000, twice).is_some());
}

fn remainders_agree<F: ApFloat>(format: Format) {
    let mut random = Random(9);
    for _ in 0..2_000 {
        let (x, y) = random.pair(format);
        let want = ours(format, theirs::<F>(&x).ieee_rem(theirs::<F>(&y)).value);
        assert_eq!(x.rem(&y), want, "{x:?} rem {y:?}");
    }
}

#[test]
fn remainder_agrees() {
    remainders_agree::<Half>(Format::FLOAT16);
    remainders_agree::<Single>(Format::FLOAT32);
    remainders_agree::<Double>(Format::FLOAT64);
    remainders_agree::<Quad>(Format::FLOAT128);
}

fn conversions_agree<S: ApFloat + FloatConvert<T>, T: ApFloat>(source: Format, target: Format) {
    let mut random = Random(10);
    for _ in 0..2_000 {
        let x = random.float(source);
        for (rm, round) in MODES {
            let want = theirs::<S>(&x).convert_r(round, &mut false).value;
            assert_eq!(x.convert(rm, target), ours(target, want), "{rm:?} {x:?} to {target:?}");
        }
    }
}

#[test]
fn conversions_between_formats_agree() {
    const H: Format = Format::FLOAT16;
    const S: Format = Format::FLOAT32;
    const D: Format = Format::FLOAT64;
    const Q: Format = Format::FLOAT128;
    conversions_agree::<Half, Single>(H, S);
    conversions_agree::<Single, Half>(S, H);
    conversions_agree::<Single, Double>(S, D);
    conversions_agree::<Double, Half>(D, H);
    conversions_agree::<Double, Single>(D, S);
    conversions_agree::<Double, Quad>(D, Q);
    conversions_agree::<Quad, Half>(Q, H);
    conversions_agree::<Quad, Double>(Q, D);
}

fn integers_agree<F: ApFloat>(format: Format) {
    let mut random = Random(11);
    for _ in 0..2_000 {
        let integer = ((u128::from(random.next()) << 64) | u128::from(random.next())) >> random.below(128);
        let width = [2, 7, 8, 32, 64, 65, 127][random.below(7) as usize];
        let scale = Float::from_int(RoundingMode::Rtz, &(IBig::ONE << (width as usize - 1)), format);
        let x = if random.sign() { random.near(&scale) } else { random.float(format) };
        for (rm, round) in MODES {
            let want = ours(format, F::from_u128_r(integer, round).value);
            assert_eq!(Float::from_int(rm, &integer.into(), format), want, "{rm:?} {integer}");
            let signed = integer as i128;
            let want = ours(format, F::from_i128_r(signed, round).value);
            assert_eq!(Float::from_int(rm, &signed.into(), format), want, "{rm:?} {signed}");

            let unsigned = theirs::<F>(&x).to_u128_r(width as usize, round, &mut false);
            let want = (unsigned.status & Status::INVALID_OP == Status::OK).then_some(unsigned.value);
            assert_eq!(x.to_ubv(rm, width), want.map(UBig::from), "{rm:?} {width} {x:?}");
            let signed = theirs::<F>(&x).to_i128_r(width as usize, round, &mut false);
            let mask = (1u128 << width) - 1;
            let want =
                (signed.status & Status::INVALID_OP == Status::OK).then_some(signed.value as u128 & mask);
            assert_eq!(x.to_sbv(rm, width), want.map(UBig::from), "{rm:?} {width} {x:?}");
        }
    }
}

#[test]
fn conversions_from_and_to_integers_agree() {
    integers_agree::<Half>(Format::FLOAT16);
    integers_agree::<Single>(Format::FLOAT32);
    integers_agree::<Double>(Format::FLOAT64);
    integers_agree::<Quad>(Format::FLOAT128);
}
