//! What to start: a program, its arguments, its folder and its environment; and the plain way to run it to its end.

use crate::limits::{Limits, Run};
use crate::process::{Halt, Process, Watch};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The system could not start a program, or lost it.
#[derive(Debug, thiserror::Error)]
#[error("cannot run `{program}`: {error}")]
pub struct Error {
    /// The program as it was given.
    pub program: String,
    /// What the system said.
    #[source]
    pub error: std::io::Error,
}

/// A program with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    pub(crate) program: OsString,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) environment: Vec<(OsString, OsString)>,
}

impl Command {
    /// A program without arguments: a path, or a name on the search path.
    pub fn new(program: impl AsRef<OsStr>) -> Command {
        let program = program.as_ref().to_os_string();
        Command { program, arguments: Vec::new(), folder: None, environment: Vec::new() }
    }

    /// The command of a list of words, the program first. An empty list names the program ``, which does not exist.
    pub fn of_words<S: AsRef<OsStr>>(words: &[S]) -> Command {
        match words.split_first() {
            Some((program, arguments)) => Command::new(program).arguments(arguments),
            None => Command::new(""),
        }
    }

    /// With one more argument.
    pub fn argument(mut self, argument: impl AsRef<OsStr>) -> Command {
        self.arguments.push(argument.as_ref().to_os_string());
        self
    }

    /// With more arguments.
    pub fn arguments<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Command {
        self.arguments.extend(arguments.into_iter().map(|word| word.as_ref().to_os_string()));
        self
    }

    /// With another working folder than ours.
    pub fn folder(mut self, folder: &Path) -> Command {
        self.folder = Some(folder.to_path_buf());
        self
    }

    /// With one more variable in its environment, which is ours otherwise.
    pub fn variable(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Command {
        self.environment.push((name.as_ref().to_os_string(), value.as_ref().to_os_string()));
        self
    }

    /// Starts the program and leaves it running.
    pub fn start(&self) -> Result<Process, Error> {
        Process::start(self).map_err(|error| self.failed(error))
    }

    /// Runs the program to its end with a text on standard input.
    pub fn run(&self, input: &[u8], limits: &Limits, stop: &AtomicBool) -> Result<Run, Error> {
        let start = Instant::now();
        let mut process = self.start()?;
        let halt = process.watch(&Watch { input, marker: None, used: Duration::ZERO, limits, stop });
        debug_assert!(!matches!(halt, Halt::Marker(_)), "none was given");
        let wall = start.elapsed();
        let (stdout, stderr) = process.take_output();
        let (end, used) = process.finish(halt).map_err(|error| self.failed(error))?;
        tracing::debug!(program = %self.program.to_string_lossy(), ?end, cpu = ?used.cpu, ?wall, "a process ended");
        Ok(Run { stdout, stderr, end, cpu: used.cpu, wall, memory: used.memory })
    }

    fn failed(&self, error: std::io::Error) -> Error {
        Error { program: self.program.to_string_lossy().into_owned(), error }
    }
}

/// Runs the command of a list of words to its end with a text on standard input.
pub fn run<S: AsRef<OsStr>>(
    words: &[S],
    input: &[u8],
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<Run, Error> {
    Command::of_words(words).run(input, limits, stop)
}
