//! Circuits against the evaluator for every operator, and limits. Verdicts are tested from outside, in `tests/blast`.

use super::aig::{Aig, Bit, Gate};
use super::lower::Lowering;
use crate::blast::Blast;
use crate::engine::{Budget, Engine, NoPartials, Query, Reason, Verdict};
use random::Rng;
use smt::op::{Arg, Arity};
use smt::{BitVec, Evaluator, Model, Op, Sort, SortId, TermId, Terms, Theory, Value, read_script};

/// The operators that have circuits.
fn operators() -> impl Iterator<Item = &'static smt::op::OpInfo> {
    Op::all().filter(|row| {
        let words = |a: &Arg| matches!(a, Arg::Bool | Arg::Bv | Arg::BvAny | Arg::A);
        matches!(row.theory, Theory::Core | Theory::BitVec | Theory::Extension)
            && !row.args.is_empty()
            && row.args.iter().all(words)
            && !matches!(row.op, Op::UbvToInt | Op::SbvToInt | Op::Bv2Nat)
    })
}

/// The value of an edge; nodes come after their operands, so one pass over the graph is enough.
fn simulate(aig: &Aig, inputs: &[(Bit, bool)], bit: Bit) -> bool {
    let mut values = vec![false; aig.len()];
    for &(input, value) in inputs {
        values[input.node()] = value;
    }
    for node in 0..aig.len() {
        let of = |b: Bit| values[b.node()] ^ b.is_negated();
        match aig.gate(Bit::of_node(node)) {
            Gate::Constant | Gate::Input => {}
            Gate::And(a, b) => values[node] = of(a) && of(b),
            Gate::NotMux(c, a, b) => values[node] = !(if of(c) { of(a) } else { of(b) }),
        }
    }
    values[bit.node()] ^ bit.is_negated()
}

/// The sorts of an application's arguments at a width.
fn signature(terms: &mut Terms, row: &smt::op::OpInfo, width: u32) -> Vec<SortId> {
    let mut args = row.args.to_vec();
    if let (Arity::AtLeast(_), Some(&last)) = (row.arity, row.args.last()) {
        while args.len() < 3 {
            args.push(last);
        }
    }
    args.iter().map(|a| if *a == Arg::Bool { SortId::BOOL } else { terms.bit_vec_sort(width) }).collect()
}

fn indices(row: &smt::op::OpInfo, width: u32, random: &mut Rng) -> [u32; 2] {
    let high = random.below(width as usize) as u32;
    match (row.op, row.indices) {
        (Op::Extract, _) => [high, random.below(high as usize + 1) as u32],
        (Op::Repeat, _) => [1 + high, 0],
        (_, 1) => [random.below(2 * width as usize) as u32, 0],
        _ => [0, 0],
    }
}

#[test]
fn circuits_agree_with_the_evaluator() {
    let mut random = Rng::new(3);
    let mut tested = 0;
    for row in operators() {
        for width in [1, 2, 3, 5, 8] {
            let mut terms = Terms::new();
            let sorts = signature(&mut terms, row, width);
            let vars: Vec<TermId> =
                sorts.iter().enumerate().map(|(i, &s)| terms.symbol_constant(&format!("v{i}"), s)).collect();
            let term = terms.mk_indexed(row.op, indices(row, width, &mut random), &vars);
            let mut lowering = Lowering::new(1 << 20);
            lowering.lower(&terms, term, &mut Budget::unlimited()).unwrap();
            for _ in 0..40 {
                let mut model = Model::default();
                let mut inputs = Vec::new();
                for &var in &vars {
                    let width = if terms.sort(var) == SortId::BOOL { 1 } else { width };
                    let bits = match random.below(4) {
                        0 => BitVec::zero(width),
                        1 => BitVec::ones(width),
                        _ => BitVec::from_u64(width, random.bits()),
                    };
                    // A variable that the circuit does not need has no word.
                    for (i, &bit) in lowering.word(var).unwrap_or_default().iter().enumerate() {
                        inputs.push((bit, bits.bit(i as u32)));
                    }
                    let boolean = terms.sort(var) == SortId::BOOL;
                    let value = if boolean { Value::Bool(bits.bit(0)) } else { Value::BitVec(bits) };
                    model.set(terms.as_fun(var).unwrap(), value);
                }
                let word = lowering.word(term).unwrap();
                let circuit: Vec<bool> = word.iter().map(|&b| simulate(&lowering.aig, &inputs, b)).collect();
                let expected: Vec<bool> = match Evaluator::new(&terms, &model).eval(term).unwrap() {
                    Value::Bool(b) => vec![b],
                    Value::BitVec(bv) => (0..bv.width()).map(|i| bv.bit(i)).collect(),
                    other => panic!("{other:?}"),
                };
                assert_eq!(
                    circuit,
                    expected,
                    "{} at width {width} under {}",
                    row.name,
                    model.to_smtlib(&terms)
                );
                tested += 1;
            }
        }
    }
    assert!(tested > 40 * 5 * 50, "all operators are there");
}

