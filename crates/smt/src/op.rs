//! The operator table: the one place that knows which operators exist, how they are written, which sorts they
//! take and give, which laws they obey and how they are evaluated. Parser, sort checker, printer, evaluator and
//! generators all read it; adding an operator is one row here and its evaluation function.
//!
//! Rows with the same name are overloads; the first whose signature fits an application is meant.

use crate::eval::{Evaluation, arith, array, bv, collection, core, field, fp, string};
use crate::sort::Collection;
use crate::symbol::hash_name;
use Arg::*;
use Arity::*;
use hashbrown::HashTable;
use std::sync::LazyLock;

/// The theory, in SMT-LIB's catalogue, that an operator belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Theory {
    /// Core
    Core,
    /// Ints, Reals and Reals_Ints
    Arith,
    /// FixedSizeBitVectors
    BitVec,
    /// FloatingPoint
    Float,
    /// UnicodeStrings
    Strings,
    /// ArraysEx
    Arrays,
    /// What belongs to the language itself: binders, applications, datatypes, annotations.
    Language,
    /// Sequences: outside the standard, known to cvc5 and Z3.
    Sequences,
    /// Finite sets: outside the standard, known to cvc5.
    Sets,
    /// Bags: outside the standard, known to cvc5.
    Bags,
    /// Finite fields: outside the standard, known to cvc5.
    Fields,
    /// Operators outside the standard that Z3, cvc5 or Bitwuzla know: read, sort-checked and printed.
    Extension,
}

impl Theory {
    /// Whether it is a theory of SMT-LIB's catalogue, which every solver may be asked about.
    pub fn is_standard(self) -> bool {
        !matches!(
            self,
            Theory::Language
                | Theory::Extension
                | Theory::Sequences
                | Theory::Sets
                | Theory::Bags
                | Theory::Fields
        )
    }
}

/// What sort an argument must have. Within one application every `Bv` has the same width, every `Fp` the same
/// format, every `Num` is the same of `Int` and `Real`, and every `A` is the same sort; `BvAny` and `FpAny` are free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// `Bool`
    Bool,
    /// `Int`
    Int,
    /// `Real`
    Real,
    /// `Int` or `Real`
    Num,
    /// `RoundingMode`
    Rm,
    /// `String`
    Str,
    /// `RegLan`
    Re,
    /// A bit-vector
    Bv,
    /// A bit-vector of a width of its own
    BvAny,
    /// `(_ BitVec 1)`
    Bv1,
    /// A float
    Fp,
    /// A float of a format of its own
    FpAny,
    /// Any sort
    A,
    /// An array
    Arr,
    /// The index sort of the array that is the first argument
    Index,
    /// The element sort of the array that is the first argument
    Element,
    /// A sequence, set or bag; all of them in one application have the same sort
    Collection(Collection),
    /// What the collections of this application consist of
    Item,
    /// An element of a finite field; all of them in one application are of the same field
    Field,
}

/// The sort of an application.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Res {
    /// `Bool`
    Bool,
    /// `Int`
    Int,
    /// `Real`
    Real,
    /// `String`
    Str,
    /// `RegLan`
    Re,
    /// `(_ BitVec 1)`
    Bv1,
    /// The sort of the argument at this position.
    Like(u8),
    /// A bit-vector as wide as all arguments together.
    WidthSum,
    /// A bit-vector of the width `i - j + 1` for indices `i`, `j`.
    WidthOfSlice,
    /// A bit-vector as wide as the argument times the index.
    WidthTimes,
    /// A bit-vector wider than the argument by the index.
    WidthPlus,
    /// A bit-vector as wide as the index says.
    WidthIndex,
    /// A bit-vector as wide as the float argument.
    WidthOfFloat,
    /// The float format that the two indices give.
    FormatIndices,
    /// The float whose fields are the three bit-vector arguments.
    FormatOfFields,
    /// The element sort of the array argument.
    Element,
    /// A collection of such items as the arguments are.
    Collection(Collection),
    /// What the collections among the arguments consist of.
    Item,
    /// Not by this table: the constructor of the node knows.
    Special,
}

/// How many arguments an operator takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// As many as the signature lists.
    Exact,
    /// The last one listed may be repeated; at least this many in all.
    AtLeast(u8),
}

/// Algebraic laws that hold for all arguments. A test checks every promise against the evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Laws(u8);

impl Laws {
    /// No law is promised.
    pub const NONE: Laws = Laws(0);
    /// `f(f(a, b), c) = f(a, b, c) = f(a, f(b, c))`
    pub const ASSOCIATIVE: Laws = Laws(1);
    /// `f(a, b) = f(b, a)`
    pub const COMMUTATIVE: Laws = Laws(2);
    /// `f(a, a) = a`
    pub const IDEMPOTENT: Laws = Laws(4);
    /// `f(a, b, c) = f(a, b) and f(b, c)`
    pub const CHAINABLE: Laws = Laws(8);
    /// `f(f(a)) = a`
    pub const INVOLUTION: Laws = Laws(16);
    /// `f(a, b, c) = f(f(a, b), c)`
    pub const LEFT: Laws = Laws(32);

