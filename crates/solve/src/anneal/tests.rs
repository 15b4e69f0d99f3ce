//! The machine against the evaluator, the engine against enumeration, and runs against themselves.

use super::Anneal;
use super::compile::{Compiled, compile};
use super::program::{Code, Kind};
use super::search::Search;
use crate::engine::Look;
use crate::engine::{Budget, Engine, NoPartials, Partial, Query, Reason, Verdict};
use proptest::prelude::*;
use smt::{
    BitVec, Evaluator, Float, Format, FunId, Model, Op, RoundingMode, Sort, SortId, TermId, Terms, UBig,
    Value, ZeroSigns, read_script,
};

/// Reads assertions.
fn query(text: &str) -> (Terms, Query) {
    let mut terms = Terms::new();
    let reading = read_script(&mut terms, text);
    assert!(reading.errors.is_empty(), "{:?}", reading.errors);
    let assertions: Vec<TermId> = reading.script.assertions().collect();
    let assertions = terms.unfold(&assertions);
    (terms, Query::new(assertions))
}

/// What the engine says within a budget that does not depend on the clock.
fn solve(text: &str) -> Verdict {
    let (mut terms, query) = query(text);
    let mut budget = Budget::unlimited().slice(3_000_000);
    Anneal::with_seed(1).solve(&mut terms, &query, &mut budget, &mut NoPartials)
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Sat(_) => "sat",
        Verdict::Unsat(_) => "unsat",
        Verdict::Unknown(Reason::Unsupported) => "unsupported",
        Verdict::Unknown(_) => "unknown",
    }
}

/// Builds random terms over a fixed set of symbols from a list of random numbers.
struct Grower<'a> {
    terms: &'a mut Terms,
    format: Format,
    choices: std::vec::IntoIter<u32>,
    bools: Vec<TermId>,
    floats: Vec<TermId>,
    bits: Vec<TermId>,
    modes: Vec<TermId>,
}

const WIDTH: u32 = 7;

