//! Constructors: which nodes may exist.
//!
//! The operators of the theory become the few kinds of [`Node`] under these laws, so that derivatives of one expression
//! take few different forms:
//!
//! - no node has [`RegexId::NONE`] as a child, and [`RegexId::EPSILON`] is a child of complements only;
//! - unions and intersections follow the laws of [`super::lists`];
//! - concatenations associate to the right, and neighbours that repeat the same body are one loop;
//! - the body of a loop with `lo > 0` lacks the empty string, and loops of loops are one loop where the counts leave no gap.
//!
//! Nested operators are flattened while they are short. A long one is kept as it is and taken apart by the derivative,
//! since flattening a chain of binary operators at every level would cost the square of its length.

use super::RegexId;
use super::arena::{Facts, INFINITE, Node, Regexes};
use super::class::CharSet;
use super::merge::shape_of;
use crate::string::SmtString;

/// Operators with more elements are not flattened into their parents.
pub(super) const FLATTENED: usize = 16;

/// How many levels of loops and unions a star opens: more would cost the square of the nesting when it is built.
const OPENED: usize = 4;

impl Regexes {
    /// `re.none`.
    pub fn none(&self) -> RegexId {
        RegexId::NONE
    }

    /// `re.all`.
    pub fn all(&self) -> RegexId {
        RegexId::ALL
    }

    /// `re.allchar`.
    pub fn all_char(&self) -> RegexId {
        RegexId::ALL_CHAR
    }

    /// `str.to_re`: the language of one string.
    pub fn literal(&mut self, string: &SmtString) -> RegexId {
        if string.len() > FLATTENED {
            let literal = self.keep_literal(string);
            return self.intern(Node::Literal { literal, start: 0 });
        }
        self.chain(string.iter())
    }

    /// `re.range`: the characters from `lo` to `hi`, none unless both are strings of one character.
    pub fn range(&mut self, lo: &SmtString, hi: &SmtString) -> RegexId {
        match (lo.get(0), hi.get(0)) {
            (Some(first), Some(last)) if lo.len() == 1 && hi.len() == 1 && first <= last => {
                self.class(CharSet::range(first, last))
            }
            _ => RegexId::NONE,
        }
    }

    /// `re.++` of any number of expressions.
    pub fn concat(&mut self, parts: &[RegexId]) -> RegexId {
        parts.iter().rev().fold(RegexId::EPSILON, |tail, &head| self.concat2(head, tail))
    }

    /// `re.comp`.
    pub fn comp(&mut self, body: RegexId) -> RegexId {
        match (body, self.node(body)) {
            (RegexId::NONE, _) => RegexId::ALL,
            (RegexId::ALL, _) => RegexId::NONE,
            (RegexId::EPSILON, _) => RegexId::NON_EMPTY,
            (RegexId::NON_EMPTY, _) => RegexId::EPSILON,
            (_, &Node::Not(inner)) => inner,
            _ => self.intern(Node::Not(body)),
        }
    }

    /// `re.diff`: the strings of `left` that are not in `right`.
    pub fn diff(&mut self, left: RegexId, right: RegexId) -> RegexId {
        let others = self.comp(right);
        self.inter(&[left, others])
    }

    /// `re.*`.
    pub fn star(&mut self, body: RegexId) -> RegexId {
        self.repeat(body, 0, INFINITE)
    }

    /// `re.+`.
    pub fn plus(&mut self, body: RegexId) -> RegexId {
        self.repeat(body, 1, INFINITE)
    }

    /// `re.opt`.
    pub fn opt(&mut self, body: RegexId) -> RegexId {
        self.repeat(body, 0, 1)
    }

    /// `(_ re.^ n)`.
    pub fn power(&mut self, body: RegexId, n: u64) -> RegexId {
        self.repeat(body, n, n)
    }

    /// `(_ re.loop lo hi)`: from `lo` to `hi` strings of the body, none if `lo > hi`. As everywhere in this module the
    /// largest integer stands for no bound.
    pub fn repeat(&mut self, body: RegexId, lo: u64, hi: u64) -> RegexId {
        let mut id = self.repeat_as_is(body, lo, hi);
        for _ in 0..OPENED {
            let Node::Loop { body, lo: 0, hi: INFINITE } = *self.node(id) else { break };
            let Some(bare) = self.without_inner_loops(body) else { break };
            id = self.repeat_as_is(bare, 0, INFINITE);
        }
        id
    }

