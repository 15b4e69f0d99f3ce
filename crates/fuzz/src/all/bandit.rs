//! Which to do when: for each of four choices (source, theme, context, setting) a weight for every arm, by how often it led to
//! something new. Owns the weights and the memory of what was chosen; knows no solver.
//!
//! Chances are `share * (news + 1) / (pulls + 2)`, so that every arm keeps a chance: a bandit that stops trying an arm never learns
//! that it was wrong.

use random::Rng;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Batches of one round choose from what earlier rounds have seen.
const ROUND: u64 = 16;

/// One choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pull {
    pub(super) number: u64,
    pub(super) arms: [usize; 4],
}

/// One choice of the bandit and what it led to.
#[derive(Clone, Copy, Debug)]
struct Arm {
    share: u32,
    pulls: u32,
    news: u32,
}

/// What was chosen, and what came of it.
#[derive(Debug)]
pub(super) struct Bandit {
    arms: [Vec<Arm>; 4],
    pulls: BTreeMap<u64, Pull>,
    /// Reports that were not looked at yet.
    reports: BTreeMap<u64, BTreeSet<u64>>,
    known: HashSet<u64>,
    /// Rounds before this one are counted.
    counted: u64,
}

impl Bandit {
    /// Arms with these shares.
    pub(super) fn new(shares: [Vec<u32>; 4]) -> Bandit {
        let arms =
            shares.map(|list| list.into_iter().map(|share| Arm { share, pulls: 0, news: 0 }).collect());
        Bandit { arms, pulls: BTreeMap::new(), reports: BTreeMap::new(), known: HashSet::new(), counted: 0 }
    }

    /// The choice for a batch: made once, the same when the batch has another turn.
    pub(super) fn pull(&mut self, number: u64, rng: &mut Rng) -> Pull {
        if let Some(pull) = self.pulls.get(&number) {
            // The random source goes on as if the choice were made now.
            for _ in 0..self.arms.len() {
                rng.unit();
            }
            return pull.clone();
        }
        self.count_before(number / ROUND);
        let pull = self.draw(number, rng);
        self.pulls.insert(number, pull.clone());
        pull
    }

    /// A choice by the shares as they are, which nobody remembers.
    pub(super) fn draw(&self, number: u64, rng: &mut Rng) -> Pull {
        Pull { number, arms: std::array::from_fn(|i| choose(&self.arms[i], rng.unit())) }
    }

    /// How many earlier batches chose an arm.
    pub(super) fn nth(&self, choice: usize, arm: usize, number: u64) -> u64 {
        self.pulls.range(..number).filter(|(_, pull)| pull.arms[choice] == arm).count() as u64
    }

    /// What a batch saw. Reports of a round that was counted come too late, and are left out.
    pub(super) fn report(&mut self, pull: &Pull, seen: BTreeSet<u64>) {
        if pull.number / ROUND >= self.counted {
            self.reports.entry(pull.number).or_default().extend(seen);
        }
    }

    /// Counts what all rounds but the last before this one saw, in the order of the batches.
    fn count_before(&mut self, round: u64) {
        let until = round.saturating_sub(1);
        if until <= self.counted {
            return;
        }
        self.counted = until;
        let later = self.reports.split_off(&(until * ROUND));
        for (number, seen) in std::mem::replace(&mut self.reports, later) {
            let new = seen.into_iter().filter(|key| self.known.insert(*key)).count();
            let arms = self.pulls[&number].arms;
            for (list, arm) in self.arms.iter_mut().zip(arms) {
                list[arm].pulls += 1;
                list[arm].news += u32::from(new > 0) + u32::from(new > 4);
            }
        }
    }
}

/// The arm at a place between 0 and 1.
fn choose(arms: &[Arm], place: f64) -> usize {
    let weight = |arm: &Arm| f64::from(arm.share) * f64::from(arm.news + 1) / f64::from(arm.pulls + 2);
    let total: f64 = arms.iter().map(weight).sum();
    let mut left = place * total;
    for (number, arm) in arms.iter().enumerate() {
        left -= weight(arm);
        if left < 0.0 {
            return number;
        }
    }
    arms.iter().rposition(|arm| arm.share > 0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seed: u64, interesting: usize) -> Vec<usize> {
        let mut bandit = Bandit::new([vec![1; 6], vec![1], vec![1], vec![1]]);
        let mut chosen = Vec::new();
        for number in 0..2000 {
            let pull = bandit.pull(number, &mut Rng::numbered(seed, number));
            chosen.push(pull.arms[0]);
            let seen = if pull.arms[0] == interesting { number } else { 7 };
            bandit.report(&pull, BTreeSet::from([seen]));
        }
        chosen
    }

    #[test]
    fn what_is_new_is_chosen_more_often_and_nothing_is_forgotten() {
        let chosen = run(1, 4);
        let count = |arm: usize| chosen.iter().filter(|&&c| c == arm).count();
        assert!(count(4) > 3 * count(0), "{} {}", count(4), count(0));
        assert!((0..6).all(|arm| chosen[1000..].contains(&arm)));
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(run(3, 2), run(3, 2));
        assert_ne!(run(3, 2), run(4, 2));
    }

    #[test]
    fn a_batch_that_comes_again_is_the_same() {
        let mut bandit = Bandit::new([vec![1; 6], vec![1; 6], vec![1; 6], vec![1; 6]]);
        let first = bandit.pull(3, &mut Rng::numbered(1, 3));
        for number in 4..100 {
            bandit.pull(number, &mut Rng::numbered(1, number));
        }
        assert_eq!(bandit.pull(3, &mut Rng::numbered(1, 3)), first);
    }
}
