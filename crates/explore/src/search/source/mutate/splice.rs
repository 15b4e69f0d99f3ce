//! Parts of another input: its end behind our beginning, or a block of it somewhere.

use super::{Part, Stock};
use random::Rng;

/// Takes over a part of the donor.
pub(super) fn mutate(rng: &mut Rng, part: &mut Part, stock: &Stock<'_>) {
    if stock.donor.is_empty() {
        return;
    }
    if rng.one_in(3) {
        let at = rng.below(part.bytes.len().min(stock.donor.len()).max(1));
        part.put(at, &stock.donor[at..], false);
    } else {
        let from = rng.below(stock.donor.len());
        let length = (1 + rng.below(stock.most.splice)).min(stock.donor.len() - from);
        let at = rng.below(part.bytes.len() + 1);
        part.put(at, &stock.donor[from..from + length], rng.one_in(2));
    }
}
