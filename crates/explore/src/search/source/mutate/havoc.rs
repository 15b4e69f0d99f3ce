//! Changes that know nothing of what they change: bits, bytes, numbers, blocks. The table is AFL's (Zalewski).

use super::{Most, Part, Stock};
use random::Rng;

/// Numbers at the edges of types, where programs go wrong.
const EDGES: &[i64] = &[
    0,
    1,
    -1,
    16,
    32,
    64,
    100,
    127,
    -128,
    128,
    255,
    256,
    512,
    1000,
    1024,
    4096,
    32767,
    -32768,
    32768,
    65535,
    65536,
    i32::MAX as i64,
    i32::MIN as i64,
    u32::MAX as i64,
    i64::MAX,
    i64::MIN,
];

/// Makes one change.
pub(super) fn mutate(rng: &mut Rng, part: &mut Part, stock: &Stock<'_>) {
    let Most { block, step: most, .. } = stock.most;
    if part.bytes.is_empty() || rng.one_in(16) {
        // At the end, where nothing would be otherwise.
        let length = 1 + rng.below(block);
        let bytes: Vec<u8> = (0..length).map(|_| rng.bits() as u8).collect();
        return part.put(part.bytes.len(), &bytes, true);
    }
    let at = rng.below(part.bytes.len());
    let object = &mut part.bytes;
    match rng.below(10) {
        0 => object[at] ^= 1 << rng.below(8),
        1 => object[at] = rng.bits() as u8,
        // What texts are made of.
        2 => object[at] = b' ' + rng.below(95) as u8,
        3 => {
            let step = rng.between(1, most) as u8;
            object[at] =
                if rng.one_in(2) { object[at].wrapping_add(step) } else { object[at].wrapping_sub(step) };
        }
        4 => number(rng, object, at, |rng, _| rng.pick(EDGES)),
        5 => number(rng, object, at, |rng, old| old.wrapping_add(rng.between(-most, most))),
        6 => part.remove(at, 1 + rng.below(block)),
        7 => {
            let byte = if rng.one_in(2) { rng.bits() as u8 } else { object[rng.below(object.len())] };
            let length = 1 + rng.below(block);
            part.put(at, &vec![byte; length], rng.one_in(2));
        }
        8 => {
            let other = rng.below(object.len());
            object.swap(at, other);
        }
        _ => {
            let from = rng.below(object.len());
            let length = (1 + rng.below(block)).min(object.len() - from);
            let block = object[from..from + length].to_vec();
            part.put(at, &block, rng.one_in(2));
        }
    }
}

/// Changes the number at a place: of one, two, four or eight bytes, in either order.
fn number(rng: &mut Rng, object: &mut [u8], at: usize, change: impl Fn(&mut Rng, i64) -> i64) {
    let size = (1 << rng.below(4)).min(object.len() - at);
    let reversed = rng.one_in(2);
    let mut word = [0; 8];
    word[..size].copy_from_slice(&object[at..at + size]);
    if reversed {
        word[..size].reverse();
    }
    let mut word = change(rng, i64::from_le_bytes(word)).to_le_bytes();
    if reversed {
        word[..size].reverse();
    }
    object[at..at + size].copy_from_slice(&word[..size]);
}
