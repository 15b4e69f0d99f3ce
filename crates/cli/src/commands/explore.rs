//! `soundline explore`: tests for a program, by concolic execution. This owns the arguments, the progress line and the interrupt;
//! the work is the crate `explore`'s.

mod backup;
mod show;

use self::backup::Foreign;
use self::show::{stats, summary, told};
use super::{resolve, seconds, stop_on_interrupt};
use crate::input::{print, print_json, read_bytes, say};
use crate::progress::ProgressLine;
use crate::{Failure, Outcome};
use clap::builder::PossibleValuesParser;
use explore::afl::AflCampaign;
use explore::concolic::{AddressPolicy, ConcolicSettings};
use explore::report::{self, Earlier, Subject, Writer};
use explore::search::{
    self, Backup, Exploration, SOURCES, STRATEGIES, SearchSettings, Sources, Strategy, Tuning,
};
use explore::seeds::MAX_SIZE;
use explore::world::{Input, Setup};
use explore::{Program, Target, clang, native, seeds};
use fuzz::solver::Store;
use solve::engines::AUTO;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Write tests for a program: concolic execution in which one solve explores many paths.
///
/// The program is C or C++ (compiled to WebAssembly by the clang that is installed), a WebAssembly module, or its text format. It is
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
/// Memory errors, undefined behaviour, traps (a division by zero, abort), a failed sl_assert and reach_error are crashes. The clock stands still, random numbers are always the same, and nothing of this machine can be reached.
///
/// The folder of --out holds index.html (all of it as one page), tests/, crashes/ (report, stack with source lines, a C program that repeats the crash), coverage/
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
#[command(verbatim_doc_comment, after_long_help = tables_help())]
pub(crate) struct Arguments {
    /// The program: C and C++ files with objects and archives to link, or one .wasm, .wat, .java, .class or .jar file;
    /// a Rust file, a folder with a Cargo.toml, or a compile_commands.json may stand here too
    #[arg(value_name = "PROGRAM", required_unless_present = "wrap")]
    program: Vec<PathBuf>,
    /// Run the build after -- (such as `make`), watch which files it compiles with which flags, and explore the program that it links
    #[arg(long, conflicts_with = "program", requires = "flags")]
    wrap: bool,
    /// The program that is meant, where --wrap or compile_commands.json has several
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    /// Explore this exported function (of Java: CLASS.METHOD) with symbolic parameters instead of the program from its start
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// The class of a Java program whose main is run, where the file does not say
    #[arg(long, value_name = "CLASS")]
    main: Option<String>,
    /// With --entry: how many symbolic bytes a pointer among the parameters leads to, unless it leads to a structure
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = size)]
    pointee: usize,
    /// With --entry: what pointers lead to. lazy: to an object of their own, to nothing (null), or to one of the same type that
    /// another pointer leads to; new: always to an object of their own
    #[arg(long, value_name = "HOW", default_value = "lazy", value_parser = PossibleValuesParser::new(["lazy", "new"]))]
    pointers: String,
    /// With --entry: an array among the parameters has as many elements as another parameter says, as ARRAY=SIZE; once for each
    #[arg(long = "length", value_name = "ARRAY=SIZE", value_parser = length, requires = "entry")]
    lengths: Vec<(String, String)>,
    /// What is tried first
    #[arg(long, value_name = "STRATEGY", default_value = "cover", value_parser = PossibleValuesParser::new(STRATEGIES.iter().map(|row| row.name)))]
    search: String,
    /// Where inputs come from besides solutions: all, none, or some of the sources below with commas. With dfs or bfs and
    /// engine this is Algorithm 1 of MuSE as printed
    #[arg(long, value_name = "SOURCES", default_value = "all", value_parser = sources)]
    partials: Sources,
    /// Use solutions only: the same as --partials none
    #[arg(long, conflicts_with = "partials")]
    no_partials: bool,
    /// The engine that decides queries
    #[arg(long, value_name = "ENGINE", default_value = AUTO, value_parser = PossibleValuesParser::new(ENGINES))]
    engine: String,
    /// Change a number that steers the search, as NAME=VALUE; for benches
    #[arg(long, value_name = "NAME=VALUE", hide = true)]
    tune: Vec<String>,
    /// Print what became of the inputs of each source, and where queries went
    #[arg(long)]
    stats: bool,
    /// Standard input is this many symbolic bytes. Where nothing is said to be symbolic, it is up to 32 bytes
    #[arg(long, value_name = "N", value_parser = size)]
    stdin: Option<usize>,
    /// An argument of at most this many symbolic bytes; @FILE takes them from a file and =TEXT as they are, as a first input; once
    /// for each argument
    #[arg(long = "arg", value_name = "N|@FILE|=TEXT", value_parser = amount)]
    args: Vec<Amount>,
    /// A file of this many symbolic bytes, as NAME=N; with NAME=@FILE a file's bytes are its first contents; once for each file
    #[arg(long = "file", value_name = "NAME=N|NAME=@FILE", value_parser = file)]
    files: Vec<(String, Amount)>,
    /// Do not look for memory errors and undefined behaviour, only for what WebAssembly traps on
    #[arg(long)]
    no_checks: bool,
    /// Do not run the tests of crashes natively
    #[arg(long)]
    no_native: bool,
    /// Memory that nothing leads to any more when the program ends is an error too
    #[arg(long, conflicts_with = "no_checks")]
    leaks: bool,
    /// An environment variable of at most this many symbolic bytes, as NAME=N; once for each
    #[arg(long = "env", value_name = "NAME=N", value_parser = file)]
    env: Vec<(String, Amount)>,
    /// First inputs: a file, or all files of a folder, as standard input. It is as long as the longest unless --stdin says more
    #[arg(long, value_name = "FILE|DIR")]
    seeds: Vec<PathBuf>,
    /// Words that inputs may contain, in AFL's format: a line each, as NAME="WORD" or "WORD", with \xNN for any byte
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    /// About how much memory the exploration may take, in MB: beyond that the tree of paths is forgotten and grown again from the tests
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(16..))]
    memory: u64,
    /// Write what AFL++ and libFuzzer read to this folder: standard inputs as raw files, each of which covers something new
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// The longest time, in seconds (fractions allowed)
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    time_limit: Duration,
    /// Join an AFL++ campaign as a secondary instance: take new entries of the others' queues below this folder as standard input, and
    /// put inputs there, below soundline/queue, that cover something new
    #[arg(long, value_name = "DIR", conflicts_with = "entry")]
    sync: Option<PathBuf>,
    /// The longest time for one query, in seconds (fractions allowed)
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    query_time: Duration,
    /// Ask this solver where there is no answer otherwise: a name of `soundline solver list` or a command line
    #[arg(long, value_name = "SPEC")]
    backup: Option<String>,
    /// Stop after this many tests
    #[arg(long, value_name = "N")]
    tests: Option<usize>,
    /// Keep every test, not only those that cover something new or crash as none did before
    #[arg(long)]
    all_tests: bool,
    /// The default: keep only tests that cover something new or crash as none did before
    #[arg(long, hide = true, conflicts_with = "all_tests")]
    only_new: bool,
    /// How many jumps and calls a run may make before it is given up
    #[arg(long, value_name = "N", default_value_t = SearchSettings::default().fuel)]
    fuel: u64,
    /// How far the memory of a WebAssembly program may grow, in pages of 64 KiB; 1024 (64 MiB) unless this says otherwise
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pages: Option<u32>,
    /// Loads at addresses that depend on the input are symbolic within an aligned region of this many bytes; 0 takes the
    /// address of the run
    #[arg(long, value_name = "BYTES", default_value_t = 256)]
    region: u32,
    /// Start with the input of this test (tests/*.json of an earlier exploration) instead of zeros, or with all tests of the output
    /// folder of an earlier exploration
    #[arg(long, value_name = "TEST|DIR")]
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
    /// Write a JUnit 5 test for every kept test of a Java program to the folder junit of the output
    #[arg(long, requires = "out")]
    junit: bool,
    /// Print the summary as one JSON document
    #[arg(long)]
    json: bool,
    /// Options for clang, after --
    #[arg(last = true, value_name = "FLAG")]
    flags: Vec<String>,
}

