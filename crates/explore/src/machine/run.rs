//! The interpreter: one loop over internal code, generic over the domain.
//!
//! A frame is a window of 65,536 slots into the value stack, so that a 16-bit slot number needs no bounds check; the
//! stack always extends a whole window beyond the innermost base. What the loop touches at every step is held in local
//! variables; calls push a [`Frame`] instead of recursing. Fuel is counted at calls and taken branches, between which
//! only straight code lies.

use super::{Aside, Frame, Machine, MachineEnd, MachineState};
use crate::code::{FRAME, Instr, Site, Slot};
use crate::domain::{Domain, Need};
use crate::host::{CallStack, Detour, Host, HostCall, Point};
use crate::op::ops;
use crate::op::table::with_op_table;
use crate::trap::Trap;
use std::sync::Arc;

/// The value, or the end of the loop.
macro_rules! attempt {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(trap) => break MachineEnd::Trapped(trap),
        }
    };
}

/// Bytes that cost as much fuel as a jump does.
const BULK: u64 = 64;

/// Goes on at another instruction, if fuel is left.
macro_rules! jump {
    ($pc:ident, $left:ident, $to:expr) => {
        $pc = $to as usize;
        if $left == 0 {
            break MachineEnd::OutOfFuel;
        }
        $left -= 1;
    };
}

