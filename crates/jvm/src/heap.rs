//! The heap: one run of bytes in which every object has an address, and what the domain keeps about them.
//!
//! A reference is the address of a header of 16 bytes: the class, the length of an array (in an object that stands for something
//! of the machine, its number), the identity hash and the monitor. Objects are never moved nor freed: a run is short, and
//! ends with a clear word where it would take more than the limit. So a copy of the machine is a copy of bytes.

use crate::kind::Kind;
use explore::Overlay;

/// The bytes before an object's fields or an array's elements.
pub(crate) const HEADER: u32 = 16;

/// A reference; 0 is null.
pub type Ref = u32;

/// Objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap<O> {
    /// The memory: an object's address is its index here.
    pub bytes: Vec<u8>,
    /// What the domain knows of them.
    pub overlay: O,
    /// How large it may become.
    pub limit: usize,
}

impl<O: Overlay> Heap<O> {
    /// Nothing but null.
    pub(crate) fn new(limit: usize) -> Heap<O>
    where
        O: Default,
    {
        Heap { bytes: vec![0; HEADER as usize], overlay: O::default(), limit }
    }

    /// Room for an object of a class; none beyond the limit.
    #[inline]
    pub(crate) fn allocate(&mut self, class: u32, length: u32, size: usize) -> Option<Ref> {
        let at = self.bytes.len();
        let end = at + size.next_multiple_of(8);
        if end > self.limit {
            return None;
        }
        self.bytes.resize(end, 0);
        self.set_u32(at as u32, class);
        self.set_u32(at as u32 + 4, length);
        Some(at as u32)
    }

    /// The number of an object's class.
    #[inline(always)]
    pub(crate) fn class(&self, object: Ref) -> u32 {
        self.u32(object)
    }

    /// The length of an array.
    #[inline(always)]
    pub(crate) fn length(&self, array: Ref) -> u32 {
        self.u32(array + 4)
    }

    /// A word, as it is.
    #[inline(always)]
    pub(crate) fn u32(&self, at: u32) -> u32 {
        let at = at as usize;
        let bytes = self.bytes.get(at..at + 4).and_then(|bytes| bytes.first_chunk());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    /// Sets a word.
    #[inline(always)]
    pub(crate) fn set_u32(&mut self, at: u32, value: u32) {
        let at = at as usize;
        if let Some(bytes) = self.bytes.get_mut(at..at + 4) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
    }

    /// The bits of a value of some kind, as a slot holds them.
    #[inline(always)]
    pub(crate) fn bits(&self, at: u32, kind: Kind) -> u64 {
        let at = at as usize;
        let get = |length: usize| self.bytes.get(at..at + length);
        match kind {
            Kind::Byte | Kind::Bool => get(1).map_or(0, |b| u64::from(b[0] as i8 as i32 as u32)),
            Kind::Char => get(2).map_or(0, |b| u64::from(u16::from_le_bytes([b[0], b[1]]))),
            Kind::Short => get(2).map_or(0, |b| u64::from(i16::from_le_bytes([b[0], b[1]]) as i32 as u32)),
            Kind::Int | Kind::Float | Kind::Ref => u64::from(self.u32(at as u32)),
            Kind::Long | Kind::Double => {
                get(8).and_then(|b| b.first_chunk()).map_or(0, |b| u64::from_le_bytes(*b))
            }
            Kind::Void => 0,
        }
    }

    /// Sets the bits of a value of some kind.
    #[inline(always)]
    pub(crate) fn set_bits(&mut self, at: u32, kind: Kind, bits: u64) {
        let (at, length) = (at as usize, kind.bytes() as usize);
        if let Some(bytes) = self.bytes.get_mut(at..at + length) {
            match kind {
                Kind::Bool => bytes[0] = bits as u8 & 1,
                Kind::Int | Kind::Float | Kind::Ref => bytes.copy_from_slice(&(bits as u32).to_le_bytes()),
                Kind::Byte => bytes[0] = bits as u8,
                Kind::Char | Kind::Short => bytes.copy_from_slice(&(bits as u16).to_le_bytes()),
                Kind::Long | Kind::Double => bytes.copy_from_slice(&bits.to_le_bytes()),
                Kind::Void => {}
            }
        }
    }

    /// The address of an element.
    #[inline(always)]
    pub(crate) fn element(&self, array: Ref, index: u32, kind: Kind) -> u32 {
        array + HEADER + index * kind.bytes()
    }

    /// The bytes of an array of bytes.
    pub(crate) fn byte_array(&self, array: Ref) -> &[u8] {
        let start = (array + HEADER) as usize;
        self.bytes.get(start..start + self.length(array) as usize).unwrap_or_default()
    }

    /// Copies bytes with all that is known of them.
    pub(crate) fn copy(&mut self, from: u32, to: u32, length: u32) {
        let (from, to, length) = (from as usize, to as usize, length as usize);
        if from.max(to) + length <= self.bytes.len() {
            self.bytes.copy_within(from..from + length, to);
            self.overlay.copy(from..from + length, to);
        }
    }
}
