//! Java programs, run over a domain of values on the JDK's own classes.
//!
//! [`archive`] finds class files, [`classfile`] reads them, [`registry`] links them; [`machine`] interprets their bytecode over a
//! domain of `explore`, and [`natives`] is what is native in the JDK. No class of the JDK is modelled or changed.

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
