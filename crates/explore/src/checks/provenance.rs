//! Which object a pointer was made from: a domain of values that remember it.
//!
//! The shadow says that an address is closed, and what lies there. An index that is far off leads to the surroundings of some other
//! object, and the shadow names that one. So a run that an access ended is run once more in the domain [`Tracing`]. There a pointer
//! to a block, to a frame or to a global keeps its provenance while numbers are added to it, and while it lies in memory. The program's
//! errors are the same in all domains; only what is said about them is better ([`super::Checks::attribute`]).
//!
//! What is lost: the provenance of a pointer that is taken apart (bytes, words of eight bytes). Such a pointer has none, and the
//! shadow decides.

use super::report::Access;
use super::{Checks, Global};
use crate::code::Site;
use crate::domain::{Division, Domain, Need, Scalars, address as effective};
use crate::memory::{Memory, Overlay};
use crate::op::{Binary, BinaryOp, Compare, Load, LoadOp, Store, StoreOp, Unary};
use crate::target::{Scalar, Symbols};
use crate::trap::Trap;
use crate::world::input::{Inputs, Piece, chosen};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Where a pointer comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Provenance {
    /// The start of a block or of a frame, or an address in a global.
    pub root: u32,
    /// What was first made of it: a local lies there in its frame.
    pub anchor: u32,
}

/// A value of a run, and where it comes from if it is a pointer.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Traced {
    bits: u64,
    provenance: Option<Provenance>,
}

/// The pointers that lie in memory, by address, with the bits that they have while they are there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stored {
    pointers: BTreeMap<usize, Traced>,
}

impl Overlay for Stored {
    /// What is overwritten has other bits, which [`Stored::get`] looks at.
    fn clear(&mut self, _: Range<usize>) {}

    fn copy(&mut self, from: Range<usize>, to: usize) {
        let start = from.start;
        let moved: Vec<(usize, Traced)> =
            self.pointers.range(from).map(|(&at, &value)| (at, value)).collect();
        self.pointers.extend(moved.into_iter().map(|(at, value)| (to + (at - start), value)));
    }
}

impl Stored {
    fn get(&self, address: usize, bits: u64) -> Option<Provenance> {
        self.pointers.get(&address).filter(|known| known.bits == bits)?.provenance
    }
}

/// How many pointers are remembered that a call or an instruction on whole memories was given.
const HANDED: usize = 4;

/// The domain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracing {
    globals: Arc<Vec<Global>>,
    /// The last pointers that were handed over, the newest last.
    handed: Vec<(u32, Provenance)>,
}

impl Tracing {
    /// For a program with these checks.
    pub(crate) fn new(checks: &Checks) -> Tracing {
        Tracing { globals: Arc::clone(&checks.globals), handed: Vec::new() }
    }

    /// The global that an address lies in.
    fn global(&self, address: u32) -> Option<Provenance> {
        let inside = |global: &&Global| {
            !global.is_fence() && (global.start..global.start.saturating_add(global.size)).contains(&address)
        };
        self.globals.iter().find(inside).map(|_| Provenance { root: address, anchor: address })
    }

    /// Where a value comes from; addresses of globals are numbers in the code.
    fn provenance(&self, value: Traced) -> Option<Provenance> {
        value.provenance.or_else(|| self.global(value.bits as u32))
    }

    fn hand(&mut self, value: Traced, address: u32, provenance: Option<Provenance>) {
        let Some(provenance) = provenance.or_else(|| self.provenance(value)) else { return };
        if self.handed.len() == HANDED {
            self.handed.remove(0);
        }
        self.handed.push((address, provenance));
    }

    /// An access at a base and an offset was stopped. Of an array that is a global, the offset may be the address.
    fn stopped(&mut self, base: Traced, offset: u32) {
        let known = self.provenance(base).or_else(|| self.global(offset));
        // The offset in the code is that of a member, or that of a local in a frame.
        let known = known.map(|provenance| match base.provenance {
            Some(_) if provenance.anchor == provenance.root => {
                Provenance { anchor: provenance.root.wrapping_add(offset), ..provenance }
            }
            _ => provenance,
        });
        self.hand(base, effective(base.bits, offset) as u32, known);
    }
}

impl Scalars for Tracing {
    type Value = Traced;

    fn constant(bits: u64) -> Traced {
        Traced { bits, provenance: None }
    }

    fn bits(value: Traced) -> u64 {
        value.bits
    }

    fn unary<O: Unary>(&mut self, _: Site, a: Traced) -> Result<Traced, Trap> {
        O::eval(a.bits).map(Self::constant)
    }

    fn binary<O: Binary>(&mut self, _: Site, a: Traced, b: Traced) -> Result<Traced, Trap> {
        let bits = O::eval(a.bits, b.bits)?;
        let of = match O::OP {
            // A difference of two pointers is a number, and so is what a mask leaves of its low bits.
            BinaryOp::I32Sub if b.provenance.is_none() => self.provenance(a),
            BinaryOp::I32Add | BinaryOp::I32And | BinaryOp::I32Or => match (a.provenance, b.provenance) {
                (Some(_), Some(_)) => None,
                (Some(known), None) | (None, Some(known)) => Some(known),
                (None, None) if O::OP == BinaryOp::I32Add => {
                    self.global(a.bits as u32).or_else(|| self.global(b.bits as u32))
                }
                (None, None) => None,
            },
            _ => None,
        };
        let provenance = of.map(|provenance| match provenance.anchor == provenance.root {
            true => Provenance { anchor: bits as u32, ..provenance },
            false => provenance,
        });
        Ok(Traced { bits, provenance })
    }

