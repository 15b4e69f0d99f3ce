//! Languages whose words are terms, where what the terms are follows from another assertion. A solver that expands such a language
//! before it knows the term, or that forgets what it knew it by, goes wrong here; random formulas seldom have the two parts that
//! belong together.
//!
//! - A word `s` is in the plus, the star and other languages of `t`, if `t` is `s` with a part replaced by a constant and the constant
//!   is asserted to be that part. Denying it leaves nothing.
//! - If `s` is asserted to be a literal, then whether a word is in a language of `s` is found by evaluation.

use super::assemble::Made;
use super::plot::Plot;
use crate::case::Expectation;
use crate::truth::operators::values::literal;
use crate::tuning::truth_grow_members::LONGEST;
use smt::walk::reachable;
use smt::{Evaluator, Op, SortId, TermId, TermMap, Terms, Value};

/// A language that has every word of the first one; the second is any other.
type Wider = fn(&mut Terms, TermId, TermId) -> TermId;

/// The table of such languages.
static WIDER: &[Wider] = &[
    |_, of, _| of,
    |terms, of, _| terms.mk(Op::RePlus, &[of]),
    |terms, of, _| terms.mk(Op::ReStar, &[of]),
    |terms, of, _| terms.mk(Op::ReOpt, &[of]),
    |terms, of, other| terms.mk(Op::ReUnion, &[of, other]),
    |terms, of, other| {
        let any = terms.mk(Op::ReStar, &[other]);
        terms.mk(Op::ReConcat, &[any, of])
    },
    |terms, of, _| {
        let all = terms.mk(Op::ReAll, &[]);
        terms.mk(Op::ReInter, &[all, of])
    },
    |terms, of, _| {
        let without = terms.mk(Op::ReComp, &[of]);
        terms.mk(Op::ReComp, &[without])
    },
];

/// A formula by one of the two laws.
pub(super) fn membership(plot: &mut Plot<'_>) -> Option<Made> {
    let is_word = |plot: &Plot<'_>, term: TermId| plot.terms.sort(term) == SortId::STRING;
    let words: Vec<(TermId, Value)> =
        plot.grown.iter().filter(|(term, _)| is_word(plot, *term)).cloned().collect();
    let (word, value) = plot.rng.choose(&words)?;
    if plot.rng.one_in(2) { of_itself(plot, word) } else { of_literal(plot, word, &value) }
}

/// A wider language of a word.
fn language(plot: &mut Plot<'_>, word: TermId) -> TermId {
    let other = plot.language();
    let of = plot.terms.mk(Op::StrToRe, &[word]);
    (plot.rng.pick(WIDER))(plot.terms, of, other)
}

/// The first law.
fn of_itself(plot: &mut Plot<'_>, word: TermId) -> Option<Made> {
    let sorts = [SortId::INT, SortId::STRING];
    let parts: Vec<TermId> =
        reachable(plot.terms, &[word]).into_iter().filter(|&t| sorts.contains(&plot.terms.sort(t))).collect();
    let part = plot.rng.choose(&parts)?;
    let (instead, link) = replacement(plot, part)?;
    let copy = plot.terms.substitute(&[word], &TermMap::from_iter([(part, instead)]))[0];
    let language = language(plot, copy);
    let inside = plot.terms.mk(Op::StrInRe, &[word, language]);
    if plot.rng.one_in(4) {
        let model = plot.model.clone();
        let mut evaluator = Evaluator::new(plot.terms, &model);
        let holds = [inside, link].iter().all(|&a| evaluator.truth(a) == Ok(true));
        return holds.then_some((vec![inside, link], Expectation::Sat, Some(model), "word of itself"));
    }
    let outside = plot.terms.mk(Op::Not, &[inside]);
    Some((either_first(plot, outside, link), Expectation::Unsat { core: None }, None, "word outside itself"))
}

/// What stands for a part of a word, and the assertion that it is that part: a constant, or the length of one.
fn replacement(plot: &mut Plot<'_>, part: TermId) -> Option<(TermId, TermId)> {
    let value = Evaluator::new(plot.terms, &plot.model).eval(part).ok()?;
    let length = match &value {
        Value::Int(number) => usize::try_from(number.clone()).ok().filter(|&length| length <= LONGEST),
        _ => None,
    };
    let instead = match length {
        Some(length) if plot.rng.one_in(2) => {
            let text = plot.terms.string(&"a".repeat(length));
            let text = plot.terms.as_value(text)?.clone();
            let of = plot.constant(SortId::STRING, text);
            plot.terms.mk(Op::StrLen, &[of])
        }
        _ => {
            let sort = plot.terms.sort(part);
            plot.constant(sort, value)
        }
    };
    Some((instead, plot.terms.mk(Op::Eq, &[instead, part])))
}

/// The second law: what a word is asserted to be decides.
fn of_literal(plot: &mut Plot<'_>, word: TermId, value: &Value) -> Option<Made> {
    let is = match plot.rng.below(3) {
        0 => literal(plot.terms, value),
        1 => plot.terms.string(""),
        _ => {
            let text = plot.rng.pick(&["a", "b", "ab", "0"]);
            plot.terms.string(text)
        }
    };
    let asked = plot.rng.pick(&["", "a", "z", "ab", "aa", "00"]);
    let asked = plot.terms.string(asked);
    let link = plot.terms.mk(Op::Eq, &[word, is]);
    let wide = plot.rng.pick(WIDER);
    // No term may be left in the language beside the word.
    let other = plot.terms.mk(Op::ReAllChar, &[]);
    let [of_word, of_literal] = [word, is].map(|of| {
        let of = plot.terms.mk(Op::StrToRe, &[of]);
        let language = wide(plot.terms, of, other);
        plot.terms.mk(Op::StrInRe, &[asked, language])
    });
    let truth = Evaluator::new(plot.terms, &plot.model).truth(of_literal).ok()?;
    let wrong = if truth { plot.terms.mk(Op::Not, &[of_word]) } else { of_word };
    Some((either_first(plot, wrong, link), Expectation::Unsat { core: None }, None, "word fixed"))
}

fn either_first(plot: &mut Plot<'_>, one: TermId, other: TermId) -> Vec<TermId> {
    if plot.rng.one_in(3) { vec![other, one] } else { vec![one, other] }
}
