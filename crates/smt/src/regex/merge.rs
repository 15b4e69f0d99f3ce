//! Unions whose elements differ in counters only.
//!
//! The derivatives of a counted loop are unions like `X{3,7}R | X{4,8}R | R`, with one element for every way to have
//! distributed the characters read so far over the loops. Elements of the same *shape*, which is the concatenation
//! without its counts, are merged where an interval of counts or the union of two says it all: `X{3,8}R | R`. Elements
//! that another one covers are dropped, also when they are its tail behind parts that may be empty: `R` in `X{0,7}R`.
//! This keeps a state of nested loops as short as an interval, where the plain sets of Antimirov grow with the counts.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::RegexId;
use super::arena::{Node, Regexes};

/// How far two concatenations are compared before they count as unrelated.
const COMPARED: usize = 32;

/// How many parts that may be empty are skipped in front of a tail.
const SKIPPED: usize = 8;

/// The hash of an expression's shape, given its id and the shapes of the two parts of a concatenation. A loop and its
/// body, which repeats once, have the same shape.
pub(super) fn shape_of(id: RegexId, node: &Node, shape: impl Fn(RegexId) -> u64) -> u64 {
    match *node {
        Node::Concat(head, tail) => FxBuildHasher.hash_one((shape(head), shape(tail))),
        Node::Loop { body, .. } => FxBuildHasher.hash_one(body),
        _ => FxBuildHasher.hash_one(id),
    }
}

/// How two concatenations of the same shape relate.
struct Comparison {
    left_covers_right: bool,
    right_covers_left: bool,
    /// The heads before the only different element, the counts of both and the common tail.
    single: Option<Difference>,
}

struct Difference {
    before: Vec<RegexId>,
    body: RegexId,
    left: (u64, u64),
    right: (u64, u64),
    after: Option<RegexId>,
}

impl Regexes {
    /// Replaces a sorted list of union elements by a shorter one with the same union.
    pub(super) fn merge_elements(&mut self, elements: &mut Vec<RegexId>) {
        if elements.len() < 2 {
            return;
        }
        self.charge(elements.len());
        let mut shaped: Vec<(u64, RegexId)> = elements.iter().map(|&id| (self.facts(id).shape, id)).collect();
        shaped.sort_unstable();
        elements.clear();
        for group in shaped.chunk_by(|a, b| a.0 == b.0) {
            self.merge_group(group.iter().map(|&(_, id)| id), elements);
        }
        self.drop_covered_tails(elements);
        elements.sort_unstable();
        elements.dedup();
    }

    /// Appends the merged elements of one shape.
    fn merge_group(&mut self, group: impl Iterator<Item = RegexId>, merged: &mut Vec<RegexId>) {
        let first = merged.len();
        for element in group {
            let mut element = element;
            let mut at = first;
            loop {
                if at == merged.len() {
                    merged.push(element);
                    break;
                }
                self.charge(1);
                match self.merge_two(merged[at], element) {
                    None => at += 1,
                    Some(kept) if kept == merged[at] => break,
                    Some(kept) => {
                        merged.swap_remove(at);
                        if kept != element {
                            at = first;
                        }
                        element = kept;
                    }
                }
            }
        }
    }

    /// One expression for the union of two.
    fn merge_two(&mut self, left: RegexId, right: RegexId) -> Option<RegexId> {
        let comparison = self.compare(left, right)?;
        if comparison.left_covers_right {
            return Some(left);
        }
        if comparison.right_covers_left {
            return Some(right);
        }
        let Difference { before, body, left, right, after } = comparison.single?;
        if left.0.max(right.0) > left.1.min(right.1).saturating_add(1) {
            return None;
        }
        let counts = self.repeat_as_is(body, left.0.min(right.0), left.1.max(right.1));
        let tail = after.map_or(counts, |after| self.concat2(counts, after));
        Some(before.into_iter().rev().fold(tail, |tail, head| self.concat2(head, tail)))
    }

    /// Drops the elements that another one matches with its first parts empty.
    fn drop_covered_tails(&mut self, elements: &mut Vec<RegexId>) {
        let skippable = |regexes: &Regexes, id: RegexId| match *regexes.node(id) {
            Node::Concat(head, tail) if regexes.nullable(head) => Some(tail),
            _ => None,
        };
        if elements.len() < 2 || !elements.iter().any(|&id| skippable(self, id).is_some()) {
            return;
        }
        let mut by_shape: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (at, &id) in elements.iter().enumerate() {
            by_shape.entry(self.facts(id).shape).or_default().push(at);
        }
        let mut covered = vec![false; elements.len()];
        for at in 0..elements.len() {
            let mut tail = elements[at];
            for _ in 0..SKIPPED {
                match skippable(self, tail) {
                    Some(next) if !covered[at] => tail = next,
                    _ => break,
                }
                for &other in by_shape.get(&self.facts(tail).shape).into_iter().flatten() {
                    self.charge(1);
                    if other != at
                        && !covered[other]
                        && self.compare(tail, elements[other]).is_some_and(|c| c.left_covers_right)
                    {
                        covered[other] = true;
                    }
                }
            }
        }
        let mut covered = covered.into_iter();
        elements.retain(|_| covered.next() == Some(false));
    }

    /// Compares two concatenations element by element; `None` if they differ in more than counts.
    fn compare(&self, left: RegexId, right: RegexId) -> Option<Comparison> {
        let mut comparison = Comparison { left_covers_right: true, right_covers_left: true, single: None };
        let mut differences = 0;
        let mut before = Vec::new();
        let (mut left, mut right) = (Some(left), Some(right));
        while left != right {
            if before.len() == COMPARED {
                return None;
            }
            let (left_head, left_tail) = self.split(left?);
            let (right_head, right_tail) = self.split(right?);
            let (body, left_lo, left_hi) = self.as_loop(left_head);
            let (right_body, right_lo, right_hi) = self.as_loop(right_head);
            if body != right_body {
                return None;
            }
            if left_head != right_head {
                comparison.left_covers_right &= left_lo <= right_lo && right_hi <= left_hi;
                comparison.right_covers_left &= right_lo <= left_lo && left_hi <= right_hi;
                differences += 1;
                comparison.single = (differences == 1).then(|| Difference {
                    before: before.clone(),
                    body,
                    left: (left_lo, left_hi),
                    right: (right_lo, right_hi),
                    after: left_tail,
                });
            }
            before.push(left_head);
            (left, right) = (left_tail, right_tail);
        }
        Some(comparison)
    }

    /// The first element of a concatenation and the rest.
    fn split(&self, id: RegexId) -> (RegexId, Option<RegexId>) {
        match *self.node(id) {
            Node::Concat(head, tail) => (head, Some(tail)),
            _ => (id, None),
        }
    }
}
