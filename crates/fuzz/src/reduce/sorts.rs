//! The pass over sorts: narrower bit-vectors, smaller floats, uninterpreted sorts made `Bool` or `Int`, in the whole script
//! at once. Every term keeps the sort that its old sort became: where an operator gives another width, it is converted,
//! which may make a term larger but is seldom needed.

use super::search::Search;
use super::translate::{Built, Edits, Renaming, Translator, map_sort};
use super::weight::{declarations, roots, sort_weight};
use smt::{BitVec, Command, Op, RoundingMode, Script, Sort, SortId, TermId, Terms, Value};
use std::collections::{HashMap, HashSet};

/// The targets of each kind of sort, simplest first; those that are not simpler are passed over.
const WIDTHS: &[fn(u32) -> u32] = &[|_| 1, |_| 2, |_| 4, |_| 8, |n| n / 2, |n| n.saturating_sub(1)];
const FORMATS: &[(u32, u32)] = &[(2, 3), (3, 4), (3, 5), (5, 11), (8, 24), (11, 53)];

/// Replaces sorts by simpler ones.
pub(super) fn narrow(search: &mut Search<'_>) {
    for rank in 0..WIDTHS.len().max(FORMATS.len()) {
        let mut edits: Vec<(SortId, SortId)> = Vec::new();
        for sort in sorts(&search.terms, &search.script) {
            if let Some(other) = target(&mut search.terms, sort, rank)
                && sort_weight(&search.terms, other) < sort_weight(&search.terms, sort)
            {
                edits.push((sort, other));
            }
        }
        search.maximize(&edits, &|terms, script, chosen| {
            let renaming =
                Renaming { sorts: chosen.iter().map(|&&edit| edit).collect(), ..Renaming::default() };
            let rule =
                |terms: &mut Terms, term: TermId, args: &[TermId]| node(terms, &renaming.sorts, term, args);
            let script = Translator::new(&Edits::default(), &renaming, Some(&rule)).script(terms, script)?;
            Some(without_declared(terms, &script, &renaming.sorts))
        });
    }
}

fn target(terms: &mut Terms, sort: SortId, rank: usize) -> Option<SortId> {
    match *terms.sort_of(sort) {
        Sort::BitVec(width) => {
            Some(WIDTHS.get(rank)?(width)).filter(|&n| n > 0).map(|n| terms.bit_vec_sort(n))
        }
        Sort::Float(..) => FORMATS.get(rank).map(|&(eb, sb)| terms.float_sort(eb, sb)),
        Sort::Uninterpreted(_, ref list) if list.is_empty() => [SortId::BOOL, SortId::INT].get(rank).copied(),
        _ => None,
    }
}

/// The sorts that occur in a script and their parts, in the order of the arena.
fn sorts(terms: &Terms, script: &Script) -> Vec<SortId> {
    let mut todo: Vec<SortId> = Vec::new();
    for fun in declarations(script) {
        todo.extend(terms.fun(fun).params.iter().copied());
        todo.push(terms.fun(fun).result);
    }
    let all = smt::walk::reachable(terms, &roots(terms, script));
    todo.extend(all.into_iter().map(|term| terms.sort(term)));
    let mut found: HashSet<SortId> = HashSet::new();
    while let Some(sort) = todo.pop() {
        if found.insert(sort)
            && let Sort::Array(index, element) = *terms.sort_of(sort)
        {
            todo.extend([index, element]);
        }
    }
    let mut list: Vec<SortId> = found.into_iter().collect();
    list.sort_unstable();
    list
}

/// The script without the declarations of uninterpreted sorts that became others.
fn without_declared(terms: &Terms, script: &Script, map: &HashMap<SortId, SortId>) -> Script {
    let gone: HashSet<smt::Symbol> = map
        .keys()
        .filter_map(|&sort| match terms.sort_of(sort) {
            Sort::Uninterpreted(name, _) => Some(*name),
            _ => None,
        })
        .collect();
    let drop = |c: &Command| matches!(c, Command::DeclareSort(name, _) if gone.contains(name));
    let places = (0..script.commands.len()).filter(|&i| drop(&script.commands[i])).collect();
    super::commands::without(script, &places)
}

