//! The grammars: which operators an individual is grown from, by logic and with which weight. Owns the tables; an operator's
//! arguments and result come from the operator table of [`smt::op`], and `Grammar::instances` says which applications can
//! give a term of a wanted sort. Growing is [`super::grow`]'s business.

use smt::op::{Arg, Arity, Laws, Res};
use smt::{Op, Sort, SortId, TermId, Terms, walk};

/// What is special about the arguments of a production.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentShape {
    /// Nothing.
    Plain,
    /// The last argument is a literal other than zero: keeps products and quotients linear.
    LiteralLast,
    /// All arguments are literals: the solvers want constant regular expressions.
    Literals,
    /// All arguments are literals of one character.
    Characters,
}

use ArgumentShape::{Characters, LiteralLast, Literals, Plain};

/// One row: an operator, how often it is taken relative to the others that give the same sort, its shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Production(pub Op, pub u32, pub ArgumentShape);

/// Connectives and what every sort has.
static CORE: &[Production] = &[
    Production(Op::Not, 3, Plain),
    Production(Op::And, 2, Plain),
    Production(Op::Or, 3, Plain),
    Production(Op::Implies, 1, Plain),
    Production(Op::Xor, 1, Plain),
    Production(Op::Eq, 8, Plain),
    Production(Op::Distinct, 1, Plain),
    Production(Op::Ite, 1, Plain),
];

/// Linear integer arithmetic.
static LINEAR: &[Production] = &[
    Production(Op::Add, 4, Plain),
    Production(Op::Sub, 3, Plain),
    Production(Op::Neg, 1, Plain),
    Production(Op::Mul, 2, LiteralLast),
    Production(Op::Le, 3, Plain),
    Production(Op::Lt, 3, Plain),
    Production(Op::Ge, 3, Plain),
    Production(Op::Gt, 3, Plain),
];

/// Quotients by literals, which not every string solver knows.
static QUOTIENTS: &[Production] = &[
    Production(Op::IntDiv, 1, LiteralLast),
    Production(Op::Mod, 2, LiteralLast),
    Production(Op::Abs, 1, Plain),
];

/// Products of unknowns.
static NONLINEAR: &[Production] =
    &[Production(Op::Mul, 6, Plain), Production(Op::IntDiv, 1, Plain), Production(Op::Mod, 2, Plain)];

/// Strings and regular expressions: the operators of StringFuzz often, those that only newer solvers know seldom.
static STRINGS: &[Production] = &[
    Production(Op::StrConcat, 8, Plain),
    Production(Op::StrAt, 4, Plain),
    Production(Op::StrSubstr, 4, Plain),
    Production(Op::StrReplace, 4, Plain),
    Production(Op::StrFromInt, 2, Plain),
    Production(Op::StrLen, 6, Plain),
    Production(Op::StrIndexOf, 5, Plain),
    Production(Op::StrToInt, 4, Plain),
    Production(Op::StrPrefixOf, 3, Plain),
    Production(Op::StrSuffixOf, 3, Plain),
    Production(Op::StrContains, 4, Plain),
    Production(Op::StrInRe, 6, Plain),
    Production(Op::StrToRe, 6, Literals),
    Production(Op::ReRange, 3, Characters),
    Production(Op::ReConcat, 5, Plain),
    Production(Op::ReUnion, 5, Plain),
    Production(Op::ReStar, 4, Plain),
    Production(Op::RePlus, 3, Plain),
    Production(Op::ReOpt, 1, Plain),
];

/// What SMT-LIB 2.6 added and older solvers reject; not part of the logic `QF_S`.
static STRINGS_26: &[Production] = &[
    Production(Op::StrReplaceAll, 1, Plain),
    Production(Op::StrToCode, 1, Plain),
    Production(Op::StrFromCode, 1, Plain),
    Production(Op::StrIsDigit, 1, Plain),
    Production(Op::StrLe, 1, Plain),
    Production(Op::StrLt, 1, Plain),
    Production(Op::ReInter, 1, Plain),
    Production(Op::ReComp, 1, Plain),
    Production(Op::ReLoop, 1, Plain),
    Production(Op::ReAllChar, 1, Plain),
];

