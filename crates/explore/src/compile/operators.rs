//! What each WebAssembly operator becomes.

use super::Compiler;
use super::stack::Place;
use crate::code::{Instr, Slot};
use crate::error::Error;
use crate::op::table::with_op_table;
use crate::types::{FunctionType, ValueType};
use wasmparser::Operator;

/// The slot type that a type of the op table stands for; all that matters is that it is not a vector.
const WORD: ValueType = ValueType::I64;

macro_rules! define_numeric {
    (
        unary { $($un:ident $_u:tt = $_ue:expr;)* }
        binary { $($bn:ident $_b:tt = $_be:expr;)* }
        integer { $($in:ident $ii:ident $_i:tt = $_ie:expr;)* }
        compare { $($cn:ident $ci:ident $cb:ident $cbi:ident not $cnot:ident $_c:tt = $_ce:expr;)* }
        load { $($ln:ident: $_lr:ty as $_lt:ty;)* }
        store { $($sn:ident $si:ident: $sr:ty;)* }
        multiply_add { $($_mn:ident = $_mm:ident $_ma:ident;)* }
        scaled { $($_zn:ident = $_zl:ident;)* }
    ) => {
        impl Compiler<'_> {
            /// Compiles an operator of the op table; false if it is none.
            fn numeric(&mut self, operator: &Operator<'_>) -> bool {
                match operator {
                    $(Operator::$un => self.unary(|dst, a| Instr::$un { dst, a }),)*
                    $(Operator::$bn => self.binary(|dst, a, b| Instr::$bn { dst, a, b }),)*
                    $(Operator::$in => self.binary(|dst, a, b| Instr::$in { dst, a, b }),)*
                    $(Operator::$cn => self.binary(|dst, a, b| Instr::$cn { dst, a, b }),)*
                    $(Operator::$ln { memarg } => {
                        let base = self.pop_slot();
                        let dst = self.push(WORD);
                        self.emit_fused(Instr::$ln { dst, base, offset: memarg.offset as u32 });
                    })*
                    $(Operator::$sn { memarg } => {
                        let value = self.pop();
                        let offset = memarg.offset as u32;
                        match stored::<$sr>(value.place) {
                            Some(imm) => {
                                let base = self.pop_slot();
                                self.emit(Instr::$si { base, imm, offset });
                            }
                            None => {
                                let value = self.slot(value);
                                let base = self.pop_slot();
                                self.emit(Instr::$sn { base, value, offset });
                            }
                        }
                    })*
                    _ => return false,
                }
                true
            }
        }
    };
}
with_op_table!(define_numeric);

