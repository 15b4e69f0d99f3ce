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

    /// The releases of a package, oldest first: from the JSON of `pip index versions`, and from its text where pip is older
    /// than 25.1.
    pub(super) fn releases(&self, package: &str) -> Result<Vec<String>, StoreError> {
        let ask = ["-m", "pip", "index", "versions", package];
        let mut run = self.python(&[&ask[..], &["--json"]].concat())?;
        let listed = if run.end == End::Exited(PIP_USAGE) {
            run = self.python(&ask)?;
            available(&run.stdout)
        } else {
            serde_json::from_str::<IndexAnswer>(&run.stdout).ok().map(|answer| answer.versions)
        };
        let mut versions = match listed {
            Some(versions) if run.end == End::Exited(0) && !versions.is_empty() => versions,
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

/// What pip says of a wrong option.
const PIP_USAGE: i32 = 2;

/// What `pip index versions --json` prints, as far as it is used.
#[derive(serde::Deserialize)]
struct IndexAnswer {
    versions: Vec<String>,
}

/// The versions in the text that `pip index versions` prints.
fn available(text: &str) -> Option<Vec<String>> {
    let list = text.lines().find_map(|line| line.trim().strip_prefix("Available versions:"))?;
    Some(list.split(',').map(|version| version.trim().to_owned()).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_the_list_are_read() {
        let json = r#"{"name": "z3-solver", "versions": ["4.8.10.0", "4.8.9.0"], "latest": "4.8.10.0"}"#;
        assert_eq!(serde_json::from_str::<IndexAnswer>(json).unwrap().versions, ["4.8.10.0", "4.8.9.0"]);
        let text = "z3-solver (4.8.10.0)\nAvailable versions: 4.8.10.0, 4.8.9.0\n  INSTALLED: 4.8.9.0\n";
        assert_eq!(available(text).unwrap(), ["4.8.10.0", "4.8.9.0"]);
        assert_eq!(available("ERROR: No matching distribution found"), None);
    }
}
