//! Words among a program's constants: texts of its data that could be keywords of what it reads.
//!
//! Messages are left out by their spaces and formats by their percent signs. What is left is tried as a part of inputs, by the source
//! `mutation`; a word that is no keyword costs a share of its runs and nothing else.

use crate::module::Module;

/// The lengths of words.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=24;
/// More are not taken: a program with so many has them in a table that it looks into.
const MOST: usize = 1024;

/// The words of a module's data, in its order.
pub(super) fn of(module: &Module) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = Vec::new();
    for segment in &module.data {
        for text in segment.bytes.split(|&byte| byte == 0) {
            let plain = text.iter().all(|byte| byte.is_ascii_graphic() && *byte != b'%');
            if plain
                && LENGTHS.contains(&text.len())
                && words.len() < MOST
                && !words.iter().any(|word| word == text)
            {
                words.push(text.to_vec());
            }
        }
    }
    words
}
