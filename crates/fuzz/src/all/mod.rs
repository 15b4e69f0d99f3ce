//! The strategy `all`: every strategy, in every context, with every setting, in shares. Each batch is one choice of a source, a theme
//! or seed and a setting, and each of its tests has a context; which to choose is learned by `bandit` from what the solver does that
//! it had not done before. Settings are chosen among those that are about what the theme is about.
//!
//! Deterministic by the run's seed: the choices of a round depend on what batches of earlier rounds saw, in the order of their
//! numbers. (Several workers may end a slow batch after its round was used; one worker never does.)

mod bandit;
mod framed;
mod logics;

use crate::approx::{Approx, ApproxSettings, Seed};
use crate::case::{Batch, Rejected, Strategy, TestCase, Verdict};
use crate::context::{CONTEXTS, Context};
use crate::enumerate::Enumerate;
use crate::fusion::Fused;
use crate::mutate::Mutate;
use crate::options::{Choice, Level, Setting};
use crate::solver::Solver;
use crate::truth::grow::themes::{THEMES, Theme};
use crate::truth::grow::{self, Grow};
use crate::truth::{Truth, TruthSettings};
use crate::tuning::all::{MUTANTS, PASSED, SEEDS, TAKEN};
use bandit::{Bandit, MENU, Pull, Shares};
use framed::{Frame, Framed};
use logics::Logics;
use random::Rng;
use smt::print::{Style, script_to_string};
use smt::{Dialect, Terms, Theory};
use std::cell::OnceCell;
use std::sync::Mutex;

/// Where the cases of a batch come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    Grow,
    Truth,
    Operators,
    Enumerate,
    Approx,
    Mutate,
    Fusion,
}

/// The sources by name, with their share before anything is known.
static SOURCES: &[(&str, Source, u32)] = &[
    ("grow", Source::Grow, 8),
    ("truth", Source::Truth, 2),
    ("operators", Source::Operators, 2),
    ("enumerate", Source::Enumerate, 3),
    ("approx", Source::Approx, 3),
    ("mutate", Source::Mutate, 4),
    ("fusion", Source::Fusion, 2),
];

/// A part of a batch.
struct Part<'a> {
    inner: Box<dyn Batch + 'a>,
    left: usize,
}

/// Some cases of a batch, after others that are passed over.
fn part<'a>(mut inner: Box<dyn Batch + 'a>, passed: usize, left: usize) -> Box<dyn Batch + 'a> {
    (0..passed).for_each(|_| drop(inner.next()));
    Box::new(Part { inner, left })
}

impl Batch for Part<'_> {
    fn terms(&self) -> &Terms {
        self.inner.terms()
    }

    fn terms_mut(&mut self) -> &mut Terms {
        self.inner.terms_mut()
    }

    fn next(&mut self) -> Option<TestCase> {
        self.left = self.left.checked_sub(1)?;
        self.inner.next()
    }

    fn settle(&mut self, verdicts: &[Verdict]) {
        self.inner.settle(verdicts);
    }

    fn write(&mut self, case: &TestCase, style: Style, out: &mut String) {
        self.inner.write(case, style, out);
    }
}

/// Another strategy in contexts and with options, a choice a batch.
#[derive(Debug)]
pub struct Framing<S> {
    inner: S,
    contexts: Vec<&'static Context>,
    choice: Choice,
}

impl<S: Strategy> Framing<S> {
    /// The strategy's cases in these contexts, or plainly if there are none, with options up to a level.
    pub fn new(inner: S, target: &Solver, contexts: Vec<&'static Context>, level: Level) -> Framing<S> {
        Framing { inner, contexts, choice: Choice::new(target, level) }
    }
}

impl<S: Strategy> Strategy for Framing<S> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn batches(&self) -> Option<u64> {
        self.inner.batches()
    }

    fn batch(&self, number: u64, mut rng: Rng) -> Result<Box<dyn Batch + '_>, Rejected> {
        let inner = self.inner.batch(number, Rng::new(rng.bits()))?;
        let setting = self.choice.pick(&mut rng);
        let setting = self.choice.usable(&setting).map_err(|error| Rejected(error.to_string()))?;
        let all = self.contexts.clone();
        let menu =
            if all.is_empty() { Vec::new() } else { (0..MENU).map(|_| rng.below(all.len())).collect() };
        Ok(Box::new(Framed::new(inner, Frame { menu, all, setting, rng, statistics: false }, None)))
    }
}

/// What a run of everything may use.
#[derive(Debug)]
pub struct AllSettings {
    /// The user's seeds; without any, formulas that were grown are seeds.
    pub seeds: Vec<Seed>,
    /// The contexts; all that suit the solver if there are none.
    pub contexts: Vec<&'static Context>,
    /// What formulas grow of; if there are none, all that the solver has. With some, nothing is tested but what grows.
    pub themes: Vec<&'static Theme>,
    /// Which options may be set.
    pub level: Level,
    /// Whether choices follow what earlier batches saw. Without it a batch depends on its number alone, so that many machines can
    /// share the batches of one run.
    pub learns: bool,
}

