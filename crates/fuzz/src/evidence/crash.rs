//! When two crashes are the same: their messages agree but for what changes from run to run. A signal without a message is told by
//! the stack, where a debugger can show it.

use super::oracle::Oracle;
use super::signs;
use crate::solver::answer::{Answer, Trouble};

/// Where a script crashes the target, as far as a debugger can tell: nothing where the crash has a message of its own.
pub(crate) fn crash_place(oracle: &Oracle<'_>, text: &str, answer: &Answer) -> Option<Vec<String>> {
    match answer.trouble {
        Some(Trouble::Signal(_)) => oracle.target.stack(text, &oracle.limits, oracle.stop),
        _ => None,
    }
}

/// The message of a crash without what changes from run to run; `None` if the answer shows no crash.
pub(crate) fn crash_key(answer: &Answer) -> Option<String> {
    let text = answer.trouble.as_ref().and_then(signs::crash)?;
    Some(normalised(&text))
}

/// A message without folders, and without numbers but those that say where in the source it was.
fn normalised(text: &str) -> String {
    let mut key = String::new();
    let mut previous = "";
    for word in text.split_whitespace().take(40) {
        if !key.is_empty() {
            key.push(' ');
        }
        let name = word.rsplit('/').next().unwrap_or(word);
        let is_place =
            previous == "Line:" || [".cpp:", ".h:", ".c:", ".cc:"].iter().any(|p| name.contains(p));
        let mut in_number = false;
        for c in name.chars() {
            match c.is_ascii_digit() && !is_place {
                true if in_number => {}
                true => key.push('N'),
                false => key.push(c),
            }
            in_number = c.is_ascii_digit();
        }
        previous = word;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn messages_are_compared_without_what_changes() {
        let a = normalised("ASSERTION VIOLATION\nFile: ../src/smt/theory_str.cpp\nLine: 4873\nm_x != 17");
        let b = normalised("ASSERTION VIOLATION File: /build/z3/src/smt/theory_str.cpp Line: 4873 m_x != 2");
        assert_eq!(a, b);
        assert_eq!(a, "ASSERTION VIOLATION File: theory_str.cpp Line: 4873 m_x != N");
        assert_ne!(a, normalised("ASSERTION VIOLATION File: theory_str.cpp Line: 12 m_x != 17"));
    }
}
