//! The same query on our engines and on another solver, one after the other.
//!
//! `cargo run -p solve --example other_solver -- [z3 -in | cvc5 --lang smt2 | ...]`
//!
//! The crate starts no process, so this example does. What the other one prints is judged as our own models are: by the evaluator.

use smt::{Op, SortId};
use solve::solver::{Answer, Solver};
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};

/// Right-angled triangles with integer sides and a perimeter of at least 30, and whether one has sides of the same length.
fn triangle(solver: &mut Solver) -> smt::TermId {
    let sides = ["a", "b", "c"].map(|name| solver.constant(name, SortId::INT));
    let terms = solver.terms_mut();
    let [a, b, c] = sides.map(|side| terms.mk(Op::Mul, &[side, side]));
    let (zero, perimeter) = (terms.int(0), terms.mk(Op::Add, &sides));
    let sum = terms.mk(Op::Add, &[a, b]);
    let thirty = terms.int(30);
    let mut all = vec![terms.mk(Op::Eq, &[sum, c]), terms.mk(Op::Ge, &[perimeter, thirty])];
    all.extend(sides.map(|side| terms.mk(Op::Gt, &[side, zero])));
    let isosceles = terms.mk(Op::Eq, &[sides[0], sides[1]]);
    all.into_iter().for_each(|assertion| solver.assert(assertion));
    isosceles
}

fn show(who: &str, solver: &Solver, answer: &Answer) {
    match answer {
        Answer::Sat(model) => println!("{who}: sat\n{}", model.to_smtlib(solver.terms())),
        Answer::Unsat(core) => println!("{who}: unsat, {} assertions conflict", core.len()),
        Answer::Unknown(reason) => println!("{who}: unknown ({reason})"),
    }
}

fn ask(command: &[String], script: &str) -> std::io::Result<String> {
    let mut child =
        Command::new(&command[0]).args(&command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(script.as_bytes())?;
    drop(input);
    Ok(String::from_utf8_lossy(&child.wait_with_output()?.stdout).into_owned())
}

fn main() -> ExitCode {
    let mut command: Vec<String> = std::env::args().skip(1).collect();
    if command.is_empty() {
        command = vec!["z3".into(), "-in".into()];
    }
    let mut solver = Solver::new();
    let isosceles = triangle(&mut solver);
    solver.set_time_limit(Some(std::time::Duration::from_secs(10)));
    for assumptions in [vec![], vec![isosceles]] {
        let ours = solver.check_assuming(&assumptions);
        show("soundline", &solver, &ours);
        match ask(&command, &solver.script(&assumptions)) {
            Ok(printed) => {
                let theirs = solver.accept(&assumptions, &printed);
                show(&command[0], &solver, &theirs);
            }
            Err(error) => {
                eprintln!("{}: {error}", command[0]);
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::SUCCESS
}
