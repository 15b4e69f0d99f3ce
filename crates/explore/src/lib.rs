//! Programs compiled to WebAssembly, run over a domain of values.
//!
//! [`Module`] decodes and validates; [`Machine`] compiles into a compact internal code and interprets it. The interpreter
//! is generic over a [`Domain`]: [`Concrete`] values run fast, [`Concolic`] ones carry terms of `smt` and record the path
//! condition. The [`machine`] module says how to drive it.
//!
//! [`Program`] puts a module into a virtual [`world`]; [`search`] explores its paths with the solvers of `solve`; [`report`]
//! writes down what was found. The crate knows nothing of how an engine works, and the only process it starts is the
//! compiler, in [`clang`].
//!
//! ```
//! use explore::search::{self, SearchSettings, StopReason};
//! use explore::{Program, text_to_binary, world::Setup};
//!
//! // A function that fails for one number among four billion ...
//! let module = text_to_binary(
//!     br#"(module (func (export "f") (param i32)
//!           (if (i32.eq (local.get 0) (i32.const 4711)) (then unreachable))))"#,
//! )
//! .unwrap();
//! let program = Program::load(&module, Setup { entry: Some("f".into()), ..Setup::default() }).unwrap();
//! // ... has two paths, and one of them crashes.
//! let found = search::explore(&program, &SearchSettings::default(), &mut |_| {});
//! assert_eq!((found.stop_reason, found.crashes.len()), (StopReason::Explored, 1));
//! ```

pub mod afl;
pub mod checks;
pub mod clang;
mod code;
mod compile;
pub mod concolic;
pub mod coverage;
pub mod dictionary;
mod domain;
mod error;
pub mod front;
mod habits;
mod host;
pub mod machine;
mod memory;
mod module;
pub mod native;
pub mod op;
mod program;
pub mod replay;
pub mod report;
pub mod route;
pub mod rust;
pub mod search;
pub mod seeds;
pub mod source;
pub mod target;
mod trap;
mod types;
mod vector;
pub mod world;

pub use concolic::{Concolic, ConcolicValue};
pub use domain::{Concrete, Division, Domain, Need, Observer, Scalars};
pub use error::Error;
pub use host::{CallStack, Host, HostCall, NoHost, Point};
pub use machine::{Instance, Machine, MachineEnd};
pub use memory::{Memory, Overlay};
pub use module::Module;
pub use program::Program;
pub use target::{Ending, Fault, PathEntry, PathKind, Run, RunLimits, Site, Target};
pub use trap::Trap;
pub use types::{
    Extern, FunctionId, FunctionType, GlobalId, Import, ImportType, MemoryId, SizeLimits, TableId, ValueType,
};

/// The binary format of a module in the text format; the message says where it is wrong.
pub fn text_to_binary(text: &[u8]) -> Result<Vec<u8>, String> {
    wat::parse_bytes(text).map(|bytes| bytes.into_owned()).map_err(|error| error.to_string())
}
