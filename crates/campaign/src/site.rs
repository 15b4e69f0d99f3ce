//! The static site: the live page's files in a folder, which a browser opens from a file system. The folder is new or one that an
//! earlier `soundline report` wrote.

use crate::error::Error;
use crate::page::{self, Look};
use crate::store::{Store, now};
use output::Folder;
use std::path::Path;

/// Writes the site; how many files.
pub fn write(store: &Store, out: &Path) -> Result<usize, Error> {
    let (folder, _) = Folder::open(out, "report", true)?;
    let look = Look { live: false, now: now() };
    let paths = page::paths(store)?;
    for path in &paths {
        if let Some(file) = page::render(store, path, look)? {
            folder.write(path, file.body)?;
        }
    }
    Ok(paths.len())
}
