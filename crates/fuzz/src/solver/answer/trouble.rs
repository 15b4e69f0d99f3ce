//! What goes wrong with solvers, told by the words they use: one table of patterns, taken from real messages of real
//! solvers. A complaint that no row knows is an [`Trouble::Error`]; nothing is thrown away.

use crate::tuning::solver_answer_trouble::MOST;
use process::{End, Run};
use std::sync::LazyLock;

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The solver lacks a feature, an operator, a logic or an option: never a defect.
    Unsupported(String),
    /// It cannot read the script.
    Parse(String),
    /// An internal check failed, or an exception was not caught: a defect, whatever the script.
    Assertion(String),
    /// A sanitizer reported something.
    Sanitizer(String),
    /// It died of a signal without a message that says more.
    Signal(i32),
    /// It ran out of memory, by our limit or its own account.
    OutOfMemory,
    /// It ran out of time, by our limit or its own account.
    Timeout,
    /// It printed more than it may.
    Flood,
    /// It complained in words that say no more.
    Error(String),
    /// It printed nothing and ended as if all were well.
    Silent,
    /// The caller stopped it.
    Stopped,
}

/// The kinds of complaint that words can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Sanitizer,
    OutOfMemory,
    Assertion,
    Timeout,
    /// A request that the verdict makes void, such as a model after `unsat`: no complaint at all.
    Void,
    Unsupported,
    Parse,
}

/// Words and what they mean; the first row that matches counts. Case does not matter.
const PATTERNS: &[(Kind, &str)] = &[
    (Kind::Sanitizer, "AddressSanitizer"),
    (Kind::Sanitizer, "LeakSanitizer"),
    (Kind::Sanitizer, "MemorySanitizer"),
    (Kind::Sanitizer, "ThreadSanitizer"),
    (Kind::Sanitizer, "UndefinedBehaviorSanitizer"),
    (Kind::Sanitizer, ": runtime error: "),
    (Kind::OutOfMemory, "out of memory"),
    (Kind::OutOfMemory, "std::bad_alloc"),
    (Kind::OutOfMemory, "memory exhausted"),
    (Kind::OutOfMemory, "cannot allocate memory"),
    (Kind::OutOfMemory, "memory limit"),
    (Kind::OutOfMemory, "max. memory exceeded"),
    (Kind::OutOfMemory, "memout"),
    (Kind::OutOfMemory, "MemoryError"),
    (Kind::Assertion, "ASSERTION VIOLATION"),
    (Kind::Assertion, "UNEXPECTED CODE WAS REACHED"),
    (Kind::Assertion, "Failed to verify:"),
    (Kind::Assertion, "Fatal failure within"),
    (Kind::Assertion, "Check failure"),
    (Kind::Assertion, "Assertion failure"),
    (Kind::Assertion, "Assertion `"),
    (Kind::Assertion, "Unreachable code reached"),
    (Kind::Assertion, "Unhandled case encountered"),
    (Kind::Assertion, "terminate called"),
    (Kind::Assertion, "panicked at"),
    (Kind::Timeout, "interrupted by timeout"),
    (Kind::Timeout, "timed out"),
    (Kind::Timeout, "timeout"),
    (Kind::Timeout, "resource limit"),
    (Kind::Timeout, "canceled"),
    (Kind::Void, "check annotation that says"),
    (Kind::Void, "ignoring unsupported logic"),
    (Kind::Void, "model is not available"),
    (Kind::Void, "there is no model: the answer was"),
    (Kind::Void, "core is not available"),
    (Kind::Void, "assumptions is not available"),
    (Kind::Void, "no model available"),
    (Kind::Void, "no unsat core available"),
    (Kind::Void, "unless after a SAT"),
    (Kind::Void, "unless immediately preceded by"),
    (Kind::Void, "unless in unsat mode"),
    (Kind::Void, "unless after UNSAT"),
    (Kind::Unsupported, "unsupported"),
    (Kind::Unsupported, "not supported"),
    (Kind::Unsupported, "does not support"),
    (Kind::Unsupported, "doesn't support"),
    (Kind::Unsupported, "not yet supported"),
    (Kind::Unsupported, "not implemented"),
    (Kind::Unsupported, "unimplemented"),
    (Kind::Unsupported, "unknown logic"),
    (Kind::Unsupported, "LogicInfo"),
    (Kind::Unsupported, "doesn't include THEORY"),
    (Kind::Unsupported, "unknown parameter"),
    (Kind::Unsupported, "unknown sort"),
    (Kind::Unsupported, "invalid sort"),
    (Kind::Unsupported, "invalid logic"),
    (Kind::Unsupported, "not declared as a type"),
    (Kind::Unsupported, "cannot handle"),
    (Kind::Unsupported, "not enabled"),
    (Kind::Unsupported, "unless explicitly enabled"),
    (Kind::Unsupported, "option is off"),
    (Kind::Unsupported, "try --"),
    (Kind::Unsupported, "unrecognized option"),
    (Kind::Parse, "Parse Error"),
    (Kind::Parse, "unknown constant"),
    (Kind::Parse, "unknown function"),
    (Kind::Parse, "not declared"),
    (Kind::Parse, "undeclared"),
    (Kind::Parse, "invalid"),
    (Kind::Parse, "unexpected"),
    (Kind::Parse, "expected"),
    (Kind::Parse, "incompatible"),
    (Kind::Parse, "wrong sort"),
    (Kind::Parse, "type check"),
    (Kind::Parse, "already declared"),
    (Kind::Parse, "already defined"),
    (Kind::Parse, "does not match declaration"),
    (Kind::Parse, "wrong number of arguments"),
];

