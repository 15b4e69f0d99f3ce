//! The index of errors: every error of ours has a code, which is printed with it, and a paragraph in `docs/errors.md`, which `soundline explain CODE`
//! prints. A test compares the two. The libraries know no codes: this is the one place that gives them.

use std::fmt;

/// The page with the paragraphs.
pub(crate) const PAGE: &str = include_str!("../../../docs/errors.md");

/// The code of an error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Code(u16);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "E{:03}", self.0)
    }
}

macro_rules! codes {
    ($($name:ident = $number:literal,)*) => {
        impl Code {
            $(pub(crate) const $name: Code = Code($number);)*
        }

        /// All codes.
        #[cfg(test)]
        const ALL: &[Code] = &[$(Code::$name),*];
    };
}

codes! {
    USAGE = 1,
    UNREADABLE = 2,
    SYNTAX = 101,
    CHARACTER = 102,
    ENCODING = 103,
    UNKNOWN_NAME = 104,
    REDECLARED = 105,
    ILL_SORTED = 106,
    LITERAL = 107,
    SCRIPT = 108,
    NO_CLANG = 201,
    CLANG_REFUSES = 202,
    CLANG_LIMIT = 203,
    INVALID_MODULE = 204,
    MODULE_TOO_LARGE = 205,
    UNKNOWN_IMPORT = 206,
    MISTYPED_IMPORT = 207,
    NO_ENTRY = 208,
    PARAMETER = 209,
    START = 210,
    NO_JAVA = 211,
    JAVAC_REFUSES = 212,
    JAVA_PROGRAM = 213,
    SOLVER_SPEC = 301,
    NO_SOLVER = 302,
    SOLVER_START = 303,
    NO_PYTHON = 304,
    NO_PACKAGE = 305,
    OFFLINE = 306,
    NO_RELEASE = 307,
    NO_WHEEL = 308,
    UNUSABLE_RELEASE = 309,
    NOT_IN_STORE = 310,
    UNTRUSTED_STORE = 311,
    INTERRUPTED = 312,
    COVERAGE = 313,
    NO_CARGO = 314,
    NOT_OURS = 401,
    OTHER_COMMAND = 402,
    UNUSABLE_FOLDER = 403,
    BUSY = 404,
    UNWRITABLE = 405,
    RESUME = 406,
    BROKEN_STORE = 501,
    NEWER_STORE = 502,
    STORE_HELD = 503,
    NO_CAMPAIGN = 504,
    DISK_FULL = 505,
    CAMPAIGN_WORK = 506,
    BROKER = 507,
    LISTEN = 508,
    INTERNAL = 900,
}

/// An error that has a code.
pub(crate) trait Coded {
    /// What `soundline explain` takes.
    fn code(&self) -> Code;

    /// Whether the user can do nothing about it, as when a disk is full.
    fn is_internal(&self) -> bool {
        false
    }
}

/// Whether there is no room: a path that cannot be written is the user's mistake, a disk that is full is not.
fn is_full(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded)
}

impl Coded for smt::ErrorKind {
    fn code(&self) -> Code {
        use smt::ErrorKind as E;
        match self {
            E::Truncated { .. } | E::Expected { .. } => Code::SYNTAX,
            E::Character(_) => Code::CHARACTER,
            E::Encoding => Code::ENCODING,
            E::Unknown { .. } | E::FaultyDeclaration(_) => Code::UNKNOWN_NAME,
            E::Redeclared(_) => Code::REDECLARED,
            E::Sort(_) => Code::ILL_SORTED,
            E::Literal(_) => Code::LITERAL,
            E::Other(_) => Code::SCRIPT,
        }
    }
}

impl Coded for explore::clang::Error {
    fn code(&self) -> Code {
        use explore::clang::Error as E;
        match self {
            E::Missing { .. } => Code::NO_CLANG,
            E::Refused { .. } => Code::CLANG_REFUSES,
            E::Unfinished { .. } => Code::CLANG_LIMIT,
            E::File(_) => Code::UNREADABLE,
        }
    }
}

impl Coded for explore::Error {
    fn code(&self) -> Code {
        use explore::Error as E;
        match self {
            E::Invalid { .. } => Code::INVALID_MODULE,
            E::TooLarge { .. } => Code::MODULE_TOO_LARGE,
            E::UnknownImport { .. } => Code::UNKNOWN_IMPORT,
            E::MistypedImport { .. } | E::IncompatibleImport { .. } => Code::MISTYPED_IMPORT,
            E::NoEntry { .. } => Code::NO_ENTRY,
            E::Parameter { .. } | E::Length { .. } => Code::PARAMETER,
            E::Trapped(_) | E::StartOutOfFuel => Code::START,
        }
    }
}

impl Coded for explore::front::Error {
    fn code(&self) -> Code {
        use explore::front::Error as E;
        match self {
            E::Unreadable { .. } => Code::UNREADABLE,
            E::Text { .. } => Code::INVALID_MODULE,
            E::Unknown(_) | E::Rust(_) => Code::USAGE,
            E::Clang(error) => error.code(),
        }
    }
}

impl Coded for explore::seeds::Error {
    fn code(&self) -> Code {
        use explore::seeds::Error as E;
        match self {
            E::Unreadable { .. } => Code::UNREADABLE,
            E::TooLong(_) | E::Empty => Code::USAGE,
        }
    }
}

impl Coded for explore::native::Error {
    fn code(&self) -> Code {
        Code::USAGE
    }
}

