//! `soundline explore`: tests for a program, by concolic execution. This owns the arguments, the progress line and the interrupt;
//! the work is the crate `explore`'s.

mod backup;

use self::backup::Foreign;
use super::{seconds, stop_on_interrupt};
use crate::input::{print, print_json, read_bytes};
use crate::{Failure, Outcome};
use clap::builder::PossibleValuesParser;
use explore::concolic::{AddressPolicy, Options};
use explore::report::{self, Earlier, Subject, Writer};
use explore::search::{self, Backup, Counters, Exploration, Moment, STRATEGIES, Settings, Strategy};
use explore::world::{Input, Setup};
use explore::{Program, Target, clang};
use fuzz::solver::{Solver, Store};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Write tests for a program: concolic execution in which one solve explores many paths.
///
/// The program is C (compiled to WebAssembly by the clang that is installed), a WebAssembly module, or its text format. It is
/// run on an input of zeros; wherever its path depends on the input, the other ways are solved for and run too, each as a
/// test of its own. Assignments that the solver passes through on its way (partial solutions) are tried as inputs as
/// well, so that one query finds many paths (MuSE, ASE 2020).
///
/// What is symbolic: standard input (--stdin), arguments (--arg), files (--file), and what the program asks for itself:
///
///   #include "soundline.h"
///   int x; sl_symbolic(&x, sizeof x, "x");   an input of this name
///   sl_assume(x > 0);                        inputs that do not fit are of no interest
///   sl_assert(x != 42);                      a failure that is looked for
///
/// klee_make_symbolic, klee_assume, __VERIFIER_nondet_*, __VERIFIER_assume and reach_error mean what they mean to the tools
/// they come from. With --entry one function is explored instead of the whole program: its parameters are
/// symbolic, and pointers lead to symbolic buffers.
///
/// A trap (a memory access out of bounds, a division by zero, unreachable code, abort), a failed sl_assert and reach_error are
/// crashes. The clock stands still, random numbers are always the same, and nothing of this machine can be reached.
///
/// The folder of --out holds tests/, crashes/ (report, stack with source lines, a C program that repeats the crash), coverage/
/// (lcov.info and index.html), test-suite/ (the exchange format of Test-Comp), summary.json with coverage over time, and
/// queries/ with --queries. soundline replay DIR runs the tests again.
///
/// The folder is new, empty, or one that soundline explore wrote; any other is refused and stays as it is. Every test and crash is
/// written when it is found. Exploring the same program into the same folder again adds to it: the tests there are the first
/// inputs. --fresh replaces them, and touches nothing that soundline did not write.
///
/// The exploration ends when every path was run (explored), when nothing is left to try although some queries stayed open
/// (exhausted), when the time is up (time), when there are enough tests (tests), or at an interrupt (interrupted); what was
/// found until then is written in each case.
///
/// Exit code: 0 if no crash was found, 1 if one was, 2 for wrong usage or a program that cannot be compiled, 3 after an
/// internal failure.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment, after_long_help = strategies_help())]
pub(crate) struct Arguments {
    /// The program: .c, .wasm or .wat
    #[arg(value_name = "PROGRAM")]
    program: PathBuf,
    /// Explore this exported function with symbolic parameters instead of the program from its start
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// With --entry: how many symbolic bytes a pointer among the parameters leads to, unless it leads to a structure
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = size)]
    pointee: usize,
    /// What is tried first
    #[arg(long, value_name = "STRATEGY", default_value = "cover", value_parser = PossibleValuesParser::new(STRATEGIES.iter().map(|row| row.1)))]
    search: String,
    /// Use solutions only, no partial solutions
    #[arg(long)]
    no_partials: bool,
    /// Standard input is this many symbolic bytes
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = size)]
    stdin: usize,
    /// An argument of at most this many symbolic bytes; once for each argument
    #[arg(long = "arg", value_name = "N", value_parser = size)]
    args: Vec<usize>,
    /// A file of this many symbolic bytes, as NAME=N; once for each file
    #[arg(long = "file", value_name = "NAME=N", value_parser = file)]
    files: Vec<(String, usize)>,
    /// Do not look for memory errors and undefined behaviour, only for what WebAssembly traps on
    #[arg(long)]
    no_checks: bool,
    /// Memory that nothing leads to any more when the program ends is an error too
    #[arg(long, conflicts_with = "no_checks")]
    leaks: bool,
    /// The longest time, in seconds (fractions allowed)
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    time_limit: Duration,
    /// The longest time for one query, in seconds (fractions allowed)
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    query_time: Duration,
    /// Ask this solver where there is no answer otherwise: a name of `soundline solver list` or a command line
    #[arg(long, value_name = "SPEC")]
    backup: Option<String>,
    /// Stop after this many tests
    #[arg(long, value_name = "N")]
    tests: Option<usize>,
    /// Keep only tests that cover something new or crash as none did before
    #[arg(long)]
    only_new: bool,
    /// How many jumps and calls a run may make before it is given up
    #[arg(long, value_name = "N", default_value_t = Settings::default().fuel)]
    fuel: u64,
    /// Loads at addresses that depend on the input are symbolic within an aligned region of this many bytes; 0 takes the
    /// address of the run
    #[arg(long, value_name = "BYTES", default_value_t = 256)]
    region: u32,
    /// Start with the input of this test (tests/*.json of an earlier exploration) instead of zeros
    #[arg(long, value_name = "TEST")]
    from: Option<PathBuf>,
    /// The seed of everything that is random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many decisions are solved for at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    jobs: usize,
    /// Write tests, crashes, coverage and the summary to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace what earlier explorations wrote to the folder, instead of adding to it
    #[arg(long, requires = "out")]
    fresh: bool,
    /// Also write every query as a script
    #[arg(long, requires = "out")]
    queries: bool,
    /// For continuous integration: no progress line, a budget of 2000 tests unless --tests says otherwise, and with --out also
    /// junit.xml and results.sarif
    #[arg(long)]
    ci: bool,
    /// Print the summary as one JSON document
    #[arg(long)]
    json: bool,
    /// Options for clang, after --
    #[arg(last = true, value_name = "FLAG")]
    flags: Vec<String>,
}

