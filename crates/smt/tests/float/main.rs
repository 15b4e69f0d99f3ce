//! `smt::float` against independent oracles: native arithmetic, the crate `rustc_apfloat`, and exact numbers.
//!
//! Every oracle also judges a planted bug, mostly a multiply-add that rounds twice, and must catch it.

mod apfloat;
mod exact;
mod laws;
mod native;
mod operands;
mod tiny;
