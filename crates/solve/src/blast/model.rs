//! From a circuit's model to a model of the query: symbols get their values, replaced variables are computed, arrays and
//! functions are what their reads and applications say.

use super::axioms::{Check, Function};
use super::float::ZeroChoices;
use super::prepare::Prepared;
use super::support::is_array;
use super::valuation::{Key, Valuation, value_of};
use smt::model::{Interpretation, Model, Table};
use smt::walk::Walker;
use smt::{ArrayValue, Conversion, Evaluator, FunId, Op, Sort, SortId, TermId, Terms, Value, ZeroSigns};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The constants and functions of a query, in the order of their declaration.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    /// The constants, as terms.
    pub(super) constants: Vec<TermId>,
    /// The uninterpreted functions that need a table.
    pub(super) functions: Vec<FunId>,
    /// The conversions that SMT-LIB leaves open for some arguments.
    pub(super) conversions: Vec<Conversion>,
    /// Whether there is `fp.min` or `fp.max`.
    pub(super) has_zero_choice: bool,
}

impl Symbols {
    /// Those that occur in some terms.
    pub(super) fn of(terms: &Terms, walker: &mut Walker, roots: &[TermId]) -> Symbols {
        let mut symbols = Symbols::default();
        walker.visit(terms, roots, |term| {
            if terms.op(term) == Op::Apply {
                if terms.args(term).is_empty() {
                    symbols.constants.push(term);
                } else {
                    symbols.functions.extend(terms.as_fun(term));
                }
            }
            symbols.conversions.extend(Conversion::of(terms, term));
            symbols.has_zero_choice |= matches!(terms.op(term), Op::FpMin | Op::FpMax);
        });
        symbols.constants.sort_unstable();
        symbols.functions.sort_unstable();
        symbols.functions.dedup();
        symbols.conversions.sort_unstable();
        symbols.conversions.dedup();
        symbols
    }
}

/// Some value of a sort.
fn any_value(terms: &mut Terms, sort: SortId) -> Value {
    match *terms.sort_of(sort) {
        Sort::Array(_, element) => {
            let default = any_value(terms, element);
            Value::Array(Arc::new(ArrayValue::constant(sort, default)))
        }
        _ => value_of(terms, sort, &[]),
    }
}

/// The model of a query that a valuation and its check describe.
pub(super) fn build(
    terms: &mut Terms,
    symbols: &Symbols,
    prepared: &Prepared,
    values: &mut Valuation<'_>,
    check: &Check,
    zeros: &ZeroChoices,
) -> Model {
    let mut model = Model::default();
    let mut elements: BTreeMap<TermId, Vec<(&Key, &Key)>> = BTreeMap::new();
    for (array, index, element) in &check.elements {
        elements.entry(*array).or_default().push((index, element));
    }
    for &constant in &symbols.constants {
        let sort = terms.sort(constant);
        let value = if is_array(terms, constant) {
            let listed = elements.get(&constant).map_or(&[][..], |list| list);
            array_value(terms, sort, listed, check.defaults.get(&constant))
        } else {
            let key = values.key(constant);
            value_of(terms, sort, &key)
        };
        model.set(terms.as_fun(constant).expect("a symbol"), value);
    }
    build_functions(terms, symbols, check, &mut model);
    if symbols.has_zero_choice {
        choose_zeros(values, zeros, &mut model);
    }
    compute_replaced(terms, prepared, &mut model);
    model
}

fn array_value(terms: &mut Terms, sort: SortId, listed: &[(&Key, &Key)], default: Option<&Key>) -> Value {
    let Sort::Array(index, element) = *terms.sort_of(sort) else { unreachable!("the sort of an array") };
    let default = match default {
        Some(key) => value_of(terms, element, key),
        None => any_value(terms, element),
    };
    let mut array = ArrayValue::constant(sort, default);
    for (at, value) in listed {
        let (at, value) = (value_of(terms, index, at), value_of(terms, element, value));
        array.store(at, value);
    }
    Value::Array(Arc::new(array))
}

fn build_functions(terms: &mut Terms, symbols: &Symbols, check: &Check, model: &mut Model) {
    let mut tables: BTreeMap<FunId, Table> = BTreeMap::new();
    let mut open: BTreeMap<Conversion, Table> = BTreeMap::new();
    for (function, args, value) in &check.graph {
        let fun = match function {
            Function::Symbol(fun) => fun,
            Function::Conversion(conversion) => {
                let (params, result) = conversion.signature(terms);
                let args = args.iter().zip(params).map(|(key, sort)| value_of(terms, sort, key)).collect();
                let value = value_of(terms, result, value);
                open.entry(*conversion).or_default().entries.insert(args, value);
                continue;
            }
        };
        let (params, result) = (terms.fun(*fun).params.clone(), terms.fun(*fun).result);
        let args = args.iter().zip(params.iter()).map(|(key, &sort)| value_of(terms, sort, key)).collect();
        let value = value_of(terms, result, value);
        tables.entry(*fun).or_default().entries.insert(args, value);
    }
    for &fun in &symbols.functions {
        let mut table = tables.remove(&fun).unwrap_or_default();
        table.default = Some(any_value(terms, terms.fun(fun).result));
        model.insert(fun, Interpretation::Table(table));
    }
    // The list includes arguments for which the conversion has a value; these are never looked up.
    for &conversion in &symbols.conversions {
        let mut table = open.remove(&conversion).unwrap_or_default();
        let result = conversion.signature(terms).1;
        table.default = Some(any_value(terms, result));
        model.set_conversion(terms, conversion, table);
    }
}

/// The zeros that the model chooses for `fp.min` and `fp.max`; formats that choose otherwise are left to the judge.
fn choose_zeros(values: &mut Valuation<'_>, zeros: &ZeroChoices, model: &mut Model) {
    let mut of = |op: Op| {
        let mut choices: Vec<_> = zeros.iter().filter(|((o, _), _)| *o == op).collect();
        choices.sort_unstable();
        choices.first().map_or([false; 2], |(_, choice)| choice.map(|bit| values.edge(bit)))
    };
    model.set_zero_signs(ZeroSigns { min: of(Op::FpMin), max: of(Op::FpMax) });
}

/// Later rounds first: a value mentions variables of later rounds only.
fn compute_replaced(terms: &mut Terms, prepared: &Prepared, model: &mut Model) {
    for round in prepared.rounds.iter().rev() {
        let mut evaluator = Evaluator::new(terms, model);
        let computed: Vec<(FunId, Value)> = round
            .iter()
            .filter_map(|&(var, value)| Some((terms.as_fun(var)?, evaluator.eval(value).ok()?)))
            .collect();
        for (var, value) in computed {
            model.set(var, value);
        }
    }
}
