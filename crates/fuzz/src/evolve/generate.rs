//! Whole individuals: the generators of StringFuzz (concats, lengths, overlaps, equality, regexes, random-ast) as a table.
//! Each makes assertions of one typical structure; evolution mixes them. Logics without strings use the generators that
//! need none.

use super::grammar::Grammar;
use super::grow::Grower;
use super::individual::Individual;
use random::Rng;
use smt::{Op, SortId, TermId, Terms};

/// How large new individuals are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// At most this many assertions.
    pub assertions: usize,
    /// At most this many variables of a sort.
    pub variables: usize,
    /// Terms are at most this deep.
    pub depth: u32,
}

impl Default for Size {
    fn default() -> Size {
        Size { assertions: 5, variables: 4, depth: 3 }
    }
}

/// A way to make first formulas.
#[derive(Debug)]
pub(crate) struct Generator {
    /// StringFuzz's name, for the messages of tests.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by tests"))]
    pub(crate) name: &'static str,
    /// How often it is taken relative to the others.
    pub weight: usize,
    strings: bool,
    build: fn(&mut Grower, Size) -> Vec<TermId>,
}

/// The table of generators.
pub(crate) static GENERATORS: &[Generator] = &[
    Generator { name: "concats", weight: 1, strings: true, build: concats },
    Generator { name: "lengths", weight: 1, strings: true, build: lengths },
    Generator { name: "overlaps", weight: 1, strings: true, build: overlaps },
    Generator { name: "equality", weight: 1, strings: false, build: equality },
    Generator { name: "regexes", weight: 2, strings: true, build: regexes },
    Generator { name: "random-ast", weight: 6, strings: false, build: random_ast },
];

/// A new individual by one of the generators that fit the grammar.
pub(crate) fn generate(terms: &mut Terms, rng: &mut Rng, grammar: &Grammar, size: Size) -> Individual {
    let strings = grammar.sorts.contains(&SortId::STRING);
    let fitting = || GENERATORS.iter().filter(|g| strings || !g.strings);
    let mut left = rng.below(fitting().map(|g| g.weight).sum());
    for generator in fitting() {
        if left < generator.weight {
            return with(terms, rng, grammar, size, generator);
        }
        left -= generator.weight;
    }
    unreachable!("the number drawn is below the sum of the weights")
}

/// A new individual by one generator.
pub(crate) fn with(
    terms: &mut Terms,
    rng: &mut Rng,
    grammar: &Grammar,
    size: Size,
    generator: &Generator,
) -> Individual {
    let mut grower = Grower::new(terms, rng, grammar, size.variables);
    let assertions = (generator.build)(&mut grower, size);
    Individual::new(terms, &assertions)
}

fn count(grower: &mut Grower, most: usize) -> usize {
    1 + grower.rng.below(most.max(1))
}

/// A nest of concatenations equal to a literal or a variable.
fn concats(grower: &mut Grower, size: Size) -> Vec<TermId> {
    (0..count(grower, size.assertions))
        .map(|_| {
            let mut nest = grower.leaf(SortId::STRING);
            for _ in 0..count(grower, size.depth as usize + 1) {
                let leaf = grower.leaf(SortId::STRING);
                let parts = if grower.rng.one_in(2) { [leaf, nest] } else { [nest, leaf] };
                nest = grower.terms.mk(Op::StrConcat, &parts);
            }
            let right = grower.leaf(SortId::STRING);
            grower.terms.mk(Op::Eq, &[nest, right])
        })
        .collect()
}

/// Relations between the lengths of strings.
fn lengths(grower: &mut Grower, size: Size) -> Vec<TermId> {
    (0..count(grower, size.assertions))
        .map(|_| {
            let string = grower.term(SortId::STRING, size.depth.min(2));
            let length = grower.terms.mk(Op::StrLen, &[string]);
            let bound = if grower.rng.one_in(2) {
                grower.literal(SortId::INT)
            } else {
                let other = grower.variable(SortId::STRING);
                grower.terms.mk(Op::StrLen, &[other])
            };
            let relation = grower.rng.pick(&[Op::Eq, Op::Lt, Op::Ge, Op::Gt, Op::Le]);
            grower.terms.mk(relation, &[length, bound])
        })
        .collect()
}

