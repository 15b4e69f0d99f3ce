//! What holds for any bytes given to the reader. Shared by a plain test and a target of `cargo fuzz`.

use smt::print::{Style, write_command};
use smt::{Reading, Terms, Token};
use std::time::{Duration, Instant};

fn read(bytes: &[u8]) -> (Terms, Reading) {
    let mut terms = Terms::new();
    terms.set_token(Token::until(Instant::now() + Duration::from_secs(5)));
    let reading = smt::read_bytes(&mut terms, bytes);
    (terms, reading)
}

fn printed(terms: &Terms, reading: &Reading) -> String {
    let mut text = String::new();
    for command in &reading.script.commands {
        write_command(&mut text, terms, command, Style::default());
        text.push('\n');
    }
    text
}

/// Reading does not panic, errors can be shown, and a text without errors is printed as one that reads back the same.
pub(crate) fn check(bytes: &[u8]) {
    let (mut terms, reading) = read(bytes);
    for error in &reading.errors {
        error.render("input", &String::from_utf8_lossy(bytes));
    }
    let assertions: Vec<_> = reading.script.assertions().collect();
    terms.unfold(&assertions);
    if reading.errors.is_empty() {
        let once = printed(&terms, &reading);
        let (terms, again) = read(once.as_bytes());
        assert!(again.errors.is_empty(), "{once}\n{:?}", again.errors);
        assert_eq!(printed(&terms, &again), once);
    }
}
