//! Regular expressions of the theory UnicodeStrings: languages as values.
//!
//! [`Regexes`] is an arena of hash-consed expressions with complement, intersection and counted repetition; a
//! [`RegexId`] names one of them. Constructors normalise, so that many equal languages have one id, but equal ids are a
//! sufficient and not a necessary condition for equal languages.
//!
//! Membership is decided by two independent algorithms. Derivatives (`derive`, after Brzozowski and Antimirov) read the
//! string once and are linear on ordinary expressions. `matrix` computes, for every subexpression, which
//! substrings it matches; it is cubic in the string but no expression makes it exponential. `run` spends on the first
//! at most what the second would cost. Where neither fits into [`Limits`], the answer is [`LimitReached`], never a guess.
//!
//! Nothing here recurses on the depth of an expression: children are always older than their parents, so bottom-up work
//! is a loop over ids and top-down work keeps its own stack.

mod arena;
mod build;
mod class;
mod derive;
mod lists;
mod matrix;
mod merge;
mod reverse;
mod run;
mod witness;

use std::fmt;

pub use crate::string::LimitReached;
pub use arena::Regexes;

/// A regular expression of one [`Regexes`] arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegexId(u32);

impl RegexId {
    /// `re.none`, the class of no characters.
    const NONE: RegexId = RegexId(0);
    /// The language of the empty string.
    const EPSILON: RegexId = RegexId(1);
    /// `re.allchar`.
    const ALL_CHAR: RegexId = RegexId(2);
    /// `re.all`.
    const ALL: RegexId = RegexId(3);
    /// All strings but the empty one.
    const NON_EMPTY: RegexId = RegexId(4);

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for RegexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

/// What one query on a [`Regexes`] may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Steps of the derivative engine: nodes visited, built or compared. Reading a character in a known state is free;
    /// a string of millions of characters may take up to four times as many.
    pub derivative_work: u64,
    /// Steps of the matrix engine: machine words combined.
    pub matrix_work: u64,
    /// Bytes that the matrices of the matrix engine may take at a time.
    pub matrix_bytes: usize,
}

impl Default for Limits {
    /// A few seconds and half a gigabyte at worst.
    fn default() -> Limits {
        Limits { derivative_work: 20_000_000, matrix_work: 1 << 32, matrix_bytes: 1 << 29 }
    }
}

#[cfg(test)]
mod tests;
