//! The solvers that are known by name: what they need on their command line, how they tell their version, which names of
//! operators they understand. Knowledge only; a solver that is not here is used by its command line.

use smt::Dialect;
use std::path::Path;

/// A package whose releases are a solver's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Package {
    /// A package of the Python package index, with wheels.
    Wheel(&'static str),
    /// A crate of crates.io with a program of the solver's name, built here.
    Crate(&'static str),
}

impl Package {
    /// The package's name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Package::Wheel(name) | Package::Crate(name) => name,
        }
    }
}

/// A solver that is known by name.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The program's name.
    pub name: &'static str,
    /// Where its releases come from.
    pub package: Option<Package>,
    /// Whether the driver of the store knows the package's Python module, for wheels that hold no program.
    pub driven: bool,
    /// Arguments for a script with several queries, all theories and models.
    pub always: &'static [&'static str],
    /// Arguments for reading from standard input; `None`: it wants a file.
    pub stdin: Option<&'static [&'static str]>,
    /// Whether a fresh process is given a file although it reads standard input: what it reads there is taken line by line, as
    /// from a person, and a symbol in bars that goes over lines is an error.
    pub file_first: bool,
    /// Whether it answers as it reads, with scopes by `push` and `pop`, so that one process can serve many scripts.
    pub scopes: bool,
    /// Whether `(reset)` brings it back to the start.
    pub resets: bool,
    /// The first release that knows the names of SMT-LIB 2.6 strings.
    pub v26_since: &'static [u32],
}

impl Known {
    /// The names that a release understands.
    pub(crate) fn dialect(&self, version: &str) -> Dialect {
        let numbers = numbers(version);
        if !numbers.is_empty() && *numbers < *self.v26_since { Dialect::V25 } else { Dialect::V26 }
    }
}

/// The solvers by name.
pub static TABLE: &[Known] = &[
    Known {
        name: "z3",
        package: Some(Package::Wheel("z3-solver")),
        driven: false,
        always: &[],
        stdin: Some(&["-in"]),
        file_first: false,
        scopes: true,
        resets: true,
        v26_since: &[4, 8, 9],
    },
    Known {
        name: "cvc5",
        package: Some(Package::Wheel("cvc5")),
        driven: true,
        always: &[
            "--incremental",
            "--strings-exp",
            "--fp-exp",
            "--produce-models",
            "--quiet",
            "--lang=smt2.6",
        ],
        stdin: Some(&[]),
        file_first: true,
        scopes: true,
        resets: true,
        v26_since: &[],
    },
    Known {
        name: "cvc4",
        package: None,
        driven: false,
        always: &[
            "--incremental",
            "--strings-exp",
            "--fp-exp",
            "--produce-models",
            "--quiet",
            "--lang=smt2.6",
        ],
        stdin: Some(&[]),
        file_first: true,
        scopes: true,
        resets: true,
        v26_since: &[1, 8],
    },
    Known {
        name: "yices-smt2",
        package: None,
        driven: false,
        always: &["--incremental"],
        stdin: Some(&[]),
        file_first: false,
        scopes: true,
        resets: false,
        v26_since: &[],
    },
    Known {
        name: "bitwuzla",
        package: Some(Package::Wheel("bitwuzla")),
        driven: true,
        always: &["--produce-models"],
        stdin: Some(&[]),
        file_first: false,
        scopes: true,
        resets: true,
        v26_since: &[],
    },
    Known {
        name: "boolector",
        package: None,
        driven: false,
        always: &["--smt2", "--incremental", "--model-gen"],
        stdin: Some(&[]),
        file_first: false,
        scopes: false,
        resets: false,
        v26_since: &[],
    },
    Known {
        name: "mathsat",
        package: None,
        driven: false,
        always: &[],
        stdin: Some(&[]),
        file_first: false,
        scopes: false,
        resets: false,
        v26_since: &[],
    },
    Known {
        name: "opensmt",
        package: None,
        driven: false,
        always: &[],
        stdin: None,
        file_first: false,
        scopes: false,
        resets: false,
        v26_since: &[],
    },
    Known {
        name: "ostrich",
        package: None,
        driven: false,
        always: &[],
        stdin: None,
        file_first: false,
        scopes: false,
        resets: false,
        v26_since: &[],
    },
    Known {
        name: "oxiz",
        package: Some(Package::Crate("oxiz-cli")),
        driven: false,
        always: &["--quiet"],
        stdin: None,
        file_first: false,
        scopes: false,
        resets: false,
        v26_since: &[],
    },
    Known {
        name: "soundline",
        package: None,
        driven: false,
        always: &["solve"],
        stdin: Some(&[]),
        file_first: false,
        scopes: true,
        resets: true,
        v26_since: &[],
    },
];

/// The row of a program, by its file name.
pub fn by_name(name: &str) -> Option<&'static Known> {
    TABLE.iter().find(|known| known.name == name)
}

/// The path of a program: as given if it has a folder, else from the search path.
pub fn on_path(name: &str) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    let runs = |path: &Path| {
        path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    if name.contains('/') {
        return runs(Path::new(name)).then(|| name.to_string());
    }
    let folders = std::env::var_os("PATH")?;
    let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(name));
    paths.find(|path| runs(path)).map(|path| path.display().to_string())
}

/// The numbers at the beginning of a version.
pub(super) fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|part| part.parse().ok()).collect()
}
