//! A Java program in its world, ready to be run as often as one likes, in either domain.

use crate::archive::{ClassPath, ClassSource, Image, find_jdk};
use crate::class::{Class, Method};
use crate::domain::Values;
use crate::kind::Type;
use crate::machine::{Machine, Stop};
use crate::natives::{self, NativeFn};
use crate::registry::{LoadError, Registry};
use crate::sites::OwnSites;
use crate::world::World;
use crate::{parameters, target};
use explore::coverage::Trail;
use explore::target::{Input, Run, RunLimits, Site, Sites, Symbols};
use explore::world::Setup;
use explore::{Concolic, Concrete};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// How many jumps and calls are made between two looks at the clock.
const SLICE: u64 = 10_000;

/// How large the heap of a run may become.
pub(crate) const HEAP_LIMIT: usize = 512 << 20;

/// Why a program cannot be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// There is no JDK, or it cannot be read.
    #[error("{0}")]
    Jdk(String),
    /// A class is missing or malformed.
    #[error("{0}")]
    Load(#[from] LoadError),
    /// There is no such class or method to run.
    #[error("{0}")]
    Entry(String),
    /// The JDK could not be initialised.
    #[error("the JDK at {0} could not be initialised: {1}")]
    Boot(PathBuf, String),
}

/// What every run does before it asks for something of the input, done once: runs begin with a copy of this machine.
#[derive(Debug)]
struct Prologue {
    machine: Machine<Concrete<Trail>>,
    /// How many jumps and calls it made.
    jumps: u64,
}

/// A program in its world.
#[derive(Debug)]
pub struct Program {
    machine: Machine<Concrete>,
    /// Where all runs begin, if that is not at the entry.
    prologue: Option<Prologue>,
    pub(crate) entry: &'static Method,
    pub(crate) setup: Arc<Setup>,
    pub(crate) sites: Sites,
    /// Methods of the JDK that were on the stack of a crash, by site.
    pub(crate) foreign: Mutex<BTreeMap<u32, String>>,
    /// Whether every kept test is written as a JUnit test too.
    pub(crate) junit: bool,
    /// The file that the user named, shown for the source file of the same name.
    file: Option<PathBuf>,
    pub(crate) concrete: Arc<[NativeFn<Concrete<Trail>>]>,
    pub(crate) concolic: Arc<[NativeFn<Concolic>]>,
}

impl Program {
    /// Makes a program of classes. `main` names the class whose `main` is run, or with [`Setup::entry`] the method. `file` is the
    /// source that the user named, if it was one.
    pub fn load(
        sources: Vec<ClassSource>,
        setup: Setup,
        main: &str,
        file: Option<PathBuf>,
    ) -> Result<Program, Error> {
        let home = find_jdk().map_err(Error::Jdk)?;
        let image = Image::open(&home.join("lib/modules")).map_err(|error| {
            Error::Jdk(format!("cannot read {}: {error}", home.join("lib/modules").display()))
        })?;
        let registry = Arc::new(Registry::new(ClassPath { sources, image }, natives::numbers()));
        let own = registry.number_own_sites();
        let sites = target::sites_of(own, registry.site_count(), |source| display(file.as_deref(), source));
        let class = named(&registry, main)?;
        let entry = entry(class, setup.entry.as_deref())?;
        let setup = Arc::new(setup);
        let world = World::new(
            setup.clone(),
            Arc::default(),
            Symbols::default(),
            home.clone(),
            registry.path().clone(),
        );
        let mut machine = Machine::new(Concrete::default(), registry, world, HEAP_LIMIT);
        if let Err(stop) = machine.boot() {
            let why = match &stop {
                Stop::Uncaught(thrown) => thrown.render(&machine.registry),
                other => format!("{other:?}"),
            };
            return Err(Error::Boot(home, why));
        }
        rehearse(&mut machine, entry);
        let concrete: Arc<[NativeFn<Concrete<Trail>>]> = natives::functions::<Concrete<Trail>>().into();
        let prologue = prologue(&machine, entry, &concrete, sites.count());
        Ok(Program {
            machine,
            prologue,
            entry,
            setup,
            sites,
            foreign: Mutex::default(),
            junit: false,
            file,
            concrete,
            concolic: natives::functions::<Concolic>().into(),
        })
    }

    /// The same, with a JUnit test for every kept test.
    pub fn with_junit(self, junit: bool) -> Program {
        Program { junit, ..self }
    }

