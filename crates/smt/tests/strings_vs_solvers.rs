//! Strings and regular expressions against Z3 and cvc5.
//!
//! Random ground applications of every operator of UnicodeStrings, with edge values, are evaluated here and asserted to
//! have another value; a solver that agrees answers `unsat` to each. All questions go to a solver in one run. Where a
//! solver deviates, a row of [`DEVIATIONS`] names the exact term and the reason; where it has no evaluation at all for an
//! operator, a row of [`UNEVALUATED`] says so. A solver that is not installed fails the test.

use std::io::Write;
use std::process::{Command, Stdio};

use dashu_int::IBig;
use smt::regex::{RegexId, Regexes};
use smt::string::{Escapes, SmtString, print_literal};

/// A solver and how it reads a script from standard input.
struct Solver {
    name: &'static str,
    arguments: &'static [&'static str],
}

const SOLVERS: [Solver; 2] = [
    Solver { name: "z3", arguments: &["-in"] },
    Solver { name: "cvc5", arguments: &["--lang=smt2", "--incremental", "--strings-exp"] },
];

/// Operators that a release knows but does not evaluate: it may answer `unknown`.
const UNEVALUATED: &[(&str, &str)] = &[("z3 4.8.12", "str.replace_re"), ("z3 4.8.12", "str.replace_re_all")];

/// A release, a term and the reason why that release gives it another value.
const DEVIATIONS: &[(&str, &str, &str)] = &[
    (
        "cvc5 1.0.3",
        r#"(str.replace_re "bbab" (re.++ ((_ re.^ 0) (re.union (str.to_re "") re.all re.none)) (re.++ (str.to_re "a") (str.to_re "b"))) "")"#,
        "the power 0 of a star is rewritten to the star, which is not the empty string alone",
    ),
    (
        "cvc5 1.0.3",
        r#"(str.replace_re_all "a" (re.comp (re.++ ((_ re.^ 0) re.all) (re.opt (str.to_re "aa")))) "")"#,
        "the power 0 of a star is rewritten to the star, which is not the empty string alone",
    ),
];

/// An application and the value that it has here, both as SMT-LIB text.
struct Case {
    operator: &'static str,
    term: String,
    value: String,
}

/// A small generator of pseudo-random numbers (xorshift64*).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Few letters, so that patterns occur; rarely a character that needs an escape.
    fn string(&mut self, longest: usize) -> SmtString {
        let rare = self.below(4) == 0;
        let letters: &[u32] =
            if rare { &[0x61, 0x62, 0x22, 0x5C, 0x0A, 0xFF, 0x100, 0x2FFFF] } else { &[0x61, 0x61, 0x62] };
        let len = self.below(longest + 1);
        SmtString::from_code_points((0..len).map(|_| self.pick(letters))).expect("legal characters")
    }

    fn letter(&mut self) -> SmtString {
        SmtString::from_code(&IBig::from(self.pick(&[0x61, 0x61, 0x62, 0x62, 0x63, 0xFF, 0x100, 0x2FFFF])))
    }

    fn index(&mut self) -> IBig {
        match self.below(8) {
            0 => IBig::from(-1 - self.below(3) as i64),
            1 => self.pick(&[1i8, -1]) * (IBig::ONE << 70),
            _ => IBig::from(self.below(8)),
        }
    }

    /// Strings of digits, and some that only look like numbers.
    fn numeral(&mut self) -> SmtString {
        let len = self.pick(&[0, 1, 1, 2, 5, 30]);
        let letters: &[u32] =
            if self.below(4) == 0 { &[0x30, 0x39, 0x2D, 0x2B, 0x661] } else { &[0x30, 0x31, 0x39] };
        SmtString::from_code_points((0..len).map(|_| self.pick(letters))).expect("legal characters")
    }
}

fn literal(s: &SmtString) -> String {
    print_literal(s, Escapes::Unicode).expect("every string has a literal")
}

fn integer(value: &IBig) -> String {
    let digits = value.to_string();
    digits.strip_prefix('-').map_or(digits.clone(), |magnitude| format!("(- {magnitude})"))
}

