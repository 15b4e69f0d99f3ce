//! Printing: sorts, values, terms and scripts as SMT-LIB text that reads back as the same thing. Owns quoting,
//! the dialects' names and the layout of commands; sharing with `let` has a file of its own.

mod layout;
mod printer;
mod share;
mod value;

pub use layout::layout;
pub use printer::Printer;
pub use value::{value_to_string, write_value};

use crate::lexer::is_simple_symbol;
use crate::op::Op;
use crate::read::{Dialect, is_reserved};
use crate::script::{Command, Script};
use crate::sort::{Collection, DatatypeId, FINITE_SET, Sort, SortId};
use crate::symbol::Symbol;
use crate::term::{FunId, TermId, Terms};
pub(crate) use crate::text::put;

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The names and escapes to use.
    pub dialect: Dialect,
    /// Whether common subterms are shared with `let`; without, the text of a DAG can be exponentially long.
    pub share: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style { dialect: Dialect::V26, share: true }
    }
}

/// What the 2.5-era dialect calls some operators.
static NAMES_25: &[(Op, &str)] = &[
    (Op::StrToInt, "str.to.int"),
    (Op::StrFromInt, "int.to.str"),
    (Op::StrInRe, "str.in.re"),
    (Op::StrToRe, "str.to.re"),
    (Op::ReNone, "re.nostr"),
    (Op::RePower, "re.loop"),
];

/// What Z3 calls some operators of finite sets.
static NAMES_FINITE_SETS: &[(Op, &str)] = &[
    (Op::SetMember, "set.in"),
    (Op::SetInter, "set.intersect"),
    (Op::SetMinus, "set.difference"),
    (Op::SetCard, "set.size"),
];

/// The name of an operator in a dialect.
pub fn op_name(op: Op, dialect: Dialect) -> &'static str {
    let own = match dialect {
        Dialect::V26 | Dialect::V26Both | Dialect::V26Raw => return op.name(),
        Dialect::V26FiniteSets => NAMES_FINITE_SETS,
        Dialect::V25 => NAMES_25,
    };
    own.iter().find(|(o, _)| *o == op).map_or(op.name(), |(_, name)| name)
}

/// Writes a name, in bars where it needs them.
pub fn write_symbol(out: &mut String, name: &str) {
    if (is_simple_symbol(name) && !is_reserved(name)) || name.starts_with('|') {
        out.push_str(name);
    } else {
        out.push('|');
        out.push_str(name);
        out.push('|');
    }
}

/// Writes a sort by the names of SMT-LIB 2.6.
pub fn write_sort(out: &mut String, terms: &Terms, sort: SortId) {
    write_sort_in(out, terms, sort, Dialect::V26);
}

/// Writes a sort. Recursion is bounded by the reader's limit on a sort's size.
pub fn write_sort_in(out: &mut String, terms: &Terms, sort: SortId, dialect: Dialect) {
    let list = |out: &mut String, sorts: &[SortId]| {
        for &s in sorts {
            out.push(' ');
            write_sort_in(out, terms, s, dialect);
        }
    };
    let applied = |out: &mut String, name: Symbol, args: &[SortId]| {
        if args.is_empty() {
            return write_symbol(out, terms.name(name));
        }
        out.push('(');
        write_symbol(out, terms.name(name));
        list(out, args);
        out.push(')');
    };
    match terms.sort_of(sort) {
        Sort::Bool => out.push_str("Bool"),
        Sort::Int => out.push_str("Int"),
        Sort::Real => out.push_str("Real"),
        Sort::RoundingMode => out.push_str("RoundingMode"),
        Sort::String => out.push_str("String"),
        Sort::RegLan => out.push_str("RegLan"),
        Sort::BitVec(width) => put(out, format_args!("(_ BitVec {width})")),
        Sort::Float(eb, sb) => put(out, format_args!("(_ FloatingPoint {eb} {sb})")),
        Sort::Array(index, element) => {
            out.push_str("(Array");
            list(out, &[*index, *element]);
            out.push(')');
        }
        Sort::Collection(kind, item) => {
            out.push('(');
            out.push_str(match (kind, dialect) {
                (Collection::Set, Dialect::V26FiniteSets) => FINITE_SET,
                _ => kind.name(),
            });
            list(out, &[*item]);
            out.push(')');
        }
        Sort::FiniteField(order) => put(out, format_args!("(_ FiniteField {order})")),
        Sort::Uninterpreted(name, args) => applied(out, *name, args),
        Sort::Datatype(id, args) => applied(out, terms.datatype(*id).name, args),
        Sort::Function(params, result) => {
            out.push_str("(->");
            list(out, params);
            list(out, &[*result]);
            out.push(')');
        }
        Sort::Parameter(name) => write_symbol(out, terms.name(*name)),
    }
}

