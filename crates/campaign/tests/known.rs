//! Defects that are known are counted, not confirmed and reduced again: a solver that lies is tested by the same item again and again.

use campaign::file::Campaign;
use campaign::plan::Plan;
use campaign::runner::Libraries;
use campaign::store::Store;
use campaign::store::queue::Next;
use campaign::work::{Item, ItemResult, Runner};
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::AtomicBool;

/// What z3 says, but for its `sat`.
const LIAR: &str = "#!/bin/sh\nz3 -in | sed -u 's/^sat$/unsat/'\n";

#[test]
fn known_defects_are_counted_and_not_taken_up_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("liar");
    std::fs::write(&program, LIAR).expect("written");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("executable");
    let source = "[campaign]\nname = \"known\"\nstore = \"store\"\n[limits]\nreduce = false\n[[target]]\npath = \"liar\"\n[references]\nsolvers = [\"z3\"]\n[[strategy]]\nname = \"truth\"\n";
    let campaign = Campaign::read(source, folder.path()).expect("a campaign");
    let plan = Plan::of(&campaign);
    let spec = plan.lanes[0].work.spec().expect("a solver");
    let mut store = Store::create(&campaign.store).expect("a store");
    store.begin(&campaign, source, &plan).expect("begun");
    let runner = Libraries::default();
    store.set_batches(&plan.lanes[0].key, Some(1000)).expect("set");
    let Next::Item(item) = store.take("here", false).expect("taken") else { panic!("an item") };
    let item = Item { count: 1, ..item };
    let run = |runner: &Libraries| -> ItemResult {
        let stop = AtomicBool::new(false);
        runner.run(&plan, &item, &stop, &mut |_| {}).expect("it runs").expect("not stopped")
    };
    let first = run(&runner);
    let found: BTreeSet<String> = first.findings.iter().map(|found| found.fingerprint.clone()).collect();
    assert!(!found.is_empty() && !first.kinds.is_empty() && first.seen.is_empty(), "{first:?}");
    // Whoever was not told that it is stored begins anew.
    assert_eq!(run(&runner).findings.len(), first.findings.len());
    store.record_on(&item, "here", Some(spec), &first).expect("recorded");
    runner.learn(spec, &first.kinds);
    // A kind that was taken up once has another chance to be a different defect.
    let second = run(&runner);
    let Next::Item(next) = store.take("here", false).expect("taken") else { panic!("an item") };
    store.record_on(&next, "here", Some(spec), &second).expect("recorded");
    runner.learn(spec, &second.kinds);
    let before = store.findings().expect("readable").iter().map(|row| row.count).sum::<u64>();
    let last = run(&runner);
    assert!(last.findings.is_empty() && last.kinds.is_empty(), "{last:?}");
    assert!(
        !last.seen.is_empty() && last.seen.keys().all(|fingerprint| found.contains(fingerprint)),
        "{last:?}"
    );
    assert_eq!(last.counters["tests"], first.counters["tests"], "the same tests");
    // Sightings are counted to what is stored, and another process knows what this one knows.
    let Next::Item(next) = store.take("here", false).expect("taken") else { panic!("an item") };
    store.record_on(&next, "here", Some(spec), &last).expect("recorded");
    let after = store.findings().expect("readable").iter().map(|row| row.count).sum::<u64>();
    assert_eq!(after - before, last.seen.values().sum::<u64>());
    let other = Libraries::default();
    other.learn(spec, &store.familiar(spec).expect("readable"));
    assert!(run(&other).findings.is_empty());
}
