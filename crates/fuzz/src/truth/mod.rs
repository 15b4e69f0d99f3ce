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
pub mod grow;
mod operators;
mod plan;
mod satisfiable;
mod score;
pub mod tables;

pub use plan::{Category, Count};
pub use score::Score;

use crate::case::{Batch, Origin, Rejected, Strategy, TestCase, Verdict};
use crate::evidence::Suspicion;
use crate::solver::Run;
use crate::solver::answer::Answer;
use crate::tuning::truth::BATCH;
use formula::{Formula, model_of};
use plan::Recipe;
use random::Rng;
use satisfiable::Pool;
use smt::{Model, Terms, Theory};
use std::collections::BTreeMap;
use std::sync::Mutex;
use tables::{PAPER_OPERATIONS, Tables};

/// The theories that tests beyond the paper can be of, by the names that users give.
pub const BEYOND: [(&str, Theory); 5] = [
    ("strings", Theory::Strings),
    ("arithmetic", Theory::Arith),
    ("bitvectors", Theory::BitVec),
    ("floats", Theory::Float),
    ("arrays", Theory::Arrays),
];

/// What is built beside the paper's enumeration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TruthSettings {
    /// Theories that are tested beyond the paper; empty for the paper's enumeration alone, which ends.
    pub beyond: Vec<Theory>,
    /// How many steps are chained in the tests beyond the paper.
    pub depth: usize,
    /// How many rounds the pool of term synthesis grows; 1 in the paper.
    pub bound: usize,
    /// Whether the enumeration keeps the paper's order, one category after the other. Otherwise they take turns, so that a run
    /// that ends by the clock has seen a share of each.
    pub in_order: bool,
}

impl Default for TruthSettings {
    fn default() -> Self {
        TruthSettings { beyond: Vec::new(), depth: 1, bound: 1, in_order: true }
    }
}

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
    score: Mutex<Score>,
}

impl Truth {
    /// The strategy with these options. The enumeration is planned here, once.
    pub fn new(options: TruthSettings) -> Truth {
        let mut terms = Terms::new();
        let tables = Tables::read(&mut terms);
        let pool = Pool::grow(&mut terms, &tables, PAPER_OPERATIONS, options.bound.max(1));
        let beyond = options.beyond.contains(&Theory::Strings);
        let recipes = plan::enumerate(&terms, &tables, &pool, beyond);
        let mut ranges = chunks(&recipes);
        if !options.in_order {
            ranges = take_turns(&recipes, ranges);
        }
        Truth { options, terms, tables, pool, recipes, ranges, score: Mutex::new(Score::default()) }
    }

    /// How many tests of the enumeration belong to each category, beside the paper's numbers.
    pub fn counts(&self) -> Vec<Count> {
        plan::count(&self.recipes)
    }

    /// What the solver under test did so far, by category: the columns of the paper's Table 4.
    pub fn score(&self) -> Score {
        self.score.lock().expect("the lock is never poisoned").clone()
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
        Some(Cases { truth: self, terms: self.terms.clone(), source, model: None, category: None })
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

/// Batches of all categories by turns, those of one category in a shuffled order: its rows stand side by side in the tables, and
/// a defect often concerns one row.
fn take_turns(recipes: &[Recipe], ranges: Vec<std::ops::Range<usize>>) -> Vec<std::ops::Range<usize>> {
    let mut groups: BTreeMap<(Category, bool), Vec<std::ops::Range<usize>>> = BTreeMap::new();
    for range in ranges {
        groups.entry(recipes[range.start].category()).or_default().push(range);
    }
    let longest = groups.values().map(Vec::len).max().unwrap_or(0);
    for (number, group) in groups.values_mut().enumerate() {
        Rng::numbered(1, number as u64).shuffle(group);
    }
    let turn = |n: usize| groups.values().filter_map(move |group| group.get(n).cloned());
    (0..longest).flat_map(turn).collect()
}

/// The rows of some theories that solvers in use read.
pub(crate) fn rows_of(theories: &[Theory]) -> Vec<&'static smt::op::OpInfo> {
    operators::signature::rows(theories)
}

/// Whether solvers in use read an operator with this many arguments.
pub(crate) fn is_read_with(row: &smt::op::OpInfo, arguments: usize) -> bool {
    operators::signature::takes(row, arguments)
}

/// A literal of a sort at which implementations go wrong more often than elsewhere; `None` for sorts without literals.
pub(crate) fn value_near(terms: &mut Terms, rng: &mut Rng, sort: smt::SortId) -> Option<smt::TermId> {
    use smt::Sort;
    match terms.sort_of(sort) {
        Sort::Bool | Sort::Int | Sort::Real | Sort::RoundingMode | Sort::String => {}
        Sort::BitVec(_) | Sort::Float(..) => {}
        _ => return None,
    }
    let value = operators::values::value(terms, rng, sort);
    Some(operators::values::literal(terms, &value))
}

/// A value of a sort.
#[cfg(test)]
pub(crate) fn random_value(terms: &Terms, rng: &mut Rng, sort: smt::SortId) -> smt::Value {
    operators::values::value(terms, rng, sort)
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
    /// Where the case given last belongs; random ones belong nowhere.
    category: Option<(Category, bool)>,
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

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn next(&mut self) -> Option<TestCase> {
        let Truth { options, tables, pool, recipes, .. } = self.truth;
        let (formula, name, logic) = match &mut self.source {
            Source::Planned(range) => {
                let recipe = &recipes[range.next()?];
                self.category = Some(recipe.category());
                let formula = build::formula(&mut self.terms, tables, pool, recipe);
                let name = plan::name(&self.terms, tables, recipe, &formula);
                (formula, name, "ALL")
            }
            Source::Random { rng, left } => {
                *left = left.checked_sub(1)?;
                self.category = None;
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

    fn learn(&mut self, _case: &TestCase, _run: &Run, answer: &Answer, suspicions: &[Suspicion]) {
        if let Some(category) = self.category {
            self.truth.score.lock().expect("the lock is never poisoned").add(category, answer, suspicions);
        }
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
