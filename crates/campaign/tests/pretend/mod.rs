//! What the tests of campaigns and the simulation of many machines share: batches that are made up ([`Pretend`]), a campaign of them,
//! and a real broker. Messages, streams and the store are real.
#![allow(dead_code, reason = "each test and the simulation use a part of it")]

use campaign::broker::{BrokerAccess, Working};
use campaign::file::Campaign;
use campaign::plan::Plan;
use campaign::store::Store;
use campaign::work::{Beat, Found, Item, ItemResult, Runner};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Batches that cost some time and count known numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pretend {
    pub(crate) batches: u64,
    /// The tests of the first batch; others have up to 96 more, so that a sum tells which were counted.
    pub(crate) tests: u64,
    /// How long an item takes beside its batches, and how long each of its batches takes.
    pub(crate) pause: (Duration, Duration),
    /// What a batch says that it took, which sizes the items: an item is made for some seconds.
    pub(crate) said: Duration,
    /// Every so many batches find something.
    pub(crate) every: u64,
    /// Of how many fingerprints.
    pub(crate) fingerprints: u64,
    /// How many operators a result counts: what makes real results long.
    pub(crate) operators: u64,
}

impl Default for Pretend {
    fn default() -> Pretend {
        Pretend {
            batches: 100,
            tests: 1,
            pause: (Duration::ZERO, Duration::ZERO),
            // So that an item has one batch.
            said: Duration::from_secs(5),
            every: 1,
            fingerprints: 3,
            operators: 0,
        }
    }
}

const SCRIPT: &str = "(declare-const x Int)\n(assert (< x x))\n(check-sat)\n";

impl Pretend {
    /// The tests of a batch.
    fn tests(&self, number: u64) -> u64 {
        self.tests + number % 97
    }

    /// The tests of all batches.
    pub(crate) fn all_tests(&self) -> u64 {
        (0..self.batches).map(|number| self.tests(number)).sum()
    }

    fn found(&self, number: u64) -> Found {
        Found {
            class: "crash".into(),
            title: "crashes".into(),
            fingerprint: format!("{:08x}", number / self.every % self.fingerprints),
            count: 1,
            files: BTreeMap::from([("reduced.smt2".into(), SCRIPT.repeat(50))]),
            ..Found::default()
        }
    }

    /// Whether a store has every batch once, and every finding once with its files and all its sightings.
    pub(crate) fn check(&self, store: &Store) {
        let counters = store.counters().expect("readable");
        assert_eq!(counters["batches"], self.batches, "a batch was lost or counted twice");
        assert_eq!(counters["tests"], self.all_tests(), "a test was lost or counted twice");
        assert_eq!(store.items().expect("readable")[..2], [0, 0], "an item is left");
        let findings = store.findings().expect("readable");
        let seen = self.batches.div_ceil(self.every);
        assert_eq!(findings.len() as u64, seen.min(self.fingerprints), "a fingerprint was not reported once");
        assert_eq!(findings.iter().map(|row| row.count).sum::<u64>(), seen, "sightings");
        for row in &findings {
            assert_eq!(store.files(row.id).expect("readable")["reduced.smt2"], SCRIPT.repeat(50));
        }
    }
}

impl Runner for Pretend {
    fn batches(&self, _: &Plan, _: &str) -> Result<Option<u64>, campaign::Error> {
        Ok(Some(self.batches))
    }

    fn run(
        &self,
        _: &Plan,
        item: &Item,
        stop: &AtomicBool,
        _: &mut dyn FnMut(Beat),
    ) -> Result<Option<ItemResult>, campaign::Error> {
        std::thread::sleep(self.pause.0 + self.pause.1 * item.count as u32);
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let numbers = || item.first..item.first + item.count;
        let tests = numbers().map(|number| self.tests(number)).sum();
        let counters = BTreeMap::from([
            ("tests".to_string(), tests),
            ("batches".to_string(), item.count),
            ("wall_micros".to_string(), self.said.as_micros() as u64 * item.count),
        ]);
        Ok(Some(ItemResult {
            counters,
            findings: numbers()
                .filter(|number| number.is_multiple_of(self.every))
                .map(|n| self.found(n))
                .collect(),
            logics: (0..self.operators.div_ceil(20)).map(|n| (format!("QF_{n}"), tests)).collect(),
            operators: (0..self.operators).map(|n| (format!("operator.{n}"), tests)).collect(),
            ..ItemResult::default()
        }))
    }
}

/// A campaign whose solver does not exist, so that no release is asked about what is found.
pub(crate) fn campaign(folder: &Path) -> (Campaign, &'static str) {
    let source = "[campaign]\nname = \"pretend\"\nstore = \"store\"\n[limits]\njobs = 2\n[[target]]\nsolver = \"no-such-solver\"\n[[strategy]]\nname = \"truth\"\n[references]\nsolvers = [\"no-such-solver\"]\n";
    (Campaign::read(source, folder).expect("a campaign"), source)
}

/// A worker with one job that keeps its packs below a folder.
pub(crate) fn working(folder: &Path, number: u64, patience: Duration) -> Working {
    Working {
        name: format!("worker-{number}"),
        jobs: 1,
        allow_commands: true,
        install: false,
        folder: folder.join(format!("packs-{number}")),
        patience,
    }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

pub(crate) fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// A process that ends with its owner.
pub(crate) struct Owned(pub(crate) Child);

impl Owned {
    pub(crate) fn start(command: &mut Command, name: &str) -> Owned {
        let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Owned(started.unwrap_or_else(|error| panic!("{name} does not start ({error}); is it installed?")))
    }

    /// As `kill -9` does; it may have ended before.
    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap_or(());
        self.0.wait().map(drop).unwrap_or(());
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A real nats-server on this machine.
pub(crate) struct Broker {
    pub(crate) process: Owned,
    pub(crate) port: u16,
}

impl Broker {
    pub(crate) fn start(folder: &Path, port: u16, extra: &[&str]) -> Broker {
        let mut command = Command::new("nats-server");
        command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder.join("broker"));
        command.args(extra).current_dir(folder);
        let broker = Broker { process: Owned::start(&mut command, "nats-server"), port };
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(60), "nats-server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        broker
    }

    /// Clear text, nobody asked who they are.
    pub(crate) fn access(&self) -> BrokerAccess {
        BrokerAccess { url: format!("nats://127.0.0.1:{}", self.port), ..BrokerAccess::default() }
    }
}
