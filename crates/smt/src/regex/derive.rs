//! Derivatives: what is left to match after one character.
//!
//! The derivative of a concatenation or a loop is computed as Antimirov's set of partial derivatives, top-down with the
//! rest of the expression as continuation, and its elements become one union (*Partial derivatives of regular
//! expressions and finite automaton constructions*, 1996). Below an intersection or a complement, where sets of
//! alternatives do not distribute, it is Brzozowski's. Every derivative is remembered per expression and character.

use rustc_hash::FxHashSet;

use super::arena::{INFINITE, Node, Regexes};
use super::{LimitReached, RegexId};

impl Regexes {
    /// One derivative by itself, for tests.
    #[cfg(test)]
    pub(crate) fn derivative(&mut self, id: RegexId, c: u32) -> Result<RegexId, LimitReached> {
        if c > crate::string::MAX_CHAR {
            return Ok(RegexId::NONE);
        }
        let steps = self.limits().derivative_work;
        self.limited(steps, |regexes| regexes.derive(id, c))
    }

    /// The strings that give a string of `id` with the character `c` in front, within the limits of the running query.
    pub(super) fn derive(&mut self, id: RegexId, c: u32) -> Result<RegexId, LimitReached> {
        if let Some(derivative) = self.known_derivative(id, c) {
            return Ok(derivative);
        }
        // Expressions to derive; the ones above an expression are those it waits for.
        let mut stack = vec![id];
        while let Some(&id) = stack.last() {
            if self.known_derivative(id, c).is_some() {
                stack.pop();
                continue;
            }
            if let Some(derivative) = self.derive_or_wait(id, c, &mut stack)? {
                self.learn_derivative(id, c, derivative);
                stack.pop();
            }
        }
        Ok(self.known_derivative(id, c).expect("the loop above ends with it"))
    }

    /// The derivative of `id`, or `None` after pushing the expressions whose derivatives are needed first.
    fn derive_or_wait(
        &mut self,
        id: RegexId,
        c: u32,
        stack: &mut Vec<RegexId>,
    ) -> Result<Option<RegexId>, LimitReached> {
        self.charge(1);
        self.check_work()?;
        Ok(match *self.node(id) {
            Node::Union(_) => {
                let leaves = self.union_leaves(id);
                self.derive_all(&leaves, c, stack).map(|parts| self.flat_union(parts))
            }
            Node::Inter(_) => {
                let leaves = self.inter_leaves(id);
                self.derive_all(&leaves, c, stack).map(|parts| self.flat_inter(parts))
            }
            Node::Not(body) => self.derive_all(&[body], c, stack).map(|parts| self.comp(parts[0])),
            Node::Loop { body, lo: 0, hi: 1 } => self.derive_all(&[body], c, stack).map(|parts| parts[0]),
            Node::Epsilon | Node::Class(_) | Node::Literal { .. } | Node::Concat(..) | Node::Loop { .. } => {
                self.partial_derivatives(id, c, stack)?
            }
        })
    }

    /// The derivatives of all, or `None` after pushing those that are not known.
    fn derive_all(&mut self, ids: &[RegexId], c: u32, stack: &mut Vec<RegexId>) -> Option<Vec<RegexId>> {
        self.charge(ids.len());
        let waiting = stack.len();
        let mut parts = Vec::with_capacity(ids.len());
        for &id in ids {
            match self.known_derivative(id, c) {
                Some(derivative) => parts.push(derivative),
                None => stack.push(id),
            }
        }
        (stack.len() == waiting).then_some(parts)
    }

    /// The union of the partial derivatives of `id`, or `None` after pushing the intersections and complements whose
    /// derivatives are needed.
    fn partial_derivatives(
        &mut self,
        id: RegexId,
        c: u32,
        stack: &mut Vec<RegexId>,
    ) -> Result<Option<RegexId>, LimitReached> {
        let waiting = stack.len();
        let mut results = Vec::new();
        let mut seen = FxHashSet::default();
        let mut todo = vec![(id, RegexId::EPSILON)];
        while let Some((id, rest)) = todo.pop() {
            self.charge(1);
            self.check_work()?;
            match *self.node(id) {
                // Shared parts meet the same rest again.
                Node::Concat(..) | Node::Loop { .. } | Node::Union(_) if !seen.insert((id, rest)) => {}
                Node::Epsilon => {}
                Node::Class(class) => {
                    if self.class_of(class).contains(c) {
                        results.push(rest);
                    }
                }
                Node::Literal { literal, start } => {
                    if self.literal_of(literal).get(start) == Some(c) {
                        let suffix = self.literal_suffix(literal, start + 1);
                        results.push(self.concat2(suffix, rest));
                    }
                }
                Node::Concat(head, tail) => {
                    if self.nullable(head) {
                        todo.push((tail, rest));
                    }
                    let after_head = self.concat2(tail, rest);
                    todo.push((head, after_head));
                }
                Node::Loop { body, lo, hi } => {
                    // A body with the empty string has lo = 0, so the first round may be taken to read `c`.
                    let hi = if hi == INFINITE { hi } else { hi - 1 };
                    let more = self.repeat(body, lo.saturating_sub(1), hi);
                    let after_body = self.concat2(more, rest);
                    todo.push((body, after_body));
                }
                Node::Union(ref list) => {
                    todo.extend(list.iter().map(|&id| (id, rest)));
                }
                Node::Inter(_) | Node::Not(_) => match self.known_derivative(id, c) {
                    None => stack.push(id),
                    Some(derivative) => self.append_alternatives(derivative, rest, &mut results),
                },
            }
        }
        if stack.len() > waiting {
            return Ok(None);
        }
        Ok(Some(self.flat_union(results)))
    }

    /// Appends the elements of a derivative, each followed by `rest`.
    fn append_alternatives(&mut self, derivative: RegexId, rest: RegexId, results: &mut Vec<RegexId>) {
        let alternatives = match *self.node(derivative) {
            Node::Loop { body, lo: 0, hi: 1 } => {
                results.push(rest);
                body
            }
            _ => derivative,
        };
        for alternative in self.union_leaves(alternatives) {
            results.push(self.concat2(alternative, rest));
        }
    }
}
