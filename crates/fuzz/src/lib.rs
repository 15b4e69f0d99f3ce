//! Testing SMT solvers: strategies that make scripts whose truth is known, solvers as processes, and findings small and
//! sure enough to be reported.
//!
//! ```
//! use fuzz::case::{Expectation, Strategy, Verdict};
//! use fuzz::evidence::{Class, suspicions};
//! use fuzz::solver::answer::{Answer, Reply};
//! use fuzz::truth::{Truth, TruthSettings};
//! use random::Rng;
//!
//! // The first test of the enumeration is satisfiable by construction ...
//! let truth = Truth::new(TruthSettings::default());
//! let mut batch = truth.batch(0, Rng::numbered(1, 0)).unwrap();
//! let case = batch.next().unwrap();
//! assert_eq!(case.expected, [Expectation::Sat]);
//! // ... so that a solver which answers `unsat` to it is suspected of being wrong.
//! let reply =
//!     Reply { verdict: Verdict::Unsat, model: None, core: None, values: None, reason_unknown: None };
//! let answer = Answer { replies: vec![reply], trouble: None };
//! let found = suspicions(&case.expected, &answer, &mut || None);
//! assert_eq!(found[0].class, Class::WrongUnsat);
//! ```
//!
//! - [`case`] is what everything speaks about: a [`case::TestCase`] is a script and what is known of each of its queries;
//!   a [`case::Strategy`] makes them in numbered batches.
//! - [`approx`] makes mutants of seeds whose verdict follows from the seed's (skeletal approximation).
//! - [`benchmark`] is a script with its status; [`race`] runs several solvers over many of them, [`mod@bisect`] many releases of
//!   a solver over one.
//! - [`mutate`] changes operators and terms of seeds, [`fusion`] makes one formula of two, [`enumerate`] walks through all small
//!   ones; [`all`] does everything, in every context, in shares that it learns.
//! - [`context`] puts a case into surroundings that do not change its truth; [`options`] knows what solvers can be set to.
//! - [`evolve`] breeds formulas on which a solver is slow.
//! - [`mod@reduce`] makes a script small while a test still finds what it looks for.
//! - [`plot`] draws what is measured, as SVG.
//! - [`ask`] words the questions, [`evidence`] compares the answers with what is known, establishes what is true and makes it
//!   small, [`finding`] writes it down; [`run`] is the loop around them.
//! - [`solver`] runs foreign solvers, each as a process with limits, and reads what they answer.
//! - [`truth`] builds formulas that are satisfiable or unsatisfiable by construction.
//!
//! The crate trusts no solver: what is reported was confirmed by a fresh run, and models are judged by [`smt::eval`].

pub mod all;
pub mod approx;
pub mod ask;
pub mod benchmark;
pub mod bisect;
pub mod case;
pub mod context;
pub mod enumerate;
pub mod evidence;
pub mod evolve;
pub mod finding;
pub mod fusion;
pub mod instrument;
pub mod mutate;
pub mod options;
pub mod plot;
pub mod race;
pub mod reduce;
pub mod run;
pub mod solver;
mod stop;
pub mod truth;
mod tuning;

pub use stop::StopReason;
