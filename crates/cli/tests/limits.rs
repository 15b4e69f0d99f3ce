//! Limits hold everywhere: inputs that each kept some part of the program busy for minutes, or filled the memory, end soon after
//! their time limit, and soon after a signal where there is no limit. What counts is the CPU time that a run takes: the
//! machine may be busy.

use process::{End, Limits};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a run may use beyond its limit of one second: a second of work between two looks at the clock, and the start.
const CPU: Duration = Duration::from_secs(3);
/// The same on the clock, on a machine that does much else.
const WALL: Duration = Duration::from_secs(60);
const MEMORY: u64 = 1 << 30;

/// A chain of definitions, each of which uses the one before it twice.
fn chain() -> String {
    let mut text = String::from("(declare-const x Int)(define-fun f0 ((y Int)) Int (+ y 1))\n");
    for i in 1..=10_000 {
        writeln!(text, "(define-fun f{i} ((y Int)) Int (f{0} (+ y (f{0} y))))", i - 1).expect("a string");
    }
    text + "(assert (> (f10000 x) 0))(check-sat)\n"
}

/// Squares of squares, 60 deep.
fn squares() -> String {
    let lets = (1..=60).map(|i| format!("(let ((a{i} (* a{0} a{0}))) ", i - 1)).collect::<String>();
    format!("(declare-const x Int)(assert (let ((a0 3)) (= x {lets}a60{})))(check-sat)\n", ")".repeat(61))
}

fn distinct() -> String {
    let names: Vec<String> = (0..3000).map(|i| format!("x{i}")).collect();
    let declared: String = names.iter().map(|x| format!("(declare-const {x} Int)")).collect();
    let bounded: String = names.iter().map(|x| format!("(assert (< 0 {x} 3000))")).collect();
    format!("(set-logic QF_LIA){declared}(assert (distinct {})){bounded}(check-sat)\n", names.join(" "))
}

/// Alternating quantifiers over reals: eliminating them takes time and space without bound.
fn quantified() -> String {
    let open: String = (0..40)
        .map(|i| format!("({} ((v{i} Real)) ", if i % 2 == 0 { "forall" } else { "exists" }))
        .collect();
    let clause = |i: usize| {
        let (a, b, c) = ((i * 7 + 3) % 40, (i * 5 + 1) % 40, (i + 1) % 40);
        format!("(or (< (+ v{i} v{a}) (* 3.0 v{b})) (> v{i} v{c}))")
    };
    let clauses: String = (0..40).map(clause).collect();
    format!("(set-logic LRA)(assert {open}(and {clauses}){})(check-sat)\n", ")".repeat(40))
}

/// Many variables in one block of quantifiers.
fn wide() -> String {
    let block = |name: &str| (0..12).map(|i| format!("({name}{i} Real)")).collect::<String>();
    let clause = |i: usize, j: usize| {
        format!("(or (< (+ x{i} y{j}) {}.0) (> (- x{j} y{i}) {i}.0) (= y{i} (* 2.0 x{j})))", i * j + 1)
    };
    let clauses: String = (0..144).map(|n| clause(n / 12, n % 12)).collect();
    format!(
        "(set-logic LRA)(assert (forall ({}) (exists ({}) (and {clauses}))))(check-sat)\n",
        block("x"),
        block("y")
    )
}

const FIBONACCI: &str = "(define-fun-rec fib ((n Int)) Int (ite (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
    (declare-const x Int)(assert (= x (fib 100)))(check-sat)\n";
const START: &str = r#"(module (memory (export "memory") 1) (func $s (loop $l (br $l))) (start $s) (func (export "_start")))"#;
const FILL: &str = r#"(module (memory (export "memory") 1024) (func (export "_start")
    (loop $l (memory.fill (i32.const 0) (i32.const 1) (i32.const 67108864)) (br $l))))"#;
