//! One budget for two searches: the SAT core and the simplex core both spend from the engine's budget.

use crate::engine::{self, Reason};
use crate::simplex;
use std::cell::{Cell, RefCell};

/// The engine's budget, shared.
pub(crate) struct Limits<'a> {
    budget: RefCell<&'a mut engine::Budget>,
    spent: Cell<u64>,
}

impl<'a> Limits<'a> {
    pub(crate) fn new(budget: &'a mut engine::Budget) -> Limits<'a> {
        Limits { budget: RefCell::new(budget), spent: Cell::new(0) }
    }

    /// Records work; false once the budget is used up.
    pub(crate) fn spend(&self, ticks: u64) -> bool {
        self.spent.set(self.spent.get().saturating_add(ticks));
        self.budget.borrow_mut().spend(u32::try_from(ticks).unwrap_or(u32::MAX))
    }

    /// All work so far.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Why the budget is used up.
    pub(crate) fn exhausted(&self) -> Option<Reason> {
        self.budget.borrow_mut().exhausted()
    }

    /// Runs a search of the simplex core within the budget.
    pub(crate) fn run<T>(&self, search: impl FnOnce(&mut simplex::Budget<'_>) -> T) -> T {
        let left = self.budget.borrow().ticks_left();
        let mut stop = || self.exhausted().is_some();
        let mut inner = simplex::Budget::ticks(left).with_stop(&mut stop);
        let result = search(&mut inner);
        let ticks = inner.spent();
        self.spend(ticks.saturating_add(1));
        result
    }
}
