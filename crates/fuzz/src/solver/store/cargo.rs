//! Crates of crates.io through `cargo install`: solvers that are written in Rust have no wheels and are built here. Owns the command
//! lines and the reading of cargo's messages. Building takes minutes; what is built stays in the store.

use super::StoreError;
use crate::solver::spec::SolverError;
use process::{End, Limits, Run};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a build may take.
fn limits() -> Limits {
    let hours = Duration::from_secs(4 * 3600);
    Limits { wall: hours, memory: 16 << 30, output: 64 << 20, ..Limits::with_cpu(hours) }
}

fn cargo(arguments: &[&str], stop: &AtomicBool) -> Result<Run, StoreError> {
    let words = [&["cargo"], arguments].concat();
    match process::run(&words, b"", &limits(), stop) {
        Ok(run) if run.end == End::Stopped => Err(StoreError::Stopped),
        Ok(run) => Ok(run),
        Err(error) if error.error.kind() == std::io::ErrorKind::NotFound => Err(StoreError::NoCargo),
        Err(error) => Err(SolverError::from(error).into()),
    }
}

/// The newest release of a crate. Cargo does not list the others.
pub(super) fn newest(package: &str, stop: &AtomicBool) -> Result<String, StoreError> {
    let run = cargo(&["info", "--quiet", package], stop)?;
    let version = run.stdout.lines().find_map(|line| line.strip_prefix("version: "));
    let version = version.and_then(|rest| rest.split_whitespace().next());
    let offline = || StoreError::Offline { package: package.into(), message: reason(&run) };
    version.map(String::from).ok_or_else(offline)
}

/// Builds a release and puts its program into `folder/bin`.
pub(super) fn install(
    package: &str,
    version: &str,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<(), StoreError> {
    let exact = format!("={version}");
    let root = folder.display().to_string();
    let build = folder.join("build").display().to_string();
    let run = cargo(
        &[
            "install",
            package,
            "--version",
            &exact,
            "--locked",
            "--quiet",
            "--no-track",
            "--root",
            &root,
            "--target-dir",
            &build,
        ],
        stop,
    )?;
    let removed = std::fs::remove_dir_all(folder.join("build"));
    if run.end != End::Exited(0) {
        let said = reason(&run);
        return Err(match said.contains("could not find") {
            true => StoreError::NoCrate { package: package.into(), version: version.into() },
            false => StoreError::Cargo { message: said },
        });
    }
    removed.map_err(|error| StoreError::Io { path: folder.join("build"), error })
}

/// What cargo gave as the reason, in a line.
fn reason(run: &Run) -> String {
    let line = run.stderr.lines().find(|line| line.trim_start().starts_with("error"));
    let line = line.or_else(|| run.stderr.lines().next_back()).unwrap_or("cargo gave no reason");
    line.trim().trim_start_matches("error: ").into()
}
