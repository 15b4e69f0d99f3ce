//! Rules for datatypes: equal values have the same constructor and fields, whatever a selector gives for another
//! constructor, and a value is its constructor applied to its fields.

use super::{Atom, Rule, SortClass, rules};
use crate::approx::build::Build;
use crate::approx::direction::Direction;
use smt::{CtorId, FieldId, Op, Sort, TermId};

rules! { RULES:
    "data-eq-field" Eq Datatype Over field;
    "data-eq-tester" Eq Datatype Over |b, a| {
        let ctor = any_ctor(b, a)?;
        let (x, y) = (b.terms.test_ctor(ctor, a.x).ok()?, b.terms.test_ctor(ctor, a.y).ok()?);
        b.app(Op::Eq, &[x, y])
    };
    "data-eq-fields" Eq Datatype Under same_fields;
    "data-distinct-tester" Distinct Datatype Under |b, a| {
        let ctor = any_ctor(b, a)?;
        let (x, y) = (b.terms.test_ctor(ctor, a.x).ok()?, b.terms.test_ctor(ctor, a.y).ok()?);
        b.app(Op::Xor, &[x, y])
    };
    "data-tester-rebuild" Tester Datatype Over rebuild;
    "data-tester-rebuild-under" Tester Datatype Under rebuild;
    "data-tester-not-other" Tester Datatype Over |b, a| {
        let ctor = any_ctor(b, a)?;
        if Some(ctor) == b.terms.as_ctor(a.term) {
            return None;
        }
        let other = b.terms.test_ctor(ctor, a.x).ok()?;
        Some(b.not(other))
    };
}

fn any_ctor(b: &mut Build<'_>, atom: Atom) -> Option<CtorId> {
    let Sort::Datatype(id, _) = *b.sort(atom.x) else { return None };
    Some(b.rng.pick(&b.terms.datatype(id).ctors))
}

fn field(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let ctor = any_ctor(b, atom)?;
    let fields = &b.terms.ctor(ctor).fields;
    if fields.is_empty() {
        return None;
    }
    let field = b.rng.pick(fields);
    let (x, y) = (b.terms.select_field(field, atom.x).ok()?, b.terms.select_field(field, atom.y).ok()?);
    b.app(Op::Eq, &[x, y])
}

/// Both are of one constructor, and have the same fields.
fn same_fields(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let ctor = any_ctor(b, atom)?;
    let mut parts = vec![b.terms.test_ctor(ctor, atom.x).ok()?, b.terms.test_ctor(ctor, atom.y).ok()?];
    for field in b.terms.ctor(ctor).fields.clone() {
        let (x, y) = (b.terms.select_field(field, atom.x).ok()?, b.terms.select_field(field, atom.y).ok()?);
        parts.push(b.app(Op::Eq, &[x, y])?);
    }
    b.app(Op::And, &parts)
}

/// `((_ is C) x)` is `x = (C (f1 x) (f2 x) ...)`.
fn rebuild(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let ctor = b.terms.as_ctor(atom.term)?;
    let sort = b.terms.sort(atom.x);
    let fields: Vec<FieldId> = b.terms.ctor(ctor).fields.clone();
    let mut args = Vec::with_capacity(fields.len());
    for field in fields {
        args.push(b.terms.select_field(field, atom.x).ok()?);
    }
    let built = b.terms.construct(ctor, &args, Some(sort)).ok()?;
    b.app(Op::Eq, &[atom.x, built])
}