/// What formulas over bit-vectors are made of.
static BIT_VECTORS: &[Production] = &[
    Production(Op::BvNot, 1, Plain),
    Production(Op::BvNeg, 1, Plain),
    Production(Op::BvAnd, 2, Plain),
    Production(Op::BvOr, 2, Plain),
    Production(Op::BvXor, 2, Plain),
    Production(Op::BvAdd, 4, Plain),
    Production(Op::BvSub, 2, Plain),
    Production(Op::BvMul, 5, Plain),
    Production(Op::BvUdiv, 3, Plain),
    Production(Op::BvUrem, 3, Plain),
    Production(Op::BvSdiv, 1, Plain),
    Production(Op::BvSrem, 1, Plain),
    Production(Op::BvSmod, 1, Plain),
    Production(Op::BvShl, 2, Plain),
    Production(Op::BvLshr, 2, Plain),
    Production(Op::BvAshr, 1, Plain),
    Production(Op::Extract, 2, Plain),
    Production(Op::Concat, 2, Plain),
    Production(Op::ZeroExtend, 1, Plain),
    Production(Op::SignExtend, 1, Plain),
    Production(Op::RotateLeft, 1, Plain),
    Production(Op::BvUlt, 3, Plain),
    Production(Op::BvUle, 2, Plain),
    Production(Op::BvSlt, 3, Plain),
    Production(Op::BvSle, 2, Plain),
];

/// What formulas over floats are made of.
static FLOATS: &[Production] = &[
    Production(Op::FpAbs, 1, Plain),
    Production(Op::FpNeg, 1, Plain),
    Production(Op::FpAdd, 4, Plain),
    Production(Op::FpSub, 3, Plain),
    Production(Op::FpMul, 4, Plain),
    Production(Op::FpDiv, 3, Plain),
    Production(Op::FpFma, 1, Plain),
    Production(Op::FpSqrt, 2, Plain),
    Production(Op::FpRem, 1, Plain),
    Production(Op::FpRoundToIntegral, 1, Plain),
    Production(Op::FpMin, 1, Plain),
    Production(Op::FpMax, 1, Plain),
    Production(Op::FpLeq, 3, Plain),
    Production(Op::FpLt, 3, Plain),
    Production(Op::FpGeq, 2, Plain),
    Production(Op::FpGt, 2, Plain),
    Production(Op::FpEq, 3, Plain),
    Production(Op::FpIsNormal, 1, Plain),
    Production(Op::FpIsSubnormal, 1, Plain),
    Production(Op::FpIsZero, 1, Plain),
    Production(Op::FpIsInfinite, 1, Plain),
    Production(Op::FpIsNaN, 1, Plain),
    Production(Op::FpIsNegative, 1, Plain),
    Production(Op::ToFpFromFp, 1, Plain),
];

/// A logic: what `set-logic` says, the sorts of its variables, its tables.
#[derive(Debug)]
pub struct Logic {
    /// The name, as on the command line.
    pub name: &'static str,
    /// The sorts of variables; operands of `=` are of these sorts too.
    pub sorts: &'static [Sort],
    /// Whether products and quotients of unknowns are outside the logic.
    pub linear: bool,
    tables: &'static [&'static [Production]],
}

const STRING_SORTS: &[Sort] = &[Sort::String, Sort::Int];
const BIT_VECTOR_SORTS: &[Sort] = &[Sort::BitVec(8), Sort::BitVec(16), Sort::BitVec(32)];
const FLOAT_SORTS: &[Sort] = &[Sort::Float(5, 11), Sort::Float(8, 24)];

/// The logics that evolve. The first is the default: the paper's `QF_S` under the name that newer solvers want for it.
pub static LOGICS: &[Logic] = &[
    Logic {
        name: "QF_SLIA",
        sorts: STRING_SORTS,
        linear: true,
        tables: &[CORE, LINEAR, STRINGS, STRINGS_26],
    },
    Logic { name: "QF_S", sorts: STRING_SORTS, linear: true, tables: &[CORE, LINEAR, STRINGS] },
    Logic { name: "QF_LIA", sorts: &[Sort::Int], linear: true, tables: &[CORE, LINEAR, QUOTIENTS] },
    Logic {
        name: "QF_NIA",
        sorts: &[Sort::Int],
        linear: false,
        tables: &[CORE, LINEAR, QUOTIENTS, NONLINEAR],
    },
    Logic { name: "QF_BV", sorts: BIT_VECTOR_SORTS, linear: false, tables: &[CORE, BIT_VECTORS] },
    Logic { name: "QF_FP", sorts: FLOAT_SORTS, linear: false, tables: &[CORE, FLOATS] },
];

