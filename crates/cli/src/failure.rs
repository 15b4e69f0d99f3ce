//! What keeps a command from doing its work: for people a message in the style of clap's own errors on standard error, and with
//! `--json` also a document on standard output (`docs/json.md`). Owns the two forms and their exit codes; knows no command.

use crate::codes::{Code, Coded};
use crate::documents::{Failed, FailedBecause, Place};
use crate::input::{complain, print_json, written};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Why a command cannot do its work, in words for the user.
#[derive(Debug)]
pub(crate) struct Failure {
    code: Code,
    message: String,
    kind: Kind,
    /// Where a text of the user's is wrong; then these are the message.
    mistakes: Vec<TextMistake>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Options that make no sense, alone or together.
    Usage,
    /// The user can do something about it.
    Input,
    /// Something else broke, such as a disk that is full.
    Internal,
}

/// A mistake in a text of the user's.
#[derive(Debug)]
pub(crate) struct TextMistake {
    /// The file, or `<stdin>`.
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: String,
    pub(crate) code: Option<Code>,
    /// All of it with an excerpt of the text, for people.
    pub(crate) rendered: String,
}

impl TextMistake {
    /// For a document.
    fn place(&self) -> Place<'_> {
        Place { file: &self.file, line: self.line, column: self.column, message: &self.message }
    }

    /// An error of a text of SMT-LIB.
    pub(crate) fn of(error: &smt::Error, file: &str, source: &str) -> TextMistake {
        let place = smt::error::position(source, error.span.start);
        TextMistake {
            file: file.to_string(),
            line: place.line,
            column: place.column,
            message: error.kind.to_string(),
            code: Some(error.kind.code()),
            rendered: error.render(file, source),
        }
    }
}

/// A failure by wrong usage or bad input that no library noticed.
#[allow(
    non_snake_case,
    reason = "it makes a value of the type of the same name, as the constructor of a struct would"
)]
pub(crate) fn Failure(message: String) -> Failure {
    Failure::coded(Code::USAGE, message)
}

#[allow(non_snake_case, reason = "these stand beside the function `Failure`, which makes the usual kind")]
impl Failure {
    /// A failure that the user can do something about.
    pub(crate) fn coded(code: Code, message: String) -> Failure {
        Failure { code, message, kind: Kind::Input, mistakes: Vec::new() }
    }

    /// Options that make no sense.
    pub(crate) fn Usage(message: String) -> Failure {
        Failure { kind: Kind::Usage, ..Failure(message) }
    }

    /// Something else broke.
    pub(crate) fn Internal(message: String) -> Failure {
        Failure { kind: Kind::Internal, ..Failure::coded(Code::INTERNAL, message) }
    }

    /// A text with mistakes.
    pub(crate) fn Text(mistakes: Vec<TextMistake>) -> Failure {
        let message = match &mistakes[..] {
            [] => "the text has a mistake".into(),
            [one] => one.message.clone(),
            [first, rest @ ..] => format!("{} (and {} more)", first.message, rest.len()),
        };
        let code = mistakes.first().and_then(|first| first.code).unwrap_or(Code::USAGE);
        Failure { mistakes, ..Failure::coded(code, message) }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure(message)
    }
}

/// Errors of the libraries come with their code.
impl<E: Coded + std::fmt::Display> From<E> for Failure {
    fn from(error: E) -> Self {
        let kind = if error.is_internal() { Kind::Internal } else { Kind::Input };
        Failure { kind, ..Failure::coded(error.code(), error.to_string()) }
    }
}

impl Failure {
    /// An error of a library that does not say itself which file it is about.
    pub(crate) fn in_file(path: &Path, error: &(impl Coded + std::fmt::Display)) -> Failure {
        Failure::coded(error.code(), format!("{}: {error}", path.display()))
    }

    /// The mistakes in a text, if that is what is wrong.
    pub(crate) fn mistakes(&self) -> &[TextMistake] {
        &self.mistakes
    }

    /// Tells it in every form that is wanted. `words` are the command's: `soundline fuzz truth`.
    pub(crate) fn tell(&self, words: &str, as_json: bool) -> ExitCode {
        let Failure { code, message, kind, mistakes } = self;
        if mistakes.is_empty() {
            let help = match kind {
                Kind::Usage => format!("\nFor more information, try '{words} --help'.\n"),
                Kind::Input | Kind::Internal => String::new(),
            };
            complain(&format!("error: {message}\n  = {code}: `soundline explain {code}` says more\n{help}"));
        } else {
            mistakes.iter().for_each(|mistake| complain(&mistake.rendered));
            explain(mistakes.iter().filter_map(|mistake| mistake.code));
        }
        let (kind, exit_code) = match kind {
            Kind::Usage => ("usage", 2),
            Kind::Input => ("input", 2),
            Kind::Internal => ("internal", 3),
        };
        if as_json {
            let places = mistakes.iter().map(TextMistake::place).collect();
            let code = code.to_string();
            print_json(&Failed { error: FailedBecause { kind, code, exit_code, message, places } });
        }
        ExitCode::from(exit_code)
    }
}

/// Tells the codes of errors in scripts and models, each once.
pub(crate) fn explain(codes: impl Iterator<Item = Code>) {
    let codes: BTreeSet<Code> = codes.collect();
    for code in codes {
        complain(&format!("  = {code}: `soundline explain {code}` says more\n"));
    }
}

/// Ends the program as clap would: help and versions are no failures; of the others `--json` gets a document.
pub(crate) fn usage(error: &clap::Error, as_json: bool) -> ExitCode {
    let printed = error.print();
    if error.exit_code() == 0 {
        written(printed.and_then(|()| std::io::stdout().flush()));
        return ExitCode::SUCCESS;
    }
    // Whoever closed standard error does not want to know.
    printed.unwrap_or(());
    if as_json {
        let text = error.render().to_string();
        let message = text.split("\n\n").next().unwrap_or_default();
        let message = message.strip_prefix("error: ").unwrap_or(message).trim();
        let (kind, code) = ("usage", Code::USAGE.to_string());
        print_json(&Failed {
            error: FailedBecause { kind, code, exit_code: 2, message, places: Vec::new() },
        });
    }
    ExitCode::from(2)
}
