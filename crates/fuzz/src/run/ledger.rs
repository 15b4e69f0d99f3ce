//! The ledger of a run: counters, findings by fingerprint, and which suspicions are worth the cost of confirming and
//! reducing. Owns deduplication; shared by all workers behind one lock that is held for moments only.

use super::schedule::BatchProgress;
use super::state::{Identity, RunState};
use super::{Familiar, Summary};
use crate::StopReason;
use crate::evidence::Class;
use crate::finding::{Finding, Folders};
use crate::tuning::run_ledger::{ATTEMPTS, ENOUGH};
use output::Folder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// What a run counts, in `state.json` and in summaries. A counter that an older state does not have is zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counters {
    /// Scripts sent to the solver under test, not counting confirmation and reduction.
    pub tests: u64,
    /// Batches begun: seeds, or parts of an enumeration.
    pub batches: u64,
    /// Batches that could not be made: unreadable seeds.
    pub batches_rejected: u64,
    /// Batches given up because their tests took too long.
    pub batches_cut: u64,
    /// Seeds that no solver decided.
    pub seeds_undecided: u64,
    /// Queries answered `sat`.
    pub sat: u64,
    /// Queries answered `unsat`.
    pub unsat: u64,
    /// Queries answered `unknown`.
    pub unknown: u64,
    /// Tests that reached the CPU or wall limit, those that wait to be done again with more time among them.
    pub timeouts: u64,
    /// Tests that ran out of memory or flooded their output.
    pub exhausted: u64,
    /// Tests that the solver refused: unsupported features.
    pub unsupported: u64,
    /// Tests that the solver did not understand, or answered with another error.
    pub rejected: u64,
    /// Tests without any answer.
    pub silent: u64,
    /// Tests that crashed.
    pub crashes: u64,
    /// Suspicions that a fresh process did not show again.
    pub unconfirmed: u64,
    /// Suspicions with evidence against the test.
    pub refuted: u64,
    /// Suspicions that could not be settled.
    pub disputed: u64,
    /// Suspicions counted to a finding that was known.
    pub duplicates: u64,
    /// Microseconds of CPU time of the solver under test.
    pub solver_micros: u64,
}

/// A finding in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "StoredEntry", try_from = "StoredEntry")]
pub struct Entry {
    /// What kind of defect it is.
    pub class: Class,
    /// The short form of its fingerprint.
    pub fingerprint: String,
    /// What the fingerprint is made of.
    pub about: String,
    /// Its folder, relative to the run's.
    pub path: String,
    /// How often it was seen.
    pub count: u64,
    /// Assertions in its reduced script.
    pub assertions: usize,
    /// What the newest release says, in words.
    pub newest: Option<String>,
}

impl Entry {
    /// The entry of a finding that was written to a folder below `out` and seen once.
    pub fn new(finding: &Finding, out: &Path, folder: &Path) -> Entry {
        Entry {
            class: finding.confirmed.class,
            fingerprint: finding.fingerprint.short.clone(),
            about: finding.fingerprint.text.clone(),
            path: folder.strip_prefix(out).unwrap_or(folder).display().to_string(),
            count: 1,
            assertions: finding.assertions,
            newest: finding.newest.clone(),
        }
    }

    /// The same with the whole path of its folder.
    pub fn below(&self, out: &Path) -> Entry {
        Entry { path: out.join(&self.path).display().to_string(), ..self.clone() }
    }
}

/// An entry as it is stored and printed. Two classes share a word, so that the title tells which it is.
#[derive(Serialize, Deserialize)]
struct StoredEntry {
    class: String,
    title: String,
    fingerprint: String,
    about: String,
    path: String,
    count: u64,
    assertions: usize,
    newest_release: Option<String>,
}

impl From<Entry> for StoredEntry {
    fn from(entry: Entry) -> StoredEntry {
        StoredEntry {
            class: entry.class.word().into(),
            title: entry.class.title().into(),
            fingerprint: entry.fingerprint,
            about: entry.about,
            path: entry.path,
            count: entry.count,
            assertions: entry.assertions,
            newest_release: entry.newest,
        }
    }
}

