//! Random QF_LIA and QF_LRA conjunctions against z3, in one batch.

use std::io::Write;
use std::process::{Command, Stdio};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::oracle::{Row, System, row};
use crate::simplex::{Budget, ConjunctionAnswer, Relation};

const SYSTEMS: usize = 250;
const VARS: usize = 5;

fn integer(n: i64) -> String {
    if n < 0 { format!("(- {})", n.unsigned_abs()) } else { n.to_string() }
}

fn assertion(row: &Row) -> String {
    let sum: Vec<String> =
        row.coeffs.iter().enumerate().map(|(v, c)| format!("(* {} x{v})", integer(*c))).collect();
    let (operator, negated) = match row.relation {
        Relation::Le => ("<=", false),
        Relation::Lt => ("<", false),
        Relation::Ge => (">=", false),
        Relation::Gt => (">", false),
        Relation::Eq => ("=", false),
        Relation::Ne => ("=", true),
    };
    let atom = format!("({operator} (+ {}) {})", sum.join(" "), integer(row.constant));
    if negated { format!("(assert (not {atom}))") } else { format!("(assert {atom})") }
}

fn systems() -> Vec<System> {
    let mut runner =
        TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let mut draw = |strategy: proptest::strategy::BoxedStrategy<Vec<Row>>| {
        strategy.new_tree(&mut runner).expect("generation cannot fail").current()
    };
    (0..SYSTEMS)
        .map(|index| System {
            ints: (0..VARS).map(|var| index % 3 != 0 && (index % 3 != 1 || var % 2 == 0)).collect(),
            rows: draw(proptest::collection::vec(row(VARS, 9, 30), 4..12).boxed()),
        })
        .collect()
}

/// One verdict a system, or `None` where there is no z3.
fn z3_verdicts(systems: &[System]) -> Option<Vec<String>> {
    let mut script = String::from("(set-option :timeout 2000)\n");
    for system in systems {
        script.push_str("(push)\n");
        for (var, int) in system.ints.iter().enumerate() {
            script.push_str(&format!("(declare-const x{var} {})\n", if *int { "Int" } else { "Real" }));
        }
        for row in &system.rows {
            script.push_str(&assertion(row));
            script.push('\n');
        }
        script.push_str("(check-sat)\n(pop)\n");
    }
    let mut child =
        Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut stdin = child.stdin.take()?;
    let writer = std::thread::spawn(move || stdin.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("z3 runs");
    writer.join().expect("no panic").expect("z3 reads its input");
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

#[test]
fn verdicts_agree_with_z3() {
    let systems = systems();
    let Some(theirs) = z3_verdicts(&systems) else {
        eprintln!("skipped: z3 is not on PATH");
        return;
    };
    assert_eq!(theirs.len(), systems.len(), "{:?}", theirs.iter().find(|line| line.contains("error")));
    let mut decided = [0, 0];
    for (system, theirs) in systems.iter().zip(&theirs) {
        let ours = match system.conjunction().solve(&mut Budget::ticks(20_000_000), None) {
            ConjunctionAnswer::Sat(model) => {
                assert!(system.satisfied_by(&model), "{system:?} {model:?}");
                decided[0] += 1;
                "sat"
            }
            ConjunctionAnswer::Unsat(_) => {
                decided[1] += 1;
                "unsat"
            }
            ConjunctionAnswer::Unknown => "unknown",
        };
        assert!(ours == theirs || ours == "unknown" || theirs == "unknown", "{ours} {theirs} {system:?}");
    }
    assert!(decided[0] > 30 && decided[1] > 30, "one-sided: {decided:?}");
    assert!(decided[0] + decided[1] >= SYSTEMS * 98 / 100, "too many unknown: {decided:?}");
}
