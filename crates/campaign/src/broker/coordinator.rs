//! The coordinator: the one with the store. It keeps as many items on the broker as the workers need, takes results into the store
//! and acknowledges them afterwards, and asks other releases about what is found. After a restart it goes on with what the store
//! and the broker have; nothing is kept in memory that matters.

use super::{BEATS, Done, LARGEST_MESSAGE, Lines, NOTES, Order, campaign_key, connect, pack, subject};
use crate::broker::BrokerAccess;
use crate::error::Error;
use crate::file::Campaign;
use crate::guard;
use crate::local::{self, Event, StopReason, Summary};
use crate::matrix;
use crate::plan::Plan;
use crate::store::queue::Next;
use crate::store::{Lock, Store};
use crate::work::{Item, Runner};
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use fuzz::finding::Fingerprint;
use fuzz::solver::Store as Releases;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a coordinator needs.
pub struct Coordinating<'a> {
    /// The campaign that is handed out.
    pub campaign: &'a Campaign,
    /// Its file as it was written, which the store keeps.
    pub source: &'a str,
    /// Who knows how many batches a lane has.
    pub runner: &'a dyn Runner,
    /// Items that wait on the broker at any time, at least.
    pub window: usize,
    /// How long the broker waits for a sign of life of a worker.
    pub patience: Duration,
}

/// Items that are handed out at once.
const ORDERS: usize = 200;
/// Results that are taken at once.
const RESULTS: usize = 200;
/// How often an order is put on the broker. A try waits 5 s for its acknowledgement, so a broker may be away for a minute.
const TRIES: usize = 12;
/// How long the loop waits for results.
const WAIT: Duration = Duration::from_millis(300);

/// Coordinates a campaign until it ends, a limit is reached or `stop`.
pub async fn coordinate(
    access: &BrokerAccess,
    asked: Coordinating<'_>,
    stop: Arc<AtomicBool>,
    watch: &mut dyn FnMut(Event),
) -> Result<Summary, Error> {
    let start = Instant::now();
    let campaign = asked.campaign;
    let plan = Plan::of(campaign);
    let _lock = Lock::take(&campaign.store)?;
    let mut store = Store::create(&campaign.store)?;
    let client = connect(access, "soundline-coordinator").await?;
    let lines = Lines::open(client.clone(), &access.url).await?;
    lines.workers(asked.patience).await?;
    let id = store.begin(campaign, asked.source, &plan)?;
    store.ask_again()?;
    let broken = local::prepare(&mut store, &plan, asked.runner, watch)?;
    let (packed, packs) = pack::pack(&plan)?;
    for (name, bytes) in &packs {
        if !lines.has(name).await {
            lines.put(name, bytes).await?;
        }
    }
    let bytes = serde_json::to_vec(&packed).expect("a plan is plain data");
    let plan_name = format!("plan-{}", Fingerprint::new(String::from_utf8_lossy(&bytes).into_owned()).short);
    lines.put(&plan_name, &bytes).await?;
    let key = campaign_key(&campaign.name, campaign.seed);
    let results = lines.coordinators(&key).await?;
    let mut beats = client.subscribe(BEATS).await.map_err(lines.failed())?;
    let mut notes = client.subscribe(NOTES).await.map_err(lines.failed())?;
    let asking = ask_others(&campaign.store, &plan, stop.clone());

    let mut this = Coordinator {
        plan,
        lines,
        store,
        key,
        plan_name,
        summary: Summary { broken: broken.into_iter().collect(), ..Summary::default() },
        workers: BTreeMap::new(),
        away: false,
    };
    let before = this.store.counters()?.get("tests").copied().unwrap_or(0);
    // First the results that came while no coordinator ran, then the items that are neither done nor on the broker.
    let left = async {
        while this.take_results(&results, watch).await? > 0 {}
        for item in this.store.handed_out()? {
            this.order(&item).await?;
        }
        Ok::<(), Error>(())
    };
    unless(&stop, left).await.transpose()?;
    let mut out = this.store.out()?;
    let reason = loop {
        let wanted = asked.window.max(4 * this.workers.len());
        let mut ended = false;
        let mut items = Vec::new();
        while out + items.len() < wanted && items.len() < ORDERS && !ended {
            match this.store.take("broker", false)? {
                Next::Item(item) => items.push(item),
                Next::Ask(_) | Next::Wait => break,
                Next::Done => ended = true,
            }
        }
        out += items.len();
        let orders = futures_util::future::try_join_all(items.iter().map(|item| this.order(item)));
        unless(&stop, orders).await.transpose()?;
        // Results that are taken and not acknowledged come again, and are counted once.
        let taken = unless(&stop, this.take_results(&results, watch)).await.transpose()?.unwrap_or(0);
        out = out.saturating_sub(taken);
        if taken == 0 {
            out = this.store.out()?;
        }
        this.hear(&mut beats, &mut notes, watch).await?;
        this.look_for_broker(&client, watch)?;
        if stop.load(Ordering::Relaxed) {
            break StopReason::Interrupted;
        }
        if campaign.limits.time.is_some_and(|limit| start.elapsed() >= limit) {
            break StopReason::Time;
        }
        if campaign.limits.tests.is_some_and(|limit| before + this.summary.tests >= limit) {
            break StopReason::Tests;
        }
        if ended && out == 0 {
            break StopReason::Exhausted;
        }
    };
    stop.store(true, Ordering::Relaxed);
    // It ends with the question at hand.
    asking.join().unwrap_or(());
    this.store.finish(id, reason.word())?;
    Ok(Summary { stop: reason, ..this.summary })
}

