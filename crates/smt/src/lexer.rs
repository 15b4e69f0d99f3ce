//! Tokens of SMT-LIB. Owns what a token is and where it ends; what it means is the reader's business.

use crate::error::{Error, ErrorKind, Span};
use crate::read::is_reserved;

/// A token; texts borrow from the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'s> {
    Open,
    Close,
    /// A simple symbol or the inside of `|...|`; the flag says which. A reserved word keeps its bars.
    Symbol(&'s str, bool),
    /// A keyword with its colon.
    Keyword(&'s str),
    Numeral(&'s str),
    Decimal(&'s str),
    /// The digits after `#x`.
    Hex(&'s str),
    /// The digits after `#b`.
    Binary(&'s str),
    /// The text of an element of a finite field, `#f3m7`, without `#f`.
    Field(&'s str),
    /// What stands between the quotes, doubled quotes not yet undone.
    String(&'s str),
    End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Bad,
    Space,
    Letter,
    Digit,
    Open,
    Close,
    Comment,
    Quote,
    Bar,
    Colon,
    Hash,
}

/// The class of each byte. Bytes above 127 are letters: solvers print and read such symbols.
static CLASS: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut table = [Class::Bad; 256];
    let letters = b"~!@$%^&*_-+=<>.?/'";
    let mut i = 0;
    while i < letters.len() {
        table[letters[i] as usize] = Class::Letter;
        i += 1;
    }
    let mut b = 0;
    while b < 256 {
        let c = b as u8;
        if c.is_ascii_alphabetic() || b > 127 {
            table[b] = Class::Letter;
        } else if c.is_ascii_digit() {
            table[b] = Class::Digit;
        }
        b += 1;
    }
    table[b' ' as usize] = Class::Space;
    table[b'\t' as usize] = Class::Space;
    table[b'\n' as usize] = Class::Space;
    table[b'\r' as usize] = Class::Space;
    table[b'(' as usize] = Class::Open;
    table[b')' as usize] = Class::Close;
    table[b';' as usize] = Class::Comment;
    table[b'"' as usize] = Class::Quote;
    table[b'|' as usize] = Class::Bar;
    table[b':' as usize] = Class::Colon;
    table[b'#' as usize] = Class::Hash;
    table
}

/// Whether a name can be written without bars (reserved words are the printer's business). Letters beyond ASCII are read without
/// them, but the standard knows none, and cvc5 refuses them.
pub(crate) fn is_simple_symbol(name: &str) -> bool {
    let mut bytes = name.bytes();
    name.is_ascii()
        && bytes.next().is_some_and(|b| CLASS[b as usize] == Class::Letter)
        && bytes.all(|b| matches!(CLASS[b as usize], Class::Letter | Class::Digit))
}

/// A position in a source text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexer<'s> {
    source: &'s str,
    at: usize,
    /// Where the last token started.
    pub(crate) token_start: usize,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Lexer { source, at: 0, token_start: 0 }
    }

    /// A lexer that starts in the middle of a text.
    pub(crate) fn starting_at(source: &'s str, at: usize) -> Self {
        Lexer { source, at, token_start: at }
    }

    /// One past the last token.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn source(&self) -> &'s str {
        self.source
    }

    /// The span of the last token.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.token_start, self.at)
    }

    #[inline]
    fn skip_blank(&mut self) {
        let bytes = self.source.as_bytes();
        while let Some(&b) = bytes.get(self.at) {
            match CLASS[b as usize] {
                Class::Space => self.at += 1,
                Class::Comment => {
                    self.at =
                        memchr::memchr(b'\n', &bytes[self.at..]).map_or(bytes.len(), |i| self.at + i + 1)
                }
                _ => break,
            }
        }
    }

    /// This lexer, before the last token was taken.
    pub(crate) fn at_token(&self) -> Self {
        Lexer { at: self.token_start, ..*self }
    }

    /// The next token without taking it.
    pub(crate) fn peek(&self) -> Result<Token<'s>, Error> {
        let mut ahead = *self;
        ahead.next()
    }

    #[inline]
    fn take_symbol_chars(&mut self) {
        let bytes = self.source.as_bytes();
        while let Some(&b) = bytes.get(self.at) {
            if !matches!(CLASS[b as usize], Class::Letter | Class::Digit) {
                break;
            }
            self.at += 1;
        }
    }

    /// Reads the next token and moves behind it.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Token<'s>, Error> {
        self.skip_blank();
        let start = self.at;
        self.token_start = start;
        let Some(&first) = self.source.as_bytes().get(start) else { return Ok(Token::End) };
        self.at += 1;
        match CLASS[first as usize] {
            Class::Open => Ok(Token::Open),
            Class::Close => Ok(Token::Close),
            Class::Letter => {
                self.take_symbol_chars();
                Ok(Token::Symbol(&self.source[start..self.at], false))
            }
            Class::Digit => self.number(start),
            Class::Quote => self.string(start),
            Class::Bar => self.quoted(start),
            Class::Colon => {
                self.take_symbol_chars();
                Ok(Token::Keyword(&self.source[start..self.at]))
            }
            Class::Hash => self.bits(start),
            Class::Bad => Err(self.error(ErrorKind::Character(first as char))),
            Class::Space | Class::Comment => unreachable!("blanks were skipped"),
        }
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error { kind, span: self.span() }
    }

    fn number(&mut self, start: usize) -> Result<Token<'s>, Error> {
        let bytes = self.source.as_bytes();
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        self.at = digits(self.at);
        if bytes.get(self.at) == Some(&b'.') && bytes.get(self.at + 1).is_some_and(u8::is_ascii_digit) {
            self.at = digits(self.at + 1);
            return Ok(Token::Decimal(&self.source[start..self.at]));
        }
        if bytes.get(self.at).is_some_and(|&b| CLASS[b as usize] == Class::Letter) {
            self.take_symbol_chars();
            return Err(self.error(ErrorKind::Literal("a symbol cannot start with a digit".into())));
        }
        Ok(Token::Numeral(&self.source[start..self.at]))
    }

    fn string(&mut self, start: usize) -> Result<Token<'s>, Error> {
        let bytes = self.source.as_bytes();
        loop {
            match memchr::memchr(b'"', &bytes[self.at..]) {
                None => {
                    self.at = bytes.len();
                    let kind = ErrorKind::Truncated {
                        inside: "a string literal",
                        expected: "a closing `\"`".into(),
                    };
                    return Err(Error { kind, span: Span::new(start, start + 1) });
                }
                Some(i) if bytes.get(self.at + i + 1) == Some(&b'"') => self.at += i + 2,
                Some(i) => {
                    self.at += i + 1;
                    return Ok(Token::String(&self.source[start + 1..self.at - 1]));
                }
            }
        }
    }

    fn quoted(&mut self, start: usize) -> Result<Token<'s>, Error> {
        let bytes = self.source.as_bytes();
        match memchr::memchr(b'|', &bytes[self.at..]) {
            None => {
                self.at = bytes.len();
                let kind =
                    ErrorKind::Truncated { inside: "a quoted symbol", expected: "a closing `|`".into() };
                Err(Error { kind, span: Span::new(start, start + 1) })
            }
            Some(i) => {
                let inside = &self.source[self.at..self.at + i];
                self.at += i + 1;
                // A reserved word in bars is a symbol, but not the word: it keeps its bars.
                let name = if is_reserved(inside) { &self.source[start..self.at] } else { inside };
                Ok(Token::Symbol(name, true))
            }
        }
    }

    fn bits(&mut self, start: usize) -> Result<Token<'s>, Error> {
        self.take_symbol_chars();
        let text = &self.source[start..self.at];
        let digits = text.get(2..).unwrap_or("");
        match text.as_bytes().get(1) {
            Some(b'x') if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
                Ok(Token::Hex(digits))
            }
            Some(b'b') if !digits.is_empty() && digits.bytes().all(|b| matches!(b, b'0' | b'1')) => {
                Ok(Token::Binary(digits))
            }
            Some(b'f') if is_field_element(digits) => Ok(Token::Field(digits)),
            _ => Err(self.error(ErrorKind::Literal("`#` starts a literal such as #b0110 or #x1f".into()))),
        }
    }

    /// Skips to the end of the s-expression whose opening parenthesis was at byte `open`, whatever it holds.
    /// Returns false if the text ends first.
    pub(crate) fn skip_expression(&mut self, open: usize) -> bool {
        self.at = open;
        let mut depth = 0usize;
        loop {
            match self.next() {
                Ok(Token::Open) => depth += 1,
                Ok(Token::Close) if depth <= 1 => return true,
                Ok(Token::Close) => depth -= 1,
                Ok(Token::End) => return false,
                Ok(_) | Err(_) => {}
            }
        }
    }
}

