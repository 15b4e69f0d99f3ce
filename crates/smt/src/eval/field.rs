//! Finite fields of prime order on values, as cvc5 defines them.

use super::{Call, EvalResult};
use crate::sort::{Sort, SortId};
use crate::value::{FieldValue, Value};
use dashu_int::ops::RemEuclid;
use dashu_int::{IBig, UBig};
use std::sync::Arc;

/// The element of a field that an integer stands for.
pub(crate) fn element(sort: SortId, order: &UBig, number: &IBig) -> Value {
    Value::Field(Arc::new(FieldValue { sort, value: number.rem_euclid(&IBig::from(order.clone())) }))
}

fn number<'a>(call: &Call<'a>, i: usize) -> &'a UBig {
    match &call.args[i] {
        Value::Field(element) => &element.value,
        _ => unreachable!("the argument is an element of a field"),
    }
}

fn order<'a>(call: &Call<'a>) -> &'a UBig {
    match call.terms.sort_of(call.sort) {
        Sort::FiniteField(order) => order,
        _ => unreachable!("the sort of an element of a field"),
    }
}

fn fold(call: &Call<'_>, step: impl Fn(UBig, usize) -> UBig) -> EvalResult {
    let order = order(call);
    let value = (1..call.args.len()).fold(number(call, 0).clone(), |sum, i| step(sum, i) % order);
    Ok(Value::Field(Arc::new(FieldValue { sort: call.sort, value })))
}

pub(crate) fn add(call: &mut Call<'_>) -> EvalResult {
    fold(call, |sum, i| sum + number(call, i))
}

pub(crate) fn mul(call: &mut Call<'_>) -> EvalResult {
    fold(call, |product, i| product * number(call, i))
}

pub(crate) fn neg(call: &mut Call<'_>) -> EvalResult {
    let negated = -IBig::from(number(call, 0).clone());
    Ok(element(call.sort, order(call), &negated))
}

/// `x0 + 2 x1 + 4 x2 + ...`
pub(crate) fn bit_sum(call: &mut Call<'_>) -> EvalResult {
    fold(call, |sum, i| sum + (number(call, i) << i))
}

/// Bases of the Miller-Rabin test. These decide all numbers below 3.3 * 10^24; beyond, an error is out of anyone's reach.
const BASES: [u32; 13] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];

/// Whether a number is (very probably) prime.
pub(crate) fn is_prime(number: &UBig) -> bool {
    let two = UBig::from(2u8);
    if *number < two {
        return false;
    }
    if let Some(base) = BASES.iter().map(|&base| UBig::from(base)).find(|base| (number % base) == UBig::ZERO)
    {
        return *number == base;
    }
    let one_less = number - UBig::ONE;
    let twos = one_less.trailing_zeros().expect("an odd number is left");
    let odd = &one_less >> twos;
    BASES.iter().all(|&base| {
        let mut power = power(&UBig::from(base), &odd, number);
        if power == UBig::ONE || power == one_less {
            return true;
        }
        (1..twos).any(|_| {
            power = (&power * &power) % number;
            power == one_less
        })
    })
}

/// `base ^ exponent` modulo a number, by squaring.
fn power(base: &UBig, exponent: &UBig, modulus: &UBig) -> UBig {
    use dashu_base::BitTest;
    let mut result = UBig::ONE;
    for i in (0..exponent.bit_len()).rev() {
        result = (&result * &result) % modulus;
        if exponent.bit(i) {
            result = (result * base) % modulus;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_told_from_their_like() {
        let by_division = |n: u32| n >= 2 && (2..n).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
        for n in 0..2000 {
            assert_eq!(is_prime(&UBig::from(n)), by_division(n), "{n}");
        }
        // Carmichael numbers, and the order of a field that cryptography uses.
        for composite in ["561", "41041", "825265", "3215031751", "341550071728321"] {
            assert!(!is_prime(&UBig::from_str_radix(composite, 10).expect("a number")), "{composite}");
        }
        let order = "52435875175126190479447740508185965837690552500527637822603658699938581184513";
        assert!(is_prime(&UBig::from_str_radix(order, 10).expect("a number")));
    }

    /// Finite fields have no solver that judges them here: sums and products are compared with those of machine integers.
    #[test]
    fn fields_compute_modulo_their_order() {
        let mut terms = crate::Terms::new();
        for order in [2u64, 3, 7, 17] {
            let sort = terms.make_sort(Sort::FiniteField(UBig::from(order)));
            let constant = |terms: &mut crate::Terms, n: u64| {
                let value = element(sort, &UBig::from(order), &IBig::from(n));
                terms.constant(value)
            };
            for (x, y) in (0..order).flat_map(|x| (0..order).map(move |y| (x, y))) {
                let (a, b) = (constant(&mut terms, x), constant(&mut terms, y));
                for (op, args, expected) in [
                    (crate::Op::FieldAdd, vec![a, b], x + y),
                    (crate::Op::FieldMul, vec![a, b], x * y),
                    (crate::Op::FieldNeg, vec![a], order - x),
                    (crate::Op::FieldBitSum, vec![a, b, b], x + 2 * y + 4 * y),
                ] {
                    let term = terms.mk(op, &args);
                    let found = crate::eval::eval(&terms, &crate::Model::default(), term);
                    assert_eq!(
                        found,
                        Ok(element(sort, &UBig::from(order), &IBig::from(expected % order))),
                        "{op:?} {x} {y}"
                    );
                }
            }
        }
        // Both ways of writing an element are one.
        let text = "(assert (= #f-1m7 (as ff6 (_ FiniteField 7))))(assert (= (ff.add #f3m7 #f5m7) #f1m7))";
        let reading = crate::read_script(&mut terms, text);
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        for assertion in reading.script.assertions() {
            assert_eq!(crate::eval::eval(&terms, &crate::Model::default(), assertion), Ok(Value::Bool(true)));
        }
        let refused = crate::read_script(&mut crate::Terms::new(), "(declare-const x (_ FiniteField 6))");
        assert_eq!(refused.errors.len(), 1);
    }
}
