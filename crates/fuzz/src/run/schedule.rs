//! The order in which a run's batches get their turns. Every batch has a first turn of a few tests; one that has more waits until
//! all others had theirs, and then goes on where it stopped, with a larger share. So a run that ends by the clock has tested
//! every seed, and a run that ends by itself has tested all.
//!
//! Shares count tests, never time: which test comes when depends on the run's seed alone. What keeps slow tests from eating a run
//! is their limit. It is small in a first turn; a test that reaches it is done again in the batch's next turn with more time, and
//! is one test all the same. Owns the queue; knows nothing of solvers.

use super::worker::SeedFacts;
use crate::tuning::run_schedule::{GROWTH, INTERLEAVE, LIMIT, MOST_WAITING, SHARE};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// How far a batch has come.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct BatchProgress {
    /// How many of its tests were done.
    pub(super) tested: u64,
    /// Which of them, from 1, are to be done again with more time. Ascending.
    pub(super) again: Vec<u64>,
}

/// A batch's turn.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) number: u64,
    /// How many turns the batch had before.
    pub(super) round: u32,
    pub(super) progress: BatchProgress,
    /// The last of its tests, from 1, that this turn has; `None` for all.
    pub(super) until: Option<u64>,
    /// What is known of its seed since then.
    pub(super) facts: SeedFacts,
}

impl Turn {
    /// What one of this turn's tests may cost.
    pub(super) fn limit(&self) -> Duration {
        LIMIT.saturating_mul(GROWTH.saturating_pow(self.round))
    }
}

/// The turns to come.
pub(super) struct Schedule {
    batches: Option<u64>,
    queue: Mutex<Queue>,
}

struct Queue {
    next: u64,
    /// Before this batch one of those that wait has its turn.
    pause: u64,
    waiting: VecDeque<Turn>,
}

impl Schedule {
    /// All batches are to come.
    pub(super) fn new(batches: Option<u64>) -> Schedule {
        Schedule {
            batches,
            queue: Mutex::new(Queue { next: 0, pause: INTERLEAVE, waiting: VecDeque::new() }),
        }
    }

    /// The next turn; `None` if no batch waits for one. `progress` tells how far an earlier run came with a new batch, or `None`
    /// if it is done.
    pub(super) fn next(&self, progress: impl Fn(u64) -> Option<BatchProgress>) -> Option<Turn> {
        let mut queue = self.lock();
        if self.batches.is_none() && queue.next >= queue.pause {
            queue.pause = queue.next + INTERLEAVE;
            if let Some(turn) = queue.waiting.pop_front() {
                return Some(turn);
            }
        }
        while self.batches.is_none_or(|count| queue.next < count) {
            let number = queue.next;
            queue.next += 1;
            if let Some(progress) = progress(number) {
                let round = self.round(progress.tested);
                let facts = SeedFacts::default();
                let turn = Turn { number, round, progress, until: self.until(round), facts };
                if round == 0 {
                    return Some(turn);
                }
                // An earlier run did its first turn: it waits where it would have waited then.
                queue.waiting.push_back(turn);
            }
        }
        // Those with fewer turns come first, and of them the first: as if they had waited from the beginning.
        let first = queue.waiting.iter().enumerate().min_by_key(|(_, turn)| (turn.round, turn.number))?.0;
        queue.waiting.remove(first)
    }

    /// Puts a batch behind all others, for its next turn.
    pub(super) fn wait(&self, turn: Turn) {
        let round = turn.round + 1;
        let turn = Turn { round, until: self.until(round), ..turn };
        let mut queue = self.lock();
        if self.batches.is_some() || queue.waiting.len() < MOST_WAITING {
            queue.waiting.push_back(turn);
        }
    }

    /// The last test of a turn. A batch among endless others is a small one, and has one turn for all its tests.
    fn until(&self, round: u32) -> Option<u64> {
        let share = |round| SHARE.saturating_mul(u64::from(GROWTH).saturating_pow(round));
        self.batches.map(|_| (0..=round).fold(0, |sum: u64, round| sum.saturating_add(share(round))))
    }

    /// The turn that a batch is in when so many of its tests are done.
    fn round(&self, tested: u64) -> u32 {
        (0..u64::BITS)
            .find(|&round| self.until(round).is_none_or(|until| tested < until))
            .unwrap_or(u64::BITS)
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("no worker panics while it holds the queue")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tested(tested: u64) -> Option<BatchProgress> {
        Some(BatchProgress { tested, again: Vec::new() })
    }

    #[test]
    fn a_long_batch_waits_for_the_others_and_gets_more() {
        let schedule = Schedule::new(Some(4));
        // An earlier run did the whole of batch 1 and a part of batch 2.
        let next =
            || schedule.next(|number| [tested(0), None, tested(7), tested(0)][number as usize].clone());
        let first = next().expect("a turn");
        assert_eq!((first.number, first.progress.tested, first.limit()), (0, 0, LIMIT));
        assert_eq!(first.until, Some(SHARE));
        let progress = BatchProgress { tested: SHARE, again: vec![3] };
        schedule.wait(Turn { progress: progress.clone(), ..first });
        let turns: Vec<(u64, u64)> =
            std::iter::from_fn(next).take(2).map(|turn| (turn.number, turn.progress.tested)).collect();
        assert_eq!(turns, [(2, 7), (3, 0)]);
        let again = next().expect("the one that waited");
        assert_eq!((again.number, &again.progress, again.limit()), (0, &progress, LIMIT * GROWTH));
        assert_eq!(again.until, Some(SHARE + SHARE * u64::from(GROWTH)));
        assert!(next().is_none());
    }

    /// A run that goes on has the turns that the whole run would have had.
    #[test]
    fn what_had_its_first_turn_waits_again() {
        let schedule = Schedule::new(Some(4));
        let done = [SHARE, SHARE + 4 * SHARE, 5, 0];
        let next = || schedule.next(|number| tested(done[number as usize]));
        let turns: Vec<(u64, u32)> = std::iter::from_fn(next).map(|turn| (turn.number, turn.round)).collect();
        assert_eq!(turns, [(2, 0), (3, 0), (0, 1), (1, 2)]);
    }

    #[test]
    fn where_batches_never_end_those_that_wait_come_in_between() {
        let schedule = Schedule::new(None);
        let next = || schedule.next(|_| tested(0)).expect("a turn").number;
        let slow = schedule.next(|_| tested(0)).expect("a turn");
        assert_eq!(slow.until, None);
        schedule.wait(slow);
        let numbers: Vec<u64> = (0..INTERLEAVE + 2).map(|_| next()).collect();
        assert_eq!(numbers.iter().filter(|&&number| number == 0).count(), 1, "{numbers:?}");
        assert!(numbers.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
