//! A worker: takes items as it is free, does them, and sends back what came of them. It trusts the broker with nothing but work:
//! plans are checked, solvers are known by name, files are unpacked into a folder of its own.

use super::{BEATS, Done, LARGEST_MESSAGE, Lines, NOTES, Order, connect, pack, subject};
use crate::broker::BrokerAccess;
use crate::error::Error;
use crate::guard;
use crate::plan::{Plan, Work};
use crate::work::{ItemResult, Runner};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use fuzz::solver::Store as Releases;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;

/// What a worker does.
#[derive(Clone)]
pub struct Working {
    /// How it is known.
    pub name: String,
    /// Items at the same time.
    pub jobs: usize,
    /// Whether command lines of the network are run.
    pub allow_commands: bool,
    /// Whether releases that are missing are installed, by name and version.
    pub install: bool,
    /// Where packs are kept.
    pub folder: PathBuf,
    /// How long the broker waits for a sign of life before it gives an item to another.
    pub patience: Duration,
}

/// How long a worker waits for an item before it asks again.
const WAIT: Duration = Duration::from_secs(2);
/// How long an item rests that this worker cannot do.
const REST: Duration = Duration::from_secs(10);
/// The most points of a curve that are sent.
const CURVE: usize = 2_000;

struct Shared {
    lines: Lines,
    client: async_nats::Client,
    working: Working,
    runner: Arc<dyn Runner>,
    stop: Arc<AtomicBool>,
    plans: Mutex<BTreeMap<String, Result<Arc<Plan>, String>>>,
    done: AtomicU64,
}

