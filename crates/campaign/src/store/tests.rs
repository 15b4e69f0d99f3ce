//! The store: each item counted once, migrations, locks, and files that are no store of ours.

use super::queue::Next;
use super::record::FindingState;
use super::*;
use crate::file::Campaign;
use crate::plan::Plan;
use crate::work::{Found, Item, ItemResult};
use std::collections::BTreeMap;

const FILE_TEXT: &str = "[campaign]\nname = \"t\"\n[[target]]\nsolver = \"z3\"\n[[strategy]]\nname = \"truth\"\nshare = 3\n\
    [[explore]]\nprogram = \"a.wat\"\n";

fn begun(folder: &Path) -> (Store, Plan) {
    let campaign = Campaign::read(FILE_TEXT, folder).expect("a campaign");
    let plan = Plan::of(&campaign);
    let mut store = Store::create(folder).expect("a store");
    store.begin(&campaign, FILE_TEXT, &plan).expect("begun");
    (store, plan)
}

fn outcome(tests: u64, findings: Vec<Found>) -> ItemResult {
    let counters = BTreeMap::from([("tests".to_string(), tests), ("wall_micros".to_string(), 1000 * tests)]);
    ItemResult { counters, findings, ..ItemResult::default() }
}

fn found(fingerprint: &str, assertions: u64) -> Found {
    Found {
        class: "soundness".into(),
        title: "answers sat to an unsatisfiable formula".into(),
        fingerprint: fingerprint.into(),
        count: 2,
        assertions,
        files: BTreeMap::from([("reduced.smt2".into(), format!("; {assertions}"))]),
        ..Found::default()
    }
}

fn next(store: &mut Store) -> Item {
    match store.take("w", false).expect("taken") {
        Next::Item(item) => item,
        other => panic!("{other:?}"),
    }
}

#[test]
fn items_count_once_and_come_back_if_they_are_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, plan) = begun(folder.path());
    store.set_batches(&plan.lanes[0].key, Some(2)).expect("set");
    store.set_batches(&plan.lanes[1].key, Some(1)).expect("set");
    let items = [next(&mut store), next(&mut store), next(&mut store)];
    assert_eq!(store.take("w", false).expect("taken"), Next::Wait);
    // The process ends here; the next one takes everything back.
    drop(store);
    let (mut store, _) = begun(folder.path());
    assert_eq!(store.take_back().expect("back"), 3);
    let mut again = [next(&mut store), next(&mut store), next(&mut store)];
    again.sort();
    let mut sorted = items.clone();
    sorted.sort();
    assert_eq!(again, sorted);
    for item in &items {
        assert!(store.record(item, "w", &outcome(10, vec![found("0000000a", 3)])).expect("recorded").counted);
        assert!(!store.record(item, "x", &outcome(10, vec![found("0000000a", 3)])).expect("ignored").counted);
    }
    let never = Item { lane: items[0].lane.clone(), first: 77, count: 1 };
    assert!(!store.record(&never, "w", &outcome(10, vec![])).expect("ignored").counted);
    assert_eq!(store.take("w", false).expect("taken"), Next::Done);
    assert_eq!(store.counters().expect("read")["tests"], 30);
    let findings = store.findings().expect("read");
    assert_eq!((findings.len(), findings[0].count, findings[0].severity), (1, 6, 1));
    assert_eq!(store.workers().expect("read").iter().map(|worker| worker.tests).sum::<u64>(), 30);
}

#[test]
fn a_smaller_script_takes_the_place_and_states_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = begun(folder.path());
    for assertions in [5, 2, 9] {
        let item = next(&mut store);
        store.record(&item, "w", &outcome(1, vec![found("0000000b", assertions)])).expect("recorded");
        if assertions == 5 {
            assert!(
                store
                    .set_state("0000000b", FindingState::Reported, Some("https://example.org/1"), None)
                    .expect("set")
            );
        }
    }
    let row = store.finding_named("soundness-0000000b").expect("read").expect("there");
    assert_eq!((row.assertions, row.count, row.state), (2, 6, FindingState::Reported));
    assert_eq!(row.url.as_deref(), Some("https://example.org/1"));
    assert_eq!(store.files(row.id).expect("read")["reduced.smt2"], "; 2");
    assert!(!store.set_state("ffffffff", FindingState::Fixed, None, None).expect("nothing there"));
    assert_eq!(store.take("w", true).expect("taken"), Next::Ask(row.id));
    assert_eq!(store.ask_again().expect("again"), 1);
}

#[test]
fn shares_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, plan) = begun(folder.path());
    let mut counts = BTreeMap::new();
    for _ in 0..40 {
        let item = next(&mut store);
        *counts.entry(item.lane.clone()).or_insert(0) += item.count;
        store.record(&item, "w", &outcome(1000 * item.count, vec![])).expect("recorded");
    }
    let of = |at: usize| counts[&plan.lanes[at].key] as f64;
    assert!((2.5..3.6).contains(&(of(0) / of(1))), "{counts:?}");
}

