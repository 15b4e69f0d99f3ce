//! The table of themes: which theories a random formula mixes, in which widths and formats. Small widths and formats are where the
//! truth can be found by trying all values; odd ones are where implementations go wrong.

use crate::options::table::Area;
use Theory::{Arith, Arrays, Bags, BitVec, Core, Fields, Float, Sequences, Sets, Strings};
use smt::{Op, SortId, Theory};

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
    /// The sorts of numbers; one that stands twice is taken twice as often.
    pub numbers: &'static [SortId],
    /// The operators that are applied; empty for all of the theories. Few operators over few sorts meet each other more often.
    pub only: &'static [Op],
    /// Whether uninterpreted functions occur.
    pub functions: bool,
    /// Whether arrays occur, nested ones too.
    pub arrays: bool,
    /// Whether datatypes occur, recursive ones too.
    pub datatypes: bool,
    /// Whether a declared sort occurs, of which nothing is known.
    pub sorts: bool,
    /// Whether quantifiers over finite sorts occur.
    pub quantifiers: bool,
    /// Whether every sort is small enough for the truth to be found by trying all values.
    pub finite: bool,
    /// The law by which half of its formulas are made, if it has one.
    pub law: Option<Law>,
    /// The solvers that know the theories; empty for all.
    pub solvers: &'static [&'static str],
    /// Those of them that know a part of it by an option for experts only: cvc5 has formats of floats other than the usual ones by
    /// `--fp-exp`. What is wrong there is no defect that its maintainers have promised not to have.
    pub expert: &'static [&'static str],
}

/// A way to formulas of known truth that only some themes have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Law {
    /// A polynomial that is negative here and positive there is zero between (`roots`).
    Crossing,
    /// A word is in the languages of itself (`members`).
    Membership,
}

const NONE: Theme = Theme {
    name: "",
    theories: &[],
    widths: &[1, 2, 3, 4],
    formats: &[(2, 3), (3, 3), (2, 4), (3, 5)],
    numbers: NUMBERS,
    only: &[],
    functions: false,
    arrays: false,
    datatypes: false,
    sorts: false,
    quantifiers: false,
    finite: false,
    law: None,
    solvers: &[],
    expert: &[],
};

const NUMBERS: &[SortId] = &[SortId::INT, SortId::INT, SortId::REAL];

const ALL_THEORIES: &[&str] = &["z3", "cvc5", "cvc4", "oxiz"];
const ARITHMETIC: &[&str] = &["z3", "cvc5", "cvc4", "yices-smt2", "mathsat", "opensmt", "oxiz", "soundline"];
const QUANTIFIERS: &[&str] = &["z3", "cvc5", "cvc4", "bitwuzla", "yices-smt2", "oxiz"];
const FLOATS: &[&str] = &["z3", "cvc5", "cvc4", "bitwuzla", "mathsat", "oxiz", "soundline"];

/// Solvers with finite fields, in some releases and builds.
const FIELDS: &[&str] = &["z3", "cvc5"];

/// Formats that every solver with floats has without further ado.
const USUAL: &[(u32, u32)] = &[(5, 11), (8, 24), (11, 53)];
const ODD_FORMATS: &[&str] = &["cvc5"];

