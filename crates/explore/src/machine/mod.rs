//! The machine: everything that runs, in one value that can be cloned to run again from the same point.
//!
//! How to drive it:
//!
//! 1. [`Module::decode`](crate::Module::decode) the bytes.
//! 2. Make a [`Machine`] with a domain: [`Concrete`](crate::Concrete), perhaps with an [`Observer`](crate::Observer) of
//!    its branches, or [`Concolic`](crate::Concolic).
//! 3. [`Machine::add_host_function`] for what the host provides, under numbers of the host's choice.
//! 4. [`Machine::instantiate`] the module; a closure says what each import is. Exports are in the [`Instance`].
//! 5. [`Machine::call`] prepares a call of a function; [`Machine::run`] runs it until it returns, traps or has used its
//!    fuel. After [`MachineEnd::OutOfFuel`] it can be run on. After a trap `Machine::backtrace` says where.
//!
//! A machine that has been instantiated once can be cloned for every run; code is shared between the clones.
//! `Machine::in_domain` gives the same machine, with its state as it is now, in another domain: compile once, then run
//! concretely or concolically. Sites are the same in both.
//!
//! ```
//! use explore::{Concrete, Extern, Machine, Module, NoHost, MachineEnd};
//! // (func (export "double") (param i32) (result i32) (i32.add (local.get 0) (local.get 0)))
//! let bytes = b"\0asm\x01\0\0\0\x01\x06\x01\x60\x01\x7f\x01\x7f\x03\x02\x01\0\x07\x0a\x01\x06double\0\0\
//!               \x0a\x09\x01\x07\0\x20\0\x20\0\x6a\x0b";
//! let module = Module::decode(bytes)?;
//! let mut machine = Machine::new(Concrete::<()>::default());
//! let instance = machine.instantiate(&module, &mut |_| None, &mut NoHost)?;
//! let Some(Extern::Function(double)) = instance.export("double") else { panic!("not exported") };
//! machine.call(double, &[21]);
//! let mut fuel = 1000;
//! assert_eq!(machine.run(&mut NoHost, &mut fuel), MachineEnd::Returned(vec![42]));
//! # Ok::<(), explore::Error>(())
//! ```

mod bulk;
mod link;
mod run;
mod sites;

use crate::code::{FRAME, Function, Program, Site};
use crate::domain::Domain;
use crate::host::Point;
use crate::memory::{Memory, Overlay};
use crate::trap::Trap;
use crate::types::{Extern, FunctionId, FunctionType, GlobalId, MemoryId, TableId, ValueType, slots_of};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MachineEnd<V> {
    /// The function returned these slots.
    Returned(Vec<V>),
    /// It trapped; the stack is as it was then.
    Trapped(Trap),
    /// It has used its fuel and can be run on.
    OutOfFuel,
}

/// Sizes beyond which a program does not get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MachineLimits {
    /// Frames of calls.
    pub frames: usize,
    /// Slots of all frames together.
    pub slots: usize,
    /// Pages of one memory, if the module does not say less.
    pub pages: u32,
    /// Elements of one table, if the module does not say less.
    pub elements: u32,
}

impl Default for MachineLimits {
    fn default() -> MachineLimits {
        MachineLimits { frames: 20_000, slots: 1 << 20, pages: 1 << 16, elements: 10_000_000 }
    }
}

/// What a module became.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    exports: Vec<(String, Extern)>,
}

impl Instance {
    /// What is exported under a name.
    pub fn export(&self, name: &str) -> Option<Extern> {
        self.exports.iter().find(|(known, _)| known == name).map(|export| export.1)
    }
}

/// Where a site is in its module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct CodeLocation {
    /// The instance, in the order of instantiation.
    pub instance: u32,
    /// The function's index in its module.
    pub function: u32,
    /// The offset of the instruction from the start of the code section's contents, as DWARF counts it.
    pub offset: u32,
}

/// A table: references as slots hold them.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    elements: Vec<u64>,
    ty: ValueType,
    max: u32,
    declared_max: Option<u32>,
}

