//! What pages and commands look at. Reads only, each in one statement, so that a campaign that runs is never held up.

use super::record::{Answered, FindingState};
use super::{Error, Store};
use rusqlite::{Params, Row};
use std::collections::BTreeMap;

/// A campaign as the store has it: one per store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CampaignRow {
    /// The name from the campaign file.
    pub name: String,
    /// The seed from the campaign file.
    pub seed: u64,
    /// When it was first started.
    pub started: i64,
    /// When it ended; not yet, if none.
    pub ended: Option<i64>,
    /// Why.
    pub stop_reason: Option<String>,
    /// Reports a week for one tracker.
    pub reports_a_week: u64,
    /// Its file, as it was read.
    pub file: String,
    /// The lanes with their settings, as JSON.
    pub plan: String,
}

/// A lane and what it has done.
#[derive(Clone, PartialEq, Debug)]
pub struct LaneRow {
    /// A hash of all that the lane's tests depend on.
    pub key: String,
    /// `truth`, `approx`, `evolve` or `explore`.
    pub strategy: String,
    /// The solver or program.
    pub subject: String,
    /// The part of the time that it is to get.
    pub share: f64,
    /// Whether it belongs to the campaign at hand.
    pub active: bool,
    /// Batches, if they end.
    pub batches: Option<u64>,
    /// Batches that were handed out.
    pub handed_out: u64,
    /// Batches that are done.
    pub done: u64,
    /// How many tests its batches made.
    pub tests: u64,
    /// Microseconds that workers spent on its batches.
    pub micros: u64,
}

/// A finding in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FindingRow {
    /// The row's number in the store, which links use.
    pub id: i64,
    /// Eight digits.
    pub fingerprint: String,
    /// The word of its `fuzz::evidence::Class`.
    pub class: String,
    /// One line that says what is wrong.
    pub title: String,
    /// Its place in the order of severity.
    pub severity: i64,
    /// Whether it is a finding, not an observation.
    pub loud: bool,
    /// What the fingerprint is made of.
    pub about: String,
    /// The solver that is wrong, without its release.
    pub target: String,
    /// The release that was tested.
    pub version: String,
    /// The logic of the script, `ALL` if it names none.
    pub logic: String,
    /// How many assertions are left after reduction.
    pub assertions: u64,
    /// How often it was seen.
    pub count: u64,
    /// When it was first seen, in seconds since 1970.
    pub first_seen: i64,
    /// When last.
    pub last_seen: i64,
    /// What the newest release says.
    pub newest: Option<String>,
    /// The target's CPU time.
    pub micros: u64,
    /// The lane's strategy.
    pub strategy: String,
    /// What people know of it.
    pub state: FindingState,
    /// Where it was reported.
    pub url: Option<String>,
    /// Where it was fixed.
    pub release: Option<String>,
}

/// One exploration of a program with one seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ExplorationRow {
    /// The row's number in the store, which links use.
    pub id: i64,
    /// The program's file.
    pub program: String,
    /// The seed of its search.
    pub seed: u64,
    /// When it began.
    pub started: i64,
    /// When it ended.
    pub ended: Option<i64>,
    /// Its summary, once it ended.
    pub summary: Option<String>,
}

/// A machine or thread that does work, and when it was last heard of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkerRow {
    /// The name that it announced: its host and process.
    pub name: String,
    /// When it was first and last heard of.
    pub started: i64,
    /// When last.
    pub seen: i64,
    /// Items done.
    pub items: u64,
    /// Tests done.
    pub tests: u64,
    /// Time spent.
    pub micros: u64,
}

/// A minute of a counter: strategy, minute, value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MinuteRow {
    /// Which strategy's counter this is.
    pub strategy: String,
    /// Minutes since 1970.
    pub minute: i64,
    /// The sum.
    pub value: u64,
}

const FINDING: &str = "SELECT finding.id, finding.fingerprint, class, title, severity, loud, about, target, version, logic, assertions,
    count, first_seen, last_seen, newest, finding.micros, lane.strategy, coalesce(known.state, 'new'), known.url, known.release
    FROM finding JOIN lane ON lane.id = finding.lane LEFT JOIN known ON known.fingerprint = finding.fingerprint";

fn finding(row: &Row<'_>) -> rusqlite::Result<FindingRow> {
    let state: String = row.get(17)?;
    Ok(FindingRow {
        id: row.get(0)?,
        fingerprint: row.get(1)?,
        class: row.get(2)?,
        title: row.get(3)?,
        severity: row.get(4)?,
        loud: row.get(5)?,
        about: row.get(6)?,
        target: row.get(7)?,
        version: row.get(8)?,
        logic: row.get(9)?,
        assertions: row.get(10)?,
        count: row.get(11)?,
        first_seen: row.get(12)?,
        last_seen: row.get(13)?,
        newest: row.get(14)?,
        micros: row.get(15)?,
        strategy: row.get(16)?,
        state: FindingState::from_word(&state).unwrap_or(FindingState::New),
        url: row.get(18)?,
        release: row.get(19)?,
    })
}