/// A node over arguments whose sorts have changed: of the sort that its own became.
fn node(terms: &mut Terms, map: &HashMap<SortId, SortId>, term: TermId, args: &[TermId]) -> Built {
    let (op, sort) = (terms.op(term), terms.sort(term));
    let wanted = map_sort(terms, map, sort);
    if op == Op::Const {
        return match terms.as_value(term).cloned() {
            Some(value) if wanted != sort => constant(terms, &value, wanted),
            _ => Built::Default,
        };
    }
    let changed =
        wanted != sort || args.iter().zip(terms.args(term)).any(|(&a, &b)| terms.sort(a) != terms.sort(b));
    if !changed || op.info().theory == smt::Theory::Language {
        return Built::Default;
    }
    operator(terms, term, args, wanted).map_or(Built::Fail, Built::Term)
}

fn constant(terms: &mut Terms, value: &Value, wanted: SortId) -> Built {
    let new = match (value, terms.sort_of(wanted)) {
        (Value::BitVec(bits), &Sort::BitVec(width)) => {
            Value::BitVec(BitVec::new(width, bits.to_ubig().clone()))
        }
        (Value::Float(float), &Sort::Float(eb, sb)) => {
            Value::Float(float.convert(RoundingMode::Rne, smt::Format { eb, sb }))
        }
        _ => return Built::Fail,
    };
    Built::Term(terms.constant(new))
}

/// An operator of the table, with indices that fit the new sorts.
fn operator(terms: &mut Terms, term: TermId, args: &[TermId], wanted: SortId) -> Option<TermId> {
    let (op, mut indices) = (terms.op(term), terms.indices(term));
    let mut args = args.to_vec();
    match (op, terms.sort_of(wanted).clone()) {
        (Op::Extract, Sort::BitVec(to)) => {
            let from = width(terms, *args.first()?)?;
            if to > from {
                return resized(terms, args[0], to);
            }
            let low = indices[1].min(from - to);
            indices = [low + to - 1, low];
        }
        (Op::ZeroExtend | Op::SignExtend, Sort::BitVec(to)) => {
            let from = width(terms, *args.first()?)?;
            match to.checked_sub(from) {
                Some(more) => indices[0] = more,
                None => return resized(terms, args[0], to),
            }
        }
        (Op::IntToBv | Op::Nat2Bv | Op::Int2Bv | Op::FpToUbv | Op::FpToSbv, Sort::BitVec(to)) => {
            indices[0] = to
        }
        (Op::ToFpFromBits, Sort::Float(eb, sb)) => {
            args[0] = resized(terms, args[0], eb + sb)?;
            indices = [eb, sb];
        }
        (Op::ToFpFromFp | Op::ToFpFromSbv | Op::ToFpFromReal | Op::ToFpUnsigned, Sort::Float(eb, sb)) => {
            indices = [eb, sb];
        }
        (Op::Fp, Sort::Float(eb, sb)) => {
            for (arg, bits) in args.iter_mut().zip([1, eb, sb - 1]) {
                *arg = resized(terms, *arg, bits)?;
            }
        }
        _ => {}
    }
    let new = terms.app_indexed(op, indices, &args).ok()?;
    match *terms.sort_of(wanted) {
        Sort::BitVec(to) => resized(terms, new, to),
        _ => (terms.sort(new) == wanted).then_some(new),
    }
}

fn width(terms: &Terms, term: TermId) -> Option<u32> {
    if let Sort::BitVec(width) = *terms.sort_of(terms.sort(term)) { Some(width) } else { None }
}

/// A bit-vector cut or extended with zeros to a width.
fn resized(terms: &mut Terms, term: TermId, to: u32) -> Option<TermId> {
    let from = width(terms, term)?;
    match from.cmp(&to) {
        std::cmp::Ordering::Equal => Some(term),
        std::cmp::Ordering::Less => terms.app_indexed(Op::ZeroExtend, [to - from, 0], &[term]).ok(),
        std::cmp::Ordering::Greater => terms.app_indexed(Op::Extract, [to - 1, 0], &[term]).ok(),
    }
}
