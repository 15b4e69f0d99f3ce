//! [`Rational`] against dashu's big fractions on numbers around every overflow edge.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use proptest::prelude::*;

use super::{Delta, Rational};

/// Small numbers, numbers at the edges of the small form, and numbers beyond it.
fn rational() -> impl Strategy<Value = Rational> {
    let edge = prop_oneof![
        -20i128..=20,
        (-3i128..=3).prop_map(|d| i128::from(i64::MAX) + d),
        (-3i128..=3).prop_map(|d| i128::from(i64::MIN) + d),
        any::<i32>().prop_map(i128::from),
        any::<i64>().prop_map(i128::from),
        any::<i128>(),
    ];
    let den = prop_oneof![
        3 => Just(1u128),
        3 => 1u128..=12,
        1 => (1u128..=4).prop_map(|d| i64::MAX as u128 - 2 + d),
        1 => 1u128..=u128::from(u64::MAX),
        1 => 1u128..,
    ];
    (edge, den).prop_map(|(n, d)| Rational::from(RBig::from_parts(IBig::from(n), UBig::from(d))))
}

fn hash(value: &Rational) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn operations_agree_with_big_fractions(a in rational(), b in rational(), c in rational()) {
        let (x, y, z) = (a.to_big(), b.to_big(), c.to_big());
        let check = |ours: Rational, theirs: RBig| {
            // The second equality is canonicity: the same value has one representation and one hash.
            prop_assert_eq!(&ours.to_big(), &theirs);
            prop_assert_eq!(hash(&ours), hash(&Rational::from(theirs.clone())));
            prop_assert_eq!(ours, Rational::from(theirs));
            Ok(())
        };
        check(&a + &b, &x + &y)?;
        check(&a - &b, &x - &y)?;
        check(&a * &b, &x * &y)?;
        check(-&a, -&x)?;
        if !b.is_zero() {
            check(&a / &b, &x / &y)?;
            check(b.recip().expect("not zero"), RBig::ONE / &y)?;
        }
        let mut sum = a.clone();
        sum.add_mul(&b, &c);
        check(sum, &x + &y * &z)?;
        check(a.floor(), RBig::from(x.floor()))?;
        check(a.ceil(), RBig::from(x.ceil()))?;
        check(a.numerator(), RBig::from(x.numerator().clone()))?;
        check(a.denominator(), RBig::from(x.denominator().clone()))?;
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        prop_assert_eq!(a == b, x == y);
        prop_assert_eq!(a.is_int(), x.is_int());
        prop_assert_eq!(a.is_positive(), x > RBig::ZERO);
        prop_assert_eq!(a.is_negative(), x < RBig::ZERO);
    }

    #[test]
    fn rounding_takes_the_closest_integer(a in rational()) {
        let half = Rational::new(1, 2).expect("not zero");
        let distance = &a.round() - &a;
        prop_assert!(a.round().is_int());
        prop_assert!(distance.abs() <= half && distance != -&half, "{a} -> {}", a.round());
    }

    #[test]
    fn gcd_leaves_coprime_integers(a in rational(), b in rational()) {
        prop_assume!(!a.is_zero() || !b.is_zero());
        let g = a.gcd(&b);
        let (p, q) = (&a / &g, &b / &g);
        prop_assert!(g.is_positive() && p.is_int() && q.is_int());
        prop_assert!(p.gcd(&q).is_one());
    }

    #[test]
    fn delta_orders_like_a_tiny_number(a in -5i64..5, j in -5i64..5, b in -5i64..5, k in -5i64..5) {
        let x = Delta { real: Rational::from(a), infinitesimal: Rational::from(j) };
        let y = Delta { real: Rational::from(b), infinitesimal: Rational::from(k) };
        let tiny = Rational::new(1, 1000).expect("not zero");
        prop_assert_eq!(x.cmp(&y), x.at(&tiny).cmp(&y.at(&tiny)));
        prop_assert_eq!(x.floor(), x.at(&tiny).floor());
        prop_assert_eq!(x.ceil(), x.at(&tiny).ceil());
        prop_assert_eq!((&x + &y).at(&tiny), &x.at(&tiny) + &y.at(&tiny));
        prop_assert_eq!((&x - &y).at(&tiny), &x.at(&tiny) - &y.at(&tiny));
    }
}

#[test]
fn a_rational_is_two_words() {
    assert_eq!(std::mem::size_of::<Rational>(), 16);
}
