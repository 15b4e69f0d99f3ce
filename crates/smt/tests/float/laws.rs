//! Encodings, indices, names and limits.

use super::operands::{Random, corners};
use dashu_int::{IBig, UBig};
use proptest::prelude::*;
use smt::float::RoundingMode::{Rne, Rtn, Rtp, Rtz};
use smt::float::{Float, Format, RoundingMode};

fn any_format() -> impl Strategy<Value = Format> {
    (2u32..=20, 2u32..=150).prop_map(|(eb, sb)| Format { eb, sb })
}

fn any_float() -> impl Strategy<Value = Float> {
    (any_format(), any::<u64>()).prop_map(|(format, seed)| Random(seed).float(format))
}

fn any_pair() -> impl Strategy<Value = (Float, Float)> {
    (any_format(), any::<u64>()).prop_map(|(format, seed)| Random(seed).pair(format))
}

proptest! {
    #[test]
    fn ordinals_order_values((x, y) in any_pair()) {
        if !x.is_nan() && !y.is_nan() {
            prop_assert_eq!(x.lt(&y), x.ordinal() < y.ordinal());
            prop_assert_eq!(x.ieee_eq(&y), x.ordinal() == y.ordinal());
        }
    }

    #[test]
    fn ordinals_come_back(x in any_float()) {
        let back = Float::from_ordinal(x.format(), &x.ordinal());
        if x.is_nan() {
            prop_assert_eq!(back, None);
        } else if x.is_zero() {
            prop_assert_eq!(back, Some(x.abs()));
        } else {
            prop_assert_eq!(back, Some(x));
        }
    }

    #[test]
    fn neighbours_are_adjacent(x in any_float()) {
        if let Some(next) = Float::from_ordinal(x.format(), &(x.ordinal() + IBig::ONE)) {
            prop_assert!(x.lt(&next));
            let tiny = Float::min_subnormal(x.format(), false);
            if !x.is_infinite() {
                prop_assert_eq!(x.add(Rtp, &tiny).ordinal(), next.ordinal());
            }
        }
    }

    #[test]
    fn parts_and_bits_come_back(x in any_float()) {
        let (sign, exponent, significand) = x.parts();
        prop_assert_eq!(&Float::from_parts(sign, exponent, significand, x.format()), &x);
        prop_assert_eq!(&Float::from_bits(x.format(), x.bits()), &x);
    }

    #[test]
    fn reals_come_back(x in any_float()) {
        if let Some(real) = x.to_real() {
            for rm in RoundingMode::ALL {
                prop_assert!(Float::from_real(rm, &real, x.format()).ieee_eq(&x));
            }
        } else {
            prop_assert!(x.is_nan() || x.is_infinite());
        }
    }
}

#[test]
fn constants_have_their_encodings() {
    let hex = |float: &Float| format!("{:x}", float.bits());
    let half: Vec<String> = corners(Format::FLOAT16).iter().map(hex).collect();
    let want =
        ["7e00", "0", "1", "400", "3c00", "7bff", "7c00", "8000", "8001", "8400", "bc00", "fbff", "fc00"];
    assert_eq!(half, want);
    let tiny: Vec<String> = corners(Format { eb: 2, sb: 2 }).iter().map(hex).collect();
    assert_eq!(tiny, ["7", "0", "1", "2", "2", "5", "6", "8", "9", "a", "a", "d", "e"]);
}

#[test]
fn all_nans_are_one() {
    let nans: Vec<Float> = [0x7f80_0001u32, 0xff80_0001, 0x7fff_ffff, 0xffff_ffff, 0x7fc0_0000]
        .map(|bits| Float::from_f32(f32::from_bits(bits)))
        .into();
    assert!(nans.iter().all(|nan| *nan == Float::nan(Format::FLOAT32)));
    assert_ne!(Float::zero(Format::FLOAT32, false), Float::zero(Format::FLOAT32, true));
    let all_ones = Float::from_parts(true, UBig::from(0xffu8), UBig::ONE, Format::FLOAT32);
    assert_eq!(all_ones, Float::nan(Format::FLOAT32));
    assert!(!all_ones.is_negative() && !all_ones.is_positive());
    assert_eq!(all_ones.neg(), all_ones);
}