#[test]
fn items_are_as_long_as_those_that_are_done_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, plan) = begun(folder.path());
    store.set_batches(&plan.lanes[1].key, Some(0)).expect("set");
    // Many are handed out before any comes back: they are single batches, whatever the first that comes back cost.
    let out: Vec<Item> = (0..50).map(|_| next(&mut store)).collect();
    assert!(out.iter().all(|item| item.count == 1));
    for item in out.iter().take(5) {
        let counters = BTreeMap::from([("wall_micros".to_string(), 1_500_000)]);
        store.record(item, "w", &ItemResult { counters, ..ItemResult::default() }).expect("recorded");
    }
    assert_eq!(next(&mut store).count, 2);
    // Quick ones make items that double, not one that takes all.
    for item in &out[5..30] {
        let counters = BTreeMap::from([("wall_micros".to_string(), 1)]);
        store.record(item, "w", &ItemResult { counters, ..ItemResult::default() }).expect("recorded");
    }
    let second = next(&mut store);
    assert_eq!(second.count, 2);
    let counters = BTreeMap::from([("wall_micros".to_string(), 2)]);
    store.record(&second, "w", &ItemResult { counters, ..ItemResult::default() }).expect("recorded");
    assert_eq!(next(&mut store).count, 4);
}

#[test]
fn stores_that_are_broken_newer_or_foreign_are_refused_and_untouched() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(FILE);
    assert!(matches!(Store::open(folder.path()), Err(Error::Nothing { .. })));
    for (content, wanted) in [
        (&b"this is no database, but long enough to be looked at as one, is it not?"[..], "damaged"),
        (b"", "empty"),
    ] {
        std::fs::write(&path, content).expect("written");
        let error = Store::open(&path).expect_err("refused").to_string();
        assert!(error.contains(wanted), "{error}");
        assert_eq!(std::fs::read(&path).expect("read"), content);
    }
    std::fs::remove_file(&path).expect("removed");
    drop(begun(folder.path()));
    Connection::open(&path).expect("open").execute_batch("PRAGMA user_version = 99").expect("set");
    let error = Store::create(folder.path()).expect_err("newer").to_string();
    assert!(error.contains("schema 99") && error.contains("newer Soundline"), "{error}");
    let other = tempfile::tempdir().expect("a folder");
    let path = other.path().join(FILE);
    Connection::open(&path).expect("open").execute_batch("CREATE TABLE mine (x)").expect("made");
    assert!(Store::create(other.path()).expect_err("foreign").to_string().contains("another program"));
}

#[test]
fn a_full_disk_loses_nothing_that_was_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = begun(folder.path());
    let first = next(&mut store);
    store.record(&first, "w", &outcome(5, vec![])).expect("recorded");
    let pages: i64 = store.raw().query_row("PRAGMA page_count", [], |row| row.get(0)).expect("read");
    store.raw().query_row(&format!("PRAGMA max_page_count = {}", pages + 2), [], |_| Ok(())).expect("set");
    let second = next(&mut store);
    let large =
        Found { files: BTreeMap::from([("bug.smt2".into(), "x".repeat(1 << 20))]), ..found("0000000c", 1) };
    let error = store.record(&second, "w", &outcome(7, vec![large.clone()])).expect_err("full");
    assert!(matches!(error, Error::Full { .. }), "{error}");
    assert_eq!(store.counters().expect("read")["tests"], 5);
    assert!(store.findings().expect("read").is_empty());
    // Space again: the same item counts.
    store.raw().query_row("PRAGMA max_page_count = 1000000", [], |_| Ok(())).expect("set");
    assert!(store.record(&second, "w", &outcome(7, vec![large])).expect("recorded").counted);
    assert_eq!(store.counters().expect("read")["tests"], 12);
}

#[test]
fn one_coordinator_a_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let held = Lock::take(folder.path()).expect("free");
    let error = Lock::take(folder.path()).expect_err("held").to_string();
    assert!(
        error.contains("another `soundline campaign run`") && error.contains(&std::process::id().to_string()),
        "{error}"
    );
    drop(held);
    Lock::take(folder.path()).expect("free again");
}

#[test]
fn an_older_store_is_brought_up_to_date_and_keeps_what_it_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(FILE);
    let old = Connection::open(&path).expect("open");
    old.execute_batch(include_str!("schema.sql")).expect("the first schema");
    old.execute_batch(
        "PRAGMA user_version = 1; PRAGMA application_id = 0x534e444c; INSERT INTO note (at, text) VALUES (7, 'kept');
         INSERT INTO lane (key, strategy, subject, share, active, next) VALUES ('a', 'truth', 'z3', 1, 1, 9);
         INSERT INTO batch (lane, first, count, state, tests) VALUES (1, 0, 3, 2, 30), (1, 3, 4, 2, 12), (1, 7, 2, 1, 0);",
    )
    .expect("set");
    drop(old);
    let mut store = Store::open(&path).expect("an older store");
    let text: String = store.raw().query_row("SELECT text FROM note", [], |row| row.get(0)).expect("a note");
    assert_eq!(text, "kept");
    assert!(store.familiar("z3").expect("a new table").is_empty());
    let lane = store.lanes().expect("read").remove(0);
    assert_eq!((lane.done, lane.tests, store.out().expect("read")), (7, 42, 1));
    store.note("more").expect("written");
}