impl Logic {
    /// The logic of this name.
    pub fn by_name(name: &str) -> Option<&'static Logic> {
        LOGICS.iter().find(|logic| logic.name == name)
    }

    /// Whether terms stay within the logic: a mutation may have put an unknown where a literal must stand.
    pub(crate) fn holds(&self, terms: &Terms, roots: &[TermId]) -> bool {
        let literal = |term: TermId| terms.as_value(term).is_some();
        walk::reachable(terms, roots).into_iter().all(|term| {
            let args = terms.args(term);
            match terms.op(term) {
                Op::Mul if self.linear => args.iter().filter(|&&a| !literal(a)).count() <= 1,
                Op::IntDiv | Op::Mod if self.linear => args[1..].iter().all(|&a| literal(a)),
                // Constant regular expressions are all that most solvers support.
                Op::StrToRe | Op::ReRange => args.iter().all(|&a| literal(a)),
                // The standard chains these, the solvers do not.
                Op::StrLe | Op::StrLt => args.len() == 2,
                _ => true,
            }
        })
    }

    /// All its rows.
    pub(crate) fn productions(&self) -> impl Iterator<Item = Production> + '_ {
        self.tables.iter().flat_map(|table| table.iter().copied())
    }
}

/// A logic with its sorts in an arena.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// The row of the table that the sorts come from.
    pub logic: &'static Logic,
    /// The sorts of variables.
    pub sorts: Vec<SortId>,
}

/// An application that gives a wanted sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Instance {
    /// The operator.
    pub op: Op,
    /// The numerals of an indexed operator; 0 where there is none.
    pub indices: [u32; 2],
    /// The sorts of the arguments.
    pub args: Vec<SortId>,
    /// What is special about them.
    pub shape: ArgumentShape,
    /// How often it is taken relative to the others.
    pub weight: u32,
    /// Whether the last argument may be repeated.
    pub variadic: bool,
}

impl Grammar {
    /// The grammar of a logic, for terms of this arena.
    pub fn new(terms: &mut Terms, logic: &'static Logic) -> Grammar {
        Grammar { logic, sorts: logic.sorts.iter().map(|sort| terms.make_sort(sort.clone())).collect() }
    }

    /// The applications that give a term of a sort.
    pub(crate) fn instances(&self, terms: &mut Terms, wanted: SortId) -> Vec<Instance> {
        let mut found = Vec::new();
        for Production(op, weight, shape) in self.logic.productions() {
            let row = op.info();
            let (count, variadic) = match row.arity {
                Arity::Exact => (row.args.len(), false),
                Arity::AtLeast(n) => (usize::from(n).max(2), !row.laws.has(Laws::CHAINABLE)),
            };
            let choices = self.bindings(terms, row.args, row.result, wanted);
            // A row that fits several sorts is as likely as one that fits a single one.
            for &sort in &choices {
                let weight = (weight * 12 / choices.len() as u32).max(1);
                let args = (0..count).map(|i| argument(row.arg(i), sort)).collect();
                found.push(Instance { op, indices: [0; 2], args, shape, weight, variadic });
            }
            found.extend(self.indexed(terms, op, wanted, weight * 12));
        }
        found
    }

    /// The sorts that a row's polymorphic arguments can have for the result to be as wanted; one that does not matter for
    /// rows without such arguments, none if the row cannot give the sort.
    fn bindings(&self, terms: &Terms, args: &[Arg], result: Res, wanted: SortId) -> Vec<SortId> {
        let fits = |arg: Arg, sort: SortId| match (arg, terms.sort_of(sort)) {
            (Arg::Num, Sort::Int) | (Arg::Bv, Sort::BitVec(_)) | (Arg::Fp, Sort::Float(..)) | (Arg::A, _) => {
                true
            }
            _ => self::argument(arg, wanted) == sort && !is_polymorphic(arg),
        };
        let polymorphic = args.iter().copied().find(|&arg| is_polymorphic(arg));
        match result {
            Res::Bool if wanted == SortId::BOOL => match polymorphic {
                Some(arg) => self.sorts.iter().copied().filter(|&sort| fits(arg, sort)).collect(),
                None => vec![SortId::BOOL],
            },
            Res::Int if wanted == SortId::INT && polymorphic.is_none() => vec![wanted],
            Res::Str if wanted == SortId::STRING => vec![wanted],
            Res::Re if wanted == SortId::REG_LAN => vec![wanted],
            Res::Like(at) if fits(args[at as usize], wanted) && !args.contains(&Arg::BvAny) => vec![wanted],
            _ => Vec::new(),
        }
    }

