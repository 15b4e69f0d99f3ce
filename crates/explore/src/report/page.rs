//! An exploration as one page, `index.html`: coverage over time by source, crashes, tests, where queries went, the tree of paths folded by
//! function, and the source with each covered line linked to tests that cover it. It needs nothing but itself, runs
//! no script, and is as wide as the screen that it is on.

use super::{Subject, escape};
use crate::search::{Exploration, SOURCES, Source, Test};
use std::collections::BTreeMap;
use std::fmt::Write;

const STYLE: &str = "*{box-sizing:border-box}body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:60em;padding:1em;\
color:#1d2530;background:#fff}h1{font-size:1.35em;overflow-wrap:anywhere}h2{font-size:1.1em;margin:1.6em 0 .4em}\
nav a{display:inline-block;padding:.3em .7em .3em 0}.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(8em,1fr));gap:.6em}\
.cards div{border:1px solid #d5dbe3;border-radius:.5em;padding:.6em}.cards b{display:block;font-size:1.3em}\
.wide{overflow-x:auto}table{border-collapse:collapse}td,th{padding:.25em .7em .25em 0;text-align:right;border-bottom:1px solid #e6eaef}\
td:first-child,th:first-child,td.l,th.l{text-align:left}svg{width:100%;height:auto;display:block}details{margin:.3em 0}summary{cursor:pointer;padding:.2em 0}\
pre{font:12px/1.5 ui-monospace,monospace;border:1px solid #d5dbe3;margin:.3em 0;padding:.4em 0;overflow-x:auto}pre span{display:block;padding:0 .6em;min-width:max-content}\
.y{background:#e2f5e4}.n{background:#fbe3e1}.p{background:#fdf3cf}i{display:inline-block;width:4em;color:#68727f;font-style:normal;user-select:none}.t{width:13em}\
pre a{color:#2456a5;text-decoration:none}.crash{border-left:.3em solid #c0392b;padding-left:.7em}:target{outline:2px solid #2456a5}";

/// A colour for each source, told apart also without colour vision by the legend's order.
const COLOURS: &[(Source, &str)] = &[
    (Source::Seed, "#68727f"),
    (Source::Solve, "#2456a5"),
    (Source::Engine, "#d1762b"),
    (Source::Look, "#2f8f5b"),
    (Source::Graft, "#8e44ad"),
    (Source::Sweep, "#b08900"),
    (Source::Parts, "#c0392b"),
];

/// How many tests are listed, and how many functions of the tree.
const MAX_TESTS: usize = 500;
const MAX_FUNCTIONS: usize = 200;

/// The page. `number` is the number of a test on the disk, `covering` has for each line numbers of tests that cover it.
pub(super) fn page(
    subject: Subject<'_>,
    found: &Exploration,
    number: &dyn Fn(usize) -> usize,
    covering: &BTreeMap<usize, Vec<usize>>,
) -> String {
    let name = escape(&subject.file.display().to_string());
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>Exploration of {name}</title><style>{STYLE}</style><h1>Exploration of {name}</h1>\
         <nav><a href=\"#time\">Coverage</a><a href=\"#crashes\">Crashes</a><a href=\"#queries\">Queries</a><a href=\"#tests\">Tests</a>\
         <a href=\"#tree\">Paths</a><a href=\"#source\">Source</a></nav>\n"
    );
    cards(&mut out, subject, found);
    out.push_str("<h2 id=\"time\">Coverage over time, by the source of the input</h2>\n");
    chart(&mut out, found);
    crashes(&mut out, subject, found, number);
    queries(&mut out, found);
    tests(&mut out, found, number);
    tree(&mut out, subject, found);
    source(&mut out, subject, found, covering);
    out.push_str("</html>\n");
    out
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes all that is written");
}

