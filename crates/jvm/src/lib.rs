//! Java programs, run over a domain of values on the JDK's own classes.
//!
//! [`archive`] finds class files, [`classfile`] reads them, [`registry`] links them; [`machine`] interprets their bytecode over a
//! domain of `explore`, and [`natives`] is what is native in the JDK. No class of the JDK is modelled or changed.
//!
//! [`front`] opens the files that a user names. What it gives is a target of `explore::search`, as a WebAssembly program is:
//!
//! ```
//! use explore::search::{self, SearchSettings, StopReason};
//! use explore::world::Setup;
//!
//! // A method that fails for one number among four billion ...
//! let folder = tempfile::tempdir().unwrap();
//! let file = folder.path().join("Rare.java");
//! std::fs::write(&file, "class Rare { static int f(int x) { return 1 / (x - 4711); } }").unwrap();
//! let setup = Setup { entry: Some("Rare.f".into()), ..Setup::default() };
//! let opened = jvm::front::open(&file, None, setup, &[]).unwrap();
//! // ... has two paths, and one of them ends in an exception.
//! let found = search::explore(&opened.program, &SearchSettings::default(), &mut |_| {});
//! assert_eq!((found.stop_reason, found.crashes.len()), (StopReason::Explored, 1));
//! ```

pub mod archive;
mod boot;
mod checksum;
pub mod class;
pub mod classfile;
mod decode;
pub mod domain;
pub mod dynamic;
pub mod front;
mod handles;
pub mod heap;
mod helpful;
mod jacoco;
mod junit;
pub mod kind;
pub mod machine;
pub mod native;
pub mod natives;
pub mod op;
mod parameters;
pub mod program;
pub mod registry;
pub mod sites;
mod target;
mod typecheck;
mod verify;
pub mod world;
