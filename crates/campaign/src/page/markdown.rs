//! The little Markdown that our own reports use: paragraphs, fences, lists, bold, code. Everything else is text.

use super::highlight;
use maud::{Markup, PreEscaped, html as markup};
use output::quote::html;

/// A report or a part of one.
pub(super) fn render(text: &str) -> Markup {
    let mut blocks: Vec<Markup> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let ticks = line.bytes().take_while(|&byte| byte == b'`').count();
        if ticks >= 3 {
            // A fence is closed by one that is as long: what is quoted may hold shorter ones.
            let mut code = String::new();
            for line in lines.by_ref().take_while(|line| !line.starts_with(&line_of(ticks))) {
                code.push_str(line);
                code.push('\n');
            }
            blocks.push(match line[ticks..].trim() {
                "smt2" => markup! { pre.code { code { (highlight::smt(&code)) } } },
                _ => markup! { pre.code { code { (code) } } },
            });
        } else if let Some(item) = line.strip_prefix("- ") {
            let mut items = vec![inline(item)];
            while let Some(item) = lines.next_if(|line| line.starts_with("- ")) {
                items.push(inline(&item[2..]));
            }
            blocks.push(markup! { ul { @for item in items { li { (item) } } } });
        } else if let Some(title) = line.strip_prefix("# ") {
            blocks.push(markup! { h3 { (inline(title)) } });
        } else if !line.trim().is_empty() {
            blocks.push(markup! { p { (inline(line)) } });
        }
    }
    markup! { @for block in blocks { (block) } }
}

fn line_of(ticks: usize) -> String {
    "`".repeat(ticks)
}

/// Bold, code, and characters behind a backslash within a line.
fn inline(text: &str) -> Markup {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*', '\\']) {
        out.push_str(&html(&rest[..at]));
        rest = &rest[at..];
        let (mark, tag) = if rest.starts_with("**") {
            ("**".to_string(), "strong")
        } else {
            (line_of(rest.bytes().take_while(|&byte| byte == b'`').count()), "code")
        };
        let after = rest.strip_prefix(mark.as_str()).filter(|_| !mark.is_empty());
        let inner = after.and_then(|after| Some((after, after.find(mark.as_str()).filter(|&end| end > 0)?)));
        rest = match (inner, rest.strip_prefix('\\').and_then(|after| after.chars().next())) {
            (Some((after, end)), _) => {
                let inside = &after[..end];
                // Code that begins or ends with a tick stands between spaces.
                let spaced = inside.strip_prefix(' ').and_then(|text| text.strip_suffix(' '));
                let shown = spaced.filter(|_| tag == "code").unwrap_or(inside);
                out.push_str(&format!("<{tag}>{}</{tag}>", html(shown)));
                &after[end + mark.len()..]
            }
            (None, Some(c)) if c.is_ascii_punctuation() => {
                out.push_str(&html(c.encode_utf8(&mut [0; 4])));
                &rest[2..]
            }
            _ => {
                out.push_str(&html(&rest[..1]));
                &rest[1..]
            }
        };
    }
    out.push_str(&html(rest));
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

    #[test]
    fn what_reports_quote_is_shown_as_it_was() {
        let hostile = "```\n# Owned `a` **b** <c> \\ *_";
        let block = render(&output::quote::block("", hostile)).into_string();
        assert_eq!(
            block,
            format!("<pre class=\"code\"><code>{}\n</code></pre>", html(hostile).replace("&#39;", "'"))
        );
        for text in ["a_b|c", "<&>#!", "1 \\ 2", "`` ` ``", "**", "é*"] {
            assert_eq!(inline(&output::quote::markdown(text)).into_string(), html(text), "{text}");
        }
        for text in ["a`b``c", "`", "x"] {
            let shown = inline(&output::quote::code(text)).into_string();
            assert_eq!(shown, format!("<code>{}</code>", html(text)));
        }
    }
}
