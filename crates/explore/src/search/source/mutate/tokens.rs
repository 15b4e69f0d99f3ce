//! Words that the program knows, or that somebody gave, put somewhere into an input.

use super::{Stock, put};
use random::Rng;

/// Puts a word over what is there, or before it.
pub(super) fn mutate(rng: &mut Rng, object: &mut [u8], stock: &Stock<'_>) {
    if stock.words.is_empty() {
        return;
    }
    let word = &stock.words[rng.below(stock.words.len())];
    let at = rng.below(object.len());
    put(object, at, word, rng.one_in(2));
    // Mostly a word ends before something that is no letter.
    let end = at + word.len();
    if end < object.len() && rng.one_in(4) {
        object[end] = rng.pick(b" \0=(>\"\n:,");
    }
}
