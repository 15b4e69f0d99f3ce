//! The graph against a closure that is computed from scratch: random merges, taken back at random, with every explanation
//! checked by a graph that knows nothing else.

use crate::euf::egraph::{Egraph, Node, Why};
use crate::sat::{Lit, Var};
use random::Rng;

/// A graph of some leaves and their applications, two deep.
fn graph(leaves: usize) -> (Egraph, Vec<Node>) {
    let mut graph = Egraph::new();
    let mut nodes: Vec<Node> = (0..leaves).map(|_| graph.leaf()).collect();
    for _ in 0..2 {
        let operands: Vec<Node> = nodes[..leaves.min(nodes.len())].to_vec();
        let count = nodes.len();
        for (at, &operand) in operands.iter().enumerate() {
            let function = nodes[(at * 7 + count) % count];
            nodes.push(graph.apply(function, operand));
            nodes.push(graph.apply(operand, function));
        }
    }
    for at in 0..leaves {
        nodes.push(graph.equality(nodes[at], nodes[at + leaves]));
    }
    graph.close().expect("nothing is merged");
    graph.settle();
    (graph, nodes)
}

/// The merges of some literals, or that they clash.
fn merged(leaves: usize, merges: &[(usize, usize)], lits: impl Iterator<Item = usize>) -> (Egraph, bool) {
    let (mut graph, nodes) = graph(leaves);
    for at in lits {
        let (a, b) = merges[at];
        if graph.merge(nodes[a], nodes[b], Why::Literal(literal(at))).is_err() {
            return (graph, true);
        }
    }
    (graph, false)
}

fn literal(at: usize) -> Lit {
    Var::new(at).positive()
}

#[test]
fn merges_can_be_taken_back_and_explained() {
    for seed in 0..60 {
        let mut random = Rng::new(seed);
        let leaves = 4 + random.below(8);
        let (mut graph, nodes) = graph(leaves);
        let merges: Vec<(usize, usize)> =
            (0..3 * leaves).map(|_| (random.below(nodes.len()), random.below(nodes.len()))).collect();
        // The literals that hold, each with the height before it.
        let mut held: Vec<(usize, usize)> = Vec::new();
        for at in 0..merges.len() {
            if random.below(4) == 0 && !held.is_empty() {
                let kept = random.below(held.len());
                graph.undo(held[kept].1);
                held.truncate(kept);
            }
            let height = graph.height();
            let (a, b) = merges[at];
            if graph.merge(nodes[a], nodes[b], Why::Literal(literal(at))).is_err() {
                graph.undo(height);
                continue;
            }
            held.push((at, height));
            let (fresh, clash) = merged(leaves, &merges, held.iter().map(|&(at, _)| at));
            assert!(!clash);
            for (x, &left) in nodes.iter().enumerate() {
                let right = nodes[random.below(nodes.len())];
                assert_eq!(graph.same(left, right), fresh.same(left, right), "seed {seed}: node {x}");
                if !graph.same(left, right) {
                    continue;
                }
                let mut why = Vec::new();
                graph.explain(left, right, &mut why);
                assert!(why.iter().all(|lit| held.iter().any(|&(at, _)| literal(at) == *lit)));
                let (alone, _) = merged(leaves, &merges, why.iter().map(|lit| lit.var().index()));
                assert!(alone.same(left, right), "seed {seed}: {why:?}");
            }
        }
    }
}

#[test]
fn different_constants_clash() {
    let mut graph = Egraph::new();
    let (x, y) = (graph.leaf(), graph.leaf());
    graph.make_constant(x, 7);
    graph.make_constant(y, 8);
    let z = graph.leaf();
    graph.settle();
    assert!(graph.merge(x, z, Why::Literal(literal(0))).is_ok());
    let clash = graph.merge(z, y, Why::Literal(literal(1))).expect_err("two constants");
    let mut why = Vec::new();
    graph.explain(clash.0, clash.1, &mut why);
    why.sort_unstable();
    assert_eq!(why, [literal(0), literal(1)]);
}
