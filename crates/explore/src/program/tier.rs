//! Which of the two engines makes a run on values: the interpreter at first, machine code once that is worth compiling.
//!
//! Both give the same, so it never shows which one it was; only the time does. Compiling takes about as long as the interpreter takes for
//! `JUMPS_PER_SITE` jumps for each site of the program, so it begins when that many were made: a short exploration never pays for it.
//! A run that machine code cannot finish (an error that is reported, a hang, a long jump) is made again by the interpreter. Where most runs
//! are of this kind machine code is given up.

use super::{Program, parameters};
use crate::compiled::{Compiled, Given, Start};
use crate::coverage::Trail;
use crate::module::Module;
use crate::target::{Input, Run, RunLimits};
use crate::types::{GlobalId, MemoryId};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

/// Jumps of the interpreter, for each site, that take about as long as compiling does.
const JUMPS_PER_SITE: u64 = 400;

/// How many runs machine code may leave to the interpreter, beyond as many as it made itself.
const PATIENCE: u64 = 256;

/// Which engine makes runs on values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// The interpreter, until compiling pays.
    #[default]
    Auto,
    /// The interpreter alone.
    Interpreter,
    /// Machine code from the first run on.
    Compiled,
}

/// What is known about compiling a program.
#[derive(Debug)]
pub(super) struct Tier {
    module: Module,
    backend: Backend,
    /// The compiled program, or why there is none.
    compiled: OnceLock<Result<Compiled, String>>,
    /// Held by whoever compiles.
    compiling: Mutex<()>,
    /// The jumps that the interpreter made.
    jumps: AtomicU64,
    /// The runs that machine code made.
    runs: AtomicU64,
    /// The runs that it left to the interpreter.
    left: AtomicU64,
}

impl Tier {
    pub(super) fn new(module: Module) -> Tier {
        Tier {
            module,
            backend: Backend::Auto,
            compiled: OnceLock::new(),
            compiling: Mutex::new(()),
            jumps: AtomicU64::new(0),
            runs: AtomicU64::new(0),
            left: AtomicU64::new(0),
        }
    }

    /// Whether it is worth trying machine code.
    fn pays(&self) -> bool {
        match self.backend {
            Backend::Interpreter => false,
            Backend::Compiled => true,
            Backend::Auto => {
                self.left.load(Ordering::Relaxed) <= self.runs.load(Ordering::Relaxed) + PATIENCE
            }
        }
    }
}

impl Program {
    /// The same program on another engine. Machine code is made at once; the message says why it cannot be.
    pub fn with_backend(mut self, backend: Backend) -> Result<Program, String> {
        self.tier.backend = backend;
        if backend == Backend::Compiled
            && let Err(reason) = self.tier.compiled.get_or_init(|| self.compile())
        {
            return Err(reason.clone());
        }
        Ok(self)
    }

    fn compile(&self) -> Result<Compiled, String> {
        let function = &self.machine.functions()[self.function.index()];
        if function.host.is_some() {
            return Err("the function to run is the world's".to_string());
        }
        if self.setup.leaks {
            return Err("leaks are looked for in the interpreter's stack".to_string());
        }
        let globals = 0..self.tier.module.globals.len() as u32;
        let globals: Vec<u64> =
            globals.map(|at| self.machine.global(GlobalId(at)).first().copied().unwrap_or(0)).collect();
        Compiled::new(Start {
            module: &self.tier.module,
            functions: self.machine.functions(),
            entry: function.index,
            globals: &globals,
            memory: self.machine.memory(self.memory_or_none()),
        })
    }

    fn memory_or_none(&self) -> MemoryId {
        // A module has one memory at most; the machine's first one belongs to modules that have none.
        MemoryId(u32::from(!self.tier.module.memories.is_empty()))
    }

    /// Makes a run in machine code, if there is any and it can.
    pub(super) fn run_compiled(&self, input: &Input, limits: &RunLimits) -> Option<(Run, Trail)> {
        if !self.tier.pays() {
            return None;
        }
        let compiled = self.tier.compiled.get()?.as_ref().ok()?;
        let given = Given {
            setup: &self.setup,
            checks: &self.checks,
            input,
            limits,
            memory: self.machine.memory(self.memory_or_none()),
        };
        let start = self.machine.first_site(self.function);
        let ran = compiled.run(given, |domain, memory, world| {
            parameters::arguments(&self.parameters, start, domain, memory, world)
        });
        let count = if ran.is_some() { &self.tier.runs } else { &self.tier.left };
        count.fetch_add(1, Ordering::Relaxed);
        ran
    }

    /// How many runs were made in machine code.
    pub fn compiled_runs(&self) -> u64 {
        self.tier.runs.load(Ordering::Relaxed)
    }

    /// Counts what the interpreter did, and compiles if it was much.
    pub(super) fn interpreted(&self, jumps: u64) {
        let tier = &self.tier;
        if tier.backend != Backend::Auto || tier.compiled.get().is_some() {
            return;
        }
        let all = tier.jumps.fetch_add(jumps, Ordering::Relaxed) + jumps;
        if all > JUMPS_PER_SITE * self.machine.site_count() as u64
            // Others go on while one compiles.
            && let Ok(_compiling) = tier.compiling.try_lock()
        {
            let made = tier.compiled.get_or_init(|| self.compile());
            if let Err(reason) = made {
                tracing::debug!(reason, "the program stays with the interpreter");
            }
        }
    }
}