#[test]
fn native_values_need_their_format() {
    assert_eq!(Float::from_f64(0.5).to_f64(), Some(0.5));
    assert_eq!(Float::from_f64(0.5).to_f32(), None);
    assert_eq!(Float::from_f32(0.5).to_f64(), None);
}

#[test]
fn rounding_modes_have_both_names() {
    let names: Vec<_> = RoundingMode::ALL.iter().map(|rm| (rm.short_name(), rm.long_name())).collect();
    let want = [
        ("RNE", "roundNearestTiesToEven"),
        ("RNA", "roundNearestTiesToAway"),
        ("RTP", "roundTowardPositive"),
        ("RTN", "roundTowardNegative"),
        ("RTZ", "roundTowardZero"),
    ];
    assert_eq!(names, want);
}

#[test]
fn supported_formats_have_bounds() {
    for (eb, sb, supported) in [
        (2, 2, true),
        (1, 5, false),
        (5, 1, false),
        (Format::MAX_EB, Format::MAX_SB, true),
        (Format::MAX_EB + 1, 24, false),
        (8, Format::MAX_SB + 1, false),
        (u32::MAX, u32::MAX, false),
    ] {
        assert_eq!(Format { eb, sb }.is_supported(), supported, "({eb}, {sb})");
    }
    assert_eq!(Format::FLOAT128.width(), 128);
    assert_eq!(Format { eb: u32::MAX, sb: 5 }.width(), u32::MAX);
}

/// Operations that would need numbers of megabytes if exponents were turned into shifts.
#[test]
fn extreme_exponents_cost_little() {
    for sb in [24, 113, 2_000] {
        let format = Format { eb: Format::MAX_EB, sb };
        let (huge, tiny) = (Float::max_finite(format, false), Float::min_subnormal(format, false));
        for _ in 0..100 {
            assert_eq!(huge.add(Rne, &tiny), huge);
            assert_eq!(huge.add(Rtp, &tiny), Float::infinity(format, false));
            assert_eq!(tiny.sub(Rtz, &huge).neg().ordinal(), huge.ordinal() - IBig::ONE);
            assert_eq!(huge.fma(Rtn, &huge, &tiny.neg()), huge);
            assert_eq!(tiny.fma(Rtp, &tiny, &tiny).ordinal(), IBig::from(2));
            assert_eq!(tiny.round_to_integral(Rtp), Float::one(format, false));
            assert_eq!(huge.to_sbv(Rne, 64), None);
            assert!(huge.rem(&tiny).is_zero());
            assert_eq!(huge.convert(Rne, Format::FLOAT32), Float::infinity(Format::FLOAT32, false));
            assert_eq!(tiny.convert(Rtp, Format::FLOAT16), Float::min_subnormal(Format::FLOAT16, false));
        }
        assert_eq!(Float::from_real(Rne, &huge.to_real().expect("finite"), format), huge);
        assert_eq!(Float::from_real(Rne, &tiny.to_real().expect("finite"), format), tiny);
    }
}

/// `2^n mod 3` alternates between 1 and 2, which IEEE's remainder turns into 1 and -1.
#[test]
fn remainder_of_a_large_power_is_modular() {
    let format = Format { eb: Format::MAX_EB, sb: 24 };
    let three = Float::from_int(Rne, &IBig::from(3), format);
    let one = Float::one(format, false);
    for power in [4u64, 5, 1_000, 1_001, (1 << 23) - 2, (1 << 23) - 1] {
        let field = UBig::from(power + (1 << 23) - 1);
        let large = Float::from_parts(false, field, UBig::ZERO, format);
        assert_eq!(large.rem(&three), if power % 2 == 0 { one.clone() } else { one.neg() }, "2^{power}");
    }
}