/// The strategies and sources of their tables, a line each.
fn tables_help() -> String {
    let strategies = STRATEGIES.iter().map(|row| format!("\n  {:<8} {}", row.name, row.help));
    let optional = SOURCES.iter().filter(|row| row.optional);
    let sources = optional.map(|row| format!("\n  {:<8} {}", row.name, row.help));
    let strategies: String = std::iter::once("Strategies:".to_string()).chain(strategies).collect();
    let sources: String = std::iter::once("\n\nSources of --partials:".to_string()).chain(sources).collect();
    strategies + &sources
}

/// The engines that can be chosen: the paper's three, and all of them in turn.
const ENGINES: [&str; 4] = ["simplex", "blast", "anneal", AUTO];

fn sources(text: &str) -> Result<Sources, String> {
    Sources::parse(text).map_err(|name| {
        let known: Vec<&str> = SOURCES.iter().filter(|row| row.optional).map(|row| row.name).collect();
        format!("no source \"{name}\": all, none, or some of {} with commas", known.join(","))
    })
}

fn tuning(changes: &[String]) -> Result<Tuning, Failure> {
    let mut tuning = Tuning::default();
    for change in changes {
        let parsed = change.split_once('=').and_then(|(name, value)| Some((name, value.parse().ok()?)));
        let known = parsed.is_some_and(|(name, value)| tuning.set(name, value));
        if !known {
            return Err(Failure::Usage(format!(
                "--tune {change}: not NAME=VALUE with a name of docs/explore.md"
            )));
        }
    }
    Ok(tuning)
}

