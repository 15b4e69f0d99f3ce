//! Many workers on one machine: a real broker, real messages, each worker a process of its own, solvers that are made up. Workers are
//! killed with SIGKILL at random moments and others come. At the end every batch must be counted once, and every
//! finding reported once, or the simulation fails.
//!
//! `cargo run --release -p campaign --example simulate -- [NAME=NUMBER ...]`, where NAME is a row of [`NUMBERS`].

#[path = "../tests/pretend/mod.rs"]
mod pretend;

use campaign::broker::{BrokerAccess, Coordinating, coordinate, work};
use campaign::store::Store;
use pretend::{Broker, Owned, Pretend, free_port, runtime, working};
use random::Rng;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What can be set, its default, and what it means.
const NUMBERS: [(&str, u64, &str); 7] = [
    ("workers", 200, "processes that take items, one at a time"),
    ("batches", 8000, "batches in all"),
    ("tests", 500, "tests of a batch, at least"),
    ("batch-ms", 500, "how long a batch takes"),
    ("kill-ms", 400, "a worker is killed every so many milliseconds; 0 for never"),
    ("patience", 5, "seconds after which a worker without a sign of life loses its item"),
    ("seed", 1, "which workers are killed"),
];

struct Numbers(Vec<u64>);

impl Numbers {
    fn read(words: &[String]) -> Result<Numbers, String> {
        let mut numbers = Numbers(NUMBERS.iter().map(|row| row.1).collect());
        for word in words {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let place = NUMBERS.iter().position(|row| row.0 == name);
            match (place, value.parse()) {
                (Some(place), Ok(value)) => numbers.0[place] = value,
                _ => {
                    let rows =
                        NUMBERS.map(|row| format!("  {}=N  {} (default {})", row.0, row.2, row.1)).join("\n");
                    return Err(format!("{word:?} means nothing here; what can be set:\n{rows}"));
                }
            }
        }
        Ok(numbers)
    }

    fn of(&self, name: &str) -> u64 {
        self.0[NUMBERS.iter().position(|row| row.0 == name).expect("a row of the table")]
    }

    fn runner(&self) -> Pretend {
        let batch = Duration::from_millis(self.of("batch-ms"));
        Pretend {
            batches: self.of("batches"),
            tests: self.of("tests"),
            pause: (Duration::ZERO, batch),
            said: batch,
            every: 10,
            fingerprints: 37,
            // As many as real items of `truth` count.
            operators: 120,
        }
    }

    fn patience(&self) -> Duration {
        Duration::from_secs(self.of("patience"))
    }
}

/// The word that makes a process of this program a worker.
const WORKER: &str = "worker";

/// `worker URL NUMBER FOLDER NAME=NUMBER...`: takes items until it is killed.
fn be_worker(words: &[String]) -> Result<(), String> {
    let [url, number, folder, rest @ ..] = words else { return Err("a worker needs a broker".into()) };
    let numbers = Numbers::read(rest)?;
    let number = number.parse().map_err(|_| format!("{number:?} is no number"))?;
    let access = BrokerAccess { url: url.clone(), ..BrokerAccess::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let stop = Arc::new(AtomicBool::new(false));
    let working = working(Path::new(folder), number, numbers.patience());
    runtime
        .map_err(|error| error.to_string())?
        .block_on(work(&access, working, Arc::new(numbers.runner()), stop, |_| {}))
        .map(drop)
        .map_err(|error| error.to_string())
}

/// CPU seconds of a process so far.
fn cpu(process: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect::<Vec<_>>();
    let ticks = |at: usize| after.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// The workers: as many as wanted at any time.
struct Team<'a> {
    url: String,
    folder: &'a Path,
    words: &'a [String],
    hired: u64,
    members: Vec<Owned>,
}

impl Team<'_> {
    fn hire(&mut self) -> Owned {
        self.hired += 1;
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.arg(WORKER).arg(&self.url).arg(self.hired.to_string()).arg(self.folder).args(self.words);
        Owned::start(&mut command, "a worker")
    }

    /// One dies without a word, and another one comes.
    fn replace(&mut self, place: usize) {
        self.members[place].kill();
        self.members[place] = self.hire();
    }
}

fn simulate(words: &[String]) -> Result<(), String> {
    let numbers = Numbers::read(words)?;
    let runner = numbers.runner();
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let broker = Broker::start(folder.path(), free_port(), &[]);
    let access = broker.access();
    let (campaign, source) = pretend::campaign(folder.path());
    let mut team =
        Team { url: access.url.clone(), folder: folder.path(), words, hired: 0, members: Vec::new() };
    for _ in 0..numbers.of("workers") {
        let member = team.hire();
        team.members.push(member);
    }
    let mut rng = Rng::new(numbers.of("seed"));
    let pause = Duration::from_millis(numbers.of("kill-ms"));
    let (start, mut kills) = (Instant::now(), 0);
    let summary = runtime().block_on(async {
        let asked = Coordinating {
            campaign: &campaign,
            source,
            runner: &runner,
            window: 16,
            patience: numbers.patience(),
        };
        let mut watch = |_| {};
        let coordinating = coordinate(&access, asked, Arc::new(AtomicBool::new(false)), &mut watch);
        tokio::pin!(coordinating);
        loop {
            tokio::select! {
                ended = &mut coordinating => break ended,
                () = tokio::time::sleep(pause), if !pause.is_zero() => {
                    team.replace(rng.below(team.members.len()));
                    kills += 1;
                }
            }
        }
    });
    let summary = summary.map_err(|error| error.to_string())?;
    let seconds = start.elapsed().as_secs_f64();
    let (own, broker_cpu) = (cpu("self"), cpu(&broker.process.0.id().to_string()));
    drop(team);
    drop(broker);
    let store = Store::open(&folder.path().join("store")).map_err(|error| error.to_string())?;
    runner.check(&store);
    let bytes = std::fs::metadata(store.path()).map_or(0, |data| data.len());
    let each = |cpu: f64| cpu / summary.items as f64 * 1e3;
    println!("{} workers, {kills} of them killed, {seconds:.1} s", numbers.of("workers"));
    println!(
        "every batch was counted once: {} batches in {} items, {} tests",
        runner.batches, summary.items, summary.tests
    );
    println!("{:.0} tests/s, {:.0} items/s", summary.tests as f64 / seconds, summary.items as f64 / seconds);
    println!(
        "CPU of the coordinator {own:.2} s ({:.2} ms an item), of the broker {broker_cpu:.2} s ({:.2} ms)",
        each(own),
        each(broker_cpu)
    );
    println!("the store has {} kB", bytes >> 10);
    Ok(())
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.split_first() {
        Some((first, rest)) if first == WORKER => be_worker(rest),
        _ => simulate(&words),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
