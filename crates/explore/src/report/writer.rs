//! Writes a folder while an exploration goes on: each test and crash when it is found, the summary every few seconds, the rest
//! at the end. What earlier explorations of the same program left in the folder stays: their tests are the first inputs of
//! this one, keep their numbers, and new ones are numbered after them.

use super::test::StoredTest;
use super::{Subject, Summary, covering, crash, html, lcov, page, suite, summary, test};
use crate::search::{CrashIdentity, Exploration, Progress, Test};
use crate::target::Input;
use output::{Error, Folder, Standing};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// The command whose folders these are.
const COMMAND: &str = "explore";

/// How old the summary on the disk may be while the exploration finds something.
const BEAT: Duration = Duration::from_secs(2);

/// An output folder that was opened, with what is there.
#[derive(Debug)]
pub struct Earlier {
    folder: Folder,
    standing: Standing,
    /// By number; none where the file is gone or damaged, whose number stays taken.
    tests: BTreeMap<usize, Option<Input>>,
    crashes: BTreeMap<usize, Option<CrashIdentity>>,
}

impl Earlier {
    /// Opens a folder. With `fresh`, what explorations wrote there is removed first.
    pub fn open(path: &Path, fresh: bool) -> Result<Earlier, Error> {
        let (folder, standing) = Folder::open(path, COMMAND, fresh)?;
        let (mut tests, mut crashes) = (BTreeMap::new(), BTreeMap::new());
        for name in folder.names() {
            let number = |text: &str| text.parse::<usize>().ok();
            let test = name.strip_prefix("tests/").and_then(|name| number(name.strip_suffix(".json")?));
            let crash =
                name.strip_prefix("crashes/").and_then(|name| number(name.strip_suffix("/report.txt")?));
            let read = |name: &str| std::fs::read(path.join(name)).ok();
            if let Some(number) = test {
                let stored = read(&name).and_then(|text| StoredTest::read(&text).ok());
                tests.insert(number, stored.map(|test| test.input()));
            } else if let Some(number) = crash {
                let file = format!("crashes/{number:03}/crash.json");
                crashes.insert(number, read(&file).and_then(|text| crash::stored_identity(&text)));
            }
        }
        Ok(Earlier { folder, standing, tests, crashes })
    }

    /// The inputs of the tests that are there, in their order.
    pub fn inputs(&self) -> Vec<Input> {
        self.tests.values().flatten().cloned().collect()
    }
}

/// Who writes.
#[derive(Debug)]
pub struct Writer<'a> {
    folder: Folder,
    subject: Subject<'a>,
    tests: Numbers<Input>,
    crashes: Numbers<CrashIdentity>,
    /// What the crashes are that have a number.
    noted: Vec<CrashIdentity>,
    queries: usize,
    written: Instant,
}

