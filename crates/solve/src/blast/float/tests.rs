//! Circuits against the evaluator: every operator in every rounding mode on all values of small formats, on random and
//! boundary values of the usual ones; and miters against a second encoding.

use super::super::aig::{Aig, Bit, Gate};
use super::super::lower::Lowering;
use super::super::words::{self, Word};
use super::{Call, Mode, ZeroChoices, circuit, facts, input, is_lazy, second};
use crate::blast::cnf::Cnf;
use crate::engine::Budget;
use crate::sat::{Hooks, SatAnswer};
use random::Rng;
use smt::op::{Arg, Arity, OpInfo};
use smt::{
    BitVec, Evaluator, Float, Format, Model, Op, RoundingMode, Sort, SortId, TermId, Terms, Theory, UBig,
    Undefined, Value,
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
fn application(
    terms: &mut Terms,
    row: &OpInfo,
    format: Format,
    width: u32,
    target: Format,
) -> (TermId, Vec<TermId>) {
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
            self.values[node] = match self.aig.gate(Bit::of_node(node)) {
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
    word: Word,
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
        let mut circuit = None;
        while lowering.is_lazy(term) {
            circuit = lowering.refine(&terms, term).unwrap();
        }
        let word = circuit.unwrap_or_else(|| lowering.word(term).unwrap().to_vec());
        Subject { terms, term, vars, lowering, word, inputs }
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
        for (lane, values) in batch.iter().enumerate() {
            if let Some(expected) = self.expected(values) {
                let got = lanes.read(&self.word, lane);
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
            let targets: &[Format] = if row.indices == 2 {
                &[TINY[0], TINY[1], TINY[2], Format { eb: 4, sb: 2 }]
            } else {
                &[format]
            };
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

/// The parts of a remainder's circuit: right where the exponents are near enough, and they say where that is.
#[test]
fn short_remainders_are_right_where_exponents_are_near() {
    let format = Format { eb: 4, sb: 4 };
    for steps in [0, 1, 5] {
        let mut aig = Aig::new(1 << 20);
        let mut first = Vec::new();
        let words = [(); 2].map(|()| {
            first.push(aig.len());
            input(&mut aig, format)
        });
        let (word, near) = super::rem::within(&mut aig, format, &words[0], &words[1], steps);
        let all: Vec<Float> = (0u32..256).map(|bits| Float::from_bits(format, UBig::from(bits))).collect();
        let mut compared = 0;
        for a in &all {
            for batch in all.chunks(64) {
                let mut lanes = Lanes::new(&aig);
                for (lane, b) in batch.iter().enumerate() {
                    for (float, first) in [a, b].into_iter().zip(&first) {
                        (0..8).for_each(|i| lanes.set(first + i, lane, dashu_bit(&float.bits(), i)));
                    }
                }
                lanes.run();
                for (lane, b) in batch.iter().enumerate() {
                    if lanes.bit(near) >> lane & 1 == 1 {
                        compared += 1;
                        assert_eq!(lanes.read(&word, lane), a.rem(b).bits(), "{a:?} {b:?} {steps}");
                    }
                }
            }
        }
        assert!((20_000..60_000).contains(&compared), "{compared}");
    }
}

/// A value of a sort: a boundary, or random bits, or near the last value that was made.
fn some_value(terms: &Terms, sort: SortId, random: &mut Rng, last: &mut Option<Float>) -> Value {
    let random_bits = |width: u32, random: &mut Rng| {
        (0..width).fold(UBig::ZERO, |n, _| (n << 1) + UBig::from(random.below(2)))
    };
    match *terms.sort_of(sort) {
        Sort::RoundingMode => Value::Rm(RoundingMode::ALL[random.below(5)]),
        Sort::BitVec(width) => Value::BitVec(match random.below(6) {
            0 => BitVec::zero(width),
            1 => BitVec::ones(width),
            2 => BitVec::min_signed(width),
            3 => BitVec::new(width, random_bits(1 + random.below(width as usize) as u32, random)),
            _ => BitVec::new(width, random_bits(width, random)),
        }),
        Sort::Float(eb, sb) => {
            let format = Format { eb, sb };
            let negative = random.below(2) == 1;
            let float = match (random.below(16), &*last) {
                (0, _) => Float::nan(format),
                (1, _) => Float::infinity(format, negative),
                (2, _) => Float::zero(format, negative),
                (3, _) => Float::one(format, negative),
                (4, _) => Float::max_finite(format, negative),
                (5, _) => Float::min_normal(format, negative),
                (6, _) => Float::min_subnormal(format, negative),
                (7, _) => Float::from_bits(format, random_bits(sb, random)),
                // Few bits set: exact results and ties.
                (8, _) => Float::from_bits(format, random_bits(eb + 4, random) << (sb as usize - 4)),
                // Near the last one, in value or in exponent.
                (9..=12, Some(near)) if near.format() == format => {
                    let step = UBig::from(random.below(5)) << (random.below(sb as usize + 2));
                    Float::from_bits(format, near.bits() ^ step)
                }
                _ => Float::from_bits(format, random_bits(eb + sb, random)),
            };
            *last = Some(float.clone());
            Value::Float(float)
        }
        _ => panic!("no such argument"),
    }
}

#[test]
fn circuits_are_what_the_evaluator_says_on_random_and_boundary_values() {
    let mut random = Rng::new(2);
    let formats = [
        (Format::FLOAT16, 16, Format::FLOAT32, 40),
        (Format::FLOAT32, 32, Format::FLOAT64, 12),
        (Format::FLOAT32, 64, Format::FLOAT16, 8),
        (Format::FLOAT64, 32, Format::FLOAT32, 6),
        (Format::FLOAT64, 64, Format { eb: 15, sb: 64 }, 4),
        (Format { eb: 7, sb: 70 }, 9, Format { eb: 3, sb: 90 }, 2),
    ];
    for row in operators() {
        for (format, width, target, batches) in formats {
            // The remainder's circuit has a step for each exponent.
            if row.op == Op::FpRem && format.eb > 8 {
                continue;
            }
            let subject = Subject::new(row, format, width, target);
            let sorts: Vec<SortId> = subject.vars.iter().map(|&v| subject.terms.sort(v)).collect();
            let mut last = None;
            let cases = (0..64 * batches).map(|_| {
                sorts.iter().map(|&s| some_value(&subject.terms, s, &mut random, &mut last)).collect()
            });
            let cases: Vec<Vec<Value>> = cases.collect();
            subject.compare_all(cases.into_iter());
        }
    }
}

/// Whatever the arguments are, the facts hold of what the circuit gives.
#[test]
fn facts_hold_of_results() {
    let formats = [Format { eb: 2, sb: 2 }, TINY[0], TINY[1], TINY[2], Format { eb: 4, sb: 3 }];
    for row in operators().filter(|row| is_lazy(row.op)) {
        for format in formats {
            let mut aig = Aig::new(1 << 22);
            let mut args: Vec<Word> = Vec::new();
            for arg in row.args {
                args.push(if *arg == Arg::Rm {
                    Mode::input(&mut aig).word()
                } else {
                    input(&mut aig, format)
                });
            }
            let inputs: Vec<usize> =
                (0..aig.len()).filter(|&n| aig.gate(Bit::of_node(n)) == Gate::Input).collect();
            let call = Call { op: row.op, format, target: format, args: &args, width: 0 };
            let result = circuit(&mut aig, &call, &mut ZeroChoices::default());
            let facts = facts(&mut aig, &call, &result);
            assert!(facts.len() > 5);
            let mut lanes = Lanes::new(&aig);
            let mut random = Rng::new(3);
            let total = 1usize << inputs.len().min(17);
            for start in (0..total).step_by(64) {
                for lane in 0..64 {
                    let case = if inputs.len() <= 17 {
                        (start + lane) as u64
                    } else {
                        random.below(1 << inputs.len()) as u64
                    };
                    for (i, &node) in inputs.iter().enumerate() {
                        lanes.set(node, lane, case >> i & 1 == 1);
                    }
                }
                lanes.run();
                for (n, &fact) in facts.iter().enumerate() {
                    assert_eq!(lanes.bit(fact), u64::MAX, "fact {n} of {} in {format:?}", row.name);
                }
            }
        }
    }
}

/// Whether two words of one circuit are always equal.
fn always_equal(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> bool {
    let same = words::equal(aig, a, b);
    if let Some(value) = same.constant() {
        return value;
    }
    let mut cnf = Cnf::new(1 << 26);
    let lit = cnf.literal(aig, !same);
    cnf.solver.solve_with(&[lit], Hooks::default()) == SatAnswer::Unsat
}

/// A miter: an operator and another encoding of it are the same function, of all arguments in all rounding modes.
fn is_same(
    op: Op,
    format: Format,
    mode: Option<RoundingMode>,
    other: fn(&mut Aig, Format, Mode, &[Word]) -> Word,
) -> bool {
    let mut aig = Aig::new(1 << 24);
    let mode = mode.map_or_else(|| Mode::input(&mut aig), Mode::constant);
    let mut args = vec![mode.word()];
    args.extend((1..op.info().args.len()).map(|_| input(&mut aig, format)));
    let call = Call { op, format, target: format, args: &args, width: 0 };
    let first = circuit(&mut aig, &call, &mut ZeroChoices::default());
    let second = other(&mut aig, format, mode, &args);
    always_equal(&mut aig, &first, &second)
}

fn sum(aig: &mut Aig, format: Format, mode: Mode, args: &[Word]) -> Word {
    second::sum(aig, format, mode, &args[1], &args[2])
}

#[test]
fn sums_are_those_of_exact_integers() {
    assert!(is_same(Op::FpAdd, Format { eb: 4, sb: 5 }, None, sum));
    // A wrong encoding is found out.
    assert!(!is_same(Op::FpAdd, Format::FLOAT16, None, |aig, format, _, args| {
        sum(aig, format, Mode::constant(RoundingMode::Rne), args)
    }));
}

#[test]
fn products_are_fused_sums_with_zero() {
    assert!(is_same(Op::FpMul, Format::FLOAT16, None, |aig, format, mode, args| {
        second::product(aig, format, mode, &args[1], &args[2])
    }));
}

#[test]
fn quotients_are_those_of_integers() {
    assert!(is_same(Op::FpDiv, Format { eb: 3, sb: 5 }, None, |aig, format, mode, args| {
        second::quotient(aig, format, mode, &args[1], &args[2])
    }));
}

#[test]
fn fused_sums_are_exact_ones_that_were_rounded() {
    assert!(is_same(Op::FpFma, Format { eb: 3, sb: 4 }, None, |aig, format, mode, args| {
        second::fused(aig, format, mode, [&args[1], &args[2], &args[3]])
    }));
}
