//! The `soundline` binary: arguments in, messages and exit codes out. It owns what people see; everything else is in the
//! libraries.

mod ci;
mod codes;
mod commands;
mod documents;
mod examples;
mod input;
mod log;
mod progress;

use crate::codes::{Code, Coded};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;

/// A workbench in which programs and constraint solvers test each other.
///
/// Every command reads SMT-LIB 2.6 and 2.7 (and the 2.5-era names of string operators), reports errors with line, column
/// and an excerpt, and with --json prints one JSON document on standard output; messages go to standard error.
///
/// Exit codes: 0 done and nothing found, 1 done and something found, 2 wrong usage or bad input, 3 internal failure.
#[derive(Parser, Debug)]
#[command(name = "soundline", version, max_term_width = 100)]
struct Arguments {
    /// Print results and errors only
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Say what is being done in lines that stay, every second
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    verbose: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Parse and sort-check scripts, and say what is in them
    Check(commands::check::Arguments),
    /// Print a script in a uniform layout or in another dialect
    Fmt(commands::fmt::Arguments),
    /// Evaluate a script's assertions under a model
    Eval(commands::eval::Arguments),
    /// Decide scripts, or talk SMT-LIB on standard input
    Solve(commands::solve::Arguments),
    /// Run several solvers over the same scripts and compare them
    Race(commands::race::Arguments),
    /// Find the releases of a solver that answer a script wrongly
    Bisect(commands::bisect::Arguments),
    /// Keep releases of solvers side by side
    Solver(commands::solver::Arguments),
    /// Find defects in SMT solvers
    Fuzz(commands::fuzz::Arguments),
    /// Shrink a script on which a solver misbehaves
    Reduce(commands::reduce::Arguments),
    /// Build solvers that count what they execute
    Coverage(commands::coverage::Arguments),
    /// Write tests for a program by concolic execution
    Explore(commands::explore::Arguments),
    /// Run the tests of an exploration again
    Replay(commands::replay::Arguments),
    /// Test solvers and explore programs every night, from one file
    Campaign(commands::campaign::Arguments),
    /// Do work for a campaign that another machine coordinates
    Worker(commands::worker::Arguments),
    /// Show results as a page that updates itself
    Serve(commands::serve::Arguments),
    /// Write results as a page of static files
    Report(commands::report::Arguments),
    /// Explain the code of an error
    Explain(commands::explain::Arguments),
    /// Print completions for a shell
    Completions(commands::completions::Arguments),
    /// Write the manual pages
    Man(commands::man::Arguments),
}

/// How a command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Nothing to complain about.
    Clean,
    /// Something was found.
    Found,
    /// The input is bad; the messages are out.
    BadInput,
    /// The program failed; the messages are out.
    Internal,
}

/// What keeps a command from doing its work, in words for the user.
#[derive(Debug)]
pub(crate) struct Failure {
    code: Code,
    message: String,
    /// Whether the user can do nothing about it, as when a disk is full: exit code 3 instead of 2.
    internal: bool,
}

/// A failure by wrong usage or bad input that no library noticed.
#[allow(
    non_snake_case,
    reason = "it makes a value of the type of the same name, as the constructor of a struct would"
)]
pub(crate) fn Failure(message: String) -> Failure {
    Failure::coded(Code::USAGE, message)
}

impl Failure {
    /// A failure that the user can do something about.
    pub(crate) fn coded(code: Code, message: String) -> Failure {
        Failure { code, message, internal: false }
    }

    /// Something else broke.
    #[allow(non_snake_case, reason = "it stands beside the function `Failure`, which makes the other kind")]
    pub(crate) fn Internal(message: String) -> Failure {
        Failure { code: Code::INTERNAL, message, internal: true }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure(message)
    }
}

/// Errors of the libraries come with their code.
impl<E: Coded + std::fmt::Display> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::coded(error.code(), error.to_string())
    }
}

fn main() -> ExitCode {
    let command = examples::with_examples(Arguments::command());
    let arguments = match Arguments::from_arg_matches(&command.clone().get_matches()) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    progress::set_volume(match (arguments.quiet, arguments.verbose) {
        (true, _) => progress::Volume::Quiet,
        (false, true) => progress::Volume::Verbose,
        (false, false) => progress::Volume::Usual,
    });
    log::start();
    let result = match arguments.command {
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Fmt(arguments) => commands::fmt::run(&arguments),
        Command::Eval(arguments) => commands::eval::run(&arguments),
        Command::Solve(arguments) => commands::solve::run(&arguments),
        Command::Race(arguments) => commands::race::run(&arguments),
        Command::Bisect(arguments) => commands::bisect::run(&arguments),
        Command::Solver(arguments) => commands::solver::run(&arguments),
        Command::Fuzz(arguments) => commands::fuzz::run(&arguments),
        Command::Reduce(arguments) => commands::reduce::run(&arguments),
        Command::Coverage(arguments) => commands::coverage::run(&arguments),
        Command::Explore(arguments) => commands::explore::run(&arguments),
        Command::Replay(arguments) => commands::replay::run(&arguments),
        Command::Campaign(arguments) => commands::campaign::run(&arguments),
        Command::Worker(arguments) => commands::worker::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
        Command::Report(arguments) => commands::report::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
        Command::Completions(arguments) => commands::completions::run(&arguments, command),
        Command::Man(arguments) => commands::man::run(&arguments, command),
    };
    match result {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Ok(Outcome::BadInput) => ExitCode::from(2),
        Ok(Outcome::Internal) => ExitCode::from(3),
        Err(Failure { code, message, internal }) => {
            input::say!("error: {message}\n  = {code}: `soundline explain {code}` says more");
            ExitCode::from(if internal { 3 } else { 2 })
        }
    }
}
