//! Operators on vectors. Those on memory are built from loads and stores of words and the operators on lanes.

use super::Compiler;
use crate::code::{Instr, Slot};
use crate::error::Error;
use crate::types::ValueType;
use crate::vector::{VectorOp, with_vector_table};
use wasmparser::{MemArg, Operator};

macro_rules! define_compile {
    (
        v_v { $($n1:ident $_1:tt = $_e1:expr;)* }
        vv_v { $($n2:ident $_2:tt = $_e2:expr;)* }
        vvv_v { V128Bitselect $_3:tt = $_e3:expr; I8x16Shuffle $_4:tt = $_e4:expr; }
        v_s { $($n4:ident $_5:tt = $_e5:expr;)* }
        s_v { $($n5:ident $_6:tt = $_e6:expr;)* }
        vs_v { $($n6:ident $_7:tt = $_e7:expr;)* }
        extract { $($n7:ident $_8:tt = $_e8:expr;)* }
        replace { $($n8:ident $_9:tt = $_e9:expr;)* }
    ) => {
        impl Compiler<'_> {
            /// Compiles an operator on vectors.
            pub(super) fn vector_operator(&mut self, operator: &Operator<'_>) -> Result<(), Error> {
                match operator {
                    $(Operator::$n1 => self.vector(VectorOp::$n1, 1, 0),)*
                    $(Operator::$n2 => self.vector(VectorOp::$n2, 2, 0),)*
                    Operator::V128Bitselect => self.vector(VectorOp::V128Bitselect, 3, 0),
                    Operator::I8x16Shuffle { lanes } => {
                        self.push_vector(u128::from_le_bytes(*lanes));
                        self.vector(VectorOp::I8x16Shuffle, 3, 0);
                    }
                    $(Operator::$n4 => self.vector(VectorOp::$n4, 1, 0),)*
                    $(Operator::$n5 => self.vector(VectorOp::$n5, 1, 0),)*
                    $(Operator::$n6 => self.vector(VectorOp::$n6, 2, 0),)*
                    $(Operator::$n7 { lane } => self.vector(VectorOp::$n7, 1, *lane),)*
                    $(Operator::$n8 { lane } => self.vector(VectorOp::$n8, 2, *lane),)*
                    Operator::V128Const { value } => self.push_vector(value.i128() as u128),
                    other => return self.vector_memory(other),
                }
                Ok(())
            }
        }
    };
}
with_vector_table!(define_compile);

/// A load into a slot from a base.
type LoadInstr = fn(Slot, Slot, u32) -> Instr;

