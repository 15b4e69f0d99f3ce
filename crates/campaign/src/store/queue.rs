//! Which work is next. Lanes share the CPU time by their shares: the one that is furthest behind gets the next item. An item
//! that was handed out and never came back is handed out again before anything new.

use super::{Error, Store, now};
use crate::file::Campaign;
use crate::plan::{Plan, Work};
use crate::work::Item;
use rusqlite::{OptionalExtension, Transaction, params};

/// What a worker is to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Batches.
    Item(Item),
    /// Ask other releases about a finding.
    Ask(i64),
    /// Everything that is left is with others.
    Wait,
    /// Nothing is left.
    Done,
}

/// How long an item should take, in microseconds: long enough that starting a solver is cheap, short enough that little is lost.
const ITEM_MICROS: u64 = 4_000_000;
/// The most batches of an item.
const MAX_COUNT: u64 = 256;

impl Store {
    /// Begins a campaign or goes on with it: its lanes are the plan's; those of an earlier file rest.
    pub fn begin(&mut self, campaign: &Campaign, file: &str, plan: &Plan) -> Result<i64, Error> {
        let text = serde_json::to_string(plan).expect("a plan is plain data");
        self.transaction(|t| {
            let same: Option<i64> = t
                .query_row("SELECT id FROM campaign WHERE plan = ?1 ORDER BY id DESC LIMIT 1", [&text], |row| row.get(0))
                .optional()?;
            let id = match same {
                Some(id) => {
                    t.execute("UPDATE campaign SET ended = NULL, stop_reason = NULL, file = ?2 WHERE id = ?1", params![id, file])?;
                    id
                }
                None => {
                    t.execute(
                        "INSERT INTO campaign (name, seed, file, plan, started, reports_a_week) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                        params![plan.name, plan.seed as i64, file, text, now(), campaign.limits.reports_a_week as i64],
                    )?;
                    t.last_insert_rowid()
                }
            };
            t.execute("UPDATE lane SET active = 0", [])?;
            for lane in &plan.lanes {
                t.execute(
                    "INSERT INTO lane (key, strategy, subject, share, active) VALUES (?1, ?2, ?3, ?4, 1)
                     ON CONFLICT (key) DO UPDATE SET active = 1, share = excluded.share, subject = excluded.subject",
                    params![lane.key, lane.work.strategy(), lane.work.subject(), lane.share],
                )?;
                if let Work::Explore { exploring, seed } = &lane.work {
                    t.execute(
                        "INSERT INTO exploration (lane, program, seed, started)
                         SELECT id, ?2, ?3, ?4 FROM lane WHERE key = ?1 ON CONFLICT DO NOTHING",
                        params![lane.key, exploring.program.display().to_string(), *seed as i64, now()],
                    )?;
                }
            }
            Ok(id)
        })
    }

    /// Notes how many batches a lane has.
    pub fn set_batches(&mut self, lane: &str, batches: Option<u64>) -> Result<(), Error> {
        let batches = batches.map(|count| count as i64);
        self.transaction(|t| {
            t.execute("UPDATE lane SET batches = ?2 WHERE key = ?1", params![lane, batches]).map(drop)
        })
    }

    /// Notes why a campaign ended.
    pub(crate) fn finish(&mut self, campaign: i64, reason: &str) -> Result<(), Error> {
        self.transaction(|t| {
            t.execute(
                "UPDATE campaign SET ended = ?2, stop_reason = ?3 WHERE id = ?1",
                params![campaign, now(), reason],
            )
            .map(drop)
        })
    }

    /// Takes back what was handed out and never came back. Only the holder of the lock may say so.
    pub(crate) fn take_back(&mut self) -> Result<usize, Error> {
        self.transaction(|t| {
            t.execute("UPDATE batch INDEXED BY batch_out SET state = 0, worker = NULL WHERE state = 1", [])
        })
    }

    /// Hands out what is next. With `asking`, findings that no other release was asked about come first.
    pub fn take(&mut self, worker: &str, asking: bool) -> Result<Next, Error> {
        self.transaction(|t| {
            if asking && let Some(finding) = question(t)? {
                return Ok(Next::Ask(finding));
            }
            if let Some(item) = left_over(t)? {
                hand_out(t, &item, worker)?;
                return Ok(Next::Item(item));
            }
            let lanes: Vec<(i64, String, u64, Option<u64>)> = t
                .prepare_cached(
                    "SELECT id, key, next, batches FROM lane
                     WHERE active = 1 AND (batches IS NULL OR next < batches)
                     ORDER BY (micros + (SELECT coalesce(sum(b.count), 0) FROM batch b INDEXED BY batch_out WHERE b.lane = lane.id AND b.state = 1)
                               * (micros / max(next, 1) + 1000)) / share, id",
                )?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
                .collect::<Result<_, _>>()?;
            let Some((id, key, next, batches)) = lanes.into_iter().next() else {
                let out: i64 = t.query_row("SELECT count(*) FROM batch INDEXED BY batch_out WHERE state = 1", [], |row| row.get(0))?;
                return Ok(if out > 0 { Next::Wait } else { Next::Done });
            };
            let count = size(t, id)?.min(batches.map_or(u64::MAX, |batches| batches - next));
            t.execute("UPDATE lane SET next = next + ?2 WHERE id = ?1", params![id, count as i64])?;
            let item = Item { lane: key, first: next, count };
            hand_out(t, &item, worker)?;
            Ok(Next::Item(item))
        })
    }

