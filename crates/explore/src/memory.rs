//! Linear memory: bytes, what a domain remembers about them, and which of them are closed.
//!
//! Beside every byte lies a byte of shadow: zero if the program may touch it, else the `Shade` that says why not. A load or store
//! of `n` bytes reads the `n` bytes of shadow as one word, so that looking costs a load and a comparison. Pages that change are
//! noted, so that a memory can be made what it was at the start of a run (`Memory::reset`) by copying these alone.

use crate::checks::{self, Access, Kind, Shade};
use crate::op::Narrow;
use crate::trap::Trap;
use std::ops::Range;

/// The size of a page.
pub(crate) const PAGE: usize = 1 << 16;

/// Growth by this many bytes is left to the allocator as a whole.
const LARGE: usize = 1 << 20;

/// How far is looked for the end of what is open.
pub(crate) const REACH: usize = 1 << 16;

/// What is copied when a memory is reset, as a power of two: most runs change little of a page.
const CHUNK: u32 = 10;

/// The most bytes that one store writes.
const WIDEST: usize = 8;

/// How many bytes of the shadow are looked through before they are filled. The cost of one that cannot be is small.
const SHADED_AT_ONCE: usize = 256;

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

/// A WebAssembly memory: bytes, what the domain knows of them, and the shadow of the memory checks.
#[derive(Clone, Debug, Default)]
pub struct Memory<O> {
    /// Its bytes, as they are in this run. They are changed by methods only, which know what has changed.
    bytes: Vec<u8>,
    /// What the domain knows of them beside.
    pub overlay: O,
    /// A shade for each byte.
    shadow: Vec<u8>,
    /// Which chunks changed, bytes or shadow.
    changed: Vec<u8>,
    /// Whether the compiler writes to a shadow of its own, which is to be translated.
    instrumented: bool,
    /// The last access that was stopped.
    stopped: Option<Access>,
    max: u32,
}

impl<O: Overlay> Memory<O> {
    /// A memory of so many pages that may grow to `max`.
    pub(crate) fn new(pages: u32, max: u32) -> Memory<O> {
        let size = pages as usize * PAGE;
        Memory {
            bytes: vec![0; size],
            overlay: O::default(),
            shadow: vec![0; size],
            changed: vec![0; size >> CHUNK],
            instrumented: false,
            stopped: None,
            max,
        }
    }

    /// All bytes, as they are in this run.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The shades of its bytes.
    pub(crate) fn shadow(&self) -> &[u8] {
        &self.shadow
    }

    /// The access that ended the run.
    pub(crate) fn stopped(&self) -> Option<Access> {
        self.stopped
    }

    /// From now on stores to the compiler's shadow are translated.
    pub(crate) fn instrument(&mut self) {
        self.instrumented = true;
    }

    /// Whether the program was compiled with red zones.
    pub(crate) fn is_instrumented(&self) -> bool {
        self.instrumented
    }

    /// The size in pages.
    pub(crate) fn pages(&self) -> u32 {
        (self.bytes.len() / PAGE) as u32
    }

    /// Grows by so many pages, and gives the size before; nothing if that is too much.
    pub(crate) fn grow(&mut self, pages: u32) -> Option<u32> {
        let before = self.pages();
        let after = before.checked_add(pages).filter(|&after| after <= self.max)?;
        let size = after as usize * PAGE;
        for bytes in [&mut self.bytes, &mut self.shadow] {
            if size - bytes.len() < LARGE {
                bytes.resize(size, 0);
            } else {
                // Zeros that come from the allocator cost nothing until they are touched, and a program that allocates what
                // its input says may never touch them.
                let mut larger = vec![0; size];
                larger[..bytes.len()].copy_from_slice(bytes);
                *bytes = larger;
            }
        }
        self.changed.resize(size >> CHUNK, 0);
        Some(before)
    }

