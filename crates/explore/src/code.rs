//! The compact internal code: what the compiler emits and the interpreter runs.
//!
//! A function's values live in the slots of its frame: parameters and locals first, then the operand stack, every height
//! of which has its slot. Instructions name slots, so that `local.get`, constants and `local.set` mostly vanish into the
//! instructions that use them. Branches hold the index of the instruction to go on with, and everything that a module
//! imports or owns is named by its address in the machine: code runs without a look at its instance.

use crate::op::table::with_op_table;
pub(crate) use crate::target::Site;
use crate::types::FunctionType;
use crate::vector::VectorOp;
use std::sync::Arc;

/// A position in a function's frame.
pub(crate) type Slot = u16;

/// How many slots a frame can address.
pub(crate) const FRAME: usize = 1 << 16;

macro_rules! define_code {
    (
        unary { $($un:ident $_u:tt = $_ue:expr;)* }
        binary { $($bn:ident $_b:tt = $_be:expr;)* }
        integer { $($in:ident $ii:ident ($_ia:ident, $_ib:ident: $it:ty) = $_ie:expr;)* }
        compare { $($cn:ident $ci:ident $cb:ident $cbi:ident not $cnot:ident ($_ca:ident, $_cc:ident: $ct:ty) = $_ce:expr;)* }
        load { $($ln:ident: $_lr:ty as $_lt:ty;)* }
        store { $($sn:ident $si:ident: $_sr:ty;)* }
        multiply_add { $($mn:ident = $mm:ident $ma:ident;)* }
        scaled { $($zn:ident = $zl:ident;)* }
    ) => {
        /// One instruction, twelve bytes.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Instr {
            $($un { dst: Slot, a: Slot },)*
            $($bn { dst: Slot, a: Slot, b: Slot },)*
            $($in { dst: Slot, a: Slot, b: Slot },)*
            $($ii { dst: Slot, a: Slot, imm: i32 },)*
            $($cn { dst: Slot, a: Slot, b: Slot },)*
            $($ci { dst: Slot, a: Slot, imm: i32 },)*
            $($cb { a: Slot, b: Slot, to: u32 },)*
            $($cbi { a: Slot, imm: i32, to: u32 },)*
            $($ln { dst: Slot, base: Slot, offset: u32 },)*
            $($sn { base: Slot, value: Slot, offset: u32 },)*
            $($si { base: Slot, imm: i32, offset: u32 },)*
            $($mn { dst: Slot, a: Slot, b: Slot, c: Slot },)*
            $($zn { dst: Slot, index: Slot, shift: u8, offset: u32 },)*
            /// Traps.
            Unreachable,
            /// Copies a slot.
            Move { dst: Slot, src: Slot },
            /// Fills a slot with the sign-extended immediate.
            ConstSigned { dst: Slot, imm: i32 },
            /// Fills a slot with the zero-extended immediate.
            Const32 { dst: Slot, imm: u32 },
            /// Fills a slot from the function's pool.
            Const { dst: Slot, pool: u32 },
            /// `a` if the condition is not zero, else `b`.
            Select { dst: Slot, condition: Slot, a: Slot, b: Slot },
            /// The same for two slots each.
            SelectWide { dst: Slot, condition: Slot, a: Slot, b: Slot },
            /// Goes on elsewhere.
            Jump { to: u32 },
            /// Goes on elsewhere if the condition is not zero.
            BrIf { condition: Slot, to: u32 },
            /// Goes on elsewhere if the condition is zero.
            BrUnless { condition: Slot, to: u32 },
            /// Goes on at one of the `cases + 1` jumps that follow; the last is the default.
            BrTable { index: Slot, cases: u32 },
            /// Returns nothing, or results that already lie at the frame's start.
            Return,
            /// Returns one slot.
            ReturnOne { src: Slot },
            /// Returns consecutive slots.
            ReturnMany { src: Slot, count: Slot },
            /// Calls compiled code; arguments lie from `at` on, where results will.
            Call { function: u32, at: Slot },
            /// Calls the host in the same way.
            CallHost { function: u32, at: Slot },
            /// Calls what the table holds, if its type is the one given.
            CallIndirect { index: Slot, at: Slot, table: u16, ty: u32 },
            /// Reads a global's slot.
            GlobalGet { dst: Slot, global: u32 },
            /// Writes a global's slot.
            GlobalSet { src: Slot, global: u32 },
            /// The memory's size in pages.
            MemorySize { dst: Slot },
            /// Grows the memory.
            MemoryGrow { dst: Slot, pages: Slot },
            /// `memory.fill`; operands from `at` on.
            MemoryFill { at: Slot },
            /// `memory.copy`; operands from `at` on.
            MemoryCopy { at: Slot },
            /// `memory.init`; operands from `at` on.
            MemoryInit { at: Slot, segment: u32 },
            /// Empties a data segment.
            DataDrop { segment: u32 },
            /// Reads a table.
            TableGet { dst: Slot, index: Slot, table: u32 },
            /// Writes a table.
            TableSet { index: Slot, value: Slot, table: u32 },
            /// The table's size.
            TableSize { dst: Slot, table: u32 },
            /// `table.grow`; operands from `at` on, where the result will lie.
            TableGrow { at: Slot, table: u32 },
            /// `table.fill`; operands from `at` on.
            TableFill { at: Slot, table: u32 },
            /// `table.copy`; operands from `at` on.
            TableCopy { at: Slot, to: u16, from: u32 },
            /// `table.init`; operands from `at` on.
            TableInit { at: Slot, table: u16, segment: u32 },
            /// Empties an element segment.
            ElemDrop { segment: u32 },
            /// An instruction on vectors; operands from `at` on, where the result will lie.
            Vector { op: VectorOp, at: Slot, lane: u8 },
        }

        impl Instr {
            /// The slot that the instruction fills, where it could be any other as well.
            pub(crate) fn destination(&mut self) -> Option<&mut Slot> {
                match self {
                    $(Instr::$un { dst, .. })|*
                    $(| Instr::$bn { dst, .. })*
                    $(| Instr::$in { dst, .. })*
                    $(| Instr::$ii { dst, .. })*
                    $(| Instr::$cn { dst, .. })*
                    $(| Instr::$ci { dst, .. })*
                    $(| Instr::$ln { dst, .. })*
                    $(| Instr::$mn { dst, .. })*
                    $(| Instr::$zn { dst, .. })*
                    | Instr::Move { dst, .. }
                    | Instr::ConstSigned { dst, .. }
                    | Instr::Const32 { dst, .. }
                    | Instr::Const { dst, .. }
                    | Instr::Select { dst, .. }
                    | Instr::GlobalGet { dst, .. }
                    | Instr::MemorySize { dst }
                    | Instr::MemoryGrow { dst, .. }
                    | Instr::TableGet { dst, .. }
                    | Instr::TableSize { dst, .. } => Some(dst),
                    _ => None,
                }
            }

            /// Where a branch goes.
            pub(crate) fn target(&mut self) -> Option<&mut u32> {
                match self {
                    Instr::Jump { to }
                    | Instr::BrIf { to, .. }
                    | Instr::BrUnless { to, .. }
                    $(| Instr::$cb { to, .. })*
                    $(| Instr::$cbi { to, .. })* => Some(to),
                    _ => None,
                }
            }

            /// The branch that is taken if this comparison's outcome is `when`; its target is still to be set.
            pub(crate) fn branching(self, when: bool) -> Option<Instr> {
                let to = u32::MAX;
                Some(match (self, when) {
                    $((Instr::$cn { a, b, .. }, true) => Instr::$cb { a, b, to },)*
                    $((Instr::$ci { a, imm, .. }, true) => Instr::$cbi { a, imm, to },)*
                    $((Instr::$cn { dst, a, b }, false) => return Instr::$cnot { dst, a, b }.branching(true),)*
                    $((Instr::$ci { dst, a, imm }, false) => return Instr::$cnot { dst, a, b: 0 }.with_immediate(imm)?.branching(true),)*
                    (Instr::I32Eqz { a, .. }, true) => Instr::BrUnless { condition: a, to },
                    (Instr::I32Eqz { a, .. }, false) => Instr::BrIf { condition: a, to },
                    (Instr::I64Eqz { a, .. }, true) => Instr::BrI64EqImm { a, imm: 0, to },
                    (Instr::I64Eqz { a, .. }, false) => Instr::BrI64NeImm { a, imm: 0, to },
                    _ => return None,
                })
            }

            /// This instruction and the one after it as a single one, if the slot between them is of no further use.
            pub(crate) fn fuse(self, next: Instr, is_spent: impl Fn(Slot) -> bool) -> Option<Instr> {
                match (self, next) {
                    $((Instr::$mm { dst: product, a, b }, Instr::$ma { dst, a: left, b: right })
                        if (left == product) != (right == product) && is_spent(product) =>
                    {
                        let c = if left == product { right } else { left };
                        Some(Instr::$mn { dst, a, b, c })
                    })*
                    $((Instr::I32ShlImm { dst: address, a: index, imm }, Instr::$zl { dst, base, offset })
                        if base == address && is_spent(address) =>
                    {
                        Some(Instr::$zn { dst, index, shift: imm as u8, offset })
                    })*
                    _ => None,
                }
            }

            /// Whether an integer instruction works on 32 bits.
            pub(crate) fn is_narrow(&self) -> bool {
                match self {
                    $(Instr::$in { .. } => size_of::<$it>() == 4,)*
                    $(Instr::$cn { .. } => size_of::<$ct>() == 4,)*
                    _ => false,
                }
            }

            /// The form of an integer instruction whose right operand is an immediate.
            pub(crate) fn with_immediate(self, imm: i32) -> Option<Instr> {
                match self {
                    $(Instr::$in { dst, a, .. } => Some(Instr::$ii { dst, a, imm }),)*
                    $(Instr::$cn { dst, a, .. } => Some(Instr::$ci { dst, a, imm }),)*
                    _ => None,
                }
            }
        }
    };
}
with_op_table!(define_code);

