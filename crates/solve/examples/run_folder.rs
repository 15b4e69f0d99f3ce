//! Runs one engine in this process over all scripts of a folder and prints what it solved and how long that took.
//!
//! `cargo run --release -p solve --example run_folder -- --engine ils DIR [--time-limit S] [--seed N] [--verbose]`
//!
//! Only scripts with one `check-sat` count, and reading them is not timed. Time is processor time, so that other
//! work on the machine does not count; only the limit is by the clock.

use solve::anneal::Anneal;
use solve::blast::Blast;
use solve::engine::{Budget, Engine, NoPartials, Query, Verdict};
use solve::ils::{Classic, Ils};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// The engines by name; a seed makes one.
type Make = fn(u64) -> Box<dyn Engine>;
static ENGINES: &[(&str, Make)] = &[
    ("anneal", |seed| Box::new(Anneal::with_seed(seed))),
    ("blast", |_| Box::new(Blast::new())),
    ("ils", |seed| Box::new(Ils::new(seed))),
    ("ils-classic", |seed| Box::new(Classic::new(seed))),
];

struct Arguments {
    engine: &'static str,
    make: Make,
    folder: PathBuf,
    limit: Duration,
    seed: u64,
    verbose: bool,
}

fn arguments() -> Result<Arguments, String> {
    let (mut name, mut folder, mut limit, mut seed, mut verbose) = (None, None, 10.0, 0, false);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--engine" => name = Some(value()?),
            "--time-limit" => limit = value()?.parse().map_err(|e| format!("--time-limit: {e}"))?,
            "--seed" => seed = value()?.parse().map_err(|e| format!("--seed: {e}"))?,
            "--verbose" => verbose = true,
            _ => folder = Some(PathBuf::from(word)),
        }
    }
    let name = name.ok_or("--engine is missing")?;
    let &(engine, make) =
        ENGINES.iter().find(|(known, _)| **known == name).ok_or(format!("no engine `{name}`"))?;
    let folder = folder.ok_or("a folder is missing")?;
    let limit = Duration::try_from_secs_f64(limit).map_err(|e| format!("--time-limit: {e}"))?;
    Ok(Arguments { engine, make, folder, limit, seed, verbose })
}

/// The only query of a script, as engines want it: unfolded, without annotations, split into conjuncts.
fn read(path: &Path) -> Option<(smt::Terms, Query)> {
    let source = std::fs::read(path).ok()?;
    let mut terms = smt::Terms::new();
    let reading = smt::read_bytes(&mut terms, &source);
    let [assertions] = <[_; 1]>::try_from(reading.script.queries()).ok()?;
    let assertions = terms.strip_annotations(&assertions);
    let mut stack: Vec<_> = terms.unfold(&assertions).into_iter().rev().collect();
    let mut query = Query::default();
    while let Some(term) = stack.pop() {
        match terms.op(term) {
            smt::Op::And => stack.extend(terms.args(term).iter().rev()),
            _ => query.assertions.push(term),
        }
    }
    Some((terms, query))
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let mut paths: Vec<PathBuf> = match std::fs::read_dir(&arguments.folder) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(error) => {
            eprintln!("{}: {error}", arguments.folder.display());
            return ExitCode::from(2);
        }
    };
    paths.sort();
    let (mut files, mut unsat, mut times) = (0, 0, Vec::new());
    for path in paths {
        let Some((mut terms, query)) = read(&path) else { continue };
        files += 1;
        let mut engine = (arguments.make)(arguments.seed);
        let start = now();
        let mut budget = Budget::seconds(arguments.limit);
        let verdict = engine.solve(&mut terms, &query, &mut budget, &mut NoPartials);
        let time = now().saturating_sub(start);
        let answer = match verdict {
            Verdict::Sat(_) => {
                times.push(time);
                "sat".to_string()
            }
            Verdict::Unsat(_) => {
                unsat += 1;
                times.push(time);
                "unsat".to_string()
            }
            Verdict::Unknown(reason) => reason.to_string(),
        };
        if arguments.verbose {
            let counters: Vec<String> =
                engine.counters().iter().map(|(name, count)| format!("{name} {count}")).collect();
            println!("{} {answer} {:.3} ms ({})", path.display(), millis(time), counters.join(", "));
        }
    }
    times.sort();
    let total: Duration = times.iter().sum();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    println!(
        "{}: solved {} of {files} ({unsat} unsat), median {:.3} ms, mean {:.3} ms, max {:.3} ms",
        arguments.engine,
        times.len(),
        millis(median),
        millis(total) / times.len().max(1) as f64,
        millis(times.last().copied().unwrap_or_default()),
    );
    ExitCode::SUCCESS
}

/// The processor time of this thread.
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
