//! Campaigns from the command line: init, check with line and column, run, status, findings, export, report; and what goes wrong is
//! said in words, with the right exit code.

use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn soundline(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_soundline"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("soundline runs")
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn document(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", errors(output)))
}

#[test]
fn from_init_to_the_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    assert_eq!(code(&soundline(here, &["campaign", "init", "--solver", "z3"])), 0);
    let again = soundline(here, &["campaign", "init"]);
    assert!(code(&again) == 2 && errors(&again).contains("nothing was changed"));
    assert_eq!(code(&soundline(here, &["campaign", "check"])), 0);
    // A small one: a hundred tests of the enumeration on the solver that is installed.
    let source = "[campaign]\nname = \"small\"\n[limits]\njobs = 1\ntest-time = 1\n[[target]]\nsolver = \"z3\"\n[references]\nsolvers = [\"cvc5\"]\n[[strategy]]\nname = \"truth\"\n";
    std::fs::write(here.join("campaign.toml"), source).expect("written");
    let run =
        document(&soundline(here, &["campaign", "run", "--tests", "100", "--time-limit", "400", "--json"]));
    assert!(run["items"].as_u64() > Some(0), "{run}");
    let before = document(&soundline(here, &["campaign", "status", "--json"]))["counters"]["tests"]
        .as_u64()
        .expect("a count");
    assert!(before >= 100);
    // It goes on where it stopped: as many tests again, and none twice.
    soundline(
        here,
        &["campaign", "run", "--tests", &(before + 50).to_string(), "--time-limit", "400", "--json"],
    );
    let status = document(&soundline(here, &["campaign", "status", "campaign", "--json"]));
    assert!(status["counters"]["tests"].as_u64() > Some(before), "{status}");
    assert_eq!(status["counters"]["batches"], status["lanes"][0]["batches_done"]);
    assert_eq!(code(&soundline(here, &["report", "campaign", "--out", "site"])), 0);
    let page = std::fs::read_to_string(here.join("site/index.html")).expect("the page");
    assert!(page.contains("small"));
    let export = soundline(
        here,
        &["campaign", "export", "--junit", "junit.xml", "--sarif", "r.sarif", "--drafts", "drafts"],
    );
    assert_eq!(code(&export), 0, "{}", errors(&export));
    assert!(std::fs::read_to_string(here.join("junit.xml")).expect("there").starts_with("<?xml"));
}

#[test]
fn mistakes_are_said_with_their_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    std::fs::write(here.join("campaign.toml"), "[campaign]\nname = \"x\"\nsede = 3\n").expect("written");
    for command in ["check", "run"] {
        let output = soundline(here, &["campaign", command]);
        assert_eq!(code(&output), 2);
        assert!(
            errors(&output).contains("campaign.toml:3:1") && errors(&output).contains("`seed`"),
            "{}",
            errors(&output)
        );
    }
    let missing = soundline(here, &["campaign", "status", "nowhere"]);
    assert!(code(&missing) == 2 && errors(&missing).contains("no campaign here"), "{}", errors(&missing));
    std::fs::write(here.join("x.db"), "this is not a store, whatever its name may say, and never was")
        .expect("written");
    let broken = soundline(here, &["serve", "x.db", "--listen", "127.0.0.1:0"]);
    assert!(code(&broken) == 2 && errors(&broken).contains("nothing was changed"), "{}", errors(&broken));
    let nobody = soundline(here, &["worker", "--broker", "nats://127.0.0.1:1"]);
    assert!(code(&nobody) == 2 && errors(&nobody).contains("nats://127.0.0.1:1"), "{}", errors(&nobody));
    let open = soundline(here, &["worker", "--broker", "nats://broker.example:4222"]);
    assert!(code(&open) == 2 && errors(&open).contains("--clear-text"), "{}", errors(&open));
}

