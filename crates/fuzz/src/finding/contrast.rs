//! What the wrong run does that a right one does not, by the solver's own statistics: which procedures worked. A maintainer reads from
//! it where to look. Owns how statistics of Z3 and cvc5 are read; times and memory are left out, and a counter at zero counts as absent.

use crate::solver::{Solver, SolverError};
use crate::tuning::finding_contrast::NAMED;
use process::Limits;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

/// Counters that every run has, and that say nothing about what it does.
const EVERYWHERE: [&str; 6] = ["memory", "max-memory", "num-allocs", "rlimit-count", "time", "total-time"];

/// The counters that are above zero after a script.
pub(super) fn counters(
    solver: &Solver,
    text: &str,
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<BTreeSet<String>, SolverError> {
    let run = solver.run(&format!("{text}\n(get-info :all-statistics)\n"), limits, stop)?;
    Ok(read(&run.stdout))
}

/// What two runs do not share, in words; `None` if they share everything.
pub(super) fn contrast(wrong: &BTreeSet<String>, right: &BTreeSet<String>, other: &str) -> Option<String> {
    let list = |names: Vec<&String>| {
        let more = names.len().saturating_sub(NAMED);
        let named: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{rest}", named.join(", "))
    };
    let [here, there] = [(wrong, right), (right, wrong)].map(|(a, b)| a.difference(b).collect::<Vec<_>>());
    let mut parts = Vec::new();
    if !here.is_empty() {
        parts.push(format!("the wrong run alone counts {}", list(here)));
    }
    if !there.is_empty() {
        parts.push(format!("{other} alone counts {}", list(there)));
    }
    (!parts.is_empty()).then(|| format!("By the statistics, {}.", parts.join("; ")))
}

/// The names of the counters above zero: `:name value` of Z3, `("name" value)` of cvc5.
fn read(text: &str) -> BTreeSet<String> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')')).filter(|w| !w.is_empty()).collect();
    let name_of = |word: &str| {
        let quoted = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        quoted.or_else(|| word.strip_prefix(':')).map(str::to_string)
    };
    let is_time = |name: &str| EVERYWHERE.contains(&name) || name.to_ascii_lowercase().contains("time");
    words
        .windows(2)
        .filter(|pair| pair[1].parse::<f64>().is_ok_and(|value| value > 0.0))
        .filter_map(|pair| name_of(pair[0]))
        .filter(|name| !is_time(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_both_kinds_are_read() {
        let z3 = "sat\n(:arith-conflicts 2\n :memory 16.5\n :nlsat-stages 1\n :restarts 0\n :time 0.01)\n";
        let cvc5 = "unsat\n(:all-statistics ((\"Instantiate::Total\" 0) (\"strings::lemmas\" 3) (\"global::totalTime\" 4)))";
        assert_eq!(read(z3).into_iter().collect::<Vec<_>>(), ["arith-conflicts", "nlsat-stages"]);
        assert_eq!(read(cvc5).into_iter().collect::<Vec<_>>(), ["strings::lemmas"]);
        let words = contrast(&read(z3), &read(":arith-conflicts 1"), "4.8.5");
        assert_eq!(words.as_deref(), Some("By the statistics, the wrong run alone counts `nlsat-stages`."));
        assert_eq!(contrast(&read(z3), &read(z3), "4.8.5"), None);
    }
}
