//! What a run did and how it ended, on whatever machine.

use super::input::Object;
use super::site::Site;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What ends a run from outside.
#[derive(Clone, Debug)]
pub struct RunLimits {
    /// Jumps and calls.
    pub fuel: u64,
    /// Entries of a path.
    pub path: usize,
    /// The time.
    pub deadline: Option<Instant>,
    /// Set by an interrupt: runs end at the next check.
    pub stop: Arc<AtomicBool>,
}

impl Default for RunLimits {
    fn default() -> RunLimits {
        RunLimits { fuel: 2_000_000, path: 20_000, deadline: None, stop: Arc::default() }
    }
}

/// A way in which a machine refuses to go on: a trap, an uncaught exception. Machines name their own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fault(&'static str);

impl Fault {
    /// The program gave up by itself.
    pub const ABORT: Fault = Fault::new("abort");
    /// A program in Rust gave up.
    pub(crate) const PANIC: Fault = Fault::new("panic");

    /// A fault whose name is known when the machine is compiled.
    pub const fn new(name: &'static str) -> Fault {
        Fault(name)
    }

    /// A fault whose name a program brings along, such as the class of an exception. Names are kept for good, so they must not
    /// depend on inputs: a message with a value in it does not belong here.
    pub fn named(name: &str) -> Fault {
        static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        let known = names.get(name).copied();
        Fault(known.unwrap_or_else(|| {
            let kept: &'static str = String::leak(name.to_string());
            names.insert(kept);
            kept
        }))
    }

    /// Its name, as reports have it.
    pub fn name(self) -> &'static str {
        self.0
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The program, or the function, returned.
    Returned,
    /// The program exited with a code.
    Exited(u32),
    /// The machine could not go on.
    Fault(Fault),
    /// An assertion failed.
    Assertion,
    /// What must not be reached was.
    Error,
    /// An assumption does not hold.
    Discarded,
    /// A limit was reached.
    Unfinished,
    /// The program asked for something that the machine does not have, by name.
    Unsupported(Fault),
    /// All the fuel of an exploration was used: as far as anybody can tell, the program does not end.
    Hang,
}

impl Ending {
    /// Whether the program did what it should not.
    pub fn is_crash(self) -> bool {
        matches!(self, Ending::Fault(_) | Ending::Assertion | Ending::Error | Ending::Hang)
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ending::Returned => f.write_str("returned"),
            Ending::Exited(code) => write!(f, "exited with {code}"),
            Ending::Fault(fault) => f.write_str(fault.name()),
            Ending::Assertion => f.write_str("assertion failed"),
            Ending::Error => f.write_str("error reached"),
            Ending::Discarded => f.write_str("assumption not met"),
            Ending::Unfinished => f.write_str("unfinished"),
            Ending::Unsupported(what) => write!(f, "unsupported: {}", what.name()),
            Ending::Hang => f.write_str("hang"),
        }
    }
}

/// What a run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// How it ended.
    pub ending: Ending,
    /// The parts of the input that it asked for.
    pub objects: Vec<Object>,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// Where it was at a crash, innermost first.
    pub stack: Vec<Site>,
    /// The jumps and calls that it made.
    pub jumps: u64,
    /// The errors that checks noticed, in order. If the run ended by one, it is the last.
    pub failures: Vec<Failure>,
    /// Texts that it compared with others and found different, in order, each pair once.
    pub compared: Vec<Compared>,
}

/// Two texts that a run compared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// The bytes of the first operand: a text up to its end.
    pub left: Vec<u8>,
    /// Those of the second.
    pub right: Vec<u8>,
    /// How many bytes of them were compared at most.
    pub length: usize,
}

/// Faults that are the same event as an error that was noticed right before: the check saw the operands, the machine the operation.
const CONSEQUENCES: &[(&str, &[&str])] = &[
    ("undefined-division", &["integer overflow", "integer divide by zero"]),
    ("float-cast-overflow", &["integer overflow", "invalid conversion to integer"]),
];

/// An error that checks noticed. A run may go on after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The kind of error.
    pub fault: Fault,
    /// Where, innermost first.
    pub stack: Vec<Site>,
    /// What is known of it.
    pub notes: Vec<Note>,
}

/// A line of a report, and a stack below it, such as where an object came from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// The line.
    pub text: String,
    /// Innermost first.
    pub stack: Vec<Site>,
}

impl Run {
    /// Everything that it did wrong: how a run ends by it, and where, innermost first.
    pub fn crashes(&self) -> impl Iterator<Item = (Ending, &[Site])> {
        let noticed = self.failures.iter().map(|failure| (Ending::Fault(failure.fault), &failure.stack[..]));
        let ended = (self.ending, &self.stack[..]);
        let new =
            self.ending.is_crash() && noticed.clone().next_back() != Some(ended) && !self.is_consequence();
        noticed.chain(new.then_some(ended))
    }

    /// The first thing that it did wrong, if it did: the program may have gone on after it.
    pub fn first_crash(&self) -> Option<Ending> {
        self.crashes().next().map(|(ending, _)| ending)
    }

    /// Whether the machine stopped at an operation whose operands a check complained of, in the same call.
    fn is_consequence(&self) -> bool {
        const DEPTH: usize = 8;
        let around = |stack: &[Site]| stack.iter().skip(1).take(DEPTH).copied().collect::<Vec<_>>();
        let Ending::Fault(fault) = self.ending else { return false };
        // The compiler may end code in `unreachable` wherever its behaviour is undefined.
        let ends_there = fault.name() == "unreachable";
        let follows = |noticed: &str| {
            ends_there || CONSEQUENCES.iter().any(|row| row.0 == noticed && row.1.contains(&fault.name()))
        };
        let mut noticed = self.failures.iter();
        noticed.any(|failure| follows(failure.fault.name()) && around(&failure.stack) == around(&self.stack))
    }

    /// What is known of one of the errors. A program that gives up by itself often says why.
    pub(crate) fn notes(&self, ending: Ending, stack: &[Site]) -> Vec<Note> {
        let same = |failure: &&Failure| Ending::Fault(failure.fault) == ending && failure.stack == stack;
        let mut notes = self.failures.iter().find(same).map_or(Vec::new(), |failure| failure.notes.clone());
        let by_itself =
            [Ending::Assertion, Ending::Fault(Fault::ABORT), Ending::Fault(Fault::PANIC)].contains(&ending);
        if by_itself && ending == self.ending {
            let text = String::from_utf8_lossy(&self.stderr);
            // The calls of an exception's trace are shown as the stack.
            let aside = |line: &str| line.starts_with("note: ") || line.starts_with("\tat ");
            let said = text.lines().filter(|line| !line.trim().is_empty() && !aside(line));
            // A panic's message may take two lines: where, and what. An exception's cause stands behind it.
            let begins =
                |line: &str| line.contains("panicked at") || line.starts_with("Exception in thread ");
            let from = said.clone().position(begins);
            let from = from.unwrap_or_else(|| said.clone().count().saturating_sub(1));
            notes.extend(
                said.skip(from).take(2).map(|line| Note { text: line.to_string(), stack: Vec::new() }),
            );
        }
        notes
    }
}

impl Run {
    /// A run that used all the fuel that an exploration gives to one hangs. A run that was given less, or that was ended by the
    /// clock or an interrupt, is unfinished.
    pub(crate) fn settle(&mut self, fuel: u64) {
        if self.ending == Ending::Unfinished && self.jumps >= fuel {
            self.ending = Ending::Hang;
        }
    }
}