/// A regular expression: its text and its language.
type Regex = (String, RegexId);

fn regex(rng: &mut Rng, regexes: &mut Regexes, size: usize) -> Regex {
    if size <= 1 {
        return match rng.below(9) {
            0 if rng.below(4) == 0 => ("re.none".into(), regexes.none()),
            0 => ("re.all".into(), regexes.all()),
            1 => ("re.allchar".into(), regexes.all_char()),
            2 => {
                let (lo, hi) = (rng.letter(), rng.letter());
                (format!("(re.range {} {})", literal(&lo), literal(&hi)), regexes.range(&lo, &hi))
            }
            _ => {
                let s = rng.string(2);
                (format!("(str.to_re {})", literal(&s)), regexes.literal(&s))
            }
        };
    }
    match rng.below(13) {
        kind @ 0..6 => {
            let n = 2 + rng.below(2);
            let parts: Vec<Regex> = (0..n).map(|_| regex(rng, regexes, (size - 1) / n)).collect();
            let ids: Vec<RegexId> = parts.iter().map(|&(_, id)| id).collect();
            let texts: Vec<&str> = parts.iter().map(|(text, _)| text.as_str()).collect();
            let (operator, id) = match kind {
                0..3 => ("re.++", regexes.concat(&ids)),
                3 | 4 => ("re.union", regexes.union(&ids)),
                _ => ("re.inter", regexes.inter(&ids)),
            };
            (format!("({operator} {})", texts.join(" ")), id)
        }
        6 => {
            let (left, right) = (regex(rng, regexes, size / 2), regex(rng, regexes, size / 2));
            (format!("(re.diff {} {})", left.0, right.0), regexes.diff(left.1, right.1))
        }
        kind => {
            let (text, body) = regex(rng, regexes, size - 1);
            let (lo, hi) = (rng.below(4) as u64, rng.below(5) as u64);
            match kind {
                7 => (format!("(re.comp {text})"), regexes.comp(body)),
                8 => (format!("(re.* {text})"), regexes.star(body)),
                9 => (format!("(re.+ {text})"), regexes.plus(body)),
                10 => (format!("(re.opt {text})"), regexes.opt(body)),
                11 => (format!("((_ re.^ {lo}) {text})"), regexes.power(body, lo)),
                _ => (format!("((_ re.loop {lo} {hi}) {text})"), regexes.repeat(body, lo, hi)),
            }
        }
    }
}

/// What makes a random application of an operator: its arguments and its value as text.
type Generate = fn(&mut Rng) -> (Vec<String>, String);

fn on_regex<T>(
    rng: &mut Rng,
    apply: impl FnOnce(&mut Regexes, RegexId, &SmtString) -> T,
) -> (String, SmtString, T) {
    let mut regexes = Regexes::new();
    let size = 1 + rng.below(9);
    let (text, id) = regex(rng, &mut regexes, size);
    let s = rng.string(6);
    let value = apply(&mut regexes, id, &s);
    (text, s, value)
}