/// One at a time: a store that is in use, a port that is in use, a broker that wants a token, a store of a later version.
#[test]
fn what_is_taken_or_refuses_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let source = "[campaign]\nname = \"taken\"\n[[target]]\nsolver = \"z3\"\n[references]\nsolvers = [\"z3\"]\n[[strategy]]\nname = \"truth\"\n";
    std::fs::write(here.join("campaign.toml"), source).expect("written");
    let mut first = Command::new(env!("CARGO_BIN_EXE_soundline"))
        .args(["campaign", "run", "--jobs", "1", "--time-limit", "300"])
        .current_dir(here)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("soundline runs");
    while !std::fs::read_to_string(here.join("campaign/campaign.lock")).is_ok_and(|text| !text.is_empty()) {
        assert!(first.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::yield_now();
    }
    let second = soundline(here, &["campaign", "run", "--tests", "1"]);
    let said = errors(&second);
    assert!(
        code(&second) == 2 && said.contains("another `soundline campaign run` holds this store"),
        "{said}"
    );
    assert!(said.contains(&format!("process {}", first.id())), "{said}");
    Command::new("kill").args(["-TERM", &first.id().to_string()]).status().expect("kill runs");
    first.wait().expect("it ends");

    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let serve = soundline(here, &["serve", "campaign.toml", "--listen", &address]);
    assert!(code(&serve) == 2 && errors(&serve).contains(&address), "{}", errors(&serve));

    let port =
        std::net::TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a port").port();
    let mut broker = Command::new("nats-server")
        .args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "--auth", "open-sesame", "-sd"])
        .arg(here.join("broker"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server is installed (apt-get install nats-server)");
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        std::thread::yield_now();
    }
    let url = format!("nats://127.0.0.1:{port}");
    for arguments in [&["worker"][..], &["campaign", "run"]] {
        let refused = soundline(here, &[arguments, &["--broker", &url]].concat());
        let said = errors(&refused);
        assert!(code(&refused) == 2 && said.contains(&url) && said.contains("uthorization"), "{said}");
    }
    broker.kill().expect("it runs");
    broker.wait().expect("it ends");

    // The version stands at byte 60 of the file, in four bytes (the format of SQLite).
    let (store, wal) = (here.join("campaign/campaign.db"), here.join("campaign/campaign.db-wal"));
    assert!(!wal.exists() || std::fs::metadata(&wal).expect("there").len() == 0, "the store is not closed");
    let mut bytes = std::fs::read(&store).expect("the store");
    bytes[63] = 99;
    std::fs::write(&store, &bytes).expect("written");
    for arguments in [&["campaign", "run"][..], &["campaign", "status"], &["report", "--out", "site"]] {
        let newer = soundline(here, arguments);
        assert!(
            code(&newer) == 2 && errors(&newer).contains("schema 99"),
            "{arguments:?}: {}",
            errors(&newer)
        );
    }
    assert_eq!(std::fs::read(&store).expect("the store"), bytes, "it was touched");
}

