//! Foreign solvers as processes for tests: Z3, cvc5 and CVC4 from the search path, given whole scripts on standard input.
//! A missing solver is `None`; a solver that exceeds its time is ended.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// Which solver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SolverKind {
    /// Z3
    Z3,
    /// cvc5
    Cvc5,
    /// CVC4
    Cvc4,
}

impl SolverKind {
    /// All of them.
    pub const ALL: [SolverKind; 3] = [SolverKind::Z3, SolverKind::Cvc5, SolverKind::Cvc4];

    /// The program's name.
    pub fn program(self) -> &'static str {
        match self {
            SolverKind::Z3 => "z3",
            SolverKind::Cvc5 => "cvc5",
            SolverKind::Cvc4 => "cvc4",
        }
    }

    /// The release that tests state facts about.
    pub fn known_version(self) -> &'static str {
        match self {
            SolverKind::Z3 => "4.8.12",
            SolverKind::Cvc5 => "1.0.3",
            SolverKind::Cvc4 => "1.8",
        }
    }

    fn arguments(self, query_ms: u64) -> Vec<String> {
        let common =
            ["--incremental", "--strings-exp", "--fp-exp", "--produce-models", "-q"].map(str::to_string);
        match self {
            SolverKind::Z3 => vec!["-in".into(), format!("-t:{query_ms}")],
            SolverKind::Cvc5 => [&common[..], &[format!("--tlimit-per={query_ms}")]].concat(),
            SolverKind::Cvc4 => {
                [&common[..], &["--lang=smt2.6".into(), format!("--tlimit-per={query_ms}")]].concat()
            }
        }
    }
}

/// A solver on the search path.
#[derive(Clone, Debug)]
pub struct Solver {
    /// Which it is.
    pub kind: SolverKind,
    /// The version it states.
    pub version: String,
}

/// What a solver says to one `check-sat`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// `sat`
    Sat,
    /// `unsat`
    Unsat,
    /// `unknown`, a timeout, or nothing
    Unknown,
    /// An error message, or output that is no answer.
    Error(String),
}

impl Solver {
    /// The solver, if it is on the search path and says its version.
    pub fn find(kind: SolverKind) -> Option<Solver> {
        let output = Command::new(kind.program()).arg("--version").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
        Some(Solver { kind, version: version.trim_end_matches(',').into() })
    }

    /// Whether this is the release that tests state facts about.
    pub fn is_known_version(&self) -> bool {
        self.version == self.kind.known_version()
    }

    /// What the solver prints for a script; each query may take `query_ms`, the whole `seconds`.
    pub fn run(&self, script: &str, query_ms: u64, seconds: u64) -> String {
        let mut child = Command::new(self.kind.program())
            .args(self.kind.arguments(query_ms))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the solver was found");
        let mut input = child.stdin.take().expect("a pipe");
        let mut output = child.stdout.take().expect("a pipe");
        let script = script.to_string();
        // The solver may stop reading at an error: a broken pipe only means that the rest has no answers.
        let writer = std::thread::spawn(move || input.write_all(script.as_bytes()).is_ok());
        let (sender, receiver) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            let mut text = Vec::new();
            let complete = output.read_to_end(&mut text).is_ok();
            sender.send(complete).expect("the caller waits");
            text
        });
        if receiver.recv_timeout(Duration::from_secs(seconds)).is_err() {
            child.kill().expect("the solver can be ended");
        }
        child.wait().expect("the solver ends");
        let text = reader.join().expect("the reader ends");
        writer.join().expect("the writer ends");
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The answers to queries that do not see each other: each is one or several commands up to its `check-sat`. A query
    /// that makes the solver give up is answered by an error, and the rest is asked again.
    pub fn ask(&self, prelude: &str, queries: &[String], query_ms: u64, seconds: u64) -> Vec<Answer> {
        let mut answers: Vec<Answer> = Vec::new();
        while answers.len() < queries.len() {
            let first = answers.len();
            let mut script = format!("(set-logic ALL)\n{prelude}\n");
            for (i, query) in queries.iter().enumerate().skip(first) {
                script.push_str(&format!("(echo \"@@{i}\")\n(push 1)\n{query}\n(check-sat)\n(pop 1)\n"));
            }
            script.push_str("(echo \"@@end\")\n");
            let output = self.run(&script, query_ms, seconds);
            let mut parts = output.split("@@").skip(1);
            for part in parts.by_ref() {
                let (_, answer) = part.split_once('\n').unwrap_or((part, ""));
                if part.starts_with("end") {
                    break;
                }
                answers.push(parse(answer));
            }
            if answers.len() == first {
                answers.push(Answer::Error(format!("no answer: {output}")));
            }
        }
        answers.truncate(queries.len());
        answers
    }
}

fn parse(text: &str) -> Answer {
    let text = text.trim().trim_end_matches('"').trim();
    match text {
        "sat" => Answer::Sat,
        "unsat" => Answer::Unsat,
        "unknown" | "timeout" | "" => Answer::Unknown,
        other => Answer::Error(other.into()),
    }
}
