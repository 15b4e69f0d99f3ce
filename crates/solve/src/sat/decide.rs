//! Decisions and the scores behind them: EVSIDS in stable mode, VMTF in focused mode.

use super::analyze::SEEN;
use super::lit::{Lit, Var};
use super::search::Hooks;
use super::solver::{Reason, Solver};
use super::theory::Assignment;
use crate::tuning::sat_decide::{GROWTH, SCORE_LIMIT};

/// What a step towards a complete assignment came to.
pub(super) enum Decision {
    /// A literal was assigned on a new level.
    Made,
    /// An assumption is false; the core is known.
    Failed,
    /// Nothing is left to assign.
    Complete,
}

impl Solver {
    /// Opens the next level: assumptions first, then the theory's wish, then the best variable.
    pub(super) fn decide(&mut self, hooks: &mut Hooks<'_>) -> Decision {
        while (self.level() as usize) < self.assumptions.len() {
            let lit = self.assumptions[self.level() as usize];
            match self.val(lit) {
                // An empty level keeps levels and assumptions aligned.
                1 => self.control.push(self.trail.len() as u32),
                0 => {
                    self.decide_on(lit);
                    return Decision::Made;
                }
                _ => {
                    self.analyze_failed(lit, hooks);
                    return Decision::Failed;
                }
            }
        }
        if self.trail.len() == self.active {
            return Decision::Complete;
        }
        let wish = self.theory_wish(hooks);
        let lit = match wish {
            Some(lit) => lit,
            None => {
                let var = self.best_variable();
                self.phases.choose(var, self.stable)
            }
        };
        self.counters.decisions += 1;
        self.decide_on(lit);
        Decision::Made
    }

    fn theory_wish(&mut self, hooks: &mut Hooks<'_>) -> Option<Lit> {
        let theory = hooks.theory.as_deref_mut()?;
        let wish = theory.decide(&Assignment::new(self))?;
        (self.val(wish) == 0 && !self.status[wish.var().index()].eliminated).then_some(wish)
    }

    fn best_variable(&mut self) -> Var {
        let vals = &self.vals;
        let assigned = |var: Var| vals[var.positive().index()] != 0;
        if self.stable {
            while let Some(var) = self.heap.top() {
                if !assigned(var) {
                    return var;
                }
                self.heap.pop();
            }
        } else if let Some(var) = self.queue.next(assigned) {
            return var;
        }
        unreachable!("an active variable without value is in the heap and in the queue")
    }

    /// Rewards the variables of the analysed conflict.
    pub(super) fn bump_seen(&mut self) {
        if self.stable {
            self.bump_reasons();
            self.bump_scores();
        } else {
            self.bump_queue();
        }
    }

    /// In stable mode, literals one step behind the learnt clause are rewarded too.
    fn bump_reasons(&mut self) {
        let limit = self.analysis.seen.len() * 10;
        for i in 0..self.analysis.clause.len() {
            let var = self.analysis.clause[i].var();
            match self.vars[var.index()].reason {
                Reason::Binary(other) => self.bump_also(other),
                Reason::Clause(clause) => {
                    for j in 0..self.arena.size(clause) {
                        self.bump_also(self.arena.lits(clause)[j]);
                    }
                }
                Reason::Decision | Reason::Theory | Reason::Explained(_) => {}
            }
            if self.analysis.seen.len() > limit {
                break;
            }
        }
    }

    fn bump_also(&mut self, lit: Lit) {
        let var = lit.var();
        let mark = &mut self.analysis.marks[var.index()];
        if *mark & SEEN == 0 && self.vars[var.index()].level > 0 {
            *mark |= SEEN;
            self.analysis.seen.push(var);
        }
    }

    fn bump_scores(&mut self) {
        for i in 0..self.analysis.seen.len() {
            let var = self.analysis.seen[i];
            let score = self.heap.score(var) + self.increment;
            self.heap.set_score(var, score);
            if score > SCORE_LIMIT {
                self.heap.rescale(1.0 / SCORE_LIMIT);
                self.increment /= SCORE_LIMIT;
            }
        }
        self.increment *= GROWTH;
    }

    /// Moves the variables to the end of the queue without changing their order among each other.
    fn bump_queue(&mut self) {
        let mut seen = std::mem::take(&mut self.analysis.seen);
        seen.sort_unstable_by_key(|&var| self.queue.stamp(var));
        for &var in &seen {
            self.queue.bump(var, self.vals[var.positive().index()] != 0);
        }
        self.analysis.seen = seen;
    }

    /// After a switch of modes, at the root: the order of the new mode knows all open variables.
    pub(super) fn refill_order(&mut self) {
        for index in 0..self.vars.len() {
            let var = Var::new(index);
            if self.is_open(var) {
                if self.stable {
                    self.heap.insert(var);
                } else {
                    self.queue.unassigned(var);
                }
            }
        }
    }
}
