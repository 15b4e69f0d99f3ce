//! Bit-blasting: from terms to words of the and-inverter graph, one node of the DAG after the other.
//!
//! What arrays and functions mean is left out here (the abstraction of Zhang et al. 2020, Algorithm 3): a `select`, a function
//! application and an equality of arrays are inputs of the circuit. Words are kept as long as the arena is, so that
//! queries that share terms share circuits.

use super::aig::{Aig, Bit};
use super::float::{self, Call, Mode, ZeroChoices};
use super::support::is_array;
use super::words::{self, Direction, Word};
use crate::engine::{Budget, Reason};
use crate::tuning::blast_lower::{REMAINDER_STEPS, SMALL_FORMAT};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Float, Format, Op, RoundingMode, Sort, SortId, TermId, Terms, Theory, Value};

/// The words of terms.
#[derive(Debug)]
pub(super) struct Lowering {
    pub(super) aig: Aig,
    pool: Vec<Bit>,
    words: FxHashMap<TermId, (u32, u32)>,
    /// How many bits tell the elements of an uninterpreted sort apart.
    elements: FxHashMap<SortId, u32>,
    /// The zeros that `fp.min` and `fp.max` choose.
    pub(super) zeros: ZeroChoices,
    /// What holds of words that have no circuit yet, and has to be asserted.
    facts: Vec<Bit>,
    /// Terms whose circuit has been left out so far.
    lazy: FxHashSet<TermId>,
    /// How many parts of a remainder's circuit were added.
    stages: FxHashMap<TermId, usize>,
    /// Most bits that all words may take.
    limit: usize,
}

impl Lowering {
    /// No words; at most this many nodes and bits.
    pub(super) fn new(limit: usize) -> Lowering {
        Lowering {
            aig: Aig::new(limit),
            pool: Vec::new(),
            words: FxHashMap::default(),
            elements: FxHashMap::default(),
            zeros: ZeroChoices::default(),
            facts: Vec::new(),
            lazy: FxHashSet::default(),
            stages: FxHashMap::default(),
            limit,
        }
    }

    /// The word of a term that was lowered; a Boolean is a word of one bit.
    pub(super) fn word(&self, term: TermId) -> Option<&[Bit]> {
        self.words.get(&term).map(|&(start, end)| &self.pool[start as usize..end as usize])
    }

    /// How many bits a sort's elements have so far.
    pub(super) fn element_width(&self, sort: SortId) -> Option<u32> {
        self.elements.get(&sort).copied()
    }

    /// Says how many bits tell the elements of an uninterpreted sort apart. It holds for all terms from here on.
    pub(super) fn set_element_width(&mut self, sort: SortId, width: u32) {
        self.elements.insert(sort, width);
    }

    fn width(&self, terms: &Terms, sort: SortId) -> usize {
        match terms.sort_of(sort) {
            Sort::BitVec(width) => *width as usize,
            Sort::Uninterpreted(..) => self.elements.get(&sort).map_or(1, |&w| w as usize),
            _ => 1,
        }
    }

    /// What holds of the words so far and was not asked for before: edges that are true in every query.
    pub(super) fn take_facts(&mut self) -> Vec<Bit> {
        std::mem::take(&mut self.facts)
    }

    /// Whether a term's circuit is left out: its word is only known by facts.
    pub(super) fn is_lazy(&self, term: TermId) -> bool {
        self.lazy.contains(&term)
    }

    /// Adds the circuit of a term that was left out, if it was; that both words are equal is a fact from here on.
    ///
    /// Remainders get theirs in parts, for exponents that are farther and farther apart: the last part is most of it, and most queries do
    /// without.
    pub(super) fn refine(&mut self, terms: &Terms, term: TermId) -> Result<Option<Word>, Reason> {
        let mut added = None;
        if self.lazy.contains(&term) && terms.op(term) == Op::FpRem && self.refine_remainder(terms, term) {
            return if self.aig.is_full() { Err(Reason::Memory) } else { Ok(None) };
        }
        if self.lazy.remove(&term) {
            let words = self.operand_words(terms.args(term));
            let call = float_call(terms, term, &words);
            let circuit = float::circuit(&mut self.aig, &call, &mut self.zeros);
            let word = self.word(term).expect("it was lowered").to_vec();
            let same = words::equal(&mut self.aig, &word, &circuit);
            self.facts.push(same);
            added = Some(circuit);
        }
        if self.aig.is_full() { Err(Reason::Memory) } else { Ok(added) }
    }

