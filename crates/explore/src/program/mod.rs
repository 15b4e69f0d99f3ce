//! A program in its world, ready to be run as often as one likes, in either domain.

mod parameters;
mod target;
mod words;

use crate::checks::{self, Checks, Evidence, Kind, NULL_END, Shade, Tracing, leaks};
use crate::clang::Project;
use crate::concolic::{Concolic, ConcolicSettings};
use crate::coverage::Trail;
use crate::domain::Concrete;
use crate::error::Error;
use crate::machine::{Instance, Lent, Machine, MachineEnd, MachineLimits};
use crate::memory::{Memory, PAGE};
use crate::module::Module;
use crate::source::DebugInfo;
use crate::target::{Ending, Failure, Fault, Run, RunLimits, Site};
use crate::trap::Trap;
use crate::types::{Extern, FunctionId, GlobalId, MemoryId};
use crate::world::functions::{TABLE, mistyped, provides};
use crate::world::{Input, Inputs, Setup, Stop, Symbols, World};
use parameters::Parameter;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How many jumps and calls are made between two looks at the clock.
const SLICE: u64 = 1000;

/// How far a program's memory grows, in pages of 64 KiB, unless the setup says otherwise (64 MiB): a size from the input must not
/// make every run clear gigabytes.
const DEFAULT_PAGES: u32 = 1024;

/// Calls within calls, and their slots: what an 8 MB stack has room for natively, if frames are small.
const MAX_FRAMES: usize = 100_000;
const MAX_SLOTS: usize = 1 << 22;

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
    options: ConcolicSettings,
    /// The files that it was compiled from.
    files: Vec<PathBuf>,
    source: DebugInfo,
    /// The names of what it asks the world for.
    imports: Vec<String>,
    /// Texts among its constants.
    words: Vec<Vec<u8>>,
    /// Stacks and memories of runs that ended: new ones would have to be cleared, which takes longer than many a run.
    concrete: Spare<Concrete<Trail>>,
    concolic: Spare<Concolic>,
    tracing: Spare<Tracing>,
    /// What the checks know at the start of a run.
    checks: Checks,
    /// Where things lie, if the program was compiled with checks.
    layout: Option<Layout>,
}

type Spare<D> = Mutex<Vec<Lent<D>>>;

/// Where a program that was compiled with checks has its things: the stack from the null page up, then globals, then the heap.
#[derive(Clone, Copy, Debug)]
struct Layout {
    memory: MemoryId,
    stack_pointer: GlobalId,
    heap: u32,
}

/// How much heap every run has at once, in pages.
const HEAP_PAGES: u32 = 32;

/// How near to its end the stack pointer is when an access to the null page means that the stack is used up.
const STACK_MARGIN: u32 = 1 << 12;

/// What the names of the functions have that a panic of Rust goes through.
const PANICS: &[&str] = &["rust_panic", "rust_begin_unwind", "begin_panic_handler", "__rust_abort"];

/// The function of the C library that a failed `assert` calls, which then calls `abort`.
const ASSERT: &str = "__assert_fail";

/// How long a program may take until its globals are known, in jumps and calls.
const DRY_RUN: u64 = 100_000;

impl Layout {
    /// The layout of a module that was compiled with checks: it exports these globals.
    fn of(instance: &Instance, machine: &Machine<Concrete>) -> Option<Layout> {
        let global = |name| match instance.export(name) {
            Some(Extern::Global(global)) => Some(global),
            _ => None,
        };
        let Some(Extern::Memory(memory)) = instance.export("memory") else { return None };
        let (stack_pointer, heap) = (global("__stack_pointer")?, global("__heap_base")?);
        let heap = *machine.global(heap).first()? as u32;
        Some(Layout { memory, stack_pointer, heap })
    }

    /// The stack pointer.
    fn stack<D: Inputs>(&self, machine: &Machine<D>) -> u32 {
        machine.global(self.stack_pointer).first().map_or(0, |&value| D::bits(value) as u32)
    }