impl Token<'_> {
    /// How a message names this token.
    pub(crate) fn describe(&self) -> String {
        match self {
            Token::Open => "`(`".into(),
            Token::Close => "`)`".into(),
            Token::Symbol(text, _) => format!("`{}`", shorten(text)),
            Token::Keyword(text) => format!("`{}`", shorten(text)),
            Token::Numeral(text) | Token::Decimal(text) => format!("the number {}", shorten(text)),
            Token::Hex(text) => format!("#x{}", shorten(text)),
            Token::Binary(text) => format!("#b{}", shorten(text)),
            Token::Field(text) => format!("#f{}", shorten(text)),
            Token::String(text) => format!("the string \"{}\"", shorten(text)),
            Token::End => "the end of the text".into(),
        }
    }
}

/// The beginning of a text that may be very long.
pub(crate) fn shorten(text: &str) -> String {
    crate::text::shortened(text, 40)
}

/// The comments of a text, from `;` to the end of the line.
pub fn comments(source: &str) -> Vec<&str> {
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(i) = memchr::memchr3(b';', b'"', b'|', &bytes[at..]) {
        let start = at + i;
        let end = |b: u8| memchr::memchr(b, &bytes[start + 1..]).map_or(bytes.len(), |i| start + 1 + i);
        at = match bytes[start] {
            b';' => {
                let line_end = end(b'\n');
                found.push(source[start..line_end].trim_end());
                line_end
            }
            // A doubled quote ends one string and starts the next, which comes to the same.
            other => (end(other) + 1).min(bytes.len()),
        };
    }
    found
}

