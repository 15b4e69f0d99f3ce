//! Sort checking: reads a table row's signature against the sorts of the arguments. Owns the messages that say
//! what was expected; runs only for applications that are new to the arena.

use crate::op::{Arg, Arity, Op, OpInfo, Res};
use crate::print::sort_to_string;
use crate::sort::{Collection, DatatypeId, Sort, SortId};
use crate::symbol::Symbol;
use crate::term::{CtorId, FieldId, Flags, FunId, TermId, Terms};

/// The widest bit-vector sort; wider ones could not be given a value.
pub const MAX_WIDTH: u32 = 1 << 28;

/// Why an application is ill-sorted. The text names the operator, the place and the sorts.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SortError {
    /// The wrong number of arguments.
    #[error("`{head}` takes {expected}, found {found}")]
    Arity {
        /// What was applied.
        head: String,
        /// How many arguments it takes.
        expected: String,
        /// How many it was given.
        found: usize,
    },
    /// An argument of the wrong sort.
    #[error("argument {position} of `{head}` should be {expected}, found {found}")]
    Argument {
        /// What was applied.
        head: String,
        /// Which argument, counting from 1.
        position: usize,
        /// What was expected there.
        expected: String,
        /// The sort that was found.
        found: String,
    },
    /// An index out of its range.
    #[error("`{head}`: {reason}")]
    Index {
        /// The indexed operator.
        head: String,
        /// What is wrong with the index.
        reason: String,
    },
    /// Anything else, said in full.
    #[error("{0}")]
    Other(String),
}

impl SortError {
    pub(crate) fn arity(row: &OpInfo, found: usize) -> SortError {
        let expected = match row.arity {
            Arity::Exact => count(row.args.len()),
            Arity::AtLeast(n) => format!("at least {}", count(n as usize)),
        };
        SortError::Arity { head: row.name.into(), expected, found }
    }

    pub(crate) fn fun_arity(terms: &Terms, fun: FunId, found: usize) -> SortError {
        SortError::Arity {
            head: terms.fun_name(fun).into(),
            expected: count(terms.fun(fun).params.len()),
            found,
        }
    }

    pub(crate) fn parameter(terms: &Terms, fun: FunId, i: usize, found: SortId) -> SortError {
        argument(
            terms.fun_name(fun),
            i,
            sort_to_string(terms, terms.fun(fun).params[i]),
            sort_to_string(terms, found),
        )
    }

    pub(crate) fn not_a_map(terms: &Terms, sort: SortId) -> SortError {
        SortError::Other(format!(
            "only a function can be applied, this is of sort {}",
            sort_to_string(terms, sort)
        ))
    }

    pub(crate) fn map_argument(terms: &Terms, i: usize, expected: SortId, found: SortId) -> SortError {
        argument("@", i, sort_to_string(terms, expected), sort_to_string(terms, found))
    }

    pub(crate) fn body(terms: &Terms, op: Op, found: SortId) -> SortError {
        SortError::Other(format!(
            "the body of `{}` should be Bool, found {}",
            op.name(),
            sort_to_string(terms, found)
        ))
    }

    pub(crate) fn element(terms: &Terms, expected: SortId, found: SortId) -> SortError {
        argument("const", 0, sort_to_string(terms, expected), sort_to_string(terms, found))
    }

    pub(crate) fn not_an_array(terms: &Terms, found: SortId) -> SortError {
        SortError::Other(format!("expected an array sort, found {}", sort_to_string(terms, found)))
    }
}

fn count(n: usize) -> String {
    format!("{n} argument{}", if n == 1 { "" } else { "s" })
}

fn argument(head: &str, i: usize, expected: String, found: String) -> SortError {
    SortError::Argument { head: head.into(), position: i + 1, expected, found }
}

impl OpInfo {
    /// Whether the operator can take this many arguments.
    #[inline]
    pub fn takes(&self, n: usize) -> bool {
        match self.arity {
            Arity::Exact => n == self.args.len(),
            Arity::AtLeast(least) => n >= least as usize,
        }
    }

    /// What the argument at this position must be.
    #[inline]
    pub fn arg(&self, i: usize) -> Arg {
        self.args[i.min(self.args.len() - 1)]
    }
}

/// The sort of each first occurrence of a pattern that later occurrences must repeat.
#[derive(Default)]
struct Bindings {
    bv: Option<SortId>,
    fp: Option<SortId>,
    num: Option<SortId>,
    any: Option<SortId>,
    array: Option<(SortId, SortId)>,
    item: Option<SortId>,
    field: Option<SortId>,
}

fn same(slot: &mut Option<SortId>, sort: SortId) -> bool {
    *slot.get_or_insert(sort) == sort
}

