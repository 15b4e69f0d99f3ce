//! Difference constraints as a graph: where all rows are differences of two variables, a feasible assignment is a potential, and a negative
//! cycle is a conflict.
//!
//! As long as no pivot was made, every form is basic and every variable is not, so that variables move freely. What a bound on `x - y` asks
//! for is then a matter of shortest ways: variables are lowered along violated edges until none is left (Bellman and Ford), and the tree of ways
//! shows a negative cycle as soon as there is one (Tarjan's subtree disassembly, as in Cherkassky and Goldberg 1999). The potential begins with the
//! present assignment, so that a check after a few more bounds visits only what they move. Pivots would do the same, one row after the other,
//! with rows that grow.
//!
//! An integer and a real in one difference are left to pivots: moves along the graph and the rounding of the final check would take turns for
//! ever. So are systems of few rows, since each pivot shows a partial solution, and the graph shows one a check.
//!
//! This is no theory of its own: bounds, reasons and propagation stay those of the core. Systems with other rows are left to pivots.

use super::Simplex;
use super::bounds::{BoundId, BoundKind, Cause};
use super::budget::Budget;
use super::check::Conflict;
use super::form::Var;
use super::num::{Delta, Rational};
use crate::tuning::simplex_differences::LEAST_ROWS;
use std::collections::VecDeque;

/// What came of it.
pub(super) enum Settled {
    /// Nothing is violated any more.
    Feasible,
    Conflict(Conflict),
    /// The budget ran out.
    Unknown,
}

/// Nowhere in the tree.
const NONE: u32 = u32::MAX;

/// A node's place in the search. Nodes are the variables, then zero, then the root of the tree.
#[derive(Clone, Debug)]
struct Node {
    /// The value, where it is no longer that of the assignment.
    moved: Option<Delta>,
    /// In the tree: who lowered it, and by which bound.
    parent: u32,
    bound: Option<BoundId>,
    depth: u32,
    /// The tree in preorder.
    next: u32,
    previous: u32,
    is_queued: bool,
}

/// A search for a potential.
struct Search {
    nodes: Vec<Node>,
    queue: VecDeque<u32>,
    zero: u32,
    root: u32,
}

impl Search {
    fn new(vars: usize) -> Search {
        let node = Node {
            moved: None,
            parent: NONE,
            bound: None,
            depth: 0,
            next: NONE,
            previous: NONE,
            is_queued: false,
        };
        let (zero, root) = (vars as u32, vars as u32 + 1);
        Search { nodes: vec![node; vars + 2], queue: VecDeque::new(), zero, root }
    }

    fn in_tree(&self, node: u32) -> bool {
        node == self.root || self.nodes[node as usize].parent != NONE
    }

    fn enqueue(&mut self, node: u32) {
        if !std::mem::replace(&mut self.nodes[node as usize].is_queued, true) {
            self.queue.push_back(node);
        }
    }

    /// Hangs a node that is not in the tree below another one.
    fn insert(&mut self, node: u32, parent: u32, bound: Option<BoundId>) {
        let (after, depth) = (self.nodes[parent as usize].next, self.nodes[parent as usize].depth + 1);
        let own = &mut self.nodes[node as usize];
        (own.parent, own.bound, own.depth) = (parent, bound, depth);
        (own.next, own.previous) = (after, parent);
        self.nodes[parent as usize].next = node;
        if after != NONE {
            self.nodes[after as usize].previous = node;
        }
    }

    /// Takes a node and all that hangs below it out of the tree. What was below waits until it is lowered again, which it will be. True: `looked_for`
    /// was below.
    fn cut(&mut self, node: u32, looked_for: u32) -> bool {
        let depth = self.nodes[node as usize].depth;
        let before = self.nodes[node as usize].previous;
        let (mut at, mut below) = (self.nodes[node as usize].next, 0);
        while at != NONE && self.nodes[at as usize].depth > depth {
            if at == looked_for {
                // The tree stays: it has the way that closes the cycle.
                return true;
            }
            at = self.nodes[at as usize].next;
            below += 1;
        }
        let mut under = self.nodes[node as usize].next;
        for _ in 0..below {
            let gone = &mut self.nodes[under as usize];
            (gone.parent, gone.is_queued) = (NONE, false);
            under = gone.next;
        }
        self.nodes[node as usize].parent = NONE;
        self.nodes[before as usize].next = at;
        if at != NONE {
            self.nodes[at as usize].previous = before;
        }
        false
    }
}

