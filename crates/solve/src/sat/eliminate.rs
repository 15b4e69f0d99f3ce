//! Bounded variable elimination (Een and Biere, SAT 2005): the clauses of a variable are replaced by their
//! resolvents when those are not many more. Variables whose value the caller needs are frozen and stay.

use super::arena::ClauseRef;
use super::heap::Heap;
use super::lit::{Lit, Var};
use super::solver::{Reason, Solver};
use crate::tuning::sat_eliminate::{GROWTH_LIMIT, OCCURRENCE_LIMIT, RESOLVENT_LIMIT, ROUND_LIMIT};

/// The irredundant clauses of each literal.
pub(super) struct Occurrences {
    lists: Vec<Vec<ClauseRef>>,
    /// Start of the part of the trail whose clauses are not updated.
    head: usize,
}

impl Occurrences {
    #[inline]
    pub(super) fn of(&self, lit: Lit) -> &[ClauseRef] {
        &self.lists[lit.index()]
    }
}

impl Solver {
    /// Watches must be disconnected.
    pub(super) fn eliminate(&mut self, effort: u64) {
        let limit = self.counters.inprocess_ticks + effort;
        let mut occurrences = self.occurrences();
        self.propagate_occurrences(&mut occurrences);
        for _ in 0..ROUND_LIMIT {
            let before = self.counters.eliminated;
            let complete = self.eliminate_round(&mut occurrences, limit);
            if self.unsat || !complete {
                break;
            }
            if self.counters.eliminated == before {
                self.widen_elimination();
                break;
            }
        }
        if !self.unsat {
            self.discard_learnt_with_eliminated();
        }
    }

    /// Tries all variables whose clauses have changed. False: the effort was spent before the end.
    fn eliminate_round(&mut self, occurrences: &mut Occurrences, limit: u64) -> bool {
        let mut schedule = self.elimination_schedule(occurrences);
        while let Some(var) = schedule.pop() {
            if self.unsat || self.counters.inprocess_ticks >= limit {
                return false;
            }
            self.status[var.index()].touched = false;
            if self.is_open(var) && self.try_eliminate(var, occurrences) {
                self.propagate_occurrences(occurrences);
            }
        }
        true
    }

    fn occurrences(&mut self) -> Occurrences {
        let mut lists = vec![Vec::new(); self.vals.len()];
        for clause in self.arena.live().filter(|&clause| !self.arena.is_redundant(clause)) {
            for lit in self.arena.lits(clause) {
                lists[lit.index()].push(clause);
            }
        }
        self.counters.inprocess_ticks += self.arena.irredundant() as u64;
        // Clauses may contain literals of the whole root trail, as the watches were disconnected.
        Occurrences { lists, head: 0 }
    }

    fn elimination_schedule(&self, occurrences: &Occurrences) -> Heap {
        let mut schedule = Heap::default();
        for index in 0..self.vars.len() {
            let var = Var::new(index);
            schedule.grow();
            let status = self.status[index];
            if status.touched && status.frozen == 0 && self.is_open(var) {
                let (pos, neg) = (occurrences.of(var.positive()).len(), occurrences.of(var.negative()).len());
                // Cheapest first; occurrences at the start of the round are close enough.
                schedule.set_score(var, -((pos * neg + pos + neg) as f64));
                schedule.insert(var);
            }
        }
        schedule
    }

    /// All variables were tried within the bound: the next round may try harder.
    fn widen_elimination(&mut self) {
        if self.schedule.growth < GROWTH_LIMIT {
            self.schedule.growth = (self.schedule.growth * 2).max(1);
            self.status.iter_mut().for_each(|status| status.touched = true);
        }
    }

    fn try_eliminate(&mut self, var: Var, occurrences: &mut Occurrences) -> bool {
        let (pos, neg) = (var.positive(), var.negative());
        for lit in [pos, neg] {
            occurrences.lists[lit.index()].retain(|&clause| !self.arena.is_garbage(clause));
        }
        let (positive, negative) = (occurrences.of(pos), occurrences.of(neg));
        if positive.len() > OCCURRENCE_LIMIT || negative.len() > OCCURRENCE_LIMIT {
            return false;
        }
        let bound = positive.len() + negative.len() + self.schedule.growth;
        let gate = self.find_gate(var, occurrences);
        let Some(resolvents) = self.resolvents(pos, occurrences, &gate, bound) else { return false };
        if !gate.is_empty() {
            self.counters.gates += 1;
        }
        self.counters.eliminated += 1;
        for resolvent in &resolvents {
            self.add_resolvent(resolvent, occurrences);
        }
        for lit in [pos, neg] {
            for clause in std::mem::take(&mut occurrences.lists[lit.index()]) {
                self.weaken(clause, lit);
            }
        }
        if self.is_open(var) && !self.unsat {
            self.retire(var);
        }
        true
    }

