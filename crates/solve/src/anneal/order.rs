//! An order in which terms can be computed when symbols are names of terms.
//!
//! Arguments come before applications, and what a symbol is defined by comes before the symbol. Where definitions run in
//! a circle one of them is given up, and its symbol is searched for.

use super::definitions::{Definitions, is_symbol};
use rustc_hash::FxHashMap;
use smt::{Op, TermId, Terms};

/// The terms that the roots need, in an order in which they can be computed.
pub(super) fn order(terms: &Terms, roots: &[TermId], definitions: &mut Definitions) -> Vec<TermId> {
    let mut graph = Graph::new(terms, roots, definitions);
    let mut done: Vec<u32> = Vec::with_capacity(graph.nodes.len());
    let mut ready: Vec<u32> = (0..graph.nodes.len() as u32).rev().filter(|&n| graph.is_ready(n)).collect();
    let mut scan = 0;
    loop {
        while let Some(node) = ready.pop() {
            done.push(node);
            graph.finish(node, &mut ready);
        }
        while scan < graph.nodes.len() && graph.finished[scan] {
            scan += 1;
        }
        if scan == graph.nodes.len() {
            break;
        }
        let symbol = graph.symbol_on_a_circle(scan as u32, definitions);
        definitions.sources.remove(&graph.nodes[symbol as usize]);
        // Without its definition the symbol needs nothing; the edge into it stays and counts no more.
        graph.waiting[symbol as usize] = 0;
        ready.push(symbol);
    }
    done.into_iter().map(|n| graph.nodes[n as usize]).collect()
}

struct Graph {
    nodes: Vec<TermId>,
    /// What each node needs.
    needs: Vec<Vec<u32>>,
    /// Who needs each node.
    needed_by: Vec<Vec<u32>>,
    /// How many of its needs are not finished.
    waiting: Vec<u32>,
    finished: Vec<bool>,
}

/// The terms that a term is computed from. Arrays are not computed: a read needs its index only.
fn needs(terms: &Terms, term: TermId, definitions: &Definitions) -> Vec<TermId> {
    match terms.op(term) {
        Op::Apply if is_symbol(terms, term) => {
            definitions.sources.get(&term).map(|s| s.term()).into_iter().collect()
        }
        Op::Select => vec![terms.args(term)[1]],
        _ => terms.args(term).to_vec(),
    }
}

impl Graph {
    fn new(terms: &Terms, roots: &[TermId], definitions: &Definitions) -> Graph {
        let mut nodes: Vec<TermId> = Vec::new();
        let mut index: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut reach = |nodes: &mut Vec<TermId>, term: TermId| {
            *index.entry(term).or_insert_with(|| {
                nodes.push(term);
                nodes.len() as u32 - 1
            })
        };
        for &root in roots {
            reach(&mut nodes, root);
        }
        let mut edges: Vec<Vec<u32>> = Vec::new();
        while edges.len() < nodes.len() {
            let mut list: Vec<u32> = needs(terms, nodes[edges.len()], definitions)
                .into_iter()
                .map(|t| reach(&mut nodes, t))
                .collect();
            list.sort_unstable();
            list.dedup();
            edges.push(list);
        }
        let mut needed_by = vec![Vec::new(); nodes.len()];
        for (node, list) in edges.iter().enumerate() {
            for &need in list {
                needed_by[need as usize].push(node as u32);
            }
        }
        Graph {
            waiting: edges.iter().map(|list| list.len() as u32).collect(),
            finished: vec![false; nodes.len()],
            nodes,
            needs: edges,
            needed_by,
        }
    }

    fn is_ready(&self, node: u32) -> bool {
        self.waiting[node as usize] == 0
    }

    fn finish(&mut self, node: u32, ready: &mut Vec<u32>) {
        self.finished[node as usize] = true;
        for &user in &self.needed_by[node as usize] {
            let waiting = &mut self.waiting[user as usize];
            if !self.finished[user as usize] && *waiting > 0 {
                *waiting -= 1;
                if *waiting == 0 {
                    ready.push(user);
                }
            }
        }
    }

    /// A defined symbol on a circle that an unfinished node leads to.
    fn symbol_on_a_circle(&self, from: u32, definitions: &Definitions) -> u32 {
        let mut seen = vec![false; self.nodes.len()];
        let mut node = from;
        while !std::mem::replace(&mut seen[node as usize], true) {
            node = self.unfinished_need(node);
        }
        while !definitions.sources.contains_key(&self.nodes[node as usize]) {
            node = self.unfinished_need(node);
        }
        node
    }

    fn unfinished_need(&self, node: u32) -> u32 {
        let list = &self.needs[node as usize];
        *list.iter().find(|&&n| !self.finished[n as usize]).expect("an unfinished node waits for another")
    }
}
