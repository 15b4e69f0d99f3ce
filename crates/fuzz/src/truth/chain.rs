//! Chains: several steps of the paper one after the other, on random rows and values (`depth`). The paper applies each step
//! once and names chains as what could be done beyond that (Section 3.2).

use super::formula::{Formula, Truth, constant_laws, variable_laws, variables_of};
use super::plan::simple;
use super::satisfiable::{Pool, assignment, boundary};
use super::tables::{EQUIVALENCES, LAWS, LawTerms, OPERATIONS, STRING, Tables};
use random::Rng;
use smt::{SmtString, SortId, TermId, Terms, Value};

/// A formula and the name in which its steps can be read.
pub(crate) type Named = (Formula, String);

/// An unsatisfiable formula: a row of Table 2 with up to `depth` steps.
pub(crate) fn unsat(terms: &mut Terms, tables: &Tables, depth: usize, rng: &mut Rng) -> Named {
    let row = rng.below(EQUIVALENCES.len());
    let patterns = rng.one_in(2);
    let mut formula = simple(terms, tables, row, patterns);
    let mut name = format!("{} chain", EQUIVALENCES[row].id);
    extend(terms, tables, &mut formula, &mut name, depth, rng);
    (formula, name)
}

/// A satisfiable formula: constant assignment or term synthesis with values of our own choice, and up to `depth` steps.
pub(crate) fn sat(terms: &mut Terms, tables: &Tables, pool: &Pool, depth: usize, rng: &mut Rng) -> Named {
    let row = rng.below(OPERATIONS.len());
    let operation = &tables.operations[row];
    let mut formula = if rng.one_in(3) {
        pool.random_formula(terms, operation, rng)
    } else {
        let values: Vec<Value> = OPERATIONS[row].args.iter().map(|&(_, sort)| value(sort, rng)).collect();
        let fixed = rng.below(1 << (values.len() + 1)) as u8;
        assignment(terms, operation, &values, fixed)
    };
    let mut name = format!("{} chain", OPERATIONS[row].name);
    extend(terms, tables, &mut formula, &mut name, depth, rng);
    (formula, name)
}

/// Makes up to `depth` steps, at least one if one is possible.
fn extend(
    terms: &mut Terms,
    tables: &Tables,
    formula: &mut Formula,
    name: &mut String,
    depth: usize,
    rng: &mut Rng,
) {
    for _ in 0..1 + rng.below(depth.max(1)) {
        if let Some(step) = step(terms, &tables.laws, formula, rng) {
            name.push(' ');
            name.push_str(&step);
        }
    }
}

/// What a step is applied to.
enum Subject {
    Variable(TermId),
    Constant(TermId),
    Bound(TermId),
}

/// One random step; its name, or `None` if it does not apply.
fn step(terms: &mut Terms, laws: &[LawTerms], formula: &mut Formula, rng: &mut Rng) -> Option<String> {
    let bound = formula.bound_variables(terms);
    let mut subjects: Vec<Subject> = formula.variables(terms).into_iter().map(Subject::Variable).collect();
    subjects.extend(formula.constants(terms, laws).into_iter().map(Subject::Constant));
    subjects.extend(bound.iter().map(|&y| Subject::Bound(y)));
    if subjects.is_empty() {
        return None;
    }
    let candidates = |law: Vec<usize>, rng: &mut Rng| (!law.is_empty()).then(|| rng.pick(&law));
    match subjects.swap_remove(rng.below(subjects.len())) {
        Subject::Variable(x) => {
            let law = candidates(variable_laws(laws, terms, terms.sort(x)), rng)?;
            let name = terms.fun_name(terms.as_fun(x).expect("a variable")).to_string();
            // With the claim left alone the two names have to be brought together again.
            let in_claim = variables_of(terms, &[formula.parts[0].term]).contains(&x);
            let from = usize::from(in_claim && formula.parts.len() > 1);
            let needed = in_claim && matches!(formula.truth, Truth::Unsat);
            let done = formula.replace_variable(terms, x, &laws[law], from, needed, rng);
            done.then(|| format!("{name}:{}", LAWS[law].id))
        }
        Subject::Constant(c) => {
            let law = candidates(constant_laws(laws, c), rng)?;
            let done = formula.replace_constant(terms, c, &laws[law], rng);
            done.then(|| format!("{}:{}", LAWS[law].right, LAWS[law].id))
        }
        Subject::Bound(y) => {
            let law = candidates(variable_laws(laws, terms, terms.sort(y)), rng)?;
            let name = terms.name(terms.bound_name(y).expect("a bound variable")).to_string();
            formula.replace_bound(terms, y, &laws[law]);
            Some(format!("{name}:{}", LAWS[law].id))
        }
    }
}

/// A value of the paper's sorts: a boundary value, or a short string or small number of few digits and letters.
pub(crate) fn value(sort: SortId, rng: &mut Rng) -> Value {
    if rng.one_in(3) {
        return rng.pick(&boundary(sort));
    }
    match sort {
        STRING => {
            let length = rng.below(6);
            let letters = rng.pick(&[&b"ab"[..], b"09a", b"ab\\\"x{}u", b"\x00\x7f\x80\xff"]);
            let characters: Vec<u8> = (0..length).map(|_| rng.pick(letters)).collect();
            Value::String(SmtString::from_latin1(&characters))
        }
        SortId::INT => {
            let far = rng.pick(&[48, 57, 97, 255, 256, 196_607, 196_608, 1 << 31]);
            Value::Int(if rng.one_in(6) { far.into() } else { rng.between(-3, 12).into() })
        }
        _ => rng.pick(&boundary(sort)),
    }
}
