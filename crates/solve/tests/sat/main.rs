//! The SAT core against independent judges: brute force, a proof checker, circuits with known answers and a
//! toy theory.

mod formulas;
mod incremental;
mod limits;
mod oracle;
mod plain;
mod proofs;
mod theories;
