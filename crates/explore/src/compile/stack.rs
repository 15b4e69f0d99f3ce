//! The operand stack at compile time: operands are read from where they are, and moved only where a slot is needed.

use super::Compiler;
use crate::code::{Instr, Slot};
use crate::types::ValueType;

/// A value on the operand stack while code is compiled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    /// The slot of its height.
    pub home: Slot,
    pub ty: ValueType,
    pub place: Place,
}

/// Where an operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// In the slot of its height.
    Home,
    /// In a local that has not been written since.
    Local(Slot),
    /// Nowhere yet. Never of a vector.
    Constant(u64),
}

impl Compiler<'_> {
    /// The slot of the next operand.
    pub(super) fn top(&self) -> u32 {
        self.operands
            .last()
            .map_or(self.first_operand, |last| u32::from(last.home) + u32::from(last.ty.slots()))
    }

    pub(super) fn push_at(&mut self, ty: ValueType, place: Place) -> Slot {
        let top = self.top();
        self.peak = self.peak.max(top + u32::from(ty.slots()));
        // A frame that is too large is refused at the end; until then slots may wrap.
        let home = top as Slot;
        self.operands.push(Operand { home, ty, place });
        home
    }

    /// Pushes an operand that the next instruction puts into the slot given.
    pub(super) fn push(&mut self, ty: ValueType) -> Slot {
        self.push_at(ty, Place::Home)
    }

    pub(super) fn pop(&mut self) -> Operand {
        self.operands.pop().expect("a validated body does not pop an empty stack")
    }

    /// Pops an operand and gives a slot it can be read from.
    pub(super) fn pop_slot(&mut self) -> Slot {
        let operand = self.pop();
        self.slot(operand)
    }

    /// A slot to read an operand from.
    pub(super) fn slot(&mut self, operand: Operand) -> Slot {
        match operand.place {
            Place::Home => operand.home,
            Place::Local(slot) => slot,
            Place::Constant(bits) => {
                self.constant(operand.home, bits);
                operand.home
            }
        }
    }

    /// Pops the highest operands, which are then in their homes, and gives the lowest home.
    pub(super) fn pop_home(&mut self, count: usize) -> Slot {
        self.settle(count);
        let keep = self.operands.len() - count;
        self.operands.truncate(keep);
        self.top() as Slot
    }

    /// Moves the highest operands to their homes.
    pub(super) fn settle(&mut self, count: usize) {
        for i in self.operands.len() - count..self.operands.len() {
            let operand = self.operands[i];
            self.move_to(operand.home, operand);
            self.operands[i].place = Place::Home;
        }
    }

    /// Moves all operands that are still locals to their homes: a block may write the local on some paths only.
    pub(super) fn settle_locals(&mut self) {
        for i in 0..self.operands.len() {
            if let Place::Local(_) = self.operands[i].place {
                self.move_to(self.operands[i].home, self.operands[i]);
                self.operands[i].place = Place::Home;
            }
        }
    }

    /// Copies an operand to a slot.
    pub(super) fn move_to(&mut self, dst: Slot, operand: Operand) {
        let src = match operand.place {
            Place::Home => operand.home,
            Place::Local(slot) => slot,
            Place::Constant(bits) => return self.constant(dst, bits),
        };
        if src != dst {
            for half in 0..operand.ty.slots() {
                self.emit(Instr::Move { dst: dst.wrapping_add(half), src: src.wrapping_add(half) });
            }
        }
    }

    /// Fills a slot with a constant.
    pub(super) fn constant(&mut self, dst: Slot, bits: u64) {
        if let Ok(imm) = u32::try_from(bits) {
            self.emit(Instr::Const32 { dst, imm });
        } else if let Ok(imm) = i32::try_from(bits as i64) {
            self.emit(Instr::ConstSigned { dst, imm });
        } else {
            let known = self.pool.iter().position(|&known| known == bits);
            let pool = known.unwrap_or_else(|| {
                self.pool.push(bits);
                self.pool.len() - 1
            }) as u32;
            self.emit(Instr::Const { dst, pool });
        }
    }

    pub(super) fn local_get(&mut self, index: u32) {
        let (slot, ty) = self.locals[index as usize];
        self.push_at(ty, Place::Local(slot));
    }

    pub(super) fn local_set(&mut self, index: u32) {
        let operand = self.pop();
        self.assign(index, operand);
    }

    pub(super) fn local_tee(&mut self, index: u32) {
        let mut operand = self.pop();
        if self.assign(index, operand) {
            operand.place = Place::Local(self.locals[index as usize].0);
        }
        self.operands.push(operand);
    }

    /// Writes a local. True if the value is in the local only, since the instruction that computes it writes there.
    fn assign(&mut self, index: u32, operand: Operand) -> bool {
        let (local, _) = self.locals[index as usize];
        let before = self.code.len();
        for i in 0..self.operands.len() {
            if self.operands[i].place == Place::Local(local) {
                self.move_to(self.operands[i].home, self.operands[i]);
                self.operands[i].place = Place::Home;
            }
        }
        if operand.place == Place::Home
            && operand.ty != ValueType::V128
            && before == self.code.len()
            && before > self.barrier
            && let Some(dst) = self.code.last_mut().and_then(Instr::destination)
            && *dst == operand.home
        {
            *dst = local;
            return true;
        }
        self.move_to(local, operand);
        false
    }
}
