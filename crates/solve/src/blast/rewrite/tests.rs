//! The laws of the rule table: both sides of each are equal under the evaluator, and lead to the same term.

use super::*;
use random::Rng;
use smt::{
    ArrayValue, BitVec, Evaluator, Float, Format, FunId, Model, RoundingMode, Sort, UBig, Value, read_script,
};
use std::sync::Arc;

/// Values at the edges are as likely as all others together.
fn random_value(random: &mut Rng, width: u32) -> u64 {
    let ones = (1u64 << width) - 1;
    match random.below(8) {
        0 => 0,
        1 => 1,
        2 => ones,
        3 => 1 << (width - 1),
        _ => random.bits() & ones,
    }
}

fn instantiate(example: &str, width: u32, random: &mut Rng) -> String {
    let i = random.below(width as usize);
    let j = random.below(i + 1);
    let constant = |n: u64| format!("(_ bv{n} {width})");
    let ones = (1u64 << width) - 1;
    let (c, d) = (random_value(random, width), random_value(random, width));
    let number = |n: i64| n.to_string();
    let (w, position) = (i64::from(width), i as i64);
    example
        .replace("{w1-i}", &number(w - 1 - position))
        .replace("{w-i}", &number(w - position))
        .replace("{i-1}", &number(position - 1))
        .replace("{w-2}", &number(w - 2))
        .replace("{w+1}", &number(w + 1))
        .replace("{c}", &constant(c))
        .replace("{d}", &constant(d))
        .replace("{0}", &constant(0))
        .replace("{1}", &constant(1))
        .replace("{-1}", &constant(ones))
        .replace("{min}", &constant(1 << (width - 1)))
        .replace("{i}", &i.to_string())
        .replace("{j}", &j.to_string())
        .replace("{w}", &width.to_string())
        .replace("{w1}", &(width - 1).to_string())
}

fn declarations(width: u32) -> String {
    let mut text = String::new();
    for x in ["x", "y", "z"] {
        text += &format!("(declare-const {x} (_ BitVec {width}))");
    }
    for p in ["p", "q", "r"] {
        text += &format!("(declare-const {p} Bool)");
    }
    for m in ["m", "n"] {
        text += &format!("(declare-const {m} (Array (_ BitVec {width}) (_ BitVec {width})))");
    }
    for f in ["f", "g", "h"] {
        text += &format!("(declare-const {f} (_ FloatingPoint 3 {}))", width + 1);
    }
    text += "(declare-const k RoundingMode)";
    text
}

/// The example as a term, by comparing it with itself.
fn read_term(terms: &mut Terms, width: u32, example: &str) -> Option<TermId> {
    let text = format!("{}(assert (= {example} {example}))", declarations(width));
    let reading = read_script(terms, &text);
    let assertion = reading.script.assertions().next()?;
    reading.errors.is_empty().then(|| terms.args(assertion)[0])
}

fn random_model(terms: &mut Terms, random: &mut Rng) -> Model {
    let mut model = Model::default();
    for index in 0..terms.fun_count() {
        let fun: FunId = terms.fun_at(index);
        let sort = terms.fun(fun).result;
        let value = match *terms.sort_of(sort) {
            Sort::Bool => Value::Bool(random.below(2) == 1),
            Sort::BitVec(width) => Value::BitVec(BitVec::from_u64(width, random_value(random, width))),
            Sort::Array(index, _) => {
                let Sort::BitVec(width) = *terms.sort_of(index) else { unreachable!("arrays of words") };
                let mut word = || Value::BitVec(BitVec::from_u64(width, random_value(random, width)));
                let mut array = ArrayValue::constant(sort, word());
                for _ in 0..4 {
                    array.store(word(), word());
                }
                Value::Array(Arc::new(array))
            }
            Sort::Float(eb, sb) => {
                let bits = random_value(random, eb + sb);
                Value::Float(Float::from_bits(Format { eb, sb }, UBig::from(bits)))
            }
            Sort::RoundingMode => Value::Rm(RoundingMode::ALL[random.below(5)]),
            _ => unreachable!("the declarations have no other sorts"),
        };
        model.set(fun, value);
    }
    model
}

