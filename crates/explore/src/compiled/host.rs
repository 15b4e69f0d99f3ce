//! The five functions that a rewritten module imports, served by the same world as the interpreter's.

use super::layout::SPACE;
use super::lent::{Elsewhere, Lent};
use super::rewrite::{COPY, FILL, GROW};
use crate::domain::{Concrete, Domain};
use crate::host::{CallStack, Host, HostCall, Point};
use crate::memory::Memory;
use crate::target::{RunLimits, Site};
use crate::trap::Trap;
use crate::world::World;
use crate::world::functions::{Service, TABLE};
use std::sync::atomic::Ordering;
use std::time::Instant;
use wasmtime::{Caller, Global, Linker, Memory as Linear, Val};

/// How many jumps and calls are made between two looks at the clock.
const SLICE: u64 = 1 << 20;
/// Bytes that cost as much fuel as a jump does.
const BULK: u64 = 64;

/// The domain of calls to the world.
pub(crate) type Values<'m> = Concrete<(), Elsewhere<'m>>;

/// What ends a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The world ended it.
    Stopped(Trap),
    /// The fuel is used.
    OutOfFuel,
    /// The interpreter has to do it: what the program asked for needs its stack.
    Unable,
}

/// Ends a run; the state says why.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the run has ended")]
struct Ended;

/// What belongs to a run.
#[derive(Debug)]
pub(super) struct State {
    pub(super) world: Option<World<'static>>,
    /// Which chunks of memory the world changed.
    pub(super) changes: Vec<bool>,
    /// The size of the program's memory.
    pub(super) size: usize,
    /// The size beyond which it does not grow, in pages.
    pub(super) max: u32,
    pub(super) instrumented: bool,
    /// Fuel beyond what the program has at hand.
    pub(super) rest: u64,
    /// Fuel that bulk operations cost.
    debt: u64,
    limits: RunLimits,
    pub(super) end: Option<End>,
    /// The program's memory and the number of its pages, once there is an instance.
    pub(super) memory: Option<Linear>,
    pub(super) pages: Option<Global>,
}

impl State {
    pub(super) fn new(size: usize, max: u32, instrumented: bool) -> State {
        State {
            world: None,
            changes: Vec::new(),
            size,
            max,
            instrumented,
            rest: 0,
            debt: 0,
            limits: RunLimits::default(),
            end: None,
            memory: None,
            pages: None,
        }
    }

    /// Begins a run; gives the fuel that the program has at hand.
    pub(super) fn begin(&mut self, world: World<'static>, limits: &RunLimits) -> u64 {
        self.world = Some(world);
        self.limits = limits.clone();
        self.end = None;
        self.debt = 0;
        let first = SLICE.min(limits.fuel);
        self.rest = limits.fuel - first;
        first
    }

    /// The program's memory, as the world sees it; what lies behind `size` is zero.
    pub(super) fn with_memory<T>(
        &mut self,
        data: &mut [u8],
        action: impl for<'m> FnOnce(&mut World<'static>, &mut Memory<Elsewhere<'m>>) -> T,
    ) -> Option<T> {
        let world = self.world.as_mut()?;
        let (bytes, rest) = data.split_at_mut(SPACE);
        let window = |all| Lent::Window { all, used: self.size };
        let (bytes, shadow) = (window(bytes), window(&mut rest[..SPACE]));
        let changes = std::mem::take(&mut self.changes);
        let mut memory = Memory::lent(bytes, shadow, changes, self.instrumented, self.max);
        let result = action(world, &mut memory);
        self.size = memory.bytes().len();
        self.changes = memory.into_changes();
        Some(result)
    }

    fn end(&mut self, end: End) -> wasmtime::Error {
        self.end = Some(end);
        Ended.into()
    }
}

/// What needs the interpreter's stack, or is an error that is reported with it.
fn is_beyond(service: Service) -> bool {
    matches!(
        service,
        Service::SetJump
            | Service::LongJump
            | Service::NewException
            | Service::Throw
            | Service::Undefined(_)
            | Service::Error
            | Service::Abort
            | Service::Unsupported
    )
}

