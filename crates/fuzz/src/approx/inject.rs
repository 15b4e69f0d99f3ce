//! Live predicate injection (Yao et al. 2021, Section 4.2.2): a random snippet over the terms that are live at a literal, by
//! Algorithm 1, for every theory. The snippet may say anything; what it may not do is leave the seed's logic.

use super::build::Build;
use super::fragment::Arithmetic;
use super::rules;
use smt::{Op, RoundingMode, Sort, SortId, TermId, Value};

/// Connectives of a snippet; `None` and `Not` take one atom, the others two.
static CONNECTIVES: &[Option<Op>] =
    &[None, Some(Op::Not), Some(Op::And), Some(Op::Or), Some(Op::Implies), Some(Op::Xor)];

static NUMBER_PREDICATES: &[Op] = &[Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Distinct];
static BITVEC_PREDICATES: &[Op] = &[
    Op::BvUlt,
    Op::BvUle,
    Op::BvUgt,
    Op::BvUge,
    Op::BvSlt,
    Op::BvSle,
    Op::BvSgt,
    Op::BvSge,
    Op::Eq,
    Op::Distinct,
];
static BITVEC_FUNCTIONS: &[Op] = &[
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvNand,
    Op::BvNor,
    Op::BvXnor,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvSmod,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
];
static FLOAT_PREDICATES: &[Op] = &[Op::FpLt, Op::FpLeq, Op::FpGt, Op::FpGeq, Op::FpEq, Op::Eq, Op::Distinct];
static FLOAT_CLASSES: &[Op] = &[
    Op::FpIsNormal,
    Op::FpIsSubnormal,
    Op::FpIsZero,
    Op::FpIsInfinite,
    Op::FpIsNaN,
    Op::FpIsNegative,
    Op::FpIsPositive,
];
static FLOAT_FUNCTIONS: &[Op] = &[Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv];
static STRING_PREDICATES: &[Op] =
    &[Op::StrLt, Op::StrLe, Op::StrPrefixOf, Op::StrSuffixOf, Op::StrContains, Op::Eq, Op::Distinct];

/// A snippet, unless nothing is live that predicates are about.
pub(crate) fn snippet(b: &mut Build<'_>) -> Option<TermId> {
    let connective = b.rng.pick(CONNECTIVES);
    let first = atom(b)?;
    match connective {
        None => Some(first),
        Some(Op::Not) => Some(b.not(first)),
        Some(op) => {
            let second = atom(b)?;
            b.app(op, &[first, second])
        }
    }
}

fn atom(b: &mut Build<'_>) -> Option<TermId> {
    let count = b.live.sorts().len();
    if count == 0 {
        return None;
    }
    let nth = b.rng.below(count);
    let sort = b.live.sorts().nth(nth).expect("a position below the count");
    match *b.terms.sort_of(sort) {
        Sort::Bool => Some(b.rng.pick(b.live.of(sort))),
        Sort::Int | Sort::Real if !b.fragment.numbers => None,
        Sort::Int | Sort::Real if b.fragment.arithmetic == Arithmetic::Difference => difference(b, sort),
        Sort::Int | Sort::Real => compare(b, NUMBER_PREDICATES, sort, number),
        Sort::BitVec(_) => compare(b, BITVEC_PREDICATES, sort, bits),
        Sort::Float(..) if b.rng.one_in(4) => {
            let class = b.rng.pick(FLOAT_CLASSES);
            let x = float(b, sort)?;
            b.app(class, &[x])
        }
        Sort::Float(..) => compare(b, FLOAT_PREDICATES, sort, float),
        Sort::String => about_strings(b, sort),
        Sort::Array(index, element) => about_array(b, sort, index, element),
        Sort::Datatype(id, _) if b.rng.one_in(2) => {
            let ctor = b.rng.pick(&b.terms.datatype(id).ctors);
            let x = b.term(sort)?;
            b.terms.test_ctor(ctor, x).ok()
        }
        Sort::Datatype(..)
        | Sort::Uninterpreted(..)
        | Sort::RoundingMode
        | Sort::Collection(..)
        | Sort::FiniteField(_) => compare(b, &[Op::Eq, Op::Distinct], sort, |b, sort| b.term(sort)),
        Sort::RegLan | Sort::Function(..) | Sort::Parameter(_) => None,
    }
}