    /// Loads, or traps.
    #[inline(always)]
    pub(crate) fn load<R: Narrow>(&mut self, address: usize) -> Result<R, Trap> {
        match (R::read(&self.shadow, address), R::read(&self.bytes, address)) {
            (Some(shade), Some(raw)) if shade.is_zero() => Ok(raw),
            _ => self.closed_load(address),
        }
    }

    /// Stores the low bytes of a slot, or traps.
    #[inline(always)]
    pub(crate) fn store<R: Narrow>(&mut self, address: usize, slot: u64) -> Result<(), Trap> {
        match R::read(&self.shadow, address) {
            Some(shade) if shade.is_zero() => {}
            _ => return self.closed_store::<R>(address, slot),
        }
        self.changed[address >> CHUNK] = 1;
        R::write(&mut self.bytes, address, slot).ok_or(Trap::MemoryOutOfBounds)
    }

    #[cold]
    #[inline(never)]
    fn closed_load<R: Narrow>(&mut self, address: usize) -> Result<R, Trap> {
        self.look(address, R::BYTES, false)?;
        R::read(&self.bytes, address).ok_or(Trap::MemoryOutOfBounds)
    }

    #[cold]
    #[inline(never)]
    fn closed_store<R: Narrow>(&mut self, address: usize, slot: u64) -> Result<(), Trap> {
        if self.instrumented && checks::WINDOW.contains(&address) {
            checks::translate(self, address, &slot.to_le_bytes()[..R::BYTES]);
            return Ok(());
        }
        let retires = R::BYTES == 4
            && slot as u32 == checks::RETIRED as u32
            && self.shadow.get(address) == Some(&Shade::STACK_LEFT.0);
        if !retires {
            self.look(address, R::BYTES, true)?;
        }
        self.touch(address..address + R::BYTES);
        R::write(&mut self.bytes, address, slot).ok_or(Trap::MemoryOutOfBounds)
    }

    /// Whether a range may be touched; if not, the access is noted down.
    pub(crate) fn look(&mut self, address: usize, length: usize, write: bool) -> Result<(), Trap> {
        let end = address.saturating_add(length);
        let found = self.shadow.get(address..end.min(self.shadow.len())).unwrap_or_default();
        let kind = match first_closed(found) {
            Some(at) => Some((at, Shade(found[at]).kind())),
            None if end > self.shadow.len() && self.instrumented => {
                Some((self.shadow.len().saturating_sub(address), Kind::Wild))
            }
            None if end > self.shadow.len() => return Err(Trap::MemoryOutOfBounds),
            None => None,
        };
        let Some((at, kind)) = kind else { return Ok(()) };
        self.stopped = Some(Access {
            kind,
            write,
            address: address as u32,
            size: length as u32,
            closed: (address + at) as u32,
        });
        Err(Trap::Violation(kind))
    }

    /// Gives the bytes of a range a shade; zero opens them. What lies outside is left out.
    pub(crate) fn shade(&mut self, range: Range<usize>, shade: u8) {
        let range = range.start.min(self.shadow.len())..range.end.min(self.shadow.len());
        if range.is_empty() {
            return;
        }
        self.touch(range.clone());
        // Frames have up to 64 KB, and few of them have a word of their own: the rest is filled at once.
        for part in self.shadow[range].chunks_mut(SHADED_AT_ONCE) {
            if part.contains(&Shade::OWN_WORD_VALUE) {
                part.iter_mut()
                    .filter(|known| **known != Shade::OWN_WORD_VALUE)
                    .for_each(|known| *known = shade);
            } else {
                part.fill(shade);
            }
        }
    }

    /// Gives bytes a shade, whatever they had.
    pub(crate) fn repaint(&mut self, range: Range<usize>, shade: u8) {
        let range = range.start.min(self.shadow.len())..range.end.min(self.shadow.len());
        self.touch(range.clone());
        self.shadow[range].fill(shade);
    }

