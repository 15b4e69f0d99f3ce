//! From registers back to values of symbols.

use super::compile::Compiled;
use super::machine::Machine;
use super::program::{Program, Table};
use super::search::Search;
use crate::engine::Query;
use smt::ArrayValue;
use smt::model::{Interpretation, Table as Graph};
use smt::{Evaluator, Float, FunId, Model, Op, Sort, SortId, Terms, Value, walk};
use std::sync::Arc;

/// The values of the query's constant symbols, as far as they have one.
pub(super) fn values(search: &Search) -> Vec<(FunId, Value)> {
    let mut values = all_values(search);
    values.retain(|(fun, _)| search.zeros.is_none_or(|zeros| !zeros.contains(*fun)));
    values
}

fn all_values(search: &Search) -> Vec<(FunId, Value)> {
    let (program, machine) = (&search.program, &search.machine);
    let mut values: Vec<(FunId, Value)> = program
        .symbols
        .iter()
        .filter_map(|&(fun, slot, kind)| Some((fun, machine.value(program, slot, kind)?)))
        .collect();
    values.sort_by_key(|(fun, _)| *fun);
    values
}

/// The model that the search stands at, without the choice of zeros.
pub(super) fn model(terms: &Terms, query: &Query, search: &Search) -> Model {
    let mut model = Model::default();
    for (fun, value) in values(search) {
        model.set(fun, value);
    }
    for table in &search.program.tables {
        insert_table(terms, &mut model, &search.program, &search.machine, table);
    }
    // Arrays that nothing reads may be anything.
    for term in walk::reachable(terms, &query.assertions) {
        let sort = terms.sort(term);
        if let (Op::Apply, Sort::Array(_, element), true) =
            (terms.op(term), terms.sort_of(sort), terms.args(term).is_empty())
            && let Some(fun) = terms.as_fun(term)
            && model.value(fun).is_none()
            && let Some(default) = some_value(terms, *element)
        {
            model.set(fun, Value::Array(Arc::new(ArrayValue::constant(sort, default))));
        }
    }
    for &(fun, definition) in search.program.arrays.iter().rev() {
        if let Ok(value) = Evaluator::new(terms, &model).eval(definition) {
            model.set(fun, value);
        }
    }
    model
}

/// The same model with the choice of zeros that the search made, if it made one.
pub(super) fn with_zeros(mut model: Model, search: &Search) -> Option<Model> {
    search.zeros?.choose(&all_values(search), &mut model);
    Some(model)
}

/// The symbols whose values equations fix.
pub(super) fn fixed(compiled: &Compiled) -> Model {
    let mut model = Model::default();
    for &(fun, slot, kind) in &compiled.program.symbols {
        if compiled.constants.contains(&slot)
            && let Some(value) = compiled.machine.value(&compiled.program, slot, kind)
        {
            model.set(fun, value);
        }
    }
    model
}

fn insert_table(terms: &Terms, model: &mut Model, program: &Program, machine: &Machine, table: &Table) {
    let mut graph = Graph { default: some_value(terms, result_sort(terms, table)), ..Graph::default() };
    for read in &table.reads {
        let args: Option<Vec<Value>> = read
            .args
            .iter()
            .zip(&table.params)
            .map(|(&slot, &kind)| machine.value(program, slot, kind))
            .collect();
        if let (Some(args), Some(value)) = (args, machine.value(program, read.result, table.result)) {
            graph.entries.entry(args).or_insert(value);
        }
    }
    if table.is_array {
        let mut array = ArrayValue {
            sort: terms.fun(table.fun).result,
            default: graph.default,
            entries: Default::default(),
        };
        for (mut index, element) in graph.entries {
            array.store(index.remove(0), element);
        }
        model.set(table.fun, Value::Array(Arc::new(array)));
    } else {
        model.insert(table.fun, Interpretation::Table(graph));
    }
}

fn result_sort(terms: &Terms, table: &Table) -> SortId {
    let result = terms.fun(table.fun).result;
    match *terms.sort_of(result) {
        Sort::Array(_, element) if table.is_array => element,
        _ => result,
    }
}

/// A value of a sort that tables and arrays may have as elements.
fn some_value(terms: &Terms, sort: SortId) -> Option<Value> {
    Some(match *terms.sort_of(sort) {
        Sort::Bool => Value::Bool(false),
        Sort::BitVec(width) => Value::BitVec(smt::BitVec::zero(width)),
        Sort::Float(eb, sb) => Value::Float(Float::zero(smt::Format { eb, sb }, false)),
        Sort::RoundingMode => Value::Rm(smt::RoundingMode::Rne),
        Sort::Array(_, element) => {
            Value::Array(Arc::new(ArrayValue::constant(sort, some_value(terms, element)?)))
        }
        _ => return None,
    })
}
