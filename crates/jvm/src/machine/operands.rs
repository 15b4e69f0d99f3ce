//! Instructions that work on the operand stack and the heap alone: they neither jump nor call. Each takes the place of the stack's top
//! and gives the new one; one that fails leaves the stack as it was.

use super::{Fault, Machine, numbers};
use crate::class::Class;
use crate::domain::Values;
use crate::kind::Kind;
use crate::op::{Arithmetic, Op};
use crate::parameters::LAZY;
use explore::op::ops;
use explore::{Division, Site};

impl<D: Values> Machine<D> {
    /// Instructions that copy and move what lies on top (JVMS 6.5, `dup_x1` to `swap`).
    #[inline(always)]
    pub(super) fn rearrange(&mut self, op: Op, sp: usize) -> usize {
        let top = |machine: &Self, depth: usize| machine.stack[sp - depth];
        match op {
            Op::DupX1 => {
                let (b, a) = (top(self, 2), top(self, 1));
                self.stack[sp - 2..=sp].copy_from_slice(&[a, b, a]);
                sp + 1
            }
            Op::DupX2 => {
                let (c, b, a) = (top(self, 3), top(self, 2), top(self, 1));
                self.stack[sp - 3..=sp].copy_from_slice(&[a, c, b, a]);
                sp + 1
            }
            Op::Dup2 => {
                let (b, a) = (top(self, 2), top(self, 1));
                self.stack[sp..sp + 2].copy_from_slice(&[b, a]);
                sp + 2
            }
            Op::Dup2X1 => {
                let (c, b, a) = (top(self, 3), top(self, 2), top(self, 1));
                self.stack[sp - 3..sp + 2].copy_from_slice(&[b, a, c, b, a]);
                sp + 2
            }
            Op::Dup2X2 => {
                let (d, c, b, a) = (top(self, 4), top(self, 3), top(self, 2), top(self, 1));
                self.stack[sp - 4..sp + 2].copy_from_slice(&[b, a, d, c, b, a]);
                sp + 2
            }
            _ => {
                self.stack.swap(sp - 1, sp - 2);
                sp
            }
        }
    }

    /// The most common arithmetic, on two integers.
    #[inline(always)]
    pub(super) fn integers(&mut self, op: Arithmetic, sp: usize) -> usize {
        let (a, b) = (self.stack[sp - 2], self.stack[sp - 1]);
        self.stack[sp - 2] = numbers::arithmetic(&mut self.domain, op, a, b);
        sp - 1
    }

    /// A quotient or a remainder. Whether the divisor is zero is a decision.
    #[inline(always)]
    pub(super) fn divide(&mut self, op: Division, at: Site, sp: usize) -> Result<usize, Fault> {
        let slots = match op {
            Division::Div32 | Division::Rem32 => 1,
            Division::Div64 | Division::Rem64 => 2,
        };
        let (a, b) = (self.stack[sp - 2 * slots], self.stack[sp - slots]);
        let divides = match slots {
            1 => self.domain.guard::<ops::I32Ne>(at, b, D::constant(0)),
            _ => self.domain.guard::<ops::I64Ne>(at, b, D::constant(0)),
        };
        if !divides {
            return Err(Fault::New("java/lang/ArithmeticException", Some("/ by zero".into())));
        }
        self.stack[sp - 2 * slots] = self.domain.divide(op, a, b);
        Ok(sp - slots)
    }

    /// The reference at a place of the stack, which must not be null.
    #[inline(always)]
    pub(super) fn object_at(&self, place: usize) -> Result<u32, Fault> {
        match Self::reference(self.stack[place]) {
            0 => Err(Fault::Null),
            object => Ok(object),
        }
    }

    /// Asks whether an index lies in an array.
    #[inline(always)]
    fn within_bounds(&mut self, at: Site, array: u32, index: D::Value) -> Result<(), Fault> {
        let length = D::constant(u64::from(self.heap.length(array)));
        // A byte is an index of every table of 256: where that is plain to see, it is no decision.
        let settled = D::is_symbolic(index) && D::bits(length) >= 256 && self.domain.is_byte(index);
        if settled || self.domain.guard::<ops::I32LtU>(at, index, length) {
            return Ok(());
        }
        let (index, length) = (D::bits(index) as i32, D::bits(length) as i32);
        let message = format!("Index {index} out of bounds for length {length}");
        Err(Fault::New("java/lang/ArrayIndexOutOfBoundsException", Some(message)))
    }

    /// An element of an array.
    #[inline(always)]
    pub(super) fn load_element(&mut self, kind: Kind, at: Site, sp: usize) -> Result<usize, Fault> {
        let (array, index) = (self.object_at(sp - 2)?, self.stack[sp - 1]);
        self.within_bounds(at, array, index)?;
        let mut value = self.domain.element(at, &self.heap, array, index, kind);
        if kind == Kind::Ref && Self::reference(value) >= LAZY {
            value = self.materialise(self.heap.element(array, D::bits(index) as u32, kind))?;
        }
        self.stack[sp - 2] = value;
        Ok(sp - 2 + kind.slots())
    }

    /// A new value for an element of an array.
    #[inline(always)]
    pub(super) fn store_element(&mut self, kind: Kind, at: Site, sp: usize) -> Result<usize, Fault> {
        let first = sp - 2 - kind.slots();
        let (array, index, value) = (self.object_at(first)?, self.stack[first + 1], self.stack[first + 2]);
        self.within_bounds(at, array, index)?;
        if kind == Kind::Ref && Self::reference(value) != 0 {
            self.check_store(array, Self::reference(value))?;
        }
        // One instruction serves arrays of bytes and of booleans.
        let kind = match kind {
            Kind::Byte => self.class_of(array).element_kind().unwrap_or(kind),
            kind => kind,
        };
        self.domain.set_element(at, &mut self.heap, array, index, kind, value);
        Ok(first)
    }

    /// What lies at an address, as a field of this kind. A lazy reference becomes an object.
    #[inline(always)]
    pub(super) fn field_at(&mut self, address: u32, kind: Kind) -> Result<D::Value, Fault> {
        let value = self.domain.load(&self.heap, address, kind);
        if kind == Kind::Ref && Self::reference(value) >= LAZY {
            return self.materialise(address);
        }
        Ok(value)
    }

    /// A cast of what lies on top, which stays there.
    #[inline(always)]
    pub(super) fn cast(&mut self, class: &'static Class, sp: usize) -> Result<usize, Fault> {
        let object = Self::reference(self.stack[sp - 1]);
        if object != 0 && !self.class_of(object).is_subtype_of(class) {
            return Err(self.bad_cast(object, class));
        }
        Ok(sp)
    }

    /// Whether what lies on top is of a class.
    #[inline(always)]
    pub(super) fn test_class(&mut self, class: &'static Class, sp: usize) {
        let object = Self::reference(self.stack[sp - 1]);
        let is = object != 0 && self.class_of(object).is_subtype_of(class);
        self.stack[sp - 1] = D::constant(u64::from(is));
    }
}