impl Terms {
    /// The sort of `(row args...)`, or what is wrong with it.
    pub(crate) fn sort_of_app(
        &mut self,
        row: &OpInfo,
        indices: [u32; 2],
        args: &[TermId],
    ) -> Result<SortId, SortError> {
        if !row.takes(args.len()) {
            return Err(SortError::arity(row, args.len()));
        }
        let mut bindings = Bindings::default();
        for (i, &arg) in args.iter().enumerate() {
            let sort = self.sort(arg);
            if !self.fits(row.arg(i), sort, &mut bindings) {
                let expected = self.describe(row.arg(i), &bindings);
                return Err(argument(row.name, i, expected, sort_to_string(self, sort)));
            }
        }
        self.result_sort(row, indices, args, &bindings)
    }

    #[inline]
    fn fits(&self, arg: Arg, sort: SortId, bindings: &mut Bindings) -> bool {
        match arg {
            Arg::Bool => sort == SortId::BOOL,
            Arg::Int => sort == SortId::INT,
            Arg::Real => sort == SortId::REAL,
            Arg::Num => (sort == SortId::INT || sort == SortId::REAL) && same(&mut bindings.num, sort),
            Arg::Rm => sort == SortId::ROUNDING_MODE,
            Arg::Str => sort == SortId::STRING,
            Arg::Re => sort == SortId::REG_LAN,
            Arg::A => same(&mut bindings.any, sort),
            Arg::Bv => matches!(self.sort_of(sort), Sort::BitVec(_)) && same(&mut bindings.bv, sort),
            Arg::BvAny => matches!(self.sort_of(sort), Sort::BitVec(_)),
            Arg::Bv1 => matches!(self.sort_of(sort), Sort::BitVec(1)),
            Arg::Fp => matches!(self.sort_of(sort), Sort::Float(..)) && same(&mut bindings.fp, sort),
            Arg::FpAny => matches!(self.sort_of(sort), Sort::Float(..)),
            Arg::Arr => match *self.sort_of(sort) {
                Sort::Array(index, element) => {
                    bindings.array = Some((index, element));
                    true
                }
                _ => false,
            },
            Arg::Index => bindings.array.is_some_and(|(index, _)| index == sort),
            Arg::Element => bindings.array.is_some_and(|(_, element)| element == sort),
            Arg::Collection(kind) => match *self.sort_of(sort) {
                Sort::Collection(found, item) => found == kind && same(&mut bindings.item, item),
                _ => false,
            },
            Arg::Item => same(&mut bindings.item, sort),
            Arg::Field => {
                matches!(self.sort_of(sort), Sort::FiniteField(_)) && same(&mut bindings.field, sort)
            }
        }
    }

    fn describe(&self, arg: Arg, bindings: &Bindings) -> String {
        let bound = match arg {
            Arg::Num => bindings.num,
            Arg::A => bindings.any,
            Arg::Bv => bindings.bv,
            Arg::Fp => bindings.fp,
            Arg::Index => bindings.array.map(|(i, _)| i),
            Arg::Element => bindings.array.map(|(_, e)| e),
            Arg::Item => bindings.item,
            Arg::Field => bindings.field,
            _ => None,
        };
        if let Some(sort) = bound {
            return sort_to_string(self, sort);
        }
        if let (Arg::Collection(kind), Some(item)) = (arg, bindings.item) {
            return format!("({} {})", kind.name(), sort_to_string(self, item));
        }
        match arg {
            Arg::Bool => "Bool",
            Arg::Int => "Int",
            Arg::Real => "Real",
            Arg::Num => "Int or Real",
            Arg::Rm => "RoundingMode",
            Arg::Str => "String",
            Arg::Re => "RegLan",
            Arg::Bv | Arg::BvAny => "a bit-vector",
            Arg::Bv1 => "(_ BitVec 1)",
            Arg::Fp | Arg::FpAny => "a float",
            Arg::Arr => "an array",
            Arg::Collection(Collection::Seq) => "a sequence",
            Arg::Collection(Collection::Set) => "a set",
            Arg::Collection(Collection::Bag) => "a bag",
            Arg::Field => "an element of a finite field",
            Arg::A | Arg::Index | Arg::Element | Arg::Item => "of a fitting sort",
        }
        .into()
    }

    fn width(&self, term: TermId) -> u32 {
        match *self.sort_of(self.sort(term)) {
            Sort::BitVec(width) => width,
            _ => unreachable!("the signature was checked"),
        }
    }