/// Every operator of the theory that takes or gives a string.
const OPERATORS: &[(&str, Generate)] = &[
    ("str.++", |rng| {
        let (a, b, c) = (rng.string(4), rng.string(4), rng.string(4));
        let value = SmtString::concat(&[&a, &b, &c]).expect("short");
        (vec![literal(&a), literal(&b), literal(&c)], literal(&value))
    }),
    ("str.len", |rng| {
        let s = rng.string(9);
        (vec![literal(&s)], s.len().to_string())
    }),
    ("str.<", |rng| {
        let (a, b) = (rng.string(3), rng.string(3));
        (vec![literal(&a), literal(&b)], (a < b).to_string())
    }),
    ("str.<=", |rng| {
        let (a, b) = (rng.string(3), rng.string(3));
        (vec![literal(&a), literal(&b)], (a <= b).to_string())
    }),
    ("str.at", |rng| {
        let (s, i) = (rng.string(6), rng.index());
        (vec![literal(&s), integer(&i)], literal(&s.at(&i)))
    }),
    ("str.substr", |rng| {
        let (s, i, n) = (rng.string(6), rng.index(), rng.index());
        (vec![literal(&s), integer(&i), integer(&n)], literal(&s.substr(&i, &n)))
    }),
    ("str.prefixof", |rng| {
        let (a, b) = (rng.string(2), rng.string(4));
        (vec![literal(&a), literal(&b)], a.prefix_of(&b).to_string())
    }),
    ("str.suffixof", |rng| {
        let (a, b) = (rng.string(2), rng.string(4));
        (vec![literal(&a), literal(&b)], a.suffix_of(&b).to_string())
    }),
    ("str.contains", |rng| {
        let (a, b) = (rng.string(6), rng.string(2));
        (vec![literal(&a), literal(&b)], a.contains(&b).to_string())
    }),
    ("str.indexof", |rng| {
        let (a, b, i) = (rng.string(7), rng.string(2), rng.index());
        (vec![literal(&a), literal(&b), integer(&i)], integer(&a.index_of(&b, &i)))
    }),
    ("str.replace", |rng| {
        let (a, b, c) = (rng.string(6), rng.string(2), rng.string(3));
        (vec![literal(&a), literal(&b), literal(&c)], literal(&a.replace(&b, &c).expect("short")))
    }),
    ("str.replace_all", |rng| {
        let (a, b, c) = (rng.string(7), rng.string(2), rng.string(3));
        (vec![literal(&a), literal(&b), literal(&c)], literal(&a.replace_all(&b, &c).expect("short")))
    }),
    ("str.is_digit", |rng| {
        let s = rng.numeral();
        (vec![literal(&s)], s.is_digit().to_string())
    }),
    ("str.to_code", |rng| {
        let s = rng.string(2);
        (vec![literal(&s)], integer(&s.to_code()))
    }),
    ("str.from_code", |rng| {
        let edges = [-1, 0, 0x22, 0x5C, 0x7F, 0xFF, 0x100, 0xD800, 0xFFFF, 0x2FFFF, 0x30000, 0x10FFFF];
        let code = if rng.below(2) == 0 { IBig::from(rng.pick(&edges)) } else { rng.index() };
        (vec![integer(&code)], literal(&SmtString::from_code(&code)))
    }),
    ("str.to_int", |rng| {
        let s = rng.numeral();
        (vec![literal(&s)], integer(&s.to_int()))
    }),
    ("str.from_int", |rng| {
        let value = rng.index() * rng.index();
        (vec![integer(&value)], literal(&SmtString::from_int(&value)))
    }),
    ("str.in_re", |rng| {
        let (re, s, value) = on_regex(rng, |regexes, id, s| regexes.matches(id, s).expect("small"));
        (vec![literal(&s), re], value.to_string())
    }),
    ("str.replace_re", |rng| {
        let by = rng.string(2);
        let (re, s, value) = on_regex(rng, |regexes, id, s| s.replace_re(regexes, id, &by).expect("small"));
        (vec![literal(&s), re, literal(&by)], literal(&value))
    }),
    ("str.replace_re_all", |rng| {
        let by = rng.string(2);
        let (re, s, value) =
            on_regex(rng, |regexes, id, s| s.replace_re_all(regexes, id, &by).expect("small"));
        (vec![literal(&s), re, literal(&by)], literal(&value))
    }),
];

fn cases(per_operator: usize) -> Vec<Case> {
    let mut rng = Rng(0x5EED);
    let mut cases = Vec::new();
    for &(operator, generate) in OPERATORS {
        for _ in 0..per_operator {
            let (arguments, value) = generate(&mut rng);
            cases.push(Case { operator, term: format!("({operator} {})", arguments.join(" ")), value });
        }
    }
    cases
}

/// The release of an installed solver, like `z3 4.8.12`.
fn release(solver: &Solver) -> Option<String> {
    let output = Command::new(solver.name).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    Some(format!("{} {version}", solver.name))
}

