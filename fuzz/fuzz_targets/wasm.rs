//! `cargo fuzz run wasm`: any bytes are loaded as a module, and run a little if they are one.
#![no_main]

#[path = "../../crates/explore/tests/mutations/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    check::check(bytes);
});
