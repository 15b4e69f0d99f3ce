//! Rules for strings and regular membership. The paper's rows that do not hold are absent or corrected: nothing orders a
//! suffix or an infix before its whole, and two prefixes of one string need not be equal.

use super::{Atom, Rule, SortClass, both_equal, either_side, not_both_equal, rules, swap_symbol, through};
use crate::approx::build::Build;
use crate::approx::direction::Direction;
use smt::{Op, TermId};

rules! { ORDER:
    "str-lt-le" StrLt String Over |b, a| swap_symbol(b, Op::StrLe, a);
    "str-lt-distinct" StrLt String Over |b, a| swap_symbol(b, Op::Distinct, a);
    "str-lt-between" StrLt String Over |b, a| either_side(b, Op::StrLt, Op::StrLt, a);
    "str-lt-longer" StrLt String Under |b, a| { let x = longer(b, a.x)?; b.app(Op::StrLe, &[x, a.y]) };
    "str-lt-through" StrLt String Under |b, a| through(b, Op::StrLt, Op::StrLe, a);
    "str-le-longer" StrLe String Over |b, a| { let y = longer(b, a.y)?; b.app(Op::StrLt, &[a.x, y]) };
    "str-le-between" StrLe String Over |b, a| either_side(b, Op::StrLe, Op::StrLt, a);
    "str-le-eq" StrLe String Under |b, a| swap_symbol(b, Op::Eq, a);
    "str-le-lt" StrLe String Under |b, a| swap_symbol(b, Op::StrLt, a);
    "str-le-through" StrLe String Under |b, a| through(b, Op::StrLe, Op::StrLe, a);
    "str-prefix-le" StrPrefixOf String Over |b, a| swap_symbol(b, Op::StrLe, a);
    "str-prefix-contains" StrPrefixOf String Over |b, a| b.app(Op::StrContains, &[a.y, a.x]);
    "str-prefix-length" StrPrefixOf String Over |b, a| lengths(b, Op::Le, a);
    "str-prefix-concat" StrPrefixOf String Under |b, a| {
        let rest = b.string_constant(0);
        let whole = b.app(Op::StrConcat, &[a.x, rest])?;
        b.app(Op::Eq, &[a.y, whole])
    };
    "str-prefix-eq" StrPrefixOf String Under |b, a| swap_symbol(b, Op::Eq, a);
    "str-suffix-contains" StrSuffixOf String Over |b, a| b.app(Op::StrContains, &[a.y, a.x]);
    "str-suffix-length" StrSuffixOf String Over |b, a| lengths(b, Op::Le, a);
    "str-suffix-concat" StrSuffixOf String Under |b, a| {
        let front = b.string_constant(0);
        let whole = b.app(Op::StrConcat, &[front, a.x])?;
        b.app(Op::Eq, &[a.y, whole])
    };
    "str-suffix-eq" StrSuffixOf String Under |b, a| swap_symbol(b, Op::Eq, a);
    "str-contains-length" StrContains String Over |b, a| lengths(b, Op::Ge, a);
    "str-contains-longer" StrContains String Over |b, a| { let x = longer(b, a.x)?; b.app(Op::StrContains, &[x, a.y]) };
    "str-contains-suffix" StrContains String Under |b, a| b.app(Op::StrSuffixOf, &[a.y, a.x]);
    "str-contains-prefix" StrContains String Under |b, a| b.app(Op::StrPrefixOf, &[a.y, a.x]);
    "str-contains-eq" StrContains String Under |b, a| swap_symbol(b, Op::Eq, a);
    "str-eq-suffix" Eq String Over |b, a| swap_symbol(b, Op::StrSuffixOf, a);
    "str-eq-prefix" Eq String Over |b, a| swap_symbol(b, Op::StrPrefixOf, a);
    "str-eq-contains" Eq String Over |b, a| swap_symbol(b, Op::StrContains, a);
    "str-eq-le" Eq String Over |b, a| swap_symbol(b, Op::StrLe, a);
    "str-eq-length" Eq String Over |b, a| lengths(b, Op::Eq, a);
    "str-eq-concat" Eq String Over concatenated;
    "str-eq-concat-under" Eq String Under concatenated;
    "str-eq-constant" Eq String Under |b, a| both_equal(b, Op::Eq, a);
    "str-eq-mutual-prefix" Eq String Under |b, a| {
        let (xy, yx) = (b.app(Op::StrPrefixOf, &[a.x, a.y])?, b.app(Op::StrPrefixOf, &[a.y, a.x])?);
        Some(b.and(xy, yx))
    };
    "str-distinct-constant" Distinct String Over |b, a| not_both_equal(b, Op::Eq, a);
    "str-distinct-lt" Distinct String Under |b, a| swap_symbol(b, Op::StrLt, a);
    "str-distinct-gt" Distinct String Under |b, a| b.app(Op::StrLt, &[a.y, a.x]);
    "str-digit-from-zero" StrIsDigit String Over |b, a| { let zero = b.terms.string("0"); b.app(Op::StrLe, &[zero, a.x]) };
    "str-digit-to-nine" StrIsDigit String Over |b, a| { let nine = b.terms.string("9"); b.app(Op::StrLe, &[a.x, nine]) };
    "str-digit-range" StrIsDigit String Over digit_range;
    "str-digit-range-under" StrIsDigit String Under digit_range;
    "str-digit-constant" StrIsDigit String Under |b, a| {
        let digit = b.rng.below(10).to_string();
        let digit = b.terms.string(&digit);
        b.app(Op::Eq, &[a.x, digit])
    };
}

