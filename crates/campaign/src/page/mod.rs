//! The page: everything that a store knows, as HTML. One function renders any file of the site from the store, so that the live
//! page ([`crate::serve`]) and the static one ([`crate::site`]) are the same; links are relative, and nothing foreign is asked
//! for anything. Text of the store is escaped by the templates; none of it is ever markup.

mod chart;
mod exploration;
mod finding;
mod findings;
mod highlight;
mod markdown;
mod overview;
mod slow;
mod tested;
mod throughput;
mod words;

use crate::error::Error;
use crate::store::Store;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// How a site is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    /// Whether a server is behind it: then it updates itself, and states can be set.
    pub live: bool,
    /// Seconds since 1970.
    pub now: i64,
}

/// A file of the site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rendered {
    /// The text that is sent or written.
    pub body: String,
    /// The media type for the `Content-Type` header.
    pub media: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A page of the site, as a row of the table.
struct Row {
    path: &'static str,
    title: &'static str,
    /// The key that leads to it, after `g`.
    key: &'static str,
    render: fn(&Store, Look) -> Result<Markup, Error>,
}

/// The pages of the navigation.
static PAGES: &[Row] = &[
    Row { path: "index.html", title: "Overview", key: "o", render: overview::page },
    Row { path: "findings.html", title: "Findings", key: "f", render: findings::page },
    Row { path: "throughput.html", title: "Throughput", key: "t", render: throughput::page },
    Row { path: "tested.html", title: "Tested", key: "c", render: tested::page },
    Row { path: "slow.html", title: "Slow", key: "s", render: slow::page },
    Row { path: "explorations.html", title: "Explorations", key: "e", render: exploration::list },
];

/// Renders a file of the site by its path; `None` if there is no such file.
pub(crate) fn render(store: &Store, path: &str, look: Look) -> Result<Option<Rendered>, Error> {
    let fixed = |body: &str, media| Ok(Some(Rendered { body: body.into(), media }));
    match path {
        "style.css" => return fixed(include_str!("assets/style.css"), CSS),
        "page.js" => return fixed(include_str!("assets/page.js"), SCRIPT),
        "data/findings.js" => {
            return Ok(Some(Rendered { body: findings::script(store)?, media: SCRIPT }));
        }
        _ => {}
    }
    let name = store.campaign()?.map_or_else(|| "Soundline".into(), |campaign| campaign.name);
    let shown = |title: &str, at: &str, root: &str, main: Markup| {
        Some(Rendered { body: shell(&name, title, at, root, look, main).into_string(), media: HTML })
    };
    if let Some(row) = PAGES.iter().find(|row| row.path == path) {
        return Ok(shown(row.title, row.path, "", (row.render)(store, look)?));
    }
    let below = |folder: &str| path.strip_prefix(folder).and_then(|rest| rest.strip_suffix(".html"));
    if let Some(name) = below("finding/") {
        return match store.finding_named(name)? {
            Some(row) => Ok(shown(
                &format!("{} {}", row.class, row.fingerprint),
                "findings.html",
                "../",
                finding::page(store, &row, look)?,
            )),
            None => Ok(None),
        };
    }
    if let Some(id) = below("exploration/").and_then(|id| id.parse::<i64>().ok()) {
        let rows = store.explorations()?;
        return match rows.iter().find(|row| row.id == id) {
            Some(row) => {
                let title = words::file_name(&row.program).to_string();
                Ok(shown(&title, "explorations.html", "../", exploration::page(store, row, look)?))
            }
            None => Ok(None),
        };
    }
    Ok(None)
}

/// The paths of all files, for the static site.
pub(crate) fn paths(store: &Store) -> Result<Vec<String>, Error> {
    let mut paths: Vec<String> = ["style.css", "page.js", "data/findings.js"].map(str::to_string).to_vec();
    paths.extend(PAGES.iter().map(|row| row.path.to_string()));
    paths.extend(
        store.findings()?.iter().map(|row| format!("finding/{}-{}.html", row.class, row.fingerprint)),
    );
    paths.extend(store.explorations()?.iter().map(|row| format!("exploration/{}.html", row.id)));
    Ok(paths)
}

/// A finding in the data of the list, as the live page also sends it.
pub(crate) fn finding_row(row: &crate::store::read::FindingRow) -> serde_json::Value {
    findings::row(row)
}

const LOGO: &str = "<svg viewBox='0 0 32 32' width='24' height='24' aria-hidden='true'><rect width='32' height='32' rx='8' fill='currentColor' class='logo-back'/><path d='M6 20c4 0 4-9 8-9s4 12 8 12 3-5 5-5' fill='none' stroke='var(--logo)' stroke-width='2.6' stroke-linecap='round'/></svg>";

fn shell(name: &str, title: &str, at: &str, root: &str, look: Look, main: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" data-root=(root) data-live=(look.live) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · " (name) }
                link rel="stylesheet" href=(format!("{root}style.css"));
                script src=(format!("{root}page.js")) {}
            }
            body {
                a.skip href="#main" { "Skip to content" }
                header.top {
                    div.bar {
                        a.brand href=(format!("{root}index.html")) { (PreEscaped(LOGO)) span { (name) } }
                        nav aria-label="Pages" {
                            @for row in PAGES {
                                a href=(format!("{root}{}", row.path)) aria-current=[(row.path == at).then_some("page")] data-key=(row.key) { (row.title) }
                            }
                        }
                        div.tools {
                            @if look.live { span #live.live title="Connecting" { span.dot {} span.word { "live" } } }
                            button #theme.tool type="button" title="Light or dark (t)" aria-label="Light or dark" { "◐" }
                            button #help.tool type="button" title="Keys (?)" aria-label="Keys" { "?" }
                        }
                    }
                }
                main #main { (main) }
                footer { "Soundline · " @if look.live { "live" } @else { "as of " (words::stamp(look.now)) } }
                dialog #keys {
                    h2 { "Keys" }
                    dl {
                        @for (key, what) in [("/", "search"), ("j k", "down, up"), ("Enter", "open"), ("c", "copy the command"), ("r", "copy the report"), ("t", "light or dark"), ("Esc", "back")] {
                            dt { @for part in key.split(' ') { kbd { (part) } " " } } dd { (what) }
                        }
                        @for row in PAGES { dt { kbd { "g" } " " kbd { (row.key) } } dd { (row.title) } }
                    }
                    form method="dialog" { button { "Close" } }
                }
            }
        }
    }
}

/// A tile with a figure.
fn tile(figure: &str, what: &str, kind: &str) -> Markup {
    html! { div class=(format!("tile {kind}")) { strong { (figure) } span { (what) } } }
}

/// What is shown where there is nothing to show.
fn nothing(what: &str) -> Markup {
    html! { div.nothing { (what) } }
}
