//! Definitions of a variable among its clauses. Elimination needs only the resolvents of a definition with
//! the other clauses, which makes Tseitin variables cheap to eliminate.

use super::arena::ClauseRef;
use super::eliminate::Occurrences;
use super::lit::{Lit, Var};
use super::solver::Solver;
use crate::tuning::sat_gates::XOR_SIZE_LIMIT;

impl Solver {
    /// The clauses of a definition of the variable; empty if none is found.
    pub(super) fn find_gate(&mut self, var: Var, occurrences: &Occurrences) -> Vec<ClauseRef> {
        for output in [var.positive(), var.negative()] {
            let gate = self.find_and(output, occurrences);
            if !gate.is_empty() {
                return gate;
            }
        }
        let gate = self.find_if_then_else(var.positive(), occurrences);
        if !gate.is_empty() {
            return gate;
        }
        self.find_xor(var.positive(), occurrences)
    }

    /// `output = a and b and ...`: clauses `not output or a`, ..., and `output or not a or not b ...`.
    fn find_and(&mut self, output: Lit, occurrences: &Occurrences) -> Vec<ClauseRef> {
        let mut inputs = Vec::new();
        for &clause in occurrences.of(!output) {
            if let [a, b] = *self.arena.lits(clause) {
                inputs.push(if a == !output { b } else { a });
            }
        }
        self.mark(&inputs, true);
        let base = occurrences.of(output).iter().copied().find(|&clause| {
            self.arena.lits(clause).iter().all(|&lit| lit == output || self.marks[(!lit).index()])
        });
        self.mark(&inputs, false);
        let Some(base) = base else { return Vec::new() };
        let mut gate = vec![base];
        for &clause in occurrences.of(!output) {
            if let [a, b] = *self.arena.lits(clause) {
                let input = if a == !output { b } else { a };
                if self.arena.lits(base).contains(&!input) {
                    gate.push(clause);
                }
            }
        }
        gate
    }

    /// `x = if c then t else e`: `not x, not c, t`; `not x, c, e`; `x, not c, not t`; `x, c, not e`.
    fn find_if_then_else(&mut self, x: Lit, occurrences: &Occurrences) -> Vec<ClauseRef> {
        let ternary: Vec<(ClauseRef, [Lit; 2])> = occurrences
            .of(!x)
            .iter()
            .filter_map(|&clause| Some((clause, self.other_two(clause, !x)?)))
            .collect();
        for (i, &(first, one)) in ternary.iter().enumerate() {
            for &(second, two) in &ternary[i + 1..] {
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let (condition, then, otherwise) = (!one[a], one[1 - a], two[1 - b]);
                    self.counters.inprocess_ticks += 1;
                    if two[b] != condition || then.var() == otherwise.var() {
                        continue;
                    }
                    let third = self.find_clause(&[x, !condition, !then], occurrences);
                    let fourth = self.find_clause(&[x, condition, !otherwise], occurrences);
                    if let (Some(third), Some(fourth)) = (third, fourth) {
                        return vec![first, second, third, fourth];
                    }
                }
            }
        }
        Vec::new()
    }

    fn other_two(&self, clause: ClauseRef, lit: Lit) -> Option<[Lit; 2]> {
        match *self.arena.lits(clause) {
            [a, b, c] if a == lit => Some([b, c]),
            [a, b, c] if b == lit => Some([a, c]),
            [a, b, _] => Some([a, b]),
            _ => None,
        }
    }

    /// `x = a xor b xor ...`: all clauses over the variables with the same parity of negations.
    fn find_xor(&mut self, x: Lit, occurrences: &Occurrences) -> Vec<ClauseRef> {
        for &base in occurrences.of(x) {
            let lits = self.arena.lits(base).to_vec();
            if !(3..=XOR_SIZE_LIMIT).contains(&lits.len()) {
                continue;
            }
            let mut gate = vec![base];
            for flips in 1u32..1 << lits.len() {
                if flips.count_ones() % 2 != 0 {
                    continue;
                }
                let flipped: Vec<Lit> =
                    (0..lits.len()).map(|i| if flips >> i & 1 == 1 { !lits[i] } else { lits[i] }).collect();
                match self.find_clause(&flipped, occurrences) {
                    Some(clause) => gate.push(clause),
                    None => break,
                }
            }
            if gate.len() == 1 << (lits.len() - 1) {
                return gate;
            }
        }
        Vec::new()
    }

    /// A clause of exactly these literals.
    fn find_clause(&mut self, lits: &[Lit], occurrences: &Occurrences) -> Option<ClauseRef> {
        let rarest = lits.iter().min_by_key(|&&lit| occurrences.of(lit).len())?;
        let list = occurrences.of(*rarest);
        self.counters.inprocess_ticks += 1 + list.len() as u64 / 4;
        list.iter().copied().find(|&clause| {
            !self.arena.is_garbage(clause)
                && self.arena.size(clause) == lits.len()
                && self.arena.lits(clause).iter().all(|lit| lits.contains(lit))
        })
    }
}