    fn divide(&mut self, op: Division, a: Traced, b: Traced) -> Traced {
        Self::constant(op.eval(a.bits, b.bits))
    }

    fn branch(&mut self, _: Site, condition: Traced) -> bool {
        condition.bits as u32 != 0
    }

    fn compare<O: Compare>(&mut self, _: Site, a: Traced, b: Traced) -> bool {
        O::holds(a.bits, b.bits)
    }

    fn guard<O: Compare>(&mut self, _: Site, a: Traced, b: Traced) -> bool {
        O::holds(a.bits, b.bits)
    }

    fn switch(&mut self, _: Site, index: Traced, default: u32) -> u32 {
        (index.bits as u32).min(default)
    }

    fn select(&mut self, _: Site, condition: Traced, a: Traced, b: Traced) -> Traced {
        if condition.bits as u32 != 0 { a } else { b }
    }

    fn concretise(&mut self, _: Site, _: Need, value: Traced) -> u64 {
        self.hand(value, value.bits as u32, None);
        value.bits
    }
}

impl Domain for Tracing {
    type Overlay = Stored;

    fn load<L: Load>(
        &mut self,
        _: Site,
        memory: &mut Memory<Stored>,
        base: Traced,
        offset: u32,
    ) -> Result<Traced, Trap> {
        let address = effective(base.bits, offset);
        let raw = memory.load(address).inspect_err(|_| self.stopped(base, offset))?;
        let bits = L::widen(raw);
        let provenance = if L::OP == LoadOp::I32Load { memory.overlay.get(address, bits) } else { None };
        Ok(Traced { bits, provenance })
    }

    fn store<S: Store>(
        &mut self,
        _: Site,
        memory: &mut Memory<Stored>,
        base: Traced,
        offset: u32,
        value: Traced,
    ) -> Result<(), Trap> {
        let address = effective(base.bits, offset);
        memory.store::<S::Raw>(address, value.bits).inspect_err(|_| self.stopped(base, offset))?;
        if S::OP == StoreOp::I32Store && value.provenance.is_some() {
            memory.overlay.pointers.insert(address, value);
        }
        Ok(())
    }

    fn fill(
        &mut self,
        memory: &mut Memory<Stored>,
        address: u32,
        value: Traced,
        length: u32,
    ) -> Result<(), Trap> {
        memory.fill(address, value.bits as u8, length).map(|_| ())
    }

    fn callee(&mut self, _: Site, index: Traced, size: u32) -> Result<u32, Trap> {
        let index = index.bits as u32;
        if index < size { Ok(index) } else { Err(Trap::UndefinedElement) }
    }
}

impl Inputs for Tracing {
    const ASKS: bool = false;
    const TRACES: bool = true;

    fn object(address: u32) -> Traced {
        let provenance = (address != 0).then_some(Provenance { root: address, anchor: address });
        Traced { bits: u64::from(address), provenance }
    }

    fn provenance_of(&self, access: &Access) -> Option<Provenance> {
        self.handed
            .iter()
            .rev()
            .find(|(address, _)| *address == access.address)
            .map(|(_, provenance)| *provenance)
    }

    fn place(
        &mut self,
        _: &mut Symbols,
        memory: &mut Memory<Stored>,
        address: u32,
        piece: Piece<'_>,
    ) -> Result<(), Trap> {
        memory.write(address, &piece.bytes[piece.from..piece.from + piece.length])
    }

    fn scalar(&mut self, _: &mut Symbols, _: &str, scalar: Scalar, bytes: &[u8]) -> Traced {
        Self::constant(scalar.slot(bytes))
    }

    fn either(&mut self, _: &mut Symbols, _: &str, choice: u8, targets: &[u32]) -> Traced {
        Self::object(chosen(choice, targets))
    }

    fn put(&mut self, memory: &mut Memory<Stored>, address: u32, pointer: Traced) -> Result<(), Trap> {
        memory.write(address, &(pointer.bits as u32).to_le_bytes())?;
        memory.overlay.pointers.insert(address as usize, pointer);
        Ok(())
    }

    fn require(&mut self, _: Site, value: Traced) -> bool {
        value.bits as u32 != 0
    }

    fn exceeds(&mut self, _: Site, value: Traced, bound: u32) -> bool {
        value.bits as u32 > bound
    }

    fn at_most(&mut self, _: Site, value: Traced, bound: u32) -> bool {
        value.bits as u32 <= bound
    }

    fn pointer(&mut self, _: Site, _: &mut Memory<Stored>, value: Traced, _: bool) -> Result<u32, Trap> {
        self.hand(value, value.bits as u32, None);
        Ok(value.bits as u32)
    }
}