/// The most workers.
const MAX_JOBS: usize = 256;

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

/// How large an input is, and what is in it first.
#[derive(Clone, Debug)]
struct Amount {
    size: usize,
    contents: Option<Vec<u8>>,
}

fn amount(text: &str) -> Result<Amount, String> {
    let contents = match (text.strip_prefix('@'), text.strip_prefix('=')) {
        (Some(path), _) => std::fs::read(path).map_err(|error| format!("cannot read {path}: {error}"))?,
        (_, Some(literal)) => literal.as_bytes().to_vec(),
        (None, None) => return Ok(Amount { size: size(text)?, contents: None }),
    };
    if contents.len() > MAX_SIZE {
        return Err(format!("more than {MAX_SIZE} bytes"));
    }
    Ok(Amount { size: contents.len(), contents: Some(contents) })
}

fn file(text: &str) -> Result<(String, Amount), String> {
    let (name, bytes) = text.split_once('=').ok_or("not of the form NAME=N")?;
    if name.is_empty() { Err("the name is empty".into()) } else { Ok((name.to_string(), amount(bytes)?)) }
}

fn length(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((array, size)) if !array.is_empty() && !size.is_empty() => Ok((array.into(), size.into())),
        _ => Err("not of the form ARRAY=SIZE".into()),
    }
}

/// What arguments, files and variables contain first, by their names as objects.
fn contents(arguments: &Arguments) -> Input {
    let args = (1..).zip(&arguments.args).map(|(number, amount)| (format!("arg{number}"), amount));
    let files = arguments.files.iter().map(|(name, amount)| (format!("file:{name}"), amount));
    let variables = arguments.env.iter().map(|(name, amount)| (format!("env:{name}"), amount));
    let all = args.chain(files).chain(variables);
    all.filter_map(|(name, amount)| Some((name, amount.contents.clone()?))).collect()
}