    /// Whether all laws of `other` are promised.
    pub const fn has(self, other: Laws) -> bool {
        self.0 & other.0 == other.0
    }

    const fn and(self, other: Laws) -> Laws {
        Laws(self.0 | other.0)
    }
}

const NO: Laws = Laws::NONE;
const AC: Laws = Laws::ASSOCIATIVE.and(Laws::COMMUTATIVE).and(Laws::LEFT);
const ACI: Laws = AC.and(Laws::IDEMPOTENT);
/// The laws of an operator of two arguments, which none of more stands for.
const ACI_BINARY: Laws = Laws::COMMUTATIVE.and(Laws::IDEMPOTENT);
const ASSOC: Laws = Laws::ASSOCIATIVE.and(Laws::LEFT);
const LEFT: Laws = Laws::LEFT;
const COMM: Laws = Laws::COMMUTATIVE;
const CHAIN: Laws = Laws::CHAINABLE;
const CHAIN_COMM: Laws = Laws::CHAINABLE.and(Laws::COMMUTATIVE);
const INVOL: Laws = Laws::INVOLUTION;
const IDEM: Laws = Laws::IDEMPOTENT;

/// One row of the table.
#[derive(Debug)]
pub struct OpInfo {
    /// The operator itself.
    pub op: Op,
    /// How SMT-LIB 2.6/2.7 writes it.
    pub name: &'static str,
    /// Where it belongs.
    pub theory: Theory,
    /// How many numerals follow the name in `(_ name i j)`.
    pub indices: u8,
    /// The sorts of its arguments.
    pub args: &'static [Arg],
    /// How many arguments it takes.
    pub arity: Arity,
    /// The sort of its applications.
    pub result: Res,
    /// What holds for it.
    pub laws: Laws,
    /// How the evaluator computes it.
    pub evaluation: Evaluation,
}

macro_rules! operators {
    ($($op:ident $name:literal $theory:ident $indices:literal ($($arg:expr),*) $arity:expr, $res:expr, $laws:expr, $eval:expr;)*) => {
        /// An operator, or the kind of a node that is not an operator application.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        #[allow(missing_docs, reason = "the table documents each operator by its SMT-LIB name")]
        pub enum Op { $($op),* }

        /// All rows, in the order of `Op`.
        pub static TABLE: &[OpInfo] = &[$(OpInfo {
            op: Op::$op, name: $name, theory: Theory::$theory, indices: $indices,
            args: &[$($arg),*], arity: $arity, result: $res, laws: $laws, evaluation: $eval,
        }),*];
    };
}

const SEQ: Arg = Arg::Collection(Collection::Seq);
const SET: Arg = Arg::Collection(Collection::Set);
const BAG: Arg = Arg::Collection(Collection::Bag);

use Evaluation::{Lenient, Node, Opaque, Strict};

