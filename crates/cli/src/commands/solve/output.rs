//! What comes out: answers or one JSON document, counters, the file of partial solutions.

use super::name_of;
use crate::Failure;
use crate::input::{print, print_json, say};
use serde_json::{Map, Value as Json, json};
use smt::Terms;
use smt::print::value_to_string;
use solve::record::Record;
use solve::session::{Answer, Check, Reply};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Everything that is written.
pub(super) struct Output {
    json: bool,
    stats: bool,
    /// Whether answers must say which file they belong to.
    several: bool,
    partials: Option<PartialsFile>,
    /// The file under way and its part of the document.
    name: String,
    entry: FileEntry,
    entries: Vec<Json>,
    errors: usize,
}

#[derive(Default)]
struct FileEntry {
    checks: Vec<Json>,
    errors: Vec<Json>,
}

impl Output {
    pub(super) fn new(json: bool, stats: bool, several: bool, partials: Option<PartialsFile>) -> Output {
        Output {
            json,
            stats,
            several,
            partials,
            name: String::new(),
            entry: FileEntry::default(),
            entries: Vec::new(),
            errors: 0,
        }
    }

    /// How many commands were answered by an error.
    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    /// A file begins.
    pub(super) fn start(&mut self, path: &Path) {
        self.name = name_of(path);
        self.entry = FileEntry::default();
        if self.several && !self.json {
            print(&format!("; {}\n", self.name));
        }
    }

    /// Something was answered.
    pub(super) fn reply(&mut self, terms: &Terms, reply: &Reply) -> Result<(), Failure> {
        self.errors += reply.errors;
        if !self.json && !reply.text.is_empty() {
            print(&reply.text);
        }
        if self.json && reply.errors > 0 {
            let lines = reply.text.lines().filter(|line| line.starts_with("(error "));
            self.entry.errors.extend(lines.map(|line| json!(line)));
        }
        for check in &reply.checks {
            if self.json {
                self.entry.checks.push(check_json(check));
            }
            if let Some(partials) = &mut self.partials {
                partials.write(terms, &self.name, check)?;
            }
        }
        Ok(())
    }

    /// A file ends, with these counters.
    pub(super) fn end(&mut self, statistics: &[(&'static str, u64)]) {
        if self.stats {
            if self.several {
                say!("; {}", self.name);
            }
            for (name, count) in statistics {
                say!("(:{} {count})", name.replace(' ', "-"));
            }
        }
        let entry = std::mem::take(&mut self.entry);
        self.entries.push(json!({
            "file": self.name,
            "checks": entry.checks,
            "errors": entry.errors,
            "statistics": counters_json(statistics),
        }));
    }

    /// A file ends with an internal failure.
    pub(super) fn internal(&mut self) {
        let entry = std::mem::take(&mut self.entry);
        self.entries.push(json!({
            "file": self.name,
            "checks": entry.checks,
            "errors": entry.errors,
            "internal_failure": true,
        }));
    }

    /// Everything ends.
    pub(super) fn finish(&mut self, engine: &str, seed: u64, interrupted: bool) -> Result<(), Failure> {
        if let Some(partials) = &mut self.partials {
            partials.flush()?;
        }
        if self.json {
            print_json(&json!({
                "engine": engine,
                "seed": seed,
                "stop_reason": if interrupted { "interrupted" } else { "done" },
                "files": self.entries,
            }));
        }
        Ok(())
    }
}

fn check_json(check: &Check) -> Json {
    let mut object = json!({
        "check": check.number,
        "verdict": check.answer.word(),
        "seconds": check.time.as_secs_f64(),
        "engine": check.engine,
        "conjuncts": check.conjuncts,
        "partials": check.records.len(),
        "counters": counters_json(&check.counters),
    });
    if let Answer::Unknown(reason) = check.answer {
        object["reason"] = json!(reason.word());
    }
    if let Some(expected) = &check.expected {
        object["expected"] = json!(expected);
    }
    if let Some(model) = &check.model {
        object["model"] = json!(model);
    }
    object
}

fn counters_json(counters: &[(&'static str, u64)]) -> Json {
    Json::Object(counters.iter().map(|(name, count)| (name.to_string(), json!(count))).collect::<Map<_, _>>())
}

/// The file of partial solutions. It is complete after every check, so that an interrupt loses nothing.
pub(super) struct PartialsFile {
    path: PathBuf,
    out: BufWriter<File>,
}

impl PartialsFile {
    pub(super) fn create(path: &Path) -> Result<PartialsFile, Failure> {
        match File::create(path) {
            Ok(file) => Ok(PartialsFile { path: path.into(), out: BufWriter::new(file) }),
            Err(error) => Err(Failure(format!("cannot write {}: {error}", path.display()))),
        }
    }

    fn write(&mut self, terms: &Terms, file: &str, check: &Check) -> Result<(), Failure> {
        for record in &check.records {
            let line = record_json(terms, file, check.number, record);
            writeln!(self.out, "{line}").map_err(|error| self.failure(&error))?;
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &std::io::Error) -> Failure {
        Failure::Internal(format!("cannot write {}: {error}", self.path.display()))
    }
}

fn record_json(terms: &Terms, file: &str, check: usize, record: &Record) -> Json {
    let values: Map<String, Json> = record
        .values
        .iter()
        .map(|(fun, value)| (terms.fun_name(*fun).to_string(), json!(value_to_string(terms, value))))
        .collect();
    json!({
        "values": values,
        "holds": record.holds,
        "total": record.total,
        "first_false": record.first_false,
        "engine": record.engine,
        "step": record.step,
        "check": check,
        "file": file,
    })
}
