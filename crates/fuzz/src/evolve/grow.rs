//! Growing terms: random, typed, depth-bounded, by the weights of a grammar. Owns literals and leaves; whole individuals
//! are made by [`super::generate`]. The depth bound is small, so that growing may recurse on it.

use super::grammar::{ArgumentShape, Grammar, Instance};
use super::individual;
pub(crate) use crate::tuning::evolve_grow::MAX_DEPTH;
use random::Rng;
use smt::{BitVec, Float, Format, Op, RoundingMode, SmtString, Sort, SortId, TermId, Terms, UBig, Value};
use std::collections::BTreeMap;

/// Grows terms of a grammar.
pub struct Grower<'a> {
    /// Where the terms live.
    pub terms: &'a mut Terms,
    /// Where the choices come from.
    pub rng: &'a mut Rng,
    grammar: &'a Grammar,
    instances: BTreeMap<SortId, Vec<Instance>>,
    /// How many variables of a sort there may be.
    variables: usize,
}

impl<'a> Grower<'a> {
    /// Grows with at most this many variables of each sort.
    pub fn new(terms: &'a mut Terms, rng: &'a mut Rng, grammar: &'a Grammar, variables: usize) -> Grower<'a> {
        Grower { terms, rng, grammar, instances: BTreeMap::new(), variables: variables.max(1) }
    }

    /// The grammar that terms are grown by.
    pub(crate) fn grammar(&self) -> &'a Grammar {
        self.grammar
    }

    /// A predicate: an application, never a mere variable or literal.
    pub(crate) fn assertion(&mut self, depth: u32) -> TermId {
        self.application(SortId::BOOL, depth.clamp(1, MAX_DEPTH))
    }

    /// A term of a sort, at most this deep.
    pub(crate) fn term(&mut self, sort: SortId, depth: u32) -> TermId {
        let depth = depth.min(MAX_DEPTH);
        if sort == SortId::REG_LAN || (depth > 0 && !self.rng.one_in(3)) {
            return self.application(sort, depth);
        }
        self.leaf(sort)
    }

    /// A variable, or now and then a literal.
    pub(crate) fn leaf(&mut self, sort: SortId) -> TermId {
        let has_variables = self.grammar.sorts.contains(&sort);
        if has_variables && !self.rng.one_in(3) { self.variable(sort) } else { self.literal(sort) }
    }

    /// One of the variables of a sort; low numbers are more likely, so that assertions share them.
    pub(crate) fn variable(&mut self, sort: SortId) -> TermId {
        let most = self.rng.below(self.variables) + 1;
        let number = self.rng.below(most);
        individual::variable(self.terms, sort, number)
    }

    /// A literal of a sort.
    pub(crate) fn literal(&mut self, sort: SortId) -> TermId {
        let value = match *self.terms.sort_of(sort) {
            Sort::Int => Value::Int(integer(self.rng).into()),
            Sort::Real => Value::Real(smt::RBig::from(smt::IBig::from(integer(self.rng)))),
            Sort::String => Value::String(string(self.rng, 12)),
            Sort::BitVec(width) => Value::BitVec(bits(self.rng, width)),
            Sort::Float(eb, sb) => Value::Float(float(self.rng, Format { eb, sb })),
            Sort::RoundingMode => Value::Rm(self.rng.pick(&RoundingMode::ALL)),
            _ => Value::Bool(self.rng.one_in(2)),
        };
        self.terms.constant(value)
    }

    fn application(&mut self, sort: SortId, depth: u32) -> TermId {
        if !self.instances.contains_key(&sort) {
            let instances = self.grammar.instances(self.terms, sort);
            self.instances.insert(sort, instances);
        }
        // Regular expressions have no variables: at the bound only what needs no further one is left.
        let bounded = depth == 0;
        let fits = |i: &&Instance| !bounded || !i.args.contains(&SortId::REG_LAN);
        let total: u32 = self.instances[&sort].iter().filter(fits).map(|i| i.weight).sum();
        if total == 0 {
            return self.leaf(sort);
        }
        let mut left = self.rng.below(total as usize) as u32;
        let chosen = self.instances[&sort].iter().filter(fits).find(|i| {
            let taken = left < i.weight;
            left = left.saturating_sub(i.weight);
            taken
        });
        let Some(instance) = chosen.cloned() else { return self.leaf(sort) };
        self.apply(instance, depth.saturating_sub(1))
    }

    fn apply(&mut self, instance: Instance, depth: u32) -> TermId {
        let Instance { op, indices, mut args, shape, variadic, .. } = instance;
        if variadic && shape == ArgumentShape::Plain && self.rng.one_in(4) {
            args.extend(args.last().copied());
        }
        let last = args.len().saturating_sub(1);
        let built: Vec<TermId> = args
            .iter()
            .enumerate()
            .map(|(at, &sort)| match shape {
                ArgumentShape::Literals => self.literal(sort),
                ArgumentShape::Characters => self.character(),
                ArgumentShape::LiteralLast if at == last => {
                    let magnitude = 2 + self.rng.below(9) as i64;
                    self.terms.int(if self.rng.one_in(4) { -magnitude } else { magnitude })
                }
                ArgumentShape::LiteralLast | ArgumentShape::Plain => self.term(sort, depth),
            })
            .collect();
        let built = if op == Op::ReRange { self.in_order(built) } else { built };
        self.terms.mk_indexed(op, indices, &built)
    }

