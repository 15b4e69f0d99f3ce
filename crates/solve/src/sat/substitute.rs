//! Equivalent literals: strongly connected components of the binary implication graph (Tarjan, with an
//! explicit stack) become one literal each.

use super::arena::ClauseRef;
use super::lit::{Lit, Var};
use super::solver::{Reason, Solver};

/// Time of a literal that Tarjan's search has finished with.
const DONE: u32 = u32::MAX;

impl Solver {
    /// A representative for each literal, empty if each is its own. Watches must be connected.
    pub(super) fn equivalences(&mut self) -> Vec<Lit> {
        debug_assert_eq!(self.level(), 0);
        let count = self.vals.len();
        let mut representative: Vec<Lit> = (0..count as u32).map(Lit::from_raw).collect();
        let mut time = vec![0u32; count];
        let mut clock = 0;
        let mut component: Vec<Lit> = Vec::new();
        let mut work: Vec<(Lit, usize, u32)> = Vec::new();
        let mut found = false;
        for root in 0..count as u32 {
            let root = Lit::from_raw(root);
            if time[root.index()] != 0 || !self.is_open(root.var()) {
                continue;
            }
            clock += 1;
            time[root.index()] = clock;
            component.push(root);
            work.push((root, 0, clock));
            while let Some((lit, next, low)) = work.last_mut() {
                // A true literal makes the others of its binary clauses true.
                let list = &self.watches[(!*lit).index()];
                if let Some(watch) = list.get(*next) {
                    *next += 1;
                    let child = watch.blocker;
                    if !watch.is_binary() || self.vals[child.index()] != 0 {
                        continue;
                    }
                    match time[child.index()] {
                        0 => {
                            clock += 1;
                            time[child.index()] = clock;
                            component.push(child);
                            work.push((child, 0, clock));
                        }
                        DONE => {}
                        seen => *low = (*low).min(seen),
                    }
                    continue;
                }
                self.counters.inprocess_ticks += 1;
                let (lit, low) = (*lit, *low);
                work.pop();
                if let Some((_, _, parent_low)) = work.last_mut() {
                    *parent_low = (*parent_low).min(low);
                }
                if low == time[lit.index()] {
                    let start =
                        component.iter().rposition(|&other| other == lit).expect("lit is on the stack");
                    found |= self.close_component(&component[start..], &mut representative);
                    for member in component.drain(start..) {
                        time[member.index()] = DONE;
                    }
                    if self.unsat {
                        return Vec::new();
                    }
                }
            }
        }
        if found { representative } else { Vec::new() }
    }

    /// Chooses the representative of a component: one that may not be replaced if there is one.
    fn close_component(&mut self, members: &[Lit], representative: &mut [Lit]) -> bool {
        if members.len() < 2 {
            return false;
        }
        let best = *members
            .iter()
            .min_by_key(|lit| (self.status[lit.var().index()].frozen == 0, lit.var()))
            .expect("not empty");
        if members.contains(&!best) {
            self.refute(best);
            return false;
        }
        let mut found = false;
        for &member in members {
            // The component of the negations makes the same choice, by the same order of variables.
            if member != best && self.status[member.var().index()].frozen == 0 {
                representative[member.index()] = best;
                found = true;
            }
        }
        found
    }

    /// A literal that implies its negation and is implied by it.
    fn refute(&mut self, lit: Lit) {
        self.prove(&[lit]);
        self.set_unsat();
    }

    /// Rewrites all clauses. Watches must be disconnected.
    pub(super) fn substitute(&mut self, representative: &[Lit]) {
        for i in 0..self.arena.len() {
            let clause = self.arena.nth(i);
            if !self.arena.is_garbage(clause)
                && self.arena.lits(clause).iter().any(|lit| representative[lit.index()] != *lit)
            {
                self.rewrite(clause, representative);
            }
            if self.unsat {
                return;
            }
        }
        for index in 0..self.vars.len() {
            let var = Var::new(index);
            let (lit, by) = (var.positive(), representative[var.positive().index()]);
            if by != lit {
                self.extension.push(lit, &[lit, !by]);
                self.extension.push(!lit, &[!lit, by]);
                self.retire(var);
                self.counters.substituted += 1;
            }
        }
    }

    fn rewrite(&mut self, clause: ClauseRef, representative: &[Lit]) {
        self.counters.inprocess_ticks += 1;
        let mut lits: Vec<Lit> =
            self.arena.lits(clause).iter().map(|lit| representative[lit.index()]).collect();
        lits.sort_unstable();
        lits.dedup();
        let tautology = lits.windows(2).any(|pair| pair[0] == !pair[1]);
        let satisfied = lits.iter().any(|&lit| self.val(lit) > 0);
        lits.retain(|&lit| self.val(lit) == 0);
        // The proof keeps the old clauses: they derive the equivalences, which may come back.
        if tautology || satisfied {
            self.arena.mark_weakened(clause);
            return;
        }
        self.prove(&lits);
        self.announce(&lits, self.arena.is_redundant(clause));
        match *lits {
            [] => self.set_unsat(),
            [unit] => {
                self.assign(unit, Reason::Decision);
                self.arena.mark_weakened(clause);
            }
            _ => self.arena.replace(clause, &lits),
        }
    }
}