/// Some assignment under which two terms differ.
fn difference(terms: &mut Terms, a: TermId, b: TermId, random: &mut Rng) -> Option<String> {
    assert_eq!(terms.sort(a), terms.sort(b), "a rule keeps the sort");
    let both = terms.mk(Op::Eq, &[a, b]);
    (0..24).find_map(|_| {
        let model = random_model(terms, random);
        let same = Evaluator::new(terms, &model).truth(both).expect("everything has a value");
        (!same).then(|| model.to_smtlib(terms))
    })
}

/// What a rule makes of an example, as it is written and with rewritten arguments.
fn fire(terms: &mut Terms, rule: &Rule, term: TermId) -> Option<(TermId, TermId)> {
    let mut rewriter = Rewriter::default();
    let args: Vec<TermId> =
        terms.args(term).to_vec().into_iter().map(|a| rewriter.rewrite(terms, a)).collect();
    let prepared = terms.rebuild(term, &args);
    let mut swapped = args.clone();
    swapped.reverse();
    let reversed = terms.app_indexed(terms.op(term), terms.indices(term), &swapped).ok();
    [Some(term), Some(prepared), reversed]
        .into_iter()
        .flatten()
        .filter(|&t| terms.op(t) == rule.op)
        .collect::<Vec<_>>()
        .into_iter()
        .find_map(|t| (rule.apply)(terms, t).filter(|&new| new != t).map(|new| (t, new)))
}

/// How many bits the symbols of a term have together; `None` if there is an array among them.
fn bits_of(terms: &Terms, term: TermId) -> Option<u32> {
    let symbols = smt::walk::reachable(terms, &[term]).into_iter().filter(|&t| terms.as_fun(t).is_some());
    symbols
        .map(|symbol| match *terms.sort_of(terms.sort(symbol)) {
            Sort::Bool => Some(1),
            Sort::BitVec(width) => Some(width),
            _ => None,
        })
        .sum()
}

/// An assignment under which two terms differ, among all that there are; `None` also if these are too many.
fn difference_at_all(terms: &mut Terms, a: TermId, b: TermId) -> Option<String> {
    const MOST_BITS: u32 = 9;
    let both = terms.mk(Op::Eq, &[a, b]);
    let bits = bits_of(terms, both).filter(|&bits| bits <= MOST_BITS)?;
    let symbols: Vec<FunId> =
        smt::walk::reachable(terms, &[both]).into_iter().filter_map(|t| terms.as_fun(t)).collect();
    (0..1u64 << bits).find_map(|mut number| {
        let mut model = Model::default();
        for &fun in &symbols {
            let width = match *terms.sort_of(terms.fun(fun).result) {
                Sort::BitVec(width) => width,
                _ => 1,
            };
            let value = BitVec::from_u64(width, number & ((1 << width) - 1));
            number >>= width;
            let is_bool = terms.fun(fun).result == smt::SortId::BOOL;
            model.set(fun, if is_bool { Value::Bool(!value.is_zero()) } else { Value::BitVec(value) });
        }
        let same = Evaluator::new(terms, &model).truth(both).expect("everything has a value");
        (!same).then(|| model.to_smtlib(terms))
    })
}

/// Counts how often each law of a rule was seen at work, or tells where it is wrong.
fn check_rule(rule: &Rule, random: &mut Rng) -> Result<Vec<u32>, String> {
    let mut fired = vec![0; rule.laws.len()];
    for ((matched, given), fired) in rule.laws.iter().zip(&mut fired) {
        let (mut agreed, mut other) = (0, String::new());
        for width in 1..=8 {
            for _ in 0..6 {
                let mut terms = Terms::new();
                // Both sides get the same constants.
                let seed = random.bits();
                let text = instantiate(matched, width, &mut Rng::new(seed));
                let result = instantiate(given, width, &mut Rng::new(seed));
                let Some(term) = read_term(&mut terms, width, &text) else { continue };
                // At some widths a law says nothing: there are no words of no bits.
                let Some(result) = read_term(&mut terms, width, &result) else { continue };
                let Some((from, to)) = fire(&mut terms, rule, term) else { continue };
                *fired += 1;
                for (a, b) in [(from, to), (term, result)] {
                    let wrong = difference_at_all(&mut terms, a, b);
                    if let Some(model) = wrong.or_else(|| difference(&mut terms, a, b, random)) {
                        return Err(format!("{} is wrong on {text} under {model}", rule.id));
                    }
                }
                let [ends, expected] = [to, result].map(|t| Rewriter::default().rewrite(&mut terms, t));
                if ends == expected {
                    agreed += 1;
                } else {
                    let words = |t| smt::print::term_to_string(&terms, t);
                    other = format!("of {text} it makes {}, not {}", words(ends), words(expected));
                }
            }
        }
        // With special constants, and where `{1}` is `{-1}`, another rule may come first.
        if agreed * 2 < *fired {
            return Err(format!("{} says {given}, but {other}", rule.id));
        }
    }
    Ok(fired)
}

