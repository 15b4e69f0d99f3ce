//! The strategy `enumerate`: all small formulas of a few universes, by size (Winterer and Su 2024 enumerate a grammar's formulas;
//! small ones find many bugs). A universe has two variables of each sort, a few literals, and the operators of some theories.
//! Formulas are atoms over leaves, then over one application and leaves, then over two, each and its negation; those that differ
//! in the names of variables or the order of commutative arguments only come once.
//!
//! The truth is found by trying values: all of them where the sorts are small; else a few, and what none of them satisfies is open.
//! The enumeration is always the same; nothing here is random or asks a solver.

mod universe;

use crate::case::{Batch, Expectation, Origin, Rejected, Strategy, TestCase, Verdict};
use crate::tuning::enumerate::BATCH;
use random::Rng;
use smt::{Command, Script, Terms};
use universe::{UNIVERSES, Universe};

/// The strategy that walks through all small formulas, by size.
#[derive(Debug)]
pub struct Enumerate {
    universes: Vec<Universe>,
}

impl Enumerate {
    /// All universes that a solver knows, by its name in the table of solvers.
    pub fn new(solver: &str) -> Enumerate {
        let suits = |row: &&universe::UniverseRow| {
            row.solvers.is_empty() || solver.is_empty() || row.solvers.contains(&solver)
        };
        Enumerate { universes: UNIVERSES.iter().filter(suits).map(Universe::new).collect() }
    }
}

impl Strategy for Enumerate {
    fn name(&self) -> &'static str {
        "enumerate"
    }

    fn batches(&self) -> Option<u64> {
        let longest = self.universes.iter().map(Universe::len).max().unwrap_or(0);
        Some(longest.div_ceil(BATCH) * self.universes.len() as u64)
    }

    fn batch(&self, number: u64, _rng: Rng) -> Result<Box<dyn Batch + '_>, Rejected> {
        let count = self.universes.len() as u64;
        if count == 0 {
            return Err(Rejected("the solver knows none of the universes".into()));
        }
        // The universes take turns, so that small formulas of all come first.
        let universe = &self.universes[(number % count) as usize];
        let start = number / count * BATCH;
        Ok(Box::new(Stretch { universe, terms: universe.terms.clone(), next: start, end: start + BATCH }))
    }
}

/// A stretch of the enumeration.
struct Stretch<'a> {
    universe: &'a Universe,
    terms: Terms,
    next: u64,
    end: u64,
}

impl Batch for Stretch<'_> {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn next(&mut self) -> Option<TestCase> {
        while self.next < self.end {
            let number = self.next;
            self.next += 1;
            let Some(formula) = self.universe.formula(&mut self.terms, number) else { continue };
            let found = self.universe.truth(&self.terms, formula);
            let (expected, certain) = match found {
                Some(true) => (Expectation::Sat, true),
                Some(false) => (Expectation::Unsat { core: None }, true),
                None => (Expectation::Open, false),
            };
            let mut script = Script::default();
            let logic = self.terms.symbol("ALL");
            script.push(Command::SetLogic(logic));
            for var in self.universe.variables(&self.terms, formula) {
                script.push(Command::DeclareConst(self.terms.as_fun(var).expect("a variable")));
            }
            script.push(Command::Assert(formula));
            script.push(Command::CheckSat);
            let name = format!("{} {number}", self.universe.name);
            return Some(TestCase {
                script,
                expected: vec![expected],
                origin: Origin::Framed { name, certain },
            });
        }
        None
    }

    fn settle(&mut self, _verdicts: &[Verdict]) {
        // What is open is judged by the run.
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::print::term_to_string;
    use std::collections::BTreeSet;

    #[test]
    fn formulas_are_small_first_and_come_once() {
        let all = Enumerate::new("z3");
        assert!(all.universes.len() >= 4);
        for universe in &all.universes {
            let mut terms = universe.terms.clone();
            let mut seen = BTreeSet::new();
            let mut sizes = Vec::new();
            for number in 0..universe.len().min(3000) {
                let Some(formula) = universe.formula(&mut terms, number) else { continue };
                let text = term_to_string(&terms, formula);
                assert!(seen.insert(text.clone()), "{} comes twice", text);
                sizes.push(text.matches('(').count());
            }
            assert!(seen.len() > 100, "{}: {}", universe.name, seen.len());
            let half = sizes.len() / 2;
            let mean = |part: &[usize]| part.iter().sum::<usize>() as f64 / part.len() as f64;
            assert!(mean(&sizes[..half]) <= mean(&sizes[half..]), "{}", universe.name);
        }
    }

    #[test]
    fn small_universes_know_the_truth() {
        let all = Enumerate::new("z3");
        let small = all.universes.iter().find(|u| u.name == "bit-vectors").expect("a universe");
        let mut terms = small.terms.clone();
        let (mut sat, mut unsat, mut open) = (0, 0, 0);
        for number in 0..800 {
            let Some(formula) = small.formula(&mut terms, number) else { continue };
            match small.truth(&terms, formula) {
                Some(true) => sat += 1,
                Some(false) => unsat += 1,
                None => open += 1,
            }
        }
        assert!(sat > 50 && unsat > 5 && open == 0, "{sat} {unsat} {open}");
    }
}
