//! Contexts: what may stand around a formula of known truth without changing it. Solvers take other ways after a `push`, under
//! assumptions, after an earlier query or below a quantifier, and many of their defects are found only there.
//!
//! Owns the table ([`CONTEXTS`]) and what a formula must look like to be put into one ([`Problem`]). Each row states why the truth
//! stays; the tests put formulas whose truth is found by trying all values into every row and try again. Nothing here asks a
//! solver.

mod rows;
#[cfg(test)]
mod tests;

pub use rows::CONTEXTS;

use crate::case::{Expectation, Origin, TestCase};
use random::Rng;
use smt::{AttributeValue, Command, CommandClass, Op, Script, Symbol, TermId, Terms};

/// A formula with one query at the end, as contexts take it apart.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Options and the logic.
    pub settings: Vec<Command>,
    /// Sorts, datatypes, functions and definitions, in order.
    pub declarations: Vec<Command>,
    /// What is asserted, without names.
    pub assertions: Vec<TermId>,
    /// What is known.
    pub expected: Expectation,
}

impl Problem {
    /// Takes a case apart; `None` if it has several queries, scopes, or commands in between that contexts do not know.
    pub fn of(terms: &Terms, case: &TestCase) -> Option<Problem> {
        let [expected] = &case.expected[..] else { return None };
        let expected = match expected {
            // The names of a core do not survive.
            Expectation::Unsat { .. } => Expectation::Unsat { core: None },
            other => other.clone(),
        };
        let mut problem =
            Problem { settings: Vec::new(), declarations: Vec::new(), assertions: Vec::new(), expected };
        let (last, before) = case.script.commands.split_last()?;
        if *last != Command::CheckSat {
            return None;
        }
        for command in before {
            match command {
                Command::SetLogic(_) | Command::SetOption(..) => problem.settings.push(command.clone()),
                Command::SetInfo(..) => {}
                _ if command.class() == CommandClass::Declaration => {
                    problem.declarations.push(command.clone())
                }
                Command::Assert(term) => problem.assertions.push(without_name(terms, *term)),
                _ => return None,
            }
        }
        (!problem.assertions.is_empty()).then_some(problem)
    }

    /// The formula by itself.
    pub(crate) fn plain(&self) -> (Script, Vec<Expectation>) {
        let mut stage = Stage::new(self);
        stage.declare(self);
        stage.assert_all(&self.assertions);
        stage.check(self.expected.clone());
        stage.end()
    }
}

/// The term below a `:named` annotation.
fn without_name(terms: &Terms, term: TermId) -> TermId {
    let is_name = |attribute: &smt::Attribute| {
        matches!(attribute.value, AttributeValue::Text(_)) && terms.name(attribute.keyword) == ":named"
    };
    match terms.attributes(term) {
        Some(attributes) if terms.op(term) == Op::Annot && attributes.iter().all(is_name) => {
            terms.args(term)[0]
        }
        _ => term,
    }
}

/// A script in the making.
#[derive(Debug, Default)]
pub struct Stage {
    script: Script,
    expected: Vec<Expectation>,
}

impl Stage {
    /// Begins with a problem's settings.
    pub fn new(problem: &Problem) -> Stage {
        let mut stage = Stage::default();
        for command in &problem.settings {
            stage.script.push(command.clone());
        }
        stage
    }

    /// An option at the head of the script.
    pub(crate) fn option(&mut self, terms: &mut Terms, keyword: &str, value: &str) {
        let (keyword, value) = (terms.symbol(keyword), terms.symbol(value));
        self.script.commands.insert(0, Command::SetOption(keyword, value));
        self.script.spans.insert(0, smt::Span::default());
    }

    /// A problem's declarations.
    pub(crate) fn declare(&mut self, problem: &Problem) {
        for command in &problem.declarations {
            self.script.push(command.clone());
        }
    }

    /// Any command that is no query.
    pub(crate) fn push_command(&mut self, command: Command) {
        debug_assert!(!command.is_query());
        self.script.push(command);
    }

    /// A command that only its solver knows.
    pub(crate) fn text(&mut self, terms: &mut Terms, text: &str) {
        let text: Symbol = terms.symbol(text);
        self.script.push(Command::Other(text));
    }

    /// `(push 1)`
    pub(crate) fn open(&mut self) {
        self.script.push(Command::Push(1));
    }

    /// `(pop 1)`
    pub(crate) fn close(&mut self) {
        self.script.push(Command::Pop(1));
    }