/// The strategies of the table, a line each.
fn strategies_help() -> String {
    let rows = STRATEGIES.iter().map(|row| format!("\n  {:<8} {}", row.1, row.2));
    std::iter::once("Strategies:".to_string()).chain(rows).collect()
}

/// The most workers.
const MAX_JOBS: usize = 256;

/// The most symbolic bytes of one input.
const MAX_SIZE: usize = 1 << 20;

fn size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(size) if size <= MAX_SIZE => Ok(size),
        _ => Err(format!("not a number of bytes up to {MAX_SIZE}")),
    }
}

fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(jobs) if (1..=MAX_JOBS).contains(&jobs) => Ok(jobs),
        _ => Err(format!("not a number from 1 to {MAX_JOBS}")),
    }
}

fn file(text: &str) -> Result<(String, usize), String> {
    let (name, bytes) = text.rsplit_once('=').ok_or("not of the form NAME=N")?;
    if name.is_empty() { Err("the name is empty".into()) } else { Ok((name.to_string(), size(bytes)?)) }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let setup = Setup {
        stdin: arguments.stdin,
        args: arguments.args.clone(),
        files: arguments.files.clone(),
        entry: arguments.entry.clone(),
        pointee: arguments.pointee,
        leaks: arguments.leaks,
    };
    let module =
        module(&arguments.program, arguments.entry.as_deref(), &arguments.flags, !arguments.no_checks)?;
    let name = arguments.program.display();
    let loads = match arguments.region {
        0 => AddressPolicy::Concretise,
        bytes => AddressPolicy::Region(bytes),
    };
    let program = Program::load(&module, setup)
        .map_err(|error| Failure(format!("{name}: {error}")))?
        .with_options(Options { loads, ..Options::default() });
    let stop = stop_on_interrupt()?;
    let earlier = arguments.out.as_ref().map(|folder| Earlier::open(folder, arguments.fresh)).transpose()?;
    let settings = Settings {
        strategy: Strategy::named(&arguments.search).unwrap_or(Strategy::Cover),
        partials: !arguments.no_partials,
        first: arguments.from.as_deref().map_or_else(|| Ok(Input::new()), first)?,
        seeds: earlier.as_ref().map_or_else(Vec::new, Earlier::inputs),
        seed: arguments.seed,
        jobs: arguments.jobs,
        time_limit: Some(arguments.time_limit),
        tests: arguments.tests.or(arguments.ci.then_some(crate::ci::TESTS as usize)),
        only_new: arguments.only_new,
        query_time: arguments.query_time,
        backup: arguments.backup.as_deref().map(|spec| foreign(spec, &stop)).transpose()?,
        fuel: arguments.fuel,
        keep_queries: arguments.queries,
        stop: stop.clone(),
    };
    let subject = Subject {
        file: &arguments.program,
        flags: &arguments.flags,
        artefacts: &[("program.wasm", &module)],
        target: &program,
        settings: &settings,
    };
    let mut writer = earlier.map(|earlier| Writer::begin(earlier, subject)).transpose()?;
    let mut broken: Option<output::Error> = None;
    if arguments.ci {
        crate::progress::hide();
    }
    let mut progress = Progress::new();
    let found = search::explore(&program, &settings, &mut |now| {
        progress.show(&now.moment, now.counters);
        if let (Some(writer), None) = (&mut writer, &broken)
            && let Err(error) = writer.keep(now)
        {
            broken = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
    });
    progress.clear();
    let written = match (broken, writer) {
        (Some(error), _) => Err(error),
        (None, Some(writer)) => writer.finish(&found),
        (None, None) => Ok(()),
    };
    written.map_err(|error| {
        Failure::Internal(format!("{error}\nnote: what was written until then is whole and can be replayed"))
    })?;
    if let (true, Some(out)) = (arguments.ci, &arguments.out) {
        crate::ci::write(out, "explore")?;
    }
    if arguments.json {
        print_json(&report::document(subject, &found));
    } else {
        print(&summary(&program, &settings, &found));
    }
    Ok(if found.crashes.is_empty() { Outcome::Clean } else { Outcome::Found })
}

/// The foreign solver of a specification.
fn foreign(spec: &str, stop: &Arc<AtomicBool>) -> Result<Arc<dyn Backup>, Failure> {
    let solver = Solver::resolve(spec, &Store::open()).map_err(|error| Failure(error.to_string()))?;
    Ok(Arc::new(Foreign { solver, stop: stop.clone() }))
}

/// The module of a file.
fn module(path: &Path, entry: Option<&str>, flags: &[String], checks: bool) -> Result<Vec<u8>, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension {
        "c" => {
            // A file that is not there deserves a better message than the compiler's.
            read_bytes(path)?;
            let project = clang::Project { files: &[path.to_path_buf()], entry, flags, checks };
            clang::compile(&project).map_err(|error| Failure(error.to_string()))
        }
        "wasm" => read_bytes(path),
        "wat" => explore::text_to_binary(&read_bytes(path)?)
            .map_err(|error| Failure(format!("{}: {error}", path.display()))),
        _ => Err(Failure(format!("{}: not a .c, .wasm or .wat file", path.display()))),
    }
}

