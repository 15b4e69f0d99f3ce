//! Slow formulas: what the target takes and what the fastest of the others takes.

use super::chart::ticks;
use super::{Look, nothing, words};
use crate::error::Error;
use crate::store::Store;
use maud::{Markup, html};

/// The classes that are about time.
const CLASSES: &[&str] = &["performance", "slowdown", "unknown-regression"];
/// The scatter's scale: from a millisecond to a thousand seconds.
const DECADES: f64 = 6.0;

fn place(micros: u64) -> f64 {
    (((micros.max(1000) as f64).log10() - 3.0) / DECADES * 100.0).clamp(0.0, 100.0)
}

pub(super) fn page(store: &Store, _: Look) -> Result<Markup, Error> {
    let fastest = store.fastest()?;
    let mut rows: Vec<_> =
        store.findings()?.into_iter().filter(|row| CLASSES.contains(&row.class.as_str())).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.micros));
    let pairs: Vec<_> = rows.iter().filter_map(|row| Some((row, fastest.get(&row.id)?))).collect();
    Ok(html! {
        section.head { div { h1 { "Slow formulas" } p.sub { "CPU time of the target, beside the fastest right answer of any other release or solver" } } }
        @if rows.is_empty() { (nothing("No slow formula was found.")) }
        @if !pairs.is_empty() {
            section #scatter data-live {
                figure.chart {
                    figcaption { span { "Target (up) against the fastest other (right), from 1 ms to 1000 s" } }
                    div.plot.scatter {
                        @for decade in 0..=6 {
                            span.y style=(format!("bottom:{:.1}%", f64::from(decade) / DECADES * 100.0)) { (words::time(1000 * 10u64.pow(decade))) }
                        }
                        svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" {
                            @for decade in 0..=6 {
                                @let at = f64::from(decade) / DECADES * 100.0;
                                line.grid x1="0" x2="100" y1=(at) y2=(at) {} line.grid y1="0" y2="100" x1=(at) x2=(at) {}
                            }
                            line.diagonal x1="0" y1="100" x2="100" y2="0" {}
                        }
                        @for (row, (solver, micros)) in &pairs {
                            a class=(format!("point {}", row.class)) href=(format!("finding/{}-{}.html", row.class, row.fingerprint))
                                style=(format!("left:{:.2}%;bottom:{:.2}%", place(*micros), place(row.micros)))
                                title=(format!("{}: {} on {}, {} on {solver}", row.about, words::time(row.micros), row.target, words::time(*micros))) {}
                        }
                    }
                    (ticks(&(0..=6).map(|decade| (f64::from(decade) / DECADES * 100.0, words::time(1000 * 10u64.pow(decade)))).collect::<Vec<_>>()))
                }
            }
        }
        @if !rows.is_empty() {
            section #slowlist data-live { div.scroll { table {
                thead { tr { th { "class" } th { "formula" } th { "target" } th.n { "its time" } th { "fastest other" } th.n { "time" } th.n { "factor" } } }
                tbody { @for row in &rows {
                    @let other = fastest.get(&row.id);
                    tr {
                        td { span class=(format!("badge {}", row.class)) { (row.class) } }
                        td { a href=(format!("finding/{}-{}.html", row.class, row.fingerprint)) { (row.about) } }
                        td.mono { (row.target) } td.n { (words::time(row.micros)) }
                        td.mono { (other.map_or("–", |other| other.0.as_str())) }
                        td.n { (other.map_or("–".into(), |other| words::time(other.1))) }
                        td.n { @if let Some(other) = other { (words::short(row.micros as f64 / other.1.max(1) as f64)) "×" } }
                    }
                } }
            } } }
        }
    })
}
