//! An exploration as one page, `index.html`: coverage over time by source, crashes, tests, where queries went, the tree of paths folded by
//! function, and the source with each covered line linked to tests that cover it. It needs nothing but itself, runs
//! no script, and is as wide as the screen that it is on.

mod chart;
mod tree;

use super::{Subject, details, escape, folded};
use crate::search::{Exploration, Place, Test};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How the pages of an exploration look: this one, and that of coverage.
pub(super) const STYLE: &str = include_str!("style.css");

/// How many tests are listed, and how many functions that queries were about.
const MAX_TESTS: usize = 500;
const MAX_PLACES: usize = 20;

/// Which number each test and each crash has on the disk.
pub(super) struct Numbering<'a> {
    pub(super) test: &'a dyn Fn(usize) -> usize,
    pub(super) crash: &'a dyn Fn(usize) -> usize,
}

/// The page. `covering` has for each line numbers of tests that cover it.
pub(super) fn page(
    subject: Subject<'_>,
    found: &Exploration,
    numbers: &Numbering<'_>,
    covering: &BTreeMap<usize, Vec<usize>>,
) -> String {
    let name = escape(&subject.file.display().to_string());
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>Exploration of {name}</title><style>{STYLE}</style>\
         <nav><div><b>Soundline</b><a href=\"#time\">Coverage</a><a href=\"#crashes\">Crashes</a><a href=\"#queries\">Queries</a>\
         <a href=\"#tests\">Tests</a><a href=\"#tree\">Paths</a><a href=\"#source\">Source</a></div></nav>\
         <main><h1>Exploration of {name}</h1>\n"
    );
    cards(&mut out, subject, found);
    out.push_str("<h2 id=\"time\">Coverage over time, by the source of the input</h2>\n");
    chart::chart(&mut out, found);
    crashes(&mut out, subject, found, numbers);
    queries(&mut out, found);
    places(&mut out, subject, found);
    tests(&mut out, found, numbers);
    tree::tree(&mut out, subject, found);
    source(&mut out, subject, found, covering);
    out.push_str("</main></html>\n");
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
    put(
        out,
        format_args!(
            "<p class=\"set\"><span>--search {}</span> <span>--partials {}</span> <span>--engine {}</span> \
             <span>--seed {}</span></p><div class=\"cards\">",
            subject.settings.strategy.name,
            subject.settings.sources,
            subject.settings.engine,
            subject.settings.seed
        ),
    );
    for (figure, what) in cards {
        let bad = if what == "crashes" && figure != "0" { " class=\"bad\"" } else { "" };
        put(out, format_args!("<div{bad}><b>{figure}</b>{what}</div>"));
    }
    out.push_str("</div>\n");
}

fn crashes(out: &mut String, subject: Subject<'_>, found: &Exploration, numbers: &Numbering<'_>) {
    put(out, format_args!("<h2 id=\"crashes\">Crashes</h2>\n"));
    if found.crashes.is_empty() {
        out.push_str("<p class=\"none\">None.</p>\n");
    }
    for (at, crash) in found.crashes.iter().enumerate() {
        put(
            out,
            format_args!(
                "<div class=\"crash\"><b>{0}</b><p><a href=\"#t{1}\">test {1}</a>, {2} such, <a href=\"crashes/{3:03}/report.txt\">report</a></p><pre>",
                escape(&crash.ending.to_string()),
                (numbers.test)(crash.test),
                crash.count,
                (numbers.crash)(at)
            ),
        );
        let frames = folded(&subject.target.frames(&crash.stack));
        for line in details(subject.target, crash).iter().chain(&frames) {
            put(out, format_args!("{}\n", escape(line)));
        }
        out.push_str("</pre></div>\n");
    }
}

/// The answers that queries got, as a bar and as numbers, and what inputs of each source came to.
fn queries(out: &mut String, found: &Exploration) {
    let counters = &found.counters;
    put(
        out,
        format_args!(
            "<h2 id=\"queries\">Where queries went, and inputs came from</h2><p>{} queries in {:.2} s; {} more were saved by partial solutions. \
             {} runs on values, {} on terms.</p>",
            counters.queries,
            counters.solver_time.as_secs_f64(),
            counters.queries_saved,
            counters.runs[0],
            counters.runs[1]
        ),
    );
    let answers = counters.answers();
    let colours = ["#2f8f5b", "#2456a5", "#c0392b", "#b08900", "#8a94a0", "#8e44ad"];
    if counters.queries > 0 {
        out.push_str("<div class=\"panel\"><div class=\"bar\">");
        for ((_, count), colour) in answers.iter().zip(colours).filter(|((_, count), _)| *count > 0) {
            put(out, format_args!("<i style=\"flex:{count};background:{colour}\"></i>"));
        }
        out.push_str("</div><p class=\"legend\">");
        for ((word, count), colour) in answers.iter().zip(colours) {
            put(
                out,
                format_args!("<span><b style=\"color:{colour}\">&#9632;</b> {word} <b>{count}</b></span> "),
            );
        }
        out.push_str("</p></div>\n");
    }
    out.push_str("<div class=\"wide\"><table><tr><th>source</th><th class=\"l\">engine</th>");
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

/// The functions that queries were about, those that took longest first.
fn places(out: &mut String, subject: Subject<'_>, found: &Exploration) {
    let mut functions: BTreeMap<String, Place> = BTreeMap::new();
    for (site, place) in &found.counters.places {
        functions.entry(subject.target.function(*site)).or_default().add(place);
    }
    let mut functions: Vec<(String, Place)> = functions.into_iter().collect();
    functions.sort_by_key(|(_, place)| std::cmp::Reverse(place.time));
    if functions.is_empty() {
        return;
    }
    out.push_str(
        "<p>Queries by the function of their decision:</p><div class=\"wide\"><table><tr><th>function</th><th>queries</th><th>sat</th><th>unsat</th>\
         <th>other</th><th>time</th></tr>\n",
    );
    for (function, place) in functions.iter().take(MAX_PLACES) {
        put(
            out,
            format_args!(
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.3} s</td></tr>\n",
                escape(function),
                place.queries,
                place.sat,
                place.unsat,
                place.queries - place.sat - place.unsat,
                place.time.as_secs_f64()
            ),
        );
    }
    out.push_str("</table></div>\n");
    if functions.len() > MAX_PLACES {
        put(out, format_args!("<p>{} functions more.</p>\n", functions.len() - MAX_PLACES));
    }
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

fn tests(out: &mut String, found: &Exploration, numbers: &Numbering<'_>) {
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
                (numbers.test)(i),
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
