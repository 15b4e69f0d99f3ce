//! Every instruction of the table: its term, evaluated under inputs, is what the machine computes on them.
//!
//! A term is built in a run with some inputs and evaluated under others as well: wherever the path recorded in the first
//! run holds, the instruction must not trap and the term must give the instruction's result.

use super::{AddressPolicy, Cells, Concolic, ConcolicSettings, ConcolicValue};
use crate::code::Site;
use crate::domain::{Concrete, Domain, Scalars};
use crate::memory::{Memory, Overlay};
use crate::op::{BinaryOp, UnaryOp, ops};
use crate::trap::Trap;
use crate::types::ValueType;
use random::Rng;
use smt::{BitVec, Evaluator, Float, Format, Model, Sort, Terms, UBig, Value};

const AT: Site = Site(0);

/// Values at which instructions change their behaviour.
const EDGES: &[u64] = &[
    0,
    1,
    2,
    31,
    32,
    33,
    63,
    64,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
];

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    0.5,
    -0.5,
    0.999,
    -0.999,
    -1.0,
    1.0,
    1.5,
    2.5,
    -2.5,
    1e-310,
    2_147_483_647.0,
    2_147_483_648.0,
    -2_147_483_648.0,
    -2_147_483_648.9,
    -2_147_483_649.0,
    4_294_967_295.5,
    4_294_967_296.0,
    9_223_372_036_854_775_808.0,
    -9_223_372_036_854_775_808.0,
    -9_223_372_036_854_777_856.0,
    18_446_744_073_709_551_615.0,
    1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Bits for an operand of this width: edges of integers and floats, and noise.
fn operands(width: u32, rng: &mut Rng) -> Vec<u64> {
    let mut all = EDGES.to_vec();
    all.extend(
        FLOATS.iter().map(|&f| if width == 32 { u64::from((f as f32).to_bits()) } else { f.to_bits() }),
    );
    all.extend((0..12).map(|_| rng.bits()));
    all.extend((0..6).map(|_| (rng.unit() * 1e6 - 5e5).to_bits()));
    all.iter_mut().for_each(|bits| *bits &= u64::MAX >> (64 - width));
    all
}

/// A domain with an input of each width and form, and a model for them.
struct Bench {
    domain: Concolic,
    model: Model,
}

impl Bench {
    fn new(options: ConcolicSettings) -> Bench {
        Bench { domain: Concolic::new(Terms::new(), options), model: Model::default() }
    }

    /// An input: an integer or a float's bits, or a float.
    fn input(&mut self, name: &str, width: u32, float: bool, bits: u64) -> ConcolicValue {
        let ty = match (width, float) {
            (32, false) => ValueType::I32,
            (32, true) => ValueType::F32,
            (_, false) => ValueType::I64,
            (_, true) => ValueType::F64,
        };
        let value = self.domain.symbol(&format!("{name}{ty:?}"), ty, bits).expect("no vector");
        self.assign(value, value.bits);
        value
    }

    fn assign(&mut self, input: ConcolicValue, bits: u64) {
        let term = input.term.expect("an input is symbolic");
        let function = self.domain.terms.as_fun(term).expect("an input is a constant symbol");
        let value = self.value_like(input, bits);
        self.model.set(function, value);
    }

    fn value_like(&self, like: ConcolicValue, bits: u64) -> Value {
        let term = like.term.expect("it is symbolic");
        match *self.domain.terms.sort_of(self.domain.terms.sort(term)) {
            Sort::BitVec(width) => Value::BitVec(BitVec::from_u64(width, bits)),
            Sort::Float(eb, sb) => Value::Float(Float::from_bits(Format { eb, sb }, UBig::from(bits))),
            ref other => panic!("a value of sort {other:?}"),
        }
    }

    /// Whether the model takes the recorded path.
    fn follows(&self) -> bool {
        let mut evaluator = Evaluator::new(&self.domain.terms, &self.model);
        self.domain.path.iter().all(|entry| evaluator.eval(entry.term) == Ok(Value::Bool(entry.taken)))
    }

    /// That a result is, under the model, these bits.
    fn expect(&self, what: &str, result: ConcolicValue, bits: u64) {
        match result.term {
            None => assert_eq!(result.bits, bits, "{what} is constant"),
            Some(term) => {
                let actual = Evaluator::new(&self.domain.terms, &self.model).eval(term);
                assert_eq!(actual, Ok(self.value_like(result, bits)), "{what}");
            }
        }
    }
}