    fn result_sort(
        &mut self,
        row: &OpInfo,
        [i, j]: [u32; 2],
        args: &[TermId],
        bindings: &Bindings,
    ) -> Result<SortId, SortError> {
        let index_error = |reason: String| SortError::Index { head: row.name.into(), reason };
        let width: u64 = match row.result {
            Res::Bool => return Ok(SortId::BOOL),
            Res::Int => return Ok(SortId::INT),
            Res::Real => return Ok(SortId::REAL),
            Res::Str => return Ok(SortId::STRING),
            Res::Re => return Ok(SortId::REG_LAN),
            Res::Like(n) => return Ok(self.sort(args[n as usize])),
            Res::Element => return Ok(bindings.array.expect("the signature has an array").1),
            Res::Item => return Ok(bindings.item.expect("the signature has a collection")),
            Res::Collection(kind) => {
                let item = bindings.item.expect("the signature has an item");
                return Ok(self.make_sort(Sort::Collection(kind, item)));
            }
            Res::Special => unreachable!("nodes of the language are not built from the table"),
            Res::FormatIndices => {
                if i < 2 || j < 2 || i > MAX_WIDTH || j > MAX_WIDTH {
                    return Err(index_error(format!(
                        "a float has at least 2 exponent and 2 significand bits, found {i} and {j}"
                    )));
                }
                if row.op == Op::ToFpFromBits && self.width(args[0]) != i + j {
                    return Err(index_error(format!(
                        "a float of this format has {} bits, found {}",
                        i + j,
                        self.width(args[0])
                    )));
                }
                return Ok(self.float_sort(i, j));
            }
            Res::FormatOfFields => {
                let (eb, sb) = (self.width(args[1]), self.width(args[2]) + 1);
                if eb < 2 {
                    return Err(index_error("a float has at least 2 exponent bits".into()));
                }
                return Ok(self.float_sort(eb, sb));
            }
            Res::WidthOfFloat => match *self.sort_of(self.sort(args[0])) {
                Sort::Float(eb, sb) => eb as u64 + sb as u64,
                _ => unreachable!("the signature was checked"),
            },
            Res::Bv1 => 1,
            Res::WidthSum => args.iter().map(|&a| self.width(a) as u64).sum(),
            Res::WidthOfSlice => {
                let width = self.width(args[0]);
                if j > i || i >= width {
                    return Err(index_error(format!("no bits {i} down to {j} in {width} bits")));
                }
                (i - j) as u64 + 1
            }
            Res::WidthTimes if i == 0 => return Err(index_error("the count must be positive".into())),
            Res::WidthTimes => self.width(args[0]) as u64 * i as u64,
            Res::WidthPlus => self.width(args[0]) as u64 + i as u64,
            Res::WidthIndex => i as u64,
        };
        if width == 0 || width > MAX_WIDTH as u64 {
            return Err(index_error(format!("a bit-vector has 1 to {MAX_WIDTH} bits, not {width}")));
        }
        Ok(self.bit_vec_sort(width as u32))
    }
}

/// Datatypes: their sorts follow from their declarations.
impl Terms {
    /// A sort with the parameters replaced.
    pub fn instantiate(&mut self, sort: SortId, params: &[Symbol], args: &[SortId]) -> SortId {
        let replaced = |terms: &mut Terms, list: &[SortId]| -> Box<[SortId]> {
            list.iter().map(|&s| terms.instantiate(s, params, args)).collect()
        };
        match self.sort_of(sort).clone() {
            Sort::Parameter(name) => params.iter().position(|&p| p == name).map_or(sort, |i| args[i]),
            Sort::Array(index, element) => {
                let (index, element) =
                    (self.instantiate(index, params, args), self.instantiate(element, params, args));
                self.array_sort(index, element)
            }
            Sort::Collection(kind, item) => {
                let item = self.instantiate(item, params, args);
                self.make_sort(Sort::Collection(kind, item))
            }
            Sort::Uninterpreted(name, list) if !list.is_empty() => {
                let list = replaced(self, &list);
                self.make_sort(Sort::Uninterpreted(name, list))
            }
            Sort::Datatype(id, list) if !list.is_empty() => {
                let list = replaced(self, &list);
                self.make_sort(Sort::Datatype(id, list))
            }
            Sort::Function(list, result) => {
                let (list, result) = (replaced(self, &list), self.instantiate(result, params, args));
                self.make_sort(Sort::Function(list, result))
            }
            _ => sort,
        }
    }

    /// Finds parameter values under which `pattern` becomes `sort`.
    fn unify(&self, pattern: SortId, sort: SortId, params: &[Symbol], found: &mut [Option<SortId>]) -> bool {
        if let Sort::Parameter(name) = self.sort_of(pattern)
            && let Some(i) = params.iter().position(|p| p == name)
        {
            return *found[i].get_or_insert(sort) == sort;
        }
        let all = |a: &[SortId], b: &[SortId], found: &mut [Option<SortId>]| {
            a.len() == b.len() && a.iter().zip(b).all(|(&x, &y)| self.unify(x, y, params, found))
        };
        match (self.sort_of(pattern), self.sort_of(sort)) {
            (&Sort::Array(a, b), &Sort::Array(c, d)) => all(&[a, b], &[c, d], found),
            (&Sort::Collection(f, a), &Sort::Collection(g, b)) => f == g && all(&[a], &[b], found),
            (Sort::Uninterpreted(f, a), Sort::Uninterpreted(g, b)) => f == g && all(a, b, found),
            (Sort::Datatype(f, a), Sort::Datatype(g, b)) => f == g && all(a, b, found),
            (Sort::Function(a, r), Sort::Function(b, s)) => all(a, b, found) && all(&[*r], &[*s], found),
            _ => pattern == sort,
        }
    }