/// A sort as text.
pub fn sort_to_string(terms: &Terms, sort: SortId) -> String {
    let mut out = String::new();
    write_sort(&mut out, terms, sort);
    out
}

/// Writes a term as SMT-LIB, shared with `let` if the style says so.
pub fn write_term(out: &mut String, terms: &Terms, term: TermId, style: Style) {
    share::write(out, terms, term, style);
}

/// A term as text in the default style.
pub fn term_to_string(terms: &Terms, term: TermId) -> String {
    let mut out = String::new();
    write_term(&mut out, terms, term, Style::default());
    out
}

/// A script as text, one command a line.
pub fn script_to_string(terms: &Terms, script: &Script, style: Style) -> String {
    let mut out = String::new();
    for command in &script.commands {
        write_command(&mut out, terms, command, style);
        out.push('\n');
    }
    out
}

/// Writes a command as SMT-LIB, without a line end.
pub fn write_command(out: &mut String, terms: &Terms, command: &Command, style: Style) {
    let name = |out: &mut String, symbol: Symbol| write_symbol(out, terms.name(symbol));
    match command {
        Command::SetLogic(logic) => {
            out.push_str("(set-logic ");
            name(out, *logic);
            out.push(')');
        }
        Command::SetOption(keyword, value) => attribute(out, terms, "set-option", *keyword, *value),
        Command::SetInfo(keyword, value) if terms.name(*keyword) == ":smt-lib-version" => {
            // The version says how string literals are to be read, so it must name the dialect that is printed.
            let version = match (style.dialect, terms.name(*value)) {
                (Dialect::V25, "2.6" | "2.7") => "2.5",
                (Dialect::V25, same) => same,
                (_, "2.0" | "2.5") => "2.6",
                (_, same) => same,
            };
            put(out, format_args!("(set-info :smt-lib-version {version})"));
        }
        Command::SetInfo(keyword, value) => attribute(out, terms, "set-info", *keyword, *value),
        Command::DeclareSort(sort, arity) => {
            out.push_str("(declare-sort ");
            name(out, *sort);
            put(out, format_args!(" {arity})"));
        }
        Command::DefineSort(symbol, params, sort) => {
            out.push_str("(define-sort ");
            name(out, *symbol);
            out.push_str(" (");
            for (i, &param) in params.iter().enumerate() {
                out.push_str(if i > 0 { " " } else { "" });
                name(out, param);
            }
            out.push_str(") ");
            write_sort_in(out, terms, *sort, style.dialect);
            out.push(')');
        }
        Command::DeclareFun(fun) => {
            out.push_str("(declare-fun ");
            name(out, terms.fun(*fun).name);
            out.push_str(" (");
            for (i, &param) in terms.fun(*fun).params.iter().enumerate() {
                out.push_str(if i > 0 { " " } else { "" });
                write_sort_in(out, terms, param, style.dialect);
            }
            out.push_str(") ");
            write_sort_in(out, terms, terms.fun(*fun).result, style.dialect);
            out.push(')');
        }
        Command::DeclareConst(fun) => {
            out.push_str("(declare-const ");
            name(out, terms.fun(*fun).name);
            out.push(' ');
            write_sort_in(out, terms, terms.fun(*fun).result, style.dialect);
            out.push(')');
        }
        Command::DefineFun(fun) => {
            out.push_str("(define-fun ");
            write_signature(out, terms, *fun, style.dialect);
            write_body(out, terms, *fun, style);
            out.push(')');
        }
        Command::DefineConst(fun) => {
            out.push_str("(define-const ");
            name(out, terms.fun(*fun).name);
            out.push(' ');
            write_sort_in(out, terms, terms.fun(*fun).result, style.dialect);
            write_body(out, terms, *fun, style);
            out.push(')');
        }
        Command::DefineFunsRec(funs) => match **funs {
            [fun] => {
                out.push_str("(define-fun-rec ");
                write_signature(out, terms, fun, style.dialect);
                write_body(out, terms, fun, style);
                out.push(')');
            }
            _ => {
                out.push_str("(define-funs-rec (");
                for &fun in funs {
                    out.push('(');
                    write_signature(out, terms, fun, style.dialect);
                    out.push(')');
                }
                out.push_str(") (");
                for &fun in funs {
                    write_body(out, terms, fun, style);
                }
                out.push_str("))");
            }
        },
        Command::DeclareDatatypes(ids) => write_datatypes(out, terms, ids, style.dialect),
        Command::Assert(term) => {
            out.push_str("(assert ");
            write_term(out, terms, *term, style);
            out.push(')');
        }
        Command::CheckSat => out.push_str("(check-sat)"),
        Command::CheckSatAssuming(list) => write_terms(out, terms, "check-sat-assuming", list, style),
        Command::GetValue(list) => write_terms(out, terms, "get-value", list, style),
        Command::Push(n) => put(out, format_args!("(push {n})")),
        Command::Pop(n) => put(out, format_args!("(pop {n})")),
        Command::GetModel => out.push_str("(get-model)"),
        Command::GetUnsatCore => out.push_str("(get-unsat-core)"),
        Command::GetUnsatAssumptions => out.push_str("(get-unsat-assumptions)"),
        Command::GetAssertions => out.push_str("(get-assertions)"),
        Command::GetAssignment => out.push_str("(get-assignment)"),
        Command::GetProof => out.push_str("(get-proof)"),
        Command::GetInfo(keyword) => put(out, format_args!("(get-info {})", terms.name(*keyword))),
        Command::GetOption(keyword) => put(out, format_args!("(get-option {})", terms.name(*keyword))),
        Command::Echo(text) => put(out, format_args!("(echo {})", terms.name(*text))),
        Command::Reset => out.push_str("(reset)"),
        Command::ResetAssertions => out.push_str("(reset-assertions)"),
        Command::Exit => out.push_str("(exit)"),
        Command::Other(text) => out.push_str(terms.name(*text)),
    }
}

