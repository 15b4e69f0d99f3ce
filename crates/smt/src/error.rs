//! What can be wrong with a text, and where. Owns spans, line and column arithmetic and the source excerpt that a
//! message shows; where messages go is the caller's business.

use crate::sortcheck::SortError;
use std::fmt;

/// A range of bytes in a source text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// From one byte position up to another.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end: end.max(start) }
    }
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ErrorKind {
    /// The text ends inside something.
    #[error("the text ends inside {inside}, expected {expected}")]
    Truncated {
        /// What was not finished.
        inside: &'static str,
        /// What was expected next.
        expected: String,
    },
    /// Something else was expected here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What was expected.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A character that starts no token.
    #[error("unexpected character {0:?}")]
    Character(char),
    /// A byte sequence that is not UTF-8.
    #[error("the text is not UTF-8 here")]
    Encoding,
    /// A symbol that nothing declares.
    #[error("unknown {what} `{name}`")]
    Unknown {
        /// What it should have been: a symbol, a sort, an operator.
        what: &'static str,
        /// The name as it stands in the text.
        name: String,
    },
    /// A symbol whose declaration has an error of its own, which was reported. This one only follows from it.
    #[error("unknown symbol with a faulty declaration `{0}`")]
    FaultyDeclaration(String),
    /// A symbol that is declared twice.
    #[error("`{0}` is declared already")]
    Redeclared(String),
    /// An ill-sorted application.
    #[error(transparent)]
    Sort(#[from] SortError),
    /// A literal that is not well formed or too large.
    #[error("{0}")]
    Literal(String),
    /// Anything else, said in full.
    #[error("{0}")]
    Other(String),
}

/// Something wrong at a place in a source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Where.
    pub span: Span,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.kind, self.span.start)
    }
}

impl std::error::Error for Error {}

/// A place for people: both count from one, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The first line is 1.
    pub line: usize,
    /// The first character of a line is in column 1.
    pub column: usize,
}

/// Where a byte of a text is.
pub fn position(source: &str, byte: usize) -> Position {
    let byte = floor_boundary(source, byte);
    let before = &source[..byte];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    Position {
        line: before.bytes().filter(|&b| b == b'\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

fn floor_boundary(source: &str, byte: usize) -> usize {
    let mut byte = byte.min(source.len());
    while !source.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

/// How much of a long line an excerpt shows on each side.
const CONTEXT: usize = 60;

impl Error {
    /// The message with its place and the line it is on, the span underlined:
    ///
    /// ```text
    /// error: unknown symbol `y`
    ///  --> file.smt2:3:12
    ///   |
    /// 3 | (assert (> y 0))
    ///   |            ^
    /// ```
    pub fn render(&self, name: &str, source: &str) -> String {
        excerpt(&self.kind, self.span, name, source)
    }
}

/// Any message about a place in a text, as [`Error::render`] shows it. Texts of other languages have errors too.
pub fn excerpt(message: &dyn std::fmt::Display, span: Span, name: &str, source: &str) -> String {
    let Position { line, column } = position(source, span.start);
    let start = floor_boundary(source, span.start);
    let line_start = source[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = source[start..].find('\n').map_or(source.len(), |i| start + i);
    let from = source[line_start..start]
        .char_indices()
        .rev()
        .nth(CONTEXT)
        .map_or(line_start, |(i, _)| line_start + i);
    let to = source[start..line_end].char_indices().nth(CONTEXT).map_or(line_end, |(i, _)| start + i);
    let excerpt: String = source[from..to]
        .trim_end_matches('\r')
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let lead = if from > line_start { "..." } else { "" };
    let tail = if to < line_end { "..." } else { "" };
    let pad = lead.len() + source[from..start].chars().count();
    let end = floor_boundary(source, span.end).clamp(start, to);
    let carets = source[start..end].chars().count().max(1);
    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    format!(
        "error: {}\n{gutter}--> {name}:{line}:{column}\n{gutter} |\n{number} | {lead}{excerpt}{tail}\n{gutter} | {}{}\n",
        message,
        " ".repeat(pad),
        "^".repeat(carets)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_point_at_the_span() {
        let source = "(declare-fun x () Int)\n(assert (> y 0))\n";
        let at = source.find('y').unwrap();
        let error = Error {
            kind: ErrorKind::Unknown { what: "symbol", name: "y".into() },
            span: Span::new(at, at + 1),
        };
        assert_eq!(
            error.render("a.smt2", source),
            "error: unknown symbol `y`\n --> a.smt2:2:12\n  |\n2 | (assert (> y 0))\n  |            ^\n"
        );
    }

    #[test]
    fn excerpts_of_long_lines_and_odd_places_do_not_panic() {
        let source = format!("{}é{}", "a".repeat(10_000), "b".repeat(10_000));
        for start in [0, 5, 10_000, 10_001, 10_002, 20_001, 50_000] {
            let error = Error { kind: ErrorKind::Encoding, span: Span::new(start, start + 100_000) };
            assert!(error.render("x", &source).len() < 700);
        }
        assert_eq!(position("", 7), Position { line: 1, column: 1 });
    }
}
