//! The arena: hash-consed terms and everything they refer to (names, sorts, constants, functions, datatypes).
//!
//! Building an application that exists already is one hash look-up. Arguments always have smaller ids than the
//! applications they stand in, so ascending ids are a topological order of every DAG. The arena only grows and
//! refuses ill-sorted applications; it does no I/O, and printing and evaluation live elsewhere.

mod datatypes;
mod functions;
mod view;

use crate::bitvec::BitVec;
use crate::float::{Float, Format};
use crate::op::{Op, OpInfo};
use crate::sort::{DatatypeId, Sort, SortId, Sorts};
use crate::sortcheck::SortError;
use crate::string::SmtString;
use crate::symbol::{Symbol, Symbols};
use crate::token::Token;
use crate::value::Value;
use dashu_base::{Gcd, UnsignedAbs};
use dashu_int::IBig;
use dashu_ratio::RBig;
use hashbrown::{HashMap, HashTable};
use rustc_hash::{FxBuildHasher, FxHasher};
use std::hash::{Hash, Hasher};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub(crate) u32);
        impl $name {
            /// The position in the arena, for side tables.
            #[inline]
            pub fn index(self) -> usize { self.0 as usize }
        }
    )*};
}

ids! {
    /// A term. Equal terms of one arena have equal ids.
    TermId;
    /// A declared or defined function or constant.
    FunId;
    /// A constructor of a datatype.
    CtorId;
    /// A field of a constructor.
    FieldId;
}

impl TermId {
    /// `true`
    pub const TRUE: TermId = TermId(0);
    /// `false`
    pub const FALSE: TermId = TermId(1);
}

/// A function or constant symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fun {
    /// The symbol as it is declared.
    pub name: Symbol,
    /// The sorts of its parameters.
    pub params: Box<[SortId]>,
    /// The sort of its applications.
    pub result: SortId,
    /// What it stands for, if it was defined.
    pub definition: Option<Definition>,
}

/// The meaning of a defined function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// Its parameters, as bound variables.
    pub vars: Box<[TermId]>,
    /// The value, a term over `vars`.
    pub body: TermId,
    /// Whether the body may mention the function itself.
    pub recursive: bool,
}

/// A datatype, possibly parametric.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datatype {
    /// The sort's name.
    pub name: Symbol,
    /// Sort parameters, which field sorts may mention.
    pub params: Box<[Symbol]>,
    /// At least one, in the order of declaration.
    pub ctors: Vec<CtorId>,
}

/// A constructor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ctor {
    /// The constructor as it is applied in terms.
    pub name: Symbol,
    /// What it constructs.
    pub datatype: DatatypeId,
    /// In the order of arguments.
    pub fields: Vec<FieldId>,
}

/// A field, which is also a selector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The selector's name.
    pub name: Symbol,
    /// Whose field it is.
    pub ctor: CtorId,
    /// Which argument of the constructor it selects, from 0.
    pub position: u32,
    /// Its sort, which may mention the datatype's parameters.
    pub sort: SortId,
}

/// One attribute of an annotated term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Attribute {
    /// The keyword with its colon.
    pub keyword: Symbol,
    /// What follows the keyword.
    pub value: AttributeValue,
}

/// The value of an attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttributeValue {
    /// Nothing follows the keyword.
    None,
    /// An s-expression, kept as text.
    Text(Symbol),
    /// `:pattern` and its like: this many of the annotation's arguments, in order.
    Terms(u32),
}

/// One case of a `match`: a constructor with its variables, or (with no constructor) one variable for the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatchCase {
    /// The constructor.
    pub ctor: Option<CtorId>,
    /// How many variables it binds.
    pub vars: u32,
}