    /// All resolvents on a variable that are not tautologies, `None` if they are too many or too long.
    /// With a definition of the variable, only resolvents of it with other clauses are needed.
    fn resolvents(
        &mut self,
        pos: Lit,
        occurrences: &Occurrences,
        gate: &[ClauseRef],
        bound: usize,
    ) -> Option<Vec<Vec<Lit>>> {
        let mut resolvents = Vec::new();
        for &c in occurrences.of(pos) {
            let in_gate = gate.contains(&c);
            let lits = self.arena.lits(c).to_vec();
            self.mark(&lits, true);
            let mut within = true;
            for &d in occurrences.of(!pos) {
                if !gate.is_empty() && gate.contains(&d) == in_gate {
                    continue;
                }
                self.counters.inprocess_ticks += 1;
                if let Some(resolvent) = self.resolve(&lits, d, pos) {
                    within = resolvents.len() < bound && resolvent.len() <= RESOLVENT_LIMIT;
                    resolvents.push(resolvent);
                }
                if !within {
                    break;
                }
            }
            self.mark(&lits, false);
            if !within {
                return None;
            }
        }
        Some(resolvents)
    }

    /// Resolves a clause whose literals are marked with another one.
    fn resolve(&self, marked: &[Lit], clause: ClauseRef, pivot: Lit) -> Option<Vec<Lit>> {
        let mut resolvent: Vec<Lit> = Vec::with_capacity(marked.len() + self.arena.size(clause));
        for &lit in self.arena.lits(clause) {
            if lit == !pivot || self.marks[lit.index()] {
                continue;
            }
            if self.marks[(!lit).index()] {
                return None;
            }
            resolvent.push(lit);
        }
        resolvent.extend(marked.iter().copied().filter(|&lit| lit != pivot));
        Some(resolvent)
    }

    fn add_resolvent(&mut self, lits: &[Lit], occurrences: &mut Occurrences) {
        if self.unsat || lits.iter().any(|&lit| self.val(lit) > 0) {
            return;
        }
        let open: Vec<Lit> = lits.iter().copied().filter(|&lit| self.val(lit) == 0).collect();
        self.prove(&open);
        match *open {
            [] => self.set_unsat(),
            [unit] => self.assign(unit, Reason::Decision),
            _ => {
                let clause = self.arena.add(&open, false, 0);
                self.announce(&open, false);
                for lit in open {
                    occurrences.lists[lit.index()].push(clause);
                }
            }
        }
    }

    /// Moves a clause to the extension stack.
    fn weaken(&mut self, clause: ClauseRef, witness: Lit) {
        self.extension.push(witness, self.arena.lits(clause));
        for lit in self.arena.lits(clause) {
            self.status[lit.var().index()].touched = true;
        }
        self.arena.mark_weakened(clause);
    }

    /// Simplifies irredundant clauses by new root units.
    fn propagate_occurrences(&mut self, occurrences: &mut Occurrences) {
        while occurrences.head < self.trail.len() && !self.unsat {
            let lit = self.trail[occurrences.head];
            occurrences.head += 1;
            for clause in std::mem::take(&mut occurrences.lists[lit.index()]) {
                if !self.arena.is_garbage(clause) {
                    self.discard(clause);
                }
            }
            for clause in std::mem::take(&mut occurrences.lists[(!lit).index()]) {
                if !self.arena.is_garbage(clause) && !self.unsat {
                    self.remove_literals(clause, |_, other| other == !lit);
                }
            }
        }
    }

    fn discard_learnt_with_eliminated(&mut self) {
        for i in 0..self.arena.len() {
            let clause = self.arena.nth(i);
            let eliminated = |lit: &Lit| self.status[lit.var().index()].eliminated;
            if !self.arena.is_garbage(clause)
                && self.arena.is_redundant(clause)
                && self.arena.lits(clause).iter().any(eliminated)
            {
                self.arena.mark_garbage(clause);
            }
        }
    }
}