    /// Adds one `assert` for each term.
    pub(crate) fn assert_all(&mut self, assertions: &[TermId]) {
        for &term in assertions {
            self.script.push(Command::Assert(term));
        }
    }

    /// `(check-sat)`
    pub fn check(&mut self, expected: Expectation) {
        self.script.push(Command::CheckSat);
        self.expected.push(expected);
    }

    /// `(check-sat-assuming (...))`
    pub(crate) fn check_assuming(&mut self, assumptions: &[TermId], expected: Expectation) {
        self.script.push(Command::CheckSatAssuming(assumptions.into()));
        self.expected.push(expected);
    }

    /// The script and what is known of its queries.
    pub(crate) fn end(self) -> (Script, Vec<Expectation>) {
        (self.script, self.expected)
    }
}

/// What a row builds: a script and what is known of each of its queries; `None` if the problem is not of its kind.
type Build = fn(&mut Terms, &Problem, &mut Rng) -> Option<(Script, Vec<Expectation>)>;

/// What a context changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContextScope {
    /// The formula: another one of the same truth is asked in the same way.
    Formula,
    /// How it is asked: scopes, assumptions, earlier queries.
    Script,
}

/// A row of the table.
#[derive(Debug)]
pub struct Context {
    /// Its name on the command line and in reports.
    pub name: &'static str,
    /// What it changes. One of each kind can be combined: first the formula, then how it is asked.
    pub scope: ContextScope,
    /// Why the truth stays.
    pub because: &'static str,
    /// The solvers that know the commands; empty for all.
    pub solvers: &'static [&'static str],
    build: Build,
}

impl Context {
    /// The row of this name.
    pub fn by_name(name: &str) -> Option<&'static Context> {
        CONTEXTS.iter().find(|context| context.name == name)
    }

    /// Whether a solver, by its name in the table of solvers, knows the commands.
    pub(crate) fn suits(&self, solver: &str) -> bool {
        self.solvers.is_empty() || self.solvers.contains(&solver)
    }

    /// Puts a problem into the context.
    pub(crate) fn build(
        &self,
        terms: &mut Terms,
        problem: &Problem,
        rng: &mut Rng,
    ) -> Option<(Script, Vec<Expectation>)> {
        (self.build)(terms, problem, rng)
    }

    /// Puts a case into the context. The case stays what it is where it is not of the kind that the row can take.
    pub(crate) fn frame(&self, terms: &mut Terms, case: TestCase, rng: &mut Rng) -> TestCase {
        if self.name == "plain" {
            return case;
        }
        let Some(problem) = Problem::of(terms, &case) else { return case };
        let Some((script, expected)) = self.build(terms, &problem, rng) else { return case };
        let origin = framed(&case, self.name, is_certain(&case.origin));
        TestCase { script, expected, origin }
    }
}

/// Whether the truth of a case is known by construction.
pub(crate) fn is_certain(origin: &Origin) -> bool {
    match origin {
        Origin::Built(_) => true,
        Origin::Framed { certain, .. } => *certain,
        // What is known of a mutant rests on the target's own answer, which may be what is wrong.
        Origin::Seed(_) | Origin::Mutant { .. } => false,
    }
}

fn framed(case: &TestCase, context: &str, certain: bool) -> Origin {
    Origin::Framed { name: format!("{}, {context}", case.origin.name()), certain }
}

/// A case after another one, whose whole query stands in a scope that is closed before: what was declared and asserted in a scope
/// goes with it. The case stays what it is where one of them is not of the kind.
pub(crate) fn after_other(terms: &mut Terms, case: TestCase, other: &(Problem, bool)) -> TestCase {
    let (earlier, certain) = other;
    let Some(mut problem) = Problem::of(terms, &case) else { return case };
    let logic = |p: &Problem| p.settings.iter().find(|c| matches!(c, Command::SetLogic(_))).cloned();
    if logic(earlier) != logic(&problem) {
        // A logic that both belong to.
        let all = Command::SetLogic(terms.symbol("ALL"));
        problem.settings.retain(|command| !matches!(command, Command::SetLogic(_)));
        problem.settings.push(all);
    }
    let mut stage = Stage::new(&problem);
    for (part, is_last) in [(earlier, false), (&problem, true)] {
        stage.open();
        stage.declare(part);
        stage.assert_all(&part.assertions);
        stage.check(part.expected.clone());
        if !is_last {
            stage.close();
        }
    }
    let origin = framed(&case, "after another", is_certain(&case.origin) && *certain);
    let (script, expected) = stage.end();
    TestCase { script, expected, origin }
}
