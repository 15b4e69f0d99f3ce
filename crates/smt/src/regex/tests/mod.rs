//! The engines against each other, against plain sets of strings, and against expressions made to be slow.

mod adversarial;
mod oracle;

use super::arena::{INFINITE, Regexes};
use super::*;
use crate::string::SmtString;
use oracle::{ALPHABET, Language, Re, Rng};

fn text(s: &str) -> SmtString {
    SmtString::from_text(s).expect("a legal string")
}

/// Membership by derivatives alone, without a limit.
fn by_derivatives(regexes: &mut Regexes, id: RegexId, s: &SmtString) -> bool {
    let mark = regexes.mark();
    regexes.matches_by_derivatives(id, s, mark).expect("nothing limits this run")
}

/// Whether all implementations agree on an expression and all short strings.
fn agree(regexes: &mut Regexes, re: &Re, language: &Language) -> Result<(), String> {
    let id = re.build(regexes);
    if regexes.nullable(id) != language.contains(&SmtString::empty()) {
        return Err(format!("nullable of {re:?}"));
    }
    for (at, (s, expected)) in language.members().enumerate() {
        if by_derivatives(regexes, id, s) != expected {
            return Err(format!("derivatives: {s:?} in {re:?}"));
        }
        // A matrix covers all substrings, so some strings are enough to see them all.
        if at % 5 == 0 {
            let matrix = regexes.matrix(id, s).expect("small");
            for (start, end) in (0..=s.len()).flat_map(|end| (0..=end).map(move |start| (start, end))) {
                if matrix.get(start, end) != language.contains(&s.slice(start, end)) {
                    return Err(format!("matrix: {:?} in {re:?}", s.slice(start, end)));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn engines_agree_with_sets_of_strings() {
    let mut rng = Rng(1);
    for round in 0..3_000 {
        let mut regexes = Regexes::new();
        let re = Re::random(&mut rng, 1 + round % 9);
        agree(&mut regexes, &re, &Language::of(&re)).unwrap_or_else(|message| panic!("{message}"));
    }
}

#[test]
fn the_comparison_notices_a_wrong_language() {
    let a = || Box::new(Re::Chars(ALPHABET[0], ALPHABET[0]));
    let planted = [
        (Re::Repeat(a(), 0, INFINITE), Re::Repeat(a(), 1, INFINITE)),
        (Re::Repeat(a(), 2, 3), Re::Repeat(a(), 2, 4)),
        (Re::Comp(a()), Re::Comp(Box::new(Re::Repeat(a(), 0, 1)))),
        (Re::Chars(ALPHABET[0], ALPHABET[1]), Re::Chars(ALPHABET[0], ALPHABET[2])),
    ];
    for (right, wrong) in planted {
        assert!(agree(&mut Regexes::new(), &right, &Language::of(&right)).is_ok());
        assert!(agree(&mut Regexes::new(), &right, &Language::of(&wrong)).is_err());
    }
}

#[test]
fn search_agrees_with_trying_all_substrings() {
    let mut rng = Rng(2);
    for round in 0..1_500 {
        let mut regexes = Regexes::new();
        let re = Re::random(&mut rng, 1 + round % 7);
        let language = Language::of(&re);
        let id = re.build(&mut regexes);
        for _ in 0..12 {
            let s = language.random_string(&mut rng);
            let first = language.matches(&s, 0, true).next();
            assert_eq!(regexes.first_match(id, &s), Ok(first), "{re:?} in {s:?}");
            assert_eq!(regexes.non_empty_matches(id, &s), Ok(language.scan(&s)), "{re:?} in {s:?}");
            let from = rng.below(s.len() + 2);
            let end = language.matches(&s, from, true).find(|&(start, _)| start == from).map(|(_, end)| end);
            assert_eq!(regexes.shortest_match_from(id, &s, from), Ok(end), "{re:?} in {s:?} from {from}");
        }
    }
}

#[test]
fn both_engines_search_alike() {
    // Without steps for derivatives every query goes to the matrices.
    let no_derivatives = Limits { derivative_work: 0, ..Limits::default() };
    let mut rng = Rng(3);
    for round in 0..400 {
        let re = Re::random(&mut rng, 1 + round % 12);
        let mut first = Regexes::new();
        let mut second = Regexes::with_limits(no_derivatives);
        let (a, b) = (re.build(&mut first), re.build(&mut second));
        let chars = (0..rng.below(90)).map(|_| ALPHABET[rng.below(3)]).collect::<Vec<_>>();
        let s = SmtString::from_code_points(chars).expect("legal");
        assert_eq!(first.matches(a, &s), second.matches(b, &s), "{re:?} {s:?}");
        assert_eq!(first.first_match(a, &s), second.first_match(b, &s), "{re:?} {s:?}");
        assert_eq!(first.non_empty_matches(a, &s), second.non_empty_matches(b, &s), "{re:?} {s:?}");
    }
}

#[test]
fn reversal_reverses_every_member() {
    let mut rng = Rng(4);
    for round in 0..600 {
        let mut regexes = Regexes::new();
        let re = Re::random(&mut rng, 1 + round % 9);
        let id = re.build(&mut regexes);
        let reversed = regexes.reverse(id);
        for (s, expected) in Language::of(&re).members() {
            let back = SmtString::from_code_points(s.iter().rev()).expect("legal");
            assert_eq!(regexes.matches(reversed, &back), Ok(expected), "{re:?} {s:?}");
        }
    }
}

#[test]
fn witnesses_are_members_and_emptiness_is_right() {
    let mut rng = Rng(5);
    let mut empty = 0;
    for round in 0..1_500 {
        let mut regexes = Regexes::new();
        let re = Re::random(&mut rng, 1 + round % 9);
        let id = re.build(&mut regexes);
        let short_member = Language::of(&re).members().any(|(_, member)| member);
        match regexes.witness(id).expect("small") {
            Some(s) => {
                assert!(regexes.matrix(id, &s).expect("small").get(0, s.len()), "{s:?} in {re:?}");
                assert_eq!(regexes.is_empty_language(id), Ok(false));
                let sample = regexes.sample(id, 6, |n| rng.below(n)).expect("small").expect("not empty");
                assert!(
                    regexes.matrix(id, &sample).expect("small").get(0, sample.len()),
                    "{sample:?} in {re:?}"
                );
            }
            None => {
                assert!(!short_member, "{re:?}");
                assert_eq!(regexes.is_empty_language(id), Ok(true));
                assert_eq!(regexes.sample(id, 6, |n| rng.below(n)), Ok(None));
                empty += 1;
            }
        }
    }
    assert!(empty > 20, "the test saw only {empty} empty languages");
}

#[test]
fn samples_depend_on_choices_only() {
    let mut regexes = Regexes::new();
    let word = regexes.range(&text("a"), &text("z"));
    let words = regexes.plus(word);
    let mut draw = |seed| {
        let mut rng = Rng(seed);
        regexes.sample(words, 8, |n| rng.below(n)).expect("small").expect("not empty")
    };
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
}

#[test]
fn constructors_follow_the_standard() {
    let mut r = Regexes::new();
    let (a, b) = (text("a"), text("b"));
    assert_eq!(r.range(&b, &a), r.none());
    assert_eq!(r.range(&text("ab"), &text("c")), r.none());
    assert_eq!(r.range(&text(""), &text("c")), r.none());
    let a = r.literal(&a);
    assert_eq!(r.repeat(a, 3, 2), r.none());
    let epsilon = r.literal(&text(""));
    assert_eq!(r.power(a, 0), epsilon);
    assert_eq!(r.repeat(a, 0, 0), epsilon);
    let none = r.none();
    assert_eq!(r.star(none), epsilon);
    assert_eq!(r.opt(none), epsilon);
    assert_eq!(r.plus(none), none);
    assert_eq!(r.union(&[]), none);
    assert_eq!(r.inter(&[]), r.all());
}

#[test]
fn equal_languages_often_have_one_id() {
    let mut r = Regexes::new();
    let (a, b, c) = (r.literal(&text("a")), r.literal(&text("b")), r.literal(&text("c")));
    let (ab, bc) = (r.concat(&[a, b]), r.concat(&[b, c]));
    assert_eq!(r.concat(&[ab, c]), r.concat(&[a, bc]));
    assert_eq!(r.literal(&text("abc")), r.concat(&[a, bc]));
    let (u, v) = (r.union(&[ab, bc]), r.union(&[bc, ab, bc]));
    assert_eq!(u, v);
    let star = r.star(a);
    assert_eq!(r.star(star), star);
    let (twice, complement) = (r.comp(ab), r.comp(ab));
    assert_eq!(r.comp(twice), ab);
    assert_eq!(r.union(&[ab, complement]), r.all());
    assert_eq!(r.inter(&[ab, complement]), r.none());
    let classes = r.union(&[a, b, c]);
    assert_eq!(classes, r.range(&text("a"), &text("c")));
    let (loop_3_5, loop_4_9) = (r.repeat(ab, 3, 5), r.repeat(ab, 4, 9));
    assert_eq!(r.union(&[loop_3_5, loop_4_9]), r.repeat(ab, 3, 9));
    assert_eq!(r.concat(&[loop_3_5, loop_4_9]), r.repeat(ab, 7, 14));
    let (x, y) = (r.repeat(ab, 0, 9), r.opt(ab));
    assert_eq!(r.repeat(x, 2, 7), r.repeat(ab, 0, 63));
    assert_eq!(r.star(y), r.star(ab));
    let with_gaps = r.repeat(ab, 2, 2);
    assert_ne!(r.star(with_gaps), r.star(ab));
}

#[test]
fn derivatives_follow_characters_of_any_width() {
    let mut r = Regexes::new();
    let wide = SmtString::from_code_points([0x2FFFF]).expect("legal");
    let first = SmtString::from_code_points([0]).expect("legal");
    let all = r.range(&first, &wide);
    assert_eq!(all, r.all_char());
    let epsilon = r.literal(&text(""));
    assert_eq!(r.derivative(all, 0x2FFFF), Ok(epsilon));
    assert_eq!(r.derivative(all, 0x30000), Ok(r.none()));
    let word = text("a string that is longer than a chain of classes");
    let literal = r.literal(&word);
    assert_eq!(r.matches(literal, &word), Ok(true));
    let twice = r.power(literal, 2);
    let both = SmtString::concat(&[&word, &word]).expect("short");
    assert_eq!(r.matches(twice, &both), Ok(true));
    assert_eq!(r.matches(twice, &word), Ok(false));
    let suffix = r.derivative(literal, u32::from('a')).expect("cheap");
    assert_eq!(r.matches(suffix, &word.slice(1, word.len())), Ok(true));
}
