//! What satisfied a condition on one path, tried on others.
//!
//! The conditions of a path fall into groups of symbols that mostly have nothing to do with each other: a width and a height, a
//! number of bits, a kind of compression. What an input says about such a group is a partial solution, for it satisfied
//! the conditions on these symbols somewhere. Where another path has conditions on the same symbols it is worth a run,
//! which costs a small part of what a query does (KLEE reuses its counterexamples for the same reason, OSDI 2008, Section 3.3).

use super::{News, Source, Variants, Vary};
use crate::search::order::Unusual;
use crate::search::partial_runner::PartialRunner;
use crate::search::tuning::Tuning;
use smt::FunId;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// The symbols that a condition is about, ascending.
pub(in crate::search) type Group = Arc<[FunId]>;

/// The groups of a path, each with a fingerprint of what its input says about it.
pub(in crate::search) type Groups = Vec<(Group, u64)>;

/// A group that an input is to take over from another one.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Graft {
    group: Group,
    /// The number of the input that has the values.
    donor: usize,
}

/// Values of groups, and what is to be tried with them.
#[derive(Clone, Debug)]
pub(super) struct Grafts {
    groups: HashMap<Group, Known>,
    waiting: Unusual<Plan>,
    made: u64,
    /// Larger groups are not taken over.
    max_symbols: usize,
    max_donors: usize,
    max_takers: usize,
    batch: usize,
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
    pub(super) fn new(tuning: &Tuning) -> Grafts {
        Grafts {
            groups: HashMap::new(),
            waiting: Unusual::new(tuning.fresh, tuning.max_runs),
            made: 0,
            max_symbols: tuning.graft_symbols as usize,
            max_donors: tuning.graft_donors as usize,
            max_takers: tuning.graft_takers as usize,
            batch: tuning.graft_batch as usize,
        }
    }
}

impl Variants for Grafts {
    /// The input shall see what others say about the groups of its path, and others what it says.
    fn note(&mut self, &News { input, groups, fresh, .. }: &News<'_>) {
        let mut own = BTreeSet::new();
        for (group, value) in groups.iter().filter(|(group, _)| group.len() <= self.max_symbols) {
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
                push(&mut known.donors, input, self.max_donors);
            }
            if fresh {
                push(&mut known.takers, input, self.max_takers);
            }
        }
        self.waiting.add(input, own, fresh);
    }

    /// Some of the next ones, for one input.
    fn next(&mut self) -> Option<(usize, Box<dyn Vary>)> {
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
            next = if grafts.len() < self.batch { self.waiting.pop_of(input) } else { None };
        }
        Some((input, Box::new(Batch(grafts))))
    }

    fn charge(&mut self, input: usize, ticks: u64, _: usize) {
        self.waiting.charge(input, ticks);
    }
}

#[derive(Debug)]
struct Batch(Vec<Graft>);

impl Vary for Batch {
    fn run(&self, partial_runner: &mut PartialRunner<'_>) {
        for Graft { group, donor } in &self.0 {
            let input = partial_runner.taking_over(group, *donor);
            partial_runner.try_variant(input, Source::Graft);
        }
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

    fn donors(grafts: &mut Grafts) -> Vec<(usize, String)> {
        let popped = std::iter::from_fn(|| grafts.next());
        let mut all: Vec<_> = popped.map(|(input, batch)| (input, format!("{batch:?}"))).collect();
        all.sort();
        all
    }

    fn batch(donors: impl IntoIterator<Item = usize>) -> String {
        let group: Group = Arc::from([]);
        format!(
            "{:?}",
            Batch(donors.into_iter().map(|donor| Graft { group: group.clone(), donor }).collect())
        )
    }

    fn note(grafts: &mut Grafts, input: usize, value: u64, fresh: bool) {
        grafts.note(&News {
            input,
            groups: &vec![(Arc::from([]), value)],
            fresh,
            compared: &[],
            objects: &[],
        });
    }

    #[test]
    fn values_go_to_who_comes_later_and_to_who_reached_new_code_before() {
        let mut grafts = Grafts::new(&Tuning::default());
        note(&mut grafts, 0, 10, true);
        note(&mut grafts, 1, 11, false);
        assert_eq!(donors(&mut grafts), [(0, batch([1])), (1, batch([0]))]);
        // A known value is not passed on, and an input that did not reach new code is offered no later values.
        note(&mut grafts, 2, 11, false);
        assert_eq!(donors(&mut grafts), [(2, batch([0, 1]))]);
        note(&mut grafts, 3, 12, false);
        assert_eq!(donors(&mut grafts), [(0, batch([3])), (3, batch([0, 1]))]);
    }

    #[test]
    fn the_values_of_a_group_are_the_newest_ones() {
        let mut grafts = Grafts::new(&Tuning::default());
        let most = Tuning::default().graft_donors as usize;
        for input in 0..most + 5 {
            note(&mut grafts, input, input as u64, false);
        }
        donors(&mut grafts);
        note(&mut grafts, 1000, 1000, false);
        assert_eq!(donors(&mut grafts), [(1000, batch(6..most + 5))]);
    }
}
