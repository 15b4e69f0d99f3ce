//! The machine: classes, a heap, threads, and the loop that runs them over a domain of values.
//!
//! A machine is a value. After the JDK is initialised it is copied for every run; classes are shared, the heap is a copy
//! of bytes. `Machine::run` goes on until something ends the run, and says what.

mod ending;
mod init;
mod invoke;
mod made;
mod monitor;
mod numbers;
mod objects;
mod operands;
mod run;
mod throw;

pub(crate) use monitor::ThreadState;

use crate::class::{Class, Method};
use crate::domain::Values;
use crate::heap::{Heap, Ref};
use crate::natives::{self, NativeFn};
use crate::op::Code;
use crate::registry::Registry;
use crate::world::World;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The deepest stack of calls: about what `java` has room for where methods have few locals. A shallower one would end recursion by a
/// `StackOverflowError` that `java` carries out.
const MAX_FRAMES: usize = 10_000;

/// The largest operand stack of a thread, in slots.
const MAX_SLOTS: usize = 1 << 20;

/// What the machine always needs of classes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub object: &'static Class,
    pub string: &'static Class,
    pub throwable: &'static Class,
    pub thread: &'static Class,
    pub byte_array: &'static Class,
    pub string_value: u32,
    pub string_coder: u32,
}

/// What happens when a frame returns.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hook {
    /// The result goes to the caller.
    Plain,
    /// A class's initialiser ended.
    Initialised(&'static Class),
    /// The frame was called from outside: the run, or the thread, ends.
    Entry,
    /// Reflection called: the result goes to the caller boxed, and exceptions are wrapped.
    Reflected,
    /// Reflection constructed this object.
    Constructed(Ref),
    /// The call comes before an instruction that is executed again; its result is dropped.
    Before,
    /// The result is the receiver or only argument of another call, whose result goes to the caller.
    Then(&'static Method),
    /// A bootstrap method gave a dynamic constant: class and index. The instruction that loads it is executed again.
    Constant(u32, u16),
    /// The result goes to the caller, and what was decided since this place of the path becomes one decision.
    Joined(u32),
}

/// A call under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The method that the frame runs.
    pub method: &'static Method,
    pub(crate) code: &'static Code,
    pub(crate) pc: u32,
    pub(crate) base: u32,
    pub(crate) sp: u32,
    pub(crate) hook: Hook,
    /// What is locked during the call; 0 if nothing.
    pub(crate) lock: Ref,
}

impl Frame {
    /// Whether stack traces leave it out: it is of code that the machine made.
    pub(crate) fn is_hidden(&self) -> bool {
        self.method.class.name.contains("$$Lambda")
            || self.method.class.name.starts_with(crate::handles::CLASS)
            || matches!(self.hook, Hook::Initialised(_)) && self.method.body.is_none()
    }
}

/// Why something could not be done.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// An exception that exists.
    Throw(Ref),
    /// An exception that is to be made: class and message.
    New(&'static str, Option<String>),
    /// A `NullPointerException` because of what the instruction dereferences.
    Null,
    /// The thread has to wait; the instruction is executed again.
    Block,
    /// Calls were pushed that come first; the instruction is executed again.
    Again,
    /// The run ends.
    Stop(Stop),
}

/// Why a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The entry returned these bits and there is no other thread to wait for.
    Returned(u64),
    /// The program exited.
    Exited(i32),
    /// An exception left the main thread.
    Uncaught(Thrown),
    /// Something the machine does not have, by name.
    Unsupported(String),
    /// The heap would become too large.
    OutOfMemory,
    /// All threads wait for each other.
    Deadlock,
    /// An assumption does not hold.
    Assumption,
    /// What must not be reached was.
    Error,
    /// The fuel is used up; the run can go on.
    OutOfFuel,
}

/// An exception as it left the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thrown {
    /// The class with dots.
    pub class: String,
    /// The exception's message, if it has one.
    pub message: Option<String>,
    /// Where it was made, innermost first: method and offset in its bytecode.
    pub stack: Vec<(u32, u16)>,
    /// What caused it.
    pub cause: Option<Box<Thrown>>,
}

impl Thrown {
    /// As `printStackTrace` prints it.
    pub(crate) fn render(&self, registry: &Registry) -> String {
        let mut text = String::new();
        let mut next = Some(self);
        while let Some(thrown) = next {
            if !text.is_empty() {
                text.push_str("Caused by: ");
            }
            text.push_str(&thrown.class);
            if let Some(message) = &thrown.message {
                text.push_str(": ");
                text.push_str(message);
            }
            text.push('\n');
            for &(method, offset) in &thrown.stack {
                let method = registry.method(method);
                let source = method.class.details.source.as_deref().unwrap_or("Unknown Source");
                let line = method.line(offset).map_or(String::new(), |line| format!(":{line}"));
                text.push_str(&format!("\tat {}({source}{line})\n", method.qualified()));
            }
            next = thrown.cause.as_deref();
        }
        text
    }
}