rules! { REGEX:
    "re-member-union" StrInRe String Over |b, a| { let s = language(b)?; member(b, a, Op::ReUnion, &[a.y, s]) };
    "re-member-star" StrInRe String Over |b, a| member(b, a, Op::ReStar, &[a.y]);
    "re-member-option" StrInRe String Over |b, a| member(b, a, Op::ReOpt, &[a.y]);
    "re-member-followed" StrInRe String Over |b, a| { let all = b.app(Op::ReAll, &[])?; member(b, a, Op::ReConcat, &[a.y, all]) };
    "re-member-preceded" StrInRe String Over |b, a| { let all = b.app(Op::ReAll, &[])?; member(b, a, Op::ReConcat, &[all, a.y]) };
    "re-member-one-of-inter" StrInRe String Over |b, a| one_part(b, a, Op::ReInter);
    "re-member-word" StrInRe String Over word;
    "re-member-inter" StrInRe String Under |b, a| { let s = language(b)?; member(b, a, Op::ReInter, &[a.y, s]) };
    "re-member-diff" StrInRe String Under |b, a| { let s = language(b)?; member(b, a, Op::ReDiff, &[a.y, s]) };
    "re-member-one-of-union" StrInRe String Under |b, a| one_part(b, a, Op::ReUnion);
    "re-member-inside" StrInRe String Under inside;
    "re-member-word-under" StrInRe String Under word;
}

/// A string followed by one or more characters.
fn longer(b: &mut Build<'_>, string: TermId) -> Option<TermId> {
    let more = b.string_constant(1);
    b.app(Op::StrConcat, &[string, more])
}

/// The lengths compared, where there may be integers.
fn lengths(b: &mut Build<'_>, op: Op, atom: Atom) -> Option<TermId> {
    if !b.fragment.integers {
        return None;
    }
    let (x, y) = (b.app(Op::StrLen, &[atom.x])?, b.app(Op::StrLen, &[atom.y])?);
    b.app(op, &[x, y])
}

/// `(= (str.++ a x) (str.++ a y))` for a random constant, which is equivalent.
fn concatenated(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let front = b.string_constant(1);
    let (x, y) = (b.app(Op::StrConcat, &[front, atom.x])?, b.app(Op::StrConcat, &[front, atom.y])?);
    b.app(Op::Eq, &[x, y])
}

fn digit_range(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let (zero, nine) = (b.terms.string("0"), b.terms.string("9"));
    let digits = b.app(Op::ReRange, &[zero, nine])?;
    b.app(Op::StrInRe, &[atom.x, digits])
}

/// Membership in a language made from others.
fn member(b: &mut Build<'_>, atom: Atom, op: Op, parts: &[TermId]) -> Option<TermId> {
    let language = b.app(op, parts)?;
    b.app(Op::StrInRe, &[atom.x, language])
}

/// Membership in one part of a union or intersection.
fn one_part(b: &mut Build<'_>, atom: Atom, op: Op) -> Option<TermId> {
    if b.terms.op(atom.y) != op {
        return None;
    }
    let at = b.rng.below(b.terms.args(atom.y).len());
    let part = b.terms.args(atom.y)[at];
    b.app(Op::StrInRe, &[atom.x, part])
}

/// Membership in what is repeated or optional.
fn inside(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    if !matches!(b.terms.op(atom.y), Op::ReStar | Op::RePlus | Op::ReOpt) {
        return None;
    }
    let part = b.terms.args(atom.y)[0];
    b.app(Op::StrInRe, &[atom.x, part])
}

/// Membership in the language of one word is equality.
fn word(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    if b.terms.op(atom.y) != Op::StrToRe {
        return None;
    }
    let word = b.terms.args(atom.y)[0];
    b.app(Op::Eq, &[atom.x, word])
}

/// A small regular expression.
pub(in crate::approx) fn language(b: &mut Build<'_>) -> Option<TermId> {
    let base = if b.rng.one_in(2) {
        let (low, high) = b.rng.pick(&[("a", "z"), ("0", "9"), ("A", "F"), (" ", "~")]);
        let (low, high) = (b.terms.string(low), b.terms.string(high));
        b.app(Op::ReRange, &[low, high])?
    } else {
        let word = b.string_constant(1);
        b.app(Op::StrToRe, &[word])?
    };
    match b.rng.below(4) {
        0 => b.app(Op::ReStar, &[base]),
        1 => b.app(Op::RePlus, &[base]),
        2 => b.app(Op::ReComp, &[base]),
        _ => Some(base),
    }
}
