//! Mutation of unusual inputs, as fuzzers do it: changes at random, parts of other inputs, words, and operands of comparisons.
//!
//! An input is mutated in rounds of a batch each, for as long as the strategy has a share for it; inputs on which least was spent come
//! first. A round depends on the seed, the input's number and the round's alone. Objects keep their length: what is inserted pushes
//! the rest out, what is removed is followed by zeros.
//!
//! LibAFL was considered. Its mutators work on its own traits for states, corpora and inputs, with a random source and metadata of
//! its own behind each; what is used of it here would be less than what ties it to our inputs of several named objects. Each
//! family is a file: [`havoc`] (AFL's), [`splice`], [`tokens`] and [`operands`] (input-to-state, Aschermann et al. 2019).

mod havoc;
mod operands;
mod splice;
mod tokens;

use super::{Making, News, Source, Variants, Vary};
use crate::search::order::Unusual;
use crate::search::partial_runner::PartialRunner;
use crate::target::{Compared, Input};
use random::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// More words are not learnt.
const MAX_WORDS: usize = 4096;

/// What a mutation may use.
pub(super) struct Stock<'a> {
    pub(super) words: &'a [Vec<u8>],
    /// Another input's object of the same name.
    pub(super) donor: &'a [u8],
}

/// Changes bytes, whose number stays.
type Mutator = fn(&mut Rng, &mut [u8], &Stock<'_>);

/// A family of mutations, and how often it comes beside the others.
struct Family {
    weight: usize,
    mutate: Mutator,
}

/// All families.
static FAMILIES: &[Family] = &[
    Family { weight: 10, mutate: havoc::mutate },
    Family { weight: 4, mutate: tokens::mutate },
    Family { weight: 2, mutate: splice::mutate },
];

/// What is done next about an input: its operands are tried once, then there are rounds of random changes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Step {
    Operands,
    Round(u32),
}

/// Inputs to be mutated.
pub(super) struct Mutations {
    waiting: Unusual<Step>,
    compared: BTreeMap<usize, Arc<[Compared]>>,
    words: Arc<Vec<Vec<u8>>>,
    known: BTreeSet<Vec<u8>>,
    /// The newest inputs, as donors.
    recent: Vec<usize>,
    seed: u64,
    batch: u64,
    donors: usize,
}

impl Mutations {
    pub(super) fn new(making: &Making) -> Mutations {
        let tuning = &making.tuning;
        let mut mutations = Mutations {
            waiting: Unusual::new(tuning.fresh, tuning.max_runs),
            compared: BTreeMap::new(),
            words: Arc::default(),
            known: BTreeSet::new(),
            recent: Vec::new(),
            seed: making.seed,
            batch: tuning.mutate_batch,
            donors: tuning.mutate_donors.max(1) as usize,
        };
        making.words.iter().for_each(|word| mutations.learn(word));
        mutations
    }

    fn learn(&mut self, word: &[u8]) {
        if word.len() > 1 && self.words.len() < MAX_WORDS && self.known.insert(word.to_vec()) {
            Arc::make_mut(&mut self.words).push(word.to_vec());
        }
    }
}

impl Variants for Mutations {
    fn note(&mut self, news: &News<'_>) {
        let mut steps = BTreeSet::from([Step::Round(0)]);
        if !news.compared.is_empty() {
            steps.insert(Step::Operands);
            self.compared.insert(news.input, news.compared.into());
            for compared in news.compared {
                self.learn(&compared.left);
                self.learn(&compared.right);
            }
        }
        self.waiting.add(news.input, steps, news.fresh);
        if self.recent.len() == self.donors {
            self.recent.remove(0);
        }
        self.recent.push(news.input);
    }

    fn next(&mut self) -> Option<(usize, Box<dyn Vary>)> {
        let (input, step) = self.waiting.pop()?;
        match step {
            Step::Operands => {
                let compared = self.compared.remove(&input).unwrap_or_default();
                Some((input, Box::new(operands::Operands(compared))))
            }
            Step::Round(round) => {
                self.waiting.extend(input, Step::Round(round.saturating_add(1)));
                let mut rng = Rng::numbered(Rng::numbered(self.seed, input as u64).bits(), u64::from(round));
                let donor = rng.choose(&self.recent).unwrap_or(input);
                let words = self.words.clone();
                Some((input, Box::new(Round { seed: rng.bits(), donor, words, batch: self.batch })))
            }
        }
    }

