//! The concolic domain: every value is what it is in this run and, if it depends on the inputs, a term that says how.
//!
//! Integers are bit-vectors (`words`), floats are floats or their bits (`floats`), memory is bytes with terms for some
//! of them (`overlay`, `address`). Whatever decides where a run goes is appended to the `path`; evaluated under the
//! run's inputs every term gives the run's value, and every path entry holds as recorded. Vector instructions other than
//! moves, loads and stores make their operands concrete, and say so on the path.

mod address;
mod floats;
mod overlay;
#[cfg(test)]
mod tests;
mod words;

use crate::code::Site;
use crate::domain::{Division, Domain, Need, Scalars, address as effective};
use crate::memory::{Memory, Overlay};
use crate::op::{Binary, BinaryOp, Compare, Load, Store, Unary, UnaryOp};
use crate::route::Route;
use crate::target::negate;
pub use crate::target::{PathEntry, PathKind};
use crate::trap::Trap;
use crate::types::ValueType;
use address::Image;
use floats::Truncation;
pub use overlay::Cell;
pub use overlay::Cells;
use smt::{Op, TermId, Terms};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A value of a run, and its term if it depends on the inputs.
///
/// The term of an integer is a bit-vector of its width; that of a float is a float or a bit-vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConcolicValue {
    /// The slot's bits in this run.
    pub bits: u64,
    /// What they are for other inputs.
    pub term: Option<TermId>,
}

/// What to do where an address depends on the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressPolicy {
    /// Take the address of this run, and record that.
    Concretise,
    /// Let the address be anywhere in an aligned region of so many bytes around that of this run, and record that; the
    /// region's contents become an array.
    Region(u32),
}

/// Choices that leave the meaning of a program alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConcolicSettings {
    /// Loads at symbolic addresses.
    pub loads: AddressPolicy,
    /// Stores at symbolic addresses.
    pub stores: AddressPolicy,
    /// Whether a `select` on a symbolic condition becomes an `ite` instead of a path entry.
    pub merge_selects: bool,
}

impl Default for ConcolicSettings {
    fn default() -> ConcolicSettings {
        ConcolicSettings {
            loads: AddressPolicy::Region(256),
            stores: AddressPolicy::Concretise,
            merge_selects: false,
        }
    }
}

/// The concolic domain.
#[derive(Clone, Debug, Default)]
pub struct Concolic {
    /// Where the terms live. It may be kept from run to run.
    pub terms: Terms,
    /// The conditions of this run, in order.
    pub path: Vec<PathEntry>,
    /// The choices made.
    pub options: ConcolicSettings,
    /// The way up to here.
    route: Route,
    /// Floats of bits that stand for them; only looked up.
    floats: HashMap<TermId, TermId>,
    /// The last array made of each region; only looked up.
    images: HashMap<Range<usize>, Image>,
    /// Pointers that lead to one of several objects, with their values in this run; only looked up.
    pointers: HashMap<TermId, u64>,
    /// Those of them that were followed: which object it is is decided.
    followed: HashSet<TermId>,
}

impl Concolic {
    /// A domain with these choices, whose terms go into the arena given.
    pub fn new(terms: Terms, options: ConcolicSettings) -> Concolic {
        Concolic { terms, options, ..Concolic::default() }
    }

    /// A symbolic input of a type, with its value in this run. Its name in the arena is the one given; a float is a
    /// float and has the canonical NaN only. Vectors are refused: make two integers of them.
    pub fn symbol(&mut self, name: &str, ty: ValueType, bits: u64) -> Option<ConcolicValue> {
        let sort = match ty {
            ValueType::I32 => self.terms.bit_vec_sort(32),
            ValueType::I64 => self.terms.bit_vec_sort(64),
            ValueType::F32 => self.terms.float_sort(8, 24),
            ValueType::F64 => self.terms.float_sort(11, 53),
            ValueType::V128 | ValueType::FuncRef | ValueType::ExternRef => return None,
        };
        let bits = match ty {
            ValueType::F32 => u64::from(crate::op::canonical32(f32::from_bits(bits as u32)).to_bits()),
            ValueType::F64 => crate::op::canonical64(f64::from_bits(bits)).to_bits(),
            ValueType::I32 => u64::from(bits as u32),
            _ => bits,
        };
        Some(ConcolicValue { bits, term: Some(self.terms.symbol_constant(name, sort)) })
    }