/// What must be so after a run: its own inputs follow the path, and a trap is the last thing recorded.
fn check_run(bench: &Bench, what: &str, result: &Result<ConcolicValue, Trap>, expected: &Result<u64, Trap>) {
    assert!(bench.follows(), "{what}: the run does not follow its own path");
    match (result, expected) {
        (Ok(value), Ok(bits)) => {
            assert_eq!(value.bits, *bits, "{what}");
            bench.expect(what, *value, *bits);
        }
        (Err(trap), Err(same)) => {
            assert_eq!(trap, same, "{what}");
            // Nothing is recorded of a trap that no input avoids: a division by the constant zero.
            if let Some(last) = bench.domain.path.last() {
                assert!(
                    last.taken && last.kind == super::PathKind::Fault((*trap).into()),
                    "{what}: {last:?}"
                );
            } else {
                assert_eq!(*trap, Trap::DivisionByZero, "{what}");
            }
        }
        other => panic!("{what}: {other:?}"),
    }
}

#[test]
fn unary_terms_agree_with_the_machine() {
    let mut rng = Rng::new(5);
    for &op in UnaryOp::ALL {
        let width = op.operand_bits();
        let takes_float = takes_float(&format!("{op:?}"));
        let values = operands(width, &mut rng);
        for &float in if takes_float { &[false, true][..] } else { &[false] } {
            for &first in &values {
                let mut bench = Bench::new(ConcolicSettings::default());
                let input = bench.input("x", width, float, first);
                let term = input.term.expect("it is symbolic");
                let result = bench.domain.symbolic_unary(AT, op, input.bits, term);
                check_run(&bench, &format!("{op:?} {:#x}", input.bits), &result, &op.eval(input.bits));
                for &other in &values {
                    let other =
                        bench.domain.symbol("other", kind(width, float), other).expect("no vector").bits;
                    bench.assign(input, other);
                    if bench.follows()
                        && let Ok(result) = result
                    {
                        let bits = op.eval(other).unwrap_or_else(|trap| panic!("{op:?} {other:#x}: {trap}"));
                        bench.expect(&format!("{op:?} {other:#x}, built with {first:#x}"), result, bits);
                    }
                }
            }
        }
    }
}

#[test]
fn binary_terms_agree_with_the_machine() {
    let mut rng = Rng::new(6);
    for &op in BinaryOp::ALL {
        let width = op.operand_bits();
        let takes_float = takes_float(&format!("{op:?}"));
        let values = operands(width, &mut rng);
        for _ in 0..60 {
            let [a, b, c, d] = [0; 4].map(|_| rng.pick(&values));
            // Which operands are symbolic, and whether as floats.
            let symbolic = rng.below(3);
            let float = takes_float && rng.one_in(2);
            let mut bench = Bench::new(ConcolicSettings::default());
            let inputs = [("a", a, symbolic != 1), ("b", b, symbolic != 2)].map(|(name, bits, symbolic)| {
                if symbolic { bench.input(name, width, float, bits) } else { Concolic::constant(bits) }
            });
            let [left, right] = inputs;
            let result = bench.domain.symbolic_binary(AT, op, left, right);
            let what = format!("{op:?} {:#x} {:#x}", left.bits, right.bits);
            check_run(&bench, &what, &result, &op.eval(left.bits, right.bits));
            let mut others = [c, d];
            for (input, other) in inputs.into_iter().zip(&mut others) {
                if input.term.is_some() {
                    *other =
                        bench.domain.symbol("other", kind(width, float), *other).expect("no vector").bits;
                    bench.assign(input, *other);
                } else {
                    *other = input.bits;
                }
            }
            if bench.follows()
                && let Ok(result) = result
            {
                let bits =
                    op.eval(others[0], others[1]).unwrap_or_else(|trap| panic!("{what}: {others:x?} {trap}"));
                bench.expect(&format!("{what}, then {others:x?}"), result, bits);
            }
        }
    }
}

fn kind(width: u32, float: bool) -> ValueType {
    match (width, float) {
        (32, false) => ValueType::I32,
        (32, true) => ValueType::F32,
        (_, false) => ValueType::I64,
        (_, true) => ValueType::F64,
    }
}

