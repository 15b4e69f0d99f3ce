//! Sorts as they are written: names, `(_ BitVec n)`, applications; and `define-sort`.

use super::{Reader, Result, SortBinding, expected, other};
use crate::error::{Error, ErrorKind, Span};
use crate::lexer::{Lexer, Token};
use crate::script::Command;
use crate::sort::{Collection, FINITE_SET, Sort, SortId};
use crate::sortcheck::MAX_WIDTH;
use crate::symbol::Symbol;
use crate::term::{MAX_SORTS, Terms};
use dashu_int::UBig;

/// A sort written with more symbols than this (after its definitions are unfolded) is refused.
const MAX_SIZE: u32 = 10_000;

static BUILTIN: &[(&str, Sort)] = &[
    ("Bool", Sort::Bool),
    ("Int", Sort::Int),
    ("Real", Sort::Real),
    ("RoundingMode", Sort::RoundingMode),
    ("String", Sort::String),
    ("RegLan", Sort::RegLan),
    ("Float16", Sort::Float(5, 11)),
    ("Float32", Sort::Float(8, 24)),
    ("Float64", Sort::Float(11, 53)),
    ("Float128", Sort::Float(15, 113)),
];

pub(super) fn is_builtin(name: &str) -> bool {
    matches!(name, "Array" | "->" | "BitVec" | "FloatingPoint") || BUILTIN.iter().any(|(n, _)| *n == name)
}

/// The longest order of a finite field, in digits: beyond what cryptography uses.
const MAX_ORDER_DIGITS: usize = 400;

/// The order of a finite field. That it is prime is tested by a probable-prime test, as the solvers do.
pub(super) fn field_order(lexer: &Lexer<'_>, digits: &str) -> Result<UBig> {
    let order = (digits.len() <= MAX_ORDER_DIGITS).then(|| UBig::from_str_radix(digits, 10).ok()).flatten();
    match order {
        Some(order) if crate::eval::field::is_prime(&order) => Ok(order),
        _ => Err(other(
            lexer,
            format!("the order of a finite field is a prime of at most {MAX_ORDER_DIGITS} digits"),
        )),
    }
}

/// A sort constructor whose arguments are being read.
struct Pending {
    head: Symbol,
    span: Span,
    base: usize,
}

