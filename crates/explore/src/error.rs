//! What can be wrong with a module before it runs.

use crate::trap::Trap;

/// Why a module was refused or could not be instantiated.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bytes are not a valid module of the supported features.
    #[error("invalid module: {message} (at offset {offset:#x})")]
    Invalid {
        /// What the validator found.
        message: String,
        /// Where in the file.
        offset: u64,
    },
    /// The module is valid but larger than the machine's code format allows.
    #[error("{what} exceeds the machine's limit of {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// The largest supported.
        limit: u64,
    },
    /// An import that the world does not have.
    #[error(
        "unknown import {module}.{name}: it is defined nowhere, and soundline does not provide it\nhelp: name the file or the archive (for wasm32) that defines it, or add a C file with a function of this name that does what the program needs of it"
    )]
    UnknownImport {
        /// The module it is imported from.
        module: String,
        /// Its name there.
        name: String,
    },
    /// A function of the world that the program takes for another.
    #[error(
        "{import} is declared as {found}, and soundline provides {expected}: does the file include soundline.h?"
    )]
    MistypedImport {
        /// The module it is imported from, and its name there.
        import: String,
        /// The type that the program wants.
        found: String,
        /// The type that there is.
        expected: String,
    },
    /// An import whose provided item has another type.
    #[error("incompatible import type for {module}.{name}")]
    IncompatibleImport {
        /// The module it is imported from.
        module: String,
        /// Its name there.
        name: String,
    },
    /// The function to start with is not exported.
    #[error("the module exports no function {name}; it exports {}", if exported.is_empty() { "none".to_string() } else { exported.join(", ") })]
    NoEntry {
        /// The name after `--entry`.
        name: String,
        /// What is exported.
        exported: Vec<String>,
    },
    /// A parameter that cannot be made symbolic.
    #[error("parameter {position} of {function} is a vector or a reference")]
    Parameter {
        /// The name after `--entry`.
        function: String,
        /// Which one, from one.
        position: usize,
    },
    /// `--length` names something else than a pointer and an integer among the parameters.
    #[error("--length {array}={size}: not a pointer and an integer of at most 32 bits among the parameters{}", if known.is_empty() { String::new() } else { format!(" {}", known.join(", ")) })]
    Length {
        /// What stands before the `=`.
        array: String,
        /// What stands behind it.
        size: String,
        /// The names of the parameters.
        known: Vec<String>,
    },
    /// Copying a segment, or the start function, trapped.
    #[error("instantiation trapped: {0}")]
    Trapped(#[from] Trap),
    /// The start function did not finish within its fuel.
    #[error("the start function ran out of fuel")]
    StartOutOfFuel,
}

impl From<wasmparser::Error> for Error {
    fn from(error: wasmparser::Error) -> Error {
        Error::Invalid { message: error.message().to_string(), offset: error.offset() }
    }
}
