//! Expressions made to be slow or deep. Bounds are counted in steps, not in time.

use super::*;

fn many(s: &str, times: usize) -> SmtString {
    text(&s.repeat(times))
}

fn letters(seed: u64, n: usize) -> SmtString {
    let mut rng = Rng(seed);
    SmtString::from_code_points((0..n).map(|_| ALPHABET[rng.below(2)])).expect("legal")
}

/// `((a{lo,hi} b?){lo,hi} c?){lo,hi}`: no loop of it can be joined with another.
fn nested_loops(r: &mut Regexes, lo: u64, hi: u64) -> RegexId {
    let mut body = r.literal(&text("a"));
    for end in ["b", "c"] {
        let end = r.literal(&text(end));
        let end = r.opt(end);
        let inner = r.repeat(body, lo, hi);
        body = r.concat(&[inner, end]);
    }
    r.repeat(body, lo, hi)
}

/// `Σ* x Σ{n}`, whose deterministic automaton has more than `2^n` states.
fn letter_from_the_end(r: &mut Regexes, letter: &str, n: u64) -> RegexId {
    let letter = r.literal(&text(letter));
    let rest = r.power(r.all_char(), n);
    r.concat(&[r.all(), letter, rest])
}

/// A name, an expression, a string, whether it matches, and the most steps per character.
type Case = (&'static str, fn(&mut Regexes) -> RegexId, SmtString, bool, u64);

fn cases() -> Vec<Case> {
    let three_loops: fn(&mut Regexes) -> RegexId = |r| {
        let a = r.literal(&text("a"));
        (0..3).fold(a, |body, _| r.repeat(body, 0, 1_000))
    };
    let options: fn(&mut Regexes) -> RegexId = |r| {
        let a = r.literal(&text("a"));
        let option = r.opt(a);
        let parts = [r.power(option, 5_000), r.power(a, 5_000)];
        r.concat(&parts)
    };
    let same_twice: fn(&mut Regexes) -> RegexId = |r| {
        let (a, aa) = (r.literal(&text("a")), r.literal(&text("aa")));
        let (once, twice) = (r.union(&[a, a]), r.union(&[a, aa]));
        let (once, twice) = (r.star(once), r.star(twice));
        let both = r.concat(&[once, twice]);
        r.star(both)
    };
    let boolean: fn(&mut Regexes) -> RegexId = |r| {
        let (a, b) = (letter_from_the_end(r, "a", 20), letter_from_the_end(r, "b", 20));
        let b = r.comp(b);
        let both = r.inter(&[a, b]);
        r.comp(both)
    };
    let primes: fn(&mut Regexes) -> RegexId = |r| {
        let a = r.literal(&text("a"));
        let multiples = [2, 3, 5, 7, 11, 13, 17, 19, 23].map(|p| {
            let power = r.power(a, p);
            r.star(power)
        });
        r.inter(&multiples)
    };
    let counted: fn(&mut Regexes) -> RegexId = |r| {
        let a = r.literal(&text("a"));
        let (most, end) = (r.repeat(a, 0, 1 << 60), r.literal(&text("b")));
        r.concat(&[most, end])
    };
    let with_b_from_the_end =
        SmtString::concat(&[&letters(1, 5_000), &text("b"), &letters(2, 20)]).expect("short");
    vec![
        ("nested loops that are one", three_loops, many("a", 50_000), true, 8),
        ("options before as many letters", options, many("a", 5_000), true, 8),
        ("options, one letter too few", options, many("a", 4_999), false, 8),
        ("stars of the same", same_twice, many("a", 10_000), true, 8),
        ("stars of the same, other end", same_twice, text(&("a".repeat(10_000) + "b")), false, 8),
        ("nested loops from 0", |r| nested_loops(r, 0, 1_000), many("a", 20_000), true, 150),
        ("nested loops from 2", |r| nested_loops(r, 2, 1_000), many("aaab", 3_000), true, 150),
        ("nested loops from 2, no match", |r| nested_loops(r, 2, 1_000), many("ac", 6_000), false, 150),
        ("nested loops with gaps", |r| nested_loops(r, 2, 3), many("a", 27), true, 400),
        ("complement of an intersection", boolean, with_b_from_the_end, true, 150),
        ("multiples of 223,092,870", primes, many("a", 5_000), false, 60),
        ("a counter beyond all strings", counted, text(&("a".repeat(50_000) + "b")), true, 16),
    ]
}

#[test]
fn slow_expressions_take_few_steps() {
    for (name, build, string, expected, steps_per_char) in cases() {
        let mut r = Regexes::new();
        let id = build(&mut r);
        let before = r.work();
        assert_eq!(by_derivatives(&mut r, id, &string), expected, "{name}");
        let steps = (r.work() - before) / string.len() as u64;
        assert!(steps <= steps_per_char, "{name}: {steps} steps per character");
    }
}

#[test]
fn matrices_take_over_where_derivatives_explode() {
    // Complements under counted loops: no two alternatives can be merged, so the number of alternatives explodes.
    let mut r = Regexes::new();
    let (ab, baa) = (r.literal(&text("ab")), r.literal(&text("baa")));
    let inner = r.union(&[ab, baa, r.all_char()]);
    let mut body = r.repeat(inner, 13, 67);
    for (lo, hi) in [(2, 5), (3, 9), (2, 17)] {
        let other = r.comp(body);
        let part = r.concat(&[other, ab]);
        body = r.repeat(part, lo, hi);
    }
    let string = letters(5, 400);
    let before = r.work();
    let mark = r.mark();
    let derivatives = r.limited(1_000_000, |r| r.matches_by_derivatives(body, &string, mark));
    assert_eq!(derivatives, Err(LimitReached::Work));
    let steps_alone = r.work() - before;
    let before = r.work();
    assert!(r.matches(body, &string).is_ok());
    assert!(r.work() - before < steps_alone / 2, "{} steps", r.work() - before);
}

#[test]
fn a_query_that_needs_too_much_says_so() {
    let limits = Limits { derivative_work: 1_000, matrix_work: 1_000, matrix_bytes: 1 << 20 };
    let mut r = Regexes::with_limits(limits);
    let id = letter_from_the_end(&mut r, "a", 200);
    let other = letter_from_the_end(&mut r, "b", 201);
    let both = r.inter(&[id, other]);
    assert_eq!(r.matches(both, &letters(6, 800)), Err(LimitReached::Work));
    let memory = Limits { derivative_work: 0, matrix_work: u64::MAX, matrix_bytes: 1 << 10 };
    let mut r = Regexes::with_limits(memory);
    let id = nested_loops(&mut r, 2, 9);
    assert_eq!(r.matches(id, &many("a", 400)), Err(LimitReached::Memory));
}

#[test]
fn search_is_linear() {
    let mut r = Regexes::new();
    let (a, b) = (r.literal(&text("a")), r.literal(&text("b")));
    let run = r.plus(a);
    let id = r.concat(&[run, b]);
    // Every start but none of the matches: a scan from each start would read the rest each time.
    let string = many("a", 100_000);
    let before = r.work();
    assert_eq!(r.first_match(id, &string), Ok(None));
    assert_eq!(r.non_empty_matches(id, &string), Ok(vec![]));
    let string = many("aab", 30_000);
    assert_eq!(r.non_empty_matches(id, &string).expect("cheap").len(), 30_000);
    // A long literal in its own repetition, where every position starts a long comparison.
    let word = many("a", 50_000);
    let id = r.literal(&word);
    assert_eq!(r.first_match(id, &many("a", 99_999)), Ok(Some((0, 50_000))));
    assert_eq!(r.first_match(id, &text(&("a".repeat(49_999) + "b"))), Ok(None));
    assert_eq!(r.non_empty_matches(id, &many("a", 100_001)), Ok(vec![(0, 50_000), (50_000, 100_000)]));
    assert!(r.work() - before < 1_000, "{} steps", r.work() - before);
}

#[test]
fn queries_leave_little_behind() {
    let mut r = Regexes::new();
    let a = r.literal(&text("a"));
    let most = r.repeat(a, 0, 1 << 40);
    let b = r.literal(&text("b"));
    let id = r.concat(&[most, b]);
    let size = r.size();
    // Long enough to need a compaction while it runs.
    assert_eq!(r.matches(id, &text(&("a".repeat(300_000) + "b"))), Ok(true));
    assert_eq!(r.size(), size);
    assert_eq!(r.matches(id, &text("aab")), Ok(true));
}

/// Deeper than any stack of a test's thread could follow.
const DEEP: usize = 30_000;

/// Puts one more level around an expression, with a letter.
type Wrap = fn(&mut Regexes, RegexId, RegexId) -> RegexId;

/// The same nesting with the same letters on top, shallow.
const SHALLOW: usize = 12;

#[test]
fn depth_overflows_no_stack() {
    let wrappers: [(&str, Wrap); 8] = [
        ("concatenation to the left", |r, deep, a| r.concat(&[deep, a])),
        ("concatenation to the right", |r, deep, a| r.concat(&[a, deep])),
        ("union", |r, deep, a| {
            let more = r.concat(&[a, deep]);
            r.union(&[a, more])
        }),
        ("complement", |r, deep, a| {
            let other = r.comp(deep);
            r.concat(&[a, other])
        }),
        ("star", |r, deep, a| {
            let part = r.concat(&[a, deep]);
            r.star(part)
        }),
        ("intersection", |r, deep, a| {
            let part = r.union(&[deep, a]);
            let all = r.concat(&[part, r.all()]);
            r.inter(&[all, part])
        }),
        ("loops that meet once a star opens them", |r, deep, a| {
            let parts = [(0, 5, 0), (6, INFINITE, 1)].map(|(lo, hi, least)| {
                let inner = r.repeat(deep, lo, hi);
                let part = r.union(&[inner, a]);
                r.repeat(part, least, 3)
            });
            r.union(&parts)
        }),
        ("loop", |r, deep, a| {
            let part = r.union(&[deep, a]);
            r.repeat(part, 2, 2)
        }),
    ];
    for (name, wrap) in wrappers {
        let mut r = Regexes::new();
        let letters = ["a", "b"].map(|letter| r.literal(&text(letter)));
        let [deep, shallow] = [DEEP, SHALLOW]
            .map(|depth| (0..depth).fold(letters[0], |re, at| wrap(&mut r, re, letters[at % 2])));
        let [deep_star, shallow_star] = [deep, shallow].map(|id| r.star(id));
        for (string, deep, shallow) in [
            (text(""), deep, shallow),
            (text("bb"), deep, shallow),
            (text("bababa"), deep, shallow),
            (text("bababa"), deep_star, shallow_star),
        ] {
            let matrix = r.matrix(shallow, &string).expect("small");
            let expected = matrix.get(0, string.len());
            assert_eq!(r.matches(deep, &string), Ok(expected), "{name}: {string:?}");
            let expected = (0..=string.len()).find_map(|at| Some((at, matrix.first_end(at, at)?)));
            assert_eq!(r.first_match(deep, &string), Ok(expected), "{name}: in {string:?}");
        }
    }
}

#[test]
fn shared_parts_are_not_copied() {
    // Forty doublings of a concatenation and of a union: trees of a million million leaves.
    let mut r = Regexes::new();
    let (a, b) = (r.literal(&text("a")), r.literal(&text("b")));
    let (mut word, mut choice) = (a, a);
    for _ in 0..40 {
        word = r.concat(&[word, b, word]);
        let optional = r.opt(choice);
        let left = r.concat(&[optional, b]);
        let right = r.concat(&[b, choice]);
        choice = r.union(&[left, right, choice]);
    }
    assert_eq!(r.matches(word, &many("ab", 1_000)), Ok(false));
    assert_eq!(r.matches(choice, &many("b", 40)), Ok(true));
    let prefix = r.concat(&[word, r.all()]);
    let prefixes = r.comp(prefix);
    assert_eq!(r.matches(prefixes, &many("ab", 1_000)), Ok(true));
    assert!(r.size() < 20_000, "{} nodes", r.size());
}
