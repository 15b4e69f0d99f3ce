//! A solver as a value, for programs that build terms themselves: a stack of assertions over an arena that it owns, checks under
//! assumptions, verified models and cores, partial solutions as an iterator, and the same query as a script for another solver.
//!
//! ```
//! use solve::solver::{Answer, Solver};
//! use smt::{Op, SortId};
//!
//! let mut solver = Solver::new();
//! let x = solver.constant("x", SortId::INT);
//! let (three, ten) = (solver.terms_mut().int(3), solver.terms_mut().int(10));
//! let square = solver.terms_mut().mk(Op::Mul, &[x, x]);
//! let large = solver.terms_mut().mk(Op::Gt, &[square, ten]);
//! let small = solver.terms_mut().mk(Op::Le, &[x, three]);
//! solver.assert(large);
//! solver.push();
//! solver.assert(small);
//! let Answer::Sat(model) = solver.check() else { panic!("-4 is one") };
//! assert_eq!(model.value(solver.terms().as_fun(x).unwrap()).is_some(), true);
//! solver.pop();
//!
//! // Assumptions count for one check. A core says which assertions and assumptions conflict.
//! let zero = solver.terms_mut().int(0);
//! let is_zero = solver.terms_mut().mk(Op::Eq, &[x, zero]);
//! let Answer::Unsat(core) = solver.check_assuming(&[is_zero]) else { panic!("0 is too small") };
//! assert_eq!(core, [large, is_zero]);
//! ```
//!
//! A [`Solver`] is `Send` and shares nothing with others: each thread can have its own. An [`Interrupt`] ends a check from another thread.
//! It starts no process; [`Solver::script`] and [`Solver::accept`] are the two halves of asking someone else the same query, and the
//! example `other_solver` does so with z3.

use crate::defaults::complete;
use crate::engine::{Budget, Engine, NoPartials, Partial, Partials, Reason, Verdict};
use crate::engines;
use crate::prepare::Preparation;
use crate::profile::Profile;
use crate::verify::satisfies;
use smt::print::Style;
use smt::{Command, Model, Reader, Script, Sort, SortId, TermId, Terms};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The answer to a check.
#[derive(Clone, Debug)]
pub enum Answer {
    /// There is a model, which the evaluator accepted.
    Sat(Model),
    /// There is none: these assertions and assumptions have none together, in the order of the query.
    Unsat(Vec<TermId>),
    /// Neither was found.
    Unknown(Reason),
}

/// Ends the check under way, or the next one, from anywhere.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Ends the check under way. It stays set until [`Interrupt::clear`].
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets checks run again.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// A solver with a stack of assertions.
pub struct Solver {
    terms: Terms,
    engine: Box<dyn Engine>,
    preparation: Preparation,
    assertions: Vec<TermId>,
    levels: Vec<usize>,
    interrupt: Interrupt,
    time_limit: Option<Duration>,
    tick_limit: Option<u64>,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl Solver {
    /// The portfolio of all engines.
    pub fn new() -> Solver {
        Solver::with_engine(engines::AUTO, 0).expect("the portfolio is there")
    }

    /// One engine of [`engines::TABLE`], with a seed; `None` if there is none of that name.
    pub fn with_engine(name: &str, seed: u64) -> Option<Solver> {
        Some(Solver {
            terms: Terms::new(),
            engine: engines::make(name, seed)?,
            preparation: Preparation::default(),
            assertions: Vec::new(),
            levels: Vec::new(),
            interrupt: Interrupt::default(),
            time_limit: None,
            tick_limit: None,
        })
    }

    /// The arena, to look at terms and values.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The arena, to make terms.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// An unknown.
    pub fn constant(&mut self, name: &str, sort: SortId) -> TermId {
        self.terms.symbol_constant(name, sort)
    }

    /// Reads declarations and assertions, and asserts what is asserted there.
    pub fn read(&mut self, text: &str) -> Result<(), Vec<smt::Error>> {
        let reading = Reader::new().read(&mut self.terms, text);
        if !reading.errors.is_empty() {
            return Err(reading.errors);
        }
        self.assertions.extend(reading.script.assertions());
        Ok(())
    }

    /// Asserts a Boolean on the present level.
    pub fn assert(&mut self, term: TermId) {
        debug_assert_eq!(self.terms.sort(term), SortId::BOOL);
        self.assertions.push(term);
    }

    /// What is asserted, on all levels.
    pub fn assertions(&self) -> &[TermId] {
        &self.assertions
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(self.assertions.len());
    }

    /// Leaves the innermost level, and what was asserted there; false if there is none.
    pub fn pop(&mut self) -> bool {
        let Some(level) = self.levels.pop() else { return false };
        self.assertions.truncate(level);
        true
    }

    /// A handle that ends checks.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// The longest time for a check, by the clock.
    pub fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.time_limit = limit;
    }