#[test]
fn every_law_holds_and_is_seen_at_work() {
    let mut random = Rng::new(1);
    for rule in rules() {
        let fired = check_rule(rule, &mut random).unwrap_or_else(|wrong| panic!("{wrong}"));
        for ((matched, _), count) in rule.laws.iter().zip(fired) {
            assert!(count > 0, "{} never fires on {matched}", rule.id);
        }
    }
}

#[test]
fn rules_have_distinct_names() {
    let mut names: Vec<&str> = rules().map(|r| r.id).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|w| w[0] != w[1]));
}

/// A rule that forgets the zero divisor is caught.
#[test]
fn a_planted_wrong_rule_is_caught() {
    let wrong = Rule {
        id: "planted",
        op: Op::BvUdiv,
        apply: |t, n| {
            let (x, y) = build::pair(t, n)?;
            (x == y).then(|| {
                let width = build::width(t, x);
                t.bv(width, 1)
            })
        },
        laws: &[("(bvudiv x x)", "{1}")],
    };
    assert!(check_rule(&wrong, &mut Rng::new(1)).is_err());
    // So is a right rule with a law that says something else.
    let right = rules().find(|rule| rule.id == "bvudiv-same").expect("a rule");
    let wrong = Rule { laws: &[("(bvudiv x x)", "{1}")], ..*right };
    assert!(check_rule(&wrong, &mut Rng::new(1)).is_err());
}

/// Rewriting to the end keeps the meaning of the examples, reaches a fixpoint and leaves only the kernel's operators.
#[test]
fn rewriting_is_idempotent_on_the_examples() {
    let mut random = Rng::new(2);
    for rule in rules() {
        for (matched, _) in rule.laws {
            let mut terms = Terms::new();
            let width = 1 + random.below(8) as u32;
            let text = instantiate(matched, width, &mut random);
            let Some(term) = read_term(&mut terms, width, &text) else { continue };
            let mut rewriter = Rewriter::default();
            let new = rewriter.rewrite(&mut terms, term);
            assert_eq!(Rewriter::default().rewrite(&mut terms, new), new, "{text}");
            let wrong = difference(&mut terms, term, new, &mut random);
            assert!(wrong.is_none(), "{text} under {}", wrong.unwrap_or_default());
            let sugar =
                [Op::Or, Op::Implies, Op::Xor, Op::BvOr, Op::BvSub, Op::BvUle, Op::BvSdiv, Op::ZeroExtend];
            for part in smt::walk::reachable(&terms, &[new]) {
                assert!(!sugar.contains(&terms.op(part)), "{text}");
            }
        }
    }
}

/// A rule that gives the term itself does not keep the rules behind it from being tried.
#[test]
fn a_rule_without_effect_hides_no_other() {
    let idle = Rule { id: "idle", op: Op::Not, apply: |_, term| Some(term), laws: &[] };
    let useful = Rule { id: "useful", op: Op::Not, apply: |_, _| Some(TermId::TRUE), laws: &[] };
    let mut terms = Terms::new();
    assert_eq!(first_better(&mut terms, TermId::FALSE, &[&idle, &useful]), Some(TermId::TRUE));
    assert_eq!(first_better(&mut terms, TermId::FALSE, &[&idle]), None);
}
