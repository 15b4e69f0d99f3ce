//! Programs compiled to WebAssembly, run over a domain of values.
//!
//! [`Module`] decodes and validates; [`Machine`] compiles into a compact internal code and interprets it. The interpreter
//! is generic over a [`Domain`]: [`Concrete`] values run fast, [`Concolic`] ones carry terms of `smt` and record the path
//! condition. The [`machine`] module says how to drive it.
//!
//! The crate knows nothing of how an engine of `solve` works, and starts no process.

mod code;
mod compile;
pub mod concolic;
mod domain;
mod error;
mod host;
pub mod machine;
mod memory;
mod module;
pub mod op;
mod trap;
mod types;
mod vector;

pub use code::Site;
pub use concolic::{Concolic, ConcolicValue, PathEntry, PathKind};
pub use domain::{Concrete, Domain, Need, Observer};
pub use error::Error;
pub use host::{Host, HostCall, NoHost};
pub use machine::{CodeLocation, Instance, Machine, MachineLimits, Outcome};
pub use memory::{Memory, Overlay, PAGE};
pub use module::Module;
pub use trap::Trap;
pub use types::{
    Extern, FunctionId, FunctionType, GlobalId, Import, ImportType, Limits, MemoryId, TableId, ValueType,
};
