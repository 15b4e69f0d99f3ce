//! Partial solutions: models of the abstraction, and assignments that the SAT core passes through (Zhang et al. 2020, Sections 3.3
//! and 3.5). Candidates only; nothing here is checked.

use super::Encoding;
use super::NAME;
use super::lower::Lowering;
use super::model::Symbols;
use super::prepare::Prepared;
use super::support::is_array;
use super::valuation::value_of;
use crate::engine::{Partial, Partials};
use crate::sat::{Assignment, Lit};
use crate::tuning::blast_partial::{FREE, RARITY};
use smt::{Evaluator, Model, TermId, Terms, Value};

/// Turns what the search passes through into partial solutions, at a bounded rate.
pub(super) struct Observer {
    wanted: bool,
    /// The constants of the query that are words of bits.
    constants: Vec<TermId>,
    /// The constants that are arrays.
    arrays: Vec<TermId>,
    /// Words that arrays are read off.
    reads: Vec<TermId>,
    rounds: Vec<Vec<(TermId, TermId)>>,
    /// The ticks at which the next assignment may be shown.
    due: u64,
    /// What was shown last, to tell it from the next.
    last: Vec<(smt::FunId, Value)>,
    /// How many were shown.
    pub(super) shown: u64,
}

impl Observer {
    /// An observer for one query.
    pub(super) fn new(terms: &Terms, symbols: &Symbols, prepared: &Prepared, wanted: bool) -> Observer {
        let (arrays, constants) = symbols.constants.iter().partition(|&&c| is_array(terms, c));
        let rounds = if wanted { prepared.rounds.clone() } else { Vec::new() };
        Observer { wanted, constants, arrays, reads: Vec::new(), rounds, due: 0, last: Vec::new(), shown: 0 }
    }

    /// Whether anybody listens.
    pub(super) fn wanted(&self) -> bool {
        self.wanted
    }

    /// Whether some constants are arrays, and somebody listens.
    pub(super) fn has_arrays(&self) -> bool {
        self.wanted && !self.arrays.is_empty()
    }

    /// Words that arrays are read off.
    pub(super) fn look_at(&mut self, reads: Vec<TermId>) {
        self.reads = reads;
    }

    /// Whether an assignment may be shown.
    pub(super) fn is_due(&self, ticks: u64) -> bool {
        ticks >= self.due || self.shown < FREE
    }

    /// Puts the next assignment off by what this one cost.
    pub(super) fn spend(&mut self, ticks: u64, cost: u64) {
        self.due = ticks + RARITY * cost;
    }

    /// Keeps the SAT core from eliminating the bits that are to be seen, or lets it again.
    pub(super) fn freeze(&self, encoding: &mut Encoding, freeze: bool) {
        if !self.wanted {
            return;
        }
        for &constant in self.constants.iter().chain(&self.reads) {
            for &bit in encoding.lowering.word(constant).unwrap_or_default() {
                match encoding.cnf.known(bit) {
                    Some(lit) if freeze => encoding.cnf.solver.freeze(lit.var()),
                    Some(lit) => encoding.cnf.solver.melt(lit.var()),
                    None => {}
                }
            }
        }
    }

    /// Shows a model of the abstraction.
    pub(super) fn show_model(
        &mut self,
        terms: &Terms,
        model: &Model,
        step: u64,
        partials: &mut dyn Partials,
    ) {
        let all = self.constants.iter().chain(&self.arrays);
        let values = all
            .filter_map(|&c| {
                let fun = terms.as_fun(c)?;
                Some((fun, model.value(fun)?.clone()))
            })
            .collect();
        self.show(values, step, partials);
    }

    fn show(&mut self, values: Vec<(smt::FunId, Value)>, step: u64, partials: &mut dyn Partials) {
        if values != self.last {
            self.shown += 1;
            self.last.clone_from(&values);
            partials.take(Partial { values, engine: NAME, step });
        }
    }

    /// Shows an assignment of the SAT core; bits without a value are 0.
    #[expect(clippy::too_many_arguments, reason = "the search lends out its parts one by one")]
    pub(super) fn show_trail(
        &mut self,
        terms: &mut Terms,
        lowering: &Lowering,
        literals: &[Option<Lit>],
        view: &Assignment<'_>,
        step: u64,
        ticks: u64,
        partials: &mut dyn Partials,
    ) {
        if !self.is_due(ticks) {
            return;
        }
        let mut model = Model::default();
        let mut cost = 0;
        for &constant in &self.constants {
            let word = lowering.word(constant).unwrap_or_default();
            let mut key = vec![0u64; word.len().div_ceil(64)];
            for (i, bit) in word.iter().enumerate() {
                let lit = literals.get(bit.node()).copied().flatten();
                let value = lit.and_then(|lit| view.value(lit)).unwrap_or(false) ^ bit.is_negated();
                key[i / 64] |= u64::from(value) << (i % 64);
            }
            cost += word.len() as u64 + 8;
            let value = value_of(terms, terms.sort(constant), &key);
            model.set(terms.as_fun(constant).expect("a symbol"), value);
        }
        for round in self.rounds.iter().rev() {
            let mut evaluator = Evaluator::new(terms, &model).with_steps(10_000);
            let computed: Vec<_> = round
                .iter()
                .filter_map(|&(var, value)| Some((terms.as_fun(var)?, evaluator.eval(value).ok()?)))
                .collect();
            cost += 64 * computed.len() as u64;
            for (fun, value) in computed {
                model.set(fun, value);
            }
        }
        self.spend(ticks, cost);
        let fun_values = self.constants.iter().filter_map(|&c| {
            let fun = terms.as_fun(c)?;
            Some((fun, model.value(fun)?.clone()))
        });
        let values = fun_values.collect();
        self.show(values, step, partials);
    }
}
