//! Sleeping slacks: rows of cuts and splits leave the tableau when nothing bounds them any more.
//!
//! Requests of the integer techniques define new forms, which backtracking makes useless; kept as rows
//! they would slow down every later pivot. A sleeping slack keeps its name and definition but has no row
//! and no current value, and wakes as soon as it is bounded or asked for again.

use super::Simplex;
use super::bounds::BoundKind;
use super::form::Var;
use crate::tuning::simplex_sleep::TOLERATED;

impl Simplex {
    /// Gives a sleeping slack its row and value back.
    pub(super) fn wake(&mut self, slack: Var) {
        if !std::mem::replace(&mut self.vars[slack.index()].asleep, false) {
            return;
        }
        let Some(definition) = self.vars[slack.index()].definition.clone() else { return };
        let value = self.evaluate(&definition);
        self.assignment.define(slack, value);
        self.fresh_slacks.push(slack);
        self.tableau.add_row(slack, definition.terms());
        self.integer.requested.push(slack);
    }

    /// Puts requested slacks without bounds to sleep, once there are many.
    pub(super) fn drowse(&mut self) {
        let mut requested = std::mem::take(&mut self.integer.requested);
        let idle = requested.iter().filter(|slack| self.is_idle(**slack)).count();
        if idle > TOLERATED {
            requested.retain(|&slack| {
                let idle = self.is_idle(slack);
                if idle {
                    self.fall_asleep(slack);
                }
                !idle
            });
        }
        self.integer.requested = requested;
    }

    pub(super) fn is_asleep(&self, var: Var) -> bool {
        self.vars[var.index()].asleep
    }

    fn is_idle(&self, slack: Var) -> bool {
        self.bounds.id(slack, BoundKind::Lower).is_none()
            && self.bounds.id(slack, BoundKind::Upper).is_none()
            && self.disequalities.iter().all(|disequality| disequality.var != slack)
    }

    fn fall_asleep(&mut self, slack: Var) {
        if !self.tableau.is_basic(slack) {
            let shortest = self.tableau.column(slack).iter().map(|at| at.row);
            let shortest = shortest.min_by_key(|row| (self.tableau.row(*row).len(), *row));
            if let Some(row) = shortest {
                let leaving = self.tableau.basic(row);
                self.pivot(row, slack);
                self.respect_bounds(leaving);
            }
        }
        self.tableau.remove_row(slack);
        self.vars[slack.index()].asleep = true;
    }
}
