//! Layout: breaks the text of an s-expression into indented lines of a given width, for people. Works on text alone.

/// Breaks one printed command into lines of at most `width` columns where its parts allow it.
pub fn layout(text: &str, width: usize) -> String {
    let tokens = tokens(text);
    let sizes = sizes(&tokens);
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    // For each open parenthesis: where its parts start, and whether each goes on a line of its own.
    let mut open: Vec<(usize, bool, usize)> = Vec::new();
    let mut column = 0;
    for (i, token) in tokens.iter().enumerate() {
        if *token != ")"
            && let Some((indent, broken, parts)) = open.last_mut()
        {
            // The head stays behind its parenthesis, and a short first part behind the head.
            let stays = *parts == 0
                || (*parts == 1 && *broken && column + 1 + sizes[i] <= width && sizes[i] <= width / 3);
            if *parts > 0 && (!*broken || stays) {
                out.push(' ');
                column += 1;
            } else if *parts > 0 {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', *indent));
                column = *indent;
            }
            *parts += 1;
        }
        if *token == "(" {
            open.push((column.min(width / 2) + 2, column + sizes[i] > width, 0));
        } else if *token == ")" {
            open.pop();
        }
        out.push_str(token);
        column += token.chars().count();
    }
    out
}

/// Parentheses and everything between them that stands without blanks; strings and quoted symbols whole.
fn tokens(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'(' | b')' => at += 1,
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ => {
                while at < bytes.len()
                    && !matches!(bytes[at], b'(' | b')')
                    && !bytes[at].is_ascii_whitespace()
                {
                    match bytes[at] {
                        quote @ (b'"' | b'|') => {
                            at = memchr::memchr(quote, &bytes[at + 1..]).map_or(bytes.len(), |i| at + i + 2)
                        }
                        _ => at += 1,
                    }
                }
            }
        }
        all.push(&text[start..at]);
    }
    all
}

/// How wide each token is on one line; for an opening parenthesis, up to the one that closes it.
fn sizes(tokens: &[&str]) -> Vec<usize> {
    let mut sizes: Vec<usize> = tokens.iter().map(|t| t.chars().count()).collect();
    let mut open = Vec::new();
    let mut before = 0;
    for i in 0..tokens.len() {
        let own = sizes[i];
        match tokens[i] {
            "(" => open.push((i, before)),
            ")" => {
                if let Some((start, at)) = open.pop() {
                    sizes[start] = before + own - at;
                }
            }
            _ => {}
        }
        before += own;
        if tokens[i] != "(" && tokens.get(i + 1).is_some_and(|next| *next != ")") {
            before += 1;
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_commands_stay_on_one_line() {
        assert_eq!(layout("(assert (= x \"a (b\"))", 40), "(assert (= x \"a (b\"))");
    }

    #[test]
    fn long_commands_are_broken_and_say_the_same() {
        let text =
            "(assert (and (= alpha (+ beta gamma)) (not (= delta |odd ( name|)) (< alpha 100) (> beta 200)))";
        let lines = layout(text, 40);
        assert_eq!(
            lines,
            "(assert\n  (and\n    (= alpha (+ beta gamma))\n    (not (= delta |odd ( name|))\n    (< alpha 100)\n    (> beta 200)))"
        );
        assert_eq!(tokens(&lines), tokens(text));
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{}x{}", "(f ".repeat(200_000), ")".repeat(200_000));
        assert_eq!(tokens(&layout(&deep, 80)), tokens(&deep));
    }
}
