//! Our own CDCL SAT core: the heart of DPLL(T) in `simplex` and of bit-blasting in `blast`.
//!
//! It exists, rather than a foreign solver, because the engines need three things at once: a theory in
//! the loop with lazy explanations, a view of every partial assignment that the search passes through
//! (Zhang et al. 2020, Section 3.5), and the same run for the same input. It knows nothing of terms or sorts, does no
//! I/O except for an optional proof, and never reads a clock: all effort is counted in *ticks*, an
//! estimate of cache lines touched, and the caller's budget is asked every few thousand of them.
//!
//! One file per technique; `search` is the table of contents.
//!
//! | file | technique |
//! |---|---|
//! | `search` | the main loop, assumptions, outcomes |
//! | `propagate` | two watched literals with blockers, binary clauses inlined |
//! | `analyze`, `minimize` | first unique implication point, iterative minimisation, binary strengthening |
//! | `decide`, `heap`, `queue`, `phases` | EVSIDS and VMTF by mode, saved/target/best phases, rephasing |
//! | `restart` | glucose and Luby restarts with trail reuse, mode switching |
//! | `reduce`, `collect` | glue tiers; removal of root-satisfied clauses; compaction of the arena |
//! | `inprocess` | the schedule of the techniques below |
//! | `probe`, `vivify`, `subsume`, `substitute`, `eliminate`, `gates` | failed literals, vivification, subsumption, equivalences, variable elimination |
//! | `extend` | witnesses of eliminated variables: model extension and restoring |
//! | `theory`, `lemma` | the theory hook and clauses that arrive in the middle of the search |
//! | `dimacs`, `proof` | DIMACS text, DRAT proofs |

mod analyze;
mod arena;
mod collect;
mod counters;
mod decide;
pub mod dimacs;
mod eliminate;
mod extend;
mod gates;
mod heap;
mod inprocess;
mod lemma;
mod lit;
mod minimize;
mod options;
mod phases;
mod probe;
mod proof;
mod propagate;
mod queue;
mod reduce;
mod restart;
mod search;
mod solver;
mod substitute;
mod subsume;
mod theory;
mod vivify;
mod watch;

pub use counters::Counters;
pub use lit::{Lit, Var};
pub use options::{Modes, SatSettings};
pub use search::{Hooks, SatAnswer, Stop};
pub use solver::Solver;
pub use theory::{Assignment, Feedback, Theory};
