//! One function rewritten: what is written before and behind each of its instructions.

use super::STACK;
use super::layout::{Layout, SPACE};
use super::plan::{Plan, Planner, Refusal, Turn};
use super::rewrite::{
    BULK, CALL, CLOSED, CLOSED_STORE, COPY, DEPTH, FILL, FUEL, GROW, Indices, OUT, Original, PAGES, SITE,
    TURN, place, reason, service, value, widen,
};
use crate::code::{FRAME, Function, Instr};
use crate::memory::{CHUNK, KEY};
use crate::module::value_type;
use crate::program::MAX_SLOTS;
use crate::route::Route;
use crate::target::Site;
use crate::world::functions::Service;
use std::ops::Range;
use wasm_encoder::reencode::Reencode;
use wasm_encoder::{BlockType, ValType};
use wasmparser::{BinaryReader, FunctionBody, Operator};

/// Locals that are added to every function, behind its own: what instructions need twice.
const ADDED: [ValType; 7] =
    [ValType::I32, ValType::I32, ValType::I64, ValType::I32, ValType::I64, ValType::F32, ValType::F64];
const ADDRESS: u32 = 0;
const WAY: u32 = 1;
/// The call that this function was called by, as a route.
const CALLER: u32 = 2;
/// The first of four for values of each type.
const VALUE: u32 = 3;

/// Frames up to this many slots are not counted: a call takes [`MIN_FRAME`] bytes of our own stack at least, so that ends before
/// the interpreter has used its slots.
const SMALL_FRAME: u32 = 128;
/// The return address, the frame pointer, and the caller's route, which is kept over every call.
const MIN_FRAME: usize = 32;
/// How many slots of other frames are in use together before the interpreter takes over.
const MAX_DEPTH: i32 = (MAX_SLOTS / 4) as i32;
const _: () = assert!(STACK / MIN_FRAME * SMALL_FRAME as usize + MAX_DEPTH as usize + FRAME < MAX_SLOTS);

