//! The world outside: functions that a module imports and the embedder provides.

use crate::code::{Function, Site};
use crate::domain::Domain;
use crate::machine::Frame;
use crate::memory::Memory;
use crate::trap::Trap;

/// Provides the functions that were added with [`crate::Machine::add_host_function`].
pub trait Host<D: Domain> {
    /// Serves one call, or ends the run.
    fn call(&mut self, call: HostCall<'_, D>) -> Result<(), Trap>;
}

/// A call to the host.
pub struct HostCall<'a, D: Domain> {
    /// The number under which the function was added.
    pub function: u32,
    /// The calling instruction.
    pub at: Site,
    /// The slots of the arguments.
    pub args: &'a [D::Value],
    /// The slots of the results, to be filled; zeros before.
    pub results: &'a mut [D::Value],
    /// The memory of the calling module; empty if it has none.
    pub memory: &'a mut Memory<D::Overlay>,
    /// The domain, to make values in, or to take their bits with.
    pub domain: &'a mut D,
    /// The calls around this one.
    pub stack: CallStack<'a>,
    /// Where this call is, to come back to.
    pub here: Point,
    /// If it is set, the machine does not simply go on behind the call.
    pub detour: &'a mut Option<Detour<D::Value>>,
    /// How many bytes the call worked on, for the host to say: they cost fuel.
    pub bytes: &'a mut u64,
}

/// A call to the host in progress: which calls are around it, and where its result belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    pub(crate) depth: u32,
    pub(crate) frame: Frame,
    pub(crate) result: u16,
    /// The value of the stack pointer.
    pub(crate) stack_pointer: u64,
}

/// Where the machine goes on after a call to the host.
#[derive(Clone, Copy, Debug)]
pub enum Detour<V> {
    /// There, as if the call there had given this value: what was called since is dropped.
    Back(Point, V),
    /// Behind this call. The calls in progress are also kept under a number, with a stack of their own: once it is their turn, this call gives
    /// them 1.
    Part {
        /// What [`Detour::Turn`] calls them by.
        number: u32,
        /// The value of their stack pointer.
        stack_pointer: u64,
    },
    /// The calls in progress are put aside under a number, until it is their turn again. Those kept under another number go on.
    Turn {
        /// The number of those that wait now; none if they have ended.
        from: Option<u32>,
        /// The number of those that go on.
        to: u32,
    },
}

/// The calls that are in progress at a call to the host.
#[derive(Clone, Copy)]
pub struct CallStack<'a> {
    pub(crate) at: Site,
    pub(crate) frames: &'a [Frame],
    pub(crate) functions: &'a [Function],
}

impl CallStack<'_> {
    /// At most so many calls, the innermost first.
    pub(crate) fn sites(&self, most: usize) -> Vec<Site> {
        let outer = self.frames.iter().rev().map(|frame| frame.call_site(self.functions));
        std::iter::once(self.at).chain(outer).take(most).collect()
    }
}

/// A host that provides nothing, for modules without imported functions.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl<D: Domain> Host<D> for NoHost {
    fn call(&mut self, call: HostCall<'_, D>) -> Result<(), Trap> {
        Err(Trap::Host(call.function))
    }
}
