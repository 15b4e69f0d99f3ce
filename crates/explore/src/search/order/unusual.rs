//! What is to be tried about unusual runs: runs that made two branches in a row for the first time, or about so often.
//!
//! Such a run may be on the way to new code though it reached none: a parser's loop went round once more, or a function was
//! called from somewhere else. (Fuzzers keep such inputs for the same reason.) The runs share what is spent; those that did
//! reach new code get more.

use super::{Cost, Making, Order, Sight, Wanted};
use crate::search::tree::NodeId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Decisions that unusual runs opened, those nearest to the start first.
#[derive(Clone, Debug)]
pub(super) struct UnusualFirst(Unusual<(u32, NodeId)>);

impl UnusualFirst {
    pub(super) fn new(making: &Making) -> UnusualFirst {
        let tuning = &making.tuning;
        let preference = if making.alone { tuning.alone } else { tuning.fresh };
        UnusualFirst(Unusual::new(preference, tuning.max_runs))
    }
}

impl Order for UnusualFirst {
    fn push(&mut self, _: Sight<'_>, _: &[NodeId], _: &dyn Fn(NodeId) -> bool, _: u64) {}

    fn pop(&mut self, sight: Sight<'_>, _: Wanted) -> Option<NodeId> {
        loop {
            let (_, (_, id)) = self.0.pop()?;
            let tried = sight.attempts.at(id).looked || !sight.attempts.still_open(sight.tree, id);
            if !tried && sight.waiting.contains(id) {
                return Some(id);
            }
        }
    }

    fn prefer(&mut self, sight: Sight<'_>, input: usize, opened: &[NodeId], fresh: bool) {
        let queue = opened.iter().map(|&id| (sight.tree.node(id).depth, id)).collect();
        self.0.add(input, queue, fresh);
    }

    fn charge(&mut self, sight: Sight<'_>, id: NodeId, cost: Cost) {
        self.0.charge(sight.tree.node(id).input, cost.ticks);
    }
}

/// Things to try, by the number of the input whose run they belong to.
#[derive(Clone, Debug)]
pub(in crate::search) struct Unusual<T> {
    /// How many times more may be spent on a run that reached new code.
    preference: u64,
    /// How many runs are known; beyond that the oldest is forgotten.
    most: usize,
    inputs: BTreeMap<usize, Waiting<T>>,
    /// The inputs of which something waits, by what was spent on them, the newest first.
    ranking: BTreeSet<(u64, Reverse<usize>)>,
}

#[derive(Clone, Debug)]
struct Waiting<T> {
    fresh: bool,
    spent: u64,
    queue: BTreeSet<T>,
}

impl<T> Unusual<T> {
    /// Spends so many times more on a run that reached new code, and remembers so many runs.
    pub(in crate::search) fn new(preference: u64, most: u64) -> Unusual<T> {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Unusual { preference: preference.max(1), most, inputs: BTreeMap::new(), ranking: BTreeSet::new() }
    }
}

impl<T: Ord> Unusual<T> {
    /// Adds what is to be tried about the run of an input. `fresh` if it reached new code.
    pub(in crate::search) fn add(&mut self, input: usize, queue: BTreeSet<T>, fresh: bool) {
        self.inputs.insert(input, Waiting { fresh, spent: 0, queue });
        self.ranking.insert((0, Reverse(input)));
        if self.inputs.len() > self.most
            && let Some((oldest, waiting)) = self.inputs.pop_first()
        {
            self.ranking.remove(&(waiting.spent, Reverse(oldest)));
        }
    }

    /// Adds one more thing about a run that is still known.
    pub(in crate::search) fn extend(&mut self, input: usize, more: T) {
        if let Some(waiting) = self.inputs.get_mut(&input) {
            waiting.queue.insert(more);
            self.ranking.insert((waiting.spent, Reverse(input)));
        }
    }

    /// Whether something waits about a run.
    pub(in crate::search) fn has(&self, input: usize) -> bool {
        self.inputs.get(&input).is_some_and(|waiting| !waiting.queue.is_empty())
    }

    /// Takes the first thing of the input on which least was spent, and says which input that is.
    pub(in crate::search) fn pop(&mut self) -> Option<(usize, T)> {
        loop {
            let &(spent, Reverse(input)) = self.ranking.first()?;
            if let Some(first) = self.pop_of(input) {
                return Some((input, first));
            }
            self.ranking.remove(&(spent, Reverse(input)));
        }
    }

    /// Takes the first thing of an input.
    pub(in crate::search) fn pop_of(&mut self, input: usize) -> Option<T> {
        self.inputs.get_mut(&input)?.queue.pop_first()
    }

    /// Notes what trying something about the run of an input cost.
    pub(in crate::search) fn charge(&mut self, input: usize, cost: u64) {
        if let Some(waiting) = self.inputs.get_mut(&input) {
            let ranked = self.ranking.remove(&(waiting.spent, Reverse(input)));
            waiting.spent =
                waiting.spent.saturating_add(if waiting.fresh { cost / self.preference } else { cost });
            if ranked {
                self.ranking.insert((waiting.spent, Reverse(input)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reached_new_code_gets_more_and_all_get_something() {
        let mut unusual = Unusual::new(32, 100);
        for input in 0..2 {
            unusual.add(input, (0..40).collect(), input == 1);
        }
        let mut tried = [0, 0];
        for _ in 0..33 {
            let (input, first) = unusual.pop().expect("something is left");
            assert_eq!(first, tried[input], "in their order");
            tried[input] += 1;
            unusual.charge(input, 1000);
        }
        assert_eq!(tried, [1, 32]);
        assert_eq!(std::iter::from_fn(|| unusual.pop()).count(), 80 - 33);
        unusual.extend(0, 100);
        assert_eq!(unusual.pop(), Some((0, 100)), "there may be more later");
        unusual.extend(2, 100);
        assert_eq!(unusual.pop(), None, "that one is unknown");
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut unusual = Unusual::new(32, 100);
        for input in 0..100 + 10 {
            unusual.add(input, BTreeSet::from([input]), false);
        }
        let mut left: Vec<usize> = std::iter::from_fn(|| unusual.pop()).map(|(input, _)| input).collect();
        left.sort_unstable();
        assert_eq!(left, (10..100 + 10).collect::<Vec<_>>());
    }
}