/// The next expression at or after byte `at` of a text that may be anything, such as what a solver printed: its range, and
/// whether it is whole. A list that is never closed reaches to the end of the text, a broken token to the end of its line;
/// a closing parenthesis too many is a broken token of its own.
pub fn next_expression(source: &str, at: usize) -> Option<(std::ops::Range<usize>, bool)> {
    let mut lexer = Lexer::starting_at(source, at);
    match lexer.next() {
        Ok(Token::End) => None,
        Ok(Token::Open) => {
            let open = lexer.token_start;
            let whole = lexer.skip_expression(open);
            Some((open..lexer.position(), whole))
        }
        Ok(Token::Close) => Some((lexer.token_start..lexer.position(), false)),
        Ok(_) => Some((lexer.token_start..lexer.position(), true)),
        Err(_) => {
            let start = lexer.token_start;
            let line = memchr::memchr(b'\n', &source.as_bytes()[start..]);
            Some((start..line.map_or(source.len(), |i| start + i), false))
        }
    }
}

/// The byte ranges of the complete top-level expressions of a text that is still arriving, and how far they reach.
/// A client that reads commands from a pipe keeps what lies beyond.
#[derive(Clone, Debug, Default)]
pub struct CommandSplitter {
    at: usize,
    depth: usize,
    start: usize,
    state: SplitState,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum SplitState {
    #[default]
    Plain,
    Comment,
    String,
    Bar,
}

impl CommandSplitter {
    /// Looks at the bytes that were appended since the last call and returns the next complete expression, if any.
    /// `text` must start with the same bytes as before; call again with the same text for the next one.
    pub fn next(&mut self, text: &[u8]) -> Option<std::ops::Range<usize>> {
        while self.at < text.len() {
            let b = text[self.at];
            self.at += 1;
            match (self.state, b) {
                (SplitState::Plain, b'(') => {
                    if self.depth == 0 {
                        self.start = self.at - 1;
                    }
                    self.depth += 1;
                }
                (SplitState::Plain, b')') => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(self.start..self.at);
                    }
                }
                (SplitState::Plain, b';') => self.state = SplitState::Comment,
                (SplitState::Plain, b'"') => self.state = SplitState::String,
                (SplitState::Plain, b'|') => self.state = SplitState::Bar,
                (SplitState::Comment, b'\n') | (SplitState::String, b'"') | (SplitState::Bar, b'|') => {
                    self.state = SplitState::Plain
                }
                _ => {}
            }
        }
        None
    }

    /// Tells that the first `n` bytes of the text were dropped.
    pub fn discard(&mut self, n: usize) {
        self.at -= n;
        self.start = self.start.saturating_sub(n);
    }

    /// Whether an expression has started and not ended.
    pub fn is_open(&self) -> bool {
        self.depth > 0 || matches!(self.state, SplitState::String | SplitState::Bar)
    }
}

