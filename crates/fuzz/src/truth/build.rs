//! From a recipe to a formula, and from a formula to a script.

use super::formula::{Formula, Truth};
use super::plan::{Recipe, simple};
use super::satisfiable::{Pool, assignment, boundary, boundary_tuple};
use super::tables::{EQUIVALENCES, LAWS, OPERATIONS, PAPER_EQUIVALENCES, SPARES, Tables};
use crate::case::Expectation;
use random::Rng;
use smt::{Attribute, AttributeValue, Command, Script, TermId, Terms, Value};

/// The formula that a recipe describes.
pub(crate) fn formula(terms: &mut Terms, tables: &Tables, pool: &Pool, recipe: &Recipe) -> Formula {
    // The steps on unsatisfiable formulas make no choices: there is no model to extend.
    let mut rng = Rng::new(0);
    match *recipe {
        Recipe::Operation { row } => {
            let first = |&(_, sort): &(_, _)| boundary(sort).swap_remove(1);
            let values: Vec<Value> = OPERATIONS[row].args.iter().map(first).collect();
            assignment(terms, &tables.operations[row], &values, 0)
        }
        Recipe::Assignment { row, tuple, fixed } => {
            assignment(terms, &tables.operations[row], &boundary_tuple(row, tuple), fixed)
        }
        Recipe::Synthesis { row, ref args, right } => {
            pool.formula(terms, &tables.operations[row], args, right)
        }
        Recipe::Equivalent { row, patterns } => simple(terms, tables, row, patterns),
        Recipe::Variable { row, patterns, var, law } => {
            let mut formula = simple(terms, tables, row, patterns);
            let x = tables.equivalences[row].vars[var];
            formula.replace_variable(terms, x, &tables.laws[law], 1, true, &mut rng);
            settle_core(&mut formula, row, EQUIVALENCES[row].vars[var].0, law);
            formula
        }
        Recipe::Constant { row, patterns, constant, law } => {
            let mut formula = simple(terms, tables, row, patterns);
            let c = formula.constants(terms, &tables.laws)[constant];
            formula.replace_constant(terms, c, &tables.laws[law], &mut rng);
            settle_core(&mut formula, row, LAWS[law].right, law);
            formula
        }
        Recipe::Inner { row, patterns, var, law } => {
            let mut formula = simple(terms, tables, row, patterns);
            let y = tables.equivalences[row].inner[var];
            formula.replace_variable(terms, y, &tables.laws[law], 1, false, &mut rng);
            formula
        }
        Recipe::Bound { row, patterns, var, law } => {
            let mut formula = simple(terms, tables, row, patterns);
            let y = formula.bound_variables(terms)[var];
            formula.replace_bound(terms, y, &tables.laws[law]);
            formula
        }
    }
}

/// Takes what the refutation does without out of the core. For rows beyond the paper not every pair was checked by hand: a
/// core is claimed there only for laws whose side conditions say nothing of the replaced variable itself.
fn settle_core(formula: &mut Formula, row: usize, replaced: &str, law: usize) {
    let (equivalence, law) = (EQUIVALENCES[row].id, LAWS[law].id);
    formula.minimal &= row < PAPER_EQUIVALENCES || !matches!(law, "NC1" | "NC8");
    let spare = SPARES
        .iter()
        .find(|spare| spare.equivalence == equivalence && spare.replaced == replaced && spare.law == law);
    for part in &mut formula.parts {
        part.core &= spare.is_none_or(|spare| !spare.parts.contains(&part.name.as_str()));
    }
}

/// The script that asks for a formula's truth, and what is expected. Assertions have names where a core is expected.
pub(crate) fn script(terms: &mut Terms, formula: &Formula, logic: &str) -> (Script, Expectation) {
    let mut script = Script::default();
    let logic = terms.symbol(logic);
    script.push(Command::SetLogic(logic));
    for var in formula.variables(terms) {
        script.push(Command::DeclareFun(terms.as_fun(var).expect("a variable")));
    }
    let core = core_of(formula);
    for part in &formula.parts {
        let term = if core.is_some() { named(terms, part.term, &part.name) } else { part.term };
        script.push(Command::Assert(term));
    }
    script.push(Command::CheckSat);
    let expected = match formula.truth {
        Truth::Sat(_) => Expectation::Sat,
        Truth::Unsat => Expectation::Unsat { core },
    };
    (script, expected)
}

/// The names of the minimal core, where the construction gives one.
fn core_of(formula: &Formula) -> Option<Vec<String>> {
    let known = matches!(formula.truth, Truth::Unsat) && formula.minimal;
    known.then(|| formula.parts.iter().filter(|part| part.core).map(|part| part.name.clone()).collect())
}

fn named(terms: &mut Terms, term: TermId, name: &str) -> TermId {
    let (keyword, text) = (terms.symbol(":named"), terms.symbol(name));
    terms.annotate(term, &[Attribute { keyword, value: AttributeValue::Text(text) }], &[])
}
