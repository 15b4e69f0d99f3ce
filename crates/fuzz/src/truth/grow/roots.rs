//! Polynomial equations over reals whose solutions need not be rational. What grows from values has rational solutions, and solvers
//! have ways of their own for those that are not: an equation like `x * x = 2` is never made by choosing `x`.
//!
//! The truth comes from the intermediate value theorem. Let `y` be a continuous function of `x`, given by `q(x) * y = r(x)` with a `q`
//! that has no root between two ends. If a polynomial in `x` and `y` is negative at one end and positive at the other, it is zero
//! somewhere between them. Only the signs at the ends are computed, which are rational.

use super::assemble::Made;
use super::plot::Plot;
use super::rewrite;
use crate::case::Expectation;
use crate::tuning::truth_grow_roots::{DEGREE, ENDS, MONOMIALS, TRIES};
use smt::{Evaluator, Model, Op, SortId, TermId, Terms, Value};
use std::cmp::Ordering;

/// A system with a solution; or one with a denied copy of one of its parts, which has none.
pub(super) fn crossing(plot: &mut Plot<'_>) -> Option<Made> {
    let zero = Value::Real(0.into());
    let (x, y) = (plot.constant(SortId::REAL, zero.clone()), plot.constant(SortId::REAL, zero));
    let (ends, [divisor, dividend, crossed]) = (0..TRIES).find_map(|_| system(plot, x, y))?;
    let [low, high, zero] = [ends.0, ends.1, 0].map(|n| real(plot.terms, n));
    let product = plot.terms.mk(Op::Mul, &[divisor, y]);
    let mut assertions = vec![
        plot.terms.mk(Op::Eq, &[product, dividend]),
        plot.terms.mk(Op::Eq, &[crossed, zero]),
        plot.terms.mk(Op::Lt, &[low, x]),
    ];
    // Without a bound there are only more solutions.
    if plot.rng.one_in(2) {
        assertions.push(plot.terms.mk(Op::Lt, &[x, high]));
    }
    plot.rng.shuffle(&mut assertions);
    if !plot.rng.one_in(3) {
        return Some((assertions, Expectation::Sat, None, "crossing"));
    }
    let denied = plot.rng.pick(&assertions);
    let most = 1 + plot.rng.below(4);
    let (copy, names) = rewrite::copy(plot.terms, denied, most, plot.rng);
    if names.is_empty() {
        return None;
    }
    assertions.push(plot.terms.mk(Op::Not, &[copy]));
    Some((assertions, Expectation::Unsat { core: None }, None, "crossing denied"))
}

/// Two ends, what `y` is by `x`, and a polynomial whose signs at the ends differ.
fn system(plot: &mut Plot<'_>, x: TermId, y: TermId) -> Option<((i64, i64), [TermId; 3])> {
    let low = plot.rng.between(-ENDS, ENDS);
    let high = low + plot.rng.between(1, ENDS);
    let parts = [divisor(plot, x, low), polynomial(plot, &[x]), polynomial(plot, &[x, y])];
    let [at_low, at_high] = [low, high].map(|end| sign_at(plot.terms, (x, y), parts, end));
    let (at_low, at_high) = (at_low?, at_high?);
    (at_low != Ordering::Equal && at_low == at_high.reverse()).then_some(((low, high), parts))
}

fn real(terms: &mut Terms, number: i64) -> TermId {
    terms.constant(Value::Real(number.into()))
}

/// A polynomial in `x` that is positive from an end on: a number, a square and a number, or a line.
fn divisor(plot: &mut Plot<'_>, x: TermId, low: i64) -> TermId {
    let more = plot.rng.between(1, ENDS);
    match plot.rng.below(3) {
        0 => real(plot.terms, more),
        1 => {
            let (square, more) = (plot.terms.mk(Op::Mul, &[x, x]), real(plot.terms, more));
            plot.terms.mk(Op::Add, &[square, more])
        }
        _ => {
            let more = real(plot.terms, more - low);
            plot.terms.mk(Op::Add, &[x, more])
        }
    }
}

/// A sum of a few products of small numbers and variables, and a number.
fn polynomial(plot: &mut Plot<'_>, variables: &[TermId]) -> TermId {
    let number = plot.rng.between(-ENDS, ENDS);
    let mut sum = vec![real(plot.terms, number)];
    for _ in 0..1 + plot.rng.below(MONOMIALS) {
        let mut factors: Vec<TermId> =
            (0..1 + plot.rng.below(DEGREE)).map(|_| plot.rng.pick(variables)).collect();
        let by = plot.rng.pick(&[1, 1, 1, -1, 2]);
        if by != 1 {
            factors.insert(0, real(plot.terms, by));
        }
        sum.push(match factors[..] {
            [one] => one,
            _ => plot.terms.mk(Op::Mul, &factors),
        });
    }
    plot.rng.shuffle(&mut sum);
    plot.terms.mk(Op::Add, &sum)
}

/// The sign of the last of three polynomials at an end, where `y` is the second by the first.
fn sign_at(
    terms: &Terms,
    (x, y): (TermId, TermId),
    [divisor, dividend, crossed]: [TermId; 3],
    end: i64,
) -> Option<Ordering> {
    let mut model = Model::default();
    model.set(terms.as_fun(x)?, Value::Real(end.into()));
    let number = |model: &Model, term| match Evaluator::new(terms, model).eval(term) {
        Ok(Value::Real(number)) => Some(number),
        _ => None,
    };
    let (by, of) = (number(&model, divisor)?, number(&model, dividend)?);
    debug_assert!(by > 0.into());
    model.set(terms.as_fun(y)?, Value::Real(of / by));
    Some(number(&model, crossed)?.cmp(&0.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::grow::themes::Theme;
    use random::Rng;

    /// `y = x * x` and `y - 2` crosses zero between 1 and 2, but not between 2 and 3.
    #[test]
    fn signs_are_those_of_the_function() {
        let mut terms = Terms::new();
        let mut rng = Rng::new(1);
        let theme = Theme::by_name("roots").expect("a row");
        let mut plot = Plot::new(&mut terms, theme, &mut rng);
        let zero = Value::Real(0.into());
        let (x, y) = (plot.constant(SortId::REAL, zero.clone()), plot.constant(SortId::REAL, zero));
        let (two, half) = (real(plot.terms, 2), real(plot.terms, 2));
        let square = plot.terms.mk(Op::Mul, &[half, x, x]);
        let crossed = plot.terms.mk(Op::Sub, &[y, two]);
        let sign = |end| sign_at(plot.terms, (x, y), [two, square, crossed], end);
        assert_eq!([sign(1), sign(2)], [Some(Ordering::Less), Some(Ordering::Greater)]);
        assert_eq!(sign(3), Some(Ordering::Greater));
    }
}
