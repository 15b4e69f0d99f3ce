//! A program in its world, ready to be run as often as one likes, in either domain.

mod parameters;
mod target;

use crate::concolic::{ConcolicValue, Options};
use crate::domain::Concrete;
use crate::error::Error;
use crate::machine::{Machine, MachineLimits, Outcome};
use crate::module::Module;
use crate::source::Source;
use crate::target::{Ending, Run, RunLimits};
use crate::trap::Trap;
use crate::types::{Extern, FunctionId, MemoryId};
use crate::world::functions::{TABLE, mistyped, provides};
use crate::world::{Input, Inputs, Setup, Stop, Symbols, World};
use parameters::Parameter;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How many jumps and calls are made between two looks at the clock.
const SLICE: u64 = 1000;

/// How far a program's memory grows (64 MB): a size from the input must not make every run clear gigabytes.
const MAX_PAGES: u32 = 1024;

/// Larger stacks are not kept, in slots.
const MAX_SPARE: usize = 1 << 20;

/// A program in its world.
#[derive(Debug)]
pub struct Program {
    machine: Machine<Concrete>,
    memory: Option<MemoryId>,
    function: FunctionId,
    parameters: Vec<Parameter>,
    setup: Setup,
    /// The choices of the concolic domain.
    options: Options,
    source: Source,
    /// The names of what it asks the world for.
    imports: Vec<String>,
    /// Stacks of runs that ended: a new one would have to be cleared, which takes longer than many a run.
    concrete: Spare<u64>,
    concolic: Spare<ConcolicValue>,
}

type Spare<V> = Mutex<Vec<Vec<V>>>;

impl Program {
    /// Makes a program of the binary format. A module that has to be initialised is.
    pub fn load(bytes: &[u8], setup: Setup) -> Result<Program, Error> {
        let module = Module::decode(bytes)?;
        if let Some((import, row)) = module.imports().iter().find_map(|i| Some((i, mistyped(i)?))) {
            return Err(Error::MistypedImport {
                import: format!("{}.{}", import.module, import.name),
                found: import.ty.to_string(),
                expected: row.function_type().to_string(),
            });
        }
        let limits = MachineLimits { pages: MAX_PAGES, ..MachineLimits::default() };
        let mut machine = Machine::with_limits(Concrete::<()>::default(), limits);
        let host: Vec<FunctionId> = (0..)
            .zip(TABLE)
            .map(|(number, row)| machine.add_host_function(&row.function_type(), number))
            .collect();
        let input = Input::new();
        let mut world = World::new(&setup, &input, Symbols::default());
        let instance = machine.instantiate(
            &module,
            &mut |import| provides(import).map(|number| Extern::Function(host[number as usize])),
            &mut world,
        )?;
        let export = |name: &str| match instance.export(name) {
            Some(Extern::Function(function)) => Some(function),
            _ => None,
        };
        let name = setup.entry.as_deref().unwrap_or("_start");
        let function = export(name).ok_or_else(|| Error::NoEntry {
            name: name.to_string(),
            exported: module.exported_functions().map(|(name, _)| name.to_string()).collect(),
        })?;
        if let Some(initialise) = export("_initialize") {
            machine.call(initialise, &[]);
            match machine.run(&mut world, &mut RunLimits::default().fuel) {
                Outcome::Returned(_) => {}
                Outcome::Trapped(trap) => return Err(trap.into()),
                Outcome::OutOfFuel => return Err(Error::StartOutOfFuel),
            }
        }
        let source = Source::new(&module, &machine);
        let parameters = parameters::of(machine.function_type(function), &source, name)?;
        let memory = match instance.export("memory") {
            Some(Extern::Memory(memory)) => Some(memory),
            _ => None,
        };
        Ok(Program {
            machine,
            memory,
            function,
            parameters,
            setup,
            options: Options::default(),
            source,
            imports: module.imports().iter().map(|import| import.name.clone()).collect(),
            concrete: Spare::default(),
            concolic: Spare::default(),
        })
    }

    /// The same program with other choices of the concolic domain.
    #[must_use]
    pub fn with_options(self, options: Options) -> Program {
        Program { options, ..self }
    }

    /// The world that it is in.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Its source.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Whether it asks the world for a function.
    pub fn imports(&self, name: &str) -> bool {
        self.imports.iter().any(|known| known == name)
    }

    /// The machine as it is before a run.
    pub fn machine(&self) -> &Machine<Concrete> {
        &self.machine
    }

    fn run<D: Inputs>(
        &self,
        domain: D,
        spare: &Spare<D::Value>,
        input: &Input,
        symbols: Symbols,
        limits: &RunLimits,
        too_long: impl Fn(&D) -> bool,
    ) -> (Run, D, Symbols) {
        let mut machine = self.machine.in_domain(domain);
        if let Some(stack) = spare.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            machine.lend_stack(stack);
        }
        let mut world = World::new(&self.setup, input, symbols);
        let args = parameters::arguments(&self.parameters, &mut machine, self.memory, &mut world);
        machine.call(self.function, &args);
        let mut left = limits.fuel;
        let outcome = loop {
            let mut slice = SLICE.min(left);
            left -= slice;
            let outcome = machine.run(&mut world, &mut slice);
            left += slice;
            let expired = || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let stopped = left == 0 || limits.stop.load(Ordering::Relaxed) || too_long(&machine.domain);
            if !matches!(outcome, Outcome::OutOfFuel) || stopped || expired() {
                break outcome;
            }
        };
        let ending = match outcome {
            Outcome::Returned(_) => Ending::Returned,
            Outcome::OutOfFuel => Ending::Unfinished,
            Outcome::Trapped(Trap::Host(code)) => match (Stop::of(code), world.exit) {
                (Some(Stop::Exit), Some(0)) => Ending::Returned,
                (Some(Stop::Exit), code) => Ending::Exited(code.unwrap_or(0)),
                (Some(Stop::Assumption), _) => Ending::Discarded,
                (Some(Stop::Assertion), _) => Ending::Assertion,
                (Some(Stop::Error), _) | (None, _) => Ending::Error,
            },
            Outcome::Trapped(trap) => Ending::Fault(trap.into()),
        };
        let stack = if ending.is_crash() { machine.backtrace() } else { Vec::new() };
        let World { objects, symbols, stdout, stderr, .. } = world;
        let jumps = limits.fuel - left;
        let (domain, used) = machine.into_parts();
        if used.len() <= MAX_SPARE {
            spare.lock().unwrap_or_else(PoisonError::into_inner).push(used);
        }
        (Run { ending, objects, stdout, stderr, stack, jumps }, domain, symbols)
    }
}
