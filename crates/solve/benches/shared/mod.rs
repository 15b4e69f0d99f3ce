//! What the benches of the searching engines share.

use divan::Bencher;
use divan::counter::ItemsCount;
use smt::{Terms, read_script};
use solve::engine::{Budget, NoPartials, Query};
use solve::engines;

/// Evaluations per second of an engine on a query without a model, on which it spends so many ticks.
pub(crate) fn evaluations(bencher: Bencher<'_, '_>, engine: &str, ticks: u64, text: &str) {
    let solve = || {
        let mut terms = Terms::new();
        let assertions = read_script(&mut terms, text).script.assertions().collect();
        let mut engine = engines::make(engine, 0).expect("an engine of the table");
        let mut budget = Budget::unlimited().slice(ticks);
        engine.solve(&mut terms, &Query::new(assertions), &mut budget, &mut NoPartials);
        let counters = engine.counters();
        counters.iter().find(|(name, _)| *name == "evaluations").expect("a search counts them").1
    };
    let evaluations = solve();
    bencher.counter(ItemsCount::new(evaluations)).bench_local(solve);
}
