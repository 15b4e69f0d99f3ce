//! Membership and search: which engine answers.
//!
//! Derivatives go first, with as many steps as the matrices would take if these fit into the limits, and with all of
//! their own limit otherwise; then the matrices. The cost is thus at most about twice that of the better engine.
//!
//! Search wants the leftmost start. A match starts at `i` if and only if the string read backwards from its end to `i` is
//! in `Σ* reverse(r)`, so one backward pass finds all starts, and one forward run per match finds its end.

use std::sync::Arc;

use super::arena::{Mark, Node, Regexes, Summary};
use super::matrix::{Matrix, words_per_matrix};
use super::{LimitReached, RegexId};
use crate::string::{SmtString, search};

/// A match: the positions of its first character and after its last.
type Span = (usize, usize);

/// Nodes that a run builds before it drops all but its state.
const SCRATCH_NODES: usize = 1 << 18;

/// Steps that derivatives always have: below, setting up matrices is dearer.
const CHEAP_STEPS: u64 = 1 << 14;

/// Steps for each character with which a simple state with counters gets along.
const STEPS_PER_CHAR: u64 = 64;

/// How much more than their limit derivatives may take for a long string.
const LONG_STRING_FACTOR: u64 = 4;

/// Words of matrix arithmetic that take the time of one step of derivatives.
const WORDS_PER_STEP: u64 = 64;

impl Regexes {
    /// `str.in_re`: whether a string is in the language.
    pub fn matches(&mut self, id: RegexId, string: &SmtString) -> Result<bool, LimitReached> {
        self.query(
            id,
            string,
            |regexes, mark| regexes.matches_by_derivatives(id, string, mark),
            |matrix| matrix.get(0, string.len()),
        )
    }

    /// The shortest match among those that start leftmost; it may be empty.
    pub(crate) fn first_match(
        &mut self,
        id: RegexId,
        string: &SmtString,
    ) -> Result<Option<(usize, usize)>, LimitReached> {
        if self.nullable(id) {
            return Ok(Some((0, 0)));
        }
        if self.facts(id).min_len > string.len() as u64 {
            return Ok(None);
        }
        if let Some(pattern) = self.as_literal(id) {
            return Ok(search::find(string, &pattern, 0).map(|at| (at, at + pattern.len())));
        }
        self.query(
            id,
            string,
            |regexes, mark| {
                let starts = regexes.starts(id, string, mark)?;
                let Some(start) = starts.iter().position(|&starts| starts) else { return Ok(None) };
                Ok(regexes.shortest_end(id, string, start, mark)?.map(|end| (start, end)))
            },
            |matrix| (0..=string.len()).find_map(|start| Some((start, matrix.first_end(start, start)?))),
        )
    }

    /// The matches that a scan from the left meets: each the shortest non-empty one among those that start leftmost at or
    /// after the end of the one before.
    pub(crate) fn non_empty_matches(
        &mut self,
        id: RegexId,
        string: &SmtString,
    ) -> Result<Vec<(usize, usize)>, LimitReached> {
        let id = self.inter(&[id, RegexId::NON_EMPTY]);
        if self.facts(id).min_len > string.len() as u64 {
            return Ok(Vec::new());
        }
        if let Some(pattern) = self.as_literal(id) {
            let starts = search::find_all(string, &pattern);
            return Ok(starts.into_iter().map(|at| (at, at + pattern.len())).collect());
        }
        self.query(
            id,
            string,
            |regexes, mark| {
                let starts = regexes.starts(id, string, mark)?;
                let mut spans: Vec<Span> = Vec::new();
                let mut from = 0;
                while let Some(skipped) = starts[from..].iter().position(|&starts| starts) {
                    let start = from + skipped;
                    let end = regexes.shortest_end(id, string, start, mark)?;
                    from = end.expect("a match starts here, as the backward pass found");
                    spans.push((start, from));
                }
                Ok(spans)
            },
            |matrix| {
                let mut spans: Vec<Span> = Vec::new();
                let mut start = 0;
                while start < string.len() {
                    match matrix.first_end(start, start + 1) {
                        Some(end) => {
                            spans.push((start, end));
                            start = end;
                        }
                        None => start += 1,
                    }
                }
                spans
            },
        )
    }

    /// The end of the shortest match that starts at `start`: what replacement asks step by step, for tests.
    #[cfg(test)]
    pub(crate) fn shortest_match_from(
        &mut self,
        id: RegexId,
        string: &SmtString,
        start: usize,
    ) -> Result<Option<usize>, LimitReached> {
        if start > string.len() {
            return Ok(None);
        }
        self.query(
            id,
            string,
            |regexes, mark| regexes.shortest_end(id, string, start, mark),
            |matrix| matrix.first_end(start, start),
        )
    }

