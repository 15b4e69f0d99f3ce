//! Runs on disk: the state of the last whole generation, from which a run continues. Owns its JSON form, which is that of
//! the types below. Hashes are written as hexadecimal strings: JSON's numbers do not hold 64 bits everywhere.

use super::coverage::{Coverage, RowCount};
use super::evaluate::{Ending, EvolveError, Measurement, Timing};
use super::search::{Evolution, Generation, Member, RestoredMember};
use super::trace::Trace;
use crate::case::Verdict;
use output::Folder;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Where the state is.
pub(crate) const FILE: &str = "state.json";

/// The layout's version.
const VERSION: u64 = 2;

/// `state.json`.
#[derive(Serialize, Deserialize)]
struct State {
    version: u64,
    /// What must not change when a run continues, as options of the command line.
    parameters: String,
    /// The solvers that measured, with their releases.
    solvers: String,
    /// The number of the next generation.
    next: u64,
    tests: u64,
    rejected: u64,
    last_rejection: Option<String>,
    contradictions: u64,
    /// The first few formulas on which the solvers contradict each other.
    contradictory: Vec<String>,
    members: Vec<StoredMember>,
    /// What was covered by all formulas.
    table: Vec<StoredRow>,
    /// The hashes of all formulas that were ever made.
    seen: Vec<Hex>,
    history: Vec<Generation>,
}

#[derive(Serialize, Deserialize)]
struct StoredMember {
    text: String,
    target: StoredTiming,
    reference: Option<StoredTiming>,
    coverage: Vec<StoredRow>,
    trace: StoredTrace,
    coverage_score: Hex,
    objectives: Vec<Real>,
    distance: Real,
}

/// A run: its CPU time and the word of its verdict, or `timeout`, `rejected`, `failed`; the last two with a message.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredTiming {
    seconds: f64,
    ending: String,
    message: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct StoredTrace {
    /// The lines that are kept, by hash, and how often each occurs.
    kept: Vec<(Hex, Hex)>,
    /// Only lines whose hash is below it are kept.
    threshold: Hex,
    /// All lines, kept or not.
    lines: Hex,
}

/// File, row, count.
type StoredRow = (Hex, Hex, Hex);

/// A 64-bit number as a hexadecimal string.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
struct Hex(u64);

impl From<Hex> for String {
    fn from(number: Hex) -> String {
        format!("{:x}", number.0)
    }
}

impl TryFrom<String> for Hex {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Hex, Self::Error> {
        u64::from_str_radix(&text, 16).map(Hex)
    }
}

