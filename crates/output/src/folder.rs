//! A folder that a command writes to.

use crate::Error;
use crate::list::List;
use crate::whole::{replace, unfinished};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// The file that makes a folder ours.
pub const MARKER: &str = "soundline.json";

/// The list of what we wrote.
pub const FILES: &str = "soundline.files";

/// The tool that a marker names.
const TOOL: &str = "soundline";

/// The marker's contents.
#[derive(Serialize, Deserialize)]
struct Marker<'a> {
    tool: Cow<'a, str>,
    /// The version that wrote last.
    #[serde(default)]
    version: Cow<'a, str>,
    /// Whose folder it is.
    command: Cow<'a, str>,
}

/// What was there when a folder was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Nothing of ours: it was made, was empty, or was emptied on request.
    New,
    /// What an earlier run of the same command left.
    Ours,
}

/// A folder of ours, locked against other runs for as long as this lives.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    list: Mutex<List>,
}

impl Folder {
    /// What a folder is to a command, without touching it; the errors are those of [`Folder::open`].
    pub fn look(path: &Path, command: &str) -> Result<Standing, Error> {
        let mut entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Standing::New),
            Err(error) => return Err(Error::io(path, error)),
        };
        let marker = path.join(MARKER);
        let text = match fs::read_to_string(&marker) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return if entries.next().is_none() {
                    Ok(Standing::New)
                } else {
                    Err(Error::NotOurs(path.to_path_buf()))
                };
            }
            Err(error) => return Err(Error::io(&marker, error)),
        };
        let damaged = |reason: &str| Error::Unusable { path: marker.clone(), reason: reason.into() };
        let marker: Marker<'_> = serde_json::from_str(&text).map_err(|error| {
            damaged(if error.is_data() { "it is no marker of soundline's" } else { "it is not JSON" })
        })?;
        if marker.tool != TOOL {
            return Err(damaged("it is no marker of soundline's"));
        }
        if marker.command != command {
            return Err(Error::OtherCommand {
                path: path.to_path_buf(),
                found: marker.command.into_owned(),
                wanted: command.into(),
            });
        }
        Ok(Standing::Ours)
    }

    /// Opens a folder for a command, and makes it where there is none. With `fresh`, what earlier runs wrote there is removed, and
    /// nothing else. That it can be written is known afterwards: the marker was.
    pub fn open(path: &Path, command: &str, fresh: bool) -> Result<(Folder, Standing), Error> {
        let mut standing = Folder::look(path, command)?;
        fs::create_dir_all(path).map_err(|error| Error::io(path, error))?;
        let mut list = List::open(path)?;
        if fresh {
            list.remove_all()?;
            standing = Standing::New;
        }
        let marker =
            Marker { tool: TOOL.into(), version: env!("CARGO_PKG_VERSION").into(), command: command.into() };
        let text = serde_json::to_string_pretty(&marker).expect("three texts") + "\n";
        replace(&path.join(MARKER), text.as_bytes(), false)?;
        Ok((Folder { path: path.to_path_buf(), list: Mutex::new(list) }, standing))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of all files that were written, sorted.
    pub fn names(&self) -> Vec<String> {
        self.list().names().map(str::to_string).collect()
    }

    /// Writes a file whole, and the folders above it. A process that is killed loses at most this file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), Error> {
        let path = self.claim(name)?;
        replace(&path, bytes.as_ref(), false)
    }

    /// Writes a file whole, and waits until it is on the disk: for states, which are few and replace each other.
    pub fn write_synced(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), Error> {
        let path = self.claim(name)?;
        replace(&path, bytes.as_ref(), true)
    }

    /// Writes a folder of files that appears whole. One that is there already is replaced; what others put into it stays.
    pub fn write_group(&self, name: &str, files: &[(&str, String)]) -> Result<PathBuf, Error> {
        let path = self.path.join(name);
        let all: Vec<String> = files.iter().map(|(file, _)| format!("{name}/{file}")).collect();
        if path.exists() {
            // Each file is whole, and none is missing at any time.
            for (full, (_, text)) in all.iter().zip(files) {
                self.write(full, text)?;
            }
            let inside = format!("{name}/");
            for old in self.names().iter().filter(|old| old.starts_with(&inside) && !all.contains(old)) {
                self.remove(old)?;
            }
            return Ok(path);
        }
        {
            let mut list = self.list();
            all.iter().try_for_each(|full| list.note(full))?;
        }
        let new = unfinished(&path);
        fs::create_dir_all(&new).map_err(|error| Error::io(&new, error))?;
        for (file, text) in files {
            let file = new.join(file);
            let above = file.parent().unwrap_or(&new);
            fs::create_dir_all(above).map_err(|error| Error::io(above, error))?;
            fs::write(&file, text).map_err(|error| Error::io(&file, error))?;
        }
        fs::rename(&new, &path).map_err(|error| Error::io(&path, error))?;
        Ok(path)
    }

    /// Notes that a file is ours, for those who write it themselves, and makes the folders above it.
    pub fn claim(&self, name: &str) -> Result<PathBuf, Error> {
        self.list().note(name)?;
        let path = self.path.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| Error::io(parent, error))?;
        }
        Ok(path)
    }

    /// Removes a file, if we wrote it.
    pub fn remove(&self, name: &str) -> Result<(), Error> {
        self.list().remove(name)
    }

    /// Removes what we wrote of a folder of files; what others put into it stays.
    pub fn remove_group(&self, name: &str) -> Result<(), Error> {
        let inside = format!("{name}/");
        self.names().iter().filter(|old| old.starts_with(&inside)).try_for_each(|old| self.remove(old))
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().expect("the lock is never poisoned")
    }
}