impl<'a> Grower<'a> {
    fn new(terms: &'a mut Terms, format: Format, choices: Vec<u32>) -> Grower<'a> {
        let float = terms.float_sort(format.eb, format.sb);
        let narrow = terms.bit_vec_sort(WIDTH);
        let mut symbol = |name: &str, sort: SortId| terms.symbol_constant(name, sort);
        let bools = vec![symbol("p", SortId::BOOL), symbol("q", SortId::BOOL)];
        let floats = vec![symbol("x", float), symbol("y", float)];
        let bits = vec![symbol("a", narrow), symbol("b", narrow)];
        let modes = vec![symbol("r", SortId::ROUNDING_MODE)];
        let mut grower = Grower { terms, format, choices: choices.into_iter(), bools, floats, bits, modes };
        for mode in RoundingMode::ALL {
            let mode = grower.terms.constant(Value::Rm(mode));
            grower.modes.extend([mode]);
        }
        for value in [Float::nan(format), Float::zero(format, true), Float::one(format, false)] {
            let value = grower.terms.constant(Value::Float(value));
            grower.floats.push(value);
        }
        grower
    }

    fn choose(&mut self, n: usize) -> usize {
        self.choices.next().unwrap_or(0) as usize % n
    }

    fn pick(&mut self, list: for<'b> fn(&'b Grower<'a>) -> &'b Vec<TermId>) -> TermId {
        let n = list(self).len();
        // Terms that were made last are the deepest.
        let i = n - 1 - self.choose(n.min(12));
        list(self)[i]
    }

    /// Adds one term.
    fn grow(&mut self) {
        let (x, y) = (self.pick(|g| &g.floats), self.pick(|g| &g.floats));
        let (a, b) = (self.pick(|g| &g.bits), self.pick(|g| &g.bits));
        let (p, q) = (self.pick(|g| &g.bools), self.pick(|g| &g.bools));
        let r = self.pick(|g| &g.modes);
        let Format { eb, sb } = self.format;
        let fp = [eb, sb];
        let (op, indices, args): (Op, [u32; 2], Vec<TermId>) = match self.choose(62) {
            0 => (Op::FpAdd, [0; 2], vec![r, x, y]),
            1 => (Op::FpSub, [0; 2], vec![r, x, y]),
            2 => (Op::FpMul, [0; 2], vec![r, x, y]),
            3 => (Op::FpDiv, [0; 2], vec![r, x, y]),
            4 => (Op::FpFma, [0; 2], vec![r, x, y, x]),
            5 => (Op::FpSqrt, [0; 2], vec![r, x]),
            6 => (Op::FpRem, [0; 2], vec![x, y]),
            7 => (Op::FpRoundToIntegral, [0; 2], vec![r, x]),
            8 => (Op::FpMin, [0; 2], vec![x, y]),
            9 => (Op::FpMax, [0; 2], vec![x, y]),
            10 => (Op::FpNeg, [0; 2], vec![x]),
            11 => (Op::FpAbs, [0; 2], vec![x]),
            12 => (Op::FpLeq, [0; 2], vec![x, y]),
            13 => (Op::FpLt, [0; 2], vec![x, y]),
            14 => (Op::FpGeq, [0; 2], vec![x, y, x]),
            15 => (Op::FpGt, [0; 2], vec![x, y]),
            16 => (Op::FpEq, [0; 2], vec![x, y]),
            17 => (Op::FpIsNormal, [0; 2], vec![x]),
            18 => (Op::FpIsSubnormal, [0; 2], vec![x]),
            19 => (Op::FpIsZero, [0; 2], vec![x]),
            20 => (Op::FpIsInfinite, [0; 2], vec![x]),
            21 => (Op::FpIsNaN, [0; 2], vec![x]),
            22 => (Op::FpIsNegative, [0; 2], vec![x]),
            23 => (Op::FpIsPositive, [0; 2], vec![x]),
            24 => (Op::ToFpFromSbv, fp, vec![r, a]),
            25 => (Op::ToFpUnsigned, fp, vec![r, a]),
            26 => (Op::FpToSbv, [WIDTH, 0], vec![r, x]),
            27 => (Op::FpToUbv, [WIDTH, 0], vec![r, x]),
            28 => (Op::Eq, [0; 2], vec![x, y]),
            29 => (Op::Distinct, [0; 2], vec![x, y, x]),
            30 => (Op::Ite, [0; 2], vec![p, x, y]),
            31 => (Op::Ite, [0; 2], vec![p, a, b]),
            32 => (Op::Ite, [0; 2], vec![p, q, p]),
            33 => (Op::And, [0; 2], vec![p, q]),
            34 => (Op::Or, [0; 2], vec![p, q]),
            35 => (Op::Not, [0; 2], vec![p]),
            36 => (Op::Xor, [0; 2], vec![p, q]),
            37 => (Op::Implies, [0; 2], vec![p, q]),
            38 => (Op::Eq, [0; 2], vec![p, q]),
            39 => (Op::Eq, [0; 2], vec![a, b]),
            40 => {
                // There and back through another format.
                let wider = self.terms.mk_indexed(Op::ToFpFromFp, [eb + 1, sb + 2], &[r, x]);
                (Op::ToFpFromFp, fp, vec![r, wider])
            }
            41 => {
                // Bits of all kinds become a float of the format.
                let mut bits = a;
                while self.width(bits) < eb + sb {
                    bits = self.terms.mk(Op::Concat, &[bits, b]);
                }
                let bits = self.terms.mk_indexed(Op::Extract, [eb + sb - 1, 0], &[bits]);
                (Op::ToFpFromBits, fp, vec![bits])
            }
            42 => (Op::BvComp, [0; 2], vec![a, b]),
            43 => (Op::Distinct, [0; 2], vec![a, b]),
            44 => (Op::Eq, [0; 2], vec![x, y, x]),
            n => {
                let ops = [
                    Op::BvAdd,
                    Op::BvSub,
                    Op::BvMul,
                    Op::BvUdiv,
                    Op::BvUrem,
                    Op::BvSdiv,
                    Op::BvSrem,
                    Op::BvSmod,
                    Op::BvShl,
                    Op::BvLshr,
                    Op::BvAshr,
                    Op::BvXor,
                    Op::BvUlt,
                    Op::BvSle,
                    Op::BvXnor,
                    Op::BvUge,
                    Op::BvSgt,
                ];
                (ops[n - 45], [0; 2], vec![a, b])
            }
        };
        let mut term = self.terms.mk_indexed(op, indices, &args);
        if op == Op::BvComp {
            term = self.terms.mk_indexed(Op::SignExtend, [WIDTH - 1, 0], &[term]);
        }
        match self.terms.sort_of(self.terms.sort(term)) {
            Sort::Bool => self.bools.push(term),
            Sort::Float(..) => self.floats.push(term),
            _ => self.bits.push(term),
        }
    }

    fn width(&self, term: TermId) -> u32 {
        match *self.terms.sort_of(self.terms.sort(term)) {
            Sort::BitVec(width) => width,
            _ => 0,
        }
    }
}

/// Sets cells from a list of random numbers and runs everything.
fn run(terms: &Terms, compiled: Compiled, values: &[u64]) -> Search {
    let Compiled { program, mut machine, .. } = compiled;
    for (i, cell) in program.cells.iter().enumerate() {
        let raw = values[i % values.len()].rotate_left(i as u32);
        let value = match cell.kind {
            Kind::Bool => raw & 1,
            Kind::Mode => raw % 5,
            Kind::Bits(width) => raw & super::shape::ones(width),
            Kind::Float(shape) => {
                let shape = &program.shapes[shape as usize];
                shape.canonical(raw & shape.mask())
            }
            Kind::Wide(_) => unreachable!("cells are not wide"),
        };
        machine.set_cell(cell.slot, value);
    }
    for instr in &program.instrs {
        machine.run(terms, &program, instr);
    }
    Search::new(program, machine, None, 0, &[])
}

/// Compiles a Boolean term, runs it, and compares it with the evaluator under the values that the cells had.
fn agrees(terms: &mut Terms, term: TermId, values: &[u64], tamper: fn(&mut Compiled)) {
    // A second disjunct, which is false, keeps the first from defining symbols.
    let unused = terms.symbol_constant("unused", SortId::BOOL);
    let root = terms.mk(Op::Or, &[term, unused]);
    let Ok(mut compiled) = compile(terms, &[root], false) else { panic!("all operators are handled") };
    tamper(&mut compiled);
    let mut search = run(terms, compiled, values);
    let &(_, slot, _) = search
        .program
        .symbols
        .iter()
        .find(|(fun, ..)| terms.as_fun(unused) == Some(*fun))
        .expect("it occurs");
    search.machine.set_cell(slot, 0);
    for instr in &search.program.instrs {
        search.machine.run(terms, &search.program, instr);
    }
    let mut model = Model::default();
    for (fun, value) in super::model::values(&search) {
        model.set(fun, value);
    }
    let expected = Evaluator::new(terms, &model).eval(root).ok().and_then(|v| v.as_bool());
    let got = match search.program.roots[..] {
        [register] => search.machine.gap(register).truth(),
        _ => Some(true),
    };
    assert_eq!(got, expected, "{}", smt::print::term_to_string(terms, term));
}

/// Whether the assertions hold under the model with one of the sixteen choices of zeros that `fp.min` and `fp.max` leave it.
fn some_zero_signs_satisfy(terms: &Terms, model: &mut Model, assertions: &[TermId]) -> bool {
    (0..16u8).any(|choice| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|bit| choice >> bit & 1 == 1);
        model.set_zero_signs(ZeroSigns { min: [a, b], max: [c, d] });
        let mut evaluator = Evaluator::new(terms, model);
        assertions.iter().all(|&a| evaluator.eval(a) == Ok(Value::Bool(true)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_machine_agrees_with_the_evaluator(
        format in prop::sample::select(vec![(2, 3), (5, 11), (8, 24), (11, 53)]),
        choices in prop::collection::vec(any::<u32>(), 300),
        values in prop::collection::vec(prop_oneof![
            any::<u64>(),
            // Encodings around the limits of the formats.
            prop::sample::select(vec![
                0, 1, u64::MAX, 1 << 63, 0x7ff0_0000_0000_0000, 0x7fef_ffff_ffff_ffff, 0x3ff0_0000_0000_0000,
                0x0010_0000_0000_0000, 0x7f80_0000_3f80_0000, 0x3f80_0001_0080_0000, 0x4340_0000_0000_0000,
            ]),
        ], 8),
    ) {
        let mut terms = Terms::new();
        let mut grower = Grower::new(&mut terms, Format { eb: format.0, sb: format.1 }, choices);
        for _ in 0..30 {
            grower.grow();
        }
        let roots: Vec<TermId> = grower.bools.split_off(2);
        for root in roots {
            agrees(&mut terms, root, &values, |_| {});
        }
    }

    #[test]
    fn the_engine_finds_what_enumeration_finds(
        two in any::<bool>(),
        choices in prop::collection::vec(any::<u32>(), 200),
    ) {
        let mut terms = Terms::new();
        let format = Format { eb: 2, sb: 3 };
        let mut grower = Grower::new(&mut terms, format, choices);
        // Only floats are free.
        grower.bools = vec![TermId::TRUE];
        grower.modes.remove(0);
        let narrow: Vec<TermId> = [3, 0x55].into_iter().map(|n| grower.terms.bv(WIDTH, n)).collect();
        grower.bits = narrow;
        let (x, y) = (grower.floats[0], grower.floats[1]);
        if !two {
            grower.floats.remove(1);
        }
        for _ in 0..14 {
            grower.grow();
        }
        let assertions: Vec<TermId> = grower.bools.split_off(1);
        prop_assume!(!assertions.is_empty());
        let all: Vec<Float> = (0..32u32).map(|n| Float::from_bits(format, UBig::from(n))).collect();
        let mut satisfiable = false;
        for vx in &all {
            for vy in if two { &all[..] } else { &all[..1] } {
                let mut model = Model::default();
                model.set(terms.as_fun(x).unwrap(), Value::Float(vx.clone()));
                model.set(terms.as_fun(y).unwrap(), Value::Float(vy.clone()));
                satisfiable |= some_zero_signs_satisfy(&terms, &mut model, &assertions);
            }
        }
        let query = Query::new(assertions);
        let mut budget = Budget::unlimited().slice(if satisfiable { 20_000_000 } else { 20_000 });
        let verdict = Anneal::with_seed(7).solve(&mut terms, &query, &mut budget, &mut NoPartials);
        match verdict {
            Verdict::Sat(model) => {
                prop_assert!(satisfiable);
                let mut evaluator = Evaluator::new(&terms, &model);
                prop_assert!(query.assertions.iter().all(|&a| evaluator.eval(a) == Ok(Value::Bool(true))));
            }
            _ => prop_assert!(!satisfiable, "there is a model"),
        }
    }
}

/// A wrong instruction does not pass: here `fp.lt` computed as `fp.leq`, at `x = y`.
#[test]
#[should_panic(expected = "fp.lt x y")]
fn a_wrong_instruction_is_noticed() {
    let (mut terms, query) = query(
        "(declare-const x Float32)(declare-const y Float32)(declare-const p Bool)(assert (or p (fp.lt x y)))",
    );
    let comparison = terms.args(query.assertions[0])[1];
    agrees(&mut terms, comparison, &[0], |compiled| {
        for instr in &mut compiled.program.instrs {
            if let Code::FloatLt(shape) = instr.code {
                instr.code = Code::FloatLe(shape);
            }
        }
    });
}

/// Queries and what the engine says of them.
#[test]
fn verdicts() {
    let float = "(declare-const x Float64)(declare-const y Float64)";
    let cases: &[(&str, &str, &str)] = &[
        ("no assertion", "", "sat"),
        ("a constant conjunct", "(assert (fp.lt (_ +oo 11 53) (_ -oo 11 53)))", "unsat"),
        ("equations that clash", "(assert (= x (_ +zero 11 53)))(assert (fp.isNegative x))", "unsat"),
        ("NaN is not below, nor not below", "(assert (not (fp.lt x y)))(assert (not (fp.leq y x)))", "sat"),
        ("NaN is equal to itself", "(assert (= x (fp.sub RNE (_ +oo 11 53) (_ +oo 11 53))))", "sat"),
        ("fp.eq does not hold for NaN", "(assert (fp.eq x y))(assert (fp.isNaN y))", "unknown"),
        ("zeros are fp.eq and differ", "(assert (fp.eq x y))(assert (not (= x y)))", "sat"),
        (
            "an equation through rounding",
            "(assert (= (fp.add RTP x ((_ to_fp 11 53) RNE 0.1)) ((_ to_fp 11 53) RNE 12345.678)))",
            "sat",
        ),
        (
            "a product",
            "(assert (fp.eq (fp.mul RNE x y) ((_ to_fp 11 53) RNE 42.0)))(assert (fp.gt x ((_ to_fp 11 53) RNE 2.0)))\
             (assert (fp.gt y ((_ to_fp 11 53) RNE 3.0)))",
            "sat",
        ),
        (
            "bytes of a float",
            "(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))\
             (assert (fp.eq ((_ to_fp 8 24) (concat (select a #x00000003) (select a #x00000002)\
             (select a #x00000001) (select a #x00000000))) ((_ to_fp 8 24) RNE 7.5)))",
            "sat",
        ),
        (
            "reads of writes",
            "(declare-const a (Array (_ BitVec 4) (_ BitVec 8)))(declare-const b (Array (_ BitVec 4) (_ BitVec 8)))\
             (declare-const i (_ BitVec 4))(declare-const j (_ BitVec 4))\
             (assert (= b (store a i #x11)))(assert (= (select b j) #x22))(assert (= (select a i) #x33))\
             (assert (= (select a j) (select b j)))",
            "sat",
        ),
        (
            "a function",
            "(declare-fun f (Float64) Float64)(assert (fp.lt (f x) (f y)))(assert (fp.isNaN (f (f x))))",
            "sat",
        ),
        (
            "wide values",
            "(declare-const w (_ BitVec 100))(assert (= ((_ extract 80 17) w) #x0123456789abcdef))\
             (declare-const z Float128)(assert (fp.gt z (_ +zero 15 113)))",
            "sat",
        ),
        ("definitions in a circle", "(assert (= x (fp.neg y)))(assert (= y (fp.neg x)))", "sat"),
        (
            "fields of a float",
            "(declare-const s (_ BitVec 1))(declare-const e (_ BitVec 11))(declare-const m (_ BitVec 52))\
             (assert (= (fp s e m) ((_ to_fp 11 53) RNE 0.3)))(assert (= y (fp s e m)))",
            "sat",
        ),
        ("a value that the model chooses", "(assert (= x (fp.min (_ +zero 11 53) (_ -zero 11 53))))", "sat"),
        (
            "an open value",
            "(declare-const v (_ BitVec 8))(assert (= v ((_ fp.to_ubv 8) RNE (_ NaN 11 53))))",
            "unknown",
        ),
        ("reals that are free", "(declare-const z Real)(assert (> z 0.0))", "unsupported"),
        ("quantifiers", "(assert (forall ((z Float64)) (fp.leq z x)))", "unsupported"),
        ("strings", "(declare-const s String)(assert (= s \"a\"))", "unsupported"),
    ];
    for (what, text, expected) in cases {
        assert_eq!(name(&solve(&format!("{float}{text}"))), *expected, "{what}");
    }
}

#[test]
fn same_seed_same_run() {
    let text = "(declare-const x Float64)(declare-const y Float64)\
                (assert (fp.eq (fp.add RNE (fp.mul RNE x x) y) ((_ to_fp 11 53) RNE 1000.5)))\
                (assert (fp.gt x ((_ to_fp 11 53) RNE 3.0)))(assert (fp.lt y (fp.neg x)))";
    let run = |seed: u64| {
        let (mut terms, query) = query(text);
        let mut engine = Anneal::with_seed(seed);
        let mut partials: Vec<Partial> = Vec::new();
        let mut take = |p: Partial| partials.push(p);
        let verdict = engine.solve(&mut terms, &query, &mut Budget::unlimited(), &mut take);
        let Verdict::Sat(model) = verdict else { panic!("there is a model") };
        (model.to_smtlib(&terms), partials, engine.counters())
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3).0, run(4).0);
    let (_, partials, _) = run(3);
    assert!(!partials.is_empty() && partials.iter().all(|p| p.engine == "anneal" && p.values.len() == 2));
}

#[test]
fn a_search_goes_on_where_its_budget_ended() {
    let text = "(declare-const x Float64)(declare-const y Float64)\
                (assert (= (fp.mul RTZ x y) ((_ to_fp 11 53) RNE 0.7)))(assert (fp.lt x y))\
                (assert (= (fp.add RTZ x y) ((_ to_fp 11 53) RNE 1.9)))";
    let (mut terms, query) = query(text);
    let mut engine = Anneal::with_seed(0);
    let mut last = 0;
    for _ in 0..3 {
        let mut slice = Budget::unlimited().slice(500);
        let verdict = engine.solve(&mut terms, &query, &mut slice, &mut NoPartials);
        assert!(matches!(verdict, Verdict::Sat(_) | Verdict::Unknown(Reason::Time)));
        let evaluations = engine.counters()[0].1;
        assert!(evaluations > last);
        last = evaluations;
    }
    assert!(engine.counters()[2].1 <= 2, "slices do not start anew");
}

#[test]
fn wide_cells_are_values_of_their_sort() {
    let (mut terms, query) = query("(declare-const w (_ BitVec 130))(assert (bvult w w))(assert (= w w))");
    let Ok(compiled) = compile(&mut terms, &query.assertions, false) else {
        panic!("wide vectors are handled")
    };
    assert_eq!(compiled.program.cells.len(), 3);
    let search = run(&terms, compiled, &[u64::MAX]);
    let values = super::model::values(&search);
    assert_eq!(values[0].1, Value::BitVec(BitVec::ones(130)));
}

#[test]
fn models_choose_among_zeros_of_opposite_sign() {
    let zeros = "(declare-const x Float32)(declare-const y Float32)
        (assert (and (fp.isZero x) (fp.isZero y) (distinct x y)))";
    let verdicts = [
        ("(assert (= (fp.min x y) (fp.min y x) (fp.max x y) (fp.max y x)))", "sat"),
        ("(assert (distinct (fp.max x y) (fp.max y x)))(assert (= (fp.min x y) (fp.max y x)))", "sat"),
        ("(assert (= (fp.min x y) x))(assert (= (fp.min x y) y))", "unknown"),
        ("(assert (not (fp.isZero (fp.min x y))))", "unknown"),
    ];
    for (assertions, expected) in verdicts {
        let text = format!("{zeros}{assertions}");
        let verdict = solve(&text);
        assert_eq!(name(&verdict), expected, "{assertions}");
        if let Verdict::Sat(model) = verdict {
            let (terms, query) = query(&text);
            // The same values without the choice decide nothing.
            let mut silent = Model::default();
            for fun in model.functions() {
                model.value(fun).into_iter().for_each(|value| silent.set(fun, value.clone()));
            }
            let mut evaluator = Evaluator::new(&terms, &silent);
            assert!(query.assertions.iter().any(|&a| evaluator.truth(a).is_err()), "{assertions}");
        }
    }
}

/// A search begins where it was told to: at a solution it is over before its first move, bytes that are one cell included.
#[test]
fn a_search_begins_at_the_assignment_that_it_is_given() {
    let (mut terms, query) = query(
        "(declare-const x (_ BitVec 32)) (declare-const a (_ BitVec 8)) (declare-const b (_ BitVec 8))
         (assert (bvugt x #x00001000)) (assert (bvult (concat a b) #x8000)) (assert (bvult #x0100 (concat a b)))",
    );
    let values = [("x", 32, 0x1234_5678), ("a", 8, 0x12), ("b", 8, 0x34)]
        .map(|(name, width, word)| bits(&mut terms, name, width, word));
    let mut engine = Anneal::with_seed(1);
    let query = query.near(&values);
    let mut budget = Budget::unlimited().slice(3_000_000);
    let Verdict::Sat(model) = engine.solve(&mut terms, &query, &mut budget, &mut NoPartials) else {
        panic!("it is satisfied from the start");
    };
    for (fun, value) in &values {
        assert_eq!(model.value(*fun), Some(value));
    }
}

/// The value of a symbol of at most 64 bits.
fn bits(terms: &mut Terms, name: &str, width: u32, word: u64) -> (FunId, Value) {
    let sort = terms.bit_vec_sort(width);
    let symbol = terms.symbol_constant(name, sort);
    (terms.as_fun(symbol).expect("a symbol"), Value::BitVec(BitVec::from_u64(width, word)))
}

/// A look around tries every value of a byte that a failing conjunct depends on, shows all that make single conjuncts true and
/// some of those that are alike, and ends at a solution if it passed one.
#[test]
fn a_look_around_sweeps_what_fails() {
    let (mut terms, query) = query(
        "(declare-const a (_ BitVec 8)) (declare-const b (_ BitVec 8))
         (assert (bvult b #x10)) (assert (bvugt a #x80)) (assert (not (= a #xff)))",
    );
    let near = [bits(&mut terms, "a", 8, 5), bits(&mut terms, "b", 8, 7)];
    let mut seen = std::collections::BTreeSet::new();
    let mut listen = |partial: Partial| {
        let value = |fun: FunId| partial.values.iter().find(|(f, _)| *f == fun).map(|(_, v)| v.clone());
        if value(near[1].0).as_ref() == Some(&near[1].1)
            && let Some(Value::BitVec(a)) = value(near[0].0)
        {
            seen.extend(a.to_u64());
        }
    };
    let mut engine = Anneal::with_seed(1);
    let verdict =
        engine.look(&mut terms, &query.near(&near), &mut Budget::unlimited().slice(3000), &mut listen);
    assert!(matches!(verdict, Verdict::Sat(_)), "{verdict:?}");
    let shown = |values: std::ops::RangeInclusive<u64>| seen.range(values).count();
    assert!(!seen.contains(&5));
    assert_eq!(shown(0xff..=0xff), 1);
    for alike in [0..=0x80, 0x81..=0xfe] {
        assert!((16..=24).contains(&shown(alike.clone())), "{alike:?}: {seen:?}");
    }
}

/// Reads of an array of constants are looked up, and undone by its contents.
#[test]
fn tables_are_searched_backwards() {
    use std::fmt::Write;
    let mut table = String::from("((as const (Array (_ BitVec 32) (_ BitVec 8))) #x00)");
    for i in 0..256u32 {
        let element = (i * 167 + 13) % 256;
        table = format!("(store {table} #x{:08x} #x{element:02x})", 0x4000 + i);
    }
    let mut text = String::from("(declare-const x (_ BitVec 32))");
    write!(text, "(define-fun t () (Array (_ BitVec 32) (_ BitVec 8)) {table})").expect("a string");
    text += "(assert (bvuge x #x00004000)) (assert (bvult x #x00004100))
             (assert (= (select t x) #x2a)) (assert (= (select t (bvadd x #x00000001)) #xd1))";
    let (mut terms, query) = query(&text);
    let mut budget = Budget::unlimited().slice(300_000);
    let verdict = Anneal::with_seed(3).solve(&mut terms, &query, &mut budget, &mut NoPartials);
    assert!(matches!(verdict, Verdict::Sat(_)), "{verdict:?}");
}