/// Works until `stop`; how many items were done. `say` is told what the user should know.
pub async fn work(
    access: &BrokerAccess,
    working: Working,
    runner: Arc<dyn Runner>,
    stop: Arc<AtomicBool>,
    say: impl Fn(String) + Send + Sync + 'static,
) -> Result<u64, Error> {
    let client = connect(access, &working.name).await?;
    let lines = Lines::open(client.clone(), &access.url).await?;
    std::fs::create_dir_all(&working.folder).map_err(|error| Error::file(&working.folder, error))?;
    let jobs = working.jobs.max(1);
    let shared = Arc::new(Shared {
        lines,
        client,
        working,
        runner,
        stop,
        plans: Mutex::default(),
        done: AtomicU64::new(0),
    });
    let say = Arc::new(say);
    let mut slots = tokio::task::JoinSet::new();
    for _ in 0..jobs {
        let (shared, say) = (shared.clone(), say.clone());
        slots.spawn(async move { slot(&shared, &*say).await });
    }
    let beats = async {
        while !shared.stop.load(Ordering::Relaxed) {
            // A heartbeat that is lost is followed by another.
            shared.client.publish(BEATS, shared.working.name.clone().into()).await.unwrap_or(());
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
        std::future::pending::<()>().await;
    };
    let ended = async {
        while let Some(slot) = slots.join_next().await {
            slot.map_err(|error| shared.lines.failed()(error))??;
        }
        Ok(())
    };
    tokio::select! { () = beats => {}, ended = ended => { let ended: Result<(), Error> = ended; ended? } }
    Ok(shared.done.load(Ordering::Relaxed))
}

async fn slot(shared: &Arc<Shared>, say: &(dyn Fn(String) + Send + Sync)) -> Result<(), Error> {
    let consumer = shared.lines.workers(shared.working.patience).await?;
    while !shared.stop.load(Ordering::Relaxed) {
        let fetched = consumer.fetch().max_messages(1).expires(WAIT).messages().await;
        let mut messages = match fetched {
            Ok(messages) => messages,
            Err(_) => {
                // The broker is away; the connection comes back by itself.
                tokio::time::sleep(Duration::from_millis(500)).await;
                continue;
            }
        };
        while let Some(Ok(message)) = messages.next().await {
            if let Err(error) = one(shared, &message).await {
                say(error.to_string());
                let note = format!("{}: {error}", shared.working.name);
                shared.client.publish(NOTES, note.into()).await.unwrap_or(());
                // Another worker may be able to.
                message.ack_with(AckKind::Nak(Some(REST))).await.unwrap_or(());
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        }
    }
    Ok(())
}

/// Does one item, from its message to the acknowledgement.
async fn one(shared: &Arc<Shared>, message: &Message) -> Result<(), Error> {
    let wrong = shared.lines.failed::<String>();
    if message.payload.len() > LARGEST_MESSAGE {
        return Err(wrong(format!("a work item of {} bytes", message.payload.len())));
    }
    let order: Order =
        serde_json::from_slice(&message.payload).map_err(|error| wrong(format!("no work item: {error}")))?;
    let campaign = message.subject.split('.').nth(2).unwrap_or_default().to_string();
    if !guard::is_short(&campaign) || !guard::is_short(&order.item.lane) || order.item.count > 1 << 20 {
        return Err(wrong("a work item that makes no sense".into()));
    }
    let plan = plan(shared, &order.plan).await?;
    let spec = plan.lane(&order.item.lane).and_then(|lane| lane.work.spec()).map(str::to_string);
    let stop = shared.stop.clone();
    let (runner, item) = (shared.runner.clone(), order.item.clone());
    let job = tokio::task::spawn_blocking(move || {
        let mut beats = Vec::new();
        let outcome = runner.run(&plan, &item, &stop, &mut |beat| {
            if beats.len() < CURVE {
                beats.push(beat);
            }
        });
        (outcome, beats)
    });
    tokio::pin!(job);
    let (outcome, beats) = loop {
        tokio::select! {
            ended = &mut job => break ended.map_err(|error| wrong(error.to_string()))?,
            () = tokio::time::sleep(shared.working.patience / 3) => {
                // A sign of life that is lost is followed by another.
                message.ack_with(AckKind::Progress).await.unwrap_or(());
            }
        }
    };
    let Some(outcome) = outcome?.filter(|outcome| !outcome.stopped) else {
        // Stopped: whoever is free does it.
        message.ack_with(AckKind::Nak(None)).await.unwrap_or(());
        return Ok(());
    };
    let done = pack_up(shared, &campaign, &order, outcome, beats).await?;
    let payload = serde_json::to_vec(&done).expect("an outcome is plain data");
    let publish = async_nats::jetstream::message::PublishMessage::build()
        .payload(payload.into())
        .message_id(format!("{}.{}", done.item.lane, done.item.first));
    let sent = shared
        .lines
        .context
        .send_publish(subject("result", &campaign), publish)
        .await
        .map_err(|e| wrong(e.to_string()))?;
    sent.await.map_err(|error| wrong(error.to_string()))?;
    if let Some(spec) = spec {
        shared.runner.learn(&spec, &done.outcome.kinds);
    }
    // If this acknowledgement is lost, the item is done again and counted once.
    message.double_ack().await.unwrap_or(());
    shared.done.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Moves files out of an outcome into objects. A finding's files are sent by whoever is the first to find it.
async fn pack_up(
    shared: &Arc<Shared>,
    campaign: &str,
    order: &Order,
    mut outcome: ItemResult,
    beats: Vec<crate::work::Beat>,
) -> Result<Done, Error> {
    let mut bundles = BTreeMap::new();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let worker: String = shared.working.name.chars().map(plain).collect();
    for found in &mut outcome.findings {
        let files = std::mem::take(&mut found.files);
        let key = format!("{}-{}", found.class, found.fingerprint);
        let claim = format!("{}.{key}", subject("found", campaign));
        if shared.lines.found.get_last_raw_message_by_subject(&claim).await.is_ok() {
            continue;
        }
        let object = format!("finding-{campaign}-{key}-{worker}-{}", order.item.first);
        // The files are there before anybody can hear of them.
        shared.lines.put(&object, &serde_json::to_vec(&files).expect("texts are plain data")).await?;
        if shared.lines.first(claim, object.clone().into_bytes()).await? {
            bundles.insert(key, object);
        } else {
            // Left behind it would only take space.
            shared.lines.objects.delete(&object).await.unwrap_or(());
        }
    }
    let mut exploration = None;
    if let Some(explored) = outcome.exploration.take() {
        let object = format!("exploration-{campaign}-{}", order.item.lane);
        shared.lines.put(&object, &serde_json::to_vec(&explored).expect("texts are plain data")).await?;
        exploration = Some(object);
    }
    Ok(Done {
        item: order.item.clone(),
        worker: shared.working.name.clone(),
        outcome,
        bundles,
        exploration,
        beats,
    })
}

/// A plan by the name of its object, checked and with its files.
async fn plan(shared: &Arc<Shared>, name: &str) -> Result<Arc<Plan>, Error> {
    let mut plans = shared.plans.lock().await;
    if let Some(known) = plans.get(name) {
        return known.clone().map_err(Error::Usage);
    }
    let bytes = shared.lines.get(name).await?;
    let made = check(shared, &bytes).await;
    if let Err(Error::Broker { .. }) = made {
        return made.map(Arc::new);
    }
    let made = made.map(Arc::new).map_err(|error| error.to_string());
    plans.insert(name.to_string(), made.clone());
    made.map_err(Error::Usage)
}

async fn check(shared: &Arc<Shared>, bytes: &[u8]) -> Result<Plan, Error> {
    let plan: Plan =
        serde_json::from_slice(bytes).map_err(|error| Error::Usage(format!("no plan: {error}")))?;
    guard::plan(&plan, shared.working.allow_commands).map_err(Error::Usage)?;
    if shared.working.install {
        let specs: Vec<String> = plan
            .lanes
            .iter()
            .filter_map(|lane| match &lane.work {
                Work::Fuzz { spec, .. } => {
                    spec.split(' ').next().filter(|name| name.contains('@')).map(str::to_string)
                }
                Work::Explore { .. } => None,
            })
            .collect();
        let stop = shared.stop.clone();
        let installed = tokio::task::spawn_blocking(move || {
            specs.iter().try_for_each(|spec| Releases::open().add(spec, &stop, &mut |_| {}).map(drop))
        });
        installed
            .await
            .map_err(|error| Error::Usage(error.to_string()))?
            .map_err(|error| Error::Usage(error.to_string()))?;
    }
    pack::unpack(&shared.lines, plan, &shared.working.folder).await
}
