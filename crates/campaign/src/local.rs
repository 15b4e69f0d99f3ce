//! A campaign on this machine: threads take work from the store and bring back what came of it, until nothing is left, a limit
//! is reached or the user stops it. Results in the store are kept whatever happens; items without a result are done again.

use crate::error::Error;
use crate::file::Campaign;
use crate::matrix;
use crate::plan::Plan;
use crate::store::queue::Next;
use crate::store::read::FindingRow;
use crate::store::{Lock, Store};
use crate::work::{Item, Runner};
pub use fuzz::StopReason;
use fuzz::solver::Store as Releases;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// What happens, for whoever watches.
#[derive(Clone, Debug)]
pub enum Event {
    /// A finding of a new fingerprint.
    Found(Box<FindingRow>),
    /// Something that the user should know.
    Note(String),
    /// Items and tests so far in this run.
    Progress {
        /// Items done.
        items: u64,
        /// Tests done.
        tests: u64,
    },
}

/// What a run of a campaign has done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Why it ended.
    pub stop: StopReason,
    /// Items done in this run.
    pub items: u64,
    /// Tests done in this run.
    pub tests: u64,
    /// Findings (not observations) of new fingerprints in this run.
    pub new_findings: u64,
    /// Crashes of explored programs in this run.
    pub program_crashes: u64,
    /// Lanes that cannot be done here, and why.
    pub broken: Vec<String>,
}

impl Default for Summary {
    fn default() -> Summary {
        Summary {
            stop: StopReason::Exhausted,
            items: 0,
            tests: 0,
            new_findings: 0,
            program_crashes: 0,
            broken: Vec::new(),
        }
    }
}

/// How often limits are looked at.
const BEAT: Duration = Duration::from_millis(200);

struct Shared<'a> {
    store: Mutex<Store>,
    plan: &'a Plan,
    runner: &'a dyn Runner,
    ended: &'a AtomicBool,
    events: Mutex<Sender<Told>>,
    whom: Vec<(String, String)>,
    releases: Releases,
}

enum Told {
    Event(Event),
    Done { tests: u64, new: u64, crashes: u64 },
    New(u64),
    Broken(String),
}

/// Runs a campaign with these many jobs.
pub fn run(
    campaign: &Campaign,
    source: &str,
    runner: &dyn Runner,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Event),
) -> Result<Summary, Error> {
    let start = Instant::now();
    let plan = Plan::of(campaign);
    let _lock = Lock::take(&campaign.store)?;
    let mut store = Store::create(&campaign.store)?;
    let id = store.begin(campaign, source, &plan)?;
    store.take_back()?;
    store.ask_again()?;
    let mut broken = prepare(&mut store, &plan, runner, watch)?;
    for spec in plan.specs() {
        runner.learn(spec, &store.familiar(spec)?);
    }
    let before = tests_so_far(&store)?;
    let releases = Releases::open();
    let whom = matrix::whom(&plan, &releases);
    let ended = AtomicBool::new(false);
    let (sender, told) = mpsc::channel();
    let shared = Shared {
        store: Mutex::new(store),
        plan: &plan,
        runner,
        ended: &ended,
        events: Mutex::new(sender),
        whom,
        releases,
    };
    let jobs = campaign
        .limits
        .jobs
        .or_else(|| std::thread::available_parallelism().ok().map(Into::into))
        .unwrap_or(1);
    let mut summary = Summary::default();
    let mut reason = None;
    let result = std::thread::scope(|scope| -> Result<(), Error> {
        let workers: Vec<_> = (0..jobs)
            .map(|number| {
                let shared = &shared;
                scope.spawn(move || {
                    let result = work(shared, &format!("here-{number}"));
                    if result.is_err() {
                        shared.ended.store(true, Ordering::Relaxed);
                    }
                    result
                })
            })
            .collect();
        while !workers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            match told.recv_timeout(BEAT) {
                Ok(Told::Event(event)) => watch(event),
                Ok(Told::Done { tests, new, crashes }) => {
                    summary.items += 1;
                    summary.tests += tests;
                    summary.new_findings += new;
                    summary.program_crashes += crashes;
                    watch(Event::Progress { items: summary.items, tests: summary.tests });
                }
                Ok(Told::New(count)) => summary.new_findings += count,
                Ok(Told::Broken(why)) => {
                    if broken.insert(why.clone()) {
                        watch(Event::Note(why));
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            let now = if stop.load(Ordering::Relaxed) {
                Some(StopReason::Interrupted)
            } else if campaign.limits.time.is_some_and(|limit| start.elapsed() >= limit) {
                Some(StopReason::Time)
            } else if campaign.limits.tests.is_some_and(|limit| before + summary.tests >= limit) {
                Some(StopReason::Tests)
            } else {
                None
            };
            if let (Some(now), None) = (now, reason) {
                reason = Some(now);
                ended.store(true, Ordering::Relaxed);
            }
        }
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    });
    // What was told after the last look.
    for late in told.try_iter() {
        match late {
            Told::Event(event) => watch(event),
            Told::Done { tests, new, crashes } => {
                summary.items += 1;
                summary.tests += tests;
                summary.new_findings += new;
                summary.program_crashes += crashes;
            }
            Told::New(count) => summary.new_findings += count,
            Told::Broken(why) => {
                broken.insert(why);
            }
        }
    }
    result?;
    summary.stop = reason.unwrap_or(StopReason::Exhausted);
    summary.broken = broken.into_iter().collect();
    let mut store = shared.store.into_inner().expect("no worker panics while it holds the store");
    store.finish(id, summary.stop.word())?;
    Ok(summary)
}

/// Notes how many batches each lane has; which lanes cannot be done here, and why. A missing solver does not keep the others from
/// being tested, but with nothing left there is nothing to run.
pub(crate) fn prepare(
    store: &mut Store,
    plan: &Plan,
    runner: &dyn Runner,
    watch: &mut dyn FnMut(Event),
) -> Result<BTreeSet<String>, Error> {
    let (mut broken, mut left) = (BTreeSet::new(), false);
    for lane in &plan.lanes {
        match runner.batches(plan, &lane.key) {
            Ok(batches) => {
                store.set_batches(&lane.key, batches)?;
                left = true;
            }
            Err(error) => {
                store.set_batches(&lane.key, Some(0))?;
                watch(Event::Note(error.to_string()));
                broken.insert(error.to_string());
            }
        }
    }
    if !left {
        return Err(Error::Usage(format!(
            "nothing of this campaign can be done here: {}",
            broken.into_iter().collect::<Vec<_>>().join("; ")
        )));
    }
    Ok(broken)
}

fn tests_so_far(store: &Store) -> Result<u64, Error> {
    Ok(store.counters()?.get("tests").copied().unwrap_or(0))
}

impl Shared<'_> {
    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().expect("no worker panics while it holds the store")
    }

    fn tell(&self, told: Told) {
        // Whoever listened may have gone; the store has everything.
        self.events.lock().expect("the lock is never poisoned").send(told).unwrap_or_default();
    }
}

