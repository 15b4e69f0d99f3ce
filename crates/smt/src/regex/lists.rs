//! Unions and intersections: lists that are associative, commutative and idempotent.
//!
//! The laws of their nodes: elements ascend without duplicates; none is the complement of another; at most one is a class;
//! the empty string is taken out of a union and becomes a loop from 0 to 1 around it; elements of a union that differ in
//! counters only are merged by [`super::merge`]; an intersection of lengths that exclude each other is empty.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::RegexId;
use super::arena::{INFINITE, Node, Regexes};
use super::build::FLATTENED;
use super::class::CharSet;

impl Regexes {
    /// `re.union` of any number of expressions.
    pub fn union(&mut self, parts: &[RegexId]) -> RegexId {
        self.union_flattening(parts.to_vec(), FLATTENED)
    }

    /// `re.inter` of any number of expressions.
    pub fn inter(&mut self, parts: &[RegexId]) -> RegexId {
        self.inter_flattening(parts.to_vec(), FLATTENED)
    }

    /// The union, with nested unions of any size flattened: for derivatives, which have to come out alike.
    pub(super) fn flat_union(&mut self, parts: Vec<RegexId>) -> RegexId {
        self.union_flattening(parts, usize::MAX)
    }

    /// The intersection, with nested intersections of any size flattened.
    pub(super) fn flat_inter(&mut self, parts: Vec<RegexId>) -> RegexId {
        self.inter_flattening(parts, usize::MAX)
    }

    /// The elements of nested unions, each once, or the expression itself.
    pub(super) fn union_leaves(&self, id: RegexId) -> Vec<RegexId> {
        self.leaves(id, |node| match node {
            Node::Union(list) => Some(list),
            _ => None,
        })
    }

    /// The elements of nested intersections, each once, or the expression itself.
    pub(super) fn inter_leaves(&self, id: RegexId) -> Vec<RegexId> {
        self.leaves(id, |node| match node {
            Node::Inter(list) => Some(list),
            _ => None,
        })
    }

    fn leaves(&self, id: RegexId, nested: impl Fn(&Node) -> Option<&[RegexId]>) -> Vec<RegexId> {
        let mut seen = FxHashSet::default();
        let mut leaves = Vec::new();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match nested(self.node(id)) {
                Some(list) => stack.extend(list),
                None => leaves.push(id),
            }
        }
        leaves
    }

    fn union_flattening(&mut self, parts: Vec<RegexId>, longest: usize) -> RegexId {
        let mut epsilon = false;
        let mut elements = Vec::with_capacity(parts.len());
        let mut classes = Vec::new();
        let mut flattened = FxHashSet::default();
        let mut stack = parts;
        while let Some(id) = stack.pop() {
            match self.node(id) {
                _ if id == RegexId::NONE => {}
                _ if id == RegexId::ALL => return RegexId::ALL,
                Node::Epsilon => epsilon = true,
                Node::Class(_) => classes.push(id),
                &Node::Loop { body, lo: 0, hi: 1 } => {
                    epsilon = true;
                    stack.push(body);
                }
                Node::Union(list) if list.len() <= longest => {
                    if flattened.insert(id) {
                        stack.extend_from_slice(list);
                    }
                }
                _ => elements.push(id),
            }
        }
        self.charge(elements.len() + classes.len());
        elements.extend(self.join_classes(classes, |sets| CharSet::union(sets.iter().copied())));
        sort(&mut elements);
        if self.has_complements(&elements) {
            return RegexId::ALL;
        }
        self.merge_elements(&mut elements);
        if epsilon && !elements.iter().any(|&id| self.nullable(id)) {
            if let Some(at) =
                elements.iter().position(|&id| matches!(self.node(id), Node::Loop { lo: 1, .. }))
            {
                let (body, _, hi) = self.as_loop(elements[at]);
                elements[at] = self.repeat_as_is(body, 0, hi);
                return self.union_flattening(elements, longest);
            }
            let inner = match self.list(elements, RegexId::NONE, Node::Union) {
                RegexId::NONE => return RegexId::EPSILON,
                inner => inner,
            };
            return self.repeat_as_is(inner, 0, 1);
        }
        self.list(elements, RegexId::NONE, Node::Union)
    }

    fn inter_flattening(&mut self, parts: Vec<RegexId>, longest: usize) -> RegexId {
        let mut elements = Vec::with_capacity(parts.len());
        let mut classes = Vec::new();
        let mut flattened = FxHashSet::default();
        let mut stack = parts;
        while let Some(id) = stack.pop() {
            match self.node(id) {
                _ if id == RegexId::ALL => {}
                Node::Class(_) => classes.push(id),
                Node::Inter(list) if list.len() <= longest => {
                    if flattened.insert(id) {
                        stack.extend_from_slice(list);
                    }
                }
                _ => elements.push(id),
            }
        }
        self.charge(elements.len() + classes.len());
        elements.extend(self.join_classes(classes, |sets| {
            sets.iter().fold(CharSet::full(), |common, set| common.intersection(set))
        }));
        sort(&mut elements);
        if elements.iter().any(|&id| id != RegexId::NON_EMPTY && !self.nullable(id)) {
            elements.retain(|&id| id != RegexId::NON_EMPTY);
        }
        let min_len = elements.iter().map(|&id| self.facts(id).min_len).max().unwrap_or(0);
        let max_len = elements.iter().map(|&id| self.facts(id).max_len).min().unwrap_or(INFINITE);
        if min_len > max_len || self.has_complements(&elements) {
            return RegexId::NONE;
        }
        if max_len == 0 {
            let nullable = elements.iter().all(|&id| self.nullable(id));
            return if nullable { RegexId::EPSILON } else { RegexId::NONE };
        }
        self.list(elements, RegexId::ALL, Node::Inter)
    }

    /// One class for several.
    fn join_classes(
        &mut self,
        classes: Vec<RegexId>,
        join: impl FnOnce(&[&CharSet]) -> CharSet,
    ) -> Option<RegexId> {
        if classes.len() < 2 {
            return classes.first().copied();
        }
        let sets: Vec<&CharSet> = classes
            .iter()
            .map(|&id| match self.node(id) {
                Node::Class(class) => self.class_of(*class),
                _ => unreachable!("only classes are collected"),
            })
            .collect();
        let set = join(&sets);
        Some(self.class(set))
    }

    /// Whether a sorted list has an expression and its complement.
    fn has_complements(&self, elements: &[RegexId]) -> bool {
        elements.iter().any(|&id| match self.node(id) {
            Node::Not(body) => elements.binary_search(body).is_ok(),
            _ => false,
        })
    }

    /// The node of a sorted list, unless it has fewer than two elements.
    fn list(
        &mut self,
        elements: Vec<RegexId>,
        neutral: RegexId,
        node: impl FnOnce(Arc<[RegexId]>) -> Node,
    ) -> RegexId {
        match elements[..] {
            [] => neutral,
            [only] => only,
            _ => self.intern(node(elements.into())),
        }
    }
}

fn sort(elements: &mut Vec<RegexId>) {
    elements.sort_unstable();
    elements.dedup();
}
