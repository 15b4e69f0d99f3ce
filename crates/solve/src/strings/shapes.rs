//! What the ends of strings and their letters say, beside the lengths: the first and the last few characters of every string as integers, and how
//! often each letter of the query's constants occurs in it. All of it holds in every model, so a conflict is one of the query.
//!
//! This refutes equations that begin or end differently (`"a" ++ x = "b" ++ y`) and equations in which letters do not add up (`"a" ++ x = x ++ "b"`),
//! for strings of any length. It knows nothing of what is in between.

use super::lengths::Lengths;
use crate::tuning::strings_shapes::{MAX_LETTERS, MAX_TEXTS, WINDOW};
use rustc_hash::FxHashMap;
use smt::{IBig, Op, SmtString, SortId, TermId, Terms, Value, walk};

/// What is known of a string.
#[derive(Clone)]
struct Shape {
    length: TermId,
    /// The first characters, and -1 beyond the end.
    front: Vec<TermId>,
    /// The last ones, from the end.
    back: Vec<TermId>,
    /// How often each letter occurs.
    counts: Vec<TermId>,
}

struct Shapes<'a> {
    terms: &'a mut Terms,
    letters: Vec<u32>,
    facts: Vec<TermId>,
    done: FxHashMap<TermId, Shape>,
}

/// Facts about the strings of a query, over the unknowns of its lengths; nothing if there are too many strings.
pub(crate) fn facts(terms: &mut Terms, assertions: &[TermId], lengths: &Lengths) -> Vec<TermId> {
    let reachable = walk::reachable(terms, assertions);
    let texts = reachable.iter().filter(|&&t| terms.sort(t) == SortId::STRING).count();
    if texts > MAX_TEXTS {
        return Vec::new();
    }
    let mut letters: Vec<u32> = Vec::new();
    for &term in &reachable {
        if let Some(Value::String(text)) = terms.as_value(term) {
            letters.extend(text.iter().take(4 * MAX_LETTERS));
        }
    }
    letters.sort_unstable();
    letters.dedup();
    letters.truncate(MAX_LETTERS);
    let mut shapes = Shapes { terms, letters, facts: Vec::new(), done: FxHashMap::default() };
    for term in reachable {
        shapes.visit(term, lengths);
    }
    shapes.facts
}

