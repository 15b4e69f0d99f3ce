//! The list of what was written to a folder: one name a line, relative to the folder, noted before the file is written. It is
//! read as what anybody may have put there: names that lead out of the folder, or through a link, are never followed.

use crate::Error;
use crate::folder::FILES;
use crate::whole::unfinished;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

/// The list and the lock of a folder.
#[derive(Debug)]
pub(crate) struct List {
    folder: PathBuf,
    names: BTreeSet<String>,
    /// Open for as long as the folder is, since its lock keeps others out.
    file: File,
}

impl List {
    /// Opens or makes the list of a folder and locks it.
    pub(crate) fn open(folder: &Path) -> Result<List, Error> {
        let path = folder.join(FILES);
        let file = File::options().create(true).append(true).read(true).open(&path);
        let file = file.map_err(|error| Error::io(&path, error))?;
        let locked = rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive);
        // On a file system without locks, two runs in one folder are the user's own care.
        if locked == Err(rustix::io::Errno::WOULDBLOCK) {
            return Err(Error::Busy(folder.to_path_buf()));
        }
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => {
                Error::Unusable { path: path.clone(), reason: "it is not UTF-8".into() }
            }
            _ => Error::io(&path, error),
        })?;
        // A line without its end is of a process that was killed while it wrote it, and its file does not exist.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            file.set_len(whole as u64).map_err(|error| Error::io(&path, error))?;
        }
        let names = text[..whole].lines().map(str::to_string).collect();
        Ok(List { folder: folder.to_path_buf(), names, file })
    }

    /// The names, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Adds a name to the list on the disk, before the file is written.
    pub(crate) fn note(&mut self, name: &str) -> Result<(), Error> {
        assert!(is_below(name), "{name} is no name of a file in an output folder");
        if !self.names.contains(name) {
            let written = self.file.write_all(format!("{name}\n").as_bytes());
            written.map_err(|error| Error::io(&self.folder.join(FILES), error))?;
            self.names.insert(name.to_string());
        }
        Ok(())
    }

    /// Removes a file that is on the list.
    pub(crate) fn remove(&self, name: &str) -> Result<(), Error> {
        if !self.names.contains(name) || !is_below(name) || self.leads_through_link(name) {
            return Ok(());
        }
        self.remove_file(name)?;
        // A run that was killed may have left the file, or the group that it belongs to, unfinished.
        for part in Path::new(name).ancestors().filter(|part| !part.as_os_str().is_empty()) {
            let rest = Path::new(name).strip_prefix(part).unwrap_or(Path::new(""));
            let unfinished = unfinished(part);
            self.remove_file(if rest.as_os_str().is_empty() { unfinished } else { unfinished.join(rest) })?;
        }
        Ok(())
    }

    /// Removes a file if it is there, and the folders that are empty without it.
    fn remove_file(&self, name: impl AsRef<Path>) -> Result<(), Error> {
        let path = self.folder.join(&name);
        match fs::remove_file(&path) {
            Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Err(Error::io(&path, error));
            }
            Err(_) | Ok(()) => {}
        }
        for above in name.as_ref().ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
            match fs::remove_dir(self.folder.join(above)) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                // A folder that is not empty holds something that is not ours, or that comes next.
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Removes everything that is on the list, and empties it.
    pub(crate) fn remove_all(&mut self) -> Result<(), Error> {
        for name in &self.names {
            self.remove(name)?;
        }
        let path = self.folder.join(FILES);
        self.file.set_len(0).map_err(|error| Error::io(&path, error))?;
        self.names.clear();
        Ok(())
    }

    fn leads_through_link(&self, name: &str) -> bool {
        let above = Path::new(name).ancestors().skip(1);
        above.filter(|part| !part.as_os_str().is_empty()).any(|part| self.folder.join(part).is_symlink())
    }
}

/// Whether a name stays below the folder that it is relative to, and is one line.
fn is_below(name: &str) -> bool {
    let inner = |component: Component<'_>| matches!(component, Component::Normal(_));
    !name.is_empty() && !name.contains('\n') && Path::new(name).components().all(inner)
}
