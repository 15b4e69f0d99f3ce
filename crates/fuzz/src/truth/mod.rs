//! The strategy `truth`: formulas that are satisfiable or unsatisfiable by construction (Bugariu and Müller 2020:
//! Automatically Testing String Solvers), with the model or the minimal core that the construction gives.
//!
//! First comes the enumeration, always the same and in the paper's order: [`tables`] holds Tables 1 to 3 and what continues
//! them, `plan` walks them, `satisfiable` and `formula` are the two halves of the construction, `build` makes scripts. Then,
//! if asked for, batches without end: `chain` composes the paper's steps, `operators` does the same for all theories of the
//! operator table.
//!
//! Nothing here asks a solver. What is claimed rests on the tables, each row of which the tests check, and on
//! [`smt::Evaluator`]; where the standard leaves a value open, nothing is built on it.

mod build;
mod chain;
mod formula;
mod operators;
mod plan;
mod satisfiable;
pub mod tables;

pub use plan::{Category, Count};

use crate::case::{Batch, Origin, Rejected, Strategy, TestCase, Verdict};
use formula::{Formula, model_of};
use plan::Recipe;
use random::Rng;
use satisfiable::Pool;
use smt::{Model, Terms, Theory};
use tables::{PAPER_OPERATIONS, Tables};

/// What is built beside the paper's enumeration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TruthSettings {
    /// Theories that are tested beyond the paper; empty for the paper's enumeration alone, which ends.
    pub beyond: Vec<Theory>,
    /// How many steps are chained in the tests beyond the paper.
    pub depth: usize,
    /// How many rounds the pool of term synthesis grows; 1 in the paper.
    pub bound: usize,
}

impl Default for TruthSettings {
    fn default() -> Self {
        TruthSettings { beyond: Vec::new(), depth: 1, bound: 1 }
    }
}

/// How many tests of the enumeration make a batch.
const BATCH: usize = 64;

/// The strategy.
#[derive(Debug)]
pub struct Truth {
    options: TruthSettings,
    /// The arena that every batch starts from.
    terms: Terms,
    tables: Tables,
    pool: Pool,
    recipes: Vec<Recipe>,
    /// Where the batches of the enumeration start and end.
    ranges: Vec<std::ops::Range<usize>>,
}

impl Truth {
    /// The strategy with these options. The enumeration is planned here, once.
    pub fn new(options: TruthSettings) -> Truth {
        let mut terms = Terms::new();
        let tables = Tables::read(&mut terms);
        let pool = Pool::grow(&mut terms, &tables, PAPER_OPERATIONS, options.bound.max(1));
        let beyond = options.beyond.contains(&Theory::Strings);
        let recipes = plan::enumerate(&terms, &tables, &pool, beyond);
        let ranges = chunks(&recipes);
        Truth { options, terms, tables, pool, recipes, ranges }
    }

    /// How many tests of the enumeration belong to each category, beside the paper's numbers.
    pub fn counts(&self) -> Vec<Count> {
        plan::count(&self.recipes)
    }

    /// How many batches the enumeration has; what comes after them is random.
    pub fn planned(&self) -> u64 {
        self.ranges.len() as u64
    }

    /// The first batch of a category.
    pub fn first_batch(&self, category: Category) -> Option<u64> {
        let of = |range: &std::ops::Range<usize>| self.recipes[range.start].category().0 == category;
        self.ranges.iter().position(of).map(|number| number as u64)
    }

    /// Batch `number`, as [`Strategy::batch`] gives it, for those who also want the models.
    pub fn cases(&self, number: u64, rng: Rng) -> Option<Cases<'_>> {
        let planned = usize::try_from(number).ok().and_then(|n| self.ranges.get(n).cloned());
        let source = match planned {
            Some(range) => Source::Planned(range),
            None if self.options.beyond.is_empty() => return None,
            None => Source::Random { rng, left: BATCH },
        };
        Some(Cases { truth: self, terms: self.terms.clone(), source, model: None })
    }
}

/// Cuts the enumeration into batches of at most [`BATCH`] tests of one category.
fn chunks(recipes: &[Recipe]) -> Vec<std::ops::Range<usize>> {
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    for (i, recipe) in recipes.iter().enumerate() {
        match ranges.last_mut() {
            Some(last) if last.len() < BATCH && recipes[last.start].category() == recipe.category() => {
                last.end = i + 1;
            }
            _ => ranges.push(i..i + 1),
        }
    }
    ranges
}

impl Strategy for Truth {
    fn name(&self) -> &'static str {
        "truth"
    }

    fn batches(&self) -> Option<u64> {
        self.options.beyond.is_empty().then_some(self.planned())
    }

    fn batch(&self, number: u64, rng: Rng) -> Result<Box<dyn Batch + '_>, Rejected> {
        match self.cases(number, rng) {
            Some(cases) => Ok(Box::new(cases)),
            None => Err(Rejected(format!("there is no batch {number}: the enumeration ends before it"))),
        }
    }
}

/// The test cases of a batch.
#[derive(Debug)]
pub struct Cases<'a> {
    truth: &'a Truth,
    terms: Terms,
    source: Source,
    model: Option<Model>,
}

/// Where the cases of a batch come from.
#[derive(Debug)]
enum Source {
    /// Recipes of the enumeration.
    Planned(std::ops::Range<usize>),
    /// This many more by random choice.
    Random { rng: Rng, left: usize },
}

impl Cases<'_> {
    /// The model of the case given last, if it is satisfiable.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    fn give(&mut self, name: String, formula: &Formula, logic: &str) -> TestCase {
        let (script, expected) = build::script(&mut self.terms, formula, logic);
        self.model = match &formula.truth {
            formula::Truth::Sat(values) => Some(model_of(&self.terms, values)),
            formula::Truth::Unsat => None,
        };
        TestCase { script, expected: vec![expected], origin: Origin::Built(name) }
    }
}

impl Batch for Cases<'_> {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn next(&mut self) -> Option<TestCase> {
        let Truth { options, tables, pool, recipes, .. } = self.truth;
        let (formula, name, logic) = match &mut self.source {
            Source::Planned(range) => {
                let recipe = &recipes[range.next()?];
                let formula = build::formula(&mut self.terms, tables, pool, recipe);
                let name = plan::name(&self.terms, tables, recipe, &formula);
                (formula, name, "ALL")
            }
            Source::Random { rng, left } => {
                *left = left.checked_sub(1)?;
                let (formula, name) = random_case(&mut self.terms, tables, pool, options, rng);
                let special = rng.one_in(2);
                let logic = if special { operators::logic(&self.terms, &formula) } else { "ALL" };
                (formula, name, logic)
            }
        };
        Some(self.give(name, &formula, logic))
    }

    fn settle(&mut self, _verdicts: &[Verdict]) {
        // Everything is known beforehand; no answer changes what comes next.
    }
}

/// A formula beyond the enumeration. The evaluator has the last word: what it does not confirm is not claimed.
fn random_case(
    terms: &mut Terms,
    tables: &Tables,
    pool: &Pool,
    options: &TruthSettings,
    rng: &mut Rng,
) -> chain::Named {
    loop {
        let found = match rng.pick(&options.beyond) {
            Theory::Strings if rng.one_in(3) => chain::sat(terms, tables, pool, options.depth, rng),
            Theory::Strings if rng.one_in(2) => chain::unsat(terms, tables, options.depth, rng),
            theory => operators::random(terms, theory, options.depth, rng),
        };
        if matches!(found.0.truth, formula::Truth::Unsat) || found.0.holds(terms) {
            return found;
        }
    }
}

#[cfg(test)]
mod tests;
