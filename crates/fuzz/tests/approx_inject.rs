//! What live predicate injection emits (Yao et al. 2021, Section 4.2.2). A mutant's literal is the seed's `or` or `and` a snippet; the
//! snippet speaks of what is declared and in scope, stays in the seed's logic, and over many mutants uses every predicate of the
//! theories at hand. Found by reading the mutants, not by asking the generator.

use fuzz::approx::{Approx, ApproxSettings, Rules, Seed, Skeletons};
use fuzz::case::{Origin, Strategy, Verdict};
use random::Rng;
use smt::print::Style;
use smt::{Op, SortId, TermId, Terms, read_script, walk};
use std::collections::BTreeSet;

/// A seed, its status, operators that snippets must use, and what they must not.
struct Row {
    seed: &'static str,
    status: Verdict,
    uses: &'static [Op],
    never: fn(&Terms, TermId) -> bool,
    /// The ways to literals that stand under a negation or left of an implication: what makes them weaker makes the seed stronger.
    negative: &'static [&'static [u32]],
}

fn product_of_variables(terms: &Terms, term: TermId) -> bool {
    let constant = |&t: &TermId| matches!(terms.op(t), Op::Const | Op::Neg);
    match terms.op(term) {
        Op::Mul => terms.args(term).iter().filter(|t| !constant(t)).count() > 1,
        Op::IntDiv | Op::Mod | Op::Div => !constant(&terms.args(term)[1]),
        _ => false,
    }
}

static ROWS: &[Row] = &[
    Row {
        seed: "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (or (< x y) (> x 7)))(check-sat)",
        status: Verdict::Sat,
        uses: &[Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Distinct, Op::Add, Op::Sub, Op::IntDiv, Op::Mod],
        never: product_of_variables,
        negative: &[],
    },
    Row {
        seed: "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(assert (< x 3))(assert (> x 3))(check-sat)",
        status: Verdict::Unsat,
        uses: &[Op::Mul, Op::IntDiv, Op::Xor, Op::Implies],
        never: |terms, t| terms.sort(t) == SortId::REAL,
        negative: &[],
    },
    Row {
        seed: "(set-logic QF_IDL)(declare-const x Int)(declare-const y Int)(assert (< (- x y) 3))(check-sat)",
        status: Verdict::Sat,
        uses: &[Op::Sub, Op::Le, Op::Distinct],
        never: |terms, t| matches!(terms.op(t), Op::Mul | Op::Add | Op::IntDiv | Op::Mod),
        negative: &[],
    },
    Row {
        seed: "(set-logic QF_BV)(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))(assert (bvult x y))(check-sat)",
        status: Verdict::Sat,
        uses: &[Op::BvUlt, Op::BvSge, Op::BvAdd, Op::BvUdiv, Op::BvSmod, Op::BvAshr, Op::BvXnor, Op::BvNeg],
        never: |terms, t| terms.sort(t) == SortId::INT,
        negative: &[],
    },
    Row {
        seed: "(set-logic QF_FP)(declare-const x (_ FloatingPoint 3 4))(declare-const r RoundingMode)\
               (assert (fp.lt x (fp.add r x x)))(check-sat)",
        status: Verdict::Sat,
        uses: &[Op::FpLeq, Op::FpEq, Op::FpIsNaN, Op::FpIsSubnormal, Op::FpDiv, Op::FpRoundToIntegral],
        never: |terms, t| terms.sort(t) == SortId::REAL,
        negative: &[],
    },
    Row {
        seed: "(set-logic QF_SLIA)(declare-const s String)(declare-const t String)(assert (= s (str.++ t \"a\")))(check-sat)",
        status: Verdict::Sat,
        uses: &[Op::StrLt, Op::StrPrefixOf, Op::StrContains, Op::StrInRe, Op::StrReplace, Op::StrAt],
        never: |terms, t| terms.sort(t) == SortId::REAL,
        negative: &[],
    },
    Row {
        seed: "(set-logic ALL)(declare-const a (Array Int Int))(declare-const i Int)\
               (push 1)(declare-const gone Int)(assert (= gone 1))(check-sat)(pop 1)\
               (assert (= (select a i) 1))(check-sat)",
        status: Verdict::Sat,
        uses: &[Op::Select, Op::Store],
        never: |_, _| false,
        negative: &[],
    },
    Row {
        seed: "(set-logic LIA)(declare-const k Int)(assert (forall ((x Int)) (=> (> x k) (> x 0))))(check-sat)",
        status: Verdict::Sat,
        uses: &[Op::Bound],
        never: product_of_variables,
        negative: &[&[1, 0]],
    },
];