operators! {
    // The language: nodes whose meaning is not a table row.
    Const "" Language 0 () Exact, Res::Special, NO, Node;
    Apply "" Language 0 () Exact, Res::Special, NO, Node;
    Bound "" Language 0 () Exact, Res::Special, NO, Node;
    Forall "forall" Language 0 () Exact, Res::Bool, NO, Node;
    Exists "exists" Language 0 () Exact, Res::Bool, NO, Node;
    Lambda "lambda" Language 0 () Exact, Res::Special, NO, Node;
    Match "match" Language 0 () Exact, Res::Special, NO, Node;
    Annot "!" Language 0 () Exact, Res::Special, NO, Node;
    MapApply "@" Language 0 () Exact, Res::Special, NO, Node;
    ConstArray "const" Language 0 () Exact, Res::Special, NO, Node;
    AsArray "as-array" Language 0 () Exact, Res::Special, NO, Node;
    Construct "" Language 0 () Exact, Res::Special, NO, Node;
    Field "" Language 0 () Exact, Res::Special, NO, Node;
    Tester "is" Language 0 () Exact, Res::Bool, NO, Node;
    UpdateField "update" Language 0 () Exact, Res::Special, NO, Node;

    // Core
    Not "not" Core 0 (Bool) Exact, Res::Bool, INVOL, Lenient(core::not);
    Implies "=>" Core 0 (Bool) AtLeast(2), Res::Bool, NO, Lenient(core::implies);
    And "and" Core 0 (Bool) AtLeast(1), Res::Bool, ACI, Lenient(core::and);
    Or "or" Core 0 (Bool) AtLeast(1), Res::Bool, ACI, Lenient(core::or);
    Xor "xor" Core 0 (Bool) AtLeast(1), Res::Bool, AC, Strict(core::xor);
    Eq "=" Core 0 (A) AtLeast(2), Res::Bool, CHAIN_COMM, Strict(core::eq);
    Distinct "distinct" Core 0 (A) AtLeast(1), Res::Bool, COMM, Strict(core::distinct);
    Ite "ite" Core 0 (Bool, A, A) Exact, Res::Like(1), NO, Lenient(core::ite);

    // Ints, Reals, Reals_Ints
    Neg "-" Arith 0 (Num) Exact, Res::Like(0), INVOL, Strict(arith::neg);
    Sub "-" Arith 0 (Num) AtLeast(2), Res::Like(0), LEFT, Strict(arith::sub);
    Add "+" Arith 0 (Num) AtLeast(1), Res::Like(0), AC, Strict(arith::add);
    Mul "*" Arith 0 (Num) AtLeast(1), Res::Like(0), AC, Strict(arith::mul);
    IntDiv "div" Arith 0 (Int) AtLeast(2), Res::Int, LEFT, Strict(arith::int_div);
    Mod "mod" Arith 0 (Int, Int) Exact, Res::Int, NO, Strict(arith::modulo);
    Abs "abs" Arith 0 (Num) Exact, Res::Like(0), NO, Strict(arith::abs);
    Le "<=" Arith 0 (Num) AtLeast(2), Res::Bool, CHAIN, Strict(arith::le);
    Lt "<" Arith 0 (Num) AtLeast(2), Res::Bool, CHAIN, Strict(arith::lt);
    Ge ">=" Arith 0 (Num) AtLeast(2), Res::Bool, CHAIN, Strict(arith::ge);
    Gt ">" Arith 0 (Num) AtLeast(2), Res::Bool, CHAIN, Strict(arith::gt);
    Divisible "divisible" Arith 1 (Int) Exact, Res::Bool, NO, Strict(arith::divisible);
    Div "/" Arith 0 (Real) AtLeast(2), Res::Real, LEFT, Strict(arith::div);
    ToReal "to_real" Arith 0 (Int) Exact, Res::Real, NO, Strict(arith::to_real);
    ToInt "to_int" Arith 0 (Real) Exact, Res::Int, NO, Strict(arith::to_int);
    IsInt "is_int" Arith 0 (Real) Exact, Res::Bool, NO, Strict(arith::is_int);

    // FixedSizeBitVectors
    Concat "concat" BitVec 0 (BvAny) AtLeast(2), Res::WidthSum, ASSOC, Strict(bv::concat);
    Extract "extract" BitVec 2 (BvAny) Exact, Res::WidthOfSlice, NO, Strict(bv::extract);
    Repeat "repeat" BitVec 1 (BvAny) Exact, Res::WidthTimes, NO, Strict(bv::repeat);
    ZeroExtend "zero_extend" BitVec 1 (BvAny) Exact, Res::WidthPlus, NO, Strict(bv::zero_extend);
    SignExtend "sign_extend" BitVec 1 (BvAny) Exact, Res::WidthPlus, NO, Strict(bv::sign_extend);
    RotateLeft "rotate_left" BitVec 1 (BvAny) Exact, Res::Like(0), NO, Strict(bv::rotate_left);
    RotateRight "rotate_right" BitVec 1 (BvAny) Exact, Res::Like(0), NO, Strict(bv::rotate_right);
    BvNot "bvnot" BitVec 0 (Bv) Exact, Res::Like(0), INVOL, Strict(bv::not);
    BvNeg "bvneg" BitVec 0 (Bv) Exact, Res::Like(0), INVOL, Strict(bv::neg);
    BvAnd "bvand" BitVec 0 (Bv) AtLeast(2), Res::Like(0), ACI, Strict(bv::and);
    BvOr "bvor" BitVec 0 (Bv) AtLeast(2), Res::Like(0), ACI, Strict(bv::or);
    BvXor "bvxor" BitVec 0 (Bv) AtLeast(2), Res::Like(0), AC, Strict(bv::xor);
    BvNand "bvnand" BitVec 0 (Bv, Bv) Exact, Res::Like(0), COMM, Strict(bv::nand);
    BvNor "bvnor" BitVec 0 (Bv, Bv) Exact, Res::Like(0), COMM, Strict(bv::nor);
    BvXnor "bvxnor" BitVec 0 (Bv, Bv) Exact, Res::Like(0), COMM, Strict(bv::xnor);
    BvAdd "bvadd" BitVec 0 (Bv) AtLeast(2), Res::Like(0), AC, Strict(bv::add);
    BvSub "bvsub" BitVec 0 (Bv, Bv) Exact, Res::Like(0), NO, Strict(bv::sub);
    BvMul "bvmul" BitVec 0 (Bv) AtLeast(2), Res::Like(0), AC, Strict(bv::mul);
    BvUdiv "bvudiv" BitVec 0 (Bv, Bv) Exact, Res::Like(0), NO, Strict(bv::udiv);
    BvUrem "bvurem" BitVec 0 (Bv, Bv) Exact, Res::Like(0), NO, Strict(bv::urem);
    BvSdiv "bvsdiv" BitVec 0 (Bv, Bv) Exact, Res::Like(0), NO, Strict(bv::sdiv);
    BvSrem "bvsrem" BitVec 0 (Bv, Bv) Exact, Res::Like(0), NO, Strict(bv::srem);
    BvSmod "bvsmod" BitVec 0 (Bv, Bv) Exact, Res::Like(0), NO, Strict(bv::smod);
    BvShl "bvshl" BitVec 0 (Bv, Bv) Exact, Res::Like(0), NO, Strict(bv::shl);
    BvLshr "bvlshr" BitVec 0 (Bv, Bv) Exact, Res::Like(0), NO, Strict(bv::lshr);
    BvAshr "bvashr" BitVec 0 (Bv, Bv) Exact, Res::Like(0), NO, Strict(bv::ashr);
    BvComp "bvcomp" BitVec 0 (Bv, Bv) Exact, Res::Bv1, COMM, Strict(bv::comp);
    BvUlt "bvult" BitVec 0 (Bv, Bv) Exact, Res::Bool, NO, Strict(bv::ult);
    BvUle "bvule" BitVec 0 (Bv, Bv) Exact, Res::Bool, NO, Strict(bv::ule);
    BvUgt "bvugt" BitVec 0 (Bv, Bv) Exact, Res::Bool, NO, Strict(bv::ugt);
    BvUge "bvuge" BitVec 0 (Bv, Bv) Exact, Res::Bool, NO, Strict(bv::uge);
    BvSlt "bvslt" BitVec 0 (Bv, Bv) Exact, Res::Bool, NO, Strict(bv::slt);
    BvSle "bvsle" BitVec 0 (Bv, Bv) Exact, Res::Bool, NO, Strict(bv::sle);
    BvSgt "bvsgt" BitVec 0 (Bv, Bv) Exact, Res::Bool, NO, Strict(bv::sgt);
    BvSge "bvsge" BitVec 0 (Bv, Bv) Exact, Res::Bool, NO, Strict(bv::sge);
    BvNego "bvnego" BitVec 0 (Bv) Exact, Res::Bool, NO, Strict(bv::nego);
    BvUaddo "bvuaddo" BitVec 0 (Bv, Bv) Exact, Res::Bool, COMM, Strict(bv::uaddo);
    BvSaddo "bvsaddo" BitVec 0 (Bv, Bv) Exact, Res::Bool, COMM, Strict(bv::saddo);
    BvUmulo "bvumulo" BitVec 0 (Bv, Bv) Exact, Res::Bool, COMM, Strict(bv::umulo);
    BvSmulo "bvsmulo" BitVec 0 (Bv, Bv) Exact, Res::Bool, COMM, Strict(bv::smulo);
    BvUsubo "bvusubo" BitVec 0 (Bv, Bv) Exact, Res::Bool, NO, Strict(bv::usubo);
    BvSsubo "bvssubo" BitVec 0 (Bv, Bv) Exact, Res::Bool, NO, Strict(bv::ssubo);
    BvSdivo "bvsdivo" BitVec 0 (Bv, Bv) Exact, Res::Bool, NO, Strict(bv::sdivo);
    UbvToInt "ubv_to_int" BitVec 0 (BvAny) Exact, Res::Int, NO, Strict(bv::ubv_to_int);
    SbvToInt "sbv_to_int" BitVec 0 (BvAny) Exact, Res::Int, NO, Strict(bv::sbv_to_int);
    IntToBv "int_to_bv" BitVec 1 (Int) Exact, Res::WidthIndex, NO, Strict(bv::int_to_bv);
    Bv2Nat "bv2nat" BitVec 0 (BvAny) Exact, Res::Int, NO, Strict(bv::ubv_to_int);
    Nat2Bv "nat2bv" BitVec 1 (Int) Exact, Res::WidthIndex, NO, Strict(bv::int_to_bv);
    Int2Bv "int2bv" BitVec 1 (Int) Exact, Res::WidthIndex, NO, Strict(bv::int_to_bv);

    // FloatingPoint
    Fp "fp" Float 0 (Bv1, BvAny, BvAny) Exact, Res::FormatOfFields, NO, Strict(fp::fields);
    FpAbs "fp.abs" Float 0 (Fp) Exact, Res::Like(0), NO, Strict(fp::abs);
    FpNeg "fp.neg" Float 0 (Fp) Exact, Res::Like(0), INVOL, Strict(fp::neg);
    FpAdd "fp.add" Float 0 (Rm, Fp, Fp) Exact, Res::Like(1), NO, Strict(fp::add);
    FpSub "fp.sub" Float 0 (Rm, Fp, Fp) Exact, Res::Like(1), NO, Strict(fp::sub);
    FpMul "fp.mul" Float 0 (Rm, Fp, Fp) Exact, Res::Like(1), NO, Strict(fp::mul);
    FpDiv "fp.div" Float 0 (Rm, Fp, Fp) Exact, Res::Like(1), NO, Strict(fp::div);
    FpFma "fp.fma" Float 0 (Rm, Fp, Fp, Fp) Exact, Res::Like(1), NO, Strict(fp::fma);
    FpSqrt "fp.sqrt" Float 0 (Rm, Fp) Exact, Res::Like(1), NO, Strict(fp::sqrt);
    FpRem "fp.rem" Float 0 (Fp, Fp) Exact, Res::Like(0), NO, Strict(fp::rem);
    FpRoundToIntegral "fp.roundToIntegral" Float 0 (Rm, Fp) Exact, Res::Like(1), NO, Strict(fp::round_to_integral);
    FpMin "fp.min" Float 0 (Fp, Fp) Exact, Res::Like(0), IDEM, Strict(fp::min);
    FpMax "fp.max" Float 0 (Fp, Fp) Exact, Res::Like(0), IDEM, Strict(fp::max);
    FpLeq "fp.leq" Float 0 (Fp) AtLeast(2), Res::Bool, CHAIN, Strict(fp::leq);
    FpLt "fp.lt" Float 0 (Fp) AtLeast(2), Res::Bool, CHAIN, Strict(fp::lt);
    FpGeq "fp.geq" Float 0 (Fp) AtLeast(2), Res::Bool, CHAIN, Strict(fp::geq);
    FpGt "fp.gt" Float 0 (Fp) AtLeast(2), Res::Bool, CHAIN, Strict(fp::gt);
    FpEq "fp.eq" Float 0 (Fp) AtLeast(2), Res::Bool, CHAIN_COMM, Strict(fp::eq);
    FpIsNormal "fp.isNormal" Float 0 (Fp) Exact, Res::Bool, NO, Strict(fp::is_normal);
    FpIsSubnormal "fp.isSubnormal" Float 0 (Fp) Exact, Res::Bool, NO, Strict(fp::is_subnormal);
    FpIsZero "fp.isZero" Float 0 (Fp) Exact, Res::Bool, NO, Strict(fp::is_zero);
    FpIsInfinite "fp.isInfinite" Float 0 (Fp) Exact, Res::Bool, NO, Strict(fp::is_infinite);
    FpIsNaN "fp.isNaN" Float 0 (Fp) Exact, Res::Bool, NO, Strict(fp::is_nan);
    FpIsNegative "fp.isNegative" Float 0 (Fp) Exact, Res::Bool, NO, Strict(fp::is_negative);
    FpIsPositive "fp.isPositive" Float 0 (Fp) Exact, Res::Bool, NO, Strict(fp::is_positive);
    ToFpFromBits "to_fp" Float 2 (BvAny) Exact, Res::FormatIndices, NO, Strict(fp::from_bits);
    ToFpFromFp "to_fp" Float 2 (Rm, FpAny) Exact, Res::FormatIndices, NO, Strict(fp::from_fp);
    ToFpFromSbv "to_fp" Float 2 (Rm, BvAny) Exact, Res::FormatIndices, NO, Strict(fp::from_sbv);
    ToFpFromReal "to_fp" Float 2 (Rm, Real) Exact, Res::FormatIndices, NO, Strict(fp::from_real);
    ToFpUnsigned "to_fp_unsigned" Float 2 (Rm, BvAny) Exact, Res::FormatIndices, NO, Strict(fp::from_ubv);
    FpToUbv "fp.to_ubv" Float 1 (Rm, FpAny) Exact, Res::WidthIndex, NO, Strict(fp::to_ubv);
    FpToSbv "fp.to_sbv" Float 1 (Rm, FpAny) Exact, Res::WidthIndex, NO, Strict(fp::to_sbv);
    FpToReal "fp.to_real" Float 0 (FpAny) Exact, Res::Real, NO, Strict(fp::to_real);

    // UnicodeStrings
    StrConcat "str.++" Strings 0 (Str) AtLeast(1), Res::Str, ASSOC, Strict(string::concat);
    StrLen "str.len" Strings 0 (Str) Exact, Res::Int, NO, Strict(string::len);
    StrLt "str.<" Strings 0 (Str) AtLeast(2), Res::Bool, CHAIN, Strict(string::lt);
    StrLe "str.<=" Strings 0 (Str) AtLeast(2), Res::Bool, CHAIN, Strict(string::le);
    StrAt "str.at" Strings 0 (Str, Int) Exact, Res::Str, NO, Strict(string::at);
    StrSubstr "str.substr" Strings 0 (Str, Int, Int) Exact, Res::Str, NO, Strict(string::substr);
    StrPrefixOf "str.prefixof" Strings 0 (Str, Str) Exact, Res::Bool, NO, Strict(string::prefix_of);
    StrSuffixOf "str.suffixof" Strings 0 (Str, Str) Exact, Res::Bool, NO, Strict(string::suffix_of);
    StrContains "str.contains" Strings 0 (Str, Str) Exact, Res::Bool, NO, Strict(string::contains);
    StrIndexOf "str.indexof" Strings 0 (Str, Str, Int) Exact, Res::Int, NO, Strict(string::index_of);
    StrReplace "str.replace" Strings 0 (Str, Str, Str) Exact, Res::Str, NO, Strict(string::replace);
    StrReplaceAll "str.replace_all" Strings 0 (Str, Str, Str) Exact, Res::Str, NO, Strict(string::replace_all);
    StrReplaceRe "str.replace_re" Strings 0 (Str, Re, Str) Exact, Res::Str, NO, Strict(string::replace_re);
    StrReplaceReAll "str.replace_re_all" Strings 0 (Str, Re, Str) Exact, Res::Str, NO, Strict(string::replace_re_all);
    StrIsDigit "str.is_digit" Strings 0 (Str) Exact, Res::Bool, NO, Strict(string::is_digit);
    StrToCode "str.to_code" Strings 0 (Str) Exact, Res::Int, NO, Strict(string::to_code);
    StrFromCode "str.from_code" Strings 0 (Int) Exact, Res::Str, NO, Strict(string::from_code);
    StrToInt "str.to_int" Strings 0 (Str) Exact, Res::Int, NO, Strict(string::to_int);
    StrFromInt "str.from_int" Strings 0 (Int) Exact, Res::Str, NO, Strict(string::from_int);
    StrToRe "str.to_re" Strings 0 (Str) Exact, Res::Re, NO, Strict(string::to_re);
    StrInRe "str.in_re" Strings 0 (Str, Re) Exact, Res::Bool, NO, Strict(string::in_re);
    ReNone "re.none" Strings 0 () Exact, Res::Re, NO, Strict(string::re_none);
    ReAll "re.all" Strings 0 () Exact, Res::Re, NO, Strict(string::re_all);
    ReAllChar "re.allchar" Strings 0 () Exact, Res::Re, NO, Strict(string::re_allchar);
    ReConcat "re.++" Strings 0 (Re) AtLeast(1), Res::Re, ASSOC, Strict(string::re_concat);
    ReUnion "re.union" Strings 0 (Re) AtLeast(1), Res::Re, ACI, Strict(string::re_union);
    ReInter "re.inter" Strings 0 (Re) AtLeast(1), Res::Re, ACI, Strict(string::re_inter);
    ReStar "re.*" Strings 0 (Re) Exact, Res::Re, NO, Strict(string::re_star);
    ReComp "re.comp" Strings 0 (Re) Exact, Res::Re, INVOL, Strict(string::re_comp);
    ReDiff "re.diff" Strings 0 (Re) AtLeast(2), Res::Re, LEFT, Strict(string::re_diff);
    RePlus "re.+" Strings 0 (Re) Exact, Res::Re, NO, Strict(string::re_plus);
    ReOpt "re.opt" Strings 0 (Re) Exact, Res::Re, NO, Strict(string::re_opt);
    ReRange "re.range" Strings 0 (Str, Str) Exact, Res::Re, NO, Strict(string::re_range);
    RePower "re.^" Strings 1 (Re) Exact, Res::Re, NO, Strict(string::re_power);
    ReLoop "re.loop" Strings 2 (Re) Exact, Res::Re, NO, Strict(string::re_loop);

    // ArraysEx
    Select "select" Arrays 0 (Arr, Index) Exact, Res::Element, NO, Strict(array::select);
    Store "store" Arrays 0 (Arr, Index, Element) Exact, Res::Like(0), NO, Strict(array::store);

    // Sequences
    SeqUnit "seq.unit" Sequences 0 (Item) Exact, Res::Collection(Collection::Seq), NO, Strict(collection::unit);
    SeqConcat "seq.++" Sequences 0 (SEQ) AtLeast(2), Res::Like(0), ASSOC, Strict(collection::seq_concat);
    SeqLen "seq.len" Sequences 0 (SEQ) Exact, Res::Int, NO, Strict(collection::seq_len);
    SeqAt "seq.at" Sequences 0 (SEQ, Int) Exact, Res::Like(0), NO, Strict(collection::seq_at);
    SeqNth "seq.nth" Sequences 0 (SEQ, Int) Exact, Res::Item, NO, Strict(collection::seq_nth);
    SeqExtract "seq.extract" Sequences 0 (SEQ, Int, Int) Exact, Res::Like(0), NO, Strict(collection::seq_extract);
    SeqUpdate "seq.update" Sequences 0 (SEQ, Int, SEQ) Exact, Res::Like(0), NO, Strict(collection::seq_update);
    SeqContains "seq.contains" Sequences 0 (SEQ, SEQ) Exact, Res::Bool, NO, Strict(collection::seq_contains);
    SeqIndexOf "seq.indexof" Sequences 0 (SEQ, SEQ, Int) Exact, Res::Int, NO, Strict(collection::seq_index_of);
    SeqReplace "seq.replace" Sequences 0 (SEQ, SEQ, SEQ) Exact, Res::Like(0), NO, Strict(collection::seq_replace);
    SeqReplaceAll "seq.replace_all" Sequences 0 (SEQ, SEQ, SEQ) Exact, Res::Like(0), NO, Strict(collection::seq_replace_all);
    SeqRev "seq.rev" Sequences 0 (SEQ) Exact, Res::Like(0), INVOL, Strict(collection::seq_rev);
    SeqPrefixOf "seq.prefixof" Sequences 0 (SEQ, SEQ) Exact, Res::Bool, NO, Strict(collection::seq_prefix_of);
    SeqSuffixOf "seq.suffixof" Sequences 0 (SEQ, SEQ) Exact, Res::Bool, NO, Strict(collection::seq_suffix_of);

    // Finite sets
    SetSingleton "set.singleton" Sets 0 (Item) Exact, Res::Collection(Collection::Set), NO, Strict(collection::unit);
    SetInsert "set.insert" Sets 0 (Item, SET) Exact, Res::Like(1), NO, Strict(collection::set_insert);
    SetUnion "set.union" Sets 0 (SET, SET) Exact, Res::Like(0), ACI_BINARY, Strict(collection::set_union);
    SetInter "set.inter" Sets 0 (SET, SET) Exact, Res::Like(0), ACI_BINARY, Strict(collection::set_inter);
    SetMinus "set.minus" Sets 0 (SET, SET) Exact, Res::Like(0), NO, Strict(collection::set_minus);
    SetMember "set.member" Sets 0 (Item, SET) Exact, Res::Bool, NO, Strict(collection::member);
    SetSubset "set.subset" Sets 0 (SET, SET) Exact, Res::Bool, NO, Strict(collection::sub_collection);
    SetCard "set.card" Sets 0 (SET) Exact, Res::Int, NO, Strict(collection::size);
    SetIsEmpty "set.is_empty" Sets 0 (SET) Exact, Res::Bool, NO, Strict(collection::is_empty);
    SetIsSingleton "set.is_singleton" Sets 0 (SET) Exact, Res::Bool, NO, Strict(collection::is_singleton);

    // Bags
    Bag "bag" Bags 0 (Item, Int) Exact, Res::Collection(Collection::Bag), NO, Strict(collection::bag);
    BagUnionMax "bag.union_max" Bags 0 (BAG, BAG) Exact, Res::Like(0), ACI_BINARY, Strict(collection::bag_union_max);
    BagUnionDisjoint "bag.union_disjoint" Bags 0 (BAG, BAG) Exact, Res::Like(0), COMM, Strict(collection::bag_union_disjoint);
    BagInterMin "bag.inter_min" Bags 0 (BAG, BAG) Exact, Res::Like(0), ACI_BINARY, Strict(collection::bag_inter_min);
    BagSubtract "bag.difference_subtract" Bags 0 (BAG, BAG) Exact, Res::Like(0), NO, Strict(collection::bag_subtract);
    BagRemove "bag.difference_remove" Bags 0 (BAG, BAG) Exact, Res::Like(0), NO, Strict(collection::bag_remove);
    BagSubbag "bag.subbag" Bags 0 (BAG, BAG) Exact, Res::Bool, NO, Strict(collection::sub_collection);
    BagMember "bag.member" Bags 0 (Item, BAG) Exact, Res::Bool, NO, Strict(collection::member);
    BagCount "bag.count" Bags 0 (Item, BAG) Exact, Res::Int, NO, Strict(collection::bag_count);
    BagCard "bag.card" Bags 0 (BAG) Exact, Res::Int, NO, Strict(collection::size);
    BagSetOf "bag.setof" Bags 0 (BAG) Exact, Res::Like(0), NO, Strict(collection::bag_set_of);

    // Finite fields
    FieldAdd "ff.add" Fields 0 (Field) AtLeast(2), Res::Like(0), AC, Strict(field::add);
    FieldMul "ff.mul" Fields 0 (Field) AtLeast(2), Res::Like(0), AC, Strict(field::mul);
    FieldNeg "ff.neg" Fields 0 (Field) Exact, Res::Like(0), INVOL, Strict(field::neg);
    FieldBitSum "ff.bitsum" Fields 0 (Field) AtLeast(2), Res::Like(0), NO, Strict(field::bit_sum);

    // Outside the standard, but met in real files.
    BvRedOr "bvredor" Extension 0 (BvAny) Exact, Res::Bv1, NO, Strict(bv::redor);
    BvRedAnd "bvredand" Extension 0 (BvAny) Exact, Res::Bv1, NO, Strict(bv::redand);
    FpToIeeeBv "fp.to_ieee_bv" Extension 0 (FpAny) Exact, Res::WidthOfFloat, NO, Strict(fp::to_ieee_bits);
    StrRev "str.rev" Extension 0 (Str) Exact, Res::Str, INVOL, Strict(string::reverse);
    StrToLower "str.to_lower" Extension 0 (Str) Exact, Res::Str, NO, Strict(string::to_lower);
    StrToUpper "str.to_upper" Extension 0 (Str) Exact, Res::Str, NO, Strict(string::to_upper);
    Power "^" Extension 0 (Num, Num) Exact, Res::Like(0), NO, Strict(arith::power);
    Pow2 "int.pow2" Extension 0 (Int) Exact, Res::Int, NO, Strict(arith::pow2);
    IntAnd "iand" Extension 1 (Int, Int) Exact, Res::Int, COMM, Strict(arith::int_and);
    IntAndOf "piand" Extension 0 (Int, Int, Int) Exact, Res::Int, NO, Strict(arith::int_and_of);
    Pi "real.pi" Extension 0 () Exact, Res::Real, NO, Opaque;
    Exp "exp" Extension 0 (Real) Exact, Res::Real, NO, Opaque;
    Sin "sin" Extension 0 (Real) Exact, Res::Real, NO, Opaque;
    Cos "cos" Extension 0 (Real) Exact, Res::Real, NO, Opaque;
    Tan "tan" Extension 0 (Real) Exact, Res::Real, NO, Opaque;
    Csc "csc" Extension 0 (Real) Exact, Res::Real, NO, Opaque;
    Sec "sec" Extension 0 (Real) Exact, Res::Real, NO, Opaque;
    Cot "cot" Extension 0 (Real) Exact, Res::Real, NO, Opaque;
    Arcsin "arcsin" Extension 0 (Real) Exact, Res::Real, NO, Opaque;
    Arccos "arccos" Extension 0 (Real) Exact, Res::Real, NO, Opaque;
    Arctan "arctan" Extension 0 (Real) Exact, Res::Real, NO, Opaque;
    Sqrt "sqrt" Extension 0 (Real) Exact, Res::Real, NO, Opaque;
}

