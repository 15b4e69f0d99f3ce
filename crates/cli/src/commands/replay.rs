//! `soundline replay`: the tests of an exploration, run again.

use super::{seconds, stop_on_interrupt};
use crate::codes::{Code, Coded};
use crate::documents::{NativeReplay, NativeReplays, Replayed, Replays};
use crate::input::{print, print_json, read_bytes, unreadable};
use crate::{Failure, Outcome};
use explore::coverage::Coverage;
use explore::native::{self, Native};
use explore::report::{self, test};
use explore::world::Setup;
use explore::{Program, Target, clang, replay};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Run the tests of an exploration again: coverage, crashes, divergences.
///
/// DIR is a folder that soundline explore wrote. Every test is run on the stored module; a test that ends otherwise than it did, or
/// along another path, is a divergence and is shown. With --program the tests are run on another module instead, for
/// example one built from a corrected source.
///
/// With --native the C program is also compiled for this machine, with the address and undefined behaviour sanitizers where clang
/// has them, and every test is run on that too, in a process of its own: what crashes there is shown, and what differs in
/// exit code or output. A program may rightly differ where it depends on the width of long and of pointers, which
/// have 32 bits on wasm32. A Java program is run by the java that is installed, with assertions enabled. Natively nothing keeps the program from what it does to this machine, so do not do this with a program
/// that you would not run by hand. The file is looked for under the name that it was explored by.
///
/// Exit code: 0 if no test crashes and none diverges, 1 if one does, 2 for a folder that is none of soundline's. Differences of
/// the native program without a crash do not count.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Run the tests on this .wasm module, or .jar, instead of the stored one
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Run the tests on the natively compiled C program too
    #[arg(long)]
    native: bool,
    /// With --native: the longest CPU time of one test, in seconds (fractions allowed)
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds, requires = "native")]
    time_limit: Duration,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let summary = read_json(&arguments.folder.join("summary.json"))?;
    let setup = report::setup_from(&summary)
        .ok_or_else(|| unusable(format!("{}: summary.json tells of no setup", arguments.folder.display())))?;
    let program = load(arguments, &summary, setup)?;
    let limits = report::limits_from(&summary);
    let java = match summary["main"].as_str() {
        Some(main) if arguments.native => Some(real_java(arguments, &summary, main)?),
        _ => None,
    };
    let native = (arguments.native && java.is_none()).then(|| compile(&summary)).transpose()?;
    let stop = stop_on_interrupt()?;
    let mut coverage = Coverage::new(program.sites());
    let mut tally = Tally::default();
    let mut shown: Vec<Replayed> = Vec::new();
    let mut text = String::new();
    for file in test_files(&arguments.folder)? {
        if stop.load(Ordering::Relaxed) {
            return Err(Failure::coded(Code::INTERRUPTED, "interrupted".into()));
        }
        let document = read_json(&file)?;
        let not_a_test = || unusable(format!("{} is not a test", file.display()));
        let stored = test::from_json(&document).ok_or_else(not_a_test)?;
        let replayed = replay::replay(&*program, &stored, &limits, &mut coverage);
        let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let crashed = replayed.run.ending.is_crash();
        tally.tests += 1;
        tally.crashes += usize::from(crashed);
        if crashed {
            text.push_str(&format!("test {name} crashes: {}\n", replayed.run.ending));
        }
        if let Some(divergence) = &replayed.divergence {
            tally.divergences += 1;
            text.push_str(&format!("test {name} diverges: {divergence}\n"));
        }
        let mut result = Replayed {
            test: name.into(),
            ending: replayed.run.ending.to_string(),
            crashed,
            divergence: replayed.divergence,
            native: None,
        };
        if let Some(native) = &native {
            let invocation = native.prepare(&document).map_err(cannot_lay_out)?.ok_or_else(not_a_test)?;
            let outcome =
                invocation.run(arguments.time_limit, &stop).map_err(|error| Failure(error.to_string()))?;
            let judgement = native::judge(&replayed.run, &outcome);
            tally.native_crashes += usize::from(judgement.crashed);
            tally.native_differences += usize::from(judgement.difference.is_some());
            if let Some(difference) = &judgement.difference {
                text.push_str(&format!("test {name} differs natively: {difference}\n"));
            } else if judgement.crashed {
                text.push_str(&format!("test {name} crashes natively: {}\n", judgement.ending));
            }
            result.native = Some(NativeReplay {
                ending: judgement.ending,
                crashed: judgement.crashed,
                difference: judgement.difference,
            });
        }
        if let Some(java) = &java {
            let objects = jvm::native::objects_of(&replayed.run);
            let outcome = java.run(&objects, arguments.time_limit, &stop).map_err(cannot_lay_out)?;
            let judgement = jvm::native::judge(&replayed.run, &outcome);
            tally.native_crashes += usize::from(judgement.crashed);
            tally.native_differences += usize::from(judgement.difference.is_some());
            if let Some(difference) = &judgement.difference {
                text.push_str(&format!("test {name} differs on a real java: {difference}\n"));
            } else if judgement.crashed {
                text.push_str(&format!("test {name} crashes on a real java: {}\n", judgement.ending));
            }
            result.native = Some(NativeReplay {
                ending: judgement.ending,
                crashed: judgement.crashed,
                difference: judgement.difference,
            });
        }
        shown.push(result);
    }
    let (covered, branches) = coverage.branches();
    let (lines, all_lines) = (coverage.lines().len(), program.sites().lines().len());
    let Tally { tests, crashes, divergences, native_crashes, native_differences } = tally;
    if arguments.json {
        print_json(&Replays {
            tests,
            crashes,
            divergences,
            branches_covered: covered,
            branches,
            lines_covered: lines,
            lines: all_lines,
            results: shown,
            native: arguments.native.then(|| NativeReplays {
                sanitizers: native.as_ref().map_or("a real java", Native::sanitizers),
                crashes: native_crashes,
                differences: native_differences,
            }),
        });
    } else {
        text.push_str(&format!(
            "{tests} tests: {crashes} crash, {divergences} diverge; covered {covered} of {branches} branch directions, \
             {lines} of {all_lines} lines\n",
        ));
        if java.is_some() {
            text.push_str(&format!("on a real java: {native_crashes} crash, {native_differences} differ\n"));
        }
        if let Some(native) = &native {
            text.push_str(&format!(
                "natively ({}): {native_crashes} crash, {native_differences} differ\n",
                native.sanitizers()
            ));
        }
        print(&text);
    }
    Ok(if crashes + divergences + native_crashes > 0 { Outcome::Found } else { Outcome::Clean })
}

