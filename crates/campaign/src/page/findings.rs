//! The list of findings: filters and rows. The rows are drawn in the browser from one compact array, as many as are in sight, so
//! that ten thousand are as fast as ten.

use super::{Look, nothing, overview};
use crate::ci::tracker;
use crate::error::Error;
use crate::store::Store;
use crate::store::read::FindingRow;
use crate::store::record::FindingState;
use maud::{Markup, html};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// How many rows stand in the page itself, until the script draws them.
const FIRST: usize = 30;

pub(super) fn page(store: &Store, look: Look) -> Result<Markup, Error> {
    let rows = store.findings()?;
    let values = |of: &dyn Fn(&FindingRow) -> String| -> BTreeSet<String> {
        rows.iter().map(of).filter(|v| !v.is_empty()).collect()
    };
    let states: Vec<String> = FindingState::ALL.iter().map(|state| state.word().to_string()).collect();
    let filters: [(&str, &str, Vec<String>); 5] = [
        ("class", "class", in_order(&rows)),
        ("solver", "solver", values(&|row| tracker(&row.target)).into_iter().collect()),
        ("target", "release", values(&|row| row.target.clone()).into_iter().collect()),
        ("logic", "logic", values(&|row| row.logic.clone()).into_iter().collect()),
        ("state", "state", states),
    ];
    Ok(html! {
        section.head { div { h1 { "Findings" } p.sub #shown aria-live="polite" { (rows.len()) " in all" } } }
        form.filters #filters role="search" {
            input #search type="search" name="q" placeholder="Search  ( / )" aria-label="Search" autocomplete="off" spellcheck="false";
            @for (name, label, values) in &filters {
                select name=(name) aria-label=(label) {
                    option value="" { "any " (label) }
                    @for value in values { option value=(value) { (value) } }
                }
            }
            label.check { input type="checkbox" name="quiet" value="1"; " observations" }
            button type="reset" { "Clear" }
        }
        @if rows.is_empty() && !look.live { (nothing("No findings.")) }
        @else {
            div.list #list tabindex="0" role="listbox" aria-label="Findings" {
                div.rows #rows { @for row in rows.iter().filter(|row| row.loud).take(FIRST) { (overview::row_link(row, look.now)) } }
            }
        }
        script src="data/findings.js" {}
    })
}

/// The classes that occur, the gravest first.
fn in_order(rows: &[FindingRow]) -> Vec<String> {
    let mut classes: Vec<(i64, String)> = rows.iter().map(|row| (row.severity, row.class.clone())).collect();
    classes.sort();
    let mut words: Vec<String> = Vec::new();
    for (_, word) in classes {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// A row of the array; `page.js` reads it by position.
pub(super) fn row(row: &FindingRow) -> Json {
    json!([
        row.fingerprint,
        row.class,
        row.about,
        row.target,
        row.version,
        row.logic,
        row.state.word(),
        row.count,
        row.first_seen,
        row.severity,
        u8::from(row.loud),
        tracker(&row.target),
        row.strategy,
    ])
}

/// The array as a script, so that it can be read from a file system as well.
pub(super) fn script(store: &Store) -> Result<String, Error> {
    let rows: Vec<Json> = store.findings()?.iter().map(row).collect();
    // `</script>` cannot end a file of its own, but a line separator would end a string of old browsers.
    let text = Json::from(rows).to_string().replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    Ok(format!("window.FINDINGS={text};\nif(window.showFindings)window.showFindings();\n"))
}