/// Shifts and what moves bits from one width to another.
const MOVES: &[Op] = &[
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::Concat,
    Op::Extract,
    Op::ZeroExtend,
    Op::SignExtend,
    Op::RotateLeft,
    Op::BvUlt,
    Op::BvSlt,
    Op::BvAdd,
];
/// What polynomials are made of.
const POLYNOMIALS: &[Op] = &[Op::Add, Op::Sub, Op::Mul, Op::Mul, Op::Neg, Op::Lt, Op::Le];
/// Polynomials below polynomials.
const QUOTIENTS: &[Op] = &[Op::Add, Op::Mul, Op::Div, Op::Div, Op::Lt, Op::Le];
/// Whole numbers beyond sums.
const DIVISIONS: &[Op] = &[Op::Mul, Op::IntDiv, Op::Mod, Op::Abs, Op::Add, Op::Sub, Op::Lt, Op::Le];
/// Languages, and what gives them words that are terms.
const LANGUAGES: &[Op] = &[
    Op::StrInRe,
    Op::StrInRe,
    Op::StrInRe,
    Op::ReStar,
    Op::RePlus,
    Op::ReOpt,
    Op::ReUnion,
    Op::ReInter,
    Op::ReComp,
    Op::ReDiff,
    Op::ReConcat,
    Op::ReLoop,
    Op::RePower,
    Op::StrAt,
    Op::StrSubstr,
    Op::StrConcat,
    Op::StrLen,
];
/// Languages whose parts are terms: letters, words and the ends of ranges.
const LANGUAGES_OF_TERMS: &[Op] = &[
    Op::StrInRe,
    Op::StrInRe,
    Op::ReStar,
    Op::ReUnion,
    Op::ReInter,
    Op::ReComp,
    Op::ReConcat,
    Op::ReRange,
    Op::StrAt,
    Op::StrConcat,
];
/// Words that are parts of others, and languages of them.
const WORDS_OF_TERMS: &[Op] = &[
    Op::StrAt,
    Op::StrAt,
    Op::StrSubstr,
    Op::StrSubstr,
    Op::StrConcat,
    Op::StrLen,
    Op::StrInRe,
    Op::ReStar,
    Op::ReUnion,
];
/// What leads from floats to other sorts and back, with a little arithmetic.
const CONVERSIONS: &[Op] = &[
    Op::ToFpFromBits,
    Op::ToFpFromFp,
    Op::ToFpFromSbv,
    Op::ToFpFromReal,
    Op::ToFpUnsigned,
    Op::FpToUbv,
    Op::FpToSbv,
    Op::FpToReal,
    Op::FpAdd,
    Op::FpMul,
    Op::FpRoundToIntegral,
    Op::FpLeq,
    Op::FpEq,
    Op::FpIsZero,
    Op::FpIsNegative,
    Op::Add,
    Op::Le,
    Op::Int2Bv,
];
/// Strings with what cvc5 has beyond the standard.
const STRINGS_OF_CVC5: &[Op] = &[
    Op::StrRev,
    Op::StrRev,
    Op::StrToLower,
    Op::StrToUpper,
    Op::StrConcat,
    Op::StrSubstr,
    Op::StrReplace,
    Op::StrContains,
    Op::StrIndexOf,
    Op::StrLen,
    Op::Add,
    Op::Le,
];
/// The same of sequences.
const SEQUENCES_OF_CVC5: &[Op] = &[
    Op::SeqUpdate,
    Op::SeqUpdate,
    Op::SeqRev,
    Op::SeqReplaceAll,
    Op::SeqConcat,
    Op::SeqUnit,
    Op::SeqNth,
    Op::SeqExtract,
    Op::SeqContains,
    Op::SeqLen,
    Op::Add,
    Op::Le,
];
/// Whole numbers beside what has bits: cvc5 has these by names of its own.
const POWERS: &[Op] = &[
    Op::Pow2,
    Op::Pow2,
    Op::IntAnd,
    Op::IntAnd,
    Op::IntAndOf,
    Op::Mul,
    Op::Mod,
    Op::Add,
    Op::Sub,
    Op::Lt,
    Op::Le,
];
/// What both cvc5 and Z3 have for finite sets.
const SETS: &[Op] = &[
    Op::SetSingleton,
    Op::SetUnion,
    Op::SetInter,
    Op::SetMinus,
    Op::SetMember,
    Op::SetSubset,
    Op::SetCard,
    Op::SetCard,
    Op::Add,
    Op::Le,
];