/// What a native gives.
#[derive(Clone, Debug)]
pub(crate) enum Done<V> {
    /// Nothing.
    Void,
    /// A value.
    Value(V),
    /// A call that takes its place.
    Call(&'static Method, Vec<V>, Hook),
}

/// What natives return.
pub(crate) type NativeResult<D> = Result<Done<<D as explore::Scalars>::Value>, Fault>;

/// A thread that is not running at the moment, or the place of the one that is.
#[derive(Clone, Debug)]
pub(crate) struct Thread<V> {
    pub(crate) stack: Vec<V>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) state: ThreadState,
    /// The `java.lang.Thread`.
    pub(crate) object: Ref,
    pub(crate) daemon: bool,
    /// Whether `Thread.interrupt` was called.
    pub(crate) interrupted: bool,
    /// Whether `LockSupport.unpark` was called.
    pub(crate) permit: bool,
    /// Whether it just let others run.
    pub(crate) yielded: bool,
    /// Whether an exception left it and its handler is running.
    pub(crate) dying: bool,
}

/// How far a class is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InitState {
    Untouched,
    By(u32),
    Ready,
    Failed,
}

/// A Java machine in some state. It is copied for every run.
#[derive(Debug)]
pub(crate) struct Machine<D: Values> {
    /// What values are: concrete or with terms.
    pub domain: D,
    /// All classes.
    pub registry: Arc<Registry>,
    /// All objects and arrays.
    pub heap: Heap<D::Overlay>,
    /// What is outside.
    pub world: World,
    pub(crate) known: Option<Known>,
    pub(crate) classes: Vec<&'static Class>,
    pub(crate) init: Vec<InitState>,
    /// Where the static fields of a class lie once it may be used without asking; else 0.
    pub(crate) ready: Vec<Ref>,
    pub(crate) statics: Vec<Ref>,
    pub(crate) mirrors: Vec<Ref>,
    pub(crate) literals: Vec<Ref>,
    /// Interned strings: of the start, and of this run.
    pub(crate) interned: Arc<FxHashMap<Box<[u16]>, Ref>>,
    pub(crate) interned_now: FxHashMap<Box<[u16]>, Ref>,
    pub(crate) lambdas: FxHashMap<u32, Ref>,
    /// Constants of the pool that are made once: by class and index.
    pub(crate) constants: FxHashMap<(u32, u16), D::Value>,
    /// Why classes could not be initialised, by class: the cause of every later failure.
    pub(crate) failures: FxHashMap<u32, Ref>,
    pub(crate) threads: Vec<Thread<D::Value>>,
    pub(crate) current: usize,
    pub(crate) stack: Vec<D::Value>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) natives: Arc<[NativeFn<D>]>,
    /// Which rows of the table of natives were called since the machine began to boot.
    pub(crate) called: Vec<bool>,
    /// The arrays of shared boxes (`Integer.valueOf` and its like): kind, first value and array.
    pub(crate) boxes: Vec<(crate::kind::Kind, i32, Ref)>,
    /// References of the input, most of which nobody looked at.
    pub(crate) lazies: Vec<crate::parameters::Lazy>,
    /// Objects that such references turned out to be.
    pub(crate) made: Vec<Ref>,
    /// Exceptions that ended threads other than the first.
    pub thread_deaths: Vec<Thrown>,
}

impl<D: Values> Machine<D> {
    /// A machine that knows no class yet.
    pub(crate) fn new(domain: D, registry: Arc<Registry>, world: World, heap_limit: usize) -> Machine<D> {
        Machine {
            domain,
            registry,
            heap: Heap::new(heap_limit),
            world,
            known: None,
            classes: Vec::new(),
            init: Vec::new(),
            ready: Vec::new(),
            statics: Vec::new(),
            mirrors: Vec::new(),
            literals: Vec::new(),
            interned: Arc::default(),
            interned_now: FxHashMap::default(),
            lambdas: FxHashMap::default(),
            constants: FxHashMap::default(),
            failures: FxHashMap::default(),
            threads: Vec::new(),
            current: 0,
            stack: Vec::new(),
            frames: Vec::new(),
            natives: natives::functions::<D>().into(),
            called: vec![false; natives::names().len()],
            boxes: Vec::new(),
            lazies: Vec::new(),
            made: Vec::new(),
            thread_deaths: Vec::new(),
        }
    }