impl Store {
    fn list<T>(
        &self,
        sql: &str,
        params: impl Params,
        each: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let failed = self.failed();
        let mut statement = self.connection.prepare_cached(sql).map_err(&failed)?;
        let rows = statement.query_map(params, each).and_then(Iterator::collect);
        rows.map_err(&failed)
    }

    /// The campaign that was started last.
    pub fn campaign(&self) -> Result<Option<CampaignRow>, Error> {
        let each = |row: &Row<'_>| {
            Ok(CampaignRow {
                name: row.get(0)?,
                seed: row.get::<_, i64>(1)? as u64,
                started: row.get(2)?,
                ended: row.get(3)?,
                stop_reason: row.get(4)?,
                reports_a_week: row.get(5)?,
                file: row.get(6)?,
                plan: row.get(7)?,
            })
        };
        let sql = "SELECT name, seed, started, ended, stop_reason, reports_a_week, file, plan FROM campaign ORDER BY id DESC LIMIT 1";
        Ok(self.list(sql, [], each)?.pop())
    }

    /// All lanes with what they have done, in the order of the plan.
    pub fn lanes(&self) -> Result<Vec<LaneRow>, Error> {
        let sql = "SELECT key, strategy, subject, share, active, batches, next, done, tests, micros FROM lane ORDER BY id";
        self.list(sql, [], |row| {
            Ok(LaneRow {
                key: row.get(0)?,
                strategy: row.get(1)?,
                subject: row.get(2)?,
                share: row.get(3)?,
                active: row.get(4)?,
                batches: row.get(5)?,
                handed_out: row.get(6)?,
                done: row.get(7)?,
                tests: row.get(8)?,
                micros: row.get(9)?,
            })
        })
    }

    /// The sums of all counters.
    pub fn counters(&self) -> Result<BTreeMap<String, u64>, Error> {
        let rows = self.list("SELECT name, sum(value) FROM counter GROUP BY name", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        Ok(rows.into_iter().collect())
    }

    /// A counter by strategy and minute.
    pub(crate) fn minutes(&self, counter: &str) -> Result<Vec<MinuteRow>, Error> {
        let sql =
            "SELECT strategy, minute, sum(value) FROM counter JOIN lane ON lane.id = lane WHERE name = ?1
            GROUP BY strategy, minute ORDER BY minute, strategy";
        self.list(sql, [counter], |row| {
            Ok(MinuteRow { strategy: row.get(0)?, minute: row.get(1)?, value: row.get(2)? })
        })
    }

    /// Counters by strategy.
    pub(crate) fn by_strategy(&self) -> Result<BTreeMap<String, BTreeMap<String, u64>>, Error> {
        let sql = "SELECT strategy, name, sum(value) FROM counter JOIN lane ON lane.id = lane GROUP BY strategy, name";
        let mut table: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
        for (strategy, name, value) in
            self.list(sql, [], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get(2)?)))?
        {
            table.entry(strategy).or_default().insert(name, value);
        }
        Ok(table)
    }

    /// Logics or operators, and how many tests had each, the most frequent first.
    pub(crate) fn tested(&self, kind: &str) -> Result<Vec<(String, u64)>, Error> {
        let sql =
            "SELECT name, sum(tests) AS n FROM tested WHERE kind = ?1 GROUP BY name ORDER BY n DESC, name";
        self.list(sql, [kind], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// All findings, the gravest and then the newest first.
    pub fn findings(&self) -> Result<Vec<FindingRow>, Error> {
        self.list(&format!("{FINDING} ORDER BY severity, first_seen DESC, finding.id DESC"), [], finding)
    }

    /// Findings with a number above `after`, for those who watch.
    pub(crate) fn findings_after(&self, after: i64) -> Result<Vec<FindingRow>, Error> {
        self.list(
            &format!("{FINDING} WHERE finding.id > ?1 ORDER BY finding.id LIMIT 1000"),
            [after],
            finding,
        )
    }

    /// A finding by its number.
    pub(crate) fn finding(&self, id: i64) -> Result<Option<FindingRow>, Error> {
        Ok(self.list(&format!("{FINDING} WHERE finding.id = ?1"), [id], finding)?.pop())
    }

    /// A finding by its class and fingerprint, as its page is named: `soundness-0123abcd`.
    pub fn finding_named(&self, name: &str) -> Result<Option<FindingRow>, Error> {
        let Some((class, fingerprint)) = name.rsplit_once('-') else { return Ok(None) };
        let sql = format!("{FINDING} WHERE class = ?1 AND finding.fingerprint = ?2");
        Ok(self.list(&sql, [class, fingerprint], finding)?.pop())
    }

    /// The files of a finding's folder, by name.
    pub fn files(&self, finding: i64) -> Result<BTreeMap<String, String>, Error> {
        let sql = "SELECT name, text FROM finding_file WHERE finding = ?1";
        Ok(self.list(sql, [finding], |row| Ok((row.get(0)?, row.get(1)?)))?.into_iter().collect())
    }

    /// Which targets show a finding, and how often it was seen there.
    pub(crate) fn sightings(&self, finding: i64) -> Result<Vec<(String, String, u64)>, Error> {
        let sql = "SELECT strategy, subject, count FROM sighting JOIN lane ON lane.id = lane WHERE finding = ?1 ORDER BY count DESC, subject";
        self.list(sql, [finding], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    }

    /// A finding's matrix.
    pub fn answers(&self, finding: i64) -> Result<Vec<Answered>, Error> {
        let sql = "SELECT solver, options, version, answer, judgement, reason, micros FROM answer WHERE finding = ?1";
        self.list(sql, [finding], |row| {
            Ok(Answered {
                solver: row.get(0)?,
                options: row.get(1)?,
                version: row.get(2)?,
                answer: row.get(3)?,
                judgement: row.get(4)?,
                reason: row.get(5)?,
                micros: row.get(6)?,
            })
        })
    }

    /// The fastest right answer that another solver gave to each slow finding: finding, solver, time.
    pub(crate) fn fastest(&self) -> Result<BTreeMap<i64, (String, u64)>, Error> {
        let sql =
            "SELECT finding, solver, min(micros) FROM answer WHERE judgement = 'right' GROUP BY finding";
        let rows = self.list(sql, [], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
        Ok(rows.into_iter().collect())
    }

    /// All explorations, oldest first.
    pub(crate) fn explorations(&self) -> Result<Vec<ExplorationRow>, Error> {
        let sql = "SELECT id, program, seed, started, ended, summary FROM exploration ORDER BY id";
        self.list(sql, [], |row| {
            Ok(ExplorationRow {
                id: row.get(0)?,
                program: row.get(1)?,
                seed: row.get::<_, i64>(2)? as u64,
                started: row.get(3)?,
                ended: row.get(4)?,
                summary: row.get(5)?,
            })
        })
    }

    /// An exploration's curve: microseconds, tests, branches, lines.
    pub(crate) fn moments(&self, exploration: i64) -> Result<Vec<crate::work::Beat>, Error> {
        let sql = "SELECT micros, tests, branches, lines FROM moment WHERE exploration = ?1 ORDER BY micros";
        self.list(sql, [exploration], |row| {
            Ok(crate::work::Beat {
                micros: row.get(0)?,
                tests: row.get(1)?,
                branches: row.get(2)?,
                lines: row.get(3)?,
            })
        })
    }

    /// The files of an exploration's output folder, by path.
    pub(crate) fn exploration_files(&self, exploration: i64) -> Result<BTreeMap<String, String>, Error> {
        let sql = "SELECT name, text FROM exploration_file WHERE exploration = ?1";
        Ok(self.list(sql, [exploration], |row| Ok((row.get(0)?, row.get(1)?)))?.into_iter().collect())
    }

    /// All workers that ever reported.
    pub fn workers(&self) -> Result<Vec<WorkerRow>, Error> {
        self.list("SELECT name, started, seen, items, tests, micros FROM worker ORDER BY name", [], |row| {
            Ok(WorkerRow {
                name: row.get(0)?,
                started: row.get(1)?,
                seen: row.get(2)?,
                items: row.get(3)?,
                tests: row.get(4)?,
                micros: row.get(5)?,
            })
        })
    }

    /// The latest notes.
    pub(crate) fn notes(&self, most: u32) -> Result<Vec<(i64, String)>, Error> {
        self.list("SELECT at, text FROM note ORDER BY id DESC LIMIT ?1", [most], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
    }

    /// Items by state: to be done, handed out, done.
    pub fn items(&self) -> Result<[u64; 3], Error> {
        let mut counts = [0; 3];
        for (state, count) in self.list("SELECT state, count(*) FROM batch GROUP BY state", [], |row| {
            Ok((row.get::<_, usize>(0)?, row.get(1)?))
        })? {
            counts[state.min(2)] = count;
        }
        Ok(counts)
    }

    /// Fingerprints that were reported, and when that was noted.
    pub(crate) fn reported(&self) -> Result<Vec<(String, i64)>, Error> {
        let sql = "SELECT fingerprint, changed FROM known WHERE state = 'reported' ORDER BY fingerprint";
        self.list(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }
}