impl<'a> Writer<'a> {
    /// Begins to write to a folder: what is explored, and a summary of nothing, so that whatever comes can be replayed.
    pub fn begin(earlier: Earlier, subject: Subject<'a>) -> Result<Writer<'a>, Error> {
        let Earlier { folder, standing, tests, crashes } = earlier;
        if standing == Standing::Ours && !same_program(&folder, subject) {
            return Err(Error::Unusable {
                path: folder.path().to_path_buf(),
                reason: "it holds the exploration of another program or setup: name another folder, or replace it with --fresh"
                    .into(),
            });
        }
        for (name, bytes) in subject.artefacts {
            folder.write(name, bytes)?;
        }
        suite::write_metadata(&folder, subject)?;
        let writer = Writer {
            folder,
            subject,
            tests: Numbers::after(tests),
            crashes: Numbers::after(crashes),
            noted: Vec::new(),
            queries: 0,
            written: Instant::now(),
        };
        if standing == Standing::New {
            writer.write_summary(&summary::begun(subject))?;
        }
        Ok(writer)
    }

    /// Writes what was found since the last time.
    pub fn keep(&mut self, progress: &Progress<'_>) -> Result<(), Error> {
        let (target, mut found) = (self.subject.target, false);
        for test in &progress.tests[self.tests.len()..] {
            found = true;
            if let Some(number) = self.tests.assign(input_of(test)) {
                self.folder.write(&format!("tests/{number:06}.json"), test::to_text(target, test))?;
                suite::write_test(&self.folder, number, test)?;
                for (name, text) in target.test_files(number, test) {
                    self.folder.write(&name, text)?;
                }
            }
        }
        for crash in &progress.crashes[self.crashes.len()..] {
            let test = &progress.tests[crash.test];
            self.noted.push(crash.identity.clone());
            if let Some(number) = self.crashes.assign(crash.identity.clone()) {
                crash::write(&self.folder, self.subject, number, crash, (self.tests.of(crash.test), test))?;
            }
        }
        for query in &progress.queries[self.queries..] {
            self.queries += 1;
            self.folder.write(&format!("queries/{:06}.smt2", self.queries), query)?;
        }
        if found && self.written.elapsed() >= BEAT {
            self.write_summary(&summary::document_of(self.subject, progress, None))?;
            self.written = Instant::now();
        }
        Ok(())
    }

    /// Writes what is only known at the end: how often each crash was seen, coverage, the summary.
    pub fn finish(mut self, found: &Exploration) -> Result<(), Error> {
        let progress = found.progress();
        self.take_back(found)?;
        self.keep(&progress)?;
        for (at, crash) in found.crashes.iter().enumerate() {
            let test = (self.tests.of(crash.test), &found.tests[crash.test]);
            crash::write(&self.folder, self.subject, self.crashes.of(at), crash, test)?;
        }
        self.folder.write("coverage/lcov.info", lcov::text(self.subject.target.sites(), &found.coverage))?;
        for (name, text) in self.subject.target.coverage_files(&found.coverage) {
            self.folder.write(&format!("coverage/{name}"), text)?;
        }
        let tests = covering::tests(self.subject, found, &|at| self.tests.of(at));
        self.folder.write("coverage/index.html", html::page(self.subject, &found.coverage, &tests))?;
        let numbers = page::Numbering { test: &|at| self.tests.of(at), crash: &|at| self.crashes.of(at) };
        self.folder.write("index.html", page::page(self.subject, found, &numbers, &tests))?;
        self.write_summary(&summary::document(self.subject, found))
    }

    /// Removes the folders of crashes that turned out to be none since they were written.
    fn take_back(&mut self, found: &Exploration) -> Result<(), Error> {
        let crashes: BTreeSet<&CrashIdentity> = found.crashes.iter().map(|crash| &crash.identity).collect();
        for at in
            (0..self.noted.len()).rev().filter(|&at| !crashes.contains(&self.noted[at])).collect::<Vec<_>>()
        {
            self.noted.remove(at);
            self.folder.remove_group(&format!("crashes/{:03}", self.crashes.take_back(at)))?;
        }
        Ok(())
    }

    fn write_summary(&self, summary: &Summary<'_>) -> Result<(), Error> {
        self.folder.write("summary.json", super::to_text(summary))
    }
}

/// Whether a folder is of the same program in the same surroundings, as far as it tells.
fn same_program(folder: &Folder, subject: Subject<'_>) -> bool {
    let path = folder.path();
    let kept =
        |(name, bytes): &(&str, &[u8])| std::fs::read(path.join(name)).is_ok_and(|kept| kept == *bytes);
    let summary: Json = std::fs::read(path.join("summary.json"))
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok())
        .unwrap_or_default();
    subject.artefacts.iter().all(kept)
        && subject.target.describe().iter().all(|(name, value)| summary.get(name) == Some(value))
}

fn input_of(test: &Test) -> Input {
    test.run.objects.iter().map(|object| (object.name.clone(), object.bytes.clone())).collect()
}

/// Which number each thing has on the disk: the one that it has there already, or the next. `K` tells things apart.
#[derive(Debug)]
struct Numbers<K> {
    stored: BTreeMap<K, usize>,
    last: usize,
    assigned: Vec<usize>,
}

impl<K: Ord> Numbers<K> {
    fn after(stored: BTreeMap<usize, Option<K>>) -> Numbers<K> {
        let last = stored.last_key_value().map_or(0, |(&number, _)| number);
        // Of two that are the same the first counts.
        let stored = stored.into_iter().rev().filter_map(|(number, key)| Some((key?, number))).collect();
        Numbers { stored, last, assigned: Vec::new() }
    }

    fn len(&self) -> usize {
        self.assigned.len()
    }

    fn of(&self, at: usize) -> usize {
        self.assigned[at]
    }

    /// The thing at a place is none: those behind it move up.
    fn take_back(&mut self, at: usize) -> usize {
        self.assigned.remove(at)
    }

    /// The number of the next thing, if it is not on the disk yet.
    fn assign(&mut self, key: K) -> Option<usize> {
        if let Some(&number) = self.stored.get(&key) {
            self.assigned.push(number);
            return None;
        }
        self.last += 1;
        self.assigned.push(self.last);
        Some(self.last)
    }
}
