//! Mutation of unusual inputs, as fuzzers do it: changes at random, parts of other inputs, words, and operands of comparisons.
//!
//! There is no end of mutations, so three rules keep them in their place. They are a part of the work only while a decision is
//! open: they never keep a search from its end. Every variant costs ticks, also one that was run before. And an input is mutated in rounds of a
//! batch each, the next only if the last ran something new; inputs on which least was spent come first. How large the share of
//! the work is depends on what mutations earn, which the agenda counts.
//!
//! A round depends on the seed, the input's number and the round's alone.
//!
//! LibAFL was considered. Its mutators work on its own traits for states, corpora and inputs, with a random source and metadata of
//! its own behind each; what is used of it here would be less than what ties it to our inputs of several named objects. Each
//! family is a file: [`havoc`] (AFL's), [`splice`], [`tokens`] and [`operands`] (input-to-state, Aschermann et al. 2019).

mod havoc;
mod operands;
mod part;
mod splice;
mod tokens;

use super::{Making, News, Source, Variants, Vary};
use crate::search::order::Unusual;
use crate::search::partial_runner::PartialRunner;
use crate::search::tuning::Tuning;
use crate::target::Compared;
use part::{Part, Place};
use random::Rng;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// More words are not learnt.
const MAX_WORDS: usize = 4096;
/// Of so many inputs it is known what they were compared with: the newest.
const MAX_COMPARED: usize = 256;

/// How large changes are at most.
#[derive(Clone, Copy, Debug)]
struct Most {
    step: i64,
    block: usize,
    splice: usize,
    places: usize,
}

impl Most {
    fn new(tuning: &Tuning) -> Most {
        let length = |most: u64| usize::try_from(most.max(1)).unwrap_or(usize::MAX);
        Most {
            step: i64::try_from(tuning.mutate_step.max(1)).unwrap_or(i64::MAX),
            block: length(tuning.mutate_block),
            splice: length(tuning.splice_block),
            places: length(tuning.operand_places),
        }
    }
}

/// What a mutation may use.
struct Stock<'a> {
    most: Most,
    words: &'a [Vec<u8>],
    /// The same object of another input.
    donor: &'a [u8],
}

/// A family of mutations, and how often it comes beside the others.
struct Family {
    weight: usize,
    mutate: fn(&mut Rng, &mut Part, &Stock<'_>),
}

/// All families.
static FAMILIES: &[Family] = &[
    Family { weight: 10, mutate: havoc::mutate },
    Family { weight: 4, mutate: tokens::mutate },
    Family { weight: 2, mutate: splice::mutate },
];

/// What is done next about an input: its operands are tried once, then there are rounds of random changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Step {
    Operands,
    Round(u32),
}

/// What is known of an input.
#[derive(Debug)]
struct Known {
    places: Arc<[Place]>,
    compared: Arc<[Compared]>,
    /// The round that comes next or is under way.
    round: u32,
}

/// Inputs to be mutated.
pub(super) struct Mutations {
    waiting: Unusual<Step>,
    known: BTreeMap<usize, Known>,
    /// The inputs of which it is known what they were compared with, the oldest first.
    compared: VecDeque<usize>,
    words: Arc<Vec<Vec<u8>>>,
    learnt: BTreeSet<Vec<u8>>,
    /// The newest inputs, as donors.
    recent: Vec<usize>,
    seed: u64,
    batch: u64,
    donors: usize,
    known_most: usize,
    most: Most,
}

impl Mutations {
    pub(super) fn new(making: &Making) -> Mutations {
        let tuning = &making.tuning;
        let mut mutations = Mutations {
            waiting: Unusual::new(tuning.fresh, tuning.max_runs),
            known: BTreeMap::new(),
            compared: VecDeque::new(),
            words: Arc::default(),
            learnt: BTreeSet::new(),
            recent: Vec::new(),
            seed: making.seed,
            batch: tuning.mutate_batch,
            donors: tuning.mutate_donors.max(1) as usize,
            known_most: usize::try_from(tuning.max_runs).unwrap_or(usize::MAX),
            most: Most::new(tuning),
        };
        making.words.iter().for_each(|word| mutations.learn(word));
        mutations
    }

