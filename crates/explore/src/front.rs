//! From the files that a user names to a module: C and C++ by clang, Rust by rustc, the text format of WebAssembly, or a module as it is.

use crate::{clang, rust, text_to_binary};
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no module.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file in the text format has a mistake.
    #[error("{}: {message}", .path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        message: String,
    },
    /// No compiler here reads such a file.
    #[error("{}: not a {}, or one .wasm or .wat file", .0.display(), known())]
    Unknown(PathBuf),
    /// A C or C++ program cannot be compiled.
    #[error(transparent)]
    Clang(#[from] clang::Error),
    /// A Rust program cannot be compiled.
    #[error(transparent)]
    Rust(#[from] rust::Error),
}

/// The module of a project.
pub fn module(project: &clang::Project<'_>) -> Result<Vec<u8>, Error> {
    if let [path] = project.files {
        if rust::is_rust(path) {
            return Ok(rust::compile(path, project.flags)?);
        }
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("wasm") => return read(path),
            Some("wat") => {
                return text_to_binary(&read(path)?)
                    .map_err(|message| Error::Text { path: path.clone(), message });
            }
            _ => {}
        }
    }
    for path in project.files {
        if clang::Language::of(path).is_none() {
            return Err(Error::Unknown(path.clone()));
        }
        // A file that is not there deserves a better message than the compiler's.
        read(path)?;
    }
    Ok(clang::compile(project)?)
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| Error::Unreadable { path: path.to_path_buf(), error })
}

fn known() -> String {
    clang::EXTENSIONS.iter().map(|row| format!(".{}", row.0)).collect::<Vec<_>>().join(", ")
}