/// The patterns as they are looked for.
static LOWER: LazyLock<Vec<(Kind, String)>> = LazyLock::new(|| {
    let lower = |(kind, pattern): &(Kind, &str)| (*kind, pattern.to_ascii_lowercase());
    PATTERNS.iter().map(lower).collect()
});

/// What a complaint means; `None` if it complains of nothing.
pub(crate) fn classify(message: &str) -> Option<Trouble> {
    let text = || essence(message);
    let lower = message.to_ascii_lowercase();
    let row = LOWER.iter().find(|(_, pattern)| lower.contains(pattern.as_str()));
    Some(match row.map(|(kind, _)| kind) {
        Some(Kind::Void) => return None,
        Some(Kind::Sanitizer) => Trouble::Sanitizer(text()),
        Some(Kind::OutOfMemory) => Trouble::OutOfMemory,
        Some(Kind::Assertion) => Trouble::Assertion(text()),
        Some(Kind::Timeout) => Trouble::Timeout,
        Some(Kind::Unsupported) => Trouble::Unsupported(text()),
        Some(Kind::Parse) if names_operator(message) => Trouble::Unsupported(text()),
        Some(Kind::Parse) => Trouble::Parse(text()),
        None => Trouble::Error(text()),
    })
}

/// The gravest of what a run shows: its end, its complaints, and what stands on standard error and between the answers.
pub(super) fn gravest(run: &Run, mut complaints: Vec<Trouble>) -> Option<Trouble> {
    // Standard error holds warnings too: only reports that cannot be warnings count, unless the solver died.
    let outcry = outcry(&run.stderr).or_else(|| outcry(&run.stdout));
    if let Some(report @ Trouble::Sanitizer(_)) = outcry {
        return Some(report);
    }
    match run.end {
        End::CpuLimit | End::WallLimit => return Some(Trouble::Timeout),
        End::MemoryLimit => return Some(Trouble::OutOfMemory),
        End::OutputLimit => return Some(Trouble::Flood),
        End::Stopped => return Some(Trouble::Stopped),
        End::Signalled(_) | End::Exited(_) => {}
    }
    if outcry.is_some() {
        return outcry;
    }
    if let Some(signal) = signal(run.end) {
        return Some(Trouble::Signal(signal));
    }
    if complaints.is_empty()
        && let End::Exited(code) = run.end
        && code != 0
    {
        complaints.extend(last_words(run, code));
    }
    // The first complaint is the cause of the others.
    let first = |wanted: fn(&Trouble) -> bool| complaints.iter().find(|trouble| wanted(trouble)).cloned();
    first(|trouble| matches!(trouble, Trouble::Assertion(_))).or_else(|| complaints.first().cloned())
}

