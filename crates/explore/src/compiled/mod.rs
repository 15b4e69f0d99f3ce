//! Runs on values in machine code: the program's module, rewritten so that it records what it does, compiled by Cranelift.
//!
//! The interpreter is the reference. A compiled run gives the same ending, output, jumps, coverage, route and habits, bit for bit;
//! what it cannot do (errors that are reported with their stacks, long jumps, exceptions, running out of a full tank) it gives up, and
//! the interpreter does that run from its start. So a caller never learns which of the two it was. The memory checks are the
//! interpreter's: [`body`] writes a look at the same shadow before each load and store.
//!
//! `plan` finds out which sites an instruction stands for, `body` and `rewrite` write the module, `runtime.wat` has what it calls, `host` serves
//! it by the world, `layout` says where things lie in its memories.

mod body;
mod host;
mod layout;
mod lent;
mod plan;
mod rewrite;

use crate::checks::Checks;
use crate::code::Function;
use crate::coverage::{Outline, Trail};
use crate::memory::{CHUNK, Memory, PAGE};
use crate::module::Module;
use crate::route::Route;
use crate::target::{Ending, Input, Run, RunLimits};
use crate::trap::Trap;
use crate::world::{Setup, Stop, Symbols, World};
use host::{End, State, Values};
use layout::{Layout, SPACE};
use rewrite::Original;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use wasmtime::{Config, Engine, Global, InstancePre, Linker, Memory as Linear, Store, TypedFunc, Val};

/// How deep a compiled program's calls go, in bytes of our own stack; deeper ones are the interpreter's. It is so little that
/// the interpreter's own limit is never reached here.
const STACK: usize = 512 << 10;

/// What a run starts from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start<'a> {
    pub(crate) module: &'a Module,
    pub(crate) functions: &'a [Function],
    /// The function to run, by its index in the module.
    pub(crate) entry: u32,
    pub(crate) globals: &'a [u64],
    /// The program's memory, as it is before a run.
    pub(crate) memory: &'a Memory<()>,
}

/// What a run gets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    pub(crate) setup: &'a Arc<Setup>,
    pub(crate) checks: &'a Checks,
    pub(crate) input: &'a Input,
    pub(crate) limits: &'a RunLimits,
    pub(crate) memory: &'a Memory<()>,
}

/// A compiled program.
pub(crate) struct Compiled {
    engine: Engine,
    pre: InstancePre<State>,
    outline: Arc<Outline>,
    layout: Layout,
    instances: Mutex<Vec<Instance>>,
    instrumented: bool,
}

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiled").field("entries", &self.outline.entries.len()).finish_non_exhaustive()
    }
}

/// An instance that can be run again and again.
struct Instance {
    store: Store<State>,
    run: TypedFunc<(), ()>,
    program: Linear,
    record: Linear,
    fuel: Global,
    route: Global,
    turns: Global,
    pages: Global,
}

impl Compiled {
    /// Compiles a program, or says why it is left to the interpreter.
    pub(crate) fn new(start: Start<'_>) -> Result<Compiled, String> {
        if start.memory.max_pages() as usize * PAGE > SPACE {
            return Err("its memory may become too large".to_string());
        }
        let instrumented = start.memory.is_instrumented();
        let original = Original {
            module: start.module,
            functions: start.functions,
            entry: start.entry,
            globals: start.globals,
            instrumented,
        };
        let rewritten = rewrite::rewrite(original)?;
        let failed = |error: wasmtime::Error| format!("{error:#}");
        let mut config = Config::new();
        config.wasm_multi_memory(true).wasm_bulk_memory(true).wasm_backtrace(false);
        config.cranelift_nan_canonicalization(true).max_wasm_stack(STACK);
        // Offsets up to the shadow need no check: behind 4 GB lies enough that nobody may touch.
        config.memory_reservation(1 << 32).memory_guard_size(1 << 30);
        let engine = Engine::new(&config).map_err(failed)?;
        let module = wasmtime::Module::new(&engine, &rewritten.module).map_err(failed)?;
        let mut linker = Linker::new(&engine);
        host::provide(&mut linker).map_err(failed)?;
        let pre = linker.instantiate_pre(&module).map_err(failed)?;
        let compiled = Compiled {
            engine,
            pre,
            outline: Arc::new(rewritten.outline),
            layout: rewritten.layout,
            instances: Mutex::default(),
            instrumented,
        };
        // An instance that cannot be made is noticed now.
        let first = compiled.instance(start.memory).map_err(failed)?;
        compiled.give_back(first);
        Ok(compiled)
    }

    fn instance(&self, original: &Memory<()>) -> wasmtime::Result<Instance> {
        let size = original.bytes().len();
        let state = State::new(size, original.max_pages(), self.instrumented);
        let mut store = Store::new(&self.engine, state);
        let instance = self.pre.instantiate(&mut store)?;
        let missing = || wasmtime::Error::msg("an export is missing");
        let [program, record] = ["program", "record"].map(|name| instance.get_memory(&mut store, name));
        let (program, record) = (program.ok_or_else(missing)?, record.ok_or_else(missing)?);
        let [fuel, route, turns, pages] =
            ["fuel", "route", "turns", "pages"].map(|name| instance.get_global(&mut store, name));
        let run = instance.get_typed_func(&mut store, "run")?;
        let data = program.data_mut(&mut store);
        data[..size].copy_from_slice(original.bytes());
        data[SPACE..SPACE + size].copy_from_slice(original.shadow());
        store.data_mut().memory = Some(program);
        store.data_mut().pages = pages;
        Ok(Instance {
            run,
            program,
            record,
            fuel: fuel.ok_or_else(missing)?,
            route: route.ok_or_else(missing)?,
            turns: turns.ok_or_else(missing)?,
            pages: pages.ok_or_else(missing)?,
            store,
        })
    }

