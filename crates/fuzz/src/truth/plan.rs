//! The enumeration: every test of the paper's construction as a small recipe, in the paper's order and without repetition,
//! and how many there are of each category. What a recipe says is built by [`super::build`].

use super::formula::{Formula, constant_laws, variable_laws};
use super::satisfiable::{Pool, assignment, boundary_tuple, boundary_tuples};
use super::tables::{EQUIVALENCES, LAWS, OPERATIONS, PAPER_EQUIVALENCES, PAPER_OPERATIONS, Tables};
use crate::case::Verdict;
use rustc_hash::FxHashSet;
use smt::{Flags, TermId, Terms};

/// The categories of the paper's Table 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Category {
    /// Step 1: an operation by itself.
    Operation,
    /// Step 2: some variables fixed to constants.
    ConstantAssignment,
    /// Step 2: terms for variables.
    TermSynthesis,
    /// Step 1: an operation against its equivalent formula.
    Equivalent,
    /// Step 2: a variable or constant replaced.
    LargerCore,
    /// Step 2: terms in the way.
    Redundancy,
}

/// How many tests a category has, here and in the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// Which of the paper's categories is counted.
    pub category: Category,
    /// Whether quantifiers carry patterns; those without quantifiers are not repeated here, the paper's are.
    pub patterns: bool,
    /// What a solver should say.
    pub expected: Verdict,
    /// The paper's number (Table 4).
    pub paper: usize,
    /// Ours, from the paper's tables.
    pub ours: usize,
    /// Ours, from the rows beyond the paper.
    pub beyond: usize,
}

impl Category {
    /// The paper's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Category::Operation => "operation",
            Category::ConstantAssignment => "constant assignment",
            Category::TermSynthesis => "term synthesis",
            Category::Equivalent => "equivalent formula",
            Category::LargerCore => "larger unsat core",
            Category::Redundancy => "redundancy introduction",
        }
    }
}

/// Table 4: category, patterns, verdict, number of tests.
pub(crate) static CATEGORIES: &[(Category, bool, Verdict, usize)] = &[
    (Category::Operation, false, Verdict::Sat, 12),
    (Category::ConstantAssignment, false, Verdict::Sat, 4714),
    (Category::TermSynthesis, false, Verdict::Sat, 1394),
    (Category::Equivalent, false, Verdict::Unsat, 12),
    (Category::Equivalent, true, Verdict::Unsat, 12),
    (Category::LargerCore, false, Verdict::Unsat, 268),
    (Category::LargerCore, true, Verdict::Unsat, 268),
    (Category::Redundancy, false, Verdict::Unsat, 178),
    (Category::Redundancy, true, Verdict::Unsat, 178),
];

/// One test of the enumeration, by positions in the tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Recipe {
    Operation { row: usize },
    Assignment { row: usize, tuple: usize, fixed: u8 },
    Synthesis { row: usize, args: Vec<usize>, right: usize },
    Equivalent { row: usize, patterns: bool },
    Variable { row: usize, patterns: bool, var: usize, law: usize },
    Constant { row: usize, patterns: bool, constant: usize, law: usize },
    Inner { row: usize, patterns: bool, var: usize, law: usize },
    Bound { row: usize, patterns: bool, var: usize, law: usize },
}

impl Recipe {
    /// Where the recipe belongs.
    pub(crate) fn category(&self) -> (Category, bool) {
        match *self {
            Recipe::Operation { .. } => (Category::Operation, false),
            Recipe::Assignment { .. } => (Category::ConstantAssignment, false),
            Recipe::Synthesis { .. } => (Category::TermSynthesis, false),
            Recipe::Equivalent { patterns, .. } => (Category::Equivalent, patterns),
            Recipe::Variable { patterns, .. } | Recipe::Constant { patterns, .. } => {
                (Category::LargerCore, patterns)
            }
            Recipe::Inner { patterns, .. } | Recipe::Bound { patterns, .. } => {
                (Category::Redundancy, patterns)
            }
        }
    }

