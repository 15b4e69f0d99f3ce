//! What a run remembers on disk, so that it can go on after an interruption: which batches are done, the counters, and
//! the list of findings. Owns `state.json`; the findings' folders are written when they are found.

use super::ledger::{Counters, Entry};
use super::schedule::BatchProgress;
use output::Folder;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// What makes two runs the same run, so that one may go on where the other stopped.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    pub(super) strategy: &'static str,
    pub(super) seed: u64,
    pub(super) solver: String,
}

/// The remembered part of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct RunState {
    /// All batches below this one are done ...
    pub(super) all_below: u64,
    /// ... and these as well.
    pub(super) also: BTreeSet<u64>,
    /// How far the batches have come that wait for a further turn.
    pub(super) progress: BTreeMap<u64, BatchProgress>,
    pub(super) counters: Counters,
    pub(super) entries: Vec<Entry>,
}

const FILE: &str = "state.json";

impl RunState {
    /// Whether a batch is done.
    pub(super) fn is_done(&self, batch: u64) -> bool {
        batch < self.all_below || self.also.contains(&batch)
    }

    /// Notes that a batch is done.
    pub(super) fn finish(&mut self, batch: u64) {
        self.also.insert(batch);
        self.progress.remove(&batch);
        while self.also.remove(&self.all_below) {
            self.all_below += 1;
        }
    }

    /// Writes the state of a run.
    pub(super) fn save(&self, folder: &Folder, run: &Identity) -> Result<(), output::Error> {
        let file = StateFile {
            strategy: run.strategy.into(),
            seed: run.seed,
            solver: run.solver.clone(),
            batches_done_below: self.all_below,
            batches_done_also: self.also.clone(),
            tested_of_batches: self
                .progress
                .iter()
                .map(|(&batch, progress)| (batch, progress.tested))
                .collect(),
            again_of_batches: self
                .progress
                .iter()
                .filter(|(_, progress)| !progress.again.is_empty())
                .map(|(&batch, progress)| (batch, progress.again.clone()))
                .collect(),
            counters: self.counters,
            findings: self.entries.clone(),
        };
        let text = serde_json::to_string_pretty(&file).expect("a value of our own");
        folder.write_synced(FILE, text + "\n")
    }

    /// Reads what an earlier run left; a folder without a state is a new run.
    pub(super) fn load(out: &Path, run: &Identity) -> io::Result<RunState> {
        let path = out.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(RunState::default()),
            Err(error) => return Err(error),
        };
        let wrong = |what: String| io::Error::other(format!("{}: {what}", path.display()));
        let file: StateFile = serde_json::from_str(&text)
            .map_err(|error| wrong(format!("this is no state of a run: {error}")))?;
        let same = [
            ("of", format!("{:?}", file.strategy), format!("{:?}", run.strategy)),
            ("with --seed", file.seed.to_string(), run.seed.to_string()),
            ("with --solver", format!("{:?}", file.solver), format!("{:?}", run.solver)),
        ];
        if let Some((what, found, wanted)) = same.iter().find(|(_, found, wanted)| found != wanted) {
            return Err(wrong(format!(
                "this folder holds a run {what} {found}, not {wanted}: name another one"
            )));
        }
        let mut progress: BTreeMap<u64, BatchProgress> = BTreeMap::new();
        for (batch, tested) in file.tested_of_batches {
            progress.entry(batch).or_default().tested = tested;
        }
        for (batch, mut again) in file.again_of_batches {
            again.sort_unstable();
            progress.entry(batch).or_default().again = again;
        }
        Ok(RunState {
            all_below: file.batches_done_below,
            also: file.batches_done_also,
            progress,
            counters: file.counters,
            entries: file.findings,
        })
    }

    /// The seed of an earlier run in a folder, for those who resume without naming it.
    pub(super) fn seed(out: &Path) -> Option<u64> {
        let text = std::fs::read_to_string(out.join(FILE)).ok()?;
        serde_json::from_str::<StateFile>(&text).ok().map(|file| file.seed)
    }
}

/// `state.json`.
#[derive(Serialize, Deserialize)]
struct StateFile {
    strategy: String,
    seed: u64,
    /// The solver under test, as the user named it.
    solver: String,
    batches_done_below: u64,
    batches_done_also: BTreeSet<u64>,
    /// Batches that wait for a further turn, and how many of their tests were done.
    tested_of_batches: Vec<(u64, u64)>,
    /// Those of their tests, from 1, that are to be done again with more time.
    #[serde(default)]
    again_of_batches: Vec<(u64, Vec<u64>)>,
    counters: Counters,
    findings: Vec<Entry>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Class;

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut state = RunState::default();
        for batch in [0, 1, 3] {
            state.finish(batch);
        }
        let progress = BatchProgress { tested: 40, again: vec![3, 17] };
        state.progress.insert(2, progress.clone());
        state.counters.tests = 17;
        state.entries.push(Entry {
            class: Class::WrongSat,
            fingerprint: "0123abcd".into(),
            about: "str.len".into(),
            path: "findings/soundness-0123abcd".into(),
            count: 3,
            assertions: 2,
            newest: None,
        });
        let run = Identity { strategy: "truth", seed: 5, solver: "z3".into() };
        let (opened, _) = Folder::open(folder.path(), "fuzz truth", false).expect("a new folder");
        state.save(&opened, &run).expect("saved");
        let loaded = RunState::load(folder.path(), &run).expect("loaded");
        assert_eq!((loaded.all_below, loaded.also.len(), loaded.counters.tests), (2, 1, 17));
        assert!(loaded.is_done(3) && !loaded.is_done(2));
        assert_eq!(loaded.progress, BTreeMap::from([(2, progress)]));
        assert_eq!(loaded.entries[0].class, Class::WrongSat);
        for other in [
            Identity { strategy: "approx", ..run.clone() },
            Identity { seed: 6, ..run.clone() },
            Identity { solver: "cvc5".into(), ..run.clone() },
        ] {
            assert!(RunState::load(folder.path(), &other).is_err(), "{other:?}");
        }
        std::fs::write(folder.path().join(FILE), "{\"strategy\": \"truth\"").expect("written");
        assert!(RunState::load(folder.path(), &run).is_err());
    }
}
