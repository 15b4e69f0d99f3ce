//! Releases of solvers side by side in a data directory: `$SOUNDLINE_HOME`, or `soundline` in the user's data directory.
//! A release is a folder `NAME@VERSION` with a file `command` that says how to start it, an argument a line, in which
//! `{here}` stands for the folder. Releases come from the Python package index or, built here, from crates.io; they appear whole or
//! not at all, and have answered once before they do.

mod cargo;
mod pip;
mod wheel;

use super::spec::{Solver, SolverError};
use super::table::{self, Known, Package, numbers};
use pip::Pip;
use process::{End, Limits};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use thiserror::Error;

/// What makes a command of a solver that comes as a Python module.
const DRIVER: &str = include_str!("driver.py");

/// Why the store cannot do something.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is no Python, which is needed for the package index.
    #[error("there is no python3 on the search path; releases come from the Python package index")]
    NoPython,
    /// Python without pip.
    #[error("{python} has no pip; releases come from the Python package index through it")]
    NoPip {
        /// The program.
        python: String,
    },
    /// The name is not one of the table, or has no package.
    #[error("`{name}` has no releases in a package index; those that have are {}", known_packages())]
    NoPackage {
        /// The name as given.
        name: String,
    },
    /// The index does not answer.
    #[error("the package index cannot be reached, or does not know {package}: {message}")]
    Offline {
        /// The package's name in the index.
        package: String,
        /// What pip said.
        message: String,
    },
    /// There is no such release.
    #[error("{name} has no release {version}; the nearest are {}", near.join(", "))]
    NoRelease {
        /// The solver.
        name: String,
        /// The version as given.
        version: String,
        /// Releases that there are.
        near: Vec<String>,
    },
    /// The release has no wheel that runs here.
    #[error(
        "{package} {version} has no wheel for this machine: it is there as source only, or for other platforms"
    )]
    NoWheel {
        /// The package's name in the index.
        package: String,
        /// The version that was asked for.
        version: String,
    },
    /// pip failed.
    #[error("pip cannot get it: {message}")]
    Pip {
        /// What pip said.
        message: String,
    },
    /// No cargo.
    #[error("there is no cargo on the search path; releases of this solver are built from crates.io")]
    NoCargo,
    /// There is no such crate, or release of it.
    #[error("crates.io has no {package} {version}")]
    NoCrate {
        /// The crate.
        package: String,
        /// The version as given.
        version: String,
    },
    /// cargo failed.
    #[error("cargo cannot build it: {message}")]
    Cargo {
        /// What cargo said.
        message: String,
    },
    /// The release does not run.
    #[error("{release} does not run here: {message}")]
    Unusable {
        /// The release as `NAME@VERSION`.
        release: String,
        /// What it said.
        message: String,
    },
    /// There is no such release in the store.
    #[error("{spec} is not in the store")]
    NotThere {
        /// What was asked for.
        spec: String,
    },
    /// Others can put there what would be run.
    #[error("{} is not used: {reason}; set SOUNDLINE_HOME to a folder that is yours alone", .path.display())]
    Untrusted {
        /// Which folder.
        path: PathBuf,
        /// Why.
        reason: &'static str,
    },
    /// The run was interrupted.
    #[error("stopped")]
    Stopped,
    /// A file or folder made trouble.
    #[error("{path}: {error}")]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A program could not be run.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

