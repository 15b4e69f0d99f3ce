//! `soundline solve`: scripts from files or commands from standard input, through the command loop of the crate `solve`.
//! This owns the reading, the writing and the interrupt; the answers are the session's.

mod output;
mod source;

use crate::commands::seconds;
use crate::input::{expand, read_bytes};
use crate::{Failure, Outcome};
use clap::builder::PossibleValuesParser;
use output::{Output, PartialsFile};
use solve::session::{Session, SessionSettings};
use source::{Chunk, Source};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Decide SMT-LIB scripts and show the work.
///
/// Every file is executed as a script of its own and answered as SMT-LIB prints answers. Without files, or with - for one,
/// commands are read from standard input as they arrive and each is answered at once, so that any client that speaks
/// SMT-LIB to a solver can talk to this one: set-logic, set-option, declarations and definitions, assert, push, pop,
/// check-sat, check-sat-assuming, get-model, get-value, get-unsat-core, get-unsat-assumptions, get-assertions,
/// get-assignment, get-info, get-option, echo, reset, reset-assertions and exit. All options of SMT-LIB 2.7 are known, and
/// z3's :timeout (milliseconds a check) and :rlimit (ticks a check).
///
/// A sat is given only with a model that the evaluator accepted (see soundline eval), an unsat only by an engine that is
/// complete on the query. What no engine handles is answered by unknown, and (get-info :reason-unknown) says why:
/// unsupported, incomplete, timeout, resource-limit, memout or interrupted.
///
/// With the engines ils and ils-classic, the queries of several files are solved together before the files are answered one
/// by one.
///
/// Partial solutions are the assignments that an engine passes through on its way: candidates that satisfy a part of the
/// query. With --partials each distinct one is a line of JSON: values (every constant of the query, as SMT-LIB text),
/// holds (how many conjuncts it satisfies) of total, first_false (the position of the first it does not satisfy, from 0, or
/// null), engine, step (the engine's own count), check (which check-sat, from 1) and file. At most 10000 a check are kept.
///
/// An interrupt (Ctrl-C) ends the check under way with unknown; what was found until then is written, and no further
/// command is read. A second one ends the program at once.
///
/// Exit code: 0 if everything was answered, 2 if there was an error in a script, 3 after an internal failure.
#[derive(clap::Args, Debug)]
#[command(after_long_help = engines_help())]
pub(crate) struct Arguments {
    /// Scripts; a folder stands for all .smt2 files below it, - for standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The engine
    #[arg(long, value_name = "NAME", default_value = solve::engines::AUTO, value_parser = PossibleValuesParser::new(solve::engines::names()))]
    engine: String,
    /// The longest time for one check-sat, in seconds (fractions allowed)
    #[arg(long, value_name = "S", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// The longest time for one path condition, in seconds: with ils-classic each of several files has its own, and one
    /// that is out of time leaves the others theirs (Chen et al. give each two minutes)
    #[arg(long, value_name = "S", value_parser = seconds)]
    each_limit: Option<Duration>,
    /// How much memory the tables of an engine may take, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    memory_limit: usize,
    /// The seed of everything that is random, unless the script sets :random-seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Write the partial solutions to a file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    partials: Option<PathBuf>,
    /// Print the model after every sat
    #[arg(long)]
    model: bool,
    /// Print counters to standard error, as (:name value) lines
    #[arg(long)]
    stats: bool,
    /// Do not remember answers between check-sats
    #[arg(long)]
    no_cache: bool,
    /// Do not split queries into parts that share no symbol
    #[arg(long)]
    no_independence: bool,
    /// Print one JSON document instead of answers: for every file and check-sat the verdict, model, time, engine, counters
    #[arg(long)]
    json: bool,
}

/// The engines of the table, a line each.
fn engines_help() -> String {
    let mut text =
        String::from("Engines:\n  auto         those that take the query, in turns; the first answer wins");
    for row in solve::engines::TABLE {
        text.push_str(&format!("\n  {:<12} {}", row.name, row.about));
    }
    text
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let settings = SessionSettings {
        engine: arguments.engine.clone(),
        time_limit: arguments.time_limit,
        each_limit: arguments.each_limit,
        memory: arguments.memory_limit.saturating_mul(1 << 20),
        seed: arguments.seed,
        cache: !arguments.no_cache,
        independence: !arguments.no_independence,
        record: arguments.partials.is_some(),
        print_models: arguments.model,
        keep_models: arguments.json,
        stop: stop.clone(),
    };
    let files = if arguments.files.is_empty() { vec![PathBuf::from("-")] } else { expand(&arguments.files)? };
    let partials =
        arguments.partials.as_deref().map(|path| PartialsFile::create(path, &files)).transpose()?;
    let mut output = Output::new(arguments.json, arguments.stats, files.len() > 1, partials);
    let interrupts = source::on_interrupt(&stop)?;
    let mut internal = false;
    let Ok(shared) = catch_unwind(|| together(&settings, &files)) else { return Ok(Outcome::Internal) };
    let mut shared = shared?;
    for path in &files {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        output.start(path);
        let mut source = Source::open(path, &interrupts)?;
        let talk = || converse(&settings, shared.as_mut(), &mut source, &mut output);
        match catch_unwind(AssertUnwindSafe(talk)) {
            Ok(result) => result?,
            // The message is out already; the other files may fare better.
            Err(_) => {
                internal = true;
                output.internal();
            }
        }
    }
    output.finish(&arguments.engine, arguments.seed, stop.load(Ordering::Relaxed))?;
    Ok(match (internal, output.errors()) {
        (true, _) => Outcome::Internal,
        (false, 0) => Outcome::Clean,
        (false, _) => Outcome::BadInput,
    })
}

/// With an engine that solves several queries together, a session that has done so for all files.
fn together(settings: &SessionSettings, files: &[PathBuf]) -> Result<Option<Session>, Failure> {
    let can = solve::engines::row(&settings.engine).is_some_and(|row| row.together.is_some());
    if files.len() < 2 || !can || files.iter().any(|path| path == Path::new("-")) {
        return Ok(None);
    }
    // What is not text is reported when its turn comes.
    let texts: Vec<String> = files
        .iter()
        .map(|path| Ok(String::from_utf8(read_bytes(path)?).unwrap_or_default()))
        .collect::<Result<_, Failure>>()?;
    let mut session = new_session(settings);
    session.solve_together(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    Ok(Some(session))
}

fn new_session(settings: &SessionSettings) -> Session {
    Session::new(settings.clone()).expect("the engine is one of the table's")
}

/// Talks to one session until the source ends, the script exits, or an interrupt comes.
fn converse(
    settings: &SessionSettings,
    shared: Option<&mut Session>,
    source: &mut Source<'_>,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut own;
    let session = match shared {
        Some(session) => {
            session.restart();
            session
        }
        None => {
            own = new_session(settings);
            &mut own
        }
    };
    loop {
        let (text, last) = match source.next()? {
            Chunk::Command(text) => (text, false),
            Chunk::Rest(text) => (text, true),
            Chunk::Interrupted => break,
        };
        let reply = session.submit_bytes(&text);
        output.reply(session.terms(), &reply)?;
        if last || reply.exit || settings.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    output.end(&session.statistics());
    Ok(())
}

/// What a file is called in messages.
fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "<stdin>".into() } else { path.display().to_string() }
}
