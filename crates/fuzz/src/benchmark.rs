//! A script of known or unknown status as it is given to solvers: in the names that each understands, with requests for models,
//! and the judgement of what comes back. Owns nothing that searches; `race` and `bisect` run it.

use crate::case::Verdict;
use crate::solver::answer::{Answer, Trouble};
use smt::lexer::CommandSplitter;
use smt::model::read_model;
use smt::print::{Style, script_to_string};
use smt::{Command, Dialect, Evaluator, Reader, Terms};
use std::borrow::Cow;

/// A script and what its `:status` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Benchmark {
    /// What it is called.
    pub name: String,
    /// The text as it was read.
    pub text: String,
    /// One entry for each query: what the `:status` before it says.
    pub expected: Vec<Option<Verdict>>,
    /// The text in the names of SMT-LIB 2.5, if they differ.
    old: Option<String>,
    /// The text with every backslash as an escape sequence, if it has one: the same string in every dialect of 2.6.
    escaped: Option<String>,
}

/// What an answer is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// Every query has the verdict that is expected, and no model is refuted.
    Right,
    /// A verdict, a model or the end of the process is wrong: why.
    Wrong(String),
    /// Neither: why.
    Open(String),
}

impl Judgement {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Judgement::Right => "right",
            Judgement::Wrong(_) => "wrong",
            Judgement::Open(_) => "open",
        }
    }

    /// Why, if there is a reason.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Judgement::Right => None,
            Judgement::Wrong(reason) | Judgement::Open(reason) => Some(reason),
        }
    }
}

impl Benchmark {
    /// Reads a script. One that `smt` does not understand is given to solvers as it is, and nothing is expected of it.
    pub fn new(name: String, text: String) -> Benchmark {
        let mut terms = Terms::new();
        let reading = Reader::new().read(&mut terms, &text);
        let (mut expected, mut status) = (Vec::new(), None);
        for command in &reading.script.commands {
            match command {
                Command::SetInfo(key, value) if terms.name(*key) == ":status" => {
                    status =
                        Verdict::from_word(terms.name(*value)).filter(|verdict| *verdict != Verdict::Unknown);
                }
                command if command.is_query() => expected.push(status.take()),
                _ => {}
            }
        }
        let printed = |dialect| {
            let style = Style { dialect, ..Style::default() };
            reading.errors.is_empty().then(|| script_to_string(&terms, &reading.script, style))
        };
        let old = printed(Dialect::V25);
        let escaped = if text.contains('\\') { printed(Dialect::V26Both) } else { None };
        Benchmark { name, text, expected, old, escaped }
    }

    /// The text for a solver.
    pub(crate) fn text_for(&self, dialect: Dialect) -> &str {
        match (dialect, &self.old) {
            (Dialect::V25, Some(old)) => old,
            (Dialect::V26Both, _) => self.escaped.as_ref().unwrap_or(&self.text),
            _ => &self.text,
        }
    }

    /// The text for a solver, with a model asked for after each query.
    pub fn text_with_models(&self, dialect: Dialect) -> String {
        let text = self.text_for(dialect);
        let mut splitter = CommandSplitter::default();
        let (mut out, mut at) = (String::with_capacity(text.len() + 64), 0);
        while let Some(range) = splitter.next(text.as_bytes()) {
            let is_query = text[range.clone()].starts_with("(check-sat");
            out.push_str(&text[at..range.end]);
            at = range.end;
            if is_query && !text[at..].trim_start().starts_with("(get-model") {
                out.push_str("\n(get-model)");
            }
        }
        out.push_str(&text[at..]);
        out
    }

    /// What an answer is worth, if these are the verdicts.
    pub fn judge(&self, answer: &Answer, dialect: Dialect, expected: &[Option<Verdict>]) -> Judgement {
        if let Some(trouble @ (Trouble::Assertion(_) | Trouble::Sanitizer(_) | Trouble::Signal(_))) =
            &answer.trouble
        {
            return Judgement::Wrong(format!("crash: {}", describe(trouble)));
        }
        // A solver that did not read the whole script answers another question.
        if let Some(trouble) = answer.trouble.as_ref().filter(|trouble| **trouble != Trouble::Timeout) {
            return Judgement::Open(describe(trouble).into());
        }
        for (reply, expected) in answer.replies.iter().zip(expected) {
            if let Some(expected) = expected
                && reply.verdict != Verdict::Unknown
                && reply.verdict != *expected
            {
                return Judgement::Wrong(format!("{} instead of {}", reply.verdict.word(), expected.word()));
            }
        }
        if let Some(query) = self.refuted(answer, dialect) {
            return Judgement::Wrong(format!("invalid model for check-sat {}", query + 1));
        }
        if let Some(trouble) = &answer.trouble {
            return Judgement::Open(describe(trouble).into());
        }
        let decided =
            |at: usize| answer.replies.get(at).is_some_and(|reply| reply.verdict != Verdict::Unknown);
        if expected.is_empty() || !(0..expected.len()).all(decided) {
            return Judgement::Open("unknown".into());
        }
        if expected.contains(&None) {
            Judgement::Open("nothing is expected".into())
        } else {
            Judgement::Right
        }
    }