/// Whether an instruction of this name has float operands: the type of operands is the last that is named.
fn takes_float(name: &str) -> bool {
    let last_float = name.rfind('F').filter(|&at| name[at + 1..].starts_with(['3', '6']));
    let last_integer = name.rfind('I').filter(|&at| name[at + 1..].starts_with(['3', '6']));
    last_float > last_integer
}

/// Random loads and stores of all widths around symbolic bytes, values and addresses, in both policies.
#[test]
fn memory_terms_agree_with_the_machine() {
    for (seed, policy) in (0..60)
        .flat_map(|seed| [AddressPolicy::Concretise, AddressPolicy::Region(16)].map(|policy| (seed, policy)))
    {
        let mut rng = Rng::new(seed);
        let options = ConcolicSettings { loads: policy, stores: policy, merge_selects: false };
        let mut bench = Bench::new(options);
        let mut symbolic: Memory<Cells> = Memory::new(1, 1);
        let [first, second] = [0; 2].map(|_| (rng.below(48) as u64, rng.bits()));
        let address = bench.input("address", 32, false, first.0);
        let value = bench.input("value", 64, false, first.1);
        let script: Vec<(usize, bool, bool, u32)> =
            (0..12).map(|_| (rng.below(6), rng.one_in(3), rng.one_in(2), rng.below(40) as u32)).collect();
        let loaded = accesses(&mut bench.domain, &mut symbolic, &script, address, value).expect("inside");

        for (at, data) in [first, second] {
            let mut plain: Memory<()> = Memory::new(1, 1);
            let expected =
                accesses(&mut Concrete::<()>::default(), &mut plain, &script, at, data).expect("inside");
            bench.assign(address, at);
            bench.assign(value, data);
            if (at, data) == first {
                assert!(bench.follows(), "seed {seed}: the run does not follow its own path");
            }
            if bench.follows() {
                for (i, (&loaded, &bits)) in loaded.iter().zip(&expected).enumerate() {
                    bench.expect(&format!("seed {seed}, {policy:?}, load {i} of {script:?}"), loaded, bits);
                }
            }
        }
    }
}

/// Runs a script of accesses (which one, at the symbolic address or not, of the symbolic value or not, offset), and
/// then loads everything.
fn accesses<D: Domain>(
    domain: &mut D,
    memory: &mut Memory<D::Overlay>,
    script: &[(usize, bool, bool, u32)],
    address: D::Value,
    value: D::Value,
) -> Result<Vec<D::Value>, Trap> {
    let mut loaded = Vec::new();
    for &(which, moving, known, offset) in script {
        let base = if moving { address } else { D::constant(3) };
        let value = if known { D::constant(u64::from(offset) * 0x0123_4567_89ab) } else { value };
        match which {
            0 => domain.store::<ops::I64Store>(AT, memory, base, offset, value)?,
            1 => domain.store::<ops::I64Store32>(AT, memory, base, offset, value)?,
            2 => domain.store::<ops::I64Store8>(AT, memory, base, offset, value)?,
            3 => loaded.push(domain.load::<ops::I64Load32S>(AT, memory, base, offset)?),
            4 => loaded.push(domain.load::<ops::I32Load16U>(AT, memory, base, offset)?),
            _ => memory.copy(offset, 20, 11)?,
        }
    }
    for offset in 0..12 {
        loaded.push(domain.load::<ops::I64Load>(AT, memory, D::constant(0), 8 * offset)?);
    }
    Ok(loaded)
}

#[test]
fn words_and_floats_come_back_from_memory_as_they_were() {
    let mut bench = Bench::new(ConcolicSettings::default());
    let mut memory: Memory<Cells> = Memory::new(1, 1);
    let x = bench.input("x", 64, true, 1.5_f64.to_bits());
    let sum = bench.domain.binary::<ops::F64Add>(AT, x, x).expect("it does not trap");
    let base = Concolic::constant(8);
    bench.domain.store::<ops::F64Store>(AT, &mut memory, base, 0, sum).expect("inside");
    memory.copy(100, 8, 8).expect("inside");
    let back =
        bench.domain.load::<ops::F64Load>(AT, &mut memory, Concolic::constant(100), 0).expect("inside");
    let term = back.term.expect("it is symbolic");
    assert_eq!(Some(bench.domain.as_float(term)), sum.term);
    memory.overlay.clear(100..108);
    let gone =
        bench.domain.load::<ops::F64Load>(AT, &mut memory, Concolic::constant(100), 0).expect("inside");
    assert_eq!(gone, Concolic::constant(3.0_f64.to_bits()));
}
