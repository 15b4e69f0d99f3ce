//! Which bytes of the input a program reads as words, told from the terms of a run.
//!
//! A load of four symbolic bytes is a concatenation of four symbols. If a program reads an object so, the object gets a
//! symbol for the word: solvers then see `x + y` over words where the program has it.

use crate::target::{PathEntry, Symbols};
use smt::walk::reachable;
use smt::{Op, TermId, Terms};
use std::collections::BTreeMap;

/// Chunks of objects: offset and size, in order and without overlap.
pub(super) type Shapes = BTreeMap<String, Vec<(usize, usize)>>;

/// The chunks of all objects that occur in a path's terms; the first that was read wins where two overlap.
pub(super) fn shapes(terms: &Terms, symbols: &Symbols, path: &[PathEntry]) -> Shapes {
    let roots: Vec<TermId> = path.iter().map(|entry| entry.term).collect();
    let mut shapes = Shapes::new();
    for term in reachable(terms, &roots) {
        if let Some(origin) = terms.as_fun(term).and_then(|fun| symbols.origin(fun)) {
            shapes.entry(origin.object.clone()).or_default();
        }
        if let Some((object, offset, size)) = word(terms, symbols, term) {
            let chunks = shapes.entry(object).or_default();
            let at = chunks.partition_point(|chunk| chunk.0 < offset);
            let before = at.checked_sub(1).is_none_or(|last| chunks[last].0 + chunks[last].1 <= offset);
            let after = chunks.get(at).is_none_or(|next| offset + size <= next.0);
            if before && after {
                chunks.insert(at, (offset, size));
            }
        }
    }
    shapes
}

/// The bytes that a concatenation puts together in their order in memory.
fn word(terms: &Terms, symbols: &Symbols, term: TermId) -> Option<(String, usize, usize)> {
    if terms.op(term) != Op::Concat {
        return None;
    }
    let args = terms.args(term);
    let first = symbols.origin(terms.as_fun(*args.last()?)?)?;
    for (i, &arg) in args.iter().rev().enumerate() {
        let origin = symbols.origin(terms.as_fun(arg)?)?;
        if origin.object != first.object || origin.offset != first.offset + i || origin.bytes != 1 {
            return None;
        }
    }
    matches!(args.len(), 2 | 4 | 8).then(|| (first.object.clone(), first.offset, args.len()))
}
