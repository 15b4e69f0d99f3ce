//! Loads, stores and calls whose address or contents depend on the inputs.

use super::overlay::{Cell, Cells};
use super::{AddressPolicy, Concolic, ConcolicValue};
use crate::checks::Kind;
use crate::code::Site;
use crate::domain::{Need, address as effective};
use crate::memory::Memory;
use crate::op::{Load, Store};
use crate::target::PathKind;
use crate::trap::Trap;
use smt::{Op, TermId};
use std::ops::Range;

/// How many regions an object may take and still be one array.
const SMALL: usize = 4;

/// The bytes that an access at a symbolic address may touch.
struct Region {
    /// All of them.
    bytes: Range<usize>,
    /// The address of the first byte accessed, as a 32-bit term.
    first: TermId,
}

/// What a byte of memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Byte {
    Concrete(u8),
    Symbolic(Cell),
}

fn byte(memory: &Memory<Cells>, address: usize) -> Byte {
    memory.overlay.get(address).map_or(Byte::Concrete(memory.bytes()[address]), Byte::Symbolic)
}

/// An array that was made of a region, and what the region held then.
#[derive(Clone, Debug)]
pub(super) struct Image {
    array: TermId,
    bytes: Vec<Byte>,
    /// How many bytes were written since it was made anew.
    writes: usize,
}

impl Image {
    /// The bytes of the region that are not as they were.
    fn changes(&self, memory: &Memory<Cells>, region: &Range<usize>) -> Vec<usize> {
        (0..region.len()).filter(|&i| self.bytes[i] != byte(memory, region.start + i)).collect()
    }
}