    fn character(&mut self) -> TermId {
        let code = character(self.rng);
        self.terms.constant(Value::String(SmtString::from_latin1(&[code])))
    }

    /// The bounds of a range, the lower one first: an empty range is seldom worth a test.
    fn in_order(&self, mut bounds: Vec<TermId>) -> Vec<TermId> {
        bounds.sort_by(|a, b| self.terms.as_value(*a).cmp(&self.terms.as_value(*b)));
        bounds
    }
}

/// A character that every dialect writes as itself: half of the time one of a few, so that literals overlap.
pub(crate) fn character(rng: &mut Rng) -> u8 {
    const OFTEN: &[u8] = b"ab01";
    const ALL: &[u8] =
        b" !#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    if rng.one_in(2) { rng.pick(OFTEN) } else { rng.pick(ALL) }
}

/// A string of at most this many characters.
pub(crate) fn string(rng: &mut Rng, most: usize) -> SmtString {
    let most = rng.below(most + 1);
    let bytes: Vec<u8> = (0..rng.below(most + 1)).map(|_| character(rng)).collect();
    SmtString::from_latin1(&bytes)
}

/// An integer: mostly small, now and then where machine words end.
pub(crate) fn integer(rng: &mut Rng) -> i64 {
    match rng.below(10) {
        0 => rng.pick(&[i64::from(i32::MAX), i64::from(i32::MIN), 65_536, 255, 256, 1_000_000_007]),
        1 | 2 => rng.between(-100, 1_000),
        _ => rng.between(-2, 12),
    }
}

fn bits(rng: &mut Rng, width: u32) -> BitVec {
    match rng.below(6) {
        0 => BitVec::ones(width),
        1 => BitVec::min_signed(width),
        2 => BitVec::from_u64(width, rng.bits()),
        _ => BitVec::from_u64(width, rng.below(16) as u64),
    }
}

fn float(rng: &mut Rng, format: Format) -> Float {
    let negative = rng.one_in(2);
    match rng.below(9) {
        0 => Float::nan(format),
        1 => Float::infinity(format, negative),
        2 => Float::zero(format, negative),
        3 => Float::max_finite(format, negative),
        4 => Float::min_subnormal(format, negative),
        5 | 6 => Float::one(format, negative),
        _ => {
            let bits = UBig::from(rng.bits()) << 64 | UBig::from(rng.bits());
            Float::from_bits(format, bits % (UBig::from(1u8) << format.width() as usize))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::grammar::LOGICS;
    use super::*;
    use smt::walk;

    fn depth(terms: &Terms, root: TermId) -> u32 {
        let mut depths = std::collections::HashMap::new();
        for term in walk::reachable(terms, &[root]) {
            let deepest = terms.args(term).iter().map(|a| depths[a] + 1).max().unwrap_or(0);
            depths.insert(term, deepest);
        }
        depths[&root]
    }

    #[test]
    fn assertions_are_predicates_within_the_bound_that_read_back() {
        for logic in LOGICS {
            let mut terms = Terms::new();
            let grammar = Grammar::new(&mut terms, logic);
            for seed in 0..300 {
                let mut rng = Rng::new(seed);
                let bound = 1 + (seed % 5) as u32;
                let mut grower = Grower::new(&mut terms, &mut rng, &grammar, 3);
                let assertion = grower.assertion(bound);
                assert_eq!(terms.sort(assertion), SortId::BOOL);
                assert!(!individual::is_variable(&terms, assertion) && terms.as_value(assertion).is_none());
                // A regular expression at the bound still needs its literal.
                assert!(depth(&terms, assertion) <= bound + 2);
                let grown = individual::Individual::new(&mut terms, &[assertion]);
                let text = grown.text(&mut terms, logic.name, smt::Dialect::V26);
                let reading = smt::read_script(&mut terms, &text);
                assert!(reading.errors.is_empty(), "{text}");
                let again = individual::Individual::from_script(&mut terms, &reading.script).unwrap();
                assert_eq!(again, grown, "{text}");
            }
        }
    }

    #[test]
    fn what_is_grown_stays_in_its_logic() {
        for logic in LOGICS {
            let mut terms = Terms::new();
            let grammar = Grammar::new(&mut terms, logic);
            for seed in 0..200 {
                let mut rng = Rng::new(seed);
                let assertion = Grower::new(&mut terms, &mut rng, &grammar, 3).assertion(5);
                assert!(
                    logic.holds(&terms, &[assertion]),
                    "{}",
                    smt::print::term_to_string(&terms, assertion)
                );
            }
        }
    }

    #[test]
    fn products_of_unknowns_are_outside_linear_logics() {
        let mut terms = Terms::new();
        let x = individual::variable(&mut terms, SortId::INT, 0);
        let product = terms.mk(Op::Mul, &[x, x]);
        let zero = terms.int(0);
        let assertion = terms.mk(Op::Eq, &[product, zero]);
        for logic in LOGICS {
            assert_eq!(logic.holds(&terms, &[assertion]), !logic.linear);
        }
    }
}