/// An edge: `to` is at most `from` plus the weight.
struct Edge {
    to: u32,
    weight: Delta,
    bound: BoundId,
}

impl Simplex {
    /// Whether only differences bind, and every form is still basic.
    pub(super) fn is_graph(&self) -> bool {
        !self.has_other_forms && self.stats.pivots == 0 && self.is_large()
    }

    fn is_large(&self) -> bool {
        #[cfg(test)]
        if self.is_always_graph {
            return true;
        }
        self.slacks.len() >= LEAST_ROWS
    }

    /// Whether a form is the difference of two integers or of two reals.
    pub(super) fn is_difference(&self, terms: &[(Var, Rational)]) -> bool {
        let [(x, a), (y, b)] = terms else { return false };
        let is_one_less_other = (a.is_one() && (-b).is_one()) || (b.is_one() && (-a).is_one());
        is_one_less_other && self.is_int(*x) == self.is_int(*y)
    }

    /// Moves variables until all differences are within their bounds, or finds a cycle of them that cannot be.
    pub(super) fn settle_differences(&mut self, budget: &mut Budget<'_>) -> Settled {
        let mut violated = Vec::new();
        {
            let Self { infeasible, bounds, assignment, .. } = self;
            while let Some(var) = infeasible.pop_min(|var| {
                bounds.violation(var, assignment.get(var))?;
                Some(0)
            }) {
                violated.push(var);
            }
        }
        if violated.is_empty() {
            return Settled::Feasible;
        }
        let mut search = Search::new(self.vars.len());
        for node in self.sources(&search, &violated) {
            let root = search.root;
            search.insert(node, root, None);
            search.enqueue(node);
        }
        let answer = self.relax(&mut search, budget);
        match answer {
            Settled::Feasible => self.move_to(&search),
            Settled::Conflict(_) | Settled::Unknown => {
                violated.into_iter().for_each(|var| self.infeasible.push(var));
            }
        }
        answer
    }

    /// Where violated edges begin. Along such edges a node comes before those that it lowers, as far as they have no cycle: then each node is
    /// lowered to its final value before it lowers others.
    fn sources(&self, search: &Search, violated: &[Var]) -> Vec<u32> {
        let targets = |node: u32| {
            let mut edges = Vec::new();
            self.edges_from(search, node, &mut edges);
            edges.retain(|edge| !self.is_short(search, node, edge));
            edges.into_iter().map(|edge| edge.to).collect::<Vec<u32>>()
        };
        let mut seen = vec![false; search.nodes.len()];
        let mut order = Vec::new();
        let mut stack: Vec<(u32, Vec<u32>)> = Vec::new();
        let ends = violated.iter().flat_map(|&slack| self.edges_of(slack).into_iter().flatten());
        for from in ends.map(|(from, _)| from) {
            if std::mem::replace(&mut seen[from as usize], true) {
                continue;
            }
            stack.push((from, targets(from)));
            while let Some((node, open)) = stack.last_mut() {
                match open.pop() {
                    Some(next) if std::mem::replace(&mut seen[next as usize], true) => {}
                    Some(next) => {
                        let more = targets(next);
                        stack.push((next, more));
                    }
                    None => {
                        order.push(*node);
                        stack.pop();
                    }
                }
            }
        }
        order.reverse();
        order
    }

    fn relax(&mut self, search: &mut Search, budget: &mut Budget<'_>) -> Settled {
        let mut edges = Vec::new();
        while let Some(from) = search.queue.pop_front() {
            if !std::mem::replace(&mut search.nodes[from as usize].is_queued, false) {
                continue;
            }
            if budget.exhausted() {
                return Settled::Unknown;
            }
            edges.clear();
            self.edges_from(search, from, &mut edges);
            budget.spend(1 + edges.len() as u64);
            for edge in edges.drain(..) {
                if self.is_short(search, from, &edge) {
                    continue;
                }
                let lowered = &self.potential(search, from) + &edge.weight;
                if search.in_tree(edge.to) && search.cut(edge.to, from) {
                    return Settled::Conflict(self.cycle(search, from, &edge));
                }
                let node = &mut search.nodes[edge.to as usize];
                node.moved = Some(lowered);
                search.insert(edge.to, from, Some(edge.bound));
                search.enqueue(edge.to);
            }
        }
        Settled::Feasible
    }

