//! What is true of a result before anybody computes it: classes, signs and ranges of quotients, roots, remainders and fused
//! sums. The engine tries with these first, and adds the circuit of an application where they do not decide.

use super::compare::{Class, class};
use super::shift::{int, sign_extend};
use super::value::{magnitude, sign, unpack};
use super::{Call, Mode};
use crate::blast::aig::{Aig, Bit};
use crate::blast::words::{self, Word};
use smt::{Float, Format, Op, RoundingMode};

/// Facts about an application and its result, each true whatever the arguments are.
pub(in crate::blast) fn facts(aig: &mut Aig, call: &Call<'_>, result: &[Bit]) -> Vec<Bit> {
    let Call { format, args, .. } = *call;
    let mut facts = Facts { aig, format, result, class: None, all: Vec::new() };
    match call.op {
        Op::FpDiv => facts.quotient(&args[1], &args[2]),
        Op::FpSqrt => facts.root(&args[1]),
        Op::FpRem => facts.remainder(&args[0], &args[1]),
        Op::FpFma => facts.fused(Mode::of_word(&args[0]), &args[1], &args[2], &args[3]),
        other => unreachable!("{other:?} is computed at once"),
    }
    facts.all
}

struct Facts<'a> {
    aig: &'a mut Aig,
    format: Format,
    result: &'a [Bit],
    class: Option<Class>,
    all: Vec<Bit>,
}