/// The signal of which a process died; shells report it as an exit code.
fn signal(end: End) -> Option<i32> {
    const DEADLY: [i32; 6] = [4, 5, 6, 7, 8, 11];
    match end {
        End::Signalled(signal) => Some(signal),
        End::Exited(code) if DEADLY.contains(&(code - 128)) => Some(code - 128),
        _ => None,
    }
}

/// A report of a sanitizer or of a failed check, which may stand anywhere in a text.
fn outcry(text: &str) -> Option<Trouble> {
    // A solver that floods its output writes millions of lines: they are looked at one by one only where there is one to be found.
    let lower = text.to_ascii_lowercase();
    let is_grave = |kind: Kind| matches!(kind, Kind::Sanitizer | Kind::OutOfMemory | Kind::Assertion);
    if !LOWER.iter().any(|(kind, pattern)| is_grave(*kind) && lower.contains(pattern.as_str())) {
        return None;
    }
    let mut found = None;
    for (at, line) in text.lines().enumerate() {
        // A message in an answer is read there.
        if line.starts_with("(error") {
            continue;
        }
        match classify(line) {
            Some(Trouble::Sanitizer(message)) => return Some(Trouble::Sanitizer(message)),
            Some(trouble @ Trouble::OutOfMemory) if found.is_none() && line.contains("bad_alloc") => {
                found = Some(trouble)
            }
            Some(Trouble::Assertion(_)) if found.is_none() => {
                let lines: Vec<&str> = text.lines().skip(at).take(4).collect();
                found = Some(match classify(&lines.join("\n")) {
                    Some(Trouble::OutOfMemory) => Trouble::OutOfMemory,
                    _ => Trouble::Assertion(essence(&lines.join("\n"))),
                });
            }
            _ => {}
        }
    }
    found
}

/// What a solver that failed said last, if it did not say it as an answer.
fn last_words(run: &Run, code: i32) -> Option<Trouble> {
    let said =
        |text: &str| text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_string);
    // A solver whose complaints are all void ends with a code all the same.
    if run.stdout.contains("(error") && run.stderr.trim().is_empty() {
        return None;
    }
    match said(&run.stderr) {
        Some(line) => classify(&run.stderr).map(|trouble| match trouble {
            Trouble::Error(_) => Trouble::Error(essence(&line)),
            trouble => trouble,
        }),
        None => Some(Trouble::Error(format!("exit code {code}"))),
    }
}

/// Whether the name that a message does not know is an operator of the standard or of a theory.
fn names_operator(message: &str) -> bool {
    const BEFORE: [&str; 4] = ["unknown constant ", "unknown function/constant ", "Symbol '", "Symbol "];
    BEFORE.iter().filter_map(|before| message.split_once(before)).any(|(_, after)| {
        let name = after
            .split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '(' | ')'))
            .next()
            .unwrap_or("");
        smt::Op::by_name(name).is_some()
    })
}

/// The lines of a message that are not blank, at most a few, without the excerpt of the script.
fn essence(message: &str) -> String {
    let lines: Vec<&str> = message
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && *line != "^" && !line.starts_with('('))
        .take(4)
        .collect();
    let text = lines.join(" ");
    match text.char_indices().nth(MOST) {
        Some((i, _)) => format!("{}...", &text[..i]),
        None => text,
    }
}
