//! Predicate symbol transformation (Yao et al. 2021, Section 4.2.1): one table of rules, each of which approximates an atom in one
//! direction. The paper's Table 2 without its misprints, and rows for atoms that it does not know.
//!
//! A row ships only with its proof: `tests/approx_rules.rs` has a solver prove the implication of every row for several
//! widths and formats, and evaluates it on random values and on all values of small domains.

mod arith;
mod array;
mod bitvec;
mod core;
mod datatype;
mod float;
mod string;

pub(in crate::approx) use string::language;

use super::build::Build;
use super::direction::Direction;
use smt::op::Laws;
use smt::{Op, Sort, TermId, Terms};
use std::sync::LazyLock;

/// The sorts that a rule is for: those of the atom's first argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SortClass {
    /// Every sort.
    Any,
    /// `Bool`
    Bool,
    /// `Int` or `Real`
    Number,
    /// `Int`
    Int,
    /// Bit-vectors
    BitVec,
    /// Floats
    Float,
    /// `String`
    String,
    /// Arrays
    Array,
    /// Datatypes
    Datatype,
}

impl SortClass {
    /// Whether a sort is of this class.
    pub(crate) fn has(self, sort: &Sort) -> bool {
        match self {
            SortClass::Any => true,
            SortClass::Bool => *sort == Sort::Bool,
            SortClass::Number => matches!(sort, Sort::Int | Sort::Real),
            SortClass::Int => *sort == Sort::Int,
            SortClass::BitVec => matches!(sort, Sort::BitVec(_)),
            SortClass::Float => matches!(sort, Sort::Float(..)),
            SortClass::String => *sort == Sort::String,
            SortClass::Array => matches!(sort, Sort::Array(..)),
            SortClass::Datatype => matches!(sort, Sort::Datatype(..)),
        }
    }
}

/// An atom of one or two arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The atom.
    pub term: TermId,
    /// The first argument.
    pub x: TermId,
    /// Its second argument; the first again if there is none.
    pub y: TermId,
}

impl Atom {
    /// A term as an atom, if it has one or two arguments.
    pub fn of(terms: &Terms, term: TermId) -> Option<Atom> {
        match *terms.args(term) {
            [x] => Some(Atom { term, x, y: x }),
            [x, y] => Some(Atom { term, x, y }),
            _ => None,
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name, which mutations carry.
    pub id: &'static str,
    /// The predicate of the atoms it is for.
    pub op: Op,
    /// The sorts it is for.
    pub class: SortClass,
    /// Which way it approximates.
    pub direction: Direction,
    /// Builds what the atom is replaced by; `None` where the fragment or the live terms do not allow it.
    pub build: fn(&mut Build<'_>, Atom) -> Option<TermId>,
}

/// Rows, one a line: `id op class direction builder;`.
macro_rules! rules {
    ($table:ident: $($id:literal $op:ident $class:ident $direction:ident $build:expr;)*) => {
        /// The rows of this theory.
        pub(super) static $table: &[Rule] = &[$(Rule {
            id: $id, op: Op::$op, class: SortClass::$class, direction: Direction::$direction, build: $build,
        }),*];
    };
}
use rules;

/// The rules of all theories.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [
        core::RULES,
        arith::RULES,
        bitvec::ORDER,
        bitvec::EQUALITY,
        bitvec::OVERFLOW,
        float::RULES,
        string::ORDER,
        string::REGEX,
        array::RULES,
        datatype::RULES,
    ]
    .into_iter()
    .flatten()
}

/// The rules for atoms of an operator.
fn for_op(op: Op) -> &'static [&'static Rule] {
    static INDEX: LazyLock<Vec<Vec<&'static Rule>>> = LazyLock::new(|| {
        let mut index = vec![Vec::new(); smt::op::TABLE.len()];
        for rule in all() {
            index[rule.op as usize].push(rule);
        }
        index
    });
    &INDEX[op as usize]
}

/// Approximates an atom by a rule chosen at random; the rule's name and what it built.
pub(crate) fn transform(
    b: &mut Build<'_>,
    atom: TermId,
    direction: Direction,
) -> Option<(&'static str, TermId)> {
    let op = b.terms.op(atom);
    let arity = b.terms.args(atom).len();
    if arity > 2 && op.info().laws.has(Laws::CHAINABLE) {
        return transform_chain(b, atom, direction);
    }
    if arity > 2 && op == Op::Distinct {
        return core::drop_distinct(b, atom, direction);
    }
    let atom = Atom::of(b.terms, atom)?;
    let sort = b.sort(atom.x).clone();
    let rows = for_op(op);
    if rows.is_empty() {
        return None;
    }
    // From a random row on, the first that can be built.
    let first = b.rng.below(rows.len());
    for rule in rows[first..].iter().chain(&rows[..first]) {
        if rule.direction == direction
            && rule.class.has(&sort)
            && let Some(built) = (rule.build)(b, atom)
            && built != atom.term
        {
            return Some((rule.id, built));
        }
    }
    None
}

