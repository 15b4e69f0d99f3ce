//! `soundline completions`: what a shell needs to complete the command line.

use crate::input::print_exactly;
use crate::{Failure, Outcome};
use clap_complete::Shell;

/// Print the completions of the command line for a shell.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments, mut command: clap::Command) -> Result<Outcome, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "soundline", &mut text);
    print_exactly(&String::from_utf8_lossy(&text));
    Ok(Outcome::Clean)
}
