//! `soundline replay`: the tests of an exploration, run again.

use super::{seconds, stop_on_interrupt};
use crate::documents::{NativeReplay, NativeReplays, Replayed, Replays};
use crate::input::{print, print_json, read_bytes};
use crate::{Failure, Outcome};
use explore::native::NativeProgram;
use explore::replay::{self, TestReplay};
use explore::report::StoredExploration;
use explore::{Program, Target};
use std::path::PathBuf;
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
    let stored = StoredExploration::open(&arguments.folder)?;
    let program = load(arguments, &stored)?;
    let native = if arguments.native { Some(load_natively(arguments, &stored)?) } else { None };
    let stop = stop_on_interrupt()?;
    let limited = native.as_deref().map(|native| (native, arguments.time_limit));
    let all = replay::folder(&arguments.folder, &*program, &stored.limits(), limited, &stop)?;
    let (covered, branches) = all.coverage.branches();
    let (lines, all_lines) = (all.coverage.lines().len(), program.sites().lines().len());
    let (crashes, divergences) = (all.crashes(), all.divergences());
    let (native_crashes, native_differences) = (all.native_crashes(), all.native_differences());
    if arguments.json {
        print_json(&Replays {
            tests: all.tests.len(),
            crashes,
            divergences,
            branches_covered: covered,
            branches,
            lines_covered: lines,
            lines: all_lines,
            results: all.tests.into_iter().map(document).collect(),
            native: native.map(|native| NativeReplays {
                sanitizers: native.sanitizers().unwrap_or("a real java"),
                crashes: native_crashes,
                differences: native_differences,
            }),
        });
    } else {
        let place = native.as_ref().map_or("", |native| native.place());
        let mut text: String = all.tests.iter().map(|test| to_text(test, place)).collect();
        text.push_str(&format!(
            "{} tests: {crashes} crash, {divergences} diverge; covered {covered} of {branches} branch directions, \
             {lines} of {all_lines} lines\n",
            all.tests.len(),
        ));
        if let Some(native) = &native {
            let watched = native.sanitizers().map_or(String::new(), |sanitizers| format!(" ({sanitizers})"));
            text.push_str(&format!(
                "{place}{watched}: {native_crashes} crash, {native_differences} differ\n"
            ));
        }
        print(&text);
    }
    Ok(if crashes + divergences + native_crashes > 0 { Outcome::Found } else { Outcome::Clean })
}

/// The file with the program: the one of `--program`, or the one that was kept.
fn file(arguments: &Arguments, kept: &str) -> PathBuf {
    arguments.program.clone().unwrap_or_else(|| arguments.folder.join(kept))
}

/// The program on its machine.
fn load(arguments: &Arguments, stored: &StoredExploration) -> Result<Box<dyn Target>, Failure> {
    let setup = stored.setup.clone();
    if let Some(main) = &stored.main {
        let path = file(arguments, "program.jar");
        return Ok(Box::new(jvm::front::reopen(&path, read_bytes(&path)?, main, setup)?));
    }
    let path = file(arguments, "program.wasm");
    let program =
        Program::load(&read_bytes(&path)?, setup).map_err(|error| Failure::in_file(&path, &error))?;
    Ok(Box::new(program.with_options(stored.options())))
}

/// The program outside of the virtual world: on a real `java`, or compiled for this machine.
fn load_natively(
    arguments: &Arguments,
    stored: &StoredExploration,
) -> Result<Box<dyn NativeProgram>, Failure> {
    let Some(main) = &stored.main else { return Ok(Box::new(stored.native()?)) };
    if stored.setup.entry.is_some() {
        return Err(Failure(
            "--native runs whole programs: of an exploration with --entry there is none".into(),
        ));
    }
    let jar = read_bytes(&file(arguments, "program.jar"))?;
    Ok(Box::new(jvm::native::Native::new(&jar, main)?))
}

/// What is worth a line of a test, for people.
fn to_text(test: &TestReplay, place: &str) -> String {
    let (name, replayed) = (&test.name, &test.replayed);
    let mut text = String::new();
    if let Some(crash) = replayed.run.first_crash() {
        text.push_str(&format!("test {name} crashes: {crash}\n"));
    }
    if let Some(divergence) = &replayed.divergence {
        text.push_str(&format!("test {name} diverges: {divergence}\n"));
    }
    if let Some(native) = &test.native {
        if let Some(difference) = &native.difference {
            text.push_str(&format!("test {name} differs {place}: {difference}\n"));
        } else if native.crashed {
            text.push_str(&format!("test {name} crashes {place}: {}\n", native.ending));
        }
    }
    text
}

/// A test for programs.
fn document(test: TestReplay) -> Replayed {
    let native = test.native.map(|native| NativeReplay {
        ending: native.ending,
        crashed: native.crashed,
        difference: native.difference,
    });
    Replayed {
        test: test.name,
        ending: test.replayed.run.ending.to_string(),
        crashed: test.replayed.run.first_crash().is_some(),
        divergence: test.replayed.divergence,
        native,
    }
}
