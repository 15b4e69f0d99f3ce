//! A Java program in its world, ready to be run as often as one likes, in either domain.

use crate::archive::{ClassPath, Image, Source, find_jdk};
use crate::class::{Class, Method};
use crate::domain::Values;
use crate::machine::{Hook, Machine, Stop};
use crate::natives::{self, NativeFn};
use crate::registry::Registry;
use crate::world::World;
use explore::target::{Input, ObjectKind, Symbols};
use explore::world::Setup;
use explore::{Concolic, Concrete};
use std::path::PathBuf;
use std::sync::Arc;

/// How large the heap of a run may become.
pub const HEAP_LIMIT: usize = 512 << 20;

/// Why a program cannot be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// There is no JDK, or it cannot be read.
    #[error("{0}")]
    Jdk(String),
    /// A class is missing or malformed.
    #[error("{0}")]
    Load(#[from] crate::registry::LoadError),
    /// There is no such class or method to run.
    #[error("{0}")]
    Entry(String),
    /// The JDK could not be initialised.
    #[error("the JDK at {0} could not be initialised: {1}")]
    Boot(PathBuf, String),
}

/// A program in its world.
#[derive(Debug)]
pub struct Program {
    machine: Machine<Concrete>,
    entry: &'static Method,
    setup: Arc<Setup>,
    concrete: Arc<[NativeFn<Concrete>]>,
    concolic: Arc<[NativeFn<Concolic>]>,
}

impl Program {
    /// Makes a program of classes. `main` names the class whose `main` is run, or with [`Setup::entry`] the method.
    pub fn load(sources: Vec<Source>, setup: Setup, main: &str) -> Result<Program, Error> {
        let home = find_jdk().map_err(Error::Jdk)?;
        let image = Image::open(&home.join("lib/modules")).map_err(|error| {
            Error::Jdk(format!("cannot read {}: {error}", home.join("lib/modules").display()))
        })?;
        let registry = Arc::new(Registry::new(ClassPath { sources, image }, natives::numbers()));
        let class = registry.load(&main.replace('.', "/"))?;
        let entry = entry(class, setup.entry.as_deref())?;
        let setup = Arc::new(setup);
        let world = World::new(setup.clone(), Arc::default(), Symbols::default(), home.clone());
        let mut machine = Machine::new(Concrete::default(), registry, world, HEAP_LIMIT);
        if let Err(stop) = machine.boot() {
            let why = match &stop {
                Stop::Uncaught(thrown) => thrown.render(&machine.registry),
                other => format!("{other:?}"),
            };
            return Err(Error::Boot(home, why));
        }
        Ok(Program {
            machine,
            entry,
            setup,
            concrete: natives::functions::<Concrete>().into(),
            concolic: natives::functions::<Concolic>().into(),
        })
    }

    /// Runs it on plain values, to its end or for so many jumps and calls.
    pub fn run_plain(&self, input: &Input, mut fuel: u64) -> (Stop, World) {
        let world =
            self.machine.world.afresh(self.setup.clone(), Arc::new(input.clone()), Symbols::default());
        let mut machine = self.machine.in_domain(Concrete::default(), &self.concrete, world);
        let stop = match start(&mut machine, self.entry) {
            Ok(()) => machine.run(&mut fuel),
            Err(stop) => stop,
        };
        let stop = report(&mut machine, stop);
        (stop, machine.world)
    }

    /// The natives of the concolic domain.
    pub fn concolic_natives(&self) -> &Arc<[NativeFn<Concolic>]> {
        &self.concolic
    }
}

/// Prints an exception that nobody caught, as `java` does.
fn report<D: Values>(machine: &mut Machine<D>, stop: Stop) -> Stop {
    if let Stop::Uncaught(_) = stop {
        let exception = machine.world.uncaught;
        let thread = machine.threads[0].object;
        let dispatch =
            machine.known().thread.declared("dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
        machine.frames.clear();
        if let Some(dispatch) = dispatch {
            let args = [D::constant(u64::from(thread)), D::constant(u64::from(exception))];
            // Whatever goes wrong in telling of it changes nothing about it.
            drop(machine.call(dispatch, &args));
        }
    }
    stop
}

fn entry(class: &'static Class, name: Option<&str>) -> Result<&'static Method, Error> {
    let missing = |what: &str| Error::Entry(format!("class {} has no {what}", class.name.replace('/', ".")));
    match name {
        None => class.find_method("main", "([Ljava/lang/String;)V").ok_or_else(|| missing("main(String[])")),
        Some(name) => {
            let found: Vec<_> = class.methods().iter().filter(|method| method.name == name).collect();
            match found[..] {
                [only] => Ok(only),
                [] => Err(missing(&format!("method {name}"))),
                [first, ..] => Ok(first),
            }
        }
    }
}

/// Pushes the call of the entry with its arguments.
fn start<D: Values>(machine: &mut Machine<D>, entry: &'static Method) -> Result<(), Stop> {
    machine.initialise_now(entry.class.name)?;
    let mut strings = Vec::new();
    let sizes = machine.world.setup.args.clone();
    for (i, size) in sizes.into_iter().enumerate() {
        let string = machine.input_string(&format!("arg{}", i + 1), size, ObjectKind::Argument);
        strings.push(string.map_err(|_| Stop::OutOfMemory)?);
    }
    let array = machine.array_of_refs("[Ljava/lang/String;", &strings).map_err(|_| Stop::OutOfMemory)?;
    let pushed = machine.push_call(entry, &[D::constant(u64::from(array))], Hook::Entry);
    pushed.map_err(|fault| Stop::Unsupported(format!("{fault:?}")))
}
