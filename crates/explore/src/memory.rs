//! Linear memory: bytes, and what a domain remembers about them beside.

use crate::trap::Trap;
use std::ops::Range;

/// The size of a page.
pub const PAGE: usize = 1 << 16;

/// Growth by this many bytes is left to the allocator as a whole.
const LARGE: usize = 1 << 20;

/// What a domain keeps about a memory's bytes, such as terms for some of them.
pub trait Overlay: Clone + Default {
    /// The bytes of the range were overwritten with concrete ones.
    fn clear(&mut self, range: Range<usize>);
    /// The bytes of the range were copied to another address; the two may overlap.
    fn copy(&mut self, from: Range<usize>, to: usize);
}

impl Overlay for () {
    fn clear(&mut self, _: Range<usize>) {}
    fn copy(&mut self, _: Range<usize>, _: usize) {}
}

/// A memory.
#[derive(Clone, Debug, Default)]
pub struct Memory<O> {
    /// Its bytes, as they are in this run.
    pub bytes: Vec<u8>,
    /// What the domain knows of them beside.
    pub overlay: O,
    max: u32,
}

impl<O: Overlay> Memory<O> {
    /// A memory of so many pages that may grow to `max`.
    pub(crate) fn new(pages: u32, max: u32) -> Memory<O> {
        Memory { bytes: vec![0; pages as usize * PAGE], overlay: O::default(), max }
    }

    /// The size in pages.
    pub fn pages(&self) -> u32 {
        (self.bytes.len() / PAGE) as u32
    }

    /// The size beyond which it does not grow, in pages.
    pub fn max_pages(&self) -> u32 {
        self.max
    }

    /// Grows by so many pages, and gives the size before; nothing if that is too much.
    pub fn grow(&mut self, pages: u32) -> Option<u32> {
        let before = self.pages();
        let after = before.checked_add(pages).filter(|&after| after <= self.max)?;
        let size = after as usize * PAGE;
        if size - self.bytes.len() < LARGE {
            self.bytes.resize(size, 0);
        } else {
            // Zeros that come from the allocator cost nothing until they are touched, and a program that allocates what its
            // input says may never touch them.
            let mut bytes = vec![0; size];
            bytes[..self.bytes.len()].copy_from_slice(&self.bytes);
            self.bytes = bytes;
        }
        Some(before)
    }

    /// The bytes of a range, if they lie wholly inside.
    pub fn read(&self, address: u32, length: u32) -> Result<&[u8], Trap> {
        self.bytes.get(span(address, length)).ok_or(Trap::MemoryOutOfBounds)
    }

    /// Overwrites bytes with concrete ones.
    pub fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), Trap> {
        let length = u32::try_from(bytes.len()).map_err(|_| Trap::MemoryOutOfBounds)?;
        let range = span(address, length);
        self.bytes.get_mut(range.clone()).ok_or(Trap::MemoryOutOfBounds)?.copy_from_slice(bytes);
        self.overlay.clear(range);
        Ok(())
    }

    /// Copies bytes and what is known of them; the ranges may overlap.
    pub fn copy(&mut self, to: u32, from: u32, length: u32) -> Result<(), Trap> {
        let (source, target) = (span(from, length), span(to, length));
        if source.end > self.bytes.len() || target.end > self.bytes.len() {
            return Err(Trap::MemoryOutOfBounds);
        }
        self.bytes.copy_within(source.clone(), target.start);
        self.overlay.copy(source, target.start);
        Ok(())
    }

    /// The same bytes for another domain.
    pub(crate) fn plain<P: Overlay>(&self) -> Memory<P> {
        Memory { bytes: self.bytes.clone(), overlay: P::default(), max: self.max }
    }
}

/// The range of `length` bytes from an address; it cannot overflow on 64-bit machines.
pub(crate) fn span(address: u32, length: u32) -> Range<usize> {
    address as usize..address as usize + length as usize
}
