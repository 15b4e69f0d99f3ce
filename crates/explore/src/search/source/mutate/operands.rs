//! Operands of comparisons: where one side of a failed comparison stands in the input, the other side is put in its place, whole.
//!
//! A table of words is not climbed letter by letter: one run that comes to it shows all words that it was compared with
//! (input-to-state correspondence, Aschermann et al. 2019).

use super::part::{self, Part, Place};
use crate::search::partial_runner::PartialRunner;
use crate::search::source::{Source, Vary};
use crate::target::Compared;
use std::sync::Arc;

/// Tries what one input was compared with.
#[derive(Debug)]
pub(super) struct Operands {
    pub(super) places: Arc<[Place]>,
    pub(super) compared: Arc<[Compared]>,
    /// How many places of an object are tried for one side.
    pub(super) most: usize,
}

impl Vary for Operands {
    fn run(&self, partial_runner: &mut PartialRunner<'_>) {
        let parts = part::parts(&self.places, partial_runner.base());
        for compared in &*self.compared {
            for (own, other) in [(&compared.left, &compared.right), (&compared.right, &compared.left)] {
                let own = &own[..own.len().min(compared.length)];
                if other.is_empty() {
                    continue;
                }
                for (number, part) in parts.iter().enumerate() {
                    for changed in replaced(part, own, other, self.most) {
                        let mut parts = parts.clone();
                        parts[number] = changed;
                        let input = part::input(&self.places, &parts, partial_runner.base());
                        partial_runner.try_variant(input, Source::Mutate);
                    }
                }
            }
        }
    }
}

/// An object with one side instead of the other. An empty text is a zero, or the end of the object.
fn replaced(part: &Part, own: &[u8], other: &[u8], most: usize) -> Vec<Part> {
    let sought = if own.is_empty() { &[0] } else { own };
    let found = part.bytes.windows(sought.len()).enumerate().filter(|(_, window)| *window == sought);
    let mut places: Vec<usize> = found.map(|(at, _)| at).take(most).collect();
    if own.is_empty() {
        places.push(part.bytes.len());
    }
    let mut all = Vec::new();
    for at in places {
        // Over what follows, then with what follows behind it.
        let mut over = part.clone();
        over.put(at, other, false);
        let mut before = part.clone();
        before.remove(at, own.len());
        before.put(at, other, true);
        all.extend([over, before]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Input;

    #[test]
    fn a_word_takes_the_place_of_what_it_was_compared_with() {
        let places = part::places(&part::tests::objects());
        let base =
            Input::from([("arg1".into(), b"say no, no  .".to_vec()), ("stdin".into(), b"no".to_vec())]);
        let parts = part::parts(&places, &base);
        let made = |number: usize, own: &[u8], other: &[u8]| {
            let all = replaced(&parts[number], own, other, 4).into_iter();
            all.map(|part| String::from_utf8_lossy(&part.bytes).into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(made(0, b"no", b"yes"), ["say yes no  ", "say yes, no ", "say no, yes ", "say no, yes "]);
        assert_eq!(made(1, b"", b"more"), ["nomore", "nomore"], "at the end of what may grow");
        assert_eq!(made(1, b"maybe", b"more"), [""; 0]);
    }
}
