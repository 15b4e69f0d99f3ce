//! Laws of the core, against independent oracles.

mod conjunctions;
mod differences;
mod incremental;
mod integers;
mod muse_example;
mod oracle;
mod z3;
