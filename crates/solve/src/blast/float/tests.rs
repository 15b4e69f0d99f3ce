//! Circuits against the evaluator: every operator in every rounding mode on all values of small formats, on random and
//! boundary values of the usual ones; and miters against a second encoding.

use super::super::aig::{Aig, Bit, Gate};
use super::super::lower::Lowering;
use super::super::words::Word;
use super::{Call, ZeroChoices, circuit, facts, is_lazy, second};
use crate::engine::Budget;
use crate::sat::{Hooks, Options, Outcome, Solver};
use random::Rng;
use smt::op::{Arg, Arity, OpInfo};
use smt::{
    BitVec, Evaluator, Float, Format, Model, Op, RoundingMode, Sort, SortId, TermId, Terms, Theory, UBig,
    Undefined, Value, ZeroSigns,
};

/// The operators that have circuits.
fn operators() -> impl Iterator<Item = &'static OpInfo> {
    Op::all().filter(|row| {
        (row.theory == Theory::Float || row.op == Op::FpToIeeeBv)
            && !matches!(row.op, Op::FpToReal | Op::ToFpFromReal)
    })
}

const TINY: [Format; 3] = [Format { eb: 2, sb: 3 }, Format { eb: 3, sb: 3 }, Format { eb: 3, sb: 4 }];

/// An application of an operator to symbols, with a format, a width for bit-vectors and another format to convert to.
fn application(terms: &mut Terms, row: &OpInfo, format: Format, width: u32, target: Format) -> (TermId, Vec<TermId>) {
    let mut args = row.args.to_vec();
    if let (Arity::AtLeast(_), Some(&last)) = (row.arity, row.args.last()) {
        while args.len() < 2 {
            args.push(last);
        }
    }
    let mut indices = [0, 0];
    if row.indices == 2 {
        indices = [target.eb, target.sb];
    } else if row.indices == 1 {
        indices = [width, 0];
    }
    let sorts: Vec<SortId> = args
        .iter()
        .enumerate()
        .map(|(i, arg)| match arg {
            Arg::Rm => SortId::ROUNDING_MODE,
            Arg::Fp | Arg::FpAny => terms.float_sort(format.eb, format.sb),
            Arg::Bv1 => terms.bit_vec_sort(1),
            Arg::BvAny if row.op == Op::Fp => {
                terms.bit_vec_sort(if i == 1 { format.eb } else { format.sb - 1 })
            }
            Arg::BvAny if row.op == Op::ToFpFromBits => terms.bit_vec_sort(target.width()),
            _ => terms.bit_vec_sort(width),
        })
        .collect();
    let vars: Vec<TermId> =
        sorts.iter().enumerate().map(|(i, &s)| terms.symbol_constant(&format!("v{i}"), s)).collect();
    (terms.mk_indexed(row.op, indices, &vars), vars)
}

/// All values of a sort with at most 2^14 of them.
fn all_values(terms: &Terms, sort: SortId) -> Vec<Value> {
    smt::eval::values_of(terms, sort, 1 << 14).expect("a small sort")
}

fn bits_of(value: &Value) -> UBig {
    match value {
        Value::Float(float) => float.bits(),
        Value::BitVec(bv) => bv.to_ubig().clone(),
        Value::Bool(b) => UBig::from(u8::from(*b)),
        Value::Rm(mode) => UBig::from(RoundingMode::ALL.iter().position(|m| m == mode).unwrap()),
        other => panic!("{other:?} is no word"),
    }
}

/// A circuit that is computed for 64 inputs at a time. Its inputs are the raw bits under the words of its variables, which
/// are the same as the words for all values that exist.
struct Lanes<'a> {
    aig: &'a Aig,
    values: Vec<u64>,
}

