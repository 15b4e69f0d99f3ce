//! The first page: how many tests, what was found today and in all, how far each lane is, who works.

use super::{Look, throughput, tile, words};
use crate::error::Error;
use crate::store::Store;
use crate::store::read::FindingRow;
use fuzz::evidence::Class;
use maud::{Markup, html};

/// A worker that was not heard of for so many seconds is gone.
const GONE: i64 = 60;
/// Findings of the last day are today's.
const TODAY: i64 = 86_400;

pub(super) fn page(store: &Store, look: Look) -> Result<Markup, Error> {
    let campaign = store.campaign()?;
    let counters = store.counters()?;
    let counter = |name: &str| counters.get(name).copied().unwrap_or(0);
    let findings = store.findings()?;
    let loud: Vec<&FindingRow> = findings.iter().filter(|row| row.loud).collect();
    let today = loud.iter().filter(|row| look.now - row.first_seen < TODAY).count();
    let open = loud.iter().filter(|row| row.state == crate::store::record::FindingState::New).count();
    Ok(html! {
        section.head #head data-live {
            div {
                h1 { (campaign.as_ref().map_or("Results", |campaign| campaign.name.as_str())) }
                p.sub {
                    @if let Some(campaign) = &campaign {
                        "seed " (campaign.seed) " · started " (words::stamp(campaign.started)) " · "
                        @match &campaign.stop_reason {
                            Some(reason) => { "stopped (" (reason) ")" }
                            None => { span.running { "running" } }
                        }
                    }
                }
            }
        }
        section.tiles #tiles data-live {
            (tile(&words::number(counter("tests")), "tests", ""))
            (tile(&words::number(loud.len() as u64), "findings", if loud.is_empty() { "" } else { "bad" }))
            (tile(&today.to_string(), "found in the last 24 h", ""))
            (tile(&open.to_string(), "not looked at yet", ""))
            (tile(&words::time(counter("solver_micros")), "of solver CPU", ""))
        }
        section #classes data-live {
            h2 { "Findings by severity" }
            div.classes {
                @for (word, count, new) in by_class(&loud, look.now) {
                    a href=(format!("findings.html?class={word}")) class=(format!("classcard {word}")) {
                        strong { (count) } span { (word) } small { (new) " in 24 h" }
                    }
                }
            }
        }
        section #latest data-live {
            h2 { "Newest" }
            @if loud.is_empty() { (super::nothing("No findings yet.")) }
            @else { div.rows { @for row in newest(&loud) { (row_link(row, look.now)) } } }
        }
        section #pace data-live { (throughput::tests(store)?) }
        section #lanes data-live { h2 { "Lanes" } (lanes(store)?) }
        (workers(store, look)?)
        (notes(store, look)?)
    })
}

/// Each word of the loud classes with how many there are and how many are new.
fn by_class(loud: &[&FindingRow], now: i64) -> Vec<(&'static str, usize, usize)> {
    let mut out: Vec<(&'static str, usize, usize)> = Vec::new();
    for word in Class::all().filter(|class| class.is_loud()).map(Class::word) {
        if out.iter().any(|row| row.0 == word) {
            continue;
        }
        let of = loud.iter().filter(|row| row.class == word);
        out.push((word, of.clone().count(), of.filter(|row| now - row.first_seen < TODAY).count()));
    }
    out
}

fn newest<'a>(loud: &[&'a FindingRow]) -> Vec<&'a FindingRow> {
    let mut rows = loud.to_vec();
    rows.sort_by_key(|row| std::cmp::Reverse((row.first_seen, row.id)));
    rows.truncate(8);
    rows
}

/// A finding as a row that leads to its page; the list on the findings page makes the same in the browser.
pub(super) fn row_link(row: &FindingRow, now: i64) -> Markup {
    html! {
        a.row href=(format!("finding/{}-{}.html", row.class, row.fingerprint)) {
            span class=(format!("badge {}", row.class)) { (row.class) }
            span.what { b { (row.about) } small { (row.target) " " (row.version) " · " (row.logic) } }
            span.count title="times seen" { (words::number(row.count)) "×" }
            span class=(format!("state {}", row.state.word())) { (row.state.word()) }
            span.when { (words::ago(row.first_seen, now)) }
        }
    }
}

fn lanes(store: &Store) -> Result<Markup, Error> {
    let lanes = store.lanes()?;
    Ok(html! {
        div.scroll { table {
            thead { tr { th { "strategy" } th { "what" } th.n { "tests" } th.n { "batches" } th.n { "time" } th.n { "share" } } }
            tbody { @for lane in &lanes {
                tr class=[(!lane.active).then_some("quiet")] {
                    td { i class=(format!("key {}", words::strategy_class(&lane.strategy))) {} (lane.strategy) }
                    td.mono { (lane.subject) }
                    td.n { (words::number(lane.tests)) }
                    td.n {
                        (words::number(lane.done))
                        @if let Some(batches) = lane.batches { " / " (words::number(batches))
                            progress max=(batches.max(1)) value=(lane.done) {} }
                    }
                    td.n { (words::time(lane.micros)) }
                    td.n { (format!("{:.2}", lane.share)) }
                }
            } }
        } }
    })
}

fn workers(store: &Store, look: Look) -> Result<Markup, Error> {
    let workers = store.workers()?;
    Ok(html! {
        @if !workers.is_empty() {
            section #workers data-live {
                h2 { "Workers" }
                div.scroll { table {
                    thead { tr { th { "name" } th.n { "items" } th.n { "tests" } th.n { "time" } th { "last heard of" } } }
                    tbody { @for worker in &workers {
                        tr class=[(look.now - worker.seen > GONE).then_some("quiet")] {
                            td.mono { (worker.name) }
                            td.n { (words::number(worker.items)) } td.n { (words::number(worker.tests)) }
                            td.n { (words::time(worker.micros)) }
                            td { (words::ago(worker.seen, look.now)) }
                        }
                    } }
                } }
            }
        }
    })
}

fn notes(store: &Store, look: Look) -> Result<Markup, Error> {
    let notes = store.notes(20)?;
    Ok(html! {
        @if !notes.is_empty() {
            section #notes data-live {
                h2 { "Notes" }
                ul.notes { @for (at, text) in &notes { li { small { (words::ago(*at, look.now)) } " " (text) } } }
            }
        }
    })
}
