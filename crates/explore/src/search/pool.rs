//! Workers on threads of their own, with a short queue of jobs in front of each.
//!
//! The explorer learns from results in an order that the clock does not decide: each worker has a time of its own, which is what its
//! jobs cost in ticks, and the result that is there first by this time is learnt from first. The worker that it came from gets the
//! next job. So who does what, and what is known when a job is chosen, depends on the seed and the number of workers alone.
//! Ticks run about as fast as the clock does, so a worker with a hard job does not keep the others from theirs: the meter of its
//! engines ([`solve::engine::Budget::with_meter`]) shows that its result will not be the next one.

use super::worker::{Ticket, Tried, Worker};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

/// How long the explorer waits before it looks at the clock.
const GLANCE: Duration = Duration::from_millis(20);
/// How long it waits before it looks at the meters, if a result is there that may be the next.
const METER_GLANCE: Duration = Duration::from_micros(100);

/// A result: whose it is, what the worker's meter showed at its end, and what came out.
type Done = (usize, u64, Tried);

/// Workers that work at the same time.
pub(super) struct Pool<'scope, 'a> {
    lanes: Vec<Lane<'scope, 'a>>,
    results: Receiver<Done>,
    ahead: usize,
    /// The time of the last result that was learnt from.
    now: u64,
}

/// A worker from outside.
struct Lane<'scope, 'a> {
    queue: Sender<Ticket<'a>>,
    thread: ScopedJoinHandle<'scope, Worker>,
    meter: Arc<AtomicU64>,
    /// How many jobs it has that were not learnt from.
    in_hand: usize,
    /// Those of them that are done, with what the meter showed.
    done: VecDeque<(u64, Tried)>,
    /// The worker's time is what its meter shows and what it had nothing to do.
    idle: u64,
}

impl<'scope, 'a: 'scope> Pool<'scope, 'a> {
    /// Starts workers; each has up to `ahead` jobs.
    pub(super) fn new<'env>(
        scope: &'scope Scope<'scope, 'env>,
        workers: Vec<Worker>,
        ahead: usize,
    ) -> Pool<'scope, 'a> {
        let (done, results) = channel();
        let lanes = workers.into_iter().enumerate().map(|(number, mut worker)| {
            let (queue, jobs) = channel::<Ticket<'a>>();
            let (done, meter) = (done.clone(), worker.meter());
            let thread = scope.spawn(move || {
                for ticket in jobs {
                    if ticket.view.is_over() {
                        break;
                    }
                    let tried = worker.work(ticket, None);
                    // Who waits for the results may have left.
                    if done.send((number, worker.meter().load(Ordering::Acquire), tried)).is_err() {
                        break;
                    }
                }
                worker
            });
            Lane { queue, thread, meter, in_hand: 0, done: VecDeque::new(), idle: 0 }
        });
        Pool { lanes: lanes.collect(), results, ahead: ahead.max(1), now: 0 }
    }

    /// The worker that may be handed another job before the next result: who has fewest.
    pub(super) fn free_worker(&self) -> Option<usize> {
        let fewest = (0..self.lanes.len()).min_by_key(|&number| self.lanes[number].in_hand)?;
        (self.lanes[fewest].in_hand < self.ahead).then_some(fewest)
    }

    /// Whether nothing is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.lanes.iter().all(|lane| lane.in_hand == 0)
    }

    /// Hands a job to a worker.
    pub(super) fn hand_out(&mut self, worker: usize, ticket: Ticket<'a>) {
        let lane = &mut self.lanes[worker];
        if lane.in_hand == 0 {
            // It begins now: until then it had nothing to do. Its meter stands still.
            let time = lane.idle + lane.meter.load(Ordering::Acquire);
            lane.idle += self.now.saturating_sub(time);
        }
        lane.in_hand += 1;
        // A worker that is gone has seen that everything is over.
        let _gone = lane.queue.send(ticket);
    }

    /// The next result by the workers' time, with the worker that it came from; none yet after a short while.
    pub(super) fn next(&mut self) -> Option<(usize, Tried)> {
        if self.first().is_none() {
            let waits = self.lanes.iter().any(|lane| !lane.done.is_empty());
            match self.results.recv_timeout(if waits { METER_GLANCE } else { GLANCE }) {
                Ok(done) => self.put(done),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
        let worker = self.first()?;
        let lane = &mut self.lanes[worker];
        let (meter, tried) = lane.done.pop_front()?;
        lane.in_hand -= 1;
        self.now = lane.idle + meter;
        Some((worker, tried))
    }

    fn put(&mut self, (worker, meter, tried): Done) {
        self.lanes[worker].done.push_back((meter, tried));
    }

    /// The worker whose result comes first, if that is certain: every other one that works is past that time. The meters are read
    /// before the results: what a meter shows beyond the end of a job, that job's result was sent before.
    fn first(&mut self) -> Option<usize> {
        let shown: Vec<u64> = self.lanes.iter().map(|lane| lane.meter.load(Ordering::Acquire)).collect();
        while let Ok(done) = self.results.try_recv() {
            self.put(done);
        }
        let busy = self.lanes.iter().zip(shown).enumerate().filter(|(_, (lane, _))| lane.in_hand > 0);
        let time = |lane: &Lane<'_, '_>, shown| lane.idle + lane.done.front().map_or(shown, |done| done.0);
        let (_, number) = busy.map(|(number, (lane, shown))| (time(lane, shown), number)).min()?;
        (!self.lanes[number].done.is_empty()).then_some(number)
    }

    /// Waits for all workers, and gives them back.
    pub(super) fn close(self) -> Vec<Worker> {
        drop(self.results);
        let threads: Vec<_> = self.lanes.into_iter().map(|lane| lane.thread).collect();
        let joined = threads.into_iter().map(ScopedJoinHandle::join);
        joined.map(|worker| worker.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    }
}
