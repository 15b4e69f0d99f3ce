//! The little Markdown that our own reports use: paragraphs, fences, lists, bold, code. Everything else is text.

use super::highlight;
use maud::{Markup, PreEscaped, html};

/// A report or a part of one.
pub(super) fn render(text: &str) -> Markup {
    let mut blocks: Vec<Markup> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let mut code = String::new();
            for line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
                code.push_str(line);
                code.push('\n');
            }
            blocks.push(match language.trim() {
                "smt2" => html! { pre.code { code { (highlight::smt(&code)) } } },
                _ => html! { pre.code { code { (code) } } },
            });
        } else if let Some(item) = line.strip_prefix("- ") {
            let mut items = vec![inline(item)];
            while let Some(item) = lines.next_if(|line| line.starts_with("- ")) {
                items.push(inline(&item[2..]));
            }
            blocks.push(html! { ul { @for item in items { li { (item) } } } });
        } else if let Some(title) = line.strip_prefix("# ") {
            blocks.push(html! { h3 { (inline(title)) } });
        } else if !line.trim().is_empty() {
            blocks.push(html! { p { (inline(line)) } });
        }
    }
    html! { @for block in blocks { (block) } }
}

/// Bold and code within a line.
fn inline(text: &str) -> Markup {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*']) {
        let (mark, tag) = if rest[at..].starts_with("**") { ("**", "strong") } else { ("`", "code") };
        let inner = rest[at..].strip_prefix(mark).and_then(|after| Some((after, after.find(mark)?)));
        highlight::escape(&rest[..at], &mut out);
        match inner {
            Some((after, end)) if end > 0 => {
                out.push_str(&format!("<{tag}>"));
                highlight::escape(&after[..end], &mut out);
                out.push_str(&format!("</{tag}>"));
                rest = &after[end + mark.len()..];
            }
            _ => {
                highlight::escape(&rest[at..=at], &mut out);
                rest = &rest[at + 1..];
            }
        }
    }
    highlight::escape(rest, &mut out);
    PreEscaped(out)
}

/// The part of a report that follows a bold heading, up to the next.
pub(super) fn part<'a>(report: &'a str, heading: &str) -> Option<&'a str> {
    let start = report.find(&format!("**{heading}:**"))? + heading.len() + 5;
    let rest = &report[start..];
    let end = rest.find("\n**").unwrap_or(rest.len());
    Some(rest[..end].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_text_with_a_little_form() {
        let report = "# z3 <1>\n\n```smt2\n(assert <x>)\n```\n\n**Why it is wrong:** the `model` (**not** it):\n- a\n- b\n\n**Release:** 1 * 2 ` x **\n";
        let page = render(report).into_string();
        for part in [
            "<h3>z3 &lt;1&gt;</h3>",
            "<li>a</li><li>b</li>",
            "<code>model</code>",
            "<strong>Release:</strong> 1 * 2 ` x **",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("<x>"));
        assert_eq!(part(report, "Why it is wrong"), Some("the `model` (**not** it):\n- a\n- b"));
        assert_eq!(part(report, "Nothing"), None);
    }
}