fn known_packages() -> String {
    let names = table::TABLE.iter().filter(|known| known.package.is_some()).map(|known| known.name);
    names.collect::<Vec<_>>().join(", ")
}

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
            .unwrap_or_else(|| {
                // Without a home there is a folder for each user, which is only used if that user made it.
                std::env::temp_dir().join(format!("soundline-{}", rustix::process::geteuid().as_raw()))
            });
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

    /// Whether the store's folders are this user's alone. What lies there is run, so that whoever can write there can do what this
    /// user can. Folders that do not exist yet pass.
    pub fn check(&self) -> Result<(), StoreError> {
        [self.root.clone(), self.folder()].into_iter().try_for_each(|path| match mistrust(&path) {
            Some(reason) => Err(StoreError::Untrusted { path, reason }),
            None => Ok(()),
        })
    }

    /// Up to so many other releases of a solver, the newest first. A release that cannot be run is left out.
    pub fn other_releases(&self, solver: &Solver, most: usize) -> Vec<Solver> {
        let other = |release: &&Release| release.name == solver.family() && release.version != solver.version;
        let releases = self.list();
        let newest = releases.iter().rev().filter(other).take(most);
        newest.filter_map(|release| Solver::resolve(&release.spec(), self).ok()).collect()
    }

    /// The releases in the store, by name and then by version; none if the store is not this user's alone.
    pub fn list(&self) -> Vec<Release> {
        if self.check().is_err() {
            return Vec::new();
        }
        let entries = std::fs::read_dir(self.folder()).into_iter().flatten();
        let own = |path: &PathBuf| mistrust(path).is_none() && mistrust(&path.join("command")).is_none();
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(own);
        let mut releases: Vec<Release> = paths.filter_map(|path| release(&path)).collect();
        releases.sort_by(|a, b| {
            (&a.name, numbers(&a.version), &a.version).cmp(&(&b.name, numbers(&b.version), &b.version))
        });
        releases
    }

    /// The newest release of a solver that a version stands for: `4.8` stands for all that start with it, nothing for all.
    pub(crate) fn find(&self, name: &str, version: &str) -> Option<Release> {
        self.list()
            .into_iter()
            .rfind(|release| release.name == name && matches_version(&release.version, version))
    }

    /// The releases of a solver that the package index has, oldest first; of a crate the newest alone.
    pub fn releases(&self, name: &str, stop: &AtomicBool) -> Result<Vec<String>, StoreError> {
        match package(name)?.1 {
            Package::Wheel(package) => Pip::find(stop)?.releases(package),
            Package::Crate(package) => Ok(vec![cargo::newest(package, stop)?]),
        }
    }

    /// Gets a release, unless it is there: `z3@4.8.10`, `z3@4.8` (the newest of these), or `z3` (the newest).
    pub fn add(
        &self,
        spec: &str,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Release, StoreError> {
        let (name, wanted) = spec.split_once('@').unwrap_or((spec, ""));
        let (_, package) = package(name)?;
        if let Some(release) = release(&self.place(name, wanted)) {
            return Ok(release);
        }
        progress(&format!("asking for the releases of {}", package.name()));
        let versions = match package {
            Package::Wheel(package) => Pip::find(stop)?.releases(package)?,
            // Cargo finds out whether there is such a release.
            Package::Crate(_) if !wanted.is_empty() => return self.add_version(name, wanted, stop, progress),
            Package::Crate(package) => vec![cargo::newest(package, stop)?],
        };
        let exact = versions.iter().find(|version| *version == wanted);
        let newest = || versions.iter().rfind(|version| matches_version(version, wanted));
        match exact.or_else(newest) {
            Some(version) => self.add_version(name, version, stop, progress),
            None => {
                let (name, version) = (name.into(), wanted.into());
                Err(StoreError::NoRelease { name, version, near: near(&versions, wanted) })
            }
        }
    }

    /// Gets a release that the package index is known to have, unless it is there.
    pub fn add_version(
        &self,
        name: &str,
        version: &str,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Release, StoreError> {
        let (known, package) = package(name)?;
        let target = self.place(name, version);
        if let Some(release) = release(&target) {
            return Ok(release);
        }
        self.check()?;
        let folder = self.folder();
        let failed = |error| StoreError::Io { path: folder.clone(), error };
        make_private(&folder).map_err(failed)?;
        let work = tempfile::Builder::new().prefix(".adding-").tempdir_in(&folder).map_err(failed)?;
        let ready = work.path().join("ready");
        let spec = format!("{name}@{version}");
        match package {
            Package::Wheel(package) => {
                let pip = Pip::find(stop)?;
                progress(&format!("getting {package} {version}"));
                let wheel = pip.wheel(package, version, work.path())?;
                progress(&format!("unpacking {package} {version}"));
                unpack(&pip, known, &spec, &wheel, &ready)?;
            }
            Package::Crate(package) => {
                progress(&format!("building {package} {version}, which takes minutes"));
                cargo::install(package, version, &ready, stop)?;
                let path = ready.join("command");
                std::fs::write(&path, format!("{{here}}/bin/{name}\n"))
                    .map_err(|error| StoreError::Io { path, error })?;
            }
        }
        try_out(&ready, &spec, stop)?;
        match std::fs::rename(&ready, &target) {
            // Another process may have been faster; one copy is as good as the other.
            Err(error) if release(&target).is_none() => Err(StoreError::Io { path: target, error }),
            _ => release(&target).ok_or(StoreError::NotThere { spec }),
        }
    }

    fn place(&self, name: &str, version: &str) -> PathBuf {
        self.folder().join(format!("{name}@{version}"))
    }

    /// Removes a release: the one whose version is given, or the only one that it stands for.
    pub fn remove(&self, spec: &str) -> Result<Release, StoreError> {
        let not_there = || StoreError::NotThere { spec: spec.into() };
        let (name, version) = spec.split_once('@').ok_or_else(not_there)?;
        let there: Vec<Release> = self.list().into_iter().filter(|release| release.name == name).collect();
        let exact = there.iter().find(|release| release.version == version);
        let mut meant = there.iter().filter(|release| matches_version(&release.version, version));
        let release = match (exact, meant.next(), meant.next()) {
            (Some(release), _, _) | (None, Some(release), None) => release.clone(),
            _ => return Err(not_there()),
        };
        let failed = |error| StoreError::Io { path: release.folder.clone(), error };
        // Out of sight first: half a release must not be found.
        let grave =
            tempfile::Builder::new().prefix(".removing-").tempdir_in(self.folder()).map_err(failed)?;
        std::fs::rename(&release.folder, grave.path().join("release")).map_err(failed)?;
        grave.close().map_err(failed)?;
        Ok(release)
    }
}

/// Why what lies at a path is not to be run; none if it is this user's or the system's alone, or not there.
fn mistrust(path: &Path) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt;
    let data = std::fs::metadata(path).ok()?;
    let user = rustix::process::geteuid().as_raw();
    let group = rustix::process::getegid().as_raw();
    if data.uid() != user && data.uid() != 0 {
        Some("it belongs to another user")
    } else if data.mode() & 0o002 != 0 {
        Some("everybody can write to it")
    } else if data.mode() & 0o020 != 0 && data.gid() != group {
        Some("others can write to it")
    } else {
        None
    }
}

