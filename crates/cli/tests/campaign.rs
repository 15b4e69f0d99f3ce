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
    let source = "[campaign]\nname = \"small\"\n[limits]\njobs = 1\n[[target]]\nsolver = \"z3\"\n[references]\nsolvers = [\"cvc5\"]\n[[strategy]]\nname = \"truth\"\n";
    std::fs::write(here.join("campaign.toml"), source).expect("written");
    let run =
        document(&soundline(here, &["campaign", "run", "--tests", "100", "--time-limit", "60", "--json"]));
    assert!(run["items"].as_u64() > Some(0), "{run}");
    let before = document(&soundline(here, &["campaign", "status", "--json"]))["counters"]["tests"]
        .as_u64()
        .expect("a count");
    assert!(before >= 100);
    // It goes on where it stopped: as many tests again, and none twice.
    soundline(
        here,
        &["campaign", "run", "--tests", &(before + 50).to_string(), "--time-limit", "60", "--json"],
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
