//! The world of a run: WASI preview 1 over virtual files, and the functions of `soundline.h`.
//!
//! [`Setup`] says what there is (standard input, arguments, files, and how large each is); an [`Input`] says what is in it.
//! Everything else is fixed: the clock stands still, random bytes are always the same, output is captured. Nothing of
//! the machine that Soundline runs on is reachable.

mod folders;
pub(crate) mod functions;
pub(crate) mod guard;
pub(crate) mod input;
mod intrinsics;
mod leave;
mod wasi;

pub use crate::target::{Input, Object, ObjectKind, Objects, Origin, Scalar, Symbols};
pub(crate) use functions::Service;
pub use input::Inputs;
pub(crate) use input::Piece;

use crate::checks::Checks;
use crate::domain::{Domain, Need};
use crate::host::{Host, HostCall, Point};
use crate::target::Compared;
use crate::trap::Trap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use wasi::{Descriptor, File};

/// How much output of one run is kept, for each of the two streams.
pub(crate) const MAX_OUTPUT: usize = 1 << 16;

/// What a program finds around it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Setup {
    /// The bytes of standard input; none at all if absent.
    pub stdin: usize,
    /// The longest length of each argument.
    pub args: Vec<usize>,
    /// The names and sizes of files.
    #[serde(with = "named_sizes")]
    pub files: Vec<(String, usize)>,
    /// The exported function to run with symbolic parameters, instead of the program from its start.
    pub entry: Option<String>,
    /// How many bytes a pointer among the parameters points to, unless it points to a structure.
    pub pointee: usize,
    /// Whether memory that nothing leads to any more at the end is an error.
    #[serde(default)]
    pub leaks: bool,
    /// Environment variables, with the longest length of each.
    #[serde(default, with = "named_sizes")]
    pub env: Vec<(String, usize)>,
    /// Whether standard input may be shorter: its length is a part of the input, under the name `stdin.size`.
    #[serde(default)]
    pub sized: bool,
    /// How far a program's memory grows, in pages of 64 KiB, where it is not the default.
    #[serde(default)]
    pub pages: Option<u32>,
    /// Whether pointers among the parameters may be null or lead to the same object, and not always to one of their own.
    #[serde(default)]
    pub lazy: bool,
    /// Arrays among the parameters that have as many elements as another parameter says.
    #[serde(default)]
    pub lengths: Vec<(String, String)>,
}

impl Setup {
    /// The setup as `summary.json` has it.
    pub(crate) fn document(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("text, numbers and lists of them")
    }
}

/// Names with sizes, as `summary.json` has them: a list of `{"name": ..., "size": ...}`.
mod named_sizes {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::borrow::Cow;

    #[derive(Serialize, Deserialize)]
    struct NamedSize<'a> {
        name: Cow<'a, str>,
        size: usize,
    }

    pub(super) fn serialize<S: Serializer>(named: &[(String, usize)], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(named.iter().map(|(name, size)| NamedSize { name: name.into(), size: *size }))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, usize)>, D::Error> {
        let named = Vec::<NamedSize<'_>>::deserialize(from)?;
        Ok(named.into_iter().map(|one| (one.name.into_owned(), one.size)).collect())
    }
}

/// Why a host function ended a run: the codes of [`Trap::Host`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The program exited by itself.
    Exit = 0,
    /// An assumption does not hold: the input is of no interest.
    Assumption = 1,
    /// An assertion does not hold.
    Assertion = 2,
    /// The program reached what it must not reach.
    Error = 3,
    /// The program threw an exception.
    Exception = 4,
    /// The program gave up by itself.
    Abort = 5,
    /// The program needs something that the world does not have.
    Unsupported = 6,
}

impl Stop {
    /// The trap with this code.
    pub(crate) fn trap(self) -> Trap {
        Trap::Host(self as u32)
    }

    /// The reason of a code.
    pub fn of(code: u32) -> Option<Stop> {
        const ALL: [Stop; 7] = [
            Stop::Exit,
            Stop::Assumption,
            Stop::Assertion,
            Stop::Error,
            Stop::Exception,
            Stop::Abort,
            Stop::Unsupported,
        ];
        ALL.into_iter().find(|stop| *stop as u32 == code)
    }
}

