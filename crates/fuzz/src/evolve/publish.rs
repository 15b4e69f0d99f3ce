//! Performance defects as findings: the folder layout that all strategies share. Owns the wording of what was measured.

use super::confirm::SlowFormula;
use super::evaluate::{Ending, EvolveError, Pair, timing};
use crate::case::Verdict;
use crate::evidence::{Class, Confirmed, Evidence, RefereeAnswer};
use crate::finding::{Finding, Fingerprint, Folders, SolverInfo};
use crate::run::Entry;
use crate::solver::{Solver, answer};
use output::Folder;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A finding of an evolution, as its summary lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlowEntry {
    /// The entry that all strategies share.
    pub entry: Entry,
    /// On how many of how many random seeds the target is slow.
    pub seeds: (u32, u32),
}

/// Writes a defect's folder below `out`. `newest` is a newer release of the target, if one is at hand.
pub(crate) fn publish(
    out: &Arc<Folder>,
    pair: &Pair,
    newest: Option<&Solver>,
    defect: &SlowFormula,
    stop: &AtomicBool,
) -> Result<SlowEntry, EvolveError> {
    let (quickest, version) = &defect.quickest;
    let together = (!pair.others.is_empty()).then(|| pair.target_names());
    let detail = slowness(
        together.as_deref(),
        pair.limits().cpu.as_secs_f64(),
        defect.seeds,
        (quickest, defect.reference.seconds),
    );
    let fingerprint =
        Fingerprint::new(format!("{}: {}", Class::Performance.word(), defect.operators.join(" ")));
    let confirmed = Confirmed {
        class: Class::Performance,
        query: 0,
        detail: detail.clone(),
        evidence: Evidence::Process(detail),
        answer: answer::read(&defect.run),
        run: defect.run.clone(),
        referees: vec![RefereeAnswer {
            solver: quickest.clone(),
            version: version.clone(),
            verdict: verdict(&defect.reference.ending),
            model: None,
        }],
    };
    let finding = Finding {
        fingerprint,
        confirmed,
        bug: defect.bug.clone(),
        reduced: defect.reduced.clone(),
        assertions: defect.assertions,
        origin: "fuzz evolve".into(),
        seed: None,
        mutations: Vec::new(),
        solver: SolverInfo {
            name: pair.target.name.clone(),
            version: pair.target.version.clone(),
            command: pair.target.command_line(),
        },
        diagnosis: Vec::new(),
        newest: newest.map(|newest| newer(newest, pair, &defect.reduced, stop)).transpose()?.flatten(),
        reduction_tests: defect.reduction_tests,
    };
    let path = Folders::new(out.clone()).write(&finding)?;
    let entry = Entry { count: defect.count, ..Entry::new(&finding, out.path(), &path) };
    Ok(SlowEntry { entry, seeds: defect.seeds })
}

/// What was measured, in words: the targets if there are several, their limit, on how many of how many seeds the first is slow, and who
/// is quick.
fn slowness(
    together: Option<&str>,
    limit: f64,
    (slow, tried): (u32, u32),
    (quickest, seconds): (&str, f64),
) -> String {
    let together = together.map_or(String::new(), |names| format!(" from any of {names}"));
    let seeds = if tried == 0 { String::new() } else { format!(", with {slow} of {tried} random seeds") };
    format!("no answer{together} in {limit:.1} s of CPU time{seeds}, where {quickest} takes {seconds:.3} s")
}

fn verdict(ending: &Ending) -> Option<Verdict> {
    match ending {
        Ending::Answered(verdict) => Some(*verdict),
        Ending::Timeout | Ending::Rejected(_) | Ending::Failed(_) => None,
    }
}

/// How a newer release does on a script, in words; `None` if it was stopped.
fn newer(newest: &Solver, pair: &Pair, text: &str, stop: &AtomicBool) -> Result<Option<String>, EvolveError> {
    let limits = pair.limits();
    let run = newest.run(text, &limits, stop)?;
    Ok(timing(&run, limits.cpu).map(|timing| {
        let what = match timing.ending {
            Ending::Answered(verdict) => format!("answers {} in {:.3} s", verdict.word(), timing.seconds),
            Ending::Timeout => format!("does not answer in {:.1} s either", timing.seconds),
            Ending::Rejected(message) => format!("does not take the script: {message}"),
            Ending::Failed(message) => format!("fails: {message}"),
        };
        format!("{} {what}", newest.version)
    }))
}

#[cfg(test)]
mod tests {
    use super::slowness;

    #[test]
    fn who_is_slow_and_who_is_quick() {
        let one = "no answer in 5.0 s of CPU time, with 4 of 5 random seeds, where cvc5 takes 0.010 s";
        assert_eq!(slowness(None, 5.0, (4, 5), ("cvc5", 0.01)), one);
        let two = "no answer from any of a, b in 5.0 s of CPU time, where cvc5 takes 0.010 s";
        assert_eq!(slowness(Some("a, b"), 5.0, (0, 0), ("cvc5", 0.01)), two);
    }
}