    /// The most work for a check, in ticks: the same on every machine.
    pub fn set_tick_limit(&mut self, ticks: Option<u64>) {
        self.tick_limit = ticks;
    }

    /// Whether what is asserted has a model.
    pub fn check(&mut self) -> Answer {
        self.check_assuming(&[])
    }

    /// The same together with assumptions, which hold for this check only.
    pub fn check_assuming(&mut self, assumptions: &[TermId]) -> Answer {
        self.check_with(assumptions, &mut NoPartials)
    }

    /// The same with a listener to partial solutions. [`Solver::stream`] gives them as an iterator.
    pub(crate) fn check_with(&mut self, assumptions: &[TermId], partials: &mut dyn Partials) -> Answer {
        let limit = self.time_limit.map_or_else(Budget::unlimited, Budget::seconds);
        let mut budget = limit.with_stop(self.interrupt.0.clone());
        if let Some(ticks) = self.tick_limit {
            budget = budget.slice(ticks);
        }
        self.terms.set_token(smt::Token::new(budget.stop_flag(), budget.deadline()));
        let all: Vec<TermId> = self.assertions.iter().chain(assumptions).copied().collect();
        let prepared = self.preparation.prepare(&mut self.terms, &all);
        if !self.preparation.is_whole(&self.terms, &prepared) {
            return Answer::Unknown(budget.exhausted().unwrap_or(Reason::Memory));
        }
        match self.engine.solve(&mut self.terms, &prepared.query, &mut budget, partials) {
            Verdict::Sat(model) => self.verified(model, &all),
            Verdict::Unsat(core) => {
                Answer::Unsat(prepared.assertions_of(&core).into_iter().map(|at| all[at]).collect())
            }
            Verdict::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    /// A model counts if the evaluator says so, whoever it comes from.
    fn verified(&mut self, mut model: Model, all: &[TermId]) -> Answer {
        let symbols = Profile::of(&self.terms, all).symbols;
        complete(&mut self.terms, &mut model, &symbols);
        if satisfies(&self.terms, &model, all) {
            Answer::Sat(model)
        } else {
            Answer::Unknown(Reason::Incomplete)
        }
    }

    /// Checks on a thread of its own and gives partial solutions as they come. The solver comes back from [`Stream::finish`].
    ///
    /// ```
    /// use solve::solver::{Answer, Solver};
    ///
    /// let mut solver = Solver::with_engine("simplex", 0).unwrap();
    /// solver.read("(declare-const x Int)(declare-const y Int)(assert (> (+ x y) 7))(assert (< (- x y) 2))(assert (> x 5))").unwrap();
    /// let mut stream = solver.stream(&[]);
    /// let candidates: Vec<_> = stream.by_ref().collect();
    /// let (solver, answer) = stream.finish();
    /// assert!(matches!(answer, Answer::Sat(_)));
    /// assert!(candidates.iter().all(|partial| partial.engine == "simplex"));
    /// assert_eq!(solver.assertions().len(), 3);
    /// ```
    pub fn stream(mut self, assumptions: &[TermId]) -> Stream {
        let (sender, receiver) = channel();
        let (assumptions, interrupt) = (assumptions.to_vec(), self.interrupt.clone());
        let stop = interrupt.clone();
        let worker = std::thread::spawn(move || {
            // Nobody listens any more: then nobody waits for the answer either.
            let mut send = |partial: Partial| sender.send(partial).unwrap_or_else(|_| stop.set());
            let answer = self.check_with(&assumptions, &mut send);
            (self, answer)
        });
        Stream { receiver, worker: Some(worker), interrupt }
    }

    /// The query as a script that any solver of SMT-LIB reads, with `check-sat` and `get-model` at its end.
    pub fn script(&self, assumptions: &[TermId]) -> String {
        let all: Vec<TermId> = self.assertions.iter().chain(assumptions).copied().collect();
        let mut script = self.declarations(&all);
        all.iter().for_each(|&term| script.push(Command::Assert(term)));
        script.push(Command::CheckSat);
        script.push(Command::GetModel);
        let text = smt::print::script_to_string(&self.terms, &script, Style::default());
        format!("(set-option :produce-models true)\n(set-logic ALL)\n{text}")
    }

    /// What another solver printed about [`Solver::script`], as an answer: its model counts if the evaluator accepts it, its `unsat`
    /// is believed, with all of the query as the core.
    pub fn accept(&mut self, assumptions: &[TermId], printed: &str) -> Answer {
        let all: Vec<TermId> = self.assertions.iter().chain(assumptions).copied().collect();
        match printed.split_whitespace().next() {
            Some("unsat") => Answer::Unsat(all),
            Some("sat") => {
                let mut reader = Reader::new();
                let declarations = self.declarations(&all);
                let text = smt::print::script_to_string(&self.terms, &declarations, Style::default());
                reader.read(&mut self.terms, &text);
                match smt::model::read_model(&mut self.terms, &reader, printed) {
                    Ok(model) => self.verified(model, &all),
                    Err(_) => Answer::Unknown(Reason::Incomplete),
                }
            }
            _ => Answer::Unknown(Reason::Incomplete),
        }
    }

    /// The declarations of a query's symbols and of the sorts that they need. Datatypes are declared by their owner's text alone:
    /// a query with them has no script here.
    fn declarations(&self, all: &[TermId]) -> Script {
        let mut script = Script::default();
        let symbols = Profile::of(&self.terms, all).symbols;
        let mut sorts: Vec<SortId> = Vec::new();
        for &fun in &symbols {
            let fun = self.terms.fun(fun);
            sorts.extend(fun.params.iter().chain([&fun.result]));
        }
        let mut named = Vec::new();
        while let Some(sort) = sorts.pop() {
            match self.terms.sort_of(sort) {
                Sort::Uninterpreted(name, list) => {
                    sorts.extend(list.iter());
                    if !named.contains(name) {
                        named.push(*name);
                        script.push(Command::DeclareSort(*name, list.len() as u32));
                    }
                }
                Sort::Array(index, element) => sorts.extend([*index, *element]),
                _ => {}
            }
        }
        symbols.into_iter().for_each(|fun| script.push(Command::DeclareFun(fun)));
        script
    }
}

/// Partial solutions of a check that is under way on another thread. Dropped before its end, it interrupts the check.
pub struct Stream {
    receiver: Receiver<Partial>,
    worker: Option<JoinHandle<(Solver, Answer)>>,
    interrupt: Interrupt,
}

impl Iterator for Stream {
    type Item = Partial;

    fn next(&mut self) -> Option<Partial> {
        self.receiver.recv().ok()
    }
}

impl Stream {
    /// Waits for the answer. What was not taken of the partial solutions is lost.
    pub fn finish(mut self) -> (Solver, Answer) {
        for _ in self.receiver.iter() {}
        let worker = self.worker.take().expect("a stream is finished once");
        match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.worker.is_some() {
            self.interrupt.set();
        }
    }
}