    /// The value of a node.
    fn potential(&self, search: &Search, node: u32) -> Delta {
        match &search.nodes[node as usize].moved {
            Some(value) => value.clone(),
            None if node == search.zero => Delta::ZERO,
            None => self.assignment.get(Var::new(node as usize)).clone(),
        }
    }

    /// Whether an edge holds.
    fn is_short(&self, search: &Search, from: u32, edge: &Edge) -> bool {
        self.potential(search, edge.to) <= &self.potential(search, from) + &edge.weight
    }

    /// The edges that the bounds of a difference are, each with where it comes from.
    fn edges_of(&self, slack: Var) -> [Option<(u32, Edge)>; 2] {
        let Some(definition) = &self.vars[slack.index()].definition else { return [None, None] };
        let &[(first, ref coeff), (second, _)] = definition.terms() else { return [None, None] };
        // slack = plus - minus
        let (plus, minus) = if coeff.is_positive() { (first, second) } else { (second, first) };
        let (plus, minus) = (plus.index() as u32, minus.index() as u32);
        let above = self.bounds.id(slack, BoundKind::Upper).map(|bound| {
            let weight = self.bounds.record(bound).value.clone();
            (minus, Edge { to: plus, weight, bound })
        });
        let below = self.bounds.id(slack, BoundKind::Lower).map(|bound| {
            let weight = -&self.bounds.record(bound).value;
            (plus, Edge { to: minus, weight, bound })
        });
        [above, below]
    }

    /// The edges that leave a node.
    fn edges_from(&self, search: &Search, from: u32, edges: &mut Vec<Edge>) {
        if from == search.zero {
            for var in self.vars() {
                if let Some(bound) = self.bounds.id(var, BoundKind::Upper).filter(|_| !self.is_slack(var)) {
                    let weight = self.bounds.record(bound).value.clone();
                    edges.push(Edge { to: var.index() as u32, weight, bound });
                }
            }
            return;
        }
        let var = Var::new(from as usize);
        for at in self.tableau.column(var) {
            let slack = self.tableau.basic(at.row);
            let own = self.edges_of(slack).into_iter().flatten().filter(|(own, _)| *own == from);
            edges.extend(own.map(|(_, edge)| edge));
        }
        if let Some(bound) = self.bounds.id(var, BoundKind::Lower) {
            let weight = -&self.bounds.record(bound).value;
            edges.push(Edge { to: search.zero, weight, bound });
        }
    }

    /// The bounds on the way from a node back to itself by one more edge.
    fn cycle(&mut self, search: &Search, from: u32, edge: &Edge) -> Conflict {
        let mut bounds = vec![edge.bound];
        let mut at = from;
        while at != edge.to {
            let node = &search.nodes[at as usize];
            bounds.extend(node.bound);
            at = node.parent;
        }
        let farkas = bounds.iter().map(|&bound| self.farkas_term(bound, Rational::ONE)).collect();
        self.conflict(bounds.into_iter().map(Cause::Bound).collect::<Vec<_>>(), farkas)
    }

    /// Gives variables the values of a search; zero stays where it is.
    fn move_to(&mut self, search: &Search) {
        let zero = self.potential(search, search.zero);
        let is_zero_moved = zero != Delta::ZERO;
        for index in 0..search.zero {
            let var = Var::new(index as usize);
            if self.is_slack(var) || (search.nodes[index as usize].moved.is_none() && !is_zero_moved) {
                continue;
            }
            let target = &self.potential(search, index) - &zero;
            let step = &target - self.assignment.get(var);
            if step != Delta::ZERO {
                self.shift(var, &step);
            }
        }
    }
}
