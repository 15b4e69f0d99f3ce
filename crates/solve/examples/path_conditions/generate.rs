//! Path conditions with a given profile. A witness is chosen first; every branch is an expression over the variables, compared
//! in a way that the witness satisfies. So each path condition has a solution, and nothing else about it is arranged.
//!
//! Each number of the profile is drawn so that half of the draws are at or below the median and half at or above it, up to the maximum; the
//! upper half thins out, as the distance between median and maximum in the table says it must.

use dashu_int::IBig;
use dashu_int::ops::DivRemEuclid;
use random::Rng;
use std::fmt::Write;

/// One line of Table II.
pub(crate) struct Row {
    pub(crate) what: &'static str,
    pub(crate) min: usize,
    pub(crate) median: usize,
    pub(crate) max: usize,
    /// The operator that is counted, if it is one.
    operator: Option<&'static str>,
}

/// The profile (Chen et al. 2019, Table II).
pub(crate) const TABLE: [Row; 7] = [
    Row { what: "branches", min: 3, median: 12, max: 19, operator: None },
    Row { what: "variables", min: 1, median: 6, max: 15, operator: None },
    Row { what: "+", min: 0, median: 8, max: 598, operator: Some("+") },
    Row { what: "-", min: 0, median: 9, max: 397, operator: Some("-") },
    Row { what: "*", min: 0, median: 8, max: 258, operator: Some("*") },
    Row { what: "/", min: 0, median: 4, max: 226, operator: Some("div") },
    Row { what: "%", min: 0, median: 4, max: 267, operator: Some("mod") },
];

/// Witnesses and constants are at most this far from zero: programs compare with numbers that people write.
const LARGEST: i64 = 1000;

/// A path condition.
pub(crate) struct PathCondition {
    seed: u64,
    index: u64,
    witness: Vec<i64>,
    branches: Vec<String>,
    /// Its numbers, in the order of the table.
    pub(crate) profile: [usize; TABLE.len()],
}

/// An expression and its value under the witness.
struct Valued {
    text: String,
    value: IBig,
}

impl PathCondition {
    /// The path condition of a seed and an index.
    pub(crate) fn new(seed: u64, index: u64) -> PathCondition {
        let mut rng = Rng::numbered(seed, index);
        let profile: [usize; TABLE.len()] = std::array::from_fn(|at| TABLE[at].draw(&mut rng));
        let witness: Vec<i64> = (0..profile[1]).map(|_| small(&mut rng)).collect();
        // Each operator goes to some branch; every variable occurs in some branch.
        let mut operators: Vec<Vec<&'static str>> = vec![Vec::new(); profile[0]];
        for (row, &count) in TABLE.iter().zip(&profile) {
            if let Some(operator) = row.operator {
                (0..count).for_each(|_| operators[rng.below(profile[0])].push(operator));
            }
        }
        let mut due: Vec<usize> = (0..witness.len()).collect();
        rng.shuffle(&mut due);
        let mut branches = Vec::new();
        for (at, mut list) in operators.into_iter().enumerate() {
            rng.shuffle(&mut list);
            let left = profile[0] - at;
            let here = due.len().div_ceil(left);
            let must = due.split_off(due.len() - here);
            branches.push(branch(&mut rng, &witness, &list, must));
        }
        PathCondition { seed, index, witness, branches, profile }
    }

    /// The script, with its status.
    pub(crate) fn script(&self) -> String {
        let mut text = String::from("(set-logic QF_NIA)\n(set-info :status sat)\n");
        writeln!(text, "(set-info :source |path condition {} of seed {}|)", self.index, self.seed)
            .expect("writing to a string");
        for variable in 0..self.witness.len() {
            writeln!(text, "(declare-const {} Int)", name(variable)).expect("writing to a string");
        }
        for branch in &self.branches {
            writeln!(text, "(assert {branch})").expect("writing to a string");
        }
        text.push_str("(check-sat)\n");
        text
    }

