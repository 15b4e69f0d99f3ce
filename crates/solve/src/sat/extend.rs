//! The extension stack: clauses that left the formula, each with the literal that repairs it.
//!
//! Walking the stack backwards turns a model of what is left into a model of all clauses (Jarvisalo and
//! Biere, SAT 2010). When a caller mentions an eliminated variable again, its clauses return, and with
//! them every variable they mention that was eliminated later (Fazekas, Biere, Scholl, SAT 2019).

use super::lit::{Lit, Var};
use super::solver::Solver;

/// Entries lie one after the other: the witness, then the other literals of the clause.
#[derive(Default)]
pub(super) struct Extension {
    lits: Vec<Lit>,
    ends: Vec<usize>,
}

impl Extension {
    /// Records a clause that is leaving. The witness, one of its literals, may be made true at will.
    pub(super) fn push(&mut self, witness: Lit, clause: &[Lit]) {
        self.lits.push(witness);
        self.lits.extend(clause.iter().copied().filter(|&lit| lit != witness));
        self.ends.push(self.lits.len());
    }

    fn entries(&self) -> impl DoubleEndedIterator<Item = &[Lit]> {
        (0..self.ends.len()).map(|i| {
            let start = if i == 0 { 0 } else { self.ends[i - 1] };
            &self.lits[start..self.ends[i]]
        })
    }
}

impl Solver {
    /// Stores the model of the complete assignment, eliminated variables included.
    pub(super) fn save_model(&mut self) {
        self.model.clear();
        self.model.extend(self.vals.iter().step_by(2).map(|&value| value > 0));
        let model = &mut self.model;
        for entry in self.extension.entries().rev() {
            if !entry.iter().any(|lit| model[lit.var().index()] == lit.is_pos()) {
                model[entry[0].var().index()] = entry[0].is_pos();
            }
        }
    }

    /// Brings back the eliminated variables among these literals. Solver at the root.
    pub(super) fn reactivate(&mut self, lits: &[Lit]) {
        let mut any = false;
        for lit in lits {
            any |= self.revive(lit.var());
        }
        if !any {
            return;
        }
        debug_assert_eq!(self.level(), 0);
        // One pass in the order of the stack is enough: an entry mentions no variable that was
        // eliminated before it and has not been revived.
        let old = std::mem::take(&mut self.extension);
        for entry in old.entries() {
            if self.status[entry[0].var().index()].eliminated {
                self.extension.push(entry[0], entry);
                continue;
            }
            for lit in entry {
                self.revive(lit.var());
            }
            self.counters.restored += 1;
            if !self.unsat {
                self.add_root_clause(entry);
            }
        }
    }

    fn revive(&mut self, var: Var) -> bool {
        let status = &mut self.status[var.index()];
        if !status.eliminated {
            return false;
        }
        status.eliminated = false;
        status.touched = true;
        self.active += 1;
        self.queue.append(var);
        self.heap.insert(var);
        true
    }

    /// Takes a variable that is in no clause out of the search.
    pub(super) fn retire(&mut self, var: Var) {
        debug_assert!(self.is_open(var));
        self.status[var.index()].eliminated = true;
        self.active -= 1;
        self.queue.remove(var);
        self.heap.remove(var);
    }
}
