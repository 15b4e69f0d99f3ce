//! Restarts and the two search modes. Focused mode restarts as soon as recent glue is worse than the long-term
//! average (Glucose); stable mode by the Luby sequence. Modes take turns by equal effort in ticks.

use super::options::Modes;
use super::solver::Solver;
use crate::tuning::sat_restart::MARGIN;

/// An exponential moving average without the bias of its start value (as in Adam).
struct Average {
    value: f64,
    biased: f64,
    beta: f64,
    power: f64,
}

impl Average {
    fn new(window: f64) -> Average {
        Average { value: 0.0, biased: 0.0, beta: 1.0 - 1.0 / window, power: 1.0 }
    }

    fn update(&mut self, sample: f64) {
        self.biased += (sample - self.biased) * (1.0 - self.beta);
        self.power *= self.beta;
        self.value = if self.power > 0.0 { self.biased / (1.0 - self.power) } else { self.biased };
    }
}

pub(super) struct Restarts {
    fast: Average,
    slow: Average,
    /// Conflicts before which focused mode does not restart.
    limit: u64,
    /// Knuth's pair that runs through the Luby sequence, and what is left of the present term.
    luby: (u64, u64),
    countdown: u64,
    /// When the mode ends: conflicts for the first phase, then search ticks.
    switch_conflicts: u64,
    switch_ticks: u64,
    /// Ticks of the first focused phase, the unit of all later ones.
    phase_ticks: u64,
}

impl Default for Restarts {
    fn default() -> Restarts {
        Restarts {
            fast: Average::new(33.0),
            slow: Average::new(1e5),
            limit: 0,
            luby: (1, 1),
            countdown: 0,
            switch_conflicts: 0,
            switch_ticks: 0,
            phase_ticks: 0,
        }
    }
}

impl Restarts {
    /// Takes note of a conflict.
    pub(super) fn conflict(&mut self, glue: u32, stable: bool) {
        self.fast.update(f64::from(glue));
        self.slow.update(f64::from(glue));
        if stable {
            self.countdown = self.countdown.saturating_sub(1);
        }
    }

    fn next_luby(&mut self, unit: u64) {
        let (u, v) = self.luby;
        self.luby = if u & u.wrapping_neg() == v { (u + 1, 1) } else { (u, 2 * v) };
        self.countdown = self.luby.1 * unit;
    }
}

impl Solver {
    pub(super) fn init_restarts(&mut self) {
        self.stable = self.options.modes == Modes::Stable;
        self.restarts.switch_conflicts = self.options.mode_interval;
        self.restarts.countdown = self.options.luby_unit;
    }

    pub(super) fn restarting(&self) -> bool {
        if self.level() as usize <= self.assumptions.len() {
            false
        } else if self.stable {
            self.restarts.countdown == 0
        } else {
            self.counters.conflicts >= self.restarts.limit
                && self.restarts.fast.value > MARGIN * self.restarts.slow.value
        }
    }

    /// Goes back to the level above which decisions would come out differently.
    pub(super) fn restart(&mut self) {
        self.counters.restarts += 1;
        if self.stable {
            self.restarts.next_luby(self.options.luby_unit);
        } else {
            self.restarts.limit = self.counters.conflicts + self.options.restart_interval;
        }
        let level = self.reusable_level();
        self.counters.reused_levels += u64::from(level);
        self.backtrack(level);
    }

    /// Trail reuse (van der Tak, Heule, Ramos 2011): decisions better than the next one would be made again.
    fn reusable_level(&mut self) -> u32 {
        let mut level = self.assumptions.len() as u32;
        let vals = &self.vals;
        let trail = &self.trail;
        let control = &self.control;
        let decisions = control[level as usize..].iter().map(|&height| trail[height as usize].var());
        if self.stable {
            while let Some(var) = self.heap.top() {
                if vals[var.positive().index()] == 0 {
                    let next = self.heap.score(var);
                    level += decisions.take_while(|&var| self.heap.score(var) > next).count() as u32;
                    break;
                }
                self.heap.pop();
            }
        } else if let Some(var) = self.queue.next(|var| vals[var.positive().index()] != 0) {
            let next = self.queue.stamp(var);
            level += decisions.take_while(|&var| self.queue.stamp(var) > next).count() as u32;
        }
        level
    }

    pub(super) fn switching_mode(&self) -> bool {
        self.options.modes == Modes::Alternating
            && if self.restarts.phase_ticks == 0 {
                self.counters.conflicts >= self.restarts.switch_conflicts
            } else {
                self.counters.search_ticks >= self.restarts.switch_ticks
            }
    }

    /// Changes between focused and stable mode. The phases grow quadratically, in pairs of equal effort.
    pub(super) fn switch_mode(&mut self) {
        self.backtrack(0);
        if self.restarts.phase_ticks == 0 {
            self.restarts.phase_ticks = self.counters.search_ticks.max(1);
        }
        self.counters.mode_switches += 1;
        let round = self.counters.mode_switches.div_ceil(2);
        self.restarts.switch_ticks = self.counters.search_ticks + self.restarts.phase_ticks * round * round;
        self.stable = !self.stable;
        self.restarts.luby = (1, 1);
        self.restarts.countdown = self.options.luby_unit;
        self.restarts.limit = self.counters.conflicts + self.options.restart_interval;
        self.refill_order();
    }
}
