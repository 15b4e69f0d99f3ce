//! The table of themes: which theories a random formula mixes, in which widths and formats. Small widths and formats are where the
//! truth can be found by trying all values; odd ones are where implementations go wrong.

use Theory::{Arith, Arrays, Bags, BitVec, Core, Float, Sequences, Sets, Strings};
use smt::Theory;

/// A row of the table.
#[derive(Debug)]
pub struct Theme {
    /// Its name: what a run's report calls the logic of such a test.
    pub name: &'static str,
    /// The theories whose operators are applied.
    pub theories: &'static [Theory],
    /// Widths of bit-vectors.
    pub widths: &'static [u32],
    /// Formats of floats.
    pub formats: &'static [(u32, u32)],
    /// Whether uninterpreted functions occur.
    pub functions: bool,
    /// Whether arrays occur, nested ones too.
    pub arrays: bool,
    /// Whether datatypes occur, recursive ones too.
    pub datatypes: bool,
    /// Whether quantifiers over finite sorts occur.
    pub quantifiers: bool,
    /// Whether every sort is small enough for the truth to be found by trying all values.
    pub finite: bool,
    /// The solvers that know the theories; empty for all.
    pub solvers: &'static [&'static str],
    /// Those of them that know a part of it by an option for experts only: cvc5 has formats of floats other than the usual ones by
    /// `--fp-exp`. What is wrong there is no defect that its maintainers have promised not to have.
    pub expert: &'static [&'static str],
}

const NONE: Theme = Theme {
    name: "",
    theories: &[],
    widths: &[1, 2, 3, 4],
    formats: &[(2, 3), (3, 3), (2, 4), (3, 5)],
    functions: false,
    arrays: false,
    datatypes: false,
    quantifiers: false,
    finite: false,
    solvers: &[],
    expert: &[],
};

const ALL_THEORIES: &[&str] = &["z3", "cvc5", "cvc4", "oxiz"];
const ARITHMETIC: &[&str] = &["z3", "cvc5", "cvc4", "yices-smt2", "mathsat", "opensmt", "oxiz", "soundline"];
const QUANTIFIERS: &[&str] = &["z3", "cvc5", "cvc4", "bitwuzla", "yices-smt2", "oxiz"];
const FLOATS: &[&str] = &["z3", "cvc5", "cvc4", "bitwuzla", "mathsat", "oxiz", "soundline"];

/// Formats that every solver with floats has without further ado.
const USUAL: &[(u32, u32)] = &[(5, 11), (8, 24), (11, 53)];
const ODD_FORMATS: &[&str] = &["cvc5"];

