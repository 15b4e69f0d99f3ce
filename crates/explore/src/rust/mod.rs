//! From Rust to WebAssembly, by the rustc or cargo that is installed and its standard library for WASI.
//!
//! Overflow checks and debug assertions are on: what goes wrong is a panic, with its message and line. Memory errors need `unsafe` code in
//! Rust, and are only noticed where WebAssembly traps.

use process::{Command, End, Limits, Run};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The names of the target, the newest first. Debian's package has the standard library of the second.
const TARGETS: &[&str] = &["wasm32-wasip1", "wasm32-wasi"];

/// A compiler and the cargo that goes with it: a newer cargo gives an older compiler options that it does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Toolchain {
    rustc: &'static str,
    cargo: &'static str,
}

/// Where compilers are: the user's own, and the system's, which rustup's hides.
const TOOLCHAINS: &[Toolchain] = &[
    Toolchain { rustc: "rustc", cargo: "cargo" },
    Toolchain { rustc: "/usr/bin/rustc", cargo: "/usr/bin/cargo" },
];

/// Lines and branches stay near the source's while locals live in registers.
const OPTIONS: &[&str] =
    &["-g", "-Copt-level=1", "-Coverflow-checks=on", "-Cdebug-assertions=on", "-Cpanic=abort"];

/// Why there is no module.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no compiler, or no standard library for WebAssembly.
    #[error(
        "cannot compile Rust to WebAssembly: {reason}\nhelp: rustup target add wasm32-wasip1, or on Debian and Ubuntu: apt-get install rustc cargo libstd-rust-dev-wasm32 lld"
    )]
    Missing {
        /// What is missing.
        reason: String,
    },
    /// The program has errors.
    #[error("{tool} refuses {}:\n{messages}", file.display())]
    Refused {
        /// `rustc` or `cargo`.
        tool: &'static str,
        /// A source file, or the folder of a package.
        file: PathBuf,
        /// What the compiler says.
        messages: String,
    },
    /// A project has no program, or several.
    #[error("{}: {}", file.display(), if programs.is_empty() { "the project has no program, only libraries".to_string() } else { format!("the project has several programs; choose one by -- --bin NAME: {}", programs.join(", ")) })]
    Programs {
        /// The manifest.
        file: PathBuf,
        /// Their names.
        programs: Vec<String>,
    },
    /// A file cannot be read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
}

/// The manifest of a project, if the path is one or a folder that has one.
fn manifest(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return Some(path.join("Cargo.toml")).filter(|file| file.is_file());
    }
    (path.file_name()? == "Cargo.toml").then(|| path.to_path_buf())
}

/// Whether this compiles a path: a file of Rust, a manifest, or a folder with one.
pub(crate) fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs") || manifest(path).is_some()
}

/// Compiles a file or a project. Flags are rustc's for a file, cargo's for a project.
pub(crate) fn compile(path: &Path, flags: &[String]) -> Result<Vec<u8>, Error> {
    let folder = tempfile::tempdir()?;
    let (toolchain, target) = target()?;
    match manifest(path) {
        Some(manifest) => project(&manifest, toolchain, target, flags, folder.path()),
        None => {
            let output = folder.path().join("program.wasm");
            let command = Command::new(toolchain.rustc)
                .arguments(["--target", target, "--edition=2021"])
                .arguments(OPTIONS)
                .arguments(flags)
                .argument(path)
                .argument("-o")
                .argument(&output);
            let run = started(&command)?;
            match run.end {
                End::Exited(0) => Ok(std::fs::read(output)?),
                _ => Err(refused("rustc", path, run.stderr)),
            }
        }
    }
}

/// Builds a project and reads its one program.
fn project(
    manifest: &Path,
    toolchain: Toolchain,
    target: &str,
    flags: &[String],
    folder: &Path,
) -> Result<Vec<u8>, Error> {
    let command = Command::new(toolchain.cargo)
        .variable("RUSTC", toolchain.rustc)
        .arguments(["build", "--bins", "--message-format=json-render-diagnostics", "--target", target])
        .argument("--manifest-path")
        .argument(manifest)
        .argument("--target-dir")
        .argument(folder)
        .arguments(flags)
        .variable("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
        .variable("CARGO_PROFILE_DEV_PANIC", "abort");
    let run = started(&command)?;
    if run.end != End::Exited(0) {
        return Err(refused("cargo", manifest, run.stderr));
    }
    let messages = run.stdout.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
    let programs: Vec<PathBuf> = messages
        .filter_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
        .filter(|file| file.extension().is_some_and(|extension| extension == "wasm"))
        .collect();
    match &programs[..] {
        [only] => Ok(std::fs::read(only)?),
        _ => {
            let name = |file: &PathBuf| file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            Err(Error::Programs {
                file: manifest.to_path_buf(),
                programs: programs.iter().filter_map(name).collect(),
            })
        }
    }
}

/// The compiler that has a standard library for a target, and the target.
fn target() -> Result<(Toolchain, &'static str), Error> {
    let mut reason = "rustc has no standard library for wasm32-wasip1 or wasm32-wasi".to_string();
    let mut first = None;
    for &toolchain in TOOLCHAINS {
        for target in TARGETS {
            let command = Command::new(toolchain.rustc);
            let run = match started(&command.arguments(["--print", "target-libdir", "--target", target])) {
                Ok(run) => run,
                Err(error) => {
                    first.get_or_insert(error);
                    break;
                }
            };
            let library = Path::new(run.stdout.trim());
            let installed = std::fs::read_dir(library).is_ok_and(|mut files| {
                let is_std =
                    |file: std::fs::DirEntry| file.file_name().to_string_lossy().starts_with("libstd-");
                files.any(|file| file.is_ok_and(is_std))
            });
            match run.end {
                End::Exited(0) if installed => return Ok((toolchain, target)),
                // Newer compilers do not know the older name, and older ones not the newer.
                _ if run.stderr.contains("target specification") => {}
                End::Exited(0) => {}
                _ => reason = run.stderr.lines().next().unwrap_or("rustc does not start").to_string(),
            }
        }
    }
    // The user's own compiler is the one that is missed.
    Err(first.filter(|_| !on_path(TOOLCHAINS[0].rustc)).unwrap_or(Error::Missing { reason }))
}

fn on_path(tool: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(tool).is_file())
}

/// A compiler may take longer for a project with dependencies than for one file.
fn started(command: &Command) -> Result<Run, Error> {
    let limits = Limits { memory: 8 << 30, output: 64 << 20, ..Limits::with_cpu(Duration::from_secs(900)) };
    command
        .run(b"", &limits, &AtomicBool::new(false))
        .map_err(|failed| Error::Missing { reason: failed.to_string() })
}

fn refused(tool: &'static str, file: &Path, messages: String) -> Error {
    // A missing linker or library is not the program's mistake.
    let missing = messages.lines().find(|line| {
        line.contains("can't find crate for `std`") || line.contains("linker `") && line.contains("not found")
    });
    match missing {
        Some(line) => Error::Missing { reason: line.trim().to_string() },
        None => Error::Refused { tool, file: file.to_path_buf(), messages },
    }
}