/// One worker's loop.
fn work(shared: &Shared<'_>, name: &str) -> Result<(), Error> {
    while !shared.ended.load(Ordering::Relaxed) {
        let next = shared.store().take(name, true)?;
        match next {
            Next::Item(item) => one(shared, name, &item)?,
            Next::Ask(finding) => ask(shared, finding)?,
            Next::Wait => std::thread::sleep(BEAT),
            Next::Done => return Ok(()),
        }
    }
    Ok(())
}

fn one(shared: &Shared<'_>, name: &str, item: &Item) -> Result<(), Error> {
    let mut beats = Vec::new();
    let mut flushed = Instant::now();
    let mut trouble = None;
    let outcome = shared.runner.run(shared.plan, item, shared.ended, &mut |beat| {
        beats.push(beat);
        if flushed.elapsed() >= Duration::from_secs(1) {
            if let Err(error) = shared.store().beat(&item.lane, &beats) {
                trouble.get_or_insert(error);
            }
            beats.clear();
            flushed = Instant::now();
        }
    });
    if let Some(error) = trouble {
        return Err(error);
    }
    match outcome {
        Ok(Some(outcome)) if outcome.stopped => {
            let mut store = shared.store();
            for found in &outcome.findings {
                let new = store.add_finding(&item.lane, found)?;
                if let Some(row) = new.map(|id| store.finding(id)).transpose()?.flatten() {
                    shared.tell(Told::New(u64::from(row.loud)));
                    shared.tell(Told::Event(Event::Found(Box::new(row))));
                }
            }
            store.give_back(item)
        }
        Ok(Some(outcome)) => {
            let mut store = shared.store();
            if !beats.is_empty() {
                store.beat(&item.lane, &beats)?;
            }
            let spec = shared.plan.lane(&item.lane).and_then(|lane| lane.work.spec());
            let recorded = store.record_on(item, name, spec, &outcome)?;
            if let Some(spec) = spec {
                shared.runner.learn(spec, &outcome.kinds);
            }
            let mut new = 0;
            for id in recorded.new {
                if let Some(row) = store.finding(id)? {
                    new += u64::from(row.loud);
                    shared.tell(Told::Event(Event::Found(Box::new(row))));
                }
            }
            drop(store);
            for note in outcome.notes.iter().take(3) {
                shared.tell(Told::Event(Event::Note(note.clone())));
            }
            let (tests, crashes) = (outcome.counter("tests"), outcome.program_crashes());
            shared.tell(Told::Done { tests, new, crashes });
            Ok(())
        }
        Ok(None) => shared.store().give_back(item),
        Err(error @ Error::Work { .. }) => {
            // The lane cannot be done here: the others go on.
            let mut store = shared.store();
            store.give_back(item)?;
            store.rest(&item.lane, &error.to_string())?;
            drop(store);
            shared.tell(Told::Broken(error.to_string()));
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// Asks all releases about a finding.
fn ask(shared: &Shared<'_>, finding: i64) -> Result<(), Error> {
    let (row, files) = {
        let store = shared.store();
        (store.finding(finding)?, store.files(finding)?)
    };
    let (Some(row), Some(script)) = (row, files.get("reduced.smt2")) else {
        return shared.store().answered(finding, &[]);
    };
    let answers = matrix::ask(
        shared.plan,
        &shared.releases,
        [&row.class, &row.title, script],
        &shared.whom,
        shared.ended,
    );
    if shared.ended.load(Ordering::Relaxed) {
        // Asked again when the campaign goes on.
        return Ok(());
    }
    shared.store().answered(finding, &answers)
}
