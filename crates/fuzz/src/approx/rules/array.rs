//! Rules for arrays: equal arrays agree at every index and after every store, and storing what is there changes nothing.

use super::{Atom, Rule, SortClass, rules};
use crate::approx::build::Build;
use crate::approx::direction::Direction;
use smt::{Op, Sort, SortId, TermId};

rules! { RULES:
    "array-eq-select" Eq Array Over select;
    "array-eq-store" Eq Array Over store;
    "array-eq-store-back" Eq Array Over store_back;
    "array-eq-store-back-under" Eq Array Under store_back;
    "array-distinct-select" Distinct Array Under |b, a| { let equal = select(b, a)?; Some(b.not(equal)) };
}

fn sorts(b: &Build<'_>, atom: Atom) -> Option<(SortId, SortId)> {
    if let Sort::Array(index, element) = *b.sort(atom.x) { Some((index, element)) } else { None }
}

fn select(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let (index, _) = sorts(b, atom)?;
    let i = b.term(index)?;
    let (x, y) = (b.app(Op::Select, &[atom.x, i])?, b.app(Op::Select, &[atom.y, i])?);
    b.app(Op::Eq, &[x, y])
}

fn store(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let (index, element) = sorts(b, atom)?;
    let (i, e) = (b.term(index)?, b.term(element)?);
    let (x, y) = (b.app(Op::Store, &[atom.x, i, e])?, b.app(Op::Store, &[atom.y, i, e])?);
    b.app(Op::Eq, &[x, y])
}

fn store_back(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let (index, _) = sorts(b, atom)?;
    let i = b.term(index)?;
    let e = b.app(Op::Select, &[atom.y, i])?;
    let y = b.app(Op::Store, &[atom.y, i, e])?;
    b.app(Op::Eq, &[atom.x, y])
}
