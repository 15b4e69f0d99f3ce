//! Runs on disk: the state of the last whole generation, from which a run continues. Owns its JSON form. Hashes are
//! written as hexadecimal strings: JSON's numbers do not hold 64 bits everywhere.

use super::coverage::{Coverage, Row};
use super::evaluate::{Ending, EvolveError, Measurement, Timing};
use super::search::{Evolution, Generation};
use super::trace::Trace;
use crate::case::Verdict;
use output::Folder;
use serde_json::{Value as Json, json};
use std::path::Path;

/// Where the state is.
pub const FILE: &str = "state.json";

/// The layout's version.
const VERSION: u64 = 1;

/// Writes the state, whole or not at all.
pub fn save(folder: &Folder, evolution: &Evolution) -> Result<(), EvolveError> {
    let members: Vec<Json> = evolution
        .members
        .iter()
        .map(|m| {
            let objectives: Vec<Json> = m.objectives.iter().map(|&o| number(o)).collect();
            json!({
                "text": m.text,
                "target": timing(&m.measurement.target),
                "reference": m.measurement.reference.as_ref().map(timing),
                "coverage": rows(m.measurement.coverage.rows()),
                "trace": trace(&m.measurement.trace),
                "coverage_score": hex(m.coverage_score),
                "objectives": objectives,
                "distance": number(m.distance),
            })
        })
        .collect();
    let history: Vec<Json> = evolution.history.iter().map(generation).collect();
    let state = json!({
        "version": VERSION,
        "parameters": parameters(evolution),
        "next": evolution.next,
        "tests": evolution.counts.tests,
        "rejected": evolution.counts.rejected,
        "last_rejection": evolution.counts.last_rejection,
        "contradictions": evolution.counts.contradictions,
        "contradictory": evolution.contradictions,
        "members": members,
        "table": rows(&evolution.table.rows()),
        "seen": evolution.seen().into_iter().map(hex).collect::<Vec<_>>(),
        "history": history,
    });
    Ok(folder.write_synced(FILE, state.to_string())?)
}

/// Continues a run that has not begun with a stored state.
pub fn load(path: &Path, evolution: &mut Evolution) -> Result<(), EvolveError> {
    let text = std::fs::read_to_string(path).map_err(|error| EvolveError::file(path, error))?;
    let wrong = || EvolveError::Resume(format!("{} is not a state that this version wrote", path.display()));
    let state: Json = serde_json::from_str(&text).map_err(|_| wrong())?;
    if state["version"].as_u64() != Some(VERSION) {
        return Err(wrong());
    }
    // Other parameters would be another run.
    let (begun, now) = (state["parameters"].as_str().ok_or_else(wrong)?, parameters(evolution));
    if begun != now {
        return Err(EvolveError::Resume(format!(
            "the run in this folder was begun with {begun}, not with {now}; name another folder"
        )));
    }
    let read = || -> Option<_> {
        let members: Option<Vec<_>> = state["members"].as_array()?.iter().map(read_member).collect();
        let seen: Option<Vec<u64>> = state["seen"].as_array()?.iter().map(read_hex).collect();
        let history: Option<Vec<_>> = state["history"].as_array()?.iter().map(read_generation).collect();
        Some((members?, seen?, history?, read_rows(&state["table"])?))
    };
    let (members, seen, history, table) = read().ok_or_else(wrong)?;
    evolution.restore(members, seen)?;
    evolution.next = state["next"].as_u64().ok_or_else(wrong)?;
    evolution.history = history;
    evolution.table.learn(&Coverage::new(table));
    evolution.counts.tests = state["tests"].as_u64().ok_or_else(wrong)?;
    evolution.counts.rejected = state["rejected"].as_u64().ok_or_else(wrong)?;
    evolution.counts.contradictions = state["contradictions"].as_u64().ok_or_else(wrong)?;
    evolution.counts.last_rejection = state["last_rejection"].as_str().map(String::from);
    let texts = state["contradictory"].as_array().ok_or_else(wrong)?;
    evolution.contradictions = texts.iter().filter_map(|t| t.as_str().map(String::from)).collect();
    Ok(())
}

/// What must not change when a run continues, as options of the command line.
fn parameters(evolution: &Evolution) -> String {
    let o = evolution.options();
    format!(
        "--seed {} --variant {} --logic {} --population {} --crossover {} --mutation {}",
        o.seed, o.variant.name, o.logic.name, o.population, o.crossover, o.mutation
    )
}

