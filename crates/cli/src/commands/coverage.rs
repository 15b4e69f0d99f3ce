//! `soundline coverage`: solvers that count what they execute: built here, or the runtime and the advice for building them.

use super::stop_on_interrupt;
use crate::input::{print, print_exactly, print_json, say};
use crate::progress::ProgressLine;
use crate::{Failure, Outcome};
use fuzz::evolve::coverage::sancov::{BUILD_HELP, RUNTIME};
use fuzz::instrument::{self, BuildSettings, Z3_SOURCES};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Build solvers that count what they execute, for fuzz evolve --coverage.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Build Z3 with counters and with its assertions switched on
    ///
    /// The sources are those of the crate z3-src, which cargo gets from the registry; clang and cmake compile them, which takes
    /// half an hour to an hour of CPU time. A build that was stopped goes on where it was. In the end the command prints the SPEC
    /// of the program: soundline fuzz evolve --solver SPEC --coverage sancov uses the counters, and for every strategy an assertion
    /// that the solver violates is a finding.
    ///
    /// Example: soundline coverage build z3 --out z3-coverage
    Build(BuildArguments),
    /// Print how Z3 and cvc5 are built with the runtime
    BuildHelp,
    /// Print the runtime's C source
    Runtime,
}

#[derive(clap::Args, Debug)]
struct BuildArguments {
    /// The solver: z3
    #[arg(value_parser = ["z3"])]
    solver: String,
    /// Where sources and products go
    #[arg(long, value_name = "DIR", default_value = "soundline-coverage")]
    out: PathBuf,
    /// The version of the crate z3-src
    #[arg(long, value_name = "VERSION", default_value = Z3_SOURCES)]
    version: String,
    /// Sources of Z3 instead of the crate's
    #[arg(long, value_name = "DIR")]
    sources: Option<PathBuf>,
    /// Files compiled at the same time; by default one a core
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Get the sources and configure the build, and stop before compiling
    #[arg(long)]
    configure_only: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.what {
        What::Build(arguments) => return build(arguments),
        What::BuildHelp => print_exactly(BUILD_HELP),
        What::Runtime => print_exactly(RUNTIME),
    }
    Ok(Outcome::Clean)
}

fn build(arguments: &BuildArguments) -> Result<Outcome, Failure> {
    let stop = stop_on_interrupt()?;
    let failed = |path: &PathBuf, error: std::io::Error| Failure(format!("{}: {error}", path.display()));
    let (folder, _) = output::Folder::open(&arguments.out, "coverage build", false)
        .map_err(|error| Failure(error.to_string()))?;
    let place = folder.path().canonicalize().map_err(|error| failed(&arguments.out, error))?;
    let sources = match &arguments.sources {
        Some(path) => Some(path.canonicalize().map_err(|error| failed(path, error))?),
        None => None,
    };
    let settings = BuildSettings {
        folder: place,
        version: arguments.version.clone(),
        sources,
        target: ("shell".into(), "z3".into()),
        jobs: arguments
            .jobs
            .or_else(|| std::thread::available_parallelism().ok())
            .map_or(1, NonZeroUsize::get),
        configure_only: arguments.configure_only,
    };
    let mut progress = ProgressLine::new();
    let built = instrument::build(&settings, &stop, &mut |text| progress.say(text))
        .map_err(|error| Failure(error.to_string()))?;
    // With a file the program's question what to do after a violated assertion finds no answer, and it ends.
    let spec = built.program.as_ref().map(|program| format!("{} {{file}}", program.display()));
    if arguments.json {
        print_json(&crate::documents::CoverageBuilt { spec, counters: built.counters });
        return Ok(Outcome::Clean);
    }
    match spec {
        Some(spec) => print(&format!("{spec}\n")),
        None => say!("configured; without --configure-only the same command compiles"),
    }
    Ok(Outcome::Clean)
}