    /// A copy in another domain and with another world, between two runs or in the midst of one that knows no input yet.
    pub(crate) fn in_domain<E: Values>(
        &self,
        domain: E,
        natives: &Arc<[NativeFn<E>]>,
        world: World,
    ) -> Machine<E> {
        let mut interned = self.interned.clone();
        if !self.interned_now.is_empty() {
            Arc::make_mut(&mut interned)
                .extend(self.interned_now.iter().map(|(text, at)| (text.clone(), *at)));
        }
        let stack = |slots: &[D::Value], frames: &[Frame]| -> Vec<E::Value> {
            let end = frames.last().map_or(0, |frame| (frame.base + frame.code.slots) as usize);
            slots.iter().take(end).map(|&value| E::constant(D::bits(value))).collect()
        };
        let threads = self.threads.iter().map(|thread| Thread {
            stack: stack(&thread.stack, &thread.frames),
            frames: thread.frames.clone(),
            state: thread.state,
            object: thread.object,
            daemon: thread.daemon,
            interrupted: thread.interrupted,
            permit: thread.permit,
            yielded: thread.yielded,
            dying: thread.dying,
        });
        let constants = self.constants.iter().map(|(key, value)| (*key, E::constant(D::bits(*value))));
        Machine {
            domain,
            registry: self.registry.clone(),
            heap: Heap {
                bytes: self.heap.bytes.clone(),
                overlay: E::Overlay::default(),
                limit: self.heap.limit,
            },
            world,
            known: self.known,
            classes: self.classes.clone(),
            init: self.init.clone(),
            ready: self.ready.clone(),
            statics: self.statics.clone(),
            mirrors: self.mirrors.clone(),
            literals: self.literals.clone(),
            interned,
            interned_now: FxHashMap::default(),
            lambdas: self.lambdas.clone(),
            constants: constants.collect(),
            failures: self.failures.clone(),
            threads: threads.collect(),
            current: self.current,
            stack: stack(&self.stack, &self.frames),
            frames: self.frames.clone(),
            natives: natives.clone(),
            called: self.called.clone(),
            boxes: self.boxes.clone(),
            lazies: Vec::new(),
            made: Vec::new(),
            thread_deaths: self.thread_deaths.clone(),
        }
    }

    /// Moves what this run interned to what all copies share.
    pub(crate) fn settle(&mut self) {
        let now = std::mem::take(&mut self.interned_now);
        Arc::make_mut(&mut self.interned).extend(now);
    }

    /// The classes that the machine always needs.
    ///
    /// # Panics
    /// Before they are loaded, which is the first thing that `boot` does.
    #[inline(always)]
    pub(crate) fn known(&self) -> &Known {
        match &self.known {
            Some(known) => known,
            None => unreachable!("boot loads them first"),
        }
    }

    /// A class, loaded if need be; else the error that Java throws.
    pub(crate) fn load(&mut self, name: &str) -> Result<&'static Class, Fault> {
        self.registry.load(name).map_err(|error| Fault::New(error.throwable(), Some(error.message())))
    }

    /// Makes room in the tables by class.
    pub(crate) fn sync(&mut self, id: u32) {
        if id as usize >= self.classes.len() {
            let new = self.registry.classes_from(self.classes.len());
            self.classes.extend(new);
            let count = self.classes.len();
            self.init.resize(count, InitState::Untouched);
            self.ready.resize(count, 0);
            self.statics.resize(count, 0);
            self.mirrors.resize(count, 0);
        }
    }

    /// The class of an object.
    #[inline(always)]
    pub(crate) fn class_of(&self, object: Ref) -> &'static Class {
        self.classes[self.heap.class(object) as usize]
    }

    /// The bits of a value that a native needs as they are.
    #[inline]
    pub(crate) fn plain(&mut self, value: D::Value) -> u64 {
        self.domain.concretise(explore::Site::new(0), explore::Need::Host, value)
    }

    /// A reference, which is never symbolic.
    #[inline(always)]
    pub(crate) fn reference(value: D::Value) -> Ref {
        D::bits(value) as Ref
    }

    /// Whether a class is initialised.
    pub(crate) fn is_ready(&self, class: &Class) -> bool {
        self.init.get(class.id as usize) == Some(&InitState::Ready)
    }

    /// All classes that are initialised, in the order of their numbers.
    pub(crate) fn ready_classes(&self) -> Vec<&'static Class> {
        self.classes.iter().copied().filter(|class| self.is_ready(class)).collect()
    }

    /// The bytes of the heap that are in use.
    pub(crate) fn heap_size(&self) -> usize {
        self.heap.bytes.len()
    }
}
