//! What a case of the strategy `truth` costs, by source: a batch of 64 of each. `cargo bench -p fuzz --bench truth`.

use fuzz::case::Batch;
use fuzz::truth::{Category, Truth, TruthSettings};
use random::Rng;
use smt::Theory;

fn main() {
    divan::main();
}

fn all(bencher: divan::Bencher<'_, '_>, truth: &Truth, number: u64) {
    let cases = |number| truth.cases(number, Rng::new(number)).expect("a batch");
    let mut counted = cases(number);
    let count = std::iter::from_fn(|| counted.next()).count();
    bencher.counter(divan::counter::ItemsCount::new(count)).bench_local(|| {
        let mut batch = cases(number);
        while let Some(case) = batch.next() {
            divan::black_box(case);
        }
    });
}

#[divan::bench(args = [Category::ConstantAssignment, Category::TermSynthesis, Category::LargerCore, Category::Redundancy])]
fn enumeration(bencher: divan::Bencher<'_, '_>, category: Category) {
    let truth = Truth::new(TruthSettings::default());
    let number = truth.first_batch(category).expect("every category has a batch");
    all(bencher, &truth, number);
}

#[divan::bench(args = ["strings", "arith", "bitvec", "float", "arrays"])]
fn random(bencher: divan::Bencher<'_, '_>, theory: &str) {
    let theory = match theory {
        "strings" => Theory::Strings,
        "arith" => Theory::Arith,
        "bitvec" => Theory::BitVec,
        "float" => Theory::Float,
        _ => Theory::Arrays,
    };
    let truth = Truth::new(TruthSettings { beyond: vec![theory], depth: 3, bound: 1, in_order: true });
    all(bencher, &truth, truth.planned() + 1);
}

#[divan::bench]
fn planning() -> Truth {
    Truth::new(TruthSettings::default())
}
