//! The black-box proxy for solvers that cannot be rebuilt: no code coverage, but what the solver itself counts and reports.
//! A statistic is a row and its value the count; a verbose message, numbers aside, is a row and its repetitions the count;
//! what comes before the first separator of either (`seq` in `seq-num-splits`, `smt` in `(smt.propagate-values)`) stands
//! for the file. [`super::super::family`] knows what makes solvers talk. A run that is ended at its limit prints no statistics; its messages up to then count.

use super::{Coverage, Output, RowCount, Source, Unavailable};
use crate::evolve::trace::{hash, without_numbers};

/// What counts time and memory, not steps.
const MEASURES: &[&str] = &["time", "memory", "max-memory", "total-time", "num-allocs", "totalTime"];

/// Statistics and messages of a solver that stand for the lines that it executes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blackbox;

impl Source for Blackbox {
    fn clear(&mut self) -> Result<(), Unavailable> {
        Ok(())
    }

    fn collect(&mut self, output: Output) -> Result<Coverage, Unavailable> {
        let lines = output.stdout.lines().chain(output.stderr.lines());
        Ok(Coverage::new(lines.filter_map(row).collect()))
    }
}

/// The row that a line of output stands for.
fn row(line: &str) -> Option<RowCount> {
    let line = line.trim();
    if let Some((name, value)) = statistic(line) {
        let measured = MEASURES.iter().any(|m| name == *m || name.ends_with(&format!("::{m}")));
        let count = value as u64;
        return (!measured && count > 0).then(|| RowCount {
            file: file(name),
            row: hash(name.as_bytes()),
            count,
        });
    }
    let message = without_numbers(line.as_bytes());
    let text = line.trim_start_matches('(');
    (!text.is_empty()).then(|| RowCount { file: file(text), row: hash(&message), count: 1 })
}

/// A statistic as Z3 (`:name value`) or the CVC family (`name = value`, `name, value`) prints it.
fn statistic(line: &str) -> Option<(&str, f64)> {
    let line = line.trim_start_matches('(').trim_end_matches(')');
    let (name, value) = match line.strip_prefix(':') {
        Some(rest) => rest.split_once(char::is_whitespace)?,
        None => line.split_once(" = ").or_else(|| line.split_once(", "))?,
    };
    if name.contains(char::is_whitespace) {
        return None;
    }
    let value: f64 = value.trim().parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some((name, value))
}

fn file(name: &str) -> u64 {
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    hash(&name.as_bytes()[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(stdout: &str, stderr: &str) -> Coverage {
        Blackbox.collect(Output { stdout, stderr }).unwrap()
    }

    #[test]
    fn statistics_of_z3_and_cvc5() {
        let z3 = collect("sat\n(:added-eqs   12\n :conflicts 3\n :memory 17.50\n :time 0.01)\n", "");
        let counts: Vec<u64> = z3.rows().iter().map(|row| row.count).collect();
        assert_eq!(z3.lines(), 3, "the verdict and two statistics");
        assert!(counts.contains(&12) && counts.contains(&3));
        let cvc5 = collect("", "theory::strings::checkRuns = 4\nglobal::totalTime = 2ms\nresource = 0\n");
        assert!(cvc5.rows().iter().any(|row| row.count == 4));
    }

    #[test]
    fn messages_count_without_their_numbers() {
        let twice = collect("", "(smt.stats 1 0.02)\n(smt.stats 7 0.31)\n(smt.searching)\n");
        assert_eq!(twice.lines(), 2);
        assert!(twice.rows().iter().any(|row| row.count == 2));
        assert_eq!(twice.rows()[0].file, twice.rows()[1].file, "both belong to `smt`");
    }
}