/// The sizes that are given; if none is, those that the tests to begin with had.
fn sizes(named: &[(String, Amount)], tests: &[Input], prefix: &str) -> Vec<(String, usize)> {
    if named.is_empty() {
        return seeds::sizes(tests, prefix);
    }
    named.iter().map(|(name, amount)| (name.clone(), amount.size)).collect()
}

impl Arguments {
    /// Whether an option says what is symbolic, or gives an input to begin with.
    fn names_inputs(&self) -> bool {
        let named = !self.args.is_empty() || !self.files.is_empty() || !self.env.is_empty();
        named || self.entry.is_some() || self.from.is_some()
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let stop = stop_on_interrupt()?;
    let Files { files, units, flags } = &named(arguments, &stop)?;
    let first_file = files.first().ok_or_else(|| Failure("no program is given".into()))?;
    let project = clang::Project {
        files,
        entry: arguments.entry.as_deref(),
        flags,
        checks: !arguments.no_checks,
        units,
    };
    let campaign = arguments.sync.as_deref().map(AflCampaign::join).transpose();
    let campaign = campaign.map_err(|error| Failure(error.to_string()))?.map(Arc::new);
    let (mut raw, left_out) = seeds::contents(&arguments.seeds)?;
    if left_out > 0 {
        say!("note: {left_out} files of --seeds are longer than {MAX_SIZE} bytes and are left out");
    }
    let tests = arguments.from.as_deref().map_or_else(|| Ok(Vec::new()), seeds::of_tests)?;
    raw.extend(campaign.as_ref().map_or_else(Vec::new, |campaign| campaign.take()));
    let of_test = tests.iter().filter_map(|test| test.get("stdin"));
    let longest = raw.iter().chain(of_test).map(Vec::len).max().unwrap_or(0);
    // A campaign's inputs grow.
    let longest = if campaign.is_some() { longest.max(SYNC_BYTES) } else { longest };
    if let Some(campaign) = &campaign {
        campaign.longest(arguments.stdin.unwrap_or(0).max(longest));
    }
    let (stdin, by_default) = match arguments.stdin {
        Some(size) => (size.max(longest), false),
        None if longest > 0 => (longest, false),
        None if project.is_harness() => (HARNESS_BYTES, false),
        None if arguments.names_inputs() => (0, false),
        None => (STDIN_BYTES, true),
    };
    let setup = Setup {
        stdin,
        sized: !raw.is_empty()
            || by_default
            || campaign.is_some()
            || tests.iter().any(|test| test.contains_key("stdin.size")),
        lazy: arguments.pointers == "lazy",
        lengths: arguments.lengths.clone(),
        env: sizes(&arguments.env, &tests, "env:"),
        args: match &arguments.args[..] {
            [] => seeds::sizes_of_arguments(&tests),
            given => given.iter().map(|amount| amount.size).collect(),
        },
        files: sizes(&arguments.files, &tests, "file:"),
        entry: arguments.entry.clone(),
        pointee: arguments.pointee,
        leaks: arguments.leaks,
        pages: arguments.pages,
    };
    let size_of_stdin = setup.sized.then_some(setup.stdin as u32);
    let (artefact, module, target) = load(arguments, first_file, &project, setup)?;
    let earlier = arguments.out.as_ref().map(|folder| Earlier::open(folder, arguments.fresh)).transpose()?;
    let mut inputs: Vec<Input> = raw.iter().map(|bytes| seeds::stdin(bytes)).collect();
    inputs.extend(tests);
    inputs.extend(earlier.as_ref().map_or_else(Vec::new, Earlier::inputs));
    let (first, seeds) = seeds::completed(inputs, contents(arguments), size_of_stdin);
    let settings = SearchSettings {
        strategy: Strategy::named(&arguments.search).unwrap_or(SearchSettings::default().strategy),
        sources: if arguments.no_partials { Sources::NONE } else { arguments.partials },
        engine: ENGINES.iter().find(|name| **name == arguments.engine).unwrap_or(&AUTO),
        tuning: tuning(&arguments.tune)?,
        first,
        seeds,
        words: arguments.dictionary.as_deref().map_or_else(|| Ok(Vec::new()), words)?,
        memory: Some(arguments.memory << 20),
        seed: arguments.seed,
        jobs: arguments.jobs,
        time_limit: Some(arguments.time_limit),
        tests: arguments.tests.or(arguments.ci.then_some(crate::ci::TESTS as usize)),
        only_new: !arguments.all_tests,
        query_time: arguments.query_time,
        arrivals: campaign.clone().map(|campaign| campaign as Arc<dyn search::Arrivals>),
        backup: arguments.backup.as_deref().map(|spec| foreign(spec, &stop)).transpose()?,
        fuel: arguments.fuel,
        keep_queries: arguments.queries,
        stop: stop.clone(),
    };
    let subject = Subject {
        file: first_file,
        flags,
        artefacts: &[(artefact, &module)],
        target: &*target,
        settings: &settings,
    };
    let corpus = arguments.corpus.as_deref().map(report::Corpus::open).transpose()?;
    let mut writer = earlier.map(|earlier| Writer::begin(earlier, subject)).transpose()?;
    let mut broken: Option<output::Error> = None;
    if arguments.ci {
        crate::progress::hide();
    }
    let mut progress = ProgressLine::new();
    let mut found = search::explore(&*target, &settings, &mut |now| {
        progress.show(&told(&now.moment, now.counters, arguments.time_limit));
        if let Some(campaign) = &campaign {
            campaign.put(now.tests);
        }
        if let (Some(writer), None) = (&mut writer, &broken)
            && let Err(error) = writer.keep(now)
        {
            broken = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
    });
    progress.clear();
    if arguments.entry.is_none() && !arguments.no_native {
        if let Some(main) = target.describe().get("main").and_then(|main| main.as_str().map(str::to_string)) {
            // Without a folder for the program there is nothing to say.
            if let Ok(java) = jvm::native::Native::new(&module, &main) {
                say_left_out(native::try_crashes(&java, &mut found, &stop));
            }
        } else {
            try_natively(&project, &mut found, &stop);
        }
    }
    let written = match (broken, writer) {
        (Some(error), _) => Err(error),
        (None, Some(writer)) => writer.finish(&found),
        (None, None) => Ok(()),
    };
    written.map_err(|error| {
        Failure::Internal(format!("{error}\nnote: what was written until then is whole and can be replayed"))
    })?;
    corpus.map_or(Ok(()), |corpus| corpus.add(&found))?;
    if let (true, Some(out)) = (arguments.ci, &arguments.out) {
        crate::ci::write(out, "explore")?;
    }
    if let Some(campaign) = &campaign {
        campaign.put(&found.tests);
        say!("{}", campaign.summary());
    }
    if arguments.json {
        print_json(&report::document(subject, &found));
    } else {
        print(&summary(&*target, &settings, &found));
        if project.files.iter().any(|file| clang::is_c(file)) {
            print(
                "note: long, size_t and pointers have 32 bits here (wasm32), 64 natively on most machines\n",
            );
        }
        if arguments.stats {
            print(&stats(&found));
        }
    }
    Ok(if found.crashes.is_empty() { Outcome::Clean } else { Outcome::Found })
}

/// What is kept of a program under which name, and the program on its machine.
type Loaded = (&'static str, Vec<u8>, Box<dyn Target>);

/// The program on its machine, and what is kept of it under which name.
fn load(
    arguments: &Arguments,
    file: &Path,
    project: &clang::Project<'_>,
    setup: Setup,
) -> Result<Loaded, Failure> {
    if jvm::front::is_java(file) {
        if arguments.program.len() > 1 {
            return Err(Failure(
                "a Java program is one file; name others after --, as javac's options".into(),
            ));
        }
        let opened = jvm::front::open(file, arguments.main.as_deref(), setup, &arguments.flags)
            .map_err(Failure::from)?;
        let program = opened.program.with_junit(arguments.junit);
        return Ok(("program.jar", opened.archive, Box::new(program)));
    }
    let module = explore::front::module(project)?;
    let loads = match arguments.region {
        0 => AddressPolicy::Concretise,
        bytes => AddressPolicy::Region(bytes),
    };
    let program = Program::load(&module, setup)
        .map_err(|error| cannot_load(file, &error))?
        .with_options(ConcolicSettings { loads, ..ConcolicSettings::default() })
        .with_files(project.files.to_vec());
    Ok(("program.wasm", module, Box::new(program)))
}

/// Why a module is no program, and what to do about it.
fn cannot_load(file: &Path, error: &explore::Error) -> Failure {
    let tip = match error {
        explore::Error::TooLarge { what, .. } if what.contains("pages") => "\n\n  tip: --pages allows more",
        _ => "",
    };
    Failure::coded(crate::codes::Coded::code(error), format!("{}: {error}{tip}", file.display()))
}

/// The foreign solver of a specification.
fn foreign(spec: &str, stop: &Arc<AtomicBool>) -> Result<Arc<dyn Backup>, Failure> {
    let solver = resolve(spec, &Store::open())?;
    Ok(Arc::new(Foreign { solver, stop: stop.clone() }))
}

/// The files of a program, and what they are compiled with.
struct Files {
    files: Vec<PathBuf>,
    units: Vec<clang::build::Unit>,
    flags: Vec<String>,
}

/// The program as the command line names it: by its files, or by a build that is there already.
fn named(arguments: &Arguments, stop: &AtomicBool) -> Result<Files, Failure> {
    let target = arguments.target.as_deref();
    let refused = |error: clang::build::Error| Failure(error.to_string());
    let database = match &arguments.program[..] {
        [only] if only.extension().is_some_and(|extension| extension == "json") => Some(only),
        _ => None,
    };
    let units = match (arguments.wrap, database) {
        (true, _) => clang::build::watch(&arguments.flags, target, stop).map_err(refused)?,
        (false, Some(database)) => clang::build::from_database(database, target).map_err(refused)?,
        (false, None) if target.is_some() => {
            return Err(Failure("--target is for --wrap and compile_commands.json".into()));
        }
        (false, None) => Vec::new(),
    };
    let flags = if arguments.wrap { Vec::new() } else { arguments.flags.clone() };
    let files = match units.is_empty() {
        true => arguments.program.clone(),
        false => units.iter().map(|unit| unit.file.clone()).collect(),
    };
    Ok(Files { files, units, flags })
}

/// How long an input of a campaign may become, unless --stdin says more.
const SYNC_BYTES: usize = 256;

/// The bytes of standard input that a fuzzer's harness gets unless `--stdin` or `--seeds` say otherwise.
const HARNESS_BYTES: usize = 64;

/// How many bytes standard input has at most where no option names an input. A program that reads none of them is not changed by it.
const STDIN_BYTES: usize = 32;

/// The words of a dictionary.
fn words(file: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let text = read_bytes(file)?;
    explore::dictionary::parse(&text).map_err(|error| Failure(format!("{}: {error}", file.display())))
}

/// Tries the test of every crash on the program compiled for this machine, and says what would let it see more.
fn try_natively(project: &clang::Project<'_>, found: &mut Exploration, stop: &AtomicBool) {
    let Some(native) = native::compile_for_crashes(project, found, stop) else { return };
    if !native.is_watched() {
        let package = native::PACKAGE;
        say!(
            "note: crashes are tried natively without the address sanitizer; Debian's package {package} has it"
        );
    }
    say_left_out(native::try_crashes(&native, found, stop));
}

/// Says how many crashes turned out to be none.
fn say_left_out(count: usize) {
    if count > 0 {
        say!(
            "note: left out: {count} that are no errors natively: sizes or alignment of 32 bits, or runs that took all fuel and end"
        );
    }
}
