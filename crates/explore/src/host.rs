//! The world outside: functions that a module imports and the embedder provides.

use crate::code::Site;
use crate::domain::Domain;
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
}

/// A host that provides nothing, for modules without imported functions.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl<D: Domain> Host<D> for NoHost {
    fn call(&mut self, call: HostCall<'_, D>) -> Result<(), Trap> {
        Err(Trap::Host(call.function))
    }
}
