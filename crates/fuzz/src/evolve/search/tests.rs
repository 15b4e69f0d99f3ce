//! Whole runs with a counted objective in the place of time: what a formula costs is computed from its text.

use super::super::coverage::{Coverage, RowCount};
use super::super::evaluate::{Measurement, Timing};
use super::super::grammar::LOGICS;
use super::super::store;
use super::super::trace::Trace;
use super::super::variant::VARIANTS;
use super::*;
use crate::case::Verdict;
use smt::Dialect;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Costs by counting: every `str.indexof` under which no literal string starts costs the target a second, up to 5.
struct Counted {
    name: &'static str,
    texts: Mutex<Vec<String>>,
}

impl Counted {
    fn new() -> Counted {
        Counted { name: "counted 1", texts: Mutex::new(Vec::new()) }
    }
}

impl Evaluate for Counted {
    fn dialects(&self) -> (Dialect, Dialect) {
        (Dialect::V26, Dialect::V25)
    }

    fn limit(&self) -> f64 {
        5.0
    }

    fn solvers(&self) -> String {
        self.name.into()
    }

    fn measure(
        &self,
        _: usize,
        subject: &Formula,
        _: &AtomicBool,
    ) -> Result<Option<Measurement>, EvolveError> {
        self.texts.lock().unwrap().push(subject.target.clone());
        let count = |word: &str| subject.target.matches(word).count();
        let seconds = (count("str.indexof s") as f64).min(5.0);
        let ending = if seconds == 5.0 { Ending::Timeout } else { Ending::Answered(Verdict::Sat) };
        let words = ["str.len", "str.at", "str.++", "re.", "str.indexof", "(+", "str.to_int", "ite"];
        let rows = words.iter().enumerate().map(|(i, word)| RowCount {
            file: i as u64 / 3,
            row: i as u64,
            count: count(word) as u64,
        });
        let reference = Some(Timing { seconds: 0.01, ending: Ending::Answered(Verdict::Sat) });
        Ok(Some(Measurement {
            target: Timing { seconds, ending },
            reference,
            contradiction: false,
            coverage: Coverage::new(rows.collect()),
            trace: Trace::from_lines(subject.target.split([' ', '(']).map(str::as_bytes)),
        }))
    }
}

fn settings(seed: u64, tests: u64) -> EvolutionSettings {
    EvolutionSettings { tests: Some(tests), population: 12, ..EvolutionSettings::new(seed) }
}

fn texts(evolution: &Evolution) -> Vec<String> {
    evolution.members.iter().map(|member| member.text.clone()).collect()
}

fn run(settings: &EvolutionSettings) -> (Vec<String>, Vec<Generation>, StopReason) {
    let counted = Counted::new();
    let mut evolution = Evolution::new(settings, &counted);
    let reason = evolution.run(&AtomicBool::new(false), &mut |_| Ok(())).unwrap();
    (texts(&evolution), evolution.history.clone(), reason)
}

#[test]
fn the_parameters_of_the_paper() {
    let settings = EvolutionSettings::new(0);
    assert_eq!((settings.population, settings.crossover, settings.mutation), (40, 0.75, 0.25));
}

#[test]
fn the_same_seed_is_the_same_run_with_any_number_of_jobs() {
    let one = run(&settings(7, 200));
    let four = run(&EvolutionSettings { jobs: 4, ..settings(7, 200) });
    assert_eq!(one, four);
    assert_eq!(one.2, StopReason::Tests);
    assert_ne!(one.0, run(&settings(8, 200)).0);
}

#[test]
fn no_formula_is_measured_twice() {
    let counted = Counted::new();
    let settings = settings(3, 400);
    let mut evolution = Evolution::new(&settings, &counted);
    evolution.run(&AtomicBool::new(false), &mut |_| Ok(())).unwrap();
    let texts = counted.texts.into_inner().unwrap();
    assert_eq!(texts.len(), 400);
    assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), 400);
}

#[test]
fn every_variant_gets_better_at_its_time_objective() {
    for variant in VARIANTS {
        let settings = EvolutionSettings { variant, ..settings(5, 600) };
        let (members, history, _) = run(&settings);
        assert_eq!(members.len(), 12, "{}", variant.name);
        let (first, last) = (history[0], history[history.len() - 1]);
        assert!(last.best_score > first.best_score, "{}: {first:?} {last:?}", variant.name);
        assert!(history.windows(2).all(|w| w[1].best_score >= w[0].best_score), "{}: elitism", variant.name);
    }
}

#[test]
fn complexity_as_an_objective_keeps_formulas_small() {
    let mean = |name: &str| {
        let variant = Variant::by_name(name).unwrap();
        let total: f64 = (0..4)
            .map(|seed| {
                run(&EvolutionSettings { variant, ..settings(seed, 400) }).1.last().unwrap().mean_complexity
            })
            .sum();
        total / 4.0
    };
    assert!(mean("default") < mean("no-complexity"));
}

#[test]
fn every_logic_evolves() {
    for logic in LOGICS {
        let (members, _, reason) = run(&EvolutionSettings { logic, ..settings(1, 120) });
        assert_eq!((members.len(), reason), (12, StopReason::Tests), "{}", logic.name);
    }
}

