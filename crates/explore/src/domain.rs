//! What values are and what happens to them: the seam between the one interpreter and its domains.
//!
//! [`Concrete`] computes; [`crate::concolic`] computes and remembers. The interpreter asks its domain at every place
//! where the path that a run takes, or a trap, can depend on a value, and says where that is. [`Scalars`] is the part that
//! any machine can stand on: numbers and decisions. [`Domain`] adds what only WebAssembly has: a linear memory and tables.

use crate::code::Site;
use crate::memory::{Memory, Overlay};
use crate::op::{Binary, Compare, Load, Store, Unary};
use crate::target::PathKind;
use crate::trap::Trap;

/// Numbers, their meaning, and the decisions that depend on them.
pub trait Scalars {
    /// What a slot holds.
    type Value: Copy + Default + std::fmt::Debug;

    /// The value of these bits.
    fn constant(bits: u64) -> Self::Value;
    /// The bits of a value in this run.
    fn bits(value: Self::Value) -> u64;

    /// An instruction is about to be executed.
    #[inline(always)]
    fn step(&mut self, _: Site) {}
    /// From now on the innermost call is the one at this site; none in the function that was called from outside.
    #[inline(always)]
    fn within(&mut self, _: Option<Site>) {}
    /// Computes, or traps.
    fn unary<O: Unary>(&mut self, at: Site, a: Self::Value) -> Result<Self::Value, Trap>;
    /// Computes, or traps.
    fn binary<O: Binary>(&mut self, at: Site, a: Self::Value, b: Self::Value) -> Result<Self::Value, Trap>;
    /// Divides by what is known not to be zero. The least integer divided by -1 is itself, as in Java; nothing traps.
    fn divide(&mut self, op: Division, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Whether to take a branch whose condition (an `i32`) is given.
    fn branch(&mut self, at: Site, condition: Self::Value) -> bool;
    /// Whether to take a branch whose condition is a comparison.
    fn compare<O: Compare>(&mut self, at: Site, a: Self::Value, b: Self::Value) -> bool;
    /// Whether a comparison holds that nearly always does, such as that an index is in bounds. It is a decision like any
    /// other, but a turn of the route only where it fails, so that it costs a plain run next to nothing.
    fn guard<O: Compare>(&mut self, at: Site, a: Self::Value, b: Self::Value) -> bool;
    /// Which of the cases from 0 to `default` a `br_table` goes to.
    fn switch(&mut self, at: Site, index: Self::Value, default: u32) -> u32;
    /// The first value if the condition (an `i32`) is not zero, else the second.
    fn select(&mut self, at: Site, condition: Self::Value, a: Self::Value, b: Self::Value) -> Self::Value;
    /// The bits of a value that the machine needs as they are: the run stands for those inputs only that give the same.
    fn concretise(&mut self, at: Site, why: Need, value: Self::Value) -> u64;
}

/// The signed divisions of [`Scalars::divide`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Division {
    /// The quotient of two `i32`.
    Div32,
    /// Their remainder.
    Rem32,
    /// The quotient of two `i64`.
    Div64,
    /// Their remainder.
    Rem64,
}

impl Division {
    /// Its meaning; a divisor of zero gives zero.
    #[inline(always)]
    pub(crate) fn eval(self, a: u64, b: u64) -> u64 {
        match self {
            _ if self.is_zero(b) => 0,
            Division::Div32 => u64::from((a as i32).wrapping_div(b as i32) as u32),
            Division::Rem32 => u64::from((a as i32).wrapping_rem(b as i32) as u32),
            Division::Div64 => (a as i64).wrapping_div(b as i64) as u64,
            Division::Rem64 => (a as i64).wrapping_rem(b as i64) as u64,
        }
    }

    fn is_zero(self, b: u64) -> bool {
        match self {
            Division::Div32 | Division::Rem32 => b as u32 == 0,
            Division::Div64 | Division::Rem64 => b == 0,
        }
    }
}

/// Values as WebAssembly has them.
pub trait Domain: Scalars {
    /// What the domain keeps about memories.
    type Overlay: Overlay;

    /// Loads from `base + offset`, or traps.
    fn load<L: Load>(
        &mut self,
        at: Site,
        memory: &mut Memory<Self::Overlay>,
        base: Self::Value,
        offset: u32,
    ) -> Result<Self::Value, Trap>;
    /// Stores to `base + offset`, or traps.
    fn store<S: Store>(
        &mut self,
        at: Site,
        memory: &mut Memory<Self::Overlay>,
        base: Self::Value,
        offset: u32,
        value: Self::Value,
    ) -> Result<(), Trap>;
    /// Fills memory with the low byte of a value.
    fn fill(
        &mut self,
        memory: &mut Memory<Self::Overlay>,
        address: u32,
        value: Self::Value,
        length: u32,
    ) -> Result<(), Trap>;
    /// The entry of a table of `size` functions that an indirect call goes to, or a trap.
    fn callee(&mut self, at: Site, index: Self::Value, size: u32) -> Result<u32, Trap>;
}

