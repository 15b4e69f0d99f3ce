//! `soundline replay`: the tests of an exploration, run again.

use crate::input::{print, print_json, read_bytes};
use crate::{Failure, Outcome};
use explore::coverage::Coverage;
use explore::report::{self, test};
use explore::{Program, replay};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// Run the tests of an exploration again: coverage, crashes, divergences.
///
/// DIR is a folder that soundline explore wrote. Every test is run on the stored module; a test that ends otherwise than it did, or
/// along another path, is a divergence and is shown. With --program the tests are run on another module instead, for
/// example one built from a corrected source.
///
/// Exit code: 0 if no test crashes and none diverges, 1 if one does, 2 for a folder that is none of soundline's.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Run the tests on this .wasm module instead of the stored one
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let summary = read_json(&arguments.folder.join("summary.json"))?;
    let setup = report::setup_from(&summary)
        .ok_or_else(|| Failure(format!("{}: summary.json tells of no setup", arguments.folder.display())))?;
    let path = arguments.program.clone().unwrap_or_else(|| arguments.folder.join("program.wasm"));
    let program = Program::load(&read_bytes(&path)?, setup)
        .map_err(|error| Failure(format!("{}: {error}", path.display())))?;
    let (options, limits) = (report::options_from(&summary), report::limits_from(&summary));
    let mut coverage = Coverage::new(program.machine(), program.source());
    let (mut crashes, mut divergences) = (0, 0);
    let mut shown: Vec<Json> = Vec::new();
    let mut text = String::new();
    let files = test_files(&arguments.folder)?;
    for file in &files {
        let stored = test::from_json(&read_json(file)?)
            .ok_or_else(|| Failure(format!("{} is not a test", file.display())))?;
        let replayed = replay::replay(&program, &stored, options, &limits, &mut coverage);
        let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        crashes += usize::from(replayed.crashed);
        if replayed.crashed {
            text.push_str(&format!("test {name} crashes: {}\n", replayed.ending));
        }
        if let Some(divergence) = &replayed.divergence {
            divergences += 1;
            text.push_str(&format!("test {name} diverges: {divergence}\n"));
        }
        shown.push(json!({
            "test": name,
            "ending": replayed.ending,
            "crashed": replayed.crashed,
            "divergence": replayed.divergence,
        }));
    }
    let (covered, branches) = coverage.branches();
    let (lines, all_lines) = (coverage.lines().len(), program.source().lines().len());
    if arguments.json {
        print_json(&json!({
            "tests": files.len(),
            "crashes": crashes,
            "divergences": divergences,
            "branches_covered": covered,
            "branches": branches,
            "lines_covered": lines,
            "lines": all_lines,
            "results": shown,
        }));
    } else {
        print(&format!(
            "{text}{} tests: {crashes} crash, {divergences} diverge; covered {covered} of {branches} branch directions, \
             {lines} of {all_lines} lines\n",
            files.len()
        ));
    }
    Ok(if crashes + divergences > 0 { Outcome::Found } else { Outcome::Clean })
}

fn read_json(path: &Path) -> Result<Json, Failure> {
    serde_json::from_slice(&read_bytes(path)?)
        .map_err(|error| Failure(format!("{} is not JSON: {error}", path.display())))
}

/// The tests, in order.
fn test_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = folder.join("tests");
    let unreadable = |error: std::io::Error| Failure(format!("cannot read {}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