/// What kind of global a slot belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GlobalInfo {
    slot: u32,
    ty: ValueType,
    mutable: bool,
}

/// A call in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    function: u32,
    /// The instruction to go on with.
    pc: u32,
    /// The stack index of its first slot.
    base: u32,
}

impl Frame {
    /// The instruction before the one to go on with: the call that it waits for.
    pub(crate) fn call_site(&self, functions: &[Function]) -> Site {
        Site(functions[self.function as usize].first + self.pc.saturating_sub(1))
    }
}

/// Calls that are put aside until it is their turn: a thread that waits.
#[derive(Clone, Debug)]
pub(super) struct Aside<V> {
    /// The call to the host at which they wait.
    here: Point,
    /// What that call gives.
    value: u32,
    frames: Vec<Frame>,
    slots: Vec<V>,
}

/// What changes while a program runs.
#[derive(Clone, Debug)]
pub(crate) struct MachineState<V, O> {
    memories: Vec<Memory<O>>,
    tables: Vec<Table>,
    globals: Vec<V>,
    elements: Vec<Arc<[u64]>>,
    data: Vec<Arc<[u8]>>,
}

impl<V, O: Overlay> MachineState<V, O> {
    /// Makes it what the state of another machine is, of which it was a copy before it changed.
    fn reset<W, P: Overlay>(&mut self, original: &MachineState<W, P>, value: impl Fn(&W) -> V) {
        for (memory, original) in self.memories.iter_mut().zip(&original.memories) {
            memory.reset(original);
        }
        for (table, original) in self.tables.iter_mut().zip(&original.tables) {
            table.elements.clone_from(&original.elements);
        }
        self.globals.clear();
        self.globals.extend(original.globals.iter().map(value));
        renew(&mut self.elements, &original.elements);
        renew(&mut self.data, &original.data);
    }
}

/// Makes segments what they were before some were dropped.
fn renew<T>(segments: &mut [Arc<[T]>], original: &[Arc<[T]>]) {
    for (segment, original) in segments.iter_mut().zip(original).filter(|(a, b)| !Arc::ptr_eq(a, b)) {
        segment.clone_from(original);
    }
}

/// What a machine that ran leaves to the next one.
#[derive(Debug)]
pub(crate) struct Lent<D: Domain> {
    stack: Vec<D::Value>,
    frames: Vec<Frame>,
    state: MachineState<D::Value, D::Overlay>,
}

impl<D: Domain> Lent<D> {
    /// How many slots its stack has.
    pub(crate) fn slots(&self) -> usize {
        self.stack.len()
    }
}

/// A machine with its program, its state and the domain of its values.
#[derive(Clone, Debug)]
pub struct Machine<D: Domain> {
    /// The domain, with what it has recorded.
    pub domain: D,
    limits: MachineLimits,
    program: Arc<Program>,
    global_infos: Arc<Vec<GlobalInfo>>,
    memory_maxima: Arc<Vec<Option<u32>>>,
    instances: u32,
    state: MachineState<D::Value, D::Overlay>,
    stack: Vec<D::Value>,
    frames: Vec<Frame>,
    /// The threads that wait for their turn, by number.
    aside: BTreeMap<u32, Aside<D::Value>>,
    /// A call of a host function from outside, to be served by the next run.
    pending_host: Option<u32>,
    /// Fuel that was spent beyond what a run was given: one instruction may cost more than is left.
    debt: u64,
    /// The slot of the global that is the stack pointer, which goes back with a long jump.
    stack_pointer: Option<u32>,
}

impl<D: Domain> Machine<D> {
    /// An empty machine.
    pub fn new(domain: D) -> Machine<D> {
        Machine::with_limits(domain, MachineLimits::default())
    }

