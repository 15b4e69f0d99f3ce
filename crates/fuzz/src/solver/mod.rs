//! Foreign solvers: the only place of the project that starts them, through the crate [`process`].
//!
//! - [`Solver`] is a command that reads SMT-LIB: a release from the [`Store`], a name of the [`table`], or any command line.
//! - [`Solver::run`] gives a script to a fresh process under [`Limits`]; [`Session::ask`] gives it to a process that lives on.
//!   Both leave a [`Run`].
//! - [`answer::read`] says what a run means: verdicts, models, cores, and what went wrong.
//!
//! A solver that hangs, floods, forks, crashes or dies is a result ([`End`]), not an error, and leaves no process behind.

pub mod answer;
mod probe;
mod session;
mod spec;
mod stack;
mod store;
pub mod table;

pub use probe::Probe;
pub use process::{End, Limits, Run};
pub use session::Session;
pub use spec::{Solver, SolverError};
pub(crate) use stack::is_same_place;
pub use store::{Release, Store, StoreError};