/// Writes one function.
pub(super) struct Writer<'a> {
    original: Original<'a>,
    indices: Indices,
    planner: &'a mut Planner,
    plan: Plan<'a>,
    out: wasm_encoder::Function,
    /// The first local that was added.
    added: u32,
    /// Whether its frames are so large that the interpreter may run out of slots before machine code runs out of its stack.
    large: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        original: Original<'a>,
        indices: Indices,
        planner: &'a mut Planner,
        function: &'a Function,
    ) -> Writer<'a> {
        let out = wasm_encoder::Function::new([]);
        let large = function.slots > SMALL_FRAME;
        Writer { original, indices, planner, plan: Plan::new(function), out, added: 0, large }
    }

    /// The body of the module's own function at a position.
    pub(super) fn body(mut self, position: usize) -> Result<wasm_encoder::Function, Refusal> {
        const UNREADABLE: Refusal = "a body cannot be read";
        let module = self.original.module;
        let (bytes, start) = module.body(position);
        let body = FunctionBody::new(BinaryReader::new(bytes, start));
        let index = module.imported_functions() + position;
        let mut locals = Vec::new();
        self.added = module.function_type(index as u32).params.len() as u32;
        for group in body.get_locals_reader().map_err(|_| UNREADABLE)? {
            let (count, ty) = group.map_err(|_| UNREADABLE)?;
            self.added += count;
            locals.push((count, value(value_type(ty).map_err(|_| UNREADABLE)?)?));
        }
        locals.extend(ADDED.map(|ty| (1, ty)));
        self.out = wasm_encoder::Function::new(locals);
        let (call, caller) = (self.indices.global(CALL), self.local(CALLER));
        self.out.instructions().global_get(call).local_set(caller);
        let mut operators = body.get_operators_reader().map_err(|_| UNREADABLE)?;
        while !operators.eof() {
            let (operator, offset) = operators.read_with_offset().map_err(|_| UNREADABLE)?;
            self.operator(operator, (offset - module.code_start) as u32)?;
        }
        Ok(self.out)
    }

    fn local(&self, local: u32) -> u32 {
        self.added + local
    }

    fn operator(&mut self, operator: Operator<'_>, offset: u32) -> Result<(), Refusal> {
        let instrs = self.plan.take(offset);
        if let Some(entry) = self.plan.mark(self.planner, &instrs) {
            let to = place(1, Layout::MET + u64::from(entry));
            self.out.instructions().i32_const(0).i32_const(1).i32_store8(to);
        }
        match &operator {
            Operator::BrIf { .. } | Operator::Select | Operator::TypedSelect { .. } => {
                self.turn(&instrs, false)
            }
            Operator::If { .. } => self.turn(&instrs, true),
            Operator::BrTable { .. } => self.switch(&instrs)?,
            Operator::Br { .. } | Operator::Else
                if !instrs.is_empty() && matches!(self.plan.instr(instrs.end - 1), Instr::Jump { .. }) =>
            {
                self.charge();
            }
            Operator::Call { function_index } if !instrs.is_empty() => {
                return self.call(operator.clone(), Some(*function_index), instrs.end - 1);
            }
            Operator::CallIndirect { .. } if !instrs.is_empty() => {
                return self.call(operator.clone(), None, instrs.end - 1);
            }
            Operator::MemorySize { .. } => {
                self.out.instructions().global_get(self.indices.global(PAGES));
                return Ok(());
            }
            Operator::MemoryGrow { .. } | Operator::MemoryFill { .. } | Operator::MemoryCopy { .. } => {
                self.bulk(&operator);
                return Ok(());
            }
            _ => {
                if let Some((size, offset)) = loaded(&operator) {
                    self.look_before_load(size, offset)?;
                } else if let Some((size, offset, ty)) = stored(&operator) {
                    return self.store(operator, size, offset, ty);
                } else if !is_plain(&operator) {
                    return Err("it has instructions on vectors, tables or segments");
                }
            }
        }
        self.copy(operator)
    }

    fn copy(&mut self, operator: Operator<'_>) -> Result<(), Refusal> {
        let instruction = self.indices.instruction(operator).map_err(reason)?;
        self.out.instruction(&instruction);
        Ok(())
    }

    /// A branch or a choice, whose condition is on the stack and stays there.
    fn turn(&mut self, instrs: &Range<usize>, is_if: bool) {
        let Some(turn) = self.plan.turn(self.planner, instrs, is_if) else { return };
        let Turn { site, ways, inverted, costs } = turn;
        let (condition, way) = (self.local(ADDRESS), self.local(WAY));
        let mut out = self.out.instructions();
        out.local_tee(condition).i32_eqz();
        if !inverted {
            out.i32_eqz();
        }
        out.local_set(way);
        self.record(site, ways);
        match costs {
            [true, true] => self.charge(),
            [false, false] => {}
            [on_true, _] => {
                let fuel = self.indices.global(FUEL);
                let mut out = self.out.instructions();
                out.global_get(fuel).local_get(condition).i32_eqz();
                if on_true {
                    out.i32_eqz();
                }
                out.i64_extend_i32_u().i64_sub().global_set(fuel);
                self.check_fuel();
            }
        }
        self.out.instructions().local_get(condition);
    }

    /// Notes the way that is in its local.
    fn record(&mut self, site: u32, ways: u32) {
        let (way, turn) = (self.local(WAY), self.indices.runtime(TURN));
        let to = place(1, Layout::MET + u64::from(ways));
        let mut out = self.out.instructions();
        out.local_get(way).i32_const(1).i32_store8(to);
        out.local_get(way).i64_extend_i32_u().i64_const((u64::from(site) << 32) as i64).i64_or().call(turn);
    }

    fn charge(&mut self) {
        let fuel = self.indices.global(FUEL);
        self.out.instructions().global_get(fuel).i64_const(1).i64_sub().global_set(fuel);
        self.check_fuel();
    }

    fn check_fuel(&mut self) {
        let (fuel, more) = (self.indices.global(FUEL), self.indices.runtime(OUT));
        let mut out = self.out.instructions();
        out.global_get(fuel).i64_const(0).i64_lt_s().if_(BlockType::Empty).call(more).end();
    }

    fn switch(&mut self, instrs: &Range<usize>) -> Result<(), Refusal> {
        let Some(switch) = self.plan.switch(self.planner, instrs)? else { return Ok(()) };
        let (index, way) = (self.local(ADDRESS), self.local(WAY));
        let mut out = self.out.instructions();
        out.local_tee(index).i32_const(switch.default as i32);
        out.local_get(index).i32_const(switch.default as i32).i32_lt_u().select().local_set(way);
        self.record(switch.site, switch.ways);
        self.charge();
        if switch.twice != 0 {
            let fuel = self.indices.global(FUEL);
            let mut out = self.out.instructions();
            // Cases from 64 on make one jump.
            out.global_get(fuel).i64_const(switch.twice as i64).local_get(way).i64_extend_i32_u().i64_shr_u();
            out.i64_const(1).i64_and().i64_const(0).local_get(way).i32_const(64).i32_lt_u().select();
            out.i64_sub().global_set(fuel);
            self.check_fuel();
        }
        self.out.instructions().local_get(index);
        Ok(())
    }

    /// A call; its arguments are on the stack.
    fn call(&mut self, operator: Operator<'_>, callee: Option<u32>, at: usize) -> Result<(), Refusal> {
        let site = self.plan.site(at);
        let first = match self.plan.instr(at) {
            Instr::Call { at, .. } | Instr::CallIndirect { at, .. } => i32::from(at),
            _ => 0,
        };
        let (call, caller) = (self.indices.global(CALL), self.local(CALLER));
        let import = callee.and_then(|callee| self.original.module.imports().get(callee as usize));
        let Some(import) = import else {
            let within = Route::default().after(Site(site), 0);
            self.out.instructions().i64_const(within.0 as i64).global_set(call);
            if callee.is_none() {
                // It may lead to the host.
                self.out.instructions().i32_const(site as i32).global_set(self.indices.global(SITE));
            }
            self.charge();
            self.deepen(first);
            self.copy(operator)?;
            self.deepen(-first);
            self.out.instructions().local_get(caller).global_set(call);
            return Ok(());
        };
        self.out.instructions().i32_const(site as i32).global_set(self.indices.global(SITE));
        self.copy(operator)?;
        if service(import) == Some(Service::Assert) {
            // It held, or the run has ended: a turn like any other.
            let ways = self.plan.held(self.planner, site);
            let to = place(1, Layout::MET + u64::from(ways));
            let word = u64::from(site) << 32 | 1;
            let turn = self.indices.runtime(TURN);
            self.out
                .instructions()
                .i32_const(0)
                .i32_const(1)
                .i32_store8(to)
                .i64_const(word as i64)
                .call(turn);
        }
        Ok(())
    }

    /// Counts the slots of large frames, in front of a call and, negative, behind it.
    fn deepen(&mut self, slots: i32) {
        if !self.large {
            return;
        }
        let depth = self.indices.global(DEPTH);
        let mut out = self.out.instructions();
        out.global_get(depth).i32_const(slots).i32_add().global_set(depth);
        if slots > 0 {
            out.global_get(depth).i32_const(MAX_DEPTH).i32_gt_s().if_(BlockType::Empty).unreachable().end();
        }
    }

    /// An instruction on many bytes goes to the host.
    fn bulk(&mut self, operator: &Operator<'_>) {
        let [a, b, c] = [ADDRESS, WAY, VALUE].map(|local| self.local(local));
        let bulk = self.indices.runtime(BULK);
        let mut out = self.out.instructions();
        match operator {
            Operator::MemoryGrow { .. } => {
                out.local_set(a).i32_const(GROW).local_get(a).i32_const(0).i32_const(0).call(bulk);
            }
            other => {
                let number = if matches!(other, Operator::MemoryFill { .. }) { FILL } else { COPY };
                out.local_set(c).local_set(b).local_set(a);
                out.i32_const(number).local_get(a).local_get(b).local_get(c).call(bulk).drop();
            }
        }
    }

    /// Looks at the shadow of an access whose address is in its local: not zero if a byte is not open.
    fn look(&mut self, size: u32, offset: u32) -> Result<(), Refusal> {
        let start = u64::from(offset) + SPACE as u64;
        if start > u64::from(u32::MAX) {
            // No memory is as large: the interpreter reports it.
            self.out.instructions().unreachable().i32_const(1);
            return Ok(());
        }
        let to = place(0, start);
        let address = self.local(ADDRESS);
        let mut out = self.out.instructions();
        out.local_get(address);
        match size {
            1 => out.i32_load8_u(to).i32_const(i32::from(KEY)).i32_ne(),
            2 => out.i32_load16_u(to).i32_const(i32::from(u16::from_le_bytes([KEY; 2]))).i32_ne(),
            4 => out.i32_load(to).i32_const(i32::from_le_bytes([KEY; 4])).i32_ne(),
            _ => out.i64_load(to).i64_const(i64::from_le_bytes([KEY; 8])).i64_ne(),
        };
        Ok(())
    }

    /// The address stays on the stack.
    fn look_before_load(&mut self, size: u32, offset: u32) -> Result<(), Refusal> {
        let (address, closed) = (self.local(ADDRESS), self.indices.runtime(CLOSED));
        self.out.instructions().local_set(address);
        self.look(size, offset)?;
        let mut out = self.out.instructions();
        out.if_(BlockType::Empty).local_get(address).i32_const(offset as i32).i32_add();
        out.i32_const(size as i32).call(closed).end().local_get(address);
        Ok(())
    }

    fn store(&mut self, operator: Operator<'_>, size: u32, offset: u32, ty: ValType) -> Result<(), Refusal> {
        let position = ADDED[VALUE as usize..].iter().position(|known| *known == ty).unwrap_or(0);
        let (address, value) = (self.local(ADDRESS), self.local(VALUE + position as u32));
        let closed = self.indices.runtime(CLOSED_STORE);
        self.out.instructions().local_set(value).local_set(address);
        self.look(size, offset)?;
        let mut out = self.out.instructions();
        out.if_(BlockType::Empty).local_get(address).i32_const(offset as i32).i32_add().local_get(value);
        widen(&mut out, ty);
        out.i32_const(size as i32).call(closed).else_();
        let to = place(1, Layout::DIRTY);
        out.local_get(address).i32_const(offset as i32).i32_add().i32_const(CHUNK as i32).i32_shr_u();
        out.i32_const(1).i32_store8(to).local_get(address).local_get(value);
        self.copy(operator)?;
        self.out.instructions().end();
        Ok(())
    }
}

