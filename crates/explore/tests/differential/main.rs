//! Real programs on our machine, in both domains, and on `wasmi`: output, exit code and trap must be the same.
//!
//! Every program is C with the whole C library below it. In the concolic domain its input is symbolic, so that everything it
//! computes drags terms along. Where clang cannot compile to WebAssembly the tests say so and check nothing.

mod wasi;

use explore::world::{Input, Setup, Symbols};
use explore::{Ending, Fault, Program, Run, RunLimits, Target, Trap, clang};
use random::Rng;
use smt::Terms;
use std::path::Path;
use wasi::{End, Seen};
use wasmi::TrapCode;

fn compiled(name: &str) -> Option<Vec<u8>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential").join(name);
    match clang::compile(&clang::Project {
        files: &[file],
        entry: None,
        flags: &[],
        checks: false,
        units: &[],
    }) {
        Ok(module) => Some(module),
        Err(error @ clang::Error::Missing { .. }) => {
            testkit::missing(&error.to_string());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Traps by `wasmi`'s names.
const CODES: &[(Trap, TrapCode)] = &[
    (Trap::Unreachable, TrapCode::UnreachableCodeReached),
    (Trap::DivisionByZero, TrapCode::IntegerDivisionByZero),
    (Trap::IntegerOverflow, TrapCode::IntegerOverflow),
    (Trap::InvalidConversion, TrapCode::BadConversionToInteger),
    (Trap::MemoryOutOfBounds, TrapCode::MemoryOutOfBounds),
    (Trap::TableOutOfBounds, TrapCode::TableOutOfBounds),
    (Trap::UndefinedElement, TrapCode::TableOutOfBounds),
    (Trap::UninitializedElement, TrapCode::IndirectCallToNull),
    (Trap::IndirectCallType, TrapCode::BadSignature),
    (Trap::StackOverflow, TrapCode::StackOverflow),
];

fn code(fault: Fault) -> TrapCode {
    // The other machine's `abort` is a trap; ours says what it is.
    if fault == Fault::ABORT {
        return TrapCode::UnreachableCodeReached;
    }
    let row = CODES.iter().find(|(trap, _)| Fault::from(*trap) == fault);
    row.map_or_else(|| panic!("{}: no trap of the machine", fault.name()), |row| row.1)
}

fn seen(run: Run) -> Seen {
    let end = match run.ending {
        Ending::Returned => End::Exit(0),
        Ending::Exited(code) => End::Exit(code),
        Ending::Fault(fault) => End::Trap(code(fault)),
        other => panic!("a run that should end by itself: {other}"),
    };
    Seen { end, stdout: run.stdout, stderr: run.stderr }
}

/// A program on an input, in our two domains.
fn ours(module: &[u8], stdin: &[u8], args: &[&[u8]]) -> [Seen; 2] {
    let setup =
        Setup { stdin: stdin.len(), args: args.iter().map(|arg| arg.len()).collect(), ..Setup::default() };
    let program = Program::load(module, setup).expect("the module fits the world");
    let mut input = Input::from([("stdin".to_string(), stdin.to_vec())]);
    input.extend((1..).zip(args).map(|(i, arg)| (format!("arg{i}"), arg.to_vec())));
    let limits = RunLimits { path: usize::MAX, ..RunLimits::default() };
    let (concrete, _) = program.run_concrete(&input, &limits);
    let (mut terms, mut symbols) = (Terms::new(), Symbols::default());
    let (concolic, _) = program.run_concolic(&input, &mut terms, &mut symbols, &limits);
    [seen(concrete), seen(concolic)]
}

/// Compares on one input, and gives what `wasmi` saw.
fn compare(module: &[u8], stdin: &[u8], args: &[&[u8]]) -> Seen {
    let expected = wasi::run(module, stdin, args);
    for (domain, seen) in ["concrete", "concolic"].into_iter().zip(ours(module, stdin, args)) {
        let text = |seen: &Seen| {
            format!(
                "{:?}\n{}{}",
                seen.end,
                String::from_utf8_lossy(&seen.stdout),
                String::from_utf8_lossy(&seen.stderr)
            )
        };
        let input = String::from_utf8_lossy(stdin);
        assert!(seen == expected, "{input:?} {domain}: {}\nwasmi: {}", text(&seen), text(&expected));
    }
    expected
}

#[test]
fn numbers() {
    let Some(module) = compiled("numbers.c") else { return };
    let seen = compare(
        &module,
        b"1 2\n-7 3\n0x7fffffffffffffff 1\n2.5e3 -0.125\n1e308 10\n-0 0\n4294967296 65537\n3.99999 1e-310\n",
        &[],
    );
    assert_eq!(seen.end, End::Exit(8));
    let mut rng = Rng::named(1, "differential numbers");
    for _ in 0..6 {
        let number = |rng: &mut Rng| match rng.below(3) {
            0 => format!("{}", rng.bits() as i8),
            1 => format!("{}", rng.bits() as i64),
            _ => format!("{:e}", rng.bits() as i32 as f64 * 2f64.powi(rng.below(80) as i32 - 60)),
        };
        let text = format!("{} {}\n", number(&mut rng), number(&mut rng));
        compare(&module, text.as_bytes(), &[]);
    }
}

#[test]
fn words() {
    let Some(module) = compiled("words.c") else { return };
    let seen = compare(
        &module,
        b"the quick brown fox; the LAZY dog, the end of the fox (a very-long-word-indeed)",
        &[],
    );
    assert!(seen.stdout.starts_with(b"   4 the"), "{:?}", String::from_utf8_lossy(&seen.stdout));
    compare(&module, b"", &[]);
    let mut rng = Rng::named(1, "differential words");
    for _ in 0..4 {
        let text: Vec<u8> = (0..150).map(|_| b"abA \xff1"[rng.below(6)]).collect();
        compare(&module, &text, &[]);
    }
}

#[test]
fn arguments() {
    let Some(module) = compiled("arguments.c") else { return };
    assert_eq!(compare(&module, b"", &[]).end, End::Exit(1));
    let seen = compare(&module, b"", &[b"-v", b"", b"a b", b"\xc3\xa4--"]);
    assert_eq!((seen.end, &*seen.stderr), (End::Exit(5), &b"option v\n"[..]));
}

#[test]
fn endings() {
    let Some(module) = compiled("endings.c") else { return };
    let table = [
        ('d', End::Trap(TrapCode::IntegerDivisionByZero)),
        ('r', End::Trap(TrapCode::IntegerDivisionByZero)),
        ('o', End::Trap(TrapCode::IntegerOverflow)),
        ('l', End::Trap(TrapCode::MemoryOutOfBounds)),
        ('s', End::Trap(TrapCode::MemoryOutOfBounds)),
        ('a', End::Trap(TrapCode::UnreachableCodeReached)),
        ('u', End::Trap(TrapCode::UnreachableCodeReached)),
        ('i', End::Trap(TrapCode::BadSignature)),
        ('n', End::Trap(TrapCode::IndirectCallToNull)),
        ('e', End::Trap(TrapCode::TableOutOfBounds)),
        ('c', End::Trap(TrapCode::IntegerOverflow)),
        ('C', End::Trap(TrapCode::BadConversionToInteger)),
        ('x', End::Exit(77)),
        ('q', End::Exit(3)),
        ('b', End::Exit(u32::MAX)),
        ('z', End::Exit(0)),
    ];
    for (how, end) in table {
        let seen = compare(&module, how.to_string().as_bytes(), &[]);
        assert_eq!(seen.end, end, "{how}");
        assert_eq!(seen.stdout, format!("ending {how}\n").as_bytes());
    }
    // How deep a stack is, is each machine's own affair; that it ends is not.
    for seen in [vec![wasi::run(&module, b"f", &[])], ours(&module, b"f", &[]).into()].concat() {
        assert!(
            matches!(seen.end, End::Trap(TrapCode::StackOverflow | TrapCode::MemoryOutOfBounds)),
            "{seen:?}"
        );
    }
}

#[test]
fn a_machine_in_the_machine() {
    let Some(module) = compiled("machine.c") else { return };
    let programs: &[&[u8]] = &[
        b"12+p 34*dp5-~",
        b"99*9*9*9*9*9*9*9*9*9*9*9*9*9*9*9*9*9*9*9*",
        b"7fs23/%",
        b"12",
        b"10/",
        b"10%",
        b"+",
        b"1m2m<!",
        b"1?",
        b"1dddddddddddddddddddddddddddddddddddddd",
        b"\0\xff",
    ];
    for program in programs {
        compare(&module, program, &[]);
    }
    let mut rng = Rng::named(1, "differential machine");
    let mut ends = std::collections::BTreeSet::new();
    for _ in 0..40 {
        let text: Vec<u8> = (0..30).map(|_| b"0123456789012345678+-*/%<&|!~sfdpm"[rng.below(34)]).collect();
        ends.insert(format!("{:?}", compare(&module, &text, &[]).end));
    }
    assert!(ends.len() >= 3, "random programs should end in several ways: {ends:?}");
}

/// The comparison can fail: another input is another run.
#[test]
fn a_difference_is_seen() {
    let Some(module) = compiled("machine.c") else { return };
    let [concrete, concolic] = ours(&module, b"12+", &[]);
    assert_eq!(concrete, concolic);
    for other in [&b"13+"[..], b"10/", b"+"] {
        assert_ne!(wasi::run(&module, other, &[]), concrete);
    }
}
