//! Every algebraic law that the operator table promises, against the evaluator on random values.
//!
//! Both sides of a law are built over constants whose values a model gives, so that nothing is folded on the way, and
//! compared by `=`; a side without a value must meet one without a value. Each law also judges an operator that does not
//! have it, and must notice.

use smt::op::{Arg, Arity, Laws, OpInfo};
use smt::print::{term_to_string, value_to_string};
use smt::{Evaluator, Model, Op, TermId, Terms, Value};
use testkit::{Ground, Rng, signature};

/// Arguments that each law of each operator is tried on.
const TRIES: usize = 80;

/// An operator with its numerals.
#[derive(Clone, Copy)]
struct Head(&'static OpInfo, [u32; 2]);

impl Head {
    fn of(self, terms: &mut Terms, args: &[TermId]) -> TermId {
        terms.mk_indexed(self.0.op, self.1, args)
    }
}

/// A law: how its two sides are made from arguments.
struct Law {
    law: Laws,
    name: &'static str,
    /// How many arguments it is about.
    arguments: usize,
    /// An operator that does not have it.
    counterexample: Op,
    sides: fn(&mut Terms, Head, &[TermId]) -> (TermId, TermId),
}

static LAWS: &[Law] = &[
    Law {
        law: Laws::ASSOCIATIVE,
        name: "f(f(a, b), c) = f(a, f(b, c))",
        arguments: 3,
        counterexample: Op::BvSub,
        sides: |terms, f, args| {
            let (ab, bc) = (f.of(terms, &args[..2]), f.of(terms, &args[1..]));
            (f.of(terms, &[ab, args[2]]), f.of(terms, &[args[0], bc]))
        },
    },
    Law {
        law: Laws::COMMUTATIVE,
        name: "f(a, b) = f(b, a)",
        arguments: 2,
        counterexample: Op::BvSub,
        sides: |terms, f, args| (f.of(terms, args), f.of(terms, &[args[1], args[0]])),
    },
    Law {
        law: Laws::IDEMPOTENT,
        name: "f(a, a) = a",
        arguments: 1,
        counterexample: Op::BvXor,
        sides: |terms, f, args| (f.of(terms, &[args[0], args[0]]), args[0]),
    },
    Law {
        law: Laws::CHAINABLE,
        name: "f(a, b, c) = f(a, b) and f(b, c)",
        arguments: 3,
        counterexample: Op::Distinct,
        sides: |terms, f, args| {
            let pairs = [f.of(terms, &args[..2]), f.of(terms, &args[1..])];
            (f.of(terms, args), terms.mk(Op::And, &pairs))
        },
    },
    Law {
        law: Laws::INVOLUTION,
        name: "f(f(a)) = a",
        arguments: 1,
        counterexample: Op::FpAbs,
        sides: |terms, f, args| {
            let once = f.of(terms, args);
            (f.of(terms, &[once]), args[0])
        },
    },
    Law {
        law: Laws::LEFT,
        name: "f(a, b, c) = f(f(a, b), c)",
        arguments: 3,
        counterexample: Op::Implies,
        sides: |terms, f, args| {
            let ab = f.of(terms, &args[..2]);
            (f.of(terms, args), f.of(terms, &[ab, args[2]]))
        },
    },
];

/// Arguments on which an operator breaks a law.
fn violations(law: &Law, row: &'static OpInfo) -> Vec<String> {
    let mut found = Vec::new();
    let mut rng = Rng::named(5, &format!("{:?} {}", row.op, law.name));
    let mut terms = Terms::new();
    for _ in 0..TRIES {
        let mut model = Model::default();
        let signature = signature(&mut terms, &mut rng, row);
        let mut args = Vec::new();
        for i in 0..law.arguments {
            let sort = signature.sorts[i.min(signature.sorts.len() - 1)];
            let ground = match args.last() {
                // Equal arguments are where chains and idempotence can go wrong.
                Some(&(_, last)) if rng.one_in(4) && terms.sort(last) == sort => last,
                _ => Ground::new(&mut rng).term(&mut terms, sort).expect("the signature has ground terms"),
            };
            let value = Evaluator::new(&terms, &Model::default()).eval(ground).expect("a ground value");
            let arg = if matches!(value, Value::Regex(_)) {
                ground
            } else {
                let constant = terms.symbol_constant(&format!("x{i}"), sort);
                model.set(terms.as_fun(constant).expect("a constant"), value);
                constant
            };
            args.push((arg, ground));
        }
        let args: Vec<TermId> = args.into_iter().map(|(arg, _)| arg).collect();
        let (left, right) = (law.sides)(&mut terms, Head(row, signature.indices), &args);
        let same = terms.mk(Op::Eq, &[left, right]);
        let mut evaluator = Evaluator::new(&terms, &model);
        let holds = match (evaluator.eval(left), evaluator.eval(right)) {
            (Ok(_), Ok(_)) => evaluator.eval(same) == Ok(Value::Bool(true)),
            (Err(_), Err(_)) => true,
            _ => false,
        };
        if !holds {
            let values: Vec<String> = model
                .functions()
                .into_iter()
                .map(|f| value_to_string(&terms, model.value(f).expect("a value")))
                .collect();
            found.push(format!("{} with {}", term_to_string(&terms, same), values.join(", ")));
        }
    }
    found
}

#[test]
fn promised_laws_hold() {
    let mut promises = 0;
    for row in Op::all() {
        for law in LAWS.iter().filter(|law| row.laws.has(law.law)) {
            promises += 1;
            let broken = violations(law, row);
            assert!(broken.is_empty(), "`{}` breaks {}: {}", row.name, law.name, broken.join("\n"));
        }
    }
    assert!(promises > 60, "only {promises} promises in the table");
}

/// Laws are only promised of operators that can be applied as the law says.
#[test]
fn promised_laws_fit_the_arity() {
    for row in Op::all() {
        let n_ary = row.arity != Arity::Exact;
        for law in [Laws::CHAINABLE, Laws::LEFT] {
            assert!(n_ary || !row.laws.has(law), "`{}` takes a fixed number of arguments", row.name);
        }
        if n_ary {
            let laws = [Laws::CHAINABLE, Laws::LEFT, Laws::COMMUTATIVE];
            let unfolds =
                laws.iter().any(|&law| row.laws.has(law)) || matches!(row.op, Op::Implies | Op::FieldBitSum);
            assert!(unfolds, "nothing says what more arguments of `{}` mean", row.name);
        }
        assert!(!row.laws.has(Laws::COMMUTATIVE) || !row.args.contains(&Arg::Rm), "`{}`", row.name);
    }
}

#[test]
fn broken_laws_are_noticed() {
    for law in LAWS {
        let row = law.counterexample.info();
        assert!(!row.laws.has(law.law));
        assert!(!violations(law, row).is_empty(), "`{}` was not caught breaking {}", row.name, law.name);
    }
}
