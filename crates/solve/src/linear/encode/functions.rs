//! Uninterpreted constants and functions. Functions are removed after Ackermann: every application is an unknown, and any
//! two applications of one function with equal arguments are equal.

use super::{Application, Encoding, Meaning};
use crate::engine::{Budget, Reason};
use crate::tuning::linear_encode_functions::{MAX_PAIRS, TICKS_PER_PAIR};
use smt::{Flags, FunId, TermId, Terms};
use std::collections::BTreeMap;

impl Encoding {
    pub(super) fn application(&mut self, terms: &Terms, term: TermId) -> Result<Meaning, Reason> {
        let Some(fun) = terms.as_fun(term) else { return Err(Reason::Unsupported) };
        if terms.flags(term).has(Flags::DEFINED) || terms.is_function_symbol(term) {
            return Err(Reason::Unsupported);
        }
        let meaning = match self.meanings.get(&term) {
            // Solving equations gave it one.
            Some(known) => known.clone(),
            None => self.fresh(terms, terms.sort(term))?,
        };
        let args = terms.args(term);
        for &arg in args {
            // The model lists the arguments by their values.
            if let Meaning::Number(number) | Meaning::Element(number) = self.meaning(arg)?.clone() {
                self.define_choices(&number);
            }
        }
        if args.is_empty() {
            self.constants.push((fun, term));
        } else {
            self.applications.push(Application { fun, args: args.to_vec(), result: term });
        }
        Ok(meaning)
    }

    /// Adds the axioms of congruence for all applications.
    pub(super) fn add_congruences(&mut self, budget: &mut Budget) -> Result<(), Reason> {
        let mut by_fun: BTreeMap<FunId, Vec<Application>> = BTreeMap::new();
        for application in &self.applications {
            by_fun.entry(application.fun).or_default().push(application.clone());
        }
        let pairs: usize = by_fun.values().map(|all| all.len() * (all.len() - 1) / 2).sum();
        if pairs > MAX_PAIRS {
            return Err(Reason::Unsupported);
        }
        for applications in by_fun.values() {
            for (i, first) in applications.iter().enumerate() {
                for second in &applications[..i] {
                    if !budget.spend(TICKS_PER_PAIR) {
                        return Err(budget.exhausted().unwrap_or(Reason::Time));
                    }
                    self.add_congruence(first, second)?;
                }
            }
        }
        Ok(())
    }

    fn add_congruence(&mut self, first: &Application, second: &Application) -> Result<(), Reason> {
        let mut disjuncts = Vec::with_capacity(first.args.len() + 1);
        for (&a, &b) in first.args.iter().zip(&second.args) {
            disjuncts.push(!self.equal(a, b)?);
        }
        disjuncts.push(self.equal(first.result, second.result)?);
        let axiom = self.gates.or(disjuncts);
        self.axioms.push(axiom);
        Ok(())
    }
}
