//! Scripts: sequences of commands over an arena. Owns the list of SMT-LIB's commands; unknown ones are kept as text
//! so that nothing a file says is lost.

use crate::error::Span;
use crate::sort::{DatatypeId, SortId};
use crate::symbol::Symbol;
use crate::term::{FunId, TermId};

/// One command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `(set-logic L)`
    SetLogic(Symbol),
    /// `(set-option :keyword value)`: the keyword and its value as text.
    SetOption(Symbol, Symbol),
    /// `(set-info :keyword value)`: the keyword and its value as text.
    SetInfo(Symbol, Symbol),
    /// `(declare-sort name arity)`
    DeclareSort(Symbol, u32),
    /// `(define-sort name (params) sort)`
    DefineSort(Symbol, Box<[Symbol]>, SortId),
    /// `(declare-fun f (sorts) sort)`
    DeclareFun(FunId),
    /// `(declare-const c sort)`
    DeclareConst(FunId),
    /// `(define-fun f ((x sort)) sort body)`
    DefineFun(FunId),
    /// `(define-const c sort body)`
    DefineConst(FunId),
    /// `(define-fun-rec ...)` for one function, `(define-funs-rec ...)` for several.
    DefineFunsRec(Box<[FunId]>),
    /// `(declare-datatype ...)` or `(declare-datatypes ...)`
    DeclareDatatypes(Box<[DatatypeId]>),
    /// `(assert t)`
    Assert(TermId),
    /// `(check-sat)`
    CheckSat,
    /// `(check-sat-assuming (t ...))`
    CheckSatAssuming(Box<[TermId]>),
    /// `(push n)`
    Push(u32),
    /// `(pop n)`
    Pop(u32),
    /// `(get-value (t ...))`
    GetValue(Box<[TermId]>),
    /// `(get-model)`
    GetModel,
    /// `(get-unsat-core)`
    GetUnsatCore,
    /// `(get-unsat-assumptions)`
    GetUnsatAssumptions,
    /// `(get-assertions)`
    GetAssertions,
    /// `(get-assignment)`
    GetAssignment,
    /// `(get-proof)`
    GetProof,
    /// `(get-info :keyword)`
    GetInfo(Symbol),
    /// `(get-option :keyword)`
    GetOption(Symbol),
    /// `(echo "text")`: the literal as written, with its quotes.
    Echo(Symbol),
    /// `(reset)`
    Reset,
    /// `(reset-assertions)`
    ResetAssertions,
    /// `(exit)`
    Exit,
    /// A command that this crate does not know: its whole text.
    Other(Symbol),
}

/// A script: commands, and where each stood in its source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// The commands in order.
    pub commands: Vec<Command>,
    /// As many spans as commands, for scripts that were read.
    pub spans: Vec<Span>,
}

impl Script {
    /// Adds a command that has no source.
    pub fn push(&mut self, command: Command) {
        self.commands.push(command);
        self.spans.push(Span::default());
    }

    /// The logic, if the script sets one.
    pub fn logic(&self) -> Option<Symbol> {
        self.commands.iter().find_map(|c| if let Command::SetLogic(logic) = c { Some(*logic) } else { None })
    }

    /// All asserted terms, whatever the assertion level.
    pub fn assertions(&self) -> impl Iterator<Item = TermId> + '_ {
        self.commands.iter().filter_map(|c| if let Command::Assert(term) = c { Some(*term) } else { None })
    }

    /// All terms that the commands hold.
    pub fn terms(&self) -> Vec<TermId> {
        let mut all = Vec::new();
        for command in &self.commands {
            match command {
                Command::Assert(term) => all.push(*term),
                Command::CheckSatAssuming(terms) | Command::GetValue(terms) => all.extend_from_slice(terms),
                _ => {}
            }
        }
        all
    }

    /// The terms in force at each `check-sat` or `check-sat-assuming`, push and pop followed; the assumptions last.
    pub fn queries(&self) -> Vec<Vec<TermId>> {
        let mut stack: Vec<TermId> = Vec::new();
        let mut marks: Vec<usize> = Vec::new();
        let mut queries = Vec::new();
        for command in &self.commands {
            match command {
                Command::Assert(term) => stack.push(*term),
                Command::Push(n) => marks.extend(std::iter::repeat_n(stack.len(), *n as usize)),
                Command::Pop(n) => {
                    for _ in 0..*n {
                        stack.truncate(marks.pop().unwrap_or(0));
                    }
                }
                Command::CheckSat => queries.push(stack.clone()),
                Command::CheckSatAssuming(assumptions) => {
                    queries.push(stack.iter().chain(assumptions.iter()).copied().collect())
                }
                Command::Reset | Command::ResetAssertions => {
                    stack.clear();
                    marks.clear();
                }
                _ => {}
            }
        }
        queries
    }
}
