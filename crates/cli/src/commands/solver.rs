//! `soundline solver`: releases of solvers side by side.

use super::stop_on_interrupt;
use crate::codes::Coded;
use crate::documents::{FoundSolver, SolverList, StoredRelease};
use crate::input::{print, print_json, say};
use crate::progress::ProgressLine;
use crate::{Failure, Outcome};
use clap::Subcommand;
use fuzz::solver::{Solver, Store, StoreError, table};
use std::fmt::Write;

/// Keep releases of solvers side by side.
///
/// Releases come from the Python package index (through python3 -m pip) into $SOUNDLINE_HOME, or soundline in the user's data
/// directory, and are named wherever a solver is: --solver z3@4.8.10, with options behind it if wanted:
/// --solver "z3@4.8.10 smt.string_solver=z3str3". Solvers on the search path are used by their name, all others by their
/// command line, in which {file} stands for the script if it is not wanted on standard input.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Get releases: z3@4.8.10, z3@4.8 (the newest of these), z3 (the newest); also cvc5 and bitwuzla
    Add {
        /// Releases
        #[arg(required = true, value_name = "NAME[@VERSION]")]
        releases: Vec<String>,
    },
    /// List the releases that are there, and the known solvers on the search path
    List {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Remove releases
    Remove {
        /// Releases
        #[arg(required = true, value_name = "NAME@VERSION")]
        releases: Vec<String>,
    },
    /// List the releases that the package index has, oldest first
    Releases {
        /// The solver: z3, cvc5 or bitwuzla
        name: String,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let store = Store::open();
    match &arguments.action {
        Action::Add { releases } => add(&store, releases),
        Action::List { json } => {
            list(&store, *json);
            Ok(Outcome::Clean)
        }
        Action::Remove { releases } => {
            for spec in releases {
                let release = store.remove(spec).map_err(Failure::from)?;
                say!("removed {}", release.spec());
            }
            Ok(Outcome::Clean)
        }
        Action::Releases { name } => {
            let stop = stop_on_interrupt()?;
            let versions = store.releases(name, &stop).map_err(Failure::from)?;
            print(&versions.iter().fold(String::new(), |text, version| text + version + "\n"));
            Ok(Outcome::Clean)
        }
    }
}

fn add(store: &Store, specs: &[String]) -> Result<Outcome, Failure> {
    let stop = stop_on_interrupt()?;
    let mut progress = ProgressLine::new();
    let mut failed = Vec::new();
    for spec in specs {
        match store.add(spec, &stop, &mut |text| progress.show(text)) {
            Ok(release) => progress.say(&format!("{} in {}", release.spec(), release.folder.display())),
            Err(error @ StoreError::Stopped) => {
                return Err(Failure::coded(error.code(), format!("{spec}: {error}")));
            }
            // One release that cannot be had does not keep the others from coming.
            Err(error) => failed.push((error.code(), format!("{spec}: {error}"))),
        }
    }
    let Some(&(code, _)) = failed.first() else { return Ok(Outcome::Clean) };
    let messages: Vec<String> = failed.into_iter().map(|(_, message)| message).collect();
    Err(Failure::coded(code, messages.join("\n")))
}

fn list(store: &Store, as_json: bool) {
    let releases = store.list();
    // A program that does not answer to --version is not the solver of that name.
    let on_path: Vec<Solver> = table::TABLE
        .iter()
        .filter_map(|known| table::on_path(known.name).and_then(|path| Solver::resolve(&path, store).ok()))
        .collect();
    if as_json {
        let releases = releases.iter().map(|r| StoredRelease {
            spec: r.spec(),
            name: &r.name,
            version: &r.version,
            folder: &r.folder,
            command: &r.command,
        });
        let search_path = on_path.iter().map(|s| FoundSolver {
            program: &s.name,
            version: &s.version,
            command: s.command_line(),
        });
        print_json(&SolverList {
            store: &store.folder(),
            releases: releases.collect(),
            search_path: search_path.collect(),
        });
        return;
    }
    let mut text = String::new();
    let rows = releases.iter().map(|r| (r.spec(), r.folder.display().to_string()));
    let rows = rows.chain(on_path.iter().map(|solver| {
        let name =
            std::path::Path::new(&solver.name).file_name().map_or("".into(), |name| name.to_string_lossy());
        (format!("{name} ({})", solver.version), solver.name.clone())
    }));
    for (name, place) in rows {
        writeln!(text, "{name:<24} {place}").expect("writing to a string");
    }
    if text.is_empty() {
        say!("no solver is there; `soundline solver add z3` gets one");
    }
    print(&text);
}
