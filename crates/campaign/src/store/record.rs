//! What came of work goes into the store: one transaction an item, and an item counts once however often it comes back. What
//! comes from other machines is checked before ([`crate::guard`]).

use super::{Error, Store, now};
use crate::work::{Beat, Explored, FamiliarKind, Found, Item, ItemResult};
use fuzz::evidence::Class;
use rusqlite::{OptionalExtension, Transaction, params};

/// What people know of a fingerprint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FindingState {
    /// It was not looked at yet.
    New,
    /// It was reported.
    Reported,
    /// It is fixed.
    Fixed,
    /// It is known and will not be fixed.
    Wontfix,
}

impl FindingState {
    /// In the order in which a finding passes through them.
    pub const ALL: [FindingState; 4] =
        [FindingState::New, FindingState::Reported, FindingState::Fixed, FindingState::Wontfix];

    /// The word that the store, the page and `--state` use.
    pub fn word(self) -> &'static str {
        match self {
            FindingState::New => "new",
            FindingState::Reported => "reported",
            FindingState::Fixed => "fixed",
            FindingState::Wontfix => "wontfix",
        }
    }

    /// The state of a word.
    pub fn from_word(word: &str) -> Option<FindingState> {
        FindingState::ALL.into_iter().find(|state| state.word() == word)
    }
}

/// What a release answers to a finding's reduced script.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answered {
    /// `z3@4.8.10`, or how the target is called.
    pub solver: String,
    /// The options that the solver ran with.
    pub options: String,
    /// The release, as the solver states it.
    pub version: String,
    /// What it said.
    pub answer: String,
    /// `right`, `wrong` or `open`.
    pub judgement: String,
    /// Why.
    pub reason: Option<String>,
    /// CPU time.
    pub micros: u64,
}

/// What recording an item changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recorded {
    /// Whether it was counted: not, if it had been before.
    pub counted: bool,
    /// Findings of new fingerprints.
    pub new: Vec<i64>,
}

/// The most notes that are kept.
const NOTES: i64 = 1000;

impl Store {
    /// Takes what came of an item, unless it came before.
    pub fn record(&mut self, item: &Item, worker: &str, outcome: &ItemResult) -> Result<Recorded, Error> {
        self.record_on(item, worker, None, outcome)
    }