    fn give_back(&self, instance: Instance) {
        self.instances.lock().unwrap_or_else(PoisonError::into_inner).push(instance);
    }

    /// Runs an input; nothing if the interpreter has to. The closure makes the arguments of the function to run.
    pub(crate) fn run(
        &self,
        given: Given<'_>,
        arguments: impl for<'m> FnOnce(
            &mut Values<'m>,
            &mut Memory<lent::Elsewhere<'m>>,
            &mut World<'static>,
        ) -> Vec<u64>,
    ) -> Option<(Run, Trail)> {
        let lent = self.instances.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut instance = match lent {
            Some(instance) => instance,
            None => self.instance(given.memory).ok()?,
        };
        let result = instance.run(self, given, arguments);
        instance.store.data_mut().world = None;
        instance.reset(&self.layout, given.memory);
        self.give_back(instance);
        result
    }
}

impl Instance {
    fn run(
        &mut self,
        compiled: &Compiled,
        given: Given<'_>,
        arguments: impl for<'m> FnOnce(
            &mut Values<'m>,
            &mut Memory<lent::Elsewhere<'m>>,
            &mut World<'static>,
        ) -> Vec<u64>,
    ) -> Option<(Run, Trail)> {
        let mut world =
            World::new(Arc::clone(given.setup), Cow::Owned(given.input.clone()), Symbols::default());
        world.checks = given.checks.clone();
        let fuel = self.store.data_mut().begin(world, given.limits);
        let (data, state) = self.program.data_and_store_mut(&mut self.store);
        let args =
            state.with_memory(data, |world, memory| arguments(&mut Values::default(), memory, world))?;
        let pages = (state.size / PAGE) as i32;
        let record = self.record.data_mut(&mut self.store);
        for (place, arg) in record.chunks_exact_mut(8).zip(args) {
            place.copy_from_slice(&arg.to_le_bytes());
        }
        self.pages.set(&mut self.store, Val::I32(pages)).ok()?;
        self.fuel.set(&mut self.store, Val::I64(fuel as i64)).ok()?;
        let returned = self.run.call(&mut self.store, ()).is_ok();

        let state = self.store.data_mut();
        let exit = state.world.as_ref()?.exit;
        let ending = match (returned, state.end) {
            (true, _) => Ending::Returned,
            (false, Some(End::Stopped(Trap::Host(code)))) => match (Stop::of(code), exit) {
                (Some(Stop::Exit), Some(0)) => Ending::Returned,
                (Some(Stop::Exit), code) => Ending::Exited(code.unwrap_or(0)),
                (Some(Stop::Assumption), _) => Ending::Discarded,
                _ => return None,
            },
            // Whatever else happened is reported with what only the interpreter knows.
            (false, _) => return None,
        };
        let World { objects, stdout, stderr, .. } = state.world.take()?;
        let rest = state.rest;
        let left = self.fuel.get(&mut self.store).i64().unwrap_or(0).max(0) as u64;
        let jumps = given.limits.fuel - rest - left;
        let run = Run { ending, objects, stdout, stderr, stack: Vec::new(), jumps, failures: Vec::new() };
        let route = Route(self.route.get(&mut self.store).i64().unwrap_or(0) as u64);
        let turns = self.turns.get(&mut self.store).i32().unwrap_or(0) as usize;
        let parts = compiled.layout.parts(self.record.data_mut(&mut self.store), turns);
        let routes = parts.routes.as_chunks::<8>().0.iter().map(|word| Route(u64::from_le_bytes(*word)));
        let (routes, met, pairs) = (routes.collect(), parts.met.to_vec(), parts.pairs.to_vec());
        Some((run, Trail::recorded(&compiled.outline, met, routes, route, pairs)))
    }

    /// Makes the memories what they are before a run.
    fn reset(&mut self, layout: &Layout, original: &Memory<()>) {
        let parts = layout.parts(self.record.data_mut(&mut self.store), 0);
        parts.met.fill(0);
        parts.pairs.fill(0);
        // What the program wrote to, and what the world did.
        let mut dirty = taken(parts.dirty);
        let (data, state) = self.program.data_and_store_mut(&mut self.store);
        let size = original.bytes().len();
        state.size = size;
        let (bytes, rest) = data.split_at_mut(SPACE);
        let flags = state.changes.iter_mut().enumerate();
        dirty.extend(flags.filter_map(|(chunk, flag)| std::mem::take(flag).then_some(chunk)));
        for (bytes, original) in [(bytes, original.bytes()), (&mut rest[..SPACE], original.shadow())] {
            for chunk in &dirty {
                // A store that begins in a chunk may end in the next one.
                let range = chunk << CHUNK..(((chunk + 1) << CHUNK) + 8).min(SPACE);
                let known = range.start.min(size)..range.end.min(size);
                bytes[known.clone()].copy_from_slice(&original[known.clone()]);
                bytes[known.end.max(range.start)..range.end].fill(0);
            }
        }
    }
}

/// The positions of flags that are set, which are cleared.
fn taken(flags: &mut [u8]) -> Vec<usize> {
    let mut set = Vec::new();
    for (at, eight) in flags.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        if *eight != [0; 8] {
            set.extend(eight.iter().enumerate().filter(|(_, flag)| **flag != 0).map(|(bit, _)| 8 * at + bit));
            *eight = [0; 8];
        }
    }
    set
}
