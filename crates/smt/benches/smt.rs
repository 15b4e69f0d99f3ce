//! Reading, building, substituting, printing and evaluating. `cargo bench -p smt`.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use smt::print::term_to_string;
use smt::{Evaluator, Model, Op, Script, TermId, TermMap, Terms, read_script};

fn main() {
    divan::main();
}

/// A deterministic source of choices.
struct Choices(u64);

impl Choices {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A script of about this many bytes: declarations, and assertions over integers, bit-vectors and strings as solvers'
/// benchmarks have them, with `let`s.
fn script(bytes: usize) -> String {
    let mut out = String::from("(set-logic ALL)\n(set-info :status unknown)\n");
    let names = (bytes / 400).clamp(4, 400);
    for i in 0..names {
        out.push_str(&format!("(declare-fun count_{i} () Int)\n(declare-fun word_{i} () (_ BitVec 32))\n(declare-fun name_{i} () String)\n"));
    }
    let mut choices = Choices(7);
    while out.len() < bytes {
        let mut v = || choices.below(names as u64);
        let (a, b, c, d) = (v(), v(), v(), v());
        let n = choices.below(100_000);
        out.push_str(&match choices.below(4) {
            0 => format!("(assert (let ((sum (+ count_{a} (* 3 count_{b}) (- {n})))) (or (<= sum count_{c}) (and (> sum {n}) (not (= count_{d} sum))))))\n"),
            1 => format!("(assert (bvult (bvadd word_{a} (bvmul word_{b} #x{n:08x})) ((_ zero_extend 16) ((_ extract 15 0) word_{c}))))\n"),
            2 => format!("(assert (ite (str.prefixof \"key{n}\" name_{a}) (= (str.len name_{b}) count_{c}) (str.in_re name_{d} (re.+ (re.range \"a\" \"z\")))))\n"),
            _ => format!("(assert (=> (and (>= count_{a} 0) (< count_{a} {n})) (= (bvand word_{b} word_{c}) (bvshl word_{d} #x0000000{}))))\n", n % 10),
        });
    }
    out.push_str("(check-sat)\n");
    out
}

fn read(source: &str) -> (Terms, Script) {
    let mut terms = Terms::new();
    let reading = read_script(&mut terms, source);
    assert!(reading.errors.is_empty(), "{}", reading.errors[0]);
    (terms, reading.script)
}

/// Reading with sort checking and hash-consing.
#[divan::bench(args = [2_000, 2_000_000])]
fn read_script_of(bencher: Bencher<'_, '_>, bytes: usize) {
    let source = script(bytes);
    bencher.counter(BytesCount::of_str(&source)).bench(|| read(black_box(&source)));
}

/// The same by `yaspar-ir`, typed: `cargo bench -p smt --features contestants`.
#[cfg(feature = "contestants")]
#[divan::bench(args = [2_000, 2_000_000], sample_count = 10)]
fn yaspar_read_script_of(bencher: Bencher<'_, '_>, bytes: usize) {
    use yaspar_ir::ast::{Context, Typecheck};
    use yaspar_ir::untyped::UntypedAst;
    let source = script(bytes);
    bencher.counter(BytesCount::of_str(&source)).bench(|| {
        let commands = UntypedAst.parse_script_str(black_box(&source)).expect("a well-formed script");
        let mut context = Context::new();
        let typed = commands.type_check(&mut context).expect("a well-sorted script");
        (context, typed)
    });
}

/// A term with this many nodes over integers.
fn formula(terms: &mut Terms, nodes: usize) -> TermId {
    let int = smt::SortId::INT;
    let vars: Vec<TermId> = (0..16).map(|i| terms.symbol_constant(&format!("x{i}"), int)).collect();
    let mut pool = vars;
    let mut choices = Choices(11);
    while terms.len() < nodes {
        let (a, b) = (pool[choices.below(pool.len() as u64) as usize], pool[pool.len() - 1]);
        let op = [Op::Add, Op::Sub, Op::Mul][choices.below(3) as usize];
        let term = terms.mk(op, &[a, b]);
        pool.push(term);
    }
    let last = pool[pool.len() - 1];
    let zero = terms.int(0);
    terms.mk(Op::Lt, &[zero, last])
}

#[divan::bench]
fn build_1000_nodes(bencher: Bencher<'_, '_>) {
    bencher.bench(|| {
        let mut terms = Terms::new();
        formula(&mut terms, 1000)
    });
}

/// Building what exists already: a hash look-up per node.
#[divan::bench]
fn rebuild_1000_nodes(bencher: Bencher<'_, '_>) {
    let mut terms = Terms::new();
    let term = formula(&mut terms, 1000);
    let all = smt::walk::reachable(&terms, &[term]);
    bencher.bench_local(|| {
        for &t in &all {
            if matches!(terms.op(t), Op::Add | Op::Sub | Op::Mul) {
                let args: [TermId; 2] = terms.args(t).try_into().expect("two arguments");
                let op = terms.op(t);
                black_box(terms.mk(op, &args));
            }
        }
    });
}

#[divan::bench]
fn substitute_in_1000_nodes(bencher: Bencher<'_, '_>) {
    let mut terms = Terms::new();
    let term = formula(&mut terms, 1000);
    let x = terms.symbol_constant("x3", smt::SortId::INT);
    let y = terms.symbol_constant("y", smt::SortId::INT);
    let map: TermMap = [(x, y)].into_iter().collect();
    bencher.with_inputs(|| terms.clone()).bench_local_values(|mut terms| terms.substitute(&[term], &map));
}

#[divan::bench]
fn print_1000_nodes(bencher: Bencher<'_, '_>) {
    let mut terms = Terms::new();
    let term = formula(&mut terms, 1000);
    bencher.bench(|| term_to_string(&terms, term));
}

/// Ground terms of each theory: a literal of the theory, and how the next one is made of the last.
const GROUND: &[(&str, &str, &str)] = &[
    ("core", "true", "(xor (not {}) (= {} false) (ite {} false true))"),
    ("ints", "7", "(mod (+ (* {} 31) (div {} 3) (abs (- {} 5))) 1000003)"),
    ("reals", "1.5", "(ite (< {} 1000.0) (+ {} 0.25 (/ 1.0 3.0)) (- {} 999.0))"),
    ("bit_vectors", "#x0000abcd", "(bvxor (bvadd {} #x12345678) (bvlshr {} #x00000003) (bvnot {}))"),
    (
        "floats",
        "((_ to_fp 11 53) RNE 1.1)",
        "(fp.div RNE (fp.add RNE {} ((_ to_fp 11 53) RNE 2.0)) (fp.sqrt RNE (fp.abs {})))",
    ),
    ("strings", "\"abc\"", "(str.substr (str.++ {} \"xy\" (str.replace {} \"b\" \"\")) 1 20)"),
    ("arrays", "((as const (Array Int Int)) 0)", "(store {} 5 (+ 1 (select {} 5)))"),
];

/// A ground term of about 1,000 nodes, written with nested `let`s.
fn ground(first: &str, step: &str) -> String {
    let nodes_per_step = step.matches('(').count().max(1);
    let steps = 1000 / nodes_per_step;
    let mut out = format!("(define-fun goal () Bool (let ((v0 {first})) ");
    for i in 0..steps {
        out.push_str(&format!("(let ((v{} {})) ", i + 1, step.replace("{}", &format!("v{i}"))));
    }
    out.push_str(&format!("(= v{steps} v{})", steps - 1));
    out.push_str(&")".repeat(steps + 2));
    out
}

#[divan::bench(args = GROUND.iter().map(|(name, ..)| *name))]
fn evaluate_1000_nodes(bencher: Bencher<'_, '_>, theory: &str) {
    let (_, first, step) = GROUND.iter().find(|(name, ..)| *name == theory).expect("a theory of the list");
    let (terms, script) = read(&ground(first, step));
    let smt::Command::DefineFun(goal) = script.commands[0] else { unreachable!("one definition") };
    let body = terms.fun(goal).definition.as_ref().expect("a body").body;
    let model = Model::default();
    assert!(Evaluator::new(&terms, &model).eval(body).is_ok());
    bencher.bench(|| Evaluator::new(&terms, &model).eval(black_box(body)));
}
