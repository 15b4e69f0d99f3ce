//! Arithmetic operators: linear ones directly, the others by their defining axioms over fresh variables.

use super::{Encoding, Meaning};
use crate::engine::Reason;
use crate::linear::affine::Affine;
use crate::simplex::Var;
use crate::simplex::num::Rational;
use crate::tuning::linear_encode_arith::MAX_BITS;
use smt::{Op, SortId, TermId, Terms};

impl Encoding {
    pub(super) fn arithmetic(&mut self, terms: &Terms, term: TermId) -> Result<Meaning, Reason> {
        let args = terms.args(term);
        let is_int = terms.sort(term) == SortId::INT;
        let number = match terms.op(term) {
            Op::Neg => self.number(args[0])?.scaled(&Rational::MINUS_ONE),
            Op::Add => self.weighted_sum(args, Rational::ONE)?,
            Op::Sub => self.weighted_sum(args, Rational::MINUS_ONE)?,
            Op::Mul => self.product(args, is_int)?,
            Op::ToReal => self.number(args[0])?.clone(),
            Op::Div => self.division(args)?,
            Op::IntDiv => self.int_division(args)?,
            Op::Mod => self.modulo(args)?,
            Op::Abs => self.absolute(args[0], is_int)?,
            Op::Power | Op::Pow2 | Op::IntAnd | Op::IntAndOf => self.unknown(is_int),
            Op::ToInt => {
                let number = self.number(args[0])?.clone();
                self.integer_part(&number)
            }
            Op::IsInt => {
                let number = self.number(args[0])?.clone();
                let part = self.integer_part(&number);
                return Ok(Meaning::Truth(self.is_zero(&number.minus(&part))));
            }
            Op::Divisible => {
                let number = self.number(args[0])?.clone();
                let divisor = Rational::from(i64::from(terms.indices(term)[0]));
                let rest = if divisor.is_zero() { number } else { self.remainder(&number, &divisor) };
                return Ok(Meaning::Truth(self.is_zero(&rest)));
            }
            _ => return Err(Reason::Unsupported),
        };
        Ok(Meaning::Number(number))
    }

    /// The first operand plus `factor` times each of the others.
    fn weighted_sum(&self, args: &[TermId], factor: Rational) -> Result<Affine, Reason> {
        let mut parts = Vec::with_capacity(args.len());
        for (position, &arg) in args.iter().enumerate() {
            let factor = if position == 0 { Rational::ONE } else { factor.clone() };
            parts.push((self.number(arg)?, factor));
        }
        Ok(Affine::sum(parts))
    }

    fn product(&mut self, args: &[TermId], is_int: bool) -> Result<Affine, Reason> {
        let mut factor = Rational::ONE;
        let mut others = Vec::new();
        for &arg in args {
            match self.number(arg)?.as_constant() {
                // Nested squares of constants would fill the memory with one number.
                Some(constant) if factor.bits() + constant.bits() > MAX_BITS => {
                    return Ok(self.unknown(is_int));
                }
                Some(constant) => factor *= constant,
                None => others.push(arg),
            }
        }
        others.sort_unstable();
        Ok(match others[..] {
            _ if factor.is_zero() => Affine::default(),
            [] => Affine::constant(factor),
            [only] => self.number(only)?.scaled(&factor),
            [first, second] => self.product_of_two(first, second, is_int).scaled(&factor),
            _ => self.unknown(is_int).scaled(&factor),
        })
    }

    fn product_of_two(&mut self, a: TermId, b: TermId, is_int: bool) -> Affine {
        if let Some(&var) = self.products.get(&(a, b)) {
            return Affine::var(var);
        }
        self.exact = false;
        let var = self.simplex.add_var(is_int);
        self.products.insert((a, b), var);
        Affine::var(var)
    }

    /// A number of which nothing is known, where the query says more.
    fn unknown(&mut self, is_int: bool) -> Affine {
        self.exact = false;
        Affine::var(self.simplex.add_var(is_int))
    }

