//! Values for symbols that the query does not constrain: one value of every sort that has a simplest one, and models completed
//! with them.

use smt::model::{Interpretation, Table};
use smt::{
    ArrayValue, CollectionValue, DatatypeValue, FieldValue, Float, Format, FunId, IBig, Model, RBig,
    RoundingMode, SmtString, Sort, SortId, Terms, UBig, Value,
};
use std::sync::Arc;

/// The simplest value of a sort: false, zero, nothing, the same everywhere. Languages and maps have none here.
pub(crate) fn default_value(terms: &mut Terms, sort: SortId) -> Option<Value> {
    value(terms, sort, &mut Vec::new())
}

/// `inside` lists the datatypes that are under construction: a simplest value never needs one of its own sort.
fn value(terms: &mut Terms, sort: SortId, inside: &mut Vec<SortId>) -> Option<Value> {
    Some(match terms.sort_of(sort).clone() {
        Sort::Bool => Value::Bool(false),
        Sort::Int => Value::Int(IBig::ZERO),
        Sort::Real => Value::Real(RBig::ZERO),
        Sort::RoundingMode => Value::Rm(RoundingMode::Rne),
        Sort::String => Value::String(SmtString::empty()),
        Sort::BitVec(width) => Value::BitVec(smt::BitVec::zero(width)),
        Sort::Float(eb, sb) => {
            let format = Format { eb, sb };
            Value::Float(Float::zero(format.is_supported().then_some(format)?, false))
        }
        Sort::Array(_, element) => {
            let element = value(terms, element, inside)?;
            Value::Array(Arc::new(ArrayValue::constant(sort, element)))
        }
        Sort::Uninterpreted(name, _) => {
            let name = format!("@{}!0", terms.name(name));
            Value::Element(sort, terms.symbol(&name))
        }
        Sort::Datatype(id, _) => constructed(terms, sort, id, inside)?,
        Sort::Collection(..) => Value::Collection(Arc::new(CollectionValue { sort, items: Vec::new() })),
        Sort::FiniteField(_) => Value::Field(Arc::new(FieldValue { sort, value: UBig::ZERO })),
        Sort::RegLan | Sort::Function(..) | Sort::Parameter(_) => return None,
    })
}

/// The first constructor whose fields all have default values; the ones with fewer fields are tried first.
fn constructed(
    terms: &mut Terms,
    sort: SortId,
    id: smt::DatatypeId,
    inside: &mut Vec<SortId>,
) -> Option<Value> {
    if inside.contains(&sort) {
        return None;
    }
    inside.push(sort);
    let found = first_constructed(terms, sort, id, inside);
    inside.pop();
    found
}

fn first_constructed(
    terms: &mut Terms,
    sort: SortId,
    id: smt::DatatypeId,
    inside: &mut Vec<SortId>,
) -> Option<Value> {
    let mut ctors = terms.datatype(id).ctors.clone();
    ctors.sort_by_key(|&c| terms.ctor(c).fields.len());
    for ctor in ctors {
        let fields = terms.ctor(ctor).fields.clone();
        let values: Option<Box<[Value]>> = fields
            .into_iter()
            .map(|field| {
                let sort = terms.field_sort(field, sort).ok()?;
                value(terms, sort, inside)
            })
            .collect();
        if let Some(fields) = values {
            let nesting = |v: &Value| if let Value::Datatype(d) = v { d.depth } else { 0 };
            let depth = 1 + fields.iter().map(nesting).max().unwrap_or(0);
            return Some(Value::Datatype(Arc::new(DatatypeValue { sort, ctor, fields, depth })));
        }
    }
    None
}

/// Gives every function that the model does not list its default: constants a value, functions the same value for all
/// arguments. Defined functions have their meaning already.
pub(crate) fn complete(terms: &mut Terms, model: &mut Model, functions: &[FunId]) {
    for &fun in functions {
        if terms.fun(fun).definition.is_some() {
            continue;
        }
        let missing = match model.interpretation(fun) {
            None => true,
            Some(Interpretation::Table(table)) => table.default.is_none(),
            Some(_) => false,
        };
        if !missing {
            continue;
        }
        let Some(value) = default_value(terms, terms.fun(fun).result) else { continue };
        let interpretation = match model.interpretation(fun) {
            Some(Interpretation::Table(table)) => {
                Interpretation::Table(Table { default: Some(value), ..table.clone() })
            }
            _ if terms.fun(fun).params.is_empty() => Interpretation::Value(value),
            _ => Interpretation::Table(Table { default: Some(value), ..Table::default() }),
        };
        model.insert(fun, interpretation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::print::value_to_string;
    use smt::{Command, read_script};

    #[test]
    fn every_sort_with_a_simplest_value() {
        let table = [
            ("Bool", "false"),
            ("Int", "0"),
            ("Real", "0.0"),
            ("RoundingMode", "RNE"),
            ("String", "\"\""),
            ("(_ BitVec 4)", "#x0"),
            ("(_ FloatingPoint 3 5)", "(_ +zero 3 5)"),
            ("(Array Int Bool)", "((as const (Array Int Bool)) false)"),
            ("(Array Int T)", "((as const (Array Int T)) (as @T!0 T))"),
            ("L", "nil"),
            ("P", "(pair 0 nil)"),
        ];
        for (sort, expected) in table {
            let mut terms = Terms::new();
            let source = format!(
                "(declare-sort T 0)(declare-datatype L ((cons (head Int) (tail L)) (nil)))
                 (declare-datatype P ((pair (first Int) (rest L))))(declare-const x {sort})"
            );
            let reading = read_script(&mut terms, &source);
            assert!(reading.errors.is_empty(), "{:?}", reading.errors);
            let Some(Command::DeclareConst(x)) = reading.script.commands.last() else { panic!("a constant") };
            let sort = terms.fun(*x).result;
            let value = default_value(&mut terms, sort).unwrap();
            assert_eq!(value_to_string(&terms, &value), expected);
        }
    }
}
