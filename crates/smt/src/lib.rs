//! SMT-LIB terms, scripts, values and their executable semantics.

pub mod float;
pub mod regex;
pub mod string;
