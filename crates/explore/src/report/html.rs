//! Coverage as one page: the source files with their lines coloured. It needs nothing but itself.

use super::page::STYLE;
use super::{Subject, covering, escape};
use crate::coverage::Coverage;
use std::collections::BTreeMap;

/// How a line fared.
struct Fate {
    executed: bool,
    taken: usize,
    ways: usize,
    /// Tests that executed it, the first one first.
    tests: Vec<usize>,
}

/// The page. `tests` has for each line that was covered the numbers of tests that did so.
pub(super) fn page(subject: Subject<'_>, coverage: &Coverage, tests: &BTreeMap<usize, Vec<usize>>) -> String {
    let source = subject.target.sites();
    let mut files: BTreeMap<&str, BTreeMap<u32, Fate>> = BTreeMap::new();
    for (position, line) in source.lines().iter().enumerate() {
        let executed = coverage.lines().contains(&position);
        let fate =
            Fate { executed, taken: 0, ways: 0, tests: tests.get(&position).cloned().unwrap_or_default() };
        files.entry(&line.file).or_default().insert(line.line, fate);
    }
    for (site, ways) in coverage.ways() {
        let Some(line) = source.line_of(site).map(|line| &source.lines()[line]) else { continue };
        if let Some(fate) = files.get_mut(line.file.as_str()).and_then(|lines| lines.get_mut(&line.line)) {
            fate.ways += ways.len();
            fate.taken += ways.iter().filter(|taken| **taken).count();
        }
    }
    let (taken, ways) = coverage.branches();
    let name = escape(&subject.file.display().to_string());
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Coverage of {name}</title><style>{STYLE}</style>\
         <nav><div><b>Soundline</b><a href=\"../index.html\">Exploration</a></div></nav><main><h1>Coverage of {name}</h1><p class=\"set\">{} of {} lines, {taken} of {ways} branch directions. Green (+): executed with all \
         its branches; yellow (~): executed, but not every branch both ways; red (-): not executed. A line's number leads to the \
         first test that executed it, the letters behind it to others.</p>\n",
        coverage.lines().len(),
        source.lines().len(),
    );
    if files.is_empty() {
        page.push_str("<p>The program has no debug information, so there are no lines to show.</p>\n");
    }
    for (file, lines) in files {
        let executed = lines.values().filter(|fate| fate.executed).count();
        page.push_str(&format!(
            "<details open><summary>{} ({executed} of {})</summary><pre>",
            escape(file),
            lines.len()
        ));
        match std::fs::read(file) {
            Ok(bytes) => {
                for (number, text) in (1..).zip(String::from_utf8_lossy(&bytes).lines()) {
                    page.push_str(&row(number, text, lines.get(&number)));
                }
            }
            Err(error) => {
                page.push_str(&format!(
                    "<span>the file cannot be shown: {}</span>",
                    escape(&error.to_string())
                ));
            }
        }
        page.push_str("</pre></details>\n");
    }
    page.push_str("</main></html>\n");
    page
}

fn row(number: u32, text: &str, fate: Option<&Fate>) -> String {
    let (class, mark) = match fate {
        None => ("", ' '),
        Some(fate) if !fate.executed => ("n", '-'),
        Some(fate) if fate.taken < fate.ways => ("p", '~'),
        Some(_) => ("y", '+'),
    };
    let link = |test: usize, word: &str| {
        format!("<a href=\"../tests/{test:06}.json\" title=\"test {test}\">{word}</a>")
    };
    let pad = " ".repeat(5usize.saturating_sub(number.to_string().len()));
    let tests = fate.map_or(&[][..], |fate| &fate.tests);
    let place = match tests {
        [] => format!("{pad}{number}"),
        [first, ..] => format!("{pad}{}", link(*first, &number.to_string())),
    };
    let others: String =
        tests.iter().skip(1).zip('a'..).map(|(&test, letter)| link(test, &letter.to_string())).collect();
    let others = others + &" ".repeat(covering::SHOWN - tests.len().clamp(1, covering::SHOWN));
    let branches = match fate {
        Some(fate) if fate.ways > 0 => format!("{}/{}", fate.taken, fate.ways),
        _ => String::new(),
    };
    format!(
        "<span class=\"{class}\"><i class=\"t\">{mark} {place} {others}{branches:>6}</i>{}</span>",
        escape(text)
    )
}
