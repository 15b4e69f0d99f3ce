//! The compiled engine beside the interpreter, its reference: on the same inputs both give the same ending, output, jumps, errors,
//! coverage, route and habits.
#![cfg(feature = "compiled")]

use explore::coverage::{Coverage, Trail};
use explore::world::{Input, Setup};
use explore::{Backend, Ending, Program, Run, RunLimits, Target, clang};
use random::Rng;
use std::fmt::Write;
use std::path::Path;

fn module(file: &str, entry: Option<&str>, checks: bool) -> Vec<u8> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    let project = clang::Project { files: &[file], entry, flags: &[], checks, units: &[] };
    clang::compile(&project).unwrap_or_else(|error| panic!("{error}"))
}

fn text(text: &str) -> Vec<u8> {
    explore::text_to_binary(text.as_bytes()).expect("the module is well-formed")
}

/// What inputs are made of: letters that the programs look for, and anything.
fn bytes(rng: &mut Rng, size: usize) -> Vec<u8> {
    const LIKELY: &[u8] = b"abcdef0123456789+-*/()[]{}\"\\, .:\n\0truefalsenull";
    let byte = |_| if rng.one_in(4) { rng.bits() as u8 } else { rng.pick(LIKELY) };
    (0..size).map(byte).collect()
}

/// A program on both engines, and what runs on each of them covered so far.
struct Pair {
    name: String,
    reference: Program,
    compiled: Program,
    coverage: [Coverage; 2],
}

impl Pair {
    fn load(name: &str, module: &[u8], setup: &Setup) -> Pair {
        let load = |backend| {
            let program = Program::load(module, setup.clone()).expect("the module fits the world");
            program.with_backend(backend).unwrap_or_else(|reason| panic!("{name}: {reason}"))
        };
        let (reference, compiled) = (load(Backend::Interpreter), load(Backend::Compiled));
        let coverage = [(); 2].map(|()| Coverage::new(reference.sites()));
        Pair { name: name.to_string(), reference, compiled, coverage }
    }

    /// Makes a run on both, and gives the interpreter's.
    fn run(&mut self, input: &Input, limits: &RunLimits) -> Run {
        let (expected, way) = self.reference.run_concrete(input, limits);
        let (actual, trail) = self.compiled.run_concrete(input, limits);
        let shown = format!("{} on {input:?} with {}: {}", self.name, limits.fuel, expected.ending);
        assert_eq!(actual, expected, "{shown}");
        self.same_trail(&trail, &way, &shown);
        let sites = self.reference.sites();
        let [left, right] = &mut self.coverage;
        assert_eq!(left.is_new(&way), right.is_new(&trail), "{shown}");
        assert_eq!(left.is_unusual(&way), right.is_unusual(&trail), "{shown}");
        assert_eq!(left.add(&way, sites), right.add(&trail, sites), "{shown}");
        assert!(!left.is_new(&trail) && !right.is_new(&way), "{shown}");
        expected
    }

    fn same_trail(&self, trail: &Trail, way: &Trail, shown: &str) {
        assert_eq!(trail.routes(), way.routes(), "{shown}");
        assert_eq!(trail.route(), way.route(), "{shown}");
        assert_eq!(trail.pairs(), way.pairs(), "{shown}");
        let sites = self.reference.sites().count();
        let (marks, cases) = trail.executed(sites);
        let (expected_marks, expected_cases) = way.executed(sites);
        assert_eq!(cases, expected_cases, "{shown}");
        let differing = marks.iter().zip(&expected_marks).position(|(a, b)| a != b);
        let place = differing.map(|at| (at, marks[at], expected_marks[at]));
        assert_eq!(place, None, "{shown}");
    }
}

/// Runs random inputs on both engines; gives the share of runs that machine code made, in percent.
fn compare(name: &str, module: &[u8], setup: &Setup, runs: u64) -> u64 {
    let mut pair = Pair::load(name, module, setup);
    let mut rng = Rng::named(1, name);
    let mut names = vec!["stdin".to_string()];
    let (mut all, mut jumps) = (0, 0);
    for number in 0..runs {
        let size = rng.below(setup.stdin + 1);
        let input: Input = names.iter().map(|name| (name.clone(), bytes(&mut rng, size.max(8)))).collect();
        // Some runs are cut off: somewhere, and right before, at or behind the end of the run before.
        let fuel = match number % 10 {
            3 => rng.below(3000) as u64,
            5 => jumps,
            7 => jumps + 1,
            9 => jumps.saturating_sub(1),
            _ => 200_000,
        };
        let run = pair.run(&input, &RunLimits { fuel, ..RunLimits::default() });
        // The same input with just enough fuel, and with a little less.
        if number % 10 == 4 && run.jumps < fuel {
            for fuel in [run.jumps, run.jumps.saturating_sub(1)] {
                pair.run(&input, &RunLimits { fuel, ..RunLimits::default() });
                all += 1;
            }
        }
        // What a run asks for is given to the next one.
        names = run.objects.iter().map(|object| object.name.clone()).collect();
        names.push("stdin".to_string());
        jumps = run.jumps;
        all += 1;
    }
    100 * pair.compiled.compiled_runs() / all
}

