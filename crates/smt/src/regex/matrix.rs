//! Membership of all substrings at once.
//!
//! For a string of length `n` and an expression, the matrix has a bit for each pair `i <= j` of positions: whether the
//! characters from `i` to `j` are in the language. Boolean operators combine the bits, concatenation is the product of
//! boolean matrices, star the transitive closure, and a power takes logarithmically many squarings. Each subexpression
//! is computed once, so the time is the size of the expression times about `n³/64` whatever the nesting, and no property
//! of derivatives is used: the tests play the two engines against each other.

use rustc_hash::{FxHashMap, FxHashSet};

use super::arena::{INFINITE, Node, Regexes};
use super::{LimitReached, Limits, RegexId};
use crate::string::SmtString;

/// The substrings in a language, one row of bits per start.
pub(super) struct Matrix {
    bits: Vec<u64>,
    words: usize,
}

impl Matrix {
    /// The first end at or after `from` of a match that starts at `start`.
    pub(super) fn first_end(&self, start: usize, from: usize) -> Option<usize> {
        let row = self.row(start);
        let mut at = from / 64;
        let mut word = row.get(at)? & (u64::MAX << (from % 64));
        while word == 0 {
            at += 1;
            word = *row.get(at)?;
        }
        Some(at * 64 + word.trailing_zeros() as usize)
    }

    /// Whether the characters from `start` to `end` match.
    pub(super) fn get(&self, start: usize, end: usize) -> bool {
        self.row(start)[end / 64] >> (end % 64) & 1 == 1
    }

    fn row(&self, start: usize) -> &[u64] {
        &self.bits[start * self.words..][..self.words]
    }

    fn set(&mut self, start: usize, end: usize) {
        self.bits[start * self.words + end / 64] |= 1 << (end % 64);
    }

    /// Adds row `from` of another matrix to a row. Rows are empty before their start.
    fn add_row(&mut self, to: usize, other: &[u64], from: usize) {
        let skipped = from / 64;
        let row = &mut self.bits[to * self.words..][skipped..self.words];
        for (word, more) in row.iter_mut().zip(&other[from * self.words + skipped..]) {
            *word |= more;
        }
    }
}

/// Words that the matrix of one expression over a string takes.
pub(super) fn words_per_matrix(len: usize) -> usize {
    (len + 1).saturating_mul(len / 64 + 1)
}

impl Regexes {
    /// The matrix of an expression over a string.
    pub(super) fn matrix(&self, id: RegexId, string: &SmtString) -> Result<Matrix, LimitReached> {
        let mut engine = Engine { len: string.len(), limits: self.limits(), live: 0, work: 0 };
        let order = self.matrix_order(id);
        let mut uses: FxHashMap<RegexId, usize> = FxHashMap::default();
        for &id in &order {
            for child in self.node(id).all_children() {
                *uses.entry(child).or_default() += 1;
            }
        }
        let mut known: FxHashMap<RegexId, Matrix> = FxHashMap::default();
        for node in order {
            let matrix = self.matrix_of(node, string, &known, &mut engine)?;
            known.insert(node, matrix);
            for child in self.node(node).all_children() {
                let left = uses.get_mut(&child).expect("counted above");
                *left -= 1;
                if *left == 0 {
                    known.remove(&child);
                    engine.live -= 1;
                }
            }
        }
        Ok(known.remove(&id).expect("the last of the order"))
    }

    /// Children before parents; among children the youngest first, which is likely the largest, so that few matrices are
    /// alive while it is computed.
    fn matrix_order(&self, id: RegexId) -> Vec<RegexId> {
        let mut order = Vec::new();
        let mut opened = FxHashSet::default();
        let mut closed = FxHashSet::default();
        let mut stack = vec![id];
        while let Some(&id) = stack.last() {
            if opened.insert(id) {
                let start = stack.len();
                stack.extend(self.node(id).all_children().filter(|child| !opened.contains(child)));
                stack[start..].sort_unstable();
            } else {
                stack.pop();
                if closed.insert(id) {
                    order.push(id);
                }
            }
        }
        order
    }

    fn matrix_of(
        &self,
        id: RegexId,
        string: &SmtString,
        known: &FxHashMap<RegexId, Matrix>,
        engine: &mut Engine,
    ) -> Result<Matrix, LimitReached> {
        match self.node(id) {
            Node::Epsilon => engine.identity(),
            Node::Class(class) => {
                let class = self.class_of(*class);
                let mut matrix = engine.zero()?;
                for (at, _) in string.iter().enumerate().filter(|&(_, c)| class.contains(c)) {
                    matrix.set(at, at + 1);
                }
                Ok(matrix)
            }
            Node::Literal { literal, start } => {
                let literal = self.literal_of(*literal);
                let suffix = literal.slice(*start, literal.len());
                let mut matrix = engine.zero()?;
                for at in 0..=string.len().saturating_sub(suffix.len()) {
                    if at + suffix.len() <= string.len() && suffix.occurs_at(string, at) {
                        matrix.set(at, at + suffix.len());
                    }
                }
                Ok(matrix)
            }
            Node::Concat(head, tail) => engine.product(&known[head], &known[tail]),
            Node::Union(list) => engine.combine(list.iter().map(|id| &known[id]), |a, b| a | b),
            Node::Inter(list) => engine.combine(list.iter().map(|id| &known[id]), |a, b| a & b),
            Node::Not(body) => {
                let universe = engine.universe()?;
                let others = engine.combine([&universe, &known[body]].into_iter(), |a, b| a & !b)?;
                engine.live -= 1;
                Ok(others)
            }
            Node::Loop { body, lo, hi } => engine.repeat(&known[body], *lo, *hi),
        }
    }
}

