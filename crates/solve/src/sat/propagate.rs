//! Unit propagation: the inner loop of everything.
//!
//! A watch list is taken out while it is walked, so that the loop may push to the other lists; entries
//! that stay are moved to the front. Literals 0 and 1 of a clause are its watched ones, always.

use super::arena::ClauseRef;
use super::lit::Lit;
use super::solver::{Reason, Solver, VarInfo};
use super::watch::{WATCHES_PER_LINE, Watch};

/// A clause that is false under the assignment.
#[derive(Clone, Copy, Debug)]
pub(super) enum Conflict {
    /// A binary clause.
    Binary(Lit, Lit),
    /// A longer clause.
    Clause(ClauseRef),
    /// Literals that the theory gave, in `Link::conflict`.
    Theory,
}

impl Solver {
    /// Gives a literal its value at the present level.
    #[inline]
    pub(super) fn assign(&mut self, lit: Lit, reason: Reason) {
        debug_assert_eq!(self.val(lit), 0);
        debug_assert!(!self.status[lit.var().index()].eliminated);
        let level = self.level();
        let position = self.trail.len() as u32;
        self.vals[lit.index()] = 1;
        self.vals[(!lit).index()] = -1;
        let reason = if level == 0 { Reason::Decision } else { reason };
        self.vars[lit.var().index()] = VarInfo { level, position, reason };
        self.trail.push(lit);
        if level == 0 {
            self.counters.fixed += 1;
        }
    }

    /// Opens a new decision level.
    #[inline]
    pub(super) fn decide_on(&mut self, lit: Lit) {
        self.control.push(self.trail.len() as u32);
        self.assign(lit, Reason::Decision);
    }

    /// Follows all consequences of the assignment. Counts search ticks.
    pub(super) fn propagate(&mut self) -> Option<Conflict> {
        let before = self.trail.len();
        let start = self.head;
        let (conflict, ticks) = self.propagate_counting();
        self.counters.search_ticks += ticks;
        self.counters.propagations += (self.head - start) as u64;
        if self.level() == 0 {
            self.prove_units(before);
            self.counters.fixed += (self.trail.len() - before) as u64;
        }
        conflict
    }

    /// Propagation on behalf of inprocessing, which pays for it from its own account.
    pub(super) fn propagate_inprocessing(&mut self) -> Option<Conflict> {
        let search = self.counters.search_ticks;
        let propagations = self.counters.propagations;
        let conflict = self.propagate();
        self.counters.inprocess_ticks += self.counters.search_ticks - search;
        self.counters.search_ticks = search;
        self.counters.propagations = propagations;
        conflict
    }

    fn propagate_counting(&mut self) -> (Option<Conflict>, u64) {
        let level = self.control.len() as u32;
        let ignored = self.ignored;
        let Solver { vals, vars, trail, watches, arena, head, .. } = self;
        let mut ticks = 0u64;
        let mut conflict = None;
        while conflict.is_none() && *head < trail.len() {
            let falsified = !trail[*head];
            *head += 1;
            let mut list = std::mem::take(&mut watches[falsified.index()]);
            ticks += 1 + (list.len() / WATCHES_PER_LINE) as u64;
            let mut kept = 0;
            let mut next = 0;
            while next < list.len() {
                let watch = list[next];
                next += 1;
                let blocked = vals[watch.blocker.index()];
                if blocked > 0 {
                    list[kept] = watch;
                    kept += 1;
                    continue;
                }
                let unit;
                let reason;
                if watch.is_binary() {
                    list[kept] = watch;
                    kept += 1;
                    if blocked < 0 {
                        conflict = Some(Conflict::Binary(watch.blocker, falsified));
                        break;
                    }
                    unit = watch.blocker;
                    reason = Reason::Binary(falsified);
                } else {
                    ticks += 1;
                    let clause = watch.clause();
                    let lits = arena.lits_mut(clause);
                    let other = Lit::from_raw(lits[0].raw() ^ lits[1].raw() ^ falsified.raw());
                    let other_val = vals[other.index()];
                    if other_val > 0 {
                        list[kept] = Watch::new(other, clause, false);
                        kept += 1;
                        continue;
                    }
                    if let Some(at) = lits[2..].iter().position(|lit| vals[lit.index()] >= 0) {
                        let replacement = lits[2 + at];
                        if vals[replacement.index()] > 0 {
                            // A true literal blocks the clause as well as a watched one would.
                            list[kept] = Watch::new(replacement, clause, false);
                            kept += 1;
                        } else {
                            lits[0] = other;
                            lits[1] = replacement;
                            lits[2 + at] = falsified;
                            watches[replacement.index()].push(Watch::new(other, clause, false));
                        }
                        continue;
                    }
                    list[kept] = watch;
                    kept += 1;
                    if ignored == Some(clause) {
                        continue;
                    }
                    if other_val < 0 {
                        conflict = Some(Conflict::Clause(clause));
                        break;
                    }
                    lits[0] = other;
                    lits[1] = falsified;
                    unit = other;
                    reason = Reason::Clause(clause);
                }
                vals[unit.index()] = 1;
                vals[(!unit).index()] = -1;
                let reason = if level == 0 { Reason::Decision } else { reason };
                vars[unit.var().index()] = VarInfo { level, position: trail.len() as u32, reason };
                trail.push(unit);
            }
            if next > kept {
                list.copy_within(next.., kept);
                list.truncate(list.len() - (next - kept));
            }
            watches[falsified.index()] = list;
        }
        (conflict, ticks)
    }

    /// Undoes all levels above the given one.
    pub(super) fn backtrack(&mut self, level: u32) {
        if level >= self.level() {
            return;
        }
        let height = self.control[level as usize] as usize;
        self.control.truncate(level as usize);
        for at in (height..self.trail.len()).rev() {
            let lit = self.trail[at];
            let var = lit.var();
            self.vals[lit.index()] = 0;
            self.vals[(!lit).index()] = 0;
            self.phases.save(lit);
            // Only the structure of the present mode is kept current; a mode switch rebuilds the other.
            if self.stable {
                self.heap.insert(var);
            } else {
                self.queue.unassigned(var);
            }
        }
        self.trail.truncate(height);
        self.head = self.head.min(height);
        self.link.backtracked(height);
    }
}
