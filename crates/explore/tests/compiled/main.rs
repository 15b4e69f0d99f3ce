//! The compiled engine beside the interpreter, its reference: on the same inputs both give the same ending, output, jumps, errors,
//! coverage, route and habits. Where clang cannot compile to WebAssembly the tests say so and check nothing.
#![cfg(feature = "compiled")]

use explore::world::{Input, Setup};
use explore::{Backend, Ending, Program, RunLimits, Target, clang};
use random::Rng;
use std::path::Path;

fn module(file: &str, entry: Option<&str>, checks: bool) -> Option<Vec<u8>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    match clang::compile(&clang::Project { files: &[file], entry, flags: &[], checks }) {
        Ok(module) => Some(module),
        Err(error @ clang::Error::Missing { .. }) => {
            eprintln!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// What inputs are made of: letters that the programs look for, and anything.
fn bytes(rng: &mut Rng, size: usize) -> Vec<u8> {
    const LIKELY: &[u8] = b"abcdef0123456789+-*/()[]{}\"\\, .:\n\0truefalsenull";
    let byte = |_| if rng.one_in(4) { rng.bits() as u8 } else { rng.pick(LIKELY) };
    (0..size).map(byte).collect()
}

/// Runs inputs on both engines; gives how many runs machine code made, and of how many.
fn compare(name: &str, module: &[u8], setup: &Setup, runs: usize) -> (u64, usize) {
    let load = |backend| {
        let program = Program::load(module, setup.clone()).expect("the module fits the world");
        program.with_backend(backend).unwrap_or_else(|reason| panic!("{name}: {reason}"))
    };
    let (reference, compiled) = (load(Backend::Interpreter), load(Backend::Compiled));
    let sites = reference.sites().count();
    let mut rng = Rng::named(1, name);
    let mut names = vec!["stdin".to_string()];
    let mut parts = 0;
    for number in 0..runs {
        let size = rng.below(setup.stdin + 1);
        let input: Input = names.iter().map(|name| (name.clone(), bytes(&mut rng, size.max(8)))).collect();
        // Some runs are cut off.
        let fuel = if number % 5 == 4 { rng.below(3000) as u64 } else { 200_000 };
        let limits = RunLimits { fuel, draft: true, ..RunLimits::default() };
        let (expected, way) = reference.run_concrete(&input, &limits);
        let (mut actual, trail) = compiled.run_concrete(&input, &limits);
        if expected.ending == Ending::Unfinished {
            // A draft does not say where it was.
            actual.stack.clone_from(&expected.stack);
        }
        let shown = String::from_utf8_lossy(input.get("stdin").map_or(&[], |bytes| bytes)).into_owned();
        assert_eq!(actual, expected, "{name} on {shown:?}");
        assert_eq!(trail.route(), way.route(), "{name} on {shown:?}: {}", expected.ending);
        assert_eq!(trail.routes(), way.routes(), "{name} on {shown:?}");
        assert_eq!(trail.pairs(), way.pairs(), "{name} on {shown:?}");
        let (marks, cases) = trail.executed(sites);
        let (expected_marks, expected_cases) = way.executed(sites);
        assert_eq!(cases, expected_cases, "{name} on {shown:?}");
        let differing = marks.iter().zip(&expected_marks).position(|(a, b)| a != b);
        let place = differing.map(|at| (at, marks[at], expected_marks[at]));
        assert_eq!(place, None, "{name} on {shown:?}: {}", expected.ending);
        // What a run asks for is given to the next one.
        names = expected.objects.iter().map(|object| object.name.clone()).collect();
        names.push("stdin".to_string());
        parts += 1;
    }
    (compiled.compiled_runs(), parts)
}

#[test]
fn programs_do_the_same_on_both() {
    let programs = [
        ("programs/parser.c", 64),
        ("programs/switch.c", 16),
        ("programs/sort.c", 32),
        ("programs/counting.c", 16),
        ("programs/floats.c", 32),
        ("differential/numbers.c", 64),
        ("differential/words.c", 64),
        ("differential/machine.c", 64),
        ("differential/arguments.c", 16),
        ("checks/surroundings.c", 32),
        ("checks/undefined.c", 16),
        ("checks/places.c", 16),
        ("checks/heap.c", 16),
        ("checks/jump.c", 16),
    ];
    for (file, stdin) in programs {
        for checks in [false, true] {
            let Some(module) = module(file, None, checks) else { return };
            let setup = Setup { stdin, args: vec![6], ..Setup::default() };
            let (compiled, all) = compare(file, &module, &setup, 60);
            eprintln!("{file}, checks {checks}: {compiled} of {all} runs in machine code");
        }
    }
}

#[test]
fn functions_get_their_parameters() {
    let Some(module) = module("programs/entry.c", Some("classify"), true) else { return };
    let setup = Setup { entry: Some("classify".to_string()), pointee: 16, ..Setup::default() };
    compare("entry", &module, &setup, 40);
}

/// A module with what the compiler of C hardly ever writes: branches that take operands along, tables of functions, many results.
const ODD: &str = r#"(module
  (import "env" "__VERIFIER_nondet_int" (func $int (result i32)))
  (import "env" "sl_assert" (func $assert (param i32)))
  (import "env" "sl_assume" (func $assume (param i32)))
  (memory (export "memory") 1 4)
  (global $g (mut i32) (i32.const 5))
  (table 4 funcref)
  (elem (i32.const 0) $twice $int_of $recurse)
  (type $unary (func (param i32) (result i32)))
  (func $twice (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2)))
  (func $int_of (param i32) (result i32) (i32.add (call $int) (local.get 0)))
  (func $recurse (param i32) (result i32)
    (if (result i32) (i32.gt_u (local.get 0) (i32.const 200))
      (then (i32.const 1))
      (else (i32.add (i32.const 1) (call $recurse (i32.add (local.get 0) (i32.const 1)))))))
  (func $pick (param i32) (result i32)
    (block $a (result i32)
      (block $b (result i32)
        (i32.const 7)
        (br_table $a $b $a 2 $b (i32.and (local.get 0) (i32.const 7))))
      (drop) (i32.const 9)
      (br_if $a (i32.and (local.get 0) (i32.const 8)))
      (drop) (i32.const 11)))
  (func $early (param i32) (result i32)
    (local.get 0)
    (br_if 0 (i64.eqz (i64.extend_i32_u (i32.and (local.get 0) (i32.const 3)))))
    (drop)
    (select (i32.const 3) (global.get $g) (i32.eqz (i32.and (local.get 0) (i32.const 4)))))
  (func (export "_start") (local $x i32) (local $n i32)
    (local.set $x (call $int))
    (call $assume (i32.ne (i32.and (local.get $x) (i32.const 0xff)) (i32.const 0x55)))
    (global.set $g (i32.add (global.get $g) (call $pick (local.get $x))))
    (call $assert (i32.const 1))
    (global.set $g (i32.add (global.get $g) (call $early (i32.shr_u (local.get $x) (i32.const 3)))))
    (global.set $g (call_indirect (type $unary) (global.get $g) (i32.and (i32.shr_u (local.get $x) (i32.const 6)) (i32.const 3))))
    (drop (memory.grow (i32.and (local.get $x) (i32.const 1))))
    (memory.fill (i32.const 16) (local.get $x) (i32.and (local.get $x) (i32.const 1023)))
    (memory.copy (i32.const 100) (i32.const 16) (i32.const 50))
    (i32.store (i32.shl (memory.size) (i32.const 4)) (global.get $g))
    (f64.store (i32.const 510) (f64.div (f64.const 0) (f64.convert_i32_s (i32.and (local.get $x) (i32.const 1)))))
    (local.set $n (i32.and (local.get $x) (i32.const 31)))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (i32.store8 (i32.mul (local.get $n) (i32.const 511)) (i32.load8_u offset=3 (i32.const 508)))
        (br $next)))
    (if (i32.and (local.get $x) (i32.const 64)) (then (drop (i32.load (i32.shl (local.get $x) (i32.const 8))))))))"#;

#[test]
fn odd_modules_do_the_same_on_both() {
    let module = explore::text_to_binary(ODD.as_bytes()).expect("the module is well-formed");
    let (compiled, all) = compare("odd", &module, &Setup { stdin: 8, ..Setup::default() }, 400);
    assert!(compiled as usize > all / 3, "{compiled} of {all} runs in machine code");
}

#[test]
fn what_cannot_be_compiled_is_left_to_the_interpreter() {
    let text =
        r#"(module (func (export "_start") (drop (i32x4.extract_lane 0 (v128.const i32x4 1 2 3 4)))))"#;
    let module = explore::text_to_binary(text.as_bytes()).expect("the module is well-formed");
    let load = || Program::load(&module, Setup::default()).expect("the module fits the world");
    assert!(load().with_backend(Backend::Compiled).is_err());
    let (run, _) = load().run_concrete(&Input::new(), &RunLimits::default());
    assert_eq!(run.ending, Ending::Returned);
}
