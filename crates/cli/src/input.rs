//! Files and standard input as scripts, with their errors rendered for people and for programs.

use crate::codes::{Code, Coded};
use crate::documents::Mistake;
use crate::failure::{Failure, TextMistake};
use output::quote::visible;
use serde::Serialize;
use smt::error::position;
use smt::{Dialect, Error, ErrorKind, Reader, Script, Span, Terms};
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

/// Writes a line to standard error, as [`complain`] does.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::input::complain(&(format!($($text)*) + "\n"))
    };
}
pub(crate) use say;

/// A script that was read, with what is needed to talk about it.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) script: Script,
    pub(crate) errors: Vec<Error>,
    /// The reader with the scopes that the script left.
    pub(crate) reader: Reader,
}

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let result = if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    match result {
        Ok(_) => Ok(bytes),
        Err(error) => Err(unreadable(path, &error)),
    }
}

impl Input {
    /// Reads a script.
    pub(crate) fn read(terms: &mut Terms, path: &Path, dialect: Option<Dialect>) -> Result<Input, Failure> {
        let name = if path == Path::new("-") { "<stdin>".into() } else { path.display().to_string() };
        let mut reader = dialect.map_or_else(Reader::new, Reader::with_dialect);
        match String::from_utf8(read_bytes(path)?) {
            Ok(source) => {
                let reading = reader.read(terms, &source);
                Ok(Input { name, source, script: reading.script, errors: reading.errors, reader })
            }
            Err(error) => {
                let (at, length) =
                    (error.utf8_error().valid_up_to(), error.utf8_error().error_len().unwrap_or(1));
                let wrong = Error { kind: ErrorKind::Encoding, span: Span::new(at, at + length) };
                let source = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Ok(Input { name, source, script: Script::default(), errors: vec![wrong], reader })
            }
        }
    }

    /// Prints the errors for people.
    pub(crate) fn report(&self) {
        for error in &self.errors {
            complain(&error.render(&self.name, &self.source));
        }
        crate::failure::explain(self.errors.iter().map(|error| error.kind.code()));
    }

    /// The errors for programs.
    pub(crate) fn mistakes(&self) -> Vec<Mistake> {
        self.errors
            .iter()
            .map(|error| {
                let place = position(&self.source, error.span.start);
                Mistake {
                    line: place.line,
                    column: place.column,
                    code: Some(error.kind.code().to_string()),
                    message: error.kind.to_string(),
                }
            })
            .collect()
    }
}

/// Reads a script that must be free of errors.
pub(crate) fn read_clean(terms: &mut Terms, path: &Path, dialect: Option<Dialect>) -> Result<Input, Failure> {
    let input = Input::read(terms, path, dialect)?;
    if input.errors.is_empty() {
        return Ok(input);
    }
    Err(Failure::Text(input.errors.iter().map(|e| TextMistake::of(e, &input.name, &input.source)).collect()))
}

/// A file's text, which must be UTF-8.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::coded(Code::ENCODING, format!("{}: the text is not UTF-8 (at byte {at})", path.display()))
    })
}

/// A path that cannot be read.
pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::coded(Code::UNREADABLE, format!("cannot read {}: {error}", path.display()))
}

/// The files of the arguments: folders stand for the `.smt2` files below them, in order.
pub(crate) fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            collect(path, &mut files)?;
            if files.len() == before {
                return Err(Failure(format!("no .smt2 file below {}", path.display())));
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let unreadable = |error: std::io::Error| unreadable(folder, &error);
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    for path in entries {
        // Links to folders could lead round in circles.
        if path.is_dir() && !path.is_symlink() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "smt2") && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// Writes words for people to standard output. Names and symbols in them come from anywhere: nothing in them is obeyed by a
/// terminal.
pub(crate) fn print(text: &str) {
    write_out(&visible(text));
}

/// Writes what programs read to standard output as it is: scripts, answers. A terminal gets it as people do.
pub(crate) fn print_exactly(text: &str) {
    if std::io::stdout().is_terminal() { print(text) } else { write_out(text) }
}

/// A reader that went away (`| head`) is not an error; whatever else keeps the answer from being written is, and ends the program.
fn write_out(text: &str) {
    let mut out = std::io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Ends the program if standard output could not be written.
pub(crate) fn written(result: std::io::Result<()>) {
    match result {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            say!("error: cannot write standard output: {error}");
            std::process::exit(3);
        }
    }
}

/// Writes to standard error. Whoever closed it does not want to know. As in [`print()`], nothing in it is obeyed by a terminal.
pub(crate) fn complain(text: &str) {
    let text = visible(text);
    let text = if is_coloured() { coloured(&text) } else { text };
    let mut err = std::io::stderr().lock();
    err.write_all(text.as_bytes()).and_then(|()| err.flush()).ok();
}

/// Whether words on standard error may have colours: <https://no-color.org>.
fn is_coloured() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    std::io::stderr().is_terminal() && set("NO_COLOR").is_none() && set("TERM").is_some_and(|t| t != "dumb")
}

/// The words at the start of messages, as clap shows its own.
const LEVELS: [(&str, &str); 3] = [("error:", "1;31"), ("warning:", "1;33"), ("note:", "1;36")];

fn coloured(text: &str) -> String {
    let line = |line: &str| match LEVELS.iter().find(|(word, _)| line.starts_with(word)) {
        Some((word, style)) => format!("\u{1b}[{style}m{word}\u{1b}[0m{}", &line[word.len()..]),
        None => line.to_string(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Prints one JSON document. Control characters beyond those that JSON escapes anyway stand in strings only, where an escape means
/// the same.
pub(crate) fn print_json(document: &impl Serialize) {
    let text = serde_json::to_string_pretty(document).expect("a value of our own") + "\n";
    let escaped = |c: char| match c {
        '\n' => c.to_string(),
        c if output::quote::is_control(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    let plain = text.is_ascii() && !text.contains('\u{7f}');
    write_out(&if plain { text } else { text.chars().map(escaped).collect() });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_coloured_at_the_start_of_a_line_only() {
        let text = coloured("error: no error: here\nnote: x\nplain\n");
        assert_eq!(text, "\u{1b}[1;31merror:\u{1b}[0m no error: here\n\u{1b}[1;36mnote:\u{1b}[0m x\nplain\n");
    }
}
