//! Leaks: blocks that nothing leads to any more when a program ends.
//!
//! As LeakSanitizer does it: every aligned word of the globals, of the stack and of the machine's own slots that looks like a pointer
//! into a block makes the block reachable, and so do the words of reachable blocks. What is left leaked.

use super::heap::{Block, Heap};
use crate::memory::{Memory, Overlay};
use std::collections::BTreeSet;
use std::ops::Range;

/// The blocks that were lost, by address.
pub(crate) fn lost<'a, O: Overlay>(
    heap: &'a Heap,
    memory: &Memory<O>,
    roots: &[Range<usize>],
    slots: impl Iterator<Item = u32>,
) -> Vec<(u32, &'a Block)> {
    let blocks: Vec<(u32, &Block)> = heap.in_use().collect();
    let find = |pointer: u32| {
        let after = blocks.partition_point(|block| block.0 <= pointer);
        let at = after.checked_sub(1)?;
        (pointer - blocks[at].0 <= blocks[at].1.size).then_some(at)
    };
    let words = |range: Range<usize>| {
        let range = range.start.next_multiple_of(4)..range.end.min(memory.bytes().len());
        let bytes = memory.bytes().get(range).unwrap_or_default();
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    };
    let mut reached = BTreeSet::new();
    let mut open: Vec<usize> = roots.iter().cloned().flat_map(words).chain(slots).filter_map(find).collect();
    while let Some(at) = open.pop() {
        if reached.insert(at) {
            let (start, block) = blocks[at];
            open.extend(words(start as usize..(start + block.size) as usize).filter_map(find));
        }
    }
    let lost = blocks.iter().enumerate().filter(|(at, _)| !reached.contains(at));
    lost.map(|(_, block)| *block).collect()
}
