//! The operators against their definitions on short strings, the edges of the standard, and literals both ways.

use dashu_int::IBig;
use proptest::prelude::*;

use super::*;

fn text(s: &str) -> SmtString {
    SmtString::from_text(s).expect("a legal string")
}

fn int(value: i64) -> IBig {
    IBig::from(value)
}

fn chars(s: &SmtString) -> Vec<u32> {
    s.iter().collect()
}

/// Short strings over few letters, narrow and wide, so that patterns occur.
fn string() -> impl Strategy<Value = SmtString> {
    let letter = prop::sample::select(vec![0x61, 0x61, 0x62, 0x37, 0xFF, 0x100, MAX_CHAR]);
    let narrow = prop::sample::select(vec![0x61, 0x62]);
    let letters = prop_oneof![prop::collection::vec(letter, 0..9), prop::collection::vec(narrow, 0..9)];
    letters.prop_map(|chars| SmtString::from_code_points(chars).expect("legal"))
}

/// `str.substr` as the standard defines it, on lists.
fn substr_by_definition(s: &[u32], start: i64, len: i64) -> Vec<u32> {
    (0..)
        .zip(s)
        .filter(|&(at, _)| 0 <= start && start <= at && at < start.saturating_add(len))
        .map(|(_, &c)| c)
        .collect()
}

/// `str.indexof` as the standard defines it, on lists.
fn index_of_by_definition(s: &[u32], pattern: &[u32], from: i64) -> i64 {
    let first = (0..=s.len()).find(|&at| at as i64 >= from && s[at..].starts_with(pattern));
    if from < 0 { -1 } else { first.map_or(-1, |at| at as i64) }
}

/// `str.replace_all` by its recursive definition.
fn replace_all_by_definition(s: &[u32], pattern: &[u32], by: &[u32]) -> Vec<u32> {
    match index_of_by_definition(s, pattern, 0) {
        at if at >= 0 && !pattern.is_empty() => {
            let at = at as usize;
            let rest = replace_all_by_definition(&s[at + pattern.len()..], pattern, by);
            [&s[..at], by, &rest].concat()
        }
        _ => s.to_vec(),
    }
}

