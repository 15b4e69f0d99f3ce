//! Random formulas over reals, mixed numbers and uninterpreted functions against Z3, all in one run of it.

use super::{solve, status};
use random::Rng;
use std::io::Write;
use std::process::{Command, Stdio};

/// Constants and how numbers are made in one family of formulas.
struct Family {
    declarations: &'static str,
    /// Unknowns of sort Real or Int.
    atoms: &'static [&'static str],
    numerals: &'static [&'static str],
}

static FAMILIES: [Family; 4] = [
    Family {
        declarations: "(declare-const a Real)(declare-const b Real)(declare-const c Real)",
        atoms: &["a", "b", "c", "(ite (< a b) a c)"],
        numerals: &["0.0", "1.0", "2.5", "(/ 1.0 3.0)", "(- 1.5)"],
    },
    Family {
        declarations: "(declare-const a Real)(declare-const n Int)(declare-const m Int)",
        atoms: &["a", "(to_real n)", "(to_real m)", "(to_real (to_int a))", "(abs a)"],
        numerals: &["0.0", "0.5", "1.0", "(- 2.0)", "3.25"],
    },
    Family {
        declarations: "(declare-const n Int)(declare-const m Int)(declare-const k Int)
            (declare-fun f (Int) Int)(declare-fun g (Int Int) Int)",
        atoms: &["n", "m", "k", "(f n)", "(f m)", "(f (f n))", "(g n m)", "(g m (f k))"],
        numerals: &["0", "1", "2", "5", "(- 3)"],
    },
    Family {
        declarations: "(declare-sort U 0)(declare-fun v (U) Int)(declare-const s U)(declare-const t U)
            (declare-const u U)(declare-fun h (U) U)",
        atoms: &["(v s)", "(v t)", "(v u)", "(v (h s))", "(v (ite (= s t) u (h t)))"],
        numerals: &["0", "1", "4", "(- 1)"],
    },
];

fn sum(family: &Family, random: &mut Rng) -> String {
    let pick = |list: &[&str], random: &mut Rng| random.pick(list).to_string();
    let mut parts = vec![pick(family.numerals, random)];
    for _ in 0..random.between(1, 3) {
        let (numeral, atom) = (pick(family.numerals, random), pick(family.atoms, random));
        parts.push(if random.below(2) == 0 { atom } else { format!("(* {numeral} {atom})") });
    }
    format!("(+ {})", parts.join(" "))
}

fn formula(family: &Family, random: &mut Rng, depth: u32) -> String {
    if depth == 0 {
        let relation = ["<=", "<", ">=", ">", "=", "distinct"][random.below(6)];
        return format!("({relation} {} {})", sum(family, random), sum(family, random));
    }
    let gate = ["and", "or", "xor", "=>", "not"][random.below(5)];
    let count = if gate == "not" { 1 } else { random.between(2, 3) };
    let parts: Vec<String> = (0..count).map(|_| formula(family, random, depth - 1)).collect();
    format!("({gate} {})", parts.join(" "))
}

fn script(seed: u64) -> String {
    let family = &FAMILIES[(seed % FAMILIES.len() as u64) as usize];
    let mut random = Rng::new(seed + 7);
    let mut out = family.declarations.to_string();
    for _ in 0..random.between(3, 9) {
        let depth = random.below(2) as u32;
        out += &format!("\n(assert {})", formula(family, &mut random, depth));
    }
    out
}

#[test]
fn verdicts_agree_with_z3() {
    let scripts: Vec<String> = (0..240).map(script).collect();
    let batch: String =
        scripts.iter().map(|script| format!("(push 1){script}(check-sat)(pop 1)\n")).collect();
    let mut child = Command::new("z3")
        .args(["-in", "-t:5000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 is on the path");
    let mut input = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || input.write_all(batch.as_bytes()));
    let output = child.wait_with_output().expect("z3 runs");
    writer.join().expect("no panic").expect("z3 reads");
    let answers = String::from_utf8_lossy(&output.stdout);
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), scripts.len(), "{answers:?}");
    let mut counts = [0; 2];
    for (script, answer) in scripts.iter().zip(answers) {
        if answer == "unknown" {
            continue;
        }
        assert_eq!(status(&solve(script)), answer, "{script}");
        counts[usize::from(answer == "sat")] += 1;
    }
    assert!(counts[0] > 30 && counts[1] > 30, "{counts:?} of unsat and sat");
}