impl TryFrom<StoredEntry> for Entry {
    type Error = String;

    fn try_from(stored: StoredEntry) -> Result<Entry, String> {
        let class = Class::all().find(|class| class.title() == stored.title);
        Ok(Entry {
            class: class.ok_or_else(|| format!("no solver \"{}\"", stored.title))?,
            fingerprint: stored.fingerprint,
            about: stored.about,
            path: stored.path,
            count: stored.count,
            assertions: stored.assertions,
            newest: stored.newest_release,
        })
    }
}

/// Whether the run tested anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Health {
    /// It did.
    Good,
    /// It did not, and why that may be.
    Bad(String),
}

#[derive(Debug)]
struct Inner {
    state: RunState,
    familiar: Familiar,
    last_error: Option<String>,
    /// Why the first seed that could not be used could not.
    unusable: Option<String>,
}

/// The ledger of a run.
#[derive(Debug)]
pub(super) struct Ledger {
    inner: Mutex<Inner>,
    folder: Arc<Folder>,
    folders: Folders,
    run: Identity,
}

/// What to do with a suspicion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Worth {
    /// Confirm it and reduce it.
    Effort,
    /// It was counted to what is known of its kind.
    Counted,
}

impl Ledger {
    pub(super) fn new(folder: Arc<Folder>, run: Identity, state: RunState, familiar: Familiar) -> Ledger {
        Ledger {
            inner: Mutex::new(Inner { state, familiar, last_error: None, unusable: None }),
            folders: Folders::new(folder.clone()),
            folder,
            run,
        }
    }

    /// Keeps a script that is not reported, for those who want to look.
    pub(super) fn keep(&self, group: &str, name: &str, text: &str) -> Result<(), output::Error> {
        self.folder.write(&format!("{group}/{name}.smt2"), text)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("no worker panics while it holds the ledger")
    }

    pub(super) fn counters(&self) -> Counters {
        self.lock().state.counters
    }

    pub(super) fn count(&self, change: impl FnOnce(&mut Counters)) {
        change(&mut self.lock().state.counters);
    }

    /// Counts one more test, unless there are as many as asked for.
    pub(super) fn admit(&self, limit: Option<u64>) -> bool {
        let mut inner = self.lock();
        let admitted = limit.is_none_or(|limit| inner.state.counters.tests < limit);
        inner.state.counters.tests += u64::from(admitted);
        admitted
    }

    /// Keeps an error message, so that an unhealthy run can show one.
    pub(super) fn note_error(&self, message: &str) {
        self.lock().last_error.get_or_insert_with(|| message.chars().take(300).collect());
    }

    /// Keeps the reason why a seed cannot be used.
    pub(super) fn note_unusable(&self, reason: &str) {
        self.lock().unusable.get_or_insert_with(|| reason.chars().take(300).collect());
    }

    /// How far an earlier run came with a batch; `None` if it did all.
    pub(super) fn progress(&self, batch: u64) -> Option<BatchProgress> {
        let inner = self.lock();
        (!inner.state.is_done(batch)).then(|| inner.state.progress.get(&batch).cloned().unwrap_or_default())
    }

    /// Notes that a batch goes on later, and saves the state.
    pub(super) fn postpone(&self, batch: u64, progress: BatchProgress) -> Result<(), output::Error> {
        let mut inner = self.lock();
        inner.state.progress.insert(batch, progress);
        inner.state.save(&self.folder, &self.run)
    }

    /// Notes a finished batch and saves the state.
    pub(super) fn finish(&self, batch: u64) -> Result<(), output::Error> {
        let mut inner = self.lock();
        inner.state.finish(batch);
        inner.state.save(&self.folder, &self.run)
    }

