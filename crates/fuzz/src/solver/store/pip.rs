//! The Python package index through `python3 -m pip`: which releases a package has, and their wheels. Owns the command lines
//! and the reading of pip's messages; what is in a wheel is not its business.

use super::StoreError;
use crate::solver::spec::SolverError;
use crate::solver::table::numbers;
use process::{End, Limits, Run};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Wheels that run here although pip, asked plainly, passes them over: old tags of platforms, and modules that do not care for
/// the version of Python.
const PLATFORMS: [&str; 8] = [
    "manylinux1",
    "manylinux2010",
    "manylinux2014",
    "manylinux_2_17",
    "manylinux_2_24",
    "manylinux_2_27",
    "manylinux_2_28",
    "linux",
];

/// A Python with pip.
pub(super) struct Pip<'a> {
    python: String,
    stop: &'a AtomicBool,
}

impl<'a> Pip<'a> {
    /// The Python on the search path, by the path of the program itself: wrappers that choose one cost time at every start.
    pub(super) fn find(stop: &'a AtomicBool) -> Result<Pip<'a>, StoreError> {
        let mut pip = Pip { python: "python3".into(), stop };
        let run =
            pip.python(&["-c", "import sys; print(sys.executable)"]).map_err(|_| StoreError::NoPython)?;
        let path = run.stdout.trim();
        if run.end != End::Exited(0) || path.is_empty() {
            return Err(StoreError::NoPython);
        }
        pip.python = path.into();
        let version = pip.python(&["-m", "pip", "--version"])?;
        if version.end != End::Exited(0) {
            return Err(StoreError::NoPip { python: pip.python });
        }
        Ok(pip)
    }

    /// The path or name by which Python is started.
    pub(super) fn program(&self) -> &str {
        &self.python
    }

    /// Runs Python under limits and returns what it printed.
    pub(super) fn python(&self, arguments: &[&str]) -> Result<Run, StoreError> {
        let limits = Limits { wall: Duration::from_secs(900), ..Limits::with_cpu(Duration::from_secs(300)) };
        let words: Vec<String> = std::iter::once(self.python.as_str())
            .chain(arguments.iter().copied())
            .map(String::from)
            .collect();
        let run = process::run(&words, b"", &limits, self.stop).map_err(SolverError::from)?;
        if run.end == End::Stopped { Err(StoreError::Stopped) } else { Ok(run) }
    }

    /// The releases of a package, oldest first.
    pub(super) fn releases(&self, package: &str) -> Result<Vec<String>, StoreError> {
        // There is no release 0: the refusal lists those that there are. `pip index` would be plainer, but comes and goes.
        // pip makes the folder that it puts nothing into.
        let nowhere =
            tempfile::tempdir().map_err(|error| StoreError::Io { path: std::env::temp_dir(), error })?;
        let run = self.python(&[
            "-m",
            "pip",
            "download",
            "--no-deps",
            "--dest",
            &nowhere.path().display().to_string(),
            &format!("{package}==0"),
        ])?;
        let listed = run.stderr.split_once("(from versions: ").and_then(|(_, rest)| rest.split_once(')'));
        let mut versions: Vec<String> = match listed {
            Some((list, _)) if list.trim() != "none" => {
                list.split(", ").map(|word| word.trim().into()).collect()
            }
            _ => return Err(StoreError::Offline { package: package.into(), message: last_error(&run) }),
        };
        versions.sort_by_cached_key(|version| (numbers(version), version.clone()));
        Ok(versions)
    }

    /// Gets the wheel of a release into a folder: as pip chooses it for this machine, else one that runs here anyway.
    pub(super) fn wheel(&self, package: &str, version: &str, folder: &Path) -> Result<PathBuf, StoreError> {
        let exact = format!("{package}=={version}");
        let to = folder.display().to_string();
        let plain =
            ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", &to];
        let first = self.python(&[&plain[..], &[&exact]].concat())?;
        if let Some(wheel) = wheel_in(folder) {
            return Ok(wheel);
        }
        let architecture = std::env::consts::ARCH;
        let platforms: Vec<String> =
            PLATFORMS.iter().map(|name| format!("--platform={name}_{architecture}")).collect();
        let platforms: Vec<&str> = platforms.iter().map(String::as_str).collect();
        for python in
            [&["--python-version=3", "--abi=none", "--implementation=py"][..], &["--python-version=27"]]
        {
            self.python(&[&plain[..], &platforms, python, &[&exact]].concat())?;
            if let Some(wheel) = wheel_in(folder) {
                return Ok(wheel);
            }
        }
        let listed = last_error(&first);
        if listed.contains("No matching distribution") || listed.contains("Could not find a version") {
            return Err(StoreError::NoWheel { package: package.into(), version: version.into() });
        }
        Err(StoreError::Pip { message: listed })
    }
}

fn wheel_in(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|e| e == "whl"))
}

/// What pip gave as the reason, in a line.
fn last_error(run: &Run) -> String {
    let lines = || run.stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines().rfind(|line| line.starts_with("ERROR:")).or_else(|| lines().next_back());
    line.unwrap_or("pip gave no reason").trim_start_matches("ERROR: ").into()
}
