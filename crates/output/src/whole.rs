//! Whole files: what is written goes to a name of its own first, and takes its place by a rename.

use crate::Error;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a file so that readers see the old content or the new, never a part, and so that it is on the disk
/// afterwards.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Error> {
    replace(path, bytes.as_ref(), true)
}

/// Finds out before the work whether a file can be written afterwards, and leaves nothing behind.
pub fn probe(path: &Path) -> Result<(), Error> {
    let new = unfinished(path);
    let is_folder = || std::io::Error::from(std::io::ErrorKind::IsADirectory);
    let tried =
        if path.is_dir() { Err(is_folder()) } else { File::create(&new).and_then(|_| fs::remove_file(&new)) };
    tried.map_err(|error| Error::io(path, error))
}

/// Writes a file whole. `sync` waits for the disk: a machine that loses its power keeps it, for the price of some milliseconds.
pub(crate) fn replace(path: &Path, bytes: &[u8], sync: bool) -> Result<(), Error> {
    let new = unfinished(path);
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        if sync {
            file.sync_data()?;
        }
        fs::rename(&new, path)
    };
    write().map_err(|error| {
        // Best effort: what failed is the news, not that its remains could not be removed.
        let _ = fs::remove_file(&new);
        Error::io(path, error)
    })
}

/// The name that a file has while it is being written.
pub(crate) fn unfinished(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".new");
    path.with_file_name(name)
}