/// The strategy.
#[derive(Debug)]
pub struct All {
    seeds: Vec<Seed>,
    themes: Vec<&'static Theme>,
    contexts: Vec<&'static Context>,
    choice: Choice,
    settings: Vec<Setting>,
    /// For each theme, which settings are about something in its formulas.
    concerning: Vec<Vec<bool>>,
    family: &'static str,
    logics: Logics,
    truth: Truth,
    operators: Truth,
    enumerate: Enumerate,
    bandit: Mutex<Bandit>,
    learns: bool,
}

impl All {
    /// Everything against a solver.
    pub fn new(target: &Solver, settings: AllSettings) -> All {
        let family = target.family();
        let choice = Choice::new(target, settings.level);
        let expert = settings.level == Level::Experimental;
        let chosen = !settings.themes.is_empty();
        let themes: Vec<&'static Theme> = match chosen {
            false => {
                let reads = Reads::default();
                THEMES.iter().filter(|theme| has_theme(target, theme, expert, &reads)).collect()
            }
            true => settings.themes,
        };
        let contexts: Vec<&'static Context> = match settings.contexts.is_empty() {
            true => CONTEXTS.iter().filter(|context| context.suits(family)).collect(),
            false => settings.contexts,
        };
        let strings = Theme::by_name("strings").is_some_and(|theme| theme.suits(family));
        let mut beyond = vec![Theory::BitVec];
        beyond.extend(
            strings.then_some([Theory::Strings, Theory::Arith, Theory::Arrays]).into_iter().flatten(),
        );
        beyond.extend((family != "oxiz").then_some(Theory::Float));
        let truth = Truth::new(TruthSettings { in_order: false, ..TruthSettings::default() });
        let operators = Truth::new(TruthSettings { beyond, depth: 3, ..TruthSettings::default() });
        let options: Vec<Setting> = choice.singles();
        let sources: Vec<u32> = SOURCES
            .iter()
            .map(|(_, source, share)| match source {
                Source::Truth if !strings => 0,
                Source::Truth | Source::Operators | Source::Enumerate if chosen => 0,
                _ => *share,
            })
            .collect();
        let shares = Shares {
            sources,
            themes: vec![2; themes.len()],
            settings: choice.shares(),
            contexts: contexts.iter().map(|context| if context.name == "plain" { 6 } else { 2 }).collect(),
        };
        let concerning = themes.iter().map(|theme| choice.concerning(&theme.areas())).collect();
        All {
            seeds: settings.seeds,
            themes,
            contexts,
            choice,
            settings: options,
            concerning,
            family,
            logics: Logics::new(target),
            truth,
            operators,
            enumerate: Enumerate::new(family),
            bandit: Mutex::new(Bandit::new(shares)),
            learns: settings.learns,
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Bandit> {
        self.bandit.lock().expect("the lock is never poisoned")
    }

    /// A seed: one of the user's, or a formula that grows now.
    fn seed(&self, theme: &'static Theme, rng: &mut Rng) -> Option<Seed> {
        for _ in 0..SEEDS {
            if let Some(seed) = rng.choose(&self.seeds).filter(|seed| self.logics.take(seed)) {
                return Some(seed);
            }
        }
        let mut terms = Terms::new();
        let grown = (0..50).find_map(|_| grow::formula(&mut terms, theme, rng))?;
        let script = grown.script(&mut terms, Some("ALL"));
        Some(Seed::Text(grown.name, script_to_string(&terms, &script, Style::default())))
    }

    /// The seed of a batch: a formula that showed something new, if the bandit chose one.
    fn seed_of(&self, pull: &Pull, theme: &'static Theme, rng: &mut Rng) -> Option<Seed> {
        match &pull.seed {
            Some(text) => Some(Seed::Text("kept".into(), text.to_string())),
            None => self.seed(theme, rng),
        }
    }

    /// Whether a setting is about what a source makes of a theme. What seeds are about is not known before they are read.
    fn suits(&self, source: usize, theme: usize, setting: usize) -> bool {
        let of_theme = match SOURCES[source].1 {
            Source::Grow => true,
            Source::Approx | Source::Mutate | Source::Fusion => self.seeds.is_empty(),
            Source::Truth | Source::Operators | Source::Enumerate => false,
        };
        !of_theme || self.concerning[theme][setting]
    }

    /// The setting of a batch, as far as the solver takes it.
    fn setting(&self, pull: &Pull, rng: &mut Rng) -> Result<Setting, Rejected> {
        let Some(at) = pull.setting else { return Ok(Setting::default()) };
        let mut setting = self.settings[at].clone();
        // Now and then a second option.
        if rng.one_in(4) {
            setting.0.extend(self.choice.pick(rng).0);
            setting.0.sort_unstable();
            setting.0.dedup_by_key(|(name, _)| *name);
        }
        self.choice.usable(&setting).map_err(|error| Rejected(error.to_string()))
    }

    fn inner(&self, pull: &Pull, number: u64, mut rng: Rng) -> Result<Box<dyn Batch + '_>, Rejected> {
        let theme = self.themes[pull.theme];
        let none = || Rejected("nothing grew".into());
        match SOURCES[pull.source].1 {
            Source::Grow => Ok(Grow::some(theme, TAKEN, rng)),
            Source::Truth => {
                let number = rng.bits() % self.truth.planned().max(1);
                Ok(part(self.truth.batch(number, Rng::new(rng.bits()))?, rng.below(PASSED), TAKEN))
            }
            Source::Operators => {
                let batch = self.operators.batch(self.operators.planned() + number, Rng::new(rng.bits()))?;
                Ok(part(batch, 0, TAKEN))
            }
            Source::Enumerate => {
                let nth = if self.learns { self.lock().nth(pull.source, number) } else { rng.bits() };
                self.enumerate.batch(nth % self.enumerate.batches().unwrap_or(1).max(1), rng)
            }
            Source::Approx => {
                let seed = self.seed_of(pull, theme, &mut rng).ok_or_else(none)?;
                let options = ApproxSettings { mutants: MUTANTS, ..ApproxSettings::default() };
                Approx::of_seed(&seed, options, rng)
            }
            Source::Mutate => {
                let seed = self.seed_of(pull, theme, &mut rng).ok_or_else(none)?;
                Mutate::of_seed(&seed, MUTANTS, rng)
            }
            Source::Fusion => {
                let pair = [
                    self.seed_of(pull, theme, &mut rng).ok_or_else(none)?,
                    self.seed(theme, &mut rng).ok_or_else(none)?,
                ];
                Fused::of_pair([&pair[0], &pair[1]], MUTANTS, rng)
            }
        }
    }
}

