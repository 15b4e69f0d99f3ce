//! Shortening of a clause while it is learnt: literals implied by the others (Soerensson and Biere, SAT
//! 2009, with the early aborts of CaDiCaL and an explicit stack), then literals that a binary clause
//! with the asserting literal resolves away (Glucose).

use super::analyze::{POISON, REMOVABLE, SEEN, TIER2_GLUE};
use super::lit::{Lit, Var};
use super::solver::{Reason, Solver};
use crate::tuning::sat_minimize::BINARY_SIZE_LIMIT;

impl Solver {
    /// Removes literals of the learnt clause that the other literals imply.
    pub(super) fn minimize(&mut self) {
        let mut clause = std::mem::take(&mut self.analysis.clause);
        let before = clause.len();
        let mut kept = 1;
        for i in 1..clause.len() {
            if !self.is_implied(clause[i].var()) {
                clause[kept] = clause[i];
                kept += 1;
            }
        }
        clause.truncate(kept);
        self.counters.minimised += (before - kept) as u64;
        self.analysis.clause = clause;
    }

    /// Whether the reasons of a seen variable lead to seen variables only.
    fn is_implied(&mut self, start: Var) -> bool {
        if matches!(self.vars[start.index()].reason, Reason::Decision | Reason::Theory) {
            return false;
        }
        let mut stack = std::mem::take(&mut self.analysis.stack);
        stack.clear();
        stack.push((start, 0));
        let mut implied = true;
        while let Some((var, next)) = stack.last_mut() {
            let var = *var;
            let Some(lit) = self.reason_literal(var, *next) else {
                if var != start {
                    self.visit(var, REMOVABLE);
                }
                stack.pop();
                continue;
            };
            *next += 1;
            let parent = lit.var();
            let info = self.vars[parent.index()];
            let marks = self.analysis.marks[parent.index()];
            if parent == var || info.level == 0 || marks & (SEEN | REMOVABLE) != 0 {
                continue;
            }
            let level = self.analysis.levels[info.level as usize];
            let hopeless = marks & POISON != 0
                || matches!(info.reason, Reason::Decision | Reason::Theory)
                || level.seen == 0
                || info.position <= level.first;
            if hopeless {
                for &(var, _) in &stack {
                    self.visit(var, POISON);
                }
                implied = false;
                break;
            }
            stack.push((parent, 0));
        }
        self.analysis.stack = stack;
        implied
    }

    fn visit(&mut self, var: Var, mark: u8) {
        if self.analysis.marks[var.index()] == 0 {
            self.analysis.visited.push(var);
        }
        self.analysis.marks[var.index()] |= mark;
    }

    /// Literal number `index` of the reason of a variable; a theory that was not asked has none to show
    /// and counts as a decision.
    fn reason_literal(&self, var: Var, index: u32) -> Option<Lit> {
        match self.vars[var.index()].reason {
            Reason::Binary(other) => (index == 0).then_some(other),
            Reason::Clause(clause) => self.arena.lits(clause).get(index as usize).copied(),
            Reason::Explained(number) => self.analysis.explanation(number).get(index as usize).copied(),
            Reason::Decision | Reason::Theory => None,
        }
    }

    /// With the asserting literal `u` and a clause `u or not l`, the literal `l` can go.
    pub(super) fn strengthen_by_binaries(&mut self, glue: u32) {
        let clause = &mut self.analysis.clause;
        if glue > TIER2_GLUE || clause.len() < 3 || clause.len() > BINARY_SIZE_LIMIT {
            return;
        }
        for lit in &clause[1..] {
            self.marks[lit.index()] = true;
        }
        let before = clause.len();
        for watch in &self.watches[clause[0].index()] {
            if watch.is_binary() {
                self.marks[(!watch.blocker).index()] = false;
            }
        }
        let asserting = clause[0];
        clause.retain(|&lit| lit == asserting || std::mem::take(&mut self.marks[lit.index()]));
        self.counters.strengthened_by_binary += (before - clause.len()) as u64;
    }
}