    /// Requires that an `i32` is not zero, and says whether that is so in this run.
    pub fn assume(&mut self, at: Site, value: ConcolicValue) -> bool {
        let holds = value.bits as u32 != 0;
        if let Some(term) = value.term {
            let term = self.truth(term);
            self.record(at, term, holds, PathKind::Assumption);
        }
        holds
    }

    /// That a bit-vector is not zero.
    pub fn condition(&mut self, term: TermId) -> TermId {
        self.truth(term)
    }

    /// Notes that the run stands for inputs only under which a symbolic place lies in the region that the condition describes, as it
    /// does in this run.
    pub fn region(&mut self, at: Site, condition: TermId) {
        self.record(at, condition, true, PathKind::Region);
    }

    /// The term of a value as a bit-vector, symbolic or not.
    pub fn bits_term(&mut self, value: ConcolicValue, width: u32) -> TermId {
        match value.term {
            Some(term) => self.as_bits(term),
            None => self.word(width, value.bits),
        }
    }

    /// Appends to the path, unless the term is constant.
    fn record(&mut self, at: Site, term: TermId, taken: bool, kind: PathKind) {
        if term != TermId::TRUE && term != TermId::FALSE {
            self.path.push(PathEntry { term, taken, at, kind, route: self.route });
        }
    }

    /// Records the condition of a trap, and traps if it holds.
    fn check(&mut self, at: Site, condition: TermId, holds: bool, trap: Trap) -> Result<(), Trap> {
        self.record(at, condition, holds, PathKind::Fault(trap.into()));
        if holds { Err(trap) } else { Ok(()) }
    }

    /// A value with its term, which is dropped if it says no more than the bits.
    fn with_term(&self, bits: u64, term: TermId) -> ConcolicValue {
        ConcolicValue { bits, term: self.terms.as_value(term).is_none().then_some(term) }
    }

    /// The term of a value that may be concrete.
    fn lift(&mut self, width: u32, value: ConcolicValue) -> TermId {
        value.term.unwrap_or_else(|| self.word(width, value.bits))
    }

    #[cold]
    #[inline(never)]
    fn symbolic_unary(
        &mut self,
        at: Site,
        op: UnaryOp,
        bits: u64,
        term: TermId,
    ) -> Result<ConcolicValue, Trap> {
        use UnaryOp::*;
        let result = match op {
            I32Eqz | I64Eqz => {
                let truth = self.truth(term);
                let condition = negate(&mut self.terms, truth);
                self.flag(condition, 32)
            }
            I32Clz | I64Clz => self.leading_zeros(term),
            I32Ctz | I64Ctz => self.trailing_zeros(term),
            I32Popcnt | I64Popcnt => self.popcount(term),
            I32Extend8S => self.sign_extend_low(term, 8, 32),
            I32Extend16S => self.sign_extend_low(term, 16, 32),
            I64Extend8S => self.sign_extend_low(term, 8, 64),
            I64Extend16S => self.sign_extend_low(term, 16, 64),
            I64Extend32S => self.sign_extend_low(term, 32, 64),
            I32WrapI64 => self.extract(term, 31, 0),
            I64ExtendI32S => self.extend(term, 64, true),
            I64ExtendI32U => self.extend(term, 64, false),
            _ => {
                if let Some((conversion, false)) = Truncation::of(op) {
                    self.check_truncation(at, op, conversion, bits, term)?;
                }
                self.float_unary(op, term).unwrap_or_else(|| unreachable!("{op:?} has no term"))
            }
        };
        Ok(self.with_term(op.eval(bits)?, result))
    }

