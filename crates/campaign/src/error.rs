//! What keeps a campaign from going on, in words that say what to do.

use std::io;
use std::path::PathBuf;

/// Why something of a campaign cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder.
    #[error("{}: {error}", path.display())]
    File {
        /// The file or folder that made trouble.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The store is no database, or damaged.
    #[error("{}: this is no store of a campaign, or it is damaged ({reason}); nothing was changed", path.display())]
    Broken {
        /// The file that should be a store.
        path: PathBuf,
        /// What SQLite said.
        reason: String,
    },
    /// The store was written by a later version of Soundline.
    #[error("{}: the store has schema {found}, this program knows up to {known}; use the newer Soundline that wrote it", path.display())]
    Newer {
        /// The store that a newer program wrote.
        path: PathBuf,
        /// The schema's version in the store.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// Another coordinator holds the store.
    #[error("{}: another `soundline campaign run` holds this store{by}; `campaign status` and `serve` can look at it meanwhile", path.display())]
    Held {
        /// The lock's file.
        path: PathBuf,
        /// Who, if the lock says so.
        by: String,
    },
    /// There is no store.
    #[error("{}: there is no campaign here; `soundline campaign run FILE` starts one", path.display())]
    Nothing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// No space is left for the store.
    #[error("{}: no space is left on the disk; what was counted so far is safe, and the batch at hand is done again later", path.display())]
    Full {
        /// The store that could not grow.
        path: PathBuf,
    },
    /// SQLite refused.
    #[error("{}: {error}", path.display())]
    Sql {
        /// The store that was asked.
        path: PathBuf,
        /// What SQLite said of the statement.
        error: rusqlite::Error,
    },
    /// A run of the fuzzer or the explorer.
    #[error("{lane}: {reason}")]
    Work {
        /// The part of the plan.
        lane: String,
        /// Why.
        reason: String,
    },
    /// The broker cannot be reached or refuses.
    #[error("the broker {url}: {reason}")]
    Broker {
        /// Where it is.
        url: String,
        /// Why.
        reason: String,
    },
    /// The page's server.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Where.
        address: String,
        /// Why.
        error: io::Error,
    },
    /// An output folder.
    #[error("cannot write {}: {error}", path.display())]
    Output {
        /// Which file of it.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// What the user asked for makes no sense; in words.
    #[error("{0}")]
    Usage(String),
}

impl From<output::Error> for Error {
    fn from(error: output::Error) -> Error {
        match error {
            output::Error::Io { path, error } => Error::Output { path, error },
            other => Error::Usage(other.to_string()),
        }
    }
}

impl Error {
    /// An error of reading or writing the file at `path`.
    pub fn file(path: impl Into<PathBuf>, error: io::Error) -> Error {
        Error::File { path: path.into(), error }
    }
}
