//! Programs that speak SMT-LIB to a solver, spoken to by themselves: pysmt (where Python has it; `scripts/check` installs it) and easy-smt.

use easy_smt::{Context, ContextBuilder, Response, SExpr};
use std::path::Path;
use std::process::Command;

const SOUNDLINE: &str = env!("CARGO_BIN_EXE_soundline");

#[test]
fn pysmt_examples_are_answered() {
    let python = |args: &[&str]| Command::new("python3").args(args).output();
    let has_pysmt = python(&["-c", "import pysmt"]).is_ok_and(|output| output.status.success());
    if !has_pysmt {
        eprintln!("skipped: python3 has no pysmt (pip install pysmt)");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/pysmt_examples.py");
    let output = python(&[script.to_str().expect("a path"), SOUNDLINE]).expect("python3");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    let summary = text.lines().last().expect("a summary");
    let words: Vec<&str> = summary.split(' ').collect();
    let ["solved", solved, "unknown", unknown, "wrong", "0"] = words[..] else { panic!("{text}") };
    let (solved, unknown): (u32, u32) =
        (solved.parse().expect("a number"), unknown.parse().expect("a number"));
    // What stays unknown has quantifiers, or words without bounds.
    assert!(unknown * 2 <= solved, "{text}");
}

fn context() -> Context {
    let mut builder = ContextBuilder::new();
    builder.solver(SOUNDLINE).solver_args(["solve"]);
    builder.build().expect("a solver that answers")
}

#[test]
fn easy_smt_asserts_checks_and_reads_values() {
    let mut ctx = context();
    ctx.set_logic("QF_LIA").expect("a logic");
    let (int, two, one) = (ctx.int_sort(), ctx.numeral(2), ctx.numeral(1));
    let x = ctx.declare_const("x", int).expect("a constant");
    let between = ctx.and(ctx.lte(x, two), ctx.gt(x, one));
    ctx.assert(between).expect("an assertion");
    assert_eq!(ctx.check().expect("an answer"), Response::Sat);
    let solution = ctx.get_value(vec![x]).expect("values");
    assert_eq!(ctx.get_u64(solution[0].1), Some(2));
    ctx.push().expect("a level");
    let odd = ctx.eq(ctx.modulo(x, two), one);
    ctx.assert(odd).expect("an assertion");
    assert_eq!(ctx.check().expect("an answer"), Response::Unsat);
    ctx.pop().expect("a level");
    assert_eq!(ctx.check().expect("an answer"), Response::Sat);
}

#[test]
fn easy_smt_names_cores_and_assumes() {
    let mut ctx = context();
    let yes = ctx.true_();
    ctx.set_option(":produce-unsat-cores", yes).expect("an option");
    ctx.set_logic("QF_UF").expect("a logic");
    let bool = ctx.bool_sort();
    let [p, q] = ["p", "q"].map(|name| ctx.declare_const(name, bool).expect("a constant"));
    let (first, not_p) = (ctx.named("first", p), ctx.not(p));
    ctx.assert(first).expect("an assertion");
    let second = ctx.named("second", q);
    ctx.assert(second).expect("an assertion");
    assert_eq!(ctx.check_assuming([not_p]).expect("an answer"), Response::Unsat);
    assert_eq!(ctx.check_assuming([q]).expect("an answer"), Response::Sat);
    let third = ctx.named("third", not_p);
    ctx.assert(third).expect("an assertion");
    assert_eq!(ctx.check().expect("an answer"), Response::Unsat);
    let core = ctx.get_unsat_core().expect("a core");
    assert_eq!(ctx.display(core).to_string(), "(first third)");
}

#[test]
fn easy_smt_hears_of_errors_and_goes_on() {
    let mut ctx = context();
    let nonsense = ctx.atom("no-such-symbol");
    let error = ctx.assert(nonsense).expect_err("an unknown symbol");
    assert!(error.to_string().contains("no-such-symbol"), "{error}");
}

/// A four by four Sudoku over bit-vectors, as easy-smt's own larger example has it over integers.
#[test]
fn easy_smt_solves_a_sudoku() {
    let mut ctx = context();
    ctx.set_logic("QF_BV").expect("a logic");
    let sort = ctx.bit_vec_sort(ctx.numeral(3));
    let cells: Vec<SExpr> =
        (0..16).map(|at| ctx.declare_const(format!("c{at}"), sort).expect("a cell")).collect();
    for &cell in &cells {
        let (one, four) = (ctx.binary(3, 1), ctx.binary(3, 4));
        let inside = ctx.and(ctx.bvule(one, cell), ctx.bvule(cell, four));
        ctx.assert(inside).expect("an assertion");
    }
    let rows = (0..4).map(|r| (0..4).map(|c| 4 * r + c).collect::<Vec<_>>());
    let columns = (0..4).map(|c| (0..4).map(|r| 4 * r + c).collect());
    let boxes = [0, 2, 8, 10].into_iter().map(|at| vec![at, at + 1, at + 4, at + 5]);
    for group in rows.chain(columns).chain(boxes) {
        let different = ctx.distinct_many(group.iter().map(|&at| cells[at]));
        ctx.assert(different).expect("an assertion");
    }
    for (at, given) in [(0, 1), (5, 4), (10, 2), (15, 1)] {
        let given = ctx.binary(3, given);
        let fixed = ctx.eq(cells[at], given);
        ctx.assert(fixed).expect("an assertion");
    }
    let answer = ctx.check().expect("an answer");
    assert_eq!(answer, Response::Sat);
    let values = ctx.get_value(cells.clone()).expect("values");
    let values: Vec<u64> = values.iter().map(|v| ctx.get_u64(v.1).expect("a digit")).collect();
    for row in values.chunks(4) {
        let mut row = row.to_vec();
        row.sort_unstable();
        assert_eq!(row, [1, 2, 3, 4]);
    }
}
