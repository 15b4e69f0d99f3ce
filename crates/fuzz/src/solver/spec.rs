//! From a SPEC to a command, and fresh runs of it. A SPEC is a release of the store (`z3@4.8.10`) or a program, with
//! arguments; `{file}` among them stands for the script, which comes by standard input otherwise.

use super::probe::Probe;
use super::store::Store;
use super::table::{self, Known};
use crate::case::Verdict;
use crate::tuning::solver_spec::SAID;
use process::{End, Limits, Run};
use smt::Dialect;
use smt::text::shortened;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use thiserror::Error;

/// Why a solver cannot be used.
#[derive(Debug, Error)]
pub enum SolverError {
    /// The SPEC is not one.
    #[error("`{spec}` names no solver: {reason}")]
    Spec {
        /// The SPEC as given.
        spec: String,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no such program.
    #[error("there is no program `{program}`{hint}")]
    Missing {
        /// The first word of the command line.
        program: String,
        /// What could be done.
        hint: String,
    },
    /// It dies of anything.
    #[error("`{solver}` dies of an empty query: {how}")]
    Dies {
        /// The SPEC as given.
        solver: String,
        /// How it ended, and what it said last.
        how: String,
    },
    /// The operating system refused.
    #[error(transparent)]
    Start(#[from] process::Error),
}

/// A command that reads SMT-LIB.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solver {
    /// The SPEC as given.
    pub name: String,
    /// The version that it states; empty if it states none.
    pub version: String,
    /// The names of operators that it understands.
    pub dialect: Dialect,
    /// What it said when it was asked about its strings.
    pub probe: Probe,
    command_line: Vec<String>,
    family: &'static str,
    /// Whether a fresh process gets the script as a file behind its command line.
    file_first: bool,
    /// Whether it serves several scripts inside `push` and `pop`.
    pub(super) scopes: bool,
    /// Whether `(reset)` brings it back to the start.
    pub(super) resets: bool,
    /// The CPU time of an empty query in a fresh process; zero until it was measured.
    start_cost: Duration,
}

/// What stands for the script on a command line.
const FILE: &str = "{file}";
/// What a script's temporary file is called in what a solver says about it.
const SCRIPT: &str = "script.smt2";

impl Solver {
    /// Finds the solver that a SPEC names and asks it for its version.
    pub fn resolve(spec: &str, store: &Store) -> Result<Solver, SolverError> {
        let wrong = |reason: &str| SolverError::Spec { spec: spec.into(), reason: reason.into() };
        let words = split(spec).ok_or_else(|| wrong("a quote is not closed"))?;
        let Some((first, options)) = words.split_first() else { return Err(wrong("it is empty")) };
        let (known, program, version) = match first.split_once('@') {
            Some((name, version)) if !first.contains('/') => {
                let known =
                    table::by_name(name).ok_or_else(|| wrong("no solver of this name has releases"))?;
                let release = store.find(name, version).ok_or_else(|| not_in_store(name, version, store))?;
                (Some(known), release.command, Some(release.version))
            }
            _ => {
                let known = Path::new(first).file_name().and_then(|name| table::by_name(name.to_str()?));
                match (table::on_path(first).or_else(|| own_program(first)), store.find(first, "")) {
                    (Some(program), _) => (known, vec![program], None),
                    (None, Some(release)) => (known, release.command, Some(release.version)),
                    (None, None) => return Err(missing(first)),
                }
            }
        };
        let mut solver = Solver {
            name: spec.into(),
            version: String::new(),
            dialect: Dialect::V26,
            probe: Probe::default(),
            family: known.map_or("", |known| known.name),
            scopes: known.is_some_and(|known| known.scopes),
            resets: known.is_some_and(|known| known.resets),
            start_cost: Duration::ZERO,
            command_line: command_line(&program, known, options),
            // The driver of a Python module reads standard input alone.
            file_first: known.is_some_and(|known| known.file_first) && program.len() == 1,
        };
        solver.scopes &= !solver.reads_file();
        solver.version = match (version, known) {
            (Some(version), _) => version,
            (None, Some(_)) => version_flag(&program)?,
            (None, None) => solver.version_info()?,
        };
        solver.probe = Probe::ask(&solver)?;
        let by_version = || known.map_or(Dialect::V26, |known| known.dialect(&solver.version));
        solver.dialect = solver.probe.dialect().unwrap_or_else(by_version);
        Ok(solver)
    }

    /// The command line; `{file}` stands for the script where it is not given by standard input.
    pub fn command_line(&self) -> Vec<String> {
        self.command_line.clone()
    }

    /// Its name in the table of solvers; empty if it is not there.
    pub fn family(&self) -> &'static str {
        self.family
    }

    /// Gives a script to a fresh process.
    pub fn run(&self, text: &str, limits: &Limits, stop: &AtomicBool) -> Result<Run, SolverError> {
        if !self.reads_file() && !self.file_first {
            return Ok(process::run(&self.command_line, text.as_bytes(), limits, stop)?);
        }
        let failed = |error| process::Error { program: self.name.clone(), error };
        let mut file = tempfile::Builder::new().suffix(".smt2").tempfile().map_err(failed)?;
        file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(failed)?;
        let (words, _) = self.words(file.path());
        let mut run = process::run(&words, b"", limits, stop)?;
        // What a solver says about the script names a file that nobody else has, and another one every time.
        let path = file.path().display().to_string();
        for text in [&mut run.stdout, &mut run.stderr] {
            if text.contains(&path) {
                *text = text.replace(&path, SCRIPT);
            }
        }
        Ok(run)
    }

