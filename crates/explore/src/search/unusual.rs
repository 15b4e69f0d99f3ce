//! What is to be tried about unusual runs: runs that made two branches in a row for the first time, or about so often.
//!
//! Such a run may be on the way to new code though it reached none: a parser's loop went round once more, or a function was
//! called from somewhere else. (Fuzzers keep such inputs for the same reason.) The runs share what is spent; those that did
//! reach new code get more.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How many times more may be spent on a run that reached new code, unless somebody says otherwise.
const FRESH: u64 = 32;
/// How many runs are known; beyond that the oldest is forgotten.
const MAX_RUNS: usize = 1 << 13;

/// Things to try, by the number of the input whose run they belong to.
#[derive(Clone, Debug)]
pub(super) struct Unusual<T> {
    /// How many times more may be spent on a run that reached new code.
    preference: u64,
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

impl<T> Default for Unusual<T> {
    fn default() -> Unusual<T> {
        Unusual::preferring(FRESH)
    }
}

impl<T> Unusual<T> {
    /// Spends so many times more on a run that reached new code.
    pub(super) fn preferring(times: u64) -> Unusual<T> {
        Unusual { preference: times, inputs: BTreeMap::new(), ranking: BTreeSet::new() }
    }
}

impl<T: Ord> Unusual<T> {
    /// Adds what is to be tried about the run of an input. `fresh` if it reached new code.
    pub(super) fn add(&mut self, input: usize, queue: BTreeSet<T>, fresh: bool) {
        self.inputs.insert(input, Waiting { fresh, spent: 0, queue });
        self.ranking.insert((0, Reverse(input)));
        if self.inputs.len() > MAX_RUNS
            && let Some((oldest, waiting)) = self.inputs.pop_first()
        {
            self.ranking.remove(&(waiting.spent, Reverse(oldest)));
        }
    }

    /// Adds one more thing about a run that is still known.
    pub(super) fn extend(&mut self, input: usize, more: T) {
        if let Some(waiting) = self.inputs.get_mut(&input) {
            waiting.queue.insert(more);
            self.ranking.insert((waiting.spent, Reverse(input)));
        }
    }

    /// Takes the first thing of the input on which least was spent, and says which input that is.
    pub(super) fn pop(&mut self) -> Option<(usize, T)> {
        loop {
            let &(spent, Reverse(input)) = self.ranking.first()?;
            if let Some(first) = self.pop_of(input) {
                return Some((input, first));
            }
            self.ranking.remove(&(spent, Reverse(input)));
        }
    }

    /// Takes the first thing of an input.
    pub(super) fn pop_of(&mut self, input: usize) -> Option<T> {
        self.inputs.get_mut(&input)?.queue.pop_first()
    }

    /// Notes what trying something about the run of an input cost.
    pub(super) fn charge(&mut self, input: usize, cost: u64) {
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
        let mut unusual = Unusual::default();
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
        assert_eq!(unusual.pop(), None, "nobody knows that one");
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut unusual = Unusual::default();
        for input in 0..MAX_RUNS + 10 {
            unusual.add(input, BTreeSet::from([input]), false);
        }
        let mut left: Vec<usize> = std::iter::from_fn(|| unusual.pop()).map(|(input, _)| input).collect();
        left.sort_unstable();
        assert_eq!(left, (10..MAX_RUNS + 10).collect::<Vec<_>>());
    }
}