struct Coordinator {
    plan: Plan,
    lines: Lines,
    store: Store,
    key: String,
    plan_name: String,
    summary: Summary,
    /// When a worker was heard of.
    workers: BTreeMap<String, Instant>,
    /// Whether the broker was away when it was last looked for.
    away: bool,
}

/// Work, unless the user stops it before it ends.
async fn unless<T>(stop: &AtomicBool, work: impl Future<Output = T>) -> Option<T> {
    let stopped = async {
        while !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! { done = work => Some(done), () = stopped => None }
}

impl Coordinator {
    /// Puts an item on the broker, unless it is there.
    async fn order(&self, item: &Item) -> Result<(), Error> {
        let order = Order { plan: self.plan_name.clone(), item: item.clone() };
        let place = format!("{}.{}.{}", subject("work", &self.key), item.lane, item.first);
        let payload = serde_json::to_vec(&order).expect("an order is plain data");
        // An acknowledgement can be lost with a broker that restarts. Asking again is safe: the second order finds the first.
        let mut tries = 1;
        loop {
            match self.lines.first(place.clone(), payload.clone()).await {
                Err(Error::Broker { .. }) if tries < TRIES => tries += 1,
                result => return result.map(drop),
            }
            tokio::time::sleep(WAIT).await;
        }
    }

    /// Takes results into the store and acknowledges them then; how many.
    async fn take_results(
        &mut self,
        results: &PullConsumer,
        watch: &mut dyn FnMut(Event),
    ) -> Result<usize, Error> {
        let Ok(mut messages) = results.fetch().max_messages(RESULTS).expires(WAIT).messages().await else {
            // The broker is away; the connection comes back by itself.
            tokio::time::sleep(WAIT).await;
            return Ok(0);
        };
        let mut taken = 0;
        while let Some(Ok(message)) = messages.next().await {
            match self.take(&message, watch).await {
                Ok(()) => {}
                // What makes no sense is dropped, or it would come back for ever; the item is done again after a restart.
                Err(Error::Usage(reason)) => {
                    self.store.note(&format!("a result was refused: {reason}"))?;
                    watch(Event::Note(format!("a result was refused: {reason}")));
                }
                Err(error) => return Err(error),
            }
            message.ack().await.unwrap_or(());
            taken += 1;
        }
        Ok(taken)
    }

    async fn take(&mut self, message: &Message, watch: &mut dyn FnMut(Event)) -> Result<(), Error> {
        if message.payload.len() > LARGEST_MESSAGE {
            return Err(Error::Usage(format!("{} bytes", message.payload.len())));
        }
        let mut done: Done =
            serde_json::from_slice(&message.payload).map_err(|error| Error::Usage(error.to_string()))?;
        if done.worker.len() > 200 || done.worker.chars().any(char::is_control) || done.beats.len() > 10_000 {
            return Err(Error::Usage("a worker's name or curve that is too long".into()));
        }
        for found in &mut done.outcome.findings {
            let key = format!("{}-{}", found.class, found.fingerprint);
            guard::finding(found).map_err(Error::Usage)?;
            if self.store.finding_named(&key)?.is_some() {
                continue;
            }
            let claim = format!("{}.{key}", subject("found", &self.key));
            let object = match done.bundles.get(&key) {
                Some(object) => object.clone(),
                // Another finder owns it, and has sent the files before it said so.
                None => match self.lines.found.get_last_raw_message_by_subject(&claim).await {
                    Ok(owner) => String::from_utf8_lossy(&owner.payload).into_owned(),
                    Err(_) => continue,
                },
            };
            let bytes = self.lines.get(&object).await?;
            found.files = serde_json::from_slice(&bytes).map_err(|error| Error::Usage(error.to_string()))?;
        }
        if let Some(object) = &done.exploration {
            let bytes = self.lines.get(object).await?;
            done.outcome.exploration =
                Some(serde_json::from_slice(&bytes).map_err(|error| Error::Usage(error.to_string()))?);
        }
        guard::outcome(&done.outcome).map_err(Error::Usage)?;
        if !done.beats.is_empty() {
            self.store.beat(&done.item.lane, &done.beats)?;
        }
        let spec = self.plan.lane(&done.item.lane).and_then(|lane| lane.work.spec());
        let recorded = self.store.record_on(&done.item, &done.worker, spec, &done.outcome)?;
        self.workers.insert(done.worker.clone(), Instant::now());
        if recorded.counted {
            self.summary.items += 1;
            self.summary.tests += done.outcome.counter("tests");
            self.summary.program_crashes += done.outcome.program_crashes();
        }
        for id in recorded.new {
            if let Some(row) = self.store.finding(id)? {
                self.summary.new_findings += u64::from(row.loud);
                watch(Event::Found(Box::new(row)));
            }
        }
        watch(Event::Progress { items: self.summary.items, tests: self.summary.tests });
        Ok(())
    }

    /// Says when the broker goes away and when it is back; the connection comes back by itself.
    fn look_for_broker(
        &mut self,
        client: &async_nats::Client,
        watch: &mut dyn FnMut(Event),
    ) -> Result<(), Error> {
        let away = client.connection_state() != async_nats::connection::State::Connected;
        if away != self.away {
            self.away = away;
            let how = if away { "cannot be reached; the campaign waits for it" } else { "is back" };
            let text = format!("the broker {} {how}", self.lines.url);
            self.store.note(&text)?;
            watch(Event::Note(text));
        }
        Ok(())
    }

    /// Heartbeats and notes that came meanwhile.
    async fn hear(
        &mut self,
        beats: &mut async_nats::Subscriber,
        notes: &mut async_nats::Subscriber,
        watch: &mut dyn FnMut(Event),
    ) -> Result<(), Error> {
        let brief = Duration::from_millis(1);
        let mut alive = Vec::new();
        while let Ok(Some(message)) = tokio::time::timeout(brief, beats.next()).await {
            let name = String::from_utf8_lossy(&message.payload)
                .chars()
                .filter(|c| !c.is_control())
                .take(200)
                .collect::<String>();
            alive.push(name);
            if alive.len() >= 1000 {
                break;
            }
        }
        alive.sort();
        alive.dedup();
        if !alive.is_empty() {
            self.store.heartbeats(&alive)?;
        }
        self.workers.extend(alive.into_iter().map(|name| (name, Instant::now())));
        self.workers.retain(|_, heard| heard.elapsed() < Duration::from_secs(30));
        while let Ok(Some(message)) = tokio::time::timeout(brief, notes.next()).await {
            let text: String = String::from_utf8_lossy(&message.payload)
                .chars()
                .filter(|c| !c.is_control())
                .take(500)
                .collect();
            self.store.note(&text)?;
            watch(Event::Note(text));
        }
        Ok(())
    }
}

/// A thread that asks other releases about findings, with a connection of its own to the store.
fn ask_others(folder: &Path, plan: &Plan, stop: Arc<AtomicBool>) -> std::thread::JoinHandle<()> {
    let (folder, plan) = (folder.to_path_buf(), plan.clone());
    std::thread::spawn(move || {
        let Ok(mut store) = Store::open(&folder) else { return };
        let releases = Releases::open();
        let whom = matrix::whom(&plan, &releases);
        while !stop.load(Ordering::Relaxed) {
            if !matches!(ask_one(&mut store, &plan, &releases, &whom, &stop), Ok(true)) {
                std::thread::sleep(Duration::from_millis(500));
            }
        }
    })
}

/// Asks about one finding; whether there was one.
fn ask_one(
    store: &mut Store,
    plan: &Plan,
    releases: &Releases,
    whom: &[(String, String)],
    stop: &AtomicBool,
) -> Result<bool, Error> {
    let Some(id) = store.take_question()? else { return Ok(false) };
    let (row, files) = (store.finding(id)?, store.files(id)?);
    let answers = match (&row, files.get("reduced.smt2")) {
        (Some(row), Some(script)) => {
            matrix::ask(plan, releases, [&row.class, &row.title, script], whom, stop)
        }
        _ => Vec::new(),
    };
    if !stop.load(Ordering::Relaxed) {
        store.answered(id, &answers)?;
    }
    Ok(true)
}
