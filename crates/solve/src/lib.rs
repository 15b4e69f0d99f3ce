//! Engines that decide SMT-LIB queries and stream their partial solutions.
//!
//! [`engine`] is the seam: queries, budgets, partial solutions, verdicts. [`engines`] is the table of those who implement it;
//! [`portfolio`] lets them take turns. [`session`] is the SMT-LIB command loop in front of it all; between the two, queries are
//! simplified, split into parts that share no symbol, and looked up in the [`cache`]. The crate starts no process and does no I/O.
//!
//! ```
//! use solve::session::{Session, SessionSettings};
//!
//! let mut session = Session::new(SessionSettings::default()).expect("the portfolio");
//! let script = "(declare-const x (_ BitVec 8))(assert (= (bvmul x x) #x09))(assert (bvult x #x10))(check-sat)";
//! assert_eq!(session.submit(script).text, "sat\n");
//! assert_eq!(session.submit("(assert (bvult x #x03))(check-sat)").text, "unsat\n");
//! ```

mod anneal;
pub mod blast;
pub mod bounded;
pub mod cache;
mod defaults;
mod divisions;
pub mod engine;
pub mod engines;
mod euf;
mod guess;
mod ils;
mod independence;
mod known_answers;
pub mod linear;
mod nonlinear;
pub mod portfolio;
mod prepare;
pub mod profile;
pub mod record;
mod replay;
pub mod sat;
pub mod session;
pub mod simplex;
pub mod solver;
mod strings;
mod truths;
mod tuning;
pub mod verify;
mod view;