    /// How many bytes from an address on are open before one is closed; none if that is not known.
    pub(crate) fn room(&self, address: usize) -> Option<usize> {
        let ahead = self.shadow.get(address..self.shadow.len().min(address.saturating_add(REACH)))?;
        match first_closed(ahead) {
            None if ahead.len() < REACH => Some(ahead.len()),
            found => found,
        }
    }

    /// The object that an address belongs to, or that it just missed.
    ///
    /// The zones are a partition of all addresses: half of the closed bytes between two objects, and no more than [`NEAR`], belong to
    /// each of them. What is longer than a window is cut there.
    pub(crate) fn zone(&self, address: usize) -> Zone {
        const WINDOW: usize = 1 << 16;
        let start = address - address % WINDOW;
        let end = (start + WINDOW).min(self.shadow.len());
        if address >= end {
            return Zone { all: self.shadow.len()..1 << 32, open: 0..0 };
        }
        let shades = &self.shadow[start..end];
        let at = address - start;
        // A closed run has one shade: what is closed for different reasons lies beside different objects.
        let run = |at: usize| {
            let like = shades[at];
            let from = last_unlike(&shades[..at], like).map_or(0, |last| last + 1);
            let to = first_unlike(&shades[at..], like).map_or(shades.len(), |first| at + first);
            from..to
        };
        // How much of a closed run belongs to the object before it, and behind it.
        let half = |length: usize| (length / 2).min(NEAR);
        let around = |inner: Range<usize>| {
            let before = if inner.start == 0 { 0 } else { half(run(inner.start - 1).len()) };
            let behind = if inner.end == shades.len() {
                0
            } else {
                let closed = run(inner.end);
                // No other run takes a part of a run that ends the window.
                half(closed.len())
            };
            let all = start + inner.start - before..start + inner.end + behind;
            Zone { all, open: start + inner.start..start + inner.end }
        };
        let own = run(at);
        if is_open(shades[at]) {
            return around(own);
        }
        let is_object =
            |at: Option<usize>| at.and_then(|at| shades.get(at)).is_some_and(|shade| is_open(*shade));
        let (before, behind) = (is_object(own.start.checked_sub(1)), is_object(Some(own.end)));
        let low = if before { own.start + half(own.len()) } else { own.start };
        let high = if behind { own.end - half(own.len()) } else { own.end };
        if at < low {
            around(run(own.start - 1))
        } else if at >= high {
            around(run(own.end))
        } else {
            Zone { all: start + low..start + high, open: 0..0 }
        }
    }

    /// Notes that a range changes. It lies inside.
    fn touch(&mut self, range: Range<usize>) {
        if let (false, Some(last)) = (range.is_empty(), range.end.checked_sub(1)) {
            let last = (last >> CHUNK).min(self.changed.len().saturating_sub(1));
            if let Some(changed) = self.changed.get_mut(range.start >> CHUNK..=last) {
                changed.fill(1);
            }
        }
    }

    /// The bytes of a range, if they lie wholly inside.
    pub fn read(&self, address: u32, length: u32) -> Result<&[u8], Trap> {
        self.bytes.get(span(address, length)).ok_or(Trap::MemoryOutOfBounds)
    }