impl Reader {
    /// Reads one sort at the lexer's place.
    pub(crate) fn sort(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<SortId> {
        let mut pending: Vec<Pending> = Vec::new();
        let mut done: Vec<SortId> = Vec::new();
        loop {
            let sort = match lexer.next()? {
                Token::Symbol(name, _) => {
                    let name = terms.symbol(name);
                    self.named_sort(terms, lexer, name)?
                }
                Token::Open => match lexer.next()? {
                    Token::Symbol("_", false) => self.indexed_sort(terms, lexer)?,
                    Token::Symbol(name, _) => {
                        pending.push(Pending {
                            head: terms.symbol(name),
                            span: lexer.span(),
                            base: done.len(),
                        });
                        continue;
                    }
                    token => return Err(expected(lexer, "a sort", token)),
                },
                Token::Close if !pending.is_empty() => {
                    let top = pending.pop().expect("not empty");
                    let sort = self.applied_sort(terms, &top, &done[top.base..])?;
                    done.truncate(top.base);
                    sort
                }
                token => return Err(expected(lexer, "a sort", token)),
            };
            if terms.sorts.size(sort) > MAX_SIZE || terms.sort_count() >= MAX_SORTS {
                return Err(other(lexer, "this sort is too large".into()));
            }
            if pending.is_empty() {
                return Ok(sort);
            }
            done.push(sort);
        }
    }

    fn named_sort(&mut self, terms: &mut Terms, lexer: &Lexer<'_>, name: Symbol) -> Result<SortId> {
        if let Some((_, sort)) = BUILTIN.iter().find(|(n, _)| *n == terms.name(name)) {
            return Ok(terms.make_sort(sort.clone()));
        }
        self.applied_sort(terms, &Pending { head: name, span: lexer.span(), base: 0 }, &[])
    }

    fn indexed_sort(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<SortId> {
        let sort = match lexer.next()? {
            Token::Symbol("BitVec", _) => {
                let width = self.numeral(lexer, "a width")?;
                if width == 0 || width > MAX_WIDTH {
                    return Err(other(lexer, format!("a bit-vector has 1 to {MAX_WIDTH} bits")));
                }
                Sort::BitVec(width)
            }
            Token::Symbol("FloatingPoint", _) => {
                let eb = self.numeral(lexer, "a number of exponent bits")?;
                let sb = self.numeral(lexer, "a number of significand bits")?;
                if eb < 2 || sb < 2 || eb > MAX_WIDTH || sb > MAX_WIDTH {
                    return Err(other(
                        lexer,
                        "a float has at least 2 exponent and 2 significand bits".into(),
                    ));
                }
                Sort::Float(eb, sb)
            }
            Token::Symbol("FiniteField", _) => match lexer.next()? {
                Token::Numeral(digits) => Sort::FiniteField(field_order(lexer, digits)?),
                token => return Err(expected(lexer, "the order of a field", token)),
            },
            Token::Symbol(name, _) => {
                return Err(Error {
                    kind: ErrorKind::Unknown { what: "indexed sort", name: name.into() },
                    span: lexer.span(),
                });
            }
            token => return Err(expected(lexer, "BitVec, FloatingPoint or FiniteField", token)),
        };
        self.close(lexer)?;
        Ok(terms.make_sort(sort))
    }

    fn applied_sort(&mut self, terms: &mut Terms, head: &Pending, args: &[SortId]) -> Result<SortId> {
        let name = terms.name(head.head);
        let wrong_count = |wanted: usize| {
            let plural = if wanted == 1 { "" } else { "s" };
            Error {
                kind: ErrorKind::Other(format!(
                    "the sort `{name}` takes {wanted} argument{plural}, found {}",
                    args.len()
                )),
                span: head.span,
            }
        };
        match (name, args) {
            ("Array", &[index, element]) => return Ok(terms.array_sort(index, element)),
            ("Array", _) => return Err(wrong_count(2)),
            ("->", [params @ .., result]) if !params.is_empty() => {
                return Ok(terms.make_sort(Sort::Function(params.into(), *result)));
            }
            _ => {}
        }
        match self.sorts.get(&head.head) {
            Some(SortBinding::Declared(arity)) if *arity as usize == args.len() => {
                Ok(terms.make_sort(Sort::Uninterpreted(head.head, args.into())))
            }
            Some(SortBinding::Declared(arity)) => Err(wrong_count(*arity as usize)),
            Some(SortBinding::Parameter) if args.is_empty() => {
                Ok(terms.make_sort(Sort::Parameter(head.head)))
            }
            Some(SortBinding::Parameter) => Err(wrong_count(0)),
            Some(SortBinding::Defined(params, sort)) if params.len() == args.len() => {
                let (params, sort) = (params.clone(), *sort);
                Ok(terms.instantiate(sort, &params, args))
            }
            Some(SortBinding::Defined(params, _)) => Err(wrong_count(params.len())),
            Some(&SortBinding::Datatype(id)) => {
                let arity = terms.datatype(id).params.len();
                if arity != args.len() {
                    return Err(wrong_count(arity));
                }
                Ok(terms.make_sort(Sort::Datatype(id, args.into())))
            }
            None => {
                // Files declare sorts of these names themselves; the solvers' own come second.
                let plain = if name == FINITE_SET { Collection::Set.name() } else { name };
                if let Some(kind) = Collection::ALL.into_iter().find(|kind| kind.name() == plain) {
                    return match args {
                        &[item] => Ok(terms.make_sort(Sort::Collection(kind, item))),
                        _ => Err(wrong_count(1)),
                    };
                }
                Err(Error { kind: ErrorKind::Unknown { what: "sort", name: name.into() }, span: head.span })
            }
        }
    }

    /// The declared sort of this name, if it takes no arguments.
    pub(super) fn uninterpreted(&self, terms: &mut Terms, name: Symbol) -> Option<SortId> {
        match self.sorts.get(&name) {
            Some(SortBinding::Declared(0)) => {
                Some(terms.make_sort(Sort::Uninterpreted(name, Box::default())))
            }
            _ => None,
        }
    }

    /// `(sort ...)`
    pub(crate) fn sort_list(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Vec<SortId>> {
        self.open(lexer)?;
        let mut list = Vec::new();
        while lexer.peek()? != Token::Close {
            list.push(self.sort(terms, lexer)?);
        }
        self.close(lexer)?;
        Ok(list)
    }

    pub(super) fn define_sort(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Command> {
        let (name, span) = self.symbol(terms, lexer, "the name of a sort")?;
        let params = self.symbol_list(terms, lexer)?;
        let hidden = self.bind_sort_params(&params);
        let sort = self.sort(terms, lexer);
        self.unbind_sort_params(&params, hidden);
        let sort = sort?;
        self.bind_sort(terms, name, span, SortBinding::Defined(params.clone().into(), sort))?;
        Ok(Command::DefineSort(name, params.into(), sort))
    }

    /// `(name ...)`
    pub(super) fn symbol_list(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Vec<Symbol>> {
        self.open(lexer)?;
        let mut list = Vec::new();
        while lexer.peek()? != Token::Close {
            list.push(self.symbol(terms, lexer, "a parameter")?.0);
        }
        self.close(lexer)?;
        Ok(list)
    }

    pub(super) fn bind_sort_params(&mut self, params: &[Symbol]) -> Vec<Option<SortBinding>> {
        params.iter().map(|&p| self.sorts.insert(p, SortBinding::Parameter)).collect()
    }

    pub(super) fn unbind_sort_params(&mut self, params: &[Symbol], hidden: Vec<Option<SortBinding>>) {
        for (&param, old) in params.iter().zip(hidden).rev() {
            match old {
                Some(binding) => self.sorts.insert(param, binding),
                None => self.sorts.remove(&param),
            };
        }
    }
}