    fn datatype_params(&self, id: DatatypeId) -> Box<[Symbol]> {
        self.datatype(id).params.clone()
    }

    /// A constructor applied to its fields; `wanted` is the sort that `(as ctor sort)` gave, if it did.
    pub fn construct(
        &mut self,
        ctor: CtorId,
        args: &[TermId],
        wanted: Option<SortId>,
    ) -> Result<TermId, SortError> {
        let decl = self.ctor(ctor).clone();
        let name = self.name(decl.name).to_string();
        if decl.fields.len() != args.len() {
            return Err(SortError::Arity {
                head: name,
                expected: count(decl.fields.len()),
                found: args.len(),
            });
        }
        let params = self.datatype_params(decl.datatype);
        let mut found = vec![None; params.len()];
        if let Some(sort) = wanted {
            match self.sort_of(sort) {
                Sort::Datatype(id, list) if *id == decl.datatype => {
                    found = list.iter().map(|&s| Some(s)).collect()
                }
                _ => {
                    return Err(SortError::Other(format!(
                        "`{name}` does not construct {}",
                        sort_to_string(self, sort)
                    )));
                }
            }
        }
        let mut args = args.to_vec();
        for (i, arg) in args.iter_mut().enumerate() {
            let pattern = self.field(decl.fields[i]).sort;
            if pattern == SortId::REAL {
                *arg = self.to_real(*arg);
            }
            if !self.unify(pattern, self.sort(*arg), &params, &mut found) {
                return Err(argument(
                    &name,
                    i,
                    sort_to_string(self, pattern),
                    sort_to_string(self, self.sort(*arg)),
                ));
            }
        }
        let Some(list) = found.into_iter().collect::<Option<Box<[SortId]>>>() else {
            return Err(SortError::Other(format!(
                "the sort of `{name}` is not determined here: write (as {name} SORT)"
            )));
        };
        let sort = self.make_sort(Sort::Datatype(decl.datatype, list));
        Ok(self.intern(Op::Construct, [ctor.0, sort.0], &args, sort, Flags::default()))
    }

    /// The sort of a field in a datatype that may be an instance of a parametric one.
    pub fn field_sort(&mut self, field: FieldId, of: SortId) -> Result<SortId, SortError> {
        let decl = self.field(field).clone();
        let datatype = self.ctor(decl.ctor).datatype;
        match self.sort_of(of).clone() {
            Sort::Datatype(id, list) if id == datatype => {
                let params = self.datatype_params(id);
                Ok(self.instantiate(decl.sort, &params, &list))
            }
            _ => Err(argument(
                self.name(decl.name),
                0,
                self.name(self.datatype(datatype).name).into(),
                sort_to_string(self, of),
            )),
        }
    }

    /// A selector applied to a datatype term.
    pub fn select_field(&mut self, field: FieldId, term: TermId) -> Result<TermId, SortError> {
        let sort = self.field_sort(field, self.sort(term))?;
        Ok(self.intern(Op::Field, [field.0, 0], &[term], sort, Flags::default()))
    }

    /// `((_ update field) term value)`
    pub fn update_field(&mut self, field: FieldId, term: TermId, value: TermId) -> Result<TermId, SortError> {
        let sort = self.field_sort(field, self.sort(term))?;
        if self.sort(value) != sort {
            return Err(argument(
                "update",
                1,
                sort_to_string(self, sort),
                sort_to_string(self, self.sort(value)),
            ));
        }
        Ok(self.intern(Op::UpdateField, [field.0, 0], &[term, value], self.sort(term), Flags::default()))
    }

    /// `((_ is ctor) term)`
    pub fn test_ctor(&mut self, ctor: CtorId, term: TermId) -> Result<TermId, SortError> {
        let datatype = self.ctor(ctor).datatype;
        match self.sort_of(self.sort(term)) {
            Sort::Datatype(id, _) if *id == datatype => {
                Ok(self.intern(Op::Tester, [ctor.0, 0], &[term], SortId::BOOL, Flags::default()))
            }
            _ => Err(argument(
                "is",
                0,
                self.name(self.datatype(datatype).name).into(),
                sort_to_string(self, self.sort(term)),
            )),
        }
    }
}