/// Every strategy of the file does something, and so does a program of each machine.
#[test]
fn every_strategy_and_every_machine_works_in_a_campaign() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    std::fs::create_dir(here.join("seeds")).expect("made");
    for (number, bound) in [(1, 3), (2, 7)] {
        let text = format!(
            "(set-logic QF_LIA)(set-info :status sat)(declare-const x Int)(declare-const y Int)(assert (> (+ x y) {bound}))(assert (or (< x 5) (= y (- x 1))))(check-sat)\n"
        );
        std::fs::write(here.join(format!("seeds/{number}.smt2")), text).expect("written");
    }
    let c = "#include \"soundline.h\"\nint main(void) { int x; sl_symbolic(&x, sizeof x, \"x\"); if (x == 42) __builtin_trap(); return x > 3; }\n";
    std::fs::write(here.join("a.c"), c).expect("written");
    let java = "public class Main { public static void main(String[] a) throws Exception { int c = System.in.read(); if (c == 77) throw new IllegalStateException(\"found\"); } }\n";
    std::fs::write(here.join("Main.java"), java).expect("written");
    let strategies: String = ["truth", "approx", "mutate", "fusion", "enumerate", "all"]
        .map(|name| {
            let seeds = if ["approx", "mutate", "fusion"].contains(&name) {
                "seeds = [\"seeds\"]\nmutants = 10\n"
            } else {
                ""
            };
            format!("[[strategy]]\nname = \"{name}\"\n{seeds}")
        })
        .concat();
    let source = format!(
        "[campaign]\nname = \"every\"\n[limits]\njobs = 2\ntest-time = 1\nreduce = false\n[[target]]\nsolver = \"z3\"\n[references]\nsolvers = [\"z3\"]\n{strategies}\
         [[strategy]]\nname = \"enumerate\"\ncontexts = [\"pushed\"]\noptions = \"safe\"\n\
         [[explore]]\nprogram = \"a.c\"\ntime = 5\n[[explore]]\nprogram = \"Main.java\"\nstdin = 1\ntime = 20\n"
    );
    std::fs::write(here.join("campaign.toml"), source).expect("written");
    let checked = soundline(here, &["campaign", "check"]);
    assert_eq!(code(&checked), 0, "{}", errors(&checked));
    let mut status = Json::Null;
    for _ in 0..6 {
        let run = document(&soundline(here, &["campaign", "run", "--time-limit", "20", "--json"]));
        assert_eq!(run["broken"], serde_json::json!([]), "{run}");
        status = document(&soundline(here, &["campaign", "status", "--json"]));
        if lanes(&status).iter().all(|(_, tests)| *tests > 0) {
            break;
        }
    }
    for (lane, tests) in lanes(&status) {
        assert!(tests > 0, "{lane}: {status:#}");
    }
    assert_eq!(lanes(&status).len(), 9);
    assert_eq!(code(&soundline(here, &["report", "campaign", "--out", "site"])), 0);
    let pages: Vec<_> = std::fs::read_dir(here.join("site/exploration")).expect("explorations").collect();
    assert!(pages.len() >= 2, "{pages:?}");
    // What is not known is said with its place.
    for (key, wrong) in [
        ("contexts = [\"sideways\"]", "sideways"),
        ("options = \"wild\"", "wild"),
        ("mutants = 3", "mutants"),
    ] {
        std::fs::write(here.join("campaign.toml"), format!("[campaign]\nname = \"x\"\n[[target]]\nsolver = \"z3\"\n[[strategy]]\nname = \"enumerate\"\n{key}\n")).expect("written");
        let output = soundline(here, &["campaign", "check"]);
        assert!(
            code(&output) == 2
                && errors(&output).contains("campaign.toml:7:")
                && errors(&output).contains(wrong),
            "{}",
            errors(&output)
        );
    }
}

fn lanes(status: &Json) -> Vec<(String, u64)> {
    let lanes = status["lanes"].as_array().expect("lanes");
    let name = |lane: &Json| format!("{} {}", lane["strategy"], lane["subject"]);
    lanes.iter().map(|lane| (name(lane), lane["tests"].as_u64().unwrap_or(0))).collect()
}

#[test]
fn ci_writes_junit_and_sarif() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let run = soundline(
        here,
        &[
            "fuzz",
            "truth",
            "--solver",
            "z3",
            "--reference",
            "cvc5",
            "--ci",
            "--tests",
            "40",
            "--jobs",
            "1",
            "--out",
            "out",
        ],
    );
    assert!([0, 1].contains(&code(&run)), "{}", errors(&run));
    let sarif: Json =
        serde_json::from_slice(&std::fs::read(here.join("out/results.sarif")).expect("there")).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    assert!(std::fs::read_to_string(here.join("out/junit.xml")).expect("there").contains("truth on"));
    // The folder stays one of the fuzzer's, and can be shown.
    assert_eq!(code(&soundline(here, &["report", "out", "--out", "site"])), 0);
    assert!(here.join("site/findings.html").exists());
}

#[test]
fn a_crash_of_an_explored_program_is_something_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let program = r#"(module (import "soundline" "sl_symbolic" (func $s (param i32 i32 i32))) (memory (export "memory") 1)
        (data (i32.const 9) "x\00") (func (export "_start") (call $s (i32.const 0) (i32.const 4) (i32.const 9))
        (if (i32.eq (i32.load (i32.const 0)) (i32.const 7)) (then unreachable))))"#;
    std::fs::write(here.join("a.wat"), program).expect("written");
    let source = "[campaign]\nname = \"c\"\n[[explore]]\nprogram = \"a.wat\"\ntime = 60\n";
    std::fs::write(here.join("campaign.toml"), source).expect("written");
    let first = soundline(here, &["campaign", "run", "--json"]);
    assert_eq!(
        (code(&first), document(&first)["program_crashes"].as_u64()),
        (1, Some(1)),
        "{}",
        errors(&first)
    );
    // Nothing is left to do, so nothing new is found.
    let again = soundline(here, &["campaign", "run", "--json"]);
    assert_eq!(
        (code(&again), document(&again)["program_crashes"].as_u64()),
        (0, Some(0)),
        "{}",
        errors(&again)
    );
}
