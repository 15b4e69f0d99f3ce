//! Many machines on one: a real nats-server, workers that die without a word, a broker that restarts. Every batch is counted once,
//! every finding is reported once and has its files. Solvers are made up; messages, streams and the store are real.

use campaign::broker::{Access, Coordinating, Working, connect, coordinate, work};
use campaign::file::Campaign;
use campaign::plan::Plan;
use campaign::store::Store;
use campaign::work::{Beat, Found, Item, ItemResult, Runner};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const BATCHES: u64 = 120;

struct Pretend;

impl Runner for Pretend {
    fn batches(&self, _: &Plan, _: &str) -> Result<Option<u64>, campaign::Error> {
        Ok(Some(BATCHES))
    }

    fn run(
        &self,
        _: &Plan,
        item: &Item,
        stop: &AtomicBool,
        _: &mut dyn FnMut(Beat),
    ) -> Result<Option<ItemResult>, campaign::Error> {
        std::thread::sleep(Duration::from_millis(40));
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let numbers = || item.first..item.first + item.count;
        let found = |number: u64| Found {
            class: "crash".into(),
            title: "crashes".into(),
            fingerprint: format!("{:08x}", number % 3),
            count: 1,
            files: BTreeMap::from([("reduced.smt2".into(), "(check-sat)".into())]),
            ..Found::default()
        };
        let counters = BTreeMap::from([
            ("tests".to_string(), numbers().map(|number| number + 1).sum()),
            ("batches".to_string(), item.count),
            // So that an item has one batch.
            ("wall_micros".to_string(), 5_000_000 * item.count),
        ]);
        Ok(Some(ItemResult { counters, findings: numbers().map(found).collect(), ..ItemResult::default() }))
    }
}

struct Broker {
    process: Child,
    port: u16,
}

impl Broker {
    fn start(folder: &Path, port: u16, extra: &[&str]) -> Broker {
        let process = Command::new("nats-server")
            .args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"])
            .arg(folder.join("broker"))
            .args(extra)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nats-server is installed (apt-get install nats-server)");
        Broker { process, port }
    }

    async fn ready(&self) {
        while tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn kill(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        // It may have been killed on purpose.
        self.process.kill().unwrap_or(());
        self.process.wait().map(drop).unwrap_or(());
    }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a port")
        .port()
}

fn campaign(folder: &Path) -> (Campaign, &'static str) {
    let source = "[campaign]\nname = \"many\"\nstore = \"store\"\n[[target]]\nsolver = \"z3@0\"\n[[strategy]]\nname = \"truth\"\n[references]\nsolvers = [\"z3@0\"]\n";
    (Campaign::read(source, folder).expect("a campaign"), source)
}

fn working(folder: &Path, number: u64) -> Working {
    Working {
        name: format!("worker-{number}"),
        jobs: 1,
        allow_commands: false,
        install: false,
        folder: folder.join(format!("packs-{number}")),
        patience: Duration::from_secs(2),
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

#[test]
fn kills_and_a_restart_lose_nothing_and_count_nothing_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let (campaign, source) = campaign(folder.path());
    let mut broker = Broker::start(folder.path(), free_port(), &[]);
    let access = Access { url: format!("nats://127.0.0.1:{}", broker.port), ..Access::default() };
    runtime().block_on(async {
        broker.ready().await;
        let stop = Arc::new(AtomicBool::new(false));
        let mut number = 0;
        let mut hire = || {
            number += 1;
            let (access, working, stop) = (access.clone(), working(folder.path(), number), stop.clone());
            tokio::spawn(async move { work(&access, working, Arc::new(Pretend), stop, |_| {}).await })
        };
        let mut team: Vec<_> = (0..6).map(|_| hire()).collect();
        let asked = Coordinating {
            campaign: &campaign,
            source,
            runner: &Pretend,
            window: 16,
            patience: Duration::from_secs(2),
        };
        let mut watch = |_| {};
        let coordinating = coordinate(&access, asked, stop.clone(), &mut watch);
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
                        broker.kill();
                        broker = Broker::start(folder.path(), broker.port, &[]);
                    }
                }
            }
        };
        assert_eq!(summary.tests, (1..=BATCHES).sum::<u64>());
        assert!(round >= 4, "the broker was never restarted");
    });
    let store = Store::open(&folder.path().join("store")).expect("the store");
    let counters = store.counters().expect("readable");
    assert_eq!((counters["batches"], counters["tests"]), (BATCHES, (1..=BATCHES).sum::<u64>()));
    let findings = store.findings().expect("readable");
    assert_eq!(findings.len(), 3);
    assert_eq!(findings.iter().map(|row| row.count).sum::<u64>(), BATCHES);
    for row in &findings {
        assert_eq!(store.files(row.id).expect("readable")["reduced.smt2"], "(check-sat)");
    }
}

