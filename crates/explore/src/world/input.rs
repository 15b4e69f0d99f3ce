//! How the parts of an input get into a program of either domain: bytes into memory, scalars into slots.

use crate::checks::{Access, Provenance};
use crate::concolic::{Cell, Concolic, ConcolicValue};
use crate::domain::{Concrete, Domain, Observer};
use crate::memory::Memory;
use crate::target::{Scalar, Site, Symbols};
use crate::trap::Trap;
use smt::Op;

/// Bytes of an object that a run gets to see.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The name of the symbolic object that the bytes belong to.
    pub object: &'a str,
    /// The bytes of the whole object.
    pub bytes: &'a [u8],
    /// The first of them that is placed.
    pub from: usize,
    /// How many are.
    pub length: usize,
}

/// What a domain does with inputs.
pub trait Inputs: Domain {
    /// Whether it looks for other inputs, with which a value is out of bounds.
    const ASKS: bool;

    /// Whether it knows where pointers come from.
    const TRACES: bool = false;

    /// A pointer to the start of an object that the world makes.
    fn object(address: u32) -> Self::Value {
        Self::constant(u64::from(address))
    }
    /// Where the pointer of an access that was stopped comes from, if the domain knows.
    fn provenance_of(&self, _: &Access) -> Option<Provenance> {
        None
    }
    /// Writes bytes of an object to memory.
    fn place(
        &mut self,
        symbols: &mut Symbols,
        memory: &mut Memory<Self::Overlay>,
        address: u32,
        piece: Piece<'_>,
    ) -> Result<(), Trap>;
    /// The value of an object that is a scalar.
    fn scalar(&mut self, symbols: &mut Symbols, object: &str, scalar: Scalar, bytes: &[u8]) -> Self::Value;
    /// One of several pointers, by what the object of an input says; the first if that is too large.
    fn either(&mut self, symbols: &mut Symbols, object: &str, choice: u8, targets: &[u32]) -> Self::Value;
    /// Writes a pointer.
    fn put(
        &mut self,
        memory: &mut Memory<Self::Overlay>,
        address: u32,
        pointer: Self::Value,
    ) -> Result<(), Trap>;
    /// Requires that an `i32` is not zero, and says whether that is so in this run.
    fn require(&mut self, at: Site, value: Self::Value) -> bool;
    /// Whether an `i32` is greater than a bound. That it is is an error, which is looked for.
    fn exceeds(&mut self, at: Site, value: Self::Value, bound: u32) -> bool;
    /// Requires that an `i32` is not greater than a bound, and says whether that is so in this run.
    fn at_most(&mut self, at: Site, value: Self::Value, bound: u32) -> bool;
    /// The bits of a pointer, of which is asked first whether it leaves its object.
    fn pointer(
        &mut self,
        at: Site,
        memory: &mut Memory<Self::Overlay>,
        value: Self::Value,
        write: bool,
    ) -> Result<u32, Trap>;
}

impl<W: Observer> Inputs for Concrete<W> {
    const ASKS: bool = false;

    fn place(
        &mut self,
        _: &mut Symbols,
        memory: &mut Memory<()>,
        address: u32,
        piece: Piece<'_>,
    ) -> Result<(), Trap> {
        memory.write(address, &piece.bytes[piece.from..piece.from + piece.length])
    }

    fn scalar(&mut self, _: &mut Symbols, _: &str, scalar: Scalar, bytes: &[u8]) -> u64 {
        scalar.slot(bytes)
    }

    fn either(&mut self, _: &mut Symbols, _: &str, choice: u8, targets: &[u32]) -> u64 {
        u64::from(chosen(choice, targets))
    }

    fn put(&mut self, memory: &mut Memory<Self::Overlay>, address: u32, pointer: u64) -> Result<(), Trap> {
        memory.write(address, &(pointer as u32).to_le_bytes())
    }

    fn require(&mut self, _: Site, value: u64) -> bool {
        value as u32 != 0
    }

    fn exceeds(&mut self, _: Site, value: u64, bound: u32) -> bool {
        value as u32 > bound
    }

    fn at_most(&mut self, _: Site, value: u64, bound: u32) -> bool {
        value as u32 <= bound
    }

    fn pointer(&mut self, _: Site, _: &mut Memory<()>, value: u64, _: bool) -> Result<u32, Trap> {
        Ok(value as u32)
    }
}

pub(crate) fn chosen(choice: u8, targets: &[u32]) -> u32 {
    targets.get(usize::from(choice)).or(targets.first()).copied().unwrap_or(0)
}

impl Inputs for Concolic {
    const ASKS: bool = true;

    fn place(
        &mut self,
        symbols: &mut Symbols,
        memory: &mut Memory<Self::Overlay>,
        address: u32,
        piece: Piece<'_>,
    ) -> Result<(), Trap> {
        let end = piece.from + piece.length;
        memory.write(address, &piece.bytes[piece.from..end])?;
        let mut at = piece.from;
        while at < end {
            let chunk = symbols.chunk(piece.object, piece.bytes.len(), at);
            let term = symbols.symbol(&mut self.terms, piece.object, piece.bytes.len(), chunk);
            while at < end.min(chunk.0 + chunk.1) {
                let cell = Cell { term, byte: (at - chunk.0) as u8 };
                memory.overlay.set(address as usize + (at - piece.from), Some(cell));
                at += 1;
            }
        }
        Ok(())
    }

    fn scalar(&mut self, symbols: &mut Symbols, object: &str, scalar: Scalar, bytes: &[u8]) -> ConcolicValue {
        let size = scalar.bytes();
        let term = symbols.symbol(&mut self.terms, object, size, (0, size));
        let term = match scalar {
            Scalar::Int { bits: bits @ (8 | 16), signed } => {
                let op = if signed { Op::SignExtend } else { Op::ZeroExtend };
                self.terms.mk_indexed(op, [32 - bits, 0], &[term])
            }
            Scalar::Bool => {
                let bit = self.terms.mk_indexed(Op::Extract, [0, 0], &[term]);
                self.terms.mk_indexed(Op::ZeroExtend, [31, 0], &[bit])
            }
            Scalar::Int { .. } | Scalar::Float { .. } => term,
        };
        ConcolicValue { bits: scalar.slot(bytes), term: Some(term) }
    }

    fn either(&mut self, symbols: &mut Symbols, object: &str, choice: u8, targets: &[u32]) -> ConcolicValue {
        let choosing = symbols.symbol(&mut self.terms, object, 1, (0, 1));
        self.one_of(choosing, targets, chosen(choice, targets))
    }

    fn put(
        &mut self,
        memory: &mut Memory<Self::Overlay>,
        address: u32,
        pointer: ConcolicValue,
    ) -> Result<(), Trap> {
        memory.write(address, &(pointer.bits as u32).to_le_bytes())?;
        if let Some(term) = pointer.term {
            for byte in 0..4 {
                memory.overlay.set(address as usize + usize::from(byte), Some(Cell { term, byte }));
            }
        }
        Ok(())
    }

    fn require(&mut self, at: Site, value: ConcolicValue) -> bool {
        self.assume(at, value)
    }

    fn exceeds(&mut self, at: Site, value: ConcolicValue, bound: u32) -> bool {
        self.greater(at, value, bound)
    }

    fn at_most(&mut self, at: Site, value: ConcolicValue, bound: u32) -> bool {
        self.not_above(at, value, bound)
    }

    fn pointer(
        &mut self,
        at: Site,
        memory: &mut Memory<Self::Overlay>,
        value: ConcolicValue,
        write: bool,
    ) -> Result<u32, Trap> {
        self.pin(at, memory, value, write)
    }
}
