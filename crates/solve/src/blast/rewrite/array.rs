//! Rules for `select`, `store` and equalities of arrays.

use super::Rule;
use super::build::*;
use super::linear::Linear;
use smt::{Op, Sort, TermId, Terms};

pub(super) static RULES: &[Rule] = &[
    Rule {
        id: "select-store",
        op: Op::Select,
        apply: select_store,
        laws: &[
            ("(select (store m x y) x)", "y"),
            ("(select (store m {0} y) {1})", "(select m {1})"),
            ("(select (store m x y) (bvadd x {1}))", "(select m (bvadd x {1}))"),
        ],
    },
    Rule {
        id: "select-const",
        op: Op::Select,
        apply: select_const,
        laws: &[("(select ((as const (Array (_ BitVec {w}) (_ BitVec {w}))) x) y)", "x")],
    },
    Rule {
        id: "store-store",
        op: Op::Store,
        apply: store_store,
        laws: &[("(store (store m x y) x z)", "(store m x z)")],
    },
    Rule {
        id: "store-select",
        op: Op::Store,
        apply: store_select,
        laws: &[("(store m x (select m x))", "m")],
    },
    Rule {
        id: "eq-stores",
        op: Op::Eq,
        apply: eq_stores,
        laws: &[
            ("(= (store m x y) (store m x z))", "(= y z)"),
            ("(= (store m x y) m)", "(= (select m x) y)"),
        ],
    },
];

fn store_parts(t: &Terms, term: TermId) -> Option<(TermId, TermId, TermId)> {
    match t.args(term) {
        &[array, index, element] if t.op(term) == Op::Store => Some((array, index, element)),
        _ => None,
    }
}

/// Whether two indices differ in every model, because their difference is a constant.
fn surely_differ(t: &Terms, a: TermId, b: TermId) -> bool {
    if is_const(t, a) && is_const(t, b) {
        return a != b;
    }
    if !matches!(t.sort_of(t.sort(a)), Sort::BitVec(_)) {
        return false;
    }
    let (mut a, mut b) = (Linear::of(t, a), Linear::of(t, b));
    let different = a.constant != b.constant;
    a.cancel(&mut b);
    different && a.monomials.is_empty() && b.monomials.is_empty()
}

fn select_store(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (mut array, index) = pair(t, n)?;
    let start = array;
    while let Some((inner, at, element)) = store_parts(t, array) {
        if at == index {
            return Some(element);
        }
        if !surely_differ(t, at, index) {
            break;
        }
        array = inner;
    }
    (array != start).then(|| t.mk(Op::Select, &[array, index]))
}

fn select_const(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (array, _) = pair(t, n)?;
    under(t, Op::ConstArray, array)
}

fn store_store(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (array, index, element) = store_parts(t, n)?;
    let (inner, at, _) = store_parts(t, array)?;
    (at == index).then(|| t.mk(Op::Store, &[inner, index, element]))
}

fn store_select(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (array, index, element) = store_parts(t, n)?;
    (t.op(element) == Op::Select && t.args(element) == [array, index]).then_some(array)
}

fn eq_stores(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    if let (Some((m, i, x)), Some((k, j, y))) = (store_parts(t, a), store_parts(t, b))
        && m == k
        && i == j
    {
        return Some(eq(t, x, y));
    }
    for (a, b) in [(a, b), (b, a)] {
        if let Some((m, i, x)) = store_parts(t, a)
            && m == b
        {
            let read = t.mk(Op::Select, &[m, i]);
            return Some(eq(t, read, x));
        }
    }
    None
}