    /// Applications whose numerals follow from the sorts.
    fn indexed(&self, terms: &mut Terms, op: Op, wanted: SortId, weight: u32) -> Vec<Instance> {
        let mut found = Vec::new();
        let mut add = |indices, args: &[SortId]| {
            let (args, shape, variadic) = (args.to_vec(), ArgumentShape::Plain, false);
            found.push(Instance { op, indices, args, shape, weight: weight.max(1), variadic });
        };
        let width = |terms: &Terms, sort| match terms.sort_of(sort) {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        };
        if let Some(w) = width(terms, wanted) {
            for &sort in &self.sorts {
                let Some(v) = width(terms, sort) else { continue };
                match op {
                    Op::Extract if v >= w => add([v - 1, v - w], &[sort]),
                    Op::ZeroExtend | Op::SignExtend if v < w => add([w - v, 0], &[sort]),
                    Op::Concat if 2 * v == w => add([0; 2], &[sort, sort]),
                    Op::RotateLeft if v == w => add([v / 2 + 1, 0], &[sort]),
                    _ => {}
                }
            }
        }
        if let (Op::ToFpFromFp, Sort::Float(eb, sb)) = (op, terms.sort_of(wanted).clone()) {
            for &sort in self.sorts.iter().filter(|&&sort| sort != wanted) {
                add([eb, sb], &[SortId::ROUNDING_MODE, sort]);
            }
        }
        if op == Op::ReLoop && wanted == SortId::REG_LAN {
            add([1, 3], &[SortId::REG_LAN]);
        }
        found
    }
}

fn is_polymorphic(arg: Arg) -> bool {
    matches!(arg, Arg::Num | Arg::Bv | Arg::Fp | Arg::A)
}

/// The sort of an argument when the polymorphic ones are bound to `sort`.
fn argument(arg: Arg, sort: SortId) -> SortId {
    match arg {
        Arg::Bool => SortId::BOOL,
        Arg::Int => SortId::INT,
        Arg::Real => SortId::REAL,
        Arg::Rm => SortId::ROUNDING_MODE,
        Arg::Str => SortId::STRING,
        Arg::Re => SortId::REG_LAN,
        // The tables name no operator with the array patterns, and those with widths of their own are instantiated apart.
        Arg::Num
        | Arg::Bv
        | Arg::Fp
        | Arg::A
        | Arg::BvAny
        | Arg::Bv1
        | Arg::FpAny
        | Arg::Arr
        | Arg::Index
        | Arg::Element
        | Arg::Collection(_)
        | Arg::Item
        | Arg::Field => sort,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_used_in_its_logic() {
        for logic in LOGICS {
            let mut terms = Terms::new();
            let grammar = Grammar::new(&mut terms, logic);
            let mut wanted = grammar.sorts.clone();
            wanted.extend([SortId::BOOL, SortId::INT, SortId::REG_LAN]);
            let instances: Vec<Op> =
                wanted.iter().flat_map(|&sort| grammar.instances(&mut terms, sort)).map(|i| i.op).collect();
            for Production(op, weight, _) in logic.productions() {
                assert!(weight > 0 && instances.contains(&op), "{} in {}", op.name(), logic.name);
            }
        }
    }

    #[test]
    fn every_instance_is_well_sorted_and_gives_what_is_wanted() {
        for logic in LOGICS {
            let mut terms = Terms::new();
            let grammar = Grammar::new(&mut terms, logic);
            let mut wanted = grammar.sorts.clone();
            wanted.extend([SortId::BOOL, SortId::INT]);
            for sort in wanted {
                for instance in grammar.instances(&mut terms, sort) {
                    let args: Vec<_> = instance
                        .args
                        .iter()
                        .map(|&s| {
                            if s == SortId::REG_LAN {
                                terms.mk(Op::ReAllChar, &[])
                            } else {
                                super::super::individual::variable(&mut terms, s, 0)
                            }
                        })
                        .collect();
                    let built = terms.app_indexed(instance.op, instance.indices, &args);
                    assert_eq!(built.map(|t| terms.sort(t)).ok(), Some(sort), "{instance:?}");
                }
            }
        }
    }
}