    /// Overwrites bytes with concrete ones.
    pub(crate) fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), Trap> {
        let length = u32::try_from(bytes.len()).map_err(|_| Trap::MemoryOutOfBounds)?;
        let range = span(address, length);
        self.look(range.start, bytes.len(), true)?;
        self.touch(range.clone());
        self.bytes.get_mut(range.clone()).ok_or(Trap::MemoryOutOfBounds)?.copy_from_slice(bytes);
        self.overlay.clear(range);
        Ok(())
    }

    /// Fills a range with a byte. What the domain knows of it is the caller's.
    pub(crate) fn fill(&mut self, address: u32, byte: u8, length: u32) -> Result<Range<usize>, Trap> {
        let range = span(address, length);
        self.look(range.start, range.len(), true)?;
        self.touch(range.clone());
        self.bytes.get_mut(range.clone()).ok_or(Trap::MemoryOutOfBounds)?.fill(byte);
        Ok(range)
    }

    /// Copies bytes and what is known of them; the ranges may overlap.
    pub(crate) fn copy(&mut self, to: u32, from: u32, length: u32) -> Result<(), Trap> {
        let (source, target) = (span(from, length), span(to, length));
        if source.end > self.bytes.len() || target.end > self.bytes.len() {
            self.look(source.start, source.len(), false)?;
            self.look(target.start, target.len(), true)?;
            return Err(Trap::MemoryOutOfBounds);
        }
        self.look(source.start, source.len(), false)?;
        self.look(target.start, target.len(), true)?;
        self.touch(target.clone());
        self.bytes.copy_within(source.clone(), target.start);
        self.overlay.copy(source, target.start);
        Ok(())
    }

    /// The same bytes for another domain.
    pub(crate) fn plain<P: Overlay>(&self) -> Memory<P> {
        Memory {
            bytes: self.bytes.clone(),
            overlay: P::default(),
            shadow: self.shadow.clone(),
            changed: vec![0; self.changed.len()],
            instrumented: self.instrumented,
            stopped: None,
            max: self.max,
        }
    }

    /// Makes it what another memory is, of which it was a copy before it changed.
    pub(crate) fn reset<P: Overlay>(&mut self, original: &Memory<P>) {
        let size = original.bytes.len();
        self.bytes.truncate(size);
        self.shadow.truncate(size);
        self.changed.truncate(size >> CHUNK);
        take_flags(&mut self.changed, |chunk| {
            // A store that begins in a chunk may end behind it.
            let range = chunk << CHUNK..(((chunk + 1) << CHUNK) + WIDEST).min(size);
            self.bytes[range.clone()].copy_from_slice(&original.bytes[range.clone()]);
            self.shadow[range.clone()].copy_from_slice(&original.shadow[range]);
        });
        self.overlay = O::default();
        self.stopped = None;
    }
}

/// Calls a function with the position of each flag that is set, and clears it.
fn take_flags(flags: &mut [u8], mut each: impl FnMut(usize)) {
    const MANY: usize = 64;
    for (at, flags) in flags.chunks_mut(MANY).enumerate() {
        // Nearly all of them are zero, and many are looked at together.
        if flags.iter().fold(0, |any, flag| any | flag) == 0 {
            continue;
        }
        for (bit, flag) in flags.iter_mut().enumerate().filter(|flag| *flag.1 != 0) {
            *flag = 0;
            each(MANY * at + bit);
        }
    }
}

/// How many closed bytes next to an object belong to it.
const NEAR: usize = 4096;

/// An object's bytes, and the closed ones around it that are taken for its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Zone {
    /// All of it.
    pub all: Range<usize>,
    /// What may be touched; empty where there is no object.
    pub open: Range<usize>,
}

#[inline(always)]
fn is_open(shade: u8) -> bool {
    matches!(shade, 0 | Shade::OWN_WORD_VALUE)
}

/// The first byte that is not open.
fn first_closed(shades: &[u8]) -> Option<usize> {
    first_unlike(shades, 0)
}

/// The first byte that is not open if `like` is, or else the first of another shade.
fn first_unlike(shades: &[u8], like: u8) -> Option<usize> {
    let mut at = 0;
    // Many at once where all are alike.
    while shades[at..].len() >= STEP && all_alike(&shades[at..at + STEP], like) {
        at += STEP;
    }
    shades[at..].iter().position(|shade| unlike(*shade, like)).map(|found| at + found)
}

/// How many bytes are compared at once.
const STEP: usize = 32;

/// Whether all bytes are as `like`, which for an open one says less than that all are open: most of these are zero.
fn all_alike(shades: &[u8], like: u8) -> bool {
    let same = if is_open(like) { 0 } else { like };
    shades.iter().fold(0, |all, shade| all | (shade ^ same)) == 0
}

