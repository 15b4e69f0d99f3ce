//! What a query says by itself: its conjuncts with their polarity, and the symbols that equations determine.
//!
//! An equation `x = t` makes `x` a name of `t`, so that the search has one variable less and one constraint less. It works
//! through bits too: in `(= (fp s e m) t)` the fields are slices of `t`, and likewise under `to_fp` from bits, `concat`,
//! extensions and operations that can be undone. A definition never replaces its conjunct, which is checked
//! like every other one; a poor choice costs a model, never a wrong answer.

use rustc_hash::FxHashMap;
use smt::{Op, Sort, TermId, Terms, Value};

/// A conjunct: a term that must be true, or false.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Literal {
    pub(super) term: TermId,
    pub(super) positive: bool,
}

/// Splits conjunctions, also those that hide under negations.
pub(super) fn conjuncts(terms: &Terms, assertions: &[TermId]) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut stack: Vec<Literal> =
        assertions.iter().rev().map(|&term| Literal { term, positive: true }).collect();
    while let Some(Literal { term, positive }) = stack.pop() {
        let args = terms.args(term);
        let mut push = |args: &[TermId], positive: bool| {
            stack.extend(args.iter().rev().map(|&term| Literal { term, positive }));
        };
        match (terms.op(term), positive) {
            (Op::Not, _) => push(args, !positive),
            (Op::And, true) | (Op::Or, false) => push(args, positive),
            (Op::Implies, false) => {
                let (conclusion, premises) = args.split_last().expect("at least two arguments");
                push(&[*conclusion], false);
                push(premises, true);
            }
            (Op::Eq, true) if args.contains(&TermId::TRUE) => {
                push(&args.iter().copied().filter(|&a| a != TermId::TRUE).collect::<Vec<_>>(), true);
            }
            (Op::Eq, true) if args.contains(&TermId::FALSE) => {
                push(&args.iter().copied().filter(|&a| a != TermId::FALSE).collect::<Vec<_>>(), false);
            }
            _ => found.push(Literal { term, positive }),
        }
    }
    found
}

/// What a symbol is a name of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// A term of its sort.
    Term(TermId),
    /// So many bits of a bit-vector or float, from a position.
    Bits { term: TermId, width: u32, low: u32 },
}

impl Source {
    /// The term that it is made of.
    pub(super) fn term(self) -> TermId {
        match self {
            Source::Term(term) | Source::Bits { term, .. } => term,
        }
    }
}

/// The symbols that equations determine.
#[derive(Clone, Debug, Default)]
pub(super) struct Definitions {
    pub(super) sources: FxHashMap<TermId, Source>,
    /// Whether a definition allows less than its equation does: which NaN, or which zero.
    pub(super) chose: bool,
}

/// Whether a term is a constant symbol without a definition, of a sort that is not an array's.
pub(super) fn is_symbol(terms: &Terms, term: TermId) -> bool {
    terms.op(term) == Op::Apply
        && terms.args(term).is_empty()
        && !terms.is_function_symbol(term)
        && !matches!(terms.sort_of(terms.sort(term)), Sort::Array(..))
}

/// Collects definitions from conjuncts, those by constants first. With `liberal`, `fp.eq` counts as an equation.
pub(super) fn definitions(terms: &mut Terms, literals: &[Literal], liberal: bool) -> Definitions {
    let mut found = Definitions::default();
    for constants in [true, false] {
        for literal in literals {
            let args = terms.args(literal.term).to_vec();
            match terms.op(literal.term) {
                Op::Apply if is_symbol(terms, literal.term) => {
                    let value = terms.bool(literal.positive);
                    found.sources.entry(literal.term).or_insert(Source::Term(value));
                }
                Op::Eq | Op::FpEq if literal.positive => {
                    let loose = terms.op(literal.term) == Op::FpEq;
                    if loose && !liberal {
                        continue;
                    }
                    for pair in args.windows(2) {
                        for (pattern, value) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                            if terms.as_value(value).is_some() == constants
                                && found.solve(terms, pattern, value)
                            {
                                found.chose |= loose;
                                break;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
    found
}

impl Definitions {
    /// Defines the symbols of a pattern so that it equals a term; whether it found any.
    fn solve(&mut self, terms: &mut Terms, pattern: TermId, value: TermId) -> bool {
        let mut progress = false;
        let mut stack = vec![(pattern, Source::Term(value))];
        while let Some((pattern, source)) = stack.pop() {
            if is_symbol(terms, pattern) {
                if pattern != source.term() && !self.sources.contains_key(&pattern) {
                    self.sources.insert(pattern, source);
                    self.chose |= matches!(source, Source::Bits { term, .. } if may_be_nan(terms, term));
                    progress = true;
                }
                continue;
            }
            let args = terms.args(pattern).to_vec();
            match (terms.op(pattern), source) {
                (Op::ToFpFromBits | Op::Fp | Op::Concat | Op::ZeroExtend | Op::SignExtend, _) => {
                    let mut low = match source {
                        Source::Term(_) => 0,
                        Source::Bits { low, .. } => low,
                    };
                    for &part in args.iter().rev() {
                        let Sort::BitVec(width) = *terms.sort_of(terms.sort(part)) else { break };
                        stack.push((part, Source::Bits { term: source.term(), width, low }));
                        low += width;
                    }
                }
                (Op::FpNeg | Op::BvNot | Op::BvNeg | Op::Not, Source::Term(term)) => {
                    let undone = terms.mk(terms.op(pattern), &[term]);
                    stack.push((args[0], Source::Term(undone)));
                }
                (Op::BvAdd | Op::BvXor, Source::Term(term)) if args.len() == 2 => {
                    let back = if terms.op(pattern) == Op::BvAdd { Op::BvSub } else { Op::BvXor };
                    let (open, fixed) =
                        if is_symbol(terms, args[0]) { (args[0], args[1]) } else { (args[1], args[0]) };
                    let undone = terms.mk(back, &[term, fixed]);
                    stack.push((open, Source::Term(undone)));
                }
                (Op::BvSub, Source::Term(term)) => {
                    let (open, undone) = if is_symbol(terms, args[0]) {
                        (args[0], terms.mk(Op::BvAdd, &[term, args[1]]))
                    } else {
                        (args[1], terms.mk(Op::BvSub, &[args[0], term]))
                    };
                    stack.push((open, Source::Term(undone)));
                }
                _ => {}
            }
        }
        progress
    }
}

/// Whether a float's bits are not determined by its value.
fn may_be_nan(terms: &Terms, term: TermId) -> bool {
    match terms.as_value(term) {
        Some(Value::Float(float)) => float.is_nan(),
        _ => matches!(terms.sort_of(terms.sort(term)), Sort::Float(..)),
    }
}
