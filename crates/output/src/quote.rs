//! Foreign text, quoted for where it goes: what solvers print, file names, symbols. A terminal must not obey it, a report must
//! keep its form around it, a shell must not run it, a page must not become it.

use std::fmt::Write;

/// Text for a terminal: line ends and tabs stay, other control characters are shown by their numbers.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || c == '\t' || !is_control(c) {
            out.push(c);
        } else {
            write!(out, "\\u{{{:x}}}", u32::from(c)).expect("a string grows");
        }
    }
    out
}

/// Control characters, and those that change the direction of what stands around them.
pub fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text in one line of a terminal or of a comment.
pub fn line(text: &str) -> String {
    visible(&text.replace(['\n', '\r', '\t'], " "))
}

/// Text within a paragraph of Markdown, in one line.
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in line(text).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '!') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Text as code within a paragraph of Markdown.
pub fn code(text: &str) -> String {
    let text = line(text);
    let ticks = "`".repeat(longest_run(&text) + 1);
    let pad = if text.is_empty() || text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// Text as a block of code in Markdown, with a fence that it does not hold.
pub fn block(language: &str, text: &str) -> String {
    let text = visible(text.trim_end());
    let fence = "`".repeat((longest_run(&text) + 1).max(3));
    format!("{fence}{language}\n{text}\n{fence}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A word for a shell.
pub fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:@,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Text for HTML and XML.
pub fn html(text: &str) -> String {
    let text = visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "```\n# Owned\n\u{1b}[2J<script>alert('x')</script>\u{202e}";

    #[test]
    fn nothing_foreign_gets_out() {
        assert!(!visible(HOSTILE).contains(['\u{1b}', '\u{202e}']));
        assert_eq!(line("a\nb\r\tc"), "a b  c");
        let text = markdown(HOSTILE);
        assert!(
            !text.contains('\n') && text.contains("\\`\\`\\`") && text.contains("\\<script\\>"),
            "{text}"
        );
        let text = block("", HOSTILE);
        assert!(text.starts_with("````\n```\n# Owned") && text.ends_with("\n````"), "{text}");
        assert_eq!(block("smt2", "(x)\n"), "```smt2\n(x)\n```");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!((code("plain"), code("`")), ("`plain`".into(), "`` ` ``".into()));
        assert!(!html(HOSTILE).contains(['<', '\'', '\u{1b}']));
    }

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(shell("smt.string_solver=z3str3"), "smt.string_solver=z3str3");
        assert_eq!(shell("it's"), "'it'\\''s'");
        assert_eq!(shell(""), "''");
    }
}
