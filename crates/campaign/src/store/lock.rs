//! One coordinator a store: a lock of the operating system on a file beside it, which `kill -9` lets go of.

use super::Error;
use rustix::fs::{FlockOperation, flock};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// Held as long as it lives.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a store's folder, or says who has it.
    pub(crate) fn take(folder: &Path) -> Result<Lock, Error> {
        std::fs::create_dir_all(folder).map_err(|error| Error::file(folder, error))?;
        let path = folder.join("campaign.lock");
        let failed = |error| Error::file(&path, error);
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            let mut who = String::new();
            file.take(64).read_to_string(&mut who).map_err(failed)?;
            let who = who.trim();
            let by = if who.is_empty() { String::new() } else { format!(" (process {who})") };
            return Err(Error::Held { path, by });
        }
        file.set_len(0).map_err(failed)?;
        writeln!(file, "{}", std::process::id()).map_err(failed)?;
        Ok(Lock { _file: file })
    }
}
