//! The solvers that are known by name: what they need on their command line, how they tell their version, which names of
//! operators they understand. Knowledge only; a solver that is not here is used by its command line.

use smt::Dialect;

/// A solver that is known by name.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The program's name.
    pub name: &'static str,
    /// The package of the Python package index that holds its releases.
    pub package: Option<&'static str>,
    /// Arguments for a script with several queries, all theories and models.
    pub always: &'static [&'static str],
    /// Arguments for reading from standard input; `None`: it wants a file.
    pub stdin: Option<&'static [&'static str]>,
    /// Whether `(reset)` brings it back to the start, so that it can serve many scripts.
    pub resets: bool,
    /// The first release that knows the names of SMT-LIB 2.6 strings.
    pub v26_since: &'static [u32],
}

impl Known {
    /// The names that a release understands.
    pub fn dialect(&self, version: &str) -> Dialect {
        let numbers = numbers(version);
        if !numbers.is_empty() && *numbers < *self.v26_since { Dialect::V25 } else { Dialect::V26 }
    }
}

/// The solvers by name.
pub static TABLE: &[Known] = &[
    Known {
        name: "z3",
        package: Some("z3-solver"),
        always: &[],
        stdin: Some(&["-in"]),
        resets: true,
        v26_since: &[4, 8, 9],
    },
    Known {
        name: "cvc5",
        package: Some("cvc5"),
        always: &[
            "--incremental",
            "--strings-exp",
            "--fp-exp",
            "--produce-models",
            "--quiet",
            "--lang=smt2.6",
        ],
        stdin: Some(&[]),
        resets: true,
        v26_since: &[],
    },
    Known {
        name: "cvc4",
        package: None,
        always: &[
            "--incremental",
            "--strings-exp",
            "--fp-exp",
            "--produce-models",
            "--quiet",
            "--lang=smt2.6",
        ],
        stdin: Some(&[]),
        resets: true,
        v26_since: &[1, 8],
    },
    Known {
        name: "yices-smt2",
        package: None,
        always: &["--incremental"],
        stdin: Some(&[]),
        resets: false,
        v26_since: &[],
    },
    Known {
        name: "bitwuzla",
        package: Some("bitwuzla"),
        always: &["--produce-models"],
        stdin: None,
        resets: false,
        v26_since: &[],
    },
    Known {
        name: "boolector",
        package: None,
        always: &["--smt2", "--incremental", "--model-gen"],
        stdin: Some(&[]),
        resets: false,
        v26_since: &[],
    },
    Known { name: "mathsat", package: None, always: &[], stdin: Some(&[]), resets: false, v26_since: &[] },
    Known { name: "opensmt", package: None, always: &[], stdin: None, resets: false, v26_since: &[] },
    Known { name: "ostrich", package: None, always: &[], stdin: None, resets: false, v26_since: &[] },
    Known {
        name: "soundline",
        package: None,
        always: &["solve"],
        stdin: Some(&[]),
        resets: true,
        v26_since: &[],
    },
];

/// The row of a program, by its file name.
pub fn by_name(name: &str) -> Option<&'static Known> {
    TABLE.iter().find(|known| known.name == name)
}

/// The numbers at the beginning of a version.
pub(super) fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|part| part.parse().ok()).collect()
}