    fn learn(&mut self, word: &[u8]) {
        if word.len() > 1 && self.words.len() < MAX_WORDS && self.learnt.insert(word.to_vec()) {
            Arc::make_mut(&mut self.words).push(word.to_vec());
        }
    }

    /// Forgets about inputs that are forgotten elsewhere, and what older ones were compared with.
    fn trim(&mut self) {
        while self.known.len() > self.known_most {
            self.known.pop_first();
        }
        if self.compared.len() > MAX_COMPARED
            && let Some(oldest) = self.compared.pop_front()
            && let Some(known) = self.known.get_mut(&oldest)
        {
            known.compared = Arc::default();
        }
    }
}

impl Variants for Mutations {
    fn note(&mut self, news: &News<'_>) {
        let places = part::places(news.objects);
        if places.is_empty() {
            return;
        }
        let mut steps = BTreeSet::from([Step::Round(0)]);
        if !news.compared.is_empty() {
            steps.insert(Step::Operands);
            self.compared.push_back(news.input);
            for compared in news.compared {
                self.learn(&compared.left);
                self.learn(&compared.right);
            }
        }
        // Nearly all runs have the same objects as the one before.
        let same = self.known.last_key_value().filter(|(_, last)| last.places == places);
        let places = same.map_or(places, |(_, last)| last.places.clone());
        self.known.insert(news.input, Known { places, compared: news.compared.into(), round: 0 });
        self.trim();
        self.waiting.add(news.input, steps, news.fresh);
        if self.recent.len() == self.donors {
            self.recent.remove(0);
        }
        self.recent.push(news.input);
    }

    fn next(&mut self) -> Option<(usize, Box<dyn Vary>)> {
        loop {
            let (input, step) = self.waiting.pop()?;
            let Some(known) = self.known.get(&input) else { continue };
            let places = known.places.clone();
            let vary: Box<dyn Vary> = match step {
                Step::Operands => {
                    let (compared, most) = (known.compared.clone(), self.most.places);
                    Box::new(operands::Operands { places, compared, most })
                }
                Step::Round(round) => {
                    let seed = Rng::numbered(self.seed, input as u64).bits();
                    let mut rng = Rng::numbered(seed, u64::from(round));
                    let donor = rng.choose(&self.recent).unwrap_or(input);
                    let words = self.words.clone();
                    let (batch, most) = (self.batch, self.most);
                    Box::new(Round { seed: rng.bits(), places, donor, words, batch, most })
                }
            };
            return Some((input, vary));
        }
    }

    /// The next round comes when one has ended, if it ran something new.
    fn charge(&mut self, input: usize, ticks: u64, runs: usize) {
        self.waiting.charge(input, ticks);
        let rounds_wait = self.waiting.has(input);
        if let Some(known) = self.known.get_mut(&input)
            && !rounds_wait
            && runs > 0
        {
            known.round = known.round.saturating_add(1);
            self.waiting.extend(input, Step::Round(known.round));
        }
    }
}

/// A batch of random changes.
#[derive(Debug)]
struct Round {
    seed: u64,
    places: Arc<[Place]>,
    donor: usize,
    words: Arc<Vec<Vec<u8>>>,
    batch: u64,
    most: Most,
}

impl Vary for Round {
    fn run(&self, partial_runner: &mut PartialRunner<'_>) {
        let mut rng = Rng::new(self.seed);
        let donor = part::parts(&self.places, &partial_runner.other(self.donor));
        let base = part::parts(&self.places, partial_runner.base());
        for _ in 0..self.batch {
            let mut parts = base.clone();
            mutate(&mut rng, &mut parts, &donor, &self.words, self.most);
            let input = part::input(&self.places, &parts, partial_runner.base());
            partial_runner.try_variant(input, Source::Mutate);
        }
    }
}