impl Coded for explore::replay::Error {
    fn code(&self) -> Code {
        use explore::replay::Error as E;
        match self {
            E::Unreadable { .. } | E::Unusable { .. } => Code::UNREADABLE,
            E::Interrupted => Code::INTERRUPTED,
            E::NotNative(_) => Code::USAGE,
            E::Compiler(error) => error.code(),
            E::Native(error) => error.code(),
        }
    }
}

impl Coded for jvm::front::Error {
    fn code(&self) -> Code {
        use jvm::front::Error as E;
        match self {
            E::Missing(_) => Code::NO_JAVA,
            E::Refused(..) => Code::JAVAC_REFUSES,
            E::File(..) => Code::UNREADABLE,
            E::Program(..) => Code::JAVA_PROGRAM,
        }
    }
}

impl Coded for fuzz::solver::SolverError {
    fn code(&self) -> Code {
        use fuzz::solver::SolverError as E;
        match self {
            E::Spec { .. } => Code::SOLVER_SPEC,
            E::Missing { .. } => Code::NO_SOLVER,
            E::Start(_) | E::Dies { .. } => Code::SOLVER_START,
        }
    }
}

impl Coded for fuzz::solver::StoreError {
    fn code(&self) -> Code {
        use fuzz::solver::StoreError as E;
        match self {
            E::NoPython | E::NoPip { .. } => Code::NO_PYTHON,
            E::NoCargo => Code::NO_CARGO,
            E::NoPackage { .. } => Code::NO_PACKAGE,
            E::Offline { .. } | E::Pip { .. } | E::Cargo { .. } => Code::OFFLINE,
            E::NoRelease { .. } | E::NoCrate { .. } => Code::NO_RELEASE,
            E::NoWheel { .. } => Code::NO_WHEEL,
            E::Unusable { .. } => Code::UNUSABLE_RELEASE,
            E::NotThere { .. } => Code::NOT_IN_STORE,
            E::Untrusted { .. } => Code::UNTRUSTED_STORE,
            E::Stopped => Code::INTERRUPTED,
            E::Io { .. } => Code::UNWRITABLE,
            E::Solver(error) => error.code(),
        }
    }
}

impl Coded for fuzz::run::RunError {
    fn code(&self) -> Code {
        use fuzz::run::RunError as E;
        match self {
            E::Io(_) => Code::UNWRITABLE,
            E::Output(error) => error.code(),
            E::Solver(error) => error.code(),
        }
    }

    fn is_internal(&self) -> bool {
        use fuzz::run::RunError as E;
        match self {
            E::Io(error) => is_full(error),
            E::Output(error) => error.is_internal(),
            E::Solver(_) => false,
        }
    }
}

impl Coded for fuzz::evolve::evaluate::EvolveError {
    fn code(&self) -> Code {
        use fuzz::evolve::evaluate::EvolveError as E;
        match self {
            E::Solver(error) => error.code(),
            E::Coverage(_) => Code::COVERAGE,
            E::File { .. } => Code::UNREADABLE,
            E::Output(error) => error.code(),
            E::Resume(_) => Code::RESUME,
        }
    }

    fn is_internal(&self) -> bool {
        matches!(self, fuzz::evolve::evaluate::EvolveError::Output(error) if error.is_internal())
    }
}

impl Coded for output::Error {
    fn code(&self) -> Code {
        use output::Error as E;
        match self {
            E::NotOurs(_) => Code::NOT_OURS,
            E::OtherCommand { .. } => Code::OTHER_COMMAND,
            E::Unusable { .. } => Code::UNUSABLE_FOLDER,
            E::Busy(_) => Code::BUSY,
            E::Io { .. } => Code::UNWRITABLE,
        }
    }

    fn is_internal(&self) -> bool {
        matches!(self, output::Error::Io { error, .. } if is_full(error))
    }
}

impl Coded for campaign::Error {
    fn code(&self) -> Code {
        use campaign::Error as E;
        match self {
            E::File { .. } => Code::UNREADABLE,
            E::Output { .. } => Code::UNWRITABLE,
            E::Broken { .. } | E::Sql { .. } => Code::BROKEN_STORE,
            E::Newer { .. } => Code::NEWER_STORE,
            E::Held { .. } => Code::STORE_HELD,
            E::Nothing { .. } => Code::NO_CAMPAIGN,
            E::Full { .. } => Code::DISK_FULL,
            E::Work { .. } => Code::CAMPAIGN_WORK,
            E::Broker { .. } => Code::BROKER,
            E::Listen { .. } => Code::LISTEN,
            E::Usage(_) => Code::USAGE,
        }
    }

    fn is_internal(&self) -> bool {
        use campaign::Error as E;
        match self {
            E::Full { .. } | E::Sql { .. } => true,
            E::File { error, .. } | E::Output { error, .. } => is_full(error),
            _ => false,
        }
    }
}

/// The part of the page about a code, without its heading's marks.
pub(crate) fn paragraph(code: &str) -> Option<&'static str> {
    let wanted = code.to_ascii_uppercase();
    PAGE.split("\n## ").skip(1).find(|part| part.starts_with(&format!("{wanted}:"))).map(str::trim_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_paragraph_and_every_paragraph_a_code() {
        let headings: Vec<&str> =
            PAGE.lines().filter_map(|line| line.strip_prefix("## ")?.split(':').next()).collect();
        let codes: Vec<String> = ALL.iter().map(Code::to_string).collect();
        assert_eq!(headings, codes, "the page lists the codes in order");
        for code in &codes {
            let text = paragraph(code).expect("found by its code");
            assert!(text.lines().skip(1).map(str::len).sum::<usize>() > 60, "{code} says nothing");
        }
        assert_eq!(paragraph("E999"), None);
    }
}
