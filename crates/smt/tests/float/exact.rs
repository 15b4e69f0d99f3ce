//! Formats of any size against exact rationals, on both sides of the width at which the representation changes.

use super::operands::Random;
use dashu_base::Signed;
use dashu_int::IBig;
use dashu_ratio::RBig;
use smt::float::{Float, Format, RoundingMode};

const FORMATS: [Format; 9] = [
    Format { eb: 5, sb: 60 },
    Format { eb: 8, sb: 61 },
    Format { eb: 8, sb: 62 },
    Format { eb: 6, sb: 64 },
    Format { eb: 2, sb: 100 },
    Format { eb: 10, sb: 113 },
    Format { eb: 9, sb: 237 },
    Format { eb: 11, sb: 2 },
    Format { eb: 12, sb: 3 },
];

/// The first sum, product, quotient or fused multiply-add that is not the rounded exact result. Zeros are left out,
/// as their sign is not a matter of rounding.
fn mistake(fma: impl Fn(&Float, RoundingMode, &Float, &Float) -> Float) -> Option<String> {
    for format in FORMATS {
        let mut random = Random(12);
        for _ in 0..400 {
            let (x, y, z) = random.triple(format);
            let (Some(a), Some(b), Some(c)) = (x.to_real(), y.to_real(), z.to_real()) else { continue };
            for rm in RoundingMode::ALL {
                let mut results = vec![
                    ("add", x.add(rm, &y), &a + &b),
                    ("mul", x.mul(rm, &y), &a * &b),
                    ("fma", fma(&x, rm, &y, &z), &a * &b + &c),
                ];
                if !b.is_zero() {
                    results.push(("div", x.div(rm, &y), &a / &b));
                }
                for (name, got, exact) in results {
                    if !exact.is_zero() && got != Float::from_real(rm, &exact, format) {
                        return Some(format!("{name} {rm:?} {x:?} {y:?} {z:?}: {got:?}"));
                    }
                }
            }
        }
    }
    None
}

#[test]
fn arithmetic_is_exact_then_rounded() {
    assert_eq!(mistake(Float::fma), None);
    assert!(mistake(|x, rm, y, z| x.mul(rm, y).add(rm, z)).is_some(), "rounding twice is caught");
}

#[test]
fn rounded_reals_bracket_the_real() {
    for format in FORMATS {
        let mut random = Random(13);
        for _ in 0..300 {
            let numerator = IBig::from(random.bits(300) >> random.below(300) as usize);
            let denominator = random.bits(300) >> random.below(299) as usize;
            if denominator.is_zero() {
                continue;
            }
            let real = RBig::from_parts(numerator, denominator);
            let real = if random.sign() { -real } else { real };
            let down = Float::from_real(RoundingMode::Rtn, &real, format);
            let up = Float::from_real(RoundingMode::Rtp, &real, format);
            assert!(down.to_real().is_none_or(|down| down <= real));
            assert!(up.to_real().is_none_or(|up| up >= real));
            let step = up.ordinal() - down.ordinal();
            let exact = down.to_real().as_ref() == Some(&real);
            assert_eq!(step, if exact { IBig::ZERO } else { IBig::ONE }, "{real}");
            let zero = if real.is_negative() { &up } else { &down };
            assert_eq!(Float::from_real(RoundingMode::Rtz, &real, format), *zero);
            if let (Some(low), Some(high)) = (down.to_real(), up.to_real()) {
                let nearest = Float::from_real(RoundingMode::Rne, &real, format);
                let middle = (low + high) / RBig::from(2);
                if real != middle {
                    assert_eq!(nearest, if real < middle { down } else { up }, "{real}");
                } else {
                    assert_eq!(nearest.ordinal() % 2, 0, "{real}");
                }
            }
        }
    }
}

#[test]
fn square_roots_bracket_the_root() {
    for format in FORMATS.into_iter().chain([Format::FLOAT64, Format::FLOAT128]) {
        let mut random = Random(14);
        for _ in 0..300 {
            let x = random.float(format).abs();
            let square = x.mul(RoundingMode::Rne, &x);
            for x in [x, square] {
                let Some(real) = x.to_real() else { continue };
                let down = x.sqrt(RoundingMode::Rtn);
                let up = x.sqrt(RoundingMode::Rtp);
                let (Some(low), Some(high)) = (down.to_real(), up.to_real()) else { panic!("root of {x:?}") };
                assert!(&low * &low <= real && real <= &high * &high, "{x:?}");
                assert!(up.ordinal() - down.ordinal() <= IBig::ONE, "{x:?}");
                assert_eq!(x.sqrt(RoundingMode::Rtz), down);
                let middle = (&low + &high) / RBig::from(2);
                let nearest = if real < &middle * &middle { &down } else { &up };
                assert_eq!(x.sqrt(RoundingMode::Rne), *nearest, "{x:?}");
                assert_eq!(x.sqrt(RoundingMode::Rna), *nearest, "{x:?}");
            }
        }
    }
}

#[test]
fn remainder_is_the_exact_one() {
    for format in FORMATS {
        let mut random = Random(15);
        for _ in 0..300 {
            let (x, y) = random.pair(format);
            let (Some(a), Some(b)) = (x.to_real(), y.to_real()) else { continue };
            if b.is_zero() {
                continue;
            }
            let floor = (&a / &b).floor();
            let remainder = |n: &IBig| &a - &b * RBig::from(n.clone());
            let (below, above) = (remainder(&floor), remainder(&(&floor + IBig::ONE)));
            let distance =
                |remainder: &RBig| if remainder.is_negative() { -remainder } else { remainder.clone() };
            let nearest = match distance(&below).cmp(&distance(&above)) {
                std::cmp::Ordering::Less => below,
                std::cmp::Ordering::Greater => above,
                std::cmp::Ordering::Equal => {
                    if floor % 2 == 0 {
                        below
                    } else {
                        above
                    }
                }
            };
            let got = x.rem(&y);
            assert_eq!(got.to_real(), Some(nearest), "{x:?} rem {y:?}");
            assert!(!got.is_zero() || got.is_negative() == x.is_negative());
        }
    }
}