    fn charge(&mut self, input: usize, ticks: u64) {
        self.waiting.charge(input, ticks);
    }
}

/// A batch of random changes.
#[derive(Debug)]
struct Round {
    seed: u64,
    donor: usize,
    words: Arc<Vec<Vec<u8>>>,
    batch: u64,
}

impl Vary for Round {
    fn run(&self, partial_runner: &mut PartialRunner<'_>) {
        let mut rng = Rng::new(self.seed);
        let donor = partial_runner.other(self.donor);
        for _ in 0..self.batch {
            let mut input = partial_runner.base().clone();
            mutate(&mut rng, &mut input, &donor, &self.words);
            partial_runner.try_variant(input, Source::Mutate);
        }
    }
}

/// Makes a few changes: mostly one or two, now and then many.
fn mutate(rng: &mut Rng, input: &mut Input, donor: &Input, words: &[Vec<u8>]) {
    let all: usize = FAMILIES.iter().map(|family| family.weight).sum();
    let changes = 1 << rng.below(4);
    for _ in 0..changes {
        // Objects by their sizes.
        let bytes: usize = input.values().map(Vec::len).sum();
        if bytes == 0 {
            return;
        }
        let mut place = rng.below(bytes);
        let Some((name, object)) = input.iter_mut().find(|(_, object)| {
            let here = place < object.len();
            if !here {
                place -= object.len();
            }
            here
        }) else {
            return;
        };
        let stock = Stock { words, donor: donor.get(name).map_or(&[], Vec::as_slice) };
        let mut chosen = rng.below(all);
        for family in FAMILIES {
            if chosen < family.weight {
                (family.mutate)(rng, object, &stock);
                break;
            }
            chosen -= family.weight;
        }
    }
}

/// Puts bytes at a place: over what is there, or before it, which moves the rest behind them.
fn put(object: &mut [u8], at: usize, bytes: &[u8], insert: bool) {
    let room = object.len().saturating_sub(at);
    let length = bytes.len().min(room);
    if insert && length < room {
        object.copy_within(at..at + room - length, at + length);
    }
    object[at..at + length].copy_from_slice(&bytes[..length]);
}

/// Removes bytes at a place; zeros come in at the end.
fn remove(object: &mut [u8], at: usize, length: usize) {
    let length = length.min(object.len() - at);
    object.copy_within(at + length.., at);
    let end = object.len() - length;
    object[end..].fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_keep_their_length_and_the_same_seed_gives_the_same() {
        let base = Input::from([("a".to_string(), b"hello, world".to_vec()), ("b".to_string(), vec![7])]);
        let donor = Input::from([("a".to_string(), b"HELLO".to_vec())]);
        let words = vec![b"keyword".to_vec()];
        let made = |seed| {
            let mut rng = Rng::new(seed);
            let make = |_| {
                let mut input = base.clone();
                mutate(&mut rng, &mut input, &donor, &words);
                input
            };
            (0..500).map(make).collect::<Vec<_>>()
        };
        let first = made(1);
        assert_eq!(first, made(1));
        assert_ne!(first, made(2));
        assert!(first.iter().all(|input| input["a"].len() == 12 && input["b"].len() == 1));
        let has =
            |text: &[u8]| first.iter().any(|input| input["a"].windows(text.len()).any(|part| part == text));
        assert!(has(b"keyword") && has(b"ELLO"));
        mutate(&mut Rng::new(0), &mut Input::new(), &donor, &words);
    }

    #[test]
    fn what_is_put_in_pushes_the_rest_out() {
        let mut object = *b"abcdef";
        put(&mut object, 1, b"XY", true);
        assert_eq!(&object, b"aXYbcd");
        put(&mut object, 4, b"LONG", false);
        assert_eq!(&object, b"aXYbLO");
        remove(&mut object, 1, 2);
        assert_eq!(&object, b"abLO\0\0");
    }
}
