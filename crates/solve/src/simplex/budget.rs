//! Limits of a search: ticks for determinism, a closure for the outer limit.

use crate::tuning::simplex_budget::{STEPS_PER_POLL, TICKS_PER_POLL};

/// A deterministic allowance of work. One tick is one tableau entry touched.
pub struct Budget<'a> {
    ticks: u64,
    limit: u64,
    stop: Option<&'a mut dyn FnMut() -> bool>,
    steps: u32,
    next_poll: u64,
    stopped: bool,
}

impl<'a> Budget<'a> {
    /// No limit at all.
    pub fn unlimited() -> Self {
        Self::ticks(u64::MAX)
    }

    /// At most `limit` ticks.
    pub fn ticks(limit: u64) -> Self {
        Self { ticks: 0, limit, stop: None, steps: STEPS_PER_POLL, next_poll: 0, stopped: false }
    }

    /// Also stops when the closure says so; it is asked every few hundred steps.
    pub fn with_stop(mut self, stop: &'a mut dyn FnMut() -> bool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Ticks spent so far.
    pub fn spent(&self) -> u64 {
        self.ticks
    }

    /// Records work that was done.
    #[inline]
    pub fn spend(&mut self, ticks: u64) {
        self.ticks = self.ticks.saturating_add(ticks);
    }

    /// Must the search end here? Call once a step.
    #[inline]
    pub fn exhausted(&mut self) -> bool {
        if self.ticks >= self.limit || self.stopped {
            return true;
        }
        self.steps += 1;
        if self.steps > STEPS_PER_POLL || self.ticks >= self.next_poll {
            self.steps = 0;
            self.next_poll = self.ticks.saturating_add(TICKS_PER_POLL);
            self.stopped = self.stop.as_mut().is_some_and(|stop| stop());
        }
        self.stopped
    }
}