/// The input of a test.
fn first(path: &Path) -> Result<Input, Failure> {
    let test = serde_json::from_slice(&read_bytes(path)?)
        .ok()
        .and_then(|document| report::test::from_json(&document));
    test.map(|test| test.input).ok_or_else(|| Failure(format!("{} is not a test", path.display())))
}

/// What people read at the end.
fn summary(target: &dyn Target, settings: &Settings, found: &Exploration) -> String {
    let counters = &found.counters;
    let (covered, branches) = found.coverage.branches();
    let mut text = format!(
        "{}: {} paths, {} tests, {} crashes in {:.2} s (seed {})\ncovered {covered} of {branches} branch directions, {} of {} lines\n\
         {} queries in {:.2} s: {} sat, {} unsat, {} unknown; {} of {} partial solutions became paths\n",
        found.stop_reason.word(),
        counters.paths,
        found.tests.len(),
        found.crashes.len(),
        found.time.as_secs_f64(),
        settings.seed,
        found.coverage.lines().len(),
        target.sites().lines().len(),
        counters.queries,
        counters.solver_time.as_secs_f64(),
        counters.sat,
        counters.unsat,
        counters.unknown,
        counters.partials_used,
        counters.partials_delivered,
    );
    if counters.backup_asked > 0 {
        let (answered, asked) = (counters.backup_answered, counters.backup_asked);
        text.push_str(&format!("the backup answered {answered} of {asked} queries\n"));
    }
    if counters.divergences > 0 {
        text.push_str(&format!("{} runs did not follow their predicted path\n", counters.divergences));
    }
    for crash in &found.crashes {
        text.push_str(&format!("crash: {} (test {}, {} such)\n", crash.ending, crash.test + 1, crash.count));
        for line in report::details(target, crash) {
            text.push_str(&format!("    {line}\n"));
        }
        for frame in target.frames(&crash.stack) {
            text.push_str(&format!("    {frame}\n"));
        }
    }
    text
}

/// One line on the terminal, at most a few times a second.
struct Progress {
    last: Option<Instant>,
    wanted: bool,
}

impl Progress {
    fn new() -> Progress {
        Progress { last: None, wanted: crate::progress::is_shown() }
    }

    fn show(&mut self, moment: &Moment, counters: &Counters) {
        if !self.wanted || self.last.is_some_and(|last| last.elapsed() < Duration::from_millis(200)) {
            return;
        }
        self.last = Some(Instant::now());
        self.write(&format!(
            "{:.0} s: {} paths, {} tests, {} branches, {} lines, solver {:.1} s, {} partial solutions used",
            moment.time.as_secs_f64(),
            counters.paths,
            moment.tests,
            moment.branches,
            moment.lines,
            counters.solver_time.as_secs_f64(),
            counters.partials_used,
        ));
    }

    fn clear(&self) {
        if self.last.is_some() {
            self.write("");
        }
    }

    fn write(&self, text: &str) {
        let mut out = std::io::stderr().lock();
        // A terminal that went away is no reason to stop.
        write!(out, "\r\x1b[K{text}").and_then(|()| out.flush()).unwrap_or(());
    }
}