const RANDOM: &str = r#"(module (import "wasi_snapshot_preview1" "random_get" (func $r (param i32 i32) (result i32)))
    (memory (export "memory") 1024) (func (export "_start")
    (loop $l (drop (call $r (i32.const 0) (i32.const 67108864))) (br $l))))"#;

/// The command of a row: a file, how it is named, and what is done with it.
struct Row {
    file: &'static str,
    text: String,
    /// Arguments before the file and after it.
    args: (&'static [&'static str], &'static [&'static str]),
}

fn rows() -> Vec<Row> {
    let scripts = [
        ("fibonacci", FIBONACCI.to_string()),
        ("squares", squares()),
        ("chain", chain()),
        ("distinct", distinct()),
        ("quantified", quantified()),
        ("wide", wide()),
    ];
    let mut rows = Vec::new();
    for (name, text) in scripts {
        let file = |kind: &str| -> &'static str { format!("{name}-{kind}.smt2").leak() };
        rows.push(Row { file: file("solve"), text: text.clone(), args: (&["solve"], &[]) });
        if ["fibonacci", "squares", "chain"].contains(&name) {
            rows.push(Row { file: file("eval"), text, args: (&["eval"], &["--model", "model"]) });
        }
    }
    for (file, text) in [("start.wat", START), ("fill.wat", FILL), ("random.wat", RANDOM)] {
        rows.push(Row { file, text: text.into(), args: (&["explore"], &["--fuel", "1000000000000"]) });
    }
    rows
}

fn words(row: &Row) -> Vec<&'static str> {
    [row.args.0, &[row.file], row.args.1].concat()
}

fn written(folder: &Path) -> Vec<Row> {
    fs::write(folder.join("model"), "((define-fun x () Int 5))").expect("written");
    let rows = rows();
    rows.iter().for_each(|row| fs::write(folder.join(row.file), &row.text).expect("written"));
    rows
}

#[test]
fn time_limits_hold_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits { cpu: 4 * CPU, wall: WALL, ..Limits::with_cpu(4 * CPU) };
    for row in written(folder.path()) {
        let command = process::Command::new(env!("CARGO_BIN_EXE_soundline"))
            .arguments(words(&row))
            .arguments(["--time-limit", "1"])
            .folder(folder.path());
        let run = command.run(b"", &limits, &AtomicBool::new(false));
        let run = run.expect("the binary runs");
        assert!(matches!(run.end, End::Exited(0..=2)), "{}: {:?}\n{}", row.file, run.end, run.stderr);
        assert!(run.cpu <= CPU, "{}: {:?} of CPU time", row.file, run.cpu);
        assert!(run.memory <= MEMORY, "{}: {} MB", row.file, run.memory >> 20);
    }
}

#[test]
fn signals_end_what_is_under_way() {
    let folder = tempfile::tempdir().expect("a folder");
    for (row, signal) in written(folder.path()).iter().zip(["-INT", "-TERM"].iter().cycle()) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_soundline"))
            .args(words(row))
            .args(["--time-limit", "600"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        // It is at work when it has used a part of a second; a start function is done with its fuel by then, or never.
        let begun = Instant::now();
        while cpu(child.id()) < 0.3 && begun.elapsed() < WALL && child.try_wait().expect("a child").is_none()
        {
            std::thread::yield_now();
        }
        let before = cpu(child.id());
        let sent = Command::new("kill").args([*signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(
            sent.success() || ["start.wat", "squares-eval.smt2"].contains(&row.file),
            "{} ended by itself",
            row.file
        );
        let asked = Instant::now();
        let mut used = before;
        while child.try_wait().expect("a child").is_none() {
            used = used.max(cpu(child.id()));
            let late = used - before > CPU.as_secs_f64() || asked.elapsed() > WALL;
            if late {
                child.kill().expect("it runs");
            }
            assert!(!late, "{} goes on after {signal}: {:.1} s of CPU time", row.file, used - before);
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// CPU seconds that a process has used.
fn cpu(process: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}
