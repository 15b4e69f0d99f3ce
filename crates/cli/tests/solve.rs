//! The real binary: files and standard input in, answers, JSON, partial solutions and exit codes out.

use serde_json::Value as Json;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn soundline() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soundline"));
    command.arg("solve");
    command
}

/// A folder of its own for a test's files.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn file(folder: &std::path::Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file for the test");
    path
}

fn with_input(command: &mut Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the binary reads");
    child.wait_with_output().expect("the binary ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the binary writes UTF-8")
}

const SAT: &str = "(set-logic QF_LIA)(set-info :status sat)(declare-const x Int)(assert (and (> x 2) (< x 5)))(check-sat)\n";

#[test]
fn standard_input_is_answered_and_the_exit_code_tells_about_errors() {
    let fine = with_input(&mut soundline(), &format!("{SAT}(get-value ((> x 2)))"));
    assert_eq!((text(&fine.stdout), fine.status.code()), ("sat\n(((> x 2) true))\n".into(), Some(0)));
    let wrong = with_input(&mut soundline(), "(assert (> y 0))\n(check-sat)\n(check-sat");
    assert_eq!(
        text(&wrong.stdout),
        "(error \"line 1 column 12: unknown symbol `y`\")\nunknown\n\
         (error \"line 3 column 11: the text ends inside a command, expected `)`\")\n"
    );
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_client_gets_each_answer_before_it_asks_again() {
    let mut child =
        soundline().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let dialogue = [
        ("(set-option :print-success true)", "success"),
        ("; nothing\n(declare-const\n p Bool)", "success"),
        ("(assert p) ; and so on", "success"),
        ("(check-sat)", "sat"),
        ("(get-value (p))", "((p true))"),
        ("(assert (not p))", "success"),
        ("(check-sat)", "unsat"),
        ("(exit)", "success"),
    ];
    for (command, expected) in dialogue {
        // In one piece: the binary ends at `(exit)`, and may be gone when the end of that line is written after it.
        input.write_all(format!("{command}\n").as_bytes()).expect("the binary reads");
        assert_eq!(lines.next().expect("an answer").expect("text"), expected, "{command}");
    }
    assert_eq!(child.wait().expect("the binary ends").code(), Some(0));
}

/// A square is never two more than a multiple of three, but local search cannot know.
const ENDLESS: &str = "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)
    (assert (= (* x x) (+ 2 (* 3 y))))(echo \"begin\")(check-sat)(echo \"end\")\n";

#[cfg(unix)]
#[test]
fn an_interrupt_is_answered_by_unknown_and_ends_the_run() {
    let mut child = soundline()
        .args(["--engine", "ils"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(ENDLESS.as_bytes()).expect("the binary reads");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut line = || lines.next().map(|line| line.expect("text"));
    assert_eq!(line().as_deref(), Some("\"begin\""));
    // An interrupt between two commands is answered by nothing: the query has to be under way.
    let begun = cpu_ticks(child.id());
    while cpu_ticks(child.id()) < begun + 10 {
        std::thread::yield_now();
    }
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(signal.success());
    // The client's end of the pipe is still open: it is the interrupt that ends the run.
    assert_eq!(line().as_deref(), Some("unknown"));
    assert_eq!(line(), None);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    drop(input);
}

/// The CPU time that a process has spent in its own code, in the kernel's ticks of 10 ms.
#[cfg(unix)]
fn cpu_ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process is there");
    // The name in parentheses may hold blanks; the time is the twelfth field behind it.
    let fields = stat.rsplit(')').next().expect("a name in parentheses");
    fields.split_whitespace().nth(11).and_then(|ticks| ticks.parse().ok()).expect("a number of ticks")
}

#[test]
fn several_files_are_told_apart_and_folders_are_searched() {
    let folder = folder("several");
    file(&folder, "a.smt2", SAT);
    file(&folder, "b.smt2", "(assert false)(check-sat)(exit)(nonsense");
    let output = soundline().arg("--model").arg(&folder).output().expect("the binary runs");
    let shown = text(&output.stdout).replace(&format!("{}/", folder.display()), "");
    let value = shown.lines().nth(3).expect("a definition").to_string();
    assert!(["  (define-fun x () Int 3)", "  (define-fun x () Int 4)"].contains(&value.as_str()), "{shown}");
    assert_eq!(shown.replace(&value, "VALUE"), "; a.smt2\nsat\n(\nVALUE\n)\n; b.smt2\nunsat\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn json_tells_about_every_check() {
    let folder = folder("json");
    let path = file(&folder, "a.smt2", &format!("{SAT}(assert (= x 7))(check-sat)(assert 1)"));
    let output = soundline().args(["--json", "--seed", "3"]).arg(&path).output().expect("the binary runs");
    let document: Json = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!((&document["seed"], &document["stop_reason"]), (&Json::from(3), &Json::from("done")));
    let entry = &document["files"][0];
    assert_eq!(entry["file"], path.display().to_string());
    let (first, second) = (&entry["checks"][0], &entry["checks"][1]);
    assert_eq!((&first["check"], &first["verdict"]), (&Json::from(1), &Json::from("sat")));
    assert_eq!((&first["expected"], &first["conjuncts"]), (&Json::from("sat"), &Json::from(2)));
    assert!(first["model"].as_str().expect("a model").contains("(define-fun x () Int "));
    assert!(first["seconds"].as_f64().is_some_and(|s| s >= 0.0) && first["engine"].is_string());
    assert_eq!(second["check"], 2);
    assert_ne!(second["verdict"], "sat");
    assert!(second.get("model").is_none());
    assert!(entry["errors"][0].as_str().expect("an error").starts_with("(error \"line 2 column"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn counters_go_to_standard_error_and_caches_can_be_switched_off() {
    let script =
        "(declare-const p Bool)(assert p)(check-sat)(check-sat)(declare-const q Bool)(assert q)(check-sat)";
    let count = |arguments: &[&str], name: &str| -> u64 {
        let output = with_input(soundline().args(arguments), script);
        assert_eq!(text(&output.stdout), "sat\nsat\nsat\n");
        let errors = text(&output.stderr);
        let line =
            errors.lines().find(|l| l.starts_with(&format!("(:{name} "))).expect("the counter").to_string();
        line.trim_end_matches(')').rsplit(' ').next().expect("a number").parse().expect("a number")
    };
    assert_eq!(count(&["--stats"], "cache-exact-hits"), 2);
    assert_eq!(count(&["--stats"], "independence-splits"), 1);
    assert_eq!(count(&["--stats", "--no-cache"], "cache-exact-hits"), 0);
    assert_eq!(count(&["--stats", "--no-independence"], "independence-splits"), 0);
}

#[test]
fn partial_solutions_are_lines_of_json() {
    let folder = folder("partials");
    let target = folder.join("partials.jsonl");
    let script = "(declare-const x Int)(declare-const |y z| Int)(assert (> (+ x (* 2 |y z|)) 10))
        (assert (< (- x |y z|) 3))(assert (> (- (* 3 x) |y z|) 4))(assert (< (+ x |y z|) 13))(check-sat)";
    let output = with_input(soundline().arg("--partials").arg(&target).arg("--no-independence"), script);
    assert_eq!(output.status.code(), Some(0));
    let written = std::fs::read_to_string(&target).expect("the file is there");
    let records: Vec<Json> = written.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert!(!records.is_empty());
    for record in &records {
        assert_eq!(record["total"], 4);
        let values = record["values"].as_object().expect("values by name");
        assert_eq!(values.keys().collect::<Vec<_>>(), ["x", "y z"]);
        let number = |name: &str| -> i64 {
            values[name].as_str().expect("text").replace(['(', ')', ' '], "").parse().expect("an integer")
        };
        let (x, y) = (number("x"), number("y z"));
        let truths = [x + 2 * y > 10, x - y < 3, 3 * x - y > 4, x + y < 13];
        assert_eq!(record["holds"], truths.iter().filter(|&&t| t).count());
        assert_eq!(record["first_false"], truths.iter().position(|&t| !t).map_or(Json::Null, Json::from));
        assert_eq!((&record["check"], &record["file"]), (&Json::from(1), &Json::from("<stdin>")));
        assert!(record["engine"].is_string() && record["step"].is_u64());
    }
    let distinct: std::collections::BTreeSet<String> =
        records.iter().map(|r| r["values"].to_string()).collect();
    assert_eq!(distinct.len(), records.len());
}

#[test]
fn partial_solutions_replace_no_script_and_nothing_before_the_scripts_are_there() {
    let folder = folder("partials-over-scripts");
    let (script, kept) = (file(&folder, "a.smt2", SAT), file(&folder, "kept.jsonl", "kept\n"));
    let link = folder.join("link.jsonl");
    std::fs::remove_file(&link).unwrap_or(());
    std::os::unix::fs::symlink(&script, &link).expect("a link");
    let missing = folder.join("none.smt2");
    for (partials, scripts) in
        [(&script, vec![&script]), (&link, vec![&script]), (&kept, vec![&script, &missing])]
    {
        let output =
            soundline().arg("--partials").arg(partials).args(&scripts).output().expect("the binary runs");
        assert_eq!(output.status.code(), Some(2), "{partials:?}: {}", text(&output.stderr));
    }
    assert_eq!(std::fs::read_to_string(&script).expect("it is there"), SAT);
    assert_eq!(std::fs::read_to_string(&kept).expect("it is there"), "kept\n");
}

#[test]
fn wrong_usage_and_missing_files_are_exit_code_two() {
    for arguments in
        [&["--engine", "none"][..], &["--time-limit", "0"], &["--time-limit", "soon"], &["no-such-file.smt2"]]
    {
        let output = soundline().args(arguments).stdin(Stdio::null()).output().expect("the binary runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).starts_with("error: "), "{arguments:?}");
    }
}

#[test]
fn files_are_solved_together_where_the_engine_can() {
    let folder = folder("together");
    let header = "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)";
    let a =
        file(&folder, "a.smt2", &format!("{header}(assert (= (* x y) 12))(check-sat)(get-value ((* x y)))"));
    let b = file(
        &folder,
        "b.smt2",
        &format!("{header}(assert (= (* x x) 9))(push)(assert (< x 0))(check-sat)(pop)(check-sat)"),
    );
    for engine in ["ils", "ils-classic"] {
        let output = soundline()
            .args(["--engine", engine, "--stats", "--time-limit", "20"])
            .args([&a, &b])
            .output()
            .expect("the binary runs");
        let shown = text(&output.stdout).replace(&format!("{}/", folder.display()), "");
        assert_eq!(shown, "; a.smt2\nsat\n(((* x y) 12))\n; b.smt2\nsat\nsat\n", "{engine}");
        assert!(text(&output.stderr).contains("(:solved-together 3)"), "{engine}");
    }
}