/// The arithmetic of matrices over one string, with its meter.
struct Engine {
    len: usize,
    limits: Limits,
    live: usize,
    work: u64,
}

impl Engine {
    fn zero(&mut self) -> Result<Matrix, LimitReached> {
        let words = words_per_matrix(self.len);
        self.live += 1;
        if words.saturating_mul(8).saturating_mul(self.live) > self.limits.matrix_bytes {
            return Err(LimitReached::Memory);
        }
        self.spend(words)?;
        Ok(Matrix { bits: vec![0; words], words: self.len / 64 + 1 })
    }

    fn identity(&mut self) -> Result<Matrix, LimitReached> {
        let mut matrix = self.zero()?;
        (0..=self.len).for_each(|at| matrix.set(at, at));
        Ok(matrix)
    }

    /// The matrix of all strings.
    fn universe(&mut self) -> Result<Matrix, LimitReached> {
        let mut matrix = self.zero()?;
        for start in 0..=self.len {
            (start..=self.len).for_each(|end| matrix.set(start, end));
        }
        Ok(matrix)
    }

    fn combine<'a>(
        &mut self,
        mut matrices: impl Iterator<Item = &'a Matrix>,
        op: impl Fn(u64, u64) -> u64,
    ) -> Result<Matrix, LimitReached> {
        let mut result = self.zero()?;
        if let Some(first) = matrices.next() {
            result.bits.copy_from_slice(&first.bits);
        }
        for matrix in matrices {
            self.spend(result.bits.len())?;
            for (word, &other) in result.bits.iter_mut().zip(&matrix.bits) {
                *word = op(*word, other);
            }
        }
        Ok(result)
    }

    fn product(&mut self, left: &Matrix, right: &Matrix) -> Result<Matrix, LimitReached> {
        let mut result = self.zero()?;
        for start in 0..=self.len {
            let mut next = left.first_end(start, start);
            while let Some(middle) = next {
                self.spend(result.words - middle / 64)?;
                result.add_row(start, &right.bits, middle);
                next = left.first_end(start, middle + 1);
            }
        }
        Ok(result)
    }

    /// The reflexive and transitive closure, from the last row up: a match that reads something ends in a row below.
    fn star(&mut self, body: &Matrix) -> Result<Matrix, LimitReached> {
        let mut result = self.identity()?;
        for start in (0..=self.len).rev() {
            let mut next = body.first_end(start, start + 1);
            while let Some(middle) = next {
                self.spend(result.words - middle / 64)?;
                let (upper, lower) = result.bits.split_at_mut((start + 1) * result.words);
                let row = &mut upper[start * result.words..];
                for (word, more) in row.iter_mut().zip(&lower[(middle - start - 1) * result.words..]) {
                    *word |= more;
                }
                next = body.first_end(start, middle + 1);
            }
        }
        Ok(result)
    }

    fn power(&mut self, body: &Matrix, exponent: u64) -> Result<Matrix, LimitReached> {
        let mut result = self.identity()?;
        for bit in (0..64 - exponent.leading_zeros()).rev() {
            result = self.product(&result, &result)?;
            self.live -= 1;
            if exponent >> bit & 1 == 1 {
                result = self.product(&result, body)?;
                self.live -= 1;
            }
        }
        Ok(result)
    }

    /// `body` repeated from `lo` to `hi` times. More rounds than characters are needed for no string, and with `lo` above
    /// that there is none, since the body then lacks the empty string.
    fn repeat(&mut self, body: &Matrix, lo: u64, hi: u64) -> Result<Matrix, LimitReached> {
        let len = self.len as u64;
        if lo > len {
            return self.zero();
        }
        let more = if hi == INFINITE || hi - lo >= len {
            self.star(body)?
        } else {
            let identity = self.identity()?;
            let once = self.combine([body, &identity].into_iter(), |a, b| a | b)?;
            let power = self.power(&once, hi - lo)?;
            self.live -= 2;
            power
        };
        if lo == 0 {
            return Ok(more);
        }
        let least = self.power(body, lo)?;
        let result = self.product(&least, &more)?;
        self.live -= 2;
        Ok(result)
    }

    fn spend(&mut self, words: usize) -> Result<(), LimitReached> {
        self.work += words as u64;
        if self.work > self.limits.matrix_work { Err(LimitReached::Work) } else { Ok(()) }
    }
}
