//! Throughput: tests and solver time by strategy over time, and what the answers were.

use super::chart::{Chart, Series, Shape, draw};
use super::{Look, words};
use crate::error::Error;
use crate::store::Store;
use crate::store::read::MinuteRow;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The most columns of a chart; longer campaigns have wider ones.
const POINTS: i64 = 120;
/// Minutes after which the time of the day alone says too little.
const DAY: i64 = 20 * 60;
/// From microseconds in a minute to cores.
const CORES: f64 = 1.0 / 60e6;

/// A chart of what was counted each minute, in columns of equal length: one series a strategy.
fn minutes_chart(rows: &[MinuteRow], factor: f64, title: &str, unit: &str) -> Markup {
    let minutes = || rows.iter().map(|row| row.minute);
    let (first, last) = (minutes().min().unwrap_or(0), minutes().max().unwrap_or(0));
    let width = ((last - first) / POINTS + 1).max(1);
    let buckets = ((last - first) / width + 1) as usize;
    let mut sums: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let sum = sums.entry(&row.strategy).or_insert_with(|| vec![0.0; buckets]);
        sum[((row.minute - first) / width) as usize] += row.value as f64 * factor / width as f64;
    }
    let place = |bucket: usize| ((first + bucket as i64 * width) * 60) as f64;
    let series: Vec<Series> = sums
        .into_iter()
        .map(|(name, values)| Series {
            name: name.to_string(),
            class: words::strategy_class(name),
            points: values.iter().enumerate().map(|(bucket, value)| (place(bucket), *value)).collect(),
        })
        .collect();
    let label: fn(f64) -> String =
        if last - first > DAY { |at| words::day(at as i64) } else { |at| words::clock(at as i64) };
    let shape = Shape::Columns((width * 60) as f64);
    draw(&Chart { title, unit, shape, place: label }, &series)
}

pub(super) fn tests(store: &Store) -> Result<Markup, Error> {
    Ok(minutes_chart(&store.minutes("tests")?, 1.0, "Tests a minute", "tests/min"))
}

pub(super) fn page(store: &Store, _: Look) -> Result<Markup, Error> {
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
        section #cpu data-live { (minutes_chart(&store.minutes("solver_micros")?, CORES, "Cores that solvers keep busy", "cores")) }
        section #work data-live { (minutes_chart(&store.minutes("wall_micros")?, CORES, "Workers that are busy", "workers")) }
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