#[test]
fn a_broker_that_refuses_is_said_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let (campaign, source) = campaign(folder.path());
    let nobody = Access { url: format!("nats://127.0.0.1:{}", free_port()), ..Access::default() };
    let broker = Broker::start(folder.path(), free_port(), &["--auth", "open-sesame"]);
    let access = Access { url: format!("nats://127.0.0.1:{}", broker.port), ..Access::default() };
    let token = folder.path().join("token");
    std::fs::write(&token, "open-sesame\n").expect("written");
    runtime().block_on(async {
        let error = connect(&nobody, "test").await.expect_err("nobody is there").to_string();
        assert!(error.contains(&nobody.url), "{error}");
        broker.ready().await;
        let asked = Coordinating {
            campaign: &campaign,
            source,
            runner: &Pretend,
            window: 16,
            patience: Duration::from_secs(2),
        };
        let stop = Arc::new(AtomicBool::new(false));
        let error = coordinate(&access, asked, stop, &mut |_| {}).await.expect_err("refused").to_string();
        assert!(error.contains("uthorization"), "{error}");
        connect(&Access { token_file: Some(token), ..access }, "test").await.expect("the token opens it");
    });
    // The store is as it was: nothing was handed out.
    assert_eq!(
        Store::open(&folder.path().join("store")).expect("a store").items().expect("readable"),
        [0, 0, 0]
    );
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
                "tls {{ cert_file: server.pem, key_file: server.key }}\nauthorization {{ {authorization} }}\n"
            ),
        );
        let config = config.expect("a path").display().to_string();
        let own = here.join(format!("store-{kind}"));
        std::fs::create_dir_all(&own).expect("made");
        let mut command = Command::new("nats-server");
        let port = free_port();
        command
            .args(["-c", &config, "-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"])
            .arg(own.join("broker"));
        let process = command.current_dir(here).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let broker = Broker { process: process.expect("nats-server runs"), port };
        let stranger = Access {
            url: format!("tls://localhost:{port}"),
            authorities: Some(here.join("ours.pem")),
            ..Access::default()
        };
        let known = match kind {
            "user" => Access {
                user: Some(("ada".into(), file("password", "secret\n").expect("a path"))),
                ..stranger.clone()
            },
            "token" => Access { token_file: file("token", "open-sesame\n"), ..stranger.clone() },
            _ => Access { nkey_file: file("nkey", NKEY.0), ..stranger.clone() },
        };
        runtime().block_on(async {
            broker.ready().await;
            let wrong = [
                ("without a key", stranger.clone(), "uthorization"),
                ("by an authority that nobody knows", Access { authorities: None, ..known.clone() }, ""),
                (
                    "by another authority",
                    Access { authorities: Some(here.join("other.pem")), ..known.clone() },
                    "",
                ),
                (
                    "with a key that is not there",
                    Access { token_file: Some(here.join("none")), ..known.clone() },
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
            let asked = Coordinating {
                campaign: &campaign,
                source,
                runner: &Few,
                window: 4,
                patience: Duration::from_secs(5),
            };
            let worker = {
                let (access, working, stop) = (known.clone(), working(&own, 1), stop.clone());
                tokio::spawn(async move { work(&access, working, Arc::new(Few), stop, |_| {}).await })
            };
            let summary = coordinate(&known, asked, stop, &mut |_| {}).await.expect("coordinated");
            assert_eq!((summary.tests, summary.items), (FEW, FEW), "{kind}");
            worker.await.expect("no panic").expect("worked");
        });
    }
}

const FEW: u64 = 5;

/// Some batches of a test each.
struct Few;

impl Runner for Few {
    fn batches(&self, _: &Plan, _: &str) -> Result<Option<u64>, campaign::Error> {
        Ok(Some(FEW))
    }

    fn run(
        &self,
        _: &Plan,
        item: &Item,
        _: &AtomicBool,
        _: &mut dyn FnMut(Beat),
    ) -> Result<Option<ItemResult>, campaign::Error> {
        let counters =
            [("tests", item.count), ("batches", item.count), ("wall_micros", 5_000_000 * item.count)];
        let counters = counters.map(|(name, count)| (name.to_string(), count));
        Ok(Some(ItemResult { counters: counters.into(), ..ItemResult::default() }))
    }
}