#[test]
fn a_stored_run_continues_as_if_it_had_not_stopped() {
    let whole = run(&settings(9, 300));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let (out, _) = output::Folder::open(folder.path(), "fuzz evolve", false).unwrap();
    let half = settings(9, 150);
    let counted = Counted::new();
    let mut first = Evolution::new(&half, &counted);
    first.run(&AtomicBool::new(false), &mut |evolution| store::save(&out, evolution)).unwrap();
    drop(first);
    let rest = settings(9, 300);
    let other = settings(10, 300);
    let refused = store::load(&path, &mut Evolution::new(&other, &counted)).unwrap_err().to_string();
    assert!(refused.contains("--seed 9") && refused.contains("--seed 10"), "{refused}");
    // Another solver would be another run, though all else is the same.
    let newer = Counted { name: "counted 2", ..Counted::new() };
    let refused = store::load(&path, &mut Evolution::new(&rest, &newer)).unwrap_err().to_string();
    assert!(refused.contains("counted 1, not with counted 2"), "{refused}");
    let mut second = Evolution::new(&rest, &counted);
    store::load(&path, &mut second).unwrap();
    assert!(second.next > 1 && second.counts.tests <= 150);
    second.run(&AtomicBool::new(false), &mut |_| Ok(())).unwrap();
    assert_eq!(texts(&second), whole.0);
    // The half run ended within a generation, which the stored one does not know.
    assert_eq!(second.history.last(), whole.1.last());
}

#[test]
fn a_run_stops_at_once_when_it_is_told_to() {
    let counted = Counted::new();
    let settings = settings(1, 1_000);
    let mut evolution = Evolution::new(&settings, &counted);
    let reason = evolution.run(&AtomicBool::new(true), &mut |_| Ok(())).unwrap();
    assert_eq!((reason, evolution.counts.tests), (StopReason::Interrupted, 0));
    let none = EvolutionSettings { time: Some(Duration::ZERO), ..settings.clone() };
    let reason = Evolution::new(&none, &counted).run(&AtomicBool::new(false), &mut |_| Ok(())).unwrap();
    assert_eq!(reason, StopReason::Time);
}

#[test]
fn seeds_come_first() {
    let seed = |n: u32| FirstFormula {
        name: format!("{n}.smt2"),
        text: format!("(declare-const x Int)(assert (= x {}))", 1_000_000 + n),
    };
    let settings = EvolutionSettings { seeds: (0..5).map(seed).collect(), ..settings(2, 12) };
    let counted = Counted::new();
    let mut evolution = Evolution::new(&settings, &counted);
    evolution.run(&AtomicBool::new(false), &mut |_| Ok(())).unwrap();
    let texts = counted.texts.into_inner().unwrap();
    assert_eq!(texts.iter().take(5).filter(|t| t.contains("(= i0 100000")).count(), 5);
}

/// The variants in the words of Table I, written apart from the program's table: whoever swaps an objective, the crowding or the
/// selection of a row, or what a word stands for, has this table against him.
static TABLE_1: &[(&str, &[&str], &str)] = &[
    ("stringfuzz", &["time"], "culling"),
    ("stringfuzz-difference", &["difference"], "culling"),
    ("default", &["difference", "coverage", "complexity"], "traces"),
    ("only-time", &["time", "coverage", "complexity"], "traces"),
    ("no-coverage", &["difference", "complexity"], "traces"),
    ("no-complexity", &["difference", "coverage"], "traces"),
    ("default-crowding", &["difference", "coverage", "complexity"], "objective space"),
];

#[test]
fn variants_are_what_table_1_says() {
    let names: Vec<&str> = VARIANTS.iter().map(|variant| variant.name).collect();
    assert_eq!(names, TABLE_1.iter().map(|(name, ..)| *name).collect::<Vec<_>>());
    for (name, objectives, apart) in TABLE_1 {
        let variant = Variant::by_name(name).unwrap();
        // One generation: everybody lives, so that distances can be found again.
        let settings = EvolutionSettings { variant, ..settings(11, 12) };
        let counted = Counted::new();
        let mut evolution = Evolution::new(&settings, &counted);
        evolution.run(&AtomicBool::new(false), &mut |_| Ok(())).unwrap();
        let members = &evolution.members;
        for member in members {
            let (target, reference) = (member.measurement.target.seconds, 0.01);
            let one = |objective: &&str| match *objective {
                "time" => target,
                "difference" if target > reference => 2.0 * target - reference,
                "difference" => target,
                "coverage" => member.coverage_score as f64,
                "complexity" => -(member.complexity as f64),
                other => panic!("{other}"),
            };
            assert_eq!(member.objectives, objectives.iter().map(one).collect::<Vec<_>>(), "{name}");
        }
        assert!(members.iter().any(|m| m.measurement.target.seconds > 0.0 && m.coverage_score > 0), "{name}");
        let points: Vec<Vec<f64>> = members.iter().map(|member| member.objectives.clone()).collect();
        match *apart {
            "culling" => {
                assert!(members.iter().all(|member| member.distance == 0.0), "{name}");
                assert!(points.is_sorted_by(|a, b| a[0] >= b[0]), "{name}: the best come first");
            }
            "objective space" => {
                for front in nsga::fronts(&points) {
                    assert!(front.iter().any(|&i| members[i].distance == f64::INFINITY), "{name}");
                }
            }
            "traces" => {
                for front in nsga::fronts(&points) {
                    for &i in &front {
                        let others: Vec<f64> = front
                            .iter()
                            .filter(|&&j| j != i)
                            .map(|&j| members[i].measurement.trace.similarity(&members[j].measurement.trace))
                            .collect();
                        let mean = others.iter().sum::<f64>() / others.len().max(1) as f64;
                        assert!((members[i].distance - (1.0 - mean)).abs() < 1e-9, "{name}");
                    }
                }
            }
            other => panic!("{other}"),
        }
    }
}
