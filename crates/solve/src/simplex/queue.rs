//! A set of variables, each at most once, in the order of arrival.

use super::form::Var;

/// The set.
#[derive(Clone, Debug, Default)]
pub(super) struct VarQueue {
    list: Vec<Var>,
    queued: Vec<bool>,
}

impl VarQueue {
    pub(super) fn add_var(&mut self) {
        self.queued.push(false);
    }

    #[inline]
    pub(super) fn push(&mut self, var: Var) {
        if !std::mem::replace(&mut self.queued[var.index()], true) {
            self.list.push(var);
        }
    }

    /// Removes the variables that have no key, and then the one with the smallest key.
    pub(super) fn pop_min<K: Ord>(&mut self, mut key: impl FnMut(Var) -> Option<K>) -> Option<Var> {
        let mut best: Option<(K, Var)> = None;
        let queued = &mut self.queued;
        self.list.retain(|&var| {
            let key = key(var);
            queued[var.index()] = key.is_some();
            if let Some(key) = key
                && best.as_ref().is_none_or(|(least, first)| (&key, var) < (least, *first))
            {
                best = Some((key, var));
                true
            } else {
                queued[var.index()]
            }
        });
        let (_, var) = best?;
        self.list.retain(|other| *other != var);
        self.queued[var.index()] = false;
        Some(var)
    }
}