/// The oracle above sees a circuit with a single wrong gate.
#[test]
fn a_planted_wrong_gate_is_seen() {
    let mut aig = Aig::new(1000);
    let inputs: Vec<Bit> = (0..6).map(|_| aig.input()).collect();
    let (sum, _) = super::words::add(&mut aig, &inputs[..3], &inputs[3..], Bit::FALSE);
    let mut wrong = sum.clone();
    wrong[2] = aig.xor(inputs[2], inputs[5]);
    let differs = (0..64u32).any(|n| {
        let values: Vec<(Bit, bool)> =
            inputs.iter().enumerate().map(|(i, &b)| (b, n >> i & 1 == 1)).collect();
        simulate(&aig, &values, sum[2]) != simulate(&aig, &values, wrong[2])
    });
    assert!(differs);
}

fn solve_text(text: &str, budget: &mut Budget) -> Verdict {
    let mut terms = Terms::new();
    let reading = read_script(&mut terms, text);
    assert!(reading.errors.is_empty(), "{:?}", reading.errors);
    let query = Query::new(reading.script.assertions().collect());
    Blast::new().solve(&mut terms, &query, budget, &mut NoPartials)
}

#[test]
fn other_theories_are_refused() {
    let texts = [
        "(declare-const x Int)(assert (= x 1))",
        "(declare-const x (_ BitVec 4))(assert (= (bv2nat x) 1))",
        "(declare-const x Float32)(assert (> (+ 1.0 (fp.to_real x)) 0.0))",
        "(declare-const a (Array (_ BitVec 2) (Array (_ BitVec 2) Bool)))(assert (= a a))",
        "(assert (forall ((x (_ BitVec 2))) (= x x)))",
        "(declare-fun f ((Array Bool Bool)) Bool)(declare-const a (Array Bool Bool))(assert (f a))",
    ];
    for text in texts {
        let verdict = solve_text(text, &mut Budget::unlimited());
        assert!(matches!(verdict, Verdict::Unknown(Reason::Unsupported)), "{text}: {verdict:?}");
    }
}

#[test]
fn memory_is_bounded() {
    let text = "(declare-const x (_ BitVec 20000))(declare-const y (_ BitVec 20000))(assert (= (bvmul x y) (bvudiv y x)))";
    let mut budget = Budget::unlimited();
    budget.memory = 64 << 20;
    assert!(matches!(solve_text(text, &mut budget), Verdict::Unknown(Reason::Memory)));
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut terms = Terms::new();
    let sort = terms.make_sort(Sort::BitVec(4));
    let (x, y) = (terms.symbol_constant("x", sort), terms.symbol_constant("y", sort));
    let mut term = x;
    for i in 0..25_000 {
        let op = [Op::BvXor, Op::BvAnd, Op::BvAdd][i % 3];
        term = terms.mk(op, &[term, if i % 7 == 0 { y } else { x }]);
        term = terms.mk(Op::BvNot, &[term]);
    }
    let assertion = terms.mk(Op::BvUlt, &[term, y]);
    let query = Query::new(vec![assertion]);
    let verdict = Blast::new().solve(&mut terms, &query, &mut Budget::unlimited(), &mut NoPartials);
    assert!(!matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}

#[test]
fn an_expired_budget_is_no_answer() {
    let text = "(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))
        (assert (= (bvmul x y) #x123456789abcdef1))(assert (bvult #x0000000000000001 x))(assert (bvult x #x00000000ffffffff))
        (assert (bvult #x0000000000000001 y))(assert (bvult y #x00000000ffffffff))";
    let mut budget = Budget::unlimited().slice(10_000);
    assert!(matches!(solve_text(text, &mut budget), Verdict::Unknown(Reason::Time)));
}
