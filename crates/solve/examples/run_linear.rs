//! Runs the engine `simplex` in this process over all scripts under some folders and prints what it answered and how long
//! that took, query by query.
//!
//! `cargo run --release -p solve --example run_linear -- DIR... [--time-limit S] [--partials] [--counters]`
//!
//! Every query of a script counts, reading is not timed, and answers are compared with the `:status` in force. An answer
//! against it is reported as `WRONG` and makes the exit code 1.

use shared::{millis, now, query};
use smt::{Command, Terms};
use solve::engine::{Budget, Engine, NoPartials, Partial, Verdict};
use solve::linear::Linear;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use testkit::scripts;

mod shared;

struct Arguments {
    roots: Vec<PathBuf>,
    limit: Duration,
    partials: bool,
    counters: bool,
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments =
        Arguments { roots: Vec::new(), limit: Duration::from_secs(10), partials: false, counters: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--time-limit" => {
                let seconds = words.next().ok_or("--time-limit needs a value")?;
                let seconds: f64 = seconds.parse().map_err(|e| format!("--time-limit: {e}"))?;
                arguments.limit =
                    Duration::try_from_secs_f64(seconds).map_err(|e| format!("--time-limit: {e}"))?;
            }
            "--partials" => arguments.partials = true,
            "--counters" => arguments.counters = true,
            _ => arguments.roots.push(PathBuf::from(word)),
        }
    }
    if arguments.roots.is_empty() { Err("a folder is missing".to_string()) } else { Ok(arguments) }
}

/// The status that each query of a script should have, where the script says.
fn statuses(script: &smt::Script, source: &str) -> Vec<Option<String>> {
    let mut status = None;
    let mut found = Vec::new();
    for (command, span) in script.commands.iter().zip(&script.spans) {
        match command {
            Command::CheckSat | Command::CheckSatAssuming(_) => found.push(status.take()),
            Command::Assert(_) => {}
            _ => {
                let text = source.get(span.start..span.end).unwrap_or_default();
                if let Some(rest) = text.strip_prefix("(set-info :status") {
                    status = Some(rest.trim_end_matches(')').trim().to_string());
                }
            }
        }
    }
    found
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let (mut solved, mut asked, mut wrong, mut times, mut shown) = (0, 0, 0, Vec::new(), Vec::new());
    for path in arguments.roots.iter().flat_map(|root| scripts(root)) {
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        let mut terms = Terms::new();
        let reading = smt::read_script(&mut terms, &source);
        let statuses = statuses(&reading.script, &source);
        for (number, assertions) in reading.script.queries().into_iter().enumerate() {
            let query = query(&mut terms, &assertions);
            let mut engine = Linear::new(0);
            let mut count = 0_u64;
            let start = now();
            let mut budget = Budget::seconds(arguments.limit);
            let verdict = if arguments.partials {
                let mut listener = |_: Partial| count += 1;
                engine.solve(&mut terms, &query, &mut budget, &mut listener)
            } else {
                engine.solve(&mut terms, &query, &mut budget, &mut NoPartials)
            };
            let time = millis(now().saturating_sub(start));
            asked += 1;
            let answer = match &verdict {
                Verdict::Sat(_) => "sat".to_string(),
                Verdict::Unsat(core) => format!("unsat {}/{}", core.len(), query.assertions.len()),
                Verdict::Unknown(reason) => format!("unknown ({reason})"),
            };
            if !matches!(verdict, Verdict::Unknown(_)) {
                solved += 1;
                times.push(time);
                if query.assertions.len() >= 5 {
                    shown.push(count);
                }
            }
            let expected = statuses.get(number).cloned().flatten();
            let against = match (&verdict, expected.as_deref()) {
                (Verdict::Sat(_), Some("unsat")) | (Verdict::Unsat(_), Some("sat")) => " WRONG",
                _ => "",
            };
            wrong += usize::from(!against.is_empty());
            println!("{}#{number} {answer} {time:.3} ms {count} partials{against}", path.display());
            if arguments.counters {
                println!("    {:?}", engine.counters());
            }
        }
    }
    times.sort_by(f64::total_cmp);
    shown.sort_unstable();
    println!(
        "solved {solved} of {asked}, {wrong} wrong, median {:.3} ms, total {:.0} ms, median of partials {}",
        times.get(times.len() / 2).copied().unwrap_or_default(),
        times.iter().sum::<f64>(),
        shown.get(shown.len() / 2).copied().unwrap_or_default(),
    );
    ExitCode::from(u8::from(wrong > 0))
}
