//! Which to do when: for each of four choices (source, theme, setting, context) a weight for every arm, by how often it led to
//! something new. Owns the weights and the memory of what was chosen; knows no solver.
//!
//! Chances are `share * (news + 1) / (pulls + 2)`, so that every arm keeps a chance: a bandit that stops trying an arm never learns
//! that it was wrong. Source, theme and setting are chosen once a batch, contexts once a test: a batch sees many of them, so that
//! all pairs of a theme and a context come up within minutes.

pub(super) use crate::tuning::all_bandit::MENU;
use crate::tuning::all_bandit::{AGAIN, DEFAULTS, KEPT, ROUND};
use random::Rng;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

/// One choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pull {
    pub(super) number: u64,
    pub(super) source: usize,
    pub(super) theme: usize,
    /// `None` for the defaults.
    pub(super) setting: Option<usize>,
    pub(super) contexts: Vec<usize>,
    /// A formula that earlier showed something new, to be the seed of a batch that needs one.
    pub(super) seed: Option<Arc<str>>,
}

/// What a test showed, as numbers that tell behaviours apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    pub(super) context: usize,
    /// Everything: verdicts and complaints with what was chosen, and what is in `inner`.
    pub(super) keys: BTreeSet<u64>,
    /// Those that tell what the solver did inside: names and sizes of its statistics, why it does not know.
    pub(super) inner: BTreeSet<u64>,
    /// The formula by itself, if it can be a seed.
    pub(super) plain: Option<Arc<str>>,
}

/// One choice of the bandit and what it led to.
#[derive(Clone, Copy, Debug)]
struct Arm {
    share: u32,
    pulls: u32,
    news: u32,
}

impl Arm {
    fn count(&mut self, new: usize) {
        self.pulls += 1;
        self.news += u32::from(new > 0) + u32::from(new > 4);
    }
}

/// How often each arm is chosen before anything is known.
#[derive(Clone, Debug)]
pub(super) struct Shares {
    pub(super) sources: Vec<u32>,
    pub(super) themes: Vec<u32>,
    pub(super) settings: Vec<u32>,
    pub(super) contexts: Vec<u32>,
}

/// What was chosen, and what came of it.
#[derive(Debug)]
pub(super) struct Bandit {
    sources: Vec<Arm>,
    themes: Vec<Arm>,
    settings: Vec<Arm>,
    contexts: Vec<Arm>,
    pulls: BTreeMap<u64, Pull>,
    /// Reports that were not looked at yet, test by test.
    reports: BTreeMap<u64, Vec<Shown>>,
    known: HashSet<u64>,
    /// Formulas that showed something new inside of the solver; of more than there is room for, the latest.
    kept: Vec<Arc<str>>,
    /// How many were ever kept.
    ever_kept: usize,
    /// Rounds before this one are counted.
    counted: u64,
}

/// Whether a setting is about what a source makes of a theme.
pub(super) type Suits<'a> = &'a dyn Fn(usize, usize, usize) -> bool;

impl Bandit {
    /// Arms with these shares.
    pub(super) fn new(shares: Shares) -> Bandit {
        let arms = |list: Vec<u32>| list.into_iter().map(|share| Arm { share, pulls: 0, news: 0 }).collect();
        Bandit {
            sources: arms(shares.sources),
            themes: arms(shares.themes),
            settings: arms(shares.settings),
            contexts: arms(shares.contexts),
            pulls: BTreeMap::new(),
            reports: BTreeMap::new(),
            known: HashSet::new(),
            kept: Vec::new(),
            ever_kept: 0,
            counted: 0,
        }
    }

    /// The choice for a batch: made once, the same when the batch has another turn.
    pub(super) fn pull(&mut self, number: u64, rng: &mut Rng, suits: Suits<'_>) -> Pull {
        // The random source goes on in the same way whether the choice is made now or was made before.
        let mut own = Rng::new(rng.bits());
        if let Some(pull) = self.pulls.get(&number) {
            return pull.clone();
        }
        self.count_before(number / ROUND);
        let pull = self.choose(number, &mut own, suits);
        self.pulls.insert(number, pull.clone());
        pull
    }