impl<'a> Lanes<'a> {
    fn new(aig: &'a Aig) -> Lanes<'a> {
        Lanes { aig, values: vec![0; aig.len()] }
    }

    fn bit(&self, bit: Bit) -> u64 {
        self.values[bit.node()] ^ if bit.is_negated() { u64::MAX } else { 0 }
    }

    fn set(&mut self, input: usize, lane: usize, value: bool) {
        self.values[input] = self.values[input] & !(1 << lane) | u64::from(value) << lane;
    }

    fn run(&mut self) {
        for node in 1..self.aig.len() {
            self.values[node] = match self.aig.gate(Bit::positive(node)) {
                Gate::Constant | Gate::Input => continue,
                Gate::And(a, b) => self.bit(a) & self.bit(b),
                Gate::NotMux(c, a, b) => {
                    let c = self.bit(c);
                    !(c & self.bit(a) | !c & self.bit(b))
                }
            };
        }
    }

    fn read(&self, word: &[Bit], lane: usize) -> UBig {
        let mut number = UBig::ZERO;
        for &bit in word.iter().rev() {
            number = (number << 1) + UBig::from(self.bit(bit) >> lane & 1);
        }
        number
    }
}

/// A term's circuit and the inputs of its variables.
struct Subject {
    terms: Terms,
    term: TermId,
    vars: Vec<TermId>,
    lowering: Lowering,
    /// The first input of each variable and how many it has.
    inputs: Vec<(usize, usize)>,
}

impl Subject {
    fn new(row: &OpInfo, format: Format, width: u32, target: Format) -> Subject {
        let mut terms = Terms::new();
        let (term, vars) = application(&mut terms, row, format, width, target);
        let mut lowering = Lowering::new(1 << 24);
        let mut inputs = Vec::new();
        let budget = &mut Budget::unlimited();
        for &var in &vars {
            let first = lowering.aig.len();
            lowering.lower(&terms, var, budget).unwrap();
            let width = lowering.word(var).unwrap().len();
            inputs.push((first, width));
        }
        lowering.lower(&terms, term, budget).unwrap();
        lowering.refine(&terms, term).unwrap();
        Subject { terms, term, vars, lowering, inputs }
    }

    /// What the evaluator gives; `None` where SMT-LIB leaves it open.
    fn expected(&self, values: &[Value]) -> Option<UBig> {
        let mut model = Model::default();
        for (&var, value) in self.vars.iter().zip(values) {
            model.set(self.terms.as_fun(var).unwrap(), value.clone());
        }
        match Evaluator::new(&self.terms, &model).eval(self.term) {
            Ok(value) => Some(bits_of(&value)),
            Err(Undefined::ZeroSigns | Undefined::FloatConversion) => None,
            Err(reason) => panic!("{reason}"),
        }
    }

    /// Compares the circuit with the evaluator on up to 64 lists of arguments.
    fn compare(&self, batch: &[Vec<Value>]) {
        let mut lanes = Lanes::new(&self.lowering.aig);
        for (lane, values) in batch.iter().enumerate() {
            for (value, &(first, width)) in values.iter().zip(&self.inputs) {
                let bits = bits_of(value);
                for i in 0..width {
                    lanes.set(first + i, lane, dashu_bit(&bits, i));
                }
            }
        }
        lanes.run();
        let word = self.lowering.word(self.term).unwrap();
        for (lane, values) in batch.iter().enumerate() {
            if let Some(expected) = self.expected(values) {
                let got = lanes.read(word, lane);
                let name = self.terms.op(self.term).name();
                assert_eq!(got, expected, "{name} {:?} of {values:?}", self.terms.indices(self.term));
            }
        }
    }

    fn compare_all(&self, lists: impl Iterator<Item = Vec<Value>>) -> usize {
        let mut batch = Vec::with_capacity(64);
        let mut count = 0;
        for values in lists {
            count += 1;
            batch.push(values);
            if batch.len() == 64 {
                self.compare(&batch);
                batch.clear();
            }
        }
        self.compare(&batch);
        count
    }
}

fn dashu_bit(bits: &UBig, i: usize) -> bool {
    (bits >> i) % UBig::from(2u8) == UBig::ONE
}

/// All combinations of values, or some of them if there are too many.
fn product(lists: &[Vec<Value>], most: usize, random: &mut Rng) -> Vec<Vec<Value>> {
    let total: usize = lists.iter().map(Vec::len).product();
    let pick = |mut n: usize| {
        lists
            .iter()
            .map(|list| {
                let value = list[n % list.len()].clone();
                n /= list.len();
                value
            })
            .collect()
    };
    if total <= most {
        (0..total).map(pick).collect()
    } else {
        (0..most).map(|_| pick(random.below(total))).collect()
    }
}

#[test]
fn circuits_are_what_the_evaluator_says_on_all_values_of_small_formats() {
    let mut random = Rng::new(1);
    let mut compared = 0;
    for row in operators() {
        for format in TINY {
            let targets: &[Format] =
                if row.indices == 2 { &[TINY[0], TINY[1], TINY[2], Format { eb: 4, sb: 2 }] } else { &[format] };
            let widths: &[u32] = match row.op {
                Op::FpToUbv | Op::FpToSbv | Op::ToFpFromSbv | Op::ToFpUnsigned => &[1, 2, 3, 5, 8],
                _ => &[1],
            };
            for &target in targets {
                for &width in widths {
                    let subject = Subject::new(row, format, width, target);
                    let lists: Vec<Vec<Value>> = subject
                        .vars
                        .iter()
                        .map(|&v| all_values(&subject.terms, subject.terms.sort(v)))
                        .collect();
                    let cases = product(&lists, 200_000, &mut random);
                    compared += subject.compare_all(cases.into_iter());
                }
            }
        }
    }
    assert!(compared > 500_000, "{compared}");
}