proptest! {
    #[test]
    fn operators_follow_their_definitions(
        s in string(), p in string(), by in string(), i in -3i64..12, n in -3i64..12,
    ) {
        let (sv, pv, bv) = (chars(&s), chars(&p), chars(&by));
        prop_assert_eq!(chars(&s.substr(&int(i), &int(n))), substr_by_definition(&sv, i, n));
        prop_assert_eq!(chars(&s.at(&int(i))), substr_by_definition(&sv, i, 1));
        prop_assert_eq!(s.index_of(&p, &int(i)), int(index_of_by_definition(&sv, &pv, i)));
        prop_assert_eq!(s.contains(&p), index_of_by_definition(&sv, &pv, 0) >= 0);
        prop_assert_eq!(p.prefix_of(&s), sv.starts_with(&pv));
        prop_assert_eq!(p.suffix_of(&s), sv.ends_with(&pv));
        prop_assert_eq!(s.cmp(&p), sv.cmp(&pv));
        prop_assert_eq!(s == p, sv == pv);
        prop_assert_eq!(chars(&SmtString::concat(&[&s, &p, &by]).unwrap()), [&sv[..], &pv, &bv].concat());
        prop_assert_eq!(chars(&s.replace_all(&p, &by).unwrap()), replace_all_by_definition(&sv, &pv, &bv));
        let replaced = match index_of_by_definition(&sv, &pv, 0) {
            -1 => sv.clone(),
            at => [&sv[..at as usize], &bv[..], &sv[at as usize + pv.len()..]].concat(),
        };
        prop_assert_eq!(chars(&s.replace(&p, &by).unwrap()), replaced);
    }

    #[test]
    fn literals_come_back(codes in prop::collection::vec(prop_oneof![0u32..=MAX_CHAR, 0x20u32..0x7F, Just(0x5C)], 0..12)) {
        let s = SmtString::from_code_points(codes).unwrap();
        for escapes in [Escapes::Unicode, Escapes::C] {
            match print_literal(&s, escapes) {
                Ok(literal) => {
                    prop_assert!(literal.bytes().all(|b| (0x20..0x7F).contains(&b)));
                    let raw = &literal.as_bytes()[1..literal.len() - 1];
                    prop_assert_eq!(parse_literal(raw, escapes), Ok(s.clone()));
                }
                Err(error) => {
                    prop_assert_eq!(escapes, Escapes::C);
                    let wide = s.iter().find(|&c| c > 0xFF).unwrap();
                    prop_assert_eq!(error, EscapeError::NotRepresentable(wide));
                }
            }
        }
    }

    #[test]
    fn backslashes_come_back(s in r#"[\\u{}0-9af"x]{0,12}"#) {
        let s = text(&s);
        for escapes in [Escapes::Unicode, Escapes::C] {
            let literal = print_literal(&s, escapes).unwrap();
            prop_assert_eq!(parse_literal(&literal.as_bytes()[1..literal.len() - 1], escapes), Ok(s.clone()));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(raw in prop::collection::vec(any::<u8>(), 0..20)) {
        for escapes in [Escapes::Unicode, Escapes::C] {
            if let Ok(s) = parse_literal(&raw, escapes) {
                prop_assert!(s.iter().all(|c| c <= MAX_CHAR) && s.len() <= raw.len());
            }
        }
    }
}

#[test]
fn integers_of_any_size_are_indices() {
    let s = text("abc");
    let huge = IBig::ONE << 200;
    assert_eq!(s.substr(&int(1), &huge), text("bc"));
    assert_eq!(s.substr(&huge, &huge), text(""));
    assert_eq!(s.substr(&-huge.clone(), &huge), text(""));
    assert_eq!(s.substr(&int(0), &-huge.clone()), text(""));
    assert_eq!(s.at(&huge), text(""));
    assert_eq!(s.index_of(&text(""), &huge), int(-1));
    assert_eq!(s.index_of(&text(""), &int(3)), int(3));
    assert_eq!(s.index_of(&text(""), &int(4)), int(-1));
    assert_eq!(SmtString::from_code(&huge), text(""));
}

#[test]
fn codes_and_digits() {
    assert_eq!(text("a").to_code(), int(97));
    assert_eq!(text("").to_code(), int(-1));
    assert_eq!(text("ab").to_code(), int(-1));
    assert_eq!(SmtString::from_code(&int(0x2FFFF)).to_code(), int(0x2FFFF));
    assert_eq!(SmtString::from_code(&int(0x30000)), text(""));
    assert_eq!(SmtString::from_code(&int(-1)), text(""));
    for (s, expected) in [("0", true), ("9", true), ("a", false), ("", false), ("00", false), ("٣", false)] {
        assert_eq!(text(s).is_digit(), expected, "{s}");
    }
    for (s, expected) in [("0", 0), ("007", 7), ("", -1), ("-1", -1), ("+1", -1), ("1_0", -1), ("١", -1)] {
        assert_eq!(text(s).to_int(), int(expected), "{s}");
    }
    for (value, expected) in [(0, "0"), (42, "42"), (-1, "")] {
        assert_eq!(SmtString::from_int(&int(value)), text(expected));
    }
}

#[test]
fn huge_numbers_convert_both_ways() {
    // A quadratic conversion of so many digits would not end within the time of the other tests together.
    let digits = SmtString::from_latin1(&b"1234567890".repeat(30_000));
    let value = digits.to_int();
    assert_eq!(&value % IBig::from(1_000_000_007u64), int(residue(&digits, 1_000_000_007)));
    assert_eq!(SmtString::from_int(&value), digits);
}

/// The number that the digits denote, modulo `m`, digit by digit.
fn residue(digits: &SmtString, m: i64) -> i64 {
    digits.iter().fold(0, |value, c| (value * 10 + i64::from(c - 0x30)) % m)
}

#[test]
fn long_searches_are_linear() {
    // Periodic texts and patterns that a naive search compares over and over.
    for last in [0x62, 0x1000] {
        let long = SmtString::from_code_points((0..300_000).map(|_| 0x61).chain([last])).expect("legal");
        let pattern = SmtString::from_code_points((0..100_000).map(|_| 0x61).chain([last])).expect("legal");
        assert_eq!(long.index_of(&pattern, &int(5)), int(200_000));
        assert!(!long.slice(0, 300_000).contains(&pattern));
        assert_eq!(long.replace_all(&text("aa"), &text("x")).expect("shorter").len(), 150_001);
    }
}

#[test]
fn results_that_fit_no_memory_are_refused() {
    let s = SmtString::from_latin1(&[b'a'; 1 << 16]);
    assert_eq!(s.replace_all(&text("a"), &s), Err(LimitReached::Length));
    let parts = vec![&s; 1 << 13];
    assert_eq!(SmtString::concat(&parts), Err(LimitReached::Length));
    assert_eq!(SmtString::concat(&parts[..16]).map(|s| s.len()), Ok(1 << 20));
}

#[test]
fn equal_strings_are_equal_however_they_were_made() {
    let wide = SmtString::from_code_points([0x61, 0x1000]).expect("legal");
    assert_eq!(wide.at(&int(0)), text("a"));
    assert_eq!(wide.replace(&SmtString::from_code(&int(0x1000)), &text("b")), Ok(text("ab")));
    assert_eq!(SmtString::concat(&[&wide.substr(&int(0), &int(0)), &text("a")]), Ok(text("a")));
    assert_eq!(SmtString::from_code_points([0x30000]), None);
    assert_eq!(SmtString::from_code_points([0xD800]).map(|s| s.to_code()), Some(int(0xD800)));
}

/// The text between the quotes, and its characters in each dialect.
const LITERALS: &[(&str, &[u32], &[u32])] = &[
    (r"\u0041", &[0x41], &[0x75, 0x30, 0x30, 0x34, 0x31]),
    (
        r"\u{41}\u{2fFfF}",
        &[0x41, 0x2FFFF],
        &[0x75, 0x7B, 0x34, 0x31, 0x7D, 0x75, 0x7B, 0x32, 0x66, 0x46, 0x66, 0x46, 0x7D],
    ),
    (
        r"\u{30000}",
        &[0x5C, 0x75, 0x7B, 0x33, 0x30, 0x30, 0x30, 0x30, 0x7D],
        &[0x75, 0x7B, 0x33, 0x30, 0x30, 0x30, 0x30, 0x7D],
    ),
    (r"\u{}", &[0x5C, 0x75, 0x7B, 0x7D], &[0x75, 0x7B, 0x7D]),
    (
        r"\u{000041}",
        &[0x5C, 0x75, 0x7B, 0x30, 0x30, 0x30, 0x30, 0x34, 0x31, 0x7D],
        &[0x75, 0x7B, 0x30, 0x30, 0x30, 0x30, 0x34, 0x31, 0x7D],
    ),
    (r"\u{00041}", &[0x41], &[0x75, 0x7B, 0x30, 0x30, 0x30, 0x34, 0x31, 0x7D]),
    (r"\u004", &[0x5C, 0x75, 0x30, 0x30, 0x34], &[0x75, 0x30, 0x30, 0x34]),
    (r"\x41", &[0x5C, 0x78, 0x34, 0x31], &[0x41]),
    (r"\xg1", &[0x5C, 0x78, 0x67, 0x31], &[0x78, 0x67, 0x31]),
    (
        r"\a\b\e\f\n\r\t\v",
        &[0x5C, 0x61, 0x5C, 0x62, 0x5C, 0x65, 0x5C, 0x66, 0x5C, 0x6E, 0x5C, 0x72, 0x5C, 0x74, 0x5C, 0x76],
        &[7, 8, 27, 12, 10, 13, 9, 11],
    ),
    (
        r"\101\7\0018",
        &[0x5C, 0x31, 0x30, 0x31, 0x5C, 0x37, 0x5C, 0x30, 0x30, 0x31, 0x38],
        &[0x41, 7, 1, 0x38],
    ),
    (r"\400", &[0x5C, 0x34, 0x30, 0x30], &[0x5C, 0x34, 0x30, 0x30]),
    (r"\\u0041", &[0x5C, 0x41], &[0x5C, 0x75, 0x30, 0x30, 0x34, 0x31]),
    (r"\", &[0x5C], &[0x5C]),
    (r#"\""x"#, &[0x5C, 0x22, 0x78], &[0x5C, 0x22, 0x78]),
    (r#""""""#, &[0x22, 0x22], &[0x22, 0x22]),
    ("é𝒳\n", &[0xE9, 0x1D4B3, 0x0A], &[0xE9, 0x1D4B3, 0x0A]),
];

#[test]
fn literals_are_read_in_two_dialects() {
    for &(raw, unicode, c) in LITERALS {
        for (escapes, expected) in [(Escapes::Unicode, unicode), (Escapes::C, c)] {
            let value = parse_literal(raw.as_bytes(), escapes).map(|s| chars(&s));
            assert_eq!(value, Ok(expected.to_vec()), "{raw} as {escapes:?}");
        }
    }
}

#[test]
fn bad_literals_are_refused_with_their_place() {
    let parse = |raw: &[u8]| parse_literal(raw, Escapes::Unicode);
    assert_eq!(parse(b"ab\xFFc"), Err(EscapeError::InvalidUtf8 { offset: 2 }));
    assert_eq!(parse(b"a\"b"), Err(EscapeError::LoneQuote { offset: 1 }));
    let too_large = EscapeError::ScalarTooLarge { scalar: 0x30000, offset: 2 };
    assert_eq!(parse("é\u{30000}".as_bytes()), Err(too_large));
    assert!(parse("\u{2FFFF}".as_bytes()).is_ok());
}

#[test]
fn printing_escapes_what_some_release_would_misread() {
    for (value, unicode, c) in [
        ("a\\b", r#""a\u{5c}b""#, r#""a\\b""#),
        ("\\u0041", r#""\u{5c}u0041""#, r#""\\u0041""#),
        ("\\u004", r#""\u{5c}u004""#, r#""\\u004""#),
        ("\\u{41", r#""\u{5c}u{41""#, r#""\\u{41""#),
        ("\\u{41}", r#""\u{5c}u{41}""#, r#""\\u{41}""#),
        ("\"\n\u{7F}", r#""""\u{a}\u{7f}""#, r#""""\x0a\x7f""#),
    ] {
        assert_eq!(print_literal(&text(value), Escapes::Unicode).as_deref(), Ok(unicode));
        assert_eq!(print_literal(&text(value), Escapes::C).as_deref(), Ok(c));
    }
}
