//! From the and-inverter graph to clauses, on demand: a node gets its variable and its defining clauses (both
//! directions, Tseitin) when its literal is first asked for.
//!
//! Conjunctions with one use are merged into wide ones, and exclusive ors and choices get their own clauses
//! instead of three conjunctions. All clauses are definitions, so they hold in every query.

use super::aig::{Aig, Bit, Gate};
use crate::sat::{Lit, SatSettings, Solver};
use crate::tuning::blast_cnf::MAX_WIDE;

/// The SAT core and which variables stand for which nodes.
pub(super) struct Cnf {
    pub(super) solver: Solver,
    pub(super) literals: Vec<Option<Lit>>,
    /// How many clauses were given to the solver.
    pub(super) clauses: u64,
}

impl Cnf {
    /// No clauses; the solver's own may take this many words.
    pub(super) fn new(memory_limit: usize) -> Cnf {
        let options = SatSettings { memory_limit, ..SatSettings::default() };
        Cnf { solver: Solver::new(options), literals: Vec::new(), clauses: 0 }
    }

    /// The literal of an edge, if its node has a variable.
    pub(super) fn known(&self, bit: Bit) -> Option<Lit> {
        let lit = self.literals.get(bit.node()).copied().flatten()?;
        Some(if bit.is_negated() { !lit } else { lit })
    }

    /// The literal of an edge; its cone is encoded as far as it was not.
    pub(super) fn literal(&mut self, aig: &Aig, bit: Bit) -> Lit {
        if self.literals.len() < aig.len() {
            self.literals.resize(aig.len(), None);
        }
        let mut stack = vec![bit.flip(bit.is_negated())];
        let mut inputs = Vec::new();
        while let Some(&node) = stack.last() {
            if self.literals[node.node()].is_some() {
                stack.pop();
                continue;
            }
            self.gate_inputs(aig, node, &mut inputs);
            let before = stack.len();
            stack.extend(
                inputs.iter().filter(|i| self.literals[i.node()].is_none()).map(|i| i.flip(i.is_negated())),
            );
            if stack.len() == before {
                stack.pop();
                self.encode(aig, node, &inputs);
            }
        }
        self.known(bit).expect("it was just encoded")
    }

    fn gate_inputs(&self, aig: &Aig, node: Bit, inputs: &mut Vec<Bit>) {
        inputs.clear();
        match aig.gate(node) {
            Gate::Constant | Gate::Input => {}
            Gate::NotMux(c, a, b) => inputs.extend(if a == !b { vec![c, a] } else { vec![c, a, b] }),
            Gate::And(a, b) => {
                let mut open = vec![b, a];
                while let Some(bit) = open.pop() {
                    let merge = !bit.is_negated()
                        && aig.is_private(bit)
                        && self.literals[bit.node()].is_none()
                        && inputs.len() + open.len() < MAX_WIDE;
                    match aig.gate(bit) {
                        Gate::And(a, b) if merge => open.extend([b, a]),
                        _ => inputs.push(bit),
                    }
                }
            }
        }
    }

    fn encode(&mut self, aig: &Aig, node: Bit, inputs: &[Bit]) {
        let out = self.solver.new_var().positive();
        self.literals[node.node()] = Some(out);
        let of = |bit: &Bit| self.known(*bit).expect("inputs are encoded first");
        let lits: Vec<Lit> = inputs.iter().map(of).collect();
        match (aig.gate(node), &*lits) {
            (Gate::Constant, _) => self.clause(&[!out]),
            (Gate::Input, _) => {}
            // out = not (if c then a else not a) = c xor a.
            (Gate::NotMux(..), &[c, a]) => {
                self.clause(&[!out, c, a]);
                self.clause(&[!out, !c, !a]);
                self.clause(&[out, !c, a]);
                self.clause(&[out, c, !a]);
            }
            (Gate::NotMux(..), &[c, a, b]) => {
                self.clause(&[!c, !a, !out]);
                self.clause(&[!c, a, out]);
                self.clause(&[c, !b, !out]);
                self.clause(&[c, b, out]);
                // Redundant, but they let equal branches decide without the condition.
                self.clause(&[!a, !b, !out]);
                self.clause(&[a, b, out]);
            }
            (_, conjuncts) => {
                let mut long = vec![out];
                for &lit in conjuncts {
                    self.clause(&[!out, lit]);
                    long.push(!lit);
                }
                self.clause(&long);
            }
        }
    }

    /// Adds a clause that holds always.
    pub(super) fn clause(&mut self, lits: &[Lit]) {
        self.clauses += 1;
        self.solver.add_clause(lits);
    }
}
