//! The current assignment and the last feasible one.
//!
//! The search may wander through infeasible assignments; when the caller backtracks it returns to the
//! last assignment that satisfied all bounds, which satisfies the fewer bounds that are left. Only
//! the values that changed since then are kept (Dutertre and de Moura, Section 4.2).

use super::form::Var;
use super::num::{Delta, Rational};
use super::partial::Watch;

/// Values of all variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Assignment {
    value: Vec<Delta>,
    saved: Vec<(Var, Delta)>,
    is_saved: Vec<bool>,
    pub(super) watch: Option<Watch>,
}

impl Assignment {
    pub(super) fn add_var(&mut self) {
        self.value.push(Delta::ZERO);
        self.is_saved.push(false);
    }

    #[inline]
    pub(super) fn get(&self, var: Var) -> &Delta {
        &self.value[var.index()]
    }

    pub(super) fn values(&self) -> &[Delta] {
        &self.value
    }

    pub(super) fn set(&mut self, var: Var, value: Delta) {
        self.touch(var);
        self.value[var.index()] = value;
    }

    /// Gives a variable its value in the last feasible assignment as well as in the current one.
    pub(super) fn define(&mut self, var: Var, value: Delta) {
        if let Some(watch) = &mut self.watch {
            watch.note(var);
        }
        self.value[var.index()] = value;
    }

    /// `var += factor * step`.
    #[inline]
    pub(super) fn add_mul(&mut self, var: Var, factor: &Rational, step: &Delta) -> &Delta {
        self.touch(var);
        let value = &mut self.value[var.index()];
        value.add_mul(factor, step);
        value
    }

    #[inline]
    fn touch(&mut self, var: Var) {
        if !std::mem::replace(&mut self.is_saved[var.index()], true) {
            self.saved.push((var, self.value[var.index()].clone()));
        }
        if let Some(watch) = &mut self.watch {
            watch.note(var);
        }
    }

    /// Declares the current assignment feasible.
    pub(super) fn commit(&mut self) {
        for (var, _) in self.saved.drain(..) {
            self.is_saved[var.index()] = false;
        }
    }

    /// Returns to the last feasible assignment; the variables whose value was restored.
    pub(super) fn rollback(&mut self) -> Vec<Var> {
        let saved = std::mem::take(&mut self.saved);
        let mut restored = Vec::with_capacity(saved.len());
        for (var, value) in saved {
            self.value[var.index()] = value;
            self.is_saved[var.index()] = false;
            if let Some(watch) = &mut self.watch {
                watch.note(var);
            }
            restored.push(var);
        }
        restored
    }
}
