//! Writes path conditions with the profile that Chen et al. 2019 measured on Java programs (their Table II), each satisfiable
//! by construction, and prints what profile they have.
//!
//! `cargo run -p solve --example path_conditions -- --seed N --count N --out DIR`
//!
//! The folder is made if there is none. A file that exists already is never overwritten. What they are good for:
//!
//! `soundline solve --engine ils-classic --each-limit 120 --stats DIR`

mod generate;

use generate::{PathCondition, TABLE};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

struct Arguments {
    seed: u64,
    count: u64,
    out: PathBuf,
}

fn arguments() -> Result<Arguments, String> {
    let (mut seed, mut count, mut out) = (0, 100, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--seed" => seed = value()?.parse().map_err(|e| format!("--seed: {e}"))?,
            "--count" => count = value()?.parse().map_err(|e| format!("--count: {e}"))?,
            "--out" => out = Some(PathBuf::from(value()?)),
            _ => return Err(format!("unknown word {word}: --seed N --count N --out DIR is what there is")),
        }
    }
    Ok(Arguments { seed, count, out: out.ok_or("--out is missing")? })
}

fn write(arguments: &Arguments) -> std::io::Result<Vec<PathCondition>> {
    std::fs::create_dir_all(&arguments.out)?;
    let mut all = Vec::new();
    for index in 0..arguments.count {
        let condition = PathCondition::new(arguments.seed, index);
        let path = arguments.out.join(format!("pc-{index:05}.smt2"));
        std::fs::File::create_new(path)?.write_all(condition.script().as_bytes())?;
        all.push(condition);
    }
    Ok(all)
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    match write(&arguments) {
        Ok(all) => {
            println!(
                "{:<12}{:>6}{:>8}{:>6}   (min, median, max; printed: Table II)",
                "", "min", "median", "max"
            );
            for (at, row) in TABLE.iter().enumerate() {
                let mut counts: Vec<usize> = all.iter().map(|condition| condition.profile[at]).collect();
                counts.sort_unstable();
                let pick = |at: usize| counts.get(at).copied().unwrap_or(0);
                println!(
                    "{:<12}{:>6}{:>8}{:>6}   ({}, {}, {})",
                    row.what,
                    pick(0),
                    pick(counts.len() / 2),
                    pick(counts.len().saturating_sub(1)),
                    row.min,
                    row.median,
                    row.max
                );
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", arguments.out.display());
            ExitCode::from(2)
        }
    }
}
