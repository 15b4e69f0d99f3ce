//! Removal of garbage: satisfied clauses, false literals, compaction of the arena, repair of the watches.

use super::arena::ClauseRef;
use super::lit::Lit;
use super::solver::{Reason, Solver};
use super::watch::Watch;

impl Solver {
    /// At the start of a query, removes what the root satisfies, such as the clauses of a retired activation
    /// literal. Only if the search since then has cost as much as the pass over the arena will.
    pub(super) fn collect_satisfied(&mut self) {
        let earned = self.total_ticks() - self.schedule.collected_at;
        if self.trail.len() > self.simplified && earned >= self.arena.words() as u64 / 4 {
            self.collect_garbage();
        }
    }

    /// Drops garbage clauses and moves the rest together. At any level.
    pub(super) fn collect_garbage(&mut self) {
        self.counters.collections += 1;
        self.schedule.collected_at = self.total_ticks();
        self.mark_satisfied();
        self.prove_collected();
        let moved = self.arena.compact();
        for list in &mut self.watches {
            list.retain_mut(|watch| {
                let Some(clause) = moved.get(watch.clause()) else { return false };
                *watch = Watch::new(watch.blocker, clause, watch.is_binary());
                true
            });
        }
        for lit in &self.trail {
            let reason = &mut self.vars[lit.var().index()].reason;
            if let Reason::Clause(clause) = *reason {
                *reason = Reason::Clause(moved.get(clause).expect("reasons are kept"));
            }
        }
    }

    /// Marks clauses that the root satisfies, if it has grown.
    fn mark_satisfied(&mut self) {
        let root = self.control.first().map_or(self.trail.len(), |&height| height as usize);
        if self.simplified == root {
            return;
        }
        if self.level() == 0 {
            self.simplified = root;
        }
        for i in 0..self.arena.len() {
            let clause = self.arena.nth(i);
            if !self.arena.is_garbage(clause) && self.is_root_satisfied(clause) {
                // The literal that is true at the root is no consequence of this clause above it.
                debug_assert!(!self.is_reason(clause));
                self.discard(clause);
            }
        }
    }

    fn is_root_satisfied(&self, clause: ClauseRef) -> bool {
        self.arena.lits(clause).iter().any(|&lit| self.root_val(lit) > 0)
    }

    /// Marks a clause as garbage, and its variables as worth another look.
    pub(super) fn discard(&mut self, clause: ClauseRef) {
        if !self.arena.is_redundant(clause) {
            for lit in self.arena.lits(clause) {
                self.status[lit.var().index()].touched = true;
            }
        }
        self.arena.mark_garbage(clause);
    }

    fn prove_collected(&mut self) {
        if self.proof.is_none() {
            return;
        }
        for i in 0..self.arena.len() {
            let clause = self.arena.nth(i);
            if self.arena.is_garbage(clause) && !self.arena.is_weakened(clause) {
                self.prove_deleted(clause);
            }
        }
    }

    /// Drops all watches, for techniques that change clauses in place. `reconnect` must follow.
    pub(super) fn disconnect(&mut self) {
        debug_assert_eq!(self.level(), 0);
        for list in &mut self.watches {
            list.clear();
        }
    }

    /// Simplifies all clauses by the root, drops garbage, watches what is left and propagates.
    pub(super) fn reconnect(&mut self) {
        let root = self.trail.len();
        for i in 0..self.arena.len() {
            let clause = self.arena.nth(i);
            if !self.arena.is_garbage(clause) && !self.unsat {
                self.simplify_clause(clause);
            }
        }
        self.simplified = root;
        self.prove_collected();
        self.arena.compact();
        // Binary clauses first: they propagate without touching the arena.
        for binary in [true, false] {
            for i in 0..self.arena.len() {
                let clause = self.arena.nth(i);
                if (self.arena.size(clause) == 2) == binary {
                    self.watch(clause);
                }
            }
        }
        if !self.unsat && self.propagate_inprocessing().is_some() {
            self.set_unsat();
        }
    }

    /// Removes false literals; discards the clause if it is satisfied or has become a unit.
    fn simplify_clause(&mut self, clause: ClauseRef) {
        if self.is_root_satisfied(clause) {
            self.discard(clause);
            return;
        }
        if self.arena.lits(clause).iter().all(|&lit| self.val(lit) == 0) {
            return;
        }
        self.remove_literals(clause, |solver, lit| solver.val(lit) < 0);
    }

    /// Shortens a clause in place at the root, with watches disconnected. A unit is assigned.
    pub(super) fn remove_literals(&mut self, clause: ClauseRef, drop: impl Fn(&Solver, Lit) -> bool) {
        let kept: Vec<_> = self.arena.lits(clause).iter().copied().filter(|&lit| !drop(self, lit)).collect();
        self.prove(&kept);
        self.prove_deleted(clause);
        for i in 0..self.arena.size(clause) {
            let lit = self.arena.lits(clause)[i];
            let status = &mut self.status[lit.var().index()];
            status.added = true;
            status.touched |= !self.arena.is_redundant(clause);
        }
        match *kept {
            [] => self.set_unsat(),
            [unit] => {
                match self.val(unit) {
                    0 => self.assign(unit, Reason::Decision),
                    1 => {}
                    _ => self.set_unsat(),
                }
                // Already deleted from the proof, as the unit took its place.
                self.arena.mark_weakened(clause);
            }
            _ => self.arena.replace(clause, &kept),
        }
    }
}