    /// The same for an item on the target of a SPEC, with what was learned of it.
    pub fn record_on(
        &mut self,
        item: &Item,
        worker: &str,
        spec: Option<&str>,
        outcome: &ItemResult,
    ) -> Result<Recorded, Error> {
        self.transaction(|t| {
            let found: Option<(i64, i64)> = t
                .prepare_cached("SELECT lane.id, batch.state FROM lane JOIN batch ON batch.lane = lane.id WHERE key = ?1 AND first = ?2 AND count = ?3")?
                .query_row(params![item.lane, item.first as i64, item.count as i64], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            // What was never handed out is not ours; what is done is done.
            let Some((lane, 0 | 1)) = found else { return Ok(Recorded::default()) };
            let (tests, micros) = (outcome.counter("tests") as i64, outcome.counter("wall_micros") as i64);
            let at = now();
            t.prepare_cached("UPDATE batch SET state = 2, worker = ?3, ended = ?4, tests = ?5, micros = ?6 WHERE lane = ?1 AND first = ?2")?
                .execute(params![lane, item.first as i64, worker, at, tests, micros])?;
            t.prepare_cached("UPDATE lane SET micros = micros + ?2, done = done + ?3, tests = tests + ?4 WHERE id = ?1")?
                .execute(params![lane, micros, item.count as i64, tests])?;
            count(t, lane, at / 60, outcome)?;
            let mut new = Vec::new();
            for found in &outcome.findings {
                new.extend(finding(t, lane, at, found)?);
            }
            for (fingerprint, &times) in &outcome.seen {
                t.prepare_cached("UPDATE finding SET count = count + ?2, last_seen = ?3 WHERE fingerprint = ?1")?
                    .execute(params![fingerprint, times as i64, at])?;
            }
            if let Some(spec) = spec {
                familiar(t, spec, &outcome.kinds)?;
            }
            for text in &outcome.notes {
                t.execute("INSERT INTO note (at, lane, text) VALUES (?1, ?2, ?3)", params![at, lane, text])?;
            }
            t.execute("DELETE FROM note WHERE id <= (SELECT max(id) FROM note) - ?1", [NOTES])?;
            if let Some(explored) = &outcome.exploration {
                exploration(t, lane, at, explored)?;
            }
            t.prepare_cached(
                "INSERT INTO worker (name, started, seen, items, tests, micros) VALUES (?1, ?2, ?2, 1, ?3, ?4)
                 ON CONFLICT (name) DO UPDATE SET seen = ?2, items = items + 1, tests = tests + ?3, micros = micros + ?4",
            )?
            .execute(params![worker, at, tests, micros])?;
            Ok(Recorded { counted: true, new })
        })
    }

    /// The kinds of suspicion against the target of a SPEC that were taken up.
    pub fn familiar(&self, spec: &str) -> Result<Vec<FamiliarKind>, Error> {
        let read = || -> rusqlite::Result<Vec<FamiliarKind>> {
            let mut select = self.connection.prepare_cached(
                "SELECT kind, taken, fingerprint FROM familiar WHERE spec = ?1 ORDER BY kind",
            )?;
            let rows = select.query_map([spec], |row| {
                Ok(FamiliarKind {
                    kind: row.get(0)?,
                    taken: row.get::<_, i64>(1)? as u64,
                    fingerprint: row.get(2)?,
                })
            })?;
            rows.collect()
        };
        read().map_err(self.failed())
    }

    /// Adds a finding that came from somewhere else than a batch; its number if the fingerprint is new.
    pub(crate) fn add_finding(&mut self, lane: &str, found: &Found) -> Result<Option<i64>, Error> {
        self.transaction(|t| {
            let lane: i64 = t.query_row("SELECT id FROM lane WHERE key = ?1", [lane], |row| row.get(0))?;
            finding(t, lane, now(), found)
        })
    }

    /// These workers are alive.
    pub(crate) fn heartbeats(&mut self, workers: &[String]) -> Result<(), Error> {
        self.transaction(|t| {
            let mut beat = t.prepare_cached(
                "INSERT INTO worker (name, started, seen) VALUES (?1, ?2, ?2) ON CONFLICT (name) DO UPDATE SET seen = ?2",
            )?;
            for worker in workers {
                beat.execute(params![worker, now()])?;
            }
            Ok(())
        })
    }

    /// Adds points to an exploration's curve.
    pub(crate) fn beat(&mut self, lane: &str, beats: &[Beat]) -> Result<(), Error> {
        self.transaction(|t| {
            for beat in beats {
                t.prepare_cached(
                    "INSERT OR REPLACE INTO moment (exploration, micros, tests, branches, lines)
                     SELECT exploration.id, ?2, ?3, ?4, ?5 FROM exploration JOIN lane ON lane.id = lane WHERE key = ?1",
                )?
                .execute(params![lane, beat.micros as i64, beat.tests as i64, beat.branches as i64, beat.lines as i64])?;
            }
            Ok(())
        })
    }

    /// Writes down what releases answer to a finding.
    pub fn answered(&mut self, finding: i64, answers: &[Answered]) -> Result<(), Error> {
        self.transaction(|t| {
            for answer in answers {
                t.prepare_cached(
                    "INSERT OR REPLACE INTO answer (finding, solver, options, version, answer, judgement, reason, micros, asked)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                )?
                .execute(params![
                    finding,
                    answer.solver,
                    answer.options,
                    answer.version,
                    answer.answer,
                    answer.judgement,
                    answer.reason,
                    answer.micros as i64,
                    now()
                ])?;
            }
            t.execute("UPDATE finding SET asked = 2 WHERE id = ?1", [finding]).map(drop)
        })
    }

    /// Findings whose question was begun and not ended are asked again.
    pub(crate) fn ask_again(&mut self) -> Result<usize, Error> {
        self.transaction(|t| t.execute("UPDATE finding SET asked = 0 WHERE asked = 1", []))
    }

    /// Sets what people know of a fingerprint; whether there is such a finding.
    pub fn set_state(
        &mut self,
        fingerprint: &str,
        state: FindingState,
        url: Option<&str>,
        release: Option<&str>,
    ) -> Result<bool, Error> {
        self.transaction(|t| {
            let there: i64 =
                t.query_row("SELECT count(*) FROM finding WHERE fingerprint = ?1", [fingerprint], |row| row.get(0))?;
            if there == 0 {
                return Ok(false);
            }
            t.execute(
                "INSERT INTO known (fingerprint, state, url, release, changed) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (fingerprint) DO UPDATE SET state = ?2, url = coalesce(?3, url), release = coalesce(?4, release), changed = ?5",
                params![fingerprint, state.word(), url, release, now()],
            )?;
            Ok(true)
        })
    }

    /// Keeps something that the user should know.
    pub(crate) fn note(&mut self, text: &str) -> Result<(), Error> {
        self.transaction(|t| {
            t.execute("INSERT INTO note (at, text) VALUES (?1, ?2)", params![now(), text]).map(drop)
        })
    }
}

fn familiar(t: &Transaction<'_>, spec: &str, kinds: &[FamiliarKind]) -> rusqlite::Result<()> {
    let mut learn = t.prepare_cached(
        "INSERT INTO familiar (spec, kind, taken, fingerprint) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (spec, kind) DO UPDATE SET taken = max(taken, ?3), fingerprint = coalesce(?4, fingerprint)",
    )?;
    for kind in kinds {
        learn.execute(params![spec, kind.kind, kind.taken as i64, kind.fingerprint])?;
    }
    Ok(())
}

fn count(t: &Transaction<'_>, lane: i64, minute: i64, outcome: &ItemResult) -> rusqlite::Result<()> {
    let mut counter = t.prepare_cached(
        "INSERT INTO counter (lane, minute, name, value) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (lane, minute, name) DO UPDATE SET value = value + excluded.value",
    )?;
    for (name, &value) in outcome.counters.iter().filter(|(_, value)| **value > 0) {
        counter.execute(params![lane, minute, name, value as i64])?;
    }
    let mut tested = t.prepare_cached(
        "INSERT INTO tested (kind, name, lane, tests) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (kind, name, lane) DO UPDATE SET tests = tests + excluded.tests",
    )?;
    for (kind, names) in [("logic", &outcome.logics), ("operator", &outcome.operators)] {
        for (name, &tests) in names {
            tested.execute(params![kind, name, lane, tests as i64])?;
        }
    }
    Ok(())
}

/// The place of a class in the order of severity; what is not known comes last.
pub(crate) fn severity(class: &str, title: &str) -> (i64, bool) {
    let row = Class::all().enumerate().find(|(_, row)| row.word() == class && row.title() == title);
    let row = row.or_else(|| Class::all().enumerate().find(|(_, row)| row.word() == class));
    row.map_or((i64::MAX >> 32, false), |(place, class)| (place as i64, class.is_loud()))
}

/// Counts a finding; its number if it is new. A smaller script takes the place of the one that was kept.
fn finding(t: &Transaction<'_>, lane: i64, at: i64, found: &Found) -> rusqlite::Result<Option<i64>> {
    let known: Option<(i64, i64)> = t
        .prepare_cached("SELECT id, assertions FROM finding WHERE fingerprint = ?1 AND class = ?2")?
        .query_row(params![found.fingerprint, found.class], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (id, is_new, smaller) = match known {
        Some((id, assertions)) => {
            t.prepare_cached("UPDATE finding SET count = count + ?2, last_seen = ?3 WHERE id = ?1")?
                .execute(params![id, found.count as i64, at])?;
            (id, false, (found.assertions as i64) < assertions)
        }
        None => {
            let (severity, loud) = severity(&found.class, &found.title);
            t.prepare_cached(
                "INSERT INTO finding (fingerprint, class, title, severity, loud, about, lane, target, version, logic, assertions,
                 count, first_seen, last_seen, newest, micros) VALUES
                 (?1, ?2, ?3, ?4, ?5, ?6, ?7, (SELECT subject FROM lane WHERE id = ?7), ?8, ?9, ?10, ?11, ?12, ?12, ?13, ?14)",
            )?
            .execute(params![
                found.fingerprint,
                found.class,
                found.title,
                severity,
                loud,
                found.about,
                lane,
                found.version,
                found.logic,
                found.assertions as i64,
                found.count as i64,
                at,
                found.newest,
                found.micros as i64
            ])?;
            (t.last_insert_rowid(), true, false)
        }
    };
    t.prepare_cached(
        "INSERT INTO sighting (finding, lane, count) VALUES (?1, ?2, ?3)
         ON CONFLICT (finding, lane) DO UPDATE SET count = count + excluded.count",
    )?
    .execute(params![id, lane, found.count as i64])?;
    if smaller {
        t.execute(
            "UPDATE finding SET assertions = ?2, lane = ?3, target = (SELECT subject FROM lane WHERE id = ?3), version = ?4, newest = ?5,
             micros = ?6, asked = 0 WHERE id = ?1",
            params![id, found.assertions as i64, lane, found.version, found.newest, found.micros as i64],
        )?;
        t.execute("DELETE FROM finding_file WHERE finding = ?1", [id])?;
    }
    if smaller || is_new {
        let mut file =
            t.prepare_cached("INSERT INTO finding_file (finding, name, text) VALUES (?1, ?2, ?3)")?;
        for (name, text) in &found.files {
            file.execute(params![id, name, text])?;
        }
    }
    Ok(is_new.then_some(id))
}

fn exploration(t: &Transaction<'_>, lane: i64, at: i64, explored: &Explored) -> rusqlite::Result<()> {
    t.execute(
        "UPDATE exploration SET ended = ?2, summary = ?3 WHERE lane = ?1",
        params![lane, at, explored.summary],
    )?;
    let id: i64 = t.query_row("SELECT id FROM exploration WHERE lane = ?1", [lane], |row| row.get(0))?;
    t.execute("DELETE FROM exploration_file WHERE exploration = ?1", [id])?;
    for (name, text) in &explored.files {
        t.execute(
            "INSERT INTO exploration_file (exploration, name, text) VALUES (?1, ?2, ?3)",
            params![id, name, text],
        )?;
    }
    Ok(())
}
