//! Building strings whose width is not known in advance.
//!
//! A [`Builder`] stores bytes until the first wide character arrives and widens once, so that long narrow strings never
//! pay four bytes per character.

use super::{Repr, SmtString};

/// A string under construction. Characters must be legal.
pub(super) enum Builder {
    Narrow(Vec<u8>),
    Wide(Vec<u32>),
}

impl Builder {
    pub(super) fn with_capacity(len: usize) -> Builder {
        Builder::Narrow(Vec::with_capacity(len))
    }

    pub(super) fn push(&mut self, c: u32) {
        match self {
            Builder::Narrow(chars) => match u8::try_from(c) {
                Ok(byte) => chars.push(byte),
                Err(_) => self.widen().push(c),
            },
            Builder::Wide(chars) => chars.push(c),
        }
    }

    pub(super) fn push_latin1(&mut self, bytes: &[u8]) {
        match self {
            Builder::Narrow(chars) => chars.extend_from_slice(bytes),
            Builder::Wide(chars) => chars.extend(bytes.iter().map(|&c| u32::from(c))),
        }
    }

    /// Appends the characters of `s` from `start` to `end`.
    pub(super) fn push_slice(&mut self, s: &SmtString, start: usize, end: usize) {
        match &s.0 {
            Repr::Narrow(more) => self.push_latin1(&more[start..end]),
            Repr::Wide(more) if start < end => self.widen().extend_from_slice(&more[start..end]),
            Repr::Wide(_) => {}
        }
    }

    pub(super) fn push_str(&mut self, s: &SmtString) {
        self.push_slice(s, 0, s.len());
    }

    pub(super) fn finish(self) -> SmtString {
        match self {
            Builder::Narrow(chars) => SmtString(Repr::Narrow(chars.into())),
            Builder::Wide(chars) => SmtString::from_wide(&chars),
        }
    }

    fn widen(&mut self) -> &mut Vec<u32> {
        if let Builder::Narrow(chars) = self {
            let mut wide = Vec::with_capacity(chars.capacity());
            wide.extend(chars.iter().map(|&c| u32::from(c)));
            *self = Builder::Wide(wide);
        }
        match self {
            Builder::Wide(chars) => chars,
            Builder::Narrow(_) => unreachable!("widened above"),
        }
    }
}
