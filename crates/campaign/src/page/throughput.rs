//! Throughput: tests and solver time by strategy over time, and what the answers were.

use super::chart::{Chart, Series, draw};
use super::{Look, words};
use crate::error::Error;
use crate::store::Store;
use crate::store::read::MinuteRow;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The most points of a line.
const POINTS: i64 = 240;

/// Minutes to buckets of equal length: one series a strategy, all with the same places, values a minute.
fn series(rows: &[MinuteRow], factor: f64) -> Vec<Series> {
    let (Some(first), Some(last)) =
        (rows.iter().map(|row| row.minute).min(), rows.iter().map(|row| row.minute).max())
    else {
        return Vec::new();
    };
    let width = ((last - first) / POINTS + 1).max(1);
    let buckets = ((last - first) / width + 1) as usize;
    let mut sums: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let sum = sums.entry(&row.strategy).or_insert_with(|| vec![0.0; buckets]);
        sum[((row.minute - first) / width) as usize] += row.value as f64 * factor / width as f64;
    }
    let place = |bucket: usize| ((first + bucket as i64 * width) * 60) as f64;
    sums.into_iter()
        .map(|(name, values)| Series {
            name: name.to_string(),
            class: words::strategy_class(name),
            points: values.iter().enumerate().map(|(bucket, value)| (place(bucket), *value)).collect(),
        })
        .collect()
}

fn clock(place: f64) -> String {
    words::clock(place as i64)
}

pub(super) fn tests(store: &Store) -> Result<Markup, Error> {
    let chart =
        Chart { title: "Tests a minute", unit: "tests/min", stacked: true, steps: false, place: clock };
    Ok(draw(&chart, &series(&store.minutes("tests")?, 1.0)))
}

pub(super) fn page(store: &Store, _: Look) -> Result<Markup, Error> {
    let cpu = Chart {
        title: "Cores that solvers keep busy",
        unit: "cores",
        stacked: true,
        steps: false,
        place: clock,
    };
    let work =
        Chart { title: "Workers that are busy", unit: "workers", stacked: true, steps: false, place: clock };
    let table = store.by_strategy()?;
    let columns = [
        "tests",
        "sat",
        "unsat",
        "unknown",
        "timeouts",
        "unsupported",
        "rejected",
        "crashes",
        "duplicates",
        "refuted",
    ];
    Ok(html! {
        section.head { div { h1 { "Throughput" } p.sub { "By strategy, over time (UTC)" } } }
        section #tests data-live { (tests(store)?) }
        section #cpu data-live { (draw(&cpu, &series(&store.minutes("solver_micros")?, 1.0 / 60e6))) }
        section #work data-live { (draw(&work, &series(&store.minutes("wall_micros")?, 1.0 / 60e6))) }
        section #sums data-live {
            h2 { "Answers" }
            div.scroll { table {
                thead { tr { th { "strategy" } @for column in columns { th.n { (column) } } th.n { "solver CPU" } th.n { "tests a CPU second" } } }
                tbody { @for (strategy, counters) in &table {
                    @let of = |name: &str| counters.get(name).copied().unwrap_or(0);
                    tr {
                        td { i class=(format!("key {}", words::strategy_class(strategy))) {} (strategy) }
                        @for column in columns { td.n { (words::number(of(column))) } }
                        td.n { (words::time(of("solver_micros"))) }
                        td.n { @if of("solver_micros") > 0 { (words::short(of("tests") as f64 / (of("solver_micros") as f64 / 1e6))) } @else { "–" } }
                    }
                } }
            } }
        }
    })
}
