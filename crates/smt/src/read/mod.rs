//! Reading: SMT-LIB text to sort-checked terms and scripts in one pass. Owns scopes (which name means what where)
//! and the commands; terms, sorts and datatypes have files of their own here. Nothing recurses on the input.

mod datatypes;
mod literal;
mod sorts;
mod terms;

use crate::error::{Error, ErrorKind, Span};
use crate::float::RoundingMode;
use crate::lexer::{Lexer, Token};
use crate::op::{ALIASES, Op, TABLE};
use crate::script::{Command, Script};
use crate::sort::{DatatypeId, SortId};
use crate::sortcheck::SortError;
use crate::symbol::Symbol;
use crate::term::{CtorId, FieldId, FunId, TermId, Terms};
use crate::value::Value;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use terms::TermStack;

/// Which generation of the language a text is written in. Names of both are always read; what differs is what a
/// backslash in a string means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// SMT-LIB 2.6 and 2.7: `str.to_int`, `\u{41}`.
    #[default]
    V26,
    /// The 2.5-era string names of older Z3 and CVC4: `str.to.int`, `\x41`.
    V25,
    /// The names of 2.6; in literals C's escape sequences are read beside `\u{41}`: Z3 4.8.9 and 4.8.10.
    V26Both,
    /// SMT-LIB 2.6 as Z3 4.8.11 and 4.8.12 write it: a backslash before `u` is printed as it is, so that a literal with `\u` in
    /// what the solver prints can mean two strings. [`crate::model::read_model`] refuses those.
    V26Raw,
    /// SMT-LIB 2.6 with Z3's names for finite sets: `(FiniteSet Int)`, `set.in`, `set.size` where cvc5 has `(Set Int)`,
    /// `set.member`, `set.card`.
    V26FiniteSets,
}

/// What a symbol means where a term may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Binding {
    /// Not looked up yet in the tables.
    Unresolved,
    /// Nothing.
    Unbound,
    /// Its declaration had an error, which was reported; what uses it is not worth another message.
    Poisoned,
    Reserved(Reserved),
    /// A constant, a bound variable or what `let` stands for.
    Term(TermId),
    Fun(FunId),
    /// Rows of the operator table.
    Ops(u16, u16),
    Ctor(CtorId),
    Field(FieldId),
    /// The older way to write a tester, `is-cons`.
    Tester(CtorId),
}

/// Words that start a special form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reserved {
    Let,
    Forall,
    Exists,
    Lambda,
    Match,
    Annotation,
    Underscore,
    As,
    Par,
}

static RESERVED: &[(&str, Reserved)] = &[
    ("let", Reserved::Let),
    ("forall", Reserved::Forall),
    ("exists", Reserved::Exists),
    ("lambda", Reserved::Lambda),
    ("match", Reserved::Match),
    ("!", Reserved::Annotation),
    ("_", Reserved::Underscore),
    ("as", Reserved::As),
    ("par", Reserved::Par),
];

/// Whether a name is a reserved word, which only bars make a symbol. `lambda` became one in SMT-LIB 2.7, and older files
/// declare functions of that name.
pub(crate) fn is_reserved(name: &str) -> bool {
    name != "lambda" && RESERVED.iter().any(|(word, _)| *word == name)
        || matches!(name, "BINARY" | "DECIMAL" | "HEXADECIMAL" | "NUMERAL" | "STRING")
}

/// What a symbol means where a sort may stand.
#[derive(Clone, Debug)]
enum SortBinding {
    Declared(u32),
    Defined(Box<[Symbol]>, SortId),
    Datatype(DatatypeId),
    Parameter,
}

/// The outcome of reading a text: what could be read, and everything that was wrong.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The commands without errors.
    pub script: Script,
    /// The errors in the order of the text.
    pub errors: Vec<Error>,
    /// The commands that are missing in the script, in the order of the text. Not each has an error of its own: what uses a
    /// symbol whose declaration was wrong is not worth a message.
    pub lost: Vec<Lost>,
}

/// A command that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// Where it starts.
    pub at: usize,
    /// Its name, as far as it has one.
    pub name: String,
}

/// How many errors one text may collect before reading stops.
const MAX_ERRORS: usize = 100;