    /// The first query whose model makes an assertion false. A model that cannot be read or leaves a value open refutes nothing.
    fn refuted(&self, answer: &Answer, dialect: Dialect) -> Option<usize> {
        let mut terms = Terms::new();
        let mut reader = Reader::with_dialect(dialect);
        let reading = reader.read(&mut terms, self.text_for(dialect));
        if !reading.errors.is_empty() {
            return None;
        }
        let queries = reading.script.queries();
        for (at, (reply, query)) in answer.replies.iter().zip(queries).enumerate() {
            let Some(text) = reply.model.as_ref().filter(|_| reply.verdict == Verdict::Sat) else { continue };
            let Ok(model) = read_model(&mut terms, &reader, text) else { continue };
            let mut evaluator = Evaluator::new(&terms, &model);
            if query.iter().any(|&assertion| evaluator.truth(assertion) == Ok(false)) {
                return Some(at);
            }
        }
        None
    }
}

/// What went wrong, in a few words.
pub fn describe(trouble: &Trouble) -> Cow<'_, str> {
    match trouble {
        Trouble::Unsupported(text) => format!("unsupported: {text}").into(),
        Trouble::Parse(text) => format!("rejected: {text}").into(),
        Trouble::Assertion(text) | Trouble::Sanitizer(text) | Trouble::Error(text) => text.as_str().into(),
        Trouble::Signal(signal) => format!("signal {signal}").into(),
        Trouble::OutOfMemory => "out of memory".into(),
        Trouble::Timeout => "timeout".into(),
        Trouble::Flood => "too much output".into(),
        Trouble::Silent => "no answer".into(),
        Trouble::Stopped => "stopped".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{End, Run, answer};
    use std::time::Duration;

    const SCRIPT: &str = "(set-info :status sat)\n(declare-const x String)\n(assert (= (str.to_int x) 7))\n(check-sat)\n\
                          (set-info :status unsat)\n(push 1)\n(assert (= x \"\"))\n(check-sat)\n(pop 1)\n(check-sat)\n";

    fn answer(stdout: &str, end: End) -> Answer {
        let (stdout, stderr) = (stdout.into(), String::new());
        answer::read(&Run { stdout, stderr, end, cpu: Duration::ZERO, wall: Duration::ZERO, memory: 0 })
    }

    #[test]
    fn a_status_belongs_to_the_next_query() {
        let benchmark = Benchmark::new("x".into(), SCRIPT.into());
        assert_eq!(benchmark.expected, [Some(Verdict::Sat), Some(Verdict::Unsat), None]);
        assert!(benchmark.text_for(Dialect::V25).contains("str.to.int"));
        assert_eq!(benchmark.text_with_models(Dialect::V26).matches("(check-sat)\n(get-model)").count(), 3);
    }

    #[test]
    fn answers_are_judged_by_verdict_model_and_end() {
        let benchmark = Benchmark::new("x".into(), SCRIPT.into());
        let expected = [Some(Verdict::Sat), Some(Verdict::Unsat), Some(Verdict::Sat)];
        let model = |value: &str| format!("sat\n((define-fun x () String \"{value}\"))\n");
        let judge = |stdout: &str, end: End| benchmark.judge(&answer(stdout, end), Dialect::V26, &expected);
        let right = format!("{}unsat\n{}", model("7"), model("07"));
        assert_eq!(judge(&right, End::Exited(0)), Judgement::Right);
        let wrong = |reason: &str| Judgement::Wrong(reason.into());
        assert_eq!(judge("unsat\nunsat\nsat\n", End::Exited(0)), wrong("unsat instead of sat"));
        let bad = format!("{}unsat\n{}", model("7"), model("8"));
        assert_eq!(judge(&bad, End::Exited(0)), wrong("invalid model for check-sat 3"));
        assert_eq!(judge("sat\nunsat\n", End::CpuLimit), Judgement::Open("timeout".into()));
        assert_eq!(judge("unsat\n", End::CpuLimit), wrong("unsat instead of sat"));
        assert_eq!(judge("sat\n", End::Signalled(11)), wrong("crash: signal 11"));
        assert_eq!(judge("sat\nunknown\nsat\n", End::Exited(0)), Judgement::Open("unknown".into()));
        // After a complaint the verdicts are about something else.
        let rejected = judge("(error \"line 1 column 1: invalid command\")\nunsat\n", End::Exited(1));
        assert!(matches!(rejected, Judgement::Open(reason) if reason.starts_with("rejected")));
    }
}