/// The program on its machine.
fn load(arguments: &Arguments, summary: &Json, setup: Setup) -> Result<Box<dyn Target>, Failure> {
    if let Some(main) = summary["main"].as_str() {
        let path = arguments.program.clone().unwrap_or_else(|| arguments.folder.join("program.jar"));
        let program = jvm::front::reopen(&path, read_bytes(&path)?, main, setup);
        return Ok(Box::new(program.map_err(Failure::from)?));
    }
    let path = arguments.program.clone().unwrap_or_else(|| arguments.folder.join("program.wasm"));
    let program = Program::load(&read_bytes(&path)?, setup)
        .map_err(|error| Failure::coded(error.code(), format!("{}: {error}", path.display())))?;
    Ok(Box::new(program.with_options(report::options_from(summary))))
}

#[derive(Default)]
struct Tally {
    tests: usize,
    crashes: usize,
    divergences: usize,
    native_crashes: usize,
    native_differences: usize,
}

/// The Java program that was explored, for a real `java`.
fn real_java(arguments: &Arguments, summary: &Json, main: &str) -> Result<jvm::native::Native, Failure> {
    if summary["setup"]["entry"].is_string() {
        return Err(Failure(
            "--native runs whole programs: of an exploration with --entry there is none".into(),
        ));
    }
    let path = arguments.program.clone().unwrap_or_else(|| arguments.folder.join("program.jar"));
    jvm::native::Native::new(&read_bytes(&path)?, main).map_err(cannot_lay_out)
}

/// The program that was explored, for this machine.
fn compile(summary: &Json) -> Result<Native, Failure> {
    let source =
        |file: &PathBuf| matches!(clang::Language::of(file), Some(clang::Language::C | clang::Language::Cpp));
    let (files, flags) = report::source_from(summary)
        .filter(|(files, _)| files.iter().all(source))
        .ok_or_else(|| Failure::Usage("--native needs a program that was explored as C or C++".into()))?;
    if summary["setup"]["entry"].is_string() {
        return Err(Failure::Usage(
            "--native runs whole programs; the buffers of --entry are laid out for wasm32".into(),
        ));
    }
    // A file that is not there deserves a better message than the compiler's.
    for file in &files {
        read_bytes(file)?;
    }
    Native::compile(&clang::Project { files: &files, entry: None, flags: &flags, checks: true, units: &[] })
        .map_err(Failure::from)
}

/// A file of the folder that is not what `explore` writes.
fn unusable(message: String) -> Failure {
    Failure::coded(Code::UNREADABLE, message)
}

fn cannot_lay_out(error: std::io::Error) -> Failure {
    Failure(format!("cannot lay out the inputs of a test: {error}"))
}

fn read_json(path: &Path) -> Result<Json, Failure> {
    serde_json::from_slice(&read_bytes(path)?)
        .map_err(|error| unusable(format!("{} is not JSON: {error}", path.display())))
}

/// The tests, in order.
fn test_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = folder.join("tests");
    let unreadable = |error: std::io::Error| unreadable(&folder, &error);
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