impl Compiler<'_> {
    pub(super) fn operator(&mut self, operator: Operator<'_>) -> Result<(), Error> {
        if !self.reachable {
            match operator {
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => self.dead += 1,
                Operator::Else if self.dead == 0 => self.else_(),
                Operator::End if self.dead == 0 => self.end(),
                Operator::End => self.dead -= 1,
                _ => {}
            }
            return Ok(());
        }
        if self.numeric(&operator) {
            return Ok(());
        }
        match operator {
            Operator::Nop => {}
            Operator::Unreachable => {
                self.emit(Instr::Unreachable);
                self.skip_rest();
            }
            Operator::Block { blockty } => self.block(blockty)?,
            Operator::Loop { blockty } => self.loop_(blockty)?,
            Operator::If { blockty } => self.if_(blockty)?,
            Operator::Else => self.else_(),
            Operator::End => self.end(),
            Operator::Br { relative_depth } => self.br(relative_depth),
            Operator::BrIf { relative_depth } => self.br_if(relative_depth),
            Operator::BrTable { targets } => self.br_table(&targets)?,
            Operator::Return => self.return_(),
            Operator::Call { function_index } => self.call(function_index),
            Operator::CallIndirect { type_index, table_index } => {
                self.call_indirect(type_index, table_index)?
            }
            Operator::Drop => {
                self.pop();
            }
            Operator::Select | Operator::TypedSelect { .. } => self.select(),
            Operator::LocalGet { local_index } => self.local_get(local_index),
            Operator::LocalSet { local_index } => self.local_set(local_index),
            Operator::LocalTee { local_index } => self.local_tee(local_index),
            Operator::GlobalGet { global_index } => self.global_get(global_index),
            Operator::GlobalSet { global_index } => self.global_set(global_index),
            Operator::I32Const { value } => self.push_constant(u64::from(value as u32)),
            Operator::I64Const { value } => self.push_constant(value as u64),
            Operator::F32Const { value } => self.push_constant(u64::from(value.bits())),
            Operator::F64Const { value } => self.push_constant(value.bits()),
            Operator::RefNull { .. } => self.push_constant(0),
            Operator::RefFunc { function_index } => {
                self.push_constant(u64::from(self.linkage.functions[function_index as usize]) + 1);
            }
            Operator::RefIsNull => self.unary(|dst, a| Instr::I64Eqz { dst, a }),
            other => self.store_operator(other)?,
        }
        Ok(())
    }

    /// Compiles an operator on whole memories and tables.
    fn store_operator(&mut self, operator: Operator<'_>) -> Result<(), Error> {
        match operator {
            Operator::MemorySize { .. } => {
                let dst = self.push(WORD);
                self.emit(Instr::MemorySize { dst });
            }
            Operator::MemoryGrow { .. } => self.unary(|dst, pages| Instr::MemoryGrow { dst, pages }),
            Operator::MemoryFill { .. } => {
                let at = self.pop_home(3);
                self.emit(Instr::MemoryFill { at });
            }
            Operator::MemoryCopy { .. } => {
                let at = self.pop_home(3);
                self.emit(Instr::MemoryCopy { at });
            }
            Operator::MemoryInit { data_index, .. } => {
                let at = self.pop_home(3);
                self.emit(Instr::MemoryInit { at, segment: self.linkage.data + data_index });
            }
            Operator::DataDrop { data_index } => {
                self.emit(Instr::DataDrop { segment: self.linkage.data + data_index });
            }
            Operator::TableGet { table } => {
                let table = self.linkage.tables[table as usize];
                self.unary(|dst, index| Instr::TableGet { dst, index, table });
            }
            Operator::TableSet { table } => {
                let table = self.linkage.tables[table as usize];
                let value = self.pop_slot();
                let index = self.pop_slot();
                self.emit(Instr::TableSet { index, value, table });
            }
            Operator::TableSize { table } => {
                let table = self.linkage.tables[table as usize];
                let dst = self.push(WORD);
                self.emit(Instr::TableSize { dst, table });
            }
            Operator::TableGrow { table } => {
                let table = self.linkage.tables[table as usize];
                let at = self.pop_home(2);
                self.push(WORD);
                self.emit(Instr::TableGrow { at, table });
            }
            Operator::TableFill { table } => {
                let table = self.linkage.tables[table as usize];
                let at = self.pop_home(3);
                self.emit(Instr::TableFill { at, table });
            }
            Operator::TableCopy { dst_table, src_table } => {
                let to = self.short_table(dst_table)?;
                let from = self.linkage.tables[src_table as usize];
                let at = self.pop_home(3);
                self.emit(Instr::TableCopy { at, to, from });
            }
            Operator::TableInit { elem_index, table } => {
                let table = self.short_table(table)?;
                let at = self.pop_home(3);
                self.emit(Instr::TableInit { at, table, segment: self.linkage.elements + elem_index });
            }
            Operator::ElemDrop { elem_index } => {
                self.emit(Instr::ElemDrop { segment: self.linkage.elements + elem_index });
            }
            other => self.vector_operator(&other)?,
        }
        Ok(())
    }

    fn push_constant(&mut self, bits: u64) {
        self.push_at(WORD, Place::Constant(bits));
    }

    fn unary(&mut self, instr: impl FnOnce(Slot, Slot) -> Instr) {
        let a = self.pop_slot();
        let dst = self.push(WORD);
        self.emit(instr(dst, a));
    }

    /// Emits a binary instruction, with the constant operand as an immediate where there is such a form.
    fn binary(&mut self, instr: impl Fn(Slot, Slot, Slot) -> Instr) {
        let (mut b, mut a) = (self.pop(), self.pop());
        let dst = a.home;
        if matches!(a.place, Place::Constant(_)) && commutes(&instr(0, 0, 0)) {
            std::mem::swap(&mut a, &mut b);
        }
        let left = self.slot(a);
        let short = match b.place {
            Place::Constant(bits) => immediate(bits, instr(dst, left, 0)),
            Place::Home | Place::Local(_) => None,
        };
        let instr = match short {
            Some(short) => short,
            None => instr(dst, left, self.slot(b)),
        };
        self.push(WORD);
        self.emit_fused(instr);
    }

    fn select(&mut self) {
        let condition = self.pop();
        let (b, a) = (self.pop(), self.pop());
        let (condition, left, right) = (self.slot(condition), self.slot(a), self.slot(b));
        let dst = self.push(a.ty);
        match a.ty {
            ValueType::V128 => self.emit(Instr::SelectWide { dst, condition, a: left, b: right }),
            _ => self.emit(Instr::Select { dst, condition, a: left, b: right }),
        }
    }

    fn global_get(&mut self, index: u32) {
        let (global, ty) = self.linkage.globals[index as usize];
        let dst = self.push(ty);
        for half in 0..ty.slots() {
            self.emit(Instr::GlobalGet { dst: dst.wrapping_add(half), global: global + u32::from(half) });
        }
    }

    fn global_set(&mut self, index: u32) {
        let (global, ty) = self.linkage.globals[index as usize];
        let src = self.pop_slot();
        for half in 0..ty.slots() {
            self.emit(Instr::GlobalSet { src: src.wrapping_add(half), global: global + u32::from(half) });
        }
    }

    fn call(&mut self, index: u32) {
        let function = self.linkage.functions[index as usize];
        let ty = self.module.function_type(index);
        // Own functions follow all that exist when the module is compiled.
        let host = self.program.functions.get(function as usize).is_some_and(|callee| callee.host.is_some());
        let at = self.pop_home(ty.params.len());
        self.emit(if host { Instr::CallHost { function, at } } else { Instr::Call { function, at } });
        self.push_results(ty);
    }

    fn call_indirect(&mut self, ty: u32, table: u32) -> Result<(), Error> {
        let table = self.short_table(table)?;
        let index = self.pop_slot();
        let signature = &self.module.types[ty as usize];
        let at = self.pop_home(signature.params.len());
        self.emit(Instr::CallIndirect { index, at, table, ty: self.linkage.types[ty as usize] });
        self.push_results(signature);
        Ok(())
    }

    fn push_results(&mut self, ty: &FunctionType) {
        for &result in &ty.results {
            self.push(result);
        }
    }

    fn short_table(&self, index: u32) -> Result<u16, Error> {
        let limit = Error::TooLarge { what: "the number of tables", limit: u64::from(u16::MAX) };
        u16::try_from(self.linkage.tables[index as usize]).map_err(|_| limit)
    }
}

