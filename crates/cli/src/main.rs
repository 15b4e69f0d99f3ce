//! The `soundline` binary: arguments in, messages and exit codes out. It owns what people see; everything else is in the
//! libraries.

mod ci;
mod codes;
mod commands;
mod documents;
mod examples;
mod failure;
mod input;
mod log;
mod progress;

pub(crate) use failure::Failure;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::panic::{AssertUnwindSafe, catch_unwind};
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
    Explore(Box<commands::explore::Arguments>),
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

fn main() -> ExitCode {
    let command = examples::with_examples(Arguments::command());
    let matches = match command.clone().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return failure::usage(&error, json_is_named()),
    };
    let (words, as_json) = called(&matches);
    let arguments = match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => arguments,
        Err(error) => return failure::usage(&error, as_json),
    };
    progress::set_volume(match (arguments.quiet, arguments.verbose) {
        (true, _) => progress::Volume::Quiet,
        (false, true) => progress::Volume::Verbose,
        (false, false) => progress::Volume::Usual,
    });
    log::start();
    // The panic's message and place are out when it arrives here.
    let result = catch_unwind(AssertUnwindSafe(|| run(arguments.command, command)))
        .unwrap_or_else(|_| Err(Failure::Internal("this is a defect of soundline; please report it".into())));
    match result {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Ok(Outcome::BadInput) => ExitCode::from(2),
        Ok(Outcome::Internal) => ExitCode::from(3),
        Err(failure) => failure.tell(&words, as_json),
    }
}

/// The words of the command that was called, and whether it was asked for JSON.
fn called(matches: &ArgMatches) -> (String, bool) {
    let (mut words, mut inner) = (String::from("soundline"), matches);
    while let Some((name, next)) = inner.subcommand() {
        words = words + " " + name;
        inner = next;
    }
    (words, inner.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or(false))
}

/// Whether the arguments name `--json`, for those that make no sense otherwise.
fn json_is_named() -> bool {
    std::env::args_os().skip(1).take_while(|word| word != "--").any(|word| word == "--json")
}

fn run(chosen: Command, command: clap::Command) -> Result<Outcome, Failure> {
    match chosen {
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
    }
}