/// A generation as JSON.
pub fn generation(generation: &Generation) -> Json {
    json!({
        "generation": generation.number,
        "tests": generation.tests,
        "mean_score": generation.mean_score,
        "best_score": generation.best_score,
        "timeouts": generation.timeouts,
        "mean_complexity": generation.mean_complexity,
        "lines": generation.lines,
    })
}

fn read_generation(json: &Json) -> Option<Generation> {
    Some(Generation {
        number: json["generation"].as_u64()?,
        tests: json["tests"].as_u64()?,
        mean_score: json["mean_score"].as_f64()?,
        best_score: json["best_score"].as_f64()?,
        timeouts: json["timeouts"].as_u64()? as usize,
        mean_complexity: json["mean_complexity"].as_f64()?,
        lines: json["lines"].as_u64()? as usize,
    })
}

type StoredMember = (String, Measurement, u64, Vec<f64>, f64);

fn read_member(json: &Json) -> Option<StoredMember> {
    let reference = match &json["reference"] {
        Json::Null => None,
        reference => Some(read_timing(reference)?),
    };
    let measurement = Measurement {
        target: read_timing(&json["target"])?,
        reference,
        coverage: Coverage::new(read_rows(&json["coverage"])?),
        trace: read_trace(&json["trace"])?,
    };
    let objectives: Option<Vec<f64>> = json["objectives"].as_array()?.iter().map(read_number).collect();
    let (score, distance) = (read_hex(&json["coverage_score"])?, read_number(&json["distance"])?);
    Some((json["text"].as_str()?.into(), measurement, score, objectives?, distance))
}

/// A run as JSON.
pub fn timing(timing: &Timing) -> Json {
    let (ending, message) = match &timing.ending {
        Ending::Answered(verdict) => (verdict.word(), None),
        Ending::Timeout => ("timeout", None),
        Ending::Rejected(message) => ("rejected", Some(message)),
        Ending::Failed(message) => ("failed", Some(message)),
    };
    json!({ "seconds": timing.seconds, "ending": ending, "message": message })
}

fn read_timing(json: &Json) -> Option<Timing> {
    let message = json["message"].as_str().unwrap_or("").to_string();
    let ending = match json["ending"].as_str()? {
        "timeout" => Ending::Timeout,
        "rejected" => Ending::Rejected(message),
        "failed" => Ending::Failed(message),
        word => Ending::Answered(Verdict::from_word(word)?),
    };
    Some(Timing { seconds: json["seconds"].as_f64()?, ending })
}

fn rows(rows: &[Row]) -> Json {
    rows.iter().map(|row| json!([hex(row.file), hex(row.row), hex(row.count)])).collect()
}

fn read_rows(json: &Json) -> Option<Vec<Row>> {
    let row = |json: &Json| {
        Some(Row { file: read_hex(&json[0])?, row: read_hex(&json[1])?, count: read_hex(&json[2])? })
    };
    json.as_array()?.iter().map(row).collect()
}

fn trace(trace: &Trace) -> Json {
    let (lines, threshold) = trace.parts();
    let lines: Vec<Json> = lines.into_iter().map(|(line, count)| json!([hex(line), hex(count)])).collect();
    json!({ "kept": lines, "threshold": hex(threshold), "lines": hex(trace.lines()) })
}

fn read_trace(json: &Json) -> Option<Trace> {
    let kept: Option<Vec<(u64, u64)>> = json["kept"]
        .as_array()?
        .iter()
        .map(|pair| Some((read_hex(&pair[0])?, read_hex(&pair[1])?)))
        .collect();
    Some(Trace::from_parts(kept?, read_hex(&json["threshold"])?, read_hex(&json["lines"])?))
}

fn hex(number: u64) -> String {
    format!("{number:x}")
}

fn read_hex(json: &Json) -> Option<u64> {
    u64::from_str_radix(json.as_str()?, 16).ok()
}

/// JSON has no infinities.
fn number(value: f64) -> Json {
    if value == f64::INFINITY {
        json!("inf")
    } else if value == f64::NEG_INFINITY {
        json!("-inf")
    } else {
        json!(value)
    }
}

fn read_number(json: &Json) -> Option<f64> {
    match json.as_str() {
        Some("inf") => Some(f64::INFINITY),
        Some("-inf") => Some(f64::NEG_INFINITY),
        Some(_) => None,
        None => json.as_f64(),
    }
}
