//! Foreign solvers as processes for tests: Z3, cvc5 and CVC4 from the search path, given whole scripts on standard input.
//! A missing solver fails the test ([`crate::missing`]); a solver that exceeds its time is ended.

use process::Limits;
use std::sync::atomic::AtomicBool;
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

    /// The file name of the solver's program.
    pub fn program(self) -> &'static str {
        match self {
            SolverKind::Z3 => "z3",
            SolverKind::Cvc5 => "cvc5",
            SolverKind::Cvc4 => "cvc4",
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
    /// The solver on the search path. A missing one fails the test, or is `None` where tests may pass over it ([`crate::missing`]).
    pub fn find(kind: SolverKind) -> Option<Solver> {
        let found = Solver::on_path(kind);
        if found.is_none() {
            crate::missing(kind.program());
        }
        found
    }

    fn on_path(kind: SolverKind) -> Option<Solver> {
        let run = run(&[kind.program(), "--version"], "", 10).ok()?;
        let version =
            run.stdout.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
        Some(Solver { kind, version: version.trim_end_matches(',').into() })
    }

    /// What the solver prints for a script; each query may take `query_ms`, the whole `seconds`.
    pub fn run(&self, script: &str, query_ms: u64, seconds: u64) -> String {
        let words: Vec<String> =
            std::iter::once(self.kind.program().into()).chain(self.kind.arguments(query_ms)).collect();
        run(&words, script, seconds).expect("the solver was found").stdout
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

/// Gives a text to a fresh process that may run for so many seconds on the clock.
fn run<S: AsRef<std::ffi::OsStr>>(
    words: &[S],
    text: &str,
    seconds: u64,
) -> Result<process::Run, process::Error> {
    let time = Duration::from_secs(seconds);
    let limits = Limits { wall: time, ..Limits::with_cpu(time) };
    process::run(words, text.as_bytes(), &limits, &AtomicBool::new(false))
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
