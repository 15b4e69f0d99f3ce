//! Rules for every sort: Boolean equality, equality with `ite`, congruence, and `distinct` of many.

use super::{Atom, Rule, SortClass, rules, swap_symbol};
use crate::approx::build::Build;
use crate::approx::direction::Direction;
use smt::{Op, TermId};

rules! { RULES:
    "bool-eq-implies" Eq Bool Over |b, a| swap_symbol(b, Op::Implies, a);
    "bool-eq-implied" Eq Bool Over |b, a| b.app(Op::Implies, &[a.y, a.x]);
    "bool-eq-both" Eq Bool Under |b, a| Some(b.and(a.x, a.y));
    "bool-eq-neither" Eq Bool Under |b, a| { let either = b.or(a.x, a.y); Some(b.not(either)) };
    "bool-xor-or" Xor Bool Over |b, a| Some(b.or(a.x, a.y));
    "bool-xor-nand" Xor Bool Over |b, a| { let both = b.and(a.x, a.y); Some(b.not(both)) };
    "bool-xor-first" Xor Bool Under |b, a| { let y = b.not(a.y); Some(b.and(a.x, y)) };
    "bool-xor-second" Xor Bool Under |b, a| { let x = b.not(a.x); Some(b.and(x, a.y)) };
    "bool-distinct-or" Distinct Bool Over |b, a| Some(b.or(a.x, a.y));
    "bool-distinct-first" Distinct Bool Under |b, a| { let y = b.not(a.y); Some(b.and(a.x, y)) };
    "eq-ite-either" Eq Any Over |b, a| ite_branches(b, Op::Or, a);
    "eq-ite-both" Eq Any Under |b, a| ite_branches(b, Op::And, a);
    "eq-congruence" Eq Any Over congruence;
}

/// `x = (ite c s t)` against `x = s` and `x = t`.
fn ite_branches(b: &mut Build<'_>, connective: Op, atom: Atom) -> Option<TermId> {
    let (ite, other) = match (b.terms.op(atom.y), b.terms.op(atom.x)) {
        (Op::Ite, _) => (atom.y, atom.x),
        (_, Op::Ite) => (atom.x, atom.y),
        _ => return None,
    };
    let &[_, then, otherwise] = b.terms.args(ite) else { return None };
    let (s, t) = (b.app(Op::Eq, &[other, then])?, b.app(Op::Eq, &[other, otherwise])?);
    b.app(connective, &[s, t])
}

/// `(f x) = (f y)` for a live function.
fn congruence(b: &mut Build<'_>, atom: Atom) -> Option<TermId> {
    let sort = b.terms.sort(atom.x);
    let fits: Vec<_> =
        b.live.functions().iter().copied().filter(|&f| *b.terms.fun(f).params == [sort]).collect();
    if fits.is_empty() {
        return None;
    }
    let f = b.rng.pick(&fits);
    let (x, y) = (b.terms.apply(f, &[atom.x]).ok()?, b.terms.apply(f, &[atom.y]).ok()?);
    b.app(Op::Eq, &[x, y])
}

/// What the rule for `distinct` of three and more is called.
pub(super) const DROP_DISTINCT: &str = "distinct-drop";

/// `(distinct a b c)` without one of them.
pub(super) fn drop_distinct(
    b: &mut Build<'_>,
    atom: TermId,
    direction: Direction,
) -> Option<(&'static str, TermId)> {
    if direction == Direction::Under {
        return None;
    }
    let mut args = b.terms.args(atom).to_vec();
    args.remove(b.rng.below(args.len()));
    Some((DROP_DISTINCT, b.app(Op::Distinct, &args)?))
}