    /// A choice by the shares as they are, which nobody remembers.
    pub(super) fn draw(&self, number: u64, rng: &mut Rng, suits: Suits<'_>) -> Pull {
        self.choose(number, &mut Rng::new(rng.bits()), suits)
    }

    fn choose(&self, number: u64, rng: &mut Rng, suits: Suits<'_>) -> Pull {
        let source = choose(&self.sources, rng.unit(), |_| true).unwrap_or(0);
        let theme = choose(&self.themes, rng.unit(), |_| true).unwrap_or(0);
        let set = !rng.one_in(DEFAULTS);
        let place = rng.unit();
        let setting =
            set.then(|| choose(&self.settings, place, |setting| suits(source, theme, setting))).flatten();
        let contexts = (0..MENU).filter_map(|_| choose(&self.contexts, rng.unit(), |_| true)).collect();
        let seed = rng.choose(&self.kept).filter(|_| rng.one_in(AGAIN));
        Pull { number, source, theme, setting, contexts, seed }
    }

    /// How many earlier batches chose a source.
    pub(super) fn nth(&self, source: usize, number: u64) -> u64 {
        self.pulls.range(..number).filter(|(_, pull)| pull.source == source).count() as u64
    }

    /// What a batch saw, test by test. Reports of a round that was counted come too late, and are left out.
    pub(super) fn report(&mut self, pull: &Pull, seen: Vec<Shown>) {
        if pull.number / ROUND >= self.counted {
            self.reports.entry(pull.number).or_default().extend(seen);
        }
    }

    /// Counts what all rounds but the last before this one saw, in the order of the batches.
    fn count_before(&mut self, round: u64) {
        let until = round.saturating_sub(1);
        if until <= self.counted {
            return;
        }
        self.counted = until;
        let later = self.reports.split_off(&(until * ROUND));
        for (number, seen) in std::mem::replace(&mut self.reports, later) {
            let mut all = 0;
            for shown in seen {
                let opens = shown.inner.iter().any(|key| !self.known.contains(key));
                let new = shown.keys.into_iter().filter(|key| self.known.insert(*key)).count();
                self.contexts[shown.context].count(new);
                all += new;
                if let Some(plain) = shown.plain.filter(|_| opens) {
                    self.keep(plain);
                }
            }
            let pull = &self.pulls[&number];
            self.sources[pull.source].count(all);
            self.themes[pull.theme].count(all);
            if let Some(setting) = pull.setting {
                self.settings[setting].count(all);
            }
        }
    }
}

impl Bandit {
    /// Keeps a formula, in the place of the oldest if there are too many.
    fn keep(&mut self, plain: Arc<str>) {
        match self.kept.get_mut(self.ever_kept % KEPT) {
            Some(oldest) => *oldest = plain,
            None => self.kept.push(plain),
        }
        self.ever_kept += 1;
    }
}

