//! From gates to clauses, after Plaisted and Greenbaum: a gate that is only ever needed to be true gets only the clauses
//! that make its truth imply its definition.
//!
//! What a literal of a bound means to the theory follows the same principle: it is *needed* if it occurs in a clause
//! of the problem. A needed literal that is true binds the arithmetic, others do not, since every clause is satisfied
//! by literals that occur in it.

use super::gates::{Edge, Gate, Gates};
use crate::sat::{Lit, Solver, Var};

/// Needed to be true, needed to be false.
const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;
const BOTH: u8 = POSITIVE | NEGATIVE;

/// The SAT variable of every gate that has one, and which bounds are needed.
pub(crate) struct Clausified {
    /// By gate.
    pub(crate) vars: Vec<Option<Var>>,
    /// By literal.
    pub(crate) needed: Vec<bool>,
}

/// One constraint: some disjunct holds, if the guard does.
pub(crate) struct Root {
    pub(crate) edge: Edge,
    /// A literal that switches the constraint on.
    pub(crate) guard: Option<Lit>,
}

/// Adds clauses that hold exactly if all roots do.
pub(crate) fn clausify(gates: &Gates, roots: &[Root], sat: &mut Solver) -> Clausified {
    let clauses = split(gates, roots);
    let polarity = polarities(gates, &clauses);
    let mut state = Clausifier {
        gates,
        sat,
        out: Clausified { vars: vec![None; gates.nodes().len()], needed: Vec::new() },
        clause: Vec::new(),
    };
    for (node, &polarity) in polarity.iter().enumerate() {
        if polarity != 0 {
            state.define(node, polarity);
        }
    }
    for (disjuncts, guard) in clauses {
        state.clause.extend(guard.map(|guard| !guard));
        for edge in disjuncts {
            let lit = state.lit(edge);
            state.clause.push(lit);
        }
        state.emit();
    }
    let literals = 2 * state.sat.num_vars();
    state.out.needed.resize(literals, false);
    state.out
}

type Clauses = Vec<(Vec<Edge>, Option<Lit>)>;

/// The roots as clauses over edges: conjunctions are taken apart, disjunctions are clauses.
fn split(gates: &Gates, roots: &[Root]) -> Clauses {
    let mut clauses = Vec::new();
    for root in roots {
        let mut open = vec![root.edge];
        while let Some(edge) = open.pop() {
            match gates.gate(edge) {
                Gate::True if !edge.is_negated() => {}
                Gate::True => clauses.push((Vec::new(), root.guard)),
                Gate::And(operands) if edge.is_negated() => {
                    clauses.push((operands.iter().map(|&operand| !operand).collect(), root.guard));
                }
                Gate::And(operands) => open.extend(operands.iter().rev()),
                _ => clauses.push((vec![edge], root.guard)),
            }
        }
    }
    clauses
}

fn polarities(gates: &Gates, clauses: &Clauses) -> Vec<u8> {
    fn flip(polarity: u8, negated: bool) -> u8 {
        if negated { (polarity & POSITIVE) << 1 | polarity >> 1 } else { polarity }
    }
    let mut polarity = vec![0; gates.nodes().len()];
    for (disjuncts, _) in clauses {
        for edge in disjuncts {
            polarity[edge.node()] |= flip(POSITIVE, edge.is_negated());
        }
    }
    for (node, gate) in gates.nodes().iter().enumerate().rev() {
        let own = polarity[node];
        if own == 0 {
            continue;
        }
        let mut need = |edge: &Edge, how: u8| polarity[edge.node()] |= flip(how, edge.is_negated());
        match gate {
            Gate::True | Gate::Free(_) | Gate::Atom(..) => {}
            Gate::And(operands) => operands.iter().for_each(|operand| need(operand, own)),
            Gate::Iff(a, b) => {
                need(a, BOTH);
                need(b, BOTH);
            }
            Gate::Ite(condition, then, otherwise) => {
                need(condition, BOTH);
                need(then, own);
                need(otherwise, own);
            }
        }
    }
    polarity
}

struct Clausifier<'a> {
    gates: &'a Gates,
    sat: &'a mut Solver,
    out: Clausified,
    clause: Vec<Lit>,
}

impl Clausifier<'_> {
    /// The literal of an edge whose gate is defined.
    fn lit(&self, edge: Edge) -> Lit {
        self.out.vars[edge.node()].expect("operands are defined first").lit(!edge.is_negated())
    }

    /// Adds the collected clause.
    fn emit(&mut self) {
        for lit in &self.clause {
            if self.out.needed.len() <= lit.index() {
                self.out.needed.resize(lit.index() + 1, false);
            }
            self.out.needed[lit.index()] = true;
        }
        self.sat.add_clause(&self.clause);
        self.clause.clear();
    }

    fn add(&mut self, clause: &[Lit]) {
        self.clause.extend_from_slice(clause);
        self.emit();
    }

    fn define(&mut self, node: usize, polarity: u8) {
        let var = self.sat.new_var();
        self.out.vars[node] = Some(var);
        let gate = var.positive();
        let (positive, negative) = (polarity & POSITIVE != 0, polarity & NEGATIVE != 0);
        let gates = self.gates;
        match &gates.nodes()[node] {
            Gate::True => self.add(&[gate]),
            Gate::Free(_) | Gate::Atom(..) => {}
            Gate::And(operands) => {
                if positive {
                    for &operand in operands {
                        let operand = self.lit(operand);
                        self.add(&[!gate, operand]);
                    }
                }
                if negative {
                    self.clause.push(gate);
                    for &operand in operands {
                        let operand = self.lit(operand);
                        self.clause.push(!operand);
                    }
                    self.emit();
                }
            }
            &Gate::Iff(a, b) => {
                let (a, b) = (self.lit(a), self.lit(b));
                if positive {
                    self.add(&[!gate, !a, b]);
                    self.add(&[!gate, a, !b]);
                }
                if negative {
                    self.add(&[gate, a, b]);
                    self.add(&[gate, !a, !b]);
                }
            }
            &Gate::Ite(condition, then, otherwise) => {
                let (c, t, e) = (self.lit(condition), self.lit(then), self.lit(otherwise));
                if positive {
                    self.add(&[!gate, !c, t]);
                    self.add(&[!gate, c, e]);
                    self.add(&[!gate, t, e]);
                }
                if negative {
                    self.add(&[gate, !c, !t]);
                    self.add(&[gate, c, !e]);
                    self.add(&[gate, !t, !e]);
                }
            }
        }
    }
}
