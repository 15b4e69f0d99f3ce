//! Terms, read in one pass with an explicit stack: a frame per open parenthesis, an operand stack for finished
//! subterms, and the local names that `let` and binders introduced.

use super::{Binding, Reader, Reserved, Result, expected, other, rows, sort_error};
use crate::error::{Error, ErrorKind, Span};
use crate::eval::field;
use crate::lexer::{Lexer, Token};
use crate::op::Op;
use crate::sort::{Sort, SortId};
use crate::sortcheck::SortError;
use crate::symbol::Symbol;
use crate::term::{Attribute, AttributeValue, CtorId, FieldId, FunId, MAX_HIDING, MatchCase, TermId, Terms};
use crate::value::{CollectionValue, Value};
use dashu_int::IBig;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

/// What an open parenthesis applies.
#[derive(Clone, Copy, Debug)]
enum Head {
    /// Rows of the operator table, without indices.
    Ops(u16, u16),
    /// Rows of the operator table, with indices.
    Indexed(u16, u16, [u32; 2]),
    Fun(FunId),
    Ctor(CtorId, Option<SortId>),
    Field(FieldId),
    Update(FieldId),
    Tester(CtorId),
    ConstArray(SortId),
    /// The first operand is a map.
    Map,
}

/// An open parenthesis: what will be done with its operands, which start at `base`.
#[derive(Clone, Copy, Debug)]
enum Frame {
    App {
        head: Head,
        base: usize,
        start: usize,
    },
    /// The value of a `let` variable is being read; the names of this `let` start at `names`.
    LetValue {
        names: usize,
        base: usize,
    },
    LetBody {
        count: usize,
    },
    /// The body of a binder whose variables are operands from `base`.
    Binder {
        op: Op,
        base: usize,
        start: usize,
    },
    /// The term of an annotation, then its attributes, which start at `attributes`.
    Annotated {
        base: usize,
        attributes: usize,
    },
    /// The terms of a `:pattern`.
    Pattern {
        keyword: Symbol,
        base: usize,
    },
    Scrutinee {
        base: usize,
        cases: usize,
        start: usize,
    },
    CaseBody {
        base: usize,
        cases: usize,
        start: usize,
    },
    /// A term in head position, to be applied as a map.
    MapHead {
        start: usize,
    },
}

/// The reusable stacks of term reading.
#[derive(Clone, Debug, Default)]
pub(super) struct TermStack {
    frames: Vec<Frame>,
    operands: Vec<TermId>,
    names: Vec<Symbol>,
    attributes: Vec<Attribute>,
    cases: Vec<MatchCase>,
    /// Local names and what they hid.
    locals: Vec<(Symbol, Binding)>,
    /// How many bound variables of a name are in scope.
    hiding: HashMap<Symbol, u32, FxBuildHasher>,
    /// Whether a variable hid another of its name.
    hid: bool,
}

impl TermStack {
    pub(super) fn reset(&mut self) {
        self.frames.clear();
        self.operands.clear();
        self.names.clear();
        self.attributes.clear();
        self.cases.clear();
        self.hid = false;
    }
}

/// What came of a token: a finished term, or an opened frame.
enum Step {
    Value(TermId),
    Opened,
}