/// The arm at a place between 0 and 1, of those that fit; `None` if none does.
fn choose(arms: &[Arm], place: f64, fits: impl Fn(usize) -> bool) -> Option<usize> {
    let weight = |arm: &Arm| f64::from(arm.share) * f64::from(arm.news + 1) / f64::from(arm.pulls + 2);
    let fitting: Vec<(usize, f64)> = arms
        .iter()
        .enumerate()
        .filter(|(number, arm)| arm.share > 0 && fits(*number))
        .map(|(number, arm)| (number, weight(arm)))
        .collect();
    let mut left = place * fitting.iter().map(|(_, weight)| weight).sum::<f64>();
    for (number, weight) in &fitting {
        left -= weight;
        if left < 0.0 {
            return Some(*number);
        }
    }
    fitting.last().map(|(number, _)| *number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(each: usize) -> Shares {
        let list = vec![1; each];
        Shares { sources: list.clone(), themes: list.clone(), settings: list.clone(), contexts: list }
    }

    fn run(seed: u64, interesting: usize) -> Vec<usize> {
        let mut bandit = Bandit::new(Shares { sources: vec![1; 6], ..shares(1) });
        let mut chosen = Vec::new();
        for number in 0..2000 {
            let pull = bandit.pull(number, &mut Rng::numbered(seed, number), &|_, _, _| true);
            chosen.push(pull.source);
            let seen = if pull.source == interesting { number } else { 7 };
            bandit.report(&pull, vec![Shown { keys: BTreeSet::from([seen]), ..Shown::default() }]);
        }
        chosen
    }

    #[test]
    fn what_is_new_is_chosen_more_often_and_nothing_is_forgotten() {
        let chosen = run(1, 4);
        let count = |arm: usize| chosen.iter().filter(|&&c| c == arm).count();
        assert!(count(4) > 3 * count(0), "{} {}", count(4), count(0));
        assert!((0..6).all(|arm| chosen[1000..].contains(&arm)));
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(run(3, 2), run(3, 2));
        assert_ne!(run(3, 2), run(4, 2));
    }

    #[test]
    fn a_batch_that_comes_again_is_the_same() {
        let mut bandit = Bandit::new(shares(6));
        let pull = |bandit: &mut Bandit, number| {
            let mut rng = Rng::numbered(1, number);
            (bandit.pull(number, &mut rng, &|_, _, _| true), rng.bits())
        };
        let first = pull(&mut bandit, 3);
        for number in 4..100 {
            pull(&mut bandit, number);
        }
        assert_eq!(pull(&mut bandit, 3), first);
    }

    #[test]
    fn settings_suit_and_contexts_vary() {
        let mut bandit = Bandit::new(shares(6));
        let pulls: Vec<Pull> = (0..200)
            .map(|number| bandit.pull(number, &mut Rng::numbered(1, number), &|_, theme, set| set <= theme))
            .collect();
        assert!(pulls.iter().all(|pull| pull.setting.is_none_or(|setting| setting <= pull.theme)));
        assert!(pulls.iter().filter(|pull| pull.setting.is_some()).count() > 60);
        let pairs: BTreeSet<(usize, usize)> = pulls
            .iter()
            .flat_map(|pull| pull.contexts.iter().map(|&context| (pull.theme, context)))
            .collect();
        assert_eq!(pairs.len(), 36, "every theme meets every context");
    }

    /// A formula that shows something new inside of the solver becomes a seed; one that shows what was seen before does not, and
    /// neither does one whose answer alone is new.
    #[test]
    fn what_opens_something_is_kept() {
        let mut bandit = Bandit::new(shares(1));
        let mut seeds = BTreeSet::new();
        for number in 0..40 * ROUND {
            let pull = bandit.pull(number, &mut Rng::numbered(1, number), &|_, _, _| true);
            seeds.extend(pull.seed.clone());
            let shown = |key: u64, inner: &[u64], text: &str| Shown {
                keys: BTreeSet::from_iter(inner.iter().copied().chain([key])),
                inner: BTreeSet::from_iter(inner.iter().copied()),
                plain: Some(text.into()),
                context: 0,
            };
            bandit.report(
                &pull,
                vec![
                    shown(1_000, &[1 + number % 3], &format!("opens {}", number % 3)),
                    shown(1_000, &[1], "opens nothing"),
                    shown(2_000 + number, &[], "answers anew"),
                ],
            );
        }
        let seeds: Vec<&str> = seeds.iter().map(AsRef::as_ref).collect();
        assert_eq!(seeds, ["opens 0", "opens 1", "opens 2"]);
        for number in 0..2 * KEPT {
            bandit.keep(number.to_string().into());
        }
        assert_eq!(bandit.kept.len(), KEPT, "memory is bounded");
    }
}