/// Word equations whose sides overlap: `A ++ x = x ++ B`, which naive splitting never finishes.
fn overlaps(grower: &mut Grower, size: Size) -> Vec<TermId> {
    (0..count(grower, size.assertions.div_ceil(2)))
        .map(|_| {
            let middle = grower.variable(SortId::STRING);
            let (left, right) = (grower.leaf(SortId::STRING), grower.leaf(SortId::STRING));
            let one = grower.terms.mk(Op::StrConcat, &[left, middle]);
            let other = grower.terms.mk(Op::StrConcat, &[middle, right]);
            grower.terms.mk(Op::Eq, &[one, other])
        })
        .collect()
}

/// One variable equal to several terms.
fn equality(grower: &mut Grower, size: Size) -> Vec<TermId> {
    let sort = grower.rng.pick(&grower.grammar().sorts);
    let variable = grower.variable(sort);
    (0..count(grower, size.assertions))
        .map(|_| {
            let term = grower.term(sort, size.depth);
            grower.terms.mk(Op::Eq, &[variable, term])
        })
        .collect()
}

/// Memberships of few strings in random regular expressions, with bounds on their lengths.
fn regexes(grower: &mut Grower, size: Size) -> Vec<TermId> {
    (0..count(grower, size.assertions))
        .map(|_| {
            let string = grower.variable(SortId::STRING);
            if grower.rng.one_in(4) {
                let length = grower.terms.mk(Op::StrLen, &[string]);
                let least = count(grower, 40) as i64;
                let least = grower.terms.int(least);
                return grower.terms.mk(Op::Ge, &[length, least]);
            }
            let regex = grower.term(SortId::REG_LAN, size.depth);
            let member = grower.terms.mk(Op::StrInRe, &[string, regex]);
            if grower.rng.one_in(4) { grower.terms.mk(Op::Not, &[member]) } else { member }
        })
        .collect()
}

/// Random predicates.
fn random_ast(grower: &mut Grower, size: Size) -> Vec<TermId> {
    (0..count(grower, size.assertions)).map(|_| grower.assertion(size.depth)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::grammar::LOGICS;
    use super::*;

    #[test]
    fn every_generator_makes_well_sorted_individuals() {
        for logic in LOGICS {
            let mut terms = Terms::new();
            let grammar = Grammar::new(&mut terms, logic);
            let strings = grammar.sorts.contains(&SortId::STRING);
            for generator in GENERATORS.iter().filter(|g| strings || !g.strings) {
                for seed in 0..100 {
                    let size = Size::default();
                    let made = with(&mut terms, &mut Rng::new(seed), &grammar, size, generator);
                    assert!((1..=size.assertions).contains(&made.assertions().len()), "{}", generator.name);
                    let text = made.text(&mut terms, logic.name, smt::Dialect::V26);
                    let reading = smt::read_script(&mut terms, &text);
                    assert!(reading.errors.is_empty(), "{}: {text}", generator.name);
                    assert!(logic.holds(&terms, made.assertions()));
                }
            }
        }
    }

    #[test]
    fn the_same_seed_makes_the_same_individual() {
        let text = |seed| {
            let mut terms = Terms::new();
            let grammar = Grammar::new(&mut terms, &LOGICS[0]);
            let made = generate(&mut terms, &mut Rng::new(seed), &grammar, Size::default());
            made.text(&mut terms, "QF_S", smt::Dialect::V25)
        };
        assert_eq!(text(5), text(5));
        assert!((0..20).any(|seed| text(seed) != text(5)));
    }

    #[test]
    fn real_solvers_accept_what_is_generated() {
        let Some(solver) = testkit::Solver::find(testkit::SolverKind::Cvc5) else { return };
        for logic in LOGICS {
            let mut terms = Terms::new();
            let grammar = Grammar::new(&mut terms, logic);
            let mut script = String::from("(set-option :incremental true)\n(set-logic ALL)\n");
            for seed in 0..60 {
                let made = generate(&mut terms, &mut Rng::new(seed), &grammar, Size::default());
                let text = made.text(&mut terms, logic.name, smt::Dialect::V26);
                // Parsing and sort checking is asked for, not solving.
                let body = text.replace("(check-sat)", "");
                let body = body.split_once('\n').map_or("", |(_, rest)| rest);
                script.push_str(&format!("(push 1)\n{body}(pop 1)\n"));
            }
            let answer = solver.run(&script, 1_000, 20);
            assert!(!answer.contains("rror"), "{}: {answer}", logic.name);
        }
    }
}