impl Reader {
    /// Reads one term at the lexer's place.
    pub(crate) fn term(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<TermId> {
        let term = self.term_as_written(terms, lexer)?;
        if std::mem::take(&mut self.stack.hid) { Ok(terms.renumber(term)) } else { Ok(term) }
    }

    /// One term in which variables that hide others are numbered by how many they hide.
    fn term_as_written(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<TermId> {
        debug_assert!(self.stack.frames.is_empty() && self.stack.operands.is_empty());
        loop {
            let step = match lexer.next()? {
                Token::Symbol(name, quoted) => {
                    let symbol = terms.symbol(name);
                    Step::Value(self.atom(terms, lexer, symbol, quoted)?)
                }
                Token::Open => self.open_term(terms, lexer)?,
                Token::Close => self.close_frame(terms, lexer)?,
                token => Step::Value(self.literal(terms, lexer, token)?),
            };
            let mut step = step;
            while let Step::Value(value) = step {
                if self.stack.frames.is_empty() {
                    return Ok(value);
                }
                step = self.deliver(terms, lexer, value)?;
            }
        }
    }

    /// A symbol by itself.
    #[inline]
    fn atom(&mut self, terms: &mut Terms, lexer: &Lexer<'_>, symbol: Symbol, quoted: bool) -> Result<TermId> {
        match self.resolve(terms, symbol) {
            Binding::Term(term) => Ok(term),
            Binding::Ops(at, n) => {
                terms.app_overloaded(rows(at, n), [0; 2], &[]).map_err(sort_error(lexer.span()))
            }
            Binding::Ctor(ctor) => terms.construct(ctor, &[], None).map_err(sort_error(lexer.span())),
            Binding::Fun(fun) => terms.apply(fun, &[]).map_err(sort_error(lexer.span())),
            Binding::Reserved(_) if !quoted => {
                Err(expected(lexer, "a term", Token::Symbol(terms.name(symbol), false)))
            }
            Binding::Poisoned => Err(faulty(terms, lexer, symbol)),
            _ if self.in_model => self.model_symbol(terms, lexer, symbol, None),
            _ => Err(self.unknown(terms, lexer, symbol, "symbol")),
        }
    }

    fn unknown(&self, terms: &Terms, lexer: &Lexer<'_>, symbol: Symbol, what: &'static str) -> Error {
        Error {
            kind: ErrorKind::Unknown { what, name: crate::lexer::shorten(terms.name(symbol)) },
            span: lexer.span(),
        }
    }

    /// A symbol that only a model knows: an element of an uninterpreted sort, written as Z3 (`T!val!0`) or as
    /// cvc5 and CVC4 (`@T_0`, `@uc_T_0`, `(as @T_0 T)`) do.
    fn model_symbol(
        &mut self,
        terms: &mut Terms,
        lexer: &Lexer<'_>,
        symbol: Symbol,
        sort: Option<SortId>,
    ) -> Result<TermId> {
        if let Some(sort) = sort {
            return Ok(terms.constant(Value::Element(sort, symbol)));
        }
        let name = terms.name(symbol);
        let sort_name = match name.split_once("!val!") {
            Some((sort, _)) => Some(sort),
            None => name
                .strip_prefix("@uc_")
                .or_else(|| name.strip_prefix('@'))
                .and_then(|rest| rest.rsplit_once('_'))
                .map(|(sort, _)| sort),
        };
        let sort_name = sort_name.map(str::to_string);
        match sort_name.and_then(|text| self.universe(terms, &text)) {
            Some(sort) => Ok(terms.constant(Value::Element(sort, symbol))),
            None => Err(self.unknown(terms, lexer, symbol, "symbol")),
        }
    }

    /// cvc5 writes the elements of a sort whose name needs bars as `@|my sort|_0`: three tokens that are one name.
    fn split_element(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Symbol> {
        let (sort, _) = self.symbol(terms, lexer, "the name of a sort")?;
        let (number, _) = self.symbol(terms, lexer, "the number of an element")?;
        let name = format!("@{}{}", terms.name(sort), terms.name(number));
        Ok(terms.symbol(&name))
    }

    /// The sort that stands in the name of an element, where it has no bars.
    fn universe(&mut self, terms: &mut Terms, text: &str) -> Option<SortId> {
        let name = terms.symbol(text);
        self.uninterpreted(terms, name).or_else(|| self.read_sort(terms, text).ok())
    }

    /// After `(`: decides what is applied.
    #[inline]
    fn open_term(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Step> {
        let start = lexer.token_start;
        match lexer.next()? {
            Token::Symbol(name, quoted) => {
                let symbol = terms.symbol(name);
                let head = match self.resolve(terms, symbol) {
                    Binding::Ops(at, n) => Head::Ops(at, n),
                    Binding::Fun(fun) => Head::Fun(fun),
                    Binding::Reserved(word) if !quoted => {
                        return self.open_special(terms, lexer, word, start);
                    }
                    Binding::Ctor(ctor) => Head::Ctor(ctor, None),
                    Binding::Field(field) => Head::Field(field),
                    Binding::Tester(ctor) => Head::Tester(ctor),
                    Binding::Term(map) => return self.open_map(terms, lexer, map, start),
                    Binding::Poisoned => return Err(faulty(terms, lexer, symbol)),
                    _ => return self.open_unknown(terms, lexer, symbol, start),
                };
                self.push_app(head, start);
            }
            Token::Open => {
                let head = *lexer;
                if matches!(lexer.next()?, Token::Symbol("_" | "as", false)) {
                    return self.open_qualified(terms, lexer, start);
                }
                *lexer = head.at_token();
                self.stack.frames.push(Frame::MapHead { start });
            }
            token => return Err(expected(lexer, "a function, an operator or a binder", token)),
        }
        Ok(Step::Opened)
    }

    fn push_app(&mut self, head: Head, start: usize) {
        self.stack.frames.push(Frame::App { head, base: self.stack.operands.len(), start });
    }

    /// A variable or constant in head position must be a map.
    #[cold]
    fn open_map(&mut self, terms: &mut Terms, lexer: &Lexer<'_>, map: TermId, start: usize) -> Result<Step> {
        if !matches!(terms.sort_of(terms.sort(map)), Sort::Function(..)) {
            return Err(sort_error(lexer.span())(SortError::not_a_map(terms, terms.sort(map))));
        }
        self.push_app(Head::Map, start);
        self.stack.operands.push(map);
        Ok(Step::Opened)
    }

    /// `@` applies a map; `root-obj` and its like are kept as opaque values in models.
    #[cold]
    fn open_unknown(
        &mut self,
        terms: &mut Terms,
        lexer: &mut Lexer<'_>,
        symbol: Symbol,
        start: usize,
    ) -> Result<Step> {
        match terms.name(symbol) {
            "@" => {
                self.push_app(Head::Map, start);
                Ok(Step::Opened)
            }
            "root-obj" | "root-of-with-interval" | "_real_algebraic_number" | "witness" if self.in_model => {
                if !lexer.skip_expression(start) {
                    return Err(expected(lexer, "`)`", Token::End));
                }
                let text = &lexer.source()[start..lexer.position()];
                Ok(Step::Value(terms.constant(Value::Opaque(SortId::REAL, text.into()))))
            }
            _ => Err(self.unknown(terms, lexer, symbol, "function")),
        }
    }

    fn open_special(
        &mut self,
        terms: &mut Terms,
        lexer: &mut Lexer<'_>,
        word: Reserved,
        start: usize,
    ) -> Result<Step> {
        match word {
            Reserved::Let => {
                self.open(lexer)?;
                let frame =
                    Frame::LetValue { names: self.stack.names.len(), base: self.stack.operands.len() };
                self.stack.frames.push(frame);
                self.open(lexer)?;
                self.let_name(terms, lexer)?;
            }
            Reserved::Forall => self.open_binder(terms, lexer, Op::Forall, start)?,
            Reserved::Exists => self.open_binder(terms, lexer, Op::Exists, start)?,
            Reserved::Lambda => self.open_binder(terms, lexer, Op::Lambda, start)?,
            Reserved::Annotation => {
                self.stack.frames.push(Frame::Annotated {
                    base: self.stack.operands.len(),
                    attributes: self.stack.attributes.len(),
                });
            }
            Reserved::Match => {
                let frame = Frame::Scrutinee {
                    base: self.stack.operands.len(),
                    cases: self.stack.cases.len(),
                    start,
                };
                self.stack.frames.push(frame);
            }
            Reserved::Underscore | Reserved::As => {
                *lexer = lexer.at_token();
                let term = self.qualified_term(terms, lexer)?;
                return Ok(Step::Value(term));
            }
            Reserved::Par => return Err(other(lexer, "`par` cannot stand in a term".into())),
        }
        Ok(Step::Opened)
    }

    fn let_name(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<()> {
        let (name, _) = self.symbol(terms, lexer, "the name of a variable")?;
        self.stack.names.push(name);
        Ok(())
    }

    fn open_binder(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>, op: Op, start: usize) -> Result<()> {
        let vars = self.sorted_vars(terms, lexer)?;
        let base = self.stack.operands.len();
        self.stack.operands.extend_from_slice(&vars);
        self.stack.frames.push(Frame::Binder { op, base, start });
        Ok(())
    }

    /// `((x sort) ...)`: binds the variables and returns them.
    pub(crate) fn sorted_vars(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Vec<TermId>> {
        self.open(lexer)?;
        let mut vars = Vec::new();
        while lexer.peek()? != Token::Close {
            self.open(lexer)?;
            let (name, _) = self.symbol(terms, lexer, "the name of a variable")?;
            let sort = self.sort(terms, lexer)?;
            self.close(lexer)?;
            vars.push(self.fresh_bound(terms, lexer, name, sort)?);
        }
        self.close(lexer)?;
        self.bind_locals(terms, &vars);
        Ok(vars)
    }

    /// The bound variable for a new binder: another one than those it hides.
    fn fresh_bound(
        &mut self,
        terms: &mut Terms,
        lexer: &Lexer<'_>,
        name: Symbol,
        sort: SortId,
    ) -> Result<TermId> {
        let level = self.stack.hiding.get(&name).copied().unwrap_or(0);
        if level > MAX_HIDING {
            return Err(other(
                lexer,
                format!("variables named `{}` hide each other too often", terms.name(name)),
            ));
        }
        self.stack.hid |= level > 0;
        Ok(terms.bound(name, sort, level))
    }

    /// Brings bound variables into scope.
    pub(crate) fn bind_locals(&mut self, terms: &mut Terms, vars: &[TermId]) {
        for &var in vars {
            let name = terms.bound_name(var).expect("a bound variable");
            *self.stack.hiding.entry(name).or_insert(0) += 1;
            self.bind_local(terms, name, var);
        }
    }

    fn bind_local(&mut self, terms: &mut Terms, name: Symbol, term: TermId) {
        self.resolve(terms, name);
        let old = self.set_binding(name, Binding::Term(term));
        self.stack.locals.push((name, old));
    }

    /// Takes the last `count` local names out of scope.
    fn unbind(&mut self, count: usize) {
        let keep = self.stack.locals.len() - count;
        for (name, old) in self.stack.locals.drain(keep..).rev() {
            self.bindings[name.index()] = old;
        }
    }

    fn unbind_vars(&mut self, terms: &Terms, vars: &[TermId]) {
        for &var in vars {
            if let Some(n) = terms.bound_name(var).and_then(|name| self.stack.hiding.get_mut(&name)) {
                *n -= 1;
            }
        }
        self.unbind(vars.len());
    }

    /// Takes all local names out of scope.
    pub(crate) fn unwind_locals(&mut self) {
        self.unbind(self.stack.locals.len());
        self.stack.hiding.clear();
    }

    /// Gives a finished subterm to the frame that waits for it.
    #[inline]
    fn deliver(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>, value: TermId) -> Result<Step> {
        let frame = *self.stack.frames.last().expect("a frame waits");
        match frame {
            Frame::App { .. } | Frame::Pattern { .. } => {
                self.stack.operands.push(value);
                Ok(Step::Opened)
            }
            Frame::LetValue { names, base } => {
                self.stack.operands.push(value);
                self.close(lexer)?;
                match lexer.next()? {
                    Token::Open => self.let_name(terms, lexer)?,
                    Token::Close => {
                        let count = self.stack.names.len() - names;
                        for i in 0..count {
                            let (name, term) = (self.stack.names[names + i], self.stack.operands[base + i]);
                            self.bind_local(terms, name, term);
                        }
                        self.stack.names.truncate(names);
                        self.stack.operands.truncate(base);
                        *self.stack.frames.last_mut().expect("a frame waits") = Frame::LetBody { count };
                    }
                    token => return Err(expected(lexer, "another `(name term)` or `)`", token)),
                }
                Ok(Step::Opened)
            }
            Frame::LetBody { count } => {
                self.close(lexer)?;
                self.unbind(count);
                self.stack.frames.pop();
                Ok(Step::Value(value))
            }
            Frame::Binder { op, base, start } => {
                self.close(lexer)?;
                self.stack.frames.pop();
                let vars: Vec<TermId> = self.stack.operands.drain(base..).collect();
                self.unbind_vars(terms, &vars);
                if op == Op::Lambda {
                    let lambda = terms.lambda(&vars, value, self.in_model);
                    return lambda.map(Step::Value).map_err(sort_error(Span::new(start, lexer.position())));
                }
                let quantifier = terms
                    .quantifier(op, &vars, value)
                    .map_err(sort_error(Span::new(start, lexer.position())))?;
                Ok(Step::Value(quantifier))
            }
            Frame::Annotated { .. } => {
                self.stack.operands.push(value);
                self.attributes(terms, lexer)
            }
            Frame::Scrutinee { base, cases, start } => {
                self.stack.operands.push(value);
                self.open(lexer)?;
                *self.stack.frames.last_mut().expect("a frame waits") =
                    Frame::CaseBody { base, cases, start };
                self.open(lexer)?;
                self.case_pattern(terms, lexer, value)?;
                Ok(Step::Opened)
            }
            Frame::CaseBody { base, cases, start } => {
                let count = self.stack.cases.last().expect("a case is open").vars as usize;
                let vars = self.stack.operands[self.stack.operands.len() - count..].to_vec();
                self.unbind_vars(terms, &vars);
                self.stack.operands.push(value);
                self.close(lexer)?;
                match lexer.next()? {
                    Token::Open => {
                        let scrutinee = self.stack.operands[base];
                        self.case_pattern(terms, lexer, scrutinee)?;
                        Ok(Step::Opened)
                    }
                    Token::Close => {
                        self.close(lexer)?;
                        self.finish_match(terms, base, cases, Span::new(start, lexer.position()))
                    }
                    token => Err(expected(lexer, "another case or `)`", token)),
                }
            }
            Frame::MapHead { start } => {
                self.stack.frames.pop();
                self.push_app(Head::Map, start);
                self.stack.operands.push(value);
                Ok(Step::Opened)
            }
        }
    }

    /// After `)`: applies the frame's head to its operands.
    #[inline]
    fn close_frame(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Step> {
        match self.stack.frames.last() {
            Some(&Frame::App { head, base, start }) => {
                self.stack.frames.pop();
                let args = &self.stack.operands[base..];
                let built = match head {
                    Head::Ops(at, n) => match rows(at, n) {
                        [row] if row.op == Op::SetInsert && args.len() > 2 => insert_all(terms, args),
                        [row, ..] if row.indices != 0 => older_form(terms, row.op, args),
                        rows => terms.app_overloaded(rows, [0; 2], args),
                    },
                    Head::Indexed(at, n, indices) => terms.app_overloaded(rows(at, n), indices, args),
                    Head::Fun(fun) => terms.apply(fun, args),
                    Head::Ctor(ctor, sort) => terms.construct(ctor, args, sort),
                    Head::Field(field) => one(args, "a selector").and_then(|t| terms.select_field(field, t)),
                    Head::Tester(ctor) => one(args, "a tester").and_then(|t| terms.test_ctor(ctor, t)),
                    Head::ConstArray(sort) => {
                        one(args, "a constant array").and_then(|t| terms.const_array(sort, t))
                    }
                    Head::Update(field) => match args {
                        &[term, value] => terms.update_field(field, term, value),
                        _ => Err(SortError::Other("`update` takes a term and a value".into())),
                    },
                    Head::Map => match args {
                        [map, rest @ ..] if !rest.is_empty() => terms.map_apply(*map, rest),
                        _ => Err(SortError::Other("an application needs a function and an argument".into())),
                    },
                };
                let term = built.map_err(sort_error(Span::new(start, lexer.position())))?;
                self.stack.operands.truncate(base);
                Ok(Step::Value(term))
            }
            Some(&Frame::Pattern { keyword, base }) => {
                self.stack.frames.pop();
                let count = (self.stack.operands.len() - base) as u32;
                self.stack.attributes.push(Attribute { keyword, value: AttributeValue::Terms(count) });
                self.attributes(terms, lexer)
            }
            _ => Err(expected(lexer, "a term", Token::Close)),
        }
    }
}

/// `(set.insert a b ... s)`: an application for each element.
#[cold]
fn insert_all(terms: &mut Terms, args: &[TermId]) -> Result<TermId, SortError> {
    let (&set, items) = args.split_last().expect("at least two arguments");
    items.iter().rev().try_fold(set, |set, &item| terms.app(Op::SetInsert, &[item, set]))
}

/// The value of `(as name sort)` where sort and name together make a literal: an empty collection, an element of a field.
fn sorted_literal(terms: &Terms, name: &str, sort: SortId) -> Option<Value> {
    match terms.sort_of(sort) {
        Sort::Collection(kind, _) if name == kind.empty() => {
            Some(Value::Collection(Arc::new(CollectionValue { sort, items: Vec::new() })))
        }
        Sort::FiniteField(order) => {
            let number = IBig::from_str_radix(name.strip_prefix("ff")?, 10).ok()?;
            Some(field::element(sort, order, &number))
        }
        _ => None,
    }
}

fn one(args: &[TermId], what: &str) -> Result<TermId, SortError> {
    match args {
        &[arg] => Ok(arg),
        _ => Err(SortError::Other(format!("{what} takes 1 argument, found {}", args.len()))),
    }
}

/// An operator that needs indices, written without: older files give `re.loop` and `re.^` their counts as arguments.
#[cold]
fn older_form(terms: &mut Terms, op: Op, args: &[TermId]) -> Result<TermId, SortError> {
    let count = |t: TermId| match terms.as_value(t) {
        Some(Value::Int(i)) => u32::try_from(i).ok(),
        _ => None,
    };
    match (op, args) {
        (Op::ReLoop, &[r, low, high]) => {
            if let (Some(low), Some(high)) = (count(low), count(high)) {
                return terms.app_indexed(op, [low, high], &[r]);
            }
        }
        (Op::ReLoop, &[r, low]) => {
            if let Some(low) = count(low) {
                return at_least(terms, low, r);
            }
        }
        (Op::RePower, &[n, r]) => {
            if let Some(n) = count(n) {
                return terms.app_indexed(op, [n, 0], &[r]);
            }
        }
        _ => {}
    }
    Err(SortError::Other(format!("`{0}` needs an index: write (_ {0} ...)", op.name())))
}

/// `r` at least `low` times.
fn at_least(terms: &mut Terms, low: u32, r: TermId) -> Result<TermId, SortError> {
    let power = terms.app_indexed(Op::RePower, [low, 0], &[r])?;
    let star = terms.app(Op::ReStar, &[r])?;
    terms.app(Op::ReConcat, &[power, star])
}

/// Identifiers with indices or sorts.
impl Reader {
    /// `((_ name ...) args)` or `((as name sort) args)`, from behind `_` or `as`.
    fn open_qualified(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>, start: usize) -> Result<Step> {
        if lexer.source()[lexer.token_start..].starts_with("as") {
            let head = self.as_head(terms, lexer)?;
            self.push_app(head, start);
            return Ok(Step::Opened);
        }
        let (name, span) = self.index_name(terms, lexer)?;
        let head = match self.resolve(terms, name) {
            Binding::Ops(at, n) if rows(at, n)[0].indices > 0 => {
                let mut indices = [0; 2];
                let wanted = rows(at, n)[0].indices as usize;
                for slot in indices.iter_mut().take(wanted) {
                    if rows(at, n)[0].op == Op::ReLoop && lexer.peek()? == Token::Close {
                        // Z3's `(_ re.loop n)` has no upper bound.
                        return self.open_unbounded_loop(terms, lexer, indices[0], start);
                    }
                    *slot = self.numeral(lexer, "an index")?;
                }
                Head::Indexed(at, n, indices)
            }
            _ => match terms.name(name) {
                "is" => Head::Tester(self.ctor_name(terms, lexer)?),
                "update" => {
                    let (field, span) = self.symbol(terms, lexer, "the name of a selector")?;
                    match self.resolve(terms, field) {
                        Binding::Field(field) => Head::Update(field),
                        _ => {
                            return Err(Error {
                                kind: ErrorKind::Unknown { what: "selector", name: terms.name(field).into() },
                                span,
                            });
                        }
                    }
                }
                text => {
                    return Err(Error {
                        kind: ErrorKind::Unknown { what: "indexed operator", name: text.into() },
                        span,
                    });
                }
            },
        };
        self.close(lexer)?;
        self.push_app(head, start);
        Ok(Step::Opened)
    }

    /// `((_ re.loop n) r)`, at the closing parenthesis of the head.
    #[cold]
    fn open_unbounded_loop(
        &mut self,
        terms: &mut Terms,
        lexer: &mut Lexer<'_>,
        low: u32,
        start: usize,
    ) -> Result<Step> {
        self.close(lexer)?;
        let token = lexer.next()?;
        let inside = lexer.token_start;
        let end = match token {
            Token::Open if lexer.skip_expression(inside) => lexer.position(),
            Token::Symbol(..) => lexer.position(),
            token => return Err(expected(lexer, "a regular expression", token)),
        };
        // One argument, read by itself: a reader of its own stack keeps this rare form out of the main loop.
        let saved = std::mem::take(&mut self.stack);
        let argument = self.read_term(terms, &lexer.source()[inside..end]);
        self.stack = saved;
        let argument = argument
            .map_err(|e| Error { span: Span::new(e.span.start + inside, e.span.end + inside), ..e })?;
        self.close(lexer)?;
        at_least(terms, low, argument)
            .map(Step::Value)
            .map_err(sort_error(Span::new(start, lexer.position())))
    }

    /// The name in `(_ name`, which may be a reserved-looking one such as `+oo`.
    fn index_name(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<(Symbol, Span)> {
        match lexer.next()? {
            Token::Symbol(name, _) => Ok((terms.symbol(name), lexer.span())),
            token => Err(expected(lexer, "an indexed name", token)),
        }
    }

    fn ctor_name(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<CtorId> {
        // cvc5 may print `(_ is (as cons (List Int)))` or a signature `(cons (Int) T)`, as Z3 does.
        let nested = lexer.peek()? == Token::Open;
        if nested {
            lexer.next()?;
            if lexer.peek()? == Token::Symbol("as", false) {
                lexer.next()?;
            }
        }
        let (name, span) = self.symbol(terms, lexer, "the name of a constructor")?;
        if nested {
            loop {
                match lexer.peek()? {
                    Token::Close => break,
                    // A keyword is no part of a sort, and `raw_value` would leave it where it is.
                    token @ Token::Keyword(_) => return Err(expected(lexer, "a sort", token)),
                    _ => self.raw_value(terms, lexer)?,
                };
            }
            self.close(lexer)?;
        }
        match self.resolve(terms, name) {
            Binding::Ctor(ctor) => Ok(ctor),
            _ => Err(Error {
                kind: ErrorKind::Unknown { what: "constructor", name: terms.name(name).into() },
                span,
            }),
        }
    }

    /// `as name sort)`, where it is applied.
    fn as_head(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Head> {
        let (name, span) = self.symbol(terms, lexer, "a name")?;
        let sort = self.sort(terms, lexer)?;
        self.close(lexer)?;
        match self.resolve(terms, name) {
            Binding::Ctor(ctor) => Ok(Head::Ctor(ctor, Some(sort))),
            Binding::Fun(fun) => Ok(Head::Fun(fun)),
            _ if terms.name(name) == "const" => Ok(Head::ConstArray(sort)),
            _ => Err(Error {
                kind: ErrorKind::Unknown { what: "function", name: terms.name(name).into() },
                span,
            }),
        }
    }

    /// `(_ name indices)` or `(as name sort)` as a term, from `_` or `as` to the closing parenthesis.
    fn qualified_term(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<TermId> {
        let start = lexer.position();
        let is_as = lexer.next()? == Token::Symbol("as", false);
        let (mut name, span) = self.index_name(terms, lexer)?;
        if is_as && self.in_model && terms.name(name) == "@" {
            name = self.split_element(terms, lexer)?;
        }
        if is_as {
            let sort = self.sort(terms, lexer)?;
            self.close(lexer)?;
            let span = Span::new(start, lexer.position());
            if let (Binding::Unbound, Some(value)) =
                (self.resolve(terms, name), sorted_literal(terms, terms.name(name), sort))
            {
                return Ok(terms.constant(value));
            }
            return match self.resolve(terms, name) {
                Binding::Ctor(ctor) => terms.construct(ctor, &[], Some(sort)).map_err(sort_error(span)),
                Binding::Term(term) if terms.sort(term) == sort => Ok(term),
                _ if self.in_model => self.model_symbol(terms, lexer, name, Some(sort)),
                _ => Err(Error {
                    kind: ErrorKind::Unknown { what: "constant", name: terms.name(name).into() },
                    span,
                }),
            };
        }
        let text = terms.name(name).to_string();
        if let Some(literal) = self.indexed_literal(terms, lexer, &text)? {
            self.close(lexer)?;
            return Ok(literal);
        }
        if text == "as-array" {
            let (fun, span) = self.symbol(terms, lexer, "the name of a function")?;
            self.close(lexer)?;
            return match self.resolve(terms, fun) {
                Binding::Fun(fun) => terms.as_array(fun).map_err(sort_error(span)),
                _ => Err(Error {
                    kind: ErrorKind::Unknown { what: "function", name: terms.name(fun).into() },
                    span,
                }),
            };
        }
        Err(Error { kind: ErrorKind::Unknown { what: "indexed constant", name: text }, span })
    }
}

/// Annotations and `match`.
impl Reader {
    /// The attributes of the annotation on top of the stack, up to its closing parenthesis.
    fn attributes(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Step> {
        loop {
            match lexer.next()? {
                Token::Keyword(keyword) => {
                    let takes_terms = matches!(keyword, ":pattern" | ":no-pattern");
                    let keyword = terms.symbol(keyword);
                    if takes_terms && lexer.peek()? == Token::Open {
                        lexer.next()?;
                        self.stack.frames.push(Frame::Pattern { keyword, base: self.stack.operands.len() });
                        return Ok(Step::Opened);
                    }
                    let text = self.raw_value(terms, lexer)?;
                    let value = if terms.name(text).is_empty() {
                        AttributeValue::None
                    } else {
                        AttributeValue::Text(text)
                    };
                    self.stack.attributes.push(Attribute { keyword, value });
                }
                Token::Close => break,
                token => return Err(expected(lexer, "a keyword or `)`", token)),
            }
        }
        let Some(Frame::Annotated { base, attributes }) = self.stack.frames.pop() else {
            unreachable!("attributes follow an annotated term")
        };
        let list: Vec<Attribute> = self.stack.attributes.drain(attributes..).collect();
        let operands: Vec<TermId> = self.stack.operands.drain(base..).collect();
        let (&term, patterns) = operands.split_first().expect("the annotated term");
        for attribute in &list {
            if let AttributeValue::Text(text) = attribute.value
                && terms.name(attribute.keyword) == ":named"
            {
                self.bind_named(terms, lexer, text, term)?;
            }
        }
        if list.is_empty() {
            return Ok(Step::Value(term));
        }
        Ok(Step::Value(terms.annotate(term, &list, patterns)))
    }

    /// `:named` makes the name stand for the term from here on.
    fn bind_named(&mut self, terms: &mut Terms, lexer: &Lexer<'_>, text: Symbol, term: TermId) -> Result<()> {
        let name = terms.name(text);
        let name = name.strip_prefix('|').and_then(|n| n.strip_suffix('|')).unwrap_or(name).to_string();
        let name = terms.symbol(&name);
        let fun = terms.define(name, &[], term);
        self.bind_new(terms, name, lexer.span(), fun)
    }

    /// `pattern` of a case, from behind its `(`; its variables come into scope and onto the operand stack.
    fn case_pattern(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>, scrutinee: TermId) -> Result<()> {
        let sort = terms.sort(scrutinee);
        let mut names = Vec::new();
        let ctor = match lexer.next()? {
            Token::Symbol(name, _) => {
                let name = terms.symbol(name);
                match self.resolve(terms, name) {
                    Binding::Ctor(ctor) => Some(ctor),
                    _ => {
                        names.push(name);
                        None
                    }
                }
            }
            Token::Open => {
                let (name, span) = self.symbol(terms, lexer, "a constructor")?;
                let Binding::Ctor(ctor) = self.resolve(terms, name) else {
                    return Err(Error {
                        kind: ErrorKind::Unknown { what: "constructor", name: terms.name(name).into() },
                        span,
                    });
                };
                while lexer.peek()? != Token::Close {
                    // `_` is not reserved here.
                    match lexer.next()? {
                        Token::Symbol(name, _) => names.push(terms.symbol(name)),
                        token => return Err(expected(lexer, "a variable", token)),
                    }
                }
                self.close(lexer)?;
                Some(ctor)
            }
            token => return Err(expected(lexer, "a pattern", token)),
        };
        let mut vars = Vec::new();
        if let Some(ctor) = ctor {
            let fields = terms.ctor(ctor).fields.clone();
            if fields.len() != names.len() {
                return Err(other(
                    lexer,
                    format!(
                        "`{}` has {} fields, the pattern {}",
                        terms.name(terms.ctor(ctor).name),
                        fields.len(),
                        names.len()
                    ),
                ));
            }
            for (&name, field) in names.iter().zip(fields) {
                let sort = terms.field_sort(field, sort).map_err(sort_error(lexer.span()))?;
                vars.push(self.fresh_bound(terms, lexer, name, sort)?);
            }
        } else {
            vars.push(self.fresh_bound(terms, lexer, names[0], sort)?);
        }
        self.bind_locals(terms, &vars);
        self.stack.operands.extend_from_slice(&vars);
        self.stack.cases.push(MatchCase { ctor, vars: vars.len() as u32 });
        Ok(())
    }

    fn finish_match(&mut self, terms: &mut Terms, base: usize, cases: usize, span: Span) -> Result<Step> {
        self.stack.frames.pop();
        let cases: Vec<MatchCase> = self.stack.cases.drain(cases..).collect();
        let args: Vec<TermId> = self.stack.operands.drain(base..).collect();
        let mut at = 1;
        let mut sort = None;
        for case in &cases {
            at += case.vars as usize;
            let found = terms.sort(args[at]);
            if *sort.get_or_insert(found) != found {
                return Err(sort_error(span)(SortError::Other(
                    "the cases of this match have different sorts".into(),
                )));
            }
            at += 1;
        }
        let sort = sort.expect("a match has a case");
        terms.match_node(&cases, &args, sort).map(Step::Value).map_err(sort_error(span))
    }
}

/// The use of a symbol whose declaration failed.
fn faulty(terms: &Terms, lexer: &Lexer<'_>, symbol: Symbol) -> Error {
    Error {
        kind: ErrorKind::FaultyDeclaration(crate::lexer::shorten(terms.name(symbol))),
        span: lexer.span(),
    }
}
