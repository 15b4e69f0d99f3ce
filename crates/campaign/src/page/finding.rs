//! One finding: the reduced script, why it is wrong, the model or core, the difference to the seed, the matrix of releases and
//! options, and buttons that copy what a report needs.

use super::{Look, highlight, markdown, words};
use crate::error::Error;
use crate::store::Store;
use crate::store::read::FindingRow;
use crate::store::record::{Answered, FindingState};
use maud::{Markup, html};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn page(store: &Store, row: &FindingRow, look: Look) -> Result<Markup, Error> {
    let files = store.files(row.id)?;
    let file = |name: &str| files.get(name).map(String::as_str);
    let json = |name: &str| -> Json {
        file(name).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    };
    let answer = json("answer.json");
    let report = file("report.md").unwrap_or_default();
    let reduced = file("reduced.smt2").or(file("bug.smt2")).unwrap_or_default();
    Ok(html! {
        nav.crumbs { a href="../findings.html" { "Findings" } " / " span.mono { (row.fingerprint) } }
        section.head {
            div {
                h1 { span class=(format!("badge {}", row.class)) { (row.class) } " " (row.target.split(' ').next().unwrap_or_default()) " " (row.title) }
                p.sub.mono { (row.about) }
                p.sub {
                    "seen " (words::number(row.count)) "× · first " (words::stamp(row.first_seen)) " · by " (row.strategy)
                    @if !row.logic.is_empty() { " · " (row.logic) }
                }
            }
            div.actions {
                button.copy type="button" data-copy="report" title="r" { "Copy report" }
                button.copy type="button" data-copy="command" title="c" { "Copy command" }
                button.copy type="button" data-copy="reduced" { "Copy script" }
            }
        }
        (state(row, look))
        div.columns {
            div {
                section { h2 { "Reduced script" small { (row.assertions) " assertion" @if row.assertions != 1 { "s" } } }
                    pre.code #reduced { code { (highlight::smt(reduced)) } } }
                section { h2 { "Why it is wrong" } div.prose { (why(report, &answer)) } }
                @if let Some(text) = model_or_core(&answer) {
                    section { h2 { (text.0) } pre.code { code { (highlight::smt(&text.1)) } } }
                }
                (difference(&json("mutations.json")))
            }
            div {
                section { h2 { "Releases and options" } (matrix(&store.answers(row.id)?)) }
                @if let Some(text) = markdown::part(report, "Diagnosis") {
                    section { h2 { "Diagnosis" } div.prose { (markdown::render(text)) } }
                }
                section { h2 { "The run" } (facts(row, &answer)) }
                section { h2 { "Seen on" } (sightings(store, row.id)?) }
            }
        }
        section {
            h2 { "Files" }
            @for name in ["report.md", "bug.smt2", "seed.smt2", "repro.sh", "answer.json"] {
                @if let Some(text) = file(name) {
                    details { summary { (name) small { (words::short(text.len() as f64)) " bytes" } }
                        pre.code id=(copy_id(name)) { code { @if name.ends_with(".smt2") { (highlight::smt(text)) } @else { (text) } } } }
                }
            }
        }
        pre #command hidden { (command(&answer)) }
    })
}

fn copy_id(name: &str) -> &str {
    if name == "report.md" { "report" } else { name }
}

/// The command that shows the defect; the script comes by standard input unless it names a file.
fn command(answer: &Json) -> String {
    let words = answer["solver"]["command"].as_array().into_iter().flatten().filter_map(Json::as_str);
    let quoted: Vec<String> =
        words.map(|word| output::quote::shell(&word.replace("{file}", "reduced.smt2"))).collect();
    let line = quoted.join(" ");
    if line.contains("reduced.smt2") { line } else { format!("{line} < reduced.smt2") }
}

fn state(row: &FindingRow, look: Look) -> Markup {
    let link = row.url.as_deref().filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    html! {
        section.statebar #statebar {
            span class=(format!("state {}", row.state.word())) { (row.state.word()) }
            @if let Some(url) = link { a href=(url) rel="noreferrer noopener" { (url) } }
            @if let Some(release) = &row.release { span { "in " (release) } }
            @if look.live {
                form method="post" action="../state" {
                    input type="hidden" name="fingerprint" value=(row.fingerprint);
                    input type="hidden" name="page" value=(format!("{}-{}", row.class, row.fingerprint));
                    select name="state" aria-label="State" { @for state in FindingState::ALL {
                        option value=(state.word()) selected[state == row.state] { (state.word()) }
                    } }
                    input name="url" type="url" placeholder="https:// report" aria-label="Where it was reported" value=(row.url.as_deref().unwrap_or_default());
                    input name="release" placeholder="fixed in" aria-label="Fixed in" value=(row.release.as_deref().unwrap_or_default());
                    button { "Set" }
                }
            }
        }
    }
}

fn why(report: &str, answer: &Json) -> Markup {
    let observed = markdown::part(report, "Observed");
    let because = markdown::part(report, "Why it is wrong");
    html! {
        @match (observed, because) {
            (None, None) => { p { (answer["detail"].as_str().unwrap_or("The report does not say.")) } }
            _ => {
                @if let Some(text) = observed { (markdown::render(&format!("**Observed:** {text}"))) }
                @if let Some(text) = because { (markdown::render(&sentence(text))) }
            }
        }
    }
}

/// The report goes on after a heading; here it begins a paragraph. Names of solvers stay as they are.
fn sentence(text: &str) -> String {
    match text.strip_prefix("the ") {
        Some(rest) => format!("The {rest}"),
        None => text.to_string(),
    }
}

