//! What a test does that lacks a solver, a compiler or the package index: it fails and names what is missing. A test that passed over it would
//! say that all is well without having looked.

/// Fails the test unless `SOUNDLINE_SKIP_MISSING` is set; then a line says what was not tested.
///
/// # Panics
/// If `SOUNDLINE_SKIP_MISSING` is not set.
pub fn missing(what: &str) {
    assert!(
        std::env::var_os("SOUNDLINE_SKIP_MISSING").is_some(),
        "{what} is missing; scripts/check installs it, and SOUNDLINE_SKIP_MISSING=1 passes over the tests that need it"
    );
    eprintln!("skipped: {what} is missing");
}