/// A number that may be infinite, which JSON has no word for.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(untagged)]
enum Real {
    Finite(f64),
    Infinite(Infinity),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum Infinity {
    #[serde(rename = "inf")]
    Positive,
    #[serde(rename = "-inf")]
    Negative,
}

impl From<f64> for Real {
    fn from(value: f64) -> Real {
        match value {
            f64::INFINITY => Real::Infinite(Infinity::Positive),
            f64::NEG_INFINITY => Real::Infinite(Infinity::Negative),
            _ => Real::Finite(value),
        }
    }
}

impl From<Real> for f64 {
    fn from(real: Real) -> f64 {
        match real {
            Real::Finite(value) => value,
            Real::Infinite(Infinity::Positive) => f64::INFINITY,
            Real::Infinite(Infinity::Negative) => f64::NEG_INFINITY,
        }
    }
}

/// Writes the state, whole or not at all.
pub(crate) fn save(folder: &Folder, evolution: &Evolution) -> Result<(), EvolveError> {
    let state = State {
        version: VERSION,
        parameters: parameters(evolution),
        solvers: evolution.solvers(),
        next: evolution.next,
        tests: evolution.counts.tests,
        rejected: evolution.counts.rejected,
        last_rejection: evolution.counts.last_rejection.clone(),
        contradictions: evolution.counts.contradictions,
        contradictory: evolution.contradictions.clone(),
        members: evolution.members.iter().map(StoredMember::of).collect(),
        table: rows(&evolution.table.rows()),
        seen: evolution.seen().into_iter().map(Hex).collect(),
        history: evolution.history.clone(),
    };
    let text = serde_json::to_string(&state).expect("a value of our own");
    Ok(folder.write_synced(FILE, text)?)
}

/// Continues a run that has not begun with a stored state.
pub(crate) fn load(path: &Path, evolution: &mut Evolution) -> Result<(), EvolveError> {
    let text = std::fs::read_to_string(path).map_err(|error| EvolveError::file(path, error))?;
    let wrong = || EvolveError::Resume(format!("{} is not a state that this version wrote", path.display()));
    let state: State = serde_json::from_str(&text).map_err(|_| wrong())?;
    if state.version != VERSION {
        return Err(wrong());
    }
    // Other parameters would be another run.
    let (begun, now) = (state.parameters, parameters(evolution));
    if begun != now {
        return Err(EvolveError::Resume(format!(
            "the run in this folder was begun with {begun}, not with {now}; name another folder"
        )));
    }
    let (begun, now) = (state.solvers, evolution.solvers());
    if begun != now {
        return Err(EvolveError::Resume(format!(
            "the run in this folder was begun with the solvers {begun}, not with {now}: times of one release say nothing of another; \
             name another folder"
        )));
    }
    let members: Option<Vec<_>> = state.members.into_iter().map(StoredMember::restored).collect();
    evolution.restore(members.ok_or_else(wrong)?, state.seen.into_iter().map(|hash| hash.0))?;
    evolution.next = state.next;
    evolution.history = state.history;
    evolution.table.learn(&coverage(state.table));
    evolution.counts.tests = state.tests;
    evolution.counts.rejected = state.rejected;
    evolution.counts.contradictions = state.contradictions;
    evolution.counts.last_rejection = state.last_rejection;
    evolution.contradictions = state.contradictory;
    Ok(())
}

/// What must not change when a run continues, as options of the command line.
fn parameters(evolution: &Evolution) -> String {
    let o = evolution.settings();
    format!(
        "--seed {} --variant {} --logic {} --population {} --crossover {} --mutation {}",
        o.seed, o.variant.name, o.logic.name, o.population, o.crossover, o.mutation
    )
}

impl StoredMember {
    fn of(member: &Member) -> StoredMember {
        let measurement = &member.measurement;
        StoredMember {
            text: member.text.clone(),
            target: StoredTiming::of(&measurement.target),
            reference: measurement.reference.as_ref().map(StoredTiming::of),
            coverage: rows(measurement.coverage.rows()),
            trace: StoredTrace::of(&measurement.trace),
            coverage_score: Hex(member.coverage_score),
            objectives: member.objectives.iter().map(|&objective| objective.into()).collect(),
            distance: member.distance.into(),
        }
    }

    /// `None` if a run ended in a way that there is no word for.
    fn restored(self) -> Option<RestoredMember> {
        let reference = match self.reference {
            None => None,
            Some(timing) => Some(timing.restored()?),
        };
        Some(RestoredMember {
            text: self.text,
            measurement: Measurement {
                target: self.target.restored()?,
                reference,
                // It was counted when it was seen.
                contradiction: false,
                coverage: coverage(self.coverage),
                trace: self.trace.restored(),
            },
            coverage_score: self.coverage_score.0,
            objectives: self.objectives.into_iter().map(f64::from).collect(),
            distance: self.distance.into(),
        })
    }
}

impl StoredTiming {
    pub(super) fn of(timing: &Timing) -> StoredTiming {
        let (ending, message) = match &timing.ending {
            Ending::Answered(verdict) => (verdict.word(), None),
            Ending::Timeout => ("timeout", None),
            Ending::Rejected(message) => ("rejected", Some(message.clone())),
            Ending::Failed(message) => ("failed", Some(message.clone())),
        };
        StoredTiming { seconds: timing.seconds, ending: ending.into(), message }
    }

    fn restored(self) -> Option<Timing> {
        let message = self.message.unwrap_or_default();
        let ending = match self.ending.as_str() {
            "timeout" => Ending::Timeout,
            "rejected" => Ending::Rejected(message),
            "failed" => Ending::Failed(message),
            word => Ending::Answered(Verdict::from_word(word)?),
        };
        Some(Timing { seconds: self.seconds, ending })
    }
}

impl StoredTrace {
    fn of(trace: &Trace) -> StoredTrace {
        let (kept, threshold) = trace.parts();
        StoredTrace {
            kept: kept.into_iter().map(|(line, count)| (Hex(line), Hex(count))).collect(),
            threshold: Hex(threshold),
            lines: Hex(trace.lines()),
        }
    }

    fn restored(self) -> Trace {
        let kept = self.kept.into_iter().map(|(line, count)| (line.0, count.0)).collect();
        Trace::from_parts(kept, self.threshold.0, self.lines.0)
    }
}

fn rows(rows: &[RowCount]) -> Vec<StoredRow> {
    rows.iter().map(|row| (Hex(row.file), Hex(row.row), Hex(row.count))).collect()
}

fn coverage(rows: Vec<StoredRow>) -> Coverage {
    Coverage::new(
        rows.into_iter()
            .map(|(file, row, count)| RowCount { file: file.0, row: row.0, count: count.0 })
            .collect(),
    )
}