macro_rules! flag_set {
    ($(#[$doc:meta])* $name:ident { $($(#[$fdoc:meta])* $flag:ident = $value:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct $name(u8);
        impl $name {
            $($(#[$fdoc])* pub const $flag: $name = $name($value);)*
            /// Whether all of `other` is in this set.
            #[inline]
            pub fn has(self, other: $name) -> bool { self.0 & other.0 == other.0 }
            #[inline]
            fn add(&mut self, other: $name) { self.0 |= other.0 }
        }
    };
}

flag_set! {
    /// What occurs in a term, known without walking it.
    Flags {
        /// A bound variable, free or not.
        BOUND = 1,
        /// A quantifier, lambda or match.
        BINDER = 2,
        /// An annotation.
        ANNOTATION = 4,
        /// A defined function.
        DEFINED = 8,
        /// An uninterpreted function or constant.
        SYMBOL = 16,
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    flags: Flags,
    /// How deeply binders nest in the term.
    binders: u8,
    len: u32,
    start: u32,
    indices: [u32; 2],
    sort: SortId,
}

/// How deeply quantifiers, lambdas and matches may nest; walks recurse over them.
pub(crate) const MAX_BINDERS: u8 = 250;
/// How many sorts an arena may have.
pub(crate) const MAX_SORTS: usize = 1 << 24;
/// How deeply bound variables of one name and sort may hide each other.
pub(crate) const MAX_HIDING: u32 = 255;

/// Which arena a term is of. A clone of an arena is another one: they grow apart.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct ArenaId(u64);

impl ArenaId {
    fn fresh() -> ArenaId {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        ArenaId(NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
    }

    /// The same, to be compared with later.
    pub fn noted(&self) -> ArenaId {
        ArenaId(self.0)
    }
}

impl Clone for ArenaId {
    fn clone(&self) -> ArenaId {
        ArenaId::fresh()
    }
}

/// All terms, sorts, symbols and functions, each once.
#[derive(Clone, Debug)]
pub struct Terms {
    identity: ArenaId,
    pub(crate) symbols: Symbols,
    pub(crate) sorts: Sorts,
    nodes: Vec<Node>,
    args: Vec<TermId>,
    index: HashTable<Slot>,
    consts: Vec<Value>,
    const_index: HashTable<Slot>,
    funs: Vec<Fun>,
    fun_index: HashTable<u32>,
    /// The recursive function of each name that was declared last.
    recursive: HashMap<Symbol, FunId, FxBuildHasher>,
    datatypes: Vec<Datatype>,
    /// The datatype of each name that was declared last.
    datatype_names: HashMap<Symbol, DatatypeId, FxBuildHasher>,
    ctors: Vec<Ctor>,
    fields: Vec<Field>,
    attributes: Vec<Box<[Attribute]>>,
    attribute_index: HashMap<Box<[Attribute]>, u32, FxBuildHasher>,
    cases: Vec<Box<[MatchCase]>>,
    case_index: HashMap<Box<[MatchCase]>, u32, FxBuildHasher>,
    token: Token,
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

/// An entry of a hash index: the position, and enough of the hash to grow the index without looking at what it indexes.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    id: u32,
}

impl Slot {
    fn new(hash: u64, id: u32) -> Slot {
        // The hasher leaves its best bits low.
        Slot { hash: hash as u32, id }
    }

    /// The hash as the index uses it.
    #[inline]
    fn spread(self) -> u64 {
        u64::from(self.hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[inline]
fn hash_node(op: Op, indices: [u32; 2], args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(op as u64 | (indices[0] as u64) << 32);
    hasher.write_u64(indices[1] as u64);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    hasher.finish()
}

/// Builds a term from what the sort checker already accepted.
impl Terms {
    /// Which arena this is: ids of terms mean nothing in another.
    pub fn identity(&self) -> &ArenaId {
        &self.identity
    }

    /// An arena that holds `true` and `false`.
    pub fn new() -> Terms {
        let mut terms = Terms {
            identity: ArenaId::fresh(),
            symbols: Symbols::default(),
            sorts: Sorts::default(),
            nodes: Vec::new(),
            args: Vec::new(),
            index: HashTable::new(),
            consts: Vec::new(),
            const_index: HashTable::new(),
            funs: Vec::new(),
            fun_index: HashTable::new(),
            recursive: HashMap::default(),
            datatypes: Vec::new(),
            datatype_names: HashMap::default(),
            ctors: Vec::new(),
            fields: Vec::new(),
            attributes: Vec::new(),
            attribute_index: HashMap::default(),
            cases: Vec::new(),
            case_index: HashMap::default(),
            token: Token::default(),
        };
        let (t, f) = (terms.constant(Value::Bool(true)), terms.constant(Value::Bool(false)));
        debug_assert!(t == TermId::TRUE && f == TermId::FALSE);
        terms
    }

    /// What ends long work on these terms early.
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// Says what is to end long work on these terms early, from now on.
    pub fn set_token(&mut self, token: Token) {
        self.token = token;
    }

    /// Gives back all terms but the first `count`, as when the scope that they were made in is left. Whoever keeps one of those that
    /// go must forget it: its id will mean another term. The arena is another one from then on ([`Terms::identity`]), which is
    /// how caches of terms notice. Symbols, sorts and functions stay.
    pub fn truncate(&mut self, count: usize) {
        let count = count.max(2);
        let Some(first) = self.nodes.get(count) else { return };
        let start = first.start as usize;
        // Constants are numbered in the order of their terms.
        let gone = self.nodes[count..].iter().filter(|node| node.op == Op::Const).map(|node| node.indices[0]);
        let consts = gone.min().map_or(self.consts.len(), |least| least as usize);
        self.identity = ArenaId::fresh();
        self.nodes.truncate(count);
        self.args.truncate(start);
        self.index.retain(|slot| (slot.id as usize) < count);
        self.consts.truncate(consts);
        self.const_index.retain(|slot| (slot.id as usize) < consts);
        if self.nodes.capacity() > 4 * count {
            self.nodes.shrink_to(2 * count);
            self.args.shrink_to(2 * start);
            self.index.shrink_to(2 * count, |slot| slot.spread());
        }
    }

    /// Makes room for the terms of a text of this many bytes.
    pub(crate) fn reserve_for_text(&mut self, bytes: usize) {
        // Real files have an application every 10 to 20 bytes; more room than that is made as needed.
        let nodes = (bytes / 16).min(1 << 24);
        self.nodes.reserve(nodes);
        self.args.reserve(2 * nodes);
        self.index.reserve(nodes, |slot| slot.spread());
    }

    #[inline]
    fn find_node(&self, hash: u64, op: Op, indices: [u32; 2], args: &[TermId]) -> Option<TermId> {
        let wanted = Slot::new(hash, 0);
        let same = |slot: &Slot| {
            if slot.hash != wanted.hash {
                return false;
            }
            let node = &self.nodes[slot.id as usize];
            node.op == op
                && node.indices == indices
                && &self.args[node.start as usize..(node.start + node.len) as usize] == args
        };
        self.index.find(wanted.spread(), same).map(|slot| TermId(slot.id))
    }

    fn insert_node(
        &mut self,
        hash: u64,
        op: Op,
        indices: [u32; 2],
        args: &[TermId],
        sort: SortId,
        own: Flags,
    ) -> TermId {
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms");
        let start = u32::try_from(self.args.len()).expect("fewer than 2^32 arguments");
        let (mut flags, mut binders) = (own, 0);
        for arg in args {
            let node = &self.nodes[arg.index()];
            flags.add(node.flags);
            binders = binders.max(node.binders);
        }
        if own.has(Flags::BINDER) {
            binders = binders.saturating_add(1);
        }
        self.args.extend_from_slice(args);
        self.nodes.push(Node { op, flags, binders, len: args.len() as u32, start, indices, sort });
        let slot = Slot::new(hash, id);
        self.index.insert_unique(slot.spread(), slot, |slot| slot.spread());
        TermId(id)
    }

    /// Interns a node whose sort is known to be right.
    pub(crate) fn intern(
        &mut self,
        op: Op,
        indices: [u32; 2],
        args: &[TermId],
        sort: SortId,
        own: Flags,
    ) -> TermId {
        let hash = hash_node(op, indices, args);
        self.find_node(hash, op, indices, args)
            .unwrap_or_else(|| self.insert_node(hash, op, indices, args, sort, own))
    }

    /// An application of a table operator, sort-checked.
    ///
    /// Literals have one form: `(- 5)`, `(/ 1.0 3.0)` in lowest terms and `fp` of three literals become constants,
    /// since that is how those constants are written.
    pub fn app_indexed(&mut self, op: Op, indices: [u32; 2], args: &[TermId]) -> Result<TermId, SortError> {
        if matches!(op, Op::Neg | Op::Div | Op::Fp)
            && let Some(literal) = self.literal(op, args)
        {
            return Ok(literal);
        }
        let hash = hash_node(op, indices, args);
        if let Some(found) = self.find_node(hash, op, indices, args) {
            return Ok(found);
        }
        let sort = self.sort_of_app(op.info(), indices, args)?;
        Ok(self.insert_node(hash, op, indices, args, sort, Flags::default()))
    }

    /// An application of a table operator without indices, sort-checked.
    pub fn app(&mut self, op: Op, args: &[TermId]) -> Result<TermId, SortError> {
        self.app_indexed(op, [0; 2], args)
    }

    /// An application that the caller knows to be well sorted.
    ///
    /// # Panics
    /// If it is not.
    pub fn mk(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.mk_indexed(op, [0; 2], args)
    }

    /// An indexed application that the caller knows to be well sorted.
    ///
    /// # Panics
    /// If it is not.
    pub fn mk_indexed(&mut self, op: Op, indices: [u32; 2], args: &[TermId]) -> TermId {
        match self.app_indexed(op, indices, args) {
            Ok(term) => term,
            Err(error) => panic!("ill-sorted application built by the program: {error}"),
        }
    }

    /// The first of several overloads that fits, with integers made reals where only that fits.
    pub(crate) fn app_overloaded(
        &mut self,
        rows: &[OpInfo],
        indices: [u32; 2],
        args: &[TermId],
    ) -> Result<TermId, SortError> {
        if let [row] = rows {
            return self
                .app_indexed(row.op, indices, args)
                .or_else(|error| self.app_coerced(row.op, indices, args, error));
        }
        // The error worth telling is that of an overload with the right number of arguments.
        let fits = |row: &&OpInfo| row.takes(args.len());
        let mut first_error = None;
        for row in rows.iter().filter(fits) {
            match self.app_indexed(row.op, indices, args) {
                Ok(term) => return Ok(term),
                Err(error) => first_error = first_error.or(Some((row.op, error))),
            }
        }
        match first_error {
            Some((op, error)) => self.app_coerced(op, indices, args, error),
            None => Err(SortError::arity(&rows[0], args.len())),
        }
    }

    /// SMT-LIB's mixed logics let an integer stand where a real is wanted.
    #[cold]
    fn app_coerced(
        &mut self,
        op: Op,
        indices: [u32; 2],
        args: &[TermId],
        error: SortError,
    ) -> Result<TermId, SortError> {
        let mixed = args.iter().any(|&a| self.sort(a) == SortId::INT)
            && (op == Op::Div || args.iter().any(|&a| self.sort(a) == SortId::REAL) || wants_real(op));
        if !mixed {
            return Err(error);
        }
        let args: Vec<TermId> = args.iter().map(|&a| self.to_real(a)).collect();
        self.app_indexed(op, indices, &args).map_err(|_| error)
    }

    /// The term as a real: integer literals become real literals, other integers `(to_real t)`.
    pub fn to_real(&mut self, term: TermId) -> TermId {
        if self.sort(term) != SortId::INT {
            return term;
        }
        match self.as_value(term) {
            Some(Value::Int(i)) => {
                let real = RBig::from(i.clone());
                self.constant(Value::Real(real))
            }
            _ => self.mk(Op::ToReal, &[term]),
        }
    }

    fn literal(&mut self, op: Op, args: &[TermId]) -> Option<TermId> {
        let value = match (op, args) {
            (Op::Neg, &[a]) => match self.as_value(a)? {
                Value::Int(i) if *i > IBig::ZERO => Value::Int(-i),
                Value::Real(r) if *r > RBig::ZERO => Value::Real(-r),
                _ => return None,
            },
            (Op::Div, &[a, b]) => match (self.as_value(a)?, self.as_value(b)?) {
                (Value::Real(p), Value::Real(q)) if is_reduced_fraction(p, q) => Value::Real(p / q),
                _ => return None,
            },
            (Op::Fp, &[s, e, m]) => match (self.as_value(s)?, self.as_value(e)?, self.as_value(m)?) {
                (Value::BitVec(s), Value::BitVec(e), Value::BitVec(m)) if s.width() == 1 && e.width() > 1 => {
                    let format = Format { eb: e.width(), sb: m.width() + 1 };
                    if !format.is_supported() {
                        return None;
                    }
                    Value::Float(Float::from_parts(
                        !s.is_zero(),
                        e.to_ubig().clone(),
                        m.to_ubig().clone(),
                        format,
                    ))
                }
                _ => return None,
            },
            _ => return None,
        };
        Some(self.constant(value))
    }
}

/// Operators of the arithmetic table that take reals even if all arguments given are integers.
fn wants_real(op: Op) -> bool {
    use crate::op::Arg;
    op.info().args.contains(&Arg::Real)
}

/// `p / q` is how the fraction itself is printed: integers in lowest terms, and a denominator above 1.
fn is_reduced_fraction(p: &RBig, q: &RBig) -> bool {
    p.is_int()
        && q.is_int()
        && *q > RBig::ONE
        && p.numerator().unsigned_abs().gcd(q.numerator().unsigned_abs()) == dashu_int::UBig::ONE
}

/// Constants, symbols and sorts.
impl Terms {
    /// The term of a value; equal values have one term.
    pub fn constant(&mut self, value: Value) -> TermId {
        let hash = hash_of(&value);
        let consts = &self.consts;
        let wanted = Slot::new(hash, 0);
        let found = self
            .const_index
            .find(wanted.spread(), |slot| slot.hash == wanted.hash && consts[slot.id as usize] == value);
        let id = match found {
            Some(slot) => slot.id,
            None => {
                let id = u32::try_from(consts.len()).expect("fewer than 2^32 constants");
                self.consts.push(value);
                let slot = Slot::new(hash, id);
                self.const_index.insert_unique(slot.spread(), slot, |slot| slot.spread());
                id
            }
        };
        let hash = hash_node(Op::Const, [id, 0], &[]);
        if let Some(found) = self.find_node(hash, Op::Const, [id, 0], &[]) {
            return found;
        }
        let value = self.consts[id as usize].clone();
        let sort = value.sort(self).expect("constants are not function symbols");
        self.insert_node(hash, Op::Const, [id, 0], &[], sort, Flags::default())
    }

    /// `true` or `false`.
    pub fn bool(&self, value: bool) -> TermId {
        if value { TermId::TRUE } else { TermId::FALSE }
    }

    /// An integer constant.
    pub fn int(&mut self, value: impl Into<IBig>) -> TermId {
        self.constant(Value::Int(value.into()))
    }

    /// A real constant.
    pub fn real(&mut self, value: impl Into<RBig>) -> TermId {
        self.constant(Value::Real(value.into()))
    }

    /// A bit-vector constant.
    pub fn bv(&mut self, width: u32, value: u64) -> TermId {
        self.constant(Value::BitVec(BitVec::from_u64(width, value)))
    }

    /// A string constant of ASCII or Latin-1 characters.
    pub fn string(&mut self, text: &str) -> TermId {
        self.constant(Value::String(SmtString::from_latin1(text.as_bytes())))
    }

    /// Interns a name.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        self.symbols.intern(name)
    }

    /// The symbol of a name, if it is interned.
    pub fn find_symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.find(name)
    }

    /// The text of a name.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }

    /// A name that no symbol of this arena has yet: the prefix followed by a number.
    pub fn fresh_symbol(&mut self, prefix: &str) -> Symbol {
        let mut n = self.symbols.len();
        loop {
            let name = format!("{prefix}{n}");
            if self.symbols.find(&name).is_none() {
                return self.symbols.intern(&name);
            }
            n += 1;
        }
    }

    /// Interns a sort.
    pub fn make_sort(&mut self, sort: Sort) -> SortId {
        self.sorts.intern(sort)
    }

    /// `(_ BitVec width)`
    pub fn bit_vec_sort(&mut self, width: u32) -> SortId {
        self.sorts.bit_vec(width)
    }

    /// `(_ FloatingPoint eb sb)`
    pub fn float_sort(&mut self, eb: u32, sb: u32) -> SortId {
        self.sorts.intern(Sort::Float(eb, sb))
    }

    /// `(Array index element)`
    pub fn array_sort(&mut self, index: SortId, element: SortId) -> SortId {
        self.sorts.intern(Sort::Array(index, element))
    }

    /// What a sort is.
    pub fn sort_of(&self, sort: SortId) -> &Sort {
        self.sorts.get(sort)
    }

    /// How many sorts the arena has.
    pub(crate) fn sort_count(&self) -> usize {
        self.sorts.len()
    }
}
