//! From C to WebAssembly, or to this machine's own code, by the clang that is installed. The compiler runs under limits: a program
//! can make a compiler work for ever (templates, macros that double), and nobody should have to look for it afterwards.

use process::{Command, End, Limits};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The headers that programs include to ask for inputs.
pub(crate) const HEADERS: &[(&str, &str)] =
    &[("soundline.h", include_str!("soundline.h")), ("klee/klee.h", include_str!("klee.h"))];

/// Writes the headers into a folder, which is to be one that the compiler looks into.
pub(crate) fn write_headers(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder.join("klee"))?;
    HEADERS.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
}

/// The Debian packages that compile C to WebAssembly.
pub const PACKAGES: &str = "clang lld wasi-libc libclang-rt-dev-wasm32";

/// What one run of the compiler may use. The largest programs that we know compile in seconds.
fn limits() -> Limits {
    Limits { memory: 4 << 30, output: 4 << 20, ..Limits::with_cpu(Duration::from_secs(120)) }
}

/// Why there is no module.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The compiler is not there, or not for WebAssembly.
    #[error(
        "cannot compile C to WebAssembly: {reason}\nhelp: on Debian and Ubuntu: apt-get install {PACKAGES}"
    )]
    Missing {
        /// What is missing.
        reason: String,
    },
    /// The program has errors.
    #[error("clang refuses {}:\n{messages}", file.display())]
    Refused {
        /// The file.
        file: PathBuf,
        /// What clang says.
        messages: String,
    },
    /// The compiler did not come to an end.
    #[error("clang does not finish {}: it reached its limit of {limit}", file.display())]
    Unfinished {
        /// The file.
        file: PathBuf,
        /// Which limit, in words.
        limit: &'static str,
    },
    /// A file cannot be read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
}

/// Compiles a C file. With an entry the module is a library that exports the function.
pub fn compile(file: &Path, entry: Option<&str>, flags: &[String]) -> Result<Vec<u8>, Error> {
    let folder = tempfile::tempdir()?;
    write_headers(folder.path())?;
    let output = folder.path().join("program.wasm");
    let mut command = Command::new("clang")
        // -O1 keeps lines and branches near the source's while locals live in registers; built-in functions stay calls.
        .arguments(["--target=wasm32-wasi", "-O1", "-g", "-fno-vectorize", "-fno-slp-vectorize"])
        .argument("-I")
        .argument(folder.path())
        // What the program declares by itself and nobody defines is imported, and found missing when it is linked to the world.
        .argument("-Wl,--allow-undefined");
    if let Some(entry) = entry {
        command = command.argument("-mexec-model=reactor").argument(format!("-Wl,--export={entry}"));
    }
    let command = command.argument(file).argument("-o").argument(&output).argument("-lm").arguments(flags);
    compiled(&command, file)?;
    Ok(std::fs::read(output)?)
}

/// Compiles a C file for this machine, together with one that answers the functions of the header.
pub(crate) fn compile_native(
    file: &Path,
    support: &Path,
    output: &Path,
    flags: &[String],
    sanitizers: &[&str],
) -> Result<(), Error> {
    // The support file's folder is where the program finds its inputs.
    let folder = support.parent().unwrap_or(Path::new("."));
    write_headers(folder)?;
    let command = Command::new("clang")
        .arguments(["-O1", "-g", "-fno-omit-frame-pointer"])
        .arguments(sanitizers)
        .argument("-I")
        .argument(folder)
        .argument(format!("-DSOUNDLINE_FOLDER={:?}", folder.display().to_string()))
        .argument(file)
        .argument(support)
        .argument("-o")
        .argument(output)
        .argument("-lm")
        .arguments(flags);
    compiled(&command, file)
}

/// Runs the compiler.
fn compiled(command: &Command, file: &Path) -> Result<(), Error> {
    let never = AtomicBool::new(false);
    let run = command
        .run(b"", &limits(), &never)
        .map_err(|failed| Error::Missing { reason: format!("clang: {}", failed.error) })?;
    let unfinished = |limit| Error::Unfinished { file: file.to_path_buf(), limit };
    match run.end {
        End::Exited(0) => Ok(()),
        End::Exited(_) | End::Signalled(_) => Err(match missing(&run.stderr) {
            Some(reason) => Error::Missing { reason },
            None => Error::Refused { file: file.to_path_buf(), messages: run.stderr },
        }),
        End::CpuLimit => Err(unfinished("CPU time")),
        End::WallLimit | End::Stopped => Err(unfinished("time")),
        End::MemoryLimit => Err(unfinished("memory")),
        End::OutputLimit => Err(unfinished("messages")),
    }
}

/// The message that shows that a part of the tool chain is not there.
fn missing(messages: &str) -> Option<String> {
    const SIGNS: &[&str] = &[
        "wasm-ld",
        "crt1",
        "libclang_rt.builtins",
        "'stdio.h' file not found",
        "'stdlib.h' file not found",
        "'stddef.h' file not found",
        "unable to create target",
        "No available targets",
    ];
    let shows = |line: &&str| {
        SIGNS.iter().any(|sign| line.contains(sign))
            && ["not found", "cannot open", "unable to", "No available"].iter().any(|how| line.contains(how))
    };
    messages.lines().find(shows).map(str::to_string)
}
