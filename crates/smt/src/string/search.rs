//! Finding one string inside another in linear time.
//!
//! Narrow strings go to `memchr::memmem`; wide ones to Knuth, Morris and Pratt's algorithm, which needs nothing of the
//! alphabet. A wide pattern never occurs in a narrow text, and a narrow pattern is widened for a wide text.

use memchr::memmem;

use super::{Repr, SmtString};

/// The first occurrence of `pattern` in `text` at or after `from`, which must not exceed the length of `text`.
pub(crate) fn find(text: &SmtString, pattern: &SmtString, from: usize) -> Option<usize> {
    match (&text.0, &pattern.0) {
        (Repr::Narrow(text), Repr::Narrow(pattern)) => {
            memmem::find(&text[from..], pattern).map(|at| from + at)
        }
        (Repr::Narrow(_), Repr::Wide(_)) => None,
        (Repr::Wide(text), Repr::Wide(pattern)) => Kmp::new(pattern).find(text, from),
        (Repr::Wide(text), Repr::Narrow(pattern)) => Kmp::new(&widen(pattern)).find(text, from),
    }
}

/// The starts of the occurrences of a non-empty `pattern` in `text` that a scan from the left meets when it resumes
/// after each of them.
pub(crate) fn find_all(text: &SmtString, pattern: &SmtString) -> Vec<usize> {
    match (&text.0, &pattern.0) {
        (Repr::Narrow(text), Repr::Narrow(pattern)) => memmem::find_iter(text, pattern.as_ref()).collect(),
        (Repr::Narrow(_), Repr::Wide(_)) => Vec::new(),
        (Repr::Wide(text), Repr::Wide(pattern)) => Kmp::new(pattern).find_all(text),
        (Repr::Wide(text), Repr::Narrow(pattern)) => Kmp::new(&widen(pattern)).find_all(text),
    }
}

fn widen(chars: &[u8]) -> Vec<u32> {
    chars.iter().map(|&c| u32::from(c)).collect()
}

/// A pattern with its failure function: `border[k]` is the length of the longest proper border of the first `k + 1`
/// characters.
struct Kmp<'a> {
    pattern: &'a [u32],
    border: Vec<usize>,
}

impl<'a> Kmp<'a> {
    fn new(pattern: &'a [u32]) -> Kmp<'a> {
        let mut border = vec![0; pattern.len()];
        let mut matched = 0;
        for at in 1..pattern.len() {
            while matched > 0 && pattern[matched] != pattern[at] {
                matched = border[matched - 1];
            }
            if pattern[matched] == pattern[at] {
                matched += 1;
            }
            border[at] = matched;
        }
        Kmp { pattern, border }
    }

    fn find(&self, text: &[u32], from: usize) -> Option<usize> {
        if self.pattern.is_empty() {
            return Some(from);
        }
        let mut matched = 0;
        for (at, &c) in text.iter().enumerate().skip(from) {
            while matched > 0 && self.pattern[matched] != c {
                matched = self.border[matched - 1];
            }
            if self.pattern[matched] == c {
                matched += 1;
            }
            if matched == self.pattern.len() {
                return Some(at + 1 - matched);
            }
        }
        None
    }

    fn find_all(&self, text: &[u32]) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut from = 0;
        while let Some(at) = self.find(text, from) {
            starts.push(at);
            from = at + self.pattern.len();
        }
        starts
    }
}
