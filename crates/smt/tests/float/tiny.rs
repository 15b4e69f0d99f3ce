//! Tiny formats, exhaustively: the exact result as a fraction, rounded by looking through all values of the format.

use std::cmp::Ordering;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use smt::float::{Float, Format, RoundingMode};

/// Numbers are integers in units of `2^-16`, far finer than half the smallest subnormal of any format here.
const UNIT: i128 = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Nan,
    Infinity {
        negative: bool,
    },
    /// The sign is only needed for zero.
    Number {
        negative: bool,
        units: i128,
    },
}

use Value::{Infinity, Nan, Number};

/// A format, its values by encoding, and its non-negative finite magnitudes in order.
struct Table {
    format: Format,
    values: Vec<Value>,
    magnitudes: Vec<i128>,
}

impl Table {
    fn new(eb: u32, sb: u32) -> Table {
        let values: Vec<Value> = (0..1u32 << (eb + sb)).map(|bits| decode(bits, eb, sb)).collect();
        let magnitudes = values[..1 << (eb + sb - 1)]
            .iter()
            .filter_map(|value| if let Number { units, .. } = value { Some(*units) } else { None })
            .collect();
        Table { format: Format { eb, sb }, values, magnitudes }
    }

    fn float(&self, bits: usize) -> Float {
        Float::from_bits(self.format, UBig::from(bits))
    }

    fn floats(&self) -> Vec<Float> {
        (0..self.values.len()).map(|bits| self.float(bits)).collect()
    }

    fn special(&self, value: Value) -> Float {
        match value {
            Nan => Float::nan(self.format),
            Infinity { negative } => Float::infinity(self.format, negative),
            Number { negative, units: 0 } => Float::zero(self.format, negative),
            Number { .. } => unreachable!("not a special value"),
        }
    }

    /// Rounds the number whose magnitude compares with others as `compare` says.
    fn round(&self, rm: RoundingMode, negative: bool, compare: impl Fn(i128) -> Ordering) -> Float {
        let below = self.magnitudes.partition_point(|&magnitude| compare(magnitude).is_ge()) - 1;
        let exact = compare(self.magnitudes[below]).is_eq();
        let largest = self.magnitudes.len() - 1;
        // One past the largest index is the encoding of infinity, at the number that would come next.
        let above = match self.magnitudes.get(below + 1) {
            Some(&magnitude) => magnitude,
            None => 2 * self.magnitudes[largest] - self.magnitudes[largest - 1],
        };
        let up = match (rm, compare((self.magnitudes[below] + above) / 2)) {
            _ if exact => false,
            (RoundingMode::Rtz, _) => false,
            (RoundingMode::Rtp, _) => !negative,
            (RoundingMode::Rtn, _) => negative,
            (_, Ordering::Less) => false,
            (_, Ordering::Greater) => true,
            (RoundingMode::Rna, Ordering::Equal) => true,
            (RoundingMode::Rne, Ordering::Equal) => below % 2 == 1,
        };
        let bits = below + usize::from(up) + (usize::from(negative) << (self.format.width() - 1));
        self.float(bits)
    }

    /// Rounds `dividend / divisor`, where a zero gets the sign `zero_sign`.
    fn fraction(&self, rm: RoundingMode, dividend: i128, divisor: i128, zero_sign: bool) -> Float {
        if dividend == 0 {
            return Float::zero(self.format, zero_sign);
        }
        let negative = (dividend < 0) != (divisor < 0);
        let (dividend, divisor) = (dividend.abs(), divisor.abs());
        self.round(rm, negative, |units| (dividend * UNIT).cmp(&(units * divisor)))
    }

    fn add(&self, rm: RoundingMode, x: Value, y: Value) -> Float {
        match (x, y) {
            (Nan, _) | (_, Nan) => self.special(Nan),
            (Infinity { negative: a }, Infinity { negative: b }) if a != b => self.special(Nan),
            (Infinity { .. }, _) => self.special(x),
            (_, Infinity { .. }) => self.special(y),
            (Number { negative: a, units: x }, Number { negative: b, units: y }) => {
                let sign = if a == b { a } else { rm == RoundingMode::Rtn };
                self.fraction(rm, x + y, UNIT, sign)
            }
        }
    }

    fn mul(&self, rm: RoundingMode, x: Value, y: Value) -> Float {
        let negative = sign(x) != sign(y);
        match (x, y) {
            (Nan, _) | (_, Nan) => self.special(Nan),
            (Infinity { .. }, Number { units: 0, .. }) => self.special(Nan),
            (Number { units: 0, .. }, Infinity { .. }) => self.special(Nan),
            (Infinity { .. }, _) | (_, Infinity { .. }) => self.special(Infinity { negative }),
            (Number { units: x, .. }, Number { units: y, .. }) => {
                self.fraction(rm, x * y, UNIT * UNIT, negative)
            }
        }
    }

