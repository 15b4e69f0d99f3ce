//! Polarity in place: where the literals of a formula stand, and whether more of them being true makes more of the formula
//! true (Yao et al. 2021, Theorem 4.1, which needs nothing else of a normal form).
//!
//! Occurrences at both polarities (below `xor`, Boolean `=`, the condition of an `ite`) are no literals: the formula around
//! them is one. Nothing here recurses on a formula's depth.

use crate::tuning::approx_skeleton::WALKED;
use smt::{Op, SortId, TermId, Terms};

/// A node of the Boolean structure, as it was reached.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    /// Which argument of the parent.
    argument: u32,
    term: TermId,
    positive: bool,
}

/// A literal occurrence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// The command that holds it.
    pub command: u32,
    /// The literal's place among the skeleton's nodes.
    node: u32,
    /// The literal: an atom or its negation.
    pub literal: TermId,
    /// Whether the formula is monotone in it.
    pub positive: bool,
}

/// The literal occurrences of formulas.
#[derive(Clone, Debug, Default)]
pub(crate) struct Skeleton {
    nodes: Vec<Node>,
    /// Literals over a theory's predicates, in the order of the text.
    pub literals: Vec<Occurrence>,
    /// Literals over Boolean symbols.
    pub booleans: Vec<Occurrence>,
}

impl Skeleton {
    /// Adds the literal occurrences of the formula of a command.
    pub(crate) fn add(&mut self, terms: &Terms, command: usize, formula: TermId) {
        let first = self.nodes.len();
        let mut entered = std::collections::HashSet::new();
        let mut stack = vec![Node { parent: u32::MAX, argument: 0, term: formula, positive: true }];
        while let Some(node) = stack.pop() {
            if self.nodes.len() - first > WALKED && !entered.insert((node.term, node.positive)) {
                continue;
            }
            let at = self.nodes.len() as u32;
            self.nodes.push(node);
            let before = stack.len();
            let args = terms.args(node.term);
            for (argument, &term) in args.iter().enumerate() {
                if let Some(same) = step(terms, node.term, argument) {
                    let positive = node.positive == same;
                    stack.push(Node { parent: at, argument: argument as u32, term, positive });
                }
            }
            stack[before..].reverse();
            if stack.len() == before {
                self.add_literal(terms, command, at);
            }
        }
    }

    fn add_literal(&mut self, terms: &Terms, command: usize, node: u32) {
        let Node { term: literal, positive, .. } = self.nodes[node as usize];
        let atom = if terms.op(literal) == Op::Not { terms.args(literal)[0] } else { literal };
        let site = Occurrence { command: command as u32, node, literal, positive };
        match terms.op(atom) {
            Op::Const => {}
            Op::Apply | Op::Bound if terms.args(atom).is_empty() => self.booleans.push(site),
            _ => self.literals.push(site),
        }
    }

    /// How many literals there are.
    pub(crate) fn len(&self) -> usize {
        self.literals.len() + self.booleans.len()
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The literal of this number: those over theories first.
    pub(crate) fn site(&self, number: usize) -> Occurrence {
        match self.literals.get(number) {
            Some(site) => *site,
            None => self.booleans[number - self.literals.len()],
        }
    }

    /// The way from the formula to a literal.
    pub(crate) fn path(&self, site: Occurrence) -> Box<[u32]> {
        let mut path = Vec::new();
        let mut at = site.node;
        while self.nodes[at as usize].parent != u32::MAX {
            path.push(self.nodes[at as usize].argument);
            at = self.nodes[at as usize].parent;
        }
        path.reverse();
        path.into()
    }

    /// The variables bound around a literal, the innermost binder's first.
    pub(crate) fn bound_around(&self, terms: &Terms, site: Occurrence) -> Vec<TermId> {
        let mut variables = Vec::new();
        let mut at = site.node;
        while at != u32::MAX {
            let node = self.nodes[at as usize];
            if at != site.node
                && let Some((vars, _)) = terms.binder(node.term)
            {
                variables.extend_from_slice(vars);
            }
            at = node.parent;
        }
        variables
    }
}

/// Whether the Boolean structure goes on into an argument: `Some(true)` if the formula is monotone in it, `Some(false)` if
/// it is antitone.
pub(super) fn step(terms: &Terms, formula: TermId, argument: usize) -> Option<bool> {
    let args = terms.args(formula);
    match terms.op(formula) {
        Op::And | Op::Or => Some(true),
        // A negated atom is a literal.
        Op::Not => is_structure(terms, args[0]).then_some(false),
        Op::Implies => Some(argument + 1 == args.len()),
        Op::Ite if terms.sort(formula) == SortId::BOOL => (argument > 0).then_some(true),
        Op::Forall | Op::Exists => (argument + 1 == args.len()).then_some(true),
        Op::Annot if terms.sort(formula) == SortId::BOOL => (argument == 0).then_some(true),
        _ => None,
    }
}

/// Whether a formula has literals inside it.
fn is_structure(terms: &Terms, formula: TermId) -> bool {
    match terms.op(formula) {
        Op::And | Op::Or | Op::Not | Op::Implies | Op::Forall | Op::Exists => true,
        Op::Ite | Op::Annot => terms.sort(formula) == SortId::BOOL,
        _ => false,
    }
}
