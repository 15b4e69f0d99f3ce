//! Many machines on one: a real nats-server, workers that die without a word, a broker that restarts. Every batch is counted once,
//! every finding is reported once and has its files. Solvers are made up; messages, streams and the store are real.

mod pretend;

use campaign::broker::{BrokerAccess, Coordinating, connect, coordinate, work};
use campaign::file::Campaign;
use campaign::local::{Event, StopReason};
use campaign::store::Store;
use pretend::{Broker, Pretend, campaign, free_port, runtime, working};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(2);

fn asked<'a>(campaign: &'a Campaign, source: &'a str, runner: &'a Pretend) -> Coordinating<'a> {
    Coordinating { campaign, source, runner, window: 16, patience: PATIENCE }
}

#[test]
fn kills_and_a_restart_lose_nothing_and_count_nothing_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let (campaign, source) = campaign(folder.path());
    let runner = Pretend {
        batches: 120,
        pause: (Duration::from_millis(40), Duration::ZERO),
        operators: 20,
        ..Pretend::default()
    };
    let mut broker = Broker::start(folder.path(), free_port(), &[]);
    let access = broker.access();
    runtime().block_on(async {
        let stop = Arc::new(AtomicBool::new(false));
        let mut number = 0;
        let mut hire = || {
            number += 1;
            let working = working(folder.path(), number, PATIENCE);
            let (access, stop) = (access.clone(), stop.clone());
            tokio::spawn(async move { work(&access, working, Arc::new(runner), stop, |_| {}).await })
        };
        let mut team: Vec<_> = (0..6).map(|_| hire()).collect();
        let mut watch = |_| {};
        let coordinating = coordinate(&access, asked(&campaign, source, &runner), stop.clone(), &mut watch);
        tokio::pin!(coordinating);
        let mut round = 0;
        let summary = loop {
            tokio::select! {
                ended = &mut coordinating => break ended.expect("coordinated"),
                () = tokio::time::sleep(Duration::from_millis(150)) => {
                    round += 1;
                    if round <= 8 {
                        team[round % 6].abort();
                        team[round % 6] = hire();
                    }
                    if round == 4 {
                        broker.process.kill();
                        broker = Broker::start(folder.path(), broker.port, &[]);
                    }
                }
            }
        };
        assert_eq!(summary.tests, runner.all_tests());
        assert!(round >= 4, "the broker was never restarted");
    });
    runner.check(&Store::open(&folder.path().join("store")).expect("the store"));
}

/// Ends the broker once something was handed out. Nobody works yet, so items are left.
async fn leave(broker: &mut Broker, folder: &Path) {
    let begun = Instant::now();
    while items_out(folder) == 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing was handed out");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    broker.process.kill();
}

/// Keeps what the coordinator says.
fn keep(event: Event, notes: &Mutex<Vec<String>>) {
    if let Event::Note(text) = event {
        notes.lock().expect("not poisoned").push(text);
    }
}

/// Waits until a note contains these words.
async fn heard(notes: &Mutex<Vec<String>>, words: &str) {
    let begun = Instant::now();
    while !notes.lock().expect("not poisoned").iter().any(|note| note.contains(words)) {
        assert!(begun.elapsed() < Duration::from_secs(60), "{words:?} is not in {notes:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn a_broker_that_goes_away_is_said_when_it_goes_and_when_it_is_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (campaign, source) = campaign(folder.path());
    let runner = Pretend { batches: 20, ..Pretend::default() };
    let mut broker = Broker::start(folder.path(), free_port(), &[]);
    let access = broker.access();
    let notes = Mutex::new(Vec::new());
    runtime().block_on(async {
        let stop = Arc::new(AtomicBool::new(false));
        let mut watch = |event| keep(event, &notes);
        let coordinating = coordinate(&access, asked(&campaign, source, &runner), stop.clone(), &mut watch);
        let outage = async {
            leave(&mut broker, folder.path()).await;
            heard(&notes, "cannot be reached").await;
            broker = Broker::start(folder.path(), broker.port, &[]);
            heard(&notes, "is back").await;
            work(&access, working(folder.path(), 1, PATIENCE), Arc::new(runner), stop.clone(), |_| {}).await
        };
        let (summary, worked) = tokio::join!(coordinating, outage);
        worked.expect("worked");
        assert_eq!(summary.expect("coordinated").tests, runner.all_tests());
    });
    runner.check(&Store::open(&folder.path().join("store")).expect("the store"));
}

#[test]
fn a_coordinator_that_waits_for_its_broker_ends_when_it_is_told_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let (campaign, source) = campaign(folder.path());
    let runner = Pretend { batches: 500, ..Pretend::default() };
    let mut broker = Broker::start(folder.path(), free_port(), &[]);
    let access = broker.access();
    let notes = Mutex::new(Vec::new());
    runtime().block_on(async {
        let stop = Arc::new(AtomicBool::new(false));
        let mut watch = |event| keep(event, &notes);
        let coordinating = coordinate(&access, asked(&campaign, source, &runner), stop.clone(), &mut watch);
        let outage = async {
            leave(&mut broker, folder.path()).await;
            heard(&notes, "cannot be reached").await;
            stop.store(true, Ordering::Relaxed);
            Instant::now()
        };
        let (summary, told) = tokio::join!(coordinating, outage);
        assert_eq!(summary.expect("no failure").stop, StopReason::Interrupted);
        assert!(told.elapsed() < Duration::from_secs(10), "it went on waiting");
    });
    // What was handed out is still there, for the next coordinator.
    assert!(items_out(folder.path()) > 0);
}

/// The items that a coordinator has handed out and that nobody has done.
fn items_out(folder: &Path) -> usize {
    Store::open(&folder.join("store")).and_then(|store| store.out()).unwrap_or(0)
}

#[test]
fn a_broker_that_refuses_is_said_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let (campaign, source) = campaign(folder.path());
    let nobody = BrokerAccess { url: format!("nats://127.0.0.1:{}", free_port()), ..BrokerAccess::default() };
    let broker = Broker::start(folder.path(), free_port(), &["--auth", "open-sesame"]);
    let token = folder.path().join("token");
    std::fs::write(&token, "open-sesame\n").expect("written");
    runtime().block_on(async {
        let error = connect(&nobody, "test").await.expect_err("nobody is there").to_string();
        assert!(error.contains(&nobody.url), "{error}");
        let stop = Arc::new(AtomicBool::new(false));
        let runner = Pretend::default();
        let asked = asked(&campaign, source, &runner);
        let error =
            coordinate(&broker.access(), asked, stop, &mut |_| {}).await.expect_err("refused").to_string();
        assert!(error.contains("uthorization"), "{error}");
        let known = BrokerAccess { token_file: Some(token), ..broker.access() };
        connect(&known, "test").await.expect("the token opens it");
    });
    // The store is as it was: nothing was handed out.
    let store = Store::open(&folder.path().join("store")).expect("a store");
    assert_eq!(store.items().expect("readable"), [0, 0, 0]);
}

