//! Test cases: a script, what is known of each of its queries, and where it came from. Owns the words that strategies,
//! solvers and oracles share, and the seam between a strategy and the run that executes it; knows no solver and no process.

use crate::evidence::Suspicion;
use crate::solver::Run;
use crate::solver::answer::Answer;
use random::Rng;
use smt::print::{Style, script_to_string};
use smt::{Script, TermId, Terms};
use std::sync::Arc;

/// What a solver says to one query, or what is true of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver did not decide.
    Unknown,
}

impl Verdict {
    /// The word of the standard.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown => "unknown",
        }
    }

    /// The verdict that a word of the standard stands for.
    pub fn from_word(word: &str) -> Option<Verdict> {
        [Verdict::Sat, Verdict::Unsat, Verdict::Unknown].into_iter().find(|verdict| verdict.word() == word)
    }
}

/// What is known of one query of a test case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// It is satisfiable: by construction, or because it over-approximates something that is.
    Sat,
    /// It is unsatisfiable; the names of the assertions of a minimal core where the construction gives one.
    Unsat {
        /// Names of a minimal core.
        core: Option<Vec<String>>,
    },
    /// Nothing yet: the answer, as settled by whoever is trusted, is told to [`Batch::settle`].
    Open,
}

impl Expectation {
    /// The verdict, if it is known.
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            Expectation::Sat => Some(Verdict::Sat),
            Expectation::Unsat { .. } => Some(Verdict::Unsat),
            Expectation::Open => None,
        }
    }
}

/// One replacement of a literal occurrence in a seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutation {
    /// Which rule was applied.
    pub rule: &'static str,
    /// The command of the seed that holds the literal.
    pub command: usize,
    /// The way from that command's term to the literal: argument numbers.
    pub path: Box<[u32]>,
    /// The literal as it was.
    pub before: TermId,
    /// What stands there instead.
    pub after: TermId,
}

/// Where a test case came from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// Built from nothing: the construction's name, in which its steps can be read (`"E2 variable-replacement C7"`).
    Built(String),
    /// A seed as it was read (after the skeleton was laid bare): the file's name.
    Seed(String),
    /// Another case in a context of [`crate::context`].
    Framed {
        /// The case and the context.
        name: String,
        /// Whether the truth is known by construction; otherwise it rests on what a solver or a `:status` said of a
        /// seed.
        certain: bool,
    },
    /// A mutant of a seed.
    Mutant {
        /// The seed's file.
        name: String,
        /// The seed, in the batch's arena.
        seed: Arc<Script>,
        /// What was done to it: applied in this order, they make the mutant.
        mutations: Vec<Mutation>,
    },
}

impl Origin {
    /// The construction's name, or the seed's file.
    pub(crate) fn name(&self) -> &str {
        match self {
            Origin::Built(name) | Origin::Seed(name) => name,
            Origin::Framed { name, .. } | Origin::Mutant { name, .. } => name,
        }
    }
}

/// A script and what is known of it. Its terms live in the arena of the batch that made it.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// The script: declarations, assertions, queries. It asks for models and cores only where [`Expectation`] speaks of them:
    /// whoever runs it adds `get-model` and its options.
    pub script: Script,
    /// One entry for each `check-sat` or `check-sat-assuming`, in order.
    pub expected: Vec<Expectation>,
    /// Where it came from.
    pub origin: Origin,
}

/// Why a batch cannot be made, in words for people: a file that does not parse, a logic that is not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected(pub String);

/// A source of test cases in numbered batches. A batch depends on its number and the random source made for it, and on
/// nothing else: the same seed gives the same tests with any number of workers.
pub trait Strategy: Sync {
    /// The strategy's name on the command line.
    fn name(&self) -> &'static str;

    /// How many batches there are; `None` if they never end.
    fn batches(&self) -> Option<u64>;

    /// Makes a batch.
    fn batch(&self, number: u64, rng: Rng) -> Result<Box<dyn Batch + '_>, Rejected>;
}

impl<S: Strategy + ?Sized> Strategy for &S {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn batches(&self) -> Option<u64> {
        (**self).batches()
    }

    fn batch(&self, number: u64, rng: Rng) -> Result<Box<dyn Batch + '_>, Rejected> {
        (**self).batch(number, rng)
    }
}

/// Test cases that share an arena.
pub trait Batch {
    /// The arena of the cases given so far.
    fn terms(&self) -> &Terms;

    /// The same, for those who put its cases into contexts.
    fn terms_mut(&mut self) -> &mut Terms;

    /// The next case; `None` at the end.
    fn next(&mut self) -> Option<TestCase>;

    /// Tells what is true of the queries of the case given last, where something was [`Expectation::Open`]: one verdict
    /// a query, settled by whoever is trusted. A batch that cannot go on without a verdict ends on [`Verdict::Unknown`].
    fn settle(&mut self, verdicts: &[Verdict]);

    /// The script of a mutant of this batch with only these of its mutations, in their order; whoever undoes mutations one by one
    /// asks for it. `None` if the case is no mutant.
    fn rebuild(&mut self, _case: &TestCase, _mutations: &[Mutation]) -> Option<Script> {
        None
    }

    /// Tells the models of the case given last, one entry a query, where a solver gave one that the evaluator accepts. Comes
    /// before [`Batch::settle`].
    fn witness(&mut self, _models: &[Option<String>]) {}

    /// Tells what the solver under test did with a case and what looks wrong with it, for those who count or choose what comes
    /// next.
    fn learn(&mut self, _case: &TestCase, _run: &Run, _answer: &Answer, _suspicions: &[Suspicion]) {}

    /// Writes the text of a case of this batch. A batch that remembers the text of what its cases share overrides this.
    fn write(&mut self, case: &TestCase, style: Style, out: &mut String) {
        out.push_str(&script_to_string(self.terms(), &case.script, style));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_verdicts_are_one_to_one() {
        for verdict in [Verdict::Sat, Verdict::Unsat, Verdict::Unknown] {
            assert_eq!(Verdict::from_word(verdict.word()), Some(verdict));
        }
        assert_eq!(Verdict::from_word("satisfiable"), None);
    }
}
