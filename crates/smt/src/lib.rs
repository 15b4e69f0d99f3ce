//! SMT-LIB terms, scripts, values and their executable semantics.
//!
//! Everything else in the project stands on this crate: [`Terms`] is the arena in which terms live, [`read_script`]
//! turns text into them, [`mod@print`] turns them back, and [`eval`] says what they mean. The operator table in [`op`] is
//! the single source of what operators exist and how they behave.
//!
//! ```
//! use smt::{Evaluator, Model, Terms, Value, print, read_script};
//! let mut terms = Terms::new();
//! let reading = read_script(&mut terms, "(assert (= (+ 1 2) 3))");
//! let assertion = reading.script.assertions().next().unwrap();
//! assert_eq!(print::term_to_string(&terms, assertion), "(= (+ 1 2) 3)");
//! let value = Evaluator::new(&terms, &Model::default()).eval(assertion);
//! assert_eq!(value, Ok(Value::Bool(true)));
//! ```
//!
//! The crate does no I/O, solves nothing and has no randomness.

mod binders;
pub mod bitvec;
pub mod conversion;
pub mod error;
pub mod eval;
pub mod float;
mod graph;
mod instance;
pub mod lexer;
pub mod model;
pub mod op;
pub mod print;
mod read;
pub mod regex;
pub mod script;
mod sort;
mod sortcheck;
pub mod string;
mod symbol;
mod term;
pub mod text;
mod token;
mod value;
pub mod walk;

pub use bitvec::BitVec;
pub use conversion::Conversion;
pub use error::{Error, ErrorKind, Span};
pub use eval::{Evaluator, Undefined};
pub use float::{Float, Format, RoundingMode};
pub use instance::Chosen;
pub use model::{Model, ZeroSigns};
pub use op::{Op, Theory};
pub use read::{Dialect, Reader, Reading, read_bytes, read_script};
pub use script::{Command, CommandClass, Script};
pub use sort::{Collection, DatatypeId, Sort, SortId};
pub use sortcheck::{MAX_WIDTH, SortError};
pub use string::SmtString;
pub use symbol::Symbol;
pub use term::{
    ArenaId, Attribute, AttributeValue, Ctor, CtorId, Datatype, Definition, Field, FieldId, Flags, Fun,
    FunId, MatchCase, TermId, Terms,
};
pub use token::Token;
pub use value::{ArrayValue, CollectionValue, DatatypeValue, FieldValue, FunctionValue, Value};
pub use walk::TermMap;

pub use dashu_int::{IBig, UBig};
pub use dashu_ratio::RBig;

/// A hash set of the crate's usual hasher.
fn hash_set<T: std::hash::Hash + Eq>() -> hashbrown::HashSet<T, rustc_hash::FxBuildHasher> {
    hashbrown::HashSet::default()
}
