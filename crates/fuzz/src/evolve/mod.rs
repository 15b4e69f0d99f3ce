//! `fuzz evolve`: formulas on which a target solver is slow and a reference solver is not, by multi-objective evolution
//! (Ren et al.: Multi-Objective Evolutionary Algorithm for String SMT Solver Testing, "MulStringFuzz").
//!
//! - [`individual`] is what evolves; [`grammar`], [`grow`] and [`generate`] make new ones for strings, integers, bit-vectors
//!   and floats; [`mutate`] and [`crossover`] change them at [`place`]s.
//! - [`objective`] and [`coverage`] say what a run was worth, [`trace`] how alike two runs were.
//! - [`evaluate`] runs target and reference, of whose [`family`] a table knows more than SMT-LIB says.
//! - [`nsga`] chooses who lives; [`variant`] is the table of what counts; [`search`] is the loop of generations, which
//!   [`store`] keeps on disk.
//! - [`confirm`] says what of the result is a defect, [`publish`] writes it down as a finding, [`report`] writes the
//!   tables and plots, and [`run`] does all of it in order.

pub mod confirm;
pub mod coverage;
pub mod crossover;
pub mod evaluate;
pub mod family;
pub mod generate;
pub mod grammar;
pub mod grow;
pub mod individual;
pub mod mutate;
pub mod nsga;
pub mod objective;
pub mod place;
pub mod publish;
pub mod report;
pub mod run;
pub mod search;
pub mod store;
pub mod trace;
pub mod variant;