    /// As [`Regexes::repeat`], but a union in the body stays as it is, so that the laws of unions can use it without
    /// following the nesting of the expression.
    pub(super) fn repeat_as_is(&mut self, body: RegexId, lo: u64, hi: u64) -> RegexId {
        if lo > hi {
            return RegexId::NONE;
        }
        if hi == 0 || body == RegexId::EPSILON {
            return RegexId::EPSILON;
        }
        if body == RegexId::NONE {
            return if lo == 0 { RegexId::EPSILON } else { RegexId::NONE };
        }
        let (mut body, mut lo, mut hi) = (body, lo, hi);
        loop {
            if self.nullable(body) {
                lo = 0;
            }
            if (lo, hi) == (1, 1) {
                return body;
            }
            let Node::Loop { body: inner, lo: inner_lo, hi: inner_hi } = *self.node(body) else { break };
            match nest(inner_lo, inner_hi, lo, hi) {
                Some((nested_lo, nested_hi)) => (body, lo, hi) = (inner, nested_lo, nested_hi),
                None => break,
            }
        }
        self.intern(Node::Loop { body, lo, hi })
    }

    /// What an expression repeats and how often; every other expression repeats itself once.
    pub(super) fn as_loop(&self, id: RegexId) -> (RegexId, u64, u64) {
        match *self.node(id) {
            Node::Loop { body, lo, hi } => (body, lo, hi),
            _ => (id, 1, 1),
        }
    }

    /// A suffix of a literal.
    pub(super) fn literal_suffix(&mut self, literal: u32, start: usize) -> RegexId {
        let string = self.literal_of(literal).clone();
        if string.len() - start > FLATTENED {
            return self.intern(Node::Literal { literal, start });
        }
        self.chain(string.slice(start, string.len()).iter())
    }

    /// The concatenation of two expressions.
    pub(super) fn concat2(&mut self, left: RegexId, right: RegexId) -> RegexId {
        match (left, right) {
            (RegexId::NONE, _) | (_, RegexId::NONE) => return RegexId::NONE,
            (RegexId::EPSILON, _) => return right,
            (_, RegexId::EPSILON) => return left,
            _ => {}
        }
        if !matches!(self.node(left), Node::Concat(..)) || usize::from(self.facts(left).spine) > FLATTENED {
            return self.prepend(left, right);
        }
        let mut elements = Vec::with_capacity(FLATTENED);
        let mut rest = left;
        while let &Node::Concat(head, tail) = self.node(rest) {
            elements.push(head);
            rest = tail;
        }
        elements.push(rest);
        elements.into_iter().rev().fold(right, |tail, head| self.prepend(head, tail))
    }

    fn chain(&mut self, chars: impl DoubleEndedIterator<Item = u32>) -> RegexId {
        chars.rev().fold(RegexId::EPSILON, |tail, c| {
            let head = self.class(CharSet::range(c, c));
            self.concat2(head, tail)
        })
    }

    /// The concatenation of one element and a tail, joined where both repeat the same.
    fn prepend(&mut self, head: RegexId, tail: RegexId) -> RegexId {
        if tail == RegexId::EPSILON {
            return head;
        }
        let (mut head, mut tail) = (head, tail);
        loop {
            let (next, rest) = match *self.node(tail) {
                Node::Concat(next, rest) => (next, Some(rest)),
                _ => (tail, None),
            };
            let Some(joined) = self.join(head, next) else {
                return self.intern(Node::Concat(head, tail));
            };
            match rest {
                None => return joined,
                Some(rest) => (head, tail) = (joined, rest),
            }
        }
    }