/// Whether the operands of an instruction may be swapped.
fn commutes(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::I32Add { .. }
            | Instr::I32Mul { .. }
            | Instr::I32And { .. }
            | Instr::I32Or { .. }
            | Instr::I32Xor { .. }
            | Instr::I32Eq { .. }
            | Instr::I32Ne { .. }
            | Instr::I64Add { .. }
            | Instr::I64Mul { .. }
            | Instr::I64And { .. }
            | Instr::I64Or { .. }
            | Instr::I64Xor { .. }
            | Instr::I64Eq { .. }
            | Instr::I64Ne { .. }
    )
}

/// The immediate for a constant that is stored as such a type; only its low bytes matter.
fn stored<T>(place: Place) -> Option<i32> {
    match place {
        Place::Constant(bits) if size_of::<T>() <= 4 => Some(bits as i32),
        Place::Constant(bits) => i32::try_from(bits as i64).ok(),
        Place::Home | Place::Local(_) => None,
    }
}

/// The form of an instruction with this constant as its right operand. Those on 32 bits ignore the sign extension.
fn immediate(bits: u64, instr: Instr) -> Option<Instr> {
    let imm = if instr.is_narrow() { bits as i32 } else { i32::try_from(bits as i64).ok()? };
    instr.with_immediate(imm)
}
