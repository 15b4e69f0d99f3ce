//! What a run means: verdicts with what belongs to them, and what went wrong. Reads any text with the lexer of `smt`, never
//! fails and never guesses: what is not understood is left out of the replies and, if it looks like a complaint, told as
//! [`Trouble`].

mod trouble;

pub use trouble::Trouble;
pub(crate) use trouble::classify;

use crate::case::Verdict;
use process::{End, Run};
use smt::lexer::next_expression;

/// What a solver said to one query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// What the solver says about the query.
    pub verdict: Verdict,
    /// What it printed for `get-model`.
    pub model: Option<String>,
    /// What it printed for `get-unsat-core` or `get-unsat-assumptions`.
    pub core: Option<Vec<String>>,
    /// What it printed for `get-value`; several follow each other.
    pub values: Option<String>,
    /// What it printed for `(get-info :reason-unknown)`.
    pub reason_unknown: Option<String>,
}

/// What a run means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// One entry for each verdict, in order. What follows a verdict up to the next belongs to it. After a complaint solvers
    /// differ in whether they go on, so that with [`Answer::trouble`] the verdicts may be about a part of the script only.
    pub replies: Vec<Reply>,
    /// What went wrong; the gravest, if several things did.
    pub trouble: Option<Trouble>,
}

/// What Z3 adds to `unsupported`, on standard error, where it does not know the name of a logic and goes on with all that it has.
const IGNORED_LOGIC: &str = "ignoring unsupported logic";

/// What Z3 says on standard error of a function or constant that a procedure leaves open. It answers for the rest.
fn left_open(stderr: &str) -> Option<Trouble> {
    let is_left = |line: &&str| line.starts_with("(declare-fun ") && line.ends_with(" not handled");
    stderr.lines().find(is_left).map(|line| Trouble::Unsupported(line.into()))
}

/// Reads what a solver printed and how it ended.
pub fn read(run: &Run) -> Answer {
    let mut replies: Vec<Reply> = Vec::new();
    let mut complaints: Vec<Trouble> = Vec::new();
    let mut at = 0;
    while let Some((range, whole)) = next_piece(&run.stdout, at) {
        at = range.end;
        let text = &run.stdout[range];
        if let Some(verdict) = Verdict::from_word(text) {
            replies.push(Reply { verdict, model: None, core: None, values: None, reason_unknown: None });
        } else if let Some(message) = error_message(text) {
            complaints.extend(classify(&message));
        } else if text == "unsupported" && replies.is_empty() && run.stderr.contains(IGNORED_LOGIC) {
            // The logic's name alone is unknown: all of the script is answered.
        } else if matches!(text, "unsupported" | "timeout" | "memout") {
            complaints.extend(classify(text));
        } else if let (Some(reply), true) = (replies.last_mut(), whole && text.starts_with('(')) {
            place(reply, text);
        }
    }
    complaints.extend(left_open(&run.stderr));
    let is_refusal = |trouble: &Trouble| {
        matches!(trouble, Trouble::Unsupported(_) | Trouble::Parse(_) | Trouble::Error(_))
    };
    let refused = complaints.iter().any(is_refusal);
    let trouble = trouble::gravest(run, complaints).or_else(|| {
        let silent = replies.is_empty() && run.end == End::Exited(0) && run.stdout.trim().is_empty();
        silent.then_some(Trouble::Silent)
    });
    // A crash or a timeout that hides a refusal must not lend weight to answers to the rest of the script.
    if refused && !trouble.as_ref().is_some_and(is_refusal) {
        replies.clear();
    }
    Answer { replies, trouble }
}

/// The next expression; an error message is taken up to the line that ends it, as solvers do not always double the quotes
/// inside.
fn next_piece(text: &str, at: usize) -> Option<(std::ops::Range<usize>, bool)> {
    let (range, whole) = next_expression(text, at)?;
    if !text[range.start..].starts_with("(error \"") {
        return Some((range, whole));
    }
    let ends_line = |end: usize| text[end..].starts_with(['\n', '\r']) || end == text.len();
    if whole && ends_line(range.end) {
        return Some((range, whole));
    }
    let close = text[range.start..]
        .match_indices("\")")
        .map(|(i, _)| range.start + i + 2)
        .find(|&end| ends_line(end));
    Some((range.start..close.unwrap_or(range.end), whole || close.is_some()))
}

/// The text of `(error "...")`.
fn error_message(text: &str) -> Option<String> {
    let inside = text.strip_prefix("(error")?.trim_start().strip_prefix('"')?;
    Some(inside.trim_end_matches(')').trim_end().trim_end_matches('"').replace("\"\"", "\"").trim().into())
}

/// Puts a list where it belongs. An empty list is a model after `sat` and a core after `unsat`.
fn place(reply: &mut Reply, text: &str) {
    let items = items(text);
    let first = items.first().copied().unwrap_or("");
    if first == ":reason-unknown" {
        reply.reason_unknown = items.get(1).map(|word| word.trim_matches('"').to_string());
    } else if first.starts_with(':') || first == "objectives" {
        // Statistics and other information.
    } else if first == "model"
        || is_definition(first)
        || (items.is_empty() && reply.verdict != Verdict::Unsat)
    {
        reply.model.get_or_insert_with(|| text.into());
    } else if reply.verdict == Verdict::Unsat
        && items.iter().all(|item| !item.starts_with('(') || is_not(item))
    {
        reply.core.get_or_insert_with(|| items.iter().map(|item| item.to_string()).collect());
    } else if items.iter().all(|item| item.starts_with('(')) {
        match &mut reply.values {
            Some(values) => {
                values.push('\n');
                values.push_str(text);
            }
            None => reply.values = Some(text.into()),
        }
    }
}

/// Whether an entry of a list makes the list a model.
fn is_definition(item: &str) -> bool {
    const HEADS: [&str; 7] = [
        "define-fun",
        "define-fun-rec",
        "define-funs-rec",
        "define-const",
        "declare-fun",
        "declare-datatypes",
        "forall",
    ];
    item.strip_prefix('(').is_some_and(|rest| {
        let head = rest.trim_start().split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("");
        HEADS.contains(&head) || head == "declare-sort" || head == "define-sort"
    })
}

/// Whether an item is a negated literal, as cores of assumptions hold them.
fn is_not(item: &str) -> bool {
    items(item).first() == Some(&"not")
}

/// The expressions between the parentheses of a list.
fn items(list: &str) -> Vec<&str> {
    let inside = list.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or("");
    let (mut at, mut found) = (0, Vec::new());
    while let Some((range, _)) = next_expression(inside, at) {
        at = range.end;
        found.push(&inside[range]);
    }
    found
}

#[cfg(test)]
mod tests;