/// A predicate over two generated terms.
fn compare(
    b: &mut Build<'_>,
    predicates: &[Op],
    sort: SortId,
    term: fn(&mut Build<'_>, SortId) -> Option<TermId>,
) -> Option<TermId> {
    let op = b.rng.pick(predicates);
    let (x, y) = (term(b, sort)?, term(b, sort)?);
    b.app(op, &[x, y])
}

/// A sum, difference, product or quotient; in linear logics the latter two by constants.
fn number(b: &mut Build<'_>, sort: SortId) -> Option<TermId> {
    let x = b.term(sort)?;
    let nonlinear = b.fragment.arithmetic == Arithmetic::Nonlinear;
    match b.rng.below(6) {
        0 => Some(x),
        1 => {
            let y = b.term(sort)?;
            b.app(Op::Add, &[x, y])
        }
        2 => {
            let y = b.term(sort)?;
            b.app(Op::Sub, &[x, y])
        }
        3 => {
            let y = if nonlinear { b.term(sort)? } else { b.constant(sort)? };
            b.app(Op::Mul, &[y, x])
        }
        4 if sort == SortId::REAL => {
            let y = if nonlinear { b.term(sort)? } else { positive(b, sort) };
            b.app(Op::Div, &[x, y])
        }
        _ if sort == SortId::INT => {
            let op = b.rng.pick(&[Op::IntDiv, Op::Mod]);
            let y = if nonlinear { b.term(sort)? } else { positive(b, sort) };
            b.app(op, &[x, y])
        }
        _ => b.app(Op::Neg, &[x]),
    }
}

fn positive(b: &mut Build<'_>, sort: SortId) -> TermId {
    let value = b.positive(sort);
    b.terms.constant(value)
}

/// `x - y` against a constant, or `x` against `y`, for variables of difference logic.
fn difference(b: &mut Build<'_>, sort: SortId) -> Option<TermId> {
    let op = b.rng.pick(NUMBER_PREDICATES);
    let variables: Vec<TermId> = b.live.of(sort).iter().copied().filter(|&t| is_variable(b, t)).collect();
    if variables.is_empty() {
        return None;
    }
    let (x, y) = (b.rng.pick(&variables), b.rng.pick(&variables));
    if b.rng.one_in(3) {
        return b.app(op, &[x, y]);
    }
    let distance = b.app(Op::Sub, &[x, y])?;
    let constant = b.rng.between(-20, 20);
    let constant = if sort == SortId::REAL { b.terms.real(constant) } else { b.terms.int(constant) };
    b.app(op, &[distance, constant])
}

fn is_variable(b: &Build<'_>, term: TermId) -> bool {
    matches!(b.terms.op(term), Op::Apply | Op::Bound) && b.terms.args(term).is_empty()
}

fn bits(b: &mut Build<'_>, sort: SortId) -> Option<TermId> {
    let x = b.term(sort)?;
    match b.rng.below(6) {
        0 => Some(x),
        1 => {
            let op = b.rng.pick(&[Op::BvNot, Op::BvNeg]);
            b.app(op, &[x])
        }
        _ => {
            let op = b.rng.pick(BITVEC_FUNCTIONS);
            let y = b.term(sort)?;
            b.app(op, &[x, y])
        }
    }
}

fn float(b: &mut Build<'_>, sort: SortId) -> Option<TermId> {
    let x = b.term(sort)?;
    match b.rng.below(6) {
        0 | 1 => Some(x),
        2 => {
            let op = b.rng.pick(&[Op::FpNeg, Op::FpAbs]);
            b.app(op, &[x])
        }
        3 => {
            let rm = rounding(b);
            b.app(Op::FpRoundToIntegral, &[rm, x])
        }
        _ => {
            let op = b.rng.pick(FLOAT_FUNCTIONS);
            let (rm, y) = (rounding(b), b.term(sort)?);
            b.app(op, &[rm, x, y])
        }
    }
}

fn rounding(b: &mut Build<'_>) -> TermId {
    let live = b.live.of(SortId::ROUNDING_MODE);
    if !live.is_empty() && b.rng.one_in(2) {
        return b.rng.pick(live);
    }
    let mode = b.rng.pick(&RoundingMode::ALL);
    b.terms.constant(Value::Rm(mode))
}

fn about_strings(b: &mut Build<'_>, sort: SortId) -> Option<TermId> {
    match b.rng.below(6) {
        0 => {
            let (x, r) = (string(b, sort)?, rules::language(b)?);
            b.app(Op::StrInRe, &[x, r])
        }
        1 if b.fragment.integers => {
            let op = b.rng.pick(NUMBER_PREDICATES);
            let (x, n) = (measure(b, sort)?, b.term(SortId::INT)?);
            b.app(op, &[x, n])
        }
        _ => compare(b, STRING_PREDICATES, sort, string),
    }
}

/// A string made from live ones. Positions are small numerals, which the theory of strings has of its own.
fn string(b: &mut Build<'_>, sort: SortId) -> Option<TermId> {
    let x = b.term(sort)?;
    match b.rng.below(6) {
        0 | 1 => Some(x),
        2 | 3 => {
            let y = b.term(sort)?;
            b.app(Op::StrConcat, &[x, y])
        }
        4 => {
            let (y, z) = (b.term(sort)?, b.term(sort)?);
            b.app(Op::StrReplace, &[x, y, z])
        }
        _ => {
            let (from, count) = (position(b), position(b));
            match b.rng.below(2) {
                0 => b.app(Op::StrAt, &[x, from]),
                _ => b.app(Op::StrSubstr, &[x, from, count]),
            }
        }
    }
}

fn position(b: &mut Build<'_>) -> TermId {
    let n = b.rng.between(0, 4);
    b.terms.int(n)
}

/// An integer that says something of a string.
fn measure(b: &mut Build<'_>, sort: SortId) -> Option<TermId> {
    let x = string(b, sort)?;
    match b.rng.below(4) {
        0 => {
            let (y, from) = (b.term(sort)?, position(b));
            b.app(Op::StrIndexOf, &[x, y, from])
        }
        1 => b.app(Op::StrToInt, &[x]),
        _ => b.app(Op::StrLen, &[x]),
    }
}

fn about_array(b: &mut Build<'_>, sort: SortId, index: SortId, element: SortId) -> Option<TermId> {
    let op = b.rng.pick(&[Op::Eq, Op::Distinct]);
    let (array, i) = (b.term(sort)?, b.term(index)?);
    if b.rng.one_in(3)
        && let Some(e) = b.term(element)
    {
        let (stored, other) = (b.app(Op::Store, &[array, i, e])?, b.term(sort)?);
        return b.app(op, &[stored, other]);
    }
    let selected = b.app(Op::Select, &[array, i])?;
    if element == SortId::BOOL {
        return Some(selected);
    }
    let e = match b.term(element) {
        Some(e) => e,
        None => {
            let j = b.term(index)?;
            b.app(Op::Select, &[array, j])?
        }
    };
    b.app(op, &[selected, e])
}
