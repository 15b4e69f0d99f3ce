//! Exact agreement with enumeration: both verdicts, models, cores.

use crate::generate::Pool;
use random::Rng;
use smt::model::{Interpretation, Model, Table};
use smt::{ArrayValue, Evaluator, FunId, Op, Sort, SortId, TermId, Terms, Value};
use solve::blast::Blast;
use solve::engine::{Budget, Engine, NoPartials, Query, Verdict};
use std::sync::Arc;

/// All values of a small sort.
fn domain(terms: &Terms, sort: SortId) -> Vec<Value> {
    match *terms.sort_of(sort) {
        Sort::Array(index, element) => {
            let (indices, elements) = (domain(terms, index), domain(terms, element));
            let mut arrays = vec![ArrayValue::constant(sort, elements[0].clone())];
            for index in indices {
                arrays = arrays
                    .into_iter()
                    .flat_map(|array| {
                        let index = &index;
                        elements.iter().map(move |element| {
                            let mut array = array.clone();
                            array.store(index.clone(), element.clone());
                            array
                        })
                    })
                    .collect();
            }
            arrays.into_iter().map(|a| Value::Array(Arc::new(a))).collect()
        }
        _ => smt::eval::values_of(terms, sort, 256).expect("a small sort"),
    }
}

/// All interpretations of a symbol.
fn interpretations(terms: &Terms, fun: FunId) -> Vec<Interpretation> {
    let decl = terms.fun(fun);
    match *decl.params {
        [] => domain(terms, decl.result).into_iter().map(Interpretation::Value).collect(),
        [param] => {
            let mut tables = vec![Table::default()];
            for arg in domain(terms, param) {
                tables = tables
                    .into_iter()
                    .flat_map(|table| {
                        let arg = &arg;
                        domain(terms, decl.result).into_iter().map(move |value| {
                            let mut table = table.clone();
                            table.entries.insert(vec![arg.clone()], value);
                            table
                        })
                    })
                    .collect();
            }
            tables.into_iter().map(Interpretation::Table).collect()
        }
        _ => unreachable!("functions of one argument"),
    }
}

/// Under which of all models each assertion holds.
fn truth_sets(terms: &Terms, symbols: &[FunId], assertions: &[TermId]) -> Vec<Vec<bool>> {
    let choices: Vec<Vec<Interpretation>> = symbols.iter().map(|&s| interpretations(terms, s)).collect();
    let total: usize = choices.iter().map(Vec::len).product();
    let mut sets = vec![Vec::with_capacity(total); assertions.len()];
    for mut n in 0..total {
        let mut model = Model::default();
        for (&symbol, choices) in symbols.iter().zip(&choices) {
            model.insert(symbol, choices[n % choices.len()].clone());
            n /= choices.len();
        }
        let mut evaluator = Evaluator::new(terms, &model);
        for (set, &assertion) in sets.iter_mut().zip(assertions) {
            set.push(evaluator.truth(assertion).expect("everything has a value"));
        }
    }
    sets
}

fn satisfiable(sets: &[&Vec<bool>]) -> bool {
    (0..sets.first().map_or(1, |s| s.len())).any(|i| sets.iter().all(|s| s[i]))
}

/// Compares one verdict with enumeration.
fn judge(
    terms: &Terms,
    sets: &[Vec<bool>],
    assertions: &[TermId],
    verdict: &Verdict,
) -> Result<bool, String> {
    let expected = satisfiable(&sets.iter().collect::<Vec<_>>());
    match verdict {
        Verdict::Sat(model) => {
            let mut evaluator = Evaluator::new(terms, model);
            for &assertion in assertions {
                if evaluator.truth(assertion) != Ok(true) {
                    return Err(format!(
                        "a model that does not satisfy {}",
                        smt::print::term_to_string(terms, assertion)
                    ));
                }
            }
            if expected { Ok(true) } else { Err("sat, but it is not".into()) }
        }
        Verdict::Unsat(core) => {
            let core: Vec<&Vec<bool>> = core.iter().map(|&i| &sets[i]).collect();
            if expected {
                Err("unsat, but it is not".into())
            } else if satisfiable(&core) {
                Err("a core that is satisfiable".into())
            } else {
                Ok(false)
            }
        }
        Verdict::Unknown(reason) => Err(format!("no answer: {reason}")),
    }
}

/// What a family of queries is made of.
struct Family {
    declare: fn(&mut Terms, &mut Rng) -> Vec<TermId>,
    functions: fn(&mut Terms) -> Vec<FunId>,
    max_width: u32,
    queries: usize,
    size: usize,
}

/// Runs random queries; how many were satisfiable and how many were not, or the first disagreement.
fn agree(
    family: &Family,
    seed: u64,
    solve: &mut dyn FnMut(&mut Terms, &Query) -> Verdict,
) -> Result<(usize, usize), String> {
    let mut counts = (0, 0);
    let mut random = Rng::new(seed);
    for number in 0..family.queries {
        let mut terms = Terms::new();
        let variables = (family.declare)(&mut terms, &mut random);
        let functions = (family.functions)(&mut terms);
        let mut pool = Pool::new(&mut terms, &variables, family.max_width);
        let mut symbols: Vec<FunId> = variables.iter().filter_map(|&v| terms.as_fun(v)).collect();
        symbols.extend(&functions);
        let mut assertions = Vec::new();
        for _ in 0..1 + random.below(4) {
            for &fun in &functions {
                let sort = terms.fun(fun).params[0];
                for arg in pool.terms.clone() {
                    if terms.sort(arg) == sort && random.below(4) == 0 {
                        pool.terms.push(terms.apply(fun, &[arg]).expect("well sorted"));
                    }
                }
            }
            assertions.push(pool.formula(&mut terms, &mut random, family.size));
        }
        let sets = truth_sets(&terms, &symbols, &assertions);
        let query = Query::new(assertions);
        let verdict = solve(&mut terms, &query);
        let sat = judge(&terms, &sets, &query.assertions, &verdict).map_err(|wrong| {
            let text: Vec<String> =
                query.assertions.iter().map(|&a| smt::print::term_to_string(&terms, a)).collect();
            format!("query {number}: {wrong}:\n{}", text.join("\n"))
        })?;
        if sat {
            counts.0 += 1;
        } else {
            counts.1 += 1;
        }
    }
    Ok(counts)
}

