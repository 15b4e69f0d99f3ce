//! Cases: random ground applications of one operator, made from its row of the table, with the value that the evaluator
//! gives. A regular expression operator is seen through `str.in_re`.

use smt::op::{OpInfo, Res};
use smt::print::term_to_string;
use smt::{Evaluator, Model, Op, RBig, SortId, TermId, Terms, Theory, Undefined, Value};
use testkit::{Ground, Rng, signature};

/// One application.
pub(crate) struct Case {
    pub(crate) row: &'static OpInfo,
    pub(crate) indices: [u32; 2],
    /// The ground arguments.
    pub(crate) args: Vec<TermId>,
    /// Their values; none for regular expressions.
    pub(crate) values: Vec<Option<Value>>,
    /// For a regular expression operator: the string whose membership is asked.
    pub(crate) probe: Option<TermId>,
    /// The application itself, under `str.in_re` if there is a probe.
    pub(crate) term: TermId,
    /// What the evaluator says to the application over constants whose values are in a model: nothing of it was folded
    /// while it was built.
    pub(crate) outcome: Result<Value, Undefined>,
}

impl Case {
    /// A random case.
    pub(crate) fn new(terms: &mut Terms, rng: &mut Rng, row: &'static OpInfo) -> Case {
        let signature = signature(terms, rng, row);
        let mut args: Vec<TermId> = signature
            .sorts
            .iter()
            .map(|&sort| Ground::new(rng).term(terms, sort).expect("the signature has ground terms"))
            .collect();
        // Operators that compare or cancel see equal arguments often enough.
        if args.len() > 1 && rng.one_in(6) {
            let last = args.len() - 1;
            if terms.sort(args[last - 1]) == terms.sort(args[last]) {
                args[last] = args[last - 1];
            }
        }
        limit_power(terms, rng, row.op, &mut args);
        limit_numbers(terms, rng, row.theory, &mut args);
        Case::of(terms, rng, row, signature.indices, args)
    }

    /// The case of given arguments.
    pub(crate) fn of(
        terms: &mut Terms,
        rng: &mut Rng,
        row: &'static OpInfo,
        indices: [u32; 2],
        args: Vec<TermId>,
    ) -> Case {
        let values: Vec<Option<Value>> = args.iter().map(|&a| value_of(terms, a)).collect();
        let mut model = Model::default();
        let open_args: Vec<TermId> = args
            .iter()
            .zip(&values)
            .enumerate()
            .map(|(i, (&arg, value))| match value {
                Some(value) => {
                    let constant = terms.symbol_constant(&format!("x{i}"), terms.sort(arg));
                    model.set(terms.as_fun(constant).expect("a constant"), value.clone());
                    constant
                }
                None => arg,
            })
            .collect();
        let mut term = terms.mk_indexed(row.op, indices, &args);
        let mut open = terms.mk_indexed(row.op, indices, &open_args);
        let mut probe = None;
        if row.result == Res::Re {
            let text = Ground::new(rng).term(terms, SortId::STRING).expect("strings are ground");
            term = terms.mk(Op::StrInRe, &[text, term]);
            open = terms.mk(Op::StrInRe, &[text, open]);
            probe = Some(text);
        }
        let outcome = Evaluator::new(terms, &model).eval(open);
        Case { row, indices, args, values, probe, term, outcome }
    }

    /// The application as text, for messages.
    pub(crate) fn text(&self, terms: &Terms) -> String {
        term_to_string(terms, self.term)
    }

    /// The value of an argument that is no regular expression.
    pub(crate) fn value(&self, i: usize) -> &Value {
        self.values[i].as_ref().expect("the argument has a value")
    }
}

fn value_of(terms: &Terms, term: TermId) -> Option<Value> {
    let value = Evaluator::new(terms, &Model::default()).eval(term).expect("ground arguments have values");
    (!matches!(value, Value::Regex(_))).then_some(value)
}

/// Positions and counts stay within the few elements that collections have here, and elements meet.
fn limit_numbers(terms: &mut Terms, rng: &mut Rng, theory: Theory, args: &mut [TermId]) {
    if matches!(theory, Theory::Sequences | Theory::Sets | Theory::Bags) {
        for arg in args {
            if terms.sort(*arg) == SortId::INT {
                *arg = terms.int(rng.between(-1, 4));
            }
        }
    }
}

/// Exponents stay small, since their powers are written out, and so do numbers of bits.
fn limit_power(terms: &mut Terms, rng: &mut Rng, op: Op, args: &mut [TermId]) {
    let last = args.len().wrapping_sub(1);
    if op == Op::IntAndOf {
        args[0] = terms.int(rng.between(-2, 40));
    }
    if matches!(op, Op::Power | Op::Pow2) {
        let exponent = rng.between(-3, 20);
        args[last] = match terms.sort(args[last]) {
            SortId::REAL => terms.real(RBig::from(exponent)),
            _ => terms.int(exponent),
        };
    }
}