    fn sign_extend_low(&mut self, term: TermId, low: u32, width: u32) -> TermId {
        let low = self.extract(term, low - 1, 0);
        self.extend(low, width, true)
    }

    fn check_truncation(
        &mut self,
        at: Site,
        op: UnaryOp,
        conversion: Truncation,
        bits: u64,
        term: TermId,
    ) -> Result<(), Trap> {
        let float = self.as_float(term);
        let trap = op.eval(bits).err();
        let [nan, below, above] = self.out_of_range(conversion, float);
        self.check(at, nan, trap == Some(Trap::InvalidConversion), Trap::InvalidConversion)?;
        let outside = self.terms.mk(Op::Or, &[below, above]);
        self.check(at, outside, trap == Some(Trap::IntegerOverflow), Trap::IntegerOverflow)
    }

    #[cold]
    #[inline(never)]
    fn symbolic_binary(
        &mut self,
        at: Site,
        op: BinaryOp,
        a: ConcolicValue,
        b: ConcolicValue,
    ) -> Result<ConcolicValue, Trap> {
        let width = op.operand_bits();
        let (left, right) = (self.lift(width, a), self.lift(width, b));
        self.check_division(at, op, a, b)?;
        let result = match self.float_binary(op, left, right) {
            Some(term) => term,
            None => self.integer(op, left, right).unwrap_or_else(|| unreachable!("{op:?} has no term")),
        };
        Ok(self.with_term(op.eval(a.bits, b.bits)?, result))
    }

    /// SMT-LIB's signed division wraps where Java's does.
    #[cold]
    #[inline(never)]
    fn symbolic_divide(&mut self, op: Division, a: ConcolicValue, b: ConcolicValue) -> ConcolicValue {
        let (width, divide) = match op {
            Division::Div32 => (32, Op::BvSdiv),
            Division::Rem32 => (32, Op::BvSrem),
            Division::Div64 => (64, Op::BvSdiv),
            Division::Rem64 => (64, Op::BvSrem),
        };
        let (left, right) = (self.lift(width, a), self.lift(width, b));
        let term = self.terms.mk(divide, &[left, right]);
        self.with_term(op.eval(a.bits, b.bits), term)
    }