/// The answers to the question whether each term has another value than the one given.
fn ask(solver: &Solver, cases: &[Case]) -> Vec<String> {
    let mut script = String::from("(set-logic ALL)\n");
    for case in cases {
        let assertion = format!("(assert (not (= {} {})))", case.term, case.value);
        script.push_str(&format!("(push 1)\n{assertion}\n(check-sat)\n(pop 1)\n"));
    }
    let mut child = Command::new(solver.name)
        .args(solver.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the solver answered to --version");
    let mut stdin = child.stdin.take().expect("piped");
    // From a thread, since the solver's answers may fill their pipe before it has read everything.
    let writer = std::thread::spawn(move || stdin.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("the solver ends");
    writer.join().expect("no panic").expect("the solver reads its whole input");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn solvers_agree() {
    let cases = cases(120);
    for solver in &SOLVERS {
        let Some(release) = release(solver) else {
            testkit::missing(solver.name);
            continue;
        };
        let answers = ask(solver, &cases);
        assert_eq!(answers.len(), cases.len(), "{release} gives one answer to each question: {answers:?}");
        let mut unexplained = Vec::new();
        for (case, answer) in cases.iter().zip(&answers) {
            let unevaluated = answer == "unknown" && UNEVALUATED.contains(&(&release, case.operator));
            let known = DEVIATIONS.iter().any(|&(who, term, _)| who == release && term == case.term);
            if answer != "unsat" && !unevaluated && !known {
                unexplained.push(format!("{answer}: {} is {} here", case.term, case.value));
            }
        }
        assert!(unexplained.is_empty(), "{release} deviates:\n{}", unexplained.join("\n"));
        for (_, term, reason) in DEVIATIONS.iter().filter(|&&(who, ..)| who == release) {
            let at = cases.iter().position(|case| case.term == *term);
            let at = at.unwrap_or_else(|| panic!("no question is {term}"));
            assert_ne!(answers[at], "unsat", "{release} agrees on {term}, although: {reason}");
        }
    }
}

/// Ranges that the standard makes empty, since a bound is not one character. cvc5 ends with an error at the first, so each
/// is a run of its own.
#[test]
fn ranges_without_two_characters_are_empty() {
    let refusal = r#"(error "expecting a single constant string term in regexp range")"#;
    for (lo, hi) in [("", "b"), ("a", ""), ("", ""), ("aa", "b"), ("a", "bb")] {
        let mut regexes = Regexes::new();
        let [lo, hi, s] = [lo, hi, "a"].map(|text| SmtString::from_text(text).expect("ASCII"));
        let range = regexes.range(&lo, &hi);
        assert_eq!(regexes.matches(range, &s), Ok(false));
        let term = format!("(str.in_re {} (re.range {} {}))", literal(&s), literal(&lo), literal(&hi));
        let case = [Case { operator: "str.in_re", term, value: "false".into() }];
        for solver in &SOLVERS {
            match release(solver).as_deref() {
                None => testkit::missing(solver.name),
                Some("cvc5 1.0.3") => assert_eq!(ask(solver, &case), [refusal], "{}", case[0].term),
                Some(release) => assert_eq!(ask(solver, &case), ["unsat"], "{release}: {}", case[0].term),
            }
        }
    }
}

#[test]
fn a_wrong_value_is_noticed() {
    let wrong = |operator, term: &str, value: &str| Case { operator, term: term.into(), value: value.into() };
    let planted = [
        wrong("str.substr", r#"(str.substr "abc" 1 5)"#, r#""b""#),
        wrong("str.indexof", r#"(str.indexof "abc" "" 3)"#, "(- 1)"),
        wrong("str.in_re", r#"(str.in_re "" (re.+ (str.to_re "a")))"#, "true"),
    ];
    for solver in SOLVERS.iter().filter(|solver| release(solver).is_some()) {
        assert!(ask(solver, &planted).iter().all(|answer| answer == "sat"), "{}", solver.name);
    }
}
