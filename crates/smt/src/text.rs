//! Small things about text that every crate needs: writing into a string, and showing the beginning of a long one.

use std::fmt::Write;

/// Appends formatted text to a string, which cannot fail: `put(&mut out, format_args!("{n} tests"))`.
///
/// # Panics
/// If a `Display` implementation reports an error of its own.
pub fn put(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    out.write_fmt(arguments).expect("a string takes all that is written");
}

/// A text, or its first characters and three dots.
///
/// ```
/// assert_eq!(smt::text::shortened("abcdef", 4), "abcd...");
/// assert_eq!(smt::text::shortened("abcd", 4), "abcd");
/// ```
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.into(),
    }
}
