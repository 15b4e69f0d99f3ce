//! Explorations: the list, and one of them with its coverage over time, its crashes, its source with coverage, and its tests.

use super::chart::{Chart, Series, Shape, draw};
use super::{Look, highlight, nothing, tile, words};
use crate::error::Error;
use crate::store::Store;
use crate::store::read::ExplorationRow;
use maud::{Markup, html};
use serde_json::Value as Json;
use std::collections::BTreeMap;

fn summary(row: &ExplorationRow) -> Json {
    row.summary.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

fn count(summary: &Json, name: &str) -> u64 {
    summary[name].as_u64().unwrap_or(0)
}

pub(super) fn list(store: &Store, look: Look) -> Result<Markup, Error> {
    let rows = store.explorations()?;
    let mut body = Vec::new();
    for row in &rows {
        let latest = store.moments(row.id)?.last().copied();
        body.push((row, summary(row), latest));
    }
    Ok(html! {
        section.head { div { h1 { "Explorations" } p.sub { "Programs, their tests and what the tests cover" } } }
        @if rows.is_empty() { (nothing("No program is explored here.")) }
        @else { section #explorations data-live { div.scroll { table {
            thead { tr { th { "program" } th.n { "seed" } th { "state" } th.n { "tests" } th { "branches" } th { "lines" } th.n { "crashes" } } }
            tbody { @for (row, summary, latest) in &body {
                tr {
                    td { a href=(format!("exploration/{}.html", row.id)) { (words::file_name(&row.program)) } }
                    td.n { (row.seed) }
                    td { @if row.ended.is_some() { (summary["stop_reason"].as_str().unwrap_or("done")) } @else if latest.is_some() { span.running { "running" } } @else { "waits" } }
                    td.n { (latest.map_or(count(summary, "tests"), |beat| beat.tests.max(count(summary, "tests")))) }
                    td { (part(count(summary, "branches_covered").max(latest.map_or(0, |b| b.branches)), count(summary, "branches"))) }
                    td { (part(count(summary, "lines_covered").max(latest.map_or(0, |b| b.lines)), count(summary, "lines"))) }
                    td.n { (count(summary, "crashes")) }
                }
            } }
        } } } }
        p.sub { "as of " (words::stamp(look.now)) }
    })
}

fn part(some: u64, all: u64) -> Markup {
    html! {
        span.part {
            (some) @if all > 0 { " / " (all) progress max=(all) value=(some) {} small { (format!("{:.0} %", some as f64 / all as f64 * 100.0)) } }
        }
    }
}

pub(super) fn page(store: &Store, row: &ExplorationRow, _: Look) -> Result<Markup, Error> {
    let summary = summary(row);
    let files = store.exploration_files(row.id)?;
    let moments = store.moments(row.id)?;
    let of = |name: &str| count(&summary, name);
    let curve = |name: &str, class: &str, value: &dyn Fn(&crate::work::Beat) -> u64| Series {
        name: name.into(),
        class: class.into(),
        points: moments.iter().map(|beat| (beat.micros as f64 / 1e6, value(beat) as f64)).collect(),
    };
    let chart = Chart {
        title: "Coverage over time",
        unit: "",
        shape: Shape::Steps,
        place: |s| words::time((s * 1e6) as u64),
    };
    let curves = [
        curve("branch directions", "s0", &|beat| beat.branches),
        curve("lines", "s1", &|beat| beat.lines),
        curve("tests", "s2", &|beat| beat.tests),
    ];
    Ok(html! {
        nav.crumbs { a href="../explorations.html" { "Explorations" } " / " span.mono { (words::file_name(&row.program)) } }
        section.head { div {
            h1 { (words::file_name(&row.program)) }
            p.sub { "seed " (row.seed) " · "
                @if row.ended.is_some() { (summary["stop_reason"].as_str().unwrap_or("done")) " after " (words::time((summary["seconds"].as_f64().unwrap_or(0.0) * 1e6) as u64)) }
                @else { span.running { "running" } }
                @if let Some(search) = summary["search"].as_str() { " · search " (search) }
            }
        } }
        section.tiles #figures data-live {
            (tile(&format!("{} / {}", of("branches_covered"), of("branches")), "branch directions", ""))
            (tile(&format!("{} / {}", of("lines_covered"), of("lines")), "lines", ""))
            (tile(&words::number(of("paths")), "paths", ""))
            (tile(&words::number(of("tests")), "tests kept", ""))
            (tile(&of("crashes").to_string(), "crashes", if of("crashes") > 0 { "bad" } else { "" }))
            (tile(&words::number(of("partials_used")), "from partial solutions", ""))
        }
        section #coverage data-live { (draw(&chart, &curves)) }
        section { h2 { "Crashes" } (crashes(&summary, &files)) }
        section { h2 { "Source" } (sources(&files)) }
        section { h2 { "Tests" } (tests(&files)) }
    })
}

