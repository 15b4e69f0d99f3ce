//! Integers: from a rational solution to an integer one.
//!
//! Cheap luck comes first (moving non-basic variables, rounding, a cube), then cheap refutations
//! (bound tightening, gcds of rows, integer equations), then cuts, and a branch as the last resort.
//! A limit on the requests ends systems in which branching diverges.

mod cube;
mod diophantine;
mod equations;
mod gcd;
mod gomory;
mod patch;

use super::Simplex;
use super::bounds::BoundKind;
use super::budget::Budget;
use super::final_check::{Final, Split};
use super::form::Var;
use super::num::{Delta, Rational};
use super::partial::PartialSink;
use crate::tuning::simplex_integer::{
    DEFAULT_REQUEST_LIMIT, EQUATIONS_PERIOD, GOMORY_PERIOD, LUCK_PERIOD, MAX_REQUESTED_ROWS,
    PROOF_SPLIT_PERIOD,
};

/// What the integer techniques remember between visits.
#[derive(Clone, Debug)]
pub(super) struct IntState {
    visits: u64,
    requests: u64,
    request_limit: u64,
    /// Slacks made for cuts and proof splits, those asleep excepted.
    pub(super) requested: Vec<Var>,
}

impl Default for IntState {
    fn default() -> Self {
        Self { visits: 0, requests: 0, request_limit: DEFAULT_REQUEST_LIMIT, requested: Vec::new() }
    }
}

/// What the integers say about a feasible assignment.
pub(super) enum Integrality {
    Integral,
    BoundsMoved,
    Answer(Final),
}

impl Simplex {
    /// Limits the splits and cuts that the core requests over its lifetime; past it, the final check
    /// answers [`Final::Unknown`]. Without a limit, branching on unbounded integers may never end.
    pub fn set_request_limit(&mut self, limit: u64) {
        self.integer.request_limit = limit;
    }

    /// Moves non-basic integer variables to integers; says whether any had to move.
    ///
    /// Backtracking can leave a fraction on a variable that has become non-basic since.
    pub(super) fn settle_non_basic(&mut self) -> bool {
        let mut moved = false;
        for var in self.vars() {
            let value = self.assignment.get(var);
            if !self.is_int(var) || value.is_int() || self.tableau.is_basic(var) || self.is_asleep(var) {
                continue;
            }
            // Bounds of integers are integers, so the floor is within them if it is not below the lower.
            let floor = Delta::from(value.floor());
            let target = match self.bounds.value(var, BoundKind::Lower) {
                Some(lower) if *lower > floor => lower.clone(),
                _ => floor,
            };
            let step = &target - value;
            self.shift(var, &step);
            moved = true;
        }
        moved
    }

    /// Checks that the feasible assignment is integral, or makes progress towards it.
    pub(super) fn check_integers(
        &mut self,
        budget: &mut Budget<'_>,
        sink: &mut Option<&mut PartialSink<'_>>,
        may_tighten: bool,
    ) -> Integrality {
        if self.fractional().next().is_none() {
            return Integrality::Integral;
        }
        self.show_partial(sink);
        budget.spend(self.vars.len() as u64);
        if budget.exhausted() {
            return Integrality::Answer(Final::Unknown);
        }
        if self.patch() {
            self.stats.lucky_points += 1;
            return Integrality::Integral;
        }
        let visit = self.integer.visits;
        self.integer.visits += 1;
        if may_tighten {
            let records = self.bounds.len();
            if let Err(conflict) = self.tighten() {
                return Integrality::Answer(Final::Conflict(conflict));
            }
            // Non-basic variables may have moved, so the assignment starts over.
            if self.bounds.len() > records {
                return Integrality::BoundsMoved;
            }
        }
        if let Some(conflict) = self.gcd_conflict() {
            return Integrality::Answer(Final::Conflict(conflict));
        }
        if visit.is_multiple_of(EQUATIONS_PERIOD)
            && let Some(conflict) = self.equations_conflict()
        {
            return Integrality::Answer(Final::Conflict(conflict));
        }
        if visit.is_multiple_of(LUCK_PERIOD) && (self.try_rounding() || self.try_cube(budget)) {
            self.stats.lucky_points += 1;
            return Integrality::Integral;
        }
        self.integer.requests += 1;
        if self.integer.requests > self.integer.request_limit {
            return Integrality::Answer(Final::Unknown);
        }
        Integrality::Answer(self.request(visit))
    }

    /// A cut or a split.
    fn request(&mut self, visit: u64) -> Final {
        let room = self.integer.requested.len() <= MAX_REQUESTED_ROWS;
        let vars = self.vars.len();
        let mut request = None;
        if room && visit % PROOF_SPLIT_PERIOD == PROOF_SPLIT_PERIOD - 1 {
            request = self.proof_split().map(Final::Split);
        }
        if room && request.is_none() && visit % GOMORY_PERIOD == GOMORY_PERIOD - 1 {
            request = self.gomory_cut();
        }
        self.integer.requested.extend((vars..self.vars.len()).map(Var::new));
        request.or_else(|| self.branch().map(Final::Split)).unwrap_or(Final::Unknown)
    }

    /// A branch on the fractional variable with the smallest range.
    fn branch(&mut self) -> Option<Split> {
        let range = |var: Var| -> Option<Rational> {
            let lower = self.bounds.value(var, BoundKind::Lower)?;
            Some(&self.bounds.value(var, BoundKind::Upper)?.real - &lower.real)
        };
        let var = self.fractional().min_by_key(|&var| {
            let range = range(var);
            (range.is_none(), range)
        })?;
        let floor = self.assignment.get(var).floor();
        self.stats.branches += 1;
        Some(self.integer_split(var, floor))
    }

    fn integer_split(&self, var: Var, floor: Rational) -> Split {
        let above = &floor + &Rational::ONE;
        Split { var, at_most: Delta::from(floor), at_least: Delta::from(above), premise: None }
    }

    /// Original integer variables with a fractional value.
    fn fractional(&self) -> impl Iterator<Item = Var> + '_ {
        self.vars()
            .filter(|&var| self.is_int(var) && !self.is_slack(var) && !self.assignment.get(var).is_int())
    }
}
