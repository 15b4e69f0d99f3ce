//! Ways to change a subterm into another of the same sort: its operator for one of the same signature, the whole for an
//! application that is made of what the formula has, a literal for a neighbour.

use crate::truth::{is_read_with, rows_of, value_near};
use crate::tuning::mutate_change::TRIES;
use random::Rng;
use smt::op::OpInfo;
use smt::walk::reachable;
use smt::{Collection, Flags, Op, Sort, SortId, TermId, TermMap, Terms, Theory};

/// Changes one assertion; what was done, and the new assertion. `None` if nothing fitted.
pub(super) fn change(
    terms: &mut Terms,
    assertions: &[TermId],
    at: usize,
    rng: &mut Rng,
) -> Option<(&'static str, TermId)> {
    let places: Vec<TermId> =
        reachable(terms, &assertions[at..=at]).into_iter().filter(|&t| can_change(terms, t)).collect();
    let pool: Vec<TermId> = reachable(terms, assertions)
        .into_iter()
        .filter(|&t| can_change(terms, t) && !terms.flags(t).has(Flags::BOUND))
        .collect();
    for _ in 0..TRIES {
        let place = rng.choose(&places)?;
        let (how, new) = match rng.below(4) {
            0 | 1 => ("operator", other_operator(terms, place, rng)),
            2 => ("term", other_term(terms, place, &pool, rng)),
            _ => ("literal", other_literal(terms, place, rng)),
        };
        if let Some(new) = new
            && new != place
            && terms.sort(new) == terms.sort(place)
        {
            let map = TermMap::from_iter([(place, new)]);
            return Some((how, terms.substitute(&assertions[at..=at], &map)[0]));
        }
    }
    None
}

fn can_change(terms: &Terms, term: TermId) -> bool {
    !matches!(terms.op(term), Op::Annot | Op::Bound | Op::Lambda | Op::Match | Op::MapApply | Op::AsArray)
        && !terms.is_function_symbol(term)
        && !matches!(terms.sort_of(terms.sort(term)), Sort::Function(..))
}

/// The rows of a theory, with those of Core for Boolean structure.
fn rows_for(theory: Theory) -> Vec<&'static OpInfo> {
    rows_of(&[theory])
}

/// The same arguments under another operator of the theory.
fn other_operator(terms: &mut Terms, term: TermId, rng: &mut Rng) -> Option<TermId> {
    let old = terms.op(term);
    let info = old.info();
    if matches!(info.theory, Theory::Language) {
        return None;
    }
    let mut args = terms.args(term).to_vec();
    let indices = terms.indices(term);
    let candidates: Vec<&'static OpInfo> = rows_for(info.theory)
        .into_iter()
        .filter(|row| row.op != old && row.indices == info.indices && is_read_with(row, args.len()))
        .collect();
    if rng.one_in(4) {
        args.reverse();
    }
    for _ in 0..TRIES {
        let row = rng.choose(&candidates)?;
        if let Ok(new) = terms.app_indexed(row.op, indices, &args)
            && terms.sort(new) == terms.sort(term)
        {
            return Some(new);
        }
    }
    None
}

/// Another term of the sort: one that the formula has, or an application of any row to such.
fn other_term(terms: &mut Terms, term: TermId, pool: &[TermId], rng: &mut Rng) -> Option<TermId> {
    let sort = terms.sort(term);
    let same: Vec<TermId> = pool.iter().copied().filter(|&t| terms.sort(t) == sort).collect();
    if rng.one_in(2) {
        return rng.choose(&same);
    }
    let theories = [Theory::Core, theory_of(terms, sort)];
    let rows = rows_of(&theories);
    for _ in 0..4 * TRIES {
        let row = rng.choose(&rows)?;
        if row.indices > 0 {
            continue;
        }
        let count = (1..=4).find(|&n| is_read_with(row, n))?;
        // The term itself stays inside as often as not. Where all else stands below a quantifier, there is nothing to choose.
        let itself = (!terms.flags(term).has(Flags::BOUND)).then_some(term);
        let mut operand = || itself.filter(|_| rng.one_in(3)).or_else(|| rng.choose(pool)).or(itself);
        let args: Vec<TermId> = (0..count).map(|_| operand()).collect::<Option<_>>()?;
        if let Ok(new) = terms.app(row.op, &args)
            && terms.sort(new) == sort
        {
            return Some(new);
        }
    }
    rng.choose(&same)
}

fn theory_of(terms: &Terms, sort: SortId) -> Theory {
    match terms.sort_of(sort) {
        Sort::Int | Sort::Real => Theory::Arith,
        Sort::BitVec(_) => Theory::BitVec,
        Sort::Float(..) | Sort::RoundingMode => Theory::Float,
        Sort::String | Sort::RegLan => Theory::Strings,
        Sort::Array(..) => Theory::Arrays,
        Sort::Collection(Collection::Seq, _) => Theory::Sequences,
        Sort::Collection(Collection::Set, _) => Theory::Sets,
        Sort::Collection(Collection::Bag, _) => Theory::Bags,
        Sort::FiniteField(_) => Theory::Fields,
        _ => Theory::Core,
    }
}

fn other_literal(terms: &mut Terms, term: TermId, rng: &mut Rng) -> Option<TermId> {
    terms.as_value(term)?;
    let sort = terms.sort(term);
    value_near(terms, rng, sort)
}