    /// The solution that it was made for, as a model.
    #[allow(dead_code, reason = "the program does not tell the solution; the test does")]
    pub(crate) fn model(&self) -> String {
        let define = |(variable, value): (usize, &i64)| {
            format!("(define-fun {} () Int {})", name(variable), number(&IBig::from(*value)))
        };
        format!("({})", self.witness.iter().enumerate().map(define).collect::<Vec<_>>().join(" "))
    }
}

impl Row {
    fn draw(&self, rng: &mut Rng) -> usize {
        if rng.one_in(2) {
            return self.min + rng.below(self.median - self.min + 1);
        }
        // Even in the logarithm of the distance, thinned further: one draw in ten passes half of the logarithm's way.
        let far = (self.max - self.median) as f64;
        let way = rng.unit().powi(3);
        self.median + ((far + 1.0).powf(way) - 1.0).round() as usize
    }
}

fn name(variable: usize) -> String {
    format!("i{variable}")
}

fn number(value: &IBig) -> String {
    if *value < IBig::ZERO { format!("(- {})", -value.clone()) } else { value.to_string() }
}

/// Half of all numbers are within ten of zero.
fn small(rng: &mut Rng) -> i64 {
    let far = if rng.one_in(2) { 10 } else { LARGEST };
    rng.between(-far, far)
}

/// A branch with these operators, in which some variables must occur.
fn branch(rng: &mut Rng, witness: &[i64], operators: &[&'static str], must: Vec<usize>) -> String {
    let variable = |at: usize| Valued { text: name(at), value: witness[at].into() };
    let mut pool: Vec<Valued> = must.into_iter().take(operators.len() + 2).map(variable).collect();
    while pool.len() < operators.len() + 2 {
        // Two leaves in three are variables.
        pool.push(if rng.one_in(3) {
            let value = IBig::from(small(rng));
            Valued { text: number(&value), value }
        } else {
            variable(rng.below(witness.len()))
        });
    }
    for operator in operators {
        let (a, b) = (take(rng, &mut pool), take(rng, &mut pool));
        pool.push(combine(rng, operator, a, b));
    }
    let (right, left) = (pool.pop(), pool.pop());
    let (left, right) = (left.expect("two are left"), right.expect("two are left"));
    compare(rng, &left, &right)
}

fn take(rng: &mut Rng, pool: &mut Vec<Valued>) -> Valued {
    let at = rng.below(pool.len());
    pool.swap_remove(at)
}

/// An operation on two expressions. Nothing is divided by what is zero under the witness.
fn combine(rng: &mut Rng, operator: &str, a: Valued, b: Valued) -> Valued {
    let divides = matches!(operator, "div" | "mod");
    let (a, mut b) = if divides && b.value == IBig::ZERO { (b, a) } else { (a, b) };
    if divides && b.value == IBig::ZERO {
        let value = IBig::from(1 + rng.below(10));
        b = Valued { text: format!("(+ {} {value})", b.text), value };
    }
    let value = match operator {
        "+" => &a.value + &b.value,
        "-" => &a.value - &b.value,
        "*" => &a.value * &b.value,
        "div" => a.value.clone().div_rem_euclid(&b.value).0,
        _ => IBig::from(a.value.clone().div_rem_euclid(&b.value).1),
    };
    Valued { text: format!("({operator} {} {})", a.text, b.text), value }
}

/// A comparison that holds. Equalities are rare where both sides happen to be equal, as they are in programs.
fn compare(rng: &mut Rng, left: &Valued, right: &Valued) -> String {
    let relations: &[&str] = match left.value.cmp(&right.value) {
        std::cmp::Ordering::Less => &["<", "<=", "distinct"],
        std::cmp::Ordering::Greater => &[">", ">=", "distinct"],
        std::cmp::Ordering::Equal => &["<=", ">=", "="],
    };
    let (left, right) = (&left.text, &right.text);
    format!("({} {left} {right})", relations[rng.below(relations.len())])
}