/// How many bytes a load reads, and at which offset.
fn loaded(operator: &Operator<'_>) -> Option<(u32, u32)> {
    use Operator as O;
    let (size, memarg) = match operator {
        O::I32Load8S { memarg }
        | O::I32Load8U { memarg }
        | O::I64Load8S { memarg }
        | O::I64Load8U { memarg } => (1, memarg),
        O::I32Load16S { memarg }
        | O::I32Load16U { memarg }
        | O::I64Load16S { memarg }
        | O::I64Load16U { memarg } => (2, memarg),
        O::I32Load { memarg }
        | O::F32Load { memarg }
        | O::I64Load32S { memarg }
        | O::I64Load32U { memarg } => (4, memarg),
        O::I64Load { memarg } | O::F64Load { memarg } => (8, memarg),
        _ => return None,
    };
    Some((size, memarg.offset as u32))
}

/// How many bytes a store writes, at which offset, of a value of which type.
fn stored(operator: &Operator<'_>) -> Option<(u32, u32, ValType)> {
    use Operator as O;
    let (size, memarg, ty) = match operator {
        O::I32Store8 { memarg } => (1, memarg, ValType::I32),
        O::I64Store8 { memarg } => (1, memarg, ValType::I64),
        O::I32Store16 { memarg } => (2, memarg, ValType::I32),
        O::I64Store16 { memarg } => (2, memarg, ValType::I64),
        O::I32Store { memarg } => (4, memarg, ValType::I32),
        O::I64Store32 { memarg } => (4, memarg, ValType::I64),
        O::F32Store { memarg } => (4, memarg, ValType::F32),
        O::I64Store { memarg } => (8, memarg, ValType::I64),
        O::F64Store { memarg } => (8, memarg, ValType::F64),
        _ => return None,
    };
    Some((size, memarg.offset as u32, ty))
}

