//! Solutions from a model of the abstraction: with values for one factor of every product the query is linear, and simplex
//! solves the rest exactly.

use super::products::Products;
use crate::engine::{Budget, Engine, NoPartials, Query, Verdict};
use crate::tuning::nonlinear_fix::TICKS;
use crate::verify::satisfies;
use rustc_hash::FxHashMap;
use smt::{FunId, Model, Op, RBig, TermId, TermMap, Terms, Value, walk};

/// A model of the query in which some symbols have the values of another model, if there is one.
pub(super) fn solve(
    terms: &mut Terms,
    query: &Query,
    products: &Products,
    model: &Model,
    inner: impl Fn() -> Box<dyn Engine>,
    budget: &mut Budget,
) -> Option<Model> {
    let reals = products.list.iter().any(|p| !p.is_int);
    let attempts = [true, false].into_iter().flat_map(|first| {
        GRIDS.iter().take(if reals { GRIDS.len() } else { 1 }).map(move |&grid| (first, grid))
    });
    let mut tried: Vec<Vec<(FunId, Value)>> = Vec::new();
    for (first, grid) in attempts {
        let fixed = symbols_to_fix(terms, products, first);
        let mut map = TermMap::default();
        let mut values = Vec::new();
        for symbol in fixed {
            let fun = terms.as_fun(symbol)?;
            let value = simple(model.value(fun)?.clone(), grid);
            let constant = terms.constant(value.clone());
            map.insert(symbol, constant);
            values.push((fun, value));
        }
        if tried.contains(&values) {
            continue;
        }
        tried.push(values.clone());
        let assertions = terms.substitute(&query.assertions, &map);
        let mut slice = budget.slice(TICKS);
        let before = slice.ticks_left();
        let verdict = inner().solve(terms, &Query::new(assertions), &mut slice, &mut NoPartials);
        budget.spend(u32::try_from(before - slice.ticks_left()).unwrap_or(u32::MAX));
        if let Verdict::Sat(mut found) = verdict {
            for (fun, value) in values {
                found.set(fun, value);
            }
            if satisfies(terms, &found, &query.assertions) {
                return Some(found);
            }
        }
    }
    None
}

/// The symbols in the first, or the second, factors of products.
fn symbols_to_fix(terms: &Terms, products: &Products, first: bool) -> Vec<TermId> {
    let unknowns: FxHashMap<TermId, ()> = products.list.iter().map(|p| (p.result, ())).collect();
    let factors: Vec<TermId> = products.list.iter().map(|p| if first { p.a } else { p.b }).collect();
    let is_symbol =
        |t: &TermId| terms.op(*t) == Op::Apply && terms.args(*t).is_empty() && !unknowns.contains_key(t);
    walk::reachable(terms, &factors).into_iter().filter(is_symbol).collect()
}

/// Reals are fixed to short ones nearby, on these grids: long ones only make the rest longer, and solutions that people write are on
/// coarse ones.
static GRIDS: [u32; 3] = [64, 1, 10];

/// The nearest value on a grid; what has no longer denominator stays.
fn simple(value: Value, grid: u32) -> Value {
    match value {
        Value::Real(real) => {
            let scale = RBig::from(smt::IBig::from(grid));
            let rounded = (&real * &scale).round();
            let near = RBig::from(rounded) / scale;
            Value::Real(if real.denominator() > &smt::UBig::from(grid) { near } else { real })
        }
        other => other,
    }
}