impl Facts<'_> {
    fn of(&mut self, word: &[Bit]) -> Class {
        class(self.aig, self.format, word)
    }

    /// The class of the result.
    fn own(&mut self) -> &Class {
        let (aig, format, result) = (&mut *self.aig, self.format, self.result);
        self.class.get_or_insert_with(|| class(aig, format, result))
    }

    fn iff(&mut self, a: Bit, b: Bit) {
        let differ = self.aig.xor(a, b);
        self.all.push(!differ);
    }

    /// If all premises hold, so does the conclusion.
    fn implies(&mut self, premises: &[Bit], conclusion: Bit) {
        let all = self.aig.and_all(premises);
        let counterexample = self.aig.and(all, !conclusion);
        self.all.push(!counterexample);
    }

    fn both(&mut self, a: Bit, b: Bit) -> Bit {
        self.aig.and(a, b)
    }

    fn either(&mut self, a: Bit, b: Bit) -> Bit {
        self.aig.or(a, b)
    }

    /// `|a| <= |b|`, by encodings: right for all but NaN.
    fn at_most(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        !words::less(self.aig, magnitude(b), magnitude(a))
    }

    fn one(&self) -> Word {
        super::word_of(&Float::one(self.format, false))
    }

    fn quotient(&mut self, a: &[Bit], b: &[Bit]) {
        let (x, y) = (self.of(a), self.of(b));
        let nothing = self.either(x.zero, y.infinite);
        let boundless = self.either(x.infinite, y.zero);
        let undetermined = self.both(nothing, boundless);
        let number = self.aig.and_all(&[!x.nan, !y.nan, !undetermined]);
        let own_nan = self.own().nan;
        self.iff(own_nan, !number);
        let differ = self.aig.xor(sign(a), sign(b));
        let result = self.result.to_vec();
        let same_sign = !self.aig.xor(sign(&result), differ);
        self.implies(&[number], same_sign);
        let (own_zero, own_infinite) = (self.own().zero, self.own().infinite);
        self.implies(&[number, nothing], own_zero);
        self.implies(&[number, boundless], own_infinite);
        // Dividing by one or more brings nearer to zero, by one or less farther from it.
        let one = self.one();
        let (up, down) = (self.at_most(&one, b), self.at_most(b, &one));
        let (shrinks, grows) = (self.at_most(&result, a), self.at_most(a, &result));
        self.implies(&[number, up], shrinks);
        self.implies(&[number, down], grows);
        // A quotient of numbers is at least one as soon as the dividend is no smaller.
        let (at_least, at_most) = (self.at_most(b, a), self.at_most(a, b));
        let (above, below) = (self.at_most(&one, &result), self.at_most(&result, &one));
        self.implies(&[number, at_least], above);
        self.implies(&[number, at_most], below);
        // The exponent is the difference of exponents, or one less; rounding may make it one more again.
        let plain = self.aig.and_all(&[number, !nothing, !boundless]);
        let normal = self.own().normal;
        let [p, q, r] = [a, b, &result].map(|word| unpack(self.aig, self.format, word).exponent);
        let width = p.len() + 2;
        let [p, q, r] = [p, q, r].map(|e| sign_extend(&e, width));
        let difference = words::sub(self.aig, &p, &q);
        let least = words::sub(self.aig, &difference, &int(1, width));
        let too_low = words::signed_less(self.aig, &r, &least);
        let too_high = words::signed_less(self.aig, &difference, &r);
        // Where precision ends, rounding goes farther: up to the smallest normal number, down to the largest.
        let field = super::value::field(self.format, &result);
        let smallest = words::equal(self.aig, field, &int(1, field.len()));
        let largest = words::equal(self.aig, field, &int(-2, field.len()));
        self.implies(&[plain, normal, !largest], !too_low);
        self.implies(&[plain, normal, !smallest], !too_high);
    }

    fn root(&mut self, a: &[Bit]) {
        let x = self.of(a);
        let below = self.both(sign(a), !x.zero);
        let nan = self.either(x.nan, below);
        let result = self.result.to_vec();
        let (own_nan, own_infinite, own_zero) = (self.own().nan, self.own().infinite, self.own().zero);
        self.iff(own_nan, nan);
        let same_sign = !self.aig.xor(sign(&result), sign(a));
        self.implies(&[!nan], same_sign);
        let infinite = self.both(x.infinite, !sign(a));
        self.iff(own_infinite, infinite);
        self.iff(own_zero, x.zero);
        // Roots are nearer to one.
        let one = self.one();
        let (up, down) = (self.at_most(&one, a), self.at_most(a, &one));
        let (shrinks, grows) = (self.at_most(&result, a), self.at_most(a, &result));
        let (above, under) = (self.at_most(&one, &result), self.at_most(&result, &one));
        self.implies(&[!nan, up], shrinks);
        self.implies(&[!nan, up], above);
        self.implies(&[!nan, down], grows);
        self.implies(&[!nan, down], under);
        // The exponent is half of the argument's, rounded down; rounding may make it one more.
        let [p, r] = [a, &result].map(|word| unpack(self.aig, self.format, word).exponent);
        let mut half = p[1..].to_vec();
        half.push(words::sign(&p));
        let more = words::add(self.aig, &half, &int(1, half.len()), Bit::FALSE).0;
        let same = words::equal(self.aig, &r, &half);
        let next = words::equal(self.aig, &r, &more);
        let one_of_them = self.either(same, next);
        self.implies(&[!nan, !infinite, !x.zero], one_of_them);
    }

    fn remainder(&mut self, a: &[Bit], b: &[Bit]) {
        let (x, y) = (self.of(a), self.of(b));
        let nan = !self.aig.and_all(&[!x.nan, !y.nan, !x.infinite, !y.zero]);
        let result = self.result.to_vec();
        let (own_nan, own_infinite, own_zero) = (self.own().nan, self.own().infinite, self.own().zero);
        self.iff(own_nan, nan);
        self.all.push(!own_infinite);
        let itself = words::equal(self.aig, &result, a);
        let unchanged = self.either(x.zero, y.infinite);
        self.implies(&[!nan, unchanged], itself);
        let (within, under) = (self.at_most(&result, b), self.at_most(&result, a));
        self.implies(&[!nan], within);
        let same_sign = !self.aig.xor(sign(&result), sign(a));
        self.implies(&[!nan, own_zero], same_sign);
        // No farther from zero than the dividend, and the dividend itself if that is less than half of the divisor.
        self.implies(&[!nan], under);
        let [p, q] = [a, b].map(|word| unpack(self.aig, self.format, word).exponent);
        let width = p.len() + 1;
        let (p, q) = (sign_extend(&p, width), sign_extend(&q, width));
        let next = words::add(self.aig, &p, &int(1, width), Bit::FALSE).0;
        let far = words::signed_less(self.aig, &next, &q);
        self.implies(&[!nan, !x.zero, !y.infinite, far], itself);
        // At most half of the divisor.
        let [r, d] = [&result, b].map(|word| unpack(self.aig, self.format, word));
        let twice = words::add(self.aig, &sign_extend(&r.exponent, width), &int(1, width), Bit::FALSE).0;
        let less = words::signed_less(self.aig, &twice, &q);
        let same = words::equal(self.aig, &twice, &q);
        let no_more = !words::less(self.aig, &d.significand, &r.significand);
        let level = self.both(same, no_more);
        let half = self.either(less, level);
        self.implies(&[!nan, !own_zero, !y.infinite], half);
    }

    fn fused(&mut self, mode: Mode, a: &[Bit], b: &[Bit], c: &[Bit]) {
        let (x, y, z) = (self.of(a), self.of(b), self.of(c));
        let result = self.result.to_vec();
        let product_sign = self.aig.xor(sign(a), sign(b));
        let subtract = self.aig.xor(product_sign, sign(c));
        let boundless = self.either(x.infinite, y.infinite);
        let nothing = self.either(x.zero, y.zero);
        let undetermined = self.both(boundless, nothing);
        let opposite = self.aig.and_all(&[boundless, z.infinite, subtract]);
        let nan = !self.aig.and_all(&[!x.nan, !y.nan, !z.nan, !undetermined, !opposite]);
        let (own_nan, own_infinite, own_zero) = (self.own().nan, self.own().infinite, self.own().zero);
        self.iff(own_nan, nan);
        self.implies(&[!nan, boundless], own_infinite);
        self.implies(&[!nan, z.infinite], own_infinite);
        let of_product = !self.aig.xor(sign(&result), product_sign);
        let of_addend = !self.aig.xor(sign(&result), sign(c));
        self.implies(&[!nan, boundless], of_product);
        self.implies(&[!nan, z.infinite], of_addend);
        self.implies(&[!nan, !subtract], of_product);
        // A product of zero changes nothing, but for the sign of a zero.
        let itself = words::equal(self.aig, &result, c);
        self.implies(&[!nan, nothing, !z.zero], itself);
        self.implies(&[!nan, nothing, z.zero], own_zero);
        let down = mode.is(self.aig, RoundingMode::Rtn);
        let cancelled = !self.aig.xor(sign(&result), down);
        self.implies(&[!nan, nothing, z.zero, subtract], cancelled);
        // A product of the addend's sign makes it larger, and the other one smaller or of the other sign.
        let grows = self.at_most(c, &result);
        self.implies(&[!nan, !subtract], grows);
        let shrinks = self.at_most(&result, c);
        self.implies(&[!nan, !boundless, subtract, of_addend, !own_zero], shrinks);
    }
}
