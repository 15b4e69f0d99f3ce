//! Passes over what stands around terms: bound variables instantiated or left out, annotations removed.

use super::constants::simplest;
use super::search::Search;
use super::translate::{Built, rewrite};
use super::weight::{declarations, roots};
use crate::tuning::reduce_binders::INSTANCES;
use smt::{Flags, Op, TermId, TermMap, Terms};
use std::collections::HashSet;

/// One variable of a quantifier, and what it stands for; `None` if it does not occur.
type Instance = (TermId, TermId, Option<TermId>);

/// Leaves out variables of quantifiers that do not occur, and replaces others by a constant or a declared variable.
pub(super) fn instantiate(search: &mut Search<'_>) {
    for rank in 0..INSTANCES {
        let mut edits: Vec<Instance> = Vec::new();
        for term in smt::walk::reachable(&search.terms, &roots(&search.terms, &search.script)) {
            if !matches!(search.terms.op(term), Op::Forall | Op::Exists) {
                continue;
            }
            let Some((vars, body)) = search.terms.binder(term) else { continue };
            let vars: Box<[TermId]> = vars.into();
            let inside: HashSet<TermId> = smt::walk::reachable(&search.terms, &[body]).into_iter().collect();
            for var in vars {
                if !inside.contains(&var) {
                    edits.push((term, var, None));
                } else if let Some(&instance) = instances(search, var).get(rank) {
                    edits.push((term, var, Some(instance)));
                }
            }
        }
        search.maximize(&edits, &|terms, script, chosen| {
            rewrite(terms, script, &|terms, term, args| instance(terms, term, args, chosen))
        });
    }
}

fn instances(search: &mut Search<'_>, var: TermId) -> Vec<TermId> {
    let sort = search.terms.sort(var);
    let mut list = simplest(&mut search.terms, sort);
    let fits = |&f: &smt::FunId| search.terms.fun(f).params.is_empty() && search.terms.fun(f).result == sort;
    let symbols: Vec<_> = declarations(&search.script).filter(fits).take(INSTANCES).collect();
    list.extend(symbols.into_iter().filter_map(|fun| search.terms.apply(fun, &[]).ok()));
    list
}

fn instance(terms: &mut Terms, term: TermId, args: &[TermId], chosen: &[&Instance]) -> Built {
    let mine: Vec<&Instance> = chosen.iter().copied().filter(|edit| edit.0 == term).collect();
    let Some((&body, vars)) = args.split_last().filter(|_| !mine.is_empty()) else { return Built::Default };
    let kept: Vec<TermId> = vars.iter().copied().filter(|v| mine.iter().all(|edit| edit.1 != *v)).collect();
    let map: TermMap = mine.iter().filter_map(|edit| Some((edit.1, edit.2?))).collect();
    let body = terms.substitute(&[body], &map)[0];
    terms.quantifier(terms.op(term), &kept, body).map_or(Built::Fail, Built::Term)
}

/// Removes annotations: names, patterns and whatever else.
pub(super) fn annotations(search: &mut Search<'_>) {
    let roots = roots(&search.terms, &search.script);
    if roots.iter().all(|&root| !search.terms.flags(root).has(Flags::ANNOTATION)) {
        return;
    }
    let mut edits: Vec<(TermId, usize)> = Vec::new();
    for term in smt::walk::reachable(&search.terms, &roots) {
        if let Some(attributes) = search.terms.attributes(term) {
            edits.extend((0..attributes.len()).map(|i| (term, i)));
        }
    }
    search.maximize(&edits, &|terms, script, chosen| {
        rewrite(terms, script, &|terms, term, args| bare(terms, term, args, chosen))
    });
}

/// An annotated term without some of its attributes.
fn bare(terms: &mut Terms, term: TermId, args: &[TermId], chosen: &[&(TermId, usize)]) -> Built {
    let drop: HashSet<usize> = chosen.iter().filter(|edit| edit.0 == term).map(|edit| edit.1).collect();
    let Some(attributes) = terms.attributes(term).filter(|_| !drop.is_empty()) else { return Built::Default };
    let (mut kept, mut values, mut at) = (Vec::new(), Vec::new(), 1);
    for (i, attribute) in attributes.iter().enumerate() {
        let n = if let smt::AttributeValue::Terms(n) = attribute.value { n as usize } else { 0 };
        if !drop.contains(&i) {
            kept.push(attribute.clone());
            values.extend_from_slice(&args[at..at + n]);
        }
        at += n;
    }
    Built::Term(if kept.is_empty() { args[0] } else { terms.annotate(args[0], &kept, &values) })
}
