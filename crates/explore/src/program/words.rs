//! Words among a program's constants: texts of its data that could be keywords of what it reads.
//!
//! Messages are left out by their spaces and formats by their percent signs. What is left is tried as a part of inputs, by the source
//! `mutation`; a word that is no keyword costs a share of its runs and nothing else.

use std::ops::Range;

/// The lengths of words.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=24;
/// More are not taken: a program with so many has them in a table that it looks into.
const MOST: usize = 1024;

/// The words of a program's data, in its order. Of a program that named its globals only these count: what else is there belongs to
/// the libraries, and a C++ library has hundreds of words.
pub(super) fn of(data: &[&[u8]], memory: &[u8], globals: &[Range<usize>]) -> Vec<Vec<u8>> {
    let own = globals.iter().filter_map(|global| memory.get(global.clone()));
    let own = words(own);
    if own.is_empty() { words(data.iter().copied()) } else { own }
}

fn words<'a>(data: impl Iterator<Item = &'a [u8]>) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = Vec::new();
    for text in data.flat_map(|bytes| bytes.split(|&byte| byte == 0)) {
        let plain = text.iter().all(|byte| byte.is_ascii_graphic() && *byte != b'%');
        if plain
            && LENGTHS.contains(&text.len())
            && words.len() < MOST
            && !words.iter().any(|word| word == text)
        {
            words.push(text.to_vec());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_libraries_count_only_where_no_global_is_known() {
        let data = b"key\0two words\0%d\0January\0len";
        let names = |globals: &[Range<usize>]| {
            let words = of(&[data], data, globals).into_iter();
            words.map(|word| String::from_utf8_lossy(&word).into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(&[]), ["key", "January", "len"]);
        assert_eq!(names(&[25..28, 0..4, 90..95]), ["len", "key"]);
        assert_eq!(names(&[4..14, 90..95]), ["key", "January", "len"], "globals without words");
    }
}
