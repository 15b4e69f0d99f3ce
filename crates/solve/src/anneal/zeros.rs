//! Zeros of opposite sign: SMT-LIB leaves to the model which of them `fp.min` and `fp.max` give. Here that choice becomes
//! something to search for.
//!
//! Each operator and order of arguments gets a Boolean constant that says whether its result is negative, and every
//! application is spelled out with it. What the search finds goes into the model as [`smt::ZeroSigns`], so that the
//! evaluator judges the query as it was asked.

use rustc_hash::FxHashMap;
use smt::{Float, Format, FunId, Model, Op, Sort, SortId, TermId, Terms, Value, ZeroSigns, walk};

/// The constants that stand for the choice: for `fp.min` and for `fp.max`, with the negative zero second and first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zeros {
    min: [FunId; 2],
    max: [FunId; 2],
}

impl Zeros {
    /// Conjuncts in which no value of `fp.min` and `fp.max` is left open; `None` if these operators do not occur.
    pub(super) fn open(terms: &mut Terms, conjuncts: &[TermId]) -> Option<(Vec<TermId>, Zeros)> {
        let all = walk::reachable(terms, conjuncts);
        if !all.iter().any(|&t| matches!(terms.op(t), Op::FpMin | Op::FpMax)) {
            return None;
        }
        let mut choice = || {
            let name = terms.fresh_symbol("zero-sign");
            terms.declare(name, &[], SortId::BOOL)
        };
        let zeros = Zeros { min: [choice(), choice()], max: [choice(), choice()] };
        let mut opened: FxHashMap<TermId, TermId> = FxHashMap::default();
        for term in all {
            let args: Vec<TermId> = terms.args(term).iter().map(|a| opened[a]).collect();
            let new = match terms.op(term) {
                Op::FpMin => zeros.spell_out(terms, zeros.min, Op::FpLeq, args[0], args[1])?,
                Op::FpMax => zeros.spell_out(terms, zeros.max, Op::FpGeq, args[0], args[1])?,
                _ if args == terms.args(term) => term,
                _ => terms.rebuild(term, &args),
            };
            opened.insert(term, new);
        }
        Some((conjuncts.iter().map(|c| opened[c]).collect(), zeros))
    }

    /// Whether a constant is one of the choice.
    pub(super) fn contains(&self, fun: FunId) -> bool {
        self.min.contains(&fun) || self.max.contains(&fun)
    }

    /// Puts the choice that was found into a model.
    pub(super) fn choose(&self, found: &[(FunId, Value)], model: &mut Model) {
        let is_set = |fun: FunId| found.iter().any(|(f, value)| *f == fun && *value == Value::Bool(true));
        model.set_zero_signs(ZeroSigns { min: self.min.map(is_set), max: self.max.map(is_set) });
    }

    /// `x` if it is the one of the two that `preferred` says, else `y`; a number rather than NaN; and for zeros of opposite
    /// sign the one that is chosen.
    fn spell_out(
        &self,
        terms: &mut Terms,
        choice: [FunId; 2],
        preferred: Op,
        x: TermId,
        y: TermId,
    ) -> Option<TermId> {
        let Sort::Float(eb, sb) = *terms.sort_of(terms.sort(x)) else { return None };
        let mut zero = |negative| terms.constant(Value::Float(Float::zero(Format { eb, sb }, negative)));
        let (plus, minus) = (zero(false), zero(true));
        let mut chosen = choice.map(|fun| terms.apply(fun, &[]).ok());
        let (later, sooner) = (chosen[0].take()?, chosen[1].take()?);
        let first = terms.mk(Op::FpIsNegative, &[x]);
        let second = terms.mk(Op::FpIsNegative, &[y]);
        let both = [x, y].map(|t| terms.mk(Op::FpIsZero, &[t]));
        let differ = terms.mk(Op::Xor, &[first, second]);
        let is_open = terms.mk(Op::And, &[both[0], both[1], differ]);
        let negative = terms.mk(Op::Ite, &[first, sooner, later]);
        let open = terms.mk(Op::Ite, &[negative, minus, plus]);
        let takes_first = terms.mk(preferred, &[x, y]);
        let other_is_nan = terms.mk(Op::FpIsNaN, &[y]);
        let takes_first = terms.mk(Op::Or, &[takes_first, other_is_nan]);
        let plain = terms.mk(Op::Ite, &[takes_first, x, y]);
        Some(terms.mk(Op::Ite, &[is_open, open, plain]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Evaluator, Undefined};

    /// Every pair of floats of the smallest format under every choice: spelled out, the operators are what the evaluator
    /// says they are.
    #[test]
    fn spelled_out_operators_are_what_the_evaluator_says() {
        let mut terms = Terms::new();
        let sort = terms.float_sort(2, 3);
        let [x, y] = ["x", "y"].map(|name| terms.symbol_constant(name, sort));
        let all = [Op::FpMin, Op::FpMax].map(|op| terms.mk(op, &[x, y]));
        let (opened, zeros) = Zeros::open(&mut terms, &all).expect("both operators occur");
        let format = Format { eb: 2, sb: 3 };
        let values: Vec<Value> =
            (0..32u8).map(|bits| Value::Float(Float::from_bits(format, bits.into()))).collect();
        let mut open = 0;
        for signs in 0..16u32 {
            let bit = |i: u32| Value::Bool(signs >> i & 1 == 1);
            let funs = zeros.min.into_iter().chain(zeros.max);
            let choice: Vec<(FunId, Value)> = funs.zip((0..4).map(bit)).collect();
            for (a, b) in values.iter().flat_map(|a| values.iter().map(move |b| (a, b))) {
                let mut plain = Model::default();
                plain.set(terms.as_fun(x).expect("a constant"), a.clone());
                plain.set(terms.as_fun(y).expect("a constant"), b.clone());
                let mut spelled = plain.clone();
                choice.iter().for_each(|(fun, value)| spelled.set(*fun, value.clone()));
                let mut chosen = plain.clone();
                zeros.choose(&choice, &mut chosen);
                for (asked, opened) in all.into_iter().zip(&opened) {
                    let expected = Evaluator::new(&terms, &chosen).eval(asked);
                    assert!(expected.is_ok());
                    assert_eq!(Evaluator::new(&terms, &spelled).eval(*opened), expected, "{a:?} {b:?}");
                    match Evaluator::new(&terms, &plain).eval(asked) {
                        Err(reason) => {
                            assert_eq!(reason, Undefined::ZeroSigns);
                            open += 1;
                        }
                        fixed => assert_eq!(fixed, expected, "a choice matters nowhere else"),
                    }
                }
            }
        }
        assert_eq!(open, 16 * 2 * 2, "two orders of zeros for each operator and choice");
    }
}