impl Op {
    /// This operator's row.
    #[inline]
    pub fn info(self) -> &'static OpInfo {
        &TABLE[self as usize]
    }

    /// How SMT-LIB 2.6 writes it; empty for nodes that have no name of their own.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The operators that `name` can mean: consecutive rows of the table.
    pub fn by_name(name: &str) -> Option<&'static [OpInfo]> {
        static INDEX: LazyLock<HashTable<(u16, u16)>> = LazyLock::new(index_names);
        INDEX
            .find(hash_name(name.as_bytes()), |&(at, _)| TABLE[at as usize].name == name)
            .map(|&(at, n)| &TABLE[at as usize..(at + n) as usize])
    }

    /// Operators in the table that are applied by name (everything but the language's own nodes).
    pub fn all() -> impl Iterator<Item = &'static OpInfo> {
        TABLE.iter().filter(|row| row.theory != Theory::Language)
    }
}

fn index_names() -> HashTable<(u16, u16)> {
    let mut index = HashTable::with_capacity(TABLE.len());
    let mut at = 0;
    while at < TABLE.len() {
        let name = TABLE[at].name;
        let n = TABLE[at..].iter().take_while(|row| row.name == name).count();
        if TABLE[at].theory != Theory::Language {
            index.insert_unique(hash_name(name.as_bytes()), (at as u16, n as u16), |&(i, _)| {
                hash_name(TABLE[i as usize].name.as_bytes())
            });
        }
        at += n;
    }
    index
}