macro_rules! define_run {
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
        impl<D: Domain> Machine<D> {
            /// Runs the call that was prepared, or goes on with it, until it ends or the fuel is used.
            pub fn run(&mut self, host: &mut dyn Host<D>, fuel: &mut u64) -> MachineEnd<D::Value> {
                if let Some(outcome) = self.run_host(host) {
                    return outcome;
                }
                let program = Arc::clone(&self.program);
                let functions = &program.functions[..];
                let Machine { domain, limits, state, stack, frames, aside, stack_pointer, debt, .. } = self;
                let mut detour = None;
                let Some(start) = frames.pop() else {
                    return MachineEnd::Returned(Vec::new());
                };
                let mut number = start.function;
                let mut function = &functions[number as usize];
                let mut code: &[Instr] = &function.code;
                let mut pc = start.pc as usize;
                let mut base = start.base as usize;
                let mut frame = window(stack, base);
                let mut memory = &mut state.memories[function.memory as usize];
                let mut args = Vec::new();
                let mut left = *fuel;

                let outcome = loop {
                    let instr = &code[pc];
                    let at = Site(function.first.wrapping_add(pc as u32));
                    pc += 1;
                    domain.step(at);
                    // Fields are read from the code itself: a copy would go through memory.
                    match *instr {
                        $(Instr::$un { dst, a } => {
                            frame[dst as usize] = attempt!(domain.unary::<ops::$un>(at, frame[a as usize]));
                        })*
                        $(Instr::$bn { dst, a, b } => {
                            frame[dst as usize] =
                                attempt!(domain.binary::<ops::$bn>(at, frame[a as usize], frame[b as usize]));
                        })*
                        $(Instr::$in { dst, a, b } => {
                            frame[dst as usize] =
                                attempt!(domain.binary::<ops::$in>(at, frame[a as usize], frame[b as usize]));
                        })*
                        $(Instr::$ii { dst, a, imm } => {
                            frame[dst as usize] =
                                attempt!(domain.binary::<ops::$in>(at, frame[a as usize], immediate::<D>(imm)));
                        })*
                        $(Instr::$cn { dst, a, b } => {
                            frame[dst as usize] =
                                attempt!(domain.binary::<ops::$cn>(at, frame[a as usize], frame[b as usize]));
                        })*
                        $(Instr::$ci { dst, a, imm } => {
                            frame[dst as usize] =
                                attempt!(domain.binary::<ops::$cn>(at, frame[a as usize], immediate::<D>(imm)));
                        })*
                        $(Instr::$cb { a, b, to } => {
                            if domain.compare::<ops::$cn>(at, frame[a as usize], frame[b as usize]) {
                                jump!(pc, left, to);
                            }
                        })*
                        $(Instr::$cbi { a, imm, to } => {
                            if domain.compare::<ops::$cn>(at, frame[a as usize], immediate::<D>(imm)) {
                                jump!(pc, left, to);
                            }
                        })*
                        $(Instr::$ln { dst, base, offset } => {
                            frame[dst as usize] =
                                attempt!(domain.load::<ops::$ln>(at, memory, frame[base as usize], offset));
                        })*
                        $(Instr::$sn { base, value, offset } => {
                            let (base, value) = (frame[base as usize], frame[value as usize]);
                            attempt!(domain.store::<ops::$sn>(at, memory, base, offset, value));
                        })*
                        $(Instr::$si { base, imm, offset } => {
                            let value = immediate::<D>(imm);
                            attempt!(domain.store::<ops::$sn>(at, memory, frame[base as usize], offset, value));
                        })*
                        $(Instr::$mn { dst, a, b, c } => {
                            let product = attempt!(domain.binary::<ops::$mm>(at, frame[a as usize], frame[b as usize]));
                            frame[dst as usize] = attempt!(domain.binary::<ops::$ma>(at, product, frame[c as usize]));
                        })*
                        $(Instr::$zn { dst, index, shift, offset } => {
                            let shift = D::constant(u64::from(shift));
                            let base = attempt!(domain.binary::<ops::I32Shl>(at, frame[index as usize], shift));
                            frame[dst as usize] = attempt!(domain.load::<ops::$zl>(at, memory, base, offset));
                        })*
                        Instr::Unreachable => break MachineEnd::Trapped(Trap::Unreachable),
                        Instr::Move { dst, src } => frame[dst as usize] = frame[src as usize],
                        Instr::ConstSigned { dst, imm } => frame[dst as usize] = immediate::<D>(imm),
                        Instr::Const32 { dst, imm } => frame[dst as usize] = D::constant(u64::from(imm)),
                        Instr::Const { dst, pool } => {
                            frame[dst as usize] = D::constant(function.pool[pool as usize]);
                        }
                        Instr::Select { dst, condition, a, b } => {
                            let (a, b) = (frame[a as usize], frame[b as usize]);
                            frame[dst as usize] = domain.select(at, frame[condition as usize], a, b);
                        }
                        Instr::Jump { to } => {
                            jump!(pc, left, to);
                        }
                        Instr::BrIf { condition, to } => {
                            if domain.branch(at, frame[condition as usize]) {
                                jump!(pc, left, to);
                            }
                        }
                        Instr::BrUnless { condition, to } => {
                            if !domain.branch(at, frame[condition as usize]) {
                                jump!(pc, left, to);
                            }
                        }
                        Instr::BrTable { index, cases } => {
                            pc += domain.switch(at, frame[index as usize], cases) as usize;
                        }
                        Instr::Return | Instr::ReturnOne { .. } | Instr::ReturnMany { .. } => {
                            match *instr {
                                Instr::ReturnOne { src } => frame[0] = frame[src as usize],
                                Instr::ReturnMany { src, count } => {
                                    frame.copy_within(src as usize..src as usize + count as usize, 0);
                                }
                                _ => {}
                            }
                            let Some(caller) = frames.pop() else {
                                break MachineEnd::Returned(frame[..function.results as usize].to_vec());
                            };
                            domain.within(frames.last().map(|frame| frame.call_site(functions)));
                            number = caller.function;
                            function = &functions[number as usize];
                            code = &function.code;
                            pc = caller.pc as usize;
                            base = caller.base as usize;
                            frame = window(stack, base);
                            memory = &mut state.memories[function.memory as usize];
                        }
                        Instr::Call { .. } | Instr::CallIndirect { .. } | Instr::CallHost { .. } => {
                            let (callee, first) = match *instr {
                                Instr::Call { function, at } | Instr::CallHost { function, at } => (function, at),
                                Instr::CallIndirect { index, at: first, table, ty } => {
                                    let elements = &state.tables[table as usize].elements;
                                    let size = elements.len() as u32;
                                    let entry = attempt!(domain.callee(at, frame[index as usize], size));
                                    let Some(callee) = elements[entry as usize].checked_sub(1) else {
                                        break MachineEnd::Trapped(Trap::UninitializedElement);
                                    };
                                    if functions[callee as usize].ty != ty {
                                        break MachineEnd::Trapped(Trap::IndirectCallType);
                                    }
                                    (callee as u32, first)
                                }
                                _ => break MachineEnd::Trapped(Trap::Unreachable),
                            };
                            let target = &functions[callee as usize];
                            let first = first as usize;
                            if let Some(host_number) = target.host {
                                args.clear();
                                args.extend_from_slice(&frame[first..first + target.params as usize]);
                                let results = &mut frame[first..first + target.results as usize];
                                results.fill(D::Value::default());
                                let mut bytes = 0;
                                let calls = CallStack { at, frames, functions };
                                let here = Point {
                                    depth: frames.len() as u32,
                                    frame: Frame { function: number, pc: pc as u32, base: base as u32 },
                                    result: first as u16,
                                    stack_pointer: stack_pointer.map_or(0, |slot| D::bits(state.globals[slot as usize])),
                                };
                                attempt!(host.call(HostCall {
                                    function: host_number,
                                    at,
                                    args: &args,
                                    results,
                                    memory,
                                    domain,
                                    stack: calls,
                                    here,
                                    detour: &mut detour,
                                    bytes: &mut bytes,
                                }));
                                *debt += (bytes / BULK).saturating_sub(left);
                                left = left.saturating_sub(bytes / BULK);
                                if let Some(detour) = detour.take() {
                                    let top = base + function.slots as usize;
                                    // Calls that are put aside are copied.
                                    let copied = 8 * top as u64 / BULK;
                                    let (to, value) = match detour {
                                        Detour::Back(to, value) => {
                                            // The function that is gone back to must still be running.
                                            if frames.len() < to.depth as usize
                                                || frames.get(to.depth as usize).is_some_and(|frame| frame.base != to.frame.base)
                                            {
                                                break MachineEnd::Trapped(Trap::Unreachable);
                                            }
                                            frames.truncate(to.depth as usize);
                                            (to, value)
                                        }
                                        Detour::Part { number, stack_pointer } => {
                                            let slots = stack[..top].to_vec();
                                            let there = Point { stack_pointer, ..here };
                                            let thread = Aside { here: there, value: 1, frames: frames.clone(), slots };
                                            aside.insert(number, thread);
                                            *debt += copied;
                                            (here, D::constant(0))
                                        }
                                        Detour::Turn { from, to } => {
                                            let Some(next) = aside.remove(&to) else {
                                                break MachineEnd::Trapped(Trap::Unreachable);
                                            };
                                            let slots = stack[..top].to_vec();
                                            let frames_there = std::mem::replace(frames, next.frames);
                                            if let Some(from) = from {
                                                let thread = Aside { here, value: 0, frames: frames_there, slots };
                                                aside.insert(from, thread);
                                            }
                                            stack[..next.slots.len()].copy_from_slice(&next.slots);
                                            *debt += copied;
                                            (next.here, D::constant(u64::from(next.value)))
                                        }
                                    };
                                    domain.within(frames.last().map(|frame| frame.call_site(functions)));
                                    number = to.frame.function;
                                    function = &functions[number as usize];
                                    code = &function.code;
                                    pc = to.frame.pc as usize;
                                    base = to.frame.base as usize;
                                    frame = window(stack, base);
                                    memory = &mut state.memories[function.memory as usize];
                                    frame[to.result as usize] = value;
                                    if let Some(slot) = *stack_pointer {
                                        state.globals[slot as usize] = D::constant(to.stack_pointer);
                                    }
                                    if left == 0 {
                                        break MachineEnd::OutOfFuel;
                                    }
                                    left -= 1;
                                }
                            } else {
                                let above = base + first;
                                if frames.len() + 1 >= limits.frames || above + target.slots as usize > limits.slots {
                                    break MachineEnd::Trapped(Trap::StackOverflow);
                                }
                                frames.push(Frame { function: number, pc: pc as u32, base: base as u32 });
                                domain.within(Some(at));
                                if above + FRAME > stack.len() {
                                    stack.resize(above * 2 + FRAME, D::Value::default());
                                }
                                number = callee;
                                function = target;
                                code = &function.code;
                                base = above;
                                frame = window(stack, base);
                                memory = &mut state.memories[function.memory as usize];
                                frame[function.params as usize..function.locals as usize].fill(D::Value::default());
                                jump!(pc, left, 0);
                            }
                        }
                        Instr::GlobalGet { dst, global } => frame[dst as usize] = state.globals[global as usize],
                        Instr::GlobalSet { src, global } => state.globals[global as usize] = frame[src as usize],
                        _ => {
                            let cost = attempt!(state.rare(domain, frame, function.memory as usize, at, *instr));
                            *debt += cost.saturating_sub(left);
                            left = left.saturating_sub(cost);
                            memory = &mut state.memories[function.memory as usize];
                        }
                    }
                };
                *fuel = left;
                if !matches!(outcome, MachineEnd::Returned(_)) {
                    frames.push(Frame { function: number, pc: pc as u32, base: base as u32 });
                }
                outcome
            }
        }
    };
}
with_op_table!(define_run);

