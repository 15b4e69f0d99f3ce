//! The tree of paths, folded by function: decisions that follow each other in the same function are one entry, and what comes
//! after them in other functions stands below it.

use super::put;
use crate::report::{Subject, escape};
use crate::search::Exploration;
use crate::target::Site;
use std::collections::BTreeMap;

/// How deep the folded tree is shown, how many entries below each, and how many altogether.
const MAX_DEPTH: usize = 16;
const MAX_BELOW: usize = 24;
const MAX_ENTRIES: usize = 1500;
/// How many functions are listed with their lines, and how many one line names that lead only to each other.
const MAX_FUNCTIONS: usize = 200;
const MAX_CHAIN: usize = 4;

/// Decisions in one function, after those of the entry above.
struct Fold {
    function: String,
    decisions: usize,
    open: usize,
    /// Paths that end after these decisions.
    ends: usize,
    /// Paths that end here or below.
    paths: usize,
    below: Vec<usize>,
}

/// The folded tree; an entry comes after the one that it stands below.
fn fold(subject: Subject<'_>, found: &Exploration) -> Vec<Fold> {
    let mut functions: BTreeMap<Site, String> = BTreeMap::new();
    let mut folds: Vec<Fold> = Vec::new();
    let mut entry_of: Vec<usize> = Vec::new();
    let mut above: Vec<Option<usize>> = Vec::new();
    for id in found.tree.ids() {
        let node = found.tree.node(id);
        let function = functions.entry(node.at).or_insert_with(|| subject.target.function(node.at));
        let parent = found.tree.parent(id).map(|parent| entry_of[parent.index()]);
        let known = match parent {
            Some(parent) if folds[parent].function == *function => Some(parent),
            Some(parent) => folds[parent].below.iter().copied().find(|&at| folds[at].function == *function),
            None => None,
        };
        let at = known.unwrap_or_else(|| {
            let function = function.clone();
            folds.push(Fold { function, decisions: 0, open: 0, ends: 0, paths: 0, below: Vec::new() });
            above.push(parent);
            if let Some(parent) = parent {
                let new = folds.len() - 1;
                folds[parent].below.push(new);
            }
            folds.len() - 1
        });
        let ends = found.tree.ends(id);
        let entry = &mut folds[at];
        entry.decisions += 1;
        entry.open += usize::from(found.tree.is_open(id));
        entry.ends += ends;
        entry.paths += ends;
        entry_of.push(at);
    }
    for at in (0..folds.len()).rev() {
        if let Some(parent) = above[at] {
            folds[parent].paths += folds[at].paths;
        }
    }
    folds
}

/// The tree, and below it the decisions of each function by line.
pub(super) fn tree(out: &mut String, subject: Subject<'_>, found: &Exploration) {
    out.push_str("<h2 id=\"tree\">The tree of paths, folded by function</h2>\n");
    let folds = fold(subject, found);
    if folds.is_empty() {
        out.push_str("<p>No decision depends on the input.</p>\n");
        return;
    }
    out.push_str("<div class=\"wide tree\">");
    nested(out, &folds);
    out.push_str("</div>\n");
    by_line(out, subject, found);
}

/// Writes the entries inside each other, on a stack of our own.
fn nested(out: &mut String, folds: &[Fold]) {
    enum Step {
        Open(usize, usize),
        Close,
        More(usize, usize),
    }
    let mut left = MAX_ENTRIES;
    let mut stack = vec![Step::Open(0, 0)];
    while let Some(step) = stack.pop() {
        match step {
            Step::Close => out.push_str("</details>"),
            Step::More(entries, paths) => {
                put(out, format_args!("<p>{entries} more, with {paths} paths</p>"));
            }
            Step::Open(at, depth) => {
                left = left.saturating_sub(1);
                let (mut label, mut last) = (name(&folds[at]), at);
                let (mut decisions, mut open) = (folds[at].decisions, folds[at].open);
                for _ in 1..MAX_CHAIN {
                    let &[only] = folds[last].below.as_slice() else { break };
                    if folds[last].ends > 0 {
                        break;
                    }
                    last = only;
                    label = format!("{label} &rsaquo; {}", name(&folds[last]));
                    decisions += folds[last].decisions;
                    open += folds[last].open;
                }
                let entry = &folds[last];
                let mut below = entry.below.clone();
                below.sort_by_key(|&at| std::cmp::Reverse(folds[at].paths));
                let shown = if depth < MAX_DEPTH { below.len().min(MAX_BELOW).min(left) } else { 0 };
                let rest = below.split_off(shown);
                let opened = if depth < 2 { " open" } else { "" };
                let leaf = if shown == 0 && rest.is_empty() { " class=\"leaf\"" } else { opened };
                put(
                    out,
                    format_args!(
                        "<details{leaf}><summary>{label} <small>{}, {decisions} decisions, {open} open</small></summary>",
                        paths(folds[at].paths)
                    ),
                );
                stack.push(Step::Close);
                if !rest.is_empty() {
                    let hidden = rest.iter().map(|&at| folds[at].paths).sum();
                    stack.push(Step::More(rest.len(), hidden));
                }
                stack.extend(below.into_iter().rev().map(|at| Step::Open(at, depth + 1)));
            }
        }
    }
}

fn paths(count: usize) -> String {
    if count == 1 { "1 path".into() } else { format!("{count} paths") }
}

fn name(fold: &Fold) -> String {
    format!("<code>{}</code>", escape(&fold.function))
}

/// The decisions of one line.
#[derive(Default)]
struct Decisions {
    count: usize,
    open: usize,
    nearest: u32,
    deepest: u32,
}

fn by_line(out: &mut String, subject: Subject<'_>, found: &Exploration) {
    let sites = subject.target.sites();
    let mut functions: BTreeMap<String, BTreeMap<(String, u32), Decisions>> = BTreeMap::new();
    for id in found.tree.ids() {
        let node = found.tree.node(id);
        let line = sites.line_of(node.at).map(|line| &sites.lines()[line]);
        let line = line.map_or_else(|| ("no line".to_string(), 0), |line| (line.file.clone(), line.line));
        let lines = functions.entry(subject.target.function(node.at)).or_default();
        let known =
            lines.entry(line).or_insert_with(|| Decisions { nearest: u32::MAX, ..Decisions::default() });
        known.count += 1;
        known.open += usize::from(found.tree.is_open(id));
        known.nearest = known.nearest.min(node.depth);
        known.deepest = known.deepest.max(node.depth);
    }
    out.push_str("<details><summary>Decisions by function and line</summary>\n");
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
        for ((file, line), known) in lines {
            let name = file.rsplit('/').next().unwrap_or(file);
            let place = if *line == 0 { name.to_string() } else { format!("{name}:{line}") };
            put(
                out,
                format_args!(
                    "<tr><td title=\"{}\">{}</td><td>{}</td><td>{}</td><td>{}&ndash;{}</td></tr>",
                    escape(file),
                    escape(&place),
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
    out.push_str("</details>\n");
}
