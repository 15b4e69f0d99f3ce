//! What sources of inputs cost of late, what they found for it, and the one rule by which they earn their share.
//!
//! Whatever does not come from solving has to pay: it pays while it finds at least as much new code for the same cost as solving does. What
//! pays has its whole share of the work; what does not has a small part of it, so that it never starves the search and
//! still gets its chance when things change. The agenda asks this of looks around, grafts, sweeps and mutations, whose shares are those of
//! the strategy, and the [`Spending`] of what engines pass through, which may take as much as solutions do.
//! What was long ago counts less. Costs are counted in ticks of the engines and jumps of the machine, never in time: the
//! same seed gives the same tests.

use super::tuning::Tuning;

/// What a run that reached new code counts: it is halved now and then.
const FRESH: u64 = 1 << 16;

/// What a source cost and found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Earnings {
    /// What it cost of late, and what it found for it.
    cost: u64,
    fresh: u64,
    /// What it cost altogether.
    total: u64,
}

impl Earnings {
    fn add(&mut self, cost: u64, fresh: bool) {
        self.cost = self.cost.saturating_add(cost);
        self.total = self.total.saturating_add(cost);
        self.fresh += if fresh { FRESH } else { 0 };
    }

    /// The same, where nothing else says when to forget: whenever it cost so much, what was before counts half.
    pub(super) fn add_within(&mut self, cost: u64, fresh: bool, window: u64) {
        self.add(cost, fresh);
        while self.cost > window.max(1) {
            self.fade();
        }
    }

    /// The rule: whether it found something of late, and as much for its cost as solving did. What cost no more than `free` is not
    /// known well enough to be judged. One part of so many of a single find is still of late.
    pub(super) fn pays(&self, solving: &Earnings, free: u64, recent: u64) -> bool {
        let found = |side: &Earnings, other: &Earnings| u128::from(side.fresh) * u128::from(other.cost);
        self.total <= free
            || self.fresh >= FRESH / recent.max(1) && found(self, solving) >= found(solving, self)
    }

    fn fade(&mut self) {
        self.cost /= 2;
        self.fresh /= 2;
    }
}

/// The account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Spending {
    tuning: Tuning,
    solutions: Earnings,
    partials: Earnings,
    /// What runs on terms cost of partial solutions that were only unusual.
    unusual: u64,
    free: u64,
}

impl Spending {
    /// Nothing spent yet.
    pub(super) fn new(tuning: &Tuning) -> Spending {
        let (solutions, partials) = (Earnings::default(), Earnings::default());
        Spending { solutions, partials, unusual: 0, free: tuning.free_ticks, tuning: tuning.clone() }
    }

    /// A query cost ticks.
    pub(super) fn solved(&mut self, ticks: u64) {
        self.solutions.add(ticks, false);
        self.fade();
    }

    /// A solution was run, and is to be run on terms.
    pub(super) fn ran_solution(&mut self, jumps: u64, fresh: bool) {
        let cost = run_cost(&self.tuning, jumps).saturating_add(run_cost_on_terms(&self.tuning, jumps));
        self.solutions.add(cost, fresh);
        self.fade();
    }

    /// A partial solution was run.
    pub(super) fn ran_partial(&mut self, jumps: u64, fresh: bool) {
        self.partials.add(run_cost(&self.tuning, jumps), fresh);
        self.fade();
    }

    /// A partial solution was kept, and is to be run on terms.
    pub(super) fn kept_partial(&mut self, jumps: u64, fresh: bool) {
        let cost = run_cost_on_terms(&self.tuning, jumps);
        let account = if fresh { &mut self.partials.cost } else { &mut self.unusual };
        *account = account.saturating_add(cost);
        self.fade();
    }

    /// Whether another partial solution may be run.
    pub(super) fn affords_partials(&self) -> bool {
        let Spending { solutions, partials, free, .. } = self;
        // What is free fades here: it is a part of the bound.
        let pays = partials.pays(solutions, 0, self.tuning.recent_find);
        let share = if pays { solutions.cost } else { solutions.cost / self.tuning.idle.max(1) };
        partials.cost <= free.saturating_add(share)
    }

    /// Whether another one may be run on terms that is only unusual.
    pub(super) fn affords_unusual(&self) -> bool {
        self.unusual
            <= self.free / self.tuning.unusual_free.max(1)
                + self.solutions.cost / self.tuning.unusual_share.max(1)
    }

    fn fade(&mut self) {
        while self.solutions.cost.saturating_add(self.partials.cost) > self.tuning.window_ticks.max(1) {
            self.solutions.fade();
            self.partials.fade();
            self.unusual /= 2;
            self.free /= 2;
        }
    }
}

/// What a run on terms costs that makes so many jumps.
pub(super) fn run_cost_on_terms(tuning: &Tuning, jumps: u64) -> u64 {
    tuning.on_terms.saturating_mul(run_cost(tuning, jumps))
}

/// What a concrete run cost.
pub(super) fn run_cost(tuning: &Tuning, jumps: u64) -> u64 {
    tuning.run_ticks.saturating_add(jumps / tuning.jumps_per_tick.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs partial solutions as long as they are affordable, for a while of solving; gives their share of the cost.
    fn share(spending: &mut Spending, every: usize) -> f64 {
        let mut runs = 0;
        for _ in 0..5000 {
            spending.solved(10 * Tuning::default().run_ticks);
            while spending.affords_partials() {
                runs += 1;
                spending.ran_partial(0, runs % every == 0);
            }
        }
        runs as f64 / (runs as f64 + 50_000.0)
    }

    #[test]
    fn what_pays_gets_half_and_what_does_not_a_little() {
        let mut spending = Spending::new(&Tuning::default());
        let paying = share(&mut spending, 50);
        assert!((0.4..0.6).contains(&paying), "{paying}");
        // They stop to find anything: old merits fade, which takes a while.
        share(&mut spending, usize::MAX);
        let useless = share(&mut spending, usize::MAX);
        assert!((0.02..0.2).contains(&useless), "{useless}");
        let again = share(&mut spending, 50);
        assert!((0.3..0.6).contains(&again), "{again}");
    }

    #[test]
    fn a_source_pays_by_what_solving_finds_for_the_same_cost() {
        let earned = |jobs: u64, every: u64| {
            let mut side = Earnings::default();
            (1..=jobs).for_each(|job| side.add_within(1000, job % every == 0, 1_000_000));
            side
        };
        let solving = earned(500, 50);
        assert!(earned(500, 50).pays(&solving, 0, 4));
        assert!(earned(500, 20).pays(&solving, 0, 4));
        assert!(!earned(500, 100).pays(&solving, 0, 4));
        assert!(earned(50, 100).pays(&solving, 100_000, 4), "it had no chance yet");
        assert!(!earned(500, 1000).pays(&earned(500, 1000), 0, 4), "nothing found is nothing earned");
        // What it found long ago is forgotten.
        let mut past = earned(500, 50);
        (0..10_000).for_each(|_| past.add_within(1000, false, 1_000_000));
        assert!(!past.pays(&earned(500, 1000), 0, 4));
    }
}