    /// Closes the null page and the heap.
    fn close(&self, machine: &mut Machine<Concrete>) -> Checks {
        let (memory, _) = machine.memory_mut(self.memory);
        memory.instrument();
        memory.grow(HEAP_PAGES);
        memory.repaint(0..NULL_END, Shade::NULL.0);
        let end = memory.pages() as usize * PAGE;
        memory.repaint(self.heap as usize..end, Shade::HEAP.0);
        Checks::new(self.heap..end as u32)
    }
}

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
        let limits = MachineLimits {
            pages: setup.pages.unwrap_or(DEFAULT_PAGES),
            frames: MAX_FRAMES,
            slots: MAX_SLOTS,
            ..MachineLimits::default()
        };
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
        if let Some(Extern::Global(global)) = instance.export("__stack_pointer") {
            machine.set_stack_pointer(global);
        }
        let layout = Layout::of(&instance, &machine);
        if let Some(layout) = layout {
            world.checks = layout.close(&mut machine);
        }
        if let Some(initialise) = export("_initialize") {
            machine.call(initialise, &[]);
            match machine.run(&mut world, &mut RunLimits::default().fuel) {
                MachineEnd::Returned(_) => {}
                MachineEnd::Trapped(trap) => return Err(trap.into()),
                MachineEnd::OutOfFuel => return Err(Error::StartOutOfFuel),
            }
        }
        let source = DebugInfo::new(&module, &machine);
        let parameters = parameters::of(machine.function_type(function), &source, name)?;
        parameters::check_lengths(&parameters, &setup.lengths)?;
        let memory = match instance.export("memory") {
            Some(Extern::Memory(memory)) => Some(memory),
            _ => None,
        };
        let mut checks = std::mem::take(&mut world.checks);
        if let Some(layout) = layout
            && name == "_start"
        {
            // A program names its globals when it starts: what this run learns need not be learnt again.
            let mut dry = machine.in_domain(Concrete::<()>::default());
            world.checks = checks.clone();
            dry.call(function, &[]);
            dry.run(&mut world, &mut DRY_RUN.clone());
            checks.learn_globals(&world.checks);
            checks.close_globals(machine.memory_mut(layout.memory).0);
        }
        let data: Vec<&[u8]> = module.data.iter().map(|segment| &segment.bytes[..]).collect();
        let bytes = memory.map_or(&[][..], |memory| machine.memory(memory).bytes());
        let words = words::of(&data, bytes, &checks.own_data());
        Ok(Program {
            files: Vec::new(),
            checks,
            layout,
            machine,
            memory,
            function,
            parameters,
            setup,
            options: ConcolicSettings::default(),
            source,
            words,
            imports: module.imports().iter().map(|import| import.name.clone()).collect(),
            concrete: Spare::default(),
            concolic: Spare::default(),
            tracing: Spare::default(),
        })
    }

    /// The same program with other choices of the concolic domain.
    #[must_use]
    pub fn with_options(self, options: ConcolicSettings) -> Program {
        Program { options, ..self }
    }

    /// Says from which files it was compiled, for those who want to compile them again.
    #[must_use]
    pub fn with_files(mut self, files: Vec<PathBuf>) -> Program {
        self.files = files;
        self
    }

    /// The files that it was compiled from, if that is known.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Whether it is a harness for a fuzzer.
    pub(crate) fn is_harness(&self) -> bool {
        let project = Project { files: &self.files, entry: None, flags: &[], checks: false, units: &[] };
        project.is_harness()
    }

    /// The world that it is in.
    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Whether it asks the world for a function.
    pub(crate) fn imports(&self, name: &str) -> bool {
        self.imports.iter().any(|known| known == name)
    }

    /// The machine as it is before a run.
    pub fn machine(&self) -> &Machine<Concrete> {
        &self.machine
    }

    fn run<D: Inputs>(
        &self,
        domain: D,
        spare: &Spare<D>,
        input: &Input,
        symbols: Symbols,
        limits: &RunLimits,
        too_long: impl Fn(&D) -> bool,
    ) -> (Run, D, Symbols) {
        let lent = spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut machine = self.machine.in_domain_with(domain, lent);
        let mut world = World::new(&self.setup, input, symbols);
        world.checks = self.checks.clone();
        let start = machine.first_site(self.function);
        let args = match self.memory {
            Some(memory) => {
                let (memory, domain) = machine.memory_mut(memory);
                parameters::arguments(&self.parameters, start, domain, memory, &mut world)
            }
            // Without memory pointers are null.
            None => {
                let mut none = Memory::new(0, 0);
                parameters::arguments(&self.parameters, start, &mut machine.domain, &mut none, &mut world)
            }
        };
        let mut left = limits.fuel;
        let outcome = if let Some(args) = args {
            machine.call(self.function, &args);
            loop {
                let mut slice = SLICE.min(left);
                left -= slice;
                let outcome = machine.run(&mut world, &mut slice);
                left = (left + slice).saturating_sub(machine.take_debt());
                let expired = || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
                let stopped = left == 0 || limits.stop.load(Ordering::Relaxed) || too_long(&machine.domain);
                if !matches!(outcome, MachineEnd::OutOfFuel) || stopped || expired() {
                    break outcome;
                }
            }
        } else {
            MachineEnd::Trapped(Stop::Assumption.trap())
        };
        let outcome = match outcome {
            MachineEnd::Trapped(trap) => {
                let trap = self.violation(&machine, world.own_stack(), trap);
                MachineEnd::Trapped(self.attributed(&machine, &mut world.checks, trap))
            }
            other => other,
        };
        let trap = if let MachineEnd::Trapped(trap) = outcome { Some(trap) } else { None };
        let ending = match outcome {
            MachineEnd::Returned(_) => Ending::Returned,
            MachineEnd::OutOfFuel => Ending::Unfinished,
            MachineEnd::Trapped(Trap::Host(code)) => match (Stop::of(code), world.exit) {
                (Some(Stop::Exit), Some(0)) => Ending::Returned,
                (Some(Stop::Exit), code) => Ending::Exited(code.unwrap_or(0)),
                (Some(Stop::Assumption), _) => Ending::Discarded,
                (Some(Stop::Assertion), _) => Ending::Assertion,
                (Some(Stop::Exception), _) => {
                    let ty = world.exception.as_deref().unwrap_or("unknown type");
                    Ending::Fault(Fault::named(&format!("exception {ty}")))
                }
                (Some(Stop::Abort), _) if self.calls(&machine.backtrace(), ASSERT) => Ending::Assertion,
                (Some(Stop::Abort), _) => Ending::Fault(Fault::ABORT),
                (Some(Stop::Unsupported), _) => {
                    let what = world.unsupported.as_deref().unwrap_or("a function");
                    Ending::Unsupported(Fault::named(what))
                }
                (Some(Stop::Error), _) | (None, _) => Ending::Error,
            },
            // A panic of Rust ends in a trap.
            MachineEnd::Trapped(Trap::Unreachable) if self.panics(&machine.backtrace()) => {
                Ending::Fault(Fault::PANIC)
            }
            MachineEnd::Trapped(trap) => Ending::Fault(trap.into()),
        };
        // A run that is cut off may turn out to hang.
        let shown = ending.is_crash() || ending == Ending::Unfinished;
        let stack = match ending {
            Ending::Unfinished => machine.next_instructions(),
            _ if shown => machine.backtrace(),
            _ => Vec::new(),
        };
        let failures = self.failures(&machine, &mut world.checks, (ending, trap), &stack);
        let World { objects, symbols, stdout, stderr, compared, .. } = world;
        let jumps = limits.fuel - left;
        let (domain, used) = machine.into_parts();
        if used.slots() <= MAX_SPARE {
            spare.lock().unwrap_or_else(PoisonError::into_inner).push(used);
        }
        let objects = objects.into_list();
        (Run { ending, objects, stdout, stderr, stack, jumps, failures, compared }, domain, symbols)
    }

    /// Whether a function is among the calls of a stack.
    fn calls(&self, stack: &[Site], name: &str) -> bool {
        let functions = stack.iter().filter_map(|&site| self.machine.locate(site));
        functions.into_iter().any(|location| self.source.function_name(location.function) == name)
    }

    /// Whether Rust's panic is among the calls of a stack.
    fn panics(&self, stack: &[Site]) -> bool {
        let functions = stack.iter().filter_map(|&site| self.machine.locate(site));
        let is_panic = |name: &str| PANICS.iter().any(|part| name.contains(part));
        functions.into_iter().any(|location| is_panic(&self.source.function_name(location.function)))
    }

    /// The name of the function that is running.
    fn innermost<D: Inputs>(&self, machine: &Machine<D>) -> String {
        let site = machine.backtrace().first().and_then(|&site| self.machine.locate(site));
        site.map_or(String::new(), |location| self.source.function_name(location.function))
    }

    /// What a trap is in the words of C: an access below the stack, when the stack is used up, is no null pointer, and a pointer to
    /// a function is a pointer.
    fn violation<D: Inputs>(&self, machine: &Machine<D>, own_stack: Option<u32>, trap: Trap) -> Trap {
        match (trap, self.layout) {
            (Trap::UninitializedElement, Some(_)) => Trap::Violation(Kind::Null),
            // The linker's own function in the place of one that is declared weak and defined nowhere: natively its address is null.
            (Trap::Unreachable, Some(_)) if self.innermost(machine).starts_with("undefined_weak:") => {
                Trap::Violation(Kind::Null)
            }
            (Trap::UndefinedElement, Some(_)) => Trap::Violation(Kind::Wild),
            (Trap::IndirectCallType, Some(_)) => Trap::Violation(Kind::FunctionType),
            (Trap::Violation(Kind::Null | Kind::Wild), Some(layout))
                if (layout.stack(machine) as i32) < (NULL_END as u32 + STACK_MARGIN) as i32 =>
            {
                Trap::Violation(Kind::StackExhausted)
            }
            // A thread's stack is a block of the heap, with whatever before it.
            (Trap::Violation(kind), Some(layout))
                if Kind::ACCESSES.contains(&kind)
                    && own_stack.is_some_and(|low| layout.stack(machine) < low + STACK_MARGIN) =>
            {
                Trap::Violation(Kind::StackExhausted)
            }
            (Trap::StackOverflow, Some(_)) => Trap::Violation(Kind::StackExhausted),
            _ => trap,
        }
    }

    /// What an access that was stopped is in the eyes of a domain that knows where its pointer comes from.
    fn attributed<D: Inputs>(&self, machine: &Machine<D>, checks: &mut Checks, trap: Trap) -> Trap {
        let (Trap::Violation(kind), Some(layout), true) = (trap, self.layout, D::TRACES) else { return trap };
        let memory = machine.memory(layout.memory);
        let Some(access) = memory.stopped().filter(|access| access.kind == kind) else { return trap };
        if checks.fatal.is_some() {
            return trap;
        }
        match checks.attribute(memory, access, machine.domain.provenance_of(&access)) {
            Some((kind, evidence)) => {
                checks.fatal = Some(evidence);
                Trap::Violation(kind)
            }
            None => trap,
        }
    }

    /// A run that an access ended is run again to see which object the access missed.
    fn with_provenance(&self, mut run: Run, input: &Input, limits: &RunLimits) -> Run {
        let Ending::Fault(fault) = run.ending else { return run };
        if self.layout.is_none() || !Kind::ACCESSES.iter().any(|kind| kind.row().name == fault.name()) {
            return run;
        }
        let domain = Tracing::new(&self.checks);
        let (again, ..) = self.run(domain, &self.tracing, input, Symbols::default(), limits, |_| false);
        // Without a limit of time they are the same run.
        if again.stack == run.stack {
            (run.ending, run.failures) = (again.ending, again.failures);
        }
        run
    }

    /// The errors of a run.
    fn failures<D: Inputs>(
        &self,
        machine: &Machine<D>,
        checks: &mut Checks,
        (ending, trap): (Ending, Option<Trap>),
        stack: &[Site],
    ) -> Vec<Failure> {
        let mut failures = std::mem::take(&mut checks.failures);
        let Some(layout) = self.layout else { return Vec::new() };
        let memory = machine.memory(layout.memory);
        match (ending, trap) {
            (_, Some(Trap::Violation(kind))) => {
                let evidence = checks.fatal.take().or_else(|| {
                    let access = memory.stopped().filter(|access| access.kind == kind)?;
                    Some(checks.evidence(memory, access))
                });
                let evidence = evidence.unwrap_or_default();
                failures.push(checks::Failure { kind, stack: stack.to_vec(), evidence });
            }
            (Ending::Returned | Ending::Exited(_), _) if self.setup.leaks => {
                let mut roots = checks.frames.in_use(memory);
                // A thread that ends the program has a stack of its own; the first one's is looked at as a whole then.
                let stack = layout.stack(machine) as usize;
                let stack = if stack < layout.heap as usize { stack } else { NULL_END };
                roots.push(stack..layout.heap as usize);
                let slots = machine.slots().map(|slot| slot as u32);
                for (start, block) in leaks::lost(&checks.heap, memory, &roots, slots) {
                    let evidence = Evidence { owner: checks.heap.owner(start), ..Evidence::default() };
                    failures.push(checks::Failure {
                        kind: Kind::Leak,
                        stack: block.allocated.clone(),
                        evidence,
                    });
                }
            }
            _ => {}
        }
        failures.into_iter().map(Failure::from).collect()
    }
}
