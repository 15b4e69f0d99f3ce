//! String values of the SMT-LIB theory UnicodeStrings.
//!
//! Owns the value type [`SmtString`], a sequence of code points from 0 to [`MAX_CHAR`], and every operator of the
//! theory that yields or reads such a value; the languages that some operators take are owned by [`crate::regex`].
//! A value is not a Rust `str`: surrogates are legal characters and nothing above 0x2FFFF is.
//!
//! Operators are total wherever the standard defines them. Those that can make a value longer than all of their
//! arguments refuse results beyond `MAX_LEN` with [`LimitReached::Length`], since a short script can ask for a
//! string that fits no memory.

mod build;
mod escape;
mod ops;
mod replace;
pub(crate) mod search;

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

pub use escape::{EscapeError, Escapes, parse_literal, print_literal};

use build::Builder;

/// The largest character of the theory.
pub const MAX_CHAR: u32 = 0x2FFFF;

/// The longest string, in characters, that an operator builds from shorter ones.
pub(crate) const MAX_LEN: usize = 1 << 28;

/// A computation was stopped because it needed more than it was allowed; the value exists but is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LimitReached {
    /// The result is longer than `MAX_LEN`.
    #[error("the resulting string is longer than {MAX_LEN} characters")]
    Length,
    /// A regular expression operation took more steps than [`crate::regex::Limits`] allows.
    #[error("the regular expression needs more steps than allowed")]
    Work,
    /// A regular expression operation needed more memory than [`crate::regex::Limits`] allows.
    #[error("the regular expression needs more memory than allowed")]
    Memory,
}

/// A value of sort `String`: cheap to clone, ordered as `str.<` orders, one byte per character where all characters are
/// below 256 and four otherwise.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SmtString(Repr);

/// The characters. `Wide` holds at least one character above 0xFF, so equal strings have equal representations.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Narrow(Arc<[u8]>),
    Wide(Arc<[u32]>),
}

impl SmtString {
    /// The string of length zero.
    pub fn empty() -> SmtString {
        SmtString(Repr::Narrow(Arc::default()))
    }

    /// The string of these characters, or `None` if one of them is above [`MAX_CHAR`].
    pub fn from_code_points(code_points: impl IntoIterator<Item = u32>) -> Option<SmtString> {
        let code_points = code_points.into_iter();
        let mut builder = Builder::with_capacity(code_points.size_hint().0);
        for c in code_points {
            if c > MAX_CHAR {
                return None;
            }
            builder.push(c);
        }
        Some(builder.finish())
    }

    /// The string of the Unicode scalars of `text`, or `None` if one of them is above [`MAX_CHAR`].
    pub fn from_text(text: &str) -> Option<SmtString> {
        if text.is_ascii() {
            return Some(SmtString::from_latin1(text.as_bytes()));
        }
        SmtString::from_code_points(text.chars().map(u32::from))
    }

    /// The string whose characters are these bytes.
    pub fn from_latin1(bytes: &[u8]) -> SmtString {
        SmtString(Repr::Narrow(bytes.into()))
    }

    /// `str.len`.
    pub fn len(&self) -> usize {
        match &self.0 {
            Repr::Narrow(chars) => chars.len(),
            Repr::Wide(chars) => chars.len(),
        }
    }

    /// Whether this is the empty string.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The character at a position.
    pub fn get(&self, index: usize) -> Option<u32> {
        match &self.0 {
            Repr::Narrow(chars) => chars.get(index).map(|&c| u32::from(c)),
            Repr::Wide(chars) => chars.get(index).copied(),
        }
    }

    /// The characters from left to right.
    pub fn iter(&self) -> Chars<'_> {
        match &self.0 {
            Repr::Narrow(chars) => Chars::Narrow(chars.iter()),
            Repr::Wide(chars) => Chars::Wide(chars.iter()),
        }
    }

    /// The characters from `start` to `end`; both must lie within the string and in this order.
    pub(crate) fn slice(&self, start: usize, end: usize) -> SmtString {
        if start == 0 && end == self.len() {
            return self.clone();
        }
        match &self.0 {
            Repr::Narrow(chars) => SmtString::from_latin1(&chars[start..end]),
            Repr::Wide(chars) => SmtString::from_wide(&chars[start..end]),
        }
    }

    /// The string of characters known to be legal but perhaps all narrow.
    fn from_wide(chars: &[u32]) -> SmtString {
        if chars.iter().any(|&c| c > 0xFF) {
            SmtString(Repr::Wide(chars.into()))
        } else {
            SmtString(Repr::Narrow(chars.iter().map(|&c| c as u8).collect()))
        }
    }
}

/// The characters of a string, see [`SmtString::iter`].
#[derive(Debug, Clone)]
pub enum Chars<'a> {
    /// Of a string that stores bytes.
    Narrow(std::slice::Iter<'a, u8>),
    /// Of a string that stores whole code points.
    Wide(std::slice::Iter<'a, u32>),
}

impl Iterator for Chars<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match self {
            Chars::Narrow(chars) => chars.next().map(|&c| u32::from(c)),
            Chars::Wide(chars) => chars.next().copied(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Chars::Narrow(chars) => chars.size_hint(),
            Chars::Wide(chars) => chars.size_hint(),
        }
    }
}

impl DoubleEndedIterator for Chars<'_> {
    fn next_back(&mut self) -> Option<u32> {
        match self {
            Chars::Narrow(chars) => chars.next_back().map(|&c| u32::from(c)),
            Chars::Wide(chars) => chars.next_back().copied(),
        }
    }
}

impl ExactSizeIterator for Chars<'_> {}

impl<'a> IntoIterator for &'a SmtString {
    type Item = u32;
    type IntoIter = Chars<'a>;

    fn into_iter(self) -> Chars<'a> {
        self.iter()
    }
}

/// Lexicographic by code point: `a < b` is `str.<`, `a <= b` is `str.<=`.
impl Ord for SmtString {
    fn cmp(&self, other: &SmtString) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Narrow(a), Repr::Narrow(b)) => a.cmp(b),
            _ => self.iter().cmp(other.iter()),
        }
    }
}

impl PartialOrd for SmtString {
    fn partial_cmp(&self, other: &SmtString) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for SmtString {
    fn default() -> SmtString {
        SmtString::empty()
    }
}

/// As an SMT-LIB 2.6 literal, quotes included.
impl fmt::Debug for SmtString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape::print_unicode(self))
    }
}

#[cfg(test)]
mod tests;
