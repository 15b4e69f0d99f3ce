//! A set of variables, each at most once, from which one with the smallest key is taken.
//!
//! Keys change while variables wait. They are looked at when a variable comes up: one whose key grew since goes back, one without
//! a key leaves. So a step costs the logarithm of the set's size, at the price that a key that shrank is noticed late.

use super::form::Var;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The set.
#[derive(Clone, Debug, Default)]
pub(super) struct VarQueue {
    /// Arrived since the last look.
    fresh: Vec<Var>,
    heap: BinaryHeap<Reverse<(usize, Var)>>,
    queued: Vec<bool>,
}

impl VarQueue {
    pub(super) fn add_var(&mut self) {
        self.queued.push(false);
    }

    #[inline]
    pub(super) fn push(&mut self, var: Var) {
        if !std::mem::replace(&mut self.queued[var.index()], true) {
            self.fresh.push(var);
        }
    }

    /// Forgets the keys that were looked at, so that the next variable has the smallest key of all.
    pub(super) fn rekey(&mut self) {
        self.fresh.extend(self.heap.drain().map(|Reverse((_, var))| var));
    }

    /// Removes the variable with the smallest key, and the ones without a key that are in its way.
    pub(super) fn pop_min(&mut self, mut key: impl FnMut(Var) -> Option<usize>) -> Option<Var> {
        for var in std::mem::take(&mut self.fresh) {
            match key(var) {
                Some(key) => self.heap.push(Reverse((key, var))),
                None => self.queued[var.index()] = false,
            }
        }
        while let Some(Reverse((known, var))) = self.heap.pop() {
            match key(var) {
                Some(now) if now > known => self.heap.push(Reverse((now, var))),
                Some(_) => {
                    self.queued[var.index()] = false;
                    return Some(var);
                }
                None => self.queued[var.index()] = false,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_may_grow_and_vanish_while_variables_wait() {
        let mut queue = VarQueue::default();
        let vars: Vec<Var> = (0..6).map(Var::new).collect();
        vars.iter().for_each(|_| queue.add_var());
        vars.iter().chain(&vars).for_each(|&var| queue.push(var));
        let mut keys = [Some(3), Some(1), Some(2), None, Some(5), Some(1)];
        let take = |queue: &mut VarQueue, keys: &[Option<usize>]| {
            queue.pop_min(|var| keys[var.index()]).map(Var::index)
        };
        assert_eq!(take(&mut queue, &keys), Some(1));
        (keys[5], keys[2]) = (Some(4), None);
        assert_eq!(take(&mut queue, &keys), Some(0));
        queue.push(vars[1]);
        assert_eq!(take(&mut queue, &keys), Some(1));
        keys[4] = Some(0);
        queue.rekey();
        assert_eq!(take(&mut queue, &keys), Some(4));
        assert_eq!([take(&mut queue, &keys), take(&mut queue, &keys)], [Some(5), None]);
    }
}
