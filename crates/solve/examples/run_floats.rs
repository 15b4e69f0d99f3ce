//! Runs the engine `anneal` in-process over SMT-LIB files: `run_floats SECONDS FILE...` prints a line for every query
//! (verdict, seconds, evaluations, file) and the number of each verdict.

use smt::{Terms, read_script};
use solve::anneal::Anneal;
use solve::engine::{Budget, Engine, NoPartials, Query, Verdict};
use std::time::{Duration, Instant};

fn main() {
    let mut args = std::env::args().skip(1);
    let limit =
        args.next().and_then(|s| s.parse().ok()).map_or(Duration::from_secs(10), Duration::from_secs_f64);
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    for path in args {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, &text);
        if let Some(error) = reading.errors.first() {
            eprintln!("{path}: {error:?}");
            continue;
        }
        for assertions in reading.script.queries() {
            let assertions = terms.strip_annotations(&assertions);
            let query = Query { assertions: terms.unfold(&assertions) };
            let mut engine = Anneal::with_seed(0);
            let start = Instant::now();
            let verdict = engine.solve(&mut terms, &query, &mut Budget::seconds(limit), &mut NoPartials);
            let name = match verdict {
                Verdict::Sat(_) => {
                    sat += 1;
                    "sat".to_string()
                }
                Verdict::Unsat(_) => {
                    unsat += 1;
                    "unsat".to_string()
                }
                Verdict::Unknown(reason) => {
                    unknown += 1;
                    format!("unknown({reason:?})")
                }
            };
            let evaluations = engine.counters()[0].1;
            println!("{name}\t{:.4}\t{evaluations}\t{path}", start.elapsed().as_secs_f64());
        }
    }
    println!("sat {sat}, unsat {unsat}, unknown {unknown}");
}