fn crashes(summary: &Json, files: &BTreeMap<String, String>) -> Markup {
    let list = summary["crash_list"].as_array().map_or(&[][..], Vec::as_slice);
    html! {
        @if list.is_empty() { (nothing("No crash was found.")) }
        @for (at, crash) in list.iter().enumerate() {
            @let folder = format!("crashes/{:03}/", at + 1);
            details.crash open[at == 0] {
                summary {
                    span.badge.crash { (crash["kind"].as_str().unwrap_or("crash")) } " "
                    @if let Some(line) = crash["line"].as_u64() { span.mono { (words::file_name(crash["file"].as_str().unwrap_or_default())) ":" (line) } }
                    small { (crash["count"].as_u64().unwrap_or(1)) "× · test " (crash["test"].as_u64().unwrap_or(0)) }
                }
                ol.stack { @for frame in crash["stack"].as_array().into_iter().flatten().filter_map(Json::as_str) { li.mono { (place(frame)) } } }
                @for name in ["report.txt", "regression.c"] {
                    @if let Some(text) = files.get(&format!("{folder}{name}")) {
                        details { summary { (name) } pre.code { code { (text) } } }
                    }
                }
            }
        }
    }
}

/// A frame, `NAME at FILE:LINE`, without the folder of the file, which is of this machine alone.
fn place(frame: &str) -> String {
    match frame.rsplit_once(" at ") {
        Some((name, place)) => format!("{name} at {}", words::file_name(place)),
        None => frame.to_string(),
    }
}

/// How a line fared, from the trace in lcov's format.
#[derive(Clone, Copy, Default)]
struct Fate {
    executed: bool,
    taken: u32,
    ways: u32,
}

fn fates(trace: &str) -> Vec<(String, BTreeMap<u64, Fate>)> {
    let mut files: Vec<(String, BTreeMap<u64, Fate>)> = Vec::new();
    for line in trace.lines() {
        if let Some(name) = line.strip_prefix("SF:") {
            files.push((name.to_string(), BTreeMap::new()));
        }
        let Some((_, lines)) = files.last_mut() else { continue };
        let numbers = |text: &str| -> Vec<u64> { text.split(',').map(|n| n.parse().unwrap_or(0)).collect() };
        if let Some([line, count, ..]) = line.strip_prefix("DA:").map(numbers).as_deref() {
            lines.entry(*line).or_default().executed |= *count > 0;
        } else if let Some([line, _, _, count, ..]) = line.strip_prefix("BRDA:").map(numbers).as_deref() {
            let fate = lines.entry(*line).or_default();
            fate.ways += 1;
            fate.taken += u32::from(*count > 0);
        }
    }
    files
}

fn sources(files: &BTreeMap<String, String>) -> Markup {
    let all = fates(files.get("coverage/lcov.info").map_or("", String::as_str));
    html! {
        @if all.is_empty() { (nothing("The module has no debug information, so there are no lines to show.")) }
        @for (at, (name, lines)) in all.iter().enumerate() {
            @let executed = lines.values().filter(|fate| fate.executed).count();
            details.source open[at == 0] {
                summary { span.mono { (words::file_name(name)) } small { (executed) " of " (lines.len()) " lines" } }
                @match files.get(&format!("source/{at}")) {
                    Some(text) => { div.scroll { table.lines { tbody { @for (number, line) in (1..).zip(text.lines()) {
                        @let fate = lines.get(&number).copied();
                        tr class=(fate.map_or("", |fate| class(fate))) id=(format!("L{at}-{number}")) {
                            td.no { (number) }
                            td.ways { @if let Some(fate) = fate.filter(|fate| fate.ways > 0) { (fate.taken) "/" (fate.ways) } }
                            td { code { (highlight::c_line(line)) } }
                        }
                    } } } } }
                    None => { (nothing("The source file is not here.")) }
                }
            }
        }
    }
}

fn class(fate: Fate) -> &'static str {
    match fate {
        Fate { executed: false, .. } => "miss",
        Fate { taken, ways, .. } if taken < ways => "half",
        _ => "hit",
    }
}

/// The most tests that a page lists.
const TESTS: usize = 500;

fn tests(files: &BTreeMap<String, String>) -> Markup {
    let all: Vec<(&String, Json)> = files
        .iter()
        .filter(|(name, _)| name.starts_with("tests/"))
        .take(TESTS)
        .filter_map(|(name, text)| Some((name, serde_json::from_str(text).ok()?)))
        .collect();
    html! {
        @if all.is_empty() { (nothing("No tests yet.")) }
        @else { div.scroll { table {
            thead { tr { th { "test" } th { "from" } th.n { "after" } th { "input" } th { "ending" } th.n { "new branches" } } }
            tbody { @for (name, test) in &all {
                tr class=[test["crash"].is_u64().then_some("bad")] {
                    td.mono { (name.trim_start_matches("tests/").trim_end_matches(".json")) }
                    td { (test["origin"].as_str().unwrap_or_default()) @if let Some(engine) = test["engine"].as_str() { " " small { (engine) } } }
                    td.n { (words::time((test["seconds"].as_f64().unwrap_or(0.0) * 1e6) as u64)) }
                    td.mono.input { @for object in test["objects"].as_array().into_iter().flatten() {
                        span { (object["name"].as_str().unwrap_or_default()) "=" b { (bytes(object["bytes"].as_str().unwrap_or_default())) } } " "
                    } }
                    td { (test["ending"].as_str().unwrap_or_default()) }
                    td.n { (test["new_branches"].as_u64().unwrap_or(0)) }
                }
            } }
        } } }
    }
}

/// Hexadecimal digits as text where they are letters.
fn bytes(digits: &str) -> String {
    let mut out = String::new();
    for at in (0..digits.len().min(96)).step_by(2) {
        match digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) if (0x20..0x7f).contains(&byte) => out.push(char::from(byte)),
            Some(byte) => out.push_str(&format!("\\x{byte:02x}")),
            None => break,
        }
    }
    if digits.len() > 96 {
        out.push('…');
    }
    out
}
