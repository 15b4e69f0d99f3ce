//! The generator of path conditions: its solutions solve, its profile is the published one, and the published algorithm solves
//! a good part of what it makes, many at once.

#[path = "../examples/path_conditions/generate.rs"]
mod generate;

use generate::{PathCondition, TABLE};
use smt::model::read_model;
use smt::{Reader, Terms};
use solve::session::{Session, SessionSettings};
use solve::verify::satisfies;
use std::time::Duration;

#[test]
fn witnesses_solve_and_operators_are_counted() {
    for index in 0..60 {
        let condition = PathCondition::new(3, index);
        let mut terms = Terms::new();
        let mut reader = Reader::new();
        let reading = reader.read(&mut terms, &condition.script());
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        let assertions: Vec<_> = reading.script.assertions().collect();
        assert_eq!(assertions.len(), condition.profile[0]);
        let model = read_model(&mut terms, &reader, &condition.model()).expect("a model");
        assert!(satisfies(&terms, &model, &assertions), "{index}");
        let text = condition.script();
        for (row, &count) in TABLE.iter().zip(&condition.profile).skip(4) {
            let operator = match row.what {
                "/" => "(div ",
                "%" => "(mod ",
                _ => "(* ",
            };
            assert_eq!(text.matches(operator).count(), count, "{} of {index}", row.what);
        }
    }
    assert_eq!(PathCondition::new(3, 1).script(), PathCondition::new(3, 1).script());
    assert_ne!(PathCondition::new(3, 1).script(), PathCondition::new(4, 1).script());
}

#[test]
fn medians_are_those_of_the_table() {
    let all: Vec<PathCondition> = (0..1000).map(|index| PathCondition::new(1, index)).collect();
    for (at, row) in TABLE.iter().enumerate() {
        let mut counts: Vec<usize> = all.iter().map(|c| c.profile[at]).collect();
        counts.sort_unstable();
        let median = counts[counts.len() / 2];
        assert!(median.abs_diff(row.median) <= 1, "{}: {median}", row.what);
        assert!(counts[0] >= row.min && counts[999] <= row.max, "{}", row.what);
        assert!(counts[999] > row.max / 2, "{}: the tail ends at {}", row.what, counts[999]);
    }
}

/// One run over many path conditions: what each phase solved adds up, and nothing is called unsatisfiable.
#[test]
fn the_published_algorithm_solves_many_together() {
    let settings = SessionSettings {
        engine: "ils-classic".into(),
        each_limit: Some(Duration::from_secs(120)),
        ..SessionSettings::default()
    };
    let texts: Vec<String> = (0..40).map(|index| PathCondition::new(5, index).script()).collect();
    let mut session = Session::new(settings).expect("an engine");
    let together = session.solve_together(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(together, Some(40));
    let mut solved = 0;
    for text in &texts {
        session.restart();
        let check = session.submit(text).checks.remove(0);
        assert_ne!(check.answer.word(), "unsat");
        let ways = check.counters.iter().filter(|(name, n)| *n == 1 && name.starts_with("solved-by")).count();
        assert_eq!(ways == 1, check.answer.word() == "sat", "{:?}", check.counters);
        solved += ways as u64;
    }
    let count =
        |name: &str| session.statistics().iter().find(|(n, _)| *n == name).map_or(0, |(_, count)| *count);
    assert_eq!(solved + count("unsolvable") + count("out-of-time"), 40);
    assert!(solved >= 20, "{solved}");
    assert!(count("solved-by-randomisation") > 0);
}
