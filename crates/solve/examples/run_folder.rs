//! Runs one engine in this process over all scripts of a folder and prints what it solved and how long that took.
//!
//! `cargo run --release -p solve --example run_folder -- --engine ils DIR [--time-limit S] [--seed N] [--verbose]`
//!
//! Only scripts with one `check-sat` count, and reading them is not timed. Time is processor time, so that other
//! work on the machine does not count; only the limit is by the clock.

use shared::{millis, now, query};
use solve::engine::{Budget, NoPartials, Query, Verdict};
use solve::engines;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use testkit::scripts;

mod shared;

struct Arguments {
    engine: String,
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
    let engine = name.ok_or("--engine is missing")?;
    engines::make(&engine, seed).ok_or(format!("no engine `{engine}`"))?;
    let folder = folder.ok_or("a folder is missing")?;
    let limit = Duration::try_from_secs_f64(limit).map_err(|e| format!("--time-limit: {e}"))?;
    Ok(Arguments { engine, folder, limit, seed, verbose })
}

/// The only query of a script.
fn read(path: &Path) -> Option<(smt::Terms, Query)> {
    let source = std::fs::read(path).ok()?;
    let mut terms = smt::Terms::new();
    let reading = smt::read_bytes(&mut terms, &source);
    let [assertions] = <[_; 1]>::try_from(reading.script.queries()).ok()?;
    let query = query(&mut terms, &assertions);
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
    let (mut files, mut unsat, mut times) = (0, 0, Vec::new());
    for path in scripts(&arguments.folder) {
        let Some((mut terms, query)) = read(&path) else { continue };
        files += 1;
        let mut engine = engines::make(&arguments.engine, arguments.seed).expect("an engine of the table");
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