/// Older or alternative spellings of table names, all read; the 2.5-era ones are printed in that dialect.
pub static ALIASES: &[(&str, Op)] = &[
    ("implies", Op::Implies),
    ("iff", Op::Eq),
    ("str.to.int", Op::StrToInt),
    ("int.to.str", Op::StrFromInt),
    ("str.to-int", Op::StrToInt),
    ("str.from-int", Op::StrFromInt),
    ("str.in.re", Op::StrInRe),
    ("str.to.re", Op::StrToRe),
    ("str.in-re", Op::StrInRe),
    ("str.to-re", Op::StrToRe),
    ("re.nostr", Op::ReNone),
    ("re.empty", Op::ReNone),
    ("re.full", Op::ReAll),
    ("re.complement", Op::ReComp),
    ("str.replaceall", Op::StrReplaceAll),
    ("str.tolower", Op::StrToLower),
    ("str.toupper", Op::StrToUpper),
    ("pow", Op::Power),
    ("fp.isSubNormal", Op::FpIsSubnormal),
    ("bag.duplicate_removal", Op::BagSetOf),
    ("int.to.bv", Op::IntToBv),
    ("set.in", Op::SetMember),
    ("set.intersect", Op::SetInter),
    ("set.difference", Op::SetMinus),
    ("set.size", Op::SetCard),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_operator() {
        for (i, row) in TABLE.iter().enumerate() {
            assert_eq!(row.op as usize, i, "{}", row.name);
        }
    }

    #[test]
    fn overloads_are_consecutive_and_every_name_is_found() {
        for row in Op::all() {
            let found = Op::by_name(row.name).unwrap();
            assert!(found.iter().any(|r| r.op == row.op), "{}", row.name);
        }
        assert_eq!(Op::by_name("to_fp").unwrap().len(), 4);
        assert_eq!(Op::by_name("-").unwrap().len(), 2);
        assert!(Op::by_name("no.such").is_none());
    }

    #[test]
    fn aliases_do_not_hide_a_name() {
        for (alias, op) in ALIASES {
            assert!(*alias == op.name() || Op::by_name(alias).is_none(), "{alias}");
        }
    }
}
