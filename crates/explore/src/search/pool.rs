//! Workers on threads of their own, with a queue of jobs in front of each.
//!
//! Jobs have numbers. Job `n` goes to worker `n mod N`, and the explorer learns from the results by number, not by time; it hands out
//! the next job when it has learnt from the one that was handed out [`Pool::room`] jobs before. So who does what, and what is known
//! when a job is chosen, depends on the seed and the number of workers alone, and a worker that has an easy job goes on with its
//! next one while another has a hard one.

use super::worker::{Ticket, Tried, Worker};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

/// How long the explorer waits before it looks at the clock.
const GLANCE: Duration = Duration::from_millis(20);

/// Workers that work at the same time.
pub(super) struct Pool<'scope, 'a> {
    queues: Vec<Sender<(usize, Ticket<'a>)>>,
    results: Receiver<(usize, Tried)>,
    threads: Vec<ScopedJoinHandle<'scope, Worker>>,
    /// Results that came before their turn.
    early: BTreeMap<usize, Tried>,
    handed_out: usize,
    learnt: usize,
    room: usize,
}

impl<'scope, 'a: 'scope> Pool<'scope, 'a> {
    /// Starts workers; each has up to `ahead` jobs.
    pub(super) fn new<'env>(
        scope: &'scope Scope<'scope, 'env>,
        workers: Vec<Worker>,
        ahead: usize,
    ) -> Pool<'scope, 'a> {
        let (done, results) = channel();
        let room = workers.len() * ahead.max(1);
        let mut queues = Vec::new();
        let mut threads = Vec::new();
        for mut worker in workers {
            let (queue, jobs) = channel::<(usize, Ticket<'a>)>();
            let done = done.clone();
            queues.push(queue);
            threads.push(scope.spawn(move || {
                for (number, ticket) in jobs {
                    // Who waits for the results may have left.
                    if ticket.view.is_over() || done.send((number, worker.work(ticket, None))).is_err() {
                        break;
                    }
                }
                worker
            }));
        }
        Pool { queues, results, threads, early: BTreeMap::new(), handed_out: 0, learnt: 0, room }
    }

    /// Whether another job may be handed out before the next result.
    pub(super) fn has_room(&self) -> bool {
        self.handed_out - self.learnt < self.room
    }

    /// Whether nothing is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.handed_out == self.learnt
    }

    /// Hands out a job.
    pub(super) fn hand_out(&mut self, ticket: Ticket<'a>) {
        let number = self.handed_out;
        self.handed_out += 1;
        // A worker that is gone has seen that everything is over.
        let _gone = self.queues[number % self.queues.len()].send((number, ticket));
    }

    /// The next result in the order of jobs; none yet after a short while.
    pub(super) fn next(&mut self) -> Option<Tried> {
        if !self.early.contains_key(&self.learnt) {
            match self.results.recv_timeout(GLANCE) {
                Ok((number, tried)) => {
                    self.early.insert(number, tried);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
        let tried = self.early.remove(&self.learnt)?;
        self.learnt += 1;
        Some(tried)
    }

    /// Waits for all workers, and gives them back.
    pub(super) fn close(self) -> Vec<Worker> {
        drop(self.queues);
        drop(self.results);
        let joined = self.threads.into_iter().map(ScopedJoinHandle::join);
        joined.map(|worker| worker.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    }
}
