//! Partial solutions for the caller: every assignment from which the simplex core moves on (Zhang et al. 2020, Algorithm 2), as
//! values of the query's constants.
//!
//! The core filters repetitions over its own variables; those that remain once only constants are looked at are filtered
//! here. To show an assignment costs as much as the query has constants, while a pivot may touch few of them, so
//! after a free start the recorder spends no more than a fixed share of the search.

use crate::engine::{Partial as Shown, Partials};
use crate::sat::Var as SatVar;
use crate::simplex::num::Rational;
use crate::simplex::{Partial, Var};
use crate::tuning::linear_record::{FILTER_CAPACITY, FREE_VALUES, SHARE, TICKS_PER_VALUE};
use rustc_hash::{FxHashSet, FxHasher};
use smt::{FunId, Value};
use std::hash::{Hash, Hasher};

/// The engine's name on its partial solutions.
pub(crate) const ENGINE: &str = "simplex";

/// What a constant of the query is to the search.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    Int(Var),
    Real(Var),
    Bool(Option<SatVar>),
}

/// Shows partial solutions.
pub(crate) struct Recorder<'a> {
    partials: &'a mut dyn Partials,
    constants: Vec<(FunId, Shape)>,
    /// By variable of the core, its place among the original ones; filled as variables appear.
    places: Vec<usize>,
    placed: usize,
    seen: FxHashSet<u64>,
    earned: u64,
    spent: u64,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(partials: &'a mut dyn Partials, constants: Vec<(FunId, Shape)>) -> Recorder<'a> {
        Recorder {
            partials,
            constants,
            places: Vec::new(),
            placed: 0,
            seen: FxHashSet::default(),
            earned: FREE_VALUES * TICKS_PER_VALUE * SHARE,
            spent: 0,
        }
    }

    /// The search worked that much.
    pub(crate) fn earn(&mut self, ticks: u64) {
        self.earned = self.earned.saturating_add(ticks);
    }

    /// Shows an assignment if it is new and affordable. Booleans are looked up in the told values.
    pub(crate) fn record(&mut self, partial: &Partial<'_>, told: &[Option<bool>]) {
        let cost = TICKS_PER_VALUE * SHARE * self.constants.len() as u64;
        if self.spent + cost > self.earned {
            return;
        }
        self.spent += cost;
        for (place, var) in partial.vars.iter().enumerate().skip(self.placed) {
            self.places.resize(var.index() + 1, usize::MAX);
            self.places[var.index()] = place;
        }
        self.placed = partial.vars.len();
        let number = |var: Var| &partial.values[self.places[var.index()]];
        let truth = |var: Option<SatVar>| {
            var.and_then(|var| told.get(var.index()).copied().flatten()).unwrap_or(false)
        };
        let mut hasher = FxHasher::default();
        for (_, shape) in &self.constants {
            match *shape {
                Shape::Int(var) | Shape::Real(var) => number(var).hash(&mut hasher),
                Shape::Bool(var) => truth(var).hash(&mut hasher),
            }
        }
        if self.seen.len() >= FILTER_CAPACITY {
            self.seen.clear();
        }
        if !self.seen.insert(hasher.finish()) {
            return;
        }
        let value = |shape: Shape| match shape {
            Shape::Int(var) => int_value(number(var)),
            Shape::Real(var) => Value::Real(number(var).to_big()),
            Shape::Bool(var) => Value::Bool(truth(var)),
        };
        let values = self.constants.iter().map(|&(fun, shape)| (fun, value(shape))).collect();
        self.partials.take(Shown { values, engine: ENGINE, step: partial.step });
    }
}

/// An integer as a value of the language.
pub(crate) fn int_value(number: &Rational) -> Value {
    Value::Int(match number.to_i64() {
        Some(small) => small.into(),
        None => number.to_big().floor(),
    })
}