impl Compiler<'_> {
    fn vector(&mut self, op: VectorOp, operands: usize, lane: u8) {
        let at = self.pop_home(operands);
        self.push(if op.shape().1 == 2 { ValueType::V128 } else { ValueType::I64 });
        self.emit(Instr::Vector { op, at, lane });
    }

    fn push_vector(&mut self, value: u128) {
        let dst = self.push(ValueType::V128);
        self.constant(dst, value as u64);
        self.constant(dst.wrapping_add(1), (value >> 64) as u64);
    }

    fn vector_memory(&mut self, operator: &Operator<'_>) -> Result<(), Error> {
        use Operator::*;
        let word: LoadInstr = |dst, base, offset| Instr::I64Load { dst, base, offset };
        let half: LoadInstr = |dst, base, offset| Instr::I64Load32U { dst, base, offset };
        let short: LoadInstr = |dst, base, offset| Instr::I64Load16U { dst, base, offset };
        let byte: LoadInstr = |dst, base, offset| Instr::I64Load8U { dst, base, offset };
        match operator {
            V128Load { memarg } => {
                let base = self.pop_slot();
                let dst = self.push(ValueType::V128);
                // The high half first: the base may be in the slot of the low one.
                self.emit(word(dst.wrapping_add(1), base, high_half(memarg)));
                self.emit(word(dst, base, memarg.offset as u32));
            }
            V128Store { memarg } => {
                let value = self.pop_slot();
                let base = self.pop_slot();
                // The high half first: if it is inside, so is the low one, and a trap leaves memory as it was.
                self.emit(Instr::I64Store { base, value: value.wrapping_add(1), offset: high_half(memarg) });
                self.emit(Instr::I64Store { base, value, offset: memarg.offset as u32 });
            }
            V128Load8x8S { memarg } => self.load_then(word, memarg, Some(VectorOp::I16x8ExtendLowI8x16S)),
            V128Load8x8U { memarg } => self.load_then(word, memarg, Some(VectorOp::I16x8ExtendLowI8x16U)),
            V128Load16x4S { memarg } => self.load_then(word, memarg, Some(VectorOp::I32x4ExtendLowI16x8S)),
            V128Load16x4U { memarg } => self.load_then(word, memarg, Some(VectorOp::I32x4ExtendLowI16x8U)),
            V128Load32x2S { memarg } => self.load_then(word, memarg, Some(VectorOp::I64x2ExtendLowI32x4S)),
            V128Load32x2U { memarg } => self.load_then(word, memarg, Some(VectorOp::I64x2ExtendLowI32x4U)),
            V128Load8Splat { memarg } => self.load_then(byte, memarg, Some(VectorOp::I8x16Splat)),
            V128Load16Splat { memarg } => self.load_then(short, memarg, Some(VectorOp::I16x8Splat)),
            V128Load32Splat { memarg } => self.load_then(half, memarg, Some(VectorOp::I32x4Splat)),
            V128Load64Splat { memarg } => self.load_then(word, memarg, Some(VectorOp::I64x2Splat)),
            V128Load32Zero { memarg } => self.load_then(half, memarg, None),
            V128Load64Zero { memarg } => self.load_then(word, memarg, None),
            V128Load8Lane { memarg, lane } => self.load_lane(byte, memarg, VectorOp::I8x16ReplaceLane, *lane),
            V128Load16Lane { memarg, lane } => {
                self.load_lane(short, memarg, VectorOp::I16x8ReplaceLane, *lane)
            }
            V128Load32Lane { memarg, lane } => {
                self.load_lane(half, memarg, VectorOp::I32x4ReplaceLane, *lane)
            }
            V128Load64Lane { memarg, lane } => {
                self.load_lane(word, memarg, VectorOp::I64x2ReplaceLane, *lane)
            }
            V128Store8Lane { memarg, lane } => {
                let (base, value, offset) = self.lane_to_store(memarg, VectorOp::I8x16ExtractLaneU, *lane);
                self.emit(Instr::I64Store8 { base, value, offset });
            }
            V128Store16Lane { memarg, lane } => {
                let (base, value, offset) = self.lane_to_store(memarg, VectorOp::I16x8ExtractLaneU, *lane);
                self.emit(Instr::I64Store16 { base, value, offset });
            }
            V128Store32Lane { memarg, lane } => {
                let (base, value, offset) = self.lane_to_store(memarg, VectorOp::I32x4ExtractLane, *lane);
                self.emit(Instr::I64Store32 { base, value, offset });
            }
            V128Store64Lane { memarg, lane } => {
                let (base, value, offset) = self.lane_to_store(memarg, VectorOp::I64x2ExtractLane, *lane);
                self.emit(Instr::I64Store { base, value, offset });
            }
            other => {
                let message = format!("unsupported operator {other:?}");
                return Err(Error::Invalid {
                    message,
                    offset: self.module.code_start + u64::from(self.offset),
                });
            }
        }
        Ok(())
    }

    /// Loads the low half, with zeros above, and then computes on the vector or the scalar.
    fn load_then(&mut self, load: LoadInstr, memarg: &MemArg, op: Option<VectorOp>) {
        let base = self.pop_slot();
        let dst = self.push(ValueType::V128);
        self.emit(load(dst, base, memarg.offset as u32));
        self.constant(dst.wrapping_add(1), 0);
        if let Some(op) = op {
            self.emit(Instr::Vector { op, at: dst, lane: 0 });
        }
    }

    fn load_lane(&mut self, load: LoadInstr, memarg: &MemArg, op: VectorOp, lane: u8) {
        let base = self.pop_home(2);
        // Above the base lies the vector; the scalar goes above that, and the result one slot down.
        let at = base.wrapping_add(1);
        self.peak = self.peak.max(u32::from(base) + 4);
        self.emit(load(at.wrapping_add(2), base, memarg.offset as u32));
        self.emit(Instr::Vector { op, at, lane });
        let dst = self.push(ValueType::V128);
        for half in 0..2 {
            self.emit(Instr::Move { dst: dst.wrapping_add(half), src: at.wrapping_add(half) });
        }
    }

    /// Takes a lane out of the vector, and gives the slots of base and value, and the offset.
    fn lane_to_store(&mut self, memarg: &MemArg, op: VectorOp, lane: u8) -> (Slot, Slot, u32) {
        let base = self.pop_home(2);
        let at = base.wrapping_add(1);
        self.emit(Instr::Vector { op, at, lane });
        (base, at, memarg.offset as u32)
    }
}

/// The offset of the high half. Beyond 32 bits no memory reaches, and the greatest offset traps as well.
fn high_half(memarg: &MemArg) -> u32 {
    (memarg.offset as u32).saturating_add(8)
}