/// What the machine needs a value's bits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Need {
    /// The address or size of a bulk memory instruction, or the growth of a memory.
    Memory,
    /// An index or size of a table instruction.
    Table,
    /// An operand of a vector instruction.
    Vector,
    /// A load or store at an address that is not kept symbolic.
    Address,
    /// The entry of an indirect call.
    Callee,
    /// An argument of a host function.
    Host,
    /// The length of an input.
    Length,
}

impl Need {
    /// The need in a word, for paths.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Need::Memory => "memory",
            Need::Table => "table",
            Need::Vector => "vector",
            Need::Address => "address",
            Need::Callee => "callee",
            Need::Host => "host",
            Need::Length => PathKind::LENGTH,
        }
    }
}

/// Sees the instructions and branches of a concrete run, for coverage.
pub trait Observer {
    /// An instruction is about to be executed.
    #[inline(always)]
    fn step(&mut self, _: Site) {}
    /// The innermost call is the one at this site.
    #[inline(always)]
    fn within(&mut self, _: Option<Site>) {}
    /// A conditional branch was taken or not.
    fn branch(&mut self, at: Site, taken: bool);
    /// A `br_table` went to a case.
    fn switch(&mut self, at: Site, case: u32);
}

/// Sees nothing and costs nothing.
impl Observer for () {
    #[inline(always)]
    fn branch(&mut self, _: Site, _: bool) {}
    #[inline(always)]
    fn switch(&mut self, _: Site, _: u32) {}
}

/// Plain execution. The observer sees its branches.
#[derive(Clone, Debug, Default)]
pub struct Concrete<O = ()> {
    /// Who watches.
    pub observer: O,
}

impl<W: Observer> Scalars for Concrete<W> {
    type Value = u64;

    #[inline(always)]
    fn constant(bits: u64) -> u64 {
        bits
    }

    #[inline(always)]
    fn bits(value: u64) -> u64 {
        value
    }

    #[inline(always)]
    fn step(&mut self, at: Site) {
        self.observer.step(at);
    }

    #[inline(always)]
    fn within(&mut self, call: Option<Site>) {
        self.observer.within(call);
    }

    #[inline(always)]
    fn unary<O: Unary>(&mut self, _: Site, a: u64) -> Result<u64, Trap> {
        O::eval(a)
    }

    #[inline(always)]
    fn binary<O: Binary>(&mut self, _: Site, a: u64, b: u64) -> Result<u64, Trap> {
        O::eval(a, b)
    }

    #[inline(always)]
    fn divide(&mut self, op: Division, a: u64, b: u64) -> u64 {
        op.eval(a, b)
    }

    #[inline(always)]
    fn branch(&mut self, at: Site, condition: u64) -> bool {
        let taken = condition as u32 != 0;
        self.observer.branch(at, taken);
        taken
    }

    #[inline(always)]
    fn compare<O: Compare>(&mut self, at: Site, a: u64, b: u64) -> bool {
        let taken = O::holds(a, b);
        self.observer.branch(at, taken);
        taken
    }

    #[inline(always)]
    fn guard<O: Compare>(&mut self, at: Site, a: u64, b: u64) -> bool {
        let holds = O::holds(a, b);
        if !holds {
            self.observer.branch(at, false);
        }
        holds
    }

    #[inline(always)]
    fn switch(&mut self, at: Site, index: u64, default: u32) -> u32 {
        let case = (index as u32).min(default);
        self.observer.switch(at, case);
        case
    }

    #[inline(always)]
    fn select(&mut self, at: Site, condition: u64, a: u64, b: u64) -> u64 {
        let first = condition as u32 != 0;
        self.observer.branch(at, first);
        if first { a } else { b }
    }

    #[inline(always)]
    fn concretise(&mut self, _: Site, _: Need, value: u64) -> u64 {
        value
    }
}

impl<W: Observer> Domain for Concrete<W> {
    type Overlay = ();

    #[inline(always)]
    fn load<L: Load>(
        &mut self,
        _: Site,
        memory: &mut Memory<()>,
        base: u64,
        offset: u32,
    ) -> Result<u64, Trap> {
        Ok(L::widen(memory.load(address(base, offset))?))
    }

    #[inline(always)]
    fn store<S: Store>(
        &mut self,
        _: Site,
        memory: &mut Memory<()>,
        base: u64,
        offset: u32,
        value: u64,
    ) -> Result<(), Trap> {
        memory.store::<S::Raw>(address(base, offset), value)
    }

    fn fill(&mut self, memory: &mut Memory<()>, address: u32, value: u64, length: u32) -> Result<(), Trap> {
        memory.fill(address, value as u8, length).map(|_| ())
    }

    #[inline(always)]
    fn callee(&mut self, _: Site, index: u64, size: u32) -> Result<u32, Trap> {
        let index = index as u32;
        if index < size { Ok(index) } else { Err(Trap::UndefinedElement) }
    }
}

/// The effective address, which may be beyond 32 bits.
#[inline(always)]
pub(crate) fn address(base: u64, offset: u32) -> usize {
    (base as u32 as u64 + u64::from(offset)) as usize
}