impl Concolic {
    #[cold]
    #[inline(never)]
    pub(super) fn symbolic_load<L: Load>(
        &mut self,
        at: Site,
        memory: &mut Memory<Cells>,
        base: ConcolicValue,
        offset: u32,
    ) -> Result<ConcolicValue, Trap> {
        let region = self.resolve(at, memory, base, offset, L::BYTES, false)?;
        let address = effective(base.bits, offset);
        let bits = L::widen(memory.load(address)?);
        let term = match region {
            Some(region) => self.select_bytes(memory, &region, L::BYTES),
            None => match self.read_bytes(memory, address, L::BYTES) {
                Some(term) => term,
                None => return Ok(ConcolicValue { bits, term: None }),
            },
        };
        let term = self.extend(term, L::RESULT_BITS, L::SIGNED);
        Ok(self.with_term(bits, term))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn symbolic_store<S: Store>(
        &mut self,
        at: Site,
        memory: &mut Memory<Cells>,
        base: ConcolicValue,
        offset: u32,
        value: ConcolicValue,
    ) -> Result<(), Trap> {
        let region = self.resolve(at, memory, base, offset, S::BYTES, true)?;
        let address = effective(base.bits, offset);
        match region {
            Some(region) => {
                let before = self.array(memory, region.bytes.clone());
                memory.store::<S::Raw>(address, value.bits)?;
                self.store_bytes(memory, &region, before, value, S::BYTES);
            }
            None => {
                memory.store::<S::Raw>(address, value.bits)?;
                let term = value.term.map(|term| self.as_bits(term));
                for byte in 0..S::BYTES {
                    memory.overlay.set(address + byte, term.map(|term| Cell { term, byte: byte as u8 }));
                }
            }
        }
        Ok(())
    }

    /// Checks bounds and records what is assumed of a symbolic address; none if the address is that of this run.
    fn resolve(
        &mut self,
        at: Site,
        memory: &mut Memory<Cells>,
        base: ConcolicValue,
        offset: u32,
        bytes: usize,
        write: bool,
    ) -> Result<Option<Region>, Trap> {
        let policy = if write { self.options.stores } else { self.options.loads };
        let base = self.follow(at, base);
        let address = effective(base.bits, offset);
        let Some(term) = base.term else { return Ok(None) };
        let object = if memory.is_instrumented() {
            self.stay(at, memory, base, offset, bytes, write)?
        } else {
            // The greatest base for which the access is inside; beyond 32 bits every one is.
            let Some(last) = memory.bytes().len().checked_sub(bytes + offset as usize) else {
                return Err(Trap::MemoryOutOfBounds);
            };
            if last < u32::MAX as usize {
                let bound = self.word(32, last as u64);
                let outside = self.terms.mk(Op::BvUgt, &[term, bound]);
                self.check(at, outside, base.bits as u32 as usize > last, Trap::MemoryOutOfBounds)?;
            }
            0..memory.bytes().len()
        };
        let AddressPolicy::Region(size) = policy else {
            self.take_bits(at, Need::Address, base.bits, term);
            return Ok(None);
        };
        let first = self.plus(term, u64::from(offset));
        let size = (size as usize).max(1);
        // A small object is one region, and the address is known to be inside.
        if memory.is_instrumented() && object.len() <= SMALL * size {
            return Ok(Some(Region { bytes: object, first }));
        }
        let last = object.end - bytes;
        let lowest = (address - address % size).max(offset as usize).max(object.start);
        let highest = (address - address % size + size - 1).min(last);
        self.within(at, term, offset, lowest, highest);
        Ok(Some(Region { bytes: lowest..highest + bytes, first }))
    }

    /// Records that the first byte of an access lies between two addresses, both included.
    fn within(&mut self, at: Site, base: TermId, offset: u32, lowest: usize, highest: usize) {
        let from = self.word(32, (lowest as u32).wrapping_sub(offset).into());
        let span = self.word(32, (highest - lowest) as u64);
        let distance = self.terms.mk(Op::BvSub, &[base, from]);
        let inside = self.terms.mk(Op::BvUle, &[distance, span]);
        self.record(at, inside, true, PathKind::Region);
    }

    /// Asks whether an access at a symbolic address leaves the object that it is in, and gives the object. That the address is in
    /// or next to this object is recorded first: others are other ways to go on.
    pub(super) fn stay(
        &mut self,
        at: Site,
        memory: &mut Memory<Cells>,
        base: ConcolicValue,
        offset: u32,
        bytes: usize,
        write: bool,
    ) -> Result<Range<usize>, Trap> {
        let address = effective(base.bits, offset);
        let Some(term) = base.term else { return Ok(0..0) };
        let zone = memory.zone(address);
        // The base wraps where the address is beyond 32 bits.
        let highest = (zone.all.end - 1).min(u32::MAX as usize);
        self.within(at, term, offset, zone.all.start.min(highest), highest);
        let leaves = match zone.open.len().checked_sub(bytes) {
            None => true,
            Some(most) => {
                let from = self.word(32, (zone.open.start as u32).wrapping_sub(offset).into());
                let distance = self.terms.mk(Op::BvSub, &[term, from]);
                let most = self.word(32, most as u64);
                let outside = self.terms.mk(Op::BvUgt, &[distance, most]);
                let leaves = address < zone.open.start || address + bytes > zone.open.end;
                // An access that runs over the end of a window into the next may be in order.
                let edge = memory.look(address, bytes, write).is_ok();
                let kind = PathKind::Fault(Trap::Violation(Kind::Wild).into());
                self.record(at, outside, leaves, kind);
                if leaves && edge {
                    return Ok(address..address + bytes);
                }
                leaves
            }
        };
        if leaves {
            memory.look(address, bytes, write)?;
            return Ok(address..address + bytes);
        }
        Ok(zone.open)
    }

    /// Asks whether a word is greater than a bound, which is an error.
    pub(crate) fn greater(&mut self, at: Site, value: ConcolicValue, bound: u32) -> bool {
        let holds = value.bits as u32 > bound;
        if let Some(term) = value.term {
            let bound = self.word(32, u64::from(bound));
            let condition = self.terms.mk(Op::BvUgt, &[term, bound]);
            self.record(at, condition, holds, PathKind::Fault(Trap::Violation(Kind::Wild).into()));
        }
        holds
    }

    /// Requires that a word is at most a bound.
    pub(crate) fn not_above(&mut self, at: Site, value: ConcolicValue, bound: u32) -> bool {
        let holds = value.bits as u32 <= bound;
        if let Some(term) = value.term {
            let bound = self.word(32, u64::from(bound));
            let condition = self.terms.mk(Op::BvUle, &[term, bound]);
            self.record(at, condition, holds, PathKind::Assumption);
        }
        holds
    }

    /// Takes a pointer as it is in this run, after asking whether it leaves its object.
    pub(crate) fn pin(
        &mut self,
        at: Site,
        memory: &mut Memory<Cells>,
        value: ConcolicValue,
        write: bool,
    ) -> Result<u32, Trap> {
        let value = self.follow(at, value);
        if let Some(term) = value.term {
            if memory.is_instrumented() {
                self.stay(at, memory, value, 0, 1, write)?;
            }
            self.take_bits(at, Need::Memory, value.bits, term);
        }
        Ok(value.bits as u32)
    }

    /// A pointer to one of several objects, by the value of a byte; the first if that is too large.
    pub(crate) fn one_of(&mut self, choosing: TermId, targets: &[u32], bits: u32) -> ConcolicValue {
        let mut term = self.word(32, u64::from(targets.first().copied().unwrap_or(0)));
        for (number, target) in targets.iter().enumerate().skip(1) {
            let (number, target) = (self.word(8, number as u64), self.word(32, u64::from(*target)));
            let this = self.terms.mk(Op::Eq, &[choosing, number]);
            term = self.terms.mk(Op::Ite, &[this, target, term]);
        }
        self.pointers.insert(term, u64::from(bits));
        self.with_term(u64::from(bits), term)
    }

    /// An address without the choice of an object in it: following a pointer that leads to one of several objects decides which.
    fn follow(&mut self, at: Site, base: ConcolicValue) -> ConcolicValue {
        let Some(term) = base.term.filter(|_| !self.pointers.is_empty()) else { return base };
        let parts: Vec<TermId> =
            if self.terms.op(term) == Op::BvAdd { self.terms.args(term).to_vec() } else { vec![term] };
        if !parts.iter().any(|part| self.pointers.contains_key(part)) {
            return base;
        }
        let mut decided = Vec::with_capacity(parts.len());
        for part in parts {
            decided.push(match self.pointers.get(&part).copied() {
                Some(bits) => {
                    if self.followed.insert(part) {
                        self.take_bits(at, Need::Memory, bits, part);
                    }
                    self.word(32, bits)
                }
                None => part,
            });
        }
        match decided[..] {
            [only] => self.with_term(base.bits, only),
            _ => {
                let sum = self.terms.mk(Op::BvAdd, &decided);
                self.with_term(base.bits, sum)
            }
        }
    }

    fn plus(&mut self, term: TermId, by: u64) -> TermId {
        if by == 0 {
            return term;
        }
        let by = self.word(32, by);
        self.terms.mk(Op::BvAdd, &[term, by])
    }

    /// The term of consecutive bytes; none if all are concrete.
    pub(super) fn read_bytes(
        &mut self,
        memory: &Memory<Cells>,
        address: usize,
        bytes: usize,
    ) -> Option<TermId> {
        if !memory.overlay.any(address..address + bytes) {
            return None;
        }
        // Runs of bytes of one term, or of concrete bytes, from the lowest up.
        let mut parts: Vec<TermId> = Vec::new();
        let mut i = 0;
        while i < bytes {
            let start = i;
            match memory.overlay.get(address + i) {
                Some(cell) => {
                    let same = |i: usize| {
                        let byte = (i - start) as u8 + cell.byte;
                        memory.overlay.get(address + i) == Some(Cell { term: cell.term, byte })
                    };
                    while i < bytes && same(i) {
                        i += 1;
                    }
                    let low = 8 * u32::from(cell.byte);
                    let high = low + 8 * (i - start) as u32 - 1;
                    parts.push(self.extract(cell.term, high, low));
                }
                None => {
                    let mut bits = 0;
                    while i < bytes && memory.overlay.get(address + i).is_none() {
                        bits |= u64::from(memory.bytes()[address + i]) << (8 * (i - start));
                        i += 1;
                    }
                    parts.push(self.word(8 * (i - start) as u32, bits));
                }
            }
        }
        parts.reverse();
        Some(self.concat(&parts))
    }

    fn concat(&mut self, parts: &[TermId]) -> TermId {
        match parts {
            [only] => *only,
            _ => self.terms.mk(Op::Concat, parts),
        }
    }

    /// The bytes of a region as an array from addresses to bytes: the last one of this region, with writes where bytes changed
    /// since, or a new one if many did.
    fn array(&mut self, memory: &Memory<Cells>, region: Range<usize>) -> TermId {
        let known = self.images.remove(&region).unwrap_or_else(|| self.blank(region.len()));
        let changed = known.changes(memory, &region);
        let image = if known.writes + changed.len() <= region.len() / 2 {
            self.update(known, memory, &region, &changed)
        } else {
            let blank = self.blank(region.len());
            let changed = blank.changes(memory, &region);
            Image { writes: 0, ..self.update(blank, memory, &region, &changed) }
        };
        let array = image.array;
        self.images.insert(region, image);
        array
    }

    /// A region of zeros.
    fn blank(&mut self, length: usize) -> Image {
        let (index, element) = (self.terms.bit_vec_sort(32), self.terms.bit_vec_sort(8));
        let sort = self.terms.array_sort(index, element);
        let zero = self.word(8, 0);
        let array = match self.terms.const_array(sort, zero) {
            Ok(array) => array,
            Err(error) => unreachable!("a constant array of bytes is well sorted: {error}"),
        };
        Image { array, bytes: vec![Byte::Concrete(0); length], writes: 0 }
    }

    /// Writes the bytes that changed.
    fn update(
        &mut self,
        mut image: Image,
        memory: &Memory<Cells>,
        region: &Range<usize>,
        changed: &[usize],
    ) -> Image {
        image.writes += changed.len();
        for &i in changed {
            let now = byte(memory, region.start + i);
            let term = match now {
                Byte::Symbolic(cell) => {
                    let low = 8 * u32::from(cell.byte);
                    self.extract(cell.term, low + 7, low)
                }
                Byte::Concrete(byte) => self.word(8, u64::from(byte)),
            };
            let index = self.word(32, (region.start + i) as u64);
            image.array = self.terms.mk(Op::Store, &[image.array, index, term]);
            image.bytes[i] = now;
        }
        image
    }

    fn select_bytes(&mut self, memory: &Memory<Cells>, region: &Region, bytes: usize) -> TermId {
        let array = self.array(memory, region.bytes.clone());
        let mut parts = Vec::with_capacity(bytes);
        for byte in (0..bytes).rev() {
            let address = self.plus(region.first, byte as u64);
            parts.push(self.terms.mk(Op::Select, &[array, address]));
        }
        self.concat(&parts)
    }

    /// Lets every byte of a region be what the array holds after a store.
    fn store_bytes(
        &mut self,
        memory: &mut Memory<Cells>,
        region: &Region,
        mut array: TermId,
        value: ConcolicValue,
        bytes: usize,
    ) {
        let term = match value.term {
            Some(term) => self.as_bits(term),
            None => self.word(64, value.bits),
        };
        for byte in 0..bytes {
            let low = 8 * byte as u32;
            let part = self.extract(term, low + 7, low);
            let address = self.plus(region.first, byte as u64);
            array = self.terms.mk(Op::Store, &[array, address, part]);
        }
        for address in region.bytes.clone() {
            let index = self.word(32, address as u64);
            let term = self.terms.mk(Op::Select, &[array, index]);
            memory.overlay.set(address, Some(Cell { term, byte: 0 }));
        }
        let bytes: Vec<Byte> = region.bytes.clone().map(|address| byte(memory, address)).collect();
        self.images.insert(region.bytes.clone(), Image { array, bytes, writes: 0 });
    }

    /// Records that a value is the one of this run.
    #[cold]
    #[inline(never)]
    pub(super) fn take_bits(&mut self, at: Site, why: Need, bits: u64, term: TermId) {
        let subject = self.as_bits(term);
        let constant = self.word(self.width(subject), bits);
        let equal = self.terms.mk(Op::Eq, &[subject, constant]);
        self.record(at, equal, true, PathKind::Concretised { why: why.word(), subject });
    }

    #[cold]
    #[inline(never)]
    pub(super) fn symbolic_callee(
        &mut self,
        at: Site,
        entry: u32,
        term: TermId,
        size: u32,
    ) -> Result<u32, Trap> {
        let bound = self.word(32, u64::from(size));
        let outside = self.terms.mk(Op::BvUge, &[term, bound]);
        self.check(at, outside, entry >= size, Trap::UndefinedElement)?;
        self.take_bits(at, Need::Callee, u64::from(entry), term);
        Ok(entry)
    }
}