    fn check_division(
        &mut self,
        at: Site,
        op: BinaryOp,
        a: ConcolicValue,
        b: ConcolicValue,
    ) -> Result<(), Trap> {
        use BinaryOp::*;
        let overflows = match op {
            I32DivS | I64DivS => true,
            I32DivU | I64DivU | I32RemS | I64RemS | I32RemU | I64RemU => false,
            _ => return Ok(()),
        };
        let width = op.operand_bits();
        let trap = op.eval(a.bits, b.bits).err();
        let divisor = self.lift(width, b);
        let nonzero = self.truth(divisor);
        let zero = negate(&mut self.terms, nonzero);
        self.check(at, zero, trap == Some(Trap::DivisionByZero), Trap::DivisionByZero)?;
        // A constant divisor other than -1, or a constant dividend other than the least, cannot overflow.
        let least = 1 << (width - 1);
        let minus_one = u64::MAX >> (64 - width);
        if overflows
            && (b.term.is_some() || b.bits & minus_one == minus_one)
            && (a.term.is_some() || a.bits & minus_one == least)
        {
            let dividend = self.lift(width, a);
            let (least, minus_one) = (self.word(width, least), self.word(width, minus_one));
            let mut conditions = Vec::new();
            for (value, bound) in [(dividend, least), (divisor, minus_one)] {
                if value != bound {
                    conditions.push(self.terms.mk(Op::Eq, &[value, bound]));
                }
            }
            let condition = match conditions[..] {
                [only] => only,
                _ => self.terms.mk(Op::And, &conditions),
            };
            self.check(at, condition, trap == Some(Trap::IntegerOverflow), Trap::IntegerOverflow)?;
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn symbolic_compare(&mut self, at: Site, op: BinaryOp, a: ConcolicValue, b: ConcolicValue, holds: bool) {
        let width = op.operand_bits();
        let (left, right) = (self.lift(width, a), self.lift(width, b));
        let condition = self.comparison(op, left, right).unwrap_or_else(|| unreachable!("{op:?} compares"));
        self.record(at, condition, holds, PathKind::Branch);
    }

    #[cold]
    #[inline(never)]
    fn symbolic_branch(&mut self, at: Site, term: TermId, taken: bool, kind: PathKind) {
        let condition = self.truth(term);
        self.record(at, condition, taken, kind);
    }

    #[cold]
    #[inline(never)]
    fn symbolic_switch(&mut self, at: Site, index: TermId, case: u32, default: u32) {
        let bound = self.word(32, u64::from(case));
        let op = if case < default { Op::Eq } else { Op::BvUge };
        let condition = self.terms.mk(op, &[index, bound]);
        self.record(at, condition, true, PathKind::Switch { case, default, subject: index });
    }

    #[cold]
    #[inline(never)]
    fn symbolic_select(
        &mut self,
        condition: TermId,
        bits: u64,
        a: ConcolicValue,
        b: ConcolicValue,
    ) -> Option<ConcolicValue> {
        // Without a term, an operand's width is that of the other one; two constants need none.
        let width = match (a.term, b.term) {
            (Some(term), _) | (None, Some(term)) => {
                let bits = self.as_bits(term);
                self.width(bits)
            }
            (None, None) if a.bits == b.bits => return Some(a),
            (None, None) => return None,
        };
        let condition = self.truth(condition);
        let (mut left, mut right) = (self.lift(width, a), self.lift(width, b));
        if self.terms.sort(left) != self.terms.sort(right) {
            (left, right) = (self.as_bits(left), self.as_bits(right));
        }
        let term = self.terms.mk(Op::Ite, &[condition, left, right]);
        Some(self.with_term(bits, term))
    }
}

impl Scalars for Concolic {
    type Value = ConcolicValue;

    #[inline(always)]
    fn constant(bits: u64) -> ConcolicValue {
        ConcolicValue { bits, term: None }
    }

    #[inline(always)]
    fn bits(value: ConcolicValue) -> u64 {
        value.bits
    }

    #[inline(always)]
    fn unary<O: Unary>(&mut self, at: Site, a: ConcolicValue) -> Result<ConcolicValue, Trap> {
        match a.term {
            None => O::eval(a.bits).map(Self::constant),
            Some(term) => self.symbolic_unary(at, O::OP, a.bits, term),
        }
    }

    #[inline(always)]
    fn binary<O: Binary>(
        &mut self,
        at: Site,
        a: ConcolicValue,
        b: ConcolicValue,
    ) -> Result<ConcolicValue, Trap> {
        match (a.term, b.term) {
            (None, None) => O::eval(a.bits, b.bits).map(Self::constant),
            _ => self.symbolic_binary(at, O::OP, a, b),
        }
    }

    #[inline(always)]
    fn divide(&mut self, op: Division, a: ConcolicValue, b: ConcolicValue) -> ConcolicValue {
        match (a.term, b.term) {
            (None, None) => Self::constant(op.eval(a.bits, b.bits)),
            _ => self.symbolic_divide(op, a, b),
        }
    }

    #[inline(always)]
    fn branch(&mut self, at: Site, condition: ConcolicValue) -> bool {
        let taken = condition.bits as u32 != 0;
        if let Some(term) = condition.term {
            self.symbolic_branch(at, term, taken, PathKind::Branch);
        }
        self.route = self.route.after(at, u32::from(taken));
        taken
    }

    #[inline(always)]
    fn compare<O: Compare>(&mut self, at: Site, a: ConcolicValue, b: ConcolicValue) -> bool {
        let holds = O::holds(a.bits, b.bits);
        if a.term.is_some() || b.term.is_some() {
            self.symbolic_compare(at, O::OP, a, b, holds);
        }
        self.route = self.route.after(at, u32::from(holds));
        holds
    }

    #[inline(always)]
    fn guard<O: Compare>(&mut self, at: Site, a: ConcolicValue, b: ConcolicValue) -> bool {
        let holds = O::holds(a.bits, b.bits);
        if a.term.is_some() || b.term.is_some() {
            self.symbolic_compare(at, O::OP, a, b, holds);
        }
        if !holds {
            self.route = self.route.after(at, 0);
        }
        holds
    }

    #[inline(always)]
    fn switch(&mut self, at: Site, index: ConcolicValue, default: u32) -> u32 {
        let case = (index.bits as u32).min(default);
        if let Some(term) = index.term {
            self.symbolic_switch(at, term, case, default);
        }
        self.route = self.route.after(at, case);
        case
    }

    #[inline(always)]
    fn select(
        &mut self,
        at: Site,
        condition: ConcolicValue,
        a: ConcolicValue,
        b: ConcolicValue,
    ) -> ConcolicValue {
        let first = condition.bits as u32 != 0;
        let mut chosen = if first { a } else { b };
        if let Some(term) = condition.term {
            let merge = self.options.merge_selects;
            match merge.then(|| self.symbolic_select(term, chosen.bits, a, b)).flatten() {
                Some(merged) => chosen = merged,
                None => self.symbolic_branch(at, term, first, PathKind::Select),
            }
        }
        self.route = self.route.after(at, u32::from(first));
        chosen
    }

    #[inline(always)]
    fn concretise(&mut self, at: Site, why: Need, value: ConcolicValue) -> u64 {
        if let Some(term) = value.term {
            self.take_bits(at, why, value.bits, term);
        }
        value.bits
    }
}

impl Domain for Concolic {
    type Overlay = Cells;

    #[inline(always)]
    fn load<L: Load>(
        &mut self,
        at: Site,
        memory: &mut Memory<Cells>,
        base: ConcolicValue,
        offset: u32,
    ) -> Result<ConcolicValue, Trap> {
        let address = effective(base.bits, offset);
        if base.term.is_none() && memory.overlay.untouched(address, L::BYTES) {
            return Ok(Self::constant(L::widen(memory.load(address)?)));
        }
        self.symbolic_load::<L>(at, memory, base, offset)
    }

    #[inline(always)]
    fn store<S: Store>(
        &mut self,
        at: Site,
        memory: &mut Memory<Cells>,
        base: ConcolicValue,
        offset: u32,
        value: ConcolicValue,
    ) -> Result<(), Trap> {
        let address = effective(base.bits, offset);
        if base.term.is_none() && value.term.is_none() && memory.overlay.untouched(address, S::BYTES) {
            return memory.store::<S::Raw>(address, value.bits);
        }
        self.symbolic_store::<S>(at, memory, base, offset, value)
    }

    fn fill(
        &mut self,
        memory: &mut Memory<Cells>,
        address: u32,
        value: ConcolicValue,
        length: u32,
    ) -> Result<(), Trap> {
        let range = memory.fill(address, value.bits as u8, length)?;
        memory.overlay.clear(range.clone());
        if let Some(term) = value.term {
            let term = self.extract(term, 7, 0);
            range.for_each(|address| memory.overlay.set(address, Some(Cell { term, byte: 0 })));
        }
        Ok(())
    }

    #[inline(always)]
    fn callee(&mut self, at: Site, index: ConcolicValue, size: u32) -> Result<u32, Trap> {
        let entry = index.bits as u32;
        match index.term {
            Some(term) => self.symbolic_callee(at, entry, term, size),
            None if entry < size => Ok(entry),
            None => Err(Trap::UndefinedElement),
        }
    }
}
