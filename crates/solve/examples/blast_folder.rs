//! Runs the engine `blast` over SMT-LIB files: verdicts and times of solving, one line a file.

use smt::{Terms, read_script};
use solve::blast::Blast;
use solve::engine::{Budget, Engine, NoPartials, Query, Verdict};
use std::time::{Duration, Instant};

fn main() {
    let mut stats = false;
    for path in std::env::args().skip(1) {
        if path == "--stats" {
            stats = true;
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let start = Instant::now();
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, &text);
        let mut engine = Blast::new();
        let mut budget = Budget::seconds(Duration::from_secs(10));
        let mut answers = Vec::new();
        for query in reading.script.queries() {
            let stripped = terms.strip_annotations(&query);
            let mut assertions = Vec::new();
            let mut open: Vec<_> = terms.unfold(&stripped).into_iter().rev().collect();
            while let Some(term) = open.pop() {
                if terms.op(term) == smt::Op::And {
                    open.extend(terms.args(term).iter().rev());
                } else {
                    assertions.push(term);
                }
            }
            let verdict = engine.solve(&mut terms, &Query { assertions }, &mut budget, &mut NoPartials);
            answers.push(match verdict {
                Verdict::Sat(_) => "sat".to_string(),
                Verdict::Unsat(_) => "unsat".to_string(),
                Verdict::Unknown(reason) => format!("unknown:{reason:?}"),
            });
        }
        let errors = if reading.errors.is_empty() { "" } else { "\terrors" };
        println!("{path}\t{:.4}\t{}{errors}", start.elapsed().as_secs_f64(), answers.join(","));
        if stats {
            println!("  {:?}", engine.counters());
        }
    }
}
