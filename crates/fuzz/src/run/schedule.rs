//! The order in which a run's batches get their turns. Every batch has a first turn; one whose tests cost more than their
//! share, be it one test alone, waits until all others had theirs, and then goes on where it stopped, with a larger share.
//! So a run that ends by the clock has tested every seed and many quick mutants, instead of few slow ones, and a run that ends
//! by itself has tested all, whatever the times were. Owns the queue; knows nothing of solvers.

use super::worker::SeedFacts;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// The CPU time of a first turn.
const SHARE: Duration = Duration::from_millis(250);
/// How much larger the share of each further turn is.
const GROWTH: u32 = 4;
/// Where batches never end, one that waits has its turn after this many new ones.
const INTERLEAVE: u64 = 16;

/// A batch's turn.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) number: u64,
    /// How many turns the batch had before.
    pub(super) round: u32,
    /// How many of its tests were done in them.
    pub(super) tested: u64,
    /// What is known of its seed since then.
    pub(super) facts: SeedFacts,
}

impl Turn {
    /// What this turn's tests may cost.
    pub(super) fn share(&self) -> Duration {
        SHARE.saturating_mul(GROWTH.saturating_pow(self.round))
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

    /// The next turn; `None` if no batch waits for one. `tested` tells how many tests of a new batch an earlier run did, or
    /// `None` if all.
    pub(super) fn next(&self, tested: impl Fn(u64) -> Option<u64>) -> Option<Turn> {
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
            if let Some(tested) = tested(number) {
                return Some(Turn { number, round: 0, tested, facts: SeedFacts::default() });
            }
        }
        queue.waiting.pop_front()
    }

    /// Puts a batch behind all others.
    pub(super) fn wait(&self, turn: Turn) {
        self.lock().waiting.push_back(turn);
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("no worker panics while it holds the queue")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_batch_waits_for_the_others_and_gets_more() {
        let schedule = Schedule::new(Some(4));
        // An earlier run did the whole of batch 1 and a part of batch 2.
        let next = || schedule.next(|number| [Some(0), None, Some(7), Some(0)][number as usize]);
        let first = next().expect("a turn");
        assert_eq!((first.number, first.tested, first.share()), (0, 0, SHARE));
        schedule.wait(Turn { round: 1, tested: 12, ..first });
        let turns: Vec<(u64, u64)> =
            std::iter::from_fn(next).take(2).map(|turn| (turn.number, turn.tested)).collect();
        assert_eq!(turns, [(2, 7), (3, 0)]);
        let again = next().expect("the one that waited");
        assert_eq!((again.number, again.tested, again.share()), (0, 12, SHARE * GROWTH));
        assert!(next().is_none());
    }

    #[test]
    fn where_batches_never_end_those_that_wait_come_in_between() {
        let schedule = Schedule::new(None);
        let next = || schedule.next(|_| Some(0)).expect("a turn").number;
        let slow = schedule.next(|_| Some(0)).expect("a turn");
        schedule.wait(Turn { round: 1, ..slow });
        let numbers: Vec<u64> = (0..INTERLEAVE + 2).map(|_| next()).collect();
        assert_eq!(numbers.iter().filter(|&&number| number == 0).count(), 1, "{numbers:?}");
        assert!(numbers.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