fn blast(terms: &mut Terms, query: &Query) -> Verdict {
    Blast::new().solve(terms, query, &mut Budget::unlimited(), &mut NoPartials)
}

fn check(family: &Family, seed: u64) {
    let (sat, unsat) = agree(family, seed, &mut blast).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(sat * 10 > family.queries && unsat * 10 > family.queries, "{sat} sat, {unsat} unsat");
}

const WORDS: Family = Family {
    declare: |terms, random| {
        let sort = terms.bit_vec_sort(3);
        let mut all: Vec<TermId> =
            ["x", "y", "z"][..1 + random.below(2)].iter().map(|n| terms.symbol_constant(n, sort)).collect();
        all.push(terms.symbol_constant("p", SortId::BOOL));
        all
    },
    functions: |_| Vec::new(),
    max_width: 6,
    queries: 400,
    size: 12,
};

#[test]
fn words_of_three_bits() {
    check(&WORDS, 1);
}

#[test]
fn three_variables() {
    let family = Family {
        declare: |terms, _| {
            let sort = terms.bit_vec_sort(3);
            ["x", "y", "z"].iter().map(|n| terms.symbol_constant(n, sort)).collect()
        },
        queries: 80,
        ..WORDS
    };
    check(&family, 2);
}

/// Stores, choices, constant arrays and equalities of arrays from two bits to one.
fn declare_arrays(terms: &mut Terms, _: &mut Rng) -> Vec<TermId> {
    let (index, element) = (terms.bit_vec_sort(2), terms.bit_vec_sort(1));
    let sort = terms.array_sort(index, element);
    let mut all: Vec<TermId> = ["m", "n"].iter().map(|n| terms.symbol_constant(n, sort)).collect();
    let (x, y) = (terms.symbol_constant("x", index), terms.symbol_constant("y", element));
    let constant = terms.const_array(sort, y).expect("well sorted");
    let choice_by = terms.mk(Op::Eq, &[all[0], all[1]]);
    let choice = terms.mk(Op::Ite, &[choice_by, constant, all[1]]);
    all.extend([x, y, choice, constant]);
    let zero = terms.bv(1, 0);
    all.push(terms.const_array(sort, zero).expect("well sorted"));
    all
}

const ARRAYS: Family = Family {
    declare: |terms, random| declare_arrays(terms, random),
    functions: |_| Vec::new(),
    max_width: 2,
    queries: 120,
    size: 10,
};

#[test]
fn arrays_of_four_bits() {
    check(&ARRAYS, 3);
}

#[test]
fn arrays_over_booleans() {
    let family = Family {
        declare: |terms, _| {
            let sort = terms.array_sort(SortId::BOOL, SortId::BOOL);
            let mut all: Vec<TermId> =
                ["m", "n", "k"].iter().map(|n| terms.symbol_constant(n, sort)).collect();
            let p = terms.symbol_constant("p", SortId::BOOL);
            all.push(terms.const_array(sort, p).expect("well sorted"));
            all.push(terms.const_array(sort, TermId::TRUE).expect("well sorted"));
            all.push(p);
            all
        },
        queries: 200,
        ..ARRAYS
    };
    check(&family, 4);
}

#[test]
fn functions_of_two_bits() {
    let family = Family {
        declare: |terms, _| {
            let sort = terms.bit_vec_sort(2);
            ["x", "y"].iter().map(|n| terms.symbol_constant(n, sort)).collect()
        },
        functions: |terms| {
            let (param, result) = (terms.bit_vec_sort(2), terms.bit_vec_sort(1));
            let (f, g) = (terms.symbol("f"), terms.symbol("g"));
            vec![terms.declare(f, &[param], result), terms.declare(g, &[result], SortId::BOOL)]
        },
        max_width: 2,
        queries: 120,
        size: 8,
    };
    check(&family, 5);
}

/// The oracle finds a solver that takes `bvult` for `bvule`.
#[test]
fn a_planted_confusion_of_operators_is_found() {
    let found = agree(&WORDS, 1, &mut |terms, query| {
        let mut map = smt::TermMap::default();
        for term in smt::walk::reachable(terms, &query.assertions) {
            if terms.op(term) == Op::BvUlt {
                let args = terms.args(term).to_vec();
                map.insert(term, terms.mk(Op::BvUle, &args));
            }
        }
        let assertions = terms.substitute(&query.assertions, &map);
        blast(terms, &Query::new(assertions))
    });
    assert!(found.is_err());
}

/// The oracle finds a solver whose cores lack an assertion.
#[test]
fn a_planted_short_core_is_found() {
    let found = agree(&WORDS, 1, &mut |terms, query| match blast(terms, query) {
        Verdict::Unsat(mut core) => {
            core.pop();
            Verdict::Unsat(core)
        }
        other => other,
    });
    assert!(found.is_err());
}