/// `3m7`, `-1m7`: an integer and the order of the field.
fn is_field_element(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    text.split_once('m')
        .is_some_and(|(value, order)| digits(value.strip_prefix('-').unwrap_or(value)) && digits(order))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(source: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(source);
        let mut all = Vec::new();
        loop {
            match lexer.next().unwrap() {
                Token::End => return all,
                token => all.push(token),
            }
        }
    }

    #[test]
    fn reserved_words_in_bars_are_other_names() {
        use Token::*;
        assert_eq!(
            tokens("let |let| |lets|"),
            [Symbol("let", false), Symbol("|let|", true), Symbol("lets", true)]
        );
    }

    #[test]
    fn every_kind_of_token() {
        use Token::*;
        assert_eq!(
            tokens("(a |b c| :k 12 1.50 #xAf #b01 \"s\"\"t\") ; comment\n<="),
            [
                Open,
                Symbol("a", false),
                Symbol("b c", true),
                Keyword(":k"),
                Numeral("12"),
                Decimal("1.50"),
                Hex("Af"),
                Binary("01"),
                String("s\"\"t"),
                Close,
                Symbol("<=", false)
            ]
        );
    }

    #[test]
    fn broken_tokens_say_where() {
        for (source, at) in [("  \"abc", 2), ("|x", 0), ("#q", 0), ("1a", 0), ("a \u{1} b", 2), ("#x", 0)] {
            let mut lexer = Lexer::new(source);
            let error = loop {
                match lexer.next() {
                    Ok(Token::End) => panic!("{source}: no error"),
                    Ok(_) => {}
                    Err(error) => break error,
                }
            };
            assert_eq!(error.span.start, at, "{source}");
        }
    }

    #[test]
    fn comments_are_told_from_strings_and_symbols() {
        assert_eq!(comments("a ; one\n\"; no\"\"; no\" |; no| ;two\r\n;three"), ["; one", ";two", ";three"]);
        assert_eq!(comments("\"open ; no"), [""; 0]);
    }

    #[test]
    fn expressions_of_any_text_are_found_and_reading_goes_on() {
        let texts = |source: &str| {
            let (mut at, mut found) = (0, Vec::new());
            while let Some((range, whole)) = next_expression(source, at) {
                at = range.end;
                found.push((source[range].to_string(), whole));
            }
            found
        };
        let whole = |text: &str| (text.to_string(), true);
        let broken = |text: &str| (text.to_string(), false);
        assert_eq!(
            texts("sat ; c\n(a (b \")\")) \"s\" ) 12 (x (y"),
            [whole("sat"), whole("(a (b \")\"))"), whole("\"s\""), broken(")"), whole("12"), broken("(x (y")]
        );
        assert_eq!(
            texts("what(): \"oops\nsat"),
            [whole("what"), whole("()"), whole(":"), broken("\"oops"), whole("sat")]
        );
        assert_eq!(texts("\u{1} x\nsat"), [broken("\u{1} x"), whole("sat")]);
    }

    #[test]
    fn commands_are_split_as_they_arrive() {
        let text = b"(a \")\") ; ) \n(b |)| (c)) (d";
        let mut splitter = CommandSplitter::default();
        let mut found = Vec::new();
        for end in 0..=text.len() {
            while let Some(range) = splitter.next(&text[..end]) {
                found.push(std::str::from_utf8(&text[range]).unwrap());
            }
        }
        assert_eq!(found, ["(a \")\")", "(b |)| (c))"]);
        assert!(splitter.is_open());
    }
}