/// The snippet beside the literal; an error if the replacement is nothing of the kind.
fn snippet(terms: &Terms, weaker: bool, rule: &str, before: TermId, after: TermId) -> Option<TermId> {
    let (name, op) = if weaker { ("inject-or", Op::Or) } else { ("inject-and", Op::And) };
    let args = terms.args(after);
    (rule == name && terms.op(after) == op && args.len() == 2 && args[0] == before).then(|| args[1])
}

#[test]
fn snippets_are_of_what_is_live() {
    for row in ROWS {
        let settings = ApproxSettings {
            skeletons: Skeletons::Polarity,
            mutants: 400,
            rules: Rules::Lpi,
            ..ApproxSettings::default()
        };
        let approx = Approx::new(vec![Seed::Text("seed".into(), row.seed.into())], settings);
        let mut batch = approx.batch(0, Rng::new(5)).expect("the seed is supported");
        let (mut used, mut mutants) = (BTreeSet::new(), 0);
        while let Some(case) = batch.next() {
            let Origin::Mutant { mutations, .. } = &case.origin else {
                batch.settle(&vec![row.status; case.expected.len()]);
                continue;
            };
            mutants += 1;
            assert!(!mutations.is_empty() && mutations.len() <= settings.literals);
            for mutation in mutations {
                let terms = batch.terms();
                // What over-approximates a satisfiable seed is weaker, unless the literal stands negatively.
                let weaker = (row.status == Verdict::Sat) != row.negative.contains(&&*mutation.path);
                let snippet = snippet(terms, weaker, mutation.rule, mutation.before, mutation.after)
                    .unwrap_or_else(|| panic!("{}: {mutation:?}", row.seed));
                assert_eq!(terms.sort(snippet), SortId::BOOL);
                for part in walk::reachable(terms, &[snippet]) {
                    assert!(!(row.never)(terms, part), "{}: {part:?}", row.seed);
                    used.insert(terms.op(part));
                }
            }
            // What is not declared, or not any more, cannot be read back.
            let mut text = String::new();
            batch.write(&case, Style::default(), &mut text);
            let reading = read_script(&mut Terms::new(), &text);
            assert!(reading.errors.is_empty(), "{:?}\n{text}", reading.errors);
        }
        assert!(mutants > 30, "{}: {mutants} mutants", row.seed);
        let missing: Vec<&Op> = row.uses.iter().filter(|op| !used.contains(op)).collect();
        assert!(missing.is_empty(), "{}: no snippet uses {missing:?}", row.seed);
    }
}

/// The judge of replacements can say no: the wrong connective, the wrong order, the literal gone.
#[test]
fn other_replacements_are_refused() {
    let mut terms = Terms::new();
    let [p, q] = ["p", "q"].map(|name| terms.symbol_constant(name, SortId::BOOL));
    let (or, and, turned) =
        (terms.mk(Op::Or, &[p, q]), terms.mk(Op::And, &[p, q]), terms.mk(Op::Or, &[q, p]));
    assert_eq!(snippet(&terms, true, "inject-or", p, or), Some(q));
    assert_eq!(snippet(&terms, false, "inject-and", p, and), Some(q));
    for (weaker, rule, after) in [
        (false, "inject-or", or),
        (true, "inject-or", and),
        (true, "inject-or", turned),
        (true, "inject-or", q),
    ] {
        assert_eq!(snippet(&terms, weaker, rule, p, after), None);
    }
}
