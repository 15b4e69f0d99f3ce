//! Many machines: work through a broker, NATS JetStream. A coordinator with the store hands out items and takes results; workers
//! take items when they are free, so that a slow one gets less.
//!
//! - Items wait in a work-queue stream, one subject an item. A message that is not acknowledged in time is given to another
//!   worker; a worker that is busy says so now and then.
//! - Results wait in a second stream until the coordinator has them in its store. The store takes an item once, so that counts are
//!   right however often a message comes.
//! - Who finds a fingerprint first owns it: a message on its subject that is refused where there is one already.
//! - Plans, seeds and the files of findings are objects; messages are small.
//!
//! Everything is on the broker's disk, and a broker that restarts loses nothing.

mod connect;
mod coordinator;
mod pack;
mod worker;

pub use connect::{BrokerAccess, connect};
pub use coordinator::{Coordinating, coordinate};
pub use worker::{Working, work};

use crate::error::Error;
use crate::work::{Beat, Item, ItemResult};
use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{Config, RetentionPolicy, Stream};
use async_nats::jetstream::{self, Context};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// The largest object that is taken.
const LARGEST_OBJECT: usize = 64 << 20;
/// The largest message that is taken.
const LARGEST_MESSAGE: usize = 1 << 20;
/// Heartbeats of workers; they are not kept.
const BEATS: &str = "soundline.beat";
/// What workers want to be known.
const NOTES: &str = "soundline.note";

/// An item as it is handed out.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    /// The plan that it belongs to: an object's name.
    plan: String,
    item: Item,
}

/// What came of an item, as it is sent back. The files of findings are objects.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Done {
    item: Item,
    worker: String,
    outcome: ItemResult,
    /// `class-fingerprint` to the object with its files.
    bundles: BTreeMap<String, String>,
    /// The object with the exploration.
    exploration: Option<String>,
    beats: Vec<Beat>,
}

/// The streams and objects of one campaign on a broker.
struct Lines {
    url: String,
    context: Context,
    work: Stream,
    results: Stream,
    found: Stream,
    objects: ObjectStore,
}

fn subject(kind: &str, campaign: &str) -> String {
    format!("soundline.{kind}.{campaign}")
}

impl Lines {
    fn failed<E: Display>(&self) -> impl Fn(E) -> Error + use<E> {
        failed(&self.url)
    }

    /// Opens what a coordinator made, or makes it.
    async fn open(client: async_nats::Client, url: &str) -> Result<Lines, Error> {
        let context = jetstream::new(client);
        let stream = |name: &str, kind: &str, retention| Config {
            name: name.into(),
            subjects: vec![format!("soundline.{kind}.>")],
            retention,
            duplicate_window: Duration::from_secs(600),
            ..Config::default()
        };
        let queue = RetentionPolicy::WorkQueue;
        let work = context
            .get_or_create_stream(stream("SOUNDLINE_WORK", "work", queue))
            .await
            .map_err(failed(url))?;
        let results = context
            .get_or_create_stream(stream("SOUNDLINE_RESULTS", "result", queue))
            .await
            .map_err(failed(url))?;
        let found = context
            .get_or_create_stream(stream("SOUNDLINE_FOUND", "found", RetentionPolicy::Limits))
            .await
            .map_err(failed(url))?;
        let bucket = "soundline";
        let objects = match context.get_object_store(bucket).await {
            Ok(objects) => objects,
            Err(_) => {
                let config =
                    object_store::Config { bucket: bucket.into(), ..object_store::Config::default() };
                context.create_object_store(config).await.map_err(failed(url))?
            }
        };
        Ok(Lines { url: url.into(), context, work, results, found, objects })
    }

    /// The queue that all workers take from.
    async fn workers(&self, patience: Duration) -> Result<PullConsumer, Error> {
        let config = pull::Config {
            durable_name: Some("workers".into()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: patience,
            max_ack_pending: 100_000,
            // Every free worker has a request waiting; the server's own limit is 512.
            max_waiting: 65_536,
            ..pull::Config::default()
        };
        self.work.get_or_create_consumer("workers", config).await.map_err(self.failed())
    }

    /// The results of one campaign.
    async fn coordinators(&self, campaign: &str) -> Result<PullConsumer, Error> {
        let name = format!("coordinator-{campaign}");
        let config = pull::Config {
            durable_name: Some(name.clone()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::from_secs(30),
            filter_subject: subject("result", campaign),
            max_ack_pending: 10_000,
            ..pull::Config::default()
        };
        self.results.get_or_create_consumer(&name, config).await.map_err(self.failed())
    }

    /// Publishes where nothing stands yet; whether it was first.
    async fn first(&self, subject: String, payload: Vec<u8>) -> Result<bool, Error> {
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Expected-Last-Subject-Sequence", "0");
        let sent = self
            .context
            .publish_with_headers(subject, headers, payload.into())
            .await
            .map_err(self.failed())?;
        match sent.await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
            Err(error) => Err(self.failed()(error)),
        }
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let mut bytes = bytes;
        self.objects.put(name, &mut bytes).await.map_err(self.failed()).map(drop)
    }

    /// An object that is not larger than we take. Its digest was checked on the way.
    async fn get(&self, name: &str) -> Result<Vec<u8>, Error> {
        let object = self.objects.get(name).await.map_err(self.failed())?;
        let mut bytes = Vec::new();
        object.take(LARGEST_OBJECT as u64 + 1).read_to_end(&mut bytes).await.map_err(self.failed())?;
        if bytes.len() > LARGEST_OBJECT {
            return Err(self.failed()(format!("the object {name} is larger than {LARGEST_OBJECT} bytes")));
        }
        Ok(bytes)
    }

    async fn has(&self, name: &str) -> bool {
        self.objects.info(name).await.is_ok_and(|info| !info.deleted)
    }
}

fn failed<E: Display>(url: &str) -> impl Fn(E) -> Error + use<E> {
    let url = url.to_string();
    move |error| Error::Broker { url: url.clone(), reason: error.to_string() }
}

/// A campaign's name on the broker.
fn campaign_key(name: &str, seed: u64) -> String {
    fuzz::finding::Fingerprint::new(format!("{name} {seed}")).short
}