    /// An empty machine with limits of its own.
    pub(crate) fn with_limits(domain: D, limits: MachineLimits) -> Machine<D> {
        // Memory 0 is the one that modules without memory have.
        let state = MachineState {
            memories: vec![Memory::new(0, 0)],
            tables: Vec::new(),
            globals: Vec::new(),
            elements: Vec::new(),
            data: Vec::new(),
        };
        Machine {
            domain,
            limits,
            program: Arc::default(),
            global_infos: Arc::default(),
            memory_maxima: Arc::new(vec![Some(0)]),
            instances: 0,
            state,
            stack: Vec::new(),
            frames: Vec::new(),
            aside: BTreeMap::new(),
            pending_host: None,
            debt: 0,
            stack_pointer: None,
        }
    }

    /// Says which global is the stack pointer.
    pub(crate) fn set_stack_pointer(&mut self, global: GlobalId) {
        self.stack_pointer = Some(self.global_infos[global.index()].slot);
    }

    /// The same machine in another domain, with memories, tables and globals as they are, and no call in progress.
    pub(crate) fn in_domain<E: Domain>(&self, domain: E) -> Machine<E> {
        self.in_domain_with(domain, None)
    }

    /// The same, with what an earlier one of these machines left: to make its memory what it was costs less than a copy.
    pub(crate) fn in_domain_with<E: Domain>(&self, domain: E, lent: Option<Lent<E>>) -> Machine<E> {
        let Lent { stack, frames, mut state } = lent.unwrap_or_else(|| Lent {
            stack: Vec::new(),
            frames: Vec::new(),
            state: MachineState {
                memories: self.state.memories.iter().map(Memory::plain).collect(),
                tables: self.state.tables.clone(),
                globals: Vec::new(),
                elements: self.state.elements.clone(),
                data: self.state.data.clone(),
            },
        });
        state.reset(&self.state, |&value| E::constant(D::bits(value)));
        Machine {
            domain,
            limits: self.limits,
            program: Arc::clone(&self.program),
            global_infos: Arc::clone(&self.global_infos),
            memory_maxima: Arc::clone(&self.memory_maxima),
            instances: self.instances,
            state,
            stack,
            frames,
            aside: BTreeMap::new(),
            pending_host: None,
            debt: 0,
            stack_pointer: self.stack_pointer,
        }
    }

    /// The domain, with what it has recorded, and what the next machine can use; the machine is given up.
    pub(crate) fn into_parts(self) -> (D, Lent<D>) {
        let Machine { domain, stack, mut frames, state, .. } = self;
        frames.clear();
        (domain, Lent { stack, frames, state })
    }