/// Works on the program's memory, and lets the program know how large it is then.
fn work<T>(
    caller: &mut Caller<'_, State>,
    action: impl for<'m> FnOnce(&mut World<'static>, &mut Memory<Elsewhere<'m>>) -> Result<T, Trap>,
) -> wasmtime::Result<T> {
    let before = caller.data().size;
    let Some(linear) = caller.data().memory else { return Err(caller.data_mut().end(End::Unable)) };
    let (data, state) = linear.data_and_store_mut(&mut *caller);
    let result = match state.with_memory(data, action) {
        Some(Ok(result)) => result,
        Some(Err(trap)) => return Err(state.end(End::Stopped(trap))),
        None => return Err(state.end(End::Unable)),
    };
    let after = state.size;
    if before != after
        && let Some(pages) = state.pages
    {
        pages.set(caller, Val::I32((after / crate::memory::PAGE) as i32))?;
    }
    Ok(result)
}

fn serve(mut caller: Caller<'_, State>, number: i32, site: i32, args: &[i64]) -> wasmtime::Result<i64> {
    let Some(row) = TABLE.get(number as usize).filter(|row| !is_beyond(row.service)) else {
        return Err(caller.data_mut().end(End::Unable));
    };
    let (params, results) = row.arity();
    let args: [u64; 9] = std::array::from_fn(|at| args.get(at).map_or(0, |&arg| arg as u64));
    let at = Site(site as u32);
    let (result, bytes) = work(&mut caller, |world, memory| {
        let (mut result, mut bytes, mut jump) = ([0u64; 1], 0, None);
        world.call(HostCall {
            function: number as u32,
            at,
            args: &args[..params],
            results: &mut result[..results],
            memory,
            domain: &mut Values::default(),
            stack: CallStack { at, frames: &[], functions: &[] },
            here: Point::nowhere(),
            jump: &mut jump,
            bytes: &mut bytes,
        })?;
        Ok((result[0], bytes))
    })?;
    caller.data_mut().debt += bytes / BULK;
    Ok(result as i64)
}

fn bulk(mut caller: Caller<'_, State>, op: i32, a: i32, b: i32, c: i32) -> wasmtime::Result<i32> {
    let [a, b, c] = [a, b, c].map(|word| word as u32);
    let (result, bytes) = work(&mut caller, |_, memory| match op {
        GROW => Ok((memory.grow(a).unwrap_or(u32::MAX), u64::from(a.min(1 << 16)) << 16)),
        FILL => {
            Values::default().fill(memory, a, u64::from(b), c)?;
            Ok((0, u64::from(c)))
        }
        COPY => {
            memory.copy(a, b, c)?;
            Ok((0, u64::from(c)))
        }
        _ => Err(Trap::Unreachable),
    })?;
    caller.data_mut().debt += bytes / BULK;
    Ok(result as i32)
}

/// The next slice of fuel: the jump at hand has been charged already.
fn more(mut caller: Caller<'_, State>) -> wasmtime::Result<i64> {
    let state = caller.data_mut();
    let expired = state.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    if state.rest == 0 {
        return Err(state.end(End::OutOfFuel));
    }
    if expired || state.limits.stop.load(Ordering::Relaxed) {
        // Where a run is cut off by the clock is the interpreter's to say.
        return Err(state.end(End::Unable));
    }
    let slice = SLICE.min(state.rest);
    state.rest -= slice;
    Ok(slice as i64)
}

/// The fuel at hand after what bulk operations cost is paid.
fn settle(mut caller: Caller<'_, State>, fuel: i64) -> wasmtime::Result<i64> {
    let state = caller.data_mut();
    let all = (fuel.max(0) as u64 + state.rest).saturating_sub(std::mem::take(&mut state.debt));
    let at_hand = SLICE.min(all);
    state.rest = all - at_hand;
    Ok(at_hand as i64)
}

/// What rewritten modules import.
pub(super) fn provide(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    const MODULE: &str = "soundline";
    linker.func_wrap(
        MODULE,
        "host",
        |caller: Caller<'_, State>, n: i32, at: i32, a: i64, b: i64, c: i64| serve(caller, n, at, &[a, b, c]),
    )?;
    linker.func_wrap(
        MODULE,
        "host_many",
        #[allow(clippy::too_many_arguments, reason = "the longest function of WASI has nine parameters")]
        |caller: Caller<'_, State>,
         number: i32,
         at: i32,
         a: i64,
         b: i64,
         c: i64,
         d: i64,
         e: i64,
         f: i64,
         g: i64,
         h: i64,
         i: i64| serve(caller, number, at, &[a, b, c, d, e, f, g, h, i]),
    )?;
    linker.func_wrap(MODULE, "more", more)?;
    linker.func_wrap(MODULE, "settle", settle)?;
    linker.func_wrap(MODULE, "bulk", bulk)?;
    Ok(())
}
