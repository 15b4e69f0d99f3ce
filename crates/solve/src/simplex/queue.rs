//! A priority queue of variables, smallest first, each at most once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::form::Var;

/// The queue.
#[derive(Clone, Debug, Default)]
pub(super) struct VarQueue {
    heap: BinaryHeap<Reverse<Var>>,
    queued: Vec<bool>,
}

impl VarQueue {
    pub(super) fn add_var(&mut self) {
        self.queued.push(false);
    }

    #[inline]
    pub(super) fn push(&mut self, var: Var) {
        if !std::mem::replace(&mut self.queued[var.index()], true) {
            self.heap.push(Reverse(var));
        }
    }

    /// The smallest variable, removed.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let Reverse(var) = self.heap.pop()?;
        self.queued[var.index()] = false;
        Some(var)
    }
}