impl Shapes<'_> {
    fn visit(&mut self, term: TermId, lengths: &Lengths) {
        let args = self.terms.args(term).to_vec();
        let own = lengths.length(term);
        if self.terms.sort(term) == SortId::STRING {
            if let Some(length) = own {
                let shape = self.shape(term, &args, length, lengths);
                self.done.insert(term, shape);
            }
            return;
        }
        let shapes: Vec<Shape> = args.iter().filter_map(|a| self.done.get(a).cloned()).collect();
        let (Some(own), [first, second @ ..]) = (own, shapes.as_slice()) else { return };
        match (self.terms.op(term), second) {
            (Op::Eq, _) if shapes.len() == args.len() => {
                for pair in shapes.windows(2) {
                    self.equal(own, &pair[0], &pair[1]);
                }
            }
            (Op::StrPrefixOf, [whole]) => {
                self.begins(own, &first.front, first.length, &whole.front);
                self.fewer(own, first, whole);
            }
            (Op::StrSuffixOf, [whole]) => {
                self.begins(own, &first.back, first.length, &whole.back);
                self.fewer(own, first, whole);
            }
            (Op::StrContains, [part]) => self.fewer(own, part, first),
            (Op::StrLt | Op::StrLe, [second]) => {
                let order = self.terms.mk(Op::Le, &[first.front[0], second.front[0]]);
                self.implies(own, order);
            }
            (Op::StrToCode, []) => {
                let (one, minus) = (self.terms.int(1), self.terms.int(-1));
                let single = self.terms.mk(Op::Eq, &[first.length, one]);
                let code = self.terms.mk(Op::Ite, &[single, first.front[0], minus]);
                let fact = self.terms.mk(Op::Eq, &[own, code]);
                self.facts.push(fact);
            }
            (Op::StrIsDigit, []) => {
                let (low, high) = (self.terms.int(48), self.terms.int(57));
                let digit = self.terms.mk(Op::Le, &[low, first.front[0], high]);
                self.implies(own, digit);
            }
            _ => {}
        }
    }

    fn implies(&mut self, premise: TermId, conclusion: TermId) {
        let fact = self.terms.mk(Op::Implies, &[premise, conclusion]);
        self.facts.push(fact);
    }

    fn equal(&mut self, truth: TermId, a: &Shape, b: &Shape) {
        let pairs = [(&a.front, &b.front), (&a.back, &b.back), (&a.counts, &b.counts)];
        for (x, y) in pairs.into_iter().flat_map(|(x, y)| x.iter().zip(y)) {
            let same = self.terms.mk(Op::Eq, &[*x, *y]);
            self.implies(truth, same);
        }
    }

    /// One string begins with another one, or ends with it.
    fn begins(&mut self, truth: TermId, part: &[TermId], length: TermId, whole: &[TermId]) {
        for (k, (x, y)) in part.iter().zip(whole).enumerate() {
            let k = self.terms.int(IBig::from(k));
            let reaches = self.terms.mk(Op::Gt, &[length, k]);
            let same = self.terms.mk(Op::Eq, &[*x, *y]);
            let both = self.terms.mk(Op::And, &[truth, reaches]);
            self.implies(both, same);
        }
    }

    fn fewer(&mut self, truth: TermId, part: &Shape, whole: &Shape) {
        for (x, y) in part.counts.iter().zip(&whole.counts) {
            let fewer = self.terms.mk(Op::Le, &[*x, *y]);
            self.implies(truth, fewer);
        }
    }

    fn shape(&mut self, term: TermId, args: &[TermId], length: TermId, lengths: &Lengths) -> Shape {
        let shapes: Vec<Shape> = args.iter().filter_map(|a| self.done.get(a).cloned()).collect();
        match self.terms.op(term) {
            Op::Const => match self.terms.as_value(term) {
                Some(Value::String(text)) => {
                    let text = text.clone();
                    self.constant(&text, length)
                }
                _ => self.unknown(length),
            },
            Op::StrConcat if !shapes.is_empty() && shapes.len() == args.len() => {
                let mut whole = shapes[0].clone();
                for next in &shapes[1..] {
                    whole = self.joined(&whole, next);
                }
                whole
            }
            Op::Ite if shapes.len() == 2 => match lengths.length(args[0]) {
                Some(condition) => self.chosen(condition, &shapes[0], &shapes[1], length),
                None => self.unknown(length),
            },
            Op::StrRev if shapes.len() == 1 => {
                let Shape { front, back, counts, .. } = shapes[0].clone();
                Shape { length, front: back, back: front, counts }
            }
            Op::StrAt | Op::StrSubstr if !shapes.is_empty() => {
                let part = self.unknown(length);
                for (x, y) in part.counts.clone().into_iter().zip(shapes[0].counts.clone()) {
                    let fewer = self.terms.mk(Op::Le, &[x, y]);
                    self.facts.push(fewer);
                }
                if let Some(Value::Int(at)) = self.terms.as_value(args[1])
                    && let Some(&from) = usize::try_from(at).ok().and_then(|at| shapes[0].front.get(at))
                {
                    let zero = self.terms.int(0);
                    let some = self.terms.mk(Op::Gt, &[length, zero]);
                    let same = self.terms.mk(Op::Eq, &[part.front[0], from]);
                    self.implies(some, same);
                }
                part
            }
            _ => self.unknown(length),
        }
    }

    fn constant(&mut self, text: &SmtString, length: TermId) -> Shape {
        let all: Vec<u32> = text.iter().collect();
        let mut at = |place: Option<usize>| {
            let code = place.and_then(|place| all.get(place)).map_or(IBig::from(-1), |&c| IBig::from(c));
            self.terms.int(code)
        };
        let front = (0..WINDOW).map(|k| at(Some(k))).collect();
        let back = (0..WINDOW).map(|k| at(all.len().checked_sub(k + 1))).collect();
        let letters = self.letters.clone();
        let count = |letter: &u32| all.iter().filter(|c| *c == letter).count();
        let counts = letters.iter().map(|letter| self.terms.int(IBig::from(count(letter)))).collect();
        Shape { length, front, back, counts }
    }

    /// A string of which only the length is known.
    fn unknown(&mut self, length: TermId) -> Shape {
        let (minus, zero) = (self.terms.int(-1), self.terms.int(0));
        let most = self.terms.int(IBig::from(smt::string::MAX_CHAR));
        let mut ends = [Vec::new(), Vec::new()];
        for end in &mut ends {
            for k in 0..WINDOW {
                let code = self.number("character!");
                let range = self.terms.mk(Op::Le, &[minus, code, most]);
                let k = self.terms.int(IBig::from(k));
                let (beyond, none) =
                    (self.terms.mk(Op::Le, &[length, k]), self.terms.mk(Op::Eq, &[code, minus]));
                let fact = self.terms.mk(Op::Eq, &[beyond, none]);
                self.facts.extend([range, fact]);
                end.push(code);
            }
        }
        let counts: Vec<TermId> = (0..self.letters.len()).map(|_| self.number("letters!")).collect();
        for &count in &counts {
            let fact = self.terms.mk(Op::Ge, &[count, zero]);
            self.facts.push(fact);
        }
        if !counts.is_empty() {
            let sum = if let [only] = *counts { only } else { self.terms.mk(Op::Add, &counts) };
            let fact = self.terms.mk(Op::Le, &[sum, length]);
            self.facts.push(fact);
        }
        let [front, back] = ends;
        Shape { length, front, back, counts }
    }

    fn number(&mut self, prefix: &str) -> TermId {
        let name = self.terms.fresh_symbol(prefix);
        let fun = self.terms.declare(name, &[], SortId::INT);
        self.terms.apply(fun, &[]).expect("a constant takes no arguments")
    }

    fn chosen(&mut self, condition: TermId, a: &Shape, b: &Shape, length: TermId) -> Shape {
        let mut choose = |x: &[TermId], y: &[TermId]| {
            x.iter().zip(y).map(|(x, y)| self.terms.mk(Op::Ite, &[condition, *x, *y])).collect()
        };
        let (front, back) = (choose(&a.front, &b.front), choose(&a.back, &b.back));
        Shape { length, front, back, counts: choose(&a.counts, &b.counts) }
    }

    fn joined(&mut self, a: &Shape, b: &Shape) -> Shape {
        let length = self.terms.mk(Op::Add, &[a.length, b.length]);
        let front = self.followed(a.length, &a.front, &b.front);
        let back = self.followed(b.length, &b.back, &a.back);
        let counts = a.counts.iter().zip(&b.counts).map(|(x, y)| self.terms.mk(Op::Add, &[*x, *y])).collect();
        Shape { length, front, back, counts }
    }

    /// The first characters of a string of some length that is followed by another one.
    fn followed(&mut self, length: TermId, first: &[TermId], second: &[TermId]) -> Vec<TermId> {
        let mut ends = Vec::with_capacity(WINDOW);
        for k in 0..WINDOW {
            let mut code = first[k];
            for j in 0..=k {
                let j_term = self.terms.int(IBig::from(j));
                let exactly = self.terms.mk(Op::Eq, &[length, j_term]);
                code = self.terms.mk(Op::Ite, &[exactly, second[k - j], code]);
            }
            ends.push(code);
        }
        ends
    }
}
