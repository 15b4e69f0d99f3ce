//! What comes out: answers or one JSON document, counters, the file of partial solutions.

use super::name_of;
use crate::Failure;
use crate::documents::{Counters, PartialLine, Solved, SolvedCheck, SolvedFile};
use crate::input::{print, print_exactly, print_json, say, unreadable};
use smt::Terms;
use smt::print::value_to_string;
use solve::record::Record;
use solve::session::{Answer, Check, Reply};
use std::fs::{File, Metadata};
use std::io::{BufWriter, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Everything that is written.
pub(super) struct Output {
    json: bool,
    stats: bool,
    /// Whether answers must say which file they belong to.
    several: bool,
    partials: Option<PartialsFile>,
    /// The part of the document about the file under way.
    entry: SolvedFile,
    entries: Vec<SolvedFile>,
    errors: usize,
}

impl Output {
    pub(super) fn new(json: bool, stats: bool, several: bool, partials: Option<PartialsFile>) -> Output {
        Output {
            json,
            stats,
            several,
            partials,
            entry: SolvedFile::default(),
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
        self.entry = SolvedFile { file: name_of(path), ..SolvedFile::default() };
        if self.several && !self.json {
            print(&format!("; {}\n", output::quote::line(&self.entry.file)));
        }
    }

    /// Something was answered.
    pub(super) fn reply(&mut self, terms: &Terms, reply: &Reply) -> Result<(), Failure> {
        self.errors += reply.errors;
        if !self.json && !reply.text.is_empty() {
            print_exactly(&reply.text);
        }
        if !reply.diagnostics.is_empty() {
            say!("{}", reply.diagnostics.trim_end());
        }
        if self.json && reply.errors > 0 {
            let lines = reply.text.lines().filter(|line| line.starts_with("(error "));
            self.entry.errors.extend(lines.map(str::to_owned));
        }
        for check in &reply.checks {
            if self.json {
                self.entry.checks.push(checked(check));
            }
            if let Some(partials) = &mut self.partials {
                partials.write(terms, &self.entry.file, check)?;
            }
        }
        Ok(())
    }

    /// A file ends, with these counters.
    pub(super) fn end(&mut self, statistics: &[(&'static str, u64)]) {
        if self.stats {
            if self.several {
                say!("; {}", self.entry.file);
            }
            for (name, count) in statistics {
                say!("(:{} {count})", name.replace(' ', "-"));
            }
        }
        let entry = std::mem::take(&mut self.entry);
        self.entries.push(SolvedFile { statistics: Some(Counters(statistics.to_vec())), ..entry });
    }

    /// A file ends with an internal failure.
    pub(super) fn internal(&mut self) {
        let entry = std::mem::take(&mut self.entry);
        self.entries.push(SolvedFile { internal_failure: true, ..entry });
    }

    /// Everything ends.
    pub(super) fn finish(&mut self, engine: &str, seed: u64, interrupted: bool) -> Result<(), Failure> {
        if let Some(partials) = &mut self.partials {
            partials.flush()?;
        }
        if self.json {
            let stop_reason = if interrupted { "interrupted" } else { "done" };
            print_json(&Solved { engine, seed, stop_reason, files: &self.entries });
        }
        Ok(())
    }
}

fn checked(check: &Check) -> SolvedCheck {
    SolvedCheck {
        check: check.number,
        verdict: check.answer.word(),
        seconds: check.time.as_secs_f64(),
        engine: check.engine,
        conjuncts: check.conjuncts,
        partials: check.records.len(),
        counters: Counters(check.counters.clone()),
        reason: match check.answer {
            Answer::Unknown(reason) => Some(reason.word()),
            _ => None,
        },
        expected: check.expected.clone(),
        model: check.model.clone(),
    }
}

/// The file of partial solutions. It is complete after every check, so that an interrupt loses nothing.
pub(super) struct PartialsFile {
    path: PathBuf,
    out: BufWriter<File>,
}

impl PartialsFile {
    /// Makes the file, or empties it, once nothing stands against what it is asked for: the scripts are there and it is none of them.
    pub(super) fn create(path: &Path, scripts: &[PathBuf]) -> Result<PartialsFile, Failure> {
        let own = std::fs::metadata(path).ok().filter(Metadata::is_file);
        for script in scripts.iter().filter(|script| *script != Path::new("-")) {
            let there = std::fs::metadata(script).map_err(|error| unreadable(script, &error))?;
            if own.as_ref().is_some_and(|own| (own.dev(), own.ino()) == (there.dev(), there.ino())) {
                return Err(Failure::Usage(format!("--partials {} would replace a script", path.display())));
            }
        }
        match File::create(path) {
            Ok(file) => Ok(PartialsFile { path: path.into(), out: BufWriter::new(file) }),
            Err(error) => Err(Failure(format!("cannot write {}: {error}", path.display()))),
        }
    }

    fn write(&mut self, terms: &Terms, file: &str, check: &Check) -> Result<(), Failure> {
        for record in &check.records {
            let line =
                serde_json::to_string(&line(terms, file, check.number, record)).expect("text and numbers");
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

fn line<'a>(terms: &Terms, file: &'a str, check: usize, record: &Record) -> PartialLine<'a> {
    let value = |(fun, value): &(_, _)| (terms.fun_name(*fun).to_string(), value_to_string(terms, value));
    PartialLine {
        values: record.values.iter().map(value).collect(),
        holds: record.holds,
        total: record.total,
        first_false: record.first_false,
        engine: record.engine,
        step: record.step,
        check,
        file,
    }
}
