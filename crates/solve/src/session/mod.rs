//! The SMT-LIB command loop: text in, answers out. It owns what a solver remembers between commands (assertions by level,
//! declarations, options, the last answer) and how answers are written; what is done with the answers is the caller's
//! business, and so is where the text comes from. A command in the wrong place is answered by an error, and the loop goes
//! on (`:error-behavior continued-execution`).

mod answers;
mod check;
mod options;

pub use check::{Answer, Check};
pub use options::SessionSettings;

use crate::cache::Cache;
use crate::engines;
use crate::independence::Independence;
use crate::known_answers::KnownAnswers;
use crate::prepare::Preparation;
use crate::tuning::session::RECLAIMED_AT_ONCE;
use check::Last;
use options::{Channel, Options, Setting};
use smt::error::position;
use smt::{Command, Error, FunId, Reader, Symbol, TermId, Terms};
use std::collections::BTreeMap;

/// What a text was answered with.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The answers, each with its line end; empty for commands that succeed in silence.
    pub text: String,
    /// How many of them are errors.
    pub errors: usize,
    /// What the checks among the commands found.
    pub checks: Vec<Check>,
    /// What belongs on the diagnostic channel, which is standard error unless the text moved it into `text`.
    pub diagnostics: String,
    /// Whether `(exit)` was among the commands.
    pub exit: bool,
}

/// A solver that is talked to.
pub struct Session {
    settings: SessionSettings,
    options: Options,
    terms: Terms,
    reader: Reader,
    engine: KnownAnswers,
    preparation: Preparation,
    /// How many lines the texts so far had.
    lines: usize,
    logic: Option<Symbol>,
    infos: BTreeMap<String, String>,
    assertions: Vec<Assertion>,
    declared: Vec<FunId>,
    levels: Vec<Level>,
    last: Last,
    /// The outermost level at which a command was lost that says what is asserted: until it is popped, nothing is answered.
    doubt: Option<usize>,
    checks: usize,
    /// Whether something was checked since the beginning or the last reset.
    started: bool,
    /// Models that the evaluator did not accept, and partial solutions that were delivered.
    rejected: u64,
    delivered: u64,
    /// Terms beyond this many belong to a level that the last command left.
    left_behind: Option<usize>,
    /// Where such terms begin that were not worth giving back, and how many terms there were then: a level that is opened before
    /// there is another term begins there as well.
    garbage: Option<(usize, usize)>,
    /// What engines counted that were given up.
    retired: Vec<(&'static str, u64)>,
}

/// An assertion in force.
#[derive(Clone, Copy, Debug)]
struct Assertion {
    term: TermId,
    name: Option<Symbol>,
}

/// What was there when a level was pushed.
#[derive(Clone, Copy, Debug)]
struct Level {
    assertions: usize,
    declared: usize,
    /// How many terms there were.
    terms: usize,
}

/// How a single command is answered.
enum Response {
    /// Nothing but `success`, if that is wanted.
    Success,
    /// This text.
    Text(String),
    Unsupported,
    Error(String),
    Check(Box<Check>),
    Exit,
}

impl Session {
    /// A session with nothing asserted. `None` if there is no engine of the name in the settings.
    pub fn new(settings: SessionSettings) -> Option<Session> {
        let options = Options::new(&settings);
        Some(Session {
            engine: stack(&settings, settings.seed)?,
            settings,
            options,
            terms: Terms::new(),
            reader: Reader::new(),
            preparation: Preparation::default(),
            lines: 0,
            logic: None,
            infos: BTreeMap::new(),
            assertions: Vec::new(),
            declared: Vec::new(),
            levels: Vec::new(),
            last: Last::None,
            doubt: None,
            checks: 0,
            started: false,
            rejected: 0,
            delivered: 0,
            left_behind: None,
            garbage: None,
            retired: Vec::new(),
        })
    }

    /// The arena in which the session's terms live.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Executes the commands of a text, which goes on where the last one ended.
    pub fn submit(&mut self, text: &str) -> Reply {
        let reading = self.reader.read(&mut self.terms, text);
        let mut reply = Reply::default();
        let mut errors = reading.errors.iter().peekable();
        let mut lost = reading.lost.iter().peekable();
        for (command, span) in reading.script.commands.iter().zip(&reading.script.spans) {
            while let Some(error) = errors.next_if(|e| e.span.start < span.start) {
                reply.error(&self.place(text, error), &error.kind.to_string());
            }
            while let Some(command) = lost.next_if(|command| command.at < span.start) {
                self.lose(&command.name);
            }
            // The terms of commands that follow in the same text are made already.
            self.left_behind = None;
            self.answer(command, &mut reply);
            if reply.exit {
                return reply;
            }
        }
        for error in errors {
            reply.error(&self.place(text, error), &error.kind.to_string());
        }
        lost.for_each(|command| self.lose(&command.name));
        if reading.script.commands.is_empty() && reading.errors.is_empty() && !is_blank(text) {
            // The reader does not repeat what it said about a declaration, but every command needs an answer.
            let place = self.place_of(text, text.trim_end().len().saturating_sub(1));
            reply.error(&place, "the command uses a symbol whose declaration had an error");
        }
        self.lines += text.bytes().filter(|&b| b == b'\n').count();
        self.reclaim();
        reply
    }

