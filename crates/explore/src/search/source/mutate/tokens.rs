//! Words that the program knows, or that somebody gave, put somewhere into an input.

use super::{Part, Stock};
use random::Rng;

/// Puts a word over what is there, or before it.
pub(super) fn mutate(rng: &mut Rng, part: &mut Part, stock: &Stock<'_>) {
    if stock.words.is_empty() {
        return;
    }
    let word = &stock.words[rng.below(stock.words.len())];
    let at = rng.below(part.bytes.len() + 1);
    part.put(at, word, rng.one_in(2));
    // Mostly a word ends before something that is no letter.
    let end = at + word.len();
    if end < part.bytes.len() && rng.one_in(4) {
        part.bytes[end] = rng.pick(b" \0=(>\"\n:,");
    }
}
