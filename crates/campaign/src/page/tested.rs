//! What was tested: logics, and every operator of the table by theory, those that no test had among them.

use super::{Look, nothing, words};
use crate::error::Error;
use crate::store::Store;
use maud::{Markup, html};
use smt::Op;
use std::collections::BTreeMap;

pub(super) fn page(store: &Store, _: Look) -> Result<Markup, Error> {
    let logics = store.tested("logic")?;
    let counts: BTreeMap<String, u64> = store.tested("operator")?.into_iter().collect();
    let mut theories: BTreeMap<String, Vec<(&'static str, u64)>> = BTreeMap::new();
    for row in Op::all().filter(|row| !row.name.is_empty()) {
        let list = theories.entry(format!("{:?}", row.theory)).or_default();
        if list.iter().all(|(name, _)| *name != row.name) {
            list.push((row.name, counts.get(row.name).copied().unwrap_or(0)));
        }
    }
    let largest = counts.values().copied().max().unwrap_or(0);
    let most = logics.iter().map(|row| row.1).max().unwrap_or(1);
    Ok(html! {
        section.head { div { h1 { "Tested" } p.sub { "How many tests had each logic and each operator" } } }
        section #logics data-live {
            h2 { "Logics" }
            @if logics.is_empty() { (nothing("No test was sent yet.")) }
            div.bars { @for (name, tests) in &logics {
                span.mono { (name) }
                span.bar { i style=(format!("width:{:.1}%", *tests as f64 / most as f64 * 100.0)) {} }
                span.n { (words::number(*tests)) }
            } }
        }
        section #operators data-live {
            h2 { "Operators" }
            @for (name, operators) in theories.iter().filter(|row| covered(row.1) > 0) { (theory(name, operators, largest)) }
            @let idle: Vec<_> = theories.iter().filter(|row| covered(row.1) == 0).collect();
            @if !idle.is_empty() {
                details.idle {
                    summary { "No test had an operator of " (idle.iter().map(|row| row.0.as_str()).collect::<Vec<_>>().join(", ")) }
                    @for (name, operators) in &idle { (theory(name, operators, largest)) }
                }
            }
        }
    })
}

fn covered(operators: &[(&str, u64)]) -> usize {
    operators.iter().filter(|row| row.1 > 0).count()
}

fn theory(name: &str, operators: &[(&str, u64)], largest: u64) -> Markup {
    html! {
        h3 { (name) small { (covered(operators)) " of " (operators.len()) } }
        div.ops { @for (name, tests) in operators {
            span class=(format!("op h{}", heat(*tests, largest))) title=(format!("{} tests", words::number(*tests))) {
                (name) small { (words::short(*tests as f64)) }
            }
        } }
    }
}

/// 0 for nothing, up to 5 for the most; each step is about a power of the scale.
fn heat(tests: u64, largest: u64) -> u32 {
    if tests == 0 {
        return 0;
    }
    let share = ((tests as f64).ln() + 1.0) / ((largest.max(2) as f64).ln() + 1.0);
    (share * 5.0).ceil().clamp(1.0, 5.0) as u32
}