/// A reader with its scopes. It can be kept and given one command after the other, as a solver does.
#[derive(Clone, Debug)]
pub struct Reader {
    bindings: Vec<Binding>,
    sorts: HashMap<Symbol, SortBinding, FxBuildHasher>,
    /// What declarations hid, for `pop`; in front of the first level, what `reset-assertions` leaves behind.
    undo: Vec<Undo>,
    /// Symbols and sorts from before a `reset-assertions`. The standard takes them back; Z3 keeps them, and scripts rely on either.
    /// So they mean what they meant until something declares them anew.
    left_symbols: HashSet<Symbol, FxBuildHasher>,
    left_sorts: HashSet<Symbol, FxBuildHasher>,
    /// Where each assertion level starts in `undo`.
    levels: Vec<usize>,
    global_declarations: bool,
    numerals_are_real: bool,
    dialect: Dialect,
    dialect_is_fixed: bool,
    in_model: bool,
    stack: TermStack,
}

#[derive(Clone, Debug)]
enum Undo {
    Symbol(Symbol, Binding),
    Sort(Symbol, Option<SortBinding>),
}

impl Default for Reader {
    fn default() -> Self {
        Reader::new()
    }
}

type Result<T, E = Error> = std::result::Result<T, E>;

/// Reads a whole script.
pub fn read_script(terms: &mut Terms, source: &str) -> Reading {
    Reader::new().read(terms, source)
}

/// Reads a whole script from bytes, which may not be text.
pub fn read_bytes(terms: &mut Terms, bytes: &[u8]) -> Reading {
    match std::str::from_utf8(bytes) {
        Ok(source) => read_script(terms, source),
        Err(error) => {
            let at = error.valid_up_to();
            let wrong =
                Error { kind: ErrorKind::Encoding, span: Span::new(at, at + error.error_len().unwrap_or(1)) };
            Reading { errors: vec![wrong], ..Reading::default() }
        }
    }
}

impl Reader {
    /// A reader with nothing declared.
    pub fn new() -> Reader {
        Reader {
            bindings: Vec::new(),
            sorts: HashMap::default(),
            undo: Vec::new(),
            left_symbols: HashSet::default(),
            left_sorts: HashSet::default(),
            levels: Vec::new(),
            global_declarations: false,
            numerals_are_real: false,
            dialect: Dialect::V26,
            dialect_is_fixed: false,
            in_model: false,
            stack: TermStack::default(),
        }
    }

    /// A reader for one dialect, whatever `:smt-lib-version` says.
    pub fn with_dialect(dialect: Dialect) -> Reader {
        Reader { dialect, dialect_is_fixed: true, ..Reader::new() }
    }

    /// The dialect in force.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Makes the reader accept what only models hold: values of uninterpreted sorts, `root-obj`, lambdas for arrays.
    pub(crate) fn for_model(&self) -> Reader {
        Reader { in_model: true, ..self.clone() }
    }

    /// Reads commands to the end of the text, each in the scopes that the ones before it left.
    pub fn read(&mut self, terms: &mut Terms, source: &str) -> Reading {
        let mut reading = Reading::default();
        let mut lexer = Lexer::new(source);
        terms.reserve_for_text(source.len());
        loop {
            match self.command(terms, &mut lexer, &mut reading) {
                Ok(true) => {}
                Ok(false) => return reading,
                Err(error) => {
                    reading.errors.push(error);
                    if reading.errors.len() >= MAX_ERRORS {
                        let kind = ErrorKind::Other(format!(
                            "too many errors ({MAX_ERRORS}), the rest of the text is not read"
                        ));
                        reading.errors.push(Error { kind, span: lexer.span() });
                        return reading;
                    }
                }
            }
        }
    }

    /// Reads one term in the current scopes.
    pub fn read_term(&mut self, terms: &mut Terms, source: &str) -> Result<TermId> {
        let mut lexer = Lexer::new(source);
        let term = self.term(terms, &mut lexer)?;
        match lexer.next()? {
            Token::End => Ok(term),
            token => Err(expected(&lexer, "the end of the term", token)),
        }
    }

    /// Reads one sort in the current scopes.
    pub fn read_sort(&mut self, terms: &mut Terms, source: &str) -> Result<SortId> {
        self.sort(terms, &mut Lexer::new(source))
    }

    /// Declares a function that the caller made, as `declare-fun` would.
    pub fn declare(&mut self, terms: &mut Terms, fun: FunId) {
        let name = terms.fun(fun).name;
        let binding = self.fun_binding(terms, fun);
        self.bind_declared(terms, name, binding);
    }