    /// What the slots of all calls in progress hold.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u64> {
        let top = self.frames.last().map_or(0, |frame| {
            frame.base as usize + self.program.functions[frame.function as usize].slots as usize
        });
        let aside = self.aside.values().flat_map(|thread| &thread.slots);
        self.stack[..top.min(self.stack.len())].iter().chain(aside).map(|&value| D::bits(value))
    }

    /// Adds a function that the host provides under this number.
    pub fn add_host_function(&mut self, ty: &FunctionType, number: u32) -> FunctionId {
        let program = Arc::make_mut(&mut self.program);
        let interned = program.intern(ty);
        let (params, results) = (slots_of(&ty.params), slots_of(&ty.results));
        program.functions.push(Function {
            ty: interned,
            params: params as u16,
            locals: params as u16,
            results: results as u16,
            slots: params.max(results),
            memory: 0,
            first: program.sites,
            code: Arc::default(),
            pool: Arc::default(),
            offsets: Arc::default(),
            index: number,
            instance: u32::MAX,
            host: Some(number),
        });
        FunctionId(program.functions.len() as u32 - 1)
    }

    /// Adds a memory that modules can import, with a size in pages.
    pub fn add_memory(&mut self, pages: u32, max: Option<u32>) -> MemoryId {
        let cap = max.unwrap_or(u32::MAX).min(self.limits.pages);
        self.state.memories.push(Memory::new(pages.min(cap), cap));
        Arc::make_mut(&mut self.memory_maxima).push(max);
        MemoryId(self.state.memories.len() as u32 - 1)
    }

    /// Adds a table of null references that modules can import.
    pub fn add_table(&mut self, ty: ValueType, size: u32, max: Option<u32>) -> TableId {
        let cap = max.unwrap_or(u32::MAX).min(self.limits.elements);
        let elements = vec![0; size.min(cap) as usize];
        self.state.tables.push(Table { elements, ty, max: cap, declared_max: max });
        TableId(self.state.tables.len() as u32 - 1)
    }

    /// Adds a global that modules can import. Of a vector, the low half comes first.
    pub fn add_global(&mut self, ty: ValueType, mutable: bool, value: u128) -> GlobalId {
        let slot = self.state.globals.len() as u32;
        for half in 0..ty.slots() {
            self.state.globals.push(D::constant((value >> (64 * half)) as u64));
        }
        Arc::make_mut(&mut self.global_infos).push(GlobalInfo { slot, ty, mutable });
        GlobalId(self.global_infos.len() as u32 - 1)
    }

    /// The type of a function.
    pub(crate) fn function_type(&self, function: FunctionId) -> &FunctionType {
        &self.program.types[self.program.functions[function.index()].ty as usize]
    }

    /// A memory of the instance, by number.
    pub(crate) fn memory(&self, memory: MemoryId) -> &Memory<D::Overlay> {
        &self.state.memories[memory.index()]
    }

    /// A memory, to be changed, and the domain to make its bytes symbolic with.
    pub(crate) fn memory_mut(&mut self, memory: MemoryId) -> (&mut Memory<D::Overlay>, &mut D) {
        (&mut self.state.memories[memory.index()], &mut self.domain)
    }

    /// The slots of a global.
    pub fn global(&self, global: GlobalId) -> &[D::Value] {
        let info = self.global_infos[global.index()];
        &self.state.globals[info.slot as usize..][..usize::from(info.ty.slots())]
    }

    /// How many sites there are: the length of a table indexed by [`Site::index`].
    pub(crate) fn site_count(&self) -> usize {
        self.program.sites as usize
    }

    /// Where a site is in its module.
    pub(crate) fn locate(&self, site: Site) -> Option<CodeLocation> {
        let functions = &self.program.functions;
        let after = functions.partition_point(|function| function.first <= site.0);
        let function = functions[..after].iter().rev().find(|function| function.host.is_none())?;
        let offset = *function.offsets.get((site.0 - function.first) as usize)?;
        Some(CodeLocation { instance: function.instance, function: function.index, offset })
    }

    /// Prepares a call; whatever ran before is forgotten. Arguments are slots, two for a vector. Missing ones are zero.
    pub fn call(&mut self, function: FunctionId, args: &[D::Value]) {
        let callee = &self.program.functions[function.index()];
        self.frames.clear();
        self.aside.clear();
        if self.stack.len() < FRAME {
            self.stack.resize(FRAME, D::Value::default());
        }
        let params = usize::from(callee.params);
        self.stack[..usize::from(callee.locals)].fill(D::Value::default());
        for (slot, &arg) in self.stack[..params].iter_mut().zip(args) {
            *slot = arg;
        }
        self.pending_host = callee.host;
        self.frames.push(Frame { function: function.0, pc: 0, base: 0 });
    }

    /// The instruction at hand and those that called it, innermost first.
    pub(crate) fn backtrace(&self) -> Vec<Site> {
        self.frames.iter().rev().map(|frame| frame.call_site(&self.program.functions)).collect()
    }

    /// The first instruction of a function.
    pub(crate) fn first_site(&self, function: FunctionId) -> Site {
        Site(self.program.functions[function.index()].first)
    }

    /// The same of a machine that ran out of fuel: it did not begin with its next instruction, which may be the target of a jump.
    pub(crate) fn next_instructions(&self) -> Vec<Site> {
        let mut sites = self.backtrace();
        if let (Some(innermost), Some(frame)) = (sites.first_mut(), self.frames.last()) {
            *innermost = Site(self.program.functions[frame.function as usize].first + frame.pc);
        }
        sites
    }
}