    /// The world that it is in.
    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The method that is run.
    pub(crate) fn entry(&self) -> &'static Method {
        self.entry
    }

    /// All classes.
    pub(crate) fn registry(&self) -> &Registry {
        &self.machine.registry
    }

    pub(crate) fn own(&self) -> &OwnSites {
        self.machine.registry.number_own_sites()
    }

    /// A source file as people know it.
    pub(crate) fn display(&self, source: &str) -> String {
        display(self.file.as_deref(), source)
    }

    /// Runs it on plain values, to its end or for so many jumps and calls.
    pub fn run_plain(&self, input: &Input, fuel: u64) -> (Stop, World) {
        let (stop, machine) = self.plain(input, fuel);
        (stop, machine.world)
    }

    /// The rows of the table of natives that starting the machine and a run on plain values call.
    pub fn natives_called(&self, input: &Input, fuel: u64) -> Vec<&'static str> {
        let (_, machine) = self.plain(input, fuel);
        natives::names().into_iter().zip(machine.called).filter(|row| row.1).map(|row| row.0).collect()
    }

    fn plain(&self, input: &Input, mut fuel: u64) -> (Stop, Machine<Concrete>) {
        let world =
            self.machine.world.afresh(self.setup.clone(), Arc::new(input.clone()), Symbols::default());
        let natives = natives::functions::<Concrete>().into();
        let mut machine = self.machine.in_domain(Concrete::default(), &natives, world);
        let stop = match parameters::start(&mut machine, self.entry) {
            Ok(()) => machine.run(&mut fuel),
            Err(stop) => stop,
        };
        report(&mut machine, &stop);
        (stop, machine)
    }

    pub(crate) fn run_in<D: Values>(
        &self,
        domain: D,
        natives: &Arc<[NativeFn<D>]>,
        input: &Input,
        symbols: Symbols,
        limits: &RunLimits,
        too_long: impl Fn(&D) -> bool,
    ) -> (Run, D, Symbols) {
        let input = Arc::new(input.clone());
        let mut left = limits.fuel;
        let (mut machine, started) = match &self.prologue {
            Some(prologue) => {
                left = left.saturating_sub(prologue.jumps);
                let world = prologue.machine.world.with_input(input, symbols);
                (prologue.machine.in_domain(domain, natives, world), Ok(()))
            }
            None => {
                let world = self.machine.world.afresh(self.setup.clone(), input, symbols);
                let mut machine = self.machine.in_domain(domain, natives, world);
                let started = parameters::start(&mut machine, self.entry);
                (machine, started)
            }
        };
        let stop = match started {
            Err(stop) => stop,
            Ok(()) => loop {
                let mut slice = SLICE.min(left);
                left -= slice;
                let stop = machine.run(&mut slice);
                left += slice;
                let expired = || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
                let stopped = left == 0 || limits.stop.load(Ordering::Relaxed) || too_long(&machine.domain);
                if stop != Stop::OutOfFuel || stopped || expired() {
                    break stop;
                }
            },
        };
        // An exception that left a thread counts where the program ended well otherwise.
        let stop = match (stop, machine.thread_deaths.first()) {
            (Stop::Returned(_) | Stop::Exited(0), Some(thrown)) => Stop::Uncaught(thrown.clone()),
            (stop, _) => stop,
        };
        let (ending, thrown) = target::ending(&stop);
        let stack = thrown.map_or_else(Vec::new, |thrown| self.stack(&thrown.stack));
        let told = thrown.map(|thrown| thrown.render(&self.machine.registry));
        let World { objects, symbols, stdout, mut stderr, .. } = machine.world;
        if let Some(told) = told {
            stderr.extend_from_slice(format!("Exception in thread \"main\" {told}").as_bytes());
        }
        let jumps = limits.fuel - left;
        (
            Run {
                ending,
                objects: objects.into_list(),
                stdout,
                stderr,
                stack,
                jumps,
                failures: Vec::new(),
                compared: Vec::new(),
            },
            machine.domain,
            symbols,
        )
    }

    /// What a run on values marks: what all runs executed before it is marked already.
    pub(crate) fn trail(&self) -> Trail {
        match &self.prologue {
            Some(prologue) => prologue.machine.domain.observer.begun(),
            None => Trail::new(self.sites.count()),
        }
    }

    /// The sites of a stack: lines of the program's methods, and places that are remembered for the JDK's.
    fn stack(&self, frames: &[(u32, u16)]) -> Vec<Site> {
        let registry = &self.machine.registry;
        let mut sites = Vec::new();
        for &(method, offset) in frames {
            let method = registry.method(method);
            let key = format!("{}.{}{}", method.class.name, method.name, method.descriptor);
            let site = self.own().line_site(&key, offset).unwrap_or_else(|| {
                let line = method.line(offset).map_or(String::new(), |line| format!(":{line}"));
                let words = format!("{}{line}", method.qualified());
                let site = registry.shared_site(&words, 1);
                self.foreign.lock().unwrap_or_else(PoisonError::into_inner).insert(site, words);
                site
            });
            sites.push(Site::new(site));
        }
        sites
    }
}

/// A class by the name that its source gives it: `Outer.Inner` is the class `Outer$Inner`, unless there is a package of that name.
fn named(registry: &Registry, name: &str) -> Result<&'static Class, LoadError> {
    let whole = name.replace('.', "/");
    let mut internal = whole.clone();
    loop {
        let missing = match registry.load(&internal) {
            Err(LoadError::NotFound(missing)) if missing == internal => missing,
            found => return found,
        };
        match missing.rfind('/') {
            Some(at) => internal.replace_range(at..=at, "$"),
            None => return Err(LoadError::NotFound(whole)),
        }
    }
}