/// The programs with the size of their input, and the least share of runs, in percent, that machine code makes without checks.
#[test]
fn programs_do_the_same_on_both() {
    let programs = [
        ("programs/parser.c", 64, 50),
        ("programs/switch.c", 16, 50),
        ("programs/sort.c", 32, 50),
        ("programs/counting.c", 16, 50),
        ("programs/floats.c", 32, 50),
        ("programs/behind.c", 32, 0),
        ("differential/numbers.c", 64, 50),
        ("differential/words.c", 64, 50),
        ("differential/machine.c", 64, 0),
        ("differential/arguments.c", 16, 0),
        ("differential/endings.c", 16, 0),
        ("checks/surroundings.c", 32, 0),
        ("checks/undefined.c", 16, 0),
        ("checks/places.c", 16, 0),
        ("checks/heap.c", 16, 0),
        ("checks/jump.c", 16, 0),
    ];
    for (file, stdin, least) in programs {
        for checks in [false, true] {
            let module = module(file, None, checks);
            let setup = Setup { stdin, args: vec![6], ..Setup::default() };
            let share = compare(file, &module, &setup, 60);
            eprintln!("{file}, checks {checks}: {share}% of the runs in machine code");
            assert!(checks || share >= least, "{file}: {share}% of the runs in machine code");
        }
    }
}

#[test]
fn functions_get_their_parameters() {
    let module = module("programs/entry.c", Some("classify"), true);
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
    let share = compare("odd", &text(ODD), &Setup { stdin: 8, ..Setup::default() }, 400);
    assert!(share > 30, "{share}% of the runs in machine code");
}

/// A module whose memory grows by as much as its input says: what may be touched differs from run to run.
const GROWING: &str = r#"(module
  (import "env" "__VERIFIER_nondet_int" (func $int (result i32)))
  (memory (export "memory") 1 6)
  (func (export "_start") (local $x i32)
    (local.set $x (call $int))
    (drop (memory.grow (i32.and (local.get $x) (i32.const 3))))
    (i64.store offset=7 (i32.and (i32.shr_u (local.get $x) (i32.const 8)) (i32.const 0x3ffff)) (i64.const -1))
    (if (i64.ne (i64.load (i32.and (i32.shr_u (local.get $x) (i32.const 4)) (i32.const 0x2ffff))) (i64.const 0))
      (then (i32.store8 (i32.const 65535) (memory.size))))))"#;

#[test]
fn memory_grows_and_is_what_it_was_in_the_next_run() {
    let share = compare("growing", &text(GROWING), &Setup { stdin: 4, ..Setup::default() }, 600);
    assert!((20..80).contains(&share), "{share}% of the runs in machine code");
}

/// A function that calls itself as often as its input says, with so many locals.
fn recursive(locals: usize) -> String {
    let mut text = String::from(
        r#"(module (import "env" "__VERIFIER_nondet_int" (func $int (result i32)))
        (global $depth (mut i32) (i32.const 0))
        (func $down (param i32) (result i32) (local "#,
    );
    (0..locals).for_each(|_| text.push_str("i64 "));
    let _ = write!(
        text,
        r#") (if (i32.eqz (local.get 0)) (then (return (i32.const 1))))
        (local.set {locals} (i64.extend_i32_u (local.get 0)))
        (i32.add (i32.wrap_i64 (local.get {locals})) (call $down (i32.sub (local.get 0) (i32.const 1)))))
        (func (export "_start") (global.set $depth (call $down (i32.and (call $int) (i32.const 0x3ffff))))))"#
    );
    text
}

#[test]
fn deep_recursion_ends_at_the_same_depth() {
    for locals in [1, 100, 300, 3000] {
        let module = text(&recursive(locals));
        let mut pair = Pair::load("recursion", &module, &Setup::default());
        let mut overflows = 0;
        let asked = pair.run(&Input::new(), &RunLimits::default()).objects;
        for depth in [0, 10, 1000, 1398, 5000, 13_900, 14_100, 40_000, 99_990, 100_010, 200_000_u32] {
            let input = Input::from([(asked[0].name.clone(), depth.to_le_bytes().to_vec())]);
            let run = pair.run(&input, &RunLimits::default());
            overflows += usize::from(matches!(run.ending, Ending::Fault(_)));
        }
        assert!(overflows > 0 && pair.compiled.compiled_runs() > 1, "{locals} locals");
    }
}

#[test]
fn what_cannot_be_compiled_is_left_to_the_interpreter() {
    let module =
        text(r#"(module (func (export "_start") (drop (i32x4.extract_lane 0 (v128.const i32x4 1 2 3 4)))))"#);
    let load = || Program::load(&module, Setup::default()).expect("the module fits the world");
    assert!(load().with_backend(Backend::Compiled).is_err());
    let (run, _) = load().run_concrete(&Input::new(), &RunLimits::default());
    assert_eq!(run.ending, Ending::Returned);
}

/// A program begins on the interpreter and goes on in machine code, which does not show.
#[test]
fn compiling_does_not_show() {
    let module = module("programs/parser.c", None, true);
    let setup = Setup { stdin: 16, ..Setup::default() };
    let load = || Program::load(&module, setup.clone()).expect("the module fits the world");
    let reference = load().with_backend(Backend::Interpreter).expect("it needs no compiler");
    let program = load();
    let mut rng = Rng::named(1, "tier");
    for _ in 0..100_000 {
        let input = Input::from([("stdin".to_string(), bytes(&mut rng, 16))]);
        let (run, trail) = program.run_concrete(&input, &RunLimits::default());
        let (expected, way) = reference.run_concrete(&input, &RunLimits::default());
        assert_eq!((run, trail.route()), (expected, way.route()));
        if program.compiled_runs() > 20 {
            return;
        }
    }
    panic!("{} runs in machine code", program.compiled_runs());
}