    /// Answers by derivatives or else from the matrix, and tidies the arena.
    fn query<T>(
        &mut self,
        id: RegexId,
        string: &SmtString,
        by_derivatives: impl FnOnce(&mut Regexes, Mark) -> Result<T, LimitReached>,
        by_matrix: impl FnOnce(&Matrix) -> T,
    ) -> Result<T, LimitReached> {
        let mark = self.mark();
        let steps = self.derivative_steps(id, string.len());
        let answer = self.limited(steps, |regexes| by_derivatives(regexes, mark));
        self.settle(mark);
        match answer {
            Ok(answer) => Ok(answer),
            Err(_) => Ok(by_matrix(&self.matrix(id, string)?)),
        }
    }

    /// The steps that derivatives get: the cost of the matrices, or all there are if the matrices cannot answer.
    fn derivative_steps(&mut self, id: RegexId, len: usize) -> u64 {
        let limits = self.limits();
        let usual = limits.derivative_work;
        let most =
            STEPS_PER_CHAR.saturating_mul(len as u64).clamp(usual, usual.saturating_mul(LONG_STRING_FACTOR));
        let per_matrix = words_per_matrix(len);
        if per_matrix.saturating_mul(8 * 4) > limits.matrix_bytes {
            return most;
        }
        // Most products are of sparse matrices; a dense one takes `len` words per word of the result.
        let per_node = per_matrix as u64 * (1 + len as u64 / 8);
        let words = (self.summary(id).nodes as u64).saturating_mul(per_node);
        if words > limits.matrix_work {
            return most;
        }
        (words / WORDS_PER_STEP).max(CHEAP_STEPS).min(most)
    }

    pub(super) fn matches_by_derivatives(
        &mut self,
        id: RegexId,
        string: &SmtString,
        mark: Mark,
    ) -> Result<bool, LimitReached> {
        let mut run = Run::new(self, id, mark);
        let mut at = 0;
        while at < string.len() {
            if !run.may_match(self, string.len() - at) {
                return Ok(false);
            }
            if run.state == RegexId::ALL {
                return Ok(true);
            }
            match run.leading_literal(self) {
                Some((literal, rest)) => {
                    // Long enough, since a state that may match has no more characters than are left.
                    if !literal.occurs_at(string, at) {
                        return Ok(false);
                    }
                    at += literal.len();
                    run.state = rest;
                }
                None => {
                    run.step(self, string.get(at).expect("before the end"))?;
                    at += 1;
                }
            }
        }
        Ok(self.nullable(run.state))
    }

    /// For each position, the end included, whether a match starts there.
    fn starts(&mut self, id: RegexId, string: &SmtString, mark: Mark) -> Result<Vec<bool>, LimitReached> {
        let summary = self.summary(id);
        let reversed = self.reverse(id);
        let state = self.concat2(RegexId::ALL, reversed);
        let mut run = Run { state, summary, mark };
        let mut starts = vec![false; string.len() + 1];
        starts[string.len()] = self.nullable(run.state);
        for (at, c) in string.iter().enumerate().rev() {
            run.step(self, c)?;
            starts[at] = self.nullable(run.state);
        }
        Ok(starts)
    }

    /// The only string of an expression that is one long literal.
    fn as_literal(&self, id: RegexId) -> Option<SmtString> {
        match *self.node(id) {
            Node::Literal { literal, start } => {
                let string = self.literal_of(literal);
                Some(string.slice(start, string.len()))
            }
            _ => None,
        }
    }

    fn shortest_end(
        &mut self,
        id: RegexId,
        string: &SmtString,
        start: usize,
        mark: Mark,
    ) -> Result<Option<usize>, LimitReached> {
        let mut run = Run::new(self, id, mark);
        let mut at = start;
        while !self.nullable(run.state) {
            if self.facts(run.state).min_len > (string.len() - at) as u64 {
                return Ok(None);
            }
            run.step(self, string.get(at).expect("a state that lacks the empty string needs a character"))?;
            at += 1;
        }
        Ok(Some(at))
    }
}

/// A state that reads characters.
struct Run {
    state: RegexId,
    summary: Arc<Summary>,
    mark: Mark,
}

impl Run {
    fn new(regexes: &mut Regexes, id: RegexId, mark: Mark) -> Run {
        Run { state: id, summary: regexes.summary(id), mark }
    }

    fn step(&mut self, regexes: &mut Regexes, c: u32) -> Result<(), LimitReached> {
        self.state = regexes.derive(self.state, self.summary.partition.representative(c))?;
        if regexes.grown_since(self.mark) > SCRATCH_NODES {
            self.state = regexes.compact(self.mark, self.state);
        }
        Ok(())
    }

    /// Whether the state has a string of this length, judged by its bounds.
    fn may_match(&self, regexes: &Regexes, len: usize) -> bool {
        let facts = regexes.facts(self.state);
        facts.min_len <= len as u64 && len as u64 <= facts.max_len
    }

    /// The long literal that the state starts with and what follows.
    fn leading_literal(&self, regexes: &Regexes) -> Option<(SmtString, RegexId)> {
        let (head, rest) = match *regexes.node(self.state) {
            Node::Concat(head, tail) => (head, tail),
            _ => (self.state, RegexId::EPSILON),
        };
        Some((regexes.as_literal(head)?, rest))
    }
}