const _: () = assert!(size_of::<Instr>() == 12);

/// A function of a program: compiled code, or the host's.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Its type, interned in the program.
    pub ty: u32,
    /// Slots of parameters.
    pub params: u16,
    /// Slots of parameters and locals.
    pub locals: u16,
    /// Slots of results.
    pub results: u16,
    /// Slots of the whole frame.
    pub slots: u32,
    /// The memory it uses; 0 is the empty one of modules without memory.
    pub memory: u32,
    /// The site of its first instruction.
    pub first: u32,
    /// What it does; empty for the host's.
    pub code: Arc<[Instr]>,
    /// 64-bit constants.
    pub pool: Arc<[u64]>,
    /// For every instruction, the offset in the module's code section of the WebAssembly instruction it stems from.
    pub offsets: Arc<[u32]>,
    /// Its index in its module.
    pub index: u32,
    /// Which instance it belongs to.
    pub instance: u32,
    /// The host's name for it, if it is the host's.
    pub host: Option<u32>,
}

/// All functions of a machine, and the types they have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Distinct function types.
    pub types: Vec<FunctionType>,
    /// Functions by address.
    pub functions: Vec<Function>,
    /// The number of sites so far.
    pub sites: u32,
}

impl Program {
    /// The number of a type, new if it has not been seen.
    pub(crate) fn intern(&mut self, ty: &FunctionType) -> u32 {
        let known = self.types.iter().position(|known| known == ty);
        known.unwrap_or_else(|| {
            self.types.push(ty.clone());
            self.types.len() - 1
        }) as u32
    }
}
