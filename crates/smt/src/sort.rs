//! Sorts, interned in the arena: equal sorts have equal ids. Owns the shape of a sort; how sorts combine
//! is the operator table's business (`op`), how they are written is the printer's.

use crate::symbol::Symbol;
use dashu_int::UBig;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// An interned sort.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SortId(pub(crate) u32);

/// An interned datatype declaration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DatatypeId(pub(crate) u32);

impl SortId {
    /// `Bool`.
    pub const BOOL: SortId = SortId(0);
    /// `Int`.
    pub const INT: SortId = SortId(1);
    /// `Real`.
    pub const REAL: SortId = SortId(2);
    /// `RoundingMode`.
    pub const ROUNDING_MODE: SortId = SortId(3);
    /// `String`.
    pub const STRING: SortId = SortId(4);
    /// `RegLan`.
    pub const REG_LAN: SortId = SortId(5);

    /// The position of this sort in its arena, for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A kind of finite collection. None of them is in the standard: cvc5 has all, Z3 has sequences.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Collection {
    /// `(Seq T)`: elements in an order.
    Seq,
    /// `(Set T)`: elements without order, each at most once.
    Set,
    /// `(Bag T)`: elements without order, each any number of times.
    Bag,
}

/// What Z3 calls sorts of finite sets: `(FiniteSet Int)`.
pub(crate) const FINITE_SET: &str = "FiniteSet";

impl Collection {
    /// All kinds.
    pub const ALL: [Collection; 3] = [Collection::Seq, Collection::Set, Collection::Bag];

    /// The name of its sorts.
    pub fn name(self) -> &'static str {
        match self {
            Collection::Seq => "Seq",
            Collection::Set => "Set",
            Collection::Bag => "Bag",
        }
    }

    /// What the collection without elements is called, as in `(as set.empty (Set Int))`.
    pub fn empty(self) -> &'static str {
        match self {
            Collection::Seq => "seq.empty",
            Collection::Set => "set.empty",
            Collection::Bag => "bag.empty",
        }
    }
}

/// What a sort is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// `Bool`
    Bool,
    /// `Int`
    Int,
    /// `Real`
    Real,
    /// `RoundingMode`
    RoundingMode,
    /// `String`
    String,
    /// `RegLan`
    RegLan,
    /// `(_ BitVec n)`
    BitVec(u32),
    /// `(_ FloatingPoint eb sb)`
    Float(u32, u32),
    /// `(Array index element)`
    Array(SortId, SortId),
    /// `(Seq element)`, `(Set element)` or `(Bag element)`
    Collection(Collection, SortId),
    /// `(_ FiniteField p)`: the integers modulo the prime `p`.
    FiniteField(UBig),
    /// A sort from `declare-sort`, applied to its arguments.
    Uninterpreted(Symbol, Box<[SortId]>),
    /// A datatype, applied to its arguments.
    Datatype(DatatypeId, Box<[SortId]>),
    /// `(-> args... result)`: SMT-LIB 2.7's map sort.
    Function(Box<[SortId]>, SortId),
    /// A parameter of a parametric datatype, function or sort definition (`par`).
    Parameter(Symbol),
}

/// The interner of sorts.
#[derive(Clone, Debug)]
pub(crate) struct Sorts {
    list: Vec<Sort>,
    /// How many sorts each is written with, saturating: nested definitions can grow exponentially.
    sizes: Vec<u32>,
    index: HashMap<Sort, SortId, FxBuildHasher>,
    /// Bit-vector sorts of small widths, which sort rules ask for all the time.
    narrow: [u32; NARROW],
}

const NARROW: usize = 129;
const ABSENT: u32 = u32::MAX;

impl Default for Sorts {
    fn default() -> Self {
        let list = vec![Sort::Bool, Sort::Int, Sort::Real, Sort::RoundingMode, Sort::String, Sort::RegLan];
        Sorts { sizes: vec![1; list.len()], list, index: HashMap::default(), narrow: [ABSENT; NARROW] }
    }
}

impl Sorts {
    pub(crate) fn get(&self, id: SortId) -> &Sort {
        &self.list[id.index()]
    }

    pub(crate) fn size(&self, id: SortId) -> u32 {
        self.sizes[id.index()]
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn intern(&mut self, sort: Sort) -> SortId {
        match sort {
            Sort::Bool => SortId::BOOL,
            Sort::Int => SortId::INT,
            Sort::Real => SortId::REAL,
            Sort::RoundingMode => SortId::ROUNDING_MODE,
            Sort::String => SortId::STRING,
            Sort::RegLan => SortId::REG_LAN,
            Sort::BitVec(width) => self.bit_vec(width),
            // Maps are curried: `(-> a (-> b c))` is `(-> a b c)`.
            Sort::Function(params, result) => match self.get(result) {
                Sort::Function(more, last) => {
                    let (params, last) = (params.iter().chain(more).copied().collect(), *last);
                    self.intern_slow(Sort::Function(params, last))
                }
                _ => self.intern_slow(Sort::Function(params, result)),
            },
            other => self.intern_slow(other),
        }
    }

    pub(crate) fn bit_vec(&mut self, width: u32) -> SortId {
        match self.narrow.get(width as usize) {
            Some(&id) if id != ABSENT => SortId(id),
            Some(_) => {
                let id = self.intern_slow(Sort::BitVec(width));
                self.narrow[width as usize] = id.0;
                id
            }
            None => self.intern_slow(Sort::BitVec(width)),
        }
    }

    fn intern_slow(&mut self, sort: Sort) -> SortId {
        if let Some(&id) = self.index.get(&sort) {
            return id;
        }
        let id = SortId(u32::try_from(self.list.len()).expect("fewer than 2^32 sorts"));
        let sum = |list: &[SortId]| list.iter().fold(1u32, |n, s| n.saturating_add(self.sizes[s.index()]));
        let size = match &sort {
            Sort::Array(a, b) => sum(&[*a, *b]),
            Sort::Collection(_, element) => sum(&[*element]),
            Sort::Uninterpreted(_, list) | Sort::Datatype(_, list) => sum(list),
            Sort::Function(list, result) => sum(list).saturating_add(self.sizes[result.index()]),
            _ => 1,
        };
        self.sizes.push(size);
        self.list.push(sort.clone());
        self.index.insert(sort, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sorts_are_one_id() {
        let mut sorts = Sorts::default();
        let bv8 = sorts.intern(Sort::BitVec(8));
        let wide = sorts.intern(Sort::BitVec(4096));
        let array = sorts.intern(Sort::Array(bv8, SortId::INT));
        assert_eq!(sorts.bit_vec(8), bv8);
        assert_eq!(sorts.bit_vec(4096), wide);
        assert_eq!(sorts.intern(Sort::Array(bv8, SortId::INT)), array);
        assert_eq!(sorts.get(SortId::STRING), &Sort::String);
        assert_eq!(sorts.get(array), &Sort::Array(bv8, SortId::INT));
    }
}