/// Whether an instruction is copied as it is.
fn is_plain(operator: &Operator<'_>) -> bool {
    use crate::op::table::with_op_table;
    macro_rules! define_plain {
        (
            unary { $($un:ident $_u:tt = $_ue:expr;)* }
            binary { $($bn:ident $_b:tt = $_be:expr;)* }
            integer { $($in:ident $ii:ident $_i:tt = $_ie:expr;)* }
            compare { $($cn:ident $ci:ident $cb:ident $cbi:ident not $cnot:ident $_c:tt = $_ce:expr;)* }
            load { $($ln:ident: $_lr:ty as $_lt:ty;)* }
            store { $($sn:ident $si:ident: $_sr:ty;)* }
            multiply_add { $($mn:ident = $mm:ident $ma:ident;)* }
            scaled { $($zn:ident = $zl:ident;)* }
        ) => {
            matches!(
                operator,
                $(Operator::$un)|* $(| Operator::$bn)* $(| Operator::$in)* $(| Operator::$cn)*
            )
        };
    }
    with_op_table!(define_plain)
        || matches!(
            operator,
            Operator::Nop
                | Operator::Unreachable
                | Operator::Block { .. }
                | Operator::Loop { .. }
                | Operator::Else
                | Operator::End
                | Operator::Br { .. }
                | Operator::Return
                | Operator::Call { .. }
                | Operator::CallIndirect { .. }
                | Operator::Drop
                | Operator::LocalGet { .. }
                | Operator::LocalSet { .. }
                | Operator::LocalTee { .. }
                | Operator::GlobalGet { .. }
                | Operator::GlobalSet { .. }
                | Operator::I32Const { .. }
                | Operator::I64Const { .. }
                | Operator::F32Const { .. }
                | Operator::F64Const { .. }
        )
}