    /// Whether a suspicion of this kind deserves confirmation, or is one more of what is known.
    pub(super) fn weigh(&self, kind: &str) -> Worth {
        let mut inner = self.lock();
        let (taken, fingerprint) = inner.familiar.kinds.entry(kind.into()).or_default();
        if *taken < ATTEMPTS {
            *taken += 1;
            return Worth::Effort;
        }
        let fingerprint = fingerprint.clone();
        inner.state.counters.duplicates += 1;
        if let Some(fingerprint) = fingerprint {
            match inner.state.entries.iter_mut().find(|entry| entry.fingerprint == fingerprint) {
                Some(entry) => entry.count += 1,
                // An earlier run has it.
                None => *inner.familiar.seen.entry(fingerprint).or_default() += 1,
            }
        }
        Worth::Counted
    }

    /// Counts a suspicion of some kind to the finding of a fingerprint; whether there is one.
    pub(super) fn recognise(&self, kind: &str, fingerprint: &str) -> bool {
        let mut inner = self.lock();
        let entry = inner.state.entries.iter_mut().find(|entry| entry.fingerprint == fingerprint);
        let Some(entry) = entry else { return false };
        entry.count += 1;
        inner.state.counters.duplicates += 1;
        inner.familiar.kinds.entry(kind.into()).or_default().1 = Some(fingerprint.into());
        true
    }

    /// Records a finding of a kind of suspicion; its entry if the fingerprint is new.
    pub(super) fn record(&self, kind: &str, finding: &Finding) -> Result<Option<Entry>, output::Error> {
        let mut inner = self.lock();
        let fingerprint = finding.fingerprint.short.clone();
        inner.familiar.kinds.entry(kind.into()).or_default().1 = Some(fingerprint.clone());
        let class = finding.confirmed.class;
        let known = inner
            .state
            .entries
            .iter_mut()
            .find(|e| e.fingerprint == fingerprint && e.class.word() == class.word());
        let entry = match known {
            Some(entry) => {
                entry.count += 1;
                if finding.assertions >= entry.assertions {
                    return Ok(None);
                }
                // A smaller script takes the place of the one that was kept.
                entry.assertions = finding.assertions;
                self.folders.write(finding)?;
                None
            }
            None => {
                let path = self.folders.write(finding)?;
                let entry = Entry::new(finding, self.folder.path(), &path);
                inner.state.entries.push(entry.clone());
                Some(entry)
            }
        };
        inner.state.save(&self.folder, &self.run)?;
        Ok(entry)
    }

    /// What is known of kinds of suspicion by now.
    pub(super) fn familiar(&self) -> Familiar {
        self.lock().familiar.clone()
    }

    /// Saves the state and says what the run has done.
    pub(super) fn close(self, stop: StopReason, wall: Duration) -> Result<Summary, output::Error> {
        let inner = self.inner.into_inner().expect("no worker panics while it holds the ledger");
        inner.state.save(&self.folder, &self.run)?;
        let counters = inner.state.counters;
        let mut entries = inner.state.entries;
        entries.sort_by(|a, b| (a.class, &a.fingerprint).cmp(&(b.class, &b.fingerprint)));
        let (findings, observations): (Vec<Entry>, Vec<Entry>) =
            entries.into_iter().partition(|entry| entry.class.is_loud());
        let said = [inner.last_error.as_deref(), inner.unusable.as_deref()];
        // A run that found something has tested.
        let health = match findings.is_empty() {
            true => health(&counters, &self.run.solver, said, stop),
            false => Health::Good,
        };
        Ok(Summary { counters, findings, observations, stop, health, wall })
    }
}