/// How a run ended: `exit code 0` of `Exited(0)`.
fn ending(text: &str) -> String {
    let (word, number) = text.trim_end_matches(')').split_once('(').unwrap_or((text, ""));
    match word {
        "Exited" => format!("exit code {number}"),
        "Signalled" => format!("signal {number}"),
        "CpuLimit" => "limit of CPU time".into(),
        "WallLimit" => "limit of time".into(),
        "MemoryLimit" => "limit of memory".into(),
        "OutputLimit" => "limit of output".into(),
        _ => text.to_string(),
    }
}

fn model_or_core(answer: &Json) -> Option<(&'static str, String)> {
    if let Some(model) = answer["model"].as_str() {
        return Some(("The model that it gives", model.to_string()));
    }
    let core = answer["core"].as_array()?;
    let names: Vec<&str> = core.iter().filter_map(Json::as_str).collect();
    Some(("The core that it gives", format!("({})", names.join(" "))))
}

fn difference(mutations: &Json) -> Markup {
    let list = mutations.as_array().map_or(&[][..], Vec::as_slice);
    html! {
        @if !list.is_empty() {
            section {
                h2 { "Difference to the seed" small { (list.len()) " literal" @if list.len() != 1 { "s" } } }
                @for change in list {
                    div.diff {
                        small { (change["rule"].as_str().unwrap_or_default()) }
                        pre.minus { code { (highlight::smt(change["before"].as_str().unwrap_or_default())) } }
                        pre.plus { code { (highlight::smt(change["after"].as_str().unwrap_or_default())) } }
                    }
                }
            }
        }
    }
}

/// Versions in their order: numbers by value.
fn order(text: &str) -> Vec<(u64, String)> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .map(|part| (part.parse().unwrap_or(u64::MAX), part.to_string()))
        .collect()
}

/// A row of the matrix: family, version, solver.
type Release<'a> = (String, Vec<(u64, String)>, &'a str);

fn matrix(answers: &[Answered]) -> Markup {
    if answers.is_empty() {
        return super::nothing(
            "A campaign asks the other releases at hand about each finding; none has answered yet.",
        );
    }
    let columns: BTreeSet<&str> = answers.iter().map(|answer| answer.options.as_str()).collect();
    let mut rows: BTreeMap<Release<'_>, BTreeMap<&str, &Answered>> = BTreeMap::new();
    for answer in answers {
        let name = words::file_name(&answer.solver);
        let family = name.split('@').next().unwrap_or(name).to_string();
        rows.entry((family, order(&answer.version), answer.solver.as_str()))
            .or_default()
            .insert(&answer.options, answer);
    }
    html! {
        div.scroll { table.matrix {
            thead { tr { th { "release" } @for column in &columns { th { @if column.is_empty() { "no options" } @else { code { (column) } } } } } }
            tbody { @for ((_, _, solver), cells) in &rows {
                @let version = cells.values().next().map_or("", |answer| answer.version.as_str());
                tr {
                    th scope="row" { (words::file_name(solver)) @if !solver.contains('@') { " " small { (version) } } }
                    @for column in &columns {
                        @match cells.get(column) {
                            Some(answer) => {
                                td class=(format!("cell {}", answer.judgement)) title=(answer.reason.as_deref().unwrap_or("")) {
                                    b { (mark(&answer.judgement)) " " (answer.answer) } small { (words::time(answer.micros)) }
                                }
                            }
                            None => { td.cell.none { "–" } }
                        }
                    }
                }
            } }
        } }
        p.legend.small { span.cell.right { "✓ right" } " " span.cell.wrong { "✗ wrong" } " " span.cell.open { "· open" } }
    }
}

/// Colour is not the only sign.
fn mark(judgement: &str) -> &'static str {
    match judgement {
        "right" => "✓",
        "wrong" => "✗",
        _ => "·",
    }
}

/// What the run that shows it was like.
fn facts(row: &FindingRow, answer: &Json) -> Markup {
    let run = &answer["run"];
    let text = |value: &Json| value.as_str().map(str::to_string);
    let facts: Vec<(&str, Option<String>)> = vec![
        ("Release", Some(format!("{} ({})", row.version, row.target))),
        ("Newest release", row.newest.clone()),
        ("What was seen", text(&answer["detail"])),
        ("Answer", text(&answer["verdict"])),
        ("Query", answer["query"].as_u64().map(|n| n.to_string())),
        ("End", run["end"].as_str().map(ending)),
        ("CPU", run["cpu_seconds"].as_f64().map(|s| words::time((s * 1e6) as u64))),
        ("Memory", run["memory_bytes"].as_u64().map(|bytes| format!("{} MiB", bytes >> 20))),
        ("Made by", text(&answer["origin"])),
        ("Runs to reduce it", answer["reduction_tests"].as_u64().map(words::number)),
    ];
    let said: Vec<&Json> = answer["references"].as_array().into_iter().flatten().collect();
    html! {
        dl.facts {
            @for (name, value) in facts { @if let Some(value) = value { dt { (name) } dd { (value) } } }
            @for reference in said {
                dt { (reference["solver"].as_str().unwrap_or_default()) }
                dd { (reference["verdict"].as_str().unwrap_or("no answer")) " " small { (reference["version"].as_str().unwrap_or_default()) } }
            }
        }
    }
}

fn sightings(store: &Store, id: i64) -> Result<Markup, Error> {
    let rows = store.sightings(id)?;
    Ok(html! {
        div.scroll { table { tbody { @for (strategy, subject, count) in &rows {
            tr { td.mono { (subject) } td { (strategy) } td.n { (words::number(*count)) "×" } }
        } } } }
    })
}
