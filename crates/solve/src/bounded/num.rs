//! Integers as bit-vectors in two's complement, each as wide as its value needs: sums are a bit wider than what is added, products as
//! wide as both factors together. So nothing overflows, and the only bound is that on the unknowns.

use smt::{BitVec, IBig, Op, TermId, Terms, Value};

/// A number: a bit-vector term that is read with its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Num {
    pub(crate) bits: TermId,
    pub(crate) width: u32,
}

impl Num {
    /// A constant, as narrow as it can be.
    pub(crate) fn constant(terms: &mut Terms, value: &IBig) -> Num {
        let width = bits_of(value);
        let bits = terms.constant(Value::BitVec(BitVec::from_int(width, value)));
        Num { bits, width }
    }

    /// A small constant.
    pub(crate) fn small(terms: &mut Terms, value: i64) -> Num {
        Num::constant(terms, &IBig::from(value))
    }

    /// The value, if it is a constant.
    pub(crate) fn value(self, terms: &Terms) -> Option<IBig> {
        match terms.as_value(self.bits)? {
            Value::BitVec(bits) => Some(bits.to_signed()),
            _ => None,
        }
    }

    /// The bits at another width. Wider keeps the value; narrower keeps it where it fits.
    pub(crate) fn at_width(self, terms: &mut Terms, width: u32) -> TermId {
        match width.cmp(&self.width) {
            std::cmp::Ordering::Equal => self.bits,
            std::cmp::Ordering::Greater => {
                terms.mk_indexed(Op::SignExtend, [width - self.width, 0], &[self.bits])
            }
            std::cmp::Ordering::Less => terms.mk_indexed(Op::Extract, [width - 1, 0], &[self.bits]),
        }
    }

    /// The same number at a width at which it fits, as the caller knows.
    pub(crate) fn narrowed(self, terms: &mut Terms, width: u32) -> Num {
        if width >= self.width { self } else { Num { bits: self.at_width(terms, width), width } }
    }

    /// Applies an operator at a width that both arguments are brought to.
    fn joined(terms: &mut Terms, op: Op, a: Num, b: Num, width: u32) -> Num {
        let bits = [a.at_width(terms, width), b.at_width(terms, width)];
        Num { bits: terms.mk(op, &bits), width }
    }

    pub(crate) fn add(self, terms: &mut Terms, other: Num) -> Num {
        match (self.value(terms), other.value(terms)) {
            (Some(a), Some(b)) => Num::constant(terms, &(a + b)),
            (Some(a), None) if a == IBig::ZERO => other,
            (None, Some(b)) if b == IBig::ZERO => self,
            _ => Num::joined(terms, Op::BvAdd, self, other, self.width.max(other.width) + 1),
        }
    }

    pub(crate) fn sub(self, terms: &mut Terms, other: Num) -> Num {
        match (self.value(terms), other.value(terms)) {
            (Some(a), Some(b)) => Num::constant(terms, &(a - b)),
            (None, Some(b)) if b == IBig::ZERO => self,
            _ => Num::joined(terms, Op::BvSub, self, other, self.width.max(other.width) + 1),
        }
    }

    pub(crate) fn neg(self, terms: &mut Terms) -> Num {
        let zero = Num::small(terms, 0);
        zero.sub(terms, self)
    }

    pub(crate) fn mul(self, terms: &mut Terms, other: Num) -> Num {
        match (self.value(terms), other.value(terms)) {
            (Some(a), Some(b)) => Num::constant(terms, &(a * b)),
            (Some(one), None) if one == IBig::ONE => other,
            (None, Some(one)) if one == IBig::ONE => self,
            _ => Num::joined(terms, Op::BvMul, self, other, self.width + other.width),
        }
    }

    /// A comparison, as a Boolean.
    pub(crate) fn compare(self, terms: &mut Terms, op: Op, other: Num) -> TermId {
        if let (Some(a), Some(b)) = (self.value(terms), other.value(terms)) {
            let truth = match op {
                Op::BvSlt => a < b,
                Op::BvSle => a <= b,
                _ => a == b,
            };
            return terms.bool(truth);
        }
        let width = self.width.max(other.width);
        let bits = [self.at_width(terms, width), other.at_width(terms, width)];
        terms.mk(op, &bits)
    }

    pub(crate) fn lt(self, terms: &mut Terms, other: Num) -> TermId {
        self.compare(terms, Op::BvSlt, other)
    }

    pub(crate) fn le(self, terms: &mut Terms, other: Num) -> TermId {
        self.compare(terms, Op::BvSle, other)
    }

