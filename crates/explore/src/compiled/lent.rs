//! Bytes that lie in the memory of a compiled program: the world works on them where they are.

use crate::memory::{Overlay, Store};
use std::ops::{Deref, DerefMut, Range};

/// A part of somebody's memory. A copy of it owns its bytes.
#[derive(Debug)]
pub(crate) enum Lent<'m> {
    Own(Vec<u8>),
    Window {
        /// All that there is room for.
        all: &'m mut [u8],
        /// How much of it is used; what lies behind is zero.
        used: usize,
    },
}

impl Deref for Lent<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Lent::Own(bytes) => bytes,
            Lent::Window { all, used } => &all[..*used],
        }
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Lent::Own(bytes) => bytes,
            Lent::Window { all, used } => &mut all[..*used],
        }
    }
}

impl Clone for Lent<'_> {
    fn clone(&self) -> Self {
        Lent::Own(self.to_vec())
    }
}

impl Default for Lent<'_> {
    fn default() -> Self {
        Lent::Own(Vec::new())
    }
}

impl From<Vec<u8>> for Lent<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Lent::Own(bytes)
    }
}

impl Store for Lent<'_> {
    fn lengthen(&mut self, size: usize) {
        match self {
            Lent::Own(bytes) => bytes.lengthen(size),
            Lent::Window { all, used } => *used = size.min(all.len()),
        }
    }

    fn shorten(&mut self, size: usize) {
        match self {
            Lent::Own(bytes) => bytes.shorten(size),
            Lent::Window { used, .. } => *used = size.min(*used),
        }
    }
}

/// Nothing is known of such bytes beside their values.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Elsewhere<'m>(std::marker::PhantomData<&'m mut [u8]>);

impl<'m> Overlay for Elsewhere<'m> {
    type Store = Lent<'m>;
    fn clear(&mut self, _: Range<usize>) {}
    fn copy(&mut self, _: Range<usize>, _: usize) {}
}
