//! Membership in regular languages, over the positions of a bounded string: given the positions at which a match may begin, those at which
//! it may end. Complement and intersection are exact; they are done for each beginning apart.

use super::text::{Alphabet, Text, and, not, or};
use crate::bounded::num::Num;
use crate::engine::Reason;
use crate::tuning::strings_regex::{DEPTH, MOST_GATES};
use smt::{Op, SmtString, TermId, Terms, Value};

/// For each position whether it is reached; one position more than there are characters.
type Places = Vec<TermId>;

/// One membership under way.
struct Matching<'a> {
    terms: &'a mut Terms,
    alphabet: Alphabet,
    text: Text,
    chars: Vec<TermId>,
    gates: u64,
}

/// Whether a string is in a language.
pub(crate) fn matches(
    terms: &mut Terms,
    alphabet: Alphabet,
    text: Text,
    language: TermId,
) -> Result<TermId, Reason> {
    let chars = (0..text.cap).map(|at| alphabet.char_at(terms, text, at)).collect();
    let mut matching = Matching { terms, alphabet, text, chars, gates: 0 };
    let mut starts = vec![TermId::FALSE; text.cap as usize + 1];
    starts[0] = TermId::TRUE;
    let ends = matching.ends(language, &starts, DEPTH)?;
    let mut ways = Vec::new();
    for (at, end) in ends.into_iter().enumerate() {
        let place = Num::small(terms, at as i64);
        let last = text.len.eq(terms, place);
        ways.push(and(terms, &[end, last]));
    }
    Ok(or(terms, &ways))
}

/// The characters that a language of single characters has, if it is one.
fn class(terms: &Terms, language: TermId) -> Option<(u64, u64)> {
    let single = |term: TermId| match terms.as_value(term) {
        Some(Value::String(text)) if text.len() == 1 => text.get(0).map(u64::from),
        _ => None,
    };
    match terms.op(language) {
        Op::ReAllChar => Some((0, u64::from(smt::string::MAX_CHAR))),
        Op::StrToRe => single(terms.args(language)[0]).map(|c| (c, c)),
        Op::ReRange => {
            let &[low, high] = terms.args(language) else { return None };
            Some((single(low)?, single(high)?))
        }
        _ => None,
    }
}

