//! What satisfied a condition on one path, tried on others.
//!
//! The conditions of a path fall into groups of symbols that mostly have nothing to do with each other: a width and a height, a
//! number of bits, a kind of compression. What an input says about such a group is a partial solution, for it satisfied
//! the conditions on these symbols somewhere. Where another path has conditions on the same symbols it is worth a run,
//! which costs a small part of what a query does (KLEE reuses its counterexamples for the same reason, OSDI 2008, Section 3.3).

use super::unusual::Unusual;
use smt::FunId;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// Larger groups are not taken over: what is said about so many symbols fits nowhere else.
const MAX_SYMBOLS: usize = 16;
/// How many inputs with different values of a group are known.
const MAX_DONORS: usize = 32;
/// How many inputs that reached new code get to see new values of a group.
const MAX_TAKERS: usize = 32;
/// About how many parts are taken over in one go.
const BATCH: usize = 64;

/// The symbols that a condition is about, ascending.
pub(super) type Group = Arc<[FunId]>;

/// A group that an input is to take over from another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Graft {
    pub(super) group: Group,
    /// The number of the input that has the values.
    pub(super) donor: usize,
}

/// Values of groups, and what is to be tried with them.
#[derive(Clone, Debug, Default)]
pub(super) struct Grafts {
    groups: HashMap<Group, Known>,
    waiting: Unusual<Plan>,
    made: u64,
}

/// What is known of a group.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Fingerprints of its values.
    values: HashSet<u64>,
    /// Inputs with different values, the newest last.
    donors: VecDeque<usize>,
    /// Inputs that reached new code under conditions on it, the newest last.
    takers: VecDeque<usize>,
}

/// A group that is to be taken over.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Plan {
    /// The first plan that was made is the first that is carried out.
    order: u64,
    group: Group,
    /// From whom; from all that are known then if it does not say.
    donor: Option<usize>,
}

impl Grafts {
    /// Notes an input that did something unusual and whose path has conditions on these groups, each with a fingerprint of what
    /// the input says about it. It shall see what others say about them, and others what it says.
    pub(super) fn note(&mut self, input: usize, groups: &[(Group, u64)], fresh: bool) {
        let mut own = BTreeSet::new();
        for (group, value) in groups.iter().filter(|(group, _)| group.len() <= MAX_SYMBOLS) {
            let known = self.groups.entry(group.clone()).or_default();
            let mut plan = |donor| {
                self.made += 1;
                Plan { order: self.made, group: group.clone(), donor }
            };
            if !known.donors.is_empty() {
                own.insert(plan(None));
            }
            if known.values.insert(*value) {
                for &taker in &known.takers {
                    self.waiting.extend(taker, plan(Some(input)));
                }
                push(&mut known.donors, input, MAX_DONORS);
            }
            if fresh {
                push(&mut known.takers, input, MAX_TAKERS);
            }
        }
        self.waiting.add(input, own, fresh);
    }

    /// Some of the next ones, for one input.
    pub(super) fn pop(&mut self) -> Option<(usize, Vec<Graft>)> {
        let (input, first) = self.waiting.pop()?;
        let mut grafts = Vec::new();
        let mut next = Some(first);
        while let Some(Plan { group, donor, .. }) = next {
            let donors = match donor {
                Some(one) => vec![one],
                None => self
                    .groups
                    .get(&group)
                    .map_or_else(Vec::new, |known| known.donors.iter().copied().collect()),
            };
            let others = donors.into_iter().filter(|&donor| donor != input);
            grafts.extend(others.map(|donor| Graft { group: group.clone(), donor }));
            next = if grafts.len() < BATCH { self.waiting.pop_of(input) } else { None };
        }
        Some((input, grafts))
    }

    /// Notes what trying some on an input cost.
    pub(super) fn charge(&mut self, input: usize, cost: u64) {
        self.waiting.charge(input, cost);
    }
}

fn push(queue: &mut VecDeque<usize>, input: usize, most: usize) {
    if queue.len() == most {
        queue.pop_front();
    }
    queue.push_back(input);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn donors(grafts: &mut Grafts) -> Vec<(usize, Vec<usize>)> {
        let popped = std::iter::from_fn(|| grafts.pop());
        let mut all: Vec<_> =
            popped.map(|(input, grafts)| (input, grafts.iter().map(|graft| graft.donor).collect())).collect();
        all.sort();
        all
    }

    #[test]
    fn values_go_to_who_comes_later_and_to_who_reached_new_code_before() {
        let group: Group = Arc::from([]);
        let mut grafts = Grafts::default();
        grafts.note(0, &[(group.clone(), 10)], true);
        grafts.note(1, &[(group.clone(), 11)], false);
        assert_eq!(donors(&mut grafts), [(0, vec![1]), (1, vec![0])]);
        // What is known already goes to nobody, and what did not reach new code gets nothing later.
        grafts.note(2, &[(group.clone(), 11)], false);
        assert_eq!(donors(&mut grafts), [(2, vec![0, 1])]);
        grafts.note(3, &[(group, 12)], false);
        assert_eq!(donors(&mut grafts), [(0, vec![3]), (3, vec![0, 1])]);
    }

    #[test]
    fn the_values_of_a_group_are_the_newest_ones() {
        let group: Group = Arc::from([]);
        let mut grafts = Grafts::default();
        for input in 0..MAX_DONORS + 5 {
            grafts.note(input, &[(group.clone(), input as u64)], false);
        }
        donors(&mut grafts);
        grafts.note(1000, &[(group, 1000)], false);
        assert_eq!(donors(&mut grafts), [(1000, (6..MAX_DONORS + 5).collect())]);
    }
}