    /// A quotient or a remainder. What everybody knows of them does not follow from the circuit by propagation, so it is said: a remainder is less than
    /// its divisor, and neither is more than the dividend.
    fn divided(&mut self, op: Op, a: &[Bit], b: &[Bit]) -> Word {
        let (quotient, rest) = words::divide(&mut self.aig, a, b);
        if b.iter().any(|&bit| bit != Bit::FALSE && bit != Bit::TRUE) {
            let zero = words::is_zero(&mut self.aig, b);
            let below = words::less(&mut self.aig, &rest, b);
            let (too_much, too_long) =
                (words::less(&mut self.aig, a, &rest), words::less(&mut self.aig, a, &quotient));
            let facts = [self.aig.or(zero, below), !too_much, self.aig.or(zero, !too_long)];
            self.facts.extend(facts.into_iter().filter(|&fact| fact != Bit::TRUE));
        }
        if op == Op::BvUdiv { quotient } else { rest }
    }

    /// Adds the next part of a remainder's circuit but the last. False: only that is left.
    fn refine_remainder(&mut self, terms: &Terms, term: TermId) -> bool {
        let words = self.operand_words(terms.args(term));
        let format = float_call(terms, term, &words).format;
        let stage = self.stages.entry(term).or_default();
        let Some(&steps) =
            REMAINDER_STEPS.get(*stage).filter(|&&steps| steps < float::rem::most_steps(format))
        else {
            return false;
        };
        *stage += 1;
        let (circuit, near) = float::rem::within(&mut self.aig, format, &words[0], &words[1], steps);
        let word = self.word(term).expect("it was lowered").to_vec();
        let same = words::equal(&mut self.aig, &word, &circuit);
        let wrong = self.aig.and(near, !same);
        self.facts.push(!wrong);
        true
    }

    fn operand_words(&self, operands: &[TermId]) -> Vec<Word> {
        let word = |&term: &TermId| self.word(term).expect("operands are lowered first").to_vec();
        operands.iter().map(word).collect()
    }

    /// A word that may be any value of a sort.
    fn input(&mut self, terms: &Terms, sort: SortId) -> Word {
        match *terms.sort_of(sort) {
            Sort::Float(eb, sb) => float::input(&mut self.aig, Format { eb, sb }),
            Sort::RoundingMode => Mode::input(&mut self.aig).word(),
            _ => (0..self.width(terms, sort)).map(|_| self.aig.input()).collect(),
        }
    }

    /// A real that is known, rounded in each way: the mode chooses among five constants.
    fn real(&mut self, terms: &Terms, term: TermId, mode: &[Bit]) -> Word {
        let (Some(Value::Real(real)), &Sort::Float(eb, sb)) =
            (terms.as_value(terms.args(term)[1]), terms.sort_of(terms.sort(term)))
        else {
            unreachable!("other reals were refused")
        };
        let [last, rest @ ..] = RoundingMode::ALL;
        let rounded = |mode| float::word_of(&Float::from_real(mode, real, Format { eb, sb }));
        rest.iter().fold(rounded(last), |word, &way| {
            let chosen = Mode::of_word(mode).is(&mut self.aig, way);
            words::mux(&mut self.aig, chosen, &rounded(way), &word)
        })
    }

    /// An operator of the theory of floats: its circuit, or what is known of it.
    fn float_node(&mut self, terms: &Terms, term: TermId, words: &[Word]) -> Word {
        let call = float_call(terms, term, words);
        if !float::is_lazy(call.op) || call.format.width() <= SMALL_FORMAT {
            return float::circuit(&mut self.aig, &call, &mut self.zeros);
        }
        let word = self.input(terms, terms.sort(term));
        self.facts.extend(float::facts(&mut self.aig, &call, &word));
        self.lazy.insert(term);
        word
    }