fn cards(out: &mut String, subject: Subject<'_>, found: &Exploration) {
    let (taken, ways) = found.coverage.branches();
    let lines = (found.coverage.lines().len(), subject.target.sites().lines().len());
    let cards = [
        (found.counters.paths.to_string(), "paths"),
        (found.tests.len().to_string(), "tests"),
        (found.crashes.len().to_string(), "crashes"),
        (format!("{taken} of {ways}"), "branch directions"),
        (format!("{} of {}", lines.0, lines.1), "lines"),
        (format!("{:.1} s", found.time.as_secs_f64()), found.stop_reason.word()),
    ];
    out.push_str("<div class=\"cards\">");
    for (figure, what) in cards {
        put(out, format_args!("<div><b>{figure}</b>{what}</div>"));
    }
    put(
        out,
        format_args!(
            "</div><p>--search {} --partials {} --engine {} --seed {}</p>\n",
            subject.settings.strategy.name,
            subject.settings.sources,
            subject.settings.engine,
            subject.settings.seed
        ),
    );
}

fn colour(source: Source) -> &'static str {
    COLOURS.iter().find(|row| row.0 == source).map_or("#68727f", |row| row.1)
}

/// Covered branch directions over the logarithm of time; each step has the colour of the source that made it.
fn chart(out: &mut String, found: &Exploration) {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 240.0;
    const LEFT: f64 = 44.0;
    const BOTTOM: f64 = 24.0;
    let most = found.timeline.iter().map(|moment| moment.branches).max().unwrap_or(0).max(1) as f64;
    let first = found.timeline.first().map_or(0.001, |moment| moment.time.as_secs_f64()).max(1e-4);
    let last = found.time.as_secs_f64().max(first * 2.0);
    let x =
        |seconds: f64| LEFT + (WIDTH - LEFT - 8.0) * (seconds.max(first) / first).ln() / (last / first).ln();
    let y = |branches: f64| 8.0 + (HEIGHT - BOTTOM - 8.0) * (1.0 - branches / most);
    put(
        out,
        format_args!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"covered branch directions over time\">"
        ),
    );
    for part in 0..=4 {
        let branches = most * f64::from(part) / 4.0;
        put(
            out,
            format_args!(
                "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{0:.1}\" y2=\"{0:.1}\" stroke=\"#e6eaef\"/><text x=\"{1}\" y=\"{2:.1}\" font-size=\"11\" text-anchor=\"end\" fill=\"#68727f\">{branches:.0}</text>",
                y(branches),
                LEFT - 6.0,
                y(branches) + 4.0
            ),
        );
    }
    for exponent in -4..6 {
        let seconds = 10_f64.powi(exponent);
        if seconds >= first && seconds <= last {
            put(
                out,
                format_args!(
                    "<text x=\"{:.1}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\" fill=\"#68727f\">{seconds} s</text>",
                    x(seconds),
                    HEIGHT - 6.0
                ),
            );
        }
    }
    let mut before = (x(first), y(0.0));
    for moment in &found.timeline {
        let (right, top) = (x(moment.time.as_secs_f64()), y(moment.branches as f64));
        put(
            out,
            format_args!(
                "<path d=\"M{:.1} {:.1}H{right:.1}\" stroke=\"#b8c1cc\" fill=\"none\"/><path d=\"M{right:.1} {:.1}V{top:.1}\" stroke=\"{}\" stroke-width=\"3\" fill=\"none\"/>",
                before.0,
                before.1,
                before.1,
                colour(moment.source)
            ),
        );
        before = (right, top);
    }
    put(
        out,
        format_args!(
            "<path d=\"M{:.1} {:.1}H{WIDTH}\" stroke=\"#b8c1cc\" fill=\"none\"/></svg><p>",
            before.0, before.1
        ),
    );
    for row in SOURCES {
        let gained = gained(found, row.source);
        if gained > 0 {
            put(
                out,
                format_args!(
                    "<span style=\"color:{}\">&#9632;</span> {} (+{gained}) ",
                    colour(row.source),
                    row.name
                ),
            );
        }
    }
    out.push_str("</p>\n");
}

/// How many branch directions inputs of a source were the first to take.
fn gained(found: &Exploration, source: Source) -> usize {
    let mut before = 0;
    let mut sum = 0;
    for moment in &found.timeline {
        if moment.source == source {
            sum += moment.branches - before;
        }
        before = moment.branches;
    }
    sum
}

