//! Random formulas over any mix of theories, of known truth. Terms grow from constants and functions with random values and are
//! evaluated as they grow; what has no value that the standard fixes is thrown away.
//!
//! - Satisfiable: a Boolean combination that is true under the values.
//! - Unsatisfiable: a formula and the negation of a rewritten copy of it (`rewrite`); or all values fixed and something false.
//! - Either: where all sorts are finite and small, anything, and the truth is found by trying all values; and closed formulas
//!   with quantifiers over finite sorts, which the evaluator decides.
//! - By a law of its own, where a theme has one: `roots` (the intermediate value theorem), `members` (words of their own languages).
//!
//! [`Grow`] is the strategy; [`themes`] says what is mixed. Nothing here asks a solver.

mod assemble;
pub(crate) mod logic;
mod members;
mod plot;
pub(super) mod rewrite;
mod roots;
#[cfg(test)]
mod tests;
pub mod themes;

use crate::case::{Batch, Expectation, Origin, Rejected, Strategy, TestCase, Verdict};
use crate::tuning::truth_grow::{BATCH, TRIES};
pub(crate) use assemble::by_trying;
use plot::Plot;
use random::Rng;
use smt::{Command, Model, Script, TermId, Terms};
use themes::{THEMES, Theme};

/// A formula of known truth.
#[derive(Debug)]
pub(crate) struct Grown {
    /// What must be declared, in order.
    pub declarations: Vec<Command>,
    /// What is asserted.
    pub assertions: Vec<TermId>,
    /// The truth.
    pub expected: Expectation,
    /// Values under which the assertions are true, where they are satisfiable and have a rational solution that is known.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by tests"))]
    pub(crate) model: Option<Model>,
    /// The theme and how the formula was made.
    pub name: String,
}

impl Grown {
    /// The script that asks for the truth.
    pub(crate) fn script(&self, terms: &mut Terms, logic: Option<&str>) -> Script {
        let mut script = Script::default();
        if let Some(logic) = logic {
            let logic = terms.symbol(logic);
            script.push(Command::SetLogic(logic));
        }
        for command in &self.declarations {
            script.push(command.clone());
        }
        for &assertion in &self.assertions {
            script.push(Command::Assert(assertion));
        }
        script.push(Command::CheckSat);
        script
    }
}

/// A random formula of a theme; `None` if what grew could not be used.
pub(crate) fn formula(terms: &mut Terms, theme: &'static Theme, rng: &mut Rng) -> Option<Grown> {
    let mut plot = Plot::new(terms, theme, rng);
    plot.grow();
    assemble::formula(plot)
}

/// The strategy: formulas without end, a theme a batch.
#[derive(Debug)]
pub struct Grow {
    themes: Vec<&'static Theme>,
}

impl Grow {
    /// Formulas of these themes; of all if there are none.
    pub fn new(themes: Vec<&'static Theme>) -> Grow {
        Grow { themes: if themes.is_empty() { THEMES.iter().collect() } else { themes } }
    }

    /// Some formulas of one theme.
    pub(crate) fn some(theme: &'static Theme, count: usize, rng: Rng) -> Box<dyn Batch> {
        Box::new(Bed { terms: Terms::new(), theme, rng, left: count })
    }
}

impl Strategy for Grow {
    fn name(&self) -> &'static str {
        "grow"
    }

    fn batches(&self) -> Option<u64> {
        None
    }

    fn batch(&self, number: u64, rng: Rng) -> Result<Box<dyn Batch + '_>, Rejected> {
        let theme = self.themes[(number % self.themes.len() as u64) as usize];
        Ok(Box::new(Bed { terms: Terms::new(), theme, rng, left: BATCH }))
    }
}

/// A batch.
struct Bed {
    terms: Terms,
    theme: &'static Theme,
    rng: Rng,
    left: usize,
}

impl Batch for Bed {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn next(&mut self) -> Option<TestCase> {
        self.left = self.left.checked_sub(1)?;
        let Bed { terms, theme, rng, .. } = self;
        let grown = (0..TRIES).find_map(|_| formula(terms, theme, rng))?;
        // Plainly, in the logic of everything, or by turns in the one that solvers have special treatment for.
        let logic = match rng.below(8) {
            0 | 1 => None,
            2..=4 => Some("ALL".to_string()),
            _ => Some(logic::smallest(terms, &grown.assertions)),
        };
        let script = grown.script(terms, logic.as_deref());
        Some(TestCase { script, expected: vec![grown.expected], origin: Origin::Built(grown.name) })
    }

    fn settle(&mut self, _verdicts: &[Verdict]) {
        // Everything is known beforehand.
    }
}
