//! `soundline solve` on the project's own corpus: no answer contradicts the status in a script, and engines do not lose logics that
//! they have. Every script of the corpus goes through the binary, several at a time.

use std::path::{Path, PathBuf};
use std::process::Command;

/// For each logic how many of its queries are decided at least, within a second each. A logic that is not listed may be unknown.
static DECIDED: &[(&str, usize)] = &[
    ("QF_LIA", 10),
    ("QF_LRA", 10),
    ("QF_LIRA", 10),
    ("QF_IDL", 10),
    ("QF_RDL", 10),
    ("QF_BV", 10),
    ("QF_UFBV", 10),
    ("QF_ABV", 10),
    ("QF_AUFBV", 10),
    ("QF_UFLIA", 10),
    ("QF_UFLRA", 10),
    ("QF_UF", 10),
    ("QF_AX", 9),
    ("QF_NIA", 8),
    ("QF_FP", 6),
];

fn scripts() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut found = Vec::new();
    for folder in std::fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()) {
        if folder.is_dir() {
            found.extend(std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    found.sort();
    found
}

/// The statuses that a script promises, in the order of its queries.
fn promised(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("(set-info :status ")?.strip_suffix(')'))
        .collect()
}

/// What `soundline solve` answers, query by query.
fn answers(script: &Path) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_soundline"))
        .args(["solve", "--time-limit", "1"])
        .arg(script)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|line| ["sat", "unsat", "unknown"].contains(line)).map(str::to_owned).collect()
}

#[test]
fn no_answer_contradicts_a_status() {
    let all = scripts();
    assert!(all.len() >= 350, "only {} scripts", all.len());
    let next = std::sync::atomic::AtomicUsize::new(0);
    let mut results: Vec<(usize, Vec<String>)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut mine = Vec::new();
                    loop {
                        let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        let Some(script) = all.get(i) else { break mine };
                        mine.push((i, answers(script)));
                    }
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    results.sort();
    let mut decided = std::collections::BTreeMap::<String, usize>::new();
    let mut wrong = Vec::new();
    for (i, given) in &results {
        let script = &all[*i];
        let text = std::fs::read_to_string(script).unwrap();
        let promised = promised(&text);
        let logic = script.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
        for (promise, answer) in promised.iter().zip(given) {
            if answer == promise {
                *decided.entry(logic.clone()).or_default() += 1;
            } else if answer != "unknown" {
                wrong.push(format!("{}: {answer}, not {promise}", script.display()));
            }
        }
    }
    println!("decided: {decided:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (logic, least) in DECIDED {
        let reached = decided.get(*logic).copied().unwrap_or(0);
        assert!(reached >= *least, "{logic}: {reached} decided, {least} expected; all: {decided:?}");
    }
}