impl<D: Domain> Machine<D> {
    /// The fuel that the runs since the last question spent beyond what they were given.
    pub(crate) fn take_debt(&mut self) -> u64 {
        std::mem::take(&mut self.debt)
    }

    /// Serves a call of a host function that was prepared from outside.
    fn run_host(&mut self, host: &mut dyn Host<D>) -> Option<MachineEnd<D::Value>> {
        let number = self.pending_host.take()?;
        let frame = *self.frames.last()?;
        let function = &self.program.functions[frame.function as usize];
        let args = self.stack[..usize::from(function.params)].to_vec();
        let mut results = vec![D::Value::default(); usize::from(function.results)];
        let mut detour = None;
        let call = HostCall {
            here: Point { depth: 0, frame, result: 0, stack_pointer: 0 },
            detour: &mut detour,
            function: number,
            at: Site(function.first),
            args: &args,
            results: &mut results,
            memory: &mut self.state.memories[0],
            domain: &mut self.domain,
            stack: CallStack { at: Site(function.first), frames: &[], functions: &self.program.functions },
            bytes: &mut 0,
        };
        Some(match host.call(call) {
            Ok(()) => {
                self.frames.clear();
                MachineEnd::Returned(results)
            }
            Err(trap) => MachineEnd::Trapped(trap),
        })
    }
}