/// `(< a b c)` is `(and (< a b) (< b c))`; one of the pairs is approximated.
fn transform_chain(b: &mut Build<'_>, atom: TermId, direction: Direction) -> Option<(&'static str, TermId)> {
    let op = b.terms.op(atom);
    let args = b.terms.args(atom).to_vec();
    let mut pairs: Vec<TermId> = Vec::with_capacity(args.len() - 1);
    for pair in args.windows(2) {
        pairs.push(b.app(op, pair)?);
    }
    let at = b.rng.below(pairs.len());
    let (rule, built) = transform(b, pairs[at], direction)?;
    pairs[at] = built;
    Some((rule, b.app(Op::And, &pairs)?))
}

/// The negation-free equivalent of a negated atom, where there is one: total orders, and equality.
///
/// Floats are not ordered totally (`NaN`): their negations go through Proposition 4.2 only.
pub(crate) fn complement(b: &mut Build<'_>, atom: TermId) -> Option<TermId> {
    let &[x, y] = b.terms.args(atom) else { return None };
    let (op, args) = match b.terms.op(atom) {
        Op::Eq => (Op::Distinct, [x, y]),
        Op::Distinct => (Op::Eq, [x, y]),
        Op::Lt => (Op::Ge, [x, y]),
        Op::Le => (Op::Gt, [x, y]),
        Op::Gt => (Op::Le, [x, y]),
        Op::Ge => (Op::Lt, [x, y]),
        Op::BvUlt => (Op::BvUge, [x, y]),
        Op::BvUle => (Op::BvUgt, [x, y]),
        Op::BvUgt => (Op::BvUle, [x, y]),
        Op::BvUge => (Op::BvUlt, [x, y]),
        Op::BvSlt => (Op::BvSge, [x, y]),
        Op::BvSle => (Op::BvSgt, [x, y]),
        Op::BvSgt => (Op::BvSle, [x, y]),
        Op::BvSge => (Op::BvSlt, [x, y]),
        Op::StrLt => (Op::StrLe, [y, x]),
        Op::StrLe => (Op::StrLt, [y, x]),
        _ => return None,
    };
    b.app(op, &args)
}

/// `x op y` with the same arguments.
fn swap_symbol(b: &mut Build<'_>, op: Op, atom: Atom) -> Option<TermId> {
    b.app(op, &[atom.x, atom.y])
}

/// `(and (op x a) (op y a))` for a random constant.
fn both_equal(b: &mut Build<'_>, op: Op, atom: Atom) -> Option<TermId> {
    let a = b.constant(b.terms.sort(atom.x))?;
    let (x, y) = (b.app(op, &[atom.x, a])?, b.app(op, &[atom.y, a])?);
    Some(b.and(x, y))
}

/// `(not (and (op x a) (op y a)))` for a random constant.
fn not_both_equal(b: &mut Build<'_>, op: Op, atom: Atom) -> Option<TermId> {
    let both = both_equal(b, op, atom)?;
    Some(b.not(both))
}

/// `(and (le a x) (le x a) (le a y) (le y a))` for a random constant.
fn both_between(b: &mut Build<'_>, le: Op, atom: Atom) -> Option<TermId> {
    let a = b.constant(b.terms.sort(atom.x))?;
    let parts = [[a, atom.x], [atom.x, a], [a, atom.y], [atom.y, a]];
    let mut bounds = Vec::with_capacity(4);
    for part in parts {
        bounds.push(b.app(le, &part)?);
    }
    b.app(Op::And, &bounds)
}

/// `(or (left x a) (right a y))` for a random number: a value in between, of which one side must hold.
fn either_side(b: &mut Build<'_>, left: Op, right: Op, atom: Atom) -> Option<TermId> {
    let a = b.number(b.terms.sort(atom.x))?;
    let (l, r) = (b.app(left, &[atom.x, a])?, b.app(right, &[a, atom.y])?);
    Some(b.or(l, r))
}

/// `(and (left x a) (right a y))` for a random number: a value in between.
fn through(b: &mut Build<'_>, left: Op, right: Op, atom: Atom) -> Option<TermId> {
    let a = b.number(b.terms.sort(atom.x))?;
    let (l, r) = (b.app(left, &[atom.x, a])?, b.app(right, &[a, atom.y])?);
    Some(b.and(l, r))
}
