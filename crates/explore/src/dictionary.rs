//! Dictionaries of words, in the format that AFL++ and libFuzzer read.
//!
//! A line is empty, a comment after `#`, or a word in quotes, perhaps after a name: `NAME="WORD"`, `NAME@LEVEL="WORD"` or `"WORD"`. In
//! a word `\\`, `\"`, `\n`, `\r`, `\t` and `\xNN` stand for a byte. Levels are read and mean nothing here.

/// A line that is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct Error {
    /// The line, from one.
    pub line: usize,
    /// What is wrong.
    pub reason: &'static str,
}

/// Reads a dictionary.
pub fn parse(text: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
    let mut words = Vec::new();
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() || line[0] == b'#' {
            continue;
        }
        let word = word(line).map_err(|reason| Error { line: number + 1, reason })?;
        if !word.is_empty() {
            words.push(word);
        }
    }
    Ok(words)
}

fn word(line: &[u8]) -> Result<Vec<u8>, &'static str> {
    let start = line.iter().position(|&byte| byte == b'"').ok_or("a word stands in quotes")?;
    let name = &line[..start];
    if !name.is_empty() && name.trim_ascii_end().last() != Some(&b'=') {
        return Err("= is missing between name and word");
    }
    let mut rest = &line[start + 1..];
    let mut word = Vec::new();
    loop {
        match rest {
            [] => return Err("the quotes are not closed"),
            [b'"', after @ ..] => {
                let after = after.trim_ascii_start();
                let ends = after.is_empty() || after[0] == b'#';
                return if ends { Ok(word) } else { Err("there is more behind the word") };
            }
            [b'\\', b'x', high, low, after @ ..] => {
                let digit = |byte: u8| (byte as char).to_digit(16).ok_or("\\x needs two hexadecimal digits");
                word.push((digit(*high)? << 4 | digit(*low)?) as u8);
                rest = after;
            }
            [b'\\', letter, after @ ..] => {
                word.push(match letter {
                    b'\\' | b'"' => *letter,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    _ => return Err("there is no such escape"),
                });
                rest = after;
            }
            [byte, after @ ..] => {
                word.push(*byte);
                rest = after;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let good: &[(&str, &[&[u8]])] = &[
            ("", &[]),
            ("# nothing\n\n", &[]),
            ("\"plain\"\nname=\"two words\"", &[b"plain", b"two words"]),
            ("level@2 = \"a\\x00\\xfF\\\\\\\"\\n\" # and why", &[b"a\0\xff\\\"\n"]),
            ("empty=\"\"", &[]),
        ];
        for (text, words) in good {
            assert_eq!(
                parse(text.as_bytes()).as_deref(),
                Ok(&words.iter().map(|word| word.to_vec()).collect::<Vec<_>>()[..])
            );
        }
        for (text, line) in
            [("word", 1), ("\"open", 1), ("\n\"a\" b", 2), ("\"\\q\"", 1), ("\"\\x1\"", 1), ("a \"b\"", 1)]
        {
            assert_eq!(parse(text.as_bytes()).map_err(|error| error.line), Err(line), "{text}");
        }
    }
}