fn health(
    counters: &Counters,
    target: &str,
    [error, unusable]: [Option<&str>; 2],
    stop: StopReason,
) -> Health {
    let refused = counters.unsupported + counters.rejected;
    let decided = counters.sat + counters.unsat;
    let example = |text: Option<&str>| text.map_or(String::new(), |text| format!("; for example: {text}"));
    let because = example(error);
    // Few tests that all took until the end of the time say as little as many.
    let ended_early = counters.tests > 0 && counters.unknown == 0 && stop == StopReason::Time;
    if counters.batches > 0 && counters.batches == counters.batches_rejected {
        let because = example(unusable);
        Health::Bad(format!("none of the {} seeds could be used{because}", counters.batches))
    } else if counters.tests == 0 && stop == StopReason::Exhausted {
        Health::Bad(format!("there is no test of what was asked for{because}"))
    } else if counters.tests > 0 && counters.silent == counters.tests {
        Health::Bad(format!("{target} printed nothing in any of {} tests{because}", counters.tests))
    } else if counters.tests >= ENOUGH && refused * 10 >= counters.tests * 9 {
        Health::Bad(format!("{target} refused {refused} of {} tests{because}", counters.tests))
    } else if (counters.tests >= ENOUGH || ended_early) && decided == 0 && counters.crashes == 0 {
        Health::Bad(format!("{target} decided none of {} tests{because}", counters.tests))
    } else if counters.tests >= ENOUGH && counters.silent * 2 > counters.tests {
        Health::Bad(format!(
            "{target} was silent on {} of {} tests{because}",
            counters.silent, counters.tests
        ))
    } else {
        Health::Good
    }
}

/// What makes two suspicions one kind before anything is known of them: the class and the operators of the script.
pub(super) fn kind(class: Class, operators: &[&str], crash: Option<&str>) -> String {
    match crash {
        Some(key) => format!("crash {key}"),
        None => {
            let set: BTreeSet<&str> = operators.iter().copied().collect();
            format!("{} {}", class.title(), set.into_iter().collect::<Vec<_>>().join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_tests_nothing_says_so() {
        let of = |tests, sat, rejected| {
            let counters = Counters { tests, sat, rejected, ..Counters::default() };
            health(&counters, "z3", [Some("unknown logic"), Some("no script")], StopReason::Tests)
        };
        assert_eq!(of(100, 90, 10), Health::Good);
        assert!(matches!(of(100, 10, 90), Health::Bad(text) if text.contains("unknown logic")));
        assert!(matches!(of(100, 0, 0), Health::Bad(_)));
        assert_eq!(of(3, 0, 0), Health::Good);
        // A part of the seeds may be in the words of another solver.
        assert_eq!(of(100, 40, 60), Health::Good);
        let counters = Counters { batches: 2, batches_rejected: 2, ..Counters::default() };
        let seeds = health(&counters, "z3", [None, Some("no script")], StopReason::Exhausted);
        assert!(matches!(seeds, Health::Bad(text) if text.contains("no script")));
        // A run may be ended before its first test; one that has none is asked for nothing.
        assert_eq!(of(0, 0, 0), Health::Good);
        let nothing = health(&Counters::default(), "z3", [None, None], StopReason::Exhausted);
        assert!(matches!(nothing, Health::Bad(text) if text.contains("no test")));
        // A test that took until the end of the time was not answered; one that was answered, was.
        let late = |unknown| {
            let counters = Counters { tests: 1, unknown, ..Counters::default() };
            health(&counters, "z3", [None, None], StopReason::Time)
        };
        assert!(matches!(late(0), Health::Bad(_)));
        assert_eq!(late(1), Health::Good);
        let quiet = |tests| Counters { tests, silent: 2, ..Counters::default() };
        assert!(matches!(health(&quiet(2), "z3", [None, None], StopReason::Tests), Health::Bad(_)));
        assert_eq!(health(&quiet(3), "z3", [None, None], StopReason::Tests), Health::Good);
    }

    #[test]
    fn counters_survive_json() {
        let counters = Counters { tests: 5, duplicates: 7, ..Counters::default() };
        let text = serde_json::to_string(&counters).expect("a value of our own");
        assert_eq!(serde_json::from_str::<Counters>(&text).expect("the same"), counters);
        let older: Counters = serde_json::from_str("{\"tests\": 5}").expect("some counters");
        assert_eq!(older, Counters { tests: 5, ..Counters::default() });
    }
}
