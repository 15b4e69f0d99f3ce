//! What the tests of several crates share: a seeded random source, random values and well-sorted terms made from the
//! operator table, quantifiers over few values, and foreign solvers as processes.
//!
//! It is a dev-dependency only. Nothing here knows what a term means: that is what the tests ask the evaluator, the
//! engines and the foreign solvers.

mod expand;
mod ground;
mod missing;
mod overflow;
mod scripts;
mod signature;
mod solver;
mod terms;

pub use expand::expanded;
pub use ground::{FORMATS, Ground, WIDTHS};
pub use missing::missing;
pub use overflow::is_overflow_predicate;
pub use random::Rng;
pub use scripts::scripts;
pub use signature::{Signature, signature};
pub use solver::{Answer, Solver, SolverKind};
pub use terms::{Scope, TermGen, World};