    fn div(&self, rm: RoundingMode, x: Value, y: Value) -> Float {
        let negative = sign(x) != sign(y);
        match (x, y) {
            (Nan, _) | (_, Nan) | (Infinity { .. }, Infinity { .. }) => self.special(Nan),
            (Number { units: 0, .. }, Number { units: 0, .. }) => self.special(Nan),
            (Infinity { .. }, _) | (_, Number { units: 0, .. }) => self.special(Infinity { negative }),
            (_, Infinity { .. }) => self.special(Number { negative, units: 0 }),
            (Number { units: x, .. }, Number { units: y, .. }) => self.fraction(rm, x, y, negative),
        }
    }

    fn fma(&self, rm: RoundingMode, x: Value, y: Value, z: Value) -> Float {
        let negative = sign(x) != sign(y);
        match (x, y, z) {
            (Number { units: x, .. }, Number { units: y, .. }, Number { negative: c, units: z }) => {
                let sign = if negative == c { c } else { rm == RoundingMode::Rtn };
                self.fraction(rm, x * y + z * UNIT, UNIT * UNIT, sign)
            }
            (Number { .. }, Number { .. }, _) => self.special(z),
            _ => {
                let product = self.mul(rm, x, y);
                let product = if product.is_nan() { Nan } else { Infinity { negative } };
                self.add(rm, product, z)
            }
        }
    }

    fn rem(&self, x: Value, y: Value) -> Float {
        match (x, y) {
            (Nan, _) | (_, Nan) | (Infinity { .. }, _) | (_, Number { units: 0, .. }) => self.special(Nan),
            (Number { negative, units: x }, Infinity { .. }) => {
                self.fraction(RoundingMode::Rtz, x, UNIT, negative)
            }
            (Number { negative, units: x }, Number { units: y, .. }) => {
                // Of the multiples of `y` around `x` the nearest wins, or the even one if two are as near.
                let quotient = x / y;
                let nearest = (quotient - 1..=quotient + 1)
                    .min_by_key(|n| ((x - y * n).abs(), n.rem_euclid(2)))
                    .expect("three candidates");
                self.fraction(RoundingMode::Rtz, x - y * nearest, UNIT, negative)
            }
        }
    }

    fn sqrt(&self, rm: RoundingMode, x: Value) -> Float {
        match x {
            Number { units: 0, .. } | Infinity { negative: false } => self.special(x),
            Number { negative: false, units } => {
                self.round(rm, false, |root| (units * UNIT).cmp(&(root * root)))
            }
            Nan | Infinity { .. } | Number { .. } => self.special(Nan),
        }
    }

    fn round_to_integral(&self, rm: RoundingMode, x: Value) -> Float {
        match x {
            Nan | Infinity { .. } => self.special(x),
            Number { negative, units } => self.fraction(rm, integer(rm, units), 1, negative),
        }
    }
}

fn sign(value: Value) -> bool {
    matches!(value, Infinity { negative: true } | Number { negative: true, .. })
}

/// The nearest integer.
fn integer(rm: RoundingMode, units: i128) -> i128 {
    let (floor, part) = (units.div_euclid(UNIT), units.rem_euclid(UNIT));
    let up = match rm {
        RoundingMode::Rtn => false,
        RoundingMode::Rtp => part > 0,
        RoundingMode::Rtz => units < 0 && part > 0,
        RoundingMode::Rne => 2 * part > UNIT || (2 * part == UNIT && floor % 2 != 0),
        RoundingMode::Rna => 2 * part > UNIT || (2 * part == UNIT && units > 0),
    };
    floor + i128::from(up)
}

/// The definition of the interchange format.
fn decode(bits: u32, eb: u32, sb: u32) -> Value {
    let negative = bits >> (eb + sb - 1) == 1;
    let field = bits >> (sb - 1) & ((1 << eb) - 1);
    let trailing = bits & ((1 << (sb - 1)) - 1);
    if field == (1 << eb) - 1 {
        return if trailing == 0 { Infinity { negative } } else { Nan };
    }
    let significand = if field == 0 { trailing } else { trailing | 1 << (sb - 1) };
    let bias = (1 << (eb - 1)) - 1;
    let scale = field.max(1) as i32 - bias - (sb as i32 - 1);
    let units = i128::from(significand) << (16 + scale);
    Number { negative, units: if negative { -units } else { units } }
}

fn tables() -> Vec<Table> {
    [(2, 2), (2, 3), (3, 2), (3, 4), (3, 5), (4, 3), (2, 6)].map(|(eb, sb)| Table::new(eb, sb)).into()
}

#[test]
fn binary_operations_are_rounded_exact_results() {
    for table in tables() {
        let floats = table.floats();
        for (x, &a) in floats.iter().zip(&table.values) {
            for (y, &b) in floats.iter().zip(&table.values) {
                for rm in RoundingMode::ALL {
                    assert_eq!(x.add(rm, y), table.add(rm, a, b), "{rm:?} {x:?} + {y:?}");
                    assert_eq!(x.sub(rm, &y.neg()), table.add(rm, a, b), "{rm:?} {x:?} - -{y:?}");
                    assert_eq!(x.mul(rm, y), table.mul(rm, a, b), "{rm:?} {x:?} * {y:?}");
                    assert_eq!(x.div(rm, y), table.div(rm, a, b), "{rm:?} {x:?} / {y:?}");
                }
                assert_eq!(x.rem(y), table.rem(a, b), "{x:?} rem {y:?}");
            }
        }
    }
}