    /// Gives a term and all that it is computed from their words.
    pub(super) fn lower(&mut self, terms: &Terms, root: TermId, budget: &mut Budget) -> Result<(), Reason> {
        let mut stack = vec![root];
        let mut operands = Vec::new();
        while let Some(&term) = stack.last() {
            if self.words.contains_key(&term) {
                stack.pop();
                continue;
            }
            list_operands(terms, term, &mut operands);
            let before = stack.len();
            stack.extend(operands.iter().copied().filter(|o| !self.words.contains_key(o)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let nodes = self.aig.len();
            let word = self.node(terms, term, &operands);
            let start = self.pool.len();
            if self.aig.is_full() || start + word.len() > self.limit {
                return Err(Reason::Memory);
            }
            self.pool.extend_from_slice(&word);
            self.words.insert(term, (start as u32, self.pool.len() as u32));
            if !budget.spend((self.aig.len() - nodes) as u32 / 8 + 1) {
                return Err(budget.exhausted().unwrap_or(Reason::Time));
            }
        }
        Ok(())
    }

    /// The circuit of one node: the table of operations.
    fn node(&mut self, terms: &Terms, term: TermId, operands: &[TermId]) -> Word {
        let words = self.operand_words(operands);
        let [i, j] = terms.indices(term).map(|n| n as usize);
        let op = terms.op(term);
        if is_input(terms, term) {
            return self.input(terms, terms.sort(term));
        }
        if op == Op::Const {
            return match terms.as_value(term) {
                Some(Value::Bool(b)) => vec![Bit::of(*b)],
                Some(Value::BitVec(bv)) => words::constant(bv),
                Some(Value::Float(float)) => float::word_of(float),
                Some(Value::Rm(mode)) => Mode::constant(*mode).word(),
                _ => unreachable!("unsupported constants were refused"),
            };
        }
        if op == Op::ToFpFromReal {
            return self.real(terms, term, &words[0]);
        }
        if op.info().theory == Theory::Float || op == Op::FpToIeeeBv {
            return self.float_node(terms, term, &words);
        }
        let aig = &mut self.aig;
        let fold = |aig: &mut Aig, f: fn(&mut Aig, Bit, Bit) -> Bit| {
            words[1..].iter().fold(words[0].clone(), |acc, word| words::zip(aig, &acc, word, f))
        };
        let (a, b) = match &*words {
            [] => unreachable!("every other operation has an operand"),
            [a] => (a, a),
            [a, b, ..] => (a, b),
        };
        match op {
            Op::Not | Op::BvNot => words::not(a),
            Op::And | Op::BvAnd => fold(aig, Aig::and),
            Op::Or | Op::BvOr => fold(aig, Aig::or),
            Op::Xor | Op::BvXor => fold(aig, Aig::xor),
            Op::Implies => {
                let (last, premises) = words.split_last().expect("two arguments");
                let premises: Word = premises.iter().map(|p| p[0]).collect();
                let all = aig.and_all(&premises);
                vec![aig.or(!all, last[0])]
            }
            Op::Eq => {
                let links: Word = words.windows(2).map(|p| words::equal(aig, &p[0], &p[1])).collect();
                vec![aig.and_all(&links)]
            }
            Op::Distinct => {
                let mut all = Word::new();
                for (n, x) in words.iter().enumerate() {
                    all.extend(words[n + 1..].iter().map(|y| !words::equal(aig, x, y)));
                }
                vec![aig.and_all(&all)]
            }
            Op::Ite => words::mux(aig, a[0], b, &words[2]),
            Op::Concat => words.iter().rev().flatten().copied().collect(),
            Op::Extract => a[j..=i].to_vec(),
            Op::Repeat => a.repeat(i),
            Op::ZeroExtend => words::extend(a, i, Bit::FALSE),
            Op::SignExtend => words::extend(a, i, words::sign(a)),
            Op::RotateLeft => {
                let mut word = a.clone();
                word.rotate_right(i % a.len());
                word
            }
            Op::RotateRight => {
                let mut word = a.clone();
                word.rotate_left(i % a.len());
                word
            }
            Op::BvNand => words::not(&words::zip(aig, a, b, Aig::and)),
            Op::BvNor => words::not(&words::zip(aig, a, b, Aig::or)),
            Op::BvXnor => words::not(&words::zip(aig, a, b, Aig::xor)),
            Op::BvNeg => words::neg(aig, a),
            Op::BvAdd => sum(aig, terms, term, &words),
            Op::BvSub => words::sub(aig, a, b),
            Op::BvMul => words[1..].iter().fold(a.clone(), |acc, word| words::mul(aig, &acc, word)),
            Op::BvUdiv | Op::BvUrem => self.divided(op, a, b),
            Op::BvSdiv => words::sdiv(aig, a, b),
            Op::BvSrem => words::srem(aig, a, b),
            Op::BvSmod => words::smod(aig, a, b),
            Op::BvShl => words::shift(aig, a, b, Direction::Left, Bit::FALSE),
            Op::BvLshr => words::shift(aig, a, b, Direction::Right, Bit::FALSE),
            Op::BvAshr => words::shift(aig, a, b, Direction::Right, words::sign(a)),
            Op::BvComp => vec![words::equal(aig, a, b)],
            Op::BvUlt | Op::BvUsubo => vec![words::less(aig, a, b)],
            Op::BvUge => vec![!words::less(aig, a, b)],
            Op::BvUgt => vec![words::less(aig, b, a)],
            Op::BvUle => vec![!words::less(aig, b, a)],
            Op::BvSlt => vec![words::signed_less(aig, a, b)],
            Op::BvSge => vec![!words::signed_less(aig, a, b)],
            Op::BvSgt => vec![words::signed_less(aig, b, a)],
            Op::BvSle => vec![!words::signed_less(aig, b, a)],
            Op::BvNego => vec![words::is_min_signed(aig, a)],
            Op::BvUaddo => vec![words::add(aig, a, b, Bit::FALSE).1],
            Op::BvSaddo => vec![words::signed_add_overflows(aig, a, b)],
            Op::BvUmulo => vec![words::unsigned_mul_overflows(aig, a, b)],
            Op::BvSmulo => vec![words::signed_mul_overflows(aig, a, b)],
            Op::BvSsubo => vec![words::signed_sub_overflows(aig, a, b)],
            Op::BvSdivo => {
                let least = words::is_min_signed(aig, a);
                let minus_one = aig.and_all(b);
                vec![aig.and(least, minus_one)]
            }
            Op::BvRedOr => vec![!words::is_zero(aig, a)],
            Op::BvRedAnd => vec![aig.and_all(a)],
            other => unreachable!("{other:?} was refused"),
        }
    }
}

/// An application of an operator of the theory of floats to words.
fn float_call<'a>(terms: &Terms, term: TermId, words: &'a [Word]) -> Call<'a> {
    let format = |sort: SortId| match *terms.sort_of(sort) {
        Sort::Float(eb, sb) => Some(Format { eb, sb }),
        _ => None,
    };
    let own = format(terms.sort(term));
    let argument = terms.args(term).iter().find_map(|&a| format(terms.sort(a)));
    let first = argument.or(own).expect("a float is among the arguments, or the result");
    let width = match terms.sort_of(terms.sort(term)) {
        Sort::BitVec(width) => *width as usize,
        _ => 0,
    };
    Call { op: terms.op(term), format: first, target: own.unwrap_or(first), args: words, width }
}

