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

/// What a crash of another release has in common with this one: where a message names a file of the source, that file. Its
/// lines and words change from release to release.
pub(super) fn crash_kin(key: &str) -> &str {
    let is_file = |word: &str| [".cpp", ".h", ".c", ".cc"].iter().any(|end| word.ends_with(end));
    let mut files = key.split_whitespace().map(|word| word.split(':').next().unwrap_or(word));
    files.rfind(|word| is_file(word)).unwrap_or(key)
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
    use super::{crash_kin, normalised};

    /// What Z3 4.8.9 and 4.8.14 say of one defect, and messages of cvc5.
    #[test]
    fn releases_are_compared_by_the_file() {
        let z3 = |line: u32, word: &str| {
            normalised(&format!(
                "ASSERTION VIOLATION\nFile: ../src/ast/fpa/fpa2bv_converter.cpp\nLine: {line}\n{word} CODE WAS REACHED."
            ))
        };
        assert_eq!(crash_kin(&z3(118, "UNREACHABLE")), crash_kin(&z3(119, "UNEXPECTED")));
        let cvc5 =
            normalised("Fatal failure within void f(x) at /w/src/smt/check_models.cpp:251 Internal error");
        assert_eq!(crash_kin(&cvc5), "check_models.cpp");
        assert_eq!(crash_kin("ended by signal N (SIGSEGV)"), "ended by signal N (SIGSEGV)");
    }

    #[test]
    fn messages_are_compared_without_what_changes() {
        let a = normalised("ASSERTION VIOLATION\nFile: ../src/smt/theory_str.cpp\nLine: 4873\nm_x != 17");
        let b = normalised("ASSERTION VIOLATION File: /build/z3/src/smt/theory_str.cpp Line: 4873 m_x != 2");
        assert_eq!(a, b);
        assert_eq!(a, "ASSERTION VIOLATION File: theory_str.cpp Line: 4873 m_x != N");
        assert_ne!(a, normalised("ASSERTION VIOLATION File: theory_str.cpp Line: 12 m_x != 17"));
    }
}