/// Makes a few changes: mostly one or two, now and then many.
fn mutate(rng: &mut Rng, parts: &mut [Part], donor: &[Part], words: &[Vec<u8>], most: Most) {
    let changes = 1 << rng.below(4);
    for _ in 0..changes {
        // Objects by their sizes; an empty one has a chance to grow.
        let weight = |part: &Part| part.bytes.len().max(1);
        let at = choose(rng, parts.iter().map(weight));
        let family = &FAMILIES[choose(rng, FAMILIES.iter().map(|family| family.weight))];
        let stock = Stock { most, words, donor: donor.get(at).map_or(&[], |part| &part.bytes) };
        (family.mutate)(rng, &mut parts[at], &stock);
    }
}

/// The place of one of some weights, of which there is at least one.
fn choose(rng: &mut Rng, weights: impl Iterator<Item = usize> + Clone) -> usize {
    let mut chosen = rng.below(weights.clone().sum());
    for (at, weight) in weights.enumerate() {
        if chosen < weight {
            return at;
        }
        chosen -= weight;
    }
    unreachable!("the number is below the sum of all weights")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Input;

    fn making() -> Making {
        Making { seed: 7, tuning: Tuning::default(), alone: false, words: vec![b"keyword".to_vec()] }
    }

    #[test]
    fn the_same_seed_gives_the_same_and_lengths_stay_within_their_limits() {
        let places = part::places(&part::tests::objects());
        let base = Input::from([
            ("arg1".to_string(), b"hello, world".to_vec()),
            ("stdin".to_string(), b"ab".to_vec()),
        ]);
        let donor = Input::from([("arg1".to_string(), b"HELLO".to_vec())]);
        let words = vec![b"keyword".to_vec()];
        let most = Most::new(&Tuning::default());
        let made = |seed| {
            let mut rng = Rng::new(seed);
            let make = |_| {
                let mut parts = part::parts(&places, &base);
                mutate(&mut rng, &mut parts, &part::parts(&places, &donor), &words, most);
                part::input(&places, &parts, &base)
            };
            (0..1000).map(make).collect::<Vec<_>>()
        };
        let first = made(1);
        assert_eq!(first, made(1));
        assert_ne!(first, made(2));
        assert!(first.iter().all(|input| input["arg1"].len() == 12 && input["stdin"].len() <= 12));
        assert!(first.iter().all(|input| input["stdin.size"][0] as usize == input["stdin"].len()));
        let lengths: BTreeSet<usize> = first.iter().map(|input| input["stdin"].len()).collect();
        assert!(lengths.len() > 6, "{lengths:?}");
        let has = |text: &[u8]| {
            first.iter().any(|input| input["arg1"].windows(text.len()).any(|part| part == text))
        };
        assert!(has(b"keyword") && has(b"ELLO"));
    }

    #[test]
    fn what_has_no_bytes_is_not_mutated_and_rounds_end_with_news() {
        let mut mutations = Mutations::new(&making());
        let groups = Vec::new();
        let news = |input, objects| News { input, groups: &groups, fresh: true, compared: &[], objects };
        mutations.note(&news(0, &[]));
        assert!(mutations.next().is_none());
        let objects = part::tests::objects();
        mutations.note(&news(1, &objects));
        for runs in [100, 3, 0] {
            assert_eq!(mutations.next().map(|(input, _)| input), Some(1));
            assert!(mutations.next().is_none(), "one round at a time");
            mutations.charge(1, 1000, runs);
        }
        assert!(mutations.next().is_none(), "the last round ran nothing new");
    }

    #[test]
    fn only_the_newest_inputs_are_known() {
        let mut mutations = Mutations::new(&making());
        mutations.known_most = 1000;
        let groups = Vec::new();
        let objects = part::tests::objects();
        let compared = [Compared { left: b"a".to_vec(), right: b"b".to_vec(), length: 1 }];
        for input in 0..3000 {
            mutations.note(&News {
                input,
                groups: &groups,
                fresh: false,
                compared: &compared,
                objects: &objects,
            });
        }
        assert_eq!(mutations.known.len(), 1000);
        let with = mutations.known.values().filter(|known| !known.compared.is_empty()).count();
        assert_eq!(with, MAX_COMPARED);
    }
}