    /// Whether the row is one of the paper's.
    fn is_paper(&self) -> bool {
        match *self {
            Recipe::Operation { row } | Recipe::Assignment { row, .. } | Recipe::Synthesis { row, .. } => {
                row < PAPER_OPERATIONS
            }
            Recipe::Equivalent { row, .. }
            | Recipe::Variable { row, .. }
            | Recipe::Constant { row, .. }
            | Recipe::Inner { row, .. }
            | Recipe::Bound { row, .. } => row < PAPER_EQUIVALENCES,
        }
    }
}

/// All tests: the paper's in the order of Table 4, then the rows beyond it in the same order.
pub(crate) fn enumerate(terms: &Terms, tables: &Tables, pool: &Pool, beyond: bool) -> Vec<Recipe> {
    // What is built to find repetitions does not stay in the arena of the batches.
    let mut scratch = terms.clone();
    let mut all = group(&mut scratch, tables, pool, 0..PAPER_OPERATIONS, 0..PAPER_EQUIVALENCES);
    if beyond {
        let operations = PAPER_OPERATIONS..OPERATIONS.len();
        let equivalences = PAPER_EQUIVALENCES..EQUIVALENCES.len();
        all.extend(group(&mut scratch, tables, pool, operations, equivalences));
    }
    all
}

type Rows = std::ops::Range<usize>;

/// The recipes of one kind for one row of Table 2.
type OfRow = fn(&mut Terms, &Tables, usize, bool) -> Vec<Recipe>;

fn group(
    terms: &mut Terms,
    tables: &Tables,
    pool: &Pool,
    operations: Rows,
    equivalences: Rows,
) -> Vec<Recipe> {
    let mut all: Vec<Recipe> = operations.clone().map(|row| Recipe::Operation { row }).collect();
    for row in operations.clone() {
        all.extend(assignments(terms, tables, row));
    }
    for row in operations {
        let found = pool.formulas(terms, &tables.operations[row]);
        all.extend(found.into_iter().map(|(args, right)| Recipe::Synthesis { row, args, right }));
    }
    let kinds: [OfRow; 3] =
        [|_, _, row, patterns| vec![Recipe::Equivalent { row, patterns }], larger_cores, redundancies];
    for kind in kinds {
        for patterns in [false, true] {
            for row in equivalences.clone() {
                if !patterns || has_patterns(terms, tables, row) {
                    all.extend(kind(terms, tables, row, patterns));
                }
            }
        }
    }
    all
}

/// Constant assignment of one operation: every tuple of constants, every non-empty choice of what is fixed.
fn assignments(terms: &mut Terms, tables: &Tables, row: usize) -> Vec<Recipe> {
    let operation = &tables.operations[row];
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut found = Vec::new();
    for tuple in 0..boundary_tuples(row) {
        let values = boundary_tuple(row, tuple);
        for fixed in 1..1u8 << (values.len() + 1) {
            let formula = assignment(terms, operation, &values, fixed);
            if seen.insert(formula.parts[0].term) {
                found.push(Recipe::Assignment { row, tuple, fixed });
            }
        }
    }
    found
}

fn has_patterns(terms: &Terms, tables: &Tables, row: usize) -> bool {
    tables.equivalences[row].parts.iter().any(|&part| terms.flags(part).has(Flags::ANNOTATION))
}

/// The formula of step 1 for a row of Table 2.
pub(crate) fn simple(terms: &mut Terms, tables: &Tables, row: usize, patterns: bool) -> Formula {
    let row = &tables.equivalences[row];
    let parts = if patterns { row.parts.clone() } else { terms.strip_annotations(&row.parts) };
    Formula::unsat(terms, row.claim, &parts)
}

