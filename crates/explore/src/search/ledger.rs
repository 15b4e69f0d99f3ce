//! What solutions and partial solutions cost of late, and what they found for it.
//!
//! Partial solutions may take a share of what solutions take: a large one while they find at least as much new code for the
//! same cost, a small one otherwise, so that they never starve the search and still get their chance when things change.
//! What was long ago counts less. Costs are counted in ticks of the engines and jumps of the machine, never in time: the
//! same seed gives the same tests.

/// What a run costs before its first jump, in ticks of the engines.
const RUN: u64 = 100;
/// Jumps of a concrete run that cost a tick.
const JUMPS_PER_TICK: u64 = 8;
/// How many times more a run on terms costs.
pub(super) const ON_TERMS: u64 = 25;
/// What partial solutions may cost before anything is known about them.
const FREE: u64 = 1_000_000;
/// While partial solutions do not pay they get one part of so many.
const SMALL_SHARE: u64 = 8;
/// What runs on terms of those that are only unusual may cost: one part of so many of what solutions cost.
const UNUSUAL_SHARE: u64 = 2;
/// And before anything is known: one part of so many of what is free.
const UNUSUAL_FREE: u64 = 4;
/// Whenever both sides cost so much, everything counts half from then on.
const WINDOW: u64 = 2_000_000;
/// What a run that reached new code counts: it is halved now and then.
const FRESH: u64 = 1 << 16;
/// What is left of a single one that counts as recent.
const RECENT: u64 = FRESH / 4;

/// A side of the account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Side {
    cost: u64,
    fresh: u64,
}

impl Side {
    fn add(&mut self, cost: u64, fresh: bool) {
        self.cost = self.cost.saturating_add(cost);
        self.fresh += if fresh { FRESH } else { 0 };
    }

    fn fade(&mut self) {
        self.cost /= 2;
        self.fresh /= 2;
    }
}

/// The account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ledger {
    solutions: Side,
    partials: Side,
    /// What runs on terms cost of partial solutions that were only unusual.
    unusual: u64,
    free: u64,
}

impl Default for Ledger {
    fn default() -> Ledger {
        Ledger { solutions: Side::default(), partials: Side::default(), unusual: 0, free: FREE }
    }
}

impl Ledger {
    /// A query cost ticks.
    pub(super) fn solved(&mut self, ticks: u64) {
        self.solutions.add(ticks, false);
        self.fade();
    }

    /// A solution was run, and is to be run on terms.
    pub(super) fn ran_solution(&mut self, jumps: u64, fresh: bool) {
        self.solutions.add((1 + ON_TERMS) * run_cost(jumps), fresh);
        self.fade();
    }

    /// A partial solution was run.
    pub(super) fn ran_partial(&mut self, jumps: u64, fresh: bool) {
        self.partials.add(run_cost(jumps), fresh);
        self.fade();
    }

    /// A partial solution was kept, and is to be run on terms.
    pub(super) fn kept_partial(&mut self, jumps: u64, fresh: bool) {
        let cost = ON_TERMS * run_cost(jumps);
        let account = if fresh { &mut self.partials.cost } else { &mut self.unusual };
        *account = account.saturating_add(cost);
        self.fade();
    }

    /// Whether another partial solution may be run.
    pub(super) fn affords_partials(&self) -> bool {
        let Ledger { solutions, partials, free, .. } = self;
        let found = |side: &Side, other: &Side| u128::from(side.fresh) * u128::from(other.cost);
        let pays = partials.fresh >= RECENT && found(partials, solutions) >= found(solutions, partials);
        let share = if pays { solutions.cost } else { solutions.cost / SMALL_SHARE };
        partials.cost <= free.saturating_add(share)
    }

    /// Whether another one may be run on terms that is only unusual.
    pub(super) fn affords_unusual(&self) -> bool {
        self.unusual <= self.free / UNUSUAL_FREE + self.solutions.cost / UNUSUAL_SHARE
    }

    fn fade(&mut self) {
        while self.solutions.cost.saturating_add(self.partials.cost) > WINDOW {
            self.solutions.fade();
            self.partials.fade();
            self.unusual /= 2;
            self.free /= 2;
        }
    }
}

/// What a concrete run cost.
pub(super) fn run_cost(jumps: u64) -> u64 {
    RUN + jumps / JUMPS_PER_TICK
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs partial solutions as long as they are affordable, for a while of solving; gives their share of the cost.
    fn share(ledger: &mut Ledger, every: usize) -> f64 {
        let mut runs = 0;
        for _ in 0..5000 {
            ledger.solved(10 * RUN);
            while ledger.affords_partials() {
                runs += 1;
                ledger.ran_partial(0, runs % every == 0);
            }
        }
        runs as f64 / (runs as f64 + 50_000.0)
    }

    #[test]
    fn what_pays_gets_half_and_what_does_not_a_little() {
        let mut ledger = Ledger::default();
        let paying = share(&mut ledger, 50);
        assert!((0.4..0.6).contains(&paying), "{paying}");
        // They stop to find anything: old merits fade, which takes a while.
        share(&mut ledger, usize::MAX);
        let useless = share(&mut ledger, usize::MAX);
        assert!((0.02..0.2).contains(&useless), "{useless}");
        let again = share(&mut ledger, 50);
        assert!((0.3..0.6).contains(&again), "{again}");
    }
}