impl Strategy for All {
    fn name(&self) -> &'static str {
        "all"
    }

    fn batches(&self) -> Option<u64> {
        None
    }

    fn batch(&self, number: u64, mut rng: Rng) -> Result<Box<dyn Batch + '_>, Rejected> {
        let suits = |source: usize, theme: usize, setting: usize| self.suits(source, theme, setting);
        let pull = match self.learns {
            true => self.lock().pull(number, &mut rng, &suits),
            false => self.lock().draw(number, &mut rng, &suits),
        };
        let setting = self.setting(&pull, &mut rng)?;
        let inner = self.inner(&pull, number, Rng::new(rng.bits()))?;
        let (menu, all) = (pull.contexts.clone(), self.contexts.clone());
        let frame = Frame { menu, all, setting, rng, statistics: self.family == "z3" };
        let report = self.learns.then_some((&self.bandit, pull));
        Ok(Box::new(Framed::new(inner, frame, report)))
    }
}

/// What a solver reads in some releases or builds only, as far as it was asked.
#[derive(Default)]
struct Reads {
    fields: OnceCell<bool>,
    odd_formats: OnceCell<bool>,
}

/// Whether a solver has what a theme's formulas are made of.
fn has_theme(target: &Solver, theme: &Theme, expert: bool, reads: &Reads) -> bool {
    let family = target.family();
    // Z3 has finite sets in some releases only, and says so when it is asked for its dialect.
    let sets = theme.theories.contains(&Theory::Sets) && family == "z3";
    let asked = |known: &OnceCell<bool>, script| *known.get_or_init(|| logics::answers(target, script));
    theme.suits(family)
        && (expert || theme.is_safe(family))
        && (!sets || target.dialect == Dialect::V26FiniteSets)
        && (!theme.theories.contains(&Theory::Fields) || asked(&reads.fields, FIELD))
        && (!theme.has_odd_formats() || asked(&reads.odd_formats, ODD_FORMAT))
}

/// A query about a field: 2 is a square root of -1.
const FIELD: &str = "(set-logic ALL)\n(declare-fun x () (_ FiniteField 5))\n\
    (assert (= (ff.mul x x) (as ff4 (_ FiniteField 5))))\n(check-sat)\n";
/// A query about a float of another format than the usual ones.
const ODD_FORMAT: &str =
    "(set-logic QF_FP)\n(declare-fun x () (_ FloatingPoint 2 3))\n(assert (fp.isZero x))\n(check-sat)\n";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Store;

    /// Z3 has floats of every format, and had no finite fields when the one that `scripts/check` installs was made.
    #[test]
    fn a_solver_is_asked_what_it_reads() {
        let z3 = Solver::resolve("z3", &Store::open()).expect("scripts/check installs it");
        let has = |name: &str| {
            let theme = Theme::by_name(name).expect("a theme");
            has_theme(&z3, theme, false, &Reads::default())
        };
        assert!(has("float") && has("float-usual") && has("bool-quantified"));
        assert!(!has("bags") && !has("strings-cvc5"));
        assert!(!Theme::by_name("float-usual").expect("a theme").has_odd_formats());
        let known = Reads { fields: OnceCell::from(true), odd_formats: OnceCell::from(false) };
        let themes = ["fields", "float"].map(|name| Theme::by_name(name).expect("a theme"));
        assert_eq!(themes.map(|theme| has_theme(&z3, theme, false, &known)), [true, false]);
    }
}
