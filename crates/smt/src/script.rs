//! Scripts: sequences of commands over an arena. Owns the list of SMT-LIB's commands; unknown ones are kept as text
//! so that nothing a file says is lost.

use crate::error::Span;
use crate::sort::{DatatypeId, SortId};
use crate::symbol::Symbol;
use crate::term::{FunId, TermId};

/// A command of a script, with its terms in the arena.
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

/// What a command is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CommandClass {
    /// Says something about the script or the solver: logic, options, information.
    Setting,
    /// Declares or defines a sort, a datatype or a function.
    Declaration,
    /// Asserts a term.
    Assertion,
    /// Opens or closes a scope, or drops what was asserted.
    Scope,
    /// Asks whether what is asserted is satisfiable.
    Query,
    /// Has something printed, and changes nothing.
    Output,
    /// Ends the script.
    Exit,
    /// A command that this crate does not know.
    Unknown,
}

impl Command {
    /// What the command is for.
    pub fn class(&self) -> CommandClass {
        match self {
            Command::SetLogic(_) | Command::SetOption(..) | Command::SetInfo(..) => CommandClass::Setting,
            Command::DeclareSort(..)
            | Command::DefineSort(..)
            | Command::DeclareFun(_)
            | Command::DeclareConst(_)
            | Command::DefineFun(_)
            | Command::DefineConst(_)
            | Command::DefineFunsRec(_)
            | Command::DeclareDatatypes(_) => CommandClass::Declaration,
            Command::Assert(_) => CommandClass::Assertion,
            Command::CheckSat | Command::CheckSatAssuming(_) => CommandClass::Query,
            Command::Push(_) | Command::Pop(_) | Command::Reset | Command::ResetAssertions => {
                CommandClass::Scope
            }
            Command::GetValue(_)
            | Command::GetModel
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions
            | Command::GetAssertions
            | Command::GetAssignment
            | Command::GetProof
            | Command::GetInfo(_)
            | Command::GetOption(_)
            | Command::Echo(_) => CommandClass::Output,
            Command::Exit => CommandClass::Exit,
            Command::Other(_) => CommandClass::Unknown,
        }
    }

    /// Whether the command is a query: `check-sat` or `check-sat-assuming`.
    pub fn is_query(&self) -> bool {
        self.class() == CommandClass::Query
    }

    /// The functions that the command declares or defines.
    pub fn functions(&self) -> &[FunId] {
        match self {
            Command::DeclareFun(fun)
            | Command::DeclareConst(fun)
            | Command::DefineFun(fun)
            | Command::DefineConst(fun) => std::slice::from_ref(fun),
            Command::DefineFunsRec(funs) => funs,
            _ => &[],
        }
    }

    /// The command's name in the language. Where two commands became one, it is the shorter one's.
    pub fn name(&self) -> &'static str {
        match self {
            Command::SetLogic(_) => "set-logic",
            Command::SetOption(..) => "set-option",
            Command::SetInfo(..) => "set-info",
            Command::DeclareSort(..) => "declare-sort",
            Command::DefineSort(..) => "define-sort",
            Command::DeclareFun(_) => "declare-fun",
            Command::DeclareConst(_) => "declare-const",
            Command::DefineFun(_) => "define-fun",
            Command::DefineConst(_) => "define-const",
            Command::DefineFunsRec(_) => "define-fun-rec",
            Command::DeclareDatatypes(_) => "declare-datatypes",
            Command::Assert(_) => "assert",
            Command::CheckSat => "check-sat",
            Command::CheckSatAssuming(_) => "check-sat-assuming",
            Command::Push(_) => "push",
            Command::Pop(_) => "pop",
            Command::GetValue(_) => "get-value",
            Command::GetModel => "get-model",
            Command::GetUnsatCore => "get-unsat-core",
            Command::GetUnsatAssumptions => "get-unsat-assumptions",
            Command::GetAssertions => "get-assertions",
            Command::GetAssignment => "get-assignment",
            Command::GetProof => "get-proof",
            Command::GetInfo(_) => "get-info",
            Command::GetOption(_) => "get-option",
            Command::Echo(_) => "echo",
            Command::Reset => "reset",
            Command::ResetAssertions => "reset-assertions",
            Command::Exit => "exit",
            Command::Other(_) => "(unknown)",
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Terms, read_script};

    #[test]
    fn commands_have_classes_and_names() {
        let source = "(set-logic ALL)(set-option :produce-models true)(declare-sort T 0)(declare-fun f (Int) Int)\
            (declare-const c Int)(define-fun g () Int 1)(push 1)(assert (= c 1))(check-sat)\
            (check-sat-assuming (true))(get-model)(get-value (c))(echo \"x\")(pop 1)(reset)(minimize c)(exit)";
        let mut terms = Terms::new();
        let script = read_script(&mut terms, source).script;
        let seen: Vec<(&str, CommandClass)> =
            script.commands.iter().map(|command| (command.name(), command.class())).collect();
        use CommandClass::*;
        let expected = [
            ("set-logic", Setting),
            ("set-option", Setting),
            ("declare-sort", Declaration),
            ("declare-fun", Declaration),
            ("declare-const", Declaration),
            ("define-fun", Declaration),
            ("push", Scope),
            ("assert", Assertion),
            ("check-sat", Query),
            ("check-sat-assuming", Query),
            ("get-model", Output),
            ("get-value", Output),
            ("echo", Output),
            ("pop", Scope),
            ("reset", Scope),
            ("(unknown)", Unknown),
            ("exit", Exit),
        ];
        assert_eq!(seen, expected);
        assert_eq!(script.commands.iter().map(|command| command.functions().len()).sum::<usize>(), 3);
    }
}