/// Variable replacement and constant replacement of one row.
fn larger_cores(terms: &mut Terms, tables: &Tables, row: usize, patterns: bool) -> Vec<Recipe> {
    let mut found = Vec::new();
    for (var, &x) in tables.equivalences[row].vars.iter().enumerate() {
        for law in variable_laws(&tables.laws, terms, terms.sort(x)) {
            found.push(Recipe::Variable { row, patterns, var, law });
        }
    }
    let formula = simple(terms, tables, row, patterns);
    for (constant, &c) in formula.constants(terms, &tables.laws).iter().enumerate() {
        for law in constant_laws(&tables.laws, c) {
            found.push(Recipe::Constant { row, patterns, constant, law });
        }
    }
    found
}

/// Redundancy for the variables of the parts alone, free and bound.
fn redundancies(terms: &mut Terms, tables: &Tables, row: usize, patterns: bool) -> Vec<Recipe> {
    let mut found = Vec::new();
    for (var, &y) in tables.equivalences[row].inner.iter().enumerate() {
        for law in variable_laws(&tables.laws, terms, terms.sort(y)) {
            found.push(Recipe::Inner { row, patterns, var, law });
        }
    }
    let formula = simple(terms, tables, row, patterns);
    for (var, &y) in formula.bound_variables(terms).iter().enumerate() {
        for law in variable_laws(&tables.laws, terms, terms.sort(y)) {
            found.push(Recipe::Bound { row, patterns, var, law });
        }
    }
    found
}

/// How many tests of each category there are.
pub(crate) fn count(recipes: &[Recipe]) -> Vec<Count> {
    CATEGORIES
        .iter()
        .map(|&(category, patterns, expected, paper)| {
            let of = |from_paper: bool| {
                recipes
                    .iter()
                    .filter(|r| r.category() == (category, patterns) && r.is_paper() == from_paper)
                    .count()
            };
            Count { category, patterns, expected, paper, ours: of(true), beyond: of(false) }
        })
        .collect()
}

/// What a recipe is called: the row, what was done to what, and by which row of Table 3.
pub(crate) fn name(terms: &Terms, tables: &Tables, recipe: &Recipe, formula: &Formula) -> String {
    let with = |patterns: bool| if patterns { " +patterns" } else { "" };
    let fun = |term: TermId| terms.fun_name(terms.as_fun(term).expect("a variable"));
    match *recipe {
        Recipe::Operation { row } => format!("operation {}", OPERATIONS[row].name),
        Recipe::Assignment { row, .. } => {
            let equation = smt::print::term_to_string(terms, formula.parts[0].term);
            format!("constant-assignment {} {equation}", OPERATIONS[row].name)
        }
        Recipe::Synthesis { row, .. } => {
            let equation = smt::print::term_to_string(terms, formula.parts[0].term);
            format!("term-synthesis {} {equation}", OPERATIONS[row].name)
        }
        Recipe::Equivalent { row, patterns } => {
            format!("{} equivalent-formula{}", EQUIVALENCES[row].id, with(patterns))
        }
        Recipe::Variable { row, patterns, var, law } => {
            let x = fun(tables.equivalences[row].vars[var]);
            format!("{} variable-replacement {x} {}{}", EQUIVALENCES[row].id, LAWS[law].id, with(patterns))
        }
        Recipe::Constant { row, patterns, law, .. } => {
            format!(
                "{} constant-replacement {} {}{}",
                EQUIVALENCES[row].id,
                LAWS[law].right,
                LAWS[law].id,
                with(patterns)
            )
        }
        Recipe::Inner { row, patterns, var, law } => {
            let y = fun(tables.equivalences[row].inner[var]);
            format!("{} redundancy {y} {}{}", EQUIVALENCES[row].id, LAWS[law].id, with(patterns))
        }
        Recipe::Bound { row, patterns, var, law } => {
            format!("{} redundancy bound{var} {}{}", EQUIVALENCES[row].id, LAWS[law].id, with(patterns))
        }
    }
}