    /// Gives back the terms of levels that were left, and everything that engines and caches know about them, once they are many.
    /// What engines learnt about the levels that stay is lost with it, which is why it is not done for few.
    fn reclaim(&mut self) {
        let Some(kept) = self.left_behind.take() else { return };
        if self.terms.len() < kept + RECLAIMED_AT_ONCE {
            self.garbage = Some((kept, self.terms.len()));
            return;
        }
        self.garbage = None;
        self.retired = self.statistics_of_engines();
        self.preparation = Preparation::default();
        // The name was found when the session was made.
        if let Some(engine) = stack(&self.settings, self.options.seed()) {
            self.engine = engine;
        }
        self.terms.truncate(kept);
    }

    /// Starts anew as `(reset)` does, for another text; lines count from one again. What was learnt from earlier ones stays.
    pub fn restart(&mut self) {
        self.reader = Reader::new();
        self.reset();
        self.lines = 0;
        self.checks = 0;
    }

    /// The same for bytes, which may not be text.
    pub fn submit_bytes(&mut self, bytes: &[u8]) -> Reply {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.submit(text),
            Err(error) => {
                let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                let mut reply = Reply::default();
                self.lose("");
                reply.error(&self.place_of(&before, before.len()), "the text is not UTF-8 here");
                self.lines += bytes.iter().filter(|&&b| b == b'\n').count();
                reply
            }
        }
    }

    /// Takes note that a command could not be read. The error is out, and the standard lets the loop go on; but after an
    /// assertion that is missing, `sat` and `unsat` would be answers to another question.
    fn lose(&mut self, name: &str) {
        let level = match name {
            "push" | "pop" => 0,
            _ if ASKING.iter().any(|word| name.starts_with(word)) => return,
            _ => self.levels.len(),
        };
        self.doubt = Some(self.doubt.map_or(level, |before| before.min(level)));
        self.last = Last::None;
    }

    fn place(&self, text: &str, error: &Error) -> String {
        self.place_of(text, error.span.start)
    }

    fn place_of(&self, text: &str, byte: usize) -> String {
        let place = position(text, byte);
        format!("line {} column {}: ", self.lines + place.line, place.column)
    }

    fn answer(&mut self, command: &Command, reply: &mut Reply) {
        match self.execute(command) {
            Response::Success => {
                if self.options.print_success {
                    reply.text.push_str("success\n");
                }
            }
            Response::Text(text) => {
                reply.text.push_str(&text);
                reply.text.push('\n');
            }
            Response::Unsupported => reply.text.push_str("unsupported\n"),
            Response::Error(message) => reply.error("", &message),
            Response::Check(check) => {
                if self.options.verbosity > 0 {
                    let line = format!(
                        "; check {}: {} by {} in {:.3} s\n",
                        check.number,
                        check.answer.word(),
                        check.engine,
                        check.time.as_secs_f64()
                    );
                    match self.options.diagnostic {
                        Channel::Stdout => reply.text.push_str(&line),
                        Channel::Stderr => reply.diagnostics.push_str(&line),
                    }
                }
                reply.text.push_str(check.answer.word());
                reply.text.push('\n');
                if self.settings.print_models
                    && let Some(model) = &check.model
                {
                    reply.text.push_str(model);
                    reply.text.push('\n');
                }
                reply.checks.push(*check);
            }
            Response::Exit => {
                if self.options.print_success {
                    reply.text.push_str("success\n");
                }
                reply.exit = true;
            }
        }
    }

