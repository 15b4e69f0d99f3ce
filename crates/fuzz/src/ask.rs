//! What is sent to a solver: a test case's script with the options and the questions that its expectations call for. Owns
//! the order of those commands; knows nothing of how they travel.

use crate::case::{Batch, Expectation, TestCase};
use smt::print::{Style, write_command};
use smt::{Command, Dialect, Script, Terms};

/// Which questions follow a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Questions {
    /// A model where `sat` is expected, a core where a minimal one is known: an answer as expected brings no error message.
    AsExpected,
    /// A model after every query. A solver that says `unsat` answers it with an error, which [`crate::evidence`] leaves alone.
    Models,
    /// Nothing but the verdicts.
    Verdicts,
}

/// The text to send.
pub(crate) fn text(
    terms: &Terms,
    script: &Script,
    expected: &[Expectation],
    dialect: Dialect,
    questions: Questions,
) -> String {
    let mut out = String::with_capacity(1024);
    write(&mut out, terms, script, expected, dialect, questions);
    out
}

/// The text of a batch's case. A batch remembers what its cases share, so this is the quick way where nothing has to be put
/// between the commands.
pub(crate) fn case_text(batch: &mut dyn Batch, case: &TestCase, dialect: Dialect) -> String {
    let one_query_at_the_end =
        case.expected.len() == 1 && case.script.commands.last().is_some_and(Command::is_query);
    if !one_query_at_the_end {
        return text(batch.terms(), &case.script, &case.expected, dialect, Questions::AsExpected);
    }
    let mut out = String::with_capacity(1024);
    out.push_str(options(&case.expected));
    batch.write(case, Style { dialect, share: true }, &mut out);
    out.push_str(question(Questions::AsExpected, case.expected.first()));
    out
}

/// The options that the expected answers need.
fn options(expected: &[Expectation]) -> &'static str {
    let cores = expected.iter().any(|e| matches!(e, Expectation::Unsat { core: Some(_) }));
    match (expected.contains(&Expectation::Sat), cores) {
        (true, true) => "(set-option :produce-models true)\n(set-option :produce-unsat-cores true)\n",
        (true, false) => "(set-option :produce-models true)\n",
        (false, true) => "(set-option :produce-unsat-cores true)\n",
        (false, false) => "",
    }
}

/// What is asked after a query.
fn question(questions: Questions, expected: Option<&Expectation>) -> &'static str {
    match (questions, expected) {
        (Questions::Models, _) | (Questions::AsExpected, Some(Expectation::Sat)) => "(get-model)\n",
        (Questions::AsExpected, Some(Expectation::Unsat { core: Some(_) })) => "(get-unsat-core)\n",
        _ => "",
    }
}

/// Appends the text to send.
fn write(
    out: &mut String,
    terms: &Terms,
    script: &Script,
    expected: &[Expectation],
    dialect: Dialect,
    questions: Questions,
) {
    match questions {
        Questions::AsExpected => out.push_str(options(expected)),
        Questions::Models => out.push_str("(set-option :produce-models true)\n"),
        Questions::Verdicts => {}
    }
    let style = Style { dialect, share: true };
    let mut expected = expected.iter();
    for command in &script.commands {
        write_command(out, terms, command, style);
        out.push('\n');
        if command.is_query() {
            out.push_str(question(questions, expected.next()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::read_script;

    fn sent(source: &str, expected: &[Expectation], questions: Questions) -> String {
        let mut terms = Terms::new();
        let script = read_script(&mut terms, source).script;
        text(&terms, &script, expected, Dialect::V26, questions)
    }

    #[test]
    fn questions_follow_what_is_expected() {
        let source = "(declare-const x Int)(assert (! (> x 0) :named a))(check-sat)(assert (! (< x 0) :named b))(check-sat)";
        let core = Some(vec!["a".into(), "b".into()]);
        let text = sent(source, &[Expectation::Sat, Expectation::Unsat { core }], Questions::AsExpected);
        let questions: Vec<&str> =
            text.lines().filter(|l| l.starts_with("(get") || l.starts_with("(set")).collect();
        assert_eq!(
            questions,
            [
                "(set-option :produce-models true)",
                "(set-option :produce-unsat-cores true)",
                "(get-model)",
                "(get-unsat-core)"
            ]
        );
        let text = sent(source, &[Expectation::Open, Expectation::Open], Questions::AsExpected);
        assert!(!text.contains("get-"));
        assert_eq!(sent(source, &[], Questions::Models).matches("(get-model)").count(), 2);
    }
}