    fn division(&mut self, args: &[TermId]) -> Result<Affine, Reason> {
        let mut quotient = self.number(args[0])?.clone();
        for &arg in &args[1..] {
            quotient = match self.number(arg)?.as_constant().and_then(Rational::recip) {
                Some(factor) => quotient.scaled(&factor),
                None => self.unknown(false),
            };
        }
        Ok(quotient)
    }

    fn int_division(&mut self, args: &[TermId]) -> Result<Affine, Reason> {
        let mut quotient = self.number(args[0])?.clone();
        for &arg in &args[1..] {
            quotient = match self.divisor(arg)? {
                Some(divisor) => self.quotient(&quotient, &divisor),
                None => self.unknown(true),
            };
        }
        Ok(quotient)
    }

    fn modulo(&mut self, args: &[TermId]) -> Result<Affine, Reason> {
        let dividend = self.number(args[0])?.clone();
        Ok(match self.divisor(args[1])? {
            Some(divisor) => self.remainder(&dividend, &divisor),
            None => self.unknown(true),
        })
    }

    /// A divisor that is a constant other than zero.
    fn divisor(&self, term: TermId) -> Result<Option<Rational>, Reason> {
        Ok(self.number(term)?.as_constant().filter(|divisor| !divisor.is_zero()).cloned())
    }

    /// SMT-LIB's `div`: the integer `q` with `0 <= dividend - divisor * q < |divisor|`.
    fn quotient(&mut self, dividend: &Affine, divisor: &Rational) -> Affine {
        if let Some(constant) = dividend.as_constant() {
            let exact = constant / divisor;
            return Affine::constant(if divisor.is_positive() { exact.floor() } else { exact.ceil() });
        }
        let key = (dividend.clone(), divisor.clone());
        if let Some(&var) = self.quotients.get(&key) {
            return Affine::var(var);
        }
        let quotient = self.simplex.add_var(true);
        self.quotients.insert(key, quotient);
        let rest = Affine::sum([(dividend, Rational::ONE), (&Affine::var(quotient), -divisor)]);
        let excess = rest.minus(&Affine::constant(divisor.abs()));
        let bounds = [self.at_least_zero(&rest), !self.at_least_zero(&excess)];
        self.axioms.extend(bounds);
        Affine::var(quotient)
    }

    fn remainder(&mut self, dividend: &Affine, divisor: &Rational) -> Affine {
        let quotient = self.quotient(dividend, divisor);
        Affine::sum([(dividend, Rational::ONE), (&quotient, -divisor)])
    }

    /// The greatest integer that is not above a number.
    fn integer_part(&mut self, number: &Affine) -> Affine {
        let integral = |(var, coeff): &(Var, Rational)| self.simplex.is_int(*var) && coeff.is_int();
        if number.form.terms().iter().all(integral) && number.constant.is_int() {
            return number.clone();
        }
        self.quotient(number, &Rational::ONE)
    }

    fn absolute(&mut self, term: TermId, is_int: bool) -> Result<Affine, Reason> {
        let number = self.number(term)?.clone();
        let negated = number.scaled(&Rational::MINUS_ONE);
        let positive = self.at_least_zero(&number);
        Ok(self.choice(positive, &number, &negated, is_int))
    }

    pub(super) fn ite(&mut self, terms: &Terms, term: TermId) -> Result<Meaning, Reason> {
        let args = terms.args(term);
        let condition = self.truth(args[0])?;
        let is_int = terms.sort(term) != SortId::REAL;
        let (then, otherwise) = (self.meaning(args[1])?.clone(), self.meaning(args[2])?.clone());
        Ok(match (then, otherwise) {
            (Meaning::Truth(a), Meaning::Truth(b)) => Meaning::Truth(self.gates.ite(condition, a, b)),
            (Meaning::Number(a), Meaning::Number(b)) => {
                Meaning::Number(self.choice(condition, &a, &b, is_int))
            }
            (Meaning::Element(a), Meaning::Element(b)) => {
                Meaning::Element(self.choice(condition, &a, &b, true))
            }
            (Meaning::Node, Meaning::Node) => {
                self.foreign_choice(term, condition, args[1], args[2])?;
                Meaning::Node
            }
            _ => return Err(Reason::Unsupported),
        })
    }
}