/// The table of themes.
pub static THEMES: &[Theme] = &[
    Theme { name: "bool", theories: &[Core], finite: true, ..NONE },
    Theme {
        name: "bool-quantified",
        theories: &[Core],
        quantifiers: true,
        finite: true,
        solvers: QUANTIFIERS,
        ..NONE
    },
    Theme { name: "bool-arrays", theories: &[Core, Arrays], arrays: true, functions: true, ..NONE },
    Theme { name: "sorts", theories: &[Core], sorts: true, functions: true, arrays: true, ..NONE },
    Theme {
        name: "sorts-bits",
        theories: &[Core, BitVec],
        widths: &[1, 2, 4],
        sorts: true,
        functions: true,
        arrays: true,
        ..NONE
    },
    Theme {
        name: "sorts-datatypes",
        theories: &[Core, Arith],
        sorts: true,
        functions: true,
        arrays: true,
        datatypes: true,
        solvers: &["z3", "cvc5", "cvc4"],
        ..NONE
    },
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
        name: "bv-arrays-quantified",
        theories: &[BitVec, Core],
        widths: &[1, 2, 3],
        functions: true,
        arrays: true,
        quantifiers: true,
        solvers: QUANTIFIERS,
        ..NONE
    },
    Theme { name: "bv-moves", theories: &[BitVec], only: MOVES, finite: true, ..NONE },
    Theme {
        name: "bv-moves-quantified",
        theories: &[BitVec],
        only: MOVES,
        quantifiers: true,
        finite: true,
        solvers: QUANTIFIERS,
        ..NONE
    },
    Theme {
        name: "bv-arrays-small",
        theories: &[BitVec, Arrays],
        only: &[Op::Select, Op::Store, Op::Store, Op::BvAdd, Op::Concat, Op::BvUlt],
        widths: &[1, 2],
        arrays: true,
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
        name: "polynomials",
        theories: &[Arith],
        numbers: &[SortId::REAL],
        only: POLYNOMIALS,
        solvers: ARITHMETIC,
        ..NONE
    },
    Theme {
        name: "roots",
        theories: &[Arith],
        numbers: &[SortId::REAL],
        only: POLYNOMIALS,
        law: Some(Law::Crossing),
        solvers: ARITHMETIC,
        ..NONE
    },
    Theme {
        name: "quotients",
        theories: &[Arith],
        numbers: &[SortId::REAL],
        only: QUOTIENTS,
        solvers: ARITHMETIC,
        ..NONE
    },
    Theme {
        name: "divisions",
        theories: &[Arith],
        numbers: &[SortId::INT],
        only: DIVISIONS,
        solvers: ARITHMETIC,
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
        name: "float-conversions",
        theories: &[Float, BitVec, Arith],
        widths: &[1, 2, 4, 8],
        numbers: &[SortId::REAL],
        only: CONVERSIONS,
        functions: true,
        solvers: &["z3", "cvc5", "cvc4"],
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
    Theme { name: "languages", theories: &[Strings], only: LANGUAGES, solvers: ALL_THEORIES, ..NONE },
    Theme {
        name: "languages-of-terms",
        theories: &[Strings],
        only: LANGUAGES_OF_TERMS,
        solvers: &["z3"],
        ..NONE
    },
    Theme {
        name: "words-of-terms",
        theories: &[Strings],
        only: WORDS_OF_TERMS,
        law: Some(Law::Membership),
        solvers: &["z3"],
        ..NONE
    },
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
        name: "strings-cvc5",
        theories: &[Strings, Arith],
        numbers: &[SortId::INT],
        only: STRINGS_OF_CVC5,
        solvers: &["cvc5"],
        ..NONE
    },
    Theme {
        name: "sequences-cvc5",
        theories: &[Sequences, Arith],
        numbers: &[SortId::INT],
        only: SEQUENCES_OF_CVC5,
        functions: true,
        solvers: &["cvc5"],
        ..NONE
    },
    Theme {
        name: "powers-cvc5",
        theories: &[Arith],
        numbers: &[SortId::INT],
        only: POWERS,
        solvers: &["cvc5"],
        ..NONE
    },
    Theme {
        name: "sequences",
        theories: &[Sequences, Arith],
        functions: true,
        solvers: &["z3", "cvc5"],
        ..NONE
    },
    Theme {
        name: "sets",
        theories: &[Sets, Arith],
        numbers: &[SortId::INT],
        only: SETS,
        functions: true,
        solvers: &["cvc5", "z3"],
        ..NONE
    },
    Theme { name: "fields", theories: &[Fields], finite: true, solvers: FIELDS, ..NONE },
    Theme {
        name: "fields-functions",
        theories: &[Fields, Core],
        functions: true,
        arrays: true,
        solvers: FIELDS,
        ..NONE
    },
    Theme {
        name: "fields-quantified",
        theories: &[Fields, Core],
        quantifiers: true,
        finite: true,
        solvers: FIELDS,
        ..NONE
    },
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
    pub(crate) fn is_safe(&self, solver: &str) -> bool {
        !self.expert.contains(&solver)
    }

    /// Whether floats of other formats than the usual ones occur.
    pub(crate) fn has_odd_formats(&self) -> bool {
        self.theories.contains(&Float) && self.formats.iter().any(|format| !USUAL.contains(format))
    }

    /// What its formulas are about, as far as options of solvers are about it.
    pub(crate) fn areas(&self) -> Vec<Area> {
        let mut areas: Vec<Area> = self.theories.iter().filter_map(|&theory| Area::of(theory)).collect();
        let rest = [
            (self.arrays, Area::Arrays),
            (self.functions || self.sorts, Area::Functions),
            (self.datatypes, Area::Datatypes),
            (self.quantifiers, Area::Quantifiers),
        ];
        areas.extend(rest.iter().filter(|(has, _)| *has).map(|(_, area)| *area));
        areas
    }

    /// Whether a solver, by its name in the table of solvers, knows the theories. One that is not in the table may.
    pub(crate) fn suits(&self, solver: &str) -> bool {
        self.solvers.is_empty() || solver.is_empty() || self.solvers.contains(&solver)
    }
}
