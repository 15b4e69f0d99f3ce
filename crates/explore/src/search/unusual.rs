//! Decisions that unusual runs opened: runs that made two branches in a row for the first time, or about so often.
//!
//! Such a run may be on the way to new code though it reached none: a parser's loop went round once more, or a function was
//! called from somewhere else. (Fuzzers keep such inputs for the same reason.) The runs share what is spent; those that did
//! reach new code get more.

use super::tree::NodeId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How many times more may be spent on what a run opened that reached new code.
const FRESH: u64 = 8;

/// The decisions, by the input whose run opened them.
#[derive(Clone, Debug, Default)]
pub(super) struct Unusual {
    inputs: BTreeMap<usize, Opened>,
    /// The inputs by what was spent on them, the newest first.
    ranking: BTreeSet<(u64, Reverse<usize>)>,
}

#[derive(Clone, Debug)]
struct Opened {
    fresh: bool,
    spent: u64,
    /// Nearest to the start first.
    queue: BTreeSet<(u32, NodeId)>,
}

impl Unusual {
    /// Adds what the run of an input opened, with their depths.
    pub(super) fn add(&mut self, input: usize, queue: BTreeSet<(u32, NodeId)>, fresh: bool) {
        self.inputs.insert(input, Opened { fresh, spent: 0, queue });
        self.ranking.insert((0, Reverse(input)));
    }

    /// Takes the first one of the input on which least was spent.
    pub(super) fn pop(&mut self) -> Option<NodeId> {
        loop {
            let &(spent, Reverse(input)) = self.ranking.first()?;
            match self.inputs.get_mut(&input).and_then(|opened| opened.queue.pop_first()) {
                Some((_, id)) => return Some(id),
                None => {
                    self.inputs.remove(&input);
                    self.ranking.remove(&(spent, Reverse(input)));
                }
            }
        }
    }

    /// Notes what trying something that the run of an input opened cost.
    pub(super) fn charge(&mut self, input: usize, cost: u64) {
        if let Some(opened) = self.inputs.get_mut(&input) {
            self.ranking.remove(&(opened.spent, Reverse(input)));
            opened.spent = opened.spent.saturating_add(if opened.fresh { cost / FRESH } else { cost });
            self.ranking.insert((opened.spent, Reverse(input)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reached_new_code_gets_more_and_all_get_something() {
        let mut unusual = Unusual::default();
        // The decisions of an input have its number in common.
        for input in 0..2 {
            let opened = (0..10).map(|depth| (depth, NodeId(100 * input + depth)));
            unusual.add(input as usize, opened.collect(), input == 1);
        }
        let mut tried = [0, 0];
        for _ in 0..9 {
            let NodeId(number) = unusual.pop().expect("something is left");
            let input = number as usize / 100;
            assert_eq!(number as usize % 100, tried[input], "the nearest to the start comes first");
            tried[input] += 1;
            unusual.charge(input, 1000);
        }
        assert_eq!(tried, [1, 8]);
        assert_eq!(std::iter::from_fn(|| unusual.pop()).count(), 11);
    }
}