    /// The table of contents of the loop.
    fn execute(&mut self, command: &Command) -> Response {
        match command {
            Command::SetLogic(logic) => self.set_logic(*logic),
            Command::SetOption(keyword, value) => self.set_option(*keyword, *value),
            Command::SetInfo(keyword, value) => {
                let (keyword, value) = (self.terms.name(*keyword).into(), self.terms.name(*value).into());
                self.infos.insert(keyword, value);
                Response::Success
            }
            Command::DeclareFun(fun) | Command::DeclareConst(fun) => {
                self.declared.push(*fun);
                Response::Success
            }
            // The reader holds what these mean.
            Command::DeclareSort(..)
            | Command::DefineSort(..)
            | Command::DeclareDatatypes(_)
            | Command::DefineFun(_)
            | Command::DefineConst(_)
            | Command::DefineFunsRec(_) => Response::Success,
            Command::Assert(term) => self.assert(*term),
            Command::Push(n) => self.push(*n),
            Command::Pop(n) => self.pop(*n),
            Command::CheckSat => self.check(&[]),
            Command::CheckSatAssuming(assumptions) => self.check(assumptions),
            Command::GetModel => self.get_model(),
            Command::GetValue(list) => self.get_value(list),
            Command::GetUnsatCore => self.get_unsat_core(),
            Command::GetUnsatAssumptions => self.get_unsat_assumptions(),
            Command::GetAssertions => self.get_assertions(),
            Command::GetInfo(keyword) => self.get_info(*keyword),
            Command::GetOption(keyword) => self.get_option(*keyword),
            Command::Echo(text) => Response::Text(self.terms.name(*text).into()),
            Command::Reset => self.reset(),
            Command::ResetAssertions => {
                self.levels.truncate(1);
                if let Some(bottom) = self.levels.pop()
                    && !self.options.global_declarations
                {
                    self.declared.truncate(bottom.declared);
                }
                self.assertions.clear();
                self.doubt = None;
                self.last = Last::None;
                Response::Success
            }
            Command::Exit => Response::Exit,
            Command::GetAssignment => self.get_assignment(),
            Command::GetProof | Command::Other(_) => Response::Unsupported,
        }
    }

    fn set_logic(&mut self, logic: Symbol) -> Response {
        if self.logic.is_some() {
            return Response::Error("the logic is set already".into());
        }
        if !self.assertions.is_empty() || self.started {
            return Response::Error("the logic must be set before the first assertion".into());
        }
        self.logic = Some(logic);
        Response::Success
    }

    fn set_option(&mut self, keyword: Symbol, value: Symbol) -> Response {
        let started = !self.assertions.is_empty() || self.started;
        let (keyword, value) = (self.terms.name(keyword), self.terms.name(value));
        match self.options.set(keyword, value, started) {
            Setting::Done => Response::Success,
            Setting::Reseeded(seed) => {
                // The name was found when the session was made.
                if let Some(engine) = stack(&self.settings, seed) {
                    self.engine = engine;
                }
                Response::Success
            }
            Setting::Unsupported => Response::Unsupported,
            Setting::Wrong(message) => Response::Error(message),
        }
    }

    fn assert(&mut self, term: TermId) -> Response {
        let name = self.label(term);
        self.assertions.push(Assertion { term, name });
        self.last = Last::None;
        Response::Success
    }

    fn push(&mut self, n: u32) -> Response {
        let level = Level {
            assertions: self.assertions.len(),
            declared: self.declared.len(),
            terms: match self.garbage {
                Some((kept, len)) if len == self.terms.len() => kept,
                _ => self.terms.len(),
            },
        };
        self.levels.extend(std::iter::repeat_n(level, n as usize));
        self.last = Last::None;
        Response::Success
    }

    /// The reader refuses to pop more levels than there are.
    fn pop(&mut self, n: u32) -> Response {
        for _ in 0..n {
            let Some(level) = self.levels.pop() else { break };
            self.assertions.truncate(level.assertions);
            self.left_behind = (!self.options.global_declarations).then_some(level.terms);
            if !self.options.global_declarations {
                self.declared.truncate(level.declared);
            }
        }
        self.doubt = self.doubt.filter(|&level| level <= self.levels.len());
        self.last = Last::None;
        Response::Success
    }

    fn reset(&mut self) -> Response {
        self.options = Options::new(&self.settings);
        self.logic = None;
        self.infos.clear();
        self.assertions.clear();
        self.declared.clear();
        self.levels.clear();
        self.doubt = None;
        self.last = Last::None;
        self.started = false;
        Response::Success
    }
}

/// How commands begin that change nothing of what is asserted.
const ASKING: [&str; 6] = ["get-", "check-sat", "echo", "exit", "set-info", "set-option"];

/// The engine of the settings behind what stands in front of all of them.
fn stack(settings: &SessionSettings, seed: u64) -> Option<KnownAnswers> {
    let engine = engines::make(&settings.engine, seed)?;
    let cached = Box::new(Cache::new(engine, settings.cache));
    Some(KnownAnswers::new(Box::new(Independence::new(cached, settings.independence))))
}

fn is_blank(text: &str) -> bool {
    text.lines().all(|line| matches!(line.trim_start().bytes().next(), None | Some(b';')))
}

impl Reply {
    fn error(&mut self, place: &str, message: &str) {
        self.errors += 1;
        self.text.push_str("(error \"");
        self.text.push_str(place);
        self.text.push_str(&message.replace('"', "\"\""));
        self.text.push_str("\")\n");
    }
}
