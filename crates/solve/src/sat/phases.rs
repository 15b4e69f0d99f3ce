//! Which value a decision tries first: the last one (saved), the one of the longest conflict-free trail
//! since rephasing (target, in stable mode), and regular resets of the saved ones.

use super::lit::{Lit, Var};
use super::solver::Solver;

#[derive(Default)]
pub(super) struct Phases {
    saved: Vec<bool>,
    target: Vec<Option<bool>>,
    best: Vec<bool>,
    /// Heights of the trails behind `target` and `best`.
    target_height: usize,
    best_height: usize,
    /// Inprocessing makes decisions that say nothing about good values.
    pub(super) paused: bool,
}

/// The resets, in turn, after one round of the first two.
#[derive(Clone, Copy)]
enum Rephase {
    Original,
    Inverted,
    Best,
    Flipped,
}

const FIRST: [Rephase; 2] = [Rephase::Original, Rephase::Inverted];
const CYCLE: [Rephase; 6] =
    [Rephase::Best, Rephase::Flipped, Rephase::Best, Rephase::Original, Rephase::Best, Rephase::Inverted];

impl Phases {
    pub(super) fn grow(&mut self, initial: bool) {
        self.saved.push(initial);
        self.target.push(None);
        self.best.push(initial);
    }

    /// Remembers the value of a literal that is being unassigned.
    #[inline]
    pub(super) fn save(&mut self, lit: Lit) {
        if !self.paused {
            self.saved[lit.var().index()] = lit.is_pos();
        }
    }

    /// Remembers a conflict-free trail if it is the longest so far.
    pub(super) fn remember(&mut self, trail: &[Lit]) {
        if trail.len() > self.target_height {
            self.target_height = trail.len();
            for lit in trail {
                self.target[lit.var().index()] = Some(lit.is_pos());
            }
        }
        if trail.len() > self.best_height {
            self.best_height = trail.len();
            for lit in trail {
                self.best[lit.var().index()] = lit.is_pos();
            }
        }
    }

    pub(super) fn choose(&self, var: Var, stable: bool) -> Lit {
        let saved = self.saved[var.index()];
        let value = if stable { self.target[var.index()].unwrap_or(saved) } else { saved };
        var.lit(value)
    }
}

impl Solver {
    /// Says which value of a variable to try first, until something better is known.
    pub fn prefer(&mut self, lit: Lit) {
        let (var, value) = (lit.var().index(), lit.is_pos());
        self.phases.saved[var] = value;
        self.phases.target[var] = Some(value);
        self.phases.best[var] = value;
    }

    pub(super) fn rephasing(&self) -> bool {
        self.options.rephase_interval > 0 && self.counters.conflicts >= self.schedule.rephase
    }

    /// Resets the saved phases, so that the search leaves a region it has settled in.
    pub(super) fn rephase(&mut self) {
        self.backtrack(0);
        let round = self.counters.rephased as usize;
        let kind =
            if round < FIRST.len() { FIRST[round] } else { CYCLE[(round - FIRST.len()) % CYCLE.len()] };
        let initial = self.options.initial_phase;
        let phases = &mut self.phases;
        match kind {
            Rephase::Original => phases.saved.fill(initial),
            Rephase::Inverted => phases.saved.fill(!initial),
            Rephase::Best => {
                phases.saved.copy_from_slice(&phases.best);
                phases.best_height = 0;
            }
            Rephase::Flipped => phases.saved.iter_mut().for_each(|phase| *phase = !*phase),
        }
        phases.target.fill(None);
        phases.target_height = 0;
        self.counters.rephased += 1;
        let delta = self.options.rephase_interval * (self.counters.rephased + 1);
        self.schedule.rephase = self.counters.conflicts + delta;
    }
}