/// The world of one run.
#[derive(Debug)]
pub struct World<'a> {
    setup: &'a Setup,
    input: &'a Input,
    /// What the program asked for, in the order in which it did.
    pub objects: Objects,
    /// The symbols of the inputs.
    pub symbols: Symbols,
    /// What was written to standard output.
    pub stdout: Vec<u8>,
    /// What was written to standard error.
    pub stderr: Vec<u8>,
    /// The exit code, once the program exited by itself.
    pub exit: Option<u32>,
    descriptors: Vec<Option<Descriptor>>,
    files: Vec<File>,
    /// The folders beside the root: those of the given files, and what the run made.
    folders: Vec<String>,
    random: random::Rng,
    /// What the checks know.
    pub(crate) checks: Checks,
    /// The type of the exception that was thrown.
    pub(crate) exception: Option<String>,
    /// What it needed and the world does not have.
    pub(crate) unsupported: Option<String>,
    /// The calls in progress that an exception of C++ may leave, each with the list of what is caught there.
    tries: Vec<(Point, u32)>,
    /// The same of the threads that wait for their turn, by number.
    other_tries: BTreeMap<u32, Vec<(Point, u32)>>,
    /// The thread whose turn it is; the first one is 0.
    thread: u32,
    /// Where the stacks of threads begin that have one of their own.
    stacks: BTreeMap<u32, u32>,
    /// Texts that were compared and differ.
    pub(crate) compared: Vec<Compared>,
    /// Places to come back to.
    points: Vec<Point>,
    /// The length of standard input, once it was asked for.
    stdin: Option<usize>,
}

impl<'a> World<'a> {
    /// A world at its beginning.
    pub fn new(setup: &'a Setup, input: &'a Input, symbols: Symbols) -> World<'a> {
        World {
            setup,
            input,
            objects: Objects::default(),
            symbols,
            stdout: Vec::new(),
            stderr: Vec::new(),
            exit: None,
            descriptors: wasi::standard_descriptors(),
            files: setup.files.iter().map(|(name, size)| File::given(name, *size)).collect(),
            folders: folders::of_files(&setup.files),
            random: random::Rng::named(0, "random_get"),
            checks: Checks::default(),
            exception: None,
            unsupported: None,
            tries: Vec::new(),
            other_tries: BTreeMap::new(),
            thread: 0,
            stacks: BTreeMap::new(),
            compared: Vec::new(),
            points: Vec::new(),
            stdin: None,
        }
    }

    /// What the program finds around it.
    pub(crate) fn setup(&self) -> &'a Setup {
        self.setup
    }

    /// How many bytes a pointer among the parameters points to.
    pub(crate) fn pointee(&self) -> usize {
        self.setup.pointee
    }

    /// The bytes of an object of the input: those given, then zeros. The first time the object is noted down.
    pub(crate) fn object(&mut self, name: &str, kind: ObjectKind, size: usize) -> Vec<u8> {
        self.objects.bytes(self.input, name, kind, size)
    }

    /// A name that was not asked for before: the name itself, then with a number.
    pub(crate) fn fresh(&mut self, name: &str) -> String {
        self.objects.fresh_name(name)
    }

    /// Where the stack of the thread begins whose turn it is, if it has one of its own.
    pub(crate) fn own_stack(&self) -> Option<u32> {
        self.stacks.get(&self.thread).copied()
    }

    fn write_out(&mut self, error: bool, bytes: &[u8]) {
        let stream = if error { &mut self.stderr } else { &mut self.stdout };
        let room = MAX_OUTPUT.saturating_sub(stream.len());
        stream.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

impl<D: Inputs> Host<D> for World<'_> {
    fn call(&mut self, mut call: HostCall<'_, D>) -> Result<(), Trap> {
        let row = &functions::TABLE[call.function as usize];
        match row.service {
            Service::Wasi(function) => {
                let errno = self.wasi(function, &mut call)?;
                if let Some(result) = call.results.first_mut() {
                    *result = D::constant(u64::from(errno));
                }
                Ok(())
            }
            Service::Refuse(errno) => {
                call.results[0] = D::constant(u64::from(errno));
                Ok(())
            }
            Service::Heap(function) => self.heap(function, &mut call),
            Service::Guard(function) => self.guard(function, &mut call),
            Service::Undefined(kind) => self.undefined(kind, &mut call),
            Service::Compare => {
                self.compare(&call);
                Ok(())
            }
            Service::SetJump
            | Service::LongJump
            | Service::Part
            | Service::Turn
            | Service::NewException
            | Service::Throw
            | Service::Try
            | Service::Tried
            | Service::Land
            | Service::Clauses
            | Service::Unwind => self.leave(row.service, &mut call),
            Service::Abort => Err(Stop::Abort.trap()),
            Service::Unsupported => {
                let name = argument(&mut call, 0) as usize;
                self.unsupported = Some(intrinsics::text(call.memory.bytes(), name));
                Err(Stop::Unsupported.trap())
            }
            Service::Symbolic | Service::Assume | Service::Assert | Service::Error | Service::Nondet(_) => {
                self.intrinsic(row.service, &mut call)
            }
        }
    }
}

/// An argument as it is in this run; that is recorded.
pub(crate) fn argument<D: Domain>(call: &mut HostCall<'_, D>, position: usize) -> u64 {
    call.domain.concretise(call.at, Need::Host, call.args[position])
}
