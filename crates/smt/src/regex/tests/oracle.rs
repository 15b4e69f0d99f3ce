//! Languages as sets: the semantics of the standard on all strings up to a length, by enumeration.
//!
//! Cutting every language off at the same length is exact for the strings kept, since no operator makes a string's
//! membership depend on a longer one.

use crate::regex::arena::INFINITE;
use crate::regex::{RegexId, Regexes};
use crate::string::SmtString;

/// Two letters, a character of one byte outside of ASCII, and the largest character.
pub(super) const ALPHABET: [u32; 4] = [0x61, 0x62, 0xE9, 0x2FFFF];

const LONGEST: u32 = 4;

/// A small generator of pseudo-random numbers (xorshift64*).
pub(super) struct Rng(pub(super) u64);

impl Rng {
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }
}

/// A regular expression as written.
#[derive(Debug)]
pub(super) enum Re {
    All,
    Literal(Vec<u32>),
    Chars(u32, u32),
    Concat(Vec<Re>),
    Union(Vec<Re>),
    Inter(Vec<Re>),
    Comp(Box<Re>),
    Diff(Box<Re>, Box<Re>),
    Repeat(Box<Re>, u64, u64),
}

impl Re {
    /// An expression of about `size` operators.
    pub(super) fn random(rng: &mut Rng, size: usize) -> Re {
        let letter = |rng: &mut Rng| ALPHABET[rng.below(ALPHABET.len())];
        if size <= 1 {
            return match rng.below(8) {
                0 => Re::All,
                1 => Re::Chars(0, 0x2FFFF),
                2 => Re::Chars(letter(rng), letter(rng)),
                _ => Re::Literal((0..rng.below(3)).map(|_| letter(rng)).collect()),
            };
        }
        let below = size - 1;
        let several = |rng: &mut Rng| {
            let n = 2 + rng.below(2);
            (0..n).map(|_| Re::random(rng, below / n)).collect()
        };
        match rng.below(12) {
            0..3 => Re::Concat(several(rng)),
            3..5 => Re::Union(several(rng)),
            5 => Re::Inter(several(rng)),
            6 => Re::Comp(Box::new(Re::random(rng, below))),
            7 => Re::Diff(Box::new(Re::random(rng, below / 2)), Box::new(Re::random(rng, below / 2))),
            _ => {
                let lo = rng.below(4) as u64;
                let hi = if rng.below(2) == 0 { INFINITE } else { rng.below(6) as u64 };
                Re::Repeat(Box::new(Re::random(rng, below)), lo, hi)
            }
        }
    }

    pub(super) fn build(&self, regexes: &mut Regexes) -> RegexId {
        let mut list = |parts: &[Re]| parts.iter().map(|part| part.build(regexes)).collect::<Vec<_>>();
        match self {
            Re::All => regexes.all(),
            Re::Literal(chars) => regexes.literal(&string(chars)),
            Re::Chars(lo, hi) => regexes.range(&string(&[*lo]), &string(&[*hi])),
            Re::Concat(parts) => {
                let parts = list(parts);
                regexes.concat(&parts)
            }
            Re::Union(parts) => {
                let parts = list(parts);
                regexes.union(&parts)
            }
            Re::Inter(parts) => {
                let parts = list(parts);
                regexes.inter(&parts)
            }
            Re::Comp(body) => {
                let body = body.build(regexes);
                regexes.comp(body)
            }
            Re::Diff(left, right) => {
                let (left, right) = (left.build(regexes), right.build(regexes));
                regexes.diff(left, right)
            }
            Re::Repeat(body, lo, hi) => {
                let body = body.build(regexes);
                regexes.repeat(body, *lo, *hi)
            }
        }
    }
}

fn string(chars: &[u32]) -> SmtString {
    SmtString::from_code_points(chars.iter().copied()).expect("legal characters")
}