impl<V: Copy, O: crate::memory::Overlay> MachineState<V, O> {
    /// Runs an instruction that is rare, or whose own work is larger than a call. Gives what it costs in fuel: what works on
    /// many bytes or elements costs by their number.
    fn rare<D: Domain<Value = V, Overlay = O>>(
        &mut self,
        domain: &mut D,
        frame: &mut [V; FRAME],
        memory: usize,
        at: Site,
        instr: Instr,
    ) -> Result<u64, Trap> {
        let mut bytes = 0u64;
        let mut take = |slot: Slot, why: Need| domain.concretise(at, why, frame[slot as usize]);
        let word = |value: u32| D::constant(u64::from(value));
        match instr {
            Instr::MemorySize { dst } => frame[dst as usize] = word(self.memories[memory].pages()),
            Instr::MemoryGrow { dst, pages } => {
                let pages = take(pages, Need::Memory) as u32;
                bytes = u64::from(pages.min(1 << 16)) << 16;
                frame[dst as usize] = word(self.memories[memory].grow(pages).unwrap_or(u32::MAX));
            }
            Instr::MemoryFill { at: first } => {
                let (to, length) = (take(first, Need::Memory), take(first + 2, Need::Memory));
                let value = frame[first as usize + 1];
                domain.fill(&mut self.memories[memory], to as u32, value, length as u32)?;
                bytes = u64::from(length as u32);
            }
            Instr::MemoryCopy { at: first } => {
                let [to, from, length] = [0, 1, 2].map(|i| take(first + i, Need::Memory) as u32);
                self.memories[memory].copy(to, from, length)?;
                bytes = u64::from(length);
            }
            Instr::MemoryInit { at: first, segment } => {
                let [to, from, length] = [0, 1, 2].map(|i| take(first + i, Need::Memory) as u32);
                self.memory_init(memory, segment as usize, to, from, length)?;
                bytes = u64::from(length);
            }
            Instr::DataDrop { segment } => self.data[segment as usize] = Arc::default(),
            Instr::TableGet { dst, index, table } => {
                let index = take(index, Need::Table) as u32;
                frame[dst as usize] = D::constant(self.tables[table as usize].get(index)?);
            }
            Instr::TableSet { index, value, table } => {
                let (index, value) = (take(index, Need::Table) as u32, take(value, Need::Table));
                self.tables[table as usize].set(index, value)?;
            }
            Instr::TableSize { dst, table } => {
                frame[dst as usize] = word(self.tables[table as usize].elements.len() as u32);
            }
            Instr::TableGrow { at: first, table } => {
                let (value, by) = (take(first, Need::Table), take(first + 1, Need::Table) as u32);
                frame[first as usize] = word(self.tables[table as usize].grow(by, value));
                bytes = 8 * u64::from(by);
            }
            Instr::TableFill { at: first, table } => {
                let [to, value, length] = [0, 1, 2].map(|i| take(first + i, Need::Table));
                self.tables[table as usize].range(to as u32, length as u32)?.fill(value);
                bytes = 8 * u64::from(length as u32);
            }
            Instr::TableCopy { at: first, to: target, from: source } => {
                let [to, from, length] = [0, 1, 2].map(|i| take(first + i, Need::Table) as u32);
                self.table_copy(target as usize, source as usize, to, from, length)?;
                bytes = 8 * u64::from(length);
            }
            Instr::TableInit { at: first, table, segment } => {
                let [to, from, length] = [0, 1, 2].map(|i| take(first + i, Need::Table) as u32);
                self.table_init(table as usize, segment as usize, to, from, length)?;
                bytes = 8 * u64::from(length);
            }
            Instr::ElemDrop { segment } => self.elements[segment as usize] = Arc::default(),
            Instr::SelectWide { dst, condition, a, b } => {
                let from = if domain.branch(at, frame[condition as usize]) { a } else { b } as usize;
                frame.copy_within(from..from + 2, dst as usize);
            }
            Instr::Vector { op, at: first, lane } => {
                let (operands, results) = op.shape();
                let mut slots = [0; 6];
                for (i, slot) in slots[..operands].iter_mut().enumerate() {
                    *slot = take(first + i as Slot, Need::Vector);
                }
                let result = op.eval(slots, usize::from(lane));
                for (i, &bits) in result[..results].iter().enumerate() {
                    frame[first as usize + i] = D::constant(bits);
                }
            }
            _ => unreachable!("the interpreter's loop has an arm for {instr:?}"),
        }
        Ok(bytes / BULK)
    }
}

/// The slots of the frame at a base.
#[inline(always)]
fn window<V>(stack: &mut [V], base: usize) -> &mut [V; FRAME] {
    stack[base..].first_chunk_mut().expect("the stack extends a whole window beyond every base")
}

/// An immediate as a value.
#[inline(always)]
fn immediate<D: Domain>(imm: i32) -> D::Value {
    D::constant(i64::from(imm) as u64)
}