    /// The function or constant that a name stands for, if it does for one.
    pub(crate) fn declared(&mut self, terms: &mut Terms, name: Symbol) -> Option<FunId> {
        match self.resolve(terms, name) {
            Binding::Fun(fun) => Some(fun),
            Binding::Term(term) => terms.as_fun(term).filter(|_| terms.op(term) == Op::Apply),
            _ => None,
        }
    }

    /// Makes a name mean an element of a sort's universe.
    pub(crate) fn bind_element(&mut self, terms: &mut Terms, name: Symbol, element: TermId) {
        self.bind_declared(terms, name, Binding::Term(element));
    }

    /// One command; false at the end of the text. On an error the lexer stands behind the command.
    fn command(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>, reading: &mut Reading) -> Result<bool> {
        match lexer.next()? {
            Token::End => return Ok(false),
            Token::Open => {}
            token => return Err(expected(lexer, "a command, starting with `(`", token)),
        }
        let start = lexer.token_start;
        match self.command_body(terms, lexer, start) {
            Ok(command) => {
                reading.script.commands.push(command);
                reading.script.spans.push(Span::new(start, lexer.position()));
                Ok(true)
            }
            Err(error) => {
                self.stack.reset();
                self.unwind_locals();
                let complete = lexer.skip_expression(start);
                self.poison_declared(terms, lexer, start);
                reading.lost.push(Lost { at: start, name: command_name(&lexer.source()[start..]) });
                if error.is_consequence() {
                    return Ok(true);
                }
                if !complete && !matches!(error.kind, ErrorKind::Truncated { .. }) {
                    reading.errors.push(error);
                    let kind = ErrorKind::Truncated { inside: "a command", expected: "`)`".into() };
                    return Err(Error { kind, span: Span::new(start, start + 1) });
                }
                Err(error)
            }
        }
    }

    /// After an error in a declaration its name is known, but nothing that uses it is worth a message.
    fn poison_declared(&mut self, terms: &mut Terms, lexer: &Lexer<'_>, start: usize) {
        let mut again = Lexer::new(&lexer.source()[start..]);
        let mut next = || again.next().ok();
        let (Some(Token::Open), Some(Token::Symbol(head, _)), Some(Token::Symbol(name, _))) =
            (next(), next(), next())
        else {
            return;
        };
        if head.starts_with("declare-") || head.starts_with("define-") {
            let name = terms.symbol(name);
            if matches!(self.resolve(terms, name), Binding::Unbound) {
                self.set_binding(name, Binding::Poisoned);
            }
        }
    }