    /// A finding that no other release was asked about; it counts as being asked about from now on.
    pub(crate) fn take_question(&mut self) -> Result<Option<i64>, Error> {
        self.transaction(question)
    }

    /// Gives an item back that was not done.
    pub(crate) fn give_back(&mut self, item: &Item) -> Result<(), Error> {
        self.transaction(|t| {
            t.execute(
                "UPDATE batch SET state = 0, worker = NULL
                 WHERE state = 1 AND first = ?2 AND lane = (SELECT id FROM lane WHERE key = ?1)",
                params![item.lane, item.first as i64],
            )
            .map(drop)
        })
    }

    /// A lane that cannot be done here rests until the campaign is started again, and a note says why.
    pub(crate) fn rest(&mut self, lane: &str, why: &str) -> Result<(), Error> {
        self.transaction(|t| {
            t.execute("UPDATE lane SET active = 0 WHERE key = ?1", [lane])?;
            t.execute(
                "INSERT INTO note (at, lane, text) SELECT ?2, id, ?3 FROM lane WHERE key = ?1",
                params![lane, now(), why],
            )
            .map(drop)
        })
    }

    /// How many items are handed out.
    pub fn out(&self) -> Result<usize, Error> {
        let sql = "SELECT count(*) FROM batch INDEXED BY batch_out WHERE state = 1";
        self.connection.query_row(sql, [], |row| row.get(0)).map_err(self.failed())
    }

    /// Items that are handed out, for those who hand them out again after a restart.
    pub(crate) fn handed_out(&self) -> Result<Vec<Item>, Error> {
        let failed = self.failed();
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT key, first, count FROM batch INDEXED BY batch_out JOIN lane ON lane.id = batch.lane
                 WHERE state = 1 AND active = 1 ORDER BY batch.lane, first",
            )
            .map_err(&failed)?;
        let rows = statement
            .query_map([], |row| Ok(Item { lane: row.get(0)?, first: row.get(1)?, count: row.get(2)? }));
        rows.and_then(Iterator::collect).map_err(&failed)
    }
}

fn question(t: &Transaction<'_>) -> rusqlite::Result<Option<i64>> {
    let open: Option<i64> = t
        .prepare_cached("SELECT id FROM finding INDEXED BY finding_question WHERE asked = 0 ORDER BY severity, id LIMIT 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    if let Some(finding) = open {
        t.execute("UPDATE finding SET asked = 1 WHERE id = ?1", [finding])?;
    }
    Ok(open)
}

/// An item of an active lane that a worker gave back.
fn left_over(t: &Transaction<'_>) -> rusqlite::Result<Option<Item>> {
    t.prepare_cached(
        "SELECT key, first, count FROM batch INDEXED BY batch_waiting JOIN lane ON lane.id = batch.lane
         WHERE state = 0 AND active = 1 ORDER BY batch.lane, first LIMIT 1",
    )?
    .query_row([], |row| Ok(Item { lane: row.get(0)?, first: row.get(1)?, count: row.get(2)? }))
    .optional()
}

fn hand_out(t: &Transaction<'_>, item: &Item, worker: &str) -> rusqlite::Result<()> {
    t.prepare_cached(
        "INSERT INTO batch (lane, first, count, state, worker, since) SELECT id, ?2, ?3, 1, ?4, ?5 FROM lane WHERE key = ?1
         ON CONFLICT (lane, first) DO UPDATE SET state = 1, worker = excluded.worker, since = excluded.since",
    )?
    .execute(params![item.lane, item.first as i64, item.count as i64, worker, now()])
    .map(drop)
}

/// How many batches make an item, from what the last ones cost that are done. A lane begins with single batches, and an item has at
/// most twice as many as the longest of those: the first batches are often the quick ones, and an item that is cut off counts for nothing.
fn size(t: &Transaction<'_>, lane: i64) -> rusqlite::Result<u64> {
    let (micros, batches, longest): (u64, u64, u64) = t
        .prepare_cached(
            "SELECT coalesce(sum(micros), 0), coalesce(sum(count), 0), coalesce(max(count), 0) FROM
             (SELECT micros, count FROM batch WHERE lane = ?1 AND state = 2 ORDER BY first DESC LIMIT 20)",
        )?
        .query_row([lane], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if batches < 4 || micros == 0 {
        return Ok(1);
    }
    Ok((ITEM_MICROS / (micros / batches).max(1)).clamp(1, MAX_COUNT.min(2 * longest)))
}