/// The number of triples on which a fused multiply-add is wrong.
fn fma_mistakes(table: &Table, fma: impl Fn(&Float, RoundingMode, &Float, &Float) -> Float) -> usize {
    let floats = table.floats();
    let mut mistakes = 0;
    for (x, &a) in floats.iter().zip(&table.values) {
        for (y, &b) in floats.iter().zip(&table.values) {
            for (z, &c) in floats.iter().zip(&table.values) {
                for rm in RoundingMode::ALL {
                    mistakes += usize::from(fma(x, rm, y, z) != table.fma(rm, a, b, c));
                }
            }
        }
    }
    mistakes
}

#[test]
fn fused_multiply_add_rounds_once() {
    for (eb, sb) in [(2, 2), (2, 3), (3, 3), (2, 4)] {
        assert_eq!(fma_mistakes(&Table::new(eb, sb), Float::fma), 0, "({eb}, {sb})");
    }
    let twice = |x: &Float, rm, y: &Float, z: &Float| x.mul(rm, y).add(rm, z);
    assert!(fma_mistakes(&Table::new(2, 3), twice) > 0, "rounding twice is caught");
}

#[test]
fn unary_operations_are_rounded_exact_results() {
    for table in tables() {
        for (x, &a) in table.floats().iter().zip(&table.values) {
            for rm in RoundingMode::ALL {
                assert_eq!(x.sqrt(rm), table.sqrt(rm, a), "{rm:?} sqrt {x:?}");
                assert_eq!(x.round_to_integral(rm), table.round_to_integral(rm, a), "{rm:?} {x:?}");
                for width in [1, 2, 3, 7] {
                    let integer = if let Number { units, .. } = a { Some(integer(rm, units)) } else { None };
                    let unsigned = integer.filter(|integer| (0..1 << width).contains(integer));
                    assert_eq!(x.to_ubv(rm, width), unsigned.map(|integer| UBig::from(integer as u128)));
                    let half = 1i128 << (width - 1);
                    let signed = integer.filter(|integer| (-half..half).contains(integer));
                    let signed = signed.map(|integer| UBig::from(integer.rem_euclid(2 * half) as u128));
                    assert_eq!(x.to_sbv(rm, width), signed, "{rm:?} {width} {x:?}");
                }
            }
        }
    }
}

#[test]
fn reals_and_conversions_are_rounded_exact_values() {
    for table in tables() {
        for rm in RoundingMode::ALL {
            for (dividend, divisor) in (-70..=70).flat_map(|a| (1..40).map(move |b| (a, b))) {
                let real = RBig::from_parts(IBig::from(dividend), UBig::from(divisor as u128));
                let want = table.fraction(rm, dividend, divisor, false);
                assert_eq!(Float::from_real(rm, &real, table.format), want, "{rm:?} {real}");
                if divisor == 1 {
                    assert_eq!(Float::from_int(rm, &dividend.into(), table.format), want);
                }
            }
            for source in tables() {
                for (x, &a) in source.floats().iter().zip(&source.values) {
                    let want = match a {
                        Number { negative, units } => table.fraction(rm, units, UNIT, negative),
                        Nan | Infinity { .. } => table.special(a),
                    };
                    assert_eq!(x.convert(rm, table.format), want, "{rm:?} {x:?}");
                    let real = match a {
                        Number { units, .. } => {
                            Some(RBig::from_parts(units.into(), UBig::from(UNIT as u128)))
                        }
                        Nan | Infinity { .. } => None,
                    };
                    assert_eq!(x.to_real(), real, "{x:?}");
                }
            }
        }
    }
}

#[test]
fn comparisons_follow_the_values() {
    for table in tables() {
        let floats = table.floats();
        for (x, &a) in floats.iter().zip(&table.values) {
            for (y, &b) in floats.iter().zip(&table.values) {
                let key = |value| match value {
                    Nan => None,
                    Infinity { negative } => Some(if negative { i128::MIN } else { i128::MAX }),
                    Number { units, .. } => Some(units),
                };
                let order = key(a).zip(key(b)).map(|(a, b)| a.cmp(&b));
                let want = [
                    order.is_some_and(Ordering::is_eq),
                    order.is_some_and(Ordering::is_lt),
                    order.is_some_and(Ordering::is_le),
                ];
                assert_eq!([x.ieee_eq(y), x.lt(y), x.le(y)], want, "{x:?} {y:?}");
                assert_eq!([x.gt(y), x.ge(y)], [y.lt(x), y.le(x)]);
                assert_eq!(x == y, a == b, "structural equality {x:?} {y:?}");
            }
        }
    }
}
