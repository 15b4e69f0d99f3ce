//! One file a command.

pub(crate) mod check;
pub(crate) mod eval;
pub(crate) mod fmt;
pub(crate) mod solve;

/// A dialect by its version.
fn dialect(version: &str) -> Result<smt::Dialect, String> {
    match version {
        "2.6" | "2.7" => Ok(smt::Dialect::V26),
        "2.0" | "2.5" => Ok(smt::Dialect::V25),
        _ => Err("the dialects are 2.5 and 2.6".into()),
    }
}
