//! `kill -9` at any moment: a campaign with made-up batches is killed a hundred times and then let run to its end. Every batch
//! must be counted once, whatever happened.

use campaign::file::Campaign;
use campaign::local;
use campaign::plan::Plan;
use campaign::store::Store;
use campaign::work::{Beat, Found, Item, ItemResult, Runner};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const BATCHES: u64 = 3000;
const KILLS: u64 = 100;
/// The folder of the campaign, for the process that is killed.
const FOLDER: &str = "SOUNDLINE_KILL_TEST";

struct Pretend;

/// What batch `number` counts: different for each, so that a sum tells.
fn tests(number: u64) -> u64 {
    number % 97 + 1
}

impl Runner for Pretend {
    fn batches(&self, _: &Plan, _: &str) -> Result<Option<u64>, campaign::Error> {
        Ok(Some(BATCHES))
    }

    fn run(
        &self,
        _: &Plan,
        item: &Item,
        _: &AtomicBool,
        _: &mut dyn FnMut(Beat),
    ) -> Result<Option<ItemResult>, campaign::Error> {
        std::thread::sleep(Duration::from_micros(300));
        let numbers = || item.first..item.first + item.count;
        let counters = BTreeMap::from([
            ("tests".to_string(), numbers().map(tests).sum()),
            ("batches".to_string(), item.count),
            ("wall_micros".to_string(), 2_000_000 * item.count),
        ]);
        let findings = numbers()
            .filter(|number| number.is_multiple_of(50))
            .map(|number| Found {
                class: "crash".into(),
                title: "crashes".into(),
                fingerprint: format!("{:08x}", number % 7),
                count: 1,
                files: BTreeMap::from([("reduced.smt2".into(), "(check-sat)".repeat(500))]),
                ..Found::default()
            })
            .collect();
        Ok(Some(ItemResult { counters, findings, ..ItemResult::default() }))
    }
}

fn run(folder: &Path) -> local::Summary {
    // No target exists, so that no release is asked about findings: the kills hit batches.
    let source = "[campaign]\nname = \"killed\"\nstore = \"store\"\n[limits]\njobs = 2\n[[target]]\nsolver = \"no-such-solver\"\n[[strategy]]\nname = \"truth\"\n[references]\nsolvers = [\"no-such-solver\"]\n";
    let campaign = Campaign::read(source, folder).expect("a campaign");
    local::run(&campaign, source, &Pretend, &AtomicBool::new(false), &mut |_| {}).expect("it runs")
}

/// What the test below starts and kills; does nothing when it is run as a test.
#[test]
fn child() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        run(Path::new(&folder));
    }
}

#[test]
fn a_hundred_kills_lose_nothing_and_count_nothing_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = std::env::current_exe().expect("this test");
    let (mut died, mut progress) = (0, Vec::new());
    for kill in 0..KILLS {
        let mut child = Command::new(&program)
            .args(["--exact", "child", "--test-threads", "1"])
            .env(FOLDER, folder.path())
            .env("PATH", "/nonexistent")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        // Other moments each time, from the opening of the store to the middle of the work.
        std::thread::sleep(Duration::from_millis(3 + kill * 37 % 61));
        child.kill().expect("killed");
        died += u64::from(!child.wait().expect("ended").success());
        if let Ok(store) = Store::open(&folder.path().join("store")) {
            // Readable at any moment, and never less than before.
            progress.push(store.items().expect("readable")[2]);
        }
    }
    assert!(died > KILLS / 2, "only {died} of {KILLS} processes were killed while they worked");
    assert!(progress.is_sorted(), "{progress:?}");
    run(&folder.path().join("."));
    let store = Store::open(&folder.path().join("store")).expect("whole");
    let counters = store.counters().expect("readable");
    assert_eq!(counters["batches"], BATCHES);
    assert_eq!(counters["tests"], (0..BATCHES).map(tests).sum::<u64>());
    let findings = store.findings().expect("readable");
    assert_eq!(findings.iter().map(|finding| finding.count).sum::<u64>(), BATCHES / 50);
    assert_eq!(findings.len(), 7);
    assert_eq!(store.items().expect("readable")[..2], [0, 0]);
}