    /// The concatenation of two neighbours as one loop, if they repeat the same.
    fn join(&mut self, left: RegexId, right: RegexId) -> Option<RegexId> {
        let (left_body, left_lo, left_hi) = self.as_loop(left);
        let (right_body, right_lo, right_hi) = self.as_loop(right);
        let (body, a, b) = if left_body == right_body {
            (left_body, (left_lo, left_hi), (right_lo, right_hi))
        } else if left == right_body {
            (left, (1, 1), (right_lo, right_hi))
        } else if right == left_body {
            (right, (left_lo, left_hi), (1, 1))
        } else {
            return None;
        };
        let lo = a.0.checked_add(b.0).filter(|&lo| lo != INFINITE)?;
        let hi = add_bounds(a.1, b.1)?;
        Some(self.repeat_as_is(body, lo, hi))
    }

    /// A union under a star without the loops that the star makes redundant, as in `(a* | b)*`; `None` if there are none.
    fn without_inner_loops(&mut self, body: RegexId) -> Option<RegexId> {
        let Node::Union(list) = self.node(body) else { return None };
        if list.len() > FLATTENED {
            return None;
        }
        let list = list.clone();
        let bare: Vec<RegexId> = list
            .iter()
            .map(|&id| match self.as_loop(id) {
                (inner, 0 | 1, _) => inner,
                _ => id,
            })
            .collect();
        (bare[..] != list[..]).then(|| self.union(&bare))
    }

    /// What is known of a node from its children.
    pub(super) fn facts_of(&self, id: RegexId, node: &Node) -> Facts {
        let of = |id: RegexId| self.facts(id);
        let positive = node.all_children().all(|id| of(id).positive);
        let (nullable, min_len, max_len) = match node {
            Node::Epsilon => (true, 0, 0),
            Node::Class(class) if self.class_of(*class).ranges().is_empty() => (false, INFINITE, 0),
            Node::Class(_) => (false, 1, 1),
            Node::Literal { literal, start } => {
                let len = (self.literal_of(*literal).len() - start) as u64;
                (false, len, len)
            }
            Node::Concat(a, b) => (
                of(*a).nullable && of(*b).nullable,
                of(*a).min_len.saturating_add(of(*b).min_len),
                of(*a).max_len.saturating_add(of(*b).max_len),
            ),
            Node::Union(list) => (
                list.iter().any(|&id| of(id).nullable),
                list.iter().map(|&id| of(id).min_len).min().unwrap_or(INFINITE),
                list.iter().map(|&id| of(id).max_len).max().unwrap_or(0),
            ),
            Node::Inter(list) => (
                list.iter().all(|&id| of(id).nullable),
                list.iter().map(|&id| of(id).min_len).max().unwrap_or(0),
                list.iter().map(|&id| of(id).max_len).min().unwrap_or(INFINITE),
            ),
            Node::Not(body) => (!of(*body).nullable, u64::from(of(*body).nullable), INFINITE),
            Node::Loop { body, lo, hi } => {
                let body = of(*body);
                (*lo == 0, lo.saturating_mul(body.min_len), hi.saturating_mul(body.max_len))
            }
        };
        Facts {
            nullable,
            positive: positive && !matches!(node, Node::Inter(_) | Node::Not(_)),
            spine: node.tail().map_or(1, |tail| of(tail).spine.saturating_add(1)),
            shape: shape_of(id, node, |part| of(part).shape),
            min_len,
            max_len,
        }
    }
}

/// The sum of two upper bounds, unless it is finite and does not fit.
fn add_bounds(a: u64, b: u64) -> Option<u64> {
    if a == INFINITE || b == INFINITE {
        return Some(INFINITE);
    }
    a.checked_add(b).filter(|&sum| sum != INFINITE)
}

/// The counts of a loop from `lo` to `hi` around a loop from `a` to `b`, if they are an interval: `k` rounds of the outer
/// loop give from `ka` to `kb` rounds of the inner one, and the gap to the next `k` is widest for the first.
fn nest(a: u64, b: u64, lo: u64, hi: u64) -> Option<(u64, u64)> {
    let gapless = lo == hi || b == INFINITE && lo > 0 || lo.saturating_mul(b - a).saturating_add(1) >= a;
    if !gapless {
        return None;
    }
    let nested_hi = match (b, hi) {
        (INFINITE, _) | (_, INFINITE) => INFINITE,
        _ => b.checked_mul(hi).filter(|&product| product != INFINITE)?,
    };
    Some((a.checked_mul(lo).filter(|&product| product != INFINITE)?, nested_hi))
}