/// Whether the circuit takes a term as it is: symbols, and what the abstraction leaves open.
pub(super) fn is_input(terms: &Terms, term: TermId) -> bool {
    match terms.op(term) {
        Op::Apply | Op::Select => true,
        Op::Eq => is_array(terms, terms.args(term)[0]),
        _ => false,
    }
}

/// The terms whose words a node's circuit takes. A negated summand is subtracted, which saves its own adder.
fn list_operands(terms: &Terms, term: TermId, operands: &mut Vec<TermId>) {
    operands.clear();
    if is_input(terms, term) {
        return;
    }
    if terms.op(term) == Op::ToFpFromReal {
        operands.push(terms.args(term)[0]);
        return;
    }
    let is_sum = terms.op(term) == Op::BvAdd;
    operands.extend(
        terms
            .args(term)
            .iter()
            .map(|&arg| if is_sum && terms.op(arg) == Op::BvNeg { terms.args(arg)[0] } else { arg }),
    );
}

fn sum(aig: &mut Aig, terms: &Terms, term: TermId, words: &[Word]) -> Word {
    let mut acc: Option<Word> = None;
    for (word, &arg) in words.iter().zip(terms.args(term)) {
        let negated = terms.op(arg) == Op::BvNeg;
        acc = Some(match (acc, negated) {
            (None, false) => word.clone(),
            (None, true) => words::neg(aig, word),
            (Some(acc), false) => words::add(aig, &acc, word, Bit::FALSE).0,
            (Some(acc), true) => words::sub(aig, &acc, word),
        });
    }
    acc.expect("a sum has summands")
}