fn crashes(out: &mut String, subject: Subject<'_>, found: &Exploration, number: &dyn Fn(usize) -> usize) {
    put(out, format_args!("<h2 id=\"crashes\">Crashes</h2>\n"));
    if found.crashes.is_empty() {
        out.push_str("<p>None.</p>\n");
    }
    for crash in &found.crashes {
        put(
            out,
            format_args!(
                "<div class=\"crash\"><b>{}</b>, <a href=\"#t{1}\">test {1}</a>, {2} such",
                escape(&crash.ending.to_string()),
                number(crash.test),
                crash.count
            ),
        );
        for frame in subject.target.frames(&crash.stack) {
            put(out, format_args!("<br><code>{}</code>", escape(&frame.to_string())));
        }
        out.push_str("</div>\n");
    }
}

fn queries(out: &mut String, found: &Exploration) {
    let counters = &found.counters;
    put(
        out,
        format_args!(
            "<h2 id=\"queries\">Where inputs came from, and queries went</h2><p>{} queries in {:.2} s: {} sat, {} unsat, {} unknown, {} postponed, \
             {} not nearby, {} halted; {} saved. {} runs on values, {} on terms.</p><div class=\"wide\"><table><tr><th>source</th><th class=\"l\">engine</th>",
            counters.queries,
            counters.solver_time.as_secs_f64(),
            counters.sat,
            counters.unsat,
            counters.unknown,
            counters.postponed,
            counters.not_nearby,
            counters.halted,
            counters.queries_saved,
            counters.runs[0],
            counters.runs[1]
        ),
    );
    for (name, _) in crate::search::Tally::default().columns() {
        put(out, format_args!("<th>{name}</th>"));
    }
    out.push_str("</tr>\n");
    for (source, engine, tally) in counters.sources.rows() {
        put(out, format_args!("<tr><td>{}</td><td class=\"l\">{engine}</td>", source.name()));
        for (_, count) in tally.columns() {
            put(out, format_args!("<td>{count}</td>"));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
}

/// The start of what an input says.
fn input_of(test: &Test) -> String {
    let show = |bytes: &[u8]| {
        bytes.iter().take(24).flat_map(|byte| byte.escape_ascii()).map(char::from).collect::<String>()
    };
    let objects: Vec<String> =
        test.run.objects.iter().map(|object| format!("{}={}", object.name, show(&object.bytes))).collect();
    objects.join(" ")
}

fn tests(out: &mut String, found: &Exploration, number: &dyn Fn(usize) -> usize) {
    put(
        out,
        format_args!(
            "<h2 id=\"tests\">Tests</h2><details open><summary>{} tests</summary><div class=\"wide\"><table><tr><th>test</th><th class=\"l\">source</th><th class=\"l\">ending</th><th>new branches</th><th>new lines</th><th class=\"l\">input</th></tr>\n",
            found.tests.len()
        ),
    );
    for (i, test) in found.tests.iter().enumerate().take(MAX_TESTS) {
        put(
            out,
            format_args!(
                "<tr id=\"t{0}\"><td><a href=\"tests/{0:06}.json\">{0}</a></td><td class=\"l\">{1}</td><td class=\"l\">{2}</td><td>{3}</td><td>{4}</td><td class=\"l\"><code>{5}</code></td></tr>\n",
                number(i),
                test.origin.source().name(),
                escape(&test.run.ending.to_string()),
                test.fresh.branches,
                test.fresh.lines.len(),
                escape(&input_of(test))
            ),
        );
    }
    out.push_str("</table></div>");
    if found.tests.len() > MAX_TESTS {
        put(out, format_args!("<p>The other {} are in the folder tests.</p>", found.tests.len() - MAX_TESTS));
    }
    out.push_str("</details>\n");
}

/// The decisions of one line.
#[derive(Default)]
struct Decisions {
    count: usize,
    open: usize,
    nearest: u32,
    deepest: u32,
}

/// The tree of paths, folded by function and line.
fn tree(out: &mut String, subject: Subject<'_>, found: &Exploration) {
    let sites = subject.target.sites();
    let mut functions: BTreeMap<String, BTreeMap<String, Decisions>> = BTreeMap::new();
    for id in found.tree.ids() {
        let node = found.tree.node(id);
        let line = sites
            .line_of(node.at)
            .map_or_else(|| "no line".to_string(), |line| sites.lines()[line].to_string());
        let lines = functions.entry(subject.target.function(node.at)).or_default();
        let known =
            lines.entry(line).or_insert_with(|| Decisions { nearest: u32::MAX, ..Decisions::default() });
        known.count += 1;
        known.open += usize::from(found.tree.is_open(id));
        known.nearest = known.nearest.min(node.depth);
        known.deepest = known.deepest.max(node.depth);
    }
    put(out, format_args!("<h2 id=\"tree\">The tree of paths, by function</h2>\n"));
    for (function, lines) in functions.iter().take(MAX_FUNCTIONS) {
        let (count, open) =
            lines.values().fold((0, 0), |sum, known| (sum.0 + known.count, sum.1 + known.open));
        put(
            out,
            format_args!(
                "<details><summary><code>{}</code>: {count} decisions, {open} still open</summary><div class=\"wide\"><table><tr><th>line</th><th>decisions</th><th>open</th><th>depth</th></tr>",
                escape(function)
            ),
        );
        for (line, known) in lines {
            put(
                out,
                format_args!(
                    "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}&ndash;{}</td></tr>",
                    escape(line),
                    known.count,
                    known.open,
                    known.nearest,
                    known.deepest
                ),
            );
        }
        out.push_str("</table></div></details>\n");
    }
    if functions.len() > MAX_FUNCTIONS {
        put(out, format_args!("<p>{} functions more.</p>\n", functions.len() - MAX_FUNCTIONS));
    }
}

/// A link to the first of some tests, with the others behind it. Tests that the table of tests does not list have their files.
fn links(tests: &[usize]) -> String {
    let link = |test: &usize| match test {
        1..=MAX_TESTS => format!("<a href=\"#t{test}\">t{test}</a>"),
        _ => format!("<a href=\"tests/{test:06}.json\">t{test}</a>"),
    };
    tests.iter().map(link).collect::<Vec<_>>().join(" ")
}

/// The source; a covered line leads to tests that cover it, the first one first.
fn source(
    out: &mut String,
    subject: Subject<'_>,
    found: &Exploration,
    covering: &BTreeMap<usize, Vec<usize>>,
) {
    let sites = subject.target.sites();
    let mut files: BTreeMap<&str, BTreeMap<u32, usize>> = BTreeMap::new();
    for (position, line) in sites.lines().iter().enumerate() {
        files.entry(&line.file).or_default().insert(line.line, position);
    }
    out.push_str("<h2 id=\"source\">Source</h2><p>Green: executed, with tests that did, the first one first. Red: not executed. <a href=\"coverage/index.html\">Branches</a></p>\n");
    if files.is_empty() {
        out.push_str("<p>The program has no debug information, so there are no lines to show.</p>\n");
    }
    for (file, lines) in files {
        let covered = lines.values().filter(|line| found.coverage.lines().contains(line)).count();
        put(
            out,
            format_args!("<details><summary>{} ({covered} of {})</summary><pre>", escape(file), lines.len()),
        );
        match std::fs::read(file) {
            Ok(bytes) => {
                for (number, text) in (1..).zip(String::from_utf8_lossy(&bytes).lines()) {
                    let position = lines.get(&number);
                    let class = match position {
                        None => "",
                        Some(line) if found.coverage.lines().contains(line) => "y",
                        Some(_) => "n",
                    };
                    let tests = position.and_then(|line| covering.get(line)).map_or(&[][..], Vec::as_slice);
                    let link = links(tests);
                    put(
                        out,
                        format_args!(
                            "<span class=\"{class}\"><i>{number}</i><i class=\"t\">{link}</i>{}</span>",
                            escape(text)
                        ),
                    );
                }
            }
            Err(error) => put(
                out,
                format_args!("<span>the file cannot be shown: {}</span>", escape(&error.to_string())),
            ),
        }
        out.push_str("</pre></details>\n");
    }
}