fn attribute(out: &mut String, terms: &Terms, command: &str, keyword: Symbol, value: Symbol) {
    let (keyword, value) = (terms.name(keyword), terms.name(value));
    let space = if value.is_empty() { "" } else { " " };
    put(out, format_args!("({command} {keyword}{space}{value})"));
}

fn write_terms(out: &mut String, terms: &Terms, command: &str, list: &[TermId], style: Style) {
    put(out, format_args!("({command} ("));
    for (i, &term) in list.iter().enumerate() {
        out.push_str(if i > 0 { " " } else { "" });
        write_term(out, terms, term, style);
    }
    out.push_str("))");
}

/// `name ((x sort) ...) sort`
fn write_signature(out: &mut String, terms: &Terms, fun: FunId, dialect: Dialect) {
    let decl = terms.fun(fun);
    write_symbol(out, terms.name(decl.name));
    out.push_str(" (");
    for (i, &sort) in decl.params.iter().enumerate() {
        out.push_str(if i > 0 { " (" } else { "(" });
        match &decl.definition {
            Some(definition) => {
                write_symbol(out, terms.name(terms.bound_name(definition.vars[i]).expect("a bound variable")))
            }
            None => put(out, format_args!("x!{i}")),
        }
        out.push(' ');
        write_sort_in(out, terms, sort, dialect);
        out.push(')');
    }
    out.push_str(") ");
    write_sort_in(out, terms, decl.result, dialect);
}

fn write_body(out: &mut String, terms: &Terms, fun: FunId, style: Style) {
    out.push(' ');
    let definition = terms.fun(fun).definition.as_ref().expect("a defined function");
    write_term(out, terms, definition.body, style);
}

fn write_datatypes(out: &mut String, terms: &Terms, ids: &[DatatypeId], dialect: Dialect) {
    out.push_str("(declare-datatypes (");
    for &id in ids {
        out.push('(');
        write_symbol(out, terms.name(terms.datatype(id).name));
        put(out, format_args!(" {})", terms.datatype(id).params.len()));
    }
    out.push_str(") (");
    for &id in ids {
        let datatype = terms.datatype(id);
        if !datatype.params.is_empty() {
            out.push_str("(par (");
            for (i, &param) in datatype.params.iter().enumerate() {
                out.push_str(if i > 0 { " " } else { "" });
                write_symbol(out, terms.name(param));
            }
            out.push_str(") ");
        }
        out.push('(');
        for &ctor in &datatype.ctors {
            out.push('(');
            write_symbol(out, terms.name(terms.ctor(ctor).name));
            for &field in &terms.ctor(ctor).fields {
                out.push_str(" (");
                write_symbol(out, terms.name(terms.field(field).name));
                out.push(' ');
                write_sort_in(out, terms, terms.field(field).sort, dialect);
                out.push(')');
            }
            out.push(')');
        }
        out.push_str(if datatype.params.is_empty() { ")" } else { "))" });
    }
    out.push_str("))");
}