fn openssl(folder: &Path, words: &str) {
    let run = Command::new("openssl").args(words.split(' ')).current_dir(folder).output();
    let run = run.expect("openssl is installed (apt-get install openssl)");
    assert!(run.status.success(), "{words}: {}", String::from_utf8_lossy(&run.stderr));
}

/// A certificate for this machine, by an authority of our own.
fn certificates(folder: &Path) {
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n").expect("written");
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    for authority in ["ours", "other"] {
        openssl(
            folder,
            &format!(
                "req -x509 {key} -keyout {authority}.key -out {authority}.pem -subj /CN={authority} -days 2"
            ),
        );
    }
    openssl(folder, &format!("req -new {key} -keyout server.key -out server.csr -subj /CN=localhost"));
    openssl(
        folder,
        "x509 -req -in server.csr -CA ours.pem -CAkey ours.key -CAcreateserial -out server.pem -days 2 -extfile names",
    );
}

/// The seed of an nkey and its public part, as the documentation of NATS has them.
const NKEY: (&str, &str) = (
    "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY",
    "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4",
);

/// A broker with TLS that knows a user, a token or an nkey: who has the right key gets in, nobody else, and a whole campaign
/// goes through.
#[test]
fn tls_and_credentials_as_nats_has_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    certificates(here);
    let file = |name: &str, text: &str| {
        std::fs::write(here.join(name), text).expect("written");
        Some(here.join(name))
    };
    let rows = [
        ("user: ada, password: secret", "user"),
        ("token: open-sesame", "token"),
        (&format!("users: [ {{ nkey: {} }} ]", NKEY.1), "nkey"),
    ];
    for (authorization, kind) in rows {
        let config = file(
            "server.conf",
            &format!(
                "tls {{ cert_file: {0}/server.pem, key_file: {0}/server.key }}\nauthorization {{ {authorization} }}\n",
                here.display()
            ),
        );
        let config = config.expect("a path").display().to_string();
        let own = here.join(format!("store-{kind}"));
        std::fs::create_dir_all(&own).expect("made");
        let broker = Broker::start(&own, free_port(), &["-c", &config]);
        let port = broker.port;
        let stranger = BrokerAccess {
            url: format!("tls://localhost:{port}"),
            authorities: Some(here.join("ours.pem")),
            ..BrokerAccess::default()
        };
        let known = match kind {
            "user" => BrokerAccess {
                user: Some(("ada".into(), file("password", "secret\n").expect("a path"))),
                ..stranger.clone()
            },
            "token" => BrokerAccess { token_file: file("token", "open-sesame\n"), ..stranger.clone() },
            _ => BrokerAccess { nkey_file: file("nkey", NKEY.0), ..stranger.clone() },
        };
        runtime().block_on(async {
            let wrong = [
                ("without a key", stranger.clone(), "uthorization"),
                (
                    "by an authority that nobody knows",
                    BrokerAccess { authorities: None, ..known.clone() },
                    "",
                ),
                (
                    "by another authority",
                    BrokerAccess { authorities: Some(here.join("other.pem")), ..known.clone() },
                    "",
                ),
                (
                    "with a key that is not there",
                    BrokerAccess { token_file: Some(here.join("none")), ..known.clone() },
                    "none",
                ),
            ];
            for (how, access, words) in wrong {
                let error = connect(&access, "test")
                    .await
                    .err()
                    .unwrap_or_else(|| panic!("{kind} {how}"))
                    .to_string();
                assert!(error.contains(words), "{kind} {how}: {error}");
                assert!(!error.contains("secret") && !error.contains("open-sesame"), "{error}");
            }
            let stop = Arc::new(AtomicBool::new(false));
            let (campaign, source) = campaign(&own);
            let few = Pretend { batches: 5, ..Pretend::default() };
            let worker = {
                let (access, working, stop) = (known.clone(), working(&own, 1, PATIENCE), stop.clone());
                tokio::spawn(async move { work(&access, working, Arc::new(few), stop, |_| {}).await })
            };
            let asked = asked(&campaign, source, &few);
            let summary = coordinate(&known, asked, stop, &mut |_| {}).await.expect("coordinated");
            assert_eq!((summary.tests, summary.items), (few.all_tests(), few.batches), "{kind}");
            worker.await.expect("no panic").expect("worked");
        });
    }
}
