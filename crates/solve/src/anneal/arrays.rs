//! Arrays out of the way: equations that define arrays are substituted, reads of writes become `ite`s.
//!
//! What remains is reads of array symbols, which the compiler turns into tables, and of arrays of constants. Equality of arrays that is not such an
//! equation is refused later, by the compiler, since no table can decide it.

use super::definitions::Literal;
use super::tables::Constants;
use crate::tuning::anneal_arrays::{MAX_GROWTH, MAX_PASSES};
use smt::{FunId, Op, Sort, TermId, TermMap, Terms, walk};

/// An array symbol and the term that it is a name of.
pub(super) type ArrayDefinition = (FunId, TermId);

/// The conjuncts without writes, and the array symbols that were replaced by terms, each before those that it is
/// made of. `None` if the expansion gets too large.
pub(super) fn without_writes(
    terms: &mut Terms,
    mut literals: Vec<Literal>,
) -> Option<(Vec<Literal>, Vec<ArrayDefinition>)> {
    let roots: Vec<TermId> = literals.iter().map(|l| l.term).collect();
    let has_array = |terms: &Terms, t: TermId| matches!(terms.sort_of(terms.sort(t)), Sort::Array(..));
    if !walk::reachable(terms, &roots).into_iter().any(|t| has_array(terms, t)) {
        return Some((literals, Vec::new()));
    }
    let mut arrays = Vec::new();
    while let Some((at, symbol, value)) = next_definition(terms, &literals) {
        let fun = terms.as_fun(symbol)?;
        literals.remove(at);
        let roots: Vec<TermId> = literals.iter().map(|l| l.term).collect();
        let map: TermMap = [(symbol, value)].into_iter().collect();
        for (literal, term) in literals.iter_mut().zip(terms.substitute(&roots, &map)) {
            literal.term = term;
        }
        arrays.push((fun, value));
    }
    let limit = terms.len() + MAX_GROWTH;
    let mut constants = Constants::default();
    for _ in 0..MAX_PASSES {
        let roots: Vec<TermId> = literals.iter().map(|l| l.term).collect();
        let expanded = expand_reads(terms, &roots, limit, &mut constants)?;
        if expanded == roots {
            return Some((literals, arrays));
        }
        for (literal, term) in literals.iter_mut().zip(expanded) {
            literal.term = term;
        }
    }
    None
}

fn is_array_symbol(terms: &Terms, term: TermId) -> bool {
    terms.op(term) == Op::Apply && terms.args(term).is_empty()
}

/// A conjunct that says what an array symbol is.
fn next_definition(terms: &Terms, literals: &[Literal]) -> Option<(usize, TermId, TermId)> {
    literals.iter().enumerate().find_map(|(at, literal)| {
        let &[a, b] = terms.args(literal.term) else { return None };
        let is_equation = literal.positive
            && terms.op(literal.term) == Op::Eq
            && matches!(terms.sort_of(terms.sort(a)), Sort::Array(..));
        if !is_equation {
            return None;
        }
        [(a, b), (b, a)].into_iter().find_map(|(symbol, value)| {
            (is_array_symbol(terms, symbol) && !walk::reachable(terms, &[value]).contains(&symbol))
                .then_some((at, symbol, value))
        })
    })
}

/// Moves every read through the writes, `ite`s and constant arrays right below it.
fn expand_reads(
    terms: &mut Terms,
    roots: &[TermId],
    limit: usize,
    constants: &mut Constants,
) -> Option<Vec<TermId>> {
    let mut done = TermMap::default();
    for term in walk::reachable(terms, roots) {
        let new = |done: &TermMap, t: TermId| *done.get(&t).unwrap_or(&t);
        let expanded = if terms.op(term) == Op::Select {
            let &[array, index] = terms.args(term) else { return None };
            let index = new(&done, index);
            read(terms, array, index, constants, |t| new(&done, t))
        } else if matches!(terms.sort_of(terms.sort(term)), Sort::Array(..)) {
            // Only reads look into arrays, and they rename what they find there.
            continue;
        } else {
            let args: Vec<TermId> = terms.args(term).iter().map(|&a| new(&done, a)).collect();
            terms.rebuild(term, &args)
        };
        if terms.len() > limit {
            return None;
        }
        done.insert(term, expanded);
    }
    Some(roots.iter().map(|r| *done.get(r).unwrap_or(r)).collect())
}

/// The element of an array term at an index.
fn read(
    terms: &mut Terms,
    array: TermId,
    index: TermId,
    constants: &mut Constants,
    new: impl Fn(TermId) -> TermId,
) -> TermId {
    let mut writes: Vec<(TermId, TermId)> = Vec::new();
    let mut at = array;
    let bottom = loop {
        if terms.as_value(index).is_none() && constants.fit(terms, at) {
            break terms.mk(Op::Select, &[at, index]);
        }
        match (terms.op(at), terms.args(at).to_vec().as_slice()) {
            (Op::Store, &[below, i, element]) => {
                let (i, element) = (new(i), new(element));
                if i == index {
                    break element;
                }
                if terms.as_value(i).is_none() || terms.as_value(index).is_none() {
                    let here = terms.mk(Op::Eq, &[i, index]);
                    writes.push((here, element));
                }
                at = below;
            }
            (Op::ConstArray, &[element]) => break new(element),
            (Op::Ite, &[condition, then, otherwise]) => {
                let then = terms.mk(Op::Select, &[then, index]);
                let otherwise = terms.mk(Op::Select, &[otherwise, index]);
                break terms.mk(Op::Ite, &[new(condition), then, otherwise]);
            }
            _ => break terms.mk(Op::Select, &[at, index]),
        }
    };
    writes.into_iter().rev().fold(bottom, |rest, (here, element)| terms.mk(Op::Ite, &[here, element, rest]))
}
