//! Values: what terms evaluate to and what models assign. Owns their identity and order; how they are written
//! is the printer's business.

use crate::bitvec::BitVec;
use crate::float::{Float, RoundingMode};
use crate::regex::RegexId;
use crate::sort::SortId;
use crate::string::SmtString;
use crate::symbol::Symbol;
use crate::term::{CtorId, FunId, TermId, Terms};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value of some sort. Structural equality is SMT-LIB's `=` for all but arrays, functions, regular languages and
/// opaque numbers, which the evaluator compares.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(IBig),
    /// A rational.
    Real(RBig),
    /// A bit-vector.
    BitVec(BitVec),
    /// A float.
    Float(Float),
    /// A rounding mode.
    Rm(RoundingMode),
    /// A string.
    String(SmtString),
    /// A regular language, as an expression of the evaluator that made it.
    Regex(RegexId),
    /// An array with finitely many exceptions from a default.
    Array(Arc<ArrayValue>),
    /// A constructor applied to values.
    Datatype(Arc<DatatypeValue>),
    /// A sequence, set or bag.
    Collection(Arc<CollectionValue>),
    /// An element of a finite field.
    Field(Arc<FieldValue>),
    /// An element of an uninterpreted sort, told apart by its name.
    Element(SortId, Symbol),
    /// A function as a value: an array given by a function, or a map.
    Function(Arc<FunctionValue>),
    /// Something a solver printed that has no exact value here (an algebraic number): equal to itself only.
    Opaque(SortId, Arc<str>),
}

/// An array: entries, and a default for all other indices where the model gives one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    /// The array's sort.
    pub sort: SortId,
    /// The element at every index that is not listed; `None` where the model leaves it open.
    pub default: Option<Value>,
    /// The listed elements; none equals the default.
    pub entries: BTreeMap<Value, Value>,
}

/// A sequence, set or bag. There is one form for each: equal collections of elements that are equal by structure are equal by structure.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CollectionValue {
    /// The collection's sort.
    pub sort: SortId,
    /// The elements: of a sequence in its order, of a set ascending, of a bag ascending and as often as they occur.
    pub items: Vec<Value>,
}

/// An element of a finite field.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FieldValue {
    /// The field's sort.
    pub sort: SortId,
    /// The representative that is smaller than the field's order.
    pub value: UBig,
}

/// A constructor applied to values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DatatypeValue {
    /// The datatype's sort.
    pub sort: SortId,
    /// Which constructor.
    pub ctor: CtorId,
    /// The values of the constructor's fields, in order.
    pub fields: Box<[Value]>,
    /// How deeply constructors nest in it.
    pub depth: u32,
}

/// A function given by a lambda or by a function's name, with the values of the variables it captured.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FunctionValue {
    /// `(lambda (...) body)` and its captured variables.
    Lambda(TermId, Vec<(TermId, Value)>),
    /// A function symbol, with the arguments already given.
    Symbol(FunId, Vec<Value>),
}

impl Value {
    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(b) = self { Some(*b) } else { None }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<&IBig> {
        if let Value::Int(i) = self { Some(i) } else { None }
    }

    /// The sort of this value; `None` for function values, whose sort their term knows.
    pub fn sort(&self, terms: &mut Terms) -> Option<SortId> {
        Some(match self {
            Value::Bool(_) => SortId::BOOL,
            Value::Int(_) => SortId::INT,
            Value::Real(_) => SortId::REAL,
            Value::BitVec(bv) => terms.bit_vec_sort(bv.width()),
            Value::Float(f) => terms.float_sort(f.format().eb, f.format().sb),
            Value::Rm(_) => SortId::ROUNDING_MODE,
            Value::String(_) => SortId::STRING,
            Value::Regex(_) => SortId::REG_LAN,
            Value::Array(a) => a.sort,
            Value::Datatype(d) => d.sort,
            Value::Collection(c) => c.sort,
            Value::Field(f) => f.sort,
            Value::Element(sort, _) | Value::Opaque(sort, _) => *sort,
            Value::Function(f) => match &**f {
                FunctionValue::Lambda(term, _) => terms.sort(*term),
                FunctionValue::Symbol(..) => return None,
            },
        })
    }
}

impl Value {
    /// Whether the value has a part of a kind: itself, or something inside of it.
    pub(crate) fn has_part(&self, is: fn(&Value) -> bool) -> bool {
        let mut open = vec![self];
        while let Some(value) = open.pop() {
            if is(value) {
                return true;
            }
            match value {
                Value::Array(array) => {
                    open.extend(array.entries.iter().flat_map(|(index, element)| [index, element]));
                    open.extend(&array.default);
                }
                Value::Datatype(data) => open.extend(data.fields.iter()),
                Value::Collection(collection) => open.extend(&collection.items),
                _ => {}
            }
        }
        false
    }

    /// Whether another value is the same only if it looks the same. A function, a language, a number that is not computed with and
    /// an array without a default can be equal to something that looks otherwise: they cannot be looked up.
    pub(crate) fn is_told_by_looks(&self) -> bool {
        let is_simple = matches!(self, Value::Int(_) | Value::Bool(_) | Value::BitVec(_) | Value::String(_));
        is_simple
            || !self.has_part(|part| match part {
                Value::Function(_) | Value::Regex(_) | Value::Opaque(..) => true,
                Value::Array(array) => array.default.is_none(),
                _ => false,
            })
    }
}

impl ArrayValue {
    /// The array that is `default` everywhere.
    pub fn constant(sort: SortId, default: Value) -> ArrayValue {
        ArrayValue { sort, default: Some(default), entries: BTreeMap::new() }
    }

    /// The element at an index, or `None` where the model leaves it open.
    pub fn select(&self, index: &Value) -> Option<&Value> {
        self.entries.get(index).or(self.default.as_ref())
    }

    /// The array with one element changed.
    pub fn store(&mut self, index: Value, element: Value) {
        if self.default.as_ref() == Some(&element) {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
    }
}