/// Makes a folder, and those above it, for this user alone.
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn package(name: &str) -> Result<(&'static Known, Package), StoreError> {
    let found = table::by_name(name).and_then(|known| Some((known, known.package?)));
    found.ok_or_else(|| StoreError::NoPackage { name: name.into() })
}

/// Lays a wheel out in a folder: its program alone if it has one, else its module and the driver.
fn unpack(pip: &Pip<'_>, known: &Known, spec: &str, wheel: &Path, ready: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::PermissionsExt;
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |error| StoreError::Io { path, error }
    };
    let module = ready.join("module");
    wheel::unpack(wheel, &module).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => {
            StoreError::Unusable { release: spec.into(), message: error.to_string() }
        }
        _ => StoreError::Io { path: module.clone(), error },
    })?;
    let command = match program_in(&module, known.name) {
        Some(path) => {
            let program = ready.join(known.name);
            std::fs::rename(&path, &program).map_err(failed(&path))?;
            std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).map_err(failed(&program))?;
            std::fs::remove_dir_all(&module).map_err(failed(&module))?;
            format!("{{here}}/{}\n", known.name)
        }
        None if !known.driven => {
            let message = "its wheel holds no program".into();
            return Err(StoreError::Unusable { release: spec.into(), message });
        }
        None => {
            let driver = ready.join("driver.py");
            std::fs::write(&driver, DRIVER).map_err(failed(&driver))?;
            format!("{}\n-I\n-B\n{{here}}/driver.py\n{}\n{{here}}/module\n", pip.program(), known.name)
        }
    };
    let path = ready.join("command");
    std::fs::write(&path, command).map_err(failed(&path))
}

