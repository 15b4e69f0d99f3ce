//! `soundline coverage`: the runtime that makes a solver count what it executes, and how to build solvers with it.

use crate::input::print;
use crate::{Failure, Outcome};
use fuzz::evolve::coverage::sancov::{BUILD_HELP, RUNTIME};

/// Build solvers that count what they execute, for fuzz evolve --coverage.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Print how Z3 and cvc5 are built with the runtime
    BuildHelp,
    /// Print the runtime's C source
    Runtime,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    print(match arguments.what {
        What::BuildHelp => BUILD_HELP,
        What::Runtime => RUNTIME,
    });
    Ok(Outcome::Clean)
}