fn unlike(shade: u8, like: u8) -> bool {
    if is_open(like) { !is_open(shade) } else { shade != like }
}

/// The same from the end.
fn last_unlike(shades: &[u8], like: u8) -> Option<usize> {
    let mut end = shades.len();
    while end >= STEP && all_alike(&shades[end - STEP..end], like) {
        end -= STEP;
    }
    shades[..end].iter().rposition(|shade| unlike(*shade, like))
}

/// The range of `length` bytes from an address; it cannot overflow on 64-bit machines.
pub(crate) fn span(address: u32, length: u32) -> Range<usize> {
    address as usize..address as usize + length as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_its_own_keeps_its_shade_wherever_it_lies() {
        let mut memory: Memory<()> = Memory::new(1, 1);
        memory.instrument();
        let own: Vec<usize> = vec![3, SHADED_AT_ONCE - 1, SHADED_AT_ONCE, 5 * SHADED_AT_ONCE + 7];
        for &at in &own {
            memory.repaint(at..at + 1, Shade::OWN_WORD_VALUE);
        }
        memory.shade(1..6 * SHADED_AT_ONCE + 1, Shade::RETURNED.0);
        for (at, &shade) in memory.shadow().iter().enumerate().take(7 * SHADED_AT_ONCE) {
            let expected = match at {
                _ if own.contains(&at) => Shade::OWN_WORD_VALUE,
                1..=1536 => Shade::RETURNED.0,
                _ => 0,
            };
            assert_eq!(shade, expected, "{at}");
        }
    }

    #[test]
    fn a_reset_memory_is_what_it_was_wherever_it_changed() {
        let mut original = Memory::<()>::new(2, 4);
        original.write(100, b"before").unwrap();
        let mut memory = original.plain::<()>();
        let chunk = 1usize << CHUNK;
        // Stores that end in another chunk than they begin in, at the end of the memory, and shades.
        for address in [chunk - 4, 5 * chunk - 1, 2 * PAGE - 8] {
            memory.store::<u64>(address, u64::MAX).unwrap();
        }
        memory.store::<u8>(100, 1).unwrap();
        memory.fill(7 * chunk as u32 - 3, 7, 2 * chunk as u32).unwrap();
        memory.shade(10 * chunk..13 * chunk, Shade::HEAP.0);
        memory.grow(1);
        memory.store::<u32>(2 * PAGE - 2, 9).unwrap();
        memory.reset(&original);
        assert!(memory.bytes() == original.bytes() && memory.shadow() == original.shadow());
        assert_eq!(memory.changed.iter().position(|&flag| flag != 0), None);
    }

    #[test]
    fn the_first_closed_byte_is_found_behind_any_number_of_open_ones() {
        for closed in [0, 1, 31, 32, 33, 64, 95, 200] {
            let mut memory = Memory::<()>::new(1, 1);
            memory.shade(10 + closed..11 + closed, Shade::HEAP.0);
            assert_eq!(memory.room(10), Some(closed));
            assert!(memory.look(10, closed, false).is_ok());
            assert!(memory.look(10, closed + 1, false).is_err());
            assert_eq!(memory.stopped().map(|access| access.closed), Some(10 + closed as u32));
        }
    }
    #[test]
    fn a_run_of_one_shade_ends_where_another_begins() {
        for like in [0, Shade::OWN_WORD_VALUE, Shade::HEAP.0, Shade::RETURNED.0] {
            for other in [0, Shade::OWN_WORD_VALUE, Shade::HEAP.0, Shade::RETURNED.0] {
                for length in [0, 1, 31, 32, 33, 64, 200] {
                    let mut shades = vec![like; length];
                    shades.push(other);
                    let expected = unlike(other, like).then_some(length);
                    assert_eq!(first_unlike(&shades, like), expected, "{like} {other}");
                    shades.reverse();
                    assert_eq!(last_unlike(&shades, like), expected.map(|_| 0), "{like} {other}");
                }
            }
        }
    }
}
