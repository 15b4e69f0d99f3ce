//! Foreign programs under limits. Whatever this project starts (a solver, a compiler, a program under test), it starts here.
//!
//! [`run`] gives a text to a fresh process and returns what it printed, how it ended and what it used. A [`Command`] also says in
//! which folder and with which environment the program runs. A [`Process`] stays alive, for a conversation in several steps.
//!
//! ```
//! use process::{End, Limits, run};
//! use std::sync::atomic::AtomicBool;
//!
//! let never = AtomicBool::new(false);
//! let run = run(&["tr", "a-z", "A-Z"], b"sat", &Limits::default(), &never).unwrap();
//! assert_eq!((run.stdout.as_str(), run.end), ("SAT", End::Exited(0)));
//! ```
//!
//! A program that hangs, floods its output, forks, crashes or dies is a result ([`End`]), not an error. An [`Error`] means that
//! the system could not start it.
//!
//! # No process is left behind
//!
//! A program may start others, and those may leave its process group. Two things together find them all:
//!
//! - Every descendant carries a tag in its environment, and this process is the reaper of their orphans
//!   (`PR_SET_CHILD_SUBREAPER`). When the program ends, what it left behind is ended too (`family.rs`).
//! - If this process itself is ended, even by `SIGKILL`, it cannot act any more. A small shell process, the guard, waits for that
//!   moment and then ends everything with our tag (`guard.rs`).
//!
//! A control group for each program would do both, but the kernel takes about 50 ms to move a process into one, which is ten
//! times what a solver needs for an easy script; and most users may not make one.
//!
//! Linux only: `/proc` tells what a process uses and whom it started. The crate does not know what a program's output means.

mod command;
mod family;
mod guard;
mod limits;
mod os;
mod process;

pub use command::{Command, Error, run};
pub use family::Usage;
pub use limits::{End, Limits, Run};
pub use process::{Halt, Process, Watch};