    /// The command line for a script in a file, and the file that is its standard input if it is read from there.
    pub(super) fn words<'a>(&self, script: &'a Path) -> (Vec<String>, Option<&'a Path>) {
        let path = script.display().to_string();
        let mut words: Vec<String> = self.command_line.iter().map(|word| word.replace(FILE, &path)).collect();
        if self.file_first && !self.reads_file() {
            words.push(path);
        }
        let by_file = self.file_first || self.reads_file();
        (words, (!by_file).then_some(script))
    }

    /// The CPU time of an empty query in a fresh process. A solver that is a module of Python takes as long to start as many
    /// tests take.
    pub(crate) fn start_cost(&self) -> Duration {
        self.start_cost
    }

    /// Measures what a start costs, and refuses a solver that dies whatever it is asked: every test of a run would be the same
    /// finding, or none.
    pub(crate) fn tried(mut self) -> Result<Solver, SolverError> {
        let run = self.run("(set-logic QF_UF)\n(check-sat)\n", &brief(), &AtomicBool::new(false))?;
        let how = match run.end {
            End::Signalled(signal) => format!("it ended by signal {signal}"),
            // What a shell says of a program that it could not start, or that a signal ended.
            End::Exited(code @ 126..) => format!("it ended with code {code}"),
            _ => {
                self.start_cost = run.cpu;
                return Ok(self);
            }
        };
        let answers = run.stdout.lines().any(|line| Verdict::from_word(line.trim()).is_some());
        let said = run.stderr.lines().chain(run.stdout.lines()).rfind(|line| !line.trim().is_empty());
        let how = said.map_or(how.clone(), |said| format!("{how} ({})", shortened(said.trim(), SAID)));
        if answers { Ok(self) } else { Err(SolverError::Dies { solver: self.name, how }) }
    }

    /// What Z3 prints of one of its options; other solvers have no such question.
    pub(crate) fn about_option(&self, name: &str) -> Result<String, SolverError> {
        let words = [self.command_line[0].clone(), format!("-pp:{name}")];
        Ok(process::run(&words, b"", &brief(), &AtomicBool::new(false))?.stdout)
    }

    fn reads_file(&self) -> bool {
        self.command_line.iter().any(|word| word.contains(FILE))
    }

    /// The version as the standard asks for it, for programs of which nothing is known.
    fn version_info(&self) -> Result<String, SolverError> {
        let run = self.run("(get-info :version)\n", &brief(), &AtomicBool::new(false))?;
        let after = run.stdout.split_once(":version").map_or("", |(_, after)| after);
        Ok(after.split('"').nth(1).unwrap_or("").into())
    }
}

/// The program that is running, if it has this name: Soundline is a solver too, installed or not.
fn own_program(name: &str) -> Option<String> {
    let path = std::env::current_exe().ok()?;
    (path.file_name()? == name).then(|| path.display().to_string())
}

fn missing(program: &str) -> SolverError {
    let package = table::by_name(program).and_then(|known| known.package);
    let hint = package
        .map_or(String::new(), |_| format!(" on the search path; `soundline solver add {program}` gets one"));
    SolverError::Missing { program: program.into(), hint }
}

fn not_in_store(name: &str, version: &str, store: &Store) -> SolverError {
    let there: Vec<String> = store.list().iter().filter(|r| r.name == name).map(|r| r.spec()).collect();
    let there = if there.is_empty() { "none".into() } else { there.join(", ") };
    let reason =
        format!("it is not in the store (there: {there}); `soundline solver add {name}@{version}` gets it");
    SolverError::Spec { spec: format!("{name}@{version}"), reason }
}

/// Limits for what is asked of a solver at the start. A program that sleeps or waits is given up soon: the user is waiting too.
pub(super) fn brief() -> Limits {
    let wall = Duration::from_secs(20);
    Limits { output: 64 << 10, wall, ..Limits::with_cpu(Duration::from_secs(5)) }
}

/// The first word of what `--version` prints that looks like a version.
fn version_flag(program: &[String]) -> Result<String, SolverError> {
    let run =
        process::run(&[program, &["--version".into()]].concat(), b"", &brief(), &AtomicBool::new(false))?;
    let word = run.stdout.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    Ok(word.unwrap_or("").trim_end_matches([',', ';']).into())
}

/// The arguments that the table gives and the caller's; those that the caller gives too come once.
fn command_line(program: &[String], known: Option<&Known>, options: &[String]) -> Vec<String> {
    let mut words = program.to_vec();
    let by_file = options.iter().any(|word| word.contains(FILE));
    if let Some(known) = known {
        let stdin = if by_file { &[] } else { known.stdin.unwrap_or(&[]) };
        let given = known.always.iter().chain(stdin).filter(|word| !options.iter().any(|o| o == **word));
        words.extend(given.map(|word| word.to_string()));
    }
    words.extend_from_slice(options);
    if known.is_some_and(|known| known.stdin.is_none()) && !by_file {
        words.push(FILE.into());
    }
    words
}

/// Words, separated by blanks; quotes of both kinds and backslashes as a shell has them. `None` if a quote stays open.
fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().push(chars.next()?),
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}