/// All strings over the alphabet up to the longest length, in one fixed order.
fn universe() -> &'static [SmtString] {
    static UNIVERSE: std::sync::OnceLock<Vec<SmtString>> = std::sync::OnceLock::new();
    UNIVERSE.get_or_init(|| {
        let mut all = vec![Vec::new()];
        let mut last = all.clone();
        for _ in 0..LONGEST {
            last = last.iter().flat_map(|s| ALPHABET.map(|c| [s.as_slice(), &[c]].concat())).collect();
            all.extend(last.iter().cloned());
        }
        all.iter().map(|chars| string(chars)).collect()
    })
}

/// The place of a string in the universe.
fn place(s: &SmtString) -> usize {
    let digit = |c: u32| ALPHABET.iter().position(|&letter| letter == c).expect("a letter");
    let shorter: usize = (0..s.len() as u32).map(|len| ALPHABET.len().pow(len)).sum();
    shorter + s.iter().fold(0, |value, c| value * ALPHABET.len() + digit(c))
}

/// A language: which strings of the universe it has.
#[derive(Clone, PartialEq)]
pub(super) struct Language(Vec<bool>);

impl Language {
    pub(super) fn of(re: &Re) -> Language {
        match re {
            Re::All => Language::filter(|_| true),
            Re::Literal(chars) => Language::filter(|s| *s == string(chars)),
            Re::Chars(lo, hi) => Language::filter(|s| s.len() == 1 && s.iter().all(|c| *lo <= c && c <= *hi)),
            Re::Concat(parts) => {
                parts.iter().map(Language::of).reduce(|a, b| a.then(&b)).expect("several parts")
            }
            Re::Union(parts) => {
                let parts: Vec<_> = parts.iter().map(Language::of).collect();
                Language::filter(|s| parts.iter().any(|part| part.contains(s)))
            }
            Re::Inter(parts) => {
                let parts: Vec<_> = parts.iter().map(Language::of).collect();
                Language::filter(|s| parts.iter().all(|part| part.contains(s)))
            }
            Re::Comp(body) => {
                let body = Language::of(body);
                Language::filter(|s| !body.contains(s))
            }
            Re::Diff(left, right) => {
                let (left, right) = (Language::of(left), Language::of(right));
                Language::filter(|s| left.contains(s) && !right.contains(s))
            }
            Re::Repeat(body, lo, hi) => {
                let body = Language::of(body);
                let mut power = Language::filter(SmtString::is_empty);
                let mut sum = Language::filter(|_| false);
                // A string of the universe needs no more rounds than this beyond `lo`.
                for round in 0..=(*hi).min(lo + u64::from(LONGEST)) {
                    if round >= *lo {
                        sum = Language(sum.0.iter().zip(&power.0).map(|(a, b)| a | b).collect());
                    }
                    power = power.then(&body);
                }
                sum
            }
        }
    }

    fn filter(member: impl Fn(&SmtString) -> bool) -> Language {
        Language(universe().iter().map(member).collect())
    }

    fn then(&self, next: &Language) -> Language {
        Language::filter(|s| {
            (0..=s.len()).any(|at| self.contains(&s.slice(0, at)) && next.contains(&s.slice(at, s.len())))
        })
    }

    pub(super) fn contains(&self, s: &SmtString) -> bool {
        self.0[place(s)]
    }

    /// All strings of the universe and whether they belong.
    pub(super) fn members(&self) -> impl Iterator<Item = (&'static SmtString, bool)> + '_ {
        universe().iter().zip(self.0.iter().copied())
    }

    pub(super) fn random_string(&self, rng: &mut Rng) -> SmtString {
        universe()[rng.below(self.0.len())].clone()
    }

    /// The matches in a string from a position on, leftmost first and then shortest first.
    pub(super) fn matches<'a>(
        &'a self,
        s: &'a SmtString,
        from: usize,
        empty: bool,
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        (from..=s.len())
            .flat_map(move |start| (start + usize::from(!empty)..=s.len()).map(move |end| (start, end)))
            .filter(move |&(start, end)| self.contains(&s.slice(start, end)))
    }

    /// The non-empty matches that a scan from the left meets.
    pub(super) fn scan(&self, s: &SmtString) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(span) = self.matches(s, from, false).next() {
            found.push(span);
            from = span.1;
        }
        found
    }
}
