//! Many workers on one machine: a real broker, real messages, solvers that are made up. Workers are killed at random and others come;
//! at the end every batch must be counted once, and every finding reported once.
//!
//! `cargo run --release -p campaign --example simulate -- [WORKERS [ITEMS [TESTS-A-BATCH]]]`

use campaign::broker::{Access, Coordinating, Working, coordinate, work};
use campaign::file::Campaign;
use campaign::plan::Plan;
use campaign::store::Store;
use campaign::work::{Beat, Found, Item, ItemResult, Runner};
use random::Rng;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

struct Pretend {
    batches: u64,
    tests: u64,
    /// How long a batch takes.
    batch: Duration,
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
        std::thread::sleep(self.batch * item.count as u32);
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let names =
            |prefix: &str, count: u64| (0..count).map(|n| (format!("{prefix}{n}"), self.tests)).collect();
        let findings = (item.first..item.first + item.count)
            .filter(|number| number.is_multiple_of(10))
            .map(|number| Found {
                class: "crash".into(),
                title: "crashes".into(),
                fingerprint: format!("{:08x}", number % 37),
                count: 1,
                files: BTreeMap::from([("reduced.smt2".into(), "(check-sat)\n".repeat(200))]),
                ..Found::default()
            })
            .collect();
        Ok(Some(ItemResult {
            counters: BTreeMap::from([
                ("tests".to_string(), self.tests * item.count),
                ("batches".to_string(), item.count),
                ("wall_micros".to_string(), self.batch.as_micros() as u64 * item.count),
            ]),
            findings,
            logics: names("QF_", 6),
            operators: names("op", 120),
            ..ItemResult::default()
        }))
    }
}

/// CPU seconds of this process so far, and of a child.
fn cpu(process: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect::<Vec<_>>();
    let ticks = |at: usize| after.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let of = |at: usize, default: u64| numbers.get(at).copied().unwrap_or(default);
    let (workers, batches, tests) = (of(0, 200), of(1, 4000), of(2, 500));
    let folder = tempfile::tempdir().expect("a folder");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let mut broker = Command::new("nats-server")
        .args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"])
        .arg(folder.path().join("broker"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server is installed");
    let access = Access { url: format!("nats://127.0.0.1:{port}"), ..Access::default() };
    let source = "[campaign]\nname = \"simulated\"\nstore = \"store\"\n[[target]]\nsolver = \"none\"\n[[strategy]]\nname = \"truth\"\n[references]\nsolvers = [\"none\"]\n";
    let campaign = Campaign::read(source, folder.path()).expect("a campaign");
    let batch = Duration::from_millis(of(3, 500));
    let runner = Arc::new(Pretend { batches, tests, batch });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(1024)
        .enable_all()
        .build()
        .expect("a runtime");
    let patience = Duration::from_secs(5);
    let start = Instant::now();
    let mut kills = 0;
    let summary = runtime.block_on(async {
        while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let mut number = 0;
        let mut hire = || {
            number += 1;
            let working = Working {
                name: format!("sim-{number}"),
                jobs: 1,
                allow_commands: true,
                install: false,
                folder: folder.path().join(format!("packs-{number}")),
                patience,
            };
            let (access, runner, stop) = (access.clone(), runner.clone(), stop.clone());
            tokio::spawn(async move { work(&access, working, runner, stop, |_| {}).await })
        };
        let mut team: Vec<_> = (0..workers).map(|_| hire()).collect();
        let asked = Coordinating {
            campaign: &campaign,
            source,
            runner: &*runner,
            window: 2 * workers as usize,
            patience,
        };
        let mut watch = |_| {};
        let coordinating = coordinate(&access, asked, stop.clone(), &mut watch);
        tokio::pin!(coordinating);
        let mut rng = Rng::new(1);
        loop {
            tokio::select! {
                ended = &mut coordinating => break ended.expect("coordinated"),
                () = tokio::time::sleep(Duration::from_millis(400)) => {
                    // A worker dies without a word, and another one comes.
                    let place = rng.below(team.len());
                    team[place].abort();
                    team[place] = hire();
                    kills += 1;
                }
            }
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    let (own, broker_cpu) = (cpu("self"), cpu(&broker.id().to_string()));
    let store = Store::open(&folder.path().join("store")).expect("the store");
    let counters = store.counters().expect("readable");
    let findings = store.findings().expect("readable");
    let expected: u64 = (0..batches).filter(|number| number.is_multiple_of(10)).count() as u64;
    println!(
        "{workers} workers, {kills} killed: {} items, {} tests in {seconds:.1} s ({:.0} tests/s); CPU: {own:.1} s coordinator and workers, {broker_cpu:.1} s broker; {} findings seen {} times",
        summary.items,
        counters["tests"],
        counters["tests"] as f64 / seconds,
        findings.len(),
        findings.iter().map(|row| row.count).sum::<u64>()
    );
    broker.kill().expect("it runs");
    broker.wait().expect("it ends");
    assert_eq!(counters["batches"], batches, "a batch was lost or counted twice");
    assert_eq!(counters["tests"], batches * tests);
    assert_eq!(findings.iter().map(|row| row.count).sum::<u64>(), expected);
    assert_eq!(findings.len() as u64, expected.min(37), "each fingerprint once");
    assert!(
        findings.iter().all(|row| store.files(row.id).expect("readable").len() == 1),
        "every finding has its files"
    );
}
