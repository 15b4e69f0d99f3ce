//! Random formulas as trees with their own semantics over machine integers: the oracle of the brute-force tests.

use random::Rng;
use std::fmt::Write;

/// An integer term.
pub(super) enum Num {
    Var(usize),
    Const(i64),
    Add(Box<Num>, Box<Num>),
    Sub(Box<Num>, Box<Num>),
    Scale(i64, Box<Num>),
    Abs(Box<Num>),
    Div(Box<Num>, i64),
    Mod(Box<Num>, i64),
    Ite(Box<Truth>, Box<Num>, Box<Num>),
}

/// A formula.
pub(super) enum Truth {
    Bool(usize),
    Compare(&'static str, Vec<Num>),
    Divisible(i64, Num),
    Not(Box<Truth>),
    Gate(&'static str, Vec<Truth>),
    Ite(Box<Truth>, Box<Truth>, Box<Truth>),
}

static COMPARISONS: [&str; 6] = ["<=", "<", ">=", ">", "=", "distinct"];
static GATES: [&str; 5] = ["and", "or", "xor", "=>", "="];

/// How many variables formulas have.
pub(super) const INTS: usize = 3;
pub(super) const BOOLS: usize = 2;

pub(super) fn num(random: &mut Rng, depth: u32) -> Num {
    let sub = |random: &mut Rng| Box::new(num(random, depth - 1));
    if depth == 0 {
        return match random.below(4) {
            0 => Num::Const(random.between(-5, 5)),
            _ => Num::Var(random.below(INTS)),
        };
    }
    let divisor = |random: &mut Rng| [-3, -2, 2, 3, 5][random.below(5)];
    match random.below(15) {
        0..=3 => Num::Add(sub(random), sub(random)),
        4..=5 => Num::Sub(sub(random), sub(random)),
        6..=8 => Num::Scale(random.between(-4, 4), sub(random)),
        9 => Num::Abs(sub(random)),
        10 => Num::Div(sub(random), divisor(random)),
        11 => Num::Mod(sub(random), divisor(random)),
        12 => Num::Ite(Box::new(truth(random, 1)), constants(random, 2), sub(random)),
        13 => *constants(random, 3),
        _ => num(random, 0),
    }
}

/// A nest of choices between numerals.
fn constants(random: &mut Rng, depth: u32) -> Box<Num> {
    if depth == 0 || random.below(3) == 0 {
        return Box::new(Num::Const(random.between(-5, 5)));
    }
    let condition = match random.below(3) {
        0 => Truth::Bool(random.below(BOOLS)),
        _ => Truth::Compare("<=", vec![num(random, 0), num(random, 0)]),
    };
    Box::new(Num::Ite(Box::new(condition), constants(random, depth - 1), constants(random, depth - 1)))
}

pub(super) fn truth(random: &mut Rng, depth: u32) -> Truth {
    let sub = |random: &mut Rng| truth(random, depth - 1);
    match if depth == 0 { random.below(5) } else { random.below(12) } {
        0 => Truth::Bool(random.below(BOOLS)),
        1 => Truth::Divisible(random.between(2, 4), num(random, 1)),
        2..=5 => {
            let name = random.pick(&COMPARISONS);
            let operands = if random.below(6) == 0 { 3 } else { 2 };
            Truth::Compare(name, (0..operands).map(|_| num(random, 2)).collect())
        }
        6 => Truth::Not(Box::new(sub(random))),
        7 => Truth::Ite(Box::new(sub(random)), Box::new(sub(random)), Box::new(sub(random))),
        _ => {
            let name = random.pick(&GATES);
            let operands = random.between(2, 3);
            Truth::Gate(name, (0..operands).map(|_| sub(random)).collect())
        }
    }
}

impl Num {
    pub(super) fn value(&self, ints: &[i64], bools: &[bool]) -> i64 {
        let of = |num: &Num| num.value(ints, bools);
        match self {
            Num::Var(i) => ints[*i],
            Num::Const(k) => *k,
            Num::Add(a, b) => of(a) + of(b),
            Num::Sub(a, b) => of(a) - of(b),
            Num::Scale(k, a) => k * of(a),
            Num::Abs(a) => of(a).abs(),
            Num::Div(a, k) => of(a).div_euclid(*k),
            Num::Mod(a, k) => of(a).rem_euclid(*k),
            Num::Ite(c, a, b) => of(if c.value(ints, bools) { a } else { b }),
        }
    }

    fn print(&self, out: &mut String) {
        let literal = |k: i64| if k < 0 { format!("(- {})", -k) } else { k.to_string() };
        let mut write = |head: &str, parts: &[&Num]| {
            out.push_str(head);
            for part in parts {
                out.push(' ');
                part.print(out);
            }
            out.push(')');
        };
        match self {
            Num::Var(i) => write!(out, "x{i}").expect("a string"),
            Num::Const(k) => out.push_str(&literal(*k)),
            Num::Add(a, b) => write("(+", &[a, b]),
            Num::Sub(a, b) => write("(-", &[a, b]),
            Num::Scale(k, a) => write(&format!("(* {}", literal(*k)), &[a]),
            Num::Abs(a) => write("(abs", &[a]),
            Num::Div(a, k) => write("(div", &[a, &Num::Const(*k)]),
            Num::Mod(a, k) => write("(mod", &[a, &Num::Const(*k)]),
            Num::Ite(c, a, b) => {
                let mut condition = String::from("(ite ");
                c.print(&mut condition);
                write(&condition, &[a, b]);
            }
        }
    }
}

impl Truth {
    pub(super) fn value(&self, ints: &[i64], bools: &[bool]) -> bool {
        let of = |truth: &Truth| truth.value(ints, bools);
        match self {
            Truth::Bool(i) => bools[*i],
            Truth::Compare(name, operands) => {
                let values: Vec<i64> = operands.iter().map(|operand| operand.value(ints, bools)).collect();
                let chain = |holds: fn(i64, i64) -> bool| values.windows(2).all(|w| holds(w[0], w[1]));
                match *name {
                    "<=" => chain(|a, b| a <= b),
                    "<" => chain(|a, b| a < b),
                    ">=" => chain(|a, b| a >= b),
                    ">" => chain(|a, b| a > b),
                    "=" => chain(|a, b| a == b),
                    _ => (0..values.len()).all(|i| !values[..i].contains(&values[i])),
                }
            }
            Truth::Divisible(k, a) => a.value(ints, bools) % k == 0,
            Truth::Not(a) => !of(a),
            Truth::Gate(name, operands) => {
                let values: Vec<bool> = operands.iter().map(of).collect();
                let (last, first) = values.split_last().expect("operands");
                match *name {
                    "and" => values.iter().all(|&v| v),
                    "or" => values.iter().any(|&v| v),
                    "xor" => values.iter().filter(|&&v| v).count() % 2 == 1,
                    "=>" => *last || first.iter().any(|&v| !v),
                    _ => first.iter().all(|v| v == last),
                }
            }
            Truth::Ite(c, a, b) => of(if of(c) { a } else { b }),
        }
    }

    pub(super) fn print(&self, out: &mut String) {
        match self {
            Truth::Bool(i) => write!(out, "p{i}").expect("a string"),
            Truth::Compare(name, operands) => {
                write!(out, "({name}").expect("a string");
                for operand in operands {
                    out.push(' ');
                    operand.print(out);
                }
                out.push(')');
            }
            Truth::Divisible(k, a) => {
                write!(out, "((_ divisible {k}) ").expect("a string");
                a.print(out);
                out.push(')');
            }
            Truth::Not(a) => Truth::print_all("not", &[a], out),
            Truth::Gate(name, operands) => {
                Truth::print_all(name, &operands.iter().collect::<Vec<_>>(), out);
            }
            Truth::Ite(c, a, b) => Truth::print_all("ite", &[c, a, b], out),
        }
    }

    fn print_all(name: &str, operands: &[&Truth], out: &mut String) {
        write!(out, "({name}").expect("a string");
        for operand in operands {
            out.push(' ');
            operand.print(out);
        }
        out.push(')');
    }
}
