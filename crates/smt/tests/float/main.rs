//! `smt::float` against independent oracles: native arithmetic, the crate `rustc_apfloat`, and exact numbers.
//!
//! Every oracle also runs on a planted bug, which it must catch.

mod apfloat;
mod exact;
mod laws;
mod native;
mod operands;
mod tiny;
