//! The operators of UnicodeStrings that involve no regular expression.
//!
//! Each method is the function that the standard's theory declaration gives for the operator of its name, on all
//! arguments: integers of any size, indices outside of the string and empty patterns included.

use std::fmt::Write;

use dashu_base::Signed;
use dashu_int::IBig;

use super::build::Builder;
use super::{LimitReached, MAX_CHAR, MAX_LEN, Repr, SmtString, search};

impl SmtString {
    /// `str.++` of any number of strings.
    pub fn concat(parts: &[&SmtString]) -> Result<SmtString, LimitReached> {
        let mut len = 0;
        for part in parts {
            len = grow(len, part.len())?;
        }
        let mut non_empty = parts.iter().filter(|part| !part.is_empty());
        if let (Some(only), None) = (non_empty.next(), non_empty.next()) {
            return Ok((*only).clone());
        }
        let mut builder = Builder::with_capacity(len);
        parts.iter().for_each(|part| builder.push_str(part));
        Ok(builder.finish())
    }

    /// `str.at`: the character at an index as a string, empty if there is none.
    pub fn at(&self, index: &IBig) -> SmtString {
        self.substr(index, &IBig::ONE)
    }

    /// `str.substr`: at most `len` characters from `start` on, empty if `start` is no position or `len` is not
    /// positive.
    pub fn substr(&self, start: &IBig, len: &IBig) -> SmtString {
        // A non-negative integer beyond usize is beyond every string.
        let Ok(start) = usize::try_from(start) else { return SmtString::empty() };
        if start >= self.len() || len.is_negative() {
            return SmtString::empty();
        }
        let rest = self.len() - start;
        let len = usize::try_from(len).map_or(rest, |len| len.min(rest));
        self.slice(start, start + len)
    }

    /// `str.prefixof`: whether this string is a prefix of `of`.
    pub fn prefix_of(&self, of: &SmtString) -> bool {
        self.len() <= of.len() && self.occurs_at(of, 0)
    }

    /// `str.suffixof`: whether this string is a suffix of `of`.
    pub fn suffix_of(&self, of: &SmtString) -> bool {
        self.len() <= of.len() && self.occurs_at(of, of.len() - self.len())
    }

    /// `str.contains`: whether `pattern` occurs in this string.
    pub fn contains(&self, pattern: &SmtString) -> bool {
        search::find(self, pattern, 0).is_some()
    }

    /// `str.indexof`: the first position at or after `from` where `pattern` occurs, or -1. The empty pattern occurs at
    /// every position from 0 to the length.
    pub fn index_of(&self, pattern: &SmtString, from: &IBig) -> IBig {
        match usize::try_from(from) {
            Ok(from) if from <= self.len() => {
                search::find(self, pattern, from).map_or(IBig::NEG_ONE, IBig::from)
            }
            _ => IBig::NEG_ONE,
        }
    }

    /// `str.replace`: with the first occurrence of `pattern` replaced; the empty pattern occurs at the front.
    pub fn replace(&self, pattern: &SmtString, by: &SmtString) -> Result<SmtString, LimitReached> {
        match search::find(self, pattern, 0) {
            None => Ok(self.clone()),
            Some(at) => self.splice(&[(at, at + pattern.len())], by),
        }
    }

    /// `str.replace_all`: with all occurrences of `pattern` replaced from left to right; the empty pattern has none.
    pub fn replace_all(&self, pattern: &SmtString, by: &SmtString) -> Result<SmtString, LimitReached> {
        if pattern.is_empty() {
            return Ok(self.clone());
        }
        let starts = search::find_all(self, pattern);
        let spans: Vec<_> = starts.into_iter().map(|at| (at, at + pattern.len())).collect();
        self.splice(&spans, by)
    }

    /// `str.is_digit`: whether this is one character from `0` to `9`.
    pub fn is_digit(&self) -> bool {
        self.len() == 1 && self.iter().all(is_digit)
    }

    /// `str.to_code`: the only character's code point, or -1 if the length is not one.
    pub fn to_code(&self) -> IBig {
        match self.get(0) {
            Some(c) if self.len() == 1 => IBig::from(c),
            _ => IBig::NEG_ONE,
        }
    }

    /// `str.from_code`: the string of one character, or the empty string if there is no such character.
    pub fn from_code(code: &IBig) -> SmtString {
        match u32::try_from(code) {
            Ok(c) if c <= MAX_CHAR => SmtString::from_wide(&[c]),
            _ => SmtString::empty(),
        }
    }

    /// `str.to_int`: the number that a non-empty string of decimal digits denotes, or -1.
    pub fn to_int(&self) -> IBig {
        let Repr::Narrow(digits) = &self.0 else { return IBig::NEG_ONE };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return IBig::NEG_ONE;
        }
        let digits = std::str::from_utf8(digits).expect("digits are ASCII");
        IBig::from_str_radix(digits, 10).expect("one or more digits denote a number")
    }

    /// `str.from_int`: the decimal digits of a non-negative integer, or the empty string.
    pub fn from_int(value: &IBig) -> SmtString {
        if value.is_negative() {
            return SmtString::empty();
        }
        let mut digits = String::new();
        write!(digits, "{value}").expect("writing to a String cannot fail");
        SmtString::from_latin1(digits.as_bytes())
    }

    /// The string with each of the disjoint ascending `spans` replaced.
    pub(super) fn splice(&self, spans: &[(usize, usize)], by: &SmtString) -> Result<SmtString, LimitReached> {
        if spans.is_empty() {
            return Ok(self.clone());
        }
        let removed: usize = spans.iter().map(|(start, end)| end - start).sum();
        let added = spans.len().checked_mul(by.len()).ok_or(LimitReached::Length)?;
        let len = grow(self.len() - removed, added)?;
        let mut builder = Builder::with_capacity(len);
        let mut kept = 0;
        for &(start, end) in spans {
            builder.push_slice(self, kept, start);
            builder.push_str(by);
            kept = end;
        }
        builder.push_slice(self, kept, self.len());
        Ok(builder.finish())
    }

    /// Whether this string is what `text` has at a position from which enough of it is left.
    pub(crate) fn occurs_at(&self, text: &SmtString, at: usize) -> bool {
        match (&self.0, &text.0) {
            (Repr::Narrow(a), Repr::Narrow(b)) => b[at..].starts_with(a),
            (Repr::Wide(a), Repr::Wide(b)) => b[at..].starts_with(a),
            (Repr::Wide(_), Repr::Narrow(_)) => false,
            (Repr::Narrow(a), Repr::Wide(b)) => a.iter().zip(&b[at..]).all(|(&a, &b)| u32::from(a) == b),
        }
    }
}

fn is_digit(c: u32) -> bool {
    (0x30..=0x39).contains(&c)
}

/// The sum of two lengths if a string may be so long.
fn grow(len: usize, by: usize) -> Result<usize, LimitReached> {
    len.checked_add(by).filter(|&len| len <= MAX_LEN).ok_or(LimitReached::Length)
}
