//! Releases of solvers side by side in a data directory: `$SOUNDLINE_HOME`, or `soundline` in the user's data directory.
//! A release is a folder `NAME@VERSION` with a file `command` that says how to start it, an argument a line, in which
//! `{here}` stands for the folder.

use super::table::numbers;
use std::path::{Path, PathBuf};

/// The data directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    root: PathBuf,
}

/// A release in the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Release {
    /// The solver's name in the table.
    pub name: String,
    /// The version, as the package index has it.
    pub version: String,
    /// Where it lies.
    pub folder: PathBuf,
    /// How to start it.
    pub command: Vec<String>,
}

impl Release {
    /// `name@version`
    pub fn spec(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }
}

impl Store {
    /// The user's data directory. It need not exist.
    pub fn open() -> Store {
        let from =
            |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
        let root = from("SOUNDLINE_HOME")
            .or_else(|| from("XDG_DATA_HOME").map(|folder| folder.join("soundline")))
            .or_else(|| from("HOME").map(|home| home.join(".local/share/soundline")))
            .unwrap_or_else(|| std::env::temp_dir().join("soundline"));
        Store::at(root)
    }

    /// A data directory of the caller's choice.
    pub fn at(root: impl Into<PathBuf>) -> Store {
        Store { root: root.into() }
    }

    /// Where the releases lie.
    pub fn folder(&self) -> PathBuf {
        self.root.join("solvers")
    }

    /// The releases in the store, by name and then by version.
    pub fn list(&self) -> Vec<Release> {
        let entries = std::fs::read_dir(self.folder()).into_iter().flatten();
        let mut releases: Vec<Release> = entries.filter_map(|entry| release(&entry.ok()?.path())).collect();
        releases.sort_by(|a, b| {
            (&a.name, numbers(&a.version), &a.version).cmp(&(&b.name, numbers(&b.version), &b.version))
        });
        releases
    }

    /// The newest release of a solver that a version stands for: `4.8` stands for all that start with it, nothing for all.
    pub fn find(&self, name: &str, version: &str) -> Option<Release> {
        self.list()
            .into_iter()
            .rfind(|release| release.name == name && matches_version(&release.version, version))
    }
}

/// Whether a version is meant by the beginning of one: `4.8.1` means `4.8.1.0` and `4.8.1.0.post2`, not `4.8.10.0`.
pub(crate) fn matches_version(version: &str, prefix: &str) -> bool {
    version
        .strip_prefix(prefix)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || prefix.is_empty())
}

fn release(folder: &Path) -> Option<Release> {
    let (name, version) = folder.file_name()?.to_str()?.split_once('@')?;
    let here = folder.display().to_string();
    let command = std::fs::read_to_string(folder.join("command")).ok()?;
    Some(Release {
        name: name.into(),
        version: version.into(),
        folder: folder.into(),
        command: command.lines().map(|word| word.replace("{here}", &here)).collect(),
    })
}
