//! Source text with its words coloured: SMT-LIB and C. One pass over the characters; everything is escaped.

use maud::{Markup, PreEscaped};
use output::quote::html;
use smt::Op;

/// Commands and binders of SMT-LIB.
const SMT_WORDS: &[&str] = &[
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-fun",
    "declare-sort",
    "declare-datatype",
    "declare-datatypes",
    "define-fun",
    "define-fun-rec",
    "define-const",
    "define-sort",
    "exit",
    "get-model",
    "get-value",
    "get-unsat-core",
    "get-info",
    "set-logic",
    "set-option",
    "set-info",
    "push",
    "pop",
    "reset",
    "let",
    "forall",
    "exists",
    "match",
    "!",
    "as",
    "_",
    "model",
];
const SORTS: &[&str] =
    &["Bool", "Int", "Real", "String", "RegLan", "BitVec", "FloatingPoint", "Array", "RoundingMode", "Seq"];
const C_WORDS: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "bool",
    "boolean",
    "byte",
    "class",
    "extends",
    "final",
    "implements",
    "interface",
    "null",
    "protected",
    "public",
    "private",
    "super",
    "this",
    "throws",
    "new",
    "throw",
    "try",
    "catch",
    "import",
    "package",
    "fn",
    "let",
    "mut",
    "match",
    "impl",
    "use",
    "pub",
];

fn span(class: &str, text: &str, out: &mut String) {
    out.push_str("<i class=\"");
    out.push_str(class);
    out.push_str("\">");
    out.push_str(&html(text));
    out.push_str("</i>");
}

/// An SMT-LIB script.
pub(super) fn smt(text: &str) -> Markup {
    let mut out = String::with_capacity(text.len() * 2);
    let bytes = text.as_bytes();
    let mut at = 0;
    let ends = |from: usize, end: &dyn Fn(u8) -> bool| {
        bytes[from..].iter().position(|&b| end(b)).map_or(text.len(), |n| from + n)
    };
    while at < text.len() {
        let (end, class) = match bytes[at] {
            b';' => (ends(at, &|b| b == b'\n'), "c"),
            b'"' => {
                let mut end = at + 1;
                loop {
                    end = ends(end, &|b| b == b'"') + 1;
                    // Two quotes stand for one.
                    if bytes.get(end) != Some(&b'"') {
                        break;
                    }
                    end += 1;
                }
                (end.min(text.len()), "s")
            }
            b'|' => ((ends(at + 1, &|b| b == b'|') + 1).min(text.len()), "v"),
            b'(' | b')' => (at + 1, "p"),
            b if b.is_ascii_whitespace() => (ends(at, &|b| !b.is_ascii_whitespace()), ""),
            _ => {
                let end = ends(at, &|b| b.is_ascii_whitespace() || b"()\";|".contains(&b)).max(at + 1);
                (end, word_class(&text[at..end]))
            }
        };
        if class.is_empty() {
            out.push_str(&html(&text[at..end]));
        } else {
            span(class, &text[at..end], &mut out)
        }
        at = end;
    }
    PreEscaped(out)
}

fn word_class(word: &str) -> &'static str {
    if SMT_WORDS.contains(&word) {
        "k"
    } else if SORTS.contains(&word) {
        "t"
    } else if word.starts_with(':') {
        "a"
    } else if word.starts_with(|c: char| c.is_ascii_digit())
        || word.starts_with('#')
        || word == "true"
        || word == "false"
    {
        "n"
    } else if Op::by_name(word).is_some() {
        "o"
    } else {
        ""
    }
}

/// A line of C or something like it; comments over lines are left plain.
pub(super) fn c_line(text: &str) -> Markup {
    let mut out = String::with_capacity(text.len() * 2);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let (length, class) = if rest.starts_with("//") {
            (rest.len(), "c")
        } else if rest.starts_with("/*") {
            (rest.find("*/").map_or(rest.len(), |n| n + 2), "c")
        } else if rest.starts_with('#') && text[..at].trim().is_empty() {
            (rest.find(char::is_whitespace).unwrap_or(rest.len()), "a")
        } else if bytes[at] == b'"' || bytes[at] == b'\'' {
            (quoted(rest), "s")
        } else if bytes[at].is_ascii_digit() {
            (rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len()), "n")
        } else if bytes[at].is_ascii_alphabetic() || bytes[at] == b'_' {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let class = match &rest[..length] {
                word if C_WORDS.contains(&word) => "k",
                _ if rest[length..].starts_with('(') => "o",
                _ => "",
            };
            (length, class)
        } else {
            (rest.chars().next().map_or(1, char::len_utf8), "")
        };
        let piece = &rest[..length];
        if class.is_empty() {
            out.push_str(&html(piece));
        } else {
            span(class, piece, &mut out)
        }
        at += length;
    }
    PreEscaped(out)
}

/// The length of a literal in quotes.
fn quoted(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut escaped = false;
    for (at, &byte) in text.as_bytes().iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b if b == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(markup: &str) -> String {
        let (mut out, mut inside) = (String::new(), false);
        for c in markup.chars() {
            match c {
                '<' => inside = true,
                '>' => inside = false,
                c if !inside => out.push(c),
                _ => {}
            }
        }
        out.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&amp;", "&")
    }

    #[test]
    fn nothing_is_lost_and_nothing_is_markup() {
        for text in [
            "(assert (= x \"a\"\"<b>\")) ; <c>\n",
            "(declare-const |<x| Int)",
            "\"open",
            "|open",
            "é(<)\"é",
            "",
            "(assert (str.< a b))",
        ] {
            assert_eq!(bare(&smt(text).into_string()), text);
            assert!(!smt(text).into_string().contains("<b>"));
        }
        for line in
            ["int x = '\\''; // <a>", "/* a */ \"b\\\"", "#include <stdio.h>", "é = \"é", "if (a<b) f(1.5f);"]
        {
            assert_eq!(bare(&c_line(line).into_string()), line);
        }
        assert!(smt("(assert true)").into_string().contains("<i class=\"k\">assert</i>"));
    }
}