/// The program in `PACKAGE-VERSION.data/data/bin` or `.../scripts`, where wheels have them.
fn program_in(module: &Path, name: &str) -> Option<PathBuf> {
    let data = std::fs::read_dir(module).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    data.filter(|path| path.extension().is_some_and(|e| e == "data"))
        .flat_map(|path| [path.join("data/bin").join(name), path.join("scripts").join(name)])
        .find(|path| path.is_file())
}

/// Has a release tell its version.
fn try_out(ready: &Path, name: &str, stop: &AtomicBool) -> Result<(), StoreError> {
    let here = ready.display().to_string();
    let command = std::fs::read_to_string(ready.join("command"));
    let command = command.map_err(|error| StoreError::Io { path: ready.into(), error })?;
    let mut words: Vec<String> = command.lines().map(|word| word.replace("{here}", &here)).collect();
    words.push("--version".into());
    let run = process::run(&words, b"", &Limits::with_cpu(Duration::from_secs(20)), stop)
        .map_err(SolverError::from)?;
    if run.end == End::Exited(0) && !run.stdout.trim().is_empty() {
        return Ok(());
    }
    let said = run.stderr.lines().chain(run.stdout.lines()).find(|line| !line.trim().is_empty());
    let message = said.map_or_else(|| format!("it ended with {:?}", run.end), str::to_string);
    Err(StoreError::Unusable { release: name.into(), message })
}

/// The releases around a version that does not exist.
fn near(versions: &[String], wanted: &str) -> Vec<String> {
    let target = numbers(wanted);
    let at = versions.partition_point(|version| numbers(version) < target);
    versions[at.saturating_sub(3)..(at + 3).min(versions.len())].to_vec()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_version_ends_at_a_dot() {
        for (version, prefix, expected) in [
            ("4.8.10.0", "4.8.10", true),
            ("4.8.10.0", "4.8.1", false),
            ("4.8.0.0.post1", "4.8.0", true),
            ("4.8.10.0", "", true),
            ("4.8", "4.8.0", false),
        ] {
            assert_eq!(matches_version(version, prefix), expected, "{version} {prefix}");
        }
    }

    #[test]
    fn releases_are_listed_in_order_and_removed_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path());
        assert_eq!(store.list(), []);
        for name in ["z3@4.8.9.0", "z3@4.8.10.0", "cvc5@1.0", "junk", ".adding-x@1"] {
            std::fs::create_dir_all(store.folder().join(name)).unwrap();
        }
        for name in ["z3@4.8.9.0", "z3@4.8.10.0", "cvc5@1.0"] {
            std::fs::write(store.folder().join(name).join("command"), "{here}/run\n-x\n").unwrap();
        }
        let specs: Vec<String> = store.list().iter().map(Release::spec).collect();
        assert_eq!(specs, ["cvc5@1.0", "z3@4.8.9.0", "z3@4.8.10.0"]);
        let found = store.find("z3", "4.8").unwrap();
        assert_eq!(found.command, [format!("{}/run", found.folder.display()), "-x".into()]);
        assert_eq!(found.version, "4.8.10.0");
        // Two are meant: none is removed.
        assert!(matches!(store.remove("z3@4.8"), Err(StoreError::NotThere { .. })));
        assert_eq!(store.remove("z3@4.8.9").unwrap().version, "4.8.9.0");
        assert_eq!(store.list().len(), 2);
    }

    #[test]
    fn what_cannot_be_added_is_told() {
        let store = Store::at("/nonexistent");
        let error = store.add("cvc4@1.8", &AtomicBool::new(false), &mut |_| {}).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`cvc4` has no releases in a package index; those that have are z3, cvc5, bitwuzla, oxiz"
        );
        let versions: Vec<String> = ["4.8.5", "4.8.6", "4.8.7", "4.8.8", "4.9.0"].map(String::from).into();
        assert_eq!(near(&versions, "4.8.6.5"), ["4.8.5", "4.8.6", "4.8.7", "4.8.8", "4.9.0"]);
        assert_eq!(near(&versions, "9"), ["4.8.7", "4.8.8", "4.9.0"]);
    }
}
