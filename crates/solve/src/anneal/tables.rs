//! Arrays whose contents are known: programs read tables, and a read of a table is one instruction.

use crate::tuning::anneal_tables::MAX_SPAN;
use rustc_hash::FxHashMap;
use smt::{Op, Sort, TermId, Terms, Value};

/// The contents of an array of words.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    /// The place of the first element; all that are not here are `rest`.
    first: u64,
    elements: Vec<u64>,
    rest: u64,
}

impl Contents {
    /// What a term that [`Constants`] knows as constant holds; none if it is too large.
    pub(super) fn of(terms: &Terms, array: TermId) -> Option<Contents> {
        let mut writes: Vec<(u64, u64)> = Vec::new();
        let mut at = array;
        let rest = loop {
            match (terms.op(at), terms.args(at)) {
                (Op::Store, &[below, place, element]) => {
                    writes.push((word(terms, place)?, word(terms, element)?));
                    at = below;
                }
                (Op::ConstArray, &[element]) => break word(terms, element)?,
                _ => return None,
            }
        };
        let first = writes.iter().map(|write| write.0).min().unwrap_or(0);
        let last = writes.iter().map(|write| write.0).max().unwrap_or(0);
        if last - first >= MAX_SPAN {
            return None;
        }
        let mut elements = vec![rest; (last - first) as usize + 1];
        // The outermost write comes last.
        for (place, element) in writes.into_iter().rev() {
            elements[(place - first) as usize] = element;
        }
        Some(Contents { first, elements, rest })
    }

    /// The element at a place.
    #[inline]
    pub(super) fn at(&self, place: u64) -> u64 {
        let element = place.checked_sub(self.first).and_then(|i| self.elements.get(i as usize));
        element.copied().unwrap_or(self.rest)
    }

    /// The places that hold an element, of which `pick` takes one; all of them if none does.
    pub(super) fn place_of(&self, element: u64, pick: impl FnOnce(usize) -> usize) -> u64 {
        let holds = |i: &usize| self.elements[*i] == element;
        let position = match (0..self.elements.len()).filter(holds).count() {
            0 => pick(self.elements.len()),
            many => {
                let chosen = pick(many);
                (0..self.elements.len()).filter(holds).nth(chosen).unwrap_or(0)
            }
        };
        self.first + position as u64
    }
}

fn word(terms: &Terms, term: TermId) -> Option<u64> {
    match terms.as_value(term)? {
        Value::BitVec(bits) if bits.width() <= 64 => bits.to_u64(),
        _ => None,
    }
}

/// Which array terms are made of constants alone.
#[derive(Debug, Default)]
pub(super) struct Constants {
    known: FxHashMap<TermId, bool>,
    /// Whether the contents of those that were asked for are small enough.
    small: FxHashMap<TermId, bool>,
}

impl Constants {
    /// Whether an array term has contents that a program can hold.
    pub(super) fn fit(&mut self, terms: &Terms, array: TermId) -> bool {
        self.has(terms, array)
            && *self.small.entry(array).or_insert_with(|| Contents::of(terms, array).is_some())
    }

    /// Whether all that an array term holds is constant, and words.
    fn has(&mut self, terms: &Terms, array: TermId) -> bool {
        let mut open = Vec::new();
        let mut at = array;
        let mut constant = loop {
            if let Some(&known) = self.known.get(&at) {
                break known;
            }
            match (terms.op(at), terms.args(at)) {
                (Op::Store, &[below, place, element]) => {
                    let words = word(terms, place).is_some() && word(terms, element).is_some();
                    open.push((at, words));
                    at = below;
                }
                (Op::ConstArray, &[element]) => {
                    let narrow = |sort: &Sort| matches!(sort, Sort::BitVec(width) if *width <= 64);
                    let places = match *terms.sort_of(terms.sort(at)) {
                        Sort::Array(index, _) => narrow(terms.sort_of(index)),
                        _ => false,
                    };
                    let constant = places && word(terms, element).is_some();
                    self.known.insert(at, constant);
                    break constant;
                }
                _ => break false,
            }
        };
        for (term, words) in open.into_iter().rev() {
            constant &= words;
            self.known.insert(term, constant);
        }
        constant
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Evaluator, Model};

    #[test]
    fn contents_are_what_the_evaluator_reads() {
        let mut terms = Terms::new();
        let (word, byte) = (terms.bit_vec_sort(32), terms.bit_vec_sort(8));
        let sort = terms.array_sort(word, byte);
        let zero = terms.bv(8, 7);
        let mut array = terms.const_array(sort, zero).expect("well sorted");
        let mut rng = random::Rng::named(1, "tables");
        for _ in 0..200 {
            let place = terms.bv(32, 1000 + rng.below(100) as u64);
            let element = terms.bv(8, rng.below(256) as u64);
            array = terms.mk(Op::Store, &[array, place, element]);
        }
        let mut constants = Constants::default();
        assert!(constants.has(&terms, array));
        let contents = Contents::of(&terms, array).expect("small");
        for place in (0..3).chain(995..1105).chain([u64::from(u32::MAX)]) {
            let index = terms.bv(32, place);
            let read = terms.mk(Op::Select, &[array, index]);
            let value = Evaluator::new(&terms, &Model::default()).eval(read).expect("closed");
            assert_eq!(value, Value::BitVec(smt::BitVec::from_u64(8, contents.at(place))), "{place}");
        }
        let element = contents.at(1050);
        assert_eq!(contents.at(contents.place_of(element, |many| many - 1)), element);

        let x = terms.symbol_constant("x", byte);
        let place = terms.bv(32, 3);
        let open = terms.mk(Op::Store, &[array, place, x]);
        assert!(!constants.has(&terms, open));
        assert!(constants.has(&terms, array));
        let far = terms.bv(32, 1 << 30);
        let wide = terms.mk(Op::Store, &[array, far, zero]);
        assert!(constants.has(&terms, wide) && Contents::of(&terms, wide).is_none());
    }
}