/// The table of themes.
pub static THEMES: &[Theme] = &[
    Theme { name: "bool", theories: &[Core], finite: true, ..NONE },
    Theme { name: "bv-small", theories: &[BitVec, Core], finite: true, ..NONE },
    Theme { name: "bv", theories: &[BitVec], widths: &[1, 2, 4, 8, 16, 32, 64], ..NONE },
    Theme {
        name: "bv-functions",
        theories: &[BitVec, Core],
        widths: &[1, 2, 4, 8, 64],
        functions: true,
        ..NONE
    },
    Theme {
        name: "bv-arrays",
        theories: &[BitVec, Arrays],
        widths: &[1, 2, 4, 8],
        arrays: true,
        functions: true,
        ..NONE
    },
    Theme {
        name: "bv-quantified",
        theories: &[BitVec, Core],
        widths: &[1, 2, 3],
        quantifiers: true,
        finite: true,
        solvers: QUANTIFIERS,
        ..NONE
    },
    Theme {
        name: "bv-int",
        theories: &[BitVec, Arith],
        widths: &[1, 2, 4, 8],
        solvers: ALL_THEORIES,
        ..NONE
    },
    Theme { name: "arithmetic", theories: &[Arith, Core], solvers: ARITHMETIC, ..NONE },
    Theme {
        name: "arithmetic-functions",
        theories: &[Arith, Core, Arrays],
        functions: true,
        arrays: true,
        solvers: ARITHMETIC,
        ..NONE
    },
    Theme {
        name: "arithmetic-quantified",
        theories: &[Arith, Core],
        quantifiers: true,
        functions: true,
        solvers: ALL_THEORIES,
        ..NONE
    },
    Theme {
        name: "float-small",
        theories: &[Float, Core],
        finite: true,
        solvers: FLOATS,
        expert: ODD_FORMATS,
        ..NONE
    },
    Theme {
        name: "float-usual",
        theories: &[Float, BitVec],
        widths: &[1, 4, 8, 16, 32, 64],
        formats: USUAL,
        solvers: FLOATS,
        ..NONE
    },
    Theme {
        name: "float-usual-functions",
        theories: &[Float, Core],
        formats: USUAL,
        functions: true,
        arrays: true,
        solvers: FLOATS,
        ..NONE
    },
    Theme {
        name: "float",
        theories: &[Float, BitVec],
        widths: &[1, 4, 8, 16, 32],
        formats: &[(2, 3), (3, 5), (5, 11), (8, 24), (11, 53)],
        solvers: FLOATS,
        expert: ODD_FORMATS,
        ..NONE
    },
    Theme {
        name: "float-functions",
        theories: &[Float, Core],
        formats: &[(2, 3), (3, 5), (5, 11), (8, 24)],
        functions: true,
        arrays: true,
        solvers: FLOATS,
        expert: ODD_FORMATS,
        ..NONE
    },
    Theme {
        name: "float-real",
        theories: &[Float, Arith],
        formats: &[(2, 3), (3, 5), (5, 11), (8, 24)],
        solvers: &["z3", "cvc5", "cvc4", "soundline"],
        expert: ODD_FORMATS,
        ..NONE
    },
    Theme {
        name: "float-quantified",
        theories: &[Float, Core],
        formats: &[(2, 3)],
        quantifiers: true,
        finite: true,
        solvers: &["z3", "cvc5", "bitwuzla"],
        expert: ODD_FORMATS,
        ..NONE
    },
    Theme { name: "strings", theories: &[Strings], solvers: ALL_THEORIES, ..NONE },
    Theme { name: "strings-arithmetic", theories: &[Strings, Arith, Core], solvers: ALL_THEORIES, ..NONE },
    Theme {
        name: "strings-functions",
        theories: &[Strings, Core],
        functions: true,
        arrays: true,
        solvers: ALL_THEORIES,
        ..NONE
    },
    Theme {
        name: "sequences",
        theories: &[Sequences, Arith],
        functions: true,
        solvers: &["z3", "cvc5"],
        ..NONE
    },
    Theme { name: "sets", theories: &[Sets, Arith], functions: true, solvers: &["cvc5"], ..NONE },
    Theme { name: "bags", theories: &[Bags, Arith], solvers: &["cvc5"], ..NONE },
    Theme {
        name: "datatypes",
        theories: &[Arith, BitVec, Core],
        datatypes: true,
        functions: true,
        solvers: &["z3", "cvc5", "cvc4", "oxiz"],
        ..NONE
    },
    Theme {
        name: "datatypes-quantified",
        theories: &[BitVec, Core],
        widths: &[1, 2],
        datatypes: true,
        quantifiers: true,
        solvers: &["z3", "cvc5"],
        ..NONE
    },
];

impl Theme {
    /// The row of this name.
    pub fn by_name(name: &str) -> Option<&'static Theme> {
        THEMES.iter().find(|theme| theme.name == name)
    }

    /// Whether a solver has all of it without an option for experts.
    pub fn is_safe(&self, solver: &str) -> bool {
        !self.expert.contains(&solver)
    }

    /// Whether a solver, by its name in the table of solvers, knows the theories. One that is not in the table may.
    pub fn suits(&self, solver: &str) -> bool {
        self.solvers.is_empty() || solver.is_empty() || self.solvers.contains(&solver)
    }
}