impl Matching<'_> {
    fn none(&self) -> Places {
        vec![TermId::FALSE; self.text.cap as usize + 1]
    }

    fn spend(&mut self, gates: usize) -> Result<(), Reason> {
        self.gates += gates as u64;
        if self.gates > MOST_GATES { Err(Reason::Memory) } else { Ok(()) }
    }

    fn join(&mut self, a: &mut Places, b: &Places) {
        for (a, &b) in a.iter_mut().zip(b) {
            *a = or(self.terms, &[*a, b]);
        }
    }

    /// One character of a class, from each beginning.
    fn step(&mut self, starts: &Places, (low, high): (u64, u64)) -> Result<Places, Reason> {
        self.spend(starts.len())?;
        let mut ends = self.none();
        for at in 0..self.chars.len() {
            if starts[at] != TermId::FALSE {
                let c = self.chars[at];
                let fits = self.alphabet.in_range(self.terms, c, low, high);
                ends[at + 1] = and(self.terms, &[starts[at], fits]);
            }
        }
        Ok(ends)
    }

    fn literal(&mut self, starts: &Places, text: &SmtString) -> Result<Places, Reason> {
        let mut places = starts.clone();
        for c in text.iter() {
            places = self.step(&places, (u64::from(c), u64::from(c)))?;
        }
        Ok(places)
    }

    /// Where matches end. `depth` counts down.
    fn ends(&mut self, language: TermId, starts: &Places, depth: u32) -> Result<Places, Reason> {
        if depth == 0 {
            return Err(Reason::Unsupported);
        }
        self.spend(1)?;
        if starts.iter().all(|&s| s == TermId::FALSE) {
            return Ok(self.none());
        }
        let args: Vec<TermId> = self.terms.args(language).to_vec();
        if let Some(range) = class(self.terms, language) {
            return self.step(starts, range);
        }
        match self.terms.op(language) {
            Op::ReNone => Ok(self.none()),
            Op::ReAll => Ok(self.everything_after(starts)),
            Op::StrToRe => match self.terms.as_value(args[0]).cloned() {
                Some(Value::String(text)) => self.literal(starts, &text),
                _ => Err(Reason::Unsupported),
            },
            // A range between what are no single characters is empty.
            Op::ReRange if args.iter().all(|&a| self.terms.as_value(a).is_some()) => Ok(self.none()),
            Op::ReConcat => {
                let mut places = starts.clone();
                for part in args {
                    places = self.ends(part, &places, depth - 1)?;
                }
                Ok(places)
            }
            Op::ReUnion => {
                let mut places = self.none();
                for part in args {
                    let more = self.ends(part, starts, depth - 1)?;
                    self.join(&mut places, &more);
                }
                Ok(places)
            }
            Op::ReOpt => {
                let mut places = self.ends(args[0], starts, depth - 1)?;
                self.join(&mut places, starts);
                Ok(places)
            }
            Op::ReStar => self.star(args[0], starts, depth),
            Op::RePlus => {
                let once = self.ends(args[0], starts, depth - 1)?;
                self.star(args[0], &once, depth)
            }
            Op::RePower => {
                let [times, _] = self.terms.indices(language);
                self.repeat(args[0], starts, (times, times), depth)
            }
            Op::ReLoop => {
                let [low, high] = self.terms.indices(language);
                self.repeat(args[0], starts, (low, high), depth)
            }
            Op::ReComp | Op::ReInter | Op::ReDiff => self.apart(language, starts, depth),
            _ => Err(Reason::Unsupported),
        }
    }

    /// Every position from a beginning on.
    fn everything_after(&mut self, starts: &Places) -> Places {
        let mut reached = TermId::FALSE;
        let mut places = self.none();
        for (place, &start) in places.iter_mut().zip(starts) {
            reached = or(self.terms, &[reached, start]);
            *place = reached;
        }
        places
    }

    fn star(&mut self, body: TermId, starts: &Places, depth: u32) -> Result<Places, Reason> {
        let mut reached = starts.clone();
        // From left to right: when a position is looked at, all ways to it are known.
        for at in 0..self.chars.len() {
            if reached[at] == TermId::FALSE {
                continue;
            }
            let mut only = self.none();
            only[at] = reached[at];
            let ends = self.ends(body, &only, depth - 1)?;
            for later in at + 1..reached.len() {
                reached[later] = or(self.terms, &[reached[later], ends[later]]);
            }
        }
        Ok(reached)
    }

    fn repeat(
        &mut self,
        body: TermId,
        starts: &Places,
        (low, high): (u32, u32),
        depth: u32,
    ) -> Result<Places, Reason> {
        if low > high {
            return Ok(self.none());
        }
        let mut places = starts.clone();
        for _ in 0..low {
            self.spend(1)?;
            let next = self.ends(body, &places, depth - 1)?;
            if next == places {
                break;
            }
            places = next;
        }
        let mut all = places.clone();
        // Repetitions beyond the room of the string read nothing that fewer of them do not.
        for _ in 0..(high - low).min(self.text.cap + 1) {
            places = self.ends(body, &places, depth - 1)?;
            self.join(&mut all, &places);
        }
        Ok(all)
    }

    /// Operators for which it matters where each match began.
    fn apart(&mut self, language: TermId, starts: &Places, depth: u32) -> Result<Places, Reason> {
        let (op, args) = (self.terms.op(language), self.terms.args(language).to_vec());
        let mut all = self.none();
        for at in 0..starts.len() {
            if starts[at] == TermId::FALSE {
                continue;
            }
            let mut only = self.none();
            only[at] = TermId::TRUE;
            let parts: Vec<Places> =
                args.iter().map(|&part| self.ends(part, &only, depth - 1)).collect::<Result<_, _>>()?;
            self.spend(starts.len() * parts.len())?;
            for end in at..starts.len() {
                let mut conditions = vec![starts[at]];
                for (number, part) in parts.iter().enumerate() {
                    let excluded = op == Op::ReComp || op == Op::ReDiff && number > 0;
                    let inside = part[end];
                    conditions.push(if excluded { not(self.terms, inside) } else { inside });
                }
                let way = and(self.terms, &conditions);
                all[end] = or(self.terms, &[all[end], way]);
            }
        }
        Ok(all)
    }
}
