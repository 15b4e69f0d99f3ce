//! What occurs in a query: its sorts and the kinds of its operators, from which the table of engines tells who can take it.

use rustc_hash::FxHashSet;
use smt::walk::Walker;
use smt::{FunId, Op, Sort, SortId, TermId, Terms, Theory};

/// A set of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features(u32);

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $bit:literal;)*) => {
        impl Features {
            $($(#[$doc])* pub const $name: Features = Features(1 << $bit);)*
        }
    };
}

features! {
    /// Integers.
    INT = 0;
    /// Reals.
    REAL = 1;
    /// Conversions between integers and reals.
    MIXED = 2;
    /// Products of unknowns, division by unknowns, powers.
    NONLINEAR = 3;
    /// Bit-vectors.
    BIT_VEC = 4;
    /// Conversions between bit-vectors and integers.
    BV_INT = 5;
    /// Floats and rounding modes.
    FLOAT = 6;
    /// Strings and regular expressions.
    STRING = 7;
    /// Arrays.
    ARRAY = 8;
    /// Functions with arguments that are not interpreted.
    FUNCTION = 9;
    /// Sorts that are not interpreted.
    SORT = 10;
    /// Datatypes.
    DATATYPE = 11;
    /// Quantifiers.
    QUANTIFIER = 12;
    /// Lambdas, maps and functions as values.
    HIGHER_ORDER = 13;
    /// Recursive functions.
    RECURSIVE = 14;
    /// Operators without evaluation, such as `sin`.
    OPAQUE = 15;
}

impl Features {
    /// Nothing but Boolean structure.
    pub const NONE: Features = Features(0);

    /// Both sets together.
    pub const fn with(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    /// Whether all of `other` is in this set.
    pub const fn has(self, other: Features) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether some of `other` is in this set.
    pub const fn meets(self, other: Features) -> bool {
        self.0 & other.0 != 0
    }
}

/// What is in a query.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// What occurs.
    pub features: Features,
    /// The symbols that occur, in the order of their declaration.
    pub symbols: Vec<FunId>,
    /// How many terms there are, shared ones once.
    pub size: usize,
}

impl Profile {
    /// Looks at all terms once.
    pub fn of(terms: &Terms, roots: &[TermId]) -> Profile {
        let mut profile = Profile::default();
        let mut sorts: FxHashSet<SortId> = FxHashSet::default();
        Walker::default().visit(terms, roots, |term| {
            profile.size += 1;
            sorts.insert(terms.sort(term));
            profile.features = profile.features.with(features_of(terms, term));
            if let Some(fun) = terms.as_fun(term) {
                profile.symbols.push(fun);
                sorts.extend(terms.fun(fun).params.iter());
            }
        });
        profile.symbols.sort_unstable();
        profile.symbols.dedup();
        profile.features = sorts.iter().fold(profile.features, |all, &s| all.with(sort_features(terms, s)));
        profile
    }

    /// The constants among the symbols.
    pub fn constants<'a>(&'a self, terms: &'a Terms) -> impl Iterator<Item = FunId> + 'a {
        self.symbols.iter().copied().filter(|&f| terms.fun(f).params.is_empty())
    }
}

fn sort_features(terms: &Terms, sort: SortId) -> Features {
    match terms.sort_of(sort) {
        Sort::Bool => Features::NONE,
        Sort::Int => Features::INT,
        Sort::Real => Features::REAL,
        Sort::RoundingMode | Sort::Float(..) => Features::FLOAT,
        Sort::String | Sort::RegLan => Features::STRING,
        Sort::BitVec(_) => Features::BIT_VEC,
        // Sorts nest no deeper than the reader lets them.
        Sort::Array(index, element) => {
            Features::ARRAY.with(sort_features(terms, *index)).with(sort_features(terms, *element))
        }
        // No engine knows them.
        Sort::Collection(..) | Sort::FiniteField(_) => Features::OPAQUE,
        Sort::Uninterpreted(..) | Sort::Parameter(_) => Features::SORT,
        Sort::Datatype(..) => Features::DATATYPE,
        Sort::Function(..) => Features::HIGHER_ORDER,
    }
}

fn features_of(terms: &Terms, term: TermId) -> Features {
    let op = terms.op(term);
    let args = terms.args(term);
    let unknowns = |list: &[TermId]| list.iter().filter(|&&a| terms.as_value(a).is_none()).count();
    match op {
        Op::Forall | Op::Exists | Op::Bound => Features::QUANTIFIER,
        Op::Lambda | Op::MapApply | Op::AsArray => Features::HIGHER_ORDER,
        Op::Match => Features::DATATYPE,
        Op::Apply if terms.is_function_symbol(term) => Features::HIGHER_ORDER,
        Op::Apply => {
            let fun = terms.fun(terms.as_fun(term).expect("an application has a function"));
            match &fun.definition {
                Some(_) => Features::RECURSIVE,
                None if fun.params.is_empty() => Features::NONE,
                None => Features::FUNCTION,
            }
        }
        Op::Mul if unknowns(args) > 1 => Features::NONLINEAR,
        Op::Div | Op::IntDiv | Op::Mod if unknowns(&args[1..]) > 0 => Features::NONLINEAR,
        Op::Power | Op::Pow2 | Op::IntAnd | Op::IntAndOf => Features::NONLINEAR,
        Op::ToReal | Op::ToInt | Op::IsInt => Features::MIXED,
        Op::UbvToInt | Op::SbvToInt | Op::IntToBv | Op::Bv2Nat | Op::Nat2Bv | Op::Int2Bv => Features::BV_INT,
        Op::FpToReal | Op::ToFpFromReal => Features::FLOAT.with(Features::REAL),
        _ if op.info().theory == Theory::Extension
            && matches!(op.info().evaluation, smt::eval::Evaluation::Opaque) =>
        {
            Features::OPAQUE
        }
        _ => Features::NONE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::read_script;

    fn features(source: &str) -> Features {
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, source);
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        let roots: Vec<TermId> = reading.script.assertions().collect();
        Profile::of(&terms, &roots).features
    }

    #[test]
    fn features_of_queries() {
        let with = |list: &[Features]| list.iter().fold(Features::NONE, |a, &b| a.with(b));
        let table: &[(&str, Features)] = &[
            ("(assert true)", Features::NONE),
            ("(declare-const x Int)(assert (> (* 3 x) (div x 2)))", Features::INT),
            ("(declare-const x Int)(assert (> (* x x) 0))", with(&[Features::INT, Features::NONLINEAR])),
            ("(declare-const x Int)(assert (> (mod 3 x) 0))", with(&[Features::INT, Features::NONLINEAR])),
            (
                "(declare-const x Int)(declare-const y Real)(assert (> y (to_real x)))",
                with(&[Features::INT, Features::REAL, Features::MIXED]),
            ),
            (
                "(declare-const a (Array (_ BitVec 4) Int))(assert (= a a))",
                with(&[Features::ARRAY, Features::BIT_VEC, Features::INT]),
            ),
            (
                "(declare-sort T 0)(declare-fun f (T) Bool)(declare-const t T)(assert (f t))",
                with(&[Features::SORT, Features::FUNCTION]),
            ),
            ("(assert (forall ((s String)) (= s s)))", with(&[Features::QUANTIFIER, Features::STRING])),
            ("(assert (= (sin 1.0) 0.0))", with(&[Features::OPAQUE, Features::REAL])),
        ];
        for (source, expected) in table {
            assert_eq!(features(source), *expected, "{source}");
        }
    }
}