    pub(crate) fn eq(self, terms: &mut Terms, other: Num) -> TermId {
        self.compare(terms, Op::Eq, other)
    }

    /// One of two numbers.
    pub(crate) fn ite(terms: &mut Terms, condition: TermId, then: Num, otherwise: Num) -> Num {
        if condition == TermId::TRUE || then == otherwise {
            return then;
        }
        if condition == TermId::FALSE {
            return otherwise;
        }
        let width = then.width.max(otherwise.width);
        let bits = [condition, then.at_width(terms, width), otherwise.at_width(terms, width)];
        Num { bits: terms.mk(Op::Ite, &bits), width }
    }

    pub(crate) fn abs(self, terms: &mut Terms) -> Num {
        let (zero, minus) = (Num::small(terms, 0), self.neg(terms));
        let negative = self.lt(terms, zero);
        Num::ite(terms, negative, minus, self)
    }

    /// Quotient and remainder as SMT-LIB has them: the remainder is never negative. The divisor is not zero.
    pub(crate) fn div_mod(self, terms: &mut Terms, by: Num) -> (Num, Num) {
        let width = self.width.max(by.width) + 1;
        let quotient = Num::joined(terms, Op::BvSdiv, self, by, width);
        let rest = Num::joined(terms, Op::BvSrem, self, by, width);
        let (zero, one) = (Num::small(terms, 0), Num::small(terms, 1));
        let negative = rest.lt(terms, zero);
        let positive_divisor = zero.lt(terms, by);
        let (less, more) = (quotient.sub(terms, one), quotient.add(terms, one));
        let corrected = Num::ite(terms, positive_divisor, less, more);
        let size = by.abs(terms);
        let lifted = rest.add(terms, size);
        let quotient = Num::ite(terms, negative, corrected, quotient);
        let rest = Num::ite(terms, negative, lifted, rest);
        (quotient, rest.narrowed(terms, by.width + 1))
    }
}

/// How many bits a number takes, its sign included.
pub(crate) fn bits_of(value: &IBig) -> u32 {
    use dashu_base::BitTest;
    let size = if *value < IBig::ZERO { -(value + IBig::ONE) } else { value.clone() };
    size.bit_len() as u32 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Evaluator, Model};

    /// Every operation on every pair of small numbers, at mixed widths, against the integers.
    #[test]
    fn nothing_overflows() {
        let mut terms = Terms::new();
        for a in -9i64..=9 {
            for b in -9i64..=9 {
                let (x, y) = (symbol(&mut terms, "x", a), symbol(&mut terms, "y", b));
                let rows = [
                    (x.0.add(&mut terms, y.0), a + b),
                    (x.0.sub(&mut terms, y.0), a - b),
                    (x.0.mul(&mut terms, y.0), a * b),
                    (x.0.neg(&mut terms), -a),
                    (x.0.abs(&mut terms), a.abs()),
                ];
                let mut model = Model::default();
                model.set(x.1, x.2.clone());
                model.set(y.1, y.2.clone());
                let check = |terms: &Terms, num: Num, expected: i64| {
                    let value = Evaluator::new(terms, &model).eval(num.bits).expect("a value");
                    let Value::BitVec(bits) = value else { panic!("bits") };
                    assert_eq!(bits.to_signed(), IBig::from(expected), "{a} and {b}");
                };
                for (num, expected) in rows {
                    check(&terms, num, expected);
                }
                if b != 0 {
                    let (quotient, rest) = x.0.div_mod(&mut terms, y.0);
                    check(&terms, quotient, a.div_euclid(b));
                    check(&terms, rest, a.rem_euclid(b));
                }
                let lt = x.0.lt(&mut terms, y.0);
                assert_eq!(Evaluator::new(&terms, &model).truth(lt), Ok(a < b));
            }
        }
        assert_eq!([0, -1, 1, -2, 127, 128, -128].map(|n| bits_of(&IBig::from(n))), [1, 1, 2, 2, 8, 9, 8]);
    }

    fn symbol(terms: &mut Terms, name: &str, value: i64) -> (Num, smt::FunId, Value) {
        let width = bits_of(&IBig::from(value)) + u32::from(value % 3 == 0);
        let sort = terms.bit_vec_sort(width);
        let name = terms.symbol(&format!("{name}{value}"));
        let fun = terms.declare(name, &[], sort);
        let bits = terms.apply(fun, &[]).expect("a constant");
        (Num { bits, width }, fun, Value::BitVec(BitVec::from_int(width, &IBig::from(value))))
    }
}