    fn command_body(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>, start: usize) -> Result<Command> {
        let head = match lexer.next()? {
            Token::Symbol(head, _) => head,
            token => return Err(expected(lexer, "the name of a command", token)),
        };
        let command = match head {
            "assert" => Command::Assert(self.bool_term(terms, lexer)?),
            "declare-fun" => self.declare_fun(terms, lexer)?,
            "declare-const" => {
                let (name, span) = self.symbol(terms, lexer, "the name of a constant")?;
                let sort = self.sort(terms, lexer)?;
                let fun = terms.declare(name, &[], sort);
                self.bind_new(terms, name, span, fun)?;
                Command::DeclareConst(fun)
            }
            "define-fun" => self.define_fun(terms, lexer)?,
            "define-const" => {
                let (name, span) = self.symbol(terms, lexer, "the name of a constant")?;
                let sort = self.sort(terms, lexer)?;
                let body = self.typed_term(terms, lexer, sort)?;
                let fun = terms.define(name, &[], body);
                self.bind_new(terms, name, span, fun)?;
                Command::DefineConst(fun)
            }
            "define-fun-rec" => self.define_funs_rec(terms, lexer, false)?,
            "define-funs-rec" => self.define_funs_rec(terms, lexer, true)?,
            "declare-sort" => {
                let (name, span) = self.symbol(terms, lexer, "the name of a sort")?;
                let arity = match lexer.peek()? {
                    Token::Close => 0,
                    _ => self.numeral(lexer, "the number of parameters")?,
                };
                self.bind_sort(terms, name, span, SortBinding::Declared(arity))?;
                Command::DeclareSort(name, arity)
            }
            "define-sort" => self.define_sort(terms, lexer)?,
            "declare-datatypes" => self.declare_datatypes(terms, lexer)?,
            "declare-datatype" => self.declare_datatype(terms, lexer)?,
            "check-sat" => Command::CheckSat,
            "check-sat-assuming" => Command::CheckSatAssuming(self.term_list(terms, lexer)?),
            "get-value" => Command::GetValue(self.term_list(terms, lexer)?),
            "push" => {
                let n = self.optional_count(lexer)?;
                let mark = self.undo.len();
                if self.levels.len() as u64 + n as u64 > MAX_LEVELS {
                    return Err(other(lexer, format!("more than {MAX_LEVELS} assertion levels")));
                }
                self.levels.extend(std::iter::repeat_n(mark, n as usize));
                Command::Push(n)
            }
            "pop" => {
                let n = self.optional_count(lexer)?;
                if n as usize > self.levels.len() {
                    return Err(other(
                        lexer,
                        format!("cannot pop {n} of {} assertion levels", self.levels.len()),
                    ));
                }
                for _ in 0..n {
                    self.pop_level();
                }
                Command::Pop(n)
            }
            "set-logic" => {
                let (logic, _) = self.symbol(terms, lexer, "the name of a logic")?;
                self.numerals_are_real = logic_has_only_reals(terms.name(logic));
                Command::SetLogic(logic)
            }
            "set-option" => {
                let (keyword, value) = self.attribute(terms, lexer)?;
                if terms.name(keyword) == ":global-declarations" {
                    self.global_declarations = terms.name(value) == "true";
                }
                Command::SetOption(keyword, value)
            }
            "set-info" => {
                let (keyword, value) = self.attribute(terms, lexer)?;
                if terms.name(keyword) == ":smt-lib-version" && !self.dialect_is_fixed {
                    self.dialect =
                        if matches!(terms.name(value), "2.0" | "2.5") { Dialect::V25 } else { Dialect::V26 };
                }
                Command::SetInfo(keyword, value)
            }
            "get-info" => Command::GetInfo(self.keyword(terms, lexer)?),
            "get-option" => Command::GetOption(self.keyword(terms, lexer)?),
            "echo" => match lexer.next()? {
                Token::String(_) => {
                    Command::Echo(terms.symbol(&lexer.source()[lexer.token_start..lexer.position()]))
                }
                token => return Err(expected(lexer, "a string", token)),
            },
            "get-model" => Command::GetModel,
            "get-unsat-core" => Command::GetUnsatCore,
            "get-unsat-assumptions" => Command::GetUnsatAssumptions,
            "get-assertions" => Command::GetAssertions,
            "get-assignment" => Command::GetAssignment,
            "get-proof" => Command::GetProof,
            "reset-assertions" => {
                while !self.levels.is_empty() {
                    self.pop_level();
                }
                for undo in self.undo.drain(..) {
                    match undo {
                        Undo::Symbol(name, _) => self.left_symbols.insert(name),
                        Undo::Sort(name, _) => self.left_sorts.insert(name),
                    };
                }
                Command::ResetAssertions
            }
            "reset" => {
                *self = Reader {
                    dialect: self.dialect,
                    dialect_is_fixed: self.dialect_is_fixed,
                    ..Reader::new()
                };
                Command::Reset
            }
            "exit" => Command::Exit,
            _ => {
                if !lexer.skip_expression(start) {
                    let kind = ErrorKind::Truncated { inside: "a command", expected: "`)`".into() };
                    return Err(Error { kind, span: Span::new(start, start + 1) });
                }
                return Ok(Command::Other(terms.symbol(&lexer.source()[start..lexer.position()])));
            }
        };
        self.close(lexer)?;
        Ok(command)
    }

    fn optional_count(&mut self, lexer: &mut Lexer<'_>) -> Result<u32> {
        match lexer.peek()? {
            Token::Close => Ok(1),
            _ => self.numeral(lexer, "a number of assertion levels"),
        }
    }