/// How many jumps and calls a rehearsal makes.
const REHEARSAL: u64 = 500_000;

/// Initialises the classes of the JDK that the program uses, so that no run has to: they are those that a run on an input of zeros
/// initialises. What they do in that is the same whenever it happens. If an initialiser fails, all is left as it was.
fn rehearse(machine: &mut Machine<Concrete>, entry: &'static Method) {
    let natives = machine.natives.clone();
    let fresh = |machine: &Machine<Concrete>| {
        let world = machine.world.afresh(machine.world.setup.clone(), Arc::default(), Symbols::default());
        machine.in_domain(Concrete::default(), &natives, world)
    };
    let mut copy = fresh(machine);
    if parameters::start(&mut copy, entry).is_ok() {
        let mut fuel = REHEARSAL;
        copy.run(&mut fuel);
    }
    let initialised: Vec<&'static Class> =
        copy.ready_classes().into_iter().filter(|class| !class.own).collect();
    let before = fresh(machine);
    for class in initialised {
        if machine.is_ready(class) {
            continue;
        }
        let failed = machine.initialise_now(class.name).is_err();
        if failed || machine.world.is_used() || machine.threads.len() > 1 {
            // An initialiser that throws must leave no trace, and what it opens or starts would not be there in a run.
            *machine = before;
            return;
        }
    }
    machine.settle();
    machine.world.stdout.clear();
    machine.world.stderr.clear();
}

/// Runs the program up to the native that first asks for something of the input. A first run finds out which native that is, a second
/// one stops before it. None where parameters of the entry are asked for at once, or where nothing ever is.
fn prologue(
    machine: &Machine<Concrete>,
    entry: &'static Method,
    natives: &Arc<[NativeFn<Concrete<Trail>>]>,
    sites: usize,
) -> Option<Prologue> {
    if machine.world.setup.entry.is_some() {
        return None;
    }
    let run = |calls: u64| {
        let mut world = machine.world.afresh(machine.world.setup.clone(), Arc::default(), Symbols::default());
        world.natives = calls;
        let domain = Concrete { observer: Trail::new(sites) };
        let mut machine = machine.in_domain(domain, natives, world);
        parameters::start(&mut machine, entry).ok()?;
        if machine.world.asked.is_some() {
            return None;
        }
        let mut left = REHEARSAL;
        let stop = machine.run(&mut left);
        Some((machine, stop, REHEARSAL - left))
    };
    let (rehearsed, stop, _) = run(u64::MAX)?;
    let calls = match rehearsed.world.asked {
        Some(left) => u64::MAX - 1 - left,
        // No input so far: later runs go on from where this one was given up.
        None if stop == Stop::OutOfFuel => u64::MAX,
        None => return None,
    };
    let (machine, stop, jumps) = run(calls)?;
    let paused = stop == Stop::OutOfFuel && machine.world.asked.is_none();
    paused.then_some(Prologue { machine, jumps })
}

fn display(file: Option<&Path>, source: &str) -> String {
    let name = source.rsplit('/').next().unwrap_or(source);
    match file.filter(|file| file.file_name().is_some_and(|known| known == name)) {
        Some(file) => file.display().to_string(),
        None => source.to_string(),
    }
}

/// Prints an uncaught exception as `java` does.
fn report<D: Values>(machine: &mut Machine<D>, stop: &Stop) {
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
        machine.frames.clear();
        if machine.registry.loaded("java/lang/ApplicationShutdownHooks").is_some() && !machine.world.shutting
        {
            drop(machine.call_static("java/lang/Shutdown", "shutdown", "()V", &[]));
        }
    }
}

/// The method that is run. Where several have the name of `--entry`, the types of the parameters say which: `kind(int,String)`.
fn entry(class: &'static Class, name: Option<&str>) -> Result<&'static Method, Error> {
    let missing = |what: &str| Error::Entry(format!("class {} has no {what}", class.name.replace('/', ".")));
    let Some(name) = name else {
        return class.find_method("main", "([Ljava/lang/String;)V").ok_or_else(|| missing("main(String[])"));
    };
    let in_source = |method: &Method| {
        let types: Vec<String> = method.signature.parameters.iter().map(Type::source_name).collect();
        format!("{}({})", method.name, types.join(","))
    };
    let wanted = name.replace(' ', "");
    let bare = wanted.split('(').next().unwrap_or_default();
    let named: Vec<&'static Method> =
        class.methods().iter().copied().filter(|method| method.name == bare).collect();
    let meant: Vec<&'static Method> = match wanted.contains('(') {
        true => named.iter().copied().filter(|method| in_source(method) == wanted).collect(),
        false => named.clone(),
    };
    let choices: Vec<String> = named.iter().map(|method| in_source(method)).collect();
    match (&meant[..], &choices[..]) {
        ([only], _) => Ok(only),
        (_, []) => Err(missing(&format!("method {bare}"))),
        (_, choices) => Err(Error::Entry(format!(
            "which {bare} of class {}? There are {}: name one with the types of its parameters",
            class.name.replace('/', "."),
            choices.join(", ")
        ))),
    }
}
