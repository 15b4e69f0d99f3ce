//! The graph of a function that a model gives by a term: the few arguments that the term tells apart, and one value for
//! all others. It is what makes arrays and functions of a model comparable. Terms that do more than compare their
//! variables with values are left as they are.

use crate::bitvec::BitVec;
use crate::eval::{Evaluator, values_of};
use crate::float::{Float, Format};
use crate::model::{Model, Table};
use crate::op::Op;
use crate::sort::{Sort, SortId};
use crate::string::SmtString;
use crate::term::{Flags, TermId, Terms};
use crate::value::Value;
use crate::walk::reachable;
use dashu_int::IBig;
use dashu_ratio::RBig;

/// The graph of `vars -> body`, if the body only compares the variables with values.
pub(crate) fn tabulate(terms: &Terms, model: &Model, vars: &[TermId], body: TermId) -> Option<Table> {
    let mut evaluator = Evaluator::new(terms, model);
    let table = chain(terms, &mut evaluator, vars, body).or_else(|| match *vars {
        [var] => points(terms, &mut evaluator, var, body),
        _ => None,
    });
    // Z3 compares arrays with functions that are read later: an argument that looks otherwise may be the one that is meant.
    table.filter(|table| table.entries.keys().flatten().all(Value::is_told_by_looks))
}

/// A chain of `ite`s over all variables, as solvers write functions.
fn chain(terms: &Terms, evaluator: &mut Evaluator<'_>, vars: &[TermId], body: TermId) -> Option<Table> {
    let mut table = Table::default();
    let mut at = body;
    while terms.op(at) == Op::Ite {
        let &[condition, then, otherwise] = terms.args(at) else { return None };
        let mut args: Vec<Option<Value>> = vec![None; vars.len()];
        let conjuncts = if terms.op(condition) == Op::And {
            terms.args(condition)
        } else {
            std::slice::from_ref(&condition)
        };
        for &conjunct in conjuncts {
            let &[a, b] = terms.args(conjunct) else { return None };
            if terms.op(conjunct) != Op::Eq {
                return None;
            }
            let (var, value) = if vars.contains(&a) { (a, b) } else { (b, a) };
            let position = vars.iter().position(|&v| v == var)?;
            args[position] = Some(evaluator.eval(value).ok()?);
        }
        let args: Vec<Value> = args.into_iter().collect::<Option<_>>()?;
        let value = evaluator.eval(then).ok()?;
        table.entries.entry(args).or_insert(value);
        at = otherwise;
    }
    table.default = Some(evaluator.eval(at).ok()?);
    Some(table)
}

/// Any term in which the variable stands only in equations with values: those values are the arguments that matter, and
/// all others are alike.
fn points(terms: &Terms, evaluator: &mut Evaluator<'_>, var: TermId, body: TermId) -> Option<Table> {
    let mut listed = Vec::new();
    for term in reachable(terms, &[body]) {
        match (terms.op(term), terms.args(term)) {
            (_, args) if !args.contains(&var) => {}
            (Op::Eq, &[a, b]) => {
                let other = if a == var { b } else { a };
                if terms.flags(other).has(Flags::BOUND) {
                    return None;
                }
                listed.push(evaluator.eval(other).ok()?);
            }
            _ => return None,
        }
    }
    if body == var {
        return None;
    }
    let mut at = |value: Value| evaluator.eval_with(body, &[(var, value)]).ok();
    let mut table = Table::default();
    for value in &listed {
        table.entries.insert(vec![value.clone()], at(value.clone())?);
    }
    let all = values_of(terms, terms.sort(var), listed.len() as u64);
    table.default = if all.is_some_and(|all| all.iter().all(|v| listed.contains(v))) {
        table.entries.values().next().cloned()
    } else {
        Some(at(unlisted(terms, terms.sort(var), &listed)?)?)
    };
    Some(table)
}

/// A value of a sort that is not listed; none if all are listed or the sort's values cannot be made up.
fn unlisted(terms: &Terms, sort: SortId, listed: &[Value]) -> Option<Value> {
    let small = values_of(terms, sort, listed.len() as u64 + 1);
    (0..=listed.len())
        .map_while(|n| match (&small, terms.sort_of(sort)) {
            (Some(all), _) => all.get(n).cloned(),
            (None, Sort::Int) => Some(Value::Int(IBig::from(n))),
            (None, Sort::Real) => Some(Value::Real(RBig::from(IBig::from(n)))),
            (None, Sort::BitVec(width)) => Some(Value::BitVec(BitVec::from_u64(*width, n as u64))),
            (None, Sort::String) => Some(Value::String(SmtString::from_latin1(&vec![b'a'; n]))),
            (None, &Sort::Float(eb, sb)) => {
                Float::from_ordinal(Format { eb, sb }, &IBig::from(n)).map(Value::Float)
            }
            _ => None,
        })
        .find(|value| !listed.contains(value))
}
