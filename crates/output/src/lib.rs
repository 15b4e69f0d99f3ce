//! Output folders and the files in them. Every command that writes a folder opens it here, for one promise: nothing is lost
//! that we did not write, and what we write is whole.
//!
//! A [`Folder`] is new (or empty), or carries our marker `soundline.json`; anything else is refused and stays untouched.
//! `soundline.files` beside the marker lists every file that was written, before it is written. Only what this list names is
//! ever removed. Files appear by a rename ([`Folder::write`], [`write_whole`]), so that a process that is killed leaves no
//! half of one.
//!
//! ```
//! use output::{Error, Folder};
//!
//! let place = tempfile::tempdir().unwrap();
//! let (folder, _) = Folder::open(&place.path().join("new"), "explore", false).unwrap();
//! folder.write("summary.json", "{}").unwrap();
//!
//! // A folder with files of others is refused.
//! std::fs::write(place.path().join("mine.txt"), "precious").unwrap();
//! assert!(matches!(Folder::open(place.path(), "explore", false), Err(Error::NotOurs(_))));
//! ```
//!
//! [`quote`] makes foreign text harmless for the places that it is written to.
//!
//! This crate knows no format but its own marker and list. What a folder means is its command's business.

mod folder;
mod list;
pub mod quote;
mod whole;

pub use folder::{FILES, Folder, MARKER, Standing};
pub use whole::{probe, write_whole};

use std::io;
use std::path::{Path, PathBuf};

/// Why a folder or a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder holds what others wrote.
    #[error(
        "{} is not empty and no folder of soundline's (it has no {MARKER}): name a new or an empty one; nothing was touched",
        .0.display()
    )]
    NotOurs(PathBuf),
    /// The folder is ours, but another command's.
    #[error("{} was written by `soundline {found}`, not by `soundline {wanted}`: name another folder", .path.display())]
    OtherCommand {
        /// The folder.
        path: PathBuf,
        /// Who wrote it.
        found: String,
        /// Who was to write it.
        wanted: String,
    },
    /// The folder is ours, but what is in it does not fit.
    #[error("{}: {reason}", .path.display())]
    Unusable {
        /// The folder, its marker or its list.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Another process is writing there now.
    #[error("another soundline is writing to {}", .0.display())]
    Busy(PathBuf),
    /// The system refused.
    #[error("cannot write {}: {error}", .path.display())]
    Io {
        /// What could not be written.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl Error {
    /// The system's refusal to write a path.
    pub fn io(path: &Path, error: io::Error) -> Error {
        Error::Io { path: path.to_path_buf(), error }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        let kind = match &error {
            Error::Io { error, .. } => error.kind(),
            Error::NotOurs(_) | Error::OtherCommand { .. } | Error::Unusable { .. } => {
                io::ErrorKind::AlreadyExists
            }
            Error::Busy(_) => io::ErrorKind::ResourceBusy,
        };
        io::Error::new(kind, error)
    }
}
