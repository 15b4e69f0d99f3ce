//! `cargo fuzz run reader corpus/hand`: any bytes are read, and what was read is printed and read back.
#![no_main]

#[path = "../../crates/smt/tests/mutations/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::check(bytes));