    fn declare_fun(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Command> {
        let (name, span) = self.symbol(terms, lexer, "the name of a function")?;
        let params = self.sort_list(terms, lexer)?;
        let result = self.sort(terms, lexer)?;
        let fun = terms.declare(name, &params, result);
        self.bind_new(terms, name, span, fun)?;
        Ok(Command::DeclareFun(fun))
    }

    fn define_fun(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Command> {
        let (name, span) = self.symbol(terms, lexer, "the name of a function")?;
        let vars = self.sorted_vars(terms, lexer)?;
        let result = self.sort(terms, lexer)?;
        let body = self.typed_term(terms, lexer, result)?;
        self.unwind_locals();
        let fun = terms.define(name, &vars, body);
        self.bind_new(terms, name, span, fun)?;
        Ok(Command::DefineFun(fun))
    }

    /// One or several recursive functions. A function that an earlier text defined in the same words is the same
    /// function, which shows only once its body is read: hence a second reading where it is not.
    fn define_funs_rec(
        &mut self,
        terms: &mut Terms,
        lexer: &mut Lexer<'_>,
        several: bool,
    ) -> Result<Command> {
        let start = *lexer;
        let (funs, same) = self.recursive_bodies(terms, lexer, several, true)?;
        if same {
            return Ok(Command::DefineFunsRec(funs));
        }
        *lexer = start;
        let (funs, _) = self.recursive_bodies(terms, lexer, several, false)?;
        Ok(Command::DefineFunsRec(funs))
    }

    fn recursive_bodies(
        &mut self,
        terms: &mut Terms,
        lexer: &mut Lexer<'_>,
        several: bool,
        reuse: bool,
    ) -> Result<(Box<[FunId]>, bool)> {
        let mut signatures = Vec::new();
        if several {
            self.open(lexer)?;
            while lexer.peek()? != Token::Close {
                self.open(lexer)?;
                signatures.push(self.recursive_signature(terms, lexer)?);
                self.close(lexer)?;
            }
            self.close(lexer)?;
        } else {
            signatures.push(self.recursive_signature(terms, lexer)?);
        }
        let (mut any_known, mut all_known) = (false, true);
        let mut funs = Vec::new();
        for (name, vars, result) in &signatures {
            let params: Vec<SortId> = vars.iter().map(|&v| terms.sort(v)).collect();
            let known = if reuse { terms.find_recursive(*name, &params, *result) } else { None };
            any_known |= known.is_some();
            all_known &= known.is_some();
            let fun = known.unwrap_or_else(|| terms.declare_recursive(*name, &params, *result));
            let binding = self.fun_binding(terms, fun);
            self.bind_declared(terms, *name, binding);
            funs.push(fun);
        }
        if several {
            self.open(lexer)?;
        }
        let mut same = all_known;
        for ((_, vars, result), &fun) in signatures.iter().zip(&funs) {
            self.bind_locals(terms, vars);
            let body = self.typed_term(terms, lexer, *result)?;
            self.unwind_locals();
            match &terms.fun(fun).definition {
                Some(known) => same &= *known.vars == **vars && known.body == body,
                None => terms.set_definition(fun, vars, body),
            }
        }
        if several {
            self.close(lexer)?;
        }
        Ok((funs.into(), !any_known || same))
    }

    fn recursive_signature(
        &mut self,
        terms: &mut Terms,
        lexer: &mut Lexer<'_>,
    ) -> Result<(Symbol, Vec<TermId>, SortId)> {
        let (name, _) = self.symbol(terms, lexer, "the name of a function")?;
        let vars = self.sorted_vars(terms, lexer)?;
        self.unwind_locals();
        Ok((name, vars, self.sort(terms, lexer)?))
    }
}

/// More assertion levels than this are an error in the text.
const MAX_LEVELS: u64 = 1 << 20;

/// In logics over the reals alone a numeral is a real.
fn logic_has_only_reals(logic: &str) -> bool {
    let name = logic.strip_prefix("HO_").unwrap_or(logic);
    let name = name.strip_prefix("QF_").unwrap_or(name);
    (name.ends_with("RA") || name.ends_with("RDL") || name.ends_with("RAT"))
        && !name.ends_with("IRA")
        && !name.ends_with("IRAT")
}

/// Scopes.
impl Reader {
    #[inline]
    fn resolve(&mut self, terms: &mut Terms, name: Symbol) -> Binding {
        match self.bindings.get(name.index()) {
            Some(&binding) if binding != Binding::Unresolved => binding,
            _ => self.look_up(terms, name),
        }
    }

    /// What a name means before anything is declared.
    #[cold]
    fn look_up(&mut self, terms: &mut Terms, name: Symbol) -> Binding {
        let text = terms.name(name);
        let binding = if let Some(rows) = Op::by_name(text) {
            Binding::Ops(rows[0].op as u16, rows.len() as u16)
        } else if let Some((_, word)) = RESERVED.iter().find(|(word, _)| *word == text) {
            Binding::Reserved(*word)
        } else if let Some((_, op)) = ALIASES.iter().find(|(alias, _)| *alias == text) {
            Binding::Ops(*op as u16, 1)
        } else if text == "true" {
            Binding::Term(TermId::TRUE)
        } else if text == "false" {
            Binding::Term(TermId::FALSE)
        } else if let Some(mode) =
            RoundingMode::ALL.into_iter().find(|m| m.short_name() == text || m.long_name() == text)
        {
            Binding::Term(terms.constant(Value::Rm(mode)))
        } else {
            Binding::Unbound
        };
        self.set_binding(name, binding);
        binding
    }

    fn set_binding(&mut self, name: Symbol, binding: Binding) -> Binding {
        if name.index() >= self.bindings.len() {
            self.bindings.resize(name.index() + 1, Binding::Unresolved);
        }
        std::mem::replace(&mut self.bindings[name.index()], binding)
    }

    fn bind_declared(&mut self, terms: &mut Terms, name: Symbol, binding: Binding) {
        self.resolve(terms, name);
        let old = self.set_binding(name, binding);
        if !self.global_declarations {
            self.undo.push(Undo::Symbol(name, old));
        }
    }

    fn fun_binding(&mut self, terms: &mut Terms, fun: FunId) -> Binding {
        if terms.fun(fun).params.is_empty() {
            Binding::Term(terms.apply(fun, &[]).expect("a constant takes no arguments"))
        } else {
            Binding::Fun(fun)
        }
    }

    /// Binds a function that must be new, unless it hides an operator of the tables (files define their own `abs`).
    fn bind_new(&mut self, terms: &mut Terms, name: Symbol, span: Span, fun: FunId) -> Result<()> {
        match self.resolve(terms, name) {
            Binding::Unbound | Binding::Poisoned | Binding::Ops(..) | Binding::Reserved(Reserved::Lambda) => {
            }
            _ if self.in_model || self.left_symbols.remove(&name) => {}
            _ => return Err(Error { kind: ErrorKind::Redeclared(terms.name(name).into()), span }),
        }
        let binding = self.fun_binding(terms, fun);
        self.bind_declared(terms, name, binding);
        Ok(())
    }

    fn bind_sort(&mut self, terms: &Terms, name: Symbol, span: Span, binding: SortBinding) -> Result<()> {
        let is_taken = self.sorts.contains_key(&name) && !self.in_model && !self.left_sorts.remove(&name);
        if sorts::is_builtin(terms.name(name)) || is_taken {
            return Err(Error { kind: ErrorKind::Redeclared(terms.name(name).into()), span });
        }
        let old = self.sorts.insert(name, binding);
        if !self.global_declarations {
            self.undo.push(Undo::Sort(name, old));
        }
        Ok(())
    }

    fn pop_level(&mut self) {
        let mark = self.levels.pop().unwrap_or(0);
        for undo in self.undo.drain(mark..).rev() {
            match undo {
                Undo::Symbol(name, binding) => self.bindings[name.index()] = binding,
                Undo::Sort(name, Some(binding)) => {
                    self.sorts.insert(name, binding);
                }
                Undo::Sort(name, None) => {
                    self.sorts.remove(&name);
                }
            }
        }
    }
}

/// Small pieces of syntax.
impl Reader {
    pub(crate) fn open(&mut self, lexer: &mut Lexer<'_>) -> Result<()> {
        match lexer.next()? {
            Token::Open => Ok(()),
            token => Err(expected(lexer, "`(`", token)),
        }
    }

    fn close(&mut self, lexer: &mut Lexer<'_>) -> Result<()> {
        match lexer.next()? {
            Token::Close => Ok(()),
            token => Err(expected(lexer, "`)`", token)),
        }
    }

    pub(crate) fn symbol(
        &mut self,
        terms: &mut Terms,
        lexer: &mut Lexer<'_>,
        what: &str,
    ) -> Result<(Symbol, Span)> {
        match lexer.next()? {
            Token::Symbol(name, quoted) if quoted || !is_reserved(name) => {
                Ok((terms.symbol(name), lexer.span()))
            }
            token => Err(expected(lexer, what, token)),
        }
    }

    fn numeral(&mut self, lexer: &mut Lexer<'_>, what: &str) -> Result<u32> {
        match lexer.next()? {
            Token::Numeral(digits) => {
                digits.parse().map_err(|_| literal_error(lexer, format!("{what} must be below 2^32")))
            }
            token => Err(expected(lexer, what, token)),
        }
    }

    fn keyword(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Symbol> {
        match lexer.next()? {
            Token::Keyword(keyword) => Ok(terms.symbol(keyword)),
            token => Err(expected(lexer, "a keyword such as :status", token)),
        }
    }

    /// A keyword and the text of its value, which may be missing.
    fn attribute(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<(Symbol, Symbol)> {
        let keyword = self.keyword(terms, lexer)?;
        Ok((keyword, self.raw_value(terms, lexer)?))
    }

    /// The text of the next s-expression, or nothing before `)` or another keyword.
    fn raw_value(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Symbol> {
        match lexer.peek()? {
            Token::Close | Token::Keyword(_) => return Ok(terms.symbol("")),
            _ => {}
        }
        let token = lexer.next()?;
        let start = lexer.token_start;
        if token == Token::End {
            return Err(expected(lexer, "a value", token));
        }
        if token == Token::Open && !lexer.skip_expression(start) {
            let kind = ErrorKind::Truncated { inside: "an attribute", expected: "`)`".into() };
            return Err(Error { kind, span: Span::new(start, start + 1) });
        }
        Ok(terms.symbol(&lexer.source()[start..lexer.position()]))
    }

    fn bool_term(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<TermId> {
        self.typed_term(terms, lexer, SortId::BOOL)
    }

    /// A term of a given sort; an integer is made a real where one is wanted.
    pub(crate) fn typed_term(
        &mut self,
        terms: &mut Terms,
        lexer: &mut Lexer<'_>,
        sort: SortId,
    ) -> Result<TermId> {
        lexer.peek()?;
        let mut start = *lexer;
        let term = self.term(terms, lexer)?;
        let term = if sort == SortId::REAL { terms.to_real(term) } else { term };
        if terms.sort(term) == sort {
            return Ok(term);
        }
        start.next()?;
        let print = |s| crate::print::sort_to_string(terms, s);
        let kind = ErrorKind::Expected {
            expected: format!("a term of sort {}", print(sort)),
            found: format!("one of sort {}", print(terms.sort(term))),
        };
        Err(Error { kind, span: Span::new(start.token_start, lexer.position()) })
    }

    fn term_list(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Box<[TermId]>> {
        self.open(lexer)?;
        let mut list = Vec::new();
        while lexer.peek()? != Token::Close {
            list.push(self.term(terms, lexer)?);
        }
        self.close(lexer)?;
        Ok(list.into())
    }
}

impl Error {
    /// Whether this only follows from a declaration that had an error of its own.
    fn is_consequence(&self) -> bool {
        matches!(self.kind, ErrorKind::FaultyDeclaration(_))
    }
}

/// The word behind the first parenthesis of a text.
fn command_name(source: &str) -> String {
    let mut lexer = Lexer::new(source);
    match (lexer.next(), lexer.next()) {
        (Ok(Token::Open), Ok(Token::Symbol(name, _))) => name.into(),
        _ => String::new(),
    }
}

fn expected(lexer: &Lexer<'_>, what: impl Into<String>, found: Token<'_>) -> Error {
    let expected = what.into();
    let kind = match found {
        Token::End => ErrorKind::Truncated { inside: "a command", expected },
        _ => ErrorKind::Expected { expected, found: found.describe() },
    };
    Error { kind, span: lexer.span() }
}

fn literal_error(lexer: &Lexer<'_>, message: String) -> Error {
    Error { kind: ErrorKind::Literal(message), span: lexer.span() }
}

fn other(lexer: &Lexer<'_>, message: String) -> Error {
    Error { kind: ErrorKind::Other(message), span: lexer.span() }
}

fn sort_error(span: Span) -> impl FnOnce(SortError) -> Error {
    move |error| Error { kind: ErrorKind::Sort(error), span }
}

fn rows(at: u16, n: u16) -> &'static [crate::op::OpInfo] {
    &TABLE[at as usize..(at + n) as usize]
}
