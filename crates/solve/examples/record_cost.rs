//! What recording partial solutions costs: every query of the scripts below some folders is solved in this process with
//! no listener and with a recorder, in turns and in either order.
//!
//! `cargo run --release -p solve --example record_cost -- DIR... [--rounds N] [--time-limit S]`
//!
//! Time is processor time, the least of all rounds for each query and way. Queries that one of the runs does not solve are
//! left out. Evaluating what was recorded (how many conjuncts hold) happens after solving and is told apart.

use shared::{millis, now, query};
use solve::engine::{Budget, NoPartials, Partials, Query, Verdict};
use solve::engines;
use solve::record::Recorder;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use testkit::scripts;

mod shared;

/// One query solved once.
struct Run {
    time: Duration,
    solved: bool,
}

fn run(terms: &mut smt::Terms, query: &Query, limit: Duration, partials: &mut dyn Partials) -> Run {
    let mut engine = engines::make(engines::AUTO, 0).expect("the portfolio");
    let mut budget = Budget::seconds(limit);
    let start = now();
    let verdict = engine.solve(terms, query, &mut budget, partials);
    Run { time: now().saturating_sub(start), solved: !matches!(verdict, Verdict::Unknown(_)) }
}

/// The folders, the rounds and the limit.
fn arguments() -> Result<(Vec<PathBuf>, usize, Duration), String> {
    let (mut roots, mut rounds, mut limit) = (Vec::new(), 3, Duration::from_secs(10));
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || -> Result<f64, String> {
            let value = words.next().ok_or(format!("{word} needs a value"))?;
            value.parse().map_err(|e| format!("{word}: {e}"))
        };
        match word.as_str() {
            "--rounds" => rounds = (number()? as usize).max(1),
            "--time-limit" => {
                limit = Duration::try_from_secs_f64(number()?).map_err(|e| format!("{word}: {e}"))?;
            }
            _ => roots.push(PathBuf::from(word)),
        }
    }
    if roots.is_empty() { Err("a folder is missing".into()) } else { Ok((roots, rounds, limit)) }
}

fn main() -> ExitCode {
    let (roots, rounds, limit) = match arguments() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let (mut queries, mut counts, mut ratios) = (0, Vec::new(), Vec::new());
    let (mut plain, mut recording, mut evaluating) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for path in roots.iter().flat_map(|root| scripts(root)) {
        let Ok(source) = std::fs::read(&path) else { continue };
        let mut terms = smt::Terms::new();
        let reading = smt::read_bytes(&mut terms, &source);
        for assertions in reading.script.queries() {
            let query = query(&mut terms, &assertions);
            let mut least = [Duration::MAX; 2];
            // The first run fills the arena with the engines' terms, and whoever comes second finds warm caches.
            let mut solved = run(&mut terms, &query, limit, &mut NoPartials).solved;
            let mut recorder = Recorder::default();
            for round in 0..2 * rounds {
                if !solved {
                    break;
                }
                for way in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
                    let run = if way == 0 {
                        run(&mut terms, &query, limit, &mut NoPartials)
                    } else {
                        recorder = Recorder::default();
                        run(&mut terms, &query, limit, &mut recorder)
                    };
                    solved &= run.solved;
                    least[way] = least[way].min(run.time);
                }
            }
            if !solved {
                continue;
            }
            let start = now();
            let records = recorder.into_records(&mut terms, &query.assertions).len();
            evaluating += now().saturating_sub(start);
            queries += 1;
            plain += least[0];
            recording += least[1];
            ratios.push(least[1].as_secs_f64() / least[0].as_secs_f64().max(1e-9));
            if query.assertions.len() >= 5 {
                counts.push(records);
            }
        }
    }
    counts.sort_unstable();
    ratios.sort_by(f64::total_cmp);
    println!(
        "{queries} queries solved; {} with 5 or more conjuncts: a median of {} distinct partial solutions",
        counts.len(),
        counts.get(counts.len() / 2).copied().unwrap_or_default(),
    );
    println!(
        "no listener {:.1} ms, with a recorder {:.1} ms: {:+.2}% in all, {:+.2}% for the median query; evaluating {:.1} ms",
        millis(plain),
        millis(recording),
        100.0 * (recording.as_secs_f64() / plain.as_secs_f64().max(1e-9) - 1.0),
        100.0 * (ratios.get(ratios.len() / 2).copied().unwrap_or(1.0) - 1.0),
        millis(evaluating),
    );
    ExitCode::SUCCESS
}
