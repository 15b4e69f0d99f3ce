//! Whole files: what is written goes to a name of its own first, and takes its place by a rename.

use crate::Error;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Writes a file so that readers see the old content or the new, never a part, and so that it is on the disk afterwards. A link
/// stays, and the file that it leads to is written. What is no file (`/dev/null`, a pipe) stays too, and is written to as it is.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Error> {
    match Place::of(path).map_err(|error| Error::io(path, error))? {
        Place::File(file) => replace(&file, bytes.as_ref(), true),
        Place::Stream => {
            let written =
                File::options().write(true).open(path).and_then(|mut file| file.write_all(bytes.as_ref()));
            written.map_err(|error| Error::io(path, error))
        }
    }
}

/// Finds out before the work whether a file can be written afterwards, and leaves nothing behind.
pub fn probe(path: &Path) -> Result<(), Error> {
    let tried = Place::of(path).and_then(|place| match place {
        Place::File(file) => {
            let new = unfinished(&file);
            File::create(&new).and_then(|_| fs::remove_file(&new))
        }
        // A pipe without a reader would wait for one.
        Place::Stream => Ok(()),
    });
    tried.map_err(|error| Error::io(path, error))
}

/// What a path that is written to leads to.
enum Place {
    /// A file, or nothing yet: without the links that lead there, since a rename would take the place of a link.
    File(PathBuf),
    /// A device or a pipe, which a rename would remove.
    Stream,
}

impl Place {
    fn of(path: &Path) -> io::Result<Place> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if found.is_file() => fs::canonicalize(path).map(Place::File),
            Ok(_) => Ok(Place::Stream),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {
                Ok(Place::File(path.to_path_buf()))
            }
            Err(error) => Err(error),
        }
    }
}

/// Writes a file whole. `sync` waits for the disk: a machine that loses its power keeps it, for the price of some milliseconds.
pub(crate) fn replace(path: &Path, bytes: &[u8], sync: bool) -> Result<(), Error> {
    let new = unfinished(path);
    let write = || -> io::Result<()> {
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

/// The name that a file has while it is being written. The end of a name that is as long as a name may be is left out.
pub(crate) fn unfinished(path: &Path) -> PathBuf {
    let mut name = b".".to_vec();
    name.extend(
        path.file_name().unwrap_or_default().as_bytes().iter().take(LONGEST_NAME - ".".len() - END.len()),
    );
    name.extend(END.as_bytes());
    path.with_file_name(OsStr::from_bytes(&name))
}

/// How the name of an unfinished file ends.
const END: &str = ".new";

/// How many bytes a name has at most, on all file systems that are in use here.
const LONGEST_NAME: usize = 255;
